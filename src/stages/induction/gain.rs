//! Computes how many registers are saved if sums become induction variables.
//!
//! Variables and distances that sums connect form a class, which is changed as a whole. Its gain is
//! the registers of the erased variables and of the distances that end before the loop, less those
//! of the new variables.

use super::find::Found;
use super::types::{InductionTarget, Sum, SumId, Variable, VariableId};
use crate::adt::IntEqClasses;
use crate::mir::{BlockId, InstrId, VRegId};
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

// The shares below are the best of those that were tried: docs/stages/induction.md, "Walking side
// by side".
/// Gains are counted in these parts of a register of 32 bits.
const PARTS: i32 = 8;
/// The parts of a register that a variable counts if it is the same in all threads. ptxas has
/// uniform registers for it, if one is left.
const UNIFORM_PARTS: i32 = 5;
/// The extra parts of a register that a new variable counts if it is not an address. ptxas computes
/// it where it is compared, not together with others. And a spilled distance is only loaded again,
/// while a spilled variable is stored in every iteration.
const NON_ADDRESS_PARTS: i32 = 1;
/// A class needs more than one ending register of distances for this many registers of new
/// variables. If many pointers share one distance, as many new variables advance, and only the
/// distance ends. But then all addresses exist at once, and ptxas loads from all of them before it
/// uses a value.
const LEAST_SHARE: i32 = 8;
/// ptxas has the sums of at most this many distances at once, if inline assembly copies to shared
/// memory with them.
const MAX_COPIED: u32 = 8;

/// A class's distances with which inline assembly copies to shared memory.
#[derive(Clone, Copy, Default)]
struct CopiedDistances {
    count: u32,
    /// Their additional gain if ptxas has their sums at once.
    extra_gain: i32,
}

/// The gains of a function's variables, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Gains {
    /// The sums by loop and distance.
    by_distance: Vec<SumId>,
    /// Variables that sums connect. A class is named after its first variable.
    classes: IntEqClasses,
    /// By class: the registers saved, in [`PARTS`].
    gains: IndexVec<VariableId, i32>,
    /// By class: the registers of the distances that end, in [`PARTS`].
    distances: IndexVec<VariableId, i32>,
    /// By class: the registers of the new variables, in [`PARTS`].
    new_registers: IndexVec<VariableId, i32>,
    copied: IndexVec<VariableId, CopiedDistances>,
}

impl Gains {
    /// Computes the gains of all variables.
    pub fn compute(&mut self, facts: &SsaFacts, target: &mut impl InductionTarget, found: &Found) {
        self.by_distance.clear();
        self.by_distance.extend(found.sums.indices());
        self.by_distance.sort_unstable_by_key(|&sum| (found.distance_key(sum), sum));
        self.join_classes(found);
        self.add_distances(facts, target, found);
        self.subtract_new_variables(facts, target, found);
    }
    /// Returns whether turning the sums of a variable into variables saves registers, and enough
    /// distances end.
    pub fn is_worth_it(&mut self, variable: VariableId) -> bool {
        let class = class_of(&mut self.classes, variable);
        self.gains[class] > 0 && self.distances[class] * LEAST_SHARE > self.new_registers[class]
    }

    /// Joins the variables that share a distance in one loop.
    fn join_classes(&mut self, found: &Found) {
        self.classes.reset(found.variables.len());
        for sums in found.chunks_by_distance(&self.by_distance) {
            let variable = |sum: SumId| found.sums[sum].variable.raw();
            sums.iter().for_each(|&sum| self.classes.join(variable(sums[0]), variable(sum)));
        }
    }

    /// Adds the registers of distances that end before the loop.
    fn add_distances(&mut self, facts: &SsaFacts, target: &mut impl InductionTarget, found: &Found) {
        let num_variables = found.variables.len();
        self.gains.clear();
        self.gains.resize(num_variables, 0);
        for registers in [&mut self.distances, &mut self.new_registers] {
            registers.clear();
            registers.resize(num_variables, 0);
        }
        self.copied.clear();
        self.copied.resize(num_variables, CopiedDistances::default());
        for sums in found.chunks_by_distance(&self.by_distance) {
            let Sum { distance, variable, .. } = found.sums[sums[0]];
            let header = found.variables[variable].header;
            let def = facts.def_of(distance).expect("a distance is defined outside of the loop");
            let registers = target.registers32_in_sums(distance, def) as i32;
            if registers == 0 || !ends_before(facts, found, distance, header) {
                continue;
            }
            let class = class_of(&mut self.classes, variable);
            self.gains[class] += registers * PARTS;
            self.distances[class] += registers * PARTS;
            let mut copies = |reader: InstrId| {
                target.is_inline_asm(reader) && !facts.operands_of(reader).iter().any(|o| o.is_def())
            };
            if sums.iter().any(|&sum| readers(facts, &found.sums[sum]).any(&mut copies)) {
                let extra = target.registers32(distance) as i32 - registers;
                self.copied[class].count += 1;
                self.copied[class].extra_gain += extra * PARTS;
            }
        }
        for (gain, copied) in self.gains.iter_mut().zip(&self.copied) {
            if copied.count <= MAX_COPIED {
                *gain += copied.extra_gain;
            }
        }
    }

