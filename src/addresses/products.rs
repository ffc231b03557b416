//! Products that 32 bits are enough for, and sums of what is shifted alike.
//!
//! **Problem.** Instruction selection multiplies 32 by 32 bits, `mul.wide`, where it sees both extensions; it sees one block. An index
//! that is extended in front of a loop is multiplied in it as 64 bits, three instructions of ptxas's and two registers for each
//! factor. And the address of `a[i][j][k]`, `a + (i * x << 2) + (j * y << 2)`, shifts and adds every product, where ptxas
//! would multiply and add in one.
//!
//! **Algorithm.** Of each product whether both factors are extended, one of them in another block, the same way, or a way that is
//! the same as the number is not negative: then it multiplies what they are extended from. Of each sum of two registers whether it
//! is `(a + (x << k)) + (y << k)`, within a block, nobody else reads what is in between, `a` is not computed for it alone, and `x`
//! or `y` is a product: then it becomes `a + ((x + y) << k)`.
//!
//! **Measured** (1,134 kernels of CUDA, ptxas 13.0, by a model on PTX that had products within blocks, too): SASS 0.9956, registers 0.9989.
//! Shifts of extended numbers made products as well: SASS 0.992, but registers 1.008, as ptxas loads more at once.
//!
//! **Source.** LLVM's `tryMULWIDECombine` in NVPTXISelLowering, over blocks. **Deviation:** none of the reference texts has it.
//!
//! **Complexity.** Linear in the products and sums.

use super::forms::{Defs, Extension, Forms, Op, Value};
use super::opcodes::{Arithmetic, Kind, Made, MadeOpcodes};
use super::pass::{is_plain, kind, Code};
use crate::llvm::{MachineFunction, MachineInstr, LLVM_MAJOR};
use crate::mir::{Kind as OperandKind, Operand, Register};
use crate::nvptx_coalescer::opcodes::ByOpcode;

/// What a register of 64 bits was extended from.
#[derive(Clone, Copy)]
enum Origin {
    /// A register of 32 bits.
    Register(Register),
    /// What was loaded: its own low half.
    Low(Register),
}

/// A product of numbers that were extended.
struct Narrow {
    instr: u32,
    is_signed: bool,
    factors: [Origin; 2],
    extended: [Register; 2],
}

/// Position of the type of a load of a scalar; its width is behind it. In front of it are the result, volatility, since LLVM 20 an
/// ordering and a scope, address space and, up to LLVM 20, vector.
const LOAD_TYPE: usize = if LLVM_MAJOR == 20 { 5 } else { 4 };
/// That type, of signed numbers.
const SIGNED: i64 = 1;

/// What it finds in a function.
#[derive(Default)]
pub struct Products {
    narrow: Vec<Narrow>,
    /// Sums of two registers of 64 bits.
    sums: Vec<u32>,
}

/// The function as it is while it is changed.
pub struct Live<'a, 'f> {
    /// The function.
    pub mf: MachineFunction<'f>,
    /// What its opcodes are.
    pub kinds: &'a mut ByOpcode<Kind>,
}

/// The def of a register: its instruction, and the two operands behind the result.
struct Def<'f> {
    mi: MachineInstr<'f>,
    operation: Arithmetic,
    operands: [Operand; 2],
}

