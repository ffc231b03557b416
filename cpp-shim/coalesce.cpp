// The coalescer's questions to LLVM, and its edits of the function.
#include "checked.h"
#include "compat.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/RegisterClassInfo.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

// Turns every operand of Src into one of Dst, instruction by instruction in the
// order of the chain.
void rename(MachineFunction &MF, Register Src, Register Dst) {
  for (MachineInstr &MI :
       make_early_inc_range(MF.getRegInfo().reg_instructions(Src)))
    for (MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.getReg() == Src)
        MO.setReg(Dst);
  tri(MF).updateRegAllocHint(Src, Dst, MF);
}

void erase(LiveIntervals &LIS, MachineInstr &MI) {
  LIS.RemoveMachineInstrFromMaps(MI);
  MI.eraseFromParent();
}

void addPhysDef(LiveIntervals &LIS, MachineInstr &MI, MCRegister Reg,
                bool ComputesRanges) {
  SlotIndex Slot = LIS.getInstructionIndex(MI).getRegSlot();
  for (auto Unit : tri(MI).regunits(Reg))
    if (LiveRange *LR =
            ComputesRanges ? &LIS.getRegUnit(Unit) : LIS.getCachedRegUnit(Unit))
      LR->createDeadDef(Slot, LIS.getVNInfoAllocator());
}

// Prefetches the data that the edits after number I will touch. It was read
// long ago and is scattered: instructions are fetched well ahead, then their
// operands.
void fetchAhead(const MachineRegisterInfo &MRI, const PtxCoalesceEdit *Edits,
                size_t N, size_t I) {
  if (I + 16 < N && Edits[I + 16].instr)
    __builtin_prefetch(get(Edits[I + 16].instr));
  if (I + 8 >= N)
    return;
  const PtxCoalesceEdit &Next = Edits[I + 8];
  if (Next.instr) {
    const MachineInstr &MI = *get(Next.instr);
    __builtin_prefetch(MI.operands_begin());
    __builtin_prefetch(MI.getNextNode());
    __builtin_prefetch(MI.getPrevNode());
  } else if (Next.kind == PTX_COALESCE_RENAME) {
    for (uint32_t Reg : {Next.a, Next.b})
      if (!MRI.reg_empty(Register(Reg)))
        __builtin_prefetch(&*MRI.reg_begin(Register(Reg)));
  }
}

} // namespace

