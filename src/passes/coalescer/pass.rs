//! Binds the pass to LLVM: reads the function, coalesces its copies, and changes LLVM's function.
//!
//! **Source.** `runOnMachineFunction`. **Deviation:** an unsuited function is left unchanged to the
//! stock pass, and counted ([`Unsuited`]).

pub use super::llvm_host::LlvmCoalescerHost;
pub use super::unsuited::Unsuited;
use super::view::View;
use super::worklists::BlockPriority;
use super::Coalescing;
use crate::adt::Counters;
use crate::liveness;
use crate::liveness::pass::{Intervals, IntervalsRequest};
use crate::llvm::{Handles, Outcome, Run};
use crate::mir::{FunctionFacts, InstrFlags, Operand};
use crate::passes::affinity::Hint;

/// The options of the pass.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The two-address pass's hints on registers that belong together.
    pub hints: &'a [Hint],
    /// Those of the algorithm.
    pub algorithm: super::Options,
    /// `verify-coalescing`
    pub verify: bool,
    /// Those of the live intervals that the pass computes.
    pub liveness: liveness::pass::Options,
    /// LLVM's argument of the pass that continues with the view of a function if it comes next: see
    /// [`with_view`].
    pub goes_on: &'static str,
}

/// The pass.
#[derive(Default)]
pub struct Coalescer {
    has_rewritten: bool,
}

impl Coalescer {
    /// Whether it changed instructions of the last function in ways that the checker does not
    /// follow.
    pub fn has_rewritten(&self) -> bool {
        self.has_rewritten
    }

    /// Runs the pass. Statistics go to `counters`.
    pub fn run(&mut self, run: Run, options: &Options<'_>, counters: &mut Counters) -> Outcome {
        self.has_rewritten = false;
        View::with(View::forget);
        if is_left_alone(run) {
            return Outcome::Unchanged;
        }
        match self.coalesce(run, options, counters) {
            Ok(()) => {
                if options.verify {
                    run.mf.verify(run.host_pass, "After register coalescing");
                }
                Outcome::Changed
            }
            Err(why) => {
                counters.push((why.counters().stock, 1));
                View::with(|view| view.leave_unsuited(run, why));
                let lis = run.lis.expect("the pass requires LiveIntervals");
                if !lis.is_filled() {
                    // It was left empty, because only this pass seemed to need it.
                    liveness::pass::fill_intervals(run, &options.liveness)
                        .expect("the function has not changed");
                }
                Outcome::Delegate
            }
        }
    }

    fn coalesce(&mut self, run: Run, options: &Options<'_>, counters: &mut Counters) -> Result<(), Unsuited> {
        let goes_on = run.next() == options.goes_on;
        let request = IntervalsRequest { as_llvm: true, keep_graph: goes_on };
        with_suited(run, options, request, |intervals, has_copies| {
            if options.verify {
                run.mf.verify(run.host_pass, "Before register coalescing");
            }
            if !has_copies && !goes_on {
                return;
            }
            let has_phis = has_phis(&intervals);
            View::with_last(|view| {
                let counts =
                    view.read(run, intervals, options.hints, options.algorithm, |c, blocks| c.run(blocks));
                counters.extend(counts.counters());
                self.has_rewritten = counts.has_rewritten();
                if goes_on && has_phis {
                    view.leave_unsuited(run, Unsuited::Phis);
                } else if goes_on {
                    view.leave(run);
                }
            });
        })
    }
}

/// Whether no coalescer touches the function.
fn is_left_alone(run: Run) -> bool {
    // A register may have another value after longjmp than it had at setjmp.
    run.mf.exposes_returns_twice() || run.mf.num_block_ids() == 0
}

/// Calls `f` with a function as the coalescer sees it, and the blocks with their loop depths. If
/// the coalescer was the previous pass, it has left all that, and nothing is computed twice.
/// Returns `None` if no coalescer touches the function.
///
/// # Errors
/// The reason why the function is not suited. Either the coalescer has just found it, or this
/// function does. Then nothing has changed.
pub fn with_view<T>(
    run: Run,
    options: &Options<'_>,
    f: impl FnOnce(&mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, &[BlockPriority]) -> T,
) -> Result<Option<T>, Unsuited> {
    let left = View::with(|view| view.take(run));
    if is_left_alone(run) {
        return Ok(None);
    }
    let mut f = Some(f);
    if left? {
        let result = liveness::pass::with_graph(run, |graph| {
            let f = f.take().expect("it is called once");
            View::with_last(|view| view.again(run, graph, options.algorithm, f))
        });
        if result.is_some() {
            return Ok(result);
        }
    }
    // The stock coalescer's ranges may be wider than necessary; these are computed anew.
    let request = IntervalsRequest { as_llvm: false, keep_graph: false };
    with_suited(run, options, request, |intervals, _| {
        if has_phis(&intervals) {
            return Err(Unsuited::Phis);
        }
        let f = f.take().expect("it is called once");
        let f = |c: &mut Coalescing<'_, LlvmCoalescerHost<'_, '_>>, blocks: &[BlockPriority]| {
            c.shrink_all_to_uses_for_dead();
            f(c, blocks)
        };
        Ok(Some(View::with_last(|view| view.read(run, intervals, options.hints, options.algorithm, f))))
    })?
}

fn has_phis(intervals: &Intervals) -> bool {
    intervals.liveness.facts.num_phis > 0
}

/// Calls `f` with the live intervals of a suited function, and with whether it has copies.
fn with_suited<T>(
    run: Run,
    options: &Options<'_>,
    request: IntervalsRequest,
    f: impl FnOnce(Intervals, bool) -> T,
) -> Result<T, Unsuited> {
    if run.mf.has_debug_phis() {
        return Err(Unsuited::DebugPhis);
    }
    let is_filled = run.lis.expect("the pass requires LiveIntervals").is_filled();
    let f = |intervals: Intervals| {
        let has_copies = check_suits(intervals.facts, intervals.handles, is_filled)?;
        Ok(f(intervals, has_copies))
    };
    liveness::pass::with_intervals(run, &options.liveness, request, f).map_err(Unsuited::Liveness)?
}

/// Checks that the function can be coalesced here. Returns whether it has a copy. `is_filled`:
/// LiveIntervals has been computed for other passes.
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
