//! Counts the loops that LLVM's LoopStrengthReduce leaves alone, from where it runs, on IR, to the statistics of the stage `induction`.

use super::knobs;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// By module and function, their number since it was taken.
static LEFT: Mutex<BTreeMap<(String, String), u64>> = Mutex::new(BTreeMap::new());

/// Counts a loop of a function, if statistics are collected.
pub fn add(module: &str, function: &str) {
    if knobs::collect_stats() {
        let mut left = LEFT.lock().unwrap_or_else(|e| e.into_inner());
        *left.entry((module.to_owned(), function.to_owned())).or_default() += 1;
    }
}

/// Takes the number of loops of a function.
pub fn take(module: &str, function: &str) -> u64 {
    let mut left = LEFT.lock().unwrap_or_else(|e| e.into_inner());
    left.remove(&(module.to_owned(), function.to_owned())).unwrap_or(0)
}
