//! Binds the handles to the function in memory.

use super::data::{Block, InMemory, Instr, InstrData, NoIntervals, Variables};
use super::text::print_instr;
use crate::mir::{BlockNumber, InstrKind, LiveIn, Operand, Register};
use crate::passes::function::{
    BlockHandle, FunctionHandle, InstrHandle, IntervalsHandle, NamedOperand, VRegDef,
};

impl<'t> Instr<'t> {
    /// Reads its data.
    pub(crate) fn with<T>(self, read: impl FnOnce(&InstrData) -> T) -> T {
        read(&self.f.instrs.borrow()[self.id as usize])
    }
    /// Changes its data.
    pub(crate) fn change<T>(self, change: impl FnOnce(&mut InstrData) -> T) -> T {
        change(&mut self.f.instrs.borrow_mut()[self.id as usize])
    }
    /// Its opcode.
    pub(crate) fn opcode(self) -> String {
        self.with(|i| i.opcode.clone())
    }
    /// Its text.
    pub(crate) fn text(self) -> String {
        self.with(print_instr)
    }
    /// Sets or clears a flag of an operand.
    pub(crate) fn set_flag(self, index: usize, shift: u32, value: bool) {
        self.change(|i| {
            let op = i.operands[index];
            i.operands[index] = Operand(op.0 & !(1 << shift) | u64::from(value) << shift);
        });
    }
    /// Takes it out of its block.
    pub(crate) fn remove(self) {
        let block = self.change(|i| i.block.take()).expect("it is in a block");
        self.f.blocks.borrow_mut()[block as usize].instrs.retain(|&i| i != self.id);
    }
    /// Its position in its block.
    pub(crate) fn position(self) -> usize {
        let blocks = self.f.blocks.borrow();
        let instrs = &blocks[self.block().number as usize].instrs;
        instrs.iter().position(|&i| i == self.id).expect("it is in its block")
    }
    fn at(self, position: Option<usize>) -> Option<Instr<'t>> {
        let blocks = self.f.blocks.borrow();
        let instrs = &blocks[self.block().number as usize].instrs;
        position.and_then(|p| instrs.get(p)).map(|&id| Instr { f: self.f, id })
    }
}

impl<'t> FunctionHandle for &'t InMemory {
    type Block = Block<'t>;
    type Instr = Instr<'t>;
    type Variables = Variables<'t>;
    type Intervals = NoIntervals<'t>;

    fn variables(self) -> Option<Variables<'t>> {
        self.variables.as_ref().map(|infos| Variables { f: self, infos })
    }
    fn intervals(self) -> Option<NoIntervals<'t>> {
        None
    }
    fn blocks(self) -> impl Iterator<Item = Block<'t>> {
        let block = move |number| (number < self.blocks.borrow().len() as u32).then_some(self.block(number));
        (0..).map_while(block)
    }
    fn num_virt_regs(self) -> usize {
        self.num_virt_regs.get() as usize
    }
    fn leave_ssa(self) {
        self.is_ssa.set(false);
    }
    fn reg_operands(self, reg: Register) -> impl Iterator<Item = NamedOperand<Instr<'t>>> {
        self.lists_of_operands.set(self.lists_of_operands.get() + 1);
        let mut found = Vec::new();
        for id in self.blocks.borrow().iter().flat_map(|b| b.instrs.iter().copied()) {
            let instr = Instr { f: self, id };
            instr.with(|i| {
                let operands = i.operands.iter().enumerate().filter(|(_, op)| op.is_reg() && op.reg() == reg);
                found.extend(operands.map(|(index, &operand)| NamedOperand { instr, index, operand }));
            });
        }
        found.sort_by_key(|o| !o.operand.is_def());
        found.into_iter()
    }
    fn only_def(self, reg: Register) -> Option<VRegDef<Instr<'t>>> {
        assert!(self.defs(reg).nth(1).is_none(), "{reg:?} has several defs, where LLVM asserts one");
        self.defs(reg).next().map(|instr| VRegDef {
            instr,
            is_implicit_def: instr.kind() == InstrKind::ImplicitDef,
            is_unspillable_terminator: instr.opcode() == "LOOP_END",
        })
    }
    fn use_nodbg_empty(self, reg: Register) -> bool {
        !self.reg_operands(reg).any(|o| o.operand.is_use())
    }
}

impl<'t> BlockHandle for Block<'t> {
    type Instr = Instr<'t>;

