// Puts a pass in the place of LLVM's LoopStrengthReduce that chooses its loops.
//
// That pass works on IR, and LLVM adds it by its constructor, not by the
// registry, before any pass on machine code.  When one of ours is added the
// pipeline is there, and has not run.  So the pass is found in it.
#include "loop_reduce.h"

#include "compat.h"
#include "operand.h"
#include "private_member.h"
#include "stock_pass.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopPass.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
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

// The instructions of a loop, but for debug info.
uint32_t numInstrs(const Loop &L) {
  size_t Num = 0;
  for (const BasicBlock *BB : L.blocks())
    Num += count_if(
        *BB, [](const Instruction &I) { return !I.isDebugOrPseudoInst(); });
  return uint32_t(Num);
}

// Those of all innermost loops whose number of iterations is known, each
// unrolled wholly.
uint64_t numUnrolled(LoopInfo &LI, ScalarEvolution &SE) {
  uint64_t Num = 0;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost())
      Num += uint64_t(SE.getSmallConstantTripCount(L)) * numInstrs(*L);
  return Num;
}

// Gives LoopStrengthReduce, which it owns, the loops that Rust does not leave
// alone.  It has the id of that pass, and needs and keeps the same analyses:
// passes that are added later have been told so.
class ChosenLoops : public LoopPass {
  std::unique_ptr<LoopPass> Stock;
  // Of the function whose loops are looked at, from the first of them on.
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
                       SE.getSmallConstantTripCount(L), numInstrs(*L),
                       *NumUnrolled,
                       uint32_t(count_if(L->getHeader()->phis(), IsPointer))};
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

// Whether it is the stock pass, and not the one in its place.
bool isLoopReduce(const Pass &P) {
  static const AnalysisID ID =
      std::unique_ptr<Pass>(createLoopStrengthReducePass())->getPassID();
  return P.getPassID() == ID && P.getPassName() != Chosen;
}

} // namespace

llvm::ArrayRef<PMDataManager *> managersOf(PMTopLevelManager &Pipeline) {
  return Pipeline.*pointerTo(IndirectManagers());
}

void chooseLoopsToReduce(PMTopLevelManager &Pipeline) {
  for (PMDataManager *Manager : managersOf(Pipeline)) {
    if (Manager->getPassManagerType() != PMT_LoopPassManager)
      continue;
    for (Pass *&P : Manager->*pointerTo(ContainedPasses())) {
      if (!isLoopReduce(*P))
        continue;
      auto *Ours = new ChosenLoops(static_cast<LoopPass *>(P));
      Ours->setResolver(new AnalysisResolver(*Manager));
      // Analyses that nobody needs behind the pass are freed behind ours.
      SmallVector<Pass *, 12> Ending;
      Pipeline.collectLastUses(Ending, P);
      Pipeline.setLastUser(Ending, Ours);
      P = Ours;
    }
  }
}

} // namespace ptxpasses
