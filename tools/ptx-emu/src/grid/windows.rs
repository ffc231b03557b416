//! The windows of state spaces in generic addresses.

use crate::ptx::trace::Space;

/// Bits of an address within its window.
pub const WINDOW_BITS: u32 = 32;
/// Numbers of the windows in a generic address. All other addresses are global memory.
const WINDOWS: [(Space, u64); 4] =
    [(Space::Shared, 0xf00), (Space::Local, 0xf01), (Space::Const, 0xf02), (Space::Param, 0xf03)];

/// First generic address of a state space.
pub fn window(space: Space) -> u64 {
    WINDOWS.iter().find(|(windowed, _)| *windowed == space).map_or(0, |(_, number)| number << WINDOW_BITS)
}

/// State space of a generic address, and the address in it.
pub fn place(address: u64) -> (Space, u64) {
    let number = address >> WINDOW_BITS;
    match WINDOWS.iter().find(|(_, known)| *known == number) {
        Some(&(space, _)) => (space, address & ((1 << WINDOW_BITS) - 1)),
        None => (Space::Global, address),
    }
}
