//! A record of what the warps of some blocks did.
//!
//! **Problem.** Time depends on which instructions run, how often, and which memory they touch. The emulator knows all that, and keeps none of it.
//!
//! **Method.** [`Recorder`] follows a run. For each warp it keeps the places of its instructions, and for each access to memory the
//! wavefronts that shared memory needs, or the sectors of 32 bytes of global memory.
//!
//! **Source.** Bank conflicts and sectors: CUDA C++ Best Practices Guide, "Shared Memory" and "Coalesced Access to Global Memory".
//!
//! **Complexity.** Linear in the instructions; n log n in the lanes of an access.

use rustc_hash::{FxHashMap, FxHashSet};
use sass_emu::decode::{Place, Space};
use sass_emu::grid::{Access, AccessKind, Observer};

/// Bytes of a sector, the unit in which caches move data.
pub const SECTOR: u64 = 32;
/// Sectors of a line of a cache.
pub const LINE: u64 = 4;

/// Banks of the tags of L1; each looks up one line in a cycle.
const TAG_BANKS: usize = 2;

/// The kinds of accesses that differ in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Shared memory.
    Shared,
    /// Local memory, which L1 holds.
    Local,
    /// A load from global memory, or a copy from it to shared memory.
    Load,
    /// A store to global memory.
    Store,
    /// An atomic on global memory.
    Atomic,
    /// A bulk copy to shared memory: [`Block::bulks`] at `first`.
    Bulk,
    /// A wait for such copies: [`Block::waits`] at `first`.
    Wait,
}

/// Where a store stands to the stores of the warp before it. L1 sends stores on; those that follow each other in a sector go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first one to its sectors.
    First,
    /// It goes on above the last store, in the same sectors.
    Ascends,
    /// It goes on below the last store, in the same sectors.
    Descends,
    /// It comes back to its sectors after a store to others.
    Returns,
}

/// An access of a warp.
#[derive(Clone, Copy, Debug)]
pub struct Traced {
    pub kind: Kind,
    /// Cycles for which the access holds the data path of L1 and shared memory.
    pub wavefronts: u16,
    /// The place of its sectors in [`Block::sectors`], and how many.
    pub first: u32,
    pub sectors: u16,
    /// Where a store stands to those before it.
    pub order: Order,
}

/// The record of a warp: the places of its instructions, with the bits [`HAS_ACCESS`] and [`IS_OFF`].
#[derive(Clone, Debug, Default)]
pub struct WarpTrace {
    pub places: Vec<Place>,
    pub accesses: Vec<Traced>,
    /// The address of the first lane of the last store, and the sectors of those of all.
    last_store: u64,
    stored: FxHashSet<u64>,
    /// How often it has waited at each barrier of bulk copies.
    waited: FxHashMap<u64, usize>,
}

/// The bit of a place to which an access belongs: the next of `accesses`.
pub const HAS_ACCESS: Place = 1 << 31;
/// The bit of a place whose guard holds for no lane.
pub const IS_OFF: Place = 1 << 30;

/// The place without its bits.
pub fn bare(place: Place) -> usize {
    (place & !(HAS_ACCESS | IS_OFF)) as usize
}

/// The record of a block's warps.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub number: [u32; 3],
    pub warps: Vec<WarpTrace>,
    /// The sectors of all accesses to global memory.
    pub sectors: Vec<u64>,
    pub bulks: Vec<Bulk>,
    /// The barrier that each wait waits for, and which of its phases.
    pub waits: Vec<(u64, usize)>,
    /// The phases of each barrier in shared memory that bulk copies end at.
    pub phases: FxHashMap<u64, Vec<Phase>>,
}

/// A bulk copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bulk {
    /// The barrier that it ends at, and which of its phases.
    pub barrier: u64,
    pub phase: usize,
    /// Its bytes; 0 where a tensor map has them.
    pub bytes: u64,
    /// The address that it reads; 0 where a tensor map has it.
    pub source: u64,
}

/// A phase of a barrier: it ends when all copies have come that were announced together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phase {
    /// Bytes that were announced.
    pub bytes: u64,
    /// Copies, and bytes of those whose bytes are known.
    pub copies: u32,
    pub known: u32,
    pub known_bytes: u64,
}

