//! Programs for the checker's tests and its fuzzer.

use super::instr::Instr;
use super::program::{EarlyEntry, Program};
use super::*;
use crate::mir::testing::read;
use crate::mir::{BlockNumber, Operand, Register};

#[cfg(test)]
mod programs;
pub mod random;

/// Two parts, 1 and 2, with a lane each.
struct TwoParts;

impl CheckerTarget for TwoParts {
    fn compose(&self, _: u32, _: u32) -> u32 {
        0
    }
    fn lanes(&self, sub: u32) -> u64 {
        1 << (sub - 1)
    }
    fn compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        if lanes & 1 != 0 {
            self.lanes(sub)
        } else {
            0
        }
    }
    fn reverse_compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        u64::from(lanes & self.lanes(sub) != 0)
    }
    fn num_indices(&self) -> u32 {
        3
    }
    fn opcode_name(&self, opcode: u32) -> String {
        format!("op{opcode}")
    }
    fn commutes(&self, _: usize, a: usize, b: usize) -> bool {
        (a, b) == (1, 2)
    }
}

const RULES: Rules = Rules { target_rewrites: false, makes_ties: false, kills: true, code: true };

/// An instruction of a test.
#[derive(Clone, Debug, PartialEq)]
struct I {
    key: usize,
    opcode: u32,
    flags: u32,
    operands: Vec<Operand>,
}

#[derive(Clone, Debug, Default)]
struct F {
    /// Instructions and successors.
    blocks: Vec<(Vec<I>, Vec<u32>)>,
    num_regs: u32,
}

fn def(reg: u32) -> Operand {
    Operand::test_reg(Register::virt(reg), true, false)
}
fn copy(dst: u32, src: u32) -> I {
    I { key: 0, opcode: 1, flags: Instr::COPY, operands: vec![def(dst), read(src)] }
}
fn implicit_def(dst: u32) -> I {
    I { key: 0, opcode: 2, flags: Instr::IMPLICIT_DEF, operands: vec![def(dst)] }
}
fn op(key: usize, operands: &[Operand]) -> I {
    I { key, opcode: 100 + key as u32, flags: 0, operands: operands.to_vec() }
}
fn effect(key: usize, operands: &[Operand]) -> I {
    I { flags: Instr::ORDERED, ..op(key, operands) }
}

/// A short form for messages.
impl std::fmt::Display for F {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        for (b, (code, succs)) in self.blocks.iter().enumerate() {
            writeln!(out, "bb.{b} -> {succs:?}")?;
            for i in code {
                let name = |op: &Operand| match op.is_reg() {
                    true => format!("{}%{}", if op.is_def() { "def " } else { "" }, op.reg().virt_index()),
                    false => format!("bb.{}", op.0 >> Operand::VALUE_SHIFT),
                };
                let operands: Vec<_> = i.operands.iter().map(name).collect();
                writeln!(out, "  {} op{}: {}", i.key, i.opcode, operands.join(", "))?;
            }
        }
        Ok(())
    }
}

impl F {
    fn program(&self) -> Program {
        let mut p = Program::default();
        p.clear(self.num_regs as usize, self.blocks.len());
        for (number, (code, succs)) in self.blocks.iter().enumerate() {
            let succs = succs.iter().map(|&s| BlockNumber::from_raw(s));
            p.begin_block(BlockNumber::new(number), EarlyEntry::default(), succs);
            for (k, i) in code.iter().enumerate() {
                let first_operand = p.operands.len() as u32;
                p.operands.extend_from_slice(&i.operands);
                p.instrs.push(Instr {
                    // Moves get new keys.
                    key: if i.key != 0 { i.key } else { 1 << 20 | number << 10 | k },
                    content: u64::from(i.opcode),
                    names: 0,
                    opcode: i.opcode,
                    flags: i.flags,
                    first_operand,
                    num_operands: i.operands.len() as u32,
                });
            }
            p.end_block();
        }
        p.index();
        p
    }
}

fn check(before: &F, after: &F) -> Result<(), Failure> {
    let mut report = Report::default();
    Checker::default().check(&before.program(), &after.program(), &TwoParts, RULES, &mut report)
}
