// Does for stages what LLVM does for its passes: -opt-bisect-limit and optnone,
// and the timers of -time-passes.
#include "compat.h"

#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Pass.h"
#include "llvm/Support/Timer.h"

using namespace llvm;
using namespace ptxpasses;

// A stage's timer replaces that of its pass while it runs, so that no time is
// counted twice.
struct PtxTimer {
  Timer *PassTimer; // null if it does not run
  NamedRegionTimer Stage;

  static Timer *stop(Timer *T) {
    if (!T || !T->isRunning())
      return nullptr;
    T->stopTimer();
    return T;
  }
  // The new pass manager's timers are out of reach, so there a stage's time
  // also counts for its pass.
  PtxTimer(HostPass &P, StringRef Name)
      : PassTimer(P.legacy() ? stop(getPassTimer(P.legacy())) : nullptr),
        Stage(Name, (Name + " (" + ptx_entry_points.name() + ")").str(),
              ptx_entry_points.name(),
              (Twine("Stages of ") + ptx_entry_points.name()).str()) {}
};

extern "C" {

bool ptx_mf_skips_stage(const PtxFunction *MF, PtxStr Name) {
  const Function &F = get(MF)->getFunction();
  if (!optimizes(get(MF)->getTarget()) || F.hasOptNone())
    return true;
  OptPassGate &Gate = F.getContext().getOptPassGate();
  return Gate.isEnabled() &&
         !shouldRunPass(Gate, (ref(Name) + " (ptxpasses)").str(), F);
}

PtxTimer *ptx_timer_start(PtxHostPass *P, PtxStr Name) {
  return TimePassesIsEnabled ? new PtxTimer(*get(P), ref(Name)) : nullptr;
}

void ptx_timer_stop(PtxTimer *T) {
  Timer *PassTimer = T->PassTimer;
  delete T;
  if (PassTimer)
    PassTimer->startTimer();
}
}
