//! Reads the remarks that llc writes with `-pass-remarks-output`.
//!
//! The file is a sequence of YAML documents. What kind of remark it is stands as a tag behind the line that begins one.

use std::collections::BTreeMap;

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
    /// Each one a key and its value, in order; a place as well, where the value has one.
    #[serde(default)]
    args: Vec<BTreeMap<String, Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Location {
    file: String,
    line: u32,
    column: u32,
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
            place: if place[0] == 0 { [0, 0] } else { place },
            column: document.debug_loc.map_or(0, |at| at.column),
            pass: document.pass,
            name: document.name,
        });
    }
    Ok(remarks)
}

/// The message without the function's name in front, which the page shows anyway.
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
        assert_eq!((k.kind.as_str(), k.place, k.column), ("missed", [1, 46], 27));
        assert_eq!(k.text, "COPY of %138:b32712");
        let f = &remarks["f"][0];
        assert_eq!((f.kind.as_str(), f.place), ("analysis", [0, 0]));
        assert_eq!(f.text, "at most 17, it's --- fine");
    }

    #[test]
    fn what_is_no_remark_is_an_error() {
        assert!(parse("--- !Missed\nPass: [\n...\n", &Files::default()).is_err());
        assert!(parse("", &Files::default()).expect("none").is_empty());
    }
}
