//! `-ptx-emit-order=pressure`: the steps of a block in the order that [`super::pressure_order`] chooses.
//!
//! The stages: which values are live across blocks, once for each function ([`super::live_out`]); the block as a graph
//! of units ([`super::schedule_graph`]); the choice; the steps of the chosen order. A block of calls or physical
//! registers keeps its order, and so does one at -O0. Whether there is debug information makes no difference to the
//! order; what it changes for debug values is in [`super::debug_reordered`].

use super::dag::{Dag, Step};
use super::host::Host;
use super::live_out::LiveOut;
use super::pressure_order::PressureOrder;
use super::schedule_graph::ScheduleGraph;
use super::target::Target;
use super::Counts;

/// The stages, with their buffers.
#[derive(Default)]
pub struct Reorder {
    live_out: LiveOut,
    graph: ScheduleGraph,
    chooser: PressureOrder,
    steps: Vec<Step>,
}

impl Reorder {
    /// The steps of a block in another order, if there is a better one.
    pub fn run<H: Host>(
        &mut self,
        host: &H,
        dag: &Dag,
        target: &mut Target,
        counts: &mut Counts,
    ) -> Option<&[Step]> {
        if !dag.has(Dag::OPTIMISE) {
            return None;
        }
        if dag.has(Dag::FIRST_BLOCK) {
            self.live_out.read(host, |class| target.classes.registers32(class));
        }
        if self.graph.read(host, dag, target, &self.live_out).is_err() {
            counts.fixed += 1;
            return None;
        }
        let (order, source, least) = self.chooser.choose(&self.graph)?;
        counts.reordered += 1;
        counts.peak_reduction += u64::from(source.peak - least.peak);
        self.steps.clear();
        for &unit in order {
            let first = &self.graph.first_step[unit as usize..];
            self.steps.extend((first[0]..first[1]).map(|step| dag.step(step as usize)));
        }
        Some(&self.steps)
    }
}
