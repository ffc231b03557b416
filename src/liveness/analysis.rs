//! Holds the buffers of liveness and runs its phases.

use super::block_facts::BlockFacts;
use super::propagate::{LiveSets, Method};
use super::ranges::Sink;
use super::segments::SegmentBuilder;
use super::slot_index::{SlotIndex, SlotIndexes};
use super::unsuited::Unsuited;
use super::values::{Around, DefId, Occurrences, Resolver};
use crate::adt::Counter;
use crate::cfg::{Cfg, Dominators};
use crate::mir::{Code, FunctionShape, LiveRanges, Piece, RegUnit, VRegId, VarFlags};

/// A function with at most this many instructions is solved without bitsets (requirement L6; a
/// constant of the reference).
const SMALL_FUNCTION_INSTRS: usize = 15;
/// So is a function with at most this many blocks.
const SMALL_FUNCTION_BLOCKS: usize = 1;

/// The ranges of registers with several values are handed over once they have about this many
/// segments.
const SEGMENTS_AT_ONCE: usize = 256;

/// Answers the questions that only LLVM's function can answer, when they come up.
pub trait LivenessHost {
    /// Returns whether a virtual register is a predicate.
    fn is_predicate(&mut self, reg: VRegId) -> bool;
    /// Writes the defs of a virtual register to `out` in the order of the register's use-def chain.
    /// `defs` are the entries of all instructions that define it, in layout order.
    fn def_order(&mut self, reg: VRegId, defs: &[u32], out: &mut Vec<DefId>) -> Result<(), Unsuited>;
    /// Writes the slots of the uses of a virtual register to `out` in the order of its chain.
    fn use_order(
        &mut self,
        reg: VRegId,
        slots: &SlotIndexes,
        out: &mut Vec<SlotIndex>,
    ) -> Result<(), Unsuited>;
    /// Writes the dominator tree to `out`. Called at most once for a function.
    fn dominators(&mut self, out: &mut Dominators);
}

/// The buffers and results of all phases, kept from function to function.
#[derive(Default)]
pub struct Liveness {
    /// Slots.
    pub slots: SlotIndexes,
    /// Orders of the graph.
    pub cfg: Cfg,
    /// The defs and uses of registers in each block.
    pub facts: BlockFacts,
    /// The blocks that registers are live into and out of.
    pub sets: LiveSets,
    /// The ranges of register units, see [`Liveness::resolve_unit`].
    pub unit_ranges: LiveRanges<RegUnit>,
    /// The ranges of some registers at a time.
    ranges: LiveRanges,
    dominators: Dominators,
    dominators_known: bool,
    method: Method,
    /// Small functions go through the global dataflow as well; for measurements.
    pub no_bypass: bool,
    resolver: Resolver,
    segments: SegmentBuilder,
    defs: Vec<u32>,
    order: Vec<DefId>,
    uses: Vec<SlotIndex>,
}

/// Makes the [`Around`] of phase 6. It is a macro because it borrows some fields while others
/// change.
macro_rules! around {
    ($this:ident, $shape:ident) => {
        Around {
            slots: &$this.slots,
            cfg: &$this.cfg,
            dominators: &$this.dominators,
            numbers: &$shape.numbers,
        }
    };
}

impl Liveness {
    /// Runs phases 1 to 4: orders the graph, numbers the slots, and gathers the facts of the
    /// blocks.
    ///
    /// # Errors
    /// When some register is read that has no def.
    pub fn analyze(
        &mut self,
        shape: &FunctionShape,
        code: &mut impl Code,
        fast_compile: bool,
        host: &mut impl LivenessHost,
    ) -> Result<(), Unsuited> {
        self.reset();
        self.auxiliary_tables(shape);
        self.facts.gather(shape, code, &mut self.slots)?;
        self.method = self.choose_method(shape.num_blocks(), fast_compile);
        self.sets.choose(&self.facts, &self.cfg, |reg| host.is_predicate(reg));
        Ok(())
    }

    /// Counts whether the last function bypassed the dataflow, and the rounds of its dataflow
    /// (requirement P9).
    pub fn dataflow_counts(&self) -> [Counter; 2] {
        [
            ("functions that bypass the dataflow", u64::from(self.method == Method::Local)),
            ("rounds of the dataflow", self.sets.rounds()),
        ]
    }

    /// Runs phase 5 for one group of registers.
    pub fn propagate(&mut self, group: usize) {
        self.sets.solve(group, &self.facts, &self.cfg, self.method);
    }

    /// Runs phases 5 to 8, after [`Liveness::analyze`]. Hands over the live range of every virtual
    /// register that an operand names, except for local registers: see
    /// [`Liveness::for_each_local`].
    ///
    /// # Errors
    /// When no def reaches some use. `sink` may already have a part of the result.
    pub fn live_intervals(
        &mut self,
        shape: &FunctionShape,
        host: &mut impl LivenessHost,
        sink: &mut impl Sink,
    ) -> Result<(), Unsuited> {
        self.resolve_values(shape, host, sink)?;
        self.resolve_groups(sink);
        self.undefined_registers();
        self.finish(sink);
        Ok(())
    }

    /// Runs phases 5 to 8 in a function in SSA form, after [`Liveness::analyze`]. Hands over the
    /// ranges of the registers that are wanted and not local.
    pub fn ranges_of(&mut self, is_wanted: impl FnMut(VRegId) -> bool, sink: &mut impl Sink) {
        self.sets.retain(is_wanted);
        self.resolve_groups(sink);
    }

