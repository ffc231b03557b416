//! Computes LiveVariables the simple way, register by register, and keeps it up to date as passes
//! ask.

use super::data::{Block, InMemory, Instr, VarInfo, Variables};
use crate::mir::{BlockNumber, Operand, Register};
use crate::passes::function::{BlockHandle, FunctionHandle, InstrHandle, NamedOperand, VariablesHandle};
use std::collections::BTreeSet;

/// Computes the entry of a register, and its kill and dead flags.
pub(super) fn compute(f: &InMemory, reg: Register) {
    let Some(variables) = f.variables() else { return };
    variables.update(reg, |info| *info = VarInfo::default());
    for o in f.reg_operands(reg) {
        o.instr.set_flag(o.index, Operand::DEAD_OR_KILL_SHIFT, false);
    }
    let is_phi = |mi: Instr| mi.opcode() == "PHI";
    let in_block = |b: Block| f.reg_operands(reg).filter(move |o| o.instr.block() == b).collect::<Vec<_>>();
    let defines = |b: Block| in_block(b).iter().any(|o| o.operand.is_def());
    // Backwards from each use, to the def.
    let (mut live_in, mut live_out) = (BTreeSet::new(), BTreeSet::new());
    let mut list = Vec::new();
    for o in f.reg_operands(reg).filter(|o| o.operand.is_use() && o.operand.reads()) {
        if is_phi(o.instr) {
            list.push(f.block(o.instr.operand(o.index + 1).block_number().raw()));
        } else {
            let earlier =
                f.defs(reg).any(|d| d.block() == o.instr.block() && d.position() < o.instr.position());
            if !earlier && live_in.insert(o.instr.block().number) {
                list.extend(o.instr.block().predecessors());
            }
        }
    }
    while let Some(block) = list.pop() {
        if live_out.insert(block.number) && !defines(block) && live_in.insert(block.number) {
            list.extend(block.predecessors());
        }
    }
    for block in f.blocks() {
        let number = block.number;
        if live_in.contains(&number) && live_out.contains(&number) {
            variables.update(reg, |info| {
                info.alive.insert(number);
            });
        } else if !live_out.contains(&number) {
            let is_reader = |o: &NamedOperand<_>| !is_phi(o.instr) && o.operand.is_use() && o.operand.reads();
            let readers = in_block(block).into_iter().filter(is_reader);
            if let Some(last) = readers.max_by_key(|o| o.instr.position()) {
                variables.add_killed(reg, last.instr);
            } else if let Some(def) = f.defs(reg).find(|def| def.block() == block) {
                variables.add_dead(reg, def);
            }
        }
    }
}

pub(super) fn kills_in(f: &InMemory, block: u32) -> Vec<String> {
    let infos = f.variables.as_ref().expect("LiveVariables is kept").borrow();
    let mut out = Vec::new();
    for (reg, info) in infos.iter().enumerate() {
        let kills = info.kills.iter().map(|&id| Instr { f, id });
        let here = kills.filter(|kill| kill.block().number == block);
        out.extend(here.map(|kill| format!("%{reg}@{}", kill.position())));
    }
    out
}

pub(super) fn alive_in(f: &InMemory, reg: u32) -> Vec<u32> {
    let infos = f.variables.as_ref().expect("LiveVariables is kept").borrow();
    infos.get(reg as usize).map(|info| info.alive.iter().copied().collect()).unwrap_or_default()
}

impl<'t> Variables<'t> {
    fn read<T>(self, reg: Register, read: impl FnOnce(&VarInfo) -> T) -> T {
        self.update(reg, |info| read(info))
    }
    fn update<T>(self, reg: Register, update: impl FnOnce(&mut VarInfo) -> T) -> T {
        let mut infos = self.infos.borrow_mut();
        let index = reg.virt_index();
        if infos.len() <= index {
            infos.resize(index + 1, VarInfo::default());
        }
        update(&mut infos[index])
    }
    /// Makes the register live through the block.
    pub(crate) fn set_alive(self, reg: Register, block: u32) {
        self.update(reg, |info| info.alive.insert(block));
    }
    fn flag(mi: Instr, reg: Register, is_def: bool, value: bool) {
        let is_it = |op: &Operand| op.is_reg() && op.reg() == reg && op.is_def() == is_def;
        let index =
            mi.with(|i| i.operands.iter().position(is_it)).expect("the instruction names the register");
        mi.set_flag(index, Operand::DEAD_OR_KILL_SHIFT, value);
    }
}

