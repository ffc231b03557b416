//! The stage on LLVM's function.

use super::{Again, Costs, Rematerialisation};
use crate::addresses::opcodes::{kind, Arithmetic, Kind as AddressKind};
use crate::llvm::{FunctionReader, Handles, MachineFunction, MachineInstr};
use crate::mir::{FunctionFacts, Register};
use crate::nvptx_coalescer::opcodes::ByOpcode;
use crate::stats::Counters;

/// What an opcode is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One instruction of ptxas's, or none, of integers.
    Cheap,
    /// A comparison, or inline assembly.
    Particular,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Remat {
    reader: FunctionReader,
    facts: FunctionFacts,
    rematerialisation: Rematerialisation,
    kinds: ByOpcode<Kind>,
    again: Vec<Again>,
    block_of: Vec<u32>,
}

struct Target<'a, 'f> {
    handles: Handles<'a, 'f>,
    kinds: &'a mut ByOpcode<Kind>,
    block_of: &'a [u32],
}

impl Target<'_, '_> {
    fn kind(&mut self, instr: u32) -> Option<Kind> {
        let (mf, mi) = (self.handles.function(), self.handles.instr_of(self.block_of, instr));
        let opcode = mi.opcode();
        self.kinds.of(opcode, || what(&mf.opcode_name(opcode), mi))
    }
}

fn what(name: &str, mi: MachineInstr) -> Option<Kind> {
    use Arithmetic::*;
    if name.starts_with("SETP_") || name.starts_with("INLINEASM") {
        return Some(Kind::Particular);
    }
    let Some(AddressKind::Arithmetic(operation, _)) = kind(name) else { return None };
    let is_cheap =
        matches!(operation, Add | Sub | Or | Xor | And | Shl | Shr | Mul | MulWide(_) | Extend(_) | Truncate);
    (is_cheap && mi.only_computes()).then_some(Kind::Cheap)
}

impl Costs for Target<'_, '_> {
    fn is_cheap(&mut self, instr: u32) -> bool {
        self.kind(instr) == Some(Kind::Cheap)
    }
    fn is_particular(&mut self, instr: u32) -> bool {
        self.kind(instr) == Some(Kind::Particular)
    }
    fn size(&mut self, reg: u32) -> u32 {
        match self.handles.function().class_bits(Register::virt(reg)) {
            1 => 0,
            bits => bits.div_ceil(32),
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
        for again in &self.again {
            let instr = |instr: u32| handles.instr_of(&self.block_of, instr);
            let new = instr(again.def).clone_before(instr(again.before));
            let old = self.facts.operands(again.def as usize)[0].reg();
            for &reader in self.rematerialisation.readers(again) {
                let operands = self.facts.operands(reader as usize).iter().enumerate();
                for (index, _) in operands.filter(|(_, o)| o.is_use() && o.is_virtual() && o.reg() == old) {
                    instr(reader).set_reg(index, new);
                }
            }
        }
        let mut removed = 0;
        for (n, again) in self.again.iter().enumerate() {
            let is_last = self.again.get(n + 1).is_none_or(|next| next.def != again.def);
            let old = self.facts.operands(again.def as usize)[0].reg();
            if is_last && mf.use_nodbg_empty(old) {
                mf.forget_uses(old);
                handles.instr_of(&self.block_of, again.def).erase();
                removed += 1;
            }
        }
        self.reader = reader;
        counters
            .extend([("instructions made again", self.again.len() as u64), ("instructions erased", removed)]);
        !self.again.is_empty()
    }
}
