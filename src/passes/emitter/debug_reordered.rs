//! Debug values of a block that is not emitted in the order of the source (row E10).
//!
//! Problem. A debugger is to see a variable take its values in the order of the source, and never a register before
//! it is written. Where nodes are emitted in another order, a value that comes right behind its node can overtake
//! another one of the same variable.
//!
//! Algorithm. Debug values wait until all nodes are done, and come in in the order of the source. Each goes before the
//! first instruction that is of a later position in the source, but not before the one that came before it, nor
//! before the instructions that make what it names: late rather than wrong. Labels go before the first instruction
//! of a later position.
//!
//! Deviation from LLVM, whose list schedulers emit them as if the order were the source's. Complexity: n log n.

use super::dag::{dbg_operand, DbgValue};
use super::debug::Pending;
use super::host::Host;
use super::order::Place;
use super::Block;

impl<H: Host> Block<'_, H> {
    /// Notes the first instruction of node `id`.
    pub(super) fn note_reordered(&mut self, debug: &mut Pending<H>, id: usize, first: Option<H::Instr>) {
        if let Some(first) = first {
            let instr = debug.add(first);
            let order = self.dag.nodes[id].ir_order;
            if order != 0 {
                self.b.order.push(order, instr);
            }
        }
        debug.instrs_so_far[id] = debug.instrs.len() as u32;
    }

    /// Inserts all debug values and labels.
    pub(super) fn emit_debug_reordered(&mut self, debug: &Pending<H>) {
        let begin = self.host.first_non_phi();
        let later = FirstOfLater::new(self.b.order.sorted());
        let end = debug.instrs.len() as u32;
        let mut listed: Vec<usize> = (0..self.dag.dbg_values.len()).collect();
        listed.retain(|&i| !debug.emitted[i] && !self.dag.dbg_values[i].is_byval());
        listed.sort_by_key(|&i| self.dag.dbg_values[i].order);
        let mut trailing = Vec::new();
        let mut at = 0;
        for i in listed {
            let value = &self.dag.dbg_values[i];
            at = at.max(later.of(value.order).unwrap_or(end)).max(self.behind_locations(debug, value));
            let mi = self.emit_dbg_value(i);
            if at == end {
                trailing.push(mi);
            } else {
                self.insert_at(mi, Place::Before(at), begin, &debug.instrs);
            }
        }
        let terminator = self.host.first_terminator();
        trailing.into_iter().for_each(|mi| self.insert_or_append(mi, terminator));
        for (label, &order) in self.dag.dbg_label_orders.iter().enumerate() {
            if let Some(at) = later.of(order) {
                let mi = self.host.build_dbg_label(label);
                self.counts.debug += 1;
                self.insert_at(mi, Place::Before(at), begin, &debug.instrs);
            }
        }
    }

    /// How many instructions come before all nodes that it names are done.
    fn behind_locations(&self, debug: &Pending<H>, value: &DbgValue) -> u32 {
        let of_nodes = self.dag.dbg_operands_of(value).iter().filter(|op| op.kind == dbg_operand::NODE);
        let nodes = of_nodes
            .filter(|op| (op.payload as usize) < self.dag.values.len())
            .map(|op| self.dag.nodes.partition_point(|node| u64::from(node.first_value) <= op.payload) - 1);
        nodes.map(|id| debug.instrs_so_far[id]).max().unwrap_or(0)
    }
}

/// The first instruction, in the order of emission, that is of a later position in the source.
struct FirstOfLater {
    /// Position in the source, ascending, and the first instruction of that or a later one.
    first: Vec<(u32, u32)>,
}

impl FirstOfLater {
    fn new(sorted: &[(u32, u32)]) -> FirstOfLater {
        let mut first = sorted.to_vec();
        for i in (1..first.len()).rev() {
            first[i - 1].1 = first[i - 1].1.min(first[i].1);
        }
        FirstOfLater { first }
    }
    fn of(&self, order: u32) -> Option<u32> {
        let i = self.first.partition_point(|&(o, _)| o <= order);
        self.first.get(i).map(|&(_, instr)| instr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e10_later_positions_may_have_been_emitted_first() {
        let later = FirstOfLater::new(&[(2, 3), (4, 5), (7, 1), (9, 4)]);
        assert_eq!(
            [1, 2, 6, 7, 8, 9].map(|o| later.of(o)),
            [Some(1), Some(1), Some(1), Some(4), Some(4), None]
        );
    }
}
