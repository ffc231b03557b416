//! A whole function read through the boundary, and what liveness asks of LLVM.

use super::instr::kind_from_ffi;
use super::{ffi, MachineFunction, MachineInstr, Remark};
use crate::adt::BitSet;
use crate::cfg::graph::Dominators;
use crate::liveness::slot_index::{HostSlots, Slot, SlotIndex, SlotIndexes};
use crate::liveness::values::Occurrences;
use crate::liveness::{Host, Unsuited};
use crate::mir::{Code, FunctionFacts, FunctionShape, InstrRun, Kind, Operand, Register};
use crate::nvptx::registers::is_predicate_class;
use std::marker::PhantomData;
use std::ptr::NonNull;

const _: () = {
    assert!(InstrRun::IN_BUNDLE as u32 == ffi::PTX_READ_IN_BUNDLE);
    assert!(InstrRun::HAS_EARLY_CLOBBER as u32 == ffi::PTX_READ_EARLY_CLOBBER);
    assert!(InstrRun::HAS_REG_MASK as u32 == ffi::PTX_READ_REG_MASK);
    assert!(InstrRun::HAS_PHYSICAL as u32 == ffi::PTX_READ_PHYSICAL);
    assert!(InstrRun::HAS_SUBREG as u32 == ffi::PTX_READ_SUBREG);
    assert!(Operand::INTERNAL_READ_SHIFT == ffi::PTX_OP_INTERNAL_READ_SHIFT);
};

/// By kind, as the shim numbers it, what [`InstrRun`] says of it.
const KIND_FLAGS: [u8; ffi::PtxInstrKind::PTX_KIND_DEBUG as usize + 1] = {
    let mut flags = [0; ffi::PtxInstrKind::PTX_KIND_DEBUG as usize + 1];
    let mut kind = 0;
    while kind < flags.len() {
        flags[kind] = InstrRun::kind_flags(kind_from_ffi(kind as u8));
        kind += 1;
    }
    flags
};

/// Room for the instructions of one call, and for their operands unless one has more.
const RUN_INSTRS: usize = 256;
const RUN_OPERANDS: usize = 1024;

/// The buffers of a reading; kept from function to function.
#[derive(Default)]
pub struct FunctionReader {
    shape: FunctionShape,
    code: CodeBuffers,
}

#[derive(Default)]
struct CodeBuffers {
    blocks: Vec<(*mut ffi::PtxBlock, ffi::PtxBlockFacts)>,
    /// By entry, the instruction; null at the boundary of a block.
    heads: Vec<*mut ffi::PtxInstr>,
    /// (entry, mask): register masks of instructions, in order.
    masks: Vec<(u32, *const u32)>,
    /// (block, mask): register masks at the ends of blocks, in order.
    end_masks: Vec<(u32, *const u32)>,
    /// Debug instructions or pseudo probes were left out.
    left_out: bool,
    instrs: Vec<*mut ffi::PtxInstr>,
    kinds: Vec<ffi::PtxInstrKind::Type>,
    flags: Vec<u8>,
    num_operands: Vec<u32>,
    operands: Vec<Operand>,
}

// SAFETY: the pointers are those of the function read last and only used, through `LlvmCode` and `Handles`,
// while that function is at hand.
unsafe impl Send for CodeBuffers {}

