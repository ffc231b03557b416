//! Measures how many registers of the machine are live at once in a function in SSA form, as ptxas
//! will see it.
//!
//! **Problem.** The stages before LiveVariables trade registers for instructions. They have to know
//! how many registers are live where, in the registers that ptxas has. A constant needs none, and a
//! value that all threads share has one of another file.
//!
//! **Algorithm.** Each register is followed from its readers up to its def ([`LiveInWalk`]). It
//! adds its [`Storage`] to the blocks that it lives into. In the other blocks that it is read in,
//! it ends at its last reader. A walk over the instructions adds that up. An operand that ends at
//! an instruction does not count together with the result. The results of the PHIs of a block live
//! into it.
//!
//! **Source.** The textbook's liveness by use (Appel and Palsberg 2002). **Deviation.** A register
//! that lives into more than [`MAX_BLOCKS`] blocks counts everywhere.
//!
//! **Complexity.** Linear in operands, plus the blocks that registers live into.
//!
//! [`MAX_BLOCKS`]: super::live_in::MAX_BLOCKS

use super::facts::SsaFacts;
use super::live_in::LiveInWalk;
use crate::mir::{virtual_reads, BlockId, InstrId, VRegId};
use crate::nvptx::cost::{Demand, Storage};
use index_vec::IndexVec;

/// Tells what the registers of a function take.
pub trait StorageOf {
    /// Tells what ptxas needs for a register while it is live.
    fn storage(&mut self, reg: VRegId) -> Storage;
}

/// Counts the registers that are live in a block.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BlockPressure {
    /// At its start, the results of its PHIs included.
    pub live_in: Demand,
    /// The most at one place, for each file by itself.
    pub peak: Demand,
}

/// The pressure of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct SsaPressure {
    walk: LiveInWalk,
    blocks: IndexVec<BlockId, BlockPressure>,
    /// By instruction: what begins at it, less what ends at it.
    change: IndexVec<InstrId, Demand>,
    /// By register: whether a reader further down was seen.
    is_read: IndexVec<VRegId, bool>,
    into: Vec<BlockId>,
}

impl SsaPressure {
    /// Measures a function.
    pub fn measure(&mut self, facts: &SsaFacts, target: &mut impl StorageOf) {
        self.blocks.clear();
        self.blocks.resize(facts.shape.num_blocks(), BlockPressure::default());
        self.change.clear();
        self.change.resize(facts.num_instrs(), Demand::default());
        let everywhere = match facts.shape.num_blocks() {
            1 => self.add_registers_of_one_block(facts, target),
            _ => self.add_registers(facts, target),
        };
        for (block, pressure) in self.blocks.iter_mut_enumerated() {
            pressure.live_in += everywhere;
            let mut live = pressure.live_in;
            pressure.peak = live;
            for instr in facts.instrs_of(block) {
                live += self.change[instr];
                pressure.peak = pressure.peak.max(live);
            }
        }
    }
    /// Returns the pressure of each block.
    pub fn blocks(&self) -> &IndexVec<BlockId, BlockPressure> {
        &self.blocks
    }
    /// Returns the most that is live at one place of the function, for each file by itself.
    pub fn peak(&self) -> Demand {
        self.blocks.iter().fold(Demand::default(), |peak, block| peak.max(block.peak))
    }

    /// Measures a function, and returns whether ptxas is predicted to use at least this many
    /// registers for it. All use 0, which needs no measurement.
    pub fn predicts(&mut self, registers: u32, facts: &SsaFacts, target: &mut impl StorageOf) -> bool {
        registers == 0 || {
            self.measure(facts, target);
            self.peak().predicted_registers() >= registers
        }
    }

