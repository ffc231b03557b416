//! Binds the stage to LLVM's function.

use super::find::Found;
use super::initial::{InitialValue, InitialValues, SumTarget};
use super::types::{InductionTarget, NewVariable, Variable};
use super::InductionVariables;
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::{InstrId, Register};
use crate::nvptx::arithmetic::{with_immediate, Arithmetic, Kind};
use crate::nvptx::moves::ByOpcode;
use crate::plugin::stats::Counters;
use crate::ssa::snapshot::{Instrs, Snapshot};
use crate::ssa::SsaFacts;
use crate::stages::fold_addresses::Code;

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct Induction {
    variables: InductionVariables,
    new_variables: Vec<NewVariable>,
    initial_values: InitialValues,
    /// By new variable, its initial value.
    initials: Vec<InitialValue>,
    /// By opcode of a sum of registers, that of a register and a constant.
    with_constant: ByOpcode<u32>,
}

/// The opcodes of products of 32 bits and extensions begin with one of these.
const WIDENING: [&str; 4] = ["MULWIDE", "MUL_WIDE", "CVT_s64_s32", "CVT_u64_u32"];

/// LLVM's function, as the algorithm asks of it.
struct LlvmTarget<'a, 'c, 'f> {
    code: &'c mut Code<'a, 'f>,
    instrs: &'c mut Instrs<'a, 'f>,
}

impl SumTarget for Code<'_, '_> {
    fn sum_bits(&mut self, instr: InstrId) -> Option<u32> {
        match self.instr(instr.raw()).1 {
            Some(Kind::Arithmetic(Arithmetic::Add, bits)) => Some(bits),
            _ => None,
        }
    }
    fn have_same_class(&mut self, a: Register, b: Register) -> bool {
        self.function().class_id(a) == self.function().class_id(b)
    }
}

impl InductionTarget for LlvmTarget<'_, '_, '_> {
    fn is_sum(&mut self, instr: InstrId) -> bool {
        let (mi, mf) = (self.code.instr(instr.raw()).0, self.code.function());
        let class = |index| mf.class_id(mi.operand(index).reg());
        let is_same = |index| !mi.operand(index).is_reg() || class(index) == class(0);
        self.code.sum_bits(instr).is_some() && class(0).is_some() && is_same(1) && is_same(2)
    }
    fn is_access(&mut self, instr: InstrId) -> bool {
        matches!(self.code.instr(instr.raw()).1, Some(Kind::Access(_) | Kind::Asm))
    }
    fn is_inline_asm(&mut self, instr: InstrId) -> bool {
        self.code.instr(instr.raw()).1 == Some(Kind::Asm)
    }
    fn registers32(&mut self, instr: InstrId) -> u32 {
        let mi = self.code.instr(instr.raw()).0;
        self.code.function().class_bits(mi.operand(0).reg()).div_ceil(32)
    }
    fn is_uniform(&mut self, instr: InstrId) -> bool {
        self.instrs.is_uniform(instr.raw())
    }
    fn registers32_in_sums(&mut self, instr: InstrId) -> u32 {
        if self.is_uniform(instr) {
            return 0;
        }
        let name = self.code.function().opcode_name(self.code.instr(instr.raw()).0.opcode());
        // It and a sum are one instruction, of 32 bits.
        if WIDENING.iter().any(|prefix| name.starts_with(prefix)) {
            1
        } else {
            self.registers32(instr)
        }
    }
}

impl Induction {
    /// Runs the stage on a function; whether it changed that.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return false };
        let mut code = Code::new(facts, &instrs, &facts.def, mf.max_threads());
        let mut target = LlvmTarget { code: &mut code, instrs: &mut instrs };
        self.variables.run(facts, &mut target, &mut self.new_variables);
        let (found, new_variables) = (&self.variables.found, &self.new_variables);
        self.initials.clear();
        if !new_variables.is_empty() {
            let values = &mut self.initial_values;
            values.read(facts, found, new_variables, &mut code);
            self.initials.extend(new_variables.iter().map(|new| values.find(facts, found, new, &mut code)));
        }
        let mut edits = Edits { facts, found, code: &mut code, with_constant: &mut self.with_constant };
        for (new, &initial) in new_variables.iter().zip(&self.initials) {
            edits.make_variable(new, initial);
        }
        // n variables and m distances that sums connect are n + m - 1 new variables at least, none smaller than an old variable or a
        // distance. So something is gained only where all of them are erased or end: nothing reads these variables any more but PHIs
        // and increments each other.
        let mut erased = 0;
        for of_variable in new_variables.chunk_by(|a, b| a.variable == b.variable) {
            let Variable { phi, increment, .. } = found.variable(&of_variable[0]);
            let cycle = [phi, increment].map(|instr| instrs.instr(instr.raw()));
            cycle.iter().for_each(|mi| mf.forget_uses(mi.operand(0).reg()));
            cycle.into_iter().for_each(MachineInstr::erase);
            erased += 1;
        }
        counters.extend([
            ("induction variables erased", erased),
            ("sums made induction variables", new_variables.len() as u64),
        ]);
        !new_variables.is_empty()
    }
}

