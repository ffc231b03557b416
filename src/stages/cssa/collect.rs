//! Collects the facts of a function: the PHIs that may share registers, and the registers that they
//! name.
//!
//! **Not changed:** PHIs that are useless or have only undefined operands; operands that are parts
//! of registers, undefined, or defined by terminators.

use super::types::{
    Candidate, CandidateId, CssaFacts, Graph, NodeSegment, Phi, PhiId, Scope, Source, TiedDef, ValueNo,
};
use super::webs::Webs;
use crate::adt::PackedOption;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, Operand, RegClassId, VRegId};
use index_vec::IndexVec;
use std::ops::Range;

/// The longest chain of COPYs that is followed to find the value of a register. The limit only
/// bounds compile time.
const MAX_COPIES: usize = 64;

/// The kind of instruction that defines a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefKind {
    /// No instruction.
    Missing,
    /// PHI
    Phi,
    /// IMPLICIT_DEF
    ImplicitDef,
    /// Any other instruction.
    Other,
}

/// Answers questions about the PHIs of a function in SSA form.
pub trait PhiTarget {
    /// Returns the number of virtual registers.
    fn num_virt_regs(&mut self) -> usize;
    /// Returns the number of blocks.
    fn num_blocks(&mut self) -> usize;
    /// Lists the operands of the PHIs of a block, one PHI after the other: the result, and pairs of
    /// a register and a block.
    fn phi_operands(&mut self, block: BlockId, out: &mut Vec<Operand>);
    /// Returns the block that a block operand names.
    fn block_of_operand(&mut self, operand: Operand) -> BlockId;
    /// Returns the kind of instruction that defines a register.
    fn def_kind(&mut self, reg: VRegId) -> DefKind;
    /// Returns whether an instruction other than a PHI or a debug instruction reads a register.
    fn is_read_by_code(&mut self, reg: VRegId) -> bool;
    /// Returns the class of a register.
    fn reg_class(&mut self, reg: VRegId) -> Option<RegClassId>;
}

/// Answers questions about the live ranges of a function in SSA form.
pub trait CssaTarget {
    /// Returns the slot for copies at the end of a block, before the terminators.
    fn copy_slot(&mut self, block: BlockId) -> SlotIndex;
    /// Returns the source of the COPY that defines a register, if it copies all of a register of
    /// the same class.
    fn copied(&mut self, reg: VRegId) -> Option<VRegId>;
    /// Returns how the two-address pass treats a register because of tied operands.
    fn tied_def(&mut self, reg: VRegId) -> TiedDef;
    /// Appends the live range of a register, and returns the slot of its def. PHIs count as
    /// instructions in sequence.
    fn live_range(&mut self, reg: VRegId, out: &mut Vec<NodeSegment>) -> SlotIndex;
}

/// A PHI as it was read.
struct PhiRecord {
    position: usize,
    block: BlockId,
    /// Its operands, as a range of those of all PHIs.
    operands: Range<usize>,
}

/// The knowledge about a register: whether it can be a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    No,
    Unsuited,
    Candidate(CandidateId),
}

/// Buffers, kept from function to function.
#[derive(Default)]
pub struct Collector {
    operands: Vec<Operand>,
    phis: IndexVec<PhiId, PhiRecord>,
    webs: Webs,
    /// By PHI: whether it is kept.
    is_kept: IndexVec<PhiId, bool>,
    /// By block: the last PHI that it was a predecessor of.
    seen: IndexVec<BlockId, PackedOption<PhiId>>,
    /// By virtual register.
    known: IndexVec<VRegId, Known>,
    /// By virtual register: the kind of instruction that defines it, if it was asked for.
    def_kinds: IndexVec<VRegId, Option<DefKind>>,
    /// By virtual register: the PHI that it is the result of.
    phi_of: IndexVec<VRegId, PackedOption<PhiId>>,
    /// By virtual register without a COPY as def: the number of its value.
    value_of: IndexVec<VRegId, PackedOption<ValueNo>>,
}

