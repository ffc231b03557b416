//! What a few instructions compute of registers that live anyway is computed again where it is read (`cicc` profile, stage `remat`).
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
//! So it is with conditions, and there are but seven predicates: each one more is a register, with an instruction that packs it and one
//! that tests it.
//!
//! ptxas computes constants and what is made of parameters again, but moves nothing else over branches.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables. A register is a candidate if one cheap instruction computes it of one register,
//! its *origin*, and of constants, and in every other block where it is read the origin is live on the way in for reasons of its own. A
//! predicate is a candidate if [`MOST_STEPS`] instructions compute it, which compare any registers and combine predicates: its origins are
//! what is compared, but for parameters, which ptxas has at hand. The blocks that a candidate lives into are found from its readers up to
//! its def, and so are those of the origins, one origin after the other. Where candidates go through a block that reads none of them, and
//! are an eighth of all of their file that lives into it, [`LEAST_PRESSURE`] or more, they are computed again in each block that reads
//! them, in front of the first reader: each step once in a block.
//!
//! What is compared stays, as it is the end of a loop, and ptxas unrolls a loop only if that does not change; so does what inline
//! assembly reads. So does a comparison of floats that its own block branches on: where another block branches on it, too, ptxas knows
//! the way by the predicate alone, while of integers it knows what they are behind a branch. What all threads share stays if it is wider
//! than 32 bits, as ptxas has registers of its own for that, and uses fewer of these behind: in a matrix product of vLLM's (Marlin) 180
//! others for 124.
//!
//! **Measured** (ptxas 13.0, LLVM 22; against the rest of the profile). 308 kernels of Triton: registers 0.997, fewer in 4, down to 0.61,
//! more in none, SASS 0.998. Any four registers of 48: 0.996, fewer in 16, more in 2; on 4,772 kernels of CUDA 0.9987, fewer in 63, more in
//! 18. Also where few registers live: SASS up to 7 % more for nothing. Predicates, the same kernels of CUDA: registers 0.9986, 0.996 where
//! there are 40 or more, fewer in 85, down to 0.72, more in 6. From six predicates on: fewer in 101, more in 14; from eight on: 70 and 4;
//! only those that eight blocks read at most: 74 and 9. What threads share stays, 796 kernels of CUTLASS, vLLM and others: tensor cores
//! 0.995 for 1.001; if it stays up to 32 bits as well, more in 12, fewer in 7, and spilled bytes 1.03. If sums with a constant stay, too, that
//! only loads and stores read, which add it themselves: more in 13, fewer in 8.
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

use crate::mir::{InstrRun, Operand};
use crate::ssa::SsaFacts;
use std::ops::Range;

/// Where a register lives. An index into what there is for each.
pub type File = usize;
/// Of 32 bits; larger ones take several.
pub const REGISTERS: File = 0;
/// Of one bit.
pub const PREDICATES: File = 1;

/// By file: where fewer live into a block they are no trouble. Below 48 registers more threads would hardly run; of predicates there are
/// seven, and more are bits of a register, which takes instructions.
const LEAST_PRESSURE: [u32; 2] = [48, 7];
/// What goes through a block at least, as a part of all that lives into it, for it to be worth to compute it again: an eighth.
const LEAST_SHARE: u32 = 8;
/// So many instructions at most compute a register.
const MOST_STEPS: usize = 3;
/// A register that lives in more blocks is left as it is.
const MOST_BLOCKS: usize = 1024;
/// No instruction.
const NONE: u32 = u32::MAX;

/// What is asked of the target.
pub trait Costs {
    /// Whether an instruction computes something of its operands alone that may be computed twice.
    fn is_cheap(&mut self, instr: u32) -> bool;
    /// Whether an instruction has to find what it reads of a file where it is.
    fn is_particular(&mut self, instr: u32, file: File) -> bool;
    /// Whether a reader in its block has an instruction compute for other blocks as well.
    fn stays_for(&mut self, instr: u32, reader: u32) -> bool;
    /// Whether what an instruction defines is there without a register.
    fn is_free(&mut self, instr: u32) -> bool;
    /// Whether all threads share what an instruction defines, in registers of another kind.
    fn is_uniform(&mut self, instr: u32) -> bool;
    /// Where a virtual register lives, and how much it takes there.
    fn size(&mut self, reg: u32) -> (File, u32);
}

