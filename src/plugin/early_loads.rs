//! Asks the stage `early-loads` about loads in IR, and counts them.

use super::step::Step;
use super::{bisect, ir_statistics, knobs};
use crate::llvm::IrFunction;
use crate::mir::EarlyLoad;
use crate::stages::choices::Choices;
use crate::stages::early_loads::{is_moved, COUNTED};
use std::cell::RefCell;

thread_local! {
    /// Those of the function that this thread is at.
    static CURRENT: RefCell<Choices> = RefCell::default();
}

/// Chooses whether a load of `f` is moved.
pub fn choose(f: IrFunction, load: &EarlyLoad) -> bool {
    assert!(!knobs::test_panic(Step::EarlyLoads), "forced by -ptx-test-panic");
    if bisect::is_beyond(|| f.module_name().into_owned(), || f.name().into_owned()) {
        return false;
    }
    let choice = is_moved(load);
    CURRENT.with_borrow_mut(|counts| counts.add(choice));
    choice
}

/// Adds the counts of a function to the statistics.
pub fn record(f: IrFunction, number: u32, num_instrs: u32, nanoseconds: u64) {
    let counts = CURRENT.take();
    ir_statistics::add(Step::EarlyLoads, f, number, num_instrs, nanoseconds, counts.named(COUNTED));
}
