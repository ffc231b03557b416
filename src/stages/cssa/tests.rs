//! Checks the classes of random functions in SSA form by brute force.
//!
//! **Algorithm.** Some instructions of a random function are taken as copies and constants. Its
//! classes are then checked in three ways. At every slot, all live nodes of a class have the same
//! value. The function without PHIs, run beside the one in SSA form along random paths, reads the
//! same values. The liveness of a class is what plain dataflow finds for its register in that
//! function.

use super::classes::Classes;
use super::collect::{CssaTarget, DefKind, PhiTarget};
use super::partition::ClassId;
use super::types::{Graph, Method, NodeSegment, Phi, Scope, TiedDef};
use super::variables::Variables;
use super::CssaCoalescing;
use crate::cfg::Dominators;
use crate::fuzzing::{cases, FEW};
use crate::liveness::ranges::LiveRanges;
use crate::liveness::slot_index::{Slot, SlotIndex, SlotIndexes};
use crate::liveness::tests::random::{sample, Rng, Shape};
use crate::liveness::values::DefId;
use crate::liveness::{Liveness, LivenessHost, Unsuited};
use crate::mir::{BlockId, FunctionFacts, InstrId, Operand, RegClassId, VRegId};
use crate::ssa::SsaFacts;
use index_vec::IndexVec;
use std::collections::{BTreeMap, BTreeSet};

const SSA: Shape = Shape { ssa: true, unreachable: false, bundles: false, repeated_defs: false };

struct NoHost;

impl LivenessHost for NoHost {
    fn is_predicate(&mut self, _: VRegId) -> bool {
        false
    }
    fn def_order(&mut self, _: VRegId, _: &[u32], _: &mut Vec<DefId>) -> Result<(), Unsuited> {
        unreachable!("one def of each register")
    }
    fn use_order(&mut self, _: VRegId, _: &SlotIndexes, _: &mut Vec<SlotIndex>) -> Result<(), Unsuited> {
        unreachable!("one def of each register")
    }
    fn dominators(&mut self, _: &mut Dominators) {
        unreachable!("one def of each register")
    }
}

/// The behaviour of an instruction in these tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Behaviour {
    Copy(VRegId),
    Constant(u64),
    Other,
}

struct Sample {
    facts: SsaFacts,
    /// By register that no PHI defines.
    behaviours: BTreeMap<VRegId, Behaviour>,
    /// The registers that instructions other than PHIs read.
    read_by_code: BTreeSet<VRegId>,
    liveness: Liveness,
    ranges: LiveRanges,
    dominators: Dominators,
}

fn uses(operands: &[Operand]) -> Vec<VRegId> {
    operands.iter().filter(|op| op.reads() && !op.is_debug()).filter_map(|op| op.vreg()).collect()
}

fn defs(operands: &[Operand]) -> Vec<VRegId> {
    operands.iter().filter(|op| op.is_def()).filter_map(|op| op.vreg()).collect()
}

/// Makes the operands of a PHI that come from one block equal.
fn unite_edges(facts: &mut FunctionFacts) {
    for phi in facts.instr_flags.indices().filter(|&i| facts.is_phi(i)).collect::<Vec<_>>() {
        let ops = facts.operands_mut(phi);
        for at in (1..ops.len()).step_by(2) {
            let of_block = |other: &usize| ops[other + 1].block_number() == ops[at + 1].block_number();
            let first = (1..=at).step_by(2).find(of_block).expect("at least itself");
            ops[at] = ops[first];
        }
    }
}

