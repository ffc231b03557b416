//! What one instruction computes of a register that lives anyway is computed again where it is read (`cicc` profile, stage
//! `remat`).
//!
//! **Problem.** LLVM computes once what a loop reads again and again, and takes for granted that there is a register for it. A key
//! schedule in front of a loop, `k + 1, k + 2, ...`, is a register of each key through all of the loop, where `k` alone would do:
//!
//! ```text
//! %k1 = add %k, 1                   loop:
//! %k2 = add %k, 2                     if (...) {
//! loop:                                 %k1 = add %k, 1
//!   if (...) { use %k1, %k2 }           %k2 = add %k, 2
//!   use %k                              use %k1, %k2 }
//!                                     use %k
//! ```
//!
//! ptxas computes constants and what is made of parameters again, but moves nothing else over branches.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables. A register is a candidate if one cheap instruction computes it of one register,
//! the *origin*, and of constants, and in every other block where it is read the origin is live on the way in for reasons of its
//! own. Its blocks are found from its readers up to its def, and so are those of the origin, one origin after the other. Where
//! candidates go through a block that reads none of them, and are an eighth of all that lives into it, [`LEAST_PRESSURE`] registers of 32
//! bits or more, they are computed again in each block that reads them, in front of the first reader.
//!
//! What compares stays: it is the end of a loop, and ptxas unrolls a loop only if that does not change. So does what inline assembly
//! reads.
//!
//! **Measured** (ptxas 13.0, LLVM 22; against the rest of the profile). 308 kernels of Triton: registers 0.997, fewer in 4, down to 0.61,
//! more in none, SASS 0.998. Any four registers of 48: 0.996, fewer in 16, more in 2; on 4,772 kernels of CUDA 0.9987, fewer in 63, more in
//! 18. Also where few registers live: SASS up to 7 % more for nothing. Comparisons as well: ptxas no longer unrolls some loops.
//!
//! **Source.** Rematerialisation (Briggs, Cooper, Torczon 1992), ahead of register allocation, as there is none. NVIDIA's compiler does it,
//! too; none of the reference texts says how. **Deviation:** none.
//!
//! **Complexity.** Linear in operands; each register is followed through [`MOST_BLOCKS`] blocks at most, and only where there is something
//! to gain all of them are.

#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(all(ptx_host, not(test)))]
pub use pass::Remat;

use crate::adt::Rows;
use crate::liveness::cfg::Cfg;
use crate::mir::{FunctionFacts, InstrRun};
use std::ops::Range;

/// What goes through a block at least, as a part of all that lives into it, for it to be worth to compute it again: an eighth.
const LEAST_SHARE: u32 = 8;
/// Fewer registers of 32 bits that live into a block are no trouble: ptxas has them, and more threads would not run.
const LEAST_PRESSURE: u32 = 48;
/// A register that lives in more blocks is left as it is.
const MOST_BLOCKS: usize = 1024;
/// No instruction.
const NONE: u32 = u32::MAX;

/// What is asked of the target.
pub trait Costs {
    /// Whether an instruction computes something of its operands alone that may be computed twice.
    fn is_cheap(&mut self, instr: u32) -> bool;
    /// Whether an instruction has to find what it reads where it is.
    fn is_particular(&mut self, instr: u32) -> bool;
    /// How many registers of 32 bits a virtual register takes; a predicate none.
    fn size(&mut self, reg: u32) -> u32;
}

/// One more instruction like another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Again {
    /// What is computed.
    pub def: u32,
    /// In front of what.
    pub before: u32,
    /// Who reads it, in [`Rematerialisation::readers`]; the first one is `before`.
    pub readers: Range<usize>,
}

