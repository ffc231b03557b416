//! Liveness: LiveVariables, SlotIndexes and LiveIntervals.
//!
//! **Problem.** Every later pass asks where a register is live. LLVM answers it twice: LiveVariables (of code
//! in SSA: blocks that a register is alive through, kills, dead defs) and LiveIntervals (of any code: segments
//! of slots, value numbers). Whoever reads them must not be able to tell that they came from here.
//!
//! **Algorithm.** Both are views of the same facts. The eight steps, named as in the reference text, are
//! [`Liveness::analyze`] and [`Liveness::live_intervals`]; each has its function here or its file:
//!
//! 1. `reset`: buffers are emptied and kept.
//! 2. `auxiliary_tables`: orders of the graph ([`cfg`]).
//! 3. `choose_method`: a small function needs no bitsets (row L6). Counted in the walk of phase 4.
//! 4. [`block_facts`]: one walk; slots ([`slot_index`]), and what every block does to every register.
//! 5. [`propagate`]: where registers are live in and out, two bitsets in one fixed point.
//! 6. [`values`]: which value is live in, where there are several; PHI-defs.
//! 7. `segment_endpoints`: segments of what phase 5 has solved, joined across blocks.
//! 8. `finish`: ranges by register are handed over.
//!
//! Phases 5, 7 and 8 alternate, one group of registers after the other. LiveVariables ([`live_variables`])
//! branches off behind phase 5. [`pressure`] (row L8) and [`svg`] look at the result, if somebody asks.
//!
//! **Source.** live-range-calc.txt; `LiveVariables.cpp`, `LiveIntervals.cpp`, `LiveRangeCalc.cpp`.
//! **Deviations.** The text computes intervals one by one through a hash table by block; here all registers
//! are computed at once and most never reach a data flow (local ones). Errata 8 to 11: no block is left out,
//! the bypass is exact, kill sets are not expanded, the two sets are real.
//!
//! **Complexity.** Linear in operands and in the size of the result, but for registers with several values,
//! which cost what they cost LLVM.

pub mod block_facts;
pub mod live_range_calc;
pub mod live_variables;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
#[cfg(all(ptx_host, not(test)))]
pub mod phys_regs;
pub mod pressure;
#[cfg(all(ptx_host, not(test)))]
mod pressure_report;
pub mod propagate;
pub mod ranges;
pub mod slot_index;
pub mod svg;
#[cfg(test)]
pub(crate) mod tests;
pub mod values;

use crate::adt::bits;
use crate::cfg::graph::{Cfg, Dominators};
use crate::mir::{Code, FunctionShape};
use block_facts::{BlockFacts, Piece, PieceRef, DEFINED, GLOBAL, NAMED};
use propagate::{LiveSets, Method, CLASSES, WORD};
use ranges::{LiveRange, LiveRanges, Segment, Sink};
use slot_index::{SlotIndex, SlotIndexes};
use values::{Around, Occurrences, Resolver};

/// Functions with at most so many instructions take the bypass (row L6; a constant of the reference).
const SMALL_FUNCTION_INSTRS: usize = 15;
/// So do functions with at most so many blocks.
const SMALL_FUNCTION_BLOCKS: usize = 1;

/// Of registers with several values about so many segments are handed over at once.
const SEGMENTS_AT_ONCE: usize = 256;

/// Why a function is left to the stock pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsuited {
    /// A register is read and no def reaches it: stock has its own error or its own leniency.
    UseWithoutDef,
    /// A register has several defs, or its def does not dominate its uses, where SSA is asked for.
    NotSsa,
    /// Liveness by part of a register is asked for.
    SubRegisters,
    /// Bundles, where the stock pass looks at their heads alone.
    Bundles,
    /// LLVM's slots are not those of the instructions.
    Slots,
    /// LLVM's intervals have been updated by passes since they were computed.
    Updated,
}

/// What is asked of LLVM when it is needed.
pub trait Host {
    /// Whether virtual register `reg` is a predicate.
    fn is_predicate(&mut self, reg: u32) -> bool;
    /// Which of the instructions `defs` (entries), all that define virtual register `reg`, comes first in the
    /// register's chain, which second, ...: their positions, to `out`.
    fn def_order(&mut self, reg: u32, defs: &[u32], out: &mut Vec<u32>) -> Result<(), Unsuited>;
    /// Slots of the uses of virtual register `reg` in the order of its chain.
    fn use_order(&mut self, reg: u32, slots: &SlotIndexes, out: &mut Vec<SlotIndex>) -> Result<(), Unsuited>;
    /// The dominator tree; asked for once at most.
    fn dominators(&mut self, out: &mut Dominators);
}

/// All buffers; one for each pass object, kept from function to function.
#[derive(Default)]
pub struct Liveness {
    /// Slots.
    pub slots: SlotIndexes,
    /// Orders of the graph.
    pub cfg: Cfg,
    /// What blocks do to registers.
    pub facts: BlockFacts,
    /// Where registers are live in and out.
    pub sets: LiveSets,
    /// The ranges of register units, see [`Liveness::resolve_unit`]; before, of some registers at a time.
    pub ranges: LiveRanges,
    dominators: Dominators,
    dominators_known: bool,
    method: Method,
    resolver: Resolver,
    group: GroupScratch,
    defs: Vec<u32>,
    order: Vec<u32>,
    uses: Vec<SlotIndex>,
}

