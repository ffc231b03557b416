//! The numbers of the entities in a block's schedule, and the Rust types of the C records' numbers.

use crate::adt::PackedOption;
use crate::mir::Register;

index_vec::define_index_type! {
    /// The position of a node in the order of emission.
    pub struct NodeId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "node{}";
}

index_vec::define_index_type! {
    /// The number of a node's result (`SDValue`), over all nodes of the block.
    pub struct ValueId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "value{}";
}

index_vec::define_index_type! {
    /// LLVM's number of a register class.
    pub struct ClassId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "class{}";
}

index_vec::define_index_type! {
    /// LLVM's number of a scheduling unit (`SUnit::NodeNum`).
    pub struct SUnitId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "SU{}";
}

index_vec::define_index_type! {
    /// The number of a debug value of the block, those of by-value parameters first.
    pub struct DbgValueId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "dbg{}";
}

index_vec::define_index_type! {
    /// The position of a block in the function's IR.
    pub struct IrBlockId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "ir{}";
}

/// LLVM's `SDNode`. We only hand it back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct NodeHandle(pub usize);

impl NodeHandle {
    /// Stands for no node.
    pub const NULL: NodeHandle = NodeHandle(0);
}

/// LLVM's `MDNode`. We only hand it back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MetadataHandle(pub usize);

// The names that the C header uses.
pub(crate) type PtxNodeHandle = NodeHandle;
pub(crate) type PtxReg = Register;
pub(crate) type PtxNodeId = NodeId;
pub(crate) type PtxOptNodeId = PackedOption<NodeId>;
pub(crate) type PtxValueId = ValueId;
pub(crate) type PtxOptClassId = PackedOption<ClassId>;
pub(crate) type PtxUnitId = SUnitId;
pub(crate) type PtxOptUnitId = PackedOption<SUnitId>;
pub(crate) type PtxDbgValueId = DbgValueId;
pub(crate) type PtxIrBlockId = IrBlockId;
#[cfg(all(ptx_host, not(test)))]
pub(crate) type PtxClassId = ClassId;
#[cfg(all(ptx_host, not(test)))]
pub(crate) type PtxOptIrBlockId = PackedOption<IrBlockId>;
