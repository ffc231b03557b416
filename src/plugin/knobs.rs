//! The options `-ptx-...` and `-maxreg` of `llc` and `clang -mllvm`.
//!
//! The shim registers each one of [`KNOBS`] as an LLVM `cl::opt` and hands its text to [`set`], which
//! says what is wrong with it. Values are process-wide, as all options of LLVM are; they are written
//! while the command line is parsed and only read afterwards. Options that LLVM has itself
//! (`twoaddr-reschedule`, ...) are not here: a pass reads them from LLVM's registry.

use crate::passes::emitter::EmitOrder;
use crate::plugin::pipeline::{self, Pass, PassSet, Stage};
use crate::stages::cssa::types::Method;
use crate::stages::nvptx_coalescer::worklist::Budget;
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU8, Ordering::Relaxed};
use std::sync::Mutex;

/// Which behaviour a pass has where the reference texts go beyond LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// What the stock pass of the host's LLVM does.
    Upstream,
    /// The system of the reference texts.
    Cicc,
}

/// One knob as it is shown by `-help`.
pub struct Knob {
    /// Without the leading dash.
    pub name: &'static str,
    /// One line.
    pub help: &'static str,
    /// Name of the value; empty for a flag.
    pub value_name: &'static str,
    /// Shown by `-help-hidden` only.
    pub hidden: bool,
    set: fn(&str) -> Result<(), String>,
}

/// Every knob.
pub const KNOBS: &[Knob] = &[
    Knob {
        name: "ptx-profile",
        help: "What the passes do: cicc (default) or upstream (byte-identical to stock LLVM)",
        value_name: "profile",
        hidden: false,
        set: set_profile,
    },
    Knob {
        name: "ptx-passes",
        help:
            "Passes to replace, separated by commas (default: all); 'none' is stock LLVM, 'help' lists them",
        value_name: "names",
        hidden: false,
        set: set_passes,
    },
    Knob {
        name: "ptx-stats",
        help: "Print statistics of every pass that ran in Rust to stderr at the end",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&STATS, v),
    },
    Knob {
        name: "ptx-stats-json",
        help: "Write these statistics by pass and function to a file ('-': stdout)",
        value_name: "file",
        hidden: false,
        set: |v| STATS_JSON.open(v),
    },
    Knob {
        name: "ptx-live-ranges",
        help: "Draw the live ranges of every function, before coalescing, as SVG to a file ('-': stdout)",
        value_name: "file",
        hidden: false,
        set: |v| LIVE_RANGES.open(v),
    },
    Knob {
        name: "maxreg",
        help: "32-bit registers for a thread, which statistics and remarks compare with (default: 70)",
        value_name: "n",
        hidden: false,
        set: set_maxreg,
    },
    Knob {
        name: "nvptx-copy-limit",
        help: "Copies of a function that the NVPTX coalescer looks at (default: all); the others stay, with a remark",
        value_name: "n",
        hidden: false,
        set: |v| set_limit(&COPY_LIMIT, v),
    },
    Knob {
        name: "nvptx-coalesce-limit",
        help: "Copies of a function that the NVPTX coalescer joins (default: all); the others stay, with a remark",
        value_name: "n",
        hidden: false,
        set: |v| set_limit(&COALESCE_LIMIT, v),
    },
    Knob {
        name: "ptx-emit-order",
        help: "Order of a block's instructions in the cicc profile: source (default), or the one of several that needs \
               the fewest registers: pressure",
        value_name: "order",
        hidden: false,
        set: set_emit_order,
    },
    Knob {
        name: "cssa-coalesce",
        help: "Let the registers of PHIs share one where they do not interfere, before PHI elimination, in the cicc \
               profile",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&CSSA_COALESCE, v),
    },
    Knob {
        name: "usedessa",
        help: "How -cssa-coalesce tells interference: 0: not at all, no register is shared; 1: live ranges that \
               intersect (Sreedhar); 2: unless their values are equal by copy (Boissinot; default)",
        value_name: "method",
        hidden: false,
        set: set_usedessa,
    },
    Knob {
        name: "cssa-verbosity",
        help: "What -cssa-coalesce tells on stderr: 0: nothing (default); 1: counts of each function; 2: the classes, too",
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
        help: "Compile fast: passes insert the copies that are needed and optimise nothing",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&FAST_COMPILE, v),
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
        help: "Check what every pass has done symbolically; a miscompile is an error",
        value_name: "",
        hidden: false,
        set: |v| set_flag(&VERIFY, v),
    },
    Knob {
        name: "ptx-all-targets",
        help: "For testing: take functions of targets other than NVPTX too",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&ALL_TARGETS, v),
    },
    Knob {
        name: "ptx-check-analyses",
        help: "For testing: compare every analysis with the stock pass's, field by field",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&CHECK_ANALYSES, v),
    },
    Knob {
        name: "ptx-print-analyses",
        help: "For testing: print every analysis that was computed in Rust to stderr, as LLVM prints it",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&PRINT_ANALYSES, v),
    },
    Knob {
        name: "ptx-print-affinity",
        help: "For testing: print to stderr what the coalescer is told of registers that belong together",
        value_name: "",
        hidden: true,
        set: |v| set_flag(&PRINT_AFFINITY, v),
    },
    Knob {
        name: "ptx-test-panic",
        help: "For testing: panic in this pass",
        value_name: "pass",
        hidden: true,
        set: set_test_panic,
    },
];

