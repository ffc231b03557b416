//! Compares two texts of a module: does each kernel leave the same memory in both?
//!
//! **Method.** Each kernel runs in both texts, by launches that are given or made up from stock's
//! text ([`Launch::make_up`]). We compare every byte of global memory and of each block's shared
//! memory that either run has written, and what each thread has printed. Further launches have
//! parameters at the edges of their range, or memory that holds the values that threads look for
//! there ([`super::meeting`]). A byte that is undefined in stock's run may be anything in ours. A
//! run in which stock's text depends on something undefined, faults or uses up its budget shows
//! nothing, and is counted as not compared. A trap is an end: both must reach the same one.
//!
//! **Complexity.** Linear in the instructions that are run, and in the bytes that are written.

use std::collections::BTreeMap;

use super::block::{self, Outcome, Program, Stop, Undefined};
use super::launch::{Launch, Size, EDGES, VARIANTS};
use super::meeting::{Meetings, Planted};
use super::memory::Memory;

/// Instructions that the threads of a run may execute.
pub const BUDGET: u64 = 3_000_000;
/// The same for runs with parameters at the edges: there loops are short, or endless.
const SMALL_BUDGET: u64 = 60_000;
/// Added to that for each instruction of the kernel's code: two for each thread of a warp.
const MORE_BUDGET: u64 = 64;
/// The most runs with values that threads look for in memory.
const ROUNDS: usize = 4;
/// The variant whose numbers are all near 2^31: sums and products of them do not fit in 32 bits.
const LARGE: u64 = VARIANTS + 2;
/// Our text may run this many times as many instructions.
const ROOM: u64 = 4;

/// Counts of what was run and compared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Kernels of the texts.
    pub kernels: u64,
    /// Kernels that do not leave the same memory.
    pub different: u64,
    /// Kernels without any compared run.
    pub kernels_not_compared: u64,
    /// Launches that were compared.
    pub launches: u64,
    /// Thread instructions, on both sides.
    pub executed: u64,
    /// Bytes of memory that were compared.
    pub bytes: u64,
    /// Bytes that are undefined in stock's run.
    pub undefined: u64,
    /// Runs that were not compared, by reason.
    pub not_compared: BTreeMap<String, u64>,
}

impl Tally {
    fn count_as(&mut self, reason: &str) {
        *self.not_compared.entry(reason.to_owned()).or_default() += 1;
    }

    /// Adds the counts of other kernels.
    pub fn add(&mut self, other: &Tally) {
        self.kernels += other.kernels;
        self.different += other.different;
        self.kernels_not_compared += other.kernels_not_compared;
        self.launches += other.launches;
        self.executed += other.executed;
        self.bytes += other.bytes;
        self.undefined += other.undefined;
        for (reason, count) in &other.not_compared {
            *self.not_compared.entry(reason.clone()).or_default() += count;
        }
    }
}

/// A difference in what a kernel leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the launch, from 0 on.
    pub launch: u64,
    /// What stock's text does.
    pub stock: String,
    /// What ours does.
    pub ours: String,
}

/// Compares one kernel, by its given launches, or by made-up ones if there are none. Returns why if
/// no run could be compared.
pub fn kernel(
    stock: &Program,
    ours: &Program,
    name: &str,
    given: &[Launch],
    tally: &mut Tally,
) -> Result<Option<String>, Difference> {
    let given = given.iter().filter(|launch| launch.kernel == name);
    let mut comparison =
        Comparison { texts: [stock, ours], tally, number: 0, is_compared: false, last: None };
    let mut is_given = false;
    for launch in given {
        is_given = true;
        let seen = comparison.launch(launch, BUDGET)?.0;
        comparison.note(seen);
    }
    if !is_given {
        comparison.made_up(name)?;
    }
    let Comparison { is_compared, last, .. } = comparison;
    tally.kernels += u64::from(is_compared);
    tally.kernels_not_compared += u64::from(!is_compared);
    Ok(last.filter(|_| !is_compared))
}

