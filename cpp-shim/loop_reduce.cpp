// Replaces LLVM's LoopStrengthReduce by a pass that chooses its loops.
//
// That pass works on IR. LLVM adds it by its constructor, not by the registry,
// before any pass on machine code. When one of our passes is added, the
// pipeline exists but has not run, so we find the pass in it.
#include "loop_reduce.h"

#include "compat.h"
#include "operand.h"
#include "private_member.h"
#include "stock_pass.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopPass.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManagers.h"
#include "llvm/Transforms/Scalar.h"

#include <memory>
#include <optional>

using namespace llvm;

namespace ptxpasses {

using PassManagers = SmallVector<PMDataManager *, 8>;
using Passes = SmallVector<Pass *, 16>;
PTX_PRIVATE(IndirectManagers, PMTopLevelManager, IndirectPassManagers,
            PassManagers);
PTX_PRIVATE(ContainedPasses, PMDataManager, PassVector, Passes);

namespace {

constexpr StringLiteral Chosen = "Loop Strength Reduction (ptxpasses)";

// Counts the instructions of a loop for which `Counts` holds.
uint32_t numInstrs(const Loop &L, bool (*Counts)(const Instruction &)) {
  size_t Num = 0;
  for (const BasicBlock *BB : L.blocks())
    Num += count_if(*BB, Counts);
  return uint32_t(Num);
}

// The instructions of a loop, without debug info.
uint32_t numInstrs(const Loop &L) {
  return numInstrs(L, [](const Instruction &I) { return !isDebugOrPseudo(I); });
}

// The instructions of all innermost loops with a known trip count, each fully
// unrolled.
uint64_t numUnrolled(LoopInfo &LI, ScalarEvolution &SE) {
  uint64_t Num = 0;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost())
      Num += uint64_t(SE.getSmallConstantTripCount(L)) * numInstrs(*L);
  return Num;
}

// A PHI of a loop's header to which each iteration adds the same number.
using Variable = std::pair<PHINode *, const SCEVAddRecExpr *>;

SmallVector<Variable, 4> variables(const Loop &L, ScalarEvolution &SE) {
  SmallVector<Variable, 4> Found;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!SE.isSCEVable(Phi.getType()))
      continue;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (Rec && Rec->getLoop() == &L && Rec->isAffine())
      Found.push_back({&Phi, Rec});
  }
  return Found;
}

// Whether the steps of all variables are compile-time constants.
bool hasConstantSteps(const Loop &L, ScalarEvolution &SE) {
  return all_of(variables(L, SE), [&](const Variable &Found) {
    return isa<SCEVConstant>(Found.second->getStepRecurrence(SE));
  });
}

// Whether all users of a comparison in the loop are branches out of it.
bool onlyLeaves(const ICmpInst &Compare, const Loop &L) {
  return all_of(Compare.users(), [&](const User *Reader) {
    auto *Branch = cast<Instruction>(Reader);
    return Branch->isTerminator() && L.isLoopExiting(Branch->getParent());
  });
}

// Whether the loop uses its variables only for addresses and for its exit
// condition.
bool readsForAddresses(const Loop &L, ScalarEvolution &SE) {
  SmallSetVector<const Instruction *, 16> Values;
  for (const Variable &Found : variables(L, SE))
    Values.insert(Found.first);
  // The set grows while it is walked.
  for (size_t At = 0; At < Values.size(); ++At) {
    const Instruction *Value = Values[At];
    for (const User *Reader : Value->users()) {
      auto *I = cast<Instruction>(Reader);
      if (!L.contains(I) || Values.contains(I))
        continue;
      auto *Cast = dyn_cast<CastInst>(I);
      if (isa<GetElementPtrInst, BinaryOperator>(I) ||
          (Cast && Cast->isIntegerCast()))
        Values.insert(I);
      else if (auto *Compare = dyn_cast<ICmpInst>(I)) {
        if (!onlyLeaves(*Compare, L))
          return false;
      } else if (getLoadStorePointerOperand(I) != Value)
        return false;
    }
  }
  return true;
}

// Counts the loads and stores whose addresses advance in the loop, and the base
// pointers of these addresses.
void countAccesses(const Loop &L, ScalarEvolution &SE, PtxIrLoop &Facts) {
  SmallPtrSet<const SCEV *, 8> Bases;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      Value *Address = getLoadStorePointerOperand(&I);
      auto *Rec =
          Address ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Address)) : nullptr;
      if (!Rec || Rec->getLoop() != &L)
        continue;
      ++Facts.num_accesses;
      Bases.insert(SE.getPointerBase(Rec));
    }
  Facts.num_bases = uint32_t(Bases.size());
}

