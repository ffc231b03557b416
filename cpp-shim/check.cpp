// For testing: an analysis as text, to compare what Rust has filled with what
// the stock pass computes of the same function.
#include "check.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

void print(raw_ostream &OS, const LiveRange &LR) {
  for (const VNInfo *V : LR.valnos) {
    OS << " " << V->id << "@";
    if (V->isUnused())
      OS << "unused";
    else
      OS << V->def;
  }
  OS << " :";
  for (const LiveRange::Segment &S : LR.segments)
    OS << " [" << S.start << "," << S.end << ":" << S.valno->id << ")";
  OS << "\n";
}

} // namespace

// Bodies and flags of all instructions: the analyses set kill and dead flags.
void ptxpasses::print(raw_ostream &OS, const MachineFunction &MF) {
  MF.print(OS);
}

void ptxpasses::print(raw_ostream &OS, LiveVariables &LV,
                      const MachineFunction &MF) {
  for (unsigned I = 0, E = MF.getRegInfo().getNumVirtRegs(); I != E; ++I) {
    const LiveVariables::VarInfo &Info = LV.getVarInfo(virtReg(I));
    OS << "%" << I << " alive";
    for (unsigned Block : Info.AliveBlocks)
      OS << " " << Block;
    OS << " kills";
    for (const MachineInstr *Kill : Info.Kills)
      OS << " " << static_cast<const void *>(Kill);
    OS << "\n";
  }
}

void ptxpasses::print(raw_ostream &OS, LiveIntervals &LIS,
                      const MachineFunction &MF) {
  for (unsigned I = 0, E = MF.getRegInfo().getNumVirtRegs(); I != E; ++I) {
    if (!LIS.hasInterval(virtReg(I)))
      continue;
    const LiveInterval &LI = LIS.getInterval(virtReg(I));
    OS << "%" << I << " weight " << LI.weight();
    ::print(OS, LI);
    for (const LiveInterval::SubRange &S : LI.subranges()) {
      OS << "  lanes " << PrintLaneMask(S.LaneMask);
      ::print(OS, S);
    }
  }
  for (unsigned U = 0,
                E = MF.getSubtarget().getRegisterInfo()->getNumRegUnits();
       U != E; ++U)
    if (const LiveRange *LR = LIS.getCachedRegUnit(static_cast<RegUnit>(U))) {
      OS << "unit " << U;
      ::print(OS, *LR);
    }
  for (const MachineBasicBlock &MBB : MF) {
    OS << "masks of " << MBB.getNumber();
    for (SlotIndex I : LIS.getRegMaskSlotsInBlock(MBB.getNumber()))
      OS << " " << I;
    for (const uint32_t *Bits : LIS.getRegMaskBitsInBlock(MBB.getNumber()))
      OS << " " << static_cast<const void *>(Bits);
    OS << "\n";
  }
}

std::string ptxpasses::firstDifference(StringRef Ours, StringRef Stock) {
  while (!Ours.empty() || !Stock.empty()) {
    auto [OurLine, OurRest] = Ours.split('\n');
    auto [StockLine, StockRest] = Stock.split('\n');
    if (OurLine != StockLine)
      return ("ours: " + OurLine + "\nstock: " + StockLine).str();
    Ours = OurRest;
    Stock = StockRest;
  }
  return {};
}
