//! A function in SSA form as `fold-addresses`, `induction`, `hoist` and `remat` see it: its instructions by number, and which of them do
//! nothing but compute.
//!
//! **Problem.** These stages move computations or repeat them. Which may be, and what costs no register, is a question of the opcode, and
//! opcodes have other numbers in every LLVM version.
//!
//! **Algorithm.** The function is read when a stage needs it and one in front has changed it. An opcode is classified when it is met
//! first, by its name and by what LLVM says of the instruction.
//!
//! **Source.** As for moves, in [`crate::nvptx::moves`]. **Deviation:** none of the reference texts has these stages.
//!
//! **Complexity.** Linear in instructions.

use crate::llvm::{FunctionReader, Handles, MachineFunction, MachineInstr};
use crate::nvptx::arithmetic::{kind, Arithmetic, Kind as AddressKind};
use crate::nvptx::moves::{classify, ByOpcode, Family};
use crate::ssa::SsaFacts;

/// What an opcode is. All but the address of a space and inline assembly do nothing but compute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One instruction of ptxas's, or none, of integers.
    Cheap,
    /// It computes one predicate.
    Tests,
    /// It compares floats, for one predicate.
    TestsFloats,
    /// It compares, and computes more.
    Compares,
    /// It makes a constant.
    Constant,
    /// It computes what ptxas has a routine for, which it calls.
    Routine,
    /// It computes something else.
    Other,
    /// It says that an address is of another space. LLVM takes it for more than a computation.
    AddressSpace,
    /// Inline assembly.
    Assembly,
}

/// When all threads of a block have the same of what an opcode computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Always,
    /// If they have the same of what it reads.
    OfRead,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Snapshot {
    reader: FunctionReader,
    facts: SsaFacts,
    kinds: ByOpcode<Kind>,
    address_kinds: ByOpcode<AddressKind>,
    sharing: ByOpcode<Sharing>,
    /// By instruction, what is known of [`Instrs::is_uniform`].
    uniform: Vec<Option<bool>>,
    /// The function is as it was read.
    is_current: bool,
}

impl Snapshot {
    /// There is another function, or it has changed.
    pub fn forget(&mut self) {
        self.is_current = false;
    }
    /// A function of several blocks in SSA form, of NVPTX; none if it is not.
    pub fn of_blocks<'a, 'f>(
        &'a mut self,
        mf: MachineFunction<'f>,
    ) -> Option<(&'a SsaFacts, Instrs<'a, 'f>)> {
        mf.blocks().nth(1)?;
        self.of(mf)
    }
    /// A function in SSA form, of NVPTX; none if it is not.
    pub fn of<'a, 'f>(&'a mut self, mf: MachineFunction<'f>) -> Option<(&'a SsaFacts, Instrs<'a, 'f>)> {
        if !mf.is_nvptx() || !mf.is_ssa() {
            return None;
        }
        let Snapshot { reader, facts, kinds, address_kinds, sharing, uniform, is_current } = self;
        if !*is_current {
            facts.read(|facts| reader.read_all(mf, facts));
            uniform.clear();
            uniform.resize(facts.num_instrs(), None);
            *is_current = true;
        }
        Some((facts, Instrs { handles: reader.handles(mf), facts, kinds, address_kinds, sharing, uniform }))
    }
}

/// The instructions of a function that was read.
pub struct Instrs<'a, 'f> {
    handles: Handles<'a, 'f>,
    facts: &'a SsaFacts,
    kinds: &'a ByOpcode<Kind>,
    address_kinds: &'a ByOpcode<AddressKind>,
    sharing: &'a ByOpcode<Sharing>,
    uniform: &'a mut [Option<bool>],
}

