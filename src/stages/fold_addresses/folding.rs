//! Decides what changes in a function, step by step.

use super::addresses::Addresses;
use super::draft::{Draft, DraftBuffers};
use super::edits::Edit;
use super::function::Function;
use super::products::Products;
use super::shifts;
use super::sums::Sums;
use crate::mir::{AddressSpace, InstrId, Kind, VRegId};
use crate::nvptx::accesses::SpaceSource;
use crate::nvptx::arithmetic::Arithmetic;
use crate::nvptx::computation::Operation;
use crate::ssa::address::{address_of, Address};
use crate::ssa::definitions::Definitions;
use crate::ssa::forms::{Defs, Forms};
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;

/// The numbers of changes in a function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Addresses of loads, stores and inline assembly.
    pub addresses: u64,
    /// Addresses folded.
    pub folded: u64,
    /// Sums of 32 bits that share another one.
    pub sums: u64,
    /// Sums of two shifted registers that are shifted once.
    pub shifted: u64,
    /// Products that now multiply 32 bits.
    pub products: u64,
    /// Shifts that became products of 32 bits.
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
    /// Registers that may have lost all readers.
    unread: Vec<VRegId>,
}

impl Folding {
    /// Decides what changes in a function; [`Folding::edits`] returns the changes.
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
    /// Returns the changes that the last run decided on, in order.
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
            } else if info.address.is_some() {
                if let Some(address) = address_that_folds(facts, machine, instr) {
                    addresses.add_access(&mut function, instr, address);
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

/// The end of an instruction's explicit operands.
#[derive(Clone, Copy)]
struct Shape {
    num_explicit: usize,
    /// The last two are a register and a constant.
    ends_with_constant: bool,
}

impl Shape {
    /// Returns the shape of an instruction that may be of interest: it ends with a register, or a
    /// register and a constant, or may access memory, or may be inline assembly. This check is
    /// cheaper than looking up the opcode.
    fn of(facts: &SsaFacts, instr: InstrId) -> Option<Shape> {
        let operands = facts.operands_of(instr);
        let num_explicit = operands.iter().position(|o| o.is_implicit()).unwrap_or(operands.len());
        let last = *operands[..num_explicit].last()?;
        let ends_with_constant =
            num_explicit > 1 && last.kind() == Kind::Imm && operands[num_explicit - 2].reads_whole();
        let may_be_assembly = operands[0].kind() == Kind::Other && operands.len() > 2;
        // Accesses have constants for their kind. A cache policy, if there is none, is not a
        // register.
        let may_be_access = num_explicit > 3 && last.vreg().is_none();
        (last.reads_whole() || ends_with_constant || may_be_assembly || may_be_access)
            .then_some(Shape { num_explicit, ends_with_constant })
    }
}

/// Returns the address of an instruction, if it is a register. Loads and stores may be anywhere,
/// other accesses only in shared memory.
fn address_that_folds(facts: &SsaFacts, machine: &impl MachineInfo, instr: InstrId) -> Option<Address> {
    let address = address_of(facts, machine, instr)?;
    let folds = match address.place.space {
        SpaceSource::LoadOrStore => true,
        // In LLVM 17 to 20 no atomic has an offset.
        SpaceSource::Atomic => {
            address.offset.is_some() && machine.memory_space(instr) == Some(AddressSpace::Shared)
        }
        SpaceSource::Shared => address.offset.is_some(),
    };
    Some(address).filter(|a| folds && a.register().is_some())
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
