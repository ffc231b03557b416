//! Binds the stage to LLVM's function.

use super::pairs::{Pair, PairId, Source, WidePairs};
use crate::adt::Counters;
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::{InstrKind, Register};
use crate::ssa::snapshot::{Instrs, Snapshot};
use index_vec::IndexVec;

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct WidePhis {
    found: WidePairs,
}

impl WidePhis {
    /// Runs on a function in SSA form, and returns whether it has changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, instrs)) = snapshot.of_blocks(mf) else { return false };
        let num_wide = self.found.find(facts, &instrs);
        if num_wide > 0 {
            make_wide(&self.found, &instrs);
            erase_unread_unpacks(&self.found, &instrs);
        }
        counters.push(("pairs of PHIs made wide", num_wide));
        num_wide > 0
    }
}

/// Changes the PHI of each low half to one of the whole.
fn make_wide(found: &WidePairs, instrs: &Instrs) {
    let mf = instrs.function();
    let whole = |pair: &Pair| pair.can_be_wide.then(|| mf.new_reg_like(pair.like.into()));
    let wholes: IndexVec<PairId, Option<Register>> = found.pairs().iter().map(whole).collect();
    let mut gone: Vec<MachineInstr> = Vec::new();
    for (pair, whole) in found.pairs().iter().zip(&wholes) {
        let &Some(whole) = whole else { continue };
        replace_packs(mf, pair.halves.map(Register::from), whole, &mut gone);
        let phi = instrs.instr(pair.phis[0]);
        for (edge, &source) in found.sources(pair).iter().enumerate() {
            let value = match source {
                Source::Whole(reg) => reg.into(),
                Source::Pair(other) => wholes[other].expect("a pair and its sources are made wide together"),
            };
            phi.set_reg(1 + 2 * edge, value);
        }
        phi.set_reg(0, whole);
        gone.push(instrs.instr(pair.phis[1]));
    }
    gone.drain(..).for_each(MachineInstr::erase);
}

/// Replaces the packs of two halves by the whole. The packs are added to `gone`.
fn replace_packs<'f>(
    mf: MachineFunction<'f>,
    [low, high]: [Register; 2],
    whole: Register,
    gone: &mut Vec<MachineInstr<'f>>,
) {
    for reg in [low, high] {
        let users: Vec<_> = mf.reg_operands(reg).filter(|o| o.operand.is_use()).collect();
        for user in users {
            if user.operand.is_debug() {
                user.instr.set_reg(user.index, Register::NONE);
            } else if user.instr.kind() != InstrKind::Phi && reg == low {
                mf.replace_reg(user.instr.operand(0).reg(), whole);
                gone.push(user.instr);
            }
        }
    }
}

fn erase_unread_unpacks(found: &WidePairs, instrs: &Instrs) {
    let mf = instrs.function();
    for &unpack in found.unpacks() {
        let unpack = instrs.instr(unpack);
        let defs = (0..unpack.num_described_defs()).map(|index| unpack.operand(index).reg());
        let is_read = defs.clone().any(|reg| !mf.use_nodbg_empty(reg));
        if !is_read {
            defs.for_each(|reg| mf.forget_uses(reg));
            unpack.erase();
        }
    }
}
