//! Reads what each pass and stage did, from `-ptx-stats-json` and `-ptx-stage-code`.
//!
//! The code after each step is mostly the same text again and again. We keep the first one, and the
//! changes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Deserialize;
use similar::{capture_diff_slices_deadline, Algorithm, DiffTag};

use super::model::{Edit, Stage};

/// The time limit for comparing two texts; what is left then is one difference.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Deserialize)]
struct Entry {
    function: String,
    pass: String,
    nanoseconds: u64,
    #[serde(default)]
    instructions: u64,
    #[serde(default)]
    counters: serde_json::Map<String, serde_json::Value>,
}

/// The passes by function, in the order in which they ran.
pub fn parse(json: &str) -> Result<BTreeMap<String, Vec<Stage>>> {
    let entries: Vec<Entry> = serde_json::from_str(json).context("the plugin's statistics")?;
    let mut stages: BTreeMap<String, Vec<Stage>> = BTreeMap::new();
    for entry in entries {
        let counts = entry.counters.into_iter();
        let counts = counts.filter_map(|(name, value)| Some((name, value.as_u64().filter(|&n| n > 0)?)));
        stages.entry(entry.function.clone()).or_default().push(Stage {
            counts: counts.collect(),
            function: entry.function,
            name: entry.pass,
            nanoseconds: entry.nanoseconds,
            instructions: entry.instructions,
            ..Stage::default()
        });
    }
    Ok(stages)
}

/// A step that changed the code of a function.
#[derive(Debug, Deserialize)]
struct Change {
    function: String,
    pass: String,
    before: String,
    after: String,
}

/// A text without memory operands, and without the flags of last uses and of unread results. These
/// change with liveness, and would make most lines differ.
fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.split(" :: (").next().unwrap_or(line);
        out.push_str(&line.replace("killed %", "%").replace("dead %", "%"));
        out.push('\n');
    }
    out
}

/// Adds to each stage how it changes the code.
pub fn add_code(json: &str, stages: &mut BTreeMap<String, Vec<Stage>>) -> Result<()> {
    let changes: Vec<Change> = serde_json::from_str(json).context("the plugin's code of stages")?;
    let mut last: BTreeMap<&str, String> = BTreeMap::new();
    for change in &changes {
        let mine = stages.get_mut(&change.function).into_iter().flatten();
        let found = mine.into_iter().find(|stage| stage.name == change.pass && stage.changes.is_empty());
        let (before, after) = (shown(&change.before), shown(&change.after));
        let Some(stage) = found.filter(|_| before != after) else { continue };
        stage.changes = edits(&before, &after);
        let known = last.insert(&change.function, after).unwrap_or_default();
        stage.between = edits(&known, &before);
    }
    Ok(())
}

/// The edits that turn one text into another.
fn edits(old: &str, new: &str) -> Vec<Edit> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let deadline = Some(Instant::now() + PATIENCE);
    let mut done = 0;
    let mut edits = Vec::new();
    for op in capture_diff_slices_deadline(Algorithm::Myers, &old, &new, deadline) {
        if op.tag() != DiffTag::Equal {
            let (from, to) = (op.old_range(), op.new_range());
            let inserted = new[to].iter().map(|&line| line.to_owned()).collect();
            edits.push(Edit(from.start - done, from.len(), inserted));
            done = from.end;
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_not_zero() {
        let json = r#"[{"module": "a.ll", "function": "k", "pass": "sink", "nanoseconds": 7861, "instructions": 142,
            "counters": {"moved": 1, "left": 0}}, {"function": "k", "pass": "coalescer", "nanoseconds": 1}]"#;
        let stages = parse(json).expect("statistics");
        let [sink, coalescer] = &stages["k"][..] else { panic!("two passes") };
        assert_eq!((sink.instructions, sink.nanoseconds), (142, 7861));
        assert_eq!(sink.counts, [("moved".to_owned(), 1)]);
        assert_eq!((coalescer.name.as_str(), coalescer.counts.len()), ("coalescer", 0));
        assert!(parse("{}").is_err());
    }

    /// The same as the page does.
    fn edited(text: &str, edits: &[Edit]) -> String {
        let mut lines = text.lines();
        let mut out = String::new();
        let mut put = |line: &str| out.push_str(&format!("{line}\n"));
        for Edit(keep, remove, insert) in edits {
            lines.by_ref().take(*keep).for_each(&mut put);
            lines.by_ref().take(*remove).for_each(drop);
            insert.iter().for_each(|line| put(line));
        }
        lines.for_each(put);
        out
    }

    #[test]
    fn the_code_of_each_stage_comes_back() {
        let texts = ["a\nb\nc\n", "a\nx\nc\nd\n", "a\nx\nc\ne\n", "x\nc\n", "x\nc\ny\n", "q\nr\n"];
        let entry = |pass: &str| serde_json::json!({"function": "k", "pass": pass, "nanoseconds": 1});
        let stats = serde_json::json!([entry("one"), entry("idle"), entry("two"), entry("three")]);
        let mut stages = parse(&stats.to_string()).expect("statistics");
        let change = |pass: &str, at: usize| serde_json::json!({"function": "k", "pass": pass, "before": texts[at], "after": texts[at + 1]});
        let code = serde_json::json!([change("one", 0), change("two", 2), change("three", 4)]);
        add_code(&code.to_string(), &mut stages).expect("code");
        let mut text = String::new();
        let mut seen = Vec::new();
        for stage in &stages["k"] {
            for edits in [&stage.between, &stage.changes] {
                text = edited(&text, edits);
                seen.push(text.clone());
            }
        }
        // The stage that changed nothing has the code of the stage before it.
        assert_eq!(seen, [texts[0], texts[1], texts[1], texts[1], texts[2], texts[3], texts[4], texts[5]]);
        assert!(stages["k"][1].changes.is_empty());
        assert_eq!(stages["k"][2].between, [Edit(3, 1, vec!["e".to_owned()])]);
    }

    #[test]
    fn flags_and_memory_operands_are_not_a_change() {
        let before =
            "bb.0:\n  %1:b32 = LD_i32 %0:b64, 0 :: (load (s32) from %ir.x)\n  ST_i32 %1:b32, %0:b64\n";
        let after = "bb.0:\n  %1:b32 = LD_i32 killed %0:b64, 0\n  ST_i32 killed %1:b32, %0:b64\n  dead %2:b32 = IMPLICIT_DEF\n";
        assert_eq!(shown(before), "bb.0:\n  %1:b32 = LD_i32 %0:b64, 0\n  ST_i32 %1:b32, %0:b64\n");
        assert_eq!(shown(after), shown(before) + "  %2:b32 = IMPLICIT_DEF\n");
        let mut stages =
            parse(r#"[{"function": "k", "pass": "livevars", "nanoseconds": 1}]"#).expect("statistics");
        let change = |after: &str| {
            serde_json::json!([{"function": "k", "pass": "livevars", "before": before, "after": after}])
                .to_string()
        };
        add_code(&change(&before.replace("%0:", "killed %0:")), &mut stages).expect("code");
        assert!(stages["k"][0].between.is_empty() && stages["k"][0].changes.is_empty());
        add_code(&change(after), &mut stages).expect("code");
        assert_eq!(stages["k"][0].changes, [Edit(3, 0, vec!["  %2:b32 = IMPLICIT_DEF".to_owned()])]);
    }
}
