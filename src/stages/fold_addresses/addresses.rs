//! Replaces addresses with another one and an offset.

use super::draft::Draft;
use super::edits::NewOpcode;
use super::function::Function;
use crate::mir::{virtual_reads, AddressSpace, BlockId, InstrId, Kind, Operand, VRegId};
use crate::nvptx::accesses::SpaceSource;
use crate::nvptx::arithmetic::Arithmetic;
use crate::nvptx::counterparts::Counterpart;
use crate::ssa::address::Address as InstrAddress;
use crate::ssa::forms::{Defs, FormId, Forms};
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// The largest offset that fits in an instruction of the hardware: 24 bits with a sign.
pub(crate) const MAX_OFFSET: i64 = (1 << 23) - 1;

/// Addresses less than this many bytes apart are neighbours: the widest access has 16 bytes.
const NEIGHBOURS: i64 = 16;
/// A group of neighbours matters from this many reads on.
const LEAST_READS: u32 = 2;
/// Groups at least this many bytes apart lie in different cache lines.
const FAR: i64 = 128;
/// A row of stores has at least this many. Of two, one address would save nothing.
const LEAST_ROW: usize = 3;

index_vec::define_index_type! {
    /// The number of an address.
    struct AddressId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// A load or store by an address in a register.
#[derive(Clone, Copy)]
struct Access {
    instr: InstrId,
    /// The position of the register.
    operand: usize,
    /// Whether its opcode has an offset.
    has_offset: bool,
    offset: i64,
    address: AddressId,
}

/// The smallest and the largest of some offsets.
#[derive(Clone, Copy)]
struct OffsetRange {
    min: i64,
    max: i64,
}

impl OffsetRange {
    fn of(offset: i64) -> Self {
        OffsetRange { min: offset, max: offset }
    }
    fn include(self, offset: i64) -> Self {
        OffsetRange { min: self.min.min(offset), max: self.max.max(offset) }
    }
    /// Returns whether all offsets still fit with `more` added.
    fn fits_with(self, more: i64) -> bool {
        let fits = |offset: i64| {
            offset.checked_add(more).is_some_and(|sum| (-MAX_OFFSET..=MAX_OFFSET).contains(&sum))
        };
        fits(self.min) && fits(self.max)
    }
}

/// The change of an address that differs from another one, its leader, by a constant.
#[derive(Clone, Copy)]
struct Fold {
    leader: AddressId,
    /// The address minus its leader.
    offset: i64,
    /// Whether other instructions than loads and stores read it. Its definition then becomes the
    /// sum of the leader and the offset. Otherwise nothing reads it any more.
    stays: bool,
}

/// A register that loads, stores or inline assembly take as an address.
#[derive(Clone, Copy)]
struct Address {
    reg: VRegId,
    /// The size of the register, 32 or 64.
    bits: u32,
    /// The form modulo 2^`bits`, as the sum of register and offset counts.
    form: FormId,
    block: BlockId,
    def: InstrId,
    /// The number of loads and stores that use it, and their offsets; 0 for an access without one.
    num_accesses: u32,
    offsets: OffsetRange,
    is_in_asm: bool,
    /// The store that alone uses it, unless that is to shared or local memory.
    only_store: Option<InstrId>,
    /// Its group among those that must not share a leader; 0 if it may have any leader.
    group: u32,
    fold: Option<Fold>,
}

/// The kind of sum that defines an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SumKind {
    /// Its leader and a constant: one instruction, which ptxas folds itself.
    OfLeader,
    /// Two registers, at least one of them computed, often for such sums alone.
    OfRegisters,
    /// Anything else.
    Other,
}

/// The address that a register holds.
#[derive(Clone, Copy)]
enum AddressOf {
    Unknown,
    /// The register has no definition, or neither 32 nor 64 bits.
    None,
    Is(AddressId),
}

/// The addresses of a function; the buffers are kept.
#[derive(Default)]
pub struct Addresses {
    of_reg: IndexVec<VRegId, AddressOf>,
    accesses: Vec<Access>,
    addresses: IndexVec<AddressId, Address>,
    /// By register: how many operands in definitions of addresses read it.
    num_address_reads: IndexVec<VRegId, u32>,
    order: Vec<AddressId>,
    leaders: Vec<AddressId>,
    /// The addresses of one block that differ by constants, each with its constant.
    distances: Vec<(i64, AddressId)>,
}

impl Addresses {
    /// Begins with a function of this many virtual registers.
    pub fn clear(&mut self, num_virt_regs: usize) {
        self.of_reg.clear();
        self.of_reg.resize(num_virt_regs, AddressOf::Unknown);
        self.accesses.clear();
        self.addresses.clear();
    }
    /// Returns the number of addresses.
    pub fn num(&self) -> usize {
        self.addresses.len()
    }
    /// Returns the number of folded addresses.
    pub fn num_folded(&self) -> usize {
        self.addresses.iter().filter(|a| a.fold.is_some()).count()
    }

