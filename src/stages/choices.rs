//! Counts the yes and no of a stage on IR, for its statistics.
//!
//! **Problem.** A stage on IR is asked about one thing after the other. Users want to know how often
//! it said yes. **Algorithm.** Two counts. **Source.** None. **Deviation.** None. **Complexity.**
//! Constant.

/// How often a stage has said yes and no about the things of a function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Choices {
    taken: u64,
    left: u64,
}

impl Choices {
    /// Counts a choice.
    pub fn add(&mut self, is_taken: bool) {
        if is_taken {
            self.taken += 1;
        } else {
            self.left += 1;
        }
    }
    /// The counts with their names: of what was taken, and of what was left.
    pub fn named(self, [taken, left]: [&'static str; 2]) -> impl Iterator<Item = (&'static str, u64)> {
        [(taken, self.taken), (left, self.left)].into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_counted() {
        let mut choices = Choices::default();
        choices.add(true);
        choices.add(false);
        choices.add(false);
        assert_eq!(choices.named(["yes", "no"]).collect::<Vec<_>>(), [("yes", 1), ("no", 2)]);
    }
}
