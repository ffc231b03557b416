//! Known faults of ptxas: the versions and processors that have them, and what avoids them.
//!
//! ```
//! use ptxas_errata::{Id, State, Version, ERRATA};
//!
//! let version: Version = "13.0.88".parse().unwrap();
//! let fault = ERRATA.iter().find(|fault| fault.id == Id::UnsignedAsSigned).unwrap();
//! assert_eq!(fault.versions.state(version), State::Wrong);
//! assert!(fault.processors.include("sm_90"));
//! ```
//!
//! **Problem.** ptxas compiles some correct PTX wrongly. A user sees wrong results and looks for the
//! fault in the kernel. A tool that knows the version of ptxas can warn of such code, or write it
//! in another form.
//!
//! **Algorithm.** One table, [`ERRATA`]. For each version, [`Tried::state`] says whether a fault is
//! known to be there, known to be absent, or neither. The stage `ptxas-errata` rewrites code, and
//! `ptx-compare lint` finds the places in anybody's PTX.
//!
//! **Source.** Each entry names its own: a thread, or a text in `tests/errata` that
//! `tests/errata/run.py` has compiled by each version and run by emulation. Versions that were
//! compiled that way are marked as our own. **Deviation:** what a thread says and we did not repeat is
//! marked as reported. Of a version between two that gave different results nothing is known.
//!
//! **Complexity.** Linear in the table.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A version of ptxas: release and build, as `13.0.88`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    major: u32,
    minor: u32,
    build: u32,
}

impl Version {
    const fn new(major: u32, minor: u32, build: u32) -> Self {
        Version { major, minor, build }
    }

    /// Whether this ptxas is old enough not to know a version of PTX. Of one that CUDA has not
    /// published (up to 9.5) it is not known.
    pub fn is_too_old_for(self, (major, minor): (u32, u32)) -> bool {
        let first = match (major, minor) {
            (7, 0..=8) => (11, minor),
            (8, 0..=5) => (12, minor),
            // CUDA 12.6 has no PTX of its own.
            (8, 6..=8) => (12, minor + 1),
            (9, _) => (13, minor),
            _ => return false,
        };
        (self.major, self.minor) < first
    }

    /// A number that has the whole version and is not 0.
    pub fn number(self) -> u64 {
        [self.major, self.minor, self.build].iter().fold(1, |number, &part| number << BITS | u64::from(part))
    }

    /// The version that [`number`](Version::number) has.
    pub fn from_number(number: u64) -> Version {
        let part = |at: u32| (number >> (at * BITS)) as u32 & ((1 << BITS) - 1);
        Version { major: part(2), minor: part(1), build: part(0) }
    }
}

/// The bits of a part of a version.
const BITS: u32 = 20;

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.build)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text that is not a version of ptxas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoVersion(String);

impl fmt::Display for NoVersion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = &self.0;
        write!(
            f,
            "'{text}' is not a version of ptxas: three numbers, as 13.0.88 (ptxas --version prints V13.0.88)"
        )
    }
}

impl std::error::Error for NoVersion {}

impl FromStr for Version {
    type Err = NoVersion;

    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let fits = |number: &u32| *number < 1 << BITS;
        let number = |part: &str| part.parse().ok().filter(|_| digits(part)).filter(fits);
        let parts: Vec<&str> = text.strip_prefix('V').unwrap_or(text).split('.').collect();
        let version = match parts[..] {
            [major, minor, build] => number(major).zip(number(minor)).zip(number(build)),
            _ => None,
        };
        let ((major, minor), build) = version.ok_or_else(|| NoVersion(text.to_owned()))?;
        Ok(Version { major, minor, build })
    }
}

/// Whether a version of ptxas has a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It has the fault, or is between two versions that have.
    Wrong,
    /// It does not, or is on the far side of a version that does not.
    Right,
    /// It was not tried, and its neighbours do not tell.
    NotTried,
}

/// The versions of ptxas that were tried, at the edges of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The last version before the fault, if one was tried.
    pub right_before: Option<Version>,
    /// The first version that was wrong.
    pub first_wrong: Version,
    /// The last version that was wrong.
    pub last_wrong: Version,
    /// The first version after the fault, if one was tried.
    pub right_after: Option<Version>,
}

impl Tried {
    /// Whether a version has the fault.
    pub fn state(&self, version: Version) -> State {
        if (self.first_wrong..=self.last_wrong).contains(&version) {
            State::Wrong
        } else if self.right_before.is_some_and(|right| version <= right)
            || self.right_after.is_some_and(|right| version >= right)
        {
            State::Right
        } else {
            State::NotTried
        }
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.first_wrong)?;
        if self.last_wrong != self.first_wrong {
            write!(f, " to {}", self.last_wrong)?;
        }
        if let Some(right) = self.right_before {
            write!(f, "; {right} is right")?;
        }
        match self.right_after {
            Some(right) => write!(f, "; fixed in {right}"),
            None => write!(f, "; no later one is known to be right"),
        }
    }
}

