//! Reads a block's schedule as a graph of units, with the order among them and the values that are
//! live between them.
//!
//! A unit is a node with all nodes that are glued to it; they stay contiguous in every order
//! (requirements E1 and E13). Every other operand that is scheduled, chains included, is an edge. A
//! live range is a result that other units read, or the virtual register that a CopyFromReg names.
//! Its size is in 32-bit registers.
//!
//! A CopyToReg does not count as a reader. As a rule the result goes straight to the register of
//! the copy ([`super::registers`]), so the range lives on to the end of the block. Constants that
//! are as cheap to rematerialise as to keep get no range, because `ptxas` rematerialises them.
//!
//! Complexity: linear in nodes and operands.

use super::host::EmitterHost;
use super::live_out::LiveOut;
use super::target::EmitterTarget;
use crate::adt::{PackedOption, Rows};
use crate::mir::dag::ids::{NodeId, ValueId};
use crate::mir::dag::node::{isd, Node};
use crate::mir::dag::schedule::Dag;
use crate::mir::Register;
use crate::nvptx::computation::is_call_sequence;
use index_vec::{index_vec, IndexVec};
use std::ops;

index_vec::define_index_type! {
    /// The position of a unit in the schedule.
    pub(super) struct UnitId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// The number of a live range.
    pub(super) struct RangeId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// Why a block has one order only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OrderConstraint {
    /// Calls: the sequences of two calls must not mix.
    Calls,
    /// Physical registers, or units that were cloned because of them.
    PhysicalRegisters,
}

/// A value that is live between units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LiveRange {
    /// In 32-bit registers.
    pub(super) size: u32,
    /// Whether it comes from another block.
    pub(super) is_live_in: bool,
    /// Whether another block reads it.
    pub(super) is_live_out: bool,
}

/// The graph; units are numbered in the order of the schedule.
#[derive(Default)]
pub(super) struct ScheduleGraph {
    /// By unit, its first step; then the number of steps.
    pub(super) first_step: Vec<u32>,
    /// By unit, the units that must come before it, possibly more than once.
    pub(super) preds: Rows<UnitId, UnitId>,
    /// By unit, the units that must come after it, as often as it is in their `preds`.
    pub(super) succs: Rows<UnitId, UnitId>,
    /// Live ranges.
    pub(super) ranges: IndexVec<RangeId, LiveRange>,
    /// By unit, the ranges that it defines, each once.
    pub(super) defs: Rows<UnitId, RangeId>,
    /// By unit, the ranges that it reads, each once.
    pub(super) uses: Rows<UnitId, RangeId>,
    /// By range, the units that read it, each once, in order.
    pub(super) readers: Rows<RangeId, UnitId>,
    /// The size of the values that live through the block untouched, in 32-bit registers.
    pub(super) live_through: u32,
    unit_of: IndexVec<NodeId, PackedOption<UnitId>>,
    range_of: IndexVec<ValueId, PackedOption<RangeId>>,
    /// Pairs of a unit and one that must come after it.
    edges: Vec<(UnitId, UnitId)>,
    def_pairs: Vec<(RangeId, UnitId)>,
    use_pairs: Vec<(RangeId, UnitId)>,
}

impl ScheduleGraph {
    /// How many units there are.
    pub(super) fn num_units(&self) -> usize {
        self.first_step.len() - 1
    }
    /// All units in the order of the schedule.
    pub(super) fn all_units(&self) -> impl ExactSizeIterator<Item = UnitId> {
        (0..self.num_units()).map(UnitId::from_usize)
    }
    /// The steps of a unit.
    pub(super) fn steps_of(&self, unit: UnitId) -> ops::Range<usize> {
        self.first_step[unit.index()] as usize..self.first_step[unit.index() + 1] as usize
    }
    /// The size of the values that are live where the block begins, in 32-bit registers.
    pub(super) fn live_at_top(&self) -> u32 {
        self.live_through + self.size_of(|r| r.is_live_in)
    }
    /// The size of the values that are live where the block ends.
    pub(super) fn live_at_bottom(&self) -> u32 {
        self.live_through + self.size_of(|r| r.is_live_out)
    }
    fn size_of(&self, counts: impl Fn(&LiveRange) -> bool) -> u32 {
        self.ranges.iter().filter(|r| counts(r)).map(|r| r.size).sum()
    }

    /// Reads a schedule.
    ///
    /// # Errors
    /// The reason why its order must stay.
    pub(super) fn read<H: EmitterHost>(
        &mut self,
        host: &H,
        dag: &Dag,
        target: &mut EmitterTarget,
        live: &LiveOut,
    ) -> Result<(), OrderConstraint> {
        self.read_units(host, dag, target)?;
        self.read_ranges(host, dag, target, live);
        self.read_operands(dag);
        let units = self.num_units();
        self.preds.collect(units, self.edges.iter().copied());
        self.succs.collect(units, self.edges.iter().map(|&(pred, succ)| (succ, pred)));
        self.defs.collect(units, self.def_pairs.iter().copied());
        self.uses.collect(units, self.use_pairs.iter().copied());
        let by_range = self.use_pairs.iter().map(|&(range, unit)| (unit, range));
        self.readers.collect(self.ranges.len(), by_range);
        Ok(())
    }

