//! Makes every use that is tied to a def name the same register as that def.
//!
//! **Problem.** An instruction may demand that a use and a def are the same register (`A = op
//! B(tied), C` on many targets; a `"+r"` operand or a tied result of inline assembly on NVPTX). In
//! SSA form they are two. After this pass they are the same, by a COPY before the instruction
//! unless something cheaper will do. The pseudos REG_SEQUENCE and INSERT_SUBREG have become COPYs.
//!
//! **Algorithm.** One walk over each block. For each instruction:
//!
//! 1. A REG_SEQUENCE, and an EXTRACT_SUBREG of several pairs, becomes COPYs (`subregs`, requirement
//!    T4).
//! 2. Copies enter the maps of likely coalescing (`copy_maps`, requirement T5).
//! 3. The tied pairs whose registers differ are collected by source register (`tied`, requirements
//!    T1 and T10). An undefined source just becomes the destination.
//! 4. A single pair may be satisfied without a COPY (`transform`, requirement T2): commute, move
//!    the instruction below the last use of its source or that use above it, take the three-address
//!    form, unfold a load. Not when optimisation is off (requirement T6).
//! 5. The remaining pairs get COPYs; kill flags, LiveVariables and LiveIntervals stay exact
//!    (`tied`, requirement T3).
//! 6. An INSERT_SUBREG becomes a COPY to a part of its register.
//!
//! Each COPY of steps 1, 5 and 6 can be reported as a missed remark (`remarks`, requirement T9).
//! The update of LiveVariables for a COPY is in one place, `live_variables_update` (requirement
//! T8). Either analysis may be missing. LiveIntervals may already be there: LLVM is moving it
//! before this pass. In the default profile the coalescer is told which registers belong together
//! (`neighbours`, requirement T7, and the copy maps): [`TwoAddress::hints`].
//!
//! The pass sees the function through [`host::TwoAddressHost`]; `pass.rs` binds that to LLVM.
//!
//! **Source.** `TwoAddressInstructionPass.cpp` of LLVM 17 to 23, whose differences are
//! [`crate::versions::TwoAddress`]; the description of CICC's Two-Address Instruction Pass.
//!
//! **Our deviation.** One walk over the operand groups finds the ties of an INLINEASM, and a sorted
//! index finds the uses of a register. LLVM scans all operands for each tie. For hundreds of tied
//! results that is quadratic; ours is O(n log n). The map from instruction to distance takes most
//! of the stock pass's time; we fill it only in blocks where it is read. A chain of tied uses is
//! followed once, where LLVM follows it to its end from each of its links.
//!
//! The profiles differ in three points only: the hints; the EXTRACT_SUBREG of several pairs, which
//! LLVM does not have; and the REG_SEQUENCE whose result is dead, where LLVM leaves the erased
//! instruction among the kills of the result.
//!
//! **Complexity.** O(operands) for the walk, and once more for the uses that chains go over, unless
//! transforms remove tied pairs in between. O(n log n) for an instruction with n operands and ties.
//! Each attempt to reschedule passes 11 instructions at most.

mod commute;
mod copy_maps;
pub mod host;
mod kills;
mod live_variables_update;
mod moved_registers;
mod neighbours;
pub mod options;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
mod remarks;
mod reschedule;
mod seen_copies;
mod statepoint;
mod subregs;
#[cfg(test)]
mod tests;
mod three_address;
mod tied;
mod tied_operands;
mod transform;
mod walk;

pub use options::Options;
pub use walk::{Counts, TwoAddress};

use crate::mir::InstrKind;
use crate::passes::affinity::{Affinity, AffinityHints};
use crate::passes::function::{BlockHandle, InstrHandle};
use host::{InstrFacts, TwoAddressHost};
use walk::{Cursor, Walk};

impl TwoAddress {
    /// Hints for the coalescer on a function, if it is the one that the pass ran on last.
    pub fn hints(&self, function: u32) -> Option<&AffinityHints> {
        self.hints.is_of(function).then_some(&self.hints)
    }

