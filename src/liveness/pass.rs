//! The two passes: facts are read, liveness is computed, LLVM's analysis is filled.
//!
//! **Source.** `LiveVariables::analyze`, `LiveIntervals::analyze`. **Deviation:** what is not suited is left to
//! the stock pass, function by function, and counted ([`Unsuited`]); nothing has been changed by then.

use super::live_variables::{FlagEdit, LiveVariables};
use super::pressure_report::PressureReport;
use super::slot_index::{HostSlots, Slot, SlotIndex};
use super::values::Occurrences;
use super::{Liveness, Unsuited};
use crate::knobs;
use crate::llvm::{FunctionReader, Handles, LlvmHost, Outcome, RegMask, Run};
use crate::mir::{FunctionFacts, Kind, Operand, Register};
use crate::stats::Counters;

/// LiveVariables.
#[derive(Default)]
pub struct LiveVariablesPass {
    reader: FunctionReader,
    slots: HostSlots,
    liveness: Liveness,
    result: LiveVariables,
}

impl LiveVariablesPass {
    /// Fills `run.lv`, and sets kill and dead flags.
    pub fn run(&mut self, run: Run, counters: &mut Counters) -> Outcome {
        outcome(self.fill(run, counters), counters)
    }

    fn fill(&mut self, run: Run, counters: &mut Counters) -> Result<(), Unsuited> {
        let lv = run.lv.expect("the shim passes the analysis");
        if !run.mf.is_ssa() {
            return Err(Unsuited::NotSsa);
        }
        let (facts, handles) = self.reader.read(run.mf);
        let mut host = LlvmHost::new(handles, &facts.by_number, None, &mut self.slots);
        self.liveness.analyze(facts, knobs::fast_compile(), &mut host)?;
        self.liveness.live_variables(facts, &mut self.result)?;
        lv.fill(handles, &self.result);
        self.result.flag_edits(facts, |edit| match edit {
            FlagEdit::Kill(instr, index, kill) => handles.instr(instr as usize).set_kill(index as usize, kill),
            FlagEdit::Dead(instr, reg) => handles.instr(instr as usize).add_register_dead(reg),
        });
        counters.extend([
            ("registers", self.result.infos.len() as u64),
            ("registers live across blocks", self.liveness.num_global()),
            ("kills", self.result.kills.len() as u64),
        ]);
        Ok(())
    }
}

/// LiveIntervals.
#[derive(Default)]
pub struct LiveIntervalsPass {
    reader: FunctionReader,
    slots: HostSlots,
    liveness: Liveness,
    masks: Vec<RegMask>,
    mask_blocks: Vec<[u32; 2]>,
    pressure: PressureReport,
}

impl LiveIntervalsPass {
    /// Fills `run.lis`, takes kill flags away and sets dead flags.
    pub fn run(&mut self, run: Run, counters: &mut Counters) -> Outcome {
        outcome(self.fill(run, counters), counters)
    }

    fn fill(&mut self, run: Run, counters: &mut Counters) -> Result<(), Unsuited> {
        let lis = run.lis.expect("the shim passes the analysis");
        let analyses = run.slots_and_dominators.ok_or(Unsuited::Slots)?;
        let (facts, handles) = self.reader.read(run.mf);
        if run.mf.subreg_liveness_enabled() && facts.operands.iter().any(names_part) {
            return Err(Unsuited::SubRegisters);
        }
        let liveness = &mut self.liveness;
        let mut host = LlvmHost::new(handles, &facts.by_number, Some(analyses), &mut self.slots);
        liveness.analyze(facts, knobs::fast_compile(), &mut host)?;
        host.read_slots(liveness.slots.num_entries())?;
        liveness.live_intervals(facts, &mut host)?;
        let num_intervals = liveness.ranges.ranges.len();
        register_units(liveness, facts, handles, &mut host)?;
        register_masks(liveness, facts, handles, &mut self.masks, &mut self.mask_blocks);

        lis.fill(
            handles,
            analyses,
            &self.slots,
            &liveness.ranges,
            num_intervals,
            &self.masks,
            &self.mask_blocks,
        );
        self.pressure.report(handles, facts, liveness, num_intervals, &self.slots, counters);
        clear_kills(facts, handles);
        for range in &liveness.ranges.ranges[..num_intervals] {
            let reg = Register::virt(range.owner);
            let mut dead = false;
            for def in liveness.ranges.dead_defs(range) {
                let instr = liveness.slots.instr_at(def).expect("a def is an instruction's");
                handles.instr(instr).add_register_dead(reg);
                dead = true;
            }
            if dead && range.num_values > 1 {
                lis.split_components(reg);
            }
        }
        counters.extend([
            ("intervals", num_intervals as u64),
            ("registers live across blocks", liveness.num_global()),
            ("segments", liveness.ranges.segments.len() as u64),
            ("values", liveness.ranges.values.len() as u64),
        ]);
        Ok(())
    }
}

