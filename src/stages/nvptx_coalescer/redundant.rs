//! Removes moves that change nothing, as the register has that value already.
//!
//! **Problem.** A loop behind a guard gets its initial values twice: once for the path around the loop, and once in front of
//! the loop. After coalescing, the zero of every accumulator is written to the same register in two blocks, of which one
//! precedes the other. ptxas takes them for two values, keeps them apart, and selects between them behind the loop.
//!
//! **Algorithm.** [`super::worklist`] asks about each immediate move in a block that leads into a loop, and about each copy
//! that is not joined, to a register with other defs. From there the code is walked backwards on all paths to the last def
//! of the register on each. The move is redundant if all of these are the same immediate move; or if all are copies of the
//! same value, which is not defined anew on the way, and of which the move is the last reader. It is erased, and the value
//! of those defs lives on.
//!
//! **Source.** Comparison with libNVVM's output. LLVM's removal of partial redundancies (`removePartialRedundancy`) is about
//! copies that go back. Why copies of values that live on stay, and constants that lead into no loop: `docs/measured.md`.
//!
//! **Complexity.** A move takes up to `MAX_BLOCKS` blocks, with a search among the register's defs, or segments, in each.

use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrId, VRegId, ValueNo};
use crate::passes::coalescer::code::Place;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::live_range::RangeRef;
use crate::passes::coalescer::worklists::BlockPriority;
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;

/// A walk over more blocks is given up.
const MAX_BLOCKS: usize = 64;

/// The value that a move gives its register.
#[derive(Clone, Copy)]
enum MovedValue {
    /// That of an immediate move.
    Immediate(InstrId),
    /// A value of another register.
    Copy {
        src: VRegId,
        value: ValueNo,
        /// Where the value is defined.
        def: SlotIndex,
        /// Whether the move is its last reader.
        is_kill: bool,
    },
}

/// Up to so many values of a register, its defs are kept in order.
const MAX_DEFS: usize = 64;

/// The defs of one register in the order of the code, without PHI-defs, as they were at a time.
#[derive(Default)]
struct Defs {
    of: Option<(VRegId, u32)>,
    defs: Vec<SlotIndex>,
}

impl Defs {
    /// Finds the last def in a block, which begins at `start`, in front of `until`. Every def begins a segment; a register
    /// with few values may have many segments, in which a search takes longer.
    fn last_between(&self, range: RangeRef, start: SlotIndex, until: SlotIndex) -> Option<SlotIndex> {
        let last = if range.values.len() <= MAX_DEFS {
            self.defs[..self.defs.partition_point(|&def| def < until)].last().copied()
        } else {
            let before = range.segments.partition_point(|s| s.start < until);
            range.segments[..before].last().map(|s| s.start)
        };
        last.filter(|&def| def > start)
    }
    /// Lists those of a register.
    fn list<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, reg: VRegId) {
        let range = c.ranges.get(reg);
        let is_known = self.of.is_some_and(|(of, time)| {
            of == reg && c.ranges.is_unchanged_since(reg, time) && !c.ranges.is_renumbered_since(time)
        });
        if is_known || range.values.len() > MAX_DEFS {
            return;
        }
        self.of = Some((reg, c.ranges.now()));
        self.defs.clear();
        self.defs.extend(range.used_values().map(|(_, def)| def).filter(|def| !def.is_block()));
        self.defs.sort_unstable();
    }
}

/// Working storage.
#[derive(Default)]
pub struct Redundant {
    defs: Defs,
    /// Whether an edge leads from the block into one more loop.
    enters_loop: IndexVec<BlockId, bool>,
    /// By block, the walk that came to its end last.
    stamps: IndexVec<BlockId, u32>,
    stamp: u32,
    stack: Vec<BlockId>,
    /// The defs that the walk came to.
    found: Vec<InstrId>,
}

