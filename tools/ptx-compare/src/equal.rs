//! `equal`: does llc's PTX compute the same with the plugin?
//!
//! `parity` compares bytes, which only the `upstream` profile promises. This runs both texts by
//! interpretation and compares what they do ([`ptx_emu::ptx::run`] says how, and what it cannot
//! see). Both sides compile every input at every level, and every function runs with several seeds.
//!
//! **The second witness.** Where LLVM's value is undefined (poison, or a PHI with an undefined
//! operand), its coalescer may leave an old value in the register that differs from ours. The texts
//! differ, and neither is wrong; PTX does not say that the value is undefined. So a function that
//! differs is compared again, with stock's code for `-join-liveintervals=false`. There no values
//! share a register, so what is undefined is visible. If our text does everything that is defined
//! there, it is right, and counted apart. A block that contains only copies would be folded on one
//! side and not on the other, and a forced branch would take another path. So for this comparison
//! neither side folds.
//!
//! **Opposite branches.** Where a stage on IR empties a block, instruction selection may branch on
//! the opposite condition, to exchanged targets. So a function that differs runs again: our forced
//! branches follow stock's, by the same condition or its opposite ([`Program::follow`]). If all runs
//! do the same, the text is right, and counted apart.
//!
//! **LoopStrengthReduce.** It may compute a loop's results after the loop from the trip count. A
//! run with forced branches does not keep to that count. In the default profile LSR leaves most
//! loops alone. So for such runs a function that differs is compared with both sides' code for
//! `-disable-lsr`; our stages still run on that. Runs that go by their conditions must do the same
//! in any case. There one side may branch on the opposite of a condition, so conditions are not
//! compared.
//!
//! **Whole grids.** With `--grid` kernels run by blocks of threads instead, and the memory that
//! they leave is compared: [`ptx_emu::grid::compare`]. The second witness is asked there as well.
//!
//! **Machine code.** With `--sass` ptxas' machine code of both texts runs as well, and must leave
//! the memory that its text leaves: [`crate::sass`]. A kernel differs if that holds for stock's
//! text and not for ours.
//!
//! **Widths.** A register of ours that is wider or narrower than its instruction needs is an error,
//! whatever the values are, unless stock's text has the same error: [`ptx_emu::ptx::types`].
//!
//! **ptxas.** With `--cuda` ptxas must accept each text of ours that differs from stock's, if it
//! accepts stock's.
//!
//! Exit status 1 if a function differs or has a register of the wrong width, if only one side
//! compiles, or if no function was compared.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use ptx_emu::grid::block::Program as Module;
use ptx_emu::grid::compare::{self, Tally};
use ptx_emu::grid::launch::Launch;
use ptx_emu::ptx::parse::{self, Function};
use ptx_emu::ptx::run::{is_forced, Program};
use ptx_emu::ptx::trace::{self, Agreement, Difference, Senses};
use ptx_emu::ptx::types::{self, Widths};
use rayon::prelude::*;
use serde::Serialize;

use crate::inputs;
use crate::lit::Invocation;
use crate::llc::{display_line, indent, Exit, Llc, Side, Tools};
use crate::measure::setting::{is_of_unrolling, NO_UNROLLING};
use crate::output::write_json;
use crate::parity::{print_skipped, Skipped};
use crate::places;
use crate::progress::Progress;
use crate::ptxas::Cuda;
use crate::sass;
use crate::text::{self, counted, thousands};
use crate::verdict::{self, Counts, Verdict};

/// The least number of stock's instructions that a run executes, if it does not end before.
const BUDGET: usize = 4_000;
/// Our text may execute this many times as many instructions.
const ROOM: usize = 4;
/// Thread instructions of a launch whose machine code runs.
const SASS_BUDGET: u64 = 4_000_000;
/// The oldest architecture whose machine code the emulator knows.
const SASS_OLDEST: u32 = 80;
/// With this option no two values share a register in stock's code.
const WITNESS: &str = "-join-liveintervals=false";
/// With this option LSR leaves all loops alone.
const NO_LOOP_REDUCE: &str = "-disable-lsr";
/// With this option both sides keep the same branches.
const UNFOLDED: &str = "-disable-branch-fold";

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    tools: Tools,
    /// Compile for this processor the files without RUN lines [default: the "target-cpu" of their
    /// functions, else sm_80]
    #[arg(long, value_name = "CPU")]
    mcpu: Option<String>,
    /// Runs at the same time (default: one per core)
    #[arg(short, value_name = "N")]
    jobs: Option<usize>,
    /// Optimisation levels
    #[arg(short = 'O', value_name = "LEVELS", value_delimiter = ',', default_value = "0,2",
          value_parser = clap::value_parser!(u8).range(0..=3))]
    levels: Vec<u8>,
    /// Made-up inputs for every function
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Run whole grids: blocks, warps, shared memory, barriers, shuffles, atomics, real floating
    /// point
    #[arg(long)]
    grid: bool,
    /// With --grid: launches of the kernels that they name, instead of made-up ones;
    /// docs/comparing.md says how they are written
    #[arg(long, value_name = "FILE", requires = "grid")]
    launch: Vec<PathBuf>,
    /// With --grid: run the machine code that ptxas makes of both texts, too [ptxas and nvdisasm:
    /// --cuda, else build/cuda or a CUDA toolkit]
    #[arg(long, requires = "grid")]
    sass: bool,
    /// Directory with bin/ptxas: it must accept our PTX where it accepts stock's
    #[arg(long, value_name = "DIR")]
    cuda: Option<PathBuf>,
    /// Which instructions are not computed but hashed, and what is not understood
    #[arg(short, long)]
    verbose: bool,
    /// Write every run's verdict, and the functions that were run, to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the runs that there are to the file of --json, and run nothing
    #[arg(long, requires = "json")]
    list: bool,
    /// Differences to show in full
    #[arg(long, value_name = "N", default_value_t = 5)]
    diffs: usize,
    /// .ll and .bc files, or directories with such files
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// One file, one set of flags, one level.
struct Job<'a> {
    file: &'a Path,
    args: Vec<OsString>,
    level: u8,
}

