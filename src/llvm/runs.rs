//! Numbers the runs of passes, records the edits of each run, and frees the erased instructions at
//! its end.

use super::ffi;
use super::handles::InstrSlots;
use std::cell::Cell;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a run within the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunId(NonZeroU64);

thread_local! {
    /// The current run of this thread.
    static CURRENT: Cell<Option<Current>> = const { Cell::new(None) };
}

/// A run in progress.
#[derive(Clone, Copy)]
struct Current {
    id: RunId,
    pass: RunningPass,
}

/// The pass of a run.
#[derive(Clone, Copy)]
pub(super) struct RunningPass {
    /// Returns the name of a pass of the plugin. Few runs need it.
    pub(super) name_of: fn(usize) -> &'static str,
    pub(super) index: usize,
}

impl RunningPass {
    pub(super) fn name(self) -> &'static str {
        (self.name_of)(self.index)
    }
}

/// The name of the pass that this thread currently runs; empty if there is none.
pub(super) fn current_pass() -> &'static str {
    CURRENT.get().map_or("", |current| current.pass.name())
}

impl RunId {
    /// The current run of this thread.
    pub(super) fn current() -> Option<RunId> {
        CURRENT.get().map(|current| current.id)
    }
}

/// A run in progress. When the thread's outermost run ends, erased instructions are freed.
pub(super) struct RunGuard {
    outer: Option<Current>,
}

impl RunGuard {
    /// Starts a run of a pass.
    pub(super) fn begin(pass: RunningPass) -> RunGuard {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let id = RunId(NonZeroU64::new(number).expect("fewer than 2^64 runs"));
        RunGuard { outer: CURRENT.replace(Some(Current { id, pass })) }
    }
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        CURRENT.set(self.outer);
        if self.outer.is_none() {
            // SAFETY: frees the instructions that this thread has erased; the lifetimes of all
            // handles to them end with the run.
            unsafe { ffi::ptx_run_end() }
        }
    }
}

/// The changes that a run made in its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edits {
    /// Nothing. A new register alone is not a change.
    Nothing,
    /// Kill and dead flags.
    Flags,
    /// Code.
    Code,
}

/// Starts recording edits from the beginning.
pub(crate) fn forget_edits() {
    // SAFETY: it has no argument.
    unsafe { ffi::ptx_run_forget_edits() }
}

/// Returns this thread's edits since [`forget_edits`], by methods that are `pub`.
pub(crate) fn edits_of_run() -> Edits {
    // SAFETY: it has no argument.
    match unsafe { ffi::ptx_run_edits() } {
        0 => Edits::Nothing,
        ffi::PTX_EDITED_FLAGS => Edits::Flags,
        _ => Edits::Code,
    }
}

/// How many instructions the current run has erased; with `slots`, how many of those still have a
/// slot there.
pub(crate) fn num_erased(slots: Option<InstrSlots>) -> usize {
    let slots = slots.map_or(std::ptr::null_mut(), |slots| slots.ptr.as_ptr());
    // SAFETY: null or the analysis of the function of the run.
    unsafe { ffi::ptx_run_num_erased(slots) }
}
