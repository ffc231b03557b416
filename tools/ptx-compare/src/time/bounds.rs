//! Finds accesses to global memory that miss the buffers of a launch.
//!
//! **Problem.** The emulator's memory answers everywhere. Where a buffer is smaller than what the kernel touches, a GPU would fault or read what lies
//! there by chance; a time that is predicted for such a launch is that of no launch.
//!
//! **Method.** [`Bounds`] follows a run, looks at each lane's address, and hands all on to another observer. The first miss is kept.
//!
//! **Deviation.** An address that is far from all buffers is let pass: structures and memory may hold pointers to what no parameter describes.
//!
//! **Complexity.** A comparison for each lane of an access, and one for each buffer where the lane touches another one than the last.

use ptx_emu::grid::launch::{Argument, Buffer, Launch};
use sass_emu::decode::{Place, Space};
use sass_emu::grid::{Access, AccessKind, Observer};

/// The distance from a buffer up to which an address is taken for one that misses it. Buffers of a launch lie twice as far from each other.
const NEAR: u64 = 1 << 33;

/// The distance from which on a miss looks like an index of any bits.
const WILD: u64 = 1 << 28;

/// A buffer.
struct Range {
    /// Its number, from 1 on, among the parameters or the other memory.
    name: String,
    address: u64,
    size: u64,
}

impl Range {
    fn holds(&self, address: u64, bytes: u64) -> bool {
        address >= self.address && address - self.address + bytes <= self.size
    }

    /// How far an address lies outside of it.
    fn distance(&self, address: u64) -> u64 {
        let end = self.address + self.size;
        if address < self.address {
            self.address - address
        } else {
            address.saturating_sub(end)
        }
    }
}

/// An observer that looks at what an inner one is told.
pub struct Bounds<O> {
    pub inner: O,
    /// Empty if nothing is to be looked at.
    buffers: Vec<Range>,
    /// The place of the buffer that was touched last.
    last: usize,
    /// Whether some of them have no content that is given.
    lacks_content: bool,
    /// The first miss, in words.
    pub missed: Option<String>,
}

impl<O> Bounds<O> {
    /// Looks at the buffers of a launch, or at nothing if there is `None`.
    pub fn new(launch: Option<&Launch>, inner: O) -> Self {
        let range = |name: String, own: &Buffer| Range { name, address: own.address, size: own.size };
        let arguments = launch.iter().flat_map(|launch| &launch.arguments).enumerate();
        let own = arguments.filter_map(|(number, argument)| match argument {
            Argument::Buffer(own) => Some(range(format!("parameter {}", number + 1), own)),
            Argument::Bytes(_) | Argument::Addresses { .. } => None,
        });
        let memory = launch.iter().flat_map(|launch| &launch.memory).enumerate();
        let memory = memory.map(|(number, own)| range(format!("memory {}", number + 1), own));
        let buffers = own.chain(memory);
        let lacks_content =
            launch.is_some_and(|launch| launch.buffers().any(|buffer| buffer.input.is_none()));
        Bounds { inner, buffers: buffers.collect(), last: 0, lacks_content, missed: None }
    }

    fn look(&mut self, kind: AccessKind, address: u64, bytes: u64) {
        if self.buffers.get(self.last).is_some_and(|range| range.holds(address, bytes)) {
            return;
        }
        if let Some(found) = self.buffers.iter().position(|range| range.holds(address, bytes)) {
            self.last = found;
            return;
        }
        let nearest = self.buffers.iter().min_by_key(|range| range.distance(address));
        let Some(range) = nearest.filter(|range| range.distance(address) < NEAR) else { return };
        let Range { name, address: start, size } = range;
        let does = match kind {
            AccessKind::Store => "writes",
            AccessKind::Atomic => "changes",
            _ => "reads",
        };
        let place = if address < *start {
            format!("{} bytes before it", start - address)
        } else {
            format!("{} bytes after its start", address - start)
        };
        let is_wild = range.distance(address) > WILD && self.lacks_content;
        let hint =
            if is_wild { "; an index from a buffer without in= or repeat= may be any number" } else { "" };
        self.missed = Some(format!(
            "{name} is a buffer of {size} bytes at {start:#x}, and the kernel {does} {bytes} bytes at {address:#x}, {place}{hint}"
        ));
    }
}

impl<O: Observer> Observer for Bounds<O> {
    fn block(&mut self, block: [u32; 3]) {
        self.inner.block(block);
    }

    fn issue(&mut self, warp: u32, at: Place, lanes: u32) {
        self.inner.issue(warp, at, lanes);
    }

    fn access(&mut self, warp: u32, at: Place, access: &Access) {
        use AccessKind::{Atomic, Copy, Load, Store};
        if access.space == Space::Global && matches!(access.kind, Load | Store | Atomic | Copy) {
            for lane in (0..32).filter(|lane| access.lanes >> lane & 1 == 1) {
                if self.missed.is_some() || self.buffers.is_empty() {
                    break;
                }
                self.look(access.kind, access.addresses[lane], access.bytes as u64);
            }
        }
        self.inner.access(warp, at, access);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_emu::grid::launch::{buffer_address, Buffer};

    fn missed(kind: AccessKind, space: Space, address: u64) -> Option<String> {
        let mut launch = Launch::new("k".to_owned());
        let buffer = |number| Buffer { address: buffer_address(number), size: 64, ..Buffer::default() };
        launch.arguments =
            vec![Argument::Buffer(buffer(0)), Argument::Bytes(vec![1; 4]), Argument::Buffer(buffer(1))];
        let mut bounds = Bounds::new(Some(&launch), ());
        let mut addresses = [buffer_address(1); 32];
        addresses[5] = address;
        bounds.access(0, 7, &Access { kind, space, bytes: 4, addresses: &addresses, lanes: 1 << 5 | 1 });
        bounds.missed
    }

    #[test]
    fn an_access_that_misses_a_buffer_is_told_with_parameter_size_and_address() {
        let (first, second) = (buffer_address(0), buffer_address(1));
        let load = |address| missed(AccessKind::Load, Space::Global, address);
        for inside in [first, first + 60, second, second + 60] {
            assert_eq!(load(inside), None);
        }
        assert_eq!(
            load(first + 61).expect("a miss"),
            "parameter 1 is a buffer of 64 bytes at 0x400000000, and the kernel reads 4 bytes at 0x40000003d, 61 bytes after its start"
        );
        let store = missed(AccessKind::Store, Space::Global, second - 4).expect("a miss");
        assert!(store.starts_with("parameter 3 ") && store.contains("writes 4 bytes"), "{store}");
        assert!(store.ends_with(", 4 bytes before it"), "{store}");
        let wild = load(second + (1 << 30)).expect("a miss");
        assert!(
            wild.ends_with("; an index from a buffer without in= or repeat= may be any number"),
            "{wild}"
        );
        assert!(missed(AccessKind::Atomic, Space::Global, second + 64).expect("a miss").contains("changes"));
    }

    #[test]
    fn other_memory_is_let_pass() {
        assert_eq!(missed(AccessKind::Load, Space::Shared, 0x40), None);
        // Variables of the module, and a pointer that a structure holds.
        for far in [sass_emu::cubin::VARIABLES, 0x7f00_0000_0000, 8] {
            assert_eq!(missed(AccessKind::Load, Space::Global, far), None, "{far:#x}");
        }
        let mut bounds = Bounds::new(None, ());
        bounds.look(AccessKind::Load, buffer_address(0) + 64, 4);
        assert_eq!(bounds.missed, None);
    }
}
