//! Measures one file: everything that is needed to choose without llc and ptxas.

use std::collections::{BTreeMap, HashMap};
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
use crate::ptxas::{self, Usage};
use crate::text::counted;
use crate::time::{Alone, Listings, Machined};

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
    /// The machine code of the whole text, if it was made for the answer and is to be timed.
    code: Option<Machined>,
}

/// A question whose whole text ptxas has compiled.
struct Compiled {
    question: usize,
    code: Option<Machined>,
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
    let compiled = ask(judge, clock.is_some(), &questions, stop, &mut record, &codes.listings)?;
    if let Some(clock) = clock {
        match clock.launches(path, |kernel| record.kernels.contains_key(kernel)) {
            Ok(launches) => {
                let of_kernels = questions.functions().filter(|(_, _, function)| function.is_kernel);
                codes.belong_to(
                    launches,
                    of_kernels.map(|(setting, question, function)| (&*function.name, &**setting, question)),
                );
                predict(clock, path, &questions, compiled, stop, &mut record, codes)?;
                codes.listings = Listings::default();
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
    let compiled = settings.par_iter().map(|setting| stop.unless(|| compiler.compile(input, setting, &[])));
    let compiled = compiled.collect::<Result<Vec<_>>>()?;
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

/// Asks ptxas all questions. Returns those whose whole text it has compiled. `is_timed`: times of it will be predicted.
fn ask(
    judge: &Judge,
    is_timed: bool,
    questions: &Questions,
    stop: &Stop,
    record: &mut Record,
    listings: &Listings,
) -> Result<Vec<Compiled>> {
    let answers = questions.all.par_iter().map(|question| {
        let Some(module) = &questions.modules[question.setting] else { return Ok(None) };
        stop.unless(|| {
            answer(judge, is_timed.then_some(listings), module, questions.groups, question, &record.cpu)
        })
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
    let compiled = |(question, answer): (usize, Option<Answer>)| {
        let Answer { complaint, code, .. } = answer?;
        complaint.is_none().then_some(Compiled { question, code })
    };
    Ok(answers.into_iter().enumerate().filter_map(compiled).collect())
}

/// Predicts the times of the texts that ptxas has compiled, for the launches of `codes`, which gets the machine codes. Those of the default
/// come first, as the others are for its launches.
fn predict(
    clock: &Clock,
    path: &Path,
    questions: &Questions,
    compiled: Vec<Compiled>,
    stop: &Stop,
    record: &mut Record,
    codes: &Codes,
) -> Result<()> {
    let times = |Compiled { question: number, code }: Compiled, before: &Times| {
        let question = &questions.all[number];
        let Some(module) = &questions.modules[question.setting] else { return Ok(None) };
        let made = || match code {
            Some(code) => Ok(code),
            None => {
                let text = part_text(module, questions.groups, &question.groups);
                clock.assemble(path, &text, &record.cpu, &codes.listings)
            }
        };
        // Code that cannot be read has no time. The file goes on without one.
        stop.unless(|| {
            Ok(made().and_then(|code| {
                let times = Clock::times(&code, &codes.launches, before);
                codes.keep(number, code);
                times
            }))
        })
    };
    let mut compiled = compiled.into_iter();
    let Some(first) = compiled.next().filter(|first| first.question == 0) else { return Ok(()) };
    let default = match times(first, &Times::new())? {
        Some(Ok(default)) => default,
        Some(Err(why)) => {
            let note = format!("{}: no time is predicted, and other terms choose: {why:#}", record.file);
            record.notes.push(note);
            // A GPU needs no prediction.
            if !codes.is_wanted() {
                return Ok(());
            }
            Times::new()
        }
        None => {
            leave_unmeasured(questions, |_| true, record);
            return Ok(());
        }
    };
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
    let others: Vec<Compiled> = compiled.collect();
    let others = others.into_par_iter().map(|other| Ok((other.question, times(other, &default)?)));
    let others = others.collect::<Result<Vec<_>>>()?;
    leave_unmeasured(
        questions,
        |question| others.iter().any(|(number, times)| *number == question && times.is_none()),
        record,
    );
    let mut by_question: HashMap<usize, Times> =
        others.into_iter().filter_map(|(number, times)| Some((number, times?.ok()?))).collect();
    by_question.insert(0, default);
    for (setting, question, function) in questions.functions() {
        let time = by_question.get(&question).and_then(|times| times.get(&function.name));
        if let (Some(kernel), Some(Ok(time))) = (record.kernels.get_mut(&function.name), time) {
            kernel.times.insert(setting.clone(), time.clone());
        }
    }
    Ok(())
}

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

/// Asks ptxas one question. With `listings`, where the machine code is to be timed, one run of each tool gives it and the numbers.
fn answer(
    judge: &Judge,
    listings: Option<&Listings>,
    module: &Module,
    groups: &[Vec<usize>],
    question: &Question,
    cpu: &str,
) -> Result<Answer> {
    let part = |wanted: &[usize]| part_text(module, groups, wanted);
    let mut result = Answer { numbers: BTreeMap::new(), complaint: None, wanted_version: None, code: None };
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
    let outcome = judge.assemble_text_by(&whole, cpu, |cuda| {
        let Some(listings) = listings else { return cuda.assemble(&whole, cpu) };
        let made = Machined::with_usage(cuda, &whole, cpu, listings)?;
        Ok(made.map(|(usage, own)| {
            code = own;
            usage
        }))
    })?;
    if !take(outcome) && question.groups.len() > 1 {
        // If ptxas rejects one kernel, the others still need their numbers.
        for &group in &question.groups {
            take(judge.assemble_text(&part(&[group]), cpu)?);
        }
    }
    result.code = code;
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

    /// The numbers with stock, or with the default if stock has none.
    pub fn stock(&self, kernel: &str) -> Option<&Numbers> {
        self.numbers(kernel, STOCK).or_else(|| self.numbers(kernel, DEFAULT))
    }
}
