//! Finds the pairs of PHIs that carry the halves of one value.

use crate::adt::IntEqClasses;
use crate::mir::{InstrId, Operand, RegClassId, VRegId};
use crate::nvptx::halves::HalfMove;
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;
use std::ops::Range;

index_vec::define_index_type! {
    /// The number of a pair.
    pub struct PairId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// One half of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Half {
    Low,
    High,
}

const HALVES: [Half; 2] = [Half::Low, Half::High];

/// A value that a pair gets over an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The halves of this register.
    Whole(VRegId),
    /// Another pair.
    Pair(PairId),
}

/// Two PHIs of one block.
pub struct Pair {
    /// The PHI of the low half and that of the high half.
    pub phis: [InstrId; 2],
    /// The registers that they define.
    pub halves: [VRegId; 2],
    /// A register of the class of the whole: the result of a pack of this pair, or of one that reads it.
    pub like: VRegId,
    /// In [`WidePairs::sources`], one for each edge.
    sources: Range<usize>,
    /// The pair can be replaced by one PHI.
    pub can_be_wide: bool,
}

/// The pairs of a function; the buffers are kept.
#[derive(Default)]
pub struct WidePairs {
    /// By register of a PHI, and the half that it is.
    numbers: FxHashMap<(VRegId, Half), PairId>,
    pairs: IndexVec<PairId, Pair>,
    sources: Vec<Source>,
    unpacks: Vec<InstrId>,
}

impl WidePairs {
    /// Finds the pairs that can be replaced, and returns how many there are.
    pub fn find(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) -> u64 {
        self.numbers.clear();
        self.pairs.clear();
        self.sources.clear();
        self.unpacks.clear();
        // A function of one block has no lists of readers, and no PHI of values from elsewhere.
        if facts.shape.num_blocks() > 1 {
            let mut walk = Walk { facts, machine, found: self };
            walk.find_packed_phis();
            walk.find_sources();
            walk.decide();
        }
        self.unpacks.sort_unstable();
        self.unpacks.dedup();
        self.pairs.iter().filter(|pair| pair.can_be_wide).count() as u64
    }
    /// Returns all pairs that were looked at.
    pub fn pairs(&self) -> &IndexVec<PairId, Pair> {
        &self.pairs
    }
    /// Returns the value that a pair gets over each edge, in the order of the PHIs' operands.
    pub fn sources(&self, pair: &Pair) -> &[Source] {
        &self.sources[pair.sources.clone()]
    }
    /// Returns the instructions that unpack the sources.
    pub fn unpacks(&self) -> &[InstrId] {
        &self.unpacks
    }
}

struct Walk<'a, M> {
    facts: &'a SsaFacts,
    machine: &'a M,
    found: &'a mut WidePairs,
}

