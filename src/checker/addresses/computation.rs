//! Describes how registers are computed.
//!
//! **Problem.** The samples need the text and the inputs of an instruction, and nothing of LLVM.
//! **Algorithm.** A [`ValueSource`] answers for each register; `pass.rs` binds it to LLVM. An
//! instruction that is not known arithmetic but depends on its operands alone has a hash as its
//! value. **Complexity.** Linear in the operands.

use super::arithmetic::compute;
use super::random::{mix, random};
use crate::mir::VRegId;

/// Tells how the registers of a function are computed.
pub trait ValueSource {
    /// Describes the instruction that defines `reg`. `None` if the instruction has several results,
    /// or inputs that are neither registers nor constants.
    fn computation(&mut self, reg: VRegId) -> Option<Computation>;
    /// Describes the induction variable `reg`: a PHI of a loop that adds the same in every
    /// iteration.
    fn induction_variable(&mut self, reg: VRegId) -> Option<InductionVariable>;
    /// Tells how the def of `reg` extends a loaded value of 32 bits or fewer. `None` if it does
    /// not.
    fn extension(&mut self, reg: VRegId) -> Option<Extension>;
    /// Returns the size of a register in bits; 0 if it is unknown.
    fn bits(&self, reg: VRegId) -> u32;
    /// Returns the most threads that a block has in each direction.
    fn max_threads(&self) -> [u32; 3];

    /// Returns whether the def of `reg` is computed.
    fn is_computed(&mut self, reg: VRegId) -> bool {
        self.computation(reg).is_some_and(|computation| computation.is_computed())
    }
}

/// An input of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A virtual register.
    Reg(VRegId),
    /// A constant, sign-extended.
    Imm(i64),
    /// Anything else.
    Other,
}

impl Input {
    fn reg(self) -> Option<VRegId> {
        match self {
            Input::Reg(reg) => Some(reg),
            _ => None,
        }
    }
}

/// Describes how an instruction computes a register.
#[derive(Clone, Debug)]
pub struct Computation {
    /// The text that the instruction begins with, as printed.
    pub mnemonic: String,
    /// The name of its opcode.
    pub name: String,
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// A hash of everything but the registers among the inputs. `None` if the instruction depends
    /// on more than its inputs.
    pub content: Option<u64>,
}

impl Computation {
    /// Returns whether its inputs determine its value.
    pub fn is_computed(&self) -> bool {
        self.content.is_some() || self.arithmetic(&vec![0; self.inputs.len()]).is_some()
    }
    /// Lists the registers that it reads.
    pub fn registers(&self) -> impl Iterator<Item = VRegId> + '_ {
        self.inputs.iter().filter_map(|input| input.reg())
    }
    /// Computes its value from those of its inputs, if it is known arithmetic.
    fn arithmetic(&self, values: &[u64]) -> Option<u64> {
        let are_numbers = !self.inputs.contains(&Input::Other);
        are_numbers.then(|| compute(&self.mnemonic, &self.name, values)).flatten()
    }
    /// Computes its value in a sample: by arithmetic, or as a hash of its content and its inputs'
    /// values.
    pub fn value(&self, values: &[u64], sample: usize) -> Option<u64> {
        self.arithmetic(values).or_else(|| {
            let regs = self.inputs.iter().zip(values).filter(|(input, _)| input.reg().is_some());
            let hash = regs.fold(self.content?, |hash, (_, &value)| mix(hash ^ value));
            Some(random(hash, sample))
        })
    }
}

/// An induction variable.
#[derive(Clone, Copy, Debug)]
pub struct InductionVariable {
    /// The register that it starts with.
    pub start: VRegId,
    /// The number that an iteration adds. No iteration changes it.
    pub step: Input,
    /// Tells loops apart.
    pub loop_key: u64,
    /// How many bits it has.
    pub bits: u32,
}

impl InductionVariable {
    /// Lists the registers that it is computed from.
    pub fn registers(&self) -> impl Iterator<Item = VRegId> {
        [Some(self.start), self.step.reg()].into_iter().flatten()
    }
}

/// Says how a value is extended when it is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extension {
    /// How many bits are loaded.
    pub bits: u32,
    /// Whether the upper bits are copies of the sign; they are zeros otherwise.
    pub is_signed: bool,
}

impl Extension {
    /// Extends the low bits of a value.
    pub fn of(self, value: u64) -> u64 {
        let shift = 64 - self.bits;
        let high = value << shift;
        if self.is_signed {
            (high as i64 >> shift) as u64
        } else {
            high >> shift
        }
    }
}
