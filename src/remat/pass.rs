//! The stage on LLVM's function.

use super::{Again, Costs, File, Reader, Rematerialisation, PREDICATES, REGISTERS};
use crate::addresses::opcodes::{kind, Arithmetic, Kind as AddressKind};
use crate::llvm::{FunctionReader, Handles, MachineFunction, MachineInstr};
use crate::mir::{FunctionFacts, Operand, Register};
use crate::nvptx_coalescer::opcodes::{classify, ByOpcode, Family};
use crate::stats::Counters;

/// What an opcode is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One instruction of ptxas's, or none, of integers.
    Cheap,
    /// It computes a predicate.
    Tests,
    /// It compares, but not only that.
    Compares,
    /// It says that an address is of another space.
    AddressSpace,
    /// It makes a constant.
    Constant,
    /// Inline assembly.
    Assembly,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Remat {
    reader: FunctionReader,
    facts: FunctionFacts,
    rematerialisation: Rematerialisation,
    kinds: ByOpcode<Kind>,
    again: Vec<Again>,
    /// What is made again, and by what.
    made: Vec<Register>,
    /// What nobody may read any more.
    suspects: Vec<Register>,
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
        self.kinds.of(opcode, || what(mf, mi))
    }
}

fn what(mf: MachineFunction, mi: MachineInstr) -> Option<Kind> {
    use Arithmetic::*;
    let name = mf.opcode_name(mi.opcode());
    match &*name {
        // Of any class.
        "COPY" => return None,
        "INLINEASM" | "INLINEASM_BR" => return Some(Kind::Assembly),
        _ => {}
    }
    if name.starts_with("cvta_") {
        return Some(Kind::AddressSpace);
    }
    if classify(&name).is_some_and(|e| e.family == Family::Immediate) {
        return Some(Kind::Constant);
    }
    let result = (mi.num_described_defs() == 1).then(|| mi.operand(0));
    if result.is_some_and(|r| r.is_virtual() && mf.class_bits(r.reg()) == 1) && mi.only_computes() {
        return Some(Kind::Tests);
    }
    if name.starts_with("SETP_") {
        return Some(Kind::Compares);
    }
    let Some(AddressKind::Arithmetic(operation, _)) = kind(&name) else { return None };
    let is_cheap =
        matches!(operation, Add | Sub | Or | Xor | And | Shl | Shr | Mul | MulWide(_) | Extend(_) | Truncate);
    (is_cheap && mi.only_computes()).then_some(Kind::Cheap)
}

impl Costs for Target<'_, '_> {
    fn is_cheap(&mut self, instr: u32) -> bool {
        matches!(self.kind(self.instr(instr)), Some(Kind::Cheap | Kind::Tests))
    }
    fn is_particular(&mut self, instr: u32, file: File) -> bool {
        match self.kind(self.instr(instr)) {
            Some(Kind::Assembly) => true,
            // It may be the end of a loop.
            Some(Kind::Tests | Kind::Compares) => file == REGISTERS,
            _ => false,
        }
    }
    fn is_free(&mut self, instr: u32) -> bool {
        let mut mi = self.instr(instr);
        while self.kind(mi) == Some(Kind::AddressSpace) {
            let address = mi.operand(1);
            let def = if address.is_virtual() { self.handles.function().def(address.reg()) } else { None };
            let Some(def) = def else { return false };
            mi = def.instr;
        }
        self.kind(mi) == Some(Kind::Constant) || mi.loads_parameter()
    }
    fn size(&mut self, reg: u32) -> (File, u32) {
        match self.handles.function().class_bits(Register::virt(reg)) {
            1 => (PREDICATES, 1),
            bits => (REGISTERS, bits.div_ceil(32)),
        }
    }
}

impl Remat {
    /// Does it to a function in SSA form; whether that was changed.
    pub fn run(&mut self, mf: MachineFunction, counters: &mut Counters) -> bool {
        if !mf.is_nvptx() || !mf.is_ssa() {
            return false;
        }
        let mut reader = std::mem::take(&mut self.reader);
        let handles = reader.read_all(mf, &mut self.facts);
        self.facts.blocks_of_instrs(&mut self.block_of);
        let mut target = Target { handles, kinds: &mut self.kinds, block_of: &self.block_of };
        self.rematerialisation.run(&self.facts, &mut target, &mut self.again);
        let instr = |instr: u32| handles.instr_of(&self.block_of, instr);
        let result = |again: &Again| self.facts.operands(again.def as usize)[0].reg();
        self.made.clear();
        self.made.extend(self.again.iter().map(|again| instr(again.def).clone_before(instr(again.before))));
        for (again, &new) in self.again.iter().zip(&self.made) {
            for &reader in self.rematerialisation.readers(again) {
                let (like, mi) = match reader {
                    Reader::Instr(reader) => (reader, Some(instr(reader))),
                    Reader::Again(by) => {
                        (self.again[by as usize].def, mf.def(self.made[by as usize]).map(|def| def.instr))
                    }
                };
                let operands = self.facts.operands(like as usize).iter().enumerate();
                let is_read = |o: &Operand| o.is_use() && o.is_virtual() && o.reg() == result(again);
                for (index, _) in operands.filter(|(_, o)| is_read(o)) {
                    mi.iter().for_each(|mi| mi.set_reg(index, new));
                }
            }
        }
        // What was read by what goes may go as well.
        self.suspects.clear();
        self.suspects.extend(self.again.iter().map(result));
        self.suspects.sort_unstable();
        self.suspects.dedup();
        self.suspects.extend(&self.made);
        let mut removed = 0;
        let mut suspects = self.suspects.len() + 1;
        while self.suspects.len() < suspects {
            suspects = self.suspects.len();
            self.suspects.retain(|&reg| {
                let is_read = !mf.use_nodbg_empty(reg);
                if !is_read {
                    mf.forget_uses(reg);
                    mf.def(reg).iter().for_each(|def| def.instr.erase());
                    removed += 1;
                }
                is_read
            });
        }
        self.reader = reader;
        counters
            .extend([("instructions made again", self.again.len() as u64), ("instructions erased", removed)]);
        !self.again.is_empty()
    }
}
