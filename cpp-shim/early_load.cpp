// The mechanism of the stage `early-loads`: finds the stores that a load may
// pass, asks Rust which loads are to be moved, and moves these.
#include "early_load.h"

#include "compat.h"
#include "ir_moves.h"
#include "ir_stages.h"
#include "operand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ptxpasses {

namespace {

// How far the search for a store goes, in instructions.
constexpr unsigned MaxDistance = 128;
// Address spaces of NVPTX.
constexpr unsigned SharedSpace = 3, LocalSpace = 5;

// Whether memory is a block's or a thread's, which answers soon.
bool isNear(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  const unsigned Space = Object->getType()->getPointerAddressSpace();
  return Space == SharedSpace || Space == LocalSpace || isa<AllocaInst>(Object);
}

bool isFarLoad(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() && !isNear(Load->getPointerOperand());
}

// The values of a block that are computed from what it loads.
using Waiting = SmallPtrSet<const Value *, 32>;

Waiting waitingIn(const BasicBlock &BB) {
  Waiting Found;
  for (const Instruction &I : BB)
    if (!isa<PHINode>(I) &&
        (isFarLoad(I) || any_of(I.operands(), [&](const Value *Operand) {
           return Found.contains(Operand);
         })))
      Found.insert(&I);
  return Found;
}

// Whether an instruction may be computed earlier, whatever stands between.
bool mayMove(const Instruction &I) {
  return !I.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&I);
}

// The place that a load may move to.
struct Place {
  StoreInst *Before = nullptr;
  InstrMoves Moves;
};

// Finds the first store of the block that waits for a load, if this load may
// pass it and all stores between them. ptxas moves a load over a store at
// another distance from the same address itself.
Place placeOf(LoadInst &Load, const Waiting &Waits, AAResults &AA) {
  const MemoryLocation Where = MemoryLocation::get(&Load);
  const Value *Object = getUnderlyingObject(Load.getPointerOperand());
  Place Found;
  unsigned Distance = 0;
  for (Instruction *I = Load.getPrevNode(); I && !isa<PHINode>(I);
       I = I->getPrevNode()) {
    if (isa<DbgInfoIntrinsic>(I))
      continue; // Code is the same with it and without.
    if (++Distance > MaxDistance ||
        !isGuaranteedToTransferExecutionToSuccessor(I))
      break;
    if (!I->mayWriteToMemory())
      continue;
    auto *Store = dyn_cast<StoreInst>(I);
    if (!Store || !Store->isSimple() ||
        isModSet(AA.getModRefInfo(Store, Where)))
      break;
    InstrMoves Moves;
    unsigned Left = MaxMoves;
    if (!canPrecede(Load.getPointerOperand(), *Store, Left, Moves, mayMove))
      break;
    const Value *To = Store->getPointerOperand();
    if (getUnderlyingObject(To) == Object ||
        !(Waits.contains(Store->getValueOperand()) || Waits.contains(To)))
      continue;
    Found.Before = Store;
    Found.Moves = std::move(Moves);
  }
  return Found;
}

// Moves a load if there is a place for it, and Rust wants that.
bool moveIfWanted(LoadInst &Load, bool IsInLoop, uint32_t NumMoved,
                  const Waiting &Waits, AAResults &AA) {
  const Place To = placeOf(Load, Waits, AA);
  if (!To.Before)
    return false;
  const PtxEarlyLoad Facts = {wrap(Load.getFunction()), NumMoved, IsInLoop};
  if (!answerOf(ptx_entry_points.moves_load, Facts))
    return false;
  moveBefore(To.Moves, *To.Before);
  Load.moveBefore(*Load.getParent(), To.Before->getIterator());
  return true;
}

} // namespace

bool moveLoadsEarly(Function &F) {
  DominatorTree DT(F);
  const LoopInfo Loops(DT);
  AssumptionCache Assumptions(F);
  const TargetLibraryInfoImpl Libraries(
      Triple(F.getParent()->getTargetTriple()));
  const TargetLibraryInfo Library(Libraries);
  BasicAAResult OfAddresses(F.getParent()->getDataLayout(), F, Library,
                            Assumptions, &DT);
  TypeBasedAAResult OfTypes = typeBasedAA();
  ScopedNoAliasAAResult OfScopes;
  AAResults AA(Library);
  AA.addAAResult(OfAddresses);
  AA.addAAResult(OfTypes);
  AA.addAAResult(OfScopes);
  bool Changed = false;
  for (BasicBlock &BB : F) {
    // Where nothing runs, a value may be its own operand.
    if (!DT.isReachableFromEntry(&BB))
      continue;
    SmallVector<LoadInst *, 16> Loads;
    for (Instruction &I : BB)
      if (isFarLoad(I))
        Loads.push_back(cast<LoadInst>(&I));
    const bool IsInLoop = Loops.getLoopFor(&BB) != nullptr;
    const Waiting Waits = waitingIn(BB);
    uint32_t NumMoved = 0;
    for (LoadInst *Load : Loads)
      NumMoved += moveIfWanted(*Load, IsInLoop, NumMoved, Waits, AA);
    Changed |= NumMoved > 0;
  }
  return Changed;
}

} // namespace ptxpasses
