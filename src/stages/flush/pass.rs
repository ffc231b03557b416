//! Binds the stage to LLVM's function.

use super::ranges::Ranges;
use crate::adt::Counters;
use crate::llvm::MachineFunction;
use crate::mir::Kind;
use crate::nvptx::counterparts::Counterpart;
use crate::ssa::snapshot::Snapshot;

/// The position of the flush flag, after the operand that an approximation reads, in opcodes that
/// have such a flag.
const FLAG: usize = 2;
/// The value of a set flag, as instruction selection gives it.
const SET: i64 = -1;

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct Flush {
    ranges: Ranges,
}

impl Flush {
    /// Runs the stage on a function. Returns whether the function changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, instrs)) = snapshot.of(mf) else { return false };
        self.ranges.find(facts, &instrs);
        for &instr in self.ranges.found() {
            let mi = instrs.instr(instr);
            let has_flag = facts.operands_of(instr).get(FLAG).is_some_and(|o| o.kind() == Kind::Imm);
            match has_flag {
                true => mi.set_immediate(FLAG, SET),
                false => mi.set_opcode(instrs.counterpart(mi, Counterpart::Flushing)),
            }
        }
        counters.extend([
            ("approximations that flush", self.ranges.found().len() as u64),
            ("approximations that may meet subnormal numbers", self.ranges.num_left()),
        ]);
        !self.ranges.found().is_empty()
    }
}