/// The processors that a fault concerns, by the number in their name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processors {
    /// All that were tried.
    All,
    /// This one and later ones.
    From(u32),
    /// These.
    Listed(&'static [u32]),
}

impl Processors {
    /// Whether a processor is among them: `sm_90`, or `sm_90a`. One whose name has no number may be.
    pub fn include(self, processor: &str) -> bool {
        let digits: String = processor.chars().filter(char::is_ascii_digit).collect();
        let Ok(number) = digits.parse() else { return true };
        match self {
            Processors::All => true,
            Processors::From(first) => number >= first,
            Processors::Listed(all) => all.contains(&number),
        }
    }
}

impl fmt::Display for Processors {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Processors::All => write!(f, "all"),
            Processors::From(first) => write!(f, "sm_{first} and later"),
            Processors::Listed(all) => {
                let names: Vec<String> = all.iter().map(|number| format!("sm_{number}")).collect();
                write!(f, "{}", names.join(", "))
            }
        }
    }
}

/// An entry's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Id {
    UnsignedAsSigned,
    NegatedMaximum,
    PackedHalf,
    UpperWord,
    WgmmaInputs,
    HopperState,
    NestedDivergence,
    CutlassName,
}

impl Id {
    /// Its entry.
    pub fn erratum(self) -> &'static Erratum {
        ERRATA.iter().find(|erratum| erratum.id == self).expect("each has an entry")
    }

    /// The name as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Id::UnsignedAsSigned => "unsigned-as-signed",
            Id::NegatedMaximum => "negated-maximum",
            Id::PackedHalf => "packed-half",
            Id::UpperWord => "upper-word",
            Id::WgmmaInputs => "wgmma-inputs",
            Id::HopperState => "hopper-state",
            Id::NestedDivergence => "nested-divergence",
            Id::CutlassName => "cutlass-name",
        }
    }
}

/// What the fault costs a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harm {
    /// The code computes something else.
    WrongCode,
    /// The code is slower.
    SlowCode,
}

/// How the versions of an entry are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// `tests/errata` has a text of ours; each version compiled it, and the machine code was run by
    /// emulation.
    Emulated,
    /// The source says so. We did not repeat it.
    Reported,
}

/// A known fault of ptxas.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    pub id: Id,
    pub harm: Harm,
    pub versions: Tried,
    pub processors: Processors,
    /// The code that shows it, if that is known.
    pub pattern: Option<&'static str>,
    /// What ptxas makes of it.
    pub fault: &'static str,
    /// What avoids it, other than a version that is right.
    pub avoided_by: &'static str,
    pub evidence: Evidence,
    /// Where it is described.
    pub source: &'static str,
}

