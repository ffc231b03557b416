// LLVM's LoopStrengthReduce, and the managers of a pipeline.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class PMDataManager;
class PMTopLevelManager;
class Pass;
} // namespace llvm

namespace ptxpasses {

// Makes LoopStrengthReduce ask about each loop in the pipeline that is being
// made. A second call does nothing.
void chooseLoopsToReduce(llvm::PMTopLevelManager &Pipeline);

// Returns the managers below the top ones: of function passes, loop passes, ...
llvm::ArrayRef<llvm::PMDataManager *>
managersOf(llvm::PMTopLevelManager &Pipeline);

// Returns the passes of a manager, which may be replaced, and added to.
llvm::SmallVector<llvm::Pass *, 16> &passesOf(llvm::PMDataManager &Manager);

} // namespace ptxpasses
