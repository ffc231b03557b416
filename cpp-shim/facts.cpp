// Reads a whole function: blocks, instructions, slots, dominators, and the
// chains of registers and register units.
#include "checked.h"
#include "compat.h"
#include "instr.h"
#include "operand.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

// Writes the items that fit, and returns how many there are.
template <class Range>
size_t list(const Range &Items, uint32_t *Out, size_t Capacity) {
  size_t N = 0;
  for (auto Item : Items)
    if (N++ < Capacity)
      *Out++ = static_cast<uint32_t>(Item);
  return N;
}

// Walks ahead of a reader over the instructions of a block and prefetches them.
// They are scattered in memory, and so are their operands.
class Prefetcher {
  using Iterator = MachineBasicBlock::instr_iterator;
  Iterator Instr, Operands, End;

  // Advances an iterator; returns whether there is one more.
  bool next(Iterator &I) {
    if (I != End)
      ++I;
    return I != End;
  }
  static void fetch(const void *Object) {
    auto *Bytes = static_cast<const char *>(Object);
    __builtin_prefetch(Bytes);
    __builtin_prefetch(Bytes + 64);
  }
  void fetchInstr() {
    if (next(Instr))
      fetch(&*Instr);
  }
  void fetchOperands() {
    if (next(Operands))
      fetch(Operands->operands_begin());
  }

public:
  Prefetcher(Iterator Begin, Iterator End)
      : Instr(Begin), Operands(Begin), End(End) {
    fetchInstr();
    fetchInstr();
    fetchOperands();
  }
  // The reader advances to the next instruction.
  void step() {
    fetchInstr();
    fetchOperands();
  }
};

// The number by which a slot index is ordered.
uint32_t number(SlotIndexes &Slots, SlotIndex I) {
  return Slots.getZeroIndex().distance(I);
}

} // namespace

