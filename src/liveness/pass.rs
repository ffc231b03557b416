//! Runs LiveVariables and LiveIntervals: reads the function, computes liveness, and fills LLVM's
//! analysis.
//!
//! **Source.** `LiveVariables::analyze`, `LiveIntervals::analyze`. **Deviation:** a function that
//! is not suited is left to the stock pass and counted ([`Unsuited`]). By then nothing has changed
//! except flags that the stock pass sets itself.

use super::live_variables::{FlagEdit, GroupVariables, Sink};
use super::llvm_host::LlvmHost;
use super::phys_regs::PhysRegs;
use super::ranges::{self, LiveRanges};
use super::slot_index::{HostSlots, Slot, SlotIndex, SlotIndexes};
use super::values::Occurrences;
use super::{Liveness, Unsuited};
use crate::adt::Counters;
use crate::cfg::Cfg;
use crate::llvm::{
    edit_flags, FunctionReader, Handles, LiveIntervals, LiveVariables, MachineFunction, Outcome, RegMask,
    Run, SlotsAndDominators, EDITS_AT_ONCE,
};
use crate::mir::{
    is_large, FunctionFacts, FunctionShape, InstrFlags, InstrId, RegUnit, Register, VRegId, ValueNo,
};
use std::cell::RefCell;

/// The options of both passes.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Liveness is computed only for passes that cannot do without it, and the dataflow is
    /// bypassed.
    pub fast_compile: bool,
    /// Small functions bypass the dataflow (requirement L6).
    pub bypass: bool,
    /// The LLVM arguments of our passes for the function that do without LiveVariables under
    /// `fast_compile`, PHI elimination first.
    pub without_variables: [Option<&'static str>; 2],
    /// This module computes LiveIntervals for the function, not LLVM's pass.
    pub replaces_intervals: bool,
    /// The LLVM arguments of our coalescers for the function and of our passes after them. They
    /// need no LLVM intervals.
    pub without_intervals: [Option<&'static str>; 3],
    /// Both analyses are printed or compared with LLVM's, so they must be complete.
    pub is_shown: bool,
    /// `verify-coalescing`
    pub verify_coalescing: bool,
    /// `early-live-intervals`
    pub early_live_intervals: bool,
    /// `enable-misched`, if the command line gives it
    pub machine_scheduler: Option<bool>,
}

impl Options {
    /// Returns whether a pass with this argument is a coalescer of ours, or a pass of ours after
    /// it.
    fn is_our_coalescer(&self, argument: &str) -> bool {
        self.without_intervals.contains(&Some(argument))
    }
}

/// Reads all live ranges at the end of LiveIntervals.
pub trait RangesReader {
    /// Returns whether it reads the ranges of `mf`.
    fn reads(&self, mf: MachineFunction) -> bool;
    /// Reads the ranges of a function that has blocks, if [`RangesReader::reads`] returned true.
    /// Nothing can fail afterwards.
    fn read(&mut self, all: AllRanges, counters: &mut Counters);
}

/// The live ranges of a function and the facts that they were computed from.
pub struct AllRanges<'r, 'f> {
    /// Its instructions and blocks.
    pub handles: Handles<'r, 'f>,
    /// Blocks and edges.
    pub shape: &'r FunctionShape,
    /// Slots and graph.
    pub liveness: &'r Liveness,
    /// The ranges of all registers.
    pub ranges: &'r LiveRanges,
    /// LLVM's numbers of the slots.
    pub host_slots: &'r HostSlots,
}

/// The buffers of one run. Both passes use the same ones, because fresh memory is slow. There are
/// as many workspaces as there were ever runs active at the same time.
#[derive(Default)]
struct Workspace {
    reader: FunctionReader,
    slots: HostSlots,
    /// By entry: LLVM's own SlotIndex.
    slot_bits: Vec<u64>,
    liveness: Liveness,
    group: GroupVariables,
    edits: Vec<FlagEdit>,
    phys_regs: PhysRegs,
    whole: FunctionFacts,
    /// The ranges of all registers that are not local, if they are needed.
    kept: LiveRanges,
    /// Registers whose ranges may have disconnected parts.
    split: Vec<VRegId>,
    dead: Vec<(SlotIndex, VRegId)>,
    /// The function for which a pass has left results for the next one, see [`with_intervals`],
    /// [`with_graph`] and [`with_ssa_function`].
    left: Option<Left>,
    mask_blocks: Vec<[u32; 2]>,
}

/// Identifies a function: its address, and how many registers it has.
type FunctionKey = (usize, usize);

/// The function that the last pass has run on.
struct Left {
    key: FunctionKey,
    results: Results,
}

/// Tells which results a pass has left in the workspace for the next pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    /// By LiveVariables: blocks, instructions, and all of `liveness` up to the choice of registers.
    /// Flags have changed.
    Variables,
    /// By LiveIntervals: `whole`, `liveness` and `kept`.
    Intervals,
    /// By LiveIntervals, which has split registers afterwards: nothing.
    None,
    /// By the coalescer: blocks, instructions and graph. The code and the ranges have changed.
    Graph,
}

