//! Where C++ enters Rust: the table `ptx_entry_points`.
//!
//! Every function here that can panic runs under `catch_unwind`; a panic becomes an error message,
//! which the shim turns into LLVM's fatal error (row P7). No panic crosses a C++ frame.

use super::slots::SlotsAndDominators;
use super::{
    ffi, to_ffi_str, AliasAnalysis, CheckedTarget, HostPass, LiveIntervals, LiveVariables, MachineFunction,
    MachineLoopInfo,
};
use crate::checker::addresses::differ;
use crate::checker::{program::Program, Checker, Report, Rules};
use crate::liveness::{pass, svg};
use crate::passes::affinity::AffinityHints;
use crate::passes::coalescer::copies::BlockPriority;
use crate::passes::coalescer::pass::{Coalescer, LlvmCoalescerHost};
use crate::passes::coalescer::Coalescing;
use crate::passes::phi_elim::PhiElim;
use crate::passes::two_address::TwoAddress;
use crate::plugin::knobs::{self, Profile, KNOBS};
use crate::plugin::pipeline::{Pass, Stage};
use crate::plugin::stats::{self, Counters, Record};
use crate::ssa::snapshot::Snapshot;
use crate::stages::fold_addresses::FoldAddresses;
use crate::stages::hoist::pass::Hoist;
use crate::stages::induction::pass::Induction;
use crate::stages::nvptx_coalescer::NvptxCoalescer;
use crate::stages::remat::pass::Remat;
use crate::stages::wide_phis::WidePhis;
use std::borrow::Cow;
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::NonNull;
use std::sync::Once;
use std::time::Instant;

/// One run of a pass on one function: what the pass manager has for it.
#[derive(Clone, Copy)]
pub struct Run<'f> {
    /// The function.
    pub mf: MachineFunction<'f>,
    /// Available analyses. To LiveVariables and LiveIntervals themselves the empty result to fill.
    pub lv: Option<LiveVariables<'f>>,
    /// Likewise.
    pub lis: Option<LiveIntervals<'f>>,
    /// Likewise.
    pub aa: Option<AliasAnalysis<'f>>,
    /// Likewise.
    pub slots_and_dominators: Option<SlotsAndDominators<'f>>,
    /// Likewise.
    pub loops: Option<MachineLoopInfo<'f>>,
    /// What the two-address pass tells of this function (rows T5, T7).
    pub hints: Option<&'f AffinityHints>,
    /// The pass object.
    pub host_pass: HostPass<'f>,
    /// False at -O0, for a pass that asks for `optnone` and past `-opt-bisect-limit`, and with `-ptx-fast-compile` (row T6).
    pub optimize: bool,
    readers: &'f [ffi::PtxStr],
}

impl<'f> Run<'f> {
    /// To an analysis: the arguments of the passes that can look at its result, that is of all up to the last
    /// one that says it does, but for analyses that do not say so.
    pub fn readers(&self) -> impl Iterator<Item = Cow<'f, str>> {
        // SAFETY: strings of LLVM's registry of passes.
        self.readers.iter().map(|&r| unsafe { super::borrow_str(r) })
    }
}

/// What a pass has done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing was changed, or an analysis was computed.
    Unchanged,
    /// The function was changed.
    Changed,
    /// No code was changed, but for flags that the stock pass sets anew; it is to do all of it.
    Delegate,
}

impl Outcome {
    /// Of a pass that says whether it has changed the function.
    fn of(changed: bool) -> Outcome {
        if changed {
            Outcome::Changed
        } else {
            Outcome::Unchanged
        }
    }
    /// Of two things done one behind the other.
    fn and(self, then: Outcome) -> Outcome {
        if then == Outcome::Unchanged {
            self
        } else {
            then
        }
    }
}

/// The buffers of one pass object, kept from function to function. Freed by the shim with the pass.
pub enum PassState {
    /// LiveVariables, which shares its buffers with LiveIntervals, and the stages in front of it.
    LiveVars(Box<StagesInFront>),
    /// LiveIntervals.
    LiveIntervals,
    /// PHI elimination.
    PhiElim(Box<PhiElim>),
    /// Two-address.
    TwoAddress(Box<TwoAddress>),
    /// Register coalescer.
    Coalescer(Box<(Coalescer, NvptxCoalescer)>),
}

