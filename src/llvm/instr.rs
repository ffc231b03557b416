//! MachineInstr: the queries of an instruction, and the ways to change it.

use super::ffi;
use super::global::Global;
use super::handles::{
    AliasAnalysis, LiveIntervals, LiveVariables, MachineBasicBlock, MachineFunction, MachineInstr,
};
use super::new_instr::float_from_ffi;
use super::read::{read_list, read_text};
use super::strings::borrow_str;
use crate::mir::{
    for_each_tied_use, AddressSpace, Float, InstrKind, Kind, MemOperand, MemoryAccess, Opcode, Operand,
    Register,
};
use std::borrow::Cow;
use std::ptr::NonNull;

/// The facts about every instruction that a walk over a block needs, from one call.
#[derive(Clone, Copy)]
pub struct InstrFacts<'f> {
    /// The next instruction of the block; a bundle counts as one.
    pub next: Option<MachineInstr<'f>>,
    /// How many operands there are.
    pub num_operands: usize,
    /// The opcode, which tells what it does.
    pub opcode: Opcode,
    /// Its kind.
    pub kind: InstrKind,
    flags: u32,
}

/// A source location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugLocation<'f> {
    /// The file, as the compiler was given it.
    pub file: Cow<'f, str>,
    /// The line, counted from 1; 0 if the instruction belongs to no line.
    pub line: u32,
    /// The column, counted from 1; 0 if it is not known.
    pub column: u32,
}

