//! Measures on this machine's GPU what the kernels of a file take under each setting.
//!
//! **Problem.** A predicted time ranks codes, and may be wrong. A GPU, where there is one, decides.
//!
//! **Method.** `--gpu` measures all codes of a kernel, `--verify-time` the few that are predicted to be the fastest. Only launches that are given are measured, as a made-up one says nothing about real work and may fault. Each distinct code of a kernel is timed against
//! stock's by crate gpu-run, when all files have been compiled, so that the machine is quiet. A code that faults, hangs or leaves other bytes in memory is not
//! taken, and a note says so. The one that seems to be the fastest is measured again, against stock's alone. Memory of which a launch says nothing begins with the numbers that a prediction has there.
//!
//! **Source.** None. **Deviation.** None. **Complexity.** That of the kernels, times codes and samples.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{anyhow, ensure, Context, Result};
use gpu_run::client::{Client, Measured, Waiting, What};
use gpu_run::interval::Ratio;
use gpu_run::job::{self, Card, Job};
use ptx_emu::grid::launch::{buffer_address, Argument, Buffer, Launch, Place};
use ptx_emu::grid::memory::Memory;
use ptx_emu::ptx::value::mix;

use super::codes::{Codes, Distinct};
use super::on_gpu::{OnGpu, OneOnGpu};
use super::record::Record;
use super::stop::Stop;
use crate::measure::setting::STOCK;
use crate::progress::Progress;
use crate::time::hash;

/// Blocks of samples; of 15 the interval of 95 % is between the 4th and the 12th.
const BLOCKS: usize = 15;
/// The least microseconds of a launch that is chosen by. The CPU takes some 2 to 4 to start one: less time than that cannot be told apart.
const LEAST: f64 = 5.0;
/// How many codes of a kernel are measured again at most, to confirm that one is faster.
const CONFIRMED: usize = 3;

/// How many codes are measured besides stock's and the default's where prediction chooses them.
const FEW: usize = 3;

/// The codes of a kernel that a GPU measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// All codes of a kernel.
    All,
    /// The few that are predicted to take the least time: what is not faster than stock for sure leaves the default.
    Best,
}

impl Asked {
    /// The option that asks.
    pub fn option(self) -> &'static str {
        match self {
            Asked::All => "--gpu",
            Asked::Best => "--verify-time",
        }
    }
}

/// A kernel that is measured, with the files that a worker reads.
struct Subject<'a> {
    kernel: &'a str,
    distinct: Distinct<'a>,
    /// A job for each launch, without codes.
    jobs: Vec<Job>,
    /// The hashes of the launches.
    launches: Vec<String>,
    /// The cubins, by place.
    files: Vec<PathBuf>,
    watch: Watch<'a>,
}

/// Where what is waited for is shown, and what ends the wait.
#[derive(Clone, Copy)]
struct Watch<'a> {
    progress: &'a Progress,
    stop: &'a Stop,
}

/// How long a wait is not worth a word.
const QUIET: Duration = Duration::from_secs(2);

impl<'a> Subject<'a> {
    fn new(
        kernel: &'a str,
        distinct: Option<Distinct<'a>>,
        launches: &[Launch],
        folder: &Path,
        watch: Watch<'a>,
    ) -> Result<Self> {
        let distinct = distinct.context("stock's code cannot be had")?;
        let launches: Vec<&Launch> = launches.iter().filter(|launch| launch.kernel == kernel).collect();
        let mut files = Vec::new();
        for (place, code) in distinct.codes.iter().enumerate() {
            for launch in &launches {
                code.check_arguments(launch)?;
            }
            files.push(file(folder, &format!("{place}.cubin"), code.bytes())?);
        }
        let jobs = launches.iter().enumerate().map(|(number, launch)| {
            ensure!(!watch.stop.is_set(), "{}", watch.stop.why());
            job(launch, number, folder)
        });
        let jobs = jobs.collect::<Result<Vec<_>>>()?;
        let launches = launches.into_iter().map(hash).collect();
        Ok(Subject { kernel, distinct, jobs, launches, files, watch })
    }

