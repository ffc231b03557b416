//! The options `-ptx-...`, `-maxreg` and their like, and what they mean together.
//!
//! Each knob is declared in one place, with its name, help, default and parser (`knobs!`). The
//! shim registers each of [`KNOBS`] as an LLVM `cl::opt` and passes its text to [`set`], which
//! reports errors. So `llc -ptx-...` and `clang -mllvm -ptx-...` work. Only the plugin reads knobs:
//! passes and stages get options of their own (`options.rs`). LLVM's own options
//! (`twoaddr-reschedule`, ...) are not here but in LLVM's registry.

use super::knob::{FileOption, Knob, Setting, Value};
use super::rows::{self, Feature};
use super::step::{Step, StepSet};
use crate::nvptx::ptxas_errata::{NoVersion, Version};
use crate::passes::emitter::EmitOrder;
use crate::process::arguments::{parse_flag, parse_new_pm, set_options, OptionError};
use crate::process::statistics::ZeroCounts;
#[cfg(debug_assertions)]
use crate::process::trace;
use crate::stages::cssa::types::{Method, Scope};
use crate::stages::nvptx_coalescer::budget::Budget;
use crate::stages::{nounroll, unroll};

/// The behaviour of passes where the descriptions of CICC go beyond LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Like the host's stock passes, byte for byte.
    Upstream,
    /// Like the descriptions of CICC, with the stages added. `cicc` is its former name.
    Default,
}