macro_rules! flag_getters {
    ($($(#[$doc:meta])* $name:ident = $flag:ident;)*) => {
        $($(#[$doc])* pub fn $name(self) -> bool { self.flags & ffi::$flag != 0 })*
    };
}

impl InstrFacts<'_> {
    flag_getters! {
        /// Some use is tied to a def.
        has_tied_use = PTX_MI_TIED_USE;
        /// Some use is of a physical register.
        reads_physical = PTX_MI_PHYS_USE;
        /// It has an explicit def of a virtual register.
        has_result = PTX_MI_RESULT;
        /// It has more than one of them.
        has_several_results = PTX_MI_SEVERAL_RESULTS;
    }
    /// It defines a physical register or has a register mask.
    pub fn clobbers_physical(self) -> bool {
        self.flags & (ffi::PTX_MI_PHYS_DEF | ffi::PTX_MI_REG_MASK) != 0
    }
    /// COPY
    pub fn is_copy(self) -> bool {
        self.kind == InstrKind::Copy
    }
    /// INLINEASM or INLINEASM_BR
    pub fn is_inline_asm(self) -> bool {
        self.kind.is_inline_asm()
    }
    /// DBG_VALUE, DBG_LABEL, ...
    pub fn is_debug(self) -> bool {
        self.kind == InstrKind::Debug
    }
}

/// Properties of an instruction, named after LLVM's functions. They are needed for few instructions
/// only.
#[derive(Clone, Copy)]
pub struct Properties {
    pub(super) flags: u32,
}

impl Properties {
    flag_getters! {
        /// Debug instruction or pseudo probe.
        is_debug_or_pseudo = PTX_PROP_DEBUG_OR_PSEUDO;
        /// `isCommutable`
        is_commutable = PTX_PROP_COMMUTABLE;
        /// `isConvertibleTo3Addr`
        is_convertible_to_3addr = PTX_PROP_CONVERTIBLE_TO_3ADDR;
        /// The same, for the instruction or for any instruction in its bundle.
        is_convertible_to_3addr_in_bundle = PTX_PROP_CONVERTIBLE_TO_3ADDR_IN_BUNDLE;
        /// `isCall`
        is_call = PTX_PROP_CALL;
        /// `isTerminator`
        is_terminator = PTX_PROP_TERMINATOR;
        /// `mayLoad`
        may_load = PTX_PROP_MAY_LOAD;
        /// `mayStore`
        may_store = PTX_PROP_MAY_STORE;
        /// `isBranch`
        is_branch = PTX_PROP_BRANCH;
        /// `isUnconditionalBranch`
        is_unconditional_branch = PTX_PROP_UNCONDITIONAL_BRANCH;
        /// `isPosition`: a label.
        is_position = PTX_PROP_POSITION;
        /// `isConvergent`
        is_convergent = PTX_PROP_CONVERGENT;
        /// `isNotDuplicable`
        is_not_duplicable = PTX_PROP_NOT_DUPLICABLE;
        /// `hasUnmodeledSideEffects`
        has_unmodeled_side_effects = PTX_PROP_UNMODELED_SIDE_EFFECTS;
        /// `mayRaiseFPException`
        may_raise_fp_exception = PTX_PROP_MAY_RAISE_FP_EXCEPTION;
        /// `hasOrderedMemoryRef`
        has_ordered_memory_ref = PTX_PROP_ORDERED_MEMORY_REF;
        /// `isDereferenceableInvariantLoad`
        is_invariant_load = PTX_PROP_INVARIANT_LOAD;
        /// Its opcode is one of the target's own, not a generic one.
        has_target_opcode = PTX_PROP_TARGET_OPCODE;
    }
    /// No memory access, no side effect, and not bound to its place.
    fn only_computes(self) -> bool {
        const NOT: u32 = ffi::PTX_PROP_MAY_LOAD
            | ffi::PTX_PROP_MAY_STORE
            | ffi::PTX_PROP_UNMODELED_SIDE_EFFECTS
            | ffi::PTX_PROP_CALL
            | ffi::PTX_PROP_TERMINATOR
            | ffi::PTX_PROP_POSITION
            | ffi::PTX_PROP_CONVERGENT
            | ffi::PTX_PROP_NOT_DUPLICABLE;
        self.flags & NOT == 0
    }
    /// Call, branch, terminator or unmodelled side effects: nothing may be moved past it.
    pub fn is_barrier(self) -> bool {
        self.flags
            & (ffi::PTX_PROP_UNMODELED_SIDE_EFFECTS
                | ffi::PTX_PROP_CALL
                | ffi::PTX_PROP_BRANCH
                | ffi::PTX_PROP_TERMINATOR)
            != 0
    }
}

/// Converts the shim's kind.
///
/// # Panics
/// If the kind is not in the shim's header.
pub(super) const fn kind_from_ffi(kind: ffi::PtxInstrKind::Type) -> InstrKind {
    use ffi::PtxInstrKind as Ffi;
    match kind {
        Ffi::PTX_KIND_OTHER => InstrKind::Other,
        Ffi::PTX_KIND_PHI => InstrKind::Phi,
        Ffi::PTX_KIND_COPY => InstrKind::Copy,
        Ffi::PTX_KIND_IMPLICIT_DEF => InstrKind::ImplicitDef,
        Ffi::PTX_KIND_REG_SEQUENCE => InstrKind::RegSequence,
        Ffi::PTX_KIND_INSERT_SUBREG => InstrKind::InsertSubreg,
        Ffi::PTX_KIND_EXTRACT_SUBREG => InstrKind::ExtractSubreg,
        Ffi::PTX_KIND_SUBREG_TO_REG => InstrKind::SubregToReg,
        Ffi::PTX_KIND_KILL => InstrKind::Kill,
        Ffi::PTX_KIND_BUNDLE => InstrKind::Bundle,
        Ffi::PTX_KIND_INLINE_ASM => InstrKind::InlineAsm,
        Ffi::PTX_KIND_INLINE_ASM_BR => InstrKind::InlineAsmBr,
        Ffi::PTX_KIND_STATEPOINT => InstrKind::Statepoint,
        Ffi::PTX_KIND_DEBUG => InstrKind::Debug,
        _ => panic!("the shim names an unknown kind of instruction"),
    }
}

/// An operand index as the shim takes it. An index that is too large becomes that of no operand.
fn to_index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

// Each call in these blocks passes pointers that the handles keep valid, and numbers that the shim
// checks (see the module documentation).
/// # Properties
impl<'f> MachineInstr<'f> {
    /// Its text, as LLVM prints it. Also works for an erased instruction.
    pub fn text(self) -> String {
        let mi = self.ptr.as_ptr();
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_text(|out, capacity| unsafe { ffi::ptx_mi_text(mi, out, capacity) })
    }
    /// Its text for the assembler. Each operand that is not an immediate is replaced by `operand_`
    /// and its position: `ld.global.b32 operand_0, [operand_7+4];`. Empty for a generic opcode or
    /// an instruction without such text.
    ///
    /// LLVM's printer is made for code after instruction selection. Unexpected code, such as an
    /// immediate with an invented value, may end the process.
    pub fn assembler_text(self) -> String {
        let explicit = 0..self.num_explicit_operands();
        let printed = explicit.map(|index| {
            let is_immediate = self.operand(index).kind() == Kind::Imm;
            let value = if is_immediate { self.immediate(index) } else { index as i64 };
            ffi::PtxPrintedOperand { value, is_immediate }
        });
        let operands: Vec<_> = printed.collect();
        let (mf, first, num) = (self.function().ptr.as_ptr(), operands.as_ptr(), operands.len());
        let opcode = self.opcode().number();
        // SAFETY: handle; this many operands are there, and the buffer has the capacity that is
        // passed.
        read_text(|out, capacity| unsafe { ffi::ptx_opcode_text(mf, opcode, first, num, out, capacity) })
    }
    /// Its address, as a key for maps; never order by it. An erased instruction keeps it until the
    /// run ends.
    pub fn key(self) -> usize {
        self.ptr.as_ptr() as usize
    }
    /// Reads the facts that a walk needs, in one call.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn facts(self) -> InstrFacts<'f> {
        let mut out =
            ffi::PtxInstrFacts { next: std::ptr::null_mut(), num_operands: 0, flags: 0, opcode: 0, kind: 0 };
        // SAFETY: handle; the next one belongs to the same function.
        let next = unsafe {
            ffi::ptx_mi_facts(self.ptr.as_ptr(), &mut out);
            MachineInstr::from_ptr(out.next)
        };
        let (num_operands, kind) = (out.num_operands as usize, kind_from_ffi(out.kind));
        InstrFacts { next, num_operands, opcode: out.opcode.into(), kind, flags: out.flags }
    }
    /// Reads the rarely needed properties.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn properties(self) -> Properties {
        // SAFETY: handle.
        Properties { flags: unsafe { ffi::ptx_mi_properties(self.ptr.as_ptr()) } }
    }
    /// The source location that it comes from, if known.
    pub fn debug_location(self) -> Option<DebugLocation<'f>> {
        let mut at = ffi::PtxDebugLocation {
            file: ffi::PtxStr { data: std::ptr::null(), len: 0 },
            line: 0,
            column: 0,
        };
        // SAFETY: handle; the place for the answer lives through the call.
        let is_known = unsafe { ffi::ptx_mi_debug_location(self.ptr.as_ptr(), &mut at) };
        is_known.then(|| {
            // SAFETY: the name belongs to the module's metadata.
            let file = unsafe { borrow_str(at.file) };
            DebugLocation { file, line: at.line, column: at.column }
        })
    }
    /// The target's name for its opcode.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn opcode_name(self) -> Cow<'f, str> {
        self.function().opcode_name(self.opcode())
    }
    /// The text that it prints before its first operand; empty for generic opcodes.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn mnemonic(self) -> Cow<'f, str> {
        self.function().mnemonic(self.opcode())
    }
    /// COPY
    pub fn is_copy(self) -> bool {
        self.kind() == InstrKind::Copy
    }
    /// PHI
    pub fn is_phi(self) -> bool {
        self.kind() == InstrKind::Phi
    }
    /// DBG_VALUE, DBG_LABEL, ...
    pub fn is_debug(self) -> bool {
        self.kind() == InstrKind::Debug
    }
    /// `isCall`
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn is_call(self) -> bool {
        self.properties().is_call()
    }
    /// Its latency: the cycles until its result is ready.
    ///
    /// # Fatal errors
    /// If it was erased, or has fewer operands than its description.
    pub fn latency(self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_latency(self.ptr.as_ptr()) }
    }
    /// Whether its opcode is this one, of [`opcodes!`](crate::opcodes!).
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn is(self, opcode: Opcode) -> bool {
        self.opcode() == opcode
    }
    /// The opcode, which tells what it does.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn opcode(self) -> Opcode {
        // SAFETY: handle.
        Opcode::from_number(unsafe { ffi::ptx_mi_opcode(self.ptr.as_ptr()) })
    }
    /// Its kind.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn kind(self) -> InstrKind {
        // SAFETY: handle.
        kind_from_ffi(unsafe { ffi::ptx_mi_kind(self.ptr.as_ptr()) })
    }
    /// The destination and source of a COPY, an INSERT_SUBREG or a SUBREG_TO_REG.
    pub fn copied_registers(self) -> Option<(Register, Register)> {
        let source = self.kind().copied_operand()?;
        Some((self.operand(0).reg(), self.operand(source).reg()))
    }
    /// The number by which debug values refer to its result.
    pub fn debug_number(self) -> Option<u32> {
        // SAFETY: handle.
        let number = unsafe { ffi::ptx_mi_debug_number(self.ptr.as_ptr()) };
        (number != 0).then_some(number)
    }
}

