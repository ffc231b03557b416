//! The line at the head of the PTX that names its compiler.
//!
//! PTX in a cache or a program does not show whether the plugin made it, nor which version. The
//! line has no date and no path, and it ignores options that leave the code unchanged. So the same
//! options give the same bytes.

use super::knobs::version;
use super::knobs::{self, Profile};

/// The line for a target. It has `cicc`, the default profile's former name: programs compare it.
/// `None` for stock LLVM's code, for other targets, and with
/// `-ptx-header=false`.
pub fn line(is_nvptx: bool) -> Option<String> {
    let is_ours = is_nvptx && knobs::PROFILE.get() == Profile::Default && knobs::runs_any();
    let options = digest(&knobs::code_options());
    (is_ours && knobs::HEADER.get()).then(|| format!("{}, profile cicc, options {options}", version()))
}

/// A digest of the options that are not at their defaults, or `none`: 48 bits of FNV-1a, the same
/// on every machine. It tells settings apart; it is not meant to hide them.
fn digest(options: &[(&str, u64, u64)]) -> String {
    let given = options.iter().filter(|(_, value, default)| value != default);
    let text: String = given.map(|(name, value, _)| format!("{name}={value}\n")).collect();
    if text.is_empty() {
        return "none".to_owned();
    }
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{:012x}", hash & 0xffff_ffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_the_options_that_are_given_alone() {
        assert_eq!(digest(&[("a", 1, 1), ("b", 0, 0)]), "none");
        let one = digest(&[("a", 2, 1), ("b", 0, 0)]);
        assert_eq!(one.len(), 12);
        assert_eq!(one, digest(&[("a", 2, 7)]), "of what is not the default");
        let others = [digest(&[("a", 3, 1)]), digest(&[("b", 2, 1)]), digest(&[("a", 2, 1), ("b", 1, 0)])];
        assert!(!others.contains(&one));
        assert_eq!(one, "6c82c45c93cb", "FNV-1a of \"a=2\\n\", as another program has computed it");
    }
}
