//! Turns the predicted time of a kernel ([`crate::time`]) into what its page shows: a sentence,
//! cycles by cause, loops, and instructions.
//!
//! **Complexity.** Linear in the code, for each loop that an instruction is in.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::Result;
use gpu_time::replay::CAUSES;
use ptx_emu::grid::launch::Launch;

use super::listing::opcode;
use super::model::{Cycles, Listing, Time};
use crate::ptxas::Cuda;
use crate::time::compare::Row;
use crate::time::predict::{Prediction, Side};
use crate::time::{self, Origin};

/// The causes of cycles, in words that follow "more" and "less"; in the order of [`CAUSES`].
const WORDS: [&str; CAUSES.len()] = [
    "issuing of instructions",
    "waiting for results of arithmetic",
    "waiting for busy pipes",
    "waiting for room in the queue of the memory pipes",
    "waiting for other units",
    "waiting for shared memory",
    "waiting for L1",
    "waiting for L2",
    "waiting for DRAM",
    "waiting at barriers",
    "time in which blocks begin and end",
];

/// The sentence names a cause if it changes by this part of stock's time or more.
const NAMED_CHANGE: f64 = 0.01;
/// The most causes that it names.
const MOST_CAUSES: usize = 3;
/// The number of instructions of a side that are shown.
const PLACES: usize = 5;

/// The tools and the launches for predictions.
pub struct Timing {
    pub cuda: Cuda,
    /// Launches that were given.
    pub launches: Vec<Launch>,
}

impl Timing {
    /// Predicts the kernels of a file's two texts, by name.
    pub fn rows(&self, path: &Path, texts: [&str; 2], gpu: &str) -> Result<BTreeMap<String, Row>> {
        let rows = time::predictions(&self.cuda, path, texts, gpu, &self.launches, true)?;
        Ok(rows.into_iter().map(|row| (row.kernel.clone(), row)).collect())
    }
}

impl Time {
    /// The page's data for a prediction; the listings are both sides' SASS.
    pub fn new(row: &Row, prediction: &Prediction, sass: [&Listing; 2]) -> Time {
        let [stock, ours] = &prediction.sides;
        let made_up = row.origin == Origin::MadeUp;
        Time {
            ratio: prediction.ratio,
            made_up,
            text: text(prediction),
            bounds: bounds(row, prediction),
            sides: [Cycles::new(stock, sass[0]), Cycles::new(ours, sass[1])],
        }
    }
}

/// The reason for a prediction, in a sentence.
fn text(prediction: &Prediction) -> String {
    let [stock, ours] = &prediction.sides;
    let change = |at: usize| (ours.causes[at] - stock.causes[at]) / stock.cycles;
    let mut order: Vec<usize> = (0..CAUSES.len()).filter(|&at| change(at).abs() >= NAMED_CHANGE).collect();
    order.sort_by(|&a, &b| change(b).abs().total_cmp(&change(a).abs()));
    let named = order.iter().take(MOST_CAUSES).map(|&at| {
        let (word, sign) = if change(at) < 0.0 { ("less", '−') } else { ("more", '+') };
        format!("{word} {} ({sign}{:.0} % of stock's time)", WORDS[at], 100.0 * change(at).abs())
    });
    let mut parts: Vec<String> = named.collect();
    if stock.warps != ours.warps {
        parts.push(format!("{} resident warps in place of {}", ours.warps, stock.warps));
    }
    let why = if parts.is_empty() { "no cause changes by 1 % of it".to_owned() } else { parts.join(", ") };
    format!("Predicted time {:.3} of stock's: {why}.", prediction.ratio)
}

fn bounds(row: &Row, prediction: &Prediction) -> String {
    let Prediction { low, high, sides: [stock, ours], .. } = prediction;
    let shown = ours.cycles / stock.cycles;
    let shown = format!("reason and cycles are of the one that runs most instructions of those that go the way of the mean, {shown:.3} there");
    let moved = match (row.origin, prediction.moved_most_by) {
        (Origin::MadeUp, _) => {
            let launches = row.launches;
            format!("over {launches} made-up launches, and how likely these are is unknown; {shown}")
        }
        (Origin::Given, _) if row.launches > 1 => {
            format!("over {} launches; {shown}", row.launches)
        }
        (Origin::Given, "") => "whatever number of the model is moved".to_owned(),
        (Origin::Given, name) => format!("where one number of the model is moved; {name} moves it most"),
    };
    let mut text = format!("{low:.3} to {high:.3} {moved}.");
    if !prediction.assumed.is_empty() {
        let names: Vec<&str> = prediction.assumed.iter().map(String::as_str).collect();
        text.push_str(&format!(" Timed without their values: {}.", names.join(", ")));
    }
    text
}

