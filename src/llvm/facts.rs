//! A whole function read through the boundary, and what liveness asks of LLVM.

use super::{ffi, to_ffi_str, MachineFunction, MachineInstr};
use crate::liveness::cfg::Dominators;
use crate::liveness::slot_index::{HostSlots, Slot, SlotIndex, SlotIndexes};
use crate::liveness::values::Occurrences;
use crate::liveness::{Host, Unsuited};
use crate::mir::{FunctionFacts, Operand, Register};
use std::marker::PhantomData;
use std::ptr::NonNull;

const _: () = {
    assert!(FunctionFacts::IS_PHI as u32 == ffi::PTX_READ_PHI);
    assert!(FunctionFacts::IN_BUNDLE as u32 == ffi::PTX_READ_IN_BUNDLE);
    assert!(FunctionFacts::HAS_EARLY_CLOBBER as u32 == ffi::PTX_READ_EARLY_CLOBBER);
    assert!(Operand::INTERNAL_READ_SHIFT == ffi::PTX_OP_INTERNAL_READ_SHIFT);
};

/// Instructions read by one call.
const CHUNK: usize = 1024;

/// The buffers of a reading; kept from function to function.
#[derive(Default)]
pub struct FunctionReader {
    /// What was read.
    pub facts: FunctionFacts,
    /// By instruction of the facts, LLVM's.
    instrs: Vec<*mut ffi::PtxInstr>,
    blocks: Vec<ffi::PtxBlockFacts>,
    block_handles: Vec<*mut ffi::PtxBlock>,
    num_operands: Vec<u32>,
}

/// The instructions and blocks that a [`FunctionReader`] has read, as handles.
#[derive(Clone, Copy)]
pub struct Handles<'r, 'f> {
    pub(super) mf: MachineFunction<'f>,
    pub(super) instrs: &'r [*mut ffi::PtxInstr],
    pub(super) blocks: &'r [ffi::PtxBlockFacts],
    pub(super) block_handles: &'r [*mut ffi::PtxBlock],
    _life: PhantomData<&'f ()>,
}

impl<'f> Handles<'_, 'f> {
    /// Instruction `i` of the facts.
    pub fn instr(&self, i: usize) -> MachineInstr<'f> {
        // SAFETY: read from a function that lives for 'f; no instruction is erased by an analysis.
        unsafe { MachineInstr::from_ptr(self.instrs[i]) }.expect("never null")
    }
}

impl<'f> Handles<'_, 'f> {
    /// The function.
    pub fn function(&self) -> MachineFunction<'f> {
        self.mf
    }
    /// Emits analysis remark `name` of `pass`, at `block` and, if there is one, an instruction's debug location.
    /// `parts` are its text in pieces, those with a key being arguments.
    pub fn remark_analysis(
        &self,
        pass: &str,
        name: &str,
        block: usize,
        instr: Option<usize>,
        parts: &[(&str, String)],
    ) {
        let parts: Vec<_> = parts
            .iter()
            .map(|(key, value)| ffi::PtxRemarkPart { key: to_ffi_str(key), value: to_ffi_str(value) })
            .collect();
        // SAFETY: handles; all strings live through the call, which copies them.
        unsafe {
            ffi::ptx_remark_analysis(
                self.block_handles[block],
                instr.map_or(std::ptr::null_mut(), |i| self.instrs[i]),
                to_ffi_str(pass),
                to_ffi_str(name),
                parts.as_ptr(),
                parts.len(),
            );
        }
    }
}

impl Handles<'_, '_> {
    /// Whether `block` is a landing pad.
    pub fn is_eh_pad(&self, block: usize) -> bool {
        self.blocks[block].flags & ffi::PTX_MBB_EH_PAD != 0
    }
    /// Calls `f` with the units of the live-in registers of `block`, in LLVM's order, some more than once.
    pub fn for_each_live_in_unit(&self, block: usize, f: impl FnMut(u32)) {
        if self.blocks[block].flags & ffi::PTX_MBB_HAS_LIVE_INS != 0 {
            let block = self.block_handles[block];
            // SAFETY: handle; the buffer has the capacity that is passed.
            let units =
                read_list(|out, capacity| unsafe { ffi::ptx_mbb_live_in_units(block, out, capacity) });
            units.into_iter().for_each(f);
        }
    }
    /// The physical registers that have `unit`, in LLVM's order.
    pub fn unit_registers(&self, unit: u32) -> Vec<Register> {
        let mf = self.mf.ptr.as_ptr();
        // SAFETY: handle; the buffer has the capacity that is passed.
        let regs = read_list(|out, capacity| unsafe { ffi::ptx_unit_registers(mf, unit, out, capacity) });
        regs.into_iter().map(Register).collect()
    }
    /// Whether `unit` is one of reserved registers.
    pub fn unit_is_reserved(&self, unit: u32) -> bool {
        // SAFETY: handle; a unit of the target.
        unsafe { ffi::ptx_unit_is_reserved(self.mf.ptr.as_ptr(), unit) }
    }
    /// Calls `f` with the register masks at the start of `block`.
    pub fn begin_masks(&self, block: usize, f: impl FnMut(*const u32)) {
        let b = &self.blocks[block];
        [b.begin_mask, b.eh_mask].into_iter().filter(|m| !m.is_null()).for_each(f);
    }
    /// Calls `f` with the register mask at the end of `block`.
    pub fn end_mask(&self, block: usize, f: impl FnOnce(*const u32)) {
        let mask = self.blocks[block].end_mask;
        if !mask.is_null() {
            f(mask);
        }
    }
}

