// The line at the head of the assembly that names its compiler.
#pragma once

namespace llvm {
class Pass;
} // namespace llvm

namespace ptxpasses {

// Writes the line of this plugin, if it has one for the target, to the output
// of P. The line comes first in the output if P has not yet been told that the
// module begins, because P writes the rest of the head then. Returns whether P
// prints NVPTX assembly.
bool writeHead(llvm::Pass &P);

} // namespace ptxpasses
