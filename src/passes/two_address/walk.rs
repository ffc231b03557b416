//! Holds the state of the pass while it runs on a function.

use super::host::TwoAddressHost;
use super::moved_registers::MovedRegisters;
use super::options::Options;
use super::seen_copies::SeenCopies;
use super::tied_operands::{GroupId, TiedOperands};
use crate::adt::DistanceMap;
use crate::mir::{Operand, RegMap, Register};
use crate::passes::affinity::AffinityHints;
use crate::passes::copy_maps::CopyMaps;
use crate::passes::function::InstrHandle;

/// The pass in traces.
pub(super) const NAME: &str = "two-address";

/// The buffers of the pass, reused from block to block and from function to function.
#[derive(Default)]
pub struct TwoAddress {
    /// How far each visited instruction is from the start of the block.
    pub(super) distance: DistanceMap,
    /// Copies of the block that are in the copy maps.
    pub(super) seen_copies: SeenCopies,
    /// Where the values of virtual registers come from and go to.
    pub(super) maps: CopyMaps,
    /// Registers whose chains [`super::copy_maps`] has followed since instructions or links last
    /// changed, and which it reached by tied uses alone. Each is mapped to itself.
    pub(super) followed: RegMap,
    /// Scratch of [`super::copy_maps`].
    pub(super) chain: Vec<Register>,
    /// The current instruction's tied pairs.
    pub(super) tied: TiedOperands,
    /// Scratch of [`super::tied`].
    pub(super) groups: Vec<GroupId>,
    /// Scratch: operands of the instruction being read.
    pub(super) operands: Vec<Operand>,
    /// Scratch of [`super::reschedule`].
    pub(super) moved: MovedRegisters,
    /// By opcode: whether it reads the components of one value. `None` until the first use.
    pub(super) vector_readers: Vec<Option<bool>>,
    /// Hints for the coalescer on the last function.
    pub(super) hints: AffinityHints,
}

/// Counts events in one function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    pub(super) two_address: u64,
    pub(super) copies: u64,
    pub(super) undef: u64,
    pub(super) commuted: u64,
    pub(super) commuted_aggressively: u64,
    pub(super) converted: u64,
    pub(super) moved_down: u64,
    pub(super) moved_up: u64,
    pub(super) unfolded: u64,
    pub(super) reg_sequences: u64,
    pub(super) extract_subregs: u64,
    pub(super) insert_subregs: u64,
    pub(super) neighbour_hints: u64,
    pub(super) copy_hints: u64,
}

impl Counts {
    /// The counts with the names that statistics show.
    pub fn named(&self) -> [(&'static str, u64); 14] {
        [
            ("two-address instructions", self.two_address),
            ("copies inserted", self.copies),
            ("undefined uses rewritten", self.undef),
            ("instructions commuted", self.commuted),
            ("instructions commuted aggressively", self.commuted_aggressively),
            ("instructions converted to three-address form", self.converted),
            ("instructions moved below a kill", self.moved_down),
            ("kills moved above an instruction", self.moved_up),
            ("loads unfolded", self.unfolded),
            ("REG_SEQUENCEs eliminated", self.reg_sequences),
            ("EXTRACT_SUBREGs decomposed", self.extract_subregs),
            ("INSERT_SUBREGs turned into copies", self.insert_subregs),
            ("affinity hints for neighbours", self.neighbour_hints),
            ("affinity hints for copies", self.copy_hints),
        ]
    }
}

/// The pass on one function.
pub(super) struct Walk<'a, H: TwoAddressHost> {
    pub(super) host: H,
    pub(super) lv: Option<H::Variables>,
    pub(super) lis: Option<H::Intervals>,
    pub(super) options: &'a Options,
    pub(super) b: &'a mut TwoAddress,
    /// The current block.
    pub(super) block: H::Block,
    /// The number of instructions visited in the block.
    pub(super) dist: u32,
    pub(super) counts: Counts,
}

/// Where the walk is.
pub(super) struct Cursor<I> {
    /// The current instruction.
    pub(super) mi: I,
    /// The instruction that the walk goes on with.
    pub(super) next: Option<I>,
    /// Whether the current instruction has changed: it was commuted, or is what an unfolded load
    /// left.
    pub(super) is_rewritten: bool,
}

/// If `mi` reads `reg` by an operand that is tied to a def: the def's register.
pub(super) fn two_address_use<H: TwoAddressHost>(
    host: H,
    mi: H::Instr,
    reg: Register,
    operands: &mut Vec<Operand>,
) -> Option<Register> {
    mi.read_operands(operands);
    let is_tied_use = |op: &Operand| op.is_use() && op.reg() == reg && op.is_tied();
    let index = operands.iter().position(is_tied_use)?;
    Some(operands[host.tied_def(mi, index)].reg())
}
