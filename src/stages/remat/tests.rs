//! Checks a key schedule, conditions, and random functions: readers find the values that they read,
//! and no other register lives longer.

use super::limits::Limits;
use super::types::{Reader, Recomputation, RecomputationId, RegisterFile, RegisterSize, RematTarget};
use super::Rematerialisation;
use crate::fuzzing::{cases, Rng};
use crate::mir::testing::{end_block, push, read, write};
use crate::mir::{virtual_reads, BlockId, FunctionFacts, InstrFlags, InstrId, Operand, VRegId};
use crate::nvptx::cost::{Budget, Storage};
use crate::nvptx::occupancy::{Architecture, LaunchBounds, RegisterTarget};
use crate::ssa::pressure::StorageOf;
use crate::ssa::repeat::Repeat;
use crate::ssa::SsaFacts;
use std::collections::BTreeSet;

/// Takes instructions of several operands as cheap; those of one operand only if
/// `constants_are_cheap`. Definitions of predicates, and some reads of a single register, pin the
/// registers that they read. A branch pins its condition. Every fifth register is a predicate. A
/// register takes `count` of its file.
struct TestTarget<'a> {
    facts: &'a SsaFacts,
    count: u32,
    /// Whether instructions that read nothing are cheap.
    constants_are_cheap: bool,
}

impl<'a> TestTarget<'a> {
    fn new(facts: &'a SsaFacts, count: u32) -> Self {
        TestTarget { facts, count, constants_are_cheap: true }
    }
    /// The register of the first operand.
    fn first(&self, instr: InstrId) -> VRegId {
        self.facts.operands_of(instr)[0].vreg().unwrap()
    }
}

fn is_predicate(reg: VRegId) -> bool {
    reg.raw() % 5 == 4
}

impl Repeat for TestTarget<'_> {
    fn is_repeatable(&mut self, instr: InstrId) -> bool {
        self.first(instr).raw() % 16 == 6
    }
}

impl StorageOf for TestTarget<'_> {
    fn storage(&mut self, reg: VRegId) -> Storage {
        match is_predicate(reg) {
            true => Storage::Predicate,
            false => Storage::Registers(self.count),
        }
    }
}

impl RematTarget for TestTarget<'_> {
    fn is_cheap(&mut self, instr: InstrId) -> bool {
        self.constants_are_cheap || self.facts.operands_of(instr).len() > 1
    }
    fn pins_operands(&mut self, reader: InstrId, file: RegisterFile) -> bool {
        let operands = self.facts.operands_of(reader);
        let first = self.first(reader);
        file == RegisterFile::Registers
            && (operands.len() == 1 && first.raw() % 8 == 7 || operands[0].is_def() && is_predicate(first))
    }
    fn is_pinned_by(&mut self, _: InstrId, reader: InstrId) -> bool {
        self.facts.operands_of(reader).last().is_some_and(|o| !o.is_reg())
    }
    fn is_free(&mut self, instr: InstrId) -> bool {
        self.facts.operands_of(instr).len() == 1 && self.first(instr).raw() % 16 == 3
    }
    fn is_uniform(&mut self, instr: InstrId) -> bool {
        self.first(instr).raw() % 16 == 5
    }
    fn size(&mut self, reg: VRegId) -> RegisterSize {
        let file = if is_predicate(reg) { RegisterFile::Predicates } else { RegisterFile::Registers };
        RegisterSize { file, count: self.count }
    }
}

/// Takes every instruction as cheap, and every register as one of 32 bits.
struct AllRegisters;

impl Repeat for AllRegisters {
    fn is_repeatable(&mut self, _: InstrId) -> bool {
        false
    }
}

impl StorageOf for AllRegisters {
    fn storage(&mut self, _: VRegId) -> Storage {
        Storage::Registers(1)
    }
}

impl RematTarget for AllRegisters {
    fn is_cheap(&mut self, _: InstrId) -> bool {
        true
    }
    fn pins_operands(&mut self, _: InstrId, _: RegisterFile) -> bool {
        false
    }
    fn is_pinned_by(&mut self, _: InstrId, _: InstrId) -> bool {
        false
    }
    fn is_free(&mut self, _: InstrId) -> bool {
        false
    }
    fn is_uniform(&mut self, _: InstrId) -> bool {
        false
    }
    fn size(&mut self, _: VRegId) -> RegisterSize {
        RegisterSize { file: RegisterFile::Registers, count: 1 }
    }
}

