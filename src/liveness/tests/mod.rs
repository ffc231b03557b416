//! Property tests: phases 4 to 8 and LiveVariables against [`naive`] on the functions of
//! [`random`].
//!
//! **Problem.** The tests with LLVM see the code that compilers make; these see code that no
//! compiler makes. They run both solvers of phase 5, and take the chains in random order. One
//! [`Liveness`] serves all functions: what one function leaves must not show in the next.
//!
//! **Algorithm.** All public results are compared whole: segments with the slots of their values'
//! defs, live-in and live-out of the registers in phase 5, alive blocks, kills in order, flags. The
//! form of the ranges is also checked without the naive solver. A failure names its seed. With
//! `SEED` in the environment the test of that name runs that one function alone.
//!
//! **Source.** None. [`random`] lists what random functions cannot show.

mod naive;
mod pressure;
pub(crate) mod random;

use super::live_variables::{FlagEdit, GroupVariables, Sink};
use super::ranges::{self, LiveRanges, Segment};
use super::slot_index::{Slot, SlotIndex, SlotIndexes};
use super::values::DefId;
use super::values::Occurrences;
use super::{Liveness, LivenessHost, Unsuited};
use crate::adt::PackedOption;
use crate::cfg::Dominators;
use crate::fuzzing::{cases, FEW};
use crate::mir::{BlockId, FunctionFacts, InstrFlags, InstrId, Operand, RegUnit, Register, VRegId};
use allocation_counter::{measure, opt_out};
use naive::{NaiveSegment, Program, RegEvents, Solution};
use random::{sample, Rng, Sample, Shape};
use std::collections::BTreeSet;

const SSA: Shape = Shape { ssa: true, unreachable: false, bundles: true, repeated_defs: true };
const MANY_DEFS: Shape = Shape { ssa: false, ..SSA };
/// The functions that LiveVariables accepts.
const PLAIN_SSA: Shape = Shape { bundles: false, repeated_defs: false, ..SSA };

/// Answers from the naive reading of a function. Its own allocations do not count.
struct TestHost<'a> {
    sample: &'a Sample,
    program: &'a Program,
    /// Orders the chains.
    chains: u64,
    asked_for_dominators: bool,
}

impl<'a> TestHost<'a> {
    fn new(sample: &'a Sample, program: &'a Program, chains: u64) -> Self {
        TestHost { sample, program, chains, asked_for_dominators: false }
    }
    /// Returns the slots of the defs and uses of `reg`, shuffled the same way at each call.
    fn chain(&self, reg: usize) -> (Vec<SlotIndex>, Vec<SlotIndex>) {
        let RegEvents { mut chain_defs, mut chain_uses, .. } = self.program.regs[reg].clone();
        let mut rng = Rng::new(self.chains << 16 | reg as u64);
        rng.shuffle(&mut chain_defs);
        rng.shuffle(&mut chain_uses);
        (chain_defs, chain_uses)
    }
}

impl LivenessHost for TestHost<'_> {
    fn is_predicate(&mut self, reg: VRegId) -> bool {
        self.sample.predicates[reg.index()]
    }
    fn def_order(&mut self, reg: VRegId, defs: &[u32], out: &mut Vec<DefId>) -> Result<(), Unsuited> {
        uncounted(|| {
            let in_order = RegEvents::defs_in_order_of(&self.chain(reg.index()).0);
            assert_eq!(in_order.len(), defs.len(), "register {reg:?}");
            out.clear();
            out.extend(in_order.iter().map(|slot| {
                let position = defs.iter().position(|&def| def == slot.entry());
                DefId::from_usize(position.expect("a def of the chain"))
            }));
        });
        Ok(())
    }
    fn use_order(
        &mut self,
        reg: VRegId,
        slots: &SlotIndexes,
        out: &mut Vec<SlotIndex>,
    ) -> Result<(), Unsuited> {
        let n = self.program.num_blocks();
        assert_eq!(slots.start((n - 1).into()), self.program.starts[n - 1]);
        uncounted(|| {
            out.clear();
            out.extend(self.chain(reg.index()).1);
        });
        Ok(())
    }
    fn dominators(&mut self, out: &mut Dominators) {
        assert!(!std::mem::replace(&mut self.asked_for_dominators, true), "asked for twice");
        uncounted(|| {
            let idoms = self.program.idoms().into_iter();
            out.idom.clear();
            out.idom.extend(idoms.map(|i| PackedOption::from(i.map(BlockId::from_usize))));
            out.reachable = self.program.reachable.clone().into();
        });
    }
}

