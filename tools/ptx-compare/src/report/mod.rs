//! `report`: one page that shows what the plugin changes, kernel by kernel.
//!
//! The page is for a reader who wants to see the reasons: both sides' PTX and SASS side by side,
//! live registers along the code, live ranges, remarks, and what each stage did. It is
//! self-contained: opening it fetches nothing.
//!
//! | module       | what it does                                                        |
//! |--------------|---------------------------------------------------------------------|
//! | [`collect`]  | compiles both sides, runs ptxas and nvdisasm                        |
//! | [`listing`]  | listings of PTX and SASS, and the matching lines of both sides      |
//! | [`liveness`] | live virtual registers                                              |
//! | [`loops`]    | loops of a listing                                                  |
//! | [`mix`]      | counts of SASS instructions by pipe                                 |
//! | [`registers`] | why ptxas' register count and the PTX's live registers differ      |
//! | [`remarks`]  | llc's remarks                                                       |
//! | [`stages`]   | the plugin's statistics                                             |
//! | [`drawing`]  | the plugin's drawing of live ranges                                 |
//! | [`model`]    | the page's data                                                     |
//! | [`summary`]  | the sums over all kernels                                           |
//! | [`time`]     | predicted time: its reason, its causes, its places                  |
//! | [`packed`]   | a kernel's data in few bytes                                        |
//! | [`page`]     | the HTML                                                            |

mod collect;
mod drawing;
mod listing;
mod liveness;
mod loops;
mod mix;
mod model;
mod packed;
mod page;
mod registers;
mod remarks;
mod stages;
mod summary;
mod time;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Result};
use ptx_emu::grid::launch::Launch;
use rayon::prelude::*;

