//! All differences between the supported versions of LLVM that change a decision.
//!
//! **Problem.** The stock passes of LLVM 17 to 24 differ in details, and so do NVPTX's
//! instructions. In the `upstream` profile the output must be that of the host, so each pass must
//! know what its host's version does.
//!
//! Each difference is a field of [`Versions`], grouped by the pass that reads it, and appears
//! nowhere else. A field is named after the behaviour, not the version. Names and types of LLVM's
//! API are not decisions. The shim hides those differences in `compat.h`, and has no other
//! condition on the version.
//!
//! **To add a version:** raise [`NEWEST`] ([`PREVIEW`] before its release). Read the diff of each
//! stock pass named below, and add a field for each new behaviour. Say in the tests which version
//! it starts at.
//!
//! **Source.** The sources of LLVM 17.0.6, 18.1.8, 19.1.7, 21.1.8, 22.1.8 and 23.1.1; for 20 the
//! headers and a run of 20.1; for 24 the headers and runs of a snapshot of 25 October 2026.

/// The oldest supported version.
pub const OLDEST: u32 = 17;
/// The newest supported version. A build without LLVM behaves like this one.
pub const NEWEST: u32 = 23;
/// The newest version that has a build. It may not be released yet.
pub const PREVIEW: u32 = 24;

/// The host's major version. Unit tests have no host: they run as the newest version.
pub const MAJOR: u32 = match option_env!("PTX_LLVM_MAJOR") {
    Some(text) if !cfg!(test) => match u32::from_str_radix(text, 10) {
        Ok(major) => major,
        Err(_) => panic!("build.rs sets PTX_LLVM_MAJOR to a number"),
    },
    _ => NEWEST,
};

/// The differences, as in the host.
pub const VERSIONS: Versions = Versions::of(MAJOR);

/// All differences.
#[derive(Clone, Copy, Debug)]
pub struct Versions {
    /// From 23: a SUBREG_TO_REG has no immediate before the register that it copies.
    pub subreg_to_reg_begins_with_register: bool,
    /// From 23: `DenseMap` probes linearly for a free bucket; before, in growing steps. The order
    /// of its keys shows in the output.
    pub dense_map_probes_linearly: bool,
    /// Up to 23: LLVM computes LiveVariables of virtual registers. From 24 on NVPTX's pipelines
    /// lack that pass. Then no pass before LiveIntervals sets kill flags.
    pub has_variables: bool,
    /// From 24 on: NVPTX has a pipeline for the new pass manager.
    pub has_new_pipeline: bool,
    /// LLVM's argument of the two-address pass, as in `-run-pass=`. Up to 23:
    /// `twoaddressinstruction`.
    pub two_address_argument: &'static str,
    /// The emitter of the SelectionDAG schedulers.
    pub emitter: Emitter,
    /// PHI elimination.
    pub phi_elim: PhiElim,
    /// The two-address pass.
    pub two_address: TwoAddress,
    /// LiveVariables.
    pub live_variables: LiveVariables,
    /// The register coalescer.
    pub coalescer: Coalescer,
    /// NVPTX's instructions.
    pub nvptx: Nvptx,
}

/// Differences of `InstrEmitter.cpp` and `ScheduleDAGSDNodes.cpp`. One that only SystemZ can see is
/// left out: from 23 the copy of a physical register of type `Untyped` follows the register's
/// class.
#[derive(Clone, Copy, Debug)]
pub struct Emitter {
    /// From 19: a convergence control token is not killed, and the instruction that it is glued to
    /// uses it.
    pub convergence_tokens: bool,
    /// From 22: that holds for the last operand, whatever its type; before, only for glue.
    pub convergence_by_last_operand: bool,
    /// From 19: inline assembly in a `strictfp` function writes the rounding control registers.
    pub asm_defines_rounding: bool,
    /// From 22: these operands come after the source location.
    pub asm_rounding_after_metadata: bool,
    /// From 20: a COPY to a class has the debug location of the instruction that needs it; before,
    /// that of the value.
    pub class_copy_at_instr: bool,
    /// From 21: COPY_TO_REGCLASS narrows and kills its operand as other instructions do.
    pub copy_to_regclass_adds_operand: bool,
    /// From 20: an instruction without results is marked unpredictable too.
    pub unpredictable_without_results: bool,
    /// From 22: a virtual register that is read by glue need not be kept alive.
    pub glue_reads_physical_only: bool,
    /// From 22: a debug constant of one bit is zero-extended.
    pub zero_extends_bool: bool,
    /// From 20: calls record the function that they call.
    pub called_globals: bool,
    /// Up to 23: the only reader of a register gets a kill flag.
    pub flags_only_readers: bool,
    /// From 24: a register that inline assembly clobbers is a dead def.
    pub asm_clobbers_are_dead: bool,
}

