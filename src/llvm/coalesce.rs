//! The coalescer's host: its questions to LLVM, and its edits.

use super::facts::read_list;
use super::{
    ffi, to_ffi_str, AliasAnalysis, Handles, HostPass, LiveIntervals, MachineFunction, MachineInstr,
    MachineLoopInfo, Remark, RemarkKind,
};
use crate::mir::{FunctionShape, InstrRun, Operand, Register};
use crate::passes::coalescer::code::{DebugOperand, Place};
use crate::passes::coalescer::copies::BlockPriority;
use crate::passes::coalescer::host::{ClassInfo, Edit, Host, Properties, Twin};
use crate::passes::coalescer::live_range::RangeRef;

/// So many edits wait at most, but for the marks of one move.
const EDITS_AT_ONCE: usize = 256;
/// The pass that remarks on copies that are left are of.
const NVPTX_COALESCER: &str = "nvptx-coalescer";

/// LLVM's side of one run.
pub struct LlvmCoalescing<'r, 'f> {
    handles: Handles<'r, 'f>,
    lis: LiveIntervals<'f>,
    aa: Option<AliasAnalysis<'f>>,
    is_nvptx: bool,
    /// By number of the coalescer's, the instruction.
    instrs: Vec<*mut ffi::PtxInstr>,
    debug: &'r [ffi::PtxDebugOperand],
    edits: Vec<ffi::PtxCoalesceEdit>,
    classes: Vec<Option<ClassInfo>>,
    reserved: Option<Vec<u32>>,
}

/// The operands of debug instructions, as LLVM has them and as the coalescer wants them.
#[derive(Default)]
pub struct DebugOperands {
    host: Vec<ffi::PtxDebugOperand>,
    /// The coalescer's.
    pub operands: Vec<DebugOperand>,
}

// SAFETY: the pointers are those of the function read last and only used while that function is at hand.
unsafe impl Send for DebugOperands {}

impl DebugOperands {
    /// Reads them, if there are any.
    pub fn read(&mut self, handles: Handles) {
        self.host.clear();
        self.operands.clear();
        if !handles.has_debug_instrs() {
            return;
        }
        let mf = handles.mf.ptr.as_ptr();
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut self.host, |out, n| unsafe { ffi::ptx_mf_debug_operands(mf, out, n) });
        let (mut instr, mut last) = (0, std::ptr::null_mut());
        for d in &self.host {
            instr += u32::from(d.instr != last);
            last = d.instr;
            let reg = Register(d.reg).virt_index() as u32;
            let (index, entry, is_value) = (d.index, d.entry, d.is_value);
            self.operands.push(DebugOperand { instr, index, reg, entry, is_value });
        }
    }
}

impl MachineFunction<'_> {
    /// Whether it calls something that returns twice.
    pub fn exposes_returns_twice(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_exposes_returns_twice(self.ptr.as_ptr()) }
    }
    /// What the subtarget says of `join-globalcopies`.
    pub fn joins_global_copies(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_join_global_copies(self.ptr.as_ptr()) }
    }
    /// Whether debug values follow PHIs.
    pub fn has_debug_phis(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_has_debug_phis(self.ptr.as_ptr()) }
    }
    /// Runs LLVM's verifier, which ends the process if it finds an error.
    pub fn verify(self, pass: HostPass, banner: &str) {
        // SAFETY: handles; the string lives through the call.
        unsafe { ffi::ptx_mf_verify(pass.as_ptr(), self.ptr.as_ptr(), to_ffi_str(banner)) }
    }
}

/// What the order of blocks depends on.
pub fn block_priorities(
    handles: Handles,
    shape: &FunctionShape,
    loops: MachineLoopInfo,
    num_preds: impl Fn(usize) -> usize,
    split_edges: bool,
    out: &mut Vec<BlockPriority>,
) {
    out.clear();
    out.extend((0..shape.num_blocks()).map(|block| {
        let ptr = handles.block(block);
        // SAFETY: handles.
        let (depth, is_split_edge) = unsafe {
            (ffi::ptx_loop_depth(loops.as_ptr(), ptr), split_edges && ffi::ptx_mbb_is_split_edge(ptr))
        };
        BlockPriority {
            block: block as u32,
            depth,
            is_split_edge,
            num_edges: (shape.succs.row(block).len() + num_preds(block)) as u32,
            number: shape.numbers[block],
        }
    }));
}

