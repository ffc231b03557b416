//! The level of the memory hierarchy that answers each access, and what the access costs there.
//!
//! **Problem.** A trace says which sectors a warp touched, not whether they were in a cache.
//!
//! **Method.** Each block has its share of L1, as lines, of which the one that was touched longest ago makes room, with the sectors of each that were loaded. What is not in it comes from L2, or from
//! DRAM if its buffer does not fit into L2 and no other traced block touches the same sector: what blocks share, one brings and the others
//! find. Stores and atomics go to L2. Bulk copies bring the bytes that they or their barrier announce; those by tensor maps, whose places are unknown, come from L2.
//!
//! **Source.** Least recently used: the caches of Volta in Khairy et al., "Accel-Sim" (2020), which were checked against a GPU.
//!
//! **Deviation.** Local memory is always in L1. The warps of a block take turns, an access each; in the replay some are ahead of others.
//!
//! **Complexity.** Linear in the accesses.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine::Machine;
use crate::trace::{Block, Kind, Traced, LINE, SECTOR};

/// The level of memory that an access waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Shared,
    L1,
    L2,
    Dram,
}

/// The cost of an access.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub level: Level,
    /// Cycles of the data path of L1 and shared memory.
    pub wavefronts: u32,
    /// Bytes that L2 and DRAM move for it.
    pub l2_bytes: f32,
    pub dram_bytes: f32,
    /// Its number among the accesses of the block that bring sectors, and the number of one that brought a sector which this one finds; [`NONE`]
    /// if there is none.
    pub brings: u32,
    pub finds: u32,
    /// Whether the warp stops until what it finds is asked for: a wait for bulk copies.
    pub waits: bool,
}

/// No access.
pub const NONE: u32 = u32::MAX;

/// The memory that a launch knows of.
pub struct Layout<'a> {
    /// The bytes of the buffer at an address; `None` if unknown.
    pub size: &'a dyn Fn(u64) -> Option<u64>,
    /// Blocks that share a multiprocessor. No more than it gets of the launch.
    pub resident: u32,
    /// Bytes of shared memory of a block.
    pub shared: u64,
}

/// The costs of the accesses of each warp of each block, in their order.
pub fn costs(machine: &Machine, blocks: &[Block], layout: &Layout) -> Vec<Vec<Vec<Cost>>> {
    let resident = u64::from(layout.resident.max(1));
    let shared = machine.shared_memory(resident * (layout.shared + 1024));
    let l1 = machine.l1_bytes.saturating_sub(shared).max(8 << 10) / resident;
    let touched = shared_sectors(blocks);
    let mut is_large: FxHashMap<u64, bool> = FxHashMap::default();
    let mut is_cold = |sector: u64| {
        // Buffers begin at multiples of a page.
        let page = sector >> 7;
        let is_large = *is_large.entry(page).or_insert_with(|| {
            (layout.size)(sector * SECTOR).is_some_and(|size| size > machine.l2_bytes * 6 / 10)
        });
        is_large && !touched.contains(&sector)
    };
    blocks
        .iter()
        .map(|block| block_costs(machine, block, (l1 / (LINE * SECTOR)) as usize, &mut is_cold))
        .collect()
}

/// The sectors that more than one block touches.
fn shared_sectors(blocks: &[Block]) -> FxHashSet<u64> {
    let (mut shared, mut seen) = (FxHashSet::default(), FxHashSet::default());
    for block in blocks {
        let own: FxHashSet<u64> = block.sectors.iter().copied().collect();
        for sector in own {
            if !seen.insert(sector) {
                shared.insert(sector);
            }
        }
    }
    shared
}

/// The lines of L1, of which the one that was touched longest ago makes room.
#[derive(Default)]
struct L1 {
    /// Lines that it has room for.
    room: usize,
    /// When a line was touched last, and by sector the number of the access that brought it, or [`NONE`].
    held: FxHashMap<u64, (u64, [u32; LINE as usize])>,
    /// Lines in the order in which they were touched, and when. Only the last entry of a line counts.
    touched: VecDeque<(u64, u64)>,
    clock: u64,
}

impl L1 {
    /// Touches a line, and gives its sectors.
    fn line(&mut self, line: u64) -> &mut [u32; LINE as usize] {
        self.clock += 1;
        self.touched.push_back((line, self.clock));
        let held = self.held.entry(line).or_insert((0, [NONE; LINE as usize]));
        held.0 = self.clock;
        &mut held.1
    }

    /// Drops lines that there is no room for.
    fn make_room(&mut self) {
        while self.held.len() > self.room {
            let Some((line, time)) = self.touched.pop_front() else { return };
            if self.held.get(&line).is_some_and(|held| held.0 == time) {
                self.held.remove(&line);
            }
        }
    }
}