/// Differences of `PHIElimination.cpp`. The only other one is a mark that LLVM 17 leaves in
/// LiveVariables (`setPHIJoin`), which nothing reads.
#[derive(Clone, Copy, Debug)]
pub struct PhiElim {
    /// Up to 18: every PHI may share an incoming register. From 19 only where all edges are
    /// critical; elsewhere no two PHIs count as equal.
    pub shares_over_any_edge: bool,
    /// Up to 19: the dominator tree is recomputed after the pass. From 20 it is kept up to date.
    pub recalculates_dominators: bool,
    /// From 22: edges to a loop header may be split even where control flow must stay structured.
    pub splits_edges_to_structured_loops: bool,
    /// From 22: a block that an INLINEASM_BR may jump to is special only for predecessors that
    /// contain one.
    pub asm_br_must_be_in_predecessor: bool,
    /// From 18: sub-ranges are updated. The interval of a shared incoming register is kept from PHI
    /// to PHI; before, it was started anew.
    pub updates_sub_ranges: bool,
    /// From 23: SlotIndexes are kept up to date where there is no LiveIntervals.
    pub updates_slot_indexes: bool,
    /// From 24: where LiveIntervals is kept, the copy of a dead PHI is flagged dead. Before, that
    /// happened where LiveVariables is kept.
    pub flags_dead_copies: bool,
    /// From 23: LiveVariables is recomputed for an undefined source that nothing after the edge
    /// needs any more.
    pub recomputes_undefined_sources: bool,
}

/// Differences of `TwoAddressInstructionPass.cpp`.
#[derive(Clone, Copy, Debug)]
pub struct TwoAddress {
    /// From 18: LiveIntervals, not only the flag, tells whether a tied use is a kill.
    pub tied_kills_from_liveness: bool,
    /// From 18: LiveIntervals tells whether a physical register ends; before, kill flags did.
    pub phys_kills_from_liveness: bool,
    /// From 18: the part that an INSERT_SUBREG leaves alone is removed from the sub-range if it was
    /// undefined.
    pub insert_subreg_removes_undef_lanes: bool,
    /// From 18: the interval of a REG_SEQUENCE with undefined parts is recomputed.
    pub reg_sequence_recomputes_partial: bool,
    /// From 19: in addition its readers of undefined lanes are flagged undefined.
    pub reg_sequence_propagates_undef: bool,
    /// From 21 (llvm #125518, February 2025): an undefined use says nothing about coalescing.
    pub ignores_undef_uses: bool,
    /// From 22: three-address conversion may happen in place, and inside bundles.
    pub converts_in_place: bool,
    /// From 22: operands inside a bundle follow its head.
    pub rewrites_bundles: bool,
    /// From 22: a REG_SEQUENCE counts as a change.
    pub reg_sequence_is_change: bool,
    /// The default of `-dataflow-edge-limit`. From 23: 10; before, 3.
    pub dataflow_edge_limit: u32,
    /// From 23: a chain of reversed copies continues through an instruction whose result is tied to
    /// a source, unless `-twoaddr-analyze-revcopy-tied=false`.
    pub follows_tied_operands: bool,
    /// From 23: a COPY to a physical register that ends a source may move up past an instruction
    /// that loads.
    pub moves_copies_above_loads: bool,
    /// From 23: without LiveIntervals an undefined part of a REG_SEQUENCE is copied if something
    /// reads it.
    pub copies_undefined_parts_that_are_read: bool,
}

