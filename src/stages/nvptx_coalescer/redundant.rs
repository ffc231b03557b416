//! Moves that change nothing: the register has that value already.
//!
//! **Problem.** A loop behind a guard gets its initial values twice: once for the path around the loop, once in front
//! of it. Coalesced, the zero of every accumulator is written to one and the same register in two blocks, of
//! which one precedes the other. ptxas takes them for two values, keeps them apart, and selects between them behind
//! the loop.
//!
//! **Algorithm.** Of each immediate move in a block that leads into a loop, and of each copy, to a register with other defs: the
//! code is walked backwards from it, on all paths, to the last def of the register on each. If all of these are the same immediate move, or copies of the
//! same value, which is not defined anew on the way and ends at the last of them, it goes. Its value's range becomes that of those.
//!
//! **Source.** Comparison with what libNVVM emits; none of the texts. LLVM's removal of partial redundancies
//! (`removePartialRedundancy`) is of copies that go back. 41 files, LLVM 22, ptxas 13.0: 13 change, SASS up to
//! 5 % less, nowhere more; registers equal. 1,224 kernels of CUDA, with sums that share ([`crate::stages::fold_addresses`]): SASS 0.997, in
//! three more than 1 % more; registers 1.0002, 7 fewer, 13 more, as a constant that is written once lives longer.
//! 2,127 other kernels of CUDA: constants alone, SASS 0.998, registers 0.9994 (of 40 or more 0.998). Copies of what lives on, which have
//! one register more live: SASS 0.9993 on top, but registers 1.002, more in 83: these stay. Constants that lead into no loop, too: SASS 0.9995
//! (368 kernels of OpenCL: 0.997), but OpenCL's registers 1.0008, up to 1.2 (zeros of 27 sums, and of a message's words).
//!
//! **Complexity.** A move costs up to [`MOST_BLOCKS`] blocks, in each a search among the register's defs.

use super::families::Families;
use crate::liveness::ranges::UNUSED;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, Register};
use crate::passes::coalescer::copies::BlockPriority;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::Coalescing;

/// A walk over more blocks is given up.
const MOST_BLOCKS: usize = 64;

/// What a move gives its register.
#[derive(Clone, Copy)]
enum Value {
    /// What this immediate move does.
    Immediate(u32),
    /// Value `value` of register `src`, defined at `def`; whether it ends there.
    Copy { src: u32, value: u32, def: SlotIndex, ends: bool },
}

/// Working storage.
#[derive(Default)]
pub struct Redundant {
    /// The defs of one register in the order of the code; of PHIs there are none.
    defs: Vec<SlotIndex>,
    /// By block: whether one loop more begins behind it.
    enters_loop: Vec<bool>,
    /// By block: the walk that came to its end last.
    stamps: Vec<u32>,
    stamp: u32,
    stack: Vec<u32>,
    /// Defs that the walk came to.
    found: Vec<u32>,
}

impl Redundant {
    /// Removes them; how many there were. `blocks`: their depths, in layout order.
    pub fn run<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: &mut Families,
        blocks: &[BlockPriority],
    ) -> u64 {
        let num_blocks = c.slots.num_blocks();
        self.stamps.clear();
        self.stamps.resize(num_blocks, 0);
        self.stamp = 0;
        self.enters_loop.clear();
        self.enters_loop.resize(num_blocks, false);
        for block in 0..num_blocks {
            for &pred in c.cfg.preds.row(BlockId::from_usize(block)) {
                self.enters_loop[pred.index()] |= blocks[pred.index()].depth < blocks[block].depth;
            }
        }
        let mut removed = 0;
        for reg in 0..c.code.num_regs() as u32 {
            let values = c.ranges.get(reg).values.iter();
            self.defs.clear();
            self.defs.extend(values.copied().filter(|&def| def != UNUSED && !def.is_block()));
            if self.defs.len() > 1 {
                self.defs.sort_unstable();
                removed += self.remove_of(c, families, reg);
            }
        }
        c.late_updates();
        removed
    }

    /// Removes those of one register.
    fn remove_of<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: &mut Families,
        reg: u32,
    ) -> u64 {
        let (mut k, mut removed) = (0, 0);
        while k < self.defs.len() {
            let instr = c.slots.instr_at(self.defs[k]).expect("a value is defined by an instruction");
            // A copy of what lives on would be one register more.
            let enters_loop = self.enters_loop[c.slots.block_of(self.defs[k]) as usize];
            let saves = |value: &Value| match value {
                Value::Immediate(_) => enters_loop,
                Value::Copy { ends, .. } => *ends,
            };
            let value = value_of(c, families, instr, reg).filter(saves);
            if !value.is_some_and(|value| self.has_already(c, families, reg, k, value)) {
                k += 1;
                continue;
            }
            c.drop_def(reg, self.defs.remove(k), false);
            // Around a loop it may have found itself: it is erased last.
            for &same in &self.found {
                c.set_dead(same, reg, false);
            }
            c.erase(instr);
            if let Some(Value::Copy { src, .. }) = value {
                c.update_later(src);
            }
            removed += 1;
        }
        removed
    }

    /// Whether `reg` has `value` already in front of its def number `k`.
    fn has_already<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: &mut Families,
        reg: u32,
        k: usize,
        value: Value,
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
            if let Value::Copy { def, .. } = value {
                if def >= last.unwrap_or(start) && def < until {
                    return false; // another turn of the loop
                }
            }
            if let Some(def) = last {
                let instr = c.slots.instr_at(def).expect("a value is defined by an instruction");
                let is_same = match (value, value_of(c, families, instr, reg)) {
                    (Value::Immediate(a), Some(Value::Immediate(b))) => c.host.computes_the_same(a, b),
                    (Value::Copy { src: a, value: v, .. }, Some(Value::Copy { src: b, value: w, .. })) => {
                        (a, v) == (b, w)
                    }
                    _ => false,
                };
                if !is_same {
                    return false;
                }
                self.found.push(instr);
            } else {
                let preds = c.cfg.preds.row(BlockId::from_raw(block));
                num_blocks += preds.len();
                if preds.is_empty() || num_blocks > MOST_BLOCKS {
                    return false;
                }
                self.stack.extend(preds.iter().map(|p| p.raw()));
            }
            // The next block that the walk has not come to the end of.
            loop {
                let Some(next) = self.stack.pop() else { return self.is_found_elsewhere(c, k) };
                if std::mem::replace(&mut self.stamps[next as usize], self.stamp) != self.stamp {
                    (block, until) = (next, c.slots.end(next));
                    break;
                }
            }
        }
    }

    /// Whether a def other than number `k` was found, as it is but in code that nothing leads to.
    fn is_found_elsewhere<H: CoalescerHost>(&self, c: &Coalescing<'_, H>, k: usize) -> bool {
        self.found.iter().any(|&instr| c.slot_of(instr) != self.defs[k].base())
    }
}

/// What `instr` gives `reg`, if it is a move that may go.
fn value_of<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: &mut Families,
    instr: u32,
    reg: u32,
) -> Option<Value> {
    if c.code.is_copy(instr) {
        let (dst, src) = c.code.copy_regs(instr);
        if dst != Register::virt(reg) || !src.is_virtual() || src == dst {
            return None;
        }
        let src = src.virt_index() as u32;
        let range = c.ranges.get(src);
        let query = range.query(c.slot_of(instr));
        let value = query.value_in()?;
        let def = range.values[value as usize];
        return Some(Value::Copy { src, value, def, ends: query.is_kill });
    }
    super::constants::is_constant(c, families, instr, reg).then_some(Value::Immediate(instr))
}
