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

bool isReciprocal(const Instruction &Division) {
  auto *One = dyn_cast<ConstantFP>(Division.getOperand(0));
  return One && One->isExactlyValue(1.0);
}

// Whether NVPTX may compute the root approximately, and its reciprocal in one
// instruction.
bool isRoot(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::sqrt:
  case Intrinsic::nvvm_sqrt_f:
  case Intrinsic::nvvm_sqrt_approx_f:
  case Intrinsic::nvvm_sqrt_approx_ftz_f:
    return true;
  default:
    return false;
  }
}

bool isReciprocalOfRoot(const Instruction &I) {
  return I.getOpcode() == Instruction::FDiv && isReciprocal(I) &&
         isRoot(I.getOperand(1));
}

// Whether quotients of it need a general division, or are undefined.
bool isUnusual(const Value *Dividend) {
  auto *Number = dyn_cast<ConstantFP>(Dividend);
  return isa<Constant>(Dividend) &&
         !(Number && Number->getValueAPF().isNormal());
}

// Whether it is a division that NVPTX rounds to nearest: no flag, attribute or
// option allows less. Divisors that are constants have reciprocals already.
bool isExactDivision(const Instruction &I) {
  return I.getOpcode() == Instruction::FDiv && !isReciprocalOfRoot(I) &&
         (I.getType()->isFloatTy() || I.getType()->isDoubleTy()) &&
         !isa<Constant>(I.getOperand(1)) && !isUnusual(I.getOperand(0)) &&
         !I.hasAllowReciprocal() && !I.hasApproxFunc() &&
         !I.getMetadata(LLVMContext::MD_fpmath);
}

using Divisions = SmallPtrSet<const Instruction *, 16>;

// Divisions of a block by one value, in order.
struct SharedDivisor {
  SmallVector<Instruction *, 4> All;
  // Instructions that move before the first one, and those that move after it.
  InstrMoves Moves;
  SmallVector<Instruction *, 4> Sinks;
  // The reciprocal is computed before this instruction.
  Instruction *Before = nullptr;
  unsigned NumReciprocals = 0;
};

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

// Instruction selection sees one block at a time. It makes one instruction of a
// product and a sum, and of a root and its reciprocal, and these round
// otherwise than two. So such pairs must not part where the block will: adds to
// what moves. Returns false if a product would be needed on both sides.
bool keepTogether(SharedDivisor &Shared) {
  Instruction &First = *Shared.All.front();
  const auto IsBefore = [&](const Instruction *I) {
    return I->getParent() == First.getParent() &&
           (isa<PHINode>(I) || I->comesBefore(&First) ||
            is_contained(Shared.Moves, I));
  };
  const auto IsSum = [](const Instruction *I) {
    return I->getOpcode() == Instruction::FAdd ||
           I->getOpcode() == Instruction::FSub;
  };
  for (Instruction &I : *First.getParent()) {
    if (!IsBefore(&I) || !(I.getOpcode() == Instruction::FMul || isRoot(&I)))
      continue;
    bool IsNeeded = false, IsSummed = false;
    for (User *U : I.users()) {
      auto *Reader = cast<Instruction>(U);
      const bool IsFirst = IsBefore(Reader) || is_contained(Shared.All, Reader);
      IsNeeded |= IsFirst;
      IsSummed |=
          !IsFirst && IsSum(Reader) && Reader->getParent() == First.getParent();
      if (!IsFirst && isReciprocalOfRoot(*Reader) &&
          Reader->getParent() == First.getParent())
        Shared.Moves.push_back(Reader);
    }
    if (I.getOpcode() != Instruction::FMul || !IsSummed)
      continue;
    if (IsNeeded)
      return false;
    Shared.Sinks.push_back(&I);
  }
  return true;
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
  // Quotients are right if the dividend's exponent is the first of these or one
  // of those that follow, half of all, and the divisor's is from minus the
  // second up to it. Then all that is computed is normal, the remainder too.
  int LeastDividend, MostDivisor;
};

constexpr FloatFormat Single = {23, 127, Intrinsic::nvvm_rcp_approx_ftz_f, -63,
                                60};
