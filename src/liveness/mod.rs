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
//! 2. `auxiliary_tables`: slots ([`slot_index`]) and orders of the graph ([`cfg`]).
//! 3. `choose_method`: a small function needs no bitsets (row L6).
//! 4. [`block_facts`]: one walk; what every block does to every register.
//! 5. [`propagate`]: where registers are live in and out, two bitsets in one fixed point.
//! 6. [`values`]: which value is live in, where there are several; PHI-defs.
//! 7. `segment_endpoints`: segments of what phase 5 has solved, joined across blocks.
//! 8. `finish`: ranges in the order of their registers, ready to be handed over.
//!
//! LiveVariables ([`live_variables`]) branches off behind phase 5.
//!
//! **Source.** live-range-calc.txt; `LiveVariables.cpp`, `LiveIntervals.cpp`, `LiveRangeCalc.cpp`.
//! **Deviations.** The text computes intervals one by one through a hash table by block; here all registers
//! are computed at once and most never reach a data flow (local ones). Errata 8 to 11: no block is left out,
//! the bypass is exact, kill sets are not expanded, the two sets are real.
//!
//! **Complexity.** Linear in operands and in the size of the result, but for registers with several values,
//! which cost what they cost LLVM.

pub mod block_facts;
pub mod cfg;
pub mod live_variables;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
pub mod pressure;
#[cfg(all(ptx_host, not(test)))]
mod pressure_report;
pub mod propagate;
pub mod ranges;
pub mod slot_index;
pub mod svg;
pub mod values;

use crate::mir::FunctionFacts;
use block_facts::{BlockFacts, Piece};
use cfg::{Cfg, Dominators};
use propagate::{for_each_reg, LiveSets, Method, CLASSES, WORD};
use ranges::{LiveRange, LiveRanges, Segment};
use slot_index::{SlotIndex, SlotIndexes};
use values::{Around, Occurrences, Resolver};

/// Functions with at most so many instructions take the bypass (row L6; a constant of the reference).
const SMALL_FUNCTION_INSTRS: usize = 15;
/// So do functions with at most so many blocks.
const SMALL_FUNCTION_BLOCKS: usize = 1;

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
}

/// What is asked of LLVM when it is needed.
pub trait Host {
    /// Whether virtual register `reg` is a predicate.
    fn is_predicate(&mut self, reg: u32) -> bool;
    /// The occurrences of virtual register `reg` in the order of LLVM's chain.
    fn occurrences(&mut self, reg: u32, slots: &SlotIndexes, out: &mut Occurrences) -> Result<(), Unsuited>;
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
    /// The ranges, after [`Liveness::live_intervals`].
    pub ranges: LiveRanges,
    dominators: Dominators,
    dominators_known: bool,
    resolver: Resolver,
    occurrences: Occurrences,
    group: GroupScratch,
    order: Vec<u32>,
    sorted: Vec<LiveRange>,
}

/// Of phase 7: segments of a group as they come, and by register of the group what is open.
struct GroupScratch {
    segments: Vec<(u8, Segment)>,
    piece: [u32; CLASSES * WORD],
    last: [u32; CLASSES * WORD],
    count: [u32; CLASSES * WORD],
}

impl Default for GroupScratch {
    fn default() -> Self {
        let by_reg = [0; CLASSES * WORD];
        GroupScratch { segments: Vec::new(), piece: by_reg, last: by_reg, count: by_reg }
    }
}

impl GroupScratch {
    fn push(&mut self, reg: usize, start: SlotIndex, end: SlotIndex) {
        match self.segments.get_mut(self.last[reg] as usize) {
            Some((_, last)) if last.end == start => last.end = end,
            _ => {
                self.last[reg] = self.segments.len() as u32;
                self.count[reg] += 1;
                self.segments.push((reg as u8, Segment { start, end, value: 0 }));
            }
        }
    }
}

impl Liveness {
    /// Phases 1 to 5: slots, facts of the blocks, and where registers are live in and out.
    ///
    /// # Errors
    /// When some register is read that has no def.
    pub fn analyze(
        &mut self,
        function: &FunctionFacts,
        fast_compile: bool,
        host: &mut impl Host,
    ) -> Result<(), Unsuited> {
        self.reset();
        self.auxiliary_tables(function);
        let method = Self::choose_method(function, fast_compile);
        self.facts.gather(function, &self.slots)?;
        self.sets.choose(&self.facts, |reg| host.is_predicate(reg));
        self.sets.solve(&self.facts, &self.cfg, method);
        Ok(())
    }

    /// Phases 6 to 8, behind [`Liveness::analyze`]: the live range of every virtual register that any operand
    /// names, in the order of their numbers.
    ///
    /// # Errors
    /// When some use is reached by no def.
    pub fn live_intervals(&mut self, function: &FunctionFacts, host: &mut impl Host) -> Result<(), Unsuited> {
        self.resolve_values(function, host)?;
        self.segment_endpoints();
        self.finish();
        Ok(())
    }

    fn reset(&mut self) {
        self.ranges.clear();
        self.dominators_known = false;
    }

    fn auxiliary_tables(&mut self, function: &FunctionFacts) {
        self.slots.number(function);
        self.cfg.compute(&function.succs);
    }

