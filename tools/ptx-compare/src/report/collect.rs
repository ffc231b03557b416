//! Compiles the inputs on both sides and collects what the page shows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use ptx_emu::ptx;
use ptx_emu::ptx::parse::{self, Function};

use super::listing::{self, Files};
use super::liveness::{self, Liveness};
use super::model::{
    Comparison, Detail, Kernel, Listing, Numbers, Predicted, Ranges, Remark, Sides, Stage, Time,
};
use super::registers::{Facts, Peak};
use super::time::Timing;
use super::{drawing, loops, mix, remarks, stages};
use crate::complaint::Complaint;
use crate::cubin::{Lines, Tables};
use crate::inputs::{self, NO_KERNEL};
use crate::llc::Side;
use crate::measure::setting::Setting;
use crate::measure::{self, judgement, Compiler, Input, Job, Judge};
use crate::ptxas::{self, KernelUsage, Usage};
use crate::text::demangled;
use crate::time::compare::Row;

/// The plugin's passes that emit remarks.
const REMARKS_OF: &str = "^(liveintervals|nvptx-coalescer|twoaddressinstruction)$";

/// The tools and the options.
pub struct Collector<'a> {
    pub compiler: &'a Compiler,
    pub judge: &'a Judge<'a>,
    /// The setting that our side is compiled under.
    pub setting: &'a Setting,
    /// `None` unless times are asked for.
    pub timing: Option<&'a Timing>,
}

/// The kernels of a file, or why it has none.
pub struct Collected {
    pub outcome: Result<Vec<(Kernel, Detail)>, Complaint>,
    /// Further notes.
    pub notes: Vec<String>,
    /// The source files, in the order of their numbers in the details.
    pub files: Files,
}

/// One compiled side of a file.
struct Output {
    /// The side's name.
    side: &'static str,
    module: ptx::module::Module,
    usage: Usage,
    numbers: BTreeMap<String, measure::Numbers>,
    /// SASS with live registers.
    sass: Arc<str>,
    /// The lines that it comes from.
    tables: Arc<Tables>,
    stages: BTreeMap<String, Vec<Stage>>,
    remarks: String,
    drawing: String,
}

