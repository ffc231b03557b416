//! The number of loops that LoopStrengthReduce leaves alone. LSR runs on IR; the statistics of the
//! stage `induction` report the number.

use super::knobs;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The number of loops, by module and function. Taking it removes the entry.
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
