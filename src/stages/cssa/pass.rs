//! Binds the stage to LLVM's function: reads its facts, and gives every class one register.
//!
//! **Where.** After LiveVariables and the splitting of edges, right before PHIs are lowered. All
//! members of a class are renamed to one new register, also in PHIs. PHI elimination uses the
//! register of a PHI's class as the incoming one, so an operand or result that already has that
//! name needs no copy ([`SharedRegs`]). Afterwards the function is not in SSA form, as always after
//! PHI elimination. If the function has LiveVariables, they are kept exact for the new registers;
//! if not, those have no kill flags. Debug values of a member are kept where it is live.
//!
//! **Not changed:** functions whose LiveIntervals are kept (`-early-live-intervals`), and functions
//! with landing pads, INLINEASM_BR, bundles or unreachable blocks.

use super::collect::{CssaTarget, DefKind, PhiTarget};
use super::nodes::NodeId;
use super::partition::ClassId;
use super::shared::SharedRegs;
use super::ties::{TiedPair, Ties};
use super::types::{CandidateId, Graph, NodeSegment, Options, TiedDef, MAX_DEPTH};
use super::variables::{StaleKill, Variables};
use super::CssaCoalescing;
use crate::adt::{BitSet, Counters, PackedOption};
use crate::cfg::{Dominators, Loops};
use crate::liveness;
use crate::liveness::live_variables::{GroupVariables, VarInfo};
use crate::liveness::pass::{with_ssa_function, SsaFunction, SsaRanges};
use crate::liveness::slot_index::SlotIndex;
use crate::liveness::Unsuited;
use crate::llvm::{LiveVariables, MachineBasicBlock, MachineFunction, MachineInstr, Run};
use crate::mir::{BlockId, FunctionShape, InstrKind, Operand, RegClassId, Register, VRegId};
use crate::versions::VERSIONS;
use index_vec::IndexVec;
use rustc_hash::{FxHashMap, FxHashSet};

/// The stage with its buffers, kept from function to function.
#[derive(Default)]
pub struct Cssa {
    coalescing: CssaCoalescing,
    dominators: Dominators,
    /// Our own: LLVM's exist only in some pipelines.
    loops: Loops,
    /// The registers that the PHIs name.
    wanted: BitSet,
    reading: Reading,
    variables: Variables,
    group: GroupVariables,
    shared: SharedRegs,
}

/// Buffers for reading a function.
#[derive(Default)]
struct Reading {
    ties: Ties,
    /// The instructions whose ties were read.
    read: FxHashSet<usize>,
    operands: Vec<Operand>,
    groups: Vec<usize>,
    pairs: Vec<TiedPair>,
    range_of: IndexVec<VRegId, PackedOption<RangeId>>,
}