/// Runs the algorithm. Returns for each recomputation the numbers of the original and of the
/// instruction after it, and the readers.
fn run(facts: &SsaFacts, target: &mut impl RematTarget) -> Vec<(u32, u32, Vec<Reader>)> {
    run_within(facts, None, target)
}

/// Runs the algorithm with limits that depend on a register target.
fn run_within(
    facts: &SsaFacts,
    register_target: Option<RegisterTarget>,
    target: &mut impl RematTarget,
) -> Vec<(u32, u32, Vec<Reader>)> {
    let mut remat = Rematerialisation::default();
    let budget = Budget::of(Architecture::of("sm_90"), register_target);
    let found = remat.run(facts, &Limits::of(register_target), budget, target);
    let row = |r: &Recomputation| (r.original.raw(), r.before.raw(), found.readers(r).to_vec());
    found.list.iter().map(row).collect()
}

fn by_instr(instr: u32) -> Reader {
    Reader::Instr(InstrId::from_raw(instr))
}

fn by_recomputation(id: u32) -> Reader {
    Reader::Recomputation(RecomputationId::from_raw(id))
}

/// Makes register 0, and `n` registers computed from it, before a loop. Block 1 of the loop reads
/// register 0, and block 2 the `n`. Other registers live through the loop, so that there are `all`
/// registers together.
fn schedule(n: u32, all: u32) -> FunctionFacts {
    let mut facts = FunctionFacts::default();
    facts.clear(all as usize, 4);
    push(&mut facts, InstrFlags::NONE, &[write(0)]);
    (n + 1..all).for_each(|r| push(&mut facts, InstrFlags::NONE, &[write(r)]));
    (1..=n).for_each(|r| push(&mut facts, InstrFlags::NONE, &[write(r), read(0)]));
    end_block(&mut facts, 0, &[1]);
    push(&mut facts, InstrFlags::NONE, &[read(0)]);
    end_block(&mut facts, 1, &[2, 3]);
    (1..=n).for_each(|r| push(&mut facts, InstrFlags::NONE, &[read(r)]));
    end_block(&mut facts, 2, &[1]);
    (n + 1..all).for_each(|r| push(&mut facts, InstrFlags::NONE, &[read(r)]));
    end_block(&mut facts, 3, &[]);
    facts
}

#[test]
fn remat_a_key_schedule_is_computed_where_it_is_read() {
    let Limits { min_pressure, min_share } = Limits::DEFAULT;
    assert_eq!((min_pressure.registers, min_share), (48, 8), "the functions are made for these");
    let facts = SsaFacts::of(schedule(6, 48));
    let expected: Vec<_> = (1..=6).map(|r| (41 + r, 48 + r, vec![by_instr(48 + r)])).collect();
    assert_eq!(run(&facts, &mut AllRegisters), expected);
    // Too few candidates for the share; too many registers for it; too low a pressure.
    for facts in [schedule(5, 48), schedule(6, 49), schedule(6, 47)] {
        assert_eq!(run(&SsaFacts::of(facts), &mut AllRegisters), []);
    }
}

#[test]
fn l8_a_register_target_steers() {
    let keys = |registers, bounds, facts| {
        let target = RegisterTarget::of(registers, bounds);
        run_within(&SsaFacts::of(facts), target, &mut AllRegisters).len()
    };
    let none = LaunchBounds::default();
    // With a small target one key counts as soon as that many registers are live.
    assert_eq!(keys(Some(32), none, schedule(1, 32)), 1);
    assert_eq!(keys(Some(32), none, schedule(1, 31)), 0);
    assert_eq!(keys(None, none, schedule(1, 32)), 0);
    assert_eq!(keys(Some(63), none, schedule(1, 48)), 1);
    assert_eq!(keys(Some(63), none, schedule(1, 47)), 0);
    // A target of 64 gives the default limits. A larger one leaves room, unless it only follows
    // from the launch bounds.
    assert_eq!(keys(Some(64), none, schedule(6, 48)), 6);
    assert_eq!(keys(Some(65), none, schedule(6, 48)), 0);
    assert_eq!(keys(Some(72), none, schedule(7, 56)), 7);
    let launched = LaunchBounds { threads: Some(256), ..none };
    assert_eq!(keys(None, launched, schedule(6, 48)), 6);
}

