//! Runs an application with the code that `tune --recorded` has chosen.
//!
//! **Problem.** The application has its code inside. **Method.** Each image that was recorded, and
//! for which there is a tuned file, is assembled by ptxas and handed to crate gpu-hook, which gives
//! it to the driver where the application loads that very image. An image is replaced only as a
//! whole, as variables of the module must stay one copy, and only if the new code has all of its
//! kernels, with the same parameters, and all of its variables. **Source.** None. **Deviation.**
//! None. **Complexity.** That of ptxas.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, ensure, Context, Result};
use gpu_record::contents::Contents;
use gpu_record::events::Event;
use gpu_record::setup::{Replace, Replacement, Setup};

use super::start::{self, Stage};
use crate::inputs;
use crate::progress::Progress;
use crate::ptxas::{Cuda, CudaArgs};
use crate::tune::{ptx_name, Choices, ImageOf};

#[derive(clap::Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    cuda: CudaArgs,
    /// The choices of `tune --recorded`
    #[arg(long, value_name = "FILE")]
    choices: PathBuf,
    /// Where the PTX of the choices is, of `tune` or of `build` [default: the folder of the
    /// choices]
    #[arg(long, value_name = "DIR")]
    ptx: Option<PathBuf>,
    /// The application and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What became of an image.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Used,
    NotUsed(String),
}

pub fn run(args: &RunArgs) -> Result<ExitCode> {
    let choices = Choices::read(&args.choices)?;
    let name = args.choices.display();
    ensure!(
        !choices.images.is_empty(),
        "{name} names no image of an application: tune --recorded DIR makes such choices"
    );
    let stage = Stage::new()?;
    let folder = args.ptx.clone().unwrap_or_else(|| {
        args.choices
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_owned()
    });
    let mut cuda = Cuda::find(&args.cuda.folder()?).context("there is no ptxas in the folder of --cuda")?;
    cuda.max_registers = choices.maxrregcount;
    let made = tempfile::tempdir().context("temporary folder")?;
    let mut outcomes: BTreeMap<&str, Outcome> = BTreeMap::new();
    let mut images = Vec::new();
    let progress = Progress::with_bad_word("assemble", choices.images.len(), "not used");
    for (number, image) in choices.images.iter().enumerate() {
        let place = made.path().join(number.to_string());
        let new = cubin(&choices, image, &cuda, &folder, &place);
        progress.step(new.is_err());
        match new {
            Ok(cubin) => images.push(Replacement { digest: image.digest.clone(), cubin }),
            Err(why) => {
                outcomes.insert(&image.digest, Outcome::NotUsed(format!("{why:#}")));
            }
        }
    }
    progress.finish();
    let setup = Setup::Replace(Replace { folder: made.path().to_owned(), images });
    let status = stage.run(&setup, &args.command)?;
    let events = start::events(made.path())?;
    for image in &choices.images {
        outcomes.entry(&image.digest).or_insert_with(|| outcome(image, &events));
    }
    say(&choices, &outcomes);
    Ok(start::code(status))
}

/// Assembles the tuned file of an image, and checks that it can take the image's place.
fn cubin(choices: &Choices, image: &ImageOf, cuda: &Cuda, folder: &Path, place: &Path) -> Result<PathBuf> {
    let path = folder.join(ptx_name(&inputs::path_of(&image.file)));
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut of_file = choices.kernels.iter().filter(|choice| choice.file == image.file);
    let cpu = &of_file.next().context("the choices have no kernel of it")?.cpu;
    fs::create_dir(place).context("temporary folder")?;
    let cubin = match cuda.cubin(place, &text, cpu, &[])? {
        Ok(cubin) => cubin,
        Err(why) => bail!("ptxas refuses {}: {why}", path.display()),
    };
    let new = Contents::of_cubin(&fs::read(&cubin).context("ptxas' output")?)?;
    match new.lacks(&image.contents) {
        Some(why) => bail!("{why}"),
        None => Ok(cubin),
    }
}

/// What the application has done with an image that could be replaced.
fn outcome(image: &ImageOf, events: &[Event]) -> Outcome {
    let mut is_used = false;
    let mut refused = None;
    let mut others: BTreeSet<&str> = BTreeSet::new();
    for event in events {
        match event {
            Event::Replaced { digest } => is_used |= *digest == image.digest,
            Event::NotReplaced { digest, why } if *digest == image.digest => refused = Some(why.clone()),
            Event::Kernel { image: other, kernel, .. } if *other != image.digest => {
                others.extend(Some(&**kernel).filter(|kernel| image.contents.kernels.contains_key(*kernel)));
            }
            _ => {}
        }
    }
    let is_loaded = events.iter().any(|event| matches!(event, Event::Loaded { .. }));
    let named: Vec<&str> = others.into_iter().collect();
    let why = match (is_used, refused) {
        (true, None) => return Outcome::Used,
        // One of several processes.
        (true, Some(why)) => format!("not in each process: {why}"),
        (false, Some(why)) => why,
        (false, None) if !is_loaded => start::NOT_LOADED.to_owned(),
        (false, None) if !named.is_empty() => {
            format!(
                "the application has changed since it was recorded: {} comes from other code",
                named.join(", ")
            )
        }
        (false, None) => {
            "the application has not loaded the code that was recorded: it has changed, or did not need it"
                .to_owned()
        }
    };
    Outcome::NotUsed(why)
}

/// Says which code was used. Standard output is the application's.
fn say(choices: &Choices, outcomes: &BTreeMap<&str, Outcome>) {
    for image in &choices.images {
        match &outcomes[&*image.digest] {
            Outcome::Used => {
                eprintln!("ptx-compare: {}: the application ran with the chosen code", image.file)
            }
            Outcome::NotUsed(why) => {
                eprintln!("ptx-compare: {}: the application ran with its own code: {why}", image.file);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_application_is_named() {
        let kernels = [("k".to_owned(), Vec::new())].into();
        let contents = Contents { kernels, ..Contents::default() };
        let image = ImageOf { digest: "a".into(), file: "k.ll".into(), contents };
        let why = |events: &[Event]| match outcome(&image, events) {
            Outcome::Used => "used".to_owned(),
            Outcome::NotUsed(why) => why,
        };
        let loaded = Event::Loaded { program: "app".into() };
        let kernel = |image: &str, kernel: &str| Event::Kernel {
            image: image.into(),
            kernel: kernel.into(),
            parameters: Vec::new(),
        };
        assert_eq!(why(&[]), start::NOT_LOADED);
        assert!(why(&[loaded.clone(), kernel("b", "l")]).ends_with("it has changed, or did not need it"));
        assert_eq!(
            why(&[loaded.clone(), kernel("b", "k")]),
            "the application has changed since it was recorded: k comes from other code"
        );
        let refused = Event::NotReplaced { digest: "a".into(), why: "no".into() };
        assert_eq!(why(&[loaded.clone(), refused]), "no");
        assert_eq!(why(&[loaded, Event::Replaced { digest: "a".into() }]), "used");
    }
}
