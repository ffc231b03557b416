//! Declares what the coalescer asks the owner of the function, and how it changes the function.

use super::code::Place;
use super::debug_operands::DebugOperandId;
use super::live_range::RangeRef;
use crate::mir::{BlockId, ClassInfo, InstrId, InstrKind, Operand, RegClassId, Register, VRegId};

/// A change of the function. The owner applies edits in the order in which the coalescer issues
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Makes every operand of `src` one of `dst`.
    Rename {
        /// The register that goes.
        src: VRegId,
        /// The register that stays.
        dst: VRegId,
    },
    /// Makes every operand of `src` one of a physical register.
    RenameToPhys {
        /// The register that goes.
        src: VRegId,
        /// The physical register.
        dst: Register,
    },
    /// Clears the kill flags of all uses of the register.
    ClearKills(VRegId),
    /// Erases the instruction and its slot.
    Erase(InstrId),
    /// Sets or clears the dead flag of a def.
    SetDead(Place, bool),
    /// Sets or clears the undef flag of a register operand.
    SetUndef(Place, bool),
    /// Gives the register another class.
    SetClass(VRegId, RegClassId),
    /// Makes the instruction a COPY, an IMPLICIT_DEF or a KILL. Its operands suit that kind, or
    /// will after later edits.
    SetKind(InstrId, InstrKind),
    /// Removes the operand; the ones after it move up.
    RemoveOperand(Place),
    /// Appends an implicit def of the register.
    AppendImplicitDef(InstrId, Register),
    /// Appends a copy of the operand, which is implicit.
    AppendOperand(InstrId, Place),
    /// Removes the instruction's memory operands.
    DropMemRefs(InstrId),
    /// Makes a register of the class of `of`.
    CloneReg {
        /// A register.
        of: VRegId,
        /// The new register, which has the next number.
        new: VRegId,
    },
    /// Marks an operand: the next `MoveMarked` makes it one of the register.
    Mark(Place, VRegId),
    /// Marks an operand of a debug instruction in the same way.
    MarkDebug(DebugOperandId, VRegId),
    /// Moves the marked operands, all of this register, in the order of its chain.
    MoveMarked(VRegId),
    /// Makes the debug instruction of this operand undef.
    DebugUndef(DebugOperandId),
    /// Removes the instruction's def of a physical register from the register's live range.
    RemovePhysDef(InstrId, Register),
    /// Adds the instruction's dead def of a physical register to the live ranges of the register's
    /// units.
    AddPhysDef(InstrId, Register),
    /// Does the same, but only to ranges that are already computed.
    AddKnownPhysDef(InstrId, Register),
    /// Gives the instruction another opcode with as many operands.
    SetOpcode(InstrId, u32),
    /// Gives an immediate operand another value.
    SetImm(Place, u32),
}

/// An opcode that does the same as another one with registers of another class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin {
    /// The opcode's number.
    pub opcode: u32,
    /// Bit `k` is set if operand `k` has the other class.
    pub operands: u64,
}

