//! Measures one file: everything that is needed to choose without llc and ptxas.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use anyhow::Result;
use ptx_emu::ptx::module::{Function, Module};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::clock::{Clock, Times};
use super::codes::Codes;
use super::on_gpu::OnGpu;
use super::stop::Stop;
use crate::complaint::Complaint;
use crate::inputs;
use crate::measure::identity::Definitions;
use crate::measure::setting::{Setting, DEFAULT, STOCK};
use crate::measure::{Compiler, Input, Judge, Numbers};
use crate::ptxas::{self, Kept, Usage};
use crate::text::counted;
use crate::time::{again, tried_part, Alone, Listings, Machined};

/// One file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its name: [`inputs::name_of`].
    pub file: String,
    pub cpu: String,
    pub notes: Vec<String>,
    /// Why it could not be compiled, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// Why all kernels come from one setting, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tied: Option<String>,
    /// The groups of kernels that must come from one setting.
    pub groups: Vec<Vec<String>>,
    pub kernels: BTreeMap<String, Kernel>,
    /// By setting, the complaint of llc or ptxas.
    pub refused: BTreeMap<String, String>,
    /// The settings that were not measured for lack of time.
    pub unmeasured: Vec<String>,
    /// The `.version` that ptxas wants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted_version: Option<String>,
}

/// One kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// The hash of its IR.
    pub hash: String,
    /// The numbers by setting.
    pub numbers: BTreeMap<String, Numbers>,
    /// Predicted times by setting, where the cost asks for them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub times: BTreeMap<String, Alone>,
    /// Measured times, where a GPU was asked.
    #[serde(default, skip_serializing_if = "OnGpu::is_empty")]
    pub on_gpu: OnGpu,
    /// Whether a GPU was asked and could not measure it: then it keeps the default.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_default: bool,
}

/// A text for ptxas: the functions of some groups, from the module of one setting.
struct Question {
    setting: usize,
    groups: Vec<usize>,
}

/// The distinct texts of a file's groups of functions. The first question is all of the default's.
struct Questions<'a> {
    settings: &'a [Setting],
    /// The module of each setting, if it has one.
    modules: &'a [Option<Module>],
    groups: &'a [Vec<usize>],
    all: Vec<Question>,
    /// For each setting and group, the question that answers it. Empty for settings without a module.
    of: Vec<Vec<usize>>,
}

/// ptxas' answer.
struct Answer {
    numbers: BTreeMap<String, Numbers>,
    complaint: Option<String>,
    wanted_version: Option<String>,
    /// The machine code of the whole text, if ptxas has compiled it and it is to be timed.
    cubin: Option<Vec<u8>>,
}

/// A question whose whole text ptxas has compiled.
struct Compiled {
    question: usize,
    cubin: Vec<u8>,
}

/// Compiles a file under every setting, asks ptxas about each distinct code once, and records the
/// answers.
///
/// Most settings leave most kernels unchanged. So ptxas gets only those groups of functions whose
/// text, or whose frame, no earlier setting has had. With a clock, the times of
/// the same texts are predicted. `codes` gets the machine codes that a GPU can time.
pub fn measure(
    compiler: &Compiler,
    judge: &Judge,
    clock: Option<&Clock>,
    settings: &[Setting],
    path: &Path,
    stop: &Stop,
    codes: &mut Codes,
) -> Result<Record> {
    let input = compiler.input(path)?;
    let mut record = Record {
        file: inputs::name_of(path),
        cpu: input.cpu.clone(),
        notes: input.notes(),
        ..Record::default()
    };
    let modules = compile_all(compiler, settings, &input, stop, &mut record)?;
    let Some(Some(first)) = modules.first() else {
        record.failed = match record.refused.remove(DEFAULT) {
            Some(complaint) => Some(compiler.advise(judge, &input, &complaint)?),
            None => None,
        };
        return Ok(record);
    };
    record.notes.extend(ptxas::debug_note(&record.file, first.text()));
    let definitions = Definitions::of(&input);
    for kernel in first.functions.iter().filter(|function| function.is_kernel) {
        let hash = definitions.hash(&kernel.name, &input.cpu);
        record.kernels.insert(kernel.name.clone(), Kernel { hash, ..Kernel::default() });
    }
    let groups = groups(first, &modules, settings, &mut record);
    let questions = Questions::new(settings, &modules, &groups);
    let compiled = ask(judge, clock.is_some(), &questions, stop, &mut record)?;
    if let Some(clock) = clock {
        match clock.launches(path, |kernel| record.kernels.contains_key(kernel)) {
            Ok(launches) => {
                let of_kernels = questions.functions().filter(|(_, _, function)| function.is_kernel);
                codes.belong_to(
                    launches,
                    of_kernels.map(|(setting, question, function)| (&*function.name, &**setting, question)),
                );
                predict(clock, judge.ptxas.kept, &questions, compiled, stop, &mut record, codes)?;
            }
            Err(why) => {
                record.failed = Some(format!("{why:#}"));
                return Ok(record);
            }
        }
    }
    let has_no_numbers = record.kernels.values().any(|kernel| !kernel.numbers.contains_key(DEFAULT));
    if let Some(complaint) = record.refused.get(DEFAULT).filter(|_| has_no_numbers) {
        record.failed = Some(compiler.advise(judge, &input, complaint)?);
    }
    Ok(record)
}

