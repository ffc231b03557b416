// The passes that run the stages on IR. When a plugin may add a pass, LLVM has
// scheduled all others, so these stand between two managers of function passes,
// where no function's analysis is alive.
#include "ir_stages.h"

#include "compat.h"
#include "loop_branch.h"
#include "loop_reduce.h"
#include "operand.h"
#include "private_member.h"
#include "rust_side.h"
#include "unroll.h"

#include "llvm/IR/LegacyPassManagers.h"
#include "llvm/IR/Module.h"
#include "llvm/PassInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace ptxpasses {

using ModulePasses = SmallVector<Pass *, 16>;
PTX_PRIVATE(PassesOfManager, PMDataManager, PassVector, ModulePasses);

namespace {

// NVPTX's first pass that simplifies addresses; at -O0 there is none.
constexpr StringLiteral FirstOfAddresses = "infer-address-spaces";

// A stage as a pass of its own.
class IrStagePass : public ModulePass {
  const IrStage &Stage;
  const TargetMachine &TM;

public:
  IrStagePass(const IrStage &Stage, const TargetMachine &TM)
      : ModulePass(*Stage.ID), Stage(Stage), TM(TM) {}

  StringRef getPassName() const override { return Stage.Title; }
  bool runOnModule(Module &M) override {
    return !skipModule(M) && Stage.run(M, TM);
  }
};

char UnrollID, LoopBranchesID;

bool contains(PMDataManager &Manager, StringRef Argument) {
  return any_of(Manager.*pointerTo(PassesOfManager()), [&](Pass *P) {
    const PassInfo *Info = Pass::lookupPassInfo(P->getPassID());
    return Info && Info->getPassArgument() == Argument;
  });
}

} // namespace

SmallVector<const IrStage *, 2> irStagesOf(const TargetMachine &TM) {
  static const IrStage Unroll = {"unroll", "Unroll (ptxpasses)", &UnrollID,
                                 unrollLoops};
  static const IrStage LoopBranches = {
      "loop-branches", "Loop branches (ptxpasses)", &LoopBranchesID,
      [](Module &M, const TargetMachine &) { return turnLoopBranches(M); }};
  const PtxStr Arch = archOf(TM);
  SmallVector<const IrStage *, 2> Wanted;
  if (ptx_entry_points.unrolls(Arch))
    Wanted.push_back(&Unroll);
  // After unrolling, which leaves loops with new branches at their ends.
  if (ptx_entry_points.turns(Arch))
    Wanted.push_back(&LoopBranches);
  return Wanted;
}

void addIrStages(PMTopLevelManager &Pipeline, const TargetMachine &TM) {
  for (PMDataManager *Manager : managersOf(Pipeline)) {
    if (Manager->getPassManagerType() != PMT_FunctionPassManager ||
        !contains(*Manager, FirstOfAddresses))
      continue;
    Pass *Before = Manager->getAsPass();
    PMDataManager &Modules = Before->getResolver()->getPMDataManager();
    ModulePasses &List = Modules.*pointerTo(PassesOfManager());
    for (const IrStage *Stage : irStagesOf(TM)) {
      if (any_of(List, [&](Pass *P) { return P->getPassID() == Stage->ID; }))
        continue;
      auto *Ours = new IrStagePass(*Stage, TM);
      Ours->setResolver(new AnalysisResolver(Modules));
      List.insert(find(List, Before), Ours);
    }
    return;
  }
}

} // namespace ptxpasses