#[test]
fn remat_registers_stay_where_fewer_gain_nothing() {
    // 48 registers are live, but ptxas needs a register only for the first `count`. With eight or
    // eleven the function fits in 32 registers anyway, and no more warps could run.
    struct MostlyFree(u32);
    impl Repeat for MostlyFree {
        fn is_repeatable(&mut self, _: InstrId) -> bool {
            false
        }
    }
    impl StorageOf for MostlyFree {
        fn storage(&mut self, reg: VRegId) -> Storage {
            if reg.raw() < self.0 {
                Storage::Registers(1)
            } else {
                Storage::Nowhere
            }
        }
    }
    impl RematTarget for MostlyFree {
        fn is_cheap(&mut self, instr: InstrId) -> bool {
            AllRegisters.is_cheap(instr)
        }
        fn pins_operands(&mut self, _: InstrId, _: RegisterFile) -> bool {
            false
        }
        fn is_pinned_by(&mut self, _: InstrId, _: InstrId) -> bool {
            false
        }
        fn is_free(&mut self, _: InstrId) -> bool {
            false
        }
        fn is_uniform(&mut self, _: InstrId) -> bool {
            false
        }
        fn size(&mut self, reg: VRegId) -> RegisterSize {
            AllRegisters.size(reg)
        }
    }
    let facts = SsaFacts::of(schedule(6, 48));
    let keys = |count| run(&facts, &mut MostlyFree(count)).len();
    assert_eq!([8, 11, 12, 48].map(keys), [0, 0, 6, 6]);
}

/// Makes a function in which predicate 4 compares register 0, predicate 9 compares 0 and 3, and 14
/// combines both. The value of 3 needs no register. Predicates 9 and 14 and `others` more live
/// through block 1; block 2 reads them and register 0. Block 0 branches on `end`.
fn conditions(others: u32, end: Option<u32>) -> FunctionFacts {
    let mut facts = FunctionFacts::default();
    facts.clear(100, 3);
    push(&mut facts, InstrFlags::NONE, &[write(0)]);
    push(&mut facts, InstrFlags::NONE, &[write(3)]);
    push(&mut facts, InstrFlags::NONE, &[write(4), read(0)]);
    push(&mut facts, InstrFlags::NONE, &[write(9), read(0), read(3)]);
    push(&mut facts, InstrFlags::NONE, &[write(14), read(4), read(9)]);
    (0..others).for_each(|n| push(&mut facts, InstrFlags::NONE, &[write(19 + 5 * n)]));
    end.iter().for_each(|&reg| push(&mut facts, InstrFlags::NONE, &[read(reg), Operand::test_block(1)]));
    end_block(&mut facts, 0, &[1]);
    push(&mut facts, InstrFlags::NONE, &[read(0)]);
    end_block(&mut facts, 1, &[2]);
    push(&mut facts, InstrFlags::NONE, &[read(9)]);
    push(&mut facts, InstrFlags::NONE, &[read(14)]);
    (0..others).for_each(|n| push(&mut facts, InstrFlags::NONE, &[read(19 + 5 * n), read(19 + 5 * n)]));
    push(&mut facts, InstrFlags::NONE, &[read(0)]);
    end_block(&mut facts, 2, &[]);
    facts
}

/// Finds the recomputations of [`conditions`] when instructions that read nothing are not cheap.
fn recomputed_conditions(others: u32, end: Option<u32>) -> Vec<(u32, u32, Vec<Reader>)> {
    let facts = SsaFacts::of(conditions(others, end));
    run(&facts, &mut TestTarget { constants_are_cheap: false, ..TestTarget::new(&facts, 1) })
}

