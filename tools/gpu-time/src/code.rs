//! The facts of each instruction that the replay asks for.
//!
//! **Complexity.** Linear in the code.

use sass_emu::instruction::{Instruction, Registers, Value};

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
    /// A product of a group of four warps, which runs on after it is issued; whether it ends a group of products.
    Product(bool),
    /// A bulk copy to shared memory.
    Bulk,
    /// Goes on once at most this many groups of products are outstanding.
    Products(u32),
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
    /// Whether it loads a constant into a uniform register.
    pub loads_uniform: bool,
    /// Whether it is the first instruction after such a load that names its register.
    pub uses_uniform: bool,
    /// Scoreboards: set by the result, set by the operands (7: none), waited for (bits).
    pub write: u8,
    pub read: u8,
    pub wait: u8,
    pub reads: Reads,
}

/// The vector registers that an instruction of a fixed latency reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The register of each source operand; `None` where the operand is not one.
    pub registers: [Option<u8>; OPERANDS],
    /// Whether the operand stays in the reuse cache.
    pub stays: [bool; OPERANDS],
    /// Further reads of each bank: the upper halves of 64-bit operands.
    pub halves: [u8; BANKS],
}

/// Banks of the registers of a scheduler: even registers and odd ones.
pub const BANKS: usize = 2;
/// Source operands that an instruction has at most.
pub const OPERANDS: usize = 3;

/// Reads the facts of all instructions.
pub fn ops(machine: &Machine, code: &[Instruction]) -> Vec<Op> {
    let mut ops: Vec<Op> = code.iter().map(|instruction| op(machine, instruction)).collect();
    for (place, instruction) in
        code.iter().enumerate().filter(|(_, instruction)| instruction.base() == "ULDC")
    {
        ops[place].loads_uniform = true;
        let Some(&first) = uniform_registers(&instruction.text).first() else { continue };
        let last = first + u32::from(instruction.has("64"));
        let names = |user: &usize| {
            uniform_registers(&code[*user].text).iter().any(|register| (first..=last).contains(register))
        };
        if let Some(user) = (place + 1..code.len().min(place + REACH)).find(names) {
            ops[user].uses_uniform = true;
        }
    }
    ops
}

/// How many instructions after a load into a uniform register its first user is looked for. Later ones find it there.
const REACH: usize = 24;

/// The numbers of the uniform registers that an instruction names, in their order.
fn uniform_registers(text: &str) -> Vec<u32> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter_map(|word| word.strip_prefix("UR")?.parse().ok()).collect()
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
        "UTMALDG" | "UBLKCP" => Action::Bulk,
        _ if is_group_product(base) => Action::Product(
            instruction
                .operands
                .iter()
                .any(|operand| matches!(&operand.value, Value::Name(name) if name.starts_with("gsb"))),
        ),
        "WARPGROUP" if instruction.has("DEPBAR") => Action::Products(integer(1).unwrap_or(0)),
        _ => Action::None,
    };
    let mut latency = machine.latency(pipe);
    let busy = match (pipe, base) {
        (_, "LDC") => {
            latency = machine.constant_latency;
            machine.busy(pipe)
        }
        (Pipe::FmaHeavy, _) if instruction.has("WIDE") || instruction.has("HI") => machine.wide,
        (Pipe::Tensor, _) if is_group_product(base) => group_products(machine, instruction),
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
        loads_uniform: false,
        uses_uniform: false,
        write: control.write_barrier.unwrap_or(7),
        read: control.read_barrier.unwrap_or(7),
        wait: control.wait,
        reads: reads(pipe, instruction),
    }
}

