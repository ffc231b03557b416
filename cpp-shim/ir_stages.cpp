// The pass that runs the stages on IR. When a plugin may add a pass, LLVM has
// scheduled all others, so this one stands between two managers of function
// passes, where no function's analysis is alive.
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

char IrStagesID;

class IrStages : public ModulePass {
  const TargetMachine &TM;

public:
  explicit IrStages(const TargetMachine &TM) : ModulePass(IrStagesID), TM(TM) {}

  StringRef getPassName() const override { return "IR stages (ptxpasses)"; }
  bool runOnModule(Module &M) override {
    return !skipModule(M) && runIrStages(M, TM);
  }
};

bool contains(PMDataManager &Manager, StringRef Argument) {
  return any_of(Manager.*pointerTo(PassesOfManager()), [&](Pass *P) {
    const PassInfo *Info = Pass::lookupPassInfo(P->getPassID());
    return Info && Info->getPassArgument() == Argument;
  });
}

} // namespace

bool hasIrStages(const TargetMachine &TM) {
  const PtxStr Arch = archOf(TM);
  return ptx_entry_points.unrolls(Arch) || ptx_entry_points.turns(Arch);
}

bool runIrStages(Module &M, const TargetMachine &TM) {
  const PtxStr Arch = archOf(TM);
  bool Changed = false;
  if (ptx_entry_points.unrolls(Arch))
    Changed |= unrollLoops(M, TM);
  // After unrolling, which leaves loops with new branches at their ends.
  if (ptx_entry_points.turns(Arch))
    Changed |= turnLoopBranches(M);
  return Changed;
}

void addIrStages(PMTopLevelManager &Pipeline, const TargetMachine &TM) {
  for (PMDataManager *Manager : managersOf(Pipeline)) {
    if (Manager->getPassManagerType() != PMT_FunctionPassManager ||
        !contains(*Manager, FirstOfAddresses))
      continue;
    Pass *Before = Manager->getAsPass();
    PMDataManager &Modules = Before->getResolver()->getPMDataManager();
    ModulePasses &List = Modules.*pointerTo(PassesOfManager());
    if (any_of(List, [](Pass *P) { return P->getPassID() == &IrStagesID; }))
      return;
    auto *Ours = new IrStages(TM);
    Ours->setResolver(new AnalysisResolver(Modules));
    List.insert(find(List, Before), Ours);
    return;
  }
}

} // namespace ptxpasses
