//! States the rules of linear forms and of the bits that may be set. The rule's own code is run for
//! each operation that an opcode of any LLVM version has, with each kind of operands. Its result
//! must be that of the instruction.

use super::term::{always, any_below, cases, given, Term};
use super::Statement;
use crate::mir::VRegId;
use crate::nvptx::all_opcodes;
use crate::nvptx::arithmetic::{Arithmetic, Extension, IntegerOp};
use crate::ssa::forms::bits::{bits_of_op, KnownBits};
use crate::ssa::forms::number::Number;
use crate::ssa::forms::rules::{self, Context, Part, ShiftedAtom};
use crate::ssa::forms::{Op, Value};
use std::collections::BTreeMap;

/// An unknown constant is this number plus the position of its operand. All other constants stand
/// for themselves.
const FIRST_UNKNOWN: i64 = 0x5a5a_5a5a << 32;
/// The most threads of a block in one dimension.
pub const MAX_THREADS: u32 = 1024;

/// An operand: its value and its bits.
#[derive(Clone, Copy)]
struct Operand<const BITS: u32> {
    value: Term<BITS>,
    /// The bits that may be set, if it is a register.
    bits: Term<BITS>,
    width: u32,
}

/// The operands of one operation.
struct Operands<const BITS: u32> {
    values: Vec<Value>,
    operands: Vec<Operand<BITS>>,
}

/// By the number of an operation, whether it is in a statement.
type Stated = [bool; NUM_OPS];

/// The kind of a statement about an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Bits,
    Form,
    ZeroExtended,
    SignExtended,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Bits => "bits that may be set",
            Kind::Form => "linear form",
            Kind::ZeroExtended => "linear form, zero-extended",
            Kind::SignExtended => "linear form, sign-extended",
        }
    }
}

/// Returns the width of an operand.
fn operand_width(operation: Arithmetic, width: u32, index: usize) -> u32 {
    match operation {
        Arithmetic::Truncate => 2 * width,
        Arithmetic::Extend(_) | Arithmetic::MulWideConstant(_) if index == 0 => width / 2,
        _ => width,
    }
}

/// Returns how many operands an operation has, and the positions and possible values of the
/// constants that the code looks at.
fn known_constants(operation: Arithmetic, width: u32) -> (usize, Vec<(usize, i64)>) {
    use Arithmetic::*;
    let to = |index, n: u32| (0..n).map(|by| (index, i64::from(by))).collect();
    match operation {
        Copy => (1, Vec::new()),
        Add | Sub | Or | Xor | And | MulConstant | MulWideConstant(_) | MulRegisters => (2, Vec::new()),
        MulAddConstant | MulAddRegisters => (3, Vec::new()),
        Shl | Shr => (2, to(1, width)),
        Extend(_) | Truncate => (2, vec![(1, 0)]),
        BitField => (3, to(2, width + 1)),
        ThreadId(_) | LaneId => (0, Vec::new()),
    }
}

impl<const BITS: u32> Operands<BITS> {
    /// Makes operands, each a register or a constant. The runs go through all combinations.
    fn any(operation: Arithmetic, width: u32) -> Self {
        let (number, known) = known_constants(operation, width);
        let mut operands = Operands { values: Vec::new(), operands: Vec::new() };
        for index in 0..number {
            let operand_width = operand_width(operation, width, index);
            let name = ["x", "y", "z"][index];
            let is_constant = any_below(2) == 1;
            let constants: Vec<i64> = known.iter().filter(|k| k.0 == index).map(|k| k.1).collect();
            if is_constant && !constants.is_empty() {
                let constant = constants[any_below(constants.len() as u32) as usize];
                operands.values.push(Value::Imm(constant));
                operands.push(Term::of(constant as u64), operand_width);
            } else if is_constant {
                operands.values.push(Value::Imm(FIRST_UNKNOWN + index as i64));
                operands.push(Term::any(name), operand_width);
            } else {
                operands.values.push(Value::Reg(VRegId::from_usize(index)));
                let value = Term::any(name);
                always(value.is_at_most(Term::low_bits(operand_width)));
                operands.push(value, operand_width);
                let Operand { bits, .. } = operands.operands[index];
                given(value.has_only(bits));
            }
        }
        operands
    }
    fn push(&mut self, value: Term<BITS>, width: u32) {
        let bits = Term::any(["X", "Y", "Z"][self.operands.len()]);
        always(bits.is_at_most(Term::low_bits(width)));
        self.operands.push(Operand { value, bits, width });
    }
    fn register(&self, reg: VRegId, width: u32) -> Operand<BITS> {
        let operand = self.operands[reg.index()];
        assert_eq!(operand.width, width, "an operand is read with its own width");
        operand
    }
    fn value(&self, index: usize) -> Term<BITS> {
        self.operands[index].value.low(self.operands[index].width)
    }
}

