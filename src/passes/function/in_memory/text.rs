//! Reads and writes the text of a function.

use super::data::{BlockData, InMemory, InstrData};
use crate::mir::{Kind, Operand, Register};

pub(super) fn parse(text: &str) -> InMemory {
    let f = InMemory::default();
    f.is_ssa.set(true);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_suffix(':') {
            Some(block) => push_block(&f, block),
            None => push_instr(&f, line),
        }
    }
    let mut blocks = f.blocks.borrow_mut();
    let edges: Vec<_> = (0..blocks.len())
        .flat_map(|b| blocks[b].succs.iter().map(move |&s| (b, s)).collect::<Vec<_>>())
        .collect();
    edges.iter().for_each(|&(from, to)| blocks[to as usize].preds.push(from as u32));
    drop(blocks);
    f
}

fn push_block(f: &InMemory, line: &str) {
    let (name, succs) = line.split_once(" -> ").unwrap_or((line, ""));
    let mut blocks = f.blocks.borrow_mut();
    assert_eq!(block_number(name), blocks.len() as u32, "blocks are numbered in order");
    let succs = succs.split_whitespace().map(block_number).collect();
    blocks.push(BlockData { succs, ..BlockData::default() });
}

fn block_number(name: &str) -> u32 {
    name.strip_prefix("bb").and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no block: '{name}'"))
}

fn push_instr(f: &InMemory, line: &str) {
    let (defs, rest) = line.split_once(" = ").unwrap_or(("", line));
    let (opcode, uses) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut instr = InstrData { opcode: opcode.to_owned(), ..InstrData::default() };
    for (text, is_def) in list(defs).map(|t| (t, true)).chain(list(uses).map(|t| (t, false))) {
        let operand = operand(f, &mut instr, text, is_def);
        instr.operands.push(operand);
    }
    for &(src, dst) in &instr.ties {
        for index in [src, dst] {
            instr.operands[index] = instr.operands[index].test_flag(Operand::TIED_SHIFT);
        }
    }
    let (mut blocks, mut instrs) = (f.blocks.borrow_mut(), f.instrs.borrow_mut());
    instr.block = Some(blocks.len() as u32 - 1);
    blocks.last_mut().expect("a block comes first").instrs.push(instrs.len() as u32);
    instrs.push(instr);
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|t| !t.is_empty())
}

fn operand(f: &InMemory, instr: &mut InstrData, text: &str, is_def: bool) -> Operand {
    let (text, tie) = match text.strip_suffix(')').and_then(|t| t.split_once("(tied-def ")) {
        Some((text, def)) => (text, Some(def.parse().expect("the position of a def"))),
        None => (text, None),
    };
    if let Some(def) = tie {
        instr.ties.push((instr.operands.len(), def));
    }
    let (flags, name) = text.rsplit_once(' ').unwrap_or(("", text));
    let mut operand = value(f, name, is_def);
    for flag in flags.split_whitespace() {
        operand = operand.test_flag(match flag {
            "killed" | "dead" => Operand::DEAD_OR_KILL_SHIFT,
            "undef" => Operand::UNDEF_SHIFT,
            "early-clobber" => Operand::EARLY_CLOBBER_SHIFT,
            _ => panic!("no flag: '{flag}'"),
        });
    }
    operand
}

fn value(f: &InMemory, name: &str, is_def: bool) -> Operand {
    if let Some(number) = name.strip_prefix("bb") {
        return Operand::test_block(number.parse().expect("the number of a block"));
    }
    if let Some(number) = name.strip_prefix('$') {
        return Operand::test_reg(Register(number.parse().expect("a physical register")), is_def, false);
    }
    let Some(reg) = name.strip_prefix('%') else {
        return Operand::test_imm(name.parse().unwrap_or_else(|_| panic!("no operand: '{name}'")));
    };
    let (reg, part) = reg.split_once('.').unwrap_or((reg, "0"));
    let reg: u32 = reg.parse().expect("the number of a register");
    f.num_virt_regs.set(f.num_virt_regs.get().max(reg + 1));
    Operand::test_reg(Register::virt(reg), is_def, false).test_subreg(part.parse().expect("a part"))
}

pub(super) fn print(f: &InMemory, block: u32) -> String {
    let (blocks, instrs) = (f.blocks.borrow(), f.instrs.borrow());
    let lines = blocks[block as usize].instrs.iter().map(|&id| print_instr(&instrs[id as usize]));
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn print_instr(instr: &InstrData) -> String {
    let texts = |defs: bool| {
        let operands = instr.operands.iter().enumerate().filter(|(_, op)| op.is_def() == defs);
        operands.map(|(index, &op)| print_operand(instr, index, op)).collect::<Vec<_>>().join(", ")
    };
    let (defs, uses) = (texts(true), texts(false));
    let defs = if defs.is_empty() { defs } else { format!("{defs} = ") };
    format!("{defs}{} {uses}", instr.opcode).trim().to_owned()
}

fn print_operand(instr: &InstrData, index: usize, op: Operand) -> String {
    let name = match op.kind() {
        Kind::Imm => return op.imm_low().to_string(),
        Kind::Other => return format!("bb{}", op.block_number().raw()),
        Kind::RegMask => return "regmask".to_owned(),
        Kind::Reg if op.reg().is_virtual() => format!("%{}", op.reg().virt_index()),
        Kind::Reg => format!("${}", op.reg().0),
    };
    let flags = [
        (op.is_undef(), "undef "),
        (op.is_early_clobber(), "early-clobber "),
        (op.is_dead(), "dead "),
        (op.is_kill(), "killed "),
    ];
    let flags: String = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, text)| *text).collect();
    let part = if op.subreg() == 0 { String::new() } else { format!(".{}", op.subreg()) };
    let tie = instr.ties.iter().find(|(src, _)| *src == index).map(|(_, def)| format!("(tied-def {def})"));
    format!("{flags}{name}{part}{}", tie.unwrap_or_default())
}
