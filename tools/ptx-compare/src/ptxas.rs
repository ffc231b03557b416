//! Results of NVIDIA's tools for a PTX file: registers, spills, SASS instructions.
//!
//! ptxas takes most of the time, and most PTX is the same between two builds of the plugin. So
//! [`Cached`] keeps its results in a folder, by a hash of the PTX, the target, the register limit
//! and ptxas' version.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{absolute, Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{ensure, Context, Result};
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::Compression;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::complaint::Complaint;
use crate::cubin::{self, Tables};
use crate::output;
use crate::places;
use ptxas_errata::Version;

/// The signal of Ctrl-C.
pub const INTERRUPTED: i32 = 2;

/// The oldest processor that ptxas of CUDA 13 compiles for.
const OLDEST: u32 = 75;

/// The tools in `DIR/bin`.
#[derive(Debug)]
pub struct Cuda {
    ptxas: PathBuf,
    /// cuobjdump or nvdisasm, with the arguments that make it print SASS.
    disassembler: Option<(PathBuf, &'static [&'static str])>,
    /// The most registers that ptxas may give a thread, if there is a limit.
    pub max_registers: Option<u32>,
}

/// ptxas' figures for one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelUsage {
    pub name: String,
    pub registers: u64,
    /// Bytes of stack frame, of the kernel and the functions compiled with it.
    pub stack: u64,
    /// Bytes of spill stores.
    pub spill_stores: u64,
    /// Bytes of spill loads.
    pub spill_loads: u64,
    /// Bytes of static shared memory.
    pub shared: u64,
    /// SASS instructions, padding NOPs not counted; `None` without a disassembler.
    pub sass: Option<u64>,
}

/// ptxas' figures for one PTX file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Kernel by kernel, in ptxas' order.
    pub kernels: Vec<KernelUsage>,
    /// The `.version` that ptxas wanted instead of the file's.
    pub wanted_version: Option<String>,
}

/// ptxas' figures for a file, nvdisasm's listing with live registers, and the lines that the code
/// comes from.
pub type Listed = (Usage, String, Tables);

impl Cuda {
    /// The tools under `dir`; `None` if there is no ptxas.
    pub fn find(dir: &Path) -> Option<Self> {
        // Absolute, since the tools run in a directory of their own.
        let tool = |name: &str| absolute(dir.join("bin").join(name)).ok().filter(|path| path.is_file());
        let nvdisasm = tool("nvdisasm").map(|path| (path, ["-c"].as_slice()));
        let cuobjdump = || tool("cuobjdump").map(|path| (path, ["-sass"].as_slice()));
        let disassembler = nvdisasm.or_else(cuobjdump);
        Some(Cuda { ptxas: tool("ptxas")?, disassembler, max_registers: None })
    }

    /// The last line of `ptxas --version`, e.g. "Build cuda_13.0.r13.0/compiler.36424714_0".
    pub fn version(&self) -> Result<String> {
        version_line(&self.ptxas)
    }

    /// The version that `ptxas --version` prints with a V before it: 13.0.88.
    pub fn number(&self) -> Result<Version> {
        let text = version_text(&self.ptxas)?;
        let words = text.split_whitespace().filter_map(|word| word.strip_prefix('V'));
        words
            .filter_map(|word| word.parse().ok())
            .next_back()
            .with_context(|| format!("{} --version names no version, as V13.0.88", self.ptxas.display()))
    }

    /// The last line of `nvdisasm --version`.
    pub fn disassembler_version(&self) -> Result<String> {
        version_line(&self.nvdisasm())
    }

    pub fn has_disassembler(&self) -> bool {
        self.disassembler.is_some()
    }

    /// Assembles PTX for its own `.target`, [without](without_debug) its `debug`. The inner error
    /// is ptxas' first complaint.
    ///
    /// llc writes the lowest `.version` that the target needs, but inline assembly may use features
    /// of a later one. ptxas then names the version that it wants, and gets it: the code is the
    /// same.
    pub fn assemble(&self, ptx: &str, target: &str) -> Result<Result<Usage, Complaint>> {
        let dir = tempfile::tempdir().context("temporary directory")?;
        self.assemble_in(dir.path(), ptx, target, &[])
    }

