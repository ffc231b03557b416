// The mechanism of the stage `restrict`: asks Rust about each pointer that is a
// parameter, and marks those that Rust chooses.
#include "restrict.h"

#include "ir_stages.h"
#include "operand.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace ptxpasses {

bool promiseRestrict(Function &F) {
  bool Changed = false;
  for (Argument &A : F.args()) {
    if (!A.getType()->isPointerTy())
      continue;
    const PtxParameter Facts = {wrap(&F), A.hasByValAttr(), A.hasNoAliasAttr()};
    if (!answerOf(ptx_entry_points.promises_restrict, Facts))
      continue;
    A.addAttr(Attribute::NoAlias);
    Changed = true;
  }
  return Changed;
}

} // namespace ptxpasses
