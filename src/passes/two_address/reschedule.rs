//! Moving an instruction so that its tied source dies in it (row T2).
//!
//! `A = op B(tied)` needs a copy because B is read once more below. If that last reader and the
//! instruction can change places, B ends at the instruction and A can take its register. Only plain
//! instructions move, over at most 11 others, and no other register may live longer for it.

use super::{two_address_use, Cursor, Walk};
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::{Operand, Register};

/// Registers of the instruction that moves, and of one that is passed; reused.
#[derive(Default)]
pub(super) struct Sets {
    uses: Vec<Register>,
    kills: Vec<Register>,
    defs: Vec<Register>,
    live_defs: Vec<Register>,
    passed_defs: Vec<Register>,
    operands: Vec<Operand>,
}

impl Sets {
    fn clear(&mut self) {
        self.uses.clear();
        self.kills.clear();
        self.defs.clear();
        self.live_defs.clear();
    }
}

/// How many instructions are looked at between the two, debug instructions not counted.
const MAX_VISITED: u32 = 10;

fn overlaps(mf: MachineFunction, set: &[Register], reg: Register) -> bool {
    set.iter().any(|&r| mf.regs_overlap(r, reg))
}

fn skip_debug<'f>(mut position: Option<MachineInstr<'f>>) -> Option<MachineInstr<'f>> {
    while let Some(mi) = position.filter(|mi| mi.properties().is_debug_or_pseudo()) {
        position = mi.next();
    }
    position
}

/// The first of the debug instructions directly in front of `mi`, which move with it; else `mi`.
fn with_debug_before<'f>(mi: MachineInstr<'f>) -> MachineInstr<'f> {
    let mut first = mi;
    while let Some(prev) = first.prev().filter(|p| p.facts().is_debug()) {
        first = prev;
    }
    first
}

