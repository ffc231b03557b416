//! LLVM's LiveRange, VNInfo and SlotIndex, with which a pass updates LiveIntervals.

use super::ffi;
use super::handles::{LiveIntervals, MachineBasicBlock, MachineFunction, MachineInstr};
use super::read::read_list;
use crate::mir::{Register, Slot};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A `llvm::SlotIndex`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SlotIndex(ffi::PtxSlotBits);

/// A `llvm::VNInfo`: a value of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ValueHandle<'f> {
    ptr: NonNull<ffi::PtxVNInfo>,
    life: PhantomData<&'f ()>,
}

/// A `llvm::LiveRange`: the range of a virtual register, of some of its lanes (a sub-range), or of
/// a register unit. It must not be used after its interval is removed.
#[derive(Clone, Copy)]
pub struct RangeHandle<'f> {
    ptr: NonNull<ffi::PtxRange>,
    life: PhantomData<&'f ()>,
}

/// A segment of a range: the value is live from `start` up to but excluding `end`.
#[derive(Clone, Copy)]
pub struct RangeSegment<'f> {
    /// First slot.
    pub start: SlotIndex,
    /// First slot after the segment.
    pub end: SlotIndex,
    /// The value.
    pub value: ValueHandle<'f>,
}

// Each call in these blocks passes pointers that the handles keep valid (see the module
// documentation), and slots, values and positions from the same function's LiveIntervals.
impl SlotIndex {
    /// Slot `slot` of the same instruction or block start.
    pub(crate) fn at(self, slot: Slot) -> SlotIndex {
        // SAFETY: a slot.
        SlotIndex(unsafe { ffi::ptx_slot_at(self.0, slot) })
    }
    /// Whether it is slot `slot` of its instruction.
    pub(crate) fn is(self, slot: Slot) -> bool {
        self == self.at(slot)
    }
    /// The slot before it.
    pub(crate) fn prev(self) -> SlotIndex {
        // SAFETY: a slot that is not the first of the function.
        SlotIndex(unsafe { ffi::ptx_slot_prev(self.0) })
    }
    /// Whether it comes before `other`.
    pub(crate) fn is_before(self, other: SlotIndex) -> bool {
        // SAFETY: slots of one function.
        unsafe { ffi::ptx_slot_is_before(self.0, other.0) }
    }
    /// Whether both belong to one instruction.
    pub(crate) fn same_instr(self, other: SlotIndex) -> bool {
        self.at(Slot::Block) == other.at(Slot::Block)
    }
}

impl<'f> ValueHandle<'f> {
    /// # Safety
    /// `ptr` must be null or a value of the function's LiveIntervals.
    unsafe fn from_ptr(ptr: *mut ffi::PtxVNInfo) -> Option<Self> {
        NonNull::new(ptr).map(|ptr| ValueHandle { ptr, life: PhantomData })
    }
    /// Its number in its range.
    pub(crate) fn number(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_value_number(self.ptr.as_ptr()) as usize }
    }
    /// Where it is defined.
    pub(crate) fn def(self) -> SlotIndex {
        // SAFETY: handle.
        SlotIndex(unsafe { ffi::ptx_value_def(self.ptr.as_ptr()) })
    }
    /// Sets the slot of its def.
    pub(crate) fn set_def(self, def: SlotIndex) {
        // SAFETY: handle.
        unsafe { ffi::ptx_value_set_def(self.ptr.as_ptr(), def.0) }
    }
}

