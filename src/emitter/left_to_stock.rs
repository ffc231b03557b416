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

/// Whether all of `dag` can be emitted here. Linear in nodes and operands.
pub fn check(dag: &Dag, opcodes: &Opcodes) -> Result<(), Reason> {
    dag.nodes.iter().try_for_each(|node| check_node(dag, opcodes, node))
}

fn check_node(dag: &Dag, opcodes: &Opcodes, node: &Node) -> Result<(), Reason> {
    let unknown = |kind| kind == operand::OTHER || kind == operand::METADATA;
    let operands = dag.operands_of(node);
    if !node.is_machine() {
        let registers = match node.opcode {
            0 => return Err(Reason::UnknownNode),
            isd::COPY_TO_REG => &operands[2..3],
            // Behind the chain, the string, the source location and the word of side effects.
            isd::INLINEASM | isd::INLINEASM_BR => &operands[4..],
            _ => &[],
        };
        return match registers.iter().any(|op| unknown(op.kind)) {
            true => Err(Reason::UnknownOperand),
            false => Ok(()),
        };
    }
    if [opcodes.stackmap, opcodes.patchpoint, opcodes.statepoint].contains(&node.opcode) {
        return Err(Reason::StackMap);
    }
    // A chain or glue behind the operands may be anything.
    let first_unknown = operands.iter().position(|op| unknown(op.kind));
    match first_unknown.is_some_and(|i| i < dag.count_operands(node)) {
        true => Err(Reason::UnknownOperand),
        false => Ok(()),
    }
}
