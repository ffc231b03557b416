//! How often a register is read over an edge by PHIs.
//!
//! **Problem.** Several PHIs may read one register over one edge. Only when the last of them has become a copy
//! is the register's life in the predecessor known to be over.
//!
//! **Algorithm.** The uses are listed in the order in which PHIs are lowered; those of one predecessor and
//! register are one class. Classes are found in two steps, by predecessor (counting sort) and within it by
//! register (an array with a stamp), so nothing is hashed. **Complexity.** Linear in uses, blocks and registers.

use crate::adt::Rows;
use crate::mir::Operand;

/// Counts of uses; PHIs are visited twice, in the same order.
#[derive(Default)]
pub(super) struct PhiUses {
    /// By use, in order: (use, number of the predecessor).
    by_edge: Vec<(u32, u32)>,
    /// By use: index of the register, [`UNDEF`] for a use that reads nothing.
    regs: Vec<u32>,
    /// By use: its class.
    class: Vec<u32>,
    /// By class: how many uses are left.
    left: Vec<u32>,
    /// By register: the last predecessor it was seen for, counted from 1, and the class there.
    seen: Vec<(u32, u32)>,
    rows: Rows,
    /// The first use of the next PHI to be lowered.
    next: usize,
}

const UNDEF: u32 = u32::MAX;

impl PhiUses {
    pub(super) fn clear(&mut self) {
        self.by_edge.clear();
        self.regs.clear();
        self.class.clear();
        self.left.clear();
        self.next = 0;
    }

    /// Lists the uses of the next PHI.
    pub(super) fn push_phi(&mut self, operands: &[Operand]) {
        for pair in operands[1..].chunks_exact(2) {
            let index = self.regs.len() as u32;
            self.regs.push(if pair[0].is_undef() { UNDEF } else { pair[0].reg().virt_index() as u32 });
            self.by_edge.push((index, pair[1].block_number()));
        }
    }

    /// All PHIs have been listed.
    pub(super) fn finish(&mut self, num_block_ids: usize, num_virt_regs: usize) {
        self.rows.collect(num_block_ids, self.by_edge.iter().copied());
        self.class.resize(self.regs.len(), UNDEF);
        self.seen.clear();
        self.seen.resize(num_virt_regs, (0, 0));
        for block in 0..self.rows.len() {
            let stamp = block as u32 + 1;
            for &index in self.rows.row(block) {
                let reg = self.regs[index as usize];
                if reg == UNDEF {
                    continue;
                }
                let seen = &mut self.seen[reg as usize];
                if seen.0 != stamp {
                    *seen = (stamp, self.left.len() as u32);
                    self.left.push(0);
                }
                self.class[index as usize] = seen.1;
                self.left[seen.1 as usize] += 1;
            }
        }
    }

    /// The next PHI, which has so many uses, is lowered: the first of them.
    pub(super) fn take_phi(&mut self, count: usize) -> usize {
        let first = self.next;
        self.next += count;
        for &class in &self.class[first..self.next] {
            if class != UNDEF {
                self.left[class as usize] -= 1;
            }
        }
        first
    }

    /// Whether PHIs that are not lowered yet read the register of `use_index` over the same edge.
    pub(super) fn is_read_again(&self, use_index: usize) -> bool {
        self.left[self.class[use_index] as usize] != 0
    }
}
