//! Finds what the caller does not name: the plugin, an llc for it, NVIDIA's tools and CUDA's
//! toolkit.
//!
//! The tool runs in three kinds of trees: a checkout (`ROOT/target/PROFILE/ptx-compare`), a tree
//! made by `scripts/install` (`DIR/bin`, with the plugin in `DIR/lib/ptxpasses`), and the Python
//! package (`ptxpasses/bin`, `ptxpasses/lib`). It recognises the tree by what lies around its own
//! file, and mentions `scripts/` only in a checkout.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{ensure, Context, Result};

const PLUGIN: &str = "libptxpasses.so";

/// The root of the checkout that the tool was built in.
pub fn checkout() -> Option<PathBuf> {
    let root = own_file()?.ancestors().nth(3)?.to_owned();
    root.join("scripts/setup").is_file().then_some(root)
}

/// The file of the running program.
fn own_file() -> Option<PathBuf> {
    env::current_exe().ok()?.canonicalize().ok()
}

/// The plugin in the same tree.
pub fn plugin() -> Result<PathBuf> {
    let folders = match (checkout(), own_file().as_deref().and_then(Path::parent)) {
        (Some(root), _) => vec![root.join("build/lib")],
        (None, Some(folder)) => vec![folder.join("../lib/ptxpasses"), folder.join("../lib")],
        (None, None) => Vec::new(),
    };
    let found = folders.iter().map(|folder| folder.join(PLUGIN)).find(|file| file.is_file());
    found.with_context(|| match checkout() {
        Some(_) => "the plugin is not built: run scripts/build 22, or name one by --plugin".to_owned(),
        None => "there is no plugin beside this program: name one by --plugin".to_owned(),
    })
}

/// The library that stands in the place of a GPU's driver, which comes with this program.
pub fn hook(name: &str) -> Result<PathBuf> {
    let own = own_file().context("the file of this program is not found")?;
    let folder = own.parent().unwrap_or(Path::new("."));
    let folders = match checkout() {
        Some(_) => vec![folder.to_owned()],
        None => vec![folder.join("../lib/ptxpasses"), folder.join("../lib")],
    };
    let found = folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
    found.and_then(|file| file.canonicalize().ok()).with_context(|| match checkout() {
        Some(_) => {
            format!("{name} is not built: scripts/ptx-compare builds it, or cargo build --package gpu-hook")
        }
        None => format!(
            "there is no {name} beside this program, with which it was installed: install ptxpasses again"
        ),
    })
}

/// The LLVM versions that the plugin has a build for, newest first.
fn versions(plugin: &Path) -> Vec<u32> {
    let folder = plugin.parent().map(fs::read_dir);
    let names = folder.into_iter().flatten().flatten().flatten().map(|entry| entry.file_name());
    let mut versions: Vec<u32> = names.filter_map(|name| version_of(name.to_str()?)).collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    versions.dedup();
    versions
}

/// The version in `libptxpasses-22.so` and `libptxpasses-22-asserts.so`.
fn version_of(file: &str) -> Option<u32> {
    let name = file.strip_prefix("libptxpasses-")?.strip_suffix(".so")?;
    name.strip_suffix("-asserts").unwrap_or(name).parse().ok()
}

/// An llc that the plugin has a build for: of the newest LLVM, or of the wanted version.
pub fn llc(plugin: &Path, version: Option<u32>) -> Result<PathBuf> {
    let built = versions(plugin);
    let wanted = version.map_or_else(|| built.clone(), |version| vec![version]);
    let root = checkout();
    let of_version = |version: &u32| {
        let own = root.iter().map(|root| root.join(format!("build/llvm-{version}/bin/llc")));
        let named = on_path(&format!("llc-{version}"));
        let debian = PathBuf::from(format!("/usr/lib/llvm-{version}/bin/llc"));
        own.chain(named).chain([debian]).find(|file| file.is_file())
    };
    let plain = || on_path("llc").filter(|llc| major(llc).is_some_and(|major| wanted.contains(&major)));
    wanted.iter().find_map(of_version).or_else(plain).with_context(|| {
        let versions: Vec<String> = wanted.iter().map(u32::to_string).collect();
        let has_build = if version.is_some() { "" } else { ", which the plugin is built for" };
        match versions.is_empty() {
            true => format!("there is no build of the plugin beside {}", plugin.display()),
            false => format!(
                "there is no llc of LLVM {}{has_build}: install one, put it on the PATH or name it by --llc",
                versions.join(" or ")
            ),
        }
    })
}

/// The major version that an llc prints.
fn major(llc: &Path) -> Option<u32> {
    let output = Command::new(llc).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, number) = text.split_once("LLVM version ")?;
    number.split('.').next()?.parse().ok()
}

/// A program of the PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found
}

/// A program of LLVM that belongs to an llc: in the same folder, with the same suffix: `clang-22`
/// beside `llc-22`.
pub fn beside(llc: &Path, name: &str) -> Option<PathBuf> {
    let own = llc.file_name().and_then(OsStr::to_str).unwrap_or("");
    let suffixed = format!("{name}{}", own.strip_prefix("llc").unwrap_or(""));
    let real = llc.canonicalize().ok();
    let names = [suffixed.as_str(), name];
    let mut candidates = Vec::new();
    for llc in [Some(llc), real.as_deref()].into_iter().flatten() {
        candidates.extend(names.iter().map(|name| llc.with_file_name(name)));
    }
    candidates.into_iter().find(|file| file.is_file())
}

/// The folder where `scripts/setup cuda` puts NVIDIA's tools.
const OWN_CUDA: &str = "build/cuda";

