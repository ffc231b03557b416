//! Tries the moves of a function until nothing changes (requirements C4 to C6 and C9).
//!
//! **Problem.** There are several ways to remove a move, and one opens the way for another. A
//! constant that is no longer in a register interferes with nothing. A conversion that became a
//! COPY may be joined. Two joined registers may get the same constant twice.
//!
//! **Algorithm.** All moves are candidates of one worklist. The kind decides what is tried:
//!
//! * A *COPY* of a constant becomes an immediate move ([`super::constants`]). Otherwise its
//!   registers are joined, also where both hold the same value
//!   ([`crate::passes::coalescer::map_values`]). If they interfere, it goes if its register already
//!   has the value ([`super::redundant`]).
//! * A *move of a constant* goes if its register already has the value.
//! * A *conversion* becomes a COPY, and a candidate as such, if no instruction needs its classes
//!   ([`super::conversions`]). So does a *pack* of an unpacked value ([`super::pairs`]).
//!
//! First, block by block, the candidates are tried whose registers are live in that block only.
//! Then come the others of the function, and those that failed. Candidates are ordered by their
//! lower register; among equals the heavier one comes first. They are in a sorted list. Those that
//! come up later are in a heap, and the greater of the two heads is next. A candidate that fails
//! goes to a second list. When the queue is empty, ranges that have lost readers are shrunk, and
//! the second list becomes the first, until nothing changes.
//!
//! *Weight* is the sum of three counts over both registers: the operands that name them, that
//! number times the frequency of the candidate's block (the spill weight), and the operands that
//! read. The frequency is LLVM's MachineBlockFrequencyInfo relative to the entry, if it is given.
//! Otherwise it is eight times as high for each loop.
//!
//! *Budgets:* a candidate counts when it is first tried, and when it is removed
//! ([`super::budget`]). They are checked here and in [`super::parallel`].
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, phases 4 and 6,
//! "Interference Check", "Priority **Deviation:** a join is not tried again unless a range that its
//! failure depended on has changed.
//!
//! **Complexity.** Candidates times a logarithm and the number of rounds, and the time of each
//! attempt.

use super::budget::Account;
use super::constants::Constants;
use super::conversions::Conversions;
use super::counts::Counts;
use super::families::Families;
use super::moves::{Found, Kind};
use super::redundant::Redundant;
use super::Options;
use crate::liveness::ranges::Segment;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrId, VRegId, ValueNo};
use crate::nvptx::moves::Move;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::join::JoinOutcome;
use crate::passes::coalescer::live_range::RangeRef;
use crate::passes::coalescer::worklists::BlockPriority;
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Deeper blocks count as frequent as those in this many loops.
const MAX_LOOPS: u32 = 8;

/// The relative frequency of the entry. A block that is this many times less frequent counts as 1.
const ENTRY_FREQUENCY: u128 = 1 << 10;

/// A candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Candidate {
    /// The lower one of the two registers.
    reg: VRegId,
    weight: u64,
    /// Its position in the code when it was found, so that the order is total.
    slot: SlotIndex,
    instr: InstrId,
    kind: Kind,
    /// The time of the last attempt, as [`crate::passes::coalescer::ranges::Ranges::now`] counts.
    tried: Option<u32>,
}

impl Ord for Candidate {
    /// The greatest one comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |a: &Self| (Reverse(a.reg), a.weight, Reverse(a.slot), Reverse(a.instr));
        key(self).cmp(&key(other))
    }
}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The number of operands that name a register, and of uses among them.
#[derive(Clone, Copy)]
struct Named {
    operands: u64,
    uses: u64,
}

/// The candidates that are to be tried, the greatest one first.
#[derive(Default)]
struct Queue {
    /// After sorting, the last one comes first.
    list: Vec<Candidate>,
    /// The candidates that came up later.
    late: BinaryHeap<Candidate>,
}

impl Queue {
    /// Sorts the list.
    fn sort(&mut self) {
        self.list.sort_unstable();
    }
    /// Adds a late candidate.
    fn push(&mut self, candidate: Candidate) {
        self.late.push(candidate);
    }
    /// Takes out the greatest one.
    fn pop(&mut self) -> Option<Candidate> {
        if self.late.peek() > self.list.last() {
            return self.late.pop();
        }
        self.list.pop()
    }
}

/// The candidates, and the means to remove a move.
#[derive(Default)]
pub struct Worklist {
    queue: Queue,
    /// The candidates that failed, in the order in which they were tried.
    secondary: Vec<Candidate>,
    /// The candidates that are tried after all blocks.
    of_function: Vec<Candidate>,
    frequencies: IndexVec<BlockId, u64>,
    /// By register: how often it was named when this was first asked for.
    named: IndexVec<VRegId, Option<Named>>,
    constants: Constants,
    conversions: Conversions,
    redundant: Redundant,
    /// The account of the budgets.
    pub account: Account,
    pub(super) counts: Counts,
}

