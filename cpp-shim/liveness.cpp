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

// The value that LR has from a PHI at Start begins at Def, where the PHI's copy
// is.  Copies are in another order than their PHIs, and another register's may
// have been put before or behind: Def can be on either side of the segment.
void phiDefToCopy(LiveRange &LR, SlotIndex Start, SlotIndex Def,
                  VNInfo::Allocator &Allocator) {
  LiveRange::iterator S = LR.find(Start);
  if (S == LR.end())
    return;
  SlotIndex Old =
      ptx_version_facts.phi_elim_updates_sub_ranges ? S->start : Start;
  if (LR.endIndex().isDead()) {
    // A dead value: a point at the start, now one at the copy.
    VNInfo *Dead = LR.getVNInfoAt(Old);
    LR.removeSegment(Old, Old.getDeadSlot());
    LR.createDeadDef(Def, Allocator);
    LR.removeValNo(Dead);
    return;
  }
  if (Old > Def)
    LR.addSegment(LiveRange::Segment(Def, Old, LR.getVNInfoAt(Old)));
  else if (Old < Def)
    LR.removeSegment(Old, Def);
  LR.getVNInfoAt(Def)->def = Def;
}

// LiveVariables::addVirtualRegisterKilled, without a look at what overlaps the
// register: the first operand that reads it, if there is one, has the flag.
void addKilled(LiveVariables::VarInfo &VI, MachineInstr &MI, Register Reg) {
  for (MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg() == Reg && MO.isUse() && !MO.isUndef() &&
        !MO.isDebug()) {
      MO.setIsKill();
      VI.Kills.push_back(&MI);
      return;
    }
}

} // namespace

