//! Keeps the function as the coalescer sees it: instructions, operands, and which operands name a
//! register.
//!
//! **Problem.** A join renames every operand of a register and erases copies, and the next decision
//! has to see that. LLVM's own data structures are slow to read and to change, so they are changed
//! later, by a list of edits.
//!
//! **Algorithm.** Instructions and operands are numbered as they are read. Joined registers form a
//! tree by *renamed to* (union-find with path halving), so a rename is one store. The operands of a
//! register are a linked list, so joining two lists is one more store. An erased operand stays in
//! its list until a later walk drops it.
//!
//! A new instruction takes the number of the one that was erased last, as LLVM's allocator reuses
//! that one's memory. Stock's worklists identify copies by address: a worklist that still holds the
//! erased copy then visits the new one.
//!
//! **Source.** None. **Complexity.** Reading is linear; a rename and an erasure take constant time.

use super::debug_operands::{DebugOperand, DebugOperands};
use super::list::List;
use super::slots::Slots;
use crate::adt::PackedOption;
use crate::liveness::slot_index::{Slot, SlotIndex};
use crate::mir::{BlockId, FunctionFacts, InstrFlags, InstrId, Operand, Register, VRegId};
use index_vec::IndexVec;
use std::cell::Cell;
use std::ops::Range;

index_vec::define_index_type! {
    /// The number of an operand in its function.
    struct OperandId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// An instruction, in 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Instr {
    slot: SlotIndex,
    /// `None` at the boundary of a block, and when the instruction was erased.
    block: PackedOption<BlockId>,
    first_operand: OperandId,
    /// The number of operands in the upper 24 bits, as LLVM has it; the flags below.
    packed: u32,
}

impl Instr {
    /// The entry at the boundary of a block, or of an erased instruction.
    const EMPTY: Instr = Instr {
        slot: SlotIndex(0),
        block: PackedOption::NONE,
        first_operand: OperandId::from_raw_unchecked(0),
        packed: 0,
    };

    fn pack(num_operands: u32, flags: InstrFlags) -> u32 {
        num_operands << 8 | u32::from(flags.bits())
    }
    fn num_operands(&self) -> u32 {
        self.packed >> 8
    }
    fn flags(&self) -> InstrFlags {
        InstrFlags::from_bits(self.packed as u8)
    }
    fn operands(&self) -> Range<OperandId> {
        self.first_operand..OperandId::from_raw(self.first_operand.raw() + self.num_operands())
    }
    fn operand(&self, index: u32) -> OperandId {
        OperandId::from_raw(self.first_operand.raw() + index)
    }
    /// The position of one of its operands.
    fn index_of(&self, operand: OperandId) -> u32 {
        operand.raw() - self.first_operand.raw()
    }
}

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The instruction.
    pub instr: InstrId,
    /// The position of the operand in the instruction.
    pub index: u32,
}

/// The instruction of an operand, `None` once that is erased; and the next operand of the same
/// register.
#[derive(Clone, Copy, Debug)]
struct OperandLink {
    instr: PackedOption<InstrId>,
    next: PackedOption<OperandId>,
}

/// The instructions and operands of a function.
#[derive(Default)]
pub struct Code {
    instrs: IndexVec<InstrId, Instr>,
    operands: IndexVec<OperandId, Operand>,
    links: IndexVec<OperandId, OperandLink>,
    lists: IndexVec<VRegId, List<OperandId>>,
    /// By register, the number of operands of copies that name it.
    num_copy_operands: IndexVec<VRegId, u32>,
    renamed: IndexVec<VRegId, Cell<VRegId>>,
    /// Erased instructions, the last one on top: their numbers are reused.
    freed: Vec<InstrId>,
    /// The operands of debug instructions, which are not among the others.
    pub debug: DebugOperands,
}

