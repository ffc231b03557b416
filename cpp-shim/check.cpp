// For testing: an analysis as text, to be read or to be compared with the stock
// pass's result for the same function.
#include "check.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ptxpasses;

#if PTX_HAS_VARIABLES
// Like LiveIntervals::print: blocks, and kills by their instruction's position.
void ptxpasses::print(raw_ostream &OS, LiveVariables &LV,
                      const MachineFunction &MF) {
  DenseMap<const MachineInstr *, unsigned> Position;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      Position.try_emplace(&MI, Position.size());
  OS << "********** VARIABLES **********\n";
  for (unsigned I = 0, E = MF.getRegInfo().getNumVirtRegs(); I != E; ++I) {
    const LiveVariables::VarInfo &Info = LV.getVarInfo(virtReg(I));
    OS << "%" << I << " alive:";
    for (unsigned Block : Info.AliveBlocks)
      OS << " %bb." << Block;
    OS << " kills:";
    for (const MachineInstr *Kill : Info.Kills)
      OS << " " << Position.lookup(Kill);
    OS << "\n";
  }
  // Kill and dead flags.
  MF.print(OS);
}
#endif

void ptxpasses::print(raw_ostream &OS, LiveIntervals &LIS,
                      const MachineFunction &MF) {
  LIS.print(OS);
  for (const MachineBasicBlock &MBB : MF) {
    ArrayRef<SlotIndex> Slots = LIS.getRegMaskSlotsInBlock(MBB.getNumber());
    ArrayRef<const uint32_t *> Bits =
        LIS.getRegMaskBitsInBlock(MBB.getNumber());
    for (size_t I = 0; I != Slots.size(); ++I)
      OS << "mask in %bb." << MBB.getNumber() << " " << Slots[I] << " "
         << static_cast<const void *>(Bits[I]) << "\n";
  }
}

namespace {

// Whether a line begins with a virtual register from NumRegs on.
bool isOfNewRegister(StringRef Line, unsigned NumRegs) {
  unsigned Reg = 0;
  return Line.consume_front("%") && !Line.consumeInteger(10, Reg) &&
         Reg >= NumRegs;
}

} // namespace

std::string ptxpasses::firstDifference(StringRef Ours, StringRef Stock,
                                       unsigned NumRegs) {
  while (!Ours.empty() || !Stock.empty()) {
    auto [OurLine, OurRest] = Ours.split('\n');
    auto [StockLine, StockRest] = Stock.split('\n');
    if (OurLine != StockLine && !isOfNewRegister(OurLine, NumRegs))
      return ("ours: " + OurLine + "\nstock: " + StockLine).str();
    Ours = OurRest;
    Stock = StockRest;
  }
  return {};
}
