//! Lists the options `-ptx-...`, `-maxreg` and their like, and parses their values.
//!
//! The shim registers each of [`KNOBS`] as an LLVM `cl::opt` and passes its text to [`set`], which
//! reports errors. So `llc -ptx-...` and `clang -mllvm -ptx-...` work.

use super::knobs::*;
use super::pipeline::{help, parse_step, parse_steps};
use super::rows;
use crate::nvptx::ptxas_errata::{NoVersion, Version};
use crate::process::arguments::{parse_flag, parse_new_pm, set_options, OptionError};
#[cfg(debug_assertions)]
use crate::process::trace;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU8, Ordering::Relaxed};

/// A knob, as `--help` shows it.
pub struct Knob {
    /// The name without the leading dash.
    pub name: &'static str,
    /// One line.
    pub help: &'static str,
    /// The name of the value; empty for a flag.
    pub value_name: &'static str,
    /// Whether only `--help-hidden` shows it.
    pub hidden: bool,
    /// Sets it to a value.
    set: fn(&str) -> Result<(), OptionError>,
}

/// Every knob.
pub const KNOBS: &[Knob] = &[
    Knob {
        name: "ptx-profile",
        help: "Behaviour of the passes: default (optimise more; cicc is the same), or upstream (the same PTX as stock LLVM)",
        value_name: "profile",
        hidden: false,
        set: set_profile,
    },
    Knob {
        name: "ptx-passes",
        help: "Passes and stages that run, separated by commas (default: all); 'none' is stock LLVM, 'help' lists them",
        value_name: "names",
        hidden: false,
        set: set_passes,
    },
    Knob {
        name: "ptx-stats",
        help: "Print the statistics of every pass and stage that are not zero to stderr at the end; -ptx-stats=all: all of them",
        value_name: "",
        hidden: false,
        set: set_stats,
    },
    Knob {
        name: "ptx-stats-json",
        help: "Write all statistics, for each function, as JSON to a file ('-': stdout)",
        value_name: "file",
        hidden: false,
        set: |v| STATS_JSON.open(v),
    },
    Knob {
        name: "ptx-live-ranges",
        help: "Draw the live ranges of every function before coalescing, as SVG, to a file ('-': stdout)",
        value_name: "file",
        hidden: false,
        set: |v| LIVE_RANGES.open(v),
    },
    Knob {
        name: "ptx-stage-code",
        help: "Write the machine code before and after each pass and stage that changes it, as JSON, to a file ('-': stdout)",
        value_name: "file",
        hidden: false,
        set: |v| STAGE_CODE.open(v),
    },
    Knob {
        name: "maxreg",
        help: "Number of 32-bit registers of a thread that each function is to fit in: it steers hoist and remat, over what the \
               kernel says; statistics and remarks compare register pressure with it (default: 70)",
        value_name: "n",
        hidden: false,
        set: set_maxreg,
    },
    Knob {
        name: "ptx-ptxas-version",
        help: "Version of the ptxas that will compile the PTX, as 13.0.88: code that only other versions compile wrongly is not \
               written in another form (default: any version may; default profile, stage ptxas-errata)",
        value_name: "version",
        hidden: false,
        set: set_ptxas_version,
    },
    Knob {
        name: "nvptx-copy-limit",
        help: "Number of copies that the NVPTX coalescer looks at in a function (default: all); a remark names those that stay",
        value_name: "n",
        hidden: false,
        set: |v| set_limit(&COPY_LIMIT, v),
    },
    Knob {
        name: "nvptx-coalesce-limit",
        help: "Number of copies that the NVPTX coalescer removes in a function (default: all); a remark names those that stay",
        value_name: "n",
        hidden: false,
        set: |v| set_limit(&COALESCE_LIMIT, v),
    },
    Knob {
        name: "nvptx-coalesce-block-freq",
        help: "Let the NVPTX coalescer try copies of frequent blocks first (default: true); false: those of deep loops",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&COALESCE_BLOCK_FREQ, v),
    },
    Knob {
        name: "ptx-emit-order",
        help: "Order of the instructions of a block in the default profile: source (default), or pressure: the one of \
               several orders that needs the fewest registers",
        value_name: "order",
        hidden: false,
        set: set_emit_order,
    },
    Knob {
        name: "ptx-unroll",
        help: "Which loops are unrolled before instruction selection: off: none, and the stage loop-branches does not run; \
               whole (default): those with a known trip count, or one of 16 at most; all: also short loops with an unknown one; \
               a pragma is obeyed (default profile)",
        value_name: "loops",
        hidden: false,
        set: set_unroll,
    },
    Knob {
        name: "ptx-lsr",
        help: "Let LLVM's LoopStrengthReduce change all loops of NVPTX functions; by default it changes the few that the \
               stage induction leaves to it (default profile)",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&LSR, v),
    },
    Knob {
        name: "ptx-nounroll",
        help: "Innermost loops that ptxas is not to unroll where LLVM has not either: off (default): none; cold: those that \
               run less often than the function is entered; all (default profile)",
        value_name: "loops",
        hidden: false,
        set: set_nounroll,
    },
    Knob {
        name: "cssa-coalesce",
        help: "Let the registers that a PHI joins share one where they do not interfere, in small webs of PHIs in loops \
               (true by default; default profile, before PHI elimination)",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&CSSA_COALESCE, v),
    },
    Knob {
        name: "usedessa",
        help: "How PHIs are lowered: 0: to copies alone (classic PHI elimination); otherwise registers share one, in all PHIs, \
               unless 1: their live ranges intersect (Sreedhar); 2: they intersect and hold different values \
               (Boissinot; without this option in small webs of PHIs in loops)",
        value_name: "method",
        hidden: false,
        set: set_usedessa,
    },
    Knob {
        name: "cssa-verbosity",
        help: "Output of -cssa-coalesce on stderr: 0: none (default); 1: counts for each function; 2: and the congruence classes",
        value_name: "level",
        hidden: true,
        set: set_cssa_verbosity,
    },
    Knob {
        name: "dump-before-cssa",
        help: "Print every function to stderr before -cssa-coalesce",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&DUMP_BEFORE_CSSA, v),
    },
    Knob {
        name: "ptx-fast-compile",
        help: "Compile faster, as at -O0: no stage runs, copies are inserted where they are needed and none is joined",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&FAST_COMPILE, v),
    },
    Knob {
        name: "ptx-new-pm",
        help: "Run in a pipeline of LLVM's new pass manager, from LLVM 24 on; by default the passes run in the legacy one, whichever \
               LLVM would take",
        value_name: "",
        hidden: false,
        set: set_new_pm,
    },
    Knob {
        name: "ptx-header",
        help: "Say at the head of the PTX what has made it: version, profile and a digest of the options that change code \
               (true by default; default profile)",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&HEADER, v),
    },
    Knob {
        name: "ptx-version",
        help: "Print the versions of ptxpasses and of its LLVM and exit",
        value_name: "",
        hidden: false,
        set: print_version,
    },
    Knob {
        name: "ptx-verify",
        help: "Prove after every pass and stage that the code computes the same; a miscompile is an error",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&VERIFY, v),
    },
    Knob {
        name: "ptx-all-targets",
        help: "For testing: run the passes for all targets, not NVPTX alone",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&ALL_TARGETS, v),
    },
    Knob {
        name: "ptx-check-analyses",
        help: "For testing: compare LiveVariables and LiveIntervals with those of the stock passes, field by field",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&CHECK_ANALYSES, v),
    },
    Knob {
        name: "ptx-print-analyses",
        help: "For testing: print LiveVariables and LiveIntervals to stderr, as LLVM prints them",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&PRINT_ANALYSES, v),
    },
    Knob {
        name: "ptx-print-affinity",
        help: "For testing: print to stderr the hints of the two-address pass about registers that belong together",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&PRINT_AFFINITY, v),
    },
    Knob {
        name: "ptx-bisect-limit",
        help: "Run on the first n functions only, and leave the others to stock LLVM; the functions are numbered on stderr",
        value_name: "n",
        hidden: true,
        set: |v| set_limit(&BISECT_LIMIT, v),
    },
    Knob {
        name: "ptx-without",
        help: "For measurements: leave out the code of these rows of docs/requirements.md, separated by commas; 'help' lists them",
        value_name: "rows",
        hidden: true,
        set: set_without,
    },
    #[cfg(debug_assertions)]
    Knob {
        name: "ptx-trace",
        help: "Print the decisions of these passes and stages, separated by commas, to stderr; all: of every one",
        value_name: "names",
        hidden: true,
        set: set_trace,
    },
    Knob {
        name: "ptx-test-panic",
        help: "For testing: panic in this pass or stage",
        value_name: "pass",
        hidden: true,
        set: set_test_panic,
    },
];

