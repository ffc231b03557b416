//! Keeps the function as the coalescer sees it, for the next pass.
//!
//! **Problem.** The NVPTX coalescer works on the coalescer's data: the code, its slots and its live
//! ranges, as the last join left them. Reading and computing them again would take about as long as
//! coalescing.
//!
//! **Algorithm.** The view and its buffers are thread-local. The coalescer leaves the view there if
//! the function's next pass reads it ([`View::leave`]), and that pass takes it ([`View::take`]).
//! Blocks and graph stay with liveness (`liveness::pass::with_graph`). Between the two passes
//! nothing changes the function.
//!
//! **Source.** None. **Complexity.** Reading a function is linear; taking a view that was left
//! takes constant time.

use super::code::Code;
use super::llvm_host::{read_block_priorities, read_debug_operands, LlvmCoalescerHost};
use super::ranges::Ranges;
use super::slots::Slots;
use super::unsuited::Unsuited;
use super::worklists::BlockPriority;
use super::{Buffers, Coalescing, Function, Graph, Options};
use crate::liveness::pass::{FunctionGraph, Intervals};
use crate::liveness::ranges::LiveRanges;
use crate::llvm::{DebugOperandTable, InstrTable, LiveIntervals, Run};
use crate::mir::{is_large, BlockId};
use crate::passes::affinity::Hint;
use std::cell::RefCell;

/// A function as the coalescer sees it, with the buffers of both passes.
#[derive(Default)]
pub(super) struct View {
    code: Code,
    slots: Slots,
    ranges: Ranges,
    debug: DebugOperandTable,
    instrs: InstrTable,
    blocks: Vec<BlockPriority>,
    buffers: Buffers,
    left: Left,
}

/// What the coalescer has left for the next pass.
#[derive(Clone, Copy, Default)]
enum Left {
    /// Nothing.
    #[default]
    Nothing,
    /// The view of the function with this address and this many registers.
    View(usize, usize),
    /// The reason why it left the function at this address to the stock pass.
    Unsuited(usize, Unsuited),
}

thread_local! {
    static VIEW: RefCell<View> = RefCell::default();
}

impl View {
    /// Calls `f` with the view of this thread.
    pub fn with<T>(f: impl FnOnce(&mut View) -> T) -> T {
        VIEW.with_borrow_mut(f)
    }
    /// Does the same for the last user of a function's view. If `f` does not leave it for the next
    /// pass, the buffers of a large function are freed.
    pub fn with_last<T>(f: impl FnOnce(&mut View) -> T) -> T {
        View::with(|view| {
            let result = f(view);
            if !matches!(view.left, Left::View(..)) && is_large(view.code.num_regs()) {
                *view = View { left: view.left, ..View::default() };
            }
            result
        })
    }
    /// Forgets what was left.
    pub fn forget(&mut self) {
        self.left = Left::Nothing;
    }
    /// Leaves the view of a function for the next pass.
    pub fn leave(&mut self, run: Run) {
        self.left = Left::View(run.mf.address(), run.mf.num_virt_regs());
    }
    /// Leaves for the next pass the reason why there is no view.
    pub fn leave_unsuited(&mut self, run: Run, why: Unsuited) {
        self.left = Left::Unsuited(run.mf.address(), why);
    }
    /// Takes what was left. Returns whether it is the view of the function of `run`.
    ///
    /// # Errors
    /// The reason why the coalescer left no view of that function.
    pub fn take(&mut self, run: Run) -> Result<bool, Unsuited> {
        match std::mem::take(&mut self.left) {
            Left::View(address, num_regs) => {
                Ok((address, num_regs) == (run.mf.address(), run.mf.num_virt_regs()))
            }
            Left::Unsuited(address, why) if address == run.mf.address() => Err(why),
            _ => Ok(false),
        }
    }

    /// Reads a function and the hints on its registers, and lets `f` coalesce.
    pub fn read<T>(
        &mut self,
        run: Run,
        intervals: Intervals,
        hints: &[Hint],
        options: Options,
        f: impl FnOnce(&mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, &[BlockPriority]) -> T,
    ) -> T {
        let Intervals { facts, handles, host_slots, liveness, ranges } = intervals;
        let mut debug_operands = Vec::new();
        read_debug_operands(handles, &mut self.debug, &mut debug_operands);
        self.code.read(facts, &debug_operands);
        self.slots.read(&liveness.slots, host_slots);
        self.ranges.read(&liveness.facts, ranges);
        if is_large(self.code.num_regs()) {
            liveness.keep_graph();
        }
        self.instrs.read(handles);
        let shape = &facts.shape;
        self.buffers.affinities.read(hints, shape.num_virt_regs);
        let loops = run.loops.expect("the pass requires MachineLoopInfo");
        let num_preds = |block: BlockId| liveness.cfg.preds.row(block).len();
        let split_edges = options.join_split_edges;
        read_block_priorities(handles, shape, loops, num_preds, split_edges, &mut self.blocks);
        self.coalesce(run, FunctionGraph { shape, handles, liveness }, options, true, f)
    }
    /// Lets `f` coalesce the last function that was read.
    pub fn again<T>(
        &mut self,
        run: Run,
        graph: FunctionGraph,
        options: Options,
        f: impl FnOnce(&mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, &[BlockPriority]) -> T,
    ) -> T {
        self.coalesce(run, graph, options, false, f)
    }

    fn coalesce<T>(
        &mut self,
        run: Run,
        graph: FunctionGraph,
        options: Options,
        is_new: bool,
        f: impl FnOnce(&mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, &[BlockPriority]) -> T,
    ) -> T {
        let FunctionGraph { shape, handles, liveness } = graph;
        let View { code, slots, ranges, debug, instrs, blocks, buffers, .. } = self;
        let lis = run.lis.expect("the pass requires LiveIntervals");
        let is_filled = lis.is_filled();
        let then = ranges.now();
        let mut host = LlvmCoalescerHost::new(handles, instrs, debug, lis, run.aa);
        let graph = Graph {
            cfg: &liveness.cfg,
            succs: &shape.succs,
            numbers: &shape.numbers,
            dominators: liveness.dominators(),
        };
        let function = Function { code, slots, ranges, graph };
        let begin = if is_new { Coalescing::new } else { Coalescing::again };
        let result = f(&mut begin(function, options, &mut host, buffers), blocks);
        host.flush();
        if is_filled {
            update_intervals(lis, slots, ranges, then);
        }
        result
    }
}

/// Gives LLVM's LiveIntervals the ranges that have changed since the time `then`.
fn update_intervals(lis: LiveIntervals, slots: &Slots, ranges: &Ranges, then: u32) {
    let (mut changed, mut removed) = (LiveRanges::default(), Vec::new());
    for (reg, exists) in ranges.changed_since(then) {
        if exists {
            let range = ranges.get(reg);
            changed.push_range(reg, range.values.as_raw_slice(), range.segments);
        } else {
            removed.push(reg.raw());
        }
    }
    lis.update(&slots.host, &changed, &removed);
}
