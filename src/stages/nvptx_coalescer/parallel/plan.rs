//! Plans how the copies of a block become one parallel copy.
//!
//! **Algorithm.** One walk follows two values for each register that a copy names: the one that it
//! has now, and the one that it would have without the copies. An operand whose register would have
//! another value is rewritten to name the value's home. If the home has been overwritten by then,
//! the overwriting def gets a register of its own in another round.

use super::sequence::Move;
use crate::adt::PackedOption;
use crate::liveness::ranges::UNUSED;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrId, Operand, VRegId};
use crate::passes::coalescer::code::Place;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;

/// With fewer copies nothing can be saved: a swap takes three.
pub const MIN_COPIES: usize = 3;

/// A block is followed at most this often.
const MAX_ROUNDS: usize = 3;

/// A block that copies a register with more segments is left as it is: its range would have to be
/// rebuilt.
const MAX_SEGMENTS: usize = 256;

index_vec::define_index_type! {
    /// A register that the copies of the block name, or a new register of a def.
    pub struct LocalReg = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// A value in the block: that of a register at the start of the block, or the def of an
    /// instruction other than a copy.
    pub struct BlockValue = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// An operand that gets another register.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite {
    pub place: Place,
    pub from: VRegId,
    pub to: VRegId,
}

/// A needed value has no register: the block stays as it is.
struct Lost;

/// The planned change of a block.
#[derive(Default)]
pub struct Plan {
    /// By register: its index in `regs`, valid if `stamps` has the stamp of this block.
    locals: IndexVec<VRegId, LocalReg>,
    stamps: IndexVec<VRegId, u32>,
    stamp: u32,
    /// The registers that copies name, then those of `separate_defs`. The latter have the numbers
    /// after the function's last register as placeholders, until the block is changed.
    pub regs: IndexVec<LocalReg, VRegId>,
    /// The number of registers that copies name.
    num_copied: usize,
    /// The copies to remove.
    pub copies: Vec<InstrId>,
    /// By value: the register that it is defined in.
    homes: IndexVec<BlockValue, VRegId>,
    /// The value that a register has in the present code.
    values: IndexVec<LocalReg, BlockValue>,
    /// The value that a register has without the copies.
    current: IndexVec<LocalReg, BlockValue>,
    /// By value: the def that overwrites its home.
    overwriters: IndexVec<BlockValue, Option<Place>>,
    /// Defs that get a register of their own, because the value that they overwrite is needed.
    separate_defs: Vec<Place>,
    /// The registers that these defs had.
    pub separate_from: Vec<VRegId>,
    /// Operands that get another register.
    pub rewrites: Vec<Rewrite>,
    /// The parallel copy at the end of the block.
    pub moves: Vec<Move>,
    /// By register: its new name after the block.
    pub renamed: IndexVec<LocalReg, PackedOption<VRegId>>,
}

impl Plan {
    /// Begins with a function.
    pub fn reset(&mut self) {
        self.stamps.clear();
        self.locals.clear();
        self.stamp = 0;
    }

    /// Returns the index of a register in `regs`; adds it if necessary.
    fn add(&mut self, reg: VRegId) -> LocalReg {
        if reg >= self.stamps.len_idx() {
            self.stamps.resize(reg.index() + 1, 0);
            self.locals.resize(reg.index() + 1, LocalReg::new(0));
        }
        if std::mem::replace(&mut self.stamps[reg], self.stamp) != self.stamp {
            self.locals[reg] = self.regs.push(reg);
        }
        self.locals[reg]
    }
    /// Returns the index of a register in `regs`, if it is there.
    fn find(&self, reg: VRegId) -> Option<LocalReg> {
        (self.stamps.get(reg) == Some(&self.stamp)).then(|| self.locals[reg])
    }
    fn find_operand(&self, op: Operand) -> Option<LocalReg> {
        if op.is_reg() {
            self.find(op.reg().vreg()?)
        } else {
            None
        }
    }
    /// Returns the new name of `reg`, one of `regs`, after the block.
    pub fn renamed_to(&self, reg: VRegId) -> Option<VRegId> {
        self.renamed[self.locals[reg]].get()
    }

