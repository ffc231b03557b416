//! Finds the LLVM named by the `llvmNN-N` feature, compiles the C++ shim against its headers, and
//! generates the Rust side of the C ABI. Without such a feature only the algorithms are built,
//! which need no LLVM.

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The table of differences between versions.
#[allow(dead_code)]
#[path = "src/versions.rs"]
mod versions;

/// The feature's name as in inkwell, LLVM's major version, and llvm-sys's names for its prefix
/// variable.
const VERSIONS: &[(&str, u32, &[&str])] = &[
    ("LLVM17_0", 17, &["170", "17"]),
    ("LLVM18_1", 18, &["181", "180", "18"]),
    ("LLVM19_1", 19, &["191", "19"]),
    ("LLVM20_1", 20, &["201", "20"]),
    ("LLVM21_1", 21, &["211", "21"]),
    ("LLVM22_1", 22, &["221", "22"]),
    ("LLVM23_1", 23, &["231", "23"]),
    ("LLVM24_0", 24, &["240", "24"]),
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=cpp-shim");
    println!("cargo:rerun-if-changed=src/versions.rs");
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    let chosen: Vec<_> =
        VERSIONS.iter().filter(|(f, ..)| env::var_os(format!("CARGO_FEATURE_{f}")).is_some()).collect();
    match chosen[..] {
        [] => {}
        [&(_, major, _)] if env::var_os("DOCS_RS").is_some() => document_for(major),
        [&(_, major, names)] => build_for(&Llvm::find(major, names)),
        _ => fail("more than one llvmNN-N feature is on; a build is for one LLVM: choose one of them"),
    }
}

fn fail(message: &str) -> ! {
    eprintln!("error: ptxpasses: {message}");
    std::process::exit(1);
}

struct Llvm {
    major: u32,
    include: PathBuf,
    lib: PathBuf,
    assertions: bool,
}

impl Llvm {
    /// Searches in this order: the prefix in a variable, `llvm-config-N` on the PATH, the result of
    /// `scripts/setup N`.
    fn find(major: u32, names: &[&str]) -> Llvm {
        let mut candidates = Vec::new();
        for name in names {
            let variable = format!("LLVM_SYS_{name}_PREFIX");
            println!("cargo:rerun-if-env-changed={variable}");
            if let Some(prefix) = env::var_os(&variable) {
                let config = PathBuf::from(prefix).join("bin/llvm-config");
                match Llvm::ask(&config, major) {
                    Ok(llvm) => return llvm,
                    Err(why) => fail(&format!("{variable} is set, but {why}")),
                }
            }
        }
        candidates.push(PathBuf::from(format!("llvm-config-{major}")));
        let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
        let own = root.join(format!("build/llvm-{major}/bin/llvm-config"));
        println!("cargo:rerun-if-changed={}", own.display());
        candidates.push(own);
        let mut tried = String::new();
        for config in candidates {
            match Llvm::ask(&config, major) {
                Ok(llvm) => return llvm,
                Err(why) => tried += &format!("\n  {why}"),
            }
        }
        fail(&format!(
            "no LLVM {major} with headers found; run `scripts/setup {major}`, or install it (Debian: \
             llvm-{major}-dev and libclang1-{major}), or set LLVM_SYS_{}_PREFIX to where it is. Tried:{tried}",
            names[0]
        ))
    }

    fn ask(config: &Path, major: u32) -> Result<Llvm, String> {
        let get = |what: &str| {
            let out = Command::new(config).arg(what).output();
            match out {
                Ok(o) if o.status.success() => Ok(String::from_utf8_lossy(&o.stdout).trim().to_owned()),
                Ok(o) => Err(format!("{} {what} failed: {}", config.display(), o.status)),
                Err(e) => Err(format!("{}: {e}", config.display())),
            }
        };
        let version = get("--version")?;
        if version.split('.').next() != Some(&major.to_string()) {
            return Err(format!("{} is LLVM {version}, not {major}", config.display()));
        }
        let include = PathBuf::from(get("--includedir")?);
        if !include.join("llvm/CodeGen/MachineFunction.h").exists() {
            return Err(format!("LLVM's headers are not in {} (llvm-{major}-dev)", include.display()));
        }
        let assertions = get("--assertion-mode")? == "ON";
        Ok(Llvm { major, include, lib: PathBuf::from(get("--libdir")?), assertions })
    }
}

/// The shim's files that use no LLVM class, without the extension.
const SHIM_WITHOUT_LLVM: [&str; 3] = ["host_check", "elf_object", "old_libstdcxx"];

