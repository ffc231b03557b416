//! Makes listings of PTX and SASS that can be read side by side.
//!
//! **Problem.** Both sides number registers and labels consecutively, so one more instruction at
//! the top changes every line below it.
//!
//! **Method.** A diff of whole lines matches them with those names masked, `add.s32 %r#, %r#, 1`.
//! The page shows whether the names of a matched line are the same too. Debug information is
//! removed from the text and shown as the source place that a line comes from.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use ptx_emu::ptx::parse::Function;
use similar::{capture_diff_slices_deadline, Algorithm, DiffTag};

use super::liveness::Liveness;
use super::model::{Comparison, Hunk, Listing, Ranges, Sides};
use crate::cubin::Lines;

/// The time limit of the diff; what it has found by then is used.
const DIFF_TIME: Duration = Duration::from_secs(5);

/// The source files of a page, by name.
#[derive(Debug, Default)]
pub struct Files {
    pub names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Files {
    /// The file's number plus one.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.names.push(name.to_owned());
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The number of the file that a remark names; the remark may have only the end of the file's
    /// name.
    pub fn ending_with(&self, name: &str) -> u32 {
        let is_end = |whole: &String| {
            whole
                .strip_suffix(name)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/') || name.starts_with('/'))
        };
        self.names.iter().position(is_end).map_or(0, |at| at as u32 + 1)
    }
}

/// `.file 1 "a.cu"` of a module, by number.
pub fn files(ptx: &str) -> HashMap<u32, String> {
    let file = |line: &str| {
        let rest = line.trim_start().strip_prefix(".file")?.trim_start();
        let (number, rest) = rest.split_once(char::is_whitespace)?;
        let mut names = rest.split('"').skip(1).step_by(2);
        let first = names.next()?;
        // A second name is the file's, in the folder of the first; a checksum may follow it.
        let name = match names.next() {
            Some(second) if !second.starts_with('/') => format!("{first}/{second}"),
            Some(second) => second.to_owned(),
            None => first.to_owned(),
        };
        Some((number.parse().ok()?, name))
    };
    ptx.lines().filter_map(file).collect()
}

/// A function of PTX as a listing. `at` maps a line of the module to a line of the listing.
pub struct Text {
    pub listing: Listing,
    at: HashMap<usize, usize>,
}

/// The text of these lines of a module.
pub fn ptx(module: &[&str], lines: Range<usize>, names: &HashMap<u32, String>, files: &mut Files) -> Text {
    let mut text = Text { listing: Listing::default(), at: HashMap::new() };
    let mut place = [0, 0];
    let mut any_place = false;
    for at in lines {
        let line = module[at];
        let word = line.split_whitespace().next().unwrap_or("");
        if word == ".loc" {
            place = location(line, names, files);
            any_place = true;
            continue;
        }
        // These labels only serve the debug information.
        if ["$L__tmp", "$L__func_begin", "$L__func_end"].iter().any(|label| word.starts_with(label)) {
            continue;
        }
        text.at.insert(at + 1, text.listing.lines.len());
        let is_code = !(word.is_empty()
            || word.starts_with(['.', '$', '/', '{', '}', '(', ')'])
            || word.ends_with(':'));
        text.listing.lines.push(untabbed(line));
        text.listing.numbers.push(at as u32 + 1);
        text.listing.places.push(if is_code { place } else { [0, 0] });
    }
    if !any_place {
        text.listing.places.clear();
    }
    text.listing.live = vec![-1; text.listing.lines.len()];
    text.listing.predicates = text.listing.live.clone();
    text
}

impl Text {
    /// Adds the counts of live registers to the lines; if a line has several instructions, the
    /// highest count.
    pub fn add_pressure(&mut self, function: &Function, liveness: &Liveness) {
        for (instruction, pressure) in function.code.iter().zip(&liveness.pressure) {
            if let Some(&line) = self.at.get(&instruction.line) {
                let raise = |value: &mut i32, to: u32| *value = (*value).max(to as i32);
                raise(&mut self.listing.live[line], pressure.words);
                raise(&mut self.listing.predicates[line], pressure.predicates);
            }
        }
    }

