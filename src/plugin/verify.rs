//! Checks passes and stages when `-ptx-verify` asks for it (requirement K1).

use super::step::{Context, RunStep, Step};
use crate::checker::addresses::accesses::{first_difference, Compared};
use crate::checker::addresses::pass::accesses;
use crate::checker::pass::{snapshot, CheckedTarget};
use crate::checker::{program::Program, Checker, Report, Rules};
use crate::llvm::{MachineFunction, Outcome};
use std::cell::RefCell;
use std::time::Instant;

thread_local! {
    /// The checker and its snapshots before and behind the pass.
    static CHECKER: RefCell<(Checker, Program, Program)> = RefCell::default();
}

/// Runs a step and checks that instructions read the values that they read before, unless the step says that it cannot be
/// checked.
///
/// # Errors
/// The miscompile that was found.
pub fn keeps(step: Step, rules: Rules, runs: &mut dyn RunStep, cx: &mut Context) -> Result<Outcome, String> {
    let mf = cx.run.mf;
    CHECKER.with_borrow_mut(|(checker, before, after)| {
        let start = Instant::now();
        snapshot(mf, before);
        cx.counters.reporting += start.elapsed();
        let outcome = runs.run_step(cx);
        let not_checked = match outcome {
            Outcome::Delegate => Some("not checked: functions left to the stock pass"),
            _ => runs.not_checked(),
        };
        if let Some(why) = not_checked {
            cx.counters.push((why, 1));
            return Ok(outcome);
        }
        let start = Instant::now();
        snapshot(mf, after);
        let (target, mut report) = (CheckedTarget(mf), Report::default());
        let found = checker.check(before, after, &target, rules, &mut report);
        report.count(&mut cx.counters);
        cx.counters.reporting += start.elapsed();
        found.map(|()| outcome).map_err(|failure| {
            let text = failure.text(before, after, &target, |key| target.text(key));
            miscompiled(step.name(), mf, &text)
        })
    })
}

fn miscompiled(name: &str, mf: MachineFunction, text: &str) -> String {
    format!("ptxpasses: pass '{name}', function '{}': miscompiled: {text}", mf.name())
}

/// Checks, behind instruction selection, that every register that is read was defined. Returns the number of operands that
/// read one.
///
/// # Errors
/// The register that was not.
pub fn verify_defined(pass: &str, mf: MachineFunction) -> Result<u64, String> {
    CHECKER.with_borrow_mut(|(checker, _, program)| {
        snapshot(mf, program);
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
        miscompiled(pass, mf, &text)
    })
}

/// Runs a stage on SSA form that computes values in another way or place, and checks that instructions read the same ones: the
/// values are computed before and after it.
///
/// # Errors
/// The miscompile that was found.
pub fn values(
    step: Step,
    compared: Compared,
    runs: &mut dyn RunStep,
    cx: &mut Context,
) -> Result<Outcome, String> {
    let mf = cx.run.mf;
    let start = Instant::now();
    let before = CHECKER.with_borrow_mut(|(_, program, _)| {
        snapshot(mf, program);
        accesses(mf, program, compared)
    });
    cx.counters.reporting += start.elapsed();
    let outcome = runs.run_step(cx);
    let start = Instant::now();
    let after = CHECKER.with_borrow_mut(|(checker, _, program)| {
        snapshot(mf, program);
        check_defined(step.name(), mf, checker, program).map(|_| accesses(mf, program, compared))
    })?;
    cx.counters.push(("verified addresses", after.len() as u64));
    cx.counters.reporting += start.elapsed();
    let Some(i) = first_difference(&before, &after, compared) else { return Ok(outcome) };
    let text = match (before.get(i), after.get(i)) {
        (Some(b), Some(a)) if b.key == a.key => {
            let (text, old, new) = (CheckedTarget(mf).text(a.key), b.values[0], a.values[0]);
            format!("'{text}' reads, or has for its address, {new:#x} instead of {old:#x}")
        }
        _ => format!("operand {i} of {} belongs to another instruction or is gone", before.len()),
    };
    Err(miscompiled(step.name(), mf, &text))
}