impl<'r, 'f> LlvmCoalescing<'r, 'f> {
    /// For the function that was read.
    pub fn new(
        handles: Handles<'r, 'f>,
        debug: &'r DebugOperands,
        lis: LiveIntervals<'f>,
        aa: Option<AliasAnalysis<'f>>,
        is_nvptx: bool,
    ) -> Self {
        // The end of the function has a number, too; few instructions are made.
        let heads = handles.heads();
        let mut instrs = Vec::with_capacity(heads.len() + EDITS_AT_ONCE);
        instrs.extend_from_slice(heads);
        instrs.push(std::ptr::null_mut());
        let debug = &debug.host[..];
        LlvmCoalescing {
            handles,
            lis,
            aa,
            is_nvptx,
            instrs,
            debug,
            edits: Vec::new(),
            classes: Vec::new(),
            reserved: None,
        }
    }

    /// Makes the edits that are waiting.
    pub fn flush(&mut self) {
        let (mf, lis) = (self.handles.mf.ptr.as_ptr(), LiveIntervals::to_ptr(Some(self.lis)));
        // SAFETY: handles; each edit is of an instruction that is in the function when its turn comes, of
        // operands below its number of operands, and of registers of the function.
        unsafe { ffi::ptx_coalesce_edit(mf, lis, self.edits.as_ptr(), self.edits.len()) }
        self.edits.clear();
    }

    fn ptr(&self, instr: u32) -> *mut ffi::PtxInstr {
        self.instrs[instr as usize]
    }
    fn set_ptr(&mut self, instr: u32, ptr: *mut ffi::PtxInstr) {
        if instr as usize == self.instrs.len() {
            self.instrs.push(ptr);
        } else {
            self.instrs[instr as usize] = ptr;
        }
    }
    fn read(ptr: *mut ffi::PtxInstr, out: &mut Vec<Operand>) {
        // SAFETY: an instruction of the function.
        unsafe { MachineInstr::from_ptr(ptr) }.expect("never null").read_operands(out);
    }
}

fn virt(reg: u32) -> u32 {
    Register::virt(reg).0
}

