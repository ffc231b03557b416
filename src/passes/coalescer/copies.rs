//! Which copy is tried when.
//!
//! **Problem.** Every join makes ranges longer and others impossible, so the order decides what is left.
//!
//! **Algorithm.** Blocks by loop depth, deepest first; then split edges, if wanted; then by how many edges they
//! have; then by number. The copies of a block are tried at once, those that failed and may succeed later
//! again when all blocks are done, until a round changes nothing. With `join-globalcopies` the copies of local
//! registers wait until a loop depth is done. The terminal rule puts a copy behind those of its block when
//! its destination has no other copy and interferes with the other register of another copy of the source.
//!
//! **Source.** `joinAllIntervals`, `copyCoalesceInMBB`, `copyCoalesceWorkList`, `applyTerminalRule`.
//! **Deviations:** what is erased is known by a stamp, where LLVM goes through all lists after every block.
//! The instruction in a list is known by its number, which a new instruction may get, as by its address in
//! LLVM; see [`super::code`].
//!
//! A copy that failed is tried again only if a range has changed that the failure depended on, where LLVM tries
//! all of them in every round.
//!
//! For the terminal rule the copies of a block are sorted by register, and how many copies name a register is
//! kept, where LLVM walks over all operands of a register for each of its copies.
//!
//! **Complexity.** Sorting of blocks and their copies; copies times the changes of what they depend on; the terminal
//! rule compares pairs of copies of one source in one block.

use super::code::Place;
use super::host::CoalescerHost;
use super::join::JoinOutcome;
use super::ranges::Ranges;
use super::Coalescing;
use crate::versions::VERSIONS;

/// What the place of a block in the order depends on.
#[derive(Clone, Copy, Debug)]
pub struct BlockPriority {
    /// In layout.
    pub block: u32,
    /// How many loops it is in.
    pub depth: u32,
    /// `join-splitedges` is on, and it is one.
    pub is_split_edge: bool,
    /// Predecessors and successors.
    pub num_edges: u32,
    /// LLVM's number.
    pub number: u32,
}

/// A copy in a list: its number, and how often that was given out when it came there.
#[derive(Clone, Copy, Debug)]
struct Entry {
    instr: u32,
    stamp: u32,
}

/// Two registers that could not be joined cannot be as long as the registers that this depended on have the
/// ranges that they had then.
#[derive(Clone, Copy, Default, Debug)]
pub struct Failure {
    /// See [`Ranges::now`]; 0 if there is none.
    then: u32,
    /// Both registers, and those that values were followed to.
    depends_on: [u32; Failure::MOST],
    num_depends_on: u32,
}

impl Failure {
    const MOST: usize = 6;

    /// None if it depended on too many to remember.
    pub fn new(depends: &Depends, ranges: &Ranges) -> Option<Failure> {
        let mut depends_on = [0; Failure::MOST];
        depends_on.get_mut(..depends.regs.len())?.copy_from_slice(&depends.regs);
        Some(Failure { then: ranges.now(), depends_on, num_depends_on: depends.regs.len() as u32 })
    }
    /// The registers that it depended on.
    pub fn depends_on(&self) -> &[u32] {
        &self.depends_on[..self.num_depends_on as usize]
    }
    /// Whether nothing that it depended on has changed.
    pub fn still_holds(&self, ranges: &Ranges) -> bool {
        self.then > 0 && self.depends_on().iter().all(|&reg| ranges.is_unchanged_since(reg, self.then))
    }
}

/// What an attempt depends on.
#[derive(Default)]
pub struct Depends {
    regs: Vec<u32>,
    on_more: bool,
}

impl Depends {
    /// A copy is tried.
    pub fn begin(&mut self) {
        self.regs.clear();
        self.on_more = false;
    }
    /// On the range of a register, and what it is named.
    pub fn on(&mut self, reg: u32) {
        if !self.regs.contains(&reg) {
            self.regs.push(reg);
        }
    }
    /// On something else that may change.
    pub fn on_more(&mut self) {
        self.on_more = true;
    }
}

/// The worklists.
#[derive(Default)]
pub struct Lists {
    /// By instruction.
    failures: Vec<Failure>,
    global: Vec<Entry>,
    local: Vec<Entry>,
    /// Those of the current block.
    block: Vec<Entry>,
    /// Virtual registers and the copies of the current block that name them, in order.
    named: Vec<(u32, u32)>,
    /// By instruction: no entry with another stamp is of it.
    stamps: Vec<u32>,
    /// By instruction: it has been erased, as LLVM's set of erased instructions has it.
    is_erased: Vec<bool>,
    /// By instruction: it was joined in this round.
    is_joined: Vec<bool>,
    joined: Vec<u32>,
}

