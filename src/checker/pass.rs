//! Binds the checker to LLVM's function: its snapshots, and its questions to the target.
//!
//! It derives all facts about opcodes by itself ([`contents`], [`halves`]).

use super::contents::{self, Description, Family};
use super::halves;
use super::instr::Instr;
use super::program::{EarlyEntry, Program};
use super::report::CheckerTarget;
use crate::llvm::{BlockContents, InstrContents, MachineFunction, MachineInstr, Properties};
use crate::mir::{BlockNumber, InstrKind, Kind, Operand};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};

thread_local! {
    /// The NVPTX opcodes seen so far; a process has one NVPTX.
    static NVPTX_OPCODES: RefCell<Opcodes> = RefCell::default();
}

/// The opcodes seen so far.
#[derive(Default)]
struct Opcodes {
    facts: FxHashMap<u32, Opcode>,
    /// Hashes of the texts of loads and stores. The key is the opcode and, for each operand, the
    /// value of an immediate or `None`.
    texts: FxHashMap<(u32, Vec<Option<i64>>), u64>,
}

/// The facts that the checker derives about an opcode.
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
        let operands: Vec<_> =
            mf.opcode_operands(opcode).iter().map(|o| (o.operand_type, o.class_bits)).collect();
        let flags = [facts.flags, facts.target_flags];
        let described = Description { name: &name, mnemonic: &mnemonic, flags, operands: &operands };
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
    opcodes: &'o mut Opcodes,
    /// The physical registers that are not allocated, ascending. `None` until they are needed.
    reserved: Option<Vec<u32>>,
    /// Scratch.
    groups: Vec<usize>,
}

impl<'f, 'o> Snapshot<'f, 'o> {
    fn new(mf: MachineFunction<'f>, opcodes: &'o mut Opcodes) -> Self {
        Snapshot { mf, is_nvptx: mf.is_nvptx(), opcodes, reserved: None, groups: Vec::new() }
    }
    fn read(&mut self, out: &mut Program) {
        out.clear(self.mf.num_virt_regs(), self.mf.num_block_ids());
        let (mut code, mut succs) = (BlockContents::default(), Vec::new());
        for block in self.mf.blocks() {
            let early_entry =
                EarlyEntry { from_call: block.is_eh_pad(), from_asm_br: block.is_asm_br_target() };
            succs.resize(block.num_successors() as usize, 0);
            block.read_successor_numbers(&mut succs);
            let succs = succs.iter().map(|&number| BlockNumber::from_raw(number));
            out.begin_block(block.number(), early_entry, succs);
            let mut first_operand = out.operands.len() as u32;
            for instr in code.read(block) {
                if !is_directive(&instr) {
                    out.instrs.push(self.instr(&instr, first_operand));
                }
                first_operand += instr.operands.len() as u32;
            }
            out.operands.extend_from_slice(code.operands());
            out.end_block();
        }
        out.index();
    }
    fn instr(&mut self, i: &InstrContents, first_operand: u32) -> Instr {
        let number = i.opcode.number();
        let opcode = if self.is_nvptx {
            *self.opcodes.facts.entry(number).or_insert_with(|| Opcode::of_nvptx(self.mf, number))
        } else {
            Opcode::of_other(number)
        };
        let moves =
            opcode.family.is_register_move && matches!(i.operands, [a, b] if a.is_reg() && b.is_reg());
        let kind = if moves { InstrKind::Copy } else { i.kind };
        let text = opcode.family.typed_bits().map_or(0, |bits| self.text(i, bits));
        Instr {
            key: i.instr.key(),
            content: opcode.family.content(number, i.operands, i.hashes, text),
            names: contents::names(i.operands, i.hashes),
            opcode: number,
            flags: kind_flags(kind) | effect_flags(i.properties) | opcode.halves | self.operand_flags(i),
            first_operand,
            num_operands: i.operands.len() as u32,
        }
    }
    /// Hashes the text of a load or store of a value of this many bits.
    fn text(&mut self, i: &InstrContents, bits: u32) -> u64 {
        let explicit = i.operands.iter().take_while(|o| !o.is_implicit()).enumerate();
        let value = |(index, o): (usize, &Operand)| (o.kind() == Kind::Imm).then(|| i.instr.immediate(index));
        let key = (i.opcode.number(), explicit.map(value).collect::<Vec<_>>());
        let text = || contents::hash_of_text(&i.instr.assembler_text(), bits);
        *self.opcodes.texts.entry(key).or_insert_with(text)
    }
    /// Returns the flags for ties and physical registers, which the operands tell.
    fn operand_flags(&mut self, i: &InstrContents) -> u32 {
        let mut flags = 0;
        for op in i.operands.iter().filter(|op| op.is_reg() && op.reg().is_valid()) {
            if op.is_use() && op.is_tied() {
                flags |= Instr::TIED;
            }
            if op.reg().is_physical() && self.is_physical_access(*op) {
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
    /// Returns whether the operand writes a physical register that is read, or reads one that may
    /// be allocated.
    fn is_physical_access(&mut self, op: Operand) -> bool {
        if op.is_def() {
            return !op.is_dead();
        }
        let reserved = self.reserved.get_or_insert_with(|| self.mf.reserved_registers());
        op.reads() && reserved.binary_search(&op.reg().0).is_err()
    }
}

/// Returns whether an instruction only tells ptxas how to compile a loop. That is not part of what
/// the code computes.
fn is_directive(i: &InstrContents) -> bool {
    i.kind == InstrKind::InlineAsm
        && i.operands.len() == 2
        && i.instr.assembly_text() == ".pragma \"nounroll\";"
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

/// Answers the checker's questions to the target, after a pass.
pub struct CheckedTarget<'f> {
    mf: MachineFunction<'f>,
    /// The instructions by key. They are collected at the first question about one.
    instrs: OnceCell<FxHashMap<usize, MachineInstr<'f>>>,
}

impl<'f> CheckedTarget<'f> {
    /// Asks about the instructions that a function has now.
    pub fn new(mf: MachineFunction<'f>) -> CheckedTarget<'f> {
        CheckedTarget { mf, instrs: OnceCell::new() }
    }
    /// # Panics
    /// If the function has no instruction of this key.
    fn instr(&self, key: usize) -> MachineInstr<'f> {
        let all = || self.mf.blocks().flat_map(|block| block.instrs()).map(|mi| (mi.key(), mi)).collect();
        self.instrs.get_or_init(all)[&key]
    }
    /// Prints an instruction as LLVM does.
    pub fn text(&self, key: usize) -> String {
        self.instr(key).text()
    }
}

impl CheckerTarget for CheckedTarget<'_> {
    fn compose(&self, a: u32, b: u32) -> u32 {
        self.mf.compose_subregs(a, b)
    }
    fn lanes(&self, sub: u32) -> u64 {
        self.mf.lane_mask(sub)
    }
    fn compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        self.mf.compose_lanes(sub, lanes)
    }
    fn reverse_compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        self.mf.reverse_compose_lanes(sub, lanes)
    }
    fn num_indices(&self) -> u32 {
        self.mf.num_subreg_indices()
    }
    fn opcode_name(&self, opcode: u32) -> String {
        self.mf.opcode_name(opcode).into_owned()
    }
    fn commutes(&self, key: usize, a: usize, b: usize) -> bool {
        self.instr(key).operands_commute(a, b)
    }
}
