//! Facts about a branch at the end of a loop in IR.

/// The place where a branch goes, seen from a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopTarget {
    /// The loop's header.
    Header,
    /// Another block of the loop.
    Inside,
    /// A block that is not in the loop.
    Exit,
}

/// A conditional branch that ends an iteration of a loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopBranch {
    /// Where it goes if its condition is true.
    pub if_true: LoopTarget,
    /// Where it goes if its condition is false.
    pub if_false: LoopTarget,
    /// Whether its condition compares integers or pointers.
    pub compares_integers: bool,
    /// Whether something else reads its condition.
    pub is_read_elsewhere: bool,
    /// The blocks of the loop.
    pub num_blocks: u32,
    /// Whether the loop's metadata forbids unrolling.
    pub is_unrolling_disabled: bool,
}
