//! Counts what the stage does to a function against its budgets (requirement C6).
//!
//! Each step asks before it looks at a copy, and before it removes one. If the budget does not
//! allow it, the copy stays as it is and gets a missed remark. A step that takes all copies of a block at once
//! asks for all of them. It leaves the block if a budget is already used up.

use crate::mir::InstrId;

/// The numbers of copies of a function that the stage may look at, and remove.
#[derive(Clone, Copy, Default, Debug)]
pub struct Budget {
    /// `-nvptx-copy-limit`
    pub copies: u32,
    /// `-nvptx-coalesce-limit`
    pub joins: u32,
}

/// A budget that is used up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Limit {
    /// `-nvptx-copy-limit`
    Copies,
    /// `-nvptx-coalesce-limit`
    Joins,
}

impl Limit {
    /// The reason in a remark.
    pub fn reason(self) -> &'static str {
        match self {
            Limit::Copies => "-nvptx-copy-limit is reached",
            Limit::Joins => "-nvptx-coalesce-limit is reached",
        }
    }
}

/// The account of one function.
#[derive(Default)]
pub struct Account {
    budget: Budget,
    num_tried: u64,
    num_removed: u64,
    /// The copies that stay because a budget is used up.
    left: Vec<(InstrId, Limit)>,
}

impl Account {
    /// Begins with a function.
    pub fn begin(&mut self, budget: Budget) {
        (self.budget, self.num_tried, self.num_removed) = (budget, 0, 0);
        self.left.clear();
    }
    /// Asks for one more copy to look at. False if it has to be left.
    pub fn try_copy(&mut self, copy: InstrId) -> bool {
        if self.num_tried >= u64::from(self.budget.copies) {
            self.left.push((copy, Limit::Copies));
            return false;
        }
        self.num_tried += 1;
        true
    }
    /// Asks whether a copy may be removed. False if it has to be left.
    pub fn may_remove(&mut self, copy: InstrId) -> bool {
        if self.num_removed >= u64::from(self.budget.joins) {
            self.left.push((copy, Limit::Joins));
            return false;
        }
        true
    }
    /// Asks whether a move that was not tried as a copy may be removed: not once a budget is used
    /// up.
    pub fn may_remove_untried(&mut self, instr: InstrId) -> bool {
        let Some(&(_, limit)) = self.left.first() else { return self.may_remove(instr) };
        self.left.push((instr, limit));
        false
    }
    /// Asks whether this many copies may be removed at once.
    pub fn may_remove_many(&self, num: u64) -> bool {
        self.left.is_empty() && self.num_removed + num <= u64::from(self.budget.joins)
    }
    /// Notes that this many copies were removed.
    pub fn note_removed(&mut self, num: u64) {
        self.num_removed += num;
    }
    /// Returns how many copies are left; call it at the end.
    pub fn num_left(&mut self) -> u64 {
        self.left.sort_unstable();
        self.left.dedup_by_key(|left| left.0);
        self.left.len() as u64
    }
    /// Returns the budget that a copy was left for. Call it after [`Account::num_left`].
    pub fn limit_of(&self, copy: InstrId) -> Option<Limit> {
        self.left.binary_search_by_key(&copy, |left| left.0).ok().map(|i| self.left[i].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c6_a_copy_is_left_for_the_budget_that_is_used_up_first() {
        let [a, b, c] = [3, 1, 2].map(InstrId::from_raw);
        let mut account = Account::default();
        account.begin(Budget { copies: 2, joins: 1 });
        assert!(account.try_copy(a) && account.may_remove(a) && account.may_remove_many(1));
        account.note_removed(1);
        assert!(!account.may_remove_many(1));
        assert!(account.try_copy(b) && !account.may_remove(b));
        assert!(!account.try_copy(c) && !account.try_copy(c));
        assert_eq!(account.num_left(), 2);
        assert_eq!(
            [a, b, c].map(|copy| account.limit_of(copy)),
            [None, Some(Limit::Joins), Some(Limit::Copies)]
        );
        assert!(!account.may_remove_untried(a));
        account.begin(Budget { copies: u32::MAX, joins: u32::MAX });
        assert_eq!(account.num_left(), 0);
        assert!(account.may_remove_many(1000));
    }
}
