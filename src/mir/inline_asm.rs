//! Finds the tied operands of an INLINEASM.
//!
//! **Problem.** An operand says only that it is tied; the partner has to be found. Ties beyond the
//! 14th operand do not fit into the operand. For each of those, LLVM
//! (`MachineInstr::findTiedOperandIdx`) walks all operand groups. That is quadratic for the
//! hundreds of tied results of one `wgmma`.
//!
//! **Algorithm.** One walk over the groups finds all ties of the instruction (requirement T10).
//! After its fixed operands an INLINEASM has a list of groups. Each is an immediate flag word
//! followed by its registers. If a group must match an earlier one, its flag word holds that
//! group's number.
//!
//! **Source.** `InlineAsm.h`; the flag word is the same from LLVM 17 to 23. **Complexity.** Linear
//! in the operands.

use super::operand::{Kind, Operand};

const NUM_OPERANDS_SHIFT: u32 = 3;
const NUM_OPERANDS_MASK: u32 = (1 << 13) - 1;
const MATCHED_GROUP_SHIFT: u32 = 16;
const MATCHED_GROUP_MASK: u32 = (1 << 15) - 1;
const IS_MATCHED: u32 = 1 << 31;

/// Calls `found(use_index, def_index)` for every tied use, in the order of the uses.
///
/// `first` is the index of the first group's flag word. `groups` is a buffer.
pub fn for_each_tied_use(
    operands: &[Operand],
    first: usize,
    groups: &mut Vec<usize>,
    mut found: impl FnMut(usize, usize),
) {
    groups.clear();
    let mut flag_index = first;
    while let Some(flag) = operands.get(flag_index).filter(|op| op.kind() == Kind::Imm) {
        let word = flag.imm_low();
        groups.push(flag_index);
        let end = flag_index + 1 + (word >> NUM_OPERANDS_SHIFT & NUM_OPERANDS_MASK) as usize;
        if word & IS_MATCHED != 0 {
            let matched = (word >> MATCHED_GROUP_SHIFT & MATCHED_GROUP_MASK) as usize;
            // In handwritten machine code the flags may be anything.
            let Some(&matched) = groups.get(matched) else {
                flag_index = end;
                continue;
            };
            let delta = flag_index - matched;
            for (index, op) in operands.iter().enumerate().take(end).skip(flag_index + 1) {
                if op.is_use() && op.is_tied() {
                    found(index, index - delta);
                }
            }
        }
        flag_index = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::Register;

    fn flag(kind: u32, n: u32, matched: Option<u32>) -> Operand {
        let tie = matched.map_or(0, |g| IS_MATCHED | g << MATCHED_GROUP_SHIFT);
        Operand::test_imm(kind | n << NUM_OPERANDS_SHIFT | tie)
    }
    fn reg(n: u32, def: bool) -> Operand {
        Operand::test_reg(Register::virt(n), def, true)
    }
    fn ties(operands: &[Operand], first: usize) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for_each_tied_use(operands, first, &mut vec![99], |u, d| out.push((u, d)));
        out
    }

    #[test]
    fn t10_pairs_by_position_within_the_group() {
        // Two results, the second of two registers. The inputs are tied in the opposite order.
        let ops = [
            Operand::test_imm(0),
            Operand::test_imm(0),
            flag(2, 1, None),
            reg(0, true),
            flag(2, 2, None),
            reg(1, true),
            reg(2, true),
            flag(1, 2, Some(1)),
            reg(3, false),
            reg(4, false),
            flag(1, 1, Some(0)),
            reg(5, false),
        ];
        assert_eq!(ties(&ops, 2), [(8, 5), (9, 6), (11, 3)]);
    }

    #[test]
    fn t10_stops_at_the_metadata_and_at_untied_groups() {
        let other = Operand(3 << Operand::KIND_SHIFT);
        let ops =
            [flag(2, 1, None), reg(0, true), flag(1, 1, None), reg(1, false), other, flag(1, 1, Some(0))];
        assert_eq!(ties(&ops, 0), []);
    }

    #[test]
    fn t10_a_thousand_ties() {
        let n = 1000;
        let mut ops = Vec::new();
        for i in 0..n {
            ops.extend([flag(2, 1, None), reg(i, true)]);
        }
        for i in 0..n {
            ops.extend([flag(1, 1, Some(n - 1 - i)), reg(n + i, false)]);
        }
        let found = ties(&ops, 0);
        assert_eq!(found.len(), n as usize);
        for (i, &(u, d)) in found.iter().enumerate() {
            assert_eq!(u, 2 * (n as usize + i) + 1);
            assert_eq!(d, 2 * (n as usize - 1 - i) + 1);
        }
    }
}