    /// The live ranges, in lines of the listing.
    pub fn ranges(&self, function: &Function, liveness: &Liveness) -> Ranges {
        let line = |instruction: u32| {
            let line = function.code[instruction as usize].line;
            self.at.get(&line).map_or(0, |&line| line as u32)
        };
        let mut ranges = Ranges::default();
        for (register, parts) in function.registers.iter().zip(&liveness.ranges) {
            if !parts.is_empty() {
                ranges.names.push(register.name.clone());
                ranges.widths.push(register.width);
                ranges.ranges.push(parts.iter().map(|&[first, last]| [line(first), line(last)]).collect());
            }
        }
        ranges
    }
}

/// File and line of `.loc 1 33 34`; line 0 means none.
fn location(line: &str, names: &HashMap<u32, String>, files: &mut Files) -> [u32; 2] {
    let numbers: Vec<u32> = line
        .split_whitespace()
        .skip(1)
        .take(2)
        .filter_map(|word| word.trim_end_matches(',').parse().ok())
        .collect();
    match numbers[..] {
        [file, line] if line > 0 => names.get(&file).map_or([0, 0], |name| [files.number(name), line]),
        _ => [0, 0],
    }
}

/// The line with spaces in place of tabs; tab stops are every eight columns.
fn untabbed(line: &str) -> String {
    let mut text = String::new();
    for c in line.trim_end().chars() {
        if c == '\t' {
            let width = 8 - text.chars().count() % 8;
            text.extend(std::iter::repeat_n(' ', width));
        } else {
            text.push(c);
        }
    }
    text
}

/// A kernel's part of nvdisasm's listing, with the lines of the source and of its PTX that it comes
/// from.
pub fn sass(text: &str, lines: &Lines, names: &[String], ptx: &Listing, files: &mut Files) -> Listing {
    let mut listing = Listing::default();
    let at: HashMap<u32, u32> =
        ptx.numbers.iter().enumerate().map(|(index, &number)| (number, index as u32 + 1)).collect();
    for line in text.lines() {
        let (text, counts) = line.split_once("// |").unwrap_or((line, ""));
        if let Some((address, text)) = instruction(text) {
            let mut counts = counts.split('|').map(|count| count.trim().parse().unwrap_or(0));
            listing.lines.push(format!("    {text}"));
            listing.numbers.push(address);
            listing.live.push(counts.next().unwrap_or(-1));
            listing.predicates.push(counts.next().unwrap_or(-1));
            listing.uniform = listing.uniform.max(counts.next().unwrap_or(0).max(0) as u32);
            // ptxas' padding at the end comes from no line.
            let (from, place) = match opcode(text) == Some("NOP") {
                true => (None, None),
                false => {
                    (before(&lines.ptx, address, |row| row.0), before(&lines.source, address, |row| row.0))
                }
            };
            listing.ptx.push(from.and_then(|row| at.get(&row.1)).copied().unwrap_or(0));
            listing.places.push(match place {
                Some(&(_, file, line)) if line > 0 => {
                    [names.get(file as usize).map_or(0, |name| files.number(name)), line]
                }
                _ => [0, 0],
            });
        } else if let Some(label) = text.trim().strip_suffix(':').filter(|label| label.starts_with(".L")) {
            listing.lines.push(format!("{label}:"));
            listing.numbers.push(0);
            listing.live.push(-1);
            listing.predicates.push(-1);
            listing.ptx.push(0);
            listing.places.push([0, 0]);
        }
    }
    if listing.places.iter().all(|place| *place == [0, 0]) {
        listing.places.clear();
    }
    listing
}

/// Of sorted rows, the last one at or before an address.
fn before<T>(rows: &[T], address: u32, of: impl Fn(&T) -> u32) -> Option<&T> {
    rows[..rows.partition_point(|row| of(row) <= address)].last()
}

/// The opcode of a line that is an instruction, `ld.param.b64` or `IADD3.X`.
pub fn opcode(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if rest.starts_with('@') {
        rest = rest.split_once(char::is_whitespace)?.1.trim_start();
    }
    let word = &rest[..rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len())];
    (word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.ends_with([':', ','])).then_some(word)
}

/// The label in a line that is one, `$L__BB0_1: // %loop` or `.L_x_2:`.
pub fn label(line: &str) -> Option<&str> {
    let (label, rest) = line.trim_start().split_once(':')?;
    let is_label = label.starts_with("$L") || label.starts_with(".L_");
    (is_label && (rest.trim_start().is_empty() || rest.trim_start().starts_with("//"))).then_some(label)
}