/// Differences of `LiveVariables.cpp`.
#[derive(Clone, Copy, Debug)]
pub struct LiveVariables {
    /// Up to 21: if a physical register is defined in parts and then read whole, its last partial
    /// def reads the parts defined before, and counts as the def of the whole. From 22 that def
    /// only gets an implicit def of the whole.
    pub last_part_reads_others: bool,
}

/// Differences of `RegisterCoalescer.cpp`. This is the list of all visible ones:
///
/// | since | what | here |
/// |---|---|---|
/// | 18 | a copy that a join has erased is not visited again in the same round | the same in 17, which then reads freed memory |
/// | 18 | readers of an undefined copy that was moved to a predecessor are flagged undefined | [`Self::flags_moved_undef_copies`] |
/// | 18 | an IMPLICIT_DEF is kept where the other register is live into its block, and its lanes count as defined | [`Self::keeps_redefining_implicit_defs`] |
/// | 18 | a copy's implicit operands of virtual registers go over to the instruction that is rematerialised | [`Self::remat_keeps_virtual_implicits`] |
/// | 18 | every def of the destination by the instruction that is rematerialised is live; before, only its first operand was | [`Self::remat_revives_defs_of_register`] |
/// | 19 | sub-ranges are made when a part is joined into a whole | sub-registers: stock |
/// | 20 | sub-range and physical register checks of rematerialisation; undefined uses keep their sub-ranges | sub-registers: stock |
/// | 20 | a KILL has no memory operands | [`Self::kill_drops_mem_refs`] |
/// | 21 | the set of ranges to shrink later is made for each function; before, it kept its size | [`Self::has_set_for_each_function`] |
/// | 22 | no join to a class without allocatable registers | [`Self::needs_allocatable_class`] |
/// | 22 | a def of a part is not commuted | sub-registers: stock |
/// | 22 | the terminal rule is on, and looks at the other copy; before, at its own | [`Self::terminal_rule`], [`Self::terminal_rule_looks_at_other`] |
/// | 22 | an instruction that reads registers can be rematerialised | in the shim: a hook of another name |
/// | 22 | a dead rematerialisable instruction that reads physical registers is kept | no such thing before register allocation |
/// | 23 | SUBREG_TO_REG has no immediate | sub-registers: stock |
/// | 23 | a def of a part can be rematerialised, and is flagged undefined after an undefined copy | sub-registers: stock |
/// | 23 | an end that was pruned for an erased IMPLICIT_DEF is not an end of the joined range | [`Self::drops_ends_of_implicit_defs`] |
/// | 23 | a read of the register that stays is flagged undefined if nothing reaches it after a join | [`Self::flags_reads_after_joins`] |
/// | 23 | only the value that is cut out of a sub-range is marked unused | sub-registers: stock |
#[derive(Clone, Copy, Debug)]
pub struct Coalescer {
    /// `removePartialRedundancy`
    pub flags_moved_undef_copies: bool,
    /// `analyzeValue`
    pub keeps_redefining_implicit_defs: bool,
    /// `reMaterializeTrivialDef`. Before, only implicit operands of physical registers go over.
    pub remat_keeps_virtual_implicits: bool,
    /// `reMaterializeTrivialDef`
    pub remat_revives_defs_of_register: bool,
    /// `eliminateDeadDef`
    pub kill_drops_mem_refs: bool,
    /// `lateLiveIntervalUpdate`
    pub has_set_for_each_function: bool,
    /// `joinCopy`
    pub needs_allocatable_class: bool,
    /// The default of `-terminal-rule`.
    pub terminal_rule: bool,
    /// `applyTerminalRule`
    pub terminal_rule_looks_at_other: bool,
    /// `pruneValues`
    pub drops_ends_of_implicit_defs: bool,
    /// `updateRegDefsUses`
    pub flags_reads_after_joins: bool,
}

