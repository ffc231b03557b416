//! Two-address instructions: every tied operand pair becomes one register.
//!
//! **Problem.** An instruction may demand that a use and a def are the same register (`A = op B(tied), C`
//! on many targets; a `"+r"` operand or a tied result of inline assembly on NVPTX). SSA has two. Behind
//! this pass both are the same register, by a COPY in front of the instruction unless something cheaper
//! will do; and the pseudos REG_SEQUENCE and INSERT_SUBREG have become COPYs.
//!
//! **Algorithm.** One walk over each block ([`Walk::block`]). For each instruction:
//!
//! 1. REG_SEQUENCE, and an EXTRACT_SUBREG of several pairs, becomes COPYs ([`subregs`], row T4).
//! 2. Copies enter the maps of likely coalescing ([`copy_maps`], row T5).
//! 3. The tied pairs that differ are collected by source register ([`tied`], rows T1, T10); an undefined
//!    source simply becomes the destination.
//! 4. A single pair may be solved without a copy ([`transform`], row T2): commute, move the instruction
//!    below the last use of its source or that use above it, three-address form, unfold a load.
//!    Not when optimisation is off (row T6).
//! 5. What is left gets COPYs, with kill flags, LiveVariables and LiveIntervals kept exact ([`tied`],
//!    row T3).
//! 6. INSERT_SUBREG becomes a COPY to a part of its register.
//!
//! Each COPY of step 5 is told to whoever asks for missed remarks ([`remarks`], row T9). What is kept for
//! LiveVariables with each COPY is in one place, [`live_variables_update`] (row T8). Either analysis may be
//! missing, and LiveIntervals may be there already: LLVM is moving them ahead of this pass.
//!
//! In the `cicc` profile the coalescer is told which registers belong together ([`neighbours`], row T7, and the
//! copy maps): [`TwoAddress::hints`].
//!
//! **Source.** `shared/spec/two-address-instruction.txt`; for byte-identical output
//! `TwoAddressInstructionPass.cpp` of LLVM 17 to 22, whose differences are [`crate::versions::TwoAddress`].
//!
//! **Our deviation.** Ties of an INLINEASM are found in one walk over its operand groups, and the uses
//! of a register by a sorted index, where LLVM scans all operands for each tie: linear (n log n) instead
//! of quadratic for hundreds of tied results. The map from instruction to distance, most of the stock
//! pass's time, is filled only in blocks where it is read. The profiles differ only in the hints and in the
//! EXTRACT_SUBREG of several pairs, which LLVM does not have.
//!
//! **Complexity.** O(operands) for the walk; O(n log n) for an instruction with n operands and ties;
//! each attempt to reschedule looks at 10 instructions at most, as in LLVM.

mod commute;
mod copy_maps;
mod kills;
mod live_variables_update;
mod neighbours;
mod remarks;
mod reschedule;
mod statepoint;
mod subregs;
mod three_address;
mod tied;
mod transform;

use crate::adt::{Counters, DistanceMap};
use crate::llvm::{
    LiveIntervals, LiveVariables, MachineBasicBlock, MachineFunction, MachineInstr, RemarkKind, Run,
};
use crate::mir::{Operand, Register};
use crate::passes::affinity::{Affinity, AffinityHints};
use crate::passes::copy_maps::CopyMaps;
use crate::versions::VERSIONS;
use copy_maps::SeenCopies;
use tied::TiedOperands;

/// The options of the pass.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The `cicc` profile: the coalescer gets hints, and EXTRACT_SUBREGs of several pairs are decomposed.
    pub cicc: bool,
    /// `twoaddr-reschedule`
    pub reschedule: bool,
    /// `dataflow-edge-limit`
    pub dataflow_edge_limit: u32,
}

/// The buffers of the pass, reused from block to block and from function to function.
#[derive(Default)]
pub struct TwoAddress {
    /// How far each visited instruction is from the start of the block.
    distance: DistanceMap,
    /// Copies of the block that the copy maps have seen.
    seen_copies: SeenCopies,
    /// Where the values of virtual registers come from and go to.
    maps: CopyMaps,
    /// The current instruction's tied pairs.
    tied: TiedOperands,
    /// Scratch: operands of an instruction that is looked at.
    operands: Vec<Operand>,
    /// Scratch of [`reschedule`].
    sets: reschedule::Sets,
    /// Scratch of [`neighbours`].
    results: Vec<usize>,
    /// What the coalescer is told of the function that the pass was last at.
    hints: AffinityHints,
}

/// What the pass counts, by function.
#[derive(Default)]
struct Counts {
    two_address: u64,
    copies: u64,
    undef: u64,
    commuted: u64,
    commuted_aggressively: u64,
    converted: u64,
    moved_down: u64,
    moved_up: u64,
    unfolded: u64,
    reg_sequences: u64,
    extract_subregs: u64,
    insert_subregs: u64,
}

/// The pass on one function.
struct Walk<'a, 'f> {
    mf: MachineFunction<'f>,
    lv: Option<LiveVariables<'f>>,
    lis: Option<LiveIntervals<'f>>,
    run: Run<'f>,
    /// Whether anybody wants to know of copies.
    remarks: bool,
    options: Options,
    b: &'a mut TwoAddress,
    block: MachineBasicBlock<'f>,
    /// Instructions visited in this block.
    dist: u32,
    counts: Counts,
}

