// The mechanism of the stage `loop-branches`: finds the branches at the ends of
// loops, asks Rust which of them are to be turned, and turns these.
#include "loop_branch.h"

#include "compat.h"
#include "ir_stages.h"
#include "operand.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ptxpasses {

namespace {

constexpr StringLiteral DisablesUnrolling = "llvm.loop.unroll.disable";

PtxLoopTarget targetOf(const BasicBlock *To, const Loop &L) {
  if (To == L.getHeader())
    return PTX_LOOP_HEADER;
  return L.contains(To) ? PTX_LOOP_INSIDE : PTX_LOOP_EXIT;
}

// Gives a branch the inverse condition. A debugger still finds the old one,
// which becomes an expression of its operands.
template <typename T> void turn(T &Branch, ICmpInst &Compare) {
  Value *Inverse = IRBuilder<>(&Compare).CreateICmp(
      Compare.getInversePredicate(), Compare.getOperand(0),
      Compare.getOperand(1));
  Branch.setCondition(Inverse);
  Branch.swapSuccessors();
  salvageDebugInfo(Compare);
  Compare.eraseFromParent();
}

// Turns the branch at the end of a latch if Rust wants that.
bool turnIfWanted(const Loop &L, BasicBlock &Latch) {
  auto *Branch = conditionalBranch(*Latch.getTerminator());
  if (!Branch)
    return false;
  auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  const PtxLoopBranch Facts = {wrap(Latch.getParent()),
                               targetOf(Branch->getSuccessor(0), L),
                               targetOf(Branch->getSuccessor(1), L),
                               Compare != nullptr,
                               !Branch->getCondition()->hasOneUse(),
                               L.getNumBlocks(),
                               findOptionMDForLoop(&L, DisablesUnrolling) !=
                                   nullptr};
  if (!answerOf(ptx_entry_points.turns_branch, Facts))
    return false;
  if (!Compare)
    report_fatal_error("ptxpasses: only integer comparisons are inverted");
  turn(*Branch, *Compare);
  return true;
}

} // namespace

bool turnLoopBranches(Function &F) {
  const DominatorTree DT(F);
  const LoopInfo LI(DT);
  bool Changed = false;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (BasicBlock *Latch = L->getLoopLatch())
      Changed |= turnIfWanted(*L, *Latch);
  return Changed;
}

} // namespace ptxpasses
