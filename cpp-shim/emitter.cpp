// Inserts the emitter into a pipeline: a scheduler that runs the user's
// scheduler and passes the sequence to Rust.
#include "emitter.h"
#include "host_check.h"
#include "rust_side.h"
#include "stock_pass.h"

#include "llvm/CodeGen/SchedulerRegistry.h"
#include "llvm/CodeGen/SelectionDAGISel.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"

#include <atomic>
#include <mutex>

using namespace llvm;
using namespace ptxpasses;

namespace {

unsigned PassIndex;

class EmittingScheduler : public ScheduleDAGSDNodes {
  std::unique_ptr<ScheduleDAGSDNodes> Native;
  const FunctionLoweringInfo &FuncInfo;

public:
  EmittingScheduler(MachineFunction &MF, ScheduleDAGSDNodes *Native,
                    const FunctionLoweringInfo &FuncInfo)
      : ScheduleDAGSDNodes(MF), Native(Native), FuncInfo(FuncInfo) {}

  void Schedule() override { Native->Run(DAG, BB); }

  MachineBasicBlock *
  EmitSchedule(MachineBasicBlock::iterator &InsertPos) override {
    static thread_local DagBuffers Buffers;
    Emission E(*Native, FuncInfo, InsertPos, Buffers);
    PtxEmitRun Run = {PassIndex, wrap(&MF), wrap(&E)};
    PtxStr Error = {nullptr, 0};
    switch (ptx_entry_points.emit_block(&Run, &Error)) {
    case PTX_CHANGED:
      return BB;
    case PTX_DELEGATE:
      return Native->EmitSchedule(InsertPos);
    case PTX_FAILED:
      report_fatal_error(ref(Error), /*gen_crash_diag=*/false);
    default:
      report_fatal_error("ptxpasses: unknown outcome of a block");
    }
  }
};

using Ctor = RegisterScheduler::FunctionPassCtor;
using SchedulerOption =
    cl::opt<Ctor, false, RegisterPassParser<RegisterScheduler>>;
SchedulerOption *Option;
// The scheduler that the command line selects. Threads that build pipelines
// change it and the option under a lock. Threads that select instructions read
// both, after their pipeline was built.
std::mutex OptionLock;
std::atomic<Ctor> ChosenScheduler = createDefaultScheduler;

ScheduleDAGSDNodes *createScheduler(SelectionDAGISel *ISel, OptLevel Level) {
  ScheduleDAGSDNodes *Native = ChosenScheduler.load()(ISel, Level);
  MachineFunction &MF = *ISel->MF;
  if (!takes(PassIndex, MF.getTarget()))
    return Native;
  checkSchedulerData(MF);
  // `linearize` has its own emitter.
  if (!emitsAsBaseClass(*Native))
    return Native;
  return new EmittingScheduler(MF, Native, *ISel->FuncInfo);
}

PassInfo::NormalCtor_t StockFinalizeISel;

// Finishes the selected function, then runs the stock pass.
class FinishingFinalizeISel : public StandIn {
public:
  FinishingFinalizeISel() : StandIn(FinalizeISelID, StockFinalizeISel()) {}

  bool runOnMachineFunction(MachineFunction &MF) override {
    bool IsChanged = finishSelection(MF);
    return runStock(MF) || IsChanged;
  }
};

// Every pipeline with instruction selection has this pass. It is constructed
// after all options are parsed and before instruction selection.
Pass *makeFinalizeISel() {
  enterEmitter();
  return new FinishingFinalizeISel;
}

} // namespace

void ptxpasses::enterEmitter() {
  {
    std::lock_guard<std::mutex> Guard(OptionLock);
    if (Option->getValue() != createScheduler) {
      ChosenScheduler = Option->getValue();
      Option->setValue(createScheduler);
    }
  }
  ptx_entry_points.new_pipeline();
}

bool ptxpasses::finishSelection(MachineFunction &MF) {
  if (!takes(PassIndex, MF.getTarget()))
    return false;
  PtxStr Error = {nullptr, 0};
  PtxOutcome Outcome = ptx_entry_points.finish_selection(wrap(&MF), &Error);
  if (Outcome == PTX_FAILED)
    report_fatal_error(ref(Error), /*gen_crash_diag=*/false);
  return Outcome == PTX_CHANGED;
}

void ptxpasses::installEmitter(unsigned Pass) {
  PassIndex = Pass;
  checkSchedulerVTable();
  auto &Options = cl::getRegisteredOptions();
  auto It = Options.find("pre-RA-sched");
  if (It == Options.end())
    refuse("the host has no option ", "-pre-RA-sched");
  Option = static_cast<SchedulerOption *>(It->second);
  const PassInfo *Info =
      PassRegistry::getPassRegistry()->getPassInfo(StringRef("finalize-isel"));
  if (!Info || !Info->getNormalCtor())
    refuse("the host has no pass ", "finalize-isel");
  StockFinalizeISel = Info->getNormalCtor();
  const_cast<PassInfo *>(Info)->setNormalCtor(makeFinalizeISel);
}