/// All other files of the shim.
const SHIM: [&str; 33] = [
    "plugin",
    "passes",
    "rust_side",
    "pass_plugin",
    "new_pass_manager",
    "legacy_pipeline",
    "new_pipeline",
    "loop_reduce",
    "unroll",
    "loop_branch",
    "restrict",
    "equal_phi",
    "early_load",
    "division",
    "ir_moves",
    "ir_stages",
    "head",
    "mir",
    "inspect",
    "facts",
    "fill",
    "check",
    "edges",
    "liveness",
    "remarks",
    "timers",
    "coalesce",
    "verify",
    "emitter",
    "emitter_mirror",
    "dag",
    "emit",
    "emit_debug",
];

/// The number of files that those of `SHIM` are compiled as. Reading LLVM's headers takes most of the time of one.
/// So two files of their own must not give one name to two things, not even in unnamed namespaces.
const PARTS: usize = 2;

/// For docs.rs, which sets `DOCS_RS` and has no LLVM: the handles appear in the documentation. They
/// need the bindings, and these only the shim's header, which is C. Linking such a build fails.
fn document_for(major: u32) {
    configure(major);
    choose_libclang(None);
    generate_bindings(&out_dir().join("ffi.rs"));
}

/// Sets what depends on LLVM's version alone.
fn configure(major: u32) {
    println!("cargo:rustc-cfg=ptx_host");
    if versions::Versions::of(major).has_variables {
        println!("cargo:rustc-cfg=ptx_variables");
    }
    println!("cargo:rustc-env=PTX_LLVM_MAJOR={major}");
}

fn out_dir() -> PathBuf {
    PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"))
}

fn build_for(llvm: &Llvm) {
    configure(llvm.major);
    let out = out_dir();
    // For clippy and rustdoc, which do not link. Linking such a build fails: it lacks the shim's
    // functions.
    println!("cargo:rerun-if-env-changed=PTX_WITHOUT_SHIM");
    if env::var_os("PTX_WITHOUT_SHIM").is_none() {
        compile_shim(llvm, &out);
        weaken_llvm_symbols(&out.join("libptxshim.a"));
    }
    choose_libclang(Some(llvm));
    RECORDS.iter().for_each(check_records);
    generate_bindings(&out.join("ffi.rs"));
}

/// Names a libclang for bindgen, which loads it at run time.
fn choose_libclang(llvm: Option<&Llvm>) {
    if env::var_os("LIBCLANG_PATH").is_none() {
        if let Some(folder) = find_libclang(llvm) {
            env::set_var("LIBCLANG_PATH", folder);
        }
    }
}

fn compile_shim(llvm: &Llvm, out: &Path) {
    shim_build(llvm)
        .objects(shared_objects(llvm, out))
        // Otherwise the linker drops the static constructor that registers everything.
        .link_lib_modifier("+whole-archive")
        .compile("ptxshim");
}

/// The shim's object files. With `PTX_SHIMS`, a folder that all builds of a run of scripts/test name, they are
/// compiled once for the same sources and command. The folder must not outlive a change of
/// the compiler or of LLVM's headers. No output depends on the variable, so cargo need not know it.
fn shared_objects(llvm: &Llvm, out: &Path) -> Vec<PathBuf> {
    let Some(shims) = env::var_os("PTX_SHIMS") else { return compile_objects(llvm, out) };
    let folder = PathBuf::from(shims).join(shim_key(llvm));
    if !folder.is_dir() {
        let objects = compile_objects(llvm, out);
        if let Err(e) = keep_objects(&objects, &folder) {
            // Another build may have been first.
            if !folder.is_dir() {
                fail(&format!("cannot keep the shim in {}: {e}", folder.display()));
            }
        }
    }
    (0..PARTS + SHIM_WITHOUT_LLVM.len()).map(|at| kept_object(&folder, at)).collect()
}

/// Where `shared_objects` keeps an object file, by its place in what `compile_objects` returns.
fn kept_object(folder: &Path, at: usize) -> PathBuf {
    folder.join(at.to_string()).with_extension("o")
}

/// Copies the object files to a folder, completely or not at all.
fn keep_objects(objects: &[PathBuf], folder: &Path) -> std::io::Result<()> {
    let new = folder.with_extension(std::process::id().to_string());
    std::fs::create_dir_all(&new)?;
    for (at, object) in objects.iter().enumerate() {
        std::fs::copy(object, kept_object(&new, at))?;
    }
    let moved = std::fs::rename(&new, folder);
    if moved.is_err() {
        std::fs::remove_dir_all(&new)?;
    }
    moved
}

