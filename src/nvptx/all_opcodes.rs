//! Classifies all opcodes of the testable LLVM versions, and compares the result with
//! `tests/opcodes/`.
//!
//! `llvm-N.txt.gz` has the names of LLVM N's NVPTX opcodes; `tests/lit/targets/opcode-names.test`
//! compares it with LLVM N itself. `classes.txt` has the non-empty rows of the table, each with the
//! versions that have it; `PTX_UPDATE=1 cargo test --lib all_opcodes` renews it.

use super::accesses::AddressPlace;
use super::computation::Operation;
use super::counterparts::ClassImmediates;
use super::created::CreatedOp;
use super::form::Form;
use super::table::OpcodeInfo;
use super::uniformity::Uniformity;
use crate::versions::Versions;
use flate2::read::GzDecoder;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

const VERSIONS: [u32; 7] = [17, 18, 19, 21, 22, 23, 24];

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "opcodes", name].iter().collect()
}

/// Returns the opcode names of a version, a line each.
fn names_of(version: u32) -> String {
    let path = path(&format!("llvm-{version}.txt.gz"));
    std::fs::File::open(&path)
        .and_then(|file| std::io::read_to_string(GzDecoder::new(file)))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns every opcode name of any version.
pub fn names() -> BTreeSet<String> {
    VERSIONS.iter().flat_map(|&v| names_of(v).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Returns the row of an opcode as text; empty if no column classifies the opcode.
fn text(info: OpcodeInfo) -> String {
    let mut out = String::new();
    if info.operation != Operation::Other {
        write!(out, " {:?}", info.operation).unwrap();
    }
    if let Some(m) = info.move_ {
        write!(out, " move={:?}/{:?}/{}", m.family, m.type_code, m.bits).unwrap();
    }
    if let Some(a) = info.arithmetic {
        write!(out, " arithmetic={:?}/{}", a.operation, a.bits).unwrap();
    }
    if let Some(signed) = info.signed {
        write!(out, " signed={signed:?}").unwrap();
    }
    if let Some(packed) = info.packed {
        write!(out, " packed={packed:?}").unwrap();
    }
    if let Some(comparison) = info.comparison {
        write!(out, " {comparison:?}").unwrap();
    }
    if info.is_widening {
        out += " widening";
    }
    if let Some(place) = info.address {
        let AddressPlace { operands_before, has_offset, space, may_be_short } = place;
        let offset = if has_offset { "+offset" } else { "" };
        let short = if may_be_short { "/short" } else { "" };
        write!(out, " address={operands_before}{offset}/{space:?}{short}").unwrap();
    }
    if let Some(narrowing) = info.narrowing {
        write!(out, " narrowing={narrowing:?}").unwrap();
    }
    if let Some(n) = info.immediates_before_type {
        write!(out, " type=imm{n}").unwrap();
    }
    if info.class_immediates != ClassImmediates::Unrelated {
        write!(out, " immediates={:?}", info.class_immediates).unwrap();
    }
    if info.uniformity != Uniformity::Unknown {
        write!(out, " uniform={:?}", info.uniformity).unwrap();
    }
    out
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn all_opcodes_of_each_version_are_classified_as_expected() {
    let mut versions_of = BTreeMap::<String, Vec<String>>::new();
    for version in VERSIONS {
        let nvptx = Versions::of(version).nvptx;
        for name in names_of(version).lines() {
            let row = text(OpcodeInfo::of_version(name, Form::NAMED, &nvptx));
            if !row.is_empty() {
                versions_of.entry(format!("{name}{row}")).or_default().push(version.to_string());
            }
        }
    }
    let found: Vec<_> =
        versions_of.iter().map(|(row, versions)| format!("{row} | {}\n", versions.join(" "))).collect();
    let table = path("classes.txt");
    if std::env::var_os("PTX_UPDATE").is_some() {
        std::fs::write(&table, found.concat()).unwrap();
    }
    let expected =
        std::fs::read_to_string(&table).unwrap_or_else(|error| panic!("{}: {error}", table.display()));
    let expected = expected.split_inclusive('\n').collect::<BTreeSet<_>>();
    let found = found.iter().map(String::as_str).collect::<BTreeSet<_>>();
    let missing: Vec<_> = expected.difference(&found).take(20).collect();
    let surplus: Vec<_> = found.difference(&expected).take(20).collect();
    assert!(found == expected, "missing {missing:#?}, found instead {surplus:#?}");
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn all_opcodes_that_stages_create_are_there() {
    for version in VERSIONS {
        let names = names_of(version);
        let names: BTreeSet<_> = names.lines().collect();
        for op in CreatedOp::ALL {
            let version_facts = Versions::of(version).nvptx;
            let is_there = op.names_in(&version_facts).any(|name| names.contains(name));
            let is_everywhere = !matches!(op, CreatedOp::MulAddWide(_));
            assert_eq!(
                is_there,
                is_everywhere || version_facts.multiplies_and_adds_wide,
                "LLVM {version}: {op:?}"
            );
            assert!(
                is_there || op.names().iter().all(|name| !names.contains(name)),
                "LLVM {version} has {op:?}"
            );
            // Most have the usual name, and none has two names.
            assert!(
                op.names().iter().collect::<BTreeSet<_>>().intersection(&names.iter().collect()).count() <= 1
            );
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn all_opcodes_have_the_counterparts_that_stages_want() {
    use super::arithmetic::Arithmetic;
    use super::counterparts::Counterpart;
    use super::narrowing::Narrowing;
    for version in VERSIONS {
        let names = names_of(version);
        let names: BTreeSet<_> = names.lines().collect();
        for &name in &names {
            let info = OpcodeInfo::of_version(name, Form::NAMED, &Versions::of(version).nvptx);
            let mut wanted = Vec::new();
            let by_register = |place: &AddressPlace| !place.has_offset && name.contains("areg");
            if info.address.filter(by_register).is_some() {
                wanted.push(Counterpart::WithOffset);
            }
            if info.arithmetic.is_some_and(|a| a.operation == Arithmetic::Add) {
                wanted.push(Counterpart::WithConstant);
            }
            if info.address.is_some_and(|place| place.may_be_short) {
                wanted.push(Counterpart::ShortAddress);
            }
            if info.narrowing.is_some_and(Narrowing::is_operation) {
                wanted.push(Counterpart::LowHalf);
            }
            for counterpart in wanted {
                let other = counterpart.name(name);
                let is_sum = counterpart == Counterpart::WithConstant;
                let other = if is_sum && name.ends_with("ri") { name } else { &other };
                assert!(names.contains(other), "LLVM {version}: {name} and no {other}");
            }
        }
    }
}
