//! What the emitter knows of the target, asked once and kept: register classes, the class of each type, and
//! descriptions of opcodes.
//!
//! It holds for one subtarget; [`Target::renew`] starts over for another.

use super::classes::Classes;
use super::dag::ClassId;
use super::host::{DescOperand, Host, Opcodes};
use crate::mir::Register;
use crate::versions::VERSIONS;
use std::ops::Range;

/// An opcode's description; its operands and registers are rows of [`Target`].
#[derive(Clone, Copy)]
pub struct Desc {
    num_defs: u32,
    num_operands: u32,
    flags: u32,
    first_operand: u32,
    first_implicit: u32,
    num_implicit_defs: u32,
    num_implicit_uses: u32,
}

impl Desc {
    /// The emitter itself takes it apart.
    const PSEUDO: u32 = 1 << 30;
    /// It makes or passes on a convergence control token.
    const CONVERGENCE_CONTROL: u32 = 1 << 31;

    fn has(self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// Explicit results.
    pub fn num_defs(self) -> usize {
        self.num_defs as usize
    }
    /// Explicit operands, results too.
    pub fn num_operands(self) -> usize {
        self.num_operands as usize
    }
    /// One that the emitter itself takes apart.
    pub fn is_pseudo(self) -> bool {
        self.has(Self::PSEUDO)
    }
    /// One of the pseudos that make or pass on a convergence control token.
    pub fn is_convergence_control(self) -> bool {
        self.has(Self::CONVERGENCE_CONTROL)
    }
    /// Any number of operands.
    pub fn is_variadic(self) -> bool {
        self.has(1)
    }
    /// The further ones are results.
    pub fn variadic_ops_are_defs(self) -> bool {
        self.has(1 << 1)
    }
    /// A call.
    pub fn is_call(self) -> bool {
        self.has(1 << 2)
    }
    /// Some result may be left out.
    pub fn has_optional_def(self) -> bool {
        self.has(1 << 3)
    }
    /// The target wants to see it after selection.
    pub fn has_post_isel_hook(self) -> bool {
        self.has(1 << 4)
    }
    /// A constant, as cheap to make again as to keep.
    pub fn is_cheap(self) -> bool {
        self.has(1 << 5)
    }
    /// Whether there are physical registers that it reads.
    pub fn has_implicit_uses(self) -> bool {
        self.num_implicit_uses != 0
    }
    /// Whether there are physical registers that it defines.
    pub fn has_implicit_defs(self) -> bool {
        self.num_implicit_defs != 0
    }
}

/// One operand of a description.
#[derive(Clone, Copy)]
pub struct OperandFacts {
    /// The class that it must be of.
    pub class: Option<ClassId>,
    /// The same, of registers that may be allocated.
    pub allocatable: Option<ClassId>,
    /// A def that is optional.
    pub is_optional_def: bool,
    /// A use that is tied to a def.
    pub is_tied: bool,
}

#[derive(Clone, Copy)]
enum TypeClass {
    Unknown,
    Known(Option<ClassId>),
}

/// What is known of the target.
#[derive(Default)]
pub struct Target {
    /// Target-independent opcodes.
    pub opcodes: Opcodes,
    /// Register classes.
    pub classes: Classes,
    /// By type, twice: uniform and divergent.
    types: Vec<TypeClass>,
    /// By opcode the position in `descs` plus one, 0 if it has not been asked.
    desc_of: Vec<u16>,
    descs: Vec<Desc>,
    operands: Vec<OperandFacts>,
    implicit: Vec<u16>,
    /// Of the description that is being read.
    asked: Vec<DescOperand>,
}

impl Target {
    /// Forgets all and reads the classes of the host's subtarget.
    pub fn renew(&mut self, host: &impl Host) {
        *self = Target { opcodes: host.opcodes(), ..Target::default() };
        self.classes.read(host);
    }

    /// The class of registers for a type; none if the type is not legal.
    pub fn class_for_type(&mut self, host: &impl Host, ty: u16, divergent: bool) -> Option<ClassId> {
        let index = usize::from(ty) * 2 + usize::from(divergent);
        match self.types.get(index) {
            Some(&TypeClass::Known(class)) => class,
            _ => self.ask_class(host, index, ty, divergent),
        }
    }
    #[cold]
    fn ask_class(&mut self, host: &impl Host, index: usize, ty: u16, divergent: bool) -> Option<ClassId> {
        if self.types.len() <= index {
            self.types.resize(index + 1, TypeClass::Unknown);
        }
        let class = host.class_for_type(ty, divergent);
        self.types[index] = TypeClass::Known(class);
        class
    }