    /// Adds all registers except those that live everywhere. Returns what these take.
    fn add_registers(&mut self, facts: &SsaFacts, target: &mut impl StorageOf) -> Demand {
        self.walk.begin(facts.shape.num_blocks());
        let mut everywhere = Demand::default();
        for reg in (0..facts.shape.num_virt_regs).map(VRegId::from_usize) {
            let Some(def) = facts.def_of(reg) else { continue };
            let demand = Demand::from(target.storage(reg));
            if demand == Demand::default() {
                continue;
            }
            self.into.clear();
            if !self.walk.follow(facts, reg, facts.readers_of(reg), &mut self.into) {
                everywhere += demand;
                continue;
            }
            self.into.iter().for_each(|&block| self.blocks[block].live_in += demand);
            self.begin_at_def(facts, def, demand);
            let home = facts.block_of_instr(def);
            // Readers are in order, and so are their blocks.
            let (mut last, mut is_read_at_home) = (None, false);
            for reader in facts.readers_of(reg).filter(|&reader| !facts.is_phi_instr(reader)) {
                let block = facts.block_of_instr(reader);
                is_read_at_home |= block == home;
                if let Some((_, end)) = last.filter(|&(of, _)| of != block) {
                    self.end_at(end, demand);
                }
                last = (!self.walk.is_live_out_of(block)).then_some((block, reader));
            }
            if let Some((_, end)) = last {
                self.end_at(end, demand);
            }
            if !is_read_at_home && !self.walk.is_live_out_of(home) {
                self.end_after(facts, def, demand);
            }
        }
        everywhere
    }

    /// Adds the registers of a function of one block, whose readers [`SsaFacts`] does not list. No
    /// register lives everywhere.
    fn add_registers_of_one_block(&mut self, facts: &SsaFacts, target: &mut impl StorageOf) -> Demand {
        self.is_read.clear();
        self.is_read.resize(facts.shape.num_virt_regs, false);
        for instr in facts.instr_ids().rev() {
            for def in facts.operands_of(instr).iter().filter(|o| o.is_def()) {
                let Some(reg) = def.vreg() else { continue };
                let demand = Demand::from(target.storage(reg));
                self.begin_at_def(facts, instr, demand);
                if !self.is_read[reg] {
                    self.end_after(facts, instr, demand);
                }
            }
            for reg in virtual_reads(facts.operands_of(instr)) {
                if facts.def_of(reg).is_some() && !std::mem::replace(&mut self.is_read[reg], true) {
                    self.end_at(instr, Demand::from(target.storage(reg)));
                }
            }
        }
        Demand::default()
    }

