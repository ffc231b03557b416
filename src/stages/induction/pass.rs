//! Binds the stage to LLVM's function.

use super::equal::{EqualPair, EqualVariables};
use super::find::Found;
use super::initial::{InitialValue, InitialValues, SumTarget};
use super::types::{InductionTarget, NewVariable, Variable};
use super::InductionVariables;
use crate::adt::Counters;
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::{BlockNumber, InstrId, Kind, RegClassId, Register, VRegId};
use crate::nvptx::accesses::SpaceSource;
use crate::nvptx::arithmetic::{Arithmetic, IntegerOp};
use crate::nvptx::computation::Operation;
use crate::nvptx::cost::registers32;
use crate::nvptx::counterparts::Counterpart;
use crate::ssa::address::{address_of, Address};
use crate::ssa::machine::MachineInfo;
use crate::ssa::snapshot::{Code, Instrs, Snapshot};
use crate::ssa::SsaFacts;

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct Induction {
    equal: EqualVariables,
    variables: InductionVariables,
    new_variables: Vec<NewVariable>,
    initial_values: InitialValues,
    /// By new variable: its initial value.
    initials: Vec<InitialValue>,
}

/// Returns the width of an instruction that adds its operands and does nothing else.
fn sum_bits(instrs: &Instrs, instr: InstrId) -> Option<u32> {
    match instrs.opcode_info(instr).arithmetic {
        Some(IntegerOp { operation: Arithmetic::Add, bits }) => Some(bits),
        _ => None,
    }
}

impl SumTarget for Code<'_, '_> {
    fn sum_bits(&mut self, instr: InstrId) -> Option<u32> {
        sum_bits(self.machine(), instr)
    }
    fn have_same_class(&mut self, a: VRegId, b: VRegId) -> bool {
        self.machine().class(a) == self.machine().class(b)
    }
}

impl InductionTarget for Instrs<'_, '_> {
    fn is_sum(&mut self, instr: InstrId) -> bool {
        let (mi, mf) = (self.instr(instr), self.function());
        let class = |index| mf.class_id(mi.operand(index).reg());
        let is_same = |index| !mi.operand(index).is_reg() || class(index) == class(0);
        sum_bits(self, instr).is_some() && class(0).is_some() && is_same(1) && is_same(2)
    }
    fn is_move(&mut self, instr: InstrId) -> bool {
        self.opcode_info(instr).arithmetic.is_some_and(|op| op.operation == Arithmetic::Copy)
    }
    fn constant_operand(&mut self, instr: InstrId) -> Option<i64> {
        let mi = self.instr(instr);
        let last = (1..mi.num_operands()).rfind(|&index| !mi.operand(index).is_implicit())?;
        (mi.operand(last).kind() == Kind::Imm).then(|| mi.immediate(last))
    }
    fn class(&mut self, reg: VRegId) -> Option<RegClassId> {
        MachineInfo::class(self, reg)
    }
    fn is_access(&mut self, instr: InstrId) -> bool {
        let address = address_of(self.facts(), self, instr);
        let is_in_register = |a: Address| a.place.space == SpaceSource::LoadOrStore && a.register().is_some();
        address.is_some_and(is_in_register) || self.is_inline_asm(instr)
    }
    fn is_inline_asm(&mut self, instr: InstrId) -> bool {
        self.opcode_info(instr).operation == Operation::InlineAsm
    }
    fn registers32(&mut self, reg: VRegId) -> u32 {
        registers32(self.function().class_bits(Register::virt(reg.raw())))
    }
    fn is_uniform(&mut self, instr: InstrId) -> bool {
        Instrs::is_uniform(self, instr)
    }
    fn registers32_in_sums(&mut self, reg: VRegId, def: InstrId) -> u32 {
        if Instrs::is_uniform(self, def) {
            return 0;
        }
        // The product and a sum are one instruction, of 32 bits.
        if self.opcode_info(def).is_widening {
            1
        } else {
            self.registers32(reg)
        }
    }
}

