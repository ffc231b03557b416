// Moving computations of a block up, in IR.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace ptxpasses {

// The most instructions that move with one.
constexpr unsigned MaxMoves = 8;

// Instructions that move together, operands first.
using InstrMoves = llvm::SmallVector<llvm::Instruction *, MaxMoves>;

// Collects the instructions that must move so that `V` is computed before `At`.
// Returns false if one may not, depends on `At`, or if they are more than
// `Left`.
bool canPrecede(llvm::Value *V, const llvm::Instruction &At, unsigned &Left,
                InstrMoves &Moves,
                llvm::function_ref<bool(const llvm::Instruction &)> MayMove);

// Moves them before `At`, in order.
void moveBefore(const InstrMoves &Moves, llvm::Instruction &At);

} // namespace ptxpasses
