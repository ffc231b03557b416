//! Makes the random values of the samples.
//!
//! **Problem.** A register must have the same value before and behind a stage, and sums that wrap around must be met.
//! **Algorithm.** A value is a hash of the register and the sample. In most samples it is near a number where arithmetic of 32 or
//! 64 bits wraps around or changes its sign. **Source.** The hash is splitmix64 (Steele, Lea and Flood, "Fast splittable
//! pseudorandom number generators", 2014). **Complexity.** Constant.

/// How many samples there are.
pub const SAMPLES: usize = 16;
/// In how many of them values are evenly distributed.
const EVEN_SAMPLES: usize = 4;

/// Returns the value of `key` in a sample, the same whenever it is asked for.
pub fn random(key: u64, sample: usize) -> u64 {
    let any = mix(key << 8 ^ mix(key) ^ sample as u64);
    if sample < EVEN_SAMPLES {
        return any;
    }
    let edge = [0, u64::MAX, 1 << 31, u64::from(u32::MAX), 1 << 63][(any >> 8) as usize % 5];
    // Most often the edge itself, or close to it on either side.
    edge.wrapping_add((any & 7).saturating_sub(4)).wrapping_sub((any >> 3 & 7).saturating_sub(4))
}

/// Mixes the bits of a number: splitmix64.
pub fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
