// The mechanism of the stage `unroll`: counts what a loop consists of, asks
// Rust how often it is to be unrolled, has LLVM do it, and cleans up.
//
// It has analyses of its own, which only this pass sees. Those of the pipeline
// are already scheduled when this pass is added, and none of them is alive
// where it runs, between the managers of function passes.
#include "unroll.h"

#include "compat.h"
#include "ir_size.h"
#include "ir_stages.h"
#include "loop_reduce.h"
#include "operand.h"
#include "private_member.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

#include <optional>
#include <string>

using namespace llvm;

namespace ptxpasses {

namespace {

// ---- what a loop consists of ----------------------------------------------

// The statements of a text of inline assembly.
void splitStatements(StringRef Text, SmallVectorImpl<StringRef> &Statements) {
  SplitString(Text, Statements, ";\n");
}

// Whether a name is that of a video instruction, which has a number of parts
// (vadd4) or is scalar (vadd).
bool isVideo(StringRef Name) {
  if (!Name.consume_front("v"))
    return false;
  for (StringRef Operation : {"add", "sub", "absdiff", "min", "max", "set",
                              "avrg", "shl", "shr", "mad"})
    if (StringRef Rest = Name; Rest.consume_front(Operation) &&
                               (Rest.starts_with(".") ||
                                Rest.starts_with("2") || Rest.starts_with("4")))
      return true;
  return false;
}

// Whether an operation on floating point may be an approximation, which is one
// instruction. NVPTX has none in double precision, whatever the flags allow.
bool isApproximate(const Instruction &I) {
  return I.hasApproxFunc() && !I.getType()->getScalarType()->isDoubleTy();
}

// Whether a call is a square root, a division or a reciprocal that is rounded.
bool isRounded(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic())
    return false;
  StringRef Name = Callee->getName();
  if (Name.starts_with("llvm.sqrt."))
    return !isApproximate(Call);
  // In these names rn, rz, rm or rp follows.
  return Name.consume_front("llvm.nvvm.") &&
         (Name == "sqrt.f" || Name.starts_with("sqrt.r") ||
          Name.starts_with("div.r") || Name.starts_with("rcp.r"));
}

// The statement of inline assembly without the guard that it may begin with.
StringRef withoutGuard(StringRef Statement) {
  Statement = Statement.ltrim(" \t\r{");
  if (Statement.starts_with("@"))
    Statement = Statement.substr(Statement.find_first_of(" \t")).ltrim(" \t");
  return Statement;
}

// Whether ptxas makes a sequence of an operation, or of each element if that is
// a vector.
bool isSequence(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return !isa<Constant>(I.getOperand(1));
  case Instruction::FDiv:
    return !isApproximate(I);
  case Instruction::FRem:
    return true;
  default:
    break;
  }
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && isRounded(*Call);
}

// How many sequences ptxas makes of an instruction. They stand for operations
// that no processor has: integer divisions by a variable, precise divisions of
// floats, square roots, and video instructions in inline assembly.
uint32_t numSequences(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->isInlineAsm()) {
    auto *Vector = dyn_cast<FixedVectorType>(I.getType());
    return isSequence(I) ? (Vector ? Vector->getNumElements() : 1) : 0;
  }
  const std::string Text(
      cast<InlineAsm>(Call->getCalledOperand())->getAsmString());
  SmallVector<StringRef, 8> Statements;
  splitStatements(Text, Statements);
  return uint32_t(count_if(Statements, [](StringRef Statement) {
    return isVideo(withoutGuard(Statement));
  }));
}

// Whether an address is a constant away from its base if `Known` are constants.
bool isKnownAddress(const GetElementPtrInst &Address,
                    const SmallPtrSetImpl<const Value *> &Known) {
  return all_of(Address.indices(), [&](const Use &Index) {
    return isa<Constant>(Index) || Known.contains(Index);
  });
}

// Finds the values of a loop that become constants when it is unrolled wholly,
// and the addresses that become a constant away from their base. They depend
// only on constants and on induction variables with constant start and step.
void findKnown(Loop &L, ScalarEvolution &SE, LoopInfo &LI,
               SmallPtrSetImpl<const Value *> &Known) {
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!SE.isSCEVable(Phi.getType()))
      continue;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (Rec && Rec->getLoop() == &L && Rec->isAffine() &&
        isa<SCEVConstant>(Rec->getStart()) &&
        isa<SCEVConstant>(Rec->getStepRecurrence(SE)))
      Known.insert(&Phi);
  }
  LoopBlocksRPO Blocks(&L);
  Blocks.perform(&LI);
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB) {
      if (isa<PHINode>(I) || I.mayReadOrWriteMemory())
        continue;
      auto IsKnown = [&](const Value *V) {
        return isa<Constant, BasicBlock>(V) || Known.contains(V);
      };
      bool BecomesConstant = false;
      if (auto *Address = dyn_cast<GetElementPtrInst>(&I))
        BecomesConstant = isKnownAddress(*Address, Known);
      else if (I.isTerminator())
        BecomesConstant =
            I.getNumSuccessors() > 1 && all_of(I.operands(), IsKnown);
      else
        BecomesConstant =
            isa<BinaryOperator, CastInst, CmpInst, SelectInst>(I) &&
            all_of(I.operands(), IsKnown);
      if (BecomesConstant)
        Known.insert(&I);
    }
}