/// One more instruction like another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Again {
    /// What is computed.
    pub def: u32,
    /// In front of what.
    pub before: u32,
    /// Who reads it, in [`Rematerialisation::readers`].
    pub readers: Range<usize>,
}

/// Who reads what is computed again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reader {
    /// An instruction that is there.
    Instr(u32),
    /// One that is made: of what [`Rematerialisation::run`] found, that with this index.
    Again(u32),
}

/// A register that may be computed again.
struct Candidate {
    reg: u32,
    file: File,
    /// In `steps`, what computes it, operands first.
    steps: Range<usize>,
    /// In `readers`, those outside of its block, by block and place; in `live_in`, the blocks that it lives into and is not read in.
    readers: Range<usize>,
    through: Range<usize>,
    /// What it is computed of does not live where it is read.
    is_lost: bool,
}

/// An instruction of those that compute a candidate, and how many of them are above it at most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    height: u32,
    instr: u32,
}

/// A step that a block needs, and in front of which instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    block: u32,
    step: Step,
    before: u32,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Rematerialisation {
    candidates: Vec<Candidate>,
    steps: Vec<Step>,
    /// What a candidate is computed of has to live where it is read: pairs of both.
    origins: Vec<(u32, u32)>,
    readers: Vec<u32>,
    live_in: Vec<u32>,
    /// By block: the turn in which the register that is followed was found to live into it.
    stamps: Vec<u32>,
    turn: u32,
    worklist: Vec<u32>,
    /// By file and block: what goes through it of candidates, and what lives into it at all.
    through: [Vec<u32>; 2],
    pressure: [Vec<u32>; 2],
    needs: Vec<Need>,
    /// Indices into `needs`, in the order in which they are made; by need, its place there.
    order: Vec<u32>,
    place: Vec<u32>,
    /// By place, who reads it; and in rows.
    found: Vec<(u32, Reader)>,
    is_read_by: Vec<Reader>,
}

impl Rematerialisation {
    /// Finds what is to be computed again in a function in SSA form, in an order in which it can be made.
    pub fn run(&mut self, facts: &SsaFacts, costs: &mut impl Costs, out: &mut Vec<Again>) {
        out.clear();
        self.find_candidates(facts, costs);
        if self.candidates.is_empty() {
            return;
        }
        self.stamps.clear();
        self.stamps.resize(facts.shape.num_blocks(), 0);
        self.turn = 0;
        self.keep_those_whose_origins_live(facts);
        self.find_where_they_go_through(facts, costs);
        self.find_pressure(facts, costs);
        self.find_needs(facts);
        self.find_readers(facts, out);
    }
    /// Readers, as [`Again`] has them.
    pub fn readers(&self, again: &Again) -> &[Reader] {
        &self.is_read_by[again.readers.clone()]
    }

