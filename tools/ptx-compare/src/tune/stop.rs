//! Decides when to begin nothing more: after a time, or after Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::exit;

/// Says whether new work may begin.
#[derive(Clone, Debug)]
pub struct Stop {
    interrupted: Arc<AtomicBool>,
    end: Option<Instant>,
}

impl Stop {
    /// Listens to Ctrl-C; the second one ends the process.
    pub fn listening(limit: Option<u64>) -> Result<Stop> {
        let stop = Stop::after(limit);
        let flag = Arc::clone(&stop.interrupted);
        let listen = move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(exit::INTERRUPTED);
            }
            eprintln!(
                "interrupted: nothing new begins, and what is there is written; Ctrl-C again ends at once"
            );
        };
        ctrlc::set_handler(listen).context("listening to Ctrl-C")?;
        Ok(stop)
    }

    /// Stops after this many seconds.
    pub fn after(limit: Option<u64>) -> Stop {
        let end = limit.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
        Stop { interrupted: Arc::default(), end }
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// Whether it is time to stop.
    pub fn is_set(&self) -> bool {
        self.is_interrupted() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Why it is time to stop.
    pub fn why(&self) -> &'static str {
        if self.is_interrupted() {
            "interrupted"
        } else {
            "the time is up"
        }
    }

    /// Does some work, unless it is time to stop. Work that fails while Ctrl-C is pressed counts as
    /// not done: a terminal sends it to llc and ptxas as well.
    pub fn unless<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<Option<T>> {
        if self.is_set() {
            return Ok(None);
        }
        match work() {
            Err(_) if self.is_interrupted() => Ok(None),
            outcome => outcome.map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn no_work_begins_after_the_end() {
        assert_eq!(Stop::after(None).unless(|| Ok(1)).expect("work"), Some(1));
        assert!(Stop::after(None).unless::<()>(|| bail!("no")).is_err());
        let over = Stop::after(Some(0));
        assert_eq!(over.unless(|| Ok(1)).expect("no work"), None);
        let interrupted = Stop::after(None);
        let work = || {
            interrupted.interrupted.store(true, Ordering::SeqCst);
            bail!("killed")
        };
        assert_eq!(interrupted.unless::<()>(work).expect("no error"), None);
    }
}
