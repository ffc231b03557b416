// MachineFunction, MachineBasicBlock, MachineInstr and registers as plain
// calls.
#include "checked.h"
#include "compat.h"
#include "instr.h"
#include "operand.h"

#include "llvm/Analysis/LoopInfo.h"

#include <cstring>
#include <vector>

using namespace llvm;
using namespace ptxpasses;

namespace {

PtxInstr *orNull(MachineBasicBlock &MBB, MachineBasicBlock::iterator I) {
  return I == MBB.end() ? nullptr : wrap(&*I);
}

// The instructions erased in the current run. There may still be handles to
// them.
struct ErasedInstr {
  MachineFunction *MF;
  MachineInstr *MI;
};
thread_local std::vector<ErasedInstr> ErasedInstrs;

} // namespace

const MachineFunction *ptxpasses::erasedFrom(const MachineInstr &MI) {
  auto IsThis = [&MI](const ErasedInstr &Erased) { return Erased.MI == &MI; };
  const auto Found = find_if(ErasedInstrs, IsThis);
  return Found == ErasedInstrs.end() ? nullptr : Found->MF;
}

extern "C" {

void ptx_run_end(void) {
  for (const ErasedInstr &Erased : ErasedInstrs)
    Erased.MF->deleteMachineInstr(Erased.MI);
  ErasedInstrs.clear();
}

void ptx_run_forget_edits(void) { EditsOfRun = 0; }

uint32_t ptx_run_edits(void) { return EditsOfRun; }

size_t ptx_run_num_erased(const PtxSlotIndexes *Indexes) {
  return count_if(ErasedInstrs, [Indexes](const ErasedInstr &Erased) {
    return !Indexes || get(Indexes)->hasIndex(*Erased.MI);
  });
}

// ---- function and block -------------------------------------------------

const PtxIrFunction *ptx_mf_ir(const PtxFunction *MF) {
  return wrap(const_cast<Function *>(&get(MF)->getFunction()));
}

PtxStr ptx_ir_name(const PtxIrFunction *F) { return str(get(F)->getName()); }

bool ptx_ir_has_kernel_convention(const PtxIrFunction *F) {
  return get(F)->getCallingConv() == CallingConv::PTX_Kernel;
}

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

uint32_t ptx_mf_not_ssa(const PtxFunction *MF, uint32_t *NumDefs) {
  const MachineRegisterInfo &MRI = get(MF)->getRegInfo();
  for (unsigned I = 0, E = MRI.getNumVirtRegs(); I != E; ++I) {
    const Register Reg = virtReg(I);
    if (MRI.hasOneDef(Reg))
      continue;
    *NumDefs = uint32_t(std::distance(MRI.def_operands(Reg).begin(),
                                      MRI.def_operands(Reg).end()));
    if (*NumDefs ||
        any_of(MRI.use_nodbg_operands(Reg),
               [](const MachineOperand &MO) { return MO.readsReg(); }))
      return Reg;
  }
  return 0;
}

void ptx_mf_set_no_phis(PtxFunction *MF) { setNoPHIs(*get(MF)); }

bool ptx_mf_requires_structured_cfg(const PtxFunction *MF) {
  return get(MF)->getTarget().requiresStructuredCFG();
}

PtxBlock *ptx_mf_block_numbered(PtxFunction *MF, uint32_t Number) {
  if (LLVM_UNLIKELY(Number >= get(MF)->getNumBlockIDs()))
    noSuchNumber(*get(MF), "block", Number, get(MF)->getNumBlockIDs());
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
  return Index < get(MBB)->pred_size() ? wrap(get(MBB)->pred_begin()[Index])
                                       : nullptr;
}

PtxBlock *ptx_mbb_successor(PtxBlock *MBB, uint32_t Index) {
  return Index < get(MBB)->succ_size() ? wrap(get(MBB)->succ_begin()[Index])
                                       : nullptr;
}

PtxInstr *ptx_mbb_first_terminator(PtxBlock *MBB) {
  return orNull(*get(MBB), get(MBB)->getFirstTerminator());
}

PtxInstr *ptx_mbb_skip_phis_and_labels(PtxBlock *MBB, PtxInstr *From) {
  MachineBasicBlock &B = *get(MBB);
  return orNull(B, B.SkipPHIsAndLabels(placeIn(B, From)));
}

void ptx_mbb_splice(PtxBlock *MBB, PtxInstr *Before, PtxInstr *First,
                    PtxInstr *Last) {
  MachineBasicBlock &B = *get(MBB);
  B.splice(placeIn(B, Before), &B, placeIn(B, First), placeIn(B, Last));
}

void ptx_mbb_insert_before(PtxBlock *MBB, PtxInstr *Before, PtxInstr *MI) {
  MachineBasicBlock &B = *get(MBB);
  B.insert(placeIn(B, Before), get(MI));
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
  noteEdit(PTX_EDITED_CODE);
  return wrap(BuildMI(B, placeIn(B, Before), DebugLoc(),
                      tii(B).get(TargetOpcode::INLINEASM))
                  .addExternalSymbol(Symbol)
                  .addImm(InlineAsm::Extra_HasSideEffects)
                  .getInstr());
}

// ---- reading an instruction ---------------------------------------------

void ptx_mi_facts(PtxInstr *P, PtxInstrFacts *Out) {
  MachineInstr &MI = *get(P);
  Out->next = ptx_mi_next(P); // reads MI's place too
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
  return propertiesOf(inBlock(MI));
}

uint32_t ptx_mi_num_operands(const PtxInstr *MI) {
  return notErased(MI).getNumOperands();
}

uint32_t ptx_mi_num_explicit_operands_of_desc(const PtxInstr *MI) {
  return notErased(MI).getDesc().getNumOperands();
}

uint32_t ptx_mi_num_explicit_operands(const PtxInstr *MI) {
  return notErased(MI).getNumExplicitOperands();
}

uint32_t ptx_mi_num_defs_of_desc(const PtxInstr *MI) {
  return notErased(MI).getDesc().getNumDefs();
}

PtxInstr *ptx_mi_next(PtxInstr *P) {
  MachineBasicBlock::iterator I(headOf(P));
  return ++I == get(P)->getParent()->end() ? nullptr : wrap(&*I);
}

PtxInstr *ptx_mi_prev(PtxInstr *P) {
  MachineBasicBlock::iterator I(headOf(P));
  return I == get(P)->getParent()->begin() ? nullptr : wrap(&*--I);
}

PtxBlock *ptx_mi_block(PtxInstr *MI) { return wrap(inBlock(MI).getParent()); }

PtxFunction *ptx_mi_function(PtxInstr *MI) { return wrap(inBlock(MI).getMF()); }

uint64_t ptx_mi_operand(const PtxInstr *MI, uint32_t Index) {
  return pack(operandAt(MI, Index));
}

void ptx_mi_operands(const PtxInstr *MI, uint64_t *Out, uint32_t N) {
  const MachineOperand *MO = get(MI)->operands_begin();
  for (uint32_t I = 0; I != N; ++I)
    Out[I] = pack(MO[I]);
}

bool ptx_mi_regmask_clobbers(const PtxInstr *MI, uint32_t Index,
                             uint32_t PhysReg) {
  const MachineOperand &MO = operandAt(MI, Index);
  if (LLVM_UNLIKELY(!MO.isRegMask()))
    otherOperand(*get(MI), Index, "a register mask");
  return MO.clobbersPhysReg(physReg(*inBlock(MI).getMF(), PhysReg));
}

const uint32_t *ptx_mi_regmask(const PtxInstr *MI, uint32_t Index) {
  return get(MI)->getOperand(Index).getRegMask();
}

uint32_t ptx_mi_tied_def(const PtxInstr *MI, uint32_t Index) {
  const MachineOperand &MO = operandAt(MI, Index);
  if (LLVM_UNLIKELY(!MO.isReg() || !MO.isTied()))
    otherOperand(*get(MI), Index, "a tied register");
  return get(MI)->findTiedOperandIdx(Index);
}

uint32_t ptx_inline_asm_first_operand(void) {
  return InlineAsm::MIOp_FirstOperand;
}

PtxStr ptx_mi_assembly_text(const PtxInstr *MI) {
  if (LLVM_UNLIKELY(!notErased(MI).isInlineAsm()))
    misuse(*get(MI), "the text of what is not inline assembly");
  return str(operandAt(MI, InlineAsm::MIOp_AsmString).getSymbolName());
}

bool ptx_mi_is_safe_to_move(const PtxInstr *MI, PtxAliasAnalysis *AA) {
  return isSafeToMove(inBlock(MI), get(AA), /*SeenStore=*/true);
}

bool ptx_mi_only_mem_operand(const PtxInstr *MI, PtxMemOperand *Out) {
  if (!notErased(MI).hasOneMemOperand())
    return false;
  const MachineMemOperand &MMO = **get(MI)->memoperands_begin();
  *Out = {MMO.getAddrSpace(), MMO.isInvariant(), MMO.getValue() != nullptr};
  return true;
}

uint32_t ptx_mi_latency(const PtxInstr *P) {
  const MachineInstr &MI = complete(P);
  return tii(MI).getInstrLatency(
      MI.getMF()->getSubtarget().getInstrItineraryData(), MI);
}

void ptx_mf_print(const PtxFunction *MF) { get(MF)->print(errs()); }

uint32_t ptx_mi_opcode(const PtxInstr *MI) { return notErased(MI).getOpcode(); }

PtxInstrKind ptx_mi_kind(const PtxInstr *MI) { return kindOf(notErased(MI)); }

bool ptx_mi_reads_register(const PtxInstr *MI, uint32_t Reg) {
  return readsRegister(notErased(MI), Reg);
}

bool ptx_mi_kills_register(const PtxInstr *MI, uint32_t Reg) {
  return killsRegister(notErased(MI), Reg);
}

uint32_t ptx_mi_debug_number(const PtxInstr *MI) {
  return notErased(MI).peekDebugInstrNum();
}

// ---- changing an instruction --------------------------------------------

void ptx_mi_set_operand_reg(PtxInstr *MI, uint32_t Index, uint32_t Reg,
                            uint32_t SubReg) {
  MachineFunction &MF = *inBlock(MI).getMF();
  MachineOperand &MO = registerAt(MI, Index);
  const Register New = anyReg(MF, Reg);
  const uint32_t Part = subRegIndex(MF, SubReg);
  noteEdit(PTX_EDITED_CODE, MO.getReg() != New || MO.getSubReg() != Part);
  MO.setReg(New);
  MO.setSubReg(Part);
  noteReader(MF, MO);
}

void ptx_mi_set_operand_subreg(PtxInstr *MI, uint32_t Index, uint32_t SubReg) {
  const MachineFunction &MF = *inBlock(MI).getMF();
  MachineOperand &MO = registerAt(MI, Index);
  noteEdit(PTX_EDITED_CODE, MO.getSubReg() != subRegIndex(MF, SubReg));
  MO.setSubReg(SubReg);
}

void ptx_mi_set_operand_flag(PtxInstr *MI, uint32_t Index, PtxOperandFlag Which,
                             bool Value) {
  MachineOperand &MO = registerAt(MI, Index);
  const bool IsOfDefs =
      Which == PTX_FLAG_DEAD || Which == PTX_FLAG_EARLY_CLOBBER;
  if (LLVM_UNLIKELY(Which != PTX_FLAG_UNDEF && MO.isDef() != IsOfDefs))
    otherOperand(*get(MI), Index, IsOfDefs ? "a def" : "a use");
  switch (Which) {
  case PTX_FLAG_KILL:
    if (LLVM_UNLIKELY(Value && MO.isDebug()))
      misuse(*get(MI), "a debug instruction kills no register");
    noteEdit(PTX_EDITED_FLAGS, MO.isKill() != Value);
    MO.setIsKill(Value);
    return;
  case PTX_FLAG_UNDEF:
    noteEdit(PTX_EDITED_CODE, MO.isUndef() != Value);
    MO.setIsUndef(Value);
    return;
  case PTX_FLAG_DEAD:
    noteEdit(PTX_EDITED_FLAGS, MO.isDead() != Value);
    MO.setIsDead(Value);
    return;
  case PTX_FLAG_EARLY_CLOBBER:
    noteEdit(PTX_EDITED_CODE, MO.isEarlyClobber() != Value);
    MO.setIsEarlyClobber(Value);
    return;
  }
  report_fatal_error("ptxpasses: unknown operand flag");
}

void ptx_mi_remove_operand(PtxInstr *MI, uint32_t Index) {
  MachineInstr &M = *get(MI);
  operandAt(MI, Index);
  // A tie is stored as the other operand's position.
  for (unsigned I = Index + 1, E = M.getNumOperands(); I != E; ++I)
    if (LLVM_UNLIKELY(M.getOperand(I).isReg() && M.getOperand(I).isTied()))
      misuse(M, "operand " + Twine(Index) + " is not removed: operand " +
                    Twine(I) + " after it is tied");
  noteEdit(PTX_EDITED_CODE);
  M.removeOperand(Index);
}

int64_t ptx_mi_immediate(const PtxInstr *MI, uint32_t Index) {
  const MachineOperand &MO = operandAt(MI, Index);
  if (LLVM_UNLIKELY(!MO.isImm()))
    otherOperand(*get(MI), Index, "an immediate");
  return MO.getImm();
}

void ptx_mi_set_opcode(PtxInstr *MI, uint32_t Opcode) {
  MachineInstr &M = inBlock(MI);
  const MCInstrDesc &Desc = describeNew(*M.getMF(), Opcode);
  noteEdit(PTX_EDITED_CODE, M.getOpcode() != Opcode || M.getFlags());
  M.setDesc(Desc);
  M.setFlags(0);
}

void ptx_mi_set_immediate(PtxInstr *MI, uint32_t Index, int64_t Value) {
  MachineOperand &MO = operandAt(MI, Index);
  if (LLVM_UNLIKELY(MO.isReg() && MO.isTied()))
    otherOperand(*get(MI), Index, "an operand that can be changed: it is tied");
  noteEdit(PTX_EDITED_CODE, !MO.isImm() || MO.getImm() != Value);
  MO.ChangeToImmediate(Value);
}

void ptx_mi_add_immediate(PtxInstr *MI, int64_t Value) {
  noteEdit(PTX_EDITED_CODE);
  inBlock(MI).addOperand(MachineOperand::CreateImm(Value));
}

PtxGlobal *ptx_mi_global(const PtxInstr *MI, uint32_t Index) {
  const MachineOperand &MO = operandAt(MI, Index);
  return MO.isGlobal() ? wrap(const_cast<GlobalValue *>(MO.getGlobal()))
                       : nullptr;
}

uint32_t ptx_mi_clone_before(const PtxInstr *P, PtxBlock *MBB, PtxInstr *Before,
                             const PtxInstr *At) {
  MachineBasicBlock &B = *get(MBB);
  MachineFunction &MF = *B.getParent();
  const MachineInstr &Original = inBlock(P);
  const MachineBasicBlock::iterator Place = placeIn(B, Before);
  if (LLVM_UNLIKELY(Original.isBundled() || !Original.getNumOperands() ||
                    !Original.getOperand(0).isReg() ||
                    !Original.getOperand(0).isDef()))
    misuse(Original, "what is copied has no result or is part of a bundle");
  classOfReg(MF, Original.getOperand(0).getReg());
  MachineInstr *MI = MF.CloneMachineInstr(&Original);
  MI->setDebugLoc(get(At)->getDebugLoc());
  const Register Result =
      MF.getRegInfo().cloneVirtualRegister(MI->getOperand(0).getReg());
  MI->getOperand(0).setReg(Result);
  noteEdit(PTX_EDITED_CODE);
  B.insert(Place, MI);
  return Result;
}

void ptx_mi_move_before(PtxInstr *P, PtxBlock *MBB, PtxInstr *Before) {
  MachineBasicBlock &B = *get(MBB);
  const MachineBasicBlock::iterator Place = placeIn(B, Before), I(headOf(P));
  noteEdit(PTX_EDITED_CODE, Place != I && Place != std::next(I));
  B.splice(Place, get(P)->getParent(), I);
}

const PtxOpcodes *ptx_mf_opcodes(const PtxFunction *MF) {
  return wrap(const_cast<MCInstrInfo *>(
      static_cast<const MCInstrInfo *>(&tii(*get(MF)))));
}

uint32_t ptx_opcode_named(const PtxOpcodes *Opcodes, PtxStr Name,
                          uint32_t Near) {
  const MCInstrInfo &Info = *get(Opcodes);
  const StringRef Wanted = ref(Name);
  auto Is = [&](uint32_t Opcode) {
    // Most names differ in the first letter, which saves measuring their
    // length.
    const char *Has = Info.getName(Opcode).data();
    return *Has == Wanted.front() && Wanted == Has;
  };
  const uint32_t E = Info.getNumOpcodes();
  if (Wanted.empty())
    return UINT32_MAX;
  Near = std::min(Near, E - 1);
  for (uint32_t Distance = 0; Distance < E; ++Distance) {
    if (Near + Distance < E && Is(Near + Distance))
      return Near + Distance;
    if (Distance <= Near && Is(Near - Distance))
      return Near - Distance;
  }
  return UINT32_MAX;
}

PtxGlobal *ptx_mf_global(const PtxFunction *MF, PtxStr Name) {
  return wrap(get(MF)->getFunction().getParent()->getNamedValue(ref(Name)));
}

PtxStr ptx_global_name(const PtxGlobal *Global) {
  return str(get(Global)->getName());
}

uint32_t ptx_global_space(const PtxGlobal *Global) {
  return get(Global)->getAddressSpace();
}

uint64_t ptx_global_alignment(const PtxGlobal *Global) {
  const GlobalValue &G = *get(Global);
  return G.getPointerAlignment(G.getParent()->getDataLayout()).value();
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
  const TargetInstrInfo &TII = tii(inBlock(MI));
  noteEdit(PTX_EDITED_CODE, kindOf(*get(MI)) != Kind);
  switch (Kind) {
  case PTX_KIND_COPY:
    registerAt(MI, 1);
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

void ptx_mi_free(PtxInstr *MI) { get(MI)->eraseFromParent(); }

void ptx_mi_erase(PtxInstr *P) {
  MachineInstr &MI = inBlock(P);
  MachineBasicBlock &MBB = *MI.getParent();
  noteEdit(PTX_EDITED_CODE);
  auto I = MI.getIterator();
  // The head of a bundle stands for the whole bundle.
  const auto E = MI.isBundledWithPred() ? std::next(I) : getBundleEnd(I);
  while (I != E) {
    MachineInstr &Erased = *I++;
    eraseCallInfo(Erased);
    MBB.remove_instr(&Erased);
    ErasedInstrs.push_back({MBB.getParent(), &Erased});
  }
}

void ptx_mi_remove_from_block(PtxInstr *MI) { get(MI)->removeFromParent(); }

void ptx_mi_delete(PtxFunction *MF, PtxInstr *MI) {
  get(MF)->deleteMachineInstr(get(MI));
}

PtxInstr *ptx_mbb_insert_implicit_def(PtxBlock *MBB, PtxInstr *Before,
                                      const PtxInstr *Like, uint32_t Reg) {
  MachineBasicBlock &B = *get(MBB);
  noteEdit(PTX_EDITED_CODE);
  return wrap(BuildMI(B, placeIn(B, Before), notErased(Like).getDebugLoc(),
                      tii(B).get(TargetOpcode::IMPLICIT_DEF),
                      someReg(*B.getParent(), Reg))
                  .getInstr());
}

PtxInstr *ptx_mbb_insert_phi_destination_copy(PtxBlock *MBB, PtxInstr *Before,
                                              const PtxInstr *Like,
                                              uint32_t Src, uint32_t Dst) {
  MachineBasicBlock &B = *get(MBB);
  return wrap(tii(B).createPHIDestinationCopy(
      B, placeIn(B, Before), get(Like)->getDebugLoc(), Src, Dst));
}

PtxInstr *ptx_mbb_insert_phi_source_copy(PtxBlock *MBB, PtxInstr *Before,
                                         uint32_t Src, uint32_t SrcSubReg,
                                         uint32_t Dst) {
  MachineBasicBlock &B = *get(MBB);
  return wrap(tii(B).createPHISourceCopy(B, placeIn(B, Before), DebugLoc(), Src,
                                         SrcSubReg, Dst));
}

PtxInstr *ptx_mi_insert_copy(PtxInstr *Before, uint32_t Dst, uint32_t Src,
                             uint32_t SrcSubReg) {
  MachineInstr &MI = headOf(Before);
  MachineFunction &MF = *MI.getMF();
  noteEdit(PTX_EDITED_CODE);
  MachineInstr *Copy =
      BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
              tii(MI).get(TargetOpcode::COPY), someReg(MF, Dst))
          .addReg(someReg(MF, Src), {}, subRegIndex(MF, SrcSubReg));
  noteReader(MF, Copy->getOperand(1));
  return wrap(Copy);
}

PtxInstr *ptx_mi_insert_copy_of_operand(PtxInstr *Before, uint32_t Dst,
                                        uint32_t DstSubReg, uint32_t Index) {
  MachineInstr &MI = headOf(Before);
  const MachineFunction &MF = *MI.getMF();
  noteEdit(PTX_EDITED_CODE);
  return wrap(BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
                      tii(MI).get(TargetOpcode::COPY))
                  .addReg(someReg(MF, Dst), RegState::Define,
                          subRegIndex(MF, DstSubReg))
                  .add(registerAt(Before, Index))
                  .getInstr());
}

void ptx_mi_replace_reg_in_bundle(PtxInstr *MI, uint32_t From, uint32_t To) {
  const Register New = anyReg(*inBlock(MI).getMF(), To);
  for (MachineOperand &MO : mi_bundle_ops(*get(MI)))
    if (MO.isReg() && MO.getReg() == Register(From)) {
      noteEdit(PTX_EDITED_CODE, Register(From) != New);
      MO.setReg(New);
    }
}

// ---- target hooks -------------------------------------------------------

bool ptx_mi_operands_commute(const PtxInstr *MI, uint32_t *A, uint32_t *B) {
  unsigned X = *A, Y = *B;
  operandAt(MI, X);
  operandAt(MI, Y);
  bool Found = tii(complete(MI)).findCommutedOpIndices(*get(MI), X, Y);
  *A = X;
  *B = Y;
  return Found;
}

bool ptx_mi_commutes_with_any(const PtxInstr *MI, uint32_t A, uint32_t *B) {
  unsigned X = TargetInstrInfo::CommuteAnyOperandIndex, Y = A;
  operandAt(MI, A);
  bool Found = tii(complete(MI)).findCommutedOpIndices(*get(MI), X, Y);
  *B = X;
  return Found;
}

bool ptx_mi_commute(PtxInstr *MI, uint32_t A, uint32_t B) {
  unsigned X = A, Y = B;
  if (!ptx_mi_operands_commute(MI, &X, &Y))
    return false;
  const bool IsDone =
      tii(*get(MI)).commuteInstruction(*get(MI), /*NewMI=*/false, A, B);
  noteEdit(PTX_EDITED_CODE, IsDone);
  return IsDone;
}

bool ptx_mi_commute_preference(const PtxInstr *MI, bool *Commute) {
  // The hook takes a mutable instruction and does not change it.
  auto &M = const_cast<MachineInstr &>(complete(MI));
  return tii(M).hasCommutePreference(M, *Commute);
}

PtxInstr *ptx_mi_convert_to_three_address(PtxInstr *MI, PtxLiveVariables *LV,
                                          PtxLiveIntervals *LIS) {
  return wrap(convertToThreeAddress(complete(MI), get(LV), get(LIS)));
}

void ptx_mi_substitute_debug_value(PtxInstr *From, PtxInstr *To) {
  MachineInstr &Old = *get(From), &New = *get(To);
  Old.getMF()->makeDebugValueSubstitution(
      {Old.peekDebugInstrNum(), Old.defs().begin()->getOperandNo()},
      {New.getDebugInstrNum(), New.defs().begin()->getOperandNo()});
}

bool ptx_mi_unfolded_load(const PtxInstr *MI, PtxUnfoldedLoad *Out) {
  const TargetInstrInfo &TII = tii(inBlock(MI));
  unsigned RegIndex = 0;
  unsigned Opcode =
      TII.getOpcodeAfterMemoryUnfold(get(MI)->getOpcode(), /*UnfoldLoad=*/true,
                                     /*UnfoldStore=*/false, &RegIndex);
  *Out = {Opcode, Opcode ? TII.get(Opcode).getNumDefs() : 0, RegIndex};
  return Opcode;
}

bool ptx_mi_unfold_load(PtxInstr *P, const PtxUnfoldedLoad *Unfolded,
                        PtxInstr **Load, PtxInstr **Op, uint32_t *Reg) {
  MachineInstr &MI = complete(P);
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
  MachineInstr &M = inBlock(MI);
  noteEdit(PTX_EDITED_FLAGS, !killsRegister(M, Reg));
  M.addRegisterKilled(someReg(*M.getMF(), Reg), &tri(M), AddIfNotFound);
}

void ptx_mi_add_register_dead(PtxInstr *MI, uint32_t Reg, bool AddIfNotFound) {
  MachineInstr &M = inBlock(MI);
  noteEdit(PTX_EDITED_FLAGS, !registerDefIsDead(M, Reg));
  M.addRegisterDead(someReg(*M.getMF(), Reg), &tri(M), AddIfNotFound);
}

void ptx_mi_add_implicit(PtxInstr *MI, uint32_t Reg, bool Def, bool Kill) {
  MachineInstr &M = inBlock(MI);
  noteEdit(PTX_EDITED_CODE);
  M.addOperand(MachineOperand::CreateReg(someReg(*M.getMF(), Reg), Def,
                                         /*isImp=*/true, Kill));
}

bool ptx_mi_def_is_dead(const PtxInstr *MI, uint32_t Reg) {
  return registerDefIsDead(notErased(MI), Reg);
}

// ---- registers ----------------------------------------------------------

size_t ptx_mri_operands(PtxFunction *MF, uint32_t Reg, bool DefsOnly,
                        PtxRegOperand *Out, size_t Capacity) {
  size_t N = 0;
  for (MachineOperand &MO :
       get(MF)->getRegInfo().reg_operands(someReg(*get(MF), Reg))) {
    if (DefsOnly && !MO.isDef()) // defs come first
      break;
    if (N++ < Capacity)
      *Out++ = {wrap(MO.getParent()), MO.getOperandNo(), pack(MO)};
  }
  return N;
}

PtxInstr *ptx_mri_def(PtxFunction *MF, uint32_t Reg, PtxInstrKind *Kind,
                      bool *IsUnspillableTerminator) {
  MachineInstr *Def =
      get(MF)->getRegInfo().getVRegDef(virtualReg(*get(MF), Reg));
  if (Def) {
    *Kind = kindOf(*Def);
    *IsUnspillableTerminator = tii(*Def).isUnspillableTerminator(Def);
  }
  return wrap(Def);
}

bool ptx_mri_constrain_class_like(PtxFunction *MF, uint32_t Reg,
                                  uint32_t Like) {
  MachineRegisterInfo &MRI = get(MF)->getRegInfo();
  const TargetRegisterClass *Old = classOfReg(*get(MF), Reg);
  const TargetRegisterClass *New =
      MRI.constrainRegClass(Reg, classOfReg(*get(MF), Like));
  noteEdit(PTX_EDITED_CODE, New && New != Old);
  return New;
}

void ptx_mri_set_class_of_result(PtxFunction *P, uint32_t Reg,
                                 uint32_t Opcode) {
  MachineFunction &MF = *get(P);
  const TargetRegisterClass *Class = classOfResult(MF, Opcode);
  MachineRegisterInfo &MRI = MF.getRegInfo();
  noteEdit(PTX_EDITED_CODE,
           MRI.getRegClassOrNull(virtualReg(MF, Reg)) != Class);
  MRI.setRegClass(Register(Reg), Class);
}

uint32_t ptx_mri_new_reg_like(PtxFunction *MF, uint32_t Like) {
  return get(MF)->getRegInfo().createVirtualRegister(
      classOfReg(*get(MF), Like));
}

bool ptx_mri_use_nodbg_empty(const PtxFunction *MF, uint32_t Reg) {
  return get(MF)->getRegInfo().use_nodbg_empty(someReg(*get(MF), Reg));
}

void ptx_mri_replace_reg(PtxFunction *MF, uint32_t From, uint32_t To) {
  const Register Old = someReg(*get(MF), From), New = someReg(*get(MF), To);
  if (Old == New)
    return;
  MachineRegisterInfo &MRI = get(MF)->getRegInfo();
  noteEdit(PTX_EDITED_CODE, !MRI.reg_empty(Old));
  MRI.replaceRegWith(Old, New);
}

bool ptx_mri_tracks_subreg_liveness(const PtxFunction *MF, uint32_t Reg) {
  return get(MF)->getRegInfo().shouldTrackSubRegLiveness(
      *classOfReg(*get(MF), Reg));
}

bool ptx_tri_regs_overlap(const PtxFunction *MF, uint32_t A, uint32_t B) {
  return tri(*get(MF)).regsOverlap(someReg(*get(MF), A), someReg(*get(MF), B));
}

void ptx_tri_subreg_bits(const PtxFunction *MF, uint32_t SubReg,
                         uint32_t *Offset, uint32_t *Size) {
  const TargetRegisterInfo &TRI = tri(*get(MF));
  if (LLVM_UNLIKELY(!subRegIndex(*get(MF), SubReg)))
    misuse(*get(MF), "sub-register index 0 is the whole register");
  *Offset = TRI.getSubRegIdxOffset(SubReg);
  *Size = TRI.getSubRegIdxSize(SubReg);
}

uint64_t ptx_tri_lane_mask(const PtxFunction *MF, uint32_t SubReg) {
  return tri(*get(MF))
      .getSubRegIndexLaneMask(subRegIndex(*get(MF), SubReg))
      .getAsInteger();
}

} // extern "C"
