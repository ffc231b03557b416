//! Binds the plugin to LLVM: the functions that the shim calls, in safe code.

use super::driver::{self, PassState};
use super::knobs::{self, Profile};
use super::pipeline;
use super::step::Step;
use super::{
    bisect, drawings, emission, head, ir_choices, left_loops, loop_branches, stage_code, stats, unrolling,
};
use crate::checker::verify::Miscompile;
use crate::llvm::{
    entry_points, Analyses, BlockEmission, FinalOutput, IrFunction, IrLoop, IrStage, KnobInfo,
    MachineFunction, Outcome, PassInfo, Place, Plugin, Run, UnrollLoop, UnrollResult,
};
use crate::mir::{EarlyLoad, EqualPhi, LoopBranch, Moves, Parameter, SharedDivisor, Unroll};
use crate::nvptx::occupancy::Architecture;
use crate::process::arguments::OptionError;
use crate::process::{compiler, statistics};
use crate::stages::induction::loops::{is_left_alone, LoopFacts};
use crate::stages::nounroll::Which;
use crate::stages::{divisions, early_loads, equal_phis, restrict, unroll};
use std::ffi::CStr;

/// The plugin.
pub struct PtxPasses;

crate::export_entry_points!(entry_points::<PtxPasses>());

/// The analyses that the coalescer needs and keeps. The passes after it do the same.
const AFTER_COALESCER: Analyses =
    Analyses::SLOT_INDEXES.with(Analyses::LIVE_INTERVALS).with(Analyses::DOMINATORS).with(Analyses::LOOPS);

/// Whether the first part of a triple is NVPTX.
fn is_nvptx(arch: &str) -> bool {
    arch.starts_with("nvptx")
}

/// The row of a stage on IR.
fn step_of(stage: IrStage) -> Step {
    match stage {
        IrStage::Restrict => Step::Restrict,
        IrStage::EqualPhis => Step::EqualPhis,
        IrStage::Unroll => Step::Unroll,
        IrStage::EarlyLoads => Step::EarlyLoads,
        IrStage::LoopBranches => Step::LoopBranches,
        IrStage::Divisions => Step::Divisions,
    }
}

/// The pass with this index in the shim.
fn pass_at(index: usize) -> Step {
    pipeline::passes().nth(index).expect("the shim was told how many passes there are")
}

