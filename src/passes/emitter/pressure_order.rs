//! Pressure order (`-ptx-emit-order=pressure`, `cicc` profile): of several orders of a block's units the one that needs
//! the fewest registers at once.
//!
//! Problem. PTX has registers without number, but `ptxas` has to do with those of the machine, and the order in which
//! it reads the code has some bearing on how many it takes.
//!
//! Algorithm. The candidates are the order of the source, as LLVM's scheduler gives it, and orders of two list
//! schedulers over the units of [`ScheduleGraph`]: one goes down from the top, one up from the bottom. Both keep to the
//! order of the source while fewer registers are live than a limit, and beyond it take the unit, of those that
//! may come next, that leaves the fewest live. The limits are parts of the peak of the source order
//! ([`LIMITS`]). Every order is measured by the registers of 32 bits that are live at its worst place: values that
//! live through the block and those that it hands on count, a result and an operand that dies there share a
//! register, and predicates do not count. The lowest peak wins; the source wins a tie, then the earlier candidate.
//!
//! Source: list scheduling for register pressure as in LLVM's `ScheduleDAGRRList`; Goodman and Hsu, Code scheduling and
//! register allocation in large basic blocks (1988), for the limit. Deviation from LLVM: its schedulers number by
//! Sethi and Ullman and look at heights and latencies, which `ptxas` settles by itself.
//!
//! What it is worth is in docs/measured.md: the peak of the PTX foretells little of what `ptxas` will use, so that the order of
//! the source is the default.
//!
//! Complexity: O((e + u) log n) for each of a constant number of candidates, with e edges and u pairs of a live
//! range and a reader.

use super::schedule_graph::ScheduleGraph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Limits of the list schedulers, in percent of the source order's peak.
const LIMITS: [u32; 3] = [0, 60, 80];

/// What an order needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pressure {
    /// Registers of 32 bits that are live at once, at most.
    pub peak: u32,
}

/// The chooser, with its buffers.
#[derive(Default)]
pub struct PressureOrder {
    /// By unit: units, or by range: readers, that are still to come.
    units_left: Vec<u32>,
    readers_left: Vec<u32>,
    /// By range, going up: whether it is live.
    live: Vec<bool>,
    /// By unit: registers that are live more if it comes next.
    growth: Vec<i32>,
    /// By unit: it may come next.
    ready: Vec<bool>,
    /// Units that may come next, or did already: by source, and by growth; of the latter, old growths too, which are
    /// higher.
    by_source: BinaryHeap<Reverse<u32>>,
    by_growth: BinaryHeap<Reverse<(i32, u32)>>,
    candidate: Vec<u32>,
    best: Vec<u32>,
}

impl PressureOrder {
    /// The order of the units that needs the fewest registers, if that is not their own; and what both need.
    pub fn choose(&mut self, g: &ScheduleGraph) -> Option<(&[u32], Pressure, Pressure)> {
        let source: Vec<u32> = (0..g.num_units() as u32).collect();
        let of_source = self.measure(g, &source);
        let mut least = of_source;
        let mut candidate = std::mem::take(&mut self.candidate);
        for limit in LIMITS {
            let limit = (u64::from(of_source.peak) * u64::from(limit) / 100) as u32;
            for schedule in [Self::bottom_up, Self::top_down] {
                schedule(self, g, limit, &mut candidate);
                let pressure = self.measure(g, &candidate);
                if pressure.peak < least.peak {
                    least = pressure;
                    std::mem::swap(&mut self.best, &mut candidate);
                }
            }
        }
        self.candidate = candidate;
        (least.peak < of_source.peak).then_some((&self.best, of_source, least))
    }

    /// What an order, a permutation of the units, needs.
    fn measure(&mut self, g: &ScheduleGraph, order: &[u32]) -> Pressure {
        let left = &mut self.readers_left;
        left.clear();
        left.extend((0..g.ranges.len()).map(|r| g.readers.row(r).len() as u32));
        let mut live = g.live_at_top();
        let mut peak = live;
        for &unit in order {
            for &r in g.uses.row(unit as usize) {
                left[r as usize] -= 1;
                let range = g.ranges[r as usize];
                if left[r as usize] == 0 && !range.is_live_out {
                    live -= range.size;
                }
            }
            let mut dead = 0;
            for &r in g.defs.row(unit as usize) {
                let range = g.ranges[r as usize];
                live += range.size;
                if left[r as usize] == 0 && !range.is_live_out {
                    dead += range.size;
                }
            }
            peak = peak.max(live);
            live -= dead;
        }
        Pressure { peak }
    }

