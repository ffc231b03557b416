//! Tells why the coalescer leaves a function to the stock pass.

use crate::liveness::{self, unsuited_counters, UnsuitedCounters};

/// Why a function is left to the stock pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsuited {
    /// Its liveness is not computed here.
    Liveness(liveness::Unsuited),
    /// It has sub-registers or a SUBREG_TO_REG.
    SubRegisters,
    /// It has a copy to or from a reserved physical register, which may be joined, and LLVM's
    /// LiveIntervals has not been computed.
    ReservedCopy,
    /// It has bundles.
    Bundles,
    /// It has debug values that follow PHIs.
    DebugPhis,
    /// It has PHIs. Only the pass that continues with the view rejects these.
    Phis,
}

impl Unsuited {
    /// The names under which such functions are counted.
    pub fn counters(self) -> UnsuitedCounters {
        match self {
            Unsuited::Liveness(why) => why.counters(),
            Unsuited::SubRegisters => unsuited_counters!("sub-registers"),
            Unsuited::ReservedCopy => unsuited_counters!("copy of a reserved register"),
            Unsuited::Bundles => unsuited_counters!("bundles"),
            Unsuited::DebugPhis => unsuited_counters!("debug values of PHIs"),
            Unsuited::Phis => unsuited_counters!("PHIs"),
        }
    }
}
