//! The module's globals: variables, functions and aliases.

use super::{borrow_str, ffi, to_ffi_str, MachineFunction};
use crate::mir::AddressSpace;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A `llvm::GlobalValue`: a variable, a function or an alias of the compiled module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Global<'f> {
    pub(super) ptr: NonNull<ffi::PtxGlobal>,
    _life: PhantomData<&'f ()>,
}

impl<'f> Global<'f> {
    /// # Safety
    /// `ptr` must be null or a global of the module of the function that lives for `'f`.
    pub(super) unsafe fn from_ptr(ptr: *mut ffi::PtxGlobal) -> Option<Self> {
        NonNull::new(ptr).map(|ptr| Global { ptr, _life: PhantomData })
    }
    /// Its name in IR, without `@`.
    pub fn name(self) -> Cow<'f, str> {
        // SAFETY: handle; the name belongs to the module.
        unsafe { borrow_str(ffi::ptx_global_name(self.ptr.as_ptr())) }
    }
    /// Its address space.
    pub fn space(self) -> AddressSpace {
        // SAFETY: handle.
        AddressSpace::from_number(unsafe { ffi::ptx_global_space(self.ptr.as_ptr()) })
    }
    /// The alignment of its address, in bytes.
    pub fn alignment(self) -> u64 {
        // SAFETY: handle.
        unsafe { ffi::ptx_global_alignment(self.ptr.as_ptr()) }
    }
}

/// # Globals of its module
impl<'f> MachineFunction<'f> {
    /// The module's global of this name, as in IR but without `@`. A pass on machine code cannot
    /// create one: LLVM may have written them already.
    pub fn global(self, name: &str) -> Option<Global<'f>> {
        // SAFETY: handle; the name lives through the call; the global lives as long as the module.
        unsafe { Global::from_ptr(ffi::ptx_mf_global(self.ptr.as_ptr(), to_ffi_str(name))) }
    }
}