/// Address and text of an instruction of SASS, `/*0010*/ @P0 EXIT ;`.
fn instruction(line: &str) -> Option<(u32, &str)> {
    let (address, text) = line.trim().strip_prefix("/*")?.split_once("*/")?;
    let text = text.split("/*").next().unwrap_or("").trim();
    (address.len() >= 4 && text.contains(';')).then_some(())?;
    Some((u32::from_str_radix(address, 16).ok()?, text))
}

/// Matches the lines of both sides.
pub fn compare(stock: Listing, ours: Listing) -> Comparison {
    // The diff compares lines often, so each distinct line gets a number.
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut masked = |listing: &Listing| -> Vec<usize> {
        let number = |line: &String| {
            let next = known.len();
            *known.entry(mask(line)).or_insert(next)
        };
        listing.lines.iter().map(number).collect()
    };
    let (old, new) = (masked(&stock), masked(&ours));
    let deadline = Instant::now() + DIFF_TIME;
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(deadline));
    let hunks = ops.iter().map(|op| {
        let (tag, old, new) = op.as_tag_tuple();
        Hunk { same: tag == DiffTag::Equal, stock: [old.start, old.len()], ours: [new.start, new.len()] }
    });
    let hunks = hunks.collect();
    Comparison { sides: Sides { stock, ours }, hunks }
}

/// The line without the numbers of registers and labels, its comment and its spacing.
fn mask(line: &str) -> String {
    let line = line.split("//").next().unwrap_or("");
    let mut text = String::new();
    for (index, word) in line.split_whitespace().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        mask_word(word, &mut text);
    }
    text
}

/// `%rd12`, `R12`, `UP0`, `$L__BB0_3`, `.L_x_3`: letters, then a number that is masked.
fn mask_word(word: &str, into: &mut String) {
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let length =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "%$_.".contains(c))).unwrap_or(rest.len());
        if length == 0 {
            into.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (name, after) = rest.split_at(length);
        mask_name(name, into);
        rest = after;
    }
}