impl Lists {
    /// Empties them, for a function of so many instructions.
    pub fn reset(&mut self, num_instrs: usize) {
        self.global.clear();
        self.local.clear();
        self.stamps.clear();
        self.is_erased.clear();
        self.is_joined.clear();
        self.joined.clear();
        self.failures.clear();
        self.grow(num_instrs);
    }
    fn grow(&mut self, num_instrs: usize) {
        self.stamps.resize(num_instrs, 0);
        self.is_erased.resize(num_instrs, false);
        self.is_joined.resize(num_instrs, false);
    }
    /// `instr` is erased.
    pub fn erased(&mut self, instr: u32) {
        self.is_erased[instr as usize] = true;
    }
    /// `copy` was joined: nobody but this round can come upon it again.
    pub fn joined(&mut self, copy: u32) {
        if std::mem::replace(&mut self.is_erased[copy as usize], false) {
            self.is_joined[copy as usize] = true;
            self.joined.push(copy);
        }
    }
    /// `instr` is a new copy, maybe of the number of an erased one.
    pub fn made_copy(&mut self, instr: u32) {
        self.made(instr);
        self.is_erased[instr as usize] = false;
        if let Some(failure) = self.failures.get_mut(instr as usize) {
            failure.then = 0;
        }
    }
    /// `instr` is a new instruction and no copy.
    pub fn made(&mut self, instr: u32) {
        if instr as usize >= self.stamps.len() {
            self.grow(instr as usize + 1);
        }
    }
    fn entry(&self, instr: u32) -> Entry {
        Entry { instr, stamp: self.stamps[instr as usize] }
    }
    /// Ends a round: the entries of what was joined are void.
    fn end_round(&mut self) {
        for copy in self.joined.drain(..) {
            self.stamps[copy as usize] += 1;
            self.is_joined[copy as usize] = false;
        }
    }
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Tries all copies (`joinAllIntervals`).
    pub fn join_all(&mut self, blocks: &[BlockPriority]) {
        let mut order: Vec<BlockPriority> = blocks.to_vec();
        order.sort_unstable_by_key(|b| {
            (std::cmp::Reverse(b.depth), !b.is_split_edge, std::cmp::Reverse(b.num_edges), b.number)
        });
        let mut depth = u32::MAX;
        for b in &order {
            if self.options.join_global_copies && b.depth < depth {
                self.join_locals();
                depth = b.depth;
            }
            self.join_block(b.block);
        }
        self.late_updates();
        self.join_locals();
        let mut list = std::mem::take(&mut self.b.lists.global);
        while self.round(&mut list) {}
        self.late_updates();
        list.clear();
        self.b.lists.global = list;
    }

    /// `copyCoalesceInMBB`
    fn join_block(&mut self, block: u32) {
        let mut list = std::mem::take(&mut self.b.lists.block);
        let (mut terminals, mut local_terminals) = (Vec::new(), Vec::new());
        let entries = self.slots.start(block).entry() + 1..self.slots.end(block).entry();
        let mut named = std::mem::take(&mut self.b.lists.named);
        if self.options.terminal_rule {
            self.copies_by_register(entries.clone(), &mut named);
        }
        for entry in entries {
            let Some(instr) = self.copy_at(entry) else { continue };
            let is_terminal = self.options.terminal_rule && self.is_terminal(instr, &named);
            let item = self.b.lists.entry(instr);
            let local = self.options.join_global_copies && self.is_local_copy(instr);
            match (local, is_terminal) {
                (false, false) => list.push(item),
                (false, true) => terminals.push(item),
                (true, false) => self.b.lists.local.push(item),
                (true, true) => local_terminals.push(item),
            }
        }
        self.b.lists.named = named;
        self.b.lists.local.append(&mut local_terminals);
        list.append(&mut terminals);
        self.round(&mut list);
        self.b.lists.global.append(&mut list);
        self.b.lists.block = list;
    }

    /// See [`Lists::named`].
    fn copies_by_register(&self, entries: std::ops::Range<u32>, named: &mut Vec<(u32, u32)>) {
        named.clear();
        for copy in entries.filter_map(|entry| self.copy_at(entry)) {
            let regs = self.code.operands(copy).filter(|op| op.is_virtual());
            named.extend(regs.map(|op| (op.reg().virt_index() as u32, copy)));
        }
        named.sort_unstable();
    }

