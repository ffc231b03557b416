//! The numbers of an architecture that time depends on.
//!
//! **Problem.** NVIDIA publishes the throughput of instructions and few latencies.
//!
//! **Source.** By the comment at each number:
//! * `[T]` the table of arithmetic throughput in the CUDA C++ Programming Guide: results per cycle and multiprocessor. A
//!   pipe of `n` results holds a warp for `128 / n` cycles in each of the four parts of a multiprocessor.
//! * `[L]` Luo et al., "Dissecting the NVIDIA Hopper Architecture through Microbenchmarking and Multiple Level Analysis" (2025), which has
//!   the A100 and an Ada card beside the H100.
//! * `[A]` Abdelkhalik et al., "Demystifying the NVIDIA Ampere Architecture through Microbenchmarking and Instruction-level Analysis" (2022).
//! * `[H]` Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores" (2025), measured on Ampere.
//! * `[D]` data sheets: bandwidth, clock, caches, number of multiprocessors.
//! * `[F]` fitted to the times in `tests/gpu/data`, on the two thirds that may be fitted.
//! * `[G]` a guess: no source was found. The interval of a prediction moves it.
//!
//! **Complexity.** Constant.

use crate::pipe::Pipe;

/// The numbers of an architecture. Times are cycles of a multiprocessor.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The processor: `sm_90`.
    pub name: &'static str,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Bytes of the L1 cache of a multiprocessor, with shared memory.
    pub l1_bytes: u64,
    /// Bytes of the L2 cache.
    pub l2_bytes: u64,
    /// Cycles for which an instruction of a warp holds its pipe.
    pub alu: u64,
    pub fma: u64,
    pub fma_heavy: u64,
    /// An integer multiplication with a result of 64 bits, or the upper half of one.
    pub wide: u64,
    pub half: u64,
    pub double: u64,
    pub special: u64,
    pub uniform: u64,
    /// Products of 16-bit floating-point numbers that the tensor pipe of a scheduler does in a cycle.
    pub tensor: u64,
    /// Cycles for which an instruction holds the way of a scheduler to the memory pipes.
    pub memory_issue: u64,
    /// Cycles of waiting work that the memory pipes take before a scheduler has to wait.
    pub queue: u64,
    /// Cycles from the issue to the result, where a scoreboard guards it.
    pub special_latency: u64,
    pub double_latency: u64,
    pub tensor_latency: u64,
    pub uniform_latency: u64,
    pub constant_latency: u64,
    /// Cycles until a uniform register has what `ULDC` loads. No scoreboard guards it, and the stall count does not hold for it.
    pub uniform_load_latency: u64,
    /// Shuffles, votes over the memory pipes, special registers.
    pub exchange_latency: u64,
    pub shared_latency: u64,
    pub l1_latency: u64,
    pub l2_latency: u64,
    pub dram_latency: u64,
    /// Cycles that a bulk copy takes longer than a load, until its barrier is passed.
    pub bulk_latency: u64,
    /// Cycles until the operands of a memory access have been read.
    pub operands_latency: u64,
    /// Cycles from the last arrival at a barrier to the next instruction.
    pub barrier_latency: u64,
    /// Cycles from the end of a block to the first instruction of the next one.
    pub block_launch: u64,
    /// Bytes that L2 and DRAM move in a cycle for one multiprocessor.
    pub l2_bandwidth: f64,
    pub dram_bandwidth: f64,
    /// Bytes of L2's bandwidth that an atomic on a sector costs.
    pub atomic_bytes: f64,
    /// Bytes of L2's bandwidth that a sector of a store costs: the first one to it, one that goes on above or below it, one that comes back.
    pub store_bytes: [f64; 4],
}

/// H100 and H200.
const SM_90: Machine = Machine {
    name: "sm_90",
    multiprocessors: 132,                 // [D]
    l1_bytes: 256 << 10,                  // [D]
    l2_bytes: 50 << 20,                   // [D]
    alu: 2,                               // [T] 64
    fma: 1,                               // [T] 128
    fma_heavy: 2,                         // [T] 64
    wide: 2,                              // [F]
    half: 1,                              // [T] 256 halves
    double: 2,                            // [T] 64
    special: 8,                           // [T] 16
    uniform: 2,                           // [G]
    tensor: 512,                          // [D] 989 TFLOP/s; `mma.sync` reaches about two thirds [L]
    memory_issue: 4,                      // [H] table 1
    queue: 28,                            // [F]; [H] has five instructions, 20 cycles
    special_latency: 22,                  // [A]
    double_latency: 16,                   // [L]
    tensor_latency: 33,                   // [L]
    uniform_latency: 40,                  // [F] `S2UR`
    constant_latency: 36,                 // [G]
    uniform_load_latency: 30,             // [F]
    exchange_latency: 25,                 // [L]
    shared_latency: 29,                   // [L]
    l1_latency: 38,                       // [L]
    l2_latency: 270,                      // [L]
    dram_latency: 600,                    // [L]
    bulk_latency: 170,                    // [G]
    operands_latency: 10,                 // [G]
    barrier_latency: 20,                  // [G]
    block_launch: 100,                    // [G]
    l2_bandwidth: 24.0,                   // [L] 5.5 to 7 TB/s
    dram_bandwidth: 14.4,                 // [D] 3.35 TB/s (H100) to 4.8 (H200)
    atomic_bytes: 64.0,                   // [G]
    store_bytes: [32.0, 8.0, 10.0, 40.0], // [F]
};

