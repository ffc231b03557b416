//! Computes where the virtual registers of a PTX function are live.
//!
//! **Problem.** The virtual registers that are live at the same time bound what ptxas can do with
//! few registers. The report draws their number along the code, and a live range for each.
//!
//! **Method.** Backward data flow over basic blocks, one bit per register; then one walk through
//! each block from its end. The registers that an instruction reads and writes follow from its
//! opcode, as in [`ptx::decode`](ptx_emu::ptx::decode). A guarded instruction keeps the old value
//! where its guard is false, so it does not end a live range.
//!
//! **Complexity.** Blocks times registers / 64 for each round; the number of rounds is small, one
//! more than the loop depth.

use ptx_emu::ptx::decode::{decode, Op};
use ptx_emu::ptx::parse::{Function, Instruction, Kind, Operand, Reg};

/// The live ranges of a function.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Liveness {
    /// By instruction, the number of live registers.
    pub pressure: Vec<Pressure>,
    /// By register: the parts of the code where it is live, `[first, last]` instruction.
    pub ranges: Vec<Vec<[u32; 2]>>,
    /// The registers that are live at the peak.
    pub peak: Vec<Reg>,
}

/// The registers that are live at an instruction: before it, or after it including what it writes,
/// whichever is more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pressure {
    /// In registers of 32 bits; one of 64 bits counts as two, one of 16 as one.
    pub words: u32,
    pub predicates: u32,
}

impl Pressure {
    fn of(function: &Function, live: &Set) -> Self {
        let mut pressure = Pressure::default();
        for reg in live.iter() {
            match function.registers[reg].width {
                1 => pressure.predicates += 1,
                width => pressure.words += width.div_ceil(32),
            }
        }
        pressure
    }

    fn max(self, other: Self) -> Self {
        Pressure { words: self.words.max(other.words), predicates: self.predicates.max(other.predicates) }
    }
}

/// Registers, one bit each.
#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn new(registers: usize) -> Self {
        Set(vec![0; registers.div_ceil(64)])
    }

    fn insert(&mut self, reg: Reg) {
        self.0[reg / 64] |= 1 << (reg % 64);
    }

    fn remove(&mut self, reg: Reg) {
        self.0[reg / 64] &= !(1 << (reg % 64));
    }

    /// Adds the other set; returns whether anything was new.
    fn add(&mut self, other: &Set) -> bool {
        let mut grew = false;
        for (word, &others) in self.0.iter_mut().zip(&other.0) {
            grew |= others & !*word != 0;
            *word |= others;
        }
        grew
    }

    fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    64 * index + bit as usize
                })
            })
        })
    }
}

/// The registers that an instruction reads and writes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Access {
    reads: Vec<Reg>,
    writes: Vec<Reg>,
}

impl Access {
    fn of(instruction: &Instruction) -> Self {
        let mut access = Access::default();
        let operands = &instruction.operands;
        let is_in_out = matches!(decode(instruction).op, Op::Effect { is_in_out: true, .. });
        for (index, operand) in operands.iter().enumerate() {
            if index < results(instruction) {
                registers_of(operand, &mut access.writes);
                // An address is read in any position.
                addresses_of(operand, &mut access.reads);
                if is_in_out {
                    registers_of(operand, &mut access.reads);
                }
            } else {
                registers_of(operand, &mut access.reads);
                addresses_of(operand, &mut access.reads);
            }
        }
        if let Some((guard, _)) = instruction.guard {
            access.reads.push(guard);
            let kept = access.writes.clone();
            access.reads.extend(kept);
        }
        access
    }
}

/// The number of operands that are written; these come first.
fn results(instruction: &Instruction) -> usize {
    match instruction.kind {
        Kind::Assembly { results, .. } => return results,
        Kind::Declare(_) => return 0,
        Kind::ImplicitDef => return 1,
        Kind::Instruction => {}
    }
    match decode(instruction).op {
        Op::Store { .. } | Op::Branch | Op::Leave | Op::Effect { has_result: false, .. } => 0,
        // The results stand in parentheses before the callee.
        Op::Call => usize::from(matches!(instruction.operands.first(), Some(Operand::Group(_)))),
        _ => 1,
    }
}

/// The registers of an operand, or of its parts, except those of an address.
fn registers_of(operand: &Operand, into: &mut Vec<Reg>) {
    match operand {
        Operand::Reg(reg) => into.push(*reg),
        Operand::Vector(parts) | Operand::Group(parts) => {
            parts.iter().for_each(|part| registers_of(part, into));
        }
        Operand::Pair(a, b) => {
            registers_of(a, into);
            registers_of(b, into);
        }
        Operand::Not(inner) | Operand::Negated(inner) => registers_of(inner, into),
        _ => {}
    }
}

