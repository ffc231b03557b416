//! Kill flags and ties.
//!
//! **Problem.** Behind a use that is flagged as the last one of its register nobody may read it before it is
//! defined again; registers of tied operands are the same when two-address is done.
//!
//! **Algorithm.** A walk over each block finds reads behind kills there, the registers that blocks read before
//! they define them, and those that end with a kill. From these reads the walk goes back over predecessors, up
//! to defs; a block that ends with a kill on the way is a fault. A flag on part of a register says nothing of the
//! others and is left out. **Complexity.** Linear, but for registers that are both killed and read across
//! blocks: the blocks that they are live through.

use super::program::{Instr, Program, NONE};

/// Buffers.
#[derive(Default)]
pub struct Kills {
    /// By register, the last block where it was read, defined or killed, and the last event there.
    state: Vec<(u32, State)>,
    /// (register, block): read ahead of a def.
    exposed: Vec<(u32, u32)>,
    /// (register, block): the last event is a kill, or a def.
    last: Vec<(u32, u32, State)>,
    touched: Vec<u32>,
    /// By block, what is known for the register that is looked at.
    marks: Vec<(u32, State)>,
    seen: Vec<u32>,
    stack: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Read,
    Defined,
    Killed,
}

/// A read of a register behind its last use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadBehindKill {
    /// The register.
    pub reg: u32,
    /// Who reads it; none if it is the end of `block` that it must not reach.
    pub instr: Option<u32>,
    /// The block.
    pub block: u32,
}

impl Kills {
    /// Finds a read behind a kill.
    pub fn check(&mut self, p: &Program) -> Result<(), ReadBehindKill> {
        self.state.clear();
        self.state.resize(p.num_regs, (NONE, State::Read));
        self.exposed.clear();
        self.last.clear();
        for block in 0..p.num_blocks() as u32 {
            self.block(p, block)?;
        }
        self.across(p)
    }

    fn block(&mut self, p: &Program, block: u32) -> Result<(), ReadBehindKill> {
        self.touched.clear();
        for i in p.block(block) {
            if p.instr(i).is(Instr::PHI) {
                self.define(p, block, i);
                continue;
            }
            for op in p.operands(i).iter().filter(|op| op.is_virtual() && op.reads()) {
                let reg = op.reg().virt_index() as u32;
                match self.state[reg as usize] {
                    (b, State::Killed) if b == block => {
                        return Err(ReadBehindKill { reg, instr: Some(i), block });
                    }
                    (b, _) if b == block => {}
                    _ => {
                        self.state[reg as usize] = (block, State::Read);
                        self.touched.push(reg);
                        self.exposed.push((reg, block));
                    }
                }
            }
            for op in p.operands(i).iter().filter(|op| op.is_virtual() && op.is_kill() && op.subreg() == 0) {
                if !op.is_undef() {
                    self.state[op.reg().virt_index()] = (block, State::Killed);
                }
            }
            self.define(p, block, i);
        }
        for &reg in &self.touched {
            let state = self.state[reg as usize].1;
            if state != State::Read {
                self.last.push((reg, block, state));
            }
        }
        Ok(())
    }

    fn define(&mut self, p: &Program, block: u32, i: u32) {
        for op in p.operands(i).iter().filter(|op| op.is_def() && op.is_virtual()) {
            let reg = op.reg().virt_index();
            if self.state[reg].0 != block {
                self.touched.push(reg as u32);
            }
            self.state[reg] = (block, State::Defined);
        }
    }

    fn across(&mut self, p: &Program) -> Result<(), ReadBehindKill> {
        self.exposed.sort_unstable();
        self.last.sort_unstable_by_key(|l| (l.0, l.1));
        self.marks.clear();
        self.marks.resize(p.num_blocks(), (NONE, State::Read));
        self.seen.clear();
        self.seen.resize(p.num_blocks(), NONE);
        let mut last = self.last.iter().peekable();
        let mut exposed = &self.exposed[..];
        while let Some(&(reg, _)) = exposed.first() {
            let n = exposed.partition_point(|e| e.0 == reg);
            let (mine, rest) = exposed.split_at(n);
            exposed = rest;
            let mut is_killed = false;
            while let Some(l) = last.next_if(|l| l.0 <= reg) {
                if l.0 == reg {
                    self.marks[l.1 as usize] = (reg, l.2);
                    is_killed |= l.2 == State::Killed;
                }
            }
            if !is_killed {
                continue;
            }
            self.stack.clear();
            self.stack.extend(mine.iter().map(|e| e.1));
            while let Some(block) = self.stack.pop() {
                for pred in p.preds(block).iter().map(|p| p.raw()) {
                    match self.marks[pred as usize] {
                        (r, State::Killed) if r == reg => {
                            return Err(ReadBehindKill { reg, instr: None, block: pred });
                        }
                        (r, State::Defined) if r == reg => continue,
                        _ => {}
                    }
                    if std::mem::replace(&mut self.seen[pred as usize], reg) != reg {
                        self.stack.push(pred);
                    }
                }
            }
        }
        Ok(())
    }
}
