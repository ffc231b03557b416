//! Holds the rules that the checker applies, its questions to the target, and its findings.

use super::program::Program;
use crate::adt::Counters;

/// Answers the checker's questions to the target.
pub trait CheckerTarget {
    /// The index of part `b` of part `a`, 0 if there is none; neither is 0.
    fn compose(&self, a: u32, b: u32) -> u32;
    /// The lanes of a part.
    fn lanes(&self, sub: u32) -> u64;
    /// Lanes of a part, in the whole.
    fn compose_lanes(&self, sub: u32, lanes: u64) -> u64;
    /// Lanes of the whole, in a part.
    fn reverse_compose_lanes(&self, sub: u32, lanes: u64) -> u64;
    /// How many indices there are, 0 included.
    fn num_indices(&self) -> u32;
    /// The name of an opcode.
    fn opcode_name(&self, opcode: u32) -> String;
    /// Whether two operands of the instruction at `key`, which is there behind the pass, can be swapped.
    fn commutes(&self, key: usize, a: usize, b: usize) -> bool;
}

/// The changes that a pass may make.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Have the target make other instructions of tied ones.
    pub target_rewrites: bool,
    /// Its output has the same register in tied operands, whatever its input has.
    pub makes_ties: bool,
    /// It keeps kill flags.
    pub kills: bool,
    /// It changes code, not flags alone.
    pub code: bool,
}

/// Why something was not proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotChecked {
    /// The target has made another instruction of one.
    Rewritten,
    /// Branches of a block one of whose edges was split.
    SplitEdge,
    /// Insides of a bundle.
    Bundle,
    /// An instruction that names physical registers has moved.
    MovedPhysical,
    /// Parts of registers without a common index.
    Shapes,
    /// Kill flags that were wrong before.
    Kills,
}

impl NotChecked {
    const ALL: [(NotChecked, &'static str); 6] = [
        (NotChecked::Rewritten, "not checked: instructions rewritten by the target"),
        (NotChecked::SplitEdge, "not checked: branches of blocks with split edges"),
        (NotChecked::Bundle, "not checked: bundles"),
        (NotChecked::MovedPhysical, "not checked: moved instructions with physical registers"),
        (NotChecked::Shapes, "not checked: overlapping parts of registers"),
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
    /// The instruction behind the pass.
    pub instr: Option<u32>,
    /// The one before it, if it is gone, and its block.
    pub lost: Option<(u32, u32)>,
    /// Its operand.
    pub operand: Option<usize>,
    /// What the operand reads.
    pub found: String,
    /// What it read before.
    pub wanted: String,
    /// What is wrong, if it is no operand.
    pub what: String,
}

impl Failure {
    pub(super) fn cfg(what: String) -> Failure {
        Failure { what, ..Failure::default() }
    }
    pub(super) fn at(instr: u32, what: String) -> Failure {
        Failure { instr: Some(instr), what, ..Failure::default() }
    }
    pub(super) fn lost(instr: u32, block: u32) -> Failure {
        let what = "an instruction that has effects is gone".into();
        Failure { lost: Some((instr, block)), what, ..Failure::default() }
    }
    /// In words. `text` is what an instruction behind the pass looks like.
    pub fn text<T: CheckerTarget>(
        &self,
        b: &Program,
        a: &Program,
        target: &T,
        text: impl Fn(usize) -> String,
    ) -> String {
        let mut out = String::new();
        if let Some(i) = self.instr {
            let number = a.numbers[a.block_of(i) as usize];
            out += &format!("bb.{number}, instruction '{}': ", text(a.instr(i).key).trim());
            if let Some(op) = self.operand.and_then(|k| a.operands(i).get(k)).filter(|op| op.is_virtual()) {
                out += &format!("%{} ", op.reg().virt_index());
            }
        }
        if let Some((m, block)) = self.lost {
            let name = target.opcode_name(b.instr(m).opcode);
            out += &format!("bb.{}, {name}: ", b.numbers[block as usize]);
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
