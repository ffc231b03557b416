//! The plugin in a process that uses LLVM as a library (requirements P3, P5, P6, P8).
//!
//! The process is linked with the shared libLLVM, as Julia's or a DSL's is. It compiles a few modules
//! with stock LLVM, loads the plugin, and compiles them again, one after the other and on eight threads
//! at once, each with a context of its own. What happens is process-wide and cannot be undone, so it
//! happens in a child process: this program again, asked for its other test.

use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::{
    CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::{AddressSpace, InlineAsmDialect, IntPredicate, OptimizationLevel};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::process::Command;

const STATISTICS: &str = "PTX_TEST_STATISTICS";
const MODULES: usize = 8;
const NVPTX: &str = "nvptx64-nvidia-cuda";
const X86: &str = "x86_64-unknown-linux-gnu";

/// A kernel `k<seed>` with a loop, PHIs, and inline assembly whose result is tied to a value that is
/// still read afterwards; longer and with other constants for other seeds.
fn kernel<'c>(context: &'c Context, seed: usize, inline_asm: bool) -> Module<'c> {
    let module = context.create_module(&format!("module{seed}"));
    let i32_type = context.i32_type();
    let pointer = context.ptr_type(AddressSpace::default());
    let parameters: [BasicMetadataTypeEnum; 2] = [pointer.into(), i32_type.into()];
    let function =
        module.add_function(&format!("k{seed}"), context.void_type().fn_type(&parameters, false), None);
    let out = function.get_nth_param(0).unwrap().into_pointer_value();
    let count = function.get_nth_param(1).unwrap().into_int_value();
    let [entry, body, done] =
        ["entry", "body", "done"].map(|name| context.append_basic_block(function, name));
    let b = context.create_builder();

    b.position_at_end(entry);
    b.build_unconditional_branch(body).unwrap();

    b.position_at_end(body);
    let index = b.build_phi(i32_type, "index").unwrap();
    let sum = b.build_phi(i32_type, "sum").unwrap();
    let mut value = sum.as_basic_value().into_int_value();
    for step in 0..=seed {
        let constant = i32_type.const_int((seed * 31 + step) as u64 | 1, false);
        let before = value;
        if inline_asm {
            let ty = i32_type.fn_type(&[i32_type.into(), i32_type.into()], false);
            let text = "mad.lo.s32 $0, $0, $2, $2;".to_owned();
            let dialect = Some(InlineAsmDialect::ATT);
            let asm = context.create_inline_asm(ty, text, "=r,0,r".to_owned(), false, false, dialect, false);
            let arguments = [value.into(), constant.into()];
            let call = b.build_indirect_call(ty, asm, &arguments, "asm").unwrap();
            value = call.try_as_basic_value().unwrap_basic().into_int_value();
        } else {
            value = b.build_int_mul(value, constant, "mul").unwrap();
        }
        value = b.build_xor(value, before, "xor").unwrap();
    }
    let next = b
        .build_int_add(index.as_basic_value().into_int_value(), i32_type.const_int(1, false), "next")
        .unwrap();
    let again = b.build_int_compare(IntPredicate::ULT, next, count, "again").unwrap();
    b.build_conditional_branch(again, body, done).unwrap();
    index.add_incoming(&[(&i32_type.const_zero(), entry), (&next, body)]);
    sum.add_incoming(&[(&count, entry), (&value, body)]);

    b.position_at_end(done);
    b.build_store(out, value).unwrap();
    b.build_return(None).unwrap();
    module.verify().unwrap();
    module
}

fn compile(triple: &str, seed: usize) -> Vec<u8> {
    let context = Context::create();
    let module = kernel(&context, seed, triple == NVPTX);
    let triple = TargetTriple::create(triple);
    module.set_triple(&triple);
    let machine: TargetMachine = Target::from_triple(&triple)
        .unwrap()
        .create_target_machine(
            &triple,
            "",
            "",
            OptimizationLevel::Aggressive,
            RelocMode::PIC,
            CodeModel::Default,
        )
        .unwrap();
    let text = machine.write_to_memory_buffer(&module, FileType::Assembly).unwrap();
    text.as_slice().to_vec()
}

fn compile_all(triple: &str) -> Vec<Vec<u8>> {
    (0..MODULES).map(|seed| compile(triple, seed)).collect()
}

fn parse_options(options: &[&str]) {
    let arguments: Vec<CString> =
        std::iter::once(&"in_process").chain(options).map(|o| CString::new(*o).unwrap()).collect();
    let pointers: Vec<_> = arguments.iter().map(|a| a.as_ptr()).collect();
    // SAFETY: as many strings as are said, which live through the call; no other thread compiles yet.
    #[allow(unsafe_code)]
    unsafe {
        inkwell::llvm_sys::support::LLVMParseCommandLineOptions(
            pointers.len() as i32,
            pointers.as_ptr(),
            std::ptr::null(),
        );
    }
}

fn plugin() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("build/lib/libptxpasses.so");
    assert!(path.exists(), "{} is not built: run scripts/build", path.display());
    path
}

/// The child: a test of its own only because the harness has the process's `main`.
#[test]
fn in_the_child() {
    let Ok(statistics) = std::env::var(STATISTICS) else { return };
    Target::initialize_nvptx(&InitializationConfig::default());
    Target::initialize_x86(&InitializationConfig::default());
    let stock = compile_all(NVPTX);
    let stock_host = compile_all(X86);

    assert!(inkwell::support::load_library_permanently(&plugin()).is_ok(), "the plugin does not load");
    parse_options(&["-ptx-profile=upstream", &format!("-ptx-stats-json={statistics}")]);

    assert!(compile_all(NVPTX) == stock, "P5: the plugin's PTX differs from stock's");
    assert!(compile_all(X86) == stock_host, "P3: host code differs from stock's");
    let threads: Vec<_> = (0..MODULES).map(|seed| std::thread::spawn(move || compile(NVPTX, seed))).collect();
    for (seed, thread) in threads.into_iter().enumerate() {
        assert!(thread.join().unwrap() == stock[seed], "P6: module {seed} differs when compiled on a thread");
    }
}

#[test]
fn p5_p6_stock_output_from_rust_passes_on_one_thread_and_on_eight() {
    let statistics = Path::new(env!("CARGO_TARGET_TMPDIR")).join("in_process.json");
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "in_the_child", "--nocapture"])
        .env(STATISTICS, &statistics)
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));

    // That Rust was at work: every NVPTX module twice, in the order of their names, and no other.
    let text = std::fs::read_to_string(&statistics).unwrap();
    let records: serde_json::Value = serde_json::from_str(&text).unwrap();
    let two_address: Vec<_> =
        records.as_array().unwrap().iter().filter(|r| r["pass"] == "two-address").collect();
    assert_eq!(two_address.len(), 2 * MODULES, "{text}");
    for (i, record) in two_address.iter().enumerate() {
        assert_eq!(record["function"], format!("k{}", i / 2));
        assert_eq!(record["counters"]["copies inserted"], i / 2 + 1, "{record}");
    }
}
