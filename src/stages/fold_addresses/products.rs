//! Makes products multiply 32 bits where that is enough.
//!
//! **Problem.** Instruction selection multiplies 32 by 32 bits, `mul.wide`, if it sees both
//! extensions, but it sees only one block. An index that is extended before a loop is multiplied in
//! the loop as 64 bits: three instructions of the hardware, and two registers for each factor.
//!
//! **Algorithm.** *Products.* A product in a loop multiplies 32 bits if both factors were extended
//! from 32 bits, at least one of them in another block. Both must be extended in the same way,
//! where a number that is not negative may count as extended in either. *Shifts.* A shift by a
//! constant becomes a product of 32 bits if it shifts a signed number that was extended for it
//! alone, and a loop that does not contain it reads it and at least one more such shift. ptxas
//! fuses the product with the addition in the loop, and one register of the number lives through
//! the loop instead of two of the shifted one.
//!
//! Products outside loops stay, as there is little to gain. ptxas also keeps 64-bit values that are
//! the same in all threads, and their products, in uniform registers; it keeps a product of 32 bits
//! and its results in ordinary ones.
//!
//! Measurements: docs/stages/fold-addresses.md, "Folding addresses".
//!
//! **Source.** LLVM's `tryMULWIDECombine` in NVPTXISelLowering, extended across blocks.
//! **Deviation:** no description of CICC has it.
//!
//! **Complexity.** Linear in the products. For shifts: their readers times the depth of the loops
//! around these.

use super::draft::Draft;
use super::edits::NewOpcode;
use super::function::Function;
use crate::cfg::LoopId;
use crate::mir::{InstrId, Kind, VRegId};
use crate::nvptx::accesses::type_code;
use crate::nvptx::arithmetic::Extension;
use crate::nvptx::created::CreatedOp;
use crate::ssa::forms::bits::may_be_negative;
use crate::ssa::forms::{Definition, Defs, Op, Value};
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;
use std::ops::Range;

/// Shifts become products if a loop reads at least this many. For a single one, ptxas makes more
/// code as often as less.
const MIN_SHIFTS: u32 = 2;
/// 2 to a larger power is not a positive constant of 32 bits.
pub(crate) const MAX_SHIFT: u32 = 30;

/// The 32 bits that a 64-bit register was extended from.
#[derive(Clone, Copy)]
enum Origin {
    /// A register.
    Register(VRegId),
    /// The low half of the register itself, which a load extended.
    LowHalf(VRegId),
}

/// A register of 64 bits that was extended.
#[derive(Clone, Copy)]
struct Extended {
    reg: VRegId,
    origin: Origin,
    extension: Extension,
    /// Whether the 32 bits may be a negative number.
    may_be_negative: bool,
}

/// A product of extended numbers.
struct Product {
    instr: InstrId,
    extension: Extension,
    factors: [Extended; 2],
}

/// A signed number that is extended and then shifted.
struct Shift {
    instr: InstrId,
    from: VRegId,
    extended: VRegId,
    by: u32,
    /// Its loops, as a range of [`Products::loops`].
    loops: Range<usize>,
}

/// The products and shifts of a function; the buffers are kept.
#[derive(Default)]
pub struct Products {
    products: Vec<Product>,
    shifts: Vec<Shift>,
    /// For each shift in turn, the loops that read it but do not contain it.
    loops: Vec<LoopId>,
    /// By loop: the number of shifts that it reads.
    num_shifts: IndexVec<LoopId, u32>,
}

impl Products {
    /// Begins with a function.
    pub fn clear(&mut self) {
        self.products.clear();
        self.shifts.clear();
    }
    /// Adds a shift of a 64-bit register by a constant.
    pub fn add_shift(&mut self, defs: &mut impl Defs, instr: InstrId, extended: VRegId, by: i64) {
        let Some(Definition { op: Op::MulWide(Value::Reg(from), 1, extension), bits: 64 }) =
            defs.definition(extended)
        else {
            return;
        };
        let Ok(by) = u32::try_from(by) else { return };
        if extension == Extension::Sign && by <= MAX_SHIFT {
            self.shifts.push(Shift { instr, from, extended, by, loops: 0..0 });
        }
    }
    /// Adds a product, in a loop, of two 64-bit registers, perhaps with a summand.
    pub fn add_product<D: Defs, M: MachineInfo>(
        &mut self,
        function: &mut Function<'_, D, M>,
        instr: InstrId,
        factors: [VRegId; 2],
    ) {
        let facts = function.facts;
        // If instruction selection saw both extensions, its choice stays.
        let block = facts.block_of_instr(instr);
        if factors.iter().all(|&reg| facts.block_of_def(reg) == Some(block)) {
            return;
        }
        let [Some(a), Some(b)] = factors.map(|reg| extended(function, reg)) else { return };
        let extensions = [a, b].map(|factor| (factor.extension, factor.may_be_negative));
        if let Some(extension) = common_extension(extensions) {
            self.products.push(Product { instr, extension, factors: [a, b] });
        }
    }