/// A second comparison, after the first one has found a difference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Appeal {
    /// Stock's code in which no two values share a register.
    SecondWitness,
    /// The code of both sides without LoopStrengthReduce, in runs with forced branches.
    NoLoopReduce,
}

impl Appeal {
    /// The flags of stock llc, and of ours.
    pub fn flags(self) -> [&'static [&'static str]; 2] {
        match self {
            Appeal::SecondWitness => [&[WITNESS, UNFOLDED], &[UNFOLDED]],
            Appeal::NoLoopReduce => [&[NO_LOOP_REDUCE]; 2],
        }
    }
}

/// A function that does not do the same on both sides.
struct Failure {
    function: String,
    seed: u64,
    difference: Difference,
    /// The lines of both texts.
    lines: [String; 2],
}

/// The results of one run of llc on each side, or of many.
#[derive(Default)]
struct Report {
    functions: u64,
    /// Right only by the second witness.
    witnessed: u64,
    /// Right only if a branch may be on the opposite condition, to exchanged targets.
    opposite: u64,
    /// Right only if runs with forced branches use the code without LoopStrengthReduce.
    without_loop_reduce: u64,
    agreement: Agreement,
    /// Runs with only a prefix compared.
    prefixes: u64,
    executions: u64,
    /// Instructions of our text, and how many of them ran.
    instructions: u64,
    executed: u64,
    /// Instructions that ran and are hashed, not computed: by opcode.
    uninterpreted: BTreeMap<String, u64>,
    /// Functions that were not run, and why.
    not_understood: Vec<String>,
    failures: Vec<Failure>,
    /// llc's message if one side fails.
    complaint: String,
    /// With `--grid`.
    grids: Tally,
    /// With `--grid`: kernels without any compared run, and why.
    not_run: Vec<String>,
    /// Texts that ptxas accepts, and those that it rejects on both sides.
    accepted: u64,
    refused: u64,
    /// The functions (with `--grid`, kernels) that have compared runs.
    ran: Vec<String>,
    widths: WidthReport,
    /// With `--sass`: the comparisons of the machine code of stock's text and of ours.
    sass: [sass::Tally; 2],
    /// Kernels whose machine code leaves other memory than stock's text.
    sass_of_stock: Vec<String>,
}

/// The widths of our registers.
#[derive(Default)]
struct WidthReport {
    /// Wrong ones that only our text has, each with its line of the text.
    wrong: Vec<String>,
    /// Wrong ones that stock's text has as well.
    of_both: Vec<String>,
    /// Instructions that were checked, and by opcode those without a rule.
    checked: u64,
    unchecked: BTreeMap<String, u64>,
}

impl WidthReport {
    fn of(stock: &str, ours: &str) -> Self {
        let [old, new] = [stock, ours].map(types::check);
        let wrong: Vec<String> =
            new.beyond(&old).iter().map(|wrong| format!("{wrong}: {}", line_of(ours, wrong.line))).collect();
        let of_both = match wrong.is_empty() {
            true => new.wrong.iter().map(ToString::to_string).collect(),
            false => vec![],
        };
        let Widths { checked, unchecked, .. } = new;
        WidthReport { wrong, of_both, checked, unchecked }
    }

    fn add(&mut self, other: &WidthReport) {
        self.of_both.extend(other.of_both.iter().cloned());
        self.checked += other.checked;
        for (opcode, count) in &other.unchecked {
            *self.unchecked.entry(opcode.clone()).or_default() += count;
        }
    }
}

/// A line of a text, with spaces in place of tabs.
fn line_of(text: &str, number: usize) -> String {
    let line = number.checked_sub(1).and_then(|index| text.lines().nth(index));
    line.unwrap_or("").trim().replace('\t', " ")
}

impl Report {
    /// Adds the counts of another one, but not its failures.
    fn add(&mut self, other: &Report) {
        self.functions += other.functions;
        self.witnessed += other.witnessed;
        self.opposite += other.opposite;
        self.without_loop_reduce += other.without_loop_reduce;
        self.agreement.add(&other.agreement);
        self.prefixes += other.prefixes;
        self.executions += other.executions;
        self.instructions += other.instructions;
        self.executed += other.executed;
        for (opcode, count) in &other.uninterpreted {
            *self.uninterpreted.entry(opcode.clone()).or_default() += count;
        }
        self.not_understood.extend(other.not_understood.iter().cloned());
        self.grids.add(&other.grids);
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.widths.add(&other.widths);
        self.sass.iter_mut().zip(&other.sass).for_each(|(own, other)| own.add(other));
        self.sass_of_stock.extend(other.sass_of_stock.iter().cloned());
    }

    /// Whether nothing is wrong.
    fn is_fine(&self) -> bool {
        self.failures.is_empty() && self.complaint.is_empty() && self.widths.wrong.is_empty()
    }
}

