//! Declares what PHI elimination asks and edits beyond [`FunctionHandle`], and what the stage that
//! shares registers answers.

use crate::mir::{BlockNumber, Operand, Register, VRegId};
use crate::passes::function::FunctionHandle;

index_vec::define_index_type! {
    /// The position of a PHI among all PHIs of its function.
    pub struct PhiId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// A function whose PHIs can be eliminated. Where a position is an `Option`, `None` is the end of
/// the block.
pub trait PhiElimHost: FunctionHandle {
    /// A natural loop.
    type Loop: Copy + PartialEq;
    /// Splits edges. LLVM's dominators may be out of date until it is dropped.
    type EdgeSplitter;

    /// Counts the numbers of blocks, gaps included.
    fn num_block_ids(self) -> usize;
    /// Returns the block of this number.
    fn block_numbered(self, number: BlockNumber) -> Self::Block;
    /// Writes the operands of the block's PHIs to `out`, one PHI after the other: each begins with
    /// its only def.
    fn phi_operands(self, block: Self::Block, out: &mut Vec<Operand>);
    /// Lists the block's PHIs.
    fn phis(self, block: Self::Block) -> impl Iterator<Item = Self::Instr>;
    /// Tells whether the block is a landing pad.
    fn is_eh_pad(self, block: Self::Block) -> bool;
    /// Tells whether some INLINEASM_BR may jump to the block.
    fn is_asm_br_target(self, block: Self::Block) -> bool;
    /// Finds the block's first terminator.
    fn first_terminator(self, block: Self::Block) -> Option<Self::Instr>;
    /// Returns the first instruction, from `from` on, that is not a PHI, a label or part of the
    /// target's block prologue.
    fn skip_phis_and_labels(self, block: Self::Block, from: Option<Self::Instr>) -> Option<Self::Instr>;

    /// Tells whether it is a call.
    fn is_call(self, mi: Self::Instr) -> bool;
    /// Returns the number by which debug values name its result.
    fn debug_number(self, mi: Self::Instr) -> Option<u32>;
    /// Lets debug values that name `number`, the result of a PHI of `block`, find it in `reg`.
    fn add_debug_phi(self, number: u32, block: Self::Block, reg: Register);

    /// Makes a virtual register of the class of `like`.
    fn new_reg_like(self, like: Register) -> Register;
    /// Inserts `reg = IMPLICIT_DEF` with the debug location of `like`.
    fn insert_implicit_def(
        self,
        block: Self::Block,
        before: Option<Self::Instr>,
        like: Self::Instr,
        reg: Register,
    ) -> Self::Instr;
    /// Inserts `dst = COPY src` for a PHI of this block, `like`.
    fn insert_destination_copy(
        self,
        block: Self::Block,
        before: Option<Self::Instr>,
        like: Self::Instr,
        src: Register,
        dst: Register,
    ) -> Self::Instr;
    /// Inserts `dst = COPY src` for a PHI of a successor; `src` may be part of its register.
    fn insert_source_copy(
        self,
        block: Self::Block,
        before: Option<Self::Instr>,
        src: Operand,
        dst: Register,
    ) -> Self::Instr;
    /// Takes a PHI out of its block and out of the lists of its registers' operands.
    fn remove_from_block(self, phi: Self::Instr);
    /// Flags the first operand of `mi`, a def, as dead.
    fn set_def_dead(self, mi: Self::Instr);
    /// Frees an instruction that is in no block.
    fn delete(self, phi: Self::Instr);
    /// Gives the new `mi` a slot in SlotIndexes, if that is kept. Not called where LiveIntervals is
    /// kept, which gives slots itself.
    fn insert_in_slots(self, mi: Self::Instr);
    /// Takes `mi`, which is about to be erased, out of SlotIndexes, if that is kept.
    fn remove_from_slots(self, mi: Self::Instr);
    /// Takes note that the function has no PHIs any more.
    fn set_no_phis(self);

    /// Tells whether the target wants loops and conditionals to stay properly nested.
    fn requires_structured_cfg(self) -> bool;
    /// Finds the innermost loop that the block is in.
    fn loop_of(self, block: Self::Block) -> Option<Self::Loop>;
    /// Tells whether the block is the loop's header.
    fn is_header(self, of: Self::Loop, block: Self::Block) -> bool;
    /// Tells whether `inner` is `outer` or inside it. `None`, code outside all loops, is not.
    fn contains(self, outer: Self::Loop, inner: Option<Self::Loop>) -> bool;
    /// Tells whether [`Self::split_edge`] can split the edge.
    fn can_split_edge(self, pred: Self::Block, succ: Self::Block) -> bool;
    /// Begins to split edges.
    fn edge_splitter(self) -> Self::EdgeSplitter;
    /// Puts a new block on an edge and keeps all analyses up to date. Returns false if it cannot.
    /// With LiveVariables, `live_in` lists the registers live into `succ`.
    fn split_edge(
        self,
        splitter: &mut Self::EdgeSplitter,
        pred: Self::Block,
        succ: Self::Block,
        live_in: Option<&[VRegId]>,
    ) -> bool;
    /// Computes the dominator tree anew, if there is one.
    fn recalculate_dominators(self);
}

/// The registers that a preceding stage has made for values that PHIs join.
pub trait SharedRegisters {
    /// Returns the register that the values of a PHI meet in, or `None` if PHI elimination has to
    /// make one.
    fn incoming(&self, phi: PhiId) -> Option<Register>;
    /// Lists the blocks that `reg` is live into, ascending; `None` if the stage did not make `reg`.
    fn live_in(&self, reg: Register) -> Option<&[BlockNumber]>;
}

/// No such stage: no registers are shared.
impl SharedRegisters for () {
    fn incoming(&self, _: PhiId) -> Option<Register> {
        None
    }
    fn live_in(&self, _: Register) -> Option<&[BlockNumber]> {
        None
    }
}