impl Sample {
    fn new(seed: u64) -> Option<Sample> {
        let mut facts = sample(seed, SSA).function;
        // Parts of registers do not matter here.
        facts.operands.iter_mut().filter(|op| op.is_virtual()).for_each(|op| *op = op.with_reg(op.reg()));
        unite_edges(&mut facts);
        let (mut liveness, mut ranges) = (Liveness::default(), LiveRanges::default());
        liveness.analyze(&facts.shape, &mut &facts, false, &mut NoHost).expect("SSA");
        liveness.live_intervals(&facts.shape, &mut NoHost, &mut ranges).expect("SSA");
        liveness.append_local(&mut ranges);
        if !liveness.facts.many_defs.is_empty() {
            return None;
        }
        let mut dominators = Dominators::default();
        dominators.compute(&liveness.cfg);
        let facts = SsaFacts::of(facts);
        let (mut behaviours, mut read_by_code) = (BTreeMap::new(), BTreeSet::new());
        for instr in facts.instr_ids().filter(|&instr| !facts.is_phi_instr(instr)) {
            let operands = facts.operands_of(instr);
            read_by_code.extend(uses(operands));
            if let [def] = defs(operands)[..] {
                let behaviour = match uses(operands)[..] {
                    [] if def.raw() % 2 == 0 => Behaviour::Constant(u64::from(def.raw() / 2 % 2)),
                    [src] if def.raw() % 3 != 0 => Behaviour::Copy(src),
                    _ => Behaviour::Other,
                };
                behaviours.insert(def, behaviour);
            }
        }
        Some(Sample { facts, behaviours, read_by_code, liveness, ranges, dominators })
    }

    fn graph(&self) -> Graph<'_> {
        Graph { slots: &self.liveness.slots, dominators: &self.dominators }
    }
    fn num_virt_regs(&self) -> usize {
        self.facts.shape.num_virt_regs
    }
    /// Lists the PHIs of a block.
    fn phis(&self, block: BlockId) -> impl Iterator<Item = InstrId> + '_ {
        self.facts.instrs_of(block).filter(|&instr| self.facts.is_phi_instr(instr))
    }
    /// Lists the other instructions of a block.
    fn code(&self, block: BlockId) -> impl Iterator<Item = InstrId> + '_ {
        self.facts.instrs_of(block).filter(|&instr| !self.facts.is_phi_instr(instr))
    }
    fn result(&self, phi: InstrId) -> VRegId {
        self.facts.operands_of(phi)[0].vreg().unwrap()
    }
    /// Lists the operands of a PHI, one for each predecessor.
    fn sources(&self, phi: InstrId) -> Vec<(BlockId, Operand)> {
        let mut sources: Vec<(BlockId, Operand)> = Vec::new();
        for pair in self.facts.operands_of(phi)[1..].chunks_exact(2) {
            let pred = self.facts.block_numbered(pair[1].block_number());
            if sources.iter().all(|source| source.0 != pred) {
                sources.push((pred, pair[0]));
            }
        }
        sources
    }
    /// Returns the entry of an instruction.
    fn entry(&self, instr: InstrId) -> u32 {
        let block = self.facts.block_of_instr(instr);
        let position = instr.index() - self.facts.instr_range(block).start.index();
        self.graph().start(block).entry() + 1 + position as u32
    }
}

impl PhiTarget for &Sample {
    fn num_virt_regs(&mut self) -> usize {
        Sample::num_virt_regs(self)
    }
    fn num_blocks(&mut self) -> usize {
        self.facts.shape.num_blocks()
    }
    fn phi_operands(&mut self, block: BlockId, out: &mut Vec<Operand>) {
        out.clear();
        self.phis(block).for_each(|phi| out.extend_from_slice(self.facts.operands_of(phi)));
    }
    fn block_of_operand(&mut self, operand: Operand) -> BlockId {
        self.facts.block_numbered(operand.block_number())
    }
    fn def_kind(&mut self, reg: VRegId) -> DefKind {
        let Some(def) = self.facts.def_of(reg) else { return DefKind::Missing };
        match self.facts.flags_of(def) {
            flags if flags.is_phi() => DefKind::Phi,
            flags if flags.is_implicit_def() => DefKind::ImplicitDef,
            _ => DefKind::Other,
        }
    }
    fn is_read_by_code(&mut self, reg: VRegId) -> bool {
        self.read_by_code.contains(&reg)
    }
    fn reg_class(&mut self, _: VRegId) -> Option<RegClassId> {
        Some(RegClassId::new(0))
    }
}

