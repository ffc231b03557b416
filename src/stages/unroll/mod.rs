//! Chooses the loops that LLVM unrolls before it selects instructions, and how often (default
//! profile, stage `unroll`).
//!
//! **Problem.** LLVM unrolls loops whose copies together have some 300 instructions, as if for a processor with a small cache and 16 registers. It leaves
//! the others to ptxas, which unrolls by four, or wholly, but on machine code: a local array that is read at an index of the loop stays in memory, and
//! each copy of an address that is made of an extended index is computed anew. In IR an index that becomes a constant makes registers of the array,
//! and addresses of copies become one address and constants:
//!
//! ```text
//! for (i = 0; i < 16; ++i) {       y0 += f(y1) ^ key[0];
//!   y0 += f(y1) ^ key[i & 3];      y1 += g(y0) ^ key[1];
//!   y1 += g(y0) ^ key[i >> 2];     ...
//! }                                (key: four registers)
//! ```
//!
//! **Algorithm.** Innermost loops first:
//!
//! * *The number of iterations is known*: the loop is unrolled wholly if the copies have few instructions. Those that become constants do not count. Where local arrays
//!   become registers the copies may be longer. A loop that stays is left to ptxas, which knows the number as well.
//! * *It is not known, but it never exceeds a small number*, as in `for (i = threadIdx.x; i < 1024; i += 128)`: the loop is unrolled wholly as well. Each copy keeps the exits.
//! * *It is not known, the loop is short, and the option asks for it* (`-ptx-unroll=all`): it is unrolled by four, or by a multiple of the length of a rotation of PHIs, after which each value is in the register
//!   where it was, and no copy is left. The iterations that are left over run in a loop of their own, or, where no expression says how many these are, each copy keeps the
//!   loop's exits. ptxas is not to unroll either (`.pragma "nounroll"`). Loops in which threads have to stay together are left.
//! * The metadata of a loop comes first: a pragma of the source is obeyed, and a loop that LLVM has marked as unrolled is left alone.
//!
//! The shim has LLVM unroll (`llvm::UnrollLoop`), and in functions where it did runs SROA, `EarlyCSE` and `SimplifyCFG`. NVPTX's own passes on addresses follow.
//!
//! **Source.** LLVM's `LoopUnrollPass`, whose costs and thresholds these rules replace. **Deviation.** Only the utility is LLVM's. No loop is peeled, and a loop
//! that has loops inside is unrolled only where the source asks for it, or when these have gone.
//!
//! **Measurements.** docs/stages/unroll.md, "Unrolling". **Complexity.** Constant for a loop; the shim reads each function's instructions once for each loop.

use crate::mir::{Moves, Unroll, UnrollFacts, UnrollWish};
use crate::nvptx::occupancy::Architecture;

/// The most instructions that the copies of a loop have together.
const MAX_WHOLE: u32 = 1000;
/// The same where local arrays become registers: that saves as many loads and stores as the copies have.
const MAX_WHOLE_LOCAL: u32 = 3000;
/// The most bytes of local arrays that become registers, half of what a thread can have.
const MAX_LOCAL_BYTES: u32 = 512;
/// The most iterations of a loop that is unrolled wholly.
const MAX_ITERATIONS: u32 = 512;
/// The most iterations of a loop that is unrolled wholly though it may run less often. Exits that are not taken cost as much as those of the loop,
/// but in a loop that runs twice they are most of its copies.
const MAX_BOUND: u32 = 16;
/// The most machine instructions of a function after it. The instruction cache of a multiprocessor, 128 kB, has room for 8,192.
const MAX_FUNCTION: u32 = 6144;
/// The machine instructions of a sequence. ptxas 13.0 makes 17 to 30 of an integer division, 12 to 18 of one of floating point, 12 to 29 of a square root,
/// and 4 to 27 of most video instructions.
const SEQUENCE: u32 = 20;
/// The most instructions that the copies of a loop have together whose number of iterations is not known.
const MAX_PART: u32 = 200;
/// By this number such a loop is unrolled.
const PART: u32 = 4;
/// The most copies for a rotation.
const MAX_ROTATION: u32 = 8;
/// The most registers that such a loop may hand to its next iteration: the copies need as many again where they rotate or are computed side by side.
const MAX_CARRIED: u32 = 32;
/// The most blocks of such a loop.
const MAX_BLOCKS: u32 = 8;
/// The most instructions that are copied, also where the source asks for it: LLVM's limit.
const MAX_WISHED: u32 = 16 * 1024;

