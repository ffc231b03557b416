//! Debug values and labels (row E10).
//!
//! A debug value comes right behind its node when that is emitted at the number of the value in the source and all
//! its locations are known. The others are inserted when all nodes are done, by [`super::order`]. A value
//! whose node is gone ends what was known of the variable.

use super::dag::{dbg_operand, Dag, DbgOperand, DbgValue, NONE};
use super::host::{new, reg_flag, DbgConstant, Expression, Host, NewDbg, NewOperand};
use super::order::{place_in_order, Place};
use super::Block;
use crate::mir::Register;
use crate::versions::VERSIONS;

/// What is known of a block's debug values while it is emitted.
pub(super) struct Pending<H: Host> {
    /// By debug value.
    pub(super) emitted: Vec<bool>,
    /// By node: its first entry in `Dag::dbg_of`.
    first_of: Vec<u32>,
    /// What `SourceOrder` names.
    pub(super) instrs: Vec<H::Instr>,
    /// By node, in a block that is reordered: how many of these there were when it was done.
    pub(super) instrs_so_far: Vec<u32>,
}

impl<H: Host> Pending<H> {
    pub(super) fn add(&mut self, mi: H::Instr) -> u32 {
        self.instrs.push(mi);
        self.instrs.len() as u32 - 1
    }
}

