//! Sums up the gain of the choices.

use std::collections::BTreeMap;

use gpu_run::interval::Ratio;
use gpu_run::job::Card;
use serde::Serialize;

use super::choices::Predicted;
use super::on_gpu::OnGpu;
use super::record::{Record, GAIN};
use crate::kernels::{changes, summary, CHANGES};
use crate::measure::judgement::{compare, geometric_mean, mean_ratio, Judgement, MANY_REGISTERS};
use crate::measure::setting::{DEFAULT, STOCK};
use crate::measure::Numbers;
use crate::sheet::Sheet;
use crate::text::counted;
use crate::time::{Origin, MADE_UP};

/// One kernel.
#[derive(Debug, Serialize)]
struct Row {
    file: String,
    kernel: String,
    setting: String,
    /// `None` if stock's code was not measured.
    stock: Option<Numbers>,
    default: Numbers,
    tuned: Numbers,
    /// The time of the tuned code, where the cost asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<Predicted>,
    /// Its measured time as a part of stock's.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured_of_stock: Option<Ratio>,
    /// Whether that is less for sure.
    #[serde(skip)]
    is_faster: bool,
    /// Whether the default is what remains where nothing is faster.
    #[serde(skip)]
    is_of_best: bool,
    /// The verdict on tuned against the default.
    verdict: Judgement,
    why: String,
}

/// All kernels, against one of the other sides.
#[derive(Debug, Serialize)]
struct Total {
    kernels: usize,
    /// Geometric means; `None` if there is no such kernel.
    registers: Option<f64>,
    registers_of_40_or_more: Option<f64>,
    sass: Option<f64>,
    /// Of predicted times.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// Numbers of kernels.
    occupancy_gained: usize,
    occupancy_lost: usize,
    /// Bytes.
    spills_before: u64,
    spills: u64,
    spilling_more: usize,
}

#[derive(Debug, Serialize)]
pub struct Summary {
    /// The GPU that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
    kernels: Vec<Row>,
    /// The number of kernels from each.
    settings: BTreeMap<String, usize>,
    /// `None` if no kernel has both sides.
    against_default: Option<Total>,
    against_stock: Option<Total>,
    default_against_stock: Option<Total>,
}

type Side = fn(&Row) -> Option<&Numbers>;
/// The ratio of the predicted times of two sides.
type TimeOf = fn(&Predicted) -> Option<f64>;

impl Total {
    /// Of the kernels that both sides were measured for; `None` if there is none.
    fn new(rows: &[Row], old: Side, new: Side, time: TimeOf) -> Option<Self> {
        let both: Vec<(&Numbers, &Numbers)> =
            rows.iter().filter_map(|row| Some((old(row)?, new(row)?))).collect();
        let mean = |get: fn(&Numbers) -> u64, least: u64| {
            let counted = both.iter().filter(|(old, _)| old.registers >= least);
            match mean_ratio(counted.map(|(old, new)| (get(old), get(new)))) {
                (_, 0) => None,
                (ratio, _) => Some(ratio),
            }
        };
        let count =
            |is: fn(&Numbers, &Numbers) -> bool| both.iter().filter(|(old, new)| is(old, new)).count();
        (!both.is_empty()).then(|| Total {
            kernels: both.len(),
            registers: mean(|numbers| numbers.registers, 0),
            registers_of_40_or_more: mean(|numbers| numbers.registers, MANY_REGISTERS),
            sass: mean(|numbers| numbers.sass, 0),
            time: geometric_mean(rows.iter().filter_map(|row| time(row.predicted.as_ref()?))),
            occupancy_gained: count(|old, new| new.warps > old.warps),
            occupancy_lost: count(|old, new| new.warps < old.warps),
            spills_before: both.iter().map(|(old, _)| old.spills()).sum(),
            spills: both.iter().map(|(_, new)| new.spills()).sum(),
            spilling_more: count(|old, new| new.spills() > old.spills()),
        })
    }

