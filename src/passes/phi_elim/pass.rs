//! The pass: what runs in which order.

use super::lowered::LoweredPhis;
use super::shared::SharedRegisters;
use super::split::LiveInSets;
use super::uses::PhiUses;
use crate::adt::Counters;
use crate::llvm::{
    EdgeSplitter, LiveIntervals, LiveVariables, MachineBasicBlock, MachineFunction, MachineInstr, Run,
};
use crate::mir::{InstrKind, Operand};
use crate::versions::VERSIONS;
use rustc_hash::FxHashSet;

/// The options of the pass.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The `cicc` profile: undef flags tell PHIs apart, and liveness that only PHIs asked for is taken back.
    pub cicc: bool,
    /// Not `disable-phi-elim-edge-splitting`
    pub split_edges: bool,
    /// `phi-elim-split-all-critical-edges`
    pub split_all_critical_edges: bool,
    /// `no-phi-elim-live-out-early-exit`
    pub no_live_out_early_exit: bool,
}

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
    pub(super) options: Options,
    /// The stage in front of the lowering.
    pub(super) shared: &'a mut dyn SharedRegisters,
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
    pub fn run(
        &mut self,
        run: Run,
        options: Options,
        shared: &mut dyn SharedRegisters,
        counters: &mut Counters,
    ) -> bool {
        self.lowered.clear(options.cicc);
        let mut walk = Walk {
            mf: run.mf,
            lv: run.lv,
            lis: run.lis,
            run,
            options,
            shared,
            b: self,
            splitter: None,
            implicit_defs: Vec::new(),
            implicit_def_keys: FxHashSet::default(),
            preds: Vec::new(),
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
        if liveness_is_kept && self.options.split_edges {
            changed |= self.split_edges();
        }
        self.shared.run(self.run);
        self.mf.leave_ssa();
        let mut uses = std::mem::take(&mut self.b.uses);
        self.list_phis(&mut uses);
        if liveness_is_kept {
            uses.classify(self.mf.num_block_ids(), self.mf.num_virt_regs());
        }
        if let Some(lv) = self.lv {
            uses.ask(|reg, preds, answers| {
                if !self.shared.live_out(self.mf, reg, preds, answers) {
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
            } else if let Some(lv) = self.lv.filter(|_| self.options.cicc) {
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