impl Code {
    /// Reads a function without bundles. At first, an instruction has the number of its entry.
    /// Takes the operands out of `facts`.
    pub fn read(&mut self, facts: &mut FunctionFacts, debug: &[DebugOperand]) {
        let num_regs = facts.shape.num_virt_regs;
        self.reset(num_regs);
        // Both sides keep an allocation.
        std::mem::swap(&mut self.operands.raw, &mut facts.operands);
        self.links.reserve(self.operands.len());
        self.instrs.reserve(facts.num_instrs() + facts.shape.num_blocks() + 1);
        for block in facts.shape.blocks() {
            self.instrs.push(Instr::EMPTY);
            for i in facts.instrs(block) {
                let id = self.instrs.len_idx();
                let operands = facts.first_operand[i]..facts.first_operand[i + 1];
                self.instrs.push(Instr {
                    slot: SlotIndex::new(id.raw(), Slot::Block),
                    block: block.into(),
                    first_operand: OperandId::from_raw(operands.start),
                    packed: Instr::pack(facts.num_operands[i], facts.instr_flags[i]),
                });
                for operand in operands.map(OperandId::from_raw) {
                    self.links.push(OperandLink { instr: id.into(), next: PackedOption::NONE });
                    self.link(operand);
                }
                self.count_if_copy(id, 1);
            }
        }
        self.instrs.push(Instr::EMPTY);
        self.debug.read(num_regs, debug);
    }

    fn reset(&mut self, num_regs: usize) {
        self.instrs.clear();
        self.links.clear();
        self.freed.clear();
        self.lists.clear();
        self.lists.resize(num_regs, List::EMPTY);
        self.num_copy_operands.clear();
        self.num_copy_operands.resize(num_regs, 0);
        self.renamed.clear();
        self.renamed.extend((0..num_regs).map(|reg| Cell::new(VRegId::from_usize(reg))));
    }

    /// Appends an operand to the list of its register.
    fn link(&mut self, operand: OperandId) {
        if let Some(reg) = vreg_of(self.operands[operand]) {
            debug_assert!(self.is_root(reg));
            self.lists[reg].append(operand, |last| self.links[last].next = operand.into());
        }
    }

    /// Counts the operands of an instruction if it is a copy, added (1) or removed (-1).
    fn count_if_copy(&mut self, instr: InstrId, change: i32) {
        if !self.is_copy(instr) {
            return;
        }
        for operand in self.instrs[instr].operands().start.raw()..self.instrs[instr].operands().end.raw() {
            if let Some(reg) = vreg_of(self.resolve(self.operands[OperandId::from_raw(operand)])) {
                let count = &mut self.num_copy_operands[reg];
                *count = count.wrapping_add_signed(change);
            }
        }
    }
    /// Whether a copy other than `copy` names `reg`.
    pub fn has_other_copy(&self, reg: VRegId, copy: InstrId) -> bool {
        let num_own = self.operands(copy).filter(|&op| vreg_of(op) == Some(reg)).count() as u32;
        let has = self.num_copy_operands[reg] > num_own;
        debug_assert_eq!(has, !self.all_places(reg, |p, _| p.instr == copy || !self.is_copy(p.instr)));
        has
    }