/// The name without its number if it names a register or label.
fn mask_name(name: &str, into: &mut String) {
    let without_number = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let mut parts = name.split('.');
    let register = parts.next().unwrap_or(name);
    let letters = &register[..without_number(register)];
    if letters.len() < register.len() && matches!(letters, "R" | "P" | "UR" | "UP" | "B") {
        into.push_str(letters);
        // `.reuse` only says that the register is read again next.
        for modifier in parts.filter(|&part| part != "reuse") {
            into.push('.');
            into.push_str(modifier);
        }
        return;
    }
    let stem = &name[..without_number(name)];
    if stem.starts_with("$L__BB") {
        into.push_str("$L__BB"); // the number of the function stands in it as well
    } else if ["%", "$L", ".L"].iter().any(|sign| stem.starts_with(sign)) {
        into.push_str(stem);
    } else {
        into.push_str(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_emu::ptx::module::Module;

    #[test]
    fn names_are_masked() {
        assert_eq!(mask("\tadd.s32 \t%r12, %r3, 16;   // a"), "add.s32 %r, %r, 16;");
        assert_eq!(mask("@%p1 bra \t$L__BB0_13;"), "@%p bra $L__BB;");
        assert_eq!(mask("    IMAD R2, R9.reuse, c[0x0][0x0], R2 ;"), "IMAD R, R, c[0x0][0x0], R ;");
        assert_eq!(mask("  @!P1 BRA `(.L_x_2) ;"), "@!P BRA `(.L_x_) ;");
        // Constants and opcodes must differ.
        assert_ne!(mask("add.s32 %r1, %r2, 16;"), mask("add.s32 %r1, %r2, 17;"));
        assert_ne!(mask("mov.u32 %r1, %tid.x;"), mask("mov.u32 %r1, %ctaid.x;"));
        assert_ne!(mask("LDG.E R4, [R4.64] ;"), mask("LDG.E.128 R4, [R4.64] ;"));
        assert_ne!(mask("LDG.E R4, [R4.64] ;"), mask("LDG.E R4, [R4] ;"));
        assert_ne!(mask("ld.param.b32 %r1, [k_param_0];"), mask("ld.param.b32 %r1, [k_param_1];"));
    }

    fn listing(lines: &[&str]) -> Listing {
        Listing { lines: lines.iter().map(|&line| line.to_owned()).collect(), ..Listing::default() }
    }

    #[test]
    fn rows_of_a_comparison() {
        let stock = listing(&["mov.b32 %r1, 0;", "mov.b32 %r2, %r1;", "ret;"]);
        let ours = listing(&["mov.b32 %r7, 0;", "ret;"]);
        let comparison = compare(stock, ours);
        let hunk = |same, stock, ours| Hunk { same, stock, ours };
        assert_eq!(
            comparison.hunks,
            [hunk(true, [0, 1], [0, 1]), hunk(false, [1, 1], [1, 0]), hunk(true, [2, 1], [1, 1])]
        );
    }

    const MODULE: &str = "\
.version 7.0
.target sm_80
.func f() // @f
{
\tret;
}
.visible .entry k(
\t.param .u64 p
)
{
\t.reg .b32 \t%r<3>;
$L__func_begin0:
\t.loc\t1 3 0
\tmov.u32 \t%r1, %tid.x;
$L__tmp0:
\t.loc\t2 7 4, function_name $L__info_string0, inlined_at 1 3 4
\t{ // callseq 0
\tst.shared.b32 \t[s], %r1;
\t}
\t.loc\t1 0 4
\tret;
}
\t.file\t1 \"/d/a.cu\"
\t.file\t2 \"/d\" \"b.h\" md5 0x12
";

    #[test]
    fn places_in_the_source() {
        let names = files(MODULE);
        assert_eq!((names[&1].as_str(), names[&2].as_str()), ("/d/a.cu", "/d/b.h"));
        let module = Module::new(MODULE.to_owned());
        assert_eq!((module.functions[0].name.as_str(), module.lines(0)), ("f", 2..6));
        assert_eq!((module.functions[1].name.as_str(), module.lines(1)), ("k", 6..22));
        let lines: Vec<&str> = MODULE.lines().collect();
        let mut files = Files::default();
        let text = ptx(&lines, module.lines(1), &names, &mut files);
        let at = |what: &str| text.listing.lines.iter().position(|line| line.contains(what)).expect("a line");
        assert_eq!(text.listing.places[at("mov.u32")], [1, 3]);
        assert_eq!(text.listing.places[at("st.shared")], [2, 7]);
        assert_eq!(text.listing.places[at("ret;")], [0, 0]);
        assert!(text.listing.lines.iter().all(|line| !line.contains(".loc") && !line.contains("$L__tmp")));
        assert_eq!(text.listing.lines[at("mov.u32")], "        mov.u32         %r1, %tid.x;");
        assert_eq!(
            (files.ending_with("b.h"), files.ending_with("d/a.cu"), files.ending_with("c.h")),
            (2, 1, 0)
        );
        assert_eq!(files.ending_with(".h"), 0);
    }

    #[test]
    fn places_stay_empty_without_debug_information() {
        let module = ["f()", "{", "ret;", "}"];
        let text = ptx(&module, 0..4, &HashMap::new(), &mut Files::default());
        assert!(text.listing.places.is_empty() && text.listing.lines.len() == 4);
    }

    #[test]
    fn sass_with_its_lines() {
        let ranges = "\
k:                                                  // |       |        |
.text.k:                                            // |       |        |
        /*0000*/      MOV R1, c[0x0][0x28] ;        // |   1   |        |
.L_x_2:                                             // |   7   |        |
        /*0010*/      @P0 EXIT ;                    // |  12   |   1    |   4    |
";
        let names = ["/d/a.cu".to_owned(), "/d/b.h".to_owned()];
        let lines = Lines { ptx: vec![(0, 7), (16, 9)], source: vec![(0, 0, 29), (16, 1, 4)] };
        let ptx = Listing { numbers: vec![5, 7, 9], ..Listing::default() };
        let listing = sass(ranges, &lines, &names, &ptx, &mut Files::default());
        assert_eq!(listing.lines, ["    MOV R1, c[0x0][0x28] ;", ".L_x_2:", "    @P0 EXIT ;"]);
        assert_eq!(listing.live, [1, -1, 12]);
        assert_eq!(listing.predicates, [0, -1, 1]);
        assert_eq!(listing.places, [[1, 29], [0, 0], [2, 4]]);
        assert_eq!(listing.numbers, [0, 0, 16]);
        assert_eq!((&listing.ptx[..], listing.uniform), (&[2, 0, 3][..], 4));
        let none = sass(ranges, &Lines::default(), &[], &ptx, &mut Files::default());
        assert!(none.places.is_empty() && none.ptx == [0, 0, 0]);
    }
}
