//! Instructions that lack operands or modifiers: unknown, or with another meaning, but never a panic.
//!
//! `forms.txt` has a text for each form of instruction in the machine code that ptxas 13.0 makes of some of LLVM's tests and of random code.

use std::panic::catch_unwind;

use sass_emu::cubin::{Cubin, Kernel};
use sass_emu::grid::{run, Launch, Program};
use sass_emu::instruction::{listing, SIZE};
use sass_emu::memory::Memory;

/// The instruction, and the same without its last operands, and without its last modifiers.
fn cut(line: &str) -> Vec<String> {
    let (opcode, operands) = line.split_once(' ').unwrap_or((line, ""));
    let operands: Vec<&str> = operands.split(',').collect();
    let modifiers: Vec<&str> = opcode.split('.').collect();
    let fewer_operands =
        (0..=operands.len()).map(|count| format!("{opcode} {}", operands[..count].join(",")));
    let fewer_modifiers =
        (1..modifiers.len()).map(|count| format!("{} {}", modifiers[..count].join("."), operands.join(",")));
    fewer_operands.chain(fewer_modifiers).collect()
}

/// Reads and runs a kernel with the instruction, on a processor of this number.
fn execute(architecture: u32, line: &str) {
    let (opcode, operands) = line.split_once(' ').unwrap_or((line, ""));
    let lines = [(opcode, operands), ("EXIT", "")]
        .map(|(opcode, operands)| format!("{{\"opcode\":\"{opcode}\",\"operands\":\"{operands}\"}}"));
    let json = format!("[{{}},[{{\"function-name\":\"k\",\"sass-instructions\":[{}]}}]]", lines.join(","));
    let code = vec![0; lines.len() * SIZE as usize];
    let kernel = Kernel { name: "k".to_owned(), code, ..Kernel::default() };
    let mut cubin = Cubin { architecture, ..Cubin::default() };
    cubin.kernels.insert("k".to_owned(), kernel.clone());
    let Ok(listing) = listing(&json, &cubin) else { return };
    let program = Program::new(&cubin, &kernel, &listing["k"]);
    let launch = Launch { grid: [1; 3], block: [32, 1, 1], shared: 64, parameters: vec![], budget: 100 };
    run(&program, &launch, Memory::new(|_: u64, _: &mut [u8]| {}), ());
}

#[test]
fn an_incomplete_instruction_does_not_panic() {
    let all: Vec<String> = include_str!("forms.txt").lines().flat_map(cut).collect();
    assert!(all.len() > 3000, "{}", all.len());
    let panics: Vec<&String> = all
        .iter()
        .filter(|line| [80, 90, 120].iter().any(|&cpu| catch_unwind(|| execute(cpu, line)).is_err()))
        .collect();
    assert!(panics.is_empty(), "{} of {}: {panics:#?}", panics.len(), all.len());
}