/// # Its place
impl<'f> MachineInstr<'f> {
    /// The next instruction of the block; a bundle counts as one.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn next(self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        unsafe { MachineInstr::from_ptr(ffi::ptx_mi_next(self.ptr.as_ptr())) }
    }
    /// The instruction before it.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn prev(self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        unsafe { MachineInstr::from_ptr(ffi::ptx_mi_prev(self.ptr.as_ptr())) }
    }
    /// The block that contains it.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn block(self) -> MachineBasicBlock<'f> {
        // SAFETY: handle; every instruction that a pass holds is in a block.
        unsafe { MachineBasicBlock::from_ptr(ffi::ptx_mi_block(self.ptr.as_ptr())) }
            .expect("the instruction is in no block")
    }
    /// The function that contains it.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn function(self) -> MachineFunction<'f> {
        // SAFETY: handle; every instruction that a pass holds is in a block of a function.
        let mf = unsafe { ffi::ptx_mi_function(self.ptr.as_ptr()) };
        let mf = NonNull::new(mf).expect("the instruction is in no function");
        // SAFETY: the function that lives for 'f.
        unsafe { MachineFunction::new(mf) }
    }
}

/// # Its operands
impl<'f> MachineInstr<'f> {
    /// The register mask of operand `index`. Only LLVM reads its contents.
    pub(crate) fn reg_mask(self, index: usize) -> *const u32 {
        // SAFETY: handle; the operand is a register mask.
        unsafe { ffi::ptx_mi_regmask(self.ptr.as_ptr(), to_index(index)) }
    }
    /// How many operands there are.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn num_operands(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_num_operands(self.ptr.as_ptr()) as usize }
    }
    /// How many operands the opcode's description has.
    pub fn num_described_operands(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_num_explicit_operands_of_desc(self.ptr.as_ptr()) as usize }
    }
    /// How many defs the opcode's description has.
    pub fn num_described_defs(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_num_defs_of_desc(self.ptr.as_ptr()) as usize }
    }
    /// One operand.
    ///
    /// # Fatal errors
    /// If it has no such operand, or was erased.
    pub fn operand(self, index: usize) -> Operand {
        // SAFETY: handle and index.
        Operand(unsafe { ffi::ptx_mi_operand(self.ptr.as_ptr(), to_index(index)) })
    }
    /// Reads all operands into `out`.
    ///
    /// # Fatal errors
    /// If it was erased.
    pub fn read_operands(self, out: &mut Vec<Operand>) {
        let n = self.num_operands();
        out.clear();
        out.resize(n, Operand(0));
        // SAFETY: handle; `Operand` is one u64 and there are `n` of them.
        unsafe { ffi::ptx_mi_operands(self.ptr.as_ptr(), out.as_mut_ptr().cast(), n as u32) }
    }
    /// Whether operand `index`, a register mask, clobbers the physical register.
    ///
    /// # Fatal errors
    /// If the operand is not a register mask, or the register is not physical.
    pub fn regmask_clobbers(self, index: usize, reg: Register) -> bool {
        // SAFETY: handle and index.
        unsafe { ffi::ptx_mi_regmask_clobbers(self.ptr.as_ptr(), to_index(index), reg.0) }
    }
    /// The def that the tied use `index` is tied to.
    ///
    /// # Fatal errors
    /// If the operand is not a tied register.
    pub fn tied_def(self, index: usize) -> usize {
        // SAFETY: handle and index.
        unsafe { ffi::ptx_mi_tied_def(self.ptr.as_ptr(), to_index(index)) as usize }
    }
    /// Calls `found(use_index, def_index)` for every tied use of its `operands`, in their order;
    /// `groups` is a buffer. For an INLINEASM one walk over the operand groups finds all ties.
    pub fn for_each_tied_use(
        self,
        is_inline_asm: bool,
        operands: &[Operand],
        groups: &mut Vec<usize>,
        mut found: impl FnMut(usize, usize),
    ) {
        if is_inline_asm {
            return for_each_tied_use(operands, MachineInstr::inline_asm_first_operand(), groups, found);
        }
        for (src, op) in operands.iter().enumerate() {
            if op.is_use() && op.is_tied() {
                found(src, self.tied_def(src));
            }
        }
    }
    /// Whether some operand reads `reg`.
    pub fn reads_register(self, reg: Register) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_reads_register(self.ptr.as_ptr(), reg.0) }
    }
    /// Whether some use of `reg` has a kill flag.
    pub fn kills_register(self, reg: Register) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_kills_register(self.ptr.as_ptr(), reg.0) }
    }
    /// The value of operand `index`, an immediate.
    ///
    /// # Fatal errors
    /// If the operand is not an immediate.
    pub fn immediate(self, index: usize) -> i64 {
        // SAFETY: handle and index; an immediate.
        unsafe { ffi::ptx_mi_immediate(self.ptr.as_ptr(), to_index(index)) }
    }
    /// The global in operand `index`, if there is one.
    ///
    /// # Fatal errors
    /// If it has no such operand.
    pub fn global(self, index: usize) -> Option<Global<'f>> {
        // SAFETY: handle and index; the global lives as long as the module.
        unsafe { Global::from_ptr(ffi::ptx_mi_global(self.ptr.as_ptr(), to_index(index))) }
    }
    /// The floating-point constant in operand `index`, if there is one of a type that [`Float`]
    /// has.
    ///
    /// # Fatal errors
    /// If it has no such operand.
    pub fn float(self, index: usize) -> Option<Float> {
        let (mut kind, mut bits) = (ffi::PtxFloatType::PTX_FLOAT_HALF, 0);
        // SAFETY: handle and index; the places for the answer live through the call.
        let is_float = unsafe { ffi::ptx_mi_float(self.ptr.as_ptr(), to_index(index), &mut kind, &mut bits) };
        is_float.then(|| float_from_ffi(kind, bits))
    }
    /// The address space of the global in operand `index`, if there is one.
    #[deprecated(since = "0.4.0", note = "it goes with 0.5.0: `global(index)` has it, with its name")]
    pub fn symbol_space(self, index: usize) -> Option<u32> {
        self.global(index).map(|global| global.space().number())
    }
    /// How many operands there are, without implicit ones.
    fn num_explicit_operands(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_num_explicit_operands(self.ptr.as_ptr()) as usize }
    }
    /// Whether the def of `reg` here is flagged dead.
    pub fn def_is_dead(self, reg: Register) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_def_is_dead(self.ptr.as_ptr(), reg.0) }
    }
}

