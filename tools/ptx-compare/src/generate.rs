//! Kernels of a chosen shape and size, to see how compile time grows.
//!
//! Each shape loads one kind of pass. Straight-line code loads the analyses of a single block, many
//! blocks those that go from block to block. Tied operands of inline assembly load the two-address
//! pass. PHIs and switches load PHI elimination and the coalescer; copies that cannot be coalesced
//! load the coalescer alone. Deep loop nests load the analyses that propagate along edges. The
//! output is the same for the same arguments on every machine; the little randomness comes from a
//! fixed linear congruential generator.
//!
//! The shapes avoid what makes stock llc slow, or crashes it, before the passes of interest: no
//! integer additions or multiplications (straight-line strength reduction is quadratic in them),
//! few plain loads and stores (so is the vectorizer), no integers carried around a loop (scalar
//! evolution recurses through every PHI, and runs out of stack), and no loop of thousands of blocks
//! (branch probabilities are quadratic in it).

use std::fmt::Write;

use clap::ValueEnum;

/// What the kernel consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// One long block of arithmetic, loads and stores
    Straight,
    /// Inline assembly with many tied operands, the old values used afterwards
    AsmTies,
    /// Many small blocks that join in PHIs, in loops
    Phis,
    /// Nests of many loops, the outer ones' values read in the inner ones
    Loops,
    /// Many small blocks without PHIs, the same values live in all of them
    Blocks,
    /// Loops that rotate many values: copies that cannot be joined
    Copies,
    /// Switches of many ways, dense and sparse, that join in PHIs
    Switches,
    /// Inline assembly with up to 5,000 tied results in one statement
    TiedResults,
    /// Inline assembly, the result of each statement tied to that of the one before it
    AsmChain,
}

impl Shape {
    pub const ALL: [Shape; 9] = [
        Shape::Straight,
        Shape::Blocks,
        Shape::Loops,
        Shape::Phis,
        Shape::Switches,
        Shape::Copies,
        Shape::AsmTies,
        Shape::TiedResults,
        Shape::AsmChain,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Shape::Straight => "straight",
            Shape::AsmTies => "asm-ties",
            Shape::Phis => "phis",
            Shape::Loops => "loops",
            Shape::Blocks => "blocks",
            Shape::Copies => "copies",
            Shape::Switches => "switches",
            Shape::TiedResults => "tied-results",
            Shape::AsmChain => "asm-chain",
        }
    }
}

/// LLVM IR of a kernel of about `size` instructions; `ties` is the number of tied operands of one
/// statement of [`Shape::AsmTies`].
pub fn kernel(shape: Shape, size: usize, ties: usize) -> String {
    let mut ir = Builder::default();
    match shape {
        Shape::Straight => straight(&mut ir, size),
        Shape::AsmTies => asm_ties(&mut ir, size, ties.max(1)),
        Shape::Phis => phis(&mut ir, size),
        Shape::Loops => loops(&mut ir, size),
        Shape::Blocks => blocks(&mut ir, size),
        Shape::Copies => copies(&mut ir, size),
        Shape::Switches => switches(&mut ir, size),
        Shape::TiedResults => tied_results(&mut ir, size),
        Shape::AsmChain => asm_chain(&mut ir, size),
    }
    format!(
        "; ptx-compare bench generate --shape {} --size {size}\n\
         target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n\
         target triple = \"nvptx64-nvidia-cuda\"\n\n{}\
         define ptx_kernel void @kernel(ptr addrspace(1) %p, float %limit) {{\nentry:\n{}  ret void\n}}\n",
        shape.name(),
        ir.types,
        ir.text
    )
}

#[derive(Default)]
struct Builder {
    /// Type definitions before the function.
    types: String,
    text: String,
    names: usize,
    random: u64,
}

impl Builder {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "  {line}");
    }

    fn label(&mut self, name: &str) {
        let _ = writeln!(self.text, "{name}:");
    }

    /// A new value computed by `operation`.
    fn value(&mut self, operation: &str) -> String {
        let name = format!("%v{}", self.names);
        self.names += 1;
        self.line(&format!("{name} = {operation}"));
        name
    }

    fn load(&mut self, kind: &str, index: usize) -> String {
        let address = self.value(&format!("getelementptr i8, ptr addrspace(1) %p, i64 {}", 4 * index));
        self.value(&format!("load volatile {kind}, ptr addrspace(1) {address}, align 4"))
    }

    fn store(&mut self, kind: &str, value: &str, index: usize) {
        let address = self.value(&format!("getelementptr i8, ptr addrspace(1) %p, i64 {}", 4 * index));
        self.line(&format!("store volatile {kind} {value}, ptr addrspace(1) {address}, align 4"));
    }

    /// A number less than `bound`; the sequence is always the same (Knuth's MMIX generator).
    fn random(&mut self, bound: usize) -> usize {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.random >> 33) as usize) % bound
    }
}