    /// The same, with the cubin.
    pub fn machine_code(&self, ptx: &str, target: &str) -> Result<Result<(Usage, Vec<u8>), Complaint>> {
        let dir = tempfile::tempdir().context("temporary directory")?;
        let usage = match self.assemble_in(dir.path(), ptx, target, &[])? {
            Ok(usage) => usage,
            Err(complaint) => return Ok(Err(complaint)),
        };
        Ok(Ok((usage, fs::read(dir.path().join("cubin")).context("ptxas' output")?)))
    }

    /// The processor of a text; `oldest` if that is newer.
    pub fn processor(&self, ptx: &str, oldest: u32) -> String {
        let target = ptx_emu::ptx::analyse(ptx).target.unwrap_or_default();
        let number = target.strip_prefix("sm_").and_then(|name| name.parse().ok());
        if number.is_some_and(|number: u32| number < oldest) {
            format!("sm_{oldest}")
        } else {
            target
        }
    }

    /// Why ptxas rejects a text, if it does. A text for a processor that ptxas no longer supports
    /// is assembled for the oldest that it does.
    pub fn refusal(&self, ptx: &str) -> Result<Option<Complaint>> {
        let target = self.processor(ptx, OLDEST);
        let plain = Cuda { ptxas: self.ptxas.clone(), disassembler: None, max_registers: None };
        let dir = tempfile::tempdir().context("temporary directory")?;
        Ok(plain.assemble_in(dir.path(), ptx, &target, &["-O0"])?.err())
    }

    /// The same as [`Cuda::assemble`] with more flags; returns the cubin, a file in `dir`.
    pub fn cubin(
        &self,
        dir: &Path,
        ptx: &str,
        target: &str,
        flags: &[&str],
    ) -> Result<Result<PathBuf, Complaint>> {
        Ok(self.usage_and_cubin(dir, ptx, target, flags)?.map(|(_, cubin)| cubin))
    }

    /// The same, with ptxas' figures; the instructions are not counted.
    pub fn usage_and_cubin(
        &self,
        dir: &Path,
        ptx: &str,
        target: &str,
        flags: &[&str],
    ) -> Result<Result<(Usage, PathBuf), Complaint>> {
        let plain = Cuda { ptxas: self.ptxas.clone(), disassembler: None, max_registers: self.max_registers };
        Ok(plain.assemble_in(dir, ptx, target, flags)?.map(|usage| (usage, dir.join("cubin"))))
    }

    /// The program beside ptxas that gets code out of fat binaries; it may be missing.
    pub fn cuobjdump(&self) -> PathBuf {
        self.ptxas.with_file_name("cuobjdump")
    }

    /// The disassembler beside ptxas; it may be missing.
    pub fn nvdisasm(&self) -> PathBuf {
        self.ptxas.with_file_name("nvdisasm")
    }

    /// The same as [`Cuda::assemble`], and the listing of the code with live registers, and its
    /// lines. nvdisasm takes longer than ptxas, so it runs only once.
    pub fn list(&self, ptx: &str, target: &str) -> Result<Result<Listed, Complaint>> {
        let dir = tempfile::tempdir().context("temporary directory")?;
        let plain = Cuda { ptxas: self.ptxas.clone(), disassembler: None, max_registers: self.max_registers };
        // Line numbers change no code.
        let mut usage = match plain.assemble_in(dir.path(), ptx, target, &["-lineinfo"])? {
            Ok(usage) => usage,
            Err(complaint) => return Ok(Err(complaint)),
        };
        let listing = match self.disassemble(dir.path())? {
            Ok(listing) => listing,
            Err(complaint) => return Ok(Err(complaint)),
        };
        for kernel in &mut usage.kernels {
            kernel.sass = section(&listing, &kernel.name).map(count_sass);
        }
        let cubin = fs::read(dir.path().join("cubin")).context("ptxas' output")?;
        Ok(Ok((usage, listing, cubin::lines(&cubin)?)))
    }

