//! Finds the PHIs that carry the parts of one value.

use super::parts::{Parts, MIN_BITS_OF_REGISTER};
use crate::adt::IntEqClasses;
use crate::mir::{BlockNumber, InstrId, Operand, RegClassId, VRegId};
use crate::nvptx::computation::Operation;
use crate::nvptx::moves::Family;
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;
use std::ops::{Deref, Range};

index_vec::define_index_type! {
    /// The number of a group.
    pub struct GroupId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// The largest number of parts that a pack reads.
const MAX_PARTS: usize = 4;

/// The registers of the parts of one value, the least significant one first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartRegs {
    regs: [VRegId; MAX_PARTS],
    len: u8,
}

impl PartRegs {
    /// Collects registers. `None` if one is missing, or if there are more than `MAX_PARTS`.
    pub fn collect(regs: impl IntoIterator<Item = Option<VRegId>>) -> Option<PartRegs> {
        let mut parts = PartRegs { regs: [VRegId::from_raw(0); MAX_PARTS], len: 0 };
        for reg in regs {
            *parts.regs.get_mut(usize::from(parts.len))? = reg?;
            parts.len += 1;
        }
        Some(parts)
    }
}

impl Deref for PartRegs {
    type Target = [VRegId];
    fn deref(&self) -> &[VRegId] {
        &self.regs[..usize::from(self.len)]
    }
}

/// The value that a group gets over an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The parts of this register.
    Whole(VRegId),
    /// Another group.
    Group(GroupId),
    /// Registers to be packed at the end of the edge's block.
    Packed(PartRegs, BlockNumber),
}

/// PHIs of one block, one for each part of a value.
pub struct Group {
    /// The registers that they define.
    pub parts: PartRegs,
    /// The pack that reads them, or that reads a group that reads them. Its result has the class of
    /// the whole.
    pub pack: InstrId,
    /// In [`Groups::sources`], one for each edge.
    sources: Range<usize>,
    /// The group can be replaced by one PHI.
    pub can_be_wide: bool,
}

/// The groups of a function; the buffers are kept.
#[derive(Default)]
pub struct Groups {
    /// By register of a PHI, and the index of its part.
    numbers: FxHashMap<(VRegId, usize), GroupId>,
    groups: IndexVec<GroupId, Group>,
    sources: Vec<Source>,
}

impl Groups {
    /// Finds the groups that can be replaced, and returns how many there are.
    pub fn find(&mut self, facts: &SsaFacts, machine: &impl MachineInfo, known: &Parts) -> u64 {
        self.numbers.clear();
        self.groups.clear();
        self.sources.clear();
        // A function of one block has no lists of readers, and no PHI of values from other blocks.
        if facts.shape.num_blocks() > 1 && !known.is_empty() {
            let mut walk = Walk { facts, machine, known, found: self };
            walk.find_packed_phis();
            walk.find_sources();
            walk.decide();
        }
        self.groups.iter().filter(|group| group.can_be_wide).count() as u64
    }
    /// Returns all groups, replaceable or not.
    pub fn groups(&self) -> &IndexVec<GroupId, Group> {
        &self.groups
    }
    /// Returns the value that a group gets over each edge, in the order of the PHIs' operands.
    pub fn sources(&self, group: &Group) -> &[Source] {
        &self.sources[group.sources.clone()]
    }
}

struct Walk<'a, M> {
    facts: &'a SsaFacts,
    machine: &'a M,
    known: &'a Parts,
    found: &'a mut Groups,
}

