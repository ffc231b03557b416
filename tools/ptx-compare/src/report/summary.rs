//! Sums up all kernels, for the top of the page.

use serde::Serialize;

use super::model::{Kernel, Numbers};
use crate::measure::judgement::{geometric_mean, mean_ratio};
use crate::text::thousands;

/// A figure with a word about it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Tile {
    pub label: &'static str,
    pub figure: String,
    /// Whether ours is better, worse or the same.
    pub tone: &'static str,
    pub note: String,
}

/// The tiles, in their order.
pub fn tiles(kernels: &[Kernel]) -> Vec<Tile> {
    let mut tiles = vec![
        ratio("Registers, geometric mean", kernels, |n| n.registers),
        ratio("SASS instructions, geometric mean", kernels, |n| n.sass),
        spills(kernels),
        occupancy(kernels),
    ];
    tiles.splice(0..0, time(kernels));
    tiles
}

/// The tile of predicted times, if there are any.
fn time(kernels: &[Kernel]) -> Option<Tile> {
    let times: Vec<f64> =
        kernels.iter().filter_map(|kernel| kernel.predicted).map(|time| time.ratio).collect();
    let mean = geometric_mean(times.iter().copied())?;
    let [faster, slower] = [
        times.iter().filter(|&&ratio| ratio < 1.0 - SAME_TIME).count(),
        times.iter().filter(|&&ratio| ratio > 1.0 + SAME_TIME).count(),
    ];
    let same = times.len() - faster - slower;
    Some(Tile {
        label: "Predicted time, geometric mean",
        figure: format!("× {mean:.3}"),
        tone: tone(1.0 - mean),
        note: format!("{faster} faster, {slower} slower, {same} within 1 %"),
    })
}

/// Times that differ by no more than this part are the same.
const SAME_TIME: f64 = 0.01;

fn ratio(label: &'static str, kernels: &[Kernel], get: fn(&Numbers) -> u64) -> Tile {
    let pairs: Vec<(u64, u64)> = kernels.iter().map(|k| (get(&k.stock), get(&k.ours))).collect();
    let (mean, _) = mean_ratio(pairs.iter().copied());
    Tile {
        label,
        figure: format!("× {mean:.3}"),
        tone: tone(1.0 - mean),
        note: changed(pairs.iter().map(|&(old, new)| old as f64 - new as f64), "fewer", "more"),
    }
}

fn spills(kernels: &[Kernel]) -> Tile {
    let pairs = || kernels.iter().map(|k| (k.stock.spills, k.ours.spills));
    let (old, new) = pairs().fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    Tile {
        label: "Bytes spilled",
        figure: if old == new {
            thousands(new)
        } else {
            format!("{} → {}", thousands(old), thousands(new))
        },
        tone: tone(old as f64 - new as f64),
        note: changed(pairs().map(|(old, new)| old as f64 - new as f64), "fewer", "more"),
    }
}

fn occupancy(kernels: &[Kernel]) -> Tile {
    let gains = || kernels.iter().map(|k| k.ours.occupancy - k.stock.occupancy);
    let gained = gains().filter(|gain| *gain > 0.0).count();
    let lost = gains().filter(|gain| *gain < 0.0).count();
    Tile {
        label: "Occupancy",
        figure: if gained + lost == 0 { "unchanged".to_owned() } else { format!("+{gained} −{lost}") },
        tone: tone(gained as f64 - lost as f64),
        note: changed(gains(), "higher", "lower"),
    }
}

fn tone(gain: f64) -> &'static str {
    match gain {
        _ if gain.abs() < 5e-4 => "same",
        _ if gain > 0.0 => "better",
        _ => "worse",
    }
}

/// The numbers of kernels that gain and lose, in words.
fn changed(gains: impl Iterator<Item = f64>, better: &str, worse: &str) -> String {
    let (mut up, mut down, mut same) = (0, 0, 0);
    for gain in gains {
        match gain {
            _ if gain > 0.0 => up += 1,
            _ if gain < 0.0 => down += 1,
            _ => same += 1,
        }
    }
    format!("{up} {better}, {down} {worse}, {same} the same")
}

#[cfg(test)]
mod tests {
    use super::super::model::Predicted;
    use super::*;
    use crate::measure::judgement::Judgement;

    fn kernel(stock: Numbers, ours: Numbers) -> Kernel {
        Kernel {
            name: "k".into(),
            shown: "k".into(),
            file: "a.ll".into(),
            target: "sm_80".into(),
            block: 256,
            verdict: Judgement::Mixed,
            why: String::new(),
            predicted: None,
            stock,
            ours,
        }
    }

    #[test]
    fn figures() {
        let of =
            |registers, spills, occupancy| Numbers { registers, spills, occupancy, ..Numbers::default() };
        let kernels = [
            kernel(of(100, 2000, 0.5), of(50, 0, 0.75)),
            kernel(of(100, 0, 0.5), of(200, 0, 0.5)),
            kernel(of(0, 0, 0.5), of(9, 0, 0.5)),
        ];
        let tiles = tiles(&kernels);
        // The third has no ratio.
        assert_eq!((tiles[0].figure.as_str(), tiles[0].tone), ("× 1.000", "same"));
        assert_eq!(tiles[0].note, "1 fewer, 2 more, 0 the same");
        assert_eq!((tiles[2].figure.as_str(), tiles[2].tone), ("2,000 → 0", "better"));
        assert_eq!((tiles[3].figure.as_str(), tiles[3].tone), ("+1 −0", "better"));
        assert_eq!(tiles[3].note, "1 higher, 0 lower, 2 the same");
        assert_eq!(super::tiles(&kernels[1..])[3].figure, "unchanged");
    }

    #[test]
    fn predicted_times_stand_first() {
        let mut kernels = [0.5, 1.005, 2.0].map(|ratio| Kernel {
            predicted: Some(Predicted { ratio, made_up: true }),
            ..kernel(Numbers::default(), Numbers::default())
        });
        kernels[1].predicted = None;
        let first = &tiles(&kernels)[0];
        assert_eq!((first.figure.as_str(), first.tone), ("× 1.000", "same"));
        assert_eq!(first.note, "1 faster, 1 slower, 0 within 1 %");
        assert_eq!(tiles(&kernels[1..2]).len(), 4);
    }
}
