//! LiveVariables of physical registers: their kill and dead flags.
//!
//! **Problem.** Before register allocation a physical register is live within one block only (arguments,
//! results, flags of the processor). LiveVariables flags its last use and its dead defs, and where parts of it
//! are written or read apart from the whole, adds implicit operands that say which whole is meant. NVPTX has
//! reserved ones alone, which are left as they are: for it this is one look at the operands.
//!
//! **Algorithm.** One walk over each block that knows, for each register, the last instruction that defined it
//! and the last that has read it since. Nothing is flagged when it is met: a register is *killed* when the next
//! def, a register mask or the end of the block shows that nobody reads it again; by then the last reference is
//! known and gets the flag. In an instruction uses come first, then masks, then defs. Parts of a register are
//! references to it: see [`Walk::used`] for wholes read behind defs of parts, [`Walk::killed`] for parts read
//! behind defs of wholes.
//!
//! **Source.** `LiveVariables.cpp`, the `HandlePhysReg...` half, with its peculiarities: the first instruction
//! of a block never counts as the last of several defs of parts, and a mask leaves what it has killed on
//! record. Nor is it idempotent: a second run flags, and completes by, the operands that the first has added,
//! so `-ptx-check-analyses`, which runs stock behind this, objects where parts are completed.
//! **Deviations:** live-ins of a block are not visited first, as nothing is on record there and so nothing
//! happens; only what is on record is looked at where LLVM goes through all registers of the target.
//!
//! **Complexity.** Linear in operands, times the number of parts of a register; at a mask and at the end of a
//! block linear in the registers on record. What does not depend on the function is read once for a target.

use crate::adt::{BitSet, Rows};
use crate::cfg::Cfg;
use crate::llvm::{Handles, MachineInstr};
use crate::mir::{BlockId, FunctionFacts, InstrId, Kind, Operand, Register};
use crate::versions::VERSIONS;

/// Buffers for the physical registers of a function; kept from function to function.
#[derive(Default)]
pub struct PhysRegs {
    target: TargetRegs,
    reserved: BitSet,
    record: Record,
    preorder: Vec<BlockId>,
}

impl PhysRegs {
    /// Sets the flags and adds the operands. The facts are those of the function as it is, flags of virtual
    /// registers aside; all blocks can be reached and there are no bundles.
    pub fn run(&mut self, facts: &FunctionFacts, cfg: &Cfg, handles: Handles) {
        let physical = |op: &&Operand| op.is_reg() && op.reg().is_physical();
        if !facts.operands.iter().any(|op| physical(&op)) {
            return;
        }
        self.reserved.reset(handles.num_registers());
        for reg in handles.reserved_registers() {
            self.reserved.insert(reg as usize);
        }
        let reserved = &self.reserved;
        // Without one neither masks nor live-ins have anything to act on.
        if facts.operands.iter().filter(physical).all(|op| reserved.contains(op.reg().0 as usize)) {
            return;
        }
        self.target.read(handles);
        self.record.reset(self.target.len());
        // LLVM's order: that of the blocks shows in the chains of the registers that get new operands.
        self.preorder.resize(facts.shape.num_blocks(), BlockId::from_raw(0));
        for (block, &order) in cfg.preorder.iter_enumerated() {
            self.preorder[order as usize] = block;
        }
        let mut walk = Walk {
            target: &self.target,
            reserved,
            handles,
            num_supported: handles.num_supported_registers(),
            start: 0,
            boundaries: 0,
            record: &mut self.record,
        };
        for &block in &self.preorder {
            walk.block(facts, block);
        }
    }
}

/// What the registers of a target are made of.
#[derive(Default)]
struct TargetRegs {
    /// [`Handles::register_table`] that the rest was read of.
    table: usize,
    parts: Rows,
    wholes: Rows,
}

impl TargetRegs {
    fn read(&mut self, handles: Handles) {
        let table = handles.register_table();
        if self.table == table {
            return;
        }
        self.table = table;
        self.parts.clear();
        self.wholes.clear();
        // Row 0 is that of no register.
        self.parts.push_row([]);
        self.wholes.push_row([]);
        for reg in (1..handles.num_registers() as u32).map(Register) {
            self.parts.push_row(handles.sub_registers(reg));
            self.wholes.push_row(handles.super_registers(reg));
        }
    }
    fn len(&self) -> usize {
        self.parts.len()
    }
    /// The parts of `reg`, larger ones ahead of their own parts.
    fn parts(&self, reg: u32) -> &[u32] {
        self.parts.row(reg as usize)
    }
    /// `reg` and its parts.
    fn inclusive(&self, reg: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(reg).chain(self.parts(reg).iter().copied())
    }
    /// What `reg` is a part of.
    fn wholes(&self, reg: u32) -> &[u32] {
        self.wholes.row(reg as usize)
    }
}