impl FunctionReader {
    /// Reads the shape of `mf`; the code is read when it is visited. With `clear_kills` the kill flags of
    /// virtual registers are taken away while it is.
    pub fn read<'f>(
        &mut self,
        mf: MachineFunction<'f>,
        clear_kills: bool,
    ) -> (&FunctionShape, LlvmCode<'_, 'f>) {
        let FunctionReader { shape, code } = self;
        // SAFETY: handle.
        let num_block_ids = unsafe { ffi::ptx_mf_num_block_ids(mf.ptr.as_ptr()) };
        shape.clear(mf.num_virt_regs(), num_block_ids as usize);
        code.blocks.clear();
        code.heads.clear();
        code.masks.clear();
        code.end_masks.clear();
        code.left_out = false;
        code.blocks.reserve(num_block_ids as usize);
        code.heads.reserve(mf.num_virt_regs() + num_block_ids as usize);
        for block in mf.blocks() {
            let block = block.ptr.as_ptr();
            let mut b = ffi::PtxBlockFacts {
                number: 0,
                flags: 0,
                num_successors: 0,
                begin_mask: std::ptr::null(),
                eh_mask: std::ptr::null(),
            };
            // SAFETY: a block of the function; the row has room for its successors.
            unsafe {
                ffi::ptx_mbb_facts(block, &mut b);
                shape.succs.push_row(b.num_successors as usize, |row| {
                    ffi::ptx_mbb_successors(block, row.as_mut_ptr())
                });
            }
            shape.push_block(b.number);
            code.blocks.push((block, b));
        }
        shape.finish();
        (shape, LlvmCode { mf, clear_kills, buffers: code })
    }
    /// Reads all of `mf`, as it is.
    pub fn read_all<'f>(&mut self, mf: MachineFunction<'f>, facts: &mut FunctionFacts) -> Handles<'_, 'f> {
        let (shape, mut code) = self.read(mf, false);
        code.read_whole(shape, facts);
        Handles { mf, code: code.buffers }
    }
}

impl CodeBuffers {
    /// Forgets the instructions read last: room is made behind what is there.
    fn clear_run(&mut self) {
        self.instrs.clear();
        self.kinds.clear();
        self.flags.clear();
        self.num_operands.clear();
        self.operands.clear();
    }
    /// Of the instructions read last.
    fn note_heads_and_masks(&mut self) {
        let mut first = 0;
        for (i, &instr) in self.instrs.iter().enumerate() {
            let operands = &self.operands[first..][..self.num_operands[i] as usize];
            first += operands.len();
            if self.flags[i] & InstrRun::IN_BUNDLE != 0 {
                continue;
            }
            self.heads.push(instr);
            if self.flags[i] & InstrRun::HAS_REG_MASK != 0 {
                // SAFETY: an instruction of the function.
                let mi = unsafe { MachineInstr::from_ptr(instr) }.expect("never null");
                let entry = self.heads.len() as u32 - 1;
                for (index, _) in operands.iter().enumerate().filter(|o| o.1.kind() == Kind::RegMask) {
                    self.masks.push((entry, mi.reg_mask(index)));
                }
            }
        }
    }
}

impl FunctionReader {
    /// What was read of `mf`, which has not changed since.
    pub fn again<'f>(&mut self, mf: MachineFunction<'f>) -> (&FunctionShape, LlvmCode<'_, 'f>) {
        (&self.shape, LlvmCode { mf, clear_kills: false, buffers: &mut self.code })
    }
    /// The handles of `mf`, all of which was read, and which has not changed since.
    pub fn handles<'f>(&self, mf: MachineFunction<'f>) -> Handles<'_, 'f> {
        Handles { mf, code: &self.code }
    }
}

/// The code of a function, read block by block.
pub struct LlvmCode<'r, 'f> {
    mf: MachineFunction<'f>,
    clear_kills: bool,
    buffers: &'r mut CodeBuffers,
}

impl<'f> LlvmCode<'_, 'f> {
    /// Reads everything, once more if it was read before.
    pub fn read_whole(&mut self, shape: &FunctionShape, facts: &mut FunctionFacts) {
        self.buffers.heads.clear();
        self.buffers.masks.clear();
        self.buffers.end_masks.clear();
        facts.clear(0, 0);
        facts.shape.clone_from(shape);
        for block in 0..shape.num_blocks() {
            self.read_block(block, |run| facts.push_run(run));
            facts.end_block();
        }
    }
    /// The instructions and blocks that were read.
    pub fn handles(&self) -> Handles<'_, 'f> {
        Handles { mf: self.mf, code: self.buffers }
    }
}