impl Collector {
    /// Reads the PHIs of a function and chooses those that take part. Returns the number of all
    /// PHIs. `loop_depths` appends the loop depth of each block; it is called only if some PHI may
    /// take part.
    pub fn read(
        &mut self,
        target: &mut impl PhiTarget,
        loop_depths: impl FnOnce(&mut IndexVec<BlockId, u32>),
        scope: Scope,
        facts: &mut CssaFacts,
    ) -> usize {
        facts.clear();
        self.begin(target.num_virt_regs());
        let num_phis = self.read_phis(target);
        self.drop_useless(target);
        match scope {
            Scope::WhereItPays => self.drop_webs(target, loop_depths, facts),
            Scope::All if self.phis.is_empty() => {}
            Scope::All => loop_depths(&mut facts.depths),
        }
        num_phis
    }

    /// Returns the registers that participating PHIs name, some more than once.
    pub fn registers(&self) -> impl Iterator<Item = VRegId> + '_ {
        let operands = self.phis.iter().flat_map(|phi| &self.operands[phi.operands.clone()]);
        operands.filter_map(|operand| operand.vreg())
    }

    /// Returns the number of PHIs that take part.
    pub fn num_taking_part(&self) -> usize {
        self.phis.len()
    }

    /// Collects the facts of the participating PHIs, which were read before.
    pub fn collect(
        &mut self,
        phis: &mut impl PhiTarget,
        target: &mut impl CssaTarget,
        graph: Graph,
        facts: &mut CssaFacts,
    ) {
        self.known.clear();
        self.known.resize(self.phi_of.len(), Known::No);
        self.value_of.clear();
        self.value_of.resize(self.phi_of.len(), PackedOption::NONE);
        facts.copy_slots.resize(graph.slots.num_blocks(), None);
        for phi in &self.phis {
            for pair in self.operands[phi.operands.clone()][1..].chunks_exact(2) {
                let pred = phis.block_of_operand(pair[1]);
                if facts.copy_slots[pred].is_none() {
                    facts.copy_slots[pred] = Some(target.copy_slot(pred));
                }
            }
        }
        self.add_phis(phis, target, graph, facts);
    }

    fn begin(&mut self, num_regs: usize) {
        self.operands.clear();
        self.phis.clear();
        self.phi_of.clear();
        self.phi_of.resize(num_regs, PackedOption::NONE);
        self.def_kinds.clear();
        self.def_kinds.resize(num_regs, None);
    }

    /// Reads the PHIs that have a defined operand. Returns the number of all PHIs.
    fn read_phis(&mut self, target: &mut impl PhiTarget) -> usize {
        let (mut operands, mut num_phis) = (Vec::new(), 0);
        for block in (0..target.num_blocks()).map(BlockId::from_usize) {
            target.phi_operands(block, &mut operands);
            for phi in operands.chunk_by(|_, next| !next.is_def()) {
                let position = num_phis;
                num_phis += 1;
                if phi[1..].chunks_exact(2).all(|pair| self.is_undefined(target, pair[0])) {
                    continue;
                }
                let first = self.operands.len();
                self.operands.extend_from_slice(phi);
                let id = self.phis.push(PhiRecord { position, block, operands: first..self.operands.len() });
                self.phi_of[result_of(phi)] = id.into();
            }
        }
        num_phis
    }

    /// Returns the kind of the instruction that defines a register.
    fn def_kind(&mut self, target: &mut impl PhiTarget, reg: VRegId) -> DefKind {
        *self.def_kinds[reg].get_or_insert_with(|| target.def_kind(reg))
    }

    /// Returns whether an operand of a PHI is undefined for PHI elimination.
    fn is_undefined(&mut self, target: &mut impl PhiTarget, source: Operand) -> bool {
        let mut has_def =
            |reg| !matches!(self.def_kind(target, reg), DefKind::Missing | DefKind::ImplicitDef);
        source.is_undef() || !source.vreg().is_some_and(&mut has_def)
    }

    /// Drops useless PHIs. Only other useless PHIs read their results, so nothing reads them once
    /// PHIs are lowered.
    fn drop_useless(&mut self, target: &mut impl PhiTarget) {
        let Collector { operands, phis, phi_of, is_kept, .. } = self;
        let results = phis.iter().map(|phi| result_of(&operands[phi.operands.clone()]));
        is_kept.clear();
        is_kept.extend(results.map(|reg| target.is_read_by_code(reg)));
        mark_useful(is_kept, |phi, out| {
            let sources = operands[phis[phi].operands.clone()][1..].iter().step_by(2);
            let defined = sources.filter(|source| !source.is_undef()).filter_map(|source| source.vreg());
            out.extend(defined.filter_map(|reg| phi_of[reg].get()));
        });
        self.drop_others();
    }

    /// Drops the PHIs of webs that do not take part, and counts them.
    fn drop_webs(
        &mut self,
        target: &mut impl PhiTarget,
        loop_depths: impl FnOnce(&mut IndexVec<BlockId, u32>),
        facts: &mut CssaFacts,
    ) {
        let (phis, operands) = (std::mem::take(&mut self.phis), std::mem::take(&mut self.operands));
        self.webs.begin(phis.len(), self.phi_of.len());
        self.begin_edges(target.num_blocks());
        for (id, phi) in phis.iter_enumerated() {
            let names = &operands[phi.operands.clone()];
            let reg = self.shareable(target, names[0]);
            self.webs.add_copy(id, reg);
            for pair in names[1..].chunks_exact(2) {
                let pred = target.block_of_operand(pair[1]);
                if self.is_first_edge(id, pred) {
                    let reg = self.shareable(target, pair[0]);
                    self.webs.add_copy(id, reg);
                }
            }
        }
        (self.phis, self.operands) = (phis, operands);
        if self.webs.count_copies() {
            loop_depths(&mut facts.depths);
            self.weigh_webs(target, facts);
        }
        facts.left_out = self.webs.choose(&mut self.is_kept);
        self.drop_others();
    }

    /// Adds the weights of the copies of small webs.
    fn weigh_webs(&mut self, target: &mut impl PhiTarget, facts: &CssaFacts) {
        self.begin_edges(target.num_blocks());
        for id in self.phis.indices() {
            if !self.webs.is_small(id) {
                continue;
            }
            let PhiRecord { block, operands, .. } = &self.phis[id];
            self.webs.add_weight(id, facts.weight(*block));
            for at in operands.clone().skip(2).step_by(2) {
                let pred = target.block_of_operand(self.operands[at]);
                if self.is_first_edge(id, pred) {
                    self.webs.add_weight(id, facts.weight(pred));
                }
            }
        }
    }

    /// Drops the PHIs that are not kept.
    fn drop_others(&mut self) {
        let Collector { operands, phis, phi_of, is_kept, .. } = self;
        let (mut old, mut new) = (PhiId::new(0), PhiId::new(0));
        phis.retain(|phi| {
            let is_kept = is_kept[old];
            let kept = is_kept.then_some(new);
            phi_of[result_of(&operands[phi.operands.clone()])] = kept.into();
            old += 1;
            new += usize::from(is_kept);
            is_kept
        });
    }

    /// Starts visiting the edges of PHIs.
    fn begin_edges(&mut self, num_blocks: usize) {
        self.seen.clear();
        self.seen.resize(num_blocks, PackedOption::NONE);
    }

    /// Returns whether a block is met as a predecessor of a PHI for the first time. A second edge
    /// has the same value.
    fn is_first_edge(&mut self, phi: PhiId, pred: BlockId) -> bool {
        let this = PackedOption::from(phi);
        std::mem::replace(&mut self.seen[pred], this) != this
    }

    /// Returns the register that an operand of a PHI names, if it is defined and named as a whole.
    fn shareable(&mut self, target: &mut impl PhiTarget, operand: Operand) -> Option<VRegId> {
        let reg = operand.vreg().filter(|_| operand.subreg() == 0 && !operand.is_undef())?;
        let has_value = self.phi_of[reg].is_some() || self.def_kind(target, reg) == DefKind::Other;
        has_value.then_some(reg)
    }

    fn add_phis(
        &mut self,
        target: &mut impl PhiTarget,
        ranges: &mut impl CssaTarget,
        graph: Graph,
        facts: &mut CssaFacts,
    ) {
        let phis = std::mem::take(&mut self.phis);
        let operands = std::mem::take(&mut self.operands);
        self.begin_edges(graph.slots.num_blocks());
        for (id, &PhiRecord { position, block, operands: ref range }) in phis.iter_enumerated() {
            let phi = &operands[range.clone()];
            let result = self.candidate(target, ranges, graph, facts, phi[0]);
            let first = facts.sources.next_idx();
            for pair in phi[1..].chunks_exact(2) {
                let pred = target.block_of_operand(pair[1]);
                if self.is_first_edge(id, pred) {
                    let candidate = self.candidate(target, ranges, graph, facts, pair[0]);
                    facts.sources.push(Source { pred, candidate });
                }
            }
            let sources = first..facts.sources.next_idx();
            let class = target.reg_class(result_of(phi));
            facts.phis.push(Phi { position, block, result, sources, class });
        }
        (self.phis, self.operands) = (phis, operands);
    }

    /// Returns the candidate of an operand of a PHI, if it may share a register.
    fn candidate(
        &mut self,
        target: &mut impl PhiTarget,
        ranges: &mut impl CssaTarget,
        graph: Graph,
        facts: &mut CssaFacts,
        operand: Operand,
    ) -> Option<CandidateId> {
        let reg = self.shareable(target, operand)?;
        if self.known[reg] == Known::No {
            let class = target.reg_class(reg);
            let new = class.and_then(|class| self.add_candidate(ranges, graph, facts, (reg, class)));
            self.known[reg] = new.map_or(Known::Unsuited, Known::Candidate);
        }
        match self.known[reg] {
            Known::Candidate(candidate) => Some(candidate),
            Known::No | Known::Unsuited => None,
        }
    }

    fn add_candidate(
        &mut self,
        target: &mut impl CssaTarget,
        graph: Graph,
        facts: &mut CssaFacts,
        (reg, class): (VRegId, RegClassId),
    ) -> Option<CandidateId> {
        let phi = self.phi_of[reg].get();
        let first = facts.segments.len();
        let start = target.live_range(reg, &mut facts.segments);
        let block = graph.block_of(start);
        let is_at_end = facts.copy_slots[block].is_some_and(|copy_slot| copy_slot <= start);
        let is_dead = facts.segments[first..] == [NodeSegment { start, end: start.dead() }];
        if is_at_end || is_dead {
            facts.segments.truncate(first);
            return None;
        }
        let def = if phi.is_some() { graph.start(block) } else { start };
        for segment in facts.segments[first..].iter_mut().filter(|segment| segment.start == start) {
            segment.start = def;
        }
        let value = self.value(target, reg, facts.candidates.next_idx());
        let copied = target.copied(reg);
        let tied = if phi.is_none() { target.tied_def(reg) } else { TiedDef::None };
        let segments = first..facts.segments.len();
        Some(facts.candidates.push(Candidate { reg, def, segments, value, copied, class, phi, tied }))
    }

    /// Returns the number of a register's value; if it has none yet, it gets that of the new
    /// candidate.
    fn value(&mut self, target: &mut impl CssaTarget, reg: VRegId, new: CandidateId) -> ValueNo {
        let mut root = reg;
        for _ in 0..MAX_COPIES {
            let Some(copied) = target.copied(root) else { break };
            root = copied;
        }
        let value = self.value_of[root].get().unwrap_or(ValueNo::from_raw(new.raw()));
        self.value_of[root] = value.into();
        value
    }
}

/// Marks all PHIs that a marked PHI reads, directly or through others. At the start, the PHIs whose
/// results other instructions read are marked. `reads` appends the PHIs that a PHI reads.
pub fn mark_useful(is_useful: &mut IndexVec<PhiId, bool>, mut reads: impl FnMut(PhiId, &mut Vec<PhiId>)) {
    let mut worklist: Vec<PhiId> = is_useful.indices().filter(|&phi| is_useful[phi]).collect();
    let mut read = Vec::new();
    while let Some(phi) = worklist.pop() {
        reads(phi, &mut read);
        worklist.extend(read.drain(..).filter(|&phi| !std::mem::replace(&mut is_useful[phi], true)));
    }
}

/// Returns the result of a PHI with these operands.
fn result_of(phi: &[Operand]) -> VRegId {
    phi[0].vreg().expect("a PHI defines a virtual register")
}
