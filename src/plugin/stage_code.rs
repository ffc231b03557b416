//! Writes the machine code before and after each pass and stage (`-ptx-stage-code=FILE`).
//!
//! **Problem.** Counts say that a stage did something, but not what. **Method.** The function's
//! text is taken before and after each step, and kept if the two differ. When the process ends the
//! file gets all of them as JSON, in the order of the module, the function and the steps. A change
//! by LLVM's own passes shows between the text after one step and the text before the next. Stages
//! that run within a pass are part of it.
//!
//! **Source.** LLVM's `-print-changed`, which shows whole passes only. **Complexity.** Linear in
//! the code, for each step.

use super::knobs;
use super::step::Step;
use crate::llvm::MachineFunction;
use crate::process::compiler;
use serde::Serialize;
use std::fmt::Write;
use std::io;
use std::sync::Mutex;

/// The code around a step that changed it.
#[derive(Serialize)]
struct Change {
    module: String,
    function_number: u32,
    function: String,
    pass: &'static str,
    #[serde(skip)]
    position: usize,
    before: String,
    after: String,
}

static CHANGES: Mutex<Vec<Change>> = Mutex::new(Vec::new());

/// The text of a function: a line for each block and each instruction, without memory operands and
/// source locations. The function is printed as a whole, because each separate print would number
/// all its values again.
pub fn text(mf: MachineFunction) -> String {
    let mut out = String::new();
    for line in mf.whole_text().lines() {
        let is_block = line.starts_with("bb.");
        let words = line.trim_start();
        let is_code = line.starts_with("  ") && !words.starts_with("successors:") && !words.starts_with(';');
        if is_block {
            let end = line.find([' ', ':']).unwrap_or(line.len());
            writeln!(out, "{}:", &line[..end]).expect("a string");
        } else if is_code {
            let ends = [" debug-location ", " :: ("].into_iter().filter_map(|part| line.find(part));
            let code = &line[..ends.min().unwrap_or(line.len())];
            writeln!(out, "  {}", code.trim().trim_end_matches(',')).expect("a string");
        }
    }
    out
}

/// Keeps the code around a step for [`finish`], if it differs.
pub fn add(mf: MachineFunction, step: Step, before: String, after: String) {
    if before == after {
        return;
    }
    CHANGES.lock().unwrap_or_else(|e| e.into_inner()).push(Change {
        module: mf.module_name().into_owned(),
        function_number: mf.number(),
        function: mf.name().into_owned(),
        pass: step.name(),
        position: step as usize,
        before,
        after,
    });
}

/// Writes the file that the option names, if any. Called once, at the end of the process.
///
/// # Errors
/// Names the file that cannot be written, and gives the reason.
pub fn finish() -> io::Result<()> {
    let Some(file) = knobs::STAGE_CODE.file.take() else { return Ok(()) };
    let mut changes = std::mem::take(&mut *CHANGES.lock().unwrap_or_else(|e| e.into_inner()));
    if changes.is_empty() && !compiler::generates_device_code() {
        file.leave();
        return Ok(());
    }
    // The order must not depend on threads.
    changes.sort_by(|a, b| {
        (&a.module, a.function_number, a.position).cmp(&(&b.module, b.function_number, b.position))
    });
    file.write(&(serde_json::to_string(&changes)? + "\n"))
}
