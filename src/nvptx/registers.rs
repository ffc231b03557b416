//! Recognises register classes by name.

/// Returns whether a register class of this name is that of predicates, `%p`: `Int1Regs` up to LLVM 20, `B1` since 21.
pub fn is_predicate_class(name: &str) -> bool {
    matches!(name, "Int1Regs" | "B1")
}