    /// How many virtual registers there are.
    pub fn num_regs(&self) -> usize {
        self.lists.len()
    }
    /// All virtual registers.
    pub fn regs(&self) -> impl Iterator<Item = VRegId> {
        (0..self.num_regs()).map(VRegId::from_usize)
    }
    /// Makes a register, which nothing names yet.
    pub fn new_reg(&mut self) -> VRegId {
        let reg = self.lists.push(List::EMPTY);
        self.num_copy_operands.push(0);
        self.renamed.push(Cell::new(reg));
        self.debug.push_reg();
        reg
    }
    /// The register that `reg` was joined into, or itself.
    pub fn root(&self, reg: VRegId) -> VRegId {
        find_root(&self.renamed, reg)
    }
    /// Whether `reg` was not joined into another register, and has its own operands.
    fn is_root(&self, reg: VRegId) -> bool {
        self.renamed[reg].get() == reg
    }
    /// Writes into every operand the register that it now names. Registers that were joined into
    /// others are then free for another use. Linear in the operands.
    pub fn settle(&mut self) {
        for at in 0..self.operands.len() {
            self.operands[at] = self.resolve(self.operands[at]);
        }
        let Code { debug, renamed, .. } = self;
        debug.settle(|reg| find_root(renamed, reg));
        for (reg, up) in renamed.iter_enumerated() {
            up.set(reg);
        }
    }
    /// Makes every operand of `src` one of `dst`.
    pub fn rename(&mut self, src: VRegId, dst: VRegId) {
        self.renamed[src].set(dst);
        let num_copy_operands = std::mem::take(&mut self.num_copy_operands[src]);
        self.num_copy_operands[dst] += num_copy_operands;
        let moved = std::mem::replace(&mut self.lists[src], List::EMPTY);
        self.lists[dst].concat(moved, |last| self.links[last].next = moved.first().into());
        self.debug.rename(src, dst);
    }
    /// Makes every operand of `src` one of a physical register. Operands of debug instructions are
    /// dropped.
    pub fn rename_to_phys(&mut self, src: VRegId, dst: Register) {
        self.num_copy_operands[src] = 0;
        let mut at = std::mem::replace(&mut self.lists[src], List::EMPTY).first();
        while let Some(operand) = at {
            let op = &mut self.operands[operand];
            *op = op.renamed(dst);
            if op.is_use() {
                *op = op.with_kill(false);
            }
            at = self.links[operand].next.get();
        }
        self.debug.forget(src);
    }