/// The stages in front of LiveVariables.
#[derive(Default)]
pub struct StagesInFront {
    fold_addresses: FoldAddresses,
    induction: Induction,
    wide_phis: WidePhis,
    hoist: Hoist,
    remat: Remat,
    /// What several of them read.
    snapshot: Snapshot,
}

thread_local! {
    /// The message behind the last `PtxStr` error of this thread.
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
    /// Where the last panic of this thread was.
    static PANIC_AT: RefCell<String> = const { RefCell::new(String::new()) };
    /// The checker and its snapshots before and behind the pass.
    static CHECKER: RefCell<(Checker, Program, Program)> = RefCell::default();
}

pub(super) fn keep_message(text: String) -> ffi::PtxStr {
    MESSAGE.with(|m| {
        *m.borrow_mut() = text;
        to_ffi_str(&m.borrow())
    })
}

const NO_ERROR: ffi::PtxStr = ffi::PtxStr { data: std::ptr::null(), len: 0 };

/// Runs `f`; a panic in it becomes the text of an error.
pub(super) fn guard<T>(what: impl FnOnce() -> String, f: impl FnOnce() -> T) -> Result<T, String> {
    // Our copy of std has a hook of its own: the host's is not touched. The panic is reported once,
    // as LLVM's fatal error.
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let at = info.location().map(ToString::to_string).unwrap_or_default();
            PANIC_AT.with(|p| *p.borrow_mut() = at);
        }));
    });
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("panic");
        format!("ptxpasses: {}: internal error: {text} (at {})", what(), PANIC_AT.with_borrow(Clone::clone))
    })
}

extern "C" fn num_knobs() -> u32 {
    KNOBS.len() as u32
}

extern "C" fn knob(index: u32) -> ffi::PtxKnob {
    let k = &KNOBS[index as usize];
    ffi::PtxKnob {
        name: to_ffi_str(k.name),
        help: to_ffi_str(k.help),
        value_name: to_ffi_str(k.value_name),
        hidden: k.hidden,
    }
}

extern "C" fn set_knob(index: u32, value: ffi::PtxStr) -> ffi::PtxStr {
    // SAFETY: the shim passes a string that lives through the call.
    let value = unsafe { super::borrow_str(value) };
    let set = guard(|| format!("-{}", KNOBS[index as usize].name), || knobs::set(index as usize, &value));
    match set {
        Ok(Ok(())) => NO_ERROR,
        Ok(Err(message)) | Err(message) => keep_message(message),
    }
}

extern "C" fn num_passes() -> u32 {
    Pass::ALL.len() as u32
}

extern "C" fn pass(index: u32) -> ffi::PtxPass {
    let p = Pass::ALL[index as usize];
    ffi::PtxPass {
        is_emitter: p == Pass::Emitter,
        stock_argument: to_ffi_str(p.stock_argument()),
        is_analysis: p.is_analysis(),
        asks_to_skip: p.asks_to_skip(),
    }
}

extern "C" fn takes(pass: u32, is_nvptx: bool) -> bool {
    knobs::takes(Pass::ALL[pass as usize], is_nvptx)
}

extern "C" fn new_state(pass: u32) -> *mut ffi::PtxPassState {
    let state = match Pass::ALL[pass as usize] {
        Pass::Emitter => unreachable!("the emitter is no pass object"),
        Pass::PhiElim => PassState::PhiElim(Box::default()),
        Pass::TwoAddress => PassState::TwoAddress(Box::default()),
        Pass::LiveVars => PassState::LiveVars(Box::default()),
        Pass::LiveIntervals => PassState::LiveIntervals,
        Pass::Coalescer => PassState::Coalescer(Box::default()),
    };
    Box::into_raw(Box::new(state)).cast()
}

extern "C" fn free_state(state: *mut ffi::PtxPassState) {
    // SAFETY: it came from `new_state`, and the shim frees it once.
    drop(unsafe { Box::from_raw(state.cast::<PassState>()) });
}

