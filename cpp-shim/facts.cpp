// Reading a whole function: blocks, instructions, slots, dominators, the chains
// of registers and register units.
#include "compat.h"
#include "operand.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

const TargetRegisterInfo &tri(const PtxFunction *MF) {
  return *get(MF)->getSubtarget().getRegisterInfo();
}

// Writes what fits and returns how many there are.
template <class Range>
size_t list(const Range &Items, uint32_t *Out, size_t Capacity) {
  size_t N = 0;
  for (auto Item : Items)
    if (N++ < Capacity)
      *Out++ = static_cast<uint32_t>(Item);
  return N;
}

uint8_t readFlags(unsigned Opcode) {
  switch (Opcode) {
  case TargetOpcode::PHI:
  case TargetOpcode::G_PHI:
    return PTX_READ_PHI;
  case TargetOpcode::COPY:
    return PTX_READ_COPY;
  case TargetOpcode::IMPLICIT_DEF:
    return PTX_READ_IMPLICIT_DEF;
  case TargetOpcode::SUBREG_TO_REG:
    return PTX_READ_COPY | PTX_READ_IMPLICIT_DEF;
  default:
    return 0;
  }
}

// The number that a slot index is ordered by.
uint32_t number(SlotIndexes &Slots, SlotIndex I) {
  return Slots.getZeroIndex().distance(I);
}

} // namespace

