// The passes of the plugin in LLVM's pipelines.
#pragma once

namespace llvm {
class PassInfo;
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// Registers the passes that LLVM does not have, and searches the registry for
// the passes at which ours run. Called once.
void installPasses();

// Handles a pass that LLVM registers later.
void passRegistered(const llvm::PassInfo &Info);

// Whether some pass of ours runs on functions of this target.
bool takesAny(const llvm::TargetMachine &TM);

// Ends the process if one of our passes cannot run: its anchor does not exist
// or cannot be replaced, or an option makes LLVM begin at our pass.
void checkPasses(const llvm::TargetMachine &TM);

} // namespace ptxpasses
