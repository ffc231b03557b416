//! Prints the decisions of passes, for those who work on them.
//!
//! **Problem.** Why does this copy stay? Counters say how many stay, and a debugger stops
//! everywhere. **Algorithm.** A pass states each decision by `trace!`, with its reason. A line
//! goes to stderr if `-ptx-trace` names the pass. A build without debug assertions, as users have
//! it, has neither the option nor the lines: the condition is a constant there.
//!
//! **Source.** LLVM's `LLVM_DEBUG` and `-debug-only`. **Deviation:** the lines say what was decided
//! and why, not what the pass goes through. **Complexity.** None in a release build.

use std::fmt::Arguments;
use std::sync::RwLock;

/// The passes whose decisions are printed.
static CHOSEN: RwLock<Vec<String>> = RwLock::new(Vec::new());

/// States a decision of a pass: `trace!("coalescer", "%{dst}: {why}")`.
macro_rules! trace {
    ($pass:expr, $($what:tt)*) => {
        if cfg!(debug_assertions) && $crate::process::trace::is_on($pass) {
            $crate::process::trace::line($pass, format_args!($($what)*));
        }
    };
}
pub(crate) use trace;

/// Chooses the passes whose decisions are printed, by name; `all` is every one.
pub fn choose(passes: &str) {
    *CHOSEN.write().expect("no thread panics there") = passes.split(',').map(str::to_owned).collect();
}

/// Tells whether the decisions of a pass are printed.
pub fn is_on(pass: &str) -> bool {
    #[cfg(test)]
    if captured::is_on() {
        return true;
    }
    CHOSEN.read().expect("no thread panics there").iter().any(|name| name == pass || name == "all")
}

/// Prints a line.
pub fn line(pass: &str, what: Arguments) {
    #[cfg(test)]
    if captured::add(format!("{pass}: {what}")) {
        return;
    }
    eprintln!("{pass}: {what}");
}

/// Lines for tests, by thread.
#[cfg(test)]
pub mod captured {
    use std::cell::RefCell;

    thread_local! {
        static LINES: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
    }

    /// Runs `code`, and returns the decisions of every pass.
    pub fn of(code: impl FnOnce()) -> Vec<String> {
        LINES.set(Some(Vec::new()));
        code();
        LINES.take().expect("set above")
    }
    pub(super) fn is_on() -> bool {
        LINES.with_borrow(|lines| lines.is_some())
    }
    pub(super) fn add(line: String) -> bool {
        LINES.with_borrow_mut(|lines| lines.as_mut().map(|lines| lines.push(line)).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_stated_only_where_they_are_wanted() {
        let state = || trace!("remat", "%{}: {}", 3, "too many readers");
        state();
        assert_eq!(captured::of(state), ["remat: %3: too many readers"]);
        assert!(!is_on("remat"));
    }
}
