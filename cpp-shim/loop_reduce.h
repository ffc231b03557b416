// LLVM's LoopStrengthReduce, and the managers of a pipeline.
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class PMDataManager;
class PMTopLevelManager;
} // namespace llvm

namespace ptxpasses {

// Makes LoopStrengthReduce ask about each loop in the pipeline that is being
// made. A second call does nothing.
void chooseLoopsToReduce(llvm::PMTopLevelManager &Pipeline);

// Returns the managers below the top ones: of function passes, loop passes, ...
llvm::ArrayRef<llvm::PMDataManager *>
managersOf(llvm::PMTopLevelManager &Pipeline);

} // namespace ptxpasses
