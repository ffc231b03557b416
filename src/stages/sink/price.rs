//! Prices a move: finds the instructions that move together, and the registers that are then live
//! into the lower block.
//!
//! **Problem.** An operand of an instruction that moves down has to stay live down to the new
//! place. If nothing else reads the operand, its own instruction can move as well, and that one's
//! operands stay live instead.
//!
//! **Algorithm.** Operand by operand. One that is live into the block anyway is free. One that only
//! instructions of the chain read is priced both ways, and joins the chain if that costs no more.
//! An operand counts once.

use super::limits::MAX_CHAIN;
use super::placement::Placement;
use super::target::SinkTarget;
use crate::mir::{virtual_reads, BlockId, InstrId, VRegId};
use crate::ssa::movable::movable_result;
use crate::ssa::SsaFacts;

/// The instructions that move together.
#[derive(Default)]
pub struct Chain {
    /// The instructions, readers before what they read.
    pub instrs: Vec<InstrId>,
    /// The operands that are in the price.
    paid: Vec<VRegId>,
}

impl Chain {
    /// Finds the cheapest chain from `instr` up for a move to `to`. Returns whether the registers
    /// that then live into that block cost less than the result.
    pub fn is_cheaper(
        &mut self,
        facts: &SsaFacts,
        placement: &mut Placement,
        target: &mut impl SinkTarget,
        instr: InstrId,
        to: BlockId,
        result: VRegId,
    ) -> bool {
        self.instrs.clear();
        self.paid.clear();
        let limit = target.cost(result);
        self.add(facts, placement, target, instr, to, limit) < limit
    }

    /// Adds an instruction to the chain. Returns the cost of its operands; from `limit` on the sum
    /// may be incomplete.
    fn add(
        &mut self,
        facts: &SsaFacts,
        placement: &mut Placement,
        target: &mut impl SinkTarget,
        instr: InstrId,
        to: BlockId,
        limit: u32,
    ) -> u32 {
        self.instrs.push(instr);
        let mut cost = 0;
        for reg in virtual_reads(facts.operands_of(instr)) {
            if cost >= limit {
                break;
            }
            cost += self.operand(facts, placement, target, reg, to);
        }
        cost
    }

    /// Returns the cost of an operand, which lives into the lower block or moves there itself.
    fn operand(
        &mut self,
        facts: &SsaFacts,
        placement: &mut Placement,
        target: &mut impl SinkTarget,
        reg: VRegId,
        to: BlockId,
    ) -> u32 {
        let Some(def) = facts.def_of(reg) else { return target.cost(reg) };
        if self.paid.contains(&reg)
            || self.instrs.contains(&def)
            || target.is_free(def)
            || placement.live_into.is_live_into(facts, reg, to)
        {
            return 0;
        }
        let kept = target.cost(reg);
        let (num_instrs, num_paid) = (self.instrs.len(), self.paid.len());
        if self.may_join(facts, placement, target, def, reg, to) {
            let moved = self.add(facts, placement, target, def, to, kept + 1);
            if moved <= kept {
                return moved;
            }
            self.instrs.truncate(num_instrs);
            self.paid.truncate(num_paid);
        }
        self.paid.push(reg);
        kept
    }

    /// Returns whether an instruction can move down with the chain: only the chain reads its
    /// result, `reg`.
    fn may_join(
        &self,
        facts: &SsaFacts,
        placement: &Placement,
        target: &mut impl SinkTarget,
        def: InstrId,
        reg: VRegId,
        to: BlockId,
    ) -> bool {
        let from = placement.block_of[def];
        self.instrs.len() < MAX_CHAIN
            && facts.readers_of(reg).all(|reader| self.instrs.contains(&reader))
            && movable_result(facts, def) == Some(reg)
            && from != to
            && facts.dominates(from, to)
            && facts.is_in_loop_of(from, to)
            && target.may_move(def)
    }
}