extern "C" {

// ---- blocks and instructions --------------------------------------------

void ptx_mbb_facts(PtxBlock *P, PtxBlockFacts *Out) {
  const MachineBasicBlock &MBB = *get(P);
  Out->number = MBB.getNumber();
  Out->flags = (MBB.isEHPad() ? PTX_MBB_EH_PAD : 0) |
               (MBB.livein_empty() ? 0 : PTX_MBB_HAS_LIVE_INS);
  Out->num_successors = MBB.succ_size();
  Out->begin_mask = Out->eh_mask = nullptr;
  if (MBB.isEHPad() || MBB.isEHFuncletEntry()) {
    const MachineFunction &MF = *MBB.getParent();
    const TargetRegisterInfo &TRI = tri(MF);
    Out->begin_mask = MBB.getBeginClobberMask(&TRI);
    if (MBB.isEHPad())
      Out->eh_mask = TRI.getCustomEHPadPreservedMask(MF);
  }
}

void ptx_mbb_successors(PtxBlock *MBB, uint32_t *Out) {
  for (const MachineBasicBlock *Succ : get(MBB)->successors())
    *Out++ = Succ->getNumber();
}

PtxReadResult ptx_mbb_read(PtxBlock *P, PtxInstr *First,
                           const PtxInstrBuffer *B, bool ClearKills) {
  constexpr uint64_t SubReg = uint64_t(0xfff) << PTX_OP_SUBREG_SHIFT;
  constexpr uint64_t Def = uint64_t(1) << PTX_OP_DEF_SHIFT;
  constexpr uint64_t Kill = uint64_t(1) << PTX_OP_DEAD_OR_KILL_SHIFT;
  constexpr uint64_t Debug = uint64_t(1) << PTX_OP_DEBUG_SHIFT;
  constexpr uint64_t EarlyClobber = uint64_t(1) << PTX_OP_EARLY_CLOBBER_SHIFT;
  MachineBasicBlock &MBB = *get(P);
  auto I =
      First ? MachineBasicBlock::instr_iterator(get(First)) : MBB.instr_begin();
  PtxReadResult R = {nullptr, nullptr, 0, 0, false};
  PtxReadResult AtHead = R; // of the last bundle or instruction
  auto E = MBB.instr_end();
  Prefetcher Ahead(I, E);
  for (; I != E; ++I) {
    MachineInstr &MI = *I;
    Ahead.step();
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
    uint8_t Flags = MI.isBundledWithPred() ? PTX_READ_IN_BUNDLE : 0;
    uint64_t Seen = 0; // the bits of all register operands
    MachineOperand *MO = MI.operands_begin();
    for (uint32_t Index = 0; Index != N; ++Index, ++MO) {
      if (!MO->isReg()) {
        Operands[Index] = packOther(*MO);
        if (MO->isRegMask())
          Flags |= PTX_READ_REG_MASK;
        continue;
      }
      uint64_t Operand = packRegister(*MO);
      if (MO->getReg().isVirtual()) {
        if (Operand & SubReg)
          Flags |= PTX_READ_SUBREG;
        if (ClearKills && (Operand & (Kill | Def | Debug)) == Kill) {
          MO->setIsKill(false);
          Operand &= ~Kill;
        }
      } else if (MO->getReg()) {
        Flags |= PTX_READ_PHYSICAL;
      }
      Seen |= Operand;
      Operands[Index] = Operand;
    }
    if (Seen & EarlyClobber) {
      Flags |= PTX_READ_EARLY_CLOBBER;
      for (uint32_t Index = 0; Index != N; ++Index)
        if (isTiedToEarlyClobber(MI, Index))
          Operands[Index] |= EarlyClobber;
    }
    B->instrs[R.num_instrs] = wrap(&MI);
    B->num_operands[R.num_instrs] = N;
    B->kinds[R.num_instrs] = kindOf(MI);
    B->flags[R.num_instrs] = Flags;
    R.num_operands += N;
    ++R.num_instrs;
  }
  // The mask depends on the last instruction, which is known only here.
  R.end_mask = MBB.getEndClobberMask(&tri(MBB));
  return R;
}

size_t ptx_mbb_phi_operands(PtxBlock *P, uint64_t *Out, size_t Capacity) {
  MachineBasicBlock &MBB = *get(P);
  size_t N = 0;
  Prefetcher Ahead(MBB.instr_begin(), MBB.instr_end());
  for (const MachineInstr &MI : MBB.instrs()) {
    if (!MI.isPHI())
      break;
    Ahead.step();
    for (const MachineOperand &MO : MI.operands())
      if (N++ < Capacity)
        *Out++ = pack(MO);
  }
  return N;
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
  const auto *RC =
      get(MF)->getRegInfo().getRegClassOrNull(virtualReg(*get(MF), Reg));
  return RC ? RC->getID() : UINT32_MAX;
}

PtxStr ptx_mri_class_name(const PtxFunction *MF, uint32_t Reg) {
  const auto *RC =
      get(MF)->getRegInfo().getRegClassOrNull(virtualReg(*get(MF), Reg));
  return RC ? PtxStr{tri(*get(MF)).getRegClassName(RC),
                     strlen(tri(*get(MF)).getRegClassName(RC))}
            : PtxStr{nullptr, 0};
}

uint32_t ptx_mri_class_bits(const PtxFunction *MF, uint32_t Reg) {
  const auto *RC =
      get(MF)->getRegInfo().getRegClassOrNull(virtualReg(*get(MF), Reg));
  return RC ? uint32_t(tri(*get(MF)).getRegSizeInBits(*RC)) : 0;
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
    // An entry without an instruction belongs to a removed one.
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
       get(MF)->getRegInfo().reg_nodbg_operands(someReg(*get(MF), Reg))) {
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
  for (MachineInstr &MI :
       get(MF)->getRegInfo().def_instructions(someReg(*get(MF), Reg)))
    if (N++ < Capacity)
      *Out++ = wrap(&*getBundleStart(MI.getIterator()));
  return N;
}

// ---- physical registers -------------------------------------------------

uint32_t ptx_tri_num_registers(const PtxFunction *MF) {
  return tri(*get(MF)).getNumRegs();
}

uint32_t ptx_tri_num_supported_registers(const PtxFunction *MF) {
  return numSupportedRegs(*get(MF));
}

const void *ptx_tri_table(const PtxFunction *MF) {
  return &tri(*get(MF)).get(MCRegister());
}

size_t ptx_tri_sub_registers(const PtxFunction *MF, uint32_t Reg, uint32_t *Out,
                             size_t Capacity) {
  return list(tri(*get(MF)).subregs(physReg(*get(MF), Reg)), Out, Capacity);
}

size_t ptx_tri_super_registers(const PtxFunction *MF, uint32_t Reg,
                               uint32_t *Out, size_t Capacity) {
  return list(tri(*get(MF)).superregs(physReg(*get(MF), Reg)), Out, Capacity);
}

bool ptx_tri_in_allocatable_class(const PtxFunction *MF, uint32_t Reg) {
  return tri(*get(MF)).isInAllocatableClass(physReg(*get(MF), Reg));
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
  const TargetRegisterInfo &TRI = tri(MBB);
  size_t N = 0;
  for (const auto &LI : MBB.liveins())
    for (auto Unit : TRI.regunits(LI.PhysReg))
      if (N++ < Capacity)
        *Out++ = static_cast<uint32_t>(Unit);
  return N;
}

size_t ptx_unit_registers(const PtxFunction *MF, uint32_t Unit, uint32_t *Out,
                          size_t Capacity) {
  const TargetRegisterInfo &TRI = tri(*get(MF));
  size_t N = 0;
  for (MCRegUnitRootIterator Root(unitNumbered(*get(MF), Unit), &TRI);
       Root.isValid(); ++Root)
    for (MCPhysReg Reg : TRI.superregs_inclusive(*Root))
      if (N++ < Capacity)
        *Out++ = Reg;
  return N;
}

bool ptx_unit_is_reserved(const PtxFunction *MF, uint32_t Unit) {
  return reservedRegs(*get(MF)).isReservedRegUnit(unitNumbered(*get(MF), Unit));
}

size_t ptx_tri_units(const PtxFunction *MF, uint32_t Reg, uint32_t *Out,
                     size_t Capacity) {
  size_t N = 0;
  for (auto Unit : tri(*get(MF)).regunits(physReg(*get(MF), Reg)))
    if (N++ < Capacity)
      *Out++ = static_cast<uint32_t>(Unit);
  return N;
}

size_t ptx_unit_roots(const PtxFunction *MF, uint32_t Unit, uint32_t *Out,
                      size_t Capacity) {
  size_t N = 0;
  for (MCRegUnitRootIterator Root(unitNumbered(*get(MF), Unit), &tri(*get(MF)));
       Root.isValid(); ++Root)
    if (N++ < Capacity)
      *Out++ = *Root;
  return N;
}

bool ptx_mri_is_reserved(const PtxFunction *MF, uint32_t Reg) {
  return reservedRegs(*get(MF)).isReserved(physReg(*get(MF), Reg));
}

} // extern "C"