impl CssaTarget for &Sample {
    fn copy_slot(&mut self, block: BlockId) -> SlotIndex {
        self.graph().end(block).prev()
    }
    fn copied(&mut self, reg: VRegId) -> Option<VRegId> {
        match self.behaviours.get(&reg) {
            Some(&Behaviour::Copy(src)) => Some(src),
            _ => None,
        }
    }
    fn tied_def(&mut self, _: VRegId) -> TiedDef {
        TiedDef::None
    }
    fn live_range(&mut self, reg: VRegId, out: &mut Vec<NodeSegment>) -> SlotIndex {
        let range =
            self.ranges.ranges.iter().find(|&range| self.ranges.owner(range) == reg).expect("it is defined");
        let segments = self.ranges.segments(range).iter();
        out.extend(segments.map(|segment| NodeSegment { start: segment.start, end: segment.end }));
        self.ranges.values(range)[0]
    }
}

/// A register of the function without PHIs: that of a class, one of the original function, or one
/// of a PHI without a class.
type Name = usize;

/// One instruction after PHI elimination.
#[derive(Debug)]
struct Step {
    reads: Vec<Name>,
    writes: Vec<Name>,
    /// The instruction of the function. `None` for a copy of a PHI.
    instr: Option<InstrId>,
}

struct Lowered {
    blocks: IndexVec<BlockId, Vec<Step>>,
    /// Copies of operands of PHIs that have a class.
    copies: usize,
}

/// Names the registers of the function without PHIs.
struct Names<'a> {
    sample: &'a Sample,
    found: &'a CssaCoalescing,
    /// The class of each register that has one, and of each PHI.
    class_of_reg: BTreeMap<VRegId, ClassId>,
    class_of_phi: BTreeMap<InstrId, ClassId>,
}

impl<'a> Names<'a> {
    fn new(sample: &'a Sample, found: &'a CssaCoalescing) -> Self {
        let CssaCoalescing { facts, classes, .. } = found;
        let candidates = facts.candidates.iter_enumerated();
        let class_of_reg = candidates.map(|(id, c)| (c.reg, classes.of_candidate(id))).collect();
        let phis: Vec<InstrId> = sample.facts.blocks().flat_map(|block| sample.phis(block)).collect();
        assert_eq!(phis.len(), found.num_phis);
        let of_phi = |(id, phi): (_, &Phi)| (phis[phi.position], classes.of_phi(id));
        let class_of_phi = facts.phis.iter_enumerated().map(of_phi).collect();
        Names { sample, found, class_of_reg, class_of_phi }
    }
    fn classes(&self) -> &'a Classes {
        &self.found.classes
    }
    fn of_class(&self, class: ClassId) -> Name {
        self.sample.num_virt_regs() + class.index()
    }
    fn of_reg(&self, reg: VRegId) -> Name {
        self.class_of_reg.get(&reg).map_or(reg.index(), |&class| self.of_class(class))
    }
    fn of_phi(&self, phi: InstrId) -> Name {
        let own = self.sample.num_virt_regs() + self.classes().nodes.list.len() + phi.index();
        self.class_of_phi.get(&phi).map_or(own, |&class| self.of_class(class))
    }
    fn count(&self) -> usize {
        self.sample.num_virt_regs() + self.classes().nodes.list.len() + self.sample.facts.num_instrs()
    }

    /// Lowers PHIs as PHI elimination does; copies at one place come in any order.
    fn lower(&self, rng: &mut Rng) -> Lowered {
        let sample = self.sample;
        let copy = |reads: Vec<Name>, write: Name| Step { reads, writes: vec![write], instr: None };
        let mut copies = 0;
        let mut copies_at_end: IndexVec<BlockId, Vec<Step>> = sample.facts.blocks().map(|_| vec![]).collect();
        for phi in sample.facts.blocks().flat_map(|block| sample.phis(block)) {
            let incoming = self.of_phi(phi);
            for (pred, source) in sample.sources(phi) {
                let read = source.vreg().filter(|_| source.reads()).map(|reg| self.of_reg(reg));
                if read != Some(incoming) {
                    copies += usize::from(self.class_of_phi.contains_key(&phi));
                    copies_at_end[pred].push(copy(read.into_iter().collect(), incoming));
                }
            }
        }
        let mut blocks = IndexVec::new();
        for (block, mut tails) in copies_at_end.into_iter_enumerated() {
            let results = sample.phis(block).map(|phi| (self.of_phi(phi), self.of_reg(sample.result(phi))));
            let mut steps: Vec<Step> =
                results.filter(|(from, to)| from != to).map(|(from, to)| copy(vec![from], to)).collect();
            rng.shuffle(&mut steps);
            rng.shuffle(&mut tails);
            steps.extend(sample.code(block).map(|instr| {
                let operands = sample.facts.operands_of(instr);
                let names = |regs: Vec<VRegId>| regs.into_iter().map(|reg| self.of_reg(reg)).collect();
                Step { reads: names(uses(operands)), writes: names(defs(operands)), instr: Some(instr) }
            }));
            steps.extend(tails);
            blocks.push(steps);
        }
        Lowered { blocks, copies }
    }
}

