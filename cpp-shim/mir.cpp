// MachineFunction, MachineBasicBlock, MachineInstr and registers as plain
// calls.
#include "compat.h"
#include "instr.h"
#include "operand.h"

#include "llvm/Analysis/LoopInfo.h"

#include <cstring>

using namespace llvm;
using namespace ptxpasses;

namespace {

MachineBasicBlock::iterator iteratorOrEnd(MachineBasicBlock &MBB,
                                          PtxInstr *MI) {
  return MI ? MachineBasicBlock::iterator(get(MI)) : MBB.end();
}

PtxInstr *orNull(MachineBasicBlock &MBB, MachineBasicBlock::iterator I) {
  return I == MBB.end() ? nullptr : wrap(&*I);
}

} // namespace

extern "C" {

// ---- function and block -------------------------------------------------

const PtxIrFunction *ptx_mf_ir(const PtxFunction *MF) {
  return wrap(const_cast<Function *>(&get(MF)->getFunction()));
}

PtxStr ptx_ir_name(const PtxIrFunction *F) { return str(get(F)->getName()); }

PtxStr ptx_ir_module_name(const PtxIrFunction *F) {
  return str(get(F)->getParent()->getModuleIdentifier());
}

uint32_t ptx_mf_number(const PtxFunction *MF) {
  return get(MF)->getFunctionNumber();
}

uint32_t ptx_mf_num_virt_regs(const PtxFunction *MF) {
  return get(MF)->getRegInfo().getNumVirtRegs();
}

uint64_t ptx_mf_instruction_count(const PtxFunction *MF) {
  return get(MF)->getInstructionCount();
}

void ptx_mf_leave_ssa(PtxFunction *MF) { get(MF)->getRegInfo().leaveSSA(); }

void ptx_mf_set_tied_ops_rewritten(PtxFunction *MF) {
  setTiedOpsRewritten(*get(MF));
}

PtxBlock *ptx_mf_first_block(PtxFunction *MF) {
  return get(MF)->empty() ? nullptr : wrap(&get(MF)->front());
}

PtxBlock *ptx_mbb_next(PtxBlock *MBB) {
  auto I = std::next(get(MBB)->getIterator());
  return I == get(MBB)->getParent()->end() ? nullptr : wrap(&*I);
}

PtxInstr *ptx_mbb_first(PtxBlock *MBB) {
  return get(MBB)->empty() ? nullptr : wrap(&*get(MBB)->begin());
}

PtxInstr *ptx_mbb_last(PtxBlock *MBB) {
  return get(MBB)->empty() ? nullptr : wrap(&*std::prev(get(MBB)->end()));
}

void ptx_mf_set_no_phis(PtxFunction *MF) { setNoPHIs(*get(MF)); }

bool ptx_mf_requires_structured_cfg(const PtxFunction *MF) {
  return get(MF)->getTarget().requiresStructuredCFG();
}

PtxBlock *ptx_mf_block_numbered(PtxFunction *MF, uint32_t Number) {
  return wrap(get(MF)->getBlockNumbered(Number));
}

void ptx_mf_add_debug_phi(PtxFunction *MF, uint32_t Number, PtxBlock *MBB,
                          uint32_t Reg) {
  MachineFunction::DebugPHIRegallocPos Pos(get(MBB), Reg, /*SubReg=*/0);
  get(MF)->DebugPHIPositions.insert({Number, Pos});
}

uint32_t ptx_mbb_number(const PtxBlock *MBB) { return get(MBB)->getNumber(); }

uint32_t ptx_mbb_flags(const PtxBlock *MBB) {
  return (get(MBB)->isEHPad() ? PTX_MBB_EH_PAD : 0) |
         (get(MBB)->isInlineAsmBrIndirectTarget() ? PTX_MBB_ASM_BR_TARGET : 0);
}

uint32_t ptx_mbb_num_predecessors(const PtxBlock *MBB) {
  return get(MBB)->pred_size();
}

uint32_t ptx_mbb_num_successors(const PtxBlock *MBB) {
  return get(MBB)->succ_size();
}

PtxBlock *ptx_mbb_predecessor(PtxBlock *MBB, uint32_t Index) {
  return wrap(get(MBB)->pred_begin()[Index]);
}

PtxBlock *ptx_mbb_successor(PtxBlock *MBB, uint32_t Index) {
  return wrap(get(MBB)->succ_begin()[Index]);
}

PtxInstr *ptx_mbb_first_terminator(PtxBlock *MBB) {
  return orNull(*get(MBB), get(MBB)->getFirstTerminator());
}

PtxInstr *ptx_mbb_skip_phis_and_labels(PtxBlock *MBB, PtxInstr *From) {
  MachineBasicBlock &B = *get(MBB);
  return orNull(B, B.SkipPHIsAndLabels(iteratorOrEnd(B, From)));
}

void ptx_mbb_splice(PtxBlock *MBB, PtxInstr *Before, PtxInstr *First,
                    PtxInstr *Last) {
  MachineBasicBlock &B = *get(MBB);
  B.splice(iteratorOrEnd(B, Before), &B, iteratorOrEnd(B, First),
           iteratorOrEnd(B, Last));
}

void ptx_mbb_insert_before(PtxBlock *MBB, PtxInstr *Before, PtxInstr *MI) {
  MachineBasicBlock &B = *get(MBB);
  B.insert(iteratorOrEnd(B, Before), get(MI));
}

bool ptx_mbb_loop_metadata(const PtxBlock *MBB, PtxStr Name, uint64_t *Value) {
  const BasicBlock *BB = get(MBB)->getBasicBlock();
  const Instruction *Branch = BB ? BB->getTerminator() : nullptr;
  MDNode *Loop = Branch ? Branch->getMetadata(LLVMContext::MD_loop) : nullptr;
  const MDNode *Entry = findOptionMDForLoopID(Loop, ref(Name));
  if (!Entry)
    return false;
  auto *Number = Entry->getNumOperands() > 1
                     ? mdconst::dyn_extract<ConstantInt>(Entry->getOperand(1))
                     : nullptr;
  *Value = Number ? Number->getZExtValue() : 0;
  return true;
}

PtxInstr *ptx_mbb_insert_assembly(PtxBlock *MBB, PtxInstr *Before,
                                  PtxStr Text) {
  MachineBasicBlock &B = *get(MBB);
  const char *Symbol = B.getParent()->createExternalSymbolName(ref(Text));
  return wrap(BuildMI(B, iteratorOrEnd(B, Before), DebugLoc(),
                      tii(B).get(TargetOpcode::INLINEASM))
                  .addExternalSymbol(Symbol)
                  .addImm(InlineAsm::Extra_HasSideEffects)
                  .getInstr());
}

// ---- reading an instruction ---------------------------------------------

void ptx_mi_facts(PtxInstr *P, PtxInstrFacts *Out) {
  MachineInstr &MI = *get(P);
  Out->next = ptx_mi_next(P);
  Out->num_operands = MI.getNumOperands();

  Out->kind = kindOf(MI);
  Out->opcode = MI.getOpcode();

  uint32_t Flags = 0;
  for (const MachineOperand &MO : MI.operands()) {
    if (MO.isReg()) {
      if (MO.isUse()) {
        if (MO.isTied())
          Flags |= PTX_MI_TIED_USE;
        if (MO.getReg().isPhysical())
          Flags |= PTX_MI_PHYS_USE;
      } else if (MO.getReg().isPhysical()) {
        Flags |= PTX_MI_PHYS_DEF;
      } else if (!MO.isImplicit()) {
        Flags |= Flags & PTX_MI_RESULT ? PTX_MI_SEVERAL_RESULTS : PTX_MI_RESULT;
      }
    } else if (MO.isRegMask()) {
      Flags |= PTX_MI_REG_MASK;
    }
  }
  Out->flags = Flags;
}

uint32_t ptx_mi_properties(const PtxInstr *MI) {
  return propertiesOf(*get(MI));
}

uint32_t ptx_mi_num_operands(const PtxInstr *MI) {
  return get(MI)->getNumOperands();
}

uint32_t ptx_mi_num_explicit_operands_of_desc(const PtxInstr *MI) {
  return get(MI)->getDesc().getNumOperands();
}

uint32_t ptx_mi_num_explicit_operands(const PtxInstr *MI) {
  return get(MI)->getNumExplicitOperands();
}

uint32_t ptx_mi_num_defs_of_desc(const PtxInstr *MI) {
  return get(MI)->getDesc().getNumDefs();
}

PtxInstr *ptx_mi_next(PtxInstr *P) {
  MachineBasicBlock::iterator I(get(P));
  return ++I == get(P)->getParent()->end() ? nullptr : wrap(&*I);
}

PtxInstr *ptx_mi_prev(PtxInstr *P) {
  MachineBasicBlock::iterator I(get(P));
  return I == get(P)->getParent()->begin() ? nullptr : wrap(&*--I);
}

PtxBlock *ptx_mi_block(PtxInstr *MI) { return wrap(get(MI)->getParent()); }

PtxFunction *ptx_mi_function(PtxInstr *MI) { return wrap(get(MI)->getMF()); }

uint64_t ptx_mi_operand(const PtxInstr *MI, uint32_t Index) {
  return pack(get(MI)->getOperand(Index));
}

void ptx_mi_operands(const PtxInstr *MI, uint64_t *Out, uint32_t N) {
  const MachineOperand *MO = get(MI)->operands_begin();
  for (uint32_t I = 0; I != N; ++I)
    Out[I] = pack(MO[I]);
}

bool ptx_mi_regmask_clobbers(const PtxInstr *MI, uint32_t Index,
                             uint32_t PhysReg) {
  return get(MI)->getOperand(Index).clobbersPhysReg(PhysReg);
}

const uint32_t *ptx_mi_regmask(const PtxInstr *MI, uint32_t Index) {
  return get(MI)->getOperand(Index).getRegMask();
}

uint32_t ptx_mi_tied_def(const PtxInstr *MI, uint32_t Index) {
  return get(MI)->findTiedOperandIdx(Index);
}

uint32_t ptx_inline_asm_first_operand(void) {
  return InlineAsm::MIOp_FirstOperand;
}

PtxStr ptx_mi_assembly_text(const PtxInstr *MI) {
  return str(get(MI)->getOperand(InlineAsm::MIOp_AsmString).getSymbolName());
}

bool ptx_mi_is_safe_to_move(const PtxInstr *MI, PtxAliasAnalysis *AA) {
  return isSafeToMove(*get(MI), get(AA), /*SeenStore=*/true);
}

bool ptx_mi_only_mem_operand(const PtxInstr *MI, PtxMemOperand *Out) {
  if (!get(MI)->hasOneMemOperand())
    return false;
  const MachineMemOperand &MMO = **get(MI)->memoperands_begin();
  *Out = {MMO.getAddrSpace(), MMO.isInvariant(), MMO.getValue() != nullptr};
  return true;
}

uint32_t ptx_mi_latency(const PtxInstr *P) {
  const MachineInstr &MI = *get(P);
  return tii(MI).getInstrLatency(
      MI.getMF()->getSubtarget().getInstrItineraryData(), MI);
}

void ptx_mf_print(const PtxFunction *MF) { get(MF)->print(errs()); }

uint32_t ptx_mi_opcode(const PtxInstr *MI) { return get(MI)->getOpcode(); }

PtxInstrKind ptx_mi_kind(const PtxInstr *MI) { return kindOf(*get(MI)); }

bool ptx_mi_reads_register(const PtxInstr *MI, uint32_t Reg) {
  return readsRegister(*get(MI), Reg);
}

bool ptx_mi_kills_register(const PtxInstr *MI, uint32_t Reg) {
  return killsRegister(*get(MI), Reg);
}

uint32_t ptx_mi_debug_number(const PtxInstr *MI) {
  return get(MI)->peekDebugInstrNum();
}

// ---- changing an instruction --------------------------------------------

void ptx_mi_set_operand_reg(PtxInstr *MI, uint32_t Index, uint32_t Reg,
                            uint32_t SubReg) {
  MachineOperand &MO = get(MI)->getOperand(Index);
  MO.setReg(Reg);
  MO.setSubReg(SubReg);
}

void ptx_mi_set_operand_subreg(PtxInstr *MI, uint32_t Index, uint32_t SubReg) {
  get(MI)->getOperand(Index).setSubReg(SubReg);
}

void ptx_mi_set_operand_flag(PtxInstr *MI, uint32_t Index, PtxOperandFlag Which,
                             bool Value) {
  MachineOperand &MO = get(MI)->getOperand(Index);
  switch (Which) {
  case PTX_FLAG_KILL:
    MO.setIsKill(Value);
    return;
  case PTX_FLAG_UNDEF:
    MO.setIsUndef(Value);
    return;
  case PTX_FLAG_DEAD:
    MO.setIsDead(Value);
    return;
  case PTX_FLAG_EARLY_CLOBBER:
    MO.setIsEarlyClobber(Value);
    return;
  }
  report_fatal_error("ptxpasses: unknown operand flag");
}

void ptx_mi_remove_operand(PtxInstr *MI, uint32_t Index) {
  get(MI)->removeOperand(Index);
}

int64_t ptx_mi_immediate(const PtxInstr *MI, uint32_t Index) {
  return get(MI)->getOperand(Index).getImm();
}

void ptx_mi_set_opcode(PtxInstr *MI, uint32_t Opcode) {
  get(MI)->setDesc(tii(*get(MI)).get(Opcode));
  get(MI)->setFlags(0);
}

void ptx_mi_set_immediate(PtxInstr *MI, uint32_t Index, int64_t Value) {
  get(MI)->getOperand(Index).ChangeToImmediate(Value);
}

void ptx_mi_add_immediate(PtxInstr *MI, int64_t Value) {
  get(MI)->addOperand(MachineOperand::CreateImm(Value));
}

void ptx_mi_add_use(PtxInstr *MI, uint32_t Reg) {
  get(MI)->addOperand(
      MachineOperand::CreateReg(Register(Reg), /*isDef=*/false));
}

static const TargetRegisterClass *classOfResult(const MachineFunction &MF,
                                                const MCInstrDesc &Desc) {
  return tri(MF).getRegClass(Desc.operands()[0].RegClass);
}

static PtxInstr *insertOperation(MachineInstr &Like,
                                 MachineBasicBlock::iterator Place,
                                 uint32_t Opcode) {
  MachineFunction &MF = *Like.getMF();
  const MCInstrDesc &Desc = tii(Like).get(Opcode);
  Register Result =
      MF.getRegInfo().createVirtualRegister(classOfResult(MF, Desc));
  return wrap(
      BuildMI(*Like.getParent(), Place, Like.getDebugLoc(), Desc, Result)
          .getInstr());
}

PtxInstr *ptx_mi_insert_operation(PtxInstr *Before, uint32_t Opcode) {
  return insertOperation(*get(Before), get(Before), Opcode);
}

PtxInstr *ptx_mi_insert_operation_behind(PtxInstr *P, uint32_t Opcode) {
  MachineInstr &MI = *get(P);
  MachineBasicBlock &MBB = *MI.getParent();
  auto Place = std::next(MachineBasicBlock::iterator(MI));
  if (MI.isPHI())
    Place = MBB.SkipPHIsAndLabels(Place);
  return insertOperation(MI, Place, Opcode);
}

uint32_t ptx_mi_symbol_space(const PtxInstr *MI, uint32_t Index) {
  const MachineOperand &MO = get(MI)->getOperand(Index);
  return MO.isGlobal() ? MO.getGlobal()->getAddressSpace() : UINT32_MAX;
}

uint32_t ptx_mi_clone_before(const PtxInstr *P, PtxBlock *MBB, PtxInstr *Before,
                             const PtxInstr *At) {
  MachineBasicBlock &B = *get(MBB);
  MachineFunction &MF = *B.getParent();
  MachineInstr *MI = MF.CloneMachineInstr(get(P));
  MI->setDebugLoc(get(At)->getDebugLoc());
  const Register Result =
      MF.getRegInfo().cloneVirtualRegister(MI->getOperand(0).getReg());
  MI->getOperand(0).setReg(Result);
  B.insert(iteratorOrEnd(B, Before), MI);
  return Result;
}

void ptx_mi_move_before(PtxInstr *P, PtxBlock *MBB, PtxInstr *Before) {
  MachineBasicBlock &B = *get(MBB);
  B.splice(iteratorOrEnd(B, Before), get(P)->getParent(), *get(P));
}

uint32_t ptx_mf_opcode_named(const PtxFunction *MF, PtxStr Name,
                             uint32_t Near) {
  const TargetInstrInfo &TII = tii(*get(MF));
  const StringRef Wanted = ref(Name);
  auto Is = [&](uint32_t Opcode) {
    // Of most names the first letter is looked at, and not the length.
    const char *Has = TII.getName(Opcode).data();
    return *Has == Wanted.front() && Wanted == Has;
  };
  const uint32_t E = TII.getNumOpcodes();
  for (uint32_t Distance = 0; Distance < E; ++Distance) {
    if (Near + Distance < E && Is(Near + Distance))
      return Near + Distance;
    if (Distance <= Near && Is(Near - Distance))
      return Near - Distance;
  }
  return UINT32_MAX;
}

PtxStr ptx_ir_attribute(const PtxIrFunction *F, PtxStr Name) {
  return str(get(F)->getFnAttribute(ref(Name)).getValueAsString());
}

size_t ptx_ir_annotations(const PtxIrFunction *P, PtxAnnotation *Out,
                          size_t Capacity) {
  const Function &F = *get(P);
  const NamedMDNode *All = F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!All)
    return 0;
  size_t Count = 0;
  for (const MDNode *Node : All->operands()) {
    const unsigned N = Node->getNumOperands();
    const auto *Of =
        N ? dyn_cast_or_null<ValueAsMetadata>(Node->getOperand(0)) : nullptr;
    if (!Of || Of->getValue() != &F)
      continue;
    for (unsigned I = 1; I + 1 < N; I += 2) {
      const auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(I));
      const auto *Value =
          mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(I + 1));
      if (Name && Value && Count++ < Capacity)
        *Out++ = {str(Name->getString()), Value->getZExtValue()};
    }
  }
  return Count;
}

