//! The handles: pointers to LLVM's objects, bound to the run of a pass by their lifetime. Their
//! methods are in the other files.

use super::ffi;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A `llvm::MachineFunction` with its MachineRegisterInfo and TargetRegisterInfo.
#[derive(Clone, Copy)]
pub struct MachineFunction<'f> {
    pub(super) ptr: NonNull<ffi::PtxFunction>,
    _life: PhantomData<&'f ()>,
}

impl MachineFunction<'_> {
    /// # Safety
    /// `ptr` must be a machine function that lives, and is not changed by others, for `'f`.
    pub(super) unsafe fn new(ptr: NonNull<ffi::PtxFunction>) -> Self {
        MachineFunction { ptr, _life: PhantomData }
    }
}

/// A `llvm::MachineBasicBlock`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MachineBasicBlock<'f> {
    pub(super) ptr: NonNull<ffi::PtxBlock>,
    _life: PhantomData<&'f ()>,
}

impl MachineBasicBlock<'_> {
    /// # Safety
    /// `ptr` must be null or a block of the function that lives for `'f`.
    pub(super) unsafe fn from_ptr(ptr: *mut ffi::PtxBlock) -> Option<Self> {
        NonNull::new(ptr).map(|ptr| MachineBasicBlock { ptr, _life: PhantomData })
    }
}

/// A `llvm::MachineInstr`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MachineInstr<'f> {
    pub(super) ptr: NonNull<ffi::PtxInstr>,
    _life: PhantomData<&'f ()>,
}

impl MachineInstr<'_> {
    /// # Safety
    /// `ptr` must be null or an instruction of the function that lives for `'f`.
    pub(super) unsafe fn from_ptr(ptr: *mut ffi::PtxInstr) -> Option<Self> {
        NonNull::new(ptr).map(|ptr| MachineInstr { ptr, _life: PhantomData })
    }
    pub(super) fn to_ptr(mi: Option<Self>) -> *mut ffi::PtxInstr {
        mi.map_or(std::ptr::null_mut(), |mi| mi.ptr.as_ptr())
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $ffi:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'f> {
            pub(super) ptr: NonNull<ffi::$ffi>,
            _life: PhantomData<&'f ()>,
        }
        impl $name<'_> {
            /// # Safety
            /// `ptr` must be null or the analysis of the function that lives for the result's
            /// lifetime.
            pub(super) unsafe fn from_ptr(ptr: *mut ffi::$ffi) -> Option<Self> {
                NonNull::new(ptr).map(|ptr| $name { ptr, _life: PhantomData })
            }
            pub(super) fn to_ptr(this: Option<Self>) -> *mut ffi::$ffi {
                this.map_or(std::ptr::null_mut(), |x| x.ptr.as_ptr())
            }
        }
    };
}

#[cfg(ptx_variables)]
handle!(
    /// A `llvm::LiveVariables`.
    LiveVariables,
    PtxLiveVariables
);
/// LiveVariables, for an LLVM that computes nothing about virtual registers. This type has no
/// value.
#[cfg(not(ptx_variables))]
#[derive(Clone, Copy)]
pub struct LiveVariables<'f> {
    pub(super) never: std::convert::Infallible,
    _life: PhantomData<&'f ()>,
}

#[cfg(not(ptx_variables))]
impl LiveVariables<'_> {
    /// # Safety
    /// Nothing: the shim passes null.
    pub(super) unsafe fn from_ptr(ptr: *mut ffi::PtxLiveVariables) -> Option<Self> {
        assert!(ptr.is_null(), "LLVM has no LiveVariables of virtual registers");
        None
    }
    pub(super) fn to_ptr(this: Option<Self>) -> *mut ffi::PtxLiveVariables {
        this.map_or(std::ptr::null_mut(), |x| match x.never {})
    }
}
handle!(
    /// A `llvm::LiveIntervals`.
    LiveIntervals,
    PtxLiveIntervals
);
handle!(
    /// A `llvm::AAResults`.
    AliasAnalysis,
    PtxAliasAnalysis
);
handle!(
    /// A `llvm::MachineBlockFrequencyInfo`.
    BlockFrequencies,
    PtxFrequencies
);
/// A `llvm::SlotIndexes`.
#[derive(Clone, Copy)]
pub struct InstrSlots<'f> {
    pub(super) ptr: NonNull<ffi::PtxSlotIndexes>,
    _life: PhantomData<&'f ()>,
}

impl InstrSlots<'_> {
    /// # Safety
    /// It must be null or the analysis of the function that lives for the result's lifetime.
    pub(super) unsafe fn from_ptr(slots: *mut ffi::PtxSlotIndexes) -> Option<Self> {
        Some(InstrSlots { ptr: NonNull::new(slots)?, _life: PhantomData })
    }
}

/// LLVM's SlotIndexes and dominator tree.
#[derive(Clone, Copy)]
pub struct SlotsAndDominators<'f> {
    pub(super) slots: NonNull<ffi::PtxSlotIndexes>,
    pub(super) dominators: NonNull<ffi::PtxDominators>,
    _life: PhantomData<&'f ()>,
}

impl SlotsAndDominators<'_> {
    /// # Safety
    /// Each must be null or the analysis of the function that lives for the result's lifetime.
    pub(super) unsafe fn from_ptrs(
        slots: *mut ffi::PtxSlotIndexes,
        dominators: *mut ffi::PtxDominators,
    ) -> Option<Self> {
        Some(SlotsAndDominators {
            slots: NonNull::new(slots)?,
            dominators: NonNull::new(dominators)?,
            _life: PhantomData,
        })
    }
}
