//! The code that shows a known fault of ptxas, in a function of PTX.
//!
//! **Problem.** An entry of the table describes code in words. Here are the same descriptions for a
//! program.
//!
//! **Algorithm.** Registers are not in SSA form in a text: copies are followed only through
//! registers that one instruction writes, without a guard. Apart from that, two reads of a register
//! count as the same value. So a place that is named *may* be compiled wrongly; ptxas also needs the
//! instructions between to be movable, and more that is not documented.
//!
//! **Complexity.** Linear in the function, and in the reads of each register.

use std::collections::BTreeSet;

use ptx_emu::ptx::decode::{decode, Step};
use ptx_emu::ptx::parse::{Function, Instruction, Kind, Operand, Reg};

use ptxas_errata::Id;

/// The halves of a register that are read, as bits.
const LOW: u8 = 1;
const HIGH: u8 = 2;
/// All of it, or in another way.
const WHOLE: u8 = 4;

/// A place in a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    /// The instructions that show the fault together.
    pub why: String,
}

/// The value of an operand, as far as copies show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Reg(Reg),
    /// Its lowest bits count.
    Number(i128),
}

/// A function, with the instructions that write and read each register.
pub struct Code<'a> {
    function: &'a Function,
    steps: Vec<Step<'a>>,
    writers: Vec<Vec<usize>>,
    readers: Vec<Vec<usize>>,
    /// The instructions that a branch leads to.
    targets: BTreeSet<usize>,
}

impl<'a> Code<'a> {
    pub fn new(function: &'a Function) -> Self {
        let steps: Vec<Step> = function.code.iter().map(decode).collect();
        let none = vec![Vec::new(); function.registers.len()];
        let (mut writers, mut readers) = (none.clone(), none);
        for (at, step) in steps.iter().enumerate() {
            let (results, sources) = step.instruction.operands.split_at(step.num_results());
            let mut written = Vec::new();
            for operand in results {
                match operand {
                    // An address among the results is read.
                    Operand::Memory(..) => {}
                    _ => operand.registers(&mut written),
                }
            }
            let mut read: Vec<Reg> = step.instruction.guard.iter().map(|(reg, _)| *reg).collect();
            sources.iter().for_each(|operand| operand.registers(&mut read));
            read.sort_unstable();
            read.dedup();
            written.into_iter().for_each(|reg| writers[reg].push(at));
            read.into_iter().for_each(|reg| readers[reg].push(at));
        }
        let targets =
            function.code.iter().flat_map(|instruction| instruction.targets.iter().copied()).collect();
        Code { function, steps, writers, readers, targets }
    }

    /// The places of an entry. One without a known pattern has none.
    pub fn find(&self, id: Id) -> Vec<Place> {
        match id {
            Id::UnsignedAsSigned => self.unsigned_as_signed(),
            Id::NegatedMaximum => self.negated_maximum(),
            Id::PackedHalf => self.packed_half(),
            Id::UpperWord => self.upper_word(),
            Id::WgmmaInputs => self.wgmma_inputs(),
            Id::CutlassName => self.cutlass_name(),
            Id::HopperState | Id::NestedDivergence => Vec::new(),
        }
    }

    fn line(&self, at: usize) -> usize {
        self.function.code[at].line
    }

    /// An instruction of PTX: its words, and its operands.
    fn instruction(&self, at: usize) -> (Vec<&str>, &[Operand]) {
        let Instruction { kind, opcode, operands, .. } = &self.function.code[at];
        let words = if *kind == Kind::Instruction { opcode.split('.').collect() } else { Vec::new() };
        (words, operands)
    }

    /// The only instruction that writes a register; `None` if there are several, or it has a guard.
    fn writer(&self, reg: Reg) -> Option<usize> {
        let [writer] = self.writers[reg][..] else { return None };
        self.function.code[writer].guard.is_none().then_some(writer)
    }

