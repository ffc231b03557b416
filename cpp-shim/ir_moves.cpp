// Moving computations of a block up, in IR: what must move together.
#include "ir_moves.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ptxpasses {

bool canPrecede(Value *V, const Instruction &At, unsigned &Left,
                InstrMoves &Moves,
                function_ref<bool(const Instruction &)> MayMove) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != At.getParent() || isa<PHINode>(I) ||
      I->comesBefore(&At) || is_contained(Moves, I))
    return true;
  if (I == &At || Left == 0 || !MayMove(*I))
    return false;
  --Left;
  if (!all_of(I->operands(), [&](Value *Operand) {
        return canPrecede(Operand, At, Left, Moves, MayMove);
      }))
    return false;
  Moves.push_back(I);
  return true;
}

void moveBefore(const InstrMoves &Moves, Instruction &At) {
  for (Instruction *I : Moves)
    I->moveBefore(*At.getParent(), At.getIterator());
}

} // namespace ptxpasses
