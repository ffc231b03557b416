//! Moves an instruction so that its tied source dies in it (requirement T2).
//!
//! `A = op B(tied)` needs a copy because B is read once more below. If that last reader and the
//! instruction can change places, B ends at the instruction and A can take its register. Only plain
//! instructions move, past at most 11 others, and no move may make another register live longer.

use super::host::TwoAddressHost;
use super::moved_registers::MovedRegisters;
use super::walk::{two_address_use, Cursor, Walk};
use crate::mir::{InstrKind, Operand, Register};
use crate::passes::function::{InstrHandle, IntervalsHandle, VariablesHandle};

/// An attempt fails at the next instruction once it has passed more than this many. Debug
/// instructions do not count.
const MAX_VISITED: u32 = 10;

fn overlaps<H: TwoAddressHost>(host: H, set: &[Register], reg: Register) -> bool {
    set.iter().any(|&r| host.regs_overlap(r, reg))
}

/// The register operands that name a register.
fn named(operands: &[Operand]) -> impl Iterator<Item = &Operand> {
    operands.iter().filter(|op| op.is_reg() && op.reg().is_valid())
}

fn skip_debug<H: TwoAddressHost>(host: H, mut position: Option<H::Instr>) -> Option<H::Instr> {
    while let Some(mi) = position.filter(|&mi| host.properties(mi).is_debug_or_pseudo) {
        position = mi.next();
    }
    position
}