    fn value(&self, operand: &Operand) -> Option<Value> {
        match operand {
            Operand::Integer(number) => Some(Value::Number(*number)),
            Operand::Reg(reg) => {
                let mut reg = *reg;
                // A copy of itself would go on without end.
                for _ in 0..self.function.code.len() {
                    let Some(writer) = self.writer(reg) else { break };
                    match self.instruction(writer) {
                        (words, [Operand::Reg(_), Operand::Reg(source)]) if words.first() == Some(&"mov") => {
                            // The source must not change after the copy.
                            if self.writers[*source].len() > 1 {
                                break;
                            }
                            reg = *source;
                        }
                        (words, [Operand::Reg(_), Operand::Integer(number)])
                            if words.first() == Some(&"mov") =>
                        {
                            return Some(Value::Number(*number));
                        }
                        _ => break,
                    }
                }
                Some(Value::Reg(reg))
            }
            _ => None,
        }
    }

    /// Comparisons of 32 bits that write a predicate alone: where, the relation, whether signed, and
    /// the operands.
    fn comparisons(&self, predicate: Reg) -> Vec<(usize, &str, bool, [Value; 2])> {
        let of = |&at: &usize| {
            let (words, operands) = self.instruction(at);
            let ([a, b], ["setp", relation, of_type @ ("u32" | "s32")]) = (
                operands.get(1..).and_then(|sources| <&[Operand; 2]>::try_from(sources).ok())?,
                <[&str; 3]>::try_from(words).ok()?,
            ) else {
                return None;
            };
            let is_single = matches!(operands[0], Operand::Reg(_));
            let is_ordering = matches!(relation, "lt" | "le" | "gt" | "ge");
            let values = [self.value(a)?, self.value(b)?];
            (is_single && is_ordering).then_some((at, relation, of_type == "s32", values))
        };
        self.writers[predicate].iter().filter_map(of).collect()
    }

    /// The guarded branch that ends the block which begins here, or the one that empty blocks lead to:
    /// of the predicate, whether inverted.
    fn branch_from(&self, mut first: usize) -> Option<(usize, Reg, bool)> {
        // Empty blocks may lead to each other without end.
        for _ in 0..self.function.code.len() {
            match self.function.code.get(first)? {
                Instruction { opcode, guard: None, targets, .. }
                    if opcode.split('.').next() == Some("bra") =>
                {
                    first = *targets.first()?;
                }
                _ => break,
            }
        }
        for (at, instruction) in self.function.code.iter().enumerate().skip(first) {
            let word = instruction.opcode.split('.').next();
            match (word, instruction.guard) {
                (Some("bra"), Some((predicate, is_inverted))) => return Some((at, predicate, is_inverted)),
                (Some("bra" | "brx" | "ret" | "exit" | "trap"), _) => return None,
                _ if at > first && self.targets.contains(&at) => return None,
                _ => {}
            }
        }
        None
    }

    fn unsigned_as_signed(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (at, instruction) in self.function.code.iter().enumerate() {
            let (Some((first, first_inverted)), [target]) = (instruction.guard, &instruction.targets[..])
            else {
                continue;
            };
            let Some((second_at, second, second_inverted)) = self.branch_from(*target) else { continue };
            if first_inverted != second_inverted {
                continue;
            }
            let others = self.comparisons(second);
            for (one, relation, is_signed, values) in self.comparisons(first) {
                let other = others.iter().find(|(_, other_relation, other_signed, other_values)| {
                    (*other_relation, *other_signed, *other_values) == (relation, !is_signed, values)
                });
                if let Some((other, ..)) = other {
                    let [one, other] =
                        [one, *other].map(|at| (self.function.code[at].opcode.as_str(), self.line(at)));
                    places.push(Place {
                        line: self.line(at),
                        why: format!(
                            "{} (line {}) and {} (line {}) have the same operands; the branch leads to that of line {}",
                            one.0,
                            one.1,
                            other.0,
                            other.1,
                            self.line(second_at)
                        ),
                    });
                }
            }
        }
        places
    }

