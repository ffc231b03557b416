//! Asks a worker, and goes on without a code that takes it down.
//!
//! **Problem.** A kernel that faults takes its process's GPU context with it; one that hangs is never ready.
//!
//! **Method.** The worker says which code it runs for the first time. If it ends then, or says nothing for [`PATIENCE`], that code is left out, and a new
//! worker is asked for the others. If it ends among the samples, a new worker takes them one by one, and says which it takes.
//!
//! **Source.** None. **Deviation.** None. **Complexity.** A worker for each code that fails.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::interval::{median, Ratio};
use crate::job::{Card, Job, Said, MARK};

/// How long the worker may say nothing.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How long a worker may take to start: with many GPUs the driver takes its time.
const START: Duration = Duration::from_secs(120);
/// How long a worker that was ended may take to go. Its kernel may still be on the GPU.
const END: Duration = Duration::from_secs(10);

/// How often the one that asks hears what is waited for.
const BEAT: Duration = Duration::from_millis(100);
/// How long a worker that is given up may take to go.
const END_OF_ALL: Duration = Duration::from_millis(500);

/// The event that a client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A worker starts.
    Start,
    /// This code runs.
    Code(usize),
    /// All codes are timed.
    Samples,
}

/// A worker that says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub what: What,
    /// Since when it says nothing.
    pub silent: Duration,
    /// After how long it is given up.
    pub patience: Duration,
}

/// Hears what is waited for, and says whether to go on.
pub type Watch<'a> = dyn FnMut(Waiting) -> bool + 'a;

/// Why there is no measurement.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the process that talks to the driver cannot be started: {0}")]
    Start(std::io::Error),
    /// The driver's words, or why the launch cannot be timed.
    #[error("{0}")]
    Failed(String),
    #[error("it takes longer than {} s", PATIENCE.as_secs())]
    Hangs,
    /// The caller has ended the wait.
    #[error("interrupted")]
    GivenUp,
    #[error("the process that talks to the driver ended")]
    Ended,
    #[error("the process that talks to the driver says what is not understood: {0}")]
    Protocol(String),
}

/// Why a code has no measurement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    #[error("it leaves other bytes in memory than stock's code")]
    Differs,
    /// It takes the worker down: the words of its [`Error`].
    #[error("{0}")]
    Fails(String),
}

/// The measurement of a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Microseconds of a launch of the first code.
    pub microseconds: f64,
    /// The ratio of the first code to itself, loaded a second time.
    pub noise: Ratio,
    /// By code the ratio to the first one, or why there is none.
    pub codes: Vec<Result<Ratio, LeftOut>>,
}

/// A running worker.
struct Worker {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// How long it may take to go.
    end: Duration,
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        // The next worker must not be timed beside its kernel. A process that the driver does not let go is left.
        let end = Instant::now() + self.end;
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Worker {
    fn start(command: &mut Command, watch: &mut Watch) -> Result<(Worker, Card), Error> {
        // In a group of its own, so that Ctrl-C does not end it in the middle: it ends with its input.
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(Error::Start)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Error::Ended);
        };
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            // Kernels may print, what they like.
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                let Some(said) = line.strip_prefix(MARK) else { continue };
                if sender.send(said.to_owned()).is_err() {
                    return;
                }
            }
        });
        let mut worker = Worker { process, input, lines, end: END };
        match worker.hear(What::Start, START, watch) {
            Ok(Said::Ready(card)) => Ok((worker, card)),
            Ok(Said::Failed(why)) => Err(Error::Failed(why)),
            Err(Error::Hangs) => {
                Err(Error::Failed(format!("the driver does not start within {} s", START.as_secs())))
            }
            Err(other) => Err(other),
            Ok(other) => Err(Error::Protocol(format!("{other:?}"))),
        }
    }

    /// Waits for an answer.
    fn hear(&mut self, what: What, patience: Duration, watch: &mut Watch) -> Result<Said, Error> {
        let start = Instant::now();
        let line = loop {
            match self.lines.recv_timeout(BEAT) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Disconnected) => return Err(Error::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let silent = start.elapsed();
            if silent >= patience {
                return Err(Error::Hangs);
            }
            if !watch(Waiting { what, silent, patience }) {
                self.end = END_OF_ALL;
                return Err(Error::GivenUp);
            }
        };
        serde_json::from_str(&line).map_err(|_| Error::Protocol(line))
    }

    fn ask(&mut self, job: &Job) -> Result<(), Error> {
        let line = serde_json::to_string(job).map_err(|why| Error::Protocol(why.to_string()))?;
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| Error::Ended)
    }
}