/// # Memory and effects
impl<'f> MachineInstr<'f> {
    /// `isSafeToMove`, as if a store had been seen.
    pub fn is_safe_to_move(self, aa: Option<AliasAnalysis<'f>>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_mi_is_safe_to_move(self.ptr.as_ptr(), AliasAnalysis::to_ptr(aa)) }
    }
    /// Its memory operands. An instruction that accesses memory and has none may access anything.
    pub fn memory_operands(self) -> Vec<MemoryAccess> {
        let (mi, mut accesses) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut accesses, |out, n| unsafe { ffi::ptx_mi_memory_accesses(mi, out, n) });
        let by_value = |a: ffi::PtxMemoryAccess| MemoryAccess {
            size: (a.size != u64::MAX).then_some(a.size),
            alignment: a.alignment,
            address_space: a.address_space,
            is_load: a.flags & ffi::PTX_ACCESS_LOAD != 0,
            is_store: a.flags & ffi::PTX_ACCESS_STORE != 0,
            is_volatile: a.flags & ffi::PTX_ACCESS_VOLATILE != 0,
            is_atomic: a.flags & ffi::PTX_ACCESS_ATOMIC != 0,
            is_invariant: a.flags & ffi::PTX_ACCESS_INVARIANT != 0,
        };
        accesses.into_iter().map(by_value).collect()
    }
    /// Its memory operand, if it has exactly one.
    pub fn only_mem_operand(self) -> Option<MemOperand> {
        let mut out = MemOperand { address_space: 0, is_invariant: false, has_value: false };
        // SAFETY: handle; the place for the answer lives through the call.
        unsafe { ffi::ptx_mi_only_mem_operand(self.ptr.as_ptr(), &mut out) }.then_some(out)
    }
    /// Whether it loads from the function's parameters and does nothing else with memory.
    pub fn loads_parameter(self) -> bool {
        let properties = self.properties();
        // Results of calls are in that space too. But they are not in the IR, and the next call
        // changes them.
        properties.may_load()
            && !properties.may_store()
            && self.only_mem_operand().is_some_and(|from| {
                from.space() == AddressSpace::Param && (from.is_invariant || from.has_value)
            })
    }
    /// Whether it only computes results from its operands.
    pub fn only_computes(self) -> bool {
        let p = self.properties();
        (p.has_target_opcode() || self.kind() == InstrKind::Copy)
            && p.only_computes()
            && !p.may_raise_fp_exception()
    }
}

