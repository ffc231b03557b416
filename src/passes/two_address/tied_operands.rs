//! Keeps the tied pairs of one instruction (requirements T1, T10).

use crate::adt::{DenseMapOrder, PackedOption};
use crate::mir::{Operand, Register};
use index_vec::IndexVec;
use std::ops::Range;

/// A use and the def that it is tied to, by their positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TiedPair {
    pub(super) src: usize,
    pub(super) dst: usize,
}

/// Pairs whose registers differ, grouped by source register. The groups are visited in LLVM's
/// order, which is that of a hash map: see [`DenseMapOrder`].
#[derive(Default)]
pub(super) struct TiedOperands {
    order: DenseMapOrder,
    groups: IndexVec<GroupId, Group>,
    links: IndexVec<LinkId, Link>,
    /// All operands of the instruction, kept as they are changed.
    pub(super) operands: Vec<Operand>,
    /// (register, index) of every use, sorted.
    uses: Vec<(Register, u32)>,
    /// Scratch: all ties, those whose registers are the same included.
    pub(super) ties: Vec<TiedPair>,
    /// Scratch: the group starts of an INLINEASM.
    pub(super) asm_groups: Vec<usize>,
}

index_vec::define_index_type! {
    /// The ordinal of a group's source register.
    pub(super) struct GroupId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// A place in the list of a group.
    pub(super) struct LinkId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// The pairs of one source register, as a list in the order of the uses.
struct Group {
    first: LinkId,
    last: LinkId,
}

struct Link {
    pair: TiedPair,
    next: PackedOption<LinkId>,
}

impl TiedOperands {
    /// Begins a function: the hash map is as small as before a function's first instruction.
    pub(super) fn reset(&mut self) {
        self.order.reset();
        self.groups.clear();
        self.links.clear();
    }

    /// Begins an instruction.
    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.groups.clear();
        self.links.clear();
    }

    /// Adds a pair with source register `reg`.
    pub(super) fn add(&mut self, reg: Register, pair: TiedPair) {
        let link = self.links.push(Link { pair, next: PackedOption::NONE });
        let group = GroupId::from_usize(self.order.insert(reg.0));
        match self.groups.get_mut(group) {
            None => {
                self.groups.push(Group { first: link, last: link });
            }
            Some(Group { last, .. }) => {
                self.links[*last].next = link.into();
                *last = link;
            }
        }
    }

    /// The groups, in the order in which they are processed.
    pub(super) fn groups(&self) -> impl Iterator<Item = GroupId> + '_ {
        self.order.ordinals().map(GroupId::from_usize)
    }

    /// The pairs of a group, in the order of the uses.
    pub(super) fn pairs_of(&self, group: GroupId) -> impl Iterator<Item = TiedPair> + '_ {
        let first = &self.links[self.groups[group].first];
        std::iter::successors(Some(first), |link| link.next.get().map(|next| &self.links[next]))
            .map(|link| link.pair)
    }

    /// The head of a group's list, to walk it while operands change.
    pub(super) fn first_link(&self, group: GroupId) -> LinkId {
        self.groups[group].first
    }

    /// The pair at a place of a group's list, and the next place.
    pub(super) fn pair_and_next(&self, link: LinkId) -> (TiedPair, Option<LinkId>) {
        (self.links[link].pair, self.links[link].next.get())
    }

    /// All pairs, in the order in which they are processed.
    pub(super) fn all_pairs(&self) -> impl Iterator<Item = TiedPair> + '_ {
        self.groups().flat_map(|group| self.pairs_of(group))
    }

    /// The pair, if there is only one.
    pub(super) fn single_pair(&self) -> Option<TiedPair> {
        (self.links.len() == 1).then(|| self.links[LinkId::new(0)].pair)
    }

    /// Each source register and its only pair, in LLVM's order; `None` for a register with several
    /// pairs.
    pub(super) fn sole_pairs(&self) -> impl Iterator<Item = (Register, Option<TiedPair>)> + '_ {
        self.groups().map(|group| {
            let mut pairs = self.pairs_of(group);
            let first = pairs.next().expect("a group has a pair");
            (self.operands[first.src].reg(), pairs.next().is_none().then_some(first))
        })
    }

    /// Sorts the uses by register, for [`Self::uses_of`].
    pub(super) fn index_uses(&mut self) {
        self.uses.clear();
        let uses = self.operands.iter().enumerate().filter(|(_, op)| op.is_use());
        self.uses.extend(uses.map(|(i, op)| (op.reg(), i as u32)));
        self.uses.sort_unstable();
    }

    /// The positions among the sorted uses of those that named `reg` when they were sorted.
    pub(super) fn indexed_uses(&self, reg: Register) -> Range<usize> {
        let start = self.uses.partition_point(|&(r, _)| r < reg);
        start..start + self.uses[start..].iter().take_while(|&&(r, _)| r == reg).count()
    }

    /// The index of the operand at a position of the sorted uses.
    pub(super) fn indexed_use(&self, position: usize) -> usize {
        self.uses[position].1 as usize
    }

    /// The indices of the uses of `reg`, ascending, without those that have become another
    /// register.
    pub(super) fn uses_of(&self, reg: Register) -> impl Iterator<Item = usize> + '_ {
        let indices = self.indexed_uses(reg).map(|position| self.indexed_use(position));
        indices.filter(move |&i| self.operands[i].reg() == reg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(src: usize, dst: usize) -> TiedPair {
        TiedPair { src, dst }
    }

    #[test]
    fn t1_pairs_of_one_source_are_a_group_in_the_order_of_the_uses() {
        let mut tied = TiedOperands::default();
        for function in 0..2 {
            tied.reset();
            let (a, b) = (Register::virt(1), Register::virt(2));
            tied.operands = [a, b, a, b].map(|reg| Operand::test_reg(reg, false, true)).to_vec();
            tied.add(a, pair(0, 9));
            assert_eq!(tied.single_pair(), Some(pair(0, 9)), "function {function}");
            tied.add(b, pair(1, 8));
            tied.add(a, pair(2, 7));
            assert_eq!(tied.single_pair(), None);
            let groups: Vec<Vec<_>> = tied.groups().map(|g| tied.pairs_of(g).collect()).collect();
            assert!(groups.contains(&vec![pair(0, 9), pair(2, 7)]) && groups.contains(&vec![pair(1, 8)]));
            let sole: Vec<_> = tied.sole_pairs().collect();
            assert!(sole.contains(&(a, None)) && sole.contains(&(b, Some(pair(1, 8)))));
        }
    }

    #[test]
    fn t1_uses_are_found_by_register_until_they_change() {
        let (a, b) = (Register::virt(1), Register::virt(2));
        let read = |reg| Operand::test_reg(reg, false, false);
        let operands =
            vec![Operand::test_reg(a, true, false), read(b), read(a), Operand::test_imm(1), read(b)];
        let mut tied = TiedOperands { operands, ..TiedOperands::default() };
        tied.index_uses();
        assert_eq!(tied.uses_of(b).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(tied.uses_of(a).collect::<Vec<_>>(), [2]);
        tied.operands[1] = read(a);
        assert_eq!(tied.uses_of(b).collect::<Vec<_>>(), [4]);
        assert_eq!(tied.indexed_uses(b).len(), 2);
    }
}
