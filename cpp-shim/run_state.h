// The erased instructions and the edits of this thread's current run.
#pragma once

#include "compat.h"

namespace ptxpasses {

// PTX_EDITED_*, see ptx_run_edits.
inline thread_local uint32_t EditsOfRun = 0;

// Notes an edit that a pass has asked for. A new register alone does not count.
inline void noteEdit(uint32_t Kind, bool IsChange = true) {
  if (IsChange)
    EditsOfRun |= Kind;
}

// The function that an instruction was erased from; null if it was not erased.
const llvm::MachineFunction *erasedFrom(const llvm::MachineInstr &MI);

} // namespace ptxpasses