void ptx_mi_set_kind(PtxInstr *MI, PtxInstrKind Kind) {
  const TargetInstrInfo &TII = tii(*get(MI));
  switch (Kind) {
  case PTX_KIND_COPY:
    get(MI)->setDesc(TII.get(TargetOpcode::COPY));
    return;
  case PTX_KIND_IMPLICIT_DEF:
    get(MI)->setDesc(TII.get(TargetOpcode::IMPLICIT_DEF));
    return;
  case PTX_KIND_KILL:
    get(MI)->setDesc(TII.get(TargetOpcode::KILL));
    return;
  default:
    report_fatal_error("ptxpasses: no instruction is made one of that kind");
  }
}

void ptx_mi_erase(PtxInstr *MI) { get(MI)->eraseFromParent(); }

void ptx_mi_remove_from_block(PtxInstr *MI) { get(MI)->removeFromParent(); }

void ptx_mi_delete(PtxFunction *MF, PtxInstr *MI) {
  get(MF)->deleteMachineInstr(get(MI));
}

PtxInstr *ptx_mbb_insert_implicit_def(PtxBlock *MBB, PtxInstr *Before,
                                      const PtxInstr *Like, uint32_t Reg) {
  MachineBasicBlock &B = *get(MBB);
  return wrap(BuildMI(B, iteratorOrEnd(B, Before), get(Like)->getDebugLoc(),
                      tii(B).get(TargetOpcode::IMPLICIT_DEF), Register(Reg))
                  .getInstr());
}