impl Code for LlvmCode<'_, '_> {
    fn read_block(&mut self, index: usize, mut visit: impl FnMut(InstrRun)) {
        let b = &mut *self.buffers;
        let block = b.blocks[index].0;
        b.heads.push(std::ptr::null_mut());
        b.clear_run();
        b.instrs.reserve(RUN_INSTRS);
        b.kinds.reserve(RUN_INSTRS);
        b.flags.reserve(RUN_INSTRS);
        b.num_operands.reserve(RUN_INSTRS);
        b.operands.reserve(RUN_OPERANDS);
        let mut next = std::ptr::null_mut();
        loop {
            let capacities =
                [b.instrs.capacity(), b.kinds.capacity(), b.flags.capacity(), b.num_operands.capacity()];
            let capacity = capacities.into_iter().min().expect("not empty") as u32;
            let buffer = ffi::PtxInstrBuffer {
                instrs: b.instrs.as_mut_ptr(),
                kinds: b.kinds.as_mut_ptr(),
                flags: b.flags.as_mut_ptr(),
                num_operands: b.num_operands.as_mut_ptr(),
                instr_capacity: capacity,
                operands: b.operands.as_mut_ptr().cast(),
                operand_capacity: b.operands.capacity() as u32,
            };
            // SAFETY: the buffers have the capacities given, `Operand` is one u64, and as many items are
            // initialised as the result says.
            let done = unsafe {
                let done = ffi::ptx_mbb_read(block, next, &buffer, self.clear_kills);
                b.instrs.set_len(done.num_instrs as usize);
                b.kinds.set_len(done.num_instrs as usize);
                b.flags.set_len(done.num_instrs as usize);
                b.num_operands.set_len(done.num_instrs as usize);
                b.operands.set_len(done.num_operands as usize);
                done
            };
            b.left_out |= done.debug;
            for (flags, &kind) in b.flags.iter_mut().zip(&b.kinds) {
                *flags |= KIND_FLAGS[usize::from(kind)];
            }
            if b.flags.iter().fold(0, |all, f| all | f) & (InstrRun::IN_BUNDLE | InstrRun::HAS_REG_MASK) == 0
            {
                b.heads.extend_from_slice(&b.instrs);
            } else {
                b.note_heads_and_masks();
            }
            if done.num_instrs > 0 {
                visit(InstrRun { flags: &b.flags, num_operands: &b.num_operands, operands: &b.operands });
            }
            next = done.next;
            if next.is_null() {
                if !done.end_mask.is_null() {
                    b.end_masks.push((index as u32, done.end_mask));
                }
                return;
            }
            if done.num_instrs == 0 {
                // One instruction, or bundle, that is larger than the buffers.
                let (instrs, operands) = (2 * b.instrs.capacity(), 2 * b.operands.capacity());
                b.instrs.reserve(instrs);
                b.kinds.reserve(instrs);
                b.flags.reserve(instrs);
                b.num_operands.reserve(instrs);
                b.operands.reserve(operands);
            }
        }
    }
}

/// The instructions and blocks that were read, as handles.
#[derive(Clone, Copy)]
pub struct Handles<'r, 'f> {
    pub(super) mf: MachineFunction<'f>,
    code: &'r CodeBuffers,
}

