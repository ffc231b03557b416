//! Erases instructions whose results nothing reads, after the whole function is emitted
//! (requirements E11 and E14, default profile).
//!
//! Problem. Selection works block by block. A value that another block may read is put into a
//! register before that block is selected. There the reader may turn out to be folded or dead. A
//! copy, a PHI or a parameter without readers is left. At -O0 it reaches the PTX; otherwise a later
//! pass finds it.
//!
//! Algorithm. When all blocks are emitted, every reader is known. The worklist begins with the
//! virtual registers that have no operand except their def, and is taken from its end. The def is
//! classified: a copy, a parameter, or another instruction whose only effect is its results. It is
//! erased if nothing reads its other results either. The registers that it read may now be without
//! a reader, in another block or through glue, and come next.
//!
//! Never erased: a def whose register a debug value names, convergent instructions (errata 1),
//! inline assembly, calls, stores, volatile loads, and loads of memory that may change.
//!
//! Source: the reference description of CICC 13.0's instruction emitter, "Dead Copy Elimination".
//! Deviations: the walk is at the end of the function, because a block does not know the readers in
//! other blocks (errata 3). A PHI whose only reader is itself stays.
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
    /// Whether its results are its only effect, and it reads no memory that may change.
    pub is_pure: bool,
    /// Whether threads depend on each other in it.
    pub is_convergent: bool,
    /// Whether a debug value names its result by number.
    pub is_numbered: bool,
    /// Whether it loads or moves a parameter: it is in the first block and reads a symbol.
    pub is_parameter: bool,
}

/// A function whose blocks are all emitted: LLVM's, or a stand-in in a unit test.
pub trait SelectedFunction {
    /// A machine instruction.
    type Instr: Copy;

    /// The virtual registers whose only operand is one def, in ascending order.
    fn unread(&self) -> Vec<Register>;
    /// Whether a virtual register has an operand other than a def; one of a debug instruction
    /// counts.
    fn is_read(&self, reg: Register) -> bool;
    /// The only def of a virtual register; `None` if it has been erased.
    fn def(&self, reg: Register) -> Option<UnreadDef<Self::Instr>>;
    /// The operands of an instruction.
    fn operands(&self, mi: Self::Instr, out: &mut Vec<Operand>);
    /// Takes an instruction out of its block and frees it.
    fn erase(&self, mi: Self::Instr);
}

/// Counts the instructions that were erased in a function, by class.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Erased {
    /// Copies, PHIs, undefined values, and pseudos of sub-registers.
    pub copies: u64,
    /// Loads and moves of parameters.
    pub parameters: u64,
    /// Other instructions.
    pub others: u64,
    /// Those among all these whose readers were all erased here.
    pub cascaded: u64,
}

/// The class of an unread result that may be erased.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Copy,
    Parameter,
    Other,
}

/// Finds the class of a def; `None` if it must stay.
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
    /// Registers to visit, and whether an erased instruction read them.
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

#[cfg(test)]
mod tests {
    use super::super::settings::EmitOrder;
    use super::*;
    use std::cell::RefCell;

    /// An instruction that defines and reads registers.
    #[derive(Clone)]
    struct Instr {
        kind: InstrKind,
        defs: Vec<u32>,
        reads: Vec<u32>,
        is_pure: bool,
        is_convergent: bool,
        is_parameter: bool,
    }

    fn instr(kind: InstrKind, defs: &[u32], reads: &[u32]) -> Instr {
        let (defs, reads) = (defs.to_vec(), reads.to_vec());
        Instr { kind, defs, reads, is_pure: true, is_convergent: false, is_parameter: false }
    }

    /// A function; an erased instruction is `None`.
    struct Fake(RefCell<Vec<Option<Instr>>>);

    impl Fake {
        fn left(&self) -> Vec<usize> {
            let instrs = self.0.borrow();
            (0..instrs.len()).filter(|&i| instrs[i].is_some()).collect()
        }
    }

    impl SelectedFunction for Fake {
        type Instr = usize;

