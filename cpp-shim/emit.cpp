// Answers the emitter's questions about the target, and makes instructions.
#include "emitter.h"
#include "instr.h"

#include "llvm/CodeGen/MachineConstantPool.h"
#include "llvm/IR/PseudoProbe.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

uint32_t idOrNone(const TargetRegisterClass *RC) {
  return RC ? RC->getID() : PTX_NONE;
}

void addConstantPool(Emission &E, const MachineInstrBuilder &MIB,
                     const ConstantPoolSDNode &N) {
  MachineConstantPool &Pool = *E.MF.getConstantPool();
  unsigned Index =
      N.isMachineConstantPoolEntry()
          ? Pool.getConstantPoolIndex(N.getMachineCPVal(), N.getAlign())
          : Pool.getConstantPoolIndex(N.getConstVal(), N.getAlign());
  MIB.addConstantPoolIndex(Index, N.getOffset(), N.getTargetFlags());
}

void addGlobal(const MachineInstrBuilder &MIB, const GlobalAddressSDNode &N) {
  MIB.addGlobalAddress(N.getGlobal(), N.getOffset(), N.getTargetFlags());
}

// Adds an operand that is read from a node.
void addLeaf(Emission &E, const MachineInstrBuilder &MIB, uint32_t Kind,
             const SDNode *N) {
  switch (Kind) {
  case PTX_SD_WIDE_CONSTANT:
    return addWideConstant(MIB, E.MF, cast<ConstantSDNode>(N)->getAPIntValue());
  case PTX_SD_CONSTANT_FP:
    MIB.addFPImm(cast<ConstantFPSDNode>(N)->getConstantFPValue());
    return;
  case PTX_SD_REGISTER_MASK:
    MIB.addRegMask(cast<RegisterMaskSDNode>(N)->getRegMask());
    return;
  case PTX_SD_GLOBAL_ADDRESS:
    return addGlobal(MIB, *cast<GlobalAddressSDNode>(N));
  case PTX_SD_BASIC_BLOCK:
    MIB.addMBB(cast<BasicBlockSDNode>(N)->getBasicBlock());
    return;
  case PTX_SD_FRAME_INDEX:
    MIB.addFrameIndex(cast<FrameIndexSDNode>(N)->getIndex());
    return;
  case PTX_SD_JUMP_TABLE: {
    auto &J = *cast<JumpTableSDNode>(N);
    MIB.addJumpTableIndex(J.getIndex(), J.getTargetFlags());
    return;
  }
  case PTX_SD_CONSTANT_POOL:
    return addConstantPool(E, MIB, *cast<ConstantPoolSDNode>(N));
  case PTX_SD_EXTERNAL_SYMBOL: {
    auto &S = *cast<ExternalSymbolSDNode>(N);
    MIB.addExternalSymbol(S.getSymbol(), S.getTargetFlags());
    return;
  }
  case PTX_SD_MC_SYMBOL:
    MIB.addSym(cast<MCSymbolSDNode>(N)->getMCSymbol());
    return;
  case PTX_SD_BLOCK_ADDRESS: {
    auto &B = *cast<BlockAddressSDNode>(N);
    MIB.addBlockAddress(B.getBlockAddress(), B.getOffset(), B.getTargetFlags());
    return;
  }
  case PTX_SD_TARGET_INDEX: {
    auto &T = *cast<TargetIndexSDNode>(N);
    MIB.addTargetIndex(T.getIndex(), T.getOffset(), T.getTargetFlags());
    return;
  }
  case PTX_NEW_ASM_STRING:
    MIB.addExternalSymbol(cast<ExternalSymbolSDNode>(N)->getSymbol());
    return;
  case PTX_NEW_LABEL:
    MIB.addSym(cast<LabelSDNode>(N)->getLabel());
    return;
  case PTX_NEW_PROBE: {
    auto &Probe = *cast<PseudoProbeSDNode>(N);
    MIB.addImm(int64_t(Probe.getGuid()))
        .addImm(int64_t(Probe.getIndex()))
        .addImm(uint8_t(PseudoProbeType::Block))
        .addImm(Probe.getAttributes());
    return;
  }
  case PTX_NEW_FUNCTION: {
    auto &G = *cast<GlobalAddressSDNode>(N);
    MIB.addGlobalAddress(
        G.getGlobal(), G.getOffset(),
        E.MF.getSubtarget().classifyGlobalFunctionReference(G.getGlobal()));
    return;
  }
  default:
    report_fatal_error("ptxpasses: unknown kind of operand");
  }
}

