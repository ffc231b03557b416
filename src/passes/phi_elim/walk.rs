//! Holds the state of the pass while it is at a function.

use super::host::{PhiElimHost, PhiId};
use super::live_in_sets::LiveInSets;
use super::lowered::LoweredPhis;
use super::options::Options;
use super::uses::PhiUses;
use crate::adt::PackedOption;
use crate::mir::{BlockNumber, Operand};
use crate::passes::function::FunctionHandle;
use index_vec::IndexVec;
use rustc_hash::FxHashSet;

/// The buffers of the pass, reused from function to function.
#[derive(Default)]
pub struct PhiElim {
    /// Operands of the current PHI or block.
    pub(super) operands: Vec<Operand>,
    /// The PHIs, the registers that they read, and which of them are still there.
    pub(super) uses: PhiUses,
    /// PHIs whose incoming register another one may share.
    pub(super) lowered: LoweredPhis,
    /// By block, the last PHI that has a copy there.
    pub(super) copied_for: IndexVec<BlockNumber, PackedOption<PhiId>>,
    /// The registers live into blocks whose incoming edges are split.
    pub(super) live_in: LiveInSets,
}

/// Counts events in one function.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    pub(super) phis: u32,
    pub(super) undefined: u64,
    pub(super) reused: u64,
    pub(super) copies: u64,
    pub(super) implicit_defs: u64,
    pub(super) implicit_defs_removed: u64,
    pub(super) edges_split: u64,
}

impl Counts {
    /// Returns the counts with the names that statistics show.
    pub fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("PHIs lowered", u64::from(self.phis)),
            ("PHIs of undefined values", self.undefined),
            ("incoming registers shared", self.reused),
            ("copies in predecessors", self.copies),
            ("IMPLICIT_DEFs in predecessors", self.implicit_defs),
            ("IMPLICIT_DEFs removed", self.implicit_defs_removed),
            ("critical edges split", self.edges_split),
        ]
    }
}

/// A predecessor of blocks with PHIs.
#[derive(Clone, Copy)]
pub(super) struct Pred<H: FunctionHandle> {
    pub(super) block: H::Block,
    /// Copies go before it. No copy becomes a terminator, so it stays the first one.
    pub(super) first_terminator: Option<H::Instr>,
}

impl<H: PhiElimHost> Pred<H> {
    pub(super) fn new(host: H, block: H::Block) -> Self {
        Pred { block, first_terminator: host.first_terminator(block) }
    }
}

/// The pass on one function, once edges are split.
pub(super) struct Walk<'a, H: PhiElimHost, S> {
    pub(super) host: H,
    pub(super) lv: Option<H::Variables>,
    pub(super) lis: Option<H::Intervals>,
    pub(super) options: &'a Options,
    /// The registers that the preceding stage made.
    pub(super) shared: &'a S,
    pub(super) buffers: &'a mut PhiElim,
    /// IMPLICIT_DEFs that a PHI read.
    pub(super) implicit_defs: Vec<H::Instr>,
    pub(super) implicit_def_keys: FxHashSet<usize>,
    /// The predecessors visited so far.
    pub(super) preds: IndexVec<BlockNumber, Option<Pred<H>>>,
    pub(super) counts: Counts,
}
