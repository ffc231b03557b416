//! The copies of a block in the fewest moves: rotations and swaps.
//!
//! **Problem.** PHIs that take each other's values at a back edge are a permutation. PHI elimination copies each twice,
//! through a register of its own, and the standard coalescer removes one at a time: a rotation of four keeps seven
//! copies, some at the top of the loop, some at the bottom, where five do. Of a value that leaves the loop, too, it
//! keeps the register that it has at the top.
//!
//! **Algorithm.** For each block with at least [`FEWEST`] copies:
//!
//! 1. One walk finds which value each register would have if all these copies were gone: values are the
//!    registers at the start of the block, and the defs of other instructions. What reads a copied register reads the
//!    *home* of its value instead, the register that it was defined in. A def that overwrites one that is still needed
//!    gets a register of its own, and the walk begins again.
//! 2. At the end of the block registers that are live out must have the values that they had. Two of one value are
//!    made one if the one has no other value, and the other has none where the one is live: it is renamed there.
//! 3. What is left is a parallel copy in front of the terminators. In sequence it costs a move for each register that
//!    changes, and one more for each cycle that nobody else reads.
//!
//! If that is fewer than there were, the block is changed: ranges of the registers in it are built again.
//!
//! **Source.** Sequence of a parallel copy: Boissinot et al. 2009, section "Sequentialization of parallel copies", and
//! register-coalescing.txt, which names rotations among what is left of PHIs. **Deviation:** copies need not be next to each
//! other before.
//!
//! **Complexity.** Linear in the instructions of blocks with copies, and in the ranges of the registers that these name;
//! room for new copies is made once for the function.

use crate::liveness::ranges::{Segment, UNUSED};
use crate::liveness::slot_index::SlotIndex;
use crate::mir::Operand;
use crate::passes::coalescer::code::{Place, NONE};
use crate::passes::coalescer::host::{CoalescerHost, Edit};
use crate::passes::coalescer::live_range::LiveRange;
use crate::passes::coalescer::Coalescing;
use rustc_hash::{FxHashMap, FxHashSet};

/// Fewer copies are no cycle with copies to spare: a swap needs three.
const FEWEST: usize = 3;

/// A block is followed so often at most.
const MOST_ROUNDS: usize = 3;

/// Blocks that name a register with a longer range are left as they are: its range is built again.
const MOST_SEGMENTS: usize = 256;

/// A register at the end of the block gets the value whose home is another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Move {
    dst: u32,
    src: u32,
}

/// One copy of the sequence; the register [`TEMPORARY`] + k is the temporary of cycle k.
type Step = Move;

/// Numbers from here on are temporaries.
const TEMPORARY: u32 = 1 << 31;

/// What is found of one block.
#[derive(Default)]
pub struct Parallel {
    /// By register: its number in `regs`, if `stamps` has this block.
    index: Vec<u32>,
    stamps: Vec<u32>,
    stamp: u32,
    regs: Vec<u32>,
    copies: Vec<u32>,
    /// By value, its home; values below `regs.len()` are the registers at the start.
    homes: Vec<u32>,
    /// By index: the value that the register has, as the code is.
    values: Vec<u32>,
    /// By index: the value that it has when the copies are gone.
    current: Vec<u32>,
    /// By value, the def that overwrites its home.
    overwriters: Vec<Option<Place>>,
    /// Defs that get registers of their own, as what they overwrite is needed.
    apart: Vec<Place>,
    /// By index, behind those that copies name: the register that such a def had.
    apart_of: Vec<u32>,
    /// How many registers copies name.
    num_copied: usize,
    /// Operands that name another register now.
    rewritten: Vec<(Place, u32, u32)>,
    moves: Vec<Move>,
    /// By index: the register that it is renamed to behind the block, or [`NONE`].
    renamed: Vec<u32>,
    steps: Vec<Step>,
    places: Vec<Place>,
    scratch: LiveRange,
    /// How many registers the function had at first.
    num_old: u32,
    /// By class: registers below this are no temporaries any more.
    searched: Vec<u32>,
    /// Whether no operand is of a register that was joined into another.
    is_settled: bool,
}