        fn unread(&self) -> Vec<Register> {
            let instrs = self.0.borrow();
            let mut defs: Vec<_> = instrs.iter().flatten().flat_map(|i| i.defs.clone()).collect();
            defs.sort_unstable();
            defs.into_iter().map(Register::virt).filter(|&reg| !self.is_read(reg)).collect()
        }
        fn is_read(&self, reg: Register) -> bool {
            let reads = |i: &Instr| i.reads.contains(&(reg.virt_index() as u32));
            self.0.borrow().iter().flatten().any(reads)
        }
        fn def(&self, reg: Register) -> Option<UnreadDef<usize>> {
            let defines = |i: &Instr| i.defs.contains(&(reg.virt_index() as u32));
            let instrs = self.0.borrow();
            let at = instrs.iter().position(|i| i.as_ref().is_some_and(defines))?;
            let i = instrs[at].as_ref()?;
            Some(UnreadDef {
                instr: at,
                kind: i.kind,
                is_pure: i.is_pure,
                is_convergent: i.is_convergent,
                is_numbered: false,
                is_parameter: i.is_parameter,
            })
        }
        fn operands(&self, mi: usize, out: &mut Vec<Operand>) {
            let instrs = self.0.borrow();
            let i = instrs[mi].as_ref().expect("it is not erased");
            out.clear();
            out.extend(i.defs.iter().map(|&reg| Operand::test_reg(Register::virt(reg), true, false)));
            out.extend(i.reads.iter().map(|&reg| Operand::test_reg(Register::virt(reg), false, false)));
        }
        fn erase(&self, mi: usize) {
            self.0.borrow_mut()[mi] = None;
        }
    }

    fn erase(instrs: &[Instr], settings: Settings) -> (Vec<usize>, Erased) {
        let function = Fake(RefCell::new(instrs.iter().cloned().map(Some).collect()));
        let erased = DeadCopies::default().erase(&function, settings);
        (function.left(), erased)
    }

    fn improved() -> Settings {
        Settings::improved(EmitOrder::Source)
    }

    #[test]
    fn e11_cascades_are_counted_over_blocks() {
        use InstrKind::{Copy, Other, Phi};
        // A PHI of a copy and of a sum that nothing else reads; the sum reads a value that a store
        // reads too.
        let code = [
            instr(Other, &[0], &[]),
            instr(Other, &[1], &[0, 0]),
            instr(Copy, &[2], &[1]),
            instr(Phi, &[3], &[2, 1]),
            Instr { is_pure: false, ..instr(Other, &[], &[0]) },
        ];
        let (left, erased) = erase(&code, improved());
        assert_eq!(left, [0, 4]);
        assert_eq!(erased, Erased { copies: 2, others: 1, cascaded: 2, parameters: 0 });
        // Without the row all stay.
        assert_eq!(erase(&code, Settings::default()).0.len(), 5);
    }

    #[test]
    fn e11_effects_and_other_results_keep_an_instruction() {
        use InstrKind::{InlineAsm, Other};
        let convergent = Instr { is_convergent: true, ..instr(Other, &[0], &[]) };
        let load = Instr { is_pure: false, ..instr(Other, &[0], &[]) };
        for kept in [convergent, load, instr(InlineAsm, &[0], &[])] {
            assert_eq!(erase(&[kept], improved()).0, [0]);
        }
        // The second of two results is read; then it is not.
        let store = Instr { is_pure: false, ..instr(Other, &[], &[1]) };
        assert_eq!(erase(&[instr(Other, &[0, 1], &[]), store], improved()).0, [0, 1]);
        let (left, erased) = erase(&[instr(Other, &[0, 1], &[])], improved());
        assert!(left.is_empty());
        assert_eq!(erased.others, 1);
    }

    #[test]
    fn e14_parameters_have_a_row_of_their_own() {
        let code = [Instr { is_parameter: true, ..instr(InstrKind::Other, &[0], &[]) }];
        assert_eq!(erase(&code, improved()).1, Erased { parameters: 1, ..Erased::default() });
        assert_eq!(erase(&code, Settings { dead_parameters: false, ..improved() }).0, [0]);
    }
}