#[test]
fn remat_conditions_are_tested_where_they_are_read() {
    let block_2 = 11;
    let expected = [
        (3, block_2, vec![by_instr(block_2), by_recomputation(2)]),
        (2, block_2 + 1, vec![by_recomputation(2)]),
        (4, block_2 + 1, vec![by_instr(block_2 + 1)]),
    ];
    assert_eq!(recomputed_conditions(5, None), expected);
    assert_eq!(recomputed_conditions(4, None), [], "there are predicates enough");
}

/// triton_randn4x_sm80 on LLVM 19: registers spilled, SASS 1.34 of that without the stage.
#[test]
fn remat_randn4x_conditions_that_their_block_branches_on_stay() {
    let originals: Vec<u32> = recomputed_conditions(5, Some(14)).iter().map(|r| r.0).collect();
    assert_eq!(originals, [3]);
}

/// Makes a tree of blocks with back edges. The registers that a block reads are defined on the tree
/// path to it.
fn random_function(rng: &mut Rng) -> FunctionFacts {
    let blocks = 2 + rng.below(8);
    let parents: Vec<u32> = (0..blocks).map(|b| if b == 0 { 0 } else { rng.below(b) }).collect();
    let mut facts = FunctionFacts::default();
    facts.clear(0, blocks as usize);
    let mut known: Vec<Vec<u32>> = Vec::new();
    for block in 0..blocks {
        let mut regs = if block == 0 { vec![] } else { known[parents[block as usize] as usize].clone() };
        for _ in 0..rng.below(12) + 2 {
            let new = facts.shape.num_virt_regs as u32;
            let any = |rng: &mut Rng| regs[rng.below(regs.len() as u32) as usize];
            match if regs.is_empty() { 0 } else { rng.below(6) } {
                0 => push(&mut facts, InstrFlags::NONE, &[write(new)]),
                1 | 2 => push(&mut facts, InstrFlags::NONE, &[read(any(rng))]),
                3 => push(&mut facts, InstrFlags::NONE, &[write(new), read(any(rng)), read(any(rng))]),
                _ => push(&mut facts, InstrFlags::NONE, &[write(new), read(any(rng))]),
            }
            if facts.operands((facts.num_instrs() - 1).into())[0].is_def() {
                facts.shape.num_virt_regs += 1;
                regs.push(new);
            }
        }
        let mut succs: Vec<u32> = (block + 1..blocks).filter(|&b| parents[b as usize] == block).collect();
        // A back edge to a block that dominates this one.
        if block > 0 && rng.one_in(3) {
            succs.push(parents[block as usize].max(1));
        }
        succs.sort_unstable();
        succs.dedup();
        known.push(regs);
        end_block(&mut facts, block, &succs);
    }
    facts
}

/// The code of a block: the registers that each instruction defines and reads. Registers of
/// recomputations are numbered after the others.
type BlockCode = Vec<(Vec<VRegId>, Vec<VRegId>)>;

/// Solves the liveness equations for the registers that are live into each block.
fn live_into(facts: &SsaFacts, code: &[BlockCode]) -> Vec<BTreeSet<VRegId>> {
    let mut live = vec![BTreeSet::new(); code.len()];
    loop {
        let before = live.clone();
        for block in facts.blocks().rev() {
            let mut now: BTreeSet<VRegId> =
                facts.succs_of(block).flat_map(|succ| live[succ.index()].clone()).collect();
            for (defs, reads) in code[block.index()].iter().rev() {
                now.retain(|reg| !defs.contains(reg));
                now.extend(reads);
            }
            live[block.index()] = now;
        }
        if live == before {
            return live;
        }
    }
}

/// A function and its recomputations.
struct Case<'a> {
    facts: &'a SsaFacts,
    found: &'a super::Recomputations,
}