impl Parallel {
    /// Does it to the blocks of a function; how many copies fewer there are.
    pub fn run<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>) -> u64 {
        self.stamps.clear();
        self.stamp = 0;
        let mut chosen = Vec::new();
        for block in 0..c.slots.num_blocks() as u32 {
            if self.look_at(c, block).is_some() {
                chosen.push((block, self.steps.len() as u32));
            }
        }
        if chosen.is_empty() {
            return 0;
        }
        let rooms: Vec<_> = chosen.iter().map(|&(block, n)| (c.end_of_code(block), n)).collect();
        c.make_room_for(&rooms);
        self.num_old = c.code.num_regs() as u32;
        self.searched.clear();
        self.is_settled = false;
        let mut fewer = 0;
        for (block, room) in chosen {
            // What another block has renamed may be in the way.
            if self.look_at(c, block).is_some() && self.steps.len() as u32 <= room {
                fewer += (self.copies.len() - self.steps.len()) as u64;
                self.change(c, block);
            }
        }
        fewer
    }

    fn index_of(&mut self, reg: u32) -> usize {
        let r = reg as usize;
        if self.stamps.len() <= r {
            self.stamps.resize(r + 1, 0);
            self.index.resize(r + 1, 0);
        }
        if std::mem::replace(&mut self.stamps[r], self.stamp) != self.stamp {
            self.index[r] = self.regs.len() as u32;
            self.regs.push(reg);
        }
        self.index[r] as usize
    }
    fn known(&self, op: Operand) -> Option<usize> {
        let r = if op.is_virtual() { op.reg().virt_index() } else { return None };
        (self.stamps.get(r) == Some(&self.stamp)).then(|| self.index[r] as usize)
    }

    /// Finds what would become of a block; none if that is not fewer copies.
    fn look_at<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, block: u32) -> Option<()> {
        self.stamp += 1;
        self.regs.clear();
        self.copies.clear();
        let entries = c.slots.start(block).entry() + 1..c.slots.end(block).entry();
        for entry in entries.clone() {
            let Some(copy) = c.copy_at(entry) else { continue };
            if let Some((dst, src)) = self.is_ours(c, copy) {
                self.copies.push(copy);
                self.index_of(dst);
                self.index_of(src);
            }
        }
        let is_large = |&reg: &u32| c.ranges.get(reg).segments.len() > MOST_SEGMENTS;
        if self.copies.len() < FEWEST || self.regs.iter().any(is_large) {
            return None;
        }
        self.num_copied = self.regs.len();
        self.apart.clear();
        for _ in 0..MOST_ROUNDS {
            let apart = self.apart.len();
            self.follow(c, block)?;
            if self.apart.len() == apart {
                sequence(&self.moves, &mut self.steps);
                return (self.steps.len() < self.copies.len()).then_some(());
            }
        }
        None
    }

    /// Follows the values through the block.
    fn follow<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, block: u32) -> Option<()> {
        let n = self.num_copied;
        for reg in self.regs.drain(n..) {
            self.stamps[reg as usize] = 0;
        }
        self.apart_of.clear();
        self.homes.clear();
        self.homes.extend_from_slice(&self.regs);
        self.overwriters.clear();
        self.overwriters.resize(n, None);
        self.values.clear();
        self.values.extend(0..n as u32);
        self.current.clone_from(&self.values);
        self.rewritten.clear();
        let known_apart = self.apart.len();
        let first_terminator = c.end_of_code(block);
        for entry in c.slots.start(block).entry() + 1..c.slots.end(block).entry() {
            let Some(instr) = c.slots.instr_at(SlotIndex(entry << 2)) else { continue };
            if c.code.is_copy(instr) && self.is_ours(c, instr).is_some() {
                let [dst, src] = [0, 1].map(|index| {
                    self.known(c.code.operand(Place { instr, index })).expect("it was seen before")
                });
                self.values[dst] = self.values[src];
                continue;
            }
            self.walk_over(c, instr, entry >= first_terminator, known_apart)?;
        }
        self.find_moves(c, block)
    }

    /// Whether a value is where it was defined; if not, whether it may be in another round.
    fn is_at_home(&mut self, value: u32) -> Option<()> {
        let home = self.homes[value as usize];
        if self.current[self.index[home as usize] as usize] != value {
            let overwriter = self.overwriters[value as usize]?;
            if !self.apart.contains(&overwriter) {
                self.apart.push(overwriter);
            }
        }
        Some(())
    }

    /// The registers of a copy that may go.
    fn is_ours<H: CoalescerHost>(&self, c: &mut Coalescing<'_, H>, copy: u32) -> Option<(u32, u32)> {
        let (dst, src) = c.code.copy_regs(copy);
        if !dst.is_virtual() || !src.is_virtual() || c.code.num_operands(copy) != 2 {
            return None;
        }
        let (dst, src) = (dst.virt_index() as u32, src.virt_index() as u32);
        let is_undef = c.code.operand(Place { instr: copy, index: 1 }).is_undef();
        let is_alike = !is_undef && dst != src && c.class(dst) == c.class(src);
        is_alike.then_some((dst, src))
    }

    /// An instruction that stays: what it reads, and what it overwrites; none if something is not where it has to be.
    fn walk_over<H: CoalescerHost>(
        &mut self,
        c: &Coalescing<'_, H>,
        instr: u32,
        is_terminator: bool,
        known_apart: usize,
    ) -> Option<()> {
        for (index, op) in (0..).zip(c.code.operands(instr)) {
            let place = Place { instr, index };
            let Some(k) = self.known(op) else { continue };
            if is_terminator {
                return None;
            }
            if !op.reads() || op.is_def() {
                continue;
            }
            let value = self.values[k];
            let home = self.homes[value as usize];
            self.is_at_home(value)?;
            if home != self.regs[k] && op.is_tied() {
                return None;
            }
            if home != self.regs[k] {
                self.rewritten.push((place, self.regs[k], home));
            }
        }
        for (index, op) in (0..).zip(c.code.operands(instr)).filter(|(_, op)| op.is_def()) {
            let place = Place { instr, index };
            let Some(k) = self.known(op) else { continue };
            if op.is_early_clobber() {
                return None;
            }
            let value = self.homes.len() as u32;
            self.overwriters.push(None);
            self.values[k] = value;
            if self.apart[..known_apart].contains(&place) {
                let new = (c.code.num_regs() + self.apart_of.len()) as u32;
                let at = self.index_of(new);
                debug_assert!(at == self.values.len());
                self.apart_of.push(self.regs[k]);
                self.homes.push(new);
                self.values.push(value);
                self.current.push(value);
                self.rewritten.push((place, self.regs[k], new));
                continue;
            }
            let overwritten = self.current[k] as usize;
            if !op.is_tied() {
                self.overwriters[overwritten] = Some(place);
            }
            self.homes.push(self.regs[k]);
            self.current[k] = value;
        }
        Some(())
    }

    /// What has to change at the end of the block; none if a value is nowhere.
    fn find_moves<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, block: u32) -> Option<()> {
        self.moves.clear();
        self.renamed.clear();
        self.renamed.resize(self.regs.len(), NONE);
        let end = c.slots.end(block);
        let is_live_out = |reg: u32| {
            let range = c.ranges.get(reg);
            range.segment_at(end.prev()).is_some_and(|i| range.segments[i].end >= end)
        };
        // By value, a register that has it, and that others may take the name of.
        let mut holders: Vec<u32> = vec![NONE; self.homes.len()];
        for k in 0..self.num_copied {
            if is_live_out(self.regs[k]) && !has_one_value(c, self.regs[k]) {
                holders[self.values[k] as usize] = self.regs[k];
            }
        }
        for k in 0..self.num_copied {
            let (reg, value) = (self.regs[k], self.values[k]);
            if !is_live_out(reg) {
                continue;
            }
            let home = self.homes[value as usize];
            self.is_at_home(value)?;
            if self.current[k] == value {
                continue;
            }
            let holder = holders[value as usize];
            if holder != NONE && holder != reg && can_be_renamed(c, block, reg, holder) {
                self.renamed[k] = holder;
            } else {
                self.moves.push(Move { dst: reg, src: home });
            }
        }
        Some(())
    }

    /// Changes the block as was found.
    fn change<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, block: u32) {
        let (start, end) = (c.slots.start(block), c.slots.end(block));
        self.name_apart(c);
        // What is live out, and in, of which value, before anything changes.
        let outs: Vec<Option<u32>> =
            self.regs.iter().map(|&reg| c.ranges.get(reg).value_before(end)).collect();
        let like = self.copies[self.copies.len() - 1];
        let cycles = self.steps.iter().filter(|s| s.dst >= TEMPORARY).map(|s| s.src).collect::<Vec<_>>();
        let temporaries: Vec<u32> = cycles.into_iter().map(|of| self.temporary(c, of)).collect();
        let named = |reg: u32| if reg >= TEMPORARY { temporaries[(reg - TEMPORARY) as usize] } else { reg };
        for step in &self.steps {
            c.insert_copy_at_end(like, block, named(step.dst), named(step.src));
        }
        for i in 0..self.copies.len() {
            self.forget_debug_values(c, self.copies[i], start, end);
            c.erase(self.copies[i]);
        }
        self.rename(c);
        let regs: Vec<u32> = self.regs.iter().chain(&temporaries).copied().collect();
        for k in 0..self.renamed.len() {
            if self.renamed[k] != NONE {
                self.move_range_behind(c, block, self.regs[k], self.renamed[k]);
            }
        }
        for (k, &reg) in regs.iter().enumerate() {
            let is_renamed = self.renamed.get(k).is_some_and(|&to| to != NONE);
            let out = outs.get(k).copied().flatten().filter(|_| !is_renamed);
            self.build_range(c, block, reg, out);
        }
        for &reg in &regs {
            if c.code.is_unnamed(reg) {
                c.ranges.remove(reg);
            } else {
                c.shrink_to_uses_for_dead(reg);
                c.eliminate_dead_defs();
            }
        }
    }

    /// Defs that get registers of their own get them: those behind the function's were names for them until now.
    fn name_apart<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>) {
        let first = c.code.num_regs() as u32;
        let apart_of = std::mem::take(&mut self.apart_of);
        let names: Vec<u32> = apart_of.iter().map(|&of| self.temporary(c, of)).collect();
        self.apart_of = apart_of;
        let name = |reg: &mut u32| {
            if (first..TEMPORARY).contains(reg) {
                *reg = names[(*reg - first) as usize];
            }
        };
        self.regs.iter_mut().for_each(name);
        self.rewritten.iter_mut().for_each(|r| name(&mut r.2));
        self.steps.iter_mut().for_each(|s| {
            name(&mut s.dst);
            name(&mut s.src);
        });
    }

    /// A register of the class of `of`: one that the coalescers have left without a name, or a new one.
    fn temporary<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, of: u32) -> u32 {
        let class = c.class(of);
        if !std::mem::replace(&mut self.is_settled, true) {
            c.code.settle();
        }
        if self.searched.len() <= class as usize {
            self.searched.resize(class as usize + 1, 0);
        }
        let from = &mut self.searched[class as usize];
        while *from < self.num_old {
            let reg = *from;
            *from += 1;
            if c.is_spare(reg) && c.class(reg) == class {
                return reg;
            }
        }
        c.clone_reg(of)
    }

    /// Debug values of what a copy defined are of nothing.
    fn forget_debug_values<H: CoalescerHost>(
        &self,
        c: &mut Coalescing<'_, H>,
        copy: u32,
        start: SlotIndex,
        end: SlotIndex,
    ) {
        let reg = c.code.copy_regs(copy).0.virt_index() as u32;
        let everywhere = self.renamed[self.index[reg as usize] as usize] != NONE;
        let operands: Vec<u32> = c.code.debug_operands(reg).collect();
        for i in operands {
            let at = SlotIndex(c.code.debug[i as usize].entry << 2);
            if everywhere || start <= at && at <= end {
                c.host.edit(Edit::DebugUndef(i));
                c.code.undef_debug_instr(i);
            }
        }
    }

    /// Operands get the registers that they read now.
    fn rename<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>) {
        let mut moves = Vec::new();
        self.rewritten.sort_unstable_by_key(|r| (r.1, r.0.instr, r.0.index));
        for (&reg, &to) in self.regs.iter().zip(&self.renamed) {
            let to = Some(to).filter(|&to| to != NONE);
            let first = self.rewritten.partition_point(|r| r.1 < reg);
            let in_block = &self.rewritten[first..];
            let in_block = &in_block[..in_block.partition_point(|r| r.1 == reg)];
            if to.is_none() && in_block.is_empty() {
                continue;
            }
            c.code.places(reg, &mut self.places);
            moves.clear();
            for &place in &self.places {
                let at =
                    in_block.binary_search_by_key(&(place.instr, place.index), |r| (r.0.instr, r.0.index));
                if let Some(to) = at.ok().map(|at| in_block[at].2).or(to) {
                    moves.push((place, to));
                }
            }
            c.move_operands(reg, &moves);
        }
    }

    /// Where `reg` was live behind the block, `to` is.
    fn move_range_behind<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        block: u32,
        reg: u32,
        to: u32,
    ) {
        let (start, end) = (c.slots.start(block), c.slots.end(block));
        let value = c.ranges.get(to).value_before(end).expect("it is live out");
        let mut pieces = Vec::new();
        for s in c.ranges.get(reg).segments {
            if s.start < start {
                pieces.push((s.start, s.end.min(start)));
            }
            if s.end > end {
                pieces.push((s.start.max(end), s.end));
            }
        }
        self.scratch.assign(c.ranges.get(to));
        for (start, end) in pieces {
            self.scratch.add_segment(Segment { start, end, value });
        }
        c.ranges.store(to, &self.scratch);
        // Of the other nothing is left but what it is in the block.
        self.scratch.assign(c.ranges.get(reg));
        self.scratch.segments.retain_mut(|s| {
            (s.start, s.end) = (s.start.max(start), s.end.min(end));
            s.start < s.end
        });
        c.ranges.store(reg, &self.scratch);
    }

    /// The range of a register in the block is what the code says; behind it, where it is live as `out`, it stays.
    fn build_range<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        block: u32,
        reg: u32,
        out: Option<u32>,
    ) {
        let (start, end) = (c.slots.start(block), c.slots.end(block));
        let range = &mut self.scratch;
        range.assign(c.ranges.get(reg));
        let into = range.view().value_at(start).filter(|_| {
            let i = range.view().segment_at(start).expect("it has a value");
            range.segments[i].start <= start
        });
        // Defs and uses, in order: a use reads before a def of the same instruction writes.
        let mut events: Vec<(SlotIndex, bool)> = Vec::new();
        c.code.all_places(reg, |place, op| {
            let i = c.code.instr(place.instr);
            if i.block == block {
                let at = SlotIndex(i.entry << 2);
                if op.reads() && op.is_use() {
                    events.push((at.register(), false));
                }
                if op.is_def() {
                    events
                        .push((if op.is_early_clobber() { at.early_clobber() } else { at.register() }, true));
                }
            }
            true
        });
        events.sort_unstable();
        let old = range.clone();
        range.segments.clear();
        for s in &old.segments {
            if s.start < start {
                range.segments.push(Segment { end: s.end.min(start), ..*s });
            }
        }
        let mut value = into;
        let mut from = start;
        let mut last_read = start;
        let num_defs = events.iter().filter(|e| e.1).count();
        let mut nth = 0;
        let mut local: Vec<Segment> = Vec::new();
        let mut is_used = vec![false; old.values.len()];
        for &(at, is_def) in &events {
            if !is_def {
                last_read = at;
                continue;
            }
            if let Some(value) = value.filter(|_| last_read > from) {
                local.push(Segment { start: from, end: last_read.min(at), value });
            } else if let Some(value) = value.filter(|_| from != start) {
                local.push(Segment { start: from, end: from.dead(), value });
            }
            nth += 1;
            let known = old.values.iter().position(|&v| v == at).map(|v| v as u32);
            let defined = match out.filter(|_| nth == num_defs) {
                Some(out) => {
                    range.values[out as usize] = at;
                    out
                }
                None => match known.filter(|&v| Some(v) != out) {
                    Some(known) => known,
                    None => range.new_value(at),
                },
            };
            (value, from, last_read) = (Some(defined), at, at);
        }
        let live_out = old.segments.iter().any(|s| s.start < end && s.end >= end) && out.is_some();
        if let Some(value) = value {
            let until = if live_out { end } else { last_read };
            if until > from {
                local.push(Segment { start: from, end: until, value });
            } else if from != start {
                local.push(Segment { start: from, end: from.dead(), value });
            }
        }
        range.segments.append(&mut local);
        for s in &old.segments {
            if s.end > end {
                range.segments.push(Segment { start: s.start.max(end), ..*s });
            }
        }
        // Values that are nowhere any more; one that is live through may have two numbers.
        is_used.resize(range.values.len(), false);
        for s in &range.segments {
            is_used[s.value as usize] = true;
        }
        for (v, used) in is_used.iter().enumerate() {
            if !used {
                range.values[v] = UNUSED;
            }
        }
        let mut joined: Vec<Segment> = Vec::with_capacity(range.segments.len());
        for &s in &range.segments {
            match joined.last_mut() {
                Some(last) if last.end == s.start && last.value == s.value => last.end = s.end,
                _ => joined.push(s),
            }
        }
        range.segments = joined;
        if let (Some(into), Some(out), true) = (into, out, num_defs == 0) {
            if into != out && range.view().is_used(out) {
                // What was copied back is what came in.
                range.merge_value_into(out, into);
            }
        }
        c.ranges.store(reg, range);
    }
}