PtxInstr *ptx_mbb_insert_phi_destination_copy(PtxBlock *MBB, PtxInstr *Before,
                                              const PtxInstr *Like,
                                              uint32_t Src, uint32_t Dst) {
  MachineBasicBlock &B = *get(MBB);
  return wrap(tii(B).createPHIDestinationCopy(
      B, iteratorOrEnd(B, Before), get(Like)->getDebugLoc(), Src, Dst));
}

PtxInstr *ptx_mbb_insert_phi_source_copy(PtxBlock *MBB, PtxInstr *Before,
                                         uint32_t Src, uint32_t SrcSubReg,
                                         uint32_t Dst) {
  MachineBasicBlock &B = *get(MBB);
  return wrap(tii(B).createPHISourceCopy(B, iteratorOrEnd(B, Before),
                                         DebugLoc(), Src, SrcSubReg, Dst));
}

PtxInstr *ptx_mi_insert_copy(PtxInstr *Before, uint32_t Dst, uint32_t Src,
                             uint32_t SrcSubReg) {
  MachineInstr &MI = *get(Before);
  return wrap(BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
                      tii(MI).get(TargetOpcode::COPY), Register(Dst))
                  .addReg(Src, {}, SrcSubReg)
                  .getInstr());
}

PtxInstr *ptx_mi_insert_copy_of_operand(PtxInstr *Before, uint32_t Dst,
                                        uint32_t DstSubReg, uint32_t Index) {
  MachineInstr &MI = *get(Before);
  return wrap(BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
                      tii(MI).get(TargetOpcode::COPY))
                  .addReg(Dst, RegState::Define, DstSubReg)
                  .add(MI.getOperand(Index))
                  .getInstr());
}

