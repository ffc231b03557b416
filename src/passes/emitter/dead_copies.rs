//! Erases results that nothing reads when the function is done (requirements E11 and E14, `cicc` profile).
//!
//! Problem. Selection works block by block. A value that another block may read is put into a register before that
//! block is selected; there the reader may turn out to be folded or dead. What is left is a copy, a PHI or a parameter
//! that nobody reads. At -O0 it reaches the PTX; otherwise a later pass finds it.
//!
//! Algorithm. When all blocks are emitted, every reader is known. Each virtual register that has no operand but its def
//! is a record; they are taken from the last to the first. The def is put in a class: a copy, a parameter, or another
//! instruction that does nothing but make its results. It is erased if nothing reads its other results either. What
//! it has read itself may be without a reader then, in another block or through glue, and is looked at next.
//!
//! Never erased: a def whose register a debug value names, convergent instructions (errata 1), inline assembly, calls,
//! stores, volatile loads, and loads of memory that may change.
//!
//! Source: the reference description of CICC 13.0's instruction emitter, "Dead Copy Elimination". Deviations: the walk is
//! at the end of the function, as a block does not know who reads what it hands on (errata 3). A PHI whose only reader is
//! itself stays.
//!
//! Complexity: linear in virtual registers and in the operands of what is erased.

use super::settings::Settings;
use crate::mir::{InstrKind, Operand, Register};

/// The def of a register that nothing reads.
#[derive(Clone, Copy)]
pub struct UnreadDef<I> {
    /// The instruction.
    pub instr: I,
    /// Its kind.
    pub kind: InstrKind,
    /// Whether it has no effect but its results, and reads no memory that may change.
    pub is_pure: bool,
    /// Whether threads depend on each other in it.
    pub is_convergent: bool,
    /// Whether a debug value names its result by number.
    pub is_numbered: bool,
    /// Whether it brings a parameter: it is in the first block and reads a symbol.
    pub is_parameter: bool,
}

/// A function whose blocks are all emitted: LLVM's, or a stand-in of a unit test.
pub trait SelectedFunction {
    /// A machine instruction.
    type Instr: Copy;

    /// The virtual registers that have no operand but one def, in ascending order.
    fn unread(&self) -> Vec<Register>;
    /// Whether a virtual register has an operand other than its def, of a debug instruction maybe.
    fn is_read(&self, reg: Register) -> bool;
    /// The only def of a virtual register; none if it has been erased.
    fn def(&self, reg: Register) -> Option<UnreadDef<Self::Instr>>;
    /// The operands of an instruction.
    fn operands(&self, mi: Self::Instr, out: &mut Vec<Operand>);
    /// Takes an instruction out of its block and frees it.
    fn erase(&self, mi: Self::Instr);
}

/// What was erased in a function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Erased {
    /// Copies, PHIs and undefined values among it.
    pub copies: u64,
    /// Loads and moves of parameters.
    pub parameters: u64,
    /// Other instructions.
    pub others: u64,
    /// Of all these, those that only erased instructions read.
    pub cascaded: u64,
}

/// The class of an unread result that may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Copy,
    Parameter,
    Other,
}

/// Finds the class of a def; none if it must stay.
fn classify<I>(def: &UnreadDef<I>) -> Option<Class> {
    use InstrKind::{Copy, ExtractSubreg, ImplicitDef, InsertSubreg, Other, Phi, RegSequence, SubregToReg};
    if def.is_convergent || def.is_numbered {
        return None;
    }
    match def.kind {
        Copy | Phi | ImplicitDef | RegSequence | InsertSubreg | ExtractSubreg | SubregToReg => {
            Some(Class::Copy)
        }
        Other if def.is_pure => Some(if def.is_parameter { Class::Parameter } else { Class::Other }),
        _ => None,
    }
}

/// The walk with its buffers.
#[derive(Default)]
pub(super) struct DeadCopies {
    /// Registers to look at, and whether an erased instruction read them.
    work: Vec<(Register, bool)>,
    operands: Vec<Operand>,
}

impl DeadCopies {
    /// Erases what nothing reads.
    pub(super) fn erase<F: SelectedFunction>(&mut self, function: &F, settings: Settings) -> Erased {
        let mut erased = Erased::default();
        self.work.extend(function.unread().into_iter().map(|reg| (reg, false)));
        while let Some((reg, is_cascade)) = self.work.pop() {
            let Some(def) = function.def(reg) else { continue };
            let Some(class) = classify(&def).filter(|&class| settings.erases(class)) else { continue };
            function.operands(def.instr, &mut self.operands);
            if !self.operands.iter().all(|op| !op.is_def() || is_unread_def(function, *op)) {
                continue;
            }
            function.erase(def.instr);
            match class {
                Class::Copy => erased.copies += 1,
                Class::Parameter => erased.parameters += 1,
                Class::Other => erased.others += 1,
            }
            erased.cascaded += u64::from(is_cascade);
            let uses = self.operands.iter().filter(|op| op.is_use()).map(|op| op.reg());
            let unread = uses.filter(|&reg| reg.is_virtual() && !function.is_read(reg));
            self.work.extend(unread.map(|reg| (reg, true)));
        }
        erased
    }
}

impl Settings {
    fn erases(self, class: Class) -> bool {
        match class {
            Class::Copy | Class::Other => self.dead_copies,
            Class::Parameter => self.dead_parameters,
        }
    }
}

/// Whether nothing reads the register of a def.
fn is_unread_def<F: SelectedFunction>(function: &F, def: Operand) -> bool {
    let reg = def.reg();
    if reg.is_virtual() {
        !function.is_read(reg)
    } else {
        def.is_dead()
    }
}