    /// Plans how a block would change. False if it cannot.
    pub fn make<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, block: BlockId) -> bool {
        self.stamp += 1;
        self.regs.clear();
        self.copies.clear();
        for at in c.slots.inside(block) {
            let Some(copy) = c.copy_at(at) else { continue };
            if let Some((dst, src)) = removable_copy(c, copy) {
                self.copies.push(copy);
                self.add(dst);
                self.add(src);
            }
        }
        let is_long = |&reg: &VRegId| c.ranges.get(reg).segments.len() > MAX_SEGMENTS;
        if self.copies.len() < MIN_COPIES || self.regs.iter().any(is_long) {
            return false;
        }
        self.num_copied = self.regs.len();
        self.separate_defs.clear();
        for _ in 0..MAX_ROUNDS {
            let num_separate = self.separate_defs.len();
            if self.follow_block(c, block).is_err() {
                return false;
            }
            if self.separate_defs.len() == num_separate {
                return true;
            }
        }
        false
    }

    /// Begins a round at the start of the block.
    fn begin_round(&mut self) {
        let n = self.num_copied;
        for reg in self.regs.drain(LocalReg::from_usize(n)..) {
            self.stamps[reg] = 0;
        }
        self.separate_from.clear();
        self.homes.clear();
        self.homes.extend(self.regs.iter().copied());
        self.overwriters.clear();
        self.overwriters.resize(n, None);
        self.values.clear();
        self.values.extend((0..n).map(BlockValue::from_usize));
        self.current.clone_from(&self.values);
        self.rewrites.clear();
    }

    /// Follows the values through the block.
    fn follow_block<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        block: BlockId,
    ) -> Result<(), Lost> {
        self.begin_round();
        let num_separate = self.separate_defs.len();
        let first_terminator = c.end_of_code(block);
        for at in c.slots.inside(block) {
            let Some(instr) = c.slots.instr_at(at) else { continue };
            let copy = if c.code.is_copy(instr) { removable_copy(c, instr) } else { None };
            if let Some(regs) = copy {
                let [dst, src] = [regs.0, regs.1].map(|reg| self.find(reg).expect("it was added"));
                self.values[dst] = self.values[src];
                continue;
            }
            if at >= first_terminator {
                let names_copied = c.code.operands(instr).any(|op| self.find_operand(op).is_some());
                if names_copied {
                    return Err(Lost);
                }
                continue;
            }
            self.follow_uses(c, instr)?;
            self.follow_defs(c, instr, num_separate)?;
        }
        self.find_moves(c, block)
    }

    /// Checks that a value is in its home. If the home was overwritten, the overwriting def gets a
    /// register of its own in the next round.
    fn check_is_at_home(&mut self, value: BlockValue) -> Result<(), Lost> {
        let home = self.homes[value];
        if self.current[self.locals[home]] != value {
            let overwriter = self.overwriters[value].ok_or(Lost)?;
            if !self.separate_defs.contains(&overwriter) {
                self.separate_defs.push(overwriter);
            }
        }
        Ok(())
    }

    /// Makes the uses of a remaining instruction read the homes of their values.
    fn follow_uses<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, instr: InstrId) -> Result<(), Lost> {
        for (place, op) in c.code.places_of(instr) {
            let Some(k) = self.find_operand(op) else { continue };
            if !op.reads() || op.is_def() {
                continue;
            }
            let value = self.values[k];
            let (from, to) = (self.regs[k], self.homes[value]);
            self.check_is_at_home(value)?;
            if to != from && op.is_tied() {
                return Err(Lost);
            }
            if to != from {
                self.rewrites.push(Rewrite { place, from, to });
            }
        }
        Ok(())
    }

    /// Gives values to the defs of a remaining instruction. The first `num_separate` of
    /// `separate_defs` get registers of their own.
    fn follow_defs<H: CoalescerHost>(
        &mut self,
        c: &Coalescing<'_, H>,
        instr: InstrId,
        num_separate: usize,
    ) -> Result<(), Lost> {
        for (place, op) in c.code.places_of(instr).filter(|(_, op)| op.is_def()) {
            let Some(k) = self.find_operand(op) else { continue };
            if op.is_early_clobber() {
                return Err(Lost);
            }
            let value = self.homes.len_idx();
            self.overwriters.push(None);
            self.values[k] = value;
            if self.separate_defs[..num_separate].contains(&place) {
                let new = VRegId::from_usize(c.code.num_regs() + self.separate_from.len());
                let local = self.add(new);
                debug_assert!(local == self.values.len_idx());
                self.separate_from.push(self.regs[k]);
                self.homes.push(new);
                self.values.push(value);
                self.current.push(value);
                self.rewrites.push(Rewrite { place, from: self.regs[k], to: new });
                continue;
            }
            if !op.is_tied() {
                self.overwriters[self.current[k]] = Some(place);
            }
            self.homes.push(self.regs[k]);
            self.current[k] = value;
        }
        Ok(())
    }

    /// Finds the parallel copy at the end of the block, and the registers that are renamed instead.
    fn find_moves<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, block: BlockId) -> Result<(), Lost> {
        self.moves.clear();
        self.renamed.clear();
        self.renamed.resize(self.regs.len(), PackedOption::NONE);
        let end = c.slots.end(block);
        // By value: a register that holds it and whose name others may take.
        let mut holders: IndexVec<BlockValue, Option<VRegId>> = IndexVec::new();
        holders.resize(self.homes.len(), None);
        for k in (0..self.num_copied).map(LocalReg::from_usize) {
            let range = c.ranges.get(self.regs[k]);
            if range.is_live_out(end) && !range.has_one_value() {
                holders[self.values[k]] = Some(self.regs[k]);
            }
        }
        for k in (0..self.num_copied).map(LocalReg::from_usize) {
            let (reg, value) = (self.regs[k], self.values[k]);
            if !c.ranges.get(reg).is_live_out(end) {
                continue;
            }
            let home = self.homes[value];
            self.check_is_at_home(value)?;
            if self.current[k] == value {
                continue;
            }
            match holders[value].filter(|&holder| holder != reg) {
                Some(holder) if can_be_renamed(c, block, reg, holder) => self.renamed[k] = holder.into(),
                _ => self.moves.push(Move { dst: reg, src: home }),
            }
        }
        Ok(())
    }
}

