//! Binds two-address to LLVM's function.

use super::host::{InstrFacts, InstrProperties, TwoAddressHost};
use crate::llvm::{MachineBasicBlock, MachineFunction, MachineInstr, Remark, RemarkKind, Run};
use crate::mir::{Operand, Register};
use crate::nvptx::vectors::reads_vector;
use crate::versions::VERSIONS;
use std::ops::Range;

/// The pass that the remarks name.
const PASS: &str = VERSIONS.two_address_argument;

/// Whether the user wants the remarks of the pass on a function.
pub fn wants_remarks(mf: MachineFunction) -> bool {
    mf.wants_remarks(RemarkKind::Missed, PASS)
}

/// Forwards to the instruction handle's methods of the same name.
macro_rules! forward {
    ($($name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        $(
            fn $name(self, mi: MachineInstr<'f>, $($arg: $ty),*) $(-> $result)? {
                mi.$name($($arg),*)
            }
        )*
    };
}

/// Forwards to the function handle's methods of the same name.
macro_rules! forward_to_function {
    ($($name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        $(
            fn $name(self, $($arg: $ty),*) $(-> $result)? {
                self.mf.$name($($arg),*)
            }
        )*
    };
}

impl<'f> TwoAddressHost for Run<'f> {
    forward! {
        latency() -> u32;
        copied_registers() -> Option<(Register, Register)>;
        kills_register(reg: Register) -> bool;
        def_is_dead(reg: Register) -> bool;
        num_described_operands() -> usize;
        num_described_defs() -> usize;
        tied_def(index: usize) -> usize;
        regmask_clobbers(index: usize, reg: Register) -> bool;
        set_kill(index: usize, kill: bool);
        set_undef(index: usize, undef: bool);
        set_dead(index: usize, dead: bool);
        add_register_killed(reg: Register);
        set_subreg(index: usize, subreg: u32);
        remove_operand(index: usize);
        replace_reg_in_bundle(from: Register, to: Register);
        insert_copy_before(dst: Register, src: Register, subreg: u32) -> MachineInstr<'f>;
        insert_copy_of_operand_before(dst: Register, subreg: u32, index: usize) -> MachineInstr<'f>;
        operands_commute(a: usize, b: usize) -> bool;
        commutes_with(a: usize) -> Option<usize>;
        commute(a: usize, b: usize) -> bool;
        commute_preference() -> Option<bool>;
        substitute_debug_value(new: MachineInstr<'f>);
        unfold_load() -> Option<(MachineInstr<'f>, MachineInstr<'f>, Register)>;
        text() -> String;
    }

    forward_to_function! {
        number() -> u32;
        set_tied_ops_rewritten();
        regs_overlap(a: Register, b: Register) -> bool;
        lane_mask(subreg: u32) -> u64;
        tracks_subreg_liveness(reg: Register) -> bool;
        constrain_class_like(reg: Register, like: Register) -> bool;
        replace_reg(from: Register, to: Register);
    }

    fn facts(self, mi: MachineInstr<'f>) -> InstrFacts<MachineInstr<'f>> {
        let facts = mi.facts();
        InstrFacts {
            next: facts.next,
            num_operands: facts.num_operands,
            opcode: facts.opcode.number(),
            kind: facts.kind,
            has_result: facts.has_result(),
            has_several_results: facts.has_several_results(),
            has_tied_use: facts.has_tied_use(),
            clobbers_physical: facts.clobbers_physical(),
            reads_physical: facts.reads_physical(),
        }
    }
    fn properties(self, mi: MachineInstr<'f>) -> InstrProperties {
        let properties = mi.properties();
        InstrProperties {
            is_debug_or_pseudo: properties.is_debug_or_pseudo(),
            is_commutable: properties.is_commutable(),
            is_convertible_to_3addr: properties.is_convertible_to_3addr(),
            is_convertible_to_3addr_in_bundle: properties.is_convertible_to_3addr_in_bundle(),
            may_load: properties.may_load(),
            is_barrier: properties.is_barrier(),
        }
    }
    fn reads_vector(self, mi: MachineInstr<'f>) -> bool {
        let properties = mi.properties();
        let only_stores = properties.may_store() && !properties.may_load();
        only_stores || reads_vector(&self.mf.opcode_name(mi.opcode()))
    }
    fn is_safe_to_move(self, mi: MachineInstr<'f>) -> bool {
        mi.is_safe_to_move(self.aa)
    }
    fn inline_asm_first_operand(self) -> usize {
        MachineInstr::inline_asm_first_operand()
    }
    fn become_copy(self, mi: MachineInstr<'f>) {
        mi.make_copy();
    }
    fn become_implicit_def(self, mi: MachineInstr<'f>) {
        mi.make_implicit_def();
    }
    fn insert_before(self, before: MachineInstr<'f>, mi: MachineInstr<'f>) {
        before.block().place_before(before, mi);
    }
    fn splice(
        self,
        block: MachineBasicBlock<'f>,
        before: Option<MachineInstr<'f>>,
        first: MachineInstr<'f>,
        last: Option<MachineInstr<'f>>,
    ) {
        block.splice(before, first, last);
    }
    fn convert_to_three_address(self, mi: MachineInstr<'f>) -> Option<MachineInstr<'f>> {
        mi.convert_to_three_address(self.lv, self.lis)
    }
    fn subreg_bits(self, subreg: u32) -> Option<Range<u32>> {
        self.mf.subreg_bits(subreg).map(|(offset, size)| offset..offset + size)
    }
    fn is_same_class(self, a: Register, b: Register) -> bool {
        self.mf.class_id(a) == self.mf.class_id(b)
    }
    fn reg_text(self, operand: Operand) -> String {
        self.mf.reg_text(operand.reg(), operand.subreg())
    }
    fn name(self) -> String {
        self.mf.name().into_owned()
    }
    fn emit_missed(self, mi: MachineInstr<'f>, name: &str, parts: &[(&str, String)]) {
        Remark { kind: RemarkKind::Missed, pass: PASS, name, parts }.emit_at(mi.block(), mi);
    }
}
