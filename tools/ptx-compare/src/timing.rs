//! Reads the report of llc's `-time-passes`.
//!
//! The report is a list of groups (passes, instruction selection, ...). A group's header names its
//! columns; LLVM leaves out those that are zero throughout:
//!
//! ```text
//!    ---User Time---   --System Time--   --User+System--   ---Wall Time---  --- Name ---
//!    0.0012 ( 57.1%)   0.0003 ( 50.0%)   0.0015 ( 55.6%)   0.0016 ( 55.2%)  Slot index numbering
//!         -----        0.0000 (  0.0%)   0.0000 (  0.0%)   0.0000 (  0.1%)  Live Variable Analysis #2
//! ```
//!
//! A pass that runs several times has one row per instance, numbered `#2` and so on; they are added
//! up. The stages of ptxpasses have a group of their own. While a stage runs, the timer of its pass
//! stops, so the sum over all rows counts no time twice. Times are printed in tenths of a
//! millisecond, so a time of only a few of those means little ([`RESOLUTION_MS`]).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// Below this a time is mostly rounding.
pub const RESOLUTION_MS: f64 = 0.5;

/// Milliseconds by timer name.
pub type Times = BTreeMap<String, f64>;

/// The time in a row that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    Wall,
    /// Processor time, user and system together: other work on the machine disturbs it less.
    Processor,
}

impl Clock {
    fn column(self) -> &'static str {
        match self {
            Clock::Wall => "Wall Time",
            Clock::Processor => "User+System",
        }
    }
}

/// llc's options that write a report to `file`. llc appends, so the file should be new.
pub fn options(file: &Path) -> [OsString; 2] {
    let mut output = OsString::from("-info-output-file=");
    output.push(file);
    ["-time-passes".into(), output]
}

/// Adds up the times of all rows of the same name.
pub fn parse(report: &str, clock: Clock) -> Times {
    let mut times = Times::new();
    let mut columns: Vec<&str> = Vec::new();
    for line in report.lines() {
        if line.contains("--- Name ---") {
            columns = line
                .split("  ")
                .map(|column| column.trim().trim_matches('-').trim())
                .filter(|column| !column.is_empty())
                .collect();
        } else if line.trim_start().starts_with("===") {
            columns.clear();
        } else {
            match row(&columns, line, clock) {
                Some((name, seconds)) if name != "Total" => {
                    *times.entry(name.to_owned()).or_default() += seconds * 1000.0;
                }
                _ => {}
            }
        }
    }
    times
}

/// Name and seconds of one row.
fn row<'a>(columns: &[&str], line: &'a str, clock: Clock) -> Option<(&'a str, f64)> {
    let mut rest = line.trim_start();
    let mut seconds = None;
    for column in columns {
        if *column == "Name" {
            // "Machine Code Sinking #2" is the second instance.
            let name = match rest.rsplit_once(" #") {
                Some((name, number)) if number.trim().parse::<u32>().is_ok() => name,
                _ => rest,
            };
            return Some((name.trim(), seconds?));
        }
        let (number, tail) = rest.split_once(' ')?;
        rest = tail.trim_start();
        if let Some(percent) = rest.strip_prefix('(') {
            rest = percent.split_once(')')?.1.trim_start();
        }
        if *column == clock.column() {
            // A zero is printed as dashes.
            seconds = if number.trim_matches('-').is_empty() { Some(0.0) } else { number.parse().ok() };
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_columns_and_instances() {
        let report = "\
===-------------------------------------------------------------------------===
                      Instruction Selection and Scheduling
===-------------------------------------------------------------------------===
  Total Execution Time: 0.0123 seconds (0.0124 wall clock)

   ---User Time---   --User+System--   ---Wall Time---  --- Name ---
   0.0034 ( 27.6%)   0.0034 ( 27.6%)   0.0035 ( 28.2%)  Instruction Creation
   0.0123 (100.0%)   0.0123 (100.0%)   0.0124 (100.0%)  Total

===-------------------------------------------------------------------------===
                      Pass execution timing report
===-------------------------------------------------------------------------===
  Total Execution Time: 0.0200 seconds (0.0210 wall clock)

   ---User Time---   --System Time--   --User+System--   ---Wall Time---  ---Mem---  --- Name ---
   0.0120 ( 60.0%)   0.0010 (100.0%)   0.0130 ( 65.0%)   0.0131 ( 62.4%)      10240  Two-Address instruction pass (ptxpasses)
        -----        0.0000 (  0.0%)   0.0000 (  0.0%)   0.0002 (  1.0%)          0  Slot index numbering #2
   0.0001 (  0.5%)        -----        0.0001 (  0.5%)   0.0001 (  0.5%)       -512  Slot index numbering
   0.0200 (100.0%)   0.0010 (100.0%)   0.0200 (100.0%)   0.0210 (100.0%)      10240  Total

===-------------------------------------------------------------------------===
                              Stages of ptxpasses
===-------------------------------------------------------------------------===
  Total Execution Time: 0.0030 seconds (0.0031 wall clock)

   ---User Time---   --User+System--   ---Wall Time---  --- Name ---
   0.0030 (100.0%)   0.0030 (100.0%)   0.0031 (100.0%)  hoist (ptxpasses)
   0.0030 (100.0%)   0.0030 (100.0%)   0.0031 (100.0%)  Total
";
        for (clock, expected) in [(Clock::Wall, [35, 3, 131, 31]), (Clock::Processor, [34, 1, 130, 30])] {
            let times = parse(report, clock);
            let rounded: Vec<(&str, u64)> =
                times.iter().map(|(n, t)| (n.as_str(), (t * 10.0).round() as u64)).collect();
            let names = [
                "Instruction Creation",
                "Slot index numbering",
                "Two-Address instruction pass (ptxpasses)",
                "hoist (ptxpasses)",
            ];
            assert_eq!(rounded, names.into_iter().zip(expected).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_dash_is_zero() {
        let report = "\
   ---User Time---   --User+System--   ---Wall Time---  --- Name ---
        -----             -----        0.0002 (  1.0%)  Two-Address instruction pass
";
        let of = |clock| parse(report, clock)["Two-Address instruction pass"];
        assert_eq!((of(Clock::Processor), of(Clock::Wall)), (0.0, 0.2));
    }

    #[test]
    fn other_text_is_ignored() {
        assert!(parse("warning: something\n  0.1 ( 1.0%) no header\n", Clock::Wall).is_empty());
    }
}
