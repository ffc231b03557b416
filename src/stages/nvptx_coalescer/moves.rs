//! The moves that are no COPY yet.
//!
//! **Problem.** The standard coalescer sees COPY alone. **Algorithm.** One walk over the code: an instruction whose
//! operands are some results and one register that it reads is looked up in the table. A move within a class becomes
//! a COPY at once; moves between classes are listed for [`super::conversions`].
//!
//! **Source.** register-coalescing.txt, phase 2. **Deviation:** the texts coalesce such a move where it is; made a
//! COPY, it is one of those that the value-by-value join looks through.
//!
//! **Complexity.** Linear.

use super::families::Families;
use crate::liveness::slot_index::SlotIndex;
use crate::nvptx::moves::{Family, Move};
use crate::passes::coalescer::host::{CoalescerHost, Edit};
use crate::passes::coalescer::Coalescing;

/// An instruction with more results is no move.
const MOST_RESULTS: u32 = 4;

/// Moves of one function.
#[derive(Default)]
pub struct Moves {
    /// Between classes.
    pub crossing: Vec<(u32, Move)>,
}

impl Moves {
    /// Finds them; how many became COPYs.
    pub fn find<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, families: &mut Families) -> u64 {
        self.crossing.clear();
        let mut copies = 0;
        for entry in 0..c.slots.num_entries() {
            let Some(instr) = c.slots.instr_at(SlotIndex(entry << 2)) else { continue };
            if c.code.is_copy(instr) || !is_move_shaped(c, instr) {
                continue;
            }
            let Some(of) = families.of(c.host, instr) else { continue };
            match of.family {
                Family::Register if of.participates() && c.code.num_operands(instr) == 2 => {
                    c.make_copy(instr);
                    copies += 1;
                }
                Family::ClassCrossing => self.crossing.push((instr, of)),
                _ => {}
            }
        }
        copies
    }
}

/// Whether it has some results and reads one register, and all are virtual.
fn is_move_shaped<H: CoalescerHost>(c: &Coalescing<'_, H>, instr: u32) -> bool {
    let n = c.code.num_operands(instr);
    (2..=MOST_RESULTS + 1).contains(&n)
        && c.code
            .operands(instr)
            .enumerate()
            .all(|(k, op)| op.is_virtual() && op.is_def() == (k as u32 + 1 < n))
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Makes an instruction that moves one register to another a COPY.
    pub fn make_copy(&mut self, instr: u32) {
        self.host.edit(Edit::ToCopy(instr));
        self.code.make_copy(instr);
        self.made_copy(instr);
    }
}
