//! `ptx-compare`: what the plugin changes in llc's output, and its cost.
//!
//! The tool runs one `llc` twice on the same input, without and with `-load libptxpasses.so`, and
//! compares:
//!
//! * `parity`: is the output byte-identical? (how the `upstream` profile is proved)
//! * `equal`: does it compute the same? (how the default profile is tested as a whole)
//! * `widths`: have all registers of a PTX text the widths that their instructions need?
//! * `lint`: which places of a PTX text do known versions of ptxas compile wrongly?
//! * `grid`, `sass`: does a launch leave the expected memory, in PTX and in ptxas' machine code?
//! * `time`: which of two versions of a kernel is predicted to be faster?
//! * `kernels`: what does ptxas make of each kernel, and is that better?
//! * `tune`: which setting suits each kernel best? `merge` and `build` belong to it
//! * `record`: what does an application launch? `run` gives it the chosen code
//! * `gate`: has a kernel become worse than its baseline?
//! * `bisect`: which function and which stages make a difference?
//! * `report`: one page with both sides' PTX and SASS, registers, live ranges and remarks
//! * `bench ablation`: what does each row of docs/requirements.md change?
//! * `bench`: how long do the Rust passes take against the stock passes of the same `llc`?
//!
//! It knows only llc's command line, nothing else of LLVM. So it builds without LLVM and works with
//! every version.
//!
//! It reads and executes PTX by the library [`ptx_emu`].
//!
//! | module       | what it does                                                  |
//! |--------------|---------------------------------------------------------------|
//! | [`inputs`]   | the input files, and the flags that each is compiled with      |
//! | [`lit`]      | llc's flags from the RUN lines of LLVM's own tests             |
//! | [`llc`]      | runs llc, with a time limit                                    |
//! | [`places`]   | finds plugin, llc, ptxas and CUDA's toolkit                    |
//! | [`complaint`] | what a tool says of a text that it refuses                    |
//! | [`source`]   | IR of CUDA and OpenCL, by clang and by compile commands         |
//! | [`measure`]  | one input under one setting: registers, spills, SASS, occupancy of each kernel |
//! | [`kernels`]  | a verdict about each kernel, and totals, with several LLVM and ptxas |
//! | [`tune`]     | the best setting for each kernel; `merge` and `build` belong to it |
//! | [`application`] | records what an application launches, and gives it other code  |
//! | [`recording`] | reads what was recorded                                       |
//! | [`gate`]     | fails if a kernel is worse than a baseline                      |
//! | [`bisect`]   | the function and the stages that make a difference              |
//! | [`output`]   | writes files, completely or not at all                          |
//! | [`sheet`]    | tables for the terminal, Markdown, CSV                         |
//! | [`verdict`]  | how two runs of llc compare, and the table of verdicts         |
//! | [`parity`]   | compares bytes, shows the first differences                    |
//! | [`equal`]    | runs both sides' PTX by interpretation, compares what they do  |
//! | [`sass`]     | runs ptxas' code for a PTX text, and compares memory with the PTX's |
//! | [`grid`]     | runs kernels by launches whose results are known               |
//! | [`lint`]     | finds code that ptxas is known to compile wrongly                |
//! | [`widths`]   | checks the widths of a text's registers                        |
//! | [`ptxas`]    | registers, spills and SASS from NVIDIA's tools                 |
//! | [`cubin`]    | which lines ptxas' code comes from                             |
//! | [`ablation`] | what changes without one row of the requirements               |
//! | [`report`]   | the page: both sides of every kernel, side by side             |
//! | [`time`]     | predicts which of two versions of a kernel is faster           |
//! | [`timing`]   | reads the report of `-time-passes`                             |
//! | [mod@bench]    | the measurements of the passes, for their developers            |
//! | [`passes`]   | pass times, memory                                             |
//! | [`scaling`]  | how pass times grow with the size of a kernel, as table and drawing |
//! | [`whole`]    | time of llc and ptxas                                          |
//! | [`instructions`] | instructions that llc executes                             |
//! | [`generate`] | kernels of a chosen shape and size                             |
//! | [`exit`]     | the exit statuses                                              |
//! | [`progress`] | progress on stderr                                             |
//! | [`text`]     | number formatting and table style                              |

#![deny(unsafe_code)]

mod ablation;
mod application;
mod bench;
mod bisect;
mod complaint;
mod cubin;
mod equal;
mod exit;
mod gate;
mod generate;
mod grid;
mod inputs;
mod instructions;
mod kernels;
mod lint;
mod lit;
mod llc;
mod measure;
mod output;
mod parity;
mod passes;
mod places;
mod progress;
mod ptxas;
mod recording;
mod report;
mod sass;
mod scaling;
mod sheet;
mod source;
mod text;
mod time;
mod timing;
mod tune;
mod verdict;
mod whole;
mod widths;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser, Subcommand};

