//! Drives the passes of a [`Plugin`]: answers the shim's calls, in safe code.

use super::opcodes::KnownOpcodes;
use super::run::{MachinePass, PassRun};
use super::spec::{Check, Pass, Plugin};
use crate::adt::Counters;
use crate::checker::addresses::accesses::{Access, Compared};
use crate::checker::verify::{self, Miscompile};
use crate::llvm::{
    self, num_erased, Analyses, Edits, EntryPoints, FinalOutput, KnobInfo, MachineFunction, MissingOpcode,
    Outcome, PassInfo, Place, Run, TargetOpcodes,
};
use crate::process::arguments::{parse_flag, parse_new_pm, set_options, OptionError};
use crate::process::names::{twice, BadName, Named};
use crate::process::output_file::{FileKnob, OutputFile};
use crate::process::statistics::{self, Record, ZeroCounts};
use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::OnceLock;
use std::time::Instant;

/// Describes the plugin of a library, for [`machine_pass!`](crate::machine_pass!).
pub trait Describe: 'static {
    /// Returns the description.
    fn plugin() -> Plugin;
}

/// Returns the table of functions that the shim calls.
pub const fn plugin_entry_points<D: Describe>() -> EntryPoints {
    llvm::entry_points::<Driver<D>>()
}

/// The plugin of this library, and the data derived from its name.
struct Described {
    plugin: Plugin,
    name: CString,
    /// The options of every plugin, then its own.
    knobs: Vec<(Knob, KnobInfo)>,
    /// Why it cannot be loaded, if so.
    problem: Option<String>,
}

enum Knob {
    Stats,
    StatsJson,
    Verify,
    NewPm,
    /// By position in the plugin's list.
    Own(usize),
}

/// A library has one plugin.
static DESCRIBED: OnceLock<Described> = OnceLock::new();
/// 0: no table, 1: counts that are not zero, 2: all counts.
static STATS: AtomicU8 = AtomicU8::new(0);
static STATS_JSON: FileKnob = FileKnob::unset();
static VERIFY: AtomicBool = AtomicBool::new(false);
static NEW_PM: AtomicBool = AtomicBool::new(false);

fn collects_stats() -> bool {
    STATS.load(Relaxed) != 0 || STATS_JSON.is_set()
}

/// Checks the names of a plugin, of its passes and of its options.
fn check_names(plugin: &Plugin, knobs: &[(Knob, KnobInfo)]) -> Result<(), BadName> {
    Named::Plugin.check(plugin.name)?;
    plugin.passes.iter().try_for_each(|pass| Named::Pass.check(pass.name))?;
    plugin.options.iter().try_for_each(|option| Named::Option.check(option.name()))?;
    match twice(knobs.iter().map(|(_, knob)| knob.name).collect()) {
        Some(name) => Err(BadName::Twice(name.to_owned())),
        None => Ok(()),
    }
}

/// Describes a plugin. If it cannot be loaded, it has a problem, and only its name is asked for.
fn describe(make: fn() -> Plugin) -> Described {
    let (plugin, panicked) = match llvm::catch_panic(make) {
        Ok(plugin) => (plugin, None),
        Err(panic) => (Plugin::new("plugin"), Some(format!("its description panics: {panic}"))),
    };
    let knobs = knobs_of(&plugin);
    let problem = panicked.or_else(|| check_names(&plugin, &knobs).err().map(|bad| bad.to_string()));
    let is_valid = Named::Plugin.check(plugin.name).is_ok();
    let name = CString::new(if is_valid { plugin.name } else { "plugin" }).expect("it has no null");
    Described { plugin, name, knobs, problem }
}

/// The options of every plugin, then its own.
fn knobs_of(plugin: &Plugin) -> Vec<(Knob, KnobInfo)> {
    // The names must live as long as the process, like LLVM's table of options.
    let leaked = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let name = plugin.name;
    let common = [
        (
            Knob::Stats,
            "stats",
            "",
            "Print the counts of every pass that are not zero to stderr at the end; =all: all of them",
        ),
        (
            Knob::StatsJson,
            "stats-json",
            "file",
            "Write all counts, for each function, as JSON to a file ('-': stdout)",
        ),
        (Knob::Verify, "verify", "", "Check each pass as it says, and by the machine verifier"),
        (Knob::NewPm, "new-pm", "", "Run in a pipeline of LLVM's new pass manager, from LLVM 24 on"),
    ];
    let mut knobs: Vec<_> = common
        .into_iter()
        .map(|(knob, suffix, value_name, help)| {
            let name = leaked(format!("{name}-{suffix}"));
            (knob, KnobInfo { name, help, value_name, hidden: false })
        })
        .collect();
    knobs.extend(plugin.options.iter().enumerate().map(|(index, option)| {
        let (name, help, value_name) = (option.name(), option.help(), option.value_name());
        (Knob::Own(index), KnobInfo { name, help, value_name, hidden: false })
    }));
    knobs
}

