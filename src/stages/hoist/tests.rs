//! Checks on random functions that moved instructions find their operands, and that no block has
//! more registers live into it.

use super::limits::Limits;
use super::placement::Move;
use super::target::HoistTarget;
use super::Hoisting;
use crate::fuzzing::{cases, Rng};
use crate::mir::testing::{end_block, push, read, write};
use crate::mir::{virtual_reads, BlockId, FunctionFacts, InstrFlags, InstrId, VRegId};
use crate::nvptx::cost::{Storage, REGISTER_PRICE};
use crate::ssa::pressure::StorageOf;
use crate::ssa::repeat::Repeat;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// Lists by instruction whether it may move; every register has 32 bits.
struct Listed(Vec<bool>);
impl Repeat for Listed {
    fn is_repeatable(&mut self, _: InstrId) -> bool {
        false
    }
}
impl StorageOf for Listed {
    fn storage(&mut self, _: VRegId) -> Storage {
        Storage::Registers(1)
    }
}
impl HoistTarget for Listed {
    fn may_move(&mut self, instr: InstrId) -> bool {
        self.0[instr.index()]
    }
    fn cost(&mut self, _: VRegId) -> u32 {
        REGISTER_PRICE
    }
}

/// Makes blocks 0, 2, 4, ... in a row. Between two of them is an odd block that may be skipped, or
/// is a loop.
fn random_function(rng: &mut Rng) -> (FunctionFacts, Listed) {
    let blocks = 2 * rng.below(4) + 3;
    let mut facts = FunctionFacts::default();
    let mut may_move = Vec::new();
    facts.clear(0, blocks as usize);
    let mut regs: Vec<u32> = Vec::new();
    let mut is_loop = false;
    for block in 0..blocks {
        let succs = match (block % 2, block + 1 < blocks) {
            (_, false) => vec![],
            (0, _) => {
                is_loop = rng.one_in(3);
                if is_loop {
                    vec![block + 1]
                } else {
                    vec![block + 1, block + 2]
                }
            }
            _ => {
                if is_loop {
                    vec![block, block + 1]
                } else {
                    vec![block + 1]
                }
            }
        };
        let known = regs.len();
        for _ in 0..rng.below(14) + 2 {
            // Only an odd block itself reads the registers that it defines.
            let any = |rng: &mut Rng, regs: &[u32]| regs[rng.below(regs.len() as u32) as usize];
            let new = facts.shape.num_virt_regs as u32;
            let kind = if regs.is_empty() { 0 } else { rng.below(8) };
            match kind {
                0 => push(&mut facts, InstrFlags::NONE, &[write(new)]),
                1 => push(&mut facts, InstrFlags::NONE, &[read(any(rng, &regs))]),
                _ => push(
                    &mut facts,
                    InstrFlags::NONE,
                    &[write(new), read(any(rng, &regs)), read(any(rng, &regs))],
                ),
            }
            may_move.push(kind > 1);
            if kind != 1 {
                facts.shape.num_virt_regs += 1;
                regs.push(new);
            }
        }
        if block % 2 == 1 {
            regs.truncate(known);
        }
        end_block(&mut facts, block, &succs);
    }
    (facts, Listed(may_move))
}

#[test]
fn hoist_what_is_moved_has_its_operands_and_saves_registers() {
    let (mut rng, mut hoisting, mut moves) = (Rng::new(11), Hoisting::default(), Vec::new());
    let limits = Limits { min_registers: 0, ..Limits::DEFAULT };
    let mut moved = 0;
    for _ in 0..cases(3000) {
        let (facts, mut target) = random_function(&mut rng);
        let facts = SsaFacts::of(facts);
        hoisting.run(&facts, &limits, &mut target, &mut moves);
        moved += moves.len();
        let before: IndexVec<BlockId, Vec<InstrId>> =
            facts.blocks().map(|b| facts.instrs_of(b).collect()).collect();
        let mut after = before.clone();
        for &Move { instr, to } in &moves {
            assert!(target.0[instr.index()], "it does more than compute");
            let from = facts.blocks().find(|&b| after[b].contains(&instr)).unwrap();
            let is_odd = |block: BlockId| block.index() % 2 == 1;
            assert!(!is_odd(from) && !is_odd(to) && to < from, "{from:?} to {to:?}");
            after[from].retain(|&i| i != instr);
            after[to].push(instr);
        }
        let reads = |instr| virtual_reads(facts.operands_of(instr));
        let result = |instr| facts.operands_of(instr).iter().find(|o| o.is_def()).and_then(|o| o.vreg());
        let mut defined = Vec::new();
        for &instr in after.iter().flatten() {
            assert!(reads(instr).all(|r| defined.contains(&r)), "{instr:?} is too early: {moves:?}");
            defined.extend(result(instr));
        }
        // The number of registers that are live across a boundary: defined in the blocks before it,
        // read in those after it.
        let over = |code: &IndexVec<BlockId, Vec<InstrId>>, boundary: BlockId| {
            let above: Vec<_> = code[..boundary].iter().flatten().filter_map(|&i| result(i)).collect();
            let mut below: Vec<_> = code[boundary..].iter().flatten().flat_map(|&i| reads(i)).collect();
            below.sort_unstable();
            below.dedup();
            below.iter().filter(|r| above.contains(r)).count()
        };
        for boundary in facts.blocks().skip(1) {
            assert!(over(&after, boundary) <= over(&before, boundary), "{moves:?}");
        }
        if let Some(lowest) = moves.iter().map(|m| facts.block_of_instr(m.instr)).max() {
            assert!(over(&after, lowest) + 4 <= over(&before, lowest), "{moves:?}");
        }
    }
    assert!(crate::fuzzing::FEW || moved > 1000, "{moved}");
}
