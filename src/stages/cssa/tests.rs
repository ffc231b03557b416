//! Property tests: the classes of random functions in SSA form, by brute force.
//!
//! **Algorithm.** Some instructions of a random function are taken for copies and constants. Its classes are then looked
//! at from three sides: at every slot all nodes of a class that are live have one value; the function without PHIs, run
//! beside the one in SSA form along random paths, reads the same values; and what is said of a class's liveness is
//! what a plain dataflow says of that function.

use super::classes::{Classes, Kind};
use super::variables::Variables;
use super::{mark_useful, Candidate, Function, Graph, Method, Phi, Source, NONE};
use crate::cfg::graph::Dominators;
use crate::fuzzing::{cases, FEW};
use crate::liveness::ranges::LiveRanges;
use crate::liveness::slot_index::{Slot, SlotIndex, SlotIndexes};
use crate::liveness::tests::random::{sample, Rng, Shape};
use crate::liveness::{Host, Liveness, Unsuited};
use crate::mir::FunctionFacts;
use std::collections::{BTreeMap, BTreeSet};

const SSA: Shape = Shape { ssa: true, unreachable: false, bundles: false, repeated_defs: false };

struct NoHost;

impl Host for NoHost {
    fn is_predicate(&mut self, _: u32) -> bool {
        false
    }
    fn def_order(&mut self, _: u32, _: &[u32], _: &mut Vec<u32>) -> Result<(), Unsuited> {
        unreachable!("one def of each register")
    }
    fn use_order(&mut self, _: u32, _: &SlotIndexes, _: &mut Vec<SlotIndex>) -> Result<(), Unsuited> {
        unreachable!("one def of each register")
    }
    fn dominators(&mut self, _: &mut Dominators) {
        unreachable!("one def of each register")
    }
}

/// What an instruction does in these tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Does {
    Copy(usize),
    Constant(u64),
    Else,
}

struct Sample {
    facts: FunctionFacts,
    /// By register: PHIs and others.
    does: BTreeMap<usize, Does>,
    f: Function,
    liveness: Liveness,
    dominators: Dominators,
    /// By register, its candidate.
    candidate: Vec<u32>,
}

fn uses(facts: &FunctionFacts, i: usize) -> Vec<usize> {
    let ops = facts.operands(i).iter();
    ops.filter(|op| op.is_virtual() && op.reads() && !op.is_debug()).map(|op| op.reg().virt_index()).collect()
}

fn defs(facts: &FunctionFacts, i: usize) -> Vec<usize> {
    facts
        .operands(i)
        .iter()
        .filter(|op| op.is_virtual() && op.is_def())
        .map(|op| op.reg().virt_index())
        .collect()
}

fn read(seed: u64) -> Option<Sample> {
    let mut facts = sample(seed, SSA).function;
    // Parts of registers are of no interest here.
    facts.operands.iter_mut().filter(|op| op.is_virtual()).for_each(|op| *op = op.with_reg(op.reg()));
    for i in (0..facts.num_instrs()).filter(|&i| facts.is_phi(i)).collect::<Vec<_>>() {
        let ops = facts.operands_mut(i);
        for at in (1..ops.len()).step_by(2) {
            // Over a second edge from one block comes the same value.
            let of_block = |other: &usize| ops[other + 1].block_number() == ops[at + 1].block_number();
            let first = (1..=at).step_by(2).find(of_block).expect("at least itself");
            ops[at] = ops[first];
        }
    }
    let mut liveness = Liveness::default();
    let mut ranges = LiveRanges::default();
    liveness.analyze(&facts.shape, &mut &facts, false, &mut NoHost).expect("SSA");
    liveness.live_intervals(&facts.shape, &mut NoHost, &mut ranges).expect("SSA");
    liveness.for_each_local(|reg, piece| ranges.push_range(reg, &[piece.start], &[piece.segment()]));
    if !liveness.facts.many_defs.is_empty() {
        return None;
    }
    let mut dominators = Dominators::default();
    dominators.compute(&liveness.cfg);

    let mut does = BTreeMap::new();
    for i in (0..facts.num_instrs()).filter(|&i| !facts.is_phi(i)) {
        if let [def] = defs(&facts, i)[..] {
            let kind = match uses(&facts, i)[..] {
                [] if def % 2 == 0 => Does::Constant((def / 2 % 2) as u64),
                [src] if def % 3 != 0 => Does::Copy(src),
                _ => Does::Else,
            };
            does.insert(def, kind);
        }
    }
    let mut s = Sample {
        candidate: vec![NONE; facts.shape.num_virt_regs],
        facts,
        does,
        f: Function::default(),
        liveness,
        dominators,
    };
    s.fill(&ranges);
    Some(s)
}

