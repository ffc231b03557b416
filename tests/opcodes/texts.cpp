// Prints each opcode of NVPTX as the assembler reads it, with a name that tells
// its position for each operand that is a register: operand_3.
//
// A line has the opcode's name, how many results it has, its operands'
// `type:bits` (bits of the register class, 0 without one), the variation, and
// the text.  The variation is `-`, or says what one operand without a class is
// instead of 0: `n4` a name, `i4` the number 12345.  Those that leave the
// brackets of the text as they are are left out.
//
// LLVM's printer does not expect each number everywhere.  Each opcode has a
// process of its own, which goes on after the variation that ended it.
#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdio>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTargetMC();

using namespace llvm;

namespace {

// What functions of LLVM want: the triple, and descriptions.
#if LLVM_VERSION_MAJOR >= 22
const Triple &key(const Triple &T) { return T; }
#else
std::string key(const Triple &T) { return T.str(); }
#endif
#if LLVM_VERSION_MAJOR >= 23
template <class D> const D &given(const std::unique_ptr<D> &P) { return *P; }
#else
template <class D> const D *given(const std::unique_ptr<D> &P) {
  return P.get();
}
#endif

std::string brackets(const std::string &Text) {
  const size_t First = Text.find('['), Last = Text.rfind(']');
  return First == std::string::npos ? "" : Text.substr(First, Last - First);
}

struct Printer {
  const MCInstrInfo &Info;
  const MCRegisterInfo &Registers;
  const MCSubtargetInfo &Subtarget;
  MCInstPrinter &InstPrinter;
  MCContext &Context;

  bool hasClass(unsigned Opcode, unsigned N) const {
    return Info.get(Opcode).operands()[N].RegClass >= 0;
  }
  // A register or a symbol: text of its own, whatever the target makes of it.
  MCOperand name(unsigned N) const {
    MCSymbol *Symbol = Context.getOrCreateSymbol("operand_" + Twine(N));
    return MCOperand::createExpr(MCSymbolRefExpr::create(Symbol, Context));
  }
  MCInst inst(unsigned Opcode) const {
    MCInst Inst;
    Inst.setOpcode(Opcode);
    for (unsigned N = 0; N != Info.get(Opcode).getNumOperands(); ++N)
      Inst.addOperand(hasClass(Opcode, N) ? name(N) : MCOperand::createImm(0));
    return Inst;
  }
  std::string text(const MCInst &Inst) const {
    std::string Text;
    raw_string_ostream OS(Text);
    InstPrinter.printInst(&Inst, 0, "", Subtarget, OS);
    OS.flush();
    for (char &C : Text)
      if (C == '\n' || C == '\t')
        C = ' ';
    return Text;
  }
  void line(unsigned Opcode, const std::string &Variation,
            const std::string &Text) const {
    const MCInstrDesc &Desc = Info.get(Opcode);
    std::string Types;
    for (const MCOperandInfo &O : Desc.operands()) {
      const unsigned Bits =
          O.RegClass >= 0 ? Registers.getRegClass(O.RegClass).getSizeInBits()
                          : 0;
      Types += std::to_string(O.OperandType) + ":" + std::to_string(Bits) + " ";
    }
    std::printf("%s\t%u\t%s\t%s\t%s\n", Info.getName(Opcode).str().c_str(),
                Desc.getNumDefs(), Types.c_str(), Variation.c_str(),
                Text.c_str());
    std::fflush(stdout);
  }
  // Prints the variations from number Next on.  Next is always the one after
  // that which is being printed.
  void variations(unsigned Opcode, volatile unsigned &Next) const {
    const std::string Plain = text(inst(Opcode));
    if (Plain.find('[') == std::string::npos)
      return;
    if (!Next)
      line(Opcode, "-", Plain);
    for (const unsigned End = Info.get(Opcode).getNumOperands() * 2;
         Next < End;) {
      const unsigned N = Next / 2;
      const bool IsName = Next % 2 == 0;
      Next = Next + 1;
      if (hasClass(Opcode, N))
        continue;
      MCInst Inst = inst(Opcode);
      Inst.getOperand(N) = IsName ? name(N) : MCOperand::createImm(12345);
      const std::string Text = text(Inst);
      if (brackets(Text) != brackets(Plain))
        line(Opcode, (IsName ? "n" : "i") + std::to_string(N), Text);
    }
  }
};

} // namespace

int main() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  std::string Error;
  Triple T("nvptx64-nvidia-cuda");
  const Target *NVPTX = TargetRegistry::lookupTarget("", T, Error);
  if (!NVPTX) {
    std::fprintf(stderr, "%s\n", Error.c_str());
    return 1;
  }
  const MCTargetOptions Options;
  std::unique_ptr<MCInstrInfo> Info(NVPTX->createMCInstrInfo());
  std::unique_ptr<MCRegisterInfo> Registers(NVPTX->createMCRegInfo(key(T)));
  std::unique_ptr<MCAsmInfo> Asm(
      NVPTX->createMCAsmInfo(*Registers, key(T), Options));
  std::unique_ptr<MCSubtargetInfo> Subtarget(
      NVPTX->createMCSubtargetInfo(key(T), "sm_90", ""));
  MCContext Context(T, given(Asm), given(Registers), given(Subtarget));
  std::unique_ptr<MCInstPrinter> InstPrinter(
      NVPTX->createMCInstPrinter(T, 0, *Asm, *Info, *Registers));
  const Printer P{*Info, *Registers, *Subtarget, *InstPrinter, Context};
  void *Shared = mmap(nullptr, sizeof(unsigned), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Shared == MAP_FAILED) {
    std::perror("mmap");
    return 1;
  }
  volatile unsigned &Next = *static_cast<unsigned *>(Shared);
  for (unsigned Opcode = 0; Opcode != Info->getNumOpcodes(); ++Opcode) {
    Next = 0;
    for (unsigned From = 0, Status = 1; Status; From = Next) {
      const pid_t Child = fork();
      if (Child == 0) {
        P.variations(Opcode, Next);
        _exit(0);
      }
      int Exit = 0;
      if (Child < 0 || waitpid(Child, &Exit, 0) < 0) {
        std::perror("a process for an opcode");
        return 1;
      }
      // One that ends where it began cannot be printed at all.
      Status = Exit && Next != From;
    }
  }
}
