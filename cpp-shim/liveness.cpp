// LiveVariables and LiveIntervals as plain calls: each is one call of LLVM or
// one field. src/passes/function/llvm.rs and interval_updates.rs combine them.
#include "checked.h"
#include "compat.h"

#include <algorithm>

using namespace llvm;
using namespace ptxpasses;

extern "C" {

// ---- LiveVariables ------------------------------------------------------

#if PTX_HAS_VARIABLES

void ptx_lv_create_var_info(PtxLiveVariables *LV, uint32_t Reg) {
  get(LV)->getVarInfo(Reg);
}

PtxInstr *ptx_lv_find_kill(PtxLiveVariables *LV, uint32_t Reg, PtxBlock *MBB) {
  return wrap(get(LV)->getVarInfo(Reg).findKill(get(MBB)));
}

bool ptx_lv_is_kill(PtxLiveVariables *LV, uint32_t Reg, const PtxInstr *MI) {
  return is_contained(get(LV)->getVarInfo(Reg).Kills, get(MI));
}

bool ptx_lv_remove_kill(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  return get(LV)->getVarInfo(Reg).removeKill(*get(MI));
}

bool ptx_lv_remove_killed(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  virtualReg(*inBlock(MI).getMF(), Reg);
  const bool IsChange = get(LV)->removeVirtualRegisterKilled(Reg, *get(MI));
  noteEdit(PTX_EDITED_FLAGS, IsChange);
  return IsChange;
}

void ptx_lv_add_killed(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI) {
  get(LV)->addVirtualRegisterKilled(Reg, *get(MI));
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

void ptx_lv_clear_alive(PtxLiveVariables *LV, uint32_t Reg) {
  get(LV)->getVarInfo(Reg).AliveBlocks.clear();
}

void ptx_lv_clear(PtxLiveVariables *LV, uint32_t Reg) {
  if (!Register(Reg).isVirtual())
    misuse("", "LiveVariables has nothing of physical registers");
  LiveVariables::VarInfo &VI = get(LV)->getVarInfo(Reg);
  VI.AliveBlocks.clear();
  VI.Kills.clear();
}

void ptx_lv_end_at(PtxLiveVariables *LV, uint32_t Reg, PtxInstr *MI,
                   uint32_t Block) {
  get(LV)->addVirtualRegisterKilled(Reg, *get(MI));
  get(LV)->getVarInfo(Reg).AliveBlocks.reset(Block);
}

void ptx_lv_end_alive(PtxLiveVariables *LV, uint32_t Reg, uint32_t Block) {
  get(LV)->getVarInfo(Reg).AliveBlocks.reset(Block);
}

void ptx_lv_add_alive(PtxLiveVariables *LV, uint32_t Into, uint32_t From) {
  // Either call may grow the map of VarInfos: look both up, then take
  // references.
  get(LV)->getVarInfo(Into);
  get(LV)->getVarInfo(From);
  get(LV)->getVarInfo(Into).AliveBlocks |=
      get(LV)->getVarInfo(From).AliveBlocks;
}

void ptx_lv_recompute(PtxLiveVariables *LV, uint32_t Reg) {
  get(LV)->recomputeForSingleDefVirtReg(Reg);
}

bool ptx_lv_is_live_in(PtxLiveVariables *LV, uint32_t Reg, PtxBlock *MBB) {
  return get(LV)->isLiveIn(virtualReg(*get(MBB)->getParent(), Reg), *get(MBB));
}

bool ptx_lv_is_live_out(PtxLiveVariables *LV, uint32_t Reg, PtxBlock *MBB) {
  return get(LV)->isLiveOut(virtualReg(*get(MBB)->getParent(), Reg), *get(MBB));
}

void ptx_lv_block_flags(PtxLiveVariables *LV, uint32_t Reg,
                        const uint32_t *Blocks, size_t NumBlocks,
                        uint8_t *Out) {
  LiveVariables::VarInfo &VI = get(LV)->getVarInfo(Reg);
  SmallDenseSet<unsigned, 8> Kills;
  for (const MachineInstr *Kill : VI.Kills)
    Kills.insert(Kill->getParent()->getNumber());
  for (size_t I = 0; I != NumBlocks; ++I)
    Out[I] = (VI.AliveBlocks.test(Blocks[I]) ? PTX_LV_ALIVE : 0) |
             (Kills.contains(Blocks[I]) ? PTX_LV_KILLED : 0);
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

size_t ptx_lv_kills(PtxLiveVariables *LV, uint32_t Reg, PtxInstr **Out,
                    size_t Capacity) {
  size_t N = 0;
  for (MachineInstr *Kill : get(LV)->getVarInfo(Reg).Kills)
    if (N++ < Capacity)
      *Out++ = wrap(Kill);
  return N;
}

#endif // PTX_HAS_VARIABLES

// ---- SlotIndexes --------------------------------------------------------

PtxSlotBits ptx_slot_at(PtxSlotBits Slot, PtxSlotKind Kind) {
  return toBits(slotAt(fromBits(Slot), Kind));
}

PtxSlotBits ptx_slot_prev(PtxSlotBits Slot) {
  return toBits(fromBits(Slot).getPrevSlot());
}

bool ptx_slot_is_before(PtxSlotBits A, PtxSlotBits B) {
  return fromBits(A) < fromBits(B);
}

void ptx_slots_insert_instr(PtxSlotIndexes *Slots, PtxInstr *MI) {
  MachineInstr &M = inBlock(MI);
  if (LLVM_UNLIKELY(M.isBundledWithPred() || get(Slots)->hasIndex(M)))
    misuse(M, "an instruction that has a slot already, or its bundle has");
  get(Slots)->insertMachineInstrInMaps(M);
}

void ptx_slots_remove_instr(PtxSlotIndexes *Slots, PtxInstr *MI) {
  get(Slots)->removeMachineInstrFromMaps(*get(MI));
}

// ---- LiveIntervals ------------------------------------------------------

bool ptx_lis_has_instr(const PtxLiveIntervals *LIS, const PtxInstr *MI) {
  return !get(LIS)->isNotInMIMap(*get(MI));
}

PtxSlotBits ptx_lis_instr_slot(const PtxLiveIntervals *LIS,
                               const PtxInstr *MI) {
  return toBits(get(LIS)->getInstructionIndex(*get(MI)));
}

PtxInstr *ptx_lis_instr_at(const PtxLiveIntervals *LIS, PtxSlotBits Slot) {
  return wrap(get(LIS)->getInstructionFromIndex(fromBits(Slot)));
}

PtxSlotBits ptx_lis_block_start(const PtxLiveIntervals *LIS,
                                const PtxBlock *MBB) {
  return toBits(get(LIS)->getMBBStartIdx(get(MBB)));
}

PtxSlotBits ptx_lis_block_end(const PtxLiveIntervals *LIS,
                              const PtxBlock *MBB) {
  return toBits(get(LIS)->getMBBEndIdx(get(MBB)));
}

PtxSlotBits ptx_lis_insert_instr(PtxLiveIntervals *LIS, PtxInstr *MI) {
  return toBits(get(LIS)->InsertMachineInstrInMaps(*get(MI)));
}

void ptx_lis_remove_instr(PtxLiveIntervals *LIS, PtxInstr *MI) {
  get(LIS)->RemoveMachineInstrFromMaps(*get(MI));
}

void ptx_lis_handle_move(PtxLiveIntervals *LIS, PtxInstr *MI) {
  get(LIS)->handleMove(*get(MI));
}

void ptx_lis_repair(PtxLiveIntervals *LIS, PtxBlock *MBB, PtxInstr *Begin,
                    PtxInstr *End, const uint32_t *Regs, size_t NumRegs) {
  MachineBasicBlock &B = *get(MBB);
  SmallVector<Register, 8> Originals(Regs, Regs + NumRegs);
  get(LIS)->repairIntervalsInRange(
      &B, MachineBasicBlock::iterator(get(Begin)),
      End ? MachineBasicBlock::iterator(get(End)) : B.end(), Originals);
}

void ptx_lis_live_to_end(PtxLiveIntervals *LIS, uint32_t Reg, PtxInstr *MI) {
  get(LIS)->addSegmentToEndOfBlock(Reg, *get(MI));
}

bool ptx_lis_has_interval(const PtxLiveIntervals *LIS, uint32_t Reg) {
  return Register(Reg).isVirtual() && get(LIS)->hasInterval(Reg);
}

PtxRange *ptx_lis_interval(PtxLiveIntervals *LIS, uint32_t Reg) {
  return wrap(&get(LIS)->getInterval(Reg));
}

PtxRange *ptx_lis_create_empty_interval(PtxLiveIntervals *LIS, uint32_t Reg) {
  return wrap(&get(LIS)->createEmptyInterval(Reg));
}

void ptx_lis_compute_interval(PtxLiveIntervals *LIS, uint32_t Reg) {
  get(LIS)->createAndComputeVirtRegInterval(Reg);
}

void ptx_lis_remove_interval(PtxLiveIntervals *LIS, uint32_t Reg) {
  get(LIS)->removeInterval(Reg);
}

void ptx_lis_shrink_to_uses(PtxLiveIntervals *LIS, uint32_t Reg) {
  get(LIS)->shrinkToUses(&get(LIS)->getInterval(Reg));
}

size_t ptx_lis_sub_ranges(PtxLiveIntervals *LIS, uint32_t Reg, PtxSubRange *Out,
                          size_t Capacity) {
  size_t N = 0;
  for (LiveInterval::SubRange &S : get(LIS)->getInterval(Reg).subranges())
    if (N++ < Capacity)
      *Out++ = {wrap(&S), S.LaneMask.getAsInteger()};
  return N;
}

PtxRange *ptx_lis_unit(PtxLiveIntervals *LIS, uint32_t Unit) {
  return wrap(&get(LIS)->getRegUnit(static_cast<RegUnit>(Unit)));
}

PtxRange *ptx_lis_cached_unit(PtxLiveIntervals *LIS, uint32_t Unit) {
  return wrap(get(LIS)->getCachedRegUnit(static_cast<RegUnit>(Unit)));
}

// ---- LiveRange and VNInfo -----------------------------------------------

bool ptx_range_overlaps(const PtxRange *A, const PtxRange *B) {
  return get(A)->overlaps(*get(B));
}

size_t ptx_range_num_segments(const PtxRange *LR) { return get(LR)->size(); }

size_t ptx_range_find(const PtxRange *LR, PtxSlotBits Slot) {
  return get(LR)->find(fromBits(Slot)) - get(LR)->begin();
}

PtxRangeSegment ptx_range_segment(const PtxRange *LR, size_t Index) {
  const LiveRange::Segment &S = get(LR)->segments[Index];
  return {toBits(S.start), toBits(S.end), wrap(S.valno)};
}

void ptx_range_set_end(PtxRange *LR, size_t Index, PtxSlotBits End) {
  get(LR)->segments[Index].end = fromBits(End);
}

void ptx_range_add_segment(PtxRange *LR, PtxSlotBits Start, PtxSlotBits End,
                           PtxVNInfo *Value) {
  get(LR)->addSegment(
      LiveRange::Segment(fromBits(Start), fromBits(End), get(Value)));
}

void ptx_range_remove_segment(PtxRange *LR, PtxSlotBits Start,
                              PtxSlotBits End) {
  get(LR)->removeSegment(fromBits(Start), fromBits(End));
}

size_t ptx_range_num_values(const PtxRange *LR) {
  return get(LR)->getNumValNums();
}

PtxVNInfo *ptx_range_value(PtxRange *LR, size_t Number) {
  return wrap(get(LR)->getValNumInfo(Number));
}

PtxVNInfo *ptx_range_value_at(const PtxRange *LR, PtxSlotBits Slot) {
  return wrap(get(LR)->getVNInfoAt(fromBits(Slot)));
}

PtxVNInfo *ptx_range_value_out(const PtxRange *LR, PtxSlotBits Slot) {
  return wrap(get(LR)->Query(fromBits(Slot)).valueOut());
}

PtxVNInfo *ptx_range_next_value(PtxRange *LR, PtxLiveIntervals *LIS,
                                PtxSlotBits Def) {
  return wrap(
      get(LR)->getNextValue(fromBits(Def), get(LIS)->getVNInfoAllocator()));
}

PtxVNInfo *ptx_range_create_value_copy(PtxRange *LR, PtxLiveIntervals *LIS,
                                       const PtxVNInfo *Value) {
  return wrap(
      get(LR)->createValueCopy(get(Value), get(LIS)->getVNInfoAllocator()));
}

void ptx_range_create_dead_def(PtxRange *LR, PtxLiveIntervals *LIS,
                               PtxSlotBits Def) {
  get(LR)->createDeadDef(fromBits(Def), get(LIS)->getVNInfoAllocator());
}

void ptx_range_remove_value(PtxRange *LR, PtxVNInfo *Value) {
  get(LR)->removeValNo(get(Value));
}

void ptx_range_merge_value(PtxRange *LR, PtxVNInfo *From, PtxVNInfo *Into) {
  get(LR)->MergeValueNumberInto(get(From), get(Into));
}

uint32_t ptx_value_number(const PtxVNInfo *Value) { return get(Value)->id; }

PtxSlotBits ptx_value_def(const PtxVNInfo *Value) {
  return toBits(get(Value)->def);
}

void ptx_value_set_def(PtxVNInfo *Value, PtxSlotBits Def) {
  get(Value)->def = fromBits(Def);
}

} // extern "C"
