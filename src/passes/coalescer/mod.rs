//! The register coalescer: copies whose registers can be one go.
//!
//! **Problem.** PHI elimination and two-address leave copies. Where the two registers of one are never live
//! with different values they can be one register, and the copy does nothing.
//!
//! **Algorithm.** Copies are tried in the order of [`copies`]: blocks of deep loops first, at last those that
//! failed until nothing changes. One copy is [`join`]:
//!
//! 1. A dead copy, one of nothing and one of a register to itself go at once ([`dead`], [`undef`]).
//! 2. [`join_vals`]: the ranges of both registers are joined value by value, and the copies between them, and
//!    the IMPLICIT_DEFs that are not needed, are erased.
//! 3. If that cannot be: the value is computed again ([`remat`]), it is kept in the register that it was
//!    copied from, or its def is commuted ([`commute`]), or the copy goes to the one predecessor that needs it
//!    ([`partial_redundancy`]).
//!
//! A copy of a physical register is joined if that is reserved ([`reserved`]), and else at most rematerialised.
//!
//! [`shrink`] cuts ranges to what is read, [`extend`] extends them; [`debug`] keeps debug values right.
//!
//! **Source.** register-coalescing.txt, first part; `RegisterCoalescer.cpp`, whose differences between versions
//! are [`versions`].
//!
//! **Deviations.** Everything is decided on ranges and code of our own ([`ranges`], [`code`], [`slots`]), which
//! liveness has just computed; LLVM's function is changed afterwards, by a list of edits in the same order
//! ([`host::Edit`]), and LLVM's LiveIntervals only if somebody reads them. What is left to the
//! stock pass, function by function and with a counter for each reason, is all in `pass::Unsuited`:
//!
//! * parts of registers: an operand that names one, SUBREG_TO_REG;
//! * bundles;
//! * debug values that follow PHIs (`DebugPHIPositions`, of instruction referencing);
//! * a copy to or from a reserved physical register, as long as nobody has had LLVM's LiveIntervals computed;
//! * what liveness does not compute here (`liveness::Unsuited`): sub-register liveness and the like.
//!
//! So of LLVM's own tests of the pass those of ARM and Mips run here, nearly all of RISC-V, some of
//! AArch64, AMDGPU, SystemZ and X86, and none of Hexagon and PowerPC.
//!
//! **Complexity.** A copy costs the values of its two registers times a logarithm; everything else is linear.

pub mod code;
pub mod commute;
pub mod copies;
pub mod dead;
pub mod debug;
pub mod extend;
pub mod host;
pub mod join;
pub mod join_vals;
pub mod live_range;
#[cfg(all(ptx_host, not(test)))]
mod llvm_host;
pub mod pair;
pub mod partial_redundancy;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
pub mod ranges;
pub mod remat;
pub mod reserved;
pub mod shrink;
pub mod slots;
#[cfg(any(test, fuzzing))]
pub(crate) mod tests;
pub mod undef;

use crate::adt::Rows;
use crate::cfg::{Cfg, Dominators};
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, Operand, Register};
use code::{Code, Place, NONE};
use host::{CoalescerHost, Edit};
use index_vec::IndexSlice;
use ranges::Ranges;
use rustc_hash::FxHashMap;
use slots::Slots;

/// LLVM's argument of the pass that this one replaces.
pub const STOCK_ARGUMENT: &str = "register-coalescer";

/// The options of LLVM's that the pass reads, and what the profile has it do better.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `join-liveintervals`
    pub join: bool,
    /// `join-splitedges`
    pub join_split_edges: bool,
    /// `join-globalcopies`, or what the subtarget says.
    pub join_global_copies: bool,
    /// `terminal-rule`
    pub terminal_rule: bool,
    /// `late-remat-update-threshold`
    pub late_remat_update: u32,
    /// `large-interval-size-threshold`
    pub large_interval_size: u32,
    /// `large-interval-freq-threshold`
    pub large_interval_freq: u32,
    /// `cicc` profile: what reads a replaced IMPLICIT_DEF is flagged undefined.
    pub flags_undefined: bool,
}