/// What the walk knows at an instruction of a block.
#[derive(Default)]
struct Record {
    /// By register, the last instruction that defined it.
    def: Vec<Option<u32>>,
    /// By register, the last instruction that has read it since.
    used: Vec<Option<u32>>,
    /// The registers that have either.
    present: BitSet,
    /// Defs of the current instruction: they take effect behind it.
    pending: Vec<u32>,
    operands: Vec<Operand>,
    /// In [`Walk::defined`]: what is defined now.
    previous: RegSet,
    /// In [`Walk::killed`]: parts that were read since the whole was defined.
    part_uses: RegSet,
    /// In [`Walk::completed`]: parts that need no mention.
    covered: RegSet,
    /// In [`Walk::block`]: what lives on in a successor.
    live_outs: RegSet,
}

impl Record {
    fn reset(&mut self, num_registers: usize) {
        self.def.clear();
        self.def.resize(num_registers, None);
        self.used.clear();
        self.used.resize(num_registers, None);
        self.present.reset(num_registers);
        self.pending.clear();
        for set in [&mut self.previous, &mut self.part_uses, &mut self.covered, &mut self.live_outs] {
            set.reset(num_registers);
        }
    }
    /// Empties it at the end of a block.
    fn forget(&mut self) {
        let mut from = 0;
        while let Some(reg) = self.present.take_first(from) {
            self.def[reg] = None;
            self.used[reg] = None;
            from = reg;
        }
    }
    fn def(&self, reg: u32) -> Option<u32> {
        self.def[reg as usize]
    }
    fn used(&self, reg: u32) -> Option<u32> {
        self.used[reg as usize]
    }
    fn has(&self, reg: u32) -> bool {
        self.present.contains(reg as usize)
    }
    fn set_def(&mut self, reg: u32, instr: u32) {
        self.def[reg as usize] = Some(instr);
        self.present.insert(reg as usize);
    }
    fn set_used(&mut self, reg: u32, instr: u32) {
        self.used[reg as usize] = Some(instr);
        self.present.insert(reg as usize);
    }
}

/// A set of registers that is emptied at once: a register is in it if its stamp is the current one.
#[derive(Default)]
struct RegSet {
    stamps: Vec<u32>,
    current: u32,
}

impl RegSet {
    fn reset(&mut self, num_registers: usize) {
        self.stamps.clear();
        self.stamps.resize(num_registers, 0);
        self.current = 1;
    }
    fn clear(&mut self) {
        match self.current.checked_add(1) {
            Some(next) => self.current = next,
            None => self.reset(self.stamps.len()),
        }
    }
    fn insert(&mut self, reg: u32) {
        self.stamps[reg as usize] = self.current;
    }
    fn extend(&mut self, regs: impl Iterator<Item = u32>) {
        regs.for_each(|reg| self.insert(reg));
    }
    fn remove(&mut self, reg: u32) {
        self.stamps[reg as usize] = 0;
    }
    fn contains(&self, reg: u32) -> bool {
        self.stamps[reg as usize] == self.current
    }
}

/// The walk. Instructions are counted as in the facts, so within a block the greater one is the later.
struct Walk<'a, 'f> {
    target: &'a TargetRegs,
    reserved: &'a BitSet,
    handles: Handles<'a, 'f>,
    num_supported: usize,
    /// First instruction of the block.
    start: u32,
    /// How many block boundaries lie before it: from an instruction to its entry.
    boundaries: u32,
    record: &'a mut Record,
}

