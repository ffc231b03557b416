//! The function as the coalescer sees it: instructions, operands, and who names which register.
//!
//! **Problem.** A join renames every operand of a register and erases copies; the next decision has to see
//! that. LLVM's own graph is slow to read and to change, so it is changed when all is decided.
//!
//! **Algorithm.** Instructions and operands are numbered as they are read. Registers that were joined form a
//! tree by *renamed to* (union-find with path halving), so a rename is one store; the operands of a register
//! are a linked list, so joining two is one store more. What was erased stays in the lists until somebody
//! walks over it.
//!
//! An instruction that is made later takes the number of the one that was erased last, as LLVM's allocator
//! gives it that one's memory: stock's worklists know copies by address, and one that still has the erased
//! copy then visits the new one.
//!
//! **Complexity.** Linear to read; a rename and an erasure constant.

use super::slots::Slots;
use crate::mir::{FunctionFacts, InstrFlags, Operand, Register};
use std::cell::Cell;

/// No operand, instruction or entry.
pub const NONE: u32 = u32::MAX;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instr {
    /// Its entry.
    pub entry: u32,
    /// Its block.
    pub block: u32,
    first_operand: u32,
    /// How many operands in the upper 24 bits, as LLVM has it; flags below.
    packed: u32,
}

impl Instr {
    /// None: the boundary of a block, or erased.
    const GONE: Instr = Instr { entry: NONE, block: NONE, first_operand: 0, packed: 0 };

    fn num_operands(&self) -> u32 {
        self.packed >> 8
    }
    fn flags(&self) -> InstrFlags {
        InstrFlags::from_bits(self.packed as u8)
    }
}

/// Where an operand is: its instruction and its position there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The instruction.
    pub instr: u32,
    /// Position.
    pub index: u32,
}

#[derive(Clone, Copy, Debug)]
struct OperandLink {
    instr: u32,
    next: u32,
}

/// An operand of a debug instruction that names a virtual register.
#[derive(Clone, Copy, Debug)]
pub struct DebugOperand {
    /// Number of the debug instruction: not one of [`Code::instrs`].
    pub instr: u32,
    /// Position there.
    pub index: u32,
    /// Virtual register, by index; [`NONE`] when it names nothing any more.
    pub reg: u32,
    /// The entry behind.
    pub entry: u32,
    /// Whether it is of a DBG_VALUE.
    pub is_value: bool,
}

/// First and last of a list of operands.
#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    last: u32,
}

impl List {
    const EMPTY: List = List { first: NONE, last: NONE };
}

/// The function.
#[derive(Default)]
pub struct Code {
    instrs: Vec<Instr>,
    operands: Vec<Operand>,
    links: Vec<OperandLink>,
    lists: Vec<List>,
    /// By register: how many operands of copies name it.
    num_copy_operands: Vec<u32>,
    renamed: Vec<Cell<u32>>,
    /// Erased instructions, the last one on top: their numbers are given out again.
    freed: Vec<u32>,
    /// Operands of debug instructions; the lists do not have them.
    pub debug: Vec<DebugOperand>,
    debug_lists: Vec<List>,
    debug_next: Vec<u32>,
}

impl Code {
    /// Reads a function without bundles; an instruction's number is its entry at first. The operands are taken
    /// out of `facts`.
    pub fn read(&mut self, facts: &mut FunctionFacts, debug: &[DebugOperand]) {
        self.instrs.clear();
        self.links.clear();
        self.freed.clear();
        let num_regs = facts.shape.num_virt_regs;
        self.lists.clear();
        self.lists.resize(num_regs, List::EMPTY);
        self.num_copy_operands.clear();
        self.num_copy_operands.resize(num_regs, 0);
        self.renamed.clear();
        self.renamed.extend((0..num_regs as u32).map(Cell::new));
        // Both sides keep an allocation.
        std::mem::swap(&mut self.operands, &mut facts.operands);
        self.links.reserve(self.operands.len());
        self.instrs.reserve(facts.num_instrs() + facts.shape.num_blocks() + 1);
        for block in 0..facts.shape.num_blocks() {
            self.instrs.push(Instr::GONE);
            for i in facts.instrs(block) {
                let instr = self.instrs.len() as u32;
                self.instrs.push(Instr {
                    entry: instr,
                    block: block as u32,
                    first_operand: facts.first_operand[i],
                    packed: facts.num_operands[i] << 8 | u32::from(facts.instr_flags[i].bits()),
                });
                for operand in facts.first_operand[i]..facts.first_operand[i + 1] {
                    self.links.push(OperandLink { instr, next: NONE });
                    self.link(operand);
                }
                self.count_if_copy(instr, 1);
            }
        }
        self.instrs.push(Instr::GONE);
        self.read_debug(num_regs, debug);
    }