/// Runs `f`, whose allocations do not count for [`measure`].
fn uncounted<T>(f: impl FnOnce() -> T) -> T {
    let mut result = None;
    opt_out(|| result = Some(f()));
    result.expect("it has run")
}

/// A range, taken out of the arenas.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Range {
    reg: usize,
    values: Vec<SlotIndex>,
    segments: Vec<Segment>,
    dead_defs: BTreeSet<SlotIndex>,
}

impl Range {
    fn new(reg: usize, values: &[SlotIndex], segments: &[Segment]) -> Range {
        let (values, segments) = (values.to_vec(), segments.to_vec());
        let dead = segments.iter().filter(|s| s.end == s.start.dead() && values[s.value.index()] == s.start);
        let dead_defs = dead.map(|s| s.start).collect();
        Range { reg, values, segments, dead_defs }
    }
    /// Returns the segments with the slots where their values are defined.
    fn segments(&self) -> Vec<NaiveSegment> {
        self.segments.iter().map(|s| (s.start, s.end, self.values[s.value.index()])).collect()
    }
}

/// Computes LiveIntervals of a function.
fn live_ranges(
    liveness: &mut Liveness,
    fast_compile: bool,
    host: &mut TestHost,
) -> Result<LiveRanges, Unsuited> {
    let function = &host.sample.function;
    liveness.analyze(&function.shape, &mut { function }, fast_compile, host)?;
    let mut all = LiveRanges::default();
    liveness.live_intervals(&function.shape, host, &mut all)?;
    liveness.append_local(&mut all);
    Ok(all)
}

/// Computes the ranges of [`live_ranges`], taken apart and sorted by register.
fn intervals(
    liveness: &mut Liveness,
    fast_compile: bool,
    host: &mut TestHost,
) -> Result<Vec<Range>, Unsuited> {
    let all = live_ranges(liveness, fast_compile, host)?;
    let mut ranges = Vec::new();
    for range in &all.ranges {
        let ours = Range::new(all.owner(range).index(), all.values(range), all.segments(range));
        assert_eq!(ours.dead_defs, all.dead_defs(range).collect());
        ranges.push(ours);
    }
    ranges.sort_by_key(|r| r.reg);
    Ok(ranges)
}

/// Runs LLVM's search for every use in the order of the chain, nothing left out. Must come after
/// [`intervals`].
fn full_search(liveness: &mut Liveness, reg: usize, host: &mut TestHost) -> Range {
    let (defs, uses) = host.chain(reg);
    let occurrences = Occurrences { defs, uses };
    let result =
        liveness.resolve_unit(&host.sample.function.shape, RegUnit::from_usize(reg), &occurrences, host);
    assert_eq!(result, Ok(()));
    let range = liveness.unit_ranges.ranges.last().expect("appended");
    Range::new(reg, liveness.unit_ranges.values(range), liveness.unit_ranges.segments(range))
}

/// The LiveVariables of a register: alive blocks by number, and kills.
struct VarInfo {
    reg: usize,
    alive: Vec<u32>,
    kills: Vec<usize>,
}

/// Keeps nothing.
struct NoSink;

impl ranges::Sink for NoSink {
    fn ranges(&mut self, _: &LiveRanges) {}
}

impl Sink for NoSink {
    fn group(&mut self, _: &GroupVariables) {}
    fn edit(&mut self, _: FlagEdit) {}
}

/// Keeps everything.
struct Collect<'a> {
    program: &'a Program,
    infos: Vec<VarInfo>,
    edits: Vec<FlagEdit>,
}

impl Collect<'_> {
    fn instr(&self, entry: u32) -> usize {
        self.program.entries.iter().position(|&e| e == entry).expect("an instruction")
    }
}

