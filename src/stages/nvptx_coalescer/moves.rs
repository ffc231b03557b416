//! Finds the moves of a function: the candidates of [`super::worklist`].
//!
//! **Problem.** The standard coalescer sees COPYs only.
//!
//! **Algorithm.** One walk over the code. An instruction that may be a move, by its number of results and of registers that
//! it reads, is looked up in the opcode table. A move within a class becomes a COPY at once, if the table says that its
//! registers participate. A move of a constant, or of the address of a parameter, is noted as one.
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, phase 2. **Deviation:** the reference coalesces
//! such a move where it is. As a COPY it is also one that the join of two ranges value by value looks through.
//!
//! **Complexity.** Linear.

use super::families::Families;
use super::Options;
use crate::mir::{BlockId, InstrId, InstrKind};
use crate::nvptx::moves::{Family, Move};
use crate::passes::coalescer::host::{CoalescerHost, Edit};
use crate::passes::coalescer::Coalescing;

/// An instruction with more results is no move.
const MAX_RESULTS: u32 = 4;

/// What a candidate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A COPY.
    Copy,
    /// A move of a constant.
    Constant,
    /// A move between an integer and a floating-point register.
    Conversion(Move),
    /// A pack of several registers to a wide one.
    Pack,
}

/// A candidate.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The move.
    pub instr: InstrId,
    /// Where it is.
    pub block: BlockId,
    /// What it is.
    pub kind: Kind,
}

/// The moves of one function.
#[derive(Default)]
pub struct Moves {
    /// The candidates, in the order of the code.
    pub found: Vec<Found>,
    /// How many moves within a class became COPYs.
    pub num_made_copies: u64,
    /// How many moves between classes there are.
    pub num_conversions: u64,
}

impl Moves {
    /// Finds the moves of a function.
    pub fn find<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        options: &Options,
    ) {
        self.found.clear();
        (self.num_made_copies, self.num_conversions) = (0, 0);
        for at in c.slots.all() {
            let Some(instr) = c.slots.instr_at(at) else { continue };
            let kind = match c.code.is_copy(instr) {
                true => Some(Kind::Copy),
                false => self.classify(c, families, instr, options),
            };
            self.found.extend(kind.map(|kind| Found { instr, block: c.code.block(instr), kind }));
        }
    }

    /// Finds out what an instruction that is no COPY moves.
    fn classify<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        instr: InstrId,
        options: &Options,
    ) -> Option<Kind> {
        if options.families && is_move_shaped(c, instr) {
            let of = families.of(c.host, instr)?;
            if of.participates() && c.code.num_operands(instr) == 2 {
                c.make_copy(instr);
                self.num_made_copies += 1;
                return Some(Kind::Copy);
            }
            let is_conversion = of.family == Family::ClassCrossing;
            self.num_conversions += u64::from(is_conversion);
            return is_conversion.then_some(Kind::Conversion(of));
        }
        if options.families && is_pack_shaped(c, instr) {
            return families
                .of(c.host, instr)
                .filter(|of| matches!(of.family, Family::Pack(_)))
                .map(|_| Kind::Pack);
        }
        // Its only def is that of a virtual register; it reads none.
        let mut registers = c.code.operands(instr).filter(|op| op.is_reg());
        let reg = registers.next().filter(|op| op.is_def())?.reg().vreg()?;
        let has_more = registers.next().is_some();
        drop(registers);
        if has_more || c.code.is_implicit_def(instr) {
            return None;
        }
        // LLVM says of some that they have effects (LOAD_CONST_F16): these are not repeated.
        let is_constant = families.of(c.host, instr)?.is_constant() && c.host.is_safe_to_move(instr);
        if is_constant {
            c.note_constant(instr, reg);
        }
        is_constant.then_some(Kind::Constant)
    }
}

/// Whether an instruction has one result and reads two or four registers and nothing else, all of them virtual.
fn is_pack_shaped<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId) -> bool {
    matches!(c.code.num_operands(instr), 3 | 5)
        && c.code.places_of(instr).all(|(place, op)| op.is_virtual() && op.is_def() == (place.index == 0))
}

/// Whether an instruction has some results and reads one register, all of them virtual.
fn is_move_shaped<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId) -> bool {
    let n = c.code.num_operands(instr);
    (2..=MAX_RESULTS + 1).contains(&n)
        && c.code.places_of(instr).all(|(place, op)| op.is_virtual() && op.is_def() == (place.index + 1 < n))
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Makes an instruction that moves one register to another a COPY.
    pub fn make_copy(&mut self, instr: InstrId) {
        self.host.edit(Edit::SetKind(instr, InstrKind::Copy));
        self.code.make_copy(instr);
        self.note_copy(instr);
    }
}
