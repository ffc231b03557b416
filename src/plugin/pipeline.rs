//! The one table of passes and stages, in the order in which they run.
//!
//! A row is a *step*: a pass of LLVM's that the plugin replaces, or a stage that LLVM does not
//! have. Stages run only in the default profile. `driver.rs` walks the table, `-ptx-passes=help`
//! prints it, `-ptx-passes=` chooses from it, and the statistics have a part for each row.
//!
//! To add a stage: write its folder under `src/stages/`, implement `RunStep` for it in `steps.rs`,
//! and add it to [`Step`] and to the table.

use super::step::Check::{self, Defined, Keeps, Unchecked, Values, WithPass};
use super::step::Needs::{Function, NvptxFunction, NvptxSsa};
use super::step::Place::{Absent, After, Before, OnIr, Replaces, Within};
use super::step::{Place, Row, Step, StepSet};
use crate::checker::addresses::accesses::Compared;
use crate::checker::Rules;
use crate::passes::coalescer;
use crate::process::arguments::OptionError;
use crate::versions::VERSIONS;

/// The rules of a step that may change code and may ignore kill flags.
const CODE: Rules = Rules { target_rewrites: false, makes_ties: false, kills: false, code: true };
/// The rules of a step that may change flags and add operands for physical registers.
const FLAGS: Rules = Rules { code: false, kills: true, ..CODE };
/// The rules of a step that may change code and must keep kill flags right.
const CODE_AND_KILLS: Rules = Rules { kills: true, ..CODE };
/// The rules of the two-address pass, which also lets the target rewrite instructions.
const TIES: Rules = Rules { target_rewrites: true, makes_ties: true, ..CODE_AND_KILLS };
/// The values that instructions read stay the same.
const VALUES: Check = Values(KEPT);
/// The values that instructions read stay the same, those of induction variables included.
const VARIABLES: Check = Values(Compared { variables: true, ..KEPT });
/// The values that instructions read stay the same, except that addresses in small address spaces
/// may be low halves.
const LOW_HALVES: Check = Values(Compared { low_halves: true, ..KEPT });
/// The values that instructions read stay the same, except that approximations may flush.
const FLUSHES: Check = Values(Compared { flushes: true, ..KEPT });
/// The values that instructions read stay the same, and comparisons may be in another form.
const COMPARISONS: Check = Values(Compared { comparisons: true, ..KEPT });
/// No value may differ.
const KEPT: Compared = Compared { variables: false, low_halves: false, flushes: false, comparisons: false };

/// The place of LiveVariables, in LLVM versions that have it.
const VARIABLES_PLACE: Place = if VERSIONS.has_variables { Replaces("livevars") } else { Absent };
/// Before the first pass that follows LLVM's last change of code in SSA form.
const IN_SSA: Place = Before(if VERSIONS.has_variables { Step::LiveVars } else { Step::PhiElim });

/// A row. The last argument is the type that runs the step (see `steps.rs`), if the driver runs it.
macro_rules! row {
    ($step:ident, $name:literal, $place:expr, $needs:expr, $check:expr $(, $runs:ident)?) => {
        Row {
            step: Step::$step,
            name: $name,
            place: $place,
            needs: $needs,
            check: $check,
            #[cfg(all(ptx_host, not(test)))]
            make: row!(@make $($runs)?),
        }
    };
    (@make) => { None };
    (@make $runs:ident) => { Some(|| Box::<super::steps::$runs>::default()) };
}