/// Asks for measurements.
pub struct Client {
    /// Makes the command that starts a worker ([`crate::worker::serve`]).
    command: Box<dyn Fn() -> Command + Send + Sync>,
    worker: Option<Worker>,
    pub card: Card,
}

/// How a try to measure ends.
enum Try {
    Measured(Measured),
    /// A code took the worker down; `None`: one of them, among the samples.
    Took(Option<usize>, Error),
}

impl Client {
    /// Starts a worker.
    ///
    /// # Errors
    /// Says that there is no driver or no GPU.
    pub fn start(command: impl Fn() -> Command + Send + Sync + 'static) -> Result<Client, Error> {
        let (worker, card) = Worker::start(&mut command(), &mut |_| true)?;
        Ok(Client { command: Box::new(command), worker: Some(worker), card })
    }

    /// Measures a launch with all codes of a job. `watch` hears what is waited for, some times a second.
    ///
    /// # Errors
    /// The first code fails, the launch cannot be timed, or `watch` says no.
    pub fn measure(&mut self, job: &Job, watch: &mut Watch) -> Result<Measured, Error> {
        let mut job = job.clone();
        let mut reasons: BTreeMap<usize, LeftOut> = BTreeMap::new();
        loop {
            match self.try_to(&job, &reasons, watch)? {
                Try::Measured(measured) => return Ok(measured),
                Try::Took(Some(0), why) => return Err(why),
                Try::Took(None, why) if job.is_careful => return Err(why),
                Try::Took(None, _) => job.is_careful = true,
                Try::Took(Some(code), why) => {
                    reasons.insert(code, LeftOut::Fails(why.to_string()));
                    job.left_out = reasons.keys().copied().collect();
                    job.is_careful = false;
                }
            }
        }
    }

    fn worker(&mut self, watch: &mut Watch) -> Result<&mut Worker, Error> {
        if self.worker.is_none() {
            self.worker = Some(Worker::start(&mut (self.command)(), watch)?.0);
        }
        self.worker.as_mut().ok_or(Error::Ended)
    }

    /// Asks for a job; if the worker has gone since the last one, a new one.
    fn ask(&mut self, job: &Job, watch: &mut Watch) -> Result<(), Error> {
        if self.worker(watch)?.ask(job).is_err() {
            self.worker = None;
            self.worker(watch)?.ask(job)?;
        }
        Ok(())
    }

    /// Asks once. A worker that has failed, or is not understood, is not asked again.
    fn try_to(
        &mut self,
        job: &Job,
        left_out: &BTreeMap<usize, LeftOut>,
        watch: &mut Watch,
    ) -> Result<Try, Error> {
        let mut runs = None;
        let mut reasons = left_out.clone();
        let mut blocks: Vec<Vec<f64>> = Vec::new();
        self.ask(job, watch)?;
        loop {
            let what = runs.map_or(What::Samples, What::Code);
            match self.worker(watch)?.hear(what, PATIENCE, watch) {
                Ok(Said::Alive) => {}
                Ok(Said::Runs(code)) => runs = Some(code),
                Ok(Said::Samples) => runs = None,
                Ok(Said::Differs(code)) => {
                    reasons.insert(code, LeftOut::Differs);
                }
                Ok(Said::Block(times)) => blocks.push(times),
                Ok(Said::Done) => return Ok(Try::Measured(measured(job, &reasons, &blocks)?)),
                Ok(Said::Failed(why)) => {
                    self.worker = None;
                    return Ok(Try::Took(runs, Error::Failed(why)));
                }
                Ok(other @ Said::Ready(_)) => {
                    self.worker = None;
                    return Err(Error::Protocol(format!("{other:?}")));
                }
                Err(why) => {
                    self.worker = None;
                    return match why {
                        Error::Hangs | Error::Ended => Ok(Try::Took(runs, why)),
                        other => Err(other),
                    };
                }
            }
        }
    }
}

