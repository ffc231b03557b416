//! Counts what a pass does to one function.

use std::time::Duration;

/// A named count. Names are unique within a pass.
pub type Counter = (&'static str, u64);

/// The counts of one run of a pass on one function.
#[derive(Default)]
pub struct Counters {
    counts: Vec<Counter>,
    maxima: Vec<(String, u64)>,
    /// The time that the run has spent on reports and checks. It does not count as time of the
    /// pass.
    pub reporting: Duration,
}

impl Counters {
    /// Adds a count. The total of several functions is the sum of their counts of a name.
    pub fn push(&mut self, count: Counter) {
        self.counts.push(count);
    }
    /// Adds counts.
    pub fn extend(&mut self, counts: impl IntoIterator<Item = Counter>) {
        self.counts.extend(counts);
    }
    /// Increases counts. A name that is not there yet starts at 0.
    pub fn increase(&mut self, counts: impl IntoIterator<Item = Counter>) {
        for (name, count) in counts {
            match self.counts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, sum)) => *sum += count,
                None => self.counts.push((name, count)),
            }
        }
    }
    /// Adds a maximum. The total of several functions is the greatest one of a name.
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
