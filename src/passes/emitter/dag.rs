//! A block's schedule as the emitter sees it: dense records of steps, nodes, operands and results.
//!
//! Problem: LLVM's SelectionDAG is a graph of pointers, and the stock emitter keys hash maps by them.
//! Here nodes and results are numbered in the order of emission, so that every map is an array.
//!
//! The records are those of `cpp-shim/ptxpasses_emitter.h`, field by field; `llvm/emit.rs` checks the
//! sizes against each other and hands out LLVM's arrays without a copy.

use crate::mir::Register;

/// No node, class or result.
pub const NONE: u32 = u32::MAX;

/// A node of LLVM's, to be handed back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct NodeHandle(pub usize);

impl NodeHandle {
    /// Of no node.
    pub const NULL: NodeHandle = NodeHandle(0);
}

/// Number of a register class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct ClassId(pub u32);

/// What a step is.
pub mod step {
    #![allow(missing_docs)]
    pub const NODE: u16 = 0;
    pub const NOOP: u16 = 1;
    pub const PHYS_COPY: u16 = 2;
    /// Flag: a copy of a unit.
    pub const CLONE: u16 = 1;
    /// Flag: a unit that there are copies of.
    pub const CLONED: u16 = 2;
}

/// One step of the schedule.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Step {
    /// A node's number, or one of [`Dag::phys_copies`].
    pub index: u32,
    /// See [`step`].
    pub kind: u16,
    /// See [`step`].
    pub flags: u16,
}

impl Step {
    const fn plain(node: u32) -> Step {
        Step { index: node, kind: step::NODE, flags: 0 }
    }
}

/// A copy between units, of a register that is hard to copy otherwise.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PhysCopy {
    /// The unit.
    pub unit: u32,
    /// The first unit that it needs a value of, or [`NONE`].
    pub pred_unit: u32,
    /// Not zero if that one is a copy of this kind too.
    pub pred_copies: u32,
    /// The physical register it has the value in.
    pub pred_reg: Register,
    /// The physical register that its value is needed in.
    pub succ_reg: Register,
    /// Class of the copy.
    pub class: u32,
}

/// What a node that is no machine instruction is.
pub mod isd {
    #![allow(missing_docs)]
    /// None of these.
    pub const OTHER: u32 = 0;
    pub const ENTRY_TOKEN: u32 = 1;
    pub const MERGE_VALUES: u32 = 2;
    pub const TOKEN_FACTOR: u32 = 3;
    pub const COPY_TO_REG: u32 = 4;
    pub const COPY_FROM_REG: u32 = 5;
    pub const EH_LABEL: u32 = 6;
    pub const ANNOTATION_LABEL: u32 = 7;
    pub const LIFETIME_START: u32 = 8;
    pub const LIFETIME_END: u32 = 9;
    pub const PSEUDO_PROBE: u32 = 10;
    pub const INLINEASM: u32 = 11;
    pub const INLINEASM_BR: u32 = 12;
}

/// A node.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Node {
    /// LLVM's.
    pub handle: NodeHandle,
    /// Of a machine node the target's opcode, else one of [`isd`].
    pub opcode: u32,
    /// Position in the source, 0 if there is none.
    pub ir_order: u32,
    /// Flags that an instruction gets from it.
    pub mi_flags: u32,
    first_operand: u32,
    /// Its first result.
    pub first_value: u32,
    first_copy: u32,
    /// What its glue goes to, or [`NONE`].
    pub glued_user: u32,
    flags: u16,
    num_operands: u16,
    num_inputs: u16,
    num_values: u16,
    num_results: u16,
    padding: u16,
}

impl Node {
    const MACHINE: u16 = 1;
    const DIVERGENT: u16 = 1 << 1;
    const HAS_DEBUG_VALUE: u16 = 1 << 2;
    /// Calls that are not to be merged.
    pub const NO_MERGE: u16 = 1 << 3;
    /// There are PC sections.
    pub const PC_SECTIONS: u16 = 1 << 4;
    /// There are memory-model relaxation annotations.
    pub const MMRA: u16 = 1 << 5;
    /// It allocates on the heap.
    pub const HEAP_ALLOC_SITE: u16 = 1 << 6;
    const EXTRA_INFO: u16 = Self::NO_MERGE | Self::PC_SECTIONS | Self::MMRA | Self::HEAP_ALLOC_SITE;

