//! Caches what the emitter asks of the target: register classes, the class of each type, and
//! descriptions of opcodes.
//!
//! It is valid for one subtarget; [`EmitterTarget::renew`] starts over for another.

use super::classes::Classes;
use super::host::EmitterHost;
use crate::adt::PackedOption;
use crate::mir::dag::description::{desc_flag, DescOperand, TargetOpcodes};
use crate::mir::dag::ids::ClassId;
use crate::mir::Register;
use crate::versions::VERSIONS;
use index_vec::IndexVec;
use std::ops::Range;

/// An opcode's description. Its operands and registers are ranges of the arrays in
/// [`EmitterTarget`].
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
    /// A flag in addition to those of [`desc_flag`]: the emitter itself expands the opcode.
    const PSEUDO: u32 = 1 << 30;
    /// Another one: the opcode makes or passes on a convergence control token.
    const CONVERGENCE_CONTROL: u32 = 1 << 31;

    fn has(self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// How many explicit results it has.
    pub fn num_defs(self) -> usize {
        self.num_defs as usize
    }
    /// How many explicit operands it has, results included.
    pub fn num_operands(self) -> usize {
        self.num_operands as usize
    }
    /// Whether the emitter itself expands it.
    pub fn is_pseudo(self) -> bool {
        self.has(Self::PSEUDO)
    }
    /// Whether it is a pseudo that makes or passes on a convergence control token.
    pub fn is_convergence_control(self) -> bool {
        self.has(Self::CONVERGENCE_CONTROL)
    }
    /// Whether it takes any number of operands.
    pub fn is_variadic(self) -> bool {
        self.has(desc_flag::VARIADIC)
    }
    /// Whether its variadic operands are results.
    pub fn variadic_ops_are_defs(self) -> bool {
        self.has(desc_flag::VARIADIC_DEFS)
    }
    /// Whether it is a call.
    pub fn is_call(self) -> bool {
        self.has(desc_flag::CALL)
    }
    /// Whether some result may be left out.
    pub fn has_optional_def(self) -> bool {
        self.has(desc_flag::OPTIONAL_DEF)
    }
    /// Whether the target has a hook for it after selection.
    pub fn has_post_isel_hook(self) -> bool {
        self.has(desc_flag::POST_ISEL_HOOK)
    }
    /// Whether it makes a constant that is as cheap to rematerialise as to keep.
    pub fn is_cheap_constant(self) -> bool {
        self.has(desc_flag::REMATERIALIZABLE) && self.has(desc_flag::AS_CHEAP_AS_A_MOVE)
    }
    /// Whether it implicitly reads physical registers.
    pub fn has_implicit_uses(self) -> bool {
        self.num_implicit_uses != 0
    }
    /// Whether it implicitly defines physical registers.
    pub fn has_implicit_defs(self) -> bool {
        self.num_implicit_defs != 0
    }
}

/// One operand of a description.
#[derive(Clone, Copy)]
pub struct OperandFacts {
    /// The class that it must be of.
    pub class: Option<ClassId>,
    /// The largest sub-class of it that may be allocated.
    pub allocatable: Option<ClassId>,
    /// Whether it is an optional def.
    pub is_optional_def: bool,
    /// Whether it is a use that is tied to a def.
    pub is_tied: bool,
}

index_vec::define_index_type! {
    /// The position of a description in the order of the first requests.
    struct DescId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

#[derive(Clone, Copy)]
enum TypeClass {
    Unknown,
    Known(Option<ClassId>),
}

/// The part of the target that has been requested so far.
#[derive(Default)]
pub struct EmitterTarget {
    /// Target-independent opcodes.
    pub opcodes: TargetOpcodes,
    /// Register classes.
    pub classes: Classes,
    /// By type, twice: uniform and divergent.
    types: Vec<TypeClass>,
    /// By opcode, its description, once requested.
    desc_of: Vec<PackedOption<DescId>>,
    descs: IndexVec<DescId, Desc>,
    operands: Vec<OperandFacts>,
    implicit: Vec<u16>,
    /// The operands of the description that is being read.
    desc_operands: Vec<DescOperand>,
}

impl EmitterTarget {
    /// Forgets everything and reads the classes of the host's subtarget.
    pub fn renew(&mut self, host: &impl EmitterHost) {
        *self = EmitterTarget { opcodes: host.opcodes(), ..EmitterTarget::default() };
        self.classes.read(host);
    }

    /// The class of registers for a type; `None` if the type is not legal.
    pub fn class_for_type(&mut self, host: &impl EmitterHost, ty: u16, divergent: bool) -> Option<ClassId> {
        let index = usize::from(ty) * 2 + usize::from(divergent);
        match self.types.get(index) {
            Some(&TypeClass::Known(class)) => class,
            _ => self.ask_class(host, index, ty, divergent),
        }
    }
    #[cold]
    fn ask_class(
        &mut self,
        host: &impl EmitterHost,
        index: usize,
        ty: u16,
        divergent: bool,
    ) -> Option<ClassId> {
        if self.types.len() <= index {
            self.types.resize(index + 1, TypeClass::Unknown);
        }
        let class = host.class_for_type(ty, divergent);
        self.types[index] = TypeClass::Known(class);
        class
    }

    /// The description of an opcode.
    #[inline]
    pub fn desc(&mut self, host: &impl EmitterHost, opcode: u32) -> Desc {
        match self.desc_of.get(opcode as usize).and_then(|id| id.get()) {
            Some(id) => self.descs[id],
            None => self.ask_desc(host, opcode),
        }
    }
    #[cold]
    fn ask_desc(&mut self, host: &impl EmitterHost, opcode: u32) -> Desc {
        let index = opcode as usize;
        if self.desc_of.len() <= index {
            self.desc_of.resize(index + 1, PackedOption::NONE);
        }
        let desc = self.read_desc(host, opcode);
        self.desc_of[index] = self.descs.push(desc).into();
        desc
    }
    fn read_desc(&mut self, host: &impl EmitterHost, opcode: u32) -> Desc {
        let mut operands = std::mem::take(&mut self.desc_operands);
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
        self.operands.extend(operands.iter().map(|op| {
            let class = op.reg_class.get();
            let allocatable = class.and_then(|class| self.classes.allocatable(class));
            OperandFacts { class, allocatable, is_optional_def: op.is_optional_def(), is_tied: op.is_tied() }
        }));
        self.desc_operands = operands;
        self.implicit.extend_from_slice(facts.implicit_defs);
        self.implicit.extend_from_slice(facts.implicit_uses);
        desc
    }

    /// The flags that the emitter adds to an opcode's description.
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

    /// Operand `index` of a description; `None` beyond the explicit ones.
    #[inline]
    pub fn operand(&self, desc: Desc, index: usize) -> Option<&OperandFacts> {
        (index < desc.num_operands()).then(|| &self.operands[desc.first_operand as usize + index])
    }
    /// The allocatable class that operand `index` must be of.
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
