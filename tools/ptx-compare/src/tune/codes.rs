//! The machine codes of a file's kernels under each setting: what a GPU is asked to time.
//!
//! **Problem.** A GPU is asked when all files have been compiled, and many settings give one code. **Method.** The codes are kept by the question to ptxas that
//! made them, and compared by their bytes. **Source.** None. **Deviation.** None. **Complexity.** Settings times distinct codes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use ptx_emu::grid::launch::Launch;

use crate::measure::setting::{DEFAULT, STOCK};
use crate::time::{Alone, Machined};

/// The machine codes of a file's kernels, and the launches to time them for.
#[derive(Default)]
pub struct Codes {
    is_wanted: bool,
    /// By the number of a question to ptxas.
    made: Mutex<BTreeMap<usize, Machined>>,
    /// Those that are given; empty if they are made up.
    pub launches: Vec<Launch>,
    /// By kernel, each setting with the question that made its code.
    of: BTreeMap<String, Vec<(String, usize)>>,
}

impl Codes {
    /// `is_wanted`: whether a GPU will be asked; if not, nothing is kept.
    pub fn new(is_wanted: bool) -> Self {
        Codes { is_wanted, ..Codes::default() }
    }

    pub fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Keeps the code that a question to ptxas has made.
    pub fn keep(&self, question: usize, code: Machined) {
        if self.is_wanted {
            self.made.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(question, code);
        }
    }

    /// Says which launches are given, and for each kernel and setting which question made its code.
    pub fn belong_to<'a>(
        &mut self,
        launches: Vec<Launch>,
        of: impl Iterator<Item = (&'a str, &'a str, usize)>,
    ) {
        self.launches = launches;
        let kernels: BTreeSet<&str> = self.launches.iter().map(|launch| &*launch.kernel).collect();
        for (kernel, setting, question) in
            of.filter(|(kernel, ..)| self.is_wanted && kernels.contains(kernel))
        {
            self.of.entry(kernel.to_owned()).or_default().push((setting.to_owned(), question));
        }
    }

    /// How many kernels are to be timed.
    pub fn kernels(&self) -> usize {
        self.of.len()
    }

    /// The launches, and the kernels that are to be timed, each with its distinct codes; `None` if there is no code of stock's.
    pub fn parts(&mut self) -> (&[Launch], impl Iterator<Item = (&str, Option<Distinct<'_>>)>) {
        let made = self.made.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        (&self.launches, self.of.iter().map(|(kernel, own)| (&**kernel, Distinct::of(kernel, own, made))))
    }
}

/// The distinct codes of a kernel, stock's first.
pub struct Distinct<'a> {
    pub codes: Vec<&'a Machined>,
    /// By setting the place among these.
    places: BTreeMap<&'a str, usize>,
}

impl<'a> Distinct<'a> {
    fn of(
        kernel: &str,
        own: &'a [(String, usize)],
        made: &'a BTreeMap<usize, Machined>,
    ) -> Option<Distinct<'a>> {
        let (_, stock) = own.iter().find(|(setting, _)| setting == STOCK)?;
        let mut distinct = Distinct { codes: vec![made.get(stock)?], places: BTreeMap::new() };
        for (setting, question) in own {
            let Some(code) = made.get(question) else { continue };
            let known = distinct.codes.iter().position(|known| known.has_same(code, kernel));
            let place = known.unwrap_or_else(|| {
                distinct.codes.push(code);
                distinct.codes.len() - 1
            });
            distinct.places.insert(setting, place);
        }
        Some(distinct)
    }

    /// Keeps stock's code, the default's, and the `few` that are predicted to take the least time; all of them if there is no prediction.
    pub fn of_best(mut self, times: &BTreeMap<String, Alone>, few: usize) -> Self {
        let Some(kept) = best_places(&self.places, times, few) else { return self };
        self.codes = kept.iter().map(|&place| self.codes[place]).collect();
        let new = |place: usize| kept.iter().position(|&old| old == place);
        self.places =
            self.places.into_iter().filter_map(|(setting, place)| Some((setting, new(place)?))).collect();
        self
    }

    /// The settings with a code.
    pub fn settings(&self, place: usize) -> impl Iterator<Item = &'a str> + '_ {
        self.places.iter().filter(move |(_, own)| **own == place).map(|(setting, _)| *setting)
    }
}

/// The places of codes, stock's first, then those of the `few` others with the least predicted time, and the default's. `None` without a prediction.
fn best_places(
    places: &BTreeMap<&str, usize>,
    times: &BTreeMap<String, Alone>,
    few: usize,
) -> Option<Vec<usize>> {
    let default = times.get(DEFAULT)?;
    let priced = places.iter().filter(|(_, &place)| place != 0);
    let mut priced: Vec<(f64, usize)> =
        priced.filter_map(|(setting, &place)| Some((times.get(*setting)?.ratio(default)?, place))).collect();
    priced.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // Settings with the same code have the same time.
    priced.dedup_by_key(|(_, place)| *place);
    let mut kept = vec![0];
    kept.extend(priced.iter().take(few).map(|(_, place)| *place));
    match places.get(DEFAULT) {
        Some(&own) if !kept.contains(&own) => kept.push(own),
        _ => {}
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::compare::OneAlone;
    use crate::time::predict::Share;
    use crate::time::Origin;

    #[test]
    fn prediction_chooses_what_is_measured() {
        let places: BTreeMap<&str, usize> =
            [(STOCK, 0), ("same", 0), (DEFAULT, 1), ("a", 2), ("a2", 2), ("b", 3), ("c", 4), ("d", 5)].into();
        let times = |cycles: &[(&str, f64)]| -> BTreeMap<String, Alone> {
            let alone = |cycles| {
                let one = OneAlone { launch: String::new(), cycles, share: Share::Rounds(2) };
                Alone { origin: Origin::Given, launches: vec![one] }
            };
            cycles.iter().map(|&(setting, cycles)| (setting.to_owned(), alone(cycles))).collect()
        };
        let all = [("same", 1.0), (DEFAULT, 100.0), ("a", 99.0), ("a2", 99.0), ("b", 90.0), ("c", 95.0)];
        assert_eq!(best_places(&places, &times(&all), 2), Some(vec![0, 3, 4, 1]), "and the default");
        assert_eq!(best_places(&places, &times(&all), 9), Some(vec![0, 3, 4, 2, 1]), "d has no time");
        assert_eq!(best_places(&places, &times(&all[2..]), 2), None);
    }
}