/// A pass of one pipeline.
struct PassObject {
    pass: Box<dyn MachinePass>,
    opcodes: KnownOpcodes,
}

struct Driver<D>(D);

impl<D: Describe> Driver<D> {
    fn described() -> &'static Described {
        DESCRIBED.get_or_init(|| describe(D::plugin))
    }
    fn pass_at(index: usize) -> &'static Pass {
        &Self::described().plugin.passes[index]
    }
}

impl<D: Describe> llvm::Plugin for Driver<D> {
    type PassState = PassObject;
    type OptionError = OptionError;
    type Failure = Failure;
    const FINAL_OUTPUTS: &'static [FinalOutput] = &[("statistics", finish_statistics)];

    fn name() -> &'static CStr {
        &Self::described().name
    }
    fn problem() -> Option<&'static str> {
        Self::described().problem.as_deref()
    }

    fn num_knobs() -> usize {
        Self::described().knobs.len()
    }
    fn knob(index: usize) -> KnobInfo {
        Self::described().knobs[index].1
    }
    fn set_knob(index: usize, value: &str) -> Result<(), OptionError> {
        let described = Self::described();
        match described.knobs[index].0 {
            Knob::Stats if value == "all" => STATS.store(2, Relaxed),
            Knob::Stats => STATS.store(parse_flag(value)?.into(), Relaxed),
            Knob::StatsJson => STATS_JSON.open(value)?,
            Knob::Verify => VERIFY.store(parse_flag(value)?, Relaxed),
            Knob::NewPm => NEW_PM.store(parse_new_pm(value)?, Relaxed),
            Knob::Own(option) => described.plugin.options[option].set(value)?,
        }
        Ok(())
    }
    fn set_knobs(arguments: &str) -> Result<(), OptionError> {
        let knobs = &Self::described().knobs;
        set_options(arguments, knobs.iter().map(|(_, k)| (k.name, k.value_name, k.hidden)), Self::set_knob)
    }

    fn num_passes() -> usize {
        Self::described().plugin.passes.len()
    }
    fn pass(index: usize) -> PassInfo {
        let pass = Self::pass_at(index);
        let argument = match pass.place {
            Place::InsteadOf(anchor) => anchor,
            Place::Before(_) | Place::After(_) => pass.name,
        };
        PassInfo {
            name: pass.name,
            argument,
            title: pass.description,
            place: Some(pass.place),
            is_analysis: false,
            asks_to_skip: pass.is_skippable,
            needs: pass.needs,
            keeps: pass.keeps,
        }
    }
    fn takes(pass: usize, arch: &str) -> bool {
        Self::pass_at(pass).targets.is_none_or(|targets| targets.contains(&arch))
    }
    fn lacks(pass: usize, opcodes: TargetOpcodes) -> Option<String> {
        let wanted = &Self::pass_at(pass).opcodes;
        wanted.iter().find_map(|wanted| wanted.resolve(opcodes).err()).map(|missing| missing.to_string())
    }
    fn wants_new_pass_manager() -> bool {
        NEW_PM.load(Relaxed)
    }
    fn note_pipeline(which: &str) {
        statistics::note_pipeline(which);
    }
    fn new_state(pass: usize) -> PassObject {
        PassObject { pass: (Self::pass_at(pass).make)(), opcodes: KnownOpcodes::default() }
    }
    fn run(
        index: usize,
        state: &mut PassObject,
        _: Option<&PassObject>,
        run: Run,
    ) -> Result<Outcome, Failure> {
        let pass = Self::pass_at(index);
        if pass.is_skippable && !run.optimize {
            let is_ours = !matches!(pass.place, Place::InsteadOf(_));
            return Ok(if is_ours { Outcome::Unchanged } else { Outcome::Delegate });
        }
        let instructions = if collects_stats() { run.mf.instruction_count() } else { 0 };
        let (start, mut counters) = (Instant::now(), Counters::default());
        let outcome = run_pass(pass, state, run, &mut counters)?;
        if collects_stats() {
            let nanoseconds = start.elapsed().saturating_sub(counters.reporting).as_nanos() as u64;
            statistics::add(Record {
                module: run.mf.module_name().into_owned(),
                function_number: run.mf.number(),
                function: run.mf.name().into_owned(),
                pass: pass.name,
                position: index,
                nanoseconds,
                instructions,
                counters,
                pressure: None,
            });
        }
        Ok(outcome)
    }
}