/// One block; 24 integers and 8 floats are live throughout.
fn straight(ir: &mut Builder, size: usize) {
    const INTEGERS: usize = 24;
    const FLOATS: usize = 8;
    let mut integers: Vec<String> = (0..INTEGERS).map(|i| ir.load("i32", i)).collect();
    let mut floats: Vec<String> = (0..FLOATS).map(|i| ir.load("float", INTEGERS + i)).collect();
    let setup = INTEGERS + FLOATS;
    for step in 0..size.saturating_sub(2 * setup) {
        let memory = INTEGERS + FLOATS + step;
        // The result replaces an operand, so almost nothing is dead.
        match step % 16 {
            5 | 6 => {
                let to = ir.random(INTEGERS);
                let loaded = ir.load("i32", memory);
                integers[to] = ir.value(&format!("xor i32 {}, {loaded}", integers[to]));
            }
            11 => {
                let source = ir.random(INTEGERS);
                ir.store("i32", &integers[source], memory);
            }
            3 | 9 | 14 => {
                let operation = ["fadd", "fmul", "fsub"][ir.random(3)];
                let (to, other) = (ir.random(FLOATS), ir.random(FLOATS));
                floats[to] = ir.value(&format!("{operation} float {}, {}", floats[to], floats[other]));
            }
            _ => {
                let operation = ["xor", "and", "or"][ir.random(3)];
                let (to, other) = (ir.random(INTEGERS), ir.random(INTEGERS));
                integers[to] = ir.value(&format!("{operation} i32 {}, {}", integers[to], integers[other]));
            }
        }
    }
    for (i, value) in integers.iter().enumerate() {
        ir.store("i32", value, i);
    }
    for (i, value) in floats.iter().enumerate() {
        ir.store("float", value, INTEGERS + i);
    }
}

/// Statements with `ties` tied operands. Each old value is used once more after the statement, so
/// the tied register cannot be its own and a COPY is needed.
fn asm_ties(ir: &mut Builder, size: usize, ties: usize) {
    let results = vec!["i32"; ties].join(", ");
    let result_type = if ties == 1 { results } else { format!("{{ {results} }}") };
    // A statement brings one COPY and one XOR per operand.
    asm_statements(ir, (size / (2 * ties)).max(1), ties, &result_type);
}

/// The same with as many operands in one statement as fit: more than 5,000 would be too many for
/// one node of the SelectionDAG. So more instructions mean more statements, each with its own loads
/// and stores.
fn tied_results(ir: &mut Builder, size: usize) {
    const MAX_TIES: usize = 5000;
    /// A load, a COPY, an XOR and a store.
    const PER_TIE: usize = 4;

    let statements = size.div_ceil(PER_TIE * MAX_TIES).max(1);
    let ties = (size / (PER_TIE * statements)).max(2);
    // Each result names the type, which is long.
    ir.types = format!("%results = type {{ {} }}\n", vec!["i32"; ties].join(", "));
    for _ in 0..statements {
        asm_statements(ir, 1, ties, "%results");
    }
}

/// The statements of these two shapes; `result_type` is the type of all results of one statement.
fn asm_statements(ir: &mut Builder, statements: usize, ties: usize, result_type: &str) {
    let mut values: Vec<String> = (0..ties).map(|i| ir.load("i32", i)).collect();
    let outputs = vec!["=r"; ties].join(",");
    let inputs: Vec<String> = (0..ties).map(|i| i.to_string()).collect();
    let constraints = format!("{outputs},{}", inputs.join(","));
    for _ in 0..statements {
        let operands: Vec<String> = values.iter().map(|value| format!("i32 {value}")).collect();
        let all = ir.value(&format!(
            "call {result_type} asm sideeffect \"// {ties} tied operands\", \"{constraints}\"({})",
            operands.join(", ")
        ));
        for (i, value) in values.iter_mut().enumerate() {
            let new = if ties == 1 {
                all.clone()
            } else {
                ir.value(&format!("extractvalue {result_type} {all}, {i}"))
            };
            *value = ir.value(&format!("xor i32 {new}, {value}"));
        }
    }
    for (i, value) in values.iter().enumerate() {
        ir.store("i32", value, i);
    }
}