constexpr FloatFormat Double = {20, 1023, Intrinsic::nvvm_rcp_approx_ftz_d,
                                -511, 508};

// Writes the divisions by one divisor.
class Writer {
  const FloatFormat &Format;
  SharedDivisor &Shared;
  Instruction &First;
  Value *Divisor;
  Type *Ty;
  IRBuilder<> B;

  // The upper 32 bits.
  Value *upperHalf(Value *V) {
    if (Ty->isFloatTy())
      return B.CreateBitCast(V, B.getInt32Ty());
    Value *Bits = B.CreateBitCast(V, B.getInt64Ty());
    return B.CreateTrunc(B.CreateLShr(Bits, 32), B.getInt32Ty());
  }
  // A number whose bit 30 says whether an exponent is `Least` or one of those
  // that follow, half of all.
  Value *test(Value *Upper, int Least) {
    const auto Offset = uint32_t(1 - Least);
    return B.CreateAdd(Upper, B.getInt32(Offset << Format.FractionBits));
  }
  Value *dividendTest(Value *V) {
    return test(upperHalf(V), Format.LeastDividend);
  }
  // Two ranges, of which one begins too early and one ends too late.
  Value *divisorTest() {
    Value *Upper = upperHalf(Divisor);
    return B.CreateAnd(test(Upper, -Format.MostDivisor),
                       test(Upper, Format.MostDivisor - Format.Bias));
  }
  // Defined also if a number is not whose quotient nothing needs.
  Value *holds(Value *Tests) {
    Value *Bit = B.CreateAnd(Tests, uint64_t(1) << 30);
    return B.CreateFreeze(B.CreateICmpNE(Bit, B.getInt32(0)));
  }
  Value *isZero(Value *V) {
    return B.CreateFCmpOEQ(V, ConstantFP::get(Ty, 0.0));
  }
  // Whether all quotients are right, or if not asked to be `Strict`, all but
  // those of zeros.
  Value *areRight(bool Strict) {
    Value *All = divisorTest();
    for (const Instruction *Division : Shared.All) {
      Value *Dividend = Division->getOperand(0);
      Value *Test = dividendTest(Dividend);
      if (!Strict && !isa<Constant>(Dividend))
        Test = B.CreateSelect(isZero(Dividend), B.getInt32(-1), Test);
      All = B.CreateAnd(All, Test);
    }
    return holds(All);
  }
  Value *multiplyAdd(Value *X, Value *Y, Value *Z) {
    return B.CreateIntrinsic(Intrinsic::fma, {Ty}, {X, Y, Z});
  }
  // MUFU rounds the upper half of a double; ptxas begins with 1 in the lower
  // one.
  Value *approximation() {
    Value *Y = B.CreateIntrinsic(Format.Reciprocal, {}, {Divisor});
    if (Ty->isFloatTy())
      return Y;
    Value *Bits = B.CreateBitCast(Y, B.getInt64Ty());
    return B.CreateBitCast(B.CreateOr(Bits, uint64_t(1)), Ty);
  }
  // The reciprocal as ptxas computes it.
  Value *reciprocal() {
    Value *One = ConstantFP::get(Ty, 1.0);
    Value *Minus = B.CreateFNeg(Divisor);
    Value *Y = approximation();
    Value *Error = multiplyAdd(Minus, Y, One);
    if (Ty->isDoubleTy()) {
      Error = multiplyAdd(Error, Error, Error);
      Y = multiplyAdd(Y, Error, Y);
      Error = multiplyAdd(Minus, Y, One);
    }
    return multiplyAdd(Y, Error, Y);
  }
  // A quotient as ptxas computes it. That of a zero is the product, which has
  // the right sign.
  Value *quotient(const Instruction &Division, Value *Y, bool MayBeZero) {
    if (isReciprocal(Division))
      return Y;
    Value *Dividend = Division.getOperand(0);
    Value *Product = B.CreateFMul(Dividend, Y);
    Value *Remainder = multiplyAdd(B.CreateFNeg(Divisor), Product, Dividend);
    Value *Result = multiplyAdd(Y, Remainder, Product);
    if (!MayBeZero || isa<Constant>(Dividend))
      return Result;
    return B.CreateSelect(isZero(Dividend), Product, Result);
  }
  // Computes the quotients in a block that goes on to `Tail`. `Y`: the
  // reciprocal, or null if it is computed there.
  SmallVector<Value *, 4> quotientsIn(BasicBlock *BB, BasicBlock *Tail,
                                      Value *Y, bool MayBeZero) {
    B.SetInsertPoint(BB);
    if (!Y)
      Y = reciprocal();
    SmallVector<Value *, 4> All;
    for (const Instruction *Division : Shared.All)
      All.push_back(quotient(*Division, Y, MayBeZero));
    B.CreateBr(Tail);
    return All;
  }

public:
  Writer(const FloatFormat &Format, SharedDivisor &Shared)
      : Format(Format), Shared(Shared), First(*Shared.All.front()),
        Divisor(First.getOperand(1)), Ty(First.getType()), B(&First) {}

