//! Predicts the ratio of the times of all kernels that two machine codes have in common.
//!
//! **Problem.** A kernel's time depends on how it is launched, which its code does not say.
//!
//! **Method.** A launch that the user gives counts. Without one, launches are made up from the PTX as `equal --grid` makes them up, and the
//! result is the geometric mean over those that run, with the lowest and the highest.
//!
//! **Complexity.** That of [`super::predict`], for each kernel and launch.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use anyhow::{anyhow, bail, ensure, Context, Result};
use gpu_time::machine::Machine;
use ptx_emu::grid::block::Program;
use ptx_emu::grid::launch::{Argument, Buffer, Launch, Size};
use ptx_emu::grid::memory::Content;
use ptx_emu::grid::Approximation;
use rayon::prelude::*;
use sass_emu::cubin::Cubin;
use sass_emu::instruction::Listing;
use serde::{Deserialize, Serialize};

use super::listings::Listings;
use super::predict::{self, predict, Code, Effort, NoTime, Prediction, Share};
use crate::complaint::Complaint;
use crate::cubin::{self, Tables};
use crate::measure::identity::Fnv;
use crate::measure::judgement::geometric_mean;
use crate::ptxas::Cuda;

/// Machine code, and the PTX that it was made from if that is known.
pub struct Machined {
    cubin: Cubin,
    pub listing: Listing,
    pub ptx: Option<String>,
    bytes: Vec<u8>,
}

impl Machined {
    /// Reads a cubin.
    pub fn read(cuda: &Cuda, path: &Path) -> Result<Machined> {
        let name = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        ensure!(!bytes.is_empty(), "{name}: the file is empty; a cubin is what ptxas or nvcc -cubin writes");
        Machined::of(cuda, bytes, None, &Listings::default()).with_context(|| name.to_string())
    }

    /// The code of a cubin, and the PTX that it was made from. Its listing is read if it is not known.
    pub fn of(cuda: &Cuda, bytes: Vec<u8>, ptx: Option<String>, listings: &Listings) -> Result<Machined> {
        let cubin = Cubin::read(&bytes)?;
        let listing = listings.of(cuda, &bytes, &cubin)?;
        Ok(Machined { cubin, listing, ptx, bytes })
    }

    /// Has ptxas compile PTX. The inner error is its complaint.
    pub fn assemble(cuda: &Cuda, ptx: &str, gpu: &str) -> Result<Result<Machined, Complaint>> {
        let folder = tempfile::tempdir().context("temporary directory")?;
        // Line numbers change no code.
        let file = match cuda.cubin(folder.path(), ptx, gpu, &["-lineinfo"])? {
            Ok(file) => file,
            Err(complaint) => return Ok(Err(complaint)),
        };
        Ok(Ok(Machined { ptx: Some(ptx.to_owned()), ..Machined::read(cuda, &file)? }))
    }

    /// Whether it has code of a kernel.
    pub fn has(&self, kernel: &str) -> bool {
        self.listing.contains_key(kernel)
    }

    /// Whether a kernel is the same machine code in another cubin, which may have other kernels.
    pub fn has_same<'a>(&'a self, other: &'a Machined, kernel: &str) -> bool {
        let own = |side: &'a Machined| {
            let kernel = side.cubin.kernels.get(kernel)?;
            Some((&kernel.code, &kernel.banks, kernel.registers, kernel.shared, kernel.local))
        };
        own(self).is_some() && own(self) == own(other)
    }

    /// The cubin.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Compares the arguments of a launch with the parameters of its kernel.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn check_arguments(&self, launch: &Launch) -> Result<()> {
        predict::parameters(self.cubin.kernel(&launch.kernel)?, launch)?;
        Ok(())
    }

    /// The lines of PTX and source that the code comes from, where the cubin has them.
    pub fn lines(&self) -> Result<Tables> {
        cubin::lines(&self.bytes)
    }

    /// The model of the processor that it is for. An error says that there is none.
    pub fn machine(&self) -> Result<Machine, gpu_time::machine::Error> {
        Machine::of(self.cubin.architecture)
    }

    /// The code of a kernel that it has.
    fn known_code(&self, name: &str) -> Option<Code<'_>> {
        let kernel = self.cubin.kernels.get(name)?;
        Some(Code { cubin: &self.cubin, kernel, instructions: self.listing.get(name)? })
    }

    fn code(&self, name: &str) -> Result<Code<'_>> {
        let instructions = self.listing.get(name).ok_or_else(|| {
            let kernels = self.cubin.kernels.keys().map(String::as_str).collect::<Vec<_>>();
            anyhow!("there is no code of {name}; kernels: {}", kernels.join(", "))
        })?;
        Ok(Code { cubin: &self.cubin, kernel: self.cubin.kernel(name)?, instructions })
    }
}