impl<'f> Walk<'_, 'f> {
    fn block(&mut self, facts: &FunctionFacts, block: BlockId) {
        self.start = facts.instr_range(block).start.raw();
        self.boundaries = block.raw() + 1;
        for i in facts.instrs(block) {
            self.instr(facts, i);
        }
        // What a common subexpression in another block has left in a register that is not allocated.
        self.record.live_outs.clear();
        for &succ in facts.shape.succs.row(block) {
            if self.handles.is_eh_pad(succ.index()) {
                continue;
            }
            for reg in self.handles.live_ins(succ.index()) {
                if !self.handles.in_allocatable_class(Register(reg)) {
                    self.record.live_outs.insert(reg);
                }
            }
        }
        let mut from = 0;
        while let Some(reg) = self.next_present(&mut from) {
            if !self.record.live_outs.contains(reg) {
                self.defined(reg, None);
            }
        }
        self.record.forget();
    }

    fn instr(&mut self, facts: &FunctionFacts, i: InstrId) {
        let mut operands = facts.operands(i);
        if facts.is_phi(i) {
            operands = &operands[..1]; // the uses are those of other blocks
        }
        let reserved = self.reserved;
        let tracked =
            |op: &Operand| op.is_reg() && op.reg().is_physical() && !reserved.contains(op.reg().0 as usize);
        let mi = self.mi(i.raw());
        let (mut any, mut masks) = (false, false);
        for (index, op) in operands.iter().enumerate() {
            masks |= op.kind() == Kind::RegMask;
            if tracked(op) {
                any = true;
                // Nothing has changed this instruction yet, so indices are those that were read.
                if op.is_use() && op.is_kill() {
                    mi.set_kill(index, false);
                } else if op.is_def() && op.is_dead() {
                    mi.set_dead(index, false);
                }
            }
        }
        if any {
            for op in operands.iter().filter(|op| tracked(op) && op.is_use() && op.reads()) {
                self.used(op.reg().0, i.raw());
            }
        }
        if masks {
            for (index, op) in operands.iter().enumerate() {
                if op.kind() == Kind::RegMask {
                    self.masked(mi, index);
                }
            }
        }
        if any {
            for op in operands.iter().filter(|op| tracked(op) && op.is_def()) {
                self.defined(op.reg().0, Some(i.raw()));
                self.record.pending.push(op.reg().0);
            }
            while let Some(reg) = self.record.pending.pop() {
                for part in self.target.inclusive(reg) {
                    self.record.set_def(part, i.raw());
                    self.record.used[part as usize] = None;
                }
            }
        }
    }

    /// `by` reads `reg`.
    fn used(&mut self, reg: u32, by: u32) {
        match (self.record.def(reg), self.record.used(reg)) {
            (None, None) => {
                // Parts were defined one by one, or nothing was and it is live into the block.
                if let Some(part_def) = self.last_part_def(reg) {
                    self.completed(reg, part_def);
                }
            }
            (Some(def), None) if !self.names_def(def, reg) => {
                // Only a whole that has it is named there.
                self.mi(def).add_implicit_def(Register(reg));
            }
            _ => {}
        }
        for part in self.target.inclusive(reg) {
            self.record.set_used(part, by);
        }
    }

    /// The last instruction, but for the first of the block, that defined a part of `reg`.
    fn last_part_def(&self, reg: u32) -> Option<u32> {
        let defs = self.target.parts(reg).iter().filter_map(|&part| self.record.def(part));
        defs.max().filter(|&def| def > self.start)
    }

    /// With `def`, the last def of a part of `reg`, all of `reg` is defined: `def` defines it, and reads the
    /// other parts. As in
    ///
    /// ```text
    /// ah = ...
    /// al = ..., implicit-def ax, implicit ah
    ///    = ax
    /// ```
    fn completed(&mut self, reg: u32, def: u32) {
        let mi = self.mi(def);
        let operands_before = VERSIONS
            .live_variables
            .last_part_reads_others
            .then(|| mi.read_operands(&mut self.record.operands));
        mi.add_implicit_def(Register(reg));
        if operands_before.is_none() {
            return;
        }
        let (target, record) = (self.target, &mut *self.record);
        let parts = target.parts(reg);
        record.covered.clear();
        // The part that it was found by, which may have no operand of its own.
        if let Some(&part) = parts.iter().find(|&&part| record.def(part) == Some(def)) {
            record.covered.insert(part);
        }
        for op in record.operands.iter().filter(|op| op.is_def() && parts.contains(&op.reg().0)) {
            record.covered.extend(target.inclusive(op.reg().0));
        }
        record.set_def(reg, def);
        for &part in parts {
            if !record.covered.contains(part) {
                mi.add_implicit_use(Register(part), false);
                record.set_def(part, def);
                record.covered.extend(target.parts(part).iter().copied());
            }
        }
    }

    /// `by`, or the end of the block, defines `reg`: what there was of it, or of its parts, is read no more.
    fn defined(&mut self, reg: u32, by: Option<u32>) {
        let (target, record) = (self.target, &mut *self.record);
        record.previous.clear();
        for part in target.inclusive(reg) {
            if !record.previous.contains(part) && record.has(part) {
                record.previous.extend(target.inclusive(part));
            }
        }
        // The largest first.
        for part in target.inclusive(reg) {
            if self.record.previous.contains(part) {
                self.killed(part, by);
            }
        }
    }

    /// What `mi` clobbers by the mask at `index` is read no more, by the largest register that it is part of.
    fn masked(&mut self, mi: MachineInstr<'f>, index: usize) {
        let mut from = 1;
        while let Some(reg) = self.next_present(&mut from) {
            if !mi.regmask_clobbers(index, Register(reg)) {
                continue;
            }
            let whole = self.target.wholes(reg).iter().rfind(|&&whole| {
                (whole as usize) < self.num_supported
                    && self.record.has(whole)
                    && mi.regmask_clobbers(index, Register(whole))
            });
            self.killed(*whole.unwrap_or(&reg), None);
        }
    }

    /// Nobody reads what is in `reg` behind this: its last reference gets the flag. `by` is the instruction
    /// that defines it next; none at a mask or at the end of the block.
    fn killed(&mut self, reg: u32, by: Option<u32>) {
        let (target, record) = (self.target, &mut *self.record);
        let (def, used) = (record.def(reg), record.used(reg));
        let Some(mut last) = used.or(def) else { return };
        let mut last_part_def = self.start;
        record.part_uses.clear();
        for &part in target.parts(reg) {
            match (record.def(part), record.used(part)) {
                (Some(part_def), _) if Some(part_def) != def => last_part_def = last_part_def.max(part_def),
                (_, Some(part_used)) => {
                    record.part_uses.extend(target.inclusive(part));
                    last = last.max(part_used);
                }
                _ => {}
            }
        }
        match def {
            Some(def) if used.is_none() => self.dead_but_for_parts(reg, def, last),
            Some(def) if last == def && by != Some(def) => {
                if last_part_def > self.start {
                    self.mi(last_part_def).add_implicit_use(Register(reg), true);
                } else {
                    self.dead(reg, def);
                }
            }
            _ => self.mi(last).add_phys_reg_killed(Register(reg)),
        }
    }

    /// The whole `reg` that `def` defines is not read, only `part_uses` of it are, the last of them by `last`:
    ///
    /// ```text
    /// dead eax = ..., implicit-def al
    ///          = killed al
    /// ```
    fn dead_but_for_parts(&mut self, reg: u32, def: u32, last: u32) {
        let target = self.target;
        let mi = self.mi(def);
        mi.add_phys_reg_dead(Register(reg));
        for &part in target.parts(reg) {
            if !self.record.part_uses.contains(part) {
                continue;
            }
            if self.record.def(part) != Some(def) || !self.names_def(def, part) {
                mi.add_implicit_def(Register(part));
            }
            match self.last_reference(part) {
                Some(part_last) => self.mi(part_last).add_phys_reg_killed(Register(part)),
                None => {
                    self.mi(last).add_phys_reg_killed(Register(part));
                    for inner in target.inclusive(part) {
                        self.record.set_used(inner, last);
                    }
                }
            }
            for &inner in target.parts(part) {
                self.record.part_uses.remove(inner);
            }
        }
    }

    /// `def` is at once the last reference of `reg`.
    fn dead(&mut self, reg: u32, def: u32) {
        let (target, mi) = (self.target, self.mi(def));
        let names = |op: &Operand| {
            let r = op.reg();
            r.0 == reg || r.is_physical() && target.parts(r.0).contains(&reg)
        };
        mi.read_operands(&mut self.record.operands);
        let op = self.record.operands.iter().find(|op| op.is_def() && names(op));
        // The operand that is added for a part is written as early as the whole.
        let early = op.is_some_and(|op| op.is_early_clobber() && op.reg().0 != reg);
        mi.add_phys_reg_dead(Register(reg));
        if early {
            if let Some(index) = self.find_def(def, reg) {
                mi.set_early_clobber(index);
            }
        }
    }

    /// The last use of `reg`, else its def, or a later use of a part that is not defined anew since.
    fn last_reference(&self, reg: u32) -> Option<u32> {
        let record = &*self.record;
        let def = record.def(reg);
        let last = record.used(reg).or(def)?;
        let of_def = |part: &&u32| record.def(**part).is_none() || record.def(**part) == def;
        let uses = self.target.parts(reg).iter().filter(of_def).filter_map(|&part| record.used(part));
        Some(uses.fold(last, u32::max))
    }

    /// The next register on record from `from` on, among those of the subtarget.
    fn next_present(&self, from: &mut usize) -> Option<u32> {
        let reg = self.record.present.first(*from).filter(|&reg| reg < self.num_supported)?;
        *from = reg + 1;
        Some(reg as u32)
    }

    fn mi(&self, instr: u32) -> MachineInstr<'f> {
        self.handles.instr(instr + self.boundaries)
    }

    /// The operand by which `instr` defines `reg` itself.
    fn find_def(&mut self, instr: u32, reg: u32) -> Option<usize> {
        self.mi(instr).read_operands(&mut self.record.operands);
        self.record.operands.iter().position(|op| op.is_def() && op.reg().0 == reg)
    }

    fn names_def(&mut self, instr: u32, reg: u32) -> bool {
        self.find_def(instr, reg).is_some()
    }
}