    /// Whether an instruction changes the sign of a number of 32 bits.
    fn is_negation(&self, at: usize) -> bool {
        let (words, operands) = self.instruction(at);
        let value = |operand: usize| operands.get(operand).and_then(|operand| self.value(operand));
        let is = |operand, number: i128| value(operand).is_some_and(|own| own == Value::Number(number));
        match words[..] {
            ["neg", "s32"] => true,
            ["sub", "s32" | "u32"] => is(1, 0),
            ["mul", "lo", "s32"] => is(1, -1) || is(2, -1),
            _ => false,
        }
    }

    fn negated_maximum(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let register = |operand: &Operand| match self.value(operand) {
            Some(Value::Reg(reg)) => Some(reg),
            _ => None,
        };
        for at in 0..self.steps.len() {
            let (words, operands) = self.instruction(at);
            let (["max" | "min", "s32"], [Operand::Reg(result), first, second]) = (&words[..], operands)
            else {
                continue;
            };
            // The other one that reads the result, and nothing else does.
            let [outer] = self.readers[*result][..] else { continue };
            let (outer_words, outer_operands) = self.instruction(outer);
            let are_registers =
                outer_operands[1..].iter().chain([first]).all(|operand| register(operand).is_some());
            if outer_words != words || !are_registers || self.writer(*result).is_none() {
                continue;
            }
            let negation =
                register(second).and_then(|reg| self.writer(reg)).filter(|&at| self.is_negation(at));
            if let Some(negation) = negation {
                places.push(Place {
                    line: self.line(at),
                    why: format!(
                        "the second operand of {} is the result of {} (line {}), and only the {} of line {} reads what it gives",
                        words.join("."),
                        self.function.code[negation].opcode,
                        self.line(negation),
                        words.join("."),
                        self.line(outer)
                    ),
                });
            }
        }
        places
    }

    fn packed_half(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let mut halves = None;
        for at in 0..self.steps.len() {
            let (words, operands) = self.instruction(at);
            let (["add", "s16x2" | "u16x2"], [Operand::Reg(result), a, b]) = (&words[..], operands) else {
                continue;
            };
            let is_number = |operand| matches!(self.value(operand), Some(Value::Number(_)));
            if !is_number(a) && !is_number(b) {
                continue;
            }
            let half = match halves.get_or_insert_with(|| self.halves_read())[*result] {
                LOW => "low",
                HIGH => "high",
                _ => continue,
            };
            places.push(Place {
                line: self.line(at),
                why: format!(
                    "{} with a constant, of whose result only the {half} half is read",
                    words.join(".")
                ),
            });
        }
        places
    }

    /// The halves of each register that are read, as bits. What only passes them on reads what is
    /// read of its result.
    fn halves_read(&self) -> Vec<u8> {
        let mut halves = vec![0; self.readers.len()];
        loop {
            let mut has_grown = false;
            for at in (0..self.steps.len()).rev() {
                for (reg, read) in self.halves_of_sources(at, &halves) {
                    has_grown |= halves[reg] | read != halves[reg];
                    halves[reg] |= read;
                }
            }
            if !has_grown {
                return halves;
            }
        }
    }