    /// How many instruction numbers there are.
    pub fn num_instrs(&self) -> usize {
        self.instrs.len()
    }
    /// The block slot of an instruction's entry.
    pub fn slot(&self, instr: InstrId) -> SlotIndex {
        self.instrs[instr].slot
    }
    /// The block of an instruction that has not been erased.
    pub fn block(&self, instr: InstrId) -> BlockId {
        self.instrs[instr].block.get().expect("it is in a block")
    }
    /// Whether there is an instruction with this number that has not been erased.
    pub fn is_alive(&self, instr: InstrId) -> bool {
        self.instrs[instr].block.is_some()
    }
    /// Whether it is a COPY.
    pub fn is_copy(&self, instr: InstrId) -> bool {
        self.instrs[instr].flags().is_copy()
    }
    /// Whether it is an IMPLICIT_DEF.
    pub fn is_implicit_def(&self, instr: InstrId) -> bool {
        self.instrs[instr].flags().is_implicit_def()
    }
    /// The flags of an instruction.
    pub fn flags(&self, instr: InstrId) -> InstrFlags {
        self.instrs[instr].flags()
    }
    /// How many operands an instruction has.
    pub fn num_operands(&self, instr: InstrId) -> u32 {
        self.instrs[instr].num_operands()
    }
    /// An operand, with the register that it now names.
    pub fn operand(&self, place: Place) -> Operand {
        self.resolve(self.operands[self.instrs[place.instr].operand(place.index)])
    }
    /// The operands of an instruction, with the registers that they now name.
    pub fn operands(&self, instr: InstrId) -> impl ExactSizeIterator<Item = Operand> + '_ {
        self.operands[self.instrs[instr].operands()].iter().map(|&op| self.resolve(op))
    }
    /// The operands of an instruction and where they are.
    pub fn places_of(&self, instr: InstrId) -> impl Iterator<Item = (Place, Operand)> + '_ {
        (0..).zip(self.operands(instr)).map(move |(index, op)| (Place { instr, index }, op))
    }
    fn resolve(&self, op: Operand) -> Operand {
        match vreg_of(op) {
            Some(reg) => op.renamed(self.root(reg).into()),
            None => op,
        }
    }
    /// The registers that a COPY defines and reads.
    pub fn copy_regs(&self, copy: InstrId) -> (Register, Register) {
        let reg = |index| self.operand(Place { instr: copy, index }).reg();
        (reg(0), reg(1))
    }
    /// The registers that a COPY defines and reads, if both are virtual.
    pub fn copy_vregs(&self, copy: InstrId) -> Option<(VRegId, VRegId)> {
        let (dst, src) = self.copy_regs(copy);
        dst.vreg().zip(src.vreg())
    }
    /// Whether every register that the instruction defines is dead.
    pub fn all_defs_are_dead(&self, instr: InstrId) -> bool {
        self.operands(instr).all(|op| !op.is_def() || op.is_dead())
    }
    /// Whether the instruction reads `reg`.
    pub fn reads(&self, instr: InstrId, reg: VRegId) -> bool {
        self.operands(instr).any(|op| vreg_of(op) == Some(reg) && op.reads())
    }
    /// Sets or clears the flag at bit `shift` of an operand. Returns whether that is a change.
    pub fn set_flag(&mut self, place: Place, shift: u32, value: bool) -> bool {
        let op = &mut self.operands[self.instrs[place.instr].operand(place.index)];
        let new = Operand(op.0 & !(1 << shift) | u64::from(value) << shift);
        std::mem::replace(op, new) != new
    }

    /// Whether nothing but debug instructions names `reg`.
    pub fn is_unnamed(&mut self, reg: VRegId) -> bool {
        self.drop_erased(reg);
        self.lists[reg].is_empty()
    }
    /// The first operand, from `at` on in its list, that has not been erased.
    fn skip_erased(&self, mut at: Option<OperandId>) -> Option<OperandId> {
        while let Some(operand) = at.filter(|&operand| self.links[operand].instr.is_none()) {
            at = self.links[operand].next.get();
        }
        at
    }
    /// Takes erased operands off the head of the list of `reg`.
    fn drop_erased(&mut self, reg: VRegId) {
        let first = self.skip_erased(self.lists[reg].first());
        self.lists[reg].set_first(first);
    }
    /// Puts the operands that name `reg`, except those of debug instructions, into `out`. Removes
    /// erased ones from the list.
    pub fn places(&mut self, reg: VRegId, out: &mut Vec<Place>) {
        out.clear();
        self.drop_erased(reg);
        let mut at = self.lists[reg].first();
        while let Some(operand) = at {
            let OperandLink { instr, next } = self.links[operand];
            let instr = instr.get().expect("erased operands were taken off");
            out.push(Place { instr, index: self.instrs[instr].index_of(operand) });
            at = self.skip_erased(next.get());
            self.links[operand].next = at.into();
            if at.is_none() {
                self.lists[reg].set_last(operand);
            }
        }
    }
    /// Calls `f` with the operands that name `reg`, except those of debug instructions, until it
    /// returns false. Returns whether it never did.
    pub fn all_places(&self, reg: VRegId, mut f: impl FnMut(Place, Operand) -> bool) -> bool {
        let mut at = self.lists[reg].first();
        while let Some(operand) = at {
            let OperandLink { instr, next } = self.links[operand];
            if let Some(instr) = instr.get() {
                let place = Place { instr, index: self.instrs[instr].index_of(operand) };
                if !f(place, self.resolve(self.operands[operand])) {
                    return false;
                }
            }
            at = next.get();
        }
        true
    }
    /// Moves operands of `from` to other registers: `moves`, in the order of [`Code::places`].
    pub fn distribute(&mut self, from: VRegId, moves: &[(Place, VRegId)]) {
        let mut moves = moves.iter().peekable();
        let mut at = std::mem::replace(&mut self.lists[from], List::EMPTY).first();
        while let Some(operand) = at {
            let OperandLink { instr, next } = self.links[operand];
            at = next.get();
            let Some(instr) = instr.get() else { continue };
            let place = Place { instr, index: self.instrs[instr].index_of(operand) };
            let reg = moves.next_if(|m| m.0 == place).map_or(from, |m| m.1);
            debug_assert!(self.is_root(reg));
            self.links[operand].next = PackedOption::NONE;
            let op = &mut self.operands[operand];
            *op = op.renamed(reg.into());
            if reg != from && self.is_copy(instr) {
                self.num_copy_operands[from] -= 1;
                self.num_copy_operands[reg] += 1;
            }
            self.lists[reg].append(operand, |last| self.links[last].next = operand.into());
        }
        debug_assert!(moves.next().is_none());
    }
    /// Whether the debug instruction of an operand names `reg`.
    pub fn debug_instr_names(&self, id: super::debug_operands::DebugOperandId, reg: VRegId) -> bool {
        let operands = &self.debug.all()[self.debug.of_same_instr(id)];
        operands.iter().any(|d| d.reg.get().is_some_and(|named| self.root(named) == reg))
    }

    /// Erases an instruction. Its number and its slot become free.
    pub fn erase(&mut self, instr: InstrId, slots: &mut Slots) {
        slots.clear_instr(self.instrs[instr].slot);
        self.unlink(instr);
        self.instrs[instr] = Instr::EMPTY;
        self.freed.push(instr);
    }
    /// Marks the operands of an instruction as erased.
    fn unlink(&mut self, instr: InstrId) {
        self.count_if_copy(instr, -1);
        for link in &mut self.links[self.instrs[instr].operands()] {
            link.instr = PackedOption::NONE;
        }
    }
    /// Makes a COPY an IMPLICIT_DEF, without the operand that it read.
    pub fn make_implicit_def(&mut self, copy: InstrId) {
        self.count_if_copy(copy, -1);
        let i = &mut self.instrs[copy];
        for link in &mut self.links[i.operand(1)..i.operands().end] {
            link.instr = PackedOption::NONE;
        }
        i.packed = Instr::pack(1, i.flags().to_implicit_def());
    }
    /// Turns an instruction that defines one register and reads one into a COPY.
    pub fn make_copy(&mut self, instr: InstrId) {
        let i = &mut self.instrs[instr];
        debug_assert!(i.num_operands() == 2);
        i.packed = Instr::pack(2, i.flags().to_copy());
        self.count_if_copy(instr, 1);
    }
    /// Turns an instruction into a KILL of physical registers, whose operands are not kept here.
    pub fn make_kill(&mut self, instr: InstrId) {
        self.unlink(instr);
        self.instrs[instr].packed = 0;
    }
    /// Returns the number for the next new instruction.
    pub fn new_instr(&mut self) -> InstrId {
        self.freed.pop().unwrap_or_else(|| self.instrs.push(Instr::EMPTY))
    }
    /// Takes back the number that was returned last.
    pub fn drop_new_instr(&mut self, instr: InstrId) {
        self.freed.push(instr);
    }
    /// Puts an instruction, new or changed, with these flags and operands at `slot`.
    pub fn set_instr(
        &mut self,
        instr: InstrId,
        slot: SlotIndex,
        block: BlockId,
        flags: InstrFlags,
        operands: &[Operand],
    ) {
        if self.is_alive(instr) {
            self.unlink(instr);
        }
        let first_operand = self.operands.len_idx();
        let packed = Instr::pack(operands.len() as u32, flags);
        self.instrs[instr] = Instr { slot: slot.base(), block: block.into(), first_operand, packed };
        for &op in operands {
            let operand = self.operands.push(op);
            self.links.push(OperandLink { instr: instr.into(), next: PackedOption::NONE });
            self.link(operand);
        }
        self.count_if_copy(instr, 1);
    }
    /// Gives every slot its new number.
    pub fn renumber(&mut self, new: impl Fn(SlotIndex) -> SlotIndex) {
        for i in self.instrs.iter_mut().filter(|i| i.block.is_some()) {
            i.slot = new(i.slot);
        }
        self.debug.renumber(new);
    }
}

fn vreg_of(op: Operand) -> Option<VRegId> {
    if op.is_reg() {
        op.reg().vreg()
    } else {
        None
    }
}

fn find_root(renamed: &IndexVec<VRegId, Cell<VRegId>>, mut reg: VRegId) -> VRegId {
    loop {
        let up = renamed[reg].get();
        if up == reg {
            return reg;
        }
        let upper = renamed[up].get();
        renamed[reg].set(upper);
        reg = upper;
    }
}
