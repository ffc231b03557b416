//! Ratios of times, and what they are worth.
//!
//! **Problem.** Samples of a GPU have outliers and no known distribution.
//!
//! **Method.** The median, and as its interval of 95 % two of the samples, chosen by rank: the number of samples below the median is binomial,
//! whatever their distribution.
//!
//! **Source.** David and Nagaraja, "Order Statistics", section 7.1. **Deviation.** With fewer than six samples no pair of them suffices: the interval is
//! their extremes. **Complexity.** n log n.

use serde::{Deserialize, Serialize};

/// The time of one code as a part of another one's: the median over blocks of samples, and its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Ratio {
    /// The ratio of a code to itself.
    pub const SAME: Ratio = Ratio { median: 1.0, low: 1.0, high: 1.0 };

    /// The ratio of times that were taken side by side. `None` if there are none.
    pub fn of(times: &[f64], base: &[f64]) -> Option<Ratio> {
        let mut ratios: Vec<f64> = times.iter().zip(base).map(|(own, base)| own / base).collect();
        if ratios.is_empty() {
            return None;
        }
        ratios.sort_by(f64::total_cmp);
        let (low, high) = by_rank(&ratios);
        Some(Ratio { median: median(&ratios), low, high })
    }

    /// How far it is from 1, with its interval.
    fn distance(&self) -> f64 {
        [self.low, self.median, self.high].into_iter().map(|ratio| (ratio - 1.0).abs()).fold(0.0, f64::max)
    }

    /// Whether it is less time for sure. `noise`: the ratio of a code to itself, loaded a second time.
    pub fn is_faster(&self, noise: &Ratio) -> bool {
        self.high < 1.0 && 1.0 - self.median > noise.distance()
    }

    /// Whether it is more time for sure.
    pub fn is_slower(&self, noise: &Ratio) -> bool {
        self.low > 1.0 && self.median - 1.0 > noise.distance()
    }
}

/// The median of numbers in ascending order, of which there is one at least.
pub fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// Two of these numbers, which are in ascending order, that have the median between them with 95 %.
fn by_rank(sorted: &[f64]) -> (f64, f64) {
    let count = sorted.len();
    // The part of all sequences of `count` coins that have `rank` heads or fewer, for rank 0, 1 and so on.
    let mut chance = 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let (mut below, mut rank) = (chance, 0);
    loop {
        chance *= (count - rank) as f64 / (rank + 1) as f64;
        if 2.0 * (below + chance) > 0.05 || rank + 1 >= count / 2 {
            return (sorted[rank], sorted[count - 1 - rank]);
        }
        below += chance;
        rank += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_between_ranks() {
        let numbers = |count: u32| (1..=count).map(f64::from).collect::<Vec<_>>();
        // From tables of the sign test: of 6 samples the extremes, of 15 the 4th, of 25 the 8th from each end.
        assert_eq!(by_rank(&numbers(6)), (1.0, 6.0));
        assert_eq!(by_rank(&numbers(15)), (4.0, 12.0));
        assert_eq!(by_rank(&numbers(25)), (8.0, 18.0));
        for count in 1..6 {
            assert_eq!(by_rank(&numbers(count)), (1.0, f64::from(count)));
        }
    }

    #[test]
    fn a_difference_counts_above_the_noise() {
        let noise = Ratio { median: 1.001, low: 0.998, high: 1.004 };
        let ratio = |low, median, high| Ratio { median, low, high };
        assert!(ratio(0.97, 0.98, 0.99).is_faster(&noise));
        assert!(!ratio(0.97, 0.98, 1.01).is_faster(&noise), "its interval has 1");
        assert!(!ratio(0.996, 0.997, 0.998).is_faster(&noise), "the noise is as large");
        assert!(ratio(1.01, 1.02, 1.03).is_slower(&noise) && !ratio(0.99, 1.02, 1.03).is_slower(&noise));
        assert!(!Ratio::SAME.is_faster(&noise) && !Ratio::SAME.is_slower(&noise));
    }

    #[test]
    fn an_outlier_does_not_move_the_median() {
        let base = vec![10.0; 15];
        let mut own = vec![9.0; 15];
        own[3] = 90.0;
        let ratio = Ratio::of(&own, &base).unwrap();
        assert_eq!((ratio.median, ratio.low, ratio.high), (0.9, 0.9, 0.9));
        assert_eq!(Ratio::of(&[], &[]), None);
    }
}