impl Collector<'_> {
    /// Compiles a file on both sides. An error is one of this program or its tools; a problem with
    /// the file is an outcome.
    pub fn collect(&self, job: &Job) -> Result<Collected> {
        let input = self.compiler.read(job)?;
        let mut files = Files::default();
        let stock = Setting::stock();
        let sides = [&stock, self.setting];
        let stock = self.compile(&input, sides[0], None)?;
        let ours = self.compile(&input, sides[1], stock.as_ref().ok())?;
        let outcome = match (&stock, &ours) {
            (Ok(stock), Ok(ours)) => {
                let texts = [stock.module.text(), ours.module.text()];
                let rows = match self.timing {
                    Some(timing) => Some(timing.rows(&input.path, texts, &input.cpu)?),
                    None => None,
                };
                kernels(&input, stock, ours, rows.as_ref(), &mut files)?
            }
            (Err(why), _) => Err(self.complaint(&input, sides[0], why)?),
            (_, Err(why)) => Err(self.complaint(&input, sides[1], why)?),
        };
        let notes = if outcome.is_ok() { input.notes() } else { Vec::new() };
        Ok(Collected { outcome, notes, files })
    }

    fn complaint(&self, input: &Input, setting: &Setting, why: &Complaint) -> Result<Complaint> {
        let advised = self.compiler.advise(self.judge, input, format!("{}: {why}", setting.name))?;
        Ok(advised.into())
    }

    /// Compiles a side. If `other` has the same text, its SASS listing is reused.
    fn compile(
        &self,
        input: &Input,
        setting: &Setting,
        other: Option<&Output>,
    ) -> Result<Result<Output, Complaint>> {
        let dir = tempfile::tempdir().context("temporary directory")?;
        let path = |name: &str| dir.path().join(name);
        let flags = match setting.side() {
            Side::Stock => Vec::new(),
            Side::Plugin => vec![
                format!("-ptx-stats-json={}", path("stats").display()),
                format!("-ptx-live-ranges={}", path("ranges").display()),
                format!("-ptx-stage-code={}", path("code").display()),
                format!("-pass-remarks-output={}", path("remarks").display()),
                format!("-pass-remarks-filter={REMARKS_OF}"),
            ],
        };
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let module = match self.compiler.compile(input, setting, &flags)? {
            Ok(module) => module,
            Err(complaint) => return Ok(Err(complaint)),
        };
        let listed = match other.filter(|other| other.module.text() == module.text()) {
            Some(other) => Ok((other.usage.clone(), other.sass.clone(), other.tables.clone())),
            None => self
                .judge
                .ptxas
                .list(module.text(), &input.cpu)?
                .map(|(usage, sass, tables)| (usage, Arc::from(sass), Arc::new(tables))),
        };
        let (usage, sass, tables) = match listed {
            Ok(listed) => listed,
            Err(complaint) => return Ok(Err(complaint)),
        };
        let written = |name| match setting.side() {
            // The plugin writes no file if there is no function.
            Side::Plugin if path(name).exists() => {
                fs::read_to_string(path(name)).with_context(|| format!("the plugin's {name}"))
            }
            _ => Ok(String::new()),
        };
        let stats = written("stats")?;
        let mut stages = if stats.is_empty() { BTreeMap::new() } else { stages::parse(&stats)? };
        let code = written("code")?;
        if !code.is_empty() {
            stages::add_code(&code, &mut stages)?;
        }
        Ok(Ok(Output {
            side: match setting.side() {
                Side::Stock => "stock",
                Side::Plugin => "ptxpasses",
            },
            numbers: self.judge.numbers(&module, &usage, &input.cpu),
            usage,
            sass,
            tables,
            stages,
            remarks: written("remarks")?,
            drawing: written("ranges")?,
            module,
        }))
    }
}

/// Joins both sides of each kernel. `rows` are predicted times, if they are asked for.
fn kernels(
    input: &Input,
    stock: &Output,
    ours: &Output,
    rows: Option<&BTreeMap<String, Row>>,
    files: &mut Files,
) -> Result<Result<Vec<(Kernel, Detail)>, Complaint>> {
    let file = inputs::name_of(&input.path);
    if stock.usage.kernels.is_empty() {
        return Ok(Err(format!("{file}: {NO_KERNEL}").into()));
    }
    let [stock_module, our_module] = [stock, ours].map(Module::new);
    let mut kernels = Vec::new();
    for KernelUsage { name, .. } in &stock.usage.kernels {
        let (Some(old), Some(new)) = (stock.numbers.get(name), ours.numbers.get(name)) else {
            return Ok(Err(format!("{file}: kernel {name} is missing with the plugin").into()));
        };
        let mut detail = Detail::default();
        let stock_side = stock_module.side(name, files, &mut detail.notes);
        let our_side = our_module.side(name, files, &mut detail.notes);
        let (verdict, why) = judgement::compare(old, new);
        if let Some(row) = rows.map(|rows| rows.get(name)) {
            let sass = [&stock_side.sass, &our_side.sass];
            let predicted = row.and_then(|row| Some((row, row.prediction.as_ref()?)));
            detail.time = predicted.map(|(row, prediction)| Time::new(row, prediction, sass));
            if detail.time.is_none() {
                let none = "there is no launch of it";
                let why = row.map_or(none, |row| row.error.as_deref().unwrap_or_default());
                detail.notes.push(format!("its time is not predicted: {why}"));
            }
        }
        let predicted =
            detail.time.as_ref().map(|time| Predicted { ratio: time.ratio, made_up: time.made_up });
        let kernel = Kernel {
            name: name.clone(),
            shown: demangled(name),
            file: file.clone(),
            target: input.cpu.clone(),
            block: new.block,
            verdict,
            why,
            predicted,
            stock: stock_side.numbers(old),
            ours: our_side.numbers(new),
        };
        let explain = |side: &KernelSide, numbers: &measure::Numbers| {
            Facts::new(side.peak, &side.sass, numbers.registers, numbers.spills()).text()
        };
        let registers = Sides { stock: explain(&stock_side, old), ours: explain(&our_side, new) };
        let called = our_side.functions;
        detail.sass = listing::compare(stock_side.sass, our_side.sass);
        detail.ptx = listing::compare(stock_side.ptx, our_side.ptx);
        detail.ranges = Sides { stock: stock_side.ranges, ours: our_side.ranges };
        detail.stages = called.iter().flat_map(|name| ours.stages.get(name)).flatten().cloned().collect();
        detail.drawing = drawing::of(&ours.drawing, name).unwrap_or_default();
        let mut all: BTreeMap<String, Vec<Remark>> = remarks::parse(&ours.remarks, files)?;
        detail.remarks =
            remarks::folded(called.iter().filter_map(|name| all.remove(name)).flatten().collect());
        detail.registers = registers;
        kernels.push((kernel, detail));
    }
    Ok(Ok(kernels))
}

