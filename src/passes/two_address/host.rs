//! Declares what the two-address pass asks of its host beyond [`FunctionHandle`].

use crate::mir::{InstrKind, Operand, Register};
use crate::passes::function::FunctionHandle;

/// A function whose tied operands can be rewritten.
pub trait TwoAddressHost: FunctionHandle {
    /// The function's number in its module.
    fn number(self) -> u32;
    /// Sets the property that the function's tied operands are rewritten.
    fn set_tied_ops_rewritten(self);

    /// What the walk over a block needs to know of each instruction.
    fn facts(self, mi: Self::Instr) -> InstrFacts<Self::Instr>;
    /// The properties that only few instructions need.
    fn properties(self, mi: Self::Instr) -> InstrProperties;
    /// Whether it may move past others, on the assumption that one of them stores.
    fn is_safe_to_move(self, mi: Self::Instr) -> bool;
    /// Cycles until its result is available.
    fn latency(self, mi: Self::Instr) -> u32;
    /// Destination and source of COPY, INSERT_SUBREG and SUBREG_TO_REG.
    fn copied_registers(self, mi: Self::Instr) -> Option<(Register, Register)>;
    /// Whether some use of `reg` is flagged as its last.
    fn kills_register(self, mi: Self::Instr, reg: Register) -> bool;
    /// Whether the def of `reg` is flagged dead.
    fn def_is_dead(self, mi: Self::Instr, reg: Register) -> bool;
    /// Whether registers that it reads side by side are the components of one value, as in a wide
    /// store. Depends on the opcode alone. Not called for inline assembly.
    fn reads_vector(self, mi: Self::Instr) -> bool;
    /// How many operands the opcode's description has.
    fn num_described_operands(self, mi: Self::Instr) -> usize;
    /// How many defs the opcode's description has.
    fn num_described_defs(self, mi: Self::Instr) -> usize;
    /// The def that the tied use `index` is tied to.
    fn tied_def(self, mi: Self::Instr, index: usize) -> usize;
    /// The index of the first operand group of an INLINEASM.
    fn inline_asm_first_operand(self) -> usize;
    /// Whether operand `index`, a register mask, clobbers a physical register.
    fn regmask_clobbers(self, mi: Self::Instr, index: usize, reg: Register) -> bool;

    /// Sets or clears the kill flag of a use.
    fn set_kill(self, mi: Self::Instr, index: usize, kill: bool);
    /// Sets or clears the undef flag.
    fn set_undef(self, mi: Self::Instr, index: usize, undef: bool);
    /// Sets or clears the dead flag of a def.
    fn set_dead(self, mi: Self::Instr, index: usize, dead: bool);
    /// Flags the use of `reg` as its last.
    fn add_register_killed(self, mi: Self::Instr, reg: Register);
    /// Makes operand `index` name this part of its register.
    fn set_subreg(self, mi: Self::Instr, index: usize, subreg: u32);
    /// Removes an operand; the ones after it move up.
    fn remove_operand(self, mi: Self::Instr, index: usize);
    /// Makes it a COPY. Its operands must suit one.
    fn become_copy(self, mi: Self::Instr);
    /// Makes it an IMPLICIT_DEF. Its operands must suit one.
    fn become_implicit_def(self, mi: Self::Instr);
    /// Replaces `from` by `to` in the instructions inside the bundle.
    fn replace_reg_in_bundle(self, bundle: Self::Instr, from: Register, to: Register);
    /// Inserts `dst = COPY src` before it, with its debug location; `src` may be part of its
    /// register.
    fn insert_copy_before(self, mi: Self::Instr, dst: Register, src: Register, subreg: u32) -> Self::Instr;
    /// Inserts `dst = COPY <operand index of it>` before it; `dst` may be part of its register.
    fn insert_copy_of_operand_before(
        self,
        mi: Self::Instr,
        dst: Register,
        subreg: u32,
        index: usize,
    ) -> Self::Instr;
    /// Puts `mi`, which is in no block, before another one.
    fn insert_before(self, before: Self::Instr, mi: Self::Instr);
    /// Moves the instructions from `first` up to, but not including, `last` to before `before`.
    /// `None` is the end of the block.
    fn splice(
        self,
        block: Self::Block,
        before: Option<Self::Instr>,
        first: Self::Instr,
        last: Option<Self::Instr>,
    );