impl Sink for Collect<'_> {
    fn group(&mut self, group: &GroupVariables) {
        let list = |all: &[u32], first: u32, n: u32| all[first as usize..][..n as usize].to_vec();
        for i in &group.infos {
            let kills = list(&group.kills, i.first_kill, i.num_kills);
            self.infos.push(VarInfo {
                reg: i.reg as usize,
                alive: list(&group.alive, i.first_alive, i.num_alive),
                kills: kills.into_iter().map(|entry| self.instr(entry)).collect(),
            });
        }
    }
    fn edit(&mut self, edit: FlagEdit) {
        self.edits.push(edit);
    }
}

/// Returns all registers, in order, and the edits.
fn live_variables(
    liveness: &mut Liveness,
    fast_compile: bool,
    host: &mut TestHost,
    group: &mut GroupVariables,
) -> Result<(Vec<VarInfo>, Vec<FlagEdit>), Unsuited> {
    let function = &host.sample.function;
    liveness.analyze(&function.shape, &mut { function }, fast_compile, host)?;
    let mut all = Collect { program: host.program, infos: Vec::new(), edits: Vec::new() };
    liveness.live_variables(&function.shape, group, &mut all)?;
    for reg in liveness.facts.last.indices().filter(|&reg| liveness.facts.is_local(reg)) {
        let kill = liveness.facts.last[reg].end.entry();
        all.infos.push(VarInfo { reg: reg.index(), alive: Vec::new(), kills: vec![all.instr(kill)] });
    }
    all.infos.sort_by_key(|i| i.reg);
    Ok((all.infos, all.edits))
}

/// Checks the sets of phase 5. Its registers are live in and out where they should be. Every
/// register that has one def and crosses a boundary of blocks takes part once, in the set of its
/// class.
fn check_sets(liveness: &mut Liveness, sample: &Sample, program: &Program, naive: &[Option<Solution>]) {
    let n = program.num_blocks();
    let mut taking_part = vec![false; naive.len()];
    for group in 0..liveness.sets.num_groups() {
        liveness.propagate(group);
        let mut rows = Vec::new();
        liveness.sets.drain(group, |_, block, sets| rows.push((block, sets)));
        assert!(rows.is_sorted_by_key(|r| r.0));
        for class in 0..2 {
            for (bit, &reg) in liveness.sets.group(class, group).iter().enumerate() {
                let reg = reg.index();
                assert_eq!(usize::from(sample.predicates[reg]), class, "register {reg}");
                assert!(!std::mem::replace(&mut taking_part[reg], true), "register {reg}: twice");
                let mut live_in = vec![false; n];
                let mut live_out = vec![false; n];
                for (block, sets) in &rows {
                    live_in[block.index()] = sets.live_in[class] >> bit & 1 != 0;
                    live_out[block.index()] = sets.live_out[class] >> bit & 1 != 0;
                }
                let expected = naive[reg].as_ref().expect("named");
                assert_eq!(live_in, expected.live_in, "live in, register {reg}");
                assert_eq!(live_out, expected.live_out, "live out, register {reg}");
            }
            let bits = liveness.sets.group(class, group).len();
            let beyond = if bits == 64 { 0 } else { !0 << bits };
            for (_, sets) in &rows {
                assert_eq!((sets.live_in[class] | sets.live_out[class]) & beyond, 0, "tail of group {group}");
            }
        }
    }
    for (reg, solution) in naive.iter().enumerate() {
        let global = solution.as_ref().is_some_and(|s| s.live_out.contains(&true));
        if program.num_defs(reg) == 1 {
            assert_eq!(taking_part[reg], global, "register {reg}");
        } else {
            assert!(global || !taking_part[reg], "register {reg}");
        }
    }
}