impl<'f> RangeHandle<'f> {
    /// # Safety
    /// `ptr` must be null or a range of the function's LiveIntervals.
    unsafe fn from_ptr(ptr: *mut ffi::PtxRange) -> Option<Self> {
        NonNull::new(ptr).map(|ptr| RangeHandle { ptr, life: PhantomData })
    }
    /// Whether they have a point in common.
    pub(crate) fn overlaps(self, other: RangeHandle<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_range_overlaps(self.ptr.as_ptr(), other.ptr.as_ptr()) }
    }
    /// How many segments there are.
    pub(crate) fn num_segments(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_range_num_segments(self.ptr.as_ptr()) }
    }
    /// The segment at a position.
    pub(crate) fn segment(self, index: usize) -> RangeSegment<'f> {
        assert!(index < self.num_segments());
        // SAFETY: handle and position; every segment has a value.
        unsafe {
            let s = ffi::ptx_range_segment(self.ptr.as_ptr(), index);
            let value = ValueHandle::from_ptr(s.value).expect("a segment has a value");
            RangeSegment { start: SlotIndex(s.start), end: SlotIndex(s.end), value }
        }
    }
    /// The segments, in order. The range must not be changed while they are visited.
    pub(crate) fn segments(self) -> impl Iterator<Item = RangeSegment<'f>> {
        (0..self.num_segments()).map(move |index| self.segment(index))
    }
    /// `find`: the position of the first segment that ends after `slot`; the number of segments if
    /// there is none.
    pub(crate) fn find(self, slot: SlotIndex) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_range_find(self.ptr.as_ptr(), slot.0) }
    }
    /// The first segment that ends after `slot`.
    pub(crate) fn first_after(self, slot: SlotIndex) -> Option<RangeSegment<'f>> {
        let index = self.find(slot);
        (index < self.num_segments()).then(|| self.segment(index))
    }
    /// `FindSegmentContaining`: the segment that contains `slot`, and its position.
    pub(crate) fn containing(self, slot: SlotIndex) -> Option<(usize, RangeSegment<'f>)> {
        let index = self.find(slot);
        let segment = self.first_after(slot)?;
        (!slot.is_before(segment.start)).then_some((index, segment))
    }
    /// Sets the end of the segment at a position.
    pub(crate) fn set_end(self, index: usize, end: SlotIndex) {
        assert!(index < self.num_segments());
        // SAFETY: handle and position.
        unsafe { ffi::ptx_range_set_end(self.ptr.as_ptr(), index, end.0) }
    }
    /// `addSegment`
    pub(crate) fn add_segment(self, start: SlotIndex, end: SlotIndex, value: ValueHandle<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_range_add_segment(self.ptr.as_ptr(), start.0, end.0, value.ptr.as_ptr()) }
    }
    /// `removeSegment`: removes the part from `start` to `end`, in which one value is live.
    pub(crate) fn remove_segment(self, start: SlotIndex, end: SlotIndex) {
        // SAFETY: handle.
        unsafe { ffi::ptx_range_remove_segment(self.ptr.as_ptr(), start.0, end.0) }
    }
    /// The values by number.
    pub(crate) fn values(self) -> impl Iterator<Item = ValueHandle<'f>> {
        // SAFETY: handle.
        let count = unsafe { ffi::ptx_range_num_values(self.ptr.as_ptr()) };
        // SAFETY: handle and number.
        (0..count).map_while(move |number| unsafe {
            ValueHandle::from_ptr(ffi::ptx_range_value(self.ptr.as_ptr(), number))
        })
    }
    /// `getVNInfoAt`: the value that is live at `slot`.
    pub(crate) fn value_at(self, slot: SlotIndex) -> Option<ValueHandle<'f>> {
        // SAFETY: handle.
        unsafe { ValueHandle::from_ptr(ffi::ptx_range_value_at(self.ptr.as_ptr(), slot.0)) }
    }
    /// `Query(slot).valueOut()`: the value that is live after the instruction of `slot`.
    pub(crate) fn value_out(self, slot: SlotIndex) -> Option<ValueHandle<'f>> {
        // SAFETY: handle.
        unsafe { ValueHandle::from_ptr(ffi::ptx_range_value_out(self.ptr.as_ptr(), slot.0)) }
    }
    /// `getNextValue`: a new value, defined at `def`.
    pub(crate) fn next_value(self, lis: LiveIntervals<'f>, def: SlotIndex) -> ValueHandle<'f> {
        // SAFETY: handles.
        unsafe {
            ValueHandle::from_ptr(ffi::ptx_range_next_value(self.ptr.as_ptr(), lis.ptr.as_ptr(), def.0))
        }
        .expect("LLVM made no value")
    }
    /// `createValueCopy`: a new value, defined in the same slot as `value` of another range.
    pub(crate) fn create_value_copy(self, lis: LiveIntervals<'f>, value: ValueHandle<'f>) -> ValueHandle<'f> {
        let (range, lis, value) = (self.ptr.as_ptr(), lis.ptr.as_ptr(), value.ptr.as_ptr());
        // SAFETY: handles.
        unsafe { ValueHandle::from_ptr(ffi::ptx_range_create_value_copy(range, lis, value)) }
            .expect("LLVM made no value")
    }
    /// `createDeadDef`: a new value, defined at `def` and not read.
    pub(crate) fn create_dead_def(self, lis: LiveIntervals<'f>, def: SlotIndex) {
        // SAFETY: handles.
        unsafe { ffi::ptx_range_create_dead_def(self.ptr.as_ptr(), lis.ptr.as_ptr(), def.0) }
    }
    /// `removeValNo`: removes a value and its segments.
    pub(crate) fn remove_value(self, value: ValueHandle<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_range_remove_value(self.ptr.as_ptr(), value.ptr.as_ptr()) }
    }
    /// `MergeValueNumberInto`: gives the segments of `from` to `into`.
    pub(crate) fn merge_value(self, from: ValueHandle<'f>, into: ValueHandle<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_range_merge_value(self.ptr.as_ptr(), from.ptr.as_ptr(), into.ptr.as_ptr()) }
    }
}

