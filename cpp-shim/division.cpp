// The mechanism of the stage `divisions`: finds the divisions of a block that
// share a divisor, asks Rust which of them are to share its reciprocal, and
// writes these.
#include "division.h"

#include "compat.h"
#include "ir_moves.h"
#include "ir_stages.h"
#include "operand.h"
#include "options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace ptxpasses {

namespace {

// How far the search for divisions goes, in instructions.
constexpr unsigned MaxSearch = 128;

// Whether it is a division that NVPTX rounds to nearest: no flag, attribute or
// option allows less. Divisors that are constants have reciprocals already.
bool isExactDivision(const Instruction &I) {
  return I.getOpcode() == Instruction::FDiv &&
         (I.getType()->isFloatTy() || I.getType()->isDoubleTy()) &&
         !isa<Constant>(I.getOperand(1)) && !I.hasAllowReciprocal() &&
         !I.hasApproxFunc() && !I.getMetadata(LLVMContext::MD_fpmath);
}

using Divisions = SmallPtrSet<const Instruction *, 16>;

// Divisions of a block by one value, in order.
struct SharedDivisor {
  SmallVector<Instruction *, 4> All;
  // What has to move before the first one.
  InstrMoves Moves;
  // The reciprocal is computed before this instruction.
  Instruction *Before = nullptr;
  unsigned NumReciprocals = 0;
};

bool isReciprocal(const Instruction &Division) {
  auto *One = dyn_cast<ConstantFP>(Division.getOperand(0));
  return One && One->isExactlyValue(1.0);
}

// Collects the divisions by the divisor of `First` that can be computed where
// it is.
SharedDivisor divisionsWith(Instruction &First, const Divisions &Taken) {
  SharedDivisor Found;
  bool IsMemoryWritten = false;
  // Loads that no write stands before.
  SmallPtrSet<const Instruction *, 16> Loads;
  const auto MayMove = [&](const Instruction &I) {
    return Loads.contains(&I) ||
           (I.getOpcode() != Instruction::FDiv && !I.mayReadOrWriteMemory() &&
            isSafeToSpeculativelyExecute(&I));
  };
  unsigned Distance = 0;
  for (Instruction *I = &First; I && Distance < MaxSearch;
       I = I->getNextNode()) {
    if (isa<DbgInfoIntrinsic>(I))
      continue; // Code is the same with it and without.
    ++Distance;
    // What follows may not be reached.
    if (!isGuaranteedToTransferExecutionToSuccessor(I))
      break;
    IsMemoryWritten |= I->mayWriteToMemory();
    if (auto *Load = dyn_cast<LoadInst>(I))
      if (Load->isSimple() && !IsMemoryWritten)
        Loads.insert(Load);
    if (!isExactDivision(*I) || Taken.contains(I) ||
        I->getOperand(1) != First.getOperand(1))
      continue;
    InstrMoves Moves = Found.Moves;
    unsigned Left = MaxMoves;
    if (I != &First &&
        !canPrecede(I->getOperand(0), First, Left, Moves, MayMove))
      continue;
    Found.Moves = std::move(Moves);
    Found.All.push_back(I);
    Found.NumReciprocals += isReciprocal(*I);
  }
  return Found;
}

// The place of the divisor's reciprocal: before the innermost loop if the loop
// does not change the divisor, else before the first division.
Instruction *placeOfReciprocal(Instruction &First, const LoopInfo &Loops) {
  const Loop *Innermost = Loops.getLoopFor(First.getParent());
  BasicBlock *Preheader = Innermost ? Innermost->getLoopPreheader() : nullptr;
  if (!Preheader || !Innermost->isLoopInvariant(First.getOperand(1)))
    return &First;
  return Preheader->getTerminator();
}

// A format: its upper 32 bits have the exponent, whose top bit is bit 30.
struct FloatFormat {
  unsigned FractionBits; // of the upper 32 bits
  int Bias;
  Intrinsic::ID Reciprocal;
  // The least exponents of a divisor and of a quotient for which the quotient
  // is right: the remainder and all that is computed is then normal.
  int LeastDivisor, LeastQuotient;
};

constexpr FloatFormat Single = {23, 127, Intrinsic::nvvm_rcp_approx_ftz_f, -35,
                                -44};
constexpr FloatFormat Double = {20, 1023, Intrinsic::nvvm_rcp_approx_ftz_d,
                                -411, -500};

// Writes the divisions by one divisor.
class Writer {
  const FloatFormat &Format;
  Type *Ty;
  IRBuilder<> B;