/// A folder with `bin/ptxas`: that of `scripts/setup cuda` in a checkout, or a toolkit.
///
/// # Errors
///
/// If there is none. The error says where it was searched for, and how to get one.
pub fn ptxas() -> Result<PathBuf> {
    let own = checkout().map(|root| root.join(OWN_CUDA));
    let candidates = [Some(PathBuf::from(OWN_CUDA)), own].into_iter().flatten();
    let mut all = candidates.chain(toolkits());
    all.find(|folder| folder.join("bin/ptxas").is_file()).with_context(|| {
        let own = if checkout().is_some() { "build/cuda, " } else { "" };
        format!(
            "there is no ptxas: none in {own}CUDA_PATH, CUDA_HOME, on the PATH, among python3's packages, in /usr/local/cuda or /usr/lib/cuda: {}",
            ptxas_advice()
        )
    })
}

/// Advice on getting NVIDIA's tools, for the end of a complaint that they are missing.
pub fn ptxas_advice() -> &'static str {
    match checkout() {
        Some(_) => "run scripts/setup cuda, or name a folder with bin/ptxas by --cuda",
        None => "install CUDA's toolkit, or: pip install 'cuda-toolkit[nvcc]' nvidia-cuda-nvdisasm; or name a toolkit's folder by --cuda",
    }
}

/// The folders that may be a toolkit, in search order: `CUDA_PATH` and `CUDA_HOME`, that of the
/// `ptxas` on the PATH, that of `scripts/setup toolkit`, those of PyPI's packages in this Python,
/// `/usr/local/cuda`.
fn toolkits() -> impl Iterator<Item = PathBuf> {
    let named = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let named = named.filter(|folder| !folder.as_os_str().is_empty());
    let of_path = || on_path("ptxas")?.canonicalize().ok()?.parent()?.parent().map(Path::to_owned);
    let own = || checkout().map(|root| root.join("build/toolkit"));
    named
        .chain(std::iter::once_with(of_path).flatten())
        .chain(std::iter::once_with(|| vec![PathBuf::from("build/toolkit")]).flatten())
        .chain(std::iter::once_with(own).flatten())
        .chain(std::iter::once_with(of_python).flatten())
        .chain(["/usr/local/cuda".into(), "/usr/lib/cuda".into()])
}

/// The folders `nvidia/cu*` of the packages that Python finds, newest first.
fn of_python() -> Vec<PathBuf> {
    let line = ["-c", "import sys; print('\\n'.join(sys.path))"];
    let output = Command::new("python3").args(line).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut found = Vec::new();
    for folder in text.lines().filter(|line| !line.is_empty()) {
        let entries = fs::read_dir(Path::new(folder).join("nvidia"));
        let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
        let number = |path: &Path| path.file_name()?.to_str()?.strip_prefix("cu")?.parse::<u32>().ok();
        let mut numbered: Vec<(u32, PathBuf)> =
            paths.filter_map(|path| Some((number(&path)?, path))).collect();
        numbered.sort_by(|a, b| b.cmp(a));
        found.extend(numbered.into_iter().map(|(_, path)| path));
    }
    found
}

/// The parts of a toolkit that clang needs for device code.
const PARTS: [&str; 4] =
    ["bin", "include/cuda.h", "include/cuda_runtime.h", "nvvm/libdevice/libdevice.10.bc"];

/// CUDA's toolkit: the named one, or the first that is found; `None` if there is none.
pub fn toolkit(named: Option<&Path>) -> Result<Option<PathBuf>> {
    let Some(named) = named else {
        return Ok(toolkits()
            .find(|folder| lacking(folder).is_none())
            .and_then(|path| path.canonicalize().ok()));
    };
    if let Some(part) = lacking(named) {
        ensure!(named.is_dir(), "--cuda-path: there is no folder {}", named.display());
        anyhow::bail!("--cuda-path: {} is not CUDA's toolkit: it has no {part}", named.display());
    }
    Ok(Some(named.canonicalize().with_context(|| format!("cannot read {}", named.display()))?))
}

/// The first part that is missing in a folder.
fn lacking(folder: &Path) -> Option<&'static str> {
    PARTS.into_iter().find(|part| !folder.join(part).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_beside_the_plugin() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for name in
            ["libptxpasses-17.so", "libptxpasses-22-asserts.so", "libptxpasses-22.so", "libother-23.so"]
        {
            fs::write(folder.path().join(name), "").expect("written");
        }
        assert_eq!(versions(&folder.path().join(PLUGIN)), [22, 17]);
        let error = llc(&folder.path().join(PLUGIN), Some(99)).expect_err("no such LLVM").to_string();
        assert!(error.starts_with("there is no llc of LLVM 99: "), "{error}");
    }

    #[test]
    fn clang_has_the_suffix_of_llc() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "").expect("written");
            path
        };
        let (llc, plain) = (file("llc-22"), file("clang"));
        assert_eq!(beside(&llc, "clang"), Some(plain.clone()));
        let suffixed = file("clang-22");
        assert_eq!(beside(&llc, "clang"), Some(suffixed));
        assert_eq!(beside(&folder.path().join("llc"), "clang"), Some(plain));
        assert_eq!(beside(&llc, "llvm-dis"), None);
    }

    #[test]
    fn a_toolkit_that_is_named_is_whole_or_an_error() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let error = |path: &Path| toolkit(Some(path)).expect_err("none").to_string();
        assert!(error(&folder.path().join("x")).contains("there is no folder"));
        assert!(error(folder.path()).ends_with("it has no bin"));
        for part in PARTS {
            let path = folder.path().join(part);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            if part == "bin" {
                fs::create_dir(&path).expect("made")
            } else {
                fs::write(&path, "").expect("written")
            }
        }
        assert!(toolkit(Some(folder.path())).expect("whole").is_some());
    }
}