/// Checks the form of a range by itself. Segments are ordered, disjoint, and joined where they can
/// be. Values are numbered as the chain has their defs, PHI-defs last. There is a PHI-def wherever
/// predecessors differ, and nowhere else.
fn check_form(range: &Range, program: &Program, chain: &[SlotIndex]) {
    let Range { values, segments, .. } = range;
    for s in segments {
        assert!(s.start < s.end && s.value.index() < values.len(), "{s:?}");
    }
    for pair in segments.windows(2) {
        assert!(pair[0].end <= pair[1].start, "{pair:?}");
        assert!(pair[0].end < pair[1].start || pair[0].value != pair[1].value, "{pair:?}");
    }
    let defs = RegEvents::defs_in_order_of(chain);
    assert_eq!(&values[..defs.len()], defs, "values are numbered in the order of the chain");
    let phis = &values[defs.len()..];
    assert_eq!(phis.iter().collect::<BTreeSet<_>>().len(), phis.len(), "PHI-defs {phis:?}");
    assert!(phis.iter().all(|p| program.starts[..program.num_blocks()].contains(p)), "PHI-defs {phis:?}");
    for (value, &def) in values.iter().enumerate() {
        // A PHI-def may be in the middle, if the block before in layout brings the same value.
        let begins = |s: &&Segment| s.start == def || value >= defs.len() && s.start < def && def < s.end;
        assert!(segments.iter().filter(begins).any(|s| s.value.index() == value), "value {value}");
        assert_eq!(def.is_block(), value >= defs.len(), "value {value}");
    }
    let at = |p: SlotIndex| {
        let s = &segments[..segments.partition_point(|s| s.start <= p)];
        s.last().filter(|s| p < s.end).map(|s| s.value.index())
    };
    for block in (0..program.num_blocks()).filter(|&b| program.reachable[b]) {
        let start = program.starts[block];
        let Some(live_in) = at(start) else { continue };
        let preds = || program.preds[block].iter().filter(|&&p| program.reachable[p]);
        assert_ne!(preds().count(), 0, "live into the entry");
        let brought: BTreeSet<usize> =
            preds().map(|&p| at(program.end(p).prev()).expect("live out of a predecessor")).collect();
        if values[live_in] == start {
            let others = brought.iter().filter(|&&v| v != live_in).count();
            // An unreachable predecessor may bring another value.
            let all_reachable = preds().count() == program.preds[block].len();
            assert!(others > 1 || !all_reachable, "superfluous PHI-def, block {block}");
        } else {
            assert_eq!(brought.into_iter().collect::<Vec<_>>(), [live_in], "no PHI-def, block {block}");
        }
    }
}

/// Checks the ranges of a function.
fn check_ranges(ranges: &[Range], host: &TestHost, naive: &[Option<Solution>]) {
    let named: Vec<usize> = (0..naive.len()).filter(|&r| naive[r].is_some()).collect();
    let regs: Vec<usize> = ranges.iter().map(|r| r.reg).collect();
    assert_eq!(regs, named, "one range for each register that is named, in order");
    for range in ranges {
        let reg = range.reg;
        let solution = naive[reg].as_ref().expect("named");
        assert_eq!(range.segments(), solution.segments, "register {reg}");
        check_form(range, host.program, &host.chain(reg).0);
        let num_phis = solution.phis.iter().filter(|&&p| p).count();
        assert_eq!(range.values.len(), host.program.num_defs(reg) + num_phis, "register {reg}");
        // A def that is never read is live only within its instruction.
        let defs = RegEvents::defs_in_order_of(&host.program.regs[reg].chain_defs);
        let is_dead = |d: &SlotIndex| solution.segments.contains(&(*d, d.dead(), *d));
        assert_eq!(
            range.dead_defs,
            defs.into_iter().filter(is_dead).collect(),
            "dead defs of register {reg}"
        );
    }
}

fn solve_all(program: &Program, values: impl Fn(usize) -> bool) -> Vec<Option<Solution>> {
    (0..program.regs.len())
        .map(|reg| program.regs[reg].named.then(|| program.solve(reg, values(reg))))
        .collect()
}

/// Runs `check` for this many seeds, or for the one in the environment.
fn for_seeds(first: u64, count: u64, mut check: impl FnMut(u64)) {
    let one = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let seeds = one.map_or(first..first + cases(count), |seed| seed..seed + 1);
    for seed in seeds {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(seed)));
        assert!(result.is_ok(), "seed {seed}, see above");
    }
}

/// Compares sets and ranges of both methods, for this many functions of a shape, one after the
/// other in one object.
fn compare(shape: Shape, first: u64, count: u64) {
    let mut liveness = Liveness::default();
    for_seeds(first, count, |seed| {
        let sample = sample(seed, shape);
        let program = Program::of(&sample.function);
        let naive = solve_all(&program, |_| true);
        for fast_compile in [false, true] {
            let mut host = TestHost::new(&sample, &program, seed + u64::from(fast_compile));
            let ranges = intervals(&mut liveness, fast_compile, &mut host).expect("every use has a def");
            check_ranges(&ranges, &host, &naive);
            check_sets(&mut liveness, &sample, &program, &naive);
        }
    });
}