    /// nvdisasm's listing of the cubin in `dir`, with live registers. The inner error is its first
    /// complaint.
    fn disassemble(&self, dir: &Path) -> Result<Result<String, Complaint>> {
        let nvdisasm = self.nvdisasm();
        let output = Command::new(&nvdisasm)
            .args(["-c", "-lrm", "count"])
            .arg(dir.join("cubin"))
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run {}", nvdisasm.display()))?;
        if !output.status.success() {
            let complaint = first_complaint(&String::from_utf8_lossy(&output.stderr));
            return Ok(Err(Complaint::of_disassembler("nvdisasm", &complaint)));
        }
        Ok(Ok(String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// Writes the code to `cubin` in `dir`; `flags` are more flags for ptxas.
    fn assemble_in(
        &self,
        dir: &Path,
        ptx: &str,
        target: &str,
        flags: &[&str],
    ) -> Result<Result<Usage, Complaint>> {
        let mut text = without_debug(ptx).into_owned();
        let mut wanted = None;
        loop {
            let mut outcome = self.assemble_as_is(dir, &text, target, flags)?;
            let version = outcome.as_ref().err().and_then(|complaint| wanted_version(complaint.words()));
            let raised =
                version.and_then(|version| Some((version.to_owned(), with_version(&text, version)?)));
            match raised {
                Some((version, raised)) if raised != text => (wanted, text) = (Some(version), raised),
                _ => {
                    if let Ok(usage) = &mut outcome {
                        usage.wanted_version = wanted;
                    }
                    return Ok(outcome);
                }
            }
        }
    }

    fn assemble_as_is(
        &self,
        dir: &Path,
        ptx: &str,
        target: &str,
        flags: &[&str],
    ) -> Result<Result<Usage, Complaint>> {
        // The names appear in ptxas' messages.
        fs::write(dir.join("ptx"), ptx).context("temporary file")?;
        let output = Command::new(&self.ptxas)
            .args(["-v", "-arch", target, "-o", "cubin", "ptx"])
            .args(self.max_registers.map(|n| format!("-maxrregcount={n}")))
            .args(flags)
            .current_dir(dir)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run {}", self.ptxas.display()))?;
        ensure!(output.status.signal() != Some(INTERRUPTED), "ptxas was interrupted");
        let mut report = String::from_utf8_lossy(&output.stderr).into_owned();
        report.push_str(&String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            return Ok(Err(first_complaint(&report).into()));
        }
        let mut usage = parse_verbose(&report);
        let counts = || cubin::instructions(&fs::read(dir.join("cubin")).ok()?, target);
        if let Some(counts) = self.disassembler.as_ref().and_then(|_| counts()) {
            for kernel in &mut usage.kernels {
                kernel.sass = counts.get(&kernel.name).copied();
            }
        } else if let Some((tool, args)) = &self.disassembler {
            let output = Command::new(tool)
                .args(*args)
                .arg(dir.join("cubin"))
                .stdin(Stdio::null())
                .output()
                .with_context(|| format!("cannot run {}", tool.display()))?;
            ensure!(output.status.signal() != Some(INTERRUPTED), "{} was interrupted", tool.display());
            if !output.status.success() {
                let complaint = first_complaint(&String::from_utf8_lossy(&output.stderr));
                return Ok(Err(Complaint::of_disassembler(&tool.to_string_lossy(), &complaint)));
            }
            let listing = String::from_utf8_lossy(&output.stdout);
            for kernel in &mut usage.kernels {
                kernel.sass = section(&listing, &kernel.name).map(count_sass);
            }
        }
        Ok(Ok(usage))
    }
}

/// What `--version` prints.
fn version_text(tool: &Path) -> Result<String> {
    let output = Command::new(tool)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", tool.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The last line of that.
fn version_line(tool: &Path) -> Result<String> {
    let text = version_text(tool)?;
    Ok(text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("unknown").to_owned())
}

/// The argument of subcommands that ask one ptxas.
#[derive(clap::Args, Debug)]
pub struct CudaArgs {
    /// Directory with bin/ptxas, and bin/nvdisasm or bin/cuobjdump [default: build/cuda, else a
    /// CUDA toolkit]
    #[arg(long, value_name = "DIR")]
    cuda: Option<PathBuf>,
}

impl CudaArgs {
    /// The named directory, or one that is found.
    pub fn folder(&self) -> Result<PathBuf> {
        self.cuda.clone().map_or_else(places::ptxas, Ok)
    }
}

/// The memory of subcommands that ask ptxas.
#[derive(clap::Args, Debug)]
pub struct CachedArgs {
    /// Where ptxas' results are kept [default: in a checkout of ptxpasses build/ptxas-results,
    /// elsewhere ptxpasses/ptxas-results in $XDG_CACHE_HOME, or in ~/.cache]
    #[arg(long, value_name = "DIR", default_value_os_t = default_cache(), hide_default_value = true)]
    cache: PathBuf,
}

/// The folder for ptxas' results if the caller names none; empty if there is no such place.
fn default_cache() -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    cache_of(&here, env::var_os("XDG_CACHE_HOME"), env::var_os("HOME"))
}

/// [`default_cache`] of a process that runs in `here`. It does not write into a folder of the
/// user's; a checkout has `build`.
fn cache_of(here: &Path, xdg: Option<OsString>, home: Option<OsString>) -> PathBuf {
    let is_checkout =
        |dir: &&Path| dir.join("cpp-shim/loader.c").is_file() && dir.join("tools/ptx-compare").is_dir();
    if let Some(root) = here.ancestors().find(is_checkout) {
        return root.join("build/ptxas-results");
    }
    // XDG's rule: a relative path is ignored.
    let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(xdg).or_else(|| Some(absolute(home)?.join(".cache")));
    folder.map(|folder| folder.join("ptxpasses/ptxas-results")).unwrap_or_default()
}

/// ptxas with a cache.
#[derive(Debug)]
pub struct Cached<'a> {
    cuda: Cuda,
    pub version: String,
    /// Where answers are kept between runs.
    pub kept: Kept<'a>,
}

impl<'a> Cached<'a> {
    /// Finds the tools in a folder, including a disassembler. `max_registers`: see [`Cuda`].
    pub fn open(cuda: &Path, args: &'a CachedArgs, max_registers: Option<u32>) -> Result<Self> {
        let CachedArgs { cache } = args;
        let mut tools = Cuda::find(cuda).with_context(|| {
            format!("no ptxas in {}: {}", cuda.join("bin").display(), places::ptxas_advice())
        })?;
        ensure!(
            tools.has_disassembler(),
            "no nvdisasm or cuobjdump beside ptxas in {}: {}",
            cuda.join("bin").display(),
            places::ptxas_advice()
        );
        ensure!(
            !cache.as_os_str().is_empty(),
            "nowhere to keep ptxas' results: neither XDG_CACHE_HOME nor HOME names a folder; name one by --cache"
        );
        fs::create_dir_all(cache)
            .with_context(|| format!("cannot create {}; --cache names another folder", cache.display()))?;
        tools.max_registers = max_registers;
        Ok(Cached { version: tools.version()?, cuda: tools, kept: Kept::new(cache) })
    }

    /// The cached answer of [`Cuda::list`].
    pub fn list(&self, ptx: &str, target: &str) -> Result<Result<Listed, Complaint>> {
        self.remembered(ptx, target, "lines", || self.cuda.list(ptx, target))
    }

    /// The cached answer of [`Cuda::assemble`].
    pub fn assemble(&self, ptx: &str, target: &str) -> Result<Result<Usage, Complaint>> {
        self.remembered(ptx, target, "", || self.cuda.assemble(ptx, target))
    }

    /// The cached answer of [`Cuda::machine_code`].
    pub fn machine_code(&self, ptx: &str, target: &str) -> Result<Result<(Usage, Vec<u8>), Complaint>> {
        let outcome = self.remembered(ptx, target, "cubin", || {
            let made = self.cuda.machine_code(ptx, target)?;
            // Whoever asks for the figures alone need not run ptxas again.
            let usage = || Ok(made.clone().map(|(usage, _)| usage));
            let _known: Result<Usage, Complaint> = self.remembered(ptx, target, "", usage)?;
            Ok(made.map(|(usage, cubin)| (usage, Hexadecimal(cubin))))
        });
        Ok(outcome?.map(|(usage, Hexadecimal(cubin))| (usage, cubin)))
    }

    /// The outcome of an earlier run, or of one made now. `what`: which of the tools' answers it
    /// is.
    fn remembered<T: Serialize + DeserializeOwned>(
        &self,
        ptx: &str,
        target: &str,
        what: &str,
        make: impl FnOnce() -> Result<Result<T, Complaint>>,
    ) -> Result<Result<T, Complaint>> {
        let limit = self.cuda.max_registers.map(|n| n.to_string());
        let mut texts = vec![self.version.as_str(), target, ptx];
        texts.extend(limit.as_deref());
        if !what.is_empty() {
            texts.push(what);
        }
        let key = key(&texts);
        if let Some(known) = self.kept.get(&key) {
            return Ok(known);
        }
        let outcome = make()?;
        // This is a failure of another program, which the cache's key does not cover.
        if outcome.as_ref().is_err_and(|complaint| complaint.is_of_disassembler) {
            return Ok(outcome);
        }
        self.kept.put(&key, &outcome)?;
        Ok(outcome)
    }
}

/// A folder in which answers of the tools are kept.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a>(&'a Path);

impl<'a> Kept<'a> {
    /// A folder that is there.
    pub fn new(folder: &'a Path) -> Kept<'a> {
        Kept(folder)
    }

    /// What is kept by a [key]. A file that cannot be read, in an older layout for example, is made again.
    pub fn get<T: DeserializeOwned>(self, key: &str) -> Option<T> {
        fs::read(self.0.join(key)).ok().and_then(|bytes| unpacked(&bytes))
    }

    /// Keeps a value. Two runs may share the folder.
    pub fn put(self, key: &str, value: &impl Serialize) -> Result<()> {
        let json = serde_json::to_vec(value).context("ptxas' results")?;
        let is_long = json.len() > LONG;
        output::write_cached(&self.0.join(key), if is_long { packed(&json)? } else { json })
    }
}

/// Bytes from which on what is kept is compressed.
const LONG: usize = 4096;

/// Bytes that are kept as text, two letters each.
struct Hexadecimal(Vec<u8>);

impl Serialize for Hexadecimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |value: u8| char::from(DIGITS[usize::from(value & 15)]);
        let text: String = self.0.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte)]).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Hexadecimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |letter: u8| char::from(letter).to_digit(16).map(|value| value as u8);
        let byte = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
        let bytes = text.as_bytes().chunks(2).map(byte).collect::<Option<_>>();
        bytes.map(Hexadecimal).ok_or_else(|| D::Error::custom("not hexadecimal"))
    }
}

