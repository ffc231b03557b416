//! Register pressure of a function to those who have asked for it: statistics, a remark, a drawing.
//!
//! **Problem.** Three readers want one measurement, mostly none of them does. **Algorithm.** Ask who wants it;
//! keep the ranges in one list, local registers as well; measure; tell each. **Source.** None: upstream has no
//! such query on virtual registers at this point.
//!
//! **Complexity.** A question to LLVM when nobody asks; otherwise that of [`super::pressure`], the copy, and a
//! question for each register's class.

use super::pressure::{Class, Classes, Measured, Pressure};
use super::ranges::LiveRanges;
use super::slot_index::HostSlots;
use super::{svg, Liveness};
use crate::llvm::{Handles, MachineFunction, Remark, RemarkKind};
use crate::mir::{FunctionShape, Register};
use crate::plugin::knobs;
use crate::plugin::stats::Counters;
use std::time::Instant;

/// The pass that remarks are of.
const PASS: &str = "liveintervals";
/// Their name.
const REMARK: &str = "RegisterPressure";

/// Who wants to know.
#[derive(Clone, Copy)]
pub struct Asked {
    statistics: bool,
    remark: bool,
    drawing: bool,
}

impl Asked {
    /// About `mf`.
    pub fn about(mf: MachineFunction) -> Asked {
        Asked {
            statistics: knobs::collect_stats(),
            remark: mf.wants_remarks(RemarkKind::Analysis, PASS),
            drawing: knobs::draw_live_ranges(),
        }
    }
    /// Whether anybody does.
    pub fn anything(self) -> bool {
        self.statistics || self.remark || self.drawing
    }
}

/// The buffers; kept from function to function.
#[derive(Default)]
pub struct PressureReport {
    classes: Classes,
    pressure: Pressure,
}

impl PressureReport {
    /// Reports on a function that has blocks: on its local registers, which are added to `ranges`, and on the others,
    /// which are there.
    pub fn report(
        &mut self,
        asked: Asked,
        handles: Handles,
        shape: &FunctionShape,
        (liveness, ranges): (&Liveness, &mut LiveRanges),
        host: &HostSlots,
        counters: &mut Counters,
    ) {
        let start = Instant::now();
        let mf = handles.function();
        let PressureReport { classes, pressure } = self;
        liveness.append_local(ranges);
        classes.gather(
            &ranges.ranges,
            |reg| mf.class_id(Register::virt(reg)),
            |reg| {
                let reg = Register::virt(reg);
                Class { name: mf.class_name(reg).into_owned(), bits: mf.class_bits(reg) }
            },
        );
        pressure.measure(ranges, classes, &liveness.slots);
        let name = mf.name();
        let measured = Measured {
            function: &name,
            maxreg: knobs::maxreg(),
            classes,
            pressure,
            slots: &liveness.slots,
            host,
            numbers: shape.numbers.as_raw_slice(),
        };
        if asked.statistics {
            counters.push(("functions above -maxreg", u64::from(measured.excess() > 0)));
            counters.push_maximum("max live 32-bit registers".into(), pressure.total().max.into());
            for (class, peak) in measured.peaks() {
                counters.push_maximum(format!("max live {}", class.name), peak.max.into());
            }
            counters.pressure = Some(measured.report());
        }
        if asked.remark {
            let at = pressure.total().at;
            let block = liveness.slots.block_of(at).index();
            let parts = measured.remark();
            let remark = Remark { kind: RemarkKind::Analysis, pass: PASS, name: REMARK, parts: &parts };
            handles.remark(&remark, block, at.entry());
        }
        if asked.drawing {
            svg::add(&mf.module_name(), mf.number(), svg::draw(&measured, ranges));
        }
        counters.reporting += start.elapsed();
    }
}