/// Extends the low half of a number.
pub fn extend<const BITS: u32>(number: Term<BITS>, extension: Extension) -> Term<BITS> {
    match extension {
        Extension::Zero => number.low(BITS / 2),
        Extension::Sign => number.sign_extended(BITS / 2),
    }
}

/// Returns what an instruction computes, by PTX's description. `value` returns an operand in its
/// own width.
pub fn result<const BITS: u32>(
    operation: Arithmetic,
    width: u32,
    value: impl Fn(usize) -> Term<BITS>,
    threads: u32,
) -> Term<BITS> {
    use Arithmetic::*;
    let result = match operation {
        Copy | Truncate => value(0),
        Add => value(0) + value(1),
        Sub => value(0).wrapping_sub(value(1)),
        Or => value(0) | value(1),
        Xor => value(0).xor(value(1)),
        And => value(0) & value(1),
        Shl => value(0).shifted_left(value(1)),
        Shr => value(0).shifted_right(value(1)),
        MulConstant | MulRegisters => value(0).times(value(1)),
        MulAddConstant | MulAddRegisters => value(0).times(value(1)) + value(2),
        MulWideConstant(extension) => extend(value(0), extension).times(extend(value(1), extension)),
        Extend(extension) => extend(value(0), extension),
        BitField => {
            let (one, length) = (Term::of(1), Term::any("length"));
            given(length.is_at_most(value(2)));
            value(0).shifted_right(value(1)) & one.shifted_left(length).wrapping_sub(one)
        }
        ThreadId(_) => {
            let thread = Term::any("thread");
            given(thread.is_below(Term::of(threads.into())));
            thread
        }
        LaneId => {
            let lane = Term::any("lane");
            given(lane.is_below(Term::of(32)));
            lane
        }
    };
    result.low(width)
}

impl<const BITS: u32> KnownBits for Operands<BITS> {
    type Number = Term<BITS>;

    fn constant(&self, constant: i64) -> Term<BITS> {
        match usize::try_from(constant - FIRST_UNKNOWN) {
            Ok(index) if index < self.operands.len() => self.operands[index].value,
            _ => Term::of(constant as u64),
        }
    }
    fn of_register(&mut self, reg: VRegId, width: u32) -> Term<BITS> {
        self.register(reg, width).bits
    }
}

/// A form is its value.
impl<const BITS: u32> Context for Operands<BITS> {
    type Atom = Term<BITS>;
    type Form = Term<BITS>;

    fn form_of_register(&mut self, reg: VRegId, width: u32) -> Term<BITS> {
        let form = Term::any(["Fx", "Fy", "Fz"][reg.index()]);
        given(form.low(width).is(self.register(reg, width).value));
        form
    }
    fn extended_register(&mut self, reg: VRegId, extension: Extension) -> Term<BITS> {
        let form = Term::any(["Fx", "Fy", "Fz"][reg.index()]);
        given(form.is(extend(self.register(reg, BITS / 2).value, extension)));
        form
    }
    fn constant_form(&mut self, constant: Term<BITS>) -> Term<BITS> {
        constant
    }
    fn term(&mut self, atom: Term<BITS>, extension: Option<Extension>, factor: Term<BITS>) -> Term<BITS> {
        extension.map_or(atom, |extension| extend(atom, extension)).times(factor)
    }
    fn add(&mut self, a: Term<BITS>, factor: Term<BITS>, b: Term<BITS>) -> Option<Term<BITS>> {
        Some(a + factor.times(b))
    }
    fn scale(&mut self, a: Term<BITS>, factor: Term<BITS>) -> Option<Term<BITS>> {
        Some(factor.times(a))
    }
    fn low_half(&mut self, whole: Term<BITS>) -> Option<Term<BITS>> {
        Some(whole.low(BITS / 2))
    }
    fn shifted_atom(&mut self, form: Term<BITS>, width: u32) -> Option<ShiftedAtom<Term<BITS>>> {
        let (atom, by) = (Term::any("atom"), any_below(width));
        given((atom << by).low(width).is(form.low(width)));
        Some(ShiftedAtom { atom, by })
    }
    fn part(&mut self, part: Part<Term<BITS>, Term<BITS>>) -> Term<BITS> {
        match part {
            Part::Masked { width, atom, mask } => atom.low(width) & mask,
            Part::Shifted { width, atom, by } => atom.low(width) >> by,
        }
    }
}

/// How many operations there are.
const NUM_OPS: usize = 13;

