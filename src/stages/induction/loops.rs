//! Chooses the loops that LLVM's LoopStrengthReduce leaves alone.
//!
//! **Problem.** That pass works on IR and counts the registers of a machine that it does not know. Of indices it makes pointers that walk, in
//! nested loops one for each loop with a stride of its own, which no pass after instruction selection can undo. But three things that it does
//! are of use. Of several pointers that walk already it makes one. Of an index that only addresses read it makes a pointer: ptxas unrolls
//! a loop by four, and cannot fold `sext(i + 1)` into the immediate of an address, so that each copy extends and multiplies. And ptxas does not
//! unroll what it has changed: where ptxas knows the number of iterations and finds that addresses become constants, it unrolls the whole loop, however
//! long that gets.
//!
//! **Algorithm.** A loop is left alone unless one of these holds:
//!
//! * It has many pointers.
//! * It, or its function, would become too long.
//! * Its index has a constant step and only addresses read it, and these are few: what LLVM has unrolled has more, and `ptxas` does not unroll
//!   it again. One of these addresses at least walks with the index, or a product does that a sum can replace: in a loop whose addresses extend
//!   sums of 32 bits, LoopStrengthReduce makes a sum of each sum, and keeps more registers for nothing. One pointer may replace the index. Two may where that saves an extension as well; more need registers that
//!   nothing pays for. With a step that is known at run time only, a pointer needs a register for its stride.
//!
//! **Source.** None. Measurements: docs/measured.md, "Walking side by side" and "Indices that only addresses read". **Complexity.** Constant.

/// LLVM unrolls loops wholly that get shorter than 300 instructions or so; ptxas need not go much further, nor in all loops of a function
/// together: the copies of a short loop in inlined functions are as long as one long loop.
const MAX_UNROLLED: u64 = 512;

/// Of so many pointers it is worth while to make one.
const MIN_POINTERS: u32 = 3;

/// An index becomes pointers in loops of at most this many accesses.
const MAX_ACCESSES: u32 = 4;

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
    /// Loads and stores whose address an iteration moves on by the same distance.
    pub num_accesses: u32,
    /// The pointers that these addresses are counted from.
    pub num_bases: u32,
    /// Whether an induction variable has 32 bits and is extended in it.
    pub extends_index: bool,
    /// Whether it multiplies an induction variable by a number that is only known at run time.
    pub multiplies_index: bool,
}

impl LoopFacts {
    /// Whether walking pointers, or walking sums in the place of products, are worth their registers.
    fn gains_walkers(&self) -> bool {
        let bases = if self.extends_index { 2 } else { 1 };
        let is_small = self.num_accesses <= MAX_ACCESSES && self.num_bases <= bases;
        let saves = self.num_accesses > 0 || self.multiplies_index;
        self.walks_by_constants && is_small && saves
    }
}

/// Whether LoopStrengthReduce leaves a loop alone.
pub fn is_left_alone(l: &LoopFacts) -> bool {
    let unrolled = |count| l.num_unrolled.max(u64::from(count) * u64::from(l.num_instrs));
    let is_short = l.trip_count.is_none_or(|count| unrolled(count) <= MAX_UNROLLED);
    is_short && l.num_pointers < MIN_POINTERS && !l.gains_walkers()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: LoopFacts = LoopFacts {
        trip_count: None,
        num_instrs: 10,
        num_unrolled: 0,
        num_pointers: 0,
        walks_by_constants: false,
        num_accesses: 0,
        num_bases: 0,
        extends_index: false,
        multiplies_index: false,
    };

    fn is_left(trip_count: Option<u32>, num_instrs: u32, num_unrolled: u64, num_pointers: u32) -> bool {
        is_left_alone(&LoopFacts { trip_count, num_instrs, num_unrolled, num_pointers, ..PLAIN })
    }

    #[test]
    fn a_loop_whose_index_only_addresses_read_is_not_left_alone() {
        let one = LoopFacts { num_accesses: 1, num_bases: 1, ..PLAIN };
        assert!(!is_left_alone(&LoopFacts { walks_by_constants: true, ..one }));
        assert!(is_left_alone(&one));
    }

    #[test]
    fn an_index_that_no_address_walks_with_is_left_alone_unless_it_is_multiplied() {
        let left = |multiplies_index| {
            is_left_alone(&LoopFacts { walks_by_constants: true, multiplies_index, ..PLAIN })
        };
        assert!(left(false) && !left(true));
    }

    #[test]
    fn an_index_of_many_accesses_or_bases_is_left_alone() {
        let left = |num_accesses, num_bases, extends_index| {
            is_left_alone(&LoopFacts {
                walks_by_constants: true,
                num_accesses,
                num_bases,
                extends_index,
                ..PLAIN
            })
        };
        assert!(!left(4, 1, false) && left(5, 1, false));
        assert!(left(2, 2, false) && !left(2, 2, true));
        assert!(left(3, 3, true));
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
