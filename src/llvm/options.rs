//! Options that LLVM itself owns, read from its registry.

use super::{ffi, to_ffi_str};

/// The value of the `cl::opt<bool>` of this name; `default` if this LLVM has no such option.
pub fn llvm_option_bool(name: &str, default: bool) -> bool {
    let mut value = default;
    // SAFETY: the string and the place for the value live through the call.
    unsafe { ffi::ptx_llvm_option_bool(to_ffi_str(name), &mut value) };
    value
}

/// The value of the `cl::opt<bool>` of this name; `None` if the command line does not give it.
pub fn llvm_option_given(name: &str) -> Option<bool> {
    // SAFETY: the string lives through the call.
    let given = unsafe { ffi::ptx_llvm_option_given(to_ffi_str(name)) };
    given.then(|| llvm_option_bool(name, false))
}

/// The value of the `cl::opt<cl::boolOrDefault>` of this name; `default` if it is unset.
pub fn llvm_option_bool_or_default(name: &str, default: bool) -> bool {
    let mut value = default;
    // SAFETY: the string and the place for the value live through the call.
    unsafe { ffi::ptx_llvm_option_bool_or_default(to_ffi_str(name), &mut value) };
    value
}

/// The value of the `cl::opt<unsigned>` of this name; `default` if this LLVM has no such option.
pub fn llvm_option_unsigned(name: &str, default: u32) -> u32 {
    let mut value = default;
    // SAFETY: the string and the place for the value live through the call.
    unsafe { ffi::ptx_llvm_option_unsigned(to_ffi_str(name), &mut value) };
    value
}
