//! What a tool says of a text that it refuses.

use serde::{Deserialize, Serialize};

/// Why there is no result for a text: llc, clang, ptxas or a disassembler refuses it. That is not an error of this program, which goes on with the
/// next text; so it is the inner error of a `Result<Result<_, Complaint>>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Complaint {
    words: String,
    /// Whether it is the disassembler's. The compiler takes the text.
    #[serde(skip)]
    pub is_of_disassembler: bool,
}

impl Complaint {
    /// The disassembler's complaint about what a text was compiled to.
    pub fn of_disassembler(tool: &str, words: &str) -> Complaint {
        let words = format!("cannot list the code by {tool}: {words}");
        Complaint { words, is_of_disassembler: true }
    }

    /// The words, on one line.
    pub fn words(&self) -> &str {
        &self.words
    }
}

impl From<String> for Complaint {
    fn from(words: String) -> Complaint {
        Complaint { words, is_of_disassembler: false }
    }
}

impl From<Complaint> for String {
    fn from(complaint: Complaint) -> String {
        complaint.words
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Complaint {}
