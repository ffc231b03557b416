//! Finds the blocks that this emitter does not support, before anything is made. The stock emitter
//! emits them.

use crate::mir::dag::description::TargetOpcodes;
use crate::mir::dag::node::{isd, Node};
use crate::mir::dag::operand::kind;
use crate::mir::dag::schedule::Dag;
use std::fmt;

/// Why a block is not supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// STACKMAP, PATCHPOINT and STATEPOINT describe frames to stack walkers. NVPTX has none.
    StackMap,
    /// A target-independent node that this emitter does not know.
    UnknownNode,
    /// An operand that is not scheduled and cannot be an operand of an instruction.
    UnknownOperand,
}

impl Unsupported {
    /// The name of its counter.
    pub const fn counter(self) -> &'static str {
        match self {
            Unsupported::StackMap => "blocks left to stock: stack maps",
            Unsupported::UnknownNode => "blocks left to stock: unknown node",
            Unsupported::UnknownOperand => "blocks left to stock: unknown operand",
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.counter())
    }
}

/// Kinds of operands of a node that cannot become operands of an instruction.
const UNKNOWN: u32 = 1 << kind::OTHER | 1 << kind::METADATA;

/// Checks that all of `dag` is supported. Linear in nodes and in operands of inline assembly.
///
/// # Errors
/// The reason why it is not.
pub fn check(dag: &Dag, opcodes: &TargetOpcodes) -> Result<(), Unsupported> {
    if dag.special_kinds & 1 << isd::OTHER != 0 {
        return Err(Unsupported::UnknownNode);
    }
    if dag.odd_inputs & UNKNOWN != 0 {
        return Err(Unsupported::UnknownOperand);
    }
    dag.nodes.iter().try_for_each(|node| check_node(dag, opcodes, node))
}

fn check_node(dag: &Dag, opcodes: &TargetOpcodes, node: &Node) -> Result<(), Unsupported> {
    if node.is_machine() {
        let is_map = [opcodes.stackmap, opcodes.patchpoint, opcodes.statepoint].contains(&node.opcode);
        return if is_map { Err(Unsupported::StackMap) } else { Ok(()) };
    }
    let registers = match node.opcode {
        isd::COPY_TO_REG => &dag.operands_of(node)[2..3],
        // After the chain, the string, the source location and the word of side effects.
        isd::INLINEASM | isd::INLINEASM_BR => &dag.operands_of(node)[4..],
        _ => return Ok(()),
    };
    match registers.iter().any(|op| UNKNOWN & 1 << op.kind != 0) {
        true => Err(Unsupported::UnknownOperand),
        false => Ok(()),
    }
}