    /// Shows what is waited for where that takes long; returns whether to go on. `places`: of the codes that are asked about.
    fn waits(&self, waiting: Waiting, places: &[usize]) -> bool {
        if waiting.silent >= QUIET {
            let what = match waiting.what {
                What::Start => "the driver starts".to_owned(),
                What::Samples => "samples".to_owned(),
                What::Code(number) => {
                    let mut settings =
                        places.get(number).into_iter().flat_map(|&at| self.distinct.settings(at));
                    let first = settings.next().unwrap_or_default().to_owned();
                    match settings.count() {
                        0 => first,
                        more => format!("{first} and {more} more with its code"),
                    }
                }
            };
            self.watch.progress.wait(&format!(
                "{}, {what}: no answer for {} s; given up after {} s",
                self.kernel,
                waiting.silent.as_secs(),
                waiting.patience.as_secs()
            ));
        }
        !self.watch.stop.is_interrupted()
    }

    /// The place of the code that seems to be the fastest, of those that were not measured again.
    fn best(&self, on_gpu: &OnGpu) -> Option<usize> {
        let seems_good = (1..self.files.len()).filter_map(|place| {
            let setting = self.distinct.settings(place).next()?;
            let is_good = on_gpu.seems_good(setting) && !on_gpu.measured_again.contains(setting);
            Some((on_gpu.ratio(setting).filter(|_| is_good)?.median, place))
        });
        seems_good.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
    }
}

/// The GPU of this machine.
pub struct Gpu {
    client: Client,
    asked: Asked,
}

impl Gpu {
    /// Starts the process that talks to its driver.
    pub fn start(asked: Asked) -> Result<Gpu> {
        let own = std::env::current_exe().context("finding this program")?;
        let command = move || {
            let mut command = Command::new(&own);
            command.arg("gpu-worker");
            command
        };
        let client = Client::start(command).context(asked.option())?;
        Ok(Gpu { client, asked })
    }

    pub fn card(&self) -> &Card {
        &self.client.card
    }

    /// Measures all kernels that launches are given for.
    pub fn measure_all(&mut self, records: &mut [Record], codes: &mut [Codes], stop: &Stop) -> Result<()> {
        let kernels = codes.iter().map(Codes::kernels).sum();
        let progress = Progress::with_bad_word("measure on the GPU", kernels, "not measured");
        let watch = Watch { progress: &progress, stop };
        for (record, codes) in records.iter_mut().zip(codes) {
            let fits = fits(&record.cpu, self.card());
            let (launches, kernels) = codes.parts();
            let is_cut = record.unmeasured.iter().any(|setting| setting == STOCK);
            for (kernel, distinct) in kernels {
                let Some(measured) = record.kernels.get_mut(kernel) else { continue };
                measured.on_gpu.is_of_best = self.asked == Asked::Best;
                let distinct = distinct.map(|all| match self.asked {
                    Asked::All => all,
                    Asked::Best => all.of_best(&measured.times, FEW),
                });
                // The memory of its launches, which may be large.
                let folder = tempfile::tempdir().context("temporary directory")?;
                let outcome = match &fits {
                    Ok(()) if is_cut => Err(anyhow!(stop.why())),
                    Ok(()) => Subject::new(kernel, distinct, launches, folder.path(), watch)
                        .and_then(|subject| self.measure(&subject, &mut measured.on_gpu, &mut record.notes)),
                    Err(why) => Err(anyhow!("{why}")),
                };
                progress.step(outcome.is_err());
                if let Err(why) = outcome {
                    measured.keeps_default = true;
                    record.notes.push(format!(
                        "{}: {kernel}: not measured, the default is kept: {why:#}",
                        record.file
                    ));
                }
            }
        }
        progress.finish();
        Ok(())
    }

    /// Measures a kernel for all of its launches, then the fastest code again for those that are long enough; notes say which codes are not taken. What was
    /// measured before an error stays.
    fn measure(&mut self, subject: &Subject, on_gpu: &mut OnGpu, notes: &mut Vec<String>) -> Result<()> {
        let mut reasons = BTreeSet::new();
        let all: Vec<usize> = (0..subject.files.len()).collect();
        let launches = subject.jobs.iter().zip(&subject.launches);
        let outcome = self.measure_places(subject, launches, &all, &mut reasons, &mut on_gpu.launches);
        let small = without_small(&mut on_gpu.launches);
        for (settings, why) in reasons {
            notes.push(format!("{}: not taken, by what the GPU does: {settings}: {why}", subject.kernel));
        }
        outcome?;
        if let Some(why) = small {
            ensure!(!on_gpu.is_empty(), "{why}");
            notes.push(format!("{}: not all launches count: {why}", subject.kernel));
        }
        // The least of many times is partly luck: a second measurement decides.
        for _ in 0..CONFIRMED {
            let Some(place) = subject.best(on_gpu) else { break };
            let mut again = Vec::new();
            let is_counted = |launch: &String| on_gpu.launches.iter().any(|one| one.launch == *launch);
            let launches =
                subject.jobs.iter().zip(&subject.launches).filter(|(_, launch)| is_counted(launch));
            self.measure_places(subject, launches, &[0, place], &mut BTreeSet::new(), &mut again)?;
            for (one, again) in on_gpu.launches.iter_mut().zip(again) {
                one.noise = again.noise;
                for setting in subject.distinct.settings(place) {
                    one.ratios.remove(setting);
                    one.ratios.extend(again.ratios.get(setting).map(|ratio| (setting.to_owned(), *ratio)));
                }
            }
            on_gpu.measured_again.extend(subject.distinct.settings(place).map(str::to_owned));
            if subject.distinct.settings(place).any(|setting| on_gpu.seems_good(setting)) {
                break;
            }
        }
        Ok(())
    }

