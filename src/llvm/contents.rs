//! Reads a block with the contents of its operands, constants and symbols included.

use super::instr::{kind_from_ffi, Properties};
use super::{ffi, MachineBasicBlock, MachineInstr};
use crate::mir::{InstrKind, Opcode, Operand};

/// A block's instructions, without debug instructions, pseudo probes and the insides of bundles.
/// The buffers are kept from block to block.
#[derive(Default)]
pub struct BlockContents {
    instrs: Vec<ffi::PtxCheckedInstr>,
    operands: Vec<Operand>,
    hashes: Vec<u64>,
}

/// An instruction that was read.
#[derive(Clone, Copy)]
pub struct InstrContents<'r, 'f> {
    /// Its handle.
    pub instr: MachineInstr<'f>,
    /// Its opcode.
    pub opcode: Opcode,
    /// Its kind.
    pub kind: InstrKind,
    /// Its properties.
    pub properties: Properties,
    /// Its operands.
    pub operands: &'r [Operand],
    /// For each operand, a hash if it is neither a register nor a block, and else 0.
    pub hashes: &'r [u64],
}

impl BlockContents {
    /// Reads `block`, and returns its instructions in order.
    pub fn read<'f>(&mut self, block: MachineBasicBlock<'f>) -> impl Iterator<Item = InstrContents<'_, 'f>> {
        let BlockContents { instrs, operands, hashes } = self;
        instrs.clear();
        operands.clear();
        hashes.clear();
        loop {
            let (room, operand_room) = (instrs.capacity(), operands.capacity().min(hashes.capacity()));
            let mut num_operands = 0;
            // SAFETY: handle; the buffers have the capacities that are passed, `Operand` is one
            // u64.
            let n = unsafe {
                ffi::ptx_check_read(
                    block.ptr.as_ptr(),
                    instrs.as_mut_ptr(),
                    room,
                    operands.as_mut_ptr().cast(),
                    hashes.as_mut_ptr(),
                    operand_room,
                    &mut num_operands,
                )
            };
            if n <= room && num_operands <= operand_room {
                // SAFETY: that many items were written.
                unsafe {
                    instrs.set_len(n);
                    operands.set_len(num_operands);
                    hashes.set_len(num_operands);
                }
                break;
            }
            instrs.reserve(n);
            operands.reserve(num_operands);
            hashes.reserve(num_operands);
        }
        let (operands, hashes) = (&*operands, &*hashes);
        instrs.iter().map(move |i| {
            let range = i.first_operand as usize..(i.first_operand + i.num_operands) as usize;
            InstrContents {
                // SAFETY: an instruction of the block's function.
                instr: unsafe { MachineInstr::from_ptr(i.instr) }.expect("never null"),
                opcode: i.opcode.into(),
                kind: kind_from_ffi(i.kind),
                properties: Properties { flags: i.properties },
                operands: &operands[range.clone()],
                hashes: &hashes[range],
            }
        })
    }
    /// The operands of the block read last, instruction by instruction.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }
}
