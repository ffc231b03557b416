//! Shifts the sum of two registers once, instead of each of them.
//!
//! **Problem.** The address of `a[i][j][k]`, `a + (i * x << 2) + (j * y << 2)`, shifts and adds
//! every product, while ptxas could multiply and add in one instruction.
//!
//! **Algorithm.** `(a + (x << k)) + (y << k)` becomes `a + ((x + y) << k)` if four conditions hold:
//! all of it is in one block, nothing else reads the intermediate values, `a` is not computed for
//! it alone, and `x` or `y` is a product.
//!
//! **Complexity.** Linear in the sums.

use super::draft::{Binary, Draft};
use crate::mir::{BlockId, InstrId, VRegId};
use crate::nvptx::arithmetic::Arithmetic;
use crate::nvptx::created::CreatedOp;
use crate::ssa::forms::Value;
use crate::ssa::machine::MachineInfo;

/// A register shifted left by a constant.
struct Shifted {
    reg: VRegId,
    by: i64,
}

/// `(base + (x << by)) + (y << by)`.
struct CommonShift {
    base: VRegId,
    x: VRegId,
    y: VRegId,
    by: u32,
    /// The intermediate values, each after its reader.
    between: [VRegId; 3],
}

/// Shifts once, among these additions of 64 bits, the sums of two shifted registers. Returns how
/// many.
pub fn shift_sums_once<M: MachineInfo>(draft: &mut Draft<'_, M>, additions: &[InstrId]) -> u64 {
    let mut num_shifted = 0;
    for &addition in additions.iter() {
        if !draft.is_there(addition) {
            continue;
        }
        let Some(CommonShift { base, x, y, by, between }) = common_shift(draft, addition) else { continue };
        let sum = draft.insert(addition, CreatedOp::Add64, &[x, y], None);
        let shifted = draft.insert(addition, CreatedOp::Shl64, &[sum], Some(by));
        draft.set_operation(addition, CreatedOp::Add64, &[base, shifted]);
        between.into_iter().for_each(|reg| draft.erase(reg));
        num_shifted += 1;
    }
    num_shifted
}

fn common_shift<M: MachineInfo>(draft: &Draft<'_, M>, addition: InstrId) -> Option<CommonShift> {
    let block = draft.block(addition);
    let [left, right] = draft.binary64(addition)?.added_registers()?;
    for (sum, outer) in [(left, right), (right, left)] {
        let Some(Shifted { reg: y, by }) = shifted(draft, outer, block) else { continue };
        let Some([a, b]) = def_for_one_reader(draft, sum, block).and_then(|def| def.added_registers()) else {
            continue;
        };
        for (base, inner) in [(a, b), (b, a)] {
            let x = shifted(draft, inner, block).filter(|x| x.by == by);
            let Some(Shifted { reg: x, .. }) = x else { continue };
            // A base that is computed for this sum alone would live longer.
            if def_for_one_reader(draft, base, block).is_some() {
                continue;
            }
            if is_product(draft, x, block) || is_product(draft, y, block) {
                return Some(CommonShift { base, x, y, by: by as u32, between: [sum, inner, outer] });
            }
        }
    }
    None
}

/// Returns the definition of a register in `block`, if exactly one operand reads the register.
fn def_for_one_reader<M: MachineInfo>(draft: &Draft<'_, M>, reg: VRegId, block: BlockId) -> Option<Binary> {
    let def = draft.def(reg).filter(|&def| draft.block(def) == block)?;
    let has_one_reader = draft.num_reads(reg) == 1;
    has_one_reader.then(|| draft.binary64(def)).flatten()
}

fn shifted<M: MachineInfo>(draft: &Draft<'_, M>, reg: VRegId, block: BlockId) -> Option<Shifted> {
    match def_for_one_reader(draft, reg, block)? {
        Binary { operation: Arithmetic::Shl, operands: [Some(Value::Reg(reg)), Some(Value::Imm(by))] } => {
            Some(Shifted { reg, by })
        }
        _ => None,
    }
}

fn is_product<M: MachineInfo>(draft: &Draft<'_, M>, reg: VRegId, block: BlockId) -> bool {
    let def = def_for_one_reader(draft, reg, block);
    def.is_some_and(|d| matches!(d.operation, Arithmetic::MulRegisters | Arithmetic::MulConstant))
}
