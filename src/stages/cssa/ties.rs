//! Results that a tied operand is copied to.
//!
//! **Problem.** In front of an instruction with tied operands the two-address pass copies each source to its result, and
//! lets other operands that name the source read the copy. It counts on SSA form: a result that shares a register with
//! what the instruction reads would be overwritten too early, or an operand would change that is tied already.
//!
//! **Algorithm.** Such an instruction defines its results ahead of its reads, for the test of interference. One
//! register, the *partner*, may share with a result all the same: the source that is tied to it, if nothing else reads that
//! there. Then there is nothing to copy.
//!
//! **Source.** None: LLVM's PHIs get registers that no other instruction defines.
//! **Complexity.** Sorting the operands of each instruction that defines a candidate, once.

use super::NONE;
use crate::llvm::MachineInstr;
use crate::mir::Operand;
use rustc_hash::{FxHashMap, FxHashSet};

/// The results of a function's instructions with tied operands.
#[derive(Default)]
pub struct Ties {
    /// The instructions that were read.
    read: FxHashSet<usize>,
    /// By result: its partner, or [`NONE`].
    partners: FxHashMap<u32, u32>,
    operands: Vec<Operand>,
    groups: Vec<usize>,
    /// (source, result), as operands.
    pairs: Vec<(usize, usize)>,
    /// The registers read, sorted, each as often as it is.
    reads: Vec<u32>,
}

impl Ties {
    /// Forgets the function before.
    pub fn clear(&mut self) {
        self.read.clear();
        self.partners.clear();
    }

    /// Of `reg`, which `mi` defines: None if that has no tied operands, else the partner or [`NONE`].
    pub fn partner(&mut self, mi: MachineInstr, reg: u32) -> Option<u32> {
        if self.read.insert(mi.key()) {
            self.read(mi);
        }
        self.partners.get(&reg).copied()
    }

    fn read(&mut self, mi: MachineInstr) {
        let Ties { partners, operands, groups, pairs, reads, .. } = self;
        mi.read_operands(operands);
        pairs.clear();
        mi.for_each_tied_use(mi.facts().is_inline_asm(), operands, groups, |src, dst| pairs.push((src, dst)));
        if pairs.is_empty() {
            return;
        }
        let is_read = |op: &&Operand| op.is_use() && op.is_virtual() && !op.is_undef();
        reads.clear();
        reads.extend(operands.iter().filter(is_read).map(|op| op.reg().virt_index() as u32));
        reads.sort_unstable();
        for op in operands.iter().filter(|op| op.is_def() && op.is_virtual()) {
            partners.insert(op.reg().virt_index() as u32, NONE);
        }
        for &(src, dst) in &*pairs {
            let [src, dst] = [src, dst].map(|i| operands[i]);
            if !is_read(&&src) || src.subreg() != 0 || !dst.is_virtual() || dst.subreg() != 0 {
                continue;
            }
            let reg = src.reg().virt_index() as u32;
            let first = reads.partition_point(|&r| r < reg);
            if reads.get(first + 1) != Some(&reg) {
                partners.insert(dst.reg().virt_index() as u32, reg);
            }
        }
    }
}
