//! Reports how many virtual registers of each class are live at once, and where, in front of the register coalescer.
//!
//!     llc -load libregister_pressure.so -register-pressure-stats kernel.ll
//!     llc -load libregister_pressure.so -pass-remarks-analysis=register-pressure -register-pressure-min=10 kernel.ll

use ptxpasses::llvm::{Analyses, LiveIntervals, Outcome, Place, RemarkKind};
use ptxpasses::machine_pass::{MachinePass, Pass, PassOption, PassRun, Plugin};
use ptxpasses::mir::Register;
use std::collections::BTreeMap;

static MIN: PassOption<u32> = PassOption::new(
    "register-pressure-min",
    "n",
    "Reports classes of which so many registers are live (default: 1)",
    || 1,
);

/// By class, the slots where registers begin (1) and end (-1) to live; at one slot registers end first, as operands do in front of results.
#[derive(Default)]
struct RegisterPressure {
    events: BTreeMap<String, Vec<(u32, i32)>>,
}

impl MachinePass for RegisterPressure {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let mf = run.mf;
        let lis = run.lis.expect("the pass needs it");
        self.events.clear();
        for reg in (0..mf.num_virt_regs()).map(|index| Register::virt(index as u32)) {
            let Some(class) = mf.reg_class(reg).filter(|_| lis.has_interval(reg)) else { continue };
            let events = self.events.entry(mf.class_name_of(class).into_owned()).or_default();
            for segment in lis.segments(reg) {
                events.extend([(segment.start, 1), (segment.end, -1)]);
            }
        }
        for (class, events) in &mut self.events {
            events.sort_unstable();
            let (mut live, mut max_live, mut at) = (0, 0, 0);
            for &(slot, change) in &*events {
                live += change;
                if live > max_live {
                    (max_live, at) = (live, slot);
                }
            }
            if max_live >= MIN.get() as i32 {
                run.maximum(format!("max live {class}"), max_live as u64);
                report(run, lis, class, max_live, at);
            }
        }
        Outcome::Unchanged
    }
}

/// Emits a remark at the instruction that has a slot.
fn report(run: &PassRun, lis: LiveIntervals, class: &str, max_live: i32, slot: u32) {
    if !run.wants_remarks(RemarkKind::Analysis) {
        return;
    }
    let instrs = run.mf.blocks().flat_map(|block| block.instrs());
    let Some(mi) = instrs.take_while(|&mi| lis.number_of(mi).is_none_or(|number| number <= slot)).last()
    else {
        return;
    };
    let parts = [
        ("MaxLive", max_live.to_string()),
        ("", " registers of class ".to_owned()),
        ("Class", class.to_owned()),
        ("", " are live here".to_owned()),
    ];
    run.remark(RemarkKind::Analysis, "RegisterPressure", mi.block(), mi, &parts);
}

ptxpasses::machine_pass!(Plugin::new("register-pressure").option(&MIN).pass(
    Pass::new::<RegisterPressure>("register-pressure", Place::Before("register-coalescer"))
        .description("Report how many registers are live at once")
        .needs(Analyses::LIVE_INTERVALS)
        .keeps(Analyses::ALL)
));
