//! Products and shifts that 32 bits are enough for, and sums of what is shifted alike.
//!
//! **Problem.** Instruction selection multiplies 32 by 32 bits, `mul.wide`, where it sees both extensions; it sees one block. An index
//! that is extended in front of a loop is multiplied in it as 64 bits, three instructions of ptxas's and two registers for each
//! factor. And the address of `a[i][j][k]`, `a + (i * x << 2) + (j * y << 2)`, shifts and adds every product, where ptxas
//! would multiply and add in one.
//!
//! **Algorithm.** Of each product in a loop whether both factors are extended, one of them in another block, the same way, or a way that is
//! the same as the number is not negative: then it multiplies what they are extended from. Of each shift by a constant whether it
//! shifts a signed number that was extended for it alone, and is read in a loop that it is not in, as [`LEAST_SHIFTS`] are there: then
//! it becomes a product of 32 bits. ptxas makes that and the addition in the loop one instruction, and one register of the number lives
//! through the loop instead of two of the shifted one. Of each sum of two registers whether it
//! is `(a + (x << k)) + (y << k)`, within a block, nobody else reads what is in between, `a` is not computed for it alone, and `x`
//! or `y` is a product: then it becomes `a + ((x + y) << k)`.
//!
//! Products outside of loops stay: there is little to gain, and ptxas keeps what all threads share of 64 bits in uniform registers, and
//! what is computed of it, where it has a product of 32 bits and all that in others.
//!
//! **Measured** (1,134 kernels of CUDA, ptxas 13.0, by a model on PTX that had products within blocks, too): SASS 0.9956, registers 0.9989.
//! Shifts of extended numbers made products as well: SASS 0.992, but registers 1.008, as ptxas loads more at once. Those that loops read
//! alone, of 5,170 kernels: fewer registers in 14, down to 0.86, more in none. With unsigned numbers, too, as few as three in a loop, by the
//! model: fewer in 9 of 3,080 more, but more in one of the corpus, and more spilled in two. Products outside of loops, of 724 kernels, LLVM 19:
//! fewer in none, more in 4 (39 to 48 for 8 % fewer instructions); SASS 0.9994.
//!
//! **Source.** LLVM's `tryMULWIDECombine` in NVPTXISelLowering, over blocks. **Deviation:** none of the reference texts has it.
//!
//! **Complexity.** Linear in the products, the sums, and the shifts with their readers, times the loops around these.

use super::pass::Code;
use crate::cfg::loops::Loops;
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::{InstrKind, Kind as OperandKind, Operand, Register};
use crate::nvptx::arithmetic::{Arithmetic, Kind, Made, MadeOpcodes};
use crate::nvptx::moves::ByOpcode;
use crate::ssa::forms::{Defs, Extension, Forms, Op, Value};
use crate::ssa::snapshot::address_kind;
use crate::versions::VERSIONS;

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

/// A signed number that is extended and then shifted.
struct Shift {
    instr: u32,
    from: Register,
    extended: Register,
    by: u32,
    /// Where its loops are in [`Products::loops`].
    loops: (u32, u32),
}

/// A loop reads so many shifts at least for them to become products: of one alone ptxas makes more as often as less.
const LEAST_SHIFTS: u32 = 2;
/// More than this is no positive constant of 32 bits.
const MOST_SHIFTED: u32 = 30;

/// Position of the type of a load of a scalar, behind its one result; its width follows.
const LOAD_TYPE: usize = 1 + VERSIONS.nvptx.immediates_before_type;
/// That type, of signed numbers.
const SIGNED: i64 = 1;

/// What it finds in a function.
#[derive(Default)]
pub struct Products {
    narrow: Vec<Narrow>,
    shifts: Vec<Shift>,
    /// Of shifts one after the other, the loops that read them and that they are not in.
    loops: Vec<u32>,
    /// By loop, how many shifts.
    counts: Vec<u32>,
    /// Sums of two registers of 64 bits.
    sums: Vec<u32>,
}

