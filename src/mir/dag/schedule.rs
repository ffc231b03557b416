//! A block's schedule.

use super::debug::{DbgOf, DbgOperand, DbgValue};
use super::ids::{DbgValueId, NodeId, ValueId};
use super::node::{CopyUse, Node, PhysCopy, Step};
use super::operand::{kind, Operand, Value};
use index_vec::IndexSlice;

/// Facts about a whole block.
pub mod flag {
    pub use super::super::records::{
        PTX_DAG_CALL_SITE_INFO as CALL_SITE_INFO, PTX_DAG_DEBUG_INSTR_REFS as DEBUG_INSTR_REFS,
        PTX_DAG_FIRST_BLOCK as FIRST_BLOCK, PTX_DAG_HAS_DEBUG_VALUES as HAS_DEBUG_VALUES,
        PTX_DAG_OPTIMISE as OPTIMISE, PTX_DAG_PHYS_REGS_FOR_VALUES as PHYS_REGS_FOR_VALUES,
        PTX_DAG_STRICT_FP as STRICT_FP,
    };
}

/// The schedule of a block.
#[derive(Clone, Copy)]
pub struct Dag<'a> {
    /// The steps; empty if every node is one step, in order.
    pub order: &'a [Step],
    /// By number.
    pub nodes: &'a IndexSlice<NodeId, [Node]>,
    /// Of all nodes.
    pub operands: &'a [Operand],
    /// 64-bit payloads of operands: handles and long constants.
    pub words: &'a [u64],
    /// Results, by number.
    pub values: &'a IndexSlice<ValueId, [Value]>,
    /// Of all nodes.
    pub copies: &'a [CopyUse],
    /// Copies between units.
    pub phys_copies: &'a [PhysCopy],
    /// In this order: those of by-value parameters, then the rest.
    pub dbg_values: &'a IndexSlice<DbgValueId, [DbgValue]>,
    /// Of all debug values.
    pub dbg_operands: &'a [DbgOperand],
    /// By node.
    pub dbg_of: &'a [DbgOf],
    /// Position in the source, by label.
    pub dbg_label_orders: &'a [u32],
    /// How many units were scheduled.
    pub num_units: usize,
    /// See [`flag`].
    pub flags: u32,
    /// A bit for each [`isd`](super::node::isd) kind of node that the block has.
    pub special_kinds: u32,
    /// A bit for each [`kind`] of a machine node's inputs that does not become an instruction
    /// operand.
    pub odd_inputs: u32,
}

impl<'a> Dag<'a> {
    /// Whether a node is glued after another one.
    pub fn is_glued(&self, node: &Node) -> bool {
        self.operands_of(node).last().is_some_and(|op| op.is_glue() && op.as_value().is_some())
    }
    /// Whether the block has this [`flag`].
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// The steps in order.
    pub fn steps(self) -> impl ExactSizeIterator<Item = Step> + 'a {
        let num = if self.order.is_empty() { self.nodes.len() } else { self.order.len() };
        (0..num).map(move |i| self.step(i))
    }
    /// Step `i`.
    pub fn step(&self, i: usize) -> Step {
        self.order.get(i).copied().unwrap_or(Step::once(NodeId::from_usize(i)))
    }
    /// The operands of a node.
    pub fn operands_of(&self, node: &Node) -> &'a [Operand] {
        &self.operands[node.first_operand as usize..][..node.num_operands.into()]
    }
    /// The operands that become operands of the instruction: those before the chain and the glue.
    pub fn inputs_of(&self, node: &Node) -> &'a [Operand] {
        &self.operands[node.first_operand as usize..][..node.num_inputs.into()]
    }
    /// LLVM's number of the type of a value or a register.
    pub fn type_of(&self, op: Operand) -> u16 {
        op.as_value().map_or(op.register_type(), |value| self.values[value].ty)
    }
    /// The 64-bit payload of an operand: a handle or a long constant.
    pub fn word_of(&self, op: Operand) -> u64 {
        self.words[op.payload as usize]
    }
    /// A constant, zero-extended.
    pub fn zext(&self, op: Operand) -> u64 {
        let value = match op.kind {
            kind::LONG_CONSTANT => self.word_of(op),
            _ => op.as_constant().expect("a constant operand is expected") as u64,
        };
        match op.info {
            bits @ 0..64 => value & ((1 << bits) - 1),
            _ => value,
        }
    }
    /// The node that makes a result. Logarithmic in the number of nodes.
    pub fn node_of(&self, value: ValueId) -> NodeId {
        NodeId::from_usize(self.nodes.as_raw_slice().partition_point(|node| node.first_value <= value) - 1)
    }
    /// The results of a node, chain and glue too.
    pub fn values_of(&self, node: &Node) -> &'a [Value] {
        &self.values.as_raw_slice()[node.first_value.index()..][..node.num_values.into()]
    }
    /// Result `i` of a node.
    pub fn value_of(&self, node: &Node, i: usize) -> ValueId {
        node.first_value + i
    }
    /// The uses of its results by a CopyToReg to a virtual register, in the order of LLVM's use
    /// list.
    pub fn copies_of(&self, node: &Node) -> &'a [CopyUse] {
        let end = node.first_value + usize::from(node.num_values);
        let copies = &self.copies[node.first_copy as usize..];
        let num = copies.iter().take_while(|copy| copy.value < end).count();
        &copies[..num]
    }
    /// The locations of a debug value.
    pub fn dbg_operands_of(&self, value: &DbgValue) -> &'a [DbgOperand] {
        &self.dbg_operands[value.first_operand as usize..][..value.num_operands as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::dag::testing::TestDag;

    #[test]
    fn a_constant_is_zero_extended_from_its_width() {
        let mut dag = TestDag::default();
        dag.node(true, 1, &[TestDag::imm(-1)], 1, false);
        let dag = dag.dag();
        let op = dag.operands[0];
        assert_eq!((op.as_constant(), dag.zext(op)), (Some(-1), 0xffff_ffff));
        let words = [u64::MAX - 1];
        let dag = Dag { words: &words, ..dag };
        let long = |info| Operand { kind: kind::LONG_CONSTANT, info, payload: 0 };
        assert_eq!(dag.zext(long(64)), u64::MAX - 1);
        assert_eq!(dag.zext(long(40)), (1 << 40) - 2);
    }

    #[test]
    fn a_result_has_the_node_that_makes_it() {
        let mut dag = TestDag::default();
        let first = dag.node(true, 1, &[], 2, true);
        dag.node(true, 1, &[], 0, false);
        let last = dag.node(true, 1, &[], 1, false);
        let dag = dag.dag();
        let nodes: Vec<NodeId> = dag.values.indices().map(|value| dag.node_of(value)).collect();
        assert_eq!(nodes, [first, first, first, last]);
    }
}