index_vec::define_index_type! {
    /// The live range of a register that is not local to a block.
    struct RangeId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

impl Cssa {
    /// Forgets the previous function: no PHI has a class.
    pub fn clear(&mut self) {
        self.shared.begin(0);
    }
    /// Returns the registers that the last run made, for PHI elimination.
    pub fn shared(&self) -> &SharedRegs {
        &self.shared
    }

    /// Finds classes and renames their members. `as_it_was`: the function has not changed since
    /// LiveVariables.
    pub fn run(
        &mut self,
        run: Run,
        options: Options,
        as_it_was: bool,
        liveness: &liveness::pass::Options,
        counters: &mut Counters,
    ) {
        self.clear();
        if run.lis.is_some() || run.lv.is_none() && VERSIONS.has_variables {
            return;
        }
        let has_odd_entry = |block: MachineBasicBlock| block.is_eh_pad() || block.is_asm_br_target();
        if !run.mf.is_nvptx() || !run.mf.is_ssa() || run.mf.blocks().any(has_odd_entry) {
            return;
        }
        if options.print_before {
            run.mf.print();
        }
        let done = with_ssa_function(run, as_it_was, |mut function| {
            counters.push(("functions that LiveVariables had analysed", u64::from(function.is_analyzed())));
            self.share(run, options, &mut function, liveness)
        });
        match done {
            Ok(()) => report(run.mf, &self.coalescing, options, counters),
            Err(why) => counters.push((why.counters().stock, 1)),
        }
    }

    /// Finds the classes of a function and makes their registers. Live ranges are computed only if
    /// some PHI takes part.
    fn share(
        &mut self,
        run: Run,
        options: Options,
        function: &mut SsaFunction,
        liveness: &liveness::pass::Options,
    ) -> Result<(), Unsuited> {
        let (shape, cfg) = function.graph();
        if cfg.num_reachable != shape.num_blocks() {
            return Err(Unsuited::NotSsa);
        }
        let Cssa { coalescing, dominators, loops, wanted, .. } = self;
        let loop_depths = |out: &mut IndexVec<BlockId, u32>| {
            dominators.compute(cfg);
            loops.compute(cfg, dominators);
            let depth = |block| loops.around(block).take(MAX_DEPTH as usize).count() as u32;
            out.extend(shape.blocks().map(depth));
        };
        if coalescing.read(&mut LlvmPhis { mf: run.mf, shape }, loop_depths, options.scope) {
            wanted.reset(run.mf.num_virt_regs());
            for reg in coalescing.registers() {
                wanted.insert(reg.index());
            }
            let ranges = function.ranges(liveness, |reg| wanted.contains(reg.index()))?;
            self.share_ranges(run, options, &ranges);
        }
        Ok(())
    }

    /// Finds the classes of a function with participating PHIs, and makes their registers.
    fn share_ranges(&mut self, run: Run, options: Options, ranges: &SsaRanges) {
        let Cssa { coalescing, dominators, reading, shared, .. } = self;
        let graph = Graph { slots: &ranges.liveness.slots, dominators };
        let mut phis = LlvmPhis { mf: run.mf, shape: ranges.shape };
        let mut target = LlvmTarget::new(run, ranges, reading);
        coalescing.run(&mut phis, &mut target, graph, options.method);
        shared.begin(coalescing.num_phis);
        let coalescing = &*coalescing;

        let mut renaming = Renaming {
            mf: run.mf,
            lv: run.lv,
            ranges,
            graph,
            coalescing,
            entries: debug_entries(ranges),
            variables: &mut self.variables,
            group: &mut self.group,
        };
        let mut register_of = FxHashMap::default();
        for class in coalescing.classes.shared() {
            let reg = renaming.rename(class);
            let numbers = &ranges.shape.numbers;
            shared.push(
                reg.vreg().expect("it is virtual"),
                renaming.variables.live_in.iter().map(|&block| numbers[block]),
            );
            register_of.insert(class, reg);
            if options.verbosity > 1 {
                let names = coalescing.classes.candidates_of(class);
                let names = names.map(|c| format!("{:?}", coalescing.facts.candidates[c].reg));
                eprintln!("cssa:   %{}: {}", reg.virt_index(), names.collect::<Vec<_>>().join(" "));
            }
        }
        for (id, phi) in coalescing.facts.phis.iter_enumerated() {
            if let Some(&reg) = register_of.get(&coalescing.classes.of_phi(id)) {
                shared.set_incoming(phi.position, reg);
            }
        }
    }
}

/// Counts the shared registers and the remaining copies.
fn report(mf: MachineFunction, coalescing: &CssaCoalescing, options: Options, counters: &mut Counters) {
    let CssaCoalescing { facts, classes, .. } = coalescing;
    let shared = classes.shared().count() as u64;
    let members = classes.shared().map(|class| classes.candidates_of(class).count() as u64).sum();
    let left_out = facts.left_out;
    let phis = facts.phis.len() as u64 + left_out.phis;
    let sources = facts.sources.len() as u64 + left_out.copies - left_out.phis;
    let is_source_copied = |&source: &_| classes.is_source_copied(facts, source);
    let is_result_copied = |&phi: &_| classes.is_result_copied(facts, phi);
    let source_copies = facts.sources.indices().filter(is_source_copied).count() as u64;
    let source_copies = source_copies + left_out.copies - left_out.phis;
    let result_copies = facts.phis.indices().filter(is_result_copied).count() as u64 + left_out.phis;
    if options.verbosity > 0 {
        let copies = source_copies + result_copies;
        let name = mf.name();
        eprintln!("cssa: {name}: {phis} PHIs, {shared} classes of {members} registers, {copies} copies");
    }
    counters.extend([
        ("registers shared", shared),
        ("registers that share one", members),
        ("copies of operands needed", source_copies),
        ("copies of operands not needed", sources - source_copies),
        ("copies of results needed", result_copies),
        ("copies of results not needed", phis - result_copies),
        ("pairs of classes that interfere", classes.counts.interfering),
        ("pairs of classes not tested", classes.counts.untested),
        ("PHIs of webs left to the coalescer", left_out.phis),
    ]);
}

/// Maps instructions to their entries, if the function has debug values.
fn debug_entries(ranges: &SsaRanges) -> FxHashMap<usize, u32> {
    let mut entries = FxHashMap::default();
    let slots = &ranges.liveness.slots;
    if ranges.handles.has_debug_instrs() {
        for block in slots.blocks() {
            let all = slots.start(block).entry() + 1..slots.end(block).entry();
            entries.extend(all.map(|e| (ranges.handles.instr(e).key(), e)));
        }
    }
    entries
}

/// Changes LLVM's function and its LiveVariables.
struct Renaming<'a, 'f> {
    mf: MachineFunction<'f>,
    lv: Option<LiveVariables<'f>>,
    ranges: &'a SsaRanges<'a, 'f>,
    graph: Graph<'a>,
    coalescing: &'a CssaCoalescing,
    /// By instruction: its entry, if there are debug values.
    entries: FxHashMap<usize, u32>,
    /// LiveVariables of the class that was renamed last.
    variables: &'a mut Variables,
    group: &'a mut GroupVariables,
}

impl Renaming<'_, '_> {
    /// Renames the members of a class to one new register, and returns it.
    fn rename(&mut self, class: ClassId) -> Register {
        let CssaCoalescing { facts, classes, .. } = self.coalescing;
        let (mf, handles) = (self.mf, self.ranges.handles);
        self.variables.compute(facts, self.graph, classes, class);
        let member = |candidate: CandidateId| Register::from(facts.candidates[candidate].reg);
        if let Some(lv) = self.lv {
            for &StaleKill { candidate, entry } in &self.variables.stale {
                lv.remove_killed(member(candidate), handles.instr(entry));
            }
        }
        let first = classes.candidates_of(class).next().expect("a shared class has a register");
        let reg = mf.new_reg_like(member(first));
        if let Some(lv) = self.lv {
            self.fill_variables(lv, reg);
        }
        for candidate in classes.candidates_of(class) {
            if !self.entries.is_empty() {
                self.drop_debug_uses(member(candidate), classes.nodes.of_candidate(candidate));
            }
            match self.lv {
                Some(lv) => lv.clear(member(candidate)),
                None => mf.clear_kills(member(candidate)),
            }
            mf.replace_reg(member(candidate), reg);
        }
        reg
    }

    /// Fills LiveVariables of the new register of a class.
    fn fill_variables(&mut self, lv: LiveVariables, reg: Register) {
        let numbers = &self.ranges.shape.numbers;
        let group = &mut *self.group;
        group.alive.clear();
        group.alive.extend(self.variables.alive.iter().map(|&block| numbers[block].raw()));
        group.kills.clone_from(&self.variables.kills);
        group.infos.clear();
        group.infos.push(VarInfo {
            reg: reg.virt_index() as u32,
            first_alive: 0,
            num_alive: group.alive.len() as u32,
            first_kill: 0,
            num_kills: group.kills.len() as u32,
        });
        lv.fill(self.ranges.handles, &group.infos, &group.alive, &group.kills);
    }

    /// Removes a member from debug values where it is not live, as the new register holds another
    /// value there.
    fn drop_debug_uses(&self, reg: Register, node: NodeId) {
        let debug: Vec<_> = self.mf.reg_operands(reg).filter(|o| o.operand.is_debug()).collect();
        for o in debug {
            let mut before = std::iter::successors(o.instr.prev(), |mi| mi.prev());
            let entry = before.find_map(|mi| self.entries.get(&mi.key()));
            let nodes = &self.coalescing.classes.nodes;
            let is_live = entry.is_some_and(|e| nodes.is_live(node, SlotIndex(e << 2).dead()));
            if !is_live {
                o.instr.set_reg(o.index, Register::NONE);
            }
        }
    }
}

/// Answers the questions about PHIs from LLVM's function.
struct LlvmPhis<'a, 'f> {
    mf: MachineFunction<'f>,
    shape: &'a FunctionShape,
}

impl PhiTarget for LlvmPhis<'_, '_> {
    fn num_virt_regs(&mut self) -> usize {
        self.mf.num_virt_regs()
    }
    fn num_blocks(&mut self) -> usize {
        self.shape.num_blocks()
    }
    fn phi_operands(&mut self, block: BlockId, out: &mut Vec<Operand>) {
        self.mf.block_numbered(self.shape.numbers[block]).phi_operands(out);
    }
    fn block_of_operand(&mut self, operand: Operand) -> BlockId {
        self.shape.block_numbered(operand.block_number())
    }
    fn def_kind(&mut self, reg: VRegId) -> DefKind {
        match self.mf.def(reg.into()).map(|def| def.kind) {
            None => DefKind::Missing,
            Some(InstrKind::Phi) => DefKind::Phi,
            Some(InstrKind::ImplicitDef) => DefKind::ImplicitDef,
            Some(_) => DefKind::Other,
        }
    }
    fn is_read_by_code(&mut self, reg: VRegId) -> bool {
        let operands = self.mf.reg_operands(reg.into());
        let mut reads = operands.filter(|o| o.operand.reads() && !o.operand.is_debug());
        reads.any(|o| o.instr.kind() != InstrKind::Phi)
    }
    fn reg_class(&mut self, reg: VRegId) -> Option<RegClassId> {
        self.mf.class_id(reg.into()).map(RegClassId::from_usize)
    }
}

/// Answers the questions about live ranges from LLVM's function.
struct LlvmTarget<'a, 'f> {
    run: Run<'f>,
    ranges: &'a SsaRanges<'a, 'f>,
    reading: &'a mut Reading,
}

impl<'a, 'f> LlvmTarget<'a, 'f> {
    fn new(run: Run<'f>, ranges: &'a SsaRanges<'a, 'f>, reading: &'a mut Reading) -> Self {
        reading.ties.clear();
        reading.read.clear();
        reading.range_of.clear();
        reading.range_of.resize(run.mf.num_virt_regs(), PackedOption::NONE);
        for (id, range) in ranges.ranges.ranges.iter().enumerate() {
            reading.range_of[ranges.ranges.owner(range)] = RangeId::from_usize(id).into();
        }
        LlvmTarget { run, ranges, reading }
    }
    fn block(&self, block: BlockId) -> MachineBasicBlock<'f> {
        self.run.mf.block_numbered(self.ranges.shape.numbers[block])
    }
}

