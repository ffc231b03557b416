//! Draws the curves as SVG: a panel for each shape, with logarithmic axes.
//!
//! A decade has the same length on both axes, so that linear growth is parallel to the grey
//! diagonals. Our curves are solid, stock's dashed in the same colour, and stages, which stock does
//! not have, thin. The background and all colours are in the file, for light and for dark.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{Curve, Growth, Kind, Report};

/// Colours of passes, for a light and for a dark background.
const PASSES: [(&str, &str); 8] = [
    ("#1f6fb4", "#62a8e5"),
    ("#c2410c", "#f59e5b"),
    ("#2e7d32", "#6cc070"),
    ("#9b1c8a", "#e07bd2"),
    ("#b3261e", "#f2807a"),
    ("#0e7c86", "#4fc3cd"),
    ("#1c2129", "#e4e8ee"),
    ("#4338ca", "#a5a1f5"),
];
/// The same for stages.
const STAGES: [(&str, &str); 10] = [
    ("#5b6472", "#a0a9b6"),
    ("#8a6d00", "#d9b93b"),
    ("#6a4c93", "#b497e0"),
    ("#00695c", "#4db6a4"),
    ("#a1466a", "#e39ab9"),
    ("#3d5a80", "#8fb3de"),
    ("#7a4a1d", "#cf9a68"),
    ("#4f6b1c", "#a7c763"),
    ("#b5651d", "#f0b27a"),
    ("#37474f", "#cfd8dc"),
];

/// Pixels of a factor of ten.
const DECADE: f64 = 66.0;
/// Shorter times are not printed by `-time-passes`.
const SHORTEST_MS: f64 = 0.1;
/// The room for the numbers of the axes and for the title of a panel.
const LEFT: f64 = 54.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 24.0;
const GAP: f64 = 12.0;
const COLUMNS: usize = 4;
const HEAD: f64 = 46.0;
/// A line of the legend, and the widths of its two columns.
const ROW: f64 = 18.0;
const PASSES_WIDTH: f64 = 310.0;
const STAGES_WIDTH: f64 = 230.0;

macro_rules! put {
    ($out:expr, $($format:tt)*) => {
        writeln!($out, $($format)*).expect("a String takes everything")
    };
}

/// The range of the axes, the same in all panels.
struct Axes {
    instructions: (f64, f64),
    ms: (f64, f64),
}

impl Axes {
    fn of(reports: &[Report]) -> Axes {
        let sizes = || reports.iter().flat_map(|report| &report.instructions).map(|size| *size as f64);
        let curves =
            reports.iter().flat_map(drawn).flat_map(|growth| growth.stock.iter().chain([&growth.plugin]));
        let longest = curves.flat_map(|curve| &curve.ms).copied().fold(10.0 * SHORTEST_MS, f64::max);
        let (smallest, largest) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(1.0, f64::max));
        Axes { instructions: (smallest.max(1.0) / 1.25, largest * 1.25), ms: (SHORTEST_MS, longest * 1.5) }
    }
    fn width(&self) -> f64 {
        DECADE * (self.instructions.1 / self.instructions.0).log10()
    }
    fn height(&self) -> f64 {
        DECADE * (self.ms.1 / self.ms.0).log10()
    }
    fn x(&self, instructions: f64) -> f64 {
        DECADE * (instructions / self.instructions.0).log10()
    }
    fn y(&self, ms: f64) -> f64 {
        self.height() - DECADE * (ms / self.ms.0).log10()
    }
    /// The powers of ten in a range.
    fn decades((from, to): (f64, f64)) -> impl Iterator<Item = f64> {
        let (first, last) = (from.log10().ceil() as i32, to.log10().floor() as i32);
        (first..=last).map(|exponent| 10_f64.powi(exponent))
    }
}

/// The growths that are drawn. The whole of llc is not: it would need half of the height.
fn drawn(report: &Report) -> impl Iterator<Item = &Growth> {
    let has_line =
        |growth: &&Growth| [growth.stock.as_ref(), Some(&growth.plugin)].into_iter().flatten().any(has_line);
    report.growths.iter().filter(|growth| matches!(growth.kind, Kind::Pass | Kind::Stage)).filter(has_line)
}