extern "C" fn run(run: *const ffi::PtxRun, error: *mut ffi::PtxStr) -> ffi::PtxOutcome::Type {
    // SAFETY: the shim passes a run that is valid through the call.
    let run = unsafe { &*run };
    let pass = Pass::ALL[run.pass as usize];
    let mf = NonNull::new(run.mf).expect("the shim passes a function");
    // SAFETY: LLVM's pass manager hands the function and its analyses to this pass alone until it
    // returns; the state is this pass object's own, made by `new_state`. That of the two-address pass is another
    // object's, which is done with the function and runs again only when this one has returned.
    let (r, state) = unsafe {
        let mf = MachineFunction::new(mf);
        let r = Run {
            mf,
            hints: match run.two_address.cast::<PassState>().as_ref() {
                Some(PassState::TwoAddress(two_address)) => two_address.hints(mf),
                _ => None,
            },
            lv: LiveVariables::from_ptr(run.lv),
            lis: LiveIntervals::from_ptr(run.lis),
            aa: AliasAnalysis::from_ptr(run.aa),
            slots_and_dominators: SlotsAndDominators::from_ptrs(run.indexes, run.dominators),
            loops: MachineLoopInfo::from_ptr(run.loops),
            host_pass: HostPass::from_ptr(run.host_pass),
            optimize: run.optimize && !knobs::fast_compile(),
            readers: match run.num_readers {
                0 => &[],
                n => std::slice::from_raw_parts(run.readers, n),
            },
        };
        (r, &mut *run.state.cast::<PassState>())
    };
    let outcome = guard(
        || format!("pass '{}', function '{}'", pass.name(), r.mf.name()),
        || {
            assert!(!knobs::test_panic(pass), "forced by -ptx-test-panic");
            run_recorded(pass, state, r)
        },
    );
    match outcome {
        Ok(Ok(Outcome::Changed)) => ffi::PtxOutcome::PTX_CHANGED,
        Ok(Ok(Outcome::Unchanged)) => ffi::PtxOutcome::PTX_UNCHANGED,
        Ok(Ok(Outcome::Delegate)) => ffi::PtxOutcome::PTX_DELEGATE,
        Ok(Err(message)) | Err(message) => {
            // SAFETY: the shim passes a place for it.
            unsafe { *error = keep_message(message) };
            ffi::PtxOutcome::PTX_FAILED
        }
    }
}

fn run_recorded(pass: Pass, state: &mut PassState, r: Run) -> Result<Outcome, String> {
    let mut counters = Counters::default();
    if !knobs::collect_stats() {
        return run_verified(pass, state, r, &mut counters);
    }
    let instructions = r.mf.instruction_count();
    let start = Instant::now();
    let outcome = run_verified(pass, state, r, &mut counters);
    let elapsed = start.elapsed().saturating_sub(counters.reporting);
    let stages = std::mem::take(&mut counters.stages);
    for (name, time, mut counters) in [(pass.name(), elapsed, counters)].into_iter().chain(stages) {
        stats::add(Record {
            nanoseconds: time.as_nanos() as u64,
            module: r.mf.module_name().into_owned(),
            function_number: r.mf.number(),
            function: r.mf.name().into_owned(),
            pass: name,
            pass_index: pass.index(),
            instructions,
            pressure: counters.pressure.take(),
            counters,
        });
    }
    outcome
}

/// The pass behind the stages in front of it.
fn run_verified(
    pass: Pass,
    state: &mut PassState,
    r: Run,
    counters: &mut Counters,
) -> Result<Outcome, String> {
    let before = stages_in_front(state, r, counters)?;
    let outcome = verified(pass.name(), pass.rules(), r.mf, counters, |counters| {
        let outcome = run_pass(state, r, counters);
        let not_checked = match state {
            _ if outcome == Outcome::Delegate => Some("not checked: functions left to the stock pass"),
            PassState::Coalescer(state) if state.0.has_rewritten() => {
                Some("not checked: functions with loads folded or reserved registers joined")
            }
            _ => None,
        };
        (outcome, not_checked)
    });
    Ok(before.and(outcome?))
}

