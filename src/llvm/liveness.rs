//! Reads LLVM's LiveIntervals by value, fills it, and changes flags of instructions.

use super::facts::Handles;
use super::ffi;
use super::handles::{LiveIntervals, MachineBasicBlock, MachineInstr, SlotsAndDominators};
use super::read::read_list;
use crate::mir::{FlagEdit, LiveRanges, LocalRegisters, RegUnit, Register};

/// A register mask of the function, see [`LiveIntervals::fill_masks`].
pub type RegMask = ffi::PtxRegMask;

/// How many flags [`edit_flags`] changes in one call of the shim.
pub(crate) const EDITS_AT_ONCE: usize = 64;

/// Changes flags of the instructions that were read. Many at once are faster: the instructions are
/// far apart in memory.
pub(crate) fn edit_flags(handles: Handles, edits: &[FlagEdit]) {
    for edits in edits.chunks(EDITS_AT_ONCE) {
        let nothing = ffi::PtxFlagEdit { instr: std::ptr::null_mut(), at: 0, kind: 0 };
        let mut at_once = [nothing; EDITS_AT_ONCE];
        for (out, edit) in at_once.iter_mut().zip(edits) {
            let (entry, kind, at) = match *edit {
                FlagEdit::SetKill { entry, operand } => {
                    (entry, ffi::PtxFlagEditKind::PTX_EDIT_SET_KILL, operand)
                }
                FlagEdit::ClearKill { entry, operand } => {
                    (entry, ffi::PtxFlagEditKind::PTX_EDIT_CLEAR_KILL, operand)
                }
                FlagEdit::Dead { entry, reg } => {
                    (entry, ffi::PtxFlagEditKind::PTX_EDIT_DEAD, Register::from(reg).0)
                }
            };
            *out = ffi::PtxFlagEdit { instr: handles.heads()[entry as usize], at, kind };
        }
        // SAFETY: instructions of the function and positions of their operands; this many were
        // written.
        unsafe { ffi::ptx_lv_edit_flags(at_once.as_ptr(), edits.len()) }
    }
}

/// The rows of ranges must be within their arrays, and every slot must have an entry in `slots`.
fn ffi_ranges<Owner>(slots: &[u64], all: &LiveRanges<Owner>) -> ffi::PtxLiveRanges {
    ffi::PtxLiveRanges {
        slots: slots.as_ptr(),
        ranges: all.ranges.as_ptr(),
        num_ranges: all.ranges.len(),
        values: all.values.as_ptr(),
        segments: all.segments.as_ptr(),
    }
}

// Each call in these blocks passes pointers that the handles keep valid (see the module
// documentation), and registers and instructions of the same function.
impl<'f> LiveIntervals<'f> {
    /// Connects the empty analysis to the function. If LLVM asks for ranges that were not filled
    /// in, its own code computes them.
    pub(crate) fn connect(self, handles: Handles<'_, 'f>, analyses: SlotsAndDominators<'f>) {
        let (mf, slots) = (handles.mf.ptr.as_ptr(), analyses.slots.as_ptr());
        // SAFETY: handles.
        unsafe { ffi::ptx_lis_connect(self.ptr.as_ptr(), mf, slots, analyses.dominators.as_ptr()) }
    }
    /// Fills in local registers from their pieces. The analysis must be connected.
    pub(crate) fn fill_local(self, slots: &[u64], registers: LocalRegisters) {
        let LocalRegisters { flags, pieces } = registers;
        assert_eq!(flags.len(), pieces.len());
        // SAFETY: handles; one flag and one piece for each register, whose slots have entries in
        // `slots`.
        unsafe {
            ffi::ptx_lis_fill_local(
                self.ptr.as_ptr(),
                slots.as_ptr(),
                flags.as_raw_slice().as_ptr(),
                pieces.as_raw_slice().as_ptr(),
                pieces.len(),
            );
        }
    }
    /// Fills in other registers. The analysis must be connected.
    pub(crate) fn fill_registers(self, slots: &[u64], ranges: &LiveRanges) {
        // SAFETY: handles; see `ffi_ranges`.
        unsafe { ffi::ptx_lis_fill_registers(self.ptr.as_ptr(), &ffi_ranges(slots, ranges)) }
    }
    /// Fills in register units. The analysis must be connected.
    pub(crate) fn fill_units(self, slots: &[u64], ranges: &LiveRanges<RegUnit>) {
        // SAFETY: handles; see `ffi_ranges`.
        unsafe { ffi::ptx_lis_fill_units(self.ptr.as_ptr(), &ffi_ranges(slots, ranges)) }
    }
    /// Fills in register masks and, by block number, the first mask and their number. The analysis
    /// must be connected.
    pub(crate) fn fill_masks(self, slots: &[u64], masks: &[RegMask], blocks: &[[u32; 2]]) {
        let masks = ffi::PtxRegMasks {
            slots: slots.as_ptr(),
            masks: masks.as_ptr(),
            num_masks: masks.len(),
            blocks: blocks.as_ptr(),
            num_blocks: blocks.len(),
        };
        // SAFETY: handles; every slot has an entry in `slots`.
        unsafe { ffi::ptx_lis_fill_masks(self.ptr.as_ptr(), &masks) }
    }
    /// Reads the values of `reg`'s interval, by number, into `out`: LLVM's number of the entry of
    /// each def, `u32::MAX` for an unused value. Empty if there is no interval.
    pub(crate) fn value_defs(self, analyses: SlotsAndDominators<'f>, reg: Register, out: &mut Vec<u32>) {
        let (lis, slots) = (self.ptr.as_ptr(), analyses.slots.as_ptr());
        // SAFETY: handles; the buffer has the capacity that is passed.
        read_list(out, |out, n| unsafe { ffi::ptx_lis_values(lis, slots, reg.0, out, n) });
    }
    /// Whether it was filled in, not only connected.
    pub(crate) fn is_filled(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_lis_is_filled(self.ptr.as_ptr()) }
    }
    /// Replaces the intervals of the owners of `changed`, and removes those of `removed`. `slots`
    /// are LLVM's slots, by entry.
    pub(crate) fn update(self, slots: &[u64], changed: &LiveRanges, removed: &[u32]) {
        // SAFETY: handles; see `ffi_ranges`.
        unsafe {
            let changed = ffi_ranges(slots, changed);
            ffi::ptx_lis_update(self.ptr.as_ptr(), &changed, removed.as_ptr(), removed.len())
        }
    }
    /// Whether the only range of `range` overlaps that of a register unit, which is computed if
    /// necessary.
    pub(crate) fn overlaps_unit(self, slots: &[u64], range: &LiveRanges, unit: u32) -> bool {
        // SAFETY: handle; see `ffi_ranges`; a unit of the target.
        unsafe { ffi::ptx_lis_overlaps_unit(self.ptr.as_ptr(), &ffi_ranges(slots, range), unit) }
    }
    /// Whether a register mask clobbers `phys` where the only range of `range` is live.
    pub(crate) fn mask_clobbers(self, slots: &[u64], range: &LiveRanges, phys: Register) -> bool {
        // SAFETY: handle; see `ffi_ranges`; a register of the target.
        unsafe { ffi::ptx_lis_mask_clobbers(self.ptr.as_ptr(), &ffi_ranges(slots, range), phys.0) }
    }
    /// Gives each connected component of `reg`'s interval its own register.
    pub(crate) fn split_components(self, reg: Register) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lis_split_components(self.ptr.as_ptr(), reg.0) }
    }
}