/// Fills a list by a call that tells its length and writes what fits.
fn read_list(call: impl Fn(*mut u32, usize) -> usize) -> Vec<u32> {
    let mut list = vec![0; 16];
    loop {
        let n = call(list.as_mut_ptr(), list.len());
        let fits = n <= list.len();
        list.resize(n, 0);
        if fits {
            return list;
        }
    }
}

impl FunctionReader {
    /// Reads `mf`.
    pub fn read<'f>(&mut self, mf: MachineFunction<'f>) -> (&mut FunctionFacts, Handles<'_, 'f>) {
        // SAFETY: handle.
        let num_block_ids = unsafe { ffi::ptx_mf_num_block_ids(mf.ptr.as_ptr()) };
        let facts = &mut self.facts;
        facts.clear(mf.num_virt_regs(), num_block_ids as usize);
        self.instrs.clear();
        self.blocks.clear();
        self.block_handles.clear();
        for block in mf.blocks() {
            let block = block.ptr.as_ptr();
            let mut b = ffi::PtxBlockFacts {
                number: 0,
                flags: 0,
                num_successors: 0,
                begin_mask: std::ptr::null(),
                eh_mask: std::ptr::null(),
                end_mask: std::ptr::null(),
            };
            // SAFETY: a block of the function; the row has room for its successors.
            unsafe {
                ffi::ptx_mbb_facts(block, &mut b);
                facts.succs.push_row(b.num_successors as usize, |row| {
                    ffi::ptx_mbb_successors(block, row.as_mut_ptr())
                });
            }
            facts.by_number[b.number as usize] = facts.numbers.len() as u32;
            facts.numbers.push(b.number);
            self.blocks.push(b);
            self.block_handles.push(block);
            let mut next = std::ptr::null_mut();
            loop {
                let at = (self.instrs.len(), facts.operands.len());
                self.instrs.reserve(CHUNK);
                facts.instr_flags.reserve(CHUNK);
                facts.operands.reserve(4 * CHUNK);
                self.num_operands.clear();
                self.num_operands.reserve(CHUNK);
                let buffer = ffi::PtxInstrBuffer {
                    instrs: self.instrs.spare_capacity_mut().as_mut_ptr().cast(),
                    flags: facts.instr_flags.spare_capacity_mut().as_mut_ptr().cast(),
                    num_operands: self.num_operands.spare_capacity_mut().as_mut_ptr().cast(),
                    instr_capacity: CHUNK as u32,
                    operands: facts.operands.spare_capacity_mut().as_mut_ptr().cast(),
                    operand_capacity: (facts.operands.capacity() - at.1).min(u32::MAX as usize) as u32,
                };
                // SAFETY: the buffers have the capacities given, `Operand` is one u64, and as many items are
                // initialised as the result says.
                let done = unsafe {
                    let done = ffi::ptx_mbb_read(block, next, &buffer);
                    self.instrs.set_len(at.0 + done.num_instrs as usize);
                    facts.instr_flags.set_len(at.0 + done.num_instrs as usize);
                    self.num_operands.set_len(done.num_instrs as usize);
                    facts.operands.set_len(at.1 + done.num_operands as usize);
                    done
                };
                let mut end = at.1 as u32;
                facts.first_operand.extend(self.num_operands.iter().map(|n| {
                    end += n;
                    end
                }));
                next = done.next;
                // SAFETY: null, or an instruction of the block.
                let Some(mi) = (unsafe { MachineInstr::from_ptr(next) }) else { break };
                if done.num_instrs == 0 {
                    facts.operands.reserve(mi.num_operands());
                }
            }
            facts.first_instr.push(self.instrs.len() as u32);
        }
        // The successors came by number.
        let FunctionFacts { succs, by_number, .. } = facts;
        for block in succs.items_mut() {
            *block = by_number[*block as usize];
        }
        let handles = Handles {
            mf,
            instrs: &self.instrs,
            blocks: &self.blocks,
            block_handles: &self.block_handles,
            _life: PhantomData,
        };
        (&mut self.facts, handles)
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
    handles: Handles<'r, 'f>,
    analyses: Option<SlotsAndDominators<'f>>,
    /// LLVM's slots, see [`LlvmHost::read_slots`].
    pub slots: &'r mut HostSlots,
    by_number: &'r [u32],
    /// By class id: whether it is that of predicates.
    classes: Vec<Option<bool>>,
    chain: Vec<ffi::PtxChainOperand>,
}