impl Block {
    /// Notes what an asynchronous instruction means for time; `None` if it is nothing that takes any.
    fn asynchronous(&mut self, waited: &mut FxHashMap<u64, usize>, access: &Access) -> Option<(Kind, u32)> {
        let (barrier, bytes) = (access.addresses[0], access.bytes as u64);
        match access.kind {
            AccessKind::Expect if bytes > 0 => {
                self.phases.entry(barrier).or_default().push(Phase { bytes, ..Phase::default() });
                None
            }
            AccessKind::Bulk => {
                let phases = self.phases.entry(barrier).or_default();
                if phases.is_empty() {
                    phases.push(Phase::default());
                }
                let phase = phases.len() - 1;
                let own = &mut phases[phase];
                own.copies += 1;
                own.known += u32::from(bytes > 0);
                own.known_bytes += bytes;
                self.bulks.push(Bulk { barrier, phase, bytes, source: access.addresses[1] });
                Some((Kind::Bulk, self.bulks.len() as u32 - 1))
            }
            AccessKind::Wait => {
                let number = waited.entry(barrier).or_default();
                self.waits.push((barrier, *number));
                *number += 1;
                Some((Kind::Wait, self.waits.len() as u32 - 1))
            }
            _ => None,
        }
    }
}

/// Follows a run and keeps what its blocks did.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    pub blocks: Vec<Block>,
}

impl Observer for Recorder {
    fn block(&mut self, number: [u32; 3]) {
        self.blocks.push(Block { number, ..Block::default() });
    }

    fn issue(&mut self, warp: u32, at: Place, lanes: u32) {
        let Some(block) = self.blocks.last_mut() else { return };
        let warp = warp as usize;
        if block.warps.len() <= warp {
            block.warps.resize_with(warp + 1, WarpTrace::default);
        }
        block.warps[warp].places.push(if lanes == 0 { at | IS_OFF } else { at });
    }

    fn access(&mut self, warp: u32, _at: Place, access: &Access) {
        let Some(block) = self.blocks.last_mut() else { return };
        if matches!(access.kind, AccessKind::Bulk | AccessKind::Expect | AccessKind::Wait) {
            let mut waited = std::mem::take(&mut block.warps[warp as usize].waited);
            let noted = block.asynchronous(&mut waited, access);
            let warp = &mut block.warps[warp as usize];
            warp.waited = waited;
            if let (Some((kind, first)), Some(place)) = (noted, warp.places.last_mut()) {
                *place |= HAS_ACCESS;
                warp.accesses.push(Traced { kind, wavefronts: 1, first, sectors: 0, order: Order::First });
            }
            return;
        }
        let first = block.sectors.len() as u32;
        let warp = &mut block.warps[warp as usize];
        let Some(place) = warp.places.last_mut() else { return };
        // An instruction that reads and writes tells twice; the first one counts.
        if *place & HAS_ACCESS != 0 {
            return;
        }
        let traced = match access.space {
            Space::Shared => Traced {
                kind: Kind::Shared,
                wavefronts: if access.kind == AccessKind::Atomic {
                    turns(access)
                } else {
                    wavefronts(access)
                },
                first,
                sectors: 0,
                order: Order::First,
            },
            Space::Local => {
                let wavefronts = (access.bytes / 4).max(1) as u16;
                Traced { kind: Kind::Local, wavefronts, first, sectors: 0, order: Order::First }
            }
            _ => {
                sectors(access, &mut block.sectors);
                let own = &block.sectors[first as usize..];
                global(access, first, own, &mut warp.stored, &mut warp.last_store)
            }
        };
        *place |= HAS_ACCESS;
        warp.accesses.push(traced);
    }
}

/// An access to global memory, and its sectors. `stored` and `last_store`: the sectors that the warp has stored to, and the address of its last store.
fn global(
    access: &Access,
    first: u32,
    own: &[u64],
    stored: &mut FxHashSet<u64>,
    last_store: &mut u64,
) -> Traced {
    let mut lookups = [0; TAG_BANKS];
    let mut last = u64::MAX;
    for line in own.iter().map(|sector| sector / LINE) {
        if line != last {
            lookups[line as usize % TAG_BANKS] += 1;
            last = line;
        }
    }
    let lookups = lookups.into_iter().max().unwrap_or(0);
    let bytes = access.lanes.count_ones() as u64 * access.bytes as u64;
    let kind = match access.kind {
        AccessKind::Load | AccessKind::Copy => Kind::Load,
        AccessKind::Store => Kind::Store,
        AccessKind::Atomic | AccessKind::Bulk | AccessKind::Expect | AccessKind::Wait => Kind::Atomic,
    };
    let mut order = Order::First;
    if kind == Kind::Store {
        let address = access.addresses[access.lanes.trailing_zeros() as usize];
        if !stored.insert(address / SECTOR) {
            order = match address {
                _ if address / SECTOR != *last_store / SECTOR => Order::Returns,
                _ if address < *last_store => Order::Descends,
                _ => Order::Ascends,
            };
        }
        *last_store = address;
    }
    let wavefronts = lookups.max(bytes.div_ceil(128)) as u16;
    Traced { kind, wavefronts, first, sectors: own.len() as u16, order }
}

