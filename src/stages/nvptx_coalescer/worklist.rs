//! Copies that are left are tried again, in another order (rows C4 to C6).
//!
//! **Problem.** What the standard coalescer could not join may be possible now: constants are no register any more,
//! moves became COPYs, and what was joined before has other ranges.
//!
//! **Algorithm.** First block by block, the copies whose registers live in that block alone; then all of the function.
//! Candidates come off a heap in the order of their lower register, the heavier one first if that is the same. One that
//! interferes goes to a second heap; when the first is empty the two change places, until nothing changes.
//!
//! *Interference* is that of [`crate::passes::coalescer::join_vals`]: two ranges overlap, copies between the two and of the
//! same value left out, and the joined range is built value by value from both. That it is well-formed is asserted
//! in debug builds ([`verify_range`]).
//!
//! *Weight* is instructions, spill weight and uses: how many instructions name the two registers, each counted by the
//! frequency of its block, eight times for each loop ([`Worklist::frequencies`]), and how many read them.
//!
//! *Budgets:* at most `-nvptx-copy-limit` candidates are looked at and `-nvptx-coalesce-limit` joined in a function; what
//! is not tried for that stays as it is, and is a missed remark.
//!
//! **Source.** register-coalescing.txt, phases 4 and 6, "Interference Check", "Priority and Weight System". **Deviation:**
//! a candidate is not tried again when no range has changed that its failure depended on.
//!
//! **Complexity.** Candidates times a logarithm, and what [`crate::passes::coalescer`] says of a join.

use crate::liveness::ranges::UNUSED;
use crate::passes::coalescer::code::Place;
use crate::passes::coalescer::copies::BlockPriority;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::live_range::RangeRef;
use crate::passes::coalescer::Coalescing;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is tried at most.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// `-nvptx-copy-limit`
    pub copies: u32,
    /// `-nvptx-coalesce-limit`
    pub joins: u32,
}

/// A candidate, in the order of the heap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Candidate {
    reg: u32,
    weight: Reverse<u64>,
    /// The place in the code, so that the order is total.
    entry: u32,
    instr: u32,
}

/// The heaps.
#[derive(Default)]
pub struct Worklist {
    heap: BinaryHeap<Reverse<Candidate>>,
    secondary: BinaryHeap<Reverse<Candidate>>,
    /// By block.
    frequencies: Vec<u64>,
    /// By register, its weight before anything was joined here, once that was asked for.
    weights: Vec<Option<u64>>,
    /// Joined here.
    pub joined: u64,
    /// Copies that a budget has left, by entry, and which one.
    untried: Vec<(u32, &'static str)>,
    seen: u64,
}

/// A block in so many loops is as frequent as one in more.
const MOST_LOOPS: u32 = 8;

impl Worklist {
    /// Begins with a function. `blocks`: their depths.
    pub fn begin(&mut self, num_blocks: usize, blocks: &[BlockPriority]) {
        (self.joined, self.seen) = (0, 0);
        self.untried.clear();
        self.weights.clear();
        self.frequencies.clear();
        self.frequencies.resize(num_blocks, 1);
        for b in blocks {
            self.frequencies[b.block as usize] = 1 << (3 * b.depth.min(MOST_LOOPS));
        }
    }

    /// Tries the copies of a function.
    pub fn run<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, budget: Budget) {
        for block in 0..c.slots.num_blocks() as u32 {
            self.collect(c, block, true);
            self.drain(c, budget);
        }
        for block in 0..c.slots.num_blocks() as u32 {
            self.collect(c, block, false);
        }
        self.drain(c, budget);
        c.late_updates();
    }

