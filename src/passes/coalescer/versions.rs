//! Where the stock passes of LLVM 17 to 22 differ from one another.
//!
//! This is the list of all differences between the versions of `RegisterCoalescer.cpp` that can be seen:
//!
//! | since | what | here |
//! |---|---|---|
//! | 18 | a copy that a join has erased is not visited again in the same round | the same in 17, which then reads freed memory |
//! | 18 | readers of an undefined copy that was moved to a predecessor are flagged undefined | [`Differences::flags_moved_undef_copies`] |
//! | 18 | an IMPLICIT_DEF is kept where the other register is live into its block, and its lanes count as defined | [`Differences::keeps_redefining_implicit_defs`] |
//! | 18 | a copy's implicit operands of virtual registers go over to what is rematerialised | in the shim |
//! | 19 | sub-ranges are made when a part is joined into a whole | sub-registers: stock |
//! | 20 | sub-range and physical register checks of rematerialisation; undefined uses keep their sub-ranges | sub-registers: stock |
//! | 21 | the set of ranges to be cut later is made for each function, where before it kept its size | [`Differences::has_set_for_each_function`] |
//! | 22 | no join to a class without allocatable registers | [`Differences::needs_allocatable_class`] |
//! | 22 | a def of a part is not commuted | sub-registers: stock |
//! | 22 | the terminal rule is on, and looks at the other copy where before it looked at its own | [`Differences::terminal_rule`], [`Differences::terminal_rule_looks_at_other`] |
//! | 22 | what reads registers can be rematerialised | in the shim |
//! | 22 | a dead rematerialisable instruction that reads physical registers is kept | no such thing before register allocation |

/// What the code asks; see the table.
pub struct Differences {
    /// `removePartialRedundancy`
    pub flags_moved_undef_copies: bool,
    /// `analyzeValue`
    pub keeps_redefining_implicit_defs: bool,
    /// Of `lateLiveIntervalUpdate`
    pub has_set_for_each_function: bool,
    /// `joinCopy`
    pub needs_allocatable_class: bool,
    /// The default of `-terminal-rule`.
    pub terminal_rule: bool,
    /// `applyTerminalRule`
    pub terminal_rule_looks_at_other: bool,
}

/// LLVM's version; the algorithms are tested as for the newest.
#[cfg(all(ptx_host, not(test)))]
pub const MAJOR: u32 = crate::llvm::LLVM_MAJOR;
#[cfg(not(all(ptx_host, not(test))))]
/// See above.
pub const MAJOR: u32 = 22;

/// Those of the host.
pub const DIFFERENCES: Differences = Differences {
    flags_moved_undef_copies: MAJOR >= 18,
    keeps_redefining_implicit_defs: MAJOR >= 18,
    has_set_for_each_function: MAJOR >= 21,
    needs_allocatable_class: MAJOR >= 22,
    terminal_rule: MAJOR >= 22,
    terminal_rule_looks_at_other: MAJOR >= 22,
};