/// A hash of the compiler's command and of the shim's sources.
fn shim_key(llvm: &Llvm) -> String {
    let mut hasher = DefaultHasher::new();
    // Printed, a command has the whole environment, which has the name of this very build's folder.
    let command = shim_build(llvm).get_compiler().to_command();
    (command.get_program(), command.get_args().collect::<Vec<_>>()).hash(&mut hasher);
    let files = std::fs::read_dir("cpp-shim").and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let files = files.unwrap_or_else(|e| fail(&format!("cannot list cpp-shim: {e}")));
    let files = files.iter().map(std::fs::DirEntry::path);
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read(&file);
        let text = text.unwrap_or_else(|e| fail(&format!("cannot read {}: {e}", file.display())));
        (&file, text).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// Compiles the object files: those of the parts, then those of `SHIM_WITHOUT_LLVM`.
fn compile_objects(llvm: &Llvm, out: &Path) -> Vec<PathBuf> {
    let without_llvm = SHIM_WITHOUT_LLVM.map(|name| format!("cpp-shim/{name}.cpp"));
    // The parts are elsewhere. A name that `__FILE__` gives stays without this machine's folders.
    let parts =
        SHIM.chunks(SHIM.len().div_ceil(PARTS)).enumerate().map(|(at, names)| write_part(out, at, names));
    shim_build(llvm).include("cpp-shim").files(parts).files(without_llvm).compile_intermediates()
}

/// Writes a file that includes some of `SHIM`.
fn write_part(out: &Path, at: usize, names: &[&str]) -> PathBuf {
    let part = out.join(format!("part_{at}.cpp"));
    let text: String = names.iter().map(|name| format!("#include \"{name}.cpp\"\n")).collect();
    std::fs::write(&part, text).unwrap_or_else(|e| fail(&format!("cannot write {}: {e}", part.display())));
    part
}

/// The compiler and its options for all files of the shim.
fn shim_build(llvm: &Llvm) -> cc::Build {
    let mut build = cc::Build::new();
    if !llvm.assertions {
        // Must match LLVM's own build: with assertions its classes have other members.
        build.define("NDEBUG", None);
    }
    build
        .cpp(true)
        .std("c++17")
        .opt_level(2)
        .pic(true)
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-isystem")
        .flag(llvm.include.to_str().unwrap_or_else(|| fail("the path of LLVM's headers is not UTF-8")))
        .warnings(true)
        .extra_warnings(true);
    build
}

/// Makes the shim's references to LLVM weak. They stay undefined, because the host has LLVM. With
/// weak references, a host without LLVM runs cpp-shim/host_check.cpp instead of ignoring the
/// plugin.
fn weaken_llvm_symbols(archive: &Path) {
    let weaken =
        Command::new("objcopy").args(["--wildcard", "--weaken-symbol=_Z*4llvm*"]).arg(archive).status();
    match weaken {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!("objcopy {}: {status}", archive.display())),
        Err(e) => fail(&format!("objcopy: {e}; it comes with the C compiler (Debian: binutils)")),
    }
}

fn generate_bindings(file: &Path) {
    let bindings = bindgen::Builder::default()
        .header("cpp-shim/ptxpasses.h")
        .clang_arg(format!("-I{}", gcc_include()))
        .allowlist_item("[Pp][Tt][Xx].*")
        // Those are kept in src/mir.
        .blocklist_file(r".*/ptxpasses_(machine_)?records\.h")
        .rustified_enum("PtxSlotKind")
        // Defined by Rust, not imported.
        .blocklist_item("ptx_entry_points")
        .default_enum_style(bindgen::EnumVariation::ModuleConsts)
        .layout_tests(false)
        .generate()
        .unwrap_or_else(|e| fail(&format!("bindgen: {e}")));
    if let Err(e) = bindings.write_to_file(file) {
        fail(&format!("cannot write {}: {e}", file.display()));
    }
}

/// A header of records, and bindgen's output for it, which builds without LLVM use.
struct Records {
    header: &'static str,
    output: &'static str,
    /// Defines the types of the numbers.
    ids: &'static str,
    /// The names of these types.
    numbers: &'static str,
}

const RECORDS: [Records; 2] = [
    Records {
        header: "ptxpasses_records.h",
        output: "src/mir/dag/records.rs",
        ids: "ids",
        numbers: "Ptx(Opt)?[A-Za-z]+Id|PtxReg|PtxNodeHandle|PtxSDNode",
    },
    Records {
        header: "ptxpasses_machine_records.h",
        output: "src/mir/records.rs",
        ids: "record_ids",
        numbers: "PtxSlot|PtxValueNo|PtxVarFlags|PtxOptReader|PtxOpt[A-Za-z]+Id",
    },
];

