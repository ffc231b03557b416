//! Replaces addresses that differ by a constant by one register and offsets (`cicc` profile, stage `fold-addresses`).
//!
//! **Problem.** Loads and stores take a register and a constant. The elements that an unrolled loop reads, `a[i]`, `a[i | 1]`,
//! `a[i + 2]`, often come with an address of its own for each, as instruction selection folds a constant only where it is the last
//! thing that is added:
//!
//! ```text
//! %r3 = OR_b32ri %r2, 1         %rd5 = MUL_WIDEu32_ri %r3, 8
//! %rd6 = ADD64rr %rd1, %rd5     LD_i64 ..., %rd6, 0
//! ```
//!
//! ptxas computes all of them, and each takes two of its registers until it is used. The same holds for indices of 32 bits, and for
//! 32-bit addresses in shared memory for inline assembly, four instructions each.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables. The address of every load and store is written as a linear form
//! ([`forms`](crate::ssa::forms)). Addresses with the same terms differ by a constant.
//!
//! 1. [`addresses`]: an address is replaced by another one that dominates it and an offset, if nothing but loads and stores reads it.
//!    If inline assembly does, as in Triton's kernels, there is no place for an offset: the address becomes the sum of the other one
//!    and a constant, which ptxas folds.
//! 2. Instructions that nothing reads any more are erased.
//! 3. [`sums`]: sums of 32 bits that differ by a constant share one of them.
//! 4. [`shifts`]: sums of two shifted registers are shifted once.
//! 5. [`products`]: products of 64 bits that 32 bits are enough for multiply 32 bits.
//! 6. Instructions that nothing reads any more are erased.
//!
//! The bits that are clear are known of counters, which are multiples of the step of a loop, and of thread indices where a kernel
//! says how many threads it has.
//!
//! All this is decided on [`SsaFacts`]; a [`Draft`] follows the changes, which come out as a list of edits. [`pass`] makes them.
//!
//! Measurements: docs/measured.md, "Folding addresses".
//!
//! **Source.** The problem is that of LLVM's `SeparateConstOffsetFromGEP`, on IR; by the reference texts, CICC solves it on IR, too.
//! **Deviation:** behind instruction selection, where it is known which constants were not folded; debug values of an address that is
//! erased are lost.
//!
//! **Complexity.** O(instructions + addresses · log addresses + sums · log sums).

mod addresses;
mod draft;
mod edits;
mod function;
#[cfg(all(ptx_host, not(test)))]
mod pass;
mod products;
mod shifts;
mod sums;
#[cfg(test)]
mod tests;

#[cfg(all(ptx_host, not(test)))]
pub use pass::FoldAddresses;

use crate::mir::{InstrId, Kind, VRegId};
use crate::nvptx::accesses::AddressMode;
use crate::nvptx::arithmetic::Arithmetic;
use crate::nvptx::computation::Operation;
use crate::ssa::definitions::Definitions;
use crate::ssa::forms::{Defs, Forms};
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use addresses::Addresses;
use draft::{Draft, DraftBuffers};
use edits::Edit;
use function::Function;
use products::Products;
use sums::Sums;

/// The numbers of changes in a function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Addresses of loads, stores and inline assembly.
    pub addresses: u64,
    /// Addresses folded.
    pub folded: u64,
    /// Sums of 32 bits that share another one.
    pub sums: u64,
    /// Sums shifted once.
    pub shifted: u64,
    /// Products made products of 32 bits.
    pub products: u64,
    /// Shifts made products of 32 bits.
    pub shifts: u64,
    /// Instructions erased because nothing reads them.
    pub erased: u64,
}

/// The algorithm; the buffers are kept from function to function.
#[derive(Default)]
pub struct Folding {
    forms: Forms,
    addresses: Addresses,
    sums: Sums,
    products: Products,
    /// Additions of 64 bits.
    additions: Vec<InstrId>,
    draft: DraftBuffers,
    /// Registers that nothing may read any more.
    unread: Vec<VRegId>,
}

