//! The vocabulary of the pipeline: a step, its row in the table, and its context while it runs.

use crate::checker::addresses::accesses::Compared;
use crate::checker::Rules;

#[cfg(all(ptx_host, not(test)))]
pub use on_functions::{Context, FinishedStep, InnerStage, RunStep};

/// A pass or a stage, by its row in the table. The names are those of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the table describes each one
pub enum Step {
    Restrict,
    EqualPhis,
    Unroll,
    EarlyLoads,
    LoopBranches,
    Divisions,
    Emitter,
    ShortAddresses,
    FoldAddresses,
    Induction,
    Flush,
    WidePhis,
    Hoist,
    Remat,
    Sink,
    BitFields,
    PtxasErrata,
    LiveVars,
    Cssa,
    PhiElim,
    TwoAddress,
    LiveIntervals,
    Coalescer,
    NvptxCoalescer,
    NoUnroll,
}

/// Where a step runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In place of the LLVM pass with this argument, as in `-run-pass=`.
    Replaces(&'static str),
    /// Right before a pass, when LLVM runs that pass.
    Before(Step),
    /// Within a pass, which calls it. The text says where.
    Within(Step, &'static str),
    /// After a pass, as a pass of its own that LLVM runs. LLVM knows it by the step's name.
    After(Step),
    /// On IR, before NVPTX's own passes on IR.
    OnIr,
    /// Nowhere: this LLVM version has no such pass.
    Absent,
}

/// The functions that a step runs on. A step may have further conditions of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Any function. LLVM's pass manager provides the analyses that the stock pass requires.
    Function,
    /// A function for NVPTX.
    NvptxFunction,
    /// A function for NVPTX in SSA form.
    NvptxSsa,
}

/// How `-ptx-verify` checks a step.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Instructions still read the same values. The rules say what the step may change.
    Keeps(Rules),
    /// The values that instructions read are computed before and after the step, and compared.
    Values(Compared),
    /// Every register that is read was defined. There was no code before.
    Defined,
    /// It is not checked: it changes IR.
    Unchecked,
    /// It is checked together with the pass that calls it.
    WithPass,
}

/// A row of the table.
pub struct Row {
    /// The step.
    pub step: Step,
    /// The name in `-ptx-passes=`, in statistics and in messages. It is also the name of the timer
    /// of a stage that LLVM does not run.
    pub name: &'static str,
    /// Where it runs.
    pub place: Place,
    /// The functions that it runs on.
    pub needs: Needs,
    /// How it is checked.
    pub check: Check,
    /// Makes the object that runs the step, with its buffers. `None` for the emitter, which LLVM
    /// enters for each block, and for a stage that a pass calls.
    #[cfg(all(ptx_host, not(test)))]
    pub make: Option<fn() -> Box<dyn RunStep>>,
}

impl Row {
    /// LLVM's argument of the step, as in `-run-pass=`; `None` if the step is not a pass to LLVM.
    pub fn argument(&self) -> Option<&'static str> {
        match self.place {
            Place::Replaces(argument) => Some(argument),
            Place::After(_) => Some(self.name),
            Place::OnIr | Place::Before(_) | Place::Within(..) | Place::Absent => None,
        }
    }
    /// The pass that the step runs after, if it is a pass of its own.
    pub fn runs_after(&self) -> Option<Step> {
        match self.place {
            Place::After(pass) => Some(pass),
            _ => None,
        }
    }
}

/// A set of steps, as chosen by `-ptx-passes=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepSet(u32);

impl StepSet {
    /// No step: stock LLVM.
    pub const NONE: StepSet = StepSet(0);
    /// Every step.
    pub const ALL: StepSet = StepSet(u32::MAX);

    /// With `step` added.
    pub fn with(self, step: Step) -> StepSet {
        StepSet(self.0 | 1 << step as u32)
    }
    /// Whether `step` is in it.
    pub fn contains(self, step: Step) -> bool {
        self.0 >> step as u32 & 1 != 0
    }
    /// Returns the set as a bit mask over the table.
    pub fn bits(self) -> u32 {
        self.0
    }
    /// Makes the set from a bit mask over the table.
    pub fn from_bits(bits: u32) -> StepSet {
        StepSet(bits)
    }
}