/// What the pass counts, under the names of LLVM's statistics.
#[derive(Default, Clone, Copy, Debug)]
pub struct Counts {
    joins: u64,
    cross_class_joins: u64,
    commutes: u64,
    extensions: u64,
    remats: u64,
    inflations: u64,
    shrinks: u64,
    reserved_joins: u64,
    loads_folded: u64,
}

impl Counts {
    /// The statistics of the run.
    pub fn counters(&self) -> [(&'static str, u64); 9] {
        [
            ("interval joins performed", self.joins),
            ("cross class joins performed", self.cross_class_joins),
            ("instruction commuting performed", self.commutes),
            ("copies extended", self.extensions),
            ("instructions re-materialized", self.remats),
            ("register classes inflated", self.inflations),
            ("shrinkToUses called", self.shrinks),
            ("joins with reserved registers", self.reserved_joins),
            ("loads folded into their readers", self.loads_folded),
        ]
    }
    /// Whether instructions that do something are others than before: they name a physical register now, or have
    /// taken over a load.
    pub fn has_rewritten(&self) -> bool {
        self.reserved_joins + self.loads_folded > 0
    }
}

/// Working storage, kept from function to function.
#[derive(Default)]
pub struct Buffers {
    lists: copies::Lists,
    depends: copies::Depends,
    join: join_vals::JoinVals,
    extender: extend::Extender,
    shrink: shrink::Shrink,
    scratch: live_range::LiveRange,
    ends: Vec<SlotIndex>,
    shrink_regs: Vec<u32>,
    places: Vec<Place>,
    operands: Vec<Operand>,
    dead_defs: Vec<u32>,
    to_shrink: Vec<u32>,
    inflate: Vec<u32>,
    late_updates: dead::LateUpdates,
    large_interval_visits: Vec<u32>,
    /// Pairs of registers that could not be joined, one with many values.
    failed_pairs: FxHashMap<(u32, u32), copies::Failure>,
    classes: Vec<u32>,
    debug: debug::DebugValues,
}

impl Buffers {
    fn reset(&mut self, num_regs: usize, num_instrs: usize, num_blocks: usize) {
        self.lists.reset(num_instrs);
        self.extender.reset(num_blocks);
        self.shrink.reset(num_blocks);
        self.dead_defs.clear();
        self.inflate.clear();
        self.late_updates.reset();
        self.large_interval_visits.clear();
        self.failed_pairs.clear();
        self.classes.clear();
        self.classes.resize(num_regs, NONE);
    }
}

/// Everything about one function.
pub struct Function<'a> {
    /// Instructions.
    pub code: &'a mut Code,
    /// Their slots.
    pub slots: &'a mut Slots,
    /// Live ranges.
    pub ranges: &'a mut Ranges,
    /// The graph.
    pub cfg: &'a Cfg,
    /// Successors, in LLVM's order.
    pub succs: &'a Rows<BlockId, BlockId>,
    /// LLVM's numbers of the blocks.
    pub numbers: &'a IndexSlice<BlockId, [u32]>,
    /// The dominator tree, numbered.
    pub dominators: &'a Dominators,
}

/// The pass on one function.
pub struct Coalescing<'a, H: CoalescerHost> {
    pub(crate) code: &'a mut Code,
    pub(crate) slots: &'a mut Slots,
    pub(crate) ranges: &'a mut Ranges,
    pub(crate) cfg: &'a Cfg,
    pub(crate) succs: &'a Rows<BlockId, BlockId>,
    numbers: &'a IndexSlice<BlockId, [u32]>,
    dominators: &'a Dominators,
    pub(crate) host: &'a mut H,
    options: Options,
    b: &'a mut Buffers,
    counts: Counts,
}

/// What [`extend`] and [`shrink`] see of the function. A macro, as it borrows some fields while others change.
macro_rules! around {
    ($this:ident) => {
        crate::passes::coalescer::extend::Around {
            slots: $this.slots,
            cfg: $this.cfg,
            numbers: $this.numbers,
            dominators: $this.dominators,
        }
    };
}
use around;

