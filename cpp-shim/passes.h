// The passes of the plugin in LLVM's pipelines.
#pragma once

namespace llvm {
class PassInfo;
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// Registers the passes that LLVM does not have, and goes through LLVM's passes
// that are in the registry for those that ours run at.  Called once.
void installPasses();

// Takes in a pass that LLVM has registered since.
void passRegistered(const llvm::PassInfo &Info);

// Whether some pass of ours runs on functions of this target.
bool takesAny(const llvm::TargetMachine &TM);

// Ends the process if one of them cannot: the pass that it is to run at is not
// there or cannot be stood in for, or an option makes LLVM begin at ours.
void checkPasses(const llvm::TargetMachine &TM);

} // namespace ptxpasses