static PROFILE_IS_UPSTREAM: AtomicBool = AtomicBool::new(false);
static PASSES: AtomicU32 = AtomicU32::new(u32::MAX);
static STATS: AtomicBool = AtomicBool::new(false);
static STATS_JSON: FileKnob = FileKnob::new();
static LIVE_RANGES: FileKnob = FileKnob::new();
static MAXREG: AtomicU32 = AtomicU32::new(70);
static COPY_LIMIT: AtomicU32 = AtomicU32::new(u32::MAX);
static COALESCE_LIMIT: AtomicU32 = AtomicU32::new(u32::MAX);
static EMIT_ORDER_IS_PRESSURE: AtomicBool = AtomicBool::new(false);
static CSSA_COALESCE: AtomicBool = AtomicBool::new(false);
/// 0: none, 1: plain, 2: by value.
static USEDESSA: AtomicU8 = AtomicU8::new(2);
static CSSA_VERBOSITY: AtomicU8 = AtomicU8::new(0);
static DUMP_BEFORE_CSSA: AtomicBool = AtomicBool::new(false);
static FAST_COMPILE: AtomicBool = AtomicBool::new(false);
static VERIFY: AtomicBool = AtomicBool::new(false);
static ALL_TARGETS: AtomicBool = AtomicBool::new(false);
static CHECK_ANALYSES: AtomicBool = AtomicBool::new(false);
static PRINT_ANALYSES: AtomicBool = AtomicBool::new(false);
static PRINT_AFFINITY: AtomicBool = AtomicBool::new(false);
/// 0: none, otherwise the pass's index plus one.
static TEST_PANIC: AtomicU8 = AtomicU8::new(0);

/// Where something goes that is written at the end.
pub enum OutputFile {
    /// `-`
    Stdout,
    /// An open file and its name.
    File(File, String),
}

impl OutputFile {
    /// Writes `text` in place of what was there.
    ///
    /// # Errors
    /// The file and why it cannot be written.
    pub fn write(self, text: &str) -> Result<(), String> {
        match self {
            OutputFile::Stdout => std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string()),
            OutputFile::File(mut f, name) => {
                let _ = f.set_len(0); // a pipe has no length
                f.write_all(text.as_bytes()).map_err(|e| {
                    let _ = f.set_len(0); // nothing is better than half of it
                    format!("cannot write '{name}': {e}")
                })
            }
        }
    }
}

/// A knob that names a file; opened when the option is read, so that a bad path is an error then.
struct FileKnob {
    file: Mutex<Option<OutputFile>>,
    set: AtomicBool,
}

impl FileKnob {
    const fn new() -> FileKnob {
        FileKnob { file: Mutex::new(None), set: AtomicBool::new(false) }
    }
    fn open(&self, value: &str) -> Result<(), String> {
        let file = if value == "-" {
            OutputFile::Stdout
        } else {
            // Not truncated before there is something to write.
            let open = File::options().write(true).create(true).truncate(false).open(value);
            let open = open.map_err(|e| {
                format!("cannot write '{value}': {e}; allowed: a file that can be written, or '-' for stdout")
            });
            OutputFile::File(open?, value.to_owned())
        };
        *self.file.lock().unwrap_or_else(|e| e.into_inner()) = Some(file);
        self.set.store(true, Relaxed);
        Ok(())
    }
    fn take(&self) -> Option<OutputFile> {
        self.file.lock().unwrap_or_else(|e| e.into_inner()).take()
    }
}

