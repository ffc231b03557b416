// LLVM's new pass manager, and what is registered when we are there already.
#pragma once

namespace ptxpasses {

// Has target machines refused where machine code is to go through the new pass
// manager, or where a pass of ours cannot run.  Takes in passes and targets
// that are registered later.  Called once.
void watchRegistry();

} // namespace ptxpasses