    fn start(&mut self, units: usize) {
        self.growth.clear();
        self.growth.resize(units, 0);
        self.ready.clear();
        self.ready.resize(units, false);
        self.by_source.clear();
        self.by_growth.clear();
    }

    /// `rank` is the position in the source in the direction of the walk.
    fn push(&mut self, unit: u32, rank: u32, growth: i32) {
        if !std::mem::replace(&mut self.ready[unit as usize], true) {
            self.by_source.push(Reverse(rank));
        }
        self.growth[unit as usize] = growth;
        self.by_growth.push(Reverse((growth, rank)));
    }

    /// The rank of the next unit.
    fn pop(&mut self, live: u32, limit: u32) -> u32 {
        let rank = if live < limit {
            self.by_source.pop().map(|Reverse(rank)| rank)
        } else {
            self.by_growth.pop().map(|Reverse((_, rank))| rank)
        };
        rank.expect("a schedule has no cycle")
    }

    /// From the bottom up: a unit may come when all that read it have.
    fn bottom_up(&mut self, g: &ScheduleGraph, limit: u32, out: &mut Vec<u32>) {
        let units = g.num_units();
        let rank = |unit: u32| units as u32 - 1 - unit;
        self.start(units);
        out.clear();
        self.units_left.clear();
        self.units_left.extend((0..units).map(|u| g.succs.row(u).len() as u32));
        self.live.clear();
        self.live.extend(g.ranges.iter().map(|r| r.is_live_out));
        let mut live = g.live_at_bottom();
        for u in (0..units).filter(|&u| g.succs.row(u).is_empty()) {
            let growth = growth_upwards(g, &self.live, u);
            self.push(u as u32, rank(u as u32), growth);
        }
        while out.len() < units {
            let unit = rank(self.pop(live, limit));
            if !std::mem::replace(&mut self.ready[unit as usize], false) {
                continue; // it has come by the other heap or with a lower growth
            }
            out.push(unit);
            for &r in g.defs.row(unit as usize) {
                if std::mem::replace(&mut self.live[r as usize], false) {
                    live -= g.ranges[r as usize].size;
                }
            }
            for &r in g.uses.row(unit as usize) {
                if std::mem::replace(&mut self.live[r as usize], true) {
                    continue;
                }
                let size = g.ranges[r as usize].size;
                live += size;
                for &reader in g.readers.row(r as usize) {
                    if self.ready[reader as usize] {
                        let growth = self.growth[reader as usize] - size as i32;
                        self.push(reader, rank(reader), growth);
                    }
                }
            }
            for &pred in g.preds.row(unit as usize) {
                self.units_left[pred as usize] -= 1;
                if self.units_left[pred as usize] == 0 {
                    let growth = growth_upwards(g, &self.live, pred as usize);
                    self.push(pred, rank(pred), growth);
                }
            }
        }
        out.reverse();
    }

    /// From the top down: a unit may come when all that it reads has.
    fn top_down(&mut self, g: &ScheduleGraph, limit: u32, out: &mut Vec<u32>) {
        let units = g.num_units();
        self.start(units);
        out.clear();
        self.units_left.clear();
        self.units_left.extend((0..units).map(|u| g.preds.row(u).len() as u32));
        self.readers_left.clear();
        self.readers_left.extend((0..g.ranges.len()).map(|r| g.readers.row(r).len() as u32));
        let mut live = g.live_at_top();
        for u in (0..units).filter(|&u| g.preds.row(u).is_empty()) {
            let growth = growth_downwards(g, &self.readers_left, u);
            self.push(u as u32, u as u32, growth);
        }
        while out.len() < units {
            let unit = self.pop(live, limit);
            if !std::mem::replace(&mut self.ready[unit as usize], false) {
                continue;
            }
            out.push(unit);
            live = live.saturating_add_signed(growth_downwards(g, &self.readers_left, unit as usize));
            for &r in g.uses.row(unit as usize) {
                let left = &mut self.readers_left[r as usize];
                *left -= 1;
                if *left != 1 || g.ranges[r as usize].is_live_out {
                    continue;
                }
                // The last reader ends it.
                let size = g.ranges[r as usize].size as i32;
                for &reader in g.readers.row(r as usize) {
                    if self.ready[reader as usize] {
                        let growth = self.growth[reader as usize] - size;
                        self.push(reader, reader, growth);
                    }
                }
            }
            for &succ in g.succs.row(unit as usize) {
                self.units_left[succ as usize] -= 1;
                if self.units_left[succ as usize] == 0 {
                    let growth = growth_downwards(g, &self.readers_left, succ as usize);
                    self.push(succ, succ, growth);
                }
            }
        }
    }
}