/// A side's module, read once for all kernels.
struct Module<'a> {
    output: &'a Output,
    lines: Vec<&'a str>,
    numbers: BTreeMap<&'a str, usize>,
    functions: BTreeMap<String, Function>,
    files: HashMap<u32, String>,
}

/// One side of a kernel.
struct KernelSide {
    ptx: Listing,
    sass: Listing,
    ranges: Ranges,
    stats: ptx::Stats,
    pressure: Option<u32>,
    /// The peak of the function that has the highest one.
    peak: Option<Peak>,
    /// The kernel and the functions that it calls.
    functions: Vec<String>,
}

impl KernelSide {
    fn numbers(&self, numbers: &measure::Numbers) -> Numbers {
        Numbers {
            registers: numbers.registers,
            spills: numbers.spills(),
            stack: numbers.stack,
            sass: numbers.sass,
            occupancy: f64::from(numbers.warps) / f64::from(numbers.max_warps.max(1)),
            instructions: self.stats.instructions,
            moves: self.stats.moves.total(),
            virtual_registers: self.stats.register_total(),
            pressure: self.pressure,
        }
    }
}

impl<'a> Module<'a> {
    fn new(output: &'a Output) -> Self {
        let text = output.module.text();
        let functions = parse::parse(text).into_iter().map(|function| (function.name.clone(), function));
        let numbers = output.module.functions.iter().enumerate();
        Module {
            output,
            lines: text.lines().collect(),
            numbers: numbers.map(|(number, function)| (function.name.as_str(), number)).collect(),
            functions: functions.collect(),
            files: listing::files(text),
        }
    }

    fn side(&self, kernel: &str, files: &mut Files, notes: &mut Vec<String>) -> KernelSide {
        let mut side = KernelSide {
            ptx: Listing::default(),
            sass: Listing::default(),
            ranges: Ranges::default(),
            stats: ptx::Stats::default(),
            pressure: None,
            peak: None,
            functions: self.called(kernel),
        };
        for name in &side.functions {
            let (Some(&number), Some(function)) = (self.numbers.get(name.as_str()), self.functions.get(name))
            else {
                continue;
            };
            let lines = self.output.module.lines(number);
            let mut text = listing::ptx(&self.lines, lines, &self.files, files);
            match &function.problem {
                None => {
                    let live: Liveness = liveness::analyse(function);
                    text.add_pressure(function, &live);
                    let most = live.pressure.iter().map(|at| at.words).max().unwrap_or(0);
                    if Some(most) > side.pressure {
                        side.pressure = Some(most);
                        side.peak = Some(Peak::of(function, &live));
                    }
                    if name == kernel {
                        side.ranges = text.ranges(function, &live);
                    }
                }
                Some(why) => {
                    notes.push(format!("no live registers of {name}'s PTX: {why} is not understood"))
                }
            }
            append(&mut side.ptx, text.listing);
        }
        if let Some(&number) = self.numbers.get(kernel) {
            side.stats = ptx::analyse(self.output.module.function(number));
        }
        let text = ptxas::section(&self.output.sass, kernel).unwrap_or("");
        let tables = &self.output.tables;
        let none = Lines::default();
        let lines = tables.functions.get(kernel).unwrap_or(&none);
        side.sass = listing::sass(text, lines, &tables.files, &side.ptx, files);
        side.ptx.loops = loops::of(&side.ptx.lines);
        side.sass.loops = loops::of(&side.sass.lines);
        side.sass.mixes = mix::mixes(&side.sass);
        if side.sass.ptx.iter().all(|&line| line == 0) && !side.sass.lines.is_empty() {
            notes.push(format!(
                "no links between PTX and SASS of {}: ptxas has written no lines",
                self.output.side
            ));
        }
        side
    }

