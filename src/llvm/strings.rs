//! Passes strings over the C ABI.

use super::ffi;
use std::borrow::Cow;

/// A string borrowed from LLVM.
///
/// # Safety
/// `s` must describe bytes that live for `'a`.
pub(super) unsafe fn borrow_str<'a>(s: ffi::PtxStr) -> Cow<'a, str> {
    if s.len == 0 {
        return "".into();
    }
    // SAFETY: by the caller's promise.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(s.data.cast::<u8>(), s.len) })
}

/// A string of ours that LLVM borrows. It must live through the call.
pub(super) fn to_ffi_str(s: &str) -> ffi::PtxStr {
    ffi::PtxStr { data: s.as_ptr().cast(), len: s.len() }
}
