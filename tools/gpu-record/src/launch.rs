//! A launch as text, in the form that the other tools read (docs/comparing.md).
//!
//! **Problem.** Parameters hold addresses, which are others in the next process. **Method.** Each
//! allocation is a line `memory`; a parameter is its bytes, with a place for each address among
//! them. **Source.** Crate ptx-emu, which reads it. **Deviation.** None. **Complexity.** Linear in
//! the parameters.

use std::fmt::Write;

/// Memory before a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    pub size: u64,
    /// The file with its bytes.
    pub file: String,
    /// Whether the file has only the beginning, which repeats.
    pub repeats: bool,
}

/// An address among the bytes of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset of its eight bytes in the parameter.
    pub at: usize,
    /// The place of its memory in the launch.
    pub memory: usize,
    /// Its offset in that memory.
    pub offset: u64,
}

/// The threads of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
}

/// A launch whose memory is in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    pub kernel: String,
    pub shape: Shape,
    pub memory: Vec<Memory>,
    /// The bytes of each parameter, and the addresses among them.
    pub parameters: Vec<(Vec<u8>, Vec<Place>)>,
}

impl Launch {
    /// The text.
    pub fn text(&self) -> String {
        let Shape { grid, block, shared } = self.shape;
        let numbers = |of: [u32; 3]| of.map(|number| number.to_string()).join(" ");
        let mut text = format!("kernel {}\ngrid {}\nblock {}\n", self.kernel, numbers(grid), numbers(block));
        if shared > 0 {
            let _ = writeln!(text, "shared {shared}");
        }
        for Memory { size, file, repeats } in &self.memory {
            let _ = writeln!(text, "memory {size} {}={file}", if *repeats { "repeat" } else { "in" });
        }
        for (bytes, places) in &self.parameters {
            text.push_str("bytes ");
            for byte in bytes {
                let _ = write!(text, "{byte:02x}");
            }
            for Place { at, memory, offset } in places {
                let _ = write!(text, " {at}={}+{offset}", memory + 1);
            }
            text.push('\n');
        }
        text
    }
}

/// Whether a kernel's name can stand in such a text.
pub fn is_name(kernel: &str) -> bool {
    !kernel.is_empty() && !kernel.contains(|c: char| c.is_whitespace() || c == '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_is_text() {
        let launch = Launch {
            kernel: "k".into(),
            shape: Shape { grid: [2, 1, 1], block: [32, 2, 1], shared: 64 },
            memory: vec![
                Memory { size: 8, file: "a".into(), repeats: false },
                Memory { size: 99, file: "b".into(), repeats: true },
            ],
            parameters: vec![
                (vec![0; 8], vec![Place { at: 0, memory: 1, offset: 4 }]),
                (vec![0x2a, 0], Vec::new()),
            ],
        };
        let wanted = "kernel k\ngrid 2 1 1\nblock 32 2 1\nshared 64\nmemory 8 in=a\nmemory 99 repeat=b\nbytes 0000000000000000 0=2+4\nbytes 2a00\n";
        assert_eq!(launch.text(), wanted);
        assert!(is_name("_Z1kPf") && !is_name("a b") && !is_name("a#b") && !is_name(""));
    }
}