    /// Whether `opcode` is the target's.
    pub fn is_machine(&self) -> bool {
        self.flags & Self::MACHINE != 0
    }
    /// Whether it is the machine instruction `opcode`.
    pub fn is_opcode(&self, opcode: u32) -> bool {
        self.is_machine() && self.opcode == opcode
    }
    /// Whether it is a node of this [`isd`] kind.
    pub fn is_isd(&self, kind: u32) -> bool {
        !self.is_machine() && self.opcode == kind
    }
    /// Whether its results differ from thread to thread.
    pub fn is_divergent(&self) -> bool {
        self.flags & Self::DIVERGENT != 0
    }
    /// Whether debug values belong to it.
    pub fn has_debug_value(&self) -> bool {
        self.flags & Self::HAS_DEBUG_VALUE != 0
    }
    /// How many results are registers: those before the chain and the glue.
    pub fn num_results(&self) -> usize {
        self.num_results.into()
    }
    /// Whether the DAG knows something of it that its instructions get.
    pub fn has_extra_info(&self) -> bool {
        self.flags & Self::EXTRA_INFO != 0
    }
    /// One of that.
    pub fn has(&self, info: u16) -> bool {
        self.flags & info != 0
    }
}

/// A result of a node.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Value {
    /// LLVM's number of the type.
    pub ty: u16,
    flags: u16,
}

const TYPE_GLUE: u16 = 1;
const TYPE_CHAIN: u16 = 1 << 1;
const OPERAND_DIVERGENT: u16 = 1 << 15;
/// Once for one use, twice for more.
const VALUE_USE: u16 = 1 << 8;

impl Value {
    /// Glue.
    pub fn is_glue(self) -> bool {
        self.flags & TYPE_GLUE != 0
    }
    /// A chain.
    pub fn is_chain(self) -> bool {
        self.flags & TYPE_CHAIN != 0
    }
    /// One operand of the block uses it. Uses are counted for nodes that have a register as a result.
    pub fn has_one_use(self) -> bool {
        self.flags / VALUE_USE == 1
    }
    /// Some operand uses it.
    pub fn has_use(self) -> bool {
        self.flags >= VALUE_USE
    }
}

/// What an operand is.
pub mod operand {
    #![allow(missing_docs)]
    pub const NODE: u16 = 0;
    pub const CONSTANT: u16 = 1;
    pub const REGISTER: u16 = 2;
    pub const METADATA: u16 = 3;
    pub const OTHER: u16 = 4;
    pub const LONG_CONSTANT: u16 = 5;
    /// From here on LLVM's node makes one operand of an instruction.
    pub const LEAF: u16 = 8;
    pub const GLOBAL_ADDRESS: u16 = 11;
    pub const FRAME_INDEX: u16 = 13;
    pub const EXTERNAL_SYMBOL: u16 = 16;
}

/// An operand of a node.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Operand {
    /// See [`operand`].
    pub kind: u16,
    /// Of a constant its width, of a register its type and a flag, of a node behind the inputs its type.
    info: u16,
    /// Of a node the result, of a constant its value, of a register that, else one of [`Dag::words`].
    payload: u32,
}

impl Operand {
    fn has_type(self, ty: u16) -> bool {
        matches!(self.kind, operand::NODE | operand::OTHER) && self.info & ty != 0
    }
    /// Glue.
    pub fn is_glue(self) -> bool {
        self.has_type(TYPE_GLUE)
    }
    /// A chain, or a basic block as the last operand.
    pub fn is_chain(self) -> bool {
        self.has_type(TYPE_CHAIN)
    }
    /// LLVM's number of the type of a register.
    pub fn register_type(self) -> u16 {
        self.info & !OPERAND_DIVERGENT
    }
    /// A register that differs from thread to thread.
    pub fn is_divergent(self) -> bool {
        self.info & OPERAND_DIVERGENT != 0
    }
    /// Which result of the block it is.
    pub fn as_value(self) -> Option<u32> {
        (self.kind == operand::NODE).then_some(self.payload)
    }
    /// A register that stands for itself.
    pub fn as_register(self) -> Option<Register> {
        (self.kind == operand::REGISTER).then_some(Register(self.payload))
    }
    /// Whether it is the result `value`.
    pub fn is_value(self, value: u32) -> bool {
        self.as_value() == Some(value)
    }
    /// A constant, sign-extended, if it is a short one.
    pub fn as_constant(self) -> Option<i64> {
        (self.kind == operand::CONSTANT).then_some(i64::from(self.payload as i32))
    }
}

/// A CopyToReg to a virtual register.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CopyUse {
    /// The result that it copies.
    pub value: u32,
    /// Where.
    pub reg: Register,
}

/// A debug value.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DbgValue {
    /// Position in the source.
    pub order: u32,
    flags: u32,
    first_operand: u32,
    num_operands: u32,
}

impl DbgValue {
    /// Its location is the address of the value.
    pub fn is_indirect(self) -> bool {
        self.flags & 1 != 0
    }
    /// A list of locations.
    pub fn is_variadic(self) -> bool {
        self.flags & 1 << 1 != 0
    }
    /// Its node is gone.
    pub fn is_invalidated(self) -> bool {
        self.flags & 1 << 2 != 0
    }
    /// Not to be emitted any more.
    pub fn is_emitted(self) -> bool {
        self.flags & 1 << 3 != 0
    }
    /// Of a by-value parameter.
    pub fn is_byval(self) -> bool {
        self.flags & 1 << 4 != 0
    }
}

