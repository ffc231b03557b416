//! Packs a kernel's data more tightly than a general compressor can. `page/report.js` unpacks it.
//!
//! **Problem.** Listings of PTX and SASS are most of the page. Their lines repeat, except for the
//! numbers of registers and labels. To deflate those numbers look like noise, and so does a copy
//! farther back than its window of 32 kB: ours after stock's.
//!
//! **Method.** A line consists of a *shape*, its text with a mark in place of each such number, and
//! the numbers. Each shape is stored once, as text. All else is one stream of small integers, which
//! is deflated:
//!
//! * A shape is coded as 0 if it is the one that followed last time, otherwise by how long ago it
//!   was new. If a line of ours is matched with one of stock's and has the same shape, it is coded
//!   as 0.
//! * A number is coded as 0 if it is the expected one: the next new one of its class (`%r`, `R`,
//!   `$L__BB0_`), or in our text the number that last stood for stock's number in the same place.
//!   Otherwise it is coded by its rank among recently used numbers, or as itself. The codes of one
//!   place of one shape are stored together.
//! * Columns of numbers are coded as differences.
//!
//! The head has a hash of all lines, which the page checks: a wrong register would be worse than no
//! page.
//!
//! **Source.** Move-to-front coding: Bentley, Sleator, Tarjan and Wei, "A Locally Adaptive Data
//! Compression Scheme", CACM 29(4), 1986. To expect the mapping of names between two versions is
//! our own idea. **Complexity**: linear in the lines, times the rank of a number, at most
//! [`MOST_RECENT`].

use std::collections::HashMap;

use anyhow::{Context, Result};
use serde::Serialize;

use super::model::{Comparison, Detail, Listing, Loop, Mix, Ranges, Remark, Stage, Time};

/// The first of the characters that mark a number in a shape, one per class.
const FIRST_MARK: u32 = 0xe000;
/// At most this many classes.
const MOST_CLASSES: usize = 0xf00;
/// At most this many numbers of a class are remembered.
const MOST_RECENT: usize = 4096;

