//! The stage on LLVM's function: reads it, and gives every class its register.
//!
//! **Where.** Behind LiveVariables and the splitting of edges, right before PHIs are lowered. All names of a class's members
//! become those of one new register, PHIs' included, and PHI elimination takes the register of a PHI's class as its
//! incoming one: an operand or result that has that name already needs no copy ([`Cssa::incoming`]). From there on the
//! function is not in SSA form, as always behind PHI elimination. LiveVariables is kept exact for the new
//! registers; debug values of a member stay where that is live.
//!
//! **Left as they are:** functions whose LiveIntervals are kept (`-early-live-intervals`), with landing pads, INLINEASM_BR,
//! bundles or blocks that cannot be reached; PHIs of undefined values or of no use; operands that are parts of registers, undefined,
//! or defined by terminators.

use super::classes::Kind;
use super::ties::Ties;
use super::variables::Variables;
use super::{mark_useful, Candidate, Cssa, Graph, Method, Phi, Source, NONE};
use crate::cfg::graph::Dominators;
use crate::liveness::live_variables::{GroupVariables, VarInfo};
use crate::liveness::pass::{with_ssa_ranges, SsaRanges};
use crate::liveness::slot_index::SlotIndex;
use crate::llvm::{LiveVariables, MachineBasicBlock, MachineFunction, MachineInstr, Run, What};
use crate::mir::{Operand, Register};
use crate::plugin::knobs;
use crate::plugin::stats::Counters;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A chain of COPYs is not followed any further than this.
const MOST_COPIES: usize = 64;

/// No candidate.
const UNSUITED: u32 = NONE - 1;

#[derive(Default)]
pub(super) struct Buffers {
    dominators: Dominators,
    operands: Vec<Operand>,
    /// By virtual register: its range among those that are not local; the candidate; the PHI.
    range_of: Vec<u32>,
    candidate_of: Vec<u32>,
    phi_of: Vec<u32>,
    /// By virtual register, the number of its value.
    value_of: Vec<u32>,
    variables: Variables,
    ties: Ties,
    group: GroupVariables,
    /// By PHI of the function, the register of its class, if it has one.
    incoming: Vec<Register>,
    /// The first register that was made for a class.
    first_shared: usize,
    /// By register made, the numbers of the blocks that it is live into, ascending: in `live_in`.
    live_in_rows: Vec<Range<usize>>,
    live_in: Vec<u32>,
}

/// A PHI as it was read: its position in the function and its operands.
struct Read {
    index: usize,
    block: u32,
    operands: Range<usize>,
}

impl Cssa {
    /// Forgets the function before: no PHI has a class.
    pub fn clear(&mut self) {
        self.run.incoming.clear();
        self.run.live_in_rows.clear();
        self.run.first_shared = usize::MAX;
    }

    /// Finds classes and renames their members.
    pub fn run(&mut self, run: Run, method: Method, counters: &mut Counters) {
        self.clear();
        let Some(lv) = run.lv.filter(|_| run.lis.is_none()) else { return };
        if !run.mf.is_nvptx() || !run.mf.is_ssa() || run.mf.blocks().any(is_odd) {
            return;
        }
        if knobs::dump_before_cssa() {
            run.mf.print();
        }
        let done = with_ssa_ranges(run.mf, |ranges| self.share(run, lv, method, &ranges, counters));
        if let Err(why) = done {
            counters.push((why.counter(), 1));
        }
    }

    /// The register that the values of a PHI meet in, if it has a class.
    pub fn incoming(&self, phi: u32) -> Option<Register> {
        self.run.incoming.get(phi as usize).copied().filter(|&reg| reg != Register::NONE)
    }

    /// Where a register of a class is live in; none if it is no such register.
    fn live_in_row(&self, reg: Register) -> Option<&Range<usize>> {
        self.run.live_in_rows.get(reg.virt_index().checked_sub(self.run.first_shared)?)
    }
    /// Whether it is the register of a class.
    pub fn is_shared_register(&self, reg: Register) -> bool {
        self.live_in_row(reg).is_some()
    }

