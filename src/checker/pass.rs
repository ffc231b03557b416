//! Binds the checker to LLVM's function: its snapshots, and its questions to the target.
//!
//! All that it says of opcodes it derives by itself ([`contents`], [`halves`]).

use super::contents::{Description, Family};
use super::program::{self, Instr, Program};
use super::report::CheckerTarget;
use super::{addresses, halves};
use crate::cfg::{Cfg, Dominators};
use crate::llvm::{BlockContents, InstrContents, MachineFunction, MachineInstr, Properties};
use crate::mir::{BlockId, InstrKind, Kind, Operand, Register};
use crate::versions::VERSIONS;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

thread_local! {
    /// The opcodes that were met; of NVPTX, of which a process has one.
    static NVPTX_OPCODES: RefCell<FxHashMap<u32, Opcode>> = RefCell::default();
}

/// What the checker says of an opcode.
#[derive(Clone, Copy)]
struct Opcode {
    family: Family,
    /// [`Instr::PACK`] and the others.
    halves: u32,
}

impl Opcode {
    fn of_other(opcode: u32) -> Opcode {
        Opcode { family: Family::of_other(opcode), halves: 0 }
    }
    fn of_nvptx(mf: MachineFunction, opcode: u32) -> Opcode {
        let (name, mnemonic) = (mf.opcode_name(opcode), mf.mnemonic(opcode));
        let facts = mf.opcode_facts(opcode);
        if facts.is_generic {
            return Opcode::of_other(opcode);
        }
        let operands: Vec<_> = facts.operands.iter().map(|o| (o.operand_type, o.class_bits)).collect();
        let described =
            Description { name: &name, mnemonic: &mnemonic, flags: facts.flags, operands: &operands };
        Opcode { family: Family::of(opcode, &described), halves: halves::flags_of(&name) }
    }
}

/// Reads a function for the checker.
pub fn snapshot(mf: MachineFunction, out: &mut Program) {
    NVPTX_OPCODES.with_borrow_mut(|opcodes| Snapshot::new(mf, opcodes).read(out));
}

struct Snapshot<'f, 'o> {
    mf: MachineFunction<'f>,
    is_nvptx: bool,
    opcodes: &'o mut FxHashMap<u32, Opcode>,
    /// By physical register, whether it may not be allocated; read when one is met.
    reserved: Option<Vec<u32>>,
    /// Scratch.
    groups: Vec<usize>,
}

impl<'f, 'o> Snapshot<'f, 'o> {
    fn new(mf: MachineFunction<'f>, opcodes: &'o mut FxHashMap<u32, Opcode>) -> Self {
        Snapshot { mf, is_nvptx: mf.is_nvptx(), opcodes, reserved: None, groups: Vec::new() }
    }
    fn read(&mut self, out: &mut Program) {
        out.clear(self.mf.num_virt_regs(), self.mf.num_block_ids());
        let (mut code, mut succs) = (BlockContents::default(), Vec::new());
        for block in self.mf.blocks() {
            let eh_pad = u8::from(block.is_eh_pad()) * program::EH_PAD;
            let flags = eh_pad | (u8::from(block.is_asm_br_target()) * program::ASM_BR_TARGET);
            succs.resize(block.num_successors() as usize, 0);
            block.read_successor_numbers(&mut succs);
            out.begin_block(block.number(), flags, &succs);
            let mut first_operand = out.operands.len() as u32;
            for instr in code.read(block) {
                out.instrs.push(self.instr(&instr, first_operand));
                first_operand += instr.operands.len() as u32;
            }
            out.operands.extend_from_slice(code.operands());
            out.end_block();
        }
        out.index();
    }
    fn instr(&mut self, i: &InstrContents, first_operand: u32) -> Instr {
        let opcode = if self.is_nvptx {
            *self.opcodes.entry(i.opcode).or_insert_with(|| Opcode::of_nvptx(self.mf, i.opcode))
        } else {
            Opcode::of_other(i.opcode)
        };
        let moves =
            opcode.family.is_register_move && matches!(i.operands, [a, b] if a.is_reg() && b.is_reg());
        let kind = if moves { InstrKind::Copy } else { i.kind };
        Instr {
            key: i.instr.key(),
            content: opcode.family.content(i.opcode, i.operands, i.hashes),
            opcode: i.opcode,
            flags: kind_flags(kind) | effect_flags(i.properties) | opcode.halves | self.operand_flags(i),
            first_operand,
            num_operands: i.operands.len() as u32,
        }
    }
    /// What the operands say: ties and physical registers.
    fn operand_flags(&mut self, i: &InstrContents) -> u32 {
        let mut flags = 0;
        for op in i.operands.iter().filter(|op| op.is_reg() && op.reg().is_valid()) {
            if op.is_use() && op.is_tied() {
                flags |= Instr::TIED;
            }
            if op.reg().is_physical() && self.matters(*op) {
                flags |= Instr::PHYSICAL;
            }
        }
        if flags & Instr::TIED != 0 {
            i.instr.for_each_tied_use(
                i.kind.is_inline_asm(),
                i.operands,
                &mut self.groups,
                |read, written| {
                    let (read, written) = (i.operands[read], i.operands[written]);
                    let is_same = (read.reg(), read.subreg()) == (written.reg(), written.subreg());
                    if read.reg().is_valid() && !read.is_undef() && !is_same {
                        flags |= Instr::UNTIED;
                    }
                },
            );
        }
        flags
    }
    /// Whether somebody may see that the instruction writes this physical register, or what it reads there.
    fn matters(&mut self, op: Operand) -> bool {
        if op.is_def() {
            return !op.is_dead();
        }
        let reserved = self.reserved.get_or_insert_with(|| self.mf.reserved_registers());
        op.reads() && reserved.binary_search(&op.reg().0).is_err()
    }
}

