//! Chooses the loops that LLVM's LoopStrengthReduce leaves alone.
//!
//! **Problem.** That pass works on IR and counts the registers of a machine that it does not know. Of indices it makes pointers that walk, in
//! nested loops one for each loop with a stride of its own, which no pass behind instruction selection can undo. But two things that it does
//! are of use. Of several pointers that walk already it makes one. And ptxas does not unroll what it has changed: where
//! ptxas knows the number of iterations and finds that addresses become constants, it unrolls the whole loop, however long that gets.
//!
//! **Algorithm.** A loop is left alone unless it has many pointers, or it or its function would become too long.
//!
//! **Source.** None. Measurements: docs/measured.md, "Walking side by side". **Complexity.** Constant.

/// LLVM unrolls loops wholly that get shorter than 300 instructions or so; ptxas need not go much further, nor in all loops of a function
/// together: the copies of a short loop in inlined functions are as long as one long loop.
const MAX_UNROLLED: u64 = 512;

/// Of so many pointers it is worth while to make one.
const MIN_POINTERS: u32 = 3;

/// Whether LoopStrengthReduce leaves a loop alone. `trip_count`: how many times it runs, if that is known; `num_instrs`: its
/// instructions in IR; `num_unrolled`: those of all innermost loops of the function whose number of iterations is known, each unrolled;
/// `num_pointers`: how many pointers an iteration hands to the next one.
pub fn is_left_alone(trip_count: Option<u32>, num_instrs: u32, num_unrolled: u64, num_pointers: u32) -> bool {
    let unrolled = |count| num_unrolled.max(u64::from(count) * u64::from(num_instrs));
    let is_short = trip_count.is_none_or(|count| unrolled(count) <= MAX_UNROLLED);
    is_short && num_pointers < MIN_POINTERS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_left_alone_unless_it_is_long_when_unrolled() {
        assert!(is_left_alone(None, 1_000_000, 1_000_000, 0));
        assert!(is_left_alone(Some(8), 64, 512, 0));
        assert!(!is_left_alone(Some(8), 65, 0, 0));
        assert!(!is_left_alone(Some(u32::MAX), u32::MAX, 0, 0));
    }

    #[test]
    fn a_short_loop_is_left_alone_unless_the_function_is_long_when_all_are_unrolled() {
        assert!(is_left_alone(Some(6), 12, 512, 0));
        assert!(!is_left_alone(Some(6), 12, 513, 0));
    }

    #[test]
    fn a_loop_is_left_alone_unless_several_pointers_walk_through_it() {
        assert!(is_left_alone(None, 10, 0, 2));
        assert!(!is_left_alone(None, 10, 0, 3));
    }
}