/// All known faults.
pub const ERRATA: &[Erratum] = &[
    Erratum {
        id: Id::UnsignedAsSigned,
        harm: Harm::WrongCode,
        versions: Tried {
            right_before: Some(Version::new(12, 5, 82)),
            first_wrong: Version::new(12, 6, 20),
            last_wrong: Version::new(13, 3, 73),
            right_after: Some(Version::new(13, 4, 59)),
        },
        processors: Processors::All,
        pattern: Some(
            "setp.R.u32 and setp.R.s32 of the same operands in the same order, R one of lt, le, gt, ge; a branch on one is taken to a block that ends in a branch on the other, both with or both without '!'",
        ),
        fault: "the first branch is taken to where the second one leads, as if both comparisons had the same result",
        avoided_by: "the operands of one comparison exchanged, or its constant one larger or smaller, and the relation to match: setp.le.s32 b, a for setp.ge.s32 a, b; ptxas -O0",
        evidence: Evidence::Emulated,
        source: "docs/measured.md#on-a-gpu (found by this project, on an H200 and by emulation)",
    },
    Erratum {
        id: Id::NegatedMaximum,
        harm: Harm::WrongCode,
        versions: Tried {
            right_before: Some(Version::new(12, 5, 82)),
            first_wrong: Version::new(12, 6, 20),
            last_wrong: Version::new(13, 3, 73),
            right_after: Some(Version::new(13, 4, 59)),
        },
        processors: Processors::Listed(&[90, 100, 103]),
        pattern: Some(
            "max.s32 whose second operand is the result of neg.s32 (or 0 - x, or x * -1), and whose own result is only read by another max.s32; the same with min.s32; no operand is a constant",
        ),
        fault: "both become one VIMNMX3, which reads the number without its minus sign",
        avoided_by: "the operands of the first one exchanged, so that the negation is the first operand; abs.s32 for the maximum of x and -x; ptxas -O0",
        evidence: Evidence::Emulated,
        source: "https://github.com/triton-lang/triton/pull/11032, https://github.com/pytorch/pytorch/issues/190973 (sm_100; CUDA 12.8, 13.0, 13.1 and 13.3; -O1 and above; abs.s32 avoids it). The exact pattern, sm_90 and the other versions: ours",
    },
    Erratum {
        id: Id::PackedHalf,
        harm: Harm::WrongCode,
        versions: Tried {
            right_before: None,
            first_wrong: Version::new(12, 0, 76),
            last_wrong: Version::new(13, 1, 80),
            right_after: Some(Version::new(13, 1, 115)),
        },
        processors: Processors::From(90),
        pattern: Some(
            "add.s16x2 or add.u16x2 with a constant, of whose result one half alone is read, by mov.b32 {a, b}, cvt.u16.u32, cvt.s32.s16 or a store of 16 bits, or through another such sum, a copy or a word of 64 bits",
        ),
        fault: "the constant becomes 0",
        avoided_by: "add.s32 with the constant's half that is read, in its place, and 0 in the other half; ptxas -O0",
        evidence: Evidence::Emulated,
        source: "https://github.com/triton-lang/triton/issues/11581 (12.9.86 wrong on an H100, 13.3.33 right). The exact pattern and the other versions: ours",
    },
    Erratum {
        id: Id::UpperWord,
        harm: Harm::WrongCode,
        versions: Tried {
            right_before: None,
            first_wrong: Version::new(12, 8, 61),
            last_wrong: Version::new(13, 0, 88),
            right_after: Some(Version::new(13, 1, 80)),
        },
        processors: Processors::From(120),
        pattern: Some(
            "add.s64 of a number and 2147483648, compared by setp of 64 bits, beside another add.s64 of the same number and a constant that is compared as well",
        ),
        fault: "the sum's upper word is a register that no instruction writes",
        avoided_by: "ptxas -O0; eight other forms of the sum that we tried are wrong as well",
        evidence: Evidence::Emulated,
        source: "docs/comparing.md#machine-code (found by this project, by emulation)",
    },
    Erratum {
        id: Id::WgmmaInputs,
        harm: Harm::WrongCode,
        versions: Tried {
            right_before: None,
            first_wrong: Version::new(12, 9, 86),
            last_wrong: Version::new(12, 9, 86),
            right_after: Some(Version::new(13, 3, 33)),
        },
        processors: Processors::Listed(&[90]),
        pattern: Some("wgmma.mma_async with its first matrix in registers, before a wgmma.wait_group that lets some go on"),
        fault: "registers of the matrix are written again before the asynchronous product has read them",
        avoided_by: "a mov of each register of the matrix right before its wgmma (triton#9514), or a wait for all products",
        evidence: Evidence::Reported,
        source: "https://github.com/triton-lang/triton/pull/11781 (\"CUDA 12.9 can reuse input registers\"; it says that NVIDIA's notes of 13.3 have the fix), https://github.com/triton-lang/triton/issues/9433 (\"fixed ... with ptxas 13.3, but not before\")",
    },
    Erratum {
        id: Id::HopperState,
        harm: Harm::WrongCode,
        versions: Tried {
            right_before: None,
            first_wrong: Version::new(12, 8, 93),
            last_wrong: Version::new(13, 0, 88),
            right_after: Some(Version::new(13, 1, 80)),
        },
        processors: Processors::Listed(&[90]),
        pattern: None,
        fault: "two kernels of flash-linear-attention: wrong numbers (12.8.93), writes outside of shared memory (12.8.93 and 13.0.88)",
        avoided_by: "in Triton, a scale that is not specialised to 1; no pattern in PTX is known",
        evidence: Evidence::Reported,
        source: "https://github.com/fla-org/flash-linear-attention/pull/1262 (H20, sm_90a, -O3 --regAllocOptLevel=2)",
    },
    Erratum {
        id: Id::NestedDivergence,
        harm: Harm::WrongCode,
        versions: Tried {
            right_before: None,
            first_wrong: Version::new(12, 8, 61),
            last_wrong: Version::new(13, 2, 86),
            right_after: Some(Version::new(13, 3, 33)),
        },
        processors: Processors::All,
        pattern: None,
        fault: "stale registers where two or more levels of divergence are nested and ptxas leaves out an instruction that makes threads meet again",
        avoided_by: "no pattern in PTX is known",
        evidence: Evidence::Reported,
        source: "NVIDIA's release notes of CUDA 13.3, as quoted by https://oracore.dev/en/news/cuda-toolkit-13-3-fixes-nested-divergence-bug-en (\"has existed since CUDA 12.8\"); processors are not named, and we have not read the notes themselves",
    },
    Erratum {
        id: Id::CutlassName,
        harm: Harm::SlowCode,
        versions: Tried {
            right_before: None,
            first_wrong: Version::new(13, 1, 80),
            last_wrong: Version::new(13, 3, 33),
            right_after: None,
        },
        processors: Processors::Listed(&[100]),
        pattern: Some("an .entry whose name contains \"cutlass\""),
        fault: "-O3 uses other heuristics for it: 80 registers and a stack frame of 4,400 bytes instead of 168 registers, 31 % more time. Code under two names is not comparable",
        avoided_by: "another name; ptxas -O2",
        evidence: Evidence::Reported,
        source: "https://github.com/NVIDIA/cutlass/issues/3389 (sm_100a, \"Build cuda_13.3.r13.3/compiler.37862127_0\" and 13.1.80; other processors were not tried)",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().expect("a version")
    }

    #[test]
    fn a_version_of_ptx_needs_a_ptxas_that_knows_it() {
        // The last version that each ptxas takes, as tried.
        for (ptxas, last, next) in [
            ("12.0.76", (8, 0), (8, 1)),
            ("12.5.82", (8, 5), (8, 6)),
            ("12.6.20", (8, 5), (8, 6)),
            ("12.8.61", (8, 7), (8, 8)),
            ("12.9.86", (8, 8), (9, 0)),
            ("13.0.88", (9, 0), (9, 1)),
            ("13.5.37", (9, 5), (9, 6)),
        ] {
            let version: Version = ptxas.parse().expect("a version");
            assert!(!version.is_too_old_for(last) && version.is_too_old_for(next), "{ptxas}");
            assert!(!version.is_too_old_for((6, 0)) && !version.is_too_old_for((10, 0)), "{ptxas}");
        }
    }

    #[test]
    fn versions_are_three_numbers() {
        assert_eq!(version("13.0.88"), version("V13.0.88"));
        assert!(version("12.9.86") < version("13.0.48") && version("12.8.93") < version("12.10.1"));
        assert_eq!(version("13.0.88").to_string(), "13.0.88");
        for text in ["0.0.0", "13.0.88", "1048575.1048575.1048575"] {
            let number = version(text).number();
            assert_eq!((Version::from_number(number), number > 0), (version(text), true));
        }
        for text in [
            "",
            "13",
            "13.0",
            "13.0.88.1",
            "13.0.",
            "13.0.x",
            "13.0.-1",
            "13.0.+8",
            "13.0.1048576",
            "13.0.99999999999",
            " 13.0.88",
        ] {
            let error = text.parse::<Version>().expect_err(text).to_string();
            assert!(error.starts_with(&format!("'{text}' is not a version of ptxas")), "{error}");
        }
    }

    #[test]
    fn neighbours_of_versions_that_were_tried() {
        let tried = Tried {
            right_before: Some(version("12.5.82")),
            first_wrong: version("12.6.20"),
            last_wrong: version("13.3.73"),
            right_after: Some(version("13.4.59")),
        };
        let states =
            ["12.0.1", "12.5.82", "12.6.1", "12.6.20", "13.0.88", "13.3.73", "13.4.1", "13.4.59", "14.0.1"];
        use State::{NotTried, Right, Wrong};
        let wanted = [Right, Right, NotTried, Wrong, Wrong, Wrong, NotTried, Right, Right];
        assert_eq!(states.map(|text| tried.state(version(text))), wanted);
        let open = Tried { right_before: None, right_after: None, ..tried };
        assert_eq!(["12.0.1", "14.0.1"].map(|text| open.state(version(text))), [NotTried; 2]);
    }

    #[test]
    fn processors_by_their_number() {
        assert!(
            Processors::Listed(&[90, 100]).include("sm_90a") && !Processors::Listed(&[90]).include("sm_100")
        );
        assert!(Processors::From(90).include("sm_120") && !Processors::From(90).include("sm_89"));
        assert!(Processors::All.include("sm_75") && Processors::Listed(&[90]).include("unknown"));
    }

    #[test]
    fn entries_are_whole() {
        for erratum in ERRATA {
            let Tried { right_before, first_wrong, last_wrong, right_after } = erratum.versions;
            assert!(first_wrong <= last_wrong, "{:?}", erratum.id);
            assert!(right_before.is_none_or(|right| right < first_wrong), "{:?}", erratum.id);
            assert!(right_after.is_none_or(|right| right > last_wrong), "{:?}", erratum.id);
            assert!(erratum.evidence == Evidence::Reported || erratum.pattern.is_some(), "{:?}", erratum.id);
            let name = serde_json::to_string(&erratum.id).expect("a name");
            assert_eq!(name.trim_matches('"'), erratum.id.name());
            assert_eq!(ERRATA.iter().filter(|other| other.id == erratum.id).count(), 1);
        }
    }
}