// The length of the longest chain of PHIs in which each takes the value that
// the next one had; 0: no chain has two or more.
uint32_t rotation(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch)
    return 0;
  uint32_t Longest = 0;
  for (const PHINode &Phi : L.getHeader()->phis()) {
    SmallPtrSet<const PHINode *, 8> Seen;
    uint32_t Length = 0;
    for (auto *At = &Phi; At && Seen.insert(At).second; ++Length) {
      auto *Next = dyn_cast<PHINode>(At->getIncomingValueForBlock(Latch));
      At = Next && Next->getParent() == L.getHeader() ? Next : nullptr;
    }
    Longest = std::max(Longest, Length);
  }
  return Longest > 1 ? Longest : 0;
}

// How many 32-bit registers an iteration hands to the next one.
uint32_t numCarried(const Loop &L) {
  uint64_t Bits = 0;
  const DataLayout &Layout = L.getHeader()->getModule()->getDataLayout();
  for (const PHINode &Phi : L.getHeader()->phis())
    Bits +=
        alignTo(Layout.getTypeSizeInBits(Phi.getType()).getKnownMinValue(), 32);
  return uint32_t(Bits / 32);
}

// The number that a loop's metadata gives; 0: none.
uint32_t hint(const Loop &L, StringRef Name) {
  const MDNode *Option = findOptionMDForLoop(&L, Name);
  if (!Option || Option->getNumOperands() != 2)
    return 0;
  auto *Number = mdconst::dyn_extract<ConstantInt>(Option->getOperand(1));
  return Number ? uint32_t(Number->getLimitedValue(UINT32_MAX)) : 0;
}

PtxUnrollWish wishFor(const Loop &L) {
  MDNode *ID = L.getLoopID();
  auto Says = [&](StringRef Name) {
    return ID && findOptionMDForLoopID(ID, Name);
  };
  if (Says("llvm.loop.unroll.disable") ||
      Says("llvm.loop.unroll.runtime.disable"))
    return PTX_UNROLL_DISABLED;
  if (Says("llvm.loop.unroll.full"))
    return PTX_UNROLL_WHOLE;
  if (hint(L, "llvm.loop.unroll.count"))
    return PTX_UNROLL_COUNT;
  if (Says("llvm.loop.unroll.enable"))
    return PTX_UNROLL_ENABLED;
  if (Says("llvm.loop.disable_nonforced"))
    return PTX_UNROLL_DISABLED;
  return PTX_UNROLL_NO_WISH;
}

// The size of a function.
struct Size {
  uint32_t Instrs = 0;
  uint32_t Sequences = 0;
};

Size sizeOf(const Function &F) {
  Size Whole;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (isCode(I)) {
        ++Whole.Instrs;
        Whole.Sequences += numSequences(I);
      }
  return Whole;
}

// The part of a text outside of braces. `None` if a brace is not closed.
std::optional<std::string> outsideOfBraces(StringRef Text) {
  std::string Outside;
  unsigned Depth = 0;
  for (char C : Text) {
    if (C == '{')
      ++Depth;
    else if (C == '}' && Depth > 0) {
      if (--Depth == 0)
        Outside += ';';
    } else if (Depth == 0)
      Outside += C;
  }
  return Depth == 0 ? std::optional(Outside) : std::nullopt;
}

// Whether inline assembly may occur twice in a function: all its labels and
// declarations are in braces.
bool canBeRepeated(const CallBase &Call) {
  auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Assembly)
    return true;
  const std::string Text(Assembly->getAsmString());
  std::optional<std::string> Outside = outsideOfBraces(Text);
  if (!Outside)
    return false;
  for (size_t At; (At = Outside->find("::")) != std::string::npos;)
    Outside->erase(At, 2);
  SmallVector<StringRef, 8> Statements;
  splitStatements(*Outside, Statements);
  return none_of(Statements, [](StringRef Statement) {
    return Statement.contains(':') || Statement.ltrim().starts_with(".");
  });
}

