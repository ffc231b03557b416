//! Links the library as one that stands in the driver's place.
//!
//! Its name is that of the driver. It needs a library whose name only `ptx-compare` gives to the real driver: so the loader finds there what this one does not have. The linker
//! has to see a library of that name: an empty one is made here.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// As `gpu_record::setup` has them.
const DRIVER: &str = "libcuda.so.1";
const REAL: &str = "libptx-real-cuda.so.1";

const EMPTY: &str =
    "#![no_std]\n#[panic_handler]\nfn panic(_: &core::panic::PanicInfo) -> ! {\n    loop {}\n}\n";

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if variable("CARGO_CFG_TARGET_OS") != "linux" {
        return;
    }
    let folder = PathBuf::from(variable("OUT_DIR"));
    let (source, stub) = (folder.join("empty.rs"), folder.join("libptx-real-cuda.so"));
    std::fs::write(&source, EMPTY).expect("cargo's folder can be written");
    let mut command = Command::new(variable("RUSTC"));
    command.args(["--crate-type", "cdylib", "--crate-name", "empty", "-Cpanic=abort", "--target"]);
    command.arg(variable("TARGET")).arg(format!("-Clink-arg=-Wl,-soname,{REAL}"));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        command.arg(format!("-Clinker={linker}"));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\x1f').filter(|flag| flag.starts_with("-Clinker=")));
    let status = command.arg("-o").arg(&stub).arg(&source).status();
    assert!(status.is_ok_and(|status| status.success()), "rustc makes an empty library");
    for argument in
        [format!("-Wl,-soname,{DRIVER}"), "-Wl,--no-as-needed".to_owned(), stub.display().to_string()]
    {
        println!("cargo:rustc-cdylib-link-arg={argument}");
    }
}
