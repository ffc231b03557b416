//! Chooses the loops that LLVM's LoopStrengthReduce leaves alone.
//!
//! **Problem.** That pass works on IR and counts the registers of a machine that it does not know. In nested loops it gives each one
//! a pointer and a stride of its own, which no pass behind instruction selection can undo. But the variables that it makes also keep
//! ptxas from unrolling: where ptxas knows the number of iterations and finds that addresses become constants, it unrolls
//! the whole loop, however long that gets.
//!
//! **Algorithm.** A loop is left alone unless it would become too long.
//!
//! **Source.** None. Measurements: docs/measured.md, "Walking side by side". **Complexity.** Constant.

/// LLVM unrolls loops wholly that get shorter than 300 instructions or so; ptxas need not go much further.
const MAX_UNROLLED: u64 = 512;

/// Whether LoopStrengthReduce leaves a loop alone. `trip_count`: how many times it runs, if that is known; `num_instrs`: its
/// instructions in IR.
pub fn is_left_alone(trip_count: Option<u32>, num_instrs: u32) -> bool {
    trip_count.is_none_or(|count| u64::from(count) * u64::from(num_instrs) <= MAX_UNROLLED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_left_alone_unless_it_is_long_when_unrolled() {
        assert!(is_left_alone(None, 1_000_000));
        assert!(is_left_alone(Some(8), 64));
        assert!(!is_left_alone(Some(8), 65));
        assert!(!is_left_alone(Some(u32::MAX), u32::MAX));
    }
}
