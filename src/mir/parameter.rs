//! Facts about a parameter of a function in IR.

/// A pointer that is a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Whether its function is a kernel.
    pub is_of_kernel: bool,
    /// Whether it stands for an object that is passed by value.
    pub is_by_value: bool,
    /// Whether the source has it as `__restrict__`.
    pub is_restrict: bool,
}
