// Divisions in IR that share a divisor.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace ptxpasses {

// Divides by the reciprocal of a divisor where Rust chooses so, with LLVM's
// division for the operands that this does not suffice for. Returns whether any
// division was changed.
bool shareDivisors(llvm::Function &F);

} // namespace ptxpasses
