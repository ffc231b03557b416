//! Builds the options of each pass and stage, from our knobs and from LLVM's own options.

use super::knobs::{self, Profile};
use super::rows::Feature;
use super::step::Step;
use crate::liveness;
use crate::llvm::{
    llvm_option_bool, llvm_option_bool_or_default, llvm_option_given, llvm_option_unsigned, MachineFunction,
    Run,
};
use crate::nvptx::occupancy::RegisterTarget;
use crate::nvptx::ptxas_errata::{Id, State};
use crate::passes::affinity::AffinityHints;
use crate::passes::emitter::Settings;
use crate::passes::{coalescer, phi_elim, two_address};
use crate::stages::cssa::types as cssa;
use crate::stages::nvptx_coalescer;
use crate::stages::nvptx_coalescer::budget::Budget;
use crate::stages::ptxas_errata::Faults;
use crate::versions::VERSIONS;

fn is_default() -> bool {
    knobs::PROFILE.get() == Profile::Default
}

/// Returns the options of the instruction emitter.
pub fn emitter() -> Settings {
    match is_default() && !knobs::FAST_COMPILE.get() {
        true => Settings {
            dead_copies: knobs::has(Feature::E11),
            glue_consumers: knobs::has(Feature::E12),
            direct_results: knobs::has(Feature::E13),
            dead_parameters: knobs::has(Feature::E14),
            order: knobs::EMIT_ORDER.get(),
        },
        false => Settings::default(),
    }
}

/// Returns whether the stage `wide-phis` may change anything where it runs.
pub fn wide_phis() -> bool {
    knobs::has(Feature::C7)
}

/// Returns the faults that the user's ptxas has or may have. Without `-ptx-ptxas-version` that may
/// be any ptxas. The function's processor does not matter: ptxas may compile the PTX for a later
/// one, which has the fault.
pub fn faults_of_ptxas() -> Faults {
    let has = |id: Id| {
        let is_wrong = |version| id.erratum().versions.state(version) != State::Right;
        knobs::PTXAS_VERSION.get().is_none_or(is_wrong)
    };
    Faults {
        unsigned_as_signed: has(Id::UnsignedAsSigned),
        negated_maximum: has(Id::NegatedMaximum),
        packed_half: has(Id::PackedHalf),
    }
}

/// Returns a function's register target; `None` if neither the user nor the function sets one.
pub fn register_target(mf: MachineFunction) -> Option<RegisterTarget> {
    mf.is_nvptx().then(|| RegisterTarget::of(knobs::maxreg(), mf.ir().launch_bounds())).flatten()
}

/// Returns the register target for the stages that it steers.
pub fn steering_target(mf: MachineFunction) -> Option<RegisterTarget> {
    knobs::has(Feature::L8Steer).then(|| register_target(mf)).flatten()
}

/// The options of LiveVariables and LiveIntervals for a function.
pub fn liveness(mf: MachineFunction) -> liveness::pass::Options {
    let is_nvptx = mf.is_nvptx();
    let if_ours = |pass: Step| pass.row().argument().filter(|_| knobs::takes(pass, is_nvptx));
    liveness::pass::Options {
        fast_compile: knobs::FAST_COMPILE.get(),
        bypass: !is_default() || knobs::has(Feature::L6),
        without_variables: [Step::PhiElim, Step::TwoAddress].map(if_ours),
        replaces_intervals: knobs::takes(Step::LiveIntervals, is_nvptx),
        without_intervals: [Step::Coalescer, Step::NvptxCoalescer, Step::NoUnroll].map(if_ours),
        is_shown: knobs::CHECK_ANALYSES.get() || knobs::PRINT_ANALYSES.get(),
        verify_coalescing: llvm_option_bool("verify-coalescing", false),
        early_live_intervals: llvm_option_bool("early-live-intervals", false),
        machine_scheduler: llvm_option_given("enable-misched"),
    }
}

/// The options of the CSSA stage; `None` if it is off.
pub fn cssa() -> Option<cssa::Options> {
    knobs::cssa_method().filter(|_| knobs::has(Feature::C8)).map(|(method, scope)| cssa::Options {
        method,
        scope,
        verbosity: knobs::CSSA_VERBOSITY.get(),
        print_before: knobs::DUMP_BEFORE_CSSA.get(),
    })
}

/// The options of PHI elimination.
pub fn phi_elim() -> phi_elim::Options {
    phi_elim::Options {
        is_default: is_default(),
        differences: VERSIONS.phi_elim,
        split_edges: !knobs::FAST_COMPILE.get()
            && !llvm_option_bool("disable-phi-elim-edge-splitting", false),
        split_all_critical_edges: llvm_option_bool("phi-elim-split-all-critical-edges", false),
        no_live_out_early_exit: llvm_option_bool("no-phi-elim-live-out-early-exit", false),
    }
}

/// The options of the two-address pass for a run.
pub fn two_address(run: Run) -> two_address::Options {
    two_address::Options {
        optimize: run.optimize,
        wants_remarks: knobs::has(Feature::T9) && two_address::pass::wants_remarks(run.mf),
        copy_hints: is_default() && knobs::has(Feature::T5),
        neighbour_hints: is_default() && knobs::has(Feature::T7),
        is_default: is_default(),
        differences: VERSIONS.two_address,
        may_reschedule: llvm_option_bool("twoaddr-reschedule", true),
        dataflow_edge_limit: llvm_option_unsigned(
            "dataflow-edge-limit",
            VERSIONS.two_address.dataflow_edge_limit,
        ),
        follows_tied_operands: VERSIONS.two_address.follows_tied_operands
            && llvm_option_bool("twoaddr-analyze-revcopy-tied", true),
    }
}

/// The options of the register coalescer for a function, with the hints of the two-address pass.
pub fn coalescer<'a>(mf: MachineFunction, hints: Option<&'a AffinityHints>) -> coalescer::pass::Options<'a> {
    coalescer::pass::Options {
        hints: hints.map_or(&[], AffinityHints::all),
        algorithm: coalescer::Options {
            join: llvm_option_bool("join-liveintervals", true),
            join_split_edges: llvm_option_bool("join-splitedges", false),
            join_global_copies: llvm_option_bool_or_default("join-globalcopies", mf.joins_global_copies()),
            terminal_rule: llvm_option_bool("terminal-rule", VERSIONS.coalescer.terminal_rule),
            late_remat_update: llvm_option_unsigned("late-remat-update-threshold", 100),
            large_interval_size: llvm_option_unsigned("large-interval-size-threshold", 100),
            large_interval_freq: llvm_option_unsigned("large-interval-freq-threshold", 256),
            flags_undefined: is_default(),
        },
        verify: llvm_option_bool("verify-coalescing", false),
        liveness: liveness(mf),
        goes_on: Step::NvptxCoalescer.name(),
    }
}

/// The options of the NVPTX coalescer.
pub fn nvptx_coalescer() -> nvptx_coalescer::Options {
    let unlimited = Budget { copies: u32::MAX, joins: u32::MAX };
    nvptx_coalescer::Options {
        budget: if knobs::has(Feature::C6) { knobs::coalescing_budget() } else { unlimited },
        families: knobs::has(Feature::C3),
        worklist: knobs::has(Feature::C4),
        lower_registers_first: knobs::has(Feature::C4Order),
        weights: knobs::has(Feature::C4Weights),
        frequencies: knobs::has(Feature::C4Frequency),
        blocks_first: knobs::has(Feature::C4Blocks),
        retries: knobs::has(Feature::C4Retry),
        by_value: knobs::has(Feature::C5),
        constants: knobs::has(Feature::C9),
    }
}
