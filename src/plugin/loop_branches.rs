//! Asks the stage `loop-branches` about the branches of loops in IR, and counts them.

use super::step::Step;
use super::{bisect, ir_statistics, knobs};
use crate::llvm::IrFunction;
use crate::mir::LoopBranch;
use crate::stages::loop_branches::{turns, Counts};
use std::cell::RefCell;

thread_local! {
    /// Those of the function that this thread is at.
    static CURRENT: RefCell<Counts> = RefCell::default();
}

/// Chooses whether a branch of `f` is turned.
pub fn choose(f: IrFunction, branch: &LoopBranch) -> bool {
    assert!(!knobs::test_panic(Step::LoopBranches), "forced by -ptx-test-panic");
    if bisect::is_beyond_in_ir(f) {
        return false;
    }
    let choice = turns(branch);
    CURRENT.with_borrow_mut(|counts| counts.add(choice));
    choice.is_ok()
}

/// Adds the counts of a function to the statistics.
pub fn record(f: IrFunction, number: u32, num_instrs: u32, nanoseconds: u64) {
    let counts = CURRENT.take();
    ir_statistics::add(Step::LoopBranches, f, number, num_instrs, nanoseconds, counts.named());
}
