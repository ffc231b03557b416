//! Reports how many virtual registers of each class are live at once, and where, before the register coalescer.
//!
//!     llc -load libregister_pressure.so -register-pressure-stats kernel.ll
//!     llc -load libregister_pressure.so -pass-remarks-analysis=register-pressure -register-pressure-min=10 kernel.ll

use ptxpasses::llvm::{Analyses, ClassPressure, LiveIntervals, Outcome, Place, RemarkKind};
use ptxpasses::machine_pass::{MachinePass, Pass, PassOption, PassRun, Plugin};

static MIN: PassOption<u32> = PassOption::new(
    "register-pressure-min",
    "n",
    "Reports classes of which this many registers are live (default: 1)",
    || 1,
);

#[derive(Default)]
struct RegisterPressure;

impl MachinePass for RegisterPressure {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let lis = run.lis.expect("the pass needs it");
        for pressure in lis.pressure(run.mf) {
            if pressure.max_live >= MIN.get() {
                let class = run.mf.class_name_of(pressure.class);
                run.maximum(format!("max live {class}"), pressure.max_live.into());
                report(run, lis, &class, pressure);
            }
        }
        Outcome::Unchanged
    }
}

/// Emits a remark at the instruction where the most registers are live.
fn report(run: &PassRun, lis: LiveIntervals, class: &str, pressure: ClassPressure) {
    if !run.wants_remarks(RemarkKind::Analysis) {
        return;
    }
    let instrs = run.mf.blocks().flat_map(|block| block.instrs());
    let Some(mi) =
        instrs.take_while(|&mi| lis.number_of(mi).is_none_or(|number| number <= pressure.at)).last()
    else {
        return;
    };
    let parts = [
        ("MaxLive", pressure.max_live.to_string()),
        ("", " registers of class ".to_owned()),
        ("Class", class.to_owned()),
        ("", " are live here".to_owned()),
    ];
    run.remark(RemarkKind::Analysis, "RegisterPressure", mi, &parts);
}

ptxpasses::machine_pass!(Plugin::new("register-pressure").option(&MIN).pass(
    Pass::new::<RegisterPressure>("register-pressure", Place::Before("register-coalescer"))
        .description("Report how many registers are live at once")
        .needs(Analyses::LIVE_INTERVALS)
        .keeps(Analyses::ALL)
));
