// The passes that run the stages on IR. When a plugin may add a pass, LLVM has
// scheduled all others, so these stand between two managers of function passes,
// where no function's analysis is alive.
#include "ir_stages.h"

#include "compat.h"
#include "division.h"
#include "early_load.h"
#include "equal_phi.h"
#include "ir_size.h"
#include "loop_branch.h"
#include "loop_reduce.h"
#include "operand.h"
#include "restrict.h"
#include "rust_side.h"
#include "unroll.h"

#include "llvm/IR/LegacyPassManagers.h"
#include "llvm/IR/Module.h"
#include "llvm/PassInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <chrono>

using namespace llvm;

namespace ptxpasses {

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

char RestrictID, EqualPhisID, UnrollID, EarlyLoadsID, LoopBranchesID,
    DivisionsID;

bool contains(PMDataManager &Manager, StringRef Argument) {
  return any_of(passesOf(Manager), [&](Pass *P) {
    const PassInfo *Info = Pass::lookupPassInfo(P->getPassID());
    return Info && Info->getPassArgument() == Argument;
  });
}

// Runs a stage that goes function by function.
template <PtxIrStage Which, bool (*Run)(Function &)>
bool onEachFunction(Module &M, const TargetMachine &) {
  return runOnFunctions(M, Which, Run);
}

} // namespace

bool runOnFunctions(Module &M, PtxIrStage Stage,
                    function_ref<bool(Function &)> Run) {
  bool Changed = false;
  uint32_t Number = 0;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const uint32_t This = Number++;
    if (F.hasOptNone() || F.hasOptSize())
      continue;
    auto Start = std::chrono::steady_clock::now();
    const uint32_t NumInstrs = numCode(F);
    Changed |= Run(F);
    std::chrono::nanoseconds Time = std::chrono::steady_clock::now() - Start;
    ptx_entry_points.ran_on_ir(Stage, wrap(&F), This, NumInstrs, Time.count());
  }
  return Changed;
}

SmallVector<const IrStage *, 6> irStagesOf(const TargetMachine &TM) {
  // A promise helps all that follow. Unrolling leaves blocks with several loads
  // and stores, and loops with new branches. Shared divisors split blocks.
  static const IrStage Stages[] = {
      {PTX_IR_RESTRICT, "restrict", "Restrict parameters (ptxpasses)",
       &RestrictID, onEachFunction<PTX_IR_RESTRICT, promiseRestrict>},
      {PTX_IR_EQUAL_PHIS, "equal-phis", "Equal PHIs (ptxpasses)", &EqualPhisID,
       onEachFunction<PTX_IR_EQUAL_PHIS, mergeEqualPhis>},
      {PTX_IR_UNROLL, "unroll", "Unroll (ptxpasses)", &UnrollID, unrollLoops},
      {PTX_IR_EARLY_LOADS, "early-loads", "Early loads (ptxpasses)",
       &EarlyLoadsID, onEachFunction<PTX_IR_EARLY_LOADS, moveLoadsEarly>},
      {PTX_IR_LOOP_BRANCHES, "loop-branches", "Loop branches (ptxpasses)",
       &LoopBranchesID, onEachFunction<PTX_IR_LOOP_BRANCHES, turnLoopBranches>},
      {PTX_IR_DIVISIONS, "divisions", "Divisions (ptxpasses)", &DivisionsID,
       onEachFunction<PTX_IR_DIVISIONS, shareDivisors>}};
  SmallVector<const IrStage *, 6> Wanted;
  for (const IrStage &Stage : Stages)
    if (ptx_entry_points.runs_on_ir(Stage.Which, archOf(TM)))
      Wanted.push_back(&Stage);
  return Wanted;
}

void addIrStages(PMTopLevelManager &Pipeline, const TargetMachine &TM) {
  for (PMDataManager *Manager : managersOf(Pipeline)) {
    if (Manager->getPassManagerType() != PMT_FunctionPassManager ||
        !contains(*Manager, FirstOfAddresses))
      continue;
    Pass *Before = Manager->getAsPass();
    PMDataManager &Modules = Before->getResolver()->getPMDataManager();
    SmallVector<Pass *, 16> &List = passesOf(Modules);
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
