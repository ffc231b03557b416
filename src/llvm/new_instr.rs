//! Describes a new instruction, and inserts it into a function.

use super::ffi;
use super::global::Global;
use super::handles::{MachineBasicBlock, MachineInstr};
use crate::mir::{AddressSpace, Float, Opcode, Register};

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
        /// Whether it is an operand in addition to those of the description.
        is_implicit: bool,
        /// For a use: it is the last one.
        is_kill: bool,
        /// For a def: nothing reads it.
        is_dead: bool,
        /// The value read does not matter.
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
    /// An explicit use of a whole register, without a kill flag.
    pub fn new_use(reg: Register) -> Self {
        Self::reg(reg, false)
    }
    fn to_ffi(self) -> ffi::PtxGivenOperand {
        let mut given = nothing_given();
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

/// An operand with nothing set: the immediate 0.
fn nothing_given() -> ffi::PtxGivenOperand {
    ffi::PtxGivenOperand {
        kind: ffi::PtxGivenKind::PTX_GIVEN_IMM,
        flags: 0,
        reg: 0,
        subreg: 0,
        imm: 0,
        block: std::ptr::null_mut(),
        global: std::ptr::null_mut(),
        symbol: ffi::PtxStr { data: std::ptr::null(), len: 0 },
    }
}

fn float_to_ffi(value: Float) -> ffi::PtxFloatType::Type {
    match value {
        Float::F16(_) => ffi::PtxFloatType::PTX_FLOAT_HALF,
        Float::Bf16(_) => ffi::PtxFloatType::PTX_FLOAT_BFLOAT,
        Float::F32(_) => ffi::PtxFloatType::PTX_FLOAT_SINGLE,
        Float::F64(_) => ffi::PtxFloatType::PTX_FLOAT_DOUBLE,
    }
}

/// The constant with these bits.
///
/// # Panics
/// If the shim names a type that is not in its header.
pub(super) fn float_from_ffi(kind: ffi::PtxFloatType::Type, bits: u64) -> Float {
    match kind {
        ffi::PtxFloatType::PTX_FLOAT_HALF => Float::F16(bits as u16),
        ffi::PtxFloatType::PTX_FLOAT_BFLOAT => Float::Bf16(bits as u16),
        ffi::PtxFloatType::PTX_FLOAT_SINGLE => Float::F32(f32::from_bits(bits as u32)),
        ffi::PtxFloatType::PTX_FLOAT_DOUBLE => Float::F64(f64::from_bits(bits)),
        _ => panic!("the shim names an unknown type of a constant"),
    }
}

/// A memory operand of a new instruction (`MachineMemOperand`): the memory that a load or a store
/// accesses.
///
/// LLVM believes it. An instruction that accesses memory and has no memory operand may access
/// anything, so LLVM moves nothing past it. With a wrong memory operand LLVM moves the instruction
/// past an access to the same place.
#[derive(Clone, Copy)]
#[must_use = "it belongs to an instruction"]
pub struct NewMemory<'f> {
    space: AddressSpace,
    bytes: u64,
    alignment: u64,
    flags: u32,
    place: Option<(Global<'f>, i64)>,
}

impl<'f> NewMemory<'f> {
    fn new(flags: u32, space: AddressSpace, bytes: u64) -> NewMemory<'f> {
        NewMemory { space, bytes, alignment: 1, flags, place: None }
    }
    /// A read of this many bytes. Its place is unknown, and its address need not be aligned.
    pub fn load(space: AddressSpace, bytes: u64) -> NewMemory<'f> {
        NewMemory::new(ffi::PTX_ACCESS_LOAD, space, bytes)
    }
    /// A write of this many bytes, as above.
    pub fn store(space: AddressSpace, bytes: u64) -> NewMemory<'f> {
        NewMemory::new(ffi::PTX_ACCESS_STORE, space, bytes)
    }
    /// The address is a multiple of this many bytes, a power of two.
    pub fn aligned(mut self, bytes: u64) -> NewMemory<'f> {
        self.alignment = bytes;
        self
    }
    /// The place is this many bytes after the start of a global, whose address space it has.
    pub fn at(mut self, global: Global<'f>, offset: i64) -> NewMemory<'f> {
        self.place = Some((global, offset));
        self
    }
    /// It is volatile.
    pub fn volatile(mut self) -> NewMemory<'f> {
        self.flags |= ffi::PTX_ACCESS_VOLATILE;
        self
    }
    /// The memory never changes.
    pub fn invariant(mut self) -> NewMemory<'f> {
        self.flags |= ffi::PTX_ACCESS_INVARIANT;
        self
    }
    /// The address is valid everywhere in the function: LLVM may access it where the code would
    /// not.
    pub fn dereferenceable(mut self) -> NewMemory<'f> {
        self.flags |= ffi::PTX_ACCESS_DEREFERENCEABLE;
        self
    }
    fn to_ffi(self) -> ffi::PtxGivenAccess {
        ffi::PtxGivenAccess {
            size: self.bytes,
            alignment: self.alignment,
            address_space: self.space.number(),
            flags: self.flags,
            global: self.place.map_or(std::ptr::null_mut(), |(global, _)| global.ptr.as_ptr()),
            offset: self.place.map_or(0, |(_, offset)| offset),
        }
    }
}

