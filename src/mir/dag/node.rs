//! Nodes and steps of a schedule.

pub use super::records::{
    PtxDagCopy as CopyUse, PtxDagNode as Node, PtxDagStep as Step, PtxPhysCopy as PhysCopy,
};

use super::ids::NodeId;

/// Kinds and flags of a [`Step`].
pub mod step {
    pub use super::super::records::{
        PTX_STEP_CLONE as CLONE, PTX_STEP_CLONED as CLONED, PTX_STEP_NODE as NODE, PTX_STEP_NOOP as NOOP,
        PTX_STEP_PHYS_COPY as PHYS_COPY,
    };
}

/// Kinds of nodes that are not machine instructions.
pub mod isd {
    pub use super::super::records::{
        PTX_ISD_ANNOTATION_LABEL as ANNOTATION_LABEL, PTX_ISD_COPY_FROM_REG as COPY_FROM_REG,
        PTX_ISD_COPY_TO_REG as COPY_TO_REG, PTX_ISD_EH_LABEL as EH_LABEL, PTX_ISD_ENTRY_TOKEN as ENTRY_TOKEN,
        PTX_ISD_INLINEASM as INLINEASM, PTX_ISD_INLINEASM_BR as INLINEASM_BR,
        PTX_ISD_LIFETIME_END as LIFETIME_END, PTX_ISD_LIFETIME_START as LIFETIME_START,
        PTX_ISD_MERGE_VALUES as MERGE_VALUES, PTX_ISD_OTHER as OTHER, PTX_ISD_PSEUDO_PROBE as PSEUDO_PROBE,
        PTX_ISD_TOKEN_FACTOR as TOKEN_FACTOR,
    };
}

/// Facts that the DAG keeps outside the graph and that a node's instructions receive.
pub mod extra_info {
    pub use super::super::records::{
        PTX_NODE_HEAP_ALLOC_SITE as HEAP_ALLOC_SITE, PTX_NODE_MMRA as MMRA, PTX_NODE_NO_MERGE as NO_MERGE,
        PTX_NODE_PC_SECTIONS as PC_SECTIONS,
    };
    pub(super) const ALL: u16 = NO_MERGE | PC_SECTIONS | MMRA | HEAP_ALLOC_SITE;
}

use super::records::{PTX_NODE_DIVERGENT, PTX_NODE_HAS_DEBUG_VALUE, PTX_NODE_MACHINE};

impl Step {
    /// The step of a node that is emitted exactly once.
    pub fn once(node: NodeId) -> Step {
        Step { index: node.raw(), kind: step::NODE, flags: 0 }
    }
    /// The node, if the step is one.
    pub fn node(self) -> Option<NodeId> {
        (self.kind == step::NODE).then(|| NodeId::from_raw(self.index))
    }
}

impl Node {
    /// Whether `opcode` is an opcode of the target.
    pub fn is_machine(&self) -> bool {
        self.flags & PTX_NODE_MACHINE != 0
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
        self.flags & PTX_NODE_DIVERGENT != 0
    }
    /// Whether it has debug values.
    pub fn has_debug_value(&self) -> bool {
        self.flags & PTX_NODE_HAS_DEBUG_VALUE != 0
    }
    /// How many results are registers: those before the chain and the glue.
    pub fn num_results(&self) -> usize {
        self.num_results.into()
    }
    /// Whether the DAG keeps any [`extra_info`] for it.
    pub fn has_extra_info(&self) -> bool {
        self.flags & extra_info::ALL != 0
    }
    /// Whether the DAG keeps this one for it.
    pub fn has(&self, info: u16) -> bool {
        self.flags & info != 0
    }
}