/// The source registers of an instruction. Those that a scoreboard guards read theirs when the ports are free, and products of matrices over many cycles: they have none.
fn reads(pipe: Pipe, instruction: &Instruction) -> Reads {
    let mut reads = Reads::default();
    if !matches!(pipe, Pipe::Alu | Pipe::Fma | Pipe::FmaHeavy | Pipe::Half) {
        return reads;
    }
    // The first register is the destination, except in comparisons, which write predicates.
    let base = instruction.base();
    let mut is_source = base.contains("SETP") || base == "R2P";
    let texts = instruction.text.split(',');
    let mut place = 0;
    let mut follows_number = false;
    for (operand, text) in instruction.operands.iter().zip(texts) {
        let is_number = matches!(operand.value, Value::Integer(_) | Value::Float(_));
        // An immediate of two halves is written as two numbers.
        let is_second_half = pipe == Pipe::Half && is_number && follows_number;
        follows_number = is_number;
        if is_second_half {
            continue;
        }
        let register = match &operand.value {
            Value::Register(register) => Some(register),
            Value::Integer(_) | Value::Float(_) | Value::Constant(..) => None,
            _ => continue,
        };
        if register.is_some() && !is_source {
            is_source = true;
            continue;
        }
        if place == reads.registers.len() {
            break;
        }
        let number = register.filter(|own| own.file == Registers::Lane).and_then(|own| own.number);
        reads.registers[place] = number;
        reads.stays[place] = text.contains(".reuse");
        // The addend of IMAD.WIDE is a pair.
        if let (2, true, Some(number)) = (place, instruction.has("WIDE"), number) {
            reads.halves[usize::from(number + 1) % BANKS] = 1;
        }
        place += 1;
    }
    reads
}

/// Whether the time of an asynchronous instruction is modelled: all but tensor memory (tcgen05). Stores by TMA and prefetches take that of their issue.
pub fn is_modelled(opcode: &str) -> bool {
    let base = opcode.split('.').next().unwrap_or(opcode);
    !base.starts_with("UTC") && !matches!(base, "LDTM" | "STTM" | "LDT" | "STT")
}

/// Whether it is a product of matrices of four warps together (wgmma).
fn is_group_product(base: &str) -> bool {
    matches!(base, "HGMMA" | "IGMMA" | "QGMMA" | "BGMMA")
}