/// Coalesces the copies of a function. `blocks`: of each block, what its place in the order depends on. `stage`, the
/// target's own, is called behind the last join.
pub fn run<H: CoalescerHost>(
    f: Function<'_>,
    blocks: &[copies::BlockPriority],
    options: Options,
    host: &mut H,
    buffers: &mut Buffers,
    stage: impl FnOnce(&mut Coalescing<'_, H>),
) -> Counts {
    buffers.reset(f.code.num_regs(), f.code.num_instrs(), f.slots.num_blocks());
    buffers.debug.read(f.code);
    let Function { code, slots, ranges, cfg, succs, numbers, dominators } = f;
    let counts = Counts::default();
    let mut c = Coalescing {
        code,
        slots,
        ranges,
        cfg,
        succs,
        numbers,
        dominators,
        host,
        options,
        b: buffers,
        counts,
    };
    if options.join {
        c.join_all(blocks);
        stage(&mut c);
    }
    c.inflate_classes();
    c.counts
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// The class of a register.
    pub(crate) fn class(&mut self, reg: u32) -> u32 {
        let class = &mut self.b.classes[reg as usize];
        if *class == NONE {
            *class = self.host.class_of(reg);
        }
        *class
    }
    pub(crate) fn set_class(&mut self, reg: u32, class: u32) {
        self.b.classes[reg as usize] = class;
        self.host.edit(Edit::SetClass(reg, class));
    }
    /// The copy at an entry, if one is there.
    pub(crate) fn copy_at(&self, entry: u32) -> Option<u32> {
        self.slots.instr_at(SlotIndex(entry << 2)).filter(|&instr| self.code.is_copy(instr))
    }
    /// `instr` is a copy now.
    pub(crate) fn made_copy(&mut self, instr: u32) {
        self.b.lists.made_copy(instr);
    }
    /// Erases an instruction, which may be in a worklist (`deleteInstr`).
    pub(crate) fn erase(&mut self, instr: u32) {
        self.b.lists.erased(instr);
        self.host.edit(Edit::Erase(instr));
        self.code.erase(instr, self.slots);
    }
    /// A register of the class of `of`, with an empty range.
    pub(crate) fn clone_reg(&mut self, of: u32) -> u32 {
        let new = self.code.new_reg();
        self.ranges.push();
        let class = self.class(of);
        self.b.classes.push(class);
        self.host.edit(Edit::CloneReg { of, new });
        new
    }
    /// Whether `reg` is left without a name, not even by a debug instruction, and without a range.
    pub(crate) fn is_spare(&mut self, reg: u32) -> bool {
        !self.ranges.has(reg) && self.code.is_unnamed(reg) && self.code.debug_operands(reg).next().is_none()
    }
    /// Makes operands of `from` those of other registers: `moves`, in the order of [`Code::places`].
    pub(crate) fn move_operands(&mut self, from: u32, moves: &[(Place, u32)]) {
        for &(place, to) in moves {
            self.host.edit(Edit::Mark(place, to));
        }
        self.host.edit(Edit::MoveMarked(from));
        self.code.distribute(from, moves);
    }
    /// Sets or clears the dead flag where `instr` defines `reg` (`addRegisterDead`, `clearRegisterDeads`).
    pub(crate) fn set_dead(&mut self, instr: u32, reg: u32, dead: bool) {
        for index in 0..self.code.num_operands(instr) {
            let place = Place { instr, index };
            let op = self.code.operand(place);
            if op.is_def()
                && op.reg() == Register::virt(reg)
                && self.code.set_flag(place, Operand::DEAD_OR_KILL_SHIFT, dead)
            {
                self.host.edit(Edit::SetDead(place, dead));
            }
        }
    }
    /// Marks a use as one of no value.
    fn set_undef(&mut self, place: Place) {
        if self.code.set_flag(place, Operand::UNDEF_SHIFT, true) {
            self.host.edit(Edit::SetUndef(place));
        }
    }
    /// What was constrained by copies alone is not any more.
    fn inflate_classes(&mut self) {
        let mut regs = std::mem::take(&mut self.b.inflate);
        regs.sort_unstable();
        regs.dedup();
        for &reg in &regs {
            if !self.code.is_unnamed(reg) && self.host.recompute_class(reg) {
                self.counts.inflations += 1;
            }
        }
        self.b.inflate = regs;
    }
}
