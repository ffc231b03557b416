//! The target's opcodes (`MCInstrDesc`, `MCInstPrinter`) and sub-register indices.

use super::strings::{borrow_str, to_ffi_str};
use super::{ffi, MachineFunction};
use crate::mir::{Opcode, OpcodeFacts, OpcodeOperand};
use crate::versions::MAJOR;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The opcodes of one of the host's targets (`MCInstrInfo`), to be looked up by name.
/// [`opcodes!`](crate::opcodes!) is easier: it makes a struct of those that a pass needs.
#[derive(Clone, Copy)]
pub struct TargetOpcodes<'t> {
    ptr: NonNull<ffi::PtxOpcodes>,
    _life: PhantomData<&'t ()>,
}

impl TargetOpcodes<'_> {
    /// # Safety
    /// `ptr` must be the table of a target that lives for the result's lifetime.
    pub(super) unsafe fn from_ptr(ptr: *const ffi::PtxOpcodes) -> Self {
        let ptr = NonNull::new(ptr.cast_mut()).expect("the shim passes the opcodes of a target");
        TargetOpcodes { ptr, _life: PhantomData }
    }
    /// Returns the opcode of this name. It searches thousands of names, so a pass should ask once,
    /// not for each instruction.
    pub fn find(self, name: &str) -> Option<Opcode> {
        self.find_near(name, 0)
    }
    fn find_near(self, name: &str, near: u32) -> Option<Opcode> {
        // SAFETY: handle; the string lives through the call.
        let number = unsafe { ffi::ptx_opcode_named(self.ptr.as_ptr(), to_ffi_str(name), near) };
        (number != u32::MAX).then_some(Opcode::from_number(number))
    }
    /// Returns the field of a set of opcodes that has one of these names.
    ///
    /// # Errors
    /// If the target has none of the names, and the field requires one.
    pub fn field<T: OpcodeField>(self, names: &[&'static str]) -> Result<T, MissingOpcode> {
        T::of(names.iter().find_map(|name| self.find(name))).ok_or_else(|| MissingOpcode(names.to_vec()))
    }
}

/// A possible field of [`opcodes!`](crate::opcodes!): an [`Opcode`], which the target must have, or
/// an `Option` of one.
pub trait OpcodeField: Sized {
    /// Makes the field from the opcode that was found, if any; `None` if the field requires one.
    fn of(found: Option<Opcode>) -> Option<Self>;
}

impl OpcodeField for Opcode {
    fn of(found: Option<Opcode>) -> Option<Opcode> {
        found
    }
}

impl OpcodeField for Option<Opcode> {
    fn of(found: Option<Opcode>) -> Option<Option<Opcode>> {
        Some(found)
    }
}

/// An opcode that a pass needs and the host's LLVM lacks, by its possible names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingOpcode(Vec<&'static str>);

impl fmt::Display for MissingOpcode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let number = if self.0.len() == 1 { "an opcode" } else { "one of the opcodes" };
        write!(f, "needs {number} '{}', and LLVM {MAJOR} has none of that name", self.0.join("', '"))
    }
}

impl std::error::Error for MissingOpcode {}

/// # Opcodes
impl<'f> MachineFunction<'f> {
    /// The opcodes of its target.
    pub fn opcodes(self) -> TargetOpcodes<'f> {
        // SAFETY: handle; the table lives as long as the target.
        unsafe { TargetOpcodes::from_ptr(ffi::ptx_mf_opcodes(self.ptr.as_ptr())) }
    }
    /// The target's name for an opcode.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn opcode_name(self, opcode: impl Into<Opcode>) -> Cow<'f, str> {
        // SAFETY: handle; the shim checks the opcode; the name lives as long as the target.
        unsafe { borrow_str(ffi::ptx_opcode_name(self.ptr.as_ptr(), opcode.into().number())) }
    }
    /// The target's opcode of this name. The search goes from opcode `near` in both directions.
    /// [`opcodes!`](crate::opcodes!) is for the opcodes that a pass knows by name.
    pub fn opcode_named(self, name: &str, near: impl Into<Opcode>) -> Option<Opcode> {
        self.opcodes().find_near(name, near.into().number())
    }
    /// The text that an instruction of a target's opcode prints before its first operand; empty for
    /// generic opcodes.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn mnemonic(self, opcode: impl Into<Opcode>) -> Cow<'f, str> {
        // SAFETY: handle; the shim checks the opcode; the text lives as long as the target.
        unsafe { borrow_str(ffi::ptx_opcode_mnemonic(self.ptr.as_ptr(), opcode.into().number())) }
    }
    /// The description of an opcode, without operands.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn opcode_facts(self, opcode: impl Into<Opcode>) -> OpcodeFacts {
        let mut facts = OpcodeFacts { flags: 0, target_flags: 0, num_operands: 0, is_generic: false };
        // SAFETY: handle; a number of an opcode.
        unsafe { ffi::ptx_opcode_facts(self.ptr.as_ptr(), opcode.into().number(), &mut facts) };
        facts
    }
    /// The operands of a description.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn opcode_operands(self, opcode: impl Into<Opcode>) -> Vec<OpcodeOperand> {
        let opcode = opcode.into();
        let num_operands = self.opcode_facts(opcode).num_operands as usize;
        let mut operands = Vec::with_capacity(num_operands);
        // SAFETY: handle; a number of an opcode; there is room for all operands, and all are
        // written.
        unsafe {
            ffi::ptx_opcode_operands(self.ptr.as_ptr(), opcode.number(), operands.as_mut_ptr());
            operands.set_len(num_operands);
        }
        operands
    }
    /// All opcodes whose description equals that of `opcode` except in register classes, `opcode`
    /// included.
    ///
    /// # Fatal errors
    /// If the target has no such opcode.
    pub fn opcodes_alike(self, opcode: Opcode) -> impl Iterator<Item = Opcode> + use<'f> {
        let opcode = opcode.number();
        let alike = move |from| {
            // SAFETY: handle; a number of an opcode.
            let other = unsafe { ffi::ptx_opcode_alike(self.ptr.as_ptr(), opcode, from) };
            (other != u32::MAX).then_some(Opcode::from_number(other))
        };
        std::iter::successors(alike(0), move |other| alike(other.number() + 1))
    }
}

/// # Parts of registers, composed
impl<'f> MachineFunction<'f> {
    /// The index of part `b` of part `a`; 0 if there is none.
    ///
    /// # Fatal errors
    /// If the target has no such part.
    pub fn compose_subregs(self, a: u32, b: u32) -> u32 {
        // SAFETY: handle; indices of the target.
        unsafe { ffi::ptx_tri_compose(self.ptr.as_ptr(), a, b) }
    }
    /// Converts lanes of a part to lanes of the whole.
    ///
    /// # Fatal errors
    /// If the target has no such part.
    pub fn compose_lanes(self, subreg: u32, lanes: u64) -> u64 {
        // SAFETY: handle; an index of the target.
        unsafe { ffi::ptx_tri_compose_lanes(self.ptr.as_ptr(), subreg, lanes) }
    }
    /// Converts lanes of the whole to lanes of a part.
    ///
    /// # Fatal errors
    /// If the target has no such part.
    pub fn reverse_compose_lanes(self, subreg: u32, lanes: u64) -> u64 {
        // SAFETY: handle; an index of the target.
        unsafe { ffi::ptx_tri_reverse_compose_lanes(self.ptr.as_ptr(), subreg, lanes) }
    }
    /// How many sub-register indices there are, including 0.
    pub fn num_subreg_indices(self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_subreg_indices(self.ptr.as_ptr()) }
    }
}
