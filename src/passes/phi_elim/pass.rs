//! The pass: what runs in which order.

use super::lowered::LoweredPhis;
use super::split::LiveInSets;
use super::uses::PhiUses;
use crate::llvm::{
    self, EdgeSplitter, LiveIntervals, LiveVariables, MachineBasicBlock, MachineFunction, MachineInstr, Run,
};
use crate::mir::{InstrKind, Operand};
use crate::plugin::knobs::{self, Profile};
use crate::plugin::pipeline::Stage;
use crate::plugin::stats::Counters;
use crate::stages::cssa::pass::Cssa;
use crate::stages::cssa::types::Options;
use crate::versions::VERSIONS;
use rustc_hash::FxHashSet;
use std::time::Instant;

/// The buffers of the pass, reused from function to function.
#[derive(Default)]
pub struct PhiElim {
    /// Operands of the current PHI or block.
    pub(super) operands: Vec<Operand>,
    /// The PHIs, what they read, and which of them are still there.
    pub(super) uses: PhiUses,
    /// PHIs whose incoming register another one may share.
    pub(super) lowered: LoweredPhis,
    /// By block number: the PHI, counted from 1, that has a copy there already.
    pub(super) copied_for: Vec<u32>,
    /// What is live into blocks that edges to are split.
    pub(super) live_in: LiveInSets,
    /// The stage in front.
    pub(super) cssa: Cssa,
}

/// What the pass counts, by function.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) phis: u32,
    pub(super) undefined: u64,
    pub(super) reused: u64,
    pub(super) copies: u64,
    pub(super) implicit_defs: u64,
    pub(super) implicit_defs_removed: u64,
    pub(super) edges_split: u64,
}

/// A block that control comes from, which is asked for by every PHI behind it.
#[derive(Clone, Copy)]
pub(super) struct Pred<'f> {
    pub(super) block: MachineBasicBlock<'f>,
    /// It stays that: copies go before it.
    pub(super) first_terminator: Option<MachineInstr<'f>>,
}

impl<'f> Pred<'f> {
    pub(super) fn new(block: MachineBasicBlock<'f>) -> Self {
        Pred { block, first_terminator: block.first_terminator() }
    }
}

/// The pass on one function.
pub(super) struct Walk<'a, 'f> {
    pub(super) mf: MachineFunction<'f>,
    pub(super) lv: Option<LiveVariables<'f>>,
    pub(super) lis: Option<LiveIntervals<'f>>,
    pub(super) run: Run<'f>,
    pub(super) b: &'a mut PhiElim,
    /// Made for the first edge; LLVM's dominators may be out of date until it is gone.
    pub(super) splitter: Option<EdgeSplitter<'f>>,
    /// IMPLICIT_DEFs that a PHI has read.
    pub(super) implicit_defs: Vec<MachineInstr<'f>>,
    pub(super) implicit_def_keys: FxHashSet<usize>,
    /// By number, what is known of predecessors.
    pub(super) preds: Vec<Option<Pred<'f>>>,
    pub(super) counts: Counts,
}

impl PhiElim {
    /// Runs the pass; whether it changed the function.
    pub fn run(&mut self, run: Run, counters: &mut Counters) -> bool {
        self.lowered.clear(knobs::profile() == Profile::Cicc);
        let mut walk = Walk {
            mf: run.mf,
            lv: run.lv,
            lis: run.lis,
            run,
            b: self,
            splitter: None,
            implicit_defs: Vec::new(),
            implicit_def_keys: FxHashSet::default(),
            preds: Vec::new(),
            counts: Counts::default(),
        };
        let changed = walk.function(counters);
        walk.counts.report(counters);
        changed
    }
}

impl<'f> Walk<'_, 'f> {
    fn function(&mut self, counters: &mut Counters) -> bool {
        let liveness_is_kept = self.lv.is_some() || self.lis.is_some();
        let mut changed = false;
        if liveness_is_kept && !llvm::llvm_option_bool("disable-phi-elim-edge-splitting", false) {
            changed |= self.split_edges();
        }
        self.share_registers(counters);
        self.mf.leave_ssa();
        let mut uses = std::mem::take(&mut self.b.uses);
        self.list_phis(&mut uses);
        if liveness_is_kept {
            uses.classify(self.mf.num_block_ids(), self.mf.num_virt_regs());
        }
        if let Some(lv) = self.lv {
            uses.ask(|reg, preds, answers| {
                if !self.b.cssa.live_out(self.mf, reg, preds, answers) {
                    lv.live_out(self.mf, reg, preds, answers);
                }
            });
        }
        self.b.copied_for.clear();
        self.b.copied_for.resize(self.mf.num_block_ids(), 0);
        self.preds.resize(self.mf.num_block_ids(), None);
        for i in 0..uses.blocks().len() {
            let (block, phis) = uses.blocks()[i].clone();
            self.lower_phis(self.mf.block_numbered(block), phis, &mut uses);
            changed = true;
        }
        self.b.uses = uses;
        for def in std::mem::take(&mut self.implicit_defs) {
            let reg = def.operand(0).reg();
            if self.mf.use_nodbg_empty(reg) {
                if let Some(lis) = self.lis {
                    lis.remove_instr(def);
                }
                def.erase();
                self.counts.implicit_defs_removed += 1;
            } else if let Some(lv) = self.lv.filter(|_| knobs::profile() == Profile::Cicc) {
                // PHIs had it live to the ends of blocks where nothing reads it any more. Stock leaves that.
                if self.mf.defs(reg).nth(1).is_none() {
                    lv.recompute(reg);
                }
            }
        }
        if changed && VERSIONS.phi_elim.recalculates_dominators {
            self.run.host_pass.recalculate_dominators(self.mf);
        }
        self.mf.set_no_phis();
        changed
    }

    /// The stage in front: registers that PHIs join become one, see [`crate::stages::cssa`].
    fn share_registers(&mut self, counters: &mut Counters) {
        self.b.cssa.clear();
        if let Some(method) = knobs::cssa_method().filter(|_| self.run.optimize) {
            let (start, mut stage) = (Instant::now(), Counters::default());
            let (verbosity, print_before) = (knobs::cssa_verbosity(), knobs::dump_before_cssa());
            self.b.cssa.run(self.run, Options { method, verbosity, print_before }, &mut stage);
            counters.add_stage(Stage::Cssa, start.elapsed(), stage);
        }
    }

    fn list_phis(&mut self, uses: &mut PhiUses) {
        uses.reset(self.mf.num_virt_regs());
        for block in self.mf.blocks() {
            block.phi_operands(&mut self.b.operands);
            let phis = self.b.operands.chunk_by(|_, next| !next.is_def());
            phis.for_each(|phi| uses.push_phi(block.number(), phi));
        }
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
pub fn phis<'f>(block: MachineBasicBlock<'f>) -> impl Iterator<Item = MachineInstr<'f>> {
    let is_phi = |mi: &MachineInstr| mi.kind() == InstrKind::Phi;
    std::iter::successors(block.first().filter(is_phi), move |mi| mi.next().filter(is_phi))
}
