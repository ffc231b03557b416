//! Tracks which physical register a virtual one is likely to be coalesced with (requirement T5).
//!
//! [`CopyMaps`](crate::passes::copy_maps::CopyMaps) hold the source and the destination of copies.
//! Chains go through copies and two-address uses ([`Walk::scan_uses`]). The commute heuristic
//! follows them to a physical register. In the default profile the coalescer gets the registers of
//! a chain too ([`crate::passes::affinity`]).

use super::host::{InstrFacts, TwoAddressHost};
use super::walk::{two_address_use, Walk};
use crate::mir::{InstrKind, Kind, Register};
use crate::passes::function::InstrHandle;

/// The next link of a chain: the register that the last use of the previous one leads to.
struct Link<I> {
    instr: I,
    is_copy: bool,
    dst: Register,
}

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Enters a copy into the maps, once.
    pub(super) fn process_copy(&mut self, mi: H::Instr, facts: InstrFacts<H::Instr>) {
        // LLVM marks a copy as seen only after it has followed its chain. That makes no difference:
        // the chain begins after the copy and does not lead back.
        if !self.b.seen_copies.visit(mi.key()) || !(facts.reads_physical || facts.clobbers_physical) {
            return;
        }
        let Some((dst, src)) = self.host.copied_registers(mi) else { return };
        match (dst.is_physical(), src.is_physical()) {
            (true, false) => self.b.maps.dst.insert(src, dst),
            (false, true) => {
                self.b.maps.src.insert(dst, src);
                self.scan_uses(dst);
            }
            _ => {}
        }
    }

    /// Follows `first` from last use to last use within the block, to where it is copied to a
    /// physical register, and enters each link. A chain stops where an earlier one was followed,
    /// unless instructions or links have changed since.
    pub(super) fn scan_uses(&mut self, first: Register) {
        let mut chain = std::mem::take(&mut self.b.chain);
        let mut reg = first;
        // As in LLVM, all links after a copy count as copies.
        let mut is_copy = false;
        loop {
            if !is_copy {
                if self.b.followed.get(reg).is_some() {
                    break;
                }
                self.b.followed.set(reg, reg);
            }
            let Some(link) = self.find_only_interesting_use(reg) else { break };
            is_copy |= link.is_copy;
            if is_copy && !self.b.seen_copies.insert(link.instr.key()) {
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
            let joins = self.b.maps.src.get(link.dst).is_some_and(|source| source != reg);
            self.b.maps.set_source(link.dst, reg);
            if joins {
                // Following the earlier chain once more would restore its link.
                self.forget_followed();
            }
            reg = link.dst;
        }
        self.b.maps.set_destinations(first, &mut chain);
        self.b.chain = chain;
    }

    /// Forgets which chains were followed, so that they are followed to their ends again. Needed
    /// when instructions ahead or links were changed.
    pub(super) fn forget_followed(&mut self) {
        self.b.followed.reset(self.host.num_virt_regs());
    }

    /// The register that the last use of `reg` leads to: the destination of a copy or of a tied
    /// use. `None` if `reg` is used in other blocks.
    fn find_only_interesting_use(&mut self, reg: Register) -> Option<Link<H::Instr>> {
        let mut last = None;
        for o in self.host.reg_operands(reg) {
            if o.operand.is_def() || o.operand.is_debug() {
                continue;
            }
            if self.options.differences.ignores_undef_uses && o.operand.is_undef() {
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
        if let Some((dst, _)) = self.host.copied_registers(instr) {
            return Some(Link { instr, is_copy: true, dst });
        }
        let operands = &mut self.b.operands;
        if let Some(dst) = two_address_use(self.host, instr, reg, operands) {
            return Some(Link { instr, is_copy: false, dst });
        }
        if self.host.properties(instr).is_commutable {
            let other = instr.operand(self.host.commutes_with(instr, last.index)?);
            if other.is_use() {
                let dst = two_address_use(self.host, instr, other.reg(), operands)?;
                return Some(Link { instr, is_copy: false, dst });
            }
        }
        None
    }

    /// Ends the mappings to the physical registers that `mi`, which was visited, writes.
    pub(super) fn forget_clobbered(&mut self, mi: H::Instr, facts: InstrFacts<H::Instr>) {
        if !facts.clobbers_physical || !self.b.maps.src.has_physical() {
            return;
        }
        if facts.kind == InstrKind::Copy {
            // A copy back to the mapped register does not change what is in it.
            let dst = mi.operand(0).reg();
            let mapped = self.b.maps.src.mapped_physical(mi.operand(1).reg());
            if !dst.is_physical() || (mapped.is_valid() && self.host.regs_overlap(dst, mapped)) {
                return;
            }
        }
        self.forget_followed();
        let host = self.host;
        for index in 0..facts.num_operands.min(mi.num_operands()) {
            let op = mi.operand(index);
            match op.kind() {
                Kind::RegMask => self.b.maps.src.remove_physical_if(|r| host.regmask_clobbers(mi, index, r)),
                Kind::Reg if op.is_def() && op.reg().is_physical() => {
                    self.b.maps.src.remove_physical_if(|r| host.regs_overlap(r, op.reg()));
                }
                _ => {}
            }
        }
    }
}
