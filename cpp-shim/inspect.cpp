// Reads instructions, blocks, loops, dominators and live intervals for passes
// outside this project, in addition to our own passes' reads, and inserts
// instructions.
#include "checked.h"
#include "compat.h"

#include "llvm/IR/DebugInfoMetadata.h"

#include <cstring>

using namespace llvm;
using namespace ptxpasses;

namespace {

PtxMemoryAccess accessOf(const MachineMemOperand &MMO) {
  PtxMemoryAccess A = {UINT64_MAX, MMO.getAlign().value(), MMO.getAddrSpace(),
                       0};
  const LLT Type = MMO.getMemoryType();
  if (Type.isValid() && !Type.getSizeInBytes().isScalable())
    A.size = Type.getSizeInBytes().getFixedValue();
  auto Set = [&A](bool B, uint32_t Flag) { A.flags |= B ? Flag : 0; };
  Set(MMO.isLoad(), PTX_ACCESS_LOAD);
  Set(MMO.isStore(), PTX_ACCESS_STORE);
  Set(MMO.isVolatile(), PTX_ACCESS_VOLATILE);
  Set(MMO.isAtomic(), PTX_ACCESS_ATOMIC);
  Set(MMO.isInvariant(), PTX_ACCESS_INVARIANT);
  return A;
}

const LiveInterval &intervalOf(const PtxLiveIntervals *LIS, uint32_t Reg) {
  if (LLVM_UNLIKELY(!ptx_lis_has_interval(LIS, Reg)))
    misuse("", Twine("LiveIntervals has no interval of ") +
                   (Register(Reg).isVirtual() ? "virtual" : "physical") +
                   " register " + Twine(Reg & ~(1U << 31)));
  return get(LIS)->getInterval(Register(Reg));
}

MachineOperand newRegister(const MachineFunction &MF,
                           const PtxGivenOperand &O) {
  auto Has = [&O](uint32_t Flag) { return (O.flags & Flag) != 0; };
  const bool IsDef = Has(PTX_GIVEN_DEF);
  if (LLVM_UNLIKELY(IsDef ? Has(PTX_GIVEN_KILL) : Has(PTX_GIVEN_DEAD)))
    misuse(MF, IsDef ? "a def kills no register" : "a use is never dead");
  return MachineOperand::CreateReg(
      anyReg(MF, O.reg), IsDef, Has(PTX_GIVEN_IMPLICIT), Has(PTX_GIVEN_KILL),
      Has(PTX_GIVEN_DEAD), Has(PTX_GIVEN_UNDEF), /*isEarlyClobber=*/false,
      subRegIndex(MF, O.subreg));
}

Type *floatType(LLVMContext &Context, uint32_t Kind) {
  switch (PtxFloatType(Kind)) {
  case PTX_FLOAT_HALF:
    return Type::getHalfTy(Context);
  case PTX_FLOAT_BFLOAT:
    return Type::getBFloatTy(Context);
  case PTX_FLOAT_SINGLE:
    return Type::getFloatTy(Context);
  case PTX_FLOAT_DOUBLE:
    return Type::getDoubleTy(Context);
  }
  report_fatal_error("ptxpasses: unknown type of a constant");
}

MachineOperand newFloat(const MachineFunction &MF, const PtxGivenOperand &O) {
  LLVMContext &Context = MF.getFunction().getContext();
  const fltSemantics &Semantics =
      floatType(Context, O.flags)->getFltSemantics();
  const APInt Bits(APFloat::getSizeInBits(Semantics), uint64_t(O.imm));
  return MachineOperand::CreateFPImm(
      ConstantFP::get(Context, APFloat(Semantics, Bits)));
}

MachineOperand newGlobal(MachineFunction &MF, const PtxGivenOperand &O) {
  // NVPTX's printer omits the offset.
  if (LLVM_UNLIKELY(O.imm && ptx_mf_is_nvptx(wrap(&MF))))
    misuse(MF, "an operand of NVPTX that is a global has no offset, and " +
                   Twine(O.imm) +
                   " was given: the operand after it is the offset");
  return MachineOperand::CreateGA(get(O.global), O.imm);
}

MachineOperand newOperand(MachineFunction &MF, const PtxGivenOperand &O) {
  switch (O.kind) {
  case PTX_GIVEN_REG:
    return newRegister(MF, O);
  case PTX_GIVEN_IMM:
    return MachineOperand::CreateImm(O.imm);
  case PTX_GIVEN_BLOCK:
    return MachineOperand::CreateMBB(get(O.block));
  case PTX_GIVEN_FLOAT:
    return newFloat(MF, O);
  case PTX_GIVEN_GLOBAL:
    return newGlobal(MF, O);
  case PTX_GIVEN_SYMBOL:
    return MachineOperand::CreateES(MF.createExternalSymbolName(ref(O.symbol)));
  }
  report_fatal_error("ptxpasses: unknown kind of operand");
}

MachineMemOperand *newAccess(MachineFunction &MF, const PtxGivenAccess &A) {
  // LLVM keeps the size in bits, in 32 bits.
  constexpr uint64_t EndOfSizes = uint64_t(1) << 29;
  if (LLVM_UNLIKELY(!A.size || A.size >= EndOfSizes ||
                    !isPowerOf2_64(A.alignment)))
    misuse(MF, "a memory operand of " + Twine(A.size) +
                   " bytes at a multiple of " + Twine(A.alignment) +
                   ": a size is 1 or more and below " + Twine(EndOfSizes) +
                   ", an alignment is a power of two");
  auto Flags = MachineMemOperand::MONone;
  auto Set = [&](uint32_t Flag, MachineMemOperand::Flags Is) {
    if (A.flags & Flag)
      Flags |= Is;
  };
  Set(PTX_ACCESS_LOAD, MachineMemOperand::MOLoad);
  Set(PTX_ACCESS_STORE, MachineMemOperand::MOStore);
  Set(PTX_ACCESS_VOLATILE, MachineMemOperand::MOVolatile);
  Set(PTX_ACCESS_INVARIANT, MachineMemOperand::MOInvariant);
  Set(PTX_ACCESS_DEREFERENCEABLE, MachineMemOperand::MODereferenceable);
  if (LLVM_UNLIKELY(A.global &&
                    get(A.global)->getAddressSpace() != A.address_space))
    misuse(MF, "a memory operand of address space " + Twine(A.address_space) +
                   " at a global of address space " +
                   Twine(get(A.global)->getAddressSpace()));
  const MachinePointerInfo Place =
      A.global ? MachinePointerInfo(get(A.global), A.offset)
               : MachinePointerInfo(A.address_space);
  return MF.getMachineMemOperand(Place, Flags, A.size, Align(A.alignment));
}

// There must be as many operands as in the description. A tied operand must be
// a use whose partner is a def. The first operands are defs that exist already.
void checkOperands(const MachineFunction &MF, const MCInstrDesc &Desc,
                   unsigned NumDefs, ArrayRef<PtxGivenOperand> Operands) {
  auto IsReg = [](const PtxGivenOperand &O, bool IsDef) {
    return O.kind == PTX_GIVEN_REG && !(O.flags & PTX_GIVEN_DEF) == !IsDef;
  };
  PtxGivenOperand Result = {};
  Result.kind = PTX_GIVEN_REG;
  Result.flags = PTX_GIVEN_DEF;
  SmallVector<PtxGivenOperand, 8> Explicit(NumDefs, Result);
  for (const PtxGivenOperand &O : Operands)
    if (O.kind != PTX_GIVEN_REG || !(O.flags & PTX_GIVEN_IMPLICIT))
      Explicit.push_back(O);
  const size_t N = Explicit.size(), Wanted = Desc.getNumOperands();
  if (LLVM_UNLIKELY(N < Wanted || (N > Wanted && !Desc.isVariadic())))
    misuse(MF, "opcode " + tii(MF).getName(Desc.getOpcode()) + " has " +
                   Twine(Wanted) + " operands, and " + Twine(N) +
                   " were given");
  for (size_t I = 0; I != Wanted; ++I) {
    const int Def = Desc.getOperandConstraint(I, MCOI::TIED_TO);
    if (LLVM_UNLIKELY(Def != -1 && (!IsReg(Explicit[I], /*IsDef=*/false) ||
                                    !IsReg(Explicit[Def], /*IsDef=*/true))))
      misuse(MF, "opcode " + tii(MF).getName(Desc.getOpcode()) +
                     " has operand " + Twine(I) + " tied to operand " +
                     Twine(Def) + ": they are a use and a def");
  }
}

ArrayRef<PtxGivenOperand> operandsOf(const PtxGivenInstr &Given) {
  return {Given.operands, Given.num_operands};
}

// Gives the memory operands to an instruction without any.
void setAccesses(MachineInstr &MI, const PtxGivenInstr &Given) {
  MachineFunction &MF = *MI.getMF();
  if (Given.memory_of)
    MI.cloneMemRefs(MF, notErased(Given.memory_of));
  for (const PtxGivenAccess &A :
       ArrayRef<PtxGivenAccess>(Given.accesses, Given.num_accesses))
    MI.addMemOperand(MF, newAccess(MF, A));
}

PtxInstr *insertNew(MachineBasicBlock &MBB, MachineBasicBlock::iterator Place,
                    const DebugLoc &Loc, const PtxGivenInstr &Given) {
  MachineFunction &MF = *MBB.getParent();
  const MCInstrDesc &Desc = describeNew(MF, Given.opcode);
  checkOperands(MF, Desc, /*NumDefs=*/0, operandsOf(Given));
  noteEdit(PTX_EDITED_CODE);
  MachineInstrBuilder New = BuildMI(MBB, Place, Loc, Desc);
  for (const PtxGivenOperand &O : operandsOf(Given)) {
    const MachineOperand Operand = newOperand(MF, O);
    New.add(Operand);
    noteReader(MF, Operand);
  }
  setAccesses(*New, Given);
  return wrap(New.getInstr());
}

} // namespace

