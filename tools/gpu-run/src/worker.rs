//! Takes the samples: the process that talks to the driver.
//!
//! **Problem.** A launch changes the memory that the next one reads; a short kernel ends before an event can be told from the next; the codes must not be
//! timed at different clocks.
//!
//! **Method.** Each code first runs on the memory of the launch, and what it leaves is compared with what the first code left. A launch that leaves something else
//! when it runs a second time on the same memory, or that changes nothing there, cannot be compared, and is not timed. If a second run on what the first one left changes
//! nothing, a sample is several launches that take 0.2 ms or more together; else it is one, on memory that was restored
//! before. A block of samples goes over all codes forth and back, and is waited for at its end only, so that the GPU does not idle; where it takes longer than a
//! second, after each sample. Two blocks come before those that count.
//!
//! **Source.** `tests/gpu/worker.py`, which does the same for the laboratory. **Deviation.** That one is told which memory a launch changes; here it is found out.
//! **Complexity.** That of the kernels.

use std::fs;
use std::io::{BufRead, Write};
use std::sync::mpsc;

use crate::device::{self, Arguments, Event, Gpu, Kernel, Memory};
use crate::job::{Argument, Block, Job, Said, MARK};

/// Bytes after each buffer, as a launch need not know to the byte what a kernel reads.
const ROOM: usize = 1 << 20;
/// The least milliseconds of a sample.
const SAMPLE: f64 = 0.2;
/// The most launches of a sample.
const MOST: usize = 50;
/// Blocks of samples that do not count.
const WARM: usize = 2;
/// The most milliseconds of a block that is waited for at its end only.
const LONG: f64 = 1000.0;

/// Why nothing, or nothing more, is said about a job.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Device(#[from] device::Error),
    #[error("{}: {why}", .file.display())]
    File { file: std::path::PathBuf, why: std::io::Error },
    #[error("an argument names memory that the launch does not have")]
    Place,
    #[error("a second run leaves other bytes in memory than the first one, so that nothing can be compared")]
    DoesNotRepeat,
    #[error("the launch changes nothing in the memory that it is given, so that nothing can be compared")]
    ChangesNothing,
    #[error("cannot say so: {0}")]
    Output(std::io::Error),
}

