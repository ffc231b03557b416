//! Accumulators are not joined with what is left of them behind the loop.
//!
//! **Problem.** An asynchronous matrix instruction (wgmma) reads and writes dozens of accumulators in place. In a loop
//! that also changes them by other instructions, as attention scales its sums in every iteration, the value that leaves
//! the loop is coalesced with the ones inside: one register from the initial zero to the last use. ptxas then keeps the
//! scaled value, the accumulator and the result of the loop apart by registers of its own, and selects between
//! them behind the loop.
//!
//! **Algorithm.** In front of the standard coalescer: in every block that leaves a loop, a copy to a register that a
//! copy outside of the loop reads (a PHI was there) is kept if its source is a result of an inline assembly with at
//! least [`MANY_RESULTS`], whose tied operand, followed through copies and such inline assemblies, is computed by
//! another instruction, not by the loop's own PHI.
//!
//! **Source.** Measurement, none of the texts. Ten attention kernels for sm_90 (Triton), LLVM 22, ptxas 13.0: registers
//! 0.92 of stock's, from 0.84 to 1.07, SASS instructions 0.99. Where the PHI itself is the tied operand, as in a plain
//! matrix product, keeping the copies apart gains nothing (1.00, SASS 1.01); with the small results of mma.sync it
//! costs registers (1.10).
//!
//! **Complexity.** Copies of blocks that leave loops, times the inline assemblies that an accumulator goes through.

use crate::coalescer::code::Place;
use crate::coalescer::copies::BlockPriority;
use crate::coalescer::host::Host;
use crate::coalescer::Coalescing;
use crate::mir::Register;

/// The accumulators of a thread for the smallest tile that one meets, 64 by 32.
const MANY_RESULTS: usize = 16;

/// Chains are not followed any further than this.
const MOST_STEPS: usize = 64;

/// Marks the copies to keep; how many. `depths`: a buffer.
pub fn keep<H: Host>(c: &mut Coalescing<'_, H>, blocks: &[BlockPriority], depths: &mut Vec<u32>) -> u64 {
    depths.clear();
    depths.resize(c.slots.num_blocks(), 0);
    for b in blocks {
        depths[b.block as usize] = b.depth;
    }
    let mut kept = 0;
    for block in 0..depths.len() as u32 {
        let depth = depths[block as usize];
        let leaves = c.succs.row(block as usize).iter().any(|&s| depths[s as usize] < depth);
        if !leaves {
            continue;
        }
        for entry in c.slots.start(block).entry() + 1..c.slots.end(block).entry() {
            let Some(copy) = c.copy_at(entry) else { continue };
            let (dst, src) = c.code.copy_regs(copy);
            if !dst.is_virtual() || !src.is_virtual() {
                continue;
            }
            let is_read_outside = !c.code.all_places(dst.virt_index() as u32, |place, op| {
                op.is_def()
                    || !c.code.is_copy(place.instr)
                    || depths[c.code.instr(place.instr).block as usize] >= depth
            });
            if is_read_outside && is_changed_accumulator(c, src.virt_index() as u32) {
                c.keep(copy);
                kept += 1;
            }
        }
    }
    kept
}

/// Whether `reg` is a result of an inline assembly of many, and what its tied operand comes from is computed.
fn is_changed_accumulator<H: Host>(c: &mut Coalescing<'_, H>, mut reg: u32) -> bool {
    for step in 0..MOST_STEPS {
        let (mut asm, mut copied, mut computed) = (false, None, false);
        let mut defs = [0; 4];
        let mut num_defs = 0;
        let few = c.code.all_places(reg, |place: Place, op| {
            if op.is_def() {
                let Some(def) = defs.get_mut(num_defs) else { return false };
                *def = place.instr;
                num_defs += 1;
            }
            true
        });
        if !few {
            return false;
        }
        for &def in &defs[..num_defs] {
            if c.code.is_copy(def) {
                copied = Some(c.code.copy_regs(def).1).filter(|r: &Register| r.is_virtual());
            } else if c.host.properties(def).is_inline_asm {
                asm |= c.code.operands(def).filter(|op| op.is_def()).count() >= MANY_RESULTS;
            } else {
                computed = true;
            }
        }
        if step > 0 && computed && num_defs == 1 {
            return true;
        }
        match copied {
            Some(source) if asm && num_defs == 2 => reg = source.virt_index() as u32,
            _ => return false,
        }
    }
    false
}