/// What a location of a debug value is.
pub mod dbg_operand {
    #![allow(missing_docs)]
    pub const NODE: u32 = 0;
    pub const CONSTANT: u32 = 1;
    pub const FRAME_INDEX: u32 = 2;
    pub const VREG: u32 = 3;
}

/// A location of a debug value.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DbgOperand {
    /// See [`dbg_operand`].
    pub kind: u32,
    padding: u32,
    /// A result or [`NONE`], a constant of LLVM's, a number.
    pub payload: u64,
}

/// A debug value of a node.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DbgOf {
    /// The node.
    pub node: u32,
    /// One of [`Dag::dbg_values`].
    pub value: u32,
}

/// A schedule.
#[derive(Clone, Copy, Default)]
pub struct Dag<'a> {
    /// The steps; none if they are all nodes, each once and in order.
    pub order: &'a [Step],
    /// By number.
    pub nodes: &'a [Node],
    /// Of all nodes.
    pub operands: &'a [Operand],
    /// What operands have that takes 64 bits.
    pub words: &'a [u64],
    /// Results, by number.
    pub values: &'a [Value],
    /// Of all nodes.
    pub copies: &'a [CopyUse],
    /// Copies between units.
    pub phys_copies: &'a [PhysCopy],
    /// Those of by-value parameters first.
    pub dbg_values: &'a [DbgValue],
    /// Of all debug values.
    pub dbg_operands: &'a [DbgOperand],
    /// By node.
    pub dbg_of: &'a [DbgOf],
    /// Position in the source, by label.
    pub dbg_label_orders: &'a [u32],
    /// How many units were scheduled.
    pub num_units: usize,
    /// See the constants.
    pub flags: u32,
    /// Which [`isd`] kinds of nodes there are, a bit for each.
    pub special_kinds: u32,
    /// Which [`operand`] kinds that are no operands of an instruction machine nodes have as inputs, a bit for each.
    pub odd_inputs: u32,
}

impl<'a> Dag<'a> {
    /// There are debug values or labels.
    pub const HAS_DEBUG_VALUES: u32 = 1;
    /// Debug values are to refer to instructions.
    pub const DEBUG_INSTR_REFS: u32 = 1 << 1;
    /// The function's first block.
    pub const FIRST_BLOCK: u32 = 1 << 2;
    /// The target has values in physical registers.
    pub const PHYS_REGS_FOR_VALUES: u32 = 1 << 3;
    /// The function is `strictfp`.
    pub const STRICT_FP: u32 = 1 << 4;
    /// Call sites are to be described.
    pub const CALL_SITE_INFO: u32 = 1 << 5;
    /// Not -O0.
    pub const OPTIMISE: u32 = 1 << 6;

    /// Whether a node is glued behind another one.
    pub fn is_glued(&self, node: &Node) -> bool {
        self.operands_of(node).last().is_some_and(|op| op.is_glue() && op.as_value().is_some())
    }
    /// One of these.
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// In order.
    pub fn steps(self) -> impl ExactSizeIterator<Item = Step> + 'a {
        let num = if self.order.is_empty() { self.nodes.len() } else { self.order.len() };
        (0..num).map(move |i| self.step(i))
    }
    /// One of them.
    pub fn step(&self, i: usize) -> Step {
        self.order.get(i).copied().unwrap_or(Step::plain(i as u32))
    }
    /// The operands of a node.
    pub fn operands_of(&self, node: &Node) -> &'a [Operand] {
        &self.operands[node.first_operand as usize..][..node.num_operands.into()]
    }
    /// The operands that become operands of the instruction: those before the chain and the glue.
    pub fn inputs_of(&self, node: &Node) -> &'a [Operand] {
        &self.operands[node.first_operand as usize..][..node.num_inputs.into()]
    }
    /// LLVM's number of the type of a value or a register.
    pub fn type_of(&self, op: Operand) -> u16 {
        op.as_value().map_or(op.register_type(), |value| self.values[value as usize].ty)
    }
    /// What an operand has that takes 64 bits: a handle or a long constant.
    pub fn word_of(&self, op: Operand) -> u64 {
        self.words[op.payload as usize]
    }
    /// A constant, zero-extended.
    pub fn zext(&self, op: Operand) -> u64 {
        let value = match op.kind {
            operand::LONG_CONSTANT => self.word_of(op),
            _ => op.as_constant().expect("a constant operand is expected") as u64,
        };
        match op.info {
            bits @ 0..64 => value & ((1 << bits) - 1),
            _ => value,
        }
    }
    /// The node that makes a result. Logarithmic in nodes.
    pub fn node_of(&self, value: u32) -> usize {
        self.nodes.partition_point(|node| node.first_value <= value) - 1
    }
    /// The results of a node, chain and glue too.
    pub fn values_of(&self, node: &Node) -> &'a [Value] {
        &self.values[node.first_value as usize..][..node.num_values.into()]
    }
    /// Uses of its results by a CopyToReg to a virtual register, in the order of LLVM's list of uses.
    pub fn copies_of(&self, node: &Node) -> &'a [CopyUse] {
        let behind = node.first_value + u32::from(node.num_values);
        let copies = &self.copies[node.first_copy as usize..];
        let num = copies.iter().take_while(|copy| copy.value < behind).count();
        &copies[..num]
    }
    /// The locations of a debug value.
    pub fn dbg_operands_of(&self, value: &DbgValue) -> &'a [DbgOperand] {
        &self.dbg_operands[value.first_operand as usize..][..value.num_operands as usize]
    }
}