/// Compresses a listing, which is long, to a tenth of its size.
fn packed(json: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(json).context("ptxas' results")?;
    encoder.finish().context("ptxas' results")
}

/// Reads a value from a cache file, compressed or not.
fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    if bytes.starts_with(b"{") || bytes.starts_with(b"[") {
        return serde_json::from_slice(bytes).ok();
    }
    let mut json = Vec::new();
    ZlibDecoder::new(bytes).read_to_end(&mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

/// A key for these texts: 128 bits from two hashes.
pub fn key(texts: &[&str]) -> String {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        texts.hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}.json", half(1), half(2))
}

/// The version in "Feature '::cta' requires PTX ISA .version 7.8 or later".
fn wanted_version(complaint: &str) -> Option<&str> {
    let (_, rest) = complaint.split_once("requires PTX ISA .version ")?;
    rest.split(' ').next()
}

/// The PTX without the `debug` of `.target sm_80, debug`, which LLVM writes if the IR has debug
/// information. It makes ptxas skip most of its optimisations, so its figures say nothing. Triton
/// removes it too; line numbers stay.
pub fn without_debug(ptx: &str) -> Cow<'_, str> {
    let Some(line) = ptx.lines().find(|line| line.trim_start().starts_with(".target")) else {
        return Cow::Borrowed(ptx);
    };
    let mut words = line.split(',').map(str::trim_end);
    let kept: Vec<&str> = words.by_ref().filter(|word| word.trim() != "debug").collect();
    let kept = kept.join(",");
    if kept == line.trim_end() {
        Cow::Borrowed(ptx)
    } else {
        Cow::Owned(ptx.replacen(line, &kept, 1))
    }
}