    /// Adds an access whose address is a register.
    pub fn add_access<D: Defs, M: MachineInfo>(
        &mut self,
        function: &mut Function<'_, D, M>,
        instr: InstrId,
        access: InstrAddress,
    ) {
        let Some(reg) = access.register() else { return };
        let Some(address) = self.address(function, reg) else { return };
        let offset = access.offset.map_or(0, |index| function.machine.immediate(instr, index));
        let has_offset = access.offset.is_some();
        self.accesses.push(Access { instr, operand: access.position, has_offset, offset, address });
        let address = &mut self.addresses[address];
        address.only_store =
            (address.num_accesses == 0 && is_store_with_sectors(function, instr, access)).then_some(instr);
        address.offsets =
            if address.num_accesses == 0 { OffsetRange::of(offset) } else { address.offsets.include(offset) };
        address.num_accesses += 1;
    }
    /// Adds the registers that inline assembly reads.
    pub fn add_assembly<D: Defs, M: MachineInfo>(
        &mut self,
        function: &mut Function<'_, D, M>,
        instr: InstrId,
    ) {
        let Function { facts, machine, .. } = *function;
        for reg in facts.operands_of(instr).iter().filter(|o| o.reads_whole()).filter_map(|o| o.vreg()) {
            // Sums of 32 bits share one another anyway.
            if machine.class(reg).is_none() || machine.bits(reg) != 64 {
                continue;
            }
            if let Some(address) = self.address(function, reg) {
                self.addresses[address].is_in_asm = true;
            }
        }
    }
    /// Returns the address that a register holds.
    fn address<D: Defs, M: MachineInfo>(
        &mut self,
        function: &mut Function<'_, D, M>,
        reg: VRegId,
    ) -> Option<AddressId> {
        if let AddressOf::Unknown = self.of_reg[reg] {
            self.of_reg[reg] = match self.new_address(function, reg) {
                Some(address) => AddressOf::Is(self.addresses.push(address)),
                None => AddressOf::None,
            };
        }
        match self.of_reg[reg] {
            AddressOf::Is(address) => Some(address),
            _ => None,
        }
    }
    fn new_address<D: Defs, M: MachineInfo>(
        &self,
        function: &mut Function<'_, D, M>,
        reg: VRegId,
    ) -> Option<Address> {
        let Function { facts, machine, forms, defs } = function;
        let def = facts.def_of(reg)?;
        let bits = machine.class(reg).map(|_| machine.bits(reg)).filter(|bits| [32, 64].contains(bits))?;
        Some(Address {
            reg,
            bits,
            form: forms.of(*defs, reg, bits),
            block: facts.block_of_instr(def),
            def,
            num_accesses: 0,
            offsets: OffsetRange::of(0),
            is_in_asm: false,
            only_store: None,
            group: 0,
            fold: None,
        })
    }