// Whether a 32-bit variable is extended by one of its users.
bool extendsIndex(const Loop &L) {
  return any_of(L.getHeader()->phis(), [](const PHINode &Phi) {
    return Phi.getType()->isIntegerTy(32) &&
           any_of(Phi.users(), [](const User *Reader) {
             return isa<SExtInst>(Reader) || isa<ZExtInst>(Reader);
           });
  });
}

// Whether a product in the loop advances by a step known only at run time.
bool multipliesIndex(const Loop &L, ScalarEvolution &SE) {
  return any_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      if (I.getOpcode() != Instruction::Mul || !SE.isSCEVable(I.getType()))
        return false;
      auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&I));
      return Rec && Rec->getLoop() == &L && Rec->isAffine() &&
             !isa<SCEVConstant>(Rec->getStepRecurrence(SE));
    });
  });
}

// The integer extensions and products of a loop.
uint32_t numWidenings(const Loop &L) {
  return numInstrs(L, [](const Instruction &I) {
    return isa<SExtInst, ZExtInst>(I) || I.getOpcode() == Instruction::Mul;
  });
}

// Owns LoopStrengthReduce, and gives it the loops that Rust does not leave
// alone. It has that pass's id, and needs and keeps the same analyses, because
// passes added later rely on those.
class ChosenLoops : public LoopPass {
  std::unique_ptr<LoopPass> Stock;
  // For the function whose loops are being visited, from its first loop on.
  std::optional<uint64_t> NumUnrolled;

public:
  explicit ChosenLoops(LoopPass *P)
      : LoopPass(
            *const_cast<char *>(static_cast<const char *>(P->getPassID()))),
        Stock(P) {}

  StringRef getPassName() const override { return Chosen; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    static_cast<const Pass &>(*Stock).getAnalysisUsage(AU);
  }
  bool runOnLoop(Loop *L, LPPassManager &LPM) override {
    auto &SE = getAnalysis<ScalarEvolutionWrapperPass>().getSE();
    if (!NumUnrolled)
      NumUnrolled =
          numUnrolled(getAnalysis<LoopInfoWrapperPass>().getLoopInfo(), SE);
    auto IsPointer = [](const PHINode &Phi) {
      return Phi.getType()->isPointerTy();
    };
    PtxIrLoop Facts = {wrap(L->getHeader()->getParent()),
                       SE.getSmallConstantTripCount(L),
                       numInstrs(*L),
                       *NumUnrolled,
                       uint32_t(count_if(L->getHeader()->phis(), IsPointer)),
                       hasConstantSteps(*L, SE),
                       readsForAddresses(*L, SE),
                       0,
                       0,
                       extendsIndex(*L),
                       multipliesIndex(*L, SE),
                       numWidenings(*L)};
    countAccesses(*L, SE, Facts);
    if (ptx_entry_points.leaves_loop(&Facts))
      return false;
    handOnAnalyses(*this, *Stock->getResolver());
    return Stock->runOnLoop(L, LPM);
  }
  bool doFinalization() override {
    NumUnrolled.reset();
    return Stock->doFinalization();
  }
};

// Whether it is the stock pass, and not its replacement.
bool isLoopReduce(const Pass &P) {
  static const AnalysisID ID =
      std::unique_ptr<Pass>(createLoopStrengthReducePass())->getPassID();
  return P.getPassID() == ID && P.getPassName() != Chosen;
}

} // namespace

llvm::ArrayRef<PMDataManager *> managersOf(PMTopLevelManager &Pipeline) {
  return Pipeline.*pointerTo(IndirectManagers());
}

SmallVector<Pass *, 16> &passesOf(PMDataManager &Manager) {
  return Manager.*pointerTo(ContainedPasses());
}

void chooseLoopsToReduce(PMTopLevelManager &Pipeline) {
  for (PMDataManager *Manager : managersOf(Pipeline)) {
    if (Manager->getPassManagerType() != PMT_LoopPassManager)
      continue;
    for (Pass *&P : passesOf(*Manager)) {
      if (!isLoopReduce(*P))
        continue;
      auto *Ours = new ChosenLoops(static_cast<LoopPass *>(P));
      Ours->setResolver(new AnalysisResolver(*Manager));
      // Analyses that no pass needs after the stock pass are freed after ours.
      SmallVector<Pass *, 12> Ending;
      Pipeline.collectLastUses(Ending, P);
      Pipeline.setLastUser(Ending, Ours);
      P = Ours;
    }
  }
}

} // namespace ptxpasses