  Value *multiplyAdd(Value *X, Value *Y, Value *Z) {
    return B.CreateIntrinsic(Intrinsic::fma, {Ty}, {X, Y, Z});
  }
  Value *upperHalf(Value *V) {
    if (Ty->isFloatTy())
      return B.CreateBitCast(V, B.getInt32Ty());
    Value *Bits = B.CreateBitCast(V, B.getInt64Ty());
    return B.CreateTrunc(B.CreateLShr(Bits, 32), B.getInt32Ty());
  }
  // A number whose bit 30 says whether the exponent of `V` is one of those from
  // `Least` on, half of all.
  Value *test(Value *V, int Least) {
    const int Half = Format.Bias + 1;
    const auto Offset = uint32_t(Half - (Format.Bias + Least));
    return B.CreateAdd(upperHalf(V), B.getInt32(Offset << Format.FractionBits));
  }
  // MUFU rounds the upper half of a double; ptxas begins with 1 in the lower
  // one.
  Value *approximation(Value *Divisor) {
    Value *Y = B.CreateIntrinsic(Format.Reciprocal, {}, {Divisor});
    if (Ty->isFloatTy())
      return Y;
    Value *Bits = B.CreateBitCast(Y, B.getInt64Ty());
    return B.CreateBitCast(B.CreateOr(Bits, uint64_t(1)), Ty);
  }

  // What a division gives.
  struct Quotient {
    Value *Result;
    Value *Test = nullptr; // null: the divisor's test suffices
    // What is divided, and its product with the reciprocal, which is the result
    // for a zero and has its sign.
    Value *Dividend = nullptr, *Product = nullptr;

    bool mayBeZero() const { return Dividend && !isa<Constant>(Dividend); }
  };
  Quotient quotient(Instruction &Division, Value *Minus, Value *Y) {
    if (isReciprocal(Division))
      return {Y};
    Value *A = Division.getOperand(0);
    Value *Product = B.CreateFMul(A, Y);
    Value *Remainder = multiplyAdd(Minus, Product, A);
    Value *Result = multiplyAdd(Y, Remainder, Product);
    return {Result, test(Result, Format.LeastQuotient), A, Product};
  }
  // The same, and also right if a zero is divided.
  Quotient orZero(const Quotient &Q) {
    if (!Q.mayBeZero())
      return Q;
    Value *IsZero = B.CreateFCmpOEQ(Q.Dividend, ConstantFP::get(Ty, 0.0));
    return {B.CreateSelect(IsZero, Q.Product, Q.Result),
            B.CreateSelect(IsZero, B.getInt32(-1), Q.Test)};
  }
  Value *allHold(Value *DivisorTest, ArrayRef<Quotient> Quotients) {
    Value *All = DivisorTest;
    for (const Quotient &Q : Quotients)
      if (Q.Test)
        All = B.CreateAnd(All, Q.Test);
    Value *Bit = B.CreateAnd(All, uint64_t(1) << 30);
    return B.CreateICmpNE(Bit, B.getInt32(0));
  }
  // The reciprocal as ptxas computes it, and the divisor's test.
  std::pair<Value *, Value *> reciprocal(Value *Divisor, Instruction &Before);

public:
  Writer(const FloatFormat &Format, Instruction &First)
      : Format(Format), Ty(First.getType()), B(&First) {}

