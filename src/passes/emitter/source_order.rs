//! Finds the instruction that stands for a position in the source, so that debug values go where
//! they were.
//!
//! Every node has the number of the IR instruction that it comes from, 0 for none. The first
//! instruction made for a number stands for it. So does each debug value that is emitted at its
//! node.
//!
//! Source: `ProcessSourceNode` of `ScheduleDAGSDNodes.cpp`.

use rustc_hash::FxHashSet;

index_vec::define_index_type! {
    /// The position of an instruction in the caller's list of those that stand for a number.
    pub(super) struct AnchorId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// An instruction that stands for a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Anchor {
    /// The number.
    pub(super) order: u32,
    /// The instruction.
    pub(super) instr: AnchorId,
}

/// The anchors of a block, in the order of emission.
#[derive(Default)]
pub(super) struct SourceOrder {
    seen: FxHashSet<u32>,
    anchors: Vec<Anchor>,
}

impl SourceOrder {
    /// Empties it for a new block.
    pub(super) fn clear(&mut self) {
        self.seen.clear();
        self.anchors.clear();
    }
    /// Whether no instruction stands for this number yet.
    pub(super) fn is_new(&self, order: u32) -> bool {
        order != 0 && !self.seen.contains(&order)
    }
    /// Makes `instr` stand for `order`.
    pub(super) fn record(&mut self, order: u32, instr: AnchorId) {
        self.seen.insert(order);
        self.push(order, instr);
    }
    /// Adds a debug value of `order` that has been emitted as `instr`.
    pub(super) fn push(&mut self, order: u32, instr: AnchorId) {
        self.anchors.push(Anchor { order, instr });
    }
    /// The anchors sorted by number; those of one number stay in the order of emission.
    pub(super) fn sorted(&mut self) -> &[Anchor] {
        self.anchors.sort_by_key(|anchor| anchor.order);
        &self.anchors
    }
}

/// The place of a debug value or label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// After the PHIs.
    BlockBegin,
    /// Before this instruction.
    Before(AnchorId),
    /// Before the first terminator.
    End,
}

/// Calls `place(i, where)` to put each of `items`, numbers in ascending order, among the sorted
/// `anchors`.
///
/// An item goes before the first instruction with a greater number, so after those of its own
/// number. It goes to the front if no instruction has a smaller or equal number. An item that is
/// out of order stops the walk: it and all later ones go to the end.
pub(super) fn place_in_order(items: &[u32], anchors: &[Anchor], mut place: impl FnMut(usize, Place)) {
    let mut next = 0;
    let mut last = 0;
    for anchor in anchors {
        while next < items.len() && items[next] >= last && items[next] < anchor.order {
            place(next, if last == 0 { Place::BlockBegin } else { Place::Before(anchor.instr) });
            next += 1;
        }
        last = anchor.order;
    }
    (next..items.len()).for_each(|i| place(i, Place::End));
}

/// Anchors by number and instruction, for unit tests.
#[cfg(test)]
pub(super) fn anchors(pairs: &[(u32, usize)]) -> Vec<Anchor> {
    pairs.iter().map(|&(order, instr)| Anchor { order, instr: AnchorId::new(instr) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(items: &[u32], pairs: &[(u32, usize)]) -> Vec<Place> {
        let mut out = vec![];
        place_in_order(items, &anchors(pairs), |i, p| {
            assert_eq!(i, out.len());
            out.push(p);
        });
        out
    }

    #[test]
    fn e10_values_go_before_the_next_greater_number() {
        use Place::{BlockBegin, End};
        let before = |instr| Place::Before(AnchorId::new(instr));
        let orders = [(2, 10), (4, 11), (4, 12), (7, 13)];
        assert_eq!(
            places(&[1, 2, 4, 5, 7, 9], &orders),
            [BlockBegin, before(11), before(13), before(13), End, End]
        );
        assert_eq!(places(&[3], &[]), [End]);
    }

    #[test]
    fn e10_the_first_instruction_of_a_number_stands_for_it() {
        let mut order = SourceOrder::default();
        assert!(order.is_new(3) && !order.is_new(0));
        order.record(3, AnchorId::new(7));
        assert!(!order.is_new(3));
        order.record(2, AnchorId::new(8));
        order.push(3, AnchorId::new(9));
        assert_eq!(order.sorted(), anchors(&[(2, 8), (3, 7), (3, 9)]));
    }
}