/// Two texts of a kernel, and the result of their runs so far.
struct Comparison<'a> {
    /// Stock's, and ours.
    texts: [&'a Program; 2],
    tally: &'a mut Tally,
    /// Number of the launch.
    number: u64,
    is_compared: bool,
    /// Why the last run could not be compared.
    last: Option<String>,
}

impl Comparison<'_> {
    fn note(&mut self, seen: Seen) {
        self.number += 1;
        let why = match seen {
            Seen::Same => {
                self.is_compared = true;
                return;
            }
            Seen::TooLong => Stop::Budget.to_string(),
            Seen::Nothing(why) => why,
        };
        self.tally.count_as(&why);
        self.last = Some(why);
    }

    fn launch(&mut self, launch: &Launch, budget: u64) -> Result<(Seen, Meetings), Difference> {
        let [stock, ours] = self.texts;
        one_launch(stock, ours, launch, self.number, budget, self.tally)
    }

    /// Compares by made-up launches: of all shapes, with parameters at the edges, and with memory
    /// that holds the values that threads look for.
    fn made_up(&mut self, name: &str) -> Result<(), Difference> {
        // `waits`: some run could not be compared; it may wait for a lock.
        let (mut first, mut met, mut waits) = (None, Meetings::default(), false);
        for variant in 0..VARIANTS {
            // A launch may wait without end: in the next ones all locks are free.
            let planted = if waits { met.all(0) } else { vec![] };
            let (seen, launch, noted) = self.of_some_size(name, variant, &planted)?;
            waits |= !matches!(seen, Seen::Same);
            met.add(&noted);
            first = first.or(launch);
            self.note(seen);
        }
        let Some(first) = first else { return Ok(()) };
        let [stock, _] = self.texts;
        let code = stock.image.function(name).and_then(|number| stock.code(number).ok());
        let budget = SMALL_BUDGET + MORE_BUDGET * code.map_or(0, |code| code.steps.len() as u64);
        for variant in VARIANTS..VARIANTS + EDGES {
            // A kernel without numbers among its parameters has nothing at an edge.
            match Launch::make_up(self.texts, name, variant, Size::Small) {
                Ok(launch) if launch.arguments != first.arguments => {
                    let (seen, mut met) = self.launch(&launch, budget)?;
                    self.note(seen);
                    if variant == LARGE {
                        self.what_is_looked_for(&launch, &mut met)?;
                    }
                }
                _ => {}
            }
        }
        if met.is_empty() {
            return Ok(());
        }
        self.planted(&first, met.all(0), &mut met)?;
        self.what_is_looked_for(&first, &mut met)?;
        if waits {
            for number in first.numbers_in_tests(stock).into_iter().take(ROUNDS) {
                self.planted(&first, met.all(number), &mut met)?;
            }
        }
        Ok(())
    }

    /// Compares once more, with these numbers in the memory where threads meet.
    fn planted(
        &mut self,
        launch: &Launch,
        planted: Vec<Planted>,
        met: &mut Meetings,
    ) -> Result<(), Difference> {
        let (seen, noted) = self.launch(&Launch { planted, ..launch.clone() }, BUDGET)?;
        met.add(&noted);
        self.note(seen);
        Ok(())
    }

    /// Compares once more with each value that threads look for in the memory where they meet.
    fn what_is_looked_for(&mut self, launch: &Launch, met: &mut Meetings) -> Result<(), Difference> {
        let mut round = 0;
        while round < met.rounds().min(ROUNDS) {
            self.planted(launch, met.planted(round), met)?;
            round += 1;
        }
        Ok(())
    }

    /// Makes up a launch. One that takes too long is made up again, as small as possible.
    fn of_some_size(
        &mut self,
        name: &str,
        variant: u64,
        planted: &[Planted],
    ) -> Result<(Seen, Option<Launch>, Meetings), Difference> {
        let (mut last, mut all) = (None, Meetings::default());
        for size in [Size::Usual, Size::Small] {
            let launch = match Launch::make_up(self.texts, name, variant, size) {
                Ok(launch) => Launch { planted: planted.to_vec(), ..launch },
                Err(why) => return Ok((Seen::Nothing(reason(&why.to_string())), last, all)),
            };
            let (seen, met) = self.launch(&launch, BUDGET)?;
            all.add(&met);
            last = Some(launch);
            if !matches!(seen, Seen::TooLong) {
                return Ok((seen, last, all));
            }
        }
        Ok((Seen::TooLong, last, all))
    }
}