extern "C" {

// ---- LiveVariables ------------------------------------------------------

void ptx_lv_create_var_info(PtxLiveVariables *LV, uint32_t Reg) {
  get(LV)->getVarInfo(Reg);
}

PtxInstr *ptx_lv_find_kill(PtxLiveVariables *LV, uint32_t Reg, PtxBlock *MBB) {
  return wrap(get(LV)->getVarInfo(Reg).findKill(get(MBB)));
}

bool ptx_lv_remove_kill(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  return get(LV)->getVarInfo(Reg).removeKill(*get(MI));
}

bool ptx_lv_remove_killed(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  return get(LV)->removeVirtualRegisterKilled(Reg, *get(MI));
}

void ptx_lv_add_killed(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  addKilled(get(LV)->getVarInfo(Reg), *get(MI), Reg);
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

void ptx_lv_clear(PtxLiveVariables *LV, uint32_t Reg) {
  LiveVariables::VarInfo &VI = get(LV)->getVarInfo(Reg);
  VI.AliveBlocks.clear();
  VI.Kills.clear();
}

void ptx_lv_recompute(PtxLiveVariables *LV, uint32_t Reg) {
  get(LV)->recomputeForSingleDefVirtReg(Reg);
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

bool ptx_lv_is_live_in(PtxLiveVariables *LV, uint32_t Reg, PtxBlock *MBB) {
  return get(LV)->isLiveIn(Reg, *get(MBB));
}

bool ptx_lv_is_live_out(PtxLiveVariables *LV, uint32_t Reg, PtxBlock *MBB) {
  return get(LV)->isLiveOut(Reg, *get(MBB));
}

void ptx_lv_live_out(PtxLiveVariables *LV, PtxFunction *MF, uint32_t Reg,
                     const uint32_t *Blocks, size_t NumBlocks, bool *Out) {
  LiveVariables::VarInfo &VI = get(LV)->getVarInfo(Reg);
  if (VI.AliveBlocks.empty() && VI.Kills.empty()) {
    // Only PHIs read it.
    std::fill_n(Out, NumBlocks, false);
    return;
  }
  SmallPtrSet<const MachineBasicBlock *, 8> Kills;
  for (const MachineInstr *Kill : VI.Kills)
    Kills.insert(Kill->getParent());
  for (size_t I = 0; I != NumBlocks; ++I)
    Out[I] = any_of(get(MF)->getBlockNumbered(Blocks[I])->successors(),
                    [&](const MachineBasicBlock *Succ) {
                      return VI.AliveBlocks.test(Succ->getNumber()) ||
                             Kills.count(Succ);
                    });
}

size_t ptx_lv_alive_blocks(PtxLiveVariables *LV, uint32_t Reg, uint32_t *Out,
                           size_t Capacity) {
  size_t N = 0;
  for (unsigned Block : get(LV)->getVarInfo(Reg).AliveBlocks)
    if (N++ < Capacity)
      *Out++ = Block;
  return N;
}

size_t ptx_lv_kill_blocks(PtxLiveVariables *LV, uint32_t Reg, uint32_t *Out,
                          size_t Capacity) {
  size_t N = 0;
  for (const MachineInstr *Kill : get(LV)->getVarInfo(Reg).Kills)
    if (N++ < Capacity)
      *Out++ = Kill->getParent()->getNumber();
  return N;
}

void ptx_lv_end_at(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI,
                   uint32_t Block) {
  LiveVariables::VarInfo &VI = get(LV)->getVarInfo(Reg);
  addKilled(VI, *get(MI), Reg);
  VI.AliveBlocks.reset(Block);
}

void ptx_lv_move_alive(PtxLiveVariables *P, uint32_t Into, uint32_t From) {
  LiveVariables &LV = *get(P);
  // As in ptx_lv_merge.
  LV.getVarInfo(Into);
  LV.getVarInfo(From);
  LiveVariables::VarInfo &To = LV.getVarInfo(Into);
  LiveVariables::VarInfo &Old = LV.getVarInfo(From);
  To.AliveBlocks = Old.AliveBlocks;
  Old.AliveBlocks.clear();
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
  if (!ptx_version_facts.live_intervals_tell_phys_kills)
    return killsRegister(MI, Reg);
  const MachineFunction &MF = *MI.getMF();
  if (MF.getRegInfo().isReserved(Reg))
    return false;
  for (auto Unit : tri(MF).regunits(Reg))
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
    const TargetRegisterInfo &TRI = tri(*get(MI));
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
  const TargetRegisterInfo &TRI = tri(MI);
  LaneBitmask Defined = TRI.getSubRegIndexLaneMask(Def.getSubReg());
  SlotIndex Slot = LIS.getInstructionIndex(MI).getRegSlot();
  for (LiveInterval::SubRange &S : LI.subranges()) {
    if ((S.LaneMask & Defined).any())
      continue;
    // These lanes pass through: the value defined here is the one before.
    LiveRange::iterator DefSegment = S.FindSegmentContaining(Slot);
    if (ptx_version_facts.insert_subreg_removes_undef_lanes && Def.isUndef())
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

uint32_t ptx_lis_live_in(PtxLiveIntervals *P, uint32_t Reg, PtxBlock *MBB) {
  LiveIntervals &LIS = *get(P);
  SlotIndex Start = LIS.getMBBStartIdx(get(MBB));
  const VNInfo *Value = LIS.getInterval(Reg).getVNInfoAt(Start);
  if (!Value)
    return PTX_NOT_LIVE_IN;
  return Value->def == Start ? PTX_DEFINED_AT_START : PTX_LIVE_IN;
}

void ptx_lis_insert_instr(PtxLiveIntervals *LIS, PtxInstr *MI) {
  get(LIS)->InsertMachineInstrInMaps(*get(MI));
}

void ptx_lis_add_incoming(PtxLiveIntervals *P, uint32_t Reg, PtxBlock *MBB,
                          PtxInstr *Copy) {
  LiveIntervals &LIS = *get(P);
  SlotIndex Start = LIS.getMBBStartIdx(get(MBB));
  SlotIndex End = LIS.getInstructionIndex(*get(Copy)).getRegSlot();
  LiveInterval &LI =
      LIS.hasInterval(Reg) && ptx_version_facts.phi_elim_updates_sub_ranges
          ? LIS.getInterval(Reg)
          : LIS.createEmptyInterval(Reg);
  VNInfo *Value = LI.getVNInfoAt(Start);
  if (!Value)
    Value = LI.getNextValue(Start, LIS.getVNInfoAllocator());
  LI.addSegment(LiveRange::Segment(Start, End, Value));
}

void ptx_lis_phi_def_to_copy(PtxLiveIntervals *P, uint32_t Reg, PtxBlock *MBB,
                             PtxInstr *Copy) {
  LiveIntervals &LIS = *get(P);
  SlotIndex Start = LIS.getMBBStartIdx(get(MBB));
  SlotIndex Def = LIS.getInstructionIndex(*get(Copy)).getRegSlot();
  auto Update = [&](LiveRange &LR) {
    phiDefToCopy(LR, Start, Def, LIS.getVNInfoAllocator());
  };
  LiveInterval &LI = LIS.getInterval(Reg);
  Update(LI);
  if (ptx_version_facts.phi_elim_updates_sub_ranges)
    for (LiveInterval::SubRange &S : LI.subranges())
      Update(S);
}

void ptx_lis_live_to_end(PtxLiveIntervals *LIS, uint32_t Reg, PtxInstr *MI) {
  get(LIS)->addSegmentToEndOfBlock(Reg, *get(MI));
}

void ptx_lis_end_at(PtxLiveIntervals *P, uint32_t Reg, PtxInstr *Last,
                    PtxBlock *MBB) {
  LiveIntervals &LIS = *get(P);
  SlotIndex From = LIS.getInstructionIndex(*get(Last)).getRegSlot();
  SlotIndex End = LIS.getMBBEndIdx(get(MBB));
  LiveInterval &LI = LIS.getInterval(Reg);
  LI.removeSegment(From, End);
  if (ptx_version_facts.phi_elim_updates_sub_ranges)
    for (LiveInterval::SubRange &S : LI.subranges())
      S.removeSegment(From, End);
}

} // extern "C"
