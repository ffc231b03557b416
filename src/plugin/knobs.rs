//! The values of the options `-ptx-...`, `-maxreg` and their like.
//!
//! Values are process-wide, as all options of LLVM are. They are written while the command line is
//! parsed (`knob_table.rs`) and only read afterwards. Only the plugin reads them: passes and stages
//! get options of their own (`options.rs`). LLVM's own options (`twoaddr-reschedule`, ...) are not
//! here but in LLVM's registry.

use super::rows::Feature;
use super::step::{Step, StepSet};
use crate::nvptx::ptxas_errata::Version;
use crate::passes::emitter::EmitOrder;
use crate::process::output_file::{FileKnob, OutputFile};
use crate::process::statistics::ZeroCounts;
use crate::stages::cssa::types::{Method, Scope};
use crate::stages::nounroll::Which;
use crate::stages::nvptx_coalescer::budget::Budget;
use crate::stages::unroll;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicU8, Ordering::Relaxed};

/// The behaviour of passes where the descriptions of CICC go beyond LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Like the host's stock passes, byte for byte.
    Upstream,
    /// Like the descriptions of CICC, with the stages added. `cicc` is its former name.
    Default,
}

pub(super) static PROFILE_IS_UPSTREAM: AtomicBool = AtomicBool::new(false);
pub(super) static PASSES: AtomicU32 = AtomicU32::new(u32::MAX);
/// 0: no table, 1: counts that are not zero, 2: all counts.
pub(super) static STATS: AtomicU8 = AtomicU8::new(0);
pub(super) static STATS_JSON: FileKnob = FileKnob::unset();
pub(super) static LIVE_RANGES: FileKnob = FileKnob::unset();
pub(super) static STAGE_CODE: FileKnob = FileKnob::unset();
/// 0: not given.
pub(super) static MAXREG: AtomicU32 = AtomicU32::new(0);
pub(super) static COPY_LIMIT: AtomicU32 = AtomicU32::new(u32::MAX);
pub(super) static COALESCE_LIMIT: AtomicU32 = AtomicU32::new(u32::MAX);
pub(super) static NEW_PM: AtomicBool = AtomicBool::new(false);
pub(super) static COALESCE_BLOCK_FREQ: AtomicBool = AtomicBool::new(true);
pub(super) static EMIT_ORDER_IS_PRESSURE: AtomicBool = AtomicBool::new(false);
/// 0: no loops, 1: cold ones, 2: all.
pub(super) static NOUNROLL: AtomicU8 = AtomicU8::new(0);
/// The version's number; 0: not given.
pub(super) static PTXAS_VERSION: AtomicU64 = AtomicU64::new(0);
pub(super) static CSSA_COALESCE: AtomicBool = AtomicBool::new(true);
/// 0: none, 1: plain, 2: by value, anything else: not given.
pub(super) static USEDESSA: AtomicU8 = AtomicU8::new(u8::MAX);
pub(super) static CSSA_VERBOSITY: AtomicU8 = AtomicU8::new(0);
pub(super) static DUMP_BEFORE_CSSA: AtomicBool = AtomicBool::new(false);
/// The highest number of a function that is not left to stock; all ones: no limit.
pub(super) static BISECT_LIMIT: AtomicU32 = AtomicU32::new(u32::MAX);
/// 0: no loops, 1: those with a known trip count, 2: all.
pub(super) static UNROLL: AtomicU8 = AtomicU8::new(1);
pub(super) static LSR: AtomicBool = AtomicBool::new(false);
pub(super) static FAST_COMPILE: AtomicBool = AtomicBool::new(false);
pub(super) static HEADER: AtomicBool = AtomicBool::new(true);
pub(super) static VERIFY: AtomicBool = AtomicBool::new(false);
pub(super) static ALL_TARGETS: AtomicBool = AtomicBool::new(false);
pub(super) static CHECK_ANALYSES: AtomicBool = AtomicBool::new(false);
pub(super) static PRINT_ANALYSES: AtomicBool = AtomicBool::new(false);
pub(super) static PRINT_AFFINITY: AtomicBool = AtomicBool::new(false);
/// The features left out, a bit for each.
pub(super) static WITHOUT: AtomicU64 = AtomicU64::new(0);
/// 0: none, otherwise the step's number plus one.
pub(super) static TEST_PANIC: AtomicU8 = AtomicU8::new(0);