fn block_costs(
    machine: &Machine,
    block: &Block,
    room: usize,
    is_cold: &mut dyn FnMut(u64) -> bool,
) -> Vec<Vec<Cost>> {
    let mut pricing = Pricing::new(machine, block, room, is_cold);
    let mut costs: Vec<Vec<Cost>> =
        block.warps.iter().map(|warp| Vec::with_capacity(warp.accesses.len())).collect();
    let rounds = block.warps.iter().map(|warp| warp.accesses.len()).max().unwrap_or(0);
    for round in 0..rounds {
        for (warp, own) in block.warps.iter().zip(&mut costs) {
            own.extend(warp.accesses.get(round).map(|access| pricing.cost(access)));
        }
    }
    costs
}

/// What the costs of a block's accesses depend on.
struct Pricing<'a> {
    machine: &'a Machine,
    block: &'a Block,
    /// Whether L2 does not have a sector.
    is_cold: &'a mut dyn FnMut(u64) -> bool,
    l1: L1,
    /// The numbers of the phases of barriers: the first ones. The last copy of a phase brings it.
    numbers: FxHashMap<(u64, usize), u32>,
    last: FxHashMap<(u64, usize), usize>,
    /// The next number.
    next: u32,
    /// The sectors that were stored to: DRAM gets a sector once, when L2 writes it back.
    stored: FxHashSet<u64>,
}

impl<'a> Pricing<'a> {
    fn new(
        machine: &'a Machine,
        block: &'a Block,
        room: usize,
        is_cold: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        let mut numbers: FxHashMap<(u64, usize), u32> = FxHashMap::default();
        let mut barriers: Vec<_> = block.phases.iter().collect();
        barriers.sort_unstable_by_key(|(barrier, _)| **barrier);
        for (&barrier, phases) in barriers {
            for phase in 0..phases.len() {
                numbers.insert((barrier, phase), numbers.len() as u32);
            }
        }
        let last =
            block.bulks.iter().enumerate().map(|(at, bulk)| ((bulk.barrier, bulk.phase), at)).collect();
        let next = numbers.len() as u32;
        let l1 = L1 { room, ..L1::default() };
        Pricing { machine, block, is_cold, l1, numbers, last, next, stored: FxHashSet::default() }
    }

    fn cost(&mut self, access: &Traced) -> Cost {
        let block = self.block;
        let sectors = match access.sectors {
            0 => &[],
            count => &block.sectors[access.first as usize..][..count as usize],
        };
        let mut cost = Cost {
            level: Level::L1,
            wavefronts: access.wavefronts.into(),
            l2_bytes: 0.0,
            dram_bytes: 0.0,
            brings: NONE,
            finds: NONE,
            waits: false,
        };
        match access.kind {
            Kind::Bulk => self.copy(access, &mut cost),
            Kind::Wait => {
                cost.level = Level::Shared;
                // A barrier at which no copy ends is one where warps wait for each other, which is not modelled.
                let wait = self.block.waits[access.first as usize];
                cost.finds = self.last.get(&wait).map_or(NONE, |_| self.numbers[&wait]);
                cost.waits = cost.finds != NONE;
            }
            Kind::Shared => cost.level = Level::Shared,
            Kind::Local => {}
            Kind::Load => self.load(sectors, &mut cost),
            Kind::Store | Kind::Atomic => self.store(access, sectors, &mut cost),
        }
        cost
    }

    /// A bulk copy.
    fn copy(&mut self, access: &Traced, cost: &mut Cost) {
        let bulk = &self.block.bulks[access.first as usize];
        let key = (bulk.barrier, bulk.phase);
        let phase = &self.block.phases[&bulk.barrier][bulk.phase];
        // Copies by tensor maps have equal parts of what is announced and not known.
        let unknown = u64::from(phase.copies - phase.known).max(1);
        let rest = phase.bytes.saturating_sub(phase.known_bytes) / unknown;
        let bytes = if bulk.bytes > 0 { bulk.bytes } else { rest };
        let is_cold = bulk.source != 0 && (self.is_cold)(bulk.source / SECTOR);
        cost.level = if is_cold { Level::Dram } else { Level::L2 };
        cost.wavefronts = bytes.div_ceil(128) as u32;
        cost.l2_bytes = bytes as f32;
        cost.dram_bytes = if is_cold { bytes as f32 } else { 0.0 };
        if self.last.get(&key) == Some(&(access.first as usize)) {
            cost.brings = self.numbers[&key];
        }
    }

    fn load(&mut self, sectors: &[u64], cost: &mut Cost) {
        for &sector in sectors {
            let brought = &mut self.l1.line(sector / LINE)[(sector % LINE) as usize];
            if *brought != NONE {
                // The latest one is the last to arrive.
                if *brought != self.next && (cost.finds == NONE || *brought > cost.finds) {
                    cost.finds = *brought;
                }
                continue;
            }
            *brought = self.next;
            self.l1.make_room();
            cost.l2_bytes += SECTOR as f32;
            if (self.is_cold)(sector) {
                cost.dram_bytes += SECTOR as f32;
                cost.level = Level::Dram;
            } else if cost.level == Level::L1 {
                cost.level = Level::L2;
            }
        }
        if cost.level != Level::L1 {
            cost.brings = self.next;
            self.next += 1;
        }
    }

