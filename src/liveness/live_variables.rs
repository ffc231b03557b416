//! Computes LiveVariables (requirement L1): for each register the blocks that it is alive through,
//! and its kills.
//!
//! **Problem.** LLVM walks up from every use. Here the result follows from the blocks that a
//! register is live out of. A register is *alive in* a block if it is live out and not defined
//! there. In a block that it is not live out of, the last instruction that names it is its *kill*:
//! the def itself if nothing reads it. A register that a PHI reads is live out of the predecessor.
//! The PHI kills nothing.
//!
//! LLVM lists kills in the order in which a depth-first walk over the graph meets their blocks.
//! Later passes depend on that order, so it is kept.
//!
//! The result is handed over group by group ([`Sink`]) in buffers that are used again: fresh memory
//! is slow.
//!
//! **Source.** `LiveVariables.cpp`. **Deviation:** none in the result. **Complexity:** linear in
//! the result.

use super::analysis::Liveness;
use super::propagate::{LiveSets, CLASSES, WORD};
use super::segments::{first_pieces, GROUP_REGS};
use super::unsuited::Unsuited;
use crate::adt::bits;
pub use crate::mir::{FlagEdit, VarInfo};
use crate::mir::{FunctionShape, Piece, VRegId};

/// LiveVariables of the registers of a group. A local register (`BlockFacts::is_local`) is in no
/// group: it is alive in no block, and its only kill is where its piece ends.
#[derive(Default, Debug)]
pub struct GroupVariables {
    /// The registers.
    pub infos: Vec<VarInfo>,
    /// LLVM's numbers of blocks.
    pub alive: Vec<u32>,
    /// Entries of instructions.
    pub kills: Vec<u32>,
    /// LLVM's number of a block, and by class the registers that are alive in it.
    through: Vec<(u32, [u64; CLASSES])>,
    /// The kills: position of the register in the group, position of the block in LLVM's walk,
    /// entry of the instruction.
    killed: Vec<(u8, u32, u32)>,
}

/// Takes the result.
pub trait Sink {
    /// Takes the registers of the next group.
    fn group(&mut self, group: &GroupVariables);
    /// Takes a flag to change.
    fn edit(&mut self, edit: FlagEdit);
}

/// By register of a group: how many blocks it is alive in, and how many kills it has. Later these
/// become the next free places.
struct Counts {
    alive: [u32; GROUP_REGS],
    kills: [u32; GROUP_REGS],
}

impl Liveness {
    /// Computes LiveVariables, after [`Liveness::analyze`]; `group` is a buffer.
    ///
    /// # Errors
    /// When the function is not in SSA form, or has unreachable blocks or bundles. If a use comes
    /// before its def, `sink` may already have a part of the result.
    pub fn live_variables(
        &mut self,
        shape: &FunctionShape,
        group: &mut GroupVariables,
        sink: &mut impl Sink,
    ) -> Result<(), Unsuited> {
        if self.cfg.num_reachable != shape.num_blocks() || !self.facts.many_defs.is_empty() {
            return Err(Unsuited::NotSsa);
        }
        if self.facts.instr_flags.is_in_bundle() {
            return Err(Unsuited::Bundles);
        }
        self.for_each_local(|reg, piece| kill_flag(reg, piece, sink));
        for k in 0..self.sets.num_groups() {
            self.propagate(k);
            self.view_group(shape, k, group, sink)?;
            sink.group(group);
        }
        for &(entry, operand) in &self.facts.stale_kills {
            sink.edit(FlagEdit::ClearKill { entry, operand });
        }
        Ok(())
    }

    fn view_group(
        &mut self,
        shape: &FunctionShape,
        group: usize,
        out: &mut GroupVariables,
        sink: &mut impl Sink,
    ) -> Result<(), Unsuited> {
        let mut counts = Counts { alive: [0; GROUP_REGS], kills: [0; GROUP_REGS] };
        self.gather_group(shape, group, &mut counts, out, sink)?;
        out.push_infos(&self.sets, group, &mut counts);
        out.distribute(&mut counts);
        Ok(())
    }

