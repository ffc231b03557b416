//! `widths`: have all registers of PTX texts the widths that their instructions need?
//!
//! [`ptx_emu::ptx::types`] says what is checked. This needs neither a GPU nor ptxas.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use ptx_emu::ptx::types;

use crate::text::{self, counted, thousands};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Which instructions have no rule
    #[arg(short, long)]
    verbose: bool,
    /// PTX texts
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Checks all files. Exit status 1 if a register has a wrong width.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (mut checked, mut wrong) = (0, 0);
    let mut unchecked: BTreeMap<String, u64> = BTreeMap::new();
    for path in &args.files {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let widths = types::check(&String::from_utf8_lossy(&bytes));
        for error in &widths.wrong {
            println!("{}: {error}", path.display());
        }
        wrong += widths.wrong.len();
        checked += widths.checked;
        for (opcode, count) in widths.unchecked {
            *unchecked.entry(opcode).or_default() += count;
        }
    }
    if args.verbose && !unchecked.is_empty() {
        println!("{}", text::table_of_counts(&["without a rule", "instructions"], &unchecked));
    }
    let [checked, without] = [checked, unchecked.values().sum()].map(thousands);
    let [files, registers] = [counted(args.files.len(), "file"), counted(wrong, "register")];
    println!(
        "{files}, {checked} instructions checked, {without} without a rule: {registers} of a wrong width"
    );
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