/// The part of the data that is text.
#[derive(Serialize)]
struct Head<'a> {
    ptx: Text,
    sass: Text,
    /// Classes of the names of live ranges: PTX's of stock and ours, then those before coalescing.
    classes: [Vec<String>; 3],
    /// Names without a number, in the order of their places.
    odd: Vec<&'a str>,
    stages: &'a [Stage],
    remarks: &'a [Remark],
    notes: &'a [String],
    /// The loops of PTX and SASS, stock's and ours.
    loops: [[&'a [Loop]; 2]; 2],
    /// The mixes of stock's SASS and of ours.
    mixes: [&'a [Mix]; 2],
    registers: [&'a str; 2],
    time: Option<&'a Time>,
    /// The drawing's title; empty without a drawing.
    title: &'a str,
    blocks: Vec<&'a str>,
}

/// The text of a comparison.
#[derive(Default, Serialize)]
struct Text {
    /// The shapes, one per line.
    shapes: String,
    hash: u32,
}

/// Small integers as bytes, seven bits each, low bits first.
#[derive(Default)]
struct Stream(Vec<u8>);

impl Stream {
    fn put(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn put_len(&mut self, length: usize) {
        self.put(u32::try_from(length).unwrap_or(u32::MAX));
    }

    /// A signed number; numbers near zero become small ones.
    fn put_signed(&mut self, value: i64) {
        self.put(zigzag(value));
    }
}

fn zigzag(value: i64) -> u32 {
    ((value << 1) ^ (value >> 63)) as u32
}

/// A kernel's data: the length of the head in four bytes, the head as JSON, the stream.
pub fn bytes(detail: &Detail) -> Result<Vec<u8>> {
    let mut stream = Stream::default();
    let ptx = comparison(&detail.ptx, 1, &mut stream);
    let sass = comparison(&detail.sass, 16, &mut stream);
    links(&detail.ptx, &detail.sass, &mut stream);
    let mut odd = Vec::new();
    let sides = [&detail.ranges.stock, &detail.ranges.ours, &detail.drawing.ranges];
    let classes = sides.map(|side| ranges(side, &mut stream, &mut odd));
    let mut last = 0;
    for (_, start) in &detail.drawing.blocks {
        stream.put(start.saturating_sub(last));
        last = *start;
    }
    stream.put(detail.drawing.end.saturating_sub(last));
    let sides = [&detail.ptx.sides, &detail.sass.sides];
    let head = Head {
        loops: sides.map(|sides| [&sides.stock.loops[..], &sides.ours.loops[..]]),
        mixes: [&detail.sass.sides.stock.mixes, &detail.sass.sides.ours.mixes],
        registers: [&detail.registers.stock, &detail.registers.ours],
        time: detail.time.as_ref(),
        ptx,
        sass,
        classes,
        odd,
        stages: &detail.stages,
        remarks: &detail.remarks,
        notes: &detail.notes,
        title: &detail.drawing.title,
        blocks: detail.drawing.blocks.iter().map(|(name, _)| name.as_str()).collect(),
    };
    let head = serde_json::to_vec(&head).context("the page's data")?;
    let length = u32::try_from(head.len()).context("the page's data")?;
    Ok([&length.to_le_bytes()[..], &head, &stream.0].concat())
}

/// A line: its shape, and the class and number of each name.
struct Line {
    shape: usize,
    names: Vec<(usize, u32)>,
}

/// The shapes and classes of a comparison.
#[derive(Default)]
struct Shapes {
    texts: Vec<String>,
    known: HashMap<String, usize>,
    classes: HashMap<String, usize>,
}

impl Shapes {
    fn line(&mut self, line: &str) -> Line {
        let mut shape = String::new();
        let mut names = Vec::new();
        let mut rest = line;
        while let Some((before, class, number, after)) = next_name(rest) {
            let next = self.classes.len();
            let class = match self.classes.get(class) {
                Some(&class) => Some(class),
                None if next < MOST_CLASSES => {
                    self.classes.insert(class.to_owned(), next);
                    Some(next)
                }
                None => None,
            };
            shape.push_str(&plain(before));
            match class.and_then(|class| Some((class, char::from_u32(FIRST_MARK + class as u32)?))) {
                Some((class, mark)) => {
                    shape.push(mark);
                    names.push((class, number));
                }
                None => shape.push_str(&number.to_string()),
            }
            rest = after;
        }
        shape.push_str(&plain(rest));
        let next = self.texts.len();
        let shape = *self.known.entry(shape).or_insert_with_key(|shape| {
            self.texts.push(shape.clone());
            next
        });
        Line { shape, names }
    }
}

/// The text without characters that mean something in a shape.
fn plain(text: &str) -> String {
    let is_mark =
        |c: char| c == '\n' || (FIRST_MARK..FIRST_MARK + MOST_CLASSES as u32).contains(&u32::from(c));
    text.chars().map(|c| if is_mark(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The next numbered name: the text before it, its class, its number, and the text after it.
fn next_name(line: &str) -> Option<(&str, &str, u32, &str)> {
    let bytes = line.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(|c| c.is_ascii_alphanumeric() || b"_%$.".contains(c));
    let mut at = 0;
    while at < bytes.len() {
        if is_word(at) && (at == 0 || !is_word(at - 1)) {
            if let Some(length) = class_length(&line[at..]) {
                let start = at + length;
                let digits = bytes[start..].iter().take_while(|c| c.is_ascii_digit()).count();
                let text = &line[start..start + digits];
                let is_number = text == "0" || !text.starts_with('0');
                let ends =
                    bytes.get(start + digits).is_none_or(|c| !(c.is_ascii_alphanumeric() || *c == b'_'));
                if let (true, true, Ok(number)) = (is_number, ends, text.parse::<u32>()) {
                    if number < 1 << 30 {
                        return Some((&line[..start], &line[at..start], number, &line[start + digits..]));
                    }
                }
            }
        }
        at += 1;
    }
    None
}

/// The length of a word's part before its number, if it names a register or label.
fn class_length(word: &str) -> Option<usize> {
    let count = |from: usize, is_part: fn(&u8) -> bool| {
        word.as_bytes()[from..].iter().take_while(|c| is_part(c)).count()
    };
    if word.starts_with('%') {
        return Some(1 + count(1, u8::is_ascii_lowercase)).filter(|&length| length > 1);
    }
    if let Some(rest) = word.strip_prefix("$L__BB") {
        let digits = word.len() - rest.len() + count(6, u8::is_ascii_digit);
        return word[digits..].starts_with('_').then_some(digits + 1);
    }
    [".L_x_", "UR", "UP", "R", "P", "B"].into_iter().find(|name| word.starts_with(name)).map(str::len)
}

/// Codes shapes by the shape that followed last time.
#[derive(Default)]
struct Follows {
    last: Option<usize>,
    after: HashMap<usize, usize>,
}

impl Follows {
    /// 0 for the expected shape, otherwise its distance from the next new one, plus one. `new`: how
    /// many shapes there were.
    fn code(&mut self, shape: usize, new: &mut usize) -> u32 {
        let expected = self.last.and_then(|last| self.after.get(&last).copied()).unwrap_or(*new);
        let code = if shape == expected { 0 } else { 1 + (*new - shape) as u32 };
        *new = (*new).max(shape + 1);
        self.pass(shape);
        code
    }

    /// Notes a shape that the reader knows by other means.
    fn pass(&mut self, shape: usize) {
        if let Some(last) = self.last.replace(shape) {
            self.after.insert(last, shape);
        }
    }
}

/// Codes the numbers of names.
#[derive(Default)]
struct Names {
    classes: HashMap<usize, Class>,
}

#[derive(Default)]
struct Class {
    next: u32,
    /// The most recent one first.
    recent: Vec<u32>,
}

impl Names {
    /// 0 for the expected number, its rank plus two, or 1 followed by the number. `guess`: the
    /// expected number, if not the next new one.
    fn code(&mut self, class: usize, number: u32, guess: Option<u32>, into: &mut Vec<u32>) {
        let class = self.classes.entry(class).or_default();
        let rank = match number < class.next {
            true => class.recent.iter().position(|&known| known == number),
            false => None,
        };
        match rank {
            _ if number == guess.unwrap_or(class.next) => into.push(0),
            Some(rank) => into.push(rank as u32 + 2),
            None => into.extend([1, number]),
        }
        if let Some(rank) = rank {
            class.recent.remove(rank);
        }
        class.recent.insert(0, number);
        class.recent.truncate(MOST_RECENT);
        class.next = class.next.max(number + 1);
    }
}

/// The codes of the names, by shape and place.
#[derive(Default)]
struct Groups(HashMap<(usize, usize), Vec<u32>>);

impl Groups {
    fn of(&mut self, shape: usize, place: usize) -> &mut Vec<u32> {
        self.0.entry((shape, place)).or_default()
    }

    fn put(self, stream: &mut Stream) {
        let mut groups: Vec<_> = self.0.into_iter().collect();
        groups.sort_unstable_by_key(|(place, _)| *place);
        groups.iter().flat_map(|(_, codes)| codes).for_each(|&code| stream.put(code));
    }
}

/// Two texts. `step`: the difference between the numbers of two lines.
fn comparison(both: &Comparison, step: u32, stream: &mut Stream) -> Text {
    let mut shapes = Shapes::default();
    let [stock, ours] = [&both.sides.stock, &both.sides.ours];
    let [old, new] =
        [stock, ours].map(|side| side.lines.iter().map(|line| shapes.line(line)).collect::<Vec<Line>>());
    stream.put_len(both.hunks.len());
    for hunk in &both.hunks {
        stream.put(u32::from(hunk.same));
        stream.put_len(hunk.stock[1]);
        stream.put_len(hunk.ours[1]);
    }
    let (mut follows, mut number) = (Follows::default(), 0);
    for line in &old {
        stream.put(follows.code(line.shape, &mut number));
    }
    let mut follows = Follows::default();
    let mut groups = Groups::default();
    let mut names = Names::default();
    for line in &old {
        for (place, &(class, number)) in line.names.iter().enumerate() {
            names.code(class, number, None, groups.of(line.shape, place));
        }
    }
    let mut our_groups = Groups::default();
    let mut our_names = Names::default();
    let mut mapped: HashMap<(usize, u32), u32> = HashMap::new();
    for hunk in &both.hunks {
        for index in 0..hunk.ours[1] {
            let line = &new[hunk.ours[0] + index];
            let partner = hunk.same.then(|| &old[hunk.stock[0] + index]);
            match partner {
                Some(partner) if partner.shape == line.shape => {
                    stream.put(0);
                    follows.pass(line.shape);
                }
                Some(_) => {
                    let code = follows.code(line.shape, &mut number);
                    stream.put(code + 1);
                }
                None => stream.put(follows.code(line.shape, &mut number)),
            }
            let partner = partner.filter(|partner| partner.shape == line.shape);
            for (place, &(class, number)) in line.names.iter().enumerate() {
                let guess = partner.and_then(|partner| mapped.insert(partner.names[place], number));
                our_names.code(class, number, guess, our_groups.of(line.shape, place));
            }
        }
    }
    groups.put(stream);
    our_groups.put(stream);
    for side in [stock, ours] {
        columns(side, step, stream);
    }
    let lines = || stock.lines.iter().chain(&ours.lines);
    Text { shapes: shapes.texts.join("\n"), hash: hash(lines().map(|line| plain(line))) }
}

/// The lines of PTX that SASS comes from. 0 is the expected line: for ours the partner of the PTX
/// line of the matched SASS line of stock's, otherwise the last line. 1 means that there is no line. All else codes
/// the distance from the last one.
fn links(ptx: &Comparison, sass: &Comparison, stream: &mut Stream) {
    let pairs = |both: &Comparison| -> Vec<(usize, usize)> {
        let same = both.hunks.iter().filter(|hunk| hunk.same);
        same.flat_map(|hunk| (0..hunk.stock[1]).map(|index| (hunk.stock[0] + index, hunk.ours[0] + index)))
            .collect()
    };
    let ours_of: HashMap<usize, usize> = pairs(ptx).into_iter().collect();
    let stock_of: HashMap<usize, usize> =
        pairs(sass).into_iter().map(|(stock, ours)| (ours, stock)).collect();
    let [stock, ours] = [&sass.sides.stock, &sass.sides.ours];
    let at = |side: &Listing, index: usize| side.ptx.get(index).copied().unwrap_or(0);
    for (is_ours, side) in [(false, stock), (true, ours)] {
        let mut last = 0;
        for index in 0..side.lines.len() {
            let old = stock_of.get(&index).filter(|_| is_ours).map_or(0, |&partner| at(stock, partner));
            let mapped = (old as usize).checked_sub(1).and_then(|line| ours_of.get(&line));
            let expected = mapped.map_or(last, |&line| line as u32 + 1);
            match at(side, index) {
                line if line == expected => stream.put(0),
                0 => stream.put(1),
                line => stream.put(zigzag(i64::from(line) - i64::from(last)) + 2),
            }
            last = if at(side, index) > 0 { at(side, index) } else { last };
        }
    }
}

/// FNV-1a of the lines in UTF-16 units, with a line end after each.
fn hash(lines: impl Iterator<Item = String>) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for line in lines {
        for unit in line.encode_utf16().chain([10]) {
            hash = (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193);
        }
    }
    hash
}

/// The columns beside the lines.
fn columns(side: &Listing, step: u32, stream: &mut Stream) {
    let mut last = 0;
    for &number in &side.numbers {
        // SASS labels have no address.
        match number {
            0 if step > 1 && last > 0 => stream.put(1),
            _ if number == last + step => stream.put(0),
            _ => stream.put(zigzag(i64::from(number) - i64::from(last)) + 2),
        }
        if !(number == 0 && step > 1) {
            last = number;
        }
    }
    for column in [&side.live, &side.predicates] {
        let mut last = 0;
        for &count in column {
            if count < 0 {
                stream.put(0);
            } else {
                stream.put(zigzag(i64::from(count) - last) + 1);
                last = i64::from(count);
            }
        }
    }
    stream.put(u32::from(!side.places.is_empty()));
    let mut last = [0, 0];
    for &place in &side.places {
        if place == last {
            stream.put(0);
        } else {
            stream.put(place[0] + 1);
            stream.put_signed(i64::from(place[1]) - i64::from(last[1]));
            last = place;
        }
    }
}

/// Live ranges, sorted by their beginnings. Returns the classes of their names.
fn ranges<'a>(ranges: &'a Ranges, stream: &mut Stream, odd: &mut Vec<&'a str>) -> Vec<String> {
    let mut order: Vec<usize> = (0..ranges.names.len()).collect();
    order.sort_by_key(|&index| ranges.ranges[index].first().map_or(0, |range| range[0]));
    let mut classes: Vec<&str> = Vec::new();
    let mut next: HashMap<usize, u32> = HashMap::new();
    stream.put_len(order.len());
    let mut last_width = 0;
    for &index in &order {
        let name = &ranges.names[index];
        match split(name) {
            Some((class, number)) => {
                let class = classes.iter().position(|known| *known == class).unwrap_or_else(|| {
                    classes.push(class);
                    classes.len() - 1
                });
                let expected = next.entry(class).or_default();
                stream.put_len(class + 1);
                stream.put_signed(i64::from(*expected) - i64::from(number));
                *expected = (*expected).max(number + 1);
            }
            None => {
                stream.put(0);
                odd.push(name);
            }
        }
        stream.put_signed(i64::from(ranges.widths[index]) - last_width);
        last_width = i64::from(ranges.widths[index]);
    }
    let mut start = 0;
    for &index in &order {
        let parts = &ranges.ranges[index];
        stream.put_len(parts.len());
        let mut at = start;
        for (number, &[first, last]) in parts.iter().enumerate() {
            stream.put_signed(i64::from(first) - at);
            stream.put_signed(i64::from(last) - i64::from(first));
            if number == 0 {
                start = i64::from(first);
            }
            at = i64::from(last);
        }
    }
    classes.into_iter().map(str::to_owned).collect()
}

/// `%r` and 12 of `%r12`.
fn split(name: &str) -> Option<(&str, u32)> {
    let class = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[class.len()..];
    let number: u32 = digits.parse().ok()?;
    (number < 1 << 30 && number.to_string() == digits).then_some((class, number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::listing;

    #[test]
    fn names_in_lines() {
        let names = |line: &str| -> Vec<(String, u32)> {
            let mut found = Vec::new();
            let mut rest = line;
            while let Some((_, class, number, after)) = next_name(rest) {
                found.push((class.to_owned(), number));
                rest = after;
            }
            found
        };
        let of = |line: &str| {
            names(line)
                .iter()
                .map(|(class, number)| format!("{class}+{number}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(of("@%p1 ld.b32 \t%r12, [%rd3+16], 0f3F800000, %tid.x; // %bb.0"), "%p+1 %r+12 %rd+3");
        assert_eq!(of("@!UP0 IMAD.WIDE.U32 R2.reuse, -R12, c[0x0][0x28], |R250|"), "UP+0 R+2 R+12 R+250");
        assert_eq!(
            of("$L__BB0_12: bra $L__BB10_3; .L_x_7: BAR.SYNC RZ, PT"),
            "$L__BB0_+12 $L__BB10_+3 .L_x_+7"
        );
        assert_eq!(of("%r01 %r4294967296 xR1 R1x R R1_2 %1"), "");
    }

    #[test]
    fn lines_of_a_matched_side_cost_little() {
        let line = |number: u32| format!("add.s32 %r{}, %r{}, %r{};", number + 1, number, number / 7);
        let listing = |from: u32| {
            let lines: Vec<String> = (from..from + 900).map(line).collect();
            let columns = vec![-1; lines.len()];
            Listing {
                numbers: (1..=900).collect(),
                live: columns.clone(),
                predicates: columns,
                lines,
                ..Listing::default()
            }
        };
        let size = |both: &Comparison| {
            let mut stream = Stream::default();
            let text = comparison(both, 1, &mut stream);
            assert_eq!(text.shapes.lines().count(), 1);
            stream.0.iter().filter(|&&byte| byte != 0).count()
        };
        let one = size(&listing::compare(listing(0), Listing::default()));
        let both = size(&listing::compare(listing(0), listing(0)));
        assert!(both < one + 20, "{one} {both}");
    }

    #[test]
    fn links_of_matched_lines_cost_nothing() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let ptx = listing::compare(
            Listing { lines: lines("a b c"), ..Listing::default() },
            Listing { lines: lines("x a b c"), ..Listing::default() },
        );
        let sass = listing::compare(
            Listing { lines: lines("A B C"), ptx: vec![3, 0, 1], ..Listing::default() },
            Listing { lines: lines("A X B C"), ptx: vec![4, 1, 0, 2], ..Listing::default() },
        );
        let mut stream = Stream::default();
        links(&ptx, &sass, &mut stream);
        // Stock's: 3, none and 1. Then ours: the partner of 3, one line before it, none, the
        // partner of 1.
        assert_eq!(stream.0, [zigzag(3) as u8 + 2, 1, zigzag(-2) as u8 + 2, 0, zigzag(-3) as u8 + 2, 1, 0]);
    }

    #[test]
    fn a_character_with_a_meaning_is_another_one() {
        assert_eq!(plain("a\u{e000}b\nc"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(hash(["a".to_owned()].into_iter()), {
            let step = |hash: u32, unit: u32| (hash ^ unit).wrapping_mul(0x0100_0193);
            step(step(0x811c_9dc5, 97), 10)
        });
    }
}
