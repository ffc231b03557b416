//! The facts of each instruction that the replay asks for.
//!
//! **Complexity.** Linear in the code.

use sass_emu::instruction::{Instruction, Value};

use crate::machine::Machine;
use crate::pipe::{pipe, Pipe};

/// The effect of an instruction besides holding a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    None,
    /// Arrives at a barrier of the block and waits, with the warps that it waits for; `None` for all.
    Barrier(u8, Option<u32>),
    /// Arrives without waiting.
    Arrive(u8, Option<u32>),
    /// Goes on once at most as many are outstanding on a scoreboard.
    Outstanding(u8, u32),
    /// Asks a scoreboard for the end of all copies to shared memory so far.
    Copies,
    /// A copy from global to shared memory.
    Copy,
}

/// An instruction, as the replay sees it.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    pub pipe: Pipe,
    pub action: Action,
    /// Cycles until the warp may go on.
    pub stall: u64,
    /// Cycles for which it holds its pipe.
    pub busy: u64,
    /// Cycles until its result is there, where memory does not decide.
    pub latency: u64,
    /// Scoreboards: set by the result, set by the operands (7: none), waited for (bits).
    pub write: u8,
    pub read: u8,
    pub wait: u8,
}

/// Reads the facts of all instructions.
pub fn ops(machine: &Machine, code: &[Instruction]) -> Vec<Op> {
    code.iter().map(|instruction| op(machine, instruction)).collect()
}

fn op(machine: &Machine, instruction: &Instruction) -> Op {
    let base = instruction.base();
    let pipe = pipe(&instruction.opcode);
    let integer = |at: usize| match instruction.operands.get(at).map(|operand| &operand.value) {
        Some(Value::Integer(number)) => u32::try_from(*number).ok(),
        _ => None,
    };
    let action = match base {
        "BAR" if instruction.has("ARV") => Action::Arrive(integer(0).unwrap_or(0) as u8, warps(integer(1))),
        "BAR" => Action::Barrier(integer(0).unwrap_or(0) as u8, warps(integer(1))),
        "DEPBAR" => match instruction.operands.first().map(|operand| &operand.value) {
            Some(Value::Name(name)) => match name.strip_prefix("SB").and_then(|digit| digit.parse().ok()) {
                Some(scoreboard) => Action::Outstanding(scoreboard, integer(1).unwrap_or(0)),
                None => Action::None,
            },
            _ => Action::None,
        },
        "LDGDEPBAR" => Action::Copies,
        "LDGSTS" => Action::Copy,
        _ => Action::None,
    };
    let mut latency = machine.latency(pipe);
    let busy = match (pipe, base) {
        (_, "LDC") => {
            latency = machine.constant_latency;
            machine.busy(pipe)
        }
        (Pipe::FmaHeavy, _) if instruction.has("WIDE") || instruction.has("HI") => machine.wide,
        (Pipe::Tensor, _) => products(machine, instruction),
        _ => machine.busy(pipe),
    };
    let control = instruction.control;
    Op {
        pipe,
        action,
        stall: u64::from(control.stall).max(1),
        busy,
        latency: latency.max(busy),
        write: control.write_barrier.unwrap_or(7),
        read: control.read_barrier.unwrap_or(7),
        wait: control.wait,
    }
}

fn warps(threads: Option<u32>) -> Option<u32> {
    threads.map(|threads| threads.div_ceil(32))
}

/// The cycles for which a product of matrices holds the tensor pipe, by the shape in its opcode: `HMMA.16816.F32`.
fn products(machine: &Machine, instruction: &Instruction) -> u64 {
    let shape = instruction.modifiers().find(|part| part.bytes().all(|letter| letter.is_ascii_digit()));
    let count: u64 = match shape {
        Some("1688") => 16 * 8 * 8,
        Some("16816") => 16 * 8 * 16,
        Some("16832") => 16 * 8 * 32,
        Some("884") => 8 * 8 * 4,
        Some("8816") => 8 * 8 * 16,
        Some("8832") => 8 * 8 * 32,
        Some("16864") => 16 * 8 * 64,
        _ => 16 * 8 * 16,
    };
    let factor = match instruction.base() {
        // An eighth of the rate of 16 bits, and twice.
        "DMMA" => 16,
        "IMMA" | "QMMA" => 1,
        _ => 2,
    };
    (count * factor / 2).div_ceil(machine.tensor).max(2)
}
