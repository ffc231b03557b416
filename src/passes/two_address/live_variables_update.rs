//! Updates LiveVariables for a COPY that was put in front of an instruction, in six steps (requirement T8).
//!
//! **Problem.** `dst = COPY src` stands in front of `mi`, which read `src` before and reads `dst` now. LiveVariables
//! has to be as if it had seen the COPY, or later passes take a register for dead that is live.
//!
//! **Algorithm.** For each COPY: transfer (the entry: liveness goes from `mi` to the COPY), create and initialise
//! the result's entry, find the source's kill, move it to the COPY, and the blocks that the source lives
//! through.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "LiveVariables Update Chain". **Our deviation.** The
//! kill is not looked for from the start of the block, which is quadratic in the worst case: the caller has just read the
//! operands of `mi` and knows whether the source ends. **Complexity.** That of LLVM's list of a
//! register's kills, one for each block that it ends in; only where a source ends.

use crate::mir::Register;
use crate::passes::function::{BlockHandle, FunctionHandle, InstrHandle, VariablesHandle};

/// `dst = COPY src`, inserted in front of `mi`.
#[derive(Clone, Copy)]
pub(super) struct CopyUpdate<H: FunctionHandle> {
    pub(super) copy: H::Instr,
    pub(super) mi: H::Instr,
    pub(super) dst: Register,
    pub(super) src: Register,
}

impl<H: FunctionHandle> CopyUpdate<H> {
    /// Step 1, transfer. `source_ends`: `mi` was the last to read the source, the COPY is now.
    pub(super) fn transfer(self, lv: H::Variables, source_ends: bool) {
        self.create_var_info(lv);
        self.init_var_info(lv);
        if self.find_kill(source_ends) {
            self.move_kill(lv);
        }
        self.update_block_liveness(lv);
    }

    /// Step 2, create: makes an entry for the result if there is none.
    fn create_var_info(self, lv: H::Variables) {
        lv.create_var_info(self.dst);
    }

    /// Step 3, initialise: the entry of the result stays as it is. `mi` defined it before, the COPY in the same
    /// block does now: its readers, and so its kills and the blocks that it lives through, are the same, and `mi`
    /// is still where a result dies that nobody reads. A new entry says the same: no kill and no block.
    fn init_var_info(self, lv: H::Variables) {
        debug_assert!(lv.find_kill(self.dst, self.copy.block()) != Some(self.copy));
    }

    /// Step 4, find the kill: `mi` was that of the source in this block, if the source ends. Only virtual
    /// registers have kills.
    fn find_kill(self, source_ends: bool) -> bool {
        source_ends && self.src.is_virtual()
    }

    /// Step 5, move the kill. If the COPY has the flag already, it came with the operand and the kill takes the
    /// place of the old one, else it is the last of the list and the flag is set: the order is LLVM's.
    fn move_kill(self, lv: H::Variables) {
        if self.copy.operand(1).is_kill() {
            lv.replace_kill(self.src, self.mi, self.copy);
        } else if lv.remove_kill(self.src, self.mi) {
            lv.add_killed(self.src, self.copy);
        }
    }

    /// Step 6, the blocks that the source lives through. The COPY is in the block of `mi`: a source that comes from
    /// a predecessor lives into this block as before, and one that ended here still ends here.
    fn update_block_liveness(self, lv: H::Variables) {
        let block = self.copy.block();
        let ends_at_copy = || self.src.is_virtual() && lv.find_kill(self.src, block) == Some(self.copy);
        let lives_through = || {
            let mut blocks = Vec::new();
            lv.alive_blocks(self.src, &mut blocks);
            blocks.contains(&block.number())
        };
        debug_assert!(!ends_at_copy() || !lives_through());
    }
}
