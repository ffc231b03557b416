//! Checks examples and random functions: moved instructions find their operands, their readers find
//! them, and no block has more registers live into it.

use super::target::SinkTarget;
use super::{Move, Sinking};
use crate::fuzzing::{cases, Rng};
use crate::mir::testing::{end_block, push, read, write};
use crate::mir::{virtual_reads, BlockId, FunctionFacts, InstrFlags, InstrId, Operand, VRegId};
use crate::nvptx::cost::Storage;
use crate::ssa::pressure::StorageOf;
use crate::ssa::repeat::Repeat;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// Lists by instruction whether it may move; every register costs the same. The first `free`
/// instructions are constants.
struct Listed {
    may_move: Vec<bool>,
    free: usize,
}

impl SinkTarget for Listed {
    fn may_move(&mut self, instr: InstrId) -> bool {
        self.may_move[instr.index()]
    }
    fn is_free(&mut self, instr: InstrId) -> bool {
        instr.index() < self.free
    }
    fn cost(&mut self, _: VRegId) -> u32 {
        4
    }
}

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

/// Makes a function from blocks: by block the operands of its instructions, and its successors.
fn function(num_regs: usize, blocks: &[(&[&[Operand]], &[u32])]) -> SsaFacts {
    let mut facts = FunctionFacts::default();
    facts.clear(num_regs, blocks.len());
    for (block, (instrs, succs)) in (0..).zip(blocks) {
        instrs.iter().for_each(|operands| push(&mut facts, InstrFlags::NONE, operands));
        end_block(&mut facts, block, succs);
    }
    SsaFacts::of(facts)
}

/// Runs the stage on a function in which all instructions with operands may move. Returns the
/// numbers of each moved instruction and its block.
fn moves_of(facts: &SsaFacts, free: usize) -> Vec<(u32, u32)> {
    moves_of_large(facts, free, 0)
}

/// The same, where instructions move only in functions of this many registers.
fn moves_of_large(facts: &SsaFacts, free: usize, min_registers: u32) -> Vec<(u32, u32)> {
    let may_move = facts.instr_ids().map(|i| facts.operands_of(i).len() > 1).collect();
    let (mut sinking, mut moves) = (Sinking::default(), Vec::new());
    sinking.run(facts, min_registers, &mut Listed { may_move, free }, &mut moves);
    moves.iter().map(|m| (m.instr.raw(), m.to.raw())).collect()
}

#[test]
fn sink_down_to_the_readers_if_the_operands_live_there_anyway() {
    // %1 is computed from %0 before a branch, and both are read after it. So is %2, but its operand
    // %3 is read nowhere else.
    let facts = function(
        4,
        &[
            (&[&[write(0)], &[write(3)], &[write(1), read(0)], &[write(2), read(3)]], &[1, 2]),
            (&[&[read(0)]], &[2]),
            (&[&[read(0), read(1), read(2)]], &[]),
        ],
    );
    assert_eq!(moves_of(&facts, 0), [(2, 2)]);
    // Now %3 is a constant.
    assert_eq!(moves_of(&facts, 2), [(3, 2), (2, 2)]);
    // Twelve registers are predicted for a function of none, and one for each that is live.
    assert_eq!(moves_of_large(&facts, 0, 13), [(2, 2)]);
    assert_eq!(moves_of_large(&facts, 0, 12 + 5), []);
}

#[test]
fn sink_not_into_a_loop_but_before_it() {
    // 0 → 1 → 2 (loop 2 → 2) → 3. %1 is read in the loop.
    let facts = function(
        2,
        &[
            (&[&[write(0)], &[write(1), read(0)]], &[1]),
            (&[&[read(0)]], &[2]),
            (&[&[read(0), read(1)]], &[2, 3]),
            (&[], &[]),
        ],
    );
    assert_eq!(moves_of(&facts, 0), [(1, 1)]);
    // After the loop, across it.
    let facts = function(
        2,
        &[
            (&[&[write(0)], &[write(1), read(0)]], &[1]),
            (&[&[read(0)]], &[1, 2]),
            (&[&[read(0), read(1)]], &[]),
        ],
    );
    assert_eq!(moves_of(&facts, 0), [(1, 2)]);
}

