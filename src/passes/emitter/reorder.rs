//! Puts the steps of a block in the order that [`super::pressure_order`] chooses
//! (`-ptx-emit-order=pressure`).
//!
//! First, once for each function, [`super::live_out`] finds the values that live across blocks.
//! Then [`super::schedule_graph`] reads each block as a graph of units, and the order is chosen. A
//! block with calls or physical registers keeps its order, and so does every block at -O0. Debug
//! information does not influence the order; [`super::debug_reordered`] places it.

use super::counts::Counts;
use super::host::EmitterHost;
use super::live_out::LiveOut;
use super::pressure_order::PressureOrder;
use super::schedule_graph::ScheduleGraph;
use super::target::EmitterTarget;
use crate::mir::dag::node::Step;
use crate::mir::dag::schedule::{flag, Dag};

/// The analyses and their buffers.
#[derive(Default)]
pub struct Reorder {
    live_out: LiveOut,
    graph: ScheduleGraph,
    chooser: PressureOrder,
    steps: Vec<Step>,
}

impl Reorder {
    /// The steps of a block in another order, if that needs fewer registers.
    pub fn run<H: EmitterHost>(
        &mut self,
        host: &H,
        dag: &Dag,
        target: &mut EmitterTarget,
        counts: &mut Counts,
    ) -> Option<&[Step]> {
        if !dag.has(flag::OPTIMISE) {
            return None;
        }
        if dag.has(flag::FIRST_BLOCK) {
            self.live_out.read(host, |class| target.classes.registers32(class));
        }
        if self.graph.read(host, dag, target, &self.live_out).is_err() {
            counts.fixed += 1;
            return None;
        }
        let choice = self.chooser.choose(&self.graph)?;
        counts.reordered += 1;
        counts.peak_reduction += u64::from(choice.source_peak - choice.peak);
        self.steps.clear();
        for &unit in choice.order {
            self.steps.extend(self.graph.steps_of(unit).map(|step| dag.step(step)));
        }
        Some(&self.steps)
    }
}
