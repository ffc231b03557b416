//! `kernels`: ptxas' figures for each kernel, with stock llc and under a setting, and a verdict.
//!
//! Each llc compiles every file on both sides, and each ptxas assembles the output: a block for
//! each pair. Below the kernels of a block are [`totals`], and the kernels that are worse, so that
//! a mean hides nothing.
//!
//! A kernel that exists with stock and not under the setting is a failure, and so is a register of
//! the wrong width. With `--strict` a kernel that spills more is one too. If stock's own code is
//! rejected there is nothing to compare with. That is printed, and is a failure only if no kernel
//! at all is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, ensure, Result};
use ptx_emu::grid::launch::Launch;
use ptx_emu::ptx::{self, types};
use rayon::prelude::*;
use serde::Serialize;

use crate::inputs::{self, FileArgs, NO_KERNEL};
use crate::llc::Hosts;
use crate::measure::judgement::{compare, Judgement};
use crate::measure::setting::{named, promises, rows, Effort, Setting, DEFAULT};
use crate::measure::{CompileArgs, Compiled, Compiler, Input, Job, Judge, JudgeArgs, Numbers};
use crate::places;
use crate::progress::Progress;
use crate::ptxas::{self, Cuda};
use crate::sass;
use crate::sheet::{OutputArgs, Sheet};
use crate::text::{self, change, counted, demangled, shortened};
use crate::time::{self, Origin};

mod totals;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    hosts: Hosts,
    #[command(flatten)]
    compile: CompileArgs,
    /// Directory with bin/ptxas, and bin/nvdisasm or bin/cuobjdump; may be given several times, one
    /// a ptxas [default: build/cuda, else a CUDA toolkit]
    #[arg(long, value_name = "DIR")]
    cuda: Vec<PathBuf>,
    #[command(flatten)]
    judge: JudgeArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// The setting that is compared with stock, by its name; `list` names all
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    setting: String,
    /// Columns for the PTX as well: moves, instructions, virtual registers
    #[arg(long)]
    ptx: bool,
    /// A column for the predicted time (docs/time.md), stock is 1; takes a second or more a kernel
    #[arg(long)]
    time: bool,
    /// Launches for --time [default: FILE.launch beside the input, else made up]; docs/comparing.md
    /// says how they are written
    #[arg(long, value_name = "FILE", requires = "time")]
    launch: Vec<PathBuf>,
    /// Print the totals alone
    #[arg(long)]
    totals: bool,
    /// Exit status 1 also where a kernel spills more than stock's
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    files: FileArgs,
}

/// The counts of one side's PTX of a kernel, with the functions that follow it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Written {
    instructions: u64,
    /// Moves between registers.
    moves: u64,
    /// Moves of constants.
    immediates: u64,
    all_moves: u64,
    virtual_registers: u64,
    /// Whether it has mma, wgmma or tcgen05 instructions.
    tensor_cores: bool,
}

impl Written {
    fn of(kernel: &str) -> Self {
        let stats = ptx::analyse(kernel);
        Written {
            instructions: stats.instructions,
            moves: stats.moves.register,
            immediates: stats.moves.immediate,
            all_moves: stats.moves.total(),
            virtual_registers: stats.register_total(),
            tensor_cores: ["mma.sync", "wgmma.mma_async", "tcgen05.mma"]
                .iter()
                .any(|name| kernel.contains(name)),
        }
    }
}

/// The counts of both sides.
#[derive(Clone, Debug, Default, Serialize)]
struct Ptx {
    stock: Written,
    ours: Written,
}

/// Both sides of one kernel.
#[derive(Clone, Debug, Serialize)]
struct Row {
    file: String,
    kernel: String,
    llvm: String,
    ptxas: String,
    cpu: String,
    stock: Numbers,
    ours: Numbers,
    verdict: Judgement,
    why: String,
    ptx: Ptx,
    /// The predicted time divided by stock's.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// The origin of the launches that the prediction is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    launches: Option<Origin>,
}

impl Row {
    fn spills_more(&self) -> bool {
        self.ours.spills() > self.stock.spills()
    }

    /// Its name in notes.
    fn label(&self) -> String {
        format!("{}: {}", self.file, shortened(&demangled(&self.kernel), 60))
    }
}

