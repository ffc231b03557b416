//! Binds the stage to LLVM's function.

use super::edits::{Edit, NewOpcode};
use super::folding::{Counts, Folding};
use crate::adt::Counters;
use crate::llvm::{MachineFunction, NewInstr};
use crate::mir::Register;
use crate::ssa::snapshot::{Instrs, Snapshot};

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct FoldAddresses(Folding);

impl FoldAddresses {
    /// Runs on a function in SSA form. Returns whether the function changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, instrs)) = snapshot.of(mf) else { return false };
        let counts = self.0.run(facts, &instrs);
        self.0.edits().iter().for_each(|edit| apply(edit, &instrs));
        counters.extend([
            ("addresses of loads and stores", counts.addresses),
            ("addresses folded", counts.folded),
            ("sums of a common one and a constant", counts.sums),
            ("sums shifted once", counts.shifted),
            ("products of 32 bits", counts.products),
            ("shifts read in loops made products of 32 bits", counts.shifts),
            ("instructions erased", counts.erased),
        ]);
        let Counts { folded, sums, shifted, products, shifts, .. } = counts;
        folded + sums + shifted + products + shifts > 0
    }
}

fn apply(edit: &Edit, instrs: &Instrs) {
    let mf = instrs.function();
    let registers = |inputs: &[_]| inputs.iter().map(|&reg| Register::from(reg)).collect::<Vec<_>>();
    match *edit {
        Edit::SetOperands { instr, opcode, operand, reg, constant } => {
            let mi = instrs.instr(instr);
            let opcode = match opcode {
                NewOpcode::Same => None,
                NewOpcode::Counterpart(which) => Some(instrs.counterpart(mi, which).number()),
                NewOpcode::Created(op) => Some(instrs.created(op).number()),
            };
            mi.set_address(opcode, operand, reg.into(), constant);
        }
        Edit::SetOperation { instr, op, inputs } => {
            instrs
                .instr(instr)
                .change_to(NewInstr::new(instrs.created(op)).add_uses(&registers(inputs.as_slice())));
        }
        Edit::Insert { before, op, inputs, constant, result } => {
            let (before, inputs) = (instrs.instr(before), registers(inputs.as_slice()));
            let opcode = instrs.created(op);
            let made = mf.new_result(opcode);
            assert_eq!(made, Register::from(result), "LLVM numbers new registers in order");
            let mut new = NewInstr::new(opcode).add_def(made).add_uses(&inputs);
            if let Some(constant) = constant {
                new = new.add_imm(constant.into());
            }
            before.insert_before(new);
        }
        Edit::Erase(reg) => {
            mf.forget_uses(reg.into());
            mf.def(reg.into()).expect("nothing else erases it").instr.erase();
        }
    }
}