/// Checks that all live nodes of a class have the same value.
fn check_slots(sample: &Sample, classes: &Classes, seed: u64) {
    for class in classes.partition.all() {
        let list = classes.partition.list(class);
        for slot in (0..4 * sample.liveness.slots.num_entries() as u32).map(SlotIndex) {
            let mut live = list.iter().filter(|&&node| classes.nodes.is_live(node, slot));
            let Some(&first) = live.next() else { continue };
            let is_same = |&node: &_| classes.nodes.have_same_value(first, node);
            assert!(live.all(is_same), "seed {seed}, {class:?}, {slot:?}");
        }
    }
}

fn mix(values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(17, |h: u64, v| (h ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23))
}

/// Both functions, executed side by side.
struct SideBySide<'a> {
    names: &'a Names<'a>,
    /// Values by register of the function in SSA form, and by name.
    ssa: IndexVec<VRegId, u64>,
    low: Vec<u64>,
    /// Results of PHIs whose operand is undefined: they take the other function's value, whatever
    /// it is.
    undefined: BTreeSet<VRegId>,
    time: u64,
}

impl SideBySide<'_> {
    /// Executes the PHIs of a block in parallel. False if a PHI has no operand for this edge.
    fn execute_phis(&mut self, from: Option<BlockId>, block: BlockId) -> bool {
        let sample = self.names.sample;
        let mut results = Vec::new();
        for phi in sample.phis(block) {
            let sources = sample.sources(phi);
            let Some((_, source)) = sources.iter().find(|source| Some(source.0) == from) else {
                return false;
            };
            let value = source.vreg().filter(|_| source.reads()).map(|reg| self.ssa[reg]);
            results.push((sample.result(phi), value));
        }
        for (reg, value) in results {
            match value {
                Some(value) => self.ssa[reg] = value,
                None => _ = self.undefined.insert(reg),
            }
        }
        true
    }
    fn define_undefined(&mut self) {
        for reg in std::mem::take(&mut self.undefined) {
            self.ssa[reg] = self.low[self.names.of_reg(reg)];
        }
    }
    fn execute(&mut self, step: &Step, seed: u64) {
        let (names, sample) = (self.names, self.names.sample);
        let Some(instr) = step.instr else {
            self.low[step.writes[0]] = step.reads.first().map_or(self.time, |&name| self.low[name]);
            return;
        };
        self.define_undefined();
        let operands = sample.facts.operands_of(instr);
        let (regs, written) = (uses(operands), defs(operands));
        for &reg in &regs {
            assert_eq!(self.ssa[reg], self.low[names.of_reg(reg)], "seed {seed}, {reg:?} at {instr:?}");
        }
        self.time += 1;
        for &def in &written {
            let value = match sample.behaviours.get(&def) {
                Some(&Behaviour::Copy(src)) => self.ssa[src],
                Some(&Behaviour::Constant(value)) => value,
                _ => mix(regs.iter().map(|&reg| self.ssa[reg]).chain([u64::from(def.raw()), self.time])),
            };
            self.ssa[def] = value;
            self.low[names.of_reg(def)] = value;
        }
    }
}

