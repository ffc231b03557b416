//! Binds the stage to LLVM's function.

use super::comparisons::{Comparison, Comparisons, Second};
use super::extremes::Extremes;
use super::packed::{PackedSum, PackedSums};
use crate::adt::Counters;
use crate::llvm::{MachineFunction, MachineInstr, Remark, RemarkKind};
use crate::mir::InstrId;
use crate::nvptx::comparisons::MODE;
use crate::nvptx::created::CreatedOp;
use crate::nvptx::ptxas_errata::Id;
use crate::ssa::snapshot::{Instrs, Snapshot};

/// Which faults ptxas has or may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Faults {
    /// A comparison is taken for one of the other sign.
    pub unsigned_as_signed: bool,
    /// A negated operand of a maximum loses its sign.
    pub negated_maximum: bool,
    /// The constant of a sum of two halves is lost if one half alone is read.
    pub packed_half: bool,
}

/// The pass that the remarks belong to.
const PASS: &str = "ptxas-errata";
/// The name of the remarks.
const REMARK: &str = "OtherForm";

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct PtxasErrata {
    comparisons: Comparisons,
    extremes: Extremes,
    packed: PackedSums,
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
        let PtxasErrata { comparisons, extremes, packed } = self;
        let Faults { unsigned_as_signed, negated_maximum, packed_half } = faults;
        if !unsigned_as_signed && !negated_maximum && !packed_half {
            return false;
        }
        let Some((facts, instrs)) = snapshot.of(mf) else { return false };
        let mut has_changed = false;
        if unsigned_as_signed {
            comparisons.find(facts, &instrs);
            comparisons.changed().iter().for_each(|&comparison| rewrite(comparison, &instrs));
            has_changed |= !comparisons.changed().is_empty();
            counters.extend([
                ("comparisons in another form", comparisons.changed().len() as u64),
                ("unsigned comparisons that stay the same as signed ones", comparisons.num_left()),
            ]);
        }
        if negated_maximum {
            extremes.find(facts, &instrs);
            extremes.exchanged().iter().for_each(|&extreme| exchange(extreme, &instrs));
            has_changed |= !extremes.exchanged().is_empty();
            counters.extend([
                ("maxima and minima with operands exchanged", extremes.exchanged().len() as u64),
                ("maxima and minima of two negations", extremes.num_left()),
            ]);
        }
        if packed_half {
            packed.find(facts, &instrs);
            packed.changed().iter().for_each(|&sum| add_whole(sum, &instrs));
            // A debugger would show both halves.
            packed.altered().iter().for_each(|&reg| mf.forget_debug_uses(reg.into()));
            has_changed |= !packed.changed().is_empty();
            counters.extend([("sums of halves as sums of 32 bits", packed.changed().len() as u64)]);
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
    remark(Id::UnsignedAsSigned, mi, instrs);
}

fn exchange(extreme: InstrId, instrs: &Instrs) {
    let mi = instrs.instr(extreme);
    exchange_operands(mi, instrs.function());
    remark(Id::NegatedMaximum, mi, instrs);
}

/// Makes a sum of two halves one of 32 bits. The constant's register may have no reader then; its
/// move goes.
fn add_whole(sum: PackedSum, instrs: &Instrs) {
    let PackedSum { instr, summand, constant } = sum;
    let (mi, mf) = (instrs.instr(instr), instrs.function());
    let [first, second] = [1, 2].map(|index| mi.operand(index).reg());
    let (summand, other) = if summand == 1 { (first, second) } else { (second, first) };
    mi.set_address(
        Some(instrs.created(CreatedOp::Add32Constant).number()),
        1,
        summand,
        i64::from(constant as i32),
    );
    mf.clear_kills(summand);
    mf.clear_kills(other);
    if mf.reg_operands(other).all(|o| o.operand.is_def() || o.operand.is_debug()) {
        mf.forget_uses(other);
        mf.def(other).expect("a constant has a def").instr.erase();
    }
    remark(Id::PackedHalf, mi, instrs);
}

/// Tells the user that an instruction is in another form, and for which ptxas.
fn remark(fault: Id, mi: MachineInstr, instrs: &Instrs) {
    if !instrs.function().wants_remarks(RemarkKind::Passed, PASS) {
        return;
    }
    let parts = [
        ("", "in another form, for ".to_owned()),
        ("Fault", fault.name().to_owned()),
        ("", " of ptxas ".to_owned()),
        ("Versions", fault.erratum().versions.to_string()),
    ];
    Remark { kind: RemarkKind::Passed, pass: PASS, name: REMARK, parts: &parts }.emit_at(mi.block(), mi);
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
