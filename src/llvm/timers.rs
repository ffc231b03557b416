//! Times stages for `-time-passes`.

use super::{ffi, to_ffi_str, HostPass};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The timer of a stage. It runs until it is dropped, and the timer of the pass stops meanwhile, so no time is listed twice.
pub struct StageTimer<'f> {
    /// None without `-time-passes`.
    ptr: Option<NonNull<ffi::PtxTimer>>,
    _life: PhantomData<HostPass<'f>>,
}

impl<'f> StageTimer<'f> {
    /// Starts the timer of this name, in the run of `pass`.
    pub fn start(pass: HostPass<'f>, name: &str) -> StageTimer<'f> {
        // SAFETY: the pass that runs; the name lives through the call, which copies it.
        let ptr = unsafe { ffi::ptx_timer_start(pass.as_ptr(), to_ffi_str(name)) };
        StageTimer { ptr: NonNull::new(ptr), _life: PhantomData }
    }
}

impl Drop for StageTimer<'_> {
    fn drop(&mut self) {
        if let Some(ptr) = self.ptr {
            // SAFETY: it came from `ptx_timer_start` and is stopped once, in the run of the same pass.
            unsafe { ffi::ptx_timer_stop(ptr.as_ptr()) }
        }
    }
}