impl<H: Host> Block<'_, H> {
    /// Starts the bookkeeping; in a function's first block the values of by-value parameters come at once, and
    /// once more where they are used.
    pub(super) fn begin_debug(&mut self) -> Option<Pending<H>> {
        if !self.dag.has(Dag::HAS_DEBUG_VALUES) {
            return None;
        }
        self.b.order.clear();
        let mut first_of = vec![NONE; self.dag.nodes.len()];
        for (i, of) in self.dag.dbg_of.iter().enumerate().rev() {
            first_of[of.node as usize] = i as u32;
        }
        let values = self.dag.dbg_values;
        if self.dag.has(Dag::FIRST_BLOCK) {
            for (i, _) in values.iter().enumerate().filter(|(_, v)| v.is_byval()) {
                let mi = self.emit_dbg_value(i);
                self.host.insert(mi);
            }
        }
        let byval_again = self.dag.has(Dag::FIRST_BLOCK);
        let emitted = values.iter().map(|v| v.is_emitted() && !(v.is_byval() && byval_again)).collect();
        let instrs_so_far = vec![0; if self.is_reordered { self.dag.nodes.len() } else { 0 }];
        Some(Pending { emitted, first_of, instrs: Vec::new(), instrs_so_far })
    }

    /// `first` is the first instruction of node `id`, which has just been emitted.
    pub(super) fn process_source_node(&mut self, debug: &mut Pending<H>, id: usize, first: Option<H::Instr>) {
        if self.is_reordered {
            self.note_reordered(debug, id, first);
            return self.process_values_of(debug, id, 0);
        }
        let order = self.dag.nodes[id].ir_order;
        if !self.b.order.is_new(order) {
            return self.process_values_of(debug, id, 0);
        }
        if let Some(first) = first {
            let instr = debug.add(first);
            self.b.order.record(order, instr);
        }
        self.process_values_of(debug, id, order);
    }

    /// Emits the debug values of a node that have number `order`, all of them for 0, and whose locations are
    /// known.
    fn process_values_of(&mut self, debug: &mut Pending<H>, id: usize, order: u32) {
        if !self.dag.nodes[id].has_debug_value() {
            return;
        }
        let mut at = debug.first_of[id];
        while let Some(of) = self.dag.dbg_of.get(at as usize).filter(|of| of.node as usize == id) {
            at += 1;
            let index = of.value as usize;
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
            let instr = debug.add(mi);
            self.b.order.push(value.order, instr);
            self.host.insert(mi);
        }
    }

    fn has_unknown_location(&self, value: &DbgValue) -> bool {
        let of_nodes = self.dag.dbg_operands_of(value).iter().filter(|op| op.kind == dbg_operand::NODE);
        of_nodes.into_iter().any(|op| self.register_of(op).is_none())
    }

    /// The register that a location of a node is in.
    fn register_of(&self, op: &DbgOperand) -> Option<Register> {
        self.b.values.get(op.payload as usize).map(|made| made.reg).filter(|reg| reg.is_valid())
    }

    /// All that has not been emitted comes in by its number.
    pub(super) fn emit_pending_debug(&mut self, mut debug: Pending<H>) {
        if self.is_reordered {
            return self.emit_debug_reordered(&debug);
        }
        let begin = self.host.first_non_phi();
        let mut order = std::mem::take(&mut self.b.order);
        let orders = order.sorted();

        let is_listed = |v: &DbgValue| !v.is_byval();
        let mut listed: Vec<usize> = (0..self.dag.dbg_values.len()).collect();
        listed.retain(|&i| is_listed(&self.dag.dbg_values[i]));
        listed.sort_by_key(|&i| self.dag.dbg_values[i].order);
        let numbers: Vec<u32> = listed.iter().map(|&i| self.dag.dbg_values[i].order).collect();
        let mut trailing = Vec::new();
        place_in_order(&numbers, orders, |i, place| {
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

        // A label behind the last number is dropped, as LLVM drops it.
        place_in_order(self.dag.dbg_label_orders, orders, |label, place| {
            if place != Place::End {
                let mi = self.host.build_dbg_label(label);
                self.counts.debug += 1;
                self.insert_at(mi, place, begin, &debug.instrs);
            }
        });
        self.b.order = order;
    }

    pub(super) fn insert_at(&self, mi: H::Instr, place: Place, begin: Option<H::Instr>, instrs: &[H::Instr]) {
        match place {
            Place::Before(instr) => self.host.insert_before(mi, instrs[instr as usize]),
            _ => self.insert_or_append(mi, begin),
        }
    }
    pub(super) fn insert_or_append(&self, mi: H::Instr, before: Option<H::Instr>) {
        match before {
            Some(before) => self.host.insert_before(mi, before),
            None => self.host.append(mi),
        }
    }

    // ---- one debug value

    /// Makes the instruction for a debug value; it is in no block yet.
    pub(super) fn emit_dbg_value(&mut self, index: usize) -> H::Instr {
        self.counts.debug += 1;
        let value = &self.dag.dbg_values[index];
        if value.is_invalidated() {
            return self.emit_no_location(index);
        }
        if self.dag.has(Dag::DEBUG_INSTR_REFS) && self.refers_to_instrs(value) {
            return self.emit_instr_ref(index);
        }
        if value.is_variadic() {
            self.emit_list(index)
        } else {
            self.emit_single(index)
        }
    }

    /// `DBG_VALUE $noreg`: the variable has no value from here on.
    fn emit_no_location(&self, index: usize) -> H::Instr {
        self.host.build_dbg(&NewDbg {
            value: index,
            opcode: self.target.opcodes.dbg_value,
            expression: Expression::Undef,
            indirect: false,
            operands: &[NO_REGISTER],
        })
    }

    fn emit_list(&self, index: usize) -> H::Instr {
        let value = &self.dag.dbg_values[index];
        let operands: Vec<_> = self.dag.dbg_operands_of(value).iter().map(|op| self.location(op)).collect();
        self.host.build_dbg(&NewDbg {
            value: index,
            opcode: self.target.opcodes.dbg_value_list,
            expression: Expression::Own,
            indirect: false,
            operands: &operands,
        })
    }

    fn emit_single(&self, index: usize) -> H::Instr {
        let value = &self.dag.dbg_values[index];
        let op = &self.dag.dbg_operands_of(value)[0];
        let (operand, expression) = if op.kind == dbg_operand::CONSTANT {
            let (constant, expression) = self.host.dbg_fold_constant(index);
            (constant_operand(constant), expression)
        } else {
            (self.location(op), Expression::Own)
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
        match op.kind {
            dbg_operand::FRAME_INDEX => NewOperand::of(new::FRAME_INDEX, op.payload),
            dbg_operand::VREG => NewOperand::reg(Register(op.payload as u32), 0),
            dbg_operand::CONSTANT => constant_operand(self.host.dbg_constant(op.payload)),
            // A node that was replaced without its debug values has no register.
            _ => self.register_of(op).map_or(NO_REGISTER, |reg| NewOperand::reg(reg, reg_flag::DEBUG)),
        }
    }

    /// Whether DBG_INSTR_REF can express it: no stack slot, and not constants alone.
    fn refers_to_instrs(&self, value: &DbgValue) -> bool {
        let operands = self.dag.dbg_operands_of(value);
        operands.iter().all(|op| op.kind != dbg_operand::FRAME_INDEX)
            && operands.iter().any(|op| op.kind != dbg_operand::CONSTANT)
    }

    fn emit_instr_ref(&mut self, index: usize) -> H::Instr {
        let value = &self.dag.dbg_values[index];
        let mut operands = Vec::new();
        for op in self.dag.dbg_operands_of(value) {
            let reg = match op.kind {
                dbg_operand::CONSTANT => {
                    operands.push(constant_operand(self.host.dbg_constant(op.payload)));
                    continue;
                }
                dbg_operand::VREG => Register(op.payload as u32),
                _ => match self.register_of(op) {
                    Some(reg) => reg,
                    None => return self.emit_no_location(index),
                },
            };
            operands.push(self.instr_ref(reg));
        }
        self.host.build_dbg(&NewDbg {
            value: index,
            opcode: self.target.opcodes.dbg_instr_ref,
            expression: Expression::InstrRef,
            indirect: false,
            operands: &operands,
        })
    }

    /// The instruction and operand that define `reg`; the register itself, to be resolved later, if its block has
    /// not been emitted yet or a copy defines it.
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

    /// A debug value of what a terminator defines has come behind it: it loses its location and goes before it.
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

const NO_REGISTER: NewOperand =
    NewOperand { kind: new::REG, flags: reg_flag::DEBUG, reg: Register::NONE, subreg: 0, payload: 0 };

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