// Whether LLVM can copy a loop, and its copies mean the same.
bool canBeCopied(const Loop &L) {
  if (!L.isSafeToClone())
    return false;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (I.getType()->isTokenTy() && I.isUsedOutsideOfBlock(BB))
        return false;
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call &&
          (Call->getOperandBundle("convergencectrl") || !canBeRepeated(*Call)))
        return false;
    }
  return true;
}

// The most iterations of a loop, by its exits that have a known count; 0: none
// has one. The loop is unrolled wholly by that number, whatever other exits do.
uint32_t tripCount(const Loop &L, ScalarEvolution &SE) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  uint32_t Least = 0;
  for (const BasicBlock *BB : Exiting)
    if (uint32_t Count = SE.getSmallConstantTripCount(&L, BB))
      Least = Least ? std::min(Least, Count) : Count;
  return Least;
}

// A divisor of a loop's number of iterations. `Count` is its tripCount.
uint32_t tripMultiple(const Loop &L, ScalarEvolution &SE, uint32_t Count) {
  const BasicBlock *Exiting = L.getExitingBlock();
  if (Count || !Exiting)
    return std::max(Count, 1u);
  return SE.getSmallConstantTripMultiple(&L, Exiting);
}

// Finds the local variables that become registers if all loops with a known
// number of iterations are unrolled wholly.
class LocalVariables {
  using Values = SmallPtrSet<const Value *, 32>;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DenseMap<const Loop *, Values> KnownIn;
  Values Found;

  bool isKnown(const GetElementPtrInst &Address) {
    if (Address.hasAllConstantIndices())
      return true;
    Loop *L = LI.getLoopFor(Address.getParent());
    if (!L || !L->isInnermost() || !tripCount(*L, SE))
      return false;
    auto [At, IsNew] = KnownIn.try_emplace(L);
    if (IsNew)
      findKnown(*L, SE, LI, At->second);
    return At->second.contains(&Address);
  }
  bool becomesRegisters(const Value &Address) {
    return all_of(Address.users(), [&](const User *Reader) {
      if (auto *Gep = dyn_cast<GetElementPtrInst>(Reader))
        return isKnown(*Gep) && becomesRegisters(*Gep);
      if (auto *Store = dyn_cast<StoreInst>(Reader))
        return Store->getPointerOperand() == &Address && Store->isSimple();
      if (auto *Load = dyn_cast<LoadInst>(Reader))
        return Load->isSimple();
      if (isa<AddrSpaceCastInst, BitCastInst>(Reader))
        return becomesRegisters(*Reader);
      auto *Call = dyn_cast<IntrinsicInst>(Reader);
      return Call && (Call->isLifetimeStartOrEnd() || isa<MemIntrinsic>(Call));
    });
  }

public:
  LocalVariables(const Function &F, LoopInfo &LI, ScalarEvolution &SE)
      : LI(LI), SE(SE) {
    for (const Instruction &I : F.getEntryBlock())
      if (isa<AllocaInst>(I) && becomesRegisters(I))
        Found.insert(&I);
  }
  bool contains(const Value *Variable) const {
    return Found.contains(Variable);
  }
};

PtxUnrollLoop factsOf(Loop &L, ScalarEvolution &SE, LoopInfo &LI,
                      const LocalVariables &Locals, Size FunctionSize) {
  PtxUnrollLoop Facts = {};
  Function &F = *L.getHeader()->getParent();
  Facts.function = wrap(&F);
  Facts.function_instrs = FunctionSize.Instrs;
  Facts.function_sequences = FunctionSize.Sequences;
  Facts.trip_count = tripCount(L, SE);
  Facts.most_iterations = SE.getSmallConstantMaxTripCount(&L);
  Facts.trip_multiple = tripMultiple(L, SE, Facts.trip_count);
  Facts.wish = wishFor(L);
  Facts.wished_count = hint(L, "llvm.loop.unroll.count");
  Facts.num_blocks = L.getNumBlocks();
  Facts.num_carried = numCarried(L);
  Facts.rotation = rotation(L);
  Facts.is_simple = L.isInnermost();
  Facts.can_be_copied = canBeCopied(L);
  // Nothing becomes a constant in a loop that is not unrolled wholly.
  SmallPtrSet<const Value *, 32> Known;
  if (Facts.trip_count)
    findKnown(L, SE, LI, Known);
  SmallPtrSet<const AllocaInst *, 4> Variables;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (!isCode(I))
        continue;
      ++Facts.num_instrs;
      Facts.num_known += Known.contains(&I);
      Facts.num_sequences += numSequences(I);
      if (const Value *Address = getLoadStorePointerOperand(&I)) {
        auto *Gep = dyn_cast<GetElementPtrInst>(Address);
        if (Gep && !Gep->hasAllConstantIndices())
          if (auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Gep)))
            if (Locals.contains(Variable))
              Variables.insert(Variable);
      } else if (auto *Call = dyn_cast<CallBase>(&I)) {
        Facts.is_convergent |= Call->isConvergent();
        Facts.is_simple &= Call->isInlineAsm() || isa<IntrinsicInst>(I);
      }
    }
  for (const AllocaInst *Variable : Variables)
    if (auto Size = Variable->getAllocationSize(F.getParent()->getDataLayout()))
      Facts.local_bytes +=
          uint32_t(std::min<uint64_t>(Size->getKnownMinValue(), 1u << 20));
  return Facts;
}

