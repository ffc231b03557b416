//! Chooses the loops that LLVM's LoopStrengthReduce leaves alone.
//!
//! **Problem.** That pass works on IR and counts the registers of a machine that it does not know. Of indices it makes pointers that walk, in
//! nested loops one for each loop with a stride of its own, which no pass after instruction selection can undo. But three things that it does
//! are of use. Of several pointers that walk already it makes one. Of an index that only addresses read it makes a pointer: ptxas unrolls
//! a loop by four, and cannot fold `sext(i + 1)` into the immediate of an address, so that each copy extends and multiplies. And ptxas does not
//! unroll what it has changed: where ptxas knows the number of iterations and finds that addresses become constants, it unrolls the whole loop, however
//! long that gets.
//!
//! **Algorithm.** A loop is left alone unless it has many pointers, or its index has a constant step and only addresses read it, or it or
//! its function would become too long. With a step that is known at run time only, a pointer needs a register for its stride.
//!
//! **Source.** None. Measurements: docs/measured.md, "Walking side by side" and "Indices that only addresses read". **Complexity.** Constant.

/// LLVM unrolls loops wholly that get shorter than 300 instructions or so; ptxas need not go much further, nor in all loops of a function
/// together: the copies of a short loop in inlined functions are as long as one long loop.
const MAX_UNROLLED: u64 = 512;

/// Of so many pointers it is worth while to make one.
const MIN_POINTERS: u32 = 3;

/// A loop, as far as the choice goes.
#[derive(Clone, Copy, Debug)]
pub struct LoopFacts {
    /// How many times it runs, if that is known.
    pub trip_count: Option<u32>,
    /// Its instructions in IR.
    pub num_instrs: u32,
    /// Those of all innermost loops of the function whose number of iterations is known, each unrolled.
    pub num_unrolled: u64,
    /// How many pointers an iteration hands to the next one.
    pub num_pointers: u32,
    /// Whether the steps of its induction variables are constants, and only addresses and the loop's end read these variables.
    pub walks_by_constants: bool,
}

/// Whether LoopStrengthReduce leaves a loop alone.
pub fn is_left_alone(l: &LoopFacts) -> bool {
    let unrolled = |count| l.num_unrolled.max(u64::from(count) * u64::from(l.num_instrs));
    let is_short = l.trip_count.is_none_or(|count| unrolled(count) <= MAX_UNROLLED);
    is_short && l.num_pointers < MIN_POINTERS && !l.walks_by_constants
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_left(trip_count: Option<u32>, num_instrs: u32, num_unrolled: u64, num_pointers: u32) -> bool {
        is_left_alone(&LoopFacts {
            trip_count,
            num_instrs,
            num_unrolled,
            num_pointers,
            walks_by_constants: false,
        })
    }

    #[test]
    fn a_loop_whose_index_only_addresses_read_is_not_left_alone() {
        let facts = LoopFacts {
            trip_count: None,
            num_instrs: 10,
            num_unrolled: 0,
            num_pointers: 0,
            walks_by_constants: true,
        };
        assert!(!is_left_alone(&facts));
        assert!(is_left_alone(&LoopFacts { walks_by_constants: false, ..facts }));
    }

    #[test]
    fn a_loop_is_left_alone_unless_it_is_long_when_unrolled() {
        assert!(is_left(None, 1_000_000, 1_000_000, 0));
        assert!(is_left(Some(8), 64, 512, 0));
        assert!(!is_left(Some(8), 65, 0, 0));
        assert!(!is_left(Some(u32::MAX), u32::MAX, 0, 0));
    }

    #[test]
    fn a_short_loop_is_left_alone_unless_the_function_is_long_when_all_are_unrolled() {
        assert!(is_left(Some(6), 12, 512, 0));
        assert!(!is_left(Some(6), 12, 513, 0));
    }

    #[test]
    fn a_loop_is_left_alone_unless_several_pointers_walk_through_it() {
        assert!(is_left(None, 10, 0, 2));
        assert!(!is_left(None, 10, 0, 3));
    }
}