  void write(SharedDivisor &Shared);
};

std::pair<Value *, Value *> Writer::reciprocal(Value *Divisor,
                                               Instruction &Before) {
  B.SetInsertPoint(&Before);
  Value *One = ConstantFP::get(Ty, 1.0);
  Value *Minus = B.CreateFNeg(Divisor);
  Value *Y = approximation(Divisor);
  Value *Error = multiplyAdd(Minus, Y, One);
  if (Ty->isDoubleTy()) {
    Error = multiplyAdd(Error, Error, Error);
    Y = multiplyAdd(Y, Error, Y);
    Error = multiplyAdd(Minus, Y, One);
  }
  return {multiplyAdd(Y, Error, Y), test(Divisor, Format.LeastDivisor)};
}

void Writer::write(SharedDivisor &Shared) {
  Instruction &First = *Shared.All.front();
  moveBefore(Shared.Moves, First);
  const auto [Y, DivisorTest] = reciprocal(First.getOperand(1), *Shared.Before);
  B.SetInsertPoint(&First);
  Value *Minus = B.CreateFNeg(First.getOperand(1));
  SmallVector<Quotient, 4> Quotients;
  for (Instruction *Division : Shared.All)
    Quotients.push_back(quotient(*Division, Minus, Y));
  Value *AreRight = allHold(DivisorTest, Quotients);

  // Head goes on to Tail if all quotients are right. Else it goes to Zeros,
  // which goes on to Tail if the others are those of zeros, and to Slow if not.
  BasicBlock *Head = First.getParent();
  Function *F = Head->getParent();
  BasicBlock *Tail = Head->splitBasicBlock(First.getIterator(), "quotients");
  const auto NewBlock = [&](const char *Name) {
    return BasicBlock::Create(F->getContext(), Name, F, Tail);
  };
  BasicBlock *Zeros =
      any_of(Quotients, [](const Quotient &Q) { return Q.mayBeZero(); })
          ? NewBlock("zeros")
          : nullptr;
  BasicBlock *Slow = NewBlock("divide");
  MDNode *Likely = MDBuilder(F->getContext()).createBranchWeights(2000, 1);
  Head->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Head);
  B.CreateCondBr(AreRight, Tail, Zeros ? Zeros : Slow, Likely);
  SmallVector<Quotient, 4> OrZeros = Quotients;
  if (Zeros) {
    B.SetInsertPoint(Zeros);
    for (Quotient &Q : OrZeros)
      Q = orZero(Q);
    B.CreateCondBr(allHold(DivisorTest, OrZeros), Tail, Slow);
  }
  B.SetInsertPoint(Slow);
  Instruction *End = B.CreateBr(Tail);
  B.SetInsertPoint(&First);
  for (auto [Division, Q, OrZero] : zip(Shared.All, Quotients, OrZeros)) {
    PHINode *Phi = B.CreatePHI(Ty, 3);
    Division->replaceAllUsesWith(Phi);
    Phi->addIncoming(Q.Result, Head);
    if (Zeros)
      Phi->addIncoming(OrZero.Result, Zeros);
    Phi->addIncoming(Division, Slow);
    Phi->takeName(Division);
  }
  for (Instruction *Division : Shared.All)
    Division->moveBefore(*Slow, End->getIterator());
}

} // namespace

bool shareDivisors(Function &F) {
  // Where less than a full division is asked for, NVPTX has shorter code.
  if (isGiven("nvptx-prec-divf32") ||
      F.getFnAttribute("unsafe-fp-math").getValueAsBool() ||
      none_of(instructions(F), isExactDivision))
    return false;
  const DominatorTree DT(F);
  const LoopInfo Loops(DT);
  SmallVector<SharedDivisor, 8> All;
  Divisions Taken;
  for (BasicBlock &BB : F) {
    // Where nothing runs, a value may be its own operand.
    if (!DT.isReachableFromEntry(&BB))
      continue;
    for (Instruction &First : BB) {
      if (!isExactDivision(First) || Taken.contains(&First))
        continue;
      SharedDivisor Shared = divisionsWith(First, Taken);
      const auto NumDivisions = uint32_t(Shared.All.size());
      Shared.Before = placeOfReciprocal(First, Loops);
      const PtxSharedDivisor Facts = {
          wrap(&F), NumDivisions, Shared.NumReciprocals,
          First.getType()->isDoubleTy(), Shared.Before != &First};
      if (!answerOf(ptx_entry_points.shares_divisor, Facts))
        continue;
      Taken.insert(Shared.All.begin(), Shared.All.end());
      All.push_back(std::move(Shared));
    }
  }
  // The blocks change only now.
  for (SharedDivisor &Shared : All) {
    Instruction &First = *Shared.All.front();
    Writer(First.getType()->isFloatTy() ? Single : Double, First).write(Shared);
  }
  return !All.empty();
}

} // namespace ptxpasses