/// The modules by setting; `None` where llc rejects the file or the time is up.
fn compile_all(
    compiler: &Compiler,
    settings: &[Setting],
    input: &Input,
    stop: &Stop,
    record: &mut Record,
) -> Result<Vec<Option<Module>>> {
    let plain = |setting: &Setting| stop.unless(|| compiler.compile(input, setting, &[]));
    // The default's proven code will be written, unless another setting is chosen. What it says of loops tells settings that change nothing.
    let default = || stop.unless(|| compiler.compile_proven(input, &settings[0]));
    let stock = || settings.get(1).map(plain).transpose();
    let (default, stock) = rayon::join(default, stock);
    let (default, loops) = match default? {
        Some(Ok((module, loops))) => (Some(Ok(module)), loops),
        // A miscompile that the proof finds is a matter of choosing.
        Some(Err(_)) => (plain(&settings[0])?, None),
        None => (None, None),
    };
    let same = |setting: &Setting| match (&default, loops) {
        (Some(Ok(module)), Some(loops)) if loops.make_equal(setting) => Some(module.text().to_owned()),
        _ => None,
    };
    let others = settings.par_iter().skip(2).map(|setting| match same(setting) {
        Some(text) => Ok(Some(Ok(Module::new(text)))),
        None => plain(setting),
    });
    let others = others.collect::<Result<Vec<_>>>()?;
    let compiled = std::iter::once(default).chain(stock?).chain(others);
    let mut modules = Vec::new();
    for (setting, compiled) in settings.iter().zip(compiled) {
        modules.push(match compiled {
            Some(Ok(module)) => Some(module),
            Some(Err(complaint)) => {
                record.refused.insert(setting.name.clone(), complaint.into());
                None
            }
            None => {
                record.unmeasured.push(setting.name.clone());
                None
            }
        });
    }
    Ok(modules)
}

/// The groups of functions; a single one if the modules cannot be mixed.
fn groups(
    first: &Module,
    modules: &[Option<Module>],
    settings: &[Setting],
    record: &mut Record,
) -> Vec<Vec<usize>> {
    let frame = first.frame();
    let differs = |module: &Module| module.frame() != frame || module.groups() != first.groups();
    let other = modules.iter().zip(settings).find(|(module, _)| module.as_ref().is_some_and(differs));
    let other = other.map(|(_, setting)| {
        format!(
            "what is around the functions, globals or debug information, differs between default and {}",
            setting.name
        )
    });
    record.tied = first.tied.clone().or(other).filter(|_| record.kernels.len() > 1);
    let groups = match record.tied {
        Some(_) => vec![(0..first.functions.len()).collect()],
        None => first.groups(),
    };
    for group in &groups {
        let kernels =
            group.iter().map(|&number| &first.functions[number]).filter(|function| function.is_kernel);
        let names: Vec<String> = kernels.map(|function| function.name.clone()).collect();
        if !names.is_empty() {
            record.groups.push(names);
        }
    }
    groups
}

/// The text of a group's functions; the whole text if the group is the whole module.
fn group_text(module: &Module, group: &[usize]) -> String {
    if group.len() == module.functions.len() {
        return module.text().to_owned();
    }
    group.iter().map(|&number| module.function(number)).collect()
}