impl Sample {
    fn graph(&self) -> Graph<'_> {
        Graph { slots: &self.liveness.slots, dominators: &self.dominators, succs: &self.facts.shape.succs }
    }

    fn value(&self, mut reg: usize) -> usize {
        while let Some(&Does::Copy(src)) = self.does.get(&reg) {
            reg = src;
        }
        reg
    }

    fn fill(&mut self, ranges: &LiveRanges) {
        let blocks = self.facts.shape.num_blocks();
        self.f.ends = (0..blocks).map(|b| self.liveness.slots.end(b).prev()).collect();
        self.f.weights = (0..blocks as u32).map(|b| b * 7 % 3).collect();
        let mut values = vec![NONE; self.facts.shape.num_virt_regs];
        let useful = self.useful_phis();
        for block in 0..blocks {
            let phis: Vec<_> = self.facts.instrs(block).filter(|&i| self.facts.is_phi(i)).collect();
            for i in phis {
                let ops = self.facts.operands(i).to_vec();
                let is_useful = useful.contains(&i);
                let result = match is_useful {
                    true => self.candidate(ranges, &mut values, ops[0].reg().virt_index()),
                    false => NONE,
                };
                let first = self.f.sources.len();
                for pair in ops[1..].chunks_exact(2) {
                    let pred = self.facts.shape.by_number[pair[1].block_number() as usize];
                    if self.f.sources[first..].iter().any(|s| s.pred == pred) {
                        continue;
                    }
                    let candidate = match is_useful && pair[0].reads() {
                        true => self.candidate(ranges, &mut values, pair[0].reg().virt_index()),
                        false => NONE,
                    };
                    self.f.sources.push(Source { pred, candidate });
                }
                let sources = first as u32..self.f.sources.len() as u32;
                self.f.phis.push(Phi { index: i, block: block as u32, result, sources, class: 0 });
            }
        }
        for (p, phi) in self.f.phis.iter().enumerate().filter(|p| p.1.result != NONE) {
            self.f.candidates[phi.result as usize].phi = p as u32;
        }
    }
}

impl Sample {
    /// PHIs, as instructions.
    fn useful_phis(&self) -> BTreeSet<usize> {
        let facts = &self.facts;
        let phis: Vec<usize> = (0..facts.num_instrs()).filter(|&i| facts.is_phi(i)).collect();
        let result = |i: usize| facts.operands(i)[0].reg().virt_index();
        let others: BTreeSet<usize> =
            (0..facts.num_instrs()).filter(|&i| !facts.is_phi(i)).flat_map(|i| uses(facts, i)).collect();
        let mut useful: Vec<bool> = phis.iter().map(|&i| others.contains(&result(i))).collect();
        mark_useful(&mut useful, |p, out| {
            let read = uses(facts, phis[p]);
            out.extend((0..phis.len()).filter(|&q| read.contains(&result(phis[q]))).map(|q| q as u32));
        });
        phis.into_iter().zip(useful).filter(|p| p.1).map(|p| p.0).collect()
    }

