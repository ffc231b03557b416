//! Replaces every PHI by copies: the function leaves SSA form.
//!
//! **Problem.** A PHI selects a value by the edge that control came over; no machine has such an
//! instruction. After this pass the values of `%d = PHI %a, %bb.1, %b, %bb.2` meet in a new
//! register, the *incoming* one: a copy `%in = COPY %a` at the end of `%bb.1`, another in `%bb.2`,
//! and `%d = COPY %in` where the PHI was. PHIs of one block that swap values among themselves have
//! different incoming registers, so they need no further care. The coalescer removes the copies
//! that it can.
//!
//! **Algorithm.**
//!
//! 1. Critical edges are split where the register of a copy at the end of the predecessor would be
//!    live together with its source (`split`).
//! 2. For every edge and register, we count the PHIs that read the register over that edge
//!    (`uses`). The last one to be lowered ends it, unless it is live out for another reason.
//! 3. Block by block, from the top, each PHI is lowered (`lower`): to a copy in its place, and to
//!    copies at the ends of predecessors (`insert_point`). LiveVariables and LiveIntervals stay
//!    exact. A PHI with the same operands as an earlier one shares its incoming register
//!    (`lowered`). Undefined values become IMPLICIT_DEFs.
//! 4. An IMPLICIT_DEF that only PHIs read is erased.
//!
//! The pass sees the function through [`host::PhiElimHost`]; `pass.rs` binds that to LLVM. Between
//! steps 1 and 2 a stage may put the values that a PHI joins into one register
//! ([`host::SharedRegisters`]). That is then the incoming one, and a value already in it needs no
//! copy.
//!
//! **Source.** `PHIElimination.cpp` and `PHIEliminationUtils.cpp` of LLVM 17 to 23, whose
//! differences are [`crate::versions::PhiElim`].
//!
//! **Our deviation.** The output differs only for undefined values in the default profile
//! ([`options::Options::is_default`]). Counts are in arrays where LLVM has a hash map. LiveVariables
//! is queried once for each register, not for each use. Live-in registers are collected before the
//! first split, and only for blocks whose incoming edges may be split. A lowered PHI is freed at
//! once, because its operands are kept instead.
//!
//! **Complexity.** O(operands of PHIs + kills of the registers they read + successors of the
//! predecessors), plus the time of LLVM's sorted segments where LiveIntervals is kept, and of its
//! lists of kills where PHIs share an incoming register.

pub mod host;
mod insert_point;
mod live_in_sets;
mod lower;
mod lowered;
pub mod options;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
mod split;
#[cfg(test)]
mod tests;
mod uses;
mod walk;

pub use options::Options;
pub use split::SplitEdges;
pub use walk::{Counts, PhiElim};

use crate::adt::PackedOption;
use crate::passes::function::{BlockHandle, InstrHandle, IntervalsHandle, VariablesHandle};
use host::{PhiElimHost, SharedRegisters};
use index_vec::IndexVec;
use rustc_hash::FxHashSet;
use walk::Walk;

impl PhiElim {
    /// Splits critical edges (step 1). The result goes to [`Self::eliminate`]; a stage may run in
    /// between.
    pub fn split_edges<H: PhiElimHost>(&mut self, host: H, options: &Options) -> SplitEdges<H> {
        split::split_edges(host, options, self)
    }

    /// Eliminates the PHIs (steps 2 to 4). Returns whether the function was changed, split edges
    /// included.
    pub fn eliminate<H: PhiElimHost>(
        &mut self,
        host: H,
        options: &Options,
        split: SplitEdges<H>,
        shared: &impl SharedRegisters,
        counts: &mut Counts,
    ) -> bool {
        self.lowered.clear(options.is_default);
        let mut walk = Walk {
            host,
            lv: host.variables(),
            lis: host.intervals(),
            options,
            shared,
            buffers: self,
            implicit_defs: Vec::new(),
            implicit_def_keys: FxHashSet::default(),
            preds: IndexVec::new(),
            counts: Counts { edges_split: split.count, ..Counts::default() },
        };
        let changed = walk.eliminate();
        *counts = walk.counts;
        changed
    }
}