/// A register that may be computed again.
struct Candidate {
    origin: u32,
    reg: u32,
    /// In `readers`, those outside of its block, by block and place; in `live_in`, the blocks that it lives into and is not read in.
    readers: Range<usize>,
    through: Range<usize>,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Rematerialisation {
    cfg: Cfg,
    def: Vec<u32>,
    reads: Rows,
    block_of: Vec<u32>,
    candidates: Vec<Candidate>,
    readers: Vec<u32>,
    live_in: Vec<u32>,
    /// By block: the turn in which the register that is followed was found to live into it.
    stamps: Vec<u32>,
    turn: u32,
    worklist: Vec<u32>,
    /// By block: what goes through it of candidates, and what lives into it at all.
    through: Vec<u32>,
    pressure: Vec<u32>,
}

impl Rematerialisation {
    /// Finds what is to be computed again in a function in SSA form.
    pub fn run(&mut self, facts: &FunctionFacts, costs: &mut impl Costs, out: &mut Vec<Again>) {
        out.clear();
        self.candidates.clear();
        self.readers.clear();
        self.live_in.clear();
        if facts.shape.num_blocks() < 2 {
            return;
        }
        self.read(facts, costs);
        if self.candidates.is_empty() {
            return;
        }
        self.cfg.compute(&facts.shape.succs);
        self.stamps.clear();
        self.stamps.resize(facts.shape.num_blocks(), 0);
        self.turn = 0;
        self.through.clear();
        self.through.resize(facts.shape.num_blocks(), 0);
        self.candidates.sort_by_key(|c| c.origin);
        self.keep_those_whose_origin_lives(facts);
        self.find_where_they_go_through(facts, costs);
        if !self.through.iter().any(|&size| is_enough(size, LEAST_PRESSURE)) {
            return;
        }
        self.find_pressure(facts, costs);
        for c in &self.candidates {
            let is_enough = |&b: &u32| is_enough(self.through[b as usize], self.pressure[b as usize]);
            if !self.live_in[c.through.clone()].iter().any(is_enough) {
                continue;
            }
            let mut first = c.readers.start;
            for at in c.readers.clone() {
                let block = |k: usize| self.block_of[self.readers[k] as usize];
                if at + 1 == c.readers.end || block(at + 1) != block(at) {
                    let (def, before) = (self.def[c.reg as usize], self.readers[first]);
                    out.push(Again { def, before, readers: first..at + 1 });
                    first = at + 1;
                }
            }
        }
    }
    /// Readers, as [`Again`] has them.
    pub fn readers(&self, again: &Again) -> &[u32] {
        &self.readers[again.readers.clone()]
    }

    /// Who defines and reads what, and which may be computed again, as far as its readers go.
    fn read(&mut self, facts: &FunctionFacts, costs: &mut impl Costs) {
        facts.defs_and_reads(&mut self.def, &mut self.reads);
        facts.blocks_of_instrs(&mut self.block_of);
        for instr in 0..facts.num_instrs() as u32 {
            let Some((reg, origin)) = computed(facts, instr) else { continue };
            let block = self.block_of[instr as usize];
            let reads = self.reads.row(reg as usize);
            let elsewhere = reads.iter().copied().filter(|&i| self.block_of[i as usize] != block);
            if self.def[origin as usize] == NONE
                || elsewhere.clone().next().is_none()
                || !costs.is_cheap(instr)
                || reads.iter().any(|&i| facts.is_phi(i as usize) || costs.is_particular(i))
            {
                continue;
            }
            let first = self.readers.len();
            for reader in elsewhere {
                // It may read it twice.
                if self.readers[first..].last() != Some(&reader) {
                    self.readers.push(reader);
                }
            }
            let readers = first..self.readers.len();
            self.candidates.push(Candidate { origin, reg, readers, through: 0..0 });
        }
    }