/// # Inline assembly
impl<'f> MachineInstr<'f> {
    /// Index of the first operand group of an INLINEASM.
    pub fn inline_asm_first_operand() -> usize {
        // SAFETY: a constant.
        unsafe { ffi::ptx_inline_asm_first_operand() as usize }
    }
    /// The text of inline assembly.
    ///
    /// # Fatal errors
    /// If it is not inline assembly.
    pub fn assembly_text(self) -> Cow<'f, str> {
        // SAFETY: handle, of inline assembly; LLVM keeps the text as long as the function.
        unsafe { borrow_str(ffi::ptx_mi_assembly_text(self.ptr.as_ptr())) }
    }
    /// Whether it is inline assembly that declares no other effect than its results.
    pub fn is_computing_assembly(self) -> bool {
        let p = self.properties();
        self.kind() == InstrKind::InlineAsm
            && !(p.may_load() || p.may_store() || p.has_unmodeled_side_effects() || p.is_convergent())
    }
}

/// # Changing it
impl<'f> MachineInstr<'f> {
    /// Appends an implicit def of `reg`.
    pub fn add_implicit_def(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_add_implicit(self.ptr.as_ptr(), reg.0, true, false) }
    }
    /// Appends an implicit use of `reg`, as its last use or not.
    pub fn add_implicit_use(self, reg: Register, kill: bool) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_add_implicit(self.ptr.as_ptr(), reg.0, false, kill) }
    }
    /// Makes operand `index` name the whole register `reg`.
    ///
    /// # Fatal errors
    /// If the operand is not a register, `reg` is not one of the function or the target, or the
    /// instruction was erased.
    pub fn set_reg(self, index: usize, reg: Register) {
        // SAFETY: handle and index.
        unsafe { ffi::ptx_mi_set_operand_reg(self.ptr.as_ptr(), to_index(index), reg.0, 0) }
    }
    /// Makes operand `index` name this part of its register.
    ///
    /// # Fatal errors
    /// If the operand is not a register, or the target has no such part.
    pub fn set_subreg(self, index: usize, subreg: u32) {
        // SAFETY: handle and index.
        unsafe { ffi::ptx_mi_set_operand_subreg(self.ptr.as_ptr(), to_index(index), subreg) }
    }
    /// Sets or clears the undef flag of an operand.
    ///
    /// # Fatal errors
    /// If the operand is not a register.
    pub fn set_undef(self, index: usize, undef: bool) {
        self.set_operand_flag(index, ffi::PtxOperandFlag::PTX_FLAG_UNDEF, undef);
    }
    /// Flags a def as written before all uses are read.
    ///
    /// # Fatal errors
    /// If the operand is not a def.
    pub fn set_early_clobber(self, index: usize) {
        self.set_operand_flag(index, ffi::PtxOperandFlag::PTX_FLAG_EARLY_CLOBBER, true);
    }
    fn set_operand_flag(self, index: usize, flag: ffi::PtxOperandFlag::Type, value: bool) {
        // SAFETY: handle and index.
        unsafe { ffi::ptx_mi_set_operand_flag(self.ptr.as_ptr(), to_index(index), flag, value) }
    }
    /// Removes an operand; later operands move up.
    ///
    /// # Fatal errors
    /// If it has no such operand, or one after it is tied.
    pub fn remove_operand(self, index: usize) {
        // SAFETY: handle and index.
        unsafe { ffi::ptx_mi_remove_operand(self.ptr.as_ptr(), to_index(index)) }
    }
    /// Turns it into a COPY; the operands must suit it.
    pub fn make_copy(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_set_kind(self.ptr.as_ptr(), ffi::PtxInstrKind::PTX_KIND_COPY) }
    }
    /// Turns it into an IMPLICIT_DEF; the operands must suit it.
    pub fn make_implicit_def(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_set_kind(self.ptr.as_ptr(), ffi::PtxInstrKind::PTX_KIND_IMPLICIT_DEF) }
    }
    /// Makes `reg` operand `index`, and `offset` the operand after it, which is appended if there
    /// is none. If an opcode is given, the instruction gets it and loses its flags.
    pub fn set_address(self, opcode: Option<u32>, index: usize, reg: Register, offset: i64) {
        self.set_reg(index, reg);
        let has_offset = index + 1 < self.num_explicit_operands();
        if let Some(opcode) = opcode {
            self.set_opcode(opcode);
        }
        if has_offset {
            // SAFETY: handle and index.
            unsafe { ffi::ptx_mi_set_immediate(self.ptr.as_ptr(), to_index(index + 1), offset) }
        } else {
            self.add_immediate(offset);
        }
    }
    /// Turns operand `index` into an immediate.
    ///
    /// # Fatal errors
    /// If it has no such operand, or that is tied.
    pub fn set_immediate(self, index: usize, value: i64) {
        // SAFETY: handle and index.
        unsafe { ffi::ptx_mi_set_immediate(self.ptr.as_ptr(), to_index(index), value) }
    }
    /// Gives it another opcode, which must suit its operands. Clears its flags.
    ///
    /// # Fatal errors
    /// If the opcode is neither one of the target's own nor COPY, IMPLICIT_DEF or KILL.
    pub fn set_opcode(self, opcode: impl Into<Opcode>) {
        // SAFETY: handle; the shim checks the opcode.
        unsafe { ffi::ptx_mi_set_opcode(self.ptr.as_ptr(), opcode.into().number()) }
    }
    /// Appends an immediate.
    fn add_immediate(self, value: i64) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_add_immediate(self.ptr.as_ptr(), value) }
    }
    /// Replaces `from` by `to` in the instructions inside this bundle.
    pub fn replace_reg_in_bundle(self, from: Register, to: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_replace_reg_in_bundle(self.ptr.as_ptr(), from.0, to.0) }
    }
    /// Makes debug values that refer to this instruction's result refer to that of `new`.
    pub(crate) fn substitute_debug_value(self, new: MachineInstr<'f>) {
        if self.debug_number().is_some() {
            // SAFETY: handles.
            unsafe { ffi::ptx_mi_substitute_debug_value(self.ptr.as_ptr(), new.ptr.as_ptr()) }
        }
    }
}

