//! Reads the live ranges of one function from the plugin's drawing (`-ptx-live-ranges`).
//!
//! The drawing of a large kernel is half a megabyte of text. The page needs only two numbers of
//! each segment, and draws them itself.

use super::model::{Drawing, Ranges};

/// The drawing of a function; `None` if there is none.
pub fn of(svg: &str, function: &str) -> Option<Drawing> {
    const GROUP: &str = "<g transform=\"translate(0 ";
    let title = format!(">{}: live ranges", escaped(function));
    let is_of = |group: &&str| group.lines().nth(1).is_some_and(|line| line.contains(&title));
    let group = svg.split(GROUP).skip(1).find(is_of)?;
    let mut drawing = Drawing::default();
    let mut register = String::new();
    for line in group.lines() {
        let content =
            || line.split_once('>').and_then(|(_, rest)| rest.split_once('<')).map_or("", |(text, _)| text);
        if line.starts_with("<text class=\"title\"") {
            drawing.title = unescaped(content());
        } else if line.starts_with("<text class=\"note\"") {
            drawing.title = format!("{}; {}", drawing.title, unescaped(content()));
        } else if line.starts_with("<rect class=\"b") {
            let (name, [start, end]) = segment(line)?;
            drawing.blocks.push((name, start));
            drawing.end = drawing.end.max(end);
        } else if let Some((name, range)) = segment(line) {
            let (name, class) = name.split_once(' ').unwrap_or((&name, ""));
            if register != name {
                register = name.to_owned();
                drawing.ranges.names.push(register.clone());
                drawing.ranges.widths.push(width(class));
                drawing.ranges.ranges.push(Vec::new());
            }
            drawing.ranges.ranges.last_mut()?.push(range);
        }
    }
    merge(&mut drawing.ranges);
    (!drawing.title.is_empty()).then_some(drawing)
}

/// Joins segments without a gap between them: the drawing has one for each value.
fn merge(ranges: &mut Ranges) {
    for parts in &mut ranges.ranges {
        parts.sort_unstable();
        let mut joined: Vec<[u32; 2]> = Vec::new();
        for &[start, end] in parts.iter() {
            match joined.last_mut() {
                Some(last) if last[1] >= start => last[1] = last[1].max(end),
                _ => joined.push([start, end]),
            }
        }
        *parts = joined;
    }
}

/// `NAME: 16r to 64B, ...` in the title of a rectangle: the name, and the instructions where it
/// begins and ends.
fn segment(line: &str) -> Option<(String, [u32; 2])> {
    let (_, rest) = line.strip_prefix("<rect ")?.split_once("<title>")?;
    let (name, rest) = rest.split_once(": ")?;
    let (start, rest) = rest.split_once(" to ")?;
    let end = rest.split([',', '<']).next()?;
    let slot = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<u32>().ok();
    Some((unescaped(name), [slot(start)? / SLOTS, slot(end)?.div_ceil(SLOTS)]))
}

/// The distance between the indices of two consecutive instructions.
const SLOTS: u32 = 16;

/// The bits of a register class, from its name: `B64` or `Int64Regs`.
fn width(class: &str) -> u32 {
    let digits = class.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().unwrap_or(32)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_two() {
        let svg = "<?xml version=\"1.0\"?>\n<svg xmlns=\"x\" width=\"300\" height=\"200\">\n<style>a</style>\n\
            <g transform=\"translate(0 10.0)\">\n<text class=\"title\" x=\"1\">f: live ranges before coalescing</text>\n</g>\n\
            <g transform=\"translate(0 90.0)\">\n<text class=\"title\" x=\"1\">g&lt;a&gt;: live ranges before</text>\n<text class=\"note\">2 of 3</text>\n\
            <rect class=\"b0\" x=\"7\"><title>%bb.0: 0B to 240B</title></rect>\n<rect class=\"b1\" x=\"7\"><title>%bb.1: 240B to 1936B</title></rect>\n\
            <g class=\"r\" fill=\"#1f6fb4\">\n<text>%58</text>\n<rect x=\"9\"><title>%58 B32: 16r to 112B, value 0: 16r</title></rect>\n\
            <rect x=\"9\"><title>%58 B32: 112B to 160r, value 2: PHI-def 112B</title></rect>\n\
            <rect x=\"9\"><title>%58 B32: 1600r to 1608r, value 1: 1600r</title></rect>\n</g>\n\
            <g class=\"r\" fill=\"#1f6fb4\">\n<rect x=\"9\"><title>%7 Int64Regs: 32r to 48r, value 0: 32r</title></rect>\n</g>\n</g>\n</svg>\n";
        let f = of(svg, "f").expect("a drawing");
        assert_eq!((f.title.as_str(), f.ranges.names.len()), ("f: live ranges before coalescing", 0));
        let g = of(svg, "g<a>").expect("a drawing");
        assert_eq!(g.title, "g<a>: live ranges before; 2 of 3");
        assert_eq!((g.blocks, g.end), (vec![("%bb.0".to_owned(), 0), ("%bb.1".to_owned(), 15)], 121));
        assert_eq!(
            (g.ranges.names, g.ranges.widths),
            (vec!["%58".to_owned(), "%7".to_owned()], vec![32, 64])
        );
        assert_eq!(g.ranges.ranges, [vec![[1, 10], [100, 101]], vec![[2, 3]]]);
        assert_eq!(of(svg, "h"), None);
        assert_eq!(of("", "f"), None);
    }
}
