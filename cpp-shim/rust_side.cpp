#include "rust_side.h"
#include "stock_pass.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"

#include <mutex>

using namespace llvm;
using namespace ptxpasses;

namespace {

// Our two-address pass that ran in a manager. An object of another plugin
// may wrap it, so the manager does not know it.
std::mutex TwoAddressLock;
DenseMap<const FPPassManager *, const RustSide *> TwoAddressPasses;

FPPassManager &managerOf(Pass &P) {
  return static_cast<FPPassManager &>(P.getResolver()->getPMDataManager());
}

} // namespace

PtxRun ptxpasses::runOn(MachineFunction &MF, HostPass &Host, unsigned Index,
                        PtxPassState *State) {
  PtxRun Run = {};
  Run.pass = Index;
  Run.state = State;
  Run.mf = wrap(&MF);
  if (Host.legacy())
    Run.lv = wrap(availableVariables(*Host.legacy()));
  Run.lis = wrap(Host.available<LiveIntervalsPass>());
  Run.aa = wrap(Host.availableAliases());
  Run.indexes = wrap(Host.available<SlotIndexesPass>());
  Run.dominators = wrap(Host.available<MachineDominatorsPass>());
  Run.loops = wrap(Host.available<MachineLoopsPass>());
  if (ptx_entry_points.pass(Index).needs & PTX_ANALYSIS_FREQUENCIES)
    Run.frequencies = wrap(Host.available<FrequenciesPass>());
  Run.host_pass = wrap(&Host);
  return Run;
}

RustSide::~RustSide() {
  freeState();
  if (Host.getPassID() != &TwoAddressInstructionPassID)
    return;
  std::lock_guard<std::mutex> Guard(TwoAddressLock);
  for (auto &[Manager, Ours] : TwoAddressPasses)
    if (Ours == this)
      Ours = nullptr;
}

void RustSide::freeState() {
  if (State)
    ptx_entry_points.free_state(State);
  State = nullptr;
}

PtxOutcome RustSide::run(MachineFunction &MF) {
  if (!State)
    State = ptx_entry_points.new_state(Index);
  if (!Next)
    Next = nextPass();
  HostPass Self(Host);
  PtxRun Run = runOn(MF, Self, Index, State);
  Run.two_address = twoAddressState();
  // skipFunction() also counts the pass for -opt-bisect-limit.
  Run.optimize = !(ptx_entry_points.pass(Index).asks_to_skip &&
                   StockPassAccess::skips(Host, MF.getFunction())) &&
                 optimizes(MF.getTarget());
  Run.next = *Next;
  return runInRust(Run);
}

// Functions go through the passes of one manager one by one, so the state of
// the preceding two-address pass belongs to this function.
const PtxPassState *RustSide::twoAddressState() {
  std::lock_guard<std::mutex> Guard(TwoAddressLock);
  if (Host.getPassID() == &TwoAddressInstructionPassID) {
    TwoAddressPasses[&managerOf(Host)] = this;
    return nullptr;
  }
  const RustSide *Ahead = TwoAddressPasses.lookup(&managerOf(Host));
  return Ahead ? Ahead->State : nullptr;
}

PtxStr RustSide::nextPass() {
  FPPassManager &PM = managerOf(Host);
  unsigned I = 0, E = PM.getNumContainedPasses();
  while (I != E && PM.getContainedPass(I) != &Host)
    ++I;
  for (++I; I < E; ++I) {
    Pass &P = *PM.getContainedPass(I);
    if (usageOf(P, PM).getPreservesAll())
      continue;
    const PassInfo *Info = Pass::lookupPassInfo(P.getPassID());
    return str(Info ? Info->getPassArgument() : StringRef());
  }
  return str(StringRef());
}
