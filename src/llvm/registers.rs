//! Registers and their classes.

use super::read::read_list;
use super::{borrow_str, ffi, MachineBasicBlock, MachineFunction};
use crate::mir::{RegClassId, Register};
use std::borrow::Cow;

/// # Register classes, and new registers
impl<'f> MachineFunction<'f> {
    /// Makes a virtual register of a class.
    ///
    /// # Fatal errors
    /// If the target has no such class, or it is not allocatable.
    pub fn new_reg(self, class: RegClassId) -> Register {
        // SAFETY: handle; the shim checks the class.
        Register(unsafe { ffi::ptx_mri_new_reg(self.ptr.as_ptr(), class.raw()) })
    }
    /// The class of a virtual register; `None` if it has no class, as a generic one.
    ///
    /// # Fatal errors
    /// If it is not a virtual register of the function.
    pub fn reg_class(self, reg: Register) -> Option<RegClassId> {
        self.class_id(reg).map(RegClassId::from_usize)
    }
    /// How many register classes the target has, numbered from 0.
    pub fn num_classes(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_classes(self.ptr.as_ptr()) as usize }
    }
    /// The name of a class.
    ///
    /// # Fatal errors
    /// If the target has no such class.
    pub fn class_name_of(self, class: RegClassId) -> Cow<'f, str> {
        // SAFETY: handle; the shim checks the class; the name is the target's own.
        unsafe { borrow_str(ffi::ptx_tri_class_name(self.ptr.as_ptr(), class.raw())) }
    }
    /// How many physical registers the target has, plus one: register 0 is `NoRegister`.
    pub fn num_regs(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_registers(self.ptr.as_ptr()) as usize }
    }
    /// The name of a physical register.
    ///
    /// # Fatal errors
    /// If the target has no such register.
    pub fn register_name(self, phys: Register) -> Cow<'f, str> {
        // SAFETY: handle; the shim checks the register; the name is the target's own.
        unsafe { borrow_str(ffi::ptx_tri_register_name(self.ptr.as_ptr(), phys.0)) }
    }
}

impl MachineBasicBlock<'_> {
    /// The physical registers that are live into it.
    pub fn live_ins(self) -> Vec<Register> {
        let (block, mut regs) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut regs, |out, n| unsafe { ffi::ptx_mbb_live_ins(block, out, n) });
        regs.into_iter().map(Register).collect()
    }
}
