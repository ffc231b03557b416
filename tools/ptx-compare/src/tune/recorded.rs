//! What a recording says about the input files of `tune`.
//!
//! **Problem.** A recording has launches of all kernels of an application, and images; the input
//! files are some of its sources. **Method.** Launches belong to kernels by name. An image belongs
//! to the one file that defines all kernels of it. **Source.** None. **Deviation.** None.
//! **Complexity.** Images times files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Result};
use gpu_record::contents::Contents;
use gpu_record::manifest::Image;

use super::choices::ImageOf;
use super::record::Record;
use crate::ptxas::Cuda;
use crate::recording::Recording;

/// The recording, as far as the input is concerned.
pub struct Recorded {
    recording: Recording,
    /// The kernels of the input; `None` if only llc can tell.
    kernels: Option<BTreeSet<String>>,
}

impl Recorded {
    /// Opens a recording. `kernels`: those of the input.
    ///
    /// # Errors
    /// Says that it is not one, or that it has no launch of the input's kernels.
    pub fn open(folder: &Path, kernels: Option<BTreeSet<String>>) -> Result<Recorded> {
        let recorded = Recorded { recording: Recording::open(folder)?, kernels };
        if recorded.launch_files().is_empty() {
            let all = &recorded.recording.manifest.kernels;
            let names = |kernels: &mut dyn Iterator<Item = &str>| {
                let names: Vec<&str> = kernels.collect();
                if names.is_empty() {
                    "none".to_owned()
                } else {
                    names.join(", ")
                }
            };
            ensure!(
                false,
                "--recorded {}: it has no launch of the input's kernels ({}); it has launches of: {}",
                folder.display(),
                names(&mut recorded.kernels.iter().flatten().map(String::as_str)),
                names(&mut all.iter().filter(|kernel| kernel.recorded > 0).map(|kernel| &*kernel.name))
            );
        }
        Ok(recorded)
    }

    /// The files with the launches of the input's kernels.
    pub fn launch_files(&self) -> Vec<PathBuf> {
        let is_wanted = |name: &str| self.kernels.as_ref().is_none_or(|own| own.contains(name));
        self.recording.launch_files(|kernel| is_wanted(&kernel.name))
    }

    /// Whether there is a launch of a kernel.
    fn has(&self, kernel: &str) -> bool {
        let mut all = self.recording.manifest.kernels.iter();
        all.any(|own| own.name == kernel && own.launches.is_some())
    }

    /// The measured kernels without a launch, which keep the default, and a note for each file that
    /// has some.
    pub fn without(&self, records: &[Record]) -> (BTreeSet<String>, Vec<String>) {
        let mut without = BTreeSet::new();
        let mut notes = Vec::new();
        for record in records {
            let own: Vec<&String> = record.kernels.keys().filter(|kernel| !self.has(kernel)).collect();
            if own.is_empty() {
                continue;
            }
            let words: Vec<String> = own.iter().map(|kernel| self.described(kernel)).collect();
            notes.push(format!(
                "{}: no recorded launch, the default is kept: {}",
                record.file,
                words.join(", ")
            ));
            without.extend(own.into_iter().cloned());
        }
        (without, notes)
    }

    /// A kernel's name, and why no launch of it is recorded if that is known.
    fn described(&self, kernel: &str) -> String {
        let mut all = self.recording.manifest.kernels.iter().filter(|own| own.name == kernel);
        let skipped: Vec<&str> = all.by_ref().flat_map(|own| &own.skipped).map(String::as_str).collect();
        if skipped.is_empty() {
            kernel.to_owned()
        } else {
            format!("{kernel} ({})", skipped.join("; "))
        }
    }

