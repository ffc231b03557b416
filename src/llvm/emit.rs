//! Reads the SelectionDAG of a block and makes its instructions, through the shim.

use super::instr::kind_from_ffi;
use super::{ffi, MachineFunction, MachineInstr};
use crate::adt::PackedOption;
use crate::mir::dag::debug::{DbgConstant, Expression, NewDbg};
use crate::mir::dag::description::{ClassFacts, DescFacts, DescOperand, TargetOpcodes};
use crate::mir::dag::ids::{ClassId, DbgValueId, IrBlockId, MetadataHandle, NodeHandle, NodeId};
use crate::mir::dag::ir::Ir;
use crate::mir::dag::new_instr::NewInstr;
use crate::mir::dag::schedule::Dag;
use crate::mir::{InstrKind, Register};
use index_vec::IndexSlice;
use std::borrow::Cow;
use std::ffi::CStr;
use std::ptr::NonNull;

/// The def of a register of a selected function.
pub struct SelectedDef<'f> {
    /// The instruction.
    pub instr: MachineInstr<'f>,
    /// Its kind.
    pub kind: InstrKind,
    /// `isSafeToMove`, as if a store had been seen.
    pub is_safe_to_move: bool,
    /// `isConvergent`
    pub is_convergent: bool,
    /// Whether debug values name its result by number.
    pub has_debug_number: bool,
    /// Whether it is in the first block and has a symbol for an operand.
    pub reads_symbol_in_first_block: bool,
}

impl<'f> MachineFunction<'f> {
    /// The virtual registers whose only operand is one def, in ascending order. Linear in the
    /// number of registers.
    pub(crate) fn unread_registers(self) -> Vec<Register> {
        let mut out = vec![Register::NONE; self.num_virt_regs()];
        // SAFETY: handle; there is room for every virtual register.
        let num = unsafe { ffi::ptx_selected_unread(self.ptr.as_ptr(), out.as_mut_ptr()) };
        out.truncate(num as usize);
        out
    }
    /// The only def of a virtual register.
    pub(crate) fn selected_def(self, reg: Register) -> Option<SelectedDef<'f>> {
        let mut out = ffi::PtxSelectedDef { mi: std::ptr::null_mut(), kind: 0, flags: 0 };
        // SAFETY: handle; a virtual register of the function; null or an instruction of it comes
        // back.
        let instr = unsafe {
            ffi::ptx_selected_def(self.ptr.as_ptr(), reg, &mut out);
            MachineInstr::from_ptr(out.mi)
        }?;
        let has = |flag| out.flags & flag != 0;
        Some(SelectedDef {
            instr,
            kind: kind_from_ffi(out.kind),
            is_safe_to_move: has(ffi::PTX_SELECTED_MOVABLE),
            is_convergent: has(ffi::PTX_SELECTED_CONVERGENT),
            has_debug_number: has(ffi::PTX_SELECTED_NUMBERED),
            reads_symbol_in_first_block: has(ffi::PTX_SELECTED_PARAMETER),
        })
    }
}

/// The emission of one block.
#[derive(Clone, Copy)]
pub struct BlockEmission<'f> {
    ptr: NonNull<ffi::PtxEmission>,
    mf: MachineFunction<'f>,
}

/// An LLVM array.
///
/// # Safety
/// `data` must point to `len` records that live for `'a`.
unsafe fn slice<'a, T>(data: *const T, len: u32) -> &'a [T] {
    match len {
        0 => &[],
        // SAFETY: by the caller's promise.
        n => unsafe { std::slice::from_raw_parts(data, n as usize) },
    }
}

