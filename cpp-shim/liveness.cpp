// LiveVariables and LiveIntervals as plain calls.
#include "compat.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

bool endsAt(LiveIntervals &LIS, const MachineInstr &MI, LiveRange &LR) {
  // Undefined reads have no value and no kill flag either.
  if (!LR.hasAtLeastOneValue())
    return false;
  SlotIndex Use = LIS.getInstructionIndex(MI);
  LiveRange::const_iterator I = LR.find(Use);
  return I != LR.end() && !I->end.isBlock() &&
         SlotIndex::isSameInstr(I->end, Use);
}

void addDef(LiveIntervals &LIS, LiveRange &LR, SlotIndex Def, SlotIndex End) {
  VNInfo *VNI = LR.getNextValue(Def, LIS.getVNInfoAllocator());
  LR.addSegment(LiveRange::Segment(Def, End, VNI));
}

} // namespace

extern "C" {

// ---- LiveVariables ------------------------------------------------------

PtxInstr *ptx_lv_find_kill(PtxLiveVariables *LV, uint32_t Reg, PtxBlock *MBB) {
  return wrap(get(LV)->getVarInfo(Reg).findKill(get(MBB)));
}

bool ptx_lv_remove_kill(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  return get(LV)->getVarInfo(Reg).removeKill(*get(MI));
}

bool ptx_lv_remove_killed(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  return get(LV)->removeVirtualRegisterKilled(Reg, *get(MI));
}

void ptx_lv_add_killed(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI,
                       bool AddIfNotFound) {
  get(LV)->addVirtualRegisterKilled(Reg, *get(MI), AddIfNotFound);
}

void ptx_lv_replace_kill(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *From,
                         PtxInstr *To) {
  get(LV)->replaceKillInstruction(Reg, *get(From), *get(To));
}

bool ptx_lv_remove_dead(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  return get(LV)->removeVirtualRegisterDead(Reg, *get(MI));
}

void ptx_lv_add_dead(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  get(LV)->addVirtualRegisterDead(Reg, *get(MI));
}

void ptx_lv_merge(PtxLiveVariables *P, uint32_t Into, uint32_t From) {
  LiveVariables &LV = *get(P);
  // The map of VarInfos may grow at either call: look both up, then take
  // references.
  LV.getVarInfo(Into);
  LV.getVarInfo(From);
  LiveVariables::VarInfo &To = LV.getVarInfo(Into);
  LiveVariables::VarInfo &Old = LV.getVarInfo(From);
  To.AliveBlocks |= Old.AliveBlocks;
  Old.AliveBlocks.clear();
  for (MachineInstr *Kill : Old.Kills)
    LV.addVirtualRegisterKilled(Into, *Kill, false);
}

// ---- LiveIntervals ------------------------------------------------------

bool ptx_lis_has_instr(const PtxLiveIntervals *LIS, const PtxInstr *MI) {
  return !get(LIS)->isNotInMIMap(*get(MI));
}

bool ptx_lis_ends_at(PtxLiveIntervals *P, const PtxInstr *M, uint32_t Number) {
  LiveIntervals &LIS = *get(P);
  const MachineInstr &MI = *get(M);
  Register Reg(Number);
  if (Reg.isVirtual())
    return endsAt(LIS, MI, LIS.getInterval(Reg));
  if (!LiveIntervalsTellPhysKills)
    return killsRegister(MI, Reg);
  const MachineFunction &MF = *MI.getMF();
  if (MF.getRegInfo().isReserved(Reg))
    return false;
  for (auto Unit : MF.getSubtarget().getRegisterInfo()->regunits(Reg))
    if (!endsAt(LIS, MI, LIS.getRegUnit(Unit)))
      return false;
  return true;
}

PtxInstr *ptx_lis_find_kill(PtxLiveIntervals *P, uint32_t Reg, PtxBlock *MBB) {
  LiveIntervals &LIS = *get(P);
  LiveInterval &LI = LIS.getInterval(Reg);
  SlotIndex End = LIS.getMBBEndIdx(get(MBB)).getPrevSlot();
  LiveInterval::const_iterator I = LI.find(End);
  if (I != LI.end() && I->start < End)
    return nullptr;
  --I;
  return wrap(LIS.getInstructionFromIndex(I->end));
}

uint64_t ptx_lis_insert_copy(PtxLiveIntervals *P, PtxInstr *Copy, PtxInstr *MI,
                             uint32_t Dst, bool EarlyClobber) {
  LiveIntervals &LIS = *get(P);
  SlotIndex Def = LIS.InsertMachineInstrInMaps(*get(Copy)).getRegSlot();
  SlotIndex End = LIS.getInstructionIndex(*get(MI)).getRegSlot(EarlyClobber);
  Register Reg(Dst);
  if (Reg.isVirtual()) {
    LiveInterval &LI = LIS.getInterval(Reg);
    addDef(LIS, LI, Def, End);
    for (LiveInterval::SubRange &S : LI.subranges())
      addDef(LIS, S, Def, End);
  } else {
    const TargetRegisterInfo &TRI =
        *get(MI)->getMF()->getSubtarget().getRegisterInfo();
    for (auto Unit : TRI.regunits(Reg))
      if (LiveRange *LR = LIS.getCachedRegUnit(Unit))
        addDef(LIS, *LR, Def, End);
  }
  return toBits(Def);
}

void ptx_lis_end_at_copy(PtxLiveIntervals *P, PtxInstr *MI, uint32_t Reg,
                         uint64_t CopySlot, uint64_t RemainingLanes) {
  LiveIntervals &LIS = *get(P);
  SlotIndex Use = LIS.getInstructionIndex(*get(MI));
  SlotIndex Copy = fromBits(CopySlot);
  LaneBitmask Remaining(RemainingLanes);
  auto Shrink = [&](LiveRange &LR, LaneBitmask Lanes) {
    LiveRange::Segment *S = LR.getSegmentContaining(Copy);
    if (!S)
      return true;
    if ((Lanes & Remaining).any() || S->end.getBaseIndex() != Use)
      return false;
    S->end = Copy;
    return true;
  };
  LiveInterval &LI = LIS.getInterval(Reg);
  bool ShrinkMain = true;
  for (LiveInterval::SubRange &S : LI.subranges())
    ShrinkMain &= Shrink(S, S.LaneMask);
  if (ShrinkMain)
    Shrink(LI, LaneBitmask::getAll());
}

void ptx_lis_handle_move(PtxLiveIntervals *LIS, PtxInstr *MI) {
  get(LIS)->handleMove(*get(MI));
}

void ptx_lis_remove_instr(PtxLiveIntervals *LIS, PtxInstr *MI) {
  get(LIS)->RemoveMachineInstrFromMaps(*get(MI));
}

void ptx_lis_repair(PtxLiveIntervals *LIS, PtxBlock *MBB, PtxInstr *Begin,
                    PtxInstr *End, const uint32_t *Regs, size_t NumRegs) {
  MachineBasicBlock &B = *get(MBB);
  SmallVector<Register, 8> Originals(Regs, Regs + NumRegs);
  get(LIS)->repairIntervalsInRange(
      &B, MachineBasicBlock::iterator(get(Begin)),
      End ? MachineBasicBlock::iterator(get(End)) : B.end(), Originals);
}

bool ptx_lis_overlap(PtxLiveIntervals *LIS, uint32_t A, uint32_t B) {
  return get(LIS)->getInterval(A).overlaps(get(LIS)->getInterval(B));
}

void ptx_lis_merge(PtxLiveIntervals *P, uint32_t Into, uint32_t From) {
  LiveIntervals &LIS = *get(P);
  LiveInterval &To = LIS.getInterval(Into);
  LiveInterval &Old = LIS.getInterval(From);
  SmallVector<VNInfo *> Values;
  for (const VNInfo *VNI : Old.valnos)
    Values.push_back(To.createValueCopy(VNI, LIS.getVNInfoAllocator()));
  for (const LiveRange::Segment &S : Old)
    To.addSegment(LiveRange::Segment(S.start, S.end, Values[S.valno->id]));
  LIS.removeInterval(From);
}

void ptx_lis_insert_subreg_to_copy(PtxLiveIntervals *P, PtxInstr *M) {
  LiveIntervals &LIS = *get(P);
  MachineInstr &MI = *get(M);
  const MachineOperand &Def = MI.getOperand(0);
  LiveInterval &LI = LIS.getInterval(Def.getReg());
  if (!LI.hasSubRanges()) {
    // There is a sub-register definition now: start again, with sub-ranges.
    Register Reg = Def.getReg();
    LIS.removeInterval(Reg);
    LIS.createAndComputeVirtRegInterval(Reg);
    return;
  }
  const TargetRegisterInfo &TRI = *MI.getMF()->getSubtarget().getRegisterInfo();
  LaneBitmask Defined = TRI.getSubRegIndexLaneMask(Def.getSubReg());
  SlotIndex Slot = LIS.getInstructionIndex(MI).getRegSlot();
  for (LiveInterval::SubRange &S : LI.subranges()) {
    if ((S.LaneMask & Defined).any())
      continue;
    // These lanes pass through: the value defined here is the one before.
    LiveRange::iterator DefSegment = S.FindSegmentContaining(Slot);
    if (InsertSubregRemovesUndefLanes && Def.isUndef())
      S.removeValNo(DefSegment->valno);
    else
      S.MergeValueNumberInto(DefSegment->valno, std::prev(DefSegment)->valno);
  }
  LIS.shrinkToUses(&LI);
}

const void *ptx_lis_value_out(PtxLiveIntervals *P, PtxInstr *MI, uint32_t Reg) {
  LiveIntervals &LIS = *get(P);
  if (!LIS.hasInterval(Reg))
    return nullptr;
  return LIS.getInterval(Reg)
      .Query(LIS.getInstructionIndex(*get(MI)))
      .valueOut();
}

const void *ptx_lis_value_at(PtxLiveIntervals *P, PtxInstr *MI, uint32_t Reg) {
  LiveIntervals &LIS = *get(P);
  return LIS.getInterval(Reg).getVNInfoAt(LIS.getInstructionIndex(*get(MI)));
}

bool ptx_lis_has_interval(const PtxLiveIntervals *LIS, uint32_t Reg) {
  return get(LIS)->hasInterval(Reg);
}

void ptx_lis_remove_interval(PtxLiveIntervals *LIS, uint32_t Reg) {
  get(LIS)->removeInterval(Reg);
}

} // extern "C"