/// Schedules for unit tests, built node by node.
#[cfg(test)]
#[allow(missing_docs)]
#[derive(Default)]
pub struct TestDag {
    pub steps: Vec<Step>,
    pub nodes: Vec<Node>,
    pub operands: Vec<Operand>,
    pub values: Vec<Value>,
    pub copies: Vec<CopyUse>,
    pub flags: u32,
    pub special_kinds: u32,
    pub odd_inputs: u32,
}

#[cfg(test)]
#[allow(missing_docs)]
impl TestDag {
    pub const TYPE: u16 = 7;

    pub fn imm(value: i64) -> Operand {
        Operand { kind: operand::CONSTANT, info: 32, payload: value as u32 }
    }
    pub fn reg(reg: Register) -> Operand {
        Operand { kind: operand::REGISTER, info: Self::TYPE, payload: reg.0 }
    }
    pub fn chain() -> Operand {
        Operand { kind: operand::OTHER, info: TYPE_CHAIN, payload: 0 }
    }
    /// Result `result` of node `id`.
    pub fn value(&self, id: usize, result: u32) -> Operand {
        let value = self.nodes[id].first_value + result;
        let info = self.values[value as usize].flags & (TYPE_GLUE | TYPE_CHAIN);
        Operand { kind: operand::NODE, info, payload: value }
    }
    /// Adds a node with `results` registers and maybe glue, and a step for it.
    pub fn node(
        &mut self,
        is_machine: bool,
        opcode: u32,
        operands: &[Operand],
        results: u32,
        glue: bool,
    ) -> usize {
        let id = self.nodes.len();
        for used in operands.iter().filter_map(|op| op.as_value()) {
            let def = self.dag().node_of(used);
            let value = &mut self.values[used as usize];
            value.flags = (value.flags + VALUE_USE).min((2 * VALUE_USE) | value.flags);
            if value.is_glue() {
                self.nodes[def].glued_user = id as u32;
            }
        }
        if let (false, isd::COPY_TO_REG, [_, dst, src]) = (is_machine, opcode, operands) {
            if let (Some(value), Some(reg)) = (src.as_value(), dst.as_register()) {
                let def = self.dag().node_of(value);
                assert_eq!(def + 1, id, "test schedules have a CopyToReg right behind its value");
                self.copies.push(CopyUse { value, reg });
            }
        }
        let num_inputs = operands.iter().take_while(|op| !op.is_chain() && !op.is_glue()).count();
        if is_machine {
            self.odd_inputs |= operands[..num_inputs].iter().fold(0, |kinds, op| kinds | 1 << op.kind);
        } else {
            self.special_kinds |= 1 << opcode;
        }
        self.nodes.push(Node {
            handle: NodeHandle(id + 1),
            opcode,
            ir_order: 0,
            mi_flags: 0,
            first_operand: self.operands.len() as u32,
            first_value: self.values.len() as u32,
            first_copy: self.copies.len() as u32,
            glued_user: NONE,
            flags: if is_machine { Node::MACHINE } else { 0 },
            num_operands: operands.len() as u16,
            num_inputs: num_inputs as u16,
            num_values: results as u16 + u16::from(glue),
            num_results: results as u16,
            padding: 0,
        });
        self.operands.extend_from_slice(operands);
        let result = Value { ty: Self::TYPE, flags: 0 };
        self.values.extend((0..results).map(|_| result));
        self.values.extend(glue.then_some(Value { flags: TYPE_GLUE, ..result }));
        self.steps.push(Step::plain(id as u32));
        id
    }
    pub fn dag(&self) -> Dag<'_> {
        Dag {
            order: &self.steps,
            nodes: &self.nodes,
            operands: &self.operands,
            values: &self.values,
            copies: &self.copies,
            flags: self.flags,
            special_kinds: self.special_kinds,
            odd_inputs: self.odd_inputs,
            ..Dag::default()
        }
    }
}