impl<'r, 'f> Handles<'r, 'f> {
    pub(super) fn block(&self, block: usize) -> *mut ffi::PtxBlock {
        self.code.blocks[block].0
    }
    /// An instruction by its number in the function; `block_of` tells the block of each. Entries of the blocks are in between.
    pub fn instr_of(&self, block_of: &[u32], instr: u32) -> MachineInstr<'f> {
        self.instr(instr + block_of[instr as usize] + 1)
    }
    /// The instruction of an entry.
    pub fn instr(&self, entry: u32) -> MachineInstr<'f> {
        // SAFETY: read from a function that lives for 'f; no instruction is erased by an analysis.
        unsafe { MachineInstr::from_ptr(self.code.heads[entry as usize]) }.expect("no boundary")
    }
    /// The function.
    pub fn function(&self) -> MachineFunction<'f> {
        self.mf
    }
    /// Emits a remark on `block`, with the debug location of the instruction at `entry` or, if a block begins
    /// there, of the first one behind.
    pub fn remark(&self, remark: &Remark, block: usize, entry: u32) {
        let mut here = self.code.heads[entry as usize..].iter().copied();
        let instr = here.next().filter(|i| !i.is_null()).or(here.next()).unwrap_or(std::ptr::null_mut());
        // SAFETY: a block and an instruction of the function, or null.
        unsafe { remark.emit(self.code.blocks[block].0, instr) }
    }
    /// By entry, the instruction; null at the boundary of a block.
    pub(super) fn heads(&self) -> &'r [*mut ffi::PtxInstr] {
        &self.code.heads
    }
    /// Whether debug instructions or pseudo probes were left out.
    pub fn has_debug_instrs(&self) -> bool {
        self.code.left_out
    }
    /// (entry, mask): register masks of instructions, in order.
    pub fn reg_masks(&self) -> &'r [(u32, *const u32)] {
        &self.code.masks
    }
    /// Whether `block` is a landing pad.
    pub fn is_eh_pad(&self, block: usize) -> bool {
        self.code.blocks[block].1.flags & ffi::PTX_MBB_EH_PAD != 0
    }
    /// The units of the live-in registers of `block`, in LLVM's order, some more than once.
    pub fn live_in_units(&self, block: usize) -> Vec<u32> {
        // SAFETY: handle; the buffer has the capacity that is passed.
        self.live_in_list(block, |block, out, n| unsafe { ffi::ptx_mbb_live_in_units(block, out, n) })
    }
    /// The physical registers that are live into `block`.
    pub fn live_ins(&self, block: usize) -> Vec<u32> {
        // SAFETY: handle; the buffer has the capacity that is passed.
        self.live_in_list(block, |block, out, n| unsafe { ffi::ptx_mbb_live_ins(block, out, n) })
    }
    fn live_in_list(
        &self,
        block: usize,
        call: impl Fn(*mut ffi::PtxBlock, *mut u32, usize) -> usize,
    ) -> Vec<u32> {
        let (block, facts) = &self.code.blocks[block];
        let mut list = Vec::new();
        if facts.flags & ffi::PTX_MBB_HAS_LIVE_INS != 0 {
            read_list(&mut list, |out, n| call(*block, out, n));
        }
        list
    }
    /// The address of the target's table of registers: constant data, so what was read of the registers of
    /// one function holds for every other function with the same address.
    pub fn register_table(&self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_table(self.mf.ptr.as_ptr()) as usize }
    }
    /// How many physical registers the target has; they count from 1, and 0 is in the number.
    pub fn num_registers(&self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_registers(self.mf.ptr.as_ptr()) as usize }
    }
    /// How many of them, the first ones, the function's subtarget has.
    pub fn num_supported_registers(&self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_supported_registers(self.mf.ptr.as_ptr()) as usize }
    }
    /// The parts of a physical register, in LLVM's order, without itself.
    pub fn sub_registers(&self, reg: Register) -> Vec<u32> {
        let (mf, mut regs) = (self.mf.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; a register of the target; the buffer has the capacity that is passed.
        read_list(&mut regs, |out, n| unsafe { ffi::ptx_tri_sub_registers(mf, reg.0, out, n) });
        regs
    }
    /// What a physical register is a part of, in LLVM's order, without itself.
    pub fn super_registers(&self, reg: Register) -> Vec<u32> {
        let (mf, mut regs) = (self.mf.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; a register of the target; the buffer has the capacity that is passed.
        read_list(&mut regs, |out, n| unsafe { ffi::ptx_tri_super_registers(mf, reg.0, out, n) });
        regs
    }
    /// Whether some class that registers are allocated from has `reg`.
    pub fn in_allocatable_class(&self, reg: Register) -> bool {
        // SAFETY: handle; a register of the target.
        unsafe { ffi::ptx_tri_in_allocatable_class(self.mf.ptr.as_ptr(), reg.0) }
    }
    /// The registers that the function may not allocate.
    pub fn reserved_registers(&self) -> Vec<u32> {
        let (mf, mut regs) = (self.mf.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut regs, |out, n| unsafe { ffi::ptx_mri_reserved_registers(mf, out, n) });
        regs
    }
    /// Calls `f` with the register masks at the start of `block`.
    pub fn begin_masks(&self, block: usize, f: impl FnMut(*const u32)) {
        let b = &self.code.blocks[block].1;
        [b.begin_mask, b.eh_mask].into_iter().filter(|m| !m.is_null()).for_each(f);
    }
    /// (block, mask): register masks at the ends of blocks, in order.
    pub fn end_masks(&self) -> &'r [(u32, *const u32)] {
        &self.code.end_masks
    }
}