    /// Chooses which addresses are folded, and into which leaders.
    ///
    /// Addresses are sorted by terms and by the preorder of the dominator tree, so those that
    /// dominate the current one form a stack.
    pub fn choose(&mut self, facts: &SsaFacts, machine: &impl MachineInfo, forms: &Forms) {
        self.count_address_reads(facts);
        self.sort(facts, forms);
        self.group(facts, forms);
        self.leaders.clear();
        for position in 0..self.order.len() {
            let number = self.order[position];
            let address = self.addresses[number];
            let terms = forms.terms(address.form);
            // One that does not dominate this address dominates no later one.
            while let Some(&top) = self.leaders.last() {
                let leader = &self.addresses[top];
                let dominates = facts.dominates(leader.block, address.block);
                if dominates && leader.bits == address.bits && forms.terms(leader.form) == terms {
                    break;
                }
                self.leaders.pop();
            }
            // All remaining leaders dominate the address and have its terms.
            let is_open =
                |leader: &&AddressId| address.group == 0 || self.addresses[**leader].group == address.group;
            let leader = self.leaders.iter().rev().find(is_open).copied();
            let sum = leader.map(|leader| self.sum_kind(facts, machine, &address, leader));
            if sum == Some(SumKind::OfLeader) {
                continue;
            }
            let fold = leader
                .zip(sum)
                .and_then(|(leader, sum)| self.fold(facts, machine, forms, &address, leader, sum));
            self.addresses[number].fold = fold;
            if fold.is_none() {
                self.leaders.push(number);
            }
        }
    }
    fn count_address_reads(&mut self, facts: &SsaFacts) {
        self.num_address_reads.clear();
        self.num_address_reads.resize(facts.shape.num_virt_regs, 0);
        for address in &self.addresses {
            for reg in virtual_reads(facts.operands_of(address.def)) {
                self.num_address_reads[reg] += 1;
            }
        }
    }
    /// Orders the addresses in reachable blocks by their terms, then by the dominator tree.
    fn sort(&mut self, facts: &SsaFacts, forms: &Forms) {
        let Addresses { order, addresses, .. } = self;
        let dominators = &facts.dominators;
        order.clear();
        order.extend(addresses.indices().filter(|&a| dominators.reachable[addresses[a].block]));
        order.sort_unstable_by(|&a, &b| {
            let [a, b] = [a, b].map(|n| &addresses[n]);
            let key = |a: &Address| (dominators.preorder(a.block), a.def);
            let sizes_and_terms = a.bits.cmp(&b.bits).then(forms.terms(a.form).cmp(forms.terms(b.form)));
            sizes_and_terms.then(key(a).cmp(&key(b)))
        });
    }
    /// Finds the groups of addresses that must not share a leader, among the addresses of 64 bits
    /// that one block computes and that differ by constants.
    fn group(&mut self, facts: &SsaFacts, forms: &Forms) {
        let Addresses { order, addresses, distances, .. } = self;
        let mut num_groups = 0;
        let mut rest = &order[..];
        while let Some(&first) = rest.first() {
            let head = addresses[first];
            let is_like_head = |&&number: &&AddressId| {
                let other = &addresses[number];
                let has_terms = forms.terms(other.form) == forms.terms(head.form);
                (other.bits, other.block) == (head.bits, head.block) && has_terms
            };
            let (members, others) = rest.split_at(rest.iter().take_while(is_like_head).count());
            rest = others;
            // Shared memory, whose addresses have 32 bits, has no cache lines.
            if members.len() < 2 || head.bits != 64 {
                continue;
            }
            distances.clear();
            distances.extend(members.iter().map(|&m| (forms.distance(addresses[m].form, head.form, 64), m)));
            distances.sort_unstable();
            separate_far_groups(addresses, distances, facts, &mut num_groups);
            separate_rows(addresses, distances, facts, &mut num_groups);
        }
    }
    fn sum_kind(
        &self,
        facts: &SsaFacts,
        machine: &impl MachineInfo,
        address: &Address,
        leader: AddressId,
    ) -> SumKind {
        let [_, a, b] = *facts.operands_of(address.def) else { return SumKind::Other };
        let operation = |instr| machine.opcode_info(instr).arithmetic.map(|a| a.operation);
        if operation(address.def) != Some(Arithmetic::Add) || !a.reads_whole() {
            return SumKind::Other;
        }
        if a.vreg() == Some(self.addresses[leader].reg) && b.kind() == Kind::Imm {
            return SumKind::OfLeader;
        }
        let is_computed = |o: Operand| {
            let def = o.vreg().and_then(|reg| facts.def_of(reg));
            def.is_some_and(|def| operation(def).is_some())
        };
        if b.reads_whole() && (is_computed(a) || is_computed(b)) {
            SumKind::OfRegisters
        } else {
            SumKind::Other
        }
    }
    /// Returns how to fold an address into a leader, if that is possible and pays.
    fn fold(
        &self,
        facts: &SsaFacts,
        machine: &impl MachineInfo,
        forms: &Forms,
        address: &Address,
        leader_id: AddressId,
        sum: SumKind,
    ) -> Option<Fold> {
        let leader = &self.addresses[leader_id];
        let stays = facts.num_reads[address.reg] != address.num_accesses;
        let becomes_sum = address.is_in_asm && sum == SumKind::OfRegisters;
        if stays && !becomes_sum {
            return None;
        }
        // Saving one addition is not worth keeping a register of another block live.
        if leader.block != address.block && !self.reads_only_for_addresses(facts, address.def) {
            return None;
        }
        let offset = forms.distance(address.form, leader.form, address.bits);
        let has_same_class = machine.class(leader.reg) == machine.class(address.reg);
        let fits = has_same_class && address.offsets.fits_with(offset);
        fits.then_some(Fold { leader: leader_id, offset, stays })
    }
    /// Returns whether an instruction reads a register that only definitions of addresses read.
    /// That register's definition may then go as well.
    fn reads_only_for_addresses(&self, facts: &SsaFacts, def: InstrId) -> bool {
        let mut read = facts.operands_of(def)[1..].iter().filter_map(|o| o.vreg());
        read.any(|reg| facts.num_reads[reg] == self.num_address_reads[reg])
    }

