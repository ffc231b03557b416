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

use super::block_facts::Piece;
use super::propagate::{CLASSES, WORD};
use super::{Liveness, Unsuited};
use crate::adt::bits;
use crate::mir::{FunctionShape, InstrRun};

/// What LLVM's VarInfo of a global register has: ranges of the arrays of [`LiveVariables`].
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

/// The result, in arenas. A local register (`BlockFacts::is_local`) is not here: it is alive in no block, and
/// its one kill is where its piece ends.
#[derive(Default, Debug)]
pub struct LiveVariables {
    /// The global registers.
    pub infos: Vec<VarInfo>,
    /// LLVM's numbers of blocks.
    pub alive: Vec<u32>,
    /// Entries of instructions.
    pub kills: Vec<u32>,
    /// What is to become of flags.
    pub edits: Vec<FlagEdit>,
    /// Of the group at hand, as the blocks come: position of the register, and what goes to its lists.
    group_alive: Vec<(u8, u32)>,
    group_kills: Vec<(u8, u32, u32)>,
}

/// A change of an operand's flag; instructions are known by their entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagEdit {
    /// Operand `.1` of instruction `.0` has the kill flag.
    SetKill(u32, u32),
    /// It has not.
    ClearKill(u32, u32),
    /// All defs of virtual register `.1` by instruction `.0` are dead.
    Dead(u32, u32),
}

/// By register of a group.
type ByReg = [u32; CLASSES * WORD];

impl Liveness {
    /// The view, behind [`Liveness::analyze`].
    ///
    /// # Errors
    /// When the function is not in SSA form, or has blocks that cannot be reached, or bundles.
    pub fn live_variables(&mut self, shape: &FunctionShape, out: &mut LiveVariables) -> Result<(), Unsuited> {
        out.infos.clear();
        out.alive.clear();
        out.kills.clear();
        out.edits.clear();
        if self.cfg.num_reachable != shape.num_blocks() || !self.facts.many_defs.is_empty() {
            return Err(Unsuited::NotSsa);
        }
        if self.facts.instr_flags & InstrRun::IN_BUNDLE != 0 {
            return Err(Unsuited::Bundles);
        }
        for (reg, piece) in self.facts.last.iter().enumerate() {
            if self.facts.is_local(reg) {
                kill_flag(reg as u32, piece, &mut out.edits);
            }
        }
        for group in 0..self.sets.num_groups() {
            self.propagate(group);
            self.view_group(shape, group, out)?;
        }
        let stale =
            self.facts.stale_kills.iter().map(|&(entry, operand)| FlagEdit::ClearKill(entry, operand));
        out.edits.extend(stale);
        Ok(())
    }

    fn view_group(
        &mut self,
        shape: &FunctionShape,
        group: usize,
        out: &mut LiveVariables,
    ) -> Result<(), Unsuited> {
        out.group_alive.clear();
        out.group_kills.clear();
        let mut piece = self.first_pieces(group);
        let (mut num_alive, mut num_kills): (ByReg, ByReg) = ([0; CLASSES * WORD], [0; CLASSES * WORD]);
        let (mut is_ssa, facts, preorder) = (true, &self.facts, &self.cfg.preorder);
        self.sets.drain(group, |regs, block, sets| {
            // Live into the entry: some path has no def. Exposed and defined: used before the def.
            is_ssa &= block != 0 || sets.live_in == [0; CLASSES];
            for class in 0..CLASSES {
                is_ssa &= sets.exposed[class] & sets.defined[class] == 0;
                for bit in bits(sets.live_out[class] & !sets.defined[class]) {
                    num_alive[class * WORD + bit] += 1;
                    out.group_alive.push(((class * WORD + bit) as u8, shape.numbers[block as usize]));
                }
                for bit in bits(sets.pieces(class)) {
                    let (i, reg) = (class * WORD + bit, regs[class][bit]);
                    // In SSA there is one piece in a block.
                    let (p, next) = facts.piece(reg, piece[i]).expect("a piece for each bit");
                    piece[i] = next;
                    if sets.live_out[class] >> bit & 1 == 0 {
                        num_kills[i] += 1;
                        out.group_kills.push((i as u8, preorder[block as usize], p.end.entry()));
                        kill_flag(reg, p, &mut out.edits);
                    } else if let Some(operand) = p.reader.operand().filter(|_| p.reader.has_kill_flag()) {
                        out.edits.push(FlagEdit::ClearKill(p.end.entry(), operand));
                    }
                }
            }
        });
        if !is_ssa {
            return Err(Unsuited::NotSsa);
        }
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                let i = class * WORD + bit;
                let (first_alive, first_kill) = (out.alive.len() as u32, out.kills.len() as u32);
                out.infos.push(VarInfo {
                    reg,
                    first_alive,
                    num_alive: num_alive[i],
                    first_kill,
                    num_kills: num_kills[i],
                });
                out.alive.resize((first_alive + num_alive[i]) as usize, 0);
                out.kills.resize((first_kill + num_kills[i]) as usize, 0);
                // From here on where the next one goes.
                (num_alive[i], num_kills[i]) = (first_alive, first_kill);
            }
        }
        for &(i, number) in &out.group_alive {
            out.alive[num_alive[i as usize] as usize] = number;
            num_alive[i as usize] += 1;
        }
        // LLVM's order of blocks.
        out.group_kills.sort_unstable();
        for &(i, _, entry) in &out.group_kills {
            out.kills[num_kills[i as usize] as usize] = entry;
            num_kills[i as usize] += 1;
        }
        Ok(())
    }
}

/// The register is not read behind `piece`: the reader's flag says so, or the def is dead.
fn kill_flag(reg: u32, piece: &Piece, edits: &mut Vec<FlagEdit>) {
    match piece.reader.operand() {
        None => edits.push(FlagEdit::Dead(piece.end.entry(), reg)),
        Some(operand) if !piece.reader.has_kill_flag() => {
            edits.push(FlagEdit::SetKill(piece.end.entry(), operand))
        }
        Some(_) => {}
    }
}