/// The owner of the function. A query about an instruction sees all earlier edits; so does a change
/// that returns something.
pub trait CoalescerHost {
    /// The class of a register when the function was read.
    fn class_of(&mut self, reg: VRegId) -> RegClassId;
    /// The largest class whose registers are in both classes.
    fn common_sub_class(&mut self, a: RegClassId, b: RegClassId) -> Option<RegClassId>;
    /// Reads [`ClassInfo`].
    fn class_info(&mut self, class: RegClassId) -> ClassInfo;
    /// Asks the target whether the registers of `copy`, of these classes, may become one of class
    /// `new`.
    fn should_coalesce(&mut self, copy: InstrId, src: RegClassId, dst: RegClassId, new: RegClassId) -> bool;
    /// The opcode of an instruction.
    fn opcode(&mut self, instr: InstrId) -> u32;
    /// The name of an opcode.
    fn opcode_name(&mut self, opcode: u32) -> String;
    /// Finds the opcode that prints like this one except for the type, and has class `to` where
    /// this one has `from`. Only loads, stores, selects and shuffles have one.
    fn twin(&mut self, opcode: u32, from: RegClassId, to: RegClassId) -> Option<Twin>;
    /// Whether two instructions differ in nothing but the virtual registers that they define.
    fn computes_the_same(&mut self, a: InstrId, b: InstrId) -> bool;
    /// Whether remarks on remaining copies are wanted.
    fn wants_missed(&mut self) -> bool;
    /// Emits a missed remark of the NVPTX coalescer on a remaining copy.
    fn missed(&mut self, copy: InstrId, name: &str, why: &str);
    /// Changes the function.
    fn edit(&mut self, edit: Edit);
    /// Asks for `isAsCheapAsAMove`.
    fn is_cheap(&mut self, instr: InstrId) -> bool;
    /// Asks for `isCommutable`.
    fn is_commutable(&mut self, instr: InstrId) -> bool;
    /// The kind of an instruction.
    fn kind(&mut self, instr: InstrId) -> InstrKind;
    /// Asks for `isReMaterializable`, `isTriviallyReMaterializable` up to LLVM 21.
    fn is_rematerializable(&mut self, instr: InstrId) -> bool;
    /// Asks for `isSafeToMove`, with no store in the way.
    fn is_safe_to_move(&mut self, instr: InstrId) -> bool;
    /// Asks for `isSafeToMove`, with stores in the way.
    fn is_safe_to_move_past_stores(&mut self, instr: InstrId) -> bool;
    /// How many operands the opcode's description has.
    fn num_described_operands(&mut self, instr: InstrId) -> u32;
    /// How many defs the opcode's description has.
    fn num_described_defs(&mut self, instr: InstrId) -> u32;
    /// The class that the opcode's description wants of operand 0.
    fn def_class(&mut self, instr: InstrId) -> Option<RegClassId>;
    /// Whether a landing pad follows the block.
    fn has_eh_pad_successor(&mut self, block: BlockId) -> bool;
    /// Whether the block is a landing pad or the target of an INLINEASM_BR.
    fn is_special_target(&mut self, block: BlockId) -> bool;
    /// Whether an instruction is a terminator.
    fn is_terminator(&mut self, instr: InstrId) -> bool;
    /// Rematerialises `def` after `copy`, to `dst`, as the instruction `new`, and reads its
    /// operands. It takes over the slot and the debug location of the copy.
    fn rematerialize(
        &mut self,
        def: InstrId,
        copy: InstrId,
        dst: Register,
        new: InstrId,
        operands: &mut Vec<Operand>,
    );
    /// Moves the debug values of `from`, which nothing else reads, to `to`, after `instr`.
    fn move_debug_values(&mut self, from: VRegId, to: Register, instr: InstrId);
    /// Whether a class has a physical register.
    fn class_contains(&mut self, class: RegClassId, phys: Register) -> bool;
    /// Whether a physical register is reserved.
    fn is_reserved(&mut self, phys: Register) -> bool;
    /// Whether a physical register always has the same value.
    fn is_constant(&mut self, phys: Register) -> bool;
    /// Whether two registers are the same or share a part.
    fn regs_overlap(&mut self, a: Register, b: Register) -> bool;
    /// Lists the units of a physical register.
    fn units(&mut self, phys: Register) -> Vec<u32>;
    /// Lists the roots of a register unit: the registers without sub-registers that it is part of.
    fn unit_roots(&mut self, unit: u32) -> Vec<Register>;
    /// Whether the range of `reg` overlaps that of a register unit. `slots`: LLVM's, by entry.
    fn overlaps_unit(&mut self, reg: VRegId, range: RangeRef, slots: &[u64], unit: u32) -> bool;
    /// Whether a register mask clobbers a physical register where `reg`, of this range, is live.
    fn mask_clobbers(&mut self, reg: VRegId, range: RangeRef, slots: &[u64], phys: Register) -> bool;
    /// Inserts `new`, a copy to register `regs.0` from `regs.1` with the debug location of `like`,
    /// before an instruction or at the end of the block. Returns its slot in LLVM.
    fn insert_copy(
        &mut self,
        new: InstrId,
        like: InstrId,
        block: BlockId,
        before: Option<InstrId>,
        regs: (VRegId, VRegId),
        operands: &mut Vec<Operand>,
    ) -> u64;
    /// Finds an operand that commutes with operand `a`.
    fn commutes_with(&mut self, instr: InstrId, a: u32) -> Option<u32>;
    /// Commutes two operands. Returns false if the target does not.
    fn commute(&mut self, instr: InstrId, a: u32, b: u32, operands: &mut Vec<Operand>) -> bool;
    /// The def operand that a use is tied to, or the use that a def is tied to.
    fn tied_operand(&mut self, instr: InstrId, index: u32) -> u32;
    /// Asks for `canFoldAsLoad`.
    fn can_fold_as_load(&mut self, instr: InstrId) -> bool;
    /// Folds `load` into its reader, where these operands read what it loads. The instruction `new`
    /// takes the reader's place. Returns false if the target does not fold.
    fn fold_load(
        &mut self,
        reader: InstrId,
        read: &[u32],
        load: InstrId,
        new: InstrId,
        operands: &mut Vec<Operand>,
    ) -> bool;
    /// Gives a register the largest class that its operands allow (`recomputeRegClass`). Returns
    /// whether that is a change.
    fn recompute_class(&mut self, reg: VRegId) -> bool;
    /// Asks for `isIgnorableUse`: whether an instruction may move although this operand reads a
    /// physical register.
    fn is_ignorable_use(&mut self, instr: InstrId, index: u32) -> bool;
}
