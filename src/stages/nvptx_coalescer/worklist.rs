//! Tries the copies that are left again, in another order (requirements C4 to C6).
//!
//! **Problem.** A join that was impossible for the standard coalescer may be possible now: constants are in no register any
//! more, moves have become COPYs, and other joins have changed ranges.
//!
//! **Algorithm.** First, block by block, the copies whose registers are live in that block only are tried; then all copies of
//! the function. Candidates come off a heap in the order of their lower register, and the heavier one first if that is the
//! same. A candidate that interferes goes to a second heap. When the first heap is empty the two change places, until
//! nothing changes.
//!
//! *Interference* is that of [`crate::passes::coalescer::map_values`]: two ranges overlap, apart from copies between the two
//! registers and copies of the same value. The joined range is built value by value from both; debug builds assert that it is
//! well-formed (`verify_range`).
//!
//! *Weight* sums instructions, spill weight and uses: how many instructions name the two registers, each counted by the
//! frequency of its block, which is eight times as high for each loop, and how many read them.
//!
//! *Budgets:* a candidate counts when it is tried first, and when it is joined ([`super::budget`]).
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, phases 4 and 6, "Interference Check", "Priority
//! and Weight System". **Deviation:** a candidate is not tried again when no range has changed that its failure depended on.
//!
//! **Complexity.** Candidates times a logarithm, and the time of each join ([`crate::passes::coalescer`]).

use super::budget::Account;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrId, VRegId};
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::join::JoinOutcome;
use crate::passes::coalescer::live_range::RangeRef;
use crate::passes::coalescer::worklists::BlockPriority;
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Blocks in more loops count as frequent as those in so many.
const MAX_LOOPS: u32 = 8;

/// Wider registers are not joined.
const MAX_BITS: u32 = 64;

/// A candidate, in the order of the heap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Candidate {
    /// The lower one of the two registers.
    reg: VRegId,
    weight: Reverse<u64>,
    /// The place in the code, so that the order is total.
    slot: SlotIndex,
    instr: InstrId,
}

/// The heaps.
#[derive(Default)]
pub struct Worklist {
    heap: BinaryHeap<Reverse<Candidate>>,
    secondary: BinaryHeap<Reverse<Candidate>>,
    frequencies: IndexVec<BlockId, u64>,
    /// By register, its weight before anything was joined here, once that was asked for.
    weights: IndexVec<VRegId, Option<u64>>,
    /// How many copies were joined here.
    pub num_joined: u64,
}

impl Worklist {
    /// Begins with a function. `blocks`: the blocks with their loop depths.
    pub fn begin(&mut self, num_blocks: usize, blocks: &[BlockPriority]) {
        self.num_joined = 0;
        self.weights.clear();
        self.frequencies.clear();
        self.frequencies.resize(num_blocks, 1);
        for b in blocks {
            self.frequencies[b.block] = 1 << (3 * b.depth.min(MAX_LOOPS));
        }
    }

    /// Tries the copies of a function.
    pub fn run<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, account: &mut Account) {
        for block in c.slots.blocks() {
            self.collect(c, block, true);
            self.drain(c, account);
        }
        for block in c.slots.blocks() {
            self.collect(c, block, false);
        }
        self.drain(c, account);
        c.late_updates();
    }

    /// Collects the candidates of a block: those of registers that are live in it only, or the others.
    fn collect<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, block: BlockId, local: bool) {
        for slot in c.slots.inside(block) {
            let Some(instr) = c.copy_at(slot) else { continue };
            let Some((dst, src)) = c.code.copy_vregs(instr) else { continue };
            let is_local = c.is_in_one_block(dst) && c.is_in_one_block(src);
            let class = c.class(dst);
            if is_local == local && class == c.class(src) && c.host.class_info(class).bits <= MAX_BITS {
                let weight = Reverse(self.weight(c, dst) + self.weight(c, src));
                self.heap.push(Reverse(Candidate { reg: dst.min(src), weight, slot, instr }));
            }
        }
    }

    fn weight<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, reg: VRegId) -> u64 {
        if reg >= self.weights.len_idx() {
            self.weights.resize(c.code.num_regs(), None);
        }
        if let Some(weight) = self.weights[reg] {
            return weight;
        }
        let mut weight = 0;
        c.code.all_places(reg, |place, op| {
            weight += 1 + self.frequencies[c.code.block(place.instr)] + u64::from(op.is_use());
            true
        });
        self.weights[reg] = Some(weight);
        weight
    }

    /// Tries the candidates in the heap until nothing changes.
    fn drain<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, account: &mut Account) {
        let mut is_first_round = true;
        loop {
            let num_before = self.num_joined;
            while let Some(Reverse(candidate)) = self.heap.pop() {
                let Candidate { instr, slot, .. } = candidate;
                // Gone, or another one by now.
                if !c.code.is_alive(instr) || !c.code.is_copy(instr) || c.code.slot(instr) != slot {
                    continue;
                }
                if (is_first_round && !account.try_copy(instr)) || !account.may_remove(instr) {
                    continue;
                }
                let num_joined = self.num_joined;
                self.attempt(c, candidate);
                account.note_removed(self.num_joined - num_joined);
            }
            is_first_round = false;
            c.end_round();
            if self.num_joined == num_before {
                self.secondary.clear();
                return;
            }
            std::mem::swap(&mut self.heap, &mut self.secondary);
        }
    }

    fn attempt<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, candidate: Candidate) {
        let dst = c.code.copy_vregs(candidate.instr).expect("a candidate has virtual registers").0;
        match c.try_again(candidate.instr) {
            Some(JoinOutcome::Done) => {
                self.num_joined += 1;
                debug_assert!(verify_range(c.ranges.get(c.code.root(dst))));
            }
            Some(JoinOutcome::Never) => {}
            Some(JoinOutcome::MaySucceedLater) | None => self.secondary.push(Reverse(candidate)),
        }
    }
}

/// Emits a missed remark for each copy that is left. `account` says which are left for a budget.
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
        } else if c.host.class_info(class).bits > MAX_BITS {
            ("Wide", "registers of 128 bits are not joined")
        } else if c.is_given_up(dst) || c.is_given_up(src) {
            ("LargeInterval", "-large-interval-freq-threshold is reached")
        } else {
            ("Interference", "both registers are live with different values")
        };
        c.host.missed(copy, name, why);
    }
}

/// Whether segments are in order and disjoint, and each value begins where it is defined.
fn verify_range(range: RangeRef) -> bool {
    let in_order = range.segments.windows(2).all(|w| w[0].end <= w[1].start);
    let begins = |(value, def)| {
        let mut of_value = range.segments.iter().filter(|s| s.value == value);
        of_value.clone().next().is_none() || of_value.any(|s| s.start == def)
    };
    in_order && range.segments.iter().all(|s| s.start < s.end) && range.used_values().all(begins)
}