impl Redundant {
    /// Begins with a function. `blocks`: the blocks with their loop depths, in layout order.
    pub fn begin<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, blocks: &[BlockPriority]) {
        let num_blocks = c.slots.num_blocks();
        self.defs.of = None;
        self.stamps.clear();
        self.stamps.resize(num_blocks, 0);
        self.stamp = 0;
        self.enters_loop.clear();
        self.enters_loop.resize(num_blocks, false);
        for b in blocks {
            for &pred in c.graph.preds(b.block) {
                self.enters_loop[pred] |= blocks[pred.index()].depth < b.depth;
            }
        }
    }

    /// Whether an edge leads from the block into one more loop.
    pub fn enters_loop(&self, block: BlockId) -> bool {
        self.enters_loop[block]
    }

    /// Whether no range has changed since the time `then` that the answer of [`Redundant::is_redundant`] depends on.
    pub fn is_as_it_was<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId, then: u32) -> bool {
        let mut regs = c.code.operands(instr).filter(|op| op.is_reg()).filter_map(|op| op.reg().vreg());
        regs.all(|reg| c.ranges.is_unchanged_since(reg, then))
    }

    /// Whether `instr` moves a value to its register that this has already. If so, [`Redundant::remove`] is to follow.
    pub fn is_redundant<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, instr: InstrId) -> bool {
        let Some(reg) = moved_to(c, instr) else { return false };
        let Some(value) = moved_value(c, instr, reg) else { return false };
        // Without a copy of a value that lives on, one register more is live.
        let pays = match value {
            MovedValue::Immediate(_) => self.enters_loop[c.code.block(instr)],
            MovedValue::Copy { is_kill, .. } => is_kill,
        };
        pays && !c.ranges.get(reg).has_one_value() && {
            self.defs.list(c, reg);
            self.has_already(c, reg, instr, value)
        }
    }

    /// Removes the move that was just found redundant.
    pub fn remove<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, instr: InstrId) {
        let reg = moved_to(c, instr).expect("a redundant move has a register");
        let src = c.code.is_copy(instr).then(|| c.code.copy_vregs(instr).expect("a copy of a register").1);
        let range = c.ranges.get(reg);
        let value = range.query(c.code.slot(instr)).value_defined().expect("it defines a value");
        c.drop_def(reg, range.def(value), false);
        // Around a loop the walk may have found the move itself: it is erased last.
        for &same in &self.found {
            c.set_dead(same, reg, false);
        }
        c.erase(instr);
        if let Some(src) = src {
            c.update_later(src);
        }
    }

    /// Whether `reg` has `value` already in front of `instr`.
    fn has_already<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        reg: VRegId,
        instr: InstrId,
        value: MovedValue,
    ) -> bool {
        self.found.clear();
        self.stack.clear();
        self.stamp += 1;
        let (mut block, mut until) = (c.code.block(instr), c.code.slot(instr));
        let mut num_blocks = 0;
        loop {
            let start = c.slots.start(block);
            let last = self.defs.last_between(c.ranges.get(reg), start, until);
            if let MovedValue::Copy { def, .. } = value {
                if def >= last.unwrap_or(start) && def < until {
                    return false; // another turn of the loop
                }
            }
            if let Some(def) = last {
                let same = c.slots.instr_at(def).expect("a value is defined by an instruction");
                if !moves_same_value(c, same, reg, value) {
                    return false;
                }
                self.found.push(same);
            } else {
                let preds = c.graph.preds(block);
                num_blocks += preds.len();
                if preds.is_empty() || num_blocks > MAX_BLOCKS {
                    return false;
                }
                self.stack.extend(preds);
            }
            // A def other than the move itself is found, except in unreachable code.
            let Some(next) = self.next_block() else { return self.found.iter().any(|&same| same != instr) };
            (block, until) = (next, c.slots.end(next));
        }
    }

    /// The next block to whose end the walk has not come yet.
    fn next_block(&mut self) -> Option<BlockId> {
        loop {
            let next = self.stack.pop()?;
            if std::mem::replace(&mut self.stamps[next], self.stamp) != self.stamp {
                return Some(next);
            }
        }
    }
}

/// The register that a move gives a value.
fn moved_to<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId) -> Option<VRegId> {
    c.code.operand(Place { instr, index: 0 }).reg().vreg()
}

/// Whether `instr` is a move of `value` to `reg`.
fn moves_same_value<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    instr: InstrId,
    reg: VRegId,
    value: MovedValue,
) -> bool {
    use MovedValue::{Copy, Immediate};
    match (value, moved_value(c, instr, reg)) {
        (Immediate(a), Some(Immediate(b))) => c.host.computes_the_same(a, b),
        (Copy { src: a, value: v, .. }, Some(Copy { src: b, value: w, .. })) => (a, v) == (b, w),
        _ => false,
    }
}

/// The value that `instr` gives `reg`, if it is a move that may go.
fn moved_value<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    instr: InstrId,
    reg: VRegId,
) -> Option<MovedValue> {
    if c.code.is_copy(instr) {
        let (_, src) = c.code.copy_vregs(instr).filter(|&(dst, src)| dst == reg && src != dst)?;
        let range = c.ranges.get(src);
        let query = range.query(c.code.slot(instr));
        let value = query.value_in()?;
        return Some(MovedValue::Copy { src, value, def: range.def(value), is_kill: query.is_kill });
    }
    c.is_constant(instr).then_some(MovedValue::Immediate(instr))
}