fn addresses_of(operand: &Operand, into: &mut Vec<Reg>) {
    if let Operand::Memory(base, _, more) = operand {
        for part in std::iter::once(&**base).chain(more) {
            registers_of(part, into);
            addresses_of(part, into);
        }
    }
}

/// A basic block.
struct Block {
    first: usize,
    end: usize,
    successors: Vec<usize>,
}

fn blocks(code: &[Instruction], branches: &[bool], leaves: &[bool]) -> Vec<Block> {
    let mut starts = vec![false; code.len() + 1];
    starts[0] = true;
    for (at, instruction) in code.iter().enumerate() {
        starts[at + 1] |= branches[at] || leaves[at];
        for &target in &instruction.targets {
            starts[target] = true;
        }
    }
    let firsts: Vec<usize> = (0..code.len()).filter(|&at| starts[at]).collect();
    // A label may follow the last instruction; a branch to it leaves the function.
    let block_at = |at: usize| firsts.binary_search(&at).ok();
    let ends = firsts.iter().skip(1).copied().chain([code.len()]);
    let block = |(&first, end): (&usize, usize)| {
        let last = &code[end - 1];
        let mut successors: Vec<usize> = last.targets.iter().filter_map(|&at| block_at(at)).collect();
        if last.guard.is_some() || !(branches[end - 1] || leaves[end - 1]) {
            successors.extend(block_at(end));
        }
        Block { first, end, successors }
    };
    firsts.iter().zip(ends).map(block).collect()
}

/// Analyses a function that was parsed without problems.
pub fn analyse(function: &Function) -> Liveness {
    let code = &function.code;
    if code.is_empty() {
        return Liveness {
            pressure: Vec::new(),
            ranges: vec![Vec::new(); function.registers.len()],
            peak: Vec::new(),
        };
    }
    let ops: Vec<Op> = code.iter().map(|instruction| decode(instruction).op).collect();
    let branches: Vec<bool> = ops.iter().map(|op| matches!(op, Op::Branch)).collect();
    let leaves: Vec<bool> = ops.iter().map(|op| matches!(op, Op::Leave)).collect();
    let accesses: Vec<Access> = code.iter().map(Access::of).collect();
    let blocks = blocks(code, &branches, &leaves);
    let none = Set::new(function.registers.len());
    let mut live_in = vec![none.clone(); blocks.len()];
    let live_out = |live_in: &[Set], block: &Block| {
        let mut live = none.clone();
        for &successor in &block.successors {
            live.add(&live_in[successor]);
        }
        live
    };
    let mut changed = true;
    while changed {
        changed = false;
        for (index, block) in blocks.iter().enumerate().rev() {
            let mut live = live_out(&live_in, block);
            for access in accesses[block.first..block.end].iter().rev() {
                step_back(&mut live, access);
            }
            changed |= live_in[index].add(&live);
        }
    }
    let mut result = Liveness {
        pressure: vec![Pressure::default(); code.len()],
        ranges: vec![Vec::new(); function.registers.len()],
        peak: Vec::new(),
    };
    let mut most = 0;
    for block in blocks.iter().rev() {
        let mut live = live_out(&live_in, block);
        for at in (block.first..block.end).rev() {
            for &reg in &accesses[at].writes {
                live.insert(reg);
            }
            let after = Pressure::of(function, &live);
            let mut touched = live.clone();
            step_back(&mut live, &accesses[at]);
            let before = Pressure::of(function, &live);
            result.pressure[at] = after.max(before);
            if result.pressure[at].words > most {
                most = result.pressure[at].words;
                // `touched` holds what is live after the instruction.
                result.peak = if before.words >= after.words { &live } else { &touched }.iter().collect();
            }
            touched.add(&live);
            for reg in touched.iter() {
                extend(&mut result.ranges[reg], at as u32);
            }
        }
    }
    for ranges in &mut result.ranges {
        ranges.reverse();
    }
    result
}

/// The only instruction that writes each register; `None` if several do, or none does.
pub fn writers(function: &Function) -> Vec<Option<usize>> {
    let mut count = vec![0; function.registers.len()];
    let mut last = vec![0; function.registers.len()];
    for (at, instruction) in function.code.iter().enumerate() {
        for reg in Access::of(instruction).writes {
            count[reg] += 1;
            last[reg] = at;
        }
    }
    count.into_iter().zip(last).map(|(count, at)| (count == 1).then_some(at)).collect()
}