/// A chain of statements with one tied operand each: a COPY stands before and after each.
fn asm_chain(ir: &mut Builder, size: usize) {
    let mut value = ir.load("i32", 0);
    for _ in 0..size.max(1) {
        value = ir.value(&format!("call i32 asm sideeffect \"add.s32 $0, $1, 1;\", \"=r,0\"(i32 {value})"));
    }
    ir.store("i32", &value, 0);
}

/// Loops of if-then-else diamonds. At each join eight values are merged, some of them rotated, so
/// eliminating the PHIs leaves real copies.
fn phis(ir: &mut Builder, size: usize) {
    const VALUES: usize = 8;
    /// About the size of one diamond: comparison, branches, arithmetic and copies.
    const PER_DIAMOND: usize = 11;
    const DIAMONDS_PER_LOOP: usize = 200;

    let mut values: Vec<String> = (0..VALUES).map(|i| ir.load("float", i)).collect();
    let mut before = "entry".to_owned();
    let mut left = (size / PER_DIAMOND).max(1);
    for number in 0.. {
        let diamonds = left.min(DIAMONDS_PER_LOOP);
        left -= diamonds;
        ir.line(&format!("br label %loop{number}"));
        ir.label(&format!("loop{number}"));
        for (i, value) in values.iter_mut().enumerate() {
            let first = std::mem::replace(value, format!("%first{number}.{i}"));
            ir.line(&format!(
                "{value} = phi float [ {first}, %{before} ], [ %last{number}.{i}, %latch{number} ]"
            ));
        }
        for index in 0..diamonds {
            values = diamond(ir, &format!("{number}.{index}"), &values);
        }
        ir.line(&format!("br label %latch{number}"));
        ir.label(&format!("latch{number}"));
        for (i, value) in values.iter_mut().enumerate() {
            let merged = std::mem::replace(value, format!("%last{number}.{i}"));
            ir.line(&format!("{value} = fadd float {merged}, {i}.0"));
        }
        ir.line(&format!("%again{number} = fcmp olt float {}, %limit", values[0]));
        ir.line(&format!("br i1 %again{number}, label %loop{number}, label %exit{number}"));
        before = format!("exit{number}");
        ir.label(&before);
        if left == 0 {
            break;
        }
    }
    for (i, value) in values.iter().enumerate() {
        ir.store("float", value, i);
    }
}

/// Loop nests. Each loop carries one value. It reads values of some loops around it before its
/// inner loop and after it, so they are live through all inner loops.
fn loops(ir: &mut Builder, size: usize) {
    const DEPTH: usize = 24;
    /// About the size of one loop: arithmetic, comparison and branch.
    const PER_LOOP: usize = 5;

    let mut result = ir.load("float", 0);
    let mut before = "entry".to_owned();
    for nest in 0..(size / (DEPTH * PER_LOOP)).max(1) {
        let mut carried: Vec<String> = Vec::new();
        for depth in 0..DEPTH {
            let (name, latch) = (format!("loop{nest}.{depth}"), format!("latch{nest}.{depth}"));
            ir.line(&format!("br label %{name}"));
            ir.label(&name);
            let value = format!("%carried{nest}.{depth}");
            ir.line(&format!(
                "{value} = phi float [ {result}, %{before} ], [ %next{nest}.{depth}, %{latch} ]"
            ));
            carried.push(value);
            let around = ir.random(carried.len());
            result = ir.value(&format!("fadd float {}, {}", carried[depth], carried[around]));
            before = name;
        }
        for depth in (0..DEPTH).rev() {
            let (name, latch) = (format!("loop{nest}.{depth}"), format!("latch{nest}.{depth}"));
            ir.line(&format!("br label %{latch}"));
            ir.label(&latch);
            let around = ir.random(depth + 1);
            let sum = ir.value(&format!("fmul float {result}, {}", carried[around]));
            result = format!("%next{nest}.{depth}");
            ir.line(&format!("{result} = fadd float {sum}, {}", carried[depth]));
            let again = ir.value(&format!("fcmp olt float {result}, %limit"));
            before = format!("exit{nest}.{depth}");
            ir.line(&format!("br i1 {again}, label %{name}, label %{before}"));
            ir.label(&before);
        }
    }
    ir.store("float", &result, 0);
}

