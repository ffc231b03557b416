//! Declares the data of the page, as JSON. `page/report.js` reads it.
//!
//! The page has one [`Overview`], and for each kernel one [`Detail`], which the browser unpacks
//! when the reader opens it. The data is in columns, not objects, because these pack better.

use gpu_time::pipe::PIPES;
use gpu_time::replay::Causes;
use serde::Serialize;

use crate::measure::judgement::Judgement;

/// The data of the summary and the table.
#[derive(Debug, Default, Serialize)]
pub struct Overview {
    /// llc's version, ptxas' version and the options, in words.
    pub facts: Vec<Fact>,
    pub kernels: Vec<Kernel>,
    /// Files without anything to show.
    pub failures: Vec<String>,
    /// Further notes about files.
    pub notes: Vec<String>,
    /// The source files, by their number in [`Listing::places`]; those with a text are embedded.
    pub sources: Vec<Source>,
    /// The pipes that [`Listing::mixes`] counts: `[name, what runs there]`.
    pub pipes: Vec<[&'static str; 2]>,
    /// The causes by which [`Detail::time`] counts cycles.
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
    /// The name as in the source, `scale<float>`.
    pub shown: String,
    pub file: String,
    pub target: String,
    /// Threads of the block that occupancy is computed for.
    pub block: u32,
    pub verdict: Judgement,
    /// The reason in a few words.
    pub why: String,
    /// `None` if times are not asked for, or if it cannot be predicted.
    pub predicted: Option<Predicted>,
    pub stock: Numbers,
    pub ours: Numbers,
}

/// The predicted time of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// Our time divided by stock's.
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
    /// Warps that are resident on a multiprocessor, divided by the most that can be.
    pub occupancy: f64,
    pub instructions: u64,
    pub moves: u64,
    pub virtual_registers: u64,
    /// The most 32-bit virtual registers that are live at the same time; `None` if the PTX is not
    /// understood.
    pub pressure: Option<u32>,
}

/// The data of one kernel, for when it is opened. [`super::packed`] writes it.
#[derive(Debug, Default, PartialEq)]
pub struct Detail {
    pub ptx: Comparison,
    pub sass: Comparison,
    pub ranges: Sides<Ranges>,
    pub stages: Vec<Stage>,
    pub remarks: Vec<Remark>,
    /// Why ptxas' register count differs from the number of live registers in the PTX.
    pub registers: Sides<String>,
    /// The predicted time; `None` if times are not asked for, or if it cannot be predicted.
    pub time: Option<Time>,
    /// The live ranges before coalescing; empty if there are none.
    pub drawing: Drawing,
    /// Parts that could not be shown, and why.
    pub notes: Vec<String>,
}

/// The predicted time of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Time {
    /// Our time divided by stock's.
    pub ratio: f64,
    /// Whether the launches are made up.
    pub made_up: bool,
    /// The reason, in a sentence.
    pub text: String,
    /// The ratio and its bounds, in a sentence.
    pub bounds: String,
    /// Stock and ours.
    pub sides: [Cycles; 2],
}

/// The cycles of one side: those of a multiprocessor, for one block.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cycles {
    pub cycles: f64,
    /// Warps that are resident.
    pub warps: u32,
    /// Instructions that the warps of a block issue.
    pub executed: f64,
    /// Cycles by cause, in the order of [`gpu_time::replay::CAUSES`].
    pub causes: Causes,
    /// Cycles in each loop of the SASS, including its inner loops.
    pub loops: Vec<f64>,
    /// The instructions that take most cycles: the line of the SASS, cycles, and the number of the
    /// main cause.
    pub places: Vec<(u32, f64, usize)>,
}

#[derive(Debug, Default, PartialEq)]
pub struct Sides<T> {
    pub stock: T,
    pub ours: T,
}

/// Two texts, and the matching lines.
#[derive(Debug, Default, PartialEq)]
pub struct Comparison {
    pub sides: Sides<Listing>,
    pub hunks: Vec<Hunk>,
}

/// Lines `[first, count]` of stock, and the lines of ours beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Whether they are equal except for the names of registers and labels.
    pub same: bool,
    pub stock: [usize; 2],
    pub ours: [usize; 2],
}

/// A loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Loop {
    /// The number of loops it is in, including itself.
    pub depth: u32,
    /// Its lines, `[first, last]`, sorted.
    pub parts: Vec<[u32; 2]>,
    /// The line at which its header begins.
    pub head: u32,
}

/// The number of instructions on each pipe, in the order of [`PIPES`].
pub type Mix = [u32; PIPES.len()];

/// The lines of a text, column by column.
#[derive(Debug, Default, PartialEq)]
pub struct Listing {
    pub lines: Vec<String>,
    /// The number before a line: that of its line in the PTX file, or its address in SASS.
    pub numbers: Vec<u32>,
    /// Registers of 32 bits that are live at the line; -1 if it is not an instruction.
    pub live: Vec<i32>,
    /// Predicates that are live.
    pub predicates: Vec<i32>,
    /// Number of the source file plus one, and line; `[0, 0]` if unknown. Empty without debug
    /// information.
    pub places: Vec<[u32; 2]>,
    /// In SASS: the line of the same side's PTX that an instruction comes from, its index plus one;
    /// 0 if unknown.
    pub ptx: Vec<u32>,
    pub loops: Vec<Loop>,
    /// In SASS: the pipes that the instructions run on, for all and for each loop.
    pub mixes: Vec<Mix>,
    /// In SASS: the most uniform registers that are live at the same time.
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

/// The plugin's live ranges before coalescing, in instruction numbers.
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
    /// The kernel, or a function that it calls.
    pub function: String,
    pub name: String,
    pub nanoseconds: u64,
    /// Instructions before the pass and its stages; for the emitter those that it makes.
    pub instructions: u64,
    /// The counts that are not zero.
    pub counts: Vec<(String, u64)>,
    /// The edits by LLVM's own passes between two steps: from the code after the function's last
    /// step that changed it to the code before this one. The first step starts from an empty text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<Edit>,
    /// Its edits of the code; empty if it changes nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Edit>,
}

/// One edit: how many lines are kept, how many lines after them are removed, and the lines that
/// replace these. Lines after the last edit are kept.
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
    /// As in [`Listing::places`], sorted; empty if unknown.
    pub places: Vec<[u32; 2]>,
    /// Their number.
    pub count: u32,
}