/// How the conditions of branches are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conditions {
    Compared,
    /// They may be opposites, and forced branches follow stock's.
    Opposite,
    /// Not at all: both sides must go by them.
    Ignored,
}

/// The comparison of two functions: the first seed and its difference, or what was compared.
struct Comparison {
    failure: Option<(u64, Difference)>,
    agreement: Agreement,
    prefixes: u64,
    executed: Vec<bool>,
}

impl Comparison {
    /// Adds the runs with other seeds.
    fn and(self, other: Comparison) -> Comparison {
        let mut agreement = self.agreement;
        agreement.add(&other.agreement);
        Comparison { agreement, prefixes: self.prefixes + other.prefixes, ..other }
    }
}

fn compare_functions(
    stock: &Function,
    ours: &Function,
    seeds: impl IntoIterator<Item = u64>,
    conditions: Conditions,
) -> Comparison {
    let [old, new] = [stock, ours].map(Program::new);
    let mut comparison = Comparison {
        failure: None,
        agreement: Agreement::default(),
        prefixes: 0,
        executed: vec![false; new.num_steps()],
    };
    let budget = BUDGET + 2 * old.num_steps();
    let senses = if conditions == Conditions::Opposite { Senses::Either } else { Senses::Same };
    let mut ignored = vec![false; old.num_steps()];
    for seed in seeds {
        let mut first = old.run(seed, budget, &mut ignored);
        let room = ROOM * budget.min(first.steps + BUDGET);
        let mut second = match senses {
            Senses::Same => new.run(seed, room, &mut comparison.executed),
            Senses::Either => new.follow(&first.conditions, seed, room, &mut comparison.executed),
        };
        if conditions == Conditions::Ignored {
            [&mut first, &mut second].into_iter().for_each(|trace| trace.conditions.clear());
        }
        match trace::compare(&first, &second, senses) {
            Ok(agreement) => {
                comparison.agreement.add(&agreement);
                comparison.prefixes += u64::from(agreement.is_prefix);
            }
            Err(difference) => {
                comparison.failure = Some((seed, difference));
                break;
            }
        }
    }
    comparison
}

/// Compares all functions of two texts. `compile` makes the two texts of an appeal when they are
/// needed: stock's, and ours.
fn compare_texts(
    stock: &str,
    ours: &str,
    seeds: u64,
    compile: impl Fn(Appeal) -> Option<[String; 2]>,
) -> Report {
    let mut report = Report::default();
    let parsed =
        |appeal| compile(appeal).map_or_else(Default::default, |texts| texts.map(|text| parse::parse(&text)));
    let unfolded: LazyCell<[Vec<Function>; 2], _> = LazyCell::new(|| parsed(Appeal::SecondWitness));
    let no_loop_reduce: LazyCell<[Vec<Function>; 2], _> = LazyCell::new(|| parsed(Appeal::NoLoopReduce));
    let [old, new] = [stock, ours].map(parse::parse);
    let by_name = |functions: &[Function]| -> BTreeMap<String, usize> {
        functions.iter().enumerate().map(|(index, function)| (function.name.clone(), index)).collect()
    };
    let (old_names, new_names) = (by_name(&old), by_name(&new));
    let line = |text: &str, number: usize| format!("{number}: {}", line_of(text, number));
    for name in old_names.keys().chain(new_names.keys().filter(|name| !old_names.contains_key(*name))) {
        let (Some(&a), Some(&b)) = (old_names.get(name), new_names.get(name)) else {
            report.failures.push(one_sided(name, [&old_names, &new_names]));
            continue;
        };
        let problem = old[a].problem.as_ref().or(new[b].problem.as_ref());
        if let Some(problem) = problem {
            report.not_understood.push(format!("{name}, {problem}"));
            continue;
        }
        let mut compared = &new[b];
        let mut comparison = compare_functions(&old[a], compared, 0..seeds, Conditions::Compared);
        if let Some((seed, difference)) = comparison.failure {
            let named = |functions: &'_ [Vec<Function>; 2]| -> Option<[usize; 2]> {
                let find = |functions: &Vec<Function>| {
                    functions.iter().position(|function| function.name == *name && function.problem.is_none())
                };
                Some([find(&functions[0])?, find(&functions[1])?])
            };
            let is_right = |comparison: &Comparison| comparison.failure.is_none();
            let second = named(&unfolded).map(|[a, b]| {
                (
                    &unfolded[1][b],
                    compare_functions(&unfolded[0][a], &unfolded[1][b], 0..seeds, Conditions::Compared),
                )
            });
            if let Some(second) = second.filter(|(_, second)| is_right(second)) {
                report.witnessed += 1;
                (compared, comparison) = second;
            } else {
                let opposite = compare_functions(&old[a], compared, 0..seeds, Conditions::Opposite);
                let by_condition = (0..seeds).filter(|&seed| !is_forced(seed));
                let without_loop_reduce = || {
                    let by_condition =
                        compare_functions(&old[a], compared, by_condition, Conditions::Ignored);
                    let [a, b] = named(&no_loop_reduce).filter(|_| is_right(&by_condition))?;
                    let [stock, ours] = [&no_loop_reduce[0][a], &no_loop_reduce[1][b]];
                    let forced = (0..seeds).filter(|&seed| is_forced(seed));
                    let forced = compare_functions(stock, ours, forced, Conditions::Compared);
                    is_right(&forced).then(|| (ours, by_condition.and(forced)))
                };
                if is_right(&opposite) {
                    report.opposite += 1;
                    comparison = opposite;
                } else if let Some(third) = without_loop_reduce() {
                    report.without_loop_reduce += 1;
                    (compared, comparison) = third;
                } else {
                    let lines = [line(stock, difference.stock_line), line(ours, difference.our_line)];
                    report.failures.push(Failure { function: name.clone(), seed, difference, lines });
                    continue;
                }
            }
        }
        report.add_comparison(name, seeds, compared, &comparison);
    }
    report
}