/// Where a launch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    Given,
    MadeUp,
}

/// The prediction for a kernel.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub kernel: String,
    pub origin: Origin,
    /// Launches that the prediction is made of.
    pub launches: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How many other launches there were that do not count, and why the first of them does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<(usize, String)>,
    #[serde(flatten)]
    pub prediction: Option<Prediction>,
}

/// How many launches are made up for a kernel.
const MADE_UP: u64 = 5;
/// Instructions that the warps of a launch may issue which is made up. Its numbers may make a loop run for ever.
const MADE_UP_BUDGET: u64 = 200_000;

/// The launches that a kernel is predicted for.
struct Launches {
    kernel: String,
    origin: Origin,
    /// Those that can be had. An error says why one could not be made up.
    launches: Vec<Result<Launch, ptx_emu::Error>>,
}

/// The launches of all kernels that all sides have, or of those that launches are given for, if there are any; each given one by itself.
fn launches(sides: &[&Machined], given: &[Launch], memory: Option<Content>) -> Result<Vec<Launches>> {
    if !given.is_empty() {
        let one = |launch: &Launch| Launches {
            kernel: launch.kernel.clone(),
            origin: Origin::Given,
            launches: vec![Ok(launch.clone())],
        };
        return Ok(given.iter().map(one).collect());
    }
    let has_all = |name: &&str| sides.iter().all(|side| side.has(name));
    let texts: Option<Vec<&str>> = sides.iter().map(|side| side.ptx.as_deref()).collect();
    let Some(texts) = texts else {
        bail!("a cubin does not say how it is launched; --launch FILE does");
    };
    let programs = texts.into_iter().map(|ptx| Program::with(ptx, Approximation::Value));
    let programs = match programs.collect::<Result<Vec<_>, _>>() {
        Ok(programs) => programs,
        Err(why) => {
            // A text that the emulator does not understand is not the user's mistake: other files go on.
            let names = sides.iter().take(1).flat_map(|side| side.listing.keys()).map(String::as_str);
            let of = |kernel: &str| Launches {
                kernel: kernel.to_owned(),
                origin: Origin::MadeUp,
                launches: vec![Err(why.clone())],
            };
            return Ok(names.filter(has_all).map(of).collect());
        }
    };
    let (Some(first), Some(last)) = (programs.first(), programs.last()) else { return Ok(Vec::new()) };
    // Made-up launches have much shared memory. A kernel that asks for none would get too few resident blocks.
    let has_dynamic_shared =
        sides.iter().any(|side| side.ptx.as_ref().is_some_and(|ptx| ptx.contains(".extern .shared")));
    let make_up = |kernel: &str, variant| {
        let mut launch = Launch::make_up([first, last], kernel, variant, Size::of(variant))?;
        if !has_dynamic_shared {
            launch.shared = 0;
        }
        launch.content = memory.unwrap_or(launch.content);
        Ok(launch)
    };
    let of = |kernel: &str| Launches {
        kernel: kernel.to_owned(),
        origin: Origin::MadeUp,
        launches: (0..MADE_UP).map(|variant| make_up(kernel, variant)).collect(),
    };
    Ok(first.kernels().filter(has_all).map(of).collect())
}