impl Case<'_> {
    fn defs(&self, instr: InstrId) -> Vec<VRegId> {
        let operands = self.facts.operands_of(instr).iter();
        operands.filter(|o| o.is_def()).filter_map(|o| o.vreg()).collect()
    }
    fn reads(&self, instr: InstrId) -> Vec<VRegId> {
        virtual_reads(self.facts.operands_of(instr)).collect()
    }
    fn old_reg(&self, id: RecomputationId) -> VRegId {
        self.defs(self.found.list[id].original)[0]
    }
    fn new_reg(&self, id: RecomputationId) -> VRegId {
        VRegId::from_usize(self.facts.shape.num_virt_regs + id.index())
    }
    /// Returns the registers that a reader reads once the recomputations are made.
    fn reads_now(&self, by: Reader, mut reads: Vec<VRegId>) -> Vec<VRegId> {
        for (id, recomputation) in self.found.list.iter_enumerated() {
            if self.found.readers(recomputation).contains(&by) {
                let old = self.old_reg(id);
                assert!(reads.contains(&old), "it does not read that");
                reads.iter_mut().filter(|reg| **reg == old).for_each(|reg| *reg = self.new_reg(id));
            }
        }
        reads
    }
    fn code_before(&self, block: BlockId) -> BlockCode {
        self.facts.instrs_of(block).map(|instr| (self.defs(instr), self.reads(instr))).collect()
    }
    /// Returns the code of a block once the recomputations are made.
    fn code_after(&self, block: BlockId) -> BlockCode {
        let mut code = BlockCode::new();
        for instr in self.facts.instrs_of(block) {
            for (id, recomputation) in self.found.list.iter_enumerated() {
                if recomputation.before == instr {
                    let reads = self.reads(recomputation.original);
                    let reads = self.reads_now(Reader::Recomputation(id), reads);
                    code.push((vec![self.new_reg(id)], reads));
                }
            }
            code.push((self.defs(instr), self.reads_now(Reader::Instr(instr), self.reads(instr))));
        }
        let num_regs = self.facts.shape.num_virt_regs;
        for (at, (_, reads)) in code.iter().enumerate() {
            let is_there = |reg: &VRegId| {
                reg.index() < num_regs || code[..at].iter().any(|(defs, _)| defs.contains(reg))
            };
            assert!(reads.iter().all(is_there), "it is computed after its reader");
        }
        code
    }
    /// Erases the recomputed registers that nothing reads any more.
    fn erase_unread(&self, code: &mut [BlockCode]) {
        let mut size = usize::MAX;
        while code.iter().map(Vec::len).sum::<usize>() < size {
            size = code.iter().map(Vec::len).sum();
            for id in self.found.list.indices() {
                for reg in [self.old_reg(id), self.new_reg(id)] {
                    if !code.iter().flatten().any(|(_, reads)| reads.contains(&reg)) {
                        code.iter_mut().for_each(|code| code.retain(|(defs, _)| !defs.contains(&reg)));
                    }
                }
            }
        }
    }
}

#[test]
fn remat_nothing_lives_longer_and_readers_read_the_same_values() {
    let (mut rng, mut remat) = (Rng::new(13), Rematerialisation::default());
    let budget = Budget::of(Architecture::of("sm_90"), None);
    let (mut recomputed, mut chained) = (0, 0);
    for _ in 0..cases(3000) {
        let facts = &SsaFacts::of(random_function(&mut rng));
        let found = remat.run(facts, &Limits::DEFAULT, budget, &mut TestTarget::new(facts, 8));
        let case = Case { facts, found };
        recomputed += found.list.len();
        for (id, recomputation) in found.list.iter_enumerated() {
            let is_by_recomputation = |r: &&Reader| matches!(r, Reader::Recomputation(_));
            chained += found.readers(recomputation).iter().filter(is_by_recomputation).count();
            let is_uniform = TestTarget::new(facts, 8).is_uniform(recomputation.original);
            assert!(is_predicate(case.old_reg(id)) || !is_uniform, "{recomputation:?}");
        }
        let old: Vec<BlockCode> = facts.blocks().map(|block| case.code_before(block)).collect();
        let mut new: Vec<BlockCode> = facts.blocks().map(|block| case.code_after(block)).collect();
        case.erase_unread(&mut new);
        let (before, after) = (live_into(facts, &old), live_into(facts, &new));
        for (before, after) in before.iter().zip(&after) {
            let is_as_before = |reg: &VRegId| before.contains(reg) || reg.raw() % 16 == 3;
            assert!(after.iter().all(is_as_before), "{:?}", found.list);
        }
    }
    assert!(crate::fuzzing::FEW || recomputed > 200 && chained > 50, "{recomputed}, {chained}");
}