use crate::inputs::FileArgs;
use crate::llc::Tools;
use crate::measure::setting::{named, Setting, DEFAULT};
use crate::measure::{CompileArgs, Compiler, Judge, JudgeArgs};
use crate::output;
use crate::places;
use crate::progress::Progress;
use crate::ptxas::CudaArgs;
use crate::sass;
use crate::text::{self, counted, thousands};
use collect::{Collected, Collector};
use listing::Files;
use model::{Detail, Fact, Kernel, Overview, Predicted, Source};
use time::Timing;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    tools: Tools,
    #[command(flatten)]
    compile: CompileArgs,
    #[command(flatten)]
    cuda: CudaArgs,
    #[command(flatten)]
    judge: JudgeArgs,
    /// The setting that ours is compiled under; `kernels --setting list` names all
    #[arg(long, value_name = "SETTING", default_value = DEFAULT)]
    setting: String,
    /// Predict times as well (docs/time.md): about half a second more a kernel
    #[arg(long)]
    time: bool,
    /// Launches for --time [default: FILE.launch beside the input, else made up]; docs/comparing.md
    /// says how they are written
    #[arg(long, value_name = "FILE", requires = "time")]
    launch: Vec<PathBuf>,
    /// Do not put the text of source files, which debug information names, into the page
    #[arg(long)]
    no_source: bool,
    /// Where the page goes
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    #[command(flatten)]
    files: FileArgs,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut compiler = Compiler::new(&args.tools, &args.compile, args.judge.maxrregcount)?;
    let folder = args.cuda.folder()?;
    compiler.write_for(&folder);
    let judge = Judge::new(&folder, &args.judge)?;
    let nvdisasm = folder.join("bin/nvdisasm");
    ensure!(nvdisasm.is_file(), "no nvdisasm at {}: {}", nvdisasm.display(), places::ptxas_advice());
    let setting = named(&args.setting)?;
    let files = compiler.take(args.files.find(false)?)?;
    let timing = match args.time {
        true => {
            let mut cuda = sass::tools(&folder)?;
            cuda.max_registers = args.judge.maxrregcount;
            Some(Timing { cuda, launches: Launch::read_files(&args.launch)? })
        }
        false => None,
    };
    let collector =
        Collector { compiler: &compiler, judge: &judge, setting: &setting, timing: timing.as_ref() };
    let jobs = compiler.jobs(&files);

    let progress = Progress::with_bad_word("report", jobs.len(), "failed");
    let collected = jobs
        .par_iter()
        .map(|job| {
            let collected = collector.collect(job);
            progress.step(!matches!(&collected, Ok(Collected { outcome: Ok(_), .. })));
            collected
        })
        .collect::<Result<Vec<_>>>();
    progress.finish();

    let pipes = gpu_time::pipe::PIPES.iter().map(|&(_, name, what)| [name, what]).collect();
    let causes = gpu_time::replay::CAUSES.iter().map(|&(_, name)| name).collect();
    let mut overview = Overview { pipes, causes, ..Overview::default() };
    let details = merge(collected?, &mut overview);
    if let Some(timing) = timing.as_ref().filter(|_| overview.failures.is_empty()) {
        let kernels = &overview.kernels;
        crate::time::ensure_named(&timing.launches, |name| kernels.iter().any(|kernel| kernel.name == name))?;
    }
    overview.facts = facts(args, &collector, &overview.kernels)?;
    let mut parts = Vec::new();
    for (number, detail) in details.iter().enumerate() {
        parts.push(page::pack_bytes(format!("kernel-{number}"), &packed::bytes(detail)?)?);
    }
    let folders: Vec<PathBuf> = files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
    for (number, source) in overview.sources.iter_mut().enumerate().filter(|_| !args.no_source) {
        if let Some(text) = collect::source_text(&source.name, &folders) {
            parts.push(page::pack(format!("source-{}", number + 1), &text)?);
            source.embedded = true;
        }
    }
    text::print_notes(overview.failures.iter().chain(&overview.notes));
    overview.notes = text::joined(&overview.notes);
    let title = match &files[..] {
        [file] => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        _ => counted(files.len(), "file"),
    };
    let html = page::render(&title, &overview, parts)?;
    output::write(&args.output, &html)?;
    println!(
        "{}: {}, {} kB",
        args.output.display(),
        counted(overview.kernels.len(), "kernel"),
        thousands(html.len() as u64 / 1000)
    );
    Ok(if overview.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn facts(args: &Args, collector: &Collector, kernels: &[Kernel]) -> Result<Vec<Fact>> {
    let targets: BTreeSet<&str> = kernels.iter().map(|kernel| kernel.target.as_str()).collect();
    let processor = targets.into_iter().collect::<Vec<_>>().join(", ");
    let mut facts = vec![
        Fact { name: "Processor", text: processor },
        Fact { name: "Plugin", text: collector.compiler.plugin_version()? },
        Fact { name: "llc", text: collector.compiler.llc.version.clone() },
        Fact { name: "ptxas", text: collector.judge.ptxas.version.clone() },
        Fact { name: "Optimisation", text: args.files.level(args.compile.level) },
    ];
    let mut add = |name, text: String| {
        if !text.is_empty() {
            facts.push(Fact { name, text });
        }
    };
    if args.time {
        let count = |origin: fn(&Predicted) -> bool| {
            kernels.iter().filter(|kernel| kernel.predicted.as_ref().is_some_and(origin)).count()
        };
        let (given, made_up) = (count(|time| !time.made_up), count(|time| time.made_up));
        let mut text =
            format!("{given} by launches that are given, {made_up} (~) by launches that are made up");
        let not = kernels.len() - given - made_up;
        if not > 0 {
            text.push_str(&format!(", {not} not"));
        }
        add("Time predicted", text);
    }
    let Setting { name, .. } = collector.setting;
    add("Setting", if name == DEFAULT { String::new() } else { name.clone() });
    add("Options of the plugin", args.tools.plugin.plugin_args.0.join(" "));
    add("Flags of both sides", args.tools.plugin.extra.0.join(" "));
    add("ptxas' limit of registers", args.judge.maxrregcount.map(|n| n.to_string()).unwrap_or_default());
    add("Occupancy for blocks of", format!("{} threads, unless the kernel says otherwise", args.judge.block));
    Ok(facts)
}

/// Puts all files' kernels into the overview; returns their details in the same order.
fn merge(collected: Vec<Collected>, overview: &mut Overview) -> Vec<Detail> {
    let mut sources = Files::default();
    let mut details = Vec::new();
    for Collected { outcome, notes, files } in collected {
        overview.notes.extend(notes);
        let numbers: Vec<u32> = files.names.iter().map(|name| sources.number(name)).collect();
        match outcome {
            Err(why) => overview.failures.push(why.into()),
            Ok(kernels) => {
                for (kernel, mut detail) in kernels {
                    collect::renumber(&mut detail, &numbers);
                    overview.kernels.push(kernel);
                    details.push(detail);
                }
            }
        }
    }
    overview.sources = sources.names.into_iter().map(|name| Source { name, embedded: false }).collect();
    details
}
