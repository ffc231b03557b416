//! Statistics (row P9): per pass and function, counters and time.
//!
//! Each run of a pass adds one record to a list that is written when the process ends: as a table of
//! totals (`-ptx-stats`) or as JSON with every record (`-ptx-stats-json`). Records are sorted by
//! module, function and pass first, so that threads do not show. When neither option is set nothing
//! is collected.

use crate::liveness::pressure;
use crate::plugin::knobs;
use crate::plugin::pipeline::{Pass, Stage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// A named count of one run.
pub type Counter = (&'static str, u64);

/// What one run of a pass counts.
#[derive(Default)]
pub struct Counters {
    counts: Vec<Counter>,
    maxima: Vec<(String, u64)>,
    /// Time that went into the reports themselves and is not the pass's.
    pub reporting: Duration,
    /// Register pressure, of the pass that measures it.
    pub pressure: Option<pressure::Report>,
    /// Parts of the pass that have records of their own: name, time and counts.
    pub stages: Vec<(&'static str, Duration, Counters)>,
}

impl Counters {
    /// Adds a part of the pass that has a record of its own, whose time is not the pass's.
    pub fn add_stage(&mut self, stage: Stage, time: Duration, counters: Counters) {
        self.reporting += time;
        self.stages.push((stage.name(), time, counters));
    }
    /// Adds a count; over functions these add up.
    pub fn push(&mut self, count: Counter) {
        self.counts.push(count);
    }
    /// Adds counts.
    pub fn extend(&mut self, counts: impl IntoIterator<Item = Counter>) {
        self.counts.extend(counts);
    }
    /// Adds to counts that are there already, or to none.
    pub fn increase(&mut self, counts: impl IntoIterator<Item = Counter>) {
        for (name, count) in counts {
            match self.counts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, sum)) => *sum += count,
                None => self.counts.push((name, count)),
            }
        }
    }
    /// Adds a maximum; over functions the greatest one counts.
    pub fn push_maximum(&mut self, name: String, maximum: u64) {
        self.maxima.push((name, maximum));
    }
}

/// One run of one pass on one function.
#[derive(Serialize)]
pub struct Record {
    /// Identifier of the module.
    pub module: String,
    /// Position of the function in its module.
    pub function_number: u32,
    /// Name of the function.
    pub function: String,
    /// Name of the pass, see [`Pass::name`].
    pub pass: &'static str,
    /// Position of the pass in the pipeline.
    #[serde(skip)]
    pub pass_index: usize,
    /// Wall time in nanoseconds, the boundary included.
    pub nanoseconds: u64,
    /// Machine instructions before the pass; of the emitter, those that it makes.
    pub instructions: u64,
    /// What the pass counts.
    #[serde(serialize_with = "as_map")]
    pub counters: Counters,
    /// Where registers are live, by class and block (row L8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure: Option<pressure::Report>,
}

fn as_map<S: serde::Serializer>(counters: &Counters, s: S) -> Result<S::Ok, S::Error> {
    let maxima = counters.maxima.iter().map(|(name, max)| (&**name, *max));
    s.collect_map(counters.counts.iter().copied().chain(maxima))
}

static RECORDS: Mutex<Vec<Record>> = Mutex::new(Vec::new());

/// Where a record is, see [`amend`].
#[derive(Clone, Copy)]
pub struct Position(usize);

/// Adds a record.
pub fn add(record: Record) -> Position {
    let mut records = RECORDS.lock().unwrap_or_else(|e| e.into_inner());
    records.push(record);
    Position(records.len() - 1)
}

/// Changes a record that has been added; none once they have been written.
pub fn amend(at: Position, change: impl FnOnce(&mut Record)) {
    let mut records = RECORDS.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(record) = records.get_mut(at.0) {
        change(record);
    }
}

/// Writes what the options ask for; called once, at the end of the process.
///
/// # Errors
/// The file that cannot be written and why.
pub fn finish() -> Result<(), String> {
    if !knobs::collect_stats() {
        return Ok(());
    }
    let mut records = std::mem::take(&mut *RECORDS.lock().unwrap_or_else(|e| e.into_inner()));
    records.sort_by(|a, b| {
        (&a.module, a.function_number, a.pass_index).cmp(&(&b.module, b.function_number, b.pass_index))
    });
    if knobs::stats() {
        eprint!("{}", table(&records));
    }
    knobs::take_stats_json().map_or(Ok(()), |file| file.write(&json(&records)?))
}

fn json(records: &[Record]) -> Result<String, String> {
    let text = serde_json::to_string_pretty(records).map_err(|e| e.to_string())?;
    Ok(text + "\n")
}

fn table(records: &[Record]) -> String {
    let mut out = String::from("===-- ptxpasses statistics --===\n");
    for name in Pass::ALL.iter().map(|p| p.name()).chain(Stage::ALL.map(Stage::name)) {
        let mine: Vec<_> = records.iter().filter(|r| r.pass == name).collect();
        if mine.is_empty() {
            continue;
        }
        let nanoseconds: u64 = mine.iter().map(|r| r.nanoseconds).sum();
        let instructions: u64 = mine.iter().map(|r| r.instructions).sum();
        out += &format!(
            "{}: {} functions, {instructions} instructions, {:.3} ms\n",
            name,
            mine.len(),
            nanoseconds as f64 / 1e6
        );
        let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
        for (name, count) in mine.iter().flat_map(|r| &r.counters.counts) {
            *totals.entry(name).or_default() += count;
        }
        for (name, max) in mine.iter().flat_map(|r| &r.counters.maxima) {
            let total = totals.entry(name).or_default();
            *total = (*total).max(*max);
        }
        for (name, count) in totals {
            out += &format!("{count:>12} {name}\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(function: &str, copies: u64) -> Record {
        let mut counters = Counters::default();
        counters.push(("copies inserted", copies));
        counters.push_maximum("max live B32".into(), copies);
        Record {
            module: "m".into(),
            function_number: 0,
            function: function.into(),
            pass: "two-address",
            pass_index: 2,
            nanoseconds: 1_500_000,
            instructions: 10,
            counters,
            pressure: None,
        }
    }

    #[test]
    fn p9_the_table_adds_up_counts_and_not_maxima() {
        let text = table(&[record("a", 2), record("b", 3)]);
        assert!(text.contains("two-address: 2 functions, 20 instructions, 3.000 ms"), "{text}");
        assert!(text.contains("           5 copies inserted"), "{text}");
        assert!(text.contains("           3 max live B32"), "{text}");
    }

    #[test]
    fn p9_json_has_counters_by_name() {
        let json: serde_json::Value = serde_json::to_value([record("a", 2)]).unwrap();
        assert_eq!(json[0]["counters"]["copies inserted"], 2);
        assert_eq!(json[0]["counters"]["max live B32"], 2);
        assert_eq!(json[0]["pass"], "two-address");
        assert_eq!(json[0].get("pressure"), None);
    }
}