  // The block goes on to Fast if all quotients are right. Else it goes to
  // Check, and from there to Zeros or to Slow, which has LLVM's divisions. All
  // go on to Tail.
  void write() {
    Value *Y = nullptr;
    if (Shared.Before != &First) {
      B.SetInsertPoint(Shared.Before);
      Y = reciprocal();
    }
    BasicBlock *Head = First.getParent();
    BasicBlock *Tail = Head->splitBasicBlock(First.getIterator(), "divided");
    const auto NewBlock = [&](const char *Name) {
      return BasicBlock::Create(B.getContext(), Name, Head->getParent(), Tail);
    };
    BasicBlock *Fast = NewBlock("fast"), *Check = NewBlock("check"),
               *Zeros = NewBlock("zeros"), *Slow = NewBlock("slow");
    B.SetInsertPoint(Head->getTerminator());
    B.SetCurrentDebugLocation(First.getDebugLoc());
    B.CreateCondBr(areRight(/*Strict=*/true), Fast, Check,
                   MDBuilder(B.getContext()).createBranchWeights(2000, 1));
    Head->getTerminator()->eraseFromParent();
    const auto OfFast = quotientsIn(Fast, Tail, Y, /*MayBeZero=*/false);
    B.SetInsertPoint(Check);
    B.CreateCondBr(areRight(/*Strict=*/false), Zeros, Slow);
    const auto OfZeros = quotientsIn(Zeros, Tail, Y, /*MayBeZero=*/true);
    B.SetInsertPoint(Slow);
    Instruction *End = B.CreateBr(Tail);
    B.SetInsertPoint(&First);
    for (auto [Division, InFast, InZeros] : zip(Shared.All, OfFast, OfZeros)) {
      PHINode *Phi = B.CreatePHI(Ty, 3);
      Division->replaceAllUsesWith(Phi);
      Phi->addIncoming(InFast, Fast);
      Phi->addIncoming(InZeros, Zeros);
      Phi->addIncoming(Division, Slow);
      Phi->takeName(Division);
    }
    for (Instruction *Division : Shared.All)
      Division->moveBefore(*Slow, End->getIterator());
  }
};

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
      if (!keepTogether(Shared))
        continue;
      Shared.Before = placeOfReciprocal(First, Loops);
      const PtxSharedDivisor Facts = {wrap(&F),
                                      NumDivisions,
                                      Shared.NumReciprocals,
                                      uint32_t(All.size()),
                                      First.getType()->isDoubleTy(),
                                      Shared.Before != &First};
      if (!answerOf(ptx_entry_points.shares_divisor, Facts))
        continue;
      Taken.insert(Shared.All.begin(), Shared.All.end());
      // At once: what moves with one divisor may be needed with another.
      moveBefore(Shared.Moves, First);
      Instruction *Next = First.getNextNode();
      for (Instruction *I : Shared.Sinks)
        I->moveBefore(*First.getParent(), Next->getIterator());
      All.push_back(std::move(Shared));
    }
  }
  // The blocks change only now.
  for (SharedDivisor &Shared : All) {
    const bool IsSingle = Shared.All.front()->getType()->isFloatTy();
    Writer(IsSingle ? Single : Double, Shared).write();
  }
  return !All.empty();
}

} // namespace ptxpasses
