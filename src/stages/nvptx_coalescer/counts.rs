//! Counts what the stage does.

/// The counts of one run.
#[derive(Default, Clone, Copy, Debug)]
pub struct Counts {
    pub(super) copies_seen: u64,
    pub(super) immediates: u64,
    pub(super) constants_erased: u64,
    pub(super) moves: u64,
    pub(super) conversions: u64,
    pub(super) conversions_seen: u64,
    pub(super) packs: u64,
    pub(super) joined: u64,
    pub(crate) resequenced: u64,
    pub(super) redundant: u64,
    pub(super) untried: u64,
}

impl Counts {
    /// Adds the counts of another run.
    #[cfg(test)]
    pub fn add(&mut self, other: &Counts) {
        self.copies_seen += other.copies_seen;
        self.immediates += other.immediates;
        self.constants_erased += other.constants_erased;
        self.joined += other.joined;
        self.resequenced += other.resequenced;
        self.redundant += other.redundant;
    }
    /// Returns the statistics of the run.
    pub fn counters(&self) -> [(&'static str, u64); 11] {
        [
            ("copies seen", self.copies_seen),
            ("copies of constants made immediate moves", self.immediates),
            ("constants erased", self.constants_erased),
            ("register moves made copies", self.moves),
            ("conversions between classes seen", self.conversions_seen),
            ("conversions between classes made copies", self.conversions),
            ("packs of what was unpacked made copies", self.packs),
            ("copies joined", self.joined),
            ("copies saved by putting a block's in parallel", self.resequenced),
            ("moves of what the register has already", self.redundant),
            ("copies not tried: a budget is reached", self.untried),
        ]
    }
}
