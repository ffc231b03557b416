//! Computes the integer arithmetic, logic and comparisons that [`super::run`] does not leave to a
//! hash.
//!
//! Logic keeps track of each undefined bit. Any other operation with an undefined bit gives an
//! undefined result.

use std::cmp::Ordering;

use super::decode::{Arithmetic, Order};
use super::value::{mask, Value};

/// The operands of one operation.
pub struct Operands {
    /// Width of the first operand. Shift amounts, and positions and lengths of bit fields, have 32
    /// bits.
    pub width: u32,
    pub signed: bool,
    pub a: Value,
    pub b: Value,
    pub c: Value,
}

/// Width of the second operand.
pub fn width_of_second(arithmetic: Arithmetic, width: u32) -> u32 {
    match arithmetic {
        Arithmetic::Shl | Arithmetic::Shr | Arithmetic::BitField => 32,
        _ => width,
    }
}

/// Width of the third operand.
pub fn width_of_third(arithmetic: Arithmetic, width: u32) -> u32 {
    match arithmetic {
        Arithmetic::BitField => 32,
        _ => width_of_product(arithmetic, width),
    }
}

/// Width of a multiplication's result and of its addend.
fn width_of_product(arithmetic: Arithmetic, width: u32) -> u32 {
    match arithmetic {
        Arithmetic::MulWide | Arithmetic::MadWide => 2 * width,
        _ => width,
    }
}

/// Computes the result; `None` for a division by zero, whose result the machine determines.
pub fn compute(arithmetic: Arithmetic, operands: &Operands) -> Option<Value> {
    use Arithmetic::*;
    match arithmetic {
        And | Or | Xor | Not => Some(logic(arithmetic, operands)),
        Shl | Shr => Some(shift(arithmetic, operands)),
        BitField => Some(bit_field(operands)),
        _ => match [operands.a, operands.b, operands.c].map(Value::defined) {
            [Some(a), Some(b), Some(c)] => arithmetic_of_numbers(arithmetic, operands, [a, b, c]),
            _ => Some(Value::undefined(width_of_product(arithmetic, operands.width))),
        },
    }
}

/// Computes bit by bit: a defined zero makes the bit of an `and` a defined zero, a defined one that
/// of an `or` a one.
fn logic(arithmetic: Arithmetic, &Operands { width, a, b, .. }: &Operands) -> Value {
    let known = |value: Value| !value.undef & mask(width);
    match arithmetic {
        Arithmetic::And => {
            let zeros = (known(a) & !a.bits) | (known(b) & !b.bits);
            Value::with_undef(a.bits & b.bits, (a.undef | b.undef) & !zeros, width)
        }
        Arithmetic::Or => {
            Value::with_undef(a.bits | b.bits, (a.undef & !b.bits) | (b.undef & !a.bits), width)
        }
        Arithmetic::Xor => Value::with_undef(a.bits ^ b.bits, a.undef | b.undef, width),
        _ => Value::with_undef(!a.bits, a.undef, width),
    }
}

/// Shifts. An amount greater than the width counts as the width.
fn shift(arithmetic: Arithmetic, &Operands { width, signed, a, b, .. }: &Operands) -> Value {
    let Some(amount) = b.defined() else { return Value::undefined(width) };
    let amount = amount.min(u128::from(width)) as u32;
    match arithmetic {
        Arithmetic::Shl => a.shift_left(amount),
        _ if signed => a.sign_extend(128).shift_right(amount).resize(width),
        _ => a.shift_right(amount),
    }
}

/// Extracts `c` bits of `a` from position `b` on, with sign if the operation is signed.
fn bit_field(&Operands { width, signed, a, b, c }: &Operands) -> Value {
    let (Some(first), Some(len)) = (b.defined(), c.defined()) else { return Value::undefined(width) };
    let (first, len) = ((first & 0xff) as u32, (len & 0xff) as u32);
    // A signed field that begins beyond the last bit is that bit.
    let first = if signed && len > 0 { first.min(width - 1) } else { first.min(width) };
    let end = (first + len).min(width);
    let field = a.resize(end).shift_right(first).resize(end - first);
    if signed {
        field.sign_extend(width)
    } else {
        field.resize(width)
    }
}

/// Computes with three defined numbers; those that the operation does not use are 0.
fn arithmetic_of_numbers(arithmetic: Arithmetic, operands: &Operands, [a, b, c]: [u128; 3]) -> Option<Value> {
    use Arithmetic::*;
    let width = operands.width;
    let (p, q) =
        if operands.signed { (operands.a.signed(), operands.b.signed()) } else { (a as i128, b as i128) };
    let product = p.wrapping_mul(q) as u128;
    let wide = width_of_product(arithmetic, width);
    let value = match arithmetic {
        Add => Value::new(a.wrapping_add(b), width),
        Sub => Value::new(a.wrapping_sub(b), width),
        Mul => Value::new(product, width),
        MulHigh => Value::new(product >> width.min(127), width),
        MulWide => Value::new(product, wide),
        Mad | MadWide => Value::new(product.wrapping_add(c), wide),
        Neg => Value::new(a.wrapping_neg(), width),
        Abs => Value::new(p.unsigned_abs(), width),
        Min => Value::new(p.min(q) as u128, width),
        Max => Value::new(p.max(q) as u128, width),
        Div if q != 0 => Value::new(p.wrapping_div(q) as u128, width),
        Rem if q != 0 => Value::new(p.wrapping_rem(q) as u128, width),
        _ => return None,
    };
    Some(value)
}

/// Compares two numbers; the result has one bit.
pub fn compare(order: Order, signed: bool, a: Value, b: Value) -> Value {
    let (Some(x), Some(y)) = (a.defined(), b.defined()) else { return Value::undefined(1) };
    let ordering = if signed { a.signed().cmp(&b.signed()) } else { x.cmp(&y) };
    let holds = match order {
        Order::Eq => Ordering::is_eq,
        Order::Ne => Ordering::is_ne,
        Order::Lt => Ordering::is_lt,
        Order::Le => Ordering::is_le,
        Order::Gt => Ordering::is_gt,
        Order::Ge => Ordering::is_ge,
    };
    Value::new(u128::from(holds(ordering)), 1)
}