impl<'f> BlockEmission<'f> {
    /// # Safety
    /// `ptr` must be an emission of `mf` that lives, and is not used by others, for `'f`.
    pub(super) unsafe fn new(ptr: NonNull<ffi::PtxEmission>, mf: MachineFunction<'f>) -> Self {
        BlockEmission { ptr, mf }
    }
    fn p(&self) -> *mut ffi::PtxEmission {
        self.ptr.as_ptr()
    }
    /// Reads the schedule. It is valid until the next block is read.
    pub(crate) fn read(&self) -> Dag<'f> {
        // SAFETY: plain data; null pointers and zeros are values of it.
        let mut d: ffi::PtxDag = unsafe { std::mem::zeroed() };
        // SAFETY: handle; the arrays live in buffers of the shim's that only the next block
        // changes.
        unsafe {
            ffi::ptx_emit_read(self.p(), &mut d);
            Dag {
                order: slice(d.steps, d.num_steps),
                nodes: IndexSlice::from_slice(slice(d.nodes, d.num_nodes)),
                operands: slice(d.operands, d.num_operands),
                words: slice(d.words, d.num_words),
                values: IndexSlice::from_slice(slice(d.values, d.num_values)),
                copies: slice(d.copies, d.num_copies),
                phys_copies: slice(d.phys_copies, d.num_phys_copies),
                dbg_values: IndexSlice::from_slice(slice(d.dbg_values, d.num_dbg_values)),
                dbg_operands: slice(d.dbg_operands, d.num_dbg_operands),
                dbg_of: slice(d.dbg_of, d.num_dbg_of),
                dbg_label_orders: slice(d.dbg_label_orders, d.num_dbg_labels),
                num_units: d.num_units as usize,
                flags: d.flags,
                special_kinds: d.special_kinds,
                odd_inputs: d.odd_inputs,
            }
        }
    }
    /// A number that identifies the subtarget within a pipeline.
    pub(crate) fn target_key(&self) -> u64 {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_target(self.p()) }
    }
    fn instr(&self, mi: *mut ffi::PtxInstr) -> MachineInstr<'f> {
        // SAFETY: an instruction that LLVM has just made in this function.
        unsafe { MachineInstr::from_ptr(mi) }.expect("LLVM made no instruction")
    }
    fn maybe(&self, mi: *mut ffi::PtxInstr) -> Option<MachineInstr<'f>> {
        // SAFETY: null or an instruction of this function.
        unsafe { MachineInstr::from_ptr(mi) }
    }
}

