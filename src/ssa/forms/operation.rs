//! Names the operations that define registers.

use crate::mir::VRegId;
use crate::nvptx::arithmetic::{Arithmetic, Extension, IntegerOp};

/// An operand of an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A virtual register.
    Reg(VRegId),
    /// A constant.
    Imm(i64),
}

/// The operation that defines a register.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// The value itself: a copy or a constant.
    Copy(Value),
    /// The sum.
    Add(Value, Value),
    /// The difference.
    Sub(Value, Value),
    /// Bitwise or.
    Or(Value, Value),
    /// Bitwise exclusive or.
    Xor(Value, Value),
    /// Bitwise and.
    And(Value, Value),
    /// Shifted left by less than the width.
    Shl(Value, u32),
    /// Shifted right by less than the width; the high bits become zero.
    Shr(Value, u32),
    /// The low bits of the product of the first two, plus the third.
    MulAdd(Value, i64, Value),
    /// The 64-bit product of a value of 32 bits and a constant, both extended this way.
    MulWide(Value, i64, Extension),
    /// The low 32 of 64 bits.
    Truncate(Value),
    /// A value in which only this many of the lowest bits may be set.
    BitField(u32),
    /// A PHI of a loop: the first value, and the constant that is added in every iteration.
    Counter(Value, i64),
}

impl Op {
    /// Makes the operation from its operands. Returns `None` for an unknown combination. A block
    /// has at most `max_threads` threads in each dimension.
    pub fn new(of: IntegerOp, operands: &[Value], max_threads: [u32; 3]) -> Option<Op> {
        let imm = |i: usize| match operands.get(i) {
            Some(&Value::Imm(imm)) => Some(imm),
            _ => None,
        };
        let value = |i: usize| operands.get(i).copied();
        let by = || imm(1).and_then(|by| u32::try_from(by).ok()).filter(|&by| by < of.bits);
        Some(match of.operation {
            Arithmetic::Copy => Op::Copy(value(0)?),
            Arithmetic::Add => Op::Add(value(0)?, value(1)?),
            Arithmetic::Sub => Op::Sub(value(0)?, value(1)?),
            Arithmetic::Or => Op::Or(value(0)?, value(1)?),
            Arithmetic::Xor => Op::Xor(value(0)?, value(1)?),
            Arithmetic::And => Op::And(value(0)?, value(1)?),
            Arithmetic::Shl => Op::Shl(value(0)?, by()?),
            Arithmetic::Shr => Op::Shr(value(0)?, by()?),
            Arithmetic::MulConstant => Op::MulAdd(value(0)?, imm(1)?, Value::Imm(0)),
            Arithmetic::MulAddConstant => Op::MulAdd(value(0)?, imm(1)?, value(2)?),
            Arithmetic::MulRegisters | Arithmetic::MulAddRegisters => return None,
            Arithmetic::MulWideConstant(extension) => Op::MulWide(value(0)?, imm(1)?, extension),
            // The last operand is the rounding mode. It must be 0, which stands for none.
            Arithmetic::Extend(extension) => {
                (imm(1)? == 0).then_some(Op::MulWide(value(0)?, 1, extension))?
            }
            Arithmetic::Truncate => matches!(imm(1), None | Some(0)).then_some(Op::Truncate(value(0)?))?,
            Arithmetic::BitField => Op::BitField(imm(2)?.clamp(0, 64) as u32),
            Arithmetic::ThreadId(dimension) => {
                let largest = max_threads[usize::from(dimension)] - 1;
                Op::BitField(largest.checked_ilog2().map_or(0, |n| n + 1))
            }
            Arithmetic::LaneId => Op::BitField(5),
        })
    }
}

/// An operation and the width of its result, 32 or 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The operation.
    pub op: Op,
    /// The width.
    pub bits: u32,
}

/// Finds the operations that define registers.
pub trait Defs {
    /// Returns the operation that defines a register. `None` if no [`Op`] describes it.
    fn definition(&mut self, reg: VRegId) -> Option<Definition>;
}
