//! Chooses among several orders of a block's units the one that needs the fewest registers at once
//! (`-ptx-emit-order=pressure`, default profile).
//!
//! Problem. PTX has any number of registers, but the machine does not. The order of the PTX has
//! some influence on the number that `ptxas` uses.
//!
//! Algorithm. The candidates are the order of the source, as LLVM's scheduler gives it, and orders
//! of two list schedulers over the units of [`ScheduleGraph`]: top-down and bottom-up. Both keep to
//! the order of the source while fewer registers are live than a limit. Above the limit they take,
//! among the ready units, the one that leaves the fewest registers live. The limits are fractions
//! of the peak of the source order ([`LIMITS`]).
//!
//! The measure of an order is its register pressure, the maximum number of live 32-bit registers.
//! Values that live through the block and live-out values count. A result and an operand that dies
//! there share a register. Predicates do not count. The lowest peak wins; the source wins a tie,
//! then the earlier candidate.
//!
//! Source: list scheduling for register pressure as in LLVM's `ScheduleDAGRRList`; Goodman and Hsu,
//! Code scheduling and register allocation in large basic blocks (1988), for the limit. Deviation
//! from LLVM: its schedulers use Sethi-Ullman numbers, heights and latencies. `ptxas` settles these
//! itself.
//!
//! Measurements: docs/stages/emitter.md. The peak of the PTX says little about the registers that
//! `ptxas` will use, so the order of the source is the default.
//!
//! Complexity: O((e + u) log n) for each of a constant number of candidates, with e edges and u
//! pairs of a live range and a reader.

use super::schedule_graph::{RangeId, ScheduleGraph, UnitId};
use index_vec::{IndexSlice, IndexVec};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Limits of the list schedulers, in percent of the source order's peak.
const LIMITS: [u32; 3] = [0, 60, 80];

/// An order that needs fewer registers than that of the source.
pub(super) struct Choice<'a> {
    /// The units in that order.
    pub(super) order: &'a [UnitId],
    /// The maximum number of 32-bit registers that are live at once.
    pub(super) peak: u32,
    /// The same for the source's order.
    pub(super) source_peak: u32,
}

/// The chooser, with its buffers.
#[derive(Default)]
pub(super) struct PressureOrder {
    /// By unit, the number of units that must come before it and are not scheduled yet.
    units_left: IndexVec<UnitId, u32>,
    /// By range, the number of readers that are not scheduled yet.
    readers_left: IndexVec<RangeId, u32>,
    /// By range, in the bottom-up walk: whether it is live.
    live: IndexVec<RangeId, bool>,
    /// By unit: the growth of the number of live registers if it comes next.
    growth: IndexVec<UnitId, i32>,
    /// By unit: whether it may come next.
    ready: IndexVec<UnitId, bool>,
    /// The ready units, by source order and by growth; both heaps may still hold scheduled ones.
    /// The second also holds outdated growths, which are higher than the current ones.
    by_source: BinaryHeap<Reverse<u32>>,
    by_growth: BinaryHeap<Reverse<(i32, u32)>>,
    candidate: Vec<UnitId>,
    best: Vec<UnitId>,
}

