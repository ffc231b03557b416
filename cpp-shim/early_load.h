// Loads in IR that may come before a store that waits.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace ptxpasses {

// Moves the loads that Rust chooses before stores of their block. Returns
// whether any was moved.
bool moveLoadsEarly(llvm::Function &F);

} // namespace ptxpasses