    /// Follows a register from these readers up to its def, through blocks that it lives into: these have the stamp of this turn, and are
    /// in `live_in` from `first` on. Whether these were not too many.
    fn follow(
        &mut self,
        facts: &FunctionFacts,
        reg: u32,
        first: usize,
        readers: impl Iterator<Item = u32>,
    ) -> bool {
        let home = self.block_of[self.def[reg as usize] as usize];
        self.turn += 1;
        self.worklist.clear();
        for instr in readers {
            if facts.is_phi(instr as usize) {
                // It reads at the ends of blocks.
                let reads = InstrRun::phi_uses(facts.operands(instr as usize));
                let of_reg = reads.filter(|u| u.0.virt_index() as u32 == reg);
                self.worklist.extend(of_reg.map(|u| facts.shape.by_number[u.1 as usize]));
            } else {
                self.worklist.push(self.block_of[instr as usize]);
            }
        }
        while let Some(block) = self.worklist.pop() {
            if block == home || std::mem::replace(&mut self.stamps[block as usize], self.turn) == self.turn {
                continue;
            }
            self.live_in.push(block);
            if self.live_in.len() - first > MOST_BLOCKS {
                return false;
            }
            self.worklist.extend_from_slice(self.cfg.preds.row(block as usize));
        }
        true
    }

    fn keep_those_whose_origin_lives(&mut self, facts: &FunctionFacts) {
        let mut candidates = std::mem::take(&mut self.candidates);
        let reads = std::mem::take(&mut self.reads);
        let (mut known, mut is_followed) = (NONE, false);
        candidates.retain(|c| {
            if c.origin != known {
                known = c.origin;
                is_followed = self.follow(facts, c.origin, 0, reads.row(c.origin as usize).iter().copied());
                self.live_in.clear();
            }
            let lives_into = |&i: &u32| self.stamps[self.block_of[i as usize] as usize] == self.turn;
            is_followed && self.readers[c.readers.clone()].iter().all(lives_into)
        });
        (self.candidates, self.reads) = (candidates, reads);
    }

    fn find_where_they_go_through(&mut self, facts: &FunctionFacts, costs: &mut impl Costs) {
        let mut candidates = std::mem::take(&mut self.candidates);
        let readers = std::mem::take(&mut self.readers);
        candidates.retain_mut(|c| {
            let first = self.live_in.len();
            let read = &readers[c.readers.clone()];
            if !self.follow(facts, c.reg, first, read.iter().copied()) {
                self.live_in.truncate(first);
                return false;
            }
            let size = costs.size(c.reg);
            let mut kept = first;
            for at in first..self.live_in.len() {
                let block = self.live_in[at];
                if !read.iter().any(|&i| self.block_of[i as usize] == block) {
                    self.through[block as usize] += size;
                    self.live_in[kept] = block;
                    kept += 1;
                }
            }
            self.live_in.truncate(kept);
            c.through = first..kept;
            true
        });
        (self.candidates, self.readers) = (candidates, readers);
    }

    /// What lives into each block, the results of its PHIs included.
    fn find_pressure(&mut self, facts: &FunctionFacts, costs: &mut impl Costs) {
        self.pressure.clear();
        self.pressure.resize(facts.shape.num_blocks(), 0);
        let mut everywhere = 0;
        let (reads, first) = (std::mem::take(&mut self.reads), self.live_in.len());
        for reg in 0..self.def.len() as u32 {
            let (def, read) = (self.def[reg as usize], reads.row(reg as usize));
            if def == NONE || read.is_empty() {
                continue;
            }
            let size = costs.size(reg);
            if facts.is_phi(def as usize) {
                self.pressure[self.block_of[def as usize] as usize] += size;
            }
            if !self.follow(facts, reg, first, read.iter().copied()) {
                everywhere += size;
            } else {
                self.live_in[first..].iter().for_each(|&block| self.pressure[block as usize] += size);
            }
            self.live_in.truncate(first);
        }
        self.pressure.iter_mut().for_each(|all| *all += everywhere);
        self.reads = reads;
    }
}

/// Whether so much that goes through a block is enough, of so much that lives into it.
fn is_enough(through: u32, pressure: u32) -> bool {
    pressure >= LEAST_PRESSURE && through * LEAST_SHARE >= pressure
}

/// What an instruction computes of which register, if it is one of one.
fn computed(facts: &FunctionFacts, instr: u32) -> Option<(u32, u32)> {
    const UNSUITED: u8 = InstrRun::IS_PHI
        | InstrRun::IN_BUNDLE
        | InstrRun::HAS_PHYSICAL
        | InstrRun::HAS_SUBREG
        | InstrRun::KIND;
    if facts.instr_flags[instr as usize] & UNSUITED != 0 {
        return None;
    }
    let (result, read) = facts.operands(instr as usize).split_first()?;
    let mut regs = read.iter().filter(|o| o.is_reg());
    let (origin, None) = (regs.next()?, regs.next()) else { return None };
    let is_plain = origin.is_use() && origin.is_whole() && !origin.is_tied();
    let is_result = result.is_virtual() && result.is_def();
    (is_plain && is_result).then(|| (result.reg().virt_index() as u32, origin.reg().virt_index() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};
    use crate::mir::{Operand, Register};

    /// Whatever reads one register and defines another one is cheap; some that read one and define none compare. Registers are so large.
    struct Plain<'a>(&'a FunctionFacts, u32);
    impl Costs for Plain<'_> {
        fn is_cheap(&mut self, _: u32) -> bool {
            true
        }
        fn is_particular(&mut self, instr: u32) -> bool {
            let operands = self.0.operands(instr as usize);
            operands.len() == 1 && operands[0].reg().virt_index() % 8 == 7
        }
        fn size(&mut self, _: u32) -> u32 {
            self.1
        }
    }

