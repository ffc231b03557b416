//! Progress on stderr.
//!
//! Quick commands stay silent: nothing is shown in the first two seconds. Then a terminal gets a
//! bar. A log file gets a plain line every few seconds, so that a CI log shows progress.

use std::io::{stderr, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const QUIET: Duration = Duration::from_secs(2);
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Counts finished runs; the worker threads share it.
pub struct Progress {
    what: &'static str,
    /// The word for a bad run.
    bad_word: &'static str,
    total: u64,
    done: AtomicU64,
    bad: AtomicU64,
    start: Instant,
    shown: Mutex<Shown>,
    /// When it was last said what is waited for.
    said: Mutex<Option<Instant>>,
}

enum Shown {
    /// Nothing yet; a bar will appear.
    Hidden,
    Bar(ProgressBar),
    /// Plain lines; the time of the last one.
    Lines(Instant),
}

impl Progress {
    pub fn new(what: &'static str, total: usize) -> Self {
        Progress::with_bad_word(what, total, "not identical")
    }

    pub fn with_bad_word(what: &'static str, total: usize, bad_word: &'static str) -> Self {
        let start = Instant::now();
        let shown = if stderr().is_terminal() { Shown::Hidden } else { Shown::Lines(start) };
        Progress {
            what,
            bad_word,
            total: total as u64,
            done: AtomicU64::new(0),
            bad: AtomicU64::new(0),
            start,
            shown: Mutex::new(shown),
            said: Mutex::new(None),
        }
    }

    /// Counts one run; `bad` ones are shown as they come.
    pub fn step(&self, bad: bool) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let failed = self.bad.fetch_add(u64::from(bad), Ordering::Relaxed) + u64::from(bad);
        if self.start.elapsed() < QUIET {
            return;
        }
        let Ok(mut shown) = self.shown.lock() else { return };
        if let Shown::Hidden = *shown {
            *shown = Shown::Bar(self.bar());
        }
        match &mut *shown {
            Shown::Hidden => {}
            Shown::Bar(bar) => {
                if failed > 0 {
                    bar.set_message(format!("{failed} {}", self.bad_word));
                }
                bar.set_position(done);
            }
            Shown::Lines(last) if last.elapsed() >= LINE_EVERY && done < self.total => {
                *last = Instant::now();
                let note = if failed > 0 { format!(", {failed} {}", self.bad_word) } else { String::new() };
                eprintln!(
                    "{}: {done} of {}{note}, {} s",
                    self.what,
                    self.total,
                    self.start.elapsed().as_secs()
                );
            }
            Shown::Lines(_) => {}
        }
    }

    /// Says what is waited for, in a line every few seconds.
    pub fn wait(&self, what: &str) {
        let Ok(mut said) = self.said.lock() else { return };
        if said.is_some_and(|said| said.elapsed() < LINE_EVERY) {
            return;
        }
        *said = Some(Instant::now());
        let line = format!("{}: {what}", self.what);
        match self.shown.lock().as_deref() {
            Ok(Shown::Bar(bar)) => bar.suspend(|| eprintln!("{line}")),
            _ => eprintln!("{line}"),
        }
    }

    /// Removes the bar, so that the report starts on a clean line.
    pub fn finish(&self) {
        if let Ok(Shown::Bar(bar)) = self.shown.lock().as_deref() {
            bar.finish_and_clear();
        }
    }

    fn bar(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr());
        let template = "{prefix}: {bar:40} {pos}/{len} {elapsed}, {eta} left {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(self.what);
        bar
    }
}