/// The note about a file whose PTX has `debug`.
pub fn debug_note(name: impl std::fmt::Display, ptx: &str) -> Option<String> {
    let has_it = matches!(without_debug(ptx), Cow::Owned(_));
    has_it.then(|| format!("{name}: has debug information; ptxas gets it without the word debug after .target, which would make it leave its optimisations out"))
}

/// The same PTX under another `.version`.
pub fn with_version(ptx: &str, version: &str) -> Option<String> {
    let (before, rest) = ptx.split_once(".version")?;
    let (_, after) = rest.split_once('\n')?;
    Some(format!("{before}.version {version}\n{after}"))
}

/// The first line that is an error, otherwise the first line.
fn first_complaint(report: &str) -> String {
    let lines = || report.lines().map(str::trim).filter(|line| !line.is_empty());
    lines()
        .find(|line| line.contains("error") || line.contains("fatal"))
        .or_else(|| lines().next())
        .unwrap_or("failed without a message")
        .to_owned()
}

/// Registers and spills from `ptxas -v`. The figures of a function that is not a kernel count for
/// the kernel that it was compiled with.
fn parse_verbose(report: &str) -> Usage {
    let mut usage = Usage::default();
    for line in report.lines() {
        if let Some(name) = name_after(line, "Compiling entry function ") {
            usage.kernels.push(KernelUsage { name: name.to_owned(), ..KernelUsage::default() });
        }
        if let Some(registers) = number_before(line, " registers") {
            if let Some(kernel) = usage.kernels.last_mut() {
                kernel.registers = registers;
                kernel.shared = number_before(line, " bytes smem").unwrap_or(0);
            }
        }
        let number = |what| number_before(line, what).unwrap_or(0);
        let (stores, loads) = (number(" bytes spill stores"), number(" bytes spill loads"));
        if let Some(kernel) = usage.kernels.last_mut() {
            kernel.stack += number(" bytes stack frame");
            kernel.spill_stores += stores;
            kernel.spill_loads += loads;
        }
    }
    usage
}

