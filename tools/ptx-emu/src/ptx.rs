//! Reads PTX: how many instructions, which kinds of moves, how many virtual registers.
//!
//! Counting needs no PTX grammar, only statements (`scan` cuts them). A statement that begins with
//! a dot is a directive, any other an instruction. A predicate `@%p1` before it is skipped.
//!
//! Kinds of moves follow the declared type of the registers, not their names: up to LLVM 20 floats
//! live in `.f32 %f` registers and a bit cast is a `mov.b32 %f1, %r1`; newer versions declare
//! `.b32` for both.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

mod assembly;
pub mod decode;
mod exact;
pub mod module;
pub mod parse;
pub mod run;
pub(crate) mod scan;
pub mod trace;
pub mod types;
pub mod value;

use scan::Item;

/// Counts of what is in one PTX module, or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Instructions, those of inline assembly among them.
    pub instructions: u64,
    /// The `mov` instructions among them.
    pub moves: Moves,
    /// Virtual registers by declared type (`b32`, `f64`, `pred`), all functions together.
    pub registers: BTreeMap<String, u64>,
    /// Functions that are an `.entry`.
    pub kernels: u64,
    /// First word of `.target`, e.g. `sm_90a`.
    pub target: Option<String>,
    /// Operand of `.version`.
    pub version: Option<String>,
}

/// `mov` instructions by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moves {
    /// Between two registers of one kind.
    pub register: u64,
    /// A constant into a register.
    pub immediate: u64,
    /// The same bits between an integer and a floating-point register.
    pub bit_cast: u64,
    /// Several registers into a wide one, `mov.b64 %rd1, {%r1, %r2}`.
    pub pack: u64,
    /// A wide register into several, `mov.b64 {%r1, %r2}, %rd1`.
    pub unpack: u64,
    /// Addresses, special registers such as `%tid.x`, the stack pointer.
    pub other: u64,
}

impl Moves {
    /// All `mov` instructions.
    pub fn total(&self) -> u64 {
        self.register + self.immediate + self.bit_cast + self.pack + self.unpack + self.other
    }
}

impl Stats {
    /// All virtual registers.
    pub fn register_total(&self) -> u64 {
        self.registers.values().sum()
    }
}

/// Counts what is in a PTX module.
pub fn analyse(ptx: &str) -> Stats {
    let mut reader = Reader::default();
    scan::scan(ptx, |_, item| reader.take(item));
    reader.stats
}

/// The kernels of llc's PTX: name, and the text from `.entry` to the next one. So a function
/// between two kernels counts for the first of them, and everything counts exactly once.
pub fn kernels(ptx: &str) -> Vec<(&str, &str)> {
    // A comment or a string may contain the word.
    let is_directive = |at: &usize| {
        let line = ptx[..*at].rsplit('\n').next().unwrap_or("");
        line.split_whitespace().all(|word| word.starts_with('.'))
    };
    let starts: Vec<usize> = ptx.match_indices(".entry ").map(|(at, _)| at).filter(is_directive).collect();
    let ends = starts.iter().skip(1).copied().chain([ptx.len()]);
    let kernel = |(&start, end): (&usize, usize)| {
        let text = &ptx[start..end];
        let name = text[".entry ".len()..].split(['(', '\n', ' ']).next().unwrap_or("");
        (name, text)
    };
    starts.iter().zip(ends).map(kernel).collect()
}

#[derive(Default)]
struct Reader {
    stats: Stats,
    /// Blocks that enclose the statement.
    depth: usize,
    /// Declared type by register name or name stem (`%r` of `%r<8>`), in the current function.
    declared: HashMap<String, String>,
}