    /// `coalesceLocals`
    fn join_locals(&mut self) {
        let mut list = std::mem::take(&mut self.b.lists.local);
        self.round(&mut list);
        self.b.lists.global.append(&mut list);
        self.b.lists.local = list;
    }

    /// Tries the copies of a list and leaves those in it that may succeed later; whether anything was done
    /// (`copyCoalesceWorkList`).
    fn round(&mut self, list: &mut Vec<Entry>) -> bool {
        let mut progress = false;
        let mut kept = 0;
        for i in 0..list.len() {
            let Entry { instr, stamp } = list[i];
            let lists = &self.b.lists;
            let void = lists.stamps[instr as usize] != stamp
                || lists.is_erased[instr as usize]
                || lists.is_joined[instr as usize];
            if void || !self.code.is_alive(instr) {
                continue;
            }
            if !self.fails_again(instr) {
                let outcome = self.join_copy(instr);
                progress |= outcome.done;
                if outcome.done || !outcome.again {
                    continue;
                }
                self.note_failure(instr);
            }
            list[kept] = list[i];
            kept += 1;
        }
        list.truncate(kept);
        self.b.lists.end_round();
        let stamps = &self.b.lists.stamps;
        list.retain(|e| stamps[e.instr as usize] == e.stamp);
        progress
    }

    /// Tries a copy that may have been tried before; none if nothing has changed since.
    pub fn try_again(&mut self, copy: u32) -> Option<JoinOutcome> {
        if self.fails_again(copy) {
            return None;
        }
        let outcome = self.join_copy(copy);
        if !outcome.done && outcome.again {
            self.note_failure(copy);
        }
        Some(outcome)
    }
    /// A round of [`Self::try_again`] is over.
    pub fn end_round(&mut self) {
        self.b.lists.end_round();
    }

    /// Whether nothing that an earlier attempt depended on has changed.
    fn fails_again(&self, copy: u32) -> bool {
        self.b.lists.failures.get(copy as usize).is_some_and(|f| f.still_holds(self.ranges))
    }
    /// The copy was tried and not joined.
    fn note_failure(&mut self, copy: u32) {
        if self.b.depends.on_more {
            return;
        }
        let Some(failure) = Failure::new(&self.b.depends, self.ranges) else { return };
        let failures = &mut self.b.lists.failures;
        if failures.len() <= copy as usize {
            failures.resize(self.code.num_instrs(), Failure::default());
        }
        failures[copy as usize] = failure;
    }

    /// Whether a copy is between registers one of which lives in one block alone (`isLocalCopy`).
    fn is_local_copy(&self, copy: u32) -> bool {
        let undef = self.code.operand(Place { instr: copy, index: 1 }).is_undef();
        let (dst, src) = self.code.copy_regs(copy);
        !undef
            && src.is_virtual()
            && dst.is_virtual()
            && (self.is_in_one_block(src.virt_index() as u32)
                || self.is_in_one_block(dst.virt_index() as u32))
    }

    /// `intervalIsInOneMBB`
    pub fn is_in_one_block(&self, reg: u32) -> bool {
        let range = self.ranges.get(reg);
        match (range.segments.first(), range.segments.last()) {
            (Some(first), Some(last)) => {
                !first.start.is_block()
                    && !last.end.is_block()
                    && self.slots.block_of(first.start) == self.slots.block_of(last.end)
            }
            _ => false,
        }
    }

    /// `applyTerminalRule`; `copies` as in [`Lists::named`].
    fn is_terminal(&self, copy: u32, copies: &[(u32, u32)]) -> bool {
        let (dst, src) = self.code.copy_regs(copy);
        if !dst.is_virtual() || !src.is_virtual() || self.code.has_other_copy(dst.virt_index() as u32, copy) {
            return false;
        }
        let (src_reg, dst_reg) = (src.virt_index() as u32, dst.virt_index() as u32);
        let interferes = |other: u32| {
            let seen = if VERSIONS.coalescer.terminal_rule_looks_at_other { other } else { copy };
            // Until LLVM 21 the two are taken for each other: source and destination of `copy` itself.
            let (other_dst, other_src) = self.code.copy_regs(seen);
            let other_reg = if other_dst == src { other_src } else { other_dst };
            other_reg.is_virtual()
                && self.code.has_other_copy(other_reg.virt_index() as u32, other)
                && self.ranges.get(other_reg.virt_index() as u32).overlaps(self.ranges.get(dst_reg))
        };
        let first = copies.partition_point(|c| c.0 < src_reg);
        let of_src = copies[first..].iter().take_while(|c| c.0 == src_reg);
        of_src.map(|c| c.1).filter(|&other| other != copy).any(interferes)
    }
}
