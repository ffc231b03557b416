//! Which registers are live out of a block of the function that is being selected.
//!
//! Problem. Blocks are selected one by one; while one is emitted there is no machine code yet of those behind it.
//! The order of a block's instructions is judged by what is live in it, which includes the values that live
//! through it and those that it hands on.
//!
//! Algorithm. Selection keeps a value that several blocks read in virtual registers, which it makes before it
//! begins, and the IR says who reads it. Each value is walked up from the blocks that read it to the one that
//! defines it; a PHI reads at the end of the block that it comes from. The blocks met are those that it
//! is live out of. The walks stop when they have met [`MAX_BLOCKS`] blocks in all; values that come later are then
//! taken to be live out of the block that defines them and of no other.
//!
//! Source: the walk is that of LiveVariables (`MarkVirtRegAliveInBlock`), on the IR. Deviation: an estimate is enough here;
//! nothing depends on it but the choice between orders that are all right.
//!
//! Complexity: linear in the sizes of the live ranges, counted in blocks, and of the function's IR.

use super::dag::ClassId;
use super::host::Host;
use crate::adt::Rows;
use crate::mir::Register;

/// Bound on the blocks that all walks meet.
const MAX_BLOCKS: usize = 1 << 22;

/// A value of the IR that lives in registers across blocks.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct IrValue {
    /// The first of its registers.
    pub reg: Register,
    /// The block that defines it.
    pub def_block: u32,
    first_use: u32,
    num_uses: u32,
}

/// An edge of the control-flow graph.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct IrEdge {
    /// Whence.
    pub from: u32,
    /// Whither.
    pub to: u32,
}

/// What the IR says of values that live across blocks.
#[derive(Clone, Copy, Default)]
pub struct Ir<'a> {
    /// In ascending order of registers.
    pub values: &'a [IrValue],
    /// Of all values: block * 2, plus 1 for a PHI's at the block's end.
    pub uses: &'a [u32],
    /// All edges.
    pub edges: &'a [IrEdge],
    /// How many blocks there are.
    pub num_blocks: usize,
}

/// The answer for one function.
#[derive(Default)]
pub struct LiveOut {
    /// First register of each value, in ascending order.
    regs: Vec<Register>,
    /// By block, the values that are live out of it, in ascending order.
    values: Rows,
    /// By block, the size of all values that are live into it, in registers of 32 bits.
    live_in: Vec<u32>,
}

impl LiveOut {
    /// Reads the function, before anything of it is emitted. `registers32` says how many registers of 32 bits one of a
    /// class takes.
    pub fn read<H: Host>(&mut self, host: &H, registers32: impl Fn(ClassId) -> u32) {
        let ir = host.ir();
        let num_regs = host.num_virt_regs();
        let mut preds: Rows = Rows::default();
        preds.collect(ir.num_blocks, ir.edges.iter().map(|e| (e.from, e.to as usize)));
        self.regs.clear();
        self.regs.extend(ir.values.iter().map(|v| v.reg));
        self.live_in.clear();
        self.live_in.resize(ir.num_blocks, 0);
        let mut met: Vec<(u32, u32)> = Vec::new();
        // By block the last value that was found to be live out of it, and into it.
        let mut out_of = vec![u32::MAX; ir.num_blocks];
        let mut into = vec![u32::MAX; ir.num_blocks];
        let mut stack = Vec::new();
        for (i, value) in ir.values.iter().enumerate() {
            let v = i as u32;
            let end = self.regs.get(i + 1).map_or(num_regs, |r| r.virt_index());
            let regs = value.reg.virt_index()..end.min(num_regs);
            let size: u32 = regs.map(|r| registers32(host.class_of(Register::virt(r as u32)))).sum();
            let uses = &ir.uses[value.first_use as usize..][..value.num_uses as usize];
            for &used in uses {
                let (block, at_end) = (used >> 1, used & 1 != 0);
                if at_end {
                    if std::mem::replace(&mut out_of[block as usize], v) == v {
                        continue;
                    }
                    met.push((v, block));
                }
                stack.push(block);
                while let Some(block) = stack.pop() {
                    let b = block as usize;
                    if block == value.def_block || std::mem::replace(&mut into[b], v) == v {
                        continue;
                    }
                    self.live_in[b] += size;
                    for &pred in preds.row(b) {
                        if met.len() < MAX_BLOCKS && std::mem::replace(&mut out_of[pred as usize], v) != v {
                            met.push((v, pred));
                            stack.push(pred);
                        }
                    }
                }
            }
        }
        self.values.collect(ir.num_blocks, met.iter().map(|&(value, block)| (value, block as usize)));
    }

    /// The size of all values that are live into a block, in registers of 32 bits.
    pub fn live_in(&self, block: u32) -> u32 {
        self.live_in[block as usize]
    }

    /// Whether a register is live out of a block.
    pub fn is_live_out(&self, block: u32, reg: Register) -> bool {
        let value = self.regs.partition_point(|&first| first <= reg);
        value > 0 && self.values.row(block as usize).binary_search(&(value as u32 - 1)).is_ok()
    }
}