fn outcome(result: Result<(), Unsuited>, counters: &mut Counters) -> Outcome {
    match result {
        Ok(()) => Outcome::Unchanged,
        Err(why) => {
            counters.push((why.counter(), 1));
            Outcome::Delegate
        }
    }
}

impl Unsuited {
    fn counter(self) -> &'static str {
        match self {
            Unsuited::UseWithoutDef => "left to the stock pass: use without def",
            Unsuited::NotSsa => "left to the stock pass: not SSA",
            Unsuited::SubRegisters => "left to the stock pass: sub-registers",
            Unsuited::Bundles => "left to the stock pass: bundles",
            Unsuited::Slots => "left to the stock pass: slots",
        }
    }
}

fn names_part(op: &Operand) -> bool {
    op.is_reg() && op.reg().is_virtual() && op.subreg() != 0
}

/// LiveIntervals has no use for kill flags; they are set anew behind register allocation.
fn clear_kills(facts: &FunctionFacts, handles: Handles) {
    for i in 0..facts.num_instrs() {
        for (index, op) in facts.operands(i).iter().enumerate() {
            if op.is_use() && op.is_kill() && op.reg().is_virtual() && !op.is_debug() {
                handles.instr(i).set_kill(index, false);
            }
        }
    }
}

/// The units that are live into the entry or a landing pad, as LLVM computes them ahead of time. All
/// others it computes when they are asked for.
fn register_units(
    liveness: &mut Liveness,
    facts: &FunctionFacts,
    handles: Handles,
    host: &mut LlvmHost,
) -> Result<(), Unsuited> {
    // (unit, def slot) in the order of discovery.
    let mut live_in: Vec<(u32, SlotIndex)> = Vec::new();
    for block in 0..facts.num_blocks() {
        if block == 0 || handles.is_eh_pad(block) {
            let start = liveness.slots.start(block);
            handles.for_each_live_in_unit(block, |unit| live_in.push((unit, start)));
        }
    }
    let mut units: Vec<u32> = Vec::new();
    for &(unit, _) in &live_in {
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    for unit in units {
        let defs = live_in.iter().filter(|u| u.0 == unit).map(|u| u.1).collect();
        let mut occurrences = Occurrences { defs, uses: Vec::new() };
        let regs = handles.unit_registers(unit);
        for &reg in &regs {
            host.append_chain(reg, &liveness.slots, &mut occurrences, (true, false), |_, _, _| {})?;
        }
        // Of reserved registers only the defs count.
        if !handles.unit_is_reserved(unit) {
            for &reg in &regs {
                host.append_chain(reg, &liveness.slots, &mut occurrences, (false, true), |mi, index, op| {
                    if op.is_use() && op.is_kill() {
                        mi.set_kill(index, false);
                    }
                })?;
            }
        }
        liveness.resolve_unit(facts, unit, occurrences, host)?;
    }
    Ok(())
}

/// Register masks in layout order, and which of them are each block's (by number).
fn register_masks(
    liveness: &Liveness,
    facts: &FunctionFacts,
    handles: Handles,
    masks: &mut Vec<RegMask>,
    blocks: &mut Vec<[u32; 2]>,
) {
    masks.clear();
    blocks.clear();
    blocks.resize(facts.by_number.len(), [0, 0]);
    for block in 0..facts.num_blocks() {
        let first = masks.len() as u32;
        let start = liveness.slots.start(block);
        handles.begin_masks(block, |bits| masks.push(RegMask { slot: start.0, bits }));
        let mut entry = start.entry();
        for i in facts.instrs(block) {
            if facts.instr_flags[i] & FunctionFacts::IN_BUNDLE != 0 {
                continue; // LLVM looks at the heads of bundles
            }
            entry += 1;
            for (index, op) in facts.operands(i).iter().enumerate() {
                if op.kind() == Kind::RegMask {
                    let slot = SlotIndex::new(entry, Slot::Register).0;
                    masks.push(RegMask { slot, bits: handles.instr(i).reg_mask(index) });
                }
            }
        }
        handles.end_mask(block, |bits| masks.push(RegMask { slot: SlotIndex::new(entry, Slot::Register).0, bits }));
        blocks[facts.numbers[block] as usize] = [first, masks.len() as u32 - first];
    }
}