impl<'a> Questions<'a> {
    fn new(
        settings: &'a [Setting],
        modules: &'a [Option<Module>],
        groups: &'a [Vec<usize>],
    ) -> Questions<'a> {
        // Which question a group's text is part of.
        let mut asked: HashMap<String, usize> = HashMap::new();
        let mut questions = Questions { settings, modules, groups, all: Vec::new(), of: Vec::new() };
        for (setting, module) in modules.iter().enumerate() {
            let mut own = Vec::new();
            if let Some(module) = module {
                let mut new = Question { setting, groups: Vec::new() };
                for (number, group) in groups.iter().enumerate() {
                    let question = *asked.entry(group_text(module, group)).or_insert_with(|| {
                        new.groups.push(number);
                        questions.all.len()
                    });
                    own.push(question);
                }
                if !new.groups.is_empty() {
                    questions.all.push(new);
                }
            }
            questions.of.push(own);
        }
        questions
    }

    /// The questions that answer for a setting.
    fn of_setting(&self, name: &str) -> HashSet<usize> {
        let own = self.settings.iter().zip(&self.of).filter(|(setting, _)| setting.name == name);
        own.flat_map(|(_, own)| own).copied().collect()
    }

    /// The functions of each setting's groups: the name of the setting, the question, the function.
    fn functions(&self) -> impl Iterator<Item = (&'a String, usize, &'a Function)> + '_ {
        self.of.iter().enumerate().flat_map(move |(setting, own)| {
            let module = self.modules[setting].as_ref();
            let groups = self.groups.iter().zip(own);
            groups.flat_map(move |(group, &question)| {
                let functions = module
                    .into_iter()
                    .flat_map(|module| group.iter().map(|&number| &module.functions[number]));
                functions.map(move |function| (&self.settings[setting].name, question, function))
            })
        })
    }
}

/// Asks ptxas all questions. Returns the machine codes of whole texts that it has compiled. `is_timed`: their times will be predicted.
fn ask(
    judge: &Judge,
    is_timed: bool,
    questions: &Questions,
    stop: &Stop,
    record: &mut Record,
) -> Result<Vec<Compiled>> {
    let answers = questions.all.par_iter().map(|question| {
        let Some(module) = &questions.modules[question.setting] else { return Ok(None) };
        stop.unless(|| answer(judge, is_timed, module, questions.groups, question, &record.cpu))
    });
    let answers = answers.collect::<Result<Vec<_>>>()?;
    for (setting, question, function) in questions.functions() {
        let Some(answer) = &answers[question] else {
            if !record.unmeasured.contains(setting) {
                record.unmeasured.push(setting.clone());
            }
            continue;
        };
        match answer.numbers.get(&function.name) {
            Some(numbers) => {
                if let Some(kernel) = record.kernels.get_mut(&function.name) {
                    kernel.numbers.insert(setting.clone(), numbers.clone());
                }
            }
            None if function.is_kernel => {
                let complaint = answer.complaint.clone().unwrap_or_else(|| "ptxas says nothing".to_owned());
                record.refused.entry(setting.clone()).or_insert(complaint);
            }
            None => {}
        }
    }
    let key = |version: &String| {
        version.split('.').map(|part| part.parse::<u32>().unwrap_or(0)).collect::<Vec<_>>()
    };
    let versions = answers.iter().flatten().filter_map(|answer| answer.wanted_version.clone());
    record.wanted_version = versions.max_by_key(key);
    let compiled =
        |(question, answer): (usize, Option<Answer>)| Some(Compiled { question, cubin: answer?.cubin? });
    Ok(answers.into_iter().enumerate().filter_map(compiled).collect())
}

/// The machine codes of a file, by the number of the question that made each. The first is the default's.
type Made = Vec<(usize, Machined)>;

/// Predicts the times of the texts that ptxas has compiled, for the launches of `codes`, which gets the machine codes. Those of the default
/// come first, as the others are for its launches.
fn predict(
    clock: &Clock,
    kept: Kept,
    questions: &Questions,
    compiled: Vec<Compiled>,
    stop: &Stop,
    record: &mut Record,
    codes: &Codes,
) -> Result<()> {
    if compiled.first().is_none_or(|first| first.question != 0) {
        return Ok(());
    }
    // Code that cannot be read has no time. The file goes on without one.
    let read = stop.unless(|| {
        Ok(read(clock, kept, questions, compiled).map(|made| {
            let default = tried_part(&made[0].1, &codes.launches);
            (made, default)
        }))
    });
    let mut note = |why: anyhow::Error| {
        let words = "no time is predicted, and other terms choose";
        record.notes.push(format!("{}: {words}: {why:#}", record.file));
    };
    let (made, default) = match read? {
        Some(Ok((made, Ok(default)))) => (made, default),
        Some(Ok((made, Err(why)))) => {
            note(why);
            // A GPU needs no prediction.
            (made, Times::new())
        }
        Some(Err(why)) => {
            note(why);
            return Ok(());
        }
        None => {
            leave_unmeasured(questions, |_| true, record);
            return Ok(());
        }
    };
    note_lacking(&default, record);
    predict_others(questions, &made, &default, stop, record, codes.is_wanted())?;
    made.into_iter().for_each(|(number, code)| codes.keep(number, code));
    Ok(())
}

