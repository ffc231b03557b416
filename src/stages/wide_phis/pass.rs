//! Binds the stage to LLVM's function.

use super::groups::{Group, GroupId, Groups, Source};
use super::parts::Parts;
use crate::adt::Counters;
use crate::llvm::{EditLog, MachineFunction, NewInstr};
use crate::mir::{InstrKind, Register};
use crate::ssa::snapshot::{Instrs, Snapshot};
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// A PHI of 16 bits becomes one of 128 in this many steps.
const MAX_ROUNDS: u32 = 3;

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct WidePhis {
    parts: Parts,
    groups: Groups,
}

impl WidePhis {
    /// Runs on a function in SSA form, and returns whether it has changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let (mut num_round_trips, mut num_wide) = (0, 0);
        for _ in 0..MAX_ROUNDS {
            let Some((facts, instrs)) = snapshot.of(mf) else { break };
            self.parts.find(facts, &instrs);
            let round_trips = self.parts.round_trips().len() as u64;
            if round_trips > 0 {
                replace_round_trips(&self.parts, &instrs);
                erase_unread(&self.parts, facts, &instrs);
                num_round_trips += round_trips;
                snapshot.forget();
                continue;
            }
            let wide = self.groups.find(facts, &instrs, &self.parts);
            if wide == 0 {
                break;
            }
            make_wide(&self.groups, &instrs);
            erase_unread(&self.parts, facts, &instrs);
            num_wide += wide;
            snapshot.forget();
        }
        counters.push(("packs and unpacks of what a register holds already", num_round_trips));
        counters.push(("groups of PHIs made wide", num_wide));
        num_round_trips + num_wide > 0
    }
}

/// Lets the readers of each result read the register that holds the same.
fn replace_round_trips(parts: &Parts, instrs: &Instrs) {
    let mf = instrs.function();
    for trip in parts.round_trips() {
        let value = Register::from(trip.value);
        let readers: Vec<_> = mf.reg_operands(trip.result.into()).filter(|o| o.operand.is_use()).collect();
        readers.into_iter().for_each(|o| o.instr.set_reg(o.index, value));
        mf.clear_kills(value);
    }
}

/// Erases packs, unpacks, and moves of parts, that nothing reads any more.
fn erase_unread(parts: &Parts, facts: &SsaFacts, instrs: &Instrs) {
    let mf = instrs.function();
    for instr in parts.backwards(facts) {
        let num_defs = facts.operands_of(instr).iter().take_while(|o| o.is_def()).count();
        let defs = facts.operands_of(instr)[..num_defs].iter().map(|o| o.reg());
        // A pack that `make_wide` replaced has lost its readers to the PHI.
        if defs.clone().all(|reg| reg.is_virtual() && mf.use_nodbg_empty(reg)) {
            defs.for_each(|reg| mf.forget_uses(reg));
            instrs.instr(instr).erase();
        }
    }
}

/// Changes the PHI of each group's least significant part to a PHI of the whole.
fn make_wide(found: &Groups, instrs: &Instrs) {
    let mf = instrs.function();
    let result = |group: &Group| instrs.instr(group.pack).operand(0).reg();
    let whole = |group: &Group| group.can_be_wide.then(|| mf.new_reg_like(result(group)));
    let wholes: IndexVec<GroupId, Option<Register>> = found.groups().iter().map(whole).collect();
    let mut gone = EditLog::new(mf);
    for (group, whole) in found.groups().iter().zip(&wholes) {
        let &Some(whole) = whole else { continue };
        let phis = group.parts.iter().map(|&reg| mf.def(reg.into()).expect("a PHI defines it").instr);
        let phis: Vec<_> = phis.collect();
        for (edge, &source) in found.sources(group).iter().enumerate() {
            let value = match source {
                Source::Whole(reg) => reg.into(),
                Source::Group(other) => {
                    wholes[other].expect("a group and its sources are made wide together")
                }
                Source::Packed(parts, block) => {
                    let parts: Vec<_> = parts.iter().map(|&reg| Register::from(reg)).collect();
                    let pack = instrs.instr(group.pack);
                    let packed = mf.new_result(pack.opcode());
                    let new = NewInstr::new(pack.opcode()).add_def(packed).add_uses(&parts);
                    let to = mf.block_numbered(block);
                    pack.insert_before(new).move_to_end_of(to);
                    parts.iter().for_each(|&reg| mf.clear_kills(reg));
                    packed
                }
            };
            mf.clear_kills(value);
            phis[0].set_reg(1 + 2 * edge, value);
        }
        phis[0].set_reg(0, whole);
        phis[1..].iter().for_each(|&phi| gone.erase(phi));
    }
    // A source may be the result of a pack, so the packs are replaced after all sources are set.
    for (group, whole) in found.groups().iter().zip(&wholes) {
        if let &Some(whole) = whole {
            replace_packs(mf, group, whole);
        }
    }
    gone.apply();
}

/// Lets the readers of the packs of a group read the whole.
fn replace_packs(mf: MachineFunction, group: &Group, whole: Register) {
    for (part, &reg) in group.parts.iter().enumerate() {
        let users: Vec<_> = mf.reg_operands(reg.into()).filter(|o| o.operand.is_use()).collect();
        for user in users {
            if user.operand.is_debug() {
                user.instr.set_reg(user.index, Register::NONE);
            } else if user.instr.kind() != InstrKind::Phi && part == 0 {
                let result = user.instr.operand(0).reg();
                let readers: Vec<_> = mf.reg_operands(result).filter(|o| o.operand.is_use()).collect();
                readers.into_iter().for_each(|o| o.instr.set_reg(o.index, whole));
            }
        }
    }
}
