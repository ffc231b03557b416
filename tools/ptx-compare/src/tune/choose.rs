//! Chooses the setting of each kernel from the measurements.
//!
//! **Rule.** A setting is eligible for a group of kernels if none of them spills more, or has fewer
//! resident warps, than under the default and with stock. The cheapest eligible setting wins, by
//! the terms of the cost in their order, summed over the group's kernels. A tie goes to the setting
//! that is first in the pool, and the default is at its head. If the default itself spills more
//! than stock, and stock has fewer warps than the default, there may be no eligible setting: then
//! the default is kept.

use serde::{Deserialize, Serialize};

use super::record::Record;
use crate::measure::setting::{Setting, DEFAULT};
use crate::measure::Numbers;

/// A term of the cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Term {
    /// Bytes spilled and reloaded
    Spills,
    /// Warps that are resident
    Occupancy,
    /// Machine instructions, in percent of the default's
    Sass,
    /// Registers of a thread
    Registers,
}

impl Term {
    /// The cost of a group's kernels together; lower is better. `default` are their numbers under
    /// the default.
    fn of(self, numbers: &[&Numbers], default: &[&Numbers]) -> i64 {
        let sum = |numbers: &[&Numbers], get: fn(&Numbers) -> u64| -> i64 {
            numbers
                .iter()
                .map(|numbers| i64::try_from(get(numbers)).unwrap_or(i64::MAX))
                .fold(0, i64::saturating_add)
        };
        match self {
            Term::Spills => sum(numbers, Numbers::spills),
            Term::Occupancy => -sum(numbers, |numbers| numbers.warps.into()),
            // In whole percent: a few instructions more or less must not outweigh registers.
            Term::Sass => {
                let (new, old) =
                    (sum(numbers, |numbers| numbers.sass), sum(default, |numbers| numbers.sass).max(1));
                (200 * new + old) / (2 * old)
            }
            Term::Registers => sum(numbers, |numbers| numbers.registers),
        }
    }
}

/// The numbers of a group's kernels under a setting; `None` unless all kernels have them.
fn of_group<'a>(record: &'a Record, group: &[String], setting: &str) -> Option<Vec<&'a Numbers>> {
    group.iter().map(|kernel| record.numbers(kernel, setting)).collect()
}