/// The results of one file, or of all, with one llc and one ptxas.
#[derive(Debug, Default)]
struct Block {
    rows: Vec<Row>,
    notes: Vec<String>,
    /// Complaints: ptxas accepts stock's code and not ours, llc fails under the setting, or a
    /// kernel is missing.
    failed: Vec<String>,
    /// Complaints without anything to compare with: llc alone, or ptxas on its output, fails.
    not_compared: Vec<String>,
}

/// The versions that a block is made with.
struct Pair<'a> {
    llvm: &'a str,
    ptxas: &'a str,
}

impl Block {
    fn add(&mut self, other: Block) {
        self.rows.extend(other.rows);
        self.notes.extend(other.notes);
        self.failed.extend(other.failed);
        self.not_compared.extend(other.not_compared);
    }

    /// Whether no kernel is lost and, if `strict`, none spills more.
    fn is_fine(&self, strict: bool) -> bool {
        self.failed.is_empty() && !(strict && self.rows.iter().any(Row::spills_more))
    }

    /// Why there is nothing to show, if there is nothing.
    fn reason(&self) -> Option<String> {
        if !self.rows.is_empty() || !self.failed.is_empty() {
            return None;
        }
        Some(match &self.not_compared[..] {
            [] => format!("nothing is compared: {NO_KERNEL}"),
            [why] => why.clone(),
            all => {
                format!("nothing is compared: stock's own code of {} is refused", counted(all.len(), "file"))
            }
        })
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let limit = args.judge.maxrregcount;
    let tools = args.hosts.each()?;
    let mut compilers = tools
        .iter()
        .map(|tools| Compiler::new(tools, &args.compile, limit))
        .collect::<Result<Vec<Compiler>>>()?;
    if args.setting == "list" {
        compilers.iter().for_each(print_settings);
        return Ok(ExitCode::SUCCESS);
    }
    let setting = named(&args.setting)?;
    for compiler in &compilers {
        ensure!(
            compiler.has(&setting),
            "{} does not have what the setting {} needs; --setting list names those that it has",
            compiler.llc.version,
            setting.name
        );
    }
    let folders = if args.cuda.is_empty() { vec![places::ptxas()?] } else { args.cuda.clone() };
    // Code for several versions is the code for any.
    if let [folder] = &folders[..] {
        compilers.iter_mut().for_each(|compiler| compiler.write_for(folder));
    }
    let judges = folders.iter().map(|cuda| Judge::new(cuda, &args.judge)).collect::<Result<Vec<Judge>>>()?;
    let timed = |folder: &PathBuf| -> Result<Cuda> {
        let mut cuda = sass::tools(folder)?;
        cuda.max_registers = limit;
        Ok(cuda)
    };
    let timing = Timing {
        tools: folders.iter().filter(|_| args.time).map(timed).collect::<Result<_>>()?,
        launches: Launch::read_files(&args.launch)?,
    };
    let found = args.files.find(false)?;
    let files = found.files.clone();
    for compiler in &mut compilers {
        compiler.take(found.clone())?;
    }
    let number: usize = compilers.iter().map(|compiler| compiler.jobs(&files).len()).sum();
    let progress = Progress::with_bad_word("kernels", number, "failed");
    let mut blocks = Vec::new();
    for compiler in &compilers {
        let outcomes = compiler
            .jobs(&files)
            .par_iter()
            .map(|job| {
                let outcomes = measure(compiler, &judges, &timing, &setting, job)?;
                progress.step(outcomes.iter().any(|outcome| !outcome.failed.is_empty()));
                Ok(outcomes)
            })
            .collect::<Result<Vec<_>>>()?;
        let mut of_judges: Vec<Block> = judges.iter().map(|_| Block::default()).collect();
        for outcome in outcomes {
            of_judges.iter_mut().zip(outcome).for_each(|(block, one)| block.add(one));
        }
        for (judge, block) in judges.iter().zip(of_judges) {
            blocks.push((Pair { llvm: &compiler.llc.version, ptxas: &judge.ptxas.version }, block));
        }
    }
    progress.finish();
    let rows: Vec<&Row> = blocks.iter().flat_map(|(_, block)| &block.rows).collect();
    let is_whole = blocks.iter().all(|(_, block)| block.failed.is_empty() && block.not_compared.is_empty());
    if is_whole && !rows.is_empty() {
        time::ensure_named(&timing.launches, |kernel| rows.iter().any(|row| row.kernel == kernel))?;
    }
    report(args, &setting, &blocks)
}

/// Prints and writes all blocks; returns the exit status.
fn report(args: &Args, setting: &Setting, blocks: &[(Pair, Block)]) -> Result<ExitCode> {
    let rows: Vec<&Row> = blocks.iter().flat_map(|(_, block)| &block.rows).collect();
    args.output.write(&sheet(&rows, &Columns::of(&rows, args.ptx)), &rows)?;
    if !args.output.takes_stdout() {
        let limit = args.judge.maxrregcount.map_or(String::new(), |limit| format!(", {limit} registers"));
        let shown = blocks.iter().filter(|(_, block)| !block.rows.is_empty());
        for (number, (pair, block)) in shown.enumerate() {
            let Pair { llvm, ptxas } = pair;
            let level = args.files.level(args.compile.level);
            let line = format!("{llvm}, {level}, {ptxas}{limit}, stock > {}:", setting.name);
            println!("{}{line}", if number > 0 { "\n" } else { "" });
            print(args, block);
        }
    }
    let of_pair = |text: &str, pair: &Pair| match (blocks.len(), args.cuda.len()) {
        (1, _) => text.to_owned(),
        (_, 0 | 1) => format!("{text} ({})", pair.llvm),
        _ => format!("{text} ({}, {})", pair.llvm, pair.ptxas),
    };
    let mut notes = Vec::new();
    let mut known = BTreeSet::new();
    for (pair, block) in blocks {
        notes.extend(block.notes.iter().filter(|note| known.insert(note.as_str())).cloned());
        let refused = block.failed.iter().chain(&block.not_compared);
        notes.extend(refused.map(|note| of_pair(note, pair)));
    }
    let nothing = blocks.iter().find_map(|(pair, block)| Some(of_pair(&block.reason()?, pair)));
    // The error says it already.
    notes.retain(|note| nothing.as_ref() != Some(note));
    text::print_notes(&notes);
    if let Some(why) = nothing {
        bail!("{why}");
    }
    let fine = blocks.iter().all(|(_, block)| block.is_fine(args.strict));
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(args: &Args, block: &Block) {
    let rows: Vec<&Row> = block.rows.iter().collect();
    if !args.totals {
        println!("{}\n", sheet(&rows, &Columns::of(&rows, false)).terminal());
        if args.ptx {
            println!("{}\n", ptx_sheet(&rows).terminal());
        }
        if rows.iter().any(|row| row.launches == Some(Origin::MadeUp)) {
            println!("~ {}\n", time::MADE_UP);
        }
    }
    println!("{}\n", totals::table(&rows, text::width()));
    println!("{}", totals::counts(&rows));
    if !args.totals {
        worse(&rows).iter().for_each(|note| println!("* {note}"));
    }
    let mut line = summary(rows.iter().map(|row| row.verdict));
    for (count, what) in [(block.failed.len(), "failed"), (block.not_compared.len(), "not compared")] {
        if count > 0 {
            line.push_str(&format!("; {what}: {count}"));
        }
    }
    println!("{line}");
}

/// The most kernels that a note of one kind names; JSON and CSV have all.
const NAMED: usize = 10;

/// Names the kernels that are worse.
fn worse(rows: &[&Row]) -> Vec<String> {
    type Kind = (&'static str, fn(&Row) -> bool, fn(&Numbers) -> u64);
    let kinds: [Kind; 3] = [
        ("spills more", Row::spills_more, Numbers::spills),
        ("more registers", |row| row.ours.registers > row.stock.registers + 1, |numbers| numbers.registers),
        ("more SASS", |row| 100 * row.ours.sass > 101 * row.stock.sass, |numbers| numbers.sass),
    ];
    let mut notes = Vec::new();
    for (what, is_worse, get) in kinds {
        let found: Vec<&&Row> = rows.iter().filter(|row| is_worse(row)).collect();
        for row in found.iter().take(NAMED) {
            notes.push(format!("{what}: {}: {} > {}", row.label(), get(&row.stock), get(&row.ours)));
        }
        if found.len() > NAMED {
            let more = found.len() - NAMED;
            notes.push(format!("{what}: and {more} more; --csv and --json have all"));
        }
    }
    notes
}

fn print_settings(compiler: &Compiler) {
    let mut sheet = Sheet::new(&["setting", "options", "left out"], 3);
    for row in rows(Effort::More).into_iter().chain(promises()) {
        let known = if compiler.has(&row) { "" } else { " (not in this llc)" };
        sheet.add(vec![format!("{}{known}", row.name), row.flags.join(" "), row.without.join(" ")]);
    }
    println!("{}:\n{}", compiler.llc.version, sheet.terminal());
}

/// Predicts times.
struct Timing {
    /// If times are asked for, one for each judge, from the same folder; otherwise empty.
    tools: Vec<Cuda>,
    /// The launches that were given.
    launches: Vec<Launch>,
}

/// Compiles both sides of a file, and has each ptxas judge them.
fn measure(
    compiler: &Compiler,
    judges: &[Judge],
    timing: &Timing,
    setting: &Setting,
    job: &Job,
) -> Result<Vec<Block>> {
    let (file, input) = (job.path, compiler.read(job)?);
    let written_by_stock = compiler.compile(&input, &Setting::stock(), &[])?;
    let written_by_us = compiler.compile(&input, setting, &[])?;
    let (stock, ours) = (&written_by_stock, &written_by_us);
    let written = [stock, ours].map(|side| -> BTreeMap<String, Written> {
        let kernels = side.iter().flat_map(|module| ptx::kernels(module.text()));
        kernels.map(|(name, text)| (name.to_owned(), Written::of(text))).collect()
    });
    let text_of = |side: &Compiled| side.as_ref().map_or(String::new(), |module| module.text().to_owned());
    let complaint = wrong_widths(&text_of(stock), &text_of(ours));
    let block = |(number, judge): (usize, &Judge)| -> Result<Block> {
        let numbers = |side: &Compiled| match side {
            Ok(module) => judge.judge(module, &input.cpu),
            Err(complaint) => Ok(Err(complaint.clone())),
        };
        let mut block = Block::default();
        let stock = match numbers(stock)? {
            Ok(stock) => stock,
            Err(complaint) => {
                let why = format!("not compared, as stock's code is refused: {complaint}");
                block.not_compared.push(compiler.advise(judge, &input, &why)?);
                return Ok(block);
            }
        };
        block.notes.extend(input.notes());
        block.notes.extend(ours.iter().filter_map(|module| ptxas::debug_note(file.display(), module.text())));
        if let Some(complaint) = &complaint {
            block.failed.push(format!("{}: {}: {complaint}", file.display(), setting.name));
        }
        match numbers(ours)? {
            Ok(ours) => {
                add_rows(&mut block, compiler, judge, &input, [stock, ours], &written);
                if let Some(cuda) = timing.tools.get(number) {
                    let texts = [text_of(&written_by_stock), text_of(&written_by_us)];
                    add_times(&mut block, cuda, &input, [&texts[0], &texts[1]], &timing.launches)?;
                }
            }
            Err(complaint) => {
                block.failed.push(format!("{}: {}: {complaint}", file.display(), setting.name));
            }
        }
        Ok(block)
    };
    judges.iter().enumerate().map(block).collect()
}

/// Predicts the times of a file's rows, by given launches, those beside the file, or made-up ones.
fn add_times(
    block: &mut Block,
    cuda: &Cuda,
    input: &Input,
    texts: [&str; 2],
    launches: &[Launch],
) -> Result<()> {
    let predicted = time::predictions(cuda, &input.path, texts, &input.cpu, launches, false)?;
    for own in &mut block.rows {
        let row = predicted.iter().find(|row| row.kernel == own.kernel);
        if let Some((row, prediction)) = row.and_then(|row| Some((row, row.prediction.as_ref()?))) {
            (own.time, own.launches) = (Some(prediction.ratio), Some(row.origin));
            continue;
        }
        let why = row.map_or("there is no launch of it", |row| row.error.as_deref().unwrap_or_default());
        block.notes.push(format!("{}: its time is not predicted: {why}", own.label()));
    }
    Ok(())
}

/// Names the first register of our text whose width its instruction does not allow, unless stock's
/// text has the same error.
fn wrong_widths(stock: &str, ours: &str) -> Option<String> {
    let [stock, ours] = [stock, ours].map(types::check);
    let wrong = ours.beyond(&stock);
    let more = match wrong.len().saturating_sub(1) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Some(format!("a register of a wrong width, {}{more}", wrong.first()?))
}

/// Adds a row for each kernel of stock's.
fn add_rows(
    block: &mut Block,
    compiler: &Compiler,
    judge: &Judge,
    input: &Input,
    [stock, mut ours]: [BTreeMap<String, Numbers>; 2],
    written: &[BTreeMap<String, Written>; 2],
) {
    let file = inputs::name_of(&input.path);
    for (kernel, stock) in stock {
        let Some(ours) = ours.remove(&kernel) else {
            block.failed.push(format!("{file}: kernel {kernel} is missing with the plugin"));
            continue;
        };
        let (verdict, why) = compare(&stock, &ours);
        let [stock_ptx, our_ptx] =
            written.each_ref().map(|side| side.get(&kernel).cloned().unwrap_or_default());
        block.rows.push(Row {
            file: file.clone(),
            kernel,
            llvm: compiler.llc.version.clone(),
            ptxas: judge.ptxas.version.clone(),
            cpu: input.cpu.clone(),
            stock,
            ours,
            verdict,
            why,
            ptx: Ptx { stock: stock_ptx, ours: our_ptx },
            time: None,
            launches: None,
        });
    }
}

/// The columns that compare two compilations of a kernel.
pub const CHANGES: [&str; 4] = ["registers", "spills", "SASS", "occupancy %"];

/// The cells for [`CHANGES`].
pub fn changes(old: &Numbers, new: &Numbers) -> Vec<String> {
    vec![
        change(old.registers, new.registers),
        change(old.spills(), new.spills()),
        change(old.sass, new.sass),
        change(old.occupancy(), new.occupancy()),
    ]
}

type Count = fn(&Written) -> u64;

/// The columns for the PTX.
const WRITTEN: [(&str, Count); 5] = [
    ("reg-reg", |ptx| ptx.moves),
    ("imm", |ptx| ptx.immediates),
    ("moves", |ptx| ptx.all_moves),
    ("instr", |ptx| ptx.instructions),
    ("vregs", |ptx| ptx.virtual_registers),
];

type Name = fn(&Row) -> &String;

/// The columns that only some tables have.
#[derive(Default)]
struct Columns {
    /// The versions and processors, if the rows have several.
    made_with: Vec<(&'static str, Name)>,
    ptx: bool,
    /// Whether there is a column for the predicted time: a row has one.
    time: bool,
}

impl Columns {
    /// The columns of a table that holds several blocks.
    fn of(rows: &[&Row], ptx: bool) -> Self {
        let names: [(&str, Name); 3] =
            [("llvm", |row| &row.llvm), ("ptxas", |row| &row.ptxas), ("cpu", |row| &row.cpu)];
        let differs = |(_, name): &(&str, Name)| {
            let mut names = rows.iter().map(|row| name(row));
            names.next().is_some_and(|first| names.any(|other| other != first))
        };
        let time = rows.iter().any(|row| row.time.is_some());
        Columns { made_with: names.into_iter().filter(differs).collect(), ptx, time }
    }
}

/// The cells for [`WRITTEN`].
fn written(row: &Row) -> impl Iterator<Item = String> + '_ {
    WRITTEN.iter().map(|(_, get)| change(get(&row.ptx.stock), get(&row.ptx.ours)))
}

/// The columns of PTX alone: all columns together are too wide for a terminal.
fn ptx_sheet(rows: &[&Row]) -> Sheet {
    let header: Vec<&str> = ["file", "kernel"].into_iter().chain(WRITTEN.map(|column| column.0)).collect();
    let mut sheet = Sheet::new(&header, 2);
    for row in rows {
        sheet.add([row.file.clone(), row.kernel.clone()].into_iter().chain(written(row)).collect());
    }
    sheet
}

/// The mark of a time that is predicted for made-up launches.
fn mark(row: &Row) -> &'static str {
    row.launches.map_or("", Origin::mark)
}

fn sheet(rows: &[&Row], columns: &Columns) -> Sheet {
    let mut header: Vec<&str> = columns.made_with.iter().map(|column| column.0).collect();
    header.extend(["file", "kernel", "verdict", "why"]);
    let left = header.len();
    header.extend(CHANGES);
    if columns.time {
        header.push("predicted time");
    }
    if columns.ptx {
        header.extend(WRITTEN.map(|column| column.0));
    }
    let mut sheet = Sheet::new(&header, left);
    for row in rows {
        let mut line: Vec<String> = columns.made_with.iter().map(|(_, name)| name(row).clone()).collect();
        line.extend([row.file.clone(), row.kernel.clone(), row.verdict.to_string(), row.why.clone()]);
        line.extend(changes(&row.stock, &row.ours));
        if columns.time {
            line.push(row.time.map_or(String::new(), |time| format!("{}{time:.3}", mark(row))));
        }
        if columns.ptx {
            line.extend(written(row));
        }
        sheet.add(line);
    }
    sheet
}

/// The number of kernels with each verdict.
pub fn summary(verdicts: impl Iterator<Item = Judgement>) -> String {
    let mut counts: BTreeMap<Judgement, usize> = BTreeMap::new();
    let mut all = 0;
    for verdict in verdicts {
        *counts.entry(verdict).or_default() += 1;
        all += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    format!(
        "{}: {}",
        counted(all, "kernel"),
        if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_of_a_wrong_width_is_a_failure() {
        let text = |register: &str| {
            let head = ".address_size 64\n.visible .entry k(\n)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n";
            format!("{head}st.global.b32 [{register}], %r2;\nst.global.b32 [{register}], %r3;\n}}\n")
        };
        let complaint = wrong_widths(&text("%rd1"), &text("%r1")).expect("a complaint");
        let expected = "a register of a wrong width, line 7, function k: %r1 has 32 bits; operand 1 of st.global.b32 needs 64 bits";
        assert!(complaint.starts_with(expected) && complaint.ends_with("; and 1 more"), "{complaint}");
        assert_eq!(wrong_widths(&text("%r1"), &text("%r1")), None, "stock's has it as well");
    }

    fn numbers(registers: u64, sass: u64, spill_loads: u64) -> Numbers {
        Numbers { registers, sass, spill_loads, warps: 64, max_warps: 64, ..Numbers::default() }
    }

    /// A row; the tests of totals use it too.
    pub fn row(kernel: &str, stock: Numbers, ours: Numbers) -> Row {
        let (verdict, why) = compare(&stock, &ours);
        Row {
            file: "f.ll".to_owned(),
            kernel: kernel.to_owned(),
            llvm: "LLVM version 22.1.8".to_owned(),
            ptxas: "13.0".to_owned(),
            cpu: "sm_80".to_owned(),
            stock,
            ours,
            verdict,
            why,
            ptx: Ptx::default(),
            time: None,
            launches: None,
        }
    }

    #[test]
    fn a_time_for_launches_that_are_made_up_is_marked() {
        let row = row("k", numbers(10, 1, 0), numbers(10, 1, 0));
        let cell = |launches| {
            let row = Row { time: Some(0.9), launches: Some(launches), ..row.clone() };
            sheet(&[&row], &Columns::of(&[&row], false))
                .csv()
                .trim_end()
                .rsplit(',')
                .next()
                .map(str::to_owned)
        };
        assert_eq!(cell(Origin::MadeUp).as_deref(), Some("~0.900"));
        assert_eq!(cell(Origin::Given).as_deref(), Some("0.900"));
    }

    #[test]
    fn tables_fit_in_the_width() {
        let mut row = row(&"_X".repeat(90), numbers(255, 1_000_000, 20_000), numbers(254, 999_999, 20_000));
        row.file = format!("{}.ll", "deep/".repeat(30));
        row.why = "spills, occupancy, registers, SASS".to_owned();
        row.ptx.stock.instructions = 100_000;
        let [table, ptx] =
            [sheet(&[&row], &Columns::default()), ptx_sheet(&[&row])].map(|s| s.text(Some(text::WIDTH)));
        for table in [&table, &ptx] {
            let fits = |line: &str| line.chars().count() <= usize::from(text::WIDTH);
            assert!(table.lines().all(fits), "{table}");
        }
        assert!(table.contains("255 > 254"), "{table}");
        assert!(ptx.contains("100000 > 0") && !table.contains("instr"), "{ptx}");
    }

    #[test]
    fn columns_say_what_the_rows_differ_in() {
        let one = row("k", numbers(10, 1, 0), numbers(10, 1, 0));
        let other = Row { llvm: "LLVM version 17.0.6".to_owned(), cpu: "sm_90a".to_owned(), ..one.clone() };
        let head = |rows: &[&Row]| {
            sheet(rows, &Columns::of(rows, false)).csv().lines().next().unwrap_or("").to_owned()
        };
        assert_eq!(head(&[&one]), "file,kernel,verdict,why,registers,spills,SASS,occupancy %");
        assert_eq!(head(&[&one, &other]), format!("llvm,cpu,{}", head(&[&one])));
        let with_ptx = sheet(&[&one], &Columns::of(&[&one], true)).csv();
        assert!(
            with_ptx.starts_with(&format!("{},reg-reg,imm,moves,instr,vregs\n", head(&[&one]))),
            "{with_ptx}"
        );
    }

    #[test]
    fn lost_kernels_fail_and_spilling_ones_if_strict() {
        let block =
            |ours: Numbers| Block { rows: vec![row("k", numbers(10, 5, 4), ours)], ..Block::default() };
        let same = block(numbers(10, 5, 4));
        assert!(same.is_fine(true));
        let spilling = block(numbers(10, 5, 8));
        assert!(spilling.is_fine(false) && !spilling.is_fine(true));
        let lost = Block { failed: vec!["f.ll: no".to_owned()], ..Block::default() };
        assert!(!lost.is_fine(false) && lost.reason().is_none());
        let mut refused = Block { not_compared: vec!["f.ll: no".to_owned()], ..Block::default() };
        assert_eq!(refused.reason().as_deref(), Some("f.ll: no"));
        refused.add(same);
        assert!(refused.is_fine(true) && refused.reason().is_none());
        assert!(Block::default().reason().expect("nothing").contains("no kernel in the input; a kernel is"));
    }

    #[test]
    fn the_worse_are_named_up_to_a_number() {
        let worse_one = row("k", numbers(10, 100, 0), numbers(12, 102, 8));
        let notes = worse(&[&worse_one]);
        assert_eq!(
            notes,
            [
                "spills more: f.ll: k: 0 > 8",
                "more registers: f.ll: k: 10 > 12",
                "more SASS: f.ll: k: 100 > 102"
            ]
        );
        let many = vec![&worse_one; NAMED + 2];
        assert_eq!(worse(&many).len(), 3 * (NAMED + 1));
        assert!(worse(&many)[NAMED].starts_with("spills more: and 2 more"));
        let nearly = row("k", numbers(10, 100, 0), numbers(11, 101, 0));
        assert!(worse(&[&nearly]).is_empty());
    }

    #[test]
    fn tensor_cores() {
        assert!(Written::of("wgmma.mma_async.sync.aligned.m64n8k16 x;").tensor_cores);
        assert!(Written::of("wmma.mma.sync.aligned.row x;").tensor_cores);
        assert!(!Written::of("fma.rn.f32 x;").tensor_cores);
    }

    #[test]
    fn unknown_settings_have_a_near_one() {
        assert_eq!(named("pressure").expect("it is there").flags, ["-ptx-emit-order=pressure"]);
        let error = named("no-hoisting").expect_err("no such one").to_string();
        assert!(error.contains("no-hoisting (is it no-hoist?)"), "{error}");
    }

    #[test]
    fn counts() {
        let verdicts = [Judgement::Same, Judgement::Better, Judgement::Same];
        assert_eq!(summary(verdicts.into_iter()), "3 kernels: 1 better, 2 same");
    }
}