/// Whether an instruction reads a register.
pub fn reads_register(instruction: &Instruction) -> bool {
    !Access::of(instruction).reads.is_empty()
}

fn step_back(live: &mut Set, access: &Access) {
    for &reg in &access.writes {
        live.remove(reg);
    }
    for &reg in &access.reads {
        live.insert(reg);
    }
}

/// Adds an instruction before ranges that are in order from last to first.
fn extend(ranges: &mut Vec<[u32; 2]>, at: u32) {
    match ranges.last_mut() {
        Some(range) if range[0] == at + 1 => range[0] = at,
        _ => ranges.push([at, at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_emu::ptx::parse;

    fn liveness(body: &str) -> (Function, Liveness) {
        let text = format!(
            ".version 7.0\n.target sm_80\n.visible .entry k(\n.param .u64 p\n)\n{{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n{body}\n}}\n"
        );
        let function = parse::parse(&text).remove(0);
        assert_eq!(function.problem, None);
        let result = analyse(&function);
        (function, result)
    }

    fn words(body: &str) -> Vec<u32> {
        liveness(body).1.pressure.iter().map(|p| p.words).collect()
    }

    fn ranges(body: &str, name: &str) -> Vec<[u32; 2]> {
        let (function, result) = liveness(body);
        let reg = function.registers.iter().position(|r| r.name == name).expect("a register");
        result.ranges[reg].clone()
    }

    #[test]
    fn a_wide_register_counts_twice() {
        let code = "ld.param.b64 %rd1, [p];\nld.global.b32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nst.global.b32 [%rd1], %r2;\nret;";
        // %rd1 is two words. %r2 may reuse the register of %r1, which ends there.
        assert_eq!(words(code), [2, 3, 3, 3, 0]);
    }

    #[test]
    fn the_base_of_a_store_is_read() {
        let code = "ld.param.b64 %rd1, [p];\nmov.b32 %r1, 0;\nst.global.b32 [%rd1+4], %r1;\nret;";
        assert_eq!(ranges(code, "%rd1"), [[0, 2]]);
    }

    #[test]
    fn what_a_loop_carries_is_live_around_it() {
        let code = "mov.b32 %r1, 0;\nmov.b32 %r2, 5;\n$L_1:\nadd.s32 %r1, %r1, %r2;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra $L_1;\nret;";
        assert_eq!(ranges(code, "%r2"), [[1, 4]]);
        assert_eq!(ranges(code, "%p1"), [[3, 4]]);
        assert_eq!(liveness(code).1.pressure[3].predicates, 1);
    }

    #[test]
    fn a_guarded_write_keeps_the_old_value() {
        let code =
            "mov.b32 %r1, 1;\nsetp.eq.s32 %p1, %r1, 0;\nmov.b32 %r2, 3;\n@%p1 mov.b32 %r1, 2;\nst.shared.b32 [p], %r1;\nret;";
        assert_eq!(ranges(code, "%r1"), [[0, 4]]);
        let unguarded = code.replace("@%p1 mov", "mov");
        assert_eq!(ranges(&unguarded, "%r1"), [[0, 1], [3, 4]]);
    }

    #[test]
    fn code_in_between_is_left_out() {
        let code = "mov.b32 %r1, 1;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $L_2;\nmov.b32 %r2, 3;\nst.shared.b32 [p], %r2;\nbra $L_3;\n$L_2:\nst.shared.b32 [p], %r1;\n$L_3:\nret;";
        assert_eq!(ranges(code, "%r1"), [[0, 2], [6, 6]]);
    }

    #[test]
    fn a_result_that_nothing_reads_takes_a_register_where_it_is_written() {
        assert_eq!(words("mov.b32 %r1, 1;\nret;"), [1, 0]);
    }

    #[test]
    fn accumulators_of_wgmma_are_read_and_written() {
        let code = "mov.b32 %r1, 1;\nmov.b32 %r2, 1;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%r1,%r2}, %rd1, %rd2, 1, 1, 1, 0, 0;\nst.shared.b32 [p], %r1;\nret;";
        assert_eq!(ranges(code, "%r1"), [[0, 3]]);
        assert_eq!(ranges(code, "%r2"), [[1, 2]]);
    }

    #[test]
    fn an_empty_function() {
        assert_eq!(liveness("").1.pressure, []);
    }
}
