//! The process as a whole: whether it generates device code, and what clang or rustc was started
//! for.
//!
//! clang starts a process for each side, host and device, and for each device architecture, all
//! with the same options. Until there is a function, only the command line tells these processes
//! apart.

use std::ffi::OsString;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static GENERATES_DEVICE_CODE: AtomicBool = AtomicBool::new(false);

/// Notes that a pipeline begins with a module.
pub fn begin_module(is_nvptx: bool) {
    if is_nvptx {
        GENERATES_DEVICE_CODE.store(true, Relaxed);
    }
}

/// Whether a pipeline has generated code for NVPTX.
pub fn generates_device_code() -> bool {
    GENERATES_DEVICE_CODE.load(Relaxed)
}

/// Tells the user to load the plugin elsewhere, if clang or rustc wrote device bitcode here but no
/// code. Called once, at the end of the process.
///
/// # Errors
/// Never.
pub fn finish() -> io::Result<()> {
    // LD_PRELOAD is inherited by the link step.
    let is_inherited = std::env::var("LD_PRELOAD").is_ok_and(|value| value.contains("libptxpasses"));
    if generates_device_code() || is_inherited {
        return Ok(());
    }
    let arguments = arguments();
    let (compiler, how) = if is_rustc(&arguments) {
        ("rustc", "LD_PRELOAD reaches the link step, see docs/guides/rust.md")
    } else {
        ("clang", "for device LTO: in the link step, see docs/doors.md")
    };
    if writes_device_bitcode(&arguments) {
        eprintln!(
            "ptxpasses: {compiler} wrote device bitcode here, and no code: load the plugin where the code is generated as well ({how})"
        );
    }
    Ok(())
}

/// Returns the name for an output file of this process. It is `file`, unless clang compiles for
/// several architectures and this process is one of them. Then the architecture comes before the
/// extension, as in `stats.sm_90.json`.
pub fn output_file_name(file: &str) -> String {
    match architecture(&arguments()) {
        Some(architecture) if compiles_for_several(&arguments_of_parent()) => with_part(file, architecture),
        _ => file.to_owned(),
    }
}

/// Inserts `part` before the extension of `file`.
fn with_part(file: &str, part: &str) -> String {
    let at = file.rfind('.').filter(|&dot| !file[dot..].contains('/')).unwrap_or(file.len());
    format!("{}.{part}{}", &file[..at], &file[at..])
}

fn text(argument: OsString) -> String {
    argument.to_string_lossy().into_owned()
}

/// The command line of this process.
fn arguments() -> Vec<String> {
    std::env::args_os().map(text).collect()
}

/// The command line of the parent process; empty if it cannot be read.
fn arguments_of_parent() -> Vec<String> {
    let file = format!("/proc/{}/cmdline", std::os::unix::process::parent_id());
    let line = std::fs::read(file).unwrap_or_default();
    let words = line.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Whether this is the command line of clang's `-cc1`. A driver with only one job runs it in its
/// own process.
fn is_job(arguments: &[String]) -> bool {
    arguments.get(1).is_some_and(|first| first == "-cc1")
}

/// The argument after `option`.
fn value<'a>(arguments: &'a [String], option: &str) -> Option<&'a str> {
    let at = arguments.iter().position(|argument| argument == option)?;
    arguments.get(at + 1).map(String::as_str)
}

/// Whether this is a command line of rustc.
fn is_rustc(arguments: &[String]) -> bool {
    let program = arguments.first().and_then(|program| program.rsplit('/').next());
    program.is_some_and(|name| name.starts_with("rustc"))
}

/// Whether clang or rustc writes LLVM bitcode or assembly for NVPTX.
fn writes_device_bitcode(arguments: &[String]) -> bool {
    let has = |options: &[&str]| arguments.iter().any(|argument| options.contains(&&**argument));
    let is_nvptx = |triple: &str| triple.starts_with("nvptx");
    let targets_nvptx =
        || arguments.iter().any(|argument| argument.strip_prefix("--target=").is_some_and(is_nvptx));
    if is_rustc(arguments) {
        // Libraries and programs for this target are bitcode. `cargo check` generates nothing.
        let emits = arguments.iter().find_map(|argument| argument.strip_prefix("--emit="));
        let is_bitcode =
            emits.is_none_or(|kinds| kinds.split(',').any(|kind| ["link", "llvm-bc", "obj"].contains(&kind)));
        return is_bitcode && (targets_nvptx() || value(arguments, "--target").is_some_and(is_nvptx));
    }
    if is_job(arguments) {
        return value(arguments, "-triple").is_some_and(is_nvptx) && has(&["-emit-llvm-bc", "-emit-llvm"]);
    }
    let is_device = has(&["--cuda-device-only", "--offload-device-only"])
        || value(arguments, "-target").is_some_and(is_nvptx)
        || targets_nvptx();
    let is_bitcode = has(&["-emit-llvm"])
        || arguments.iter().any(|argument| {
            argument
                .strip_prefix("-flto")
                .or_else(|| argument.strip_prefix("-foffload-lto"))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        });
    is_device && is_bitcode
}