/// Sets knob `index` of [`KNOBS`].
///
/// # Errors
/// Says what is wrong with the value, and what is allowed.
pub fn set(index: usize, value: &str) -> Result<(), OptionError> {
    (KNOBS[index].set)(value)
}

/// Sets the knobs named in `arguments`, words as on a command line.
///
/// # Errors
/// Names the option, and says what is wrong with it or what is allowed.
pub fn set_all(arguments: &str) -> Result<(), OptionError> {
    set_options(arguments, KNOBS.iter().map(|k| (k.name, k.value_name, k.hidden)), set)
}

fn set_new_pm(value: &str) -> Result<(), OptionError> {
    NEW_PM.store(parse_new_pm(value)?, Relaxed);
    Ok(())
}

fn set_flag(flag: &AtomicBool, value: &str) -> Result<(), OptionError> {
    flag.store(parse_flag(value)?, Relaxed);
    Ok(())
}

fn set_stats(value: &str) -> Result<(), OptionError> {
    let level = match value {
        "all" => 2,
        _ => u8::from(
            parse_flag(value)
                .map_err(|_| OptionError::invalid(value, "all, true, false (or 1, 0, or no value)"))?,
        ),
    };
    STATS.store(level, Relaxed);
    Ok(())
}

/// The meaning of a value, which is one of these.
fn choose<T: Copy>(what: &'static str, value: &str, meanings: &[(&str, T)]) -> Result<T, OptionError> {
    meanings.iter().find(|(name, _)| *name == value).map(|(_, meaning)| *meaning).ok_or_else(|| {
        let names: Vec<_> = meanings.iter().map(|(name, _)| *name).collect();
        OptionError::not_allowed(what, value, names.join(", "))
    })
}