/// How launches that are given are run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Instructions of warps that the emulated blocks of a launch may issue.
    pub budget: u64,
    pub has_interval: bool,
    /// Whether an access that misses the launch's buffers is an error.
    pub has_bounds: bool,
    /// The numbers in the memory of made-up launches; `None`: other ones in each.
    pub memory: Option<Content>,
}

impl Origin {
    /// The mark of a time that is predicted for launches that are made up.
    pub const fn mark(self) -> &'static str {
        match self {
            Origin::Given => "",
            Origin::MadeUp => "~",
        }
    }

    fn effort(self, options: Options) -> Effort {
        let Options { budget, has_interval, has_bounds, memory: _ } = options;
        match self {
            Origin::Given => Effort { budget, has_interval, is_made_up: false, has_bounds },
            Origin::MadeUp => Effort {
                budget: budget.min(MADE_UP_BUDGET),
                has_interval: false,
                is_made_up: true,
                has_bounds: false,
            },
        }
    }
}

/// Predicts all kernels of two codes; of those that launches are given for, if there are any. A row says why its kernel is not predicted, as
/// where the processor is not modelled.
///
/// # Errors
/// Says that both are for different processors, or that a launch names a kernel that is not there.
pub fn compare(sides: [&Machined; 2], given: &[Launch], options: Options) -> Result<Vec<Row>> {
    let [a, b] = sides.map(|side| side.cubin.architecture);
    ensure!(a == b, "one side is for sm_{a}, the other one for sm_{b}");
    let machine = sides[0].machine();
    let mut rows = Vec::new();
    for Launches { kernel, origin, launches } in launches(&sides, given, options.memory)? {
        let codes = [sides[0].code(&kernel)?, sides[1].code(&kernel)?];
        let effort = origin.effort(options);
        let one = |launch: Result<Launch, _>| {
            predict(machine.as_ref().map_err(Clone::clone)?, codes, &launch?, effort)
        };
        rows.push(row(&kernel, origin, launches.into_iter().map(one).collect()));
    }
    Ok(rows)
}

/// The predicted time of a kernel, which means something beside that of another version for the same launches only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alone {
    pub origin: Origin,
    pub launches: Vec<OneAlone>,
}

/// The predicted time for a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneAlone {
    /// A hash of the launch.
    pub launch: String,
    /// Cycles of a multiprocessor for a block.
    pub cycles: f64,
    pub share: Share,
}

impl Alone {
    /// The time as a part of that of another version: the geometric mean over the launches that both have, or `None` if there is none.
    pub fn ratio(&self, other: &Alone) -> Option<f64> {
        geometric_mean(self.launches.iter().filter_map(|own| {
            let other = other.of(&own.launch).filter(|other| other.share == own.share)?;
            Some(own.cycles / other.cycles)
        }))
    }

    /// Whether it does not pay to go on with the launches of another version that it lacks, which come last: its time would be less than
    /// `gain` of that one's only if it took less than `hope` for these.
    pub fn cannot_gain(&self, other: &Alone, gain: f64, hope: f64) -> bool {
        let Some(ratio) = self.ratio(other) else { return false };
        let (done, all) = (self.launches.len() as f64, other.launches.len() as f64);
        all > done && (all * gain.ln() - done * ratio.ln()) / (all - done) < hope.ln()
    }

    fn of(&self, launch: &str) -> Option<&OneAlone> {
        self.launches.iter().find(|own| own.launch == launch)
    }
}

/// Why a kernel has no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPredicted {
    pub why: String,
    /// Whether a launch that is given does not run.
    pub is_given: bool,
}

/// The times of a kernel, with the launches that have run.
#[derive(Clone, Debug)]
pub struct Tried {
    pub times: Alone,
    /// In the order of the times.
    launches: Vec<Launch>,
}

/// The times of the kernels of a code, or why there are none.
type TimesOf<T> = BTreeMap<String, Result<T, NotPredicted>>;

