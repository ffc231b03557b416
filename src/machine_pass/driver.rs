//! Drives the passes of a [`Plugin`]: what the shim asks for, in safe code.

use super::run::{MachinePass, PassRun};
use super::spec::{Check, Pass, Plugin};
use crate::adt::Counters;
use crate::checker::verify;
use crate::llvm::{
    self, num_erased, Analyses, EntryPoints, FinalOutput, KnobInfo, Outcome, PassInfo, Place, Run,
};
use crate::process::arguments::{parse_flag, set_options};
use crate::process::output_file::{FileKnob, OutputFile};
use crate::process::statistics::{self, Record, ZeroCounts};
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::OnceLock;
use std::time::Instant;

/// Describes the plugin of a library, for [`machine_pass!`](crate::machine_pass!).
pub trait Describe: 'static {
    /// Describes it.
    fn plugin() -> Plugin;
}

/// Returns the functions that the shim calls.
pub const fn plugin_entry_points<D: Describe>() -> EntryPoints {
    llvm::entry_points::<Driver<D>>()
}

/// The plugin of this library, with what is made of its name.
struct Described {
    plugin: Plugin,
    name: CString,
    /// The options that every plugin has, then its own.
    knobs: Vec<(Knob, KnobInfo)>,
}

enum Knob {
    Stats,
    StatsJson,
    Verify,
    /// By position in the plugin's list.
    Own(usize),
}

/// A library has one plugin.
static DESCRIBED: OnceLock<Described> = OnceLock::new();
/// 0: none, 1: those that are not zero, 2: all.
static STATS: AtomicU8 = AtomicU8::new(0);
static STATS_JSON: FileKnob = FileKnob::unset();
static VERIFY: AtomicBool = AtomicBool::new(false);

fn collects_stats() -> bool {
    STATS.load(Relaxed) != 0 || STATS_JSON.is_set()
}

fn describe(plugin: Plugin) -> Described {
    // The names live as long as the process, as LLVM's table of options does.
    let leaked = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let name = plugin.name;
    let is_valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    assert!(
        !name.is_empty() && name.chars().all(is_valid),
        "the name of a plugin has lower-case letters, digits and dashes: '{name}'"
    );
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
    let name = CString::new(name).expect("it has no null");
    Described { plugin, name, knobs }
}

struct Driver<D>(D);

impl<D: Describe> Driver<D> {
    fn described() -> &'static Described {
        DESCRIBED.get_or_init(|| describe(D::plugin()))
    }
    fn pass_at(index: usize) -> &'static Pass {
        &Self::described().plugin.passes[index]
    }
}

impl<D: Describe> llvm::Plugin for Driver<D> {
    type PassState = Box<dyn MachinePass>;
    const FINAL_OUTPUTS: &'static [FinalOutput] = &[("statistics", finish_statistics)];

    fn name() -> &'static CStr {
        &Self::described().name
    }

    fn num_knobs() -> usize {
        Self::described().knobs.len()
    }
    fn knob(index: usize) -> KnobInfo {
        Self::described().knobs[index].1
    }
    fn set_knob(index: usize, value: &str) -> Result<(), String> {
        let described = Self::described();
        match described.knobs[index].0 {
            Knob::Stats if value == "all" => STATS.store(2, Relaxed),
            Knob::Stats => STATS.store(parse_flag(value)?.into(), Relaxed),
            Knob::StatsJson => STATS_JSON.open(value)?,
            Knob::Verify => VERIFY.store(parse_flag(value)?, Relaxed),
            Knob::Own(option) => described.plugin.options[option].set(value)?,
        }
        Ok(())
    }
    fn set_knobs(arguments: &str) -> Result<(), String> {
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
    fn new_state(pass: usize) -> Box<dyn MachinePass> {
        (Self::pass_at(pass).make)()
    }
    fn run(
        index: usize,
        state: &mut Box<dyn MachinePass>,
        _: Option<&Box<dyn MachinePass>>,
        run: Run,
    ) -> Result<Outcome, String> {
        let pass = Self::pass_at(index);
        if pass.is_skippable && !run.optimize {
            let is_ours = !matches!(pass.place, Place::InsteadOf(_));
            return Ok(if is_ours { Outcome::Unchanged } else { Outcome::Delegate });
        }
        let instructions = if collects_stats() { run.mf.instruction_count() } else { 0 };
        let (start, mut counters) = (Instant::now(), Counters::default());
        let outcome = run_pass(pass, &mut **state, run, &mut counters)?;
        check_kept(pass, run, outcome)?;
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

/// Runs a pass on a function, checked if `-NAME-verify` asks for it.
fn run_pass(
    pass: &Pass,
    object: &mut dyn MachinePass,
    run: Run,
    counters: &mut Counters,
) -> Result<Outcome, String> {
    let (mf, name) = (run.mf, pass.name);
    if !VERIFY.load(Relaxed) {
        return Ok(object.run(&mut PassRun { run, pass: name, counters }));
    }
    let values = match pass.check {
        Check::SameValues(compared) if mf.is_nvptx() && mf.is_ssa() => {
            Some((compared, verify::values(mf, compared, counters)))
        }
        _ => None,
    };
    if let Check::SameReads(_) = pass.check {
        verify::remember(mf, counters);
    }
    let outcome = object.run(&mut PassRun { run, pass: name, counters });
    if outcome == Outcome::Delegate {
        return Ok(outcome);
    }
    match (pass.check, values) {
        (Check::SameReads(rules), _) => verify::keeps(name, mf, rules, counters)?,
        (_, Some((compared, before))) => verify::same_values(name, mf, compared, &before, counters)?,
        _ => {}
    }
    mf.verify(run.host_pass, &format!("After {name} ({})", llvm::plugin_name()));
    Ok(outcome)
}

/// Checks that no analysis names an erased instruction that the pass promises to keep, or whose pass it stands in for.
fn check_kept(pass: &Pass, run: Run, outcome: Outcome) -> Result<(), String> {
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
    Err(format!("{}: pass '{}', function '{}': {why}", llvm::plugin_name(), pass.name, run.mf.name()))
}

fn finish_statistics() -> Result<(), String> {
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
    // clang starts processes that come to no function of ours.
    if records.is_empty() {
        file.into_iter().for_each(OutputFile::leave);
        return Ok(());
    }
    statistics::write(llvm::plugin_name(), &records, table, file)
}