/// The most values of a kernel that move before its loops. The threads of a warp share 63 uniform
/// registers, and other values need some. If there are too few, ptxas takes registers of each thread
/// for all of these values.
const MAX_MOVED: u32 = 32;

/// Which loops are unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Loops that run a known number of times or a few times at most, wholly, and loops that the source wants unrolled.
    Whole,
    /// Also short loops whose number of iterations is unknown.
    All,
}

/// The reason why a loop stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reason {
    /// There is none yet.
    #[default]
    None,
    /// The source forbids it, or LLVM has unrolled it.
    Forbidden,
    /// It has loops or calls inside.
    NotSimple,
    /// It, or its function, would become too long.
    TooLong,
    /// The number of its iterations is unknown.
    Unknown,
    /// The number of its iterations is unknown, and threads have to stay together in it.
    Convergent,
    /// It cannot be copied, or LLVM cannot unroll it.
    Impossible,
}

/// How a loop is unrolled, and why not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// How.
    pub unroll: Unroll,
    /// Why it stays.
    pub reason: Reason,
}

impl Choice {
    fn stays(reason: Reason) -> Choice {
        Choice { unroll: Unroll { count: 1, ..Unroll::default() }, reason }
    }
    /// Should LLVM not do it, it is impossible.
    const fn by(count: u32, remainder: bool, last: bool) -> Choice {
        Choice { unroll: Unroll { count, remainder, last }, reason: Reason::Impossible }
    }
}

/// Chooses how a loop is unrolled.
pub fn choose(l: &UnrollFacts, which: Which) -> Choice {
    if !l.can_be_copied {
        return Choice::stays(Reason::Impossible);
    }
    match (l.wish, l.trip_count) {
        (UnrollWish::Disabled | UnrollWish::Count(0 | 1), _) => Choice::stays(Reason::Forbidden),
        (UnrollWish::Count(count), _) | (UnrollWish::Whole | UnrollWish::Enabled, Some(count)) => {
            obey(l, count)
        }
        _ if !l.is_simple => Choice::stays(Reason::NotSimple),
        (_, Some(iterations)) => unroll_wholly(l, iterations),
        (_, None) => match l.most_iterations.filter(|&most| most <= MAX_BOUND) {
            // Each copy keeps the exits, so threads stay together as they did.
            Some(most) => unroll_wholly(l, most),
            None if which == Which::Whole => Choice::stays(Reason::Unknown),
            None => unroll_partly(l),
        },
    }
}

/// Unrolls as the source says.
fn obey(l: &UnrollFacts, count: u32) -> Choice {
    let has_remainder = l.trip_multiple % count != 0;
    if has_remainder && l.is_convergent {
        return Choice::stays(Reason::Convergent);
    }
    let copies = count.saturating_mul(l.num_instrs);
    if l.function_instrs.saturating_add(copies) > MAX_WISHED {
        return Choice::stays(Reason::TooLong);
    }
    Choice::by(count, has_remainder, true)
}