fn kind_flags(kind: InstrKind) -> u32 {
    match kind {
        InstrKind::Copy => Instr::COPY,
        InstrKind::Phi => Instr::PHI,
        InstrKind::ImplicitDef => Instr::IMPLICIT_DEF,
        InstrKind::RegSequence => Instr::REG_SEQUENCE,
        InstrKind::InsertSubreg => Instr::INSERT_SUBREG,
        InstrKind::ExtractSubreg => Instr::EXTRACT_SUBREG,
        InstrKind::SubregToReg => Instr::SUBREG_TO_REG,
        InstrKind::Kill => Instr::KILL,
        InstrKind::InlineAsmBr => Instr::ASM_BR,
        InstrKind::Bundle => Instr::BUNDLE,
        InstrKind::InlineAsm | InstrKind::Statepoint | InstrKind::Debug | InstrKind::Other => 0,
    }
}

fn effect_flags(p: Properties) -> u32 {
    let reads = p.may_load() && !p.is_invariant_load();
    let is_ordered = p.may_store()
        || p.has_unmodeled_side_effects()
        || p.is_call()
        || p.is_position()
        || p.is_terminator()
        || p.is_convergent()
        || p.is_not_duplicable()
        || reads && p.has_ordered_memory_ref();
    let all = [
        (is_ordered, Instr::ORDERED),
        (reads, Instr::LOAD),
        (p.is_commutable(), Instr::COMMUTABLE),
        (p.is_terminator(), Instr::TERMINATOR),
        (p.is_branch(), Instr::BRANCH),
        (p.is_call(), Instr::CALL),
    ];
    all.into_iter().filter(|f| f.0).fold(0, |flags, f| flags | f.1)
}

/// Answers the checker's questions to the target, behind a pass.
pub struct CheckedTarget<'f>(pub MachineFunction<'f>);

impl CheckedTarget<'_> {
    /// An instruction as LLVM prints it.
    pub fn text(&self, key: usize) -> String {
        self.0.instr_with_key(key).text()
    }
}

impl CheckerTarget for CheckedTarget<'_> {
    fn compose(&self, a: u32, b: u32) -> u32 {
        self.0.compose_subregs(a, b)
    }
    fn lanes(&self, sub: u32) -> u64 {
        self.0.lane_mask(sub)
    }
    fn compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        self.0.compose_lanes(sub, lanes)
    }
    fn reverse_compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        self.0.reverse_compose_lanes(sub, lanes)
    }
    fn num_indices(&self) -> u32 {
        self.0.num_subreg_indices()
    }
    fn opcode_name(&self, opcode: u32) -> String {
        self.0.opcode_name(opcode).into_owned()
    }
    fn commutes(&self, key: usize, a: usize, b: usize) -> bool {
        self.0.instr_with_key(key).operands_commute(a, b)
    }
}

