//! Tests the coalescer on random functions, which are interpreted before and after it.
//!
//! **Algorithm.** A function has a few blocks and registers, copies, IMPLICIT_DEFs, immediate
//! moves, and instructions of which only reads and defs matter. The versions before and after
//! coalescing run along the same random path. Every instruction must read the same values as
//! before, unless they were undefined. Then liveness is computed again, and the coalescer's ranges
//! must agree with it.
//!
//! **Source.** None. **Not tested here:** sub-registers, physical registers, and a target's
//! commuting and rematerialisation. The tests under `tests/lit` compare those with LLVM's own pass.

use super::code::Code;
use super::host::{CoalescerHost, Edit, Twin};
use super::live_range::RangeRef;
use super::ranges::Ranges;
use super::slots::Slots;
use super::worklists::BlockPriority;
use super::{Buffers, Coalescing, Function, Graph, Options};
use crate::adt::PackedOption;
use crate::cfg::Dominators;
use crate::fuzzing::{Rng, FEW};
use crate::liveness::ranges::{LiveRanges, Segment, UNUSED};
use crate::liveness::slot_index::{Slot, SlotIndex, SlotIndexes};
use crate::liveness::values::DefId;
use crate::liveness::{Liveness, Unsuited};
use crate::mir::testing::push;
use crate::mir::{
    BlockId, BlockNumber, ClassInfo, FunctionFacts, InstrFlags, InstrId, InstrKind, Kind, Operand,
    RegClassId, Register, VRegId,
};
use crate::nvptx::OpcodeTable;
use crate::stages::nvptx_coalescer::{self, NvptxCoalescer};
use index_vec::IndexVec;
use std::collections::BTreeMap;
use std::ops::Range;

#[cfg(test)]
mod exact;
#[cfg(test)]
mod hints;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod stage;

fn reg(index: u32, def: bool) -> Operand {
    Operand::test_reg(Register::virt(index), def, false)
}

/// Makes a function whose entry defines all registers. Every block ends with an instruction that
/// reads one.
fn random_function(rng: &mut Rng, implicit_defs: bool) -> FunctionFacts {
    let (blocks, regs) = if FEW { (1 + rng.below(4), 4) } else { (1 + rng.below(7), 2 + rng.below(7)) };
    let mut facts = FunctionFacts::default();
    facts.clear(regs as usize, blocks as usize);
    for block in 0..blocks {
        let mut succs: Vec<u32> = (0..rng.below(3)).map(|_| rng.below(blocks).max(1)).collect();
        if block + 1 < blocks {
            succs.push(block + 1); // so that every block is reachable
        }
        succs.retain(|&s| s < blocks && s > 0);
        succs.sort_unstable();
        succs.dedup();
        facts.shape.succs.push_row(succs.iter().map(|&s| BlockId::from_raw(s)));
        facts.shape.push_block(BlockNumber::from_raw(block));
        if block == 0 {
            for r in 0..regs {
                let flags =
                    if implicit_defs && rng.one_in(4) { InstrFlags::IMPLICIT_DEF } else { InstrFlags::NONE };
                push(&mut facts, flags, &[reg(r, true)]);
            }
        }
        for _ in 0..rng.below(if FEW { 5 } else { 8 }) {
            let mut any = || rng.below(regs);
            let (a, b, c) = (any(), any(), any());
            match rng.below(10) {
                8..=9 => push(&mut facts, InstrFlags::NONE, &[reg(a, true), Operand::test_imm(c % 2)]),
                0..=4 if a != b => push(&mut facts, InstrFlags::COPY, &[reg(a, true), reg(b, false)]),
                5 if implicit_defs => push(&mut facts, InstrFlags::IMPLICIT_DEF, &[reg(a, true)]),
                6 if b != c => {
                    push(&mut facts, InstrFlags::NONE, &[reg(a, true), reg(b, false), reg(c, false)])
                }
                _ => push(&mut facts, InstrFlags::NONE, &[reg(a, true), reg(b, false)]),
            }
        }
        if regs >= 4 && rng.one_in(4) {
            // A rotation.
            let first = rng.below(regs);
            let [a, b, c, spare] = [0, 1, 2, 3].map(|k| (first + k) % regs);
            for (to, from) in [(spare, a), (a, b), (b, c), (c, spare)] {
                push(&mut facts, InstrFlags::COPY, &[reg(to, true), reg(from, false)]);
            }
        }
        push(&mut facts, InstrFlags::NONE, &[reg(rng.below(regs), false)]);
        facts.end_block();
    }
    facts
}

