//! PHI elimination: the function leaves SSA form, every PHI becomes copies.
//!
//! **Problem.** A PHI selects a value by the edge that control came over; no machine does that. Behind this
//! pass the values of `%d = PHI %a, %bb.1, %b, %bb.2` meet in a new register, the *incoming* one: a copy
//! `%in = COPY %a` at the end of `%bb.1`, another in `%bb.2`, and `%d = COPY %in` where the PHI was. As every
//! PHI has an incoming register of its own, PHIs of one block that swap values among themselves need no
//! further care; the coalescer takes away the copies that nothing is in the way of.
//!
//! **Algorithm.**
//!
//! 1. Critical edges are split where a copy at the end of the predecessor would live beside its source
//!    ([`split`]).
//! 2. For every edge and register the PHIs that read the register over that edge are counted ([`uses`]): the
//!    last one to be lowered ends it.
//! 3. Block by block, PHI by PHI from the top ([`lower`]): the copy in place of the PHI, the copies at the
//!    ends of predecessors ([`insert_point`]), and what LiveVariables and LiveIntervals say of the registers.
//!    A PHI that was lowered before with the same operands shares its incoming register ([`lowered`]). Values
//!    that are undefined become IMPLICIT_DEFs.
//! 4. An IMPLICIT_DEF that only PHIs have read goes.
//!
//! **Source.** For byte-identical output `PHIElimination.cpp` and `PHIEliminationUtils.cpp` of LLVM 17 to 22,
//! whose differences are one table, [`Differences`].
//!
//! **Our deviation.** None in what comes out. Counts are in arrays where LLVM has a hash map; what is live
//! into the blocks behind split edges is collected before the first split and for these blocks only, not for
//! every function and block; a lowered PHI is freed at once, as its operands are kept instead.
//!
//! **Complexity.** O(operands of PHIs) but for what the analyses take: LLVM's sorted segments and lists of
//! kills.

mod insert_point;
mod lower;
mod lowered;
mod split;
mod uses;

use crate::llvm::{
    self, EdgeSplitter, LiveIntervals, LiveVariables, MachineBasicBlock, MachineFunction, MachineInstr, Run,
    What,
};
use crate::mir::Operand;
use crate::stats::Counters;
use lowered::LoweredPhis;
use rustc_hash::FxHashSet;
use split::LiveInSets;
use uses::PhiUses;

/// Where the stock passes of LLVM 17 to 22 differ from one another. Everything else is the same, but for what
/// the shim hides (sub-ranges, and how dominators are told of a new block) and for a mark that LLVM 17 leaves in
/// LiveVariables (`setPHIJoin`), which nothing reads.
struct Differences {
    /// To 18: every PHI may share an incoming register. From 19 only where all edges are critical: elsewhere
    /// there are no two PHIs alike.
    shares_over_any_edge: bool,
    /// To 19: the dominator tree is computed anew behind the pass. From 20 it is kept up to date.
    recalculates_dominators: bool,
    /// From 22: where control flow has to stay structured, edges to the header of a loop may be split.
    splits_edges_to_structured_loops: bool,
    /// From 22: a block behind some INLINEASM_BR is special only to predecessors that have one.
    asm_br_must_be_in_predecessor: bool,
}

const DIFFERENCES: Differences = Differences {
    shares_over_any_edge: llvm::LLVM_MAJOR <= 18,
    recalculates_dominators: llvm::LLVM_MAJOR <= 19,
    splits_edges_to_structured_loops: llvm::LLVM_MAJOR >= 22,
    asm_br_must_be_in_predecessor: llvm::LLVM_MAJOR >= 22,
};

/// The buffers of the pass, reused from function to function.
#[derive(Default)]
pub struct PhiElim {
    /// Operands of the current PHI.
    operands: Vec<Operand>,
    /// How often a register is read over an edge by PHIs that are still there.
    uses: PhiUses,
    /// PHIs whose incoming register another one may share.
    lowered: LoweredPhis,
    /// By block number: the PHI, counted from 1, that has a copy there already.
    copied_for: Vec<u32>,
    /// What is live into blocks that edges to are split.
    live_in: LiveInSets,
}

