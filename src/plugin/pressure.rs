//! Reports the register pressure before coalescing (requirement L8): in the statistics, in a
//! remark, in a drawing.
//!
//! LiveIntervals passes on the live ranges once they are computed. The pressure is measured only if
//! the user asks for one of the three outputs.

use super::{drawings, knobs, options};
use crate::adt::Counters;
use crate::liveness::pass::{AllRanges, RangesReader};
use crate::liveness::pressure::{Class, Classes, Measured, Pressure, Report};
use crate::llvm::{MachineFunction, Remark, RemarkKind};
use crate::mir::Register;
use crate::nvptx::occupancy::Architecture;
use std::time::Instant;

/// The pass that the remarks belong to.
const PASS: &str = "liveintervals";
/// The name of the remarks.
const REMARK: &str = "RegisterPressure";

/// The registers per thread that pressure is compared with if `-maxreg` is not given.
const DEFAULT_MAXREG: u32 = 70;

/// The buffers, kept from function to function, and the report of the last one.
#[derive(Default)]
pub struct PressureReporter {
    classes: Classes,
    pressure: Pressure,
    report: Option<Report>,
}

impl PressureReporter {
    /// Takes the report of the function that was measured last.
    pub fn take_report(&mut self) -> Option<Report> {
        self.report.take()
    }
}

fn wants_remark(mf: MachineFunction) -> bool {
    mf.wants_remarks(RemarkKind::Analysis, PASS)
}

impl RangesReader for PressureReporter {
    fn reads(&self, mf: MachineFunction) -> bool {
        knobs::collect_stats() || knobs::LIVE_RANGES.file.is_set() || wants_remark(mf)
    }

    fn read(&mut self, all: AllRanges, counters: &mut Counters) {
        let start = Instant::now();
        let mf = all.handles.function();
        let PressureReporter { classes, pressure, report } = self;
        classes.gather(
            all.ranges,
            |reg| mf.class_id(reg.into()),
            |reg| {
                let reg = Register::from(reg);
                Class { name: mf.class_name(reg).into_owned(), bits: mf.class_bits(reg) }
            },
        );
        pressure.measure(all.ranges, classes, &all.liveness.slots);
        let name = mf.name();
        let measured = Measured {
            function: &name,
            maxreg: knobs::maxreg().unwrap_or(DEFAULT_MAXREG),
            target: options::register_target(mf),
            architecture: Architecture::of(&mf.ir().processor()),
            classes,
            pressure,
            slots: &all.liveness.slots,
            host: all.host_slots,
            numbers: &all.shape.numbers,
        };
        if knobs::collect_stats() {
            counters.push(("functions above -maxreg", u64::from(measured.excess() > 0)));
            counters.push(("functions with a register target", u64::from(measured.target.is_some())));
            counters.push(("functions above their register target", u64::from(measured.is_above_target())));
            counters.push_maximum("max live 32-bit registers".into(), pressure.total().max.into());
            for (class, peak) in measured.peaks() {
                counters.push_maximum(format!("max live {}", class.name), peak.max.into());
            }
            *report = Some(measured.report());
        }
        if wants_remark(mf) {
            let at = pressure.total().at;
            let parts = measured.remark();
            let remark = Remark { kind: RemarkKind::Analysis, pass: PASS, name: REMARK, parts: &parts };
            all.handles.remark(&remark, all.liveness.slots.block_of(at).index(), at.entry());
        }
        if knobs::LIVE_RANGES.file.is_set() {
            drawings::add(&mf.module_name(), mf.number(), drawings::draw(&measured, all.ranges));
        }
        counters.reporting += start.elapsed();
    }
}