    fn read(r: u32) -> Operand {
        Operand::test_reg(Register::virt(r), false, false)
    }
    fn write(r: u32) -> Operand {
        Operand::test_reg(Register::virt(r), true, false)
    }
    fn push(facts: &mut FunctionFacts, operands: &[Operand]) {
        facts.push_run(InstrRun { flags: &[0], num_operands: &[operands.len() as u32], operands });
    }
    fn end_block(facts: &mut FunctionFacts, block: u32, succs: &[u32]) {
        facts.shape.succs.push_row(succs.len(), |row| row.copy_from_slice(succs));
        facts.shape.push_block(block);
        facts.end_block();
    }

    /// A register and `n` that are computed of it, in front of a loop that reads them in a block of its own, 2; it reads the first one
    /// itself. Others live through it, so that there are `all` with what is computed.
    fn schedule(n: u32, all: u32) -> FunctionFacts {
        let mut facts = FunctionFacts::default();
        facts.clear(all as usize, 4);
        push(&mut facts, &[write(0)]);
        (n + 1..all).for_each(|r| push(&mut facts, &[write(r)]));
        (1..=n).for_each(|r| push(&mut facts, &[write(r), read(0)]));
        end_block(&mut facts, 0, &[1]);
        push(&mut facts, &[read(0)]);
        end_block(&mut facts, 1, &[2, 3]);
        (1..=n).for_each(|r| push(&mut facts, &[read(r)]));
        end_block(&mut facts, 2, &[1]);
        (n + 1..all).for_each(|r| push(&mut facts, &[read(r)]));
        end_block(&mut facts, 3, &[]);
        facts.shape.finish();
        facts
    }

    #[test]
    fn remat_a_key_schedule_is_computed_where_it_is_read() {
        let (mut remat, mut out) = (Rematerialisation::default(), Vec::new());
        let facts = schedule(6, 48);
        remat.run(&facts, &mut Plain(&facts, 1), &mut out);
        let found: Vec<_> = out.iter().map(|a| (a.def, a.before, remat.readers(a).to_vec())).collect();
        let expected: Vec<_> = (1..=6).map(|r| (41 + r, 48 + r, vec![48 + r])).collect();
        assert_eq!(found, expected);
        // Too few; no need.
        for facts in [schedule(5, 48), schedule(6, 49), schedule(6, 47)] {
            remat.run(&facts, &mut Plain(&facts, 1), &mut out);
            assert_eq!(out, []);
        }
    }

