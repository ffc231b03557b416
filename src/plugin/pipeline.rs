//! The list of passes that the plugin replaces, in pipeline order.
//!
//! A pass without a Rust version yet stays native: its replacement hands every function to the stock
//! pass. `-ptx-passes=help` prints this table.

use crate::checker::Rules;

/// A pass of LLVM that the plugin replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// The instruction emitter: no pass of LLVM's, but part of instruction selection.
    Emitter,
    /// LiveVariables.
    LiveVars,
    /// PHI elimination.
    PhiElim,
    /// Two-address instruction pass.
    TwoAddress,
    /// LiveIntervals.
    LiveIntervals,
    /// Register coalescer.
    Coalescer,
}

impl Pass {
    /// All, in pipeline order; a pass is known to the shim by its position here.
    pub const ALL: [Pass; 6] = [
        Pass::Emitter,
        Pass::LiveVars,
        Pass::PhiElim,
        Pass::TwoAddress,
        Pass::LiveIntervals,
        Pass::Coalescer,
    ];

    /// The name in `-ptx-passes=`, in statistics and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Emitter => "emitter",
            Pass::LiveVars => "livevars",
            Pass::PhiElim => "phi-elim",
            Pass::TwoAddress => "two-address",
            Pass::LiveIntervals => "liveintervals",
            Pass::Coalescer => "coalescer",
        }
    }

    /// LLVM's name for it, as in `-run-pass=`.
    pub fn stock_argument(self) -> &'static str {
        match self {
            Pass::Emitter => "instr-emitter",
            Pass::LiveVars => "livevars",
            Pass::PhiElim => "phi-node-elimination",
            Pass::TwoAddress => "twoaddressinstruction",
            Pass::LiveIntervals => "liveintervals",
            Pass::Coalescer => "register-coalescer",
        }
    }

    /// Whether other passes downcast it, so that it can only be replaced by a subclass.
    pub fn is_analysis(self) -> bool {
        matches!(self, Pass::LiveVars | Pass::LiveIntervals)
    }

    /// Whether the stock pass asks LLVM if it is to skip a function, which counts for `-opt-bisect-limit`.
    pub fn asks_to_skip(self) -> bool {
        self == Pass::TwoAddress
    }

    /// What it may do to the code, for the checker.
    pub fn rules(self) -> Rules {
        Rules {
            target_rewrites: self == Pass::TwoAddress,
            makes_ties: self == Pass::TwoAddress,
            kills: self != Pass::Coalescer,
            // LiveVariables adds operands for physical registers, and changes flags.
            code: self != Pass::LiveVars,
        }
    }

    /// Whether it has a Rust version.
    pub fn in_rust(self) -> bool {
        true
    }

    /// The pass of this name.
    pub fn from_name(name: &str) -> Option<Pass> {
        Pass::ALL.into_iter().find(|p| p.name() == name)
    }

    /// Position in [`Pass::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// What is no pass of LLVM's but a stage of the replacement of one, in the `cicc` profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Addresses that differ by a constant share a register.
    FoldAddresses,
    /// Sums of induction variables become induction variables.
    Induction,
    /// PHIs of halves become PHIs of the whole.
    WidePhis,
    /// Computations go up to where the registers that they read end.
    Hoist,
    /// What is cheap is computed again where it is read.
    Remat,
    /// Registers of PHIs share one.
    Cssa,
    /// The NVPTX coalescer.
    NvptxCoalescer,
}

impl Stage {
    /// All, in pipeline order.
    pub const ALL: [Stage; 7] = [
        Stage::FoldAddresses,
        Stage::Induction,
        Stage::WidePhis,
        Stage::Hoist,
        Stage::Remat,
        Stage::Cssa,
        Stage::NvptxCoalescer,
    ];

    /// The name in `-ptx-passes=` and in statistics.
    pub fn name(self) -> &'static str {
        match self {
            Stage::FoldAddresses => "fold-addresses",
            Stage::Induction => "induction",
            Stage::WidePhis => "wide-phis",
            Stage::Hoist => "hoist",
            Stage::Remat => "remat",
            Stage::Cssa => "cssa",
            Stage::NvptxCoalescer => "nvptx-coalescer",
        }
    }
    /// Where it runs.
    pub fn place(self) -> &'static str {
        match self {
            Stage::FoldAddresses | Stage::Induction | Stage::WidePhis | Stage::Hoist | Stage::Remat => {
                "in front of livevars"
            }
            Stage::Cssa => "in front of phi-elim",
            Stage::NvptxCoalescer => "behind coalescer",
        }
    }
    /// What it may do to the code, for the checker, if it does not run between the snapshots of a pass. Kill flags
    /// come behind the stages.
    pub fn rules(self) -> Rules {
        Rules { target_rewrites: false, makes_ties: false, kills: false, code: true }
    }
    fn bit(self) -> u32 {
        1 << (Pass::ALL.len() + self as usize)
    }
}

