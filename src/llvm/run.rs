//! The inputs of one run of a pass on one function, as LLVM's pass manager gives them.

use super::handles::{InstrSlots, SlotsAndDominators};
use super::{
    ffi, AliasAnalysis, BlockFrequencies, HostPass, LiveIntervals, LiveVariables, MachineDominators,
    MachineFunction, MachineLoopInfo,
};
use std::borrow::Cow;

/// One run of a pass on one function. An analysis is `None` if the pass manager does not have it.
#[derive(Clone, Copy)]
pub struct Run<'f> {
    /// The function.
    pub mf: MachineFunction<'f>,
    /// LiveVariables. In the run of LiveVariables itself: the empty result to fill.
    pub lv: Option<LiveVariables<'f>>,
    /// LiveIntervals. In the run of LiveIntervals itself: the empty result to fill.
    pub lis: Option<LiveIntervals<'f>>,
    /// Alias analysis.
    pub aa: Option<AliasAnalysis<'f>>,
    /// SlotIndexes.
    pub slots: Option<InstrSlots<'f>>,
    /// SlotIndexes and the dominator tree.
    pub slots_and_dominators: Option<SlotsAndDominators<'f>>,
    /// The dominator tree.
    pub dominators: Option<MachineDominators<'f>>,
    /// The loops.
    pub loops: Option<MachineLoopInfo<'f>>,
    /// Block frequencies, if the pass needs them.
    pub frequencies: Option<BlockFrequencies<'f>>,
    /// The pass object.
    pub host_pass: HostPass<'f>,
    /// LiveIntervals was computed for this pass: no other pass has updated it. `false` if unknown.
    pub(crate) intervals_are_new: bool,
    /// Whether LLVM optimises the function. `false` at -O0 and, for a pass that asks, for `optnone`
    /// and past `-opt-bisect-limit` (requirement T6).
    pub optimize: bool,
    readers: &'f [ffi::PtxStr],
    next: ffi::PtxStr,
}

impl<'f> Run<'f> {
    /// # Safety
    /// The function, its analyses and the pass object must be valid for `'f`. No other code may use
    /// them meanwhile.
    pub(super) unsafe fn new(mf: MachineFunction<'f>, run: &'f ffi::PtxRun) -> Run<'f> {
        // SAFETY: by the caller's promise.
        unsafe {
            Run {
                mf,
                lv: LiveVariables::from_ptr(run.lv),
                lis: LiveIntervals::from_ptr(run.lis),
                aa: AliasAnalysis::from_ptr(run.aa),
                slots: InstrSlots::from_ptr(run.indexes),
                slots_and_dominators: SlotsAndDominators::from_ptrs(run.indexes, run.dominators),
                dominators: MachineDominators::from_ptr(run.dominators),
                loops: MachineLoopInfo::from_ptr(run.loops),
                frequencies: BlockFrequencies::from_ptr(run.frequencies),
                host_pass: HostPass::from_ptr(run.host_pass),
                intervals_are_new: run.intervals_are_new,
                optimize: run.optimize,
                readers: match run.num_readers {
                    0 => &[],
                    n => std::slice::from_raw_parts(run.readers, n),
                },
                next: run.next,
            }
        }
    }

    /// In the run of an analysis: the arguments of the passes that can see its result. These are
    /// all passes up to the last one that declares to use it, except other analyses that do not.
    pub fn readers(&self) -> impl Iterator<Item = Cow<'f, str>> {
        // SAFETY: strings of LLVM's registry of passes.
        self.readers.iter().map(|&r| unsafe { super::borrow_str(r) })
    }
    /// In the run of another pass: the argument of the next pass on the function, ignoring passes
    /// that preserve everything. Empty if there is none.
    pub fn next(&self) -> Cow<'f, str> {
        // SAFETY: a string of LLVM's registry of passes, or null and no length.
        unsafe { super::borrow_str(self.next) }
    }
}

/// The outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing was changed, or an analysis was computed. If a
    /// [`MachinePass`](crate::machine_pass::MachinePass) edits the function and returns this, the
    /// process ends.
    Unchanged,
    /// The function was changed.
    Changed,
    /// The stock pass should take the function. No code was changed, except flags that the stock
    /// pass sets again. Only for a pass in place of one of LLVM's.
    Delegate,
}

impl Outcome {
    /// The outcome of a pass that reports whether it changed the function.
    pub fn of(changed: bool) -> Outcome {
        if changed {
            Outcome::Changed
        } else {
            Outcome::Unchanged
        }
    }
    /// The outcome of two steps, `self` first.
    pub fn and(self, then: Outcome) -> Outcome {
        if then == Outcome::Unchanged {
            self
        } else {
            then
        }
    }
}