/// Why the run of a pass fails. `at` is the plugin, the pass and the function.
enum Failure {
    /// The target lacks an opcode.
    Lacks {
        at: String,
        missing: MissingOpcode,
    },
    /// The pass does not do what it says.
    Broken {
        at: String,
        why: Broken,
    },
    Miscompile(Miscompile),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Lacks { at, missing } => write!(f, "{at}: it {missing}"),
            Failure::Broken { at, why: Broken(why) } => write!(f, "{at}: {why}"),
            Failure::Miscompile(miscompile) => miscompile.fmt(f),
        }
    }
}

impl From<Miscompile> for Failure {
    fn from(miscompile: Miscompile) -> Failure {
        Failure::Miscompile(miscompile)
    }
}

/// A claim of a pass that is not true, in words.
struct Broken(Cow<'static, str>);

impl<T: Into<Cow<'static, str>>> From<T> for Broken {
    fn from(why: T) -> Broken {
        Broken(why.into())
    }
}

/// Runs a pass on a function. Checks its claims about its changes and, with `-NAME-verify`, its
/// code.
fn run_pass(
    pass: &Pass,
    object: &mut PassObject,
    run: Run,
    counters: &mut Counters,
) -> Result<Outcome, Failure> {
    let before = VERIFY.load(Relaxed).then(|| Before::read(pass, run.mf, counters));
    llvm::forget_edits();
    let PassObject { pass: object, opcodes } = object;
    let at = || format!("{}: pass '{}', function '{}'", llvm::plugin_name(), pass.name, run.mf.name());
    let opcodes =
        opcodes.of(&pass.opcodes, run.mf).map_err(|missing| Failure::Lacks { at: at(), missing })?;
    let outcome = object.run(&mut PassRun { run, pass: pass.name, counters, opcodes });
    check_claims(pass, run, outcome, before.as_ref()).map_err(|why| Failure::Broken { at: at(), why })?;
    if let Some(before) = before.filter(|_| outcome != Outcome::Delegate) {
        check_code(pass, run, &before, counters)?;
    }
    Ok(outcome)
}

/// A function before a pass, for `-NAME-verify`.
struct Before {
    /// The text, as LLVM prints it.
    text: String,
    /// The values that instructions read, if the pass is checked by those.
    values: Option<(Compared, Vec<Access>)>,
}

impl Before {
    /// Reads a function. For [`Check::SameReads`] the checker keeps what it has read.
    fn read(pass: &Pass, mf: MachineFunction, counters: &mut Counters) -> Before {
        let start = Instant::now();
        let text = mf.whole_text();
        counters.reporting += start.elapsed();
        let values = match pass.check {
            Check::SameValues(compared) if mf.is_nvptx() && mf.is_ssa() => {
                Some((compared, verify::values(mf, compared, counters)))
            }
            _ => None,
        };
        if let Check::SameReads(_) = pass.check {
            verify::remember(mf, counters);
        }
        Before { text, values }
    }
}

/// Checks the code after a pass, as the pass declares and by the machine verifier.
fn check_code(pass: &Pass, run: Run, before: &Before, counters: &mut Counters) -> Result<(), Miscompile> {
    let (mf, name) = (run.mf, pass.name);
    match (pass.check, &before.values) {
        (Check::SameReads(rules), _) => verify::keeps(name, mf, rules, counters)?,
        (_, Some((compared, values))) => verify::same_values(name, mf, *compared, values, counters)?,
        _ => {}
    }
    mf.verify(run.host_pass, &format!("After {name} ({})", llvm::plugin_name()));
    Ok(())
}