/// Predicts all kernels of a code, or those that launches are given for; `before` gives the times of another version, whose shares are taken.
///
/// # Errors
/// As of [`compare`].
pub fn alone<'a>(
    side: &Machined,
    given: &[Launch],
    options: Options,
    before: impl Fn(&str) -> Option<&'a Alone> + Sync,
) -> Result<TimesOf<Alone>> {
    let share = |kernel: &str, launch: &str| Some(before(kernel)?.of(launch)?.share);
    let tried = try_all(side, given, options, share)?;
    Ok(tried.into_iter().map(|(kernel, tried)| (kernel, tried.map(|tried| tried.times))).collect())
}

/// As [`alone`], with the launches, for [`again`].
///
/// # Errors
/// As of [`compare`].
pub fn tried(side: &Machined, given: &[Launch], options: Options) -> Result<TimesOf<Tried>> {
    try_all(side, given, options, |_, _| None)
}

fn try_all(
    side: &Machined,
    given: &[Launch],
    options: Options,
    share: impl Fn(&str, &str) -> Option<Share> + Sync,
) -> Result<TimesOf<Tried>> {
    let machine = side.machine();
    let mut kernels: TimesOf<Tried> = BTreeMap::new();
    for Launches { kernel, origin, launches } in launches(&[side], given, options.memory)? {
        let effort = origin.effort(options);
        let code = side.code(&kernel)?;
        let one = |launch: Result<Launch, ptx_emu::Error>| {
            let launch = launch?;
            let share = share(&kernel, &hash(&launch));
            Ok((time_of(code, &machine, &launch, effort, share)?, launch))
        };
        let outcomes: Vec<Result<(OneAlone, Launch), NoTime>> = launches.into_par_iter().map(one).collect();
        let mut error = None;
        let mut good = Vec::new();
        for outcome in outcomes {
            match outcome {
                Ok(one) => good.push(one),
                Err(why) => error = error.or(Some(why.to_string())),
            }
        }
        let none = || Tried { times: Alone { origin, launches: Vec::new() }, launches: Vec::new() };
        let outcome = kernels.entry(kernel).or_insert_with(|| Ok(none()));
        // The first launch that does not run says why, whatever comes after it.
        if let Ok(all) = outcome {
            if good.is_empty() {
                let is_given = origin == Origin::Given && machine.is_ok();
                let why = error.unwrap_or_else(|| "there is no launch".to_owned());
                *outcome = Err(NotPredicted { why, is_given });
            } else {
                for (time, launch) in good {
                    all.times.launches.push(time);
                    all.launches.push(launch);
                }
            }
        }
    }
    Ok(kernels)
}

/// The time of a version of a kernel for the launches that have run under another one, one after the other until the times so far
/// tell enough. A launch that does not run has none.
pub fn again(
    side: &Machined,
    kernel: &str,
    tried: &Tried,
    options: Options,
    is_enough: impl Fn(&Alone) -> bool,
) -> Alone {
    let machine = side.machine();
    let Tried { times, launches } = tried;
    let effort = times.origin.effort(options);
    let mut own = Alone { origin: times.origin, launches: Vec::new() };
    let Some(code) = side.known_code(kernel) else { return own };
    for (time, launch) in times.launches.iter().zip(launches) {
        if let Ok(one) = time_of(code, &machine, launch, effort, Some(time.share)) {
            own.launches.push(one);
            if is_enough(&own) {
                break;
            }
        }
    }
    own
}

/// The time of a kernel for a launch.
fn time_of(
    code: Code,
    machine: &Result<Machine, gpu_time::machine::Error>,
    launch: &Launch,
    effort: Effort,
    share: Option<Share>,
) -> Result<OneAlone, NoTime> {
    let machine = machine.as_ref().map_err(Clone::clone)?;
    let (cycles, share) = predict::alone(machine, code, launch, effort, share)?;
    Ok(OneAlone { launch: hash(launch), cycles, share })
}