impl Reader {
    fn take(&mut self, item: Item) {
        match item {
            Item::Statement(text) if text.starts_with('.') => self.directive(&text),
            Item::Statement(text) if !text.starts_with("@@") => self.instruction(&text),
            Item::Open => self.depth += 1,
            Item::Close => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.declared.clear();
                }
            }
            Item::Statement(_) | Item::Label(_) | Item::Comment(_) => {}
        }
    }

    fn directive(&mut self, text: &str) {
        let (name, operands) = text.split_once(' ').unwrap_or((text, ""));
        match name {
            ".version" => self.stats.version = Some(operands.trim().to_owned()),
            ".target" => {
                let target = operands.split([',', ' ']).next().unwrap_or("");
                self.stats.target = Some(target.to_owned());
            }
            ".reg" => self.registers(operands),
            _ => {
                if text.split(' ').any(|word| word == ".entry") {
                    self.stats.kernels += 1;
                }
            }
        }
    }

    /// `.b32 %r<12>, %SP` declares %r0 to %r11, of which llc never uses %r0.
    fn registers(&mut self, operands: &str) {
        let mut words = operands.splitn(2, ' ');
        let mut kind = words.next().unwrap_or("").trim_start_matches('.').to_owned();
        let mut names = words.next().unwrap_or("");
        if let (true, Some((element, rest))) = (kind.starts_with('v'), names.split_once(' ')) {
            kind.push_str(element);
            names = rest;
        }
        for name in names.split(',') {
            let name = name.trim();
            let Some((stem, count)) = name.split_once('<') else {
                self.declared.insert(name.to_owned(), kind.clone());
                continue;
            };
            self.declared.insert(stem.to_owned(), kind.clone());
            // Ranges in an inner scope come from inline assembly, not from LLVM.
            let count = count.trim_end_matches('>').trim().parse::<u64>();
            if let (true, Ok(count)) = (self.depth <= 1, count) {
                *self.stats.registers.entry(kind.clone()).or_default() += count.saturating_sub(1);
            }
        }
    }

    fn instruction(&mut self, text: &str) {
        let text = match text.strip_prefix('@') {
            Some(guarded) => guarded.trim_start().split_once(' ').map_or("", |(_, rest)| rest.trim_start()),
            None => text,
        };
        if text.is_empty() {
            return;
        }
        self.stats.instructions += 1;
        if text.starts_with("mov.") {
            let operands = text.split_once(' ').map_or("", |(_, operands)| operands);
            *self.move_kind(operands) += 1;
        }
    }

    fn move_kind(&mut self, operands: &str) -> &mut u64 {
        let (to, from) = split_operands(operands);
        let is_float = |operand| self.register_kind(operand).map(|kind| kind.starts_with('f'));
        let kinds = (is_float(to), is_float(from));
        let moves = &mut self.stats.moves;
        match kinds {
            _ if to.starts_with('{') => &mut moves.unpack,
            _ if from.starts_with('{') => &mut moves.pack,
            (Some(to), Some(from)) if to != from => &mut moves.bit_cast,
            (Some(_), Some(_)) => &mut moves.register,
            (Some(_), None) if is_immediate(from) => &mut moves.immediate,
            _ => &mut moves.other,
        }
    }

    /// The declared type of a virtual register; `None` if the operand is anything else.
    fn register_kind(&self, operand: &str) -> Option<&str> {
        let stem = operand.trim_end_matches(|c: char| c.is_ascii_digit());
        // %SP and %SPL are declared by their full names and hold the frame's address.
        if matches!(operand, "%SP" | "%SPL") {
            return None;
        }
        self.declared
            .get(operand)
            .or_else(|| self.declared.get(stem).filter(|_| stem.len() < operand.len()))
            .map(String::as_str)
    }
}

/// Destination and source of a two-operand instruction; a comma in braces does not separate them.
fn split_operands(operands: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, c) in operands.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => return (operands[..at].trim(), operands[at + 1..].trim()),
            _ => {}
        }
    }
    (operands.trim(), "")
}

