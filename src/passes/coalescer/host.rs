//! What the coalescer asks of the function's owner, and what it does to the function.

use super::code::Place;
use super::live_range::RangeRef;
use crate::mir::{InstrFlags, Operand, Register};

/// A change, in the coalescer's order. Instructions and registers are numbers of [`super::code::Code`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Every operand of `src` becomes one of `dst`.
    Rename {
        /// Register.
        src: u32,
        /// Register.
        dst: u32,
    },
    /// The same for a physical register; nothing tracks its kills.
    RenameToPhys {
        /// Register.
        src: u32,
        /// Register.
        dst: Register,
    },
    /// The instruction goes, and its slot.
    Erase(u32),
    /// Flag of a def.
    SetDead(Place, bool),
    /// Flag of a use.
    SetUndef(Place),
    /// Register `.0` has class `.1`.
    SetClass(u32, u32),
    /// A COPY becomes an IMPLICIT_DEF.
    ToImplicitDef(u32),
    /// Register `new` is made, of the class of `of`.
    CloneReg {
        /// Register.
        of: u32,
        /// The next number.
        new: u32,
    },
    /// At the next `MoveMarked` the operand becomes one of register `.1`.
    Mark(Place, u32),
    /// The same for an operand of a debug instruction, by position in `Code::debug`.
    MarkDebug(u32, u32),
    /// The marked operands, all of this register, move in the order of its chain.
    MoveMarked(u32),
    /// The debug value, by position of an operand in `Code::debug`, is of nothing.
    DebugUndef(u32),
    /// The def of a physical register by the instruction does not count any more.
    RemovePhysDef(u32, Register),
    /// The instruction defines a physical register, dead.
    AddPhysDef(u32, Register),
    /// The instruction becomes a KILL of the physical registers that it names.
    ToKill(u32),
    /// The instruction, which defines and reads one register each, becomes a COPY.
    ToCopy(u32),
    /// The instruction `.0` has opcode `.1`, with as many operands.
    SetOpcode(u32, u32),
    /// An operand that is an immediate.
    SetImm(Place, u32),
}

/// An opcode that does the same with registers of another class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin {
    /// Its number.
    pub opcode: u32,
    /// Bit `k`: operand `k` is of the other class.
    pub operands: u64,
}

/// What RegisterClassInfo says of a class.
#[derive(Clone, Copy)]
pub struct ClassInfo {
    /// How many of its registers may be allocated.
    pub num_allocatable: u32,
    /// A larger class has more.
    pub is_proper_sub_class: bool,
    /// The size of its registers.
    pub bits: u32,
}

/// What is asked of few instructions.
#[derive(Clone, Copy, Default)]
pub struct Properties {
    /// `isTriviallyReMaterializable`; `isReMaterializable` since LLVM 22.
    pub is_rematerializable: bool,
    /// `isSafeToMove`, with no store before it.
    pub is_safe_to_move: bool,
    /// Its description has one def.
    pub has_one_def: bool,
    /// `isSafeToMove`, with stores before it.
    pub is_safe_to_move_past_stores: bool,
    /// INLINEASM
    pub is_inline_asm: bool,
}