    fn begin_at_def(&mut self, facts: &SsaFacts, def: InstrId, demand: Demand) {
        if facts.is_phi_instr(def) {
            self.blocks[facts.block_of_instr(def)].live_in += demand;
        } else {
            self.change[def] += demand;
        }
    }
    fn end_at(&mut self, instr: InstrId, demand: Demand) {
        self.change[instr] -= demand;
    }
    /// Ends a register that nothing reads after its def.
    fn end_after(&mut self, facts: &SsaFacts, def: InstrId, demand: Demand) {
        let block = facts.block_of_instr(def);
        if facts.instrs_of(block).next_back() != Some(def) {
            self.change[def + 1] -= demand;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};
    use crate::mir::testing::{end_block, push, read, write};
    use crate::mir::{FunctionFacts, InstrFlags, Operand};

    /// Registers of three kinds by number.
    struct ByNumber;
    impl StorageOf for ByNumber {
        fn storage(&mut self, reg: VRegId) -> Storage {
            match reg.raw() % 4 {
                0 => Storage::Nowhere,
                1 => Storage::Predicate,
                2 => Storage::Uniform(1),
                _ => Storage::Registers(1 + reg.raw() % 3),
            }
        }
    }

    /// Makes one block, or an entry before a diamond, 1 → 2, 3 → 4. Block 4 may begin with a PHI,
    /// and may go back to block 1.
    fn random_function(rng: &mut Rng) -> FunctionFacts {
        let num_blocks = if rng.one_in(5) { 1 } else { 5 };
        let succs: [&[u32]; 5] = match num_blocks {
            1 => [&[], &[], &[], &[], &[]],
            _ => [&[1], &[2, 3], &[4], &[4], if rng.one_in(2) { &[1] } else { &[] }],
        };
        let mut facts = FunctionFacts::default();
        facts.clear(0, num_blocks);
        // By block: the registers that have a value at its end.
        let mut known: Vec<Vec<u32>> = Vec::new();
        for block in 0..num_blocks {
            let mut regs = if block == 0 { vec![] } else { known[if block == 1 { 0 } else { 1 }].clone() };
            let new = |facts: &mut FunctionFacts| {
                facts.shape.num_virt_regs += 1;
                facts.shape.num_virt_regs as u32 - 1
            };
            if block == 4 && rng.one_in(2) {
                let from =
                    |rng: &mut Rng, block: usize| known[block][rng.below(known[block].len() as u32) as usize];
                let reads =
                    [read(from(rng, 2)), Operand::test_block(2), read(from(rng, 3)), Operand::test_block(3)];
                let result = new(&mut facts);
                let operands = [[write(result)].as_slice(), &reads].concat();
                push(&mut facts, InstrFlags::PHI, &operands);
                regs.push(result);
            }
            for _ in 0..2 + rng.below(24) {
                let any = |rng: &mut Rng| regs[rng.below(regs.len() as u32) as usize];
                let mut operands = Vec::new();
                if regs.is_empty() || !rng.one_in(3) {
                    operands.push(write(new(&mut facts)));
                }
                if !regs.is_empty() {
                    (0..rng.below(3)).for_each(|_| operands.push(read(any(rng))));
                }
                push(&mut facts, InstrFlags::NONE, &operands);
                regs.extend(operands.first().filter(|o| o.is_def()).and_then(|o| o.vreg()).map(VRegId::raw));
            }
            known.push(regs);
            end_block(&mut facts, block as u32, succs[block]);
        }
        facts
    }

    /// Finds the registers that are live at the end of each block, by the equations of dataflow.
    fn live_out(facts: &SsaFacts) -> Vec<Vec<bool>> {
        let num_regs = facts.shape.num_virt_regs;
        let mut out = vec![vec![false; num_regs]; facts.shape.num_blocks()];
        loop {
            let before = out.clone();
            for block in facts.blocks() {
                for succ in facts.succs_of(block) {
                    let mut live = out[succ.index()].clone();
                    for instr in facts.instrs_of(succ).rev() {
                        step_up(facts, instr, &mut live);
                    }
                    for phi in facts.instrs_of(succ).filter(|&instr| facts.is_phi_instr(instr)) {
                        facts
                            .phi_reads_of(phi)
                            .filter(|read| read.1 == block)
                            .for_each(|(reg, _)| live[reg.index()] = true);
                    }
                    (0..num_regs).for_each(|reg| out[block.index()][reg] |= live[reg]);
                }
            }
            if out == before {
                return out;
            }
        }
    }

    /// Turns what is live after an instruction into what is live before it.
    fn step_up(facts: &SsaFacts, instr: InstrId, live: &mut [bool]) {
        for def in facts.operands_of(instr).iter().filter(|o| o.is_def()).filter_map(|o| o.vreg()) {
            live[def.index()] = false;
        }
        if !facts.is_phi_instr(instr) {
            virtual_reads(facts.operands_of(instr)).for_each(|reg| live[reg.index()] = true);
        }
    }

    fn demand_of(live: &[bool]) -> Demand {
        let mut sum = Demand::default();
        for reg in (0..live.len()).filter(|&reg| live[reg]) {
            sum += Demand::from(ByNumber.storage(VRegId::from_usize(reg)));
        }
        sum
    }

    #[test]
    fn pressure_is_what_the_equations_say() {
        let (mut rng, mut pressure) = (Rng::new(29), SsaPressure::default());
        let mut highest = 0;
        for _ in 0..cases(2000) {
            let facts = SsaFacts::of(random_function(&mut rng));
            pressure.measure(&facts, &mut ByNumber);
            let out = live_out(&facts);
            for block in facts.blocks() {
                // After each instruction its result is live, even if nothing reads it. The results
                // of PHIs are live from the start.
                let mut live = out[block.index()].clone();
                let (mut peak, mut live_in) = (Demand::default(), Demand::default());
                for instr in facts.instrs_of(block).rev() {
                    let mut here = live.clone();
                    let defs = facts.operands_of(instr).iter().filter(|o| o.is_def());
                    defs.filter_map(|o| o.vreg()).for_each(|reg| here[reg.index()] = true);
                    if facts.is_phi_instr(instr) {
                        live = here.clone();
                    } else {
                        step_up(&facts, instr, &mut live);
                    }
                    peak = peak.max(demand_of(&here));
                    live_in = demand_of(&live);
                }
                let expected = BlockPressure { live_in, peak: peak.max(live_in) };
                assert_eq!(pressure.blocks()[block], expected, "{block:?}");
                highest = highest.max(pressure.peak().registers);
            }
        }
        assert!(crate::fuzzing::FEW || highest > 12, "{highest}");
    }
}
