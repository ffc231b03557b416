//! Reads LLVM's SlotIndexes, dominator tree and use-def chains.

use super::facts::Handles;
use super::ffi;
use super::handles::{InstrSlots, MachineFunction, MachineInstr, SlotsAndDominators};
use super::read::read_list;
use crate::adt::PackedOption;
use crate::cfg::Dominators;
use crate::mir::{BlockNumber, Operand, Register, VRegId};

/// An operand in the use-def chain of a register.
pub struct ChainOperand<'f> {
    /// Its instruction.
    pub instr: MachineInstr<'f>,
    /// Its position in the instruction.
    pub position: usize,
    /// The operand.
    pub operand: Operand,
    /// The place of the operand.
    pub place: ChainPlace,
}

/// The place of an operand, by LLVM's numbers.
pub enum ChainPlace {
    /// A PHI reads it at the end of this block.
    EndOfBlock(BlockNumber),
    /// In the instruction whose slot LLVM orders by this number.
    Slot(u32),
}

/// The buffer of [`SlotsAndDominators::chain`].
#[derive(Default)]
pub struct ChainBuffer(Vec<ffi::PtxChainOperand>);

/// The address of an instruction, only to be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct InstrAddress(*mut ffi::PtxInstr);

impl<'f> InstrSlots<'f> {
    /// `insertMachineInstrInMaps`: gives the new `mi` a slot.
    ///
    /// # Fatal errors
    /// If it has one, was erased, or is inside a bundle.
    pub fn insert_instr(self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_slots_insert_instr(self.ptr.as_ptr(), mi.ptr.as_ptr()) }
    }
    /// `removeMachineInstrFromMaps`: removes the slot of `mi`, which is about to be erased.
    pub fn remove_instr(self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_slots_remove_instr(self.ptr.as_ptr(), mi.ptr.as_ptr()) }
    }
}

impl<'f> SlotsAndDominators<'f> {
    /// Reads LLVM's slots of `mf`, entry by entry, into `bits`. Returns `false` if their number is
    /// not `expected`.
    pub(crate) fn read_slots(self, mf: MachineFunction<'f>, expected: usize, bits: &mut Vec<u64>) -> bool {
        bits.clear();
        bits.reserve(expected);
        // SAFETY: handles; there is room for `expected`, and if that is their number, all of them
        // are written.
        unsafe {
            let n = ffi::ptx_slots_read(self.slots.as_ptr(), mf.ptr.as_ptr(), bits.as_mut_ptr(), expected);
            if n == expected {
                bits.set_len(n);
            }
            n == expected
        }
    }

    /// Reads the numbers by which LLVM orders its slots; `bits` are those slots.
    pub(crate) fn read_numbers(self, bits: &[u64], numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.reserve(bits.len());
        // SAFETY: the slots are this function's; as many numbers are written as there are slots.
        unsafe {
            ffi::ptx_slots_numbers(self.slots.as_ptr(), bits.as_ptr(), bits.len(), numbers.as_mut_ptr());
            numbers.set_len(bits.len());
        }
    }

    /// Lists the operands of a register, in the order of LLVM's chain.
    pub(crate) fn chain<'b>(
        self,
        mf: MachineFunction<'f>,
        reg: Register,
        buffer: &'b mut ChainBuffer,
    ) -> impl Iterator<Item = ChainOperand<'f>> + 'b
    where
        'f: 'b,
    {
        read_list(&mut buffer.0, |chain, capacity| {
            // SAFETY: handles; the buffer has the capacity that is passed.
            unsafe { ffi::ptx_slots_chain(self.slots.as_ptr(), mf.ptr.as_ptr(), reg.0, chain, capacity) }
        });
        buffer.0.iter().map(|c| ChainOperand {
            // SAFETY: an operand of the function has an instruction of it.
            instr: unsafe { MachineInstr::from_ptr(c.instr) }.expect("never null"),
            position: c.index as usize,
            operand: Operand(c.operand),
            place: if c.phi_use {
                ChainPlace::EndOfBlock(BlockNumber::from_raw(c.number))
            } else {
                ChainPlace::Slot(c.number)
            },
        })
    }

    /// Reads the immediate dominators of the `num_blocks` blocks of `mf`.
    pub(crate) fn read_dominators(self, mf: MachineFunction<'f>, num_blocks: usize, out: &mut Dominators) {
        out.idom.clear();
        out.idom.resize(num_blocks, PackedOption::NONE);
        let mut reachable = vec![0u8; num_blocks];
        // SAFETY: handles; both arrays have one item for each block; the representation of no
        // dominator is that of `NONE`.
        unsafe {
            ffi::ptx_dominators_read(
                self.dominators.as_ptr(),
                mf.ptr.as_ptr(),
                out.idom.as_mut_ptr().cast(),
                reachable.as_mut_ptr(),
            );
        }
        out.reachable.clear();
        out.reachable.extend(reachable.iter().map(|&r| r != 0));
    }
}

impl MachineFunction<'_> {
    /// Lists the instructions of a virtual register's defs in the order of LLVM's chain, once for
    /// each operand.
    pub(crate) fn def_chain(self, reg: VRegId, out: &mut Vec<InstrAddress>) {
        let (mf, reg) = (self.ptr.as_ptr(), Register::from(reg).0);
        // SAFETY: handle; the buffer has the capacity that is passed, and an address is one
        // pointer.
        read_list(out, |out, n| unsafe { ffi::ptx_mri_def_chain(mf, reg, out.cast(), n) });
    }
    /// Lists the physical registers that contain a register unit.
    pub fn unit_registers(self, unit: u32) -> Vec<Register> {
        let (mf, mut regs) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut regs, |out, n| unsafe { ffi::ptx_unit_registers(mf, unit, out, n) });
        regs.into_iter().map(Register).collect()
    }
    /// Whether a register unit is reserved.
    pub fn is_reserved_unit(self, unit: u32) -> bool {
        // SAFETY: handle; a unit of the target.
        unsafe { ffi::ptx_unit_is_reserved(self.ptr.as_ptr(), unit) }
    }
}

impl Handles<'_, '_> {
    /// The address of the instruction of an entry.
    pub(crate) fn instr_address(&self, entry: u32) -> InstrAddress {
        InstrAddress(self.heads()[entry as usize])
    }
}
