//! Binds the stage to LLVM's function.

use super::demand::Demand;
use super::edits::{Counts, Edit, Editor};
use super::roles::Roles;
use crate::adt::Counters;
use crate::llvm::{MachineFunction, NewInstr};
use crate::mir::{InstrId, Kind, Register};
use crate::nvptx::counterparts::Counterpart;
use crate::nvptx::created::CreatedOp;
use crate::ssa::snapshot::{Instrs, Snapshot};

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct ShortAddresses {
    demand: Demand,
    edits: Vec<Edit>,
}

impl ShortAddresses {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, instrs)) = snapshot.of(mf) else { return false };
        let ShortAddresses { demand, edits } = self;
        edits.clear();
        let has_bundles = facts.instr_flags.iter().any(|flags| flags.is_in_bundle());
        let mut counts = Counts::default();
        let roles = Roles { facts, machine: &instrs };
        if !has_bundles && roles.have_short_address() && demand.find(facts, &instrs) > 0 {
            counts = Editor::new(roles, demand, edits).run();
            edits.iter().for_each(|&edit| apply(edit, &instrs));
        }
        counters.extend([
            ("addresses of 32 bits", counts.addresses),
            ("registers of 64 bits made 32", counts.registers),
            ("conversions erased", counts.conversions),
            ("registers truncated", counts.truncations),
        ]);
        !edits.is_empty()
    }
}

fn apply(edit: Edit, instrs: &Instrs) {
    let mf = instrs.function();
    match edit {
        Edit::Narrow(reg) => {
            let reg = Register::from(reg);
            // A debug value would show the low half as the variable's value.
            let debug: Vec<_> = mf.reg_operands(reg).filter(|o| o.operand.is_debug()).collect();
            debug.into_iter().for_each(|o| o.instr.set_reg(o.index, Register::NONE));
            mf.set_class_of_result(reg, instrs.created(CreatedOp::Truncate));
        }
        Edit::Truncate { of, result } => {
            let def = mf.def(of.into()).expect("it is read, and the function is in SSA form").instr;
            let opcode = instrs.created(CreatedOp::Truncate);
            let made = mf.new_result(opcode);
            assert_eq!(made, Register::from(result), "LLVM numbers new registers in order");
            def.insert_after(NewInstr::new(opcode).add_def(made).add_use(of.into()).add_imm(0));
        }
        Edit::SetRead { instr, operand, reg } => {
            instrs.instr(instr).set_reg(operand, reg.into());
            mf.clear_kills(reg.into());
        }
        Edit::LowHalf(instr) => make_low_half(instr, instrs),
        Edit::ShortAddress(instr) => {
            let mi = instrs.instr(instr);
            let opcode = instrs.counterpart(mi, Counterpart::ShortAddress);
            if !mi.is(opcode) {
                mi.set_opcode(opcode);
            }
        }
        Edit::Replace { reg, by } => {
            mf.def(reg.into()).expect("its definition is not erased before").instr.erase();
            mf.replace_reg(reg.into(), by.into());
            mf.clear_kills(by.into());
        }
    }
}

fn make_low_half(instr: InstrId, instrs: &Instrs) {
    let mi = instrs.instr(instr);
    mi.set_opcode(instrs.counterpart(mi, Counterpart::LowHalf));
    for index in 1..mi.num_operands() {
        if mi.operand(index).kind() == Kind::Imm {
            mi.set_immediate(index, i64::from(mi.immediate(index) as i32));
        }
    }
}
