//! Reads packed operands (`PTX_OP_*` in `cpp-shim/ptxpasses.h`; `src/llvm` checks that both have
//! the same bits).

use super::register::Register;

/// The kinds of operands that the passes distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A register.
    Reg,
    /// An immediate.
    Imm,
    /// A set of physical registers that survive a call.
    RegMask,
    /// Anything else: blocks, symbols, metadata, ...
    Other,
}

/// One operand of a machine instruction, read by value: a later change of the instruction does not
/// change it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand(pub u64);

impl Operand {
    /// Bit positions, shared with the shim.
    pub const KIND_SHIFT: u32 = 0;
    pub(crate) const KIND_MASK: u64 = 0xff;
    /// Sub-register index.
    pub const SUBREG_SHIFT: u32 = 8;
    const SUBREG_MASK: u64 = (1 << 12) - 1;
    /// The use and the def must be the same register.
    pub const TIED_SHIFT: u32 = 20;
    const TIED_MASK: u64 = 0xf;
    /// The operand is a def.
    pub const DEF_SHIFT: u32 = 24;
    /// The operand is implicit.
    pub const IMPLICIT_SHIFT: u32 = 25;
    /// A def that nothing reads, or a last use.
    pub const DEAD_OR_KILL_SHIFT: u32 = 26;
    /// The value read does not matter.
    pub const UNDEF_SHIFT: u32 = 28;
    /// A use of a register that the same bundle defines.
    pub const INTERNAL_READ_SHIFT: u32 = 29;
    /// A def written before all uses are read.
    pub const EARLY_CLOBBER_SHIFT: u32 = 30;
    /// An operand of a debug instruction.
    pub const DEBUG_SHIFT: u32 = 31;
    /// The register, or another 32-bit value.
    pub const VALUE_SHIFT: u32 = 32;

    fn bit(self, shift: u32) -> bool {
        self.0 >> shift & 1 != 0
    }
    fn with(self, shift: u32, value: bool) -> Operand {
        Operand(self.0 & !(1 << shift) | u64::from(value) << shift)
    }
    /// Returns the kind of operand.
    pub fn kind(self) -> Kind {
        match self.0 >> Self::KIND_SHIFT & Self::KIND_MASK {
            0 => Kind::Reg,
            1 => Kind::Imm,
            2 => Kind::RegMask,
            _ => Kind::Other,
        }
    }
    /// Returns whether it is a register operand. The register may be [`Register::NONE`].
    pub fn is_reg(self) -> bool {
        self.kind() == Kind::Reg
    }
    /// Returns whether it is a virtual register.
    pub fn is_virtual(self) -> bool {
        self.is_reg() && self.reg().is_virtual()
    }
    /// Returns the register of a register operand.
    pub fn reg(self) -> Register {
        debug_assert!(self.is_reg());
        Register((self.0 >> Self::VALUE_SHIFT) as u32)
    }
    /// The low 32 bits of an immediate operand.
    pub fn imm_low(self) -> u32 {
        debug_assert!(self.kind() == Kind::Imm);
        (self.0 >> Self::VALUE_SHIFT) as u32
    }
    /// Returns the sub-register index, 0 for the whole register.
    pub fn subreg(self) -> u32 {
        (self.0 >> Self::SUBREG_SHIFT & Self::SUBREG_MASK) as u32
    }
    /// Returns whether it is a register operand that writes.
    pub fn is_def(self) -> bool {
        self.is_reg() && self.bit(Self::DEF_SHIFT)
    }
    /// Returns the position of the only operand that defines a register; `None` if there is none or
    /// more than one. Except in inline assembly it is the first operand.
    pub fn only_def(operands: &[Operand]) -> Option<usize> {
        let mut defs = (0..operands.len()).filter(|&index| operands[index].is_def());
        defs.next().filter(|_| defs.next().is_none())
    }
    /// Returns whether it is a register operand that reads.
    pub fn is_use(self) -> bool {
        self.is_reg() && !self.bit(Self::DEF_SHIFT)
    }
    /// Returns whether it is the last use of the register.
    pub fn is_kill(self) -> bool {
        self.bit(Self::DEAD_OR_KILL_SHIFT) && self.is_use()
    }
    /// Returns whether it is a def that nothing reads.
    pub fn is_dead(self) -> bool {
        self.bit(Self::DEAD_OR_KILL_SHIFT) && self.is_def()
    }
    /// Returns whether the value that it reads does not matter.
    pub fn is_undef(self) -> bool {
        self.bit(Self::UNDEF_SHIFT)
    }
    /// Returns whether it is a def that is written before all uses are read. In
    /// [`super::FunctionFacts`] a use that is tied to such a def has the flag as well.
    pub fn is_early_clobber(self) -> bool {
        self.bit(Self::EARLY_CLOBBER_SHIFT)
    }
    /// Returns whether it names a whole virtual register and is not undefined.
    pub fn is_whole(self) -> bool {
        self.is_virtual() && self.subreg() == 0 && !self.is_undef()
    }
    /// Returns whether it reads a whole virtual register that has a value.
    pub fn reads_whole(self) -> bool {
        self.is_use() && self.is_whole()
    }
    /// Returns whether it is a register operand that is not in the assembly text.
    pub fn is_implicit(self) -> bool {
        self.is_reg() && self.bit(Self::IMPLICIT_SHIFT)
    }
    /// Returns whether it must be the same register as its partner operand.
    pub fn is_tied(self) -> bool {
        self.0 >> Self::TIED_SHIFT & Self::TIED_MASK != 0
    }
    /// Returns whether it is an operand of a debug instruction.
    pub fn is_debug(self) -> bool {
        self.bit(Self::DEBUG_SHIFT)
    }
    /// Returns whether the register's value before the instruction matters
    /// (`MachineOperand::readsReg`). That includes a def of a part of the register.
    pub fn reads(self) -> bool {
        const IGNORED: u64 = 1 << Operand::UNDEF_SHIFT | 1 << Operand::INTERNAL_READ_SHIFT;
        self.0 & IGNORED == 0 && (!self.bit(Self::DEF_SHIFT) || self.subreg() != 0)
    }
    /// Returns the same operand with another register and without a sub-register index.
    pub fn with_reg(self, reg: Register) -> Operand {
        let fields = self.0 & 0xffff_ffff & !(Self::SUBREG_MASK << Self::SUBREG_SHIFT);
        Operand(fields | u64::from(reg.0) << Self::VALUE_SHIFT)
    }
    /// Returns the operand with this sub-register index.
    pub fn of_part(self, subreg: u32) -> Operand {
        let fields = self.0 & !(Self::SUBREG_MASK << Self::SUBREG_SHIFT);
        Operand(fields | (u64::from(subreg) & Self::SUBREG_MASK) << Self::SUBREG_SHIFT)
    }
    /// Returns the same operand, sub-register index included, with another register.
    pub fn renamed(self, reg: Register) -> Operand {
        Operand(self.0 & 0xffff_ffff | u64::from(reg.0) << Self::VALUE_SHIFT)
    }
    /// An implicit def of a whole register, without other flags.
    pub fn implicit_def(reg: Register) -> Operand {
        Operand(u64::from(reg.0) << Self::VALUE_SHIFT)
            .with(Self::DEF_SHIFT, true)
            .with(Self::IMPLICIT_SHIFT, true)
    }
    /// The same def with another dead flag.
    pub fn with_dead(self, dead: bool) -> Operand {
        debug_assert!(self.is_def());
        self.with(Self::DEAD_OR_KILL_SHIFT, dead)
    }
    /// The same register operand with another undef flag.
    pub fn with_undef(self, undef: bool) -> Operand {
        self.with(Self::UNDEF_SHIFT, undef)
    }
    /// The same use with another kill flag.
    pub fn with_kill(self, kill: bool) -> Operand {
        debug_assert!(self.is_use());
        self.with(Self::DEAD_OR_KILL_SHIFT, kill)
    }
}

