//! LiveVariables' view (row L1): for each register the blocks that it is alive through, and its kills.
//!
//! **Problem.** LLVM finds these by walking up from every use. They follow from where a register is live out:
//! it is *alive in* a block if it is live out and not defined there, and what touches it last in a block that
//! it is not live out of is its *kill* there (the def itself if nothing reads it). PHI uses count as live out
//! of the predecessor and kill nothing.
//!
//! LLVM lists kills in the order in which a depth-first walk over the graph meets their blocks, and consumers
//! follow that order, so it is kept.
//!
//! **Source.** `LiveVariables.cpp`. **Deviation:** none in the result. **Complexity:** linear in the result.

use super::block_facts::NONE;
use super::propagate::{for_each_reg, CLASSES, WORD};
use super::{Liveness, Unsuited};
use crate::mir::{FunctionFacts, Register};
use std::mem::take;

/// One register's part of [`LiveVariables`]: ranges of its arrays.
#[repr(C)] // handed to the shim as it is
#[derive(Clone, Copy, Debug)]
pub struct VarInfo {
    /// Virtual register index.
    pub reg: u32,
    /// First block.
    pub first_alive: u32,
    /// How many.
    pub num_alive: u32,
    /// First kill.
    pub first_kill: u32,
    /// How many.
    pub num_kills: u32,
}

/// The result, in arenas.
#[derive(Default, Debug)]
pub struct LiveVariables {
    /// By register, ascending; one that no instruction defines is missing.
    pub infos: Vec<VarInfo>,
    /// LLVM's numbers of blocks.
    pub alive: Vec<u32>,
    /// Instructions.
    pub kills: Vec<u32>,
    /// By kill, the operand that reads last; [`NONE`] if the kill is the def.
    pub read_by: Vec<u32>,
    /// By register of the group, and by register of the function.
    piece: Vec<u32>,
    info_of: Vec<u32>,
    alive_rows: Vec<(u8, u32)>,
    kill_rows: Vec<(u8, u32, u32)>, // position, preorder of the block, piece,
}

/// A change of an operand's flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagEdit {
    /// Kill flag of an operand (instruction, position there) set or taken away.
    Kill(u32, u32, bool),
    /// All defs of the register by the instruction are dead.
    Dead(u32, Register),
}

impl Liveness {
    /// The view, behind [`Liveness::analyze`].
    ///
    /// # Errors
    /// When the function is not in SSA form, or has blocks that cannot be reached, or bundles.
    pub fn live_variables(
        &self,
        function: &FunctionFacts,
        out: &mut LiveVariables,
    ) -> Result<(), Unsuited> {
        out.infos.clear();
        out.alive.clear();
        out.kills.clear();
        out.read_by.clear();
        if self.cfg.num_reachable != function.num_blocks() {
            return Err(Unsuited::NotSsa);
        }
        if function.instr_flags.iter().any(|f| f & FunctionFacts::IN_BUNDLE != 0) {
            return Err(Unsuited::Bundles);
        }
        if self.facts.regs.iter().any(|r| r.defs > 1) {
            return Err(Unsuited::NotSsa);
        }
        out.info_of.clear();
        out.info_of.resize(self.facts.regs.len(), NONE);
        for (reg, r) in self.facts.regs.iter().enumerate().filter(|(_, r)| r.defs == 1) {
            out.info_of[reg] = out.infos.len() as u32;
            let first_kill = out.kills.len() as u32;
            if !r.global {
                self.push_kill(r.first, out);
            }
            out.infos.push(VarInfo {
                reg: reg as u32,
                first_alive: 0,
                num_alive: 0,
                first_kill,
                num_kills: u32::from(!r.global),
            });
        }
        for group in 0..self.sets.num_groups() {
            self.view_group(function, group, out)?;
        }
        Ok(())
    }

