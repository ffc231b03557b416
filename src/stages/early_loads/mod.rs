//! Moves loads before stores that wait for other loads (default profile, stage `early-loads`).
//!
//! **Problem.** A loop copies several things in each iteration: an index here, a number there. PTX
//! has them in the order of the source, a load and its store, then the next load and its store. A
//! store waits until its load is back. `ptxas` does not start the next load before that: it comes
//! after the store, and nothing in PTX says that the two do not touch the same memory. So each
//! iteration waits several times for memory:
//!
//! ```text
//! i = ld a[k];                        i = ld a[k];
//! st b[k], i;     // waits for i      x = ld c[k];
//! x = ld c[k];                 =>     st b[k], i;
//! st d[k], x;                         st d[k], x;
//! ```
//!
//! **Algorithm.** LLVM knows more than PTX says: the types of accesses, parameters that are
//! `__restrict__`, arrays of their own. A load of global memory moves up in its block to the first
//! store that waits for a load, if LLVM shows for that store, and for all between them, that they do
//! not write what it reads. The computation of its address moves with it. A store at a constant
//! distance from the load's own address does not count, as `ptxas` sees that for itself. What
//! is neither a store nor free of effects stops the search: barriers, atomic operations, calls.
//!
//! Only loops gain, and a load that moves needs a register for longer. So in a block at most
//! 16 move.
//!
//! **Source.** None; list scheduling for latency does the same. **Deviation.** LLVM has such a
//! scheduler after instruction selection, which NVPTX does not use: the order of instructions is the
//! task of `ptxas`. **Complexity.** Linear in loads, as a search ends after 128 instructions.

use crate::mir::EarlyLoad;

/// The most loads of a block that are moved.
const MAX_MOVED: u32 = 16;

/// Whether a load is moved.
pub fn is_moved(load: &EarlyLoad) -> bool {
    load.is_in_loop && load.num_moved < MAX_MOVED
}

/// The names of its counts: the loads that may move before a store that waits.
pub const COUNTED: [&str; 2] = ["loads moved before stores", "loads left: not in a loop, or too many"];

#[cfg(test)]
mod tests {
    use super::*;

    const LOAD: EarlyLoad = EarlyLoad { num_moved: 0, is_in_loop: true };

    #[test]
    fn loads_of_loops_move_until_there_are_too_many() {
        assert!(is_moved(&LOAD));
        assert!(is_moved(&EarlyLoad { num_moved: 15, ..LOAD }));
        assert!(!is_moved(&EarlyLoad { num_moved: 16, ..LOAD }));
        assert!(!is_moved(&EarlyLoad { is_in_loop: false, ..LOAD }));
    }
}
