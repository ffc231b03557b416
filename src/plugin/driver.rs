//! Runs a pass on a function: first its stages, then the pass itself. Each is checked, timed and
//! recorded.

use super::pipeline::PIPELINE;
use super::step::{Check, Context, FinishedStep, Place, Row, RunStep, Step};
use super::{bisect, knobs, stage_code};
use crate::adt::Counters;
use crate::checker::verify::{self, Miscompile};
use crate::llvm::{MachineFunction, Outcome, Run, StageTimer};
use crate::mir::is_large;
use crate::passes::affinity::AffinityHints;
use crate::process::statistics::{self, Record};
use crate::process::trace::trace;
use crate::ssa::snapshot::Snapshot;
use std::time::Instant;

/// The buffers of one LLVM pass object: those of the stages before the pass, in order, and the
/// pass's own.
pub struct PassState {
    steps: Vec<(Step, Box<dyn RunStep>)>,
    /// The function as the stages see it, shared by all of them.
    snapshot: Snapshot,
}

impl PassState {
    /// Makes the buffers of a pass other than the emitter.
    pub fn new(pass: Step) -> PassState {
        let rows = PIPELINE.iter().filter(|row| row.step == pass || row.place == Place::Before(pass));
        PassState { steps: rows.map(|row| (row.step, make(row))).collect(), snapshot: Snapshot::default() }
    }
    /// The hints of the pass for later ones, if `mf` was its last function.
    fn hints(&self, mf: MachineFunction) -> Option<&AffinityHints> {
        self.steps.iter().find_map(|(_, step)| step.hints(mf))
    }
}

/// Runs a pass on a function, after the stages before it. `two_address` is the state of the
/// preceding two-address pass.
///
/// # Errors
/// Describes the miscompile that the checker found.
pub fn run(
    pass: Step,
    state: &mut PassState,
    two_address: Option<&PassState>,
    mut run: Run,
) -> Result<Outcome, Miscompile> {
    if bisect::is_beyond(|| run.mf.module_name().into_owned(), || run.mf.name().into_owned()) {
        let is_ours = matches!(pass.row().place, Place::After(_));
        return Ok(if is_ours { Outcome::Unchanged } else { Outcome::Delegate });
    }
    if knobs::FAST_COMPILE.get() {
        run.optimize = false;
        if pass != Step::LiveVars {
            // LiveVariables stays empty if nothing except our passes would read it.
            run.lv = run.lv.filter(|lv| lv.is_filled());
        }
    }
    let instructions = if knobs::collect_stats() { run.mf.instruction_count() } else { 0 };
    let PassState { steps, snapshot } = state;
    snapshot.forget();
    let mut cx = Context {
        run,
        table: PIPELINE,
        panics: knobs::test_panic,
        snapshot,
        counters: Counters::default(),
        hints: two_address.and_then(|state| state.hints(run.mf)),
        pressure: None,
        finished: Vec::new(),
    };
    let mut outcome = Ok(Outcome::Unchanged);
    for (step, runs) in &mut *steps {
        let suits = match step.row().place {
            Place::Replaces(_) => true,
            Place::After(_) => cx.run.optimize && step.row().needs.suits(run.mf),
            Place::OnIr | Place::Absent => false,
            Place::Before(_) | Place::Within(..) => knobs::runs(*step) && step.row().suits_stage(run.mf),
        };
        if suits {
            outcome = run_step(*step, &mut **runs, &mut cx).and_then(|then| Ok(outcome?.and(then)));
            // The coalescer still needs the hints.
            if is_large(cx.run.mf.num_virt_regs()) && runs.hints(cx.run.mf).is_none() {
                *runs = make(step.row());
            }
        }
        if outcome.is_err() {
            break;
        }
    }
    if knobs::collect_stats() {
        cx.finished.into_iter().for_each(|finished| record(finished, run.mf, instructions));
    }
    if is_large(run.mf.num_virt_regs()) {
        snapshot.free();
    }
    outcome
}

/// Makes the buffers of a step.
fn make(row: &Row) -> Box<dyn RunStep> {
    row.make.expect("it is run as a pass or before one")()
}

/// Runs a step, with its own counts and time.
fn run_step(step: Step, runs: &mut dyn RunStep, cx: &mut Context) -> Result<Outcome, Miscompile> {
    assert!(!knobs::test_panic(step), "forced by -ptx-test-panic");
    let (row, mf) = (step.row(), cx.run.mf);
    let is_pass = row.argument().is_some();
    let code = knobs::STAGE_CODE.file.is_set().then(|| stage_code::text(mf));
    let timer = if is_pass { None } else { StageTimer::start(cx.run.host_pass, row.name) };
    let start = Instant::now();
    let outcome = match row.check {
        Check::Keeps(rules) if knobs::VERIFY.get() => {
            verify::remember(mf, &mut cx.counters);
            let outcome = runs.run_step(cx);
            let not_checked = match outcome {
                Outcome::Delegate => Some("not checked: functions left to the stock pass"),
                _ => runs.not_checked(),
            };
            match not_checked {
                Some(why) => {
                    cx.counters.push((why, 1));
                    Ok(outcome)
                }
                None => verify::keeps(row.name, mf, rules, &mut cx.counters).map(|()| outcome),
            }
        }
        Check::Values(compared) if knobs::VERIFY.get() => {
            let before = verify::values(mf, compared, &mut cx.counters);
            let outcome = runs.run_step(cx);
            verify::same_values(row.name, mf, compared, &before, &mut cx.counters).map(|()| outcome)
        }
        _ => Ok(runs.run_step(cx)),
    };
    drop(timer);
    if outcome != Ok(Outcome::Unchanged) {
        cx.snapshot.forget();
    }
    let counters = std::mem::take(&mut cx.counters);
    let time = start.elapsed().saturating_sub(counters.reporting);
    trace!(step.name(), "{}: {}", mf.name(), shown(&outcome, &counters));
    if let Some(before) = code {
        stage_code::add(mf, step, before, stage_code::text(mf));
    }
    cx.finished.push(FinishedStep { step, time, counters, pressure: cx.pressure.take() });
    outcome
}

/// The outcome of a step, and its counts that are not zero.
fn shown(outcome: &Result<Outcome, Miscompile>, counters: &Counters) -> String {
    let outcome = match outcome {
        Ok(outcome) => format!("{outcome:?}"),
        Err(miscompile) => miscompile.to_string(),
    };
    let counts = counters.counts().filter(|(_, count)| *count != 0);
    counts.fold(outcome, |all, (what, count)| format!("{all}, {count} {what}"))
}

fn record(finished: FinishedStep, mf: MachineFunction, instructions: u64) {
    let FinishedStep { step, time, counters, pressure } = finished;
    statistics::add(Record {
        module: mf.module_name().into_owned(),
        function_number: mf.number(),
        function: mf.name().into_owned(),
        pass: step.name(),
        position: step as usize,
        nanoseconds: time.as_nanos() as u64,
        instructions,
        counters,
        pressure,
    });
}
