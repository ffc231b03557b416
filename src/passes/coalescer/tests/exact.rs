//! Finds the fewest copies that renaming can leave, by exhaustive search.
//!
//! **Problem.** How good is the coalescer? For small functions there is an exact answer. Registers
//! are partitioned into classes that get one register each, and a copy within a class goes. No two
//! registers of a class may be live with different values at one point. The search finds the
//! classes that leave the fewest copies.
//!
//! **Algorithm.** A forward dataflow analysis finds the registers that have the same value at each
//! point. All are equal at first; a copy makes its destination equal to its source, any other def
//! makes a register unequal to all others, and at joins of control flow the sets are intersected.
//! Two registers interfere if one is live after an instruction that defines the other, and they are
//! not equal there.
//!
//! Then branch and bound runs over the pairs of registers that copies join, those with most copies
//! first. A pair is joined or not, and a branch ends once it has left as many copies as the best
//! solution.
//!
//! **Source.** Interference by value: Boissinot et al. 2009. **Limits.** The coalescer also splits
//! registers, moves copies and rematerialises values, so it may leave fewer copies than this
//! minimum.
//!
//! **Complexity.** Exponential in the pairs; functions have at most 9 registers.

use super::*;
use crate::fuzzing::cases;
use crate::mir::{BlockId, InstrId};

type Set = u16;

/// The problem for one function. It has no dead copies.
struct Exact {
    regs: usize,
    /// By register, those that it cannot share a class with.
    interferes: Vec<Set>,
    /// The pairs of registers that copies join.
    pairs: Vec<Pair>,
}

/// Two registers with copies between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pair {
    a: usize,
    b: usize,
    num_copies: u32,
}

/// The class of each register, and the number of remaining copies.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Solution {
    classes: Vec<usize>,
    copies: u32,
}

/// By register, the set of registers that have its value.
type Equal = Vec<Set>;

/// Notes that `reg` gets a value: that of `like`, or a new one.
fn define(equal: &mut Equal, reg: usize, like: Option<usize>) {
    for set in equal.iter_mut() {
        *set &= !(1 << reg);
    }
    equal[reg] = like.map_or(0, |src| equal[src]) | 1 << reg;
    for other in 0..equal.len() {
        if equal[reg] >> other & 1 != 0 {
            equal[other] |= 1 << reg;
        }
    }
}

/// Finds the register that an instruction defines, and the one that it copies from.
fn effect(facts: &FunctionFacts, i: InstrId) -> (Option<usize>, Option<usize>) {
    let ops = facts.operands(i);
    let def = ops.iter().find(|op| op.is_def()).map(|op| op.reg().virt_index());
    let is_copy = facts.instr_flags[i].is_copy();
    (def, is_copy.then(|| ops[1].reg().virt_index()))
}

impl Exact {
    fn of(facts: &FunctionFacts) -> Exact {
        let regs = facts.shape.num_virt_regs;
        let blocks = facts.shape.num_blocks();
        let mut liveness = Liveness::default();
        let (_, all) = live_ranges(facts, &mut liveness);
        let at_start =
            |block: usize| if block == 0 { (0..regs).map(|r| 1 << r).collect() } else { vec![!0; regs] };
        let mut starts: Vec<Equal> = (0..blocks).map(at_start).collect();
        loop {
            let before = starts.clone();
            for block in 0..blocks {
                let mut equal = starts[block].clone();
                for i in facts.instrs(block.into()) {
                    if let (Some(def), like) = effect(facts, i) {
                        define(&mut equal, def, like);
                    }
                }
                for &succ in facts.shape.succs.row(BlockId::from_usize(block)) {
                    for (set, more) in starts[succ.index()].iter_mut().zip(&equal) {
                        *set &= more;
                    }
                }
            }
            if starts == before {
                break;
            }
        }
        let mut exact = Exact { regs, interferes: vec![0; regs], pairs: Vec::new() };
        for (block, start) in starts.iter().enumerate() {
            let mut equal = start.clone();
            for i in facts.instrs(block.into()) {
                let (def, like) = effect(facts, i);
                let after = SlotIndex::new((i.index() + block + 1) as u32, Slot::Dead);
                let mut live: Set = 0;
                for range in &all.ranges {
                    let is_live = all.segments(range).iter().any(|s| s.start <= after && after < s.end);
                    live |= Set::from(is_live) << all.owner(range).index();
                }
                let Some(def) = def else { continue };
                if like.is_some() && live >> def & 1 == 0 {
                    continue; // a dead copy
                }
                define(&mut equal, def, like);
                let others = live & !equal[def];
                exact.interferes[def] |= others;
                for r in (0..regs).filter(|r| others >> r & 1 != 0) {
                    exact.interferes[r] |= 1 << def;
                }
                if let Some(src) = like {
                    exact.add_pair(def.min(src), def.max(src));
                }
            }
        }
        exact.pairs.sort_by_key(|p| std::cmp::Reverse(p.num_copies));
        exact
    }