#[test]
fn l3_ranges_are_the_naive_ones_on_1000_ssa_functions() {
    compare(SSA, 0, 1000);
}

#[test]
fn l4_ranges_are_the_naive_ones_on_1500_functions_with_many_defs() {
    compare(MANY_DEFS, 10_000, 1500);
}

#[test]
fn l5_sets_are_the_naive_ones_on_600_ssa_functions_with_unreachable_blocks() {
    compare(Shape { unreachable: true, ..SSA }, 20_000, 600);
}

/// Small functions take the bypass in any case, so only the others are of interest. The naive
/// solver is not used, so there can be more functions.
#[test]
fn l6_bypass_and_fixed_point_agree_on_3000_functions() {
    let (mut fixed_point, mut bypass) = (Liveness::default(), Liveness::default());
    for_seeds(30_000, 3000, |seed| {
        let shape = Shape { unreachable: seed % 2 == 0, ..if seed % 3 == 0 { MANY_DEFS } else { SSA } };
        let sample = sample(seed, shape);
        let program = Program::of(&sample.function);
        let mut host = TestHost::new(&sample, &program, seed);
        let expected = intervals(&mut fixed_point, false, &mut host);
        let mut host = TestHost::new(&sample, &program, seed);
        assert_eq!(expected, intervals(&mut bypass, true, &mut host));
        assert!(expected.is_ok(), "every use has a def");
    });
}

/// Returns for every register the slots of its values, sorted, and its segments with values
/// numbered in that order.
fn places(liveness: &mut Liveness, sample: &Sample, program: &Program, chains: u64) -> Vec<Range> {
    let mut host = TestHost::new(sample, program, chains);
    let mut ranges = intervals(liveness, false, &mut host).expect("every use has a def");
    for range in &mut ranges {
        let mut sorted = range.values.clone();
        sorted.sort_unstable();
        for segment in &mut range.segments {
            let def = range.values[segment.value.index()];
            segment.value = sorted.binary_search(&def).expect("the same values").into();
        }
        range.values = sorted;
    }
    ranges
}

/// The order of a chain decides how values are numbered, and nothing else.
#[test]
fn l3_phi_defs_do_not_depend_on_the_order_of_chains_in_1000_functions() {
    let mut liveness = Liveness::default();
    for_seeds(40_000, 1000, |seed| {
        let sample = sample(seed, MANY_DEFS);
        let program = Program::of(&sample.function);
        let expected = places(&mut liveness, &sample, &program, seed);
        for chains in 1..3 {
            assert_eq!(expected, places(&mut liveness, &sample, &program, seed + chains * 1000));
        }
    });
}

/// With unreachable blocks it decides more, in LLVM as well. A search from one use fills in what
/// such blocks bring, and a search from another use takes that for a value. So there the order must
/// be LLVM's. Seed 50932 is an example with six blocks.
#[test]
fn l3_with_unreachable_blocks_phi_defs_do_depend_on_the_order_of_chains() {
    let mut liveness = Liveness::default();
    let mut depend = 0;
    for seed in 50_800..50_800 + cases(200) {
        let sample = sample(seed, Shape { unreachable: true, ..MANY_DEFS });
        let program = Program::of(&sample.function);
        let [a, b] = [0, 1].map(|chains| places(&mut liveness, &sample, &program, seed + chains * 1000));
        let differ = a.iter().zip(&b).any(|(a, b)| a.values != b.values);
        assert!(!differ || program.reachable.contains(&false), "seed {seed}");
        depend += usize::from(differ);
    }
    assert!(FEW || depend > 0);
}

/// LLVM searches for every use, in the order of the chain. The searches that are left out here must
/// not change the result, not even a number.
fn compare_with_full_search(shape: Shape, first: u64, count: u64) {
    let mut liveness = Liveness::default();
    for_seeds(first, count, |seed| {
        let sample = sample(seed, shape);
        let program = Program::of(&sample.function);
        let mut host = TestHost::new(&sample, &program, seed);
        let ranges = intervals(&mut liveness, false, &mut host).expect("every use has a def");
        for range in ranges.iter().filter(|r| program.num_defs(r.reg) > 1) {
            assert_eq!(*range, full_search(&mut liveness, range.reg, &mut host));
        }
    });
}