fn has_one_value<H: CoalescerHost>(c: &Coalescing<'_, H>, reg: u32) -> bool {
    c.ranges.get(reg).values.iter().filter(|&&v| v != UNUSED).count() == 1
}

/// Whether `reg`, which has one value, defined in the block, can be `to` behind it.
fn can_be_renamed<H: CoalescerHost>(c: &Coalescing<'_, H>, block: u32, reg: u32, to: u32) -> bool {
    let (start, end) = (c.slots.start(block), c.slots.end(block));
    let (range, other) = (c.ranges.get(reg), c.ranges.get(to));
    let is_defined_here = |&v: &SlotIndex| v == UNUSED || v > start && v < end;
    if !has_one_value(c, reg) || !range.values.iter().all(is_defined_here) {
        return false;
    }
    let Some(value) = other.value_before(end) else { return false };
    if other.segment_at(end.prev()).is_none_or(|i| other.segments[i].end < end) {
        return false;
    }
    range.segments.iter().all(|s| {
        let outside = [(s.start, s.end.min(start)), (s.start.max(end), s.end)];
        outside.iter().filter(|(from, until)| from < until).all(|&(from, until)| {
            let first = other.find(from);
            other.segments[first..].iter().take_while(|o| o.start < until).all(|o| o.value == value)
        })
    })
}

