//! Queries of LLVM's dominator tree.

use super::ffi;
use super::handles::{MachineBasicBlock, SlotsAndDominators};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A `llvm::MachineDominatorTree`.
#[derive(Clone, Copy)]
pub struct MachineDominators<'f> {
    ptr: NonNull<ffi::PtxDominators>,
    _life: PhantomData<&'f ()>,
}

impl<'f> MachineDominators<'f> {
    /// # Safety
    /// `ptr` must be null or the analysis of the function that lives for `'f`.
    pub(super) unsafe fn from_ptr(ptr: *mut ffi::PtxDominators) -> Option<Self> {
        NonNull::new(ptr).map(|ptr| MachineDominators { ptr, _life: PhantomData })
    }
    /// Whether every path from the entry to `b` passes through `a`; a block dominates itself. An
    /// unreachable block is dominated by every block, and dominates no other.
    pub fn dominates(self, a: MachineBasicBlock<'f>, b: MachineBasicBlock<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_dominators_dominate(self.ptr.as_ptr(), a.ptr.as_ptr(), b.ptr.as_ptr()) }
    }
    /// The immediate dominator of `block`; `None` for the entry and for an unreachable block.
    pub fn immediate_dominator(self, block: MachineBasicBlock<'f>) -> Option<MachineBasicBlock<'f>> {
        // SAFETY: handles; null or a block of the function comes back.
        unsafe {
            MachineBasicBlock::from_ptr(ffi::ptx_dominators_immediate(self.ptr.as_ptr(), block.ptr.as_ptr()))
        }
    }
}

impl<'f> SlotsAndDominators<'f> {
    /// The dominator tree alone.
    pub fn dominators(self) -> MachineDominators<'f> {
        // SAFETY: the analysis of the function, which is not null.
        unsafe { MachineDominators::from_ptr(self.dominators.as_ptr()) }.expect("never null")
    }
}