impl Plugin for PtxPasses {
    type PassState = PassState;
    type OptionError = OptionError;
    type Failure = Miscompile;
    const FINAL_OUTPUTS: &'static [FinalOutput] = &[
        ("statistics", stats::finish),
        ("live ranges", drawings::finish),
        ("the code of stages", stage_code::finish),
        ("device bitcode", compiler::finish),
    ];

    fn name() -> &'static CStr {
        c"ptxpasses"
    }

    fn num_knobs() -> usize {
        knobs::KNOBS.len()
    }
    fn knob(index: usize) -> KnobInfo {
        let info = knobs::KNOBS[index].info();
        KnobInfo { name: info.name, help: info.help, value_name: info.value_name, hidden: info.is_hidden }
    }
    fn set_knob(index: usize, value: &str) -> Result<(), OptionError> {
        knobs::set(index, value)
    }
    fn set_knobs(arguments: &str) -> Result<(), OptionError> {
        knobs::set_all(arguments)
    }

    fn num_passes() -> usize {
        pipeline::passes().count()
    }
    fn pass(index: usize) -> PassInfo {
        let pass = pass_at(index);
        let row = pass.row();
        let argument = row.argument().expect("LLVM knows it as a pass");
        let place = match row.runs_after() {
            _ if pass == Step::Emitter => None,
            None => Some(Place::InsteadOf(argument)),
            Some(ahead) => Some(Place::After(ahead.row().argument().expect("LLVM has that pass"))),
        };
        let reads_frequencies = match pass {
            Step::NvptxCoalescer => knobs::COALESCE_BLOCK_FREQ.get(),
            Step::NoUnroll => knobs::NOUNROLL.get() == Some(Which::Cold),
            _ => false,
        };
        let frequencies = if reads_frequencies { Analyses::BLOCK_FREQUENCIES } else { Analyses::NONE };
        let [needs, keeps] = match row.runs_after() {
            None => [Analyses::NONE; 2],
            Some(_) => [AFTER_COALESCER | Analyses::ALIASES, AFTER_COALESCER | Analyses::CFG],
        };
        PassInfo {
            name: pass.name(),
            argument,
            title: argument,
            place,
            is_analysis: matches!(pass, Step::LiveVars | Step::LiveIntervals),
            asks_to_skip: matches!(pass, Step::TwoAddress | Step::NvptxCoalescer | Step::NoUnroll),
            needs: needs | frequencies,
            keeps: keeps | frequencies,
        }
    }
    fn takes(pass: usize, arch: &str) -> bool {
        knobs::takes(pass_at(pass), is_nvptx(arch))
    }
    fn chooses_loops(arch: &str) -> bool {
        knobs::chooses_loops(is_nvptx(arch))
    }
    fn leaves_loop(l: &IrLoop) -> bool {
        let f = l.function;
        if bisect::is_beyond_in_ir(f) {
            return false;
        }
        let leaves = is_left_alone(&LoopFacts {
            trip_count: l.trip_count,
            num_instrs: l.num_instrs,
            num_unrolled: l.num_unrolled,
            num_pointers: l.num_pointers,
            walks_by_constants: l.has_constant_steps && l.reads_for_addresses,
            num_accesses: l.num_accesses,
            num_bases: l.num_bases,
            extends_index: l.extends_index,
            multiplies_index: l.multiplies_index,
            num_widenings: l.num_widenings,
        });
        if leaves {
            left_loops::add(&f.module_name(), &f.name());
        }
        leaves
    }
    fn runs_on_ir(stage: IrStage, arch: &str) -> bool {
        knobs::runs_on_ir(step_of(stage), is_nvptx(arch))
    }
    fn ran_on_ir(stage: IrStage, f: IrFunction, number: u32, num_instrs: u32, nanoseconds: u64) {
        // Numbers stay the same whatever a stage asks about first.
        bisect::is_beyond_in_ir(f);
        let record = |names| ir_choices::record(step_of(stage), names, f, number, num_instrs, nanoseconds);
        match stage {
            IrStage::Restrict => record(restrict::COUNTED),
            IrStage::EqualPhis => record(equal_phis::COUNTED),
            IrStage::Unroll => unrolling::record(f, number, num_instrs, nanoseconds),
            IrStage::EarlyLoads => record(early_loads::COUNTED),
            IrStage::LoopBranches => loop_branches::record(f, number, num_instrs, nanoseconds),
            IrStage::Divisions => record(divisions::COUNTED),
        }
    }
    fn promises_restrict(f: IrFunction, parameter: &Parameter) -> bool {
        ir_choices::choose(Step::Restrict, f, || restrict::is_promised(parameter))
    }
    fn replaces_phi(f: IrFunction, phi: &EqualPhi) -> bool {
        ir_choices::choose(Step::EqualPhis, f, || equal_phis::is_replaced(phi))
    }
    fn shares_divisor(f: IrFunction, divisor: &SharedDivisor) -> bool {
        ir_choices::choose(Step::Divisions, f, || divisions::is_shared(divisor))
    }
    fn unroll(l: &UnrollLoop) -> Unroll {
        unrolling::choose(l)
    }
    fn unrolled(result: UnrollResult) {
        unrolling::add(result);
    }
    fn moves_load(f: IrFunction, load: &EarlyLoad) -> bool {
        ir_choices::choose(Step::EarlyLoads, f, || early_loads::is_moved(load))
    }
    fn turns_branch(f: IrFunction, branch: &LoopBranch) -> bool {
        loop_branches::choose(f, branch)
    }
    fn moves(f: IrFunction, processor: &str) -> Moves {
        unroll::moves(f.is_kernel(), Architecture::of(processor))
    }
    fn new_state(pass: usize) -> PassState {
        PassState::new(pass_at(pass))
    }
    fn run(
        pass: usize,
        state: &mut PassState,
        two_address: Option<&PassState>,
        run: Run,
    ) -> Result<Outcome, Miscompile> {
        driver::run(pass_at(pass), state, two_address, run)
    }

    fn begin_module(arch: &str) {
        compiler::begin_module(is_nvptx(arch));
    }
    fn head(arch: &str) -> Option<String> {
        head::line(is_nvptx(arch))
    }
    fn new_pipeline() {
        emission::new_pipeline();
    }
    fn emit_block(mf: MachineFunction, block: BlockEmission) -> Outcome {
        emission::emit_block(mf, block)
    }
    fn finish_selection(mf: MachineFunction) -> Result<Outcome, Miscompile> {
        emission::finish_selection(mf)
    }

    fn checks_analyses() -> bool {
        knobs::CHECK_ANALYSES.get()
    }
    fn prints_analyses() -> bool {
        knobs::PRINT_ANALYSES.get()
    }
    fn way_out() -> &'static str {
        ", or -ptx-passes=none for LLVM's own passes"
    }
    fn wants_stock() -> bool {
        knobs::PROFILE.get() == Profile::Upstream
    }
    fn wants_new_pass_manager() -> bool {
        knobs::NEW_PM.get()
    }
    fn note_pipeline(which: &str) {
        statistics::note_pipeline(which);
    }
}