/// Whether at least two times are long enough.
fn has_line(curve: &Curve) -> bool {
    curve.ms.iter().filter(|ms| **ms >= SHORTEST_MS).count() >= 2
}

/// The names of the passes and of the stages, in the order of their colours.
struct Names {
    passes: Vec<String>,
    stages: Vec<String>,
}

impl Names {
    fn of(reports: &[Report]) -> Names {
        let of = |kind| {
            let names = reports.iter().flat_map(drawn).filter(|growth| growth.kind == kind);
            names.map(|growth| growth.name.clone()).collect::<BTreeSet<_>>().into_iter().collect()
        };
        Names { passes: of(Kind::Pass), stages: of(Kind::Stage) }
    }
    /// The class of a line in the style sheet.
    fn class(&self, kind: Kind, name: &str) -> String {
        let (names, letter, colours) = match kind {
            Kind::Pass => (&self.passes, 'p', PASSES.len()),
            _ => (&self.stages, 's', STAGES.len()),
        };
        let position = names.iter().position(|other| other == name).unwrap_or_default();
        format!("{letter} {letter}{}", position % colours)
    }
}

/// The drawing as a file; `head` says what was measured.
pub fn draw(reports: &[Report], head: &str) -> String {
    let (axes, names) = (Axes::of(reports), Names::of(reports));
    let (cell_width, cell_height) = (LEFT + axes.width() + GAP, TOP + axes.height() + BOTTOM);
    let columns = reports.len().clamp(1, COLUMNS);
    let rows = reports.len().div_ceil(columns);
    // The legend stands in the free part of the last row, or below all panels.
    let free = (columns * rows - reports.len()) as f64 * cell_width;
    let lines = (names.passes.len().max(names.stages.len()) + 2) as f64;
    let legend_width = PASSES_WIDTH + STAGES_WIDTH;
    let width = (columns as f64 * cell_width).max(LEFT + legend_width) + GAP;
    let panels_end = HEAD + rows as f64 * cell_height;
    let beside = free >= LEFT + legend_width && lines * ROW <= cell_height;
    let (legend_x, legend_y) = match beside {
        true => (width - GAP - free + LEFT, panels_end - cell_height + TOP),
        false => (LEFT, panels_end + GAP),
    };
    let height = if beside { panels_end + GAP } else { legend_y + lines * ROW + GAP };
    let mut svg = String::new();
    put!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">"
    );
    put!(svg, "<title>Time of passes and stages over the size of the kernel</title>");
    put!(svg, "<style>{}</style>", style());
    put!(svg, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>");
    put!(svg, "<text class=\"title\" x=\"{GAP}\" y=\"20\">Milliseconds over instructions</text>");
    put!(svg, "<text x=\"{GAP}\" y=\"36\">{}</text>", escaped(head));
    for (number, report) in reports.iter().enumerate() {
        let (column, row) = (number % columns, number / columns);
        let (x, y) = (LEFT + column as f64 * cell_width, HEAD + TOP + row as f64 * cell_height);
        panel(&mut svg, report, &axes, &names, (x, y));
    }
    legend(&mut svg, &names, (legend_x, legend_y));
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, report: &Report, axes: &Axes, names: &Names, (x, y): (f64, f64)) {
    let (width, height) = (axes.width(), axes.height());
    put!(svg, "<g transform=\"translate({x:.1} {y:.1})\">");
    put!(svg, "<text class=\"title\" x=\"0\" y=\"-8\">{}</text>", escaped(report.shape));
    for size in Axes::decades(axes.instructions) {
        let x = axes.x(size);
        put!(svg, "<path class=\"tick\" d=\"M{x:.1} {height:.1}v4\"/>");
        put!(svg, "<text class=\"x\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>", height + 16.0, count(size));
    }
    for ms in Axes::decades(axes.ms) {
        let y = axes.y(ms);
        put!(svg, "<path class=\"tick\" d=\"M0 {y:.1}h-4\"/>");
        put!(svg, "<text class=\"y\" x=\"-7\" y=\"{:.1}\">{}</text>", y + 3.5, time(ms));
    }
    // What lies outside is clipped.
    put!(svg, "<svg width=\"{width:.1}\" height=\"{height:.1}\">");
    for ms in Axes::decades((axes.ms.0 * axes.instructions.0 / axes.instructions.1, axes.ms.1)) {
        let y = axes.y(ms);
        put!(svg, "<path class=\"linear\" d=\"M0 {y:.1}l{width:.1} -{width:.1}\"/>");
    }
    for growth in drawn(report) {
        let class = names.class(growth.kind, &growth.name);
        for (side, curve) in [("stock", growth.stock.as_ref()), ("ours", Some(&growth.plugin))] {
            if let Some(curve) = curve.filter(|curve| has_line(curve)) {
                line(svg, &format!("{class} {side}"), &growth.name, side, &report.instructions, curve, axes);
            }
        }
    }
    put!(svg, "</svg>");
    put!(svg, "<rect class=\"frame\" width=\"{width:.1}\" height=\"{height:.1}\"/>");
    put!(svg, "</g>");
}

