//! Draws live ranges as SVG (`-ptx-live-ranges=FILE.svg`).
//!
//! **Problem.** Lists of slots do not show why many registers are live at once. **Algorithm.**
//! Instructions run from left to right. Each register has a row of bars; rows are in the order in
//! which the registers become live. Every second block is shaded. Above the bars is the curve of
//! the register pressure, in 32-bit registers. Functions are drawn when they are measured. When the
//! process ends they go into one file, one below the other, in the order of the module.
//!
//! **Source.** None. **Limits.** A big function is drawn only in part, because a full drawing would
//! be too big to read. The registers with the longest live ranges are drawn, at most `MAX_ROWS` of
//! them and `MAX_SEGMENTS` segments. A note says how many are left out. The width is at most
//! `MAX_WIDTH` pixels.
//!
//! **Complexity.** Linear in the drawing and in the slots, except that rows are sorted.

use super::knobs;
use crate::liveness::pressure::{Class, Measured};
use crate::liveness::ranges::{LiveRange, LiveRanges};
use crate::liveness::slot_index::SlotIndex;
use crate::process::compiler;
use std::cmp::Reverse;
use std::fmt::Write;
use std::io;
use std::sync::Mutex;

/// The most registers drawn for one function.
const MAX_ROWS: usize = 2_000;
/// The most segments drawn for one function.
const MAX_SEGMENTS: usize = 20_000;
/// The maximum width of one function, in pixels.
const MAX_WIDTH: f32 = 20_000.0;
/// The width of an instruction in pixels, where there is room.
const ENTRY: f32 = 16.0;
const ROW: f32 = 11.0;
const LEFT: f32 = 70.0;
const RIGHT: f32 = 30.0;
const CURVE: f32 = 70.0;
/// The width of a monospaced character of the smaller size.
const CHAR: f32 = 6.0;
/// The width of a character of the title.
const TITLE_CHAR: f32 = 8.5;

/// The colours of NVPTX's register classes, under their names in LLVM 17 to 20 and from 21 on.
const COLOURS: &[(&[&str], &str)] = &[
    (&["Int1Regs", "B1"], "#8c8c8c"),
    (&["Int16Regs", "B16"], "#2a9d8f"),
    (&["Int32Regs", "B32"], "#1f6fb4"),
    (&["Int64Regs", "B64"], "#e07b1a"),
    (&["Int128Regs", "B128"], "#9b2226"),
    (&["Float32Regs"], "#4c9f38"),
    (&["Float64Regs"], "#c2339a"),
];
/// The colours of all other classes, by their position.
const OTHER_COLOURS: &[&str] = &["#6a4c93", "#b5651d", "#118ab2", "#7f8c1a", "#d1495b", "#3d5a80"];

const STYLE: &str = "text{font:10px monospace;fill:#222}\
.title{font:bold 14px monospace}\
.note{fill:#a00}\
.r text{text-anchor:end}\
.r rect{stroke:#fff;stroke-width:.4}\
.v{stroke:#000;stroke-width:1.4}\
.phi{fill:#fff;stroke:#000;stroke-width:1}\
.peak{stroke:#c00;stroke-dasharray:3 3}\
.limit{stroke:#c00}\
.curve{fill:#bcd3ea;stroke:#1f4e79}\
.b0{fill:#fff}.b1{fill:#f0f0f0}";

/// A drawn function.
pub struct Drawing {
    width: f32,
    height: f32,
    body: String,
}

fn colour(class: &Class, position: usize) -> &'static str {
    let known = COLOURS.iter().find(|(names, _)| names.contains(&&*class.name));
    known.map_or(OTHER_COLOURS[position % OTHER_COLOURS.len()], |(_, colour)| colour)
}

/// Escapes `text` for character data or an attribute. Characters that XML does not allow become
/// U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push(' '),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

macro_rules! put {
    ($out:expr, $($format:tt)*) => {
        writeln!($out, $($format)*).expect("a String takes everything")
    };
}

/// The scale from slots to pixels.
struct Scale {
    /// The width of a slot.
    slot: f32,
}

impl Scale {
    fn x(&self, at: SlotIndex) -> f32 {
        LEFT + at.0 as f32 * self.slot
    }
}

