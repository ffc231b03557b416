//! How many registers a thread may have, and how many warps are then resident on a multiprocessor.
//!
//! ```
//! use nvptx_occupancy::{Architecture, Multiprocessor};
//!
//! let sm = Multiprocessor::of("sm_90");
//! assert_eq!(sm.resident_warps(256, 72, 40 * 1024), 24);
//! assert_eq!(Architecture::of("sm_90").next_step_down(72), Some(64));
//! ```
//!
//! **Problem.** All warps resident on a multiprocessor share one register file. The fewer registers
//! a thread takes, the more warps there are. Their number changes in steps: a warp gets registers
//! in units, and the four parts of a multiprocessor get equally many warps. Stages that trade
//! registers for instructions need to know a kernel's register target.
//!
//! **Algorithm.** A warp of threads with `n` registers takes `32 · n`, rounded up to a unit of 256.
//! So `n` counts as the next multiple of eight. The register file limits the resident warps,
//! rounded down to a multiple of four; so does the architecture's number of warp slots.
//! [`RegisterTarget::of`] chooses the target: the command line first, then the kernel's own limit
//! (`.maxnreg`), then the limit that its launch bounds imply.
//!
//! **Source.** CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
//! (registers, resident warps); CUDA Occupancy Calculator (units, rounding). **Deviation:**
//! architectures before sm_50, which no available assembler supports, count as sm_50; an unknown
//! one has 64 warps. The stages ignore shared memory and the number of blocks. [`Multiprocessor`],
//! which judges an assembler's output, counts them.
//!
//! **Complexity.** Constant.

#![no_std]
#![deny(missing_docs, unsafe_code)]

use serde::Serialize;

/// The 32-bit registers of a multiprocessor.
pub const REGISTERS: u32 = 65_536;
/// The most registers of a thread.
pub const MAX_REGISTERS: u32 = 255;
/// The target that stages assume if neither the user nor the function sets one. It fills half of
/// the warp slots on most architectures.
pub const USUAL_TARGET: u32 = 64;
/// The threads of a warp.
const WARP: u32 = 32;
/// A warp gets registers in units of this many.
const UNIT: u32 = 256;
/// A thread's registers are rounded up to a multiple of this.
const STEP: u32 = UNIT / WARP;
/// The parts of a multiprocessor. Each has an equal share of the registers.
const PARTS: u32 = 4;

/// An architecture, as far as occupancy goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// The most warps that are resident on a multiprocessor.
    pub max_warps: u32,
    /// Whether warps have uniform registers, which hold values that all threads share.
    pub has_uniform_registers: bool,
    /// Whether a warp can load into its uniform registers from global memory.
    pub has_uniform_loads: bool,
}

impl Architecture {
    /// Finds the architecture of a processor: `sm_80`, `sm_90a`, `sm_100f`.
    pub fn of(processor: &str) -> Architecture {
        let digits = processor.strip_prefix("sm_").unwrap_or_default().trim_end_matches(char::is_alphabetic);
        let number = digits.parse().unwrap_or(0_u32);
        let max_warps = match number {
            75 => 32,
            86..=89 | 110..=129 => 48,
            _ => 64,
        };
        Architecture { max_warps, has_uniform_registers: number >= 75, has_uniform_loads: number >= 80 }
    }
    /// Returns how many warps are resident if a thread has this many registers.
    pub fn warps(self, registers: u32) -> u32 {
        let held = REGISTERS / (registers.max(1).next_multiple_of(STEP) * WARP);
        (held / PARTS * PARTS).min(self.max_warps)
    }
    /// Returns the most registers of a thread that keep as many warps resident as this number does.
    pub fn most_of_step(self, registers: u32) -> u32 {
        let warps = self.warps(registers).max(PARTS);
        (REGISTERS / (warps * WARP) / STEP * STEP).min(MAX_REGISTERS)
    }
    /// Returns the most registers of a thread that allow more resident warps than this number does;
    /// `None` if no number does.
    pub fn next_step_down(self, registers: u32) -> Option<u32> {
        let more = self.warps(registers) + PARTS;
        (more <= self.max_warps).then(|| (REGISTERS / (more * WARP) / STEP * STEP).min(MAX_REGISTERS))
    }
}

/// The most threads of a block.
pub const MAX_THREADS: u32 = 1024;