    /// Whether a register of a class is live out of blocks, given by number; false if it is no such register.
    pub fn live_out(&self, mf: MachineFunction, reg: Register, blocks: &[u32], out: &mut Vec<bool>) -> bool {
        let Some(row) = self.live_in_row(reg) else { return false };
        let live_in = &self.run.live_in[row.clone()];
        out.clear();
        out.extend(blocks.iter().map(|&block| {
            let mut succs = mf.block_numbered(block).successors();
            succs.any(|s| live_in.binary_search(&s.number()).is_ok())
        }));
        true
    }

    fn share(
        &mut self,
        run: Run,
        lv: LiveVariables,
        method: Method,
        ranges: &SsaRanges,
        counters: &mut Counters,
    ) {
        self.read(run, ranges);
        self.run.dominators.compute(&ranges.liveness.cfg);
        let dominators = std::mem::take(&mut self.run.dominators);
        let graph =
            Graph { slots: &ranges.liveness.slots, dominators: &dominators, succs: &ranges.shape.succs };
        self.classes.compute(&self.function, graph, method);
        let (mut shared, mut members) = (0, 0);
        self.run.first_shared = run.mf.num_virt_regs();
        self.run.live_in.clear();
        let entries = self.debug_entries(ranges);
        let classes: Vec<u32> = self.classes.all().filter(|&c| self.is_shared(c)).collect();
        let mut register_of = FxHashMap::default();
        for class in classes {
            let reg = self.rename(run.mf, lv, graph, ranges, class, &entries);
            register_of.insert(class, reg);
            shared += 1;
            members += self.candidates_of(class).count() as u64;
            if knobs::cssa_verbosity() > 1 {
                let names =
                    self.candidates_of(class).map(|c| format!("%{}", self.function.candidates[c].reg));
                eprintln!("cssa:   %{}: {}", reg.virt_index(), names.collect::<Vec<_>>().join(" "));
            }
        }
        for (i, phi) in self.function.phis.iter().enumerate() {
            if let Some(&reg) = register_of.get(&self.classes.of_phi(i)) {
                self.run.incoming[phi.index] = reg;
            }
        }
        self.run.dominators = dominators;
        let f = &self.function;
        let is_copied = |s: usize| self.classes.is_copied(s as u32, f.sources[s].candidate);
        let copies = (0..f.sources.len()).filter(|&s| is_copied(s)).count() as u64;
        let results = (0..f.phis.len()).filter(|&p| {
            f.phis[p].result == NONE || self.classes.of_candidate(f.phis[p].result) != self.classes.of_phi(p)
        });
        let results = results.count() as u64;
        let counts = self.classes.counts;
        if knobs::cssa_verbosity() > 0 {
            eprintln!(
                "cssa: {}: {} PHIs, {shared} classes of {members} registers, {} copies",
                run.mf.name(),
                f.phis.len(),
                copies + results
            );
        }
        counters.extend([
            ("registers shared", shared),
            ("registers that share one", members),
            ("copies of operands needed", copies),
            ("copies of operands not needed", f.sources.len() as u64 - copies),
            ("copies of results needed", results),
            ("copies of results not needed", f.phis.len() as u64 - results),
            ("pairs of classes that interfere", counts.interfering),
            ("pairs of classes not tested", counts.untested),
        ]);
    }

