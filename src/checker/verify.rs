//! Checks a pass (requirement K1): snapshots of the function before and after it, the proof, and
//! the message.

use super::addresses::accesses::{first_difference, Access, Compared, Place};
use super::addresses::pass::accesses;
use super::pass::{snapshot, CheckedTarget};
use super::{program::Program, Checker, Report, Rules};
use crate::adt::Counters;
use crate::llvm::{plugin_name, MachineFunction};
use std::cell::RefCell;
use std::fmt;
use std::time::Instant;

/// A miscompile that the checker has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miscompile {
    /// The pass.
    pub pass: String,
    /// The function.
    pub function: String,
    /// The fault, in words.
    pub text: String,
}

impl fmt::Display for Miscompile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Miscompile { pass, function, text } = self;
        write!(f, "{}: pass '{pass}', function '{function}': miscompiled: {text}", plugin_name())
    }
}

impl std::error::Error for Miscompile {}

thread_local! {
    /// The checker and its snapshots before and after the pass.
    static CHECKER: RefCell<(Checker, Program, Program)> = RefCell::default();
}

/// Remembers a function before a pass, for [`keeps`] after it on the same thread.
pub fn remember(mf: MachineFunction, counters: &mut Counters) {
    let start = Instant::now();
    CHECKER.with_borrow_mut(|(_, before, _)| snapshot(mf, before));
    counters.reporting += start.elapsed();
}

/// Checks that instructions read the values that they read when the function was remembered.
///
/// # Errors
/// The miscompile by pass `name` that was found.
pub fn keeps(
    name: &str,
    mf: MachineFunction,
    rules: Rules,
    counters: &mut Counters,
) -> Result<(), Miscompile> {
    let start = Instant::now();
    let result = CHECKER.with_borrow_mut(|(checker, before, after)| {
        snapshot(mf, after);
        let (target, mut report) = (CheckedTarget::new(mf), Report::default());
        let found = checker.check(before, after, &target, rules, &mut report);
        report.count(counters);
        found.map_err(|failure| {
            let text = failure.text(before, after, &target, |key| target.text(key));
            miscompiled(name, mf, text)
        })
    });
    counters.reporting += start.elapsed();
    result
}

fn miscompiled(name: &str, mf: MachineFunction, text: String) -> Miscompile {
    Miscompile { pass: name.to_owned(), function: mf.name().into_owned(), text }
}

/// Checks, after instruction selection, that every register that is read was defined. Returns the
/// number of operands that read one.
///
/// # Errors
/// The register that was not defined.
pub fn defined(name: &str, mf: MachineFunction) -> Result<u64, Miscompile> {
    CHECKER.with_borrow_mut(|(checker, _, program)| {
        snapshot(mf, program);
        check_defined(name, mf, checker, program)
    })
}

fn check_defined(
    name: &str,
    mf: MachineFunction,
    checker: &mut Checker,
    program: &Program,
) -> Result<u64, Miscompile> {
    checker.check_selection(program).map_err(|failure| {
        let target = CheckedTarget::new(mf);
        let text = failure.text(program, program, &target, |key| target.text(key));
        miscompiled(name, mf, text)
    })
}

/// Returns the values that the instructions of a function in SSA form read, before a pass.
pub fn values(mf: MachineFunction, compared: Compared, counters: &mut Counters) -> Vec<Access> {
    let start = Instant::now();
    let before = CHECKER.with_borrow_mut(|(_, program, _)| {
        snapshot(mf, program);
        accesses(mf, program, compared)
    });
    counters.reporting += start.elapsed();
    before
}

/// Checks that instructions read the same values, although a pass computes these differently or
/// elsewhere.
///
/// # Errors
/// The miscompile by pass `name` that was found.
pub fn same_values(
    name: &str,
    mf: MachineFunction,
    compared: Compared,
    before: &[Access],
    counters: &mut Counters,
) -> Result<(), Miscompile> {
    let start = Instant::now();
    let after = CHECKER.with_borrow_mut(|(checker, _, program)| {
        snapshot(mf, program);
        check_defined(name, mf, checker, program).map(|_| accesses(mf, program, compared))
    })?;
    counters.push(("verified addresses", after.len() as u64));
    counters.reporting += start.elapsed();
    let Some(i) = first_difference(before, &after, compared) else { return Ok(()) };
    let text = match (before.get(i), after.get(i)) {
        (Some(b), Some(a)) if b.key == a.key => {
            let text = CheckedTarget::new(mf).text(a.key);
            let differs = b.values.iter().zip(&a.values).find(|(old, new)| old != new);
            match differs.filter(|_| a.place != Place::Content) {
                Some((old, new)) => {
                    format!("'{text}' reads, or has for its address, {new:#x} instead of {old:#x}")
                }
                None => format!("'{text}' has another constant, symbol or width of what it reads"),
            }
        }
        _ => format!("operand {i} of {} belongs to another instruction or is gone", before.len()),
    };
    Err(miscompiled(name, mf, text))
}