/// The resources of one multiprocessor, which the blocks of a kernel share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Multiprocessor {
    /// The architecture.
    pub architecture: Architecture,
    /// The most blocks that are resident.
    pub max_blocks: u32,
    /// The bytes of shared memory.
    pub shared_memory: u32,
    /// The bytes of shared memory that the system takes for each block.
    pub reserved: u32,
    /// Shared memory is given to a block in units of this many bytes.
    pub shared_unit: u32,
}

impl Multiprocessor {
    /// Finds the multiprocessor of a processor name, as [`Architecture::of`] does. An unknown one
    /// counts as sm_80.
    pub fn of(processor: &str) -> Multiprocessor {
        let digits = processor.strip_prefix("sm_").unwrap_or_default().trim_end_matches(char::is_alphabetic);
        let number = digits.parse().unwrap_or(80_u32);
        let max_blocks = match number {
            75 | 86 | 87 => 16,
            89 | 110..=129 => 24,
            _ => 32,
        };
        let kibibytes = match number {
            0..=51 | 53..=60 | 62 | 75 => 64,
            52 | 61 | 70..=74 => 96,
            86 | 89 | 120..=129 => 100,
            90..=119 => 228,
            _ => 164,
        };
        Multiprocessor {
            architecture: Architecture::of(processor),
            max_blocks,
            shared_memory: kibibytes * 1024,
            reserved: if number >= 80 { 1024 } else { 0 },
            shared_unit: if number >= 80 { 128 } else { 256 },
        }
    }
    /// Returns how many warps are resident at once, given a block's threads, a thread's registers
    /// and a block's bytes of shared memory. 0 if not even one block fits.
    pub fn resident_warps(self, threads: u32, registers: u32, shared: u32) -> u32 {
        let warps = threads.clamp(1, MAX_THREADS).div_ceil(WARP);
        let by_registers = self.architecture.warps(registers) / warps;
        let by_warps = self.architecture.max_warps / warps;
        let bytes = shared.saturating_add(self.reserved).next_multiple_of(self.shared_unit);
        let by_shared = self.shared_memory.checked_div(bytes).unwrap_or(self.max_blocks);
        by_registers.min(by_warps).min(by_shared).min(self.max_blocks) * warps
    }
}

/// The launch bounds and the register limit that a kernel states. All are absent in a function that
/// is not a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LaunchBounds {
    /// The most threads of a block.
    pub threads: Option<u32>,
    /// The least number of resident blocks that is asked for.
    pub min_blocks: Option<u32>,
    /// The most registers of a thread.
    pub max_registers: Option<u32>,
}

/// Where a register target comes from.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum TargetSource {
    /// `-maxreg`
    Option,
    /// `.maxnreg`
    MaxNReg,
    /// `.maxntid`, `.reqntid` and `.minnctapersm`
    LaunchBounds,
}

/// How many 32-bit registers a thread of a function should fit in.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct RegisterTarget {
    /// The number of registers.
    pub registers: u32,
    /// The option or attribute that sets it.
    pub source: TargetSource,
}

impl RegisterTarget {
    /// Chooses the target of a function from the user's option and the function's attributes;
    /// `None` if neither sets one.
    pub fn of(option: Option<u32>, bounds: LaunchBounds) -> Option<RegisterTarget> {
        let new = |registers: u32, source| RegisterTarget { registers: registers.min(MAX_REGISTERS), source };
        let of_option = option.map(|n| new(n, TargetSource::Option));
        let of_function = || bounds.max_registers.map(|n| new(n, TargetSource::MaxNReg));
        let of_launch = || Some(new(bounds.registers()?, TargetSource::LaunchBounds));
        of_option.or_else(of_function).or_else(of_launch)
    }

    /// Returns whether a function is to fit in fewer registers than usual ([`USUAL_TARGET`]), so
    /// that each one saved counts.
    pub fn is_tight(self) -> bool {
        self.registers < USUAL_TARGET
    }
}