/// Orders the defs and uses of a register as in the code.
struct Chains<'a>(&'a FunctionFacts);

impl crate::liveness::LivenessHost for Chains<'_> {
    fn is_predicate(&mut self, _: VRegId) -> bool {
        false
    }
    fn def_order(&mut self, _: VRegId, defs: &[u32], out: &mut Vec<DefId>) -> Result<(), Unsuited> {
        out.clear();
        out.extend((0..defs.len()).map(DefId::from_usize));
        Ok(())
    }
    fn use_order(&mut self, r: VRegId, _: &SlotIndexes, out: &mut Vec<SlotIndex>) -> Result<(), Unsuited> {
        out.clear();
        for block in 0..self.0.shape.num_blocks() {
            for i in self.0.instrs(block.into()) {
                let reads = |op: &&Operand| op.is_use() && op.reads() && op.reg().vreg() == Some(r);
                let at = SlotIndex::new((i.index() + block + 1) as u32, Slot::Register);
                out.extend(self.0.operands(i).iter().filter(reads).map(|_| at));
            }
        }
        Ok(())
    }
    fn dominators(&mut self, out: &mut Dominators) {
        // By definition: a block dominates the blocks that are unreachable without it.
        let succs = &self.0.shape.succs;
        let n = succs.len();
        let reach = |without: usize| {
            let mut seen = vec![false; n];
            let mut stack = if without == 0 { vec![] } else { vec![0] };
            while let Some(b) = stack.pop() {
                if b != without && !std::mem::replace(&mut seen[b], true) {
                    stack.extend(succs.row(BlockId::from_usize(b)).iter().map(|s| s.index()));
                }
            }
            seen
        };
        let all = reach(n);
        let without: Vec<_> = (0..n).map(reach).collect();
        let dominators = |b: usize| (0..n).filter(|&d| d != b && !without[d][b]).collect::<Vec<_>>();
        out.reachable = all.clone().into();
        out.idom = (0..n)
            .map(|b| {
                let above = if all[b] { dominators(b) } else { vec![] };
                // The immediate dominator is the one that all others dominate.
                let closest = above.iter().max_by_key(|&&d| dominators(d).len());
                PackedOption::from(closest.map(|&d| BlockId::from_usize(d)))
            })
            .collect();
    }
}

/// Owns a function of a target with one class, which commutes, folds and rematerialises nothing.
#[derive(Default)]
struct NoTarget {
    /// Whether an instruction is a terminator.
    terminators: IndexVec<InstrId, bool>,
    /// Whether an instruction has effects: it is neither a copy nor an IMPLICIT_DEF nor an
    /// immediate move.
    has_effects: IndexVec<InstrId, bool>,
    /// The constants of immediate moves.
    constants: IndexVec<InstrId, Option<u32>>,
    edits: usize,
}

impl NoTarget {
    /// Begins with a function that was read.
    fn new(facts: &FunctionFacts, code: &Code) -> NoTarget {
        let num_instrs = code.num_instrs();
        let mut host = NoTarget {
            terminators: vec![false; num_instrs].into(),
            has_effects: vec![false; num_instrs].into(),
            constants: vec![None; num_instrs].into(),
            edits: 0,
        };
        for block in 0..facts.shape.num_blocks() {
            host.terminators[InstrId::new(facts.first_instr[block + 1].index() + block)] = true;
        }
        for (i, has_effects) in host.has_effects.iter_mut_enumerated() {
            if code.is_alive(i) {
                host.constants[i] = constant(&code.operands(i).collect::<Vec<_>>());
                *has_effects = !code.is_copy(i) && !code.is_implicit_def(i) && host.constants[i].is_none();
            }
        }
        host
    }
}

impl NoTarget {
    /// Notes an instruction that is not a terminator and has no effects.
    fn note_new(&mut self, new: InstrId, constant: Option<u32>) {
        let num_instrs = self.constants.len().max(new.index() + 1);
        self.terminators.resize(num_instrs, false);
        self.has_effects.resize(num_instrs, false);
        self.constants.resize(num_instrs, None);
        self.terminators[new] = false;
        self.has_effects[new] = false;
        self.constants[new] = constant;
    }
}

