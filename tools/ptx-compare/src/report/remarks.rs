//! Reads the remarks that llc writes with `-pass-remarks-output`.
//!
//! The file is a sequence of YAML documents. The tag on the line that begins one is the kind of the
//! remark.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_norway::Value;

use super::listing::Files;
use super::model::Remark;

/// A document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Document {
    pass: String,
    name: String,
    function: String,
    debug_loc: Option<Location>,
    /// Each has one key and its value, in order; and a place, if the value has one.
    #[serde(default)]
    args: Vec<BTreeMap<String, Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Location {
    file: String,
    line: u32,
}

/// The remarks by function, in the order of the file.
pub fn parse(yaml: &str, files: &Files) -> Result<BTreeMap<String, Vec<Remark>>> {
    let mut remarks: BTreeMap<String, Vec<Remark>> = BTreeMap::new();
    for document in yaml.split("--- !").skip(1) {
        let (kind, body) = document.split_once('\n').unwrap_or((document, ""));
        let body = body.trim_end().trim_end_matches("...");
        let document: Document =
            serde_norway::from_str(body).with_context(|| format!("llc's remark cannot be read: {body}"))?;
        let place = document.debug_loc.as_ref().map_or([0, 0], |at| [files.ending_with(&at.file), at.line]);
        remarks.entry(document.function.clone()).or_default().push(Remark {
            kind: kind.trim().to_lowercase(),
            text: text(&document),
            places: if place[0] == 0 { Vec::new() } else { vec![place] },
            count: 1,
            pass: document.pass,
            name: document.name,
        });
    }
    Ok(remarks)
}

/// Joins remarks that are equal except for the numbers of registers, blocks and instructions.
/// Remarks that a user can act on come first: the register pressure of the function, remarks with a
/// place in the source, missed ones, frequent ones.
pub fn folded(remarks: Vec<Remark>) -> Vec<Remark> {
    let mut folded: Vec<Remark> = Vec::new();
    let mut known: HashMap<[String; 3], usize> = HashMap::new();
    for remark in remarks {
        let key = [remark.pass.clone(), format!("{} {}", remark.kind, remark.name), masked(&remark.text)];
        match known.get(&key) {
            None => {
                known.insert(key, folded.len());
                folded.push(remark);
            }
            Some(&at) => {
                let first = &mut folded[at];
                if first.text != remark.text {
                    let [.., text] = key;
                    first.text = text;
                }
                first.places.extend(remark.places);
                first.count += remark.count;
            }
        }
    }
    for remark in &mut folded {
        remark.places.sort_unstable();
        remark.places.dedup();
    }
    folded.sort_by_key(|remark| {
        let kind = match remark.kind.as_str() {
            "missed" => 0,
            "analysis" => 1,
            _ => 2,
        };
        let is_pressure = remark.name == "RegisterPressure";
        (!is_pressure, remark.places.is_empty(), kind, Reverse(remark.count))
    });
    folded
}

/// The text with `…` in place of the numbers of registers, `%12`, blocks, `%bb.3`, and
/// instructions, `512r`.
fn masked(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let digits = from.len() - from.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, after) = from.split_at(digits);
        let is_slot = before.ends_with(' ')
            && after
                .strip_prefix(['r', 'B', 'e', 'd'])
                .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        result.push_str(before);
        result.push_str(if before.ends_with(['%']) || before.ends_with("%bb.") || is_slot {
            "…"
        } else {
            number
        });
        rest = after;
    }
    result.push_str(rest);
    result
}

/// The message without the function's name before it, which the page shows anyway.
fn text(document: &Document) -> String {
    let values = document.args.iter().flatten().filter(|(key, _)| *key != "DebugLoc");
    let text: String = values
        .map(|(_, value)| match value {
            Value::String(text) => text.clone(),
            other => serde_norway::to_string(other).unwrap_or_default().trim().to_owned(),
        })
        .collect();
    let name = format!("Function: {}", document.function);
    match text.strip_prefix(&name) {
        Some(rest) => rest.trim_start_matches([':', ',', ' ']).to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YAML: &str = "\
--- !Missed
Pass:            twoaddressinstruction
Name:            TiedOperandCopy
DebugLoc:        { File: 'd/a.cu', Line: 46, Column: 27 }
Function:        k
Args:
  - String:          'Function: '
  - Function:        k
  - String:          ': COPY of '
  - From:            '%138:b32'
  - Number:          '7'
    DebugLoc:        { File: 'd/b.h', Line: 18, Column: 36 }
  - Plain:           12
...
--- !Analysis
Pass:            liveintervals
Name:            RegisterPressure
Function:        f
Args:
  - String:          'at most 17, it''s --- fine'
...
";

    #[test]
    fn kinds_places_and_texts() {
        let mut files = Files::default();
        files.number("/x/d/a.cu");
        let remarks = parse(YAML, &files).expect("remarks");
        let k = &remarks["k"][0];
        assert_eq!((k.kind.as_str(), &k.places[..]), ("missed", &[[1, 46]][..]));
        assert_eq!(k.text, "COPY of %138:b32712");
        let f = &remarks["f"][0];
        assert_eq!((f.kind.as_str(), &f.places[..]), ("analysis", &[][..]));
        assert_eq!(f.text, "at most 17, it's --- fine");
    }

    #[test]
    fn equal_remarks_are_one_and_those_without_a_place_stand_last() {
        let remark = |kind: &str, name: &str, text: &str, places: &[[u32; 2]]| Remark {
            kind: kind.into(),
            name: name.into(),
            text: text.into(),
            places: places.to_vec(),
            count: 1,
            ..Remark::default()
        };
        let all = vec![
            remark("missed", "Tied", "COPY of %1:b32, shfl.b32 at 16r", &[]),
            remark("missed", "Tied", "COPY of %7:b32, shfl.b32 at 48r", &[]),
            remark("analysis", "RegisterPressure", "at most 7 live", &[]),
            remark("missed", "Left", "'%3' is left", &[[1, 9]]),
            remark("missed", "Tied", "COPY of %7:b64, shfl.b32 at 48r", &[]),
            remark("missed", "Left", "'%4' is left", &[[1, 4]]),
        ];
        let folded = folded(all);
        let seen: Vec<_> = folded.iter().map(|r| (r.text.as_str(), r.count, r.places.len())).collect();
        assert_eq!(
            seen,
            [
                ("at most 7 live", 1, 0),
                ("'%…' is left", 2, 2),
                ("COPY of %…:b32, shfl.b32 at …r", 2, 0),
                ("COPY of %7:b64, shfl.b32 at 48r", 1, 0)
            ]
        );
        assert_eq!(folded[1].places, [[1, 4], [1, 9]]);
    }

    #[test]
    fn what_is_not_a_remark_is_an_error() {
        assert!(parse("--- !Missed\nPass: [\n...\n", &Files::default()).is_err());
        assert!(parse("", &Files::default()).expect("none").is_empty());
    }
}