/// Reads the machine codes of a file.
fn read(clock: &Clock, kept: Kept, questions: &Questions, compiled: Vec<Compiled>) -> Result<Made> {
    let listings = Listings::kept(kept);
    let cubins: Vec<&[u8]> = compiled.iter().map(|compiled| &*compiled.cubin).collect();
    listings.read(&clock.cuda, &cubins)?;
    let machined = |Compiled { question: number, cubin }: Compiled| {
        let question = &questions.all[number];
        let module = questions.modules[question.setting].as_ref();
        let text = module.map(|module| part_text(module, questions.groups, &question.groups));
        Ok((number, Machined::of(&clock.cuda, cubin, text, &listings)?))
    };
    compiled.into_iter().map(machined).collect()
}

/// Predicts the times of the settings other than the default, of those kernels where they may choose.
fn predict_others(
    questions: &Questions,
    made: &Made,
    default: &Times,
    stop: &Stop,
    record: &mut Record,
    has_gpu: bool,
) -> Result<()> {
    let same = same_codes(made);
    let wanted = wanted_times(questions, record, has_gpu);
    let mut jobs = Vec::new();
    for (at, (number, code)) in made.iter().enumerate().skip(1) {
        let is_wanted = |kernel: &&String| {
            let own = (*number, kernel.as_str());
            wanted.contains(&own) && !same.contains_key(&own)
        };
        let own = code.listing.keys().filter(is_wanted);
        jobs.extend(own.filter_map(|kernel| Some((at, kernel, default.get(kernel)?.as_ref().ok()?))));
    }
    // The order of a hash table is another one in each run.
    jobs.sort_by_key(|&(at, kernel, _)| (at, kernel));
    let stock = questions.of_setting(STOCK);
    let times = jobs.into_par_iter().map(|(at, kernel, default)| {
        let (number, code) = &made[at];
        let is_whole = has_gpu || stock.contains(number);
        let is_enough = |own: &Alone| !is_whole && own.cannot_gain(&default.times, GAIN, HOPE);
        let time = stop.unless(|| Ok(again(code, kernel, default, is_enough)))?;
        Ok(((*number, kernel.as_str()), time))
    });
    let times = times.collect::<Result<HashMap<_, _>>>()?;
    leave_unmeasured(
        questions,
        |question| times.iter().any(|((number, _), time)| *number == question && time.is_none()),
        record,
    );
    for (setting, question, function) in questions.functions() {
        let own = (question, &*function.name);
        let own = (same.get(&own).copied().unwrap_or(question), own.1);
        let time = match own.0 {
            0 => default.get(own.1).and_then(|tried| Some(&tried.as_ref().ok()?.times)),
            _ => times.get(&own).and_then(Option::as_ref).filter(|time| !time.launches.is_empty()),
        };
        if let (Some(kernel), Some(time)) = (record.kernels.get_mut(&function.name), time) {
            kernel.times.insert(setting.clone(), time.clone());
        }
    }
    Ok(())
}

/// The questions and kernels whose times may choose: no kernel is to spill more, or have fewer warps, than under the default and with stock.
/// Stock's own time is in the summary, and a GPU chooses by other rules (`all`).
fn wanted_times<'a>(questions: &Questions<'a>, record: &Record, all: bool) -> HashSet<(usize, &'a str)> {
    let is_wanted = |setting: &str, kernel: &str| {
        let numbers = record.numbers(kernel, setting);
        all || setting == STOCK || numbers.is_some_and(|new| record.is_not_worse(kernel, new))
    };
    let wanted = questions.functions().filter(|(setting, _, function)| is_wanted(setting, &function.name));
    wanted.map(|(_, question, function)| (question, &*function.name)).collect()
}

/// Says why kernels have no time under the default, and so under no setting.
fn note_lacking(default: &Times, record: &mut Record) {
    let mut lacking = default.iter().filter_map(|(kernel, time)| Some((kernel, time.as_ref().err()?)));
    if let Some((kernel, reason)) = lacking.next() {
        let more = match lacking.count() {
            0 => String::new(),
            more => format!("; so it is with {} more", counted(more, "kernel")),
        };
        record.notes.push(format!(
            "{}: {kernel}: its time is not predicted, and other terms choose: {}{more}",
            record.file, reason.why
        ));
    }
}