void ptx_mi_replace_reg_in_bundle(PtxInstr *MI, uint32_t From, uint32_t To) {
  for (MachineOperand &MO : mi_bundle_ops(*get(MI)))
    if (MO.isReg() && MO.getReg() == Register(From))
      MO.setReg(To);
}

// ---- target hooks -------------------------------------------------------

bool ptx_mi_operands_commute(const PtxInstr *MI, uint32_t *A, uint32_t *B) {
  unsigned X = *A, Y = *B;
  bool Found = tii(*get(MI)).findCommutedOpIndices(*get(MI), X, Y);
  *A = X;
  *B = Y;
  return Found;
}

bool ptx_mi_commutes_with_any(const PtxInstr *MI, uint32_t A, uint32_t *B) {
  unsigned X = TargetInstrInfo::CommuteAnyOperandIndex, Y = A;
  bool Found = tii(*get(MI)).findCommutedOpIndices(*get(MI), X, Y);
  *B = X;
  return Found;
}

bool ptx_mi_commute(PtxInstr *MI, uint32_t A, uint32_t B) {
  return tii(*get(MI)).commuteInstruction(*get(MI), /*NewMI=*/false, A, B);
}

bool ptx_mi_commute_preference(const PtxInstr *MI, bool *Commute) {
  // The hook takes a mutable instruction and does not change it.
  auto &M = *const_cast<MachineInstr *>(get(MI));
  return tii(M).hasCommutePreference(M, *Commute);
}

