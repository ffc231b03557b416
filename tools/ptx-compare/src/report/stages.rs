//! Reads what `-ptx-stats-json` says each pass and stage did.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::model::Stage;

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
        });
    }
    Ok(stages)
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
}
