// bindgen's output for cpp-shim/ptxpasses_machine_records.h; PTX_UPDATE_RECORDS=1 renews it.
use super::record_ids::*;

pub const PTX_UNUSED_VALUE: u32 = 4294967295;
pub const PTX_VAR_NAMED: u8 = 1;
pub const PTX_VAR_GLOBAL: u8 = 2;
pub const PTX_VAR_DEFINED: u8 = 4;
pub const PTX_VAR_MANY_DEFS: u8 = 8;
#[repr(u8)]
/** The slots of an entry, in order. A slot is four times the entry, the
 position in the row that `ptx_slots_read` gives, plus one of these.*/
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub enum PtxSlotKind {
    /// Boundary of a block, and def of a PHI-def.
    Block = 0,
    /// Early-clobber def, and use tied to one.
    EarlyClobber = 1,
    /// Any other def or use.
    Register = 2,
    /// End of a def that nothing reads.
    Dead = 3,
}
/// Value number `value` is live from `start` up to but excluding `end`.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxSegment {
    /// First slot.
    pub start: PtxSlot,
    /// First slot after the segment.
    pub end: PtxSlot,
    /// The number of the value.
    pub value: PtxValueNo,
}
/// One register's values and segments, as slices of two arrays.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxLiveRange {
    /// Virtual register index, or register unit.
    pub owner: u32,
    /// First value; the array has the slot of its def.
    pub first_value: u32,
    /// How many there are.
    pub num_values: u32,
    /// First segment.
    pub first_segment: u32,
    /// How many there are.
    pub num_segments: u32,
}
/// A stretch of one register within one block.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxPiece {
    /// The block; `None` if the register's piece is not known yet.
    pub block: PtxOptBlockId,
    /// The def, or the start of the block.
    pub start: PtxSlot,
    /// The last use so far, or the dead slot of a def that is not read.
    pub end: PtxSlot,
    /// The first operand that reads at the end; `None` if nothing does.
    pub reader: PtxOptReader,
}
/** The contents of LLVM's VarInfo for a global register: slices of arrays of
 blocks and of kills.*/
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxVarInfo {
    /// Virtual register index.
    pub reg: u32,
    /// First block; block numbers, ascending.
    pub first_alive: u32,
    /// How many blocks.
    pub num_alive: u32,
    /// First kill; entries of instructions.
    pub first_kill: u32,
    /// How many kills.
    pub num_kills: u32,
}
/// The description of an opcode (MCInstrDesc).
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxOpcodeFacts {
    /// `MCInstrDesc::getFlags`
    pub flags: u64,
    /// `TSFlags`
    pub target_flags: u64,
    /// How many operands it has.
    pub num_operands: u32,
    /// Every target has it.
    pub is_generic: bool,
}
/// An operand of a description.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxOpcodeOperand {
    /// Its register class, if it has one.
    pub reg_class: PtxOptRegClassId,
    /// Size in bits of a register of that class.
    pub class_bits: u32,
    /// `MCOI::OperandType`
    pub operand_type: u8,
}
/// The only memory operand of an instruction.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxMemOperand {
    /// Its address space.
    pub address_space: u32,
    /// The memory never changes.
    pub is_invariant: bool,
    /// It refers to a value of the IR.
    pub has_value: bool,
}