    /// The registers that an instruction reads, each with the halves that it reads of them; `halves`
    /// are those that are read of its result.
    fn halves_of_sources(&self, at: usize, halves: &[u8]) -> Vec<(Reg, u8)> {
        let of_operand = |operand: &Operand| match operand {
            Operand::Reg(reg) => halves[*reg],
            _ => 0,
        };
        let mut sources = Vec::new();
        let mut read = |operand: &Operand, half: u8| {
            let mut registers = Vec::new();
            operand.registers(&mut registers);
            sources.extend(registers.into_iter().map(|reg| (reg, half)));
        };
        let (words, operands) = self.instruction(at);
        match (&words[..], operands) {
            (["mov", "b32"], [Operand::Vector(parts), source]) if parts.len() == 2 => {
                let is_read = |part: &Operand| matches!(part, Operand::Reg(reg) if halves[*reg] != 0);
                let both = parts.iter().zip([LOW, HIGH]).filter(|(part, _)| is_read(part));
                read(source, both.fold(0, |all, (_, half)| all | half));
            }
            (["mov", "b64"], [result @ Operand::Reg(_), Operand::Vector(parts)]) if parts.len() == 2 => {
                read(&parts[0], of_operand(result));
                read(&parts[1], WHOLE);
            }
            (["mov", _], [result @ Operand::Reg(_), source])
            | (["cvt", "u64" | "s64", "u32" | "s32"], [result, source]) => read(source, of_operand(result)),
            (["add", "s16x2" | "u16x2"], [result, a, b]) => {
                [a, b].into_iter().for_each(|summand| read(summand, of_operand(result)));
            }
            (["cvt", .., "u16" | "s16"], [_, source])
            | (["cvt", "u16" | "s16", "u32" | "s32" | "u64" | "s64"], [_, source]) => read(source, LOW),
            (["st", .., "b16" | "u16" | "s16"], [address, value]) => {
                read(address, WHOLE);
                read(value, LOW);
            }
            _ => {
                let (results, sources) = operands.split_at(self.steps[at].num_results());
                // Of the results an address is read.
                let addresses = results.iter().filter(|result| matches!(result, Operand::Memory(..)));
                addresses.chain(sources).for_each(|operand| read(operand, WHOLE));
            }
        }
        let guard = self.function.code[at].guard.iter().map(|(reg, _)| (*reg, WHOLE));
        sources.extend(guard);
        sources
    }

    fn upper_word(&self) -> Vec<Place> {
        const TOP: i128 = 1 << 31;
        // The sums of a register and a number that are compared: where, the register, the number.
        let mut sums = Vec::new();
        for at in 0..self.steps.len() {
            let (words, operands) = self.instruction(at);
            let (["add", "s64" | "u64"], [Operand::Reg(result), a, b]) = (&words[..], operands) else {
                continue;
            };
            let (Some(Value::Reg(reg)), Some(Value::Number(number))) = (self.value(a), self.value(b)) else {
                continue;
            };
            let is_comparison = |&reader: &usize| {
                let (words, _) = self.instruction(reader);
                words.first() == Some(&"setp") && matches!(words.last(), Some(&("u64" | "s64")))
            };
            if self.readers[*result].iter().any(is_comparison) {
                sums.push((at, reg, number));
            }
        }
        let beside = |at: usize, reg: Reg| sums.iter().find(|other| other.1 == reg && other.0 != at);
        let place = |&(at, reg, number): &(usize, Reg, i128)| {
            let (other, ..) = beside(at, reg).filter(|_| number == TOP)?;
            let why = format!(
                "the sum of {} and 2147483648 is compared, and that of line {} as well",
                self.function.registers[reg].name,
                self.line(*other)
            );
            Some(Place { line: self.line(at), why })
        };
        sums.iter().filter_map(place).collect()
    }

    fn wgmma_inputs(&self) -> Vec<Place> {
        let opcode = |at: usize| self.function.code[at].opcode.as_str();
        let lets_go_on = |at: usize| {
            opcode(at).starts_with("wgmma.wait_group")
                && !matches!(self.function.code[at].operands[..], [Operand::Integer(0)])
        };
        if !(0..self.steps.len()).any(lets_go_on) {
            return Vec::new();
        }
        let is_place = |&at: &usize| {
            opcode(at).starts_with("wgmma.mma_async")
                && matches!(self.function.code[at].operands.get(1), Some(Operand::Vector(_)))
        };
        let place = |at: usize| Place {
            line: self.line(at),
            why:
                "a wgmma with its first matrix in registers, in a function that does not wait for all of them"
                    .to_owned(),
        };
        (0..self.steps.len()).filter(is_place).map(place).collect()
    }