#[test]
fn l3_numbers_are_those_of_a_search_for_every_use_in_1000_functions() {
    compare_with_full_search(MANY_DEFS, 50_000, 1000);
}

#[test]
fn l3_numbers_are_those_of_a_search_for_every_use_in_1000_functions_with_unreachable_blocks() {
    compare_with_full_search(Shape { unreachable: true, ..MANY_DEFS }, 50_000, 1000);
}

/// Memory that one function allocated serves the next one: no block, segment or value costs an
/// allocation.
#[test]
fn l7_a_function_of_known_size_allocates_nothing_in_600_functions() {
    let mut liveness = Liveness::default();
    let mut group = GroupVariables::default();
    let mut first_time = 0;
    for_seeds(80_000, 600, |seed| {
        let ssa = seed % 2 == 0;
        let sample = sample(seed, if ssa { PLAIN_SSA } else { MANY_DEFS });
        let program = Program::of(&sample.function);
        let twice = [(); 2].map(|()| {
            let mut host = TestHost::new(&sample, &program, seed);
            let code = &sample.function;
            measure(|| {
                assert!(liveness.analyze(&code.shape, &mut { code }, false, &mut host).is_ok());
                if ssa {
                    assert!(liveness.live_variables(&code.shape, &mut group, &mut NoSink).is_ok());
                } else {
                    assert!(liveness.live_intervals(&code.shape, &mut host, &mut NoSink).is_ok());
                }
            })
        });
        assert_eq!(twice[1].count_total, 0);
        first_time += u64::from(twice[0].count_total > 0);
    });
    assert!(first_time > 0, "nothing was counted");
}

#[test]
fn l1_live_variables_are_those_of_llvms_walk_on_1500_ssa_functions() {
    let mut liveness = Liveness::default();
    let mut group = GroupVariables::default();
    for_seeds(60_000, 1500, |seed| {
        let mut sample = sample(seed, PLAIN_SSA);
        let program = Program::of(&sample.function);
        let expected = naive::live_variables(&sample.function, &program);
        check_against_points(&sample.function, &program, &expected);
        for fast_compile in [false, true] {
            let mut host = TestHost::new(&sample, &program, seed);
            let (infos, _) =
                live_variables(&mut liveness, fast_compile, &mut host, &mut group).expect("plain SSA");
            let regs: Vec<_> = infos.iter().map(|i| i.reg).collect();
            let defined: Vec<_> = (0..expected.len()).filter(|&r| expected[r].def.is_some()).collect();
            assert_eq!(regs, defined, "one for each register that is defined, in order");
            for VarInfo { reg, alive, kills } in infos {
                let numbers: BTreeSet<u32> =
                    expected[reg].alive.iter().map(|&b| sample.function.shape.numbers[b].raw()).collect();
                assert_eq!(alive.len(), numbers.len(), "register {reg}");
                assert_eq!(alive.into_iter().collect::<BTreeSet<_>>(), numbers, "register {reg}");
                assert_eq!(
                    kills,
                    expected[reg].kills.iter().map(|k| k.1).collect::<Vec<_>>(),
                    "register {reg}"
                );
            }
        }
        check_flags(&mut sample, &program, &mut liveness, &expected, &mut Rng::new(seed));
    });
}

/// LLVM's walk and the definition by points say the same, so neither transcript is wrong alone.
fn check_against_points(f: &FunctionFacts, program: &Program, infos: &[naive::NaiveVarInfo]) {
    let order = program.preorder();
    for (reg, info) in infos.iter().enumerate() {
        let Some((def_block, def)) = info.def else { continue };
        let live_out = program.solve(reg, false).live_out;
        let alive = (0..live_out.len()).filter(|&b| live_out[b] && b != def_block);
        assert_eq!(alive.collect::<BTreeSet<_>>(), info.alive, "register {reg}");
        let last_use = |block: usize| {
            let reads = |i: &InstrId| {
                let named = |op: &&Operand| op.is_reg() && op.reg() == Register::virt(reg as u32);
                !f.is_phi(*i) && f.operands(*i).iter().filter(named).any(|op| op.reads() && !op.is_debug())
            };
            f.instrs(block.into()).rev().find(reads).or((block == def_block).then_some(def))
        };
        let kills = order.iter().filter(|&&b| !live_out[b]).filter_map(|&b| Some((b, last_use(b)?)));
        assert_eq!(kills.collect::<Vec<_>>(), info.kills, "register {reg}");
    }
}

