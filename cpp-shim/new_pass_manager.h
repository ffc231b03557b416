// LLVM's new pass manager, and passes and targets registered after us.
#pragma once

namespace ptxpasses {

// Refuses target machines if machine code would go through the new pass
// manager, or if a pass of ours cannot run. Also handles passes and targets
// that are registered later. Called once.
void watchRegistry();

} // namespace ptxpasses
