//! Chooses the loops that LLVM's LoopStrengthReduce leaves alone.
//!
//! **Problem.** LSR works on IR, and its register model does not fit PTX. It turns indices into
//! pointer induction variables; in nested loops one for each loop with its own stride. No pass
//! after instruction selection can undo that. But three things that it does are useful. It merges
//! several pointers that advance together. It makes a pointer of an index that only addresses read:
//! ptxas unrolls a loop by four, and cannot fold `sext(i + 1)` into the immediate of an address, so
//! each copy would extend and multiply. And ptxas does not unroll a loop that LSR has changed.
//! Otherwise it unrolls the whole loop, however long that gets, if it knows the trip count and
//! finds that addresses become constants.
//!
//! **Algorithm.** A loop is left alone unless one of these holds:
//!
//! * It has many pointers.
//! * It, or its function, would become too long.
//! * Its index has a constant step, only addresses read it, and these are few. A loop that LLVM has
//!   unrolled has more, and `ptxas` does not unroll it again: it gets pointers only if it extends
//!   and multiplies several numbers, which compete with the addresses of its copies. At least one
//!   of these addresses must advance with the index, or a product that a sum can replace: where
//!   addresses extend sums of 32 bits, LSR makes another sum of each, and keeps more registers for
//!   nothing. One pointer may replace the index. Two may if that saves an extension as well; more
//!   need registers that nothing pays for. With a step that is only known at run time, a pointer
//!   needs a register for its stride.
//!
//! **Source.** None. Measurements: docs/stages/induction.md, "Walking side by side" and "Indices
//! that only addresses read". **Complexity.** Constant.

/// The most instructions that a fully unrolled loop may have, or all such loops of a function
/// together. LLVM fully unrolls loops that stay below 300 instructions or so; ptxas need not go
/// much further. The total counts too: the copies of a short loop in inlined functions are as long
/// as one long loop.
const MAX_UNROLLED: u64 = 512;

/// Merging pays from this many pointers on.
const MIN_POINTERS: u32 = 3;

/// An index becomes pointers in loops of at most this many accesses, or of [`MIN_WIDENINGS`].
const MAX_ACCESSES: u32 = 4;

/// A loop of at least this many integer extensions and products may have any number of accesses.
const MIN_WIDENINGS: u32 = 3;

/// The facts about a loop that decide.
#[derive(Clone, Copy, Debug)]
pub struct LoopFacts {
    /// The trip count, if it is known.
    pub trip_count: Option<u32>,
    /// The number of its IR instructions.
    pub num_instrs: u32,
    /// The instructions of all innermost loops of the function with known trip counts, each
    /// unrolled.
    pub num_unrolled: u64,
    /// The number of pointers that an iteration hands to the next one.
    pub num_pointers: u32,
    /// Whether its induction variables have constant steps, and only addresses and the loop's exit
    /// test read them.
    pub walks_by_constants: bool,
    /// The loads and stores whose address advances by the same distance in each iteration.
    pub num_accesses: u32,
    /// The number of pointers that these addresses are offsets from.
    pub num_bases: u32,
    /// Whether an induction variable has 32 bits and the loop extends it.
    pub extends_index: bool,
    /// Whether it multiplies an induction variable by a number that is only known at run time.
    pub multiplies_index: bool,
    /// The integer extensions and products in it.
    pub num_widenings: u32,
}

impl LoopFacts {
    /// Returns whether pointers in place of the index, or sums in place of products, are worth
    /// their registers.
    fn gains_walkers(&self) -> bool {
        let bases = if self.extends_index { 2 } else { 1 };
        let pays = self.num_accesses <= MAX_ACCESSES || self.num_widenings >= MIN_WIDENINGS;
        let saves = self.num_accesses > 0 || self.multiplies_index;
        self.walks_by_constants && pays && self.num_bases <= bases && saves
    }
}

/// Returns whether LoopStrengthReduce leaves a loop alone.
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
        num_widenings: 0,
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
    fn a_loop_of_many_accesses_is_left_alone_unless_it_extends_or_multiplies() {
        let left = |num_accesses, num_bases, num_widenings| {
            let facts = LoopFacts { num_accesses, num_bases, num_widenings, ..PLAIN };
            is_left_alone(&LoopFacts { walks_by_constants: true, ..facts })
        };
        assert!(!left(8, 1, 3) && left(8, 1, 2), "extensions and products");
        assert!(left(8, 2, 3), "pointers");
        let unknown = LoopFacts { num_accesses: 8, num_bases: 1, num_widenings: 3, ..PLAIN };
        assert!(is_left_alone(&unknown));
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
