//! Binds the stage to LLVM's function.

use super::comparisons::{Comparison, Comparisons, Second};
use super::extremes::Extremes;
use crate::adt::Counters;
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::InstrId;
use crate::nvptx::comparisons::MODE;
use crate::ssa::snapshot::{Instrs, Snapshot};

/// Which faults ptxas has or may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Faults {
    /// A comparison is taken for one of the other sign.
    pub unsigned_as_signed: bool,
    /// A negated operand of a maximum loses its sign.
    pub negated_maximum: bool,
}

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct PtxasErrata {
    comparisons: Comparisons,
    extremes: Extremes,
}

impl PtxasErrata {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(
        &mut self,
        mf: MachineFunction,
        faults: Faults,
        snapshot: &mut Snapshot,
        counters: &mut Counters,
    ) -> bool {
        let PtxasErrata { comparisons, extremes } = self;
        if faults == (Faults { unsigned_as_signed: false, negated_maximum: false }) {
            return false;
        }
        let Some((facts, instrs)) = snapshot.of(mf) else { return false };
        let mut has_changed = false;
        if faults.unsigned_as_signed {
            comparisons.find(facts, &instrs);
            comparisons.changed().iter().for_each(|&comparison| rewrite(comparison, &instrs));
            has_changed |= !comparisons.changed().is_empty();
            counters.extend([
                ("comparisons in another form", comparisons.changed().len() as u64),
                ("unsigned comparisons that stay the same as signed ones", comparisons.num_left()),
            ]);
        }
        if faults.negated_maximum {
            extremes.find(facts, &instrs);
            extremes.exchanged().iter().for_each(|&extreme| exchange(extreme, &instrs));
            has_changed |= !extremes.exchanged().is_empty();
            counters.extend([
                ("maxima and minima with operands exchanged", extremes.exchanged().len() as u64),
                ("maxima and minima of two negations", extremes.num_left()),
            ]);
        }
        has_changed
    }
}

fn rewrite(comparison: Comparison, instrs: &Instrs) {
    let Comparison { instr, is_signed, form } = comparison;
    let mi = instrs.instr(instr);
    let op = instrs.opcode_info_of(mi).comparison.expect("it was read as one");
    match form.second {
        Second::Reg(_) => exchange_operands(mi, instrs.function()),
        Second::Constant(constant) => mi.set_immediate(2, i64::from(constant as i32)),
    }
    mi.set_immediate(MODE, op.mode(form.relation, is_signed));
}

fn exchange(extreme: InstrId, instrs: &Instrs) {
    exchange_operands(instrs.instr(extreme), instrs.function());
}

/// Exchanges the two registers that an instruction reads.
fn exchange_operands<'f>(mi: MachineInstr<'f>, mf: MachineFunction<'f>) {
    let [first, second] = [1, 2].map(|index| mi.operand(index).reg());
    mi.set_reg(1, second);
    mi.set_reg(2, first);
    // A kill flag belonged to the other register.
    mf.clear_kills(first);
    mf.clear_kills(second);
}
