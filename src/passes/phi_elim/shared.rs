//! Declares the stage that may give PHIs registers to share.

use crate::llvm::{MachineFunction, Run};
use crate::mir::Register;

/// A stage that runs in front of the lowering, behind the splitting of edges, and gives PHIs registers that other values
/// have as well.
pub trait SharedRegisters {
    /// Finds the registers for the PHIs of a function and renames values to them. Forgets the function before.
    fn run(&mut self, run: Run);
    /// The register of a PHI, by its position in the function; none if it has none to share.
    fn incoming(&self, phi: u32) -> Option<Register>;
    /// Whether it is such a register.
    fn is_shared_register(&self, reg: Register) -> bool;
    /// Writes to `out` whether such a register is live out of each of `blocks`, given by number. Returns false, and writes
    /// nothing, for any other register.
    fn live_out(&self, mf: MachineFunction, reg: Register, blocks: &[u32], out: &mut Vec<bool>) -> bool;
}