// ---- what unrolling has made invariant ------------------------------------

// The longest chain of definitions that is followed.
constexpr unsigned MaxDepth = 8;
// Finds the values of a kernel that all threads of a block have in common. A
// wrong answer costs registers, and nothing else.
class Uniform {
  bool OfLoads;

public:
  explicit Uniform(bool OfLoads) : OfLoads(OfLoads) {}

  bool operator()(const Value *V, unsigned Depth = 0) const {
    if (isa<Constant, Argument>(V))
      return true;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth == MaxDepth)
      return false;
    if (auto *Call = dyn_cast<IntrinsicInst>(I)) {
      StringRef Name = Call->getCalledFunction()->getName();
      return Name.consume_front("llvm.nvvm.read.ptx.sreg.") &&
             (Name.starts_with("ctaid") || Name.starts_with("nctaid") ||
              Name.starts_with("ntid"));
    }
    return (isa<BinaryOperator, CastInst, GetElementPtrInst>(I) ||
            (OfLoads && isa<LoadInst>(I))) &&
           all_of(I->operands(),
                  [&](const Use &Read) { return (*this)(Read, Depth + 1); });
  }
};

// Whether a value fits in a uniform register, and its computation is one
// instruction. Floats have none before sm_100.
bool isOneRegister(const Instruction &I) {
  auto *T = dyn_cast<IntegerType>(I.getType());
  return isa<BinaryOperator>(I) && T && T->getBitWidth() > 1 &&
         T->getBitWidth() <= 32;
}

// Moves out of a loop what each iteration computes, though it is uniform and
// the same in all of them. LLVM's passes that do so ran before this one, and
// those on machine code take NVPTX to have five registers. `Left` is how many
// values may still move.
void hoistInvariants(Loop &L, LoopInfo &LI, const DominatorTree &DT,
                     const Uniform &IsUniform, size_t &Left) {
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.getLoopPreheader())
    return;
  LoopBlocksRPO Order(&L);
  Order.perform(&LI);
  SmallSetVector<Instruction *, 32> Found;
  auto IsInvariant = [&](const Use &Read) {
    auto *I = dyn_cast<Instruction>(Read);
    return (I && Found.contains(I)) || L.isLoopInvariant(Read);
  };
  for (BasicBlock *BB : Order) {
    if (!DT.dominates(BB, Latch))
      continue;
    for (Instruction &I : *BB)
      if (Found.size() < Left && isOneRegister(I) &&
          isSafeToSpeculativelyExecute(&I) &&
          all_of(I.operands(), IsInvariant) && IsUniform(&I))
        Found.insert(&I);
  }
  Left -= Found.size();
  bool Changed = false;
  for (Instruction *I : Found)
    L.makeLoopInvariant(I, Changed);
}

// ---- the pass -------------------------------------------------------------

PtxUnrolled resultOf(LoopUnrollResult Result) {
  switch (Result) {
  case LoopUnrollResult::Unmodified:
    return PTX_UNROLLED_NOT;
  case LoopUnrollResult::PartiallyUnrolled:
    return PTX_UNROLLED_PARTLY;
  case LoopUnrollResult::FullyUnrolled:
    return PTX_UNROLLED_WHOLLY;
  }
  report_fatal_error("ptxpasses: unknown result of unrolling");
}

class Unroller {
  const TargetMachine &TM;

