//! Binds the stage to LLVM's function.

use super::fields::{Field, Fields};
use crate::adt::Counters;
use crate::llvm::{MachineFunction, NewInstr};
use crate::nvptx::created::CreatedOp;
use crate::ssa::snapshot::{Instrs, Snapshot};

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct BitFields {
    fields: Fields,
}

impl BitFields {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, instrs)) = snapshot.of(mf) else { return false };
        self.fields.find(facts, &instrs);
        self.fields.found().iter().for_each(|&field| extract(field, &instrs));
        counters.extend([
            ("fields extracted by two shifts", self.fields.found().len() as u64),
            ("fields that stay", self.fields.num_left()),
        ]);
        !self.fields.found().is_empty()
    }
}

fn extract(field: Field, instrs: &Instrs) {
    let Field { instr, left, right } = field;
    let (mi, mf) = (instrs.instr(instr), instrs.function());
    let from = mi.operand(1).reg();
    // A kill flag belonged to the field.
    mf.clear_kills(from);
    let shift_left = instrs.created(CreatedOp::Shl32);
    let shifted = mf.new_result(shift_left);
    mi.insert_before(NewInstr::new(shift_left).add_def(shifted).add_uses(&[from]).add_imm(left.into()));
    let shift_right = NewInstr::new(instrs.created(CreatedOp::Sar32));
    mi.change_to(shift_right.add_uses(&[shifted]).add_imm(right.into()));
}
