//! Collects statistics of passes and stages for each function, and writes them (requirement P9).
//!
//! Each run of a pass or stage adds one record. The records are written when the process ends:
//! their totals as a table (`-ptx-stats`, without counts of zero; `-ptx-stats=all`, with them), or
//! all of them as JSON (`-ptx-stats-json`). They are first sorted by module, function and position
//! in the pipeline, so that the output does not depend on threads.

use super::output_file::OutputFile;
use crate::adt::Counters;
use crate::liveness::pressure;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

/// Whether the table includes counts of zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZeroCounts {
    /// It leaves them out.
    Hidden,
    /// It has them too.
    Shown,
}

/// One run of a pass or stage on one function.
#[derive(Serialize)]
pub struct Record {
    /// Identifier of the module.
    pub module: String,
    /// Position of the function in its module.
    pub function_number: u32,
    /// Name of the function.
    pub function: String,
    /// Name of the pass or stage.
    pub pass: &'static str,
    /// Its position in the pipeline.
    #[serde(skip)]
    pub position: usize,
    /// Wall time in nanoseconds, including calls of LLVM but not the stages that it called.
    pub nanoseconds: u64,
    /// Machine instructions before the pass and its preceding stages; for the emitter, those that
    /// it makes.
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

/// A record's position, for [`amend`].
#[derive(Clone, Copy)]
pub struct Position(usize);

/// Adds a record.
pub fn add(record: Record) -> Position {
    let mut records = RECORDS.lock().unwrap_or_else(|e| e.into_inner());
    records.push(record);
    Position(records.len() - 1)
}

/// Changes a record that was added. Does nothing once the records are written.
pub fn amend(at: Position, change: impl FnOnce(&mut Record)) {
    let mut records = RECORDS.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(record) = records.get_mut(at.0) {
        change(record);
    }
}

/// Takes all records out, sorted.
pub fn take() -> Vec<Record> {
    let mut records = std::mem::take(&mut *RECORDS.lock().unwrap_or_else(|e| e.into_inner()));
    records.sort_by(|a, b| {
        (&a.module, a.function_number, a.position).cmp(&(&b.module, b.function_number, b.position))
    });
    records
}

static PIPELINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes which pipeline ran, if it is not the one that LLVM would have chosen. The table lists each
/// pipeline once.
pub fn note_pipeline(which: &str) {
    let mut pipelines = PIPELINES.lock().unwrap_or_else(|e| e.into_inner());
    if !pipelines.iter().any(|noted| noted == which) {
        pipelines.push(which.to_owned());
    }
}

/// Whether a pipeline was noted.
pub fn has_notes() -> bool {
    !PIPELINES.lock().unwrap_or_else(|e| e.into_inner()).is_empty()
}

/// Writes the records of a plugin: their totals to stderr if `table` says how, and all of them to a
/// file.
///
/// # Errors
/// Names the file that cannot be written, and gives the reason.
pub fn write(
    plugin: &str,
    records: &[Record],
    table: Option<ZeroCounts>,
    file: Option<OutputFile>,
) -> io::Result<()> {
    if let Some(zeros) = table {
        let pipelines = std::mem::take(&mut *PIPELINES.lock().unwrap_or_else(|e| e.into_inner()));
        eprint!("{}", totals(plugin, &pipelines, records, zeros));
    }
    file.map_or(Ok(()), |file| file.write(&json(records)?))
}

fn json(records: &[Record]) -> io::Result<String> {
    Ok(serde_json::to_string_pretty(records)? + "\n")
}

fn totals(plugin: &str, pipelines: &[String], records: &[Record], zeros: ZeroCounts) -> String {
    let mut out = format!("===-- {plugin} statistics --===\n");
    for which in pipelines {
        out += &format!("pipeline: {which}\n");
    }
    let mut by_pass: BTreeMap<usize, Vec<&Record>> = BTreeMap::new();
    for record in records {
        by_pass.entry(record.position).or_default().push(record);
    }
    for mine in by_pass.values() {
        let nanoseconds: u64 = mine.iter().map(|r| r.nanoseconds).sum();
        let instructions: u64 = mine.iter().map(|r| r.instructions).sum();
        out += &format!(
            "{}: {} functions, {instructions} instructions, {:.3} ms\n",
            mine[0].pass,
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
            position: 3,
            nanoseconds: 1_500_000,
            instructions: 10,
            counters,
            pressure: None,
        }
    }

    #[test]
    fn p9_the_table_adds_up_counts_and_not_maxima() {
        let text = totals("ptxpasses", &[], &[record("a", 2), record("b", 3)], ZeroCounts::Hidden);
        assert!(text.contains("two-address: 2 functions, 20 instructions, 3.000 ms"), "{text}");
        assert!(text.contains("           5 copies inserted"), "{text}");
        assert!(text.contains("           3 max live B32"), "{text}");
    }

    #[test]
    fn p9_the_table_has_counts_of_zero_when_all_are_asked_for() {
        let records = [record("a", 0)];
        let hidden = totals("ptxpasses", &[], &records, ZeroCounts::Hidden);
        assert!(
            hidden.contains("two-address: 1 functions") && !hidden.contains("copies inserted"),
            "{hidden}"
        );
        let shown = totals("ptxpasses", &[], &records, ZeroCounts::Shown);
        assert!(shown.contains("           0 copies inserted"), "{shown}");
        assert_eq!(serde_json::to_value(records).unwrap()[0]["counters"]["copies inserted"], 0);
    }

    #[test]
    fn p9_the_table_says_which_pipeline_has_run_without_passes_of_ours_too() {
        let text = totals("ptxpasses", &["LLVM's own".to_owned()], &[], ZeroCounts::Hidden);
        assert_eq!(text, "===-- ptxpasses statistics --===\npipeline: LLVM's own\n");
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
