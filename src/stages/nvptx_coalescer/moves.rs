//! Finds the moves of a function: the candidates of [`super::worklist`].
//!
//! **Problem.** The standard coalescer sees COPYs only.
//!
//! **Algorithm.** One walk over the code. An instruction is looked up in the opcode table if its
//! numbers of results and of register operands fit a move. A move within a class becomes a COPY at
//! once, if the table says that its registers participate. A move of a constant, or of the address
//! of a parameter, is noted as a constant.
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, phase 2.
//! **Deviation:** the reference coalesces such a move as it is. As a COPY it is also visible to the
//! value-by-value join of two ranges.
//!
//! **Complexity.** Linear.

use super::families::Families;
use super::Options;
use crate::mir::{BlockId, InstrId, InstrKind};
use crate::nvptx::moves::{Family, Move};
use crate::passes::coalescer::host::{CoalescerHost, Edit};
use crate::passes::coalescer::Coalescing;

/// An instruction with more results is not a move.
const MAX_RESULTS: u32 = 4;

/// The kind of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A COPY.
    Copy,
    /// A move of a constant.
    Constant,
    /// A move between an integer and a floating-point register.
    Conversion(Move),
    /// A pack of several registers into a wide one.
    Pack,
}

/// A candidate.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The move.
    pub instr: InstrId,
    /// The block that it is in.
    pub block: BlockId,
    /// Its kind.
    pub kind: Kind,
}

/// The moves of one function.
#[derive(Default)]
pub struct Moves {
    /// The candidates, in the order of the code.
    pub found: Vec<Found>,
    /// The number of moves within a class that became COPYs.
    pub num_made_copies: u64,
    /// The number of moves between classes.
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

    /// Classifies an instruction that is not a COPY.
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
        // A constant's only register operand is the def of a virtual register.
        let mut registers = c.code.operands(instr).filter(|op| op.is_reg());
        let reg = registers.next().filter(|op| op.is_def())?.reg().vreg()?;
        let has_more = registers.next().is_some();
        drop(registers);
        if has_more || c.code.is_implicit_def(instr) {
            return None;
        }
        // LLVM says of some constants that they have side effects (LOAD_CONST_F16): these are not
        // repeated.
        let is_constant = families.of(c.host, instr)?.is_constant() && c.host.is_safe_to_move(instr);
        if is_constant {
            c.note_constant(instr, reg);
        }
        is_constant.then_some(Kind::Constant)
    }
}

/// Returns whether all operands are virtual registers: one result, and two or four uses.
fn is_pack_shaped<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId) -> bool {
    matches!(c.code.num_operands(instr), 3 | 5)
        && c.code.places_of(instr).all(|(place, op)| op.is_virtual() && op.is_def() == (place.index == 0))
}

/// Returns whether all operands are virtual registers: some results, and one use.
fn is_move_shaped<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: InstrId) -> bool {
    let n = c.code.num_operands(instr);
    (2..=MAX_RESULTS + 1).contains(&n)
        && c.code.places_of(instr).all(|(place, op)| op.is_virtual() && op.is_def() == (place.index + 1 < n))
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Turns an instruction that moves one register to another into a COPY.
    pub fn make_copy(&mut self, instr: InstrId) {
        self.host.edit(Edit::SetKind(instr, InstrKind::Copy));
        self.code.make_copy(instr);
        self.note_copy(instr);
    }
}