/// Reads the constant of an immediate move.
fn constant(operands: &[Operand]) -> Option<u32> {
    operands.iter().find(|op| op.kind() == Kind::Imm).map(|op| op.imm_low())
}

impl CoalescerHost for NoTarget {
    fn class_of(&mut self, _: VRegId) -> RegClassId {
        RegClassId::new(0)
    }
    fn common_sub_class(&mut self, a: RegClassId, _: RegClassId) -> Option<RegClassId> {
        Some(a)
    }
    fn class_info(&mut self, _: RegClassId) -> ClassInfo {
        ClassInfo { num_allocatable: 1, is_proper_sub_class: false, bits: 32 }
    }
    fn should_coalesce(&mut self, _: InstrId, _: RegClassId, _: RegClassId, _: RegClassId) -> bool {
        true
    }
    fn opcode(&mut self, instr: InstrId) -> u32 {
        self.constants.get(instr).is_some_and(|c| c.is_some()).into()
    }
    fn opcode_name(&mut self, opcode: u32) -> String {
        ["ADD32rr", "IMOV32ri"][opcode as usize].into()
    }
    fn edit(&mut self, _: Edit) {
        self.edits += 1;
    }
    fn is_cheap(&mut self, _: InstrId) -> bool {
        false
    }
    fn is_commutable(&mut self, _: InstrId) -> bool {
        false
    }
    fn kind(&mut self, _: InstrId) -> InstrKind {
        InstrKind::Other
    }
    fn is_rematerializable(&mut self, _: InstrId) -> bool {
        false
    }
    fn is_safe_to_move(&mut self, instr: InstrId) -> bool {
        !self.has_effects.get(instr).copied().unwrap_or(false)
    }
    fn is_safe_to_move_past_stores(&mut self, _: InstrId) -> bool {
        false
    }
    fn num_described_operands(&mut self, _: InstrId) -> u32 {
        2
    }
    fn num_described_defs(&mut self, _: InstrId) -> u32 {
        1
    }
    fn def_class(&mut self, _: InstrId) -> Option<RegClassId> {
        None
    }
    fn has_eh_pad_successor(&mut self, _: BlockId) -> bool {
        false
    }
    fn is_special_target(&mut self, _: BlockId) -> bool {
        false
    }
    fn is_terminator(&mut self, instr: InstrId) -> bool {
        self.terminators.get(instr).copied().unwrap_or(false)
    }
    fn rematerialize(
        &mut self,
        def: InstrId,
        _: InstrId,
        dst: Register,
        new: InstrId,
        operands: &mut Vec<Operand>,
    ) {
        let value = self.constants[def].expect("only constants are computed again");
        self.note_new(new, Some(value));
        operands.clear();
        operands.extend([Operand::test_reg(dst, true, false), Operand::test_imm(value)]);
    }
    fn move_debug_values(&mut self, _: VRegId, _: Register, _: InstrId) {
        unreachable!("there are none")
    }
    fn computes_the_same(&mut self, a: InstrId, b: InstrId) -> bool {
        self.constants[a] == self.constants[b]
    }
    fn class_contains(&mut self, _: RegClassId, _: Register) -> bool {
        false
    }
    fn is_reserved(&mut self, _: Register) -> bool {
        false
    }
    fn is_constant(&mut self, _: Register) -> bool {
        false
    }
    fn regs_overlap(&mut self, a: Register, b: Register) -> bool {
        a == b
    }
    fn units(&mut self, _: Register) -> Vec<u32> {
        Vec::new()
    }
    fn unit_roots(&mut self, _: u32) -> Vec<Register> {
        Vec::new()
    }
    fn overlaps_unit(&mut self, _: VRegId, _: RangeRef, _: &[u64], _: u32) -> bool {
        true
    }
    fn mask_clobbers(&mut self, _: VRegId, _: RangeRef, _: &[u64], _: Register) -> bool {
        true
    }
    fn insert_copy(
        &mut self,
        new: InstrId,
        _: InstrId,
        _: BlockId,
        _: Option<InstrId>,
        (dst, src): (VRegId, VRegId),
        operands: &mut Vec<Operand>,
    ) -> u64 {
        self.note_new(new, None);
        operands.clear();
        operands.extend([reg(dst.raw(), true), reg(src.raw(), false)]);
        1
    }
    fn twin(&mut self, _: u32, _: RegClassId, _: RegClassId) -> Option<Twin> {
        None
    }
    fn wants_missed(&mut self) -> bool {
        false
    }
    fn missed(&mut self, _: InstrId, _: &str, _: &str) {}
    fn commutes_with(&mut self, _: InstrId, _: u32) -> Option<u32> {
        None
    }
    fn commute(&mut self, _: InstrId, _: u32, _: u32, _: &mut Vec<Operand>) -> bool {
        false
    }
    fn tied_operand(&mut self, _: InstrId, _: u32) -> u32 {
        unreachable!("nothing commutes")
    }
    fn can_fold_as_load(&mut self, _: InstrId) -> bool {
        false
    }
    fn fold_load(&mut self, _: InstrId, _: &[u32], _: InstrId, _: InstrId, _: &mut Vec<Operand>) -> bool {
        unreachable!("there are no such loads")
    }
    fn recompute_class(&mut self, _: VRegId) -> bool {
        false
    }
    fn is_ignorable_use(&mut self, _: InstrId, _: u32) -> bool {
        false
    }
}