/// A reason without names and lines, so that equal ones are counted together.
fn reason(why: &str) -> String {
    let parts: Vec<&str> = why.split(": ").collect();
    let has_place =
        |part: &&str| !part.starts_with("line ") && (!part.starts_with('_') || part.contains(' '));
    parts.into_iter().rev().take_while(has_place).last().unwrap_or(why).to_owned()
}

/// The result of a comparison without a difference.
enum Seen {
    Same,
    /// Stock's run uses up its budget.
    TooLong,
    /// Stock's run cannot be compared, and why.
    Nothing(String),
}

/// Runs both texts by one launch.
fn one_launch(
    stock: &Program,
    ours: &Program,
    launch: &Launch,
    number: u64,
    budget: u64,
    tally: &mut Tally,
) -> Result<(Seen, Meetings), Difference> {
    let mut first = match block::run(stock, launch, Undefined::Tracked, budget) {
        Ok(outcome) => outcome,
        Err(why) => return Ok((Seen::Nothing(reason(&why.to_string())), Meetings::default())),
    };
    let met = std::mem::take(&mut first.met);
    let seen = against(&first, ours, launch, number, budget, tally)?;
    Ok((seen, met))
}

/// Runs our text by a launch, and compares it with stock's run.
fn against(
    first: &Outcome,
    ours: &Program,
    launch: &Launch,
    number: u64,
    budget: u64,
    tally: &mut Tally,
) -> Result<Seen, Difference> {
    let differ = |stock: String, ours: String| Difference { launch: number, stock, ours };
    tally.executed += first.executed;
    match &first.stop {
        None if first.partial > 0 => {
            return Ok(Seen::Nothing("lanes wait for others that never come".to_owned()));
        }
        None | Some(Stop::Trap(..)) => {}
        Some(Stop::Budget) => return Ok(Seen::TooLong),
        Some(stop) => return Ok(Seen::Nothing(reason(&stop.to_string()))),
    }
    let second = match block::run(ours, launch, Undefined::Tracked, ROOM * (first.executed + budget)) {
        Ok(outcome) => outcome,
        Err(why) => return Err(differ("is run".to_owned(), why.to_string())),
    };
    tally.executed += second.executed;
    tally.launches += 1;
    match (&first.stop, &second.stop) {
        (None, None) => {}
        (Some(Stop::Trap(_, a)), Some(Stop::Trap(_, b))) if a == b => return Ok(Seen::Same),
        (a, b) => {
            let tell = |stop: &Option<Stop>| stop.as_ref().map_or("ends".to_owned(), Stop::to_string);
            return Err(differ(tell(a), tell(b)));
        }
    }
    if first.told != second.told {
        return Err(differ("prints something".to_owned(), "prints something else".to_owned()));
    }
    let shared = first.shared.iter().zip(&second.shared).enumerate();
    let shared = shared.map(|(block, pair)| (pair, format!(" in shared memory of block {block}")));
    for ((old, new), place) in [((&first.global, &second.global), String::new())].into_iter().chain(shared) {
        let same = same_memory(old, new);
        let (bytes, undefined) = same.map_err(|told| {
            let [stock, ours] = told.map(|told| told + &place);
            differ(stock, ours)
        })?;
        tally.bytes += bytes;
        tally.undefined += undefined;
    }
    Ok(Seen::Same)
}

