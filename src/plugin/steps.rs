//! Binds each step of the pipeline to the pass or stage that it runs.

use super::pressure::PressureReporter;
use super::step::{Context, RunStep, Step};
use super::{knobs, left_loops, options};
use crate::liveness::pass;
use crate::llvm::{MachineFunction, Outcome};
use crate::nvptx::cost::Budget;
use crate::nvptx::occupancy::Architecture;
use crate::passes::affinity::AffinityHints;
use crate::passes::phi_elim::{self, PhiElim};
use crate::passes::two_address;
use crate::ssa::pressure::SsaPressure;
use crate::stages::cssa::pass::Cssa;
use crate::stages::hoist::limits as hoist;
use crate::stages::remat::limits as remat;
use crate::stages::sink::limits as sink;

pub use crate::passes::coalescer::pass::Coalescer;
pub use crate::passes::two_address::TwoAddress;
pub use crate::stages::bit_fields::BitFields;
pub use crate::stages::flush::Flush;
pub use crate::stages::fold_addresses::FoldAddresses;
pub use crate::stages::hoist::pass::Hoist;
pub use crate::stages::induction::pass::Induction;
pub use crate::stages::nounroll::pass::NoUnrollPass;
pub use crate::stages::nvptx_coalescer::pass::NvptxCoalescerPass;
pub use crate::stages::ptxas_errata::PtxasErrata;
pub use crate::stages::remat::pass::Remat;
pub use crate::stages::short_addresses::ShortAddresses;
pub use crate::stages::sink::pass::Sink;
pub use crate::stages::wide_phis::WidePhis;

impl RunStep for ShortAddresses {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        Outcome::of(self.run(cx.run.mf, cx.snapshot, &mut cx.counters))
    }
}

impl RunStep for FoldAddresses {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        Outcome::of(self.run(cx.run.mf, cx.snapshot, &mut cx.counters))
    }
}

impl RunStep for Induction {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        if knobs::collect_stats() {
            let left = left_loops::take(&cx.run.mf.module_name(), &cx.run.mf.name());
            cx.counters.push(("loops left alone by LoopStrengthReduce", left));
        }
        Outcome::of(self.run(cx.run.mf, cx.snapshot, &mut cx.counters))
    }
}

impl RunStep for Flush {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        Outcome::of(self.run(cx.run.mf, cx.snapshot, &mut cx.counters))
    }
}

impl RunStep for WidePhis {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        Outcome::of(options::wide_phis() && self.run(cx.run.mf, cx.snapshot, &mut cx.counters))
    }
}

impl RunStep for Hoist {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let limits = hoist::Limits::of(options::steering_target(cx.run.mf));
        Outcome::of(self.run(cx.run.mf, &limits, cx.snapshot, &mut cx.counters))
    }
}

impl RunStep for Remat {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let mf = cx.run.mf;
        let target = options::steering_target(mf);
        let budget = Budget::of(Architecture::of(&mf.ir().processor()), target);
        let has_changed = self.run(mf, &remat::Limits::of(target), budget, cx.snapshot, &mut cx.counters);
        if knobs::collect_stats() {
            if has_changed {
                cx.snapshot.forget();
            }
            report_prediction(cx);
        }
        Outcome::of(has_changed)
    }
}

/// Reports how many registers ptxas is predicted to use.
fn report_prediction(cx: &mut Context) {
    let Some((facts, mut instrs)) = cx.snapshot.of(cx.run.mf) else { return };
    let mut pressure = SsaPressure::default();
    pressure.measure(facts, &mut instrs);
    let predicted = pressure.peak().predicted_registers();
    cx.counters.push_maximum("registers predicted".into(), predicted.into());
}

impl RunStep for Sink {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let min_registers = sink::min_registers(options::steering_target(cx.run.mf));
        Outcome::of(self.run(cx.run.mf, min_registers, cx.snapshot, &mut cx.counters))
    }
}

impl RunStep for BitFields {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        Outcome::of(self.run(cx.run.mf, cx.snapshot, &mut cx.counters))
    }
}

impl RunStep for PtxasErrata {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let faults = options::faults_of_ptxas();
        Outcome::of(self.run(cx.run.mf, faults, cx.snapshot, &mut cx.counters))
    }
}

/// LiveVariables. Its buffers belong to the thread.
#[derive(Default)]
pub struct LiveVars;

impl RunStep for LiveVars {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let options = options::liveness(cx.run.mf);
        pass::live_variables(cx.run, &options, cx.snapshot.hand_over(), &mut cx.counters)
    }
}

/// PHI elimination and the stage that it calls.
#[derive(Default)]
pub struct PhiElimWithCssa {
    phi_elim: PhiElim,
    cssa: Cssa,
}

impl RunStep for PhiElimWithCssa {
    /// The stage runs between the splitting of edges and the lowering.
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let options = options::phi_elim();
        let split = self.phi_elim.split_edges(cx.run, &options);
        self.cssa.clear();
        let options_of_cssa = options::cssa().filter(|_| knobs::runs(Step::Cssa));
        if let Some((options, mut stage)) =
            options_of_cssa.and_then(|o| Some((o, cx.inner_stage(Step::Cssa)?)))
        {
            let liveness = options::liveness(cx.run.mf);
            stage.measure(|counters| self.cssa.run(cx.run, options, !split.has_any(), &liveness, counters));
            cx.add_inner(stage);
        }
        let mut counts = phi_elim::Counts::default();
        let changed = self.phi_elim.eliminate(cx.run, &options, split, self.cssa.shared(), &mut counts);
        cx.counters.extend(counts.named());
        Outcome::of(changed)
    }
}

impl RunStep for TwoAddress {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let mut counts = two_address::Counts::default();
        let changed = self.run(cx.run, &options::two_address(cx.run), &mut counts);
        cx.counters.extend(counts.named());
        Outcome::of(changed)
    }
    fn hints(&self, mf: MachineFunction) -> Option<&AffinityHints> {
        TwoAddress::hints(self, mf.number())
    }
}

/// LiveIntervals, with the reader of its result. Its buffers belong to the thread.
#[derive(Default)]
pub struct LiveIntervals {
    reporter: PressureReporter,
}

impl RunStep for LiveIntervals {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let options = options::liveness(cx.run.mf);
        let outcome = pass::live_intervals(cx.run, &options, &mut self.reporter, &mut cx.counters);
        cx.pressure = self.reporter.take_report();
        outcome
    }
}

impl RunStep for Coalescer {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let mf = cx.run.mf;
        if knobs::FAST_COMPILE.get() {
            return Outcome::Unchanged;
        }
        if let Some(hints) = cx.hints.filter(|_| knobs::PRINT_AFFINITY.get()) {
            eprint!("{}", hints.text(&mf.name()));
        }
        self.run(cx.run, &options::coalescer(mf, cx.hints), &mut cx.counters)
    }
    fn not_checked(&self) -> Option<&'static str> {
        self.has_rewritten()
            .then_some("not checked: functions with loads folded or reserved registers joined")
    }
}

impl RunStep for NvptxCoalescerPass {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        let (view, options) = (options::coalescer(cx.run.mf, cx.hints), options::nvptx_coalescer());
        self.run(cx.run, cx.snapshot.opcodes(), &view, &options, &mut cx.counters)
    }
}

impl RunStep for NoUnrollPass {
    fn run_step(&mut self, cx: &mut Context) -> Outcome {
        match knobs::NOUNROLL.get() {
            Some(which) => self.run(cx.run, which, &mut cx.counters),
            None => Outcome::Unchanged,
        }
    }
}