/// Changes LLVM's function.
struct Edits<'e, 'a, 'f> {
    facts: &'e SsaFacts,
    found: &'e Found,
    code: &'e mut Code<'a, 'f>,
    with_constant: &'e mut ByOpcode<u32>,
}

/// The instructions that a new variable is made like.
#[derive(Clone, Copy)]
struct Originals<'f> {
    phi: MachineInstr<'f>,
    /// The operand of the PHI by which the loop comes back to it; the other value is operand `4 - at_next`.
    at_next: usize,
    increment: MachineInstr<'f>,
    sum: MachineInstr<'f>,
}

impl<'f> Edits<'_, '_, 'f> {
    /// Makes a variable of sums, which are erased.
    fn make_variable(&mut self, new: &NewVariable, initial: InitialValue) {
        let mf = self.code.function();
        let sums = self.found.sums_of(new);
        let Variable { phi, increment, entry, .. } = self.found.variable(new);
        let [phi, increment, sum] = [phi, increment, sums[0].instr].map(|i| self.code.instr(i.raw()).0);
        let [reg, next] = [phi, increment].map(|mi| mi.operand(0).reg());
        let at_next = index_of(phi, next).expect("a PHI reads the result of the increment");
        let originals = Originals { phi, at_next, increment, sum };
        let entry = self.facts.shape.numbers[entry.index()];
        let initial = self.make_initial(initial, originals, entry);
        let (new, new_next) = (phi.clone_before(phi), increment.clone_before(increment));
        let [new_phi, new_increment] = [new, new_next].map(|reg| mf.def(reg).expect("it was made").instr);
        new_phi.set_reg(at_next, new_next);
        new_phi.set_reg(4 - at_next, initial);
        new_increment.set_reg(index_of(increment, reg).expect("an increment reads its variable"), new);
        for sum in sums {
            let mi = self.code.instr(sum.instr.raw()).0;
            mf.replace_reg(mi.operand(0).reg(), if sum.reads_next { new_next } else { new });
            mi.erase();
        }
    }

    /// Makes the register of an initial value at the end of the block from which the loop is entered, unless it is there.
    fn make_initial(&mut self, initial: InitialValue, originals: Originals<'f>, entry: u32) -> Register {
        let mf = self.code.function();
        let Originals { phi, at_next, increment, sum } = originals;
        let [reg, next] = [phi, increment].map(|mi| mi.operand(0).reg());
        let clone = |mi: MachineInstr<'f>| {
            let made = mi.clone_before(mi);
            (made, mf.def(made).expect("it was made").instr)
        };
        let (made, mi) = match initial {
            InitialValue::Existing(reg) => return reg,
            InitialValue::PlusConstant(base, constant) => {
                let name = || mf.opcode_named(&with_immediate(&mf.opcode_name(sum.opcode())));
                let opcode = self.with_constant.of(sum.opcode(), name);
                let (made, mi) = clone(sum);
                let opcode = opcode.expect("every sum of registers has one with a constant");
                mi.set_address(Some(opcode), 1, base, constant);
                (made, mi)
            }
            InitialValue::PlusStep(base) => {
                let (made, mi) = clone(increment);
                mi.set_reg(index_of(mi, reg).expect("an increment reads its variable"), base);
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

/// Finds the position of the operand that reads a register, the last one.
fn index_of(mi: MachineInstr, reg: Register) -> Option<usize> {
    let is_it = |&index: &usize| mi.operand(index).is_reg() && mi.operand(index).reg() == reg;
    (1..mi.num_operands()).rfind(is_it)
}
