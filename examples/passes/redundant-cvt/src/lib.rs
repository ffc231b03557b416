//! Removes conversions of NVPTX code that give back what was converted.
//!
//!     %wide = cvt.s64.s32 %x;   ...   %low = cvt.u32.u64 %wide;        %low is %x
//!
//! LLVM sees one block at a time when it selects instructions, so such pairs are left where a block boundary is in between.
//!
//!     llc -load libredundant_cvt.so -redundant-cvt-stats -redundant-cvt-verify kernel.ll
//!
//! `-pass-remarks=redundant-cvt` names each one. `-redundant-cvt-verify` computes the values that instructions read before and after the pass, and compares them.

use ptxpasses::llvm::{Analyses, MachineFunction, MachineInstr, Outcome, Place, RemarkKind};
use ptxpasses::machine_pass::{Check, MachinePass, Pass, PassRun, Plugin};
use ptxpasses::mir::{Kind, Opcode, Register};

ptxpasses::opcodes! {
    /// Conversions of integers.
    struct Opcodes {
        s64_of_s32: Opcode = "CVT_s64_s32",
        u64_of_u32: Opcode = "CVT_u64_u32",
        s32_of_s16: Opcode = "CVT_s32_s16",
        u32_of_u16: Opcode = "CVT_u32_u16",
        u32_of_u64: Opcode = "CVT_u32_u64",
        u16_of_u32: Opcode = "CVT_u16_u32",
    }
}

impl Opcodes {
    /// Conversions to more bits that keep the lower ones, and those that take these out again.
    fn pairs(&self) -> [(Opcode, Opcode); 4] {
        [
            (self.s64_of_s32, self.u32_of_u64),
            (self.u64_of_u32, self.u32_of_u64),
            (self.s32_of_s16, self.u16_of_u32),
            (self.u32_of_u16, self.u16_of_u32),
        ]
    }
}

#[derive(Default)]
struct RedundantCvt;

impl MachinePass for RedundantCvt {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let mf = run.mf;
        if !mf.is_ssa() {
            return Outcome::Unchanged;
        }
        let opcodes = run.opcodes::<Opcodes>();
        let mut removed = 0;
        for mi in mf.blocks().flat_map(|block| block.instrs()) {
            let Some((result, source)) = round_trip(opcodes, mf, mi) else { continue };
            run.remark(RemarkKind::Passed, "Removed", mi, &[("", "conversion removed".to_owned())]);
            mf.replace_reg(result, source);
            // The source lives longer now.
            mf.clear_kills(source);
            mi.erase();
            removed += 1;
        }
        run.count("conversions removed", removed);
        Outcome::of(removed > 0)
    }
}

/// Returns the result of a conversion, and the register that holds the same already.
fn round_trip(opcodes: &Opcodes, mf: MachineFunction, narrow: MachineInstr) -> Option<(Register, Register)> {
    let pairs = opcodes.pairs();
    if !pairs.iter().any(|&(_, to)| narrow.is(to)) {
        return None;
    }
    let [result, wide] = converted(narrow)?;
    let widen = mf.def(wide)?.instr;
    if !pairs.iter().any(|&(from, to)| widen.is(from) && narrow.is(to)) {
        return None;
    }
    let [_, source] = converted(widen)?;
    (mf.class_id(result) == mf.class_id(source)).then_some((result, source))
}

/// Returns the whole virtual registers that a conversion writes and reads.
fn converted(mi: MachineInstr) -> Option<[Register; 2]> {
    let (result, source) = (mi.operand(0), mi.operand(1));
    let are_whole = result.is_def() && result.is_whole() && source.is_whole();
    // The mode says how to round and whether to saturate: 0 is neither.
    let is_plain = mi.num_operands() == 3 && mi.operand(2).kind() == Kind::Imm && mi.immediate(2) == 0;
    (are_whole && is_plain).then(|| [result.reg(), source.reg()])
}

ptxpasses::machine_pass!(Plugin::new("redundant-cvt").pass(
    Pass::new::<RedundantCvt>("redundant-cvt", Place::After("peephole-opt"))
        .description("Remove conversions that give back what was converted")
        .targets(&["nvptx", "nvptx64"])
        .opcodes::<Opcodes>()
        .keeps(Analyses::CFG)
        .skippable()
        .check(Check::SameValues(Default::default()))
));
