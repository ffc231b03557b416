//! `bench`: the measurements of the passes themselves, for their developers.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Subcommand;

use crate::ablation;
use crate::generate::{self, Shape};
use crate::instructions;
use crate::passes;
use crate::scaling;
use crate::whole;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Time per replaced pass, and peak memory
    Passes(passes::Args),
    /// How the time of each pass and stage grows with the size of a kernel
    Scaling(scaling::Args),
    /// Time of llc and of ptxas on its output
    Whole(whole::Args),
    /// Instructions that llc executes, by callgrind
    Instructions(instructions::Args),
    /// What changes when one row of docs/requirements.md after the other is left out
    Ablation(ablation::Args),
    /// Print a generated kernel
    Generate(GenerateArgs),
}

#[derive(clap::Args, Debug)]
pub struct GenerateArgs {
    /// Shape of the kernel
    #[arg(long)]
    shape: Shape,
    /// Size in instructions, roughly
    #[arg(long)]
    size: usize,
    /// Tied operands of one inline assembly statement
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1000))]
    ties: u16,
}

pub fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Passes(args) => return passes::run(args),
        Command::Scaling(args) => return scaling::run(args),
        Command::Whole(args) => return whole::run(args),
        Command::Instructions(args) => return instructions::run(args),
        Command::Ablation(args) => return ablation::run(args),
        Command::Generate(args) => {
            let ir = generate::kernel(args.shape, args.size, args.ties.into());
            match io::stdout().write_all(ir.as_bytes()) {
                // The reader of the pipe has gone.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                outcome => outcome.context("writing the kernel")?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