/// Serves jobs, a line each, until there is none. When the input ends the process ends, whatever it does: who asked has gone, and a kernel may hang.
///
/// # Errors
/// Says that the output has gone, or that a job is not understood.
pub fn serve(input: impl BufRead + Send + 'static, mut output: impl Write) -> std::io::Result<()> {
    let (sender, jobs) = mpsc::channel();
    std::thread::spawn(move || {
        for line in input.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
        std::process::exit(0);
    });
    let mut say = |said: &Said| -> std::io::Result<()> {
        // On a line of its own, whatever a kernel has printed. In one piece, as the kernel's output comes from another buffer.
        let line = format!("\n{MARK}{}\n", serde_json::to_string(said)?);
        output.write_all(line.as_bytes())?;
        output.flush()
    };
    let gpu = match Gpu::open().and_then(|gpu| Ok((gpu.card()?, gpu))) {
        Ok((card, gpu)) => {
            say(&Said::Ready(card))?;
            gpu
        }
        Err(why) => return say(&Said::Failed(why.to_string())),
    };
    for line in jobs {
        let job: Job = serde_json::from_str(&line)?;
        match time(&gpu, &job, &mut say) {
            Ok(()) => say(&Said::Done)?,
            Err(Error::Output(why)) => return Err(why),
            Err(why) => {
                say(&Said::Failed(why.to_string()))?;
                // A kernel may have taken the context with it.
                if gpu.wait().is_err() {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

fn read(file: &std::path::Path) -> Result<Vec<u8>, Error> {
    fs::read(file).map_err(|why| Error::File { file: file.to_owned(), why })
}

/// The bytes of an argument, by the addresses of the launch's memory; `None` if it names memory
/// that is not there.
fn value(argument: &Argument, addresses: &[u64]) -> Option<Vec<u8>> {
    match argument {
        Argument::Bytes(bytes) => Some(bytes.clone()),
        Argument::Memory(memory) => Some(addresses.get(*memory)?.to_le_bytes().to_vec()),
        Argument::Addresses { bytes, places } => {
            let mut bytes = bytes.clone();
            for place in places {
                let address = addresses.get(place.memory)?.wrapping_add(place.offset);
                let own = bytes.get_mut(place.at..place.at.checked_add(8)?)?;
                own.copy_from_slice(&address.to_le_bytes());
            }
            Some(bytes)
        }
    }
}

/// A launch, and its memory.
struct Launch<'a> {
    job: &'a Job,
    gpu: &'a Gpu,
    arguments: Arguments,
    buffers: Vec<Buffer>,
    /// Whether it leaves the same on what it has left before.
    is_repeatable: bool,
}

/// Memory that a kernel is given.
struct Buffer {
    memory: Memory,
    /// A copy of its content before the launch.
    before: Memory,
}

impl<'a> Launch<'a> {
    fn new(gpu: &'a Gpu, job: &'a Job) -> Result<Self, Error> {
        let mut buffers = Vec::new();
        for file in &job.memory {
            let bytes = read(file)?;
            buffers.push(Buffer { memory: Memory::with(&bytes, ROOM)?, before: Memory::with(&bytes, 0)? });
        }
        let addresses: Vec<u64> = buffers.iter().map(|buffer| buffer.memory.address()).collect();
        let values = job.arguments.iter().map(|argument| value(argument, &addresses));
        let values = values.collect::<Option<Vec<_>>>().ok_or(Error::Place)?;
        Ok(Launch { job, gpu, arguments: Arguments::new(&values), buffers, is_repeatable: true })
    }

    fn restore(&self) -> Result<(), Error> {
        Ok(self.buffers.iter().try_for_each(|buffer| buffer.memory.restore(&buffer.before))?)
    }

    fn begin(&mut self, kernel: &Kernel) -> Result<(), Error> {
        Ok(kernel.launch(self.job.grid, self.job.block, self.job.shared, &mut self.arguments)?)
    }

    /// Runs a kernel, and returns what is in all memory then.
    fn run(&mut self, kernel: &Kernel) -> Result<Vec<Vec<u8>>, Error> {
        self.begin(kernel)?;
        self.gpu.wait()?;
        self.content()
    }

    /// The content of all buffers.
    fn content(&self) -> Result<Vec<Vec<u8>>, Error> {
        Ok(self.buffers.iter().map(|buffer| buffer.memory.read()).collect::<Result<_, _>>()?)
    }

    /// Runs a kernel on the restored buffers and returns their content. Finds out whether it may be launched again without restoring them.
    fn left(&mut self, kernel: &Kernel, say: &mut impl Say) -> Result<Vec<Vec<u8>>, Error> {
        self.restore()?;
        let left = self.run(kernel)?;
        tell(say, &Said::Alive)?;
        self.is_repeatable &= self.run(kernel)? == left;
        tell(say, &Said::Alive)?;
        self.restore()?;
        if self.run(kernel)? != left {
            return Err(Error::DoesNotRepeat);
        }
        Ok(left)
    }

    /// Has a sample taken.
    fn sample(&mut self, kernel: &Kernel, [first, last]: &[Event; 2], launches: usize) -> Result<(), Error> {
        if !self.is_repeatable {
            self.restore()?;
        }
        first.record()?;
        for _ in 0..launches {
            self.begin(kernel)?;
        }
        Ok(last.record()?)
    }

    /// How many launches a sample has, and how many milliseconds it takes about.
    fn launches(&mut self, kernel: &Kernel, pair: &[Event; 2]) -> Result<(usize, f64), Error> {
        let [first, last] = pair;
        let mut least = f64::INFINITY;
        for _ in 0..3 {
            self.sample(kernel, pair, 1)?;
            self.gpu.wait()?;
            least = least.min(first.until(last)?);
        }
        let fitting = SAMPLE / least.max(1e-3) + 1.0;
        let launches = if self.is_repeatable { (fitting as usize).clamp(1, MOST) } else { 1 };
        Ok((launches, least * launches as f64))
    }
}

/// A function that writes an answer.
trait Say: FnMut(&Said) -> std::io::Result<()> {}

impl<F: FnMut(&Said) -> std::io::Result<()>> Say for F {}

fn tell(say: &mut impl Say, said: &Said) -> Result<(), Error> {
    say(said).map_err(Error::Output)
}

/// The order of a block: forth and back, beginning at another code each time.
fn order(codes: usize, block: usize) -> impl Iterator<Item = usize> {
    let at = move |place: usize| (block + place) % codes;
    (0..codes).map(at).chain((0..codes).rev().map(at))
}

/// A code that takes part: its number in the job.
struct Code {
    number: usize,
    kernel: Kernel,
}

/// Loads the codes of a job, runs each, and keeps those that leave what the first one leaves.
fn checked(gpu: &Gpu, job: &Job, launch: &mut Launch, say: &mut impl Say) -> Result<Vec<Code>, Error> {
    let mut codes: Vec<Code> = Vec::new();
    let mut expected: Option<Vec<Vec<u8>>> = None;
    let before = launch.content()?;
    let taking_part = job.codes.iter().enumerate().filter(|(number, _)| !job.left_out.contains(number));
    for (number, file) in taking_part {
        tell(say, &Said::Runs(number))?;
        let kernel = gpu.load(&read(file)?, &job.kernel, job.shared)?;
        let left = launch.left(&kernel, say)?;
        if codes.is_empty() && left == before {
            return Err(Error::ChangesNothing);
        }
        match (&expected, codes.first()) {
            (Some(expected), Some(first)) if *expected != left => {
                // Unless it is the first one that leaves this now and that then.
                if launch.left(&first.kernel, say)? != *expected {
                    return Err(Error::DoesNotRepeat);
                }
                tell(say, &Said::Differs(number))?;
                continue;
            }
            _ => expected = Some(left),
        }
        codes.push(Code { number, kernel });
    }
    Ok(codes)
}

/// Runs and times the codes of a job.
fn time(gpu: &Gpu, job: &Job, say: &mut impl Say) -> Result<(), Error> {
    let mut launch = Launch::new(gpu, job)?;
    let mut codes = checked(gpu, job, &mut launch, say)?;
    tell(say, &Said::Samples)?;
    // The first one's second copy.
    if let Some(file) = job.codes.first() {
        codes.push(Code { number: 0, kernel: gpu.load(&read(file)?, &job.kernel, job.shared)? });
    }
    let pairs: Vec<[Event; 2]> = (0..2 * codes.len())
        .map(|_| Ok([Event::new()?, Event::new()?]))
        .collect::<Result<_, device::Error>>()?;
    let (Some(first), Some(pair)) = (codes.first(), pairs.first()) else { return Ok(()) };
    let (launches, milliseconds) = launch.launches(&first.kernel, pair)?;
    let is_long = milliseconds * pairs.len() as f64 > LONG;
    for block in 0..WARM + job.blocks {
        for (code, pair) in order(codes.len(), block).zip(&pairs) {
            let Code { number, kernel } = &codes[code];
            if job.is_careful {
                tell(say, &Said::Runs(*number))?;
            }
            launch.sample(kernel, pair, launches)?;
            if is_long || job.is_careful {
                gpu.wait()?;
                tell(say, &Said::Alive)?;
            }
        }
        gpu.wait()?;
        let mut times: Block = vec![0.0; codes.len()];
        for (code, [first, last]) in order(codes.len(), block).zip(&pairs) {
            times[code] += first.until(last)? / (2 * launches) as f64;
        }
        tell(say, &if block >= WARM { Said::Block(times) } else { Said::Alive })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Place;

    #[test]
    fn an_argument_has_the_addresses_of_this_launch() {
        let places = vec![Place { at: 8, memory: 1, offset: 5 }];
        let argument = Argument::Addresses { bytes: vec![7; 24], places };
        let bytes = value(&argument, &[64, 4096]).unwrap();
        assert_eq!((&bytes[..8], &bytes[8..16]), (&[7; 8][..], &4101_u64.to_le_bytes()[..]));
        assert_eq!(value(&argument, &[64]), None);
        let places = vec![Place { at: 17, memory: 0, offset: 0 }];
        assert_eq!(value(&Argument::Addresses { bytes: vec![7; 24], places }, &[64]), None);
    }

    #[test]
    fn a_block_has_each_code_twice_and_turns() {
        assert_eq!(order(3, 0).collect::<Vec<_>>(), [0, 1, 2, 2, 1, 0]);
        assert_eq!(order(3, 4).collect::<Vec<_>>(), [1, 2, 0, 0, 2, 1]);
    }
}
