//! Makes the random values of the samples.
//!
//! **Problem.** A register must have the same value before and after a stage, and the samples must
//! meet sums that wrap around. **Algorithm.** A value is a hash of the register and the sample. In
//! most samples it is near a number where 32-bit or 64-bit arithmetic wraps around or changes its
//! sign. **Source.** The hash is splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
//! number generators", 2014). **Complexity.** Constant.

/// How many samples there are.
pub const SAMPLES: usize = 16;
/// How many of them have evenly distributed values.
const EVEN_SAMPLES: usize = 4;

/// Returns the value of `key` in a sample. The same arguments give the same value.
pub fn random(key: u64, sample: usize) -> u64 {
    let any = mix(key << 8 ^ mix(key) ^ sample as u64);
    if sample < EVEN_SAMPLES {
        return any;
    }
    let edge = [0, u64::MAX, 1 << 31, u64::from(u32::MAX), 1 << 63][(any >> 8) as usize % 5];
    // Mostly the edge itself, or a number close to it on either side.
    edge.wrapping_add((any & 7).saturating_sub(4)).wrapping_sub((any >> 3 & 7).saturating_sub(4))
}

/// Mixes the bits of a number: splitmix64.
pub fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