thread_local! {
    /// Each thread has its own. The pass after LiveIntervals must get the workspace with the
    /// results, and no other workspace may keep results of an earlier function at the same address.
    static WORKSPACES: RefCell<Vec<Workspace>> = const { RefCell::new(Vec::new()) };
}

impl Workspace {
    fn with<T>(f: impl FnOnce(&mut Workspace) -> T) -> T {
        let mut workspace = WORKSPACES.with_borrow_mut(Vec::pop).unwrap_or_default();
        let result = f(&mut workspace);
        if workspace.left.is_none() && is_large(workspace.reader.num_virt_regs()) {
            workspace = Workspace::default();
        }
        WORKSPACES.with_borrow_mut(|w| w.push(workspace));
        result
    }
}

/// Runs LiveVariables: fills `run.lv`, and sets kill and dead flags. `known` is an up-to-date
/// reading of the function.
pub fn live_variables(
    run: Run,
    options: &Options,
    known: Option<(&mut FunctionReader, &FunctionFacts)>,
    counters: &mut Counters,
) -> Outcome {
    let done = Workspace::with(|w| w.live_variables(run, options, known, counters));
    outcome(done, counters)
}

/// Runs LiveIntervals: fills `run.lis`, clears kill flags, sets dead flags, and hands all ranges to
/// `reader`.
pub fn live_intervals(
    run: Run,
    options: &Options,
    reader: &mut dyn RangesReader,
    counters: &mut Counters,
) -> Outcome {
    let coalescer_is_next = run.readers().next().is_some_and(|r| options.is_our_coalescer(&r));
    let fill = is_read(run, options);
    if options.fast_compile && !fill && !reader.reads(run.mf) {
        Workspace::with(|w| w.left = None);
        counters.push(("functions left out", 1));
        return Outcome::Unchanged;
    }
    let keep = coalescer_is_next && !options.fast_compile;
    let request = Request { fill, keep, ranges_reader: Some(reader) };
    let done = Workspace::with(|w| w.live_intervals(run, options, request, counters));
    outcome(done, counters)
}

/// Fills `run.lis` for a stock pass that takes over after all.
///
/// # Errors
/// The same as those of LiveIntervals.
pub fn fill_intervals(run: Run, options: &Options) -> Result<(), Unsuited> {
    let request = Request { fill: true, keep: false, ranges_reader: None };
    Workspace::with(|w| w.live_intervals(run, options, request, &mut Counters::default()))
}

