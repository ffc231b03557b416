//! Finds the moves that are no COPY yet.
//!
//! **Problem.** The standard coalescer sees COPYs only.
//!
//! **Algorithm.** One walk over the code. An instruction whose operands are some results and one register that it reads is
//! looked up in the opcode table. A move within a class becomes a COPY at once. Moves between classes are listed for
//! [`super::conversions`].
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, phase 2. **Deviation:** the reference coalesces
//! such a move where it is. As a COPY it is also one that the join of two ranges value by value looks through.
//!
//! **Complexity.** Linear.

use super::families::Families;
use crate::mir::{InstrId, InstrKind};
use crate::nvptx::moves::{Family, Move};
use crate::passes::coalescer::host::{CoalescerHost, Edit};
use crate::passes::coalescer::Coalescing;

/// An instruction with more results is no move.
const MAX_RESULTS: u32 = 4;

/// The moves of one function.
#[derive(Default)]
pub struct Moves {
    /// Those between classes.
    pub crossing: Vec<(InstrId, Move)>,
}

impl Moves {
    /// Finds the moves of a function. Returns how many became COPYs.
    pub fn find<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, families: Families) -> u64 {
        self.crossing.clear();
        let mut num_copies = 0;
        for at in c.slots.all() {
            let Some(instr) = c.slots.instr_at(at) else { continue };
            if c.code.is_copy(instr) || !is_move_shaped(c, instr) {
                continue;
            }
            let Some(of) = families.of(c.host, instr) else { continue };
            match of.family {
                Family::Register if of.participates() && c.code.num_operands(instr) == 2 => {
                    c.make_copy(instr);
                    num_copies += 1;
                }
                Family::ClassCrossing => self.crossing.push((instr, of)),
                _ => {}
            }
        }
        num_copies
    }
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