    /// The description of an opcode.
    #[inline]
    pub fn desc(&mut self, host: &impl Host, opcode: u32) -> Desc {
        match self.desc_of.get(opcode as usize) {
            Some(&position @ 1..) => self.descs[position as usize - 1],
            _ => self.ask_desc(host, opcode),
        }
    }
    #[cold]
    fn ask_desc(&mut self, host: &impl Host, opcode: u32) -> Desc {
        let index = opcode as usize;
        if self.desc_of.len() <= index {
            self.desc_of.resize(index + 1, 0);
        }
        let desc = self.read_desc(host, opcode);
        self.descs.push(desc);
        self.desc_of[index] = u16::try_from(self.descs.len()).expect("opcodes have 16 bits");
        desc
    }
    fn read_desc(&mut self, host: &impl Host, opcode: u32) -> Desc {
        let mut operands = std::mem::take(&mut self.asked);
        operands.clear();
        let facts = host.desc(opcode, &mut operands);
        let desc = Desc {
            num_defs: facts.num_defs,
            num_operands: operands.len() as u32,
            flags: facts.flags | self.flags_of(opcode),
            first_operand: self.operands.len() as u32,
            first_implicit: self.implicit.len() as u32,
            num_implicit_defs: facts.implicit_defs.len() as u32,
            num_implicit_uses: facts.implicit_uses.len() as u32,
        };
        self.operands.extend(operands.iter().map(|&DescOperand { class, is_optional_def, is_tied }| {
            let allocatable = class.and_then(|class| self.classes.allocatable(class));
            OperandFacts { class, allocatable, is_optional_def, is_tied }
        }));
        self.asked = operands;
        self.implicit.extend_from_slice(facts.implicit_defs);
        self.implicit.extend_from_slice(facts.implicit_uses);
        desc
    }

    /// What the emitter says of an opcode.
    fn flags_of(&self, opcode: u32) -> u32 {
        let o = &self.opcodes;
        let pseudos = [
            o.extract_subreg,
            o.insert_subreg,
            o.subreg_to_reg,
            o.copy_to_regclass,
            o.reg_sequence,
            o.implicit_def,
        ];
        let tokens = [
            o.convergencectrl_anchor,
            o.convergencectrl_entry,
            o.convergencectrl_loop,
            o.convergencectrl_glue,
        ];
        let pseudo = if pseudos.contains(&opcode) { Desc::PSEUDO } else { 0 };
        let token = VERSIONS.emitter.convergence_tokens && tokens.contains(&opcode);
        pseudo | if token { Desc::CONVERGENCE_CONTROL } else { 0 }
    }

    /// What the description says of operand `index`; none if it is beyond the explicit ones.
    #[inline]
    pub fn operand(&self, desc: Desc, index: usize) -> Option<&OperandFacts> {
        (index < desc.num_operands()).then(|| &self.operands[desc.first_operand as usize + index])
    }
    /// The class of registers that operand `index` must be of, which may be allocated.
    pub fn allocatable_operand_class(&self, desc: Desc, index: usize) -> Option<ClassId> {
        self.operand(desc, index)?.allocatable
    }
    fn registers(&self, range: Range<usize>) -> impl Iterator<Item = Register> + '_ {
        self.implicit[range].iter().map(|&reg| Register(reg.into()))
    }
    /// Physical registers that the opcode defines.
    pub fn implicit_defs(&self, desc: Desc) -> impl Iterator<Item = Register> + '_ {
        let first = desc.first_implicit as usize;
        self.registers(first..first + desc.num_implicit_defs as usize)
    }
    /// Physical registers that the opcode reads.
    pub fn implicit_uses(&self, desc: Desc) -> impl Iterator<Item = Register> + '_ {
        let first = (desc.first_implicit + desc.num_implicit_defs) as usize;
        self.registers(first..first + desc.num_implicit_uses as usize)
    }
}
