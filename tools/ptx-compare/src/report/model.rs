//! Declares the data of the page, as JSON. `page/report.js` reads it.
//!
//! The page has one [`Overview`] and for each kernel one [`Detail`], which the browser unpacks when the reader
//! opens it. Columns rather than objects, since they pack better.

use serde::Serialize;

use super::loops::Loop;
use super::mix::Mix;
use super::time::Time;
use crate::measure::judgement::Judgement;

/// The data of the summary and the table.
#[derive(Debug, Default, Serialize)]
pub struct Overview {
    /// llc's version, ptxas' version and the options, in words.
    pub facts: Vec<Fact>,
    pub kernels: Vec<Kernel>,
    /// Files of which there is nothing to show.
    pub failures: Vec<String>,
    /// Further notes about files.
    pub notes: Vec<String>,
    /// The source files, by their number in [`Listing::places`]; those with a text are embedded.
    pub sources: Vec<Source>,
    /// The pipes that [`Listing::mixes`] counts, `[name, what runs there]`.
    pub pipes: Vec<[&'static str; 2]>,
    /// The causes for which cycles pass, by which [`Detail::time`] counts them.
    pub causes: Vec<&'static str>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    pub name: &'static str,
    pub text: String,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Source {
    pub name: String,
    /// Whether the page has its text.
    pub embedded: bool,
}

/// Both sides of a kernel in numbers.
#[derive(Debug, PartialEq, Serialize)]
pub struct Kernel {
    pub name: String,
    /// As the source has it, `scale<float>`.
    pub shown: String,
    pub file: String,
    pub target: String,
    /// Threads of the block that occupancy is told for.
    pub block: u32,
    pub verdict: Judgement,
    /// In a few words, why.
    pub why: String,
    /// Where it is asked for and can be told.
    pub predicted: Option<Predicted>,
    pub stock: Numbers,
    pub ours: Numbers,
}

/// The predicted time of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// Ours, as a part of stock's.
    pub ratio: f64,
    /// Whether the launches are made up.
    pub made_up: bool,
}

/// One side of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Numbers {
    pub registers: u64,
    /// Bytes of spill stores and loads.
    pub spills: u64,
    pub stack: u64,
    pub sass: u64,
    /// The warps that are resident on a multiprocessor, of those that could be.
    pub occupancy: f64,
    pub instructions: u64,
    pub moves: u64,
    pub virtual_registers: u64,
    /// The most 32-bit virtual registers that are live at once; `None` where the PTX is not understood.
    pub pressure: Option<u32>,
}

/// The data of a kernel that is opened. [`super::packed`] writes it.
#[derive(Debug, Default, PartialEq)]
pub struct Detail {
    pub ptx: Comparison,
    pub sass: Comparison,
    pub ranges: Sides<Ranges>,
    pub stages: Vec<Stage>,
    pub remarks: Vec<Remark>,
    /// Why ptxas' count of registers is another one than that of those that are live in the PTX.
    pub registers: Sides<String>,
    /// The predicted time, where it is asked for and can be told.
    pub time: Option<Time>,
    /// The live ranges before coalescing; empty without.
    pub drawing: Drawing,
    /// The parts that could not be shown, and why.
    pub notes: Vec<String>,
}

#[derive(Debug, Default, PartialEq)]
pub struct Sides<T> {
    pub stock: T,
    pub ours: T,
}

/// Two texts, and which lines belong together.
#[derive(Debug, Default, PartialEq)]
pub struct Comparison {
    pub sides: Sides<Listing>,
    pub hunks: Vec<Hunk>,
}

/// Lines `[first, count]` of stock, and those of ours that stand beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Whether they are equal but for the names of registers and labels.
    pub same: bool,
    pub stock: [usize; 2],
    pub ours: [usize; 2],
}

/// The lines of a text, column by column.
#[derive(Debug, Default, PartialEq)]
pub struct Listing {
    pub lines: Vec<String>,
    /// The number in front of a line: of its line in the PTX file, or its address in SASS.
    pub numbers: Vec<u32>,
    /// Registers of 32 bits that are live at the line; -1 where it is no instruction.
    pub live: Vec<i32>,
    /// Predicates that are live.
    pub predicates: Vec<i32>,
    /// Number of the source file plus one and line, `[0, 0]` where nothing is known; empty without debug information.
    pub places: Vec<[u32; 2]>,
    /// Of SASS: the line of the same side's PTX that an instruction comes from, its index plus one, 0 where nothing is known.
    pub ptx: Vec<u32>,
    pub loops: Vec<Loop>,
    /// Of SASS: what its instructions run on, in all and in each loop.
    pub mixes: Vec<Mix>,
    /// Of SASS: the most uniform registers that are live at once.
    pub uniform: u32,
}

/// The live ranges of virtual registers, each `[first, last]` line of the listing.
#[derive(Debug, Default, PartialEq)]
pub struct Ranges {
    pub names: Vec<String>,
    /// In bits.
    pub widths: Vec<u32>,
    pub ranges: Vec<Vec<[u32; 2]>>,
}

/// The plugin's live ranges before coalescing, in numbers of instructions.
#[derive(Debug, Default, PartialEq)]
pub struct Drawing {
    pub title: String,
    /// The blocks, and where each begins.
    pub blocks: Vec<(String, u32)>,
    /// The end of the last block.
    pub end: u32,
    pub ranges: Ranges,
}

/// The work of a pass or stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// Of the kernel, or of a function that it calls.
    pub function: String,
    pub name: String,
    pub nanoseconds: u64,
    /// Instructions before the pass and its stages; those that the emitter makes.
    pub instructions: u64,
    /// The counts that are not zero.
    pub counts: Vec<(String, u64)>,
    /// The edits that make the machine code before it of that after the last step of the function that changed it, of nothing for the first one: LLVM's own passes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<Edit>,
    /// Its edits of the code; empty where it changes nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Edit>,
}

/// Lines of a text that are kept, lines after them that go, and those that take their place. Lines after the last edit are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Edit(pub usize, pub usize, pub Vec<String>);

/// Remarks that say the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// Passed, missed or analysis.
    pub kind: String,
    pub pass: String,
    pub name: String,
    pub text: String,
    /// As in [`Listing::places`], sorted; empty where nothing is known.
    pub places: Vec<[u32; 2]>,
    /// How many there are.
    pub count: u32,
}