    fn store(&mut self, access: &Traced, sectors: &[u64], cost: &mut Cost) {
        cost.level = Level::L2;
        let each = match access.kind {
            Kind::Atomic => self.machine.atomic_bytes,
            _ => self.machine.store_bytes[access.order as usize],
        };
        let cold =
            sectors.iter().filter(|&&sector| (self.is_cold)(sector) && self.stored.insert(sector)).count();
        cost.l2_bytes = (sectors.len() as f64 * each) as f32;
        cost.dram_bytes = cold as f32 * SECTOR as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Bulk, Order, Phase, WarpTrace};

    fn cost_of(blocks: &[Block], size: u64) -> Vec<Vec<Vec<Cost>>> {
        let machine = Machine::of(90).unwrap();
        costs(&machine, blocks, &Layout { size: &|_| Some(size), resident: 1, shared: 0 })
    }

    fn block(accesses: &[(Kind, u64, Order)]) -> Block {
        let mut block = Block::default();
        let mut warp = WarpTrace::default();
        for &(kind, sector, order) in accesses {
            let first = block.sectors.len() as u32;
            block.sectors.push(sector);
            warp.accesses.push(Traced { kind, wavefronts: 1, first, sectors: 1, order });
        }
        block.warps.push(warp);
        block
    }

    #[test]
    fn a_sector_comes_from_where_it_can_be() {
        let load = |sector| (Kind::Load, sector, Order::First);
        let levels = |blocks: &[Block], size| -> Vec<Level> {
            cost_of(blocks, size)[0][0].iter().map(|cost| cost.level).collect()
        };
        let one = block(&[load(1), load(1)]);
        assert_eq!(levels(std::slice::from_ref(&one), 1 << 30), [Level::Dram, Level::L1]);
        assert_eq!(
            levels(std::slice::from_ref(&one), 1 << 20),
            [Level::L2, Level::L1],
            "L2 holds a small buffer"
        );
        assert_eq!(levels(&[one.clone(), one], 1 << 30), [Level::L2, Level::L1], "another block brings it");
    }

    #[test]
    fn a_wait_finds_the_last_copy_of_its_phase() {
        let mut own = block(&[]);
        let bulk = |phase, bytes| Bulk { barrier: 8, phase, bytes, source: 0 };
        own.bulks = vec![bulk(0, 0), bulk(0, 4096), bulk(1, 0)];
        own.waits = vec![(8, 1), (16, 0)];
        let phase = |bytes, copies, known, known_bytes| Phase { bytes, copies, known, known_bytes };
        own.phases.insert(8, vec![phase(12288, 2, 1, 4096), phase(256, 1, 0, 0)]);
        let access = |kind, first| Traced { kind, wavefronts: 1, first, sectors: 0, order: Order::First };
        own.warps[0].accesses.extend([0, 1, 2].map(|at| access(Kind::Bulk, at)));
        own.warps[0].accesses.extend([0, 1].map(|at| access(Kind::Wait, at)));
        let costs = &cost_of(&[own], 1 << 20)[0][0];
        let bytes: Vec<f32> = costs.iter().map(|cost| cost.l2_bytes).collect();
        assert_eq!(bytes, [8192.0, 4096.0, 256.0, 0.0, 0.0]);
        let brings: Vec<u32> = costs.iter().map(|cost| cost.brings).collect();
        assert_eq!(brings, [NONE, 0, 1, NONE, NONE]);
        assert_eq!((costs[3].finds, costs[3].waits, costs[4].finds, costs[4].waits), (1, true, NONE, false));
    }

    #[test]
    fn l1_keeps_what_was_touched_last() {
        // 248 KiB are left beside 8 KiB of shared memory, the least that there is for one block.
        let room = (248 << 10) / 128;
        let hits = |lines: u64, order: &dyn Fn(u64) -> u64| {
            let first: Vec<_> = (0..lines).map(|at| (Kind::Load, at * LINE, Order::First)).collect();
            let again: Vec<_> = (0..lines).map(|at| (Kind::Load, order(at) * LINE, Order::First)).collect();
            let costs = cost_of(&[block(&[first, again].concat())], 1 << 20);
            costs[0][0].iter().filter(|cost| cost.level == Level::L1).count() as u64
        };
        assert_eq!(hits(room, &|at| at), room);
        assert_eq!(hits(room + 1, &|at| at), 0, "each line makes room just before it is asked for");
        assert_eq!(hits(room + 100, &|at| room + 99 - at), room);
    }

    #[test]
    fn stores_that_come_back_cost_more_than_those_that_go_on() {
        let store = |order| (Kind::Store, 5, order);
        let costs =
            cost_of(&[block(&[store(Order::First), store(Order::Ascends), store(Order::Returns)])], 1 << 30);
        let bytes: Vec<f32> = costs[0][0].iter().map(|cost| cost.l2_bytes).collect();
        assert!(bytes[1] < bytes[0] && bytes[0] < bytes[2], "{bytes:?}");
        let dram: Vec<f32> = costs[0][0].iter().map(|cost| cost.dram_bytes).collect();
        assert_eq!(dram, [32.0, 0.0, 0.0], "L2 writes a sector back once");
    }
}