/// Appends the sectors of an access, each once, in ascending order.
fn sectors(access: &Access, sectors: &mut Vec<u64>) {
    let mut own: Vec<u64> = Vec::with_capacity(64);
    for lane in lanes(access.lanes) {
        let (first, last) =
            (access.addresses[lane] / SECTOR, (access.addresses[lane] + access.bytes as u64 - 1) / SECTOR);
        if own.last() != Some(&first) {
            own.push(first);
        }
        if last != first {
            own.push(last);
        }
    }
    own.sort_unstable();
    own.dedup();
    sectors.extend(own);
}

/// The wavefronts of an access to shared memory. Accesses of 8 and 16 bytes go by halves and quarters of a warp; in each, a
/// bank gives one word a cycle.
fn wavefronts(access: &Access) -> u16 {
    let words = (access.bytes as u64).div_ceil(4).max(1);
    let at_once = (32 / words).max(1) as usize;
    let mut all = 0;
    let mut seen: Vec<u64> = Vec::with_capacity(32);
    for first in (0..32).step_by(at_once) {
        let part = access.lanes & ((u64::from(u32::MAX) >> (32 - at_once)) as u32) << first;
        if part == 0 {
            continue;
        }
        seen.clear();
        for lane in lanes(part) {
            let word = access.addresses[lane] / 4;
            seen.extend(word..word + words);
        }
        seen.sort_unstable();
        seen.dedup();
        let mut banks = [0_u16; 32];
        for word in &seen {
            banks[(word % 32) as usize] += 1;
        }
        all += banks.into_iter().max().unwrap_or(0);
    }
    all.max(1)
}

/// How many times an atomic on shared memory goes to the banks: lanes that meet at a bank go one after the other.
fn turns(access: &Access) -> u16 {
    let mut banks = [0_u16; 32];
    for lane in lanes(access.lanes) {
        banks[(access.addresses[lane] / 4 % 32) as usize] += 1;
    }
    banks.into_iter().max().unwrap_or(0).max(1)
}

fn lanes(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = set.trailing_zeros() as usize;
        set &= set.checked_sub(1)?;
        Some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(kind: AccessKind, space: Space, bytes: usize, addresses: &[u64; 32]) -> Traced {
        let mut recorder = Recorder::default();
        recorder.block([0; 3]);
        recorder.issue(0, 7, u32::MAX);
        recorder.access(0, 7, &Access { kind, space, bytes, addresses, lanes: u32::MAX });
        assert_eq!(recorder.blocks[0].warps[0].places, [7 | HAS_ACCESS]);
        recorder.blocks[0].warps[0].accesses[0]
    }

    #[test]
    fn conflicts_of_banks() {
        let of = |bytes, step: u64| {
            let addresses = std::array::from_fn(|lane| lane as u64 * step);
            access(AccessKind::Load, Space::Shared, bytes, &addresses).wavefronts
        };
        assert_eq!([of(4, 4), of(4, 8), of(4, 128), of(4, 0), of(1, 1)], [1, 2, 32, 1, 1]);
        assert_eq!([of(8, 8), of(16, 16), of(16, 0), of(8, 256)], [2, 4, 4, 32]);
    }

    #[test]
    fn atomics_on_one_word_take_turns() {
        assert_eq!(access(AccessKind::Atomic, Space::Shared, 4, &[64; 32]).wavefronts, 32);
    }

    #[test]
    fn sectors_of_global_memory() {
        let of = |bytes, step: u64| {
            let addresses = std::array::from_fn(|lane| 4096 + lane as u64 * step);
            let traced = access(AccessKind::Load, Space::Global, bytes, &addresses);
            (traced.sectors, traced.wavefronts)
        };
        assert_eq!(
            [of(4, 4), of(16, 16), of(4, 32), of(4, 128), of(4, 0)],
            [(4, 1), (16, 4), (32, 4), (32, 16), (1, 1)]
        );
    }

    #[test]
    fn stores_are_ordered_by_the_last_one_of_their_warp() {
        let mut recorder = Recorder::default();
        recorder.block([0; 3]);
        for first in [4096, 4100, 4096, 8192, 4104] {
            recorder.issue(0, 1, u32::MAX);
            let addresses = std::array::from_fn(|lane| first + lane as u64 * 16);
            let access = Access {
                kind: AccessKind::Store,
                space: Space::Global,
                bytes: 4,
                addresses: &addresses,
                lanes: u32::MAX,
            };
            recorder.access(0, 1, &access);
        }
        let orders: Vec<Order> =
            recorder.blocks[0].warps[0].accesses.iter().map(|access| access.order).collect();
        assert_eq!(orders, [Order::First, Order::Ascends, Order::Descends, Order::First, Order::Returns]);
    }
}