    /// The images that a file's code may take the place of, and notes about those that it may not.
    pub fn images(&self, records: &[Record], cuda: &Cuda) -> (Vec<ImageOf>, Vec<String>) {
        let (mut images, mut notes) = (Vec::new(), Vec::new());
        for image in &self.recording.manifest.images {
            let launched: Vec<&str> = self.recording.manifest.kernels_of(&image.digest).collect();
            let has = |record: &&Record| launched.iter().all(|kernel| record.kernels.contains_key(*kernel));
            let touches =
                |record: &Record| launched.iter().any(|kernel| record.kernels.contains_key(*kernel));
            if !records.iter().any(touches) {
                continue;
            }
            let files: Vec<&Record> = records.iter().filter(has).collect();
            match self.image(image, &files, cuda) {
                Ok(found) => {
                    notes.extend(variables(&found));
                    images.push(found);
                }
                Err(why) => notes
                    .push(format!("the image with {} stays as it is in `run`: {why:#}", launched.join(", "))),
            }
        }
        (images, notes)
    }

    fn image(&self, image: &Image, files: &[&Record], cuda: &Cuda) -> Result<ImageOf> {
        ensure!(!files.is_empty(), "no input file has all of its kernels");
        ensure!(
            files.len() == 1,
            "several input files have its kernels: {}",
            files.iter().map(|file| &*file.file).collect::<Vec<_>>().join(", ")
        );
        let record = files[0];
        let contents: Contents = self.recording.contents(image, cuda, &record.cpu)?;
        let lacking = contents.kernels.keys().find(|kernel| !record.kernels.contains_key(*kernel));
        if let Some(kernel) = lacking {
            anyhow::bail!("{} has no kernel {kernel}", record.file);
        }
        Ok(ImageOf { digest: image.digest.clone(), file: record.file.clone(), contents })
    }
}

/// A note about the variables of an image, if it has some.
fn variables(image: &ImageOf) -> Option<String> {
    let names: Vec<&str> = image.contents.variables.keys().map(String::as_str).collect();
    let words = "where a kernel reads them, its recorded launch has the values that are in the code";
    (!names.is_empty())
        .then(|| format!("{}: variables are not recorded ({}): {words}", image.file, names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::record::Kernel;
    use gpu_record::manifest;

    fn recorded(folder: &Path) -> Result<Recorded> {
        let kernel = |name: &str, launches: Option<&str>| manifest::Kernel {
            name: name.into(),
            image: "a".into(),
            parameters: Vec::new(),
            count: 1,
            recorded: launches.iter().count(),
            launches: launches.map(str::to_owned),
            skipped: launches.is_none().then(|| "too large".to_owned()).into_iter().collect(),
        };
        let manifest = manifest::Manifest {
            format: manifest::FORMAT,
            kernels: vec![kernel("k", Some("k.launch")), kernel("l", None)],
            ..manifest::Manifest::default()
        };
        std::fs::write(folder.join(manifest::FILE), serde_json::to_vec(&manifest).unwrap()).unwrap();
        Recorded::open(folder, Some(["k", "l", "m"].map(str::to_owned).into()))
    }

    #[test]
    fn kernels_without_a_launch_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let recorded = recorded(folder.path()).unwrap();
        assert_eq!(recorded.launch_files(), [folder.path().join("k.launch")]);
        let kernels = ["k", "l", "m"].map(|name| (name.to_owned(), Kernel::default()));
        let record = Record { file: "a.ll".into(), kernels: kernels.into(), ..Record::default() };
        let (without, notes) = recorded.without(&[record]);
        assert_eq!(without, ["l", "m"].map(str::to_owned).into());
        assert_eq!(notes, ["a.ll: no recorded launch, the default is kept: l (too large), m"]);
    }

    #[test]
    fn a_recording_of_other_kernels_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        recorded(folder.path()).unwrap();
        let of = |name: &str| Recorded::open(folder.path(), Some([name.to_owned()].into())).map(|_| ());
        let error = of("x").unwrap_err().to_string();
        assert!(error.ends_with("no launch of the input's kernels (x); it has launches of: k"), "{error}");
        let error = Recorded::open(Path::new("/nowhere"), None).map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("/nowhere is not a recording"), "{error}");
    }
}
