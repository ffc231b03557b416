//! Chooses the setting of each kernel from the measurements.
//!
//! **Rule.** A setting is eligible for a group of kernels if none of them spills more, or has fewer
//! resident warps, than under the default and with stock. The cheapest eligible setting wins, by
//! the terms of the cost in their order, summed over the group's kernels. A tie goes to the setting
//! that is first in the pool, and the default is at its head. If the default itself spills more
//! than stock, and stock has fewer warps than the default, there may be no eligible setting: then
//! the default is kept.
//!
//! Measured times come first ([`OnGpuGroup`]): then neither terms nor warps count, as they only stand for time. A kernel that a GPU was
//! asked about in vain keeps the default.
//!
//! With `time` among the terms, and a time predicted, a setting is eligible only if it is predicted
//! to take less than 0.99 of the default's time, in the mean over the group's kernels, and no kernel
//! more than 1.01: the prediction cannot tell smaller differences apart (docs/time.md). Without a
//! predicted time, stock's instructions say nothing, as the default unrolls other loops: they count
//! as the default's. Settings that only unroll other loops are not eligible then.

use serde::{Deserialize, Serialize};

use gpu_run::interval::Ratio;

use super::on_gpu::OnGpu;
use super::record::{Record, GAIN};
use crate::measure::judgement::geometric_mean;
use crate::measure::setting::{Setting, DEFAULT};
use crate::measure::Numbers;

/// A term of the cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Term {
    /// Predicted time, in percent of the default's
    Time,
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
            // It is not of numbers.
            Term::Time => 0,
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

/// The most that a kernel of a group may take if the others gain.
const LOSS: f64 = 1.01;

/// The predicted time of a group's kernels under a setting, as a part of that under the default: the
/// geometric mean over the kernels that have a time there. `None` if no kernel has one, if one of
/// these has none under the setting, or if one loses.
fn time_of_group(record: &Record, group: &[String], setting: &str) -> Option<f64> {
    let timed = group.iter().filter_map(|kernel| Some((kernel, record.time(kernel, DEFAULT)?)));
    let mut ratios = Vec::new();
    for (kernel, default) in timed {
        let ratio = record.time(kernel, setting)?.ratio(default)?;
        if ratio > LOSS {
            return None;
        }
        ratios.push(ratio);
    }
    geometric_mean(ratios)
}

/// A group of which a GPU has measured some kernels, or could not.
struct OnGpuGroup<'a> {
    measured: Vec<&'a OnGpu>,
    /// Whether one of them could not be measured, for one launch at least.
    keeps_default: bool,
    /// The kernels that no launch is given for.
    others: Vec<&'a String>,
}

impl<'a> OnGpuGroup<'a> {
    /// `None` if no GPU was asked about it.
    fn of(record: &'a Record, group: &'a [String]) -> Option<Self> {
        let kernel = |name: &&String| record.kernels.get(*name);
        let was_asked = |name: &&String| {
            kernel(name).is_some_and(|kernel| kernel.keeps_default || !kernel.on_gpu.is_empty())
        };
        let (asked, others): (Vec<&String>, Vec<&String>) = group.iter().partition(was_asked);
        let asked: Vec<_> = asked.iter().filter_map(kernel).collect();
        (!asked.is_empty()).then(|| OnGpuGroup {
            measured: asked.iter().map(|kernel| &kernel.on_gpu).filter(|on_gpu| !on_gpu.is_empty()).collect(),
            keeps_default: asked.iter().any(|kernel| kernel.keeps_default),
            others,
        })
    }

    /// The time of a setting that may be taken, in tenths of a percent of stock's: stock's code, unless prediction has chosen what was measured; or one that is faster for a kernel and a launch, and slower for none. Less than
    /// a tenth cannot be told apart.
    fn price(&self, setting: &str) -> Option<i64> {
        let ratios = self.measured.iter().map(|on_gpu| on_gpu.ratio(setting)).collect::<Option<Vec<_>>>()?;
        let mean = geometric_mean(ratios.iter().map(|ratio| ratio.median))?;
        let price = (1000.0 * mean).round() as i64;
        let is_of_best = self.measured.iter().any(|on_gpu| on_gpu.is_of_best);
        let is_stock = !is_of_best && ratios.iter().all(|ratio| *ratio == Ratio::SAME);
        let is_faster = self.measured.iter().any(|on_gpu| on_gpu.is_faster(setting));
        let may_be_slower = self.measured.iter().any(|on_gpu| on_gpu.may_be_slower(setting));
        (is_stock || is_faster && !may_be_slower && price < 1000).then_some(price)
    }

