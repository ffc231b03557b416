//! Lists, for each register, the DBG_VALUEs that named it when the pass began.

use super::code::Code;
use super::debug_operands::DebugOperandId;
use crate::adt::Rows;
use crate::mir::VRegId;

/// The operands of DBG_VALUEs, by register, in the order of the code.
#[derive(Default)]
pub struct DebugValues {
    by_reg: Rows<VRegId, DebugOperandId>,
}

impl DebugValues {
    /// Reads those of a function.
    pub fn read(&mut self, code: &Code) {
        self.by_reg.clear();
        if code.debug.is_empty() {
            return;
        }
        let values = code.debug.all().iter_enumerated().filter(|d| d.1.is_value);
        self.by_reg.collect(code.num_regs(), values.filter_map(|(id, d)| Some((id, d.reg.get()?))));
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_reg.is_empty()
    }
    /// Those of a register; registers that were made later have none.
    pub fn of(&self, reg: VRegId) -> &[DebugOperandId] {
        if reg.index() < self.by_reg.len() {
            self.by_reg.row(reg)
        } else {
            &[]
        }
    }
}
