//! Random numbers for property tests, and what the targets in `fuzz/` call. Only in tests and under `cfg(fuzzing)`.
//!
//! **Problem.** A property test makes a function of a seed. A fuzzer has bytes, and learns which of them lead to new
//! code: it must be the bytes that decide. **Algorithm.** The generator gives the bytes first, two for each number,
//! and xorshift's numbers when there are none left.

/// Random numbers; the same on every machine.
pub struct Rng {
    state: u64,
    /// What is left of the fuzzer's bytes, the next one last.
    bytes: Vec<u8>,
}

impl Rng {
    /// xorshift from this state, which is not 0.
    pub fn new(state: u64) -> Rng {
        Rng { state, bytes: Vec::new() }
    }
    /// Those of a fuzzer.
    #[cfg(fuzzing)]
    pub fn of(bytes: &[u8]) -> Rng {
        Rng { state: 1, bytes: bytes.iter().rev().copied().collect() }
    }
    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u32) -> u32 {
        if let Some(low) = self.bytes.pop() {
            let high = self.bytes.pop().unwrap_or(0);
            return u32::from(u16::from_le_bytes([low, high])) % n;
        }
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (((self.state >> 32) * u64::from(n)) >> 32) as u32
    }
    /// True once in `n` times.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// Whether property tests run few cases, and small ones: under Miri, which takes a thousand times as long. Their sums
/// say nothing then.
pub const FEW: bool = cfg!(miri);

/// How many cases a property test that wants `n` runs.
pub fn cases(n: u64) -> u64 {
    if FEW {
        n.min(2)
    } else {
        n
    }
}

/// Liveness and the coalescer on a function of these bytes: what it computes stays, and ranges are exact.
#[cfg(fuzzing)]
pub fn coalescer(bytes: &[u8]) {
    crate::passes::coalescer::tests::fuzz(bytes);
}

/// The checker on a function of these bytes, changed rightly and wrongly: an interpreter is the judge.
#[cfg(fuzzing)]
pub fn checker(bytes: &[u8]) {
    crate::checker::tests::random::fuzz(bytes);
}
