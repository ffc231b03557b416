//! Writes the statistics that `-ptx-stats` and `-ptx-stats-json` ask for.

use super::knobs;
use crate::process::output_file::OutputFile;
use crate::process::{compiler, statistics};
use std::io;

/// Writes the statistics. Called once, at the end of the process. A process that generates no
/// device code, such as clang's for the host, writes nothing.
///
/// # Errors
/// Names the file that cannot be written, and gives the reason.
pub fn finish() -> io::Result<()> {
    if !knobs::collect_stats() {
        return Ok(());
    }
    let (file, records) = (knobs::STATS_JSON.file.take(), statistics::take());
    if records.is_empty() && !statistics::has_notes() && !compiler::generates_device_code() {
        file.into_iter().for_each(OutputFile::leave);
        return Ok(());
    }
    statistics::write("ptxpasses", &records, knobs::STATS.get(), file)
}
