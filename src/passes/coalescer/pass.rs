//! Binds the pass to LLVM: reads the function, coalesces its copies, and changes LLVM's function.
//!
//! **Source.** `runOnMachineFunction`. **Deviation:** a function that does not suit is left to the stock pass, and
//! counted ([`Unsuited`]). Nothing has been changed by then.

use super::code::Code;
pub use super::llvm_host::LlvmCoalescerHost;
use super::llvm_host::{read_block_priorities, read_debug_operands};
use super::ranges::Ranges;
use super::slots::Slots;
use super::worklists::BlockPriority;
use super::{Buffers, Coalescing, Function, Graph};
use crate::adt::Counters;
use crate::liveness::ranges::LiveRanges;
use crate::liveness::{self, pass::Intervals};
use crate::llvm::{DebugOperandTable, Handles, LiveIntervals, Outcome, Run};
use crate::mir::{BlockId, FunctionFacts, InstrFlags, Operand};

/// The options of the pass.
#[derive(Clone, Copy)]
pub struct Options {
    /// Those of the algorithm.
    pub algorithm: super::Options,
    /// `verify-coalescing`
    pub verify: bool,
    /// Those of the live intervals that the pass computes.
    pub liveness: liveness::pass::Options,
}

/// The buffers of the pass, kept from function to function.
#[derive(Default)]
pub struct Coalescer {
    code: Code,
    slots: Slots,
    ranges: Ranges,
    debug: DebugOperandTable,
    blocks: Vec<BlockPriority>,
    buffers: Buffers,
    has_rewritten: bool,
}

/// Why a function is left to the stock pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unsuited {
    /// Its liveness is not computed here.
    Liveness(liveness::Unsuited),
    /// It has sub-registers or a SUBREG_TO_REG.
    SubRegisters,
    /// It has a copy to or from a reserved physical register, which may be joined, and nobody has asked for register
    /// units.
    ReservedCopy,
    /// It has bundles.
    Bundles,
    /// It has debug values that follow PHIs.
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

    /// Runs the pass. `last_stage`, if there is one, runs behind the
    /// last join; with one a function is read even if it has no copy. Statistics go to `counters`.
    pub fn run<S>(
        &mut self,
        run: Run,
        options: &Options,
        last_stage: Option<S>,
        counters: &mut Counters,
    ) -> Outcome
    where
        S: FnOnce(&mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, &[BlockPriority]),
    {
        self.has_rewritten = false;
        // A register may have another value after longjmp than it had at setjmp.
        if run.mf.exposes_returns_twice() || run.mf.num_block_ids() == 0 {
            return Outcome::Unchanged;
        }
        match self.coalesce(run, options, last_stage, counters) {
            Ok(()) => {
                if options.verify {
                    run.mf.verify(run.host_pass, "After register coalescing");
                }
                Outcome::Changed
            }
            Err(why) => {
                counters.push((why.counter(), 1));
                let lis = run.lis.expect("the pass requires LiveIntervals");
                if !lis.is_filled() {
                    // It was computed here, as nobody but this pass seemed to need it.
                    liveness::pass::fill_intervals(run, &options.liveness)
                        .expect("the function has not changed");
                }
                Outcome::Delegate
            }
        }
    }

    fn coalesce<S>(
        &mut self,
        run: Run,
        options: &Options,
        last_stage: Option<S>,
        counters: &mut Counters,
    ) -> Result<(), Unsuited>
    where
        S: FnOnce(&mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, &[BlockPriority]),
    {
        if run.mf.has_debug_phis() {
            return Err(Unsuited::DebugPhis);
        }
        let coalesce = |intervals: Intervals| {
            let is_filled = run.lis.expect("the pass requires LiveIntervals").is_filled();
            let has_copies = check_suits(intervals.facts, intervals.handles, is_filled)?;
            if options.verify {
                run.mf.verify(run.host_pass, "Before register coalescing");
            }
            if has_copies || last_stage.is_some() {
                self.coalesce_in(run, intervals, options.algorithm, last_stage, counters);
            }
            Ok(())
        };
        liveness::pass::with_intervals(run, &options.liveness, coalesce).map_err(Unsuited::Liveness)?
    }

    fn coalesce_in<S>(
        &mut self,
        run: Run,
        intervals: Intervals,
        options: super::Options,
        last_stage: Option<S>,
        counters: &mut Counters,
    ) where
        S: FnOnce(&mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, &[BlockPriority]),
    {
        let Intervals { facts, handles, host_slots, liveness, ranges } = intervals;
        let lis = run.lis.expect("the pass requires LiveIntervals");
        let is_filled = lis.is_filled();
        let loops = run.loops.expect("the pass requires MachineLoopInfo");
        let mut debug_operands = Vec::new();
        read_debug_operands(handles, &mut self.debug, &mut debug_operands);
        self.code.read(facts, &debug_operands);
        self.slots.read(&liveness.slots, host_slots);
        self.ranges.read(&liveness.facts, ranges);
        let (shape, cfg) = (&facts.shape, &liveness.cfg);
        let num_preds = |block: BlockId| cfg.preds.row(block).len();
        let split_edges = options.join_split_edges;
        read_block_priorities(handles, shape, loops, num_preds, split_edges, &mut self.blocks);
        let mut host = LlvmCoalescerHost::new(handles, &self.debug, lis, run.aa);
        let function = Function {
            code: &mut self.code,
            slots: &mut self.slots,
            ranges: &mut self.ranges,
            graph: Graph {
                cfg,
                succs: &shape.succs,
                numbers: &shape.numbers,
                dominators: liveness.dominators(),
            },
        };
        let blocks = &self.blocks[..];
        let counts = super::run(function, blocks, options, &mut host, &mut self.buffers, |c| {
            if let Some(last_stage) = last_stage {
                last_stage(c, blocks);
            }
        });
        host.flush();
        counters.extend(counts.counters());
        self.has_rewritten = counts.has_rewritten();
        if is_filled {
            update_intervals(lis, &self.slots, &self.ranges);
        }
    }
}