/// Live intervals, and the facts that they were computed from.
pub struct Intervals<'r, 'f> {
    /// The function.
    pub facts: &'r mut FunctionFacts,
    /// Its instructions and blocks.
    pub handles: Handles<'r, 'f>,
    /// LLVM's slots, by entry. The user may take them.
    pub host_slots: &'r mut Vec<u64>,
    /// Slots, graph, dominators, and the ranges of local registers. The user may free all but the
    /// graph.
    pub liveness: &'r mut Liveness,
    /// The ranges of the other registers. The user may take them.
    pub ranges: &'r mut LiveRanges,
}

/// How [`with_intervals`] treats LLVM's intervals, and what it leaves.
#[derive(Clone, Copy, Debug)]
pub struct IntervalsRequest {
    /// The ranges must be those that LLVM has. If passes may have updated them, they are not
    /// recomputed.
    pub as_llvm: bool,
    /// Blocks, instructions and graph stay here for the next pass, see [`with_graph`].
    pub keep_graph: bool,
}

/// Calls `f` with the live intervals of all virtual registers. If LiveIntervals was the pass just
/// before, it has left them here and nothing is computed twice.
///
/// # Errors
/// When they cannot be computed here. Then nothing has changed.
pub fn with_intervals<T>(
    run: Run,
    options: &Options,
    request: IntervalsRequest,
    f: impl FnOnce(Intervals) -> T,
) -> Result<T, Unsuited> {
    Workspace::with(|w| {
        let result = w.with_intervals(run, options, request, f)?;
        if request.keep_graph {
            if is_large(w.reader.num_virt_regs()) {
                w.keep_graph();
            }
            // The user may have made registers.
            w.left = Some(Left { key: w.key(run), results: Results::Graph });
        }
        Ok(result)
    })
}

/// Blocks, instructions and graph of a function.
pub struct FunctionGraph<'r, 'f> {
    /// Blocks and edges.
    pub shape: &'r FunctionShape,
    /// Its instructions and blocks, as they were read.
    pub handles: Handles<'r, 'f>,
    /// The graph and the dominators. Slots and ranges are outdated.
    pub liveness: &'r Liveness,
}

/// Calls `f` with what [`with_intervals`] left in the pass just before. `None` if it left nothing.
pub fn with_graph<T>(run: Run, f: impl FnOnce(FunctionGraph) -> T) -> Option<T> {
    Workspace::with(|w| {
        let key = w.key(run);
        w.left.take().filter(|left| left.key == key && left.results == Results::Graph)?;
        let (shape, code) = w.reader.again(run.mf);
        Some(f(FunctionGraph { shape, handles: code.handles(), liveness: &w.liveness }))
    })
}

impl Workspace {
    fn with_intervals<T>(
        &mut self,
        run: Run,
        options: &Options,
        request: IntervalsRequest,
        f: impl FnOnce(Intervals) -> T,
    ) -> Result<T, Unsuited> {
        let w = self;
        let key = w.key(run);
        let left = w.left.take().filter(|left| left.key == key);
        let left = left.filter(|left| matches!(left.results, Results::Intervals | Results::None));
        if left.is_none() && request.as_llvm && may_be_updated(run, options) {
            return Err(Unsuited::Updated);
        }
        let known = left.is_some_and(|left| left.results == Results::Intervals);
        let Workspace { reader, slots, slot_bits, liveness, whole, kept, .. } = w;
        let analyses = run.slots_and_dominators.ok_or(Unsuited::Slots)?;
        let (shape, mut code) = if known { reader.again(run.mf) } else { reader.read(run.mf, false) };
        if !known {
            code.read_whole(shape, whole);
        }
        let handles = code.handles();
        let mut host = LlvmHost::new(run.mf, shape, Some(analyses), slots);
        if !known {
            liveness.no_bypass = !options.bypass;
            liveness.analyze(shape, &mut &*whole, options.fast_compile, &mut host)?;
            host.read_slots(handles, liveness.slots.num_entries(), slot_bits)?;
            kept.clear();
            liveness.live_intervals(shape, &mut host, kept)?;
            if let Some(lis) = run.lis.filter(|lis| lis.is_filled()) {
                host.read_numbers();
                number_as_llvm(kept, lis, analyses, slots);
            }
            host = LlvmHost::new(run.mf, shape, Some(analyses), slots);
        }
        liveness.need_dominators(&mut host);
        Ok(f(Intervals { facts: whole, handles, host_slots: slot_bits, liveness, ranges: kept }))
    }
}

