//! The pass: the function is read, copies are coalesced, LLVM's function is changed.
//!
//! **Source.** `runOnMachineFunction`. **Deviation:** what is not suited is left to the stock pass, function by
//! function, and counted ([`Unsuited`]); nothing has been changed by then.

use super::code::Code;
use super::copies::BlockPriority;
use super::ranges::Ranges;
use super::slots::Slots;
use super::versions::DIFFERENCES;
use super::{Buffers, Function, Options};
use crate::liveness::{self, pass::Intervals};
use crate::llvm::{
    block_priorities, llvm_option_bool, llvm_option_bool_or_default, llvm_option_unsigned, DebugOperands,
    Handles, LlvmCoalescing, MachineFunction, Outcome, Run,
};
use crate::mir::{FunctionFacts, InstrRun, Operand};
use crate::plugin::knobs::{self, Profile};
use crate::plugin::pipeline::Stage;
use crate::plugin::stats::Counters;
use crate::stages::nvptx_coalescer::NvptxCoalescer;
use std::time::{Duration, Instant};

/// The buffers of the pass, kept from function to function.
#[derive(Default)]
pub struct Coalescer {
    code: Code,
    slots: Slots,
    ranges: Ranges,
    debug: DebugOperands,
    blocks: Vec<BlockPriority>,
    buffers: Buffers,
    nvptx: NvptxCoalescer,
    has_rewritten: bool,
}

/// Why a function is left to the stock pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unsuited {
    /// Liveness is not computed here.
    Liveness(liveness::Unsuited),
    /// Parts of registers, or SUBREG_TO_REG.
    SubRegisters,
    /// A copy to or from a reserved physical register, which may be joined, while nobody has asked for register units.
    ReservedCopy,
    /// Bundles.
    Bundles,
    /// Debug values that follow PHIs.
    DebugPhis,
}

impl Unsuited {
    fn counter(self) -> &'static str {
        match self {
            Unsuited::Liveness(why) => why.counter(),
            Unsuited::SubRegisters => "left to the stock pass: sub-registers",
            Unsuited::ReservedCopy => "left to the stock pass: copy of a reserved register",
            Unsuited::Bundles => "left to the stock pass: bundles",
            Unsuited::DebugPhis => "left to the stock pass: debug values of PHIs",
        }
    }
}

impl Coalescer {
    /// Whether it has changed instructions of the last function in ways that the checker does not follow.
    pub fn has_rewritten(&self) -> bool {
        self.has_rewritten
    }

    /// Runs the pass.
    pub fn run(&mut self, run: Run, counters: &mut Counters) -> Outcome {
        self.has_rewritten = false;
        // A register may have another value after longjmp than it had at setjmp.
        if run.mf.exposes_returns_twice() || run.mf.num_block_ids() == 0 {
            return Outcome::Unchanged;
        }
        let verify = llvm_option_bool("verify-coalescing", false);
        match self.coalesce(run, verify, counters) {
            Ok(()) => {
                if verify {
                    run.mf.verify(run.host_pass, "After register coalescing");
                }
                Outcome::Changed
            }
            Err(why) => {
                counters.push((why.counter(), 1));
                let lis = run.lis.expect("the pass requires LiveIntervals");
                if !lis.is_filled() {
                    // It was computed here, as nobody but this pass seemed to need it.
                    liveness::pass::fill_intervals(run).expect("the function has not changed");
                }
                Outcome::Delegate
            }
        }
    }

    fn coalesce(&mut self, run: Run, verify: bool, counters: &mut Counters) -> Result<(), Unsuited> {
        if run.mf.has_debug_phis() {
            return Err(Unsuited::DebugPhis);
        }
        liveness::pass::with_intervals(run, |intervals| self.coalesce_in(run, intervals, verify, counters))
            .map_err(Unsuited::Liveness)?
    }