/// Fills a list by a call that tells its length and has written all of it, if that is within the capacity.
pub(super) fn read_list<T: Copy>(list: &mut Vec<T>, call: impl Fn(*mut T, usize) -> usize) {
    list.clear();
    loop {
        let n = call(list.as_mut_ptr(), list.capacity());
        if n <= list.capacity() {
            // SAFETY: that many items were written.
            unsafe { list.set_len(n) };
            return;
        }
        list.reserve(n);
    }
}

/// LLVM's SlotIndexes and dominator tree.
#[derive(Clone, Copy)]
pub struct SlotsAndDominators<'f> {
    pub(super) slots: NonNull<ffi::PtxSlotIndexes>,
    pub(super) dominators: NonNull<ffi::PtxDominators>,
    _life: PhantomData<&'f ()>,
}

impl SlotsAndDominators<'_> {
    /// # Safety
    /// Each must be null or the analysis of the function that lives for the result's lifetime.
    pub(super) unsafe fn from_ptrs(
        slots: *mut ffi::PtxSlotIndexes,
        dominators: *mut ffi::PtxDominators,
    ) -> Option<Self> {
        Some(SlotsAndDominators {
            slots: NonNull::new(slots)?,
            dominators: NonNull::new(dominators)?,
            _life: PhantomData,
        })
    }
}

/// Answers liveness's questions from LLVM.
pub struct LlvmHost<'r, 'f> {
    mf: MachineFunction<'f>,
    shape: &'r FunctionShape,
    analyses: Option<SlotsAndDominators<'f>>,
    slots: &'r mut HostSlots,
    /// By entry, LLVM's own SlotIndex.
    slot_bits: &'r [u64],
    /// By entry, the instruction.
    heads: &'r [*mut ffi::PtxInstr],
    /// By class id: whether it is that of predicates.
    classes: Vec<Option<bool>>,
    chain: Vec<ffi::PtxChainOperand>,
    def_chain: Vec<*mut ffi::PtxInstr>,
    by_address: Vec<(usize, usize)>,
    seen: BitSet,
}

impl<'r, 'f> LlvmHost<'r, 'f> {
    /// For `mf`, which has this shape; without `analyses` only registers are asked for.
    pub fn new(
        mf: MachineFunction<'f>,
        shape: &'r FunctionShape,
        analyses: Option<SlotsAndDominators<'f>>,
        slots: &'r mut HostSlots,
    ) -> Self {
        LlvmHost {
            mf,
            shape,
            analyses,
            slots,
            slot_bits: &[],
            heads: &[],
            classes: Vec::new(),
            chain: Vec::new(),
            def_chain: Vec::new(),
            by_address: Vec::new(),
            seen: BitSet::default(),
        }
    }

