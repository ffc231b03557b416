//! Where the stock emitters of LLVM 17 to 22 differ, as far as it is a decision; how a thing is asked or done is
//! the shim's matter.
//!
//! LLVM 20 is in no suite that is reachable; where 19 and 21 differ it is taken to be like 21.

/// The differences.
#[derive(Clone, Copy, Debug)]
pub struct Versions {
    /// From 19: a convergence control token is not killed, and what it is glued to uses it.
    pub convergence_tokens: bool,
    /// From 22: that holds for the last operand, whatever its type; before, for glue.
    pub convergence_by_last_operand: bool,
    /// From 19: inline assembly in a `strictfp` function writes the rounding control registers.
    pub asm_defines_rounding: bool,
    /// From 22: and these come behind the source location.
    pub asm_rounding_behind_metadata: bool,
    /// From 21: a COPY to a class has the debug location of the instruction that needs it, not that of the value.
    pub class_copy_at_instr: bool,
    /// From 21: COPY_TO_REGCLASS narrows and kills its operand as other instructions do.
    pub copy_to_regclass_adds_operand: bool,
    /// From 21: an instruction without results is marked unpredictable too.
    pub unpredictable_without_results: bool,
    /// From 22: a virtual register that is read by glue is none to keep alive.
    pub glue_reads_physical_only: bool,
    /// From 22: a debug constant of one bit is zero-extended.
    pub zero_extends_bool: bool,
    /// From 21: calls know which function they call.
    pub called_globals: bool,
}

impl Versions {
    /// Those of an LLVM.
    pub const fn of(major: u32) -> Versions {
        Versions {
            convergence_tokens: major >= 19,
            convergence_by_last_operand: major >= 22,
            asm_defines_rounding: major >= 19,
            asm_rounding_behind_metadata: major >= 22,
            class_copy_at_instr: major >= 20,
            copy_to_regclass_adds_operand: major >= 20,
            unpredictable_without_results: major >= 20,
            glue_reads_physical_only: major >= 22,
            zero_extends_bool: major >= 22,
            called_globals: major >= 20,
        }
    }
}

/// Those of the host; of the newest one in a build without.
#[cfg(all(ptx_host, not(test)))]
pub const VERSIONS: Versions = Versions::of(crate::llvm::LLVM_MAJOR);
/// Those of the host; of the newest one in a build without.
#[cfg(not(all(ptx_host, not(test))))]
pub const VERSIONS: Versions = Versions::of(22);
