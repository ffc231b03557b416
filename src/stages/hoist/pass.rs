//! Binds the stage to LLVM's function.

use super::limits::Limits;
use super::placement::Move;
use super::target::HoistTarget;
use super::Hoisting;
use crate::adt::Counters;
use crate::llvm::MachineFunction;
use crate::mir::{InstrId, VRegId};
use crate::nvptx::computation::Computation;
use crate::nvptx::cost::price;
use crate::ssa::snapshot::{Instrs, Snapshot};

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct Hoist {
    hoisting: Hoisting,
    moves: Vec<Move>,
}

impl HoistTarget for Instrs<'_, '_> {
    fn may_move(&mut self, instr: InstrId) -> bool {
        let mi = self.instr(instr);
        match self.computation_of(mi) {
            Computation::None | Computation::AddressSpaceCast | Computation::Routine => false,
            Computation::InlineAsm => mi.is_computing_assembly(),
            _ => true,
        }
    }
    fn cost(&mut self, reg: VRegId) -> u32 {
        let mf = self.function();
        if mf.def(reg.into()).is_some_and(|def| self.computation_of(def.instr) == Computation::Constant) {
            return 0;
        }
        price(mf.class_bits(reg.into()))
    }
}

impl Hoist {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(
        &mut self,
        mf: MachineFunction,
        limits: &Limits,
        snapshot: &mut Snapshot,
        counters: &mut Counters,
    ) -> bool {
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return false };
        self.hoisting.run(facts, limits, &mut instrs, &mut self.moves);
        for &Move { instr, to } in &self.moves {
            let block = mf.block_numbered(facts.shape.numbers[to]);
            instrs.instr(instr).move_to_end_of(block);
        }
        counters.push(("instructions moved up", self.moves.len() as u64));
        !self.moves.is_empty()
    }
}
