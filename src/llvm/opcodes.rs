//! Describes the target's opcodes (`MCInstrDesc`, `MCInstPrinter`) and sub-register indices.

use super::strings::{borrow_str, to_ffi_str};
use super::{ffi, MachineFunction};
use crate::mir::{OpcodeFacts, OpcodeOperand};
use std::borrow::Cow;

impl<'f> MachineFunction<'f> {
    /// The target's name for an opcode.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn opcode_name(self, opcode: u32) -> Cow<'f, str> {
        // SAFETY: handle; the name lives as long as the target.
        unsafe { borrow_str(ffi::ptx_opcode_name(self.ptr.as_ptr(), opcode)) }
    }
    /// The target's opcode of this name. Names are looked at from one opcode on in both directions.
    pub fn opcode_named(self, name: &str, near: u32) -> Option<u32> {
        // SAFETY: handle; the string lives through the call.
        let opcode = unsafe { ffi::ptx_mf_opcode_named(self.ptr.as_ptr(), to_ffi_str(name), near) };
        (opcode != u32::MAX).then_some(opcode)
    }
    /// The text that an instruction of a target's opcode prints before its first operand; empty for generic opcodes.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn mnemonic(self, opcode: u32) -> Cow<'f, str> {
        // SAFETY: handle; the text lives as long as the target.
        unsafe { borrow_str(ffi::ptx_opcode_mnemonic(self.ptr.as_ptr(), opcode)) }
    }
    /// The description of an opcode, without operands.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn opcode_facts(self, opcode: u32) -> OpcodeFacts {
        let mut facts = OpcodeFacts { flags: 0, target_flags: 0, num_operands: 0, is_generic: false };
        // SAFETY: handle; a number of an opcode.
        unsafe { ffi::ptx_opcode_facts(self.ptr.as_ptr(), opcode, &mut facts) };
        facts
    }
    /// The operands of a description.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn opcode_operands(self, opcode: u32) -> Vec<OpcodeOperand> {
        let num_operands = self.opcode_facts(opcode).num_operands as usize;
        let mut operands = Vec::with_capacity(num_operands);
        // SAFETY: handle; a number of an opcode; there is room for all operands, and all are written.
        unsafe {
            ffi::ptx_opcode_operands(self.ptr.as_ptr(), opcode, operands.as_mut_ptr());
            operands.set_len(num_operands);
        }
        operands
    }
    /// All opcodes whose description is that of `opcode` but for register classes, itself included.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn opcodes_alike(self, opcode: u32) -> impl Iterator<Item = u32> + use<'f> {
        let alike = move |from| {
            // SAFETY: handle; a number of an opcode.
            let other = unsafe { ffi::ptx_opcode_alike(self.ptr.as_ptr(), opcode, from) };
            (other != u32::MAX).then_some(other)
        };
        std::iter::successors(alike(0), move |&other| alike(other + 1))
    }
    /// The index of part `b` of part `a`, 0 if there is none.
    ///
    /// # Fatal errors
    /// If the target has no such part.
    pub fn compose_subregs(self, a: u32, b: u32) -> u32 {
        // SAFETY: handle; indices of the target.
        unsafe { ffi::ptx_tri_compose(self.ptr.as_ptr(), a, b) }
    }
    /// Lanes of a part, in the whole.
    ///
    /// # Fatal errors
    /// If the target has no such part.
    pub fn compose_lanes(self, subreg: u32, lanes: u64) -> u64 {
        // SAFETY: handle; an index of the target.
        unsafe { ffi::ptx_tri_compose_lanes(self.ptr.as_ptr(), subreg, lanes) }
    }
    /// Lanes of the whole, in a part.
    ///
    /// # Fatal errors
    /// If the target has no such part.
    pub fn reverse_compose_lanes(self, subreg: u32, lanes: u64) -> u64 {
        // SAFETY: handle; an index of the target.
        unsafe { ffi::ptx_tri_reverse_compose_lanes(self.ptr.as_ptr(), subreg, lanes) }
    }
    /// How many sub-register indices there are, 0 included.
    pub fn num_subreg_indices(self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_subreg_indices(self.ptr.as_ptr()) }
    }
}