/// The cycles for which a wgmma holds the tensor pipe of each of its four warps, by the shape in its opcode: `HGMMA.64x128x16.F32`. It takes in 32 bytes of each row of
/// the first matrix, whatever their type, so that its time depends on the columns alone: 64 x 8 x 16 products of 16 bits for eight of them. Operands that come from shared
/// memory take its bandwidth of 128 bytes a cycle: 2 KiB of the first matrix, unless it is in registers, and 32 bytes for each column of the second one. That
/// is why fewer than 64 columns do not reach the peak (Luo et al., table of wgmma by N).
fn group_products(machine: &Machine, instruction: &Instruction) -> u64 {
    let columns = instruction.modifiers().find_map(|part| {
        let mut sizes = part.split('x').skip(1);
        sizes.next().and_then(|size| size.parse::<u64>().ok())
    });
    let columns = columns.unwrap_or(64);
    let is_shared =
        matches!(instruction.operands.get(1).map(|operand| &operand.value), Some(Value::Memory(_)));
    let bytes = if is_shared { 2048 } else { 0 } + 32 * columns;
    (16 * columns * 16).div_ceil(machine.tensor).max(bytes.div_ceil(128))
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

#[cfg(test)]
mod tests {
    use super::*;
    use sass_emu::cubin::{Cubin, Kernel};
    use sass_emu::instruction::listing;

    fn read(opcode: &str, operands: &str) -> Op {
        let json = format!(
            r#"[{{}},[{{"function-name":"k","sass-instructions":[{{"opcode":"{opcode}","operands":"{operands}"}}]}}]]"#
        );
        let mut cubin = Cubin { architecture: 90, ..Cubin::default() };
        cubin.kernels.insert("k".to_owned(), Kernel { code: vec![0; 16], ..Kernel::default() });
        let code = listing(&json, &cubin).unwrap();
        op(&Machine::of(90).unwrap(), &code["k"][0])
    }

    #[test]
    fn the_time_of_a_wgmma_is_that_of_its_columns_or_of_shared_memory() {
        let shared = |shape: &str| read(&format!("HGMMA.{shape}.F32"), "R24,gdesc[UR12],R24").busy;
        assert_eq!([shared("64x256x16"), shared("64x128x16"), shared("64x64x16")], [128, 64, 32]);
        assert_eq!([shared("64x32x16"), shared("64x8x16")], [24, 18]);
        assert_eq!(read("QGMMA.64x256x32.F32.E4M3.E4M3", "R24,gdesc[UR12],R24").busy, 128);
        // The first matrix is in registers.
        assert_eq!(read("HGMMA.64x8x16.F32", "R24,R4,gdesc[UR12],R24").busy, 4);
    }

    #[test]
    fn the_first_user_of_a_uniform_load_waits_for_it() {
        let lines = [
            ("ULDC.64", "UR4,c[0x0][0x210]"),
            ("UMOV", "UR6,0x1"),
            ("IADD3", "R2,R2,UR5,RZ"),
            ("IADD3", "R3,R3,UR4,RZ"),
        ];
        let json: Vec<String> = lines
            .iter()
            .map(|(opcode, operands)| format!(r#"{{"opcode":"{opcode}","operands":"{operands}"}}"#))
            .collect();
        let json = format!(r#"[{{}},[{{"function-name":"k","sass-instructions":[{}]}}]]"#, json.join(","));
        let mut cubin = Cubin { architecture: 90, ..Cubin::default() };
        cubin.kernels.insert("k".to_owned(), Kernel { code: vec![0; 64], ..Kernel::default() });
        let ops = ops(&Machine::of(90).unwrap(), &listing(&json, &cubin).unwrap()["k"]);
        assert_eq!(ops.iter().map(|op| op.loads_uniform).collect::<Vec<_>>(), [true, false, false, false]);
        assert_eq!(ops.iter().map(|op| op.uses_uniform).collect::<Vec<_>>(), [false, false, true, false]);
    }

    #[test]
    fn registers_that_are_read() {
        let of = |opcode: &str, operands: &str| read(opcode, operands).reads;
        let three = of("FFMA", "R1,R2.reuse,R3,-R4");
        assert_eq!(three.registers, [Some(2), Some(3), Some(4)]);
        assert_eq!((three.stays, three.halves), ([true, false, false], [0, 0]));
        assert_eq!(of("IADD3", "R1,P0,R2,0x5,RZ").registers, [Some(2), None, None]);
        assert_eq!(of("FFMA", "R1,R2,c[0x0][0x210],R4").registers, [Some(2), None, Some(4)]);
        assert_eq!(of("ISETP.GE.AND", "P0,PT,R2,R3,PT").registers, [Some(2), Some(3), None]);
        assert_eq!(of("IADD3", "R1,R2,UR4,R3").registers, [Some(2), None, Some(3)]);
        assert_eq!(of("R2UR", "UR4,R2").registers, [Some(2), None, None]);
        // The immediate is one operand of two halves.
        assert_eq!(of("HFMA2.MMA", "R3,R0,0.5,0.5,R4").registers, [Some(0), None, Some(4)]);
        // The upper half of the addend is R7.
        assert_eq!(of("IMAD.WIDE", "R4,R2,R3,R6").halves, [0, 1]);
        assert_eq!(of("LDG.E", "R4,[R2.64]"), Reads { registers: [None; 3], ..Reads::default() });
    }

    #[test]
    fn tensor_memory_is_not_modelled() {
        assert!(["HGMMA.64x8x16.F32", "UTMALDG.2D", "SYNCS.EXCH.64"].into_iter().all(is_modelled));
        assert!(!["UTCHMMA.2CTA", "LDTM.x32", "UTCBAR"].into_iter().any(is_modelled));
    }

    #[test]
    fn groups_of_products_end_where_they_say_so() {
        assert_eq!(read("HGMMA.64x8x16.F32", "R24,gdesc[UR12],R24").action, Action::Product(false));
        assert_eq!(read("HGMMA.64x8x16.F32", "R24,gdesc[UR12],R24,gsb0").action, Action::Product(true));
        assert_eq!(read("WARPGROUP.DEPBAR.LE", "gsb0,0x1").action, Action::Products(1));
    }
}