    fn choose_method(function: &FunctionFacts, fast_compile: bool) -> Method {
        let small = function.num_instrs() <= SMALL_FUNCTION_INSTRS
            || function.num_blocks() <= SMALL_FUNCTION_BLOCKS;
        if small || fast_compile {
            Method::Local
        } else {
            Method::FixedPoint
        }
    }

    fn resolve_values(&mut self, function: &FunctionFacts, host: &mut impl Host) -> Result<(), Unsuited> {
        self.resolver.reset(function.num_blocks());
        for reg in 0..self.facts.regs.len() as u32 {
            if self.facts.regs[reg as usize].defs < 2 {
                continue;
            }
            host.occurrences(reg, &self.slots, &mut self.occurrences)?;
            self.resolve(function, reg, host)?;
        }
        Ok(())
    }

    /// Resolves `self.occurrences` as the range of `owner`.
    fn resolve(&mut self, function: &FunctionFacts, owner: u32, host: &mut impl Host) -> Result<(), Unsuited> {
        if !self.dominators_known {
            host.dominators(&mut self.dominators);
            self.dominators.number();
            self.dominators_known = true;
        }
        let around = Around {
            slots: &self.slots,
            cfg: &self.cfg,
            dominators: &self.dominators,
            numbers: &function.numbers,
        };
        self.resolver.resolve(around, owner, &self.occurrences, &mut self.ranges)
    }

    /// Appends the range of a register unit to `ranges`, behind those of the registers.
    ///
    /// # Errors
    /// When some use is reached by no def.
    pub fn resolve_unit(
        &mut self,
        function: &FunctionFacts,
        unit: u32,
        occurrences: Occurrences,
        host: &mut impl Host,
    ) -> Result<(), Unsuited> {
        self.occurrences = occurrences;
        self.resolve(function, unit, host)
    }

    fn segment_endpoints(&mut self) {
        for group in 0..self.sets.num_groups() {
            self.group_endpoints(group);
        }
        // Local registers: the piece is the range.
        for (reg, r) in self.facts.regs.iter().enumerate() {
            if r.named && !r.global && r.defs < 2 {
                self.ranges.begin(reg as u32);
                if let Some(&Piece { start, end, .. }) = self.facts.pieces.get(r.first as usize) {
                    self.ranges.values.push(start);
                    self.ranges.push_segment(Segment { start, end, value: 0 });
                }
                self.ranges.end();
            }
        }
    }

    fn group_endpoints(&mut self, group: usize) {
        let scratch = &mut self.group;
        scratch.segments.clear();
        scratch.count.fill(0);
        scratch.last.fill(u32::MAX);
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                scratch.piece[class * WORD + bit] = self.facts.regs[reg as usize].first;
            }
        }
        let pieces = &self.facts.pieces;
        for (block, sets) in self.sets.rows(group) {
            let (start, end) = (self.slots.start(*block as usize), self.slots.end(*block as usize));
            for_each_reg(sets, |class, bit, reg| {
                let live_out = sets.live_out[class] >> bit & 1 != 0;
                let here = |at: u32| pieces.get(at as usize).filter(|p| p.block == *block);
                let mut any = false;
                while let Some(piece) = here(scratch.piece[reg]) {
                    let last = here(piece.next).is_none();
                    scratch.push(reg, piece.start, if last && live_out { end } else { piece.end });
                    scratch.piece[reg] = piece.next;
                    any = true;
                }
                if !any {
                    scratch.push(reg, start, end); // live through
                }
            });
        }
        // Stable distribution of the segments to their registers.
        let mut next = [0; CLASSES * WORD];
        let mut at = self.ranges.segments.len() as u32;
        for class in 0..CLASSES {
            for (bit, &reg) in self.sets.group(class, group).iter().enumerate() {
                let i = class * WORD + bit;
                next[i] = at;
                let first_value = self.ranges.values.len() as u32;
                self.ranges.values.push(self.def_of(reg));
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
        for &(reg, segment) in &self.group.segments {
            self.ranges.segments[next[reg as usize] as usize] = segment;
            next[reg as usize] += 1;
        }
    }

    /// How many registers are live across a boundary of blocks.
    pub fn num_global(&self) -> u64 {
        self.facts.regs.iter().filter(|r| r.global).count() as u64
    }

    /// Where the only def of `reg` is.
    fn def_of(&self, reg: u32) -> SlotIndex {
        let mut at = self.facts.regs[reg as usize].first;
        loop {
            let piece = &self.facts.pieces[at as usize];
            if piece.is_def() {
                return piece.start;
            }
            at = piece.next;
        }
    }

    /// Sorts the ranges by register: by counting, as every register has one at most.
    fn finish(&mut self) {
        self.order.clear();
        self.order.resize(self.facts.regs.len(), u32::MAX);
        for (i, range) in self.ranges.ranges.iter().enumerate() {
            self.order[range.owner as usize] = i as u32;
        }
        let ranges = &self.ranges.ranges;
        self.sorted.clear();
        self.sorted.extend(self.order.iter().filter(|&&i| i != u32::MAX).map(|&i| ranges[i as usize]));
        std::mem::swap(&mut self.ranges.ranges, &mut self.sorted);
    }
}