/// Differences of `NVPTXInstrInfo.td`.
#[derive(Clone, Copy, Debug)]
pub struct Nvptx {
    /// How many immediates of a load or store come before its type. Its width in bits follows the
    /// type:
    ///
    /// | version | `ld`'s immediates |
    /// |---|---|
    /// | up to 19 | volatility, address space, vector, **type**, width |
    /// | 20 | ordering, scope, address space, vector, **type**, width |
    /// | 21 | ordering, scope, address space, **type**, width |
    /// | from 22 | ordering, scope, address space, **type**, width, mask of bytes that are used |
    ///
    /// From 21 a store has no type: its width comes in that place.
    pub immediates_before_type: usize,
    /// How many immediates of a load come between its width and its address. From 22: one.
    pub immediates_after_width: usize,
    /// How many immediates of an `ldu` come before its address. From 22: one, its width.
    pub immediates_of_ldu: usize,
    /// Up to 20: a load, a store or an atomic operation has one opcode for 64-bit addresses and one
    /// for 32-bit ones. From 21 its address may be a register of either size.
    pub addresses_have_classes: bool,
    /// Up to 23: an opcode's name tells which operands are constants, as `ADD32ri`. From 24 any may
    /// be one: `ADD32`.
    pub opcodes_name_constants: bool,
    /// Which of the names of `CreatedOp` most opcodes have: 0 up to 20, 1 from 21 to 23, 2 in 24.
    /// Products have had the second name only since 22.
    pub usual_name: usize,
    /// From 22: there is a wide multiply-add.
    pub multiplies_and_adds_wide: bool,
    /// From 21: address space 7 is the shared memory of a cluster.
    pub has_shared_cluster: bool,
}

