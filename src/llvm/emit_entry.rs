//! Where the instruction emitter is entered: once for each block, from the scheduler of `cpp-shim/emitter.cpp`.
//!
//! The emitter's buffers and what it knows of the target belong to the thread. A new pipeline, and only that, can
//! bring a new target to an old address, so each one makes all threads forget.

use super::emit::BlockEmission;
use super::entry::{guard, keep_message};
use super::{ffi, MachineFunction};
use crate::passes::emitter::{Counts, EmitOrder, Emitter, Settings};
use crate::plugin::knobs::{self, Profile};
use crate::plugin::pipeline::Pass;
use crate::plugin::stats::{self, Counters, Record};
use std::cell::RefCell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

static PIPELINES: AtomicU32 = AtomicU32::new(0);

#[derive(Default)]
struct ThreadState {
    emitter: Emitter,
    /// How many pipelines there were when the target was read.
    pipelines: u32,
    /// The function whose blocks are being counted, and its record.
    counted: Option<((usize, u32), stats::Position)>,
}

thread_local! {
    static STATE: RefCell<ThreadState> = RefCell::default();
}

pub(super) extern "C" fn new_pipeline() {
    PIPELINES.fetch_add(1, Relaxed);
    // Another module's function may have the address and the number of the last one.
    STATE.with_borrow_mut(|state| state.counted = None);
}

pub(super) extern "C" fn emit_block(
    run: *const ffi::PtxEmitRun,
    error: *mut ffi::PtxStr,
) -> ffi::PtxOutcome::Type {
    // SAFETY: the shim passes a run that is valid through the call; LLVM's selection hands the function and the
    // block to its scheduler alone until it returns.
    let (mf, block) = unsafe {
        let run = &*run;
        let mf = MachineFunction::new(NonNull::new(run.mf).expect("the shim passes a function"));
        (mf, BlockEmission::new(NonNull::new(run.emission).expect("the shim passes an emission"), mf))
    };
    let outcome = guard(
        || format!("pass '{}', function '{}'", Pass::Emitter.name(), mf.name()),
        || {
            assert!(!knobs::test_panic(Pass::Emitter), "forced by -ptx-test-panic");
            STATE.with_borrow_mut(|state| state.emit(mf, block))
        },
    );
    match outcome {
        Ok(true) => ffi::PtxOutcome::PTX_CHANGED,
        Ok(false) => ffi::PtxOutcome::PTX_DELEGATE,
        Err(message) => {
            // SAFETY: the shim passes a place for it.
            unsafe { *error = keep_message(message) };
            ffi::PtxOutcome::PTX_FAILED
        }
    }
}

/// Behind the last block of a function, with `-ptx-verify`.
pub(super) extern "C" fn verify_selection(
    mf: *mut ffi::PtxFunction,
    error: *mut ffi::PtxStr,
) -> ffi::PtxOutcome::Type {
    // SAFETY: the shim passes a function that is valid through the call.
    let mf = unsafe { MachineFunction::new(NonNull::new(mf).expect("the shim passes a function")) };
    let verified = guard(
        || format!("pass '{}', function '{}'", Pass::Emitter.name(), mf.name()),
        || super::entry::verify_defined(Pass::Emitter.name(), mf),
    );
    match verified {
        Ok(Ok(operands)) => {
            STATE.with_borrow_mut(|state| state.count_verified(mf, operands));
            ffi::PtxOutcome::PTX_UNCHANGED
        }
        Ok(Err(message)) | Err(message) => {
            // SAFETY: the shim passes a place for it.
            unsafe { *error = keep_message(message) };
            ffi::PtxOutcome::PTX_FAILED
        }
    }
}

/// What the options ask for. The pressure order costs time, which is not for -ptx-fast-compile.
fn settings() -> Settings {
    let improves = knobs::profile() == Profile::Cicc;
    let order = if improves && !knobs::fast_compile() { knobs::emit_order() } else { EmitOrder::Source };
    Settings { improves, order }
}

impl ThreadState {
    /// Emits a block; false if it is left to the stock emitter.
    fn emit(&mut self, mf: MachineFunction, block: BlockEmission) -> bool {
        let pipelines = PIPELINES.load(Relaxed);
        if self.pipelines != pipelines {
            self.emitter.forget_target();
            self.pipelines = pipelines;
        }
        let start = knobs::collect_stats().then(Instant::now);
        let done = self.emitter.block(&block, block.read(), block.target_key(), settings());
        if let Some(start) = start {
            let nanoseconds = start.elapsed().as_nanos() as u64;
            let (counts, left) = match done {
                Ok(counts) => (counts, None),
                Err(reason) => (Counts::default(), Some(reason.counter())),
            };
            self.count(mf, nanoseconds, &counts, left);
        }
        done.is_ok()
    }

    fn count_verified(&mut self, mf: MachineFunction, operands: u64) {
        match self.counted {
            Some((counted, position)) if counted == (mf.address(), mf.number()) => {
                stats::amend(position, |record| record.counters.increase([("verified operands", operands)]));
            }
            _ => {}
        }
    }

    /// A function has one record, which its blocks add up to.
    fn count(&mut self, mf: MachineFunction, nanoseconds: u64, counts: &Counts, left: Option<&'static str>) {
        let key = (mf.address(), mf.number());
        let position = match self.counted {
            Some((counted, position)) if counted == key => position,
            _ => stats::add(Record {
                module: mf.module_name().into_owned(),
                function_number: mf.number(),
                function: mf.name().into_owned(),
                pass: Pass::Emitter.name(),
                pass_index: Pass::Emitter.index(),
                nanoseconds: 0,
                instructions: 0,
                counters: Counters::default(),
                pressure: None,
            }),
        };
        self.counted = Some((key, position));
        stats::amend(position, |record| {
            record.nanoseconds += nanoseconds;
            record.instructions += counts.instructions;
            record.counters.increase([
                ("blocks", 1),
                ("nodes", counts.nodes),
                ("virtual registers", counts.registers),
                ("results put where a CopyToReg wants them", counts.reused),
                ("copies to another class", counts.class_copies),
                ("debug values and labels", counts.debug),
            ]);
            if knobs::profile() == Profile::Cicc {
                record.counters.increase([
                    ("dead copies erased", counts.dead_copies),
                    ("dead copies that dead copies read", counts.cascaded),
                    ("results that a glue bundle had already", counts.glue_consumers),
                    ("nodes of several results", counts.multi_result),
                    ("nodes with others glued to them", counts.bundles),
                    ("copies at the entry", counts.entry_copies),
                    ("copies that nothing reads left out", counts.unread_copies),
                ]);
            }
            if knobs::emit_order() == EmitOrder::Pressure {
                record.counters.increase([
                    ("blocks reordered", counts.reordered),
                    ("blocks of one order only", counts.fixed),
                    ("registers that peaks were lowered by", counts.peak_reduction),
                ]);
            }
            record.counters.increase(left.map(|reason| (reason, 1)));
        });
    }
}