/// Checks that both functions read the same values along random paths.
fn check_runs(names: &Names, lowered: &Lowered, rng: &mut Rng, seed: u64) {
    let mut both = SideBySide {
        names,
        ssa: (0..names.sample.num_virt_regs()).map(|_| 0).collect(),
        low: vec![0; names.count()],
        undefined: BTreeSet::new(),
        time: 0,
    };
    let (mut from, mut block) = (None, BlockId::new(0));
    for _ in 0..if FEW { 10 } else { 60 } {
        if !both.execute_phis(from, block) {
            return;
        }
        lowered.blocks[block].iter().for_each(|step| both.execute(step, seed));
        both.define_undefined();
        let mut succs = names.sample.facts.succs_of(block);
        if succs.len() == 0 {
            return;
        }
        (from, block) = (Some(block), succs.nth(rng.below(succs.len())).unwrap());
    }
}

/// By block: the names that are live at its start.
type LiveIn = IndexVec<BlockId, BTreeSet<Name>>;

fn live_in(sample: &Sample, lowered: &Lowered) -> LiveIn {
    let mut live: LiveIn = lowered.blocks.iter().map(|_| BTreeSet::new()).collect();
    loop {
        let before = live.clone();
        for block in sample.facts.blocks().rev() {
            let mut now = live_out(sample, &live, block);
            for step in lowered.blocks[block].iter().rev() {
                step.writes.iter().for_each(|write| _ = now.remove(write));
                now.extend(&step.reads);
            }
            live[block] = now;
        }
        if live == before {
            return live;
        }
    }
}

fn live_out(sample: &Sample, live_in: &LiveIn, block: BlockId) -> BTreeSet<Name> {
    sample.facts.succs_of(block).flat_map(|succ| live_in[succ].iter().copied()).collect()
}

/// Lists the entries of the last reads of a name in a block.
fn kills_in(sample: &Sample, steps: &[Step], name: Name, mut is_live: bool, kills: &mut Vec<u32>) {
    for step in steps.iter().rev() {
        if step.writes.contains(&name) {
            is_live = false;
        }
        if step.reads.contains(&name) {
            kills.extend(step.instr.filter(|_| !is_live).map(|instr| sample.entry(instr)));
            is_live = true;
        }
    }
}

/// Checks that the liveness of a class is that of its register in the function without PHIs.
fn check_variables(names: &Names, lowered: &Lowered, seed: u64) -> (usize, usize) {
    let (sample, classes) = (names.sample, names.classes());
    let live = live_in(sample, lowered);
    let mut v = Variables::default();
    let (mut alive, mut stale) = (0, 0);
    for class in classes.shared() {
        v.compute(&names.found.facts, sample.graph(), classes, class);
        let name = names.of_class(class);
        let mut kills = Vec::new();
        for (block, steps) in lowered.blocks.iter_enumerated() {
            let context = || format!("seed {seed}, {class:?}, {block:?}");
            let is_live_in = live[block].contains(&name);
            let is_live_out = live_out(sample, &live, block).contains(&name);
            assert_eq!(v.live_in.binary_search(&block).is_ok(), is_live_in, "{}", context());
            let has_def = steps.iter().any(|step| step.writes.contains(&name));
            let through = is_live_out && is_live_in && !has_def;
            // If a copy is the last to read it, PHI elimination decides.
            let until_copy = !is_live_out && !has_def && is_live_in && {
                let last = steps.iter().rev().find(|step| step.reads.contains(&name));
                last.is_some_and(|step| step.instr.is_none())
            };
            if !until_copy {
                assert_eq!(v.alive.contains(&block), through, "{}", context());
            }
            alive += usize::from(through);
            kills_in(sample, steps, name, is_live_out, &mut kills);
        }
        kills.sort_unstable();
        let is_read = |&&entry: &&u32| {
            // An unread def of a member after an equal one is a kill of the member.
            let block = sample.graph().block_of(SlotIndex::new(entry, Slot::Register));
            let instr = sample.facts.instrs_of(block).find(|&instr| sample.entry(instr) == entry);
            let operands = sample.facts.operands_of(instr.expect("it is one of the block"));
            uses(operands).iter().any(|&reg| names.of_reg(reg) == name)
        };
        let computed: Vec<u32> = v.kills.iter().filter(is_read).copied().collect();
        // An equal value may be written again before it is read: then the dataflow has a kill, but
        // the class does not.
        let missing = kills.iter().filter(|kill| computed.binary_search(kill).is_err()).count();
        let is_kill = |kill: &u32| kills.binary_search(kill).is_ok();
        assert!(computed.iter().all(is_kill), "seed {seed}: {computed:?} of {kills:?}");
        assert!(missing <= v.stale.len(), "seed {seed}: {computed:?} of {kills:?}");
        stale += v.stale.len();
    }
    (alive, stale)
}

