// The line at the head of the assembly that says what made it.
#pragma once

namespace llvm {
class Pass;
} // namespace llvm

namespace ptxpasses {

// Writes the line of this plugin, if it has one for the target, to the output
// of P.  The output begins with what P writes when the module begins, so the
// line is its first one if P has not heard of that.  Returns whether P prints
// NVPTX assembly.
bool writeHead(llvm::Pass &P);

} // namespace ptxpasses
