//! Tells why a function is left to the stock pass.

/// The reason why a function is left to the stock pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsuited {
    /// A register is read and no def reaches it. The stock pass reports an error or accepts it.
    UseWithoutDef,
    /// The pass needs SSA form, and a register has several defs, or a def that does not dominate
    /// its uses.
    NotSsa,
    /// Liveness of parts of registers is enabled.
    SubRegisters,
    /// There are bundles, and the stock pass looks at their first instructions only.
    Bundles,
    /// LLVM's slots do not match the instructions.
    Slots,
    /// Passes have updated LLVM's intervals since they were computed.
    Updated,
}

/// The names under which functions that do not suit a pass are counted.
#[derive(Clone, Copy)]
pub struct UnsuitedCounters {
    /// For a pass that replaces one of LLVM's and leaves them to that.
    pub stock: &'static str,
    /// For another pass, which leaves them alone.
    pub alone: &'static str,
}

/// Makes the names from a reason.
macro_rules! unsuited_counters {
    ($reason:literal) => {
        $crate::liveness::UnsuitedCounters {
            stock: concat!("left to the stock pass: ", $reason),
            alone: concat!("left alone: ", $reason),
        }
    };
}
#[cfg(all(ptx_host, not(test)))]
pub(crate) use unsuited_counters;

impl Unsuited {
    /// Returns the names under which such functions are counted.
    pub fn counters(self) -> UnsuitedCounters {
        match self {
            Unsuited::UseWithoutDef => unsuited_counters!("use without def"),
            Unsuited::NotSsa => unsuited_counters!("not SSA"),
            Unsuited::SubRegisters => unsuited_counters!("sub-registers"),
            Unsuited::Bundles => unsuited_counters!("bundles"),
            Unsuited::Slots => unsuited_counters!("slots"),
            Unsuited::Updated => unsuited_counters!("intervals that were updated"),
        }
    }
}