extern "C" {

bool ptx_mf_is_nvptx(const PtxFunction *MF) {
  return get(MF)->getTarget().getTargetTriple().isNVPTX();
}

bool ptx_mf_exposes_returns_twice(const PtxFunction *MF) {
  return get(MF)->exposesReturnsTwice();
}

bool ptx_mf_join_global_copies(const PtxFunction *MF) {
  return get(MF)->getSubtarget().enableJoinGlobalCopies();
}

bool ptx_mf_has_debug_phis(const PtxFunction *MF) {
  return !get(MF)->DebugPHIPositions.empty();
}

uint32_t ptx_loop_depth(const PtxLoops *Loops, const PtxBlock *MBB) {
  return get(Loops)->getLoopDepth(get(MBB));
}

void ptx_block_frequencies(const PtxFrequencies *Frequencies,
                           const PtxFunction *MF, uint64_t *Out) {
  for (const MachineBasicBlock &MBB : *get(MF))
    Out[MBB.getNumber()] = get(Frequencies)->getBlockFreq(&MBB).getFrequency();
}

bool ptx_mbb_has_eh_pad_successor(const PtxBlock *MBB) {
  return get(MBB)->hasEHPadSuccessor();
}

uint32_t ptx_tri_common_sub_class(const PtxFunction *MF, uint32_t A,
                                  uint32_t B) {
  const TargetRegisterClass *RC = tri(*get(MF)).getCommonSubClass(
      classNumbered(*get(MF), A), classNumbered(*get(MF), B));
  return RC ? RC->getID() : UINT32_MAX;
}

void ptx_class_info(PtxFunction *MF, uint32_t ClassID, uint32_t *NumAllocatable,
                    uint32_t *Bits, bool *IsProperSubClass) {
  const TargetRegisterClass *RC = classNumbered(*get(MF), ClassID);
  reservedRegs(*get(MF));
  RegisterClassInfo Info;
  Info.runOnMachineFunction(*get(MF));
  *NumAllocatable = Info.getNumAllocatableRegs(RC);
  *Bits = tri(*get(MF)).getRegSizeInBits(*RC);
  *IsProperSubClass = Info.isProperSubClass(RC);
}

bool ptx_tri_should_coalesce(PtxInstr *Copy, uint32_t SrcClass,
                             uint32_t DstClass, uint32_t NewClass,
                             PtxLiveIntervals *LIS) {
  const TargetRegisterInfo &TRI = tri(*get(Copy));
  return TRI.shouldCoalesce(get(Copy), TRI.getRegClass(SrcClass), 0,
                            TRI.getRegClass(DstClass), 0,
                            TRI.getRegClass(NewClass), *get(LIS));
}

size_t ptx_mf_debug_operands(PtxFunction *MF, PtxDebugOperand *Out,
                             size_t Capacity) {
  size_t N = 0;
  uint32_t Entry = 0;
  for (MachineBasicBlock &MBB : *get(MF)) {
    ++Entry;
    for (MachineInstr &MI : MBB.instrs()) {
      if (!MI.isDebugOrPseudoInstr()) {
        Entry += !MI.isBundledWithPred();
        continue;
      }
      for (const MachineOperand &MO : MI.operands())
        if (MO.isReg() && MO.getReg().isVirtual() && N++ < Capacity)
          *Out++ = {wrap(&MI), MO.getOperandNo(), MO.getReg(), Entry,
                    MI.isDebugValue()};
    }
  }
  return N;
}

void ptx_coalesce_edit(PtxFunction *P, PtxLiveIntervals *PLIS,
                       const PtxCoalesceEdit *Edits, size_t N) {
  MachineFunction &MF = *get(P);
  MachineRegisterInfo &MRI = MF.getRegInfo();
  LiveIntervals &LIS = *get(PLIS);
  SmallDenseMap<const MachineOperand *, unsigned> Marked;
  for (size_t I = 0; I != N; ++I) {
    fetchAhead(MRI, Edits, N, I);
    const PtxCoalesceEdit &E = Edits[I];
    switch (E.kind) {
    case PTX_COALESCE_RENAME:
      rename(MF, E.a, E.b);
      break;
    case PTX_COALESCE_CLEAR_KILLS:
      MRI.clearKillFlags(Register(E.a));
      break;
    case PTX_COALESCE_ERASE:
      erase(LIS, *get(E.instr));
      break;
    case PTX_COALESCE_SET_DEAD:
      get(E.instr)->getOperand(E.a).setIsDead(E.b);
      break;
    case PTX_COALESCE_SET_UNDEF:
      get(E.instr)->getOperand(E.a).setIsUndef(E.b);
      break;
    case PTX_COALESCE_SET_CLASS:
      MRI.setRegClass(Register(E.a), tri(MF).getRegClass(E.b));
      break;
    case PTX_COALESCE_SET_KIND:
      ptx_mi_set_kind(E.instr, PtxInstrKind(E.a));
      break;
    case PTX_COALESCE_REMOVE_OPERAND:
      get(E.instr)->removeOperand(E.a);
      break;
    case PTX_COALESCE_DROP_MEM_REFS:
      get(E.instr)->dropMemRefs(MF);
      break;
    case PTX_COALESCE_CLONE_REG:
      if (MRI.cloneVirtualRegister(Register(E.a)) != Register(E.b))
        report_fatal_error("ptxpasses: a new register has another number");
      break;
    case PTX_COALESCE_MARK:
      Marked[&get(E.instr)->getOperand(E.a)] = E.b;
      break;
    case PTX_COALESCE_MOVE_MARKED:
      for (MachineOperand &MO :
           make_early_inc_range(MRI.reg_operands(Register(E.a)))) {
        auto It = Marked.find(&MO);
        if (It != Marked.end())
          MO.setReg(It->second);
      }
      Marked.clear();
      break;
    case PTX_COALESCE_REMOVE_PHYS_DEF:
      LIS.removePhysRegDefAt(
          MCRegister(E.a), LIS.getInstructionIndex(*get(E.instr)).getRegSlot());
      break;
    case PTX_COALESCE_ADD_PHYS_DEF:
      addPhysDef(LIS, *get(E.instr), MCRegister(E.a), E.b);
      break;
    case PTX_COALESCE_SET_OPCODE:
      get(E.instr)->setDesc(tii(MF).get(E.a));
      break;
    case PTX_COALESCE_SET_IMM:
      get(E.instr)->getOperand(E.a).setImm(E.b);
      break;
    case PTX_COALESCE_DEBUG_UNDEF:
      get(E.instr)->setDebugValueUndef();
      break;
    default:
      report_fatal_error("ptxpasses: unknown edit");
    }
  }
}

bool ptx_mi_is_as_cheap_as_a_move(const PtxInstr *MI) {
  return tii(*get(MI)).isAsCheapAsAMove(*get(MI));
}

bool ptx_mi_is_commutable(const PtxInstr *MI) {
  return get(MI)->isCommutable();
}

bool ptx_mi_is_rematerializable(const PtxInstr *MI) {
  return isReMaterializable(tii(*get(MI)), *get(MI));
}

bool ptx_mi_is_safe_to_move_without_store(const PtxInstr *MI,
                                          PtxAliasAnalysis *AA) {
  return isSafeToMove(*get(MI), get(AA), /*SeenStore=*/false);
}

bool ptx_tri_class_contains(const PtxFunction *MF, uint32_t ClassID,
                            uint32_t Phys) {
  return classNumbered(*get(MF), ClassID)->contains(physReg(*get(MF), Phys));
}

uint32_t ptx_mi_def_class(const PtxInstr *P) {
  const MachineInstr &MI = *get(P);
  const TargetRegisterClass *RC =
      regClassOfOperand(tii(MI), MI.getDesc(), 0, *MI.getMF());
  return RC ? RC->getID() : UINT32_MAX;
}

PtxInstr *ptx_mi_rematerialize_after(PtxInstr *P, const PtxInstr *Def,
                                     uint32_t Dst) {
  MachineBasicBlock::iterator After =
      std::next(MachineBasicBlock::iterator(get(P)));
  reMaterialize(tii(*get(Def)), *get(P)->getParent(), After, Register(Dst),
                *get(Def), tri(*get(Def)));
  return wrap(&*std::prev(After));
}

void ptx_mi_set_debug_loc_like(PtxInstr *MI, const PtxInstr *Like) {
  get(MI)->setDebugLoc(get(Like)->getDebugLoc());
}

void ptx_mi_append_operand_of(PtxInstr *MI, const PtxInstr *From,
                              uint32_t Index) {
  get(MI)->addOperand(get(From)->getOperand(Index));
}

void ptx_lis_replace_instr(PtxLiveIntervals *LIS, PtxInstr *From,
                           PtxInstr *To) {
  get(LIS)->ReplaceMachineInstrInMaps(*get(From), *get(To));
}

void ptx_coalesce_move_debug_values(PtxFunction *MF, uint32_t From, uint32_t To,
                                    PtxInstr *P) {
  MachineInstr &New = *get(P);
  for (MachineOperand &MO : make_early_inc_range(
           get(MF)->getRegInfo().use_operands(Register(From)))) {
    MachineInstr *MI = MO.getParent();
    if (!MI->isDebugInstr())
      continue;
    if (Register(To).isPhysical())
      MO.substPhysReg(MCRegister(To), tri(*get(MF)));
    else
      MO.setReg(To);
    New.getParent()->splice(std::next(New.getIterator()), MI->getParent(), MI);
  }
}

PtxInstr *ptx_coalesce_insert_copy(PtxBlock *P, PtxInstr *Before,
                                   const PtxInstr *Like, uint32_t Dst,
                                   uint32_t Src, PtxLiveIntervals *LIS,
                                   uint64_t *Slot) {
  MachineBasicBlock &MBB = *get(P);
  MachineInstr *MI =
      BuildMI(MBB,
              Before ? MachineBasicBlock::iterator(get(Before)) : MBB.end(),
              get(Like)->getDebugLoc(), tii(MBB).get(TargetOpcode::COPY),
              Register(Dst))
          .addReg(Register(Src));
  *Slot = toBits(get(LIS)->InsertMachineInstrInMaps(*MI));
  return wrap(MI);
}

PtxInstr *ptx_mi_commuted(PtxInstr *MI, uint32_t A, uint32_t B) {
  return wrap(
      tii(*get(MI)).commuteInstruction(*get(MI), /*NewMI=*/false, A, B));
}

bool ptx_mi_can_fold_as_load(const PtxInstr *MI) {
  return get(MI)->canFoldAsLoad();
}

PtxInstr *ptx_mi_fold_load(PtxInstr *MI, const uint32_t *Operands,
                           size_t NumOperands, PtxInstr *Load,
                           PtxLiveIntervals *LIS) {
  return wrap(foldMemoryOperand(tii(*get(MI)), *get(MI),
                                ArrayRef<unsigned>(Operands, NumOperands),
                                *get(Load), get(LIS)));
}

void ptx_mi_move_call_info(PtxInstr *From, PtxInstr *To) {
  moveCallInfo(*get(From), *get(To));
}

bool ptx_mi_is_ignorable_use(const PtxInstr *MI, uint32_t Index) {
  return isIgnorableUse(*get(MI), Index);
}

bool ptx_mri_is_constant_phys_reg(const PtxFunction *MF, uint32_t Reg) {
  return reservedRegs(*get(MF)).isConstantPhysReg(physReg(*get(MF), Reg));
}

bool ptx_mi_computes_the_same(const PtxInstr *A, const PtxInstr *B) {
  return get(A)->isIdenticalTo(*get(B), MachineInstr::IgnoreVRegDefs);
}

bool ptx_mri_recompute_class(PtxFunction *MF, uint32_t Reg) {
  classOfReg(*get(MF), Reg);
  const bool IsChange = get(MF)->getRegInfo().recomputeRegClass(Register(Reg));
  noteEdit(PTX_EDITED_CODE, IsChange);
  return IsChange;
}

void ptx_mf_verify(PtxHostPass *P, PtxFunction *MF, PtxStr Banner) {
  get(P)->verify(*get(MF), ref(Banner).str().c_str());
}

} // extern "C"