/// What the pass counts, by function.
#[derive(Default)]
struct Counts {
    phis: u32,
    undefined: u64,
    reused: u64,
    copies: u64,
    implicit_defs: u64,
    implicit_defs_removed: u64,
    edges_split: u64,
}

/// The pass on one function.
struct Walk<'a, 'f> {
    mf: MachineFunction<'f>,
    lv: Option<LiveVariables<'f>>,
    lis: Option<LiveIntervals<'f>>,
    run: Run<'f>,
    b: &'a mut PhiElim,
    /// Made for the first edge; LLVM's dominators may be out of date until it is gone.
    splitter: Option<EdgeSplitter<'f>>,
    /// IMPLICIT_DEFs that a PHI has read.
    implicit_defs: Vec<MachineInstr<'f>>,
    implicit_def_keys: FxHashSet<usize>,
    counts: Counts,
}

impl PhiElim {
    /// Runs the pass; whether it changed the function.
    pub fn run(&mut self, run: Run, counters: &mut Counters) -> bool {
        self.lowered.clear();
        let mut walk = Walk {
            mf: run.mf,
            lv: run.lv,
            lis: run.lis,
            run,
            b: self,
            splitter: None,
            implicit_defs: Vec::new(),
            implicit_def_keys: FxHashSet::default(),
            counts: Counts::default(),
        };
        let changed = walk.function();
        walk.counts.report(counters);
        changed
    }
}

impl<'f> Walk<'_, 'f> {
    fn function(&mut self) -> bool {
        let liveness_is_kept = self.lv.is_some() || self.lis.is_some();
        let mut changed = false;
        if liveness_is_kept && !llvm::llvm_option_bool("disable-phi-elim-edge-splitting", false) {
            changed |= self.split_edges();
        }
        self.mf.leave_ssa();
        if liveness_is_kept {
            self.count_uses();
        }
        self.b.copied_for.clear();
        self.b.copied_for.resize(self.mf.num_block_ids(), 0);
        for block in self.mf.blocks() {
            changed |= self.lower_phis(block);
        }
        for def in std::mem::take(&mut self.implicit_defs) {
            if self.mf.use_nodbg_empty(def.operand(0).reg()) {
                if let Some(lis) = self.lis {
                    lis.remove_instr(def);
                }
                def.erase();
                self.counts.implicit_defs_removed += 1;
            }
        }
        if changed && DIFFERENCES.recalculates_dominators {
            self.run.host_pass.recalculate_dominators(self.mf);
        }
        self.mf.set_no_phis();
        changed
    }

    fn count_uses(&mut self) {
        self.b.uses.clear();
        for block in self.mf.blocks() {
            for phi in phis(block) {
                phi.read_operands(&mut self.b.operands);
                self.b.uses.push_phi(&self.b.operands);
            }
        }
        self.b.uses.finish(self.mf.num_block_ids(), self.mf.num_virt_regs());
    }
}

impl Counts {
    fn report(&self, counters: &mut Counters) {
        counters.extend([
            ("PHIs lowered", u64::from(self.phis)),
            ("PHIs of undefined values", self.undefined),
            ("incoming registers shared", self.reused),
            ("copies in predecessors", self.copies),
            ("IMPLICIT_DEFs in predecessors", self.implicit_defs),
            ("IMPLICIT_DEFs removed", self.implicit_defs_removed),
            ("critical edges split", self.edges_split),
        ]);
    }
}

/// The PHIs of a block.
fn phis<'f>(block: MachineBasicBlock<'f>) -> impl Iterator<Item = MachineInstr<'f>> {
    let is_phi = |mi: &MachineInstr| mi.what() == What::Phi;
    std::iter::successors(block.first().filter(is_phi), move |mi| mi.next().filter(is_phi))
}