PtxInstr *ptx_mi_convert_to_three_address(PtxInstr *MI, PtxLiveVariables *LV,
                                          PtxLiveIntervals *LIS) {
  return wrap(convertToThreeAddress(*get(MI), get(LV), get(LIS)));
}

void ptx_mi_substitute_debug_value(PtxInstr *From, PtxInstr *To) {
  MachineInstr &Old = *get(From), &New = *get(To);
  Old.getMF()->makeDebugValueSubstitution(
      {Old.peekDebugInstrNum(), Old.defs().begin()->getOperandNo()},
      {New.getDebugInstrNum(), New.defs().begin()->getOperandNo()});
}

bool ptx_mi_unfolded_load(const PtxInstr *MI, PtxUnfoldedLoad *Out) {
  const TargetInstrInfo &TII = tii(*get(MI));
  unsigned RegIndex = 0;
  unsigned Opcode =
      TII.getOpcodeAfterMemoryUnfold(get(MI)->getOpcode(), /*UnfoldLoad=*/true,
                                     /*UnfoldStore=*/false, &RegIndex);
  *Out = {Opcode, Opcode ? TII.get(Opcode).getNumDefs() : 0, RegIndex};
  return Opcode;
}

bool ptx_mi_unfold_load(PtxInstr *P, const PtxUnfoldedLoad *Unfolded,
                        PtxInstr **Load, PtxInstr **Op, uint32_t *Reg) {
  MachineInstr &MI = *get(P);
  MachineFunction &MF = *MI.getMF();
  const TargetInstrInfo &TII = tii(MI);
  const TargetRegisterClass *RC = tri(MF).getAllocatableClass(regClassOfOperand(
      TII, TII.get(Unfolded->opcode), Unfolded->reg_index, MF));
  Register R = MF.getRegInfo().createVirtualRegister(RC);
  SmallVector<MachineInstr *, 2> New;
  if (!TII.unfoldMemoryOperand(MF, MI, R, /*UnfoldLoad=*/true,
                               /*UnfoldStore=*/false, New))
    return false;
  if (New.size() != 2)
    report_fatal_error("ptxpasses: a load was unfolded into other than two "
                       "instructions");
  *Load = wrap(New[0]);
  *Op = wrap(New[1]);
  *Reg = R;
  return true;
}