/// The chosen profile.
pub fn profile() -> Profile {
    if PROFILE_IS_UPSTREAM.load(Relaxed) {
        Profile::Upstream
    } else {
        Profile::Cicc
    }
}
/// Whether `pass` runs in Rust for a function of such a target.
pub fn takes(pass: Pass, is_nvptx: bool) -> bool {
    let selected = PassSet::from_bits(PASSES.load(Relaxed)).contains(pass);
    pass.in_rust() && selected && (is_nvptx || ALL_TARGETS.load(Relaxed))
}
/// Whether a stage runs: the profile and `-ptx-passes` have it.
pub fn runs(stage: Stage) -> bool {
    profile() == Profile::Cicc && PassSet::from_bits(PASSES.load(Relaxed)).contains_stage(stage)
}
/// `-ptx-stats`
pub fn stats() -> bool {
    STATS.load(Relaxed)
}
/// Whether statistics are to be collected at all.
pub fn collect_stats() -> bool {
    stats() || STATS_JSON.set.load(Relaxed)
}
/// `-ptx-stats-json`, taken out: it is written once.
pub fn take_stats_json() -> Option<OutputFile> {
    STATS_JSON.take()
}
/// Whether live ranges are to be drawn.
pub fn draw_live_ranges() -> bool {
    LIVE_RANGES.set.load(Relaxed)
}
/// `-ptx-live-ranges`, taken out: it is written once.
pub fn take_live_ranges() -> Option<OutputFile> {
    LIVE_RANGES.take()
}
/// `-maxreg`
pub fn maxreg() -> u32 {
    MAXREG.load(Relaxed)
}
/// `-nvptx-copy-limit` and `-nvptx-coalesce-limit`
pub fn coalescing_budget() -> Budget {
    Budget { copies: COPY_LIMIT.load(Relaxed), joins: COALESCE_LIMIT.load(Relaxed) }
}
/// `-ptx-emit-order`
pub fn emit_order() -> EmitOrder {
    if EMIT_ORDER_IS_PRESSURE.load(Relaxed) {
        EmitOrder::Pressure
    } else {
        EmitOrder::Source
    }
}
/// `-usedessa`, if `-cssa-coalesce` and the profile have the stage run.
pub fn cssa_method() -> Option<Method> {
    let method = match USEDESSA.load(Relaxed) {
        0 => None,
        1 => Some(Method::Plain),
        _ => Some(Method::Value),
    };
    method.filter(|_| CSSA_COALESCE.load(Relaxed) && runs(Stage::Cssa))
}
/// `-cssa-verbosity`
pub fn cssa_verbosity() -> u8 {
    CSSA_VERBOSITY.load(Relaxed)
}
/// `-dump-before-cssa`
pub fn dump_before_cssa() -> bool {
    DUMP_BEFORE_CSSA.load(Relaxed)
}
/// `-ptx-fast-compile`
pub fn fast_compile() -> bool {
    FAST_COMPILE.load(Relaxed)
}
/// `-ptx-verify`
pub fn verify() -> bool {
    VERIFY.load(Relaxed)
}
/// `-ptx-check-analyses`
pub fn check_analyses() -> bool {
    CHECK_ANALYSES.load(Relaxed)
}
/// `-ptx-print-analyses`
pub fn print_analyses() -> bool {
    PRINT_ANALYSES.load(Relaxed)
}
/// `-ptx-print-affinity`
pub fn print_affinity() -> bool {
    PRINT_AFFINITY.load(Relaxed)
}
/// `-ptx-test-panic`
pub fn test_panic(pass: Pass) -> bool {
    usize::from(TEST_PANIC.load(Relaxed)) == pass.index() + 1
}

/// Sets knob `index` of [`KNOBS`].
///
/// # Errors
/// What is wrong with the value and what is allowed.
pub fn set(index: usize, value: &str) -> Result<(), String> {
    (KNOBS[index].set)(value)
}

