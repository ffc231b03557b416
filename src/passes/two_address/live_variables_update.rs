//! Updates LiveVariables for a COPY that was put in front of an instruction, in six steps (requirement T8).
//!
//! **Problem.** `dst = COPY src` stands in front of `mi`, which read `src` before and reads `dst` now, or which the COPY takes the
//! place of. LiveVariables has to be as if it had seen the COPY, or later passes take a register for dead that is live, or look at an
//! instruction that is gone.
//!
//! **Algorithm.** For each COPY:
//!
//! 1. *transfer*, the entry: liveness goes from `mi` to the COPY;
//! 2. *create* the result's entry;
//! 3. *initialise* it: a result that nobody reads dies at the COPY, if that defines it in the place of `mi`;
//! 4. *find the kill* of the source: whether it is `mi`;
//! 5. *move the kill* to the COPY;
//! 6. *liveness of blocks*: a source that ends at the COPY does not live through the COPY's block.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "LiveVariables Update Chain". **Our deviation.** The
//! kill is not looked for from the start of the block, which is quadratic in the worst case: the caller has just read the
//! operands of `mi` and knows whether the source ends; then the list of kills is searched. **Complexity.** That of LLVM's list of a
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
    /// The COPY defines the result in the place of `mi`, which goes.
    pub(super) replaces_def: bool,
}

impl<H: FunctionHandle> CopyUpdate<H> {
    /// Step 1, transfer. `source_ends`: `mi` was the last to read the source, the COPY is now.
    pub(super) fn transfer(self, lv: H::Variables, source_ends: bool) {
        self.create_var_info(lv);
        self.init_var_info(lv);
        if source_ends && self.find_kill(lv) {
            self.move_kill(lv);
            self.update_block_liveness(lv);
        }
    }

    /// Step 2, create: makes an entry for the result if there is none.
    fn create_var_info(self, lv: H::Variables) {
        lv.create_var_info(self.dst);
    }

    /// Step 3, initialise. The blocks that the result lives through and the kills by its readers stay as they are: the COPY is in the
    /// block of `mi`. Where nobody reads it, its def is its kill, and that is the COPY if `mi` goes.
    fn init_var_info(self, lv: H::Variables) {
        if self.replaces_def && lv.remove_dead(self.dst, self.mi) {
            lv.add_dead(self.dst, self.copy);
        }
    }

    /// Step 4, find the kill: whether LiveVariables has `mi` as one of the source. Only virtual registers have kills, and only
    /// in blocks that control can reach.
    fn find_kill(self, lv: H::Variables) -> bool {
        self.src.is_virtual() && lv.is_kill(self.src, self.mi)
    }

    /// Step 5, move the kill. If the COPY has the flag already, it came with the operand and the kill takes the
    /// place of the old one, else it is the last of the list and the flag is set: the order is LLVM's.
    fn move_kill(self, lv: H::Variables) {
        if self.copy.operand(1).is_kill() {
            lv.replace_kill(self.src, self.mi, self.copy);
        } else {
            lv.remove_kill(self.src, self.mi);
            lv.add_killed(self.src, self.copy);
        }
    }

    /// Step 6, liveness of blocks. LiveVariables, as computed, has no register end in a block that it lives through.
    fn update_block_liveness(self, lv: H::Variables) {
        lv.end_alive(self.src, self.copy.block().number());
    }
}