#[cfg(any(test, fuzzing))]
impl Operand {
    pub(crate) fn test_reg(reg: Register, def: bool, tied: bool) -> Operand {
        let reg = u64::from(reg.0) << Self::VALUE_SHIFT;
        Operand(reg).with(Self::DEF_SHIFT, def).with(Self::TIED_SHIFT, tied)
    }
    pub(crate) fn test_imm(value: u32) -> Operand {
        Operand(u64::from(value) << Self::VALUE_SHIFT | 1 << Self::KIND_SHIFT)
    }
    pub(crate) fn test_block(number: u32) -> Operand {
        Operand(u64::from(number) << Self::VALUE_SHIFT | 3 << Self::KIND_SHIFT)
    }
}

#[cfg(test)]
impl Operand {
    pub(crate) fn test_reg_mask() -> Operand {
        Operand(2 << Self::KIND_SHIFT)
    }
    pub(crate) fn test_symbol() -> Operand {
        Operand(3 << Self::KIND_SHIFT)
    }
    /// The same operand with one more flag, given by its shift.
    pub(crate) fn test_flag(self, shift: u32) -> Operand {
        self.with(shift, true)
    }
    pub(crate) fn test_subreg(self, index: u32) -> Operand {
        Operand(self.0 & !(Self::SUBREG_MASK << Self::SUBREG_SHIFT) | u64::from(index) << Self::SUBREG_SHIFT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap() {
        let op = Operand::test_reg(Register::virt(7), false, true).with_kill(true);
        assert_eq!(op.reg(), Register::virt(7));
        assert!(op.is_use() && op.is_tied() && op.is_kill() && !op.is_dead());
        assert_eq!(op.subreg(), 0);
        let sub = Operand(op.0 | 0xabc << Operand::SUBREG_SHIFT);
        assert_eq!(sub.subreg(), 0xabc);
        assert!(sub.is_tied() && sub.is_use());
        let other = sub.with_reg(Register::virt(9));
        assert_eq!((other.reg(), other.subreg(), other.is_kill()), (Register::virt(9), 0, true));
        assert!(!other.with_kill(false).is_kill());
    }

    #[test]
    fn a_missing_register_is_not_any_kind_of_register() {
        assert!(!Register::NONE.is_virtual() && !Register::NONE.is_physical());
        assert!(Register(3).is_physical() && Register::virt(0).is_virtual());
        assert_eq!(Register::virt(5).virt_index(), 5);
    }
}
