// Checks the numbers that a pass gives before LLVM sees them. LLVM does not
// check whether they exist, and would read past the end of its tables. A wrong
// number ends the process with one line that says what is wrong, where, and
// what is allowed. The tests are inline, the messages are not.
#pragma once

#include "compat.h"
#include "run_state.h"

#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/MachineInstrBundle.h"
#include "llvm/Support/ErrorHandling.h"

#define PTX_COLD [[noreturn, gnu::cold, gnu::noinline]]

namespace ptxpasses {

// ---- messages -----------------------------------------------------------

// Names the pass whose run is in progress.
PTX_COLD inline void misuse(const llvm::Twine &Where, const llvm::Twine &What) {
  const llvm::StringRef Pass = ref(ptx_entry_points.current_pass());
  const std::string At = Pass.empty() ? "" : ("pass '" + Pass + "', ").str();
  fail(At + Where + What);
}

PTX_COLD inline void misuse(const llvm::MachineFunction &MF,
                            const llvm::Twine &What) {
  misuse("function '" + MF.getName() + "': ", What);
}

// For an instruction, which is printed.
PTX_COLD inline void misuse(const llvm::MachineInstr &MI,
                            const llvm::Twine &What) {
  const llvm::MachineFunction *MF =
      MI.getParent() ? MI.getMF() : erasedFrom(MI);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  MI.print(OS, /*IsStandalone=*/true, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false,
           MF ? &tii(*MF) : nullptr);
  OS.flush();
  if (!MF)
    misuse("", What + ": " + Text);
  misuse(*MF, What + ": " + Text);
}

PTX_COLD inline void noSuchOperand(const llvm::MachineInstr &MI,
                                   uint32_t Index) {
  misuse(MI, "operand " + llvm::Twine(Index) + " of an instruction that has " +
                 llvm::Twine(MI.getNumOperands()));
}

PTX_COLD inline void otherOperand(const llvm::MachineInstr &MI, uint32_t Index,
                                  const char *Wanted) {
  misuse(MI, "operand " + llvm::Twine(Index) + " is not " + Wanted);
}

PTX_COLD inline void noSuchRegister(const llvm::MachineFunction &MF,
                                    llvm::Register Reg, const char *Wanted) {
  const bool IsVirtual = Reg.isVirtual();
  const uint32_t Number = unsigned(Reg) & ~(1U << 31);
  misuse(MF, llvm::Twine(IsVirtual ? "virtual" : "physical") + " register " +
                 llvm::Twine(Number) + " is not " + Wanted + ": there are " +
                 llvm::Twine(MF.getRegInfo().getNumVirtRegs()) +
                 " virtual ones, from 0, and physical ones below " +
                 llvm::Twine(tri(MF).getNumRegs()));
}

PTX_COLD inline void noSuchNumber(const llvm::MachineFunction &MF,
                                  const char *What, uint32_t Number,
                                  uint32_t End) {
  misuse(MF, llvm::Twine("no ") + What + " " + llvm::Twine(Number) +
                 ": they are below " + llvm::Twine(End));
}

// ---- instructions -------------------------------------------------------

PTX_COLD inline void notInBlock(const llvm::MachineInstr &MI) {
  misuse(MI, erasedFrom(MI) ? "an instruction that was erased, of which only "
                              "`text` and `key` may be asked"
                            : "an instruction that is in no block");
}

// An instruction that is in a block: neither erased nor taken out.
inline llvm::MachineInstr &inBlock(PtxInstr *P) {
  if (LLVM_UNLIKELY(!get(P)->getParent()))
    notInBlock(*get(P));
  return *get(P);
}
inline const llvm::MachineInstr &inBlock(const PtxInstr *P) {
  return inBlock(const_cast<PtxInstr *>(P));
}

// An instruction that was not erased: it is in a block, or not in one yet.
inline llvm::MachineInstr &notErased(PtxInstr *P) {
  if (LLVM_UNLIKELY(!get(P)->getParent()) && erasedFrom(*get(P)))
    notInBlock(*get(P));
  return *get(P);
}
inline const llvm::MachineInstr &notErased(const PtxInstr *P) {
  return notErased(const_cast<PtxInstr *>(P));
}

// The head of its bundle, or itself.
inline llvm::MachineInstr &headOf(PtxInstr *P) {
  llvm::MachineInstr &MI = inBlock(P);
  return LLVM_LIKELY(!MI.isBundledWithPred())
             ? MI
             : *llvm::getBundleStart(MI.getIterator());
}

// The place before an instruction of the block, or before its bundle; null is
// the end of the block.
inline llvm::MachineBasicBlock::iterator placeIn(llvm::MachineBasicBlock &MBB,
                                                 PtxInstr *Before) {
  if (!Before)
    return MBB.end();
  llvm::MachineInstr &MI = headOf(Before);
  if (LLVM_UNLIKELY(MI.getParent() != &MBB))
    misuse(MI, "a place in block " + llvm::Twine(MBB.getNumber()) +
                   " before an instruction of block " +
                   llvm::Twine(MI.getParent()->getNumber()));
  return MI;
}

// An instruction in a block with all operands of its description. Only about
// such an instruction may the target's hooks be asked.
inline llvm::MachineInstr &complete(PtxInstr *P) {
  llvm::MachineInstr &MI = inBlock(P);
  if (LLVM_UNLIKELY(MI.getNumOperands() < MI.getDesc().getNumOperands()))
    misuse(MI, "the target is asked about an instruction of " +
                   llvm::Twine(MI.getNumOperands()) +
                   " operands, where its "
                   "description has " +
                   llvm::Twine(MI.getDesc().getNumOperands()));
  return MI;
}
inline const llvm::MachineInstr &complete(const PtxInstr *P) {
  return complete(const_cast<PtxInstr *>(P));
}

inline llvm::MachineOperand &operandAt(PtxInstr *P, uint32_t Index) {
  llvm::MachineInstr &MI = notErased(P);
  if (LLVM_UNLIKELY(Index >= MI.getNumOperands()))
    noSuchOperand(MI, Index);
  return MI.getOperand(Index);
}
inline const llvm::MachineOperand &operandAt(const PtxInstr *P,
                                             uint32_t Index) {
  return operandAt(const_cast<PtxInstr *>(P), Index);
}

inline llvm::MachineOperand &registerAt(PtxInstr *P, uint32_t Index) {
  llvm::MachineOperand &MO = operandAt(P, Index);
  if (LLVM_UNLIKELY(!MO.isReg()))
    otherOperand(*get(P), Index, "a register");
  return MO;
}

// ---- registers, classes, opcodes ----------------------------------------

inline bool isKnownVirtual(const llvm::MachineFunction &MF,
                           llvm::Register Reg) {
  return Reg.isVirtual() &&
         (unsigned(Reg) & ~(1U << 31)) < MF.getRegInfo().getNumVirtRegs();
}

// A register, or none.
inline llvm::Register anyReg(const llvm::MachineFunction &MF, uint32_t Number) {
  llvm::Register Reg(Number);
  if (LLVM_UNLIKELY(!isKnownVirtual(MF, Reg) && Number >= tri(MF).getNumRegs()))
    noSuchRegister(MF, Reg, "a register");
  return Reg;
}

// A register, not none.
inline llvm::Register someReg(const llvm::MachineFunction &MF,
                              uint32_t Number) {
  if (LLVM_UNLIKELY(!Number))
    misuse(MF, "no register where one is needed");
  return anyReg(MF, Number);
}

inline llvm::Register virtualReg(const llvm::MachineFunction &MF,
                                 uint32_t Number) {
  if (LLVM_UNLIKELY(!isKnownVirtual(MF, llvm::Register(Number))))
    noSuchRegister(MF, llvm::Register(Number), "a virtual register");
  return llvm::Register(Number);
}

inline llvm::MCRegister physReg(const llvm::MachineFunction &MF,
                                uint32_t Number) {
  if (LLVM_UNLIKELY(!Number || Number >= tri(MF).getNumRegs()))
    noSuchRegister(MF, llvm::Register(Number), "a physical register");
  return llvm::MCRegister(Number);
}

// The class of a virtual register that has one; generic registers have none.
inline const llvm::TargetRegisterClass *
classOfReg(const llvm::MachineFunction &MF, uint32_t Number) {
  const auto *Class = MF.getRegInfo().getRegClassOrNull(virtualReg(MF, Number));
  if (LLVM_UNLIKELY(!Class))
    noSuchRegister(MF, llvm::Register(Number), "a register with a class");
  return Class;
}

inline const llvm::TargetRegisterClass *
classNumbered(const llvm::MachineFunction &MF, uint32_t Number) {
  if (LLVM_UNLIKELY(Number >= tri(MF).getNumRegClasses()))
    noSuchNumber(MF, "register class", Number, tri(MF).getNumRegClasses());
  return tri(MF).getRegClass(Number);
}

// Clears the dead flag of the register's def, because this operand reads it. In
// SSA form there is one def; in other code a def may be dead although the
// register is read.
inline void noteReader(llvm::MachineFunction &MF,
                       const llvm::MachineOperand &MO) {
  llvm::MachineRegisterInfo &MRI = MF.getRegInfo();
  if (!MO.isReg() || !MO.readsReg() || MO.isDebug() ||
      !MO.getReg().isVirtual() || !MRI.isSSA())
    return;
  for (llvm::MachineOperand &Def : MRI.def_operands(MO.getReg()))
    Def.setIsDead(false);
}

inline uint32_t subRegIndex(const llvm::MachineFunction &MF, uint32_t Index) {
  if (LLVM_UNLIKELY(Index >= tri(MF).getNumSubRegIndices()))
    noSuchNumber(MF, "sub-register index", Index,
                 tri(MF).getNumSubRegIndices());
  return Index;
}

// The reserved registers, where they are known. Right after instruction
// selection they are not yet.
inline const llvm::MachineRegisterInfo &
reservedRegs(const llvm::MachineFunction &MF) {
  if (LLVM_UNLIKELY(!MF.getRegInfo().reservedRegsFrozen()))
    misuse(MF, "the reserved registers are not known yet");
  return MF.getRegInfo();
}

inline RegUnit unitNumbered(const llvm::MachineFunction &MF, uint32_t Unit) {
  if (LLVM_UNLIKELY(Unit >= tri(MF).getNumRegUnits()))
    noSuchNumber(MF, "register unit", Unit, tri(MF).getNumRegUnits());
  return static_cast<RegUnit>(Unit);
}

inline const llvm::MCInstrDesc &describe(const llvm::MachineFunction &MF,
                                         uint32_t Opcode) {
  if (LLVM_UNLIKELY(Opcode >= tii(MF).getNumOpcodes()))
    noSuchNumber(MF, "opcode", Opcode, tii(MF).getNumOpcodes());
  return tii(MF).get(Opcode);
}

// An opcode that an instruction may be changed to: the target's own, or one of
// the generic opcodes whose operands have no special meaning. LLVM reads the
// operands of the other generic opcodes unchecked.
inline const llvm::MCInstrDesc &describeNew(const llvm::MachineFunction &MF,
                                            uint32_t Opcode) {
  const llvm::MCInstrDesc &Desc = describe(MF, Opcode);
  if (LLVM_UNLIKELY(Opcode <= llvm::TargetOpcode::GENERIC_OP_END &&
                    Opcode != llvm::TargetOpcode::COPY &&
                    Opcode != llvm::TargetOpcode::IMPLICIT_DEF &&
                    Opcode != llvm::TargetOpcode::KILL))
    misuse(MF, "no instruction is made a " + tii(MF).getName(Opcode) +
                   ": of generic opcodes only COPY, IMPLICIT_DEF and KILL");
  return Desc;
}

// The class of the first result of an opcode.
inline const llvm::TargetRegisterClass *
classOfResult(const llvm::MachineFunction &MF, uint32_t Opcode) {
  const llvm::MCInstrDesc &Desc = describe(MF, Opcode);
  const auto *Class =
      Desc.getNumDefs() ? regClassOfOperand(tii(MF), Desc, 0, MF) : nullptr;
  if (LLVM_UNLIKELY(!Class))
    misuse(MF, "opcode " + tii(MF).getName(Opcode) +
                   " has no result in a register");
  return Class;
}

} // namespace ptxpasses
