//! States the limits of the stage. The one that was measured: docs/stages/sink.md, "Computing next
//! to the readers".

use crate::nvptx::occupancy::RegisterTarget;

/// At most this many instructions move together.
pub const MAX_CHAIN: usize = 12;
/// The searches for operands' readers may visit this many blocks per instruction, in total for a
/// function. After that, operands count as not live below. This bounds compile time only.
pub const MAX_BLOCKS_PER_INSTR: usize = 256;

/// The least number of registers that ptxas is predicted to use for a function in which
/// instructions move. With fewer, all warps are resident anyway. A result that is computed later
/// then only delays its readers.
pub const MIN_REGISTERS: u32 = 32;

/// Returns the least number of predicted registers for a function: 0 where it is to fit in fewer
/// registers than usual, so that each one saved counts.
pub fn min_registers(target: Option<RegisterTarget>) -> u32 {
    match target {
        Some(target) if target.is_tight() => 0,
        _ => MIN_REGISTERS,
    }
}
