//! Joins the two registers of a copy into one, so that the copy goes: the register coalescer.
//!
//! **Problem.** PHI elimination and two-address leave copies. If the two registers of a copy are
//! never live with different values, they can be one register, and the copy does nothing.
//!
//! **Algorithm.** Copies are tried in the order of [`copies`]: blocks of deep loops first, and
//! finally those that have failed, until nothing changes. To try one copy ([`join`]) is to
//!
//! 1. erase it, if its result is dead, its source undefined, or source and destination the same
//!    register ([`dead`], [`undef`]);
//! 2. join the live ranges of both registers value by value ([`join_vals`], [`join_ranges`]), which
//!    erases the copies between them and the IMPLICIT_DEFs that are not needed;
//! 3. if they interfere: rematerialise the value ([`remat`]); or let the value live on in the
//!    register that it was copied from, or commute its def ([`commute`]); or move the copy to the
//!    one predecessor that needs it ([`partial_redundancy`]).
//!
//! Where LLVM's rules leave a choice, the hints of the two-address pass decide ([`affinities`]).
//!
//! A copy of a physical register is joined if that is reserved ([`reserved`]); otherwise it is at
//! most rematerialised.
//!
//! [`shrink`] cuts a range to its readers, and [`split`] gives its parts registers of their own.
//! [`extend`] cuts values out and extends ranges. [`debug`] keeps debug values right.
//!
//! **Source.** `RegisterCoalescer.cpp`, whose differences between versions are in
//! [`crate::versions`]; the first part of the reference description of CICC 13.0's register
//! coalescing.
//!
//! **Deviations.** All decisions are made on code and ranges of our own ([`code`], [`ranges`],
//! [`slots`]), which liveness has just computed. A list of edits in the same order changes LLVM's
//! function ([`host::Edit`]). LLVM's LiveIntervals is updated only if another pass reads it. A
//! function is left to the stock pass, with a counter for each reason (`Unsuited`), if it has
//!
//! * sub-registers: an operand that names part of a register, or a SUBREG_TO_REG;
//! * bundles;
//! * debug values that follow PHIs (`DebugPHIPositions`, of instruction referencing);
//! * a copy to or from a reserved physical register, where LLVM's LiveIntervals has not been
//!   computed;
//! * liveness that we do not compute (`liveness::Unsuited`), such as that of sub-registers.
//!
//! Of LLVM's own tests of the pass, those of ARM and Mips run here, nearly all of RISC-V, some of
//! AArch64, AMDGPU, SystemZ and X86, but not those of Hexagon and PowerPC.
//!
//! **Complexity.** A join takes O(n log n) in the values of its two registers. Everything else is
//! linear.

pub mod affinities;
pub mod code;
pub mod commute;
pub mod copies;
pub mod dead;
pub mod debug;
pub mod debug_operands;
pub mod debug_values;
pub mod extend;
pub mod host;
pub mod join;
pub mod join_ranges;
pub mod join_vals;
pub mod late_updates;
pub mod list;
pub mod live_range;
#[cfg(all(ptx_host, not(test)))]
mod llvm_host;
pub mod map_values;
pub mod options;
pub mod pair;
pub mod partial_redundancy;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
pub mod ranges;
pub mod remat;
pub mod reserved;
pub mod room;
pub mod shrink;
pub mod shrinker;
pub mod slots;
pub mod split;
pub mod state;
pub mod terminal_rule;
#[cfg(any(test, fuzzing))]
pub(crate) mod tests;
pub mod undef;
#[cfg(all(ptx_host, not(test)))]
mod unsuited;
#[cfg(all(ptx_host, not(test)))]
mod view;
pub mod worklists;

pub use options::{Counts, Options};
pub use state::{Buffers, Coalescing, Function, Graph};

use host::CoalescerHost;
use worklists::BlockPriority;

/// LLVM's argument of the pass that this one replaces.
pub const STOCK_ARGUMENT: &str = "register-coalescer";

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Coalesces the copies of the function. `blocks`: for each block, the facts that decide its
    /// place in the order.
    pub fn run(&mut self, blocks: &[BlockPriority]) -> Counts {
        if self.options.join {
            self.join_all(blocks);
        }
        self.inflate_classes();
        self.counts
    }

    /// Gives a larger class to registers whose class only copies constrained.
    pub fn inflate_classes(&mut self) {
        let mut regs = std::mem::take(&mut self.buffers.to_inflate);
        regs.sort_unstable();
        regs.dedup();
        for &reg in &regs {
            if !self.code.is_unnamed(reg) && self.host.recompute_class(reg) {
                self.counts.inflations += 1;
                self.forget_class(reg);
            }
        }
        regs.clear();
        self.buffers.to_inflate = regs;
    }
}