impl LaunchBounds {
    /// Returns how many registers a thread can have if the requested blocks are to be resident.
    fn registers(self) -> Option<u32> {
        let warps = self.threads?.max(1).div_ceil(WARP).saturating_mul(self.min_blocks.unwrap_or(1).max(1));
        let warps = warps.checked_next_multiple_of(PARTS).filter(|&warps| warps <= REGISTERS / UNIT)?;
        Some((REGISTERS / (warps * WARP) / STEP * STEP).min(MAX_REGISTERS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SM_80: Architecture =
        Architecture { max_warps: 64, has_uniform_registers: true, has_uniform_loads: true };

    #[test]
    fn l8_warps_of_architectures() {
        let rows =
            [("sm_52", 64), ("sm_75", 32), ("sm_80", 64), ("sm_86", 48), ("sm_89", 48), ("sm_90a", 64)];
        for (processor, warps) in rows.into_iter().chain([("sm_100a", 64), ("sm_120f", 48), ("", 64)]) {
            assert_eq!(Architecture::of(processor).max_warps, warps, "{processor}");
        }
    }

    #[test]
    fn blocks_share_a_multiprocessor() {
        let resident = |cpu, threads, registers, shared| {
            Multiprocessor::of(cpu).resident_warps(threads, registers, shared)
        };
        assert_eq!(resident("sm_80", 256, 32, 0), 64);
        assert_eq!(resident("sm_80", 256, 72, 0), 24, "28 warps hold three blocks of eight");
        assert_eq!(resident("sm_80", 1024, 72, 0), 0, "a block of 32 warps does not fit into 28");
        assert_eq!(resident("sm_80", 32, 32, 0), 32, "as many blocks as there are places");
        assert_eq!(resident("sm_86", 32, 32, 0), 16);
        assert_eq!(resident("sm_80", 256, 32, 40 * 1024), 32, "41 KiB four times in 164");
        assert_eq!(resident("sm_75", 256, 32, 32 * 1024), 16, "twice in 64 KiB, nothing is reserved");
        assert_eq!(resident("sm_90a", 384, 168, 200 * 1024), 12);
    }

    #[test]
    fn l8_warps_as_the_occupancy_calculator_has_them() {
        let rows = [(1, 64), (32, 64), (33, 48), (40, 48), (41, 40), (48, 40), (56, 36), (64, 32), (72, 28)];
        let more = [(80, 24), (96, 20), (128, 16), (129, 12), (168, 12), (255, 8)];
        for (registers, warps) in rows.into_iter().chain(more) {
            assert_eq!(SM_80.warps(registers), warps, "{registers}");
        }
        assert_eq!(Architecture { max_warps: 32, ..SM_80 }.warps(32), 32);
    }

    #[test]
    fn l8_steps_are_the_bounds_of_the_warps() {
        for max_warps in [32, 48, 64] {
            let architecture = Architecture { max_warps, ..SM_80 };
            for registers in 1..=MAX_REGISTERS {
                let warps = architecture.warps(registers);
                let most = architecture.most_of_step(registers);
                assert!(most >= registers && architecture.warps(most) == warps);
                assert!(most == MAX_REGISTERS || architecture.warps(most + 1) < warps);
                let below = architecture.next_step_down(registers);
                assert_eq!(below.is_none(), warps == max_warps);
                if let Some(below) = below {
                    assert!(architecture.warps(below) > warps && architecture.warps(below + 1) <= warps);
                }
            }
        }
    }

    #[test]
    fn l8_a_target_is_of_the_user_then_of_the_kernel_then_of_its_launches() {
        let target = |option, threads, min_blocks, max_registers| {
            let bounds = LaunchBounds { threads, min_blocks, max_registers };
            RegisterTarget::of(option, bounds).map(|t| (t.registers, t.source))
        };
        assert_eq!(target(None, None, None, None), None);
        assert_eq!(target(Some(24), Some(1024), None, Some(40)), Some((24, TargetSource::Option)));
        assert_eq!(target(Some(1000), None, None, None), Some((255, TargetSource::Option)));
        assert_eq!(target(None, Some(1024), None, Some(40)), Some((40, TargetSource::MaxNReg)));
        let launched = |threads, blocks| target(None, Some(threads), blocks, None).map(|t| t.0);
        assert_eq!(launched(1024, None), Some(64));
        assert_eq!(launched(1024, Some(2)), Some(32));
        assert_eq!(launched(256, Some(2)), Some(128));
        assert_eq!(launched(256, Some(5)), Some(48));
        assert_eq!(launched(384, None), Some(168));
        assert_eq!(launched(33, Some(5)), Some(168));
        assert_eq!(launched(128, None), Some(255));
        // Too many threads leave no registers; blocks without a number of threads say nothing.
        assert_eq!(launched(u32::MAX, Some(u32::MAX)), None);
        assert_eq!(target(None, None, Some(2), None), None);
    }
}