extern "C" {

PtxStr ptx_mbb_name(const PtxBlock *MBB) {
  const BasicBlock *BB = get(MBB)->getBasicBlock();
  return BB ? str(BB->getName()) : PtxStr{nullptr, 0};
}

bool ptx_mbb_is_entry(const PtxBlock *MBB) {
  return get(MBB) == &get(MBB)->getParent()->front();
}

PtxInstr *ptx_mbb_insert_new(PtxBlock *P, PtxInstr *Before,
                             const PtxGivenInstr *Given) {
  MachineBasicBlock &MBB = *get(P);
  const MachineBasicBlock::iterator Place = placeIn(MBB, Before);
  return insertNew(MBB, Place, Before ? get(Before)->getDebugLoc() : DebugLoc(),
                   *Given);
}

PtxInstr *ptx_mi_insert_new_after(PtxInstr *P, const PtxGivenInstr *Given) {
  MachineInstr &MI = headOf(P);
  MachineBasicBlock &MBB = *MI.getParent();
  auto Place = std::next(MachineBasicBlock::iterator(MI));
  if (MI.isPHI())
    Place = MBB.SkipPHIsAndLabels(Place);
  return insertNew(MBB, Place, MI.getDebugLoc(), *Given);
}

void ptx_mi_change_to(PtxInstr *P, const PtxGivenInstr *Given) {
  MachineInstr &MI = inBlock(P);
  MachineFunction &MF = *MI.getMF();
  const MCInstrDesc &Desc = describeNew(MF, Given->opcode);
  const unsigned NumDefs = MI.getNumExplicitDefs();
  for (const PtxGivenOperand &O : operandsOf(*Given))
    if (LLVM_UNLIKELY(O.kind == PTX_GIVEN_REG && (O.flags & PTX_GIVEN_DEF) &&
                      !(O.flags & PTX_GIVEN_IMPLICIT)))
      misuse(MI, "an instruction that becomes another one keeps its results, "
                 "and a def was given");
  if (LLVM_UNLIKELY(MI.isBundled()))
    misuse(MI, "an instruction of a bundle does not become another one");
  checkOperands(MF, Desc, NumDefs, operandsOf(*Given));
  noteEdit(PTX_EDITED_CODE);
  // From the end, because a tie is stored as the other operand's position.
  for (unsigned I = MI.getNumOperands(); I != NumDefs; --I)
    MI.removeOperand(I - 1);
  MI.dropMemRefs(MF);
  MI.setDesc(Desc);
  MI.setFlags(0);
  MI.addImplicitDefUseOperands(MF);
  for (const PtxGivenOperand &O : operandsOf(*Given)) {
    const MachineOperand New = newOperand(MF, O);
    MI.addOperand(MF, New);
    noteReader(MF, New);
  }
  setAccesses(MI, *Given);
}

bool ptx_mi_float(const PtxInstr *MI, uint32_t Index, PtxFloatType *Kind,
                  uint64_t *Bits) {
  const MachineOperand &MO = operandAt(MI, Index);
  if (!MO.isFPImm())
    return false;
  const ConstantFP &Value = *MO.getFPImm();
  const Type &T = *Value.getType();
  if (T.isHalfTy())
    *Kind = PTX_FLOAT_HALF;
  else if (T.isBFloatTy())
    *Kind = PTX_FLOAT_BFLOAT;
  else if (T.isFloatTy())
    *Kind = PTX_FLOAT_SINGLE;
  else if (T.isDoubleTy())
    *Kind = PTX_FLOAT_DOUBLE;
  else
    return false;
  *Bits = Value.getValueAPF().bitcastToAPInt().getZExtValue();
  return true;
}

size_t ptx_mi_memory_accesses(const PtxInstr *MI, PtxMemoryAccess *Out,
                              size_t Capacity) {
  size_t N = 0;
  for (const MachineMemOperand *MMO : notErased(MI).memoperands())
    if (N++ < Capacity)
      *Out++ = accessOf(*MMO);
  return N;
}

bool ptx_mi_debug_location(const PtxInstr *MI, PtxDebugLocation *Out) {
  const DebugLoc &Loc = notErased(MI).getDebugLoc();
  if (!Loc)
    return false;
  *Out = {str(Loc->getFilename()), Loc.getLine(), Loc.getCol()};
  return true;
}

// ---- registers ----------------------------------------------------------

uint32_t ptx_mri_new_reg(PtxFunction *MF, uint32_t ClassID) {
  const TargetRegisterClass *Class = classNumbered(*get(MF), ClassID);
  if (LLVM_UNLIKELY(!Class->isAllocatable()))
    misuse(*get(MF), Twine("no virtual register is of class ") +
                         tri(*get(MF)).getRegClassName(Class) +
                         ", which is not allocatable");
  return get(MF)->getRegInfo().createVirtualRegister(Class);
}

uint32_t ptx_mri_new_result(PtxFunction *MF, uint32_t Opcode) {
  return get(MF)->getRegInfo().createVirtualRegister(
      classOfResult(*get(MF), Opcode));
}

uint32_t ptx_tri_num_classes(const PtxFunction *MF) {
  return tri(*get(MF)).getNumRegClasses();
}

PtxStr ptx_tri_class_name(const PtxFunction *MF, uint32_t ClassID) {
  return str(tri(*get(MF)).getRegClassName(classNumbered(*get(MF), ClassID)));
}

PtxStr ptx_tri_register_name(const PtxFunction *MF, uint32_t Reg) {
  return str(tri(*get(MF)).getName(physReg(*get(MF), Reg)));
}

// ---- dominators and loops -----------------------------------------------

bool ptx_dominators_dominate(const PtxDominators *Tree, const PtxBlock *A,
                             const PtxBlock *B) {
  return get(const_cast<PtxDominators *>(Tree))->dominates(get(A), get(B));
}

PtxBlock *ptx_dominators_immediate(PtxDominators *Tree, PtxBlock *MBB) {
  const MachineDomTreeNode *Node = get(Tree)->getNode(get(MBB));
  const MachineDomTreeNode *Up = Node ? Node->getIDom() : nullptr;
  return Up ? wrap(Up->getBlock()) : nullptr;
}

PtxLoop *ptx_loop_parent(PtxLoop *Loop) {
  return wrap(get(Loop)->getParentLoop());
}

size_t ptx_loop_blocks(PtxLoop *Loop, PtxBlock **Out, size_t Capacity) {
  size_t N = 0;
  for (MachineBasicBlock *MBB : get(Loop)->blocks())
    if (N++ < Capacity)
      *Out++ = wrap(MBB);
  return N;
}

// ---- live intervals -----------------------------------------------------

size_t ptx_lis_segments(const PtxLiveIntervals *LIS, uint32_t Reg,
                        PtxLiveSegment *Out, size_t Capacity) {
  const LiveInterval &Interval = intervalOf(LIS, Reg);
  const SlotIndex Zero = get(const_cast<PtxLiveIntervals *>(LIS))
                             ->getSlotIndexes()
                             ->getZeroIndex();
  size_t N = 0;
  for (const LiveRange::Segment &S : Interval.segments)
    if (N++ < Capacity)
      *Out++ = {uint32_t(Zero.distance(S.start)),
                uint32_t(Zero.distance(S.end)), S.valno->id};
  return N;
}

bool ptx_lis_number(const PtxLiveIntervals *LIS, const PtxInstr *MI,
                    uint32_t *Out) {
  SlotIndexes &Slots =
      *get(const_cast<PtxLiveIntervals *>(LIS))->getSlotIndexes();
  if (!Slots.hasIndex(*get(MI)))
    return false;
  *Out = uint32_t(
      Slots.getZeroIndex().distance(Slots.getInstructionIndex(*get(MI))));
  return true;
}

bool ptx_lis_is_live_in(const PtxLiveIntervals *LIS, uint32_t Reg,
                        const PtxBlock *MBB) {
  return get(LIS)->isLiveInToMBB(intervalOf(LIS, Reg), get(MBB));
}

bool ptx_lis_is_live_out(const PtxLiveIntervals *LIS, uint32_t Reg,
                         const PtxBlock *MBB) {
  return get(LIS)->isLiveOutOfMBB(intervalOf(LIS, Reg), get(MBB));
}

} // extern "C"