impl<'f> LiveIntervals<'f> {
    /// Whether `mi` has a slot.
    pub(crate) fn has_instr(self, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_lis_has_instr(self.ptr.as_ptr(), mi.ptr.as_ptr()) }
    }
    /// `getInstructionIndex`: the slot of `mi`, which must have one.
    pub(crate) fn instr_slot(self, mi: MachineInstr<'f>) -> SlotIndex {
        // SAFETY: handles.
        SlotIndex(unsafe { ffi::ptx_lis_instr_slot(self.ptr.as_ptr(), mi.ptr.as_ptr()) })
    }
    /// `getInstructionFromIndex`: the instruction of a slot.
    pub(crate) fn instr_at(self, slot: SlotIndex) -> Option<MachineInstr<'f>> {
        // SAFETY: handles.
        unsafe { MachineInstr::from_ptr(ffi::ptx_lis_instr_at(self.ptr.as_ptr(), slot.0)) }
    }
    /// `getMBBStartIdx`
    pub(crate) fn block_start(self, block: MachineBasicBlock<'f>) -> SlotIndex {
        // SAFETY: handles.
        SlotIndex(unsafe { ffi::ptx_lis_block_start(self.ptr.as_ptr(), block.ptr.as_ptr()) })
    }
    /// `getMBBEndIdx`
    pub(crate) fn block_end(self, block: MachineBasicBlock<'f>) -> SlotIndex {
        // SAFETY: handles.
        SlotIndex(unsafe { ffi::ptx_lis_block_end(self.ptr.as_ptr(), block.ptr.as_ptr()) })
    }
    /// `InsertMachineInstrInMaps`: gives the new `mi` a slot.
    pub(crate) fn insert_in_maps(self, mi: MachineInstr<'f>) -> SlotIndex {
        // SAFETY: handles.
        SlotIndex(unsafe { ffi::ptx_lis_insert_instr(self.ptr.as_ptr(), mi.ptr.as_ptr()) })
    }
    /// `RemoveMachineInstrFromMaps`: removes the slot of `mi`, which is about to be erased.
    pub(crate) fn remove_instr(self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lis_remove_instr(self.ptr.as_ptr(), mi.ptr.as_ptr()) }
    }
    /// `handleMove`: updates the analysis after `mi` moved within its block.
    pub(crate) fn handle_move(self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lis_handle_move(self.ptr.as_ptr(), mi.ptr.as_ptr()) }
    }
    /// `repairIntervalsInRange`: recomputes `regs` between `begin` and `end`.
    pub(crate) fn repair(
        self,
        block: MachineBasicBlock<'f>,
        begin: MachineInstr<'f>,
        end: Option<MachineInstr<'f>>,
        regs: &[Register],
    ) {
        let (block, begin, end) = (block.ptr.as_ptr(), begin.ptr.as_ptr(), MachineInstr::to_ptr(end));
        // SAFETY: handles; `Register` is one u32.
        unsafe {
            ffi::ptx_lis_repair(self.ptr.as_ptr(), block, begin, end, regs.as_ptr().cast(), regs.len());
        }
    }
    /// `addSegmentToEndOfBlock`: makes `reg`, defined by `mi`, live to the end of the block.
    pub(crate) fn live_to_end(self, reg: Register, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lis_live_to_end(self.ptr.as_ptr(), reg.0, mi.ptr.as_ptr()) }
    }
    /// `getInterval`: the range of a virtual register, computed if there is none.
    pub(crate) fn interval(self, reg: Register) -> RangeHandle<'f> {
        // SAFETY: handle.
        unsafe { RangeHandle::from_ptr(ffi::ptx_lis_interval(self.ptr.as_ptr(), reg.0)) }
            .expect("a virtual register has an interval")
    }
    /// `createEmptyInterval`
    pub(crate) fn create_empty_interval(self, reg: Register) -> RangeHandle<'f> {
        // SAFETY: handle.
        unsafe { RangeHandle::from_ptr(ffi::ptx_lis_create_empty_interval(self.ptr.as_ptr(), reg.0)) }
            .expect("LLVM made no interval")
    }
    /// `createAndComputeVirtRegInterval`
    pub(crate) fn compute_interval(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_lis_compute_interval(self.ptr.as_ptr(), reg.0) }
    }
    /// `removeInterval`: removes it; LLVM recomputes it when asked.
    pub(crate) fn remove_interval(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_lis_remove_interval(self.ptr.as_ptr(), reg.0) }
    }
    /// `shrinkToUses`: removes the parts of `reg`'s interval that reach no use.
    pub(crate) fn shrink_to_uses(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_lis_shrink_to_uses(self.ptr.as_ptr(), reg.0) }
    }
    /// The sub-ranges of the interval of `reg`, each with its lanes.
    pub(crate) fn sub_ranges(self, reg: Register) -> Vec<(RangeHandle<'f>, u64)> {
        let (lis, mut ranges) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut ranges, |out, n| unsafe { ffi::ptx_lis_sub_ranges(lis, reg.0, out, n) });
        // SAFETY: ranges of the function.
        let handle = |s: ffi::PtxSubRange| unsafe { RangeHandle::from_ptr(s.range) }.map(|r| (r, s.lanes));
        ranges.into_iter().filter_map(handle).collect()
    }
    /// `getRegUnit`: the range of a register unit, computed if there is none.
    pub(crate) fn unit(self, unit: u32) -> RangeHandle<'f> {
        // SAFETY: handle; a unit of the target.
        unsafe { RangeHandle::from_ptr(ffi::ptx_lis_unit(self.ptr.as_ptr(), unit)) }
            .expect("LLVM made no range of a unit")
    }
    /// `getCachedRegUnit`: the range of a register unit, if there is one.
    pub(crate) fn cached_unit(self, unit: u32) -> Option<RangeHandle<'f>> {
        // SAFETY: handle; a unit of the target.
        unsafe { RangeHandle::from_ptr(ffi::ptx_lis_cached_unit(self.ptr.as_ptr(), unit)) }
    }
}

impl MachineFunction<'_> {
    /// The units of a physical register.
    pub fn units(self, reg: Register) -> Vec<u32> {
        let (mf, mut units) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut units, |out, n| unsafe { ffi::ptx_tri_units(mf, reg.0, out, n) });
        units
    }
    /// Whether a physical register is reserved.
    pub fn is_reserved(self, reg: Register) -> bool {
        // SAFETY: handle; a register of the target.
        unsafe { ffi::ptx_mri_is_reserved(self.ptr.as_ptr(), reg.0) }
    }
}
