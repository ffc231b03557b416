//! Reports how many virtual registers of each class are live at once, and where, in front of the register coalescer.
//!
//!     llc -load libregister_pressure.so -register-pressure-stats kernel.ll
//!     llc -load libregister_pressure.so -pass-remarks-analysis=register-pressure -register-pressure-min=10 kernel.ll

use ptxpasses::llvm::{Analyses, MachineInstr, Outcome, Place, RemarkKind};
use ptxpasses::machine_pass::{MachinePass, Pass, PassOption, PassRun, Plugin};
use ptxpasses::mir::Register;
use std::collections::BTreeMap;

static MIN: PassOption<u32> =
    PassOption::new("register-pressure-min", "n", "Reports classes of which so many registers are live (default: 1)", || 1);

/// The registers that begin and end to live, by slot; at one slot registers end first, as operands do in front of results.
#[derive(Default)]
struct RegisterPressure {
    events: BTreeMap<String, Vec<(u64, i32)>>,
}

impl MachinePass for RegisterPressure {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let mf = run.mf;
        let lis = run.lis.expect("the pass needs it");
        self.events.clear();
        for reg in (0..mf.num_virt_regs()).map(Register::virtual_numbered) {
            if mf.class_id(reg).is_none() || !lis.has_interval(reg) {
                continue;
            }
            let events = self.events.entry(mf.class_name(reg).into_owned()).or_default();
            for segment in lis.segments(reg) {
                events.extend([(segment.start, 1), (segment.end, -1)]);
            }
        }
        for (class, events) in &mut self.events {
            events.sort_unstable();
            let (mut live, mut peak) = (0, (0, 0));
            for &(slot, change) in &*events {
                live += change;
                peak = peak.max((live, slot));
            }
            let (max_live, slot) = peak;
            if max_live >= MIN.get() as i32 {
                run.maximum(format!("max live {class}"), max_live as u64);
                report(run, class, max_live, lis.instr_at(slot));
            }
        }
        Outcome::Unchanged
    }
}

fn report<'f>(run: &PassRun<'_, 'f>, class: &str, max_live: i32, at: Option<MachineInstr<'f>>) {
    let Some(mi) = at.filter(|_| run.wants_remarks(RemarkKind::Analysis)) else { return };
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
