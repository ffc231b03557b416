//! Removes moves whose register already has the value.
//!
//! **Problem.** A loop after a guard gets its initial values twice: once on the path around the
//! loop, and once before the loop. After coalescing, the zero of every accumulator is written to
//! the same register in two blocks, one of which precedes the other. ptxas takes these for two
//! values, keeps them apart, and selects between them after the loop.
//!
//! **Algorithm.** [`super::worklist`] asks about each immediate move in a block that leads into a
//! loop, and about each copy that is not joined, if their register has other defs. From the move
//! the code is walked backwards on all paths, to the last def of the register on each path. The
//! move is redundant in two cases. All these defs are the same immediate move. Or all are copies of
//! the same value, no path defines that value anew, and the move is its last reader. The move is
//! erased, and the value of those defs lives on.
//!
//! **Source.** Comparison with libNVVM's output. LLVM's removal of partial redundancies
//! (`removePartialRedundancy`) is about copies that go back. Two cases stay on purpose: copies of
//! values that live on, and constants in blocks that lead into no loop
//! (`docs/stages/nvptx-coalescer.md` says why).
//!
//! **Complexity.** A move takes up to `MAX_BLOCKS` blocks, and in each a search among the
//! register's defs or segments.

use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrId, VRegId, ValueNo};
use crate::passes::coalescer::code::Place;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::live_range::RangeRef;
use crate::passes::coalescer::worklists::BlockPriority;
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;

/// A walk over more blocks is abandoned.
const MAX_BLOCKS: usize = 64;

/// The value that a move gives its register.
#[derive(Clone, Copy)]
enum MovedValue {
    /// The value of an immediate move.
    Immediate(InstrId),
    /// A value of another register.
    Copy {
        src: VRegId,
        value: ValueNo,
        /// The def of the value.
        def: SlotIndex,
        /// Whether the move is its last reader.
        is_kill: bool,
    },
}

/// A register with more values than this has no list of its defs.
const MAX_DEFS: usize = 64;

/// The defs of one register in code order, without PHI-defs, as they were at the time in `of`.
#[derive(Default)]
struct Defs {
    of: Option<(VRegId, u32)>,
    defs: Vec<SlotIndex>,
}

impl Defs {
    /// Finds the last def before `until` in the block that begins at `start`. Every def begins a
    /// segment, so the segments serve a register without a list. A register with few values may
    /// have many segments, and the search in them takes longer.
    fn last_between(&self, range: RangeRef, start: SlotIndex, until: SlotIndex) -> Option<SlotIndex> {
        let last = if range.values.len() <= MAX_DEFS {
            self.defs[..self.defs.partition_point(|&def| def < until)].last().copied()
        } else {
            let before = range.segments.partition_point(|s| s.start < until);
            range.segments[..before].last().map(|s| s.start)
        };
        last.filter(|&def| def > start)
    }
    /// Lists the defs of a register, unless the list is up to date.
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
    /// Whether an edge leads from the block into a deeper loop.
    enters_loop: IndexVec<BlockId, bool>,
    /// By block: the last walk that reached its end.
    stamps: IndexVec<BlockId, u32>,
    stamp: u32,
    stack: Vec<BlockId>,
    /// The defs that the walk reached.
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

    /// Returns whether an edge leads from the block into a deeper loop.
    pub fn enters_loop(&self, block: BlockId) -> bool {
        self.enters_loop[block]
    }

    /// Returns whether no range that [`Redundant::is_redundant`] depends on has changed since the
    /// time `then`.
    pub fn is_as_it_was<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId, then: u32) -> bool {
        let mut regs = c.code.operands(instr).filter(|op| op.is_reg()).filter_map(|op| op.reg().vreg());
        regs.all(|reg| c.ranges.is_unchanged_since(reg, then))
    }

    /// Returns whether the register of `instr` already has the value that it moves. If so,
    /// [`Redundant::remove`] must follow.
    pub fn is_redundant<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, instr: InstrId) -> bool {
        let Some(reg) = moved_to(c, instr) else { return false };
        let Some(value) = moved_value(c, instr, reg) else { return false };
        // Removing a copy of a value that lives on would make one more register live.
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
        // In a loop the walk may have found the move itself, so it is erased last.
        for &same in &self.found {
            c.set_dead(same, reg, false);
        }
        c.erase(instr);
        if let Some(src) = src {
            c.update_later(src);
        }
    }

    /// Returns whether `reg` already has `value` before `instr`.
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
                    return false; // another iteration of the loop
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
            // Except in unreachable code, a def other than the move itself is found.
            let Some(next) = self.next_block() else { return self.found.iter().any(|&same| same != instr) };
            (block, until) = (next, c.slots.end(next));
        }
    }

    /// Returns the next block whose end the walk has not reached yet.
    fn next_block(&mut self) -> Option<BlockId> {
        loop {
            let next = self.stack.pop()?;
            if std::mem::replace(&mut self.stamps[next], self.stamp) != self.stamp {
                return Some(next);
            }
        }
    }
}

/// Returns the register that a move defines.
fn moved_to<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId) -> Option<VRegId> {
    c.code.operand(Place { instr, index: 0 }).reg().vreg()
}

/// Returns whether `instr` moves `value` to `reg`.
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

/// Returns the value that `instr` gives `reg`, if it is a removable move.
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
