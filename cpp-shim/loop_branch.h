// The branches at the ends of loops in IR.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace ptxpasses {

// Turns the branches that Rust chooses: their comparison becomes its inverse,
// and their targets change places. Returns whether any was turned.
bool turnLoopBranches(llvm::Function &F);

} // namespace ptxpasses
