//! Counts what a pass does to one function.

use std::time::Duration;

/// A named count. Names are unique within a pass.
pub type Counter = (&'static str, u64);

/// The counts of one run of a pass on one function.
#[derive(Default)]
pub struct Counters {
    counts: Vec<Counter>,
    maxima: Vec<(String, u64)>,
    /// Time spent on reports and checks during the run. It does not count as the pass's own.
    pub reporting: Duration,
}

impl Counters {
    /// Adds a count. Over functions, counts of one name add up.
    pub fn push(&mut self, count: Counter) {
        self.counts.push(count);
    }
    /// Adds counts.
    pub fn extend(&mut self, counts: impl IntoIterator<Item = Counter>) {
        self.counts.extend(counts);
    }
    /// Increases counts, from 0 where there is none of the name yet.
    pub fn increase(&mut self, counts: impl IntoIterator<Item = Counter>) {
        for (name, count) in counts {
            match self.counts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, sum)) => *sum += count,
                None => self.counts.push((name, count)),
            }
        }
    }
    /// Adds a maximum. Over functions, the greatest one of a name counts.
    pub fn push_maximum(&mut self, name: String, maximum: u64) {
        self.maxima.push((name, maximum));
    }
    /// Returns the counts, in the order in which they were added.
    pub fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().copied()
    }
    /// Returns the maxima, in the order in which they were added.
    pub fn maxima(&self) -> impl Iterator<Item = (&str, u64)> {
        self.maxima.iter().map(|(name, maximum)| (&**name, *maximum))
    }
}
