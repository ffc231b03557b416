//! Moves computations down, next to their readers, where the registers that they are computed from
//! are live anyway (`cicc` profile, stage `sink`).
//!
//! **Problem.** LLVM computes a value where the source does, or where GVN or LICM has put it,
//! perhaps far above its readers. MachineSink moves it down only if it is then executed less often.
//! So a value that is read after a branch or a loop is live all through it, though its operands are
//! live there as well, or are as small:
//!
//! ```text
//! %x = mad %a, %b, %c               if (...) { ... }
//! if (...) { ... }                  %x = mad %a, %b, %c
//! use %x, %a, %b, %c                use %x, %a, %b, %c
//! ```
//!
//! ptxas orders the instructions of a block as it likes, but moves nothing across branches.
//!
//! **Algorithm.** In SSA form, before LiveVariables. From the lowest block to the highest, and in
//! each from the last instruction to the first:
//!
//! 1. Find the lowest block that dominates all readers and is in no loop that the instruction is
//!    not in (`placement`). It is executed at most as often.
//! 2. The gain is the cost of the result, less the cost of keeping the operands live into that
//!    block (`price`). An operand that is live there for other reasons is free, and so is a
//!    constant or a parameter. An operand without other readers may move down as well, if its own
//!    operands cost less: so chains move as a whole.
//! 3. If there is a gain, the instructions move to the start of that block, but only if `ptxas` is
//!    predicted to use at least [`limits::MIN_REGISTERS`] for the function.
//!
//! Readers are handled before the instructions that they read, so an instruction finds its readers
//! in their final blocks. No block gets more registers live into it than before. Each move pays for
//! its operands by itself, so an operand that several moves need is priced too high.
//!
//! **Source.** Sinking as in partial dead code elimination (Knoop, Rüthing, Steffen 1994). The
//! motive is register pressure instead of saved executions. **Deviation:** none. Measurements:
//! docs/stages/sink.md, "Computing next to the readers".
//!
//! **Complexity.** Linear in operands, times the depth of a chain, times the blocks searched for an
//! operand's readers. These blocks are bounded for a function as a whole
//! ([`limits::MAX_BLOCKS_PER_INSTR`]).

pub mod limits;
mod live_into;
#[cfg(all(ptx_host, not(test)))]
pub(crate) mod pass;
mod placement;
mod price;
pub mod target;
#[cfg(test)]
mod tests;

use crate::mir::{BlockId, InstrId, VRegId};
use crate::ssa::movable::movable_result;
use crate::ssa::pressure::{SsaPressure, StorageOf};
use crate::ssa::SsaFacts;
use placement::Placement;
use price::Chain;
use target::SinkTarget;

/// An edit: `instr` moves to the start of the code of `to`, after the PHIs and before the
/// instructions that moved there earlier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The instruction.
    pub instr: InstrId,
    /// The block that it moves to.
    pub to: BlockId,
}

/// The algorithm with its buffers, kept from function to function.
#[derive(Default)]
pub struct Sinking {
    placement: Placement,
    chain: Chain,
    order: Vec<BlockId>,
    pressure: SsaPressure,
}

impl Sinking {
    /// Finds the instructions of a function in SSA form that move, in the order in which they must
    /// be moved. There are none if ptxas is predicted to use fewer registers than `min_registers`.
    pub fn run(
        &mut self,
        facts: &SsaFacts,
        min_registers: u32,
        target: &mut (impl SinkTarget + StorageOf),
        moves: &mut Vec<Move>,
    ) {
        moves.clear();
        self.placement.begin(facts);
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend_from_slice(facts.cfg.reachable());
        order.sort_unstable_by_key(|&block| std::cmp::Reverse(facts.dominators.preorder(block)));
        for &block in &order {
            for instr in facts.instrs_of(block).rev() {
                self.visit(facts, target, instr, moves);
            }
        }
        self.order = order;
        // Few functions have something to gain, so only these are measured.
        if !moves.is_empty() && !self.pressure.predicts(min_registers, facts, target) {
            moves.clear();
        }
    }

    /// Moves an instruction down, together with operands that it alone reads, if that saves
    /// registers.
    fn visit(
        &mut self,
        facts: &SsaFacts,
        target: &mut impl SinkTarget,
        instr: InstrId,
        moves: &mut Vec<Move>,
    ) {
        let is_read = |&reg: &VRegId| facts.readers_of(reg).len() > 0;
        let Some(result) = movable_result(facts, instr).filter(is_read) else { return };
        let Some(to) = self.placement.block_for(facts, instr, result) else { return };
        if !target.may_move(instr) || target.is_free(instr) {
            return;
        }
        let Sinking { placement, chain, .. } = self;
        if chain.is_cheaper(facts, placement, target, instr, to, result) {
            // An operand's instruction moves later than its reader, and so ends up before it.
            for &instr in &chain.instrs {
                placement.block_of[instr] = to;
                moves.push(Move { instr, to });
            }
        }
    }
}
