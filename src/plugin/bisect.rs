//! Numbers functions, and leaves those above `-ptx-bisect-limit` to stock code.
//!
//! Functions are numbered from 1 in the order in which the pipeline reaches them.

use super::knobs;
use crate::llvm::IrFunction;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The number, by module and function.
static NUMBERS: Mutex<BTreeMap<(String, String), u32>> = Mutex::new(BTreeMap::new());

/// Whether a function is left to stock code. With a limit, prints its number to stderr the first
/// time.
pub fn is_beyond(module: impl FnOnce() -> String, function: impl FnOnce() -> String) -> bool {
    let Some(limit) = knobs::bisect_limit() else { return false };
    let mut numbers = NUMBERS.lock().unwrap_or_else(|e| e.into_inner());
    let next = numbers.len() as u32 + 1;
    let key = (module(), function());
    let number = *numbers.entry(key.clone()).or_insert(next);
    let is_beyond = number > limit;
    if number == next {
        let code = if is_beyond { "stock" } else { "ptxpasses" };
        eprintln!("ptxpasses: bisect: function {number}, {}: {code}", key.1);
    }
    is_beyond
}

/// The same for a function in IR.
pub fn is_beyond_in_ir(f: IrFunction) -> bool {
    is_beyond(|| f.module_name().into_owned(), || f.name().into_owned())
}
