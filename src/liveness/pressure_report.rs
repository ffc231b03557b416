//! Register pressure of a function to those who have asked for it: statistics, a remark, a drawing.
//!
//! **Source.** None: upstream has no such query on virtual registers at this point. **Complexity.** One question
//! to LLVM when nobody asks; otherwise that of [`super::pressure`] and a question for each register's class.

use super::pressure::{Class, Classes, Measured, Pressure};
use super::slot_index::HostSlots;
use super::{svg, Liveness};
use crate::knobs;
use crate::llvm::Handles;
use crate::mir::{FunctionFacts, Register};
use crate::stats::Counters;

/// The pass that remarks are of.
const PASS: &str = "liveintervals";
/// Their name.
const REMARK: &str = "RegisterPressure";

/// The buffers; kept from function to function.
#[derive(Default)]
pub struct PressureReport {
    classes: Classes,
    pressure: Pressure,
}

impl PressureReport {
    /// Reports on the first `num_intervals` ranges of `liveness`, those of virtual registers.
    pub fn report(
        &mut self,
        handles: Handles,
        facts: &FunctionFacts,
        liveness: &Liveness,
        num_intervals: usize,
        host: &HostSlots,
        counters: &mut Counters,
    ) {
        let mf = handles.function();
        let remark = mf.wants_analysis_remarks(PASS);
        let nobody_asks = !(remark || knobs::collect_stats() || knobs::draw_live_ranges());
        if nobody_asks || facts.num_blocks() == 0 {
            return;
        }
        let ranges = &liveness.ranges.ranges[..num_intervals];
        self.classes.gather(
            ranges,
            |reg| mf.class_id(Register::virt(reg)),
            |reg| {
                let reg = Register::virt(reg);
                Class { name: mf.class_name(reg).into_owned(), bits: mf.class_bits(reg) }
            },
        );
        self.pressure.measure(&liveness.ranges, ranges, &self.classes, &liveness.slots);
        let name = mf.name();
        let measured = Measured {
            function: &name,
            maxreg: knobs::maxreg(),
            classes: &self.classes,
            pressure: &self.pressure,
            slots: &liveness.slots,
            host,
            numbers: &facts.numbers,
        };
        if knobs::collect_stats() {
            counters.push_maximum("max live 32-bit registers".into(), self.pressure.total().max.into());
            for (class, peak) in measured.peaks() {
                counters.push_maximum(format!("max live {}", class.name), peak.max.into());
            }
            counters.pressure = Some(measured.report());
        }
        if remark {
            let at = self.pressure.total().at;
            let block = liveness.slots.block_of(at);
            // At the boundary of a block the instruction that is reached first.
            let instr = liveness.slots.instr_at(at).or_else(|| facts.instrs(block).next());
            handles.remark_analysis(PASS, REMARK, block, instr, &measured.remark());
        }
        if knobs::draw_live_ranges() {
            svg::add(&mf.module_name(), mf.number(), svg::draw(&measured, &liveness.ranges, ranges));
        }
    }
}
