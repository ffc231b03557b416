// Prints the name of each of NVPTX's opcodes, a tab, and the text that its
// instructions print before their first operand.
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdio>
#include <memory>
#include <string>

extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetMC();

// Generic opcodes are printed by the code generator.
static constexpr unsigned FirstOfTarget =
    llvm::TargetOpcode::GENERIC_OP_END + 1;

// Versions take a pointer or a reference.
template <typename Printer>
static auto text(Printer &P, const llvm::MCInst &Inst)
    -> decltype(P.getMnemonic(&Inst).first) {
  return P.getMnemonic(&Inst).first;
}
template <typename Printer>
static auto text(Printer &P, const llvm::MCInst &Inst)
    -> decltype(P.getMnemonic(Inst).first) {
  return P.getMnemonic(Inst).first;
}

int main() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  const char *const Name = "nvptx64-nvidia-cuda";
  const llvm::Triple Triple(Name);
  llvm::Triple Lookup(Name);
  std::string Error;
  const llvm::Target *Target =
      llvm::TargetRegistry::lookupTarget(/*ArchName=*/"", Lookup, Error);
  if (!Target) {
    std::fprintf(stderr, "%s\n", Error.c_str());
    return 1;
  }
#if LLVM_VERSION_MAJOR >= 22
  const auto &Of = Triple;
#else
  const char *const Of = Name;
#endif
  std::unique_ptr<llvm::MCInstrInfo> Info(Target->createMCInstrInfo());
  std::unique_ptr<llvm::MCRegisterInfo> Registers(Target->createMCRegInfo(Of));
  std::unique_ptr<llvm::MCAsmInfo> Asm(
      Target->createMCAsmInfo(*Registers, Of, llvm::MCTargetOptions()));
  std::unique_ptr<llvm::MCInstPrinter> Printer(
      Target->createMCInstPrinter(Triple, 0, *Asm, *Info, *Registers));
  for (unsigned Opcode = 0; Opcode != Info->getNumOpcodes(); ++Opcode) {
    llvm::MCInst Inst;
    Inst.setOpcode(Opcode);
    const char *Text = Opcode < FirstOfTarget ? "" : text(*Printer, Inst);
    std::string Line = Text ? Text : "";
    for (char &C : Line)
      C = C == '\n' || C == '\t' ? ' ' : C;
    std::printf("%s\t%s\n", Info->getName(Opcode).str().c_str(), Line.c_str());
  }
}