fn line(svg: &mut String, class: &str, name: &str, side: &str, sizes: &[u64], curve: &Curve, axes: &Axes) {
    let points: Vec<String> = sizes
        .iter()
        .zip(&curve.ms)
        .filter(|(_, ms)| **ms >= SHORTEST_MS)
        .map(|(size, ms)| format!("{:.1},{:.1}", axes.x(*size as f64), axes.y(*ms)))
        .collect();
    let exponent = curve.exponent().map_or(String::new(), |exponent| format!(", exponent {exponent:.2}"));
    let title = format!("{}, {side}{exponent}", escaped(name));
    put!(
        svg,
        "<polyline class=\"{class}\" points=\"{}\"><title>{title}</title></polyline>",
        points.join(" ")
    );
}

fn legend(svg: &mut String, names: &Names, (x, y): (f64, f64)) {
    put!(svg, "<g transform=\"translate({x:.1} {y:.1})\">");
    let columns = [
        (0.0, "Passes: ours drawn through, stock's dashed", Kind::Pass, &names.passes),
        (PASSES_WIDTH, "Stages, which stock does not have", Kind::Stage, &names.stages),
    ];
    for (x, title, kind, names_of_kind) in columns {
        put!(svg, "<text x=\"{x}\" y=\"10\">{title}</text>");
        for (row, name) in (1..).zip(names_of_kind) {
            legend_line(svg, (x, row), &names.class(kind, name), name);
        }
    }
    legend_line(svg, (0.0, names.passes.len() + 1), "linear", "linear growth");
    put!(svg, "</g>");
}

fn legend_line(svg: &mut String, (x, row): (f64, usize), class: &str, text: &str) {
    let y = row as f64 * ROW + 10.0;
    put!(svg, "<path class=\"{class}\" d=\"M{x} {:.1}h28\"/>", y - 4.0);
    put!(svg, "<text x=\"{}\" y=\"{y:.1}\">{}</text>", x + 36.0, escaped(text));
}

/// The style sheet, with the colours for both backgrounds.
fn style() -> String {
    let colours = |get: fn(&(&'static str, &'static str)) -> &'static str| {
        let of = |letter: char, list: &[(&'static str, &'static str)]| {
            let rule = |(number, pair)| format!(".{letter}{number}{{stroke:{}}}", get(pair));
            list.iter().enumerate().map(rule).collect::<String>()
        };
        of('p', &PASSES) + &of('s', &STAGES)
    };
    format!(
        "text{{font:11px system-ui,\"Segoe UI\",\"DejaVu Sans\",sans-serif;fill:#1c2129}}.title{{font-size:13px;font-weight:bold}}\
         .x{{text-anchor:middle}}.y{{text-anchor:end}}.ground{{fill:#fff}}.frame{{fill:none;stroke:#8b949e}}.tick{{stroke:#8b949e}}\
         .linear{{stroke:#cdd3da}}.p,.s{{fill:none;stroke-linejoin:round}}.p{{stroke-width:2.2}}.s{{stroke-width:1.1}}\
         .stock{{stroke-width:1.4;stroke-dasharray:4 3}}{}\
         @media(prefers-color-scheme:dark){{text{{fill:#e4e8ee}}.ground{{fill:#14171c}}.frame,.tick{{stroke:#6b7480}}.linear{{stroke:#414955}}{}}}",
        colours(|pair| pair.0),
        colours(|pair| pair.1)
    )
}

