//! Binds the samples to LLVM's function: describes how its registers are computed, and lists its accesses.

use super::accesses::Access;
use super::computation::{Computation, Extension, InductionVariable, Input, ValueSource};
use super::SampledValues;
use crate::cfg::{Cfg, Dominators};
use crate::checker::instr::Instr;
use crate::checker::program::Program;
use crate::checker::prove::value_read;
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::{BlockNumber, InstrKind, Kind, Operand, Register, VRegId};
use crate::versions::VERSIONS;
use index_vec::{index_vec, IndexVec};
use rustc_hash::FxHashMap;

/// The computations of an LLVM function.
struct Computations<'f, 'p> {
    mf: MachineFunction<'f>,
    program: &'p Program,
    /// By virtual register whose instruction depends on nothing but its operands: the content.
    contents: IndexVec<VRegId, Option<u64>>,
    /// By opcode, the text that it prints as.
    mnemonics: FxHashMap<u32, String>,
    max_threads: [u32; 3],
    /// Only if steps of induction variables may be registers: these must be defined in front of the loop. A stage that moves
    /// code between blocks may move such a def into the loop.
    dominators: Option<Dominators>,
}

impl<'f> Computations<'f, '_> {
    fn mnemonic(&mut self, opcode: u32) -> &str {
        self.mnemonics.entry(opcode).or_insert_with(|| self.mf.mnemonic(opcode).trim().to_owned())
    }
    /// Finds the address of a load or store, which its operands end with but for a policy of the cache.
    fn address(&mut self, mi: MachineInstr<'f>, operands: &[Operand]) -> Option<Address> {
        // Some print nothing that does not depend on an operand: LD_i32 in LLVM 22.
        let opcode = mi.opcode();
        let starts_with = |text: &str, starts: &[&str]| starts.iter().any(|s| text.starts_with(s));
        if !starts_with(self.mnemonic(opcode), &["ld", "st"])
            && !starts_with(&self.mf.opcode_name(opcode), &["LD_", "LDV_", "LDU_"])
        {
            return None;
        }
        let explicit = operands.iter().position(|o| o.is_implicit()).unwrap_or(operands.len());
        let explicit = match operands[..explicit] {
            // Without a policy of the cache.
            [.., flag, policy]
                if flag.kind() == Kind::Imm && policy.is_reg() && policy.reg() == Register::NONE =>
            {
                explicit - VERSIONS.nvptx.operands_behind_address
            }
            _ => explicit,
        };
        match operands[..explicit] {
            [.., base, offset] if offset.kind() == Kind::Imm && base.is_virtual() => {
                Some(Address { base: base.vreg()?, offset: mi.immediate(explicit - 1) })
            }
            [.., base] => Some(Address { base: base.vreg()?, offset: 0 }),
            _ => None,
        }
    }
}

impl ValueSource for Computations<'_, '_> {
    fn computation(&mut self, reg: VRegId) -> Option<Computation> {
        let mi = self.mf.def(reg.into())?.instr;
        let mut operands = Vec::new();
        mi.read_operands(&mut operands);
        let is_whole = |o: &Operand| o.subreg() == 0 && !o.is_undef();
        let result = Operand::only_def(&operands)?;
        if operands[result].vreg() != Some(reg) || !is_whole(&operands[result]) {
            return None;
        }
        let content = self.contents[reg];
        let read = operands.iter().enumerate().filter(|&(index, _)| index != result);
        let read = read.map(|(index, o)| match o.kind() {
            Kind::Imm => Some(Input::Imm(mi.immediate(index))),
            Kind::Reg if o.reads_whole() => o.vreg().map(Input::Reg),
            // Part of the content, but no number.
            _ => content.map(|_| Input::Other),
        });
        let opcode = mi.opcode();
        Some(Computation {
            inputs: read.collect::<Option<_>>()?,
            content,
            name: self.mf.opcode_name(opcode).into_owned(),
            mnemonic: self.mnemonic(opcode).to_owned(),
        })
    }
    fn max_threads(&self) -> [u32; 3] {
        self.max_threads
    }
    fn extension(&mut self, reg: VRegId) -> Option<Extension> {
        let mi = self.mf.def(reg.into())?.instr;
        if !self.mf.opcode_name(mi.opcode()).starts_with("LD_i64") {
            return None;
        }
        // The type, 0 to 3, and the width end the constants in front of the address, but for a mask in LLVM 22.
        let is_imm = |k: &usize| mi.operand(*k).kind() == Kind::Imm;
        let end = (1..mi.num_operands()).find(|k| !is_imm(k)).unwrap_or(1);
        let end = end - VERSIONS.nvptx.immediates_behind_width;
        let (width, kind) = (end.checked_sub(1)?, end.checked_sub(2)?);
        let bits = mi.immediate(width);
        let is_extended = kind > 0 && (1..=32).contains(&bits);
        is_extended.then(|| Extension { bits: bits as u32, is_signed: mi.immediate(kind) == 1 })
    }
    fn induction_variable(&mut self, reg: VRegId) -> Option<InductionVariable> {
        let mi = self.mf.def(reg.into())?.instr;
        if mi.kind() != InstrKind::Phi {
            return None;
        }
        let mut operands = Vec::new();
        mi.read_operands(&mut operands);
        let [_, a, from_a, b, from_b] = *operands else { return None };
        if ![a, b].iter().all(|o| o.is_whole()) {
            return None;
        }
        let header = mi.block().number();
        [(a, b, from_b), (b, a, from_a)].into_iter().find_map(|(start, next, latch)| {
            let computation = self.computation(next.vreg()?)?;
            let step = match computation.inputs[..] {
                [Input::Reg(r), step] if r == reg => step,
                [step, Input::Reg(r)] if r == reg => step,
                _ => return None,
            };
            let bits = match computation.mnemonic.strip_prefix("add.")?.trim() {
                "s64" => 64,
                "s32" => 32,
                _ => return None,
            };
            let is_invariant = match step {
                Input::Imm(_) => true,
                Input::Reg(step) => self.is_defined_in_front(step, header)?,
                Input::Other => false,
            };
            let loop_key = u64::from(header.raw()) << 32 | u64::from(latch.block_number().raw());
            is_invariant.then_some(InductionVariable { start: start.vreg()?, step, loop_key, bits })
        })
    }
}