#[derive(Clone)]
enum Given<'f> {
    Plain(NewOperand<'f>),
    Float(Float),
    Global(Global<'f>, i64),
    Symbol(String),
}

impl Given<'_> {
    /// The operand as the shim takes it, valid while this lives.
    fn to_ffi(&self) -> ffi::PtxGivenOperand {
        let mut given = nothing_given();
        match self {
            Given::Plain(operand) => return operand.to_ffi(),
            &Given::Float(value) => {
                given.kind = ffi::PtxGivenKind::PTX_GIVEN_FLOAT;
                (given.flags, given.imm) = (float_to_ffi(value), value.to_bits() as i64);
            }
            Given::Global(global, offset) => {
                given.kind = ffi::PtxGivenKind::PTX_GIVEN_GLOBAL;
                (given.global, given.imm) = (global.ptr.as_ptr(), *offset);
            }
            Given::Symbol(name) => {
                given.kind = ffi::PtxGivenKind::PTX_GIVEN_SYMBOL;
                given.symbol = super::to_ffi_str(name);
            }
        }
        given
    }
}

/// A new instruction: its opcode, its operands in the order of LLVM's description, its memory
/// operands. The methods are named as in LLVM's `MachineInstrBuilder`. It is not in a block until
/// [`MachineInstr::insert_before`], [`MachineInstr::insert_after`] or [`MachineBasicBlock::insert`]
/// inserts it. [`MachineInstr::change_to`] turns an existing instruction into one like it.
///
/// LLVM adds the description's implicit operands. LLVM's verifier finds operands of a wrong kind or
/// class (`-verify-machineinstrs`, `-NAME-verify`). `llc -stop-after=PASS` prints the operands of
/// an opcode.
///
/// The sum of a register and a global's value, with opcodes of LLVM 22:
///
/// ```no_run
/// use ptxpasses::llvm::{Global, MachineInstr, NewInstr, NewMemory};
/// use ptxpasses::mir::{AddressSpace, Opcode, Register};
///
/// ptxpasses::opcodes! {
///     struct Opcodes {
///         load: Opcode = "LD_i32",
///         add: Opcode = "ADD32rr",
///     }
/// }
///
/// fn plus_global<'f>(opcodes: &Opcodes, before: MachineInstr<'f>, reg: Register, from: Global<'f>) -> Register {
///     let mf = before.function();
///     let [value, sum] = [opcodes.load, opcodes.add].map(|opcode| mf.new_result(opcode));
///     let mut load = NewInstr::new(opcodes.load).add_def(value);
///     // Neither ordered nor atomic, an unsigned number of 32 bits of which all bytes are used.
///     for modifier in [0, 0, i64::from(from.space().number()), 0, 32, -1] {
///         load = load.add_imm(modifier);
///     }
///     // The address, and its offset.
///     load = load.add_global(from, 0).add_imm(0);
///     before.insert_before(load.add_memory(NewMemory::load(from.space(), 4).aligned(from.alignment()).at(from, 0)));
///     before.insert_before(NewInstr::new(opcodes.add).add_def(sum).add_use(reg).add_use(value));
///     mf.clear_kills(reg); // it is read here as well
///     sum
/// }
/// ```
#[derive(Clone)]
#[must_use = "it is in no block before it is inserted"]
pub struct NewInstr<'f> {
    opcode: Opcode,
    operands: Vec<Given<'f>>,
    accesses: Vec<NewMemory<'f>>,
    memory_of: Option<MachineInstr<'f>>,
}