/// The hash of all of a launch that its time depends on.
pub fn hash(launch: &Launch) -> String {
    let Launch { kernel, grid, block, shared, arguments, memory, seed, content, planted } = launch;
    let mut hash = Fnv::new();
    hash.add(format!("{kernel} {grid:?} {block:?} {shared} {seed} {content:?} {planted:?}").as_bytes());
    let add_buffer = |hash: &mut Fnv, buffer: &Buffer| {
        let Buffer { address, size, input, is_repeated, expected: _ } = buffer;
        hash.add(format!("buffer {address} {size} {is_repeated} {}", input.is_some()).as_bytes());
        hash.add(input.as_deref().unwrap_or_default());
    };
    for argument in arguments {
        match argument {
            Argument::Buffer(buffer) => add_buffer(&mut hash, buffer),
            Argument::Bytes(bytes) => {
                hash.add(format!("bytes {}", bytes.len()).as_bytes());
                hash.add(bytes);
            }
            Argument::Addresses { bytes, places } => {
                hash.add(format!("bytes {} {places:?}", bytes.len()).as_bytes());
                hash.add(bytes);
            }
        }
    }
    memory.iter().for_each(|buffer| add_buffer(&mut hash, buffer));
    hash.text()
}

/// Puts the predictions of several launches together.
fn row(kernel: &str, origin: Origin, predicted: Vec<Result<Prediction, impl Display>>) -> Row {
    let mut good = Vec::new();
    let mut error = None;
    let tried = predicted.len();
    for one in predicted {
        match one {
            Ok(prediction) => good.push(prediction),
            Err(why) => error = error.or(Some(why.to_string())),
        }
    }
    let launches = good.len();
    let mean = good.iter().map(|one| one.ratio.ln()).sum::<f64>() / launches.max(1) as f64;
    let low = good.iter().map(|one| one.low).fold(f64::INFINITY, f64::min);
    let high = good.iter().map(|one| one.high).fold(0.0, f64::max);
    // Where one is asked for, the launch that does most stands for all, among those that go the way of the mean if it goes any.
    let goes_along = |one: &Prediction| (one.ratio.ln() < 0.0) == (mean < 0.0) || mean == 0.0;
    let does_more = |a: &Prediction, b: &Prediction| {
        goes_along(a).cmp(&goes_along(b)).then(a.sides[0].executed.total_cmp(&b.sides[0].executed))
    };
    let most = good.into_iter().max_by(does_more);
    let prediction = most.map(|one| Prediction { ratio: mean.exp(), low, high, ..one });
    let (error, left_out) = match (error, &prediction) {
        (Some(why), Some(_)) => (None, Some((tried - launches, why))),
        (error, _) => (error, None),
    };
    Row { kernel: kernel.to_owned(), origin, launches, error, left_out, prediction }
}

/// Puts the rows of each kernel with several given launches together. Made-up ones are together already.
pub fn together(rows: Vec<Row>) -> Vec<Row> {
    let mut whole: Vec<Row> = Vec::new();
    let mut given: BTreeMap<String, Vec<Result<Prediction, _>>> = BTreeMap::new();
    for own in rows {
        if own.origin == Origin::MadeUp {
            whole.push(own);
        } else {
            let predicted = own.prediction.ok_or_else(|| own.error.unwrap_or_default());
            given.entry(own.kernel).or_default().push(predicted);
        }
    }
    whole.extend(given.into_iter().map(|(kernel, all)| row(&kernel, Origin::Given, all)));
    whole
}

