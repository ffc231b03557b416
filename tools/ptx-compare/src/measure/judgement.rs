//! Which of two compilations of a kernel is better, and why, in a word.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Numbers;

/// SASS that differs by no more than so many percent is the same.
const SASS_PERCENT: u64 = 1;

/// Kernels for which the first side needs so many registers or more have a mean of their own.
pub const MANY_REGISTERS: u64 = 40;

/// The geometric mean of new/old, and of how many pairs; one with a zero says nothing about a factor.
pub fn mean_ratio(pairs: impl Iterator<Item = (u64, u64)>) -> (f64, usize) {
    let pairs = pairs.filter(|&(old, new)| old > 0 && new > 0);
    let logs: Vec<f64> = pairs.map(|(old, new)| (new as f64 / old as f64).ln()).collect();
    ((logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp(), logs.len())
}

/// A verdict about a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    Better,
    Same,
    /// Better in one thing, worse in another.
    Mixed,
    Worse,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Judgement::Better => "better",
            Judgement::Same => "same",
            Judgement::Mixed => "mixed",
            Judgement::Worse => "worse",
        })
    }
}

/// Compares `new` with `old`: the verdict, and the things that speak for it.
pub fn compare(old: &Numbers, new: &Numbers) -> (Judgement, String) {
    let sass_differs = 100 * old.sass.abs_diff(new.sass) > SASS_PERCENT * old.sass;
    let things = [
        ("spills", new.spills() < old.spills(), new.spills() > old.spills()),
        ("occupancy", new.warps > old.warps, new.warps < old.warps),
        ("registers", new.registers < old.registers, new.registers > old.registers),
        ("SASS", sass_differs && new.sass < old.sass, sass_differs && new.sass > old.sass),
    ];
    let named = |pick: fn(&(&'static str, bool, bool)) -> bool| {
        things.iter().filter(|thing| pick(thing)).map(|thing| thing.0).collect::<Vec<_>>().join(", ")
    };
    let (better, worse) = (named(|thing| thing.1), named(|thing| thing.2));
    match (better.is_empty(), worse.is_empty()) {
        (true, true) => (Judgement::Same, String::new()),
        (false, true) => (Judgement::Better, better),
        (true, false) => (Judgement::Worse, worse),
        (false, false) => (Judgement::Mixed, format!("{better}; not {worse}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(registers: u64, spill_loads: u64, sass: u64, warps: u32) -> Numbers {
        Numbers { registers, spill_loads, sass, warps, max_warps: 64, ..Numbers::default() }
    }

    #[test]
    fn means_leave_zeros_out() {
        let (mean, count) = mean_ratio([(100, 200), (100, 50), (0, 7)].into_iter());
        assert!((mean - 1.0).abs() < 1e-12 && count == 2);
        let (mean, count) = mean_ratio(std::iter::empty());
        assert!((mean - 1.0).abs() < 1e-12 && count == 0);
    }

    #[test]
    fn verdicts_and_their_reasons() {
        let old = numbers(40, 8, 1000, 48);
        let of = |registers, spills, sass, warps| {
            let (judgement, why) = compare(&old, &numbers(registers, spills, sass, warps));
            format!("{judgement}: {why}")
        };
        assert_eq!(of(40, 8, 1010, 48), "same: ");
        assert_eq!(of(40, 8, 1011, 48), "worse: SASS");
        assert_eq!(of(32, 0, 900, 64), "better: spills, occupancy, registers, SASS");
        assert_eq!(of(38, 8, 1100, 48), "mixed: registers; not SASS");
    }
}
