//! Names the instructions of a kernel that take most of its predicted time, with the line that each comes from.
//!
//! **Complexity.** n log n in the instructions of the code.

use anyhow::Result;
use gpu_time::replay::CAUSES;
use serde::Serialize;

use super::compare::Machined;
use super::predict::{Prediction, Side};
use crate::cubin::Lines;
use crate::sheet::Sheet;

/// An instruction, and the time before it issues.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    pub instruction: String,
    /// Bytes from the start of the kernel.
    pub address: u32,
    /// Its part of the time of its side, from 0 to 1.
    pub share: f64,
    /// The main cause.
    pub cause: &'static str,
    /// The line of the source, where there is debug information, else that of the PTX; empty where neither is known.
    pub from: String,
}

/// The `most` instructions of each side that take most of the time.
pub fn places(
    prediction: &Prediction,
    sides: &[Machined; 2],
    kernel: &str,
    most: usize,
) -> Result<[Vec<Place>; 2]> {
    let [a, b] = &prediction.sides;
    Ok([of_side(a, &sides[0], kernel, most)?, of_side(b, &sides[1], kernel, most)?])
}

fn of_side(side: &Side, machined: &Machined, kernel: &str, most: usize) -> Result<Vec<Place>> {
    let tables = machined.lines()?;
    let none = Lines::default();
    let lines = tables.functions.get(kernel).unwrap_or(&none);
    let text: Vec<&str> = machined.ptx.iter().flat_map(|ptx| ptx.lines()).collect();
    let code = machined.listing.get(kernel).map_or(&[][..], Vec::as_slice);
    let sums: Vec<f64> = side.places.iter().map(|causes| causes.iter().sum()).collect();
    let all = sums.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut order: Vec<usize> = (0..sums.len().min(code.len())).filter(|&at| sums[at] > 0.0).collect();
    order.sort_by(|&a, &b| sums[b].total_cmp(&sums[a]).then(a.cmp(&b)));
    let place = |at: usize| {
        let causes = &side.places[at];
        let main = (0..CAUSES.len()).max_by(|&a, &b| causes[a].total_cmp(&causes[b])).unwrap_or(0);
        let address = code[at].address as u32;
        let from = line_of(lines, &tables.files, &text, address);
        Place {
            instruction: code[at].text.clone(),
            address,
            share: sums[at] / all,
            cause: CAUSES[main].1,
            from,
        }
    };
    Ok(order.into_iter().take(most).map(place).collect())
}

/// The line that the instruction at an address comes from.
fn line_of(lines: &Lines, files: &[String], ptx: &[&str], address: u32) -> String {
    let source = lines.source.partition_point(|row| row.0 <= address);
    match source.checked_sub(1).map(|at| lines.source[at]) {
        Some((_, file, line)) if line > 0 => {
            let path = files.get(file as usize).map_or("", String::as_str);
            return format!("{}:{line}", path.rsplit('/').next().unwrap_or_default());
        }
        _ => {}
    }
    let own = lines.ptx.partition_point(|row| row.0 <= address);
    let line = own.checked_sub(1).map(|at| lines.ptx[at].1);
    let text = line.and_then(|line| ptx.get(line.checked_sub(1)? as usize));
    let code = text.map_or("", |text| text.split("//").next().unwrap_or_default());
    // What belongs to the kernel as a whole comes from the brace that opens it.
    let words: Vec<&str> = code.split_whitespace().filter(|word| *word != "{").collect();
    words.join(" ")
}

/// A table of them, with the lines if any is known.
pub fn sheet(places: &[Place]) -> Sheet {
    let has_lines = places.iter().any(|place| !place.from.is_empty());
    let mut header = vec!["instruction", "place"];
    header.extend(has_lines.then_some("from"));
    let left = header.len();
    header.extend(["of the time", "mainly"]);
    let mut sheet = Sheet::new(&header, left);
    for place in places {
        let mut line = vec![place.instruction.clone(), format!("{:#06x}", place.address)];
        line.extend(has_lines.then(|| place.from.clone()));
        line.extend([format!("{:.1} %", 100.0 * place.share), place.cause.to_owned()]);
        sheet.add(line);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_lines_where_they_are_known() {
        let place = |from: &str| Place {
            instruction: "EXIT".to_owned(),
            address: 0x10,
            share: 0.125,
            cause: "issue",
            from: from.to_owned(),
        };
        let csv = |places: &[Place]| sheet(places).csv();
        assert_eq!(csv(&[place("")]), "instruction,place,of the time,mainly\nEXIT,0x0010,12.5 %,issue\n");
        let both = csv(&[place(""), place("k.cu:7")]);
        assert!(
            both.starts_with("instruction,place,from,of the time") && both.contains(",k.cu:7,"),
            "{both}"
        );
    }

    #[test]
    fn a_line_is_that_of_the_source_else_that_of_the_ptx() {
        let files = ["/src/k.cu".to_owned()];
        let ptx = ["mov.u32 %r1, %tid.x;", "\tld.global.b32 \t%r2, [%rd1]; // k.cu"];
        let lines = Lines { ptx: vec![(0, 1), (0x20, 2)], source: vec![(0x30, 0, 7), (0x40, 0, 0)] };
        let of = |address| line_of(&lines, &files, &ptx, address);
        assert_eq!(of(0x10), "mov.u32 %r1, %tid.x;");
        assert_eq!(of(0x20), "ld.global.b32 %r2, [%rd1];");
        assert_eq!(of(0x30), "k.cu:7");
        assert_eq!(of(0x40), "ld.global.b32 %r2, [%rd1];", "line 0 means that nothing is known");
        assert_eq!(line_of(&Lines::default(), &files, &ptx, 0x10), "");
        assert_eq!(line_of(&lines, &files, &[], 0x10), "", "a cubin's PTX is not known");
        assert_eq!(line_of(&lines, &files, &["{ // begins"], 0x10), "");
    }
}
