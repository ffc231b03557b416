//! Binds the stage to LLVM's function.

use super::limits::Limits;
use super::types::{Reader, Recomputation, RecomputationId, RegisterFile, RegisterSize, RematTarget};
use super::Rematerialisation;
use crate::adt::Counters;
use crate::llvm::MachineFunction;
use crate::mir::{InstrId, Operand, Register, VRegId};
use crate::nvptx::computation::Computation;
use crate::nvptx::cost::{registers32, Budget};
use crate::ssa::snapshot::{Instrs, Snapshot};
use index_vec::IndexVec;

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct Remat {
    rematerialisation: Rematerialisation,
    /// The register that each recomputation defines.
    new_regs: IndexVec<RecomputationId, Register>,
    /// Registers that may have no readers any more.
    suspects: Vec<Register>,
}

impl RematTarget for Instrs<'_, '_> {
    fn is_cheap(&mut self, instr: InstrId) -> bool {
        matches!(
            self.computation(instr),
            Computation::Cheap | Computation::Predicate | Computation::FloatComparison
        )
    }
    fn pins_operands(&mut self, reader: InstrId, file: RegisterFile) -> bool {
        match self.computation(reader) {
            Computation::InlineAsm => true,
            // The comparison may end a loop.
            Computation::Predicate | Computation::FloatComparison | Computation::Comparison => {
                file == RegisterFile::Registers
            }
            _ => false,
        }
    }
    fn is_pinned_by(&mut self, instr: InstrId, reader: InstrId) -> bool {
        self.computation(instr) == Computation::FloatComparison
            && self.instr(reader).properties().is_terminator()
    }
    fn is_free(&mut self, instr: InstrId) -> bool {
        Instrs::is_free(self, instr)
    }
    fn is_uniform(&mut self, instr: InstrId) -> bool {
        Instrs::is_uniform(self, instr)
    }
    fn size(&mut self, reg: VRegId) -> RegisterSize {
        match self.function().class_bits(reg.into()) {
            1 => RegisterSize { file: RegisterFile::Predicates, count: 1 },
            bits => RegisterSize { file: RegisterFile::Registers, count: registers32(bits) },
        }
    }
}

impl Remat {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(
        &mut self,
        mf: MachineFunction,
        limits: &Limits,
        budget: Budget,
        snapshot: &mut Snapshot,
        counters: &mut Counters,
    ) -> bool {
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return false };
        let Remat { rematerialisation, new_regs, suspects } = self;
        let recomputations = rematerialisation.run(facts, limits, budget, &mut instrs);
        let result = |r: &Recomputation| facts.operands_of(r.original)[0].reg();
        new_regs.clear();
        for &Recomputation { original, before, .. } in &recomputations.list {
            new_regs.push(instrs.instr(original).clone_before(instrs.instr(before)));
        }
        for (recomputation, &new) in recomputations.list.iter().zip(&*new_regs) {
            for &reader in recomputations.readers(recomputation) {
                let (original, mi) = match reader {
                    Reader::Instr(reader) => (reader, instrs.instr(reader)),
                    Reader::Recomputation(by) => {
                        let def = mf.def(new_regs[by]).expect("it was made above");
                        (recomputations.list[by].original, def.instr)
                    }
                };
                let is_read = |o: &Operand| o.is_use() && o.is_virtual() && o.reg() == result(recomputation);
                let operands = facts.operands_of(original).iter().enumerate();
                operands.filter(|(_, o)| is_read(o)).for_each(|(index, _)| mi.set_reg(index, new));
            }
        }
        suspects.clear();
        suspects.extend(recomputations.list.iter().map(result));
        suspects.sort_unstable();
        suspects.dedup();
        suspects.extend(&*new_regs);
        let erased = erase_unread(mf, suspects);
        let recomputed = recomputations.list.len();
        counters
            .extend([("instructions rematerialised", recomputed as u64), ("instructions erased", erased)]);
        recomputed > 0
    }
}

/// Erases the defs of suspects without readers, again and again, as erased defs take readers from
/// others. Returns how many defs were erased.
fn erase_unread(mf: MachineFunction, suspects: &mut Vec<Register>) -> u64 {
    let mut erased = 0;
    loop {
        let num_suspects = suspects.len();
        suspects.retain(|&reg| {
            let is_read = !mf.use_nodbg_empty(reg);
            if !is_read {
                mf.forget_uses(reg);
                mf.def(reg).iter().for_each(|def| def.instr.erase());
                erased += 1;
            }
            is_read
        });
        if suspects.len() == num_suspects {
            return erased;
        }
    }
}
