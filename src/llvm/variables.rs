//! Fills LLVM's LiveVariables and keeps it up to date.

use super::facts::Handles;
use super::ffi;
use super::handles::{LiveVariables, MachineBasicBlock, MachineInstr};
use super::read::read_list;
use crate::mir::{BlockNumber, LocalRegisters, Register, VarFlags, VarInfo};

// Each call in these blocks passes pointers that the handles keep valid (see the module
// documentation), and registers and instructions of the same function.
impl<'f> LiveVariables<'f> {
    /// Whether it has facts about any register.
    pub(crate) fn is_filled(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_lv_is_filled(self.ptr.as_ptr()) }
    }
    /// Connects the empty analysis to the function, which has this many PHIs, and fills in local
    /// registers from their pieces.
    pub(crate) fn begin_filling(self, handles: Handles<'_, 'f>, registers: LocalRegisters, num_phis: usize) {
        let LocalRegisters { flags, pieces } = registers;
        assert_eq!(flags.len(), pieces.len());
        // LLVM's list ends at the last register with a def.
        let num_regs = flags.iter().rposition(|f| f.has(VarFlags::DEFINED)).map_or(0, |last| last + 1);
        // SAFETY: handles; one flag and one piece for each register, whose end is the entry of an
        // instruction.
        unsafe {
            ffi::ptx_lv_begin(
                self.ptr.as_ptr(),
                handles.mf.ptr.as_ptr(),
                handles.heads().as_ptr(),
                flags.as_raw_slice().as_ptr(),
                pieces.as_raw_slice().as_ptr(),
                num_regs,
                num_phis,
            );
        }
    }
    /// Fills in other registers. Their rows of `alive` are LLVM's block numbers; their rows of
    /// `kills` are entries of instructions.
    ///
    /// # Panics
    /// If a register, a block or an entry is not the function's, or a row is not within its array.
    pub fn fill(self, handles: Handles<'_, 'f>, infos: &[VarInfo], alive: &[u32], kills: &[u32]) {
        let (num_regs, num_blocks) = (handles.mf.num_virt_regs() as u32, handles.mf.num_block_ids() as u32);
        for info in infos {
            let is_within =
                |first: u32, n: u32, len: usize| (first as usize).saturating_add(n as usize) <= len;
            assert!(info.reg < num_regs, "virtual register {} of {num_regs}", info.reg);
            assert!(
                is_within(info.first_alive, info.num_alive, alive.len()),
                "a row of blocks ends after its array"
            );
            assert!(
                is_within(info.first_kill, info.num_kills, kills.len()),
                "a row of kills ends after its array"
            );
        }
        assert!(alive.iter().all(|&block| block < num_blocks), "the function has no block of this number");
        let heads = handles.heads();
        let is_instr = |&entry: &u32| heads.get(entry as usize).is_some_and(|head| !head.is_null());
        assert!(kills.iter().all(is_instr), "a kill is not an instruction");
        let fill = ffi::PtxLiveVariablesFill {
            instrs: handles.heads().as_ptr(),
            infos: infos.as_ptr(),
            num_infos: infos.len(),
            alive: alive.as_ptr(),
            kills: kills.as_ptr(),
        };
        // SAFETY: handles; every row of an info is within its array, every kill is the entry of an
        // instruction.
        unsafe { ffi::ptx_lv_fill(self.ptr.as_ptr(), &fill) }
    }
    /// Makes an empty entry for `reg` if there is none.
    pub(crate) fn create_var_info(self, reg: Register) {
        // SAFETY: handles; a virtual register.
        unsafe { ffi::ptx_lv_create_var_info(self.ptr.as_ptr(), reg.0) }
    }
    /// The instruction of `block` that kills `reg`.
    pub(crate) fn find_kill(self, reg: Register, block: MachineBasicBlock<'f>) -> Option<MachineInstr<'f>> {
        // SAFETY: handles.
        unsafe { MachineInstr::from_ptr(ffi::ptx_lv_find_kill(self.ptr.as_ptr(), reg.0, block.ptr.as_ptr())) }
    }
    /// Whether `mi` is a kill of `reg`.
    pub(crate) fn is_kill(self, reg: Register, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_is_kill(self.ptr.as_ptr(), reg.0, mi.ptr.as_ptr()) }
    }
    /// Says that `reg` does not live through the block with this number.
    pub(crate) fn end_alive(self, reg: Register, block: BlockNumber) {
        // SAFETY: handle.
        unsafe { ffi::ptx_lv_end_alive(self.ptr.as_ptr(), reg.0, block.raw()) }
    }
    /// `VarInfo::removeKill`: whether `mi` was a kill. The operand's flag stays.
    pub(crate) fn remove_kill(self, reg: Register, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_remove_kill(self.ptr.as_ptr(), reg.0, mi.ptr.as_ptr()) }
    }
    /// Removes the kill and the operand's flag. Returns `false` if `mi` was not a kill.
    pub fn remove_killed(self, reg: Register, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_remove_killed(self.ptr.as_ptr(), reg.0, mi.ptr.as_ptr()) }
    }
    /// Makes `mi` a kill of `reg`, and sets the operand's flag.
    pub(crate) fn add_killed(self, reg: Register, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_add_killed(self.ptr.as_ptr(), reg.0, mi.ptr.as_ptr()) }
    }
    /// Replaces the kill `from` by `to`; flags stay.
    pub(crate) fn replace_kill(self, reg: Register, from: MachineInstr<'f>, to: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_replace_kill(self.ptr.as_ptr(), reg.0, from.ptr.as_ptr(), to.ptr.as_ptr()) }
    }
    /// Removes a dead def and the operand's flag. Returns `false` if it was not dead.
    pub(crate) fn remove_dead(self, reg: Register, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_remove_dead(self.ptr.as_ptr(), reg.0, mi.ptr.as_ptr()) }
    }
    /// Makes the def of `reg` at `mi` dead, and sets the operand's flag.
    pub(crate) fn add_dead(self, reg: Register, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_add_dead(self.ptr.as_ptr(), reg.0, mi.ptr.as_ptr()) }
    }
    /// Whether `reg` is live into `block`.
    pub fn is_live_in(self, reg: Register, block: MachineBasicBlock<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_is_live_in(self.ptr.as_ptr(), reg.0, block.ptr.as_ptr()) }
    }
    /// Whether `reg` is live out of `block` for another reason than the PHIs of its successors.
    pub fn is_live_out(self, reg: Register, block: MachineBasicBlock<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_is_live_out(self.ptr.as_ptr(), reg.0, block.ptr.as_ptr()) }
    }
    /// Reads, for each of `blocks`, whether `reg` lives through it or is killed in it. Linear in
    /// the kills of `reg` and the blocks.
    pub(crate) fn lives_in(self, reg: Register, blocks: &[BlockNumber], out: &mut Vec<bool>) {
        let mut flags = [0; 256];
        out.clear();
        for blocks in blocks.chunks(flags.len()) {
            let (lv, flags) = (self.ptr.as_ptr(), &mut flags[..blocks.len()]);
            let numbers = blocks.as_ptr().cast();
            // SAFETY: handle; a number is one u32; there is room for the flags of each block.
            unsafe { ffi::ptx_lv_block_flags(lv, reg.0, numbers, blocks.len(), flags.as_mut_ptr()) }
            let lives = (ffi::PTX_LV_ALIVE | ffi::PTX_LV_KILLED) as u8;
            out.extend(flags.iter().map(|flags| flags & lives != 0));
        }
    }
    /// Reads the numbers of the blocks that `reg` lives through.
    pub(crate) fn alive_blocks(self, reg: Register, out: &mut Vec<BlockNumber>) {
        // SAFETY: handles; the buffer has the capacity that is passed; a number is one u32.
        read_list(out, |out, n| unsafe { ffi::ptx_lv_alive_blocks(self.ptr.as_ptr(), reg.0, out.cast(), n) });
    }
    /// Reads the numbers of the blocks in which `reg` is killed.
    pub(crate) fn kill_blocks(self, reg: Register, out: &mut Vec<BlockNumber>) {
        // SAFETY: handles; the buffer has the capacity that is passed; a number is one u32.
        read_list(out, |out, n| unsafe { ffi::ptx_lv_kill_blocks(self.ptr.as_ptr(), reg.0, out.cast(), n) });
    }
    /// Makes `mi`, in the block with this number, a kill of `reg`, which then does not live through
    /// the block. Sets the operand's flag.
    pub(crate) fn end_at(self, reg: Register, mi: MachineInstr<'f>, block: BlockNumber) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_end_at(self.ptr.as_ptr(), reg.0, mi.ptr.as_ptr(), block.raw()) }
    }
    /// The instructions that kill `reg`.
    pub(crate) fn kills(self, reg: Register) -> Vec<MachineInstr<'f>> {
        let (lv, mut kills) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut kills, |out, n| unsafe { ffi::ptx_lv_kills(lv, reg.0, out, n) });
        // SAFETY: instructions of the function.
        kills.into_iter().filter_map(|mi| unsafe { MachineInstr::from_ptr(mi) }).collect()
    }
    /// Says that `reg` lives through no block.
    pub(crate) fn clear_alive(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_lv_clear_alive(self.ptr.as_ptr(), reg.0) }
    }
    /// Adds the blocks that `from` lives through to those of `into`.
    pub(crate) fn add_alive(self, into: Register, from: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_lv_add_alive(self.ptr.as_ptr(), into.0, from.0) }
    }
    /// Empties the entry of `reg`, which no longer exists.
    pub fn clear(self, reg: Register) {
        // SAFETY: handles.
        unsafe { ffi::ptx_lv_clear(self.ptr.as_ptr(), reg.0) }
    }
    /// Recomputes where `reg`, which has one def, lives and ends, including kill flags.
    pub(crate) fn recompute(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_lv_recompute(self.ptr.as_ptr(), reg.0) }
    }
}
