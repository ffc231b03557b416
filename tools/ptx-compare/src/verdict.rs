//! How two runs of llc compare, and the counts of these verdicts.
//!
//! `parity` and `equal` mean different things by *the same*, but judge, count and report alike.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::inputs;
use crate::llc::{Exit, Llc};
use crate::text;

/// The outcome of one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Both compile, with the same output.
    Identical,
    /// Both end with the same error.
    BothReject,
    /// Both die of the same signal.
    BothCrash,
    Different,
    OnlyStockFails,
    OnlyPluginFails,
    /// Both were stopped at the time limit: nothing is known.
    BothTimeOut,
}

impl Verdict {
    /// The verdict on two runs with these exits. `same`: whether their outputs are the same. It is
    /// called only if the exits are equal, and not if both runs were stopped.
    pub fn of(stock: Exit, plugin: Exit, mut same: impl FnMut() -> bool) -> Verdict {
        match (stock, plugin) {
            (Exit::TimedOut, Exit::TimedOut) => Verdict::BothTimeOut,
            (Exit::Code(0), Exit::Code(0)) if same() => Verdict::Identical,
            (Exit::Code(0), Exit::Code(0)) => Verdict::Different,
            (Exit::Code(0), _) => Verdict::OnlyPluginFails,
            (_, Exit::Code(0)) => Verdict::OnlyStockFails,
            _ if stock != plugin || !same() => Verdict::Different,
            (Exit::Signal(_), _) => Verdict::BothCrash,
            _ => Verdict::BothReject,
        }
    }

    /// Whether stock llc is known to fail.
    fn stock_fails(self) -> bool {
        matches!(self, Verdict::BothReject | Verdict::BothCrash | Verdict::OnlyStockFails)
    }

    /// Whether the plugin has changed nothing.
    pub fn is_identical(self) -> bool {
        matches!(self, Verdict::Identical | Verdict::BothReject | Verdict::BothCrash)
    }

    pub fn describe(self) -> &'static str {
        match self {
            Verdict::Identical => "identical",
            Verdict::BothReject => "both reject the input",
            Verdict::BothCrash => "both crash",
            Verdict::Different => "different",
            Verdict::OnlyStockFails => "only stock fails",
            Verdict::OnlyPluginFails => "only the plugin fails",
            Verdict::BothTimeOut => "both time out",
        }
    }
}

/// Counts of verdicts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    pub runs: usize,
    pub identical: usize,
    both_reject: usize,
    both_crash: usize,
    different: usize,
    only_stock_fails: usize,
    only_plugin_fails: usize,
    both_time_out: usize,
}

impl Counts {
    pub fn add(&mut self, verdict: Verdict) {
        self.runs += 1;
        self.identical += usize::from(verdict.is_identical());
        match verdict {
            Verdict::Identical => {}
            Verdict::BothReject => self.both_reject += 1,
            Verdict::BothCrash => self.both_crash += 1,
            Verdict::Different => self.different += 1,
            Verdict::OnlyStockFails => self.only_stock_fails += 1,
            Verdict::OnlyPluginFails => self.only_plugin_fails += 1,
            Verdict::BothTimeOut => self.both_time_out += 1,
        }
    }
}

/// Prints the table of verdicts by optimisation level; `same` is the name of the good one.
pub fn print_summary(by_level: &BTreeMap<u8, Counts>, total: &Counts, same: &str) {
    let mut header = vec!["level", "runs", same, "different", "only stock fails", "only plugin fails"];
    if total.both_time_out > 0 {
        header.push("both time out");
    }
    let mut table = text::table(&header, 1);
    let mut add = |name: String, counts: &Counts| {
        let mut row = vec![
            name,
            counts.runs.to_string(),
            counts.identical.to_string(),
            counts.different.to_string(),
            counts.only_stock_fails.to_string(),
            counts.only_plugin_fails.to_string(),
        ];
        if total.both_time_out > 0 {
            row.push(counts.both_time_out.to_string());
        }
        table.add_row(row);
    };
    for (level, counts) in by_level {
        add(format!("-O{level}"), counts);
    }
    add("all".to_owned(), total);
    println!("{table}");
    if total.both_reject > 0 {
        println!("of the {same} runs both sides reject the input: {}", total.both_reject);
    }
    if total.both_crash > 0 {
        println!("of the {same} runs both sides abort or crash: {}", total.both_crash);
    }
}

/// Names a fitting processor for each file that stock llc rejects, unless one was named.
pub fn print_advice<'a>(
    llc: &Llc,
    mcpu: Option<&str>,
    outcomes: impl Iterator<Item = (&'a Path, Verdict)>,
) -> Result<()> {
    let refused: BTreeSet<&Path> =
        outcomes.filter(|(_, verdict)| verdict.stock_fails()).map(|(file, _)| file).collect();
    for file in refused {
        let advice = inputs::advice_for(llc, file, mcpu)?;
        if !advice.is_empty() {
            println!("note: stock llc refuses {}{advice}", file.display());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        let [ok, error, crash, stopped] = [Exit::Code(0), Exit::Code(1), Exit::Signal(11), Exit::TimedOut];
        let of = |stock, plugin| Verdict::of(stock, plugin, || true);
        assert_eq!(of(ok, ok), Verdict::Identical);
        assert_eq!(of(error, error), Verdict::BothReject);
        assert_eq!(of(crash, crash), Verdict::BothCrash);
        assert_eq!(of(stopped, stopped), Verdict::BothTimeOut);
        assert_eq!(of(ok, error), Verdict::OnlyPluginFails);
        assert_eq!(of(ok, stopped), Verdict::OnlyPluginFails);
        assert_eq!(of(crash, ok), Verdict::OnlyStockFails);
        assert_eq!(of(error, crash), Verdict::Different);
        assert_eq!(of(error, stopped), Verdict::Different);
        assert_eq!(of(crash, Exit::Signal(6)), Verdict::Different);
        assert_eq!(Verdict::of(ok, ok, || false), Verdict::Different);
        assert_eq!(Verdict::of(error, error, || false), Verdict::Different);
        assert!(Verdict::BothCrash.is_identical() && !Verdict::BothTimeOut.is_identical());
    }
}