void ptx_mi_add_register_killed(PtxInstr *MI, uint32_t Reg,
                                bool AddIfNotFound) {
  get(MI)->addRegisterKilled(Reg, &tri(*get(MI)), AddIfNotFound);
}

void ptx_mi_add_register_dead(PtxInstr *MI, uint32_t Reg, bool AddIfNotFound) {
  get(MI)->addRegisterDead(Reg, &tri(*get(MI)), AddIfNotFound);
}

void ptx_mi_add_implicit(PtxInstr *MI, uint32_t Reg, bool Def, bool Kill) {
  get(MI)->addOperand(
      MachineOperand::CreateReg(Reg, Def, /*isImp=*/true, Kill));
}

bool ptx_mi_def_is_dead(const PtxInstr *MI, uint32_t Reg) {
  return registerDefIsDead(*get(MI), Reg);
}

// ---- registers ----------------------------------------------------------

// reg_iterator is one pointer to an operand; the cursor carries its bytes.
using RegIterator = MachineRegisterInfo::reg_iterator;
static_assert(sizeof(RegIterator) == sizeof(PtxRegCursor) &&
              std::is_trivially_copyable_v<RegIterator>);

PtxRegCursor ptx_mri_operands(PtxFunction *MF, uint32_t Reg) {
  RegIterator I = get(MF)->getRegInfo().reg_begin(Reg);
  PtxRegCursor C;
  std::memcpy(&C, &I, sizeof C);
  return C;
}