/// Totals over many functions.
#[derive(Default, Debug)]
struct Totals {
    phis: usize,
    operands: usize,
    copies: usize,
    blocks_alive: usize,
    stale_kills: usize,
}

fn check((method, scope): (Method, Scope), first: u64, count: u64) -> Totals {
    let mut found = CssaCoalescing::default();
    let mut totals = Totals::default();
    for seed in first..first + cases(count) {
        let Some(sample) = Sample::new(seed) else { continue };
        let depths = sample.facts.blocks().map(|block| block.raw() * 7 % 3);
        let takes_part = found.read(&mut &sample, |out| out.extend(depths), scope);
        found.run(&mut &sample, &mut &sample, sample.graph(), method);
        assert_eq!(takes_part, !found.facts.phis.is_empty());
        check_slots(&sample, &found.classes, seed);
        let mut rng = Rng::new(seed);
        let names = Names::new(&sample, &found);
        let lowered = names.lower(&mut rng);
        for _ in 0..4 {
            check_runs(&names, &lowered, &mut rng, seed);
        }
        let (alive, stale) = check_variables(&names, &lowered, seed);
        let left_out = found.facts.left_out;
        let left_out_operands = (left_out.copies - left_out.phis) as usize;
        totals.phis += found.facts.phis.len() + left_out.phis as usize;
        totals.operands += found.facts.sources.len() + left_out_operands;
        totals.copies += lowered.copies + left_out_operands;
        totals.blocks_alive += alive;
        totals.stale_kills += stale;
    }
    totals
}

#[test]
fn c8_classes_by_value_never_interfere_in_1500_functions() {
    let t = check((Method::Value, Scope::All), 0, 1500);
    println!("{t:?}");
    let are_enough = t.phis > 1000 && t.copies > 100 && t.blocks_alive > 100 && t.stale_kills > 0;
    assert!(FEW || are_enough && t.copies < t.operands);
}

#[test]
fn c8_plain_classes_never_interfere_in_1500_functions() {
    let t = check((Method::Plain, Scope::All), 5000, 1500);
    assert!(FEW || t.phis > 1000 && t.copies > 100 && t.copies < t.operands);
}

#[test]
fn c8_webs_that_are_left_alone_do_not_disturb_others_in_500_functions() {
    let t = check((Method::Value, Scope::WhereItPays), 9000, 500);
    let all = check((Method::Value, Scope::All), 9000, 500);
    assert!(FEW || all.copies < t.copies && t.copies < t.operands, "{t:?} {all:?}");
}

#[test]
fn c8_values_cost_no_copies() {
    let plain = check((Method::Plain, Scope::All), 0, 500);
    let value = check((Method::Value, Scope::All), 0, 500);
    assert!(value.copies <= plain.copies, "{value:?} {plain:?}");
}
