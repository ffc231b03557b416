//! Collects statistics of passes and stages on each function, and writes them (requirement P9).
//!
//! Each run of a step adds one record. The records are written when the process ends: their totals as a table (`-ptx-stats`,
//! without those that are zero; `-ptx-stats=all`, with them), or all of them as JSON (`-ptx-stats-json`). They are sorted by module, function and step first, so that the output does not
//! depend on threads. Without either option nothing is collected. A process that generates no device code, such as
//! clang's for the host, writes nothing.

use super::knobs::{self, ZeroCounts};
use super::output_file::OutputFile;
use super::pipeline::PIPELINE;
use super::process;
use super::step::Step;
use crate::adt::Counters;
use crate::liveness::pressure;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// One run of a pass or stage on one function.
#[derive(Serialize)]
pub struct Record {
    /// Identifier of the module.
    pub module: String,
    /// Position of the function in its module.
    pub function_number: u32,
    /// Name of the function.
    pub function: String,
    /// Name of the pass or stage, as in [`PIPELINE`].
    pub pass: &'static str,
    /// The pass or stage.
    #[serde(skip)]
    pub step: Step,
    /// Wall time in nanoseconds, calls of LLVM included, the stages that it called not.
    pub nanoseconds: u64,
    /// Machine instructions before the pass and the stages in front of it; for the emitter, those that it makes.
    pub instructions: u64,
    /// The counts.
    #[serde(serialize_with = "as_map")]
    pub counters: Counters,
    /// The register pressure by class and block (requirement L8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure: Option<pressure::Report>,
}

fn as_map<S: serde::Serializer>(counters: &Counters, s: S) -> Result<S::Ok, S::Error> {
    s.collect_map(counters.counts().chain(counters.maxima()))
}

static RECORDS: Mutex<Vec<Record>> = Mutex::new(Vec::new());

/// The place of a record, for [`amend`].
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

/// Writes the statistics that the options ask for. Called once, at the end of the process.
///
/// # Errors
/// The file that cannot be written and why.
pub fn finish() -> Result<(), String> {
    if !knobs::collect_stats() {
        return Ok(());
    }
    let file = knobs::take_stats_json();
    let mut records = std::mem::take(&mut *RECORDS.lock().unwrap_or_else(|e| e.into_inner()));
    records.sort_by(|a, b| {
        (&a.module, a.function_number, a.step as u32).cmp(&(&b.module, b.function_number, b.step as u32))
    });
    if records.is_empty() && !process::generates_device_code() {
        file.into_iter().for_each(OutputFile::leave);
        return Ok(());
    }
    if let Some(zeros) = knobs::stats() {
        eprint!("{}", table(&records, zeros));
    }
    file.map_or(Ok(()), |file| file.write(&json(&records)?))
}

fn json(records: &[Record]) -> Result<String, String> {
    let text = serde_json::to_string_pretty(records).map_err(|e| e.to_string())?;
    Ok(text + "\n")
}

fn table(records: &[Record], zeros: ZeroCounts) -> String {
    let mut out = String::from("===-- ptxpasses statistics --===\n");
    for row in PIPELINE {
        let mine: Vec<_> = records.iter().filter(|r| r.pass == row.name).collect();
        if mine.is_empty() {
            continue;
        }
        let nanoseconds: u64 = mine.iter().map(|r| r.nanoseconds).sum();
        let instructions: u64 = mine.iter().map(|r| r.instructions).sum();
        out += &format!(
            "{}: {} functions, {instructions} instructions, {:.3} ms\n",
            row.name,
            mine.len(),
            nanoseconds as f64 / 1e6
        );
        let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
        for (name, count) in mine.iter().flat_map(|r| r.counters.counts()) {
            *totals.entry(name).or_default() += count;
        }
        for (name, max) in mine.iter().flat_map(|r| r.counters.maxima()) {
            let total = totals.entry(name).or_default();
            *total = (*total).max(max);
        }
        totals.retain(|_, count| *count != 0 || zeros == ZeroCounts::Shown);
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
            step: Step::TwoAddress,
            nanoseconds: 1_500_000,
            instructions: 10,
            counters,
            pressure: None,
        }
    }

    #[test]
    fn p9_the_table_adds_up_counts_and_not_maxima() {
        let text = table(&[record("a", 2), record("b", 3)], ZeroCounts::Hidden);
        assert!(text.contains("two-address: 2 functions, 20 instructions, 3.000 ms"), "{text}");
        assert!(text.contains("           5 copies inserted"), "{text}");
        assert!(text.contains("           3 max live B32"), "{text}");
    }

    #[test]
    fn p9_the_table_has_counts_of_zero_when_all_are_asked_for() {
        let records = [record("a", 0)];
        let hidden = table(&records, ZeroCounts::Hidden);
        assert!(
            hidden.contains("two-address: 1 functions") && !hidden.contains("copies inserted"),
            "{hidden}"
        );
        let shown = table(&records, ZeroCounts::Shown);
        assert!(shown.contains("           0 copies inserted"), "{shown}");
        assert_eq!(serde_json::to_value(records).unwrap()[0]["counters"]["copies inserted"], 0);
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