// Nearly all operands have one flag or none. With constant flags LLVM's inline
// code makes the operand in a few instructions.
MachineOperand registerOperand(const PtxNewOperand &O) {
  if (O.subreg == 0)
    switch (O.flags) {
    case 0:
      return MachineOperand::CreateReg(O.reg, /*isDef=*/false);
    case PTX_REG_DEFINE:
      return MachineOperand::CreateReg(O.reg, /*isDef=*/true);
    case PTX_REG_KILL:
      return MachineOperand::CreateReg(O.reg, false, false, /*isKill=*/true);
    default:
      break;
    }
  return MachineOperand::CreateReg(
      O.reg, O.flags & PTX_REG_DEFINE, O.flags & PTX_REG_IMPLICIT,
      O.flags & PTX_REG_KILL, O.flags & PTX_REG_DEAD, /*isUndef=*/false,
      O.flags & PTX_REG_EARLY_CLOBBER, O.subreg, O.flags & PTX_REG_DEBUG);
}

void addOtherOperand(Emission &E, const MachineInstrBuilder &MIB,
                     const PtxNewOperand &O) {
  switch (O.kind) {
  case PTX_NEW_METADATA:
    MIB.addMetadata(reinterpret_cast<const MDNode *>(uintptr_t(O.payload)));
    return;
  case PTX_NEW_FRAME_INDEX:
    MIB.addFrameIndex(int(O.payload));
    return;
  case PTX_NEW_CONST_WIDE_INT:
    MIB.addCImm(reinterpret_cast<const ConstantInt *>(uintptr_t(O.payload)));
    return;
  case PTX_NEW_CONST_FP:
    MIB.addFPImm(reinterpret_cast<const ConstantFP *>(uintptr_t(O.payload)));
    return;
  case PTX_NEW_DBG_INSTR_REF:
    MIB.add(MachineOperand::CreateDbgInstrRef(O.reg, O.subreg));
    return;
  default:
    addLeaf(E, MIB, O.kind, Emission::nodeOf(O.payload));
  }
}

PtxDescOperand describeOperand(const Emission &E, const MCInstrDesc &D,
                               unsigned Index) {
  return {idOrNone(regClassOfOperand(E.TII, D, Index, E.MF)),
          (D.operands()[Index].isOptionalDef() ? PTX_DESC_OPERAND_OPTIONAL_DEF
                                               : 0) |
              (D.getOperandConstraint(Index, MCOI::TIED_TO) != -1
                   ? PTX_DESC_OPERAND_TIED
                   : 0)};
}

} // namespace

void ptxpasses::addOperands(Emission &E, const MachineInstrBuilder &MIB,
                            ArrayRef<PtxNewOperand> Operands) {
  MachineInstr &MI = *MIB;
  for (const PtxNewOperand &O : Operands)
    if (O.kind == PTX_NEW_REG)
      MI.addOperand(E.MF, registerOperand(O));
    else if (O.kind == PTX_NEW_IMM)
      MI.addOperand(E.MF, MachineOperand::CreateImm(int64_t(O.payload)));
    else
      addOtherOperand(E, MIB, O);
}