/// Where the walk is: the instruction, and the one that it goes on with.
struct Cursor<'f> {
    mi: MachineInstr<'f>,
    next: Option<MachineInstr<'f>>,
    /// Whether the instruction is not what it was: commuted, or what is left of one with a load.
    rewritten: bool,
}

impl TwoAddress {
    /// What it has found out for the coalescer, if the function is the one that the pass was last at.
    pub fn hints(&self, mf: MachineFunction) -> Option<&AffinityHints> {
        self.hints.is_of(mf.number()).then_some(&self.hints)
    }

    /// Runs the pass; whether it changed the function.
    pub fn run(&mut self, run: Run, options: Options, counters: &mut Counters) -> bool {
        run.mf.leave_ssa();
        run.mf.set_tied_ops_rewritten();
        self.tied.reset();
        self.hints.begin(run.mf.number());
        let Some(first) = run.mf.blocks().next() else { return false };
        let mut walk = Walk {
            mf: run.mf,
            lv: run.lv,
            lis: run.lis,
            run,
            remarks: run.mf.wants_remarks(RemarkKind::Missed, remarks::PASS),
            options,
            b: self,
            block: first,
            dist: 0,
            counts: Counts::default(),
        };
        let mut changed = false;
        for block in run.mf.blocks() {
            changed |= walk.block(block);
        }
        walk.counts.report(counters);
        self.hints.finish();
        counters.extend([
            ("affinity hints for neighbours", self.hints.count(Affinity::Neighbour)),
            ("affinity hints for copies", self.hints.count(Affinity::Copy)),
        ]);
        changed
    }
}

impl<'f> Walk<'_, 'f> {
    fn block(&mut self, block: MachineBasicBlock<'f>) -> bool {
        self.block = block;
        self.dist = 0;
        self.b.distance.clear();
        self.b.seen_copies.clear();
        self.b.maps.reset(self.mf.num_virt_regs(), self.options.cicc);

        let mut changed = false;
        let mut position = block.first();
        while let Some(mut mi) = position {
            let mut facts = mi.facts();
            position = facts.next;
            if facts.is_debug() {
                continue;
            }
            if facts.is_reg_sequence() {
                mi = self.eliminate_reg_sequence(mi);
                changed |= VERSIONS.two_address.reg_sequence_is_change;
                facts = mi.facts();
            }
            if self.options.cicc && facts.is_extract_subreg() {
                if let Some(first) = self.decompose_extract_subreg(mi) {
                    mi = first;
                    changed = true;
                    facts = mi.facts();
                }
            }
            self.dist += 1;
            self.b.distance.insert(mi.key(), self.dist);
            if facts.is_copy_to_reg() {
                self.process_copy(mi, facts);
            }
            if !facts.has_tied_use() {
                self.forget_clobbered(mi, facts);
                continue;
            }
            changed = true;
            self.counts.two_address += 1;
            self.collect_tied_operands(mi, facts);

            if let Some((src, dst)) = self.b.tied.single_pair() {
                let mut at = Cursor { mi, next: position, rewritten: false };
                let done = self.try_instruction_transform(&mut at, src, dst, false);
                (mi, position) = (at.mi, at.next);
                if done {
                    self.forget_clobbered(mi, mi.facts());
                    continue;
                }
                if at.rewritten {
                    facts = mi.facts();
                    self.b.tied.read(mi);
                }
            }
            if facts.is_statepoint() && self.process_statepoint(mi) {
                continue;
            }
            self.process_tied_operands(mi, facts);
            if facts.is_insert_subreg() {
                self.insert_subreg_to_copy(mi);
                facts = mi.facts();
            }
            self.forget_clobbered(mi, facts);
        }
        self.b.hints.add_copies(self.b.maps.copies());
        changed
    }
}

impl Counts {
    fn report(&self, counters: &mut Counters) {
        counters.extend([
            ("two-address instructions", self.two_address),
            ("copies inserted", self.copies),
            ("undefined uses rewritten", self.undef),
            ("instructions commuted", self.commuted),
            ("instructions commuted aggressively", self.commuted_aggressively),
            ("instructions converted to three-address form", self.converted),
            ("instructions moved below a kill", self.moved_down),
            ("kills moved above an instruction", self.moved_up),
            ("loads unfolded", self.unfolded),
            ("REG_SEQUENCEs eliminated", self.reg_sequences),
            ("EXTRACT_SUBREGs decomposed", self.extract_subregs),
            ("INSERT_SUBREGs turned into copies", self.insert_subregs),
        ]);
    }
}

/// A use of `reg` in `mi` that is tied to a def: the def's register.
fn two_address_use(mi: MachineInstr, reg: Register, operands: &mut Vec<Operand>) -> Option<Register> {
    mi.read_operands(operands);
    let is_tied_use = |op: &Operand| op.is_use() && op.reg() == reg && op.is_tied();
    let index = operands.iter().position(is_tied_use)?;
    Some(operands[mi.tied_def(index)].reg())
}