/// Applies the edits to a function in which some flags are already set, and checks all flags.
fn check_flags(
    sample: &mut Sample,
    program: &Program,
    liveness: &mut Liveness,
    infos: &[naive::NaiveVarInfo],
    rng: &mut Rng,
) {
    let f = &mut sample.function;
    // Only defs that are dead may be flagged dead beforehand.
    let dead = |i: InstrId, op: Operand| {
        op.is_def() && op.reg().is_virtual() && infos[op.reg().virt_index()].kills.iter().any(|k| k.1 == i)
    };
    for i in f.instr_flags.indices() {
        for at in f.first_operand[i] as usize..f.first_operand[i + 1] as usize {
            if dead(i, f.operands[at]) && rng.percent(30) {
                f.operands[at] = f.operands[at].test_flag(Operand::DEAD_OR_KILL_SHIFT);
            }
        }
    }
    let mut after = f.operands.clone();
    let first_operand = f.first_operand.clone();
    let mut host = TestHost::new(sample, program, 0);
    let (_, edits) =
        live_variables(liveness, false, &mut host, &mut GroupVariables::default()).expect("plain SSA");
    let f = &sample.function;
    let instr = |entry: u32| {
        InstrId::from_usize(program.entries.iter().position(|&e| e == entry).expect("an instruction"))
    };
    for edit in &edits {
        match *edit {
            FlagEdit::SetKill { entry, operand } => {
                let op = &mut after[first_operand[instr(entry)] as usize + operand as usize];
                assert!(!op.is_kill(), "nothing to edit");
                *op = op.with_kill(true);
            }
            FlagEdit::ClearKill { entry, operand } => {
                let op = &mut after[first_operand[instr(entry)] as usize + operand as usize];
                assert!(op.is_kill(), "nothing to edit");
                *op = op.with_kill(false);
            }
            FlagEdit::Dead { entry, reg } => {
                let i = instr(entry);
                let range = first_operand[i] as usize..first_operand[i + 1] as usize;
                let defs = after[range].iter_mut().filter(|op| op.is_def() && op.vreg() == Some(reg));
                defs.for_each(|op| *op = op.test_flag(Operand::DEAD_OR_KILL_SHIFT));
            }
        }
    }
    for i in f.instr_flags.indices() {
        let mut killed: BTreeSet<Register> = BTreeSet::new();
        for (at, op) in (first_operand[i] as usize..first_operand[i + 1] as usize).map(|at| (at, after[at])) {
            if !op.is_reg() || !op.reg().is_virtual() {
                continue;
            }
            if op.is_def() {
                assert_eq!(op.is_dead(), dead(i, op), "dead flag, {i:?}, {op:?}");
            } else if f.is_phi(i) {
                assert_eq!(op.is_kill(), f.operands[at].is_kill(), "PHIs are left alone");
            } else {
                let info = &infos[op.reg().virt_index()];
                let last = info.def.is_some_and(|d| d.1 != i) && info.kills.iter().any(|k| k.1 == i);
                let kill = last && op.reads() && !op.is_debug() && killed.insert(op.reg());
                assert_eq!(op.is_kill(), kill, "kill flag, {i:?}, {op:?}");
            }
        }
    }
}

