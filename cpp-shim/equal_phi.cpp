// The mechanism of the stage `equal-phis`: finds the PHIs whose values are
// computed alike, asks Rust which of them are to be replaced, and replaces
// these.
#include "equal_phi.h"

#include "compat.h"
#include "ir_stages.h"
#include "operand.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ptxpasses {

namespace {

// The longest chain of instructions that is compared.
constexpr unsigned MaxChain = 4;

// Values that may be equal, one for each edge into a block.
using Values = SmallVector<Value *, 4>;

// Whether a type is that of indices and addresses.
bool isIndexOrAddress(const Type &T) {
  return T.isPointerTy() || T.isIntegerTy(32) || T.isIntegerTy(64);
}

// Whether an instruction computes an index or an address, from its operands
// alone and in a few instructions of the machine.
bool onlyComputes(const Instruction &I) {
  auto *Operation = dyn_cast<BinaryOperator>(&I);
  return isIndexOrAddress(*I.getType()) &&
         (Operation ? !Operation->isIntDivRem()
                    : isa<CastInst, GetElementPtrInst>(I));
}

// Whether two instructions are the same operation, whatever their operands and
// the promises that they make about overflow.
bool isSameOperation(const Instruction &I, const Instruction &Other) {
  auto *Gep = dyn_cast<GetElementPtrInst>(&I);
  auto *OtherGep = dyn_cast<GetElementPtrInst>(&Other);
  return I.isSameOperationAs(&Other) &&
         (!Gep ||
          Gep->getSourceElementType() == OtherGep->getSourceElementType());
}

// A PHI, and the block that its values could be computed in.
class EqualPhi {
  PHINode &Phi;
  const DominatorTree &DT;

  // Whether a value is computed before the PHI's block, on each path to it.
  bool isAvailable(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return !I || (I->getParent() != Phi.getParent() &&
                  DT.dominates(I->getParent(), Phi.getParent()));
  }
  static Values operandsOf(const Values &Of, unsigned Index) {
    Values Operands;
    for (Value *V : Of)
      Operands.push_back(cast<Instruction>(V)->getOperand(Index));
    return Operands;
  }

public:
  EqualPhi(PHINode &Phi, const DominatorTree &DT) : Phi(Phi), DT(DT) {}

  // Whether all values are computed alike, from values that are available.
  // Counts the instructions of that computation.
  bool areAlike(const Values &All, unsigned Depth, uint32_t &NumInstrs) const {
    if (all_equal(All) && isAvailable(All[0]))
      return true;
    auto *First = dyn_cast<Instruction>(All[0]);
    if (!First || Depth == MaxChain || !onlyComputes(*First))
      return false;
    for (const Value *V : drop_begin(All)) {
      auto *Other = dyn_cast<Instruction>(V);
      if (!Other || !isSameOperation(*First, *Other))
        return false;
    }
    ++NumInstrs;
    for (unsigned Index = 0; Index < First->getNumOperands(); ++Index)
      if (!areAlike(operandsOf(All, Index), Depth + 1, NumInstrs))
        return false;
    return true;
  }
  // Computes what all values compute, in the PHI's block before `At`. A promise
  // is made only if all of them make it.
  Value *compute(const Values &All, BasicBlock::iterator At) const {
    if (all_equal(All) && isAvailable(All[0]))
      return All[0];
    auto *First = cast<Instruction>(All[0]);
    Instruction *New = First->clone();
    for (unsigned Index = 0; Index < First->getNumOperands(); ++Index)
      New->setOperand(Index, compute(operandsOf(All, Index), At));
    for (Value *V : drop_begin(All))
      New->andIRFlags(V);
    New->dropUnknownNonDebugMetadata();
    New->setDebugLoc(Phi.getDebugLoc());
    New->insertInto(Phi.getParent(), At);
    return New;
  }
};

// Asks Rust about a PHI, and replaces it by code before `At` if Rust wants
// that. What nothing may read any more is added to `Old`.
bool replaceIfWanted(PHINode &Phi, BasicBlock::iterator At,
                     const DominatorTree &DT,
                     SmallVectorImpl<WeakTrackingVH> &Old) {
  Values All(Phi.incoming_values());
  const EqualPhi Equal(Phi, DT);
  PtxEqualPhi Facts = {wrap(Phi.getFunction()), 0};
  if (all_equal(All) || !Equal.areAlike(All, 0, Facts.num_instrs))
    return false;
  if (!answerOf(ptx_entry_points.replaces_phi, Facts))
    return false;
  Phi.replaceAllUsesWith(Equal.compute(All, At));
  Phi.eraseFromParent();
  append_range(Old, All);
  return true;
}

// Whether an edge leads back to a block.
bool isLoopHeader(BasicBlock &BB, const DominatorTree &DT) {
  return any_of(predecessors(&BB), [&](const BasicBlock *From) {
    return DT.dominates(&BB, From);
  });
}

} // namespace

bool mergeEqualPhis(Function &F) {
  const DominatorTree DT(F);
  SmallVector<WeakTrackingVH, 16> Old;
  bool Changed = false;
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *BB : Order) {
    if (BB->phis().empty() || isLoopHeader(*BB, DT))
      continue;
    const auto At = BB->getFirstInsertionPt();
    for (PHINode &Phi : make_early_inc_range(BB->phis()))
      Changed |= replaceIfWanted(Phi, At, DT, Old);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
  return Changed;
}

} // namespace ptxpasses