/// A100.
const SM_80: Machine = Machine {
    name: "sm_80",
    multiprocessors: 108,
    l1_bytes: 192 << 10,
    l2_bytes: 40 << 20,
    double: 4,            // [T] 32
    tensor: 256,          // [D] 312 TFLOP/s
    tensor_latency: 33,   // [A]
    shared_latency: 29,   // [L]
    l1_latency: 38,       // [L]
    l2_latency: 262,      // [L]
    dram_latency: 470,    // [L]
    l2_bandwidth: 24.0,   // [G]
    dram_bandwidth: 11.0, // [D] 1.56 TB/s
    ..SM_90
};

/// GA102: RTX 30, A40.
const SM_86: Machine = Machine {
    name: "sm_86",
    multiprocessors: 84,
    l1_bytes: 128 << 10,
    l2_bytes: 6 << 20,
    half: 2,             // [T] 128 halves
    double: 64,          // [T] 2
    double_latency: 48,  // [G]
    tensor: 128,         // [D]
    l2_latency: 220,     // [G]
    dram_latency: 480,   // [G]
    l2_bandwidth: 32.0,  // [G]
    dram_bandwidth: 6.0, // [D] 936 GB/s
    ..SM_80
};

/// AD102: RTX 40, L40.
const SM_89: Machine = Machine {
    name: "sm_89",
    multiprocessors: 128,
    l2_bytes: 72 << 20,
    l2_latency: 273,     // [L]
    dram_latency: 541,   // [L]
    dram_bandwidth: 3.2, // [D] 1008 GB/s
    ..SM_86
};

/// B200.
const SM_100: Machine = Machine {
    name: "sm_100",
    multiprocessors: 148,
    l2_bytes: 126 << 20,
    tensor: 1024,         // [D]
    dram_bandwidth: 28.0, // [D] 8 TB/s
    ..SM_90
};

/// GB202: RTX 50.
const SM_120: Machine = Machine {
    name: "sm_120",
    multiprocessors: 170,
    l2_bytes: 96 << 20,
    alu: 1,              // [T] 128
    fma_heavy: 1,        // [T] 128
    dram_bandwidth: 4.4, // [D] 1792 GB/s
    ..SM_89
};

/// The sizes in KiB that shared memory can have, `[D]`: the CUDA C++ Programming Guide, "Compute Capabilities". The smaller caches have the first ones of these.
const SHARED_SIZES: [u64; 10] = [0, 8, 16, 32, 64, 100, 132, 164, 196, 228];

/// All architectures that are modelled.
pub const MACHINES: [Machine; 6] = [SM_80, SM_86, SM_89, SM_90, SM_100, SM_120];

/// The errors of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the time of sm_{architecture} is not modelled; {} are", MACHINES.map(|machine| machine.name).join(", "))]
    Architecture { architecture: u32 },
}

impl Machine {
    /// Finds the machine of a cubin's architecture, as 90 of sm_90a.
    ///
    /// # Errors
    /// Names those that are known.
    pub fn of(architecture: u32) -> Result<Machine, Error> {
        let name = format!("sm_{architecture}");
        let found = MACHINES.into_iter().find(|machine| machine.name == name);
        found.ok_or(Error::Architecture { architecture })
    }

    /// The bytes that become shared memory if the resident blocks need `needed` of them: an SM has a few sizes only. The rest is L1.
    pub fn shared_memory(&self, needed: u64) -> u64 {
        SHARED_SIZES.iter().map(|size| size << 10).find(|&size| size >= needed).unwrap_or(needed)
    }

    /// The cycles for which an instruction of a warp holds a pipe that all warps of a scheduler share.
    pub fn busy(&self, pipe: Pipe) -> u64 {
        match pipe {
            Pipe::Alu => self.alu,
            Pipe::Fma => self.fma,
            Pipe::FmaHeavy => self.fma_heavy,
            Pipe::Half => self.half,
            Pipe::Double => self.double,
            Pipe::Special => self.special,
            Pipe::Memory | Pipe::Texture => self.memory_issue,
            Pipe::Uniform => self.uniform,
            Pipe::Tensor => 8,
            Pipe::Branch | Pipe::Other => 0,
        }
    }

    /// The cycles until a scoreboard of an instruction of this pipe is released, where memory does not decide.
    pub fn latency(&self, pipe: Pipe) -> u64 {
        match pipe {
            Pipe::Special => self.special_latency,
            Pipe::Double => self.double_latency,
            Pipe::Tensor => self.tensor_latency,
            Pipe::Uniform => self.uniform_latency,
            Pipe::Memory | Pipe::Texture => self.exchange_latency,
            Pipe::Alu | Pipe::Fma | Pipe::FmaHeavy | Pipe::Half | Pipe::Branch | Pipe::Other => 6,
        }
    }

    /// The same machine with one number moved at a time, with the name of that number: what the interval of a prediction is made of.
    pub fn moved(&self) -> Vec<(&'static str, Machine)> {
        let mut moved = Vec::new();
        let mut add = |name, change: &dyn Fn(&mut Machine)| {
            let mut machine = self.clone();
            change(&mut machine);
            moved.push((name, machine));
        };
        let scale = |number: u64, factor: f64| (number as f64 * factor).round() as u64;
        for factor in [0.75, 1.3] {
            add("L2's latency", &|m| {
                m.l2_latency = scale(m.l2_latency, factor);
                m.bulk_latency = scale(m.bulk_latency, factor);
            });
            add("DRAM's latency", &|m| m.dram_latency = scale(m.dram_latency, factor));
            add("DRAM's bandwidth", &|m| m.dram_bandwidth *= factor);
            add("shared memory's latency", &|m| m.shared_latency = scale(m.shared_latency, factor));
        }
        add("a short queue of the memory pipes", &|m| m.queue /= 4);
        add("the width of 64-bit products", &|m| m.wide *= 2);
        moved
    }
}
