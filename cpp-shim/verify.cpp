// What the symbolic checker reads.  Nothing here is shared with the passes.
#include "compat.h"
#include "operand.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInst.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

// Whether it takes all bits of one register to another one, of its class or
// not: IMOV32rr, MOV_B32_r, ProxyRegI32, BITCONVERT_32_I2F.
bool isRegisterMove(const MachineInstr &MI) {
  if (!MI.getMF()->getTarget().getTargetTriple().isNVPTX() ||
      MI.getNumOperands() != 2 || !MI.getOperand(0).isReg() ||
      !MI.getOperand(1).isReg())
    return false;
  StringRef Name = tii(MI).getName(MI.getOpcode());
  if (Name.starts_with("BITCONVERT_") || Name.starts_with("ProxyReg"))
    return true;
  if (Name.consume_front("MOV_"))
    return Name.ends_with("_r");
  (void)(Name.consume_front("I") || Name.consume_front("F"));
  if (!Name.consume_front("MOV"))
    return false;
  (void)Name.consume_front("B");
  Name = Name.drop_while([](char C) { return isDigit(C); });
  return Name == "r" || Name == "rr";
}

uint32_t kindFlags(const MachineInstr &MI) {
  switch (MI.getOpcode()) {
  case TargetOpcode::COPY:
    return PTX_CHECK_COPY;
  case TargetOpcode::PHI:
  case TargetOpcode::G_PHI:
    return PTX_CHECK_PHI;
  case TargetOpcode::IMPLICIT_DEF:
    return PTX_CHECK_IMPLICIT_DEF;
  case TargetOpcode::REG_SEQUENCE:
    return PTX_CHECK_REG_SEQUENCE;
  case TargetOpcode::INSERT_SUBREG:
    return PTX_CHECK_INSERT_SUBREG;
  case TargetOpcode::EXTRACT_SUBREG:
    return PTX_CHECK_EXTRACT_SUBREG;
  case TargetOpcode::SUBREG_TO_REG:
    return PTX_CHECK_SUBREG_TO_REG;
  case TargetOpcode::KILL:
    return PTX_CHECK_KILL;
  case TargetOpcode::INLINEASM_BR:
    return PTX_CHECK_ASM_BR;
  case TargetOpcode::BUNDLE:
    return PTX_CHECK_BUNDLE;
  default:
    return isRegisterMove(MI) ? PTX_CHECK_COPY : 0;
  }
}

uint32_t effectFlags(const MachineInstr &MI) {
  uint32_t Flags = 0;
  auto Set = [&Flags](bool B, uint32_t Flag) { Flags |= B ? Flag : 0; };
  bool Reads = MI.mayLoad() && !MI.isDereferenceableInvariantLoad();
  Set(MI.mayStore() || MI.hasUnmodeledSideEffects() || MI.isCall() ||
          MI.isPosition() || MI.isTerminator() || MI.isConvergent() ||
          MI.isNotDuplicable() || (Reads && MI.hasOrderedMemoryRef()),
      PTX_CHECK_ORDERED);
  Set(Reads, PTX_CHECK_LOAD);
  Set(MI.isCommutable(), PTX_CHECK_COMMUTABLE);
  Set(MI.isTerminator(), PTX_CHECK_TERMINATOR);
  Set(MI.isBranch(), PTX_CHECK_BRANCH);
  Set(MI.isCall(), PTX_CHECK_CALL);
  return Flags;
}

// Of an operand without what may change: virtual registers and blocks, and
// where the result goes.
hash_code contentOf(const MachineOperand &MO) {
  if (!MO.isReg())
    return MO.isMBB() ? hash_code(1) : hash_value(MO);
  if (MO.getReg().isVirtual() || (MO.isDef() && !MO.isImplicit()))
    return hash_combine(2, MO.isDef());
  return hash_combine(3, unsigned(MO.getReg()), MO.isDef());
}

// Loads, stores, selects and shuffles are there for integers and for floats,
// and move the same bits: a hash of what such an opcode has in common with its
// counterparts.  Of others the opcode.
class Opcodes {
  const MachineFunction &MF;
  std::unique_ptr<MCInstPrinter> Printer;

