//! Reads what `record` has left.
//!
//! **Problem.** Launches, and the images that they are of, are in a folder that another run has
//! made. **Method.** The manifest names all files. The names in an image are those of its cubins;
//! PTX is assembled first, and `cuobjdump` gets cubins out of a fat binary that is compressed.
//! **Source.** None. **Deviation.** None. **Complexity.** Linear in the files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{bail, ensure, Context, Result};
use gpu_record::contents::Contents;
use gpu_record::image::Kind;
use gpu_record::manifest::{self, Image, Kernel, Manifest};

use crate::ptxas::Cuda;

/// A folder that `record` has made.
pub struct Recording {
    folder: PathBuf,
    pub manifest: Manifest,
}

impl Recording {
    /// Opens it.
    pub fn open(folder: &Path) -> Result<Recording> {
        let file = folder.join(manifest::FILE);
        let bytes = fs::read(&file).with_context(|| {
            format!("{} is not a recording: cannot read {}", folder.display(), file.display())
        })?;
        let manifest: Manifest =
            serde_json::from_slice(&bytes).with_context(|| file.display().to_string())?;
        let format = manifest.format;
        ensure!(
            format == manifest::FORMAT,
            "{}: of format {format}, not {}",
            file.display(),
            manifest::FORMAT
        );
        Ok(Recording { folder: folder.to_owned(), manifest })
    }

    /// The files with the launches of kernels, those of them that `is_wanted`.
    pub fn launch_files(&self, is_wanted: impl Fn(&Kernel) -> bool) -> Vec<PathBuf> {
        let wanted = self.manifest.kernels.iter().filter(|kernel| is_wanted(kernel));
        wanted.filter_map(|kernel| Some(self.folder.join(kernel.launches.as_ref()?))).collect()
    }

    /// The names in an image. `cpu`: the processor that PTX is assembled for.
    pub fn contents(&self, image: &Image, cuda: &Cuda, cpu: &str) -> Result<Contents> {
        let path = self.folder.join(&image.file);
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        match image.kind {
            Kind::Cubin => Ok(Contents::of_cubin(&bytes)?),
            Kind::Ptx => of_ptx(&String::from_utf8_lossy(&bytes), cuda, cpu),
            Kind::FatBinary => match Contents::of_fat_binary(&bytes) {
                Some(contents) => Ok(contents),
                None => of_fat_binary(&path, cuda, cpu),
            },
        }
    }
}

fn of_ptx(text: &str, cuda: &Cuda, cpu: &str) -> Result<Contents> {
    let made = tempfile::tempdir().context("temporary folder")?;
    match cuda.cubin(made.path(), text, cpu, &["-O0"])? {
        Ok(cubin) => Ok(Contents::of_cubin(&fs::read(cubin).context("ptxas' output")?)?),
        Err(why) => bail!("ptxas refuses its PTX: {why}"),
    }
}

/// The names in all cubins of a fat binary; in its PTX if it has none.
fn of_fat_binary(path: &Path, cuda: &Cuda, cpu: &str) -> Result<Contents> {
    let tool = cuda.cuobjdump();
    ensure!(tool.is_file(), "there is no {}, which reads fat binaries that are compressed", tool.display());
    let file = std::path::absolute(path).context("current folder")?;
    let made = tempfile::tempdir().context("temporary folder")?;
    let extracted = |extension: &str, option: &str| -> Result<Vec<PathBuf>> {
        let mut command = Command::new(&tool);
        command.args([option, "all"]).arg(&file).current_dir(made.path()).stdin(Stdio::null());
        command.output().with_context(|| format!("cannot run {}", tool.display()))?;
        let entries = fs::read_dir(made.path()).context("temporary folder")?;
        let paths = entries.map(|entry| Ok(entry.context("temporary folder")?.path()));
        let is_one = |path: &Result<PathBuf>| {
            path.as_ref().map_or(true, |path| path.extension().is_some_and(|own| own == extension))
        };
        paths.filter(is_one).collect()
    };
    let mut all: Option<Contents> = None;
    for cubin in extracted("cubin", "-xelf")? {
        let own = Contents::of_cubin(&fs::read(cubin).context("cuobjdump's output")?)?;
        all.get_or_insert_default().extend(own);
    }
    if all.is_none() {
        for text in extracted("ptx", "-xptx")? {
            let text = fs::read_to_string(text).context("cuobjdump's output")?;
            all.get_or_insert_default().extend(of_ptx(&text, cuda, cpu)?);
        }
    }
    all.context("cuobjdump finds no code in it")
}