    fn add_pair(&mut self, a: usize, b: usize) {
        match self.pairs.iter_mut().find(|p| (p.a, p.b) == (a, b)) {
            Some(pair) => pair.num_copies += 1,
            None => self.pairs.push(Pair { a, b, num_copies: 1 }),
        }
    }

    fn solve(&self) -> Solution {
        let all = self.pairs.iter().map(|p| p.num_copies).sum();
        let mut best = Solution { classes: (0..self.regs).collect(), copies: all };
        self.branch(0, best.classes.clone(), 0, &mut best);
        best
    }

    /// Decides the pairs from `next` on. `left`: the number of copies that the earlier decisions
    /// leave.
    fn branch(&self, next: usize, classes: Vec<usize>, left: u32, best: &mut Solution) {
        if left >= best.copies {
            return;
        }
        let Some(&Pair { a, b, num_copies }) = self.pairs.get(next) else {
            *best = Solution { classes, copies: left };
            return;
        };
        let (x, y) = (classes[a], classes[b]);
        if x == y {
            return self.branch(next + 1, classes, left, best);
        }
        let members = |class: usize| {
            (0..self.regs).filter(|&r| classes[r] == class).fold(0, |set: Set, r| set | 1 << r)
        };
        let (of_x, of_y) = (members(x), members(y));
        if (0..self.regs).all(|r| of_x >> r & 1 == 0 || self.interferes[r] & of_y == 0) {
            let joined = classes.iter().map(|&c| if c == y { x } else { c }).collect();
            self.branch(next + 1, joined, left, best);
        }
        self.branch(next + 1, classes, left + num_copies, best);
    }

    /// Finds the fewest copies by trying all partitions.
    fn brute_force(&self, classes: &mut Vec<usize>) -> u32 {
        let reg = classes.len();
        if reg == self.regs {
            return self.pairs.iter().filter(|p| classes[p.a] != classes[p.b]).map(|p| p.num_copies).sum();
        }
        let mut best = u32::MAX;
        for class in 0..=classes.iter().max().map_or(0, |m| m + 1) {
            let clashes = |r: usize| classes[r] == class && self.interferes[reg] >> r & 1 != 0;
            if !(0..reg).any(clashes) {
                classes.push(class);
                best = best.min(self.brute_force(classes));
                classes.pop();
            }
        }
        best
    }
}

/// Gives each class a register and drops the copies within classes.
fn renamed(facts: &FunctionFacts, classes: &[usize]) -> FunctionFacts {
    let mut out = FunctionFacts::default();
    out.clear(facts.shape.num_virt_regs, 0);
    out.shape.clone_from(&facts.shape);
    for block in 0..facts.shape.num_blocks() {
        for i in facts.instrs(block.into()) {
            let rename = |op: &Operand| match op.is_reg() {
                true => op.renamed(Register::virt(classes[op.reg().virt_index()] as u32)),
                false => *op,
            };
            let operands: Vec<Operand> = facts.operands(i).iter().map(rename).collect();
            let is_copy = facts.instr_flags[i].is_copy();
            if !is_copy || operands[0].reg() != operands[1].reg() {
                push(&mut out, facts.instr_flags[i], &operands);
            }
        }
        out.end_block();
    }
    out
}