extern "C" {

// ---- the target ---------------------------------------------------------

PtxTargetOpcodes ptx_target_opcodes(void) {
  PtxTargetOpcodes O = {};
  O.copy = TargetOpcode::COPY;
  O.implicit_def = TargetOpcode::IMPLICIT_DEF;
  O.extract_subreg = TargetOpcode::EXTRACT_SUBREG;
  O.insert_subreg = TargetOpcode::INSERT_SUBREG;
  O.subreg_to_reg = TargetOpcode::SUBREG_TO_REG;
  O.copy_to_regclass = TargetOpcode::COPY_TO_REGCLASS;
  O.reg_sequence = TargetOpcode::REG_SEQUENCE;
  O.stackmap = TargetOpcode::STACKMAP;
  O.patchpoint = TargetOpcode::PATCHPOINT;
  O.statepoint = TargetOpcode::STATEPOINT;
  O.eh_label = TargetOpcode::EH_LABEL;
  O.annotation_label = TargetOpcode::ANNOTATION_LABEL;
  O.lifetime_start = TargetOpcode::LIFETIME_START;
  O.lifetime_end = TargetOpcode::LIFETIME_END;
  O.pseudo_probe = TargetOpcode::PSEUDO_PROBE;
  O.inlineasm = TargetOpcode::INLINEASM;
  O.inlineasm_br = TargetOpcode::INLINEASM_BR;
  O.dbg_value = TargetOpcode::DBG_VALUE;
  O.dbg_value_list = TargetOpcode::DBG_VALUE_LIST;
  O.dbg_instr_ref = TargetOpcode::DBG_INSTR_REF;
  O.convergencectrl_anchor = ConvergenceCtrlAnchor;
  O.convergencectrl_entry = ConvergenceCtrlEntry;
  O.convergencectrl_loop = ConvergenceCtrlLoop;
  O.convergencectrl_glue = ConvergenceCtrlGlue;
  O.mi_unpredictable = MachineInstr::Unpredictable;
  return O;
}

uint64_t ptx_emit_target(PtxEmission *E) {
  return uintptr_t(&get(E)->MF.getSubtarget());
}

uint32_t ptx_emit_num_classes(PtxEmission *E) {
  return get(E)->TRI.getNumRegClasses();
}

void ptx_emit_class(PtxEmission *E, uint32_t Id, PtxRegClass *Out) {
  const TargetRegisterInfo &TRI = get(E)->TRI;
  const TargetRegisterClass &RC = *TRI.getRegClass(Id);
  *Out = {RC.getNumRegs(),
          (RC.isAllocatable() ? PTX_CLASS_ALLOCATABLE : 0) |
              (copyImpossible(RC) ? PTX_CLASS_COPY_IMPOSSIBLE : 0) |
              (TRI.isDivergentRegClass(&RC) ? PTX_CLASS_DIVERGENT : 0),
          RC.getSubClassMask(), uint32_t(TRI.getRegSizeInBits(RC)),
          TRI.getRegClassName(&RC)};
}

uint32_t ptx_emit_class_for_type(PtxEmission *E, uint32_t Type,
                                 bool Divergent) {
  auto VT = MVT::SimpleValueType(Type);
  const TargetLowering &TLI = get(E)->TLI;
  return TLI.isTypeLegal(EVT(VT)) ? TLI.getRegClassFor(VT, Divergent)->getID()
                                  : PTX_NONE;
}

uint32_t ptx_emit_class_for_any_type(PtxEmission *E, uint32_t Type,
                                     bool Divergent) {
  return idOrNone(
      get(E)->TLI.getRegClassFor(MVT::SimpleValueType(Type), Divergent));
}

uint32_t ptx_emit_minimal_phys_class(PtxEmission *E, uint32_t Reg,
                                     uint32_t Type) {
  return minimalPhysRegClass(get(E)->TRI, Reg, MVT(MVT::SimpleValueType(Type)))
      ->getID();
}

uint32_t ptx_emit_sub_class_with_subreg(PtxEmission *E, uint32_t Class,
                                        uint32_t SubReg) {
  const TargetRegisterInfo &TRI = get(E)->TRI;
  return idOrNone(TRI.getSubClassWithSubReg(TRI.getRegClass(Class), SubReg));
}

uint32_t ptx_emit_matching_super_class(PtxEmission *E, uint32_t Super,
                                       uint32_t Sub, uint32_t SubReg) {
  const TargetRegisterInfo &TRI = get(E)->TRI;
  return idOrNone(TRI.getMatchingSuperRegClass(TRI.getRegClass(Super),
                                               TRI.getRegClass(Sub), SubReg));
}

uint32_t ptx_emit_subreg_of(PtxEmission *E, uint32_t Reg, uint32_t SubReg) {
  return get(E)->TRI.getSubReg(Reg, SubReg);
}

bool ptx_emit_is_subreg(PtxEmission *E, uint32_t Reg, uint32_t Sub) {
  return get(E)->TRI.isSubRegister(Reg, Sub);
}

uint32_t ptx_emit_num_rounding_regs(PtxEmission *E) {
  return uint32_t(get(E)->TLI.getRoundingControlRegisters().size());
}

uint32_t ptx_emit_rounding_reg(PtxEmission *E, uint32_t Index) {
  return get(E)->TLI.getRoundingControlRegisters()[Index];
}

void ptx_emit_desc(PtxEmission *P, uint32_t Opcode, PtxDesc *Out) {
  Emission &E = *get(P);
  const MCInstrDesc &D = E.TII.get(Opcode);
  E.B.DescOperands.clear();
  PtxDescOperand *Operands = E.B.DescOperands.append(D.getNumOperands());
  for (unsigned I = 0; I != D.getNumOperands(); ++I)
    Operands[I] = describeOperand(E, D, I);
  *Out = {D.getNumDefs(),
          D.getNumOperands(),
          (D.isVariadic() ? PTX_DESC_VARIADIC : 0) |
              (D.variadicOpsAreDefs() ? PTX_DESC_VARIADIC_DEFS : 0) |
              (D.isCall() ? PTX_DESC_CALL : 0) |
              (D.hasOptionalDef() ? PTX_DESC_OPTIONAL_DEF : 0) |
              (D.hasPostISelHook() ? PTX_DESC_POST_ISEL_HOOK : 0) |
              (D.isRematerializable() ? PTX_DESC_REMATERIALIZABLE : 0) |
              (D.isAsCheapAsAMove() ? PTX_DESC_AS_CHEAP_AS_A_MOVE : 0),
          uint32_t(D.implicit_defs().size()),
          uint32_t(D.implicit_uses().size()),
          D.implicit_defs().data(),
          D.implicit_uses().data(),
          Operands};
}

uint32_t ptx_emit_call_frame_setup(PtxEmission *E) {
  return get(E)->TII.getCallFrameSetupOpcode();
}

uint32_t ptx_emit_call_frame_destroy(PtxEmission *E) {
  return get(E)->TII.getCallFrameDestroyOpcode();
}

// Names are in a table of C strings.
const char *ptx_emit_opcode_name(PtxEmission *E, uint32_t Opcode) {
  return get(E)->TII.getName(Opcode).data();
}

// ---- edits --------------------------------------------------------------

uint32_t ptx_emit_new_reg(PtxEmission *P, uint32_t Class) {
  Emission &E = *get(P);
  return E.MRI.createVirtualRegister(
      Class == PTX_NONE ? nullptr : E.TRI.getRegClass(Class));
}

void ptx_emit_set_class(PtxEmission *P, uint32_t Reg, uint32_t Class) {
  Emission &E = *get(P);
  E.MRI.setRegClass(Reg, E.TRI.getRegClass(Class));
}

void ptx_emit_clear_kills(PtxEmission *E, uint32_t Reg) {
  get(E)->MRI.clearKillFlags(Reg);
}

PtxInstr *ptx_emit_instr(PtxEmission *P, const PtxNewInstr *I) {
  Emission &E = *get(P);
  const MCInstrDesc &Desc = E.TII.get(I->opcode);
  MachineInstr &MI = *E.MF.CreateMachineInstr(
      Desc,
      I->location ? Emission::get(I->location)->getDebugLoc() : DebugLoc());
  MachineInstrBuilder MIB(E.MF, MI);
  if (I->mi_flags)
    MI.setFlags(MI.getFlags() | I->mi_flags);
  addOperands(E, MIB, ArrayRef(I->operands, I->num_operands));
  if (I->machine) {
    auto &N = *cast<MachineSDNode>(Emission::get(I->machine));
    if (!N.memoperands_empty())
      MI.setMemRefs(E.MF, N.memoperands());
    if (uint32_t Type = N.getCFIType())
      MI.setCFIType(E.MF, Type);
  }
  for (const PtxTie &T : ArrayRef(I->ties, I->num_ties))
    MI.tieOperands(T.def, T.used);
  E.BB.insert(E.InsertPos, &MI);
  return wrap(&MI);
}

void ptx_emit_noop(PtxEmission *P) {
  Emission &E = *get(P);
  E.TII.insertNoop(E.BB, E.InsertPos);
}

void ptx_emit_dead_except(PtxEmission *E, PtxInstr *MI, const uint32_t *Used,
                          uint32_t Num) {
  SmallVector<Register, 8> Regs(Used, Used + Num);
  get(MI)->setPhysRegsDeadExcept(Regs, get(E)->TRI);
}

void ptx_emit_implicit_use(PtxEmission *, PtxInstr *MI, uint32_t Reg) {
  get(MI)->addOperand(
      MachineOperand::CreateReg(Reg, /*isDef=*/false, /*isImp=*/true));
}

PtxInstr *ptx_emit_post_isel(PtxEmission *P, PtxInstr *MI, PtxInstr *First,
                             PtxSDNode *Node) {
  Emission &E = *get(P);
  MachineBasicBlock::iterator Before = get(First)->getIterator();
  bool AtBegin = Before == E.BB.begin();
  if (!AtBegin)
    --Before;
  E.TLI.AdjustInstrPostInstrSelection(*get(MI), Emission::get(Node));
  return wrap(AtBegin ? &*E.BB.begin() : &*std::next(Before));
}

bool ptx_emit_coalescable_ext(PtxEmission *P, uint32_t Reg, uint32_t *Src,
                              uint32_t *SubReg) {
  Emission &E = *get(P);
  const MachineInstr *Def = E.MRI.getVRegDef(Reg);
  Register SrcReg, DstReg;
  unsigned SubIdx = 0;
  if (!Def || !E.TII.isCoalescableExtInstr(*Def, SrcReg, DstReg, SubIdx))
    return false;
  *Src = SrcReg;
  *SubReg = SubIdx;
  return true;
}

bool ptx_emit_is_call(PtxInstr *MI) { return get(MI)->isCall(); }

bool ptx_emit_is_call_site(PtxInstr *MI) { return isCallSite(*get(MI)); }

void ptx_emit_call_site_info(PtxEmission *P, PtxInstr *MI, PtxSDNode *Node) {
  Emission &E = *get(P);
  addCallSiteInfo(E.MF, E.DAG, *get(MI), Emission::get(Node));
}

void ptx_emit_called_global(PtxEmission *P, PtxInstr *MI, PtxSDNode *Node) {
  Emission &E = *get(P);
  addCalledGlobal(E.MF, E.DAG, *get(MI), Emission::get(Node));
}

void ptx_emit_no_merge(PtxEmission *, PtxInstr *MI) {
  get(MI)->setFlag(MachineInstr::NoMerge);
}

void ptx_emit_pc_sections(PtxEmission *P, PtxInstr *MI, PtxSDNode *Node) {
  Emission &E = *get(P);
  get(MI)->setPCSections(E.MF, E.DAG.getPCSections(Emission::get(Node)));
}

void ptx_emit_mmra(PtxEmission *P, PtxInstr *First, PtxSDNode *Node) {
  Emission &E = *get(P);
  MDNode *MD = memoryModelAnnotations(E.DAG, Emission::get(Node));
  for (auto I = get(First)->getIterator(), End = E.InsertPos.getInstrIterator();
       I != End; ++I)
    setMemoryModelAnnotations(*I, E.MF, MD);
}

void ptx_emit_heap_alloc(PtxEmission *P, PtxInstr *MI, PtxSDNode *Node) {
  Emission &E = *get(P);
  get(MI)->setHeapAllocMarker(E.MF,
                              E.DAG.getHeapAllocSite(Emission::get(Node)));
}

// ---- the selected function ----------------------------------------------

uint32_t ptx_selected_unread(const PtxFunction *MF, uint32_t *Out) {
  const MachineRegisterInfo &MRI = get(MF)->getRegInfo();
  uint32_t Num = 0;
  for (unsigned I = 0, End = MRI.getNumVirtRegs(); I != End; ++I) {
    Register Reg = virtReg(I);
    if (MRI.use_empty(Reg) && MRI.hasOneDef(Reg))
      Out[Num++] = Reg;
  }
  return Num;
}

void ptx_selected_def(PtxFunction *MF, uint32_t Reg, PtxSelectedDef *Out) {
  *Out = {};
  MachineInstr *MI = get(MF)->getRegInfo().getUniqueVRegDef(Reg);
  if (!MI)
    return;
  auto IsSymbol = [](const MachineOperand &O) { return O.isSymbol(); };
  bool IsParameter = MI->getParent() == &get(MF)->front() &&
                     llvm::any_of(MI->operands(), IsSymbol);
  *Out = {wrap(MI), kindOf(*MI),
          (isSafeToMove(*MI, nullptr, /*SeenStore=*/true) ? PTX_SELECTED_MOVABLE
                                                          : 0) |
              (MI->isConvergent() ? PTX_SELECTED_CONVERGENT : 0) |
              (MI->peekDebugInstrNum() ? PTX_SELECTED_NUMBERED : 0) |
              (IsParameter ? PTX_SELECTED_PARAMETER : 0)};
}

} // extern "C"
