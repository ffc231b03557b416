//! Loops in IR that may be unrolled.

use super::ffi;
use super::ir_function::IrFunction;
use crate::mir::{UnrollFacts, UnrollWish};

/// A loop in IR that may be unrolled.
#[derive(Clone, Copy)]
pub(crate) struct UnrollLoop<'a> {
    /// The function that it is in.
    pub function: IrFunction<'a>,
    /// The facts that decide.
    pub facts: UnrollFacts,
}

/// The result of unrolling a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnrollResult {
    /// It is as it was.
    None,
    /// It is still a loop.
    Part,
    /// It is no longer a loop.
    Whole,
}

impl UnrollLoop<'_> {
    /// # Safety
    /// The function must live, and not be changed by others, as long as the result.
    pub(super) unsafe fn new(l: &ffi::PtxUnrollLoop) -> Self {
        let facts = UnrollFacts {
            function_instrs: l.function_instrs,
            function_sequences: l.function_sequences,
            trip_count: Some(l.trip_count).filter(|&count| count > 0),
            most_iterations: Some(l.most_iterations).filter(|&most| most > 0),
            trip_multiple: l.trip_multiple,
            wish: match l.wish {
                ffi::PtxUnrollWish::PTX_UNROLL_NO_WISH => UnrollWish::None,
                ffi::PtxUnrollWish::PTX_UNROLL_WHOLE => UnrollWish::Whole,
                ffi::PtxUnrollWish::PTX_UNROLL_COUNT => UnrollWish::Count(l.wished_count),
                ffi::PtxUnrollWish::PTX_UNROLL_ENABLED => UnrollWish::Enabled,
                _ => UnrollWish::Disabled,
            },
            num_blocks: l.num_blocks,
            num_instrs: l.num_instrs,
            num_known: l.num_known,
            num_sequences: l.num_sequences,
            local_bytes: l.local_bytes,
            num_carried: l.num_carried,
            rotation: l.rotation,
            is_simple: l.is_simple,
            is_convergent: l.is_convergent,
            can_be_copied: l.can_be_copied,
        };
        // SAFETY: by the caller's promise.
        let function = unsafe { IrFunction::new(l.function) };
        UnrollLoop { function, facts }
    }
}

impl UnrollResult {
    pub(super) fn of(result: ffi::PtxUnrolled::Type) -> UnrollResult {
        match result {
            ffi::PtxUnrolled::PTX_UNROLLED_WHOLLY => UnrollResult::Whole,
            ffi::PtxUnrolled::PTX_UNROLLED_PARTLY => UnrollResult::Part,
            _ => UnrollResult::None,
        }
    }
}
