// Fills LiveVariables and LiveIntervals from outside. Their members have no
// setters.
#include "compat.h"
#include "private_member.h"

#include "llvm/CodeGen/LiveIntervalCalc.h"
#include "llvm/CodeGen/MachineDominators.h"

#include <vector>

using namespace llvm;
using namespace ptxpasses;

namespace ptxpasses {

PTX_PRIVATE(LISFunction, LiveIntervals, MF, MachineFunction *);
PTX_PRIVATE(LISRegInfo, LiveIntervals, MRI, MachineRegisterInfo *);
PTX_PRIVATE(LISTargetRegInfo, LiveIntervals, TRI, const TargetRegisterInfo *);
PTX_PRIVATE(LISInstrInfo, LiveIntervals, TII, const TargetInstrInfo *);
PTX_PRIVATE(LISIndexes, LiveIntervals, Indexes, SlotIndexes *);
PTX_PRIVATE(LISDominators, LiveIntervals, DomTree, MachineDominatorTree *);
PTX_PRIVATE(LISCalc, LiveIntervals, LICalc, LiveIntervalCalcPtr);
PTX_PRIVATE(LISVirtRegs, LiveIntervals, VirtRegIntervals,
            IndexedMap<LiveInterval *, VirtReg2IndexFunctor>);
PTX_PRIVATE(LISMaskSlots, LiveIntervals, RegMaskSlots,
            SmallVector<SlotIndex, 8>);
PTX_PRIVATE(LISMaskBits, LiveIntervals, RegMaskBits,
            SmallVector<const uint32_t *, 8>);
PTX_PRIVATE(LISMaskBlocks, LiveIntervals, RegMaskBlocks,
            SmallVector<std::pair<unsigned, unsigned>, 8>);
PTX_PRIVATE(LISUnits, LiveIntervals, RegUnitRanges,
            SmallVector<LiveRange *, 0>);
#if PTX_HAS_VARIABLES
PTX_PRIVATE(LVFunction, LiveVariables, MF, MachineFunction *);
PTX_PRIVATE(LVRegInfo, LiveVariables, MRI, MachineRegisterInfo *);
PTX_PRIVATE(LVTargetRegInfo, LiveVariables, TRI, const TargetRegisterInfo *);
PTX_PRIVATE(LVVirtRegs, LiveVariables, VirtRegInfo,
            IndexedMap<LiveVariables::VarInfo, VirtReg2IndexFunctor>);
#endif

} // namespace ptxpasses

namespace {

inline SlotIndex slot(const uint64_t *Slots, uint32_t Slot) {
  return slotAt(fromBits(Slots[Slot / 4]), PtxSlotKind(Slot % 4));
}

bool isLocal(uint8_t Flags) {
  return (Flags & (PTX_VAR_DEFINED | PTX_VAR_MANY_DEFS | PTX_VAR_GLOBAL)) ==
         PTX_VAR_DEFINED;
}

void fillRange(LiveRange &LR, const PtxLiveRange &R, const PtxLiveRanges &All,
               VNInfo::Allocator &Allocator) {
  if (R.num_values > 2)
    LR.valnos.reserve(R.num_values);
  for (uint32_t I = 0; I != R.num_values; ++I) {
    uint32_t Def = All.values[R.first_value + I];
    if (Def == PTX_UNUSED_VALUE)
      LR.getNextValue(SlotIndex(), Allocator)->markUnused();
    else
      LR.getNextValue(slot(All.slots, Def), Allocator);
  }
  if (R.num_segments > 2)
    LR.segments.reserve(R.num_segments);
  for (uint32_t I = 0; I != R.num_segments; ++I) {
    const PtxSegment &S = All.segments[R.first_segment + I];
    LR.segments.push_back(LiveRange::Segment(
        slot(All.slots, S.start), slot(All.slots, S.end), LR.valnos[S.value]));
  }
}

} // namespace