impl<'a, 'f> Instrs<'a, 'f> {
    /// The function.
    pub fn function(&self) -> MachineFunction<'f> {
        self.handles.function()
    }
    /// The instruction of this number.
    pub fn instr(&self, instr: u32) -> MachineInstr<'f> {
        self.handles.instr_of(&self.facts.block_of, instr)
    }
    /// The instructions themselves.
    pub fn handles(&self) -> Handles<'a, 'f> {
        self.handles
    }
    /// What opcodes are to addresses.
    pub fn address_kinds(&self) -> &'a ByOpcode<AddressKind> {
        self.address_kinds
    }
    /// Whether what an instruction defines is there without a register: a constant, or a parameter, maybe as an address of another space.
    pub fn is_free(&self, instr: u32) -> bool {
        let mut mi = self.instr(instr);
        while self.kind(mi) == Some(Kind::AddressSpace) {
            let address = mi.operand(1);
            let def = if address.is_virtual() { self.function().def(address.reg()) } else { None };
            let Some(def) = def else { return false };
            mi = def.instr;
        }
        self.kind(mi) == Some(Kind::Constant) || mi.loads_parameter()
    }
    /// Whether all threads of a block have the same of what an instruction defines, and ptxas sees that, which has registers of their own for
    /// such integers: it is computed of constants, parameters and numbers of blocks.
    pub fn is_uniform(&mut self, instr: u32) -> bool {
        self.is_uniform_at(instr, 0)
    }
    fn is_uniform_at(&mut self, instr: u32, depth: u32) -> bool {
        if let Some(known) = self.uniform[instr as usize] {
            return known;
        }
        let mi = self.instr(instr);
        let mf = self.function();
        let of_opcode = || sharing(&mf.opcode_name(mi.opcode()), address_kind(self.address_kinds, mf, mi));
        let is_uniform = match self.sharing.of(mi.opcode(), of_opcode) {
            Some(Sharing::Always) => true,
            Some(Sharing::OfRead) if depth < MOST_DEPTH => {
                let facts = self.facts;
                let mut read = facts.operands(instr as usize).iter().filter(|o| o.is_virtual() && o.is_use());
                read.all(|o| {
                    let def = facts.def[o.reg().virt_index()];
                    def != u32::MAX && self.is_uniform_at(def, depth + 1)
                })
            }
            _ => self.is_free(instr),
        };
        self.uniform[instr as usize] = Some(is_uniform);
        is_uniform
    }
    /// What an instruction is; none of [`Kind`] if it has effects.
    pub fn kind(&self, mi: MachineInstr) -> Option<Kind> {
        let mf = self.function();
        self.kinds.of(mi.opcode(), || what(mf, mi, address_kind(self.address_kinds, mf, mi)))
    }
}

/// What instructions of integers begin with that are no [`AddressKind::Arithmetic`].
const INTEGER: [&str; 20] = [
    "ABS_S", "AND", "BFE_", "CLZ", "INEG", "MULT", "NEG_S", "NOT", "OR", "POPC", "PRMT", "SELP_", "SETP_",
    "SHL", "SMAX", "SMIN", "SRA", "SRL", "UM", "XOR",
];
/// What numbers begin with that all threads of a block share.
const OF_BLOCK: [&str; 3] = ["CTAID", "NCTAID", "NTID"];
/// Longer chains are not followed.
const MOST_DEPTH: u32 = 16;

/// What an instruction is to addresses.
pub fn address_kind(
    kinds: &ByOpcode<AddressKind>,
    mf: MachineFunction,
    mi: MachineInstr,
) -> Option<AddressKind> {
    kinds.of(mi.opcode(), || kind(&mf.opcode_name(mi.opcode())))
}

fn sharing(name: &str, address: Option<AddressKind>) -> Option<Sharing> {
    if let Some(number) = name.strip_prefix("INT_PTX_SREG_") {
        return OF_BLOCK.iter().any(|b| number.starts_with(b)).then_some(Sharing::Always);
    }
    let computes = match address {
        Some(AddressKind::Arithmetic(Arithmetic::Thread(_) | Arithmetic::Lane, _)) => false,
        Some(AddressKind::Arithmetic(..)) => true,
        _ => INTEGER.iter().any(|prefix| name.starts_with(prefix)),
    };
    computes.then_some(Sharing::OfRead)
}

/// Whether ptxas calls a routine for what is of this name: exact quotients, reciprocals and square roots, and quotients of 64 bits.
fn is_routine(name: &str) -> bool {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    begins(&["FDIV64", "FRCP64", "INT_NVVM_DIV_R", "INT_NVVM_RCP_R", "INT_NVVM_SQRT_R"])
        || begins(&["FDIV32", "FRCP32"]) && name.contains("prec")
        || begins(&["SDIV", "UDIV", "SREM", "UREM"]) && name.contains("64")
}

fn what(mf: MachineFunction, mi: MachineInstr, address: Option<AddressKind>) -> Option<Kind> {
    use Arithmetic::*;
    let name = mf.opcode_name(mi.opcode());
    if name.starts_with("cvta_") {
        return Some(Kind::AddressSpace);
    }
    if name.starts_with("INLINEASM") {
        return Some(Kind::Assembly);
    }
    if !mi.only_computes() {
        return None;
    }
    // A copy is of any class.
    let result = (name != "COPY" && mi.num_described_defs() == 1).then(|| mi.operand(0));
    Some(if classify(&name).is_some_and(|e| e.family == Family::Immediate) {
        Kind::Constant
    } else if result.is_some_and(|r| r.is_virtual() && mf.class_bits(r.reg()) == 1) {
        let compares = name.strip_prefix("SETP_");
        if compares.is_some_and(|types| types.starts_with('f') || types.starts_with("bf")) {
            Kind::TestsFloats
        } else {
            Kind::Tests
        }
    } else if name.starts_with("SETP_") {
        Kind::Compares
    } else if is_routine(&name) {
        Kind::Routine
    } else {
        match address {
            Some(AddressKind::Arithmetic(
                Add | Sub | Or | Xor | And | Shl | Shr | Mul | MulWide(_) | Extend(_) | Truncate,
                _,
            )) => Kind::Cheap,
            _ => Kind::Other,
        }
    })
}