    /// Folds the chosen addresses. Registers that may have lost all readers are added to `unread`.
    pub fn replace<M: MachineInfo>(
        &self,
        facts: &SsaFacts,
        draft: &mut Draft<'_, M>,
        unread: &mut Vec<VRegId>,
    ) {
        for access in &self.accesses {
            let Some(fold) = self.addresses[access.address].fold.filter(|fold| !fold.stays) else { continue };
            let opcode = match access.has_offset {
                true => NewOpcode::Same,
                false => NewOpcode::Counterpart(Counterpart::WithOffset),
            };
            let reg = self.addresses[fold.leader].reg;
            draft.set_address(access.instr, access.operand, opcode, reg, access.offset + fold.offset);
        }
        for address in &self.addresses {
            let Some(fold) = address.fold else { continue };
            if fold.stays {
                unread.extend(virtual_reads(facts.operands_of(address.def)));
                let opcode = NewOpcode::Counterpart(Counterpart::WithConstant);
                let leader = self.addresses[fold.leader].reg;
                draft.set_with_constant(address.def, opcode, leader, fold.offset);
            } else {
                unread.push(address.reg);
            }
        }
    }
}

/// Returns whether an access is a store to memory that has cache lines and sectors.
fn is_store_with_sectors<D: Defs, M: MachineInfo>(
    function: &Function<'_, D, M>,
    instr: InstrId,
    access: InstrAddress,
) -> bool {
    let is_store = access.place.space == SpaceSource::LoadOrStore
        && function.facts.operands_of(instr).first().is_some_and(|operand| !operand.is_def());
    let on_chip = [AddressSpace::Shared, AddressSpace::Local].map(Some);
    is_store && !on_chip.contains(&function.machine.memory_space(instr))
}

/// Gives each group that inline assembly reads a leader of its own, if two neighbouring groups are
/// far apart in memory. With one register for both, `ptxas` mixes their accesses: a cache line is
/// written in parts, with other lines in between. The addresses are sorted by their distances.
fn separate_far_groups(
    addresses: &mut IndexVec<AddressId, Address>,
    distances: &[(i64, AddressId)],
    facts: &SsaFacts,
    num_groups: &mut u32,
) {
    let in_asm: Vec<_> =
        distances.iter().copied().filter(|&(_, member)| addresses[member].is_in_asm).collect();
    let num_reads = |group: &[(i64, AddressId)]| -> u32 {
        group.iter().map(|&(_, member)| facts.num_reads[addresses[member].reg]).sum()
    };
    let groups = in_asm.chunk_by(|a, b| b.0.saturating_sub(a.0) < NEIGHBOURS);
    let large: Vec<&[(i64, AddressId)]> = groups.filter(|group| num_reads(group) >= LEAST_READS).collect();
    let is_far =
        |pair: &[&[(i64, AddressId)]]| pair[1][0].0.saturating_sub(pair[0][pair[0].len() - 1].0) >= FAR;
    if large.windows(2).any(is_far) {
        for group in large {
            *num_groups += 1;
            group.iter().for_each(|&(_, member)| addresses[member].group = *num_groups);
        }
    }
}

/// Gives rows of stores two leaders, by turns. A row fills a piece of memory in ascending order, with
/// an address for each store. On one register, `ptxas` stores in the order in which it has the
/// values, and memory takes longer for a sector that is written downwards. It does not exchange
/// stores on different registers, so two that alternate keep the order. All rows have the same two:
/// two for each would cost more registers than one for each store saves. The addresses are sorted by
/// their distances.
fn separate_rows(
    addresses: &mut IndexVec<AddressId, Address>,
    distances: &[(i64, AddressId)],
    facts: &SsaFacts,
    num_groups: &mut u32,
) {
    let store = |addresses: &IndexVec<AddressId, Address>, member: AddressId| {
        let Address { only_store, offsets, is_in_asm, .. } = addresses[member];
        only_store.filter(|_| !is_in_asm && offsets.min == 0)
    };
    let is_next = |a: &(i64, AddressId), b: &(i64, AddressId)| {
        let stores = store(addresses, a.1).zip(store(addresses, b.1));
        let is_in_order = |(a, b)| facts.block_of_instr(a) == facts.block_of_instr(b) && a < b;
        (1..NEIGHBOURS).contains(&b.0.saturating_sub(a.0)) && stores.is_some_and(is_in_order)
    };
    let rows = distances.chunk_by(is_next).filter(|row| row.len() >= LEAST_ROW);
    let in_rows: Vec<AddressId> = rows.flatten().map(|&(_, member)| member).collect();
    for (position, member) in in_rows.into_iter().enumerate() {
        addresses[member].group = *num_groups + 1 + (position % 2) as u32;
    }
    *num_groups += 2;
}
