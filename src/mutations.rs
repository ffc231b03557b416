//! Seeded bugs: the proof that the checker and LLVM's verifier find miscompiles (row K1).
//!
//! With the feature `mutations`, which is for tests alone, the variable `PTX_MUTATION` names one of the bugs that
//! are in the passes, each as `seeded("...")` in one line. That it is met, and not only there, is said on stderr.
//! Without the feature nothing of it is left in the plugin. `scripts/mutations` runs all.

/// Whether this bug is to be made, here and now.
#[cfg(feature = "mutations")]
pub fn seeded(name: &'static str) -> bool {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::OnceLock;
    static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
    static MET: AtomicBool = AtomicBool::new(false);
    let chosen = CHOSEN.get_or_init(|| std::env::var("PTX_MUTATION").ok());
    let is_chosen = chosen.as_deref() == Some(name);
    if is_chosen && !MET.swap(true, Relaxed) {
        eprintln!("ptxpasses: seeded bug met: {name}");
    }
    is_chosen
}

/// No bug is seeded in this build.
#[cfg(not(feature = "mutations"))]
#[inline(always)]
pub const fn seeded(_: &'static str) -> bool {
    false
}