/// The chosen profile.
pub fn profile() -> Profile {
    if PROFILE_IS_UPSTREAM.load(Relaxed) {
        Profile::Upstream
    } else {
        Profile::Default
    }
}
/// Whether `-ptx-passes` has a pass or stage.
fn is_chosen(step: Step) -> bool {
    StepSet::from_bits(PASSES.load(Relaxed)).contains(step)
}
/// Whether `pass` runs in Rust for functions of such a target. A pass that LLVM does not have
/// follows the rules of a stage.
pub fn takes(pass: Step, is_nvptx: bool) -> bool {
    match pass.row().runs_after() {
        None => is_chosen(pass) && (is_nvptx || ALL_TARGETS.load(Relaxed)),
        Some(_) => runs(pass) && is_nvptx && (pass != Step::NoUnroll || nounroll().is_some()),
    }
}
/// Whether we restrict which loops LoopStrengthReduce may change: `induction` runs and `-ptx-lsr`
/// is not given.
pub fn chooses_loops(is_nvptx: bool) -> bool {
    is_nvptx && runs(Step::Induction) && !LSR.load(Relaxed)
}
/// Whether a stage on IR runs, and `-ptx-unroll` does not turn it off. It turns both off. Then loops
/// end as stock's do, and the interpreter can compare each branch.
pub fn runs_on_ir(step: Step, is_nvptx: bool) -> bool {
    is_nvptx && runs(step) && unroll().is_some()
}
/// `-ptx-unroll`: which loops are unrolled, if any.
pub fn unroll() -> Option<unroll::Which> {
    match UNROLL.load(Relaxed) {
        0 => None,
        1 => Some(unroll::Which::Whole),
        _ => Some(unroll::Which::All),
    }
}
/// Whether any pass or stage runs.
pub fn runs_any() -> bool {
    PASSES.load(Relaxed) != 0
}
/// The options that change the code of the default profile: name, value and default.
pub fn code_options() -> [(&'static str, u64, u64); 16] {
    let number = |value: &AtomicU32| u64::from(value.load(Relaxed));
    let level = |value: &AtomicU8| u64::from(value.load(Relaxed));
    let flag = |value: &AtomicBool| u64::from(value.load(Relaxed));
    let all = u64::from(u32::MAX);
    [
        ("ptx-passes", number(&PASSES), all),
        ("ptx-without", WITHOUT.load(Relaxed), 0),
        ("ptx-bisect-limit", number(&BISECT_LIMIT), all),
        ("ptx-fast-compile", flag(&FAST_COMPILE), 0),
        ("ptx-emit-order", flag(&EMIT_ORDER_IS_PRESSURE), 0),
        ("ptx-unroll", level(&UNROLL), 1),
        ("ptx-lsr", flag(&LSR), 0),
        ("ptx-new-pm", flag(&NEW_PM), 0),
        ("ptx-nounroll", level(&NOUNROLL), 0),
        ("maxreg", number(&MAXREG), 0),
        ("ptx-ptxas-version", PTXAS_VERSION.load(Relaxed), 0),
        ("cssa-coalesce", flag(&CSSA_COALESCE), 1),
        ("usedessa", level(&USEDESSA), u64::from(u8::MAX)),
        ("nvptx-copy-limit", number(&COPY_LIMIT), all),
        ("nvptx-coalesce-limit", number(&COALESCE_LIMIT), all),
        ("nvptx-coalesce-block-freq", flag(&COALESCE_BLOCK_FREQ), 1),
    ]
}
/// `-ptx-header`
pub fn header() -> bool {
    HEADER.load(Relaxed)
}
/// `-ptx-bisect-limit`, if given.
pub fn bisect_limit() -> Option<u32> {
    Some(BISECT_LIMIT.load(Relaxed)).filter(|&limit| limit < u32::MAX)
}
/// Whether a stage runs: the profile and `-ptx-passes` include it, and `-ptx-fast-compile` does not
/// turn all stages off.
pub fn runs(stage: Step) -> bool {
    profile() == Profile::Default && !fast_compile() && is_chosen(stage)
}
/// Whether the profile has a feature, and `-ptx-without` does not leave it out.
pub fn has(feature: Feature) -> bool {
    profile() == Profile::Default && WITHOUT.load(Relaxed) >> feature as u32 & 1 == 0
}
/// Whether `-ptx-stats` asks for a table, and whether the table includes counts of zero.
pub fn stats() -> Option<ZeroCounts> {
    match STATS.load(Relaxed) {
        0 => None,
        1 => Some(ZeroCounts::Hidden),
        _ => Some(ZeroCounts::Shown),
    }
}
/// Whether statistics are to be collected at all.
pub fn collect_stats() -> bool {
    stats().is_some() || STATS_JSON.is_set()
}
/// Takes `-ptx-stats-json`, so that it is written once.
pub fn take_stats_json() -> Option<OutputFile> {
    STATS_JSON.take()
}
/// Whether the code around each step is to be written.
pub fn write_stage_code() -> bool {
    STAGE_CODE.is_set()
}
/// Takes `-ptx-stage-code`, so that it is written once.
pub fn take_stage_code() -> Option<OutputFile> {
    STAGE_CODE.take()
}
/// Whether live ranges are to be drawn.
pub fn draw_live_ranges() -> bool {
    LIVE_RANGES.is_set()
}
/// Takes `-ptx-live-ranges`, so that it is written once.
pub fn take_live_ranges() -> Option<OutputFile> {
    LIVE_RANGES.take()
}
/// `-maxreg`, if given.
pub fn maxreg() -> Option<u32> {
    Some(MAXREG.load(Relaxed)).filter(|&n| n > 0)
}
/// `-ptx-ptxas-version`, if given.
pub fn ptxas_version() -> Option<Version> {
    Some(PTXAS_VERSION.load(Relaxed)).filter(|&number| number > 0).map(Version::from_number)
}
/// `-nvptx-copy-limit` and `-nvptx-coalesce-limit`
pub fn coalescing_budget() -> Budget {
    Budget { copies: COPY_LIMIT.load(Relaxed), joins: COALESCE_LIMIT.load(Relaxed) }
}
/// `-ptx-new-pm`
pub fn new_pm() -> bool {
    NEW_PM.load(Relaxed)
}
/// `-nvptx-coalesce-block-freq`
pub fn coalesce_block_freq() -> bool {
    COALESCE_BLOCK_FREQ.load(Relaxed)
}
/// `-ptx-emit-order`
pub fn emit_order() -> EmitOrder {
    if EMIT_ORDER_IS_PRESSURE.load(Relaxed) {
        EmitOrder::Pressure
    } else {
        EmitOrder::Source
    }
}
/// `-ptx-nounroll`: the loops that ptxas must not unroll, if any.
pub fn nounroll() -> Option<Which> {
    match NOUNROLL.load(Relaxed) {
        0 => None,
        1 => Some(Which::Cold),
        _ => Some(Which::All),
    }
}
/// `-usedessa`, unless `-cssa-coalesce` is off. A method that is given applies to all PHIs.
pub fn cssa_method() -> Option<(Method, Scope)> {
    let method = match USEDESSA.load(Relaxed) {
        0 => None,
        1 => Some((Method::Plain, Scope::All)),
        2 => Some((Method::Value, Scope::All)),
        _ => Some((Method::Value, Scope::WhereItPays)),
    };
    method.filter(|_| CSSA_COALESCE.load(Relaxed))
}
/// `-cssa-verbosity`
pub fn cssa_verbosity() -> u8 {
    CSSA_VERBOSITY.load(Relaxed)
}
/// `-dump-before-cssa`
pub fn dump_before_cssa() -> bool {
    DUMP_BEFORE_CSSA.load(Relaxed)
}
/// `-ptx-fast-compile`
pub fn fast_compile() -> bool {
    FAST_COMPILE.load(Relaxed)
}
/// `-ptx-verify`
pub fn verify() -> bool {
    VERIFY.load(Relaxed)
}
/// `-ptx-check-analyses`
pub fn check_analyses() -> bool {
    CHECK_ANALYSES.load(Relaxed)
}
/// `-ptx-print-analyses`
pub fn print_analyses() -> bool {
    PRINT_ANALYSES.load(Relaxed)
}
/// `-ptx-print-affinity`
pub fn print_affinity() -> bool {
    PRINT_AFFINITY.load(Relaxed)
}
/// `-ptx-test-panic`
pub fn test_panic(step: Step) -> bool {
    TEST_PANIC.load(Relaxed) == step as u8 + 1
}