impl Induction {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let joined = self.join_equal(mf, snapshot);
        if joined > 0 {
            snapshot.forget();
        }
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return false };
        self.variables.run(facts, &mut instrs, &mut self.new_variables);
        let (found, new_variables) = (&self.variables.found, &self.new_variables);
        self.initials.clear();
        if !new_variables.is_empty() {
            let values = &mut self.initial_values;
            let mut code = Code::new(facts, instrs, None);
            values.read(facts, found, new_variables, &mut code);
            self.initials.extend(new_variables.iter().map(|new| values.find(facts, found, new, &mut code)));
        }
        let edits = Edits { facts, found, instrs };
        for (new, &initial) in new_variables.iter().zip(&self.initials) {
            edits.make_variable(new, initial);
        }
        // n variables and m distances connected by sums make at least n + m - 1 new variables, none
        // smaller than an old variable or a distance. So there is a gain only if all old variables
        // are erased and all distances end. Then the PHI and the increment of an old variable are
        // read only by each other.
        let mut erased = 0;
        for of_variable in new_variables.chunk_by(|a, b| a.variable == b.variable) {
            let Variable { phi, increment, .. } = found.variable(&of_variable[0]);
            let cycle = [phi, increment].map(|instr| instrs.instr(instr));
            cycle.iter().for_each(|mi| mf.forget_uses(mi.operand(0).reg()));
            cycle.into_iter().for_each(MachineInstr::erase);
            erased += 1;
        }
        counters.extend([
            ("equal induction variables joined", joined),
            ("induction variables erased", erased),
            ("sums made induction variables", new_variables.len() as u64),
        ]);
        joined > 0 || !new_variables.is_empty()
    }

    /// Merges variables that are equal. Returns how many are erased.
    fn join_equal(&mut self, mf: MachineFunction, snapshot: &mut Snapshot) -> u64 {
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return 0 };
        self.equal.find(facts, &mut instrs);
        let cycle =
            move |variable: Variable| [variable.phi, variable.increment].map(|instr| instrs.instr(instr));
        for &EqualPair { kept, erased } in &self.equal.pairs {
            for (kept, erased) in cycle(kept).into_iter().zip(cycle(erased)) {
                mf.replace_reg(erased.operand(0).reg(), kept.operand(0).reg());
                erased.erase();
            }
            // A constant that nothing reads any more.
            let initial = Register::from(erased.initial);
            if mf.use_nodbg_empty(initial)
                && facts.def_of(erased.initial).is_some_and(|def| instrs.is_move(def))
            {
                mf.forget_uses(initial);
                mf.def(initial).iter().for_each(|def| def.instr.erase());
            }
        }
        self.equal.pairs.len() as u64
    }
}

/// Changes LLVM's function.
struct Edits<'a, 'f> {
    facts: &'a SsaFacts,
    found: &'a Found,
    instrs: Instrs<'a, 'f>,
}

/// The instructions that a new variable's instructions are copies of.
#[derive(Clone, Copy)]
struct Originals<'f> {
    phi: MachineInstr<'f>,
    /// The operand of the PHI for the latch; the initial value is operand `4 - at_next`.
    at_next: usize,
    increment: MachineInstr<'f>,
    sum: MachineInstr<'f>,
}

impl<'f> Edits<'_, 'f> {
    /// Makes a variable of sums, and erases the sums.
    fn make_variable(&self, new: &NewVariable, initial: InitialValue) {
        let mf = self.instrs.function();
        let sums = self.found.sums_of(new);
        let Variable { phi, increment, entry, .. } = self.found.variable(new);
        let [phi, increment, sum] = [phi, increment, sums[0].instr].map(|instr| self.instrs.instr(instr));
        let [reg, next] = [phi, increment].map(|mi| mi.operand(0).reg());
        let at_next = index_of(phi, next).expect("a PHI reads the result of the increment");
        let originals = Originals { phi, at_next, increment, sum };
        let entry = self.facts.shape.numbers[entry];
        let initial = self.make_initial(initial, originals, entry);
        let (new, new_next) = (phi.clone_before(phi), increment.clone_before(increment));
        let [new_phi, new_increment] = [new, new_next].map(|reg| mf.def(reg).expect("it was made").instr);
        new_phi.set_reg(at_next, new_next);
        new_phi.set_reg(4 - at_next, initial);
        new_increment.set_reg(index_of(increment, reg).expect("an increment reads its variable"), new);
        for sum in sums {
            let mi = self.instrs.instr(sum.instr);
            mf.replace_reg(mi.operand(0).reg(), if sum.reads_next { new_next } else { new });
            mi.erase();
        }
    }

    /// Makes the register of an initial value at the end of the block that enters the loop, unless
    /// it exists.
    fn make_initial(&self, initial: InitialValue, originals: Originals<'f>, entry: BlockNumber) -> Register {
        let mf = self.instrs.function();
        let Originals { phi, at_next, increment, sum } = originals;
        let [reg, next] = [phi, increment].map(|mi| mi.operand(0).reg());
        let clone = |mi: MachineInstr<'f>| {
            let made = mi.clone_before(mi);
            (made, mf.def(made).expect("it was made").instr)
        };
        let (made, mi) = match initial {
            InitialValue::Existing(reg) => return reg.into(),
            InitialValue::PlusConstant(base, constant) => {
                let opcode = self.instrs.counterpart(sum, Counterpart::WithConstant);
                let (made, mi) = clone(sum);
                mi.set_address(Some(opcode.number()), 1, base.into(), constant);
                (made, mi)
            }
            InitialValue::PlusStep(base) => {
                let (made, mi) = clone(increment);
                mi.set_reg(index_of(mi, reg).expect("an increment reads its variable"), base.into());
                (made, mi)
            }
            InitialValue::Sum => {
                let (made, mi) = clone(sum);
                let index = index_of(mi, reg).or_else(|| index_of(mi, next)).expect("so does a sum");
                mi.set_reg(index, phi.operand(4 - at_next).reg());
                (made, mi)
            }
        };
        mi.move_to_end_of(mf.block_numbered(entry));
        made
    }
}

/// Returns the position of the last operand that reads a register.
fn index_of(mi: MachineInstr, reg: Register) -> Option<usize> {
    let is_it = |&index: &usize| mi.operand(index).is_reg() && mi.operand(index).reg() == reg;
    (1..mi.num_operands()).rfind(is_it)
}
