//! Asks the stage `unroll` about loops in IR, and counts what becomes of them.

use super::step::Step;
use super::{bisect, ir_statistics, knobs};
use crate::llvm::{IrFunction, UnrollLoop, UnrollResult};
use crate::mir::Unroll;
use crate::stages::unroll::{choose as choose_count, Choice, Counts, Which};
use std::cell::RefCell;

thread_local! {
    /// Those of the function that this thread is at, and the last choice.
    static CURRENT: RefCell<(Counts, Choice)> = RefCell::default();
}

/// Chooses how a loop is unrolled.
pub fn choose(l: &UnrollLoop) -> Unroll {
    assert!(!knobs::test_panic(Step::Unroll), "forced by -ptx-test-panic");
    let f = l.function;
    let is_stock = bisect::is_beyond_in_ir(f);
    let which = knobs::UNROLL.get().filter(|_| !is_stock);
    let choice = which.map_or(Choice::default(), |which: Which| choose_count(&l.facts, which));
    CURRENT.with_borrow_mut(|(_, last)| *last = choice);
    choice.unroll
}

/// Counts the loop that was chosen last.
pub fn add(result: UnrollResult) {
    CURRENT.with_borrow_mut(|(counts, choice)| match result {
        UnrollResult::Whole => counts.whole += 1,
        UnrollResult::Part => counts.part += 1,
        UnrollResult::None => counts.add_left(choice.reason),
    });
}

/// Adds the counts of a function to the statistics.
pub fn record(f: IrFunction, number: u32, num_instrs: u32, nanoseconds: u64) {
    let (counts, _) = CURRENT.take();
    ir_statistics::add(Step::Unroll, f, number, num_instrs, nanoseconds, counts.named());
}
