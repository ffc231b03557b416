//! Describes a plugin and its passes.

use super::opcodes::{OpcodeSet, WantedOpcodes};
use super::option::PluginOption;
use super::run::MachinePass;
use crate::checker::addresses::accesses::Compared;
use crate::checker::Rules;
use crate::llvm::{Analyses, Place};

/// How `-NAME-verify` checks a pass.
#[derive(Clone, Copy, Debug, Default)]
pub enum Check {
    /// Only by LLVM's machine verifier.
    #[default]
    Verifier,
    /// In addition, instructions must read the same values as before. The rules say what the pass
    /// may change. For passes that rename registers and move or remove copies.
    SameReads(Rules),
    /// In addition, the values that instructions read are computed before and after the pass and
    /// compared; unknown values become numbers. For passes in SSA form on NVPTX that compute values
    /// in another way.
    SameValues(Compared),
}

/// A pass of a plugin.
pub struct Pass {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) place: Place,
    pub(super) targets: Option<&'static [&'static str]>,
    pub(super) needs: Analyses,
    pub(super) keeps: Analyses,
    pub(super) is_skippable: bool,
    pub(super) check: Check,
    pub(super) opcodes: Vec<WantedOpcodes>,
    pub(super) make: Box<dyn Fn() -> Box<dyn MachinePass> + Send + Sync>,
}

impl Pass {
    /// Describes a pass by its name in LLVM's registry, as in `-run-pass=` and `-print-after=`, and
    /// by the place where it runs. Each pipeline has its own object. The name has letters, digits,
    /// dashes and underscores, and begins with a letter or a digit. A plugin with an invalid name
    /// refuses to load.
    pub fn new<P: MachinePass + Default>(name: &'static str, place: Place) -> Pass {
        Pass::with(name, place, || Box::<P>::default())
    }
    /// Describes a pass whose objects are made by a function.
    pub fn with(
        name: &'static str,
        place: Place,
        make: impl Fn() -> Box<dyn MachinePass> + Send + Sync + 'static,
    ) -> Pass {
        Pass {
            name,
            description: name,
            place,
            targets: None,
            needs: Analyses::NONE,
            keeps: Analyses::NONE,
            is_skippable: false,
            check: Check::default(),
            opcodes: Vec::new(),
            make: Box::new(make),
        }
    }
    /// Describes in one line what it does.
    #[must_use]
    pub fn description(mut self, description: &'static str) -> Pass {
        self.description = description;
        self
    }
    /// Runs it only for these targets, by the first part of the triple: `nvptx64`, `x86_64`.
    /// Without this, it runs for all targets.
    #[must_use]
    pub fn targets(mut self, architectures: &'static [&'static str]) -> Pass {
        self.targets = Some(architectures);
        self
    }
    /// Asks for a set of opcodes ([`opcodes!`](crate::opcodes!)), which
    /// [`PassRun::opcodes`](super::PassRun::opcodes) returns. A pass may ask for several. Restrict
    /// its [targets](Pass::targets): when LLVM makes a machine of a target that lacks an opcode,
    /// the process ends.
    #[must_use]
    pub fn opcodes<T: OpcodeSet>(mut self) -> Pass {
        if !self.opcodes.iter().any(WantedOpcodes::is::<T>) {
            self.opcodes.push(WantedOpcodes::new::<T>());
        }
        self
    }
    /// Asks for analyses, which LLVM computes before it. A pass in place of LLVM's also gets those
    /// that LLVM's needs.
    #[must_use]
    pub fn needs(mut self, analyses: Analyses) -> Pass {
        self.needs = analyses;
        self
    }
    /// Promises to preserve analyses. LLVM recomputes others where they are needed.
    ///
    /// # Fatal errors
    /// If an instruction is erased in the run but is still in a SlotIndexes or LiveVariables that
    /// must be kept. If a pass that keeps [`Analyses::ALL`] changes a function.
    #[must_use]
    pub fn keeps(mut self, analyses: Analyses) -> Pass {
        self.keeps = analyses;
        self
    }
    /// Lets LLVM skip it: at -O0, for `optnone`, and past `-opt-bisect-limit`, which counts it.
    #[must_use]
    pub fn skippable(mut self) -> Pass {
        self.is_skippable = true;
        self
    }
    /// Says how `-NAME-verify` checks it.
    #[must_use]
    pub fn check(mut self, check: Check) -> Pass {
        self.check = check;
        self
    }
}

/// A plugin: its name, its passes and its options.
pub struct Plugin {
    pub(super) name: &'static str,
    pub(super) passes: Vec<Pass>,
    pub(super) options: Vec<&'static dyn PluginOption>,
}

impl Plugin {
    /// Describes a plugin without passes. Its messages and options begin with the name. The name
    /// has lower-case letters, digits and dashes, and begins with a letter or a digit. With an
    /// invalid name it refuses to load.
    pub fn new(name: &'static str) -> Plugin {
        Plugin { name, passes: Vec::new(), options: Vec::new() }
    }
    /// Adds a pass, at most 16 in all. Passes at one place run in the order in which they were added.
    #[must_use]
    pub fn pass(mut self, pass: Pass) -> Plugin {
        self.passes.push(pass);
        self
    }
    /// Adds an option.
    #[must_use]
    pub fn option(mut self, option: &'static dyn PluginOption) -> Plugin {
        self.options.push(option);
        self
    }
}