/// The index of the best setting for a group. `allowed` says which may be taken besides the
/// default, whose index is 0.
pub fn best(
    record: &Record,
    group: &[String],
    settings: &[Setting],
    cost: &[Term],
    allowed: impl Fn(&Setting) -> bool,
) -> usize {
    let not_worse = |numbers: &[&Numbers]| {
        group.iter().zip(numbers).all(|(kernel, new)| {
            let bounds = [record.numbers(kernel, DEFAULT), record.stock(kernel)];
            bounds.iter().flatten().all(|old| new.spills() <= old.spills() && new.warps >= old.warps)
        })
    };
    let Some(default) = of_group(record, group, DEFAULT) else { return 0 };
    let price =
        |numbers: &[&Numbers]| -> Vec<i64> { cost.iter().map(|term| term.of(numbers, &default)).collect() };
    let candidates = settings.iter().enumerate().filter(|(number, setting)| *number == 0 || allowed(setting));
    let priced = candidates.filter_map(|(number, setting)| {
        let numbers = of_group(record, group, &setting.name)?;
        not_worse(&numbers).then(|| (price(&numbers), number))
    });
    priced.min().map_or(0, |(_, number)| number)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::measure::setting::{rows, Effort, STOCK};
    use crate::tune::record::Kernel;

    const USUAL: [Term; 4] = [Term::Spills, Term::Occupancy, Term::Sass, Term::Registers];

    fn numbers(registers: u64, spill_loads: u64, warps: u32, sass: u64) -> Numbers {
        Numbers { registers, spill_loads, warps, sass, max_warps: 64, ..Numbers::default() }
    }

    fn record(kernels: &[(&str, &[(&str, Numbers)])]) -> Record {
        let kernel = |(name, by_setting): &(&str, &[(&str, Numbers)])| {
            let numbers =
                by_setting.iter().map(|(setting, numbers)| ((*setting).to_owned(), numbers.clone()));
            ((*name).to_owned(), Kernel { hash: String::new(), numbers: numbers.collect::<BTreeMap<_, _>>() })
        };
        Record { kernels: kernels.iter().map(kernel).collect(), ..Record::default() }
    }

    fn chosen(record: &Record, group: &[&str], cost: &[Term]) -> String {
        let settings = rows(Effort::More);
        let group: Vec<String> = group.iter().map(|name| (*name).to_owned()).collect();
        settings[best(record, &group, &settings, cost, |_| true)].name.clone()
    }

    #[test]
    fn terms_count_in_their_order() {
        let one = record(&[(
            "k",
            &[
                (DEFAULT, numbers(40, 0, 48, 100)),
                (STOCK, numbers(48, 0, 40, 90)),
                ("lsr", numbers(36, 0, 48, 110)),
                ("pressure", numbers(38, 0, 48, 95)),
            ],
        )]);
        assert_eq!(chosen(&one, &["k"], &USUAL), "pressure");
        assert_eq!(chosen(&one, &["k"], &[Term::Registers]), "lsr");
        assert_eq!(chosen(&one, &["k"], &[Term::Sass]), "pressure", "stock has fewer warps");
    }

    #[test]
    fn half_a_percent_of_instructions_does_not_outweigh_registers() {
        let one = |sass| {
            record(&[("k", &[(DEFAULT, numbers(40, 0, 48, 1000)), ("lsr", numbers(41, 0, 48, sass))])])
        };
        assert_eq!(chosen(&one(996), &["k"], &USUAL), DEFAULT);
        assert_eq!(chosen(&one(994), &["k"], &USUAL), "lsr");
    }

    #[test]
    fn ties_go_to_the_default_and_nothing_gets_worse_than_stock() {
        let same = numbers(40, 0, 48, 100);
        let tie = record(&[("k", &[(DEFAULT, same.clone()), (STOCK, same.clone()), ("lsr", same.clone())])]);
        assert_eq!(chosen(&tie, &["k"], &USUAL), DEFAULT);
        let stock_is_better = record(&[(
            "k",
            &[
                (DEFAULT, numbers(60, 8, 32, 90)),
                (STOCK, numbers(40, 0, 48, 100)),
                ("lsr", numbers(50, 4, 40, 80)),
            ],
        )]);
        assert_eq!(chosen(&stock_is_better, &["k"], &[Term::Sass]), STOCK);
        let neither =
            record(&[("k", &[(DEFAULT, numbers(40, 8, 48, 90)), (STOCK, numbers(60, 0, 32, 100))])]);
        assert_eq!(chosen(&neither, &["k"], &USUAL), DEFAULT);
    }

    #[test]
    fn a_group_has_one_setting_that_suits_all_of_it() {
        let two = record(&[
            (
                "a",
                &[
                    (DEFAULT, numbers(40, 0, 48, 100)),
                    ("lsr", numbers(30, 0, 64, 50)),
                    ("pressure", numbers(40, 0, 48, 99)),
                ],
            ),
            (
                "b",
                &[
                    (DEFAULT, numbers(40, 0, 48, 100)),
                    ("lsr", numbers(50, 0, 40, 50)),
                    ("pressure", numbers(40, 0, 48, 99)),
                ],
            ),
        ]);
        assert_eq!(chosen(&two, &["a"], &USUAL), "lsr");
        assert_eq!(chosen(&two, &["a", "b"], &USUAL), "pressure");
    }

    #[test]
    fn a_setting_that_was_not_measured_is_not_chosen() {
        let one = record(&[("k", &[(DEFAULT, numbers(40, 0, 48, 100))])]);
        assert_eq!(chosen(&one, &["k"], &USUAL), DEFAULT);
        assert_eq!(chosen(&record(&[("k", &[])]), &["k"], &USUAL), DEFAULT);
    }
}
