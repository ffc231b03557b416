//! Recognises register classes by name.

/// Returns whether this is the name of the class of predicates, `%p`: `Int1Regs` up to LLVM 20,
/// `B1` since 21.
pub fn is_predicate_class(name: &str) -> bool {
    matches!(name, "Int1Regs" | "B1")
}