/// A set of passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PassSet(u32);

impl PassSet {
    /// No pass: stock LLVM.
    pub const NONE: PassSet = PassSet(0);
    /// Every pass.
    pub const ALL: PassSet = PassSet((1 << (Pass::ALL.len() + Stage::ALL.len())) - 1);

    /// With `pass` added.
    pub fn with(self, pass: Pass) -> PassSet {
        PassSet(self.0 | 1 << pass.index())
    }
    /// Whether `pass` is in it.
    pub fn contains(self, pass: Pass) -> bool {
        self.0 >> pass.index() & 1 != 0
    }
    /// Whether a stage is in it.
    pub fn contains_stage(self, stage: Stage) -> bool {
        self.0 & stage.bit() != 0
    }
    /// As a bit mask over [`Pass::ALL`] and, behind them, [`Stage::ALL`].
    pub fn bits(self) -> u32 {
        self.0
    }
    /// From such a bit mask.
    pub fn from_bits(bits: u32) -> PassSet {
        PassSet(bits & Self::ALL.0)
    }

    /// Parses `-ptx-passes=`: names separated by commas, or `all`, or `none`.
    ///
    /// # Errors
    /// Says which name is unknown and which ones there are.
    pub fn parse(text: &str) -> Result<PassSet, String> {
        match text {
            "all" => return Ok(PassSet::ALL),
            "none" => return Ok(PassSet::NONE),
            _ => {}
        }
        let mut set = PassSet::NONE;
        for name in text.split(',') {
            if let Some(stage) = Stage::ALL.into_iter().find(|s| s.name() == name) {
                set.0 |= stage.bit();
                continue;
            }
            let pass = Pass::from_name(name).ok_or_else(|| {
                let names = Pass::ALL.iter().map(|p| p.name()).chain(Stage::ALL.map(Stage::name));
                let names: Vec<_> = names.collect();
                format!(
                    "no pass '{name}'; allowed: {} (separated by commas), all, none, help",
                    names.join(", ")
                )
            })?;
            set = set.with(pass);
        }
        Ok(set)
    }
}

/// What `-ptx-passes=help` prints.
pub fn help() -> String {
    let mut out = format!("{:<14} {:<22} {}\n", "pass", "replaces", "runs in");
    for p in Pass::ALL {
        let place = if p.in_rust() { "Rust" } else { "native LLVM (no Rust version yet)" };
        out += &format!("{:<14} {:<22} {place}\n", p.name(), p.stock_argument());
    }
    for s in Stage::ALL {
        out += &format!("{:<15} {:<21} Rust, {}\n", s.name(), "nothing", s.place());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_is_the_position_in_the_list() {
        for (i, p) in Pass::ALL.into_iter().enumerate() {
            assert_eq!(p.index(), i);
            assert_eq!(Pass::from_name(p.name()), Some(p));
        }
    }

    #[test]
    fn passes_parse_or_say_what_is_allowed() {
        let set = PassSet::parse("two-address,coalescer").unwrap();
        assert!(set.contains(Pass::TwoAddress) && set.contains(Pass::Coalescer));
        assert!(!set.contains(Pass::LiveVars));
        assert_eq!(PassSet::parse("none").unwrap(), PassSet::NONE);
        assert_eq!(PassSet::from_bits(set.bits()), set);
        for stage in Stage::ALL {
            assert!(!set.contains_stage(stage) && PassSet::ALL.contains_stage(stage));
        }
        assert!(PassSet::parse("coalescer,nvptx-coalescer").unwrap().contains_stage(Stage::NvptxCoalescer));
        for bad in ["two-adress", "", "two-address,", "all,none"] {
            let e = PassSet::parse(bad).unwrap_err();
            assert!(e.contains("allowed: emitter, livevars, phi-elim, two-address"), "{e}");
        }
    }
}
