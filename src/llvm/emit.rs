//! The SelectionDAG of a block, and the calls that make its instructions.

use super::{ffi, MachineFunction, MachineInstr};
use crate::mir::Register;
use crate::passes::emitter::dag::{self, ClassId, Dag, NodeHandle, NONE};
use crate::passes::emitter::host::{
    ClassFacts, DbgConstant, DescFacts, DescOperand, Expression, Host, NewDbg, NewInstr, NewOperand, Opcodes,
    Tie,
};
use crate::passes::emitter::live_out::{Ir, IrEdge, IrValue};
use std::ffi::CStr;
use std::mem::size_of;
use std::ptr::NonNull;

// The records are LLVM's side's, field by field.
const _: () = {
    assert!(size_of::<dag::Step>() == size_of::<ffi::PtxDagStep>());
    assert!(size_of::<dag::Node>() == size_of::<ffi::PtxDagNode>());
    assert!(size_of::<dag::Operand>() == size_of::<ffi::PtxDagOperand>());
    assert!(size_of::<dag::Value>() == size_of::<ffi::PtxDagValue>());
    assert!(size_of::<dag::CopyUse>() == size_of::<ffi::PtxDagCopy>());
    assert!(size_of::<dag::PhysCopy>() == size_of::<ffi::PtxPhysCopy>());
    assert!(size_of::<dag::DbgValue>() == size_of::<ffi::PtxDagDbgValue>());
    assert!(size_of::<dag::DbgOperand>() == size_of::<ffi::PtxDagDbgOperand>());
    assert!(size_of::<dag::DbgOf>() == size_of::<ffi::PtxDagDbgOf>());
    assert!(size_of::<IrValue>() == size_of::<ffi::PtxIrValue>());
    assert!(size_of::<IrEdge>() == size_of::<ffi::PtxIrEdge>());
    assert!(size_of::<NewOperand>() == size_of::<ffi::PtxNewOperand>());
    assert!(size_of::<Tie>() == size_of::<ffi::PtxTie>());
    assert!(size_of::<Opcodes>() == size_of::<ffi::PtxTargetOpcodes>());
};

/// The emission of one block.
#[derive(Clone, Copy)]
pub struct BlockEmission<'f> {
    ptr: NonNull<ffi::PtxEmission>,
    mf: MachineFunction<'f>,
}

/// An LLVM array.
///
/// # Safety
/// `data` must point to `len` records of the same layout as `T` that live for `'a`.
unsafe fn slice<'a, F, T>(data: *const F, len: u32) -> &'a [T] {
    match len {
        0 => &[],
        // SAFETY: by the caller's promise.
        n => unsafe { std::slice::from_raw_parts(data.cast(), n as usize) },
    }
}

