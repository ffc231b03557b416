//! Facts about a loop in IR that may be unrolled, and the answer.

/// The wish that the metadata of a loop states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnrollWish {
    /// Nothing is said.
    None,
    /// It is not to be unrolled, or was.
    Disabled,
    /// It is to be unrolled wholly.
    Whole,
    /// It is to be unrolled by this number.
    Count(u32),
    /// It is to be unrolled by a number that the compiler chooses.
    Enabled,
}

/// A loop in IR. Its instructions are those that become code.
#[derive(Clone, Copy, Debug)]
pub struct UnrollFacts {
    /// How many times it runs at most whenever it is entered, if one of its exits says that.
    pub trip_count: Option<u32>,
    /// A number that its iterations never exceed, if one is known. It may follow from the ranges of values.
    pub most_iterations: Option<u32>,
    /// A divisor of the number of times; at least 1.
    pub trip_multiple: u32,
    /// The wish of the source, or of a pass of LLVM's.
    pub wish: UnrollWish,
    /// Its blocks.
    pub num_blocks: u32,
    /// Its instructions.
    pub num_instrs: u32,
    /// Instructions of it that become constants, or addresses a constant away from their base, if it is unrolled wholly.
    pub num_known: u32,
    /// Divisions, square roots and video instructions in it. No processor has these, so ptxas makes a sequence of instructions of each.
    pub num_sequences: u32,
    /// The instructions of its function.
    pub function_instrs: u32,
    /// Those of its function of which ptxas makes a sequence.
    pub function_sequences: u32,
    /// Bytes of the local arrays that become registers if it is unrolled wholly; 0: there are none.
    pub local_bytes: u32,
    /// 32-bit registers of what an iteration hands to the next one.
    pub num_carried: u32,
    /// The length of the longest chain of PHIs that hand their values on, one to the next one; 0: there is none.
    pub rotation: u32,
    /// Whether neither loops nor calls of functions are inside.
    pub is_simple: bool,
    /// Whether it has operations that threads have to run together.
    pub is_convergent: bool,
    /// Whether LLVM can copy it.
    pub can_be_copied: bool,
}

/// The values that move out of the loops of a function after unrolling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moves {
    /// The most of them; 0: none moves.
    pub most: u32,
    /// Whether what is computed from a loaded value may move.
    pub loads: bool,
}

/// How a loop is unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unroll {
    /// By this number; 0 and 1: not at all.
    pub count: u32,
    /// Whether the iterations that are left over run in a loop of their own.
    pub remainder: bool,
    /// Whether ptxas is not to unroll what stays a loop.
    pub last: bool,
}
