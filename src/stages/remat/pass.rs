//! The stage on LLVM's function.

use super::{Again, Costs, File, Reader, Rematerialisation, PREDICATES, REGISTERS};
use crate::llvm::MachineFunction;
use crate::mir::{Operand, Register};
use crate::plugin::stats::Counters;
use crate::ssa::snapshot::{Instrs, Kind, Snapshot};

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Remat {
    rematerialisation: Rematerialisation,
    again: Vec<Again>,
    /// What is made again, and by what.
    made: Vec<Register>,
    /// What nobody may read any more.
    suspects: Vec<Register>,
}

impl Costs for Instrs<'_, '_> {
    fn is_cheap(&mut self, instr: u32) -> bool {
        matches!(self.kind(self.instr(instr)), Some(Kind::Cheap | Kind::Tests | Kind::TestsFloats))
    }
    fn is_particular(&mut self, instr: u32, file: File) -> bool {
        match self.kind(self.instr(instr)) {
            Some(Kind::Assembly) => true,
            // It may be the end of a loop.
            Some(Kind::Tests | Kind::TestsFloats | Kind::Compares) => file == REGISTERS,
            _ => false,
        }
    }
    fn stays_for(&mut self, instr: u32, reader: u32) -> bool {
        self.kind(self.instr(instr)) == Some(Kind::TestsFloats)
            && self.instr(reader).properties().is_terminator()
    }
    fn is_free(&mut self, instr: u32) -> bool {
        Instrs::is_free(self, instr)
    }
    fn is_uniform(&mut self, instr: u32) -> bool {
        Instrs::is_uniform(self, instr)
    }
    fn size(&mut self, reg: u32) -> (File, u32) {
        match self.function().class_bits(Register::virt(reg)) {
            1 => (PREDICATES, 1),
            bits => (REGISTERS, bits.div_ceil(32)),
        }
    }
}

impl Remat {
    /// Does it to a function; whether that was changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return false };
        self.rematerialisation.run(facts, &mut instrs, &mut self.again);
        let result = |again: &Again| facts.operands(again.def as usize)[0].reg();
        let clone = |again: &Again| instrs.instr(again.def).clone_before(instrs.instr(again.before));
        self.made.clear();
        self.made.extend(self.again.iter().map(clone));
        for (again, &new) in self.again.iter().zip(&self.made) {
            for &reader in self.rematerialisation.readers(again) {
                let (like, mi) = match reader {
                    Reader::Instr(reader) => (reader, instrs.instr(reader)),
                    Reader::Again(by) => {
                        let def = mf.def(self.made[by as usize]).expect("it was made above");
                        (self.again[by as usize].def, def.instr)
                    }
                };
                let operands = facts.operands(like as usize).iter().enumerate();
                let is_read = |o: &Operand| o.is_use() && o.is_virtual() && o.reg() == result(again);
                operands.filter(|(_, o)| is_read(o)).for_each(|(index, _)| mi.set_reg(index, new));
            }
        }
        // What was read by what goes may go as well.
        self.suspects.clear();
        self.suspects.extend(self.again.iter().map(result));
        self.suspects.sort_unstable();
        self.suspects.dedup();
        self.suspects.extend(&self.made);
        let mut removed = 0;
        let mut suspects = self.suspects.len() + 1;
        while self.suspects.len() < suspects {
            suspects = self.suspects.len();
            self.suspects.retain(|&reg| {
                let is_read = !mf.use_nodbg_empty(reg);
                if !is_read {
                    mf.forget_uses(reg);
                    mf.def(reg).iter().for_each(|def| def.instr.erase());
                    removed += 1;
                }
                is_read
            });
        }
        counters
            .extend([("instructions made again", self.again.len() as u64), ("instructions erased", removed)]);
        !self.again.is_empty()
    }
}
