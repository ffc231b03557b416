//! Lowers one PHI to copies.

use super::host::{PhiElimHost, PhiId, SharedRegisters};
use super::insert_point::PhiBlock;
use super::uses::{BlockPhis, PhiUses, Use};
use super::walk::{Pred, Walk};
use crate::adt::PackedOption;
use crate::mir::{BlockNumber, InstrKind, LiveIn, Operand, Register};
use crate::passes::function::{BlockHandle, InstrHandle, IntervalsHandle, VariablesHandle};
use crate::versions::VERSIONS;

/// The register that the values of a PHI meet in.
#[derive(Clone, Copy)]
struct Incoming {
    /// `None` if all values are undefined.
    reg: Option<Register>,
    /// An earlier PHI made it, and the copies to it.
    is_reused: bool,
}

impl Incoming {
    /// Returns the register if this PHI has to copy to it.
    fn to_copy_to(self) -> Option<Register> {
        self.reg.filter(|_| !self.is_reused)
    }
}

impl<H: PhiElimHost, S: SharedRegisters> Walk<'_, H, S> {
    /// Lowers the PHIs of a block.
    pub(super) fn lower_phis(&mut self, of_block: BlockPhis, uses: &mut PhiUses) {
        let block = self.host.block_numbered(of_block.block);
        // The last of the PHIs and labels. Each copy goes right after it, so the copies end up in
        // reverse order.
        let last = match self.host.skip_phis_and_labels(block, block.first()) {
            Some(mi) => mi.prev(),
            None => block.last(),
        };
        let last = last.expect("the block begins with a PHI");
        let all_critical =
            || block.num_predecessors() >= 2 && block.predecessors().all(|p| p.num_successors() >= 2);
        let may_share = self.options.differences.shares_over_any_edge || all_critical();
        let target = PhiBlock::new(self.host, block);
        for phi in of_block.phis() {
            self.lower_phi(target, phi, uses, last, may_share);
        }
    }

    fn lower_phi(
        &mut self,
        target: PhiBlock<H>,
        index: PhiId,
        uses: &mut PhiUses,
        last: H::Instr,
        may_share: bool,
    ) {
        self.counts.phis += 1;
        let (host, block) = (self.host, target.block);
        let after_phis = last.next();
        let phi = block.first().expect("the PHIs are ahead of everything else");
        host.remove_from_block(phi);
        let (def, reads) = (uses.dst(index), uses.uses(index));
        let dst = def.reg();
        let (incoming, copy) = self.insert_definition((block, after_phis), phi, index, uses, may_share);
        if let Some(number) = host.debug_number(phi) {
            host.add_debug_phi(number, block, incoming.reg.unwrap_or(Register::NONE));
        }
        // Starts at `last`, past the remaining PHIs and labels. If this PHI is `last`, it is no
        // longer in the block.
        let first_after =
            || host.skip_phis_and_labels(block, if phi == last { block.first() } else { last.next() });
        self.update_variables(block, phi, (def, reads), incoming, copy, first_after);
        if let Some(copy) =
            copy.filter(|_| self.lis.is_some() && VERSIONS.phi_elim.flags_dead_copies && def.is_dead())
        {
            host.set_def_dead(copy);
        }
        if let Some(copy) = copy {
            self.insert_slot(copy);
        }
        if let (Some(lis), Some(copy)) = (self.lis, copy) {
            if let Some(reg) = incoming.reg {
                lis.add_incoming(reg, block, copy);
            }
            lis.phi_def_to_copy(dst, block, copy);
        }

        uses.set_lowered(index);
        for &read in uses.uses(index).iter().rev() {
            // An edge may have several operands, all with the same value.
            let this = PackedOption::from(index);
            let last = std::mem::replace(&mut self.buffers.copied_for[read.pred], this);
            if last != this {
                self.lower_source(target, phi, read, uses, incoming);
            }
        }
        self.remove_slot(phi);
        host.delete(phi);
    }

    /// Defines the result of PHI `index`, which was `phi`, by an IMPLICIT_DEF or a copy of the
    /// incoming register. Inserts nothing if that register is the result.
    fn insert_definition(
        &mut self,
        (block, before): (H::Block, Option<H::Instr>),
        phi: H::Instr,
        index: PhiId,
        uses: &PhiUses,
        may_share: bool,
    ) -> (Incoming, Option<H::Instr>) {
        let host = self.host;
        let (dst, reads) = (uses.dst(index).reg(), uses.uses(index));
        if let Some(reg) = self.shared.incoming(index) {
            let copy = (dst != reg).then(|| host.insert_destination_copy(block, before, phi, reg, dst));
            return (Incoming { reg: Some(reg), is_reused: false }, copy);
        }
        if reads.iter().all(|u| u.source.is_undef() || self.is_undefined(u.source.reg())) {
            self.counts.undefined += 1;
            let def = host.insert_implicit_def(block, before, phi, dst);
            return (Incoming { reg: None, is_reused: false }, Some(def));
        }
        let new = || host.new_reg_like(dst);
        let (reg, is_reused) = match may_share {
            true => self.buffers.lowered.incoming(reads, new),
            false => (new(), false),
        };
        self.counts.reused += u64::from(is_reused);
        let copy = host.insert_destination_copy(block, before, phi, reg, dst);
        (Incoming { reg: Some(reg), is_reused }, Some(copy))
    }

    /// Updates LiveVariables for `copy`, which replaces `phi`. `copy` is `None` if the result is in
    /// the incoming register.
    fn update_variables(
        &mut self,
        block: H::Block,
        phi: H::Instr,
        (def, reads): (Operand, &[Use]),
        incoming: Incoming,
        copy: Option<H::Instr>,
        first_after: impl Fn() -> Option<H::Instr>,
    ) {
        let Some(lv) = self.lv else { return };
        if let (Some(reg), Some(copy)) = (incoming.reg, copy) {
            // The copy kills an incoming register of its own. Copies of a reused one in this block
            // are in reverse order: the first to be inserted is the last in the block. But a target
            // may have put it elsewhere.
            let old = if incoming.is_reused { lv.find_kill(reg, block) } else { None };
            let is_after_old = old.is_some_and(|old| {
                let mut after = std::iter::successors(first_after(), |mi| mi.next());
                after.find(|&mi| mi == copy || mi == old) == Some(old)
            });
            if let Some(old) = old.filter(|_| is_after_old) {
                lv.remove_killed(reg, old);
            }
            if old.is_none() || is_after_old {
                lv.add_killed(reg, copy);
            }
        }
        for read in reads.iter().filter(|read| read.source.is_kill()) {
            lv.remove_kill(read.source.reg(), phi);
        }
        if let Some(copy) = copy.filter(|_| def.is_dead()) {
            lv.add_dead(def.reg(), copy);
            lv.remove_dead(def.reg(), phi);
        }
    }

    /// Copies the value that the PHI reads from a predecessor, and ends its register there if
    /// nothing else reads it.
    fn lower_source(
        &mut self,
        target: PhiBlock<H>,
        phi: H::Instr,
        read: Use,
        uses: &PhiUses,
        incoming: Incoming,
    ) {
        let (host, src, from) = (self.host, read.source.reg(), self.pred(read.pred));
        if self.is_in_place(incoming, read) {
            return;
        }
        let pred = from.block;
        let is_shared = self.is_shared(src);
        let def = if is_shared { None } else { host.only_def(src) };
        let may_be_undefined = !is_shared && def.is_none_or(|def| def.is_implicit_def);
        let undefined = read.source.is_undef() || may_be_undefined && self.is_undefined(src);
        if let Some(def) = def.filter(|def| def.is_unspillable_terminator) {
            // No copy can come after it, and nothing else reads it: it writes the incoming register
            // itself.
            let reg = incoming.reg.expect("a terminator defines a value");
            def.instr.set_reg(0, reg);
            if let Some(lv) = self.lv {
                lv.move_alive(reg, src);
            }
            return;
        }
        let before = self.insert_point(from, target, src);
        let new = incoming.to_copy_to().map(|reg| {
            if undefined {
                self.counts.implicit_defs += 1;
                if let Some(def) = def.filter(|def| def.is_implicit_def) {
                    if self.implicit_def_keys.insert(def.instr.key()) {
                        self.implicit_defs.push(def.instr);
                    }
                }
                host.insert_implicit_def(pred, before, phi, reg)
            } else {
                self.counts.copies += 1;
                host.insert_source_copy(pred, before, read.source, reg)
            }
        });
        if let Some(lv) = self.lv {
            let ends = !undefined && !uses.is_read_again(read) && !uses.is_live_out(read);
            if let Some(reader) = ends.then(|| last_reader::<H>(pred, before, src, new)).flatten() {
                lv.end_at(src, reader, read.pred);
            }
            let recomputes =
                undefined && def.is_some() && self.options.differences.recomputes_undefined_sources;
            if recomputes && !uses.is_read_again(read) && !lv.is_live_out(src, pred) {
                lv.recompute(src);
            }
        }
        if let Some(new) = new {
            self.insert_slot(new);
        }
        if let Some(lis) = self.lis {
            if let (Some(new), Some(reg)) = (new, incoming.reg) {
                lis.live_to_end(reg, new);
            }
            let ends = !undefined
                && !uses.is_read_again(read)
                && !pred.successors().any(|s| lis.live_in(src, s) == LiveIn::Yes);
            let new = new.and_then(|_| prev_or_last::<H>(pred, before));
            if let Some(reader) = ends.then(|| last_reader::<H>(pred, before, src, new)).flatten() {
                lis.end_at(src, reader, pred);
            }
        }
    }

    /// Tells whether the value is in the incoming register already, because both are of one
    /// congruence class.
    fn is_in_place(&self, incoming: Incoming, read: Use) -> bool {
        incoming.reg == Some(read.source.reg()) && !read.source.is_undef()
    }

    fn pred(&mut self, number: BlockNumber) -> Pred<H> {
        let known = &mut self.preds[number];
        *known.get_or_insert_with(|| Pred::new(self.host, self.host.block_numbered(number)))
    }

    /// Tells whether nothing but IMPLICIT_DEFs defines `reg`. A register that the preceding stage
    /// made always counts as defined.
    fn is_undefined(&self, reg: Register) -> bool {
        !self.is_shared(reg)
            && self.host.only_def(reg).is_none_or(|def| def.is_implicit_def)
            && self.host.defs(reg).all(|def| def.kind() == InstrKind::ImplicitDef)
    }

    /// Tells whether the preceding stage made a register. It may have several defs, so `only_def`
    /// must not be called for it.
    fn is_shared(&self, reg: Register) -> bool {
        self.shared.live_in(reg).is_some()
    }
}