impl<'f> BlockEmission<'f> {
    /// Target-independent opcodes.
    pub(crate) fn opcodes(&self) -> TargetOpcodes {
        // SAFETY: returns plain data.
        unsafe { ffi::ptx_target_opcodes() }
    }
    /// How many register classes there are.
    pub(crate) fn num_classes(&self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_num_classes(self.p()) }
    }
    /// A register class.
    pub(crate) fn class(&self, id: ClassId) -> ClassFacts<'_> {
        // SAFETY: plain data, see read().
        let mut out: ffi::PtxRegClass = unsafe { std::mem::zeroed() };
        // SAFETY: handle; a class of the target, whose mask has a bit for each class.
        unsafe {
            ffi::ptx_emit_class(self.p(), id, &mut out);
            ClassFacts {
                num_regs: out.num_regs,
                flags: out.flags,
                sub_classes: slice(out.sub_classes, self.num_classes().div_ceil(32)),
                bits: out.bits,
                name: CStr::from_ptr(out.name).to_string_lossy(),
            }
        }
    }
    /// `getRegClassFor`; `None` if the type is not legal.
    pub(crate) fn class_for_type(&self, ty: u16, divergent: bool) -> Option<ClassId> {
        // SAFETY: handle; a type that LLVM gave.
        unsafe { ffi::ptx_emit_class_for_type(self.p(), ty.into(), divergent) }.get()
    }
    /// The class of a type that may be illegal, for a value that must be in a register: ARM has
    /// classes for rows of vector registers.
    pub(crate) fn class_for_any_type(&self, ty: u16, divergent: bool) -> Option<ClassId> {
        // SAFETY: as above.
        unsafe { ffi::ptx_emit_class_for_any_type(self.p(), ty.into(), divergent) }.get()
    }
    /// `getMinimalPhysRegClass`
    pub(crate) fn minimal_phys_class(&self, reg: Register, ty: u16) -> ClassId {
        // SAFETY: handle; a physical register.
        unsafe { ffi::ptx_emit_minimal_phys_class(self.p(), reg, ty.into()) }
    }
    /// `getSubClassWithSubReg`
    pub(crate) fn sub_class_with_subreg(&self, of: ClassId, subreg: u32) -> Option<ClassId> {
        // SAFETY: handle; a class and a part of the target's.
        unsafe { ffi::ptx_emit_sub_class_with_subreg(self.p(), of, subreg) }.get()
    }
    /// `getMatchingSuperRegClass`
    pub(crate) fn matching_super_class(&self, of: ClassId, sub: ClassId, subreg: u32) -> Option<ClassId> {
        // SAFETY: as above.
        unsafe { ffi::ptx_emit_matching_super_class(self.p(), of, sub, subreg) }.get()
    }
    /// `getSubReg`
    pub(crate) fn subreg_of(&self, reg: Register, subreg: u32) -> Register {
        // SAFETY: handle; a physical register.
        unsafe { ffi::ptx_emit_subreg_of(self.p(), reg, subreg) }
    }
    /// Whether `sub` is part of `reg`.
    pub(crate) fn is_subreg(&self, reg: Register, sub: Register) -> bool {
        // SAFETY: handle; physical registers.
        unsafe { ffi::ptx_emit_is_subreg(self.p(), reg, sub) }
    }
    /// Whether two registers are the same or share a part.
    pub(crate) fn regs_overlap(&self, a: Register, b: Register) -> bool {
        self.mf.regs_overlap(a, b)
    }
    /// Registers that control rounding.
    pub(crate) fn rounding_regs(&self) -> Vec<Register> {
        // SAFETY: handle; indices below the number.
        unsafe {
            let n = ffi::ptx_emit_num_rounding_regs(self.p());
            (0..n).map(|i| ffi::ptx_emit_rounding_reg(self.p(), i)).collect()
        }
    }
    /// The description of an opcode. Appends its explicit operands, including results.
    pub(crate) fn desc(&self, opcode: u32, operands: &mut Vec<DescOperand>) -> DescFacts<'_> {
        // SAFETY: plain data, see read().
        let mut d: ffi::PtxDesc = unsafe { std::mem::zeroed() };
        // SAFETY: handle; an opcode of the target; the rows of registers are static, the operands
        // are copied before the next call.
        unsafe {
            ffi::ptx_emit_desc(self.p(), opcode, &mut d);
            operands.extend_from_slice(slice(d.operands, d.num_operands));
            DescFacts {
                num_defs: d.num_defs,
                flags: d.flags,
                implicit_defs: slice(d.implicit_defs, d.num_implicit_defs),
                implicit_uses: slice(d.implicit_uses, d.num_implicit_uses),
            }
        }
    }
    /// The opcodes of the pseudos around a call, which LLVM knows as such.
    pub(crate) fn call_frame_opcodes(&self) -> [u32; 2] {
        // SAFETY: handle.
        unsafe { [ffi::ptx_emit_call_frame_setup(self.p()), ffi::ptx_emit_call_frame_destroy(self.p())] }
    }
    /// The name of an opcode.
    pub(crate) fn opcode_name(&self, opcode: u32) -> Cow<'_, str> {
        // SAFETY: handle; an opcode of the target, whose names are static C strings.
        unsafe { CStr::from_ptr(ffi::ptx_emit_opcode_name(self.p(), opcode)) }.to_string_lossy()
    }

    /// Appends the nodes that use `node`, with repetitions, in the order of LLVM's use list. A node
    /// that is not scheduled appears as `NONE`.
    pub(crate) fn users(&self, node: NodeHandle, out: &mut Vec<PackedOption<NodeId>>) {
        let mut n = 0;
        // SAFETY: handle; the array is copied before the next call.
        unsafe {
            let users = ffi::ptx_emit_users(self.p(), node, &mut n);
            out.extend_from_slice(slice(users, n));
        }
    }
    /// The function's values that live across blocks, and their uses.
    pub(crate) fn ir(&self) -> Ir<'_> {
        // SAFETY: plain data, see read().
        let mut ir: ffi::PtxIr = unsafe { std::mem::zeroed() };
        // SAFETY: handle; the arrays live in buffers that only the next function changes.
        unsafe {
            ffi::ptx_emit_ir(self.p(), &mut ir);
            Ir {
                values: slice(ir.values, ir.num_values),
                uses: slice(ir.uses, ir.num_uses),
                edges: slice(ir.edges, ir.num_edges),
                num_blocks: ir.num_blocks as usize,
            }
        }
    }
    /// The IR block that the block belongs to, in the function that [`BlockEmission::ir`] has read.
    pub(crate) fn ir_block(&self) -> Option<IrBlockId> {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_ir_block(self.p()) }.get()
    }
    /// How many virtual registers there are.
    pub(crate) fn num_virt_regs(&self) -> usize {
        self.mf.num_virt_regs()
    }
    /// The class of a virtual register; `None` if it has no class.
    pub(crate) fn class_of(&self, reg: Register) -> Option<ClassId> {
        self.mf.class_id(reg).map(ClassId::from_usize)
    }
    /// If the def of `reg` is a sign or zero extension that the target sees through: the register
    /// that it extends, and the part of `reg` that holds it.
    pub(crate) fn coalescable_ext(&self, reg: Register) -> Option<(Register, u32)> {
        let (mut src, mut subreg) = (Register::NONE, 0);
        // SAFETY: handle; both places are written if it is one.
        let is = unsafe { ffi::ptx_emit_coalescable_ext(self.p(), reg, &mut src, &mut subreg) };
        is.then_some((src, subreg))
    }

    /// Makes a virtual register, with a class or without.
    pub(crate) fn new_reg(&self, class: Option<ClassId>) -> Register {
        // SAFETY: handle; a class of the target, or none.
        unsafe { ffi::ptx_emit_new_reg(self.p(), class.into()) }
    }
    /// Sets the class of a virtual register.
    pub(crate) fn set_class(&self, reg: Register, class: ClassId) {
        // SAFETY: as above.
        unsafe { ffi::ptx_emit_set_class(self.p(), reg, class) }
    }
    /// Clears all kill flags of a register.
    pub(crate) fn clear_kills(&self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_clear_kills(self.p(), reg) }
    }
    /// Makes an instruction and inserts it at the insertion point.
    pub(crate) fn emit(&self, new: &NewInstr) -> MachineInstr<'f> {
        let instr = ffi::PtxNewInstr {
            opcode: new.opcode,
            mi_flags: new.mi_flags,
            location: new.location,
            machine: new.machine,
            operands: new.operands.as_ptr(),
            ties: new.ties.as_ptr(),
            num_operands: new.operands.len() as u32,
            num_ties: new.ties.len() as u32,
        };
        // SAFETY: handle; the arrays live through the call.
        self.instr(unsafe { ffi::ptx_emit_instr(self.p(), &instr) })
    }
    /// Inserts the target's no-operation.
    pub(crate) fn emit_noop(&self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_noop(self.p()) }
    }
    /// `setPhysRegsDeadExcept`
    pub(crate) fn set_dead_except(&self, mi: MachineInstr<'f>, used: &[Register]) {
        // SAFETY: handles; the array lives through the call.
        unsafe {
            ffi::ptx_emit_dead_except(self.p(), mi.ptr.as_ptr(), used.as_ptr(), used.len() as u32);
        }
    }
    /// Appends an implicit use to an instruction.
    pub(crate) fn add_implicit_use(&self, mi: MachineInstr<'f>, reg: Register) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_implicit_use(self.p(), mi.ptr.as_ptr(), reg) }
    }
    /// Runs the target's hook (`AdjustInstrPostInstrSelection`). Returns the node's first
    /// instruction, which the hook may have replaced.
    pub(crate) fn post_isel_hook(
        &self,
        mi: MachineInstr<'f>,
        first: MachineInstr<'f>,
        node: NodeHandle,
    ) -> MachineInstr<'f> {
        // SAFETY: handles.
        self.instr(unsafe { ffi::ptx_emit_post_isel(self.p(), mi.ptr.as_ptr(), first.ptr.as_ptr(), node) })
    }

    /// Whether it is a call that debug information describes.
    pub(crate) fn is_call_site(&self, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_is_call_site(mi.ptr.as_ptr()) }
    }
    /// Records the arguments of a call.
    pub(crate) fn add_call_site_info(&self, mi: MachineInstr<'f>, node: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_call_site_info(self.p(), mi.ptr.as_ptr(), node) }
    }
    /// Records the function that it calls.
    pub(crate) fn add_called_global(&self, mi: MachineInstr<'f>, node: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_called_global(self.p(), mi.ptr.as_ptr(), node) }
    }
    /// Forbids merging it with other instructions.
    pub(crate) fn set_no_merge(&self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_no_merge(self.p(), mi.ptr.as_ptr()) }
    }
    /// Gives it the node's PC sections.
    pub(crate) fn set_pc_sections(&self, mi: MachineInstr<'f>, node: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_pc_sections(self.p(), mi.ptr.as_ptr(), node) }
    }
    /// Gives all instructions from `first` on the node's memory-model annotations.
    pub(crate) fn set_mmra(&self, first: MachineInstr<'f>, node: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_mmra(self.p(), first.ptr.as_ptr(), node) }
    }
    /// Whether it is a call.
    pub(crate) fn is_call(&self, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_is_call(mi.ptr.as_ptr()) }
    }
    /// Gives a call the node's heap allocation site.
    pub(crate) fn set_heap_alloc(&self, mi: MachineInstr<'f>, node: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_heap_alloc(self.p(), mi.ptr.as_ptr(), node) }
    }

    /// Describes a constant.
    pub(crate) fn dbg_constant(&self, constant: u64) -> DbgConstant {
        let mut out = no_constant();
        // SAFETY: handle; a constant of LLVM's.
        unsafe { ffi::ptx_dbg_constant(self.p(), constant, &mut out) };
        dbg_constant(&out)
    }
    /// The constant and the expression, folded, of a debug value with one location.
    pub(crate) fn dbg_fold_constant(&self, value: DbgValueId) -> (DbgConstant, Expression) {
        let mut out = no_constant();
        // SAFETY: handle; a debug value of this block with a constant.
        unsafe { ffi::ptx_dbg_fold_constant(self.p(), value, &mut out) };
        (dbg_constant(&out), Expression::Given(MetadataHandle(out.expression as usize)))
    }
    /// The only instruction that defines `reg`, and the index of the def among its operands.
    pub(crate) fn only_def(&self, reg: Register) -> Option<(MachineInstr<'f>, u32)> {
        let mut index = 0;
        // SAFETY: handle.
        let mi = self.maybe(unsafe { ffi::ptx_dbg_only_def(self.p(), reg, &mut index) })?;
        Some((mi, index))
    }
    /// Whether it copies a value (`isCopyLike` or `isCopyInstr`).
    pub(crate) fn is_copy(&self, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_dbg_is_copy(self.p(), mi.ptr.as_ptr()) }
    }
    /// Its number for debug values; a new one if it has none.
    pub(crate) fn debug_number(&self, mi: MachineInstr<'f>) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_dbg_number(mi.ptr.as_ptr()) }
    }
    /// Makes a debug instruction that is not in a block yet.
    pub(crate) fn build_dbg(&self, new: &NewDbg) -> MachineInstr<'f> {
        let (kind, given) = match new.expression {
            Expression::OfValue => (ffi::PTX_EXPR_OF_VALUE, 0),
            Expression::Given(MetadataHandle(expression)) => (ffi::PTX_EXPR_GIVEN, expression),
            Expression::Undef => (ffi::PTX_EXPR_UNDEF, 0),
            Expression::InstrRef { deref, to_variadic } => {
                let deref = if deref { ffi::PTX_EXPR_DEREF } else { 0 };
                let to_variadic = if to_variadic { ffi::PTX_EXPR_TO_VARIADIC } else { 0 };
                (ffi::PTX_EXPR_OF_VALUE | deref | to_variadic, 0)
            }
        };
        // SAFETY: handle; the expression came from LLVM; the operands live through the call.
        self.instr(unsafe {
            ffi::ptx_dbg_build(
                self.p(),
                new.value,
                new.opcode,
                kind,
                given as *const _,
                new.indirect,
                new.operands.as_ptr(),
                new.operands.len() as u32,
            )
        })
    }
    /// Makes the debug instruction of a label, which is not in a block yet.
    pub(crate) fn build_dbg_label(&self, label: usize) -> MachineInstr<'f> {
        // SAFETY: handle; a label of this block.
        self.instr(unsafe { ffi::ptx_dbg_label(self.p(), label as u32) })
    }
    /// Inserts it before another instruction, in that one's block.
    pub(crate) fn place_before(&self, mi: MachineInstr<'f>, before: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_insert_before(mi.ptr.as_ptr(), before.ptr.as_ptr()) }
    }
    /// Inserts it at the insertion point.
    pub(crate) fn insert(&self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_insert(self.p(), mi.ptr.as_ptr()) }
    }
    /// Inserts it at the end of the block.
    pub(crate) fn append(&self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_append(self.p(), mi.ptr.as_ptr()) }
    }
    /// The block's first instruction after PHIs.
    pub(crate) fn first_non_phi(&self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        self.maybe(unsafe { ffi::ptx_emit_first_non_phi(self.p()) })
    }
    /// The block's first terminator.
    pub(crate) fn first_terminator(&self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        self.maybe(unsafe { ffi::ptx_emit_first_terminator(self.p()) })
    }
    /// The instruction after the insertion point.
    pub(crate) fn insert_point(&self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        self.maybe(unsafe { ffi::ptx_emit_insert_point(self.p()) })
    }
    /// The next instruction of the block.
    pub(crate) fn next(&self, mi: MachineInstr<'f>) -> Option<MachineInstr<'f>> {
        mi.next()
    }
    /// Whether it is a DBG_VALUE or a DBG_VALUE_LIST.
    pub(crate) fn is_debug_value(&self, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_debug_value(mi.ptr.as_ptr()) }
    }
    /// Drops the location of a debug value, and moves it before another instruction.
    pub(crate) fn drop_location(&self, mi: MachineInstr<'f>, before: MachineInstr<'f>) {
        // SAFETY: handles of one block.
        unsafe { ffi::ptx_emit_drop_location(mi.ptr.as_ptr(), before.ptr.as_ptr()) }
    }
}

fn no_constant() -> ffi::PtxDbgConstant {
    ffi::PtxDbgConstant {
        kind: ffi::PTX_CONST_OTHER,
        bits: 0,
        value: 0,
        constant: std::ptr::null(),
        expression: std::ptr::null(),
    }
}

fn dbg_constant(c: &ffi::PtxDbgConstant) -> DbgConstant {
    match c.kind {
        ffi::PTX_CONST_INT => DbgConstant::Int(c.value, c.bits),
        ffi::PTX_CONST_WIDE_INT => DbgConstant::WideInt(c.constant as u64),
        ffi::PTX_CONST_FP => DbgConstant::Fp(c.constant as u64),
        ffi::PTX_CONST_NULL_POINTER => DbgConstant::NullPointer,
        ffi::PTX_CONST_OTHER => DbgConstant::Other,
        kind => panic!("unknown kind {kind} of constant"),
    }
}