/// The owner of the function. What asks of an instruction, or changes one and answers, sees all edits that
/// were made before.
pub trait CoalescerHost {
    /// The class that a register was read with.
    fn class_of(&mut self, reg: u32) -> u32;
    /// The class of what both classes have; none if that is nothing.
    fn common_sub_class(&mut self, a: u32, b: u32) -> Option<u32>;
    /// See [`ClassInfo`].
    fn class_info(&mut self, class: u32) -> ClassInfo;
    /// The target's say on joining the registers of a copy, of these classes, to one of a third.
    fn should_coalesce(&mut self, copy: u32, src: u32, dst: u32, new: u32) -> bool;
    /// The opcode of an instruction.
    fn opcode(&mut self, instr: u32) -> u32;
    /// Its name.
    fn opcode_name(&mut self, opcode: u32) -> String;
    /// The opcode that prints as this one but for the type, and has class `to` where that has `from`; only of loads,
    /// stores, selects and shuffles.
    fn twin(&mut self, opcode: u32, from: u32, to: u32) -> Option<Twin>;
    /// Whether two instructions differ in nothing but the virtual registers that they define.
    fn computes_the_same(&mut self, a: u32, b: u32) -> bool;
    /// Whether somebody wants to know of copies that are left.
    fn wants_missed(&mut self) -> bool;
    /// A remark of the NVPTX coalescer on a copy that is left.
    fn missed(&mut self, copy: u32, name: &str, why: &str);
    /// A change.
    fn edit(&mut self, edit: Edit);
    /// `isAsCheapAsAMove`
    fn is_cheap(&mut self, instr: u32) -> bool;
    /// `isCommutable`
    fn is_commutable(&mut self, instr: u32) -> bool;
    /// See [`Properties`].
    fn properties(&mut self, instr: u32) -> Properties;
    /// Whether a landing pad follows the block.
    fn has_eh_pad_successor(&mut self, block: u32) -> bool;
    /// Whether the block is a landing pad or the target of an INLINEASM_BR.
    fn is_special_target(&mut self, block: u32) -> bool;
    /// Whether it is a terminator.
    fn is_terminator(&mut self, instr: u32) -> bool;
    /// Computes `def` again behind `copy`, which goes, to register `dst`, which if it is virtual is of class
    /// `class` at most then; the new instruction is `new`. Its flags and operands; none if the class does not
    /// fit.
    fn rematerialize(
        &mut self,
        def: u32,
        copy: u32,
        dst: Register,
        class: Option<u32>,
        new: u32,
        operands: &mut Vec<Operand>,
    ) -> Option<InstrFlags>;
    /// Debug values of `from`, which nothing else reads, become those of `to`, behind `instr`.
    fn move_debug_values(&mut self, from: u32, to: Register, instr: u32);
    /// Whether the class of a virtual register has a physical one.
    fn class_contains(&mut self, reg: u32, phys: Register) -> bool;
    /// Whether what `instr` defines can be a physical register.
    fn can_define(&mut self, instr: u32, phys: Register) -> bool;
    /// Whether a physical register may not be allocated.
    fn is_reserved(&mut self, phys: Register) -> bool;
    /// Whether a physical register has one value always.
    fn is_constant(&mut self, phys: Register) -> bool;
    /// Whether something defines or clobbers a reserved register, or not all that it has in common with others is
    /// reserved, while `reg`, of this range, is live. `slots`: LLVM's, by entry.
    fn reserved_interferes(&mut self, reg: u32, range: RangeRef, slots: &[u64], phys: Register) -> bool;
    /// Whether an instruction behind `def` and before `copy`, in one block, reads a physical register.
    fn is_read_between(&mut self, def: u32, copy: u32, phys: Register) -> bool;
    /// Inserts `new`, a copy of register `.1` to `.0` with the debug location of `like`, before an instruction
    /// or at the end of the block; its slot, as LLVM has it.
    fn insert_copy(
        &mut self,
        new: u32,
        like: u32,
        block: u32,
        before: Option<u32>,
        regs: (u32, u32),
        operands: &mut Vec<Operand>,
    ) -> u64;
    /// Finds an operand that commutes with operand `a`.
    fn commutes_with(&mut self, instr: u32, a: u32) -> Option<u32>;
    /// Commutes two operands; false if the target does not.
    fn commute(&mut self, instr: u32, a: u32, b: u32, operands: &mut Vec<Operand>) -> bool;
    /// The def operand that the use `index` is tied to, or the use that the def is tied to.
    fn tied_operand(&mut self, instr: u32, index: u32) -> u32;
    /// `canFoldAsLoad`
    fn can_fold_as_load(&mut self, instr: u32) -> bool;
    /// Folds `load`, which defines `reg`, into its reader, whose place the instruction `new` gets; false if the
    /// target does not.
    fn fold_load(&mut self, reader: u32, load: u32, reg: u32, new: u32, operands: &mut Vec<Operand>) -> bool;
    /// `recomputeRegClass`: whether the register has a larger class now.
    fn recompute_class(&mut self, reg: u32) -> bool;
    /// Whether an operand that reads a physical register does not keep an instruction where it is.
    fn is_ignorable_use(&mut self, instr: u32, index: u32) -> bool;
}
