// What the coalescer asks of LLVM, and what it does to the function.
#include "compat.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/RegisterClassInfo.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

// Every operand of Src becomes one of Dst, instruction by instruction in the
// order of the chain.
void rename(MachineFunction &MF, Register Src, Register Dst) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  if (Dst.isPhysical())
    MRI.clearKillFlags(Src);
  for (MachineInstr &MI : make_early_inc_range(MRI.reg_instructions(Src)))
    for (MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.getReg() == Src)
        MO.setReg(Dst);
  tri(MF).updateRegAllocHint(Src, Dst, MF);
}

void erase(LiveIntervals &LIS, MachineInstr &MI) {
  LIS.RemoveMachineInstrFromMaps(MI);
  MI.eraseFromParent();
}

void toImplicitDef(MachineInstr &MI) {
  for (unsigned I = MI.getNumOperands(); I != 0; --I) {
    const MachineOperand &MO = MI.getOperand(I - 1);
    if (!MO.isReg() || MO.isUse())
      MI.removeOperand(I - 1);
  }
  MI.setDesc(tii(MI).get(TargetOpcode::IMPLICIT_DEF));
}

void toKill(MachineInstr &MI) {
  MI.setDesc(tii(MI).get(TargetOpcode::KILL));
  for (unsigned I = MI.getNumOperands(); I != 0; --I) {
    const MachineOperand &MO = MI.getOperand(I - 1);
    if (!MO.isReg() || !MO.getReg().isPhysical())
      MI.removeOperand(I - 1);
  }
  if (ptx_version_facts.kill_drops_mem_refs)
    MI.dropMemRefs(*MI.getMF());
}

