//! Binds the stage to LLVM's function.

use super::{Comparison, Comparisons, Second};
use crate::adt::Counters;
use crate::llvm::MachineFunction;
use crate::nvptx::comparisons::MODE;
use crate::ssa::snapshot::{Instrs, Snapshot};

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct PtxasErrata {
    comparisons: Comparisons,
}

impl PtxasErrata {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, instrs)) = snapshot.of(mf) else { return false };
        self.comparisons.find(facts, &instrs);
        self.comparisons.changed().iter().for_each(|&comparison| apply(comparison, &instrs));
        counters.extend([
            ("comparisons in another form", self.comparisons.changed().len() as u64),
            ("unsigned comparisons that stay the same as signed ones", self.comparisons.num_left()),
        ]);
        !self.comparisons.changed().is_empty()
    }
}

fn apply(comparison: Comparison, instrs: &Instrs) {
    let Comparison { instr, is_signed, form } = comparison;
    let (mf, mi) = (instrs.function(), instrs.instr(instr));
    let op = instrs.opcode_info_of(mi).comparison.expect("it was read as one");
    match form.second {
        Second::Reg(second) => {
            mi.set_reg(1, form.first.into());
            mi.set_reg(2, second.into());
            // A kill flag belonged to the other register.
            mf.clear_kills(form.first.into());
            mf.clear_kills(second.into());
        }
        Second::Constant(constant) => mi.set_immediate(2, i64::from(constant as i32)),
    }
    mi.set_immediate(MODE, op.mode(form.relation, is_signed));
}
