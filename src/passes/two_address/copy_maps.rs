//! Which physical register a virtual one is likely to be coalesced with (row T5).
//!
//! What is entered in [`CopyMaps`](crate::passes::copy_maps::CopyMaps): the source and the destination of copies, in
//! chains that go through copies and two-address uses ([`Walk::scan_uses`]). They are followed to a
//! physical register when commuting is weighed. In the `cicc` profile the registers of a chain are handed to
//! the coalescer too ([`crate::passes::affinity`]).

use super::{two_address_use, Walk};
use crate::llvm::{InstrFacts, MachineInstr};
use crate::mir::{Kind, Register};
use crate::versions::VERSIONS;
use rustc_hash::FxHashSet;

/// The copies of a block that have been seen, by address.
///
/// The walk comes to each once, so that it only has to write them down, unless something is out of
/// order: a chain has been followed ahead of the walk, or an instruction was moved. From then on, in
/// that block, it is a set.
#[derive(Default)]
pub(super) struct SeenCopies {
    log: Vec<usize>,
    set: FxHashSet<usize>,
    out_of_order: bool,
}

impl SeenCopies {
    /// For the next block, at the cost of what it held.
    pub(super) fn clear(&mut self) {
        self.log.clear();
        self.out_of_order = false;
        let (len, capacity) = (self.set.len(), self.set.capacity());
        self.set.clear();
        if capacity > 64 && len * 8 < capacity {
            self.set.shrink_to(len * 2);
        }
    }
    /// The walk may come to an instruction again.
    pub(super) fn set_out_of_order(&mut self) {
        self.out_of_order = true;
    }
    /// Enters a copy that the walk has come to; whether it is new.
    fn visit(&mut self, mi: MachineInstr) -> bool {
        if self.out_of_order {
            return self.insert(mi);
        }
        self.log.push(mi.key());
        true
    }
    /// Enters a copy ahead of the walk; whether it is new.
    fn insert(&mut self, mi: MachineInstr) -> bool {
        self.out_of_order = true;
        if !self.log.is_empty() {
            self.set.extend(self.log.drain(..));
        }
        self.set.insert(mi.key())
    }
}

/// The next link of a chain: where the only interesting use of a register leads to.
struct Link<'f> {
    instr: MachineInstr<'f>,
    is_copy: bool,
    dst: Register,
}

impl<'f> Walk<'_, 'f> {
    /// Enters a copy into the maps, once.
    pub(super) fn process_copy(&mut self, mi: MachineInstr<'f>, facts: InstrFacts<'f>) {
        // As in LLVM it counts as seen only once its chain has been followed; but the chain begins
        // behind it and does not lead back.
        if !self.b.seen_copies.visit(mi) || !(facts.reads_physical() || facts.clobbers_physical()) {
            return;
        }
        let Some((dst, src)) = mi.copied_registers() else { return };
        match (dst.is_physical(), src.is_physical()) {
            (true, false) => self.b.maps.dst.insert(src, dst),
            (false, true) => {
                self.b.maps.src.insert(dst, src);
                self.scan_uses(dst);
            }
            _ => {}
        }
    }

    /// Follows `reg` from last use to last use within the block, entering each link, to where it is
    /// copied to a physical register.
    pub(super) fn scan_uses(&mut self, first: Register) {
        // A chain is followed once per copy or two-address instruction and is short.
        let mut chain: Vec<Register> = Vec::new();
        let mut reg = first;
        // As in LLVM, a chain that has gone through a copy counts as copies from there on.
        let mut is_copy = false;
        while let Some(link) = self.find_only_interesting_use(reg) {
            is_copy |= link.is_copy;
            if is_copy && !self.b.seen_copies.insert(link.instr) {
                break;
            }
            if self.b.distance.get(link.instr.key()).is_some() {
                // Earlier in the block: reached around a loop.
                break;
            }
            chain.push(link.dst);
            if link.dst.is_physical() {
                break;
            }
            self.b.maps.set_source(link.dst, reg);
            reg = link.dst;
        }
        self.b.maps.set_destinations(first, &mut chain);
    }

    /// If all uses of `reg` are in this block, where its last one leads to: a copy's or a tied
    /// destination.
    fn find_only_interesting_use(&mut self, reg: Register) -> Option<Link<'f>> {
        let mut last = None;
        for o in self.mf.reg_operands(reg) {
            if o.operand.is_def() || o.operand.is_debug() {
                continue;
            }
            if VERSIONS.two_address.ignores_undef_uses && o.operand.is_undef() {
                continue;
            }
            if o.instr.block() != self.block {
                return None;
            }
            if self.is_plainly_killed(o.instr, reg) {
                last = Some(o);
            }
        }
        let last = last?;
        let instr = last.instr;
        if let Some((dst, _)) = instr.copied_registers() {
            return Some(Link { instr, is_copy: true, dst });
        }
        let operands = &mut self.b.operands;
        if let Some(dst) = two_address_use(instr, reg, operands) {
            return Some(Link { instr, is_copy: false, dst });
        }
        if instr.properties().is_commutable() {
            let other = instr.operand(instr.commutes_with(last.index)?);
            if other.is_use() {
                let dst = two_address_use(instr, other.reg(), operands)?;
                return Some(Link { instr, is_copy: false, dst });
            }
        }
        None
    }

    /// `mi` was visited: what it writes to physical registers ends the mappings to them.
    pub(super) fn forget_clobbered(&mut self, mi: MachineInstr<'f>, facts: InstrFacts<'f>) {
        if !facts.clobbers_physical() || !self.b.maps.src.has_physical() {
            return;
        }
        if facts.is_copy() {
            // A copy back to the mapped register does not change what is in it.
            let dst = mi.operand(0).reg();
            let mapped = self.b.maps.src.mapped_physical(mi.operand(1).reg());
            if !dst.is_physical() || (mapped.is_valid() && self.mf.regs_overlap(dst, mapped)) {
                return;
            }
        }
        for index in 0..facts.num_operands.min(mi.num_operands()) {
            let op = mi.operand(index);
            match op.kind() {
                Kind::RegMask => self.b.maps.src.remove_physical_if(|r| mi.regmask_clobbers(index, r)),
                Kind::Reg if op.is_def() && op.reg().is_physical() => {
                    let mf = self.mf;
                    self.b.maps.src.remove_physical_if(|r| mf.regs_overlap(r, op.reg()));
                }
                _ => {}
            }
        }
    }
}
