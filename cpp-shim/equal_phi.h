// PHIs in IR whose values are computed alike.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace ptxpasses {

// Replaces the PHIs that Rust chooses by one computation of what all their
// values compute. Returns whether any was replaced.
bool mergeEqualPhis(llvm::Function &F);

} // namespace ptxpasses