    /// Drains the solution of a group: counts its blocks and kills by register, and lists them by
    /// block.
    fn gather_group(
        &mut self,
        shape: &FunctionShape,
        group: usize,
        counts: &mut Counts,
        out: &mut GroupVariables,
        sink: &mut impl Sink,
    ) -> Result<(), Unsuited> {
        let GroupVariables { through, killed, .. } = out;
        through.clear();
        killed.clear();
        let mut piece = first_pieces(&self.facts, &self.sets, group);
        let (mut is_ssa, facts, preorder) = (true, &self.facts, &self.cfg.preorder);
        self.sets.drain(group, |regs, block, sets| {
            // Live into the entry: some path has no def. Exposed and defined: used before the def.
            is_ssa &= block.index() != 0 || sets.live_in == [0; CLASSES];
            let lives_through = std::array::from_fn(|class| sets.live_out[class] & !sets.defined[class]);
            if lives_through != [0; CLASSES] {
                through.push((shape.numbers[block].raw(), lives_through));
            }
            for class in 0..CLASSES {
                is_ssa &= sets.exposed[class] & sets.defined[class] == 0;
                for bit in bits(lives_through[class]) {
                    counts.alive[class * WORD + bit] += 1;
                }
                for bit in bits(sets.pieces(class)) {
                    let (i, reg) = (class * WORD + bit, regs[class][bit]);
                    // In SSA there is one piece in a block.
                    let (p, next) = facts.piece(reg, piece[i]).expect("a piece for each bit");
                    piece[i] = next;
                    if sets.live_out[class] >> bit & 1 == 0 {
                        counts.kills[i] += 1;
                        killed.push((i as u8, preorder[block], p.end.entry()));
                        kill_flag(reg, p, sink);
                    } else if let Some(reader) = p.reader.filter(|r| r.has_kill_flag()) {
                        let (entry, operand) = (p.end.entry(), reader.operand());
                        sink.edit(FlagEdit::ClearKill { entry, operand });
                    }
                }
            }
        });
        is_ssa.then_some(()).ok_or(Unsuited::NotSsa)
    }
}

impl GroupVariables {
    /// Lists the registers of a group with the places of their blocks and kills. `counts` become
    /// the first places.
    fn push_infos(&mut self, sets: &LiveSets, group: usize, counts: &mut Counts) {
        self.infos.clear();
        let (mut first_alive, mut first_kill) = (0, 0);
        for class in 0..CLASSES {
            for (bit, &reg) in sets.group(class, group).iter().enumerate() {
                let i = class * WORD + bit;
                let num_alive = std::mem::replace(&mut counts.alive[i], first_alive);
                let num_kills = std::mem::replace(&mut counts.kills[i], first_kill);
                self.infos.push(VarInfo { reg: reg.raw(), first_alive, num_alive, first_kill, num_kills });
                first_alive += num_alive;
                first_kill += num_kills;
            }
        }
        self.alive.resize(first_alive as usize, 0);
        self.kills.resize(first_kill as usize, 0);
    }

    /// Distributes blocks and kills to their registers: `next` has the first places.
    fn distribute(&mut self, next: &mut Counts) {
        for &(number, lives_through) in &self.through {
            for (class, word) in lives_through.into_iter().enumerate() {
                for bit in bits(word) {
                    let next = &mut next.alive[class * WORD + bit];
                    self.alive[*next as usize] = number;
                    *next += 1;
                }
            }
        }
        // LLVM's order of blocks.
        self.killed.sort_unstable();
        for &(i, _, entry) in &self.killed {
            let next = &mut next.kills[i as usize];
            self.kills[*next as usize] = entry;
            *next += 1;
        }
    }
}

/// Sets the kill flag of the last reader of a register that is not live after `piece`, or the dead
/// flag of its def.
fn kill_flag(reg: VRegId, piece: &Piece, sink: &mut impl Sink) {
    let entry = piece.end.entry();
    match piece.reader {
        None => sink.edit(FlagEdit::Dead { entry, reg }),
        Some(reader) if !reader.has_kill_flag() => {
            sink.edit(FlagEdit::SetKill { entry, operand: reader.operand() })
        }
        Some(_) => {}
    }
}