impl Host for LlvmCoalescing<'_, '_> {
    fn class_of(&mut self, reg: u32) -> u32 {
        self.handles.mf.class_id(Register::virt(reg)).expect("a register has a class") as u32
    }
    fn common_sub_class(&mut self, a: u32, b: u32) -> Option<u32> {
        // SAFETY: handle; numbers of classes.
        let class = unsafe { ffi::ptx_tri_common_sub_class(self.handles.mf.ptr.as_ptr(), a, b) };
        (class != u32::MAX).then_some(class)
    }
    fn class_info(&mut self, class: u32) -> ClassInfo {
        if self.classes.len() <= class as usize {
            self.classes.resize(class as usize + 1, None);
        }
        *self.classes[class as usize].get_or_insert_with(|| {
            let mut info = ffi::PtxClassInfo { num_allocatable: 0, bits: 0, is_proper_sub_class: false };
            // SAFETY: handle; a number of a class.
            unsafe { ffi::ptx_class_info(self.handles.mf.ptr.as_ptr(), class, &mut info) }
            ClassInfo {
                num_allocatable: info.num_allocatable,
                is_proper_sub_class: info.is_proper_sub_class,
                bits: info.bits,
            }
        })
    }
    fn should_coalesce(&mut self, copy: u32, src: u32, dst: u32, new: u32) -> bool {
        if self.is_nvptx {
            return true; // it has no say
        }
        self.flush();
        // SAFETY: handles; numbers of classes.
        unsafe {
            ffi::ptx_tri_should_coalesce(self.ptr(copy), src, dst, new, LiveIntervals::to_ptr(Some(self.lis)))
        }
    }
    fn edit(&mut self, edit: Edit) {
        use ffi::*;
        let none = std::ptr::null_mut();
        let of = |place: Place| (self.ptr(place.instr), place.index);
        let (instr, what, a, b) = match edit {
            Edit::Rename { src, dst } => (none, PTX_COALESCE_RENAME, virt(src), virt(dst)),
            Edit::RenameToPhys { src, dst } => (none, PTX_COALESCE_RENAME, virt(src), dst.0),
            Edit::Erase(instr) => (self.ptr(instr), PTX_COALESCE_ERASE, 0, 0),
            Edit::SetDead(place, dead) => (of(place).0, PTX_COALESCE_SET_DEAD, of(place).1, u32::from(dead)),
            Edit::SetUndef(place) => (of(place).0, PTX_COALESCE_SET_UNDEF, of(place).1, 1),
            Edit::SetClass(reg, class) => (none, PTX_COALESCE_SET_CLASS, virt(reg), class),
            Edit::ToImplicitDef(instr) => (self.ptr(instr), PTX_COALESCE_TO_IMPLICIT_DEF, 0, 0),
            Edit::CloneReg { of, new } => (none, PTX_COALESCE_CLONE_REG, virt(of), virt(new)),
            Edit::Mark(place, reg) => (of(place).0, PTX_COALESCE_MARK, of(place).1, virt(reg)),
            Edit::MarkDebug(debug, reg) => {
                let d = &self.debug[debug as usize];
                (d.instr, PTX_COALESCE_MARK, d.index, virt(reg))
            }
            Edit::MoveMarked(reg) => (none, PTX_COALESCE_MOVE_MARKED, virt(reg), 0),
            Edit::RemovePhysDef(instr, reg) => (self.ptr(instr), PTX_COALESCE_REMOVE_PHYS_DEF, reg.0, 0),
            Edit::AddPhysDef(instr, reg) => (self.ptr(instr), PTX_COALESCE_ADD_PHYS_DEF, reg.0, 0),
            Edit::ToKill(instr) => (self.ptr(instr), PTX_COALESCE_TO_KILL, 0, 0),
            Edit::ToCopy(instr) => (self.ptr(instr), PTX_COALESCE_TO_COPY, 0, 0),
            Edit::SetOpcode(instr, opcode) => (self.ptr(instr), PTX_COALESCE_SET_OPCODE, opcode, 0),
            Edit::SetImm(place, value) => (of(place).0, PTX_COALESCE_SET_IMM, of(place).1, value),
            Edit::DebugUndef(debug) => (self.debug[debug as usize].instr, PTX_COALESCE_DEBUG_UNDEF, 0, 0),
        };
        self.edits.push(PtxCoalesceEdit { instr, what, a, b });
        // Not between the marks of one move.
        if self.edits.len() >= EDITS_AT_ONCE && !matches!(edit, Edit::Mark(..) | Edit::MarkDebug(..)) {
            self.flush();
        }
    }
    fn opcode(&mut self, instr: u32) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_opcode(self.ptr(instr)) }
    }
    fn opcode_name(&mut self, opcode: u32) -> String {
        self.handles.mf.opcode_name(opcode).into_owned()
    }
    fn twin(&mut self, opcode: u32, from: u32, to: u32) -> Option<Twin> {
        let mut operands = 0;
        // SAFETY: handle; numbers of an opcode and of classes; the place for the operands lives through the call.
        let twin =
            unsafe { ffi::ptx_coalesce_twin(self.handles.mf.ptr.as_ptr(), opcode, from, to, &mut operands) };
        (twin != u32::MAX).then_some(Twin { opcode: twin, operands })
    }
    fn wants_missed(&mut self) -> bool {
        self.handles.mf.wants_remarks(RemarkKind::Missed, NVPTX_COALESCER)
    }
    fn missed(&mut self, copy: u32, name: &str, why: &str) {
        self.flush();
        let ptr = self.ptr(copy);
        // SAFETY: an instruction of the function.
        let mi = unsafe { MachineInstr::from_ptr(ptr) }.expect("never null");
        let parts = [
            ("", "Function: ".to_owned()),
            ("Function", self.handles.mf.name().into_owned()),
            ("", ": '".to_owned()),
            ("Copy", mi.text().trim().to_owned()),
            ("", "' is left: ".to_owned()),
            ("Reason", why.to_owned()),
        ];
        let remark = Remark { kind: RemarkKind::Missed, pass: NVPTX_COALESCER, name, parts: &parts };
        // SAFETY: handles, of one function.
        unsafe { remark.emit(ffi::ptx_mi_block(ptr), ptr) }
    }
    fn is_cheap(&mut self, instr: u32) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_as_cheap_as_a_move(self.ptr(instr)) }
    }
    fn is_commutable(&mut self, instr: u32) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_commutable(self.ptr(instr)) }
    }
    fn properties(&mut self, instr: u32) -> Properties {
        self.flush();
        // SAFETY: handles.
        let flags = unsafe { ffi::ptx_coalesce_properties(self.ptr(instr), AliasAnalysis::to_ptr(self.aa)) };
        let has = |flag| flags & flag != 0;
        Properties {
            is_rematerializable: has(ffi::PTX_COALESCE_REMATERIALIZABLE),
            is_safe_to_move: has(ffi::PTX_COALESCE_SAFE_TO_MOVE),
            has_one_def: has(ffi::PTX_COALESCE_ONE_DEF),
            is_safe_to_move_past_stores: has(ffi::PTX_COALESCE_SAFE_PAST_STORES),
            is_inline_asm: has(ffi::PTX_COALESCE_INLINE_ASM),
        }
    }
    fn has_eh_pad_successor(&mut self, block: u32) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_has_eh_pad_successor(self.handles.block(block as usize)) }
    }
    fn is_special_target(&mut self, block: u32) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_flags(self.handles.block(block as usize)) != 0 }
    }
    fn is_terminator(&mut self, instr: u32) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_properties(self.ptr(instr)) & ffi::PTX_PROP_TERMINATOR != 0 }
    }
    fn rematerialize(
        &mut self,
        def: u32,
        copy: u32,
        dst: Register,
        class: u32,
        new: u32,
        operands: &mut Vec<Operand>,
    ) -> Option<u8> {
        self.flush();
        let (def, copy, lis) = (self.ptr(def), self.ptr(copy), LiveIntervals::to_ptr(Some(self.lis)));
        // SAFETY: handles; a number of a class.
        let ptr = unsafe { ffi::ptx_coalesce_rematerialize(def, copy, dst.0, class, lis) };
        if ptr.is_null() {
            return None;
        }
        self.set_ptr(new, ptr);
        Self::read(ptr, operands);
        // SAFETY: handle.
        let what = unsafe { ffi::ptx_mi_what(ptr) };
        Some(if what == ffi::PTX_IS_IMPLICIT_DEF { InstrRun::IS_IMPLICIT_DEF } else { 0 })
    }
    fn move_debug_values(&mut self, from: u32, to: Register, instr: u32) {
        self.flush();
        let mf = self.handles.mf.ptr.as_ptr();
        // SAFETY: handles.
        unsafe { ffi::ptx_coalesce_move_debug_values(mf, virt(from), to.0, self.ptr(instr)) }
    }
    fn computes_the_same(&mut self, a: u32, b: u32) -> bool {
        self.flush();
        // SAFETY: handles.
        unsafe { ffi::ptx_mi_computes_the_same(self.ptr(a), self.ptr(b)) }
    }
    fn class_contains(&mut self, reg: u32, phys: Register) -> bool {
        self.flush();
        // SAFETY: handle; a virtual register of the function and one of the target.
        unsafe { ffi::ptx_mri_class_contains(self.handles.mf.ptr.as_ptr(), virt(reg), phys.0) }
    }
    fn can_define(&mut self, instr: u32, phys: Register) -> bool {
        // SAFETY: handle; a register of the target.
        unsafe { ffi::ptx_coalesce_can_define(self.ptr(instr), phys.0) }
    }
    fn is_reserved(&mut self, phys: Register) -> bool {
        self.reserved.get_or_insert_with(|| self.handles.reserved_registers()).contains(&phys.0)
    }
    fn is_constant(&mut self, phys: Register) -> bool {
        // SAFETY: handle; a register of the target.
        unsafe { ffi::ptx_mri_is_constant_phys_reg(self.handles.mf.ptr.as_ptr(), phys.0) }
    }
    fn reserved_interferes(&mut self, reg: u32, range: RangeRef, slots: &[u64], phys: Register) -> bool {
        self.flush();
        self.lis.reserved_interferes(slots, reg, range, phys)
    }
    fn is_read_between(&mut self, def: u32, copy: u32, phys: Register) -> bool {
        self.flush();
        // SAFETY: handles, of one block.
        unsafe { ffi::ptx_coalesce_is_read_between(self.ptr(def), self.ptr(copy), phys.0) }
    }
    fn insert_copy(
        &mut self,
        new: u32,
        like: u32,
        block: u32,
        before: Option<u32>,
        (dst, src): (u32, u32),
        operands: &mut Vec<Operand>,
    ) -> u64 {
        self.flush();
        let before = before.map_or(std::ptr::null_mut(), |b| self.ptr(b));
        let (block, like) = (self.handles.block(block as usize), self.ptr(like));
        let mut slot = 0;
        // SAFETY: handles; the place for the slot lives through the call.
        let ptr = unsafe {
            let lis = LiveIntervals::to_ptr(Some(self.lis));
            ffi::ptx_coalesce_insert_copy(block, before, like, virt(dst), virt(src), lis, &mut slot)
        };
        self.set_ptr(new, ptr);
        Self::read(ptr, operands);
        slot
    }
    fn commutes_with(&mut self, instr: u32, a: u32) -> Option<u32> {
        self.flush();
        let mut b = 0;
        // SAFETY: handle; the place for the index lives through the call.
        let found = unsafe { ffi::ptx_mi_commutes_with_any(self.ptr(instr), a, &mut b) };
        found.then_some(b)
    }
    fn commute(&mut self, instr: u32, a: u32, b: u32, operands: &mut Vec<Operand>) -> bool {
        self.flush();
        // SAFETY: handles; operands that the target has said commute.
        let ptr = unsafe {
            ffi::ptx_coalesce_commute(self.ptr(instr), a, b, LiveIntervals::to_ptr(Some(self.lis)))
        };
        if ptr.is_null() {
            return false;
        }
        self.set_ptr(instr, ptr);
        Self::read(ptr, operands);
        true
    }
    fn tied_operand(&mut self, instr: u32, index: u32) -> u32 {
        // SAFETY: handle; the operand is tied.
        unsafe { ffi::ptx_mi_tied_def(self.ptr(instr), index) }
    }
    fn can_fold_as_load(&mut self, instr: u32) -> bool {
        // NVPTX has no such loads. SAFETY: handle.
        !self.is_nvptx && unsafe { ffi::ptx_mi_can_fold_as_load(self.ptr(instr)) }
    }
    fn fold_load(&mut self, reader: u32, load: u32, reg: u32, new: u32, operands: &mut Vec<Operand>) -> bool {
        self.flush();
        let lis = LiveIntervals::to_ptr(Some(self.lis));
        // SAFETY: handles; the one defines a register of the function that the other reads.
        let ptr = unsafe { ffi::ptx_coalesce_fold_load(self.ptr(reader), self.ptr(load), virt(reg), lis) };
        if ptr.is_null() {
            return false;
        }
        self.set_ptr(new, ptr);
        Self::read(ptr, operands);
        true
    }
    fn recompute_class(&mut self, reg: u32) -> bool {
        self.flush();
        // SAFETY: handle.
        unsafe { ffi::ptx_mri_recompute_class(self.handles.mf.ptr.as_ptr(), virt(reg)) }
    }
    fn is_ignorable_use(&mut self, instr: u32, index: u32) -> bool {
        // SAFETY: handle; an operand of it.
        unsafe { ffi::ptx_mi_is_ignorable_use(self.ptr(instr), index) }
    }
}
