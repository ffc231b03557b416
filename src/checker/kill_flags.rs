//! Checks kill flags.
//!
//! **Problem.** After a use that is flagged as the last one of its register, the register may not
//! be read until it is defined again.
//!
//! **Algorithm.** A walk over each block finds reads after kills within the block. It also finds
//! the registers that the block reads before it defines them (its upward-exposed reads). And it
//! finds the registers whose last event in the block is a kill or a def. A second walk goes from
//! the exposed reads back over predecessors, up to defs. A block on the path that ends with a kill
//! is a fault. A flag on part of a register says nothing about the other parts and is ignored.
//!
//! **Source.** Upward-exposed reads are those of liveness analysis. **Deviation.** The check is on
//! demand, register by register, for those that are both killed and exposed. **Complexity.**
//! Linear, plus, for these registers, the blocks that they are live through.

use super::instr::Instr;
use super::program::Program;
use crate::adt::PackedOption;
use crate::mir::{BlockId, InstrId, VRegId};
use index_vec::IndexVec;

/// Buffers, kept from function to function.
#[derive(Default)]
pub struct KillFlags {
    /// By register: its last event.
    last: IndexVec<VRegId, LastEvent>,
    exposed: Vec<ExposedRead>,
    /// The kills and defs that are the last event of their register in a block.
    block_ends: Vec<BlockEnd>,
    /// The registers that have an event in the block.
    of_block: Vec<VRegId>,
    /// By block: its last event of the register that is followed, if that is a kill or a def.
    marks: IndexVec<BlockId, Mark>,
    /// By block: the last register that was followed into it.
    seen: IndexVec<BlockId, PackedOption<VRegId>>,
    stack: Vec<BlockId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Read,
    Defined,
    Killed,
}

#[derive(Clone, Copy)]
struct LastEvent {
    block: PackedOption<BlockId>,
    event: Event,
}

impl LastEvent {
    /// Returns the event if it is in `block`.
    fn in_block(self, block: BlockId) -> Option<Event> {
        (self.block.get() == Some(block)).then_some(self.event)
    }
}

/// A register that a block reads before defining it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ExposedRead {
    reg: VRegId,
    block: BlockId,
}

struct BlockEnd {
    reg: VRegId,
    block: BlockId,
    event: Event,
}

#[derive(Clone, Copy)]
struct Mark {
    reg: PackedOption<VRegId>,
    event: Event,
}

/// A read of a register after its last use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadAfterKill {
    /// The register.
    pub reg: VRegId,
    /// The instruction that reads it. `None` if another block does, into which it is live from
    /// `block`.
    pub instr: Option<InstrId>,
    /// The block that kills it.
    pub block: BlockId,
}

impl KillFlags {
    /// Finds a read after a kill.
    pub fn check(&mut self, p: &Program) -> Result<(), ReadAfterKill> {
        self.last.clear();
        self.last.resize(p.num_regs, LastEvent { block: PackedOption::NONE, event: Event::Read });
        self.exposed.clear();
        self.block_ends.clear();
        for block in p.blocks() {
            self.check_block(p, block)?;
        }
        self.check_exposed(p)
    }

    fn check_block(&mut self, p: &Program, block: BlockId) -> Result<(), ReadAfterKill> {
        self.of_block.clear();
        for instr in p.block(block) {
            let operands = p.operands(instr);
            if !p.instr(instr).is(Instr::PHI) {
                for reg in
                    operands.iter().filter(|op| op.is_virtual() && op.reads()).filter_map(|op| op.vreg())
                {
                    match self.last[reg].in_block(block) {
                        Some(Event::Killed) => {
                            return Err(ReadAfterKill { reg, instr: Some(instr), block });
                        }
                        Some(_) => {}
                        None => {
                            self.set_last(reg, block, Event::Read);
                            self.exposed.push(ExposedRead { reg, block });
                        }
                    }
                }
                let kills = operands.iter().filter(|op| op.is_kill() && op.is_whole());
                for reg in kills.filter_map(|op| op.vreg()) {
                    self.last[reg] = LastEvent { block: block.into(), event: Event::Killed };
                }
            }
            let defs = operands.iter().filter(|op| op.is_def());
            defs.filter_map(|op| op.vreg()).for_each(|reg| self.set_last(reg, block, Event::Defined));
        }
        for &reg in &self.of_block {
            let event = self.last[reg].event;
            if event != Event::Read {
                self.block_ends.push(BlockEnd { reg, block, event });
            }
        }
        Ok(())
    }

    fn set_last(&mut self, reg: VRegId, block: BlockId, event: Event) {
        if self.last[reg].in_block(block).is_none() {
            self.of_block.push(reg);
        }
        self.last[reg] = LastEvent { block: block.into(), event };
    }

    /// Follows the exposed reads back to defs.
    fn check_exposed(&mut self, p: &Program) -> Result<(), ReadAfterKill> {
        self.exposed.sort_unstable();
        self.block_ends.sort_unstable_by_key(|end| (end.reg, end.block));
        self.marks.clear();
        self.marks.resize(p.num_blocks(), Mark { reg: PackedOption::NONE, event: Event::Read });
        self.seen.clear();
        self.seen.resize(p.num_blocks(), PackedOption::NONE);
        let mut block_ends = self.block_ends.iter().peekable();
        for reads in self.exposed.chunk_by(|a, b| a.reg == b.reg) {
            let reg = reads[0].reg;
            let mut is_killed = false;
            while let Some(end) = block_ends.next_if(|end| end.reg <= reg) {
                if end.reg == reg {
                    self.marks[end.block] = Mark { reg: reg.into(), event: end.event };
                    is_killed |= end.event == Event::Killed;
                }
            }
            if !is_killed {
                continue;
            }
            self.stack.clear();
            self.stack.extend(reads.iter().map(|read| read.block));
            while let Some(block) = self.stack.pop() {
                for &pred in p.preds(block) {
                    let mark = self.marks[pred];
                    match mark.event {
                        Event::Killed if mark.reg.get() == Some(reg) => {
                            return Err(ReadAfterKill { reg, instr: None, block: pred });
                        }
                        Event::Defined if mark.reg.get() == Some(reg) => continue,
                        _ => {}
                    }
                    let last = std::mem::replace(&mut self.seen[pred], reg.into());
                    if last.get() != Some(reg) {
                        self.stack.push(pred);
                    }
                }
            }
        }
        Ok(())
    }
}