extern "C" {

// ---- blocks and instructions --------------------------------------------

void ptx_mbb_facts(PtxBlock *P, PtxBlockFacts *Out) {
  const MachineBasicBlock &MBB = *get(P);
  const MachineFunction &MF = *MBB.getParent();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  Out->number = MBB.getNumber();
  Out->flags = (MBB.isEHPad() ? PTX_MBB_EH_PAD : 0) |
               (MBB.livein_empty() ? 0 : PTX_MBB_HAS_LIVE_INS);
  Out->num_successors = MBB.succ_size();
  Out->begin_mask = MBB.getBeginClobberMask(&TRI);
  Out->eh_mask = MBB.isEHPad() ? TRI.getCustomEHPadPreservedMask(MF) : nullptr;
  Out->end_mask = MBB.getEndClobberMask(&TRI);
}

void ptx_mbb_successors(PtxBlock *MBB, uint32_t *Out) {
  for (const MachineBasicBlock *Succ : get(MBB)->successors())
    *Out++ = Succ->getNumber();
}

PtxReadResult ptx_mbb_read(PtxBlock *P, PtxInstr *First,
                           const PtxInstrBuffer *B, bool ClearKills) {
  MachineBasicBlock &MBB = *get(P);
  auto I =
      First ? MachineBasicBlock::instr_iterator(get(First)) : MBB.instr_begin();
  PtxReadResult R = {nullptr, 0, 0, false};
  PtxReadResult AtHead = R; // of the last bundle or instruction
  for (auto E = MBB.instr_end(); I != E; ++I) {
    MachineInstr &MI = *I;
    if (MI.isDebugOrPseudoInstr()) {
      R.debug = true;
      continue;
    }
    if (!MI.isBundledWithPred()) {
      AtHead = R;
      AtHead.next = wrap(&MI);
    }
    uint32_t N = MI.getNumOperands();
    if (R.num_instrs == B->instr_capacity ||
        N > B->operand_capacity - R.num_operands)
      return AtHead;
    uint64_t *Operands = B->operands + R.num_operands;
    bool EarlyClobber = false;
    uint8_t Flags = readFlags(MI.getOpcode()) |
                    (MI.isBundledWithPred() ? PTX_READ_IN_BUNDLE : 0);
    MachineOperand *MO = MI.operands_begin();
    for (uint32_t Index = 0; Index != N; ++Index, ++MO) {
      if (MO->isReg()) {
        if (MO->getReg().isPhysical())
          Flags |= PTX_READ_PHYSICAL;
        else if (MO->getSubReg())
          Flags |= PTX_READ_SUBREG;
        if (MO->isDef())
          EarlyClobber |= MO->isEarlyClobber();
        else if (ClearKills && MO->isKill() && MO->getReg().isVirtual() &&
                 !MO->isDebug())
          MO->setIsKill(false);
      } else if (MO->isRegMask()) {
        Flags |= PTX_READ_REG_MASK;
      }
      Operands[Index] = pack(*MO);
    }
    if (EarlyClobber) {
      Flags |= PTX_READ_EARLY_CLOBBER;
      for (uint32_t Index = 0; Index != N; ++Index)
        if (isTiedToEarlyClobber(MI, Index))
          Operands[Index] |= uint64_t(1) << PTX_OP_EARLY_CLOBBER_SHIFT;
    }
    B->instrs[R.num_instrs] = wrap(&MI);
    B->num_operands[R.num_instrs] = N;
    B->flags[R.num_instrs] = Flags;
    R.num_operands += N;
    ++R.num_instrs;
  }
  return R;
}

bool ptx_mf_is_ssa(const PtxFunction *MF) {
  return get(MF)->getRegInfo().isSSA();
}

uint32_t ptx_mf_num_block_ids(const PtxFunction *MF) {
  return get(MF)->getNumBlockIDs();
}

bool ptx_mf_machine_scheduler_enabled(const PtxFunction *MF) {
  return get(MF)->getSubtarget().enableMachineScheduler();
}

bool ptx_mf_subreg_liveness_enabled(const PtxFunction *MF) {
  return get(MF)->getRegInfo().subRegLivenessEnabled();
}

uint32_t ptx_mri_class_id(const PtxFunction *MF, uint32_t Reg) {
  const auto *RC = get(MF)->getRegInfo().getRegClassOrNull(Register(Reg));
  return RC ? RC->getID() : UINT32_MAX;
}

PtxStr ptx_mri_class_name(const PtxFunction *MF, uint32_t Reg) {
  const auto *RC = get(MF)->getRegInfo().getRegClassOrNull(Register(Reg));
  return RC ? PtxStr{tri(MF).getRegClassName(RC),
                     strlen(tri(MF).getRegClassName(RC))}
            : PtxStr{nullptr, 0};
}

uint32_t ptx_mri_class_bits(const PtxFunction *MF, uint32_t Reg) {
  const auto *RC = get(MF)->getRegInfo().getRegClassOrNull(Register(Reg));
  return RC ? uint32_t(tri(MF).getRegSizeInBits(*RC)) : 0;
}

// ---- slots and dominators -----------------------------------------------

size_t ptx_slots_read(PtxSlotIndexes *P, PtxFunction *MF, uint64_t *Bits,
                      size_t Capacity) {
  SlotIndexes &Slots = *get(P);
  size_t N = 0;
  auto Add = [&](SlotIndex I) {
    if (N < Capacity)
      Bits[N] = toBits(I);
    ++N;
  };
  for (const MachineBasicBlock &MBB : *get(MF)) {
    SlotIndex I = Slots.getMBBStartIdx(&MBB), E = Slots.getMBBEndIdx(&MBB);
    Add(I);
    // An entry without an instruction is that of a removed one.
    while ((I = I.getNextIndex()) != E)
      if (Slots.getInstructionFromIndex(I))
        Add(I);
  }
  if (!get(MF)->empty())
    Add(Slots.getMBBEndIdx(&get(MF)->back()));
  return N;
}

void ptx_slots_numbers(PtxSlotIndexes *P, const uint64_t *Bits, size_t N,
                       uint32_t *Numbers) {
  for (size_t I = 0; I != N; ++I)
    Numbers[I] = number(*get(P), fromBits(Bits[I]));
}

size_t ptx_lis_values(PtxLiveIntervals *LIS, PtxSlotIndexes *Slots,
                      uint32_t Reg, uint32_t *Out, size_t Capacity) {
  size_t N = 0;
  if (!get(LIS)->hasInterval(Register(Reg)))
    return N;
  for (const VNInfo *Value : get(LIS)->getInterval(Register(Reg)).valnos)
    if (N++ < Capacity)
      *Out++ = Value->isUnused()
                   ? UINT32_MAX
                   : number(*get(Slots), Value->def.getBaseIndex());
  return N;
}

void ptx_dominators_read(PtxDominators *P, PtxFunction *MF, uint32_t *Idom,
                         uint8_t *Reachable) {
  std::vector<uint32_t> Position(get(MF)->getNumBlockIDs());
  uint32_t N = 0;
  for (const MachineBasicBlock &MBB : *get(MF))
    Position[MBB.getNumber()] = N++;
  for (MachineBasicBlock &MBB : *get(MF)) {
    const MachineDomTreeNode *Node = get(P)->getNode(&MBB);
    const MachineDomTreeNode *Up = Node ? Node->getIDom() : nullptr;
    *Reachable++ = Node != nullptr;
    *Idom++ = Up ? Position[Up->getBlock()->getNumber()] : UINT32_MAX;
  }
}

size_t ptx_slots_chain(PtxSlotIndexes *P, PtxFunction *MF, uint32_t Reg,
                       PtxChainOperand *Out, size_t Capacity) {
  SlotIndexes &Slots = *get(P);
  size_t N = 0;
  for (MachineOperand &MO :
       get(MF)->getRegInfo().reg_nodbg_operands(Register(Reg))) {
    if (N++ >= Capacity)
      continue;
    MachineInstr &MI = *MO.getParent();
    unsigned Index = MO.getOperandNo();
    PtxChainOperand &O = *Out++;
    O.instr = wrap(&MI);
    O.operand = pack(MO);
    O.index = Index;
    if (isTiedToEarlyClobber(MI, Index))
      O.operand |= uint64_t(1) << PTX_OP_EARLY_CLOBBER_SHIFT;
    O.phi_use = MI.isPHI() && MO.isUse();
    O.number = O.phi_use ? MI.getOperand(Index + 1).getMBB()->getNumber()
                         : number(Slots, Slots.getInstructionIndex(MI));
  }
  return N;
}

size_t ptx_mri_def_chain(PtxFunction *MF, uint32_t Reg, PtxInstr **Out,
                         size_t Capacity) {
  size_t N = 0;
  for (MachineInstr &MI : get(MF)->getRegInfo().def_instructions(Register(Reg)))
    if (N++ < Capacity)
      *Out++ = wrap(&*getBundleStart(MI.getIterator()));
  return N;
}

// ---- physical registers -------------------------------------------------

uint32_t ptx_tri_num_registers(const PtxFunction *MF) {
  return tri(MF).getNumRegs();
}

uint32_t ptx_tri_num_supported_registers(const PtxFunction *MF) {
  return numSupportedRegs(*get(MF));
}

const void *ptx_tri_table(const PtxFunction *MF) {
  return &tri(MF).get(MCRegister());
}

size_t ptx_tri_sub_registers(const PtxFunction *MF, uint32_t Reg, uint32_t *Out,
                             size_t Capacity) {
  return list(tri(MF).subregs(MCRegister(Reg)), Out, Capacity);
}

size_t ptx_tri_super_registers(const PtxFunction *MF, uint32_t Reg,
                               uint32_t *Out, size_t Capacity) {
  return list(tri(MF).superregs(MCRegister(Reg)), Out, Capacity);
}

bool ptx_tri_in_allocatable_class(const PtxFunction *MF, uint32_t Reg) {
  return tri(MF).isInAllocatableClass(MCRegister(Reg));
}

size_t ptx_mri_reserved_registers(const PtxFunction *MF, uint32_t *Out,
                                  size_t Capacity) {
  return list(get(MF)->getRegInfo().getReservedRegs().set_bits(), Out,
              Capacity);
}

size_t ptx_mbb_live_ins(const PtxBlock *P, uint32_t *Out, size_t Capacity) {
  size_t N = 0;
  for (const auto &LI : get(P)->liveins())
    if (N++ < Capacity)
      *Out++ = MCRegister(LI.PhysReg).id();
  return N;
}

// ---- register units -----------------------------------------------------

size_t ptx_mbb_live_in_units(PtxBlock *P, uint32_t *Out, size_t Capacity) {
  const MachineBasicBlock &MBB = *get(P);
  const TargetRegisterInfo &TRI =
      *MBB.getParent()->getSubtarget().getRegisterInfo();
  size_t N = 0;
  for (const auto &LI : MBB.liveins())
    for (auto Unit : TRI.regunits(LI.PhysReg))
      if (N++ < Capacity)
        *Out++ = static_cast<uint32_t>(Unit);
  return N;
}

size_t ptx_unit_registers(const PtxFunction *MF, uint32_t Unit, uint32_t *Out,
                          size_t Capacity) {
  const TargetRegisterInfo &TRI = tri(MF);
  size_t N = 0;
  for (MCRegUnitRootIterator Root(static_cast<RegUnit>(Unit), &TRI);
       Root.isValid(); ++Root)
    for (MCPhysReg Reg : TRI.superregs_inclusive(*Root))
      if (N++ < Capacity)
        *Out++ = Reg;
  return N;
}

bool ptx_unit_is_reserved(const PtxFunction *MF, uint32_t Unit) {
  return get(MF)->getRegInfo().isReservedRegUnit(static_cast<RegUnit>(Unit));
}

} // extern "C"
