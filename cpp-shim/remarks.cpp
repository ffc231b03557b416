// Optimisation remarks.
#include "checked.h"
#include "compat.h"

#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Remarks/RemarkStreamer.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace llvm;
using namespace ptxpasses;

namespace {

template <class Remark>
void emit(MachineBasicBlock &MBB, const MachineInstr *MI, PtxStr Pass,
          PtxStr Name, ArrayRef<PtxRemarkPart> Parts) {
  MachineFunction &MF = *MBB.getParent();
  DebugLoc Loc = MI ? MI->getDebugLoc() : DebugLoc();
  std::string PassName = ref(Pass).str(); // kept as a C string
  Remark R(PassName.c_str(), ref(Name),
           Loc ? DiagnosticLocation(Loc)
               : DiagnosticLocation(MF.getFunction().getSubprogram()),
           &MBB);
  for (const PtxRemarkPart &Part : Parts) {
    if (Part.key.len)
      R << typename Remark::Argument(ref(Part.key), ref(Part.value));
    else
      R << ref(Part.value);
  }
  // There are no block frequencies, so there is no hotness.
  MachineOptimizationRemarkEmitter(MF, nullptr).emit(R);
}

} // namespace

extern "C" {

bool ptx_remarks_wanted(const PtxFunction *MF, PtxRemarkKind Kind,
                        PtxStr Pass) {
  LLVMContext &Context = get(MF)->getFunction().getContext();
  auto *Streamer = Context.getMainRemarkStreamer();
  if (Streamer && Streamer->matchesFilter(ref(Pass)))
    return true;
  const DiagnosticHandler &Handler = *Context.getDiagHandlerPtr();
  switch (Kind) {
  case PTX_REMARK_ANALYSIS:
    return Handler.isAnalysisRemarkEnabled(ref(Pass));
  case PTX_REMARK_MISSED:
    return Handler.isMissedOptRemarkEnabled(ref(Pass));
  case PTX_REMARK_PASSED:
    return Handler.isPassedOptRemarkEnabled(ref(Pass));
  }
  report_fatal_error("ptxpasses: unknown kind of remark");
}

void ptx_remark(PtxRemarkKind Kind, PtxBlock *MBB, const PtxInstr *P,
                PtxStr Pass, PtxStr Name, const PtxRemarkPart *Parts,
                size_t NumParts) {
  const MachineInstr *MI = P ? get(P) : nullptr;
  switch (Kind) {
  case PTX_REMARK_ANALYSIS:
    return emit<MachineOptimizationRemarkAnalysis>(*get(MBB), MI, Pass, Name,
                                                   {Parts, NumParts});
  case PTX_REMARK_MISSED:
    return emit<MachineOptimizationRemarkMissed>(*get(MBB), MI, Pass, Name,
                                                 {Parts, NumParts});
  case PTX_REMARK_PASSED:
    return emit<MachineOptimizationRemark>(*get(MBB), MI, Pass, Name,
                                           {Parts, NumParts});
  }
  report_fatal_error("ptxpasses: unknown kind of remark");
}

size_t ptx_reg_text(const PtxFunction *MF, uint32_t Reg, uint32_t SubReg,
                    char *Out, size_t Capacity) {
  anyReg(*get(MF), Reg);
  subRegIndex(*get(MF), SubReg);
  const MachineRegisterInfo &MRI = get(MF)->getRegInfo();
  const TargetRegisterInfo *TRI = MRI.getTargetRegisterInfo();
  std::string Text;
  raw_string_ostream OS(Text);
  OS << printReg(Register(Reg), TRI, SubReg, &MRI);
  if (Register(Reg).isVirtual())
    OS << ":" << printRegClassOrBank(Register(Reg), MRI, TRI);
  OS.flush();
  return copyText(Text, Out, Capacity);
}

size_t ptx_mi_text(const PtxInstr *MI, char *Out, size_t Capacity) {
  std::string Text;
  raw_string_ostream OS(Text);
  const MachineFunction *MF =
      get(MI)->getParent() ? get(MI)->getMF() : erasedFrom(*get(MI));
  get(MI)->print(OS, /*IsStandalone=*/true, /*SkipOpers=*/false,
                 /*SkipDebugLoc=*/true, /*AddNewLine=*/false,
                 MF ? &tii(*MF) : nullptr);
  OS.flush();
  return copyText(Text, Out, Capacity);
}

size_t ptx_mf_text(const PtxFunction *MF, char *Out, size_t Capacity) {
  std::string Text;
  raw_string_ostream OS(Text);
  get(MF)->print(OS);
  OS.flush();
  return copyText(Text, Out, Capacity);
}

} // extern "C"