/// Runs a pass or a stage, `run`; with `-ptx-verify` the checker looks at what that has done, unless it says why not.
fn verified(
    name: &str,
    rules: Rules,
    mf: MachineFunction,
    counters: &mut Counters,
    run: impl FnOnce(&mut Counters) -> (Outcome, Option<&'static str>),
) -> Result<Outcome, String> {
    if !knobs::verify() {
        return Ok(run(counters).0);
    }
    CHECKER.with_borrow_mut(|(checker, before, after)| {
        let start = Instant::now();
        mf.snapshot(before);
        counters.reporting += start.elapsed();
        let (outcome, not_checked) = run(counters);
        if let Some(why) = not_checked {
            counters.push((why, 1));
            return Ok(outcome);
        }
        let start = Instant::now();
        mf.snapshot(after);
        let (target, mut report) = (CheckedTarget(mf), Report::default());
        let found = checker.check(before, after, &target, rules, &mut report);
        report.count(counters);
        counters.reporting += start.elapsed();
        found.map(|()| outcome).map_err(|failure| {
            let text = failure.text(before, after, &target, |key| target.text(key));
            format!("ptxpasses: pass '{name}', function '{}': miscompiled: {text}", mf.name())
        })
    })
}

/// With `-ptx-verify`, behind instruction selection: every register that is read was defined. How many operands that are.
pub(super) fn verify_defined(pass: &str, mf: MachineFunction) -> Result<u64, String> {
    CHECKER.with_borrow_mut(|(checker, _, program)| {
        mf.snapshot(program);
        check_defined(pass, mf, checker, program)
    })
}

fn check_defined(
    pass: &str,
    mf: MachineFunction,
    checker: &mut Checker,
    program: &Program,
) -> Result<u64, String> {
    checker.check_selection(program).map_err(|failure| {
        let target = CheckedTarget(mf);
        let text = failure.text(program, program, &target, |key| target.text(key));
        format!("ptxpasses: pass '{pass}', function '{}': miscompiled: {text}", mf.name())
    })
}

/// Runs the stages in front of LiveVariables.
fn stages_in_front(state: &mut PassState, r: Run, counters: &mut Counters) -> Result<Outcome, String> {
    let PassState::LiveVars(stages) = state else { return Ok(Outcome::Unchanged) };
    let StagesInFront { fold_addresses, induction, wide_phis, hoist, remat, snapshot } = &mut **stages;
    snapshot.forget();
    let folded = run_stage(Stage::FoldAddresses, counters, |counters| {
        let run = |counters: &mut _| Outcome::of(fold_addresses.run(r.mf, snapshot, counters));
        verified_values(Stage::FoldAddresses, r.mf, counters, run)
    })?;
    if folded != Outcome::Unchanged {
        snapshot.forget();
    }
    let own = run_stage(Stage::Induction, counters, |counters| {
        let run = |counters: &mut _| Outcome::of(induction.run(r.mf, snapshot, counters));
        verified_values(Stage::Induction, r.mf, counters, run)
    })?;
    if own != Outcome::Unchanged {
        snapshot.forget();
    }
    let widened = run_stage(Stage::WidePhis, counters, |counters| {
        verified(Stage::WidePhis.name(), Stage::WidePhis.rules(), r.mf, counters, |counters| {
            (Outcome::of(wide_phis.run(r.mf, snapshot, counters)), None)
        })
    })?;
    if widened != Outcome::Unchanged {
        snapshot.forget();
    }
    let hoisted = run_stage(Stage::Hoist, counters, |counters| {
        let run = |counters: &mut _| Outcome::of(hoist.run(r.mf, snapshot, counters));
        verified_values(Stage::Hoist, r.mf, counters, run)
    })?;
    if hoisted != Outcome::Unchanged {
        snapshot.forget();
    }
    let made_again = run_stage(Stage::Remat, counters, |counters| {
        let run = |counters: &mut _| Outcome::of(remat.run(r.mf, snapshot, counters));
        verified_values(Stage::Remat, r.mf, counters, run)
    })?;
    Ok(folded.and(own).and(widened).and(hoisted).and(made_again))
}

/// Runs a stage, if it is to run, with counters and time of its own.
fn run_stage(
    stage: Stage,
    counters: &mut Counters,
    run: impl FnOnce(&mut Counters) -> Result<Outcome, String>,
) -> Result<Outcome, String> {
    if !knobs::runs(stage) {
        return Ok(Outcome::Unchanged);
    }
    let (start, mut own) = (Instant::now(), Counters::default());
    let outcome = run(&mut own);
    let elapsed = start.elapsed().saturating_sub(own.reporting);
    counters.reporting += own.reporting;
    counters.add_stage(stage, elapsed, own);
    outcome
}

/// Runs a stage on SSA form that computes what is needed in another way or place; with `-ptx-verify` the values that are read are
/// computed before and behind it.
fn verified_values(
    stage: Stage,
    mf: MachineFunction,
    counters: &mut Counters,
    run: impl FnOnce(&mut Counters) -> Outcome,
) -> Result<Outcome, String> {
    if !knobs::verify() || !mf.is_nvptx() || !mf.is_ssa() {
        return Ok(run(counters));
    }
    let of_variables = stage == Stage::Induction;
    let start = Instant::now();
    let before = CHECKER.with_borrow_mut(|(_, program, _)| {
        mf.snapshot(program);
        mf.addresses(program, of_variables)
    });
    counters.reporting += start.elapsed();
    let outcome = run(counters);
    let start = Instant::now();
    let after = CHECKER.with_borrow_mut(|(checker, _, program)| {
        mf.snapshot(program);
        check_defined(stage.name(), mf, checker, program).map(|_| mf.addresses(program, of_variables))
    })?;
    counters.push(("verified addresses", after.len() as u64));
    counters.reporting += start.elapsed();
    let Some(i) = differ(&before, &after) else { return Ok(outcome) };
    let what = match (before.get(i), after.get(i)) {
        (Some(b), Some(a)) if b.key == a.key => {
            let (text, old, new) = (CheckedTarget(mf).text(a.key), b.values[0], a.values[0]);
            format!("what '{text}' reads, or its address, is {new:#x} where it was {old:#x}")
        }
        _ => format!("operand {i} of {} is of another instruction or gone", before.len()),
    };
    Err(format!("ptxpasses: pass '{}', function '{}': miscompiled: {what}", stage.name(), mf.name()))
}

fn run_pass(state: &mut PassState, r: Run, counters: &mut Counters) -> Outcome {
    match state {
        PassState::PhiElim(phi_elim) => Outcome::of(phi_elim.run(r, counters)),
        PassState::TwoAddress(two_address) => Outcome::of(two_address.run(r, counters)),
        PassState::Coalescer(state) => {
            if let Some(hints) = r.hints.filter(|_| knobs::print_affinity()) {
                eprint!("{}", hints.text(&r.mf.name()));
            }
            let (coalescer, nvptx_coalescer) = &mut **state;
            run_coalescers(coalescer, nvptx_coalescer, r, counters)
        }
        PassState::LiveVars(_) => pass::live_variables(r, counters),
        PassState::LiveIntervals => pass::live_intervals(r, counters),
    }
}

/// The register coalescer, with the NVPTX coalescer behind its last join.
fn run_coalescers(
    coalescer: &mut Coalescer,
    nvptx_coalescer: &mut NvptxCoalescer,
    r: Run,
    counters: &mut Counters,
) -> Outcome {
    let flags_undefined = knobs::profile() == Profile::Cicc;
    let (mut counts, mut stage_counts) = (Vec::new(), None);
    let runs_stage = r.mf.is_nvptx() && knobs::runs(Stage::NvptxCoalescer);
    let stage = |c: &mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, blocks: &[BlockPriority]| {
        let start = Instant::now();
        let counts = nvptx_coalescer.run(c, blocks, knobs::coalescing_budget());
        stage_counts = Some((start.elapsed(), counts));
    };
    let outcome = coalescer.run(r, flags_undefined, runs_stage.then_some(stage), &mut counts);
    if let Some((time, counts)) = stage_counts {
        let mut stage = Counters::default();
        stage.extend(counts.counters());
        counters.add_stage(Stage::NvptxCoalescer, time, stage);
    }
    counters.extend(counts);
    outcome
}

extern "C" fn verifies() -> bool {
    knobs::verify()
}

extern "C" fn check_analyses() -> bool {
    knobs::check_analyses()
}

extern "C" fn print_analyses() -> bool {
    knobs::print_analyses()
}

extern "C" fn finish() -> bool {
    let write = |what: &str, f: fn() -> Result<(), String>| match guard(|| what.to_owned(), f) {
        Ok(Ok(())) => true,
        Ok(Err(message)) | Err(message) => {
            eprintln!("ptxpasses: error: {message}");
            false
        }
    };
    // Either is written whatever becomes of the other.
    write("statistics", stats::finish) & write("live ranges", svg::finish)
}

/// What the shim calls. The types of both sides are checked here.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static ptx_entry_points: ffi::PtxEntryPoints = ffi::PtxEntryPoints {
    num_knobs: Some(num_knobs),
    knob: Some(knob),
    set_knob: Some(set_knob),
    num_passes: Some(num_passes),
    pass: Some(pass),
    takes: Some(takes),
    new_state: Some(new_state),
    free_state: Some(free_state),
    run: Some(run),
    new_pipeline: Some(super::emit_entry::new_pipeline),
    verifies: Some(verifies),
    verify_selection: Some(super::emit_entry::verify_selection),
    emit_block: Some(super::emit_entry::emit_block),
    check_analyses: Some(check_analyses),
    print_analyses: Some(print_analyses),
    finish: Some(finish),
};
