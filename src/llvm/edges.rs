//! Loops, and splitting edges.

use super::read::read_list;
use super::{ffi, MachineBasicBlock, MachineFunction};
use crate::mir::VRegId;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A `llvm::MachineLoopInfo`.
#[derive(Clone, Copy)]
pub struct MachineLoopInfo<'f> {
    ptr: NonNull<ffi::PtxLoops>,
    _life: PhantomData<&'f ()>,
}

/// A `llvm::MachineLoop`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MachineLoop<'f> {
    ptr: NonNull<ffi::PtxLoop>,
    _life: PhantomData<&'f ()>,
}

impl<'f> MachineLoopInfo<'f> {
    /// # Safety
    /// `ptr` must be null or the analysis of the function that lives for `'f`.
    pub(super) unsafe fn from_ptr(ptr: *mut ffi::PtxLoops) -> Option<Self> {
        NonNull::new(ptr).map(|ptr| MachineLoopInfo { ptr, _life: PhantomData })
    }
    pub(super) fn as_ptr(self) -> *const ffi::PtxLoops {
        self.ptr.as_ptr()
    }
    /// How many loops `block` is in.
    pub fn depth(self, block: MachineBasicBlock<'f>) -> u32 {
        // SAFETY: handles.
        unsafe { ffi::ptx_loop_depth(self.ptr.as_ptr(), block.ptr.as_ptr()) }
    }
    /// The innermost loop that `block` is in.
    pub fn loop_for(self, block: MachineBasicBlock<'f>) -> Option<MachineLoop<'f>> {
        // SAFETY: handles; a loop lives as long as the analysis.
        let ptr = unsafe { ffi::ptx_loop_for(self.ptr.as_ptr(), block.ptr.as_ptr()) };
        NonNull::new(ptr).map(|ptr| MachineLoop { ptr, _life: PhantomData })
    }
}

/// Whether [`EdgeSplitter::split`] can split the edge.
pub(crate) fn can_split_edge<'f>(
    pred: MachineBasicBlock<'f>,
    succ: MachineBasicBlock<'f>,
    loops: Option<MachineLoopInfo<'f>>,
) -> bool {
    let loops = loops.map_or(std::ptr::null_mut(), |l| l.ptr.as_ptr());
    // SAFETY: handles.
    unsafe { ffi::ptx_mbb_can_split_edge(pred.ptr.as_ptr(), succ.ptr.as_ptr(), loops) }
}

impl<'f> MachineLoop<'f> {
    /// Whether `block` is its header.
    pub fn is_header(self, block: MachineBasicBlock<'f>) -> bool {
        // SAFETY: handle; the block is only compared.
        unsafe { ffi::ptx_loop_header(self.ptr.as_ptr()) == block.ptr.as_ptr() }
    }
    /// Its header.
    pub fn header(self) -> MachineBasicBlock<'f> {
        // SAFETY: handle; a loop has a header, a block of the function.
        unsafe { MachineBasicBlock::from_ptr(ffi::ptx_loop_header(self.ptr.as_ptr())) }
            .expect("a loop has a header")
    }
    /// Lists its blocks, including those of inner loops, the header first.
    pub fn blocks(self) -> Vec<MachineBasicBlock<'f>> {
        let (this, mut blocks) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut blocks, |out, n| unsafe { ffi::ptx_loop_blocks(this, out, n) });
        // SAFETY: blocks of the function.
        blocks.into_iter().filter_map(|block| unsafe { MachineBasicBlock::from_ptr(block) }).collect()
    }
    /// The loop around it.
    pub fn parent(self) -> Option<MachineLoop<'f>> {
        // SAFETY: handle; a loop lives as long as the analysis.
        let ptr = unsafe { ffi::ptx_loop_parent(self.ptr.as_ptr()) };
        NonNull::new(ptr).map(|ptr| MachineLoop { ptr, _life: PhantomData })
    }
    /// Whether it is `inner` or contains it; `false` for `None`.
    pub fn contains(self, inner: Option<Self>) -> bool {
        let inner = inner.map_or(std::ptr::null_mut(), |l| l.ptr.as_ptr());
        // SAFETY: handles.
        unsafe { ffi::ptx_loop_contains(self.ptr.as_ptr(), inner) }
    }
}

/// The pass object that LLVM runs.
#[derive(Clone, Copy)]
pub struct HostPass<'f> {
    ptr: NonNull<ffi::PtxHostPass>,
    _life: PhantomData<&'f ()>,
}

impl<'f> HostPass<'f> {
    /// # Safety
    /// `ptr` must be the pass that runs on the function that lives for `'f`.
    pub(super) unsafe fn from_ptr(ptr: *mut ffi::PtxHostPass) -> Self {
        HostPass { ptr: NonNull::new(ptr).expect("the shim passes the pass"), _life: PhantomData }
    }
    pub(super) fn as_ptr(self) -> *mut ffi::PtxHostPass {
        self.ptr.as_ptr()
    }
    /// Recomputes the dominator tree of `mf`, if there is one.
    pub(crate) fn recalculate_dominators(self, mf: MachineFunction<'f>) {
        // SAFETY: the pass that runs on `mf`.
        unsafe { ffi::ptx_dominators_recalculate(self.as_ptr(), mf.ptr.as_ptr()) }
    }
}

/// Splits edges. LLVM's dominator tree may be out of date until this is dropped.
pub struct EdgeSplitter<'f> {
    ptr: NonNull<ffi::PtxEdgeSplitter>,
    _life: PhantomData<&'f ()>,
}

impl<'f> EdgeSplitter<'f> {
    /// Makes a splitter for the pass that runs on `mf`.
    pub(crate) fn new(pass: HostPass<'f>, mf: MachineFunction<'f>) -> Self {
        // SAFETY: the pass that runs on `mf`.
        let ptr = unsafe { ffi::ptx_edge_splitter_new(pass.as_ptr(), mf.ptr.as_ptr()) };
        EdgeSplitter { ptr: NonNull::new(ptr).expect("never null"), _life: PhantomData }
    }
    /// Puts a new block on the edge, and keeps all available analyses up to date. Returns `false`
    /// if that is impossible. With LiveVariables, `live_in` lists the registers live into `succ`.
    pub(crate) fn split(
        &mut self,
        pred: MachineBasicBlock<'f>,
        succ: MachineBasicBlock<'f>,
        live_in: Option<&[VRegId]>,
    ) -> bool {
        let (ptr, len) = live_in.map_or((std::ptr::null(), 0), |regs| (regs.as_ptr().cast(), regs.len()));
        // SAFETY: handles; the list lives through the call; an index is one u32.
        unsafe {
            ffi::ptx_edge_splitter_split(self.ptr.as_ptr(), pred.ptr.as_ptr(), succ.ptr.as_ptr(), ptr, len)
        }
    }
}

impl Drop for EdgeSplitter<'_> {
    fn drop(&mut self) {
        // SAFETY: it came from `ptx_edge_splitter_new` and is freed once, in the run of the pass.
        unsafe { ffi::ptx_edge_splitter_free(self.ptr.as_ptr()) }
    }
}