    fn read_units<H: EmitterHost>(
        &mut self,
        host: &H,
        dag: &Dag,
        target: &mut EmitterTarget,
    ) -> Result<(), OrderConstraint> {
        self.first_step.clear();
        self.unit_of.clear();
        self.unit_of.resize(dag.nodes.len(), PackedOption::NONE);
        for (i, s) in dag.steps().enumerate() {
            let Some(id) = s.node().filter(|_| s.flags == 0) else {
                return Err(OrderConstraint::PhysicalRegisters);
            };
            let node = &dag.nodes[id];
            check_node(host, dag, target, node)?;
            if !dag.is_glued(node) {
                self.first_step.push(i as u32);
            }
            self.unit_of[id] = UnitId::from_usize(self.first_step.len() - 1).into();
        }
        self.first_step.push(dag.steps().len() as u32);
        Ok(())
    }

    fn read_ranges<H: EmitterHost>(
        &mut self,
        host: &H,
        dag: &Dag,
        target: &mut EmitterTarget,
        live: &LiveOut,
    ) {
        let block = host.ir_block();
        self.ranges.clear();
        self.def_pairs.clear();
        self.range_of.clear();
        self.range_of.resize(dag.values.len(), PackedOption::NONE);
        self.live_through = block.map_or(0, |b| live.live_in(b));
        for (id, node) in dag.nodes.iter_enumerated() {
            if node.is_machine() && target.desc(host, node.opcode).is_cheap_constant() {
                continue;
            }
            let from = source_of(dag, node);
            for (i, value) in dag.values_of(node).iter().enumerate() {
                if !value.has_use() || value.is_chain() || value.is_glue() {
                    continue;
                }
                let class = target.class_for_type(host, value.ty, node.is_divergent());
                let size = class.map_or(0, |c| target.classes.registers32(c));
                if size == 0 {
                    continue;
                }
                let v = dag.value_of(node, i);
                let handed_on = dag.copies_of(node).iter().any(|copy| copy.value == v);
                let is_live_out = match from {
                    Some(reg) => block.is_some_and(|b| live.is_live_out(b, reg)),
                    None => handed_on,
                };
                let range = self.ranges.push(LiveRange { size, is_live_in: from.is_some(), is_live_out });
                self.range_of[v] = range.into();
                if from.is_some() {
                    self.live_through = self.live_through.saturating_sub(size);
                } else {
                    self.def_pairs.push((range, self.unit_of[id].get().expect("every node is scheduled")));
                }
            }
        }
    }

    fn read_operands(&mut self, dag: &Dag) {
        self.edges.clear();
        self.use_pairs.clear();
        let mut last_reader = index_vec![PackedOption::NONE; self.ranges.len()];
        let mut unit_of_value: IndexVec<ValueId, PackedOption<UnitId>> =
            IndexVec::with_capacity(dag.values.len());
        for (id, node) in dag.nodes.iter_enumerated() {
            unit_of_value.extend(dag.values_of(node).iter().map(|_| self.unit_of[id]));
        }
        for id in dag.steps().filter_map(|s| s.node()) {
            let node = &dag.nodes[id];
            let Some(unit) = self.unit_of[id].get() else { continue };
            let is_copy_to_reg = node.is_isd(isd::COPY_TO_REG);
            for value in dag.operands_of(node).iter().filter_map(|op| op.as_value()) {
                let Some(pred) = unit_of_value[value].get().filter(|&pred| pred != unit) else { continue };
                self.edges.push((pred, unit));
                let Some(range) = self.range_of[value].get().filter(|_| !is_copy_to_reg) else { continue };
                let this = PackedOption::from(unit);
                if std::mem::replace(&mut last_reader[range], this) != this {
                    self.use_pairs.push((range, unit));
                }
            }
        }
    }
}

/// The virtual register of a CopyFromReg.
fn source_of(dag: &Dag, node: &Node) -> Option<Register> {
    if !node.is_isd(isd::COPY_FROM_REG) {
        return None;
    }
    dag.operands_of(node)[1].as_register().filter(|reg| reg.is_virtual())
}

/// Checks that a node may be moved.
fn check_node<H: EmitterHost>(
    host: &H,
    dag: &Dag,
    target: &mut EmitterTarget,
    node: &Node,
) -> Result<(), OrderConstraint> {
    if dag.operands_of(node).iter().any(|op| op.as_register().is_some_and(|reg| reg.is_physical())) {
        return Err(OrderConstraint::PhysicalRegisters);
    }
    if !node.is_machine() {
        return Ok(());
    }
    let desc = target.desc(host, node.opcode);
    if desc.is_call() || is_in_call_sequence(host, node.opcode) {
        return Err(OrderConstraint::Calls);
    }
    if desc.has_implicit_defs() || desc.has_implicit_uses() {
        return Err(OrderConstraint::PhysicalRegisters);
    }
    Ok(())
}

/// Whether an opcode begins or ends the sequence of a call. LLVM knows the opcodes of most targets,
/// but not those of NVPTX.
fn is_in_call_sequence(host: &impl EmitterHost, opcode: u32) -> bool {
    host.call_frame_opcodes().contains(&opcode) || is_call_sequence(&host.opcode_name(opcode))
}