/// The failure that a function is on one side only.
fn one_sided(name: &str, names: [&BTreeMap<String, usize>; 2]) -> Failure {
    let [stock, ours] = names.map(|names| match names.contains_key(name) {
        true => "is there".to_owned(),
        false => "is not there".to_owned(),
    });
    let difference = Difference { event: 0, stock, ours, stock_line: 0, our_line: 0 };
    let lines = [String::new(), String::new()];
    Failure { function: name.to_owned(), seed: 0, difference, lines }
}

impl Report {
    /// Adds the comparison of a function. `compared`: ours.
    fn add_comparison(&mut self, name: &str, seeds: u64, compared: &Function, comparison: &Comparison) {
        self.functions += 1;
        self.ran.push(name.to_owned());
        self.executions += seeds;
        self.agreement.add(&comparison.agreement);
        self.prefixes += comparison.prefixes;
        self.instructions += comparison.executed.len() as u64;
        let program = Program::new(compared);
        for index in (0..program.num_steps()).filter(|&index| comparison.executed[index]) {
            self.executed += 1;
            if let Some(opcode) = program.uninterpreted(index) {
                *self.uninterpreted.entry(opcode.to_owned()).or_default() += 1;
            }
        }
    }
}

/// Compares those kernels of two texts that are wanted by whole grids. `compile`: see [`compare_texts`].
fn compare_grids(
    stock: &str,
    ours: &str,
    launches: &[Launch],
    is_wanted: impl Fn(&str) -> bool,
    compile: impl Fn(Appeal) -> Option<[String; 2]>,
) -> Report {
    let mut report = Report::default();
    let mut fail = |function: &str, launch: u64, stock: String, ours: String| {
        let difference = Difference { event: 0, stock, ours, stock_line: 0, our_line: 0 };
        let lines = [String::new(), String::new()];
        report.failures.push(Failure { function: function.to_owned(), seed: launch, difference, lines });
    };
    let [old, new] = match [stock, ours].map(Module::new) {
        [Ok(old), Ok(new)] => [old, new],
        [Err(why), _] | [_, Err(why)] => {
            report.not_understood.push(why.to_string());
            return report;
        }
    };
    let witness: LazyCell<Option<[Module; 2]>, _> = LazyCell::new(|| {
        let [old, new] = compile(Appeal::SecondWitness)?.map(|text| Module::new(&text).ok());
        Some([old?, new?])
    });
    let (mut tally, mut witnessed, mut not_run) = (Tally::default(), 0, Vec::new());
    for name in old.kernels().filter(|name| is_wanted(name)) {
        if !new.kernels().any(|other| other == name) {
            tally.different += 1;
            fail(name, 0, "is there".to_owned(), "is not there".to_owned());
            continue;
        }
        let seen = compare::kernel(&old, &new, name, launches, &mut tally);
        match &seen {
            Ok(Some(why)) => not_run.push(format!("{name}, {why}")),
            Ok(None) => report.ran.push(name.to_owned()),
            Err(_) => {}
        }
        if let Err(difference) = seen {
            let second =
                witness.as_ref().map(|[old, new]| compare::kernel(old, new, name, launches, &mut tally));
            if !matches!(second, Some(Ok(_))) {
                tally.different += 1;
                fail(name, difference.launch, difference.stock, difference.ours);
                continue;
            }
            witnessed += 1;
        }
    }
    report.not_run = not_run;
    (report.functions, report.grids, report.witnessed) = (tally.kernels, tally, witnessed);
    report
}

/// The functions that do not compute the same in two texts of a module, and how they differ.
/// `compile`: see [`compare_texts`].
pub fn differences(
    stock: &str,
    ours: &str,
    seeds: u64,
    compile: impl Fn(Appeal) -> Option<[String; 2]>,
) -> BTreeMap<String, String> {
    let report = compare_texts(stock, ours, seeds, compile);
    let mut differences = described(report, |failure| format!("seed {}", failure.seed));
    let [old, new] = [stock, ours].map(types::check);
    for wrong in new.beyond(&old) {
        differences.entry(wrong.function.clone()).or_insert_with(|| wrong.to_string());
    }
    differences
}

/// The kernels among these that leave different contents in memory, and how, over whole grids with made-up launches. `compile`: see [`compare_grids`].
pub fn grid_differences(
    stock: &str,
    ours: &str,
    kernels: &BTreeSet<String>,
    compile: impl Fn(Appeal) -> Option<[String; 2]>,
) -> BTreeMap<String, String> {
    let report = compare_grids(stock, ours, &[], |name| kernels.contains(name), compile);
    described(report, |failure| format!("launch {}", failure.seed))
}

/// The failures by function, in words.
fn described(report: Report, run: impl Fn(&Failure) -> String) -> BTreeMap<String, String> {
    let describe = |failure: Failure| {
        let run = run(&failure);
        let Difference { event, stock, ours, .. } = failure.difference;
        (failure.function, format!("{run}, event {event}: stock {stock}, ours {ours}"))
    };
    report.failures.into_iter().map(describe).collect()
}

