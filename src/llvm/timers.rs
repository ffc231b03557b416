//! Times stages for `-time-passes`.

use super::{ffi, to_ffi_str, HostPass};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The timer of a stage. It runs until it is dropped. The pass's timer stops meanwhile, so no time
/// is counted twice.
pub struct StageTimer<'f> {
    ptr: NonNull<ffi::PtxTimer>,
    _life: PhantomData<HostPass<'f>>,
}

impl<'f> StageTimer<'f> {
    /// Starts the timer of this name, in the run of `pass`. `None` without `-time-passes`.
    pub fn start(pass: HostPass<'f>, name: &str) -> Option<StageTimer<'f>> {
        // SAFETY: the pass that runs; the name lives through the call, which copies it.
        let ptr = unsafe { ffi::ptx_timer_start(pass.as_ptr(), to_ffi_str(name)) };
        Some(StageTimer { ptr: NonNull::new(ptr)?, _life: PhantomData })
    }
}

impl Drop for StageTimer<'_> {
    fn drop(&mut self) {
        // SAFETY: it came from `ptx_timer_start` and is stopped once, in the run of the same pass.
        unsafe { ffi::ptx_timer_stop(self.ptr.as_ptr()) }
    }
}