    fn candidates_of(&self, class: u32) -> impl Iterator<Item = usize> + '_ {
        self.classes.list(class).iter().filter_map(|&n| match self.classes.nodes[n as usize].kind {
            Kind::Register(i) => Some(i as usize),
            _ => None,
        })
    }

    /// Whether a class has a PHI and a register.
    fn is_shared(&self, class: u32) -> bool {
        let kinds = || self.classes.list(class).iter().map(|&n| self.classes.nodes[n as usize].kind);
        kinds().any(|k| matches!(k, Kind::Phi(_))) && kinds().any(|k| matches!(k, Kind::Register(_)))
    }

    /// Gives the members of a class one register; which.
    fn rename(
        &mut self,
        mf: MachineFunction,
        lv: LiveVariables,
        graph: Graph,
        ranges: &SsaRanges,
        class: u32,
        entries: &FxHashMap<usize, u32>,
    ) -> Register {
        let mut variables = std::mem::take(&mut self.run.variables);
        variables.compute(&self.function, graph, &self.classes, class);
        let member = |i: usize| Register::virt(self.function.candidates[i].reg);
        for &(i, entry) in &variables.stale {
            lv.remove_killed(member(i as usize), ranges.handles.instr(entry));
        }
        let first = self.candidates_of(class).next().expect("a class of PHIs alone is not shared");
        let reg = mf.new_reg_like(member(first));
        let numbers = &ranges.shape.numbers;
        let group = &mut self.run.group;
        group.alive.clear();
        group.alive.extend(variables.alive.iter().map(|&b| numbers[b as usize]));
        group.kills.clone_from(&variables.kills);
        group.infos.clear();
        group.infos.push(VarInfo {
            reg: reg.virt_index() as u32,
            first_alive: 0,
            num_alive: group.alive.len() as u32,
            first_kill: 0,
            num_kills: group.kills.len() as u32,
        });
        lv.fill(ranges.handles, group);
        for i in self.candidates_of(class) {
            if !entries.is_empty() {
                self.drop_debug_uses(mf, class, i, entries);
            }
            lv.clear(member(i));
            mf.replace_reg(member(i), reg);
        }
        let first = self.run.live_in.len();
        self.run.live_in.extend(variables.live_in.iter().map(|&b| numbers[b as usize]));
        self.run.live_in[first..].sort_unstable();
        self.run.live_in_rows.push(first..self.run.live_in.len());
        self.run.variables = variables;
        reg
    }

    /// Debug values that name a member where it is not live would find another one.
    fn drop_debug_uses(&self, mf: MachineFunction, class: u32, i: usize, entries: &FxHashMap<usize, u32>) {
        let reg = Register::virt(self.function.candidates[i].reg);
        let debug: Vec<_> = mf.reg_operands(reg).filter(|o| o.operand.is_debug()).collect();
        let is_it = |n: &&u32| self.classes.nodes[**n as usize].kind == Kind::Register(i as u32);
        let node = self.classes.list(class).iter().find(is_it).expect("a member has a node");
        for o in debug {
            let mut before = std::iter::successors(o.instr.prev(), |mi| mi.prev());
            let entry = before.find_map(|mi| entries.get(&mi.key()));
            let is_live = entry.is_some_and(|e| self.classes.is_live(*node, SlotIndex(e << 2).dead()));
            if !is_live {
                o.instr.set_reg(o.index, Register::NONE);
            }
        }
    }

    /// From instructions to their entries, in a function with debug values.
    fn debug_entries(&self, ranges: &SsaRanges) -> FxHashMap<usize, u32> {
        let mut entries = FxHashMap::default();
        let slots = &ranges.liveness.slots;
        if ranges.handles.has_debug_instrs() {
            for block in 0..slots.num_blocks() {
                let all = slots.start(block).entry() + 1..slots.end(block).entry();
                entries.extend(all.map(|e| (ranges.handles.instr(e).key(), e)));
            }
        }
        entries
    }

    /// Fills in `self.function`.
    fn read(&mut self, run: Run, ranges: &SsaRanges) {
        let (mf, shape) = (run.mf, ranges.shape);
        let Cssa { function: f, run: b, .. } = self;
        f.clear();
        b.ties.clear();
        let num_regs = mf.num_virt_regs();
        for buffer in [&mut b.range_of, &mut b.candidate_of, &mut b.phi_of, &mut b.value_of] {
            buffer.clear();
            buffer.resize(num_regs, NONE);
        }
        for (i, range) in ranges.ranges.ranges.iter().enumerate() {
            b.range_of[range.owner as usize] = i as u32;
        }
        f.ends.resize(shape.num_blocks(), SlotIndex(u32::MAX));
        f.weights.resize(shape.num_blocks(), 0);
        b.operands.clear();
        let (mut read, mut operands) = (Vec::new(), Vec::new());
        let mut num_phis = 0;
        for (block, mbb) in mf.blocks().enumerate() {
            f.weights[block] = run.loops.map_or(0, |loops| loops.depth(mbb));
            mbb.phi_operands(&mut operands);
            for phi in operands.chunk_by(|_, next| !next.is_def()) {
                let sources = phi[1..].chunks_exact(2).map(|pair| pair[0]);
                if !sources.into_iter().all(|s| is_undefined(mf, s)) {
                    b.phi_of[phi[0].reg().virt_index()] = read.len() as u32;
                    let first = b.operands.len();
                    b.operands.extend_from_slice(phi);
                    read.push(Read {
                        index: num_phis,
                        block: block as u32,
                        operands: first..b.operands.len(),
                    });
                }
                num_phis += 1;
            }
        }
        b.incoming.resize(num_phis, Register::NONE);
        drop_useless(mf, &mut read, &b.operands, &mut b.phi_of);
        for r in &read {
            for pair in b.operands[r.operands.clone()][1..].chunks_exact(2) {
                let pred = shape.by_number[pair[1].block_number() as usize] as usize;
                if f.ends[pred] == SlotIndex(u32::MAX) {
                    f.ends[pred] = end_of(mf.block_numbered(pair[1].block_number()), ranges, pred);
                }
            }
        }
        let operands = std::mem::take(&mut b.operands);
        // By block, the PHI that it was a predecessor of last.
        let mut seen = vec![usize::MAX; shape.num_blocks()];
        for r in read {
            let phi = &operands[r.operands];
            let result = self.candidate(mf, ranges, phi[0]);
            let first = self.function.sources.len();
            for pair in phi[1..].chunks_exact(2) {
                let pred = shape.by_number[pair[1].block_number() as usize];
                if std::mem::replace(&mut seen[pred as usize], r.index) == r.index {
                    continue; // the same value over a second edge
                }
                let candidate = self.candidate(mf, ranges, pair[0]);
                self.function.sources.push(Source { pred, candidate });
            }
            self.function.phis.push(Phi {
                index: r.index,
                block: r.block,
                result,
                sources: first as u32..self.function.sources.len() as u32,
                class: mf.class_id(phi[0].reg()).map_or(NONE, |c| c as u32),
            });
        }
        self.run.operands = operands;
    }

    /// The candidate of an operand of a PHI, or [`NONE`].
    fn candidate(&mut self, mf: MachineFunction, ranges: &SsaRanges, operand: Operand) -> u32 {
        if !operand.is_virtual() || operand.subreg() != 0 || operand.is_undef() {
            return NONE;
        }
        let reg = operand.reg().virt_index();
        if self.run.candidate_of[reg] == NONE {
            let new = self.new_candidate(mf, ranges, reg as u32);
            self.run.candidate_of[reg] = new.unwrap_or(UNSUITED);
        }
        Some(self.run.candidate_of[reg]).filter(|&c| c != UNSUITED).unwrap_or(NONE)
    }

    fn new_candidate(&mut self, mf: MachineFunction, ranges: &SsaRanges, reg: u32) -> Option<u32> {
        let instr = mf.def(Register::virt(reg))?;
        let phi = self.run.phi_of[reg as usize];
        if instr.what == What::ImplicitDef || instr.what == What::Phi && phi == NONE {
            return None;
        }
        let class = mf.class_id(Register::virt(reg))?;
        let f = &mut self.function;
        let first = f.segments.len();
        let start = match self.run.range_of[reg as usize] {
            NONE => {
                let segment = ranges.liveness.facts.last[reg as usize].segment();
                f.segments.push((segment.start, segment.end));
                segment.start
            }
            range => {
                let range = &ranges.ranges.ranges[range as usize];
                f.segments.extend(ranges.ranges.segments(range).iter().map(|s| (s.start, s.end)));
                ranges.ranges.values(range)[0]
            }
        };
        let slots = &ranges.liveness.slots;
        let is_at_end = f.ends[slots.block_of(start)] <= start;
        let is_dead = f.segments[first..] == [(start, start.dead())];
        if is_at_end || is_dead {
            f.segments.truncate(first);
            return None;
        }
        // To liveness PHIs are instructions one behind the other.
        let def = match phi {
            NONE => start,
            _ => slots.start(slots.block_of(start)),
        };
        f.segments[first..].iter_mut().filter(|s| s.0 == start).for_each(|s| s.0 = def);
        let candidate = f.candidates.len() as u32;
        let value = self.value(mf, reg, candidate);
        let copied = copied(mf, instr.instr).map_or(NONE, |src| src.virt_index() as u32);
        let partner = if phi == NONE { self.run.ties.partner(instr.instr, reg) } else { None };
        let f = &mut self.function;
        let segments = first as u32..f.segments.len() as u32;
        f.candidates.push(Candidate { reg, def, segments, value, copied, class: class as u32, phi, partner });
        Some(candidate)
    }

    /// The number of the value of `reg`; `new` if it has none yet.
    fn value(&mut self, mf: MachineFunction, reg: u32, new: u32) -> u32 {
        let mut root = Register::virt(reg);
        let mut instr = mf.def(root).map(|def| def.instr);
        for _ in 0..MOST_COPIES {
            let Some(copied) = instr.and_then(|mi| copied(mf, mi)) else { break };
            root = copied;
            instr = mf.def(root).map(|def| def.instr);
        }
        let value = &mut self.run.value_of[root.virt_index()];
        if *value == NONE {
            *value = new;
        }
        *value
    }
}