/// Gives LLVM's LiveIntervals the ranges that have changed.
fn update_intervals(lis: LiveIntervals, slots: &Slots, ranges: &Ranges) {
    let (mut changed, mut removed) = (LiveRanges::default(), Vec::new());
    for (reg, exists) in ranges.changed() {
        if exists {
            let range = ranges.get(reg);
            changed.push_range(reg, range.values.as_raw_slice(), range.segments);
        } else {
            removed.push(reg.raw());
        }
    }
    lis.update(&slots.host, &changed, &removed);
}

/// Checks whether the function can be coalesced here; then says whether it has a copy. `is_filled`: LiveIntervals has
/// been computed for others.
fn check_suits(facts: &FunctionFacts, handles: Handles, is_filled: bool) -> Result<bool, Unsuited> {
    let all = InstrFlags::union(facts.instr_flags.as_raw_slice());
    if all.has_any(InstrFlags::SUBREG) {
        return Err(Unsuited::SubRegisters);
    }
    if all.is_in_bundle() {
        return Err(Unsuited::Bundles);
    }
    let mut reserved: Option<Vec<u32>> = None;
    let mut has_copies = false;
    for (instr, &flags) in facts.instr_flags.iter_enumerated() {
        if flags.is_subreg_to_reg() {
            return Err(Unsuited::SubRegisters);
        }
        if !flags.is_copy() {
            continue;
        }
        has_copies = true;
        if !is_filled && flags.has_any(InstrFlags::PHYSICAL) {
            let reserved = reserved.get_or_insert_with(|| handles.reserved_registers());
            let is_reserved = |op: &Operand| op.is_reg() && reserved.contains(&op.reg().0);
            if facts.operands(instr).iter().any(is_reserved) {
                return Err(Unsuited::ReservedCopy);
            }
        }
    }
    Ok(has_copies)
}