impl CssaTarget for LlvmTarget<'_, '_> {
    fn copy_slot(&mut self, block: BlockId) -> SlotIndex {
        let slots = &self.ranges.liveness.slots;
        let (start, end) = (slots.start(block), slots.end(block));
        let Some(first) = self.block(block).first_terminator() else { return end.prev() };
        let is_first = |&entry: &u32| self.ranges.handles.instr(entry) == first;
        let entry = (start.entry() + 1..end.entry()).rev().find(is_first);
        SlotIndex(entry.expect("a terminator has an entry") << 2)
    }
    fn copied(&mut self, reg: VRegId) -> Option<VRegId> {
        let mf = self.run.mf;
        copied(mf, mf.def(reg.into())?.instr)
    }
    fn tied_def(&mut self, reg: VRegId) -> TiedDef {
        let Reading { ties, read, operands, groups, pairs, .. } = &mut *self.reading;
        let Some(def) = self.run.mf.def(reg.into()) else { return TiedDef::None };
        let mi = def.instr;
        if read.insert(mi.key()) {
            mi.read_operands(operands);
            pairs.clear();
            mi.for_each_tied_use(mi.facts().is_inline_asm(), operands, groups, |source, result| {
                pairs.push(TiedPair { source, result });
            });
            ties.add(operands, pairs);
        }
        ties.of(reg)
    }
    fn live_range(&mut self, reg: VRegId, out: &mut Vec<NodeSegment>) -> SlotIndex {
        let SsaRanges { liveness, ranges, .. } = self.ranges;
        let Some(id) = self.reading.range_of[reg].get() else {
            assert!(liveness.facts.is_local(reg), "the range of each other register that PHIs name is there");
            let segment = liveness.facts.last[reg].segment();
            out.push(NodeSegment { start: segment.start, end: segment.end });
            return segment.start;
        };
        let range = &ranges.ranges[id.index()];
        let segments = ranges.segments(range).iter();
        out.extend(segments.map(|segment| NodeSegment { start: segment.start, end: segment.end }));
        ranges.values(range)[0]
    }
}

/// Returns the register that an instruction copies, if it copies the whole of it to the whole of
/// another register of its class.
fn copied(mf: MachineFunction, mi: MachineInstr) -> Option<VRegId> {
    if !mi.facts().is_copy() {
        return None;
    }
    let [dst, src] = [mi.operand(0), mi.operand(1)];
    let is_same = dst.is_whole() && src.is_whole() && mf.class_id(dst.reg()) == mf.class_id(src.reg());
    src.vreg().filter(|_| is_same)
}