/// Numbers the operations, to check that each is in a statement.
fn number(op: Op) -> usize {
    match op {
        Op::Copy(_) => 0,
        Op::Add(..) => 1,
        Op::Sub(..) => 2,
        Op::Or(..) => 3,
        Op::Xor(..) => 4,
        Op::And(..) => 5,
        Op::Shl(..) => 6,
        Op::Shr(..) => 7,
        Op::MulAdd(..) => 8,
        Op::MulWide(..) => 9,
        Op::Truncate(_) => 10,
        Op::BitField(_) => 11,
        Op::Counter(..) => 12,
    }
}

/// Runs the rule of an operation on arbitrary operands.
fn goal<const BITS: u32>(
    kind: Kind,
    operation: Arithmetic,
    width: u32,
    stated: &mut Stated,
) -> Option<String> {
    let mut operands = Operands::<BITS>::any(operation, width);
    let threads =
        if matches!(operation, Arithmetic::ThreadId(_)) { any_below(MAX_THREADS) + 1 } else { MAX_THREADS };
    // The rules ask for one of two widths: that of a whole number, or half of it.
    let bits = if width == BITS { 64 } else { 32 };
    let known = IntegerOp { operation, bits };
    let op = Op::new(known, &operands.values, [threads; 3])?;
    stated[number(op)] = true;
    let c = &mut operands;
    let found = match kind {
        Kind::Bits => bits_of_op(c, op, width),
        Kind::Form => rules::whole(c, op, width)?,
        Kind::ZeroExtended => rules::zero_extended(c, op)?,
        Kind::SignExtended => rules::sign_extended(c, op)?,
    };
    let is = result(operation, width, |index| operands.value(index), threads);
    let claim = match kind {
        Kind::Bits => is.has_only(found),
        Kind::Form => found.low(width).is(is),
        Kind::ZeroExtended => found.is(extend(is, Extension::Zero)),
        Kind::SignExtended => found.is(extend(is, Extension::Sign)),
    };
    Some(claim.exact())
}

/// Returns whether a statement is about products of two unknown numbers, which the solver proves
/// only for few bits.
fn is_hard(kind: Kind, operation: Arithmetic) -> bool {
    use Arithmetic::*;
    match kind {
        Kind::Bits => matches!(operation, MulConstant | MulAddConstant | MulWideConstant(_)),
        Kind::ZeroExtended => matches!(operation, MulConstant | MulAddConstant),
        Kind::Form | Kind::SignExtended => false,
    }
}

/// Returns the statements of all operations.
pub fn statements() -> Vec<Statement> {
    let mut operations = BTreeMap::new();
    for op in all_opcodes::names().iter().filter_map(|name| IntegerOp::from_name(name)) {
        operations.insert(format!("{:?} of {} bits", op.operation, op.bits), op);
    }
    let mut statements = Vec::new();
    let stated = &mut [false; NUM_OPS];
    for (name, IntegerOp { operation, bits }) in operations {
        for kind in [Kind::Bits, Kind::Form, Kind::ZeroExtended, Kind::SignExtended] {
            let is_extended = matches!(kind, Kind::ZeroExtended | Kind::SignExtended);
            if is_extended && bits != 32 {
                continue;
            }
            let rule = format!("{name}: {}", kind.name());
            const FEW: u32 = 16;
            let statement = if is_hard(kind, operation) {
                Statement {
                    rule,
                    bits: FEW,
                    cases: cases(|| goal::<FEW>(kind, operation, bits * FEW / 64, stated)),
                }
            } else {
                Statement { rule, bits: 64, cases: cases(|| goal::<64>(kind, operation, bits, stated)) }
            };
            // Some operations have no linear form, or none when they are extended.
            if !statement.cases.is_empty() {
                statements.push(statement);
            }
        }
    }
    statements.push(counter(stated));
    assert_eq!(*stated, [true; NUM_OPS], "each operation is in a statement");
    statements
}

/// States the bits of a loop variable that may be set. Its first value has only these, and a value
/// that has only these still does after the step.
fn counter(stated: &mut Stated) -> Statement {
    let mut goal = |width: u32| {
        let mut operands = Operands::<64>::any(Arithmetic::Add, width);
        let (first, Value::Imm(step)) = (operands.values[0], operands.values[1]) else { return None };
        let op = Op::Counter(first, step);
        stated[number(op)] = true;
        let bits = bits_of_op(&mut operands, op, width);
        let before = Term::any("before").low(width);
        given(before.has_only(bits));
        let after = (before + operands.constant(step)).low(width);
        Some(super::term::all(&[operands.value(0).has_only(bits).exact(), after.has_only(bits).exact()]))
    };
    let mut all = cases(|| goal(32));
    all.extend(cases(|| goal(64)));
    Statement {
        rule: "variable of a loop with a constant step: bits that may be set".into(),
        bits: 64,
        cases: all,
    }
}
