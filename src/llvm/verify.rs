//! The checker's snapshots, and its questions to the target.

use super::{ffi, MachineFunction, MachineInstr};
use crate::cfg::{Cfg, Dominators};
use crate::checker::program::{self, Instr, Program};
use crate::checker::{addresses, halves, Target};
use crate::mir::{BlockId, InstrKind, Kind, Operand, Register};
use crate::versions::VERSIONS;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

const _: () = {
    assert!(Instr::COPY == ffi::PTX_CHECK_COPY && Instr::PHI == ffi::PTX_CHECK_PHI);
    assert!(Instr::IMPLICIT_DEF == ffi::PTX_CHECK_IMPLICIT_DEF && Instr::KILL == ffi::PTX_CHECK_KILL);
    assert!(Instr::REG_SEQUENCE == ffi::PTX_CHECK_REG_SEQUENCE);
    assert!(Instr::INSERT_SUBREG == ffi::PTX_CHECK_INSERT_SUBREG);
    assert!(Instr::EXTRACT_SUBREG == ffi::PTX_CHECK_EXTRACT_SUBREG);
    assert!(Instr::SUBREG_TO_REG == ffi::PTX_CHECK_SUBREG_TO_REG);
    assert!(Instr::BUNDLE == ffi::PTX_CHECK_BUNDLE && Instr::ORDERED == ffi::PTX_CHECK_ORDERED);
    assert!(Instr::LOAD == ffi::PTX_CHECK_LOAD && Instr::PHYSICAL == ffi::PTX_CHECK_PHYSICAL);
    assert!(Instr::COMMUTABLE == ffi::PTX_CHECK_COMMUTABLE && Instr::TIED == ffi::PTX_CHECK_TIED);
    assert!(Instr::UNTIED == ffi::PTX_CHECK_UNTIED);
    assert!(Instr::TERMINATOR == ffi::PTX_CHECK_TERMINATOR && Instr::BRANCH == ffi::PTX_CHECK_BRANCH);
    assert!(Instr::CALL == ffi::PTX_CHECK_CALL && Instr::ASM_BR == ffi::PTX_CHECK_ASM_BR);
    assert!(program::EH_PAD as u32 == ffi::PTX_MBB_EH_PAD);
};

