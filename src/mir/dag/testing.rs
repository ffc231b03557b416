//! Schedules for unit tests.

use super::ids::{NodeHandle, NodeId, ValueId};
use super::node::{isd, CopyUse, Node, Step};
use super::operand::{kind, Operand, Value};
use super::records::{PTX_NODE_MACHINE, PTX_TYPE_CHAIN, PTX_TYPE_GLUE, PTX_VALUE_USE};
use super::schedule::Dag;
use crate::adt::PackedOption;
use crate::mir::Register;
use index_vec::{IndexSlice, IndexVec};

/// A schedule that is built node by node.
#[allow(missing_docs)]
#[derive(Default)]
pub struct TestDag {
    pub steps: Vec<Step>,
    pub nodes: IndexVec<NodeId, Node>,
    pub operands: Vec<Operand>,
    pub words: Vec<u64>,
    pub values: IndexVec<ValueId, Value>,
    pub copies: Vec<CopyUse>,
    pub flags: u32,
    pub special_kinds: u32,
    pub odd_inputs: u32,
}

#[allow(missing_docs)]
impl TestDag {
    pub const TYPE: u16 = 7;

    pub fn imm(value: i64) -> Operand {
        Operand { kind: kind::CONSTANT, info: 32, payload: value as u32 }
    }
    pub fn reg(reg: Register) -> Operand {
        Operand { kind: kind::REGISTER, info: Self::TYPE, payload: reg.0 }
    }
    /// An operand of this kind whose payload is zero.
    pub fn leaf(&mut self, kind: u16) -> Operand {
        self.words.push(0);
        Operand { kind, info: 0, payload: self.words.len() as u32 - 1 }
    }
    pub fn chain() -> Operand {
        Operand { kind: kind::OTHER, info: PTX_TYPE_CHAIN, payload: 0 }
    }
    /// Result `result` of node `id`.
    pub fn value(&self, id: NodeId, result: usize) -> Operand {
        let value = self.nodes[id].first_value + result;
        let info = self.values[value].flags & (PTX_TYPE_GLUE | PTX_TYPE_CHAIN);
        Operand { kind: kind::NODE, info, payload: value.raw() }
    }
    /// Adds a node with `results` registers and possibly glue, and a step for it.
    pub fn node(
        &mut self,
        is_machine: bool,
        opcode: u32,
        operands: &[Operand],
        results: usize,
        glue: bool,
    ) -> NodeId {
        let id = self.nodes.next_idx();
        for used in operands.iter().filter_map(|op| op.as_value()) {
            let def = self.dag().node_of(used);
            let value = &mut self.values[used];
            value.flags = (value.flags + PTX_VALUE_USE).min((2 * PTX_VALUE_USE) | value.flags);
            if value.is_glue() {
                self.nodes[def].glued_user = id.into();
            }
        }
        if let (false, isd::COPY_TO_REG, [_, dst, src]) = (is_machine, opcode, operands) {
            if let (Some(value), Some(reg)) = (src.as_value(), dst.as_register()) {
                let def = self.dag().node_of(value);
                assert_eq!(def + 1, id, "test schedules have a CopyToReg right after its value");
                self.copies.push(CopyUse { value, reg });
            }
        }
        let num_inputs = operands.iter().take_while(|op| !op.is_chain() && !op.is_glue()).count();
        if is_machine {
            self.odd_inputs |= operands[..num_inputs].iter().fold(0, |kinds, op| kinds | 1 << op.kind);
        } else {
            self.special_kinds |= 1 << opcode;
        }
        self.nodes.push(Node {
            handle: NodeHandle(id.index() + 1),
            opcode,
            ir_order: 0,
            mi_flags: 0,
            first_operand: self.operands.len() as u32,
            first_value: self.values.next_idx(),
            first_copy: self.copies.len() as u32,
            glued_user: PackedOption::NONE,
            flags: if is_machine { PTX_NODE_MACHINE } else { 0 },
            num_operands: operands.len() as u16,
            num_inputs: num_inputs as u16,
            num_values: results as u16 + u16::from(glue),
            num_results: results as u16,
            padding: 0,
        });
        self.operands.extend_from_slice(operands);
        let result = Value { ty: Self::TYPE, flags: 0 };
        self.values.extend((0..results).map(|_| result));
        self.values.extend(glue.then_some(Value { flags: PTX_TYPE_GLUE, ..result }));
        self.steps.push(Step::once(id));
        id
    }
    pub fn dag(&self) -> Dag<'_> {
        Dag {
            order: &self.steps,
            nodes: &self.nodes,
            operands: &self.operands,
            values: &self.values,
            copies: &self.copies,
            flags: self.flags,
            special_kinds: self.special_kinds,
            odd_inputs: self.odd_inputs,
            words: &self.words,
            phys_copies: &[],
            dbg_values: IndexSlice::from_slice(&[]),
            dbg_operands: &[],
            dbg_of: &[],
            dbg_label_orders: &[],
            num_units: 0,
        }
    }
}
