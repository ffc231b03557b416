//! Which blocks are left to the stock emitter, decided before anything is made.

use super::dag::{isd, operand, Dag, Node};
use super::host::Opcodes;
use std::fmt;

/// Why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// STACKMAP, PATCHPOINT, STATEPOINT: frames that others walk. NVPTX has none.
    StackMap,
    /// A target-independent node that this emitter does not know.
    UnknownNode,
    /// An operand that is not scheduled and of no known kind.
    UnknownOperand,
}

impl Reason {
    /// The name of its counter.
    pub const fn counter(self) -> &'static str {
        match self {
            Reason::StackMap => "blocks left to stock: stack maps",
            Reason::UnknownNode => "blocks left to stock: unknown node",
            Reason::UnknownOperand => "blocks left to stock: unknown operand",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.counter())
    }
}

/// Kinds of operands that are none of an instruction's.
const UNKNOWN: u32 = 1 << operand::OTHER | 1 << operand::METADATA;

/// Whether all of `dag` can be emitted here. Linear in nodes and in operands of inline assembly.
pub fn check(dag: &Dag, opcodes: &Opcodes) -> Result<(), Reason> {
    if dag.special_kinds & 1 << isd::OTHER != 0 {
        return Err(Reason::UnknownNode);
    }
    if dag.odd_inputs & UNKNOWN != 0 {
        return Err(Reason::UnknownOperand);
    }
    dag.nodes.iter().try_for_each(|node| check_node(dag, opcodes, node))
}

fn check_node(dag: &Dag, opcodes: &Opcodes, node: &Node) -> Result<(), Reason> {
    if node.is_machine() {
        let is_map = [opcodes.stackmap, opcodes.patchpoint, opcodes.statepoint].contains(&node.opcode);
        return if is_map { Err(Reason::StackMap) } else { Ok(()) };
    }
    let registers = match node.opcode {
        isd::COPY_TO_REG => &dag.operands_of(node)[2..3],
        // Behind the chain, the string, the source location and the word of side effects.
        isd::INLINEASM | isd::INLINEASM_BR => &dag.operands_of(node)[4..],
        _ => return Ok(()),
    };
    match registers.iter().any(|op| UNKNOWN & 1 << op.kind != 0) {
        true => Err(Reason::UnknownOperand),
        false => Ok(()),
    }
}