/// Makes ratios of the blocks.
fn measured(job: &Job, reasons: &BTreeMap<usize, LeftOut>, blocks: &[Vec<f64>]) -> Result<Measured, Error> {
    let column =
        |place: usize| -> Option<Vec<f64>> { blocks.iter().map(|block| block.get(place).copied()).collect() };
    let none = || Error::Protocol("no samples".to_owned());
    let is_time = |times: &Vec<f64>| !times.is_empty() && times.iter().all(|&time| time > 0.0);
    let mut base = column(0).filter(is_time).ok_or_else(none)?;
    let mut place = 0;
    let mut codes = Vec::new();
    for code in 0..job.codes.len() {
        codes.push(match reasons.get(&code) {
            Some(why) => Err(why.clone()),
            None => {
                let ratio = column(place).and_then(|own| Ratio::of(&own, &base)).ok_or_else(none)?;
                place += 1;
                Ok(ratio)
            }
        });
    }
    let noise = column(place).and_then(|own| Ratio::of(&own, &base)).ok_or_else(none)?;
    base.sort_by(f64::total_cmp);
    Ok(Measured { microseconds: 1000.0 * median(&base), noise, codes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(codes: usize) -> Job {
        Job {
            kernel: "k".to_owned(),
            grid: [1; 3],
            block: [32, 1, 1],
            shared: 0,
            memory: Vec::new(),
            arguments: Vec::new(),
            codes: vec!["x.cubin".into(); codes],
            left_out: Vec::new(),
            blocks: 8,
            is_careful: false,
        }
    }

    /// A client whose worker is this script of the shell.
    fn client(script: &'static str) -> Result<Client, Error> {
        Client::start(move || {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        })
    }

    #[test]
    fn ratios_are_of_the_codes_that_take_part() {
        let blocks = vec![vec![2.0, 1.0, 2.0]; 8];
        let reasons = BTreeMap::from([(1, LeftOut::Differs)]);
        let found = measured(&job(3), &reasons, &blocks).unwrap();
        assert_eq!(found.microseconds, 2000.0);
        assert_eq!(found.noise.median, 1.0);
        assert_eq!(found.codes[1], Err(LeftOut::Differs));
        assert_eq!(found.codes[2].as_ref().unwrap().median, 0.5);
        assert!(measured(&job(3), &reasons, &[]).is_err());
    }

    #[test]
    fn without_a_gpu_it_says_why() {
        let why = client(r#"echo 'gpu-run: {"failed":"no driver"}'"#).map(|_| ()).unwrap_err();
        assert_eq!(why.to_string(), "no driver");
        assert!(matches!(client("exit 1").map(|_| ()), Err(Error::Ended)));
        assert!(matches!(client("echo gpu-run: hello").map(|_| ()), Err(Error::Protocol(_))));
    }

    /// The begin of a script: a worker that is ready and has read a job.
    const BEGIN: &str = r#"say() { echo "gpu-run: $1"; }
        say '{"ready":{"name":"G","driver":"13.0","architecture":90}}'
        read job
        say '{"runs":0}'
        samples() { say '"samples"'; for i in 1 2 3 4 5 6; do say "{\"block\":$1}"; done; say '"done"'; }
        "#;

    fn of(rest: &str) -> Client {
        let script = format!("{BEGIN}{rest}");
        Client::start(move || {
            let mut command = Command::new("sh");
            command.args(["-c", &script]);
            command
        })
        .unwrap()
    }

    const ENDED: &str = "the process that talks to the driver ended";

    #[test]
    fn a_code_that_takes_the_worker_down_is_left_out() {
        let mut client = of(r#"case $job in
                *'"left_out":[1]'*) samples '[1.0,1.0]' ;;
                *) say '{"runs":1}'; exit 3 ;;
            esac"#);
        assert_eq!(client.card.architecture, 90);
        let found = client.measure(&job(2), &mut |_| true).unwrap();
        assert_eq!(found.codes, [Ok(Ratio::SAME), Err(LeftOut::Fails(ENDED.to_owned()))]);
    }

    #[test]
    fn a_code_that_fails_among_the_samples_is_found() {
        let mut client = of(r#"say '{"runs":1}'
            case $job in
                *'"left_out":[1]'*) samples '[1.0,1.0]' ;;
                *'"is_careful":true'*) say '"samples"'; say '{"runs":0}'; say '"alive"'; say '{"runs":1}'; exit 3 ;;
                *) say '"samples"'; exit 3 ;;
            esac"#);
        let found = client.measure(&job(2), &mut |_| true).unwrap();
        assert_eq!(found.codes, [Ok(Ratio::SAME), Err(LeftOut::Fails(ENDED.to_owned()))]);
    }

    #[test]
    fn a_worker_that_always_ends_among_the_samples_is_not_asked_for_ever() {
        let why = of(r#"say '"samples"'; exit 3"#).measure(&job(2), &mut |_| true).unwrap_err();
        assert_eq!(why.to_string(), ENDED);
    }

    #[test]
    fn what_kernels_print_is_not_read() {
        let mut client = of(r#"printf 'hello\377'; echo; echo '{"runs":7}'; samples '[1.0,2.0,1.0]'"#);
        assert_eq!(client.measure(&job(2), &mut |_| true).unwrap().codes[1].as_ref().unwrap().median, 2.0);
    }

    #[test]
    fn a_worker_that_went_between_jobs_is_replaced() {
        let mut client = of("samples '[1.0,2.0,1.0]'; exit 0");
        for _ in 0..2 {
            assert_eq!(
                client.measure(&job(2), &mut |_| true).unwrap().codes[1].as_ref().unwrap().median,
                2.0
            );
        }
    }

    #[test]
    fn a_code_that_hangs_is_told_of_and_may_be_given_up() {
        let folder = std::env::temp_dir().join(format!("gpu-run-{}", std::process::id()));
        let script = format!("{BEGIN} say '{{\"runs\":1}}'; echo $$ >{}; exec sleep 60", folder.display());
        let mut client = Client::start(move || {
            let mut command = Command::new("sh");
            command.args(["-c", &script]);
            command
        })
        .unwrap();
        let mut heard = Vec::new();
        let begin = Instant::now();
        let mut watch = |waiting: Waiting| {
            heard.push(waiting);
            heard.len() < 5
        };
        let why = client.measure(&job(2), &mut watch).unwrap_err();
        assert!(matches!(why, Error::GivenUp) && begin.elapsed() < Duration::from_secs(5), "{why}");
        let last = heard.last().unwrap();
        assert_eq!((last.what, last.patience), (What::Code(1), PATIENCE));
        assert!(last.silent >= BEAT, "{heard:?}");
        let process = std::fs::read_to_string(&folder).unwrap();
        let is_there = std::path::Path::new("/proc").join(process.trim()).exists();
        std::fs::remove_file(&folder).unwrap();
        assert!(!is_there, "the worker is gone");
    }

    #[test]
    fn a_first_code_that_fails_leaves_nothing_to_compare() {
        let why = of(r#"say '{"failed":"CUDA_ERROR_ILLEGAL_ADDRESS"}'"#)
            .measure(&job(2), &mut |_| true)
            .unwrap_err();
        assert_eq!(why.to_string(), "CUDA_ERROR_ILLEGAL_ADDRESS");
    }
}