fn unroll_wholly(l: &UnrollFacts, iterations: u32) -> Choice {
    let copies = iterations.saturating_mul(l.num_instrs.saturating_sub(l.num_known));
    let becomes_registers = (1..=MAX_LOCAL_BYTES).contains(&l.local_bytes);
    let most = if becomes_registers { MAX_WHOLE_LOCAL } else { MAX_WHOLE };
    // LLVM copies instructions before they fold.
    let is_short = iterations <= MAX_ITERATIONS
        && copies <= most
        && iterations.saturating_mul(l.num_instrs) <= MAX_WISHED;
    if !is_short || machine_instrs(l, copies, iterations) > MAX_FUNCTION {
        return Choice::stays(Reason::TooLong);
    }
    Choice::by(iterations, false, false)
}

/// The machine instructions that a function has about, when there are this many more instructions, and copies of a loop.
fn machine_instrs(l: &UnrollFacts, more: u32, copies: u32) -> u32 {
    let sequences = l.function_sequences.saturating_add(copies.saturating_mul(l.num_sequences));
    l.function_instrs.saturating_add(more).saturating_add(sequences.saturating_mul(SEQUENCE))
}

fn unroll_partly(l: &UnrollFacts) -> Choice {
    if l.is_convergent {
        return Choice::stays(Reason::Convergent);
    }
    let fits = |count: u32| count.saturating_mul(l.num_instrs) <= MAX_PART;
    let count = match l.rotation {
        0 | 1 => Some(PART),
        length => (2..=MAX_ROTATION).rev().find(|&count| count % length == 0 && fits(count)),
    };
    let is_small = l.num_blocks <= MAX_BLOCKS && l.num_carried <= MAX_CARRIED;
    let may_grow = is_small && machine_instrs(l, 0, 0) <= MAX_FUNCTION;
    match count.filter(|&count| may_grow && fits(count)) {
        Some(count) => Choice::by(count, true, true),
        None => Choice::stays(Reason::TooLong),
    }
}

/// Says what moves out of the loops of a function that was unrolled: values that all threads share,
/// which ptxas holds in uniform registers. The arguments of a function that is not a kernel may differ
/// from thread to thread.
pub fn moves(is_kernel: bool, architecture: Architecture) -> Moves {
    if !is_kernel || !architecture.has_uniform_registers {
        return Moves::default();
    }
    Moves { most: MAX_MOVED, loads: architecture.has_uniform_loads }
}

/// Counts the loops of a function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Unrolled wholly.
    pub whole: u64,
    /// Unrolled by a number.
    pub part: u64,
    /// Left, by reason.
    left: [u64; REASONS.len()],
}

/// The reasons, in the order of the enum, as the statistics have them.
const REASONS: [&str; 6] = [
    "loops left: they are not to be unrolled, or were",
    "loops left: loops or calls are inside",
    "loops left: too long",
    "loops left: how often they run is not known",
    "loops left: threads have to stay together in them",
    "loops left: LLVM cannot unroll them",
];