    /// Makes the products that still exist multiply 32 bits. Returns how many. Registers that may
    /// have lost all readers are added to `unread`.
    pub fn narrow<M: MachineInfo>(
        &mut self,
        facts: &SsaFacts,
        machine: &M,
        draft: &mut Draft<'_, M>,
        unread: &mut Vec<VRegId>,
    ) -> u64 {
        let mut narrowed = 0;
        for &Product { instr, extension, factors } in &self.products {
            if !draft.is_there(instr) {
                continue;
            }
            let [a, b] = factors.map(|factor| match factor.origin {
                Origin::Register(reg) => reg,
                Origin::LowHalf(reg) => draft.insert(instr, CreatedOp::Truncate, &[reg], Some(0)),
            });
            let wide = CreatedOp::MulWide(extension);
            match facts.operands_of(instr).get(3).and_then(|summand| summand.vreg()) {
                None => draft.set_operation(instr, wide, &[a, b]),
                Some(summand) if machine.has_created(CreatedOp::MulAddWide(extension)) => {
                    draft.set_operation(instr, CreatedOp::MulAddWide(extension), &[a, b, summand]);
                }
                Some(summand) => {
                    let product = draft.insert(instr, wide, &[a, b], None);
                    draft.set_operation(instr, CreatedOp::Add64, &[product, summand]);
                }
            }
            unread.extend(factors.map(|factor| factor.reg));
            narrowed += 1;
        }
        narrowed
    }

    /// Turns shifts that loops read into products of 32 bits. Returns how many. Registers that may
    /// have lost all readers are added to `unread`.
    pub fn multiply_shifts<M: MachineInfo>(
        &mut self,
        facts: &SsaFacts,
        draft: &mut Draft<'_, M>,
        unread: &mut Vec<VRegId>,
    ) -> u64 {
        self.find_loops(facts, draft);
        let mut multiplied = 0;
        for shift in &self.shifts {
            let mut loops = self.loops[shift.loops.clone()].iter();
            if !loops.any(|&l| self.num_shifts[l] >= MIN_SHIFTS) {
                continue;
            }
            let opcode = NewOpcode::Created(CreatedOp::MulWideSignedConstant);
            draft.set_with_constant(shift.instr, opcode, shift.from, 1 << shift.by);
            unread.push(shift.extended);
            multiplied += 1;
        }
        multiplied
    }
    /// Finds the loops that read each shift that is its operand's only reader, and counts the
    /// shifts of each loop.
    fn find_loops<M: MachineInfo>(&mut self, facts: &SsaFacts, draft: &Draft<'_, M>) {
        self.loops.clear();
        self.num_shifts.clear();
        self.num_shifts.resize(facts.loops.num_loops(), 0);
        // A function of one block has no readers in other blocks.
        if facts.shape.num_blocks() == 1 {
            return;
        }
        let mut of_shift = Vec::new();
        for shift in &mut self.shifts {
            of_shift.clear();
            if draft.num_reads(shift.extended) == 1 && draft.is_there(shift.instr) {
                let home = draft.block(shift.instr);
                let result = facts.operands_of(shift.instr)[0].vreg().expect("a shift defines a register");
                draft.for_each_reader(result, |reader| {
                    if !draft.is_phi(reader) {
                        let around = facts.loops.around(draft.block(reader));
                        of_shift.extend(around.take_while(|&l| !facts.loops.contains(l, home)));
                    }
                });
            }
            of_shift.sort_unstable();
            of_shift.dedup();
            of_shift.iter().for_each(|&l| self.num_shifts[l] += 1);
            let first = self.loops.len();
            self.loops.extend_from_slice(&of_shift);
            shift.loops = first..self.loops.len();
        }
    }
}

/// Returns an extension that fits both factors of a product. Each factor has its own extension, and
/// the flag says whether its 32 bits may be a negative number.
pub(crate) fn common_extension(factors: [(Extension, bool); 2]) -> Option<Extension> {
    let fits =
        |wanted| factors.iter().all(|&(extension, may_be_negative)| extension == wanted || !may_be_negative);
    [Extension::Sign, Extension::Zero].into_iter().find(|&extension| fits(extension))
}

/// Returns how a register was extended from 32 bits, if it was.
fn extended<D: Defs, M: MachineInfo>(function: &mut Function<'_, D, M>, reg: VRegId) -> Option<Extended> {
    match function.defs.definition(reg) {
        Some(Definition { op: Op::MulWide(Value::Reg(from), 1, extension), bits: 64 }) => {
            let bits = function.forms.bits_of_register(function.defs, from, 32);
            let origin = Origin::Register(from);
            Some(Extended { reg, origin, extension, may_be_negative: may_be_negative(bits) })
        }
        _ => extended_load(function.facts, function.machine, reg),
    }
}

/// Returns how a load extends 32 bits or fewer to a 64-bit register, if it does.
fn extended_load(facts: &SsaFacts, machine: &impl MachineInfo, reg: VRegId) -> Option<Extended> {
    let def = facts.def_of(reg)?;
    let operands = facts.operands_of(def);
    // The type, and then the width, follow the result and other immediates.
    let info = machine.opcode_info(def);
    let type_at = 1 + info.immediates_before_type.filter(|_| info.is_scalar_load64)? as usize;
    let immediate = |index: usize| {
        operands.get(index).filter(|o| o.kind() == Kind::Imm).map(|_| machine.immediate(def, index))
    };
    let (type_, bits) = (immediate(type_at)?, immediate(type_at + 1)?);
    let is_signed = type_ == i64::from(type_code::SIGNED);
    let extension = if is_signed { Extension::Sign } else { Extension::Zero };
    (1..=32).contains(&bits).then_some(Extended {
        reg,
        origin: Origin::LowHalf(reg),
        extension,
        may_be_negative: is_signed || bits == 32,
    })
}