const OPTIONS: Options = Options {
    join: true,
    join_split_edges: false,
    join_global_copies: false,
    terminal_rule: false,
    late_remat_update: 100,
    large_interval_size: 100,
    large_interval_freq: 256,
    flags_undefined: true,
};

/// A function after the coalescer. The fuzzer does not read the counts.
#[cfg_attr(fuzzing, allow(dead_code))]
struct Coalesced {
    code: Code,
    slots: Slots,
    ranges: Ranges,
    counts: super::Counts,
    /// The counts of the NVPTX coalescer.
    stage_counts: nvptx_coalescer::Counts,
}

/// The options of a test, the kind of its functions, and the passes that run on them.
#[derive(Clone, Copy)]
struct Setup {
    options: Options,
    /// The functions have IMPLICIT_DEFs. Their values conflict with no other. But once they are
    /// erased, the instructions that read them have no range: then ranges are not compared.
    has_implicit_defs: bool,
    /// The options of the NVPTX coalescer, if it runs after the pass.
    stage: Option<nvptx_coalescer::Options>,
    /// The frequencies of blocks, by number, if given.
    frequencies: Option<&'static [u64]>,
}

#[cfg(test)]
impl Setup {
    const DEFAULT: Setup =
        Setup { options: OPTIONS, has_implicit_defs: false, stage: None, frequencies: None };
}

/// Computes the live ranges of a function: those of all registers except the local ones, and all of
/// them.
fn live_ranges(facts: &FunctionFacts, liveness: &mut Liveness) -> (LiveRanges, LiveRanges) {
    let (mut others, mut all) = (LiveRanges::default(), LiveRanges::default());
    let mut host = Chains(facts);
    liveness.analyze(&facts.shape, &mut { facts }, false, &mut host).expect("every use has a def");
    liveness.live_intervals(&facts.shape, &mut host, &mut others).expect("every use has a def");
    liveness.need_dominators(&mut host);
    all.append(&others);
    liveness.append_local(&mut all);
    (others, all)
}

/// Copies a function as LiveIntervals leaves it: with dead defs, known from `ranges`, flagged.
fn copy_with_dead_flags(facts: &FunctionFacts, ranges: &LiveRanges, slots: &SlotIndexes) -> FunctionFacts {
    let mut copy = FunctionFacts::default();
    copy.clear(facts.shape.num_virt_regs, 0);
    copy.shape.clone_from(&facts.shape);
    for block in 0..facts.shape.num_blocks() {
        for i in facts.instrs(block.into()) {
            push(&mut copy, facts.instr_flags[i], facts.operands(i));
        }
        copy.end_block();
    }
    for range in &ranges.ranges {
        for at in ranges.dead_defs(range).filter(|at| !at.is_block()) {
            let instr = at.entry() as usize - slots.block_of(at).index() - 1;
            for op in copy.operands_mut(instr.into()).iter_mut().filter(|op| op.is_def()) {
                assert_eq!(op.reg(), Register::from(ranges.owner(range)));
                *op = op.with_dead(true);
            }
        }
    }
    copy
}

