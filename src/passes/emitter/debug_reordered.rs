//! Inserts the debug values of a block that is not emitted in the order of the source (requirement
//! E10).
//!
//! Problem. A debugger should see a variable take its values in the order of the source, and never
//! a register before it is written. Where nodes are emitted in another order, a value that comes
//! right after its node can overtake another one of the same variable.
//!
//! Algorithm. Debug values wait until all nodes are done, and are inserted in the order of the
//! source. Each goes before the first instruction of a later position in the source, but not before
//! the previously inserted value, nor before the instructions that define its locations: late
//! rather than wrong. Labels go before the first instruction of a later position.
//!
//! Deviation: LLVM's list schedulers emit them as if the order were the source's. Complexity: O(n
//! log n).

use super::block::BlockEmitter;
use super::host::EmitterHost;
use super::pending_debug::PendingDebug;
use super::source_order::{Anchor, AnchorId, Place};
use crate::mir::dag::debug::{DbgLocation, DbgValue};
use crate::mir::dag::ids::{DbgValueId, NodeId};

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Notes the first instruction of node `id`.
    pub(super) fn note_reordered(
        &mut self,
        debug: &mut PendingDebug<H>,
        id: NodeId,
        first: Option<H::Instr>,
    ) {
        if let Some(first) = first {
            let instr = debug.instrs.push(first);
            let order = self.dag.nodes[id].ir_order;
            if order != 0 {
                self.buffers.order.push(order, instr);
            }
        }
        debug.instrs_so_far[id] = debug.instrs.next_idx();
    }

    /// Inserts all debug values and labels.
    pub(super) fn emit_debug_reordered(&mut self, debug: &PendingDebug<H>) {
        let begin = self.host.first_non_phi();
        let later = FirstOfLater::new(self.buffers.order.sorted());
        let end = debug.instrs.next_idx();
        let values = self.dag.dbg_values;
        let is_pending = |&i: &DbgValueId| !debug.emitted[i] && !values[i].is_byval();
        let mut listed: Vec<DbgValueId> = values.indices().filter(is_pending).collect();
        listed.sort_by_key(|&i| values[i].order);
        let mut trailing = Vec::new();
        let mut at = AnchorId::new(0);
        for i in listed {
            let value = &values[i];
            at = at.max(later.of(value.order).unwrap_or(end)).max(self.after_locations(debug, value));
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

    /// The first instruction after all nodes that a value names.
    fn after_locations(&self, debug: &PendingDebug<H>, value: &DbgValue) -> AnchorId {
        let nodes = self.dag.dbg_operands_of(value).iter().filter_map(|op| match op.location() {
            DbgLocation::Value(value) => Some(self.dag.node_of(value)),
            _ => None,
        });
        nodes.map(|id| debug.instrs_so_far[id]).max().unwrap_or(AnchorId::new(0))
    }
}

/// The first instruction, in the order of emission, that is of a later position in the source.
struct FirstOfLater {
    /// In ascending order of positions, each with the first instruction of that or a later one.
    first: Vec<Anchor>,
}

impl FirstOfLater {
    fn new(sorted: &[Anchor]) -> FirstOfLater {
        let mut first = sorted.to_vec();
        for i in (1..first.len()).rev() {
            first[i - 1].instr = first[i - 1].instr.min(first[i].instr);
        }
        FirstOfLater { first }
    }
    fn of(&self, order: u32) -> Option<AnchorId> {
        let i = self.first.partition_point(|anchor| anchor.order <= order);
        self.first.get(i).map(|anchor| anchor.instr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::emitter::source_order::anchors;

    #[test]
    fn e10_later_positions_may_have_been_emitted_first() {
        let later = FirstOfLater::new(&anchors(&[(2, 3), (4, 5), (7, 1), (9, 4)]));
        assert_eq!(
            [1, 2, 6, 7, 8, 9].map(|o| later.of(o).map(AnchorId::index)),
            [Some(1), Some(1), Some(1), Some(4), Some(4), None]
        );
    }
}