impl Folding {
    /// Decides what changes in a function; [`Folding::edits`] are the changes.
    pub fn run<M: MachineInfo>(&mut self, facts: &SsaFacts, machine: &M) -> Counts {
        self.find(facts, machine);
        let Folding { forms, addresses, sums, products, additions, draft, unread } = self;
        let mut draft = Draft::new(facts, machine, draft);
        let mut counts = Counts { addresses: addresses.num() as u64, ..Counts::default() };
        unread.clear();
        if addresses.num() > 1 {
            addresses.choose(facts, machine, forms);
            addresses.replace(facts, &mut draft, unread);
            counts.folded = addresses.num_folded() as u64;
        }
        counts.erased = draft.erase_unread(unread);
        counts.sums = sums.share(facts, machine, forms, &mut draft, unread);
        counts.shifted = shifts::shift_sums_once(&mut draft, additions);
        counts.products = products.narrow(facts, machine, &mut draft, unread);
        counts.shifts = products.multiply_shifts(facts, &mut draft, unread);
        counts.erased += draft.erase_unread(unread);
        counts
    }
    /// The changes that the last run has decided on, in order.
    pub fn edits(&self) -> &[Edit] {
        self.draft.edits()
    }

    /// Finds addresses, sums, products and shifts. A function with bundles has none.
    fn find<M: MachineInfo>(&mut self, facts: &SsaFacts, machine: &M) {
        let Folding { forms, addresses, sums, products, additions, .. } = self;
        addresses.clear(facts.shape.num_virt_regs);
        sums.clear();
        products.clear();
        additions.clear();
        forms.clear(facts.shape.num_virt_regs);
        if facts.instr_flags.iter().any(|flags| flags.is_in_bundle()) {
            return;
        }
        let mut defs = Definitions::new(facts, machine, None);
        let mut function = Function { facts, machine, forms, defs: &mut defs };
        for instr in (0..facts.num_instrs()).map(InstrId::from_usize) {
            let Some(shape) = Shape::of(facts, instr) else { continue };
            let info = machine.opcode_info(instr);
            if info.operation == Operation::InlineAsm {
                addresses.add_assembly(&mut function, instr);
            } else if let Some(mode) = info.address {
                if (mode == AddressMode::Offset) == shape.ends_with_constant {
                    let operand = shape.num_explicit - 1 - usize::from(shape.ends_with_constant);
                    let offset = match shape.ends_with_constant {
                        true => machine.immediate(instr, shape.num_explicit - 1),
                        false => 0,
                    };
                    addresses.add_access(&mut function, instr, operand, mode, offset);
                }
            } else if let Some(op) = info.arithmetic {
                match (op.operation, op.bits) {
                    (operation, 32) if operation.is_sum() => {
                        let operands = facts.operands_of(instr);
                        if let Some(reg) = operands[0].vreg().filter(|_| operands.len() <= 3) {
                            sums.add(instr, reg, operation == Arithmetic::Or);
                        }
                    }
                    (Arithmetic::Add, 64) => additions.push(instr),
                    (Arithmetic::MulRegisters | Arithmetic::MulAddRegisters, 64) => {
                        add_product(products, &mut function, instr, shape);
                    }
                    (Arithmetic::Shl, 64) if shape.ends_with_constant && shape.num_explicit == 3 => {
                        if let Some(reg) = facts.operands_of(instr)[1].vreg() {
                            products.add_shift(function.defs, instr, reg, machine.immediate(instr, 2));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The last explicit operands of an instruction.
#[derive(Clone, Copy)]
struct Shape {
    num_explicit: usize,
    /// They are a register and a constant.
    ends_with_constant: bool,
}

impl Shape {
    /// The shape of an instruction that may be of interest: it ends with a register, or with one and a constant, or may be inline
    /// assembly. Cheaper than to ask for the opcode.
    fn of(facts: &SsaFacts, instr: InstrId) -> Option<Shape> {
        let operands = facts.operands_of(instr);
        let num_explicit = operands.iter().position(|o| o.is_implicit()).unwrap_or(operands.len());
        let last = *operands[..num_explicit].last()?;
        let ends_with_constant =
            num_explicit > 1 && last.kind() == Kind::Imm && operands[num_explicit - 2].reads_whole();
        let may_be_assembly = operands[0].kind() == Kind::Other && operands.len() > 2;
        (last.reads_whole() || ends_with_constant || may_be_assembly)
            .then_some(Shape { num_explicit, ends_with_constant })
    }
}

/// Adds a product of registers, if it is in a loop.
fn add_product<D: Defs, M: MachineInfo>(
    products: &mut Products,
    function: &mut Function<'_, D, M>,
    instr: InstrId,
    shape: Shape,
) {
    let facts = function.facts;
    let operands = facts.operands_of(instr);
    let is_in_loop = facts.loops.innermost(facts.block_of_instr(instr)).is_some();
    if is_in_loop && operands[1..shape.num_explicit].iter().all(|o| o.reads_whole()) {
        if let (Some(a), Some(b)) = (operands[1].vreg(), operands[2].vreg()) {
            products.add_product(function, instr, [a, b]);
        }
    }
}