impl Worklist {
    /// Begins with a function. `blocks`: the blocks with their loop depths, in layout order.
    /// `frequencies`: the block frequencies by block number, if wanted.
    pub fn begin<H: CoalescerHost>(
        &mut self,
        c: &Coalescing<'_, H>,
        blocks: &[BlockPriority],
        frequencies: Option<&[u64]>,
        options: &Options,
    ) {
        self.counts = Counts::default();
        self.named.clear();
        self.frequencies.clear();
        self.frequencies.resize(c.slots.num_blocks(), 1);
        let of_number = |number: u32| frequencies.map(|f| f.get(number as usize).copied().unwrap_or(0));
        let entry = blocks.first().and_then(|b| of_number(b.number)).unwrap_or(0).max(1);
        for b in blocks.iter().filter(|_| options.frequencies) {
            self.frequencies[b.block] = match of_number(b.number) {
                Some(frequency) => relative_frequency(frequency, entry),
                None => 1 << (3 * b.depth.min(MAX_LOOPS)),
            };
        }
        self.account.begin(options.budget);
        self.constants.begin();
        self.conversions.begin(c.code.num_regs());
        self.redundant.begin(c, blocks);
    }

    /// Tries the moves of a function, which `found` lists in code order.
    pub fn run<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        found: &[Found],
        options: &Options,
    ) {
        self.of_function.clear();
        for of_block in found.chunk_by(|a, b| a.block == b.block) {
            for &Found { instr, kind, .. } in of_block {
                self.collect(c, instr, kind, options);
            }
            if !self.queue.list.is_empty() {
                self.drain(c, families, options);
            }
        }
        self.queue.list.append(&mut self.of_function);
        self.drain(c, families, options);
        self.of_function.clear();
        self.counts.constants_erased = self.constants.num_erased(c);
    }

    /// Takes in a move: to the queue if its registers are live in its block only.
    fn collect<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        instr: InstrId,
        kind: Kind,
        options: &Options,
    ) {
        // An attempt in another block may have erased it.
        if !is_still(c, instr, kind) {
            return;
        }
        self.counts.copies_seen += u64::from(kind == Kind::Copy);
        let is_useless =
            kind == Kind::Constant && !(options.constants && self.redundant.enters_loop(c.code.block(instr)));
        let Some(candidate) = self.candidate(c, instr, kind, options).filter(|_| !is_useless) else { return };
        let is_local = c.code.operands(instr).filter(|op| op.is_reg()).all(|op| {
            let reg = op.reg().vreg().expect("a candidate has virtual registers only");
            c.is_in_one_block(reg)
        });
        if is_local && options.blocks_first {
            self.queue.list.push(candidate);
        } else {
            self.of_function.push(candidate);
        }
    }

    /// Makes a move a candidate. `None` if it has physical registers.
    fn candidate<H: CoalescerHost>(
        &mut self,
        c: &Coalescing<'_, H>,
        instr: InstrId,
        kind: Kind,
        options: &Options,
    ) -> Option<Candidate> {
        let mut candidate =
            Candidate { reg: VRegId::new(0), weight: 0, slot: c.code.slot(instr), instr, kind, tried: None };
        let frequency = self.frequencies[c.code.block(instr)];
        let mut lowest: Option<VRegId> = None;
        for op in c.code.operands(instr).filter(|op| op.is_reg()) {
            let reg = op.reg().vreg()?;
            lowest = Some(lowest.map_or(reg, |lowest| lowest.min(reg)));
            if options.weights {
                let Named { operands, uses } = self.named(c, reg);
                let spill_weight = operands.saturating_mul(frequency);
                candidate.weight = candidate.weight.saturating_add(operands + uses + spill_weight);
            }
        }
        if options.lower_registers_first {
            candidate.reg = lowest?;
        }
        Some(candidate)
    }

    fn named<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, reg: VRegId) -> Named {
        if reg >= self.named.len_idx() {
            self.named.resize(c.code.num_regs(), None);
        }
        if let Some(named) = self.named[reg] {
            return named;
        }
        let mut named = Named { operands: 0, uses: 0 };
        c.code.all_places(reg, |_, op| {
            named.operands += 1;
            named.uses += u64::from(op.is_use());
            true
        });
        self.named[reg] = Some(named);
        named
    }

    /// Tries the candidates in the queue until nothing changes.
    fn drain<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, families: Families, options: &Options) {
        loop {
            let mut has_progress = false;
            self.queue.sort();
            while let Some(candidate) = self.queue.pop() {
                let Candidate { instr, kind, .. } = candidate;
                if !is_still(c, instr, kind) || !self.admits(candidate) {
                    continue;
                }
                match self.attempt(c, families, candidate, options) {
                    JoinOutcome::Done => has_progress = true,
                    JoinOutcome::MaySucceedLater => {
                        let tried = Some(c.ranges.now());
                        self.secondary.push(Candidate { tried, ..candidate });
                    }
                    JoinOutcome::Never => {}
                }
            }
            if c.has_late_updates() {
                c.late_updates();
            }
            c.end_round();
            if !has_progress || !options.retries {
                self.of_function.append(&mut self.secondary);
                return;
            }
            self.conversions.begin_round();
            std::mem::swap(&mut self.queue.list, &mut self.secondary);
            self.queue.list.reverse();
        }
    }

    /// Returns whether the budgets allow an attempt. A move of a constant does not count as a copy.
    fn admits(&mut self, candidate: Candidate) -> bool {
        let Candidate { instr, kind, tried, .. } = candidate;
        kind == Kind::Constant
            || (tried.is_some() || self.account.try_copy(instr)) && self.account.may_remove(instr)
    }

    /// Tries a candidate.
    fn attempt<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        candidate: Candidate,
        options: &Options,
    ) -> JoinOutcome {
        let Candidate { instr, kind, tried, .. } = candidate;
        let is_done = match kind {
            Kind::Copy => {
                if options.constants && self.make_constant(c, instr, options) {
                    JoinOutcome::Done
                } else {
                    self.attempt_join(c, instr, tried, options)
                }
            }
            Kind::Constant => self.attempt_redundant(c, instr, tried),
            Kind::Conversion(of) => return self.attempt_conversion(c, families, instr, of, options),
            Kind::Pack => return self.attempt_pack(c, families, instr, options),
        };
        if is_done == JoinOutcome::Done {
            self.account.note_removed(1);
        }
        is_done
    }

    /// Turns a copy of a constant into a move of it, which may become a candidate.
    fn make_constant<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        copy: InstrId,
        options: &Options,
    ) -> bool {
        let Some(new) = self.constants.attempt(c, copy) else { return false };
        self.counts.immediates += 1;
        if self.redundant.enters_loop(c.code.block(new)) {
            let candidate = self.candidate(c, new, Kind::Constant, options);
            self.queue.push(candidate.expect("it has one register"));
        }
        true
    }

    /// Joins the registers of a copy. If they interfere, the copy may be redundant. `tried`: the
    /// time of the last attempt.
    fn attempt_join<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        copy: InstrId,
        tried: Option<u32>,
        options: &Options,
    ) -> JoinOutcome {
        let (dst, src) = c.code.copy_vregs(copy).expect("a candidate has virtual registers");
        if !may_be_joined(c, dst, src) {
            return JoinOutcome::MaySucceedLater; // a conversion may change a class
        }
        let overlaps = !options.by_value && dst != src && c.ranges.get(dst).overlaps(c.ranges.get(src));
        let outcome = if overlaps { None } else { c.try_again(copy) };
        match outcome {
            Some(JoinOutcome::Done) => {
                self.counts.joined += 1;
                debug_assert!(verify_range(c.ranges.get(c.code.root(dst))));
                JoinOutcome::Done
            }
            Some(JoinOutcome::Never) => JoinOutcome::Never,
            Some(JoinOutcome::MaySucceedLater) | None if options.constants => {
                self.attempt_redundant(c, copy, tried)
            }
            Some(JoinOutcome::MaySucceedLater) | None => JoinOutcome::MaySucceedLater,
        }
    }

    /// Removes a move whose register already has the value. `tried`: the time of the last attempt.
    fn attempt_redundant<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        instr: InstrId,
        tried: Option<u32>,
    ) -> JoinOutcome {
        if tried.is_some_and(|then| Redundant::is_as_it_was(c, instr, then)) {
            return JoinOutcome::MaySucceedLater;
        }
        if !self.redundant.is_redundant(c, instr) || !self.account.may_remove_untried(instr) {
            return JoinOutcome::MaySucceedLater;
        }
        self.redundant.remove(c, instr);
        self.counts.redundant += 1;
        JoinOutcome::Done
    }

    /// Makes a conversion a COPY, and possibly others with it. The COPYs become candidates.
    fn attempt_conversion<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        instr: InstrId,
        of: Move,
        options: &Options,
    ) -> JoinOutcome {
        if !self.conversions.attempt(c, families, instr, of) {
            return JoinOutcome::MaySucceedLater;
        }
        for i in 0..self.conversions.made_copies().len() {
            let copy = self.conversions.made_copies()[i];
            self.counts.conversions += 1;
            self.push_copy(c, copy, options);
        }
        JoinOutcome::Done
    }

    /// Makes a pack a COPY, which becomes a candidate.
    fn attempt_pack<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        pack: InstrId,
        options: &Options,
    ) -> JoinOutcome {
        if !super::pairs::attempt(c, families, pack) {
            return JoinOutcome::MaySucceedLater;
        }
        self.counts.packs += 1;
        self.push_copy(c, pack, options);
        JoinOutcome::Done
    }

    /// Makes an instruction that has just become a COPY a candidate.
    fn push_copy<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, copy: InstrId, options: &Options) {
        if let Some(candidate) = self.candidate(c, copy, Kind::Copy, options) {
            self.queue.push(candidate);
        }
    }
}