    /// Measures the codes at some places, the first of which is stock's, for some launches.
    fn measure_places<'a>(
        &mut self,
        subject: &Subject,
        launches: impl Iterator<Item = (&'a Job, &'a String)>,
        places: &[usize],
        reasons: &mut BTreeSet<(String, String)>,
        found: &mut Vec<OneOnGpu>,
    ) -> Result<()> {
        let files: Vec<PathBuf> = places.iter().map(|&place| subject.files[place].clone()).collect();
        for (job, launch) in launches {
            ensure!(!subject.watch.stop.is_set(), "{}", subject.watch.stop.why());
            let job = Job { codes: files.clone(), ..job.clone() };
            let measured = self.client.measure(&job, &mut |waiting| subject.waits(waiting, places))?;
            let mut ratios = BTreeMap::new();
            for (&place, code) in places.iter().zip(&measured.codes) {
                let settings = subject.distinct.settings(place);
                match code {
                    Ok(ratio) => {
                        let ratio = if place == 0 { Ratio::SAME } else { *ratio };
                        ratios.extend(settings.map(|setting| (setting.to_owned(), ratio)));
                    }
                    Err(why) => {
                        reasons.insert((settings.collect::<Vec<_>>().join(", "), why.to_string()));
                    }
                }
            }
            let Measured { microseconds: stock, noise, .. } = measured;
            found.push(OneOnGpu { launch: launch.clone(), stock, noise, ratios });
        }
        Ok(())
    }
}

/// Drops the launches that are too small to choose by, and says why; `None` if there is none.
fn without_small(launches: &mut Vec<OneOnGpu>) -> Option<String> {
    let least = launches.iter().map(|one| one.stock).fold(f64::INFINITY, f64::min);
    launches.retain(|one| one.stock >= LEAST);
    (least < LEAST).then(|| {
        format!("the launch takes {least:.1} µs; below {LEAST:.0} µs the start of a launch rules: give a larger one, with more blocks and larger buffers")
    })
}

/// Checks that a GPU runs the code for a processor: it is of the same generation and not older, or, for code with the suffix a, the very same.
fn fits(cpu: &str, card: &Card) -> Result<()> {
    let digits: String = cpu.chars().filter(char::is_ascii_digit).collect();
    let number: u32 = digits.parse().with_context(|| format!("{cpu} is not a processor"))?;
    let own = card.architecture;
    let is_fit = if cpu.ends_with('a') { number == own } else { number / 10 == own / 10 && number <= own };
    if is_fit {
        return Ok(());
    }
    Err(anyhow!("its code is for {cpu}, which {} does not run: --mcpu sm_{own}", card.name))
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, bytes).context("temporary file")?;
    Ok(path)
}