/// # Kill flags and dead defs
///
/// [When a flag must be cleared](super#kill-flags).
impl<'f> MachineInstr<'f> {
    /// `addRegisterDead`: every def of `reg` is dead.
    pub fn add_register_dead(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_add_register_dead(self.ptr.as_ptr(), reg.0, false) }
    }
    /// The same for a physical register. If no operand defines it, it is appended as an implicit
    /// def. Dead implicit defs of its parts are removed.
    pub fn add_phys_reg_dead(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_add_register_dead(self.ptr.as_ptr(), reg.0, true) }
    }
    /// `addRegisterKilled` for a physical register. If no operand reads it, it is appended as an
    /// implicit use. Killed implicit uses of its parts are removed.
    pub fn add_phys_reg_killed(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_add_register_killed(self.ptr.as_ptr(), reg.0, true) }
    }
    /// Sets or clears the kill flag of a use.
    ///
    /// # Fatal errors
    /// If the operand is not a use, or one of a debug instruction.
    pub fn set_kill(self, index: usize, kill: bool) {
        self.set_operand_flag(index, ffi::PtxOperandFlag::PTX_FLAG_KILL, kill);
    }
    /// Sets or clears the dead flag of a def.
    ///
    /// # Fatal errors
    /// If the operand is not a def.
    pub fn set_dead(self, index: usize, dead: bool) {
        self.set_operand_flag(index, ffi::PtxOperandFlag::PTX_FLAG_DEAD, dead);
    }
    /// Sets the kill flag of the use of `reg`.
    pub fn add_register_killed(self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_add_register_killed(self.ptr.as_ptr(), reg.0, false) }
    }
}