    /// The candidates of a block; with `local` those of registers that live in it alone.
    fn collect<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, block: u32, local: bool) {
        for entry in c.slots.start(block).entry() + 1..c.slots.end(block).entry() {
            let Some(copy) = c.copy_at(entry) else { continue };
            let (dst, src) = c.code.copy_regs(copy);
            if !dst.is_virtual() || !src.is_virtual() {
                continue;
            }
            let (dst, src) = (dst.virt_index() as u32, src.virt_index() as u32);
            let is_local = c.is_in_one_block(dst) && c.is_in_one_block(src);
            let class = c.class(dst);
            if is_local == local && class == c.class(src) && c.host.class_info(class).bits < 128 {
                let weight = Reverse(self.weight(c, dst) + self.weight(c, src));
                self.heap.push(Reverse(Candidate { reg: dst.min(src), weight, entry, instr: copy }));
            }
        }
    }

    fn weight<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, reg: u32) -> u64 {
        if self.weights.len() <= reg as usize {
            self.weights.resize(c.code.num_regs(), None);
        }
        if let Some(weight) = self.weights[reg as usize] {
            return weight;
        }
        let mut weight = 0;
        c.code.all_places(reg, |place: Place, op| {
            let block = c.code.instr(place.instr).block as usize;
            weight += 1 + self.frequencies[block] + u64::from(op.is_use());
            true
        });
        self.weights[reg as usize] = Some(weight);
        weight
    }

    /// Tries what is in the heap until nothing changes.
    fn drain<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, budget: Budget) {
        let mut is_first = true;
        loop {
            let before = self.joined;
            while let Some(Reverse(candidate)) = self.heap.pop() {
                let Candidate { instr, entry, .. } = candidate;
                // Gone, or another one by now.
                if !c.code.is_alive(instr) || !c.code.is_copy(instr) || c.code.instr(instr).entry != entry {
                    continue;
                }
                if is_first && self.seen >= u64::from(budget.copies) {
                    self.untried.push((entry, COPY_LIMIT));
                    continue;
                }
                self.seen += u64::from(is_first);
                if self.joined >= u64::from(budget.joins) {
                    self.untried.push((entry, COALESCE_LIMIT));
                    continue;
                }
                self.attempt(c, candidate);
            }
            is_first = false;
            c.end_round();
            if self.joined == before {
                self.secondary.clear();
                return;
            }
            std::mem::swap(&mut self.heap, &mut self.secondary);
        }
    }

    fn attempt<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, candidate: Candidate) {
        let dst = c.code.copy_regs(candidate.instr).0;
        match c.try_again(candidate.instr) {
            Some(outcome) if outcome.done => {
                self.joined += 1;
                let reg = c.code.root(dst.virt_index() as u32);
                debug_assert!(verify_range(c.ranges.get(reg)));
            }
            Some(outcome) if !outcome.again => {}
            _ => self.secondary.push(Reverse(candidate)),
        }
    }
}

/// Whether segments are in order and disjoint, and each value begins where it is defined.
fn verify_range(range: RangeRef) -> bool {
    let in_order = range.segments.windows(2).all(|w| w[0].end <= w[1].start);
    let begins = |value: usize| {
        let mut of_value = range.segments.iter().filter(|s| s.value as usize == value);
        let def = range.values[value];
        def == UNUSED || of_value.clone().next().is_none() || of_value.any(|s| s.start == def)
    };
    in_order && range.segments.iter().all(|s| s.start < s.end) && (0..range.values.len()).all(begins)
}

const COPY_LIMIT: &str = "-nvptx-copy-limit is reached";
const COALESCE_LIMIT: &str = "-nvptx-coalesce-limit is reached";

impl Worklist {
    /// Copies that a budget has left.
    pub fn num_untried(&self) -> u64 {
        self.untried.len() as u64
    }

    /// A missed remark for each copy that is left.
    pub fn remark<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>) {
        if !c.host.wants_missed() {
            return;
        }
        self.untried.sort_unstable();
        for entry in 0..c.slots.num_entries() {
            let Some(copy) = c.copy_at(entry) else { continue };
            let (dst, src) = c.code.copy_regs(copy);
            if !dst.is_virtual() || !src.is_virtual() {
                continue;
            }
            let untried = self.untried.binary_search_by_key(&entry, |u| u.0).map(|i| self.untried[i].1);
            let class = c.class(dst.virt_index() as u32);
            let (name, why) = if let Ok(why) = untried {
                ("Budget", why)
            } else if class != c.class(src.virt_index() as u32) {
                ("OtherClass", "the registers are of two classes")
            } else if c.host.class_info(class).bits >= 128 {
                ("Wide", "registers of 128 bits are not joined")
            } else {
                ("Interference", "both registers are live with different values")
            };
            c.host.missed(copy, name, why);
        }
    }
}