/// Live ranges of a function in SSA form.
pub struct SsaRanges<'r, 'f> {
    /// Blocks and edges.
    pub shape: &'r FunctionShape,
    /// Its instructions and blocks.
    pub handles: Handles<'r, 'f>,
    /// Slots, graph, and the ranges of local registers.
    pub liveness: &'r Liveness,
    /// The ranges of the other registers that are wanted.
    pub ranges: &'r LiveRanges,
}

/// A function in SSA form whose blocks were read. Its live ranges are computed on request.
pub struct SsaFunction<'w, 'f> {
    mf: MachineFunction<'f>,
    workspace: &'w mut Workspace,
    /// LiveVariables has left its analysis of the function.
    is_analyzed: bool,
}

/// Calls `f` with the blocks of a function in SSA form. If LiveVariables was the pass just before,
/// and the function is still `as_it_was` then, nothing is read or computed twice. Changes neither
/// the function nor any analysis.
pub fn with_ssa_function<'f, T>(
    run: Run<'f>,
    as_it_was: bool,
    f: impl FnOnce(SsaFunction<'_, 'f>) -> T,
) -> T {
    Workspace::with(|w| {
        let key = w.key(run);
        let left = w.left.take().filter(|left| left.key == key && left.results == Results::Variables);
        let is_analyzed = left.is_some() && as_it_was;
        if !is_analyzed {
            let (shape, _) = w.reader.read(run.mf, false);
            w.liveness.cfg.compute(&shape.succs);
        }
        f(SsaFunction { mf: run.mf, workspace: w, is_analyzed })
    })
}

impl<'f> SsaFunction<'_, 'f> {
    /// Returns whether LiveVariables has left its analysis.
    pub fn is_analyzed(&self) -> bool {
        self.is_analyzed
    }
    /// Returns the blocks and edges.
    pub fn graph(&mut self) -> (&FunctionShape, &Cfg) {
        (self.workspace.reader.again(self.mf).0, &self.workspace.liveness.cfg)
    }

    /// Computes the live ranges of the virtual registers that are wanted.
    ///
    /// # Errors
    /// When the function has several defs of a register, unreachable blocks, or bundles.
    pub fn ranges(
        &mut self,
        options: &Options,
        is_wanted: impl FnMut(VRegId) -> bool,
    ) -> Result<SsaRanges<'_, 'f>, Unsuited> {
        let Workspace { reader, slots, liveness, kept, .. } = &mut *self.workspace;
        let (shape, mut code) = reader.again(self.mf);
        if !self.is_analyzed {
            let mut host = LlvmHost::new(self.mf, shape, None, slots);
            liveness.no_bypass = !options.bypass;
            liveness.analyze(shape, &mut code, options.fast_compile, &mut host)?;
        }
        if liveness.cfg.num_reachable != shape.num_blocks() || !liveness.facts.many_defs.is_empty() {
            return Err(Unsuited::NotSsa);
        }
        if liveness.facts.instr_flags.is_in_bundle() {
            return Err(Unsuited::Bundles);
        }
        kept.clear();
        liveness.ranges_of(is_wanted, kept);
        Ok(SsaRanges { shape, handles: code.into_handles(), liveness, ranges: kept })
    }
}

/// The parts of LiveIntervals that not every run needs.
struct Request<'a> {
    /// LLVM's analysis is filled.
    fill: bool,
    /// The function and its intervals stay here for the next pass, see [`with_intervals`].
    keep: bool,
    /// Reads all ranges.
    ranges_reader: Option<&'a mut dyn RangesReader>,
}

