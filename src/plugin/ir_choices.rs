//! Asks the stages on IR that say only yes or no, and counts the answers.

use super::step::Step;
use super::{bisect, ir_statistics, knobs};
use crate::llvm::IrFunction;
use crate::stages::choices::Choices;
use std::cell::RefCell;

thread_local! {
    /// Those of the stage and function that this thread is at.
    static CURRENT: RefCell<Choices> = RefCell::default();
}

/// The choice of a stage about something in `f`; no beyond `-ptx-bisect-limit`.
pub fn choose(stage: Step, f: IrFunction, choose: impl FnOnce() -> bool) -> bool {
    assert!(!knobs::test_panic(stage), "forced by -ptx-test-panic");
    if bisect::is_beyond_in_ir(f) {
        return false;
    }
    let choice = choose();
    CURRENT.with_borrow_mut(|counts| counts.add(choice));
    choice
}

/// Adds the counts of a function to the statistics, with the names of yes and no.
pub fn record(
    stage: Step,
    names: [&'static str; 2],
    f: IrFunction,
    number: u32,
    num_instrs: u32,
    nanoseconds: u64,
) {
    let counts = CURRENT.take();
    ir_statistics::add(stage, f, number, num_instrs, nanoseconds, counts.named(names));
}