fn set_profile(value: &str) -> Result<(), OptionError> {
    let former_name = "cicc";
    let value = if value == former_name { "default" } else { value };
    let upstream = choose("no profile", value, &[("upstream", true), ("default", false)])?;
    PROFILE_IS_UPSTREAM.store(upstream, Relaxed);
    Ok(())
}

/// Sets a knob whose value is an integer from 0 to 2.
fn set_level(level: &AtomicU8, value: &str) -> Result<(), OptionError> {
    let n = value.parse().ok().filter(|&n| n <= 2);
    level.store(n.ok_or_else(|| OptionError::invalid(value, "0, 1, 2"))?, Relaxed);
    Ok(())
}

fn set_ptxas_version(value: &str) -> Result<(), OptionError> {
    let version: Version = value.parse().map_err(|error: NoVersion| error.to_string())?;
    PTXAS_VERSION.store(version.number(), Relaxed);
    Ok(())
}

fn set_usedessa(value: &str) -> Result<(), OptionError> {
    set_level(&USEDESSA, value)
}

fn set_cssa_verbosity(value: &str) -> Result<(), OptionError> {
    set_level(&CSSA_VERBOSITY, value)
}

fn set_emit_order(value: &str) -> Result<(), OptionError> {
    let pressure = choose("no order", value, &[("source", false), ("pressure", true)])?;
    EMIT_ORDER_IS_PRESSURE.store(pressure, Relaxed);
    Ok(())
}

fn set_nounroll(value: &str) -> Result<(), OptionError> {
    let loops = choose("invalid value", value, &[("off", 0), ("cold", 1), ("all", 2)])?;
    NOUNROLL.store(loops, Relaxed);
    Ok(())
}

fn set_unroll(value: &str) -> Result<(), OptionError> {
    let loops = choose("invalid value", value, &[("off", 0), ("whole", 1), ("all", 2)])?;
    UNROLL.store(loops, Relaxed);
    Ok(())
}

fn set_passes(value: &str) -> Result<(), OptionError> {
    if value == "help" {
        print!("{}", help());
        std::process::exit(0);
    }
    PASSES.store(parse_steps(value)?.bits(), Relaxed);
    Ok(())
}

fn set_without(value: &str) -> Result<(), OptionError> {
    if value == "help" {
        print!("{}", rows::help());
        std::process::exit(0);
    }
    WITHOUT.store(rows::parse(value)?, Relaxed);
    Ok(())
}

fn set_maxreg(value: &str) -> Result<(), OptionError> {
    let n = value.parse().ok().filter(|&n| n > 0);
    let n = n.ok_or_else(|| OptionError::invalid(value, format!("an integer from 1 to {}", u32::MAX)))?;
    MAXREG.store(n, Relaxed);
    Ok(())
}

fn set_limit(limit: &AtomicU32, value: &str) -> Result<(), OptionError> {
    let n = value
        .parse()
        .map_err(|_| OptionError::invalid(value, format!("an integer from 0 to {}", u32::MAX)))?;
    limit.store(n, Relaxed);
    Ok(())
}

#[cfg(debug_assertions)]
fn set_trace(value: &str) -> Result<(), OptionError> {
    parse_steps(value)?;
    trace::choose(value);
    Ok(())
}

fn set_test_panic(value: &str) -> Result<(), OptionError> {
    TEST_PANIC.store(parse_step(value)? as u8 + 1, Relaxed);
    Ok(())
}

fn print_version(value: &str) -> Result<(), OptionError> {
    if parse_flag(value)? {
        println!("{}", version());
        std::process::exit(0);
    }
    Ok(())
}