PtxInstr *ptx_mri_def(PtxFunction *MF, uint32_t Reg, PtxInstrKind *Kind,
                      bool *IsUnspillableTerminator) {
  MachineInstr *Def = get(MF)->getRegInfo().getVRegDef(Reg);
  if (Def) {
    *Kind = kindOf(*Def);
    *IsUnspillableTerminator = tii(*Def).isUnspillableTerminator(Def);
  }
  return wrap(Def);
}

bool ptx_mri_next_operand(PtxRegCursor *Cursor, PtxRegOperand *Out) {
  if (!Cursor->position)
    return false;
  RegIterator I;
  std::memcpy(static_cast<void *>(&I), Cursor, sizeof I);
  MachineOperand &MO = *I;
  *Out = {wrap(MO.getParent()), MO.getOperandNo(), pack(MO)};
  ++I;
  std::memcpy(Cursor, &I, sizeof I);
  return true;
}

bool ptx_mri_constrain_class_like(PtxFunction *MF, uint32_t Reg,
                                  uint32_t Like) {
  MachineRegisterInfo &MRI = get(MF)->getRegInfo();
  return MRI.constrainRegClass(Reg, MRI.getRegClass(Like));
}

void ptx_mri_set_class_of_result(PtxFunction *P, uint32_t Reg,
                                 uint32_t Opcode) {
  MachineFunction &MF = *get(P);
  const MCInstrDesc &Desc = MF.getSubtarget().getInstrInfo()->get(Opcode);
  MF.getRegInfo().setRegClass(Register(Reg), classOfResult(MF, Desc));
}

uint32_t ptx_mri_new_reg_like(PtxFunction *MF, uint32_t Like) {
  MachineRegisterInfo &MRI = get(MF)->getRegInfo();
  return MRI.createVirtualRegister(MRI.getRegClass(Like));
}

bool ptx_mri_use_nodbg_empty(const PtxFunction *MF, uint32_t Reg) {
  return get(MF)->getRegInfo().use_nodbg_empty(Reg);
}

void ptx_mri_replace_reg(PtxFunction *MF, uint32_t From, uint32_t To) {
  get(MF)->getRegInfo().replaceRegWith(From, To);
}

bool ptx_mri_tracks_subreg_liveness(const PtxFunction *MF, uint32_t Reg) {
  return get(MF)->getRegInfo().shouldTrackSubRegLiveness(Register(Reg));
}

bool ptx_tri_regs_overlap(const PtxFunction *MF, uint32_t A, uint32_t B) {
  return tri(*get(MF)).regsOverlap(Register(A), Register(B));
}

void ptx_tri_subreg_bits(const PtxFunction *MF, uint32_t SubReg,
                         uint32_t *Offset, uint32_t *Size) {
  const TargetRegisterInfo &TRI = tri(*get(MF));
  *Offset = TRI.getSubRegIdxOffset(SubReg);
  *Size = TRI.getSubRegIdxSize(SubReg);
}

uint64_t ptx_tri_lane_mask(const PtxFunction *MF, uint32_t SubReg) {
  return tri(*get(MF)).getSubRegIndexLaneMask(SubReg).getAsInteger();
}

} // extern "C"
