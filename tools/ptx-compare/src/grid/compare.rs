//! Two texts of a module against each other: does each kernel leave the same memory behind?
//!
//! **Method.** Each kernel of both texts is run by grids that are made up from stock's text ([`Launch::make_up`]), or that are given. Compared is
//! every byte of global memory that one of them has written, and what each thread has printed. A byte that is undefined in
//! stock's run may be any; a run that stock's text does not end, as it depends on something undefined, faults, or uses up its budget, says
//! nothing and is counted as that. A trap is an end: both must reach one.
//!
//! **Complexity.** Linear in the instructions that are run, and in the bytes that are written.

use std::collections::BTreeMap;

use super::block::{self, Outcome, Program, Stop, Undefined};
use super::launch::{Launch, Size, VARIANTS};

/// Instructions that the threads of a run may execute.
pub const BUDGET: u64 = 3_000_000;
/// How many times as many instructions ours may need.
const ROOM: u64 = 4;

/// Counts of what was run and compared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub kernels: u64,
    /// Kernels that do not leave the same behind.
    pub different: u64,
    /// Kernels of which no run was compared.
    pub kernels_not_compared: u64,
    pub launches: u64,
    /// Instructions of threads, on both sides.
    pub executed: u64,
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

/// A kernel that does not leave the same behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub launch: u64,
    pub stock: String,
    pub ours: String,
}

/// Compares one kernel, by the launches of it that are given, or else by made-up ones. If no run says anything, returns why.
pub fn kernel(
    stock: &Program,
    ours: &Program,
    name: &str,
    given: &[Launch],
    tally: &mut Tally,
) -> Result<Option<String>, Difference> {
    let given: Vec<&Launch> = given.iter().filter(|launch| launch.kernel == name).collect();
    let variants = if given.is_empty() { VARIANTS } else { given.len() as u64 };
    let (mut is_compared, mut last) = (false, None);
    for variant in 0..variants {
        let seen = match given.get(variant as usize) {
            Some(launch) => one_launch(stock, ours, launch, variant, tally)?,
            None => made_up(stock, ours, name, variant, tally)?,
        };
        let why = match seen {
            Seen::Same => {
                is_compared = true;
                continue;
            }
            Seen::TooLong => Stop::Budget.to_string(),
            Seen::Nothing(why) => why,
        };
        tally.count_as(&why);
        last = Some(why);
    }
    tally.kernels += u64::from(is_compared);
    tally.kernels_not_compared += u64::from(!is_compared);
    Ok(last.filter(|_| !is_compared))
}

/// Compares one kernel by a launch that is made up; one that takes too long is made once more, as small as can be.
fn made_up(
    stock: &Program,
    ours: &Program,
    name: &str,
    variant: u64,
    tally: &mut Tally,
) -> Result<Seen, Difference> {
    let mut seen = Seen::TooLong;
    for size in [Size::Usual, Size::Small] {
        seen = match Launch::make_up([stock, ours], name, variant, size) {
            Ok(launch) => one_launch(stock, ours, &launch, variant, tally)?,
            Err(why) => Seen::Nothing(reason(&why)),
        };
        if !matches!(seen, Seen::TooLong) {
            break;
        }
    }
    Ok(seen)
}

/// A reason without names and lines, so that like ones are counted together.
fn reason(why: &str) -> String {
    let parts: Vec<&str> = why.split(": ").collect();
    let has_place =
        |part: &&str| !part.starts_with("line ") && (!part.starts_with('_') || part.contains(' '));
    parts.into_iter().rev().take_while(has_place).last().unwrap_or(why).to_owned()
}

/// The end of a comparison without a difference.
enum Seen {
    Same,
    /// Stock's run uses up its budget.
    TooLong,
    /// Stock's run says nothing, and why.
    Nothing(String),
}

/// Runs both by one launch.
fn one_launch(
    stock: &Program,
    ours: &Program,
    launch: &Launch,
    number: u64,
    tally: &mut Tally,
) -> Result<Seen, Difference> {
    let differ = |stock: String, ours: String| Difference { launch: number, stock, ours };
    let first = match block::run(stock, launch, Undefined::Tracked, BUDGET) {
        Ok(outcome) => outcome,
        Err(why) => return Ok(Seen::Nothing(reason(&why))),
    };
    tally.executed += first.executed;
    match &first.stop {
        None if first.partial > 0 => {
            return Ok(Seen::Nothing("lanes wait for others that never come".to_owned()));
        }
        None | Some(Stop::Trap(..)) => {}
        Some(Stop::Budget) => return Ok(Seen::TooLong),
        Some(stop) => return Ok(Seen::Nothing(reason(&stop.to_string()))),
    }
    let second = match block::run(ours, launch, Undefined::Tracked, ROOM * (first.executed + BUDGET)) {
        Ok(outcome) => outcome,
        Err(why) => return Err(differ("is run".to_owned(), why)),
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
    let (bytes, undefined) = same_memory(&first, &second).map_err(|(stock, ours)| differ(stock, ours))?;
    tally.bytes += bytes;
    tally.undefined += undefined;
    Ok(Seen::Same)
}

/// Compares the bytes that two runs have written: how many, and how many of these are undefined.
fn same_memory(stock: &Outcome, ours: &Outcome) -> Result<(u64, u64), (String, String)> {
    let [old, new] = [stock, ours].map(|outcome| outcome.global.written());
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
            _ => return Err((show(first, address), show(second, address))),
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
        // Blocks of 64, 33, 128 and 96 threads write the same four bytes each, twice.
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