impl<'f> Live<'_, 'f> {
    /// What computes 64 bits of two operands.
    fn computes(&mut self, mi: MachineInstr<'f>) -> Option<Def<'f>> {
        let Some(Kind::Arithmetic(operation, 64)) = kind(self.kinds, self.mf, mi) else { return None };
        (mi.num_operands() == 3).then(|| Def { mi, operation, operands: [mi.operand(1), mi.operand(2)] })
    }
    /// The same of a register that only one instruction reads, one of `block`, which is where it is defined.
    fn def_for_one(&mut self, reg: Register, block: u32) -> Option<Def<'f>> {
        let mi = self.mf.def(reg)?.instr;
        if mi.block().number() != block {
            return None;
        }
        let mut reads =
            self.mf.reg_operands(reg).filter(|o| o.operand.is_use() && !o.instr.facts().is_debug());
        match (reads.next(), reads.next()) {
            (Some(_), None) => self.computes(mi),
            _ => None,
        }
    }
    /// If it is shifted by a constant: what, and by how many bits.
    fn shifted(&mut self, reg: Register, block: u32) -> Option<(Register, i64)> {
        let def = self.def_for_one(reg, block).filter(|d| d.operation == Arithmetic::Shl)?;
        let [x, by] = def.operands;
        (is_plain(x) && by.kind() == OperandKind::Imm).then(|| (x.reg(), def.mi.immediate(2)))
    }
}

/// If it is the sum of two registers, these.
fn sum_of(def: &Def) -> Option<[Register; 2]> {
    let is_sum = def.operation == Arithmetic::Add && def.operands.into_iter().all(is_plain);
    is_sum.then(|| def.operands.map(|o| o.reg()))
}

impl Products {
    /// Begins with a function.
    pub fn clear(&mut self) {
        self.narrow.clear();
        self.sums.clear();
    }
    /// A sum of 64 bits.
    pub fn add_sum(&mut self, instr: u32) {
        self.sums.push(instr);
    }
    /// A product of these registers of 64 bits, maybe with something added.
    pub fn add_product(&mut self, forms: &mut Forms, code: &mut Code, instr: u32, extended: [Register; 2]) {
        // Where instruction selection saw both it has chosen.
        if extended.iter().all(|&reg| code.block_of_def(reg) == Some(code.block(instr))) {
            return;
        }
        let mut origin = |reg| match code.op(reg) {
            Some((Op::MulWide(Value::Reg(from), 1, extension), 64)) => {
                let is_negative = forms.bits_of_register(code, from, 32) >> 31 != 0;
                Some((Origin::Register(from), extension, is_negative))
            }
            _ => {
                let (extension, is_negative) = extended_load(code.function(), reg)?;
                Some((Origin::Low(reg), extension, is_negative))
            }
        };
        let [Some(a), Some(b)] = extended.map(&mut origin) else { return };
        let fits =
            |wanted| [a, b].iter().all(|&(_, extension, is_negative)| extension == wanted || !is_negative);
        let is_signed = fits(Extension::Sign);
        if is_signed || fits(Extension::Zero) {
            self.narrow.push(Narrow { instr, is_signed, factors: [a.0, b.0], extended });
        }
    }