extern "C" {

#if PTX_HAS_VARIABLES
void ptx_lv_begin(PtxLiveVariables *P, PtxFunction *PF, PtxInstr *const *Instrs,
                  const uint8_t *Flags, const PtxPiece *Pieces, size_t NumRegs,
                  size_t NumNewRegs) {
  LiveVariables &LV = *get(P);
  MachineFunction &MF = *get(PF);
  LV.*pointerTo(LVFunction()) = &MF;
  LV.*pointerTo(LVRegInfo()) = &MF.getRegInfo();
  LV.*pointerTo(LVTargetRegInfo()) = &tri(MF);
  if (!NumRegs)
    return;
  // Looking up the last register makes room for all of them at once.
  (LV.*pointerTo(LVVirtRegs())).reserve(NumRegs + NumNewRegs);
  LV.getVarInfo(virtReg(NumRegs - 1));
  for (size_t Reg = 0; Reg != NumRegs; ++Reg)
    if (isLocal(Flags[Reg]))
      LV.getVarInfo(virtReg(Reg))
          .Kills.assign(1, get(Instrs[Pieces[Reg].end / 4]));
}

bool ptx_lv_is_filled(const PtxLiveVariables *LV) {
  return (get(LV)->*pointerTo(LVVirtRegs())).size() != 0;
}

void ptx_lv_fill(PtxLiveVariables *P, const PtxLiveVariablesFill *Fill) {
  LiveVariables &LV = *get(P);
  for (size_t I = 0; I != Fill->num_infos; ++I) {
    const PtxVarInfo &From = Fill->infos[I];
    LiveVariables::VarInfo &Info = LV.getVarInfo(virtReg(From.reg));
    for (uint32_t A = 0; A != From.num_alive; ++A)
      Info.AliveBlocks.set(Fill->alive[From.first_alive + A]);
    Info.Kills.reserve(From.num_kills);
    for (uint32_t K = 0; K != From.num_kills; ++K)
      Info.Kills.push_back(get(Fill->instrs[Fill->kills[From.first_kill + K]]));
  }
}
#endif // PTX_HAS_VARIABLES

void ptx_lv_edit_flags(const PtxFlagEdit *Edits, size_t N) {
  // Instructions and operands were read long ago. So those of all edits are
  // prefetched first, in parallel.
  for (size_t I = 0; I != N; ++I)
    __builtin_prefetch(get(Edits[I].instr));
  for (size_t I = 0; I != N; ++I)
    __builtin_prefetch(get(Edits[I].instr)->operands_begin());
  for (size_t I = 0; I != N; ++I) {
    MachineInstr &MI = *get(Edits[I].instr);
    switch (Edits[I].kind) {
    case PTX_EDIT_SET_KILL:
      MI.getOperand(Edits[I].at).setIsKill(true);
      continue;
    case PTX_EDIT_CLEAR_KILL:
      MI.getOperand(Edits[I].at).setIsKill(false);
      continue;
    case PTX_EDIT_DEAD:
      MI.addRegisterDead(Register(Edits[I].at), &tri(MI));
      continue;
    }
    report_fatal_error("ptxpasses: unknown edit of a flag");
  }
}

void ptx_lis_connect(PtxLiveIntervals *P, PtxFunction *PF,
                     PtxSlotIndexes *Indexes, PtxDominators *Dominators) {
  LiveIntervals &LIS = *get(P);
  MachineFunction &MF = *get(PF);
  LIS.*pointerTo(LISFunction()) = &MF;
  LIS.*pointerTo(LISRegInfo()) = &MF.getRegInfo();
  LIS.*pointerTo(LISTargetRegInfo()) = &tri(MF);
  LIS.*pointerTo(LISInstrInfo()) = &tii(MF);
  LIS.*pointerTo(LISIndexes()) = get(Indexes);
  LIS.*pointerTo(LISDominators()) = get(Dominators);
  // LLVM's later computations use it, for instance for a new register.
  auto &Calc = LIS.*pointerTo(LISCalc());
  if (!Calc)
    Calc = newLiveIntervalCalc();
  (LIS.*pointerTo(LISVirtRegs())).resize(MF.getRegInfo().getNumVirtRegs());
  (LIS.*pointerTo(LISUnits())).resize(tri(MF).getNumRegUnits());
}

void ptx_lis_fill_local(PtxLiveIntervals *P, const uint64_t *Slots,
                        const uint8_t *Flags, const PtxPiece *Pieces,
                        size_t NumRegs) {
  LiveIntervals &LIS = *get(P);
  VNInfo::Allocator &Allocator = LIS.getVNInfoAllocator();
  auto &Intervals = LIS.*pointerTo(LISVirtRegs());
  for (size_t Reg = 0; Reg != NumRegs; ++Reg) {
    if (!isLocal(Flags[Reg]))
      continue;
    // As createEmptyInterval, without its checks. LiveIntervals deletes LI.
    LiveInterval &LI = *new LiveInterval(virtReg(Reg), /*Weight=*/0);
    Intervals[virtReg(Reg)] = &LI;
    SlotIndex Def = slot(Slots, Pieces[Reg].start);
    LI.segments.push_back(LiveRange::Segment(Def, slot(Slots, Pieces[Reg].end),
                                             LI.getNextValue(Def, Allocator)));
  }
}

void ptx_lis_fill_registers(PtxLiveIntervals *P, const PtxLiveRanges *All) {
  LiveIntervals &LIS = *get(P);
  for (size_t I = 0; I != All->num_ranges; ++I) {
    const PtxLiveRange &R = All->ranges[I];
    fillRange(LIS.createEmptyInterval(virtReg(R.owner)), R, *All,
              LIS.getVNInfoAllocator());
  }
}

void ptx_lis_fill_units(PtxLiveIntervals *P, const PtxLiveRanges *All) {
  LiveIntervals &LIS = *get(P);
  auto &Units = LIS.*pointerTo(LISUnits());
  for (size_t I = 0; I != All->num_ranges; ++I) {
    const PtxLiveRange &R = All->ranges[I];
    // LiveIntervals deletes it.
    Units[R.owner] = new LiveRange(/*UseSegmentSet=*/false);
    fillRange(*Units[R.owner], R, *All, LIS.getVNInfoAllocator());
  }
}

void ptx_lis_fill_masks(PtxLiveIntervals *P, const PtxRegMasks *All) {
  LiveIntervals &LIS = *get(P);
  auto &Slots = LIS.*pointerTo(LISMaskSlots());
  auto &Bits = LIS.*pointerTo(LISMaskBits());
  for (size_t I = 0; I != All->num_masks; ++I) {
    Slots.push_back(slot(All->slots, All->masks[I].slot));
    Bits.push_back(All->masks[I].bits);
  }
  auto &Blocks = LIS.*pointerTo(LISMaskBlocks());
  for (size_t I = 0; I != All->num_blocks; ++I)
    Blocks.emplace_back(All->blocks[I][0], All->blocks[I][1]);
}

bool ptx_lis_is_filled(const PtxLiveIntervals *LIS) {
  // Every block has an entry.
  return !(get(LIS)->*pointerTo(LISMaskBlocks())).empty();
}

void ptx_lis_update(PtxLiveIntervals *P, const PtxLiveRanges *Changed,
                    const uint32_t *Removed, size_t NumRemoved) {
  LiveIntervals &LIS = *get(P);
  auto Remove = [&](Register Reg) {
    if (LIS.hasInterval(Reg))
      LIS.removeInterval(Reg);
  };
  for (size_t I = 0; I != NumRemoved; ++I)
    Remove(virtReg(Removed[I]));
  for (size_t I = 0; I != Changed->num_ranges; ++I)
    Remove(virtReg(Changed->ranges[I].owner));
  ptx_lis_fill_registers(P, Changed);
}

bool ptx_lis_overlaps_unit(PtxLiveIntervals *P, const PtxLiveRanges *All,
                           uint32_t Unit) {
  LiveIntervals &LIS = *get(P);
  LiveRange LR;
  fillRange(LR, All->ranges[0], *All, LIS.getVNInfoAllocator());
  return LR.overlaps(LIS.getRegUnit(static_cast<RegUnit>(Unit)));
}

bool ptx_lis_mask_clobbers(PtxLiveIntervals *P, const PtxLiveRanges *All,
                           uint32_t Phys) {
  LiveIntervals &LIS = *get(P);
  LiveInterval LI(virtReg(All->ranges[0].owner), /*Weight=*/0);
  fillRange(LI, All->ranges[0], *All, LIS.getVNInfoAllocator());
  BitVector Usable; // filled only where there is a mask
  return LIS.checkRegMaskInterference(LI, Usable) && !Usable.test(Phys);
}

void ptx_lis_split_components(PtxLiveIntervals *LIS, uint32_t Reg) {
  SmallVector<LiveInterval *, 8> New;
  get(LIS)->splitSeparateComponents(get(LIS)->getInterval(Register(Reg)), New);
}

} // extern "C"
