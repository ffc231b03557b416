//! Predicts the ratio of the times of all kernels that two machine codes have in common.
//!
//! **Problem.** A kernel's time depends on how it is launched, which its code does not say.
//!
//! **Method.** A launch that somebody gives counts. Without one, launches are made up from the PTX as `equal --grid` makes them up, and the
//! result is the geometric mean over those that run, with the lowest and the highest.
//!
//! **Complexity.** That of [`super::predict`], for each kernel and launch.

use std::path::Path;

use anyhow::{anyhow, ensure, Context, Result};
use gpu_time::machine::Machine;
use ptx_emu::grid::block::Program;
use ptx_emu::grid::launch::{Launch, Size};
use ptx_emu::grid::Approximation;
use sass_emu::cubin::Cubin;
use sass_emu::instruction::{disassemble, Listing};
use serde::Serialize;

use super::predict::{predict, Code, Effort, Prediction};
use crate::ptxas::Cuda;

/// Machine code, and the PTX that it was made from if that is known.
pub struct Machined {
    cubin: Cubin,
    pub listing: Listing,
    ptx: Option<String>,
}

impl Machined {
    /// Reads a cubin.
    pub fn read(cuda: &Cuda, path: &Path) -> Result<Machined> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let cubin = Cubin::read(&bytes).with_context(|| path.display().to_string())?;
        let listing = disassemble(&cuda.nvdisasm(), path, &cubin)?;
        Ok(Machined { cubin, listing, ptx: None })
    }

    /// Has ptxas compile PTX. The inner error is its complaint.
    pub fn assemble(cuda: &Cuda, ptx: &str, gpu: &str) -> Result<Result<Machined, String>> {
        let folder = tempfile::tempdir().context("temporary directory")?;
        let file = match cuda.cubin(folder.path(), ptx, gpu, &[])? {
            Ok(file) => file,
            Err(complaint) => return Ok(Err(complaint)),
        };
        Ok(Ok(Machined { ptx: Some(ptx.to_owned()), ..Machined::read(cuda, &file)? }))
    }

    fn code(&self, name: &str) -> Result<Code<'_>> {
        let instructions = self.listing.get(name).ok_or_else(|| anyhow!("there is no code of {name}"))?;
        Ok(Code { cubin: &self.cubin, kernel: self.cubin.kernel(name)?, instructions })
    }
}

/// Where a launch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    #[serde(flatten)]
    pub prediction: Option<Prediction>,
}

/// How many launches are made up for a kernel.
const MADE_UP: u64 = 5;
/// Instructions that the warps of a launch may issue which is made up. Its numbers may make a loop run for ever.
const MADE_UP_BUDGET: u64 = 200_000;

/// Predicts all kernels of two codes; of those that launches are given for, if there are any.
///
/// # Errors
/// Says that both are for different processors, or for one that is not modelled, or that a launch names a kernel that is not there.
pub fn compare(
    sides: [&Machined; 2],
    launches: &[Launch],
    budget: u64,
    has_interval: bool,
) -> Result<Vec<Row>> {
    let [a, b] = sides.map(|side| side.cubin.architecture);
    ensure!(a == b, "one side is for sm_{a}, the other one for sm_{b}");
    let machine = Machine::of(a).map_err(|why| anyhow!(why))?;
    let mut rows = Vec::new();
    if !launches.is_empty() {
        for launch in launches {
            let codes = [sides[0].code(&launch.kernel)?, sides[1].code(&launch.kernel)?];
            let effort = Effort { budget, has_interval, fills_gpu: false };
            let predicted = predict(&machine, codes, launch, effort);
            rows.push(row(&launch.kernel, Origin::Given, vec![predicted]));
        }
        return Ok(rows);
    }
    let programs = sides.map(|side| match &side.ptx {
        Some(ptx) => Program::with(ptx, Approximation::Value).map_err(|why| anyhow!(why)),
        None => Err(anyhow!("a cubin does not say how it is launched; --launch FILE does")),
    });
    let [first, second] = programs;
    let (first, second) = (first?, second?);
    // Made-up launches have much shared memory. A kernel that asks for none would get too few resident blocks.
    let has_dynamic_shared =
        sides.iter().any(|side| side.ptx.as_ref().is_some_and(|ptx| ptx.contains(".extern .shared")));
    for kernel in first.kernels().filter(|name| sides[1].listing.contains_key(*name)) {
        let codes = [sides[0].code(kernel)?, sides[1].code(kernel)?];
        let effort = Effort { budget: budget.min(MADE_UP_BUDGET), has_interval: false, fills_gpu: true };
        let one = |variant| {
            let size = Size::of(variant);
            let mut launch = Launch::make_up([&first, &second], kernel, variant, size)?;
            if !has_dynamic_shared {
                launch.shared = 0;
            }
            predict(&machine, codes, &launch, effort)
        };
        rows.push(row(kernel, Origin::MadeUp, (0..MADE_UP).map(one).collect()));
    }
    Ok(rows)
}

/// Puts the predictions of several launches together.
fn row(kernel: &str, origin: Origin, predicted: Vec<Result<Prediction, String>>) -> Row {
    let mut good = Vec::new();
    let mut error = None;
    for one in predicted {
        match one {
            Ok(prediction) => good.push(prediction),
            Err(why) => error = Some(why),
        }
    }
    let launches = good.len();
    let mean = good.iter().map(|one| one.ratio.ln()).sum::<f64>() / launches.max(1) as f64;
    let low = good.iter().map(|one| one.low).fold(f64::INFINITY, f64::min);
    let high = good.iter().map(|one| one.high).fold(0.0, f64::max);
    // The launch that does most stands for all where one is asked for.
    let most = good.into_iter().max_by(|a, b| a.sides[0].executed.total_cmp(&b.sides[0].executed));
    let prediction = most.map(|one| Prediction { ratio: mean.exp(), low, high, ..one });
    let error = error.filter(|_| prediction.is_none());
    Row { kernel: kernel.to_owned(), origin, launches, error, prediction }
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
