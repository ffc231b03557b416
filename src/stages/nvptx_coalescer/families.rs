//! Looks up which instructions are moves, and how immediates of other instructions depend on the
//! class of their registers.

use crate::mir::InstrId;
use crate::nvptx::form::Form;
use crate::nvptx::moves::Move;
use crate::nvptx::{OpcodeInfo, OpcodeTable};
use crate::passes::coalescer::host::CoalescerHost;

/// The opcodes of the host.
#[derive(Clone, Copy)]
pub struct Families<'a>(&'a OpcodeTable);

impl<'a> Families<'a> {
    /// Wraps an opcode table.
    pub fn new(opcodes: &'a OpcodeTable) -> Self {
        Families(opcodes)
    }
    /// Returns which move an instruction is, if it is one.
    pub fn of<H: CoalescerHost>(self, host: &mut H, instr: InstrId) -> Option<Move> {
        let opcode = host.opcode(instr);
        self.info(host, opcode).move_
    }
    /// Returns the row of the opcode table for an opcode, whatever its operands are.
    pub fn info<H: CoalescerHost>(self, host: &mut H, opcode: u32) -> OpcodeInfo {
        self.0.info(opcode, Form::NAMED, || host.opcode_name(opcode))
    }
}