impl Workspace {
    /// Frees all but the blocks, the instructions and the graph.
    fn keep_graph(&mut self) {
        self.liveness.keep_graph();
        let (reader, liveness) = (std::mem::take(&mut self.reader), std::mem::take(&mut self.liveness));
        *self = Workspace { reader, liveness, ..Workspace::default() };
    }

    fn key(&self, run: Run) -> FunctionKey {
        (run.mf.address(), run.mf.num_virt_regs())
    }

    fn live_variables(
        &mut self,
        run: Run,
        options: &Options,
        known: Option<(&mut FunctionReader, &FunctionFacts)>,
        counters: &mut Counters,
    ) -> Result<(), Unsuited> {
        self.left = None;
        if !are_variables_read(run, options) {
            counters.push(("functions left out", 1));
            return Ok(());
        }
        let Workspace { reader, slots, liveness, group, edits, phys_regs, whole, .. } = self;
        let lv = run.lv.expect("the shim passes the analysis");
        if !run.mf.is_ssa() {
            return Err(Unsuited::NotSsa);
        }
        liveness.no_bypass = !options.bypass;
        let known = known.map(|(reading, facts)| {
            // It holds the handles of the instructions, and a later pass may go on with them.
            std::mem::swap(reader, reading);
            facts
        });
        let (shape, mut code) =
            if known.is_some() { reader.again(run.mf) } else { reader.read(run.mf, false) };
        let mut host = LlvmHost::new(run.mf, shape, None, slots);
        match known {
            Some(facts) => liveness.analyze(shape, &mut &*facts, options.fast_compile, &mut host)?,
            None => liveness.analyze(shape, &mut code, options.fast_compile, &mut host)?,
        }
        edits.clear();
        let mut filling = FillVariables { lv, handles: code.handles(), edits, num_edits: 0 };
        lv.begin_filling(filling.handles, liveness.facts.local_registers(), liveness.facts.num_phis as usize);
        liveness.live_variables(shape, group, &mut filling)?;
        filling.flush();
        let num_edits = filling.num_edits;
        if liveness.facts.instr_flags.has_any(InstrFlags::PHYSICAL) {
            // Must come after the edits, which name operands by the index that was read.
            code.read_whole(shape, whole);
            phys_regs.run(whole, &liveness.cfg, code.handles());
        }
        if run.readers().next().is_some_and(|next| options.without_variables[0] == Some(&next)) {
            self.left = Some(Left { key: self.key(run), results: Results::Variables });
        }
        counters.extend([
            ("registers live across blocks", self.liveness.facts.globals.len() as u64),
            ("flags changed", num_edits),
            ("functions that a stage had read", u64::from(known.is_some())),
        ]);
        counters.extend(self.liveness.dataflow_counts());
        Ok(())
    }