/// The versions of ptxpasses and of its LLVM.
pub fn version() -> String {
    let host = option_env!("PTX_LLVM_MAJOR").map_or("no LLVM".to_owned(), |major| format!("LLVM {major}"));
    format!("ptxpasses {} for {host}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_a_bad_value_names_what_is_allowed() {
        assert!(set_profile("fast").unwrap_err().to_string().contains("allowed: upstream, default"));
        assert!(parse_flag("maybe").unwrap_err().to_string().contains("allowed: true, false"));
        assert!(set_stats("some").unwrap_err().to_string().contains("allowed: all, true, false"));
        assert!(set_test_panic("x")
            .unwrap_err()
            .to_string()
            .contains("allowed: unroll, loop-branches, emitter"));
        for bad in ["", "none", "All", "cold,all"] {
            assert!(set_nounroll(bad).unwrap_err().to_string().contains("allowed: off, cold, all"), "{bad}");
            assert!(set_unroll(bad).unwrap_err().to_string().contains("allowed: off, whole, all"), "{bad}");
        }
        for bad in ["", "0", "-1", "seventy", "4294967296", "7.5"] {
            let e = set_maxreg(bad).unwrap_err().to_string();
            assert!(e.contains("allowed: an integer from 1 to 4294967295"), "{e}");
        }
        for bad in ["", "-1", "many", "4294967296"] {
            let e = set_limit(&AtomicU32::new(0), bad).unwrap_err().to_string();
            assert!(e.contains("allowed: an integer from 0 to 4294967295"), "{e}");
        }
    }

    #[test]
    fn flags_read_as_llvm_reads_them() {
        for yes in ["", "true", "1"] {
            assert_eq!(parse_flag(yes), Ok(true));
        }
        assert_eq!(parse_flag("false"), Ok(false));
    }

    #[test]
    fn p7_words_of_the_environment_are_read_as_on_a_command_line() {
        assert_eq!(set_all(""), Ok(()));
        // No other test reads these knobs.
        assert_eq!(
            set_all("  -nvptx-copy-limit=3\t--nvptx-coalesce-limit 4 -ptx-print-affinity=false\n"),
            Ok(())
        );
        assert_eq!((COPY_LIMIT.load(Relaxed), COALESCE_LIMIT.load(Relaxed)), (3, 4));
        for (bad, why) in [
            ("-ptx-profil=cicc", "no option '-ptx-profil=cicc'; allowed: -ptx-profile, -ptx-passes, "),
            ("ptx-stats", "no option 'ptx-stats'; allowed: "),
            ("---ptx-stats", "no option '---ptx-stats'; allowed: "),
            ("-", "no option '-'; allowed: "),
            ("-ptx-stats -ptx-profile=fast", "-ptx-profile: no profile 'fast'; allowed: upstream, default"),
            ("-maxreg", "-maxreg: it needs a value: -maxreg=<n>"),
            ("-maxreg none", "-maxreg: invalid value 'none'; allowed: an integer from 1 to 4294967295"),
        ] {
            let e = set_all(bad).unwrap_err().to_string();
            assert!(e.starts_with(why), "{bad}: {e}");
        }
        STATS.store(0, Relaxed);
    }

    /// `-ptx-lsr` and `-ptx-bisect-limit` were once in no document.
    #[test]
    fn every_option_is_documented() {
        let page = include_str!("../../docs/options.md");
        let has = |name: &str| {
            let dashed = format!("-{name}");
            page.match_indices(&dashed).any(|(at, _)| {
                let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
                page[..at].ends_with('`') && !page[at + dashed.len()..].starts_with(is_part)
            })
        };
        let missing: Vec<_> = KNOBS.iter().map(|knob| knob.name).filter(|name| !has(name)).collect();
        assert!(missing.is_empty(), "docs/options.md lacks {missing:?}");
        assert!(!has("ptx-stat") && !has("lsr"), "whole names alone");
    }

    /// The head of the PTX must tell apart settings that give different code.
    #[test]
    fn each_option_changes_code_or_is_known_not_to() {
        let leave_code = "ptx-profile ptx-stats ptx-stats-json ptx-live-ranges ptx-stage-code cssa-verbosity dump-before-cssa ptx-version ptx-header \
                          ptx-verify ptx-all-targets ptx-check-analyses ptx-print-analyses ptx-print-affinity ptx-trace ptx-test-panic";
        let mut named: Vec<_> =
            code_options().map(|(name, ..)| name).into_iter().chain(leave_code.split_whitespace()).collect();
        let mut known: Vec<_> = KNOBS.iter().map(|knob| knob.name).collect();
        named.sort_unstable();
        known.sort_unstable();
        assert_eq!(named, known, "ptx-profile is named in the line by itself, or there is none");
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = KNOBS.iter().map(|k| k.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KNOBS.len());
    }
}
