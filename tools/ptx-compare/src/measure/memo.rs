//! Remembers what llc has made of an input, and which loops the plugin changed.
//!
//! **Problem.** To choose settings and to prove the choice, the same code is needed several times, and the start of llc is most of its time for a
//! small kernel.
//!
//! **Method.** A text is kept by the arguments and the content of the input, until there are [`LIMIT`] bytes. The plugin's statistics tell
//! settings that cannot change the code. **Source.** None. **Deviation.** None. **Complexity.** Linear in the texts.

use std::collections::HashMap;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::setting::{is_of_unrolling, Setting, NO_UNROLLING};
use crate::complaint::Complaint;

/// The most bytes of text that are kept.
const LIMIT: usize = 1 << 28;

/// A text that llc has made.
#[derive(Debug)]
pub struct Made {
    pub text: String,
    /// What the plugin did to loops, if it was asked.
    pub loops: Option<Loops>,
}

/// What stages of the plugin did to the loops and the divisions of a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    /// Loops that were unrolled, and branches of loops that were turned.
    changed: u64,
    /// Loops that were left because nothing says how often they run.
    unknown: u64,
    /// Divisors whose reciprocal is shared.
    shared: u64,
}

#[derive(Deserialize)]
struct Entry {
    pass: String,
    #[serde(default)]
    counters: HashMap<String, serde_json::Value>,
}

impl Loops {
    /// Reads the plugin's statistics. `None` if they do not have the stage that unrolls: then nothing is known.
    pub fn read(json: &str) -> Result<Option<Loops>> {
        let entries: Vec<Entry> = serde_json::from_str(json).context("the plugin's statistics")?;
        let mut loops = None;
        for entry in &entries {
            let of = |name: &str| entry.counters.get(name).and_then(serde_json::Value::as_u64).unwrap_or(0);
            if entry.pass == "unroll" {
                let loops = loops.get_or_insert_with(Loops::default);
                loops.changed += of("loops unrolled wholly") + of("loops unrolled by a number");
                loops.unknown += of("loops left: how often they run is not known");
            }
            if entry.pass == "loop-branches" {
                loops.get_or_insert_with(Loops::default).changed += of("branches turned");
            }
            if entry.pass == "divisions" {
                loops.get_or_insert_with(Loops::default).shared += of("divisors shared");
            }
        }
        Ok(loops.filter(|_| entries.iter().any(|entry| entry.pass == "unroll")))
    }

    /// Whether the code is the same step by step: without unrolling, and each division by itself.
    pub fn are_left(self) -> bool {
        self.changed == 0 && self.shared == 0
    }

    /// Whether these are the loops of the default, and a setting that differs from it in what is unrolled gives the same code.
    pub fn make_equal(self, setting: &Setting) -> bool {
        let is_only = !setting.stock && setting.without.is_empty();
        match &setting.flags[..] {
            [flag] if is_only && flag == NO_UNROLLING => self.changed == 0,
            // It unrolls what the default does, and loops that run an unknown number of times.
            [flag] if is_only && is_of_unrolling(flag) && flag.ends_with("=all") => self.unknown == 0,
            _ => false,
        }
    }
}

/// What a text depends on, within one run of this program.
pub type Key = (Vec<OsString>, u64);

/// The key of an input under a setting. `args` has the name of the file that llc reads, which is left out: that of IR that clang has made changes.
pub fn key(args: &[OsString], file: &Path, input: &Path, content: &[u8]) -> Key {
    let mut hasher = DefaultHasher::new();
    (input, content).hash(&mut hasher);
    let kept = args.iter().filter(|arg| *arg != file.as_os_str());
    (kept.cloned().collect(), hasher.finish())
}

/// The texts.
#[derive(Debug, Default)]
pub struct Memo(Mutex<Texts>);

#[derive(Debug, Default)]
struct Texts {
    by_key: HashMap<Key, Result<Arc<Made>, Complaint>>,
    bytes: usize,
}

impl Memo {
    /// What is known.
    pub fn get(&self, key: &Key) -> Option<Result<Arc<Made>, Complaint>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by_key.get(key).cloned()
    }

    /// Keeps a text if there is room.
    pub fn put(&self, key: Key, made: &Result<Arc<Made>, Complaint>) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = made.as_ref().map_or(0, |made| made.text.len());
        if texts.bytes + bytes <= LIMIT {
            texts.bytes += bytes;
            texts.by_key.insert(key, made.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::setting::{rows, Effort};

    #[test]
    fn statistics_tell_settings_that_change_nothing() {
        let read = |json: &str| Loops::read(json).expect("statistics");
        let of = |whole: u64, turned: u64, unknown: u64| {
            read(&format!(
                "[{{\"function\": \"k\", \"pass\": \"unroll\", \"counters\": {{\"loops unrolled wholly\": {whole}, \"loops left: how often they run is not known\": {unknown}}}}},
                  {{\"function\": \"k\", \"pass\": \"loop-branches\", \"counters\": {{\"branches turned\": {turned}}}}}]"
            ))
            .expect("the stage")
        };
        let equal = |loops: Loops| -> Vec<String> {
            let rows = rows(Effort::All).into_iter().filter(|row| loops.make_equal(row));
            rows.map(|row| row.name).collect()
        };
        assert_eq!(equal(of(0, 0, 0)), ["unroll-all", "no-unroll"]);
        assert_eq!(equal(of(1, 0, 0)), ["unroll-all"]);
        assert_eq!(equal(of(0, 1, 0)), ["unroll-all"]);
        assert_eq!(equal(of(0, 0, 1)), ["no-unroll"]);
        assert!(equal(of(1, 1, 1)).is_empty());
        assert!(of(0, 0, 1).are_left() && !of(0, 1, 0).are_left());
        assert_eq!(read("[{\"function\": \"k\", \"pass\": \"sink\"}]"), None);
        assert!(Loops::read("no").is_err());
    }
}