/// The cause by which the sides differ most, as `L2 -12 %`; empty if none differs by a hundredth of the first side's time.
pub fn reason(prediction: &Prediction) -> String {
    let [a, b] = &prediction.sides;
    let change = |at: usize| (b.causes[at] - a.causes[at]) / a.cycles;
    // The cause goes the way that the time goes.
    let is_faster = b.cycles < a.cycles;
    let goes_along = |at: &usize| (change(*at) < 0.0) == is_faster;
    let most =
        (0..a.causes.len()).filter(goes_along).max_by(|&x, &y| change(x).abs().total_cmp(&change(y).abs()));
    let Some(most) = most.filter(|&at| change(at).abs() >= 0.01) else { return String::new() };
    let (_, name) = gpu_time::replay::CAUSES[most];
    let occupancy =
        if a.warps == b.warps { String::new() } else { format!("; warps {} > {}", a.warps, b.warps) };
    format!("{name} {:+.0} %{occupancy}", 100.0 * change(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_compared_for_launches_and_shares_that_both_have() {
        let alone = |launches: &[(&str, f64, Share)]| Alone {
            origin: Origin::MadeUp,
            launches: launches
                .iter()
                .map(|&(launch, cycles, share)| OneAlone { launch: launch.to_owned(), cycles, share })
                .collect(),
        };
        let (two, all) = (Share::Rounds(2), Share::All);
        let old = alone(&[("a", 100.0, two), ("b", 100.0, two), ("c", 7.0, all)]);
        let new = alone(&[("a", 400.0, two), ("b", 100.0, two), ("c", 9.0, two), ("d", 1.0, two)]);
        assert_eq!(new.ratio(&old), Some(2.0));
        assert_eq!(alone(&[("d", 1.0, two)]).ratio(&old), None);
    }

    #[test]
    fn what_cannot_gain_any_more_is_given_up() {
        let alone = |cycles: &[f64]| Alone {
            origin: Origin::MadeUp,
            launches: (0..)
                .zip(cycles)
                .map(|(number, &cycles)| OneAlone { launch: format!("{number}"), cycles, share: Share::All })
                .collect(),
        };
        let default = alone(&[100.0; 5]);
        let is_given_up = |cycles: &[f64]| alone(cycles).cannot_gain(&default, 0.99, 0.97);
        assert!(is_given_up(&[108.0]) && !is_given_up(&[107.0]));
        assert!(is_given_up(&[101.0; 3]) && !is_given_up(&[100.0; 3]));
        assert!(is_given_up(&[100.0; 4]) && !is_given_up(&[99.0; 4]));
        assert!(!is_given_up(&[200.0; 5]), "nothing is left");
        assert!(!is_given_up(&[]));
    }

    #[test]
    fn given_launches_of_a_kernel_are_one_row() {
        let own = |kernel: &str, ratio: f64, executed: f64| {
            let side = predict::Side {
                cycles: 1.0,
                executed,
                registers: 8,
                instructions: 1,
                warps: 64,
                causes: gpu_time::replay::Causes::default(),
                places: Vec::new(),
            };
            let sides = [side.clone(), side];
            let assumed = std::collections::BTreeSet::new();
            let prediction = Prediction { ratio, low: ratio, high: ratio, moved_most_by: "", assumed, sides };
            row(kernel, Origin::Given, vec![Ok::<_, NoTime>(prediction)])
        };
        let rows = together(vec![own("k", 0.5, 7.0), own("other", 1.0, 1.0), own("k", 2.0, 9.0)]);
        let names: Vec<(&str, usize)> = rows.iter().map(|row| (row.kernel.as_str(), row.launches)).collect();
        assert_eq!(names, [("k", 2), ("other", 1)]);
        let found = rows[0].prediction.as_ref().unwrap();
        assert_eq!((found.ratio, found.low, found.high, found.sides[0].executed), (1.0, 0.5, 2.0, 9.0));
        let rows = together(vec![own("k", 0.5, 7.0), own("k", 0.6, 5.0), own("k", 1.1, 9.0)]);
        let found = rows[0].prediction.as_ref().unwrap();
        assert_eq!(
            found.sides[0].executed, 7.0,
            "the reason is that of a launch that goes the way of the mean"
        );
    }

    #[test]
    fn another_launch_has_another_hash_and_what_it_expects_does_not_count() {
        let launch = |size, expected: Option<(std::path::PathBuf, Vec<u8>)>| {
            let mut launch = Launch::new("k".to_owned());
            launch.arguments.push(Argument::Buffer(Buffer { size, expected, ..Buffer::default() }));
            hash(&launch)
        };
        assert_eq!(launch(8, None), launch(8, Some(("a".into(), vec![1]))));
        assert_ne!(launch(8, None), launch(16, None));
    }
}
