//! The statistics of the stages that work on IR. The shim runs them function by function, and not the
//! driver, which counts for all others.

use super::knobs;
use super::step::Step;
use crate::adt::Counters;
use crate::llvm::IrFunction;
use crate::process::statistics::{self, Record};

/// Adds what a stage has counted in a function, if statistics are collected. `number` is the function's
/// position among those of its module that have a body.
pub fn add(
    step: Step,
    f: IrFunction,
    number: u32,
    num_instrs: u32,
    nanoseconds: u64,
    counts: impl Iterator<Item = (&'static str, u64)>,
) {
    if !knobs::collect_stats() {
        return;
    }
    let mut counters = Counters::default();
    counters.extend(counts);
    statistics::add(Record {
        module: f.module_name().into_owned(),
        function_number: number,
        function: f.name().into_owned(),
        pass: step.name(),
        position: step as usize,
        nanoseconds,
        instructions: num_instrs.into(),
        counters,
        pressure: None,
    });
}