/// Chooses the registers to draw, in the order of their starts, and makes a note about the others.
/// The others have the shortest live ranges, so they add least to the pressure.
fn choose(all: &LiveRanges) -> (Vec<&LiveRange>, String) {
    let mut rows: Vec<&LiveRange> = all.ranges.iter().filter(|r| r.num_segments > 0).collect();
    let of = rows.len();
    let length = |r: &LiveRange| all.segments(r).iter().map(|s| s.end.0 - s.start.0).sum::<u32>();
    rows.sort_by_cached_key(|r| (Reverse(length(r)), r.owner));
    let mut segments = 0;
    let fit = rows.iter().take(MAX_ROWS).take_while(|r| {
        segments += r.num_segments as usize;
        segments <= MAX_SEGMENTS
    });
    let fit = fit.count();
    rows.truncate(fit);
    rows.sort_by_key(|r| (all.segments(r)[0].start, r.owner));
    let note = match of - fit {
        0 => String::new(),
        cut => format!("not drawn: {cut} of {of} registers, those that are live for the shortest"),
    };
    (rows, note)
}

/// Draws the live ranges of a function.
pub fn draw(f: &Measured, all: &LiveRanges) -> Drawing {
    let (rows, note) = choose(all);
    let entries = f.slots.num_entries() as f32;
    let scale = Scale { slot: (MAX_WIDTH / entries).min(ENTRY) / 4.0 };
    let total = f.pressure.total();
    let title = format!(
        "{}: live ranges before coalescing; at most {} 32-bit registers live (-maxreg={}), in %bb.{} at {}",
        f.function,
        total.max,
        f.maxreg,
        f.block(total.at),
        f.host.name(total.at)
    );
    let mut body = String::new();
    put!(body, r#"<text class="title" x="10" y="20">{}</text>"#, escape(&title));
    let legend_width = legend(&mut body, f);
    if !note.is_empty() {
        put!(body, r#"<text class="note" x="10" y="52">{note}</text>"#);
    }
    let curve_top = 76.0;
    let bars_top = curve_top + CURVE + 16.0;
    let bottom = bars_top + rows.len() as f32 * ROW + 4.0;
    blocks(&mut body, f, &scale, curve_top, bottom);
    curve(&mut body, f, &scale, curve_top);
    ruler(&mut body, f, &scale, curve_top + CURVE + 11.0);
    put!(
        body,
        r#"<line class="peak" x1="{x:.1}" y1="{curve_top:.1}" x2="{x:.1}" y2="{bottom:.1}"/>"#,
        x = scale.x(total.at)
    );
    for (i, range) in rows.iter().enumerate() {
        bars(&mut body, f, all, range, &scale, bars_top + i as f32 * ROW);
    }
    // The time axis ends at the last boundary; nothing is live after it.
    let time = LEFT + 4.0 * (entries - 1.0).max(0.0) * scale.slot + RIGHT;
    let title_width = 20.0 + TITLE_CHAR * title.chars().count().min(2_000) as f32;
    let note_width = 20.0 + CHAR * note.len() as f32;
    Drawing { width: time.max(title_width).max(legend_width).max(note_width), height: bottom + 20.0, body }
}

/// Draws the legend: each class with its colour and maximum, and the marks. Returns its right edge.
fn legend(body: &mut String, f: &Measured) -> f32 {
    let mut x = 10.0;
    for (i, class) in f.classes.list.iter().enumerate() {
        let text = format!("{} max {}", class.name, f.pressure.by_class()[i].max);
        put!(body, r#"<rect x="{x:.1}" y="30" width="10" height="8" fill="{}"/>"#, colour(class, i));
        put!(body, r#"<text x="{:.1}" y="38">{}</text>"#, x + 14.0, escape(&text));
        x += 30.0 + CHAR * text.len() as f32;
    }
    put!(body, r#"<line class="v" x1="{x:.1}" y1="30" x2="{x:.1}" y2="38"/>"#);
    put!(body, r#"<text x="{:.1}" y="38">def of a value</text>"#, x + 4.0);
    x += 104.0;
    phi_mark(body, x, 34.0);
    put!(body, r#"<text x="{:.1}" y="38">PHI-def</text>"#, x + 7.0);
    x + 70.0
}

fn phi_mark(body: &mut String, x: f32, y: f32) {
    put!(body, r#"<path class="phi" d="M{:.1} {y:.1}l4 -4l4 4l-4 4z"/>"#, x - 4.0);
}

/// Draws the blocks, every second one shaded, with labels where there is room.
fn blocks(body: &mut String, f: &Measured, scale: &Scale, top: f32, bottom: f32) {
    let mut labelled_to = f32::MIN;
    let mut drawn_to = f32::MIN;
    for (block, number) in f.numbers.iter_enumerated() {
        let (start, end) = (f.slots.start(block), f.slots.end(block));
        let (from, to) = (scale.x(start), scale.x(end));
        if to - drawn_to < 0.5 {
            continue;
        }
        drawn_to = to;
        put!(
            body,
            r#"<rect class="b{}" x="{from:.1}" y="{top:.1}" width="{:.1}" height="{:.1}"><title>%{number}: {} to {}</title></rect>"#,
            block.index() % 2,
            to - from,
            bottom - top,
            f.host.name(start),
            f.host.name(end),
        );
        let label = format!("%{number}");
        if from >= labelled_to {
            put!(body, r#"<text x="{from:.1}" y="{:.1}">{label}</text>"#, top - 4.0);
            labelled_to = from + CHAR * (label.len() + 1) as f32;
        }
    }
}

/// Draws the pressure curve. Where several slots share a pixel it shows their maximum.
fn curve(body: &mut String, f: &Measured, scale: &Scale, top: f32) {
    let slots = 4 * (f.slots.num_entries() as u32 - 1).max(1);
    let columns = slots.min(MAX_WIDTH as u32);
    let column = |slot: u32| (u64::from(slot) * u64::from(columns) / u64::from(slots)) as usize;
    let mut heights = vec![0; columns as usize];
    let steps = &f.pressure.curve;
    for (i, &(from, total)) in steps.iter().enumerate() {
        let to = steps.get(i + 1).map_or(slots, |next| next.0 .0);
        for height in &mut heights[column(from.0)..=column(to - 1)] {
            *height = total.max(*height);
        }
    }
    let max = f.pressure.total().max.max(1);
    let y = |n: u32| top + CURVE - (CURVE - 6.0) * n as f32 / max as f32;
    let x = |c: usize| LEFT + c as f32 * scale.slot * slots as f32 / columns as f32;
    let mut path = format!("M{LEFT:.1} {:.1}", y(0));
    let mut last = 0;
    for (c, &height) in heights.iter().enumerate() {
        if height != last {
            write!(path, "H{:.1}V{:.1}", x(c), y(height)).expect("a String takes everything");
            last = height;
        }
    }
    put!(body, r#"<path class="curve" d="{path}H{:.1}V{:.1}z"/>"#, x(heights.len()), y(0));
    put!(body, r#"<text x="10" y="{:.1}">{max}</text>"#, y(max) + 4.0);
    put!(body, r#"<text x="10" y="{:.1}">32-bit</text>"#, y(0) - 10.0);
    put!(body, r#"<text x="10" y="{:.1}">registers</text>"#, y(0));
    if f.maxreg <= max {
        put!(
            body,
            r#"<line class="limit" x1="{LEFT}" y1="{y:.1}" x2="{:.1}" y2="{y:.1}"><title>-maxreg={}</title></line>"#,
            x(heights.len()),
            f.maxreg,
            y = y(f.maxreg)
        );
    }
}

/// Writes LLVM's instruction numbers.
fn ruler(body: &mut String, f: &Measured, scale: &Scale, y: f32) {
    let step = ((CHAR * 9.0) / (4.0 * scale.slot)).ceil().max(1.0) as usize;
    for entry in (0..f.slots.num_entries()).step_by(step) {
        let at = SlotIndex(4 * entry as u32);
        put!(body, r#"<text x="{:.1}" y="{y:.1}">{}</text>"#, scale.x(at), f.host.name(at));
    }
}

/// Draws the row of a register.
fn bars(body: &mut String, f: &Measured, all: &LiveRanges, range: &LiveRange, scale: &Scale, top: f32) {
    let (segments, values) = (all.segments(range), all.values(range));
    let class = f.classes.of(all.owner(range));
    let (name, fill) = match class {
        Some(i) => (&*f.classes.list[i].name, colour(&f.classes.list[i], i)),
        None => ("no class", "#000"),
    };
    let name = escape(name);
    put!(body, r#"<g class="r" fill="{fill}">"#);
    let first = scale.x(segments[0].start);
    put!(body, r#"<text x="{:.1}" y="{:.1}">{:?}</text>"#, first - 6.0, top + 9.0, all.owner(range));
    let mut marks = String::new();
    for s in segments {
        let (from, to) = (scale.x(s.start), scale.x(s.end));
        let def = values[s.value.index()];
        let faint = if s.value.index() % 2 == 1 { r#" fill-opacity=".6""# } else { "" };
        let phi = if def.is_block() { "PHI-def " } else { "" };
        put!(
            body,
            r#"<rect x="{from:.1}" y="{:.1}" width="{:.1}" height="{:.1}"{faint}><title>{:?} {name}: {} to {}, value {}: {phi}{}</title></rect>"#,
            top + 1.0,
            (to - from).max(1.5),
            ROW - 2.0,
            all.owner(range),
            f.host.name(s.start),
            f.host.name(s.end),
            s.value.raw(),
            f.host.name(def),
        );
        if s.start == def {
            if def.is_block() {
                phi_mark(&mut marks, from, top + ROW / 2.0);
            } else {
                put!(
                    marks,
                    r#"<line class="v" x1="{from:.1}" y1="{:.1}" x2="{from:.1}" y2="{:.1}"/>"#,
                    top + 1.0,
                    top + ROW - 1.0
                );
            }
        }
    }
    body.push_str(&marks);
    put!(body, "</g>");
}

/// Stacks drawings into one SVG document.
fn document<'d>(drawings: impl Iterator<Item = &'d Drawing>) -> String {
    let (mut body, mut width, mut height) = (String::new(), 400.0_f32, 10.0);
    for d in drawings {
        put!(body, "<g transform=\"translate(0 {height:.1})\">\n{}</g>", d.body);
        width = width.max(d.width);
        height += d.height;
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
         <style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         {body}</svg>\n"
    )
}

/// The module, the position in it, and the drawing.
static DRAWINGS: Mutex<Vec<(String, u32, Drawing)>> = Mutex::new(Vec::new());

/// Keeps a drawing for [`finish`].
pub fn add(module: &str, function_number: u32, drawing: Drawing) {
    DRAWINGS.lock().unwrap_or_else(|e| e.into_inner()).push((module.to_owned(), function_number, drawing));
}

/// Writes the file that the option names, if any. Called once, at the end of the process.
///
/// # Errors
/// Names the file that cannot be written, and gives the reason.
pub fn finish() -> io::Result<()> {
    let Some(file) = knobs::LIVE_RANGES.file.take() else { return Ok(()) };
    let mut drawings = std::mem::take(&mut *DRAWINGS.lock().unwrap_or_else(|e| e.into_inner()));
    if drawings.is_empty() && !compiler::generates_device_code() {
        file.leave();
        return Ok(());
    }
    // As in the statistics, the order must not depend on threads. Runs on one function keep their
    // order.
    drawings.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    file.write(&document(drawings.iter().map(|(.., drawing)| drawing)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liveness::pressure::tests::{classes, host, ranges, slots};
    use crate::liveness::pressure::Pressure;
    use crate::liveness::tests::random::Rng;
    use crate::mir::{BlockId, BlockNumber};
    use crate::nvptx::occupancy::Architecture;
    use index_vec::IndexVec;

    /// Draws a function whose blocks have these numbers of instructions.
    fn draw_it(name: &str, blocks: &[u32], all: &LiveRanges, of: &[usize]) -> Drawing {
        let classes = classes(all, &[("Int32Regs", 32), ("B64", 64), ("Odd<&>", 8)], of);
        let slots = slots(blocks);
        let mut pressure = Pressure::default();
        pressure.measure(all, &classes, &slots);
        let numbers: IndexVec<BlockId, _> = (0..blocks.len()).map(BlockNumber::new).collect();
        let f = Measured {
            function: name,
            maxreg: 2,
            target: None,
            architecture: Architecture::of("sm_80"),
            classes: &classes,
            pressure: &pressure,
            slots: &slots,
            host: &host(&slots),
            numbers: &numbers,
        };
        draw(&f, all)
    }

    /// Checks that elements are closed in order and that text has no bare `<` or `&`. That suffices
    /// for what is written here.
    fn check(xml: &str) {
        let mut open = Vec::new();
        let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect("declaration");
        while let Some(at) = rest.find('<') {
            let (text, tag) = rest.split_at(at);
            for entity in text.split('&').skip(1) {
                assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|e| entity.starts_with(e)), "{text}");
            }
            let (tag, after) = tag[1..].split_once('>').expect("a tag ends");
            let name = tag.split([' ', '/']).next().unwrap();
            if let Some(closed) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed));
            } else if !tag.ends_with('/') {
                open.push(name);
            }
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
            rest = after;
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn l8_bars_values_blocks_and_names_are_in_the_drawing() {
        // %0 has a value from entry 1 and a PHI-def at the second block; %1 is local to it.
        let all = ranges(&[&[(6, 12, 0), (12, 22, 1)], &[(18, 22, 0)], &[(6, 7, 0)]]);
        let d = draw_it("a<b>&\"\u{1}", &[2, 3], &all, &[0, 1, 2]);
        let svg = document([d].iter());
        check(&svg);
        for part in [
            "a&lt;b&gt;&amp;&quot;\u{fffd}: live ranges before coalescing; at most 3 32-bit registers live (-maxreg=2), in %bb.1 at 64r",
            "<title>%0 Int32Regs: 16r to 48B, value 0: 16r</title>",
            "<title>%0 Int32Regs: 48B to 80r, value 1: PHI-def 48B</title>",
            "<title>%1 B64: 64r to 80r, value 0: 64r</title>",
            "<title>%2 Odd&lt;&amp;&gt;: 16r to 16d, value 0: 16r</title>",
            "Int32Regs max 1",
            "<title>%bb.1: 48B to 112B</title>",
            "<title>-maxreg=2</title>",
        ] {
            assert!(svg.contains(part), "{part} is not in\n{svg}");
        }
        assert!(!svg.contains("not drawn"));
        assert_eq!(svg.matches("class=\"r\"").count(), 3);
        // One in the legend, one of %0.
        assert_eq!(svg.matches("class=\"phi\"").count(), 2);
    }

    #[test]
    fn l8_no_register_and_no_function_make_a_file() {
        check(&document([].iter()));
        let d = draw_it("f", &[0], &LiveRanges::default(), &[]);
        check(&document([d].iter()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "too large")]
    fn l8_a_big_function_is_bounded_and_says_what_is_left_out() {
        let mut rng = Rng::new(3);
        let end = 4 * 60_001_usize;
        // Every fourth register lives across blocks.
        let registers: Vec<Vec<(u32, u32, u32)>> = (0..12_000)
            .map(|i| {
                let start = rng.below(end - 40_000) as u32;
                let to = if i % 4 == 0 { start + 30_000 } else { start - start % 4 + 4 };
                vec![(start, to, 0)]
            })
            .collect();
        let all = ranges(&registers.iter().map(|r| &**r).collect::<Vec<_>>());
        let svg = document([draw_it("big", &[19; 3000], &all, &vec![0; 12_000])].iter());
        check(&svg);
        assert!(svg.contains("not drawn: 10000 of 12000 registers, those that are live for the shortest"));
        assert_eq!(svg.matches("class=\"r\"").count(), MAX_ROWS);
        let labels = svg.split("\">%").skip(1).filter_map(|l| l.split('<').next()?.parse::<usize>().ok());
        assert!(labels.clone().all(|reg| reg % 4 == 0) && labels.count() == MAX_ROWS);
        assert!(svg.len() < 2_000_000, "{}", svg.len());
    }
}
