//! Which of the seeded bugs is on (requirement K1): a module of the copy of the sources that table.py makes.
//!
//! The variable `PTX_MUTATION` names it. That it is met, and not only there, is said on stderr.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::OnceLock;

/// Whether this bug is to be made, here and now.
pub fn seeded(name: &'static str) -> bool {
    static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
    static MET: AtomicBool = AtomicBool::new(false);
    let chosen = CHOSEN.get_or_init(|| std::env::var("PTX_MUTATION").ok());
    let is_chosen = chosen.as_deref() == Some(name);
    if is_chosen && !MET.swap(true, Relaxed) {
        eprintln!("ptxpasses: seeded bug met: {name}");
    }
    is_chosen
}
