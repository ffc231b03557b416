//! The level of the memory hierarchy that answers each access, and what the access costs there.
//!
//! **Problem.** A trace says which sectors a warp touched, not whether they were in a cache.
//!
//! **Method.** Each block has its share of L1, as lines, of which a random one makes room, with the sectors of each that were loaded. What is not in it comes from L2, or from
//! DRAM if its buffer does not fit into L2 and no other traced block touches the same sector: what blocks share, one brings and the others
//! find. Stores and atomics go to L2.
//!
//! **Deviation.** The warps of a block take turns, an access each; in the replay some are ahead of others.
//!
//! **Complexity.** Linear in the accesses.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine::Machine;
use crate::trace::{Block, Kind, LINE, SECTOR};

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
}

/// No access.
pub const NONE: u32 = u32::MAX;

/// The memory that a launch knows of.
pub struct Layout<'a> {
    /// The bytes of the buffer at an address; `None` if unknown.
    pub size: &'a dyn Fn(u64) -> Option<u64>,
    /// Blocks that share a multiprocessor.
    pub resident: u32,
    /// Bytes of shared memory of a block.
    pub shared: u64,
}

/// The costs of the accesses of each warp of each block, in their order.
pub fn costs(machine: &Machine, blocks: &[Block], layout: &Layout) -> Vec<Vec<Vec<Cost>>> {
    let resident = u64::from(layout.resident.max(1));
    let l1 = machine.l1_bytes.saturating_sub(resident * (layout.shared + 1024)).max(8 << 10) / resident;
    let shared = shared_sectors(blocks);
    let mut is_large: FxHashMap<u64, bool> = FxHashMap::default();
    let mut is_cold = |sector: u64| {
        // Buffers begin at multiples of a page.
        let page = sector >> 7;
        let is_large = *is_large.entry(page).or_insert_with(|| {
            (layout.size)(sector * SECTOR).is_some_and(|size| size > machine.l2_bytes * 6 / 10)
        });
        is_large && !shared.contains(&sector)
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

fn block_costs(
    machine: &Machine,
    block: &Block,
    room: usize,
    is_cold: &mut dyn FnMut(u64) -> bool,
) -> Vec<Vec<Cost>> {
    // The lines that are held, with the number of the access that brought each sector.
    let mut held: FxHashMap<u64, [u32; LINE as usize]> = FxHashMap::default();
    let mut next = 0;
    // DRAM gets a sector once, when L2 writes it back.
    let mut stored: FxHashSet<u64> = FxHashSet::default();
    let mut lines: Vec<u64> = Vec::new();
    let mut random = 1_u64;
    let mut costs: Vec<Vec<Cost>> =
        block.warps.iter().map(|warp| Vec::with_capacity(warp.accesses.len())).collect();
    let rounds = block.warps.iter().map(|warp| warp.accesses.len()).max().unwrap_or(0);
    for round in 0..rounds {
        for (warp, own) in block.warps.iter().zip(&mut costs) {
            let Some(access) = warp.accesses.get(round) else { continue };
            let sectors = &block.sectors[access.first as usize..][..access.sectors as usize];
            let mut cost = Cost {
                level: Level::L1,
                wavefronts: access.wavefronts.into(),
                l2_bytes: 0.0,
                dram_bytes: 0.0,
                brings: NONE,
                finds: NONE,
            };
            match access.kind {
                Kind::Shared => cost.level = Level::Shared,
                Kind::Local => {}
                Kind::Load => {
                    for &sector in sectors {
                        let line = sector / LINE;
                        let brought = held.entry(line).or_insert_with(|| {
                            lines.push(line);
                            [NONE; LINE as usize]
                        });
                        let brought = &mut brought[(sector % LINE) as usize];
                        if *brought != NONE {
                            // The latest one is the last to arrive.
                            if *brought != next && (cost.finds == NONE || *brought > cost.finds) {
                                cost.finds = *brought;
                            }
                            continue;
                        }
                        *brought = next;
                        if lines.len() > room {
                            // Knuth's numbers for a linear congruence.
                            random = random
                                .wrapping_mul(6_364_136_223_846_793_005)
                                .wrapping_add(1_442_695_040_888_963_407);
                            let dropped = lines.swap_remove((random >> 33) as usize % (lines.len() - 1));
                            held.remove(&dropped);
                        }
                        cost.l2_bytes += SECTOR as f32;
                        if is_cold(sector) {
                            cost.dram_bytes += SECTOR as f32;
                            cost.level = Level::Dram;
                        } else if cost.level == Level::L1 {
                            cost.level = Level::L2;
                        }
                    }
                    if cost.level != Level::L1 {
                        cost.brings = next;
                        next += 1;
                    }
                }
                Kind::Store | Kind::Atomic => {
                    cost.level = Level::L2;
                    let each = match access.kind {
                        Kind::Atomic => machine.atomic_bytes,
                        _ => machine.store_bytes[access.order as usize],
                    };
                    let cold =
                        sectors.iter().filter(|&&sector| is_cold(sector) && stored.insert(sector)).count();
                    cost.l2_bytes = (sectors.len() as f64 * each) as f32;
                    cost.dram_bytes = cold as f32 * SECTOR as f32;
                }
            }
            own.push(cost);
        }
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Order, Traced, WarpTrace};

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
    fn l1_has_room_for_so_many_lines() {
        let loads: Vec<_> = (0..20_000).map(|at| (Kind::Load, at * LINE, Order::First)).collect();
        let twice = block(&[loads.clone(), loads].concat());
        let costs = cost_of(&[twice], 1 << 20);
        let hits = costs[0][0].iter().filter(|cost| cost.level == Level::L1).count();
        // 2,040 lines are held when the second round begins; some of these make room before they are asked for.
        assert!((1..2_048).contains(&hits), "{hits}");
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
