//! Puts a fence at the start of blocks that a conditional branch leads to, on x86: loads there do not run before the branch is decided
//! (bounds check bypass, "Spectre variant 1"). Blocks without loads have none, unless `-branch-fences-all` asks for them.
//!
//!     llc -load libbranch_fences.so -mtriple=x86_64 code.ll

use ptxpasses::llvm::{MachineBasicBlock, NewInstr, Outcome, Place};
use ptxpasses::machine_pass::{MachinePass, Pass, PassOption, PassRun, Plugin};
use ptxpasses::mir::Opcode;

static ALL: PassOption<bool> =
    PassOption::new("branch-fences-all", "", "Puts fences into blocks without loads as well", || false);

ptxpasses::opcodes! {
    struct Opcodes {
        fence: Opcode = "LFENCE",
    }
}

#[derive(Default)]
struct BranchFences;

impl MachinePass for BranchFences {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let mf = run.mf;
        let fence = run.opcodes::<Opcodes>().fence;
        let mut fences = 0;
        for block in mf.blocks() {
            let is_decided = block.predecessors().any(|from| from.num_successors() > 1);
            if is_decided && (ALL.get() || loads(block)) {
                block.insert(block.skip_phis_and_labels(block.first()), NewInstr::new(fence));
                fences += 1;
            }
        }
        run.count("fences", fences);
        Outcome::of(fences > 0)
    }
}

fn loads(block: MachineBasicBlock) -> bool {
    block.instrs().any(|mi| mi.properties().may_load())
}

ptxpasses::machine_pass!(Plugin::new("branch-fences").option(&ALL).pass(
    // After register allocation, where no pass moves instructions between blocks any more.
    Pass::new::<BranchFences>("branch-fences", Place::After("block-placement"))
        .description("Fence what a conditional branch leads to")
        .targets(&["x86_64", "i386"])
        .opcodes::<Opcodes>()
));