thread_local! {
    /// What opcodes of NVPTX, which a process has one of, move.
    static HALVES: RefCell<FxHashMap<u32, u32>> = RefCell::default();
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

impl MachineFunction<'_> {
    /// What the instructions of a function of NVPTX in SSA form, which is `program`, read that are not computed by [`addresses`]; of
    /// loads and stores the values of their addresses. Induction variables are not among them if these may be others, `of_variables`.
    pub fn addresses(self, program: &Program, of_variables: bool) -> Vec<addresses::Access> {
        let (mut worlds, mut operands, mut accesses) = (addresses::Worlds::default(), Vec::new(), Vec::new());
        worlds.clear(self.num_virt_regs());
        let mut contents = vec![None; self.num_virt_regs()];
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
        let threads = self.max_threads();
        let dominators = of_variables.then(|| {
            let (mut cfg, mut dominators) = (Cfg::default(), Dominators::default());
            cfg.compute(&program.succs);
            dominators.compute(&cfg);
            dominators
        });
        let mut defs =
            Defs { mf: self, program, dominators, contents, mnemonics: FxHashMap::default(), threads };
        for block in self.blocks() {
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
                    let (reg, offset) =
                        address.filter(|_| k == last).unwrap_or((o.reg().virt_index() as u32, 0));
                    let values = worlds.address(&mut defs, reg, offset);
                    accesses.push(addresses::Access { key: mi.key(), values });
                }
            }
        }
        accesses
    }
    /// Reads the function for the checker.
    pub fn snapshot(self, out: &mut Program) {
        out.clear(self.num_virt_regs(), self.num_block_ids());
        let mut instrs: Vec<ffi::PtxCheckedInstr> = Vec::new();
        let mut succs: Vec<u32> = Vec::new();
        for block in self.blocks() {
            let eh_pad = u8::from(block.is_eh_pad()) * program::EH_PAD;
            let flags = eh_pad | (u8::from(block.is_asm_br_target()) * program::ASM_BR_TARGET);
            let mbb = block.ptr.as_ptr();
            succs.resize(block.num_successors() as usize, 0);
            // SAFETY: handle; there is room for all successors.
            unsafe { ffi::ptx_mbb_successors(mbb, succs.as_mut_ptr()) };
            out.begin_block(block.number(), flags, &succs);
            let first = out.operands.len();
            loop {
                instrs.clear();
                let room = out.operands.capacity() - first;
                let mut num_operands = 0;
                // SAFETY: handle; the buffers have the capacities that are passed, `Operand` is one u64.
                let n = unsafe {
                    ffi::ptx_check_read(
                        mbb,
                        instrs.as_mut_ptr(),
                        instrs.capacity(),
                        out.operands.as_mut_ptr().add(first).cast(),
                        room,
                        &mut num_operands,
                    )
                };
                if n <= instrs.capacity() && num_operands <= room {
                    // SAFETY: that many items were written.
                    unsafe {
                        instrs.set_len(n);
                        out.operands.set_len(first + num_operands);
                    }
                    break;
                }
                instrs.reserve(n);
                out.operands.reserve(num_operands);
            }
            out.instrs.extend(instrs.iter().map(|i| Instr {
                key: i.instr as usize,
                content: i.content,
                opcode: i.opcode,
                flags: i.flags,
                first_operand: first as u32 + i.first_operand,
                num_operands: i.num_operands,
            }));
            out.end_block();
        }
        if self.is_nvptx() {
            self.find_halves(out);
        }
        out.index();
    }

    /// Flags instructions that move halves.
    fn find_halves(self, out: &mut Program) {
        HALVES.with_borrow_mut(|halves| {
            for instr in &mut out.instrs {
                let of_opcode = || halves::flags_of(&self.opcode_name(instr.opcode));
                instr.flags |= *halves.entry(instr.opcode).or_insert_with(of_opcode);
            }
        });
    }
}

/// What the checker asks of LLVM, behind a pass.
pub struct CheckedTarget<'f>(pub MachineFunction<'f>);

impl CheckedTarget<'_> {
    /// An instruction that is in the function.
    fn instr(&self, key: usize) -> MachineInstr<'_> {
        // SAFETY: the key is the address of an instruction of the function as it is.
        unsafe { MachineInstr::from_ptr(key as *mut ffi::PtxInstr) }.expect("never null")
    }
    /// An instruction as LLVM prints it.
    pub fn text(&self, key: usize) -> String {
        self.instr(key).text()
    }
}

impl Target for CheckedTarget<'_> {
    fn compose(&self, a: u32, b: u32) -> u32 {
        // SAFETY: handle; indices of the target.
        unsafe { ffi::ptx_tri_compose(self.0.ptr.as_ptr(), a, b) }
    }
    fn lanes(&self, sub: u32) -> u64 {
        self.0.lane_mask(sub)
    }
    fn compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        // SAFETY: handle; an index of the target.
        unsafe { ffi::ptx_tri_compose_lanes(self.0.ptr.as_ptr(), sub, lanes) }
    }
    fn reverse_compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        // SAFETY: handle; an index of the target.
        unsafe { ffi::ptx_tri_reverse_compose_lanes(self.0.ptr.as_ptr(), sub, lanes) }
    }
    fn num_indices(&self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_subreg_indices(self.0.ptr.as_ptr()) }
    }
    fn opcode_name(&self, opcode: u32) -> String {
        self.0.opcode_name(opcode).into_owned()
    }
    fn commutes(&self, key: usize, a: usize, b: usize) -> bool {
        self.instr(key).operands_commute(a, b)
    }
}