#[cfg(all(ptx_host, not(test)))]
mod on_functions {
    use super::{Needs, Row, Step};
    use crate::adt::Counters;
    use crate::liveness::pressure;
    use crate::llvm::{HostPass, MachineFunction, Outcome, Run, StageTimer};
    use crate::passes::affinity::AffinityHints;
    use crate::ssa::snapshot::Snapshot;
    use std::time::{Duration, Instant};

    /// A step with its buffers, which are kept from function to function.
    pub trait RunStep {
        /// Runs the step on a suitable function.
        fn run_step(&mut self, cx: &mut Context) -> Outcome;
        /// The reason, for the statistics, why the checker cannot follow the last run.
        fn not_checked(&self) -> Option<&'static str> {
            None
        }
        /// The hints of the last run for later steps, if it was on `mf`.
        fn hints(&self, _mf: MachineFunction) -> Option<&AffinityHints> {
            None
        }
    }

    /// The context of a step while it runs.
    pub struct Context<'a, 'f> {
        /// The function and its analyses.
        pub run: Run<'f>,
        /// The table.
        pub table: &'static [Row],
        /// Whether a step is forced to panic, for tests.
        pub panics: fn(Step) -> bool,
        /// The function as the stages see it. It is read again after a step has changed the
        /// function.
        pub snapshot: &'a mut Snapshot,
        /// The counts of the current step.
        pub counters: Counters,
        /// The hints of the preceding two-address pass.
        pub hints: Option<&'a AffinityHints>,
        /// The register pressure, once the step has measured it.
        pub pressure: Option<pressure::Report>,
        /// The steps that have run.
        pub finished: Vec<FinishedStep>,
    }

    /// A step that has run on a function.
    pub struct FinishedStep {
        /// The step.
        pub step: Step,
        /// Its time, without the stages that it called and without reports.
        pub time: Duration,
        /// Its counts.
        pub counters: Counters,
        /// The register pressure that it measured.
        pub pressure: Option<pressure::Report>,
    }

    impl<'f> Context<'_, 'f> {
        /// Prepares a stage that the current step calls; `None` if the stage does not suit the
        /// function.
        pub fn inner_stage(&self, step: Step) -> Option<InnerStage<'f>> {
            let row = &self.table[step as usize];
            row.suits_stage(self.run.mf).then_some(InnerStage {
                row,
                host_pass: self.run.host_pass,
                panics: self.panics,
                result: None,
            })
        }
        /// Takes the result of a stage that the current step has called. Its time does not count as
        /// the step's.
        pub fn add_inner(&mut self, inner: InnerStage) {
            if let Some((time, counters)) = inner.result {
                self.counters.reporting += time;
                self.finished.push(FinishedStep { step: inner.row.step, time, counters, pressure: None });
            }
        }
    }

    /// A stage that a pass calls.
    pub struct InnerStage<'f> {
        row: &'static Row,
        host_pass: HostPass<'f>,
        result: Option<(Duration, Counters)>,
        panics: fn(Step) -> bool,
    }

    impl InnerStage<'_> {
        /// Runs the stage, with its own counts and time.
        pub fn measure(&mut self, f: impl FnOnce(&mut Counters)) {
            assert!(!(self.panics)(self.row.step), "forced by -ptx-test-panic");
            let _timer = StageTimer::start(self.host_pass, self.row.name);
            let (start, mut counters) = (Instant::now(), Counters::default());
            f(&mut counters);
            self.result = Some((start.elapsed(), counters));
        }
    }

    impl Row {
        /// Whether this stage, which LLVM does not run, runs on `mf`: its needs are met, and LLVM
        /// wants the function optimised. Ask once for each run of the stage, because
        /// `-opt-bisect-limit` counts the questions.
        pub fn suits_stage(&self, mf: MachineFunction) -> bool {
            self.needs.suits(mf) && !mf.skips_stage(self.name)
        }
    }

    impl Needs {
        /// Whether a step with these needs runs on `mf`.
        pub fn suits(self, mf: MachineFunction) -> bool {
            match self {
                Needs::Function => true,
                Needs::NvptxFunction => mf.is_nvptx(),
                Needs::NvptxSsa => mf.is_nvptx() && mf.is_ssa(),
            }
        }
    }
}