impl Versions {
    /// The differences, as in LLVM `major`.
    #[allow(clippy::too_many_lines)] // A table, with a line for each difference.
    pub const fn of(major: u32) -> Versions {
        assert!(OLDEST <= major && major <= PREVIEW, "ptxpasses does not support this version of LLVM");
        Versions {
            subreg_to_reg_begins_with_register: major >= 23,
            dense_map_probes_linearly: major >= 23,
            has_variables: major <= 23,
            has_new_pipeline: major >= 24,
            two_address_argument: if major >= 24 {
                "two-address-instruction"
            } else {
                "twoaddressinstruction"
            },
            emitter: Emitter {
                convergence_tokens: major >= 19,
                convergence_by_last_operand: major >= 22,
                asm_defines_rounding: major >= 19,
                asm_rounding_after_metadata: major >= 22,
                class_copy_at_instr: major >= 20,
                copy_to_regclass_adds_operand: major >= 21,
                unpredictable_without_results: major >= 20,
                glue_reads_physical_only: major >= 22,
                zero_extends_bool: major >= 22,
                called_globals: major >= 20,
                flags_only_readers: major <= 23,
                asm_clobbers_are_dead: major >= 24,
            },
            phi_elim: PhiElim {
                shares_over_any_edge: major <= 18,
                recalculates_dominators: major <= 19,
                splits_edges_to_structured_loops: major >= 22,
                asm_br_must_be_in_predecessor: major >= 22,
                updates_sub_ranges: major >= 18,
                updates_slot_indexes: major >= 23,
                flags_dead_copies: major >= 24,
                recomputes_undefined_sources: major >= 23,
            },
            two_address: TwoAddress {
                tied_kills_from_liveness: major >= 18,
                phys_kills_from_liveness: major >= 18,
                insert_subreg_removes_undef_lanes: major >= 18,
                reg_sequence_recomputes_partial: major >= 18,
                reg_sequence_propagates_undef: major >= 19,
                ignores_undef_uses: major >= 21,
                converts_in_place: major >= 22,
                rewrites_bundles: major >= 22,
                reg_sequence_is_change: major >= 22,
                dataflow_edge_limit: if major >= 23 { 10 } else { 3 },
                follows_tied_operands: major >= 23,
                moves_copies_above_loads: major >= 23,
                copies_undefined_parts_that_are_read: major >= 23,
            },
            live_variables: LiveVariables { last_part_reads_others: major <= 21 },
            coalescer: Coalescer {
                flags_moved_undef_copies: major >= 18,
                keeps_redefining_implicit_defs: major >= 18,
                remat_keeps_virtual_implicits: major >= 18,
                remat_revives_defs_of_register: major >= 18,
                kill_drops_mem_refs: major >= 20,
                has_set_for_each_function: major >= 21,
                needs_allocatable_class: major >= 22,
                terminal_rule: major >= 22,
                terminal_rule_looks_at_other: major >= 22,
                drops_ends_of_implicit_defs: major >= 23,
                flags_reads_after_joins: major >= 23,
            },
            nvptx: Nvptx {
                immediates_before_type: if major == 20 { 4 } else { 3 },
                immediates_after_width: if major >= 22 { 1 } else { 0 },
                immediates_of_ldu: if major >= 22 { 1 } else { 0 },
                addresses_have_classes: major <= 20,
                opcodes_name_constants: major <= 23,
                usual_name: if major <= 20 {
                    0
                } else if major <= 23 {
                    1
                } else {
                    2
                },
                multiplies_and_adds_wide: major >= 22,
                has_shared_cluster: major >= 21,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first version in which a behaviour appears or is gone.
    fn changes_at(has: impl Fn(&Versions) -> bool) -> u32 {
        let has = |major| has(&Versions::of(major));
        let changes: Vec<u32> =
            (OLDEST + 1..=PREVIEW).filter(|&major| has(major) != has(major - 1)).collect();
        assert_eq!(changes.len(), 1, "a behaviour comes or goes once: {changes:?}");
        changes[0]
    }

    #[test]
    fn since_18() {
        assert_eq!(changes_at(|v| v.two_address.tied_kills_from_liveness), 18);
        assert_eq!(changes_at(|v| v.two_address.reg_sequence_recomputes_partial), 18);
        assert_eq!(changes_at(|v| v.coalescer.flags_moved_undef_copies), 18);
        assert_eq!(changes_at(|v| v.coalescer.keeps_redefining_implicit_defs), 18);
        assert_eq!(changes_at(|v| v.coalescer.remat_keeps_virtual_implicits), 18);
        assert_eq!(changes_at(|v| v.coalescer.remat_revives_defs_of_register), 18);
        assert_eq!(changes_at(|v| v.two_address.phys_kills_from_liveness), 18);
        assert_eq!(changes_at(|v| v.two_address.insert_subreg_removes_undef_lanes), 18);
        assert_eq!(changes_at(|v| v.phi_elim.updates_sub_ranges), 18);
    }

    #[test]
    fn since_19() {
        assert_eq!(changes_at(|v| v.emitter.convergence_tokens), 19);
        assert_eq!(changes_at(|v| v.emitter.asm_defines_rounding), 19);
        assert_eq!(changes_at(|v| v.phi_elim.shares_over_any_edge), 19);
        assert_eq!(changes_at(|v| v.two_address.reg_sequence_propagates_undef), 19);
    }

    #[test]
    fn since_20() {
        assert_eq!(changes_at(|v| v.emitter.class_copy_at_instr), 20);
        assert_eq!(changes_at(|v| v.emitter.unpredictable_without_results), 20);
        assert_eq!(changes_at(|v| v.emitter.called_globals), 20);
        assert_eq!(changes_at(|v| v.phi_elim.recalculates_dominators), 20);
        assert_eq!(changes_at(|v| v.coalescer.kill_drops_mem_refs), 20);
    }

    #[test]
    fn since_21() {
        assert_eq!(changes_at(|v| v.emitter.copy_to_regclass_adds_operand), 21);
        assert_eq!(changes_at(|v| v.two_address.ignores_undef_uses), 21);
        assert_eq!(changes_at(|v| v.coalescer.has_set_for_each_function), 21);
        assert_eq!(changes_at(|v| v.nvptx.addresses_have_classes), 21);
        assert_eq!(changes_at(|v| v.nvptx.has_shared_cluster), 21);
    }

    #[test]
    fn since_22() {
        assert_eq!(changes_at(|v| v.emitter.convergence_by_last_operand), 22);
        assert_eq!(changes_at(|v| v.emitter.asm_rounding_after_metadata), 22);
        assert_eq!(changes_at(|v| v.emitter.glue_reads_physical_only), 22);
        assert_eq!(changes_at(|v| v.emitter.zero_extends_bool), 22);
        assert_eq!(changes_at(|v| v.phi_elim.splits_edges_to_structured_loops), 22);
        assert_eq!(changes_at(|v| v.phi_elim.asm_br_must_be_in_predecessor), 22);
        assert_eq!(changes_at(|v| v.two_address.converts_in_place), 22);
        assert_eq!(changes_at(|v| v.two_address.rewrites_bundles), 22);
        assert_eq!(changes_at(|v| v.two_address.reg_sequence_is_change), 22);
        assert_eq!(changes_at(|v| v.live_variables.last_part_reads_others), 22);
        assert_eq!(changes_at(|v| v.nvptx.immediates_of_ldu == 1), 22);
        assert_eq!(changes_at(|v| v.coalescer.needs_allocatable_class), 22);
        assert_eq!(changes_at(|v| v.coalescer.terminal_rule), 22);
        assert_eq!(changes_at(|v| v.coalescer.terminal_rule_looks_at_other), 22);
    }

    #[test]
    fn since_23() {
        assert_eq!(changes_at(|v| v.subreg_to_reg_begins_with_register), 23);
        assert_eq!(changes_at(|v| v.dense_map_probes_linearly), 23);
        assert_eq!(changes_at(|v| v.phi_elim.updates_slot_indexes), 23);
        assert_eq!(changes_at(|v| v.phi_elim.recomputes_undefined_sources), 23);
        assert_eq!(changes_at(|v| v.two_address.dataflow_edge_limit == 10), 23);
        assert_eq!(changes_at(|v| v.two_address.follows_tied_operands), 23);
        assert_eq!(changes_at(|v| v.two_address.moves_copies_above_loads), 23);
        assert_eq!(changes_at(|v| v.two_address.copies_undefined_parts_that_are_read), 23);
        assert_eq!(changes_at(|v| v.coalescer.drops_ends_of_implicit_defs), 23);
        assert_eq!(changes_at(|v| v.coalescer.flags_reads_after_joins), 23);
    }

    #[test]
    fn since_24() {
        assert_eq!(changes_at(|v| v.has_variables), 24);
        assert_eq!(changes_at(|v| v.has_new_pipeline), 24);
        assert_eq!(changes_at(|v| v.emitter.flags_only_readers), 24);
        assert_eq!(changes_at(|v| v.emitter.asm_clobbers_are_dead), 24);
        assert_eq!(changes_at(|v| v.phi_elim.flags_dead_copies), 24);
        assert_eq!(changes_at(|v| v.nvptx.opcodes_name_constants), 24);
        assert_eq!(changes_at(|v| v.nvptx.usual_name == 2), 24);
        assert_eq!(changes_at(|v| v.two_address_argument.contains('-')), 24);
    }

    #[test]
    fn where_a_load_has_its_type() {
        let of = |major| Versions::of(major).nvptx;
        let before: Vec<_> = (OLDEST..=NEWEST).map(|major| of(major).immediates_before_type).collect();
        assert_eq!(before, [3, 3, 3, 4, 3, 3, 3]);
        let immediates: Vec<_> = (OLDEST..=NEWEST).map(|major| of(major).immediates_after_width).collect();
        assert_eq!(immediates, [0, 0, 0, 0, 0, 1, 1]);
    }
}
