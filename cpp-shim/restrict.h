// Parameters of kernels that the user promises to be `__restrict__`.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace ptxpasses {

// Marks the pointers that Rust chooses as `noalias`. Returns whether any was
// marked.
bool promiseRestrict(llvm::Function &F);

} // namespace ptxpasses