/// Compares the bytes that either run has written: how many, and how many of them are undefined.
/// Where only one run has written, the other must already hold the same byte: a store of the value
/// that was there changes nothing.
fn same_memory(stock: &Memory, ours: &Memory) -> Result<(u64, u64), [String; 2]> {
    let [old, new] = [stock, ours].map(Memory::written);
    let show = |byte: Option<&(u64, u8, bool)>, address: u64| match byte {
        Some((_, _, true)) => format!("leaves an undefined byte at {address:#x}"),
        Some((_, byte, false)) => format!("leaves {byte:#04x} at {address:#x}"),
        None => format!("writes nothing at {address:#x}"),
    };
    let (mut a, mut b) = (old.iter().peekable(), new.iter().peekable());
    let (mut bytes, mut undefined) = (0, 0);
    loop {
        let address = match (a.peek(), b.peek()) {
            (None, None) => return Ok((bytes, undefined)),
            (Some(x), Some(y)) => x.0.min(y.0),
            (Some(x), None) | (None, Some(x)) => x.0,
        };
        let first = a.next_if(|byte| byte.0 == address);
        let second = b.next_if(|byte| byte.0 == address);
        bytes += 1;
        match (first, second) {
            (Some(&(_, _, true)), Some(_)) => undefined += 1,
            (Some(&(_, x, false)), Some(&(_, y, false))) if x == y => {}
            (Some(&(_, byte, false)), None) if ours.byte(address) == (byte, false) => {}
            (None, Some(&(_, byte, false))) if stock.byte(address) == (byte, false) => {}
            _ => return Err([show(first, address), show(second, address)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel that stores one number for each thread.
    fn text(body: &str) -> Program {
        let code = format!(
            ".visible .entry k(\n.param .b64 .ptr .global k_param_0\n)\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<4>;\n\
             ld.param.b64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n{body}\nret;\n}}\n"
        );
        Program::new(&code).expect("a module")
    }

    fn compare(stock: &str, ours: &str) -> (Result<Option<String>, Difference>, Tally) {
        let mut tally = Tally::default();
        (kernel(&text(stock), &text(ours), "k", &[], &mut tally), tally)
    }

    #[test]
    fn the_same_in_another_way_is_equal() {
        let (result, tally) = compare(
            "shl.b32 %r2, %r1, 1;\nst.global.b32 [%rd3], %r2;",
            "add.s32 %r2, %r1, %r1;\nst.global.b32 [%rd3], %r2;",
        );
        assert_eq!(result, Ok(None));
        assert_eq!((tally.kernels, tally.launches), (1, VARIANTS));
        // Blocks of 64, 33, 128 and 96 threads; all blocks of a grid write the same bytes.
        assert_eq!(tally.bytes, 4 * (64 + 33 + 128 + 96));
    }

    #[test]
    fn a_wrong_number_and_a_wrong_address_show() {
        let store = "st.global.b32 [%rd3], %r1;";
        assert!(compare(store, "add.s32 %r1, %r1, 1;\nst.global.b32 [%rd3], %r1;").0.is_err());
        assert!(compare(store, "st.global.b32 [%rd3+4], %r1;").0.is_err());
        assert!(compare(store, "").0.is_err());
        assert!(compare(store, "trap;").0.is_err());
        let load = |offset: u32| format!("ld.global.b32 %r2, [%rd3+{offset}];\nst.global.b32 [%rd3], %r2;");
        assert!(compare(&load(4096), &load(4100)).0.is_err(), "memory tells addresses apart");
    }

    #[test]
    fn an_undefined_byte_of_stocks_may_be_any_and_none_of_ours() {
        let (undefined, defined) = ("st.global.b32 [%rd3], %r5;", "st.global.b32 [%rd3], %r1;");
        let (result, tally) = compare(undefined, defined);
        assert_eq!((result, tally.undefined), (Ok(None), tally.bytes));
        assert!(compare(defined, undefined).0.is_err());
    }

    #[test]
    fn a_store_of_what_was_there_changes_nothing() {
        let rewrites = "ld.global.b32 %r2, [%rd3];\nst.global.b32 [%rd3], %r2;";
        let (result, tally) = compare(rewrites, "");
        assert_eq!((result, tally.bytes), (Ok(None), 4 * (64 + 33 + 128 + 96)));
        assert_eq!(compare("", rewrites).0, Ok(None));
        let other = "ld.global.b32 %r2, [%rd3];\nadd.s32 %r2, %r2, 1;\nst.global.b32 [%rd3], %r2;";
        assert!(compare(other, "").0.is_err() && compare("", other).0.is_err());
        // An undefined value differs from the byte that was there, and no run shows what undefined
        // memory held.
        let undefined = "st.global.b32 [%rd3], %r5;";
        assert!(compare("", undefined).0.is_err() && compare(undefined, "").0.is_err());
    }

    #[test]
    fn shared_memory_is_compared() {
        let store = |number: u32| format!("mov.b32 %r2, {number};\nst.shared.b32 [64], %r2;");
        assert_eq!(compare(&store(1), &store(1)).0, Ok(None));
        let difference = compare(&store(1), &store(2)).0.expect_err("a difference");
        assert_eq!(difference.ours, "leaves 0x02 at 0x40 in shared memory of block 0");
    }

    #[test]
    fn a_compare_and_swap_holds_in_some_launch_and_fails_in_another() {
        let swap =
            |new: u32| format!("mul.lo.s32 %r2, %r1, 123457;\natom.global.cas.b32 %r3, [%rd3], %r2, {new};");
        assert_eq!(compare(&swap(7), &swap(7)).0, Ok(None));
        assert!(compare(&swap(7), &swap(8)).0.is_err(), "it holds");
        assert!(compare(&swap(7), "atom.global.exch.b32 %r3, [%rd3], 7;").0.is_err(), "it fails");
        let two = |new: u32| {
            format!(
                "atom.global.cas.b32 %r3, [%rd1], 12345, 6;\natom.global.cas.b32 %r3, [%rd1], 54321, {new};"
            )
        };
        assert!(compare(&two(7), &two(8)).0.is_err(), "the second one holds");
        let wrap = |bound: u32| format!("atom.global.inc.u32 %r3, [%rd1], {bound};");
        assert!(compare(&wrap(2_000_000_000), &wrap(2_000_000_001)).0.is_err(), "it begins anew");
    }

    #[test]
    fn a_compare_and_swap_holds_with_a_number_of_more_than_32_bits() {
        let program = |compared: &str| {
            let text = format!(
                ".visible .entry k(\n.param .b32 k_param_0\n)\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 8 .b8 place[8];\n\
                 ld.param.b32 %r1, [k_param_0];\nmul.wide.s32 %rd1, %r1, 12;\ncvt.u32.u64 %r2, %rd1;\n\
                 atom.shared.cas.b64 %rd3, [place], {compared}, 7;\nret;\n}}\n"
            );
            Program::new(&text).expect("a module")
        };
        let [stock, ours] = ["%rd1", "%r2"].map(program);
        assert_eq!(kernel(&stock, &stock, "k", &[], &mut Tally::default()), Ok(None));
        assert!(kernel(&stock, &ours, "k", &[], &mut Tally::default()).is_err());
    }

    #[test]
    fn a_lock_is_free_in_some_launch() {
        let code = |step: u32| {
            format!(
                "$L: atom.global.cas.b32 %r2, [%rd1], 0, 1;\nsetp.ne.s32 %p1, %r2, 0;\n@%p1 bra $L;\n\
                 ld.volatile.global.b32 %r3, [%rd1+64];\nadd.s32 %r3, %r3, {step};\nst.volatile.global.b32 [%rd1+64], %r3;\n\
                 atom.global.exch.b32 %r2, [%rd1], 0;"
            )
        };
        let (result, tally) = compare(&code(1), &code(1));
        assert_eq!((result, tally.kernels), (Ok(None), 1), "{:?}", tally.not_compared);
        assert!(compare(&code(1), &code(2)).0.is_err());
    }

    #[test]
    fn a_ticket_is_served_in_some_launch() {
        let code = |step: u32| {
            format!(
                "atom.global.add.u32 %r2, [%rd1], 1;\n$L: ld.volatile.global.b32 %r3, [%rd1+4];\nsetp.ne.s32 %p1, %r2, %r3;\n\
                 @%p1 bra $L;\nadd.s32 %r4, %r2, {step};\nst.global.b32 [%rd3+64], %r4;\nadd.s32 %r3, %r3, 1;\n\
                 st.volatile.global.b32 [%rd1+4], %r3;"
            )
        };
        let (result, tally) = compare(&code(1), &code(1));
        assert_eq!((result, tally.kernels), (Ok(None), 1), "{:?}", tally.not_compared);
        assert!(compare(&code(1), &code(2)).0.is_err());
    }

    #[test]
    fn a_flag_has_the_number_that_the_code_waits_for() {
        let code = |number: u32| {
            format!(
                "$L: ld.volatile.global.b32 %r2, [%rd1];\nsetp.ne.s32 %p1, %r2, 7654321;\n@%p1 bra $L;\n\
                 st.global.b32 [%rd3+64], {number};"
            )
        };
        let (result, tally) = compare(&code(1), &code(1));
        assert_eq!((result, tally.kernels), (Ok(None), 1), "{:?}", tally.not_compared);
        assert!(compare(&code(1), &code(2)).0.is_err());
    }

    /// Whether the comparison distinguishes a kernel that stores 1 if a condition on its parameters
    /// %r2 and %r3 holds from one that never does.
    fn meets(condition: &str) -> bool {
        let program = |store: &str| {
            let text = format!(
                ".visible .entry k(\n.param .b64 .ptr .global k_param_0,\n.param .b32 k_param_1,\n.param .b32 k_param_2\n)\n{{\n\
                 .reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<4>;\nld.param.b64 %rd1, [k_param_0];\n\
                 ld.param.b32 %r2, [k_param_1];\nld.param.b32 %r3, [k_param_2];\n{condition}\n{store}\nret;\n}}\n"
            );
            Program::new(&text).expect("a module")
        };
        let [stock, ours] = ["@%p1 st.global.b32 [%rd1], 1;", ""].map(program);
        kernel(&stock, &ours, "k", &[], &mut Tally::default()).is_err()
    }

    #[test]
    fn parameters_have_numbers_at_the_edges() {
        for condition in [
            "setp.eq.s32 %p1, %r2, 0;",
            "setp.eq.s32 %p1, %r2, 1;",
            "setp.eq.s32 %p1, %r2, %r3;",
            "setp.lt.s32 %p1, %r2, 0;",
            "setp.gt.s32 %p1, %r2, 2147480000;",
            "setp.lt.s32 %p1, %r2, -2147480000;",
            "setp.eq.s32 %p1, %r2, 2147483647;",
            "add.s32 %r4, %r2, %r3;\nxor.b32 %r5, %r4, %r2;\nxor.b32 %r6, %r4, %r3;\nand.b32 %r5, %r5, %r6;\nsetp.lt.s32 %p1, %r5, 0;",
        ] {
            assert!(meets(condition), "{condition}");
        }
        assert!(!meets("setp.eq.s32 %p1, %r2, 1234567;"));
    }

    #[test]
    fn a_run_that_says_nothing_is_counted() {
        let (result, tally) = compare("$L: bra $L;", "");
        let why = "the budget of instructions is used up";
        assert_eq!(result, Ok(Some(why.to_owned())));
        assert_eq!((tally.kernels, tally.kernels_not_compared), (0, 1));
        assert_eq!(tally.not_compared[why], VARIANTS);
        let (_, tally) = compare("nosuch.b32 %r1, %r2;", "");
        assert_eq!(tally.not_compared["unknown instruction nosuch.b32"], VARIANTS);
    }
}