impl<'t> VariablesHandle for Variables<'t> {
    type Block = Block<'t>;
    type Instr = Instr<'t>;

    fn create_var_info(self, reg: Register) {
        self.update(reg, |_| ());
    }
    fn find_kill(self, reg: Register, block: Block<'t>) -> Option<Instr<'t>> {
        let kills = self.read(reg, |info| info.kills.clone());
        kills.into_iter().map(|id| Instr { f: self.f, id }).find(|kill| kill.block() == block)
    }
    fn is_live_in(self, reg: Register, block: Block<'t>) -> bool {
        self.read(reg, |info| info.alive.contains(&block.number))
            || !self.f.defs(reg).any(|def| def.block() == block) && self.find_kill(reg, block).is_some()
    }
    fn is_live_out(self, reg: Register, block: Block<'t>) -> bool {
        block.successors().any(|s| {
            self.read(reg, |info| info.alive.contains(&s.number)) || self.find_kill(reg, s).is_some()
        })
    }
    fn lives_in(self, reg: Register, blocks: &[BlockNumber], out: &mut Vec<bool>) {
        let mut here = Vec::new();
        self.alive_blocks(reg, &mut here);
        let mut kills = Vec::new();
        self.kill_blocks(reg, &mut kills);
        here.append(&mut kills);
        out.clear();
        out.extend(blocks.iter().map(|block| here.contains(block)));
    }
    fn alive_blocks(self, reg: Register, out: &mut Vec<BlockNumber>) {
        *out = self.read(reg, |info| info.alive.iter().map(|&b| BlockNumber::from_raw(b)).collect());
    }
    fn kill_blocks(self, reg: Register, out: &mut Vec<BlockNumber>) {
        let kills = self.read(reg, |info| info.kills.clone());
        *out = kills.into_iter().map(|id| Instr { f: self.f, id }.block().number()).collect();
    }
    fn is_kill(self, reg: Register, mi: Instr<'t>) -> bool {
        self.read(reg, |info| info.kills.contains(&mi.id))
    }
    fn end_alive(self, reg: Register, block: BlockNumber) {
        self.update(reg, |info| info.alive.remove(&block.raw()));
    }
    fn remove_kill(self, reg: Register, mi: Instr<'t>) -> bool {
        self.update(reg, |info| {
            let before = info.kills.len();
            info.kills.retain(|&kill| kill != mi.id);
            info.kills.len() < before
        })
    }
    fn remove_killed(self, reg: Register, mi: Instr<'t>) -> bool {
        let was = self.remove_kill(reg, mi);
        if was {
            Variables::flag(mi, reg, false, false);
        }
        was
    }
    fn add_killed(self, reg: Register, mi: Instr<'t>) {
        self.update(reg, |info| info.kills.push(mi.id));
        Variables::flag(mi, reg, false, true);
    }
    fn replace_kill(self, reg: Register, from: Instr<'t>, to: Instr<'t>) {
        self.update(reg, |info| {
            info.kills.iter_mut().filter(|kill| **kill == from.id).for_each(|kill| *kill = to.id);
        });
    }
    fn remove_dead(self, reg: Register, mi: Instr<'t>) -> bool {
        let was = self.remove_kill(reg, mi);
        if was {
            Variables::flag(mi, reg, true, false);
        }
        was
    }
    fn add_dead(self, reg: Register, mi: Instr<'t>) {
        self.update(reg, |info| info.kills.push(mi.id));
        Variables::flag(mi, reg, true, true);
    }
    fn end_at(self, reg: Register, mi: Instr<'t>, block: BlockNumber) {
        self.update(reg, |info| info.alive.remove(&block.raw()));
        self.add_killed(reg, mi);
    }
    fn move_alive(self, into: Register, from: Register) {
        let alive = self.update(from, |info| std::mem::take(&mut info.alive));
        self.update(into, |info| info.alive.extend(alive));
    }
    fn merge(self, into: Register, from: Register) {
        let from = self.update(from, std::mem::take);
        self.update(into, |info| {
            info.alive.extend(from.alive);
            info.kills.extend(from.kills);
        });
    }
    fn recompute(self, reg: Register) {
        compute(self.f, reg);
    }
}
