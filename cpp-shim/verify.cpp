// Reads instructions for the symbolic checker, and describes opcodes.
#include "checked.h"
#include "compat.h"
#include "instr.h"
#include "operand.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

const MCInstrDesc &descOf(const PtxFunction *MF, uint32_t Opcode) {
  return describe(*get(MF), Opcode);
}

bool isGeneric(uint32_t Opcode) {
  return Opcode <= TargetOpcode::GENERIC_OP_END;
}

bool isAlike(const MCInstrDesc &A, const MCInstrDesc &B) {
  return A.getNumOperands() == B.getNumOperands() &&
         A.getNumDefs() == B.getNumDefs() && A.getFlags() == B.getFlags() &&
         A.TSFlags == B.TSFlags &&
         std::equal(A.operands().begin(), A.operands().end(),
                    B.operands().begin(),
                    [](const MCOperandInfo &X, const MCOperandInfo &Y) {
                      return X.OperandType == Y.OperandType &&
                             X.Flags == Y.Flags &&
                             X.Constraints == Y.Constraints;
                    });
}

MCOperand printed(const PtxPrintedOperand &Operand, MCContext &Context) {
  if (Operand.is_immediate)
    return MCOperand::createImm(Operand.value);
  MCSymbol *Name = Context.getOrCreateSymbol("operand_" + Twine(Operand.value));
  return MCOperand::createExpr(MCSymbolRefExpr::create(Name, Context));
}

} // namespace

extern "C" {

size_t ptx_check_read(PtxBlock *MBB, PtxCheckedInstr *Instrs,
                      size_t InstrCapacity, uint64_t *Operands,
                      uint64_t *Hashes, size_t OperandCapacity,
                      size_t *NumOperands) {
  size_t N = 0, At = 0;
  for (MachineInstr &MI : *get(MBB)) {
    if (MI.isDebugOrPseudoInstr())
      continue;
    size_t First = At;
    for (const MachineOperand &MO : MI.operands()) {
      if (At < OperandCapacity) {
        Operands[At] = pack(MO);
        Hashes[At] = MO.isReg() || MO.isMBB() ? 0 : size_t(hash_value(MO));
      }
      ++At;
    }
    if (N++ < InstrCapacity)
      Instrs[N - 1] = {wrap(&MI),       MI.getOpcode(),       propertiesOf(MI),
                       uint32_t(First), uint32_t(At - First), kindOf(MI)};
  }
  *NumOperands = At;
  return N;
}

bool ptx_mri_reserved_registers_known(const PtxFunction *MF) {
  return get(MF)->getRegInfo().reservedRegsFrozen();
}

void ptx_opcode_facts(const PtxFunction *MF, uint32_t Opcode,
                      PtxOpcodeFacts *Out) {
  const MCInstrDesc &Desc = descOf(MF, Opcode);
  *Out = {Desc.getFlags(), Desc.TSFlags, Desc.getNumOperands(),
          isGeneric(Opcode)};
}

void ptx_opcode_operands(const PtxFunction *MF, uint32_t Opcode,
                         PtxOpcodeOperand *Out) {
  const TargetRegisterInfo &TRI = tri(*get(MF));
  for (const MCOperandInfo &Info : descOf(MF, Opcode).operands()) {
    *Out = {UINT32_MAX, 0, Info.OperandType};
    if (Info.RegClass >= 0) {
      Out->reg_class = Info.RegClass;
      Out->class_bits = TRI.getRegSizeInBits(*TRI.getRegClass(Info.RegClass));
    }
    ++Out;
  }
}

uint32_t ptx_opcode_alike(const PtxFunction *MF, uint32_t Opcode,
                          uint32_t From) {
  const TargetInstrInfo &TII = tii(*get(MF));
  const MCInstrDesc &Desc = describe(*get(MF), Opcode);
  for (uint32_t Other = From, E = TII.getNumOpcodes(); Other < E; ++Other)
    if (isAlike(Desc, TII.get(Other)))
      return Other;
  return UINT32_MAX;
}

PtxStr ptx_opcode_name(const PtxFunction *MF, uint32_t Opcode) {
  describe(*get(MF), Opcode);
  return str(tii(*get(MF)).getName(Opcode));
}

PtxStr ptx_opcode_mnemonic(const PtxFunction *MF, uint32_t Opcode) {
  describe(*get(MF), Opcode);
  if (isGeneric(Opcode))
    return str("");
  MCInst Inst;
  Inst.setOpcode(Opcode);
  // Constant text that belongs to the target.
  return str(mnemonic(*newInstPrinter(get(MF)->getTarget()), Inst).first);
}

size_t ptx_opcode_text(const PtxFunction *P, uint32_t Opcode,
                       const PtxPrintedOperand *Operands, size_t NumOperands,
                       char *Out, size_t Capacity) {
  const MachineFunction &MF = *get(P);
  describe(MF, Opcode);
  if (isGeneric(Opcode))
    return 0;
  MCInst Inst;
  Inst.setOpcode(Opcode);
  for (const PtxPrintedOperand &Operand : ArrayRef(Operands, NumOperands))
    Inst.addOperand(printed(Operand, MF.getContext()));
  const std::unique_ptr<MCInstPrinter> Printer = newInstPrinter(MF.getTarget());
  if (!mnemonic(*Printer, Inst).second)
    return 0;
  std::string Text;
  raw_string_ostream OS(Text);
  Printer->printInst(&Inst, /*Address=*/0, /*Annot=*/"", MF.getSubtarget(), OS);
  OS.flush();
  return copyText(Text, Out, Capacity);
}

uint32_t ptx_tri_compose(const PtxFunction *MF, uint32_t A, uint32_t B) {
  return tri(*get(MF)).composeSubRegIndices(subRegIndex(*get(MF), A),
                                            subRegIndex(*get(MF), B));
}

uint64_t ptx_tri_compose_lanes(const PtxFunction *MF, uint32_t SubReg,
                               uint64_t Lanes) {
  return tri(*get(MF))
      .composeSubRegIndexLaneMask(subRegIndex(*get(MF), SubReg),
                                  LaneBitmask(Lanes))
      .getAsInteger();
}

uint64_t ptx_tri_reverse_compose_lanes(const PtxFunction *MF, uint32_t SubReg,
                                       uint64_t Lanes) {
  return tri(*get(MF))
      .reverseComposeSubRegIndexLaneMask(subRegIndex(*get(MF), SubReg),
                                         LaneBitmask(Lanes))
      .getAsInteger();
}

uint32_t ptx_tri_num_subreg_indices(const PtxFunction *MF) {
  return tri(*get(MF)).getNumSubRegIndices();
}

} // extern "C"
