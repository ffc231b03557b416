//! Finds the registers that are live into and out of each block of the function being selected.
//!
//! Problem. Blocks are selected one by one. While one is emitted, later ones have no machine code
//! yet. We judge the order of a block's instructions by what is live in it, which includes the
//! values that live through it and those that live out of it.
//!
//! Algorithm. Selection keeps a value that several blocks read in virtual registers, which it makes
//! at the start, and the IR has its readers. Each walk goes up from the blocks that read a value to
//! the block that defines it. A PHI reads at the end of the block that the value comes from. The
//! value is live out of the blocks that the walk passes. After [`MAX_BLOCKS`] pairs of a value and
//! a block the walks go up no further. Later values then are live only into the blocks that read
//! them, and out of those at whose end a PHI does.
//!
//! Source: the walk of LiveVariables (`MarkVirtRegAliveInBlock`), on the IR. Deviation: an estimate
//! is enough here, because it only decides between orders that are all correct.
//!
//! Complexity: linear in the sizes of the live ranges, counted in blocks, and of the function's IR.

use super::host::EmitterHost;
use crate::adt::{PackedOption, Rows};
use crate::mir::dag::ids::{ClassId, IrBlockId};
use crate::mir::dag::ir::{Ir, IrValue};
use crate::mir::Register;
use index_vec::{index_vec, IndexVec};

/// Bound on the pairs of a value and a block that all walks enter.
const MAX_BLOCKS: usize = 1 << 22;

index_vec::define_index_type! {
    /// The position of a value in [`Ir::values`].
    struct IrValueId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// Live values of one function.
#[derive(Default)]
pub struct LiveOut {
    /// First register of each value, in ascending order.
    regs: IndexVec<IrValueId, Register>,
    /// By block, the values that are live out of it, in ascending order.
    values: Rows<IrBlockId, IrValueId>,
    /// By block, the size of all values that are live into it, in 32-bit registers.
    live_in: IndexVec<IrBlockId, u32>,
}

/// The walks from readers up to definitions.
struct Walks {
    preds: Rows<IrBlockId, IrBlockId>,
    /// Pairs of a value and a block that it is live out of.
    live_out: Vec<(IrValueId, IrBlockId)>,
    /// By block, the last value that was found live out of it, and live into it.
    last_out: IndexVec<IrBlockId, PackedOption<IrValueId>>,
    last_in: IndexVec<IrBlockId, PackedOption<IrValueId>>,
    stack: Vec<IrBlockId>,
}

impl Walks {
    fn new(ir: &Ir) -> Walks {
        let mut preds = Rows::default();
        preds.collect(ir.num_blocks, ir.edges.iter().map(|e| (e.from, e.to)));
        Walks {
            preds,
            live_out: Vec::new(),
            last_out: index_vec![PackedOption::NONE; ir.num_blocks],
            last_in: index_vec![PackedOption::NONE; ir.num_blocks],
            stack: Vec::new(),
        }
    }

    /// Walks from all readers of a value to its definition; calls `is_live_in` for each block that
    /// it is live into.
    fn walk(&mut self, ir: &Ir, id: IrValueId, value: &IrValue, mut is_live_in: impl FnMut(IrBlockId)) {
        let this = PackedOption::from(id);
        for used in ir.uses_of(value) {
            if used.is_at_end != 0 {
                if std::mem::replace(&mut self.last_out[used.block], this) == this {
                    continue;
                }
                self.live_out.push((id, used.block));
            }
            self.stack.push(used.block);
            while let Some(block) = self.stack.pop() {
                if block == value.def_block || std::mem::replace(&mut self.last_in[block], this) == this {
                    continue;
                }
                is_live_in(block);
                for &pred in self.preds.row(block) {
                    if self.live_out.len() < MAX_BLOCKS
                        && std::mem::replace(&mut self.last_out[pred], this) != this
                    {
                        self.live_out.push((id, pred));
                        self.stack.push(pred);
                    }
                }
            }
        }
    }
}

impl LiveOut {
    /// Reads the function, before any of it is emitted. `registers32` gives the number of 32-bit
    /// registers that a register of a class takes; a token takes none.
    pub fn read<H: EmitterHost>(&mut self, host: &H, registers32: impl Fn(ClassId) -> u32) {
        let ir = host.ir();
        let num_regs = host.num_virt_regs();
        self.regs.clear();
        self.regs.extend(ir.values.iter().map(|v| v.reg));
        self.live_in.clear();
        self.live_in.resize(ir.num_blocks, 0);
        let mut walks = Walks::new(&ir);
        for (i, value) in ir.values.iter().enumerate() {
            let end = ir.values.get(i + 1).map_or(num_regs, |next| next.reg.virt_index());
            let regs = value.reg.virt_index()..end.min(num_regs);
            let size: u32 =
                regs.filter_map(|r| host.class_of(Register::virt(r as u32))).map(&registers32).sum();
            walks.walk(&ir, IrValueId::from_usize(i), value, |block| self.live_in[block] += size);
        }
        self.values.collect(ir.num_blocks, walks.live_out.iter().copied());
    }

    /// The size of all values that are live into a block, in 32-bit registers.
    pub fn live_in(&self, block: IrBlockId) -> u32 {
        self.live_in[block]
    }

    /// Whether a register is live out of a block.
    pub fn is_live_out(&self, block: IrBlockId, reg: Register) -> bool {
        let values = self.regs.as_raw_slice().partition_point(|&first| first <= reg);
        // The last value whose first register does not come after `reg`.
        values > 0 && self.values.row(block).binary_search(&IrValueId::from_usize(values - 1)).is_ok()
    }
}