/// A chain of if-thens; eight values are live throughout.
fn blocks(ir: &mut Builder, size: usize) {
    const VALUES: usize = 8;
    /// The instructions of one if-then: comparison, branch, store, addition.
    const PER_IF: usize = 4;

    let mut values: Vec<String> = (0..VALUES).map(|i| ir.load("float", i)).collect();
    for number in 0..(size / PER_IF).max(1) {
        let [a, b] = [(); 2].map(|()| ir.random(VALUES));
        let condition = ir.value(&format!("fcmp olt float {}, %limit", values[a]));
        ir.line(&format!("br i1 {condition}, label %then{number}, label %next{number}"));
        ir.label(&format!("then{number}"));
        ir.store("float", &values[b], number);
        ir.line(&format!("br label %next{number}"));
        ir.label(&format!("next{number}"));
        values[a] = ir.value(&format!("fadd float {}, {}", values[a], values[b]));
    }
    for (i, value) in values.iter().enumerate() {
        ir.store("float", value, i);
    }
}

/// Loops of one block. Each iteration moves the values on by one place, so two copies of each
/// remain.
fn copies(ir: &mut Builder, size: usize) {
    const VALUES: usize = 64;
    /// The copies, one more to break the cycle, addition, comparison and branch.
    const PER_LOOP: usize = 2 * VALUES + 4;

    let mut values: Vec<String> = (0..VALUES).map(|i| ir.load("float", i)).collect();
    let mut before = "entry".to_owned();
    for number in 0..(size / PER_LOOP).max(1) {
        ir.line(&format!("br label %loop{number}"));
        ir.label(&format!("loop{number}"));
        let carried = |i: usize| format!("%carried{number}.{i}");
        for (i, value) in values.iter_mut().enumerate() {
            let next = if i + 1 == VALUES { format!("%next{number}") } else { carried(i + 1) };
            let first = std::mem::replace(value, carried(i));
            ir.line(&format!("{value} = phi float [ {first}, %{before} ], [ {next}, %loop{number} ]"));
        }
        let other = ir.random(VALUES - 1) + 1;
        ir.line(&format!("%next{number} = fadd float {}, {}", values[0], values[other]));
        let again = ir.value(&format!("fcmp olt float %next{number}, %limit"));
        before = format!("exit{number}");
        ir.line(&format!("br i1 {again}, label %loop{number}, label %{before}"));
        ir.label(&before);
    }
    for (i, value) in values.iter().enumerate() {
        ir.store("float", value, i);
    }
}

/// A sequence of switches. All cases of one meet in a block, which merges three of eight values.
fn switches(ir: &mut Builder, size: usize) {
    const VALUES: usize = 8;
    const MERGED: usize = 3;
    const WAYS: usize = 250;
    /// About the size of one case: finding it, arithmetic, copies and a branch.
    const PER_WAY: usize = 6;

    let mut values: Vec<String> = (0..VALUES).map(|i| ir.load("float", i)).collect();
    let mut left = (size / PER_WAY).max(2);
    for number in 0.. {
        let ways = left.min(WAYS);
        left -= ways;
        let chosen = ir.load("i32", VALUES + number);
        // LLVM makes a table of a dense switch, if it can, and comparisons of a sparse one.
        let step = if number % 2 == 0 { 1 } else { 37 };
        let join = format!("join{number}");
        ir.line(&format!("switch i32 {chosen}, label %way{number}.0 ["));
        for way in 1..ways {
            ir.line(&format!("  i32 {}, label %way{number}.{way}", way * step));
        }
        ir.line("]");
        let merged: Vec<usize> = (0..MERGED).map(|i| (number + i) % VALUES).collect();
        let mut sources = vec![Vec::new(); MERGED];
        for way in 0..ways {
            ir.label(&format!("way{number}.{way}"));
            let [a, b, other] = [(); 3].map(|()| ir.random(VALUES));
            let sum = ir.value(&format!("fadd float {}, {}", values[a], values[b]));
            ir.line(&format!("br label %{join}"));
            for (value, from) in sources.iter_mut().zip([&sum, &values[b], &values[other]]) {
                value.push(format!("[ {from}, %way{number}.{way} ]"));
            }
        }
        ir.label(&join);
        for (value, sources) in merged.iter().zip(&sources) {
            values[*value] = ir.value(&format!("phi float {}", sources.join(", ")));
        }
        if left == 0 {
            break;
        }
    }
    for (i, value) in values.iter().enumerate() {
        ir.store("float", value, i);
    }
}

