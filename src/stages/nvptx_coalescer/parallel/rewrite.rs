//! Changes a block as planned: inserts the sequence, erases the copies, renames operands, and
//! rebuilds ranges.

use super::block_ranges::RangeBuilder;
use super::plan::{LocalReg, Plan, Rewrite};
use super::sequence::{Location, Step};
use super::spare_regs::SpareRegs;
use crate::mir::{BlockId, InstrId, VRegId};
use crate::passes::coalescer::code::Place;
use crate::passes::coalescer::host::{CoalescerHost, Edit};
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;

/// Working storage.
#[derive(Default)]
pub struct Rewriter {
    spare_regs: SpareRegs,
    ranges: RangeBuilder,
    places: Vec<Place>,
    moves: Vec<(Place, VRegId)>,
}

impl Rewriter {
    /// Begins with a function.
    pub fn begin<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>) {
        self.spare_regs.begin(c);
    }

    /// Changes a block: `steps` are the copies that it gets.
    pub fn change_block<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        block: BlockId,
        plan: &mut Plan,
        steps: &mut [Step],
    ) {
        let end = c.slots.end(block);
        self.name_separate_regs(c, plan, steps);
        // The values that are live out, before anything changes.
        let live_out = |&reg: &VRegId| c.ranges.get(reg).value_before(end);
        let live_outs: IndexVec<LocalReg, _> = plan.regs.iter().map(live_out).collect();
        let temporaries = self.insert_copies(c, block, plan, steps);
        for &copy in &plan.copies {
            forget_debug_values(c, block, plan, copy);
            c.erase(copy);
        }
        self.rename_operands(c, plan);
        for (local, &reg) in plan.regs.iter_enumerated() {
            if let Some(to) = plan.renamed[local].get() {
                self.ranges.move_after_block(c, block, reg, to);
            }
        }
        for (local, &reg) in plan.regs.iter_enumerated() {
            let live_out = live_outs[local].filter(|_| plan.renamed[local].is_none());
            self.ranges.build(c, block, reg, live_out);
        }
        for &reg in &temporaries {
            self.ranges.build(c, block, reg, None);
        }
        for &reg in plan.regs.iter().chain(&temporaries) {
            if c.code.is_unnamed(reg) {
                c.ranges.remove(reg);
            } else {
                c.shrink_to_uses_for_dead(reg);
                c.eliminate_dead_defs();
            }
        }
    }

    /// Takes a register for each def that gets one of its own. Until now, the next register numbers
    /// were placeholders for them.
    fn name_separate_regs<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        plan: &mut Plan,
        steps: &mut [Step],
    ) {
        let first = c.code.num_regs();
        let names: Vec<VRegId> =
            plan.separate_from.iter().map(|&from| self.spare_regs.take(c, from)).collect();
        let name = |reg: &mut VRegId| {
            if let Some(separate) = reg.index().checked_sub(first) {
                *reg = names[separate];
            }
        };
        plan.regs.iter_mut().for_each(name);
        plan.rewrites.iter_mut().for_each(|r| name(&mut r.to));
        for location in steps.iter_mut().flat_map(|s| [&mut s.dst, &mut s.src]) {
            if let Location::Reg(reg) = location {
                name(reg);
            }
        }
    }

    /// Inserts the copies at the end of the block. Returns the temporaries.
    fn insert_copies<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        block: BlockId,
        plan: &Plan,
        steps: &[Step],
    ) -> Vec<VRegId> {
        let mut temporaries = Vec::new();
        for step in steps {
            if let Step { dst: Location::Temporary(_), src: Location::Reg(member) } = *step {
                temporaries.push(self.spare_regs.take(c, member));
            }
        }
        let reg = |location| match location {
            Location::Reg(reg) => reg,
            Location::Temporary(cycle) => temporaries[cycle],
        };
        let like = *plan.copies.last().expect("the block has copies");
        for step in steps {
            c.insert_copy_at_end(like, block, reg(step.dst), reg(step.src));
        }
        temporaries
    }

    /// Gives operands their new registers.
    fn rename_operands<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, plan: &mut Plan) {
        plan.rewrites.sort_unstable_by_key(|r| (r.from, r.place));
        for (local, &reg) in plan.regs.iter_enumerated() {
            let everywhere = plan.renamed[local].get();
            let first = plan.rewrites.partition_point(|r| r.from < reg);
            let in_block: &[Rewrite] = &plan.rewrites[first..];
            let in_block = &in_block[..in_block.partition_point(|r| r.from == reg)];
            if everywhere.is_none() && in_block.is_empty() {
                continue;
            }
            c.code.places(reg, &mut self.places);
            self.moves.clear();
            for &place in &self.places {
                let at = in_block.binary_search_by_key(&place, |r| r.place);
                if let Some(to) = at.ok().map(|at| in_block[at].to).or(everywhere) {
                    self.moves.push((place, to));
                }
            }
            c.move_operands(reg, &self.moves);
        }
    }
}

/// Makes the debug values of a copy's destination undefined: in the block, or everywhere if the
/// register is renamed.
fn forget_debug_values<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    block: BlockId,
    plan: &Plan,
    copy: InstrId,
) {
    let (start, end) = (c.slots.start(block), c.slots.end(block));
    let (reg, _) = c.code.copy_vregs(copy).expect("the copy is between virtual registers");
    let everywhere = plan.renamed_to(reg).is_some();
    let operands: Vec<_> = c.code.debug.of(reg).collect();
    for id in operands {
        let at = c.code.debug.get(id).next_slot;
        if everywhere || start <= at && at <= end {
            c.host.edit(Edit::DebugUndef(id));
            c.code.debug.set_undef(id);
        }
    }
}