    fn live_intervals(
        &mut self,
        run: Run,
        options: &Options,
        request: Request,
        counters: &mut Counters,
    ) -> Result<(), Unsuited> {
        let Request { fill, keep, ranges_reader } = request;
        self.left = None;
        let key = self.key(run);
        let Workspace { reader, slots, slot_bits, liveness, whole, kept, split, dead, mask_blocks, .. } =
            self;
        let lis = run.lis.expect("the shim passes the analysis");
        let analyses = run.slots_and_dominators.ok_or(Unsuited::Slots)?;
        // Clears kill flags. The stock pass, should it get the function after all, does not use
        // them either.
        let (shape, mut code) = reader.read(run.mf, true);
        let mut host = LlvmHost::new(run.mf, shape, Some(analyses), slots);
        liveness.no_bypass = !options.bypass;
        if keep {
            code.read_whole(shape, whole);
            liveness.analyze(shape, &mut &*whole, options.fast_compile, &mut host)?;
        } else {
            liveness.analyze(shape, &mut code, options.fast_compile, &mut host)?;
        }
        if run.mf.subreg_liveness_enabled() && liveness.facts.instr_flags.has_any(InstrFlags::SUBREG) {
            return Err(Unsuited::SubRegisters);
        }
        let handles = code.handles();
        host.read_slots(handles, liveness.slots.num_entries(), slot_bits)?;
        lis.connect(handles, analyses);
        if fill {
            lis.fill_local(host.slot_bits(), liveness.facts.local_registers());
        }
        let ranges_reader = ranges_reader.filter(|reader| reader.reads(run.mf));
        kept.clear();
        if keep {
            // The coalescer appends the local registers.
            kept.reserve(shape.num_virt_regs);
        }
        dead.clear();
        split.clear();
        let mut filling = FillIntervals {
            lis: fill.then_some(lis),
            handles,
            slots: host.slot_bits(),
            split,
            dead,
            kept: (keep || ranges_reader.is_some()).then_some(kept),
        };
        filling.local_registers(liveness);
        liveness.live_intervals(shape, &mut host, &mut filling)?;
        resolve_live_in_units(liveness, shape, handles, &mut host)?;
        // Nothing fails from here on. A function must not be reported on and then go to the stock
        // pass.
        if let Some(reader) = ranges_reader.filter(|_| shape.num_blocks() > 0) {
            host.read_numbers();
            liveness.append_local(kept);
            reader.read(AllRanges { handles, shape, liveness, ranges: kept, host_slots: slots }, counters);
        }
        if fill {
            lis.fill_units(slot_bits, &liveness.unit_ranges);
            fill_reg_masks(lis, slot_bits, shape, &liveness.slots, handles, mask_blocks);
        }
        self.finish_intervals(run, lis, keep.then_some(key));
        counters.extend([
            ("registers live across blocks", self.liveness.facts.globals.len() as u64),
            ("registers with several values", self.liveness.facts.many_defs.len() as u64),
            ("functions filled into LLVM's analysis", u64::from(fill)),
        ]);
        counters.extend(self.liveness.dataflow_counts());
        Ok(())
    }

    /// Splits the ranges that have disconnected parts. With `kept_key`, the key of the function
    /// when it was read, keeps the results for the next pass.
    fn finish_intervals(&mut self, run: Run, lis: LiveIntervals, kept_key: Option<FunctionKey>) {
        for &reg in &self.split {
            lis.split_components(reg.into());
        }
        let Some(key) = kept_key else { return };
        for &(at, reg) in &self.dead {
            set_dead(&mut self.whole, &self.liveness.slots, at, reg.into());
        }
        // Splitting a range makes new registers.
        let key_now = self.key(run);
        let results = if key_now == key { Results::Intervals } else { Results::None };
        self.left = Some(Left { key: key_now, results });
    }
}

