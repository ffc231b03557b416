//! The stage on LLVM's function.

use super::{Costs, Hoisting, BITS};
use crate::llvm::MachineFunction;
use crate::mir::Register;
use crate::plugin::stats::Counters;
use crate::ssa::snapshot::{Instrs, Kind, Snapshot};

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Hoist {
    hoisting: Hoisting,
    moves: Vec<(u32, u32)>,
}

impl Costs for Instrs<'_, '_> {
    fn computes(&mut self, instr: u32) -> bool {
        let mi = self.instr(instr);
        match self.kind(mi) {
            None | Some(Kind::AddressSpace | Kind::Routine) => false,
            Some(Kind::Assembly) => mi.is_computing_assembly(),
            _ => true,
        }
    }
    fn is_repeatable(&mut self, instr: u32) -> bool {
        let mi = self.instr(instr);
        mi.is_safe_to_move(None) || mi.loads_parameter() || self.kind(mi) == Some(Kind::AddressSpace)
    }
    fn cost(&mut self, reg: u32) -> u32 {
        let mf = self.function();
        let reg = Register::virt(reg);
        if mf.def(reg).is_some_and(|def| self.kind(def.instr) == Some(Kind::Constant)) {
            return 0;
        }
        // A predicate is not quite nothing, and less than 32 bits are as good as 32.
        match mf.class_bits(reg) {
            1 => 1,
            bits => bits.max(32) / BITS,
        }
    }
}

impl Hoist {
    /// Does it to a function; whether that was changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return false };
        self.hoisting.run(facts, &mut instrs, &mut self.moves);
        for &(instr, block) in &self.moves {
            let block = mf.block_numbered(facts.shape.numbers[block as usize]);
            instrs.instr(instr).move_to_end_of(block);
        }
        counters.push(("instructions moved up", self.moves.len() as u64));
        !self.moves.is_empty()
    }
}
