//! A block's schedule as a graph of units: what must come before what, and which values are live between them.
//!
//! A unit is a node with all that is glued to it, which stays contiguous in every order (rows E1 and E13). Every other
//! operand that is scheduled, chains too, is an edge. A live range is a result that other units read, or the
//! virtual register that a CopyFromReg names; its size is in registers of 32 bits.
//!
//! A CopyToReg is not counted as a reader: its result goes to the register of the copy as a rule
//! ([`super::registers`]), so that the range lives on to the end of the block. Constants that are as cheap to make again
//! as to keep have no size: `ptxas` does so.
//!
//! Complexity: linear in nodes and operands.

use super::dag::{isd, step, ClassId, Dag, Node, NONE};
use super::host::Host;
use super::live_out::LiveOut;
use super::target::Target;
use crate::adt::Rows;
use crate::mir::Register;

/// Why a block has one order only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixed {
    /// Calls: what belongs to one must not get in between that of another.
    Calls,
    /// Physical registers, or units that were copied for their sake.
    PhysicalRegisters,
}

/// A value that is live between units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// In registers of 32 bits.
    pub size: u32,
    /// It comes from another block.
    pub is_live_in: bool,
    /// It is read in another block.
    pub is_live_out: bool,
}

/// The graph; units are numbered in the order of the schedule.
#[derive(Default)]
pub struct ScheduleGraph {
    /// By unit its first step, and the number of steps at the end.
    pub first_step: Vec<u32>,
    /// By unit, those that must come before it, maybe more than once.
    pub preds: Rows,
    /// By unit, those that must come behind it, as often as they are in `preds`.
    pub succs: Rows,
    /// Live ranges.
    pub ranges: Vec<Range>,
    /// By unit, the ranges that it defines, each once.
    pub defs: Rows,
    /// By unit, the ranges that it reads, each once.
    pub uses: Rows,
    /// By range, the units that read it, each once, in order.
    pub readers: Rows,
    /// What is live through the block and not touched there, in registers of 32 bits.
    pub live_through: u32,
    unit_of: Vec<u32>,
    range_of: Vec<u32>,
    edges: Vec<(u32, u32)>,
    def_pairs: Vec<(u32, u32)>,
    use_pairs: Vec<(u32, u32)>,
}

impl ScheduleGraph {
    /// How many units there are.
    pub fn num_units(&self) -> usize {
        self.first_step.len() - 1
    }
    /// What is live where the block begins, in registers of 32 bits.
    pub fn live_at_top(&self) -> u32 {
        self.live_through + self.size_of(|r| r.is_live_in)
    }
    /// What is live where the block ends.
    pub fn live_at_bottom(&self) -> u32 {
        self.live_through + self.size_of(|r| r.is_live_out)
    }
    fn size_of(&self, counts: impl Fn(&Range) -> bool) -> u32 {
        self.ranges.iter().filter(|r| counts(r)).map(|r| r.size).sum()
    }

    /// Reads a schedule.
    ///
    /// # Errors
    /// Why its order must stay.
    pub fn read<H: Host>(
        &mut self,
        host: &H,
        dag: &Dag,
        target: &mut Target,
        live: &LiveOut,
    ) -> Result<(), Fixed> {
        self.read_units(host, dag, target)?;
        self.read_ranges(host, dag, target, live);
        self.read_operands(dag);
        let units = self.num_units();
        self.preds.collect(units, self.edges.iter().map(|&(pred, succ)| (pred, succ as usize)));
        self.succs.collect(units, self.edges.iter().map(|&(pred, succ)| (succ, pred as usize)));
        self.defs.collect(units, self.def_pairs.iter().map(|&(range, unit)| (range, unit as usize)));
        self.uses.collect(units, self.use_pairs.iter().map(|&(range, unit)| (range, unit as usize)));
        self.readers
            .collect(self.ranges.len(), self.use_pairs.iter().map(|&(range, unit)| (unit, range as usize)));
        Ok(())
    }

