//! Inserts an instruction of any opcode.

use super::ffi;
use super::handles::{MachineBasicBlock, MachineInstr};
use crate::mir::Register;

/// An operand of a new instruction.
#[derive(Clone, Copy)]
pub enum NewOperand<'f> {
    /// A register, or a part of one.
    Reg {
        /// The register; [`Register::NONE`] where the opcode allows that.
        reg: Register,
        /// The index of the part; 0 is the whole register.
        subreg: u32,
        /// Whether it is written.
        is_def: bool,
        /// Whether it is an operand beside those of the description.
        is_implicit: bool,
        /// Of a use: it is the last one.
        is_kill: bool,
        /// Of a def: nothing reads it.
        is_dead: bool,
        /// The value that is read does not matter.
        is_undef: bool,
    },
    /// An immediate.
    Imm(i64),
    /// A block.
    Block(MachineBasicBlock<'f>),
}

impl NewOperand<'_> {
    fn reg(reg: Register, is_def: bool) -> Self {
        NewOperand::Reg {
            reg,
            subreg: 0,
            is_def,
            is_implicit: false,
            is_kill: false,
            is_dead: false,
            is_undef: false,
        }
    }
    /// An explicit def of a whole register.
    pub fn new_def(reg: Register) -> Self {
        Self::reg(reg, true)
    }
    /// An explicit use of a whole register, which is not said to be its last.
    pub fn new_use(reg: Register) -> Self {
        Self::reg(reg, false)
    }
    fn to_ffi(self) -> ffi::PtxGivenOperand {
        let mut given = ffi::PtxGivenOperand {
            kind: ffi::PtxGivenKind::PTX_GIVEN_IMM,
            flags: 0,
            reg: 0,
            subreg: 0,
            imm: 0,
            block: std::ptr::null_mut(),
        };
        match self {
            NewOperand::Imm(value) => given.imm = value,
            NewOperand::Block(block) => {
                given.kind = ffi::PtxGivenKind::PTX_GIVEN_BLOCK;
                given.block = block.ptr.as_ptr();
            }
            NewOperand::Reg { reg, subreg, is_def, is_implicit, is_kill, is_dead, is_undef } => {
                given.kind = ffi::PtxGivenKind::PTX_GIVEN_REG;
                (given.reg, given.subreg) = (reg.0, subreg);
                let flags = [
                    (is_def, ffi::PTX_GIVEN_DEF),
                    (is_implicit, ffi::PTX_GIVEN_IMPLICIT),
                    (is_kill, ffi::PTX_GIVEN_KILL),
                    (is_dead, ffi::PTX_GIVEN_DEAD),
                    (is_undef, ffi::PTX_GIVEN_UNDEF),
                ];
                given.flags = flags.into_iter().filter(|f| f.0).fold(0, |flags, f| flags | f.1);
            }
        }
        given
    }
}

impl<'f> MachineBasicBlock<'f> {
    /// Inserts an instruction before `before`, with its debug location; `None` is the end of the block, where the new one has no debug
    /// location. The description's own implicit operands are added. Nothing is said to an analysis.
    ///
    /// # Fatal errors
    /// If `before` is not in this block; if the opcode is neither the target's own nor COPY, IMPLICIT_DEF or KILL; if the explicit
    /// operands are not as many as its description has, or a use of a tied pair comes without a def; if a register or the index of a
    /// part is unknown. Operands of a wrong kind or class are for LLVM's verifier to find (`-verify-machineinstrs`).
    pub fn insert_instr(
        self,
        before: Option<MachineInstr<'f>>,
        opcode: u32,
        operands: &[NewOperand<'f>],
    ) -> MachineInstr<'f> {
        let given: Vec<_> = operands.iter().map(|operand| operand.to_ffi()).collect();
        let (block, before) = (self.ptr.as_ptr(), MachineInstr::to_ptr(before));
        // SAFETY: handles of one function; the operands live through the call, and the shim checks the numbers; it returns
        // the instruction it made.
        unsafe {
            let made = ffi::ptx_mbb_insert_instr(block, before, opcode, given.as_ptr(), given.len());
            MachineInstr::from_ptr(made)
        }
        .expect("LLVM made no instruction")
    }
}

impl<'f> MachineInstr<'f> {
    /// Inserts an instruction before this one, or before its bundle: see [`MachineBasicBlock::insert_instr`].
    ///
    /// # Fatal errors
    /// As there, and if this one was erased.
    pub fn insert_instr_before(self, opcode: u32, operands: &[NewOperand<'f>]) -> MachineInstr<'f> {
        self.block().insert_instr(Some(self), opcode, operands)
    }
}
