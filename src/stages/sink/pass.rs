//! Binds the stage to LLVM's function.

use super::target::SinkTarget;
use super::{Move, Sinking};
use crate::adt::Counters;
use crate::llvm::{EditLog, MachineFunction};
use crate::mir::{InstrId, InstrKind, Register, VRegId};
use crate::nvptx::computation::Computation;
use crate::nvptx::cost::price;
use crate::ssa::snapshot::{Instrs, Snapshot};
use crate::ssa::SsaFacts;

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct Sink {
    sinking: Sinking,
    moves: Vec<Move>,
}

impl SinkTarget for Instrs<'_, '_> {
    fn may_move(&mut self, instr: InstrId) -> bool {
        let mi = self.instr(instr);
        match self.computation_of(mi) {
            Computation::None | Computation::AddressSpaceCast => false,
            Computation::InlineAsm => mi.is_computing_assembly(),
            _ => true,
        }
    }
    fn is_free(&mut self, instr: InstrId) -> bool {
        Instrs::is_free(self, instr)
    }
    fn cost(&mut self, reg: VRegId) -> u32 {
        price(self.function().class_bits(reg.into()))
    }
}

impl Sink {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(
        &mut self,
        mf: MachineFunction,
        min_registers: u32,
        snapshot: &mut Snapshot,
        counters: &mut Counters,
    ) -> bool {
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return false };
        self.sinking.run(facts, min_registers, &mut instrs, &mut self.moves);
        for &edit in &self.moves {
            let block = mf.block_numbered(facts.shape.numbers[edit.to]);
            instrs.instr(edit.instr).move_before(block, block.skip_phis_and_labels(block.first()));
            forget_debug_values(facts, mf, edit);
        }
        counters.push(("instructions moved down", self.moves.len() as u64));
        !self.moves.is_empty()
    }
}

/// Clears the register of debug instructions where the result is no longer computed above them.
fn forget_debug_values(facts: &SsaFacts, mf: MachineFunction, edit: Move) {
    let mut forgotten = EditLog::new(mf);
    let operands = facts.operands_of(edit.instr);
    for result in operands.iter().filter(|o| o.is_def()).map(|o| o.reg()) {
        for read in mf.reg_operands(result).filter(|o| o.instr.kind() == InstrKind::Debug) {
            let block = facts.block_numbered(read.instr.block().number());
            if !facts.dominates(edit.to, block) {
                forgotten.set_reg(read.instr, read.index, Register::NONE);
            }
        }
    }
    forgotten.apply();
}
