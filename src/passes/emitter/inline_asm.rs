//! Emits INLINEASM and INLINEASM_BR (requirement E9).
//!
//! After its fixed operands the node has groups. A group is a flag word, which has the number of
//! operands, and then the operands. The instruction gets the string, the word of side effects, the
//! groups, and the source location.

use super::block::{BlockEmitter, Repetition};
use super::host::EmitterHost;
use super::operands::Building;
use crate::mir::dag::ids::NodeHandle;
use crate::mir::dag::new_instr::{new, reg_flag, NewInstr, NewOperand, Tie};
use crate::mir::dag::node::{isd, Node};
use crate::mir::dag::operand::{kind, Operand};
use crate::mir::dag::schedule::flag;
use crate::mir::Register;
use crate::versions::VERSIONS;

/// Positions of the node's fixed operands; the chain is first.
const ASM_STRING: usize = 1;
const SOURCE_LOCATION: usize = 2;
const EXTRA_INFO: usize = 3;
const FIRST_GROUP: usize = 4;

/// A group's flag word (`InlineAsm.h`, the same from LLVM 17 to 24).
#[derive(Clone, Copy)]
struct FlagWord(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GroupKind {
    RegUse,
    RegDef,
    RegDefEarlyClobber,
    Clobber,
    Imm,
    Mem,
    Func,
}

impl FlagWord {
    fn kind(self) -> GroupKind {
        use GroupKind::{Clobber, Func, Imm, Mem, RegDef, RegDefEarlyClobber, RegUse};
        match self.0 & 7 {
            1 => RegUse,
            2 => RegDef,
            3 => RegDefEarlyClobber,
            4 => Clobber,
            5 => Imm,
            6 => Mem,
            7 => Func,
            other => panic!("inline assembly has an operand group of kind {other}"),
        }
    }
    fn num_operands(self) -> usize {
        (self.0 >> 3 & 0x1fff) as usize
    }
    /// The group of results that a group of uses is tied to.
    fn tied_group(self) -> Option<usize> {
        (self.0 >> 31 != 0).then_some((self.0 >> 16 & 0x7fff) as usize)
    }
}

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Emits the node: string, side effects, groups, source location.
    pub(super) fn emit_inline_asm(&mut self, node: &Node, repetition: Repetition) {
        let opcodes = &self.target.opcodes;
        let is_br = node.opcode == isd::INLINEASM_BR;
        let opcode = if is_br { opcodes.inlineasm_br } else { opcodes.inlineasm };
        let operands = self.dag.operands_of(node);
        let operands =
            &operands[..operands.len() - usize::from(operands.last().is_some_and(|op| op.is_glue()))];

        self.put_asm_results(node, repetition);
        let desc = self.target.desc(self.host, opcode);
        let mi = self.start(desc, node.handle, repetition);
        self.push(NewOperand::of(new::ASM_STRING, self.dag.word_of(operands[ASM_STRING])));
        self.push(NewOperand::imm(self.dag.zext(operands[EXTRA_INFO]) as i64));
        let mut groups = Vec::new();
        let mut ties = Vec::new();
        let mut at = FIRST_GROUP;
        while at < operands.len() {
            let group = FlagWord(self.dag.zext(operands[at]) as u32);
            groups.push(self.buffers.operands.len());
            self.push(NewOperand::imm(group.0.into()));
            let members = at + 1..at + 1 + group.num_operands();
            at = members.end;
            self.add_asm_group(&mi, group, &operands[members]);
            if let Some(tied) = group.tied_group().filter(|_| group.kind() == GroupKind::RegUse) {
                let (def, used) = (groups[tied] as u32 + 1, groups[groups.len() - 1] as u32 + 1);
                ties.extend((0..group.num_operands() as u32).map(|j| Tie { def: def + j, used: used + j }));
            }
        }
        if VERSIONS.emitter.asm_defines_rounding && !VERSIONS.emitter.asm_rounding_after_metadata {
            self.add_rounding_defs();
        }
        self.drop_needless_early_clobbers();
        let location = operands[SOURCE_LOCATION];
        assert_eq!(location.kind, kind::METADATA, "inline assembly has a source location");
        let location = self.dag.word_of(location);
        if location != 0 {
            self.push(NewOperand::of(new::METADATA, location));
        }
        if VERSIONS.emitter.asm_rounding_after_metadata {
            self.add_rounding_defs();
        }
        let operands = std::mem::take(&mut self.buffers.operands);
        let instr = NewInstr {
            opcode,
            mi_flags: 0,
            location: node.handle,
            machine: NodeHandle::NULL,
            operands: &operands,
            ties: &ties,
        };
        self.emit_instr(&instr, false);
        self.buffers.operands = operands;
    }

    /// Appends the operands of a group.
    fn add_asm_group(&mut self, mi: &Building, group: FlagWord, members: &[Operand]) {
        for op in members {
            let register = || self.buffers.asm.now(op.as_register().expect("a group of registers"));
            match group.kind() {
                GroupKind::RegDef => self.push(asm_def(register(), 0)),
                GroupKind::RegDefEarlyClobber => self.push(asm_def(register(), reg_flag::EARLY_CLOBBER)),
                GroupKind::Clobber => {
                    let dead = if VERSIONS.emitter.asm_clobbers_are_dead { reg_flag::DEAD } else { 0 };
                    self.push(asm_def(register(), reg_flag::EARLY_CLOBBER | dead));
                }
                GroupKind::Func if op.kind == kind::GLOBAL_ADDRESS => {
                    self.push(NewOperand::of(new::FUNCTION, self.dag.word_of(*op)));
                }
                GroupKind::RegUse if op.as_register().is_some_and(|reg| reg != register()) => {
                    self.push(NewOperand::reg(register(), 0));
                }
                GroupKind::RegUse | GroupKind::Imm | GroupKind::Mem | GroupKind::Func => {
                    self.add_operand(mi, op, None);
                }
            }
        }
    }

    /// Appends the registers that control rounding as defs, in a `strictfp` function.
    fn add_rounding_defs(&mut self) {
        if self.dag.has(flag::STRICT_FP) {
            for reg in self.host.rounding_regs() {
                self.push(NewOperand::reg(reg, reg_flag::DEFINE | reg_flag::IMPLICIT));
            }
        }
    }

    /// Drops the early-clobber flag of a result whose register the assembly also reads. LLVM allows
    /// that, but the flag says that no operand shares the register.
    fn drop_needless_early_clobbers(&mut self) {
        let mut operands = std::mem::take(&mut self.buffers.operands);
        for i in 0..operands.len() {
            let Some(reg) = operands[i].as_def().filter(|_| operands[i].flags & reg_flag::EARLY_CLOBBER != 0)
            else {
                continue;
            };
            if !operands.iter().filter_map(|op| op.as_use()).any(|read| self.host.regs_overlap(read, reg)) {
                continue;
            }
            let defines = |op: &NewOperand| op.as_def().is_some_and(|def| self.is_or_contains(def, reg));
            let def = operands.iter_mut().find(|op| defines(op)).expect("the register is defined");
            def.flags &= !reg_flag::EARLY_CLOBBER;
        }
        self.buffers.operands = operands;
    }

    fn is_or_contains(&self, whole: Register, part: Register) -> bool {
        whole == part || whole.is_physical() && part.is_physical() && self.host.is_subreg(whole, part)
    }
}

/// A def by inline assembly. A physical register is an implicit def, as with a call.
fn asm_def(reg: Register, flags: u32) -> NewOperand {
    let implicit = if reg.is_physical() { reg_flag::IMPLICIT } else { 0 };
    NewOperand::reg(reg, reg_flag::DEFINE | implicit | flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e9_flag_words() {
        let uses = FlagWord(1 | 2 << 3 | 5 << 16 | 1 << 31);
        assert_eq!((uses.kind(), uses.num_operands(), uses.tied_group()), (GroupKind::RegUse, 2, Some(5)));
        let defs = FlagWord(3 | 128 << 3 | 7 << 16);
        assert_eq!(
            (defs.kind(), defs.num_operands(), defs.tied_group()),
            (GroupKind::RegDefEarlyClobber, 128, None)
        );
    }
}
