//! Random numbers for property tests, and the entry points of the targets in `fuzz/`. Only in tests
//! and under `cfg(fuzzing)`.
//!
//! **Problem.** A property test makes a function from a seed. A fuzzer has bytes instead, and
//! learns which of them lead to new code, so the bytes must decide. **Algorithm.** The generator
//! uses the bytes first, two for each number, and xorshift after they are used up.

/// Random numbers; the same on every machine.
pub struct Rng {
    state: u64,
    /// The unused bytes of the fuzzer, the next one last.
    bytes: Vec<u8>,
}

impl Rng {
    /// Makes a xorshift generator with this state, which must not be 0.
    pub fn new(state: u64) -> Rng {
        Rng { state, bytes: Vec::new() }
    }
    /// Makes a generator from a fuzzer's bytes.
    #[cfg(fuzzing)]
    pub fn of(bytes: &[u8]) -> Rng {
        Rng { state: 1, bytes: bytes.iter().rev().copied().collect() }
    }
    /// Returns a number below `n`, which must not be 0.
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
    /// Returns true once in `n` times on average.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// Whether property tests run few and small cases: under Miri, which takes a thousand times as
/// long. Sums over so few cases are meaningless.
pub const FEW: bool = cfg!(miri);

/// How many cases a property test that wants `n` runs.
pub fn cases(n: u64) -> u64 {
    if FEW {
        n.min(2)
    } else {
        n
    }
}

/// Liveness and the coalescer on a function made from these bytes: the function computes the same
/// afterwards, and ranges are exact.
#[cfg(fuzzing)]
pub fn coalescer(bytes: &[u8]) {
    crate::passes::coalescer::tests::fuzz(bytes);
}

/// The checker on a function made from these bytes, changed once correctly and once wrongly. An
/// interpreter is the judge.
#[cfg(fuzzing)]
pub fn checker(bytes: &[u8]) {
    crate::checker::tests::random::fuzz(bytes);
}