impl PressureOrder {
    /// The order of the units that needs the fewest registers, if it is better than their own.
    pub(super) fn choose(&mut self, g: &ScheduleGraph) -> Option<Choice<'_>> {
        let source: Vec<UnitId> = g.all_units().collect();
        let source_peak = self.peak_of(g, &source);
        let mut min_peak = source_peak;
        let mut candidate = std::mem::take(&mut self.candidate);
        for limit in LIMITS {
            let limit = (u64::from(source_peak) * u64::from(limit) / 100) as u32;
            for schedule in [Self::bottom_up, Self::top_down] {
                schedule(self, g, limit, &mut candidate);
                let peak = self.peak_of(g, &candidate);
                if peak < min_peak {
                    min_peak = peak;
                    std::mem::swap(&mut self.best, &mut candidate);
                }
            }
        }
        self.candidate = candidate;
        (min_peak < source_peak).then_some(Choice { order: &self.best, peak: min_peak, source_peak })
    }

    fn count_readers(&mut self, g: &ScheduleGraph) {
        self.readers_left.clear();
        self.readers_left.extend(g.ranges.indices().map(|r| g.readers.row(r).len() as u32));
    }

    /// The maximum number of 32-bit registers that are live in an order, a permutation of the
    /// units.
    fn peak_of(&mut self, g: &ScheduleGraph, order: &[UnitId]) -> u32 {
        self.count_readers(g);
        let left = &mut self.readers_left;
        let mut live = g.live_at_top();
        let mut peak = live;
        for &unit in order {
            for &r in g.uses.row(unit) {
                left[r] -= 1;
                let range = g.ranges[r];
                if left[r] == 0 && !range.is_live_out {
                    live -= range.size;
                }
            }
            let mut dead = 0;
            for &r in g.defs.row(unit) {
                let range = g.ranges[r];
                live += range.size;
                if left[r] == 0 && !range.is_live_out {
                    dead += range.size;
                }
            }
            peak = peak.max(live);
            live -= dead;
        }
        peak
    }

    fn start(&mut self, units: usize) {
        self.growth.clear();
        self.growth.resize(units, 0);
        self.ready.clear();
        self.ready.resize(units, false);
        self.by_source.clear();
        self.by_growth.clear();
    }

    /// Adds a ready unit, or changes its growth. `rank` is its position in the source, counted in
    /// the direction of the walk.
    fn push(&mut self, unit: UnitId, rank: u32, growth: i32) {
        if !std::mem::replace(&mut self.ready[unit], true) {
            self.by_source.push(Reverse(rank));
        }
        self.growth[unit] = growth;
        self.by_growth.push(Reverse((growth, rank)));
    }

    /// Takes the next unit and returns its rank.
    fn pop(&mut self, live: u32, limit: u32) -> u32 {
        let rank = if live < limit {
            self.by_source.pop().map(|Reverse(rank)| rank)
        } else {
            self.by_growth.pop().map(|Reverse((_, rank))| rank)
        };
        rank.expect("a schedule has no cycle")
    }

    /// Schedules from the bottom up: a unit is ready when all units that must come after it are
    /// scheduled.
    fn bottom_up(&mut self, g: &ScheduleGraph, limit: u32, out: &mut Vec<UnitId>) {
        let units = g.num_units();
        let mirror = |rank: u32| units as u32 - 1 - rank;
        self.start(units);
        out.clear();
        self.units_left.clear();
        self.units_left.extend(g.all_units().map(|u| g.succs.row(u).len() as u32));
        self.live.clear();
        self.live.extend(g.ranges.iter().map(|r| r.is_live_out));
        let mut live = g.live_at_bottom();
        for u in g.all_units().filter(|&u| g.succs.row(u).is_empty()) {
            let growth = growth_upwards(g, &self.live, u);
            self.push(u, mirror(u.raw()), growth);
        }
        while out.len() < units {
            let unit = UnitId::from_raw(mirror(self.pop(live, limit)));
            if !std::mem::replace(&mut self.ready[unit], false) {
                continue; // already taken from the other heap or with a lower growth
            }
            out.push(unit);
            for &r in g.defs.row(unit) {
                if std::mem::replace(&mut self.live[r], false) {
                    live -= g.ranges[r].size;
                }
            }
            for &r in g.uses.row(unit) {
                if std::mem::replace(&mut self.live[r], true) {
                    continue;
                }
                let size = g.ranges[r].size;
                live += size;
                for &reader in g.readers.row(r) {
                    if self.ready[reader] {
                        let growth = self.growth[reader] - size as i32;
                        self.push(reader, mirror(reader.raw()), growth);
                    }
                }
            }
            for &pred in g.preds.row(unit) {
                self.units_left[pred] -= 1;
                if self.units_left[pred] == 0 {
                    let growth = growth_upwards(g, &self.live, pred);
                    self.push(pred, mirror(pred.raw()), growth);
                }
            }
        }
        out.reverse();
    }

    /// Schedules from the top down: a unit is ready when all units that must come before it are
    /// scheduled.
    fn top_down(&mut self, g: &ScheduleGraph, limit: u32, out: &mut Vec<UnitId>) {
        let units = g.num_units();
        self.start(units);
        out.clear();
        self.units_left.clear();
        self.units_left.extend(g.all_units().map(|u| g.preds.row(u).len() as u32));
        self.count_readers(g);
        let mut live = g.live_at_top();
        for u in g.all_units().filter(|&u| g.preds.row(u).is_empty()) {
            let growth = growth_downwards(g, &self.readers_left, u);
            self.push(u, u.raw(), growth);
        }
        while out.len() < units {
            let unit = UnitId::from_raw(self.pop(live, limit));
            if !std::mem::replace(&mut self.ready[unit], false) {
                continue;
            }
            out.push(unit);
            live = live.saturating_add_signed(growth_downwards(g, &self.readers_left, unit));
            for &r in g.uses.row(unit) {
                let left = &mut self.readers_left[r];
                *left -= 1;
                if *left != 1 || g.ranges[r].is_live_out {
                    continue;
                }
                // Only one reader is left, and it ends the range.
                let size = g.ranges[r].size as i32;
                for &reader in g.readers.row(r) {
                    if self.ready[reader] {
                        let growth = self.growth[reader] - size;
                        self.push(reader, reader.raw(), growth);
                    }
                }
            }
            for &succ in g.succs.row(unit) {
                self.units_left[succ] -= 1;
                if self.units_left[succ] == 0 {
                    let growth = growth_downwards(g, &self.readers_left, succ);
                    self.push(succ, succ.raw(), growth);
                }
            }
        }
    }
}

fn size_of(g: &ScheduleGraph, ranges: &[RangeId], counts: impl Fn(RangeId) -> bool) -> i32 {
    ranges.iter().filter(|&&r| counts(r)).map(|&r| g.ranges[r].size as i32).sum()
}