    /// Its line. `all`: the number of all kernels.
    fn cells(&self, label: &str, has_time: bool, all: usize) -> Vec<String> {
        let ratio = |mean: Option<f64>| mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
        let part =
            if self.kernels < all { format!(", {} of {all} kernels", self.kernels) } else { String::new() };
        let mut cells = vec![format!("{label}{part}")];
        if has_time {
            cells.push(ratio(self.time));
        }
        cells.extend([
            ratio(self.registers),
            ratio(self.registers_of_40_or_more),
            ratio(self.sass),
            format!("{}, {}", self.occupancy_gained, self.occupancy_lost),
            format!("{} > {}", self.spills_before, self.spills),
            self.spilling_more.to_string(),
        ]);
        cells
    }
}

/// The verdict on a setting against the default, by what a GPU has measured. A default without a time faults, or computes something else.
fn judge(on_gpu: &OnGpu, setting: &str) -> Judgement {
    let median = |setting: &str| Some(on_gpu.ratio(setting)?.median);
    match (median(DEFAULT), median(setting)) {
        (None, Some(_)) => Judgement::Better,
        (Some(default), Some(own)) if own < GAIN * default => Judgement::Better,
        (Some(default), Some(own)) if GAIN * own > default => Judgement::Worse,
        _ => Judgement::Same,
    }
}

impl Summary {
    /// Sums up the records of files and the settings chosen for their kernels.
    pub fn new(records: &[Record], chosen: &[&BTreeMap<String, String>], card: Option<Card>) -> Self {
        let mut kernels = Vec::new();
        let mut settings: BTreeMap<String, usize> = BTreeMap::new();
        for (record, chosen) in records.iter().zip(chosen) {
            for (kernel, setting) in *chosen {
                let numbers = |setting: &str| record.numbers(kernel, setting).cloned();
                let (Some(default), Some(tuned)) = (numbers(DEFAULT), numbers(setting)) else { continue };
                let predicted = Predicted::of(record, kernel, setting);
                let on_gpu = &record.kernels[kernel].on_gpu;
                let (verdict, why) = match predicted {
                    _ if !on_gpu.is_empty() => (judge(on_gpu, setting), "measured time".to_owned()),
                    Some(time) if time.of_default < GAIN => (Judgement::Better, "predicted time".to_owned()),
                    _ => compare(&default, &tuned),
                };
                *settings.entry(setting.clone()).or_default() += 1;
                kernels.push(Row {
                    file: record.file.clone(),
                    kernel: kernel.clone(),
                    setting: setting.clone(),
                    stock: numbers(STOCK),
                    default,
                    tuned,
                    predicted,
                    measured_of_stock: on_gpu.ratio(setting),
                    is_faster: on_gpu.is_faster(setting),
                    is_of_best: on_gpu.is_of_best,
                    verdict,
                    why,
                });
            }
        }
        let [stock, default, tuned]: [Side; 3] =
            [|row| row.stock.as_ref(), |row| Some(&row.default), |row| Some(&row.tuned)];
        Summary {
            card,
            settings,
            against_default: Total::new(&kernels, default, tuned, |time| Some(time.of_default)),
            against_stock: Total::new(&kernels, stock, tuned, |time| time.of_stock),
            default_against_stock: Total::new(&kernels, stock, default, |time| {
                Some(time.of_stock? / time.of_default)
            }),
            kernels,
        }
    }

    /// Whether no kernel was measured.
    pub fn is_empty(&self) -> bool {
        self.kernels.is_empty()
    }

    fn has_time(&self) -> bool {
        self.kernels.iter().any(|row| row.predicted.is_some())
    }