    fn analyses(&self) -> SlotsAndDominators<'f> {
        self.analyses.expect("LiveIntervals requires SlotIndexes and the dominator tree")
    }

    /// Reads LLVM's slots, entry by entry, of the instructions that were read, to `bits`.
    ///
    /// # Errors
    /// When LLVM has others.
    pub fn read_slots(
        &mut self,
        handles: Handles<'r, 'f>,
        expected: usize,
        bits: &'r mut Vec<u64>,
    ) -> Result<(), Unsuited> {
        self.heads = handles.heads();
        self.slots.numbers.clear();
        let slots = self.analyses().slots.as_ptr();
        bits.clear();
        bits.reserve(expected);
        // SAFETY: handles; room for `expected`, and if so many are told all of them are written.
        let n = unsafe {
            let n = ffi::ptx_slots_read(slots, self.mf.ptr.as_ptr(), bits.as_mut_ptr(), expected);
            if n == expected {
                bits.set_len(n);
            }
            n
        };
        self.slot_bits = bits;
        if n == expected {
            Ok(())
        } else {
            Err(Unsuited::Slots)
        }
    }

    /// LLVM's own SlotIndex of each entry, behind [`LlvmHost::read_slots`].
    pub fn slot_bits(&self) -> &'r [u64] {
        self.slot_bits
    }

    /// Reads the numbers of the slots, if that has not been done.
    pub fn read_numbers(&mut self) {
        let indexes = self.analyses().slots.as_ptr();
        let (bits, numbers) = (self.slot_bits, &mut self.slots.numbers);
        if numbers.is_empty() {
            numbers.reserve(bits.len());
            // SAFETY: the slots are this function's; as many numbers are written as there are slots.
            unsafe {
                ffi::ptx_slots_numbers(indexes, bits.as_ptr(), bits.len(), numbers.as_mut_ptr());
                numbers.set_len(bits.len());
            }
        }
    }

    /// Appends the occurrences of a register unit to what is in `out`, in LLVM's order; of a reserved one its
    /// defs alone. Kill flags are taken away.
    pub fn unit_occurrences(
        &mut self,
        unit: u32,
        slots: &SlotIndexes,
        out: &mut Occurrences,
    ) -> Result<(), Unsuited> {
        let mf = self.mf.ptr.as_ptr();
        let mut regs = Vec::new();
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut regs, |out, n| unsafe { ffi::ptx_unit_registers(mf, unit, out, n) });
        for &reg in &regs {
            self.append_chain(Register(reg), slots, out, (true, false), |_, _, _| {})?;
        }
        // SAFETY: handle; a unit of the target.
        if !unsafe { ffi::ptx_unit_is_reserved(mf, unit) } {
            for &reg in &regs {
                self.append_chain(Register(reg), slots, out, (false, true), |mi, index, op| {
                    if op.is_use() && op.is_kill() {
                        mi.set_kill(index, false);
                    }
                })?;
            }
        }
        Ok(())
    }

    /// Appends the occurrences of a register, in the order of LLVM's chain; `on_operand` sees each operand.
    fn append_chain(
        &mut self,
        reg: Register,
        slots: &SlotIndexes,
        out: &mut Occurrences,
        (defs, uses): (bool, bool),
        mut on_operand: impl FnMut(MachineInstr<'f>, usize, Operand),
    ) -> Result<(), Unsuited> {
        let (indexes, mf) = (self.analyses().slots.as_ptr(), self.mf.ptr.as_ptr());
        self.read_numbers();
        read_list(&mut self.chain, |chain, capacity| {
            // SAFETY: handles; the buffer has the capacity that is passed.
            unsafe { ffi::ptx_slots_chain(indexes, mf, reg.0, chain, capacity) }
        });
        for c in &self.chain {
            let op = Operand(c.operand);
            // SAFETY: an operand of the function has an instruction of it.
            let instr = unsafe { MachineInstr::from_ptr(c.instr) }.expect("never null");
            on_operand(instr, c.index as usize, op);
            let at = if c.phi_use {
                slots.end(self.shape.by_number[c.number as usize] as usize)
            } else {
                let entry = self.slots.entry_of(c.number).ok_or(Unsuited::Slots)?;
                let slot = if op.is_early_clobber() { Slot::EarlyClobber } else { Slot::Register };
                SlotIndex::new(entry, slot)
            };
            if defs && op.is_def() {
                out.defs.push(at);
            }
            if uses && op.reads() {
                out.uses.push(at);
            }
        }
        Ok(())
    }
}