/// Declares the knobs, each as a `static`, and [`KNOBS`], the list of them.
macro_rules! knobs {
    ($($(#[$attribute:meta])* $name:ident: $type:ty = $knob:expr;)*) => {
        $($(#[$attribute])* pub static $name: $type = $knob;)*

        /// Every knob, in the order of their declarations. The digest at the head of the PTX
        /// depends on the order of those that change code.
        #[allow(unused_doc_comments)]
        pub static KNOBS: &[&dyn Setting] = &[$($(#[$attribute])* &$name),*];
    };
}

knobs! {
    /// Like stock LLVM or not.
    PROFILE: Knob<Profile> = Knob::new("ptx-profile", "profile", Profile::Default, parse_profile,
        "Behaviour of the passes: default (optimise more; cicc is the same), or upstream (the same PTX as stock LLVM)");
    /// The passes and stages that run.
    PASSES: Knob<StepSet> = Knob::new("ptx-passes", "names", StepSet::ALL, parse_passes,
        "Passes and stages that run, separated by commas (default: all); 'none' is stock LLVM, 'help' lists them")
        .changes_code();
    /// The features left out, a bit for each.
    WITHOUT: Knob<u64> = Knob::new("ptx-without", "rows", 0, parse_without,
        "For measurements: leave out the code of these rows of docs/requirements.md, separated by commas; 'help' lists them")
        .hidden().changes_code();
    /// The highest number of a function that is not left to stock; all ones: no limit.
    BISECT_LIMIT: Knob<u32> = Knob::new("ptx-bisect-limit", "n", u32::MAX, parse_limit,
        "Run on the first n functions only, and leave the others to stock LLVM; the functions are numbered on stderr")
        .hidden().changes_code();
    /// Whether to compile faster, as at -O0.
    FAST_COMPILE: Knob<bool> = Knob::flag("ptx-fast-compile", false,
        "Compile faster, as at -O0: no stage runs, copies are inserted where they are needed and none is joined")
        .changes_code();
    /// The order in which the nodes of a block are emitted.
    EMIT_ORDER: Knob<EmitOrder> = Knob::new("ptx-emit-order", "order", EmitOrder::Source, parse_order,
        "Order of the instructions of a block in the default profile: source (default), or pressure: the one of \
         several orders that needs the fewest registers").changes_code();
    /// The loops that are unrolled, if any.
    UNROLL: Knob<Option<unroll::Which>> = Knob::new("ptx-unroll", "loops", Some(unroll::Which::Whole), parse_unroll,
        "Which loops are unrolled before instruction selection: off: none, and the stage loop-branches does not run; \
         whole (default): those with a known trip count, or one of 16 at most; all: also short loops with an unknown one; \
         a pragma is obeyed (default profile)").changes_code();
    /// Whether the pointers that kernels get are `__restrict__`.
    RESTRICT: Knob<bool> = Knob::flag("ptx-restrict", false,
        "Promise that memory which a kernel writes, and reaches through one of the pointers it gets, it reaches through this \
         pointer alone: all are taken for __restrict__, as with nvcc's --restrict (default profile)").changes_code();
    /// Whether divisions share the reciprocals of their divisors.
    DIVISIONS: Knob<bool> = Knob::flag("ptx-divisions", false,
        "Compute the reciprocal of a divisor once for several divisions; the quotients stay the same to the bit (default \
         profile)").changes_code();
    /// Whether LoopStrengthReduce may change all loops.
    LSR: Knob<bool> = Knob::flag("ptx-lsr", false,
        "Let LLVM's LoopStrengthReduce change all loops of NVPTX functions; by default it changes the few that the \
         stage induction leaves to it (default profile)").changes_code();
    /// Whether LLVM's new pass manager is wanted.
    NEW_PM: Knob<bool> = Knob::new("ptx-new-pm", "", false, parse_new_pm,
        "Run in a pipeline of LLVM's new pass manager, from LLVM 24 on; by default the passes run in the legacy one, whichever \
         LLVM would take").changes_code();
    /// The loops that ptxas must not unroll, if any.
    NOUNROLL: Knob<Option<nounroll::Which>> = Knob::new("ptx-nounroll", "loops", None, parse_nounroll,
        "Innermost loops that ptxas is not to unroll where LLVM has not either: off (default): none; cold: those that \
         run less often than the function is entered; all (default profile)").changes_code();
    /// The registers of a thread that each function is to fit in; 0: not given.
    MAXREG: Knob<u32> = Knob::new("maxreg", "n", 0, parse_maxreg,
        "Number of 32-bit registers of a thread that each function is to fit in: it steers hoist and remat, over what the \
         kernel says; statistics and remarks compare register pressure with it (default: 70)").changes_code();
    /// The version of the ptxas that follows, if given.
    PTXAS_VERSION: Knob<Option<Version>> = Knob::new("ptx-ptxas-version", "version", None, parse_version,
        "Version of the ptxas that will compile the PTX, as 13.0.88: code that only other versions compile wrongly is not \
         written in another form (default: any version may; default profile, stage ptxas-errata)")
        .changes_code();
    /// Whether the registers that a PHI joins may share one.
    CSSA_COALESCE: Knob<bool> = Knob::flag("cssa-coalesce", true,
        "Let the registers that a PHI joins share one where they do not interfere, in small webs of PHIs in loops \
         (true by default; default profile, before PHI elimination)").changes_code();
    /// 0: none, 1: plain, 2: by value, anything else: not given.
    USEDESSA: Knob<u8> = Knob::new("usedessa", "method", u8::MAX, parse_level,
        "How PHIs are lowered: 0: to copies alone (classic PHI elimination); otherwise registers share one, in all PHIs, \
         unless 1: their live ranges intersect (Sreedhar); 2: they intersect and hold different values \
         (Boissinot; without this option in small webs of PHIs in loops)").changes_code();
    /// The copies that the NVPTX coalescer looks at in a function.
    COPY_LIMIT: Knob<u32> = Knob::new("nvptx-copy-limit", "n", u32::MAX, parse_limit,
        "Number of copies that the NVPTX coalescer looks at in a function (default: all); a remark names those that stay")
        .changes_code();
    /// The copies that the NVPTX coalescer removes in a function.
    COALESCE_LIMIT: Knob<u32> = Knob::new("nvptx-coalesce-limit", "n", u32::MAX, parse_limit,
        "Number of copies that the NVPTX coalescer removes in a function (default: all); a remark names those that stay")
        .changes_code();
    /// Whether copies of frequent blocks come first.
    COALESCE_BLOCK_FREQ: Knob<bool> = Knob::flag("nvptx-coalesce-block-freq", true,
        "Let the NVPTX coalescer try copies of frequent blocks first (default: true); false: those of deep loops")
        .changes_code();
    /// Whether a table of statistics is printed, and whether it includes counts of zero.
    STATS: Knob<Option<ZeroCounts>> = Knob::new("ptx-stats", "", None, parse_stats,
        "Print the statistics of every pass and stage that are not zero to stderr at the end; -ptx-stats=all: all of them");
    /// The file of the statistics.
    STATS_JSON: FileOption = FileOption::new("ptx-stats-json",
        "Write all statistics, for each function, as JSON to a file ('-': stdout)");
    /// The file of the drawings of live ranges.
    LIVE_RANGES: FileOption = FileOption::new("ptx-live-ranges",
        "Draw the live ranges of every function before coalescing, as SVG, to a file ('-': stdout)");
    /// The file of the code before and after each step.
    STAGE_CODE: FileOption = FileOption::new("ptx-stage-code",
        "Write the machine code before and after each pass and stage that changes it, as JSON, to a file ('-': stdout)");
    /// How much the stage cssa prints, from 0 to 2.
    CSSA_VERBOSITY: Knob<u8> = Knob::new("cssa-verbosity", "level", 0, parse_level,
        "Output of -cssa-coalesce on stderr: 0: none (default); 1: counts for each function; 2: and the congruence classes")
        .hidden();
    /// Whether functions are printed before the stage cssa.
    DUMP_BEFORE_CSSA: Knob<bool> = Knob::flag("dump-before-cssa", false,
        "Print every function to stderr before -cssa-coalesce").hidden();
    /// Whether the head of the PTX says what has made it.
    HEADER: Knob<bool> = Knob::flag("ptx-header", true,
        "Say at the head of the PTX what has made it: version, profile and a digest of the options that change code \
         (true by default; default profile)");
    /// Prints the versions.
    VERSION: Knob<()> = Knob::new("ptx-version", "", (), print_version,
        "Print the versions of ptxpasses and of its LLVM and exit");
    /// Whether each pass and stage is checked.
    VERIFY: Knob<bool> = Knob::flag("ptx-verify", false,
        "Prove after every pass and stage that the code computes the same; a miscompile is an error");
    /// Whether passes run for all targets.
    ALL_TARGETS: Knob<bool> = Knob::flag("ptx-all-targets", false,
        "For testing: run the passes for all targets, not NVPTX alone").hidden();
    /// Whether analyses are compared with stock's.
    CHECK_ANALYSES: Knob<bool> = Knob::flag("ptx-check-analyses", false,
        "For testing: compare LiveVariables and LiveIntervals with those of the stock passes, field by field")
        .hidden();
    /// Whether analyses are printed.
    PRINT_ANALYSES: Knob<bool> = Knob::flag("ptx-print-analyses", false,
        "For testing: print LiveVariables and LiveIntervals to stderr, as LLVM prints them").hidden();
    /// Whether the hints of the two-address pass are printed.
    PRINT_AFFINITY: Knob<bool> = Knob::flag("ptx-print-affinity", false,
        "For testing: print to stderr the hints of the two-address pass about registers that belong together")
        .hidden();
    /// Chooses the passes whose decisions are printed.
    #[cfg(debug_assertions)]
    TRACE: Knob<()> = Knob::new("ptx-trace", "names", (), choose_trace,
        "Print the decisions of these passes and stages, separated by commas, to stderr; all: of every one")
        .hidden();
    /// The step that panics, if any.
    TEST_PANIC: Knob<StepSet> = Knob::new("ptx-test-panic", "pass", StepSet::NONE, parse_one,
        "For testing: panic in this pass or stage").hidden();
}

/// The value whose number is its position in a list.
fn number_in<T: PartialEq>(all: &[T], value: T) -> u64 {
    all.iter().position(|one| *one == value).expect("the list has every value") as u64
}

/// Numbers the values of a type by their positions in a list of all of them.
macro_rules! numbered {
    ($($type:ty: $values:expr;)*) => {
        $(impl Value for $type {
            fn number(self) -> u64 {
                number_in(&$values, self)
            }
            fn of_number(number: u64) -> $type {
                $values[number as usize]
            }
        })*
    };
}

numbered! {
    Profile: [Profile::Default, Profile::Upstream];
    EmitOrder: [EmitOrder::Source, EmitOrder::Pressure];
    Option<unroll::Which>: [None, Some(unroll::Which::Whole), Some(unroll::Which::All)];
    Option<nounroll::Which>: [None, Some(nounroll::Which::Cold), Some(nounroll::Which::All)];
    Option<ZeroCounts>: [None, Some(ZeroCounts::Hidden), Some(ZeroCounts::Shown)];
}

impl Value for StepSet {
    fn number(self) -> u64 {
        self.bits().into()
    }
    fn of_number(number: u64) -> StepSet {
        StepSet::from_bits(number as u32)
    }
}

impl Value for Option<Version> {
    fn number(self) -> u64 {
        self.map_or(0, Version::number)
    }
    fn of_number(number: u64) -> Option<Version> {
        (number > 0).then(|| Version::from_number(number))
    }
}

/// Sets knob `index` of [`KNOBS`].
///
/// # Errors
/// Says what is wrong with the value, and what is allowed.
pub fn set(index: usize, value: &str) -> Result<(), OptionError> {
    KNOBS[index].set(value)
}

/// Sets the knobs named in `arguments`, words as on a command line.
///
/// # Errors
/// Names the option, and says what is wrong with it or what is allowed.
pub fn set_all(arguments: &str) -> Result<(), OptionError> {
    let infos = KNOBS.iter().map(|knob| knob.info());
    set_options(arguments, infos.map(|info| (info.name, info.value_name, info.is_hidden)), set)
}

/// The options that change the code of the default profile: name, and the numbers of value and
/// default.
pub fn code_options() -> Vec<(&'static str, u64, u64)> {
    let of =
        |knob: &&'static dyn Setting| knob.code().map(|(value, default)| (knob.info().name, value, default));
    KNOBS.iter().filter_map(of).collect()
}

/// Whether `-ptx-passes` has a pass or stage.
fn is_chosen(step: Step) -> bool {
    PASSES.get().contains(step)
}
/// Whether `pass` runs in Rust for functions of such a target. A pass that LLVM does not have
/// follows the rules of a stage.
pub fn takes(pass: Step, is_nvptx: bool) -> bool {
    match pass.row().runs_after() {
        None => is_chosen(pass) && (is_nvptx || ALL_TARGETS.get()),
        Some(_) => runs(pass) && is_nvptx && (pass != Step::NoUnroll || NOUNROLL.get().is_some()),
    }
}
/// Whether we restrict which loops LoopStrengthReduce may change: `induction` runs and `-ptx-lsr`
/// is not given.
pub fn chooses_loops(is_nvptx: bool) -> bool {
    is_nvptx && runs(Step::Induction) && !LSR.get()
}
/// Whether a stage on IR runs. `-ptx-unroll=off` turns off both stages that change loops: then loops
/// end as stock's do, and the interpreter can compare each branch. `restrict` needs a promise, and
/// `divisions` is asked for.
pub fn runs_on_ir(step: Step, is_nvptx: bool) -> bool {
    let is_wanted = match step {
        Step::Restrict => RESTRICT.get(),
        Step::Unroll | Step::LoopBranches => UNROLL.get().is_some(),
        Step::Divisions => DIVISIONS.get(),
        _ => true,
    };
    is_nvptx && runs(step) && is_wanted
}
/// Whether a stage runs: the profile and `-ptx-passes` include it, and `-ptx-fast-compile` does not
/// turn all stages off.
pub fn runs(stage: Step) -> bool {
    PROFILE.get() == Profile::Default && !FAST_COMPILE.get() && is_chosen(stage)
}
/// Whether any pass or stage runs.
pub fn runs_any() -> bool {
    PASSES.get() != StepSet::NONE
}
/// Whether the profile has a feature, and `-ptx-without` does not leave it out.
pub fn has(feature: Feature) -> bool {
    PROFILE.get() == Profile::Default && WITHOUT.get() >> feature as u32 & 1 == 0
}
/// Whether statistics are to be collected at all.
pub fn collect_stats() -> bool {
    STATS.get().is_some() || STATS_JSON.file.is_set()
}
/// `-ptx-bisect-limit`, if given.
pub fn bisect_limit() -> Option<u32> {
    Some(BISECT_LIMIT.get()).filter(|&limit| limit < u32::MAX)
}
/// `-maxreg`, if given.
pub fn maxreg() -> Option<u32> {
    Some(MAXREG.get()).filter(|&n| n > 0)
}
/// `-nvptx-copy-limit` and `-nvptx-coalesce-limit`
pub fn coalescing_budget() -> Budget {
    Budget { copies: COPY_LIMIT.get(), joins: COALESCE_LIMIT.get() }
}
/// `-usedessa`, unless `-cssa-coalesce` is off. A method that is given applies to all PHIs.
pub fn cssa_method() -> Option<(Method, Scope)> {
    let method = match USEDESSA.get() {
        0 => None,
        1 => Some((Method::Plain, Scope::All)),
        2 => Some((Method::Value, Scope::All)),
        _ => Some((Method::Value, Scope::WhereItPays)),
    };
    method.filter(|_| CSSA_COALESCE.get())
}
/// `-ptx-test-panic`
pub fn test_panic(step: Step) -> bool {
    TEST_PANIC.get().contains(step)
}

/// The meaning of a value, which is one of these.
fn choose<T: Copy>(what: &'static str, value: &str, meanings: &[(&str, T)]) -> Result<T, OptionError> {
    meanings.iter().find(|(name, _)| *name == value).map(|(_, meaning)| *meaning).ok_or_else(|| {
        let names: Vec<_> = meanings.iter().map(|(name, _)| *name).collect();
        OptionError::not_allowed(what, value, names.join(", "))
    })
}

fn parse_profile(value: &str) -> Result<Profile, OptionError> {
    let former_name = "cicc";
    let value = if value == former_name { "default" } else { value };
    choose("no profile", value, &[("upstream", Profile::Upstream), ("default", Profile::Default)])
}

fn parse_stats(value: &str) -> Result<Option<ZeroCounts>, OptionError> {
    if value == "all" {
        return Ok(Some(ZeroCounts::Shown));
    }
    let allowed = "all, true, false (or 1, 0, or no value)";
    let wanted = parse_flag(value).map_err(|_| OptionError::invalid(value, allowed))?;
    Ok(wanted.then_some(ZeroCounts::Hidden))
}

fn parse_order(value: &str) -> Result<EmitOrder, OptionError> {
    choose("no order", value, &[("source", EmitOrder::Source), ("pressure", EmitOrder::Pressure)])
}

fn parse_version(value: &str) -> Result<Option<Version>, OptionError> {
    value.parse().map(Some).map_err(|error: NoVersion| error.to_string().into())
}

fn parse_unroll(value: &str) -> Result<Option<unroll::Which>, OptionError> {
    use unroll::Which::{All, Whole};
    choose("invalid value", value, &[("off", None), ("whole", Some(Whole)), ("all", Some(All))])
}

fn parse_nounroll(value: &str) -> Result<Option<nounroll::Which>, OptionError> {
    use nounroll::Which::{All, Cold};
    choose("invalid value", value, &[("off", None), ("cold", Some(Cold)), ("all", Some(All))])
}

/// Parses an integer from 0 to 2.
fn parse_level(value: &str) -> Result<u8, OptionError> {
    value.parse().ok().filter(|&n| n <= 2).ok_or_else(|| OptionError::invalid(value, "0, 1, 2"))
}

fn parse_passes(value: &str) -> Result<StepSet, OptionError> {
    if value == "help" {
        print!("{}", StepSet::help());
        std::process::exit(0);
    }
    StepSet::parse(value)
}

/// Parses the name of one pass or stage.
fn parse_one(value: &str) -> Result<StepSet, OptionError> {
    Ok(StepSet::NONE.with(Step::parse(value)?))
}

fn parse_without(value: &str) -> Result<u64, OptionError> {
    if value == "help" {
        print!("{}", rows::help());
        std::process::exit(0);
    }
    rows::parse(value)
}

fn parse_maxreg(value: &str) -> Result<u32, OptionError> {
    let allowed = || OptionError::invalid(value, format!("an integer from 1 to {}", u32::MAX));
    value.parse().ok().filter(|&n| n > 0).ok_or_else(allowed)
}

fn parse_limit(value: &str) -> Result<u32, OptionError> {
    let allowed = |_| OptionError::invalid(value, format!("an integer from 0 to {}", u32::MAX));
    value.parse().map_err(allowed)
}

#[cfg(debug_assertions)]
fn choose_trace(value: &str) -> Result<(), OptionError> {
    StepSet::parse(value)?;
    trace::choose(value);
    Ok(())
}

fn print_version(value: &str) -> Result<(), OptionError> {
    if parse_flag(value)? {
        println!("{}", version());
        std::process::exit(0);
    }
    Ok(())
}

/// The versions of ptxpasses and of its LLVM.
pub fn version() -> String {
    let host = option_env!("PTX_LLVM_MAJOR").map_or("no LLVM".to_owned(), |major| format!("LLVM {major}"));
    format!("ptxpasses {} for {host}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_a_bad_value_names_what_is_allowed() {
        assert!(parse_profile("fast").unwrap_err().to_string().contains("allowed: upstream, default"));
        assert!(parse_flag("maybe").unwrap_err().to_string().contains("allowed: true, false"));
        assert!(parse_stats("some").unwrap_err().to_string().contains("allowed: all, true, false"));
        assert!(Step::parse("x").unwrap_err().to_string().contains(
            "allowed: restrict, equal-phis, unroll, early-loads, loop-branches, divisions, emitter"
        ));
        for bad in ["", "none", "All", "cold,all"] {
            assert!(
                parse_nounroll(bad).unwrap_err().to_string().contains("allowed: off, cold, all"),
                "{bad}"
            );
            assert!(parse_unroll(bad).unwrap_err().to_string().contains("allowed: off, whole, all"), "{bad}");
        }
        for bad in ["", "0", "-1", "seventy", "4294967296", "7.5"] {
            let e = parse_maxreg(bad).unwrap_err().to_string();
            assert!(e.contains("allowed: an integer from 1 to 4294967295"), "{e}");
        }
        for bad in ["", "-1", "many", "4294967296"] {
            let e = parse_limit(bad).unwrap_err().to_string();
            assert!(e.contains("allowed: an integer from 0 to 4294967295"), "{e}");
        }
    }

    #[test]
    fn flags_read_as_llvm_reads_them() {
        for yes in ["", "true", "1"] {
            assert_eq!(parse_flag(yes), Ok(true));
        }
        assert_eq!(parse_flag("false"), Ok(false));
    }

    #[test]
    fn p7_words_of_the_environment_are_read_as_on_a_command_line() {
        assert_eq!(set_all(""), Ok(()));
        // No other test reads these knobs.
        assert_eq!(
            set_all("  -nvptx-copy-limit=3\t--nvptx-coalesce-limit 4 -ptx-print-affinity=false\n"),
            Ok(())
        );
        assert_eq!((COPY_LIMIT.get(), COALESCE_LIMIT.get()), (3, 4));
        for (bad, why) in [
            ("-ptx-profil=cicc", "no option '-ptx-profil=cicc'; allowed: -ptx-profile, -ptx-passes, "),
            ("ptx-stats", "no option 'ptx-stats'; allowed: "),
            ("---ptx-stats", "no option '---ptx-stats'; allowed: "),
            ("-", "no option '-'; allowed: "),
            ("-ptx-stats -ptx-profile=fast", "-ptx-profile: no profile 'fast'; allowed: upstream, default"),
            ("-maxreg", "-maxreg: it needs a value: -maxreg=<n>"),
            ("-maxreg none", "-maxreg: invalid value 'none'; allowed: an integer from 1 to 4294967295"),
        ] {
            let e = set_all(bad).unwrap_err().to_string();
            assert!(e.starts_with(why), "{bad}: {e}");
        }
        assert_eq!(set_all("-ptx-stats=false"), Ok(()));
    }

    /// `-ptx-lsr` and `-ptx-bisect-limit` were once in no document.
    #[test]
    fn every_option_is_documented() {
        let page = include_str!("../../docs/options.md");
        let has = |name: &str| {
            let dashed = format!("-{name}");
            page.match_indices(&dashed).any(|(at, _)| {
                let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
                page[..at].ends_with('`') && !page[at + dashed.len()..].starts_with(is_part)
            })
        };
        let missing: Vec<_> = KNOBS.iter().map(|knob| knob.info().name).filter(|name| !has(name)).collect();
        assert!(missing.is_empty(), "docs/options.md lacks {missing:?}");
        assert!(!has("ptx-stat") && !has("lsr"), "whole names alone");
    }

    /// The head of the PTX must tell apart settings that give different code.
    #[test]
    fn each_option_changes_code_or_is_known_not_to() {
        let leave_code = "ptx-profile ptx-stats ptx-stats-json ptx-live-ranges ptx-stage-code cssa-verbosity dump-before-cssa ptx-version ptx-header \
                          ptx-verify ptx-all-targets ptx-check-analyses ptx-print-analyses ptx-print-affinity ptx-trace ptx-test-panic";
        let mut named: Vec<_> =
            code_options().into_iter().map(|(name, ..)| name).chain(leave_code.split_whitespace()).collect();
        let mut known: Vec<_> = KNOBS.iter().map(|knob| knob.info().name).collect();
        named.sort_unstable();
        known.sort_unstable();
        assert_eq!(named, known, "ptx-profile is named in the line by itself, or there is none");
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = KNOBS.iter().map(|knob| knob.info().name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KNOBS.len());
    }
}