/// The device architecture, if clang started this process for the device side of a file that has
/// both sides.
fn architecture(arguments: &[String]) -> Option<&str> {
    let sides = ["-fcuda-is-device", "-fopenmp-is-target-device", "-fopenmp-is-device"];
    let is_device = arguments.iter().any(|argument| sides.contains(&&**argument));
    value(arguments, "-target-cpu").filter(|_| is_job(arguments) && is_device)
}

/// Whether clang's driver compiles for several architectures, or possibly so because it reads more
/// options from files.
fn compiles_for_several(driver: &[String]) -> bool {
    let mut named: Vec<&str> = Vec::new();
    for argument in driver {
        if argument.starts_with('@') || argument.starts_with("--config") {
            return true;
        }
        let list =
            ["--offload-arch=", "--cuda-gpu-arch="].iter().find_map(|option| argument.strip_prefix(option));
        named.extend(list.into_iter().flat_map(|list| list.split(',')));
    }
    named.sort_unstable();
    named.dedup();
    driver.is_empty()
        || named.len() > 1
        || named.iter().any(|name| ["all", "all-major", "native"].contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn p5_device_bitcode_is_known_by_the_command_line() {
        for yes in [
            "clang -cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-pc-linux-gnu -emit-llvm-bc -flto=full k.cu",
            "clang -cc1 -triple nvptx64-nvidia-cuda -emit-llvm k.cl",
            "clang --target=nvptx64-nvidia-cuda -emit-llvm -c k.cl",
            "clang -target nvptx64 -flto=thin -c k.cl",
            "clang -x cuda --cuda-device-only -foffload-lto -c k.cu",
            "/usr/bin/rustc --crate-name k --emit=dep-info,metadata,link --target nvptx64-nvidia-cuda k.rs",
            "rustc --target=nvptx64-nvidia-cuda k.rs",
        ] {
            assert!(writes_device_bitcode(&words(yes)), "{yes}");
        }
        for no in [
            "clang",
            "rustc --emit=dep-info,metadata --target nvptx64-nvidia-cuda k.rs",
            "rustc --emit=dep-info,link --target x86_64-unknown-linux-gnu k.rs",
            "rustc --emit=asm --target=nvptx64-nvidia-cuda k.rs",
            "clang -cc1 -triple nvptx64-nvidia-cuda -S k.cu",
            "clang -cc1 -triple x86_64-pc-linux-gnu -aux-triple nvptx64-nvidia-cuda -emit-llvm-bc k.cu",
            "clang --target=x86_64-linux-gnu -emit-llvm -c k.c",
            "clang --target=nvptx64-nvidia-cuda -S k.cl",
            "clang -x cuda --cuda-device-only -flto-jobs=2 -S k.cu",
            "llc -load libptxpasses.so k.ll -target",
        ] {
            assert!(!writes_device_bitcode(&words(no)), "{no}");
        }
    }

    #[test]
    fn p9_a_job_for_a_device_has_an_architecture() {
        let device =
            words("clang -cc1 -triple nvptx64-nvidia-cuda -S -fcuda-is-device -target-cpu sm_90 k.cu");
        assert_eq!(architecture(&device), Some("sm_90"));
        for no in
            ["clang -cc1 -triple x86_64 -target-cpu x86-64 k.cu", "clang -fcuda-is-device -target-cpu sm_90"]
        {
            assert_eq!(architecture(&words(no)), None, "{no}");
        }
    }

    #[test]
    fn p9_an_architecture_stands_before_the_extension() {
        for (file, with) in [
            ("a.json", "a.sm_90.json"),
            ("a", "a.sm_90"),
            ("b.d/a", "b.d/a.sm_90"),
            ("./a.b.c", "./a.b.sm_90.c"),
        ] {
            assert_eq!(with_part(file, "sm_90"), with);
        }
    }

    #[test]
    fn p9_several_architectures_are_known_by_the_drivers_command_line() {
        for yes in [
            "",
            "clang @options k.cu",
            "clang --config=cuda.cfg k.cu",
            "clang --offload-arch=sm_80 --cuda-gpu-arch=sm_90 k.cu",
            "clang --offload-arch=sm_80,sm_90 k.cu",
            "clang --offload-arch=native k.cu",
        ] {
            let driver: Vec<_> = words(yes).into_iter().filter(|word| !word.is_empty()).collect();
            assert!(compiles_for_several(&driver), "{yes}");
        }
        for no in ["clang k.cu", "clang --offload-arch=sm_80 --cuda-gpu-arch=sm_80 k.cu"] {
            assert!(!compiles_for_several(&words(no)), "{no}");
        }
    }
}
