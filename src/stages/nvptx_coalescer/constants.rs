//! Turns copies of constants into immediate moves.
//!
//! **Problem.** A constant that many registers begin with, such as the zero of all accumulators, is
//! kept in one register and copied to the others. That register is live for long, and none of these
//! copies can be joined. They are most of the copies that the standard coalescer leaves.
//!
//! **Algorithm.** [`super::worklist`] asks about each copy. If a move of a constant defines the
//! value that it copies, the copy becomes such a move too. The range of the constant is shrunk at
//! the end of the round, and a constant that nothing reads any more is erased. A copy at the end of
//! a predecessor was the operand of a PHI: the constant is then made on the edge.
//!
//! **Source.** Requirement C9. LLVM does this (`reMaterializeTrivialDef`) for instructions that the
//! target calls rematerialisable; NVPTX says so of none. Constants that other instructions read
//! stay as they are.
//!
//! **Complexity.** A lookup in the range of each copied register. Where debug values name a
//! constant, each of its copies takes time linear in its readers.

use crate::mir::{InstrId, VRegId};
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::Coalescing;

/// The constants whose copies became immediate moves.
#[derive(Default)]
pub struct Constants {
    regs: Vec<VRegId>,
}

impl Constants {
    /// Begins with a function.
    pub fn begin(&mut self) {
        self.regs.clear();
    }

    /// Turns a copy of a constant into a move of that constant, and returns the move. `None` if it
    /// copies no constant.
    pub fn attempt<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, copy: InstrId) -> Option<InstrId> {
        let (dst, src) = c.code.copy_vregs(copy)?;
        let (at, class) = (c.code.slot(copy), c.class(src));
        let range = c.ranges.get(src);
        let def = c.slots.def_instr(range.def(range.query(at).value_in()?))?;
        if !c.is_constant(def) || c.class(dst) != class {
            return None;
        }
        c.update_later(src);
        c.replace_by_computation(def, src, dst.into(), Some(class), copy);
        let new = c.slots.instr_at(at).expect("it took over the slot of the copy");
        c.note_constant(new, dst);
        self.regs.push(src);
        Some(new)
    }

    /// Returns how many of the constants nothing reads any more. Call it after the last round.
    pub fn num_erased<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>) -> u64 {
        self.regs.sort_unstable();
        self.regs.dedup();
        self.regs.iter().filter(|&&reg| c.code.is_unnamed(reg)).count() as u64
    }
}