    /// A tree of blocks with edges back up: what a block reads is defined on the way to it.
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
                    0 => push(&mut facts, &[write(new)]),
                    1 | 2 => push(&mut facts, &[read(any(rng))]),
                    3 => push(&mut facts, &[write(new), read(any(rng)), read(any(rng))]),
                    _ => push(&mut facts, &[write(new), read(any(rng))]),
                }
                if facts.operands(facts.num_instrs() - 1)[0].is_def() {
                    facts.shape.num_virt_regs += 1;
                    regs.push(new);
                }
            }
            let mut succs: Vec<u32> = (block + 1..blocks).filter(|&b| parents[b as usize] == block).collect();
            // Back to a block that dominates it.
            if block > 0 && rng.one_in(3) {
                succs.push(parents[block as usize].max(1));
            }
            succs.sort_unstable();
            succs.dedup();
            known.push(regs);
            end_block(&mut facts, block, &succs);
        }
        facts.shape.finish();
        facts
    }

    /// Registers that are live into each block, by the equations; code as (defs, reads) by block.
    fn live_into(facts: &FunctionFacts, code: &[Vec<(Vec<u32>, Vec<u32>)>]) -> Vec<Vec<u32>> {
        let mut live: Vec<Vec<u32>> = vec![vec![]; code.len()];
        loop {
            let before = live.clone();
            for block in (0..code.len()).rev() {
                let mut now: Vec<u32> = Vec::new();
                facts.shape.succs.row(block).iter().for_each(|&s| now.extend(&live[s as usize]));
                for (defs, reads) in code[block].iter().rev() {
                    now.retain(|r| !defs.contains(r));
                    now.extend(reads);
                }
                now.sort_unstable();
                now.dedup();
                live[block] = now;
            }
            if live == before {
                return live;
            }
        }
    }

    #[test]
    fn remat_nothing_lives_longer_and_what_is_read_stays_the_same() {
        let (mut rng, mut remat, mut out) = (Rng::new(13), Rematerialisation::default(), Vec::new());
        let mut again = 0;
        for _ in 0..cases(3000) {
            let facts = random_function(&mut rng);
            remat.run(&facts, &mut Plain(&facts, 8), &mut out);
            again += out.len();
            let regs = |instr: usize, is: fn(Operand) -> bool| -> Vec<u32> {
                facts
                    .operands(instr)
                    .iter()
                    .filter(|&&o| is(o))
                    .map(|o| o.reg().virt_index() as u32)
                    .collect()
            };
            let mut old = Vec::new();
            let mut new = Vec::new();
            let mut fresh = facts.shape.num_virt_regs as u32;
            for block in 0..facts.shape.num_blocks() {
                let (mut was, mut is) = (Vec::new(), Vec::new());
                for instr in facts.instrs(block) {
                    let (defs, mut reads) = (regs(instr, Operand::is_def), regs(instr, Operand::is_use));
                    was.push((defs.clone(), reads.clone()));
                    for a in out.iter().filter(|a| a.before == instr as u32) {
                        is.push((vec![fresh + a.def], regs(a.def as usize, Operand::is_use)));
                    }
                    for a in out.iter().filter(|a| remat.readers(a).contains(&(instr as u32))) {
                        let reg = regs(a.def as usize, Operand::is_def)[0];
                        assert!(reads.contains(&reg), "it does not read that");
                        let in_block = is.iter().any(|(d, _): &(Vec<u32>, _)| d.contains(&(fresh + a.def)));
                        assert!(in_block, "it is computed behind its reader");
                        reads.iter_mut().filter(|r| **r == reg).for_each(|r| *r = fresh + a.def);
                    }
                    is.push((defs, reads));
                }
                fresh += facts.num_instrs() as u32;
                old.push(was);
                new.push(is);
            }
            // What nobody reads any more goes.
            for a in &out {
                let reg = regs(a.def as usize, Operand::is_def)[0];
                if !new.iter().flatten().any(|(_, reads)| reads.contains(&reg)) {
                    new.iter_mut().for_each(|code| code.retain(|(defs, _)| !defs.contains(&reg)));
                }
            }
            let (before, after) = (live_into(&facts, &old), live_into(&facts, &new));
            for block in 0..before.len() {
                assert!(after[block].iter().all(|r| before[block].contains(r)), "{out:?}");
            }
        }
        assert!(crate::fuzzing::FEW || again > 200, "{again}");
    }
}