/// Puts a parallel copy in sequence. No two moves have one destination; none is to itself.
fn sequence(moves: &[Move], steps: &mut Vec<Step>) {
    steps.clear();
    // By register, where the value is now that it had at first.
    let mut place: FxHashMap<u32, u32> = FxHashMap::default();
    let mut sources: FxHashMap<u32, u32> = FxHashMap::default();
    for m in moves {
        place.insert(m.src, m.src);
        sources.insert(m.dst, m.src);
    }
    // What nobody reads may be written.
    let mut ready: Vec<u32> = moves.iter().map(|m| m.dst).filter(|dst| !place.contains_key(dst)).collect();
    let mut is_left: FxHashSet<u32> = moves.iter().map(|m| m.dst).collect();
    let mut temporaries = 0;
    for m in moves.iter().rev() {
        loop {
            while let Some(dst) = ready.pop() {
                let src = sources[&dst];
                let at = place[&src];
                steps.push(Move { dst, src: at });
                is_left.remove(&dst);
                place.insert(src, dst);
                // Others read it there from now on, so that its old place is free.
                if at == src && sources.contains_key(&src) {
                    ready.push(src);
                }
            }
            if !is_left.contains(&m.dst) {
                break;
            }
            // A cycle.
            let temporary = TEMPORARY + temporaries;
            temporaries += 1;
            steps.push(Move { dst: temporary, src: m.dst });
            place.insert(m.dst, temporary);
            ready.push(m.dst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};

    fn moves(of: &[(u32, u32)]) -> Vec<Move> {
        of.iter().map(|&(dst, src)| Move { dst, src }).collect()
    }

    #[test]
    fn c5_a_rotation_of_four_is_five_copies_and_a_swap_three() {
        let mut steps = Vec::new();
        sequence(&moves(&[(0, 1), (1, 2), (2, 3), (3, 0)]), &mut steps);
        assert_eq!(steps.len(), 5);
        sequence(&moves(&[(0, 1), (1, 0)]), &mut steps);
        assert_eq!(steps.len(), 3);
        // Somebody else reads a member of the cycle: that copy is its temporary.
        sequence(&moves(&[(0, 1), (1, 0), (2, 0)]), &mut steps);
        assert_eq!(steps.len(), 3);
    }

    #[test]
    fn c5_sequences_do_what_parallel_copies_do() {
        let (mut rng, mut steps) = (Rng::new(5), Vec::new());
        for _ in 0..cases(2000) {
            let n = 2 + rng.below(8);
            let chosen: Vec<_> = (0..n).map(|dst| (dst, rng.below(n))).filter(|m| m.0 != m.1).collect();
            let chosen: Vec<_> = chosen.into_iter().filter(|_| !rng.one_in(4)).collect();
            sequence(&moves(&chosen), &mut steps);
            let mut regs: FxHashMap<u32, u32> = (0..n).map(|r| (r, r)).collect();
            for s in &steps {
                let value = regs[&s.src];
                regs.insert(s.dst, value);
            }
            for r in 0..n {
                let wanted = chosen.iter().find(|m| m.0 == r).map_or(r, |m| m.1);
                assert_eq!(regs[&r], wanted, "{chosen:?}: {steps:?}");
            }
            let cycles = steps.iter().filter(|s| s.dst >= TEMPORARY).count();
            assert_eq!(steps.len(), chosen.len() + cycles);
        }
    }
}