/// Runs ptxas on our text. It is a complaint if ptxas rejects our text and not stock's.
fn ask_ptxas(cuda: &Cuda, stock: &str, ours: &str, report: &mut Report) -> Result<()> {
    if let Some(words) = cuda.refusal(ours)? {
        match cuda.refusal(stock)? {
            Some(_) => report.refused += 1,
            None => report.complaint = format!("          ptxas refuses our text: {words}"),
        }
    } else {
        report.accepted += 1;
    }
    Ok(())
}

/// Runs the machine code of both texts. A kernel fails if its machine code leaves other memory than
/// our text, and this does not happen with stock's.
fn run_machine_code(cuda: &Cuda, texts: [&str; 2], launches: &[Launch], report: &mut Report) {
    let options = sass::Options { level: 3, budget: SASS_BUDGET };
    let compare = |text: &str| {
        let gpu = cuda.processor(text, SASS_OLDEST);
        sass::compare(text, &gpu, cuda, launches, options).unwrap_or_else(|why| {
            let mut tally = sass::Tally::default();
            tally.reasons.insert(format!("{why:#}"), 1);
            tally
        })
    };
    let stock = compare(texts[0]);
    let ours = if texts[0] == texts[1] { None } else { Some(compare(texts[1])) };
    let in_stock = |kernel: &str| stock.different.iter().any(|(own, _, _)| own == kernel);
    for (function, launch, why) in ours.iter().flat_map(|ours| &ours.different) {
        if !in_stock(function) {
            let stock = "the machine code leaves what the PTX leaves".to_owned();
            let difference = Difference { event: 0, stock, ours: why.clone(), stock_line: 0, our_line: 0 };
            let lines = [String::new(), String::new()];
            report.failures.push(Failure {
                function: function.clone(),
                seed: *launch as u64,
                difference,
                lines,
            });
        }
    }
    for (kernel, launch, why) in &stock.different {
        report.sass_of_stock.push(format!("{kernel}, launch {launch}: {why}"));
    }
    report.sass = [stock, ours.unwrap_or_default()];
}

/// The method by which two texts run.
enum Method {
    OneThread {
        seeds: u64,
    },
    /// By the given launches of a kernel, otherwise by made-up ones.
    Grids {
        launches: Vec<Launch>,
    },
}

/// Everything that judges a job.
struct Judges {
    llc: Llc,
    cuda: Option<Cuda>,
    /// Whether machine code is run.
    runs_sass: bool,
    method: Method,
}