#[test]
fn l1_what_live_variables_cannot_take_is_refused() {
    let mut liveness = Liveness::default();
    let mut group = GroupVariables::default();
    let mut refused = [0; 4];
    for_seeds(70_000, 300, |seed| {
        let shape = Shape { ssa: seed % 2 == 0, unreachable: seed % 3 == 0, ..SSA };
        let sample = sample(seed, shape);
        let program = Program::of(&sample.function);
        let mut host = TestHost::new(&sample, &program, seed);
        let got = live_variables(&mut liveness, false, &mut host, &mut group).map(drop);
        let bundles = sample.function.instr_flags.iter().any(|f| f.is_in_bundle());
        let not_ssa =
            program.reachable.contains(&false) || (0..program.regs.len()).any(|r| program.num_defs(r) > 1);
        refused[usize::from(bundles) + 2 * usize::from(not_ssa)] += 1;
        match (bundles, not_ssa) {
            (false, false) => assert_eq!(got, Ok(())),
            (true, false) => assert_eq!(got, Err(Unsuited::Bundles)),
            (false, true) => assert_eq!(got, Err(Unsuited::NotSsa)),
            (true, true) => assert!(got.is_err()),
        }
    });
    assert!(FEW || refused.iter().all(|&n| n > 0), "{refused:?}");
}

#[test]
fn l3_a_use_that_no_def_reaches_is_refused_in_500_functions() {
    let mut liveness = Liveness::default();
    for_seeds(80_000, 500, |seed| {
        let mut sample = sample(seed, if seed % 2 == 0 { SSA } else { MANY_DEFS });
        // The last use of a register that nothing defines goes to the end of the function.
        let reg = Register::virt(sample.function.shape.num_virt_regs as u32);
        let f = &mut sample.function;
        f.shape.num_virt_regs += 1;
        f.operands.push(Operand::test_reg(reg, false, false));
        f.first_operand.push(f.operands.len() as u32);
        f.num_operands.push(1);
        f.instr_flags.push(InstrFlags::NONE);
        *f.first_instr.last_mut().expect("one more than blocks") += 1;
        sample.predicates.push(false);
        let program = Program::of(&sample.function);
        let mut host = TestHost::new(&sample, &program, seed);
        let got = intervals(&mut liveness, false, &mut host);
        assert_eq!(got, Err(Unsuited::UseWithoutDef));
    });
}

/// A random test that no longer reaches its cases does not fail by itself. This counts the cases.
#[test]
#[cfg_attr(miri, ignore = "counts over many cases")]
fn the_functions_have_what_they_are_for() {
    let [mut phi_defs, mut several_phis, mut early, mut overflow, mut critical, mut irreducible] = [0; 6];
    for seed in 0..200 {
        let sample = sample(seed, if seed % 2 == 0 { MANY_DEFS } else { SSA });
        let program = Program::of(&sample.function);
        let (succs, preds) = (&program.succs, &program.preds);
        critical += succs.iter().filter(|s| s.len() > 1 && s.iter().any(|&s| preds[s].len() > 1)).count();
        irreducible += usize::from(!reducible(&program));
        let mut live = [0; 2];
        for reg in 0..program.regs.len() {
            let solution = program.solve(reg, true);
            let phis = solution.phis.iter().filter(|&&p| p).count();
            phi_defs += phis;
            several_phis += usize::from(phis > 1);
            early += usize::from(solution.segments.iter().any(|s| s.0.slot() == Slot::EarlyClobber));
            let one_def = program.num_defs(reg) == 1 && solution.live_in.contains(&true);
            live[usize::from(sample.predicates[reg])] += usize::from(one_def);
        }
        overflow += usize::from(live[0] > 64 || live[1] > 64);
    }
    let counts = [phi_defs, several_phis, early, overflow, critical, irreducible];
    assert!(counts.into_iter().zip([2000, 400, 600, 1, 100, 20]).all(|(n, least)| n >= least), "{counts:?}");
}

/// Returns whether every edge that goes back in a depth-first order goes to a dominator.
fn reducible(program: &Program) -> bool {
    let idoms = program.idoms();
    let dominates = |a: usize, mut b: usize| loop {
        match idoms[b] {
            _ if a == b => return true,
            Some(up) => b = up,
            None => return false,
        }
    };
    // A reducible graph has no cycle without the edges to dominators.
    let mut left: Vec<usize> = (0..idoms.len()).collect();
    loop {
        let before = left.len();
        let keep = |b: &usize| program.preds[*b].iter().any(|p| left.contains(p) && !dominates(*b, *p));
        left = left.iter().copied().filter(keep).collect();
        if left.len() == before {
            return left.is_empty();
        }
    }
}