/// # Copying, moving and erasing it
impl<'f> MachineInstr<'f> {
    /// Removes it from its block, for
    /// [`MachineFunction::delete_instr`](super::MachineFunction::delete_instr). Its registers'
    /// use-def chains no longer contain it.
    pub(crate) fn remove_from_block(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_remove_from_block(self.ptr.as_ptr()) }
    }
    /// Inserts a clone before another instruction, or before all terminators if that one is a
    /// terminator. The instruction must define one register. Returns the new register that the
    /// clone defines.
    ///
    /// # Fatal errors
    /// If one of the two was erased, or this one defines no register or is part of a bundle.
    pub fn clone_before(self, before: MachineInstr<'f>) -> Register {
        let block = before.block();
        let is_terminator = before.properties().is_terminator();
        let place = if is_terminator { block.first_terminator() } else { Some(before) };
        let (mi, at, place) = (self.ptr.as_ptr(), before.ptr.as_ptr(), MachineInstr::to_ptr(place));
        // SAFETY: handles of one function.
        Register(unsafe { ffi::ptx_mi_clone_before(mi, block.ptr.as_ptr(), place, at) })
    }
    /// Moves it to the end of a block, before its terminators.
    pub fn move_to_end_of(self, block: MachineBasicBlock<'f>) {
        let before = MachineInstr::to_ptr(block.first_terminator());
        // SAFETY: handles of one function.
        unsafe { ffi::ptx_mi_move_before(self.ptr.as_ptr(), block.ptr.as_ptr(), before) }
    }
    /// Moves it to `block`, before `before`; `None` is the end of the block.
    ///
    /// # Fatal errors
    /// If one of the two was erased, or `before` is not in `block`.
    pub fn move_before(self, block: MachineBasicBlock<'f>, before: Option<MachineInstr<'f>>) {
        let before = MachineInstr::to_ptr(before);
        // SAFETY: handles of one function, `before` in this block.
        unsafe { ffi::ptx_mi_move_before(self.ptr.as_ptr(), block.ptr.as_ptr(), before) }
    }
    /// Removes it from its block, or the whole bundle if it is the head of one. No analysis is
    /// informed. After that only [`text`](Self::text) and [`key`](Self::key) of its handles may be
    /// called.
    ///
    /// # Fatal errors
    /// If it was erased before.
    pub fn erase(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_erase(self.ptr.as_ptr()) }
    }
    /// Removes it from its block and frees it at once: no handle to it may be used again. LLVM's
    /// passes do that, and our replacements of them must too. The next instruction is then made in
    /// the same memory. LLVM's two-address pass identifies instructions by address, including old
    /// ones.
    pub(crate) fn free(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_free(self.ptr.as_ptr()) }
    }
    /// Inserts `dst = COPY src:subreg` before it, with its debug location.
    ///
    /// # Fatal errors
    /// If it was erased, or a register is unknown or none.
    pub fn insert_copy_before(self, dst: Register, src: Register, subreg: u32) -> MachineInstr<'f> {
        // SAFETY: handle; the shim returns the instruction it made.
        unsafe { MachineInstr::from_ptr(ffi::ptx_mi_insert_copy(self.ptr.as_ptr(), dst.0, src.0, subreg)) }
            .expect("LLVM made no COPY")
    }
    /// Inserts `dst:subreg = COPY <operand index of this one>` before it.
    pub fn insert_copy_of_operand_before(self, dst: Register, subreg: u32, index: usize) -> MachineInstr<'f> {
        // SAFETY: handle and index; the shim returns the instruction it made.
        unsafe {
            MachineInstr::from_ptr(ffi::ptx_mi_insert_copy_of_operand(
                self.ptr.as_ptr(),
                dst.0,
                subreg,
                to_index(index),
            ))
        }
        .expect("LLVM made no COPY")
    }
}

