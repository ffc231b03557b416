//! Registers of results (rows E4 and E5).

use super::dag::{isd, step, ClassId, Dag, Node, Operand, NONE};
use super::host::{reg_flag, Host, NewOperand};
use super::target::Desc;
use super::{Block, Cloning, Made};
use crate::mir::Register;

impl<H: Host> Block<'_, H> {
    /// The register of an operand's value. An undefined value gets a register, and an IMPLICIT_DEF, of its own
    /// for each use.
    pub(super) fn value_reg(&mut self, op: &Operand) -> Register {
        self.value_of(op).reg
    }
    /// The same, with what the use must know.
    #[inline]
    pub(super) fn value_of(&mut self, op: &Operand) -> Made {
        let value = op.as_value().expect("an operand without a value is used as a register");
        if self.is_undefined(value) {
            return self.undefined_value(value);
        }
        self.b.values[value as usize]
    }
    /// Whether a result, which is used, is that of an IMPLICIT_DEF.
    #[inline]
    pub(super) fn is_undefined(&self, value: u32) -> bool {
        !self.b.values[value as usize].reg.is_valid() && self.is_of_implicit_def(value)
    }
    #[cold]
    fn is_of_implicit_def(&self, value: u32) -> bool {
        let node = &self.dag.nodes[self.dag.node_of(value)];
        assert!(
            node.is_opcode(self.target.opcodes.implicit_def),
            "result {value} is used before its node is emitted"
        );
        true
    }
    #[cold]
    fn undefined_value(&mut self, value: u32) -> Made {
        let (node, facts) = (&self.dag.nodes[self.dag.node_of(value)], self.dag.values[value as usize]);
        let class = self.class_for(facts.ty, node.is_divergent());
        let reg = self.new_reg(class);
        let def = [NewOperand::reg(reg, reg_flag::DEFINE)];
        self.emit(self.target.opcodes.implicit_def, node.handle, &def);
        Made { reg, dies_at_use: facts.has_one_use(), is_undefined: true }
    }

    /// Result `value` of a node is in `reg`. See [`Made`] for what `may_die` leaves out.
    pub(super) fn set_value_reg(&mut self, value: u32, reg: Register, may_die: bool) {
        let dies_at_use = may_die && self.dag.values[value as usize].has_one_use();
        self.b.values[value as usize] = Made { reg, dies_at_use, is_undefined: false };
    }

    /// Row E5: makes the registers that `node` defines and appends them to the operands.
    ///
    /// The class is the instruction's, narrowed to that of the type. A result that a CopyToReg puts into a register
    /// of the same class goes there at once.
    pub(super) fn create_virtual_registers(
        &mut self,
        node: &Node,
        desc: Desc,
        (num_regs, num_results): (usize, usize),
        cloning: Cloning,
    ) {
        for i in 0..num_regs {
            let value = node.first_value + i as u32;
            let mut reg = self.optional_def(node, desc, i, num_results);
            if !reg.is_valid() {
                let class = self.class_of_result(node, desc, i, num_results);
                if !cloning.any() {
                    reg = self.reused_copy_destination(node, value, class);
                }
                if !reg.is_valid() {
                    reg = self.new_reg(class.expect("the result is no register"));
                }
            }
            self.push(NewOperand::reg(reg, reg_flag::DEFINE));
            if i < num_results {
                self.set_value_reg(value, reg, !desc.is_convergence_control());
            }
        }
    }

    /// The physical register, an operand of the node, that an optional def writes.
    fn optional_def(&self, node: &Node, desc: Desc, i: usize, num_results: usize) -> Register {
        if !desc.has_optional_def() {
            return Register::NONE;
        }
        match self.target.operand(desc, i) {
            Some(op) if op.is_optional_def => self.dag.operands_of(node)[i - num_results]
                .as_register()
                .expect("an optional def is a physical register"),
            _ => Register::NONE,
        }
    }

    fn class_of_result(&mut self, node: &Node, desc: Desc, i: usize, num_results: usize) -> Option<ClassId> {
        let class = self.target.allocatable_operand_class(desc, i);
        if i >= num_results {
            return class;
        }
        let divergent = node.is_divergent() || class.is_some_and(|c| self.target.classes.is_divergent(c));
        let of_type = self.target.class_for_type(self.host, self.dag.values_of(node)[i].ty, divergent);
        match (class, of_type) {
            (Some(class), Some(of_type)) => {
                Some(self.target.classes.common_sub_class(class, of_type).unwrap_or(class))
            }
            (class, of_type) => class.or(of_type),
        }
    }

    /// The register of the first CopyToReg of `value` whose class is the same; none if there is no such.
    fn reused_copy_destination(&mut self, node: &Node, value: u32, class: Option<ClassId>) -> Register {
        let copies = self.dag.copies_of(node).iter().filter(|copy| copy.value == value);
        let found = copies.map(|copy| copy.reg).find(|&reg| Some(self.host.class_of(reg)) == class);
        self.counts.reused += u64::from(found.is_some());
        found.unwrap_or(Register::NONE)
    }

    /// Row E4: result `result` of `node` is what `src` holds. A virtual register is taken as it is; a physical
    /// one is copied, unless that is too expensive and all uses can read it.
    pub(super) fn emit_copy_from_reg(&mut self, node: &Node, result: u32, src: Register) {
        let value = node.first_value + result;
        if self.improves && src.is_physical() && self.is_unread(node, value) {
            self.counts.unread_copies += 1;
            return;
        }
        let reg = if src.is_virtual() { src } else { self.copy_physical(node, value, src) };
        self.set_value_reg(value, reg, node.is_machine());
    }

    fn copy_physical(&mut self, node: &Node, value: u32, src: Register) -> Register {
        let ty = self.dag.values[value as usize].ty;
        let use_class = self.target.class_for_type(self.host, ty, node.is_divergent());
        let uses = self.uses_of_physical(node, value, src, use_class);
        let src_class = self.host.minimal_phys_class(src, ty);
        if uses.read_src && self.target.classes.is_copy_impossible(src_class) {
            return src;
        }
        let class = match uses.copied_to {
            Some(reg) => self.host.class_of(reg),
            None => uses.class.unwrap_or(src_class),
        };
        if let Some(reg) = self.b.glue.find(src, class).filter(|_| self.improves) {
            self.counts.glue_consumers += 1;
            return reg;
        }
        let reg = self.new_reg(class);
        self.emit_copy(node.handle, reg, src);
        if self.improves {
            self.b.glue.insert(src, class, reg);
        }
        reg
    }

    /// Nothing in the DAG reads it (row E14).
    fn is_unread(&self, node: &Node, value: u32) -> bool {
        !self.dag.values[value as usize].has_use() && !node.has_debug_value()
    }

    /// The CopyFromRegs that the function begins with, which bring its parameters and what other blocks hand on.
    /// They come together, and those that nothing reads make no instruction (row E14, errata 3).
    pub(super) fn count_entry_cascade(&mut self) {
        if self.improves && self.dag.has(Dag::FIRST_BLOCK) {
            let nodes = self.dag.steps().map_while(|s| (s.kind == step::NODE).then_some(s.index));
            let is_copy = |id: &u32| self.dag.nodes[*id as usize].is_isd(isd::COPY_FROM_REG);
            self.counts.entry_copies += nodes.take_while(is_copy).count() as u64;
        }
    }

    fn uses_of_physical(
        &mut self,
        node: &Node,
        value: u32,
        src: Register,
        class: Option<ClassId>,
    ) -> PhysicalUses {
        let mut uses = PhysicalUses { copied_to: None, read_src: true, class };
        let mut users = std::mem::take(&mut self.b.users);
        users.clear();
        self.host.users(node.handle, &mut users);
        for &user in users.iter().filter(|&&user| user != NONE) {
            let user = &self.dag.nodes[user as usize];
            let operands = self.dag.operands_of(user);
            if user.is_isd(isd::COPY_TO_REG) && operands[2].is_value(value) {
                let dst = operands[1].as_register().expect("CopyToReg names a register");
                if dst.is_virtual() {
                    uses.copied_to = Some(dst);
                    uses.read_src = false;
                    break;
                }
                uses.read_src &= dst == src;
            } else {
                self.narrow_by_user(user, value, &mut uses);
            }
        }
        self.b.users = users;
        uses
    }

    fn narrow_by_user(&mut self, user: &Node, value: u32, uses: &mut PhysicalUses) {
        let facts = self.dag.values[value as usize];
        if facts.is_chain() || facts.is_glue() {
            return;
        }
        for (i, _) in self.dag.operands_of(user).iter().enumerate().filter(|(_, op)| op.is_value(value)) {
            uses.read_src = false;
            if !user.is_machine() {
                continue;
            }
            let desc = self.target.desc(self.host, user.opcode);
            let class = self.target.allocatable_operand_class(desc, i + desc.num_defs());
            uses.class = match (uses.class, class) {
                // Uses that have nothing in common get copies later.
                (Some(a), Some(b)) => Some(self.target.classes.common_sub_class(a, b).unwrap_or(a)),
                (a, b) => a.or(b),
            };
        }
    }
}

/// What the users of a physical register's value say.
struct PhysicalUses {
    /// A CopyToReg puts it there.
    copied_to: Option<Register>,
    /// All of them can read the physical register itself.
    read_src: bool,
    /// What their operands have in common.
    class: Option<ClassId>,
}