/// The table. A row's position is that of its [`Step`].
#[rustfmt::skip]
pub static PIPELINE: &[Row] = &[
    // step            name               where it runs                      needs          check
    // run by

    // Takes pointers that a kernel gets for `__restrict__`, if an option promises it.
    row!(Restrict,       "restrict",        OnIr,                              NvptxFunction, Unchecked),
    // Computes once what all values of a PHI compute: equal_phis.rs.
    row!(EqualPhis,      "equal-phis",      OnIr,                              NvptxFunction, Unchecked),
    // Unrolls loops. The shim runs it loop by loop: unrolling.rs.
    row!(Unroll,         "unroll",          OnIr,                              NvptxFunction, Unchecked),
    // Moves loads before stores that wait for other loads: early_loads.rs.
    row!(EarlyLoads,     "early-loads",     OnIr,                              NvptxFunction, Unchecked),
    // Turns branches at the ends of loops so that ptxas may unroll these: loop_branches.rs.
    row!(LoopBranches,   "loop-branches",   OnIr,                              NvptxFunction, Unchecked),
    // Computes the reciprocal of a divisor once for several divisions: divisions.rs.
    row!(Divisions,      "divisions",       OnIr,                              NvptxFunction, Unchecked),
    // Makes the machine instructions of a selected block. LLVM enters it for each block:
    // emission.rs.
    row!(Emitter,        "emitter",         Replaces("instr-emitter"),         Function,      Defined),
    // Computes addresses in shared, constant and local memory with 32 bits.
    row!(ShortAddresses, "short-addresses", IN_SSA,                            NvptxSsa,      LOW_HALVES,      ShortAddresses),
    // Lets addresses that differ by a constant share a register.
    row!(FoldAddresses,  "fold-addresses",  IN_SSA,                            NvptxSsa,      VALUES,          FoldAddresses),
    // Turns sums of induction variables into induction variables.
    row!(Induction,      "induction",       IN_SSA,                            NvptxSsa,      VARIABLES,       Induction),
    // Lets approximations flush subnormal numbers if their input is never subnormal.
    row!(Flush,          "flush",           IN_SSA,                            NvptxSsa,      FLUSHES,         Flush),
    // Keeps the parts of a value in one register.
    row!(WidePhis,       "wide-phis",       IN_SSA,                            NvptxSsa,      Keeps(CODE),     WidePhis),
    // Moves computations up to where the registers that they read end.
    row!(Hoist,          "hoist",           IN_SSA,                            NvptxSsa,      VALUES,          Hoist),
    // Recomputes cheap values next to their readers.
    row!(Remat,          "remat",           IN_SSA,                            NvptxSsa,      VALUES,          Remat),
    // Moves computations down to their readers if the registers that they read live that far
    // anyway.
    row!(Sink,           "sink",            IN_SSA,                            NvptxSsa,      VALUES,          Sink),
    // Extracts signed bit fields by two shifts.
    row!(BitFields,      "bit-fields",      IN_SSA,                            NvptxSsa,      VALUES,          BitFields),
    // Writes code that some versions of ptxas compile wrongly in another form.
    row!(PtxasErrata,    "ptxas-errata",    IN_SSA,                            NvptxSsa,      COMPARISONS,     PtxasErrata),
    // Computes LiveVariables and sets kill and dead flags.
    row!(LiveVars,       "livevars",        VARIABLES_PLACE,                   Function,      Keeps(FLAGS),    LiveVars),
    // Lets the registers of PHIs share one. PHI elimination calls it, after its splitting of edges.
    row!(Cssa,           "cssa",            Within(Step::PhiElim, "before phi-elim"), NvptxSsa, WithPass),
    // Replaces PHIs by copies.
    row!(PhiElim,        "phi-elim",        Replaces("phi-node-elimination"),  Function, Keeps(CODE_AND_KILLS), PhiElimWithCssa),
    // Makes tied operands the same register.
    row!(TwoAddress,     "two-address",     Replaces(VERSIONS.two_address_argument), Function,      Keeps(TIES),     TwoAddress),
    // Computes LiveIntervals.
    row!(LiveIntervals,  "liveintervals",   Replaces("liveintervals"),         Function, Keeps(CODE_AND_KILLS), LiveIntervals),
    // Joins the registers of copies.
    row!(Coalescer,      "coalescer",       Replaces(coalescer::STOCK_ARGUMENT), Function,    Keeps(CODE),     Coalescer),
    // Removes moves that only NVPTX has. It continues with the coalescer's data.
    row!(NvptxCoalescer, "nvptx-coalescer", After(Step::Coalescer),            NvptxFunction, Keeps(CODE),     NvptxCoalescerPass),
    // Tells ptxas not to unroll the loops that an option selects.
    row!(NoUnroll,       "nounroll",        After(Step::Coalescer),            NvptxFunction, Keeps(CODE),     NoUnrollPass),
];

