//! Instructions that lack operands or parts of their opcode: an error or another meaning, but never a panic.

use std::panic::catch_unwind;
use std::path::Path;

use ptx_emu::grid::block::Program;
use ptx_emu::grid::compare::{kernel, Tally};
use ptx_emu::grid::launch::Launch;
use ptx_emu::ptx::{parse, run, types};

const HEAD: &str = "\
.version 8.7
.target sm_90a
.address_size 64
.global .align 16 .b8 gsym[64];
.const .align 16 .b8 csym[64];
.visible .entry k(
.param .align 16 .b8 k_param_0[128]
)
{
.reg .pred %p<20>;
.reg .b16 %rs<20>;
.reg .b32 %r<20>;
.reg .b64 %rd<20>;
.reg .b128 %rq<20>;
.shared .align 16 .b8 buf[1024];
.local .align 16 .b8 loc[64];
";

/// The instruction without its last operands, and without the last parts of its opcode.
fn cut(line: &str) -> Vec<String> {
    let code = line.trim_end_matches(';');
    let (opcode, operands) = code.split_once(' ').unwrap_or((code, ""));
    let operands = parse::split(operands);
    let parts: Vec<&str> = opcode.split('.').collect();
    let fewer_operands =
        (0..operands.len()).map(|count| format!("{opcode} {};", operands[..count].join(", ")));
    let fewer_parts =
        (1..parts.len()).map(|count| format!("{} {};", parts[..count].join("."), operands.join(", ")));
    let bare = (1..parts.len()).map(|count| format!("{};", parts[..count].join(".")));
    fewer_operands.chain(fewer_parts).chain(bare).collect()
}

/// Reads a kernel with the instruction, checks its widths, and runs it by both interpreters.
fn execute(line: &str) {
    let text = format!("{HEAD}{line}\nret;\n}}\n");
    types::check(&text);
    for function in parse::parse(&text) {
        let program = run::Program::new(&function);
        program.run(1, 100, &mut vec![false; program.num_steps()]);
    }
    if let Ok(program) = Program::new(&text) {
        let mut launch = Launch::new("k".to_owned());
        (launch.grid, launch.block) = ([1; 3], [32, 1, 1]);
        let _ = kernel(&program, &program, "k", &[launch], &mut Tally::default());
    }
}

#[test]
fn an_incomplete_instruction_does_not_panic() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/widths.txt");
    let text = std::fs::read_to_string(&file).expect("the instructions of tests/widths.py");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let all: Vec<String> = lines.flat_map(cut).collect();
    assert!(all.len() > 3000, "{}", all.len());
    let panics: Vec<&String> = all.iter().filter(|line| catch_unwind(|| execute(line)).is_err()).collect();
    assert!(panics.is_empty(), "{} of {}: {panics:#?}", panics.len(), all.len());
}
