//! The hash by which an image of code is known.
//!
//! **Problem.** A recording, and what is chosen by it, must find the image again that an
//! application loads. **Method.** FNV-1a of 128 bits, over words of eight bytes, with the length at
//! the end. It tells versions of a program apart, and is not made against an attacker. **Source.**
//! Fowler, Noll, Vo. **Deviation.** Words in place of bytes, which takes an eighth of the time.
//! **Complexity.** Linear.

const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// The hash of bytes, as 32 hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    let step = |hash: u128, word: u64| (hash ^ u128::from(word)).wrapping_mul(PRIME);
    let mut hash = START;
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        hash = step(hash, u64::from_le_bytes(word));
    }
    hash = step(hash, bytes.len() as u64);
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_and_the_length_count() {
        let bytes = [7; 20];
        let all: std::collections::BTreeSet<String> = (0..20)
            .map(|at| {
                let mut other = bytes;
                other[at] ^= 0x80;
                digest(&other)
            })
            .chain([digest(&bytes), digest(&bytes[..19]), digest(&[bytes.to_vec(), vec![0]].concat())])
            .collect();
        assert_eq!(all.len(), 23);
        assert!(all.iter().all(|digest| digest.len() == 32));
    }
}