impl Computations<'_, '_> {
    /// Tells whether a register is defined in front of a loop, so that no iteration changes it; none if it has no def.
    fn is_defined_in_front(&self, reg: VRegId, header: BlockNumber) -> Option<bool> {
        let def_block = self.program.block_numbered(self.mf.def(reg.into())?.instr.block().number())?;
        let header = self.program.block_numbered(header)?;
        let dominates = |dominators: &Dominators| dominators.dominates(def_block, header);
        Some(def_block != header && self.dominators.as_ref().is_some_and(dominates))
    }
}

/// The address of a load or store.
struct Address {
    base: VRegId,
    offset: i64,
}

/// Lists the values that the instructions read that are not computed; of loads and stores those of their addresses. `program` is
/// `mf`, which is of NVPTX and in SSA form. If the stage may make other induction variables, `has_other_variables`, these count as
/// computed.
pub fn accesses(mf: MachineFunction, program: &Program, has_other_variables: bool) -> Vec<Access> {
    let (mut samples, mut operands, mut accesses) = (SampledValues::default(), Vec::new(), Vec::new());
    samples.clear(mf.num_virt_regs());
    let dominators = has_other_variables.then(|| {
        let (mut cfg, mut dominators) = (Cfg::default(), Dominators::default());
        cfg.compute(&program.succs);
        dominators.compute(&cfg);
        dominators
    });
    let (contents, mnemonics, max_threads) = (contents(program), FxHashMap::default(), mf.max_threads());
    let mut source = Computations { mf, program, contents, mnemonics, max_threads, dominators };
    for block in mf.blocks() {
        let mut next = block.first();
        while let Some(mi) = next {
            let facts = mi.facts();
            next = facts.next;
            mi.read_operands(&mut operands);
            let defined = Operand::only_def(&operands).and_then(|result| operands[result].vreg());
            let is_computed = defined.is_some_and(|reg| {
                source.is_computed(reg) || has_other_variables && source.induction_variable(reg).is_some()
            });
            if facts.is_debug() || is_computed {
                continue;
            }
            let address = source.address(mi, &operands);
            let reads = operands.iter().filter_map(|&o| value_read(o)).map(|part| part.reg);
            let last = reads.clone().count().saturating_sub(1);
            for (k, reg) in reads.enumerate() {
                // The register of an address is the last one.
                let (reg, offset) = match &address {
                    Some(address) if k == last => (address.base, address.offset),
                    _ => (reg, 0),
                };
                let values = samples.of_sum(&mut source, reg, offset);
                accesses.push(Access { key: mi.key(), values });
            }
        }
    }
    accesses
}

/// Lists, by virtual register whose instruction depends on nothing but its operands, the content of that instruction.
fn contents(program: &Program) -> IndexVec<VRegId, Option<u64>> {
    let mut contents = index_vec![None; program.num_regs];
    for (i, instr) in program.instrs.iter_enumerated() {
        let operands = program.operands(i);
        let Some(result) = Operand::only_def(operands) else { continue };
        let is_whole = |o: &Operand| !o.is_virtual() || o.subreg() == 0 && !o.is_undef();
        if instr.is_pure()
            && !instr.is(Instr::PHYSICAL | Instr::PHI | Instr::IMPLICIT_DEF | Instr::KILL)
            && operands.iter().all(is_whole)
        {
            if let Some(reg) = operands[result].vreg() {
                contents[reg] = Some(instr.content);
            }
        }
    }
    contents
}