/// Removes copies whose results nothing reads, until there are none.
fn without_dead_copies(facts: FunctionFacts) -> FunctionFacts {
    let mut facts = facts;
    loop {
        let mut liveness = Liveness::default();
        let (_, all) = live_ranges(&facts, &mut liveness);
        let mut out = FunctionFacts::default();
        out.clear(facts.shape.num_virt_regs, 0);
        out.shape.clone_from(&facts.shape);
        for block in 0..facts.shape.num_blocks() {
            for i in facts.instrs(block.into()) {
                let after = SlotIndex::new((i.index() + block + 1) as u32, Slot::Dead);
                let is_read = |reg: usize| {
                    all.ranges.iter().any(|range| {
                        all.owner(range).index() == reg
                            && all.segments(range).iter().any(|s| s.start <= after && after < s.end)
                    })
                };
                if let (Some(def), Some(_)) = effect(&facts, i) {
                    if !is_read(def) {
                        continue;
                    }
                }
                push(&mut out, facts.instr_flags[i], facts.operands(i));
            }
            out.end_block();
        }
        if out.num_instrs() == facts.num_instrs() {
            return out;
        }
        facts = out;
    }
}

fn function(seed: u64) -> (FunctionFacts, Rng) {
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (without_dead_copies(random_function(&mut rng, false)), rng)
}

fn copies_of(c: &Coalesced, blocks: usize) -> u32 {
    let left = (0..blocks).flat_map(|b| instrs_of(c, b)).filter(|&i| c.code.is_copy(i));
    left.count() as u32
}

#[test]
fn c4_the_solver_finds_what_trying_everything_finds() {
    let mut copies = 0;
    for seed in 1..=cases(300) {
        let exact = Exact::of(&function(seed).0);
        let solution = exact.solve();
        assert_eq!(solution.copies, exact.brute_force(&mut Vec::new()), "seed {seed}");
        copies += solution.copies;
    }
    assert!(FEW || copies > 100, "{copies}");
}

#[test]
fn c5_the_solver_s_classes_keep_what_the_function_does() {
    let setup = Setup { options: Options { join: false, ..OPTIONS }, ..Setup::DEFAULT };
    let (mut liveness, mut buffers) = (Liveness::default(), Buffers::default());
    for seed in 1..=cases(1000) {
        let (facts, mut rng) = function(seed);
        let solution = Exact::of(&facts).solve();
        let c = coalesce(&renamed(&facts, &solution.classes), &mut liveness, setup, &mut buffers);
        assert_eq!(copies_of(&c, facts.shape.num_blocks()), solution.copies, "seed {seed}");
        for _ in 0..4 {
            check_runs(&facts, &c, &mut rng, seed);
        }
    }
}

/// How the coalescer compares with the minimum over many functions.
#[derive(Default)]
struct Gap {
    /// The number of copies that the coalescer leaves.
    left: u32,
    /// The number of copies that the best classes leave.
    minimum: u32,
    /// The number of functions in which the coalescer leaves more.
    num_worse: u32,
}

fn gap() -> Gap {
    let (mut liveness, mut buffers) = (Liveness::default(), Buffers::default());
    let mut gap = Gap::default();
    for seed in 1..=cases(2000) {
        let (facts, _) = function(seed);
        let minimum = Exact::of(&facts).solve().copies;
        let c = coalesce(&facts, &mut liveness, Setup::DEFAULT, &mut buffers);
        let left = copies_of(&c, facts.shape.num_blocks());
        gap.left += left;
        gap.minimum += minimum;
        gap.num_worse += u32::from(left > minimum);
    }
    gap
}

#[test]
fn c4_no_more_copies_are_left_than_the_minimum() {
    let Gap { left, minimum, num_worse } = gap();
    println!("{left} copies left, minimum {minimum}; more than that in {num_worse} of 2000 functions");
    assert!(FEW || minimum > 1000);
    // Measured: 7073 against 7715, because the coalescer also splits registers and moves copies;
    // more than the minimum in one function.
    assert!(left <= minimum && num_worse <= 5, "{left} left, minimum {minimum}, {num_worse} worse");
}
