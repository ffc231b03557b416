//! What the library writes, line by line.
//!
//! **Problem.** An application may end at any moment, by a kernel that faults too, and may have
//! child processes. What was recorded before must stay.
//!
//! **Method.** Each process appends lines of JSON to a file of its own; images, launches and memory
//! are files that are complete before a line names them. **Source.** None. **Deviation.** None.
//! **Complexity.** Linear in what is recorded.

use serde::{Deserialize, Serialize};

use crate::contents::Parameter;
use crate::image::Kind;

/// The ending of the files with events.
pub const EXTENSION: &str = "events";

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A process has loaded the library.
    Loaded { program: String },
    /// An image was loaded. Its file is named after the digest.
    Image { digest: String, kind: Kind, size: u64 },
    /// A kernel was launched for the first time.
    Kernel { image: String, kernel: String, parameters: Vec<Parameter> },
    /// A launch was recorded: the text that describes it.
    Launch { image: String, kernel: String, text: String },
    /// A kernel's launch was not recorded; each reason comes once.
    Skipped { image: String, kernel: String, why: String },
    /// How often a kernel was launched, at the end of the process.
    Count { image: String, kernel: String, launches: u64 },
    /// The code of an image was replaced.
    Replaced { digest: String },
    /// The code of an image was to be replaced, and was not.
    NotReplaced { digest: String, why: String },
    /// Something else that the user should know; each text comes once.
    Said { what: String },
}

impl Event {
    /// The line.
    ///
    /// # Errors
    /// Those of JSON, of which these values have none.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        Ok(format!("{}\n", serde_json::to_string(self)?))
    }

    /// Reads the lines of a file. The last one may be cut, and is left out then.
    pub fn read(text: &str) -> Vec<Event> {
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_cut_is_left_out() {
        let event = Event::Skipped { image: "0".into(), kernel: "k".into(), why: "two\nlines".into() };
        let line = event.line().unwrap();
        let text = format!("{line}{}", &line[..20]);
        assert_eq!(Event::read(&text), [event]);
    }
}