// What the edits behind number I will touch was read long ago and is scattered:
// instructions are fetched well ahead, then what they point to.
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
  } else if (Next.what == PTX_COALESCE_RENAME) {
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

bool ptx_mbb_has_eh_pad_successor(const PtxBlock *MBB) {
  return get(MBB)->hasEHPadSuccessor();
}

bool ptx_mbb_is_split_edge(const PtxBlock *P) {
  const MachineBasicBlock &MBB = *get(P);
  if (MBB.pred_size() != 1 || MBB.succ_size() != 1)
    return false;
  for (const MachineInstr &MI : MBB)
    if (!MI.isCopyLike() && !MI.isUnconditionalBranch())
      return false;
  return true;
}

uint32_t ptx_tri_common_sub_class(const PtxFunction *MF, uint32_t A,
                                  uint32_t B) {
  const TargetRegisterInfo &TRI = tri(*get(MF));
  const TargetRegisterClass *RC =
      TRI.getCommonSubClass(TRI.getRegClass(A), TRI.getRegClass(B));
  return RC ? RC->getID() : UINT32_MAX;
}

void ptx_class_info(PtxFunction *MF, uint32_t ClassID, PtxClassInfo *Out) {
  const TargetRegisterClass *RC = tri(*get(MF)).getRegClass(ClassID);
  RegisterClassInfo Info;
  Info.runOnMachineFunction(*get(MF));
  *Out = {Info.getNumAllocatableRegs(RC),
          unsigned(tri(*get(MF)).getRegSizeInBits(*RC)),
          Info.isProperSubClass(RC)};
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
    switch (E.what) {
    case PTX_COALESCE_RENAME:
      rename(MF, E.a, E.b);
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
    case PTX_COALESCE_TO_IMPLICIT_DEF:
      toImplicitDef(*get(E.instr));
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
    case PTX_COALESCE_ADD_PHYS_DEF: {
      SlotIndex Slot = LIS.getInstructionIndex(*get(E.instr)).getRegSlot();
      for (auto Unit : tri(MF).regunits(MCRegister(E.a)))
        LIS.getRegUnit(Unit).createDeadDef(Slot, LIS.getVNInfoAllocator());
      break;
    }
    case PTX_COALESCE_TO_KILL:
      toKill(*get(E.instr));
      break;
    case PTX_COALESCE_TO_COPY:
      get(E.instr)->setDesc(tii(MF).get(TargetOpcode::COPY));
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

uint32_t ptx_coalesce_properties(const PtxInstr *P, PtxAliasAnalysis *AA) {
  const MachineInstr &MI = *get(P);
  uint32_t Properties = 0;
  auto Add = [&](bool B, uint32_t Flag) { Properties |= B ? Flag : 0; };
  Add(isReMaterializable(tii(MI), MI), PTX_COALESCE_REMATERIALIZABLE);
  Add(isSafeToMove(MI, get(AA), /*SeenStore=*/false),
      PTX_COALESCE_SAFE_TO_MOVE);
  Add(MI.getDesc().getNumDefs() == 1, PTX_COALESCE_ONE_DEF);
  Add(isSafeToMove(MI, get(AA), /*SeenStore=*/true),
      PTX_COALESCE_SAFE_PAST_STORES);
  Add(MI.isInlineAsm(), PTX_COALESCE_INLINE_ASM);
  return Properties;
}

bool ptx_mri_class_contains(const PtxFunction *MF, uint32_t Reg,
                            uint32_t Phys) {
  return get(MF)
      ->getRegInfo()
      .getRegClass(Register(Reg))
      ->contains(Register(Phys));
}

bool ptx_coalesce_can_define(const PtxInstr *P, uint32_t Phys) {
  const MachineInstr &MI = *get(P);
  return MI.isImplicitDef() ||
         regClassOfOperand(tii(MI), MI.getDesc(), 0, *MI.getMF())
             ->contains(Register(Phys));
}

PtxInstr *ptx_coalesce_rematerialize(PtxInstr *PDef, PtxInstr *PCopy,
                                     uint32_t DstReg, uint32_t NewClass,
                                     PtxLiveIntervals *PLIS) {
  MachineInstr &Def = *get(PDef), &Copy = *get(PCopy);
  MachineBasicBlock &MBB = *Copy.getParent();
  MachineFunction &MF = *MBB.getParent();
  LiveIntervals &LIS = *get(PLIS);
  const TargetRegisterInfo &TRI = tri(MF);
  Register Dst(DstReg);
  const TargetRegisterClass *RC = nullptr;
  if (Dst.isVirtual()) {
    RC = TRI.getRegClass(NewClass);
    if (const TargetRegisterClass *DefRC =
            regClassOfOperand(tii(Def), Def.getDesc(), 0, MF))
      RC = TRI.getCommonSubClass(RC, DefRC);
    if (!RC)
      return nullptr;
  }

  MachineBasicBlock::iterator Behind =
      std::next(MachineBasicBlock::iterator(Copy));
  reMaterialize(tii(Def), MBB, Behind, Dst, Def, TRI);
  MachineInstr &New = *std::prev(Behind);
  clearRematDeads(New, Dst);
  LIS.ReplaceMachineInstrInMaps(Copy, New);
  New.setDebugLoc(Copy.getDebugLoc());
  SmallVector<MachineOperand, 4> Implicit;
  for (unsigned I = Copy.getDesc().getNumOperands(), E = Copy.getNumOperands();
       I != E; ++I) {
    const MachineOperand &MO = Copy.getOperand(I);
    if (MO.isReg() && (ptx_version_facts.remat_keeps_virtual_implicits ||
                       MO.getReg().isPhysical()))
      Implicit.push_back(MO);
  }
  Copy.eraseFromParent();

  SmallVector<MCRegister, 4> ImplicitDefs;
  for (const MachineOperand &MO :
       llvm::drop_begin(New.operands(), New.getDesc().getNumOperands()))
    if (MO.isReg() && MO.isDef() && MO.getReg().isPhysical())
      ImplicitDefs.push_back(MO.getReg().asMCReg());
  SlotIndex Slot = LIS.getInstructionIndex(New).getRegSlot();
  auto DefineUnits = [&](MCRegister Reg) {
    for (auto Unit : TRI.regunits(Reg))
      if (LiveRange *LR = LIS.getCachedRegUnit(Unit))
        LR->createDeadDef(Slot, LIS.getVNInfoAllocator());
  };
  MachineOperand &NewDef = New.getOperand(0);
  if (RC) {
    MF.getRegInfo().setRegClass(Dst, RC);
    NewDef.setIsUndef(false);
  } else if (NewDef.getReg() != Dst) {
    // It defines part of what is asked for, so it defines the whole implicitly.
    NewDef.setIsDead(true);
    if (!ptx_version_facts.remat_keeps_virtual_implicits ||
        !is_contained(ImplicitDefs, Dst.asMCReg()))
      New.addOperand(MachineOperand::CreateReg(Dst, /*isDef=*/true,
                                               /*isImp=*/true));
    DefineUnits(New.getOperand(0).getReg().asMCReg());
  }
  for (MachineOperand &MO : Implicit)
    New.addOperand(MO);
  for (MCRegister Reg : ImplicitDefs)
    DefineUnits(Reg);
  return wrap(&New);
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

PtxInstr *ptx_coalesce_commute(PtxInstr *P, uint32_t A, uint32_t B,
                               PtxLiveIntervals *LIS) {
  MachineInstr &MI = *get(P);
  MachineInstr *New = tii(MI).commuteInstruction(MI, /*NewMI=*/false, A, B);
  if (New && New != &MI) {
    get(LIS)->ReplaceMachineInstrInMaps(MI, *New);
    MI.getParent()->insert(MI.getIterator(), New);
    MI.eraseFromParent();
  }
  return New ? wrap(New) : nullptr;
}

bool ptx_mi_can_fold_as_load(const PtxInstr *MI) {
  return get(MI)->canFoldAsLoad();
}

PtxInstr *ptx_coalesce_fold_load(PtxInstr *P, PtxInstr *Load, uint32_t Reg,
                                 PtxLiveIntervals *LIS) {
  MachineInstr &MI = *get(P);
  SmallVector<unsigned, 8> Operands;
  if (MI.readsWritesVirtualRegister(Register(Reg), &Operands).second)
    return nullptr;
  MachineInstr *New =
      tii(MI).foldMemoryOperand(MI, Operands, *get(Load), get(LIS));
  if (!New)
    return nullptr;
  get(LIS)->ReplaceMachineInstrInMaps(MI, *New);
  moveCallInfo(MI, *New);
  MI.eraseFromParent();
  return wrap(New);
}

bool ptx_mi_is_ignorable_use(const PtxInstr *P, uint32_t Index) {
  const MachineOperand &MO = get(P)->getOperand(Index);
  return get(P)->getMF()->getRegInfo().isConstantPhysReg(MO.getReg()) ||
         tii(*get(P)).isIgnorableUse(MO);
}

bool ptx_mri_is_constant_phys_reg(const PtxFunction *MF, uint32_t Reg) {
  return get(MF)->getRegInfo().isConstantPhysReg(MCRegister(Reg));
}

bool ptx_coalesce_is_read_between(PtxInstr *Def, PtxInstr *Copy, uint32_t Reg) {
  const TargetRegisterInfo &TRI = tri(*get(Def));
  return any_of(make_range(std::next(MachineBasicBlock::iterator(get(Def))),
                           MachineBasicBlock::iterator(get(Copy))),
                [&](const MachineInstr &MI) {
                  return !MI.isDebugOrPseudoInstr() &&
                         readsRegister(MI, Register(Reg), &TRI);
                });
}

bool ptx_mi_computes_the_same(const PtxInstr *A, const PtxInstr *B) {
  return get(A)->isIdenticalTo(*get(B), MachineInstr::IgnoreVRegDefs);
}

bool ptx_mri_recompute_class(PtxFunction *MF, uint32_t Reg) {
  return get(MF)->getRegInfo().recomputeRegClass(Register(Reg));
}

void ptx_mf_verify(PtxHostPass *P, PtxFunction *MF, PtxStr Banner) {
  verify(*get(MF), *get(P), ref(Banner).str().c_str());
}

} // extern "C"
