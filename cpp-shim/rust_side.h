// A pass object's connection to Rust: its state there, and its run on a
// function.
#pragma once

#include "compat.h"

#include "llvm/Support/ErrorHandling.h"

#include <optional>
#include <string>

namespace ptxpasses {

inline PtxStr archOf(const llvm::TargetMachine &TM) {
  return str(TM.getTargetTriple().getArchName());
}

inline bool takes(unsigned Pass, const llvm::TargetMachine &TM) {
  return ptx_entry_points.takes(Pass, archOf(TM));
}

// Makes Rust run a pass on a function. A failure ends the process here.
inline PtxOutcome runInRust(const PtxRun &Run) {
  PtxStr Error = {nullptr, 0};
  PtxOutcome Outcome = ptx_entry_points.run(&Run, &Error);
  if (Outcome == PTX_FAILED)
    llvm::report_fatal_error(ref(Error), /*gen_crash_diag=*/false);
  return Outcome;
}

// Returns the inputs of a pass's run on a function that are the same in both of
// LLVM's pass managers: the function, the available analyses, and the pass.
PtxRun runOn(llvm::MachineFunction &MF, HostPass &Host, unsigned Index,
             PtxPassState *State);

class RustSide {
  llvm::MachineFunctionPass &Host;
  unsigned Index;
  PtxPassState *State = nullptr; // Rust's buffers
  std::optional<PtxStr> Next;    // see PtxRun

public:
  RustSide(llvm::MachineFunctionPass &Host, unsigned Index)
      : Host(Host), Index(Index) {}
  ~RustSide();
  RustSide(const RustSide &) = delete;
  RustSide &operator=(const RustSide &) = delete;

  unsigned index() const { return Index; }
  PtxOutcome run(llvm::MachineFunction &MF);
  void freeState();

private:
  const PtxPassState *twoAddressState();
  PtxStr nextPass();
};

} // namespace ptxpasses