    fn read_debug(&mut self, num_regs: usize, debug: &[DebugOperand]) {
        self.debug.clear();
        self.debug_lists.clear();
        self.debug_next.clear();
        if debug.is_empty() {
            return;
        }
        self.debug.extend_from_slice(debug);
        self.debug_lists.resize(num_regs, List::EMPTY);
        self.debug_next.resize(debug.len(), NONE);
        for (i, d) in debug.iter().enumerate() {
            append(&mut self.debug_lists[d.reg as usize], i as u32, |last| {
                self.debug_next[last as usize] = i as u32
            });
        }
    }

    fn link(&mut self, operand: u32) {
        let op = self.operands[operand as usize];
        if op.is_reg() && op.reg().is_virtual() {
            debug_assert!(self.is_root(op.reg().virt_index() as u32));
            let list = &mut self.lists[op.reg().virt_index()];
            append(list, operand, |last| self.links[last as usize].next = operand);
        }
    }

    /// A copy has come (1) or goes (-1).
    fn count_if_copy(&mut self, instr: u32, change: i32) {
        if !self.is_copy(instr) {
            return;
        }
        for index in 0..self.num_operands(instr) {
            let op = self.operand(Place { instr, index });
            if op.is_virtual() {
                let count = &mut self.num_copy_operands[op.reg().virt_index()];
                *count = count.wrapping_add_signed(change);
            }
        }
    }
    /// Whether a copy other than `copy` names `reg`.
    pub fn has_other_copy(&self, reg: u32, copy: u32) -> bool {
        let named = |op: &Operand| op.is_reg() && op.reg() == Register::virt(reg);
        let own = self.operands(copy).filter(named).count() as u32;
        let has = self.num_copy_operands[reg as usize] > own;
        debug_assert_eq!(has, !self.all_places(reg, |p, _| p.instr == copy || !self.is_copy(p.instr)));
        has
    }

    /// How many virtual registers there are.
    pub fn num_regs(&self) -> usize {
        self.lists.len()
    }
    /// A register like the others, which nothing names yet.
    pub fn new_reg(&mut self) -> u32 {
        let reg = self.lists.len() as u32;
        self.lists.push(List::EMPTY);
        self.num_copy_operands.push(0);
        self.renamed.push(Cell::new(reg));
        if !self.debug_lists.is_empty() {
            self.debug_lists.push(List::EMPTY);
        }
        reg
    }
    /// What register `reg` is now.
    pub fn root(&self, mut reg: u32) -> u32 {
        loop {
            let up = self.renamed[reg as usize].get();
            if up == reg {
                return reg;
            }
            let upper = self.renamed[up as usize].get();
            self.renamed[reg as usize].set(upper);
            reg = upper;
        }
    }
    /// Whether an operand of `reg` is one of `reg`: a register that was joined has no operands of its own.
    fn is_root(&self, reg: u32) -> bool {
        self.renamed[reg as usize].get() == reg
    }
    /// Writes into every operand the register that it names now: those that were joined are free for another use.
    /// Linear in the operands.
    pub fn settle(&mut self) {
        for at in 0..self.operands.len() {
            self.operands[at] = self.resolve(self.operands[at]);
        }
        for at in 0..self.debug.len() {
            let reg = self.debug[at].reg;
            if reg != NONE {
                self.debug[at].reg = self.root(reg);
            }
        }
        for (reg, up) in self.renamed.iter().enumerate() {
            up.set(reg as u32);
        }
    }
    /// Makes every operand of `src` one of `dst`.
    pub fn rename(&mut self, src: u32, dst: u32) {
        self.renamed[src as usize].set(dst);
        let copies = std::mem::take(&mut self.num_copy_operands[src as usize]);
        self.num_copy_operands[dst as usize] += copies;
        let moved = std::mem::replace(&mut self.lists[src as usize], List::EMPTY);
        concat(&mut self.lists[dst as usize], moved, |last| self.links[last as usize].next = moved.first);
        if !self.debug.is_empty() {
            let moved = std::mem::replace(&mut self.debug_lists[src as usize], List::EMPTY);
            concat(&mut self.debug_lists[dst as usize], moved, |last| {
                self.debug_next[last as usize] = moved.first;
            });
        }
    }

