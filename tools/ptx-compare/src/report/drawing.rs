//! Takes one function out of the plugin's drawing of live ranges, which has those of a module one below the other.

/// The drawing of a function as a document of its own.
pub fn of(svg: &str, function: &str) -> Option<String> {
    const GROUP: &str = "<g transform=\"translate(0 ";
    let title = format!(">{}: live ranges", escaped(function));
    let start = svg.find(GROUP)?;
    let head = &svg[svg.find("<svg")?..start];
    let mut groups = svg[start..].split(GROUP).skip(1).peekable();
    while let Some(group) = groups.next() {
        let Some((top, rest)) = group.split_once(')') else { continue };
        if !group.lines().nth(1).is_some_and(|line| line.contains(&title)) {
            continue;
        }
        let top: f64 = top.parse().ok()?;
        let bottom: f64 = match groups.peek().and_then(|next| next.split(')').next()) {
            Some(next) => next.parse().ok()?,
            None => number(head, "height=\"")?,
        };
        let (_, style) = head.split_once('>')?;
        let width = number(head, "width=\"")?;
        let body = rest.strip_prefix("\">")?;
        let body = body.trim_end().trim_end_matches("</svg>");
        return Some(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\">{style}<g transform=\"translate(0 10)\">{body}</svg>",
            bottom - top + 10.0
        ));
    }
    None
}

fn number(text: &str, key: &str) -> Option<f64> {
    text.split_once(key)?.1.split('"').next()?.parse().ok()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_two() {
        let svg =
            "<?xml version=\"1.0\"?>\n<svg xmlns=\"x\" width=\"300\" height=\"200\">\n<style>a</style>\n\
            <g transform=\"translate(0 10.0)\">\n<text>f: live ranges before</text>\n</g>\n\
            <g transform=\"translate(0 90.0)\">\n<text>g: live ranges before</text>\n</g>\n</svg>\n";
        let f = of(svg, "f").expect("a drawing");
        assert!(
            f.contains("height=\"90\"") && f.contains(">f:") && !f.contains(">g:") && f.contains("<style>"),
            "{f}"
        );
        let g = of(svg, "g").expect("a drawing");
        assert!(g.contains("height=\"120\"") && g.matches("</svg>").count() == 1, "{g}");
        assert_eq!(g.matches("<g ").count(), g.matches("</g>").count());
        assert_eq!(of(svg, "h"), None);
        assert_eq!(of("", "f"), None);
    }
}