/// The function as it is while it is changed.
pub struct Live<'a, 'f> {
    /// The function.
    pub mf: MachineFunction<'f>,
    /// What its opcodes are.
    pub kinds: &'a ByOpcode<Kind>,
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
        let Some(Kind::Arithmetic(operation, 64)) = address_kind(self.kinds, self.mf, mi) else {
            return None;
        };
        (mi.num_operands() == 3).then(|| Def { mi, operation, operands: [mi.operand(1), mi.operand(2)] })
    }
    /// The same of a register that only one instruction reads, one of `block`, which is where it is defined.
    fn def_for_one(&mut self, reg: Register, block: u32) -> Option<Def<'f>> {
        let mi = self.mf.def(reg)?.instr;
        if mi.block().number() != block {
            return None;
        }
        let mut reads = reads(self.mf, reg);
        match (reads.next(), reads.next()) {
            (Some(_), None) => self.computes(mi),
            _ => None,
        }
    }
    /// If it is shifted by a constant: what, and by how many bits.
    fn shifted(&mut self, reg: Register, block: u32) -> Option<(Register, i64)> {
        let def = self.def_for_one(reg, block).filter(|d| d.operation == Arithmetic::Shl)?;
        let [x, by] = def.operands;
        (x.reads_whole() && by.kind() == OperandKind::Imm).then(|| (x.reg(), def.mi.immediate(2)))
    }
}

/// What reads a register, but for debug instructions.
fn reads<'f>(mf: MachineFunction<'f>, reg: Register) -> impl Iterator<Item = MachineInstr<'f>> {
    let operands = mf.reg_operands(reg).filter(|o| o.operand.is_use());
    operands.map(|o| o.instr).filter(|mi| mi.kind() != InstrKind::Debug)
}

/// If it is the sum of two registers, these.
fn sum_of(def: &Def) -> Option<[Register; 2]> {
    let is_sum = def.operation == Arithmetic::Add && def.operands.into_iter().all(Operand::reads_whole);
    is_sum.then(|| def.operands.map(|o| o.reg()))
}

impl Products {
    /// Begins with a function.
    pub fn clear(&mut self) {
        self.narrow.clear();
        self.shifts.clear();
        self.sums.clear();
    }
    /// A shift of a register of 64 bits by a constant.
    pub fn add_shift(&mut self, code: &mut Code, instr: u32, extended: Register, by: i64) {
        let Some((Op::MulWide(Value::Reg(from), 1, extension), 64)) = code.op(extended) else { return };
        let Ok(by) = u32::try_from(by) else { return };
        if extension == Extension::Sign && by <= MOST_SHIFTED {
            self.shifts.push(Shift { instr, from, extended, by, loops: (0, 0) });
        }
    }
    /// A sum of 64 bits.
    pub fn add_sum(&mut self, instr: u32) {
        self.sums.push(instr);
    }
    /// A product, in a loop, of these registers of 64 bits, maybe with something added.
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

    /// Has shifts that loops read be products of 32 bits; how many. With the loops comes the block of an instruction.
    pub fn multiply_shifts<'f>(
        &mut self,
        mf: MachineFunction<'f>,
        opcodes: &mut MadeOpcodes,
        (loops, block): (&Loops, impl Fn(MachineInstr<'f>) -> u32),
        instr: impl Fn(u32) -> Option<MachineInstr<'f>>,
        dead: &mut Vec<Register>,
    ) -> u64 {
        self.loops.clear();
        self.counts.clear();
        self.counts.resize(loops.num_loops(), 0);
        let mut of_shift = Vec::new();
        for shift in &mut self.shifts {
            of_shift.clear();
            let is_read_once = reads(mf, shift.extended).take(2).count() == 1;
            if let Some(mi) = instr(shift.instr).filter(|_| is_read_once) {
                let home = block(mi);
                for read in reads(mf, mi.operand(0).reg()).filter(|mi| mi.kind() != InstrKind::Phi) {
                    of_shift.extend(loops.around(block(read)).take_while(|&l| !loops.contains(l, home)));
                }
            }
            of_shift.sort_unstable();
            of_shift.dedup();
            of_shift.iter().for_each(|&l| self.counts[l as usize] += 1);
            let first = self.loops.len() as u32;
            self.loops.extend_from_slice(&of_shift);
            shift.loops = (first, self.loops.len() as u32);
        }
        let mut multiplied = 0;
        for shift in std::mem::take(&mut self.shifts) {
            let of_shift = &self.loops[shift.loops.0 as usize..shift.loops.1 as usize];
            if of_shift.iter().all(|&l| self.counts[l as usize] < LEAST_SHIFTS) {
                continue;
            }
            let mi = instr(shift.instr).expect("its loops were found");
            let wide = opcodes.of(Made::WideSignedConstant, |name| mf.opcode_named(name));
            mi.set_address(Some(wide), 1, shift.from, 1 << shift.by);
            dead.push(shift.extended);
            multiplied += 1;
        }
        multiplied
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
