//! Removes conversions of NVPTX code that give back what was converted.
//!
//!     %wide = cvt.s64.s32 %x;   ...   %low = cvt.u32.u64 %wide;        %low is %x
//!
//! LLVM sees one block at a time when it selects instructions, so such pairs are left where a block boundary is in between.
//!
//!     llc -load libredundant_cvt.so -redundant-cvt-stats -redundant-cvt-verify kernel.ll
//!
//! `-pass-remarks=redundant-cvt` names each one. `-redundant-cvt-verify` computes the values that instructions read before and behind the pass, and compares them.

use ptxpasses::llvm::{Analyses, MachineFunction, MachineInstr, Outcome, Place, RemarkKind};
use ptxpasses::machine_pass::{Check, MachinePass, Pass, PassRun, Plugin};
use ptxpasses::mir::{Kind, Register};

/// Conversions to more bits that keep the lower ones, and those that take these out again.
const PAIRS: [(&str, &str); 4] = [
    ("CVT_s64_s32", "CVT_u32_u64"),
    ("CVT_u64_u32", "CVT_u32_u64"),
    ("CVT_s32_s16", "CVT_u16_u32"),
    ("CVT_u32_u16", "CVT_u16_u32"),
];

#[derive(Default)]
struct RedundantCvt;

impl MachinePass for RedundantCvt {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let mf = run.mf;
        if !mf.is_ssa() {
            return Outcome::Unchanged;
        }
        let mut removed = 0;
        for mi in mf.blocks().flat_map(|block| block.instrs()) {
            let Some((result, source)) = round_trip(mf, mi) else { continue };
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
fn round_trip(mf: MachineFunction, narrow: MachineInstr) -> Option<(Register, Register)> {
    let [result, wide] = converted(narrow)?;
    let widen = mf.def(wide)?.instr;
    let [_, source] = converted(widen)?;
    let (from, to) = (widen.opcode_name(), narrow.opcode_name());
    let is_pair = PAIRS.contains(&(&*from, &*to));
    (is_pair && mf.class_id(result) == mf.class_id(source)).then_some((result, source))
}

/// Returns the whole virtual registers that a conversion writes and reads.
fn converted(mi: MachineInstr) -> Option<[Register; 2]> {
    if !mi.opcode_name().starts_with("CVT_") {
        return None;
    }
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
        .keeps(Analyses::CFG)
        .skippable()
        .check(Check::SameValues(Default::default()))
));
