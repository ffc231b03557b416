// LLVM's new pass manager.
#pragma once

namespace ptxpasses {

// Has NVPTX's target machines refused where machine code is to go through the
// new pass manager.  Called once.
void refuseNewPassManager();

} // namespace ptxpasses
