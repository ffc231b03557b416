//! The checker's snapshots, and its questions to the target.

use super::{ffi, MachineFunction, MachineInstr};
use crate::checker::program::{self, Instr, Program};
use crate::checker::{halves, Target};
use crate::nvptx_coalescer::opcodes::ByOpcode;
use std::cell::RefCell;

const _: () = {
    assert!(Instr::COPY == ffi::PTX_CHECK_COPY && Instr::PHI == ffi::PTX_CHECK_PHI);
    assert!(Instr::IMPLICIT_DEF == ffi::PTX_CHECK_IMPLICIT_DEF && Instr::KILL == ffi::PTX_CHECK_KILL);
    assert!(Instr::REG_SEQUENCE == ffi::PTX_CHECK_REG_SEQUENCE);
    assert!(Instr::INSERT_SUBREG == ffi::PTX_CHECK_INSERT_SUBREG);
    assert!(Instr::EXTRACT_SUBREG == ffi::PTX_CHECK_EXTRACT_SUBREG);
    assert!(Instr::SUBREG_TO_REG == ffi::PTX_CHECK_SUBREG_TO_REG);
    assert!(Instr::BUNDLE == ffi::PTX_CHECK_BUNDLE && Instr::ORDERED == ffi::PTX_CHECK_ORDERED);
    assert!(Instr::LOAD == ffi::PTX_CHECK_LOAD && Instr::PHYSICAL == ffi::PTX_CHECK_PHYSICAL);
    assert!(Instr::COMMUTABLE == ffi::PTX_CHECK_COMMUTABLE && Instr::TIED == ffi::PTX_CHECK_TIED);
    assert!(Instr::UNTIED == ffi::PTX_CHECK_UNTIED);
    assert!(Instr::TERMINATOR == ffi::PTX_CHECK_TERMINATOR && Instr::BRANCH == ffi::PTX_CHECK_BRANCH);
    assert!(Instr::CALL == ffi::PTX_CHECK_CALL && Instr::ASM_BR == ffi::PTX_CHECK_ASM_BR);
    assert!(program::EH_PAD as u32 == ffi::PTX_MBB_EH_PAD);
};

thread_local! {
    /// What opcodes of NVPTX, which a process has one of, move.
    static HALVES: RefCell<ByOpcode<u32>> = RefCell::default();
}

impl MachineFunction<'_> {
    /// Reads the function for the checker.
    pub fn snapshot(self, out: &mut Program) {
        out.clear(self.num_virt_regs(), self.num_block_ids());
        let mut instrs: Vec<ffi::PtxCheckedInstr> = Vec::new();
        for block in self.blocks() {
            let eh_pad = u8::from(block.is_eh_pad()) * program::EH_PAD;
            let flags = eh_pad | (u8::from(block.is_asm_br_target()) * program::ASM_BR_TARGET);
            out.begin_block(block.number(), flags);
            let mbb = block.ptr.as_ptr();
            // SAFETY: handle; the row has room for all successors.
            out.succs.push_row(block.num_successors() as usize, |row| unsafe {
                ffi::ptx_mbb_successors(mbb, row.as_mut_ptr());
            });
            let first = out.operands.len();
            loop {
                instrs.clear();
                let room = out.operands.capacity() - first;
                let mut num_operands = 0;
                // SAFETY: handle; the buffers have the capacities that are passed, `Operand` is one u64.
                let n = unsafe {
                    ffi::ptx_check_read(
                        mbb,
                        instrs.as_mut_ptr(),
                        instrs.capacity(),
                        out.operands.as_mut_ptr().add(first).cast(),
                        room,
                        &mut num_operands,
                    )
                };
                if n <= instrs.capacity() && num_operands <= room {
                    // SAFETY: that many items were written.
                    unsafe {
                        instrs.set_len(n);
                        out.operands.set_len(first + num_operands);
                    }
                    break;
                }
                instrs.reserve(n);
                out.operands.reserve(num_operands);
            }
            out.instrs.extend(instrs.iter().map(|i| Instr {
                key: i.instr as usize,
                content: i.content,
                opcode: i.opcode,
                flags: i.flags,
                first_operand: first as u32 + i.first_operand,
                num_operands: i.num_operands,
            }));
            out.end_block();
        }
        if self.is_nvptx() {
            self.find_halves(out);
        }
        out.index();
    }

    /// Flags instructions that move halves.
    fn find_halves(self, out: &mut Program) {
        HALVES.with_borrow_mut(|halves| {
            for instr in &mut out.instrs {
                let flags =
                    halves.of(instr.opcode, || Some(halves::flags_of(&self.opcode_name(instr.opcode))));
                instr.flags |= flags.unwrap_or_default();
            }
        });
    }
}

/// What the checker asks of LLVM, behind a pass.
pub struct CheckedTarget<'f>(pub MachineFunction<'f>);

impl CheckedTarget<'_> {
    /// An instruction that is in the function.
    fn instr(&self, key: usize) -> MachineInstr<'_> {
        // SAFETY: the key is the address of an instruction of the function as it is.
        unsafe { MachineInstr::from_ptr(key as *mut ffi::PtxInstr) }.expect("never null")
    }
    /// An instruction as LLVM prints it.
    pub fn text(&self, key: usize) -> String {
        self.instr(key).text()
    }
}

impl Target for CheckedTarget<'_> {
    fn compose(&self, a: u32, b: u32) -> u32 {
        // SAFETY: handle; indices of the target.
        unsafe { ffi::ptx_tri_compose(self.0.ptr.as_ptr(), a, b) }
    }
    fn lanes(&self, sub: u32) -> u64 {
        self.0.lane_mask(sub)
    }
    fn compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        // SAFETY: handle; an index of the target.
        unsafe { ffi::ptx_tri_compose_lanes(self.0.ptr.as_ptr(), sub, lanes) }
    }
    fn reverse_compose_lanes(&self, sub: u32, lanes: u64) -> u64 {
        // SAFETY: handle; an index of the target.
        unsafe { ffi::ptx_tri_reverse_compose_lanes(self.0.ptr.as_ptr(), sub, lanes) }
    }
    fn num_indices(&self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_subreg_indices(self.0.ptr.as_ptr()) }
    }
    fn opcode_name(&self, opcode: u32) -> String {
        self.0.opcode_name(opcode).into_owned()
    }
    fn commutes(&self, key: usize, a: usize, b: usize) -> bool {
        self.instr(key).operands_commute(a, b)
    }
}