impl<'r, 'f> LlvmHost<'r, 'f> {
    /// For the function that `handles` are of; without `analyses` only registers are asked for.
    pub fn new(
        handles: Handles<'r, 'f>,
        by_number: &'r [u32],
        analyses: Option<SlotsAndDominators<'f>>,
        slots: &'r mut HostSlots,
    ) -> Self {
        LlvmHost { handles, analyses, slots, by_number, classes: Vec::new(), chain: Vec::new() }
    }

    fn analyses(&self) -> SlotsAndDominators<'f> {
        self.analyses.expect("LiveIntervals requires SlotIndexes and the dominator tree")
    }

    /// Reads LLVM's slots, entry by entry.
    ///
    /// # Errors
    /// When they are not those of the instructions that there are.
    pub fn read_slots(&mut self, expected: usize) -> Result<(), Unsuited> {
        let analyses = self.analyses();
        let HostSlots { bits, numbers } = &mut *self.slots;
        bits.clear();
        numbers.clear();
        bits.reserve(expected);
        numbers.reserve(expected);
        // SAFETY: handles; room for `expected`, and if so many are told all of them are written.
        let n = unsafe {
            let n = ffi::ptx_slots_read(
                analyses.slots.as_ptr(),
                self.handles.mf.ptr.as_ptr(),
                bits.as_mut_ptr(),
                numbers.as_mut_ptr(),
                expected,
            );
            if n == expected {
                bits.set_len(n);
                numbers.set_len(n);
            }
            n
        };
        if n == expected {
            Ok(())
        } else {
            Err(Unsuited::Slots)
        }
    }

    /// Appends the occurrences of a register, in the order of LLVM's chain; `on_operand` sees each operand.
    pub fn append_chain(
        &mut self,
        reg: Register,
        slots: &SlotIndexes,
        out: &mut Occurrences,
        (defs, uses): (bool, bool),
        mut on_operand: impl FnMut(MachineInstr<'f>, usize, Operand),
    ) -> Result<(), Unsuited> {
        let (indexes, mf) = (self.analyses().slots.as_ptr(), self.handles.mf.ptr.as_ptr());
        loop {
            self.chain.clear();
            let capacity = self.chain.capacity();
            // SAFETY: handles; room for `capacity`, and as many are written as are told, if they fit.
            let n = unsafe {
                let n = ffi::ptx_slots_chain(indexes, mf, reg.0, self.chain.as_mut_ptr(), capacity);
                if n <= capacity {
                    self.chain.set_len(n);
                }
                n
            };
            if n <= capacity {
                break;
            }
            self.chain.reserve(n);
        }
        for c in &self.chain {
            let op = Operand(c.operand);
            // SAFETY: an operand of the function has an instruction of it.
            let instr = unsafe { MachineInstr::from_ptr(c.instr) }.expect("never null");
            on_operand(instr, c.index as usize, op);
            let at = if c.phi_use {
                slots.end(self.by_number[c.number as usize] as usize)
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
        let mf = self.handles.mf;
        let Some(id) = mf.class_id(Register::virt(reg)) else { return false };
        if self.classes.len() <= id {
            self.classes.resize(id + 1, None);
        }
        // The class of `%p`: `Int1Regs` to LLVM 20, `B1` from 21 on (errata 11 and 13).
        *self.classes[id]
            .get_or_insert_with(|| matches!(&*mf.class_name(Register::virt(reg)), "Int1Regs" | "B1"))
    }

    fn occurrences(&mut self, reg: u32, slots: &SlotIndexes, out: &mut Occurrences) -> Result<(), Unsuited> {
        out.defs.clear();
        out.uses.clear();
        self.append_chain(Register::virt(reg), slots, out, (true, true), |_, _, _| {})
    }

    fn dominators(&mut self, out: &mut Dominators) {
        let n = self.handles.blocks.len();
        out.idom.clear();
        out.idom.resize(n, 0);
        let mut reachable = vec![0u8; n];
        // SAFETY: handles; both arrays have one item for each block.
        unsafe {
            ffi::ptx_dominators_read(
                self.analyses().dominators.as_ptr(),
                self.handles.mf.ptr.as_ptr(),
                out.idom.as_mut_ptr(),
                reachable.as_mut_ptr(),
            );
        }
        out.reachable.clear();
        out.reachable.extend(reachable.iter().map(|&r| r != 0));
    }
}