fn class(id: u32) -> Option<ClassId> {
    (id != NONE).then_some(ClassId(id))
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
    pub fn read(&self) -> Dag<'f> {
        // SAFETY: plain data; null pointers and zeros are values of it.
        let mut d: ffi::PtxDag = unsafe { std::mem::zeroed() };
        // SAFETY: handle; the arrays live in buffers of the shim's that only the next block changes, and their
        // records are laid out as ours.
        unsafe {
            ffi::ptx_emit_read(self.p(), &mut d);
            Dag {
                order: slice(d.steps, d.num_steps),
                nodes: slice(d.nodes, d.num_nodes),
                operands: slice(d.operands, d.num_operands),
                words: slice(d.words, d.num_words),
                values: slice(d.values, d.num_values),
                copies: slice(d.copies, d.num_copies),
                phys_copies: slice(d.phys_copies, d.num_phys_copies),
                dbg_values: slice(d.dbg_values, d.num_dbg_values),
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
    /// Another number for each subtarget of a pipeline.
    pub fn target_key(&self) -> u64 {
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

fn node(handle: NodeHandle) -> *mut ffi::PtxSDNode {
    handle.0 as *mut _
}

// Every call passes handles of this block; records have their layout checked above.
impl<'f> Host for BlockEmission<'f> {
    type Instr = MachineInstr<'f>;

    fn opcodes(&self) -> Opcodes {
        // SAFETY: both are the same rows of 32-bit numbers.
        unsafe { std::mem::transmute(ffi::ptx_target_opcodes()) }
    }
    fn num_classes(&self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_num_classes(self.p()) }
    }
    fn class(&self, id: ClassId) -> ClassFacts<'_> {
        // SAFETY: plain data, see read().
        let mut out: ffi::PtxRegClass = unsafe { std::mem::zeroed() };
        // SAFETY: handle; a class of the target, whose mask has a bit for each class.
        unsafe {
            ffi::ptx_emit_class(self.p(), id.0, &mut out);
            ClassFacts {
                num_regs: out.num_regs,
                flags: out.flags,
                sub_classes: slice(out.sub_classes, self.num_classes().div_ceil(32)),
                bits: out.bits,
                name: CStr::from_ptr(out.name).to_string_lossy(),
            }
        }
    }
    fn class_for_type(&self, ty: u16, divergent: bool) -> Option<ClassId> {
        // SAFETY: handle; a type that LLVM gave.
        class(unsafe { ffi::ptx_emit_class_for_type(self.p(), ty.into(), divergent) })
    }
    fn class_for_any_type(&self, ty: u16, divergent: bool) -> Option<ClassId> {
        // SAFETY: as above.
        class(unsafe { ffi::ptx_emit_class_for_any_type(self.p(), ty.into(), divergent) })
    }
    fn minimal_phys_class(&self, reg: Register, ty: u16) -> ClassId {
        // SAFETY: handle; a physical register.
        ClassId(unsafe { ffi::ptx_emit_minimal_phys_class(self.p(), reg.0, ty.into()) })
    }
    fn sub_class_with_subreg(&self, of: ClassId, subreg: u32) -> Option<ClassId> {
        // SAFETY: handle; a class and a part of the target's.
        class(unsafe { ffi::ptx_emit_sub_class_with_subreg(self.p(), of.0, subreg) })
    }
    fn matching_super_class(&self, of: ClassId, sub: ClassId, subreg: u32) -> Option<ClassId> {
        // SAFETY: as above.
        class(unsafe { ffi::ptx_emit_matching_super_class(self.p(), of.0, sub.0, subreg) })
    }
    fn subreg_of(&self, reg: Register, subreg: u32) -> Register {
        // SAFETY: handle; a physical register.
        Register(unsafe { ffi::ptx_emit_subreg_of(self.p(), reg.0, subreg) })
    }
    fn is_subreg(&self, reg: Register, sub: Register) -> bool {
        // SAFETY: handle; physical registers.
        unsafe { ffi::ptx_emit_is_subreg(self.p(), reg.0, sub.0) }
    }
    fn regs_overlap(&self, a: Register, b: Register) -> bool {
        self.mf.regs_overlap(a, b)
    }
    fn rounding_regs(&self) -> Vec<Register> {
        // SAFETY: handle; indices below the number.
        unsafe {
            let n = ffi::ptx_emit_num_rounding_regs(self.p());
            (0..n).map(|i| Register(ffi::ptx_emit_rounding_reg(self.p(), i))).collect()
        }
    }
    fn desc(&self, opcode: u32, operands: &mut Vec<DescOperand>) -> DescFacts<'_> {
        // SAFETY: plain data, see read().
        let mut d: ffi::PtxDesc = unsafe { std::mem::zeroed() };
        // SAFETY: handle; an opcode of the target; the rows of registers are static, the operands are copied before
        // the next call.
        unsafe {
            ffi::ptx_emit_desc(self.p(), opcode, &mut d);
            let of: &[ffi::PtxDescOperand] = slice(d.operands, d.num_operands);
            operands.extend(of.iter().map(|operand| DescOperand {
                class: class(operand.reg_class),
                is_optional_def: operand.flags & ffi::PTX_DESC_OPERAND_OPTIONAL_DEF != 0,
                is_tied: operand.flags & ffi::PTX_DESC_OPERAND_TIED != 0,
            }));
            DescFacts {
                num_defs: d.num_defs,
                flags: d.flags,
                implicit_defs: slice(d.implicit_defs, d.num_implicit_defs),
                implicit_uses: slice(d.implicit_uses, d.num_implicit_uses),
            }
        }
    }
    fn is_call_sequence(&self, opcode: u32) -> bool {
        // SAFETY: handle; an opcode of the target.
        unsafe { ffi::ptx_emit_is_call_sequence(self.p(), opcode) }
    }

    fn users(&self, of: NodeHandle, out: &mut Vec<u32>) {
        let mut n = 0;
        // SAFETY: handle; the array is copied before the next call.
        unsafe {
            let users = ffi::ptx_emit_users(self.p(), node(of), &mut n);
            out.extend_from_slice(slice(users, n));
        }
    }
    fn ir(&self) -> Ir<'_> {
        // SAFETY: plain data, see read().
        let mut ir: ffi::PtxIr = unsafe { std::mem::zeroed() };
        // SAFETY: handle; the arrays live in buffers that only the next function changes, and their records are
        // laid out as ours.
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
    fn ir_block(&self) -> Option<u32> {
        // SAFETY: handle.
        let block = unsafe { ffi::ptx_emit_ir_block(self.p()) };
        (block != NONE).then_some(block)
    }
    fn num_virt_regs(&self) -> usize {
        self.mf.num_virt_regs()
    }
    fn is_read(&self, reg: Register) -> bool {
        self.mf.reg_operands(reg).any(|o| !o.operand.is_def())
    }
    fn erase(&self, mi: MachineInstr<'f>) {
        mi.erase();
    }
    fn class_of(&self, reg: Register) -> ClassId {
        // SAFETY: handle; a virtual register of the function.
        ClassId(unsafe { ffi::ptx_mri_class_id(self.mf.ptr.as_ptr(), reg.0) })
    }
    fn coalescable_ext(&self, reg: Register) -> Option<(Register, u32)> {
        let (mut src, mut subreg) = (0, 0);
        // SAFETY: handle; both places are written if it is one.
        let is = unsafe { ffi::ptx_emit_coalescable_ext(self.p(), reg.0, &mut src, &mut subreg) };
        is.then_some((Register(src), subreg))
    }

    fn new_reg(&self, class: ClassId) -> Register {
        // SAFETY: handle; a class of the target.
        Register(unsafe { ffi::ptx_emit_new_reg(self.p(), class.0) })
    }
    fn set_class(&self, reg: Register, class: ClassId) {
        // SAFETY: as above.
        unsafe { ffi::ptx_emit_set_class(self.p(), reg.0, class.0) }
    }
    fn clear_kills(&self, reg: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_clear_kills(self.p(), reg.0) }
    }
    fn emit(&self, new: &NewInstr) -> MachineInstr<'f> {
        let instr = ffi::PtxNewInstr {
            opcode: new.opcode,
            mi_flags: new.mi_flags,
            location: node(new.location),
            machine: node(new.machine),
            operands: new.operands.as_ptr().cast(),
            ties: new.ties.as_ptr().cast(),
            num_operands: new.operands.len() as u32,
            num_ties: new.ties.len() as u32,
        };
        // SAFETY: handle; the arrays live through the call.
        self.instr(unsafe { ffi::ptx_emit_instr(self.p(), &instr) })
    }
    fn emit_noop(&self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_noop(self.p()) }
    }
    fn set_dead_except(&self, mi: MachineInstr<'f>, used: &[Register]) {
        // SAFETY: handles; a register is a 32-bit number.
        unsafe {
            ffi::ptx_emit_dead_except(self.p(), mi.ptr.as_ptr(), used.as_ptr().cast(), used.len() as u32);
        }
    }
    fn add_implicit_use(&self, mi: MachineInstr<'f>, reg: Register) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_implicit_use(self.p(), mi.ptr.as_ptr(), reg.0) }
    }
    fn post_isel_hook(
        &self,
        mi: MachineInstr<'f>,
        first: MachineInstr<'f>,
        of: NodeHandle,
    ) -> MachineInstr<'f> {
        // SAFETY: handles.
        self.instr(unsafe {
            ffi::ptx_emit_post_isel(self.p(), mi.ptr.as_ptr(), first.ptr.as_ptr(), node(of))
        })
    }

    fn is_call_site(&self, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_emit_is_call_site(mi.ptr.as_ptr()) }
    }
    fn add_call_site_info(&self, mi: MachineInstr<'f>, of: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_call_site_info(self.p(), mi.ptr.as_ptr(), node(of)) }
    }
    fn add_called_global(&self, mi: MachineInstr<'f>, of: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_called_global(self.p(), mi.ptr.as_ptr(), node(of)) }
    }
    fn set_no_merge(&self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_no_merge(self.p(), mi.ptr.as_ptr()) }
    }
    fn set_pc_sections(&self, mi: MachineInstr<'f>, of: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_pc_sections(self.p(), mi.ptr.as_ptr(), node(of)) }
    }
    fn set_mmra(&self, first: MachineInstr<'f>, of: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_mmra(self.p(), first.ptr.as_ptr(), node(of)) }
    }
    fn set_heap_alloc(&self, mi: MachineInstr<'f>, of: NodeHandle) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_heap_alloc(self.p(), mi.ptr.as_ptr(), node(of)) }
    }

    fn dbg_constant(&self, constant: u64) -> DbgConstant {
        let mut out = no_constant();
        // SAFETY: handle; a constant of LLVM's.
        unsafe { ffi::ptx_dbg_constant(self.p(), constant, &mut out) };
        dbg_constant(&out)
    }
    fn dbg_fold_constant(&self, value: usize) -> (DbgConstant, Expression) {
        let mut out = no_constant();
        // SAFETY: handle; a debug value of this block with a constant.
        unsafe { ffi::ptx_dbg_fold_constant(self.p(), value as u32, &mut out) };
        (dbg_constant(&out), Expression::Given(out.expression as usize))
    }
    fn only_def(&self, reg: Register) -> Option<(MachineInstr<'f>, u32)> {
        let mut index = 0;
        // SAFETY: handle.
        let mi = self.maybe(unsafe { ffi::ptx_dbg_only_def(self.p(), reg.0, &mut index) })?;
        Some((mi, index))
    }
    fn is_copy(&self, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handles.
        unsafe { ffi::ptx_dbg_is_copy(self.p(), mi.ptr.as_ptr()) }
    }
    fn debug_number(&self, mi: MachineInstr<'f>) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_dbg_number(mi.ptr.as_ptr()) }
    }
    fn build_dbg(&self, new: &NewDbg) -> MachineInstr<'f> {
        let (kind, given) = match new.expression {
            Expression::Own => (ffi::PTX_EXPR_OWN, 0),
            Expression::Given(expression) => (ffi::PTX_EXPR_GIVEN, expression),
            Expression::Undef => (ffi::PTX_EXPR_UNDEF, 0),
            Expression::InstrRef => (ffi::PTX_EXPR_INSTR_REF, 0),
        };
        // SAFETY: handle; the expression came from LLVM; the operands live through the call.
        self.instr(unsafe {
            ffi::ptx_dbg_build(
                self.p(),
                new.value as u32,
                new.opcode,
                kind,
                given as *const _,
                new.indirect,
                new.operands.as_ptr().cast(),
                new.operands.len() as u32,
            )
        })
    }
    fn build_dbg_label(&self, label: usize) -> MachineInstr<'f> {
        // SAFETY: handle; a label of this block.
        self.instr(unsafe { ffi::ptx_dbg_label(self.p(), label as u32) })
    }
    fn insert_before(&self, mi: MachineInstr<'f>, before: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_insert_before(mi.ptr.as_ptr(), before.ptr.as_ptr()) }
    }
    fn insert(&self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_insert(self.p(), mi.ptr.as_ptr()) }
    }
    fn append(&self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_emit_append(self.p(), mi.ptr.as_ptr()) }
    }
    fn first_non_phi(&self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        self.maybe(unsafe { ffi::ptx_emit_first_non_phi(self.p()) })
    }
    fn first_terminator(&self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        self.maybe(unsafe { ffi::ptx_emit_first_terminator(self.p()) })
    }
    fn insert_point(&self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        self.maybe(unsafe { ffi::ptx_emit_insert_point(self.p()) })
    }
    fn next(&self, mi: MachineInstr<'f>) -> Option<MachineInstr<'f>> {
        mi.next()
    }
    fn is_debug_value(&self, mi: MachineInstr<'f>) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_debug_value(mi.ptr.as_ptr()) }
    }
    fn drop_location(&self, mi: MachineInstr<'f>, before: MachineInstr<'f>) {
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
        _ => DbgConstant::Other,
    }
}