    fn candidate(&mut self, ranges: &LiveRanges, values: &mut [u32], reg: usize) -> u32 {
        let range = ranges.ranges.iter().find(|r| r.owner as usize == reg).expect("it is defined");
        let mut segments: Vec<_> = ranges.segments(range).iter().map(|s| (s.start, s.end)).collect();
        let def = ranges.values(range)[0];
        if segments == [(def, def.dead())] || self.candidate[reg] != NONE {
            return self.candidate[reg];
        }
        let (facts, slots) = (&self.facts, &self.liveness.slots);
        let instr = (0..facts.num_instrs()).find(|&i| defs(facts, i).contains(&reg));
        let is_phi = facts.is_phi(instr.expect("it is defined"));
        let start = slots.start(slots.block_of(def));
        if is_phi {
            segments.iter_mut().filter(|s| s.0 == def).for_each(|s| s.0 = start);
        }
        let new = self.f.candidates.len() as u32;
        let value = &mut values[self.value(reg)];
        if *value == NONE {
            *value = new;
        }
        let first = self.f.segments.len() as u32;
        self.f.segments.extend(segments);
        self.f.candidates.push(Candidate {
            reg: reg as u32,
            def: if is_phi { start } else { def },
            segments: first..self.f.segments.len() as u32,
            value: *value,
            copied: match self.does.get(&reg) {
                Some(&Does::Copy(src)) => src as u32,
                _ => NONE,
            },
            class: 0,
            phi: NONE,
            partner: None,
        });
        self.candidate[reg] = new;
        new
    }
}

/// A register without PHIs: that of a class, or one of its own.
type Name = usize;

/// One instruction behind PHI elimination: what it reads and writes, and the entry of what it was.
#[derive(Debug)]
struct Step {
    reads: Vec<Name>,
    writes: Vec<Name>,
    /// Instruction of the function; none for a copy of a PHI.
    instr: Option<usize>,
}

struct Lowered {
    /// By block.
    blocks: Vec<Vec<Step>>,
    /// Copies of operands.
    copies: usize,
}

struct Names<'a> {
    s: &'a Sample,
    classes: &'a Classes,
}

impl Names<'_> {
    fn of_reg(&self, reg: usize) -> Name {
        match self.s.candidate[reg] {
            NONE => reg,
            c => self.of_class(self.classes.of_candidate(c)),
        }
    }
    fn of_class(&self, class: u32) -> Name {
        self.s.facts.shape.num_virt_regs + class as usize
    }
    fn of_phi(&self, p: usize) -> Name {
        self.of_class(self.classes.of_phi(p))
    }

    /// As PHI elimination does it; copies of one place in any order.
    fn lower(&self, rng: &mut Rng) -> Lowered {
        let (facts, f) = (&self.s.facts, &self.s.f);
        let blocks = facts.shape.num_blocks();
        let mut out = Lowered { blocks: Vec::new(), copies: 0 };
        for block in 0..blocks {
            let step = |reads, writes| Step { reads, writes, instr: None };
            let mut heads: Vec<Step> = Vec::new();
            for (p, phi) in f.phis.iter().enumerate().filter(|p| p.1.block as usize == block) {
                let result = self.of_reg(facts.operands(phi.index)[0].reg().virt_index());
                if result != self.of_phi(p) {
                    heads.push(step(vec![self.of_phi(p)], vec![result]));
                }
            }
            let mut tails = Vec::new();
            for (p, phi) in f.phis.iter().enumerate() {
                let ops = facts.operands(phi.index);
                for s in phi.sources.clone() {
                    let source = f.sources[s as usize];
                    if source.pred as usize != block || !self.classes.is_copied(s, source.candidate) {
                        continue;
                    }
                    let mut pairs = ops[1..].chunks_exact(2);
                    let pair =
                        pairs.find(|p| facts.shape.by_number[p[1].block_number() as usize] == source.pred);
                    let op = pair.expect("a source has an operand")[0];
                    let reads = if op.reads() { vec![self.of_reg(op.reg().virt_index())] } else { vec![] };
                    tails.push(step(reads, vec![self.of_phi(p)]));
                }
            }
            rng.shuffle(&mut heads);
            rng.shuffle(&mut tails);
            out.copies += tails.len();
            let mut steps = heads;
            steps.extend(facts.instrs(block).filter(|&i| !facts.is_phi(i)).map(|i| Step {
                reads: uses(facts, i).into_iter().map(|r| self.of_reg(r)).collect(),
                writes: defs(facts, i).into_iter().map(|r| self.of_reg(r)).collect(),
                instr: Some(i),
            }));
            steps.extend(tails);
            out.blocks.push(steps);
        }
        out
    }
}