/// Returns whether an instruction is still a candidate of this kind.
fn is_still<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId, kind: Kind) -> bool {
    c.code.is_alive(instr)
        && match kind {
            Kind::Copy => c.code.is_copy(instr),
            Kind::Constant => c.is_constant(instr),
            // The instruction's number may have been reused, but only for a copy or a constant.
            Kind::Conversion(_) | Kind::Pack => !c.code.is_copy(instr) && !c.is_constant(instr),
        }
}

/// Returns whether two registers have one class, of a bank that participates.
fn may_be_joined<H: CoalescerHost>(c: &mut Coalescing<'_, H>, dst: VRegId, src: VRegId) -> bool {
    let class = c.class(dst);
    class == c.class(src) && Move::bank_participates(c.host.class_info(class).bits)
}

/// Returns the frequency of a block relative to the entry's.
fn relative_frequency(frequency: u64, entry: u64) -> u64 {
    let relative = u128::from(frequency) * ENTRY_FREQUENCY / u128::from(entry);
    u64::try_from(relative).unwrap_or(u64::MAX).max(1)
}

/// Emits a missed remark for each copy that is left. `account` says which were left for a budget.
pub fn remark<H: CoalescerHost>(c: &mut Coalescing<'_, H>, account: &Account) {
    if !c.host.wants_missed() {
        return;
    }
    for at in c.slots.all() {
        let Some(copy) = c.copy_at(at) else { continue };
        let Some((dst, src)) = c.code.copy_vregs(copy) else { continue };
        let class = c.class(dst);
        let (name, why) = if let Some(limit) = account.limit_of(copy) {
            ("Budget", limit.reason())
        } else if class != c.class(src) {
            ("OtherClass", "the registers are of two classes")
        } else if !Move::bank_participates(c.host.class_info(class).bits) {
            ("Wide", "registers of 128 bits are not joined")
        } else if c.is_given_up(dst) || c.is_given_up(src) {
            ("LargeInterval", "-large-interval-freq-threshold is reached")
        } else {
            ("Interference", "both registers are live with different values")
        };
        c.host.missed(copy, name, why);
    }
}