/// Lists the blocks in the order of the code.
fn priorities(slots: &Slots) -> Vec<BlockPriority> {
    let priority = |block: BlockId| BlockPriority {
        block,
        depth: 0,
        is_split_edge: false,
        num_edges: 0,
        number: block.raw(),
    };
    slots.blocks().map(priority).collect()
}

/// Coalesces the copies of a function.
fn coalesce(
    facts: &FunctionFacts,
    liveness: &mut Liveness,
    setup: Setup,
    buffers: &mut Buffers,
) -> Coalesced {
    let (mut others, all) = live_ranges(facts, liveness);
    let (mut code, mut slots, mut ranges) = (Code::default(), Slots::default(), Ranges::default());
    code.read(&mut copy_with_dead_flags(facts, &all, &liveness.slots), &[]);
    // Any LLVM slots except 0 will do.
    slots.read(&liveness.slots, &mut vec![1; liveness.slots.num_entries()]);
    ranges.read(&liveness.facts, &mut others);
    let blocks = priorities(&slots);
    let mut host = NoTarget::new(facts, &code);
    let graph = Graph {
        cfg: &liveness.cfg,
        succs: &facts.shape.succs,
        numbers: &facts.shape.numbers,
        dominators: liveness.dominators(),
    };
    let f = Function { code: &mut code, slots: &mut slots, ranges: &mut ranges, graph };
    let mut c = Coalescing::new(f, setup.options, &mut host, buffers);
    let counts = c.run(&blocks);
    let mut stage_counts = nvptx_coalescer::Counts::default();
    if let Some(options) = setup.stage {
        // As if each block were one loop deeper than the previous one.
        let nested: Vec<_> = blocks.iter().map(|b| BlockPriority { depth: b.block.raw(), ..*b }).collect();
        let mut stage = NvptxCoalescer::default();
        stage_counts = stage.run(&mut c, &OpcodeTable::default(), &nested, &options, setup.frequencies);
    }
    Coalesced { code, slots, ranges, counts, stage_counts }
}

/// Lists the numbers of the instructions that a block now has.
fn instrs_of(c: &Coalesced, block: usize) -> Vec<InstrId> {
    c.slots.inside(BlockId::new(block)).filter_map(|at| c.slots.instr_at(at)).collect()
}

/// A value: the time of its def, a constant, or `None` if it is undefined.
type Token = Option<u32>;

/// Tokens from here on are constants.
const CONSTANTS: u32 = 1 << 31;

/// Runs the copies, immediate moves and IMPLICIT_DEFs of `instrs` up to the next other instruction,
/// and returns its operands.
fn run_to_next(
    instrs: &mut impl Iterator<Item = (InstrFlags, Vec<Operand>)>,
    regs: &mut BTreeMap<u32, Token>,
) -> Option<Vec<Operand>> {
    for (flags, operands) in instrs.by_ref() {
        let read = |i: usize, regs: &BTreeMap<u32, Token>| {
            let op = operands[i];
            if op.is_undef() {
                None
            } else {
                regs.get(&op.reg().0).copied().flatten()
            }
        };
        let value = if flags.is_copy() {
            read(1, regs)
        } else if flags.is_implicit_def() {
            None
        } else if let Some(value) = constant(&operands) {
            Some(CONSTANTS + value)
        } else {
            return Some(operands);
        };
        regs.insert(operands[0].reg().0, value);
    }
    None
}

/// Runs both versions along one path.
fn check_runs(facts: &FunctionFacts, c: &Coalesced, rng: &mut Rng, seed: u64) {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    let (mut block, mut time) = (0, 0);
    for _ in 0..if FEW { 8 } else { 40 } {
        let mut old = facts.instrs(block.into()).map(|i| (facts.instr_flags[i], facts.operands(i).to_vec()));
        let now = instrs_of(c, block);
        let mut new = now.iter().map(|&i| (c.code.flags(i), c.code.operands(i).collect::<Vec<_>>()));
        loop {
            let a = run_to_next(&mut old, &mut before);
            let b = run_to_next(&mut new, &mut after);
            let (Some(a), Some(b)) = (&a, &b) else {
                assert_eq!(a.is_some(), b.is_some(), "seed {seed}: an instruction is missing");
                break;
            };
            time += 1;
            for (x, y) in a.iter().zip(b).filter(|(x, _)| x.is_use()) {
                let Some(token) = before.get(&x.reg().0).copied().flatten() else { continue };
                assert!(!y.is_undef(), "seed {seed}: block {block} reads something");
                assert_eq!(
                    after.get(&y.reg().0).copied().flatten(),
                    Some(token),
                    "seed {seed}: block {block}"
                );
            }
            for (x, y) in a.iter().zip(b).filter(|(x, _)| x.is_def()) {
                before.insert(x.reg().0, Some(time));
                after.insert(y.reg().0, Some(time));
            }
        }
        let succs = facts.shape.succs.row(BlockId::from_usize(block));
        if succs.is_empty() {
            return;
        }
        block = succs[rng.below(succs.len() as u32) as usize].index();
    }
}

