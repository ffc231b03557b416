//! Which instruction stands for which position in the source, so that debug values come in where they were.
//!
//! Every node has the number of the IR instruction that it comes from, 0 for none. The first instruction made for a
//! number stands for it, and each debug value that is emitted at its node. Source:
//! `ProcessSourceNode` of `ScheduleDAGSDNodes.cpp`.

use rustc_hash::FxHashSet;

/// Pairs of number and instruction, in the order of emission; the instruction is an index into a list of the
/// caller's.
#[derive(Default)]
pub struct SourceOrder {
    seen: FxHashSet<u32>,
    orders: Vec<(u32, u32)>,
}

impl SourceOrder {
    /// For a new block.
    pub fn clear(&mut self) {
        self.seen.clear();
        self.orders.clear();
    }
    /// Whether a node of this number is the first one to have an instruction.
    pub fn is_new(&self, order: u32) -> bool {
        order != 0 && !self.seen.contains(&order)
    }
    /// `instr` stands for `order`.
    pub fn record(&mut self, order: u32, instr: u32) {
        self.seen.insert(order);
        self.push(order, instr);
    }
    /// A debug value of `order` has been emitted as `instr`.
    pub fn push(&mut self, order: u32, instr: u32) {
        self.orders.push((order, instr));
    }
    /// By number; of equal ones the one that was emitted first.
    pub fn sorted(&mut self) -> &[(u32, u32)] {
        self.orders.sort_by_key(|&(order, _)| order);
        &self.orders
    }
}

/// Where a debug value or label goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Behind the PHIs.
    BlockBegin,
    /// Before this instruction.
    Before(u32),
    /// Before the first terminator.
    End,
}

/// Calls `place(i, where)` for each of `items`, whose numbers are in ascending order, in between the sorted `orders`: an
/// item goes before the first instruction of a greater number, that is behind those of its own number, and
/// to the front if no instruction has a smaller one or the same.
///
/// An item that is out of order stops the walk: it and those behind it go to the end.
pub fn place_in_order(items: &[u32], orders: &[(u32, u32)], mut place: impl FnMut(usize, Place)) {
    let mut next = 0;
    let mut last = 0;
    for &(order, instr) in orders {
        while next < items.len() && items[next] >= last && items[next] < order {
            place(next, if last == 0 { Place::BlockBegin } else { Place::Before(instr) });
            next += 1;
        }
        last = order;
    }
    (next..items.len()).for_each(|i| place(i, Place::End));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(items: &[u32], orders: &[(u32, u32)]) -> Vec<Place> {
        let mut out = vec![];
        place_in_order(items, orders, |i, p| {
            assert_eq!(i, out.len());
            out.push(p);
        });
        out
    }

    #[test]
    fn e10_values_go_before_the_next_greater_number() {
        use Place::{Before, BlockBegin, End};
        let orders = [(2, 10), (4, 11), (4, 12), (7, 13)];
        assert_eq!(
            places(&[1, 2, 4, 5, 7, 9], &orders),
            [BlockBegin, Before(11), Before(13), Before(13), End, End]
        );
        assert_eq!(places(&[3], &[]), [End]);
    }

    #[test]
    fn e10_the_first_instruction_of_a_number_stands_for_it() {
        let mut order = SourceOrder::default();
        assert!(order.is_new(3) && !order.is_new(0));
        order.record(3, 7);
        assert!(!order.is_new(3));
        order.record(2, 8);
        order.push(3, 9);
        assert_eq!(order.sorted(), [(2, 8), (3, 7), (3, 9)]);
    }
}
