//! Emits debug values and labels (requirement E10).
//!
//! A debug value comes right after its node if the node has the value's number in the source and
//! all its locations are known. The others are inserted when all nodes are done, by
//! [`super::source_order`]. If the node of a debug value is gone, the variable has no known value
//! from there on.

use super::block::BlockEmitter;
use super::host::EmitterHost;
use super::pending_debug::PendingDebug;
use super::source_order::{place_in_order, AnchorId, Place};
use crate::mir::dag::debug::{DbgConstant, DbgLocation, DbgOperand, DbgValue, Expression, NewDbg};
use crate::mir::dag::ids::{DbgValueId, NodeId, ValueId};
use crate::mir::dag::new_instr::{new, reg_flag, NewOperand};
use crate::mir::dag::schedule::flag;
use crate::mir::Register;
use crate::versions::VERSIONS;
use index_vec::IndexSlice;

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Starts with the block's debug values. In a function's first block those of by-value
    /// parameters are emitted at once, and once more at their nodes.
    pub(super) fn begin_debug(&mut self) -> Option<PendingDebug<H>> {
        if !self.dag.has(flag::HAS_DEBUG_VALUES) {
            return None;
        }
        self.buffers.order.clear();
        let values = self.dag.dbg_values;
        let is_first_block = self.dag.has(flag::FIRST_BLOCK);
        if is_first_block {
            for id in values.indices().filter(|&id| values[id].is_byval()) {
                let mi = self.emit_dbg_value(id);
                self.host.insert(mi);
            }
        }
        let emitted = values.iter().map(|v| v.is_emitted() && !(v.is_byval() && is_first_block)).collect();
        Some(PendingDebug::new(&self.dag, emitted, self.is_reordered))
    }

    /// Emits the debug values of node `id`, which has just been emitted and whose first instruction
    /// is `first` (`ProcessSourceNode`).
    pub(super) fn process_source_node(
        &mut self,
        debug: &mut PendingDebug<H>,
        id: NodeId,
        first: Option<H::Instr>,
    ) {
        if self.is_reordered {
            self.note_reordered(debug, id, first);
            return self.process_values_of(debug, id, 0);
        }
        let order = self.dag.nodes[id].ir_order;
        if !self.buffers.order.is_new(order) {
            return self.process_values_of(debug, id, 0);
        }
        if let Some(first) = first {
            let instr = debug.instrs.push(first);
            self.buffers.order.record(order, instr);
        }
        self.process_values_of(debug, id, order);
    }

    /// Emits the debug values of a node whose locations are known and that have number `order`, or
    /// any number if that is 0.
    fn process_values_of(&mut self, debug: &mut PendingDebug<H>, id: NodeId, order: u32) {
        if !self.dag.nodes[id].has_debug_value() {
            return;
        }
        for index in debug.values_of(&self.dag, id) {
            let value = &self.dag.dbg_values[index];
            if debug.emitted[index]
                || self.is_reordered && !value.is_byval()
                || order != 0 && value.order != order
                || !value.is_invalidated() && self.has_unknown_location(value)
            {
                continue;
            }
            debug.emitted[index] = true;
            let mi = self.emit_dbg_value(index);
            let instr = debug.instrs.push(mi);
            self.buffers.order.push(value.order, instr);
            self.host.insert(mi);
        }
    }

    fn has_unknown_location(&self, value: &DbgValue) -> bool {
        self.dag.dbg_operands_of(value).iter().any(|op| match op.location() {
            DbgLocation::Value(value) => self.register_of(value).is_none(),
            DbgLocation::Unscheduled => true,
            DbgLocation::Constant(_) | DbgLocation::FrameIndex(_) | DbgLocation::Register(_) => false,
        })
    }

    /// The register of a result, if its node has been emitted and has one.
    fn register_of(&self, value: ValueId) -> Option<Register> {
        Some(self.buffers.values[value].reg).filter(|reg| reg.is_valid())
    }

    /// Inserts the remaining debug values and the labels by their numbers.
    pub(super) fn emit_pending_debug(&mut self, mut debug: PendingDebug<H>) {
        if self.is_reordered {
            return self.emit_debug_reordered(&debug);
        }
        let begin = self.host.first_non_phi();
        let mut order = std::mem::take(&mut self.buffers.order);
        let anchors = order.sorted();

        let values = self.dag.dbg_values;
        let mut listed: Vec<DbgValueId> = values.indices().filter(|&i| !values[i].is_byval()).collect();
        listed.sort_by_key(|&i| values[i].order);
        let numbers: Vec<u32> = listed.iter().map(|&i| values[i].order).collect();
        let mut trailing = Vec::new();
        place_in_order(&numbers, anchors, |i, place| {
            if std::mem::replace(&mut debug.emitted[listed[i]], true) {
                return;
            }
            let mi = self.emit_dbg_value(listed[i]);
            match place {
                Place::End => trailing.push(mi),
                place => self.insert_at(mi, place, begin, &debug.instrs),
            }
        });
        if !trailing.is_empty() {
            let terminator = self.host.first_terminator();
            trailing.into_iter().for_each(|mi| self.insert_or_append(mi, terminator));
        }

        // A label after the last number is dropped, as in LLVM.
        place_in_order(self.dag.dbg_label_orders, anchors, |label, place| {
            if place != Place::End {
                let mi = self.host.build_dbg_label(label);
                self.counts.debug += 1;
                self.insert_at(mi, place, begin, &debug.instrs);
            }
        });
        self.buffers.order = order;
    }

    /// Inserts a debug instruction; `begin` is the first instruction after the PHIs.
    pub(super) fn insert_at(
        &self,
        mi: H::Instr,
        place: Place,
        begin: Option<H::Instr>,
        instrs: &IndexSlice<AnchorId, [H::Instr]>,
    ) {
        match place {
            Place::Before(instr) => self.host.insert_before(mi, instrs[instr]),
            Place::BlockBegin | Place::End => self.insert_or_append(mi, begin),
        }
    }
    /// Inserts a debug instruction before another one, or at the end of the block.
    pub(super) fn insert_or_append(&self, mi: H::Instr, before: Option<H::Instr>) {
        match before {
            Some(before) => self.host.insert_before(mi, before),
            None => self.host.append(mi),
        }
    }

    // ---- one debug value

    /// Makes the instruction for a debug value; it is not in a block yet.
    pub(super) fn emit_dbg_value(&mut self, index: DbgValueId) -> H::Instr {
        self.counts.debug += 1;
        let value = &self.dag.dbg_values[index];
        if value.is_invalidated() {
            return self.emit_no_location(index);
        }
        if self.dag.has(flag::DEBUG_INSTR_REFS) && self.refers_to_instrs(value) {
            return self.emit_instr_ref(index);
        }
        if value.is_variadic() {
            self.emit_list(index)
        } else {
            self.emit_single(index)
        }
    }

    /// Makes `DBG_VALUE $noreg`: the variable has no known value from here on.
    fn emit_no_location(&self, index: DbgValueId) -> H::Instr {
        self.host.build_dbg(&NewDbg {
            value: index,
            opcode: self.target.opcodes.dbg_value,
            expression: Expression::Undef,
            indirect: false,
            operands: &[NO_REGISTER],
        })
    }

    fn emit_list(&self, index: DbgValueId) -> H::Instr {
        let value = &self.dag.dbg_values[index];
        let operands: Vec<_> = self.dag.dbg_operands_of(value).iter().map(|op| self.location(op)).collect();
        self.host.build_dbg(&NewDbg {
            value: index,
            opcode: self.target.opcodes.dbg_value_list,
            expression: Expression::OfValue,
            indirect: false,
            operands: &operands,
        })
    }

    fn emit_single(&self, index: DbgValueId) -> H::Instr {
        let value = &self.dag.dbg_values[index];
        let op = &self.dag.dbg_operands_of(value)[0];
        let (operand, expression) = if let DbgLocation::Constant(_) = op.location() {
            let (constant, expression) = self.host.dbg_fold_constant(index);
            (constant_operand(constant), expression)
        } else {
            (self.location(op), Expression::OfValue)
        };
        self.host.build_dbg(&NewDbg {
            value: index,
            opcode: self.target.opcodes.dbg_value,
            expression,
            indirect: value.is_indirect(),
            operands: &[operand],
        })
    }

    fn location(&self, op: &DbgOperand) -> NewOperand {
        match op.location() {
            DbgLocation::FrameIndex(slot) => NewOperand::of(new::FRAME_INDEX, slot),
            DbgLocation::Register(reg) => NewOperand::reg(reg, 0),
            DbgLocation::Constant(constant) => constant_operand(self.host.dbg_constant(constant)),
            // A node that was replaced without its debug values has no register.
            DbgLocation::Value(value) => {
                self.register_of(value).map_or(NO_REGISTER, |reg| NewOperand::reg(reg, reg_flag::DEBUG))
            }
            DbgLocation::Unscheduled => NO_REGISTER,
        }
    }

    /// Whether DBG_INSTR_REF can express it: no location is a stack slot, and not all are
    /// constants.
    fn refers_to_instrs(&self, value: &DbgValue) -> bool {
        let mut locations = self.dag.dbg_operands_of(value).iter().map(|op| op.location());
        locations.clone().all(|at| !matches!(at, DbgLocation::FrameIndex(_)))
            && locations.any(|at| !matches!(at, DbgLocation::Constant(_)))
    }

    fn emit_instr_ref(&mut self, index: DbgValueId) -> H::Instr {
        let value = &self.dag.dbg_values[index];
        let mut operands = Vec::new();
        for op in self.dag.dbg_operands_of(value) {
            let reg = match op.location() {
                DbgLocation::Constant(constant) => {
                    operands.push(constant_operand(self.host.dbg_constant(constant)));
                    continue;
                }
                DbgLocation::Register(reg) => Some(reg),
                DbgLocation::Value(value) => self.register_of(value),
                DbgLocation::Unscheduled => None,
                DbgLocation::FrameIndex(_) => unreachable!("DBG_INSTR_REF names no stack slot"),
            };
            let Some(reg) = reg else { return self.emit_no_location(index) };
            operands.push(self.instr_ref(reg));
        }
        self.host.build_dbg(&NewDbg {
            value: index,
            opcode: self.target.opcodes.dbg_instr_ref,
            expression: Expression::InstrRef {
                deref: value.is_indirect(),
                to_variadic: !value.is_variadic(),
            },
            indirect: false,
            operands: &operands,
        })
    }

    /// Names the instruction and operand that define `reg`. Names the register itself, to be
    /// resolved later, if its def has not been emitted yet or is a copy.
    fn instr_ref(&self, reg: Register) -> NewOperand {
        match self.host.only_def(reg) {
            Some((mi, operand)) if !self.host.is_copy(mi) => NewOperand {
                subreg: operand,
                reg: Register(self.host.debug_number(mi)),
                ..NewOperand::of(new::DBG_INSTR_REF, 0)
            },
            _ => NewOperand::reg(reg, reg_flag::DEBUG),
        }
    }

    /// Moves debug values that follow the first terminator before it. They lose their location,
    /// which the terminator defines.
    pub(super) fn move_debug_values_before_terminators(&self) {
        let Some(terminator) = self.host.first_terminator() else { return };
        let end = self.host.insert_point();
        let mut next = self.host.next(terminator);
        while let Some(mi) = next.filter(|&mi| Some(mi) != end) {
            next = self.host.next(mi);
            if self.host.is_debug_value(mi) {
                self.host.drop_location(mi, terminator);
            }
        }
    }
}

const NO_REGISTER: NewOperand = NewOperand::reg(Register::NONE, reg_flag::DEBUG);

fn constant_operand(constant: DbgConstant) -> NewOperand {
    match constant {
        DbgConstant::Int(value, 1) if VERSIONS.emitter.zero_extends_bool => NewOperand::imm(value & 1),
        DbgConstant::Int(value, _) => NewOperand::imm(value),
        DbgConstant::WideInt(constant) => NewOperand::of(new::CONST_WIDE_INT, constant),
        DbgConstant::Fp(constant) => NewOperand::of(new::CONST_FP, constant),
        DbgConstant::NullPointer => NewOperand::imm(0),
        DbgConstant::Other => NO_REGISTER,
    }
}