/// A power of ten of instructions.
fn count(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.0}M", n / 1e6),
        n if n >= 1e3 => format!("{:.0}k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// A power of ten of milliseconds.
fn time(ms: f64) -> String {
    match ms {
        ms if ms >= 999.0 => format!("{:.0} s", ms / 1e3),
        ms if ms >= 0.99 => format!("{ms:.0} ms"),
        ms => format!("{ms:.1} ms"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scaling::tests::made_up;

    /// Enough of a check for what is written here: elements are closed in order, and no number in
    /// an attribute is NaN or infinite. Returns the tags.
    fn tags(xml: &str) -> Vec<String> {
        let (mut open, mut tags) = (Vec::new(), Vec::new());
        for part in xml.split('<').skip(1) {
            let (tag, text) = part.split_once('>').expect("a tag ends");
            assert!(
                !tag.contains("NaN") && !tag.contains("inf") && tag.matches('"').count() % 2 == 0,
                "{tag}"
            );
            assert!(text.split('&').skip(1).all(|rest| rest.starts_with("lt;") || rest.starts_with("amp;")));
            let name = tag.split([' ', '/']).next().expect("a name");
            if let Some(closed) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(closed));
            } else {
                tags.push(tag.to_owned());
                if !tag.ends_with('/') {
                    open.push(name.to_owned());
                }
            }
        }
        assert!(open.is_empty(), "{open:?}");
        tags
    }

    #[test]
    fn a_panel_for_each_shape_and_a_line_for_each_curve() {
        let mut other = made_up();
        other.shape = "loops";
        let svg = draw(&[made_up(), other], "LLVM version 22 & more");
        let tags = tags(&svg);
        let lines: Vec<_> = tags.iter().filter(|tag| tag.starts_with("polyline ")).collect();
        // Two passes of both sides and a stage, in each panel.
        assert_eq!(lines.len(), 2 * 5, "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line.contains("stock")).count(), 2 * 2);
        assert_eq!(tags.iter().filter(|tag| tag.contains("\"frame\"")).count(), 2);
        for part in [
            "<title>PHIs, stock, exponent 2.00</title>",
            "<title>PHIs, ours, exponent 1.00</title>",
            "<title>a&lt;b, ours, exponent 1.50</title>",
            ">LLVM version 22 &amp; more<",
            ">loops<",
            ">100k<",
            ">10 s<",
            "prefers-color-scheme:dark",
        ] {
            assert!(svg.contains(part), "{part} is not in\n{svg}");
        }
        assert!(!svg.contains("whole llc"));
    }

    #[test]
    fn what_is_linear_runs_parallel_to_the_diagonals() {
        let svg = draw(&[made_up()], "");
        let line = svg.lines().find(|line| line.contains("PHIs, ours")).expect("a line");
        let points = line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("points");
        let points: Vec<(f64, f64)> = points
            .split(' ')
            .map(|point| point.split_once(',').expect("a point"))
            .map(|(x, y)| (x.parse().expect("a number"), y.parse().expect("a number")))
            .collect();
        assert_eq!(points.len(), 3);
        for pair in points.windows(2) {
            let (right, up) = (pair[1].0 - pair[0].0, pair[0].1 - pair[1].1);
            assert!((right - DECADE).abs() < 0.2 && (up - DECADE).abs() < 0.2, "{points:?}");
        }
    }

    #[test]
    fn times_that_are_not_printed_are_not_drawn() {
        let mut report = made_up();
        report.growths[1].plugin.ms = vec![0.0, 5.0, 20.0];
        let svg = draw(&[report], "");
        let line = svg.lines().find(|line| line.contains("PHIs, ours")).expect("a line");
        let points = line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("points");
        assert_eq!(points.split(' ').count(), 2, "{points}");
        tags(&svg);
    }
}