/// The word in single quotes directly after `what`.
fn name_after<'a>(line: &'a str, what: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(what)?;
    rest.strip_prefix('\'')?.split('\'').next()
}

/// The part of nvdisasm's or cuobjdump's listing with one function's code.
pub fn section<'a>(listing: &'a str, name: &str) -> Option<&'a str> {
    let heads = [format!("\n.text.{name}:"), format!("Function : {name}\n")];
    let (head, at) = heads.iter().find_map(|head| listing.find(head).map(|at| (head, at)))?;
    let rest = &listing[at + head.len()..];
    let end = ["\n//-----", "Function : "].iter().filter_map(|next| rest.find(next)).min();
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// The number that ends directly before `what`.
fn number_before(line: &str, what: &str) -> Option<u64> {
    let (before, _) = line.split_once(what)?;
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Instructions in nvdisasm's or cuobjdump's listing: lines like `/*0010*/  @P0 EXIT ;`.
fn count_sass(listing: &str) -> u64 {
    let instruction = |line: &&str| {
        let Some((address, text)) = line.trim().strip_prefix("/*").and_then(|rest| rest.split_once("*/"))
        else {
            return false;
        };
        let text = text.trim();
        address.len() >= 4
            && address.chars().all(|c| c.is_ascii_hexdigit())
            && text.contains(';')
            && text.split([' ', ';']).next() != Some("NOP")
    };
    listing.lines().filter(instruction).count() as u64
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_disassembler_that_fails_is_named_and_not_remembered() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let tool = |name: &str, line: &str| {
            let path = folder.path().join("bin").join(name);
            fs::write(&path, format!("#!/bin/sh\n{line}\n")).expect("written");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
        };
        fs::create_dir_all(folder.path().join("bin")).expect("made");
        tool("ptxas", "[ $1 = --version ] && exit; : >cubin; echo \"ptxas info : Compiling entry function 'k' for 'sm_80'\" >&2");
        tool("nvdisasm", "echo 'fatal : not here' >&2; exit 1");
        let args = CachedArgs { cache: folder.path().join("cache") };
        let assemble = || {
            let cached = Cached::open(folder.path(), &args, None).expect("tools");
            cached.assemble("", "sm_80").expect("ptxas runs")
        };
        let complaint = assemble().expect_err("no listing");
        assert!(complaint.words().ends_with("bin/nvdisasm: fatal : not here"), "{complaint}");
        tool("nvdisasm", "printf '\\n.text.k:\\n/*0000*/ EXIT ;\\n'");
        assert_eq!(assemble().expect("a listing").kernels[0].sass, Some(1));
    }

    #[test]
    fn what_is_put_is_got() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let kept = Kept::new(folder.path());
        let long = (String::from("x"), Hexadecimal((0..=255).cycle().take(5000).collect()));
        kept.put("long", &long).expect("written");
        let read: (String, Hexadecimal) = kept.get("long").expect("kept");
        assert_eq!((read.0, read.1 .0), (long.0, long.1 .0));
        kept.put("short", &[1, 2]).expect("written");
        assert_eq!(kept.get::<Vec<u32>>("short"), Some(vec![1, 2]));
        assert_eq!(kept.get::<u32>("none"), None);
        kept.put("odd", &"0g").expect("written");
        assert!(kept.get::<Hexadecimal>("odd").is_none());
    }

    #[test]
    fn what_is_kept_is_read_whatever_its_layout() {
        let value = vec!["EXIT ;".repeat(99)];
        let json = serde_json::to_vec(&Ok::<_, Complaint>(value.clone())).expect("JSON");
        let read = |bytes: &[u8]| unpacked::<std::result::Result<Vec<String>, Complaint>>(bytes);
        let small = packed(&json).expect("packed");
        assert!(small.len() < json.len() / 5);
        assert_eq!(read(&small), Some(Ok(value.clone())));
        assert_eq!(read(&json), Some(Ok(value)));
        assert_eq!((read(b""), read(b"{}"), read(&small[..9])), (None, None, None));
    }

    #[test]
    fn verbose_report() {
        let report = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_80'
ptxas info    : Function properties for a
    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 380 bytes cmem[0]
ptxas info    : Compiling entry function 'b' for 'sm_80'
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 4096 bytes smem, 356 bytes cmem[0]
";
        let usage = parse_verbose(report);
        assert!(usage.kernels.iter().all(|kernel| kernel.sass.is_none()));
        let kernels: Vec<_> = usage
            .kernels
            .iter()
            .map(|k| (k.name.as_str(), k.registers, k.stack, k.spill_stores, k.spill_loads))
            .collect();
        assert_eq!(kernels, [("a", 40, 16, 12, 20), ("b", 32, 0, 0, 4)]);
        assert_eq!(usage.kernels.iter().map(|k| k.shared).collect::<Vec<_>>(), [0, 4096]);
    }

    #[test]
    fn complaint() {
        let report = "ptxas info : x\nptxas a.ptx, line 1; fatal   : Unsupported .version 9.9; current version is '8.4'\nptxas fatal : aborted\n";
        assert_eq!(
            first_complaint(report),
            "ptxas a.ptx, line 1; fatal   : Unsupported .version 9.9; current version is '8.4'"
        );
    }

    #[test]
    fn version() {
        let complaint =
            "ptxas ptx, line 763; error   : Feature '::cta' requires PTX ISA .version 7.8 or later";
        assert_eq!(wanted_version(complaint), Some("7.8"));
        assert_eq!(wanted_version("ptxas ptx, line 7; error   : Unknown symbol"), None);
        let ptx = "//\n.version 7.0\n.target sm_80\n";
        assert_eq!(with_version(ptx, "7.8").as_deref(), Some("//\n.version 7.8\n.target sm_80\n"));
    }

    #[test]
    fn debug_goes() {
        let ptx = |target: &str| format!(".version 7.0\n{target}\n.func debug\n");
        assert_eq!(without_debug(&ptx(".target sm_80, debug")), ptx(".target sm_80"));
        assert_eq!(
            without_debug(&ptx(".target sm_80, debug, texmode_unified")),
            ptx(".target sm_80, texmode_unified")
        );
        assert!(matches!(without_debug(&ptx(".target sm_80")), Cow::Borrowed(_)));
        assert!(matches!(without_debug("debug"), Cow::Borrowed(_)));
    }

    #[test]
    fn sass_lines() {
        let listing = "\
.text.k:
        /*0000*/                   MOV R1, c[0x0][0x28] ;              /* 0x00000a00 */
                                                                       /* 0x003fc400 */
.L_x_0:
        /*0010*/              @!P0 BRA `(.L_x_0) ;
        /*0020*/                   NOP;
        /*0030*/                   EXIT ;
";
        assert_eq!(count_sass(listing), 3);
    }

    #[test]
    fn results_are_kept_in_the_users_cache_outside_of_a_checkout() {
        let dir = tempfile::tempdir().unwrap();
        let cache = |here: &Path, xdg: &str, home: &str| {
            let given = |text: &str| (!text.is_empty()).then(|| OsString::from(text));
            cache_of(here, given(xdg), given(home))
        };
        let elsewhere = dir.path();
        assert_eq!(cache(elsewhere, "/x", "/h"), Path::new("/x/ptxpasses/ptxas-results"));
        assert_eq!(cache(elsewhere, "", "/h"), Path::new("/h/.cache/ptxpasses/ptxas-results"));
        assert_eq!(cache(elsewhere, "relative", "/h"), Path::new("/h/.cache/ptxpasses/ptxas-results"));
        assert_eq!(cache(elsewhere, "", ""), Path::new(""));
        let checkout = dir.path().join("checkout");
        for folder in ["cpp-shim", "tools/ptx-compare", "examples"] {
            fs::create_dir_all(checkout.join(folder)).unwrap();
        }
        fs::write(checkout.join("cpp-shim/loader.c"), "").unwrap();
        assert_eq!(cache(&checkout.join("examples"), "/x", "/h"), checkout.join("build/ptxas-results"));
    }

    #[test]
    fn keys_tell_texts_apart() {
        assert_eq!(key(&["a", "b"]), key(&["a", "b"]));
        assert_ne!(key(&["a", "b"]), key(&["ab", ""]));
    }

    #[test]
    fn sections_of_kernels() {
        let nvdisasm = "\t.section\t.text.a,\"ax\"\na:\n.text.a:\n        /*0000*/ EXIT ;\n.L_x_1:\n        /*0010*/ BRA `(.L_x_1);\n\
            \n//--------------------- .text.ab --------\nab:\n.text.ab:\n        /*0000*/ EXIT ;\n";
        assert_eq!(section(nvdisasm, "a").map(count_sass), Some(2));
        assert_eq!(section(nvdisasm, "ab").map(count_sass), Some(1));
        assert_eq!(section(nvdisasm, "b"), None);
        let cuobjdump = "\t\tFunction : a\n\t.headerflags\n        /*0000*/ EXIT ; /* 0x1 */\n\t\tFunction : b\n        /*0000*/ RET ;\n";
        assert_eq!(section(cuobjdump, "a").map(count_sass), Some(1));
    }
}
