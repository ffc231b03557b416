//! `grid`: runs kernels of a PTX text by given launches, and compares memory with expected results.
//!
//! **Problem.** Two texts that agree may both be wrong. Results computed independently show that.
//!
//! **Method.** Registers that were never written hold some number, as on a GPU: the result must not
//! depend on it.
//!
//! A text with a register of the wrong width is not run; each such line is named.
//!
//! **Complexity.** Linear in the instructions that are run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail, Context, Result};
use ptx_emu::grid::block::{self, Outcome, Program, Undefined};
use ptx_emu::grid::launch::{Buffer, Launch};
use ptx_emu::ptx::types;

use crate::inputs;
use crate::output;
use crate::text::{counted, thousands};

#[derive(clap::Args, Debug)]
#[command(
    override_usage = "ptx-compare grid [OPTIONS] PTX --launch FILE...\n       ptx-compare grid [OPTIONS] --launch FILE... PTX"
)]
pub struct Args {
    /// PTX, as llc writes it
    #[arg(value_name = "PTX")]
    ptx: Option<PathBuf>,
    /// Launches, one fact a line: docs/comparing.md says which
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    launch: Vec<PathBuf>,
    /// Write each buffer after the last launch to FOLDER/bufferN.bin
    #[arg(long, value_name = "FOLDER")]
    dump: Option<PathBuf>,
    /// Instructions that the threads of a launch may execute
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    budget: u64,
}

impl Args {
    /// The PTX and the launches. `--launch` takes all files after it. If the PTX comes after it, it
    /// is the last of these.
    fn files(&self) -> Result<(&Path, &[PathBuf])> {
        match (&self.ptx, self.launch.split_last()) {
            (Some(ptx), _) => Ok((ptx, &self.launch)),
            (None, Some((ptx, launches))) if !launches.is_empty() => Ok((ptx, launches)),
            (None, Some((only, _))) => {
                bail!(
                    "one file is named, {}; wanted: the PTX, and its launches after --launch",
                    only.display()
                )
            }
            (None, None) => bail!("no file is named; wanted: the PTX, and its launches after --launch"),
        }
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let named = |path: &Path| path.display().to_string();
    let (ptx, files) = args.files()?;
    let text = inputs::read_ptx(ptx)?;
    let widths = types::check(&text);
    if !widths.wrong.is_empty() {
        widths.wrong.iter().for_each(|wrong| println!("{}: {wrong}", named(ptx)));
        return Ok(ExitCode::FAILURE);
    }
    let program = Program::new(&text).map_err(|why| anyhow!("{}: {why}", named(ptx)))?;
    let (mut executed, mut launches, mut wrong) = (0, 0, 0);
    for path in files {
        let read = Launch::read_file(path)?;
        for (number, launch) in read.iter().enumerate() {
            let outcome = block::run(&program, launch, Undefined::Arbitrary, args.budget)
                .map_err(|why| anyhow!("{}: {why}", named(path)))?;
            launches += 1;
            executed += outcome.executed;
            if let Some(why) = what_is_wrong(launch, &outcome) {
                wrong += 1;
                println!("{}: launch {} of {}: {why}", named(path), number + 1, launch.kernel);
            }
            if let Some(folder) = &args.dump {
                dump(launch, outcome, folder)?;
            }
        }
    }
    let instructions = thousands(executed);
    println!("{}, {instructions} instructions of threads, {wrong} wrong", counted(launches, "launch"));
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The first byte that differs from the expected one, or why the launch did not end.
fn what_is_wrong(launch: &Launch, outcome: &Outcome) -> Option<String> {
    if let Some(stop) = &outcome.stop {
        return Some(format!("does not end: {stop}"));
    }
    if outcome.partial > 0 {
        return Some("lanes wait for others that never come".to_owned());
    }
    let written = outcome.global.written();
    let place = |address: u64| {
        launch.buffers().enumerate().find_map(|(number, buffer)| {
            let at = address.wrapping_sub(buffer.address);
            (at < buffer.size).then_some((number, at as usize, buffer))
        })
    };
    for &(address, byte, _) in &written {
        let Some((number, at, buffer)) = place(address) else {
            // Variables of the module may be written. Buffers are the only memory that the host
            // provides.
            if address < 0xd00 << 32 {
                return Some(format!("writes {byte:#04x} outside of all buffers, at {address:#x}"));
            }
            continue;
        };
        let Some((path, expected)) = &buffer.expected else { continue };
        if let Some(&wanted) = expected.get(at).filter(|&&wanted| wanted != byte) {
            let path = path.display();
            return Some(format!("byte {at} of buffer {number} is {byte:#04x}, {wanted:#04x} in {path}"));
        }
    }
    // Bytes that were not written are as before.
    launch.buffers().enumerate().find_map(|(number, buffer)| {
        let (path, expected) = buffer.expected.as_ref()?;
        expected.iter().enumerate().find_map(|(at, &wanted)| {
            let address = buffer.address + at as u64;
            if written.binary_search_by_key(&address, |byte| byte.0).is_ok() {
                return None;
            }
            (buffer.before(at as u64) != Some(wanted)).then(|| {
                format!("byte {at} of buffer {number} is not written, {wanted:#04x} in {}", path.display())
            })
        })
    })
}

fn dump(launch: &Launch, outcome: Outcome, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut global = outcome.global;
    for (number, &Buffer { address, size, .. }) in launch.buffers().enumerate() {
        let bytes: Vec<u8> = (0..size).map(|at| global.read(address + at, 1).0 as u8).collect();
        let path = folder.join(format!("buffer{number}.bin"));
        output::write(&path, bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_ptx_stands_before_or_after_its_launches() {
        let files = |line: &str| {
            let cli = Cli::try_parse_from(line.split(' ')).map_err(|error| error.to_string())?;
            let (ptx, launches) = cli.args.files().map_err(|error| error.to_string())?;
            Ok::<_, String>((ptx.to_owned(), launches.to_vec()))
        };
        let one = Ok(("k.ptx".into(), vec!["a".into()]));
        assert_eq!(files("grid k.ptx --launch a"), one);
        assert_eq!(files("grid --launch a k.ptx"), one);
        assert_eq!(files("grid --launch a k.ptx --budget 5"), one);
        assert_eq!(files("grid --launch a --budget 5 k.ptx"), one);
        let two = Ok(("k.ptx".into(), vec!["a".into(), "b".into()]));
        assert_eq!(files("grid k.ptx --launch a b"), two);
        assert_eq!(files("grid --launch a b k.ptx"), two);
        assert_eq!(files("grid --launch a --launch b k.ptx"), two);
        assert!(files("grid --launch a").is_err_and(|why| why.starts_with("one file is named, a; wanted")));
        assert!(files("grid k.ptx").is_err_and(|why| why.contains("--launch")));
    }
}