/// The number of registers that are live above a unit, minus those below it.
fn growth_upwards(g: &ScheduleGraph, live: &IndexSlice<RangeId, [bool]>, unit: UnitId) -> i32 {
    size_of(g, g.uses.row(unit), |r| !live[r]) - size_of(g, g.defs.row(unit), |r| live[r])
}

/// The number of registers that are live below a unit, minus those above it.
fn growth_downwards(g: &ScheduleGraph, readers_left: &IndexSlice<RangeId, [u32]>, unit: UnitId) -> i32 {
    let dies = |r: RangeId| readers_left[r] == 1 && !g.ranges[r].is_live_out;
    let stays = |r: RangeId| readers_left[r] != 0 || g.ranges[r].is_live_out;
    size_of(g, g.defs.row(unit), stays) - size_of(g, g.uses.row(unit), dies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};
    use crate::passes::emitter::schedule_graph::LiveRange;

    /// Units by their preds; each defines one value of size 1 that its succs read. `out`: units
    /// whose value is live out.
    fn graph(preds: &[&[u32]], out: &[u32]) -> ScheduleGraph {
        let mut g = ScheduleGraph::default();
        let edges: Vec<(u32, u32)> = preds
            .iter()
            .enumerate()
            .flat_map(|(u, preds)| preds.iter().map(move |&p| (p, u as u32)))
            .collect();
        let n = preds.len();
        let units = 0..n as u32;
        g.first_step = (0..=n as u32).collect();
        g.ranges = units
            .clone()
            .map(|u| LiveRange { size: 1, is_live_in: false, is_live_out: out.contains(&u) })
            .collect();
        let unit = |u: u32| UnitId::from_raw(u);
        let range = |u: u32| RangeId::from_raw(u);
        g.preds.collect(n, edges.iter().map(|&(p, s)| (unit(p), unit(s))));
        g.succs.collect(n, edges.iter().map(|&(p, s)| (unit(s), unit(p))));
        g.defs.collect(n, units.map(|u| (range(u), unit(u))));
        g.uses.collect(n, edges.iter().map(|&(p, s)| (range(p), unit(s))));
        g.readers.collect(n, edges.iter().map(|&(p, s)| (unit(s), range(p))));
        g
    }

    fn assert_respects(g: &ScheduleGraph, order: &[UnitId]) {
        let mut at: IndexVec<UnitId, usize> = vec![usize::MAX; g.num_units()].into();
        for (i, &u) in order.iter().enumerate() {
            assert_eq!(std::mem::replace(&mut at[u], i), usize::MAX, "unit {u:?} comes twice");
        }
        assert_eq!(order.len(), g.num_units());
        for u in g.all_units() {
            assert!(g.preds.row(u).iter().all(|&p| at[p] < at[u]));
        }
    }

    #[test]
    fn e1_loads_go_to_where_they_are_added() {
        // Four loads, then a chain of sums that each add a load: two registers are enough.
        let g = graph(&[&[], &[], &[], &[], &[0, 1], &[4, 2], &[5, 3]], &[6]);
        let mut chooser = PressureOrder::default();
        let choice = chooser.choose(&g).expect("there is a better order");
        assert_respects(&g, choice.order);
        assert_eq!((choice.source_peak, choice.peak), (4, 2));
    }

    #[test]
    fn e1_the_source_order_wins_a_tie() {
        let g = graph(&[&[], &[], &[0, 1], &[], &[2, 3]], &[4]);
        assert!(PressureOrder::default().choose(&g).is_none());
        assert!(PressureOrder::default().choose(&graph(&[], &[])).is_none());
    }

    /// Row E1: for any graph, each candidate is a permutation that respects the edges, and a chosen
    /// one is better than the source.
    #[test]
    fn e1_candidates_are_schedules_of_random_graphs() {
        let mut rng = Rng::new(0x2545_f491_4f6c_dd1d);
        let mut chooser = PressureOrder::default();
        for _ in 0..cases(300) {
            let n = rng.below(40);
            let preds: Vec<Vec<u32>> =
                (0..n).map(|u| (0..u).filter(|_| rng.below(u) < 2).collect()).collect();
            let rows: Vec<&[u32]> = preds.iter().map(|p| &p[..]).collect();
            let out: Vec<u32> = (0..n).filter(|_| rng.one_in(5)).collect();
            let g = graph(&rows, &out);
            let source: Vec<UnitId> = g.all_units().collect();
            let mut order = vec![];
            for limit in [0, 3, 8, u32::MAX] {
                chooser.bottom_up(&g, limit, &mut order);
                assert_respects(&g, &order);
                assert!(limit != u32::MAX || order == source);
                chooser.top_down(&g, limit, &mut order);
                assert_respects(&g, &order);
                assert!(limit != u32::MAX || order == source);
            }
            let source_peak = chooser.peak_of(&g, &source);
            if let Some(choice) = chooser.choose(&g) {
                let (order, peak) = (choice.order.to_vec(), choice.peak);
                assert_eq!(choice.source_peak, source_peak);
                assert!(peak < source_peak && chooser.peak_of(&g, &order) == peak);
            }
        }
    }
}
