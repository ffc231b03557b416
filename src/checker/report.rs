//! Holds the rules that the checker applies, its questions to the target, and its findings.

use super::program::Program;
use crate::adt::Counters;
use crate::mir::{BlockNumber, InstrId, VRegId};

/// Answers the checker's questions to the target.
pub trait CheckerTarget {
    /// Returns the index of part `b` of part `a`, 0 if there is none. Neither `a` nor `b` is 0.
    fn compose(&self, a: u32, b: u32) -> u32;
    /// Returns the lanes of a part.
    fn lanes(&self, sub: u32) -> u64;
    /// Maps lanes of a part to those of the whole.
    fn compose_lanes(&self, sub: u32, lanes: u64) -> u64;
    /// Maps lanes of the whole to those of a part.
    fn reverse_compose_lanes(&self, sub: u32, lanes: u64) -> u64;
    /// Counts the indices of parts, 0 included.
    fn num_indices(&self) -> u32;
    /// Returns the name of an opcode.
    fn opcode_name(&self, opcode: u32) -> String;
    /// Returns whether two operands of the instruction at `key`, which is in the program after the
    /// pass, can be swapped.
    fn commutes(&self, key: usize, a: usize, b: usize) -> bool;
}

/// The changes that a pass may make.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The target may replace tied instructions by others.
    pub target_rewrites: bool,
    /// Tied operands must have the same register in its output, even if they do not in its input.
    pub makes_ties: bool,
    /// It keeps kill flags.
    pub kills: bool,
    /// It changes code, not only flags.
    pub code: bool,
}

/// Says why something was not proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotChecked {
    /// The target has replaced the instruction by another.
    Rewritten,
    /// Branches of a block with a split edge.
    SplitEdge,
    /// The insides of a bundle.
    Bundle,
    /// An instruction that names physical registers has moved.
    MovedPhysical,
    /// Parts of registers overlap without a common index.
    NoIndex,
    /// Kill flags that were already wrong before the pass.
    Kills,
}

impl NotChecked {
    const ALL: [(NotChecked, &'static str); 6] = [
        (NotChecked::Rewritten, "not checked: instructions rewritten by the target"),
        (NotChecked::SplitEdge, "not checked: branches of blocks with split edges"),
        (NotChecked::Bundle, "not checked: bundles"),
        (NotChecked::MovedPhysical, "not checked: moved instructions with physical registers"),
        (NotChecked::NoIndex, "not checked: overlapping parts of registers"),
        (NotChecked::Kills, "not checked: kill flags that were wrong before the pass"),
    ];
}

/// Counts the work of the checker.
#[derive(Default, Clone, Copy, Debug)]
pub struct Report {
    pub(super) uses: u64,
    pub(super) goals: u64,
    pub(super) commuted: u64,
    pub(super) not_checked: [u64; NotChecked::ALL.len()],
}

impl Report {
    pub(super) fn not_checked(&mut self, why: NotChecked) {
        self.not_checked[why as usize] += 1;
    }
    /// Adds it to the statistics of the run.
    pub fn count(&self, counters: &mut Counters) {
        counters.extend([("verified operands", self.uses), ("verified pairs across blocks", self.goals)]);
        let more = NotChecked::ALL.iter().map(|&(why, name)| (name, self.not_checked[why as usize]));
        counters.extend(more.filter(|c| c.1 > 0));
    }
}

/// A miscompile.
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The instruction after the pass.
    pub instr: Option<InstrId>,
    /// The instruction before the pass, if it is gone.
    pub lost: Option<InstrId>,
    /// The position of the operand that is wrong.
    pub operand: Option<usize>,
    /// The value that the operand reads.
    pub found: String,
    /// The value that it read before.
    pub wanted: String,
    /// The fault, where it is not the value of an operand.
    pub what: String,
}

impl Failure {
    pub(super) fn cfg(what: String) -> Failure {
        Failure { what, ..Failure::default() }
    }
    pub(super) fn at(instr: InstrId, what: String) -> Failure {
        Failure { instr: Some(instr), what, ..Failure::default() }
    }
    pub(super) fn lost(instr: InstrId) -> Failure {
        let what = "an instruction that has effects is gone".into();
        Failure { lost: Some(instr), what, ..Failure::default() }
    }
    pub(super) fn read_after_kill(instr: InstrId, reg: VRegId) -> Failure {
        Failure::at(instr, format!("{reg} is read after the use that kills it"))
    }
    pub(super) fn killed_but_live_out(block: BlockNumber, reg: VRegId) -> Failure {
        Failure::cfg(format!("{reg} is killed in {block} and read in a later block"))
    }
    /// Puts it in words. `text` prints the instruction after the pass that has this key.
    pub fn text<T: CheckerTarget>(
        &self,
        before: &Program,
        after: &Program,
        target: &T,
        text: impl Fn(usize) -> String,
    ) -> String {
        let mut out = String::new();
        if let Some(i) = self.instr {
            let number = after.numbers[after.block_of(i)];
            out += &format!("{number}, instruction '{}': ", text(after.instr(i).key).trim());
            let operand = self.operand.and_then(|index| after.operands(i).get(index));
            if let Some(reg) = operand.and_then(|op| op.vreg()) {
                out += &format!("{reg} ");
            }
        }
        if let Some(lost) = self.lost {
            let name = target.opcode_name(before.instr(lost).opcode);
            out += &format!("{}, {name}: ", before.numbers[before.block_of(lost)]);
        }
        if self.what.is_empty() {
            out += &format!(
                "(operand {}) reads {}; before the pass it read {}",
                self.operand.unwrap_or_default(),
                self.found,
                self.wanted
            );
        }
        out + &self.what
    }
}