impl Counts {
    /// Counts a loop that stays as it is.
    pub fn add_left(&mut self, reason: Reason) {
        if let Some(row) = (reason as usize).checked_sub(1) {
            self.left[row] += 1;
        }
    }
    /// Names the counts.
    pub fn named(self) -> impl Iterator<Item = (&'static str, u64)> {
        let unrolled = [("loops unrolled wholly", self.whole), ("loops unrolled by a number", self.part)];
        unrolled.into_iter().chain(REASONS.into_iter().zip(self.left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: UnrollFacts = UnrollFacts {
        trip_count: None,
        most_iterations: None,
        trip_multiple: 1,
        wish: UnrollWish::None,
        num_blocks: 1,
        num_instrs: 20,
        num_known: 0,
        num_sequences: 0,
        function_instrs: 50,
        function_sequences: 0,
        local_bytes: 0,
        num_carried: 4,
        rotation: 0,
        is_simple: true,
        is_convergent: false,
        can_be_copied: true,
    };

    fn known(iterations: u32, num_instrs: u32) -> UnrollFacts {
        UnrollFacts { trip_count: Some(iterations), trip_multiple: iterations, num_instrs, ..LOOP }
    }

    fn choose_all(l: &UnrollFacts) -> Choice {
        choose(l, Which::All)
    }

    fn reason(l: UnrollFacts) -> Reason {
        let choice = choose_all(&l);
        assert!(choice.unroll.count < 2, "{choice:?}");
        choice.reason
    }

    #[test]
    fn a_known_number_of_iterations_is_unrolled_wholly_while_the_copies_are_short() {
        assert_eq!(choose_all(&known(10, 100)), Choice::by(10, false, false));
        assert_eq!(reason(known(10, 101)), Reason::TooLong);
        assert_eq!(reason(known(u32::MAX, u32::MAX)), Reason::TooLong);
        // Instructions that become constants do not count, but there is an end to their number.
        assert_eq!(choose_all(&UnrollFacts { num_known: 1, ..known(10, 101) }).unroll.count, 10);
        assert_eq!(reason(UnrollFacts { num_known: 9, ..known(513, 10) }), Reason::TooLong);
        assert_eq!(reason(UnrollFacts { function_instrs: 5145, ..known(10, 100) }), Reason::TooLong);
    }

    #[test]
    fn divisions_count_as_the_machine_instructions_that_they_become() {
        let with = |num_sequences, function_sequences| UnrollFacts {
            num_sequences,
            function_sequences,
            ..known(30, 30)
        };
        // 50 and 900 instructions; 20 more for each sequence.
        assert_eq!(choose_all(&with(8, 19)).unroll.count, 30);
        assert_eq!([with(8, 20), with(9, 0)].map(reason), [Reason::TooLong; 2]);
        // What the source asks for is obeyed.
        let wished = UnrollFacts { wish: UnrollWish::Whole, ..with(9, 0) };
        assert_eq!(choose_all(&wished).unroll.count, 30);
    }

    #[test]
    fn copies_may_be_longer_where_local_arrays_become_registers() {
        let with = |local_bytes| UnrollFacts { local_bytes, ..known(30, 100) };
        assert_eq!(choose_all(&with(512)).unroll.count, 30);
        assert_eq!([0, 513].map(|bytes| reason(with(bytes))), [Reason::TooLong; 2]);
    }

    #[test]
    fn an_unknown_number_is_unrolled_by_four_with_a_loop_for_the_rest() {
        assert_eq!(choose_all(&LOOP), Choice::by(4, true, true));
        assert_eq!(choose_all(&UnrollFacts { num_instrs: 50, ..LOOP }).unroll.count, 4);
        assert_eq!(reason(UnrollFacts { num_instrs: 51, ..LOOP }), Reason::TooLong);
        assert_eq!(reason(UnrollFacts { num_blocks: 9, ..LOOP }), Reason::TooLong);
        assert_eq!(reason(UnrollFacts { num_carried: 33, ..LOOP }), Reason::TooLong);
        assert_eq!(reason(UnrollFacts { is_convergent: true, ..LOOP }), Reason::Convergent);
    }

    #[test]
    fn an_unknown_number_is_left_unless_all_are_to_be_unrolled() {
        assert_eq!(choose(&LOOP, Which::Whole).reason, Reason::Unknown);
        assert_eq!(choose(&known(10, 100), Which::Whole), choose_all(&known(10, 100)));
    }

    #[test]
    fn a_small_bound_of_an_unknown_number_is_unrolled_wholly() {
        let bounded = |most, num_instrs| UnrollFacts { most_iterations: Some(most), num_instrs, ..LOOP };
        let choose_whole = |l: &UnrollFacts| choose(l, Which::Whole);
        assert_eq!(choose_whole(&bounded(16, 62)), Choice::by(16, false, false));
        assert_eq!(choose_all(&bounded(16, 62)), choose_whole(&bounded(16, 62)));
        assert_eq!(choose_whole(&bounded(16, 63)).reason, Reason::TooLong);
        assert_eq!(choose_whole(&bounded(17, 20)).reason, Reason::Unknown);
        assert_eq!(choose_all(&bounded(17, 20)), choose_all(&LOOP));
        let in_long_function = UnrollFacts { function_instrs: 6144, ..bounded(2, 20) };
        assert_eq!(choose_whole(&in_long_function).reason, Reason::TooLong);
        // Threads leave each copy as they leave the loop.
        let convergent = UnrollFacts { is_convergent: true, ..bounded(4, 20) };
        assert_eq!(choose_whole(&convergent).unroll.count, 4);
        // A number that is known counts.
        let both = UnrollFacts { most_iterations: Some(16), ..known(10, 20) };
        assert_eq!(choose_whole(&both).unroll.count, 10);
    }

    #[test]
    fn a_rotation_is_unrolled_by_a_multiple_of_its_length() {
        let count =
            |rotation, num_instrs| choose_all(&UnrollFacts { rotation, num_instrs, ..LOOP }).unroll.count;
        assert_eq!([2, 3, 5, 8].map(|rotation| count(rotation, 20)), [8, 6, 5, 8]);
        assert_eq!([count(3, 40), count(9, 20), count(5, 45)], [3, 1, 1]);
    }

    #[test]
    fn loops_with_loops_inside_are_left() {
        assert_eq!(reason(UnrollFacts { is_simple: false, ..LOOP }), Reason::NotSimple);
        assert_eq!(reason(UnrollFacts { is_simple: false, ..known(2, 2) }), Reason::NotSimple);
        assert_eq!(reason(UnrollFacts { can_be_copied: false, ..LOOP }), Reason::Impossible);
    }

    #[test]
    fn the_source_is_obeyed() {
        let wish = |wish, l: UnrollFacts| UnrollFacts { wish, ..l };
        for forbids in [UnrollWish::Disabled, UnrollWish::Count(0), UnrollWish::Count(1)] {
            assert_eq!(reason(wish(forbids, known(2, 2))), Reason::Forbidden);
        }
        assert_eq!(choose_all(&wish(UnrollWish::Count(3), LOOP)), Choice::by(3, true, true));
        assert_eq!(choose_all(&wish(UnrollWish::Count(5), known(10, 2))), Choice::by(5, false, true));
        for wanted in [UnrollWish::Whole, UnrollWish::Enabled] {
            let longest = known(16, 1020);
            assert_eq!(choose_all(&wish(wanted, longest)).unroll.count, 16);
            assert_eq!(reason(wish(wanted, UnrollFacts { num_instrs: 1021, ..longest })), Reason::TooLong);
            // By how many is for us to say.
            assert_eq!(choose_all(&wish(wanted, LOOP)).unroll.count, 4);
        }
        let convergent = UnrollFacts { is_convergent: true, ..LOOP };
        assert_eq!(reason(wish(UnrollWish::Count(3), convergent)), Reason::Convergent);
    }

    #[test]
    fn values_move_in_kernels_for_processors_with_uniform_registers() {
        let most = |is_kernel, processor| {
            let Moves { most, loads } = moves(is_kernel, Architecture::of(processor));
            (most, loads)
        };
        assert_eq!(most(true, "sm_70"), (0, false));
        assert_eq!(most(true, "sm_75"), (MAX_MOVED, false));
        assert_eq!(most(true, "sm_80"), (MAX_MOVED, true));
        assert_eq!(most(false, "sm_90a"), (0, false));
    }

    #[test]
    fn every_reason_is_counted() {
        let mut counts = Counts::default();
        let all = [
            Reason::Forbidden,
            Reason::NotSimple,
            Reason::TooLong,
            Reason::Unknown,
            Reason::Convergent,
            Reason::Impossible,
        ];
        all.into_iter().for_each(|reason| counts.add_left(reason));
        counts.add_left(Reason::None);
        assert_eq!(counts.named().skip(2).map(|(_, n)| n).collect::<Vec<_>>(), [1; 6]);
    }
}