/// What the checker asks of the instructions that compute what is read.
struct Defs<'f, 'p> {
    mf: MachineFunction<'f>,
    program: &'p Program,
    /// By virtual register that an instruction computes of nothing but its operands: its content.
    contents: Vec<Option<u64>>,
    /// By opcode, what it prints as.
    mnemonics: FxHashMap<u32, String>,
    threads: [u32; 3],
    /// If steps of induction variables may be registers, which must not change. Stages that compute in other blocks have them computed in
    /// the loop.
    dominators: Option<Dominators>,
}

impl<'f> Defs<'f, '_> {
    fn mnemonic(&mut self, opcode: u32) -> &str {
        self.mnemonics.entry(opcode).or_insert_with(|| self.mf.mnemonic(opcode).trim().to_owned())
    }
    /// The register and offset of the address of a load or store, which its operands end with.
    fn address(&mut self, mi: MachineInstr<'f>, operands: &[Operand]) -> Option<(u32, i64)> {
        // Some print nothing that does not depend on an operand: LD_i32 in LLVM 22.
        let opcode = mi.opcode();
        let starts_with = |text: &str, starts: &[&str]| starts.iter().any(|s| text.starts_with(s));
        if !starts_with(self.mnemonic(opcode), &["ld", "st"])
            && !starts_with(&self.mf.opcode_name(opcode), &["LD_", "LDV_", "LDU_"])
        {
            return None;
        }
        let explicit = operands.iter().position(|o| o.is_implicit()).unwrap_or(operands.len());
        match operands[..explicit] {
            [.., base, offset] if offset.kind() == Kind::Imm && base.is_virtual() => {
                Some((base.reg().virt_index() as u32, mi.immediate(explicit - 1)))
            }
            [.., base] if base.is_virtual() => Some((base.reg().virt_index() as u32, 0)),
            _ => None,
        }
    }
}

impl addresses::Source for Defs<'_, '_> {
    fn def(&mut self, reg: u32) -> Option<addresses::Def> {
        let mi = self.mf.def(Register::virt(reg))?.instr;
        let mut operands = Vec::new();
        mi.read_operands(&mut operands);
        let is_whole = |o: &Operand| o.subreg() == 0 && !o.is_undef();
        let result = Operand::only_def(&operands)?;
        if operands[result].reg() != Register::virt(reg) || !is_whole(&operands[result]) {
            return None;
        }
        let content = self.contents[reg as usize];
        let read = operands.iter().enumerate().filter(|&(index, _)| index != result);
        let read = read.map(|(index, o)| match o.kind() {
            Kind::Imm => Some(addresses::Operand::Imm(mi.immediate(index))),
            Kind::Reg if o.is_virtual() && o.is_use() && is_whole(o) => {
                Some(addresses::Operand::Reg(o.reg().virt_index() as u32))
            }
            // Part of the content, and nothing that is computed with.
            _ => content.map(|_| addresses::Operand::Other),
        });
        let opcode = mi.opcode();
        Some(addresses::Def {
            operands: read.collect::<Option<_>>()?,
            content,
            name: self.mf.opcode_name(opcode).into_owned(),
            mnemonic: self.mnemonic(opcode).to_owned(),
        })
    }
    fn threads(&self) -> [u32; 3] {
        self.threads
    }
    fn extends(&mut self, reg: u32) -> Option<(u32, bool)> {
        let mi = self.mf.def(Register::virt(reg))?.instr;
        if !self.mf.opcode_name(mi.opcode()).starts_with("LD_i64") {
            return None;
        }
        // The type, 0 to 3, and the width end the constants in front of the address, but for a mask in LLVM 22.
        let is_imm = |k: &usize| mi.operand(*k).kind() == Kind::Imm;
        let end = (1..mi.num_operands()).find(|k| !is_imm(k)).unwrap_or(1);
        let end = end - VERSIONS.nvptx.immediates_behind_width;
        let (width, kind) = (end.checked_sub(1)?, end.checked_sub(2)?);
        let bits = mi.immediate(width);
        (kind > 0 && (1..=32).contains(&bits)).then(|| (bits as u32, mi.immediate(kind) == 1))
    }
    fn counter(&mut self, reg: u32) -> Option<addresses::Counter> {
        let mi = self.mf.def(Register::virt(reg))?.instr;
        if mi.kind() != InstrKind::Phi {
            return None;
        }
        let mut operands = Vec::new();
        mi.read_operands(&mut operands);
        let [_, a, from_a, b, from_b] = *operands else { return None };
        if ![a, b].iter().all(|o| o.is_virtual() && o.is_whole()) {
            return None;
        }
        let header = mi.block().number();
        [(a, b, from_b), (b, a, from_a)].into_iter().find_map(|(first, next, latch)| {
            let def = self.def(next.reg().virt_index() as u32)?;
            let step = match def.operands[..] {
                [addresses::Operand::Reg(r), step] if r == reg => step,
                [step, addresses::Operand::Reg(r)] if r == reg => step,
                _ => return None,
            };
            let bits = match def.mnemonic.strip_prefix("add.")?.trim() {
                "s64" => 64,
                "s32" => 32,
                _ => return None,
            };
            // What is defined in front of the loop no turn changes.
            let stays = match step {
                addresses::Operand::Imm(_) => true,
                addresses::Operand::Reg(step) => {
                    let home = self.mf.def(Register::virt(step))?.instr.block().number();
                    let block = |number| self.program.block_numbered(number).map(BlockId::from_raw);
                    let (home, header) = (block(home)?, block(header)?);
                    let dominates = |dominators: &Dominators| dominators.dominates(home, header);
                    home != header && self.dominators.as_ref().is_some_and(dominates)
                }
                addresses::Operand::Other => false,
            };
            let turns = u64::from(header) << 32 | u64::from(latch.block_number());
            let first = first.reg().virt_index() as u32;
            stays.then_some(addresses::Counter { first, step, turns, bits })
        })
    }
}