impl Host for LlvmHost<'_, '_> {
    fn is_predicate(&mut self, reg: u32) -> bool {
        let mf = self.mf;
        let Some(id) = mf.class_id(Register::virt(reg)) else { return false };
        if self.classes.len() <= id {
            self.classes.resize(id + 1, None);
        }
        *self.classes[id].get_or_insert_with(|| is_predicate_class(&mf.class_name(Register::virt(reg))))
    }

    fn def_order(&mut self, reg: u32, defs: &[u32], out: &mut Vec<u32>) -> Result<(), Unsuited> {
        let (mf, reg) = (self.mf.ptr.as_ptr(), Register::virt(reg).0);
        read_list(&mut self.def_chain, |chain, capacity| {
            // SAFETY: handle; the buffer has the capacity that is passed.
            unsafe { ffi::ptx_mri_def_chain(mf, reg, chain, capacity) }
        });
        out.clear();
        let instr = |position: usize| defs.get(position).map(|&i| self.heads[i as usize]);
        // Chains mostly run through the layout one way or the other.
        let (mut last, mut sorted) = (0, false);
        for &mi in &self.def_chain {
            let position = if instr(last) == Some(mi) {
                last
            } else if instr(last + 1) == Some(mi) {
                last + 1
            } else if last > 0 && instr(last - 1) == Some(mi) {
                last - 1
            } else {
                if !sorted {
                    let instrs = defs.iter().map(|&i| self.heads[i as usize] as usize);
                    self.by_address.clear();
                    self.by_address.extend(instrs.zip(0..));
                    self.by_address.sort_unstable();
                    sorted = true;
                }
                let found = self.by_address.binary_search_by_key(&(mi as usize), |d| d.0);
                self.by_address[found.map_err(|_| Unsuited::Slots)?].1
            };
            last = position;
            out.push(position as u32);
        }
        // Several operands of one instruction are one def, numbered by the first.
        if out.len() > defs.len() {
            self.seen.reset(defs.len());
            out.retain(|&position| self.seen.insert(position as usize));
        }
        if out.len() == defs.len() {
            Ok(())
        } else {
            Err(Unsuited::Slots)
        }
    }

    fn use_order(&mut self, reg: u32, slots: &SlotIndexes, out: &mut Vec<SlotIndex>) -> Result<(), Unsuited> {
        let mut occurrences = Occurrences { defs: Vec::new(), uses: std::mem::take(out) };
        occurrences.uses.clear();
        let read =
            self.append_chain(Register::virt(reg), slots, &mut occurrences, (false, true), |_, _, _| {});
        *out = occurrences.uses;
        read
    }

    fn dominators(&mut self, out: &mut Dominators) {
        let n = self.shape.num_blocks();
        out.idom.clear();
        out.idom.resize(n, 0);
        let mut reachable = vec![0u8; n];
        // SAFETY: handles; both arrays have one item for each block.
        unsafe {
            ffi::ptx_dominators_read(
                self.analyses().dominators.as_ptr(),
                self.mf.ptr.as_ptr(),
                out.idom.as_mut_ptr(),
                reachable.as_mut_ptr(),
            );
        }
        out.reachable.clear();
        out.reachable.extend(reachable.iter().map(|&r| r != 0));
    }
}
