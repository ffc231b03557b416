#include "head.h"
#include "rust_side.h"

#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace ptxpasses;

bool ptxpasses::writeHead(Pass &P) {
  // The printer's class is private to the target. Up to LLVM 20 its id is
  // shared by all targets' printers.
  if (P.getPassName() != "NVPTX Assembly Printer")
    return false;
  auto &Printer = static_cast<AsmPrinter &>(P);
  const PtxStr Line = ptx_entry_points.head(archOf(Printer.TM));
  if (Line.len)
    Printer.OutStreamer->emitRawComment(" " + ref(Line), /*TabPrefix=*/false);
  return true;
}
