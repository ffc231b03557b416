//! Numbers the runs of passes, knows what was edited in one, and frees at its end what was erased in it.

use super::ffi;
use super::handles::InstrSlots;
use std::cell::Cell;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells a run from every other one of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunId(NonZeroU64);

thread_local! {
    /// The run that goes on in this thread.
    static CURRENT: Cell<Option<Current>> = const { Cell::new(None) };
}

/// A run that goes on.
#[derive(Clone, Copy)]
struct Current {
    id: RunId,
    pass: RunningPass,
}

/// The pass of a run.
#[derive(Clone, Copy)]
pub(super) struct RunningPass {
    /// Tells the name of a pass of the plugin; few runs need it.
    pub(super) name_of: fn(usize) -> &'static str,
    pub(super) index: usize,
}

impl RunningPass {
    pub(super) fn name(self) -> &'static str {
        (self.name_of)(self.index)
    }
}

/// The name of the pass whose run goes on in this thread; empty if there is none.
pub(super) fn current_pass() -> &'static str {
    CURRENT.get().map_or("", |current| current.pass.name())
}

impl RunId {
    /// The run that goes on in this thread.
    pub(super) fn current() -> Option<RunId> {
        CURRENT.get().map(|current| current.id)
    }
}

/// A run that goes on. When the outermost one of the thread ends, instructions that were erased are freed.
pub(super) struct RunGuard {
    outer: Option<Current>,
}

impl RunGuard {
    /// Begins a run of a pass.
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
            // SAFETY: it frees what this thread has erased; the lifetimes of all handles to that end with the run.
            unsafe { ffi::ptx_run_end() }
        }
    }
}

/// The changes that a run has made in its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edits {
    /// Nothing. A new register alone is not a change.
    Nothing,
    /// Kill and dead flags.
    Flags,
    /// Code.
    Code,
}

/// Begins to note edits anew.
pub(crate) fn forget_edits() {
    // SAFETY: it has no argument.
    unsafe { ffi::ptx_run_forget_edits() }
}

/// Returns the edits in this thread since [`forget_edits`], through methods that are `pub`.
pub(crate) fn edits_of_run() -> Edits {
    // SAFETY: it has no argument.
    match unsafe { ffi::ptx_run_edits() } {
        0 => Edits::Nothing,
        ffi::PTX_EDITED_FLAGS => Edits::Flags,
        _ => Edits::Code,
    }
}

/// How many instructions the run that goes on has erased; with `slots`, how many of them have a slot there still.
pub(crate) fn num_erased(slots: Option<InstrSlots>) -> usize {
    let slots = slots.map_or(std::ptr::null_mut(), |slots| slots.ptr.as_ptr());
    // SAFETY: null or the analysis of the function of the run.
    unsafe { ffi::ptx_run_num_erased(slots) }
}