    /// Has products multiply 32 bits; how many. `instr` tells the instruction of a number, unless that is erased. What nobody
    /// reads any more may be among the `dead`.
    pub fn narrow<'f>(
        &mut self,
        mf: MachineFunction<'f>,
        opcodes: &mut MadeOpcodes,
        instr: impl Fn(u32) -> Option<MachineInstr<'f>>,
        dead: &mut Vec<Register>,
    ) -> u64 {
        let named = |name: &str| mf.opcode_named(name);
        let mut narrowed = 0;
        for product in std::mem::take(&mut self.narrow) {
            let Some(mi) = instr(product.instr) else { continue };
            let [a, b] = product.factors.map(|origin| match origin {
                Origin::Register(reg) => reg,
                Origin::Low(reg) => {
                    mi.insert_operation_before(opcodes.of(Made::Truncate, named), &[reg], Some(0))
                }
            });
            let (wide, wide_add) = match product.is_signed {
                true => (Made::WideSigned, Made::WideSignedAdd),
                false => (Made::WideUnsigned, Made::WideUnsignedAdd),
            };
            let wide = opcodes.of(wide, named);
            if mi.num_operands() == 3 {
                mi.set_operation(wide, &[a, b]);
            } else {
                let more = mi.operand(3).reg();
                match opcodes.get(wide_add, named) {
                    Some(wide_add) => mi.set_operation(wide_add, &[a, b, more]),
                    None => {
                        let product = mi.insert_operation_before(wide, &[a, b], None);
                        mi.set_operation(opcodes.of(Made::Add64, named), &[product, more]);
                    }
                }
            }
            dead.extend(product.extended);
            narrowed += 1;
        }
        narrowed
    }

    /// Has sums be shifted once; how often. What is erased is told.
    pub fn shift_sums<'f>(
        &mut self,
        live: &mut Live<'_, 'f>,
        opcodes: &mut MadeOpcodes,
        instr: impl Fn(u32) -> Option<MachineInstr<'f>>,
        mut erased: impl FnMut(Register),
    ) -> u64 {
        let mut shifted = 0;
        for sum in std::mem::take(&mut self.sums) {
            let Some(mi) = instr(sum) else { continue };
            let Some(Common { base, x, y, by, between }) = live.common_shift(mi) else { continue };
            let named = |name: &str| live.mf.opcode_named(name);
            let [add, shl] = [Made::Add64, Made::Shl64].map(|made| opcodes.of(made, named));
            let total = mi.insert_operation_before(add, &[x, y], None);
            let total = mi.insert_operation_before(shl, &[total], Some(by));
            mi.set_operation(add, &[base, total]);
            // What each of them reads comes behind it.
            for reg in between {
                live.mf.forget_uses(reg);
                live.mf.def(reg).expect("nothing else erases it").instr.erase();
                erased(reg);
            }
            shifted += 1;
        }
        shifted
    }
}

/// How a load extends 32 bits or fewer, if it does, and whether the low 32 may be a negative number.
fn extended_load(mf: MachineFunction, reg: Register) -> Option<(Extension, bool)> {
    let mi = mf.def(reg)?.instr;
    let is_imm = |index| mi.operand(index).kind() == OperandKind::Imm;
    let is_load = mf.opcode_name(mi.opcode()).starts_with("LD_i64") && mi.num_operands() > LOAD_TYPE + 1;
    if !is_load || !is_imm(LOAD_TYPE) || !is_imm(LOAD_TYPE + 1) {
        return None;
    }
    let bits = mi.immediate(LOAD_TYPE + 1);
    let is_signed = mi.immediate(LOAD_TYPE) == SIGNED;
    let extension = if is_signed { Extension::Sign } else { Extension::Zero };
    (1..=32).contains(&bits).then_some((extension, is_signed || bits == 32))
}

/// `(base + (x << by)) + (y << by)`.
struct Common {
    base: Register,
    x: Register,
    y: Register,
    by: u32,
    /// What it reads no more, the sum first.
    between: [Register; 3],
}

impl<'f> Live<'_, 'f> {
    fn common_shift(&mut self, mi: MachineInstr<'f>) -> Option<Common> {
        let whole = self.computes(mi)?;
        let block = mi.block().number();
        let [left, right] = sum_of(&whole)?;
        for (sum, outer) in [(left, right), (right, left)] {
            let Some((y, by)) = self.shifted(outer, block) else { continue };
            let Some(inner) = self.def_for_one(sum, block).and_then(|def| sum_of(&def)) else {
                continue;
            };
            for (base, shifted) in [(inner[0], inner[1]), (inner[1], inner[0])] {
                let x = self.shifted(shifted, block).filter(|&(_, other)| other == by);
                let Some((x, _)) = x else { continue };
                // What is computed for this alone would live longer.
                if self.def_for_one(base, block).is_some() {
                    continue;
                }
                let mut is_product = |reg| {
                    let def = self.def_for_one(reg, block);
                    def.is_some_and(|d| matches!(d.operation, Arithmetic::Product | Arithmetic::Mul))
                };
                if is_product(x) || is_product(y) {
                    return Some(Common { base, x, y, by: by as u32, between: [sum, shifted, outer] });
                }
            }
        }
        None
    }
}
