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
    info_of: Vec<u32>,
    /// Of the group at hand, as the blocks come: position of the register, and what goes to its lists.
    group_alive: Vec<(u8, u32)>,
    group_kills: Vec<(u8, u32)>,
}

/// By register of a group.
type ByReg = [u32; CLASSES * WORD];

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
        &mut self,
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
                let (instr, operand) = self.kill(r.first);
                out.kills.push(instr);
                out.read_by.push(operand);
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
            self.propagate(group);
            self.view_group(function, group, out)?;
        }
        Ok(())
    }

    /// Where a piece ends: instruction, and operand that reads if any does.
    fn kill(&self, piece: u32) -> (u32, u32) {
        let piece = &self.facts.pieces[piece as usize];
        (self.slots.instr_at(piece.end).expect("a piece ends at an instruction") as u32, piece.read_by)
    }

    fn view_group(
        &self,
        function: &FunctionFacts,
        group: usize,
        out: &mut LiveVariables,
    ) -> Result<(), Unsuited> {
        out.group_alive.clear();
        out.group_kills.clear();
        let mut piece: ByReg = [NONE; CLASSES * WORD];
        let (mut num_alive, mut num_kills): (ByReg, ByReg) = ([0; CLASSES * WORD], [0; CLASSES * WORD]);
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                piece[class * WORD + bit] = self.facts.regs[reg as usize].first;
            }
        }
        for &(block, ref sets) in self.sets.rows() {
            if block == 0 && sets.live_in != [0; CLASSES] {
                return Err(Unsuited::NotSsa); // some path from the entry has no def
            }
            if (0..CLASSES).any(|c| sets.exposed[c] & sets.defined[c] != 0) {
                return Err(Unsuited::NotSsa); // used before its def in the same block
            }
            for_each_reg(sets, |class, bit, reg| {
                let at = piece[reg];
                let here = self.facts.pieces.get(at as usize).filter(|p| p.block == block);
                // In SSA there is one piece in a block.
                if let Some(p) = here {
                    piece[reg] = p.next;
                }
                if sets.live_out[class] >> bit & 1 != 0 {
                    if sets.defined[class] >> bit & 1 == 0 {
                        num_alive[reg] += 1;
                        out.group_alive.push((reg as u8, function.numbers[block as usize]));
                    }
                } else if here.is_some() {
                    num_kills[reg] += 1;
                    out.group_kills.push((reg as u8, at));
                }
            });
        }
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                let i = class * WORD + bit;
                out.infos[out.info_of[reg as usize] as usize] = VarInfo {
                    reg,
                    first_alive: out.alive.len() as u32,
                    num_alive: num_alive[i],
                    first_kill: out.kills.len() as u32,
                    num_kills: num_kills[i],
                };
                // From here on where the next of the register goes.
                num_alive[i] = out.alive.len() as u32;
                out.alive.resize(out.alive.len() + out.info(reg).num_alive as usize, 0);
                num_kills[i] = out.kills.len() as u32;
                out.kills.resize(out.kills.len() + out.info(reg).num_kills as usize, 0);
            }
        }
        for &(reg, number) in &out.group_alive {
            out.alive[num_alive[reg as usize] as usize] = number;
            num_alive[reg as usize] += 1;
        }
        for &(reg, piece) in &out.group_kills {
            out.kills[num_kills[reg as usize] as usize] = piece;
            num_kills[reg as usize] += 1;
        }
        // Pieces become instructions and operands, in LLVM's order of blocks.
        out.read_by.resize(out.kills.len(), NONE);
        for class in 0..CLASSES {
            for &reg in self.sets.group(class, group) {
                let info = *out.info(reg);
                let kills = info.first_kill as usize..(info.first_kill + info.num_kills) as usize;
                let block = |piece: &u32| self.facts.pieces[*piece as usize].block as usize;
                out.kills[kills.clone()].sort_unstable_by_key(|p| self.cfg.preorder[block(p)]);
                for i in kills {
                    (out.kills[i], out.read_by[i]) = self.kill(out.kills[i]);
                }
            }
        }
        Ok(())
    }
}

impl LiveVariables {
    fn info(&self, reg: u32) -> &VarInfo {
        &self.infos[self.info_of[reg as usize] as usize]
    }

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