    /// Which may be computed again, as far as its readers go.
    fn find_candidates(&mut self, facts: &SsaFacts, costs: &mut impl Costs) {
        self.candidates.clear();
        self.steps.clear();
        self.origins.clear();
        self.readers.clear();
        for instr in 0..facts.num_instrs() as u32 {
            let Some((reg, _)) = computed(facts, instr) else { continue };
            let block = facts.block_of[instr as usize];
            let reads = facts.reads.row(reg as usize);
            let elsewhere = reads.iter().copied().filter(|&i| facts.block_of[i as usize] != block);
            if elsewhere.clone().next().is_none() || !costs.is_cheap(instr) {
                continue;
            }
            let (file, size) = costs.size(reg);
            if file == REGISTERS && size > 1 && costs.is_uniform(instr) {
                continue;
            }
            if reads.iter().any(|&i| facts.is_phi(i as usize) || costs.is_particular(i, file)) {
                continue;
            }
            let mut of_block = reads.iter().filter(|&&i| facts.block_of[i as usize] == block);
            if of_block.any(|&i| costs.stays_for(instr, i)) {
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
            let (first_step, first_origin) = (self.steps.len(), self.origins.len());
            if self.find_steps(facts, costs, instr, first_step, 0).is_none() {
                self.readers.truncate(first);
                self.steps.truncate(first_step);
                self.origins.truncate(first_origin);
                continue;
            }
            let steps = first_step..self.steps.len();
            self.candidates.push(Candidate { reg, file, steps, readers, through: 0..0, is_lost: false });
        }
    }

    /// Adds the steps from `first` on that an instruction ends, and what they have for origins; its height. `depth` instructions that read
    /// it are steps as well. A predicate is never an origin.
    fn find_steps(
        &mut self,
        facts: &SsaFacts,
        costs: &mut impl Costs,
        instr: u32,
        first: usize,
        depth: usize,
    ) -> Option<u32> {
        if let Some(step) = self.steps[first..].iter().find(|s| s.instr == instr) {
            return Some(step.height);
        }
        if self.steps.len() - first + depth >= MOST_STEPS {
            return None;
        }
        let (reg, read) = computed(facts, instr)?;
        let (file, _) = costs.size(reg);
        let mut height = 0;
        let mut registers = 0;
        for operand in read.iter().filter(|o| o.is_reg()) {
            let origin = operand.reg().virt_index() as u32;
            let def = facts.def[origin as usize];
            if def == NONE {
                return None;
            }
            if costs.size(origin).0 == PREDICATES {
                if !costs.is_cheap(def) {
                    return None;
                }
                height = height.max(1 + self.find_steps(facts, costs, def, first, depth + 1)?);
            } else if file == REGISTERS || !costs.is_free(def) {
                self.origins.push((origin, self.candidates.len() as u32));
            }
            registers += 1;
        }
        // Of several registers ptxas has hardly more.
        if file == REGISTERS && registers != 1 {
            return None;
        }
        self.steps.push(Step { height, instr });
        Some(height)
    }

    /// Follows a register from these readers up to its def, through blocks that it lives into: these have the stamp of this turn, and are
    /// in `live_in` from `first` on. Whether these were not too many.
    fn follow(
        &mut self,
        facts: &SsaFacts,
        reg: u32,
        first: usize,
        readers: impl Iterator<Item = u32>,
    ) -> bool {
        let home = facts.block_of[facts.def[reg as usize] as usize];
        self.turn += 1;
        self.worklist.clear();
        for instr in readers {
            if facts.is_phi(instr as usize) {
                // It reads at the ends of blocks.
                let reads = InstrRun::phi_uses(facts.operands(instr as usize));
                let of_reg = reads.filter(|u| u.0.virt_index() as u32 == reg);
                self.worklist.extend(of_reg.map(|u| facts.shape.by_number[u.1 as usize]));
            } else {
                self.worklist.push(facts.block_of[instr as usize]);
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
            self.worklist.extend_from_slice(facts.cfg.preds.row(block as usize));
        }
        true
    }

    fn keep_those_whose_origins_live(&mut self, facts: &SsaFacts) {
        let mut origins = std::mem::take(&mut self.origins);
        origins.sort_unstable();
        self.live_in.clear();
        for of_origin in origins.chunk_by(|a, b| a.0 == b.0) {
            let origin = of_origin[0].0;
            let is_followed = self.follow(facts, origin, 0, facts.reads.row(origin as usize).iter().copied());
            self.live_in.clear();
            for &(_, candidate) in of_origin {
                let candidate = &mut self.candidates[candidate as usize];
                let lives_into = |&i: &u32| self.stamps[facts.block_of[i as usize] as usize] == self.turn;
                candidate.is_lost |=
                    !is_followed || !self.readers[candidate.readers.clone()].iter().all(lives_into);
            }
        }
        self.candidates.retain(|c| !c.is_lost);
        self.origins = origins;
    }

    fn find_where_they_go_through(&mut self, facts: &SsaFacts, costs: &mut impl Costs) {
        for through in &mut self.through {
            through.clear();
            through.resize(facts.shape.num_blocks(), 0);
        }
        let mut candidates = std::mem::take(&mut self.candidates);
        let readers = std::mem::take(&mut self.readers);
        candidates.retain_mut(|c| {
            let first = self.live_in.len();
            let read = &readers[c.readers.clone()];
            if !self.follow(facts, c.reg, first, read.iter().copied()) {
                self.live_in.truncate(first);
                return false;
            }
            let (file, size) = costs.size(c.reg);
            let mut kept = first;
            for at in first..self.live_in.len() {
                let block = self.live_in[at];
                // Readers are in order, and so are their blocks.
                if read.binary_search_by_key(&block, |&i| facts.block_of[i as usize]).is_err() {
                    self.through[file][block as usize] += size;
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

    /// What lives into each block, the results of its PHIs included, of files that may have too few registers.
    fn find_pressure(&mut self, facts: &SsaFacts, costs: &mut impl Costs) {
        let is_of_use =
            |file: File| self.through[file].iter().any(|&size| size * LEAST_SHARE >= LEAST_PRESSURE[file]);
        let is_of_use = [is_of_use(REGISTERS), is_of_use(PREDICATES)];
        for pressure in &mut self.pressure {
            pressure.clear();
            pressure.resize(facts.shape.num_blocks(), 0);
        }
        if is_of_use == [false; 2] {
            return;
        }
        let mut everywhere = [0; 2];
        let first = self.live_in.len();
        for reg in 0..facts.def.len() as u32 {
            let (def, read) = (facts.def[reg as usize], facts.reads.row(reg as usize));
            if def == NONE || read.is_empty() {
                continue;
            }
            let (file, size) = costs.size(reg);
            if !is_of_use[file] {
                continue;
            }
            if facts.is_phi(def as usize) {
                self.pressure[file][facts.block_of[def as usize] as usize] += size;
            }
            if !self.follow(facts, reg, first, read.iter().copied()) {
                everywhere[file] += size;
            } else {
                self.live_in[first..].iter().for_each(|&block| self.pressure[file][block as usize] += size);
            }
            self.live_in.truncate(first);
        }
        for (pressure, everywhere) in self.pressure.iter_mut().zip(everywhere) {
            pressure.iter_mut().for_each(|all| *all += everywhere);
        }
    }

    /// What is computed again in which block: what computes those that go through a block where they are enough.
    fn find_needs(&mut self, facts: &SsaFacts) {
        self.needs.clear();
        self.candidates.retain(|c| {
            let (through, pressure) = (&self.through[c.file], &self.pressure[c.file]);
            let is_enough = |&b: &u32| {
                let (through, pressure) = (through[b as usize], pressure[b as usize]);
                pressure >= LEAST_PRESSURE[c.file] && through * LEAST_SHARE >= pressure
            };
            self.live_in[c.through.clone()].iter().any(is_enough)
        });
        for c in &self.candidates {
            for readers in by_block(&self.readers[c.readers.clone()], &facts.block_of) {
                let (block, before) = (facts.block_of[readers[0] as usize], readers[0]);
                self.needs.extend(self.steps[c.steps.clone()].iter().map(|&step| Need {
                    block,
                    step,
                    before,
                }));
            }
        }
        // Once in a block, in front of its first reader.
        self.needs.sort_unstable();
        self.needs.dedup_by(|next, need| (need.block, need.step) == (next.block, next.step));
        self.order.clear();
        self.order.extend(0..self.needs.len() as u32);
        self.order.sort_unstable_by_key(|&n| (self.needs[n as usize].before, self.needs[n as usize].step));
        self.place.clear();
        self.place.resize(self.needs.len(), 0);
        self.order.iter().enumerate().for_each(|(place, &n)| self.place[n as usize] = place as u32);
    }

    /// Which copy of what it read whoever read it reads now.
    fn find_readers(&mut self, facts: &SsaFacts, out: &mut Vec<Again>) {
        self.found.clear();
        for c in &self.candidates {
            let steps = &self.steps[c.steps.clone()];
            for readers in by_block(&self.readers[c.readers.clone()], &facts.block_of) {
                let block = facts.block_of[readers[0] as usize];
                let place = |step: Step| {
                    self.place[self.needs.partition_point(|need| (need.block, need.step) < (block, step))]
                };
                for &step in steps {
                    let operands = facts.operands(step.instr as usize).iter();
                    for operand in operands.filter(|o| o.is_use() && o.is_virtual()) {
                        let def = facts.def[operand.reg().virt_index()];
                        let above = steps.iter().find(|s| s.instr == def);
                        self.found.extend(above.map(|&above| (place(above), Reader::Again(place(step)))));
                    }
                }
                let last = place(steps[steps.len() - 1]);
                self.found.extend(readers.iter().map(|&reader| (last, Reader::Instr(reader))));
            }
        }
        self.found.sort_unstable();
        self.found.dedup();
        self.is_read_by.clear();
        let mut found = self.found.iter().peekable();
        for (place, &n) in self.order.iter().enumerate() {
            let first = self.is_read_by.len();
            while let Some((_, reader)) = found.next_if(|f| f.0 == place as u32) {
                self.is_read_by.push(*reader);
            }
            let Need { step, before, .. } = self.needs[n as usize];
            out.push(Again { def: step.instr, before, readers: first..self.is_read_by.len() });
        }
    }
}

/// These instructions, which are in order, those of one block after those of another one.
fn by_block<'a>(instrs: &'a [u32], block_of: &'a [u32]) -> impl Iterator<Item = &'a [u32]> {
    instrs.chunk_by(|&a, &b| block_of[a as usize] == block_of[b as usize])
}

/// What an instruction computes, and its operands, if it only computes one register and of whole virtual registers.
fn computed(facts: &SsaFacts, instr: u32) -> Option<(u32, &[Operand])> {
    const UNSUITED: u8 = InstrRun::IS_PHI
        | InstrRun::IN_BUNDLE
        | InstrRun::HAS_PHYSICAL
        | InstrRun::HAS_SUBREG
        | InstrRun::KIND;
    if facts.instr_flags[instr as usize] & UNSUITED != 0 {
        return None;
    }
    let (result, read) = facts.operands(instr as usize).split_first()?;
    let is_plain = |o: &Operand| !o.is_reg() || o.reads_whole() && !o.is_tied();
    let is_result = result.is_virtual() && result.is_def();
    (is_result && read.iter().all(is_plain)).then(|| (result.reg().virt_index() as u32, read))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};
    use crate::mir::testing::{end_block, push, read, write};
    use crate::mir::{FunctionFacts, Operand};

    /// Whatever reads and defines is cheap; some that read one register and define none compare; all stay for branches. Every fifth
    /// register is a predicate. A register takes so much of its file.
    struct Plain<'a>(&'a FunctionFacts, u32);
    fn is_predicate(reg: u32) -> bool {
        reg % 5 == 4
    }
    impl Costs for Plain<'_> {
        fn is_cheap(&mut self, _: u32) -> bool {
            true
        }
        fn is_particular(&mut self, instr: u32, file: File) -> bool {
            let operands = self.0.operands(instr as usize);
            let reg = operands[0].reg().virt_index() as u32;
            file == REGISTERS
                && (operands.len() == 1 && reg % 8 == 7 || operands[0].is_def() && is_predicate(reg))
        }
        fn stays_for(&mut self, _: u32, reader: u32) -> bool {
            self.0.operands(reader as usize).last().is_some_and(|o| !o.is_reg())
        }
        fn is_free(&mut self, instr: u32) -> bool {
            let reg = self.0.operands(instr as usize)[0].reg().virt_index();
            self.0.operands(instr as usize).len() == 1 && reg % 16 == 3
        }
        fn is_uniform(&mut self, instr: u32) -> bool {
            self.0.operands(instr as usize)[0].reg().virt_index() % 16 == 5
        }
        fn size(&mut self, reg: u32) -> (File, u32) {
            (if is_predicate(reg) { PREDICATES } else { REGISTERS }, self.1)
        }
    }

    /// A register and `n` that are computed of it, in front of a loop that reads them in a block of its own, 2; it reads the first one
    /// itself. Others live through it, so that there are `all` with what is computed.
    fn schedule(n: u32, all: u32) -> FunctionFacts {
        let mut facts = FunctionFacts::default();
        facts.clear(all as usize, 4);
        push(&mut facts, 0, &[write(0)]);
        (n + 1..all).for_each(|r| push(&mut facts, 0, &[write(r)]));
        (1..=n).for_each(|r| push(&mut facts, 0, &[write(r), read(0)]));
        end_block(&mut facts, 0, &[1]);
        push(&mut facts, 0, &[read(0)]);
        end_block(&mut facts, 1, &[2, 3]);
        (1..=n).for_each(|r| push(&mut facts, 0, &[read(r)]));
        end_block(&mut facts, 2, &[1]);
        (n + 1..all).for_each(|r| push(&mut facts, 0, &[read(r)]));
        end_block(&mut facts, 3, &[]);
        facts.shape.finish();
        facts
    }

    #[test]
    fn remat_a_key_schedule_is_computed_where_it_is_read() {
        /// All are registers.
        struct Registers;
        impl Costs for Registers {
            fn is_cheap(&mut self, _: u32) -> bool {
                true
            }
            fn is_particular(&mut self, _: u32, _: File) -> bool {
                false
            }
            fn stays_for(&mut self, _: u32, _: u32) -> bool {
                false
            }
            fn is_free(&mut self, _: u32) -> bool {
                false
            }
            fn is_uniform(&mut self, _: u32) -> bool {
                false
            }
            fn size(&mut self, _: u32) -> (File, u32) {
                (REGISTERS, 1)
            }
        }
        let (mut remat, mut out) = (Rematerialisation::default(), Vec::new());
        let facts = SsaFacts::of(schedule(6, 48));
        remat.run(&facts, &mut Registers, &mut out);
        let found: Vec<_> = out.iter().map(|a| (a.def, a.before, remat.readers(a).to_vec())).collect();
        let expected: Vec<_> = (1..=6).map(|r| (41 + r, 48 + r, vec![Reader::Instr(48 + r)])).collect();
        assert_eq!(found, expected);
        // Too few; no need.
        for facts in [schedule(5, 48), schedule(6, 49), schedule(6, 47)] {
            remat.run(&SsaFacts::of(facts), &mut Registers, &mut out);
            assert_eq!(out, []);
        }
    }

    /// Predicates 4 and 9 compare register 0 with two others, of which that of 3 is there without a register; 14 is both. They and others
    /// live through block 1; 2 reads them, and 0. Block 0 branches on `end`.
    fn conditions(others: u32, end: Option<u32>) -> FunctionFacts {
        let mut facts = FunctionFacts::default();
        facts.clear(100, 3);
        push(&mut facts, 0, &[write(0)]);
        push(&mut facts, 0, &[write(3)]);
        push(&mut facts, 0, &[write(4), read(0)]);
        push(&mut facts, 0, &[write(9), read(0), read(3)]);
        push(&mut facts, 0, &[write(14), read(4), read(9)]);
        (0..others).for_each(|n| push(&mut facts, 0, &[write(19 + 5 * n)]));
        end.iter().for_each(|&reg| push(&mut facts, 0, &[read(reg), Operand::test_block(1)]));
        end_block(&mut facts, 0, &[1]);
        push(&mut facts, 0, &[read(0)]);
        end_block(&mut facts, 1, &[2]);
        push(&mut facts, 0, &[read(9)]);
        push(&mut facts, 0, &[read(14)]);
        (0..others).for_each(|n| push(&mut facts, 0, &[read(19 + 5 * n), read(19 + 5 * n)]));
        push(&mut facts, 0, &[read(0)]);
        end_block(&mut facts, 2, &[]);
        facts.shape.finish();
        facts
    }

    #[test]
    fn remat_conditions_are_tested_where_they_are_read() {
        let (mut remat, mut out) = (Rematerialisation::default(), Vec::new());
        let mut found = |others, end| {
            let facts = SsaFacts::of(conditions(others, end));
            // What only defines is not computed of anything, and may be computed again; not here.
            remat.run(&facts, &mut NotDefined(Plain(&facts, 1)), &mut out);
            out.iter().map(|a| (a.def, a.before, remat.readers(a).to_vec())).collect::<Vec<_>>()
        };
        let block_2 = 11;
        let expected = [
            (3, block_2, vec![Reader::Instr(block_2), Reader::Again(2)]),
            (2, block_2 + 1, vec![Reader::Again(2)]),
            (4, block_2 + 1, vec![Reader::Instr(block_2 + 1)]),
        ];
        assert_eq!(found(5, None), expected);
        assert_eq!(found(4, None), [], "there are predicates enough");
    }
    /// triton_randn4x_sm80 on LLVM 19: registers spilled, SASS 1.34 of what it had been.
    #[test]
    fn remat_randn4x_conditions_that_their_block_branches_on_stay() {
        let (mut remat, mut out) = (Rematerialisation::default(), Vec::new());
        let facts = SsaFacts::of(conditions(5, Some(14)));
        remat.run(&facts, &mut NotDefined(Plain(&facts, 1)), &mut out);
        assert_eq!(out.iter().map(|a| a.def).collect::<Vec<_>>(), [3]);
    }
    /// What reads nothing is not cheap.
    struct NotDefined<'a>(Plain<'a>);
    impl Costs for NotDefined<'_> {
        fn is_cheap(&mut self, instr: u32) -> bool {
            self.0 .0.operands(instr as usize).len() > 1
        }
        fn is_particular(&mut self, instr: u32, file: File) -> bool {
            self.0.is_particular(instr, file)
        }
        fn stays_for(&mut self, instr: u32, reader: u32) -> bool {
            self.0.stays_for(instr, reader)
        }
        fn is_free(&mut self, instr: u32) -> bool {
            self.0.is_free(instr)
        }
        fn is_uniform(&mut self, instr: u32) -> bool {
            self.0.is_uniform(instr)
        }
        fn size(&mut self, reg: u32) -> (File, u32) {
            self.0.size(reg)
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
                    0 => push(&mut facts, 0, &[write(new)]),
                    1 | 2 => push(&mut facts, 0, &[read(any(rng))]),
                    3 => push(&mut facts, 0, &[write(new), read(any(rng)), read(any(rng))]),
                    _ => push(&mut facts, 0, &[write(new), read(any(rng))]),
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
        let (mut again, mut chained) = (0, 0);
        for _ in 0..cases(3000) {
            let facts = SsaFacts::of(random_function(&mut rng));
            remat.run(&facts, &mut Plain(&facts, 8), &mut out);
            again += out.len();
            chained += remat.is_read_by.iter().filter(|r| matches!(r, Reader::Again(_))).count();
            let regs = |instr: usize, is: fn(Operand) -> bool| -> Vec<u32> {
                facts
                    .operands(instr)
                    .iter()
                    .filter(|&&o| is(o))
                    .map(|o| o.reg().virt_index() as u32)
                    .collect()
            };
            let num_regs = facts.shape.num_virt_regs as u32;
            let result = |a: &Again| regs(a.def as usize, Operand::is_def)[0];
            for a in out.iter().filter(|a| !is_predicate(result(a))) {
                assert!(!Plain(&facts, 8).is_uniform(a.def), "{a:?}");
            }
            // What a reader reads now: what was made last is named by its place.
            let now = |by: Reader, mut reads: Vec<u32>| {
                for (place, a) in out.iter().enumerate().filter(|(_, a)| remat.readers(a).contains(&by)) {
                    assert!(reads.contains(&result(a)), "it does not read that");
                    reads.iter_mut().filter(|r| **r == result(a)).for_each(|r| *r = num_regs + place as u32);
                }
                reads
            };
            let (mut old, mut new) = (Vec::new(), Vec::new());
            for block in 0..facts.shape.num_blocks() {
                let (mut was, mut is) = (Vec::new(), Vec::<(Vec<u32>, Vec<u32>)>::new());
                for instr in facts.instrs(block) {
                    let made = out.iter().enumerate().filter(|(_, a)| a.before == instr as u32);
                    for (place, a) in made {
                        let reads = now(Reader::Again(place as u32), regs(a.def as usize, Operand::is_use));
                        is.push((vec![num_regs + place as u32], reads));
                    }
                    let (defs, reads) = (regs(instr, Operand::is_def), regs(instr, Operand::is_use));
                    was.push((defs.clone(), reads.clone()));
                    is.push((defs, now(Reader::Instr(instr as u32), reads)));
                }
                for (at, (_, reads)) in is.iter().enumerate() {
                    let is_there =
                        |r: &u32| *r < num_regs || is[..at].iter().any(|(defs, _)| defs.contains(r));
                    assert!(reads.iter().all(is_there), "it is computed behind its reader");
                }
                old.push(was);
                new.push(is);
            }
            // What nobody reads any more goes.
            let mut size = usize::MAX;
            while new.iter().map(Vec::len).sum::<usize>() < size {
                size = new.iter().map(Vec::len).sum();
                for (place, a) in out.iter().enumerate() {
                    for reg in [result(a), num_regs + place as u32] {
                        if !new.iter().flatten().any(|(_, reads)| reads.contains(&reg)) {
                            new.iter_mut().for_each(|code| code.retain(|(defs, _)| !defs.contains(&reg)));
                        }
                    }
                }
            }
            let (before, after) = (live_into(&facts, &old), live_into(&facts, &new));
            for block in 0..before.len() {
                let is_as_before = |r: &u32| before[block].contains(r) || r % 16 == 3;
                assert!(after[block].iter().all(is_as_before), "{out:?}");
            }
        }
        assert!(crate::fuzzing::FEW || again > 200 && chained > 50, "{again}, {chained}");
    }
}