impl<M: MachineInfo> Walk<'_, M> {
    fn class(&self, reg: VRegId) -> Option<RegClassId> {
        self.machine.class(reg)
    }
    fn phi_of(&self, reg: VRegId) -> Option<InstrId> {
        self.facts.def_of(reg).filter(|&def| self.facts.is_phi_instr(def))
    }
    /// Returns the result of a pack. The class of the pack is the class of this register.
    fn result(&self, pack: InstrId) -> VRegId {
        self.facts.operands_of(pack)[0].vreg().expect("a pack has a result")
    }

    /// Finds the groups of PHIs that a pack reads.
    fn find_packed_phis(&mut self) {
        let facts = self.facts;
        for block in facts.blocks() {
            for phi in facts.instrs_of(block).take_while(|&instr| facts.is_phi_instr(instr)) {
                let Some(low) = facts.operands_of(phi)[0].vreg() else { continue };
                let packed =
                    facts.readers_of(low).find_map(|reader| Some((self.packed_with(low, reader)?, reader)));
                if let Some((parts, pack)) = packed {
                    self.group(parts, pack);
                }
            }
        }
    }
    /// Returns all parts of a pack whose least significant part is `low`.
    fn packed_with(&self, low: VRegId, reader: InstrId) -> Option<PartRegs> {
        let Family::Pack(num_parts) = self.machine.opcode_info(reader).move_?.family else { return None };
        let (result, parts) = self.facts.operands_of(reader).split_first()?;
        let parts = parts.get(..num_parts.into())?;
        let is_whole = result.is_whole() && parts.iter().all(|o| o.is_whole());
        let parts = PartRegs::collect(parts.iter().map(|o| o.vreg()))?;
        (is_whole && parts[0] == low).then_some(parts)
    }
    /// Returns the group of registers that PHIs of one block define; makes a new group if
    /// necessary. If a PHI is a part of several groups, none of them can be replaced.
    fn group(&mut self, parts: PartRegs, pack: InstrId) -> Option<GroupId> {
        let keys = || parts.iter().copied().enumerate().map(|(part, reg)| (reg, part));
        let known = |(reg, part)| self.found.numbers.get(&(reg, part)).copied();
        let first = keys().find_map(known);
        let Some(first) = first else {
            let block = self.facts.block_of_instr(self.phi_of(parts[0])?);
            let is_phi = |reg| self.phi_of(reg).is_some_and(|phi| self.facts.block_of_instr(phi) == block);
            let is_distinct = keys().all(|(reg, part)| !parts[..part].contains(&reg));
            if !is_distinct || !parts.iter().all(|&reg| is_phi(reg)) {
                return None;
            }
            let number = self.found.groups.push(Group { parts, pack, sources: 0..0, can_be_wide: true });
            self.found.numbers.extend(keys().map(|key| (key, number)));
            return Some(number);
        };
        if self.found.groups[first].parts == parts {
            return Some(first);
        }
        let others: Vec<_> = keys().filter_map(known).collect();
        for number in others {
            self.found.groups[number].can_be_wide = false;
        }
        None
    }

    /// Finds the sources of every group, which may be more groups.
    fn find_sources(&mut self) {
        let mut next = GroupId::from_raw(0);
        while let Some(&Group { parts, pack, .. }) = self.found.groups.get(next) {
            let first = self.found.sources.len();
            let has_sources = self.find_sources_of(parts, pack).is_some();
            let sources = first..self.found.sources.len();
            let group = &mut self.found.groups[next];
            group.sources = sources;
            group.can_be_wide &= has_sources;
            next += 1;
        }
    }
    /// Appends the sources of a group. `None` if an edge has no source.
    fn find_sources_of(&mut self, parts: PartRegs, pack: InstrId) -> Option<()> {
        let facts = self.facts;
        let low = self.phi_of(parts[0])?;
        let num_operands = facts.operands_of(low).len();
        for edge in (1..num_operands).step_by(2) {
            let from = facts.operands_of(low)[edge + 1].block_number();
            let values = parts.iter().map(|&reg| {
                let operands = facts.operands_of(self.phi_of(reg)?);
                // PHIs of one block mostly list their edges in the same order, but a pass may have
                // changed it.
                let value = *operands.get(edge).filter(|_| operands.len() == num_operands)?;
                let is_same_edge = operands[edge + 1].block_number() == from;
                value.vreg().filter(|_| is_same_edge && value.is_whole())
            });
            let values = PartRegs::collect(values)?;
            let source = self.source(values, pack);
            let packed = || self.may_be_packed(parts, values, from).then_some(Source::Packed(values, from));
            self.found.sources.push(source.or_else(packed)?);
        }
        Some(())
    }
    /// Returns the value whose parts the registers are.
    fn source(&mut self, parts: PartRegs, pack: InstrId) -> Option<Source> {
        if let Some(group) = self.group(parts, pack) {
            return Some(Source::Group(group));
        }
        let class = self.class(self.result(pack));
        let whole = self.known.whole_of(&parts, self.machine).filter(|&whole| self.class(whole) == class);
        whole.map(Source::Whole)
    }
    /// Returns whether the values that a group gets over an edge may be packed at the end of the
    /// edge's block. That is so where a loop is entered and the values are hardware registers:
    /// packing these takes no instruction. Smaller values would need one, and another register for
    /// the whole.
    fn may_be_packed(&self, group: PartRegs, values: PartRegs, from: BlockNumber) -> bool {
        let [from, to] = [Some(self.facts.block_numbered(from)), self.facts.block_of_def(group[0])];
        let (Some(from), Some(to)) = (from, to) else { return false };
        let loops = &self.facts.loops;
        let enters_loop = loops.innermost(to).is_some_and(|l| !loops.contains(l, from));
        let is_there = |value: VRegId| {
            // Only inline assembly that jumps defines registers after the end of a block's code.
            let def = self.facts.def_of(value);
            def.is_some_and(|def| self.machine.opcode_info(def).operation != Operation::InlineAsmBr)
        };
        enters_loop
            && self.machine.bits(group[0]) >= MIN_BITS_OF_REGISTER
            && values.iter().zip(&*group).all(|(&v, &g)| self.class(v) == self.class(g) && is_there(v))
    }

    /// Decides which groups can be wide, together with all groups that they read or that read them.
    fn decide(&mut self) {
        let mut classes = IntEqClasses::default();
        classes.reset(self.found.groups.len());
        for number in self.found.groups.indices() {
            for &source in self.found.sources(&self.found.groups[number]) {
                if let Source::Group(other) = source {
                    classes.join(number.raw(), other.raw());
                }
            }
            let is_read_as_group = self.is_read_as_group(number);
            self.found.groups[number].can_be_wide &= is_read_as_group;
        }
        let mut leader = |number: GroupId| GroupId::from_raw(classes.leader(number.raw()));
        let mut can_be_wide: IndexVec<GroupId, bool> = index_vec::index_vec![true; self.found.groups.len()];
        let mut has_whole: IndexVec<GroupId, bool> = index_vec::index_vec![false; self.found.groups.len()];
        for (number, group) in self.found.groups.iter_enumerated() {
            let leader = leader(number);
            let class_of = |group: &Group| self.class(self.result(group.pack));
            let has_same_class = class_of(group) == class_of(&self.found.groups[leader]);
            can_be_wide[leader] &= group.can_be_wide && has_same_class;
            has_whole[leader] |= self.found.sources(group).iter().any(|s| matches!(s, Source::Whole(_)));
        }
        for number in self.found.groups.indices() {
            let leader = leader(number);
            self.found.groups[number].can_be_wide = can_be_wide[leader] && has_whole[leader];
        }
    }
    /// Returns whether only packs of the group, and PHIs of groups that read this one, read its
    /// parts.
    fn is_read_as_group(&self, number: GroupId) -> bool {
        let Group { parts, pack, .. } = self.found.groups[number];
        parts.iter().enumerate().all(|(part, &reg)| {
            self.facts.readers_of(reg).all(|reader| {
                let operands = self.facts.operands_of(reader).iter().enumerate();
                let mut reads =
                    operands.filter(|(_, o): &(usize, &Operand)| o.is_use() && o.vreg() == Some(reg));
                reads.all(|(index, _)| match self.facts.is_phi_instr(reader) {
                    true => self.source_at(reader, part, index) == Some(Source::Group(number)),
                    false => index == part + 1 && self.is_pack_of(reader, parts, pack),
                })
            })
        })
    }
    /// Returns the source, over the edge of an operand, of the group that a PHI is one part of.
    fn source_at(&self, phi: InstrId, part: usize, operand: usize) -> Option<Source> {
        let result = self.facts.operands_of(phi)[0].vreg()?;
        let group = *self.found.numbers.get(&(result, part))?;
        self.found.sources(&self.found.groups[group]).get(operand / 2).copied()
    }
    fn is_pack_of(&self, reader: InstrId, parts: PartRegs, pack: InstrId) -> bool {
        self.packed_with(parts[0], reader) == Some(parts)
            && self.class(self.result(reader)) == self.class(self.result(pack))
    }
}