    /// Adds the registers of erased variables, and subtracts those of the new ones.
    fn subtract_new_variables(&mut self, facts: &SsaFacts, target: &mut impl InductionTarget, found: &Found) {
        for sums in found.sums.as_raw_slice().chunk_by(|a, b| a.variable == b.variable) {
            let Variable { phi, increment, initial, step, .. } = found.variables[sums[0].variable];
            let num_readers = |instr| facts.readers_of(result(facts, instr)).len();
            // It is erased if the only other readers are the PHI and the increment, of each other.
            let is_erased = num_readers(phi) + num_readers(increment) == sums.len() + 2;
            let registers = target.registers32(result(facts, increment)) as i32;
            let class = class_of(&mut self.classes, sums[0].variable);
            let gain = &mut self.gains[class];
            if is_erased {
                let mut is_uniform =
                    |reg: VRegId| facts.def_of(reg).is_some_and(|def| target.is_uniform(def));
                let is_uniform = is_uniform(initial) && step.vreg().is_none_or(is_uniform);
                *gain += registers * if is_uniform { UNIFORM_PARTS } else { PARTS };
            }
            for sums in sums.chunk_by(|a, b| a.distance == b.distance) {
                let is_address =
                    sums.iter().any(|sum| readers(facts, sum).any(|reader| target.is_access(reader)));
                *gain -= registers * (PARTS + if is_address { 0 } else { NON_ADDRESS_PARTS });
                self.new_registers[class] += registers * PARTS;
            }
        }
    }
}

impl Found {
    fn header(&self, sum: &Sum) -> BlockId {
        self.variables[sum.variable].header
    }
    /// Returns the key that all sums of one loop and one distance share.
    fn distance_key(&self, sum: SumId) -> (BlockId, VRegId) {
        let sum = &self.sums[sum];
        (self.header(sum), sum.distance)
    }
    fn chunks_by_distance<'a>(&'a self, sums: &'a [SumId]) -> impl Iterator<Item = &'a [SumId]> {
        sums.chunk_by(|&a, &b| self.distance_key(a) == self.distance_key(b))
    }
}

/// Returns the class of a variable.
fn class_of(classes: &mut IntEqClasses, variable: VariableId) -> VariableId {
    VariableId::from_raw(classes.leader(variable.raw()))
}

/// Returns the register that a PHI, an increment or a sum defines.
fn result(facts: &SsaFacts, instr: InstrId) -> VRegId {
    facts.operands_of(instr)[0].vreg().expect("it defines a virtual register")
}

/// Returns the instructions that read the result of a sum.
fn readers<'a>(facts: &'a SsaFacts, sum: &Sum) -> impl Iterator<Item = InstrId> + 'a {
    facts.readers_of(result(facts, sum.instr))
}

/// Returns whether a distance ends before the loop with this header, its sums in the loop left out.
fn ends_before(facts: &SsaFacts, found: &Found, distance: VRegId, header: BlockId) -> bool {
    let loops = &facts.loops;
    let home = facts.block_of_def(distance).expect("a distance is defined outside of the loop");
    // A register that is defined outside an outer loop lives through all of the outer loop.
    let mut outer = loops.around(header).skip(1);
    if outer.next().is_some_and(|outer| !loops.contains(outer, home)) {
        return false;
    }
    let this = loops.innermost(header).expect("the header of a loop is in it");
    let position = |block: BlockId| facts.cfg.postorder_position[block];
    let is_before = |block: BlockId| !loops.contains(this, block) && position(block) > position(header);
    let is_sum = |&reader: &InstrId| found.header_of_sum(reader) == Some(header);
    facts.readers_of(distance).filter(|reader| !is_sum(reader)).all(|reader| {
        if facts.is_phi_instr(reader) {
            let mut reads = facts.phi_reads_of(reader).filter(|read| read.0 == distance);
            return reads.all(|(_, pred)| is_before(pred));
        }
        is_before(facts.block_of_instr(reader))
    })
}