impl Step {
    /// Its row.
    pub fn row(self) -> &'static Row {
        &PIPELINE[self as usize]
    }
    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }
}

/// The step of this name.
pub fn step_named(name: &str) -> Option<Step> {
    PIPELINE.iter().find(|row| row.name == name).map(|row| row.step)
}

/// The steps that are passes to LLVM: those replaced and those added. The shim knows a pass by its
/// position here.
pub fn passes() -> impl Iterator<Item = Step> {
    PIPELINE.iter().filter(|row| row.argument().is_some()).map(|row| row.step)
}

impl StepSet {
    /// Parses `-ptx-passes=`: names separated by commas, or `all`, or `none`.
    ///
    /// # Errors
    /// Names the unknown step, and lists those allowed.
    pub fn parse(text: &str) -> Result<StepSet, OptionError> {
        match text {
            "all" => Ok(StepSet::ALL),
            "none" => Ok(StepSet::NONE),
            _ => text.split(',').try_fold(StepSet::NONE, |set, name| Ok(set.with(Step::parse(name)?))),
        }
    }

    /// The text that `-ptx-passes=help` prints.
    pub fn help() -> String {
        let mut out = format!("{:<15} {:<22} {}\n", "pass", "replaces", "runs in");
        for row in PIPELINE {
            let (stock, place) = match row.place {
                Replaces(argument) => (argument, "Rust".to_owned()),
                Before(pass) => ("nothing", format!("Rust, before {}", pass.name())),
                Within(_, place) => ("nothing", format!("Rust, {place}")),
                After(pass) => ("nothing", format!("Rust, after {}", pass.name())),
                OnIr => ("nothing", "Rust, on IR before NVPTX's own passes".to_owned()),
                Absent => ("nothing", "nowhere: this LLVM has no such pass".to_owned()),
            };
            out += &format!("{:<15} {stock:<22} {place}\n", row.name);
        }
        out
    }
}

impl Step {
    /// Parses one name.
    ///
    /// # Errors
    /// Says that there is no such step, and lists those allowed.
    pub fn parse(name: &str) -> Result<Step, OptionError> {
        step_named(name).ok_or_else(|| {
            let names: Vec<_> = PIPELINE.iter().map(|row| row.name).collect();
            let allowed = format!("{} (separated by commas), all, none, help", names.join(", "));
            OptionError::not_allowed("no pass", name, allowed)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_found_by_its_position_and_name() {
        for (i, row) in PIPELINE.iter().enumerate() {
            assert_eq!(row.step as usize, i);
            assert_eq!(step_named(row.name), Some(row.step));
        }
    }

    #[test]
    fn stages_run_with_a_pass_and_stand_where_they_run() {
        for (i, row) in PIPELINE.iter().enumerate() {
            if let Before(pass) | Within(pass, _) | After(pass) = row.place {
                assert!(matches!(pass.row().place, Replaces(_)), "{}", row.name);
            }
            if let Before(pass) = row.place {
                assert!(i < pass as usize, "{}", row.name);
            }
            if let After(pass) = row.place {
                assert!(i > pass as usize, "{}", row.name);
            }
        }
    }

    #[test]
    fn passes_parse_or_say_what_is_allowed() {
        let set = StepSet::parse("two-address,nvptx-coalescer").unwrap();
        for row in PIPELINE {
            assert_eq!(set.contains(row.step), ["two-address", "nvptx-coalescer"].contains(&row.name));
            assert!(StepSet::ALL.contains(row.step) && !StepSet::NONE.contains(row.step));
        }
        assert_eq!(StepSet::parse("none").unwrap(), StepSet::NONE);
        assert_eq!(StepSet::from_bits(set.bits()), set);
        for bad in ["two-adress", "", "two-address,", "all,none"] {
            let e = StepSet::parse(bad).unwrap_err().to_string();
            for row in PIPELINE {
                assert!(e.contains(row.name), "{e}");
            }
        }
    }
}
