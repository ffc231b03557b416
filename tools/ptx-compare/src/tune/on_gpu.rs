//! The times of a kernel on a GPU, and what they say about a setting.
//!
//! **Problem.** A time on a GPU is never the same twice. **Method.** A setting is faster only if its interval lies below stock's, twice; it may be slower as
//! soon as its median is above. **Source.** None. **Deviation.** None. **Complexity.** Launches.

use std::collections::{BTreeMap, BTreeSet};

use gpu_run::interval::Ratio;
use serde::{Deserialize, Serialize};

use crate::measure::judgement::geometric_mean;
use crate::measure::setting::DEFAULT;

/// The most that a code may take of stock's time for a launch if it gains for another one.
const MOST: f64 = 1.002;

/// The times of a kernel on a GPU.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OnGpu {
    pub launches: Vec<OneOnGpu>,
    /// Whether prediction has chosen what was measured: what is not faster than stock leaves the default.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_best: bool,
    /// The settings whose code was measured again, against stock's alone: their ratios are of that.
    pub measured_again: BTreeSet<String>,
}

/// The times for a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneOnGpu {
    /// A hash of the launch.
    pub launch: String,
    /// Microseconds of stock's code.
    pub stock: f64,
    /// The ratio of stock's code to itself, loaded a second time.
    pub noise: Ratio,
    /// By setting the ratio to stock's time.
    pub ratios: BTreeMap<String, Ratio>,
}

impl OnGpu {
    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.launches.is_empty()
    }

    /// The time under a setting as a part of stock's, the geometric mean over all launches. `None` if it was not measured for one of them.
    pub fn ratio(&self, setting: &str) -> Option<Ratio> {
        let ratios: Option<Vec<Ratio>> =
            self.launches.iter().map(|one| one.ratios.get(setting).copied()).collect();
        let ratios = ratios?;
        let mean = |of: fn(&Ratio) -> f64| geometric_mean(ratios.iter().map(of));
        Some(Ratio {
            median: mean(|ratio| ratio.median)?,
            low: mean(|ratio| ratio.low)?,
            high: mean(|ratio| ratio.high)?,
        })
    }

    /// Whether a setting is faster than stock for one launch, for sure, measured twice.
    pub fn is_faster(&self, setting: &str) -> bool {
        self.measured_again.contains(setting) && self.seems_faster(setting)
    }

    fn seems_faster(&self, setting: &str) -> bool {
        self.launches
            .iter()
            .any(|one| one.ratios.get(setting).is_some_and(|ratio| ratio.is_faster(&one.noise)))
    }

    /// Whether it seems faster for one launch, and slower for none.
    pub fn seems_good(&self, setting: &str) -> bool {
        self.seems_faster(setting) && !self.may_be_slower(setting)
    }

    /// Whether a setting is slower than stock for one launch, for sure, or has no time for one.
    fn is_slower(&self, setting: &str) -> bool {
        self.launches
            .iter()
            .any(|one| one.ratios.get(setting).is_none_or(|ratio| ratio.is_slower(&one.noise)))
    }

    /// Whether the default must not be kept.
    pub fn is_against_default(&self) -> bool {
        if self.is_of_best {
            self.is_slower(DEFAULT)
        } else {
            self.may_be_slower(DEFAULT)
        }
    }

    /// Whether a setting takes more time than stock for one launch, if only by what cannot be told from noise, or has no time for one.
    pub fn may_be_slower(&self, setting: &str) -> bool {
        self.launches.iter().any(|one| one.ratios.get(setting).is_none_or(|ratio| ratio.median > MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(noise: Ratio, ratios: &[(&str, f64)]) -> OneOnGpu {
        let ratio = |median: f64| Ratio { median, low: median - 0.002, high: median + 0.002 };
        OneOnGpu {
            launch: String::new(),
            stock: 10.0,
            noise,
            ratios: ratios.iter().map(|&(setting, median)| (setting.to_owned(), ratio(median))).collect(),
        }
    }

    #[test]
    fn a_ratio_is_the_mean_over_launches() {
        let mut on_gpu = OnGpu {
            launches: vec![
                one(Ratio::SAME, &[("default", 0.8), ("lsr", 0.9), ("pressure", 0.9)]),
                one(Ratio::SAME, &[("default", 1.25), ("pressure", 1.0)]),
            ],
            ..OnGpu::default()
        };
        assert!((on_gpu.ratio("default").unwrap().median - 1.0).abs() < 1e-9);
        assert_eq!(on_gpu.ratio("lsr"), None, "it was not measured for the second launch");
        assert!(on_gpu.seems_faster("default") && on_gpu.may_be_slower("default"));
        assert!(on_gpu.seems_faster("lsr") && on_gpu.may_be_slower("lsr"));
        assert!(on_gpu.seems_faster("pressure") && !on_gpu.may_be_slower("pressure"));
        assert!(!on_gpu.is_faster("pressure"), "it was not measured again");
        on_gpu.measured_again.insert("pressure".to_owned());
        assert!(on_gpu.is_faster("pressure"));
        assert_eq!(OnGpu::default().ratio("default"), None);
    }
}