/// A segment of a register's interval: it is live from `start` up to but excluding `end`.
///
/// The numbers are those by which LLVM orders its slots. An instruction has several slots, and so
/// has the start of a block. Numbers in one function are ordered as their places are, until a new
/// instruction gets a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveSegment {
    /// Where it begins.
    pub start: u32,
    /// The first place after it.
    pub end: u32,
    /// The number, within the interval, of the value that the register has.
    pub value: u32,
}

impl<'f> LiveIntervals<'f> {
    /// The number of the first slot of an instruction, in the order of [`LiveSegment`]. `None` for
    /// a debug instruction, and for a new instruction that was not added to SlotIndexes.
    pub fn number_of(self, mi: MachineInstr<'f>) -> Option<u32> {
        let mut number = 0;
        // SAFETY: handles; the place for the answer lives through the call.
        let has_slot = unsafe { ffi::ptx_lis_number(self.ptr.as_ptr(), mi.ptr.as_ptr(), &mut number) };
        has_slot.then_some(number)
    }
    /// Whether `reg` is a virtual register with an interval.
    pub fn has_interval(self, reg: Register) -> bool {
        // SAFETY: handle; the shim takes any number.
        unsafe { ffi::ptx_lis_has_interval(self.ptr.as_ptr(), reg.0) }
    }
    /// Lists the segments of the interval of `reg`, in order.
    ///
    /// # Fatal errors
    /// If it has none ([`LiveIntervals::has_interval`]).
    pub fn segments(self, reg: Register) -> Vec<LiveSegment> {
        let (lis, mut segments) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed; the shim checks that there is
        // an interval.
        read_list(&mut segments, |out, n| unsafe { ffi::ptx_lis_segments(lis, reg.0, out, n) });
        let by_value = |s: ffi::PtxLiveSegment| LiveSegment { start: s.start, end: s.end, value: s.value };
        segments.into_iter().map(by_value).collect()
    }
    /// Whether `reg` is live into `block` (`isLiveInToMBB`).
    ///
    /// # Fatal errors
    /// If it has no interval.
    pub fn is_live_in(self, reg: Register, block: MachineBasicBlock<'f>) -> bool {
        // SAFETY: handles; the shim checks that there is an interval.
        unsafe { ffi::ptx_lis_is_live_in(self.ptr.as_ptr(), reg.0, block.ptr.as_ptr()) }
    }
    /// Whether `reg` is live out of `block` (`isLiveOutOfMBB`).
    ///
    /// # Fatal errors
    /// If it has no interval.
    pub fn is_live_out(self, reg: Register, block: MachineBasicBlock<'f>) -> bool {
        // SAFETY: as above.
        unsafe { ffi::ptx_lis_is_live_out(self.ptr.as_ptr(), reg.0, block.ptr.as_ptr()) }
    }
}