/// The first of the debug instructions directly before `mi`, which move with it; `mi` if there are
/// none.
fn with_debug_before<H: TwoAddressHost>(mi: H::Instr) -> H::Instr {
    let mut first = mi;
    while let Some(prev) = first.prev().filter(|&prev| prev.kind() == InstrKind::Debug) {
        first = prev;
    }
    first
}

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Moves `at.mi` below the last reader of `reg`, its tied source. Not below a copy, which may
    /// be coalesced.
    pub(super) fn reschedule_below_kill(&mut self, at: &mut Cursor<H::Instr>, reg: Register) -> bool {
        match self.last_reader(at.mi, reg) {
            Some(kill) if !kill.kind().is_copy_like() => {
                self.change_places(at, |walk, at, s| walk.move_below_kill(at, reg, kill, s))
            }
            _ => false,
        }
    }

    /// Moves the last reader of `reg` above `at.mi`, whose tied source `reg` is. As a rule a copy
    /// stays, as it may be coalesced.
    pub(super) fn reschedule_kill_above(&mut self, at: &mut Cursor<H::Instr>, reg: Register) -> bool {
        match self.last_reader(at.mi, reg) {
            Some(kill) if !kill.kind().is_copy_like() || self.is_copy_above_load(kill, at.mi, reg) => {
                self.change_places(at, |walk, at, s| walk.move_kill_above(at, reg, kill, s))
            }
            _ => false,
        }
    }

    fn change_places(
        &mut self,
        at: &mut Cursor<H::Instr>,
        attempt: impl FnOnce(&mut Self, &mut Cursor<H::Instr>, &mut MovedRegisters) -> Option<()>,
    ) -> bool {
        let mut registers = std::mem::take(&mut self.b.moved);
        let moved = attempt(self, at, &mut registers).is_some();
        self.b.moved = registers;
        if moved {
            self.b.seen_copies.set_out_of_order();
        }
        moved
    }

    /// The last reader of `reg` in this block, if it is not `mi`.
    fn last_reader(&mut self, mi: H::Instr, reg: Register) -> Option<H::Instr> {
        let kill = self.find_kill(reg).filter(|&kill| kill != mi)?;
        // An instruction without a distance was made by unfolding a load.
        self.b.distance.get(mi.key()).map(|_| kill)
    }

    /// Whether `copy` copies `reg` to a physical register and `mi` loads: then moving `copy` above
    /// `mi` lets the load stay folded.
    fn is_copy_above_load(&self, copy: H::Instr, mi: H::Instr, reg: Register) -> bool {
        self.options.differences.moves_copies_above_loads
            && self.host.properties(mi).may_load
            && self
                .host
                .copied_registers(copy)
                .is_some_and(|(dst, src)| src == reg && src.is_virtual() && dst.is_physical())
    }

    fn move_below_kill(
        &mut self,
        at: &mut Cursor<H::Instr>,
        reg: Register,
        kill: H::Instr,
        s: &mut MovedRegisters,
    ) -> Option<()> {
        let (host, mi) = (self.host, at.mi);
        if host.properties(kill).is_barrier
            || two_address_use(host, kill, reg, &mut s.operands).is_some()
            || !host.is_safe_to_move(mi)
            || host.latency(mi) > 1
        {
            return None;
        }
        self.read_downward_mover(mi, reg, s);
        let end = self.skip_copies_of_results(mi, s);
        let below_kill = kill.next();
        let mut visited = 0;
        let mut position = end;
        while position != below_kill {
            let other = position?;
            position = other.next();
            let properties = host.properties(other);
            if properties.is_debug_or_pseudo {
                continue;
            }
            if visited > MAX_VISITED || properties.is_barrier || !self.can_move_below(other, reg, s) {
                return None;
            }
            visited += 1;
        }
        at.next = end;
        self.splice_below(mi, end, below_kill);
        self.b.distance.erase(mi.key());
        self.move_kill(reg, kill, mi, mi);
        Some(())
    }

    /// Reads the registers of `mi`, the one to move down.
    fn read_downward_mover(&self, mi: H::Instr, reg: Register, s: &mut MovedRegisters) {
        s.clear();
        mi.read_operands(&mut s.operands);
        for op in named(&s.operands) {
            if op.is_def() {
                s.defs.push(op.reg());
            } else {
                s.uses.push(op.reg());
                if op.reg() != reg && self.use_is_killed(mi, *op) {
                    s.kills.push(op.reg());
                }
            }
        }
    }

    /// The first instruction after `mi` that does not move down with it. Copies of its results that
    /// follow directly do.
    fn skip_copies_of_results(&self, mi: H::Instr, s: &mut MovedRegisters) -> Option<H::Instr> {
        let host = self.host;
        let mut end = mi.next();
        while end.is_some() {
            end = skip_debug(host, end);
            match end {
                Some(copy)
                    if copy.kind() == InstrKind::Copy && overlaps(host, &s.defs, copy.operand(1).reg()) =>
                {
                    s.defs.push(copy.operand(0).reg());
                    end = copy.next();
                }
                _ => break,
            }
        }
        end
    }

    /// Whether the moving instructions, which read `reg`, can move below `other`.
    fn can_move_below(&self, other: H::Instr, reg: Register, s: &mut MovedRegisters) -> bool {
        let host = self.host;
        other.read_operands(&mut s.operands);
        for op in named(&s.operands) {
            let r = op.reg();
            if op.is_def() {
                if overlaps(host, &s.uses, r) || (!op.is_dead() && overlaps(host, &s.defs, r)) {
                    return false;
                }
                continue;
            }
            if overlaps(host, &s.defs, r) {
                return false;
            }
            let killed = self.use_is_killed(other, *op);
            if r == reg && !killed {
                return false;
            }
            if r != reg && ((killed && overlaps(host, &s.uses, r)) || overlaps(host, &s.kills, r)) {
                return false;
            }
        }
        true
    }

    /// Moves `mi`, the debug instructions before it, and the copies up to `end` to before
    /// `below_kill`.
    fn splice_below(&mut self, mi: H::Instr, end: Option<H::Instr>, below_kill: Option<H::Instr>) {
        let host = self.host;
        let first = with_debug_before::<H>(mi);
        let mut insert_at = below_kill;
        let mut last = end;
        if let Some(lis) = self.lis {
            // One by one, so that the block is well-formed whenever LiveIntervals looks.
            let mut position = mi.next();
            while position != end {
                let Some(copy) = position else { break };
                position = copy.next();
                host.splice(self.block, insert_at, copy, position);
                if !host.properties(copy).is_debug_or_pseudo {
                    lis.handle_move(copy);
                }
                insert_at = Some(copy);
            }
            last = mi.next();
        }
        host.splice(self.block, insert_at, first, last);
    }

    fn move_kill_above(
        &mut self,
        at: &mut Cursor<H::Instr>,
        reg: Register,
        kill: H::Instr,
        s: &mut MovedRegisters,
    ) -> Option<()> {
        let (host, mi) = (self.host, at.mi);
        let distance = self.b.distance.get(mi.key())?;
        if two_address_use(host, kill, reg, &mut s.operands).is_some() || !host.is_safe_to_move(kill) {
            return None;
        }
        self.read_upward_mover(kill, reg, (mi, distance), s)?;
        let mut visited = 0;
        let mut position = Some(mi);
        while position != Some(kill) {
            let other = position?;
            position = other.next();
            let properties = host.properties(other);
            if properties.is_debug_or_pseudo {
                continue;
            }
            if visited > MAX_VISITED
                || properties.is_barrier
                || !self.can_move_above(other, other == mi, reg, s)
            {
                return None;
            }
            visited += 1;
        }
        let insert_at = with_debug_before::<H>(mi);
        let first = with_debug_before::<H>(kill);
        host.splice(self.block, Some(insert_at), first, kill.next());
        // The walk visits the moved instructions first, then this one again.
        at.next = insert_at.prev();
        self.b.distance.erase(mi.key());
        self.move_kill(reg, kill, mi, kill);
        Some(())
    }

    /// Reads the registers of `kill`, which is to move above `mi`, at `distance`. `None` if `kill`
    /// would have to wait for an operand there, or if it does not end `reg`.
    fn read_upward_mover(
        &mut self,
        kill: H::Instr,
        reg: Register,
        (mi, distance): (H::Instr, u32),
        s: &mut MovedRegisters,
    ) -> Option<()> {
        s.clear();
        kill.read_operands(&mut s.operands);
        for op in named(&s.operands) {
            let r = op.reg();
            if op.is_use() {
                if self.is_def_too_close(r, distance, mi) {
                    return None;
                }
                let killed = self.use_is_killed(kill, *op);
                if r == reg && !killed {
                    return None;
                }
                s.uses.push(r);
                if killed && r != reg {
                    s.kills.push(r);
                }
            } else if r.is_physical() {
                s.defs.push(r);
                if !op.is_dead() {
                    s.live_defs.push(r);
                }
            }
        }
        Some(())
    }

    /// Whether the moving instruction, which ends `reg`, can move above `other`; `is_user`: `other`
    /// is the instruction whose tied source `reg` is.
    fn can_move_above(&self, other: H::Instr, is_user: bool, reg: Register, s: &mut MovedRegisters) -> bool {
        let host = self.host;
        s.passed_defs.clear();
        other.read_operands(&mut s.operands);
        for op in named(&s.operands) {
            let r = op.reg();
            if op.is_def() {
                s.passed_defs.push(r);
            } else if overlaps(host, &s.defs, r)
                || overlaps(host, &s.kills, r)
                || (!is_user && r == reg && !self.use_is_killed(other, *op))
            {
                return false;
            }
        }
        for &r in &s.passed_defs {
            if overlaps(host, &s.uses, r) || (r.is_physical() && overlaps(host, &s.live_defs, r)) {
                return false;
            }
            s.defs.retain(|&d| d != r);
        }
        true
    }

    /// Makes `reg` die at `to` instead of `from`. `moved` is the one of the two that has moved.
    fn move_kill(&self, reg: Register, from: H::Instr, to: H::Instr, moved: H::Instr) {
        if let Some(lis) = self.lis {
            lis.handle_move(moved);
        } else if let Some(lv) = self.lv {
            lv.remove_killed(reg, from);
            lv.add_killed(reg, to);
        }
    }

    /// Whether a def of `reg` is so close above `mi`, at `distance`, that a reader there would have
    /// to wait for it; or is `mi` itself or below it.
    fn is_def_too_close(&mut self, reg: Register, distance: u32, mi: H::Instr) -> bool {
        let host = self.host;
        for def in host.defs(reg) {
            if def.block() != self.block || def.kind().is_copy_like() {
                continue;
            }
            if def == mi {
                return true;
            }
            match self.b.distance.get(def.key()) {
                None => return true,
                // Wraps as in LLVM for a def with a greater distance than `mi`.
                Some(def_distance) if host.latency(def) > distance.wrapping_sub(def_distance) => return true,
                Some(_) => {}
            }
        }
        false
    }
}