    fn cutlass_name(&self) -> Vec<Place> {
        let Function { name, head, line, .. } = self.function;
        let is_kernel = head.split_whitespace().any(|word| word == ".entry");
        if is_kernel && name.contains("cutlass") {
            vec![Place { line: *line, why: "the kernel's name contains \"cutlass\"".to_owned() }]
        } else {
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use ptx_emu::ptx::parse::parse;

    use super::*;

    /// The lines of an entry's places in a kernel with this body, which begins in line 3.
    fn lines(id: Id, body: &str) -> Vec<usize> {
        let text = format!(
            ".entry k() {{\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>; .reg .b64 %d<9>;\n{body}\nret; }}\n"
        );
        let functions = parse(&text);
        assert_eq!(functions[0].problem, None);
        Code::new(&functions[0]).find(id).into_iter().map(|place| place.line).collect()
    }

    #[test]
    fn the_same_comparison_with_and_without_sign() {
        let of = |one: &str, other: &str, first: &str, second: &str| {
            let body = format!("{one};\n{other};\n@{first} bra A;\nadd.s32 %r3, %r3, 1;\nA:\n@{second} bra B;\nmul.lo.s32 %r3, %r3, 5;\nB:");
            lines(Id::UnsignedAsSigned, &body)
        };
        let (u, s) = ("setp.ge.u32 %p1, %r1, %r2", "setp.ge.s32 %p2, %r1, %r2");
        assert_eq!(of(u, s, "%p1", "%p2"), [5]);
        assert_eq!(of(u, s, "%p2", "%p1"), [5]);
        assert_eq!(of(u, s, "!%p1", "!%p2"), [5]);
        assert_eq!(of(u, s, "!%p1", "%p2"), [] as [usize; 0], "the two branches mean opposite things");
        assert_eq!(of(u, "setp.gt.s32 %p2, %r1, %r2", "%p1", "%p2"), [] as [usize; 0]);
        assert_eq!(of(u, "setp.le.s32 %p2, %r2, %r1", "%p1", "%p2"), [] as [usize; 0], "what avoids it");
        assert_eq!(of(u, "setp.ge.u32 %p2, %r1, %r2", "%p1", "%p2"), [] as [usize; 0]);
        assert_eq!(
            of("setp.ge.u64 %p1, %d1, %d2", "setp.ge.s64 %p2, %d1, %d2", "%p1", "%p2"),
            [] as [usize; 0]
        );
        assert_eq!(of("setp.gt.u32 %p1, %r1, 7", "setp.gt.s32 %p2, %r1, 7", "%p1", "%p2"), [5]);
        assert_eq!(of("setp.gt.u32 %p1, %r1, 7", "setp.ge.s32 %p2, %r1, 8", "%p1", "%p2"), [] as [usize; 0]);
        assert_eq!(
            of("mov.b32 %r4, %r1; setp.ge.u32 %p1, %r4, %r2", s, "%p1", "%p2"),
            [5],
            "copies are followed"
        );
    }

    #[test]
    fn the_first_branch_leads_to_the_second() {
        let between = |code: &str| {
            let body = format!("setp.ge.u32 %p1, %r1, %r2; setp.ge.s32 %p2, %r1, %r2;\n@%p1 bra A;\nadd.s32 %r3, %r3, 1;\nA:\n{code}\n@%p2 bra B;\nmul.lo.s32 %r3, %r3, 5;\nB:");
            lines(Id::UnsignedAsSigned, &body)
        };
        assert_eq!(between("add.s32 %r4, %r1, 1;"), [4]);
        assert_eq!(between("C: add.s32 %r3, %r3, 1; setp.lt.s32 %p3, %r3, 9; @%p3 bra C;"), [] as [usize; 0]);
        assert_eq!(between("bra D; add.s32 %r3, %r3, 1; D:"), [4], "an empty block leads there");
        assert_eq!(between("add.s32 %r3, %r3, 1; bra D; D:"), [] as [usize; 0], "that block is not empty");
        assert_eq!(between("D: bra D;"), [] as [usize; 0]);
    }

    #[test]
    fn a_negation_in_two_maxima() {
        let of = |body: &str| lines(Id::NegatedMaximum, body);
        assert_eq!(of("neg.s32 %r2, %r1;\nmax.s32 %r3, %r1, %r2;\nmax.s32 %r4, %r3, %r5;"), [4]);
        assert_eq!(of("neg.s32 %r2, %r1;\nmin.s32 %r3, %r6, %r2;\nmin.s32 %r4, %r5, %r3;"), [4]);
        assert_eq!(of("sub.s32 %r2, 0, %r1;\nmax.s32 %r3, %r7, %r2;\nmax.s32 %r4, %r3, %r5;"), [4]);
        assert_eq!(of("mul.lo.s32 %r2, %r1, -1;\nmax.s32 %r3, %r7, %r2;\nmax.s32 %r4, %r3, %r5;"), [4]);
        let none: [usize; 0] = [];
        for (body, why) in [
            ("abs.s32 %r3, %r1;\nmax.s32 %r4, %r3, %r5;", "what avoids it"),
            ("neg.s32 %r2, %r1;\nmax.s32 %r3, %r2, %r1;\nmax.s32 %r4, %r3, %r5;", "what avoids it"),
            ("neg.s32 %r2, %r1;\nmax.s32 %r3, %r1, %r2;\nmin.s32 %r4, %r3, %r5;", "not of one kind"),
            (
                "neg.s32 %r2, %r1;\nmax.s32 %r3, %r1, %r6;\nmax.s32 %r4, %r3, %r2;",
                "the negation is in the second",
            ),
            ("neg.s32 %r2, %r1;\nmax.s32 %r3, %r1, %r2;\nmax.s32 %r4, %r3, 6;", "a constant"),
            (
                "neg.s32 %r2, %r1;\nmov.b32 %r6, 5; max.s32 %r3, %r6, %r2;\nmax.s32 %r4, %r3, %r5;",
                "a constant",
            ),
            ("neg.s32 %r2, %r1;\nmax.u32 %r3, %r1, %r2;\nmax.u32 %r4, %r3, %r5;", "without sign"),
            (
                "neg.s32 %r2, %r1;\nmax.s32 %r3, %r1, %r2;\nmax.s32 %r4, %r3, %r5;\nadd.s32 %r6, %r3, 1;",
                "two readers",
            ),
            ("sub.s32 %r2, %r7, %r1;\nmax.s32 %r3, %r1, %r2;\nmax.s32 %r4, %r3, %r5;", "a difference"),
        ] {
            assert_eq!(of(body), none, "{why}");
        }
    }

    #[test]
    fn half_of_a_packed_sum() {
        let of = |body: &str| {
            lines(Id::PackedHalf, &format!("mov.b32 %r9, 65537;\nadd.s16x2 %r2, %r1, %r9;\n{body}"))
        };
        assert_eq!(of("mov.b32 {%h1, _}, %r2; st.b16 [%d1], %h1;"), [4]);
        assert_eq!(of("mov.b32 {%h1, %h2}, %r2; st.b16 [%d1], %h2;"), [4], "%h1 is not read");
        assert_eq!(of("cvt.u16.u32 %h1, %r2; st.b16 [%d1], %h1;"), [4]);
        assert_eq!(of("cvt.s32.s16 %r3, %r2; st.b32 [%d1], %r3;"), [4]);
        assert_eq!(of("cvt.rn.f32.s16 %r3, %r2; st.b32 [%d1], %r3;"), [4]);
        assert_eq!(of("st.global.b16 [%d1], %r2;"), [4]);
        assert_eq!(of("st.v2.b16 [%d1], {%r2, %r1};"), [4]);
        let none: [usize; 0] = [];
        assert_eq!(of("mov.b32 {%h1, %h2}, %r2; st.b16 [%d1], %h1; st.b16 [%d1], %h2;"), none);
        assert_eq!(of("mov.b32 {%h1, _}, %r2; st.b16 [%d1], %h1; st.b32 [%d1], %r2;"), none);
        assert_eq!(of("and.b32 %r3, %r2, 65535; st.b32 [%d1], %r3;"), none);
        assert_eq!(of("st.b8 [%d1], %r2;"), none, "ptxas is right");
        assert_eq!(of("cvt.sat.s16.s32 %h1, %r2; st.b16 [%d1], %h1;"), none, "all of it counts");
        let plain = "add.s16x2 %r2, %r1, %r8; mov.b32 {%h1, _}, %r2; st.b16 [%d1], %h1;";
        assert_eq!(lines(Id::PackedHalf, plain), none, "no constant");
    }

    #[test]
    fn half_of_a_packed_sum_that_is_passed_on() {
        let of = |body: &str| {
            lines(Id::PackedHalf, &format!("mov.b32 %r9, 65537;\nadd.s16x2 %r2, %r1, %r9;\n{body}"))
        };
        let low = "mov.b32 {%h1, _}, %r3; st.b16 [%d1], %h1;";
        assert_eq!(of(&format!("add.s16x2 %r3, %r2, %r1;\n{low}")), [4]);
        assert_eq!(of(&format!("add.s16x2 %r3, %r2, %r9;\n{low}")), [4, 5], "both have a constant");
        assert_eq!(of(&format!("mov.b32 %r3, %r2;\n{low}")), [4]);
        let from_64 = "cvt.u16.u64 %h1, %d2; st.b16 [%d1], %h1;";
        assert_eq!(of(&format!("cvt.u64.u32 %d2, %r2;\n{from_64}")), [4]);
        assert_eq!(of(&format!("mov.b64 %d2, {{%r2, %r1}};\n{from_64}")), [4]);
        let none: [usize; 0] = [];
        assert_eq!(of(&format!("mov.b64 %d2, {{%r1, %r2}};\n{from_64}")), none, "the upper word");
        assert_eq!(of(&format!("add.s16x2 %r3, %r2, %r1;\n{low} st.b32 [%d1], %r3;")), none, "all of it too");
        assert_eq!(of(&format!("min.s16x2 %r3, %r2, %r1;\n{low}")), none, "ptxas is right");
        assert_eq!(of("add.s16x2 %r3, %r2, %r1;"), none, "nothing reads it");
        assert_eq!(of("mov.b32 {%h1, _}, %r2; st.b16 [%d1], %h1; add.s32 %r2, %r1, 5;"), [4], "only written");
        assert_eq!(of("mov.b32 {%h1, _}, %r2; st.shared.b16 [%r2], %h1;"), none, "an address");
    }

    #[test]
    fn a_sum_with_the_highest_bit_of_a_word() {
        let of = |body: &str| lines(Id::UpperWord, body);
        let one = "add.s64 %d2, %d1, 2147483648; setp.lt.u64 %p1, %d2, 4096;\n";
        assert_eq!(of(&format!("{one}add.s64 %d3, %d1, -8; setp.lt.u64 %p2, %d3, 4096;")), [3]);
        let none: [usize; 0] = [];
        assert_eq!(of(one), none);
        assert_eq!(
            of(&format!("{one}add.s64 %d3, %d4, -8; setp.lt.u64 %p2, %d3, 4096;")),
            none,
            "of another number"
        );
        assert_eq!(of(&format!("{one}add.s64 %d3, %d1, -8; st.b64 [%d5], %d3;")), none, "not compared");
    }

    #[test]
    fn products_whose_registers_are_still_read() {
        let of = |left: i64, matrix: &str| {
            let product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
            let body = format!("{product} {{%r1, %r2, %r3, %r4}}, {matrix}, %d1, 1, 1, 1, 1;\nwgmma.wait_group.sync.aligned {left};");
            lines(Id::WgmmaInputs, &body)
        };
        assert_eq!(of(1, "{%r5, %r6, %r7, %r8}"), [3]);
        assert_eq!(of(0, "{%r5, %r6, %r7, %r8}"), [] as [usize; 0], "all are waited for");
        assert_eq!(of(1, "%d2"), [] as [usize; 0], "in shared memory");
    }

    #[test]
    fn a_kernel_with_a_name_that_ptxas_knows() {
        let of = |text: &str| {
            let functions = parse(text);
            functions
                .iter()
                .flat_map(|function| Code::new(function).find(Id::CutlassName))
                .collect::<Vec<_>>()
        };
        assert_eq!(of("\n.visible .entry kernel_cutlass_0()\n{\nret;\n}\n").len(), 1);
        assert_eq!(of("\n.visible .entry kernel_cutlass_0()\n{\nret;\n}\n")[0].line, 2);
        assert_eq!(of(".func cutlass()\n{\nret;\n}\n.entry k()\n{\nret;\n}\n"), []);
    }
}