  void registerAnalyses(FunctionAnalysisManager &FAM) {
    TargetLibraryInfoImpl Libraries(TM.getTargetTriple());
    FAM.registerPass([] { return PassInstrumentationAnalysis(); });
    FAM.registerPass([=] { return TargetLibraryAnalysis(Libraries); });
    FAM.registerPass([this] { return TM.getTargetIRAnalysis(); });
    FAM.registerPass([] { return AssumptionAnalysis(); });
    FAM.registerPass([] { return DominatorTreeAnalysis(); });
    FAM.registerPass([] { return LoopAnalysis(); });
    FAM.registerPass([] { return ScalarEvolutionAnalysis(); });
    FAM.registerPass([] { return BasicAA(); });
    FAM.registerPass([] { return ScopedNoAliasAA(); });
    FAM.registerPass([] { return TypeBasedAA(); });
    FAM.registerPass([] {
      AAManager Aliases;
      Aliases.registerFunctionAnalysis<BasicAA>();
      Aliases.registerFunctionAnalysis<ScopedNoAliasAA>();
      Aliases.registerFunctionAnalysis<TypeBasedAA>();
      return Aliases;
    });
  }

  // Whether anything was unrolled.
  bool unrollLoops(Function &F, FunctionAnalysisManager &FAM,
                   Size FunctionSize) {
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    if (LI.empty())
      return false;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &AC = FAM.getResult<AssumptionAnalysis>(F);
    auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
    OptimizationRemarkEmitter Remarks(&F);
    LocalVariables Locals(F, LI, SE);
    bool Changed = false;
    // Inner loops come first. Copies of loops are not looked at again.
    SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
    for (Loop *L : reverse(Loops)) {
      PtxUnrollLoop Facts = factsOf(*L, SE, LI, Locals, FunctionSize);
      const PtxUnroll Choice = answerOf(ptx_entry_points.unroll, Facts);
      PtxUnrolled Result = PTX_UNROLLED_NOT;
      if (Choice.count > 1) {
        // LLVM wants all loops around it in this form too.
        Loop *Nest = L->getOutermostLoop();
        simplifyLoop(Nest, &DT, &LI, &SE, &AC, nullptr,
                     /*PreserveLCSSA=*/false);
        formLCSSARecursively(*Nest, DT, &LI, &SE);
        UnrollLoopOptions Options = {};
        Options.Count = Choice.count;
        // A division before the loop costs less than exits in all copies.
        Options.AllowExpensiveTripCount = true;
        // But such exits are better than no unrolling.
        Options.Force = true;
        Options.Runtime = Choice.remainder;
        setExpansionBudget(Options, SCEVCheapExpansionBudget);
        Result = resultOf(UnrollLoop(L, Options, &LI, &SE, &DT, &AC, &TTI,
                                     &Remarks, /*PreserveLCSSA=*/true));
        Changed = true;
      }
      if (Choice.last && Result == PTX_UNROLLED_PARTLY)
        L->setLoopAlreadyUnrolled();
      if (Result != PTX_UNROLLED_NOT)
        FunctionSize = sizeOf(F);
      ptx_entry_points.unrolled(Result);
    }
    return Changed;
  }

  // Turns local variables into registers. Drops computations that repeat an
  // earlier one, moves what is invariant out of loops, and drops blocks that
  // nothing reaches.
  void cleanUp(Function &F, FunctionAnalysisManager &FAM) {
    FAM.invalidate(F, PreservedAnalyses::none());
    FAM.invalidate(F, SROAPass(SROAOptions::PreserveCFG).run(F, FAM));
    FAM.invalidate(F, EarlyCSEPass().run(F, FAM));
    PtxMoves Moves = {};
    PtxStr Error = {};
    if (!ptx_entry_points.moves(wrap(&F), str(TM.getSubtargetImpl(F)->getCPU()),
                                &Moves, &Error))
      report_fatal_error(ref(Error), /*gen_crash_diag=*/false);
    if (Moves.most) {
      auto &LI = FAM.getResult<LoopAnalysis>(F);
      auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
      const Uniform IsUniform(Moves.loads);
      size_t Left = Moves.most;
      // Outer loops come first, so that what leaves them counts once.
      for (Loop *L : LI.getLoopsInPreorder())
        hoistInvariants(*L, LI, DT, IsUniform, Left);
    }
    FAM.invalidate(F, SimplifyCFGPass().run(F, FAM));
  }

public:
  explicit Unroller(const TargetMachine &TM) : TM(TM) {}

  bool run(Module &M) {
    FunctionAnalysisManager FAM;
    registerAnalyses(FAM);
    return runOnFunctions(M, PTX_IR_UNROLL, [&](Function &F) {
      const bool Changed = unrollLoops(F, FAM, sizeOf(F));
      if (Changed)
        cleanUp(F, FAM);
      FAM.clear(F, F.getName());
      return Changed;
    });
  }
};

} // namespace

bool unrollLoops(Module &M, const TargetMachine &TM) {
  return Unroller(TM).run(M);
}

} // namespace ptxpasses