impl<H: PhiElimHost, S: SharedRegisters> Walk<'_, H, S> {
    fn eliminate(&mut self) -> bool {
        let host = self.host;
        host.leave_ssa();
        self.list_phis();
        if self.lv.is_some() || self.lis.is_some() {
            self.buffers.uses.classify(host.num_block_ids(), host.num_virt_regs());
        }
        if let Some(lv) = self.lv {
            self.find_live_out(lv);
        }
        let changed = self.lower_blocks() || self.counts.edges_split != 0;
        self.remove_implicit_defs();
        if changed && self.options.differences.recalculates_dominators {
            host.recalculate_dominators();
        }
        host.set_no_phis();
        changed
    }

    fn list_phis(&mut self) {
        let (host, PhiElim { uses, operands, .. }) = (self.host, &mut *self.buffers);
        uses.reset(host.num_virt_regs());
        for block in host.blocks() {
            host.phi_operands(block, operands);
            let phis = operands.chunk_by(|_, next| !next.is_def());
            phis.for_each(|phi| uses.push_phi(block.number(), phi));
        }
    }

    /// Finds the registers that are live out of the predecessors for another reason than PHIs. For
    /// a register that the preceding stage made, that stage knows.
    fn find_live_out(&mut self, lv: H::Variables) {
        let (host, shared) = (self.host, self.shared);
        let uses = &mut self.buffers.uses;
        uses.list_successors(|pred, succs| {
            succs.extend(host.block_numbered(pred).successors().map(BlockHandle::number));
        });
        uses.find_live_out(|reg, succs, lives_in| match shared.live_in(reg) {
            None => lv.lives_in(reg, succs, lives_in),
            Some(live_in) => {
                lives_in.clear();
                lives_in.extend(succs.iter().map(|succ| live_in.binary_search(succ).is_ok()));
            }
        });
    }

    /// Lowers all PHIs; tells whether there is one.
    fn lower_blocks(&mut self) -> bool {
        let num_block_ids = self.host.num_block_ids();
        self.buffers.copied_for.clear();
        self.buffers.copied_for.resize(num_block_ids, PackedOption::NONE);
        self.preds.resize(num_block_ids, None);
        let mut uses = std::mem::take(&mut self.buffers.uses);
        for i in 0..uses.blocks().len() {
            self.lower_phis(uses.blocks()[i], &mut uses);
        }
        let has_phis = !uses.blocks().is_empty();
        self.buffers.uses = uses;
        has_phis
    }

    /// Gives a new instruction a slot.
    fn insert_slot(&self, mi: H::Instr) {
        match self.lis {
            Some(lis) => lis.insert_instr(mi),
            None if self.options.differences.updates_slot_indexes => self.host.insert_in_slots(mi),
            None => {}
        }
    }

    /// Takes the slot of an instruction that is about to be erased.
    fn remove_slot(&self, mi: H::Instr) {
        match self.lis {
            Some(lis) => lis.remove_instr(mi),
            None if self.options.differences.updates_slot_indexes => self.host.remove_from_slots(mi),
            None => {}
        }
    }

    /// Removes the IMPLICIT_DEFs that only PHIs read.
    fn remove_implicit_defs(&mut self) {
        for def in std::mem::take(&mut self.implicit_defs) {
            let reg = def.operand(0).reg();
            if self.host.use_nodbg_empty(reg) {
                self.remove_slot(def);
                def.erase();
                self.counts.implicit_defs_removed += 1;
            } else if let Some(lv) = self.lv.filter(|_| self.options.is_default) {
                // PHIs kept it live to the ends of blocks where nothing reads it any more. Stock
                // leaves that.
                if self.host.defs(reg).nth(1).is_none() {
                    lv.recompute(reg);
                }
            }
        }
    }
}
