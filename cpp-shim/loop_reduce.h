// LLVM's LoopStrengthReduce.
#pragma once

namespace llvm {
class PMTopLevelManager;
}

namespace ptxpasses {

// Takes LoopStrengthReduce out of the pipeline that is being made, if it is in
// it still.
void leaveOutLoopReduce(llvm::PMTopLevelManager &Pipeline);

} // namespace ptxpasses