/// For a question and a kernel, the earlier question whose machine code of the kernel is the same.
fn same_codes(made: &[(usize, Machined)]) -> HashMap<(usize, &str), usize> {
    let mut same = HashMap::new();
    for (at, (number, code)) in made.iter().enumerate() {
        for kernel in code.listing.keys() {
            let earlier = made[..at].iter().find(|(_, earlier)| earlier.has_same(code, kernel));
            same.extend(earlier.map(|(earlier, _)| ((*number, kernel.as_str()), *earlier)));
        }
    }
    same
}

/// A setting gains time if it is predicted to take less than this part of the default's.
pub const GAIN: f64 = 0.99;
/// A setting is not followed to its last launch if it would have to take less than this part of the default's time for those that are left.
const HOPE: f64 = 0.97;

/// Drops the numbers of settings whose times were not predicted, as the time was up. Other terms
/// must not choose in place of a time that might have been known.
fn leave_unmeasured(questions: &Questions, is_cut: impl Fn(usize) -> bool, record: &mut Record) {
    for (setting, question, function) in questions.functions() {
        if setting == DEFAULT || !is_cut(question) {
            continue;
        }
        if let Some(kernel) = record.kernels.get_mut(&function.name) {
            kernel.numbers.remove(setting);
            if !record.unmeasured.contains(setting) {
                record.unmeasured.push(setting.clone());
            }
        }
    }
}

/// The text of some groups of a module.
fn part_text(module: &Module, groups: &[Vec<usize>], wanted: &[usize]) -> String {
    if wanted.len() == groups.len() {
        return module.text().to_owned();
    }
    let kept = |number: usize| wanted.iter().any(|&group| groups[group].contains(&number));
    module.assemble(|number| kept(number).then(|| module.function(number)))
}

/// Asks ptxas one question. `is_timed`: the machine code is kept.
fn answer(
    judge: &Judge,
    is_timed: bool,
    module: &Module,
    groups: &[Vec<usize>],
    question: &Question,
    cpu: &str,
) -> Result<Answer> {
    let part = |wanted: &[usize]| part_text(module, groups, wanted);
    let mut result = Answer { numbers: BTreeMap::new(), complaint: None, wanted_version: None, cubin: None };
    let mut take = |outcome: Result<Usage, Complaint>| match outcome {
        Ok(usage) => {
            result.numbers.append(&mut judge.numbers(module, &usage, cpu));
            result.wanted_version = usage.wanted_version.or(result.wanted_version.take());
            true
        }
        Err(complaint) => {
            result.complaint = Some(complaint.into());
            false
        }
    };
    let whole = part(&question.groups);
    let mut code = None;
    let outcome = match is_timed {
        false => judge.assemble_text(&whole, cpu)?,
        true => judge.machine_code(&whole, cpu)?.map(|(usage, cubin)| {
            code = Some(cubin);
            usage
        }),
    };
    if !take(outcome) && question.groups.len() > 1 {
        // If ptxas rejects one kernel, the others still need their numbers.
        for &group in &question.groups {
            take(judge.assemble_text(&part(&[group]), cpu)?);
        }
    }
    result.cubin = code;
    Ok(result)
}

impl Record {
    /// Whether its kernels are known: nothing failed, and there was time for the default.
    pub fn is_compiled(&self) -> bool {
        self.failed.is_none() && !self.unmeasured.iter().any(|setting| setting == DEFAULT)
    }

    /// Whether there is something to choose from.
    pub fn is_measured(&self) -> bool {
        self.is_compiled() && self.kernels.values().all(|kernel| kernel.numbers.contains_key(DEFAULT))
    }

    /// The numbers of a kernel under a setting.
    pub fn numbers(&self, kernel: &str, setting: &str) -> Option<&Numbers> {
        self.kernels.get(kernel)?.numbers.get(setting)
    }

    /// The predicted time of a kernel under a setting.
    pub fn time(&self, kernel: &str, setting: &str) -> Option<&Alone> {
        self.kernels.get(kernel)?.times.get(setting)
    }

    /// Whether a kernel with these numbers spills no more, and has no fewer warps, than under the default and with stock.
    pub fn is_not_worse(&self, kernel: &str, new: &Numbers) -> bool {
        let bounds = [self.numbers(kernel, DEFAULT), self.stock(kernel)];
        bounds.iter().flatten().all(|old| new.spills() <= old.spills() && new.warps >= old.warps)
    }

    /// The numbers with stock, or with the default if stock has none.
    pub fn stock(&self, kernel: &str) -> Option<&Numbers> {
        self.numbers(kernel, STOCK).or_else(|| self.numbers(kernel, DEFAULT))
    }
}
