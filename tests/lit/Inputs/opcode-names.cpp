// Prints the names of NVPTX's opcodes, in their order.
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdio>
#include <memory>
#include <string>

extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTargetMC();

int main() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  std::string Error;
  llvm::Triple Triple("nvptx64-nvidia-cuda");
  const llvm::Target *Target =
      llvm::TargetRegistry::lookupTarget(/*ArchName=*/"", Triple, Error);
  if (!Target) {
    std::fprintf(stderr, "%s\n", Error.c_str());
    return 1;
  }
  std::unique_ptr<llvm::MCInstrInfo> Info(Target->createMCInstrInfo());
  for (unsigned Opcode = 0; Opcode != Info->getNumOpcodes(); ++Opcode)
    std::printf("%s\n", Info->getName(Opcode).str().c_str());
}
