//! Numbers the runs of passes, and frees at the end of one what was erased in it.

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
    static CURRENT: Cell<Option<RunId>> = const { Cell::new(None) };
}

impl RunId {
    /// The run that goes on in this thread.
    pub(super) fn current() -> Option<RunId> {
        CURRENT.get()
    }
}

/// A run that goes on. When the outermost one of the thread ends, instructions that were erased are freed.
pub(super) struct RunGuard {
    outer: Option<RunId>,
}

impl RunGuard {
    /// Begins a run.
    pub(super) fn begin() -> RunGuard {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let id = RunId(NonZeroU64::new(number).expect("fewer than 2^64 runs"));
        RunGuard { outer: CURRENT.replace(Some(id)) }
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

/// How many instructions the run that goes on has erased; with `slots`, how many of them have a slot there still.
pub(crate) fn num_erased(slots: Option<InstrSlots>) -> usize {
    let slots = slots.map_or(std::ptr::null_mut(), |slots| slots.ptr.as_ptr());
    // SAFETY: null or the analysis of the function of the run.
    unsafe { ffi::ptx_run_num_erased(slots) }
}