fn size_of(g: &ScheduleGraph, ranges: &[u32], counts: impl Fn(usize) -> bool) -> i32 {
    let counted = ranges.iter().map(|&r| r as usize).filter(|&r| counts(r));
    counted.map(|r| g.ranges[r].size as i32).sum()
}

/// What is live more above a unit than below it.
fn growth_upwards(g: &ScheduleGraph, live: &[bool], unit: usize) -> i32 {
    size_of(g, g.uses.row(unit), |r| !live[r]) - size_of(g, g.defs.row(unit), |r| live[r])
}

/// What is live more below a unit than above it.
fn growth_downwards(g: &ScheduleGraph, readers_left: &[u32], unit: usize) -> i32 {
    let dies = |r: usize| readers_left[r] == 1 && !g.ranges[r].is_live_out;
    let stays = |r: usize| readers_left[r] != 0 || g.ranges[r].is_live_out;
    size_of(g, g.defs.row(unit), stays) - size_of(g, g.uses.row(unit), dies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};
    use crate::passes::emitter::schedule_graph::Range;

    /// Units by their preds; each defines one value of size 1 that its succs read. `out`: units whose value is live
    /// out.
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
            .map(|u| Range { size: 1, is_live_in: false, is_live_out: out.contains(&u) })
            .collect();
        g.preds.collect(n, edges.iter().map(|&(p, s)| (p, s as usize)));
        g.succs.collect(n, edges.iter().map(|&(p, s)| (s, p as usize)));
        g.defs.collect(n, units.map(|u| (u, u as usize)));
        g.uses.collect(n, edges.iter().map(|&(p, s)| (p, s as usize)));
        g.readers.collect(n, edges.iter().map(|&(p, s)| (s, p as usize)));
        g
    }

    fn assert_respects(g: &ScheduleGraph, order: &[u32]) {
        let mut at = vec![usize::MAX; g.num_units()];
        for (i, &u) in order.iter().enumerate() {
            assert_eq!(std::mem::replace(&mut at[u as usize], i), usize::MAX, "unit {u} comes twice");
        }
        assert_eq!(order.len(), g.num_units());
        for u in 0..g.num_units() {
            assert!(g.preds.row(u).iter().all(|&p| at[p as usize] < at[u]));
        }
    }

    #[test]
    fn e1_loads_go_to_where_they_are_added() {
        // Four loads, then a chain of sums of a load each: two registers will do.
        let g = graph(&[&[], &[], &[], &[], &[0, 1], &[4, 2], &[5, 3]], &[6]);
        let mut chooser = PressureOrder::default();
        let (order, source, least) = chooser.choose(&g).expect("there is a better order");
        assert_respects(&g, order);
        assert_eq!((source.peak, least.peak), (4, 2));
    }

    #[test]
    fn e1_the_source_order_wins_a_tie() {
        let g = graph(&[&[], &[], &[0, 1], &[], &[2, 3]], &[4]);
        assert!(PressureOrder::default().choose(&g).is_none());
        assert!(PressureOrder::default().choose(&graph(&[], &[])).is_none());
    }

    /// Row E1: whatever the graph, each candidate is a permutation that keeps what must come first in front, and
    /// the chosen one is no worse than the source.
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
            let source: Vec<u32> = (0..n).collect();
            let mut order = vec![];
            for limit in [0, 3, 8, u32::MAX] {
                chooser.bottom_up(&g, limit, &mut order);
                assert_respects(&g, &order);
                assert!(limit != u32::MAX || order == source);
                chooser.top_down(&g, limit, &mut order);
                assert_respects(&g, &order);
                assert!(limit != u32::MAX || order == source);
            }
            let peak = chooser.measure(&g, &source).peak;
            if let Some((order, of_source, least)) = chooser.choose(&g) {
                let order = order.to_vec();
                assert_eq!(of_source.peak, peak);
                assert!(least.peak < peak && chooser.measure(&g, &order) == least);
            }
        }
    }
}