/// One if-then-else; returns the values after the join.
fn diamond(ir: &mut Builder, suffix: &str, values: &[String]) -> Vec<String> {
    let (then, otherwise, join) = (format!("then{suffix}"), format!("else{suffix}"), format!("join{suffix}"));
    let [a, b, to] = [(); 3].map(|()| ir.random(values.len()));
    let bound = ir.random(1000);
    let condition = ir.value(&format!("fcmp olt float {}, {bound}.0", values[a]));
    ir.line(&format!("br i1 {condition}, label %{then}, label %{otherwise}"));
    ir.label(&then);
    let sum = ir.value(&format!("fadd float {}, {}", values[b], values[to]));
    let product = ir.value(&format!("fmul float {sum}, {}", values[a]));
    ir.line(&format!("br label %{join}"));
    ir.label(&otherwise);
    let difference = ir.value(&format!("fsub float {}, {}", values[to], values[b]));
    ir.line(&format!("br label %{join}"));
    ir.label(&join);
    let mut merged = values.to_vec();
    for (i, value) in merged.iter_mut().enumerate() {
        let (left, right) = if i == to {
            (&product, &difference)
        } else if i % 2 == 0 {
            // Rotated on one side only.
            (&values[(i + 2) % values.len()], &values[i])
        } else {
            continue;
        };
        *value = ir.value(&format!("phi float [ {left}, %{then} ], [ {right}, %{otherwise} ]"));
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deterministic_and_of_the_size_asked_for() {
        for shape in Shape::ALL {
            let ir = kernel(shape, 5000, 64);
            assert_eq!(ir, kernel(shape, 5000, 64));
            // Each value that is carried around a loop of that shape is two copies.
            let copied = if shape == Shape::Copies { ir.matches(" phi ").count() } else { 0 };
            let lines = ir.lines().count() + copied;
            assert!((3000..12_000).contains(&lines), "{}: {lines} lines", shape.name());
        }
    }

    #[test]
    fn the_shapes_have_what_they_are_named_after() {
        let count = |shape, size, what: &str| kernel(shape, size, 64).matches(what).count();
        // Each if-then has two blocks.
        assert_eq!(count(Shape::Blocks, 20_000, "br i1 "), 5000);
        assert_eq!(count(Shape::Blocks, 20_000, ":\n"), 2 * 5000 + 1);
        // Two copies remain of each value that is carried around a loop.
        let carried = count(Shape::Copies, 100_000, " = phi float ");
        assert!((48_000..50_000).contains(&carried), "{carried}");
        assert_eq!(count(Shape::Switches, 6 * 1000, "switch "), 4);
        // Dense and sparse ones alternate.
        assert_eq!(count(Shape::Switches, 6 * 1000, " i32 9213, label "), 2);
        assert_eq!(count(Shape::AsmChain, 8000, "\"=r,0\"(i32 %v"), 8000);
    }

    #[test]
    fn the_statements_of_tied_results_grow_up_to_5000() {
        let of = |size: usize| {
            let ir = kernel(Shape::TiedResults, size, 64);
            let ties = ir.lines().find_map(|line| line.strip_prefix("%results = type ")).expect("a type");
            (ir.matches(" asm sideeffect ").count(), ties.split(',').count())
        };
        assert_eq!([of(1000), of(20_000), of(100_000)], [(1, 250), (1, 5000), (5, 5000)]);
    }

    #[test]
    fn ties() {
        let ir = kernel(Shape::AsmTies, 1, 3);
        assert!(
            ir.contains("call { i32, i32, i32 } asm sideeffect \"// 3 tied operands\", \"=r,=r,=r,0,1,2\"(")
        );
        let one = kernel(Shape::AsmTies, 1, 1);
        assert!(
            one.contains("call i32 asm sideeffect \"// 1 tied operands\", \"=r,0\"(")
                && !one.contains("extractvalue")
        );
    }
}