    /// Whether the target can swap two operands.
    fn operands_commute(self, mi: Self::Instr, a: usize, b: usize) -> bool;
    /// Some operand that the target can swap with `a`.
    fn commutes_with(self, mi: Self::Instr, a: usize) -> Option<usize>;
    /// Swaps two operands in place. Returns false if the target did not.
    fn commute(self, mi: Self::Instr, a: usize, b: usize) -> bool;
    /// The target's own preference, whether to commute, if it has one.
    fn commute_preference(self, mi: Self::Instr) -> Option<bool>;
    /// Lets the target convert it to a three-address instruction, either a new one beside it or in
    /// place.
    fn convert_to_three_address(self, mi: Self::Instr) -> Option<Self::Instr>;
    /// Makes debug values that name the result of `old` name that of `new`.
    fn substitute_debug_value(self, old: Self::Instr, new: Self::Instr);
    /// Splits off the folded load. Returns the load, the operation, and the new register between
    /// them. The two are not in a block yet; `mi` stays.
    fn unfold_load(self, mi: Self::Instr) -> Option<(Self::Instr, Self::Instr, Register)>;

    /// Whether two registers are the same or share a part.
    fn regs_overlap(self, a: Register, b: Register) -> bool;
    /// The lanes of a sub-register index; all of them for index 0.
    fn lane_mask(self, subreg: u32) -> u64;
    /// The bits of a sub-register index; `None` if they are not contiguous.
    fn subreg_bits(self, subreg: u32) -> Option<std::ops::Range<u32>>;
    /// Whether sub-register liveness is tracked for `reg`.
    fn tracks_subreg_liveness(self, reg: Register) -> bool;
    /// Whether two virtual registers are of one class.
    fn is_same_class(self, a: Register, b: Register) -> bool;
    /// Narrows the class of `reg` to what the class of `like` allows. Returns false, and changes
    /// nothing, if they have no common subclass.
    fn constrain_class_like(self, reg: Register, like: Register) -> bool;
    /// Replaces `from` by `to` in all operands.
    fn replace_reg(self, from: Register, to: Register);

    /// The instruction as remarks show it.
    fn text(self, mi: Self::Instr) -> String;
    /// The register or sub-register of an operand, with its class, as remarks show it.
    fn reg_text(self, operand: Operand) -> String;
    /// Emits a missed remark on `mi`. Parts with a key are arguments.
    fn emit_missed(self, mi: Self::Instr, name: &str, parts: &[(&str, String)]);
    /// The name of the function.
    fn name(self) -> String;
}

/// What the walk needs to know of every instruction.
#[derive(Clone, Copy)]
pub struct InstrFacts<I> {
    /// The next instruction of the block; a bundle counts as one.
    pub next: Option<I>,
    /// How many operands there are.
    pub num_operands: usize,
    /// The target's number of its opcode.
    pub opcode: u32,
    /// Its kind.
    pub kind: InstrKind,
    /// Whether it has an explicit def of a virtual register.
    pub has_result: bool,
    /// Whether it has several of them.
    pub has_several_results: bool,
    /// Whether some use is tied to a def.
    pub has_tied_use: bool,
    /// Whether it defines a physical register or has a register mask.
    pub clobbers_physical: bool,
    /// Whether it reads a physical register.
    pub reads_physical: bool,
}

/// Properties that only few instructions need.
#[derive(Clone, Copy, Default, Debug)]
pub struct InstrProperties {
    /// Debug instruction or pseudo probe.
    pub is_debug_or_pseudo: bool,
    /// `isCommutable`
    pub is_commutable: bool,
    /// `isConvertibleTo3Addr`
    pub is_convertible_to_3addr: bool,
    /// The same, or any instruction of the bundle is.
    pub is_convertible_to_3addr_in_bundle: bool,
    /// `mayLoad`
    pub may_load: bool,
    /// Call, branch, terminator or unmodelled side effects: nothing moves past it.
    pub is_barrier: bool,
}