    fn read_units<H: Host>(&mut self, host: &H, dag: &Dag, target: &mut Target) -> Result<(), Fixed> {
        self.first_step.clear();
        self.unit_of.clear();
        self.unit_of.resize(dag.nodes.len(), NONE);
        for (i, s) in dag.steps().enumerate() {
            if s.kind != step::NODE || s.flags != 0 {
                return Err(Fixed::PhysicalRegisters);
            }
            let node = &dag.nodes[s.index as usize];
            check_node(host, dag, target, node)?;
            if !dag.is_glued(node) {
                self.first_step.push(i as u32);
            }
            self.unit_of[s.index as usize] = self.first_step.len() as u32 - 1;
        }
        self.first_step.push(dag.steps().len() as u32);
        Ok(())
    }

    fn read_ranges<H: Host>(&mut self, host: &H, dag: &Dag, target: &mut Target, live: &LiveOut) {
        let block = host.ir_block();
        self.ranges.clear();
        self.def_pairs.clear();
        self.range_of.clear();
        self.range_of.resize(dag.values.len(), NONE);
        self.live_through = block.map_or(0, |b| live.live_in(b));
        for (id, node) in dag.nodes.iter().enumerate() {
            if node.is_machine() && target.desc(host, node.opcode).is_cheap() {
                continue;
            }
            let from = source_of(dag, node);
            for (i, value) in dag.values_of(node).iter().enumerate() {
                if !value.has_use() || value.is_chain() || value.is_glue() {
                    continue;
                }
                let class = target.class_for_type(host, value.ty, node.is_divergent());
                let size = class.map_or(0, |c: ClassId| target.classes.registers32(c));
                if size == 0 {
                    continue;
                }
                let v = node.first_value + i as u32;
                let handed_on = dag.copies_of(node).iter().any(|copy| copy.value == v);
                let is_live_out = match from {
                    Some(reg) => block.is_some_and(|b| live.is_live_out(b, reg)),
                    None => handed_on,
                };
                let range = self.ranges.len() as u32;
                self.range_of[v as usize] = range;
                self.ranges.push(Range { size, is_live_in: from.is_some(), is_live_out });
                if from.is_some() {
                    self.live_through = self.live_through.saturating_sub(size);
                } else {
                    self.def_pairs.push((range, self.unit_of[id]));
                }
            }
        }
    }

    fn read_operands(&mut self, dag: &Dag) {
        self.edges.clear();
        self.use_pairs.clear();
        let mut last_reader = vec![NONE; self.ranges.len()];
        let mut node_of = Vec::with_capacity(dag.values.len());
        for (id, node) in dag.nodes.iter().enumerate() {
            node_of.extend(dag.values_of(node).iter().map(|_| id as u32));
        }
        for s in dag.steps() {
            let node = &dag.nodes[s.index as usize];
            let unit = self.unit_of[s.index as usize];
            let hands_on = node.is_isd(isd::COPY_TO_REG);
            for value in dag.operands_of(node).iter().filter_map(|op| op.as_value()) {
                let pred = self.unit_of[node_of[value as usize] as usize];
                if pred == unit {
                    continue;
                }
                self.edges.push((pred, unit));
                let range = self.range_of[value as usize];
                if range != NONE
                    && !hands_on
                    && std::mem::replace(&mut last_reader[range as usize], unit) != unit
                {
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

fn check_node<H: Host>(host: &H, dag: &Dag, target: &mut Target, node: &Node) -> Result<(), Fixed> {
    if dag.operands_of(node).iter().any(|op| op.as_register().is_some_and(|reg| reg.is_physical())) {
        return Err(Fixed::PhysicalRegisters);
    }
    if !node.is_machine() {
        return Ok(());
    }
    let desc = target.desc(host, node.opcode);
    if desc.is_call() || host.is_call_sequence(node.opcode) {
        return Err(Fixed::Calls);
    }
    if desc.has_implicit_defs() || desc.has_implicit_uses() {
        return Err(Fixed::PhysicalRegisters);
    }
    Ok(())
}