impl<M: MachineInfo> Walk<'_, M> {
    fn half_move(&self, instr: InstrId) -> Option<HalfMove> {
        self.machine.opcode_info(instr).half
    }
    fn class(&self, reg: VRegId) -> Option<RegClassId> {
        self.machine.class(reg)
    }

    /// Finds the pairs of PHIs that a pack reads.
    fn find_packed_phis(&mut self) {
        let facts = self.facts;
        for block in facts.blocks() {
            for phi in facts.instrs_of(block).take_while(|&instr| facts.is_phi_instr(instr)) {
                let Some(low) = facts.operands_of(phi)[0].vreg() else { continue };
                let packed = facts.readers_of(low).find_map(|reader| self.packed_with(low, reader));
                if let Some((high, result)) = packed {
                    self.pair([low, high], result);
                }
            }
        }
    }
    /// Returns the high half and the result of an instruction that packs a register as the low half.
    fn packed_with(&self, low: VRegId, reader: InstrId) -> Option<(VRegId, VRegId)> {
        if self.half_move(reader) != Some(HalfMove::Pack) {
            return None;
        }
        let operands @ [result, first, second] = *self.facts.operands_of(reader).first_chunk()?;
        let is_whole = operands.into_iter().all(Operand::is_whole);
        (is_whole && first.vreg() == Some(low)).then_some(second.vreg().zip(result.vreg())).flatten()
    }
    /// Returns the pair of two registers that PHIs of one block define, a new one if necessary. If a PHI is a half of several pairs, none
    /// of them can be replaced.
    fn pair(&mut self, halves: [VRegId; 2], like: VRegId) -> Option<PairId> {
        let keys = [(halves[0], Half::Low), (halves[1], Half::High)];
        let known = keys.map(|key| self.found.numbers.get(&key).copied());
        if known == [None, None] {
            let phi = |reg| self.facts.def_of(reg).filter(|&def| self.facts.is_phi_instr(def));
            let phis = [phi(halves[0])?, phi(halves[1])?];
            let [low, high] = phis.map(|phi| self.facts.block_of_instr(phi));
            if halves[0] == halves[1] || low != high {
                return None;
            }
            let number = self.found.pairs.push(Pair { phis, halves, like, sources: 0..0, can_be_wide: true });
            self.found.numbers.extend(keys.map(|key| (key, number)));
            return Some(number);
        }
        if known[0] == known[1] {
            return known[0];
        }
        for number in known.into_iter().flatten() {
            self.found.pairs[number].can_be_wide = false;
        }
        None
    }

    /// Finds the sources of every pair, which may be more pairs.
    fn find_sources(&mut self) {
        let mut next = PairId::from_raw(0);
        while let Some(&Pair { phis, like, .. }) = self.found.pairs.get(next) {
            let first = self.found.sources.len();
            let has_sources = self.find_sources_of(phis, like);
            let sources = first..self.found.sources.len();
            let pair = &mut self.found.pairs[next];
            pair.sources = sources;
            pair.can_be_wide &= has_sources;
            next += 1;
        }
    }
    /// Appends the sources of two PHIs. Returns false if some edge has none.
    fn find_sources_of(&mut self, phis: [InstrId; 2], like: VRegId) -> bool {
        let [low, high] = phis.map(|phi| self.facts.operands_of(phi));
        if low.len() != high.len() {
            return false;
        }
        for (low, high) in low[1..].chunks_exact(2).zip(high[1..].chunks_exact(2)) {
            // PHIs of one block mostly have their edges in the same order, but a pass may have changed it.
            let is_same_edge = high[1].block_number() == low[1].block_number();
            if !is_same_edge || !low[0].is_whole() || !high[0].is_whole() {
                return false;
            }
            let (Some(low), Some(high)) = (low[0].vreg(), high[0].vreg()) else { return false };
            let Some(source) = self.source([low, high], like) else { return false };
            self.found.sources.push(source);
        }
        true
    }
    /// Returns the value that two registers are the halves of, if they are.
    fn source(&mut self, halves: [VRegId; 2], like: VRegId) -> Option<Source> {
        if let Some(pair) = self.pair(halves, like) {
            return Some(Source::Pair(pair));
        }
        let class = self.class(like);
        self.unpacked(halves).filter(|&whole| self.class(whole) == class).map(Source::Whole)
    }
    /// Returns the register that two others are unpacked from.
    fn unpacked(&mut self, [low, high]: [VRegId; 2]) -> Option<VRegId> {
        let facts = self.facts;
        let (low_def, high_def) = (facts.def_of(low)?, facts.def_of(high)?);
        let (low_operands, high_operands) = (facts.operands_of(low_def), facts.operands_of(high_def));
        let whole = match (self.half_move(low_def)?, self.half_move(high_def)?) {
            (HalfMove::Unpack, HalfMove::Unpack)
                if low_operands[0].vreg() == Some(low) && low_operands[1].vreg() == Some(high) =>
            {
                low_operands[2]
            }
            (HalfMove::UnpackLow, HalfMove::UnpackHigh)
                if low_operands[1].is_reg() && low_operands[1] == high_operands[1] =>
            {
                low_operands[1]
            }
            _ => return None,
        };
        self.found.unpacks.extend([low_def, high_def]);
        whole.vreg().filter(|_| whole.is_whole())
    }

    /// Decides which pairs can be wide, together with all that they read and are read by.
    fn decide(&mut self) {
        let mut classes = IntEqClasses::default();
        classes.reset(self.found.pairs.len());
        for number in self.found.pairs.indices() {
            for &source in self.found.sources(&self.found.pairs[number]) {
                if let Source::Pair(other) = source {
                    classes.join(number.raw(), other.raw());
                }
            }
            let is_read_as_pair = self.is_read_as_pair(number);
            self.found.pairs[number].can_be_wide &= is_read_as_pair;
        }
        let mut leader = |number: PairId| PairId::from_raw(classes.leader(number.raw()));
        let mut can_be_wide: IndexVec<PairId, bool> = index_vec::index_vec![true; self.found.pairs.len()];
        for (number, pair) in self.found.pairs.iter_enumerated() {
            let leader = leader(number);
            let has_same_class = self.class(pair.like) == self.class(self.found.pairs[leader].like);
            can_be_wide[leader] &= pair.can_be_wide && has_same_class;
        }
        for number in self.found.pairs.indices() {
            self.found.pairs[number].can_be_wide = can_be_wide[leader(number)];
        }
    }
    /// Returns whether nothing reads a half but packs of the pair, and PHIs of a pair that reads this one.
    fn is_read_as_pair(&self, number: PairId) -> bool {
        let Pair { halves, like, .. } = self.found.pairs[number];
        HALVES.into_iter().zip(halves).all(|(half, reg)| {
            self.facts.readers_of(reg).all(|reader| {
                let operands = self.facts.operands_of(reader).iter().enumerate();
                let mut reads = operands.filter(|(_, o)| o.is_use() && o.vreg() == Some(reg));
                reads.all(|(index, _)| match self.facts.is_phi_instr(reader) {
                    true => self.source_at(reader, half, index) == Some(Source::Pair(number)),
                    false => self.is_pack_of(reader, halves, like) && index == half as usize + 1,
                })
            })
        })
    }
    /// Returns the source of the pair that a PHI is one half of, over the edge of an operand.
    fn source_at(&self, phi: InstrId, half: Half, operand: usize) -> Option<Source> {
        let result = self.facts.operands_of(phi)[0].vreg()?;
        let pair = *self.found.numbers.get(&(result, half))?;
        self.found.sources(&self.found.pairs[pair]).get(operand / 2).copied()
    }
    fn is_pack_of(&self, reader: InstrId, [low, high]: [VRegId; 2], like: VRegId) -> bool {
        self.packed_with(low, reader)
            .is_some_and(|(other, result)| other == high && self.class(result) == self.class(like))
    }
}