fn compare_job(judges: &Judges, job: &Job) -> Result<(Verdict, Report)> {
    let llc = &judges.llc;
    let stock = llc.execute(&llc.command_line(Side::Stock, &job.args))?;
    let ours = llc.execute(&llc.command_line(Side::Plugin, &job.args))?;
    let mut report = Report::default();
    let mut problem = None;
    let verdict = Verdict::of(stock.exit, ours.exit, || {
        if stock.exit != Exit::Code(0) {
            return true;
        }
        let compile = |side, flags: &[&str]| {
            let mut args = job.args.clone();
            args.extend(flags.iter().map(OsString::from));
            let bytes = llc.compile(side, &args).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        let compile_both = |appeal: Appeal| {
            let [stock, ours] = appeal.flags();
            Some([compile(Side::Stock, stock)?, compile(Side::Plugin, ours)?])
        };
        let [old, new] = [&stock, &ours].map(|output| String::from_utf8_lossy(&output.stdout));
        report = match &judges.method {
            Method::Grids { launches } => compare_grids(&old, &new, launches, |_| true, compile_both),
            Method::OneThread { seeds } => compare_texts(&old, &new, *seeds, compile_both),
        };
        if let Some(cuda) = judges.cuda.as_ref().filter(|_| old != new) {
            problem = ask_ptxas(cuda, &old, &new, &mut report).err();
        }
        report.widths = WidthReport::of(&old, &new);
        if let (Some(cuda), Method::Grids { launches }) = (&judges.cuda, &judges.method) {
            if judges.runs_sass {
                run_machine_code(cuda, [&old, &new], launches, &mut report);
            }
        }
        report.is_fine()
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    if !verdict.is_identical() && report.is_fine() {
        let failed = if ours.exit == Exit::Code(0) { &stock } else { &ours };
        report.complaint = indent(&String::from_utf8_lossy(&failed.stderr), 10);
    }
    Ok((verdict, report))
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let cuda = match &args.cuda {
        dir if args.sass => Some(sass::tools(&dir.clone().map_or_else(places::ptxas, Ok)?)?),
        Some(dir) => {
            Some(Cuda::find(dir).with_context(|| format!("there is no bin/ptxas in {}", dir.display()))?)
        }
        None => None,
    };
    let method = if args.grid {
        Method::Grids { launches: Launch::read_files(&args.launch)? }
    } else {
        Method::OneThread { seeds: args.seeds }
    };
    let mut tools = args.tools.clone();
    // Branches and accesses of local memory are compared one by one. Unrolling removes branches,
    // and puts local arrays into registers.
    let own = &mut tools.plugin.plugin_args.0;
    if !args.grid && !own.iter().any(|arg| is_of_unrolling(arg)) {
        own.push(NO_UNROLLING.into());
    }
    let judges = Judges { llc: Llc::new(&tools)?, cuda, runs_sass: args.sass, method };
    let llc = &judges.llc;
    let mut files = inputs::discover(&args.paths)?;
    // A .mir file is for single passes; its output is not PTX.
    files.retain(|file| file.extension().is_none_or(|extension| extension != "mir"));
    let (jobs, skipped) = jobs_of(args, &files)?;
    if let Some(path) = args.json.as_ref().filter(|_| args.list) {
        let listed: Vec<Listed> = jobs.iter().map(Listed::of).collect();
        write_json(path, &listed)?;
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let reports = compare_all(&judges, &jobs, args.jobs)?;

    let mut by_level: BTreeMap<u8, Counts> = BTreeMap::new();
    let mut verdicts = Counts::default();
    let mut total = Report::default();
    let mut shown = 0;
    for (job, (verdict, report)) in jobs.iter().zip(&reports) {
        total.add(report);
        verdicts.add(*verdict);
        by_level.entry(job.level).or_default().add(*verdict);
        if !verdict.is_identical() && shown < args.diffs {
            shown += 1;
            print_difference(llc, shown, job, *verdict, report);
        }
        if args.verbose {
            print_left_out(job, report);
        }
    }
    println!("{}, {}, {:.1} s", llc.version, counted(files.len(), "file"), start.elapsed().as_secs_f64());
    verdict::print_summary(&by_level, &verdicts, "equal");
    print_total(args, &total);
    print_skipped(&skipped);
    if args.verbose && !args.grid {
        print_uninterpreted(&total);
    }
    print_widths(&total.widths, args.verbose);
    if let Some(path) = &args.json {
        write_json(path, &Json { skipped: &skipped, runs: records(&jobs, &reports) })?;
    }
    let outcomes = jobs.iter().zip(&reports).map(|(job, (verdict, _))| (job.file, *verdict));
    verdict::print_advice(llc, args.mcpu.as_deref(), outcomes)?;
    if total.functions == 0 {
        println!("nothing was compared: no function was compiled by both sides and understood");
    }
    let proved = total.functions > 0 && verdicts.identical == verdicts.runs;
    Ok(if proved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The runs for these files, and the RUN lines that are left out.
fn jobs_of<'a>(args: &Args, files: &'a [PathBuf]) -> Result<(Vec<Job<'a>>, Skipped)> {
    let (mut jobs, mut skipped) = (Vec::new(), Skipped::default());
    for file in files {
        let mcpu = args.mcpu.as_deref();
        let plan = inputs::plan(file, mcpu)?;
        skipped.add_run_lines(&plan);
        let mut invocations = plan.invocations;
        if invocations.is_empty() {
            invocations.push(Invocation { args: inputs::default_flags(file, mcpu)?, levels: Vec::new() });
        }
        for invocation in invocations {
            // RUN lines may name more levels.
            let levels: BTreeSet<u8> = args.levels.iter().chain(&invocation.levels).copied().collect();
            for level in levels {
                let mut args: Vec<OsString> = invocation.args.iter().map(OsString::from).collect();
                args.extend([format!("-O{level}").into(), file.into(), "-o".into(), "-".into()]);
                jobs.push(Job { file, args, level });
            }
        }
    }
    Ok((jobs, skipped))
}

/// Compares both sides in each job, in threads.
fn compare_all(judges: &Judges, jobs: &[Job], threads: Option<usize>) -> Result<Vec<(Verdict, Report)>> {
    let progress = Progress::new("equal", jobs.len());
    let reports = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .context("starting threads")?
        .install(|| {
            let compare = |job: &Job| {
                let (verdict, report) = compare_job(judges, job)?;
                progress.step(!verdict.is_identical());
                Ok((verdict, report))
            };
            jobs.par_iter().map(compare).collect::<Result<Vec<_>>>()
        });
    progress.finish();
    reports
}

/// Prints everything that was not compared.
fn print_left_out(job: &Job, report: &Report) {
    for why in &report.not_understood {
        println!("not understood: {}: {why}", job.file.display());
    }
    for why in &report.not_run {
        println!("not run: {}: {why}", job.file.display());
    }
    for why in &report.sass_of_stock {
        println!("machine code of stock's text differs: {}: {why}", job.file.display());
    }
}

fn print_total(args: &Args, total: &Report) {
    if args.grid {
        print_grids(total);
        if args.sass {
            print_machine_code(total);
        }
    } else {
        print_summary(total);
    }
    if args.cuda.is_some() {
        println!(
            "ptxas accepts {} texts of ours, and refuses {} on both sides",
            thousands(total.accepted),
            total.refused
        );
    }
}

/// The content of `--json`.
#[derive(Serialize)]
struct Json<'a> {
    skipped: &'a Skipped,
    runs: Vec<Record<'a>>,
}

/// A run of llc, for programs.
#[derive(Serialize)]
struct Listed<'a> {
    file: &'a Path,
    /// llc's arguments, without the file and the output.
    args: Vec<String>,
    level: u8,
}

impl<'a> Listed<'a> {
    fn of(job: &Job<'a>) -> Listed<'a> {
        let args = &job.args[..job.args.len() - 3];
        let args = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        Listed { file: job.file, args, level: job.level }
    }
}

/// The result of llc on both sides, for programs.
#[derive(Serialize)]
struct Record<'a> {
    #[serde(flatten)]
    listed: Listed<'a>,
    verdict: Verdict,
    /// The functions (with `--grid`, kernels) that have compared runs.
    ran: &'a [String],
    /// The ones that did not run, and why.
    not_run: Vec<&'a str>,
    /// The ones that differ, and how.
    failures: Vec<String>,
    complaint: &'a str,
    /// Whether ptxas has read our text and accepts it.
    accepted: bool,
    /// Whether ptxas rejects both.
    refused: bool,
}

fn records<'a>(jobs: &'a [Job<'a>], reports: &'a [(Verdict, Report)]) -> Vec<Record<'a>> {
    let describe = |Failure { function, seed, difference, lines }: &Failure| {
        let Difference { event, stock, ours, .. } = difference;
        let [old, new] = lines;
        format!("{function}, seed {seed}, event {event}: stock {stock} ({old}), ours {ours} ({new})")
    };
    let record = |(job, (verdict, report)): (&'a Job, &'a (Verdict, Report))| Record {
        listed: Listed::of(job),
        verdict: *verdict,
        ran: &report.ran,
        not_run: report.not_understood.iter().chain(&report.not_run).map(String::as_str).collect(),
        failures: report.failures.iter().map(describe).chain(report.widths.wrong.iter().cloned()).collect(),
        complaint: &report.complaint,
        accepted: report.accepted > 0,
        refused: report.refused > 0,
    };
    jobs.iter().zip(reports).map(record).collect()
}

fn print_difference(llc: &Llc, number: usize, job: &Job, verdict: Verdict, report: &Report) {
    println!("--- difference {number}: {} ---", verdict.describe());
    println!("stock:     {}", display_line(&llc.command_line(Side::Stock, &job.args)));
    println!("ptxpasses: {}", display_line(&llc.command_line(Side::Plugin, &job.args)));
    if !report.complaint.is_empty() {
        println!("{}", report.complaint);
    }
    for wrong in report.widths.wrong.iter().take(3) {
        println!("a register of a wrong width, {wrong}");
    }
    if report.widths.wrong.len() > 3 {
        println!("and {} more", counted(report.widths.wrong.len() - 3, "register"));
    }
    for failure in report.failures.iter().take(3) {
        let Difference { event, stock, ours, .. } = &failure.difference;
        println!("function {}, seed {}, event {event}:", failure.function, failure.seed);
        println!("  stock {stock}\n    line {}", failure.lines[0]);
        println!("  ours  {ours}\n    line {}", failure.lines[1]);
    }
    if report.failures.len() > 3 {
        println!("and {} more", counted(report.failures.len() - 3, "function"));
    }
    println!();
}

fn print_summary(total: &Report) {
    let percent = |part: u64, all: u64| if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
    println!(
        "functions equal: {}, {} of them by the second witness, {} with opposite branches, {} without LoopStrengthReduce; not understood: {}",
        thousands(total.functions),
        total.witnessed,
        total.opposite,
        total.without_loop_reduce,
        total.not_understood.len()
    );
    println!(
        "compared: {} events, {} stored bytes, {} of both undefined in stock; {} of {} runs to the budget or an undefined branch",
        thousands(total.agreement.events),
        thousands(total.agreement.bytes),
        thousands(total.agreement.undefined),
        thousands(total.prefixes),
        thousands(total.executions)
    );
    let hashed = total.uninterpreted.values().sum();
    println!(
        "instructions of ours that were run: {} of {} ({:.1} %), {:.1} % of them uninterpreted",
        thousands(total.executed),
        thousands(total.instructions),
        percent(total.executed, total.instructions),
        percent(hashed, total.executed)
    );
}

fn print_machine_code(total: &Report) {
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for (side, tally) in ["stock's", "ours, where it is another text"].iter().zip(&total.sass) {
        println!("machine code of {side}: {}", tally.summary());
        for (reason, count) in &tally.reasons {
            *reasons.entry(reason.clone()).or_default() += count;
        }
    }
    let differing = total.sass_of_stock.len();
    println!("machine code that leaves other memory than stock's text: {}", counted(differing, "launch"));
    if !reasons.is_empty() {
        println!("{}", text::table_of_counts(&["machine code is not compared, as", "launches"], &reasons));
    }
}

fn print_grids(total: &Report) {
    let Tally {
        kernels,
        different,
        kernels_not_compared,
        launches,
        executed,
        bytes,
        undefined,
        not_compared,
    } = &total.grids;
    println!(
        "kernels equal: {} of {}, {} of them by the second witness; not run: {kernels_not_compared}; modules not understood: {}",
        thousands(*kernels),
        thousands(kernels + different),
        total.witnessed,
        total.not_understood.len()
    );
    println!(
        "compared: {} launches, {} instructions of threads, {} bytes of memory, {} of them undefined in stock",
        thousands(*launches),
        thousands(*executed),
        thousands(*bytes),
        thousands(*undefined)
    );
    if !not_compared.is_empty() {
        let mut reasons: Vec<_> = not_compared.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), *reason));
        let mut table = text::table(&["not compared, as", "launches"], 1);
        for (reason, count) in reasons {
            table.add_row([reason.clone(), thousands(*count)]);
        }
        println!("{table}");
    }
}