impl<'f> Walk<'_, 'f> {
    /// Moves `at.mi` below the last reader of `reg`, its tied source.
    pub(super) fn reschedule_below_kill(&mut self, at: &mut Cursor<'f>, reg: Register) -> bool {
        self.move_by_kill(at, reg, Self::below_kill)
    }

    /// Moves the last reader of `reg` above `at.mi`, whose tied source it is.
    pub(super) fn reschedule_kill_above(&mut self, at: &mut Cursor<'f>, reg: Register) -> bool {
        self.move_by_kill(at, reg, Self::kill_above)
    }

    fn move_by_kill(
        &mut self,
        at: &mut Cursor<'f>,
        reg: Register,
        attempt: impl FnOnce(&mut Self, &mut Cursor<'f>, Register, MachineInstr<'f>, &mut Sets) -> Option<()>,
    ) -> bool {
        let Some(kill) = self.movable_kill(at.mi, reg) else { return false };
        let mut sets = std::mem::take(&mut self.b.sets);
        let moved = attempt(self, at, reg, kill, &mut sets).is_some();
        self.b.sets = sets;
        if moved {
            self.b.seen_copies.set_out_of_order();
        }
        moved
    }

    /// The last reader of `reg` in this block if it may change places with `mi`: not `mi` itself, no
    /// copy (it may be coalesced) and not tied to `reg` too.
    fn movable_kill(&mut self, mi: MachineInstr<'f>, reg: Register) -> Option<MachineInstr<'f>> {
        let kill = self.find_kill(reg).filter(|&kill| kill != mi && !kill.kind().is_copy_like())?;
        // Not numbered: made by an unfolded load.
        self.b.distance.get(mi.key()).map(|_| kill)
    }

    fn below_kill(
        &mut self,
        at: &mut Cursor<'f>,
        reg: Register,
        kill: MachineInstr<'f>,
        s: &mut Sets,
    ) -> Option<()> {
        let (mf, mi) = (self.mf, at.mi);
        if kill.properties().is_barrier()
            || two_address_use(kill, reg, &mut s.operands).is_some()
            || !mi.is_safe_to_move(self.run.aa)
            || mi.latency() > 1
        {
            return None;
        }
        s.clear();
        mi.read_operands(&mut s.operands);
        for op in s.operands.iter().filter(|op| op.is_reg() && op.reg().is_valid()) {
            if op.is_def() {
                s.defs.push(op.reg());
            } else {
                s.uses.push(op.reg());
                if op.reg() != reg && self.use_is_killed(mi, *op) {
                    s.kills.push(op.reg());
                }
            }
        }
        // Copies of its results that follow directly move down with it.
        let after = mi.next();
        let mut end = after;
        while end.is_some() {
            end = skip_debug(end);
            match end {
                Some(copy) if copy.facts().is_copy() && overlaps(mf, &s.defs, copy.operand(1).reg()) => {
                    s.defs.push(copy.operand(0).reg());
                    end = copy.next();
                }
                _ => break,
            }
        }

        let below_kill = kill.next();
        let mut visited = 0;
        let mut position = end;
        while position != below_kill {
            let other = position?;
            position = other.next();
            let properties = other.properties();
            if properties.is_debug_or_pseudo() {
                continue;
            }
            if visited > MAX_VISITED || properties.is_barrier() {
                return None;
            }
            visited += 1;
            other.read_operands(&mut s.operands);
            for op in s.operands.iter().filter(|op| op.is_reg() && op.reg().is_valid()) {
                let r = op.reg();
                if op.is_def() {
                    if overlaps(mf, &s.uses, r) || (!op.is_dead() && overlaps(mf, &s.defs, r)) {
                        return None;
                    }
                } else {
                    if overlaps(mf, &s.defs, r) {
                        return None;
                    }
                    let killed = self.use_is_killed(other, *op);
                    if r != reg && ((killed && overlaps(mf, &s.uses, r)) || overlaps(mf, &s.kills, r)) {
                        return None;
                    }
                    if r == reg && !killed {
                        return None;
                    }
                }
            }
        }

        let first = with_debug_before(mi);
        at.next = end;
        let mut insert_at = below_kill;
        let mut last = end;
        if let Some(lis) = self.lis {
            // One by one, so that the block is well-formed whenever LiveIntervals looks.
            let mut position = after;
            while position != end {
                let Some(copy) = position else { break };
                position = copy.next();
                self.block.splice(insert_at, copy, position);
                if !copy.properties().is_debug_or_pseudo() {
                    lis.handle_move(copy);
                }
                insert_at = Some(copy);
            }
            last = mi.next();
        }
        self.block.splice(insert_at, first, last);
        self.b.distance.erase(mi.key());
        self.move_kill(reg, kill, mi, mi);
        Some(())
    }

    fn kill_above(
        &mut self,
        at: &mut Cursor<'f>,
        reg: Register,
        kill: MachineInstr<'f>,
        s: &mut Sets,
    ) -> Option<()> {
        let (mf, mi) = (self.mf, at.mi);
        let distance = self.b.distance.get(mi.key())?;
        if two_address_use(kill, reg, &mut s.operands).is_some() || !kill.is_safe_to_move(self.run.aa) {
            return None;
        }
        s.clear();
        kill.read_operands(&mut s.operands);
        for op in s.operands.iter().filter(|op| op.is_reg()) {
            let r = op.reg();
            if op.is_use() {
                if !r.is_valid() {
                    continue;
                }
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

        let mut visited = 0;
        let mut position = Some(mi);
        while position != Some(kill) {
            let other = position?;
            position = other.next();
            let properties = other.properties();
            if properties.is_debug_or_pseudo() {
                continue;
            }
            if visited > MAX_VISITED || properties.is_barrier() {
                return None;
            }
            visited += 1;
            s.passed_defs.clear();
            other.read_operands(&mut s.operands);
            for op in s.operands.iter().filter(|op| op.is_reg() && op.reg().is_valid()) {
                let r = op.reg();
                if op.is_def() {
                    s.passed_defs.push(r);
                } else if overlaps(mf, &s.defs, r)
                    || overlaps(mf, &s.kills, r)
                    || (other != mi && r == reg && !self.use_is_killed(other, *op))
                {
                    return None;
                }
            }
            for &r in &s.passed_defs {
                if overlaps(mf, &s.uses, r) || (r.is_physical() && overlaps(mf, &s.live_defs, r)) {
                    return None;
                }
                s.defs.retain(|&d| d != r);
            }
        }

        let insert_at = with_debug_before(mi);
        let first = with_debug_before(kill);
        self.block.splice(Some(insert_at), first, kill.next());
        // Visit what was moved first, then this one again.
        at.next = insert_at.prev();
        self.b.distance.erase(mi.key());
        self.move_kill(reg, kill, mi, kill);
        Some(())
    }

    /// `reg` dies at `to` now, not at `from`; `moved` is the one of the two that has moved.
    fn move_kill(
        &self,
        reg: Register,
        from: MachineInstr<'f>,
        to: MachineInstr<'f>,
        moved: MachineInstr<'f>,
    ) {
        if let Some(lis) = self.lis {
            lis.handle_move(moved);
        } else if let Some(lv) = self.lv {
            lv.remove_killed(reg, from);
            lv.add_killed(reg, to);
        }
    }

    /// Whether a def of `reg` is so close above `mi`, at `distance`, that its result would be waited
    /// for; or below it.
    fn is_def_too_close(&mut self, reg: Register, distance: u32, mi: MachineInstr<'f>) -> bool {
        for o in self.mf.reg_operands(reg).take_while(|o| o.operand.is_def()) {
            let def = o.instr;
            if def.block() != self.block || def.kind().is_copy_like() {
                continue;
            }
            if def == mi {
                return true;
            }
            match self.b.distance.get(def.key()) {
                None => return true,
                // Wraps as in LLVM for a def that was numbered behind `mi`.
                Some(def_distance) if def.latency() > distance.wrapping_sub(def_distance) => return true,
                Some(_) => {}
            }
        }
        false
    }
}
