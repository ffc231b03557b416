//! Counts the instructions of each function by class, for any target.
//!
//!     llc -load libcount_classes.so -count-classes-stats kernel.ll

use ptxpasses::llvm::{Analyses, MachineInstr, Outcome, Place};
use ptxpasses::machine_pass::{MachinePass, Pass, PassRun, Plugin};

#[derive(Default)]
struct CountClasses;

impl MachinePass for CountClasses {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let mf = run.mf;
        for mi in mf.blocks().flat_map(|block| block.instrs()) {
            run.count(class_of(mi), 1);
        }
        Outcome::Unchanged
    }
}

/// Returns the name of the class of an instruction.
fn class_of(mi: MachineInstr) -> &'static str {
    let properties = mi.properties();
    if properties.is_debug_or_pseudo() {
        "debug"
    } else if mi.is_copy() {
        "copies"
    } else if properties.is_call() {
        "calls"
    } else if properties.is_branch() {
        "branches"
    } else if properties.may_load() && properties.may_store() {
        "loads and stores"
    } else if properties.may_load() {
        "loads"
    } else if properties.may_store() {
        "stores"
    } else if properties.has_unmodeled_side_effects() {
        "other effects"
    } else {
        "computations"
    }
}

ptxpasses::machine_pass!(Plugin::new("count-classes").pass(
    Pass::new::<CountClasses>("count-classes", Place::After("phi-node-elimination"))
        .description("Count instructions by class")
        .keeps(Analyses::ALL)
));