    fn number(self) -> BlockNumber {
        BlockNumber::from_raw(self.number)
    }
    fn first(self) -> Option<Instr<'t>> {
        let blocks = self.f.blocks.borrow();
        blocks[self.number as usize].instrs.first().map(|&id| Instr { f: self.f, id })
    }
    fn last(self) -> Option<Instr<'t>> {
        let blocks = self.f.blocks.borrow();
        blocks[self.number as usize].instrs.last().map(|&id| Instr { f: self.f, id })
    }
    fn num_successors(self) -> u32 {
        self.successors().count() as u32
    }
    fn num_predecessors(self) -> u32 {
        self.predecessors().count() as u32
    }
    fn successors(self) -> impl Iterator<Item = Self> {
        let succs = self.f.blocks.borrow()[self.number as usize].succs.clone();
        succs.into_iter().map(move |number| self.f.block(number))
    }
    fn predecessors(self) -> impl Iterator<Item = Self> {
        let preds = self.f.blocks.borrow()[self.number as usize].preds.clone();
        preds.into_iter().map(move |number| self.f.block(number))
    }
}

impl<'t> InstrHandle for Instr<'t> {
    type Block = Block<'t>;

    fn key(self) -> usize {
        self.id as usize
    }
    fn block(self) -> Block<'t> {
        self.f.block(self.with(|i| i.block.expect("the instruction is in no block")))
    }
    fn next(self) -> Option<Self> {
        self.at(Some(self.position() + 1))
    }
    fn prev(self) -> Option<Self> {
        self.at(self.position().checked_sub(1))
    }
    fn kind(self) -> InstrKind {
        match self.opcode().as_str() {
            "PHI" => InstrKind::Phi,
            "COPY" => InstrKind::Copy,
            "IMPLICIT_DEF" => InstrKind::ImplicitDef,
            "INSERT_SUBREG" => InstrKind::InsertSubreg,
            "REG_SEQUENCE" => InstrKind::RegSequence,
            "EXTRACT_SUBREG" => InstrKind::ExtractSubreg,
            "STATEPOINT" => InstrKind::Statepoint,
            "INLINEASM_BR" => InstrKind::InlineAsmBr,
            "DBG_VALUE" => InstrKind::Debug,
            _ => InstrKind::Other,
        }
    }
    fn num_operands(self) -> usize {
        self.with(|i| i.operands.len())
    }
    fn operand(self, index: usize) -> Operand {
        self.with(|i| i.operands[index])
    }
    fn read_operands(self, out: &mut Vec<Operand>) {
        self.with(|i| out.clone_from(&i.operands));
    }
    fn reads_register(self, reg: Register) -> bool {
        self.with(|i| i.operands.iter().any(|op| op.is_reg() && op.reg() == reg && op.reads()))
    }
    fn set_reg(self, index: usize, reg: Register) {
        self.change(|i| i.operands[index] = i.operands[index].with_reg(reg));
    }
    fn erase(self) {
        self.remove();
    }
}

/// Methods that cannot be called, as the type has no value.
macro_rules! never {
    ($($name:ident($($arg:ty),*) $(-> $result:ty)?;)*) => {
        $(
            fn $name(self, $(_: $arg),*) $(-> $result)? {
                match self.0 {}
            }
        )*
    };
}

impl<'t> IntervalsHandle for NoIntervals<'t> {
    type Block = Block<'t>;
    type Instr = Instr<'t>;
    type Slot = ();
    type Value = ();

    never! {
        has_instr(Instr<'t>) -> bool;
        insert_instr(Instr<'t>);
        remove_instr(Instr<'t>);
        handle_move(Instr<'t>);
        repair(Block<'t>, Instr<'t>, Option<Instr<'t>>, &[Register]);
        live_in(Register, Block<'t>) -> LiveIn;
        ends_at(Instr<'t>, Register) -> bool;
        find_kill(Register, Block<'t>) -> Option<Instr<'t>>;
        overlap(Register, Register) -> bool;
        value_out(Instr<'t>, Register) -> Option<()>;
        value_at(Instr<'t>, Register) -> Option<()>;
        has_interval(Register) -> bool;
        remove_interval(Register);
        add_incoming(Register, Block<'t>, Instr<'t>);
        phi_def_to_copy(Register, Block<'t>, Instr<'t>);
        live_to_end(Register, Instr<'t>);
        end_at(Register, Instr<'t>, Block<'t>);
        insert_copy(Instr<'t>, Instr<'t>, Register, bool) -> ();
        end_at_copy(Instr<'t>, Register, (), u64);
        insert_subreg_to_copy(Instr<'t>);
        merge(Register, Register);
    }
}