/// Of phase 7, by register of a group where an open segment started, and how many there are; and the
/// segments, as they are closed.
struct GroupScratch {
    start: [SlotIndex; CLASSES * WORD],
    count: [u32; CLASSES * WORD],
    closed: Vec<(u8, SlotIndex, SlotIndex)>,
}

impl Default for GroupScratch {
    fn default() -> Self {
        let (start, count) = ([SlotIndex(0); CLASSES * WORD], [0; CLASSES * WORD]);
        GroupScratch { start, count, closed: Vec::new() }
    }
}

impl GroupScratch {
    fn close(&mut self, reg: usize, end: SlotIndex) {
        self.count[reg] += 1;
        self.closed.push((reg as u8, self.start[reg], end));
    }
}

/// What phase 6 sees of the function. A macro, as it borrows some fields while others change.
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
    /// Phases 1 to 4: graph, slots, and facts of the blocks.
    ///
    /// # Errors
    /// When some register is read that has no def.
    pub fn analyze(
        &mut self,
        shape: &FunctionShape,
        code: &mut impl Code,
        fast_compile: bool,
        host: &mut impl Host,
    ) -> Result<(), Unsuited> {
        self.reset();
        self.auxiliary_tables(shape);
        self.facts.gather(shape, code, &mut self.slots)?;
        self.method = Self::choose_method(self.slots.num_instrs(), shape.num_blocks(), fast_compile);
        self.sets.choose(&self.facts, &self.cfg, |reg| host.is_predicate(reg));
        Ok(())
    }

    /// Phase 5 for one group of registers.
    pub fn propagate(&mut self, group: usize) {
        self.sets.solve(group, &self.facts, &self.cfg, self.method);
    }

    /// Phases 5 to 8, behind [`Liveness::analyze`]: the live range of every virtual register that any operand
    /// names, but for local registers, see [`Liveness::for_each_local`].
    ///
    /// # Errors
    /// When some use is reached by no def; `sink` may have had a part of the result by then.
    pub fn live_intervals(
        &mut self,
        shape: &FunctionShape,
        host: &mut impl Host,
        sink: &mut impl Sink,
    ) -> Result<(), Unsuited> {
        self.resolve_values(shape, host, sink)?;
        self.segment_endpoints(sink);
        self.undefined_registers();
        self.finish(sink);
        Ok(())
    }

    fn reset(&mut self) {
        self.ranges.clear();
        self.dominators_known = false;
    }

    fn auxiliary_tables(&mut self, shape: &FunctionShape) {
        self.cfg.compute(&shape.succs);
    }

    fn choose_method(num_instrs: usize, num_blocks: usize, fast_compile: bool) -> Method {
        let small = num_instrs <= SMALL_FUNCTION_INSTRS || num_blocks <= SMALL_FUNCTION_BLOCKS;
        if small || fast_compile {
            Method::Local
        } else {
            Method::FixedPoint
        }
    }

    fn resolve_values(
        &mut self,
        shape: &FunctionShape,
        host: &mut impl Host,
        sink: &mut impl Sink,
    ) -> Result<(), Unsuited> {
        self.resolver.reset(shape.num_blocks());
        for i in 0..self.facts.many_defs.len() {
            let reg = self.facts.many_defs[i];
            self.defs.clear();
            self.defs.extend(self.facts.defs(reg).map(|p| p.start.entry()));
            host.def_order(reg, &self.defs, &mut self.order)?;
            self.uses.clear();
            if self.facts.flags[reg as usize] & GLOBAL != 0 {
                self.need_dominators(host);
                let exposed = self.facts.pieces(reg).filter(|p| !p.is_def());
                self.uses.extend(exposed.map(|p| p.end));
                let phis = self.sets.phi_uses_of(reg).iter();
                self.uses.extend(phis.map(|&block| self.slots.end(block as usize)));
            }
            self.resolve_reg(shape, reg)?;
            // With blocks that are not reachable the order decides more than numbers.
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
    fn resolve_reg(&mut self, shape: &FunctionShape, reg: u32) -> Result<(), Unsuited> {
        self.resolver.begin_pieces(self.facts.defs(reg), &self.order);
        let around = around!(self, shape);
        self.uses.iter().try_for_each(|&at| self.resolver.extend(around, at))
    }

    /// The dominator tree, once somebody has asked for it.
    pub fn dominators(&self) -> &Dominators {
        &self.dominators
    }

    pub(crate) fn need_dominators(&mut self, host: &mut impl Host) {
        if !self.dominators_known {
            host.dominators(&mut self.dominators);
            self.dominators.number();
            self.dominators_known = true;
        }
    }

    /// Appends the range of a register unit to `ranges`; behind [`Liveness::live_intervals`].
    ///
    /// # Errors
    /// When some use is reached by no def.
    pub fn resolve_unit(
        &mut self,
        shape: &FunctionShape,
        unit: u32,
        occurrences: &Occurrences,
        host: &mut impl Host,
    ) -> Result<(), Unsuited> {
        self.need_dominators(host);
        let around = around!(self, shape);
        self.resolver.begin_defs(around, &occurrences.defs);
        for &at in &occurrences.uses {
            self.resolver.extend(around, at)?;
        }
        self.resolver.emit(around, unit, &mut self.ranges);
        Ok(())
    }

    fn segment_endpoints(&mut self, sink: &mut impl Sink) {
        for group in 0..self.sets.num_groups() {
            self.propagate(group);
            self.group_endpoints(group);
            self.finish(sink);
        }
    }

    /// The first piece of each register of a group.
    fn first_pieces(&self, group: usize) -> [PieceRef; CLASSES * WORD] {
        let mut first = [PieceRef::NONE; CLASSES * WORD];
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                first[class * WORD + bit] = self.facts.first(reg);
            }
        }
        first
    }

    /// Segments of a group, block by block. A register that is live out of a block has an open segment, which
    /// goes on if it is live into the next one in layout: where nothing happens to 64 registers, nothing is
    /// done.
    fn group_endpoints(&mut self, group: usize) {
        let mut piece = self.first_pieces(group);
        let Liveness { facts, slots, sets, group: scratch, .. } = self;
        scratch.closed.clear();
        scratch.count.fill(0);
        let (mut open, mut next_block) = ([0; CLASSES], 0);
        sets.drain(group, |regs, block, sets| {
            let (start, end) = (slots.start(block as usize), slots.end(block as usize));
            for class in 0..CLASSES {
                let at = |bit: usize| class * WORD + bit;
                let goes_on = if block == next_block { open[class] & sets.live_in[class] } else { 0 };
                for bit in bits(open[class] & !goes_on) {
                    scratch.close(at(bit), slots.start(next_block as usize));
                }
                let pieces = sets.pieces(class);
                for bit in bits(sets.live_in[class] & !goes_on & !pieces) {
                    scratch.start[at(bit)] = start;
                }
                for bit in bits(pieces) {
                    let (i, reg) = (at(bit), regs[class][bit]);
                    let mut joined = goes_on >> bit & 1 != 0;
                    while let Some((p, next)) = facts.piece(reg, piece[i]).filter(|p| p.0.block == block) {
                        piece[i] = next;
                        if !joined {
                            scratch.start[i] = p.start;
                        }
                        let next = facts.piece(reg, next).filter(|n| n.0.block == block);
                        joined = next.is_some_and(|n| n.0.start == p.end);
                        let lives_on = next.is_none() && sets.live_out[class] >> bit & 1 != 0;
                        if !joined && !lives_on {
                            scratch.close(i, p.end);
                        }
                    }
                }
                open[class] = sets.live_out[class];
            }
            next_block = block + 1;
            debug_assert!(end == slots.start(next_block as usize));
        });
        for (class, &open) in open.iter().enumerate() {
            for bit in bits(open) {
                scratch.close(class * WORD + bit, slots.start(next_block as usize));
            }
        }
        self.distribute(group);
    }

    /// Stable distribution of the closed segments to their registers.
    fn distribute(&mut self, group: usize) {
        let mut next = [0; CLASSES * WORD];
        let mut at = self.ranges.segments.len() as u32;
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                let i = class * WORD + bit;
                next[i] = at;
                let first_value = self.ranges.values.len() as u32;
                let def = self.facts.defs(reg).next().expect("phase 5 is for registers with a def");
                self.ranges.values.push(def.start);
                self.ranges.ranges.push(LiveRange {
                    owner: reg,
                    first_value,
                    num_values: 1,
                    first_segment: at,
                    num_segments: self.group.count[i],
                });
                at += self.group.count[i];
            }
        }
        let nothing = Segment { start: SlotIndex(0), end: SlotIndex(0), value: 0 };
        self.ranges.segments.resize(at as usize, nothing);
        for &(reg, start, end) in &self.group.closed {
            self.ranges.segments[next[reg as usize] as usize] = Segment { start, end, value: 0 };
            next[reg as usize] += 1;
        }
    }

    /// Registers that only undefined uses name have an empty range.
    fn undefined_registers(&mut self) {
        for (reg, flags) in self.facts.flags.iter().enumerate() {
            if flags & (NAMED | DEFINED) == NAMED {
                self.ranges.begin(reg as u32);
                self.ranges.end();
            }
        }
    }

    fn finish(&mut self, sink: &mut impl Sink) {
        sink.ranges(&self.ranges);
        self.ranges.clear();
    }

    /// Calls `f` with every local register and its piece, which is its range.
    pub fn for_each_local(&self, mut f: impl FnMut(u32, &Piece)) {
        for (reg, piece) in self.facts.last.iter().enumerate() {
            if self.facts.is_local(reg) {
                f(reg as u32, piece);
            }
        }
    }
}
