// Optimisation remarks.
#include "compat.h"

#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Remarks/RemarkStreamer.h"

#include <string>

using namespace llvm;
using namespace ptxpasses;

extern "C" {

bool ptx_remarks_wanted(const PtxFunction *MF, PtxStr Pass) {
  LLVMContext &Context = get(MF)->getFunction().getContext();
  auto *Streamer = Context.getMainRemarkStreamer();
  return (Streamer && Streamer->matchesFilter(ref(Pass))) ||
         Context.getDiagHandlerPtr()->isAnalysisRemarkEnabled(ref(Pass));
}

void ptx_remark_analysis(PtxBlock *P, const PtxInstr *MI, PtxStr Pass,
                         PtxStr Name, const PtxRemarkPart *Parts,
                         size_t NumParts) {
  MachineBasicBlock &MBB = *get(P);
  MachineFunction &MF = *MBB.getParent();
  DebugLoc Loc = MI ? get(MI)->getDebugLoc() : DebugLoc();
  std::string PassName = ref(Pass).str(); // kept as a C string
  MachineOptimizationRemarkAnalysis Remark(
      PassName.c_str(), ref(Name),
      Loc ? DiagnosticLocation(Loc)
          : DiagnosticLocation(MF.getFunction().getSubprogram()),
      &MBB);
  for (const PtxRemarkPart *Part = Parts; Part != Parts + NumParts; ++Part) {
    if (Part->key.len)
      Remark << MachineOptimizationRemarkAnalysis::Argument(ref(Part->key),
                                                            ref(Part->value));
    else
      Remark << ref(Part->value);
  }
  // Without block frequencies, as the analysis has none: no hotness.
  MachineOptimizationRemarkEmitter(MF, nullptr).emit(Remark);
}

} // extern "C"
