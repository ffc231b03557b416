//! Updates LiveVariables for a COPY that was inserted before an instruction, in six steps
//! (requirement T8).
//!
//! **Problem.** `dst = COPY src` comes before `mi`. Either `mi` read `src` and reads `dst` now, or
//! the COPY replaces it. LiveVariables has to be as if it had seen the COPY. Otherwise later passes
//! take a live register for dead, or look at an instruction that is gone.
//!
//! **Algorithm.** For each COPY:
//!
//! 1. *transfer*, the entry: liveness goes from `mi` to the COPY;
//! 2. *create* the result's entry;
//! 3. *initialise* it: a result without readers dies at the COPY, if the COPY defines it instead of
//!    `mi`;
//! 4. *find the kill* of the source: whether it is `mi`;
//! 5. *move the kill* to the COPY;
//! 6. *liveness of blocks*: a source that ends at the COPY does not live through the COPY's block.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "LiveVariables Update
//! Chain". **Our deviation.** We do not search for the kill from the start of the block, which is
//! quadratic in the worst case. The caller has just read the operands of `mi` and knows whether the
//! source ends. Only then the list of kills is searched. **Complexity.** Where a source ends,
//! linear in LLVM's list of its kills, one for each block that it ends in; otherwise constant.

use crate::mir::Register;
use crate::passes::function::{BlockHandle, FunctionHandle, InstrHandle, VariablesHandle};

/// `dst = COPY src`, inserted before `mi`.
#[derive(Clone, Copy)]
pub(super) struct CopyUpdate<H: FunctionHandle> {
    pub(super) copy: H::Instr,
    pub(super) mi: H::Instr,
    pub(super) dst: Register,
    pub(super) src: Register,
    /// The COPY defines the result instead of `mi`, which is about to be erased.
    pub(super) replaces_def: bool,
}

impl<H: FunctionHandle> CopyUpdate<H> {
    /// Step 1, transfer. `source_ends`: `mi` was the last reader of the source; now the COPY is.
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

    /// Step 3, initialise. The blocks that the result lives through and the kills by its readers
    /// stay as they are, because the COPY is in the block of `mi`. If nothing reads the result, its
    /// def is its kill; that is the COPY if it replaces `mi`.
    fn init_var_info(self, lv: H::Variables) {
        if self.replaces_def && lv.remove_dead(self.dst, self.mi) {
            lv.add_dead(self.dst, self.copy);
        }
    }

    /// Step 4, find the kill: whether LiveVariables has `mi` as a kill of the source. Only virtual
    /// registers have kills, and only in reachable blocks.
    fn find_kill(self, lv: H::Variables) -> bool {
        self.src.is_virtual() && lv.is_kill(self.src, self.mi)
    }

    /// Step 5, move the kill. If the COPY already has the kill flag, it came with the operand, and
    /// the new kill replaces the old one in the list. Otherwise the new kill goes to the end of the
    /// list and the flag is set. This is LLVM's order.
    fn move_kill(self, lv: H::Variables) {
        if self.copy.operand(1).is_kill() {
            lv.replace_kill(self.src, self.mi, self.copy);
        } else {
            lv.remove_kill(self.src, self.mi);
            lv.add_killed(self.src, self.copy);
        }
    }

    /// Step 6, liveness of blocks. In LiveVariables as computed, no register both lives through a
    /// block and ends in it.
    fn update_block_liveness(self, lv: H::Variables) {
        lv.end_alive(self.src, self.copy.block().number());
    }
}
