//! Binds the handles to LLVM: each call is forwarded to the handle of LLVM's object, or composed of
//! its elementary operations.

use super::{
    interval_updates, BlockHandle, FunctionHandle, InstrHandle, IntervalsHandle, NamedOperand, VRegDef,
    VariablesHandle,
};
use crate::llvm::{
    LiveIntervals, LiveVariables, MachineBasicBlock, MachineInstr, Run, SlotIndex, ValueHandle,
};
use crate::mir::{BlockNumber, InstrKind, LiveIn, Operand, Register};

/// Forwards to the inherent method of the same name. The call in the body resolves to that one.
macro_rules! forward {
    ($($name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        $(
            fn $name(self, $($arg: $ty),*) $(-> $result)? {
                Self::$name(self, $($arg),*)
            }
        )*
    };
}

/// Methods that are composed in [`interval_updates`].
macro_rules! forward_to_updates {
    ($($name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        $(
            fn $name(self, $($arg: $ty),*) $(-> $result)? {
                interval_updates::$name(self, $($arg),*)
            }
        )*
    };
}

impl<'f> FunctionHandle for Run<'f> {
    type Block = MachineBasicBlock<'f>;
    type Instr = MachineInstr<'f>;
    type Variables = LiveVariables<'f>;
    type Intervals = LiveIntervals<'f>;

    fn variables(self) -> Option<LiveVariables<'f>> {
        self.lv
    }
    fn intervals(self) -> Option<LiveIntervals<'f>> {
        self.lis
    }
    fn blocks(self) -> impl Iterator<Item = MachineBasicBlock<'f>> {
        self.mf.blocks()
    }
    fn num_virt_regs(self) -> usize {
        self.mf.num_virt_regs()
    }
    fn leave_ssa(self) {
        self.mf.leave_ssa();
    }
    fn reg_operands(self, reg: Register) -> impl Iterator<Item = NamedOperand<MachineInstr<'f>>> {
        let operands = self.mf.reg_operands(reg);
        operands.map(|o| NamedOperand { instr: o.instr, index: o.index, operand: o.operand })
    }
    fn only_def(self, reg: Register) -> Option<VRegDef<MachineInstr<'f>>> {
        self.mf.def(reg).map(|def| VRegDef {
            instr: def.instr,
            is_implicit_def: def.kind == InstrKind::ImplicitDef,
            is_unspillable_terminator: def.is_unspillable_terminator,
        })
    }
    fn use_nodbg_empty(self, reg: Register) -> bool {
        self.mf.use_nodbg_empty(reg)
    }
}

impl<'f> BlockHandle for MachineBasicBlock<'f> {
    type Instr = MachineInstr<'f>;

    forward! {
        number() -> BlockNumber;
        first() -> Option<MachineInstr<'f>>;
        last() -> Option<MachineInstr<'f>>;
        num_successors() -> u32;
        num_predecessors() -> u32;
        successors() -> impl Iterator<Item = Self>;
        predecessors() -> impl Iterator<Item = Self>;
    }
}

impl<'f> InstrHandle for MachineInstr<'f> {
    type Block = MachineBasicBlock<'f>;

    forward! {
        key() -> usize;
        kind() -> InstrKind;
        block() -> MachineBasicBlock<'f>;
        next() -> Option<Self>;
        prev() -> Option<Self>;
        num_operands() -> usize;
        operand(index: usize) -> Operand;
        read_operands(out: &mut Vec<Operand>);
        reads_register(reg: Register) -> bool;
        set_reg(index: usize, reg: Register);
    }
    fn erase(self) {
        self.free();
    }
}

impl<'f> VariablesHandle for LiveVariables<'f> {
    type Block = MachineBasicBlock<'f>;
    type Instr = MachineInstr<'f>;

