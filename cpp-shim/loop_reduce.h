// LLVM's LoopStrengthReduce.
#pragma once

namespace llvm {
class PMTopLevelManager;
}

namespace ptxpasses {

// Has LoopStrengthReduce ask about each loop in the pipeline that is being
// made. Called again it does nothing.
void chooseLoopsToReduce(llvm::PMTopLevelManager &Pipeline);

} // namespace ptxpasses