/// What a worker needs for a launch, except the codes. `launch_number`: its place among the launches whose memory is in the folder.
fn job(launch: &Launch, launch_number: usize, folder: &Path) -> Result<Job> {
    let mut memory = Memory::new(mix(launch.seed, 1), launch.content);
    launch.fill(&mut memory);
    let mut buffers = Vec::new();
    let mut addresses: Vec<u64> = Vec::new();
    for (number, buffer) in launch.buffers().enumerate() {
        let bytes = content(buffer, &mut memory);
        buffers.push(file(folder, &format!("launch-{launch_number}-buffer-{number}"), &bytes)?);
        addresses.push(buffer.address);
    }
    let place_of = |address: u64| {
        let place = addresses.iter().position(|&own| own == address);
        place.context("an address of a launch is outside of its buffers")
    };
    let place = |place: &Place| -> Result<job::Place> {
        let memory = place_of(buffer_address(place.buffer as u64))?;
        Ok(job::Place { at: place.at, memory, offset: place.offset })
    };
    let argument = |argument: &Argument| -> Result<job::Argument> {
        Ok(match argument {
            Argument::Bytes(bytes) => job::Argument::Bytes(bytes.clone()),
            Argument::Buffer(buffer) => job::Argument::Memory(place_of(buffer.address)?),
            Argument::Addresses { bytes, places } => job::Argument::Addresses {
                bytes: bytes.clone(),
                places: places.iter().map(place).collect::<Result<_>>()?,
            },
        })
    };
    let arguments = launch.arguments.iter().map(argument).collect::<Result<Vec<_>>>()?;
    Ok(Job {
        kernel: launch.kernel.clone(),
        grid: launch.grid,
        block: launch.block,
        shared: u32::try_from(launch.shared).context("dynamic shared memory")?,
        memory: buffers,
        arguments,
        codes: Vec::new(),
        left_out: Vec::new(),
        blocks: BLOCKS,
        is_careful: false,
    })
}

/// What is in a buffer before the launch.
fn content(buffer: &Buffer, memory: &mut Memory) -> Vec<u8> {
    // All of it is given: no need to ask word by word.
    match &buffer.input {
        Some(input) if input.len() as u64 == buffer.size => return input.clone(),
        Some(input) if buffer.is_repeated && input.len() == 1 => return vec![input[0]; buffer.size as usize],
        _ => {}
    }
    let mut bytes = Vec::new();
    for offset in (0..buffer.size).step_by(8) {
        let (word, _) = memory.read(buffer.address + offset, 8);
        let left = usize::try_from(buffer.size - offset).unwrap_or(8).min(8);
        bytes.extend_from_slice(&word.to_le_bytes()[..left]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_runs_code_of_its_generation() {
        let card = |architecture| Card { architecture, name: "G".to_owned(), driver: String::new() };
        for (cpu, architecture, is_fit) in [
            ("sm_80", 86, true),
            ("sm_86", 80, false),
            ("sm_90", 90, true),
            ("sm_80", 90, false),
            ("sm_90a", 90, true),
            ("sm_100a", 103, false),
            ("sm_100", 103, true),
        ] {
            assert_eq!(fits(cpu, &card(architecture)).is_ok(), is_fit, "{cpu} on {architecture}");
        }
        let why = fits("sm_80", &card(90)).unwrap_err().to_string();
        assert_eq!(why, "its code is for sm_80, which G does not run: --mcpu sm_90");
    }

    #[test]
    fn small_launches_do_not_count() {
        let one =
            |stock| OneOnGpu { launch: String::new(), stock, noise: Ratio::SAME, ratios: BTreeMap::new() };
        let mut launches = vec![one(5.0), one(2.34), one(80.0)];
        let why = without_small(&mut launches).unwrap();
        assert!(
            why.starts_with("the launch takes 2.3 µs; below 5 µs ") && why.contains("a larger one"),
            "{why}"
        );
        assert_eq!(launches, [one(5.0), one(80.0)]);
        assert_eq!(without_small(&mut launches), None);
        assert_eq!(without_small(&mut Vec::new()), None);
    }

    #[test]
    fn a_buffer_begins_with_what_the_launch_says() {
        let mut launch = Launch::new("k".to_owned());
        launch.arguments = vec![
            Argument::Buffer(Buffer {
                address: 1 << 34,
                size: 11,
                input: Some(vec![1, 2, 3]),
                is_repeated: true,
                expected: None,
            }),
            Argument::Bytes(vec![7]),
        ];
        launch.memory = vec![Buffer {
            address: buffer_address(1),
            size: 2,
            input: Some(vec![8, 9]),
            ..Buffer::default()
        }];
        let places = vec![Place { at: 8, buffer: 1, offset: 1 }];
        launch.arguments.push(Argument::Addresses { bytes: vec![0; 16], places });
        let folder = tempfile::tempdir().unwrap();
        let job = job(&launch, 0, folder.path()).unwrap();
        assert_eq!(fs::read(&job.memory[0]).unwrap(), [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2]);
        assert_eq!(fs::read(&job.memory[1]).unwrap(), [8, 9]);
        let places = vec![job::Place { at: 8, memory: 1, offset: 1 }];
        let wanted = [
            job::Argument::Memory(0),
            job::Argument::Bytes(vec![7]),
            job::Argument::Addresses { bytes: vec![0; 16], places },
        ];
        assert_eq!(job.arguments, wanted);
    }
}