fn is_immediate(operand: &str) -> bool {
    operand.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(body: &str) -> Stats {
        let head = ".version 8.4\n.target sm_90a, debug\n.address_size 64\n\n\t// .globl\tk\n\
            .visible .entry k(\n\t.param .u64 .ptr .global .align 1 k_param_0,\n\t.param .u32 k_param_1\n)\n\
            .maxntid 128, 1, 1\n.minnctapersm 2\n{\n";
        analyse(&format!("{head}{body}\n}}\n"))
    }

    #[test]
    fn header_and_registers() {
        let stats = function(
            "\t.reg .pred \t%p<3>;\n\t.reg .b32 \t%r<12>;\n\t.reg .b64 \t%SP;\n\t.reg .f32 %f<2>;\n\tret;\n\t// -- End function",
        );
        assert_eq!(stats.version.as_deref(), Some("8.4"));
        assert_eq!(stats.target.as_deref(), Some("sm_90a"));
        assert_eq!(stats.kernels, 1);
        assert_eq!(stats.instructions, 1);
        let registers: Vec<_> = stats.registers.iter().map(|(k, n)| (k.as_str(), *n)).collect();
        assert_eq!(registers, [("b32", 11), ("f32", 1), ("pred", 2)]);
        assert_eq!(stats.register_total(), 14);
    }

    #[test]
    fn labels_predicates_and_comments() {
        let stats = function(
            "$L__BB0_1:                              // %loop; not {code}\n\
             \t// =>This Inner Loop Header: Depth=1\n\
             \t@%p1 bra \t$L__BB0_1;\n\t@!%p2 bra.uni $L__BB0_2; /* a; b */ bar.sync 0;\n\
             $L__BB0_2: add.s32 %r1, %r2, 1;\n\tret;",
        );
        assert_eq!(stats.instructions, 5);
    }

    #[test]
    fn kinds_of_moves() {
        let stats = function(
            ".reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n.reg .b64 %SP;\n.reg .b64 %SPL;\n\
             .reg .b16 %rs<9>;\n.reg .pred %p<2>;\n\
             mov.u32 %r1, %r2;\nmov.b64 %rd1, %rd2;\nmov.pred %p1, %p1;\n\
             mov.u32 %r1, -1;\nmov.f32 %f1, 0f3F800000;\nmov.b64 %rd1, 0x7;\n\
             mov.b32 %r1, %f1;\nmov.b32 %f1, %r1;\n\
             mov.b64 %rd1, {%r1, %r2};\nmov.b32 \t{%rs1, %rs2}, %r1;\n@%p1 mov.b64 {%r1,_}, %rd1;\n\
             mov.u32 %r1, %tid.x;\nmov.u64 %rd1, sym;\nmov.u64 %SPL, __local_depot0;\nmov.u64 %rd1, %SP;\n\
             movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;",
        );
        let expected = Moves { register: 3, immediate: 3, bit_cast: 2, pack: 1, unpack: 2, other: 4 };
        assert_eq!(stats.moves, expected);
        assert_eq!(stats.moves.total(), 15);
        assert_eq!(stats.instructions, 16);
    }

    #[test]
    fn unified_registers_have_no_bit_casts() {
        let stats = function(".reg .b32 %r<9>;\nmov.b32 %r1, %r2;\n");
        assert_eq!((stats.moves.register, stats.moves.bit_cast), (1, 0));
    }

    #[test]
    fn call_sequences_are_blocks() {
        let stats = function(
            "\t{ // callseq 0, 0\n\t.param .b32 param0;\n\tst.param.b32 \t[param0+0], %r1;\n\t.param .b32 retval0;\n\
             \tcall.uni (retval0), \n\tfoo, \n\t(\n\tparam0\n\t);\n\tld.param.b32 \t%r2, [retval0+0];\n\t} // callseq 0\n\
             prototype_0 : .callprototype ()_ (.param .b32 _);\n\tcall (retval0), %rd1, (param0), prototype_0;\n\tret;",
        );
        assert_eq!(stats.instructions, 5);
    }

    #[test]
    fn inline_assembly() {
        let stats = function(
            ".reg .b32 %r<9>;\n\t// begin inline asm\n\t{ .reg .pred p; .reg .b32 t<4>; setp.eq.u32 p, %r1, 0;\n\
             @p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd2], 16, [%r3]; }\n\
             \t// end inline asm\n\t// begin inline asm\n\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 \n\
             {%f1, %f2,\n %f3, %f4}, %rd1, %rd2, p, 1, 1;\n\t// end inline asm\n\
             // begin inline asm\nld.global.v2.b32 { %r1, %r2 }, [ %rd1 + 0 ]; mov.u32 t1, 0x0;\nWAIT: bra WAIT;\n// end inline asm\n",
        );
        assert_eq!(stats.instructions, 6);
        assert_eq!(stats.registers.get("b32"), Some(&8), "the asm scope's own registers do not count");
    }

    #[test]
    fn an_assembly_text_may_lack_its_last_semicolon() {
        assert_eq!(function("{ bar.sync 0 }\nret;").instructions, 2);
    }

    #[test]
    fn data_debug_info_and_declarations() {
        let stats = analyse(
            ".version 7.0\n.target sm_80\n.extern .func (.param .b32 func_retval0) vprintf\n(\n.param .b64 vprintf_param_0\n)\n;\n\
             .global .align 4 .u32 table[4] = {1, 2, 3, 4};\n.extern .shared .align 16 .b8 smem[];\n\
             .func f() // @f\n{\n\t.loc 1 3 5 // a.cu:3:5\n\tret;\n\t.loc\t1 4 1, function_name $L__info_string0, inlined_at 1 3 4\n$L__tmp0:\n\tret;\n}\n\
             .file 1 \"a;{.cu\"\n.section .debug_abbrev\n{\n.b8 1 // code\n.b8 17\n$L__d:\n.b32 2\n}\n\t.section\t.debug_macinfo\t{\t}\n",
        );
        assert_eq!(stats.instructions, 2);
        assert_eq!(stats.kernels, 0);
    }

    #[test]
    fn branch_tables() {
        let stats = function(
            "$L_brx_0: .branchtargets\n\t$L__BB0_1,\n\t$L__BB0_2;\n\tbrx.idx \t%r1, $L_brx_0;\n\t.pragma \"nounroll\";\n\tret;",
        );
        assert_eq!(stats.instructions, 2);
    }

    #[test]
    fn kernel_by_kernel() {
        let ptx = ".version 7.0\n.visible .entry a(\n.param .u32 p\n)\n{\n.reg .b32 %r<3>;\n{ // callseq\nret;\n\t}\n}\n\
            // .entry no\n.func f()\n{\nret;\n}\n.entry b()\n{\n.reg .b32 %r<3>;\nmov.b32 %r1, %r2;\nmov.b32 %r1, 2;\n}\n";
        let kernels = kernels(ptx);
        assert_eq!(kernels.iter().map(|k| k.0).collect::<Vec<_>>(), ["a", "b"]);
        let [a, b] = [0, 1].map(|k: usize| analyse(kernels[k].1));
        assert_eq!((a.instructions, a.moves.register, a.kernels), (2, 0, 1));
        assert_eq!((b.instructions, b.moves.register, b.moves.immediate, b.kernels), (2, 1, 1, 1));
    }

    #[test]
    fn declarations_belong_to_their_function() {
        let stats = analyse(
            ".func a()\n{\n.reg .b32 %x<3>;\nmov.b32 %x1, %x2;\n}\n.func b()\n{\n.reg .f32 %x<2>;\n.reg .b32 %r<2>;\nmov.b32 %x1, %r1;\n}\n",
        );
        assert_eq!((stats.moves.register, stats.moves.bit_cast), (1, 1));
        assert_eq!(stats.register_total(), 4);
    }
}