    /// Where a piece ends is a kill.
    fn push_kill(&self, piece: u32, out: &mut LiveVariables) {
        let piece = &self.facts.pieces[piece as usize];
        out.kills.push(self.slots.instr_at(piece.end).expect("a piece ends at an instruction") as u32);
        out.read_by.push(piece.read_by);
    }

    fn view_group(
        &self,
        function: &FunctionFacts,
        group: usize,
        out: &mut LiveVariables,
    ) -> Result<(), Unsuited> {
        out.alive_rows.clear();
        out.kill_rows.clear();
        out.piece.clear();
        out.piece.resize(CLASSES * WORD, NONE);
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                out.piece[class * WORD + bit] = self.facts.regs[reg as usize].first;
            }
        }
        for &(block, ref sets) in self.sets.rows(group) {
            if block == 0 && sets.live_in != [0; CLASSES] {
                return Err(Unsuited::NotSsa); // some path from the entry has no def
            }
            if (0..CLASSES).any(|c| sets.exposed[c] & sets.defined[c] != 0) {
                return Err(Unsuited::NotSsa); // used before its def in the same block
            }
            for_each_reg(sets, |class, bit, reg| {
                let piece = out.piece[reg];
                let here = self.facts.pieces.get(piece as usize).filter(|p| p.block == block);
                // In SSA there is one piece in a block.
                if let Some(p) = here {
                    out.piece[reg] = p.next;
                }
                if sets.live_out[class] >> bit & 1 != 0 {
                    if sets.defined[class] >> bit & 1 == 0 {
                        out.alive_rows.push((reg as u8, function.numbers[block as usize]));
                    }
                } else if here.is_some() {
                    let order = self.cfg.preorder[block as usize];
                    out.kill_rows.push((reg as u8, order, piece));
                }
            });
        }
        out.alive_rows.sort_unstable();
        out.kill_rows.sort_unstable();
        let (alive_rows, kill_rows) = (take(&mut out.alive_rows), take(&mut out.kill_rows));
        let (mut alive, mut kill) = (alive_rows.iter().peekable(), kill_rows.iter().peekable());
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                let i = (class * WORD + bit) as u8;
                let (first_alive, first_kill) = (out.alive.len() as u32, out.kills.len() as u32);
                while let Some(&(_, number)) = alive.next_if(|r| r.0 == i) {
                    out.alive.push(number);
                }
                while let Some(&(_, _, piece)) = kill.next_if(|r| r.0 == i) {
                    self.push_kill(piece, out);
                }
                out.infos[out.info_of[reg as usize] as usize] = VarInfo {
                    reg,
                    first_alive,
                    num_alive: out.alive.len() as u32 - first_alive,
                    first_kill,
                    num_kills: out.kills.len() as u32 - first_kill,
                };
            }
        }
        (out.alive_rows, out.kill_rows) = (alive_rows, kill_rows);
        Ok(())
    }
}

impl LiveVariables {
    /// What LLVM puts on the operands of virtual registers for these kills: the first operand that reads a
    /// register at its kill has the flag and no other has, PHIs aside; a def that is its own kill is dead. Marks
    /// operands of `function` on the way.
    pub fn flag_edits(&self, function: &mut FunctionFacts, mut edit: impl FnMut(FlagEdit)) {
        for info in &self.infos {
            let kills = info.first_kill as usize..(info.first_kill + info.num_kills) as usize;
            for (&kill, &operand) in self.kills[kills.clone()].iter().zip(&self.read_by[kills]) {
                match function.operands.get_mut(operand as usize) {
                    Some(operand) => operand.mark(),
                    None => edit(FlagEdit::Dead(kill, Register::virt(info.reg))),
                }
            }
        }
        for i in 0..function.num_instrs() {
            if function.is_phi(i) {
                continue;
            }
            for (index, op) in function.operands(i).iter().enumerate() {
                if op.is_use() && op.reg().is_virtual() && op.is_kill() != op.is_marked() {
                    edit(FlagEdit::Kill(i as u32, index as u32, op.is_marked()));
                }
            }
        }
    }
}
