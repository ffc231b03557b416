//! Which of two compilations of a kernel is better, and the reason in a word.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Numbers;

/// SASS that differs by no more than this percentage is the same.
const SASS_PERCENT: u64 = 1;

/// Kernels for which the first side needs this many registers or more have a separate mean.
pub const MANY_REGISTERS: u64 = 40;

/// The geometric mean of ratios; `None` if there is none.
pub fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = ratios.into_iter().map(f64::ln).collect();
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    (!logarithms.is_empty()).then(|| mean.exp())
}

/// The geometric mean of new/old, and the number of pairs. A pair with a zero has no ratio.
pub fn mean_ratio(pairs: impl Iterator<Item = (u64, u64)>) -> (f64, usize) {
    let pairs = pairs.filter(|&(old, new)| old > 0 && new > 0);
    let logs: Vec<f64> = pairs.map(|(old, new)| (new as f64 / old as f64).ln()).collect();
    ((logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp(), logs.len())
}

/// The verdict on a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    Better,
    Same,
    /// Better in one thing and worse in another of equal importance.
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

/// Compares `new` with `old`: the verdict, and the things that decide it.
///
/// Spills and occupancy decide. If both are the same, SASS decides; if that is the same too,
/// registers. Registers matter by the warps and spills that they cost, so at full occupancy they do
/// not count.
pub fn compare(old: &Numbers, new: &Numbers) -> (Judgement, String) {
    let is_same_size = 100 * old.sass.abs_diff(new.sass) <= SASS_PERCENT * old.sass;
    let sass = if is_same_size { Ordering::Equal } else { new.sass.cmp(&old.sass) };
    let is_full = old.max_warps > 0 && old.warps == old.max_warps;
    let registers = if is_full { Ordering::Equal } else { new.registers.cmp(&old.registers) };
    let first = [("spills", new.spills().cmp(&old.spills())), ("occupancy", old.warps.cmp(&new.warps))];
    let (sass, registers) = ([("SASS", sass)], [("registers", registers)]);
    let levels: [&[(&str, Ordering)]; 3] = [&first, &sass, &registers];
    let decisive = levels.iter().find(|level| level.iter().any(|thing| thing.1.is_ne()));
    decisive.map_or((Judgement::Same, String::new()), |level| judge(level))
}

/// The verdict on several things, each with its order of the new value to the old: less is better.
fn judge(things: &[(&str, Ordering)]) -> (Judgement, String) {
    let named = |order: Ordering| {
        things.iter().filter(|thing| thing.1 == order).map(|thing| thing.0).collect::<Vec<_>>().join(", ")
    };
    let (better, worse) = (named(Ordering::Less), named(Ordering::Greater));
    match (better.is_empty(), worse.is_empty()) {
        (_, true) => (Judgement::Better, better),
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
        assert_eq!(of(32, 0, 900, 64), "better: spills, occupancy");
        assert_eq!(of(38, 8, 1100, 48), "worse: SASS");
        assert_eq!(of(42, 8, 900, 48), "better: SASS");
        assert_eq!(of(38, 8, 1000, 48), "better: registers");
        assert_eq!(of(32, 16, 1000, 64), "mixed: occupancy; not spills");
    }

    #[test]
    fn lost_occupancy_is_worse_whatever_registers_and_sass_are() {
        let (old, new) = (numbers(168, 0, 1200, 12), numbers(254, 0, 1100, 8));
        assert_eq!(compare(&old, &new), (Judgement::Worse, "occupancy".to_owned()));
        assert_eq!(compare(&new, &old), (Judgement::Better, "occupancy".to_owned()));
    }

    #[test]
    fn registers_at_full_occupancy_do_not_count() {
        let old = numbers(25, 0, 100, 64);
        assert_eq!(compare(&old, &numbers(26, 0, 100, 64)), (Judgement::Same, String::new()));
        assert_eq!(compare(&old, &numbers(26, 0, 90, 64)), (Judgement::Better, "SASS".to_owned()));
    }
}