    /// The function and those of the module that it calls, directly or not.
    fn called(&self, kernel: &str) -> Vec<String> {
        let mut found = vec![kernel.to_owned()];
        let mut known: BTreeSet<&str> = BTreeSet::from([kernel]);
        let mut next = 0;
        while next < found.len() {
            if let Some(function) = self.functions.get(&found[next]) {
                for callee in
                    function.code.iter().filter(|i| i.opcode.starts_with("call")).flat_map(|i| &i.operands)
                {
                    let parse::Operand::Symbol(name, _) = callee else { continue };
                    if let Some((name, _)) =
                        self.functions.get_key_value(name).filter(|(name, _)| known.insert(name))
                    {
                        found.push(name.clone());
                    }
                }
            }
            next += 1;
        }
        found
    }
}

/// Appends a listing to another one that has no loops and links yet.
fn append(into: &mut Listing, mut more: Listing) {
    // A listing has places for all of its lines or for none.
    let pad = |places: &mut Vec<[u32; 2]>, to: usize| places.resize(to, [0, 0]);
    if !(into.places.is_empty() && more.places.is_empty()) {
        pad(&mut into.places, into.lines.len());
        pad(&mut more.places, more.lines.len());
    }
    into.lines.append(&mut more.lines);
    into.numbers.append(&mut more.numbers);
    into.live.append(&mut more.live);
    into.predicates.append(&mut more.predicates);
    into.places.append(&mut more.places);
}

/// Renumbers the places of a detail: its file's sources have other numbers on the page.
pub fn renumber(detail: &mut Detail, numbers: &[u32]) {
    let renumber = |place: &mut [u32; 2]| {
        if place[0] > 0 {
            place[0] = numbers[place[0] as usize - 1];
        }
    };
    let sides = |comparison: &mut Comparison| {
        comparison.sides.stock.places.iter_mut().for_each(renumber);
        comparison.sides.ours.places.iter_mut().for_each(renumber);
    };
    sides(&mut detail.ptx);
    sides(&mut detail.sass);
    detail.remarks.iter_mut().flat_map(|remark| &mut remark.places).for_each(renumber);
}

/// The text of a source file that debug information names: at its path, or beside the input.
pub fn source_text(name: &str, beside: &[PathBuf]) -> Option<String> {
    let name = Path::new(name);
    let mut candidates = vec![name.to_owned()];
    if let Some(base) = name.file_name() {
        candidates.extend(beside.iter().map(|folder| folder.join(base)));
    }
    candidates.iter().find_map(|path| fs::read_to_string(path).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_page() {
        let mut detail = Detail::default();
        detail.ptx.sides.ours.places = vec![[0, 0], [1, 7], [2, 9]];
        renumber(&mut detail, &[5, 6]);
        assert_eq!(detail.ptx.sides.ours.places, [[0, 0], [5, 7], [6, 9]]);
    }

    #[test]
    fn a_listing_without_places_after_one_with() {
        let listing =
            |places: Vec<[u32; 2]>| Listing { lines: vec!["a".into()], places, ..Listing::default() };
        let mut both = listing(vec![[1, 2]]);
        append(&mut both, listing(Vec::new()));
        assert_eq!(both.places, [[1, 2], [0, 0]]);
        let mut none = listing(Vec::new());
        append(&mut none, listing(Vec::new()));
        assert!(none.places.is_empty());
    }
}