    fn sheet_of<'a>(&self, rows: impl Iterator<Item = &'a Row>) -> Sheet {
        let mut header = vec!["file", "kernel", "setting", "verdict", "why"];
        let has_time = self.has_time();
        if has_time {
            header.push("predicted");
        }
        let is_measured = self.kernels.iter().any(|row| row.measured_of_stock.is_some());
        if is_measured {
            header.push("measured / stock");
        }
        header.extend(CHANGES);
        let mut sheet = Sheet::new(&header, 5);
        for row in rows {
            let names = [&row.file, &row.kernel, &row.setting].map(String::clone);
            let mut line = names.to_vec();
            line.extend([row.verdict.to_string(), row.why.clone()]);
            if has_time {
                line.push(row.predicted.map_or_else(String::new, |time| {
                    format!("{}{:.3}", time.launches.mark(), time.of_default)
                }));
            }
            if is_measured {
                line.push(row.measured_of_stock.map_or_else(String::new, |ratio| {
                    format!("{:.3} ({:.3}, {:.3})", ratio.median, ratio.low, ratio.high)
                }));
            }
            line.extend(changes(&row.default, &row.tuned));
            sheet.add(line);
        }
        sheet
    }

    /// Every kernel.
    pub fn sheet(&self) -> Sheet {
        self.sheet_of(self.kernels.iter())
    }

    /// What the measured kernels take of stock's time.
    fn measured(&self, card: &Card) -> String {
        let measured = || self.kernels.iter().filter_map(|row| Some((row, row.measured_of_stock?)));
        let Some(mean) = geometric_mean(measured().map(|(_, ratio)| ratio.median)) else {
            return format!("measured on {}, driver {}: no kernel", card.name, card.driver);
        };
        let others =
            if measured().any(|(row, _)| row.is_of_best) { "with the default" } else { "with stock's code" };
        format!(
            "measured on {}, driver {}: {}, {} faster than stock, the others {others}; {mean:.3} of stock's time in the mean",
            card.name,
            card.driver,
            counted(measured().count(), "kernel"),
            measured().filter(|(row, _)| row.is_faster).count(),
        )
    }

    /// The kernels that do not come from the default, and the totals.
    pub fn terminal(&self) -> String {
        let mut text = String::new();
        let mut line = |part: &str| {
            text.push_str(part);
            text.push('\n');
        };
        let others =
            || self.kernels.iter().filter(|row| row.setting != DEFAULT || row.measured_of_stock.is_some());
        if others().next().is_some() {
            let also = if self.card.is_some() { ", or that were measured" } else { "" };
            line(&format!("kernels that another setting suits better{also}, default > tuned:"));
            line(&self.sheet_of(others()).terminal());
            if others().any(|row| row.predicted.is_some_and(|time| time.launches == Origin::MadeUp)) {
                line(&format!("~ {MADE_UP}"));
            }
        }
        let settings: Vec<String> =
            self.settings.iter().map(|(name, count)| format!("{count} {name}")).collect();
        line(&format!("against the default, {}", summary(self.kernels.iter().map(|row| row.verdict))));
        line(&format!("settings: {}", settings.join(", ")));
        if let Some(card) = &self.card {
            line(&self.measured(card));
        }
        let mut header = vec!["geometric means"];
        let has_time = self.has_time();
        if has_time {
            header.push("predicted time");
        }
        header.extend([
            "registers",
            "40 or more",
            "SASS",
            "occupancy: more, less",
            "spills",
            "spilling more",
        ]);
        let mut totals = Sheet::new(&header, 1);
        for (label, total) in [
            ("default / stock", &self.default_against_stock),
            ("tuned / default", &self.against_default),
            ("tuned / stock", &self.against_stock),
        ] {
            totals.add(match total {
                Some(total) => total.cells(label, has_time, self.kernels.len()),
                None => {
                    std::iter::once(label).chain(header[1..].iter().map(|_| "-")).map(str::to_owned).collect()
                }
            });
        }
        line(&totals.terminal());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::record::Kernel;

    #[test]
    fn totals_and_rows() {
        let numbers = |registers, spill_loads, warps| Numbers {
            registers,
            spill_loads,
            warps,
            sass: 100,
            max_warps: 64,
            ..Numbers::default()
        };
        let by_setting =
            [("stock", numbers(80, 8, 24)), ("default", numbers(60, 4, 32)), ("lsr", numbers(30, 0, 64))];
        let kernel = Kernel {
            numbers: by_setting.map(|(setting, numbers)| (setting.to_owned(), numbers)).into(),
            ..Kernel::default()
        };
        let record =
            Record { file: "a.ll".into(), kernels: [("k".to_owned(), kernel)].into(), ..Record::default() };
        let chosen = BTreeMap::from([("k".to_owned(), "lsr".to_owned())]);
        let summary = Summary::new(&[record], &[&chosen], None);
        let is = |mean: Option<f64>, wanted: f64| mean.is_some_and(|mean| (mean - wanted).abs() < 1e-12);
        let against_default = summary.against_default.as_ref().expect("a kernel");
        assert!(is(against_default.registers, 0.5));
        assert!(is(summary.against_stock.as_ref().expect("a kernel").registers_of_40_or_more, 0.375));
        assert_eq!((against_default.occupancy_gained, against_default.occupancy_lost), (1, 0));
        assert_eq!((against_default.spills_before, against_default.spills), (4, 0));
        let text = summary.terminal();
        assert!(text.contains("1 lsr") && text.contains("60 > 30"), "{text}");
        assert!(text.lines().all(|line| line.len() <= usize::from(crate::text::WIDTH)), "{text}");
        assert_eq!(
            summary.sheet().csv().lines().nth(1),
            Some("a.ll,k,lsr,better,\"spills, occupancy\",60 > 30,4 > 0,100,50 > 100")
        );
    }

    /// A record of kernels, each with a number of registers by setting.
    fn record(kernels: &[(&str, &[(&str, u64)])]) -> Record {
        let kernel = |(name, by_setting): &(&str, &[(&str, u64)])| {
            let numbers = by_setting.iter().map(|&(setting, registers)| {
                (setting.to_owned(), Numbers { registers, sass: 100, ..Numbers::default() })
            });
            ((*name).to_owned(), Kernel { numbers: numbers.collect(), ..Kernel::default() })
        };
        Record { kernels: kernels.iter().map(kernel).collect(), ..Record::default() }
    }

    #[test]
    fn where_stock_was_not_measured_there_is_no_ratio_to_it() {
        let line = |text: &str, label: &str| {
            let line = text.lines().find(|line| line.starts_with(label)).expect("a line");
            line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()[2..8].join(" ")
        };
        let without: &[_] = &[(DEFAULT, 60), ("lsr", 30)];
        let chosen =
            |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), "lsr".to_owned())).collect();
        let none = Summary::new(&[record(&[("k", without)])], &[&chosen(&["k"])], None);
        let text = none.terminal();
        assert_eq!(line(&text, "| default / stock "), "- - - - - -");
        assert_eq!(line(&text, "| tuned / stock "), "- - - - - -");
        assert_eq!(line(&text, "| tuned / default "), "0.500 0.500 1.000 0, 0 0 > 0 0");
        let json = serde_json::to_value(&none).expect("JSON");
        assert!(json["against_stock"].is_null() && json["default_against_stock"].is_null(), "{json}");
        assert!(json["kernels"][0]["stock"].is_null(), "{json}");

        let with: &[_] = &[(STOCK, 40), (DEFAULT, 60), ("lsr", 30)];
        let some = Summary::new(&[record(&[("k", without), ("l", with)])], &[&chosen(&["k", "l"])], None);
        assert_eq!(
            line(&some.terminal(), "| tuned / stock, 1 of 2 kernels "),
            "0.750 0.750 1.000 0, 0 0 > 0 0"
        );
    }

    #[test]
    fn a_mean_of_no_kernel_is_not_a_ratio() {
        let summary = Summary::new(&[], &[], None);
        assert!(summary.is_empty() && summary.against_default.is_none());
        assert!(!summary.terminal().contains("1.000"), "{}", summary.terminal());
    }
}
