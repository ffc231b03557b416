// The stages that work on IR, before the passes that simplify addresses.
#pragma once

namespace llvm {
class Module;
class PMTopLevelManager;
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// Whether any of these stages runs for such a target.
bool hasIrStages(const llvm::TargetMachine &TM);

// Adds the pass that runs them to a pipeline that is being made, before the
// manager of the function passes that LLVM simplifies a kernel's addresses
// with.  Does nothing if the pipeline has none (-O0), or has ours already.
void addIrStages(llvm::PMTopLevelManager &Pipeline,
                 const llvm::TargetMachine &TM);

// Runs them.  Returns whether they have changed anything.
bool runIrStages(llvm::Module &M, const llvm::TargetMachine &TM);

} // namespace ptxpasses