/// Returns whether segments are in order and disjoint, and each value is live where it is defined.
/// An instruction's value begins there. A PHI's may be live before, in a block that the layout has
/// before its own and that is in a loop with it.
fn verify_range(range: RangeRef) -> bool {
    let in_order = range.segments.windows(2).all(|w| w[0].end <= w[1].start);
    let is_live_at_def = |(value, def): (ValueNo, SlotIndex)| {
        let mut of_value = range.segments.iter().filter(|s| s.value == value);
        let is_def_of = |s: &Segment| s.start == def || def.is_block() && s.start < def && def < s.end;
        of_value.clone().next().is_none() || of_value.any(is_def_of)
    };
    in_order && range.segments.iter().all(|s| s.start < s.end) && range.used_values().all(is_live_at_def)
}

#[cfg(test)]
mod tests {
    use super::*;
    use index_vec::IndexSlice;

    /// Whether a range is right whose only value, defined at `def`, has these segments.
    fn is_right(def: SlotIndex, segments: &[(SlotIndex, SlotIndex)]) -> bool {
        let value = ValueNo::new(0);
        let segments: Vec<_> = segments.iter().map(|&(start, end)| Segment { start, end, value }).collect();
        verify_range(RangeRef { segments: &segments, values: IndexSlice::from_slice(&[def]) })
    }

    /// Finds the start of a block with number `n`; blocks have two entries.
    fn block(n: u32) -> SlotIndex {
        SlotIndex(n * 8)
    }

    #[test]
    fn a_phi_of_a_loop_is_live_before_it_in_the_layout() {
        assert!(is_right(block(2), &[(block(1), block(3))]));
        assert!(!is_right(block(2), &[(block(0), block(1))]));
        let of_instr = SlotIndex(block(1).0 + 4).register();
        assert!(is_right(of_instr, &[(of_instr, block(3))]));
        assert!(!is_right(of_instr, &[(block(1), block(3))]));
    }
}
