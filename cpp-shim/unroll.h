// Unrolling of loops in IR.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// Unrolls the loops of a module's functions.  Returns whether it has changed
// any.
bool unrollLoops(llvm::Module &M, const llvm::TargetMachine &TM);

} // namespace ptxpasses