  uint64_t sizeOf(const MCOperandInfo &Info) const {
    return Info.RegClass < 0
               ? uint64_t(0)
               : tri(MF).getRegSizeInBits(*tri(MF).getRegClass(Info.RegClass));
  }
  // Whether the operand is a type that moves the same bits as any other one.
  // What is smaller than its register is extended as the type says.
  bool isAnyType(const MachineInstr &MI, unsigned Type) const {
    constexpr int64_t Signed = 1;
    if (Type + 1 >= MI.getNumOperands() || !MI.getOperand(Type).isImm() ||
        !MI.getOperand(Type + 1).isImm())
      return false;
    // The first operand is what is loaded or stored.
    uint64_t Bits = MI.getOperand(Type + 1).getImm();
    return MI.getOperand(Type).getImm() != Signed &&
           Bits == sizeOf(MI.getDesc().operands()[0]);
  }

public:
  explicit Opcodes(const MachineFunction &MF) : MF(MF) {
    if (MF.getTarget().getTargetTriple().isNVPTX())
      Printer = newInstPrinter(MF.getTarget());
  }
  // Unless the type is an operand, Type is UINT_MAX.
  hash_code hash(const MachineInstr &MI, unsigned &Type) const {
    Type = UINT_MAX;
    unsigned Opcode = MI.getOpcode();
    if (!Printer || Opcode <= TargetOpcode::GENERIC_OP_END)
      return hash_code(Opcode);
    MCInst Inst;
    Inst.setOpcode(Opcode);
    StringRef Text = mnemonic(*Printer, Inst);
    StringRef Name = Text.take_while([](char C) { return isAlnum(C); });
    if (!is_contained({"ld", "ldu", "st", "selp", "shfl"}, Name))
      return hash_code(Opcode);
    // An immediate that is selected is an integer or a float.
    auto IsReg = [](const MachineOperand &MO) { return MO.isReg(); };
    if (Name == "selp" && !all_of(MI.operands(), IsReg))
      return hash_code(Opcode);
    hash_code Hash =
        hash_combine(MI.getDesc().getFlags(), MI.getDesc().TSFlags);
    SmallVector<StringRef, 8> Words;
    Text.split(Words, '.');
    for (StringRef Word : Words) {
      // Of the last one the operands' text begins behind it.
      StringRef Bits = Word.take_while([](char C) { return isAlnum(C); });
      bool IsType = Bits.size() == 3 && StringRef("bfu").contains(Bits[0]);
      Hash = hash_combine(Hash, IsType ? Word.drop_front() : Word);
    }
    for (const MCOperandInfo &Info : MI.getDesc().operands())
      Hash = hash_combine(Hash, Info.OperandType, sizeOf(Info));
    StringRef Full = tii(MF).getName(Opcode);
    if (Full.starts_with("LD_") || Full.starts_with("LDV_") ||
        Full.starts_with("ST_") || Full.starts_with("STV_")) {
      const MachineOperand *Imm = find_if(
          MI.operands(), [](const MachineOperand &MO) { return MO.isImm(); });
      Type =
          Imm - MI.operands_begin() + ptx_version_facts.immediates_before_type;
      if (!isAnyType(MI, Type))
        Type = UINT_MAX;
    }
    return Hash;
  }
};

// The defs that an instruction's uses are tied to.  LLVM looks for each of an
// inline assembly in all of its operands; here one walk finds all.
class TiedDefs {
  const MachineInstr &MI;
  SmallVector<unsigned, 0> Defs; // by operand; of inline assembly only

public:
  explicit TiedDefs(const MachineInstr &MI) : MI(MI) {
    if (!MI.isInlineAsm())
      return;
    Defs.resize(MI.getNumOperands());
    SmallVector<unsigned, 16> Groups;
    for (unsigned I = InlineAsm::MIOp_FirstOperand, E = Defs.size();
         I < E && MI.getOperand(I).isImm();) {
      Groups.push_back(I);
      auto [NumRegs, TiedTo] = inlineAsmGroup(MI.getOperand(I).getImm());
      // Of machine code that somebody wrote the flags may be anything.
      if (TiedTo < Groups.size())
        for (unsigned K = 1; K <= NumRegs && I + K < E; ++K)
          Defs[I + K] = Groups[TiedTo] + K;
      I += 1 + NumRegs;
    }
  }
  bool isUntied(const MachineOperand &Use) const {
    unsigned Index = MI.getOperandNo(&Use);
    unsigned Known = Defs.empty() ? 0 : Defs[Index];
    const MachineOperand &Def =
        MI.getOperand(Known ? Known : MI.findTiedOperandIdx(Index));
    return !Use.isUndef() &&
           (Def.getReg() != Use.getReg() || Def.getSubReg() != Use.getSubReg());
  }
};

} // namespace