    /// Makes every operand of `src` one of a physical register; those of debug instructions are not known any more.
    pub fn rename_to_phys(&mut self, src: u32, dst: Register) {
        self.num_copy_operands[src as usize] = 0;
        let mut at = std::mem::replace(&mut self.lists[src as usize], List::EMPTY).first;
        while at != NONE {
            let op = &mut self.operands[at as usize];
            *op = op.renamed(dst);
            if op.is_use() {
                *op = op.with_kill(false);
            }
            at = self.links[at as usize].next;
        }
        self.forget_debug_operands(src);
    }

    /// An instruction.
    pub fn instr(&self, instr: u32) -> &Instr {
        &self.instrs[instr as usize]
    }
    /// How many numbers of instructions there are.
    pub fn num_instrs(&self) -> usize {
        self.instrs.len()
    }
    /// Whether it has not been erased.
    pub fn is_alive(&self, instr: u32) -> bool {
        self.instrs[instr as usize].block != NONE
    }
    /// COPY
    pub fn is_copy(&self, instr: u32) -> bool {
        self.instrs[instr as usize].flags().is_copy()
    }
    /// IMPLICIT_DEF
    pub fn is_implicit_def(&self, instr: u32) -> bool {
        self.instrs[instr as usize].flags().is_implicit_def()
    }
    /// Its flags.
    pub fn kind(&self, instr: u32) -> InstrFlags {
        self.instrs[instr as usize].flags()
    }
    /// How many operands it has.
    pub fn num_operands(&self, instr: u32) -> u32 {
        self.instrs[instr as usize].num_operands()
    }
    /// An operand, of the register that it has now.
    pub fn operand(&self, place: Place) -> Operand {
        self.resolve(self.operands[(self.instrs[place.instr as usize].first_operand + place.index) as usize])
    }
    /// The operands of an instruction, of the registers that they have now.
    pub fn operands(&self, instr: u32) -> impl ExactSizeIterator<Item = Operand> + '_ {
        let i = &self.instrs[instr as usize];
        let operands = &self.operands[i.first_operand as usize..][..i.num_operands() as usize];
        operands.iter().map(|&op| self.resolve(op))
    }
    fn resolve(&self, op: Operand) -> Operand {
        if op.is_reg() && op.reg().is_virtual() {
            let reg = self.root(op.reg().virt_index() as u32);
            op.renamed(Register::virt(reg))
        } else {
            op
        }
    }
    /// The registers that a COPY defines and reads.
    pub fn copy_regs(&self, copy: u32) -> (Register, Register) {
        let reg = |index| self.operand(Place { instr: copy, index }).reg();
        (reg(0), reg(1))
    }
    /// Whether every register that the instruction defines is dead.
    pub fn all_defs_are_dead(&self, instr: u32) -> bool {
        self.operands(instr).all(|op| !op.is_def() || op.is_dead())
    }
    /// Whether the instruction reads register `reg`.
    pub fn reads(&self, instr: u32, reg: u32) -> bool {
        let reg = Register::virt(reg);
        self.operands(instr).any(|op| op.is_reg() && op.reg() == reg && op.reads())
    }
    /// Changes flags of an operand; whether that is a change.
    pub fn set_flag(&mut self, place: Place, shift: u32, value: bool) -> bool {
        let at = self.instrs[place.instr as usize].first_operand + place.index;
        let op = &mut self.operands[at as usize];
        let new = Operand(op.0 & !(1 << shift) | u64::from(value) << shift);
        std::mem::replace(op, new) != new
    }

    /// Whether nothing but debug instructions names `reg`.
    pub fn is_unnamed(&mut self, reg: u32) -> bool {
        self.drop_erased(reg);
        self.lists[reg as usize].first == NONE
    }
    /// Takes erased operands off the head of the list.
    fn drop_erased(&mut self, reg: u32) {
        let mut first = self.lists[reg as usize].first;
        while first != NONE && !self.is_linked(first) {
            first = self.links[first as usize].next;
        }
        self.lists[reg as usize].first = first;
        if first == NONE {
            self.lists[reg as usize].last = NONE;
        }
    }
    fn is_linked(&self, operand: u32) -> bool {
        self.links[operand as usize].instr != NONE
    }
    /// The operands that name `reg`, but for those of debug instructions, into `out`; takes erased ones off
    /// the list.
    pub fn places(&mut self, reg: u32, out: &mut Vec<Place>) {
        out.clear();
        self.drop_erased(reg);
        let mut at = self.lists[reg as usize].first;
        while at != NONE {
            let instr = self.links[at as usize].instr;
            out.push(Place { instr, index: at - self.instrs[instr as usize].first_operand });
            let mut next = self.links[at as usize].next;
            while next != NONE && !self.is_linked(next) {
                next = self.links[next as usize].next;
            }
            self.links[at as usize].next = next;
            if next == NONE {
                self.lists[reg as usize].last = at;
            }
            at = next;
        }
    }
    /// The same without taking anything off, as long as `f` says so; whether it did to the end.
    pub fn all_places(&self, reg: u32, mut f: impl FnMut(Place, Operand) -> bool) -> bool {
        let mut at = self.lists[reg as usize].first;
        while at != NONE {
            let OperandLink { instr, next } = self.links[at as usize];
            if instr != NONE {
                let index = at - self.instrs[instr as usize].first_operand;
                if !f(Place { instr, index }, self.resolve(self.operands[at as usize])) {
                    return false;
                }
            }
            at = next;
        }
        true
    }
    /// The operands of debug instructions that name `reg`, by position in [`Code::debug`].
    pub fn debug_operands(&self, reg: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.debug_lists.get(reg as usize).map_or(NONE, |l| l.first);
        let next = |&i: &u32| Some(self.debug_next[i as usize]).filter(|&i| i != NONE);
        let all = std::iter::successors(Some(first).filter(|&i| i != NONE), next);
        all.filter(|&i| self.debug[i as usize].reg != NONE)
    }
    /// Moves operands of `from` to other registers: `moves`, in the order of [`Code::places`].
    pub fn distribute(&mut self, from: u32, moves: &[(Place, u32)]) {
        let mut moves = moves.iter().peekable();
        let mut at = std::mem::replace(&mut self.lists[from as usize], List::EMPTY).first;
        while at != NONE {
            let OperandLink { instr, next } = self.links[at as usize];
            if instr != NONE {
                let place = Place { instr, index: at - self.instrs[instr as usize].first_operand };
                let reg = moves.next_if(|m| m.0 == place).map_or(from, |m| m.1);
                debug_assert!(self.is_root(reg));
                self.links[at as usize].next = NONE;
                let op = &mut self.operands[at as usize];
                *op = op.renamed(Register::virt(reg));
                if reg != from && self.is_copy(instr) {
                    self.num_copy_operands[from as usize] -= 1;
                    self.num_copy_operands[reg as usize] += 1;
                }
                append(&mut self.lists[reg as usize], at, |last| self.links[last as usize].next = at);
            }
            at = next;
        }
        debug_assert!(moves.next().is_none());
    }
    /// Moves the operands of debug instructions that name `from`, each where `to` says.
    pub fn move_debug_operands(&mut self, from: u32, mut to: impl FnMut(u32) -> u32) {
        let Some(list) = self.debug_lists.get_mut(from as usize) else { return };
        let mut at = std::mem::replace(list, List::EMPTY).first;
        while at != NONE {
            let next = std::mem::replace(&mut self.debug_next[at as usize], NONE);
            if self.debug[at as usize].reg != NONE {
                let reg = to(at);
                self.debug[at as usize].reg = reg;
                append(&mut self.debug_lists[reg as usize], at, |last| self.debug_next[last as usize] = at);
            }
            at = next;
        }
    }
    /// The debug instructions that name `reg` name a physical register instead.
    pub fn forget_debug_operands(&mut self, reg: u32) {
        let operands: Vec<u32> = self.debug_operands(reg).collect();
        for i in operands {
            self.debug[i as usize].reg = NONE;
        }
    }
    /// The operands of the debug instruction that operand `debug` is of.
    pub fn debug_instr(&self, debug: u32) -> std::ops::Range<usize> {
        let instr = self.debug[debug as usize].instr;
        let (before, behind) = self.debug.split_at(debug as usize);
        let same = |d: &&DebugOperand| d.instr == instr;
        let first = debug as usize - before.iter().rev().take_while(same).count();
        first..debug as usize + behind.iter().take_while(same).count()
    }
    /// Whether that debug instruction names `reg`.
    pub fn debug_instr_names(&self, debug: u32, reg: u32) -> bool {
        self.debug[self.debug_instr(debug)].iter().any(|d| d.reg != NONE && self.root(d.reg) == reg)
    }
    /// That debug instruction names nothing any more.
    pub fn undef_debug_instr(&mut self, debug: u32) {
        let operands = self.debug_instr(debug);
        for d in &mut self.debug[operands] {
            d.reg = NONE;
        }
    }

    /// Erases an instruction: it and its slot are free again.
    pub fn erase(&mut self, instr: u32, slots: &mut Slots) {
        slots.clear_instr(self.instrs[instr as usize].entry);
        self.unlink(instr);
        self.instrs[instr as usize] = Instr::GONE;
        self.freed.push(instr);
    }
    fn unlink(&mut self, instr: u32) {
        self.count_if_copy(instr, -1);
        let i = self.instrs[instr as usize];
        for link in &mut self.links[i.first_operand as usize..][..i.num_operands() as usize] {
            link.instr = NONE;
        }
    }
    /// Makes a COPY an IMPLICIT_DEF, without the operand that it read.
    pub fn make_implicit_def(&mut self, copy: u32) {
        self.count_if_copy(copy, -1);
        let i = self.instrs[copy as usize];
        for link in &mut self.links[i.first_operand as usize + 1..][..i.num_operands() as usize - 1] {
            link.instr = NONE;
        }
        let i = &mut self.instrs[copy as usize];
        i.packed = 1 << 8 | u32::from(i.flags().to_implicit_def().bits());
    }
    /// Makes an instruction that defines and reads one register each a COPY.
    pub fn make_copy(&mut self, instr: u32) {
        let i = &mut self.instrs[instr as usize];
        debug_assert!(i.num_operands() == 2);
        i.packed = 2 << 8 | u32::from(i.flags().to_copy().bits());
        self.count_if_copy(instr, 1);
    }
    /// Makes an instruction one of physical registers alone.
    pub fn make_kill(&mut self, instr: u32) {
        self.unlink(instr);
        self.instrs[instr as usize].packed = 0;
    }
    /// The number that the next new instruction gets.
    pub fn new_instr(&mut self) -> u32 {
        self.freed.pop().unwrap_or_else(|| {
            self.instrs.push(Instr::GONE);
            self.instrs.len() as u32 - 1
        })
    }
    /// The number that was given last is not needed.
    pub fn drop_new_instr(&mut self, instr: u32) {
        self.freed.push(instr);
    }
    /// Puts an instruction of this number, new or changed, with these operands at `entry`.
    pub fn set_instr(&mut self, instr: u32, entry: u32, block: u32, kind: InstrFlags, operands: &[Operand]) {
        if self.is_alive(instr) {
            self.unlink(instr);
        }
        let first_operand = self.operands.len() as u32;
        let packed = (operands.len() as u32) << 8 | u32::from(kind.bits());
        self.instrs[instr as usize] = Instr { entry, block, first_operand, packed };
        for (i, &op) in operands.iter().enumerate() {
            self.operands.push(op);
            self.links.push(OperandLink { instr, next: NONE });
            self.link(first_operand + i as u32);
        }
        self.count_if_copy(instr, 1);
    }
    /// Entries have new numbers.
    pub fn renumber(&mut self, new: impl Fn(u32) -> u32) {
        for i in self.instrs.iter_mut().filter(|i| i.block != NONE) {
            i.entry = new(i.entry);
        }
        for d in &mut self.debug {
            d.entry = new(d.entry);
        }
    }
}

fn append(list: &mut List, item: u32, link: impl FnOnce(u32)) {
    if list.first == NONE {
        list.first = item;
    } else {
        link(list.last);
    }
    list.last = item;
}

fn concat(list: &mut List, more: List, link: impl FnOnce(u32)) {
    if more.first == NONE {
        return;
    }
    if list.first == NONE {
        *list = more;
    } else {
        link(list.last);
        list.last = more.last;
    }
}