    /// Runs the pass. Returns whether it changed the function.
    pub fn run<H: TwoAddressHost>(&mut self, host: H, options: &Options, counts: &mut Counts) -> bool {
        host.leave_ssa();
        host.set_tied_ops_rewritten();
        self.tied.reset();
        self.hints.begin(host.number());
        let Some(block) = host.blocks().next() else { return false };
        let mut walk = Walk {
            host,
            lv: host.variables(),
            lis: host.intervals(),
            options,
            b: self,
            block,
            dist: 0,
            counts: Counts::default(),
        };
        let mut changed = false;
        for block in host.blocks() {
            changed |= walk.visit_block(block);
        }
        *counts = walk.counts;
        self.hints.finish();
        counts.neighbour_hints = self.hints.count(Affinity::Neighbour);
        counts.copy_hints = self.hints.count(Affinity::Copy);
        changed
    }
}

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Visits the instructions of a block. Returns whether one was changed.
    fn visit_block(&mut self, block: H::Block) -> bool {
        self.begin_block(block);
        let mut changed = false;
        let mut position = block.first();
        while let Some(mut mi) = position {
            let mut facts = self.host.facts(mi);
            position = facts.next;
            if facts.kind == InstrKind::Debug {
                continue;
            }
            if let Some((first, is_change)) = self.expand(mi, facts.kind) {
                changed |= is_change;
                mi = first;
                facts = self.host.facts(mi);
            }
            self.dist += 1;
            self.b.distance.insert(mi.key(), self.dist);
            if self.options.neighbour_hints {
                self.hint_vectors(mi, &facts);
            }
            if facts.kind.copied_operand().is_some() {
                self.process_copy(mi, facts);
            }
            if facts.has_tied_use {
                changed = true;
                position = self.satisfy_ties(mi, position, facts);
            } else {
                self.forget_clobbered(mi, facts);
            }
        }
        self.b.hints.add_copies(self.b.maps.copies());
        changed
    }

    fn begin_block(&mut self, block: H::Block) {
        self.block = block;
        self.dist = 0;
        self.b.distance.clear();
        self.b.seen_copies.clear();
        self.b.maps.reset(self.host.num_virt_regs(), self.options.copy_hints);
        self.forget_followed();
    }

    /// Expands a REG_SEQUENCE or EXTRACT_SUBREG to COPYs (step 1). Returns the first of them, and
    /// whether that counts as a change; `None` if `mi` stays.
    fn expand(&mut self, mi: H::Instr, kind: InstrKind) -> Option<(H::Instr, bool)> {
        match kind {
            InstrKind::RegSequence => {
                Some((self.eliminate_reg_sequence(mi), self.options.differences.reg_sequence_is_change))
            }
            InstrKind::ExtractSubreg if self.options.is_default => {
                self.decompose_extract_subreg(mi).map(|first| (first, true))
            }
            _ => None,
        }
    }

    /// Makes each use of `mi` that is tied to a def the same register as the def (steps 3 to 6).
    /// Returns the instruction that the walk goes on with: `next` unless something has moved.
    fn satisfy_ties(
        &mut self,
        mi: H::Instr,
        next: Option<H::Instr>,
        mut facts: InstrFacts<H::Instr>,
    ) -> Option<H::Instr> {
        self.counts.two_address += 1;
        self.collect_tied_operands(mi, facts);
        let mut at = Cursor { mi, next, is_rewritten: false };
        if let Some(pair) = self.b.tied.single_pair() {
            if self.try_instruction_transform(&mut at, pair, false) {
                self.forget_followed();
                self.forget_clobbered(at.mi, self.host.facts(at.mi));
                return at.next;
            }
            if at.is_rewritten {
                self.forget_followed();
                facts = self.host.facts(at.mi);
                at.mi.read_operands(&mut self.b.tied.operands);
            }
        }
        let Cursor { mi, next, .. } = at;
        if facts.kind == InstrKind::Statepoint && self.process_statepoint(mi) {
            self.forget_followed();
            return next;
        }
        self.process_tied_operands(mi, facts);
        if facts.kind == InstrKind::InsertSubreg {
            self.insert_subreg_to_copy(mi);
            facts = self.host.facts(mi);
        }
        self.forget_clobbered(mi, facts);
        next
    }
}
