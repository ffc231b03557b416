//! Writes the page: one HTML file with its style, script, chart library and data inside.
//!
//! **Size.** The data of each kernel is packed separately ([`super::packed`], zlib, base64), and
//! the browser unpacks what the reader opens. So a page of a thousand kernels opens as fast as one
//! of two.

use std::io::Write;

use anyhow::{Context, Result};
use base64::prelude::{Engine, BASE64_STANDARD};
use flate2::write::ZlibEncoder;
use flate2::Compression;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Serialize;

use super::model::{Fact, Overview};
use super::summary::{self, Tile};

const TEMPLATE: &str = include_str!("page/report.html");
const STYLE: &str = include_str!("page/report.css");
const SCRIPT: &str = include_str!("page/report.js");
const CHART_STYLE: &str = include_str!("../../vendor/uplot/uPlot.min.css");
const CHART_SCRIPT: &str = include_str!("../../vendor/uplot/uPlot.iife.min.js");

/// A piece of data that the browser unpacks when it is needed.
#[derive(Debug, Serialize)]
pub struct Packed {
    pub id: String,
    pub data: String,
}

/// Packs a value under an element id.
pub fn pack(id: String, value: &impl Serialize) -> Result<Packed> {
    pack_bytes(id, &serde_json::to_vec(value).context("the page's data")?)
}

/// Packs bytes under an element id.
pub fn pack_bytes(id: String, bytes: &[u8]) -> Result<Packed> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).context("the page's data")?;
    let bytes = encoder.finish().context("the page's data")?;
    Ok(Packed { id, data: BASE64_STANDARD.encode(bytes) })
}

/// The whole page.
pub fn render(title: &str, overview: &Overview, mut packed: Vec<Packed>) -> Result<String> {
    packed.push(pack("overview".to_owned(), overview)?);
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_template("report.html", TEMPLATE).context("the page's template")?;
    let template = environment.get_template("report.html").context("the page's template")?;
    let content = Content {
        title,
        style: STYLE,
        script: SCRIPT,
        chart_style: CHART_STYLE,
        chart_script: CHART_SCRIPT,
        facts: &overview.facts,
        failures: &overview.failures,
        notes: &overview.notes,
        tiles: summary::tiles(&overview.kernels),
        packed,
    };
    template.render(Value::from(Serde(content))).context("the page's template")
}

/// The values for the template.
#[derive(Serialize)]
struct Content<'a> {
    title: &'a str,
    style: &'a str,
    script: &'a str,
    chart_style: &'a str,
    chart_script: &'a str,
    facts: &'a [Fact],
    failures: &'a [String],
    notes: &'a [String],
    tiles: Vec<Tile>,
    packed: Vec<Packed>,
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::*;

    #[test]
    fn packed_data_is_that_which_was_given() {
        let packed = pack("k".into(), &vec!["<script>", "ä"]).expect("packed");
        let bytes = BASE64_STANDARD.decode(packed.data).expect("base64");
        let mut text = String::new();
        ZlibDecoder::new(&bytes[..]).read_to_string(&mut text).expect("zlib");
        assert_eq!(text, "[\"<script>\",\"ä\"]");
    }

    #[test]
    fn names_are_escaped_and_nothing_is_fetched() {
        let overview = Overview { failures: vec!["<b>.ll: a & b".into()], ..Overview::default() };
        let page = render("<i>", &overview, Vec::new()).expect("a page");
        assert!(
            page.contains("&lt;b&gt;.ll") && page.contains("a &amp; b") && page.contains("<title>&lt;i&gt;")
        );
        for fetching in ["src=\"http", "href=\"http", "@import", "url(http"] {
            assert!(!page.contains(fetching), "{fetching}");
        }
        // A script in a page ends at the first such tag, even in a string.
        assert!(!SCRIPT.contains("</script") && !CHART_SCRIPT.contains("</script"));
    }
}