    /// The index of the best setting. `is_allowed` says which may be taken, by its index.
    fn best(&self, settings: &[Setting], is_allowed: impl Fn(usize) -> bool) -> usize {
        let allowed: Vec<usize> = (0..settings.len()).filter(|&number| is_allowed(number)).collect();
        let priced = allowed.iter().filter_map(|&number| Some((self.price(&settings[number].name)?, number)));
        if let Some((_, best)) = priced.min().filter(|_| !self.keeps_default) {
            return best;
        }
        // The default, unless a GPU has found something wrong with it.
        let is_bad = self.measured.iter().any(|on_gpu| on_gpu.is_against_default());
        allowed.into_iter().find(|&number| is_bad && settings[number].stock).unwrap_or(0)
    }
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
        group.iter().zip(numbers).all(|(kernel, new)| record.is_not_worse(kernel, new))
    };
    if let Some(on_gpu) = OnGpuGroup::of(record, group) {
        let suits_others = |setting: &str| {
            on_gpu.others.iter().all(|kernel| {
                let lost = record.time(kernel, setting).zip(record.time(kernel, DEFAULT));
                let has_lost =
                    lost.and_then(|(own, default)| own.ratio(default)).is_some_and(|ratio| ratio > LOSS);
                record.numbers(kernel, setting).is_some_and(|new| record.is_not_worse(kernel, new))
                    && !has_lost
            })
        };
        return on_gpu.best(settings, |number| {
            number == 0 || allowed(&settings[number]) && suits_others(&settings[number].name)
        });
    }
    let Some(default) = of_group(record, group, DEFAULT) else { return 0 };
    let is_timed = cost.contains(&Term::Time) && time_of_group(record, group, DEFAULT).is_some();
    let price = |setting: &Setting, numbers: &[&Numbers], time: f64| -> Vec<i64> {
        let of = |term: &Term| match term {
            Term::Time => (100.0 * time).round() as i64,
            Term::Sass if !is_timed && !setting.unrolls_as_default() => term.of(&default, &default),
            other => other.of(numbers, &default),
        };
        cost.iter().map(of).collect()
    };
    let candidates = settings.iter().enumerate().filter(|(number, setting)| *number == 0 || allowed(setting));
    let priced = candidates.filter_map(|(number, setting)| {
        let numbers = of_group(record, group, &setting.name)?;
        if !is_timed && setting.is_unrolling() {
            return None;
        }
        let time = match is_timed && number != 0 {
            true => time_of_group(record, group, &setting.name).filter(|&time| time < GAIN)?,
            false => 1.0,
        };
        not_worse(&numbers).then(|| (price(setting, &numbers, time), number))
    });
    priced.min().map_or(0, |(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::setting::{rows, Effort, STOCK};
    use crate::time::compare::OneAlone;
    use crate::time::predict::Share;
    use crate::time::{Alone, Origin};
    use crate::tune::on_gpu::OneOnGpu;
    use crate::tune::record::Kernel;

    const USUAL: [Term; 4] = [Term::Spills, Term::Occupancy, Term::Sass, Term::Registers];

    fn numbers(registers: u64, spill_loads: u64, warps: u32, sass: u64) -> Numbers {
        Numbers { registers, spill_loads, warps, sass, max_warps: 64, ..Numbers::default() }
    }

    fn record(kernels: &[(&str, &[(&str, Numbers)])]) -> Record {
        let kernel = |(name, by_setting): &(&str, &[(&str, Numbers)])| {
            let numbers =
                by_setting.iter().map(|(setting, numbers)| ((*setting).to_owned(), numbers.clone()));
            ((*name).to_owned(), Kernel { numbers: numbers.collect(), ..Kernel::default() })
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
    fn fewer_instructions_of_a_loop_that_is_not_unrolled_are_not_a_gain() {
        let fewer = numbers(40, 0, 48, 50);
        let settings = [
            (DEFAULT, numbers(40, 0, 48, 100)),
            (STOCK, fewer.clone()),
            ("no-unroll", fewer),
            ("unroll-all", numbers(30, 0, 48, 400)),
            ("lsr", numbers(40, 0, 48, 99)),
        ];
        assert_eq!(chosen(&record(&[("k", &settings)]), &["k"], &USUAL), "lsr");
        assert_eq!(chosen(&record(&[("k", &settings[..4])]), &["k"], &USUAL), DEFAULT);
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

    /// Predicted times by setting, beside numbers that are the same for all.
    fn timed(kernels: &[(&str, &[(&str, f64)])]) -> Record {
        let mut all = Record::default();
        for (name, times) in kernels {
            let mut kernel = Kernel::default();
            for (setting, cycles) in *times {
                let launches =
                    vec![OneAlone { launch: String::new(), cycles: *cycles, share: Share::Rounds(2) }];
                kernel.times.insert((*setting).to_owned(), Alone { origin: Origin::Given, launches });
            }
            for setting in [DEFAULT, STOCK, "lsr", "pressure"] {
                kernel.numbers.insert(setting.to_owned(), numbers(40, 0, 48, 100));
            }
            all.kernels.insert((*name).to_owned(), kernel);
        }
        all
    }

    const BY_TIME: [Term; 2] = [Term::Time, Term::Registers];

    #[test]
    fn a_kernel_changes_only_for_a_gain_of_time_that_can_be_told() {
        let with = |lsr, pressure| {
            timed(&[("k", &[(DEFAULT, 1000.0), (STOCK, 1100.0), ("lsr", lsr), ("pressure", pressure)])])
        };
        assert_eq!(chosen(&with(900.0, 850.0), &["k"], &BY_TIME), "pressure");
        assert_eq!(chosen(&with(989.0, 1000.0), &["k"], &BY_TIME), "lsr");
        assert_eq!(chosen(&with(991.0, 1000.0), &["k"], &BY_TIME), DEFAULT);
        // Fewer registers do not justify more time.
        let mut fewer = with(1005.0, 1000.0);
        let kernel = fewer.kernels.get_mut("k").expect("it is there");
        kernel.numbers.insert("lsr".to_owned(), numbers(20, 0, 64, 100));
        assert_eq!(chosen(&fewer, &["k"], &BY_TIME), DEFAULT);
        assert_eq!(chosen(&fewer, &["k"], &USUAL), "lsr");
        // Without any time the other terms choose.
        fewer.kernels.get_mut("k").expect("it is there").times.clear();
        assert_eq!(chosen(&fewer, &["k"], &BY_TIME), "lsr");
    }

    #[test]
    fn less_time_does_not_outweigh_occupancy_or_spills() {
        let mut one = timed(&[("k", &[(DEFAULT, 1000.0), ("lsr", 500.0), ("pressure", 600.0)])]);
        let kernel = one.kernels.get_mut("k").expect("it is there");
        kernel.numbers.insert("lsr".to_owned(), numbers(60, 0, 32, 100));
        assert_eq!(chosen(&one, &["k"], &BY_TIME), "pressure");
    }

    #[test]
    fn a_group_gains_time_where_none_of_it_loses() {
        let of = |b: f64| {
            let a: &[_] = &[(DEFAULT, 1000.0), ("lsr", 800.0)];
            timed(&[("a", a), ("b", &[(DEFAULT, 1000.0), ("lsr", b)]), ("c", &[])])
        };
        assert_eq!(chosen(&of(1005.0), &["a", "b", "c"], &BY_TIME), "lsr");
        assert_eq!(chosen(&of(1020.0), &["a", "b", "c"], &BY_TIME), DEFAULT);
    }

    /// Times of a kernel on a GPU, by setting, as parts of stock's.
    fn on_gpu(record: &mut Record, kernel: &str, ratios: &[(&str, f64)]) {
        let mut one = OneOnGpu {
            launch: String::new(),
            stock: 10.0,
            noise: Ratio { median: 1.0, low: 0.995, high: 1.005 },
            ratios: [(STOCK.to_owned(), Ratio::SAME)].into(),
        };
        for &(setting, median) in ratios {
            let ratio = Ratio { median, low: median - 0.001, high: median + 0.001 };
            one.ratios.insert(setting.to_owned(), ratio);
        }
        let kernel = record.kernels.get_mut(kernel).expect("it is there");
        kernel.on_gpu.measured_again.extend(one.ratios.keys().cloned());
        kernel.on_gpu.launches.push(one);
    }

    #[test]
    fn what_a_gpu_has_measured_counts_before_all_else() {
        let of = |ratios: &[(&str, f64)]| {
            let mut one = timed(&[("k", &[(DEFAULT, 1000.0), ("lsr", 500.0)])]);
            let kernel = one.kernels.get_mut("k").expect("it is there");
            kernel.numbers.insert("pressure".to_owned(), numbers(80, 0, 24, 100));
            on_gpu(&mut one, "k", ratios);
            chosen(&one, &["k"], &BY_TIME)
        };
        assert_eq!(of(&[(DEFAULT, 0.98), ("lsr", 0.99), ("pressure", 0.9)]), "pressure");
        assert_eq!(of(&[(DEFAULT, 0.98), ("lsr", 0.99), ("pressure", 1.1)]), DEFAULT);
        assert_eq!(
            of(&[(DEFAULT, 1.02), ("lsr", 0.998), ("pressure", 1.1)]),
            STOCK,
            "0.2 % is within the noise"
        );
        assert_eq!(of(&[("lsr", 0.97)]), "lsr", "the default was not taken");
    }

    #[test]
    fn a_kernel_that_is_faster_for_one_launch_and_slower_for_another_gets_stock() {
        let mut one = timed(&[("k", &[])]);
        on_gpu(&mut one, "k", &[(DEFAULT, 0.7), ("lsr", 1.0)]);
        on_gpu(&mut one, "k", &[(DEFAULT, 1.02), ("lsr", 0.99)]);
        assert_eq!(chosen(&one, &["k"], &BY_TIME), "lsr");
        on_gpu(&mut one, "k", &[(DEFAULT, 0.7)]);
        assert_eq!(chosen(&one, &["k"], &BY_TIME), STOCK, "lsr failed for the third");
    }

    #[test]
    fn a_kernel_that_could_not_be_measured_keeps_the_default() {
        let mut one = timed(&[("k", &[(DEFAULT, 1000.0), ("lsr", 500.0)])]);
        assert_eq!(chosen(&one, &["k"], &BY_TIME), "lsr");
        one.kernels.get_mut("k").expect("it is there").keeps_default = true;
        assert_eq!(chosen(&one, &["k"], &BY_TIME), DEFAULT);
        // An earlier launch has shown that the default fails.
        let mut faulty = one.clone();
        on_gpu(&mut faulty, "k", &[("lsr", 0.9)]);
        assert_eq!(chosen(&faulty, &["k"], &BY_TIME), STOCK);
        on_gpu(&mut one, "k", &[(DEFAULT, 0.99), ("lsr", 0.9)]);
        assert_eq!(chosen(&one, &["k"], &BY_TIME), DEFAULT);
    }

    #[test]
    fn where_prediction_chose_what_was_measured_the_default_remains() {
        let of = |ratios: &[(&str, f64)]| {
            let mut one = timed(&[("k", &[(DEFAULT, 1000.0), ("lsr", 500.0)])]);
            on_gpu(&mut one, "k", ratios);
            one.kernels.get_mut("k").expect("it is there").on_gpu.is_of_best = true;
            chosen(&one, &["k"], &BY_TIME)
        };
        assert_eq!(of(&[(DEFAULT, 0.99), ("lsr", 0.9), ("pressure", 0.95)]), "lsr");
        assert_eq!(of(&[(DEFAULT, 1.004), ("lsr", 0.998)]), DEFAULT, "both are within the noise");
        assert_eq!(of(&[(DEFAULT, 1.02), ("lsr", 0.998)]), STOCK, "the default is slower for sure");
        assert_eq!(of(&[("lsr", 0.998)]), STOCK, "the default is wrong");
    }

    #[test]
    fn a_gain_that_was_not_confirmed_is_none() {
        let mut one = timed(&[("k", &[])]);
        on_gpu(&mut one, "k", &[(DEFAULT, 0.98), ("lsr", 0.9)]);
        one.kernels.get_mut("k").expect("it is there").on_gpu.measured_again.remove("lsr");
        assert_eq!(chosen(&one, &["k"], &BY_TIME), DEFAULT);
    }

    #[test]
    fn kernels_of_a_group_without_a_launch_must_not_get_worse() {
        let mut two = timed(&[("a", &[]), ("b", &[])]);
        on_gpu(&mut two, "a", &[(DEFAULT, 0.98), ("lsr", 0.9)]);
        assert_eq!(chosen(&two, &["a", "b"], &BY_TIME), "lsr");
        let other = two.kernels.get_mut("b").expect("it is there");
        other.numbers.insert("lsr".to_owned(), numbers(90, 0, 16, 100));
        assert_eq!(chosen(&two, &["a", "b"], &BY_TIME), DEFAULT);
    }

    #[test]
    fn a_setting_that_was_not_measured_is_not_chosen() {
        let one = record(&[("k", &[(DEFAULT, numbers(40, 0, 48, 100))])]);
        assert_eq!(chosen(&one, &["k"], &USUAL), DEFAULT);
        assert_eq!(chosen(&record(&[("k", &[])]), &["k"], &USUAL), DEFAULT);
    }
}
