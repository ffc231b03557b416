// LiveVariables and LiveIntervals filled from outside.  Their members have no
// setters; naming a private member in an explicit instantiation is allowed, and
// a friend function then hands the pointer to it out.
#include "compat.h"

#include "llvm/CodeGen/LiveIntervalCalc.h"
#include "llvm/CodeGen/MachineDominators.h"

#include <vector>

using namespace llvm;
using namespace ptxpasses;

namespace {

template <class Tag, typename Tag::Type Member> struct PrivateMember {
  friend typename Tag::Type pointerTo(Tag) { return Member; }
};
#define PTX_PRIVATE(Tag, Class, Member, ...)                                   \
  struct Tag {                                                                 \
    using Type = __VA_ARGS__ Class::*;                                         \
    friend Type pointerTo(Tag);                                                \
  };                                                                           \
  template struct PrivateMember<Tag, &Class::Member>

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
PTX_PRIVATE(LISUnits, LiveIntervals, RegUnitRanges, SmallVector<LiveRange *, 0>);
PTX_PRIVATE(LVFunction, LiveVariables, MF, MachineFunction *);
PTX_PRIVATE(LVRegInfo, LiveVariables, MRI, MachineRegisterInfo *);
PTX_PRIVATE(LVTargetRegInfo, LiveVariables, TRI, const TargetRegisterInfo *);
#undef PTX_PRIVATE

SlotIndex slot(const PtxLiveIntervalsFill &Fill, uint32_t Slot) {
  SlotIndex Base = fromBits(Fill.slots[Slot / 4]);
  switch (Slot % 4) {
  case 0:
    return Base;
  case 1:
    return Base.getRegSlot(/*EC=*/true);
  case 2:
    return Base.getRegSlot();
  default:
    return Base.getDeadSlot();
  }
}

void fillRange(LiveRange &LR, const PtxLiveRange &R,
               const PtxLiveIntervalsFill &Fill, VNInfo::Allocator &Allocator) {
  if (R.num_values > 2)
    LR.valnos.reserve(R.num_values);
  for (uint32_t I = 0; I != R.num_values; ++I)
    LR.getNextValue(slot(Fill, Fill.values[R.first_value + I]), Allocator);
  if (R.num_segments > 2)
    LR.segments.reserve(R.num_segments);
  for (uint32_t I = 0; I != R.num_segments; ++I) {
    const PtxSegment &S = Fill.segments[R.first_segment + I];
    LR.segments.push_back(LiveRange::Segment(slot(Fill, S.start),
                                             slot(Fill, S.end),
                                             LR.valnos[S.value]));
  }
}

} // namespace

extern "C" {

void ptx_lv_fill(PtxLiveVariables *P, PtxFunction *F, const PtxVarInfo *Infos,
                 size_t NumInfos, const uint32_t *Alive, const uint32_t *Kills,
                 PtxInstr *const *Instrs) {
  LiveVariables &LV = *get(P);
  MachineFunction &MF = *get(F);
  LV.*pointerTo(LVFunction()) = &MF;
  LV.*pointerTo(LVRegInfo()) = &MF.getRegInfo();
  LV.*pointerTo(LVTargetRegInfo()) = MF.getSubtarget().getRegisterInfo();
  if (NumInfos) // makes room for all of them at once
    LV.getVarInfo(virtReg(Infos[NumInfos - 1].reg));
  for (const PtxVarInfo &I : ArrayRef<PtxVarInfo>(Infos, NumInfos)) {
    LiveVariables::VarInfo &Info = LV.getVarInfo(virtReg(I.reg));
    for (uint32_t A = 0; A != I.num_alive; ++A)
      Info.AliveBlocks.set(Alive[I.first_alive + A]);
    Info.Kills.reserve(I.num_kills);
    for (uint32_t K = 0; K != I.num_kills; ++K)
      Info.Kills.push_back(get(Instrs[Kills[I.first_kill + K]]));
  }
}

void ptx_lis_fill(PtxLiveIntervals *P, const PtxLiveIntervalsFill *Fill) {
  LiveIntervals &LIS = *get(P);
  MachineFunction &MF = *get(Fill->mf);
  const TargetSubtargetInfo &ST = MF.getSubtarget();
  LIS.*pointerTo(LISFunction()) = &MF;
  LIS.*pointerTo(LISRegInfo()) = &MF.getRegInfo();
  LIS.*pointerTo(LISTargetRegInfo()) = ST.getRegisterInfo();
  LIS.*pointerTo(LISInstrInfo()) = ST.getInstrInfo();
  LIS.*pointerTo(LISIndexes()) = get(Fill->indexes);
  LIS.*pointerTo(LISDominators()) = get(Fill->dominators);
  // What LLVM computes later, of a new register say, goes through it.
  auto &Calc = LIS.*pointerTo(LISCalc());
  if (!Calc)
    Calc = newLiveIntervalCalc();

  VNInfo::Allocator &Allocator = LIS.getVNInfoAllocator();
  (LIS.*pointerTo(LISVirtRegs())).resize(MF.getRegInfo().getNumVirtRegs());
  for (size_t I = 0; I != Fill->num_intervals; ++I) {
    const PtxLiveRange &R = Fill->intervals[I];
    fillRange(LIS.createEmptyInterval(virtReg(R.owner)), R, *Fill, Allocator);
  }

  auto &Units = LIS.*pointerTo(LISUnits());
  Units.resize(ST.getRegisterInfo()->getNumRegUnits());
  for (size_t I = 0; I != Fill->num_units; ++I) {
    const PtxLiveRange &R = Fill->units[I];
    // LiveIntervals deletes it.
    Units[R.owner] = new LiveRange(/*UseSegmentSet=*/false);
    fillRange(*Units[R.owner], R, *Fill, Allocator);
  }

  auto &MaskSlots = LIS.*pointerTo(LISMaskSlots());
  auto &MaskBits = LIS.*pointerTo(LISMaskBits());
  for (size_t I = 0; I != Fill->num_masks; ++I) {
    MaskSlots.push_back(slot(*Fill, Fill->masks[I].slot));
    MaskBits.push_back(Fill->masks[I].bits);
  }
  auto &MaskBlocks = LIS.*pointerTo(LISMaskBlocks());
  for (size_t I = 0; I != Fill->num_mask_blocks; ++I)
    MaskBlocks.emplace_back(Fill->mask_blocks[I][0], Fill->mask_blocks[I][1]);
}

void ptx_lis_split_components(PtxLiveIntervals *LIS, uint32_t Reg) {
  SmallVector<LiveInterval *, 8> New;
  get(LIS)->splitSeparateComponents(get(LIS)->getInterval(Register(Reg)), New);
}

} // extern "C"
