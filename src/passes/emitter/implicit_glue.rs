//! Implicit glue consumers (row E12, errata 1, `cicc` profile): results that an earlier node of the same glue bundle
//! has put into a virtual register already.
//!
//! Problem. An instruction defines physical registers; its node may have a result for one of them, and nodes
//! glued behind it may copy the same register. Each would get a COPY of its own.
//!
//! Algorithm. A table of the physical registers that were copied in this bundle, and where to. A CopyFromReg that is
//! glued to what has filled it takes the register from there, if it is of the class that it would have made. Any
//! other node empties the table, for it may write the physical register. Nothing is moved, and no flag of LLVM's is
//! used.
//!
//! Source: instr-emitter.txt, "bit 36". Deviation: errata 1. Complexity: linear in copies of a bundle, of which there
//! are few.

use super::dag::{isd, ClassId, Dag, Node};
use crate::mir::Register;

/// Copies out of physical registers: register, class, and the virtual register.
#[derive(Default)]
pub struct GlueBundle {
    copied: Vec<(Register, ClassId, Register)>,
}

impl GlueBundle {
    /// `node` is emitted next.
    pub fn enter(&mut self, dag: &Dag, node: &Node) {
        if !(dag.is_glued(node) && node.is_isd(isd::COPY_FROM_REG)) {
            self.copied.clear();
        }
    }
    /// A physical register's value has been copied.
    pub fn insert(&mut self, src: Register, class: ClassId, to: Register) {
        self.copied.push((src, class, to));
    }
    /// Where it is already.
    pub fn find(&self, src: Register, class: ClassId) -> Option<Register> {
        self.copied.iter().find(|c| c.0 == src && c.1 == class).map(|c| c.2)
    }
}
