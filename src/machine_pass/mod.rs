//! Write your own machine pass: a Rust crate that a stock `llc` or `clang` loads.
//!
//! **Problem.** LLVM runs machine passes, after instruction selection, in pipelines that no plugin
//! interface reaches. Out of tree they mean a fork of LLVM, and C++.
//!
//! **Method.** A pass implements [`MachinePass`]. A crate of type `cdylib` lists its passes in a
//! [`Plugin`] and gives that to [`machine_pass!`](crate::machine_pass!):
//!
//! ```no_run
//! use ptxpasses::llvm::{Analyses, Outcome, Place};
//! use ptxpasses::machine_pass::{MachinePass, Pass, PassRun, Plugin};
//!
//! #[derive(Default)]
//! struct CountCopies;
//!
//! impl MachinePass for CountCopies {
//!     fn run(&mut self, run: &mut PassRun) -> Outcome {
//!         let copies = run.mf.blocks().flat_map(|block| block.instrs()).filter(|mi| mi.is_copy()).count();
//!         run.count("copies", copies as u64);
//!         Outcome::Unchanged
//!     }
//! }
//!
//! ptxpasses::machine_pass!(Plugin::new("count-copies").pass(
//!     Pass::new::<CountCopies>("count-copies", Place::After("phi-node-elimination"))
//!         .description("Counts the copies that PHI elimination leaves")
//!         .keeps(Analyses::ALL)
//! ));
//! ```
//!
//! `llc -load libcount_copies.so -count-copies-stats kernel.ll` prints the count.
//! docs/guides/machine-pass.md is the tutorial; docs/stock-llvm.md says how the pass gets into a
//! stock LLVM.
//!
//! **Options.** Give the options of a plugin called `NAME` to `llc`, or to clang after `-mllvm`, or
//! in the environment variable `NAME_ARGS`, with the name in capitals and `_` for `-`. Each plugin
//! has
//!
//! * `-NAME-stats` (`=all`: including counts of zero), `-NAME-stats-json=FILE`: the counts of
//!   [`PassRun::count`];
//! * `-NAME-verify`: each pass is checked as it declares ([`Pass::check`]), and LLVM's machine
//!   verifier runs after it;
//! * `-NAME-new-pm`, from LLVM 24 on: the passes run in a pipeline of LLVM's new pass manager.
//!
//! **Failures.** A panic becomes LLVM's fatal error, with the plugin, the pass and the function in
//! its message. So does a pass that edits a function and returns
//! [`Outcome::Unchanged`](crate::llvm::Outcome::Unchanged). Some errors are reported in one line
//! before any output is written: a host that does not fit, an invalid name, a named pass that does
//! not exist, or pass names for the new pass manager, where no plugin can run.
//!
//! **Source.** LLVM's legacy pass manager; the public callback is that of llvm/llvm-project#139059.

mod driver;
mod opcodes;
mod option;
mod run;
mod spec;

pub use opcodes::OpcodeSet;
pub use option::{PassOption, PluginOption};
pub use run::{MachinePass, PassRun};
pub use spec::{Check, Pass, Plugin};

#[doc(hidden)]
pub use driver::{plugin_entry_points, Describe};

/// Makes a plugin from a crate of type `cdylib`: defines the symbols by which LLVM and the loader
/// find the passes of a [`Plugin`](crate::machine_pass::Plugin). Use it once in a crate, at its top
/// level.
///
/// It defines linker symbols, which the lint `unsafe_code` warns about. So a crate that uses it may
/// deny that lint, but not forbid it.
#[cfg(any(doc, not(feature = "plugin")))]
#[macro_export]
macro_rules! machine_pass {
    ($plugin:expr) => {
        #[doc(hidden)]
        pub struct PtxPassesPlugin;
        impl $crate::machine_pass::Describe for PtxPassesPlugin {
            fn plugin() -> $crate::machine_pass::Plugin {
                $plugin
            }
        }
        $crate::export_entry_points!($crate::machine_pass::plugin_entry_points::<PtxPassesPlugin>());
    };
}

/// Makes a plugin from a crate of type `cdylib`. Not in this build: ptxpasses is a plugin itself.
#[cfg(all(feature = "plugin", not(doc)))]
#[macro_export]
macro_rules! machine_pass {
    ($plugin:expr) => {
        compile_error!(
            "two plugins in one library: depend on ptxpasses with `default-features = false`, which leaves its own passes out"
        );
    };
}