/// Control comes in or leaves in the middle of a block.
fn is_odd(block: MachineBasicBlock) -> bool {
    block.is_eh_pad() || block.is_asm_br_target()
}

/// Whether a PHI's operand has no value, as PHI elimination sees it.
fn is_undefined(mf: MachineFunction, source: Operand) -> bool {
    source.is_undef() || mf.def(source.reg()).is_none_or(|def| def.what == What::ImplicitDef)
}

/// The register that all of is copied to all of another one of its class.
fn copied(mf: MachineFunction, mi: MachineInstr) -> Option<Register> {
    if !mi.facts().is_copy() {
        return None;
    }
    let [dst, src] = [mi.operand(0), mi.operand(1)];
    let is_whole = |op: Operand| op.is_virtual() && op.subreg() == 0 && !op.is_undef();
    let is_same = is_whole(dst) && is_whole(src) && mf.class_id(dst.reg()) == mf.class_id(src.reg());
    is_same.then(|| src.reg())
}

/// Leaves the PHIs of use, numbered anew: `phi_of`, by register.
fn drop_useless(mf: MachineFunction, read: &mut Vec<Read>, operands: &[Operand], phi_of: &mut [u32]) {
    let result = |r: &Read| operands[r.operands.start].reg();
    let is_read = |r: &Read| {
        let mut all = mf.reg_operands(result(r)).filter(|o| o.operand.reads() && !o.operand.is_debug());
        all.any(|o| o.instr.what() != What::Phi)
    };
    let mut useful: Vec<bool> = read.iter().map(is_read).collect();
    mark_useful(&mut useful, |phi, out| {
        let sources = operands[read[phi].operands.clone()][1..].iter().step_by(2);
        let defined = sources.filter(|s| !s.is_undef());
        let of_phis = defined.map(|s| phi_of[s.reg().virt_index()]).filter(|&p| p != NONE);
        out.extend(of_phis);
    });
    let mut at = 0;
    let mut kept = 0;
    read.retain(|r| {
        let is_useful = useful[at];
        phi_of[result(r).virt_index()] = if is_useful { kept } else { NONE };
        at += 1;
        kept += u32::from(is_useful);
        is_useful
    });
}

/// Where copies at the end of a block are put: before the first terminator.
fn end_of(mbb: MachineBasicBlock, ranges: &SsaRanges, block: usize) -> SlotIndex {
    let slots = &ranges.liveness.slots;
    let (start, end) = (slots.start(block), slots.end(block));
    let Some(first) = mbb.first_terminator() else { return end.prev() };
    let is_first = |&entry: &u32| ranges.handles.instr(entry) == first;
    let entry = (start.entry() + 1..end.entry()).rev().find(is_first);
    SlotIndex(entry.expect("a terminator has an entry") << 2)
}