/// No two live nodes of a class have different values.
fn check_slots(s: &Sample, classes: &Classes, seed: u64) {
    for class in classes.all() {
        let list = classes.list(class);
        for slot in (0..4 * s.liveness.slots.num_entries() as u32).map(SlotIndex) {
            let mut live = list.iter().filter(|&&n| classes.is_live(n, slot));
            let Some(&first) = live.next() else { continue };
            assert!(live.all(|&n| classes.is_same_value(first, n)), "seed {seed}, class {class}, {slot:?}");
        }
    }
}

fn mix(values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(17, |h: u64, v| (h ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23))
}

/// Both functions read the same values along random paths.
fn check_runs(s: &Sample, names: &Names, lowered: &Lowered, rng: &mut Rng, seed: u64) {
    let facts = &s.facts;
    let n = facts.shape.num_virt_regs;
    let mut ssa = vec![0; n];
    let mut low = vec![0; n + names.classes.nodes.len()];
    let (mut from, mut block, mut time) = (None, 0, 0);
    for _ in 0..60 {
        // PHIs in parallel.
        let mut new = Vec::new();
        for phi in s.f.phis.iter().filter(|p| p.block as usize == block) {
            let ops = facts.operands(phi.index);
            let mut pairs = ops[1..].chunks_exact(2);
            let pair =
                pairs.find(|p| Some(facts.shape.by_number[p[1].block_number() as usize] as usize) == from);
            let Some(pair) = pair else { return };
            new.push((ops[0].reg().virt_index(), pair[0].reads().then(|| ssa[pair[0].reg().virt_index()])));
        }
        let mut undefined = BTreeSet::new();
        for (reg, value) in new {
            match value {
                Some(value) => ssa[reg] = value,
                None => _ = undefined.insert(reg),
            }
        }
        for step in &lowered.blocks[block] {
            let Some(i) = step.instr else {
                low[step.writes[0]] = step.reads.first().map_or(time, |&r| low[r]);
                continue;
            };
            for reg in std::mem::take(&mut undefined) {
                ssa[reg] = low[names.of_reg(reg)]; // whatever it is
            }
            let (regs, written) = (uses(facts, i), defs(facts, i));
            for &reg in &regs {
                assert_eq!(ssa[reg], low[names.of_reg(reg)], "seed {seed}, block {block}, %{reg} at {i}");
            }
            time += 1;
            for &def in &written {
                let value = match s.does.get(&def) {
                    Some(&Does::Copy(src)) => ssa[src],
                    Some(&Does::Constant(value)) => value,
                    _ => mix(regs.iter().map(|&r| ssa[r]).chain([def as u64, time])),
                };
                (ssa[def], low[names.of_reg(def)]) = (value, value);
            }
        }
        for reg in undefined {
            ssa[reg] = low[names.of_reg(reg)];
        }
        let succs = facts.shape.succs.row(block);
        if succs.is_empty() {
            return;
        }
        (from, block) = (Some(block), succs[rng.below(succs.len())] as usize);
    }
}

/// By block, the names that are live at its start.
fn live_in(s: &Sample, lowered: &Lowered) -> Vec<BTreeSet<Name>> {
    let blocks = lowered.blocks.len();
    let mut live = vec![BTreeSet::new(); blocks];
    loop {
        let mut changed = false;
        for block in (0..blocks).rev() {
            let mut now = live_out(s, &live, block);
            for step in lowered.blocks[block].iter().rev() {
                step.writes.iter().for_each(|w| _ = now.remove(w));
                now.extend(&step.reads);
            }
            changed |= std::mem::replace(&mut live[block], now.clone()) != now;
        }
        if !changed {
            return live;
        }
    }
}

fn live_out(s: &Sample, live_in: &[BTreeSet<Name>], block: usize) -> BTreeSet<Name> {
    s.facts.shape.succs.row(block).iter().flat_map(|&b| live_in[b as usize].iter().copied()).collect()
}