/// # Commuting, and forms with other operands
impl<'f> MachineInstr<'f> {
    /// Whether the target can swap operands `a` and `b`.
    ///
    /// # Fatal errors
    /// If it has no such operands, or fewer than its description.
    pub fn operands_commute(self, a: usize, b: usize) -> bool {
        let (mut a, mut b) = (to_index(a), to_index(b));
        // SAFETY: handle; the places for the indices live through the call.
        unsafe { ffi::ptx_mi_operands_commute(self.ptr.as_ptr(), &mut a, &mut b) }
    }
    /// An operand that the target can swap with `a`.
    pub fn commutes_with(self, a: usize) -> Option<usize> {
        let mut b = 0;
        // SAFETY: as above.
        unsafe { ffi::ptx_mi_commutes_with_any(self.ptr.as_ptr(), to_index(a), &mut b) }.then_some(b as usize)
    }
    /// Swaps operands `a` and `b` in place. Returns `false` if the target did not.
    pub fn commute(self, a: usize, b: usize) -> bool {
        // SAFETY: handle and indices.
        unsafe { ffi::ptx_mi_commute(self.ptr.as_ptr(), to_index(a), to_index(b)) }
    }
    /// The target's own preference whether to commute, if it has one.
    pub fn commute_preference(self) -> Option<bool> {
        let mut commute = false;
        // SAFETY: handle; the place for the answer lives through the call.
        unsafe { ffi::ptx_mi_commute_preference(self.ptr.as_ptr(), &mut commute) }.then_some(commute)
    }
    /// Asks the target to make a three-address instruction from it, as a new instruction or in
    /// place.
    pub(crate) fn convert_to_three_address(
        self,
        lv: Option<LiveVariables<'f>>,
        lis: Option<LiveIntervals<'f>>,
    ) -> Option<MachineInstr<'f>> {
        // SAFETY: handles.
        unsafe {
            MachineInstr::from_ptr(ffi::ptx_mi_convert_to_three_address(
                self.ptr.as_ptr(),
                LiveVariables::to_ptr(lv),
                LiveIntervals::to_ptr(lis),
            ))
        }
    }
    /// Splits off the folded load. Returns the load, the operation, and the new register between
    /// them. Neither of the two is in a block yet; this instruction stays.
    pub(crate) fn unfold_load(self) -> Option<(MachineInstr<'f>, MachineInstr<'f>, Register)> {
        let mut unfolded = ffi::PtxUnfoldedLoad { opcode: 0, num_defs: 0, reg_index: 0 };
        // SAFETY: handle; the place for the answer lives through the call.
        let can_unfold = unsafe { ffi::ptx_mi_unfolded_load(self.ptr.as_ptr(), &mut unfolded) };
        if !can_unfold || unfolded.num_defs != 1 {
            return None;
        }
        let (mut load, mut op, mut reg) = (std::ptr::null_mut(), std::ptr::null_mut(), 0);
        // SAFETY: handle; the places for the results live through the call; both belong to the
        // function.
        unsafe {
            if !ffi::ptx_mi_unfold_load(self.ptr.as_ptr(), &unfolded, &mut load, &mut op, &mut reg) {
                return None;
            }
            Some((MachineInstr::from_ptr(load)?, MachineInstr::from_ptr(op)?, Register(reg)))
        }
    }
}

/// The packed operand has the same layout on both sides.
const _: () = {
    assert!(Operand::KIND_SHIFT == ffi::PTX_OP_KIND_SHIFT);
    assert!(Operand::SUBREG_SHIFT == ffi::PTX_OP_SUBREG_SHIFT);
    assert!(Operand::DEF_SHIFT == ffi::PTX_OP_DEF_SHIFT);
    assert!(Operand::IMPLICIT_SHIFT == ffi::PTX_OP_IMPLICIT_SHIFT);
    assert!(Operand::DEAD_OR_KILL_SHIFT == ffi::PTX_OP_DEAD_OR_KILL_SHIFT);
    assert!(Operand::UNDEF_SHIFT == ffi::PTX_OP_UNDEF_SHIFT);
    assert!(Operand::EARLY_CLOBBER_SHIFT == ffi::PTX_OP_EARLY_CLOBBER_SHIFT);
    assert!(Operand::TIED_SHIFT == ffi::PTX_OP_TIED_SHIFT);
    assert!(Operand::DEBUG_SHIFT == ffi::PTX_OP_DEBUG_SHIFT);
    assert!(Operand::VALUE_SHIFT == ffi::PTX_OP_VALUE_SHIFT);
    use ffi::PtxOperandKind as Ffi;
    assert!(Ffi::PTX_OPERAND_REG == 0 && Ffi::PTX_OPERAND_IMM == 1 && Ffi::PTX_OPERAND_REGMASK == 2);
};