/// What the instructions of a function of NVPTX in SSA form, which is `program`, read that are not computed by [`addresses`]; of
/// loads and stores the values of their addresses. Induction variables are not among them if these may be others, `of_variables`.
pub fn addresses(mf: MachineFunction, program: &Program, of_variables: bool) -> Vec<addresses::Access> {
    let (mut worlds, mut operands, mut accesses) = (addresses::Worlds::default(), Vec::new(), Vec::new());
    worlds.clear(mf.num_virt_regs());
    let mut contents = vec![None; mf.num_virt_regs()];
    for (i, instr) in (0..).zip(&program.instrs) {
        let operands = program.operands(i);
        let Some(result) = Operand::only_def(operands) else { continue };
        let is_whole = |o: &Operand| !o.is_virtual() || o.subreg() == 0 && !o.is_undef();
        if instr.is_pure()
            && !instr.is(Instr::PHYSICAL | Instr::PHI | Instr::IMPLICIT_DEF | Instr::KILL)
            && operands[result].is_virtual()
            && operands.iter().all(is_whole)
        {
            contents[operands[result].reg().virt_index()] = Some(instr.content);
        }
    }
    let threads = mf.max_threads();
    let dominators = of_variables.then(|| {
        let (mut cfg, mut dominators) = (Cfg::default(), Dominators::default());
        cfg.compute(&program.succs);
        dominators.compute(&cfg);
        dominators
    });
    let mut defs = Defs { mf, program, dominators, contents, mnemonics: FxHashMap::default(), threads };
    for block in mf.blocks() {
        let mut next = block.first();
        while let Some(mi) = next {
            let facts = mi.facts();
            next = facts.next;
            mi.read_operands(&mut operands);
            let defined = Operand::only_def(&operands).map(|result| operands[result].reg());
            let is_computed = defined.filter(|reg| reg.is_virtual()).is_some_and(|reg| {
                let reg = reg.virt_index() as u32;
                worlds.computes(&mut defs, reg) || of_variables && worlds.counts(&mut defs, reg)
            });
            if facts.is_debug() || is_computed {
                continue;
            }
            let address = defs.address(mi, &operands);
            let reads = operands.iter().filter(|o| o.is_virtual() && o.is_use() && !o.is_undef());
            let last = reads.clone().count().saturating_sub(1);
            for (k, o) in reads.enumerate() {
                // The register of an address is the last one.
                let (reg, offset) = address.filter(|_| k == last).unwrap_or((o.reg().virt_index() as u32, 0));
                let values = worlds.address(&mut defs, reg, offset);
                accesses.push(addresses::Access { key: mi.key(), values });
            }
        }
    }
    accesses
}