/// Compare llc with and without the ptxpasses plugin: output, PTX quality, compile time.
#[derive(Parser)]
#[command(name = "ptx-compare", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Is llc's output byte-identical with the plugin?
    Parity(parity::Args),
    /// Does llc's output compute the same with the plugin?
    Equal(equal::Args),
    /// Runs whole grids of a PTX text, without a GPU, and compares memory with known results
    Grid(grid::Args),
    /// Runs the machine code that ptxas makes of PTX, without a GPU, and compares memory with that
    /// of the PTX
    Sass(sass::Args),
    /// Predicts, without a GPU, which of two versions of a kernel is faster
    Time(time::Args),
    /// Have all registers of PTX texts the widths that their instructions need?
    Widths(widths::Args),
    /// Which places of PTX texts does ptxas compile wrongly, as far as that is known?
    Lint(lint::Args),
    /// Registers, spills, SASS and occupancy of each kernel against stock, with a verdict
    Kernels(kernels::Args),
    /// The best that ptxas makes of each kernel under several settings, as PTX
    Tune(tune::TuneArgs),
    /// Puts together what `tune --shard` has left
    Merge(tune::MergeArgs),
    /// PTX by the choices of `tune`, without ptxas
    Build(tune::BuildArgs),
    /// Records what an application launches on the GPU, with its memory, for `tune --recorded`
    Record(application::RecordArgs),
    /// Runs an application with the code that `tune --recorded` has chosen
    Run(application::RunArgs),
    /// Has a kernel got worse than a baseline? For CI
    Gate(gate::Args),
    /// Which function, and which stages, make stock's code and the plugin's differ?
    Bisect(bisect::Args),
    /// Completions for a shell, on standard output: eval "$(ptx-compare completions bash)"
    Completions { shell: clap_complete::Shell },
    /// Manual pages, one a command
    Man {
        /// Where they go
        dir: std::path::PathBuf,
    },
    /// One page that shows both sides of every kernel
    Report(report::Args),
    /// Talks to a GPU's driver: `tune --gpu` starts it, as a kernel that faults takes its process along
    #[command(hide = true)]
    GpuWorker,
    /// Prints the file of the GPU's driver: `record` and `run` start it, as the loader decides
    #[command(hide = true)]
    GpuDriver,
    /// Time and memory of the Rust passes against the stock ones
    #[command(subcommand)]
    Bench(bench::Command),
}

fn run() -> Result<ExitCode> {
    match Cli::parse().command {
        Command::Parity(args) => parity::run(&args),
        Command::Equal(args) => equal::run(&args),
        Command::Grid(args) => grid::run(&args),
        Command::Sass(args) => sass::run(&args),
        Command::Time(args) => time::run(&args),
        Command::Widths(args) => widths::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Tune(args) => tune::tune(&args),
        Command::Merge(args) => tune::merge(&args),
        Command::Build(args) => tune::build(&args),
        Command::Record(args) => application::record(&args),
        Command::Run(args) => application::run(&args),
        Command::Gate(args) => gate::run(&args),
        Command::Bisect(args) => bisect::run(&args),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "ptx-compare", &mut text);
            print!("{}", String::from_utf8_lossy(&text));
            Ok(ExitCode::SUCCESS)
        }
        Command::Man { dir } => {
            manual_pages(&dir)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Report(args) => report::run(&args),
        Command::GpuWorker => {
            gpu_run::worker::serve(std::io::BufReader::new(std::io::stdin()), std::io::stdout().lock())
                .context("talking to the process that has asked")?;
            Ok(ExitCode::SUCCESS)
        }
        Command::GpuDriver => {
            println!("{}", gpu_run::device::file()?.display());
            Ok(ExitCode::SUCCESS)
        }
        Command::Bench(command) => bench::run(&command),
    }
}

fn manual_pages(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let made = tempfile::tempdir().context("temporary folder")?;
    clap_mangen::generate_to(Cli::command(), made.path()).context("temporary file")?;
    for entry in fs::read_dir(made.path()).context("temporary folder")? {
        let entry = entry.context("temporary folder")?;
        let page = fs::read(entry.path()).context("temporary file")?;
        output::write(&dir.join(entry.file_name()), page)?;
    }
    Ok(())
}

/// Makes the program end silently when the reader of its output has gone, as `head` does, and with
/// an error if the output cannot be written. `println!` panics in both cases.
fn end_with_the_reader() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>();
        match text.and_then(|text| text.strip_prefix("failed printing to stdout: ")) {
            Some(why) if why.starts_with("Broken pipe") => std::process::exit(exit::READER_IS_GONE),
            Some(why) => {
                eprintln!("ptx-compare: error: cannot write to standard output: {why}");
                std::process::exit(exit::FAILED.into());
            }
            None => default(panic),
        }
    }));
}

/// The exit status is that of [`exit`].
fn main() -> ExitCode {
    end_with_the_reader();
    run().unwrap_or_else(|error| {
        eprintln!("ptx-compare: error: {error:#}");
        ExitCode::from(exit::FAILED)
    })
}