impl<'f> NewInstr<'f> {
    /// Starts with an opcode and no operands.
    pub fn new(opcode: impl Into<Opcode>) -> NewInstr<'f> {
        NewInstr { opcode: opcode.into(), operands: Vec::new(), accesses: Vec::new(), memory_of: None }
    }
    /// Appends a def of a whole register.
    /// [`MachineFunction::new_result`](super::MachineFunction::new_result) makes one for an opcode.
    pub fn add_def(self, reg: Register) -> NewInstr<'f> {
        self.add_operand(NewOperand::new_def(reg))
    }
    /// Appends a use of a whole register, without a kill flag. An earlier last use of the register
    /// may still be flagged as killed: see [kill flags](super#kill-flags).
    pub fn add_use(self, reg: Register) -> NewInstr<'f> {
        self.add_operand(NewOperand::new_use(reg))
    }
    /// Appends uses of whole registers.
    pub fn add_uses(mut self, regs: &[Register]) -> NewInstr<'f> {
        self.operands.extend(regs.iter().map(|&reg| Given::Plain(NewOperand::new_use(reg))));
        self
    }
    /// Appends an immediate.
    pub fn add_imm(self, value: i64) -> NewInstr<'f> {
        self.add_operand(NewOperand::Imm(value))
    }
    /// Appends a floating-point constant.
    pub fn add_float(mut self, value: Float) -> NewInstr<'f> {
        self.operands.push(Given::Float(value));
        self
    }
    /// Appends the address of a global, with an offset in bytes. NVPTX's instructions have a
    /// separate operand for the offset: for those pass 0 here.
    pub fn add_global(mut self, global: Global<'f>, offset: i64) -> NewInstr<'f> {
        self.operands.push(Given::Global(global, offset));
        self
    }
    /// Appends the address of a symbol that is not a global of the module, by the assembler's name.
    pub fn add_symbol(mut self, name: impl Into<String>) -> NewInstr<'f> {
        self.operands.push(Given::Symbol(name.into()));
        self
    }
    /// Appends a block.
    pub fn add_block(self, block: MachineBasicBlock<'f>) -> NewInstr<'f> {
        self.add_operand(NewOperand::Block(block))
    }
    /// Appends an operand: a register with flags, or a part of one.
    pub fn add_operand(mut self, operand: NewOperand<'f>) -> NewInstr<'f> {
        self.operands.push(Given::Plain(operand));
        self
    }
    /// Adds a memory operand.
    pub fn add_memory(mut self, access: NewMemory<'f>) -> NewInstr<'f> {
        self.accesses.push(access);
        self
    }
    /// Gives it the memory operands of another instruction, including atomic ones, before those of
    /// [`NewInstr::add_memory`].
    pub fn add_memory_of(mut self, other: MachineInstr<'f>) -> NewInstr<'f> {
        self.memory_of = Some(other);
        self
    }
    /// Calls `f` with the instruction as the shim takes it.
    fn with_ffi<T>(&self, f: impl FnOnce(&ffi::PtxGivenInstr) -> T) -> T {
        let operands: Vec<_> = self.operands.iter().map(Given::to_ffi).collect();
        let accesses: Vec<_> = self.accesses.iter().map(|access| access.to_ffi()).collect();
        f(&ffi::PtxGivenInstr {
            opcode: self.opcode.number(),
            operands: operands.as_ptr(),
            num_operands: operands.len(),
            accesses: accesses.as_ptr(),
            num_accesses: accesses.len(),
            memory_of: MachineInstr::to_ptr(self.memory_of),
        })
    }
}

impl<'f> MachineBasicBlock<'f> {
    /// Inserts an instruction before `before`, with the debug location of `before`. `None` is the
    /// end of the block; there the new one has no debug location. No analysis is informed.
    ///
    /// # Fatal errors
    /// If `before` is not in this block. If the opcode is neither the target's own nor COPY,
    /// IMPLICIT_DEF or KILL. If the number of explicit operands differs from the description, or a
    /// tied use comes without its def. If a register or a sub-register index is unknown. If a
    /// memory operand has no size, an alignment that is not a power of two, or a global of another
    /// address space. On NVPTX, if a global operand has an offset.
    pub fn insert(self, before: Option<MachineInstr<'f>>, new: NewInstr<'f>) -> MachineInstr<'f> {
        let (block, before) = (self.ptr.as_ptr(), MachineInstr::to_ptr(before));
        // SAFETY: handles of one function. The description lives through the call, and the shim
        // checks the numbers. It returns the instruction it made.
        new.with_ffi(|new| unsafe { MachineInstr::from_ptr(ffi::ptx_mbb_insert_new(block, before, new)) })
            .expect("LLVM made no instruction")
    }
    /// Inserts an instruction, see [`MachineBasicBlock::insert`].
    ///
    /// # Fatal errors
    /// Those of [`MachineBasicBlock::insert`].
    #[deprecated(since = "0.4.0", note = "it goes with 0.5.0: `insert` with a `NewInstr`")]
    pub fn insert_instr(
        self,
        before: Option<MachineInstr<'f>>,
        opcode: impl Into<Opcode>,
        operands: &[NewOperand<'f>],
    ) -> MachineInstr<'f> {
        let new = NewInstr::new(opcode);
        self.insert(before, operands.iter().fold(new, |new, &operand| new.add_operand(operand)))
    }
}

/// # Inserting instructions, and changing one into another
impl<'f> MachineInstr<'f> {
    /// Inserts an instruction before this one, or before its bundle, with this one's debug
    /// location. See [`MachineBasicBlock::insert`].
    ///
    /// # Fatal errors
    /// Those of `insert`, and if this one was erased.
    pub fn insert_before(self, new: NewInstr<'f>) -> MachineInstr<'f> {
        self.block().insert(Some(self), new)
    }
    /// Inserts an instruction after this one, or after its bundle, with this one's debug location.
    /// See [`MachineBasicBlock::insert`]. If this is a PHI, the new one comes after all PHIs and
    /// labels of the block.
    ///
    /// # Fatal errors
    /// Those of `insert`, and if this one was erased.
    pub fn insert_after(self, new: NewInstr<'f>) -> MachineInstr<'f> {
        let mi = self.ptr.as_ptr();
        // SAFETY: handle. The description lives through the call, and the shim checks the numbers.
        // It returns the instruction it made.
        new.with_ffi(|new| unsafe { MachineInstr::from_ptr(ffi::ptx_mi_insert_new_after(mi, new)) })
            .expect("LLVM made no instruction")
    }
    /// Turns this one into an instruction like `new`, without flags. It keeps its results, so `new`
    /// must have none. The operands of `new` come after the results, and its memory operands
    /// replace the old ones.
    ///
    /// # Fatal errors
    /// Those of [`MachineBasicBlock::insert`], with the results counted as operands. If `new` has
    /// an explicit def. If this one was erased, or is part of a bundle.
    pub fn change_to(self, new: NewInstr<'f>) {
        // SAFETY: handle. The description lives through the call, and the shim checks the numbers.
        new.with_ffi(|new| unsafe { ffi::ptx_mi_change_to(self.ptr.as_ptr(), new) });
    }
    /// Inserts an instruction before this one, see [`MachineInstr::insert_before`].
    ///
    /// # Fatal errors
    /// Those of [`MachineInstr::insert_before`].
    #[deprecated(since = "0.4.0", note = "it goes with 0.5.0: `insert_before` with a `NewInstr`")]
    pub fn insert_instr_before(
        self,
        opcode: impl Into<Opcode>,
        operands: &[NewOperand<'f>],
    ) -> MachineInstr<'f> {
        let new = NewInstr::new(opcode);
        self.insert_before(operands.iter().fold(new, |new, &operand| new.add_operand(operand)))
    }
    /// Inserts an instruction of `opcode` before this one, which reads `regs` and, if given, a
    /// constant. Returns its result, a new register.
    ///
    /// # Fatal errors
    /// Those of [`MachineInstr::insert_before`].
    #[deprecated(
        since = "0.4.0",
        note = "it goes with 0.5.0: `insert_before` with a `NewInstr`, and `MachineFunction::new_result`"
    )]
    pub fn insert_operation_before(
        self,
        opcode: impl Into<Opcode>,
        regs: &[Register],
        constant: Option<u32>,
    ) -> Register {
        let opcode = opcode.into();
        let result = self.function().new_result(opcode);
        let new = NewInstr::new(opcode).add_def(result).add_uses(regs);
        self.insert_before(constant.into_iter().fold(new, |new, constant| new.add_imm(constant.into())));
        result
    }
    /// Inserts an instruction of `opcode` after this one, which reads `reg` and a constant. Returns
    /// its result, a new register.
    ///
    /// # Fatal errors
    /// Those of [`MachineInstr::insert_after`].
    #[deprecated(
        since = "0.4.0",
        note = "it goes with 0.5.0: `insert_after` with a `NewInstr`, and `MachineFunction::new_result`"
    )]
    pub fn insert_operation_behind(
        self,
        opcode: impl Into<Opcode>,
        reg: Register,
        constant: u32,
    ) -> Register {
        let opcode = opcode.into();
        let result = self.function().new_result(opcode);
        self.insert_after(NewInstr::new(opcode).add_def(result).add_use(reg).add_imm(constant.into()));
        result
    }
    /// Turns it into an instruction of `opcode` that reads `regs`, without flags.
    ///
    /// # Fatal errors
    /// Those of [`MachineInstr::change_to`].
    #[deprecated(since = "0.4.0", note = "it goes with 0.5.0: `change_to` with a `NewInstr`")]
    pub fn set_operation(self, opcode: impl Into<Opcode>, regs: &[Register]) {
        self.change_to(NewInstr::new(opcode).add_uses(regs));
    }
}
