// The stages that work on IR, before the passes that simplify addresses.
#pragma once

#include "ptxpasses.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

namespace llvm {
class Function;
class Module;
class PMTopLevelManager;
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// A stage on IR.
struct IrStage {
  PtxIrStage Which;
  llvm::StringLiteral Name;
  llvm::StringLiteral Title; // what LLVM prints
  char *ID;
  // Returns whether it has changed anything.
  bool (*run)(llvm::Module &M, const llvm::TargetMachine &TM);
};

// Runs a stage on the functions that have a body and are to be optimised, and
// reports each to Rust. Returns whether `Run` has changed any.
bool runOnFunctions(llvm::Module &M, PtxIrStage Stage,
                    llvm::function_ref<bool(llvm::Function &)> Run);

// Asks Rust about what a stage has found. A failure there ends the process with
// its message.
template <typename FactsT, typename AnswerT>
AnswerT answerOf(bool (*Ask)(const FactsT *, AnswerT *, PtxStr *),
                 const FactsT &Facts) {
  AnswerT Answer = {};
  PtxStr Error = {};
  if (!Ask(&Facts, &Answer, &Error))
    llvm::report_fatal_error(llvm::StringRef(Error.data, Error.len),
                             /*gen_crash_diag=*/false);
  return Answer;
}

// The stages that run for such a target, in order.
llvm::SmallVector<const IrStage *, 6> irStagesOf(const llvm::TargetMachine &TM);

// Adds their passes to a pipeline that is being made, before the manager of the
// function passes that LLVM simplifies a kernel's addresses with.  Does nothing
// if the pipeline has none (-O0), and adds no pass twice.
void addIrStages(llvm::PMTopLevelManager &Pipeline,
                 const llvm::TargetMachine &TM);

} // namespace ptxpasses