impl Cycles {
    fn new(side: &Side, sass: &Listing) -> Cycles {
        let sums: Vec<f64> = side.places.iter().map(|causes| causes.iter().sum()).collect();
        let all = sums.iter().sum::<f64>().max(1.0);
        let of = |place: usize| sums[place] / all * side.cycles;
        // The index of each instruction in the code, by line of the listing.
        let instructions = sass.lines.iter().zip(&sass.numbers).enumerate();
        let places: HashMap<u32, usize> = instructions
            .filter(|(_, (text, _))| opcode(text).is_some())
            .map(|(line, (_, &address))| (line as u32, address as usize / 16))
            .filter(|&(_, place)| place < sums.len())
            .collect();
        let loops = sass.loops.iter().map(|found| {
            let lines = found.parts.iter().flat_map(|&[first, last]| first..=last);
            lines.filter_map(|line| places.get(&line)).map(|&place| of(place)).sum()
        });
        let mut order: Vec<(u32, usize)> = places.iter().map(|(&line, &place)| (line, place)).collect();
        order.sort_by(|a, b| sums[b.1].total_cmp(&sums[a.1]).then(a.0.cmp(&b.0)));
        let main = |place: usize| {
            let causes = &side.places[place];
            (0..CAUSES.len()).max_by(|&a, &b| causes[a].total_cmp(&causes[b])).unwrap_or(0)
        };
        Cycles {
            cycles: side.cycles,
            warps: side.warps,
            executed: side.executed,
            causes: side.causes,
            loops: loops.collect(),
            places: order
                .iter()
                .take(PLACES)
                .map(|&(line, place)| (line, of(place), main(place)))
                .filter(|&(_, cycles, _)| cycles > 0.0)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Loop;
    use super::*;
    use gpu_time::replay::Causes;

    fn side(places: &[(usize, f64)]) -> Side {
        let places: Vec<Causes> = places
            .iter()
            .map(|&(cause, cycles)| {
                let mut causes = Causes::default();
                causes[cause] = cycles;
                causes
            })
            .collect();
        let mut causes = Causes::default();
        for place in &places {
            causes.iter_mut().zip(place).for_each(|(sum, own)| *sum += own / 2.0);
        }
        let cycles = causes.iter().sum();
        // For two blocks.
        Side { cycles, executed: 4.0, registers: 8, instructions: 4, warps: 64, causes, places }
    }

    fn sass() -> Listing {
        let lines = [".L_x:", " LDG R0 ;", " FFMA R0 ;", " @P0 BRA `(.L_x) ;", " EXIT ;"];
        Listing {
            lines: lines.map(str::to_owned).into(),
            numbers: vec![0, 0x0, 0x10, 0x20, 0x30],
            loops: vec![Loop { depth: 1, parts: vec![[0, 3]], head: 0 }],
            ..Listing::default()
        }
    }

    #[test]
    fn cycles_of_loops_and_instructions() {
        let cycles = Cycles::new(&side(&[(0, 20.0), (8, 160.0), (0, 10.0), (9, 10.0)]), &sass());
        assert_eq!((cycles.cycles, cycles.loops), (100.0, vec![95.0]));
        assert_eq!(cycles.places, [(2, 80.0, 8), (1, 10.0, 0), (3, 5.0, 0), (4, 5.0, 9)]);
    }

    #[test]
    fn the_sentence_names_what_changes_most() {
        let stock = side(&[(0, 20.0), (8, 160.0), (0, 10.0), (9, 10.0)]);
        let mut ours = side(&[(0, 20.0), (8, 100.0), (0, 16.0), (9, 10.0)]);
        ours.warps = 48;
        let assumed = ["HGMMA".to_owned()].into();
        let sides = [stock.clone(), ours];
        let mut prediction =
            Prediction { ratio: 0.73, low: 0.7, high: 0.8, moved_most_by: "L2", assumed, sides };
        assert_eq!(
            text(&prediction),
            "Predicted time 0.730 of stock's: less waiting for DRAM (−30 % of stock's time), more issuing of instructions (+3 % of stock's \
             time), 48 resident warps in place of 64."
        );
        let row = Row {
            kernel: "k".to_owned(),
            origin: Origin::Given,
            launches: 1,
            error: None,
            left_out: None,
            prediction: None,
        };
        assert_eq!(
            bounds(&row, &prediction),
            "0.700 to 0.800 where one number of the model is moved; L2 moves it most. Timed without their values: HGMMA."
        );
        let several = Row { launches: 3, origin: Origin::MadeUp, ..row };
        assert!(bounds(&several, &prediction).contains("3 made-up launches"));
        assert!(bounds(&several, &prediction).contains("way of the mean, 0.730 there"));
        prediction.sides[1] = stock;
        assert!(text(&prediction).ends_with("no cause changes by 1 % of it."));
    }
}