/// Returns the registers of a copy that may be removed.
fn removable_copy<H: CoalescerHost>(c: &mut Coalescing<'_, H>, copy: InstrId) -> Option<(VRegId, VRegId)> {
    let (dst, src) = c.code.copy_vregs(copy).filter(|_| c.code.num_operands(copy) == 2)?;
    let is_undef = c.code.operand(Place { instr: copy, index: 1 }).is_undef();
    (!is_undef && dst != src && c.class(dst) == c.class(src)).then_some((dst, src))
}

/// Returns whether `reg` can be renamed to `to` after the block. It must have a single value,
/// defined in the block.
fn can_be_renamed<H: CoalescerHost>(c: &Coalescing<'_, H>, block: BlockId, reg: VRegId, to: VRegId) -> bool {
    let (start, end) = (c.slots.start(block), c.slots.end(block));
    let (range, other) = (c.ranges.get(reg), c.ranges.get(to));
    let is_defined_here = |&v: &SlotIndex| v == UNUSED || v > start && v < end;
    if !range.has_one_value() || !range.values.iter().all(is_defined_here) {
        return false;
    }
    let Some(value) = other.value_before(end).filter(|_| other.is_live_out(end)) else { return false };
    range.segments.iter().all(|s| {
        let outside = [(s.start, s.end.min(start)), (s.start.max(end), s.end)];
        outside.iter().filter(|(from, until)| from < until).all(|&(from, until)| {
            let first = other.find(from);
            other.segments[first..].iter().take_while(|o| o.start < until).all(|o| o.value == value)
        })
    })
}
