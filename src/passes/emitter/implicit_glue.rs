//! Reuses results that an earlier node of the same glue bundle has put into a virtual register
//! (implicit glue consumers: requirement E12, errata 1, default profile).
//!
//! Problem. An instruction defines physical registers. Its node may have a result for one of them,
//! and nodes glued after it may copy the same register. Each would get a COPY of its own.
//!
//! Algorithm. A table holds the physical registers that were copied in this bundle, with the
//! register of each copy. A CopyFromReg that is glued to the nodes that filled the table takes the
//! register from there, if it has the class that the CopyFromReg would have made. Any other node
//! empties the table, because it may write the physical register. Nothing is moved, and LLVM's
//! flags are not used.
//!
//! Source: the reference description of CICC 13.0's instruction emitter, "bit 36". Deviation:
//! errata 1. Complexity: linear in the copies of a bundle, which are few.

use crate::mir::dag::ids::{ClassId, ValueId};
use crate::mir::dag::node::{isd, Node};
use crate::mir::dag::schedule::Dag;
use crate::mir::Register;

/// The copies out of physical registers in the current bundle.
#[derive(Default)]
pub(super) struct GlueBundle {
    copied: Vec<CopiedRegister>,
}

struct CopiedRegister {
    physical: Register,
    class: Option<ClassId>,
    copy: Register,
    /// The result that it was copied for.
    value: ValueId,
}

impl GlueBundle {
    /// Empties the table unless `node`, which is emitted next, belongs to the bundle and writes no
    /// register.
    pub(super) fn enter(&mut self, dag: &Dag, node: &Node) {
        if !(dag.is_glued(node) && node.is_isd(isd::COPY_FROM_REG)) {
            self.copied.clear();
        }
    }
    /// Notes that `copy`, a register of `class`, holds what was in `physical`, for the result
    /// `value`.
    pub(super) fn insert(
        &mut self,
        physical: Register,
        class: Option<ClassId>,
        copy: Register,
        value: ValueId,
    ) {
        self.copied.push(CopiedRegister { physical, class, copy, value });
    }
    /// The register of `class` that holds what was in `physical`, and the result that it was copied
    /// for. From then on a use of that result must not kill the register.
    pub(super) fn find(&self, physical: Register, class: Option<ClassId>) -> Option<(Register, ValueId)> {
        let found = self.copied.iter().find(|c| c.physical == physical && c.class == class);
        found.map(|c| (c.copy, c.value))
    }
}