    fn resolve_groups(&mut self, sink: &mut impl Sink) {
        for group in 0..self.sets.num_groups() {
            self.propagate(group);
            self.segments.build(group, &self.facts, &mut self.sets, &self.slots, &mut self.ranges);
            self.finish(sink);
        }
    }

    /// Frees all but the graph and the dominators.
    pub fn keep_graph(&mut self) {
        *self = Liveness {
            cfg: std::mem::take(&mut self.cfg),
            dominators: std::mem::take(&mut self.dominators),
            dominators_known: self.dominators_known,
            ..Liveness::default()
        };
    }

    fn reset(&mut self) {
        self.ranges.clear();
        self.unit_ranges.clear();
        self.dominators_known = false;
    }

    fn auxiliary_tables(&mut self, shape: &FunctionShape) {
        self.cfg.compute(&shape.succs);
    }

    fn choose_method(&self, num_blocks: usize, fast_compile: bool) -> Method {
        let small = self.slots.num_instrs() <= SMALL_FUNCTION_INSTRS || num_blocks <= SMALL_FUNCTION_BLOCKS;
        if !self.no_bypass && (small || fast_compile) {
            Method::Local
        } else {
            Method::FixedPoint
        }
    }

    fn resolve_values(
        &mut self,
        shape: &FunctionShape,
        host: &mut impl LivenessHost,
        sink: &mut impl Sink,
    ) -> Result<(), Unsuited> {
        self.resolver.reset(shape.num_blocks());
        for i in 0..self.facts.many_defs.len() {
            let reg = self.facts.many_defs[i];
            self.defs.clear();
            self.defs.extend(self.facts.defs(reg).map(|p| p.start.entry()));
            host.def_order(reg, &self.defs, &mut self.order)?;
            self.uses.clear();
            if self.facts.flags[reg].has(VarFlags::GLOBAL) {
                self.need_dominators(host);
                let exposed = self.facts.pieces(reg).filter(|p| !p.is_def());
                self.uses.extend(exposed.map(|p| p.end));
                let phis = self.sets.phi_uses_of(reg).iter();
                self.uses.extend(phis.map(|&block| self.slots.end(block)));
            }
            self.resolve_reg(shape, reg)?;
            // With unreachable blocks, the order decides more than the numbers of values.
            if self.resolver.num_phi_defs() > 1 || self.cfg.num_reachable < shape.num_blocks() {
                host.use_order(reg, &self.slots, &mut self.uses)?;
                self.resolve_reg(shape, reg)?;
            }
            let around = around!(self, shape);
            self.resolver.emit(around, reg, &mut self.ranges);
            if self.ranges.segments.len() >= SEGMENTS_AT_ONCE {
                self.finish(sink);
            }
        }
        Ok(())
    }

    /// Finds the values of `reg` for `self.uses`.
    fn resolve_reg(&mut self, shape: &FunctionShape, reg: VRegId) -> Result<(), Unsuited> {
        self.resolver.begin_pieces(self.facts.defs(reg), &self.order);
        let around = around!(self, shape);
        self.uses.iter().try_for_each(|&at| self.resolver.extend(around, at))
    }

    /// Returns the dominator tree, once it has been needed.
    pub fn dominators(&self) -> &Dominators {
        &self.dominators
    }

    pub(crate) fn need_dominators(&mut self, host: &mut impl LivenessHost) {
        if !self.dominators_known {
            host.dominators(&mut self.dominators);
            self.dominators.number();
            self.dominators_known = true;
        }
    }

    /// Appends the range of a register unit to `unit_ranges`, after [`Liveness::live_intervals`].
    ///
    /// # Errors
    /// When no def reaches some use.
    pub fn resolve_unit(
        &mut self,
        shape: &FunctionShape,
        unit: RegUnit,
        occurrences: &Occurrences,
        host: &mut impl LivenessHost,
    ) -> Result<(), Unsuited> {
        self.need_dominators(host);
        let around = around!(self, shape);
        self.resolver.begin_defs(around, &occurrences.defs);
        for &at in &occurrences.uses {
            self.resolver.extend(around, at)?;
        }
        self.resolver.emit(around, unit, &mut self.unit_ranges);
        Ok(())
    }

    /// Appends an empty range for each register that only undefined uses name.
    fn undefined_registers(&mut self) {
        for (reg, flags) in self.facts.flags.iter_enumerated() {
            if flags.has(VarFlags::NAMED) && !flags.has(VarFlags::DEFINED) {
                self.ranges.begin(reg);
                self.ranges.end();
            }
        }
    }

    fn finish(&mut self, sink: &mut impl Sink) {
        sink.ranges(&self.ranges);
        self.ranges.clear();
    }

    /// Calls `f` with every local register and its only piece, which is its live range.
    pub fn for_each_local(&self, mut f: impl FnMut(VRegId, &Piece)) {
        for (reg, piece) in self.facts.last.iter_enumerated() {
            if self.facts.is_local(reg) {
                f(reg, piece);
            }
        }
    }
    /// Appends the ranges of all local registers to `out`.
    pub fn append_local(&self, out: &mut LiveRanges) {
        self.for_each_local(|reg, piece| out.push_range(reg, &[piece.start], &[piece.segment()]));
    }
}
