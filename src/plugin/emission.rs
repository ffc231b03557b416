//! Drives the instruction emitter, which LLVM enters once for each block.
//!
//! Each thread has its own emitter, with buffers and facts about the target. A new target at an old
//! address appears only with a new pipeline. So each new pipeline makes all threads forget their
//! facts.

use super::bisect;
use super::knobs::{self, Profile};
use super::options;
use super::step::Step;
use crate::adt::Counters;
use crate::checker::verify::{self, Miscompile};
use crate::llvm::{BlockEmission, MachineFunction, Outcome};
use crate::passes::emitter::{Counts, EmitOrder, Emitter, Erased};
use crate::process::statistics::{self, Record};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

static PIPELINES: AtomicU32 = AtomicU32::new(0);

/// Tells functions apart. LLVM reuses addresses, so the number is part of the key.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FunctionKey {
    address: usize,
    number: u32,
}

impl FunctionKey {
    fn of(mf: MachineFunction) -> Self {
        FunctionKey { address: mf.address(), number: mf.number() }
    }
}

#[derive(Default)]
struct ThreadState {
    emitter: Emitter,
    /// The count of pipelines when the target was read.
    pipelines: u32,
    /// The function whose blocks are being counted, and its record.
    counted: Option<(FunctionKey, statistics::Position)>,
}

thread_local! {
    static STATE: RefCell<ThreadState> = RefCell::default();
}

/// Forgets everything that belongs to older pipelines.
pub fn new_pipeline() {
    PIPELINES.fetch_add(1, Relaxed);
    // A function of another module may have the last one's address and number.
    STATE.with_borrow_mut(|state| state.counted = None);
}

/// Emits the instructions of a block, or leaves them to the stock emitter.
pub fn emit_block(mf: MachineFunction, block: BlockEmission) -> Outcome {
    assert!(!knobs::test_panic(Step::Emitter), "forced by -ptx-test-panic");
    if is_stock(mf) {
        Outcome::Delegate
    } else if STATE.with_borrow_mut(|state| state.emit(mf, block)) {
        Outcome::Changed
    } else {
        Outcome::Delegate
    }
}

/// Finishes a function after all its blocks: erases results that nothing reads, and checks the code
/// if asked to.
///
/// # Errors
/// Names a register that is read and was not defined.
pub fn finish_selection(mf: MachineFunction) -> Result<Outcome, Miscompile> {
    if is_stock(mf) {
        return Ok(Outcome::Unchanged);
    }
    let erased = STATE.with_borrow_mut(|state| state.finish(mf));
    if knobs::VERIFY.get() {
        let operands = verify::defined(Step::Emitter.name(), mf)?;
        STATE.with_borrow_mut(|state| state.count_more(mf, 0, [("verified operands", operands)]));
    }
    STATE.with_borrow_mut(|state| state.emitter.check_replaced(&mf));
    Ok(if erased == Erased::default() { Outcome::Unchanged } else { Outcome::Changed })
}

/// Whether a function is above `-ptx-bisect-limit`.
fn is_stock(mf: MachineFunction) -> bool {
    bisect::is_beyond(|| mf.module_name().into_owned(), || mf.name().into_owned())
}

impl ThreadState {
    /// Emits a block; `false` if it is left to the stock emitter.
    fn emit(&mut self, mf: MachineFunction, block: BlockEmission) -> bool {
        let pipelines = PIPELINES.load(Relaxed);
        if self.pipelines != pipelines {
            self.emitter.forget_target();
            self.pipelines = pipelines;
        }
        let start = knobs::collect_stats().then(Instant::now);
        let done = self.emitter.block(&block, block.read(), block.target_key(), options::emitter());
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

    /// Erases results that nothing reads.
    fn finish(&mut self, mf: MachineFunction) -> Erased {
        let start = knobs::collect_stats().then(Instant::now);
        let erased = self.emitter.finish(&mf, options::emitter());
        if let Some(start) = start.filter(|_| knobs::PROFILE.get() == Profile::Default) {
            let counts = [
                ("dead copies erased", erased.copies),
                ("dead parameters erased", erased.parameters),
                ("other dead results erased", erased.others),
                ("dead results that only dead ones read", erased.cascaded),
            ];
            self.count_more(mf, start.elapsed().as_nanos() as u64, counts);
        }
        erased
    }

    /// Adds to the record of a function, if its blocks have been counted.
    fn count_more<const N: usize>(
        &mut self,
        mf: MachineFunction,
        nanoseconds: u64,
        counts: [(&'static str, u64); N],
    ) {
        match self.counted {
            Some((counted, position)) if counted == FunctionKey::of(mf) => {
                statistics::amend(position, |record| {
                    record.nanoseconds += nanoseconds;
                    record.counters.increase(counts);
                });
            }
            _ => {}
        }
    }

    /// Counts a block. A function has one record, to which all its blocks add.
    fn count(&mut self, mf: MachineFunction, nanoseconds: u64, counts: &Counts, left: Option<&'static str>) {
        let key = FunctionKey::of(mf);
        let position = match self.counted {
            Some((counted, position)) if counted == key => position,
            _ => statistics::add(Record {
                module: mf.module_name().into_owned(),
                function_number: mf.number(),
                function: mf.name().into_owned(),
                pass: Step::Emitter.name(),
                position: Step::Emitter as usize,
                nanoseconds: 0,
                instructions: 0,
                counters: Counters::default(),
                pressure: None,
            }),
        };
        self.counted = Some((key, position));
        statistics::amend(position, |record| {
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
            if knobs::PROFILE.get() == Profile::Default {
                record.counters.increase([
                    ("copies that a glued group did not need", counts.glue_consumers),
                    ("results of assembly put where a CopyToReg wants them", counts.direct_results),
                    ("nodes of several results", counts.multi_result),
                    ("nodes with others glued to them", counts.bundles),
                    ("copies that nothing reads left out", counts.unread_copies),
                ]);
            }
            if knobs::EMIT_ORDER.get() == EmitOrder::Pressure {
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
