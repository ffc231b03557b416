//! A register class, as the coalescer needs it.

/// The facts of RegisterClassInfo about a class, and the size of its registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClassInfo {
    /// How many of its registers may be allocated.
    pub num_allocatable: u32,
    /// Whether a larger class has more allocatable registers.
    pub is_proper_sub_class: bool,
    /// The size of its registers in bits.
    pub bits: u32,
}
