//! Finds the registers that the two-address pass writes before their instructions read their
//! operands.
//!
//! **Problem.** Before an instruction with tied operands, the two-address pass copies each source
//! to its result. Other operands that name the source then read the copy. This relies on SSA form.
//! If a result shared a register with another operand of the instruction, the copy would overwrite
//! that operand, or change another tied operand.
//!
//! **Algorithm.** For interference, such an instruction defines its results before it reads its
//! operands. One register may still share with a result: the source tied to it, if the instruction
//! reads that source only once. Then no copy is made.
//!
//! **Source.** None: in LLVM, no other instruction defines the registers that PHIs get.
//! **Complexity.** Sorting the operands of each instruction that defines a candidate, once.

use super::types::TiedDef;
use crate::mir::{Operand, VRegId};
use rustc_hash::FxHashMap;

/// Two operands that must be the same register, by position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TiedPair {
    /// The use.
    pub source: usize,
    /// The def.
    pub result: usize,
}

/// The results of a function's instructions with tied operands.
#[derive(Default)]
pub struct Ties {
    results: FxHashMap<VRegId, TiedDef>,
    /// The registers that an instruction reads, sorted, each as often as it is read.
    reads: Vec<VRegId>,
}

impl Ties {
    /// Forgets the previous function.
    pub fn clear(&mut self) {
        self.results.clear();
    }
    /// Returns how the two-address pass treats a register whose instruction was added.
    pub fn of(&self, reg: VRegId) -> TiedDef {
        self.results.get(&reg).copied().unwrap_or(TiedDef::None)
    }
    /// Adds an instruction.
    pub fn add(&mut self, operands: &[Operand], pairs: &[TiedPair]) {
        let Ties { results, reads } = self;
        if pairs.is_empty() {
            return;
        }
        let is_read = |op: &Operand| op.is_use() && op.is_virtual() && !op.is_undef();
        reads.clear();
        reads.extend(operands.iter().filter(|op| is_read(op)).filter_map(|op| op.vreg()));
        reads.sort_unstable();
        let defs = operands.iter().filter(|op| op.is_def()).filter_map(|op| op.vreg());
        results.extend(defs.map(|reg| (reg, TiedDef::WrittenEarly)));
        for pair in pairs {
            let [source, result] = [pair.source, pair.result].map(|index| operands[index]);
            let (Some(reg), Some(result_reg)) = (source.vreg(), result.vreg()) else { continue };
            if !is_read(&source) || source.subreg() != 0 || result.subreg() != 0 {
                continue;
            }
            let first = reads.partition_point(|&r| r < reg);
            if reads.get(first + 1) != Some(&reg) {
                results.insert(result_reg, TiedDef::WrittenEarlyBut(reg));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::testing::{read, write};

    #[test]
    fn c8_a_result_shares_with_its_source_unless_that_is_read_twice() {
        let reg = VRegId::new;
        let mut ties = Ties::default();
        // %0, %1 = ... tied %2, tied %3, %3
        let operands = [write(0), write(1), read(2), read(3), read(3)];
        ties.add(&operands, &[TiedPair { source: 2, result: 0 }, TiedPair { source: 3, result: 1 }]);
        assert_eq!(ties.of(reg(0)), TiedDef::WrittenEarlyBut(reg(2)));
        assert_eq!(ties.of(reg(1)), TiedDef::WrittenEarly);
        ties.add(&[write(5), read(6)], &[]);
        assert_eq!(ties.of(reg(5)), TiedDef::None);
    }
}
