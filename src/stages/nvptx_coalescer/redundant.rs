//! Removes moves that change nothing, as the register has that value already.
//!
//! **Problem.** A loop behind a guard gets its initial values twice: once for the path around the loop, and once in front of
//! the loop. After coalescing, the zero of every accumulator is written to the same register in two blocks, of which one
//! precedes the other. ptxas takes them for two values, keeps them apart, and selects between them behind the loop.
//!
//! **Algorithm.** The pass looks at each immediate move in a block that leads into a loop, and at each copy, to a register
//! with other defs. From there it walks the code backwards on all paths to the last def of the register on each. The move is
//! redundant if all of these are the same immediate move; or if all are copies of the same value, which is not defined anew
//! on the way, and of which the move is the last reader. It is erased, and the value of those defs lives on.
//!
//! **Source.** Comparison with libNVVM's output. LLVM's removal of partial redundancies (`removePartialRedundancy`) is about
//! copies that go back. Why copies of values that live on stay, and constants that lead into no loop: `docs/measured.md`.
//!
//! **Complexity.** A move takes up to `MAX_BLOCKS` blocks, with a search among the register's defs in each.

use super::budget::Account;
use super::families::Families;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrId, VRegId, ValueNo};
use crate::passes::coalescer::host::CoalescerHost;
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

/// Working storage.
#[derive(Default)]
pub struct Redundant {
    /// The defs of one register in the order of the code, without PHI-defs.
    defs: Vec<SlotIndex>,
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
    /// Removes redundant moves. `blocks`: the blocks with their loop depths, in layout order. Returns how many there were.
    pub fn run<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        blocks: &[BlockPriority],
        account: &mut Account,
    ) -> u64 {
        let num_blocks = c.slots.num_blocks();
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
        let mut removed = 0;
        for reg in c.code.regs() {
            let defs = c.ranges.get(reg).used_values().map(|(_, def)| def);
            self.defs.clear();
            self.defs.extend(defs.filter(|def| !def.is_block()));
            if self.defs.len() > 1 {
                self.defs.sort_unstable();
                removed += self.remove_moves_to(c, families, reg, account);
            }
        }
        c.late_updates();
        removed
    }

    /// Removes the redundant moves to one register.
    fn remove_moves_to<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        reg: VRegId,
        account: &mut Account,
    ) -> u64 {
        let (mut k, mut removed) = (0, 0);
        while k < self.defs.len() {
            let instr = c.slots.instr_at(self.defs[k]).expect("a value is defined by an instruction");
            let enters_loop = self.enters_loop[c.slots.block_of(self.defs[k])];
            // Without a copy of a value that lives on, one register more is live.
            let pays = |value: &MovedValue| match value {
                MovedValue::Immediate(_) => enters_loop,
                MovedValue::Copy { is_kill, .. } => *is_kill,
            };
            let value = moved_value(c, families, instr, reg).filter(pays);
            let is_redundant = value.is_some_and(|value| self.has_already(c, families, reg, k, value));
            if !is_redundant || !account.may_remove_untried(instr) {
                k += 1;
                continue;
            }
            c.drop_def(reg, self.defs.remove(k), false);
            // Around a loop the walk may have found the move itself: it is erased last.
            for &same in &self.found {
                c.set_dead(same, reg, false);
            }
            c.erase(instr);
            if let Some(MovedValue::Copy { src, .. }) = value {
                c.update_later(src);
            }
            removed += 1;
            account.note_removed(1);
        }
        removed
    }

    /// Whether `reg` has `value` already in front of its def number `k`.
    fn has_already<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        reg: VRegId,
        k: usize,
        value: MovedValue,
    ) -> bool {
        self.found.clear();
        self.stack.clear();
        self.stamp += 1;
        let (mut block, mut until) = (c.slots.block_of(self.defs[k]), self.defs[k]);
        let mut num_blocks = 0;
        loop {
            let start = c.slots.start(block);
            let last = self.defs[..self.defs.partition_point(|&def| def < until)].last().copied();
            let last = last.filter(|&def| def > start);
            if let MovedValue::Copy { def, .. } = value {
                if def >= last.unwrap_or(start) && def < until {
                    return false; // another turn of the loop
                }
            }
            if let Some(def) = last {
                let instr = c.slots.instr_at(def).expect("a value is defined by an instruction");
                if !moves_same_value(c, families, instr, reg, value) {
                    return false;
                }
                self.found.push(instr);
            } else {
                let preds = c.graph.preds(block);
                num_blocks += preds.len();
                if preds.is_empty() || num_blocks > MAX_BLOCKS {
                    return false;
                }
                self.stack.extend(preds);
            }
            let Some(next) = self.next_block() else { return self.is_found_elsewhere(c, k) };
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

    /// Whether a def other than number `k` was found. That is so except in unreachable code.
    fn is_found_elsewhere<H: CoalescerHost>(&self, c: &Coalescing<'_, H>, k: usize) -> bool {
        self.found.iter().any(|&instr| c.code.slot(instr) != self.defs[k].base())
    }
}

/// Whether `instr` is a move of `value` to `reg`.
fn moves_same_value<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: Families,
    instr: InstrId,
    reg: VRegId,
    value: MovedValue,
) -> bool {
    use MovedValue::{Copy, Immediate};
    match (value, moved_value(c, families, instr, reg)) {
        (Immediate(a), Some(Immediate(b))) => c.host.computes_the_same(a, b),
        (Copy { src: a, value: v, .. }, Some(Copy { src: b, value: w, .. })) => (a, v) == (b, w),
        _ => false,
    }
}

/// The value that `instr` gives `reg`, if it is a move that may go.
fn moved_value<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: Families,
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
    super::constants::is_constant(c, families, instr, reg).then_some(MovedValue::Immediate(instr))
}