/// Lists where segments are live, regardless of their values. `entry` translates entries.
fn covered(segments: &[Segment], entry: impl Fn(u32) -> u32) -> Vec<Range<SlotIndex>> {
    let mut out: Vec<Range<SlotIndex>> = Vec::new();
    for s in segments {
        let slot = |at: SlotIndex| SlotIndex::new(entry(at.entry()), at.slot());
        match out.last_mut() {
            Some(last) if last.end == slot(s.start) => last.end = slot(s.end),
            _ => out.push(slot(s.start)..slot(s.end)),
        }
    }
    out
}

/// Checks the ranges against the current code. Returns how many are longer than necessary.
fn check_ranges(facts: &FunctionFacts, c: &Coalesced, seed: u64) -> usize {
    let mut now = FunctionFacts::default();
    now.clear(c.code.num_regs(), 0);
    now.shape.clone_from(&facts.shape);
    now.shape.num_virt_regs = c.code.num_regs();
    let mut entries = Vec::new();
    for block in 0..facts.shape.num_blocks() {
        entries.push(c.slots.start(BlockId::new(block)).entry());
        for i in instrs_of(c, block) {
            entries.push(c.code.slot(i).entry());
            push(&mut now, c.code.flags(i), &c.code.operands(i).collect::<Vec<_>>());
        }
        now.end_block();
    }
    entries.push(c.slots.end(BlockId::new(facts.shape.num_blocks() - 1)).entry());
    let (mut liveness, mut longer) = (Liveness::default(), 0);
    let (_, all) = live_ranges(&now, &mut liveness);
    for range in &all.ranges {
        let r = all.owner(range);
        let kept = c.ranges.get(r);
        let expected = covered(all.segments(range), |e| entries[e as usize]);
        let kept_spans = covered(kept.segments, |e| e);
        // As in LLVM, a range may reach to the slot of a dead copy that was erased along with
        // another one.
        let covers =
            |span: &Range<SlotIndex>| kept_spans.iter().any(|k| k.start <= span.start && span.end <= k.end);
        assert!(
            expected.iter().all(covers),
            "seed {seed}: register {r:?}: {expected:?}, kept {kept_spans:?}"
        );
        longer += usize::from(kept_spans != expected);
        for (value, &def) in kept.values.iter_enumerated() {
            let lives = kept.segments.iter().any(|s| s.value == value && s.start == def);
            assert!(def == UNUSED || lives || !kept.segments.iter().any(|s| s.value == value));
        }
    }
    longer
}

/// Coalesces and checks a function generated from the bytes.
#[cfg(fuzzing)]
pub fn fuzz(bytes: &[u8]) {
    let mut rng = Rng::of(bytes);
    let has_implicit_defs = rng.one_in(2);
    let small = rng.one_in(4);
    let options = Options {
        join_global_copies: rng.one_in(2),
        terminal_rule: rng.one_in(2),
        large_interval_size: if small { 2 } else { OPTIONS.large_interval_size },
        large_interval_freq: if small { 1 } else { OPTIONS.large_interval_freq },
        ..OPTIONS
    };
    let mut setup = Setup { options, has_implicit_defs, stage: None, frequencies: None };
    let facts = random_function(&mut rng, setup.has_implicit_defs);
    setup.stage = rng.one_in(2).then_some(nvptx_coalescer::Options::ALL);
    let c = coalesce(&facts, &mut Liveness::default(), setup, &mut Buffers::default());
    for _ in 0..4 {
        check_runs(&facts, &c, &mut rng, 0);
    }
    if !setup.has_implicit_defs {
        check_ranges(&facts, &c, 0);
    }
}
