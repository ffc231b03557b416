// Reads instructions, blocks, loops, dominators and live intervals for passes
// of others, beside the reads of our own, and inserts instructions.
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

MachineOperand newOperand(const MachineFunction &MF, const PtxGivenOperand &O) {
  switch (O.kind) {
  case PTX_GIVEN_IMM:
    return MachineOperand::CreateImm(O.imm);
  case PTX_GIVEN_BLOCK:
    return MachineOperand::CreateMBB(get(O.block));
  case PTX_GIVEN_REG:
    break;
  }
  auto Has = [&O](uint32_t Flag) { return (O.flags & Flag) != 0; };
  const bool IsDef = Has(PTX_GIVEN_DEF);
  if (LLVM_UNLIKELY(IsDef ? Has(PTX_GIVEN_KILL) : Has(PTX_GIVEN_DEAD)))
    misuse(MF, IsDef ? "a def kills no register" : "a use is never dead");
  return MachineOperand::CreateReg(
      anyReg(MF, O.reg), IsDef, Has(PTX_GIVEN_IMPLICIT), Has(PTX_GIVEN_KILL),
      Has(PTX_GIVEN_DEAD), Has(PTX_GIVEN_UNDEF), /*isEarlyClobber=*/false,
      subRegIndex(MF, O.subreg));
}

// As many operands as the description wants, and each tied one a use of which
// the other is a def.
void checkOperands(const MachineFunction &MF, const MCInstrDesc &Desc,
                   ArrayRef<PtxGivenOperand> Operands) {
  auto IsReg = [](const PtxGivenOperand &O, bool IsDef) {
    return O.kind == PTX_GIVEN_REG && !(O.flags & PTX_GIVEN_DEF) == !IsDef;
  };
  SmallVector<PtxGivenOperand, 8> Explicit;
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

} // namespace

extern "C" {

PtxStr ptx_mbb_name(const PtxBlock *MBB) {
  const BasicBlock *BB = get(MBB)->getBasicBlock();
  return BB ? str(BB->getName()) : PtxStr{nullptr, 0};
}

bool ptx_mbb_is_entry(const PtxBlock *MBB) {
  return get(MBB) == &get(MBB)->getParent()->front();
}

PtxInstr *ptx_mbb_insert_instr(PtxBlock *P, PtxInstr *Before, uint32_t Opcode,
                               const PtxGivenOperand *Operands, size_t N) {
  MachineBasicBlock &MBB = *get(P);
  MachineFunction &MF = *MBB.getParent();
  const MachineBasicBlock::iterator Place = placeIn(MBB, Before);
  const MCInstrDesc &Desc = describeNew(MF, Opcode);
  checkOperands(MF, Desc, {Operands, N});
  noteEdit(PTX_EDITED_CODE);
  MachineInstrBuilder New = BuildMI(
      MBB, Place, Before ? get(Before)->getDebugLoc() : DebugLoc(), Desc);
  for (const PtxGivenOperand &O : ArrayRef<PtxGivenOperand>(Operands, N))
    New.add(newOperand(MF, O));
  return wrap(New.getInstr());
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