extern "C" {

size_t ptx_check_read(PtxBlock *P, PtxCheckedInstr *Instrs,
                      size_t InstrCapacity, uint64_t *Operands,
                      size_t OperandCapacity, size_t *NumOperands) {
  MachineBasicBlock &MBB = *get(P);
  const MachineRegisterInfo &MRI = MBB.getParent()->getRegInfo();
  // Behind instruction selection no register is reserved yet.
  const bool HasReserved = MRI.reservedRegsFrozen();
  const Opcodes Opcodes(*MBB.getParent());
  size_t N = 0, At = 0;
  for (MachineInstr &MI : MBB) {
    if (MI.isDebugOrPseudoInstr())
      continue;
    uint32_t Flags = kindFlags(MI) | effectFlags(MI);
    unsigned Type;
    hash_code Content =
        hash_combine(Opcodes.hash(MI, Type), MI.getNumOperands());
    size_t First = At;
    TiedDefs Ties(MI);
    for (const MachineOperand &MO : MI.operands()) {
      if (MO.getOperandNo() != Type)
        Content = hash_combine(Content, contentOf(MO));
      if (At++ < OperandCapacity)
        Operands[At - 1] = pack(MO);
      if (!MO.isReg() || !MO.getReg())
        continue;
      if (MO.isUse() && MO.isTied())
        Flags |= PTX_CHECK_TIED | (Ties.isUntied(MO) ? PTX_CHECK_UNTIED : 0);
      if (MO.getReg().isPhysical() &&
          (MO.isDef() ? !MO.isDead()
                      : MO.readsReg() &&
                            !(HasReserved && MRI.isReserved(MO.getReg()))))
        Flags |= PTX_CHECK_PHYSICAL;
    }
    if (N++ < InstrCapacity)
      Instrs[N - 1] = {wrap(&MI), Content,         MI.getOpcode(),
                       Flags,     uint32_t(First), uint32_t(At - First)};
  }
  *NumOperands = At;
  return N;
}

PtxStr ptx_check_opcode_name(const PtxFunction *MF, uint32_t Opcode) {
  return str(tii(*get(MF)).getName(Opcode));
}

PtxStr ptx_check_mnemonic(const PtxFunction *MF, uint32_t Opcode) {
  if (Opcode <= TargetOpcode::GENERIC_OP_END)
    return str("");
  MCInst Inst;
  Inst.setOpcode(Opcode);
  // Constant text of the target's.
  return str(mnemonic(*newInstPrinter(get(MF)->getTarget()), Inst));
}

uint32_t ptx_tri_compose(const PtxFunction *MF, uint32_t A, uint32_t B) {
  return tri(*get(MF)).composeSubRegIndices(A, B);
}

uint64_t ptx_tri_compose_lanes(const PtxFunction *MF, uint32_t SubReg,
                               uint64_t Lanes) {
  return tri(*get(MF))
      .composeSubRegIndexLaneMask(SubReg, LaneBitmask(Lanes))
      .getAsInteger();
}

uint64_t ptx_tri_reverse_compose_lanes(const PtxFunction *MF, uint32_t SubReg,
                                       uint64_t Lanes) {
  return tri(*get(MF))
      .reverseComposeSubRegIndexLaneMask(SubReg, LaneBitmask(Lanes))
      .getAsInteger();
}

uint32_t ptx_tri_num_subreg_indices(const PtxFunction *MF) {
  return tri(*get(MF)).getNumSubRegIndices();
}

} // extern "C"