fn parse_flag(value: &str) -> Result<bool, String> {
    match value {
        "" | "true" | "TRUE" | "True" | "1" => Ok(true),
        "false" | "FALSE" | "False" | "0" => Ok(false),
        _ => Err(format!("invalid value '{value}'; allowed: true, false (or 1, 0, or no value)")),
    }
}

fn set_flag(flag: &AtomicBool, value: &str) -> Result<(), String> {
    flag.store(parse_flag(value)?, Relaxed);
    Ok(())
}

fn set_profile(value: &str) -> Result<(), String> {
    let upstream = match value {
        "upstream" => true,
        "cicc" => false,
        _ => return Err(format!("no profile '{value}'; allowed: upstream, cicc")),
    };
    PROFILE_IS_UPSTREAM.store(upstream, Relaxed);
    Ok(())
}

/// Sets a knob whose values are the integers from 0 to 2.
fn set_level(level: &AtomicU8, value: &str) -> Result<(), String> {
    let n = value.parse().ok().filter(|&n| n <= 2);
    level.store(n.ok_or_else(|| format!("invalid value '{value}'; allowed: 0, 1, 2"))?, Relaxed);
    Ok(())
}

fn set_usedessa(value: &str) -> Result<(), String> {
    set_level(&USEDESSA, value)
}

fn set_cssa_verbosity(value: &str) -> Result<(), String> {
    set_level(&CSSA_VERBOSITY, value)
}

fn set_emit_order(value: &str) -> Result<(), String> {
    let pressure = match value {
        "pressure" => true,
        "source" => false,
        _ => return Err(format!("no order '{value}'; allowed: source, pressure")),
    };
    EMIT_ORDER_IS_PRESSURE.store(pressure, Relaxed);
    Ok(())
}

fn set_passes(value: &str) -> Result<(), String> {
    if value == "help" {
        print!("{}", pipeline::help());
        std::process::exit(0);
    }
    PASSES.store(PassSet::parse(value)?.bits(), Relaxed);
    Ok(())
}

fn set_maxreg(value: &str) -> Result<(), String> {
    let n = value.parse().ok().filter(|&n| n > 0);
    let n =
        n.ok_or_else(|| format!("invalid value '{value}'; allowed: an integer from 1 to {}", u32::MAX))?;
    MAXREG.store(n, Relaxed);
    Ok(())
}

fn set_limit(limit: &AtomicU32, value: &str) -> Result<(), String> {
    let n = value
        .parse()
        .map_err(|_| format!("invalid value '{value}'; allowed: an integer from 0 to {}", u32::MAX))?;
    limit.store(n, Relaxed);
    Ok(())
}

fn set_test_panic(value: &str) -> Result<(), String> {
    let pass = Pass::from_name(value).ok_or_else(|| PassSet::parse(value).err().unwrap_or_default())?;
    TEST_PANIC.store(pass.index() as u8 + 1, Relaxed);
    Ok(())
}

fn print_version(value: &str) -> Result<(), String> {
    if parse_flag(value)? {
        println!("ptxpasses {} for {}", env!("CARGO_PKG_VERSION"), host());
        std::process::exit(0);
    }
    Ok(())
}

fn host() -> String {
    option_env!("PTX_LLVM_MAJOR").map_or("no LLVM".to_owned(), |major| format!("LLVM {major}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_a_bad_value_names_what_is_allowed() {
        assert!(set_profile("fast").unwrap_err().contains("allowed: upstream, cicc"));
        assert!(parse_flag("maybe").unwrap_err().contains("allowed: true, false"));
        assert!(set_test_panic("x").unwrap_err().contains("allowed: emitter"));
        let e = FileKnob::new().open("/no/such/directory/x.json").unwrap_err();
        assert!(e.starts_with("cannot write '/no/such/directory/x.json'"), "{e}");
        for bad in ["", "0", "-1", "seventy", "4294967296", "7.5"] {
            let e = set_maxreg(bad).unwrap_err();
            assert!(e.contains("allowed: an integer from 1 to 4294967295"), "{e}");
        }
        for bad in ["", "-1", "many", "4294967296"] {
            let e = set_limit(&AtomicU32::new(0), bad).unwrap_err();
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
    fn names_are_unique() {
        let mut names: Vec<_> = KNOBS.iter().map(|k| k.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KNOBS.len());
    }
}