    forward! {
        create_var_info(reg: Register);
        find_kill(reg: Register, block: MachineBasicBlock<'f>) -> Option<MachineInstr<'f>>;
        is_live_in(reg: Register, block: MachineBasicBlock<'f>) -> bool;
        is_live_out(reg: Register, block: MachineBasicBlock<'f>) -> bool;
        alive_blocks(reg: Register, out: &mut Vec<BlockNumber>);
        kill_blocks(reg: Register, out: &mut Vec<BlockNumber>);
        is_kill(reg: Register, mi: MachineInstr<'f>) -> bool;
        end_alive(reg: Register, block: BlockNumber);
        remove_kill(reg: Register, mi: MachineInstr<'f>) -> bool;
        remove_killed(reg: Register, mi: MachineInstr<'f>) -> bool;
        add_killed(reg: Register, mi: MachineInstr<'f>);
        replace_kill(reg: Register, from: MachineInstr<'f>, to: MachineInstr<'f>);
        remove_dead(reg: Register, mi: MachineInstr<'f>) -> bool;
        add_dead(reg: Register, mi: MachineInstr<'f>);
        end_at(reg: Register, mi: MachineInstr<'f>, block: BlockNumber);
        recompute(reg: Register);
        lives_in(reg: Register, blocks: &[BlockNumber], out: &mut Vec<bool>);
    }

    fn move_alive(self, into: Register, from: Register) {
        self.clear_alive(into);
        self.add_alive(into, from);
        self.clear_alive(from);
    }
    fn merge(self, into: Register, from: Register) {
        self.add_alive(into, from);
        self.clear_alive(from);
        for kill in self.kills(from) {
            self.add_killed(into, kill);
        }
    }
}

impl<'f> IntervalsHandle for LiveIntervals<'f> {
    type Block = MachineBasicBlock<'f>;
    type Instr = MachineInstr<'f>;
    type Slot = SlotIndex;
    type Value = ValueHandle<'f>;

    forward! {
        has_instr(mi: MachineInstr<'f>) -> bool;
        remove_instr(mi: MachineInstr<'f>);
        handle_move(mi: MachineInstr<'f>);
        repair(block: MachineBasicBlock<'f>, begin: MachineInstr<'f>, end: Option<MachineInstr<'f>>, regs: &[Register]);
        has_interval(reg: Register) -> bool;
        remove_interval(reg: Register);
        live_to_end(reg: Register, mi: MachineInstr<'f>);
    }

    forward_to_updates! {
        live_in(reg: Register, block: MachineBasicBlock<'f>) -> LiveIn;
        ends_at(mi: MachineInstr<'f>, reg: Register) -> bool;
        find_kill(reg: Register, block: MachineBasicBlock<'f>) -> Option<MachineInstr<'f>>;
        add_incoming(reg: Register, block: MachineBasicBlock<'f>, copy: MachineInstr<'f>);
        phi_def_to_copy(reg: Register, block: MachineBasicBlock<'f>, copy: MachineInstr<'f>);
        end_at(reg: Register, last: MachineInstr<'f>, block: MachineBasicBlock<'f>);
        insert_copy(copy: MachineInstr<'f>, mi: MachineInstr<'f>, dst: Register, early_clobber: bool) -> SlotIndex;
        end_at_copy(mi: MachineInstr<'f>, reg: Register, copy: SlotIndex, remaining: u64);
        insert_subreg_to_copy(mi: MachineInstr<'f>);
        merge(into: Register, from: Register);
    }

    fn insert_instr(self, mi: MachineInstr<'f>) {
        self.insert_in_maps(mi);
    }
    fn overlap(self, a: Register, b: Register) -> bool {
        self.interval(a).overlaps(self.interval(b))
    }
    fn value_out(self, mi: MachineInstr<'f>, reg: Register) -> Option<ValueHandle<'f>> {
        let has_interval = LiveIntervals::has_interval(self, reg);
        has_interval.then(|| self.interval(reg).value_out(self.instr_slot(mi))).flatten()
    }
    fn value_at(self, mi: MachineInstr<'f>, reg: Register) -> Option<ValueHandle<'f>> {
        self.interval(reg).value_at(self.instr_slot(mi))
    }
}
