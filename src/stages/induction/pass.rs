//! The stage on LLVM's function.

use super::begins::{Begin, Begins};
use super::{Own, Target, Variable, Variables};
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::Register;
use crate::nvptx::arithmetic::{Arithmetic, Kind};
use crate::plugin::stats::Counters;
use crate::ssa::snapshot::{Instrs, Snapshot};
use crate::ssa::SsaFacts;
use crate::stages::fold_addresses::Code;

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Induction {
    variables: Variables,
    own: Vec<Own>,
    begins: Begins,
    /// What each of `own` begins with.
    found: Vec<Begin>,
}

/// Whether a sum, and how many bits it has.
pub fn sum(code: &mut Code, instr: u32) -> Option<u32> {
    match code.instr(instr).1 {
        Some(Kind::Arithmetic(Arithmetic::Add, bits)) => Some(bits),
        _ => None,
    }
}

/// What products of 32 bits and extensions begin with.
const WIDE: [&str; 4] = ["MULWIDE", "MUL_WIDE", "CVT_s64_s32", "CVT_u64_u32"];

/// What the algorithm asks of.
struct Asked<'a, 'c, 'f> {
    code: &'c mut Code<'a, 'f>,
    instrs: &'c mut Instrs<'a, 'f>,
}

impl Target for Asked<'_, '_, '_> {
    fn is_sum(&mut self, instr: u32) -> bool {
        let (mi, mf) = (self.code.instr(instr).0, self.code.function());
        let class = |index| mf.class_id(mi.operand(index).reg());
        let is_same = |index| !mi.operand(index).is_reg() || class(index) == class(0);
        sum(self.code, instr).is_some() && class(0).is_some() && is_same(1) && is_same(2)
    }
    fn is_access(&mut self, instr: u32) -> bool {
        matches!(self.code.instr(instr).1, Some(Kind::Access(_) | Kind::Asm))
    }
    fn is_assembly(&mut self, instr: u32) -> bool {
        self.code.instr(instr).1 == Some(Kind::Asm)
    }
    fn size(&mut self, instr: u32) -> u32 {
        let mi = self.code.instr(instr).0;
        self.code.function().class_bits(mi.operand(0).reg()).div_ceil(32)
    }
    fn is_uniform(&mut self, instr: u32) -> bool {
        self.instrs.is_uniform(instr)
    }
    fn size_in_sums(&mut self, instr: u32) -> u32 {
        if self.instrs.is_uniform(instr) {
            return 0;
        }
        let name = self.code.function().opcode_name(self.code.instr(instr).0.opcode());
        // It and a sum are one instruction, of 32 bits.
        let is_wide = WIDE.iter().any(|p| name.starts_with(p));
        if is_wide {
            1
        } else {
            self.size(instr)
        }
    }
}

/// The position of the operand that reads a register, the last one.
pub fn index_of(mi: MachineInstr, reg: Register) -> Option<usize> {
    let is_it = |&index: &usize| mi.operand(index).is_reg() && mi.operand(index).reg() == reg;
    (1..mi.num_operands()).rfind(is_it)
}

impl Induction {
    /// Does it to a function; whether that was changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, mut instrs)) = snapshot.of_blocks(mf) else { return false };
        let Induction { variables, own, begins, found } = self;
        let mut code = Code::new(facts, &instrs, &facts.def, mf.max_threads());
        let mut asked = Asked { code: &mut code, instrs: &mut instrs };
        variables.run(facts, &mut asked, own);
        found.clear();
        if !own.is_empty() {
            begins.read(facts, variables, own, &mut code);
            found.extend(own.iter().map(|own| begins.find(facts, variables, own, &mut code)));
        }
        for (own, &begin) in own.iter().zip(&*found) {
            make(variables, own, begins, begin, facts, &mut code);
        }
        // n variables and m distances that sums connect are n + m - 1 new variables at least, none smaller than what goes or ends. So
        // something is gained only where all of them do, and nothing reads these variables any more but PHIs and steps each other.
        let mut gone = 0;
        for of_variable in own.chunk_by(|a, b| a.variable == b.variable) {
            let Variable { phi, step, .. } = variables.variable(&of_variable[0]);
            let ring = [phi, step].map(|instr| instrs.instr(instr));
            ring.iter().for_each(|mi| mf.forget_uses(mi.operand(0).reg()));
            ring.into_iter().for_each(MachineInstr::erase);
            gone += 1;
        }
        counters.extend([
            ("induction variables erased", gone),
            ("sums made induction variables", own.len() as u64),
        ]);
        !own.is_empty()
    }
}

/// Makes a variable of sums, which are erased.
fn make(
    variables: &Variables,
    own: &Own,
    begins: &mut Begins,
    begin: Begin,
    facts: &SsaFacts,
    code: &mut Code,
) {
    let mf = code.function();
    let sums = variables.sums(own);
    let Variable { phi, step, entry, .. } = variables.variable(own);
    let [phi, step, sum] = [phi, step, sums[0].instr].map(|i| code.instr(i).0);
    let [reg, next] = [phi, step].map(|mi| mi.operand(0).reg());
    let at_next = index_of(phi, next).expect("a PHI reads what is behind the step");
    let entry = facts.shape.numbers[entry as usize];
    let first = begins.make(begin, [phi, step, sum], at_next, code, entry);
    let (new, new_next) = (phi.clone_before(phi), step.clone_before(step));
    let [new_phi, new_step] = [new, new_next].map(|reg| mf.def(reg).expect("it was made").instr);
    new_phi.set_reg(at_next, new_next);
    new_phi.set_reg(4 - at_next, first);
    new_step.set_reg(index_of(step, reg).expect("a step reads its variable"), new);
    for sum in sums {
        let mi = code.instr(sum.instr).0;
        mf.replace_reg(mi.operand(0).reg(), if sum.of_next { new_next } else { new });
        mi.erase();
    }
}
