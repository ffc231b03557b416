//! The machine codes of a file's kernels under each setting: what a GPU is asked to time.
//!
//! **Problem.** A GPU is asked when all files have been compiled, and many settings give one code. **Method.** The codes are kept by the question to ptxas that
//! made them, and compared by their bytes. **Source.** None. **Deviation.** None. **Complexity.** Settings times distinct codes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use ptx_emu::grid::launch::Launch;

use crate::measure::setting::STOCK;
use crate::time::Machined;

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

    /// The settings with a code.
    pub fn settings(&self, place: usize) -> impl Iterator<Item = &'a str> + '_ {
        self.places.iter().filter(move |(_, own)| **own == place).map(|(setting, _)| *setting)
    }
}