#[test]
fn sink_a_phi_reads_at_the_end_of_the_predecessor() {
    let phi = [write(2), read(1), Operand::test_block(1), read(0), Operand::test_block(2)];
    let mut facts = FunctionFacts::default();
    facts.clear(3, 4);
    push(&mut facts, InstrFlags::NONE, &[write(0)]);
    push(&mut facts, InstrFlags::NONE, &[write(1), read(0)]);
    end_block(&mut facts, 0, &[1, 2]);
    push(&mut facts, InstrFlags::NONE, &[read(0)]);
    end_block(&mut facts, 1, &[3]);
    push(&mut facts, InstrFlags::NONE, &[read(0)]);
    end_block(&mut facts, 2, &[3]);
    push(&mut facts, InstrFlags::PHI, &phi);
    end_block(&mut facts, 3, &[]);
    assert_eq!(moves_of(&SsaFacts::of(facts), 0), [(1, 1)]);
}

#[test]
fn sink_what_nothing_else_reads_moves_as_well() {
    // %2 is computed from %1, and %1 from %0, which lives on; %1 has no other reader.
    let chain: &[&[Operand]] = &[&[write(0)], &[write(1), read(0)], &[write(2), read(1), read(1)]];
    let below: &[&[Operand]] = &[&[read(0), read(2)]];
    let facts = function(3, &[(chain, &[1, 2]), (&[], &[2]), (below, &[])]);
    assert_eq!(moves_of(&facts, 0), [(2, 2), (1, 2)]);
    // With another reader %1 stays, and nothing is gained.
    let facts = function(3, &[(chain, &[1, 2]), (&[&[read(1)]], &[2]), (below, &[])]);
    assert_eq!(moves_of(&facts, 0), []);
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
        let is_last = block + 1 == blocks;
        let is_odd = block % 2 == 1;
        if !is_odd {
            is_loop = rng.one_in(3);
        }
        let succs = match (is_odd, is_loop) {
            _ if is_last => vec![],
            (false, true) => vec![block + 1],
            (false, false) => vec![block + 1, block + 2],
            (true, true) => vec![block, block + 1],
            (true, false) => vec![block + 1],
        };
        let known = regs.len();
        for _ in 0..rng.below(14) + 2 {
            let any = |rng: &mut Rng, regs: &[u32]| regs[rng.below(regs.len() as u32) as usize];
            let new = facts.shape.num_virt_regs as u32;
            let kind = if regs.is_empty() { 0 } else { rng.below(8) };
            let operands = match kind {
                0 => vec![write(new)],
                1 => vec![read(any(rng, &regs))],
                _ => vec![write(new), read(any(rng, &regs)), read(any(rng, &regs))],
            };
            push(&mut facts, InstrFlags::NONE, &operands);
            may_move.push(kind > 1);
            if kind != 1 {
                facts.shape.num_virt_regs += 1;
                regs.push(new);
            }
        }
        if is_odd {
            // Only an odd block itself reads the registers that it defines.
            regs.truncate(known);
        }
        end_block(&mut facts, block, &succs);
    }
    (facts, Listed { may_move, free: 0 })
}

#[test]
fn sink_what_is_moved_has_its_operands_and_readers_and_saves_registers() {
    let (mut rng, mut sinking, mut moves) = (Rng::new(29), Sinking::default(), Vec::new());
    let mut moved = 0;
    for _ in 0..cases(3000) {
        let (facts, mut target) = random_function(&mut rng);
        let facts = SsaFacts::of(facts);
        sinking.run(&facts, 0, &mut target, &mut moves);
        moved += moves.len();
        let before: IndexVec<BlockId, Vec<InstrId>> =
            facts.blocks().map(|b| facts.instrs_of(b).collect()).collect();
        let mut after = before.clone();
        for &Move { instr, to } in &moves {
            assert!(target.may_move[instr.index()], "it does more than compute");
            let from = facts.block_of_instr(instr);
            assert!(from < to && facts.dominates(from, to) && facts.is_in_loop_of(from, to));
            after[from].retain(|&i| i != instr);
            after[to].insert(0, instr);
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
        if let Some(lowest) = moves.iter().map(|m| m.to).max() {
            assert!(over(&after, lowest) < over(&before, lowest), "{moves:?}");
        }
    }
    assert!(crate::fuzzing::FEW || moved > 1000, "{moved}");
}