    fn coalesce_in(
        &mut self,
        run: Run,
        i: Intervals,
        verify: bool,
        counters: &mut Counters,
    ) -> Result<(), Unsuited> {
        let lis = run.lis.expect("the pass requires LiveIntervals");
        let filled = lis.is_filled();
        let has_copies = suits(i.facts, i.handles, filled)?;
        if verify {
            run.mf.verify(run.host_pass, "Before register coalescing");
        }
        let does_more = run.mf.is_nvptx() && knobs::runs(Stage::NvptxCoalescer);
        if !has_copies && !does_more {
            return Ok(());
        }
        let loops = run.loops.expect("the pass requires MachineLoopInfo");
        self.debug.read(i.handles);
        self.code.read(i.facts, &self.debug.operands);
        self.slots.read(&i.liveness.slots, i.host_slots);
        self.ranges.read(&i.liveness.facts, i.ranges);
        let options = options(run.mf);
        let (shape, liveness) = (&i.facts.shape, i.liveness);
        let cfg = &liveness.cfg;
        let num_preds = |block: usize| cfg.preds.row(block).len();
        let split_edges = options.join_split_edges;
        block_priorities(i.handles, shape, loops, num_preds, split_edges, &mut self.blocks);
        let mut host = LlvmCoalescing::new(i.handles, &self.debug, lis, run.aa, run.mf.is_nvptx());
        let function = Function {
            code: &mut self.code,
            slots: &mut self.slots,
            ranges: &mut self.ranges,
            cfg,
            succs: &shape.succs,
            numbers: &shape.numbers,
            dominators: liveness.dominators(),
        };
        let nvptx = &mut self.nvptx;
        let (mut time, mut more) = (Duration::ZERO, None);
        let blocks = &self.blocks;
        let counts = super::run(function, blocks, options, &mut host, &mut self.buffers, |c| {
            if !does_more {
                return;
            }
            let start = Instant::now();
            more = Some(nvptx.run(c, blocks, knobs::coalescing_budget()));
            time = start.elapsed();
        });
        host.flush();
        if let Some(counts) = more {
            let mut stage = Counters::default();
            counts.report(&mut stage);
            counters.add_stage(Stage::NvptxCoalescer, time, stage);
        }
        counts.report(counters);
        self.has_rewritten = counts.has_rewritten();
        if filled {
            lis.update(&self.slots.host, &self.ranges);
        }
        Ok(())
    }
}

fn options(mf: MachineFunction) -> Options {
    Options {
        join: llvm_option_bool("join-liveintervals", true),
        join_split_edges: llvm_option_bool("join-splitedges", false),
        join_global_copies: llvm_option_bool_or_default("join-globalcopies", mf.joins_global_copies()),
        terminal_rule: llvm_option_bool("terminal-rule", DIFFERENCES.terminal_rule),
        late_remat_update: llvm_option_unsigned("late-remat-update-threshold", 100),
        large_interval_size: llvm_option_unsigned("large-interval-size-threshold", 100),
        large_interval_freq: llvm_option_unsigned("large-interval-freq-threshold", 256),
        flags_undefined: knobs::profile() == Profile::Cicc,
    }
}

/// Whether the function is one for us, and has a copy. `filled`: LiveIntervals has been computed for others.
fn suits(facts: &FunctionFacts, handles: Handles, filled: bool) -> Result<bool, Unsuited> {
    let all = facts.instr_flags.iter().fold(0, |all, flags| all | flags);
    if all & InstrRun::HAS_SUBREG != 0 {
        return Err(Unsuited::SubRegisters);
    }
    if all & InstrRun::IN_BUNDLE != 0 {
        return Err(Unsuited::Bundles);
    }
    let mut reserved: Option<Vec<u32>> = None;
    let mut copies = false;
    for (instr, &flags) in facts.instr_flags.iter().enumerate() {
        match flags & InstrRun::KIND {
            InstrRun::KIND => return Err(Unsuited::SubRegisters),
            InstrRun::IS_COPY => copies = true,
            _ => continue,
        }
        if !filled && flags & InstrRun::HAS_PHYSICAL != 0 {
            let reserved = reserved.get_or_insert_with(|| handles.reserved_registers());
            let is_reserved = |op: &Operand| op.is_reg() && reserved.contains(&op.reg().0);
            if facts.operands(instr).iter().any(is_reserved) {
                return Err(Unsuited::ReservedCopy);
            }
        }
    }
    Ok(copies)
}
