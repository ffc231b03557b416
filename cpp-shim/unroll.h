// Unrolling of loops in IR, before the passes that simplify addresses.
#pragma once

namespace llvm {
class Module;
class PMTopLevelManager;
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// Adds the pass that unrolls to a pipeline that is being made, before the
// manager of the function passes that LLVM simplifies a kernel's addresses
// with.  Does nothing if the pipeline has none (-O0), or has ours already.
void addUnrolling(llvm::PMTopLevelManager &Pipeline,
                  const llvm::TargetMachine &TM);

// Unrolls the loops of a module's functions.  Returns whether it has changed
// any.
bool unrollLoops(llvm::Module &M, const llvm::TargetMachine &TM);

} // namespace ptxpasses