/// Compares the stored output with the header that declares the records.
fn check_records(records: &Records) {
    let Records { header, output, ids, numbers } = records;
    println!("cargo:rerun-if-changed={output}");
    println!("cargo:rerun-if-env-changed=PTX_UPDATE_RECORDS");
    let bindings = bindgen::Builder::default()
        .header(format!("cpp-shim/{header}"))
        .clang_arg(format!("-I{}", gcc_include()))
        .allowlist_file(format!(".*/{header}"))
        .blocklist_type(numbers)
        .blocklist_item("PTX_NONE|PTXPASSES_.*_H|PTXPASSES_RECORDS_H")
        .rustified_enum("PtxSlotKind")
        .raw_line(format!("// bindgen's output for cpp-shim/{header}; PTX_UPDATE_RECORDS=1 renews it."))
        .raw_line(format!("use super::{ids}::*;"))
        .disable_header_comment()
        .formatter(bindgen::Formatter::Prettyplease)
        .parse_callbacks(Box::new(RecordTypes))
        .derive_partialeq(true)
        .derive_eq(true)
        .layout_tests(false)
        .generate()
        .unwrap_or_else(|e| fail(&format!("bindgen: {e}")))
        .to_string();
    if env::var_os("PTX_UPDATE_RECORDS").is_some() {
        std::fs::write(output, bindings).unwrap_or_else(|e| fail(&format!("cannot write {output}: {e}")));
    } else if std::fs::read_to_string(output).ok().as_deref() != Some(&bindings) {
        fail(&format!(
            "{output} is not what bindgen makes of cpp-shim/{header}; build once with \
             PTX_UPDATE_RECORDS=1 in the environment, which renews it"
        ));
    }
}

#[derive(Debug)]
struct RecordTypes;

impl bindgen::callbacks::ParseCallbacks for RecordTypes {
    /// Constants have the type of the members that hold them.
    fn int_macro(&self, name: &str, _: i64) -> Option<bindgen::callbacks::IntKind> {
        let prefixes = ["PTX_STEP_", "PTX_NODE_", "PTX_TYPE_", "PTX_OPERAND_", "PTX_VALUE_", "PTX_SD_"];
        let is_short = prefixes.iter().any(|prefix| name.starts_with(prefix));
        let is_byte = name.starts_with("PTX_VAR_");
        is_short
            .then_some(bindgen::callbacks::IntKind::U16)
            .or(is_byte.then_some(bindgen::callbacks::IntKind::U8))
    }
    /// `PTX_SLOT_EARLY_CLOBBER` is `EarlyClobber`.
    fn enum_variant_name(
        &self,
        _: Option<&str>,
        name: &str,
        _: bindgen::callbacks::EnumVariantValue,
    ) -> Option<String> {
        let words = name.strip_prefix("PTX_SLOT_")?.split('_');
        Some(words.map(|word| word[..1].to_owned() + &word[1..].to_lowercase()).collect())
    }
    fn blocklisted_type_implements_trait(
        &self,
        _: &str,
        _: bindgen::callbacks::DeriveTrait,
    ) -> Option<bindgen::callbacks::ImplementsTrait> {
        Some(bindgen::callbacks::ImplementsTrait::Yes)
    }
    fn add_derives(&self, info: &bindgen::callbacks::DeriveInfo<'_>) -> Vec<String> {
        if info.name == "PtxTargetOpcodes" {
            vec!["Default".to_owned()]
        } else {
            vec![]
        }
    }
}

/// The folder of a libclang that this process can load: LLVM's own, or the one that scripts/setup
/// fetches from PyPI, or one of another LLVM in the checkout. Any will do for our headers, which
/// are C. `None` leaves the search to bindgen, which knows the system's places.
fn find_libclang(llvm: Option<&Llvm>) -> Option<PathBuf> {
    let build = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("build");
    let others = VERSIONS.iter().rev().map(|(_, major, _)| build.join(format!("llvm-{major}/lib")));
    let own = llvm.map(|llvm| llvm.lib.clone());
    own.into_iter()
        .chain([build.join("libclang/clang/native")])
        .chain(others)
        .find(|folder| has_libclang(folder))
}

/// Whether a folder has a libclang that loads on this machine. One from a newer distribution needs
/// a newer C library.
fn has_libclang(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    // libclang.so or libclang-19.so.1; libclang-cpp is another library.
    let is_libclang = |name: &str| {
        let version = name.strip_prefix("libclang-").unwrap_or_default();
        name.starts_with("libclang.so") || version.starts_with(|c: char| c.is_ascii_digit())
    };
    let found = entries.flatten().find(|entry| is_libclang(&entry.file_name().to_string_lossy()));
    found.is_some_and(|entry| loads(&entry.path()))
}

/// Whether the dynamic linker finds everything that a library needs. Assumed if there is no `ldd`.
fn loads(library: &Path) -> bool {
    let said = Command::new("ldd").env("LC_ALL", "C").arg(library).output();
    said.map_or(true, |said| {
        ![said.stdout, said.stderr].iter().any(|text| String::from_utf8_lossy(text).contains("not found"))
    })
}

/// The C compiler's folder with `stddef.h`, which libclang alone lacks.
fn gcc_include() -> String {
    let cc = cc::Build::new().get_compiler();
    let out = Command::new(cc.path()).arg("-print-file-name=include").output();
    out.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default()
}
