//! The number of an opcode.

use std::fmt;

/// An opcode of the function's target, by its number there. Numbers differ between targets and
/// between LLVM's versions. A pass gets the numbers of the opcodes that it names from the macro
/// `opcodes!`, once for each pipeline.
///
/// It prints as the number.
/// [`MachineFunction::opcode_name`](../llvm/struct.MachineFunction.html#method.opcode_name) returns
/// the name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opcode(u32);

impl Opcode {
    /// Returns the opcode with a number. Its first use checks that the target has it.
    pub const fn from_number(number: u32) -> Opcode {
        Opcode(number)
    }
    /// Returns its number, as `MachineInstr::getOpcode` does.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl From<u32> for Opcode {
    fn from(number: u32) -> Opcode {
        Opcode(number)
    }
}

impl From<Opcode> for u32 {
    fn from(opcode: Opcode) -> u32 {
        opcode.0
    }
}

impl fmt::Debug for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "opcode {}", self.0)
    }
}