fn print_uninterpreted(total: &Report) {
    println!("{}", text::table_of_counts(&["uninterpreted", "instructions"], &total.uninterpreted));
}

/// The most wrong registers of both sides that are shown without `-v`.
const SHOWN: usize = 5;

fn print_widths(widths: &WidthReport, is_verbose: bool) {
    println!(
        "widths of registers: {} instructions of ours checked, {} without a rule",
        thousands(widths.checked),
        thousands(widths.unchecked.values().sum())
    );
    let shown = if is_verbose { widths.of_both.len() } else { SHOWN };
    for wrong in widths.of_both.iter().take(shown) {
        println!("a register of a wrong width on both sides, {wrong}");
    }
    if widths.of_both.len() > shown {
        println!("and {} more; -v shows all", counted(widths.of_both.len() - shown, "register"));
    }
    if is_verbose && !widths.unchecked.is_empty() {
        println!(
            "{}",
            text::table_of_counts(&["without a rule for widths", "instructions"], &widths.unchecked)
        );
    }
}

#[cfg(test)]
mod faults;

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: u32) -> String {
        format!(".visible .entry k(\n)\n{{\n.reg .b64 %rd<2>;\nmov.b64 %rd1, 4;\nst.global.b32 [%rd1], {value};\nret;\n}}\n")
    }

    #[test]
    fn a_difference_names_its_lines() {
        let report = compare_texts(&text(1), &text(2), 2, |_| None);
        assert_eq!(report.failures.len(), 1);
        let failure = &report.failures[0];
        assert_eq!((failure.function.as_str(), failure.seed), ("k", 0));
        assert_eq!(failure.lines, ["6: st.global.b32 [%rd1], 1;", "6: st.global.b32 [%rd1], 2;"]);
    }

    #[test]
    fn the_second_witness() {
        let report = compare_texts(&text(1), &text(2), 2, |_| Some([text(2), text(2)]));
        assert_eq!((report.failures.len(), report.functions, report.witnessed), (0, 1, 1));
        let report = compare_texts(&text(1), &text(2), 2, |_| Some([text(3), text(2)]));
        assert_eq!((report.failures.len(), report.functions), (1, 0));
    }

    /// A kernel that stores `value` on a path that no input takes.
    fn branch(value: u32) -> String {
        let code = format!(
            "mov.b64 %rd1, 4;\nsetp.eq.b64 %p1, %rd1, 4;\n@%p1 bra $L0;\nst.global.b32 [%rd1], {value};\n$L0:\nret;"
        );
        format!(".visible .entry k(\n)\n{{\n.reg .b64 %rd<2>;\n.reg .pred %p<2>;\n{code}\n}}\n")
    }

    #[test]
    fn an_opposite_branch_must_exchange_its_targets() {
        let stores = |first, second| {
            format!("st.global.b32 [%rd1], {first};\nret;\n$L0:\nst.global.b32 [%rd1], {second};")
        };
        let text = |compare, stores: String| {
            branch(0)
                .replace("setp.eq", &format!("setp.{compare}"))
                .replace("st.global.b32 [%rd1], 0;\n$L0:", &stores)
        };
        let stock = text("eq", stores(1, 2));
        let of = |ours: &str| compare_texts(&stock, ours, 8, |_| None);
        let report = of(&text("ne", stores(2, 1)));
        assert_eq!((report.failures.len(), report.functions, report.opposite), (0, 1, 1));
        for ours in [text("ne", stores(1, 2)), text("eq", stores(2, 1)), text("ne", stores(3, 1))] {
            let report = of(&ours);
            assert_eq!((report.failures.len(), report.opposite), (1, 0), "{ours}");
        }
    }

    #[test]
    fn forced_branches_are_compared_without_loop_reduce() {
        let compile =
            |texts: [u32; 2]| move |appeal| (appeal == Appeal::NoLoopReduce).then(|| texts.map(branch));
        let report = compare_texts(&branch(1), &branch(2), 8, compile([3, 3]));
        assert_eq!((report.failures.len(), report.functions, report.without_loop_reduce), (0, 1, 1));
        let report = compare_texts(&branch(1), &branch(2), 8, compile([3, 4]));
        assert_eq!((report.failures.len(), report.without_loop_reduce), (1, 0));
        let report = compare_texts(&text(1), &text(2), 8, compile([3, 3]));
        assert_eq!(report.failures.len(), 1, "it goes by its conditions");
    }

    #[test]
    fn counts() {
        let report = compare_texts(&text(1), &text(1), 2, |_| None);
        assert_eq!((report.functions, report.instructions, report.executed), (1, 3, 3));
        assert_eq!(report.agreement.bytes, 8, "four for each seed");
    }

    #[test]
    fn programs_are_told_what_ran_and_how_it_was_compiled() {
        let args = ["-mcpu=sm_80", "-O2", "a.ll", "-o", "-"].map(OsString::from).to_vec();
        let job = Job { file: Path::new("a.ll"), args, level: 2 };
        let of = |ours| (Verdict::Identical, compare_texts(&text(1), &text(ours), 1, |_| None));
        let (jobs, reports) = ([job], [of(1)]);
        let json = serde_json::to_value(records(&jobs, &reports)).expect("JSON");
        assert_eq!(json[0]["args"], serde_json::json!(["-mcpu=sm_80", "-O2"]));
        assert_eq!(json[0]["ran"], serde_json::json!(["k"]));
        let reports = [of(2)];
        let json = serde_json::to_value(records(&jobs, &reports)).expect("JSON");
        assert_eq!(json[0]["ran"], serde_json::json!([]));
        assert!(json[0]["failures"][0].as_str().is_some_and(|text| text.starts_with("k, seed 0")));
    }

    #[test]
    fn a_function_that_is_not_there() {
        assert_eq!(compare_texts(&text(1), "", 1, |_| None).failures.len(), 1);
        assert_eq!(compare_texts("", &text(1), 1, |_| None).failures.len(), 1);
    }
}
