//! Asks the stage `equal-phis` about PHIs in IR, and counts them.

use super::step::Step;
use super::{bisect, ir_statistics, knobs};
use crate::llvm::IrFunction;
use crate::mir::EqualPhi;
use crate::stages::choices::Choices;
use crate::stages::equal_phis::{is_replaced, COUNTED};
use std::cell::RefCell;

thread_local! {
    /// Those of the function that this thread is at.
    static CURRENT: RefCell<Choices> = RefCell::default();
}

/// Chooses whether a PHI of `f` is replaced.
pub fn choose(f: IrFunction, phi: &EqualPhi) -> bool {
    assert!(!knobs::test_panic(Step::EqualPhis), "forced by -ptx-test-panic");
    if bisect::is_beyond(|| f.module_name().into_owned(), || f.name().into_owned()) {
        return false;
    }
    let choice = is_replaced(phi);
    CURRENT.with_borrow_mut(|counts| counts.add(choice));
    choice
}

/// Adds the counts of a function to the statistics.
pub fn record(f: IrFunction, number: u32, num_instrs: u32, nanoseconds: u64) {
    let counts = CURRENT.take();
    ir_statistics::add(Step::EqualPhis, f, number, num_instrs, nanoseconds, counts.named(COUNTED));
}
