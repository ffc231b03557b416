// Takes LLVM's LoopStrengthReduce out of a pipeline.
//
// That pass works on IR, and LLVM adds it by its constructor, not by the
// registry, before any pass on machine code.  When one of ours is added the
// pipeline is there, and has not run.  So the pass is found in it, and another
// one put in its place.
#include "loop_reduce.h"

#include "compat.h"
#include "operand.h"
#include "private_member.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopPass.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LegacyPassManagers.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar.h"

#include <memory>

using namespace llvm;

namespace ptxpasses {

using PassManagers = SmallVector<PMDataManager *, 8>;
using Passes = SmallVector<Pass *, 16>;
PTX_PRIVATE(IndirectManagers, PMTopLevelManager, IndirectPassManagers,
            PassManagers);
PTX_PRIVATE(ContainedPasses, PMDataManager, PassVector, Passes);

namespace {

constexpr StringLiteral LeftOut =
    "Loop Strength Reduction, left out (ptxpasses)";

// Leaves every loop as it is.  It has the id of the pass whose place it takes,
// and needs and keeps the same analyses: those that are added later have been
// told so.
class UnreducedLoops : public LoopPass {
  std::unique_ptr<Pass> Stock;

public:
  explicit UnreducedLoops(Pass *P)
      : LoopPass(
            *const_cast<char *>(static_cast<const char *>(P->getPassID()))),
        Stock(P) {}

  StringRef getPassName() const override { return LeftOut; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    Stock->getAnalysisUsage(AU);
  }
  bool runOnLoop(Loop *L, LPPassManager &) override {
    const Function &F = *L->getHeader()->getParent();
    ptx_entry_points.leave_loop(str(F.getParent()->getModuleIdentifier()),
                                str(F.getName()));
    return false;
  }
};

// Whether it is the stock pass, and not the one in its place.
bool isLoopReduce(const Pass &P) {
  static const AnalysisID ID =
      std::unique_ptr<Pass>(createLoopStrengthReducePass())->getPassID();
  return P.getPassID() == ID && P.getPassName() != LeftOut;
}

} // namespace

void leaveOutLoopReduce(PMTopLevelManager &Pipeline) {
  for (PMDataManager *Manager : Pipeline.*pointerTo(IndirectManagers())) {
    if (Manager->getPassManagerType() != PMT_LoopPassManager)
      continue;
    for (Pass *&P : Manager->*pointerTo(ContainedPasses())) {
      if (!isLoopReduce(*P))
        continue;
      auto *Unreduced = new UnreducedLoops(P);
      Unreduced->setResolver(new AnalysisResolver(*Manager));
      // What ends behind the pass ends behind the one in its place.
      SmallVector<Pass *, 12> Ending;
      Pipeline.collectLastUses(Ending, P);
      Pipeline.setLastUser(Ending, Unreduced);
      P = Unreduced;
    }
  }
}

} // namespace ptxpasses