/// Finds the instruction before `before`, where `None` is the end of `block`.
fn prev_or_last<H: PhiElimHost>(block: H::Block, before: Option<H::Instr>) -> Option<H::Instr> {
    before.map_or_else(|| block.last(), InstrHandle::prev)
}

/// Finds the last instruction of `block` that reads `src`, which is not live out. That is a
/// terminator, or the `new` copy before `before`, or without one an instruction further up.
///
/// There may be no reader: an earlier PHI, alike except for an undef flag, may have put an
/// IMPLICIT_DEF there instead of a copy. Only `upstream` lets that happen (see [`super::lowered`]).
/// Stock then takes the first instruction of the block for the last reader.
fn last_reader<H: PhiElimHost>(
    block: H::Block,
    before: Option<H::Instr>,
    src: Register,
    new: Option<H::Instr>,
) -> Option<H::Instr> {
    let terminators = std::iter::successors(before, |mi| mi.next());
    if let Some(mi) = terminators.filter(|mi| mi.reads_register(src)).last().or(new) {
        return Some(mi);
    }
    let mut up = std::iter::successors(prev_or_last::<H>(block, before), |mi| mi.prev());
    let is_code = |mi: &H::Instr| mi.kind() != InstrKind::Debug;
    up.find(|mi| is_code(mi) && mi.reads_register(src)).or_else(|| block.first().filter(is_code))
}