/// Computes the ranges of the units that are live into the entry or a landing pad. LLVM computes
/// these at once, and all others when a pass asks for them.
fn resolve_live_in_units(
    liveness: &mut Liveness,
    shape: &FunctionShape,
    handles: Handles,
    host: &mut LlvmHost,
) -> Result<(), Unsuited> {
    let mut live_in: Vec<(RegUnit, SlotIndex)> = Vec::new();
    for block in shape.blocks().filter(|block| block.index() == 0 || handles.is_eh_pad(block.index())) {
        let start = liveness.slots.start(block);
        live_in.extend(
            handles.live_in_units(block.index()).into_iter().map(|unit| (RegUnit::from_raw(unit), start)),
        );
    }
    let mut units: Vec<RegUnit> = Vec::new();
    for &(unit, _) in &live_in {
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    for unit in units {
        let defs = live_in.iter().filter(|u| u.0 == unit).map(|u| u.1).collect();
        let mut occurrences = Occurrences { defs, uses: Vec::new() };
        host.unit_occurrences(unit, &liveness.slots, &mut occurrences)?;
        liveness.resolve_unit(shape, unit, &occurrences, host)?;
    }
    Ok(())
}

/// Fills LLVM's LiveVariables, and changes flags.
struct FillVariables<'r, 'f> {
    lv: LiveVariables<'f>,
    handles: Handles<'r, 'f>,
    edits: &'r mut Vec<FlagEdit>,
    num_edits: u64,
}

impl FillVariables<'_, '_> {
    /// Makes the changes of flags that are waiting.
    fn flush(&mut self) {
        edit_flags(self.handles, self.edits);
        self.num_edits += self.edits.len() as u64;
        self.edits.clear();
    }
}

impl Sink for FillVariables<'_, '_> {
    fn group(&mut self, group: &GroupVariables) {
        self.lv.fill(self.handles, &group.infos, &group.alive, &group.kills);
    }
    fn edit(&mut self, edit: FlagEdit) {
        self.edits.push(edit);
        if self.edits.len() == EDITS_AT_ONCE {
            self.flush();
        }
    }
}

/// Fills LLVM's LiveIntervals with all registers that are not local, and sets dead flags.
struct FillIntervals<'r, 'f> {
    /// `None` if no later pass reads it.
    lis: Option<LiveIntervals<'f>>,
    handles: Handles<'r, 'f>,
    slots: &'r [u64],
    /// Registers with several values, one of which is not read: the values may be disconnected.
    split: &'r mut Vec<VRegId>,
    /// Dead defs: the slot and the register.
    dead: &'r mut Vec<(SlotIndex, VRegId)>,
    /// Gets all ranges, if they are needed later.
    kept: Option<&'r mut LiveRanges>,
}

impl FillIntervals<'_, '_> {
    /// Sets the dead flags of local registers.
    fn local_registers(&mut self, liveness: &Liveness) {
        liveness.for_each_local(|reg, piece| {
            if piece.end == piece.start.dead() {
                self.set_dead(piece.start, reg);
            }
        });
    }
    fn set_dead(&mut self, def: SlotIndex, reg: VRegId) {
        self.handles.instr(def.entry()).add_register_dead(reg.into());
        self.dead.push((def, reg));
    }
}

impl ranges::Sink for FillIntervals<'_, '_> {
    fn ranges(&mut self, ranges: &LiveRanges) {
        if let Some(lis) = self.lis {
            lis.fill_registers(self.slots, ranges);
        }
        for range in &ranges.ranges {
            let mut dead = false;
            for def in ranges.dead_defs(range) {
                self.set_dead(def, ranges.owner(range));
                dead = true;
            }
            if dead && range.num_values > 1 {
                self.split.push(ranges.owner(range));
            }
        }
        if let Some(kept) = &mut self.kept {
            kept.append(ranges);
        }
    }
}

/// Flags the defs of `reg` at `at` as dead in `facts`, as in LLVM's function.
fn set_dead(facts: &mut FunctionFacts, slots: &SlotIndexes, at: SlotIndex, reg: Register) {
    let instr = InstrId::from_raw(at.entry() - slots.block_of(at).raw() - 1);
    for op in facts.operands_mut(instr).iter_mut().filter(|op| op.is_def() && op.reg() == reg) {
        *op = op.with_dead(true);
    }
}

/// Numbers values as LLVM's intervals do. A register that LiveIntervals has split off keeps the
/// order of values that it had. If recomputed, the values would have the order of the register's
/// own chain.
fn number_as_llvm(
    ranges: &mut LiveRanges,
    lis: LiveIntervals,
    analyses: SlotsAndDominators,
    slots: &HostSlots,
) {
    let (mut theirs, mut ours, mut number, mut by_entry) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for range in ranges.ranges.iter().filter(|r| r.num_values > 1) {
        lis.value_defs(analyses, VRegId::from_raw(range.owner).into(), &mut theirs);
        let values = &mut ranges.values[range.first_value as usize..][..range.num_values as usize];
        if theirs.len() != values.len() {
            continue;
        }
        ours.clear();
        ours.extend_from_slice(values);
        number.clear();
        by_entry.clear();
        by_entry.extend(theirs.iter().enumerate().map(|(n, &at)| (slots.entry_of(at), n as u32)));
        by_entry.sort_unstable();
        let find = |def: &SlotIndex| by_entry.binary_search_by_key(&Some(def.entry()), |v| v.0);
        number.extend(ours.iter().map_while(|def| find(def).ok().map(|i| by_entry[i].1)));
        if number.len() != ours.len() {
            continue;
        }
        for (def, &n) in ours.iter().zip(&number) {
            values[n as usize] = *def;
        }
        for s in &mut ranges.segments[range.first_segment as usize..][..range.num_segments as usize] {
            s.value = ValueNo::from_raw(number[s.value.index()]);
        }
    }
}

/// Returns whether passes may have updated LLVM's intervals since they were computed. The intervals
/// may then be wider than new ones, and a pass has to use them. That is so if LiveIntervals runs
/// here and has not left its results, or if `early-live-intervals` is on. It is not so if the pass
/// manager has computed the intervals for this pass.
fn may_be_updated(run: Run, options: &Options) -> bool {
    !run.intervals_are_new && (options.replaces_intervals || options.early_live_intervals)
}

/// Returns whether LLVM's LiveVariables is read by a later pass that cannot do without it.
fn are_variables_read(run: Run, options: &Options) -> bool {
    let does_without = |reader: &str| options.without_variables.iter().flatten().any(|pass| *pass == reader);
    !options.fast_compile || options.is_shown || run.readers().any(|reader| !does_without(&reader))
}

/// Returns whether any later pass reads LLVM's intervals. If so, all of them are filled in, because
/// a pass may ask which registers have one.
fn is_read(run: Run, options: &Options) -> bool {
    let reads = |reader: &str| match reader {
        // It is always in the pipeline, but does nothing unless it is enabled.
        "machine-scheduler" => {
            options.machine_scheduler.unwrap_or_else(|| run.mf.machine_scheduler_enabled())
        }
        reader => !options.is_our_coalescer(reader),
    };
    options.is_shown || options.verify_coalescing || run.readers().any(|reader| reads(&reader))
}

/// Fills in the register masks of instructions and at the ends of blocks, in order; `by_number` is
/// a buffer.
fn fill_reg_masks(
    lis: LiveIntervals,
    slot_bits: &[u64],
    shape: &FunctionShape,
    slots: &SlotIndexes,
    handles: Handles,
    by_number: &mut Vec<[u32; 2]>,
) {
    let mut masks: Vec<RegMask> = Vec::new();
    // By block number: the first mask, and how many there are.
    by_number.clear();
    by_number.resize(shape.num_block_ids(), [0, 0]);
    let mut of_instrs = handles.reg_masks().iter().peekable();
    let mut of_ends = handles.end_masks().iter().peekable();
    for (block, &number) in shape.numbers.iter_enumerated() {
        let (start, end) = (slots.start(block), slots.end(block));
        let first = masks.len() as u32;
        handles.begin_masks(block.index(), |bits| masks.push(RegMask { slot: start.0, bits }));
        while let Some(&(entry, bits)) = of_instrs.next_if(|m| m.0 < end.entry()) {
            masks.push(RegMask { slot: SlotIndex::new(entry, Slot::Register).0, bits });
        }
        if let Some(&(_, bits)) = of_ends.next_if(|m| m.0 == block.raw()) {
            masks.push(RegMask { slot: SlotIndex::new(end.entry() - 1, Slot::Register).0, bits });
        }
        by_number[number.index()] = [first, masks.len() as u32 - first];
    }
    lis.fill_masks(slot_bits, &masks, by_number);
}

fn outcome(result: Result<(), Unsuited>, counters: &mut Counters) -> Outcome {
    match result {
        Ok(()) => Outcome::Unchanged,
        Err(why) => {
            counters.push((why.counters().stock, 1));
            Outcome::Delegate
        }
    }
}