/// What is said of the liveness of a class is what the function without PHIs has.
fn check_variables(s: &Sample, names: &Names, lowered: &Lowered, seed: u64) -> (usize, usize) {
    let live = live_in(s, lowered);
    let mut v = Variables::default();
    let (mut alive, mut stale) = (0, 0);
    for class in names.classes.all() {
        let kinds = || names.classes.list(class).iter().map(|&n| names.classes.nodes[n as usize].kind);
        if !kinds().any(|k| matches!(k, Kind::Phi(_))) || !kinds().any(|k| matches!(k, Kind::Register(_))) {
            continue;
        }
        v.compute(&s.f, s.graph(), names.classes, class);
        let name = names.of_class(class);
        let mut kills = Vec::new();
        for (block, steps) in lowered.blocks.iter().enumerate() {
            let context = || format!("seed {seed}, class {class}, block {block}");
            assert_eq!(v.is_live_in(block as u32), live[block].contains(&name), "{}", context());
            let mut is_live = live_out(s, &live, block).contains(&name);
            let has_def = steps.iter().any(|step| step.writes.contains(&name));
            let through = is_live && live[block].contains(&name) && !has_def;
            // A copy may be the last to read it: that is for PHI elimination to say.
            let until_copy = !is_live && !has_def && live[block].contains(&name) && {
                let last = steps.iter().rev().find(|step| step.reads.contains(&name));
                last.is_some_and(|step| step.instr.is_none())
            };
            if !until_copy {
                assert_eq!(v.alive.contains(&(block as u32)), through, "{}", context());
            }
            alive += usize::from(through);
            for step in steps.iter().rev() {
                if step.writes.contains(&name) {
                    is_live = false;
                }
                if step.reads.contains(&name) {
                    if let Some(i) = step.instr.filter(|_| !is_live) {
                        kills.push(
                            s.liveness.slots.start(block).entry()
                                + 1
                                + (i - s.facts.instrs(block).start) as u32,
                        );
                    }
                    is_live = true;
                }
            }
        }
        kills.sort_unstable();
        let reads = |&&e: &&u32| {
            // A def of a member that nobody reads behind an equal one is a kill of the member.
            let block = s.liveness.slots.block_of(SlotIndex::new(e, Slot::Register));
            let i = s.facts.instrs(block).start + (e - s.liveness.slots.start(block).entry() - 1) as usize;
            uses(&s.facts, i).iter().any(|&r| names.of_reg(r) == name)
        };
        let said: Vec<u32> = v.kills.iter().filter(reads).copied().collect();
        // An equal value may be written again before it is read: then the text of the code kills and we do not.
        let missing = kills.iter().filter(|k| said.binary_search(k).is_err()).count();
        assert!(said.iter().all(|k| kills.binary_search(k).is_ok()), "seed {seed}: {said:?} of {kills:?}");
        assert!(missing <= v.stale.len(), "seed {seed}: {said:?} of {kills:?}");
        stale += v.stale.len();
    }
    (alive, stale)
}

fn check(method: Method, first: u64, count: u64) -> [usize; 5] {
    let mut classes = Classes::default();
    let [mut phis, mut operands, mut copies, mut alive, mut stale] = [0; 5];
    for seed in first..first + cases(count) {
        let Some(s) = read(seed) else { continue };
        classes.compute(&s.f, s.graph(), method);
        check_slots(&s, &classes, seed);
        let mut rng = Rng::new(seed);
        let names = Names { s: &s, classes: &classes };
        let lowered = names.lower(&mut rng);
        for _ in 0..4 {
            check_runs(&s, &names, &lowered, &mut rng, seed);
        }
        let (a, b) = check_variables(&s, &names, &lowered, seed);
        phis += s.f.phis.len();
        operands += s.f.sources.len();
        copies += lowered.copies;
        alive += a;
        stale += b;
    }
    [phis, operands, copies, alive, stale]
}

#[test]
fn c8_classes_by_value_never_interfere_in_1500_functions() {
    let [phis, operands, copies, alive, stale] = check(Method::Value, 0, 1500);
    println!("{phis} PHIs, {operands} operands, {copies} copies, {alive} blocks, {stale} stale kills");
    assert!(FEW || phis > 1000 && copies > 100 && copies < operands && alive > 100 && stale > 0);
}

#[test]
fn c8_plain_classes_never_interfere_in_1500_functions() {
    let [phis, operands, copies, ..] = check(Method::Plain, 5000, 1500);
    assert!(FEW || phis > 1000 && copies > 100 && copies < operands);
}

#[test]
fn c8_values_cost_no_copies() {
    let [_, _, plain, ..] = check(Method::Plain, 0, 500);
    let [_, _, value, ..] = check(Method::Value, 0, 500);
    assert!(value <= plain, "{value} {plain}");
}