/// Checks a pass's claims about its run: its outcome, and the analyses that it keeps.
fn check_claims(pass: &Pass, run: Run, outcome: Outcome, before: Option<&Before>) -> Result<(), Broken> {
    let edits = llvm::edits_of_run();
    check_outcome(pass, outcome, edits)?;
    match before {
        Some(before) if outcome == Outcome::Unchanged => check_text(&before.text, &run.mf.whole_text())?,
        // The verifier's message says more.
        Some(_) => {}
        None if edits == Edits::Code && run.mf.is_ssa() => check_ssa(run.mf)?,
        None => {}
    }
    check_kept(pass, run, outcome)
}

/// Checks that each register of a function in SSA form has one definition. Otherwise LLVM
/// miscompiles it.
fn check_ssa(mf: MachineFunction) -> Result<(), Broken> {
    let Some((reg, num_defs)) = mf.not_ssa() else { return Ok(()) };
    let what = match num_defs {
        0 => "is read, and nothing defines it".to_owned(),
        n => format!("has {n} definitions"),
    };
    Err(format!(
        "it leaves register {}, which {what}: in SSA form each has one (-{}-verify says where)",
        mf.reg_text(reg, 0),
        llvm::plugin_name()
    )
    .into())
}

/// Checks that a pass has made no edits beyond its outcome.
fn check_outcome(pass: &Pass, outcome: Outcome, edits: Edits) -> Result<(), Broken> {
    let stands_in = matches!(pass.place, Place::InsteadOf(_));
    let why = match (outcome, edits) {
        (Outcome::Delegate, _) if !stands_in => {
            "it has returned Outcome::Delegate, and no pass of LLVM's is there to take the function: it runs in place of none"
        }
        (Outcome::Delegate, Edits::Code) => {
            "it has edited the function, and returned Outcome::Delegate, by which LLVM's pass takes it as it was"
        }
        (Outcome::Unchanged, Edits::Flags | Edits::Code) => {
            "it has edited the function, and returned Outcome::Unchanged: what has edited something returns Outcome::Changed"
        }
        _ => return Ok(()),
    };
    Err(why.into())
}

/// Checks by its text that a function is unchanged, for a pass that claims so.
fn check_text(before: &str, after: &str) -> Result<(), Broken> {
    if before == after {
        return Ok(());
    }
    let is_same = before.lines().zip(after.lines()).take_while(|(old, new)| old == new).count();
    let line = |text: &str| text.lines().nth(is_same).unwrap_or("the end").trim().to_owned();
    let (old, new) = (line(before), line(after));
    Err(format!(
        "it has changed the function, and returned Outcome::Unchanged: there is '{new}' where '{old}' was"
    )
    .into())
}

/// Checks that no erased instruction is left in an analysis that the pass promises to keep, or that
/// the replaced pass would keep.
fn check_kept(pass: &Pass, run: Run, outcome: Outcome) -> Result<(), Broken> {
    let keeps = |analysis| pass.keeps.contains(analysis) || pass.keeps.contains(Analyses::ALL);
    let stands_in = matches!(pass.place, Place::InsteadOf(_));
    let slots = run.slots.filter(|_| keeps(Analyses::SLOT_INDEXES) || stands_in);
    let why = if outcome == Outcome::Changed && !stands_in && pass.keeps.contains(Analyses::ALL) {
        "it has changed the function, and promises to keep all analyses"
    } else if slots.is_some() && num_erased(slots) > 0 {
        "it has erased instructions that are in SlotIndexes still (`remove_instr` takes them out first), which is kept"
    } else if run.lv.is_some() && keeps(Analyses::LIVE_VARIABLES) && num_erased(None) > 0 {
        "it has erased instructions, and promises to keep LiveVariables, which may name them"
    } else {
        return Ok(());
    };
    Err(why.into())
}

fn finish_statistics() -> std::io::Result<()> {
    let table = match STATS.load(Relaxed) {
        0 => None,
        1 => Some(ZeroCounts::Hidden),
        _ => Some(ZeroCounts::Shown),
    };
    let file = STATS_JSON.take();
    if table.is_none() && file.is_none() {
        return Ok(());
    }
    let records = statistics::take();
    // clang also starts processes that reach no function of ours.
    if records.is_empty() && !statistics::has_notes() {
        file.into_iter().for_each(OutputFile::leave);
        return Ok(());
    }
    statistics::write(llvm::plugin_name(), &records, table, file)
}
