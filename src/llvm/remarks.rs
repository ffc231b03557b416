//! Optimisation remarks.

use super::handles::{MachineBasicBlock, MachineInstr};
use super::{ffi, to_ffi_str};

/// The kind of a remark.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RemarkKind {
    /// `-pass-remarks-analysis`
    Analysis = ffi::PtxRemarkKind::PTX_REMARK_ANALYSIS as isize,
    /// `-pass-remarks-missed`
    Missed = ffi::PtxRemarkKind::PTX_REMARK_MISSED as isize,
    /// `-pass-remarks`
    Passed = ffi::PtxRemarkKind::PTX_REMARK_PASSED as isize,
}

/// A remark.
pub struct Remark<'a> {
    /// Its kind.
    pub kind: RemarkKind,
    /// The argument of the pass that emits it.
    pub pass: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its text in pieces; those with a key are arguments.
    pub parts: &'a [(&'a str, String)],
}

impl Remark<'_> {
    /// Emits it, with the debug location of `mi`.
    pub fn emit_at(&self, block: MachineBasicBlock, mi: MachineInstr) {
        // SAFETY: handles.
        unsafe { self.emit(block.ptr.as_ptr(), mi.ptr.as_ptr()) }
    }
    /// # Safety
    /// `block` and, unless it is null, `instr` must be of one function.
    pub(super) unsafe fn emit(&self, block: *mut ffi::PtxBlock, instr: *mut ffi::PtxInstr) {
        let parts: Vec<_> = (self.parts.iter())
            .map(|(key, value)| ffi::PtxRemarkPart { key: to_ffi_str(key), value: to_ffi_str(value) })
            .collect();
        let (pass, name) = (to_ffi_str(self.pass), to_ffi_str(self.name));
        // SAFETY: by the caller's promise; all strings live through the call, which copies them.
        unsafe { ffi::ptx_remark(self.kind as u8, block, instr, pass, name, parts.as_ptr(), parts.len()) }
    }
}
