//! The stage on LLVM's function.

use super::{Costs, Hoisting, BITS};
use crate::llvm::{FunctionReader, Handles, MachineFunction, MachineInstr};
use crate::mir::{FunctionFacts, Register};
use crate::nvptx_coalescer::opcodes::{classify, ByOpcode, Family};
use crate::stats::Counters;

/// What an opcode is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It computes something of registers.
    Computes,
    /// It makes a constant.
    Constant,
    /// It says that an address is of another space. LLVM takes it for more than a computation.
    AddressSpace,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Hoist {
    reader: FunctionReader,
    facts: FunctionFacts,
    hoisting: Hoisting,
    kinds: ByOpcode<Kind>,
    moves: Vec<(u32, u32)>,
    /// By instruction, the block where it was at first.
    block_of: Vec<u32>,
}

struct Target<'a, 'f> {
    handles: Handles<'a, 'f>,
    kinds: &'a mut ByOpcode<Kind>,
    block_of: &'a [u32],
}

impl<'f> Target<'_, 'f> {
    fn instr(&self, instr: u32) -> MachineInstr<'f> {
        self.handles.instr_of(self.block_of, instr)
    }
    fn kind(&mut self, mi: MachineInstr) -> Option<Kind> {
        let (mf, opcode) = (self.handles.function(), mi.opcode());
        self.kinds.of(opcode, || {
            let name = mf.opcode_name(opcode);
            if name.starts_with("cvta_") {
                return Some(Kind::AddressSpace);
            }
            let is_constant = classify(&name).is_some_and(|e| e.family == Family::Immediate);
            mi.only_computes().then_some(if is_constant { Kind::Constant } else { Kind::Computes })
        })
    }
}

impl Costs for Target<'_, '_> {
    fn computes(&mut self, instr: u32) -> bool {
        matches!(self.kind(self.instr(instr)), Some(Kind::Computes | Kind::Constant))
    }
    fn is_repeatable(&mut self, instr: u32) -> bool {
        let mi = self.instr(instr);
        mi.is_safe_to_move(None) || mi.loads_parameter() || self.kind(mi) == Some(Kind::AddressSpace)
    }
    fn cost(&mut self, reg: u32) -> u32 {
        let mf = self.handles.function();
        let reg = Register::virt(reg);
        if mf.def(reg).is_some_and(|def| self.kind(def.instr) == Some(Kind::Constant)) {
            return 0;
        }
        // A predicate is not quite nothing, and less than 32 bits are as good as 32.
        match mf.class_bits(reg) {
            1 => 1,
            bits => bits.max(32) / BITS,
        }
    }
}

impl Hoist {
    /// Does it to a function in SSA form; whether that was changed.
    pub fn run(&mut self, mf: MachineFunction, counters: &mut Counters) -> bool {
        if !mf.is_nvptx() || !mf.is_ssa() {
            return false;
        }
        let mut reader = std::mem::take(&mut self.reader);
        let handles = reader.read_all(mf, &mut self.facts);
        self.facts.blocks_of_instrs(&mut self.block_of);
        let mut target = Target { handles, kinds: &mut self.kinds, block_of: &self.block_of };
        self.hoisting.run(&self.facts, &mut target, &mut self.moves);
        for &(instr, block) in &self.moves {
            let mi = handles.instr_of(&self.block_of, instr);
            mi.move_to_end_of(mf.block_numbered(self.facts.shape.numbers[block as usize]));
        }
        self.reader = reader;
        counters.push(("instructions moved up", self.moves.len() as u64));
        !self.moves.is_empty()
    }
}
