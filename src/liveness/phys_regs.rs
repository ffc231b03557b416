//! Computes LiveVariables of physical registers: sets their kill and dead flags.
//!
//! **Problem.** Before register allocation a physical register is live within one block only
//! (arguments, results, flags of the processor). LiveVariables flags its last use and its dead
//! defs. Where parts of a register are written or read separately from the whole, it adds implicit
//! operands that name the whole. NVPTX has only reserved registers, which do not change: there this
//! is one pass over the operands.
//!
//! **Algorithm.** Walk over each block. Keep, for each register, the last instruction that defined
//! it and the last that has read it since. A register is *killed* at the next def, at a register
//! mask, or at the end of the block: nothing reads it again. Then its last reference is known and
//! gets the flag. In an instruction uses come first, then masks, then defs. An operand of a part is
//! a reference to the whole as well. `Walk::used` handles wholes that are read after defs of parts,
//! `Walk::killed` parts that are read after defs of wholes.
//!
//! **Source.** The `HandlePhysReg...` functions of `LiveVariables.cpp`, with their peculiarities.
//! The first instruction of a block never counts as the last of several defs of parts. A mask does
//! not remove the registers that it kills from the record. A second run gives another result,
//! because it sees the operands that the first one added. So `-ptx-check-analyses`, which runs the
//! stock pass afterwards, reports a difference where such operands were added. **Deviations:**
//! live-ins of a block are not visited first, as that has no effect on an empty record. Where LLVM
//! visits all registers of the target, this visits those on record.
//!
//! **Complexity.** Linear in operands, times the number of parts of a register. At a mask and at
//! the end of a block, linear in the registers on record. The registers of a target are read once.

use crate::adt::{BitSet, Rows};
use crate::cfg::Cfg;
use crate::llvm::{Handles, MachineInstr};
use crate::mir::{BlockId, FunctionFacts, InstrId, Kind, Operand, Register};
use crate::versions::VERSIONS;
use index_vec::IndexVec;

index_vec::define_index_type! {
    /// The number of a physical register.
    struct PhysReg = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

impl PhysReg {
    /// Takes the number of any register. The number of a virtual register never equals that of a
    /// physical one.
    fn of(reg: Register) -> PhysReg {
        PhysReg::from_raw(reg.0)
    }
    fn register(self) -> Register {
        Register(self.raw())
    }
}

/// Buffers for the physical registers of a function; kept from function to function.
#[derive(Default)]
pub struct PhysRegs {
    target: TargetRegs,
    reserved: BitSet,
    record: Record,
    preorder: Vec<BlockId>,
}

impl PhysRegs {
    /// Sets the flags and adds the operands. The facts must be current, except for flags of virtual
    /// registers. All blocks must be reachable, and there must be no bundles.
    pub fn run(&mut self, facts: &FunctionFacts, cfg: &Cfg, handles: Handles) {
        let physical = |op: &&Operand| op.is_reg() && op.reg().is_physical();
        if !facts.operands.iter().any(|op| physical(&op)) {
            return;
        }
        self.reserved.reset(handles.num_registers());
        for reg in handles.reserved_registers() {
            self.reserved.insert(PhysReg::from_raw(reg).index());
        }
        let reserved = &self.reserved;
        // If all of them are reserved, masks and live-ins have no effect either.
        if facts.operands.iter().filter(physical).all(|op| reserved.contains(PhysReg::of(op.reg()).index())) {
            return;
        }
        self.target.read(handles);
        self.record.reset(self.target.len());
        // LLVM's order of blocks: the chains of registers show in which order operands were added.
        self.preorder.resize(facts.shape.num_blocks(), BlockId::from_raw(0));
        for (block, &order) in cfg.preorder.iter_enumerated() {
            self.preorder[order as usize] = block;
        }
        let mut walk = Walk {
            target: &self.target,
            reserved,
            handles,
            num_supported: handles.num_supported_registers(),
            start: InstrId::from_raw(0),
            boundaries: 0,
            record: &mut self.record,
        };
        for &block in &self.preorder {
            walk.block(facts, block);
        }
    }
}

/// The parts and wholes of the registers of a target.
#[derive(Default)]
struct TargetRegs {
    /// The [`Handles::register_table`] that the rest was read from.
    table: usize,
    parts: Rows<PhysReg, PhysReg>,
    wholes: Rows<PhysReg, PhysReg>,
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
        // Row 0 stands for "no register".
        self.parts.push_row([]);
        self.wholes.push_row([]);
        for reg in (1..handles.num_registers() as u32).map(Register) {
            self.parts.push_row(handles.sub_registers(reg).into_iter().map(PhysReg::from_raw));
            self.wholes.push_row(handles.super_registers(reg).into_iter().map(PhysReg::from_raw));
        }
    }
    fn len(&self) -> usize {
        self.parts.len()
    }
    /// Returns the parts of `reg`, each one before its own parts.
    fn parts(&self, reg: PhysReg) -> &[PhysReg] {
        self.parts.row(reg)
    }
    /// Lists `reg` and its parts.
    fn inclusive(&self, reg: PhysReg) -> impl Iterator<Item = PhysReg> + '_ {
        std::iter::once(reg).chain(self.parts(reg).iter().copied())
    }
    /// Returns the registers that `reg` is a part of.
    fn wholes(&self, reg: PhysReg) -> &[PhysReg] {
        self.wholes.row(reg)
    }
}

/// The defs and uses that the walk has met in a block.
#[derive(Default)]
struct Record {
    /// By register: the last instruction that defined it.
    def: IndexVec<PhysReg, Option<InstrId>>,
    /// By register: the last instruction that has read it since.
    used: IndexVec<PhysReg, Option<InstrId>>,
    /// The registers that have one of them.
    present: BitSet,
    /// The defs of the current instruction. They take effect after it.
    pending: Vec<PhysReg>,
    operands: Vec<Operand>,
    /// In [`Walk::defined`]: the parts that have a def or use.
    previous: RegSet,
    /// In `Walk::killed`: parts that were read since the whole was defined.
    part_uses: RegSet,
    /// In [`Walk::completed`]: parts that need no mention.
    covered: RegSet,
    /// In [`Walk::block`]: the registers that are live into a successor.
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
    /// Empties the record at the end of a block.
    fn forget(&mut self) {
        let mut from = 0;
        while let Some(reg) = self.present.take_first(from) {
            self.def[reg] = None;
            self.used[reg] = None;
            from = reg;
        }
    }
    fn has(&self, reg: PhysReg) -> bool {
        self.present.contains(reg.index())
    }
    fn set_def(&mut self, reg: PhysReg, instr: InstrId) {
        self.def[reg] = Some(instr);
        self.present.insert(reg.index());
    }
    fn set_used(&mut self, reg: PhysReg, instr: InstrId) {
        self.used[reg] = Some(instr);
        self.present.insert(reg.index());
    }
}

/// A set of registers that is emptied in constant time: a register is in it if its stamp is the
/// current one.
#[derive(Default)]
struct RegSet {
    stamps: IndexVec<PhysReg, u32>,
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
    fn insert(&mut self, reg: PhysReg) {
        self.stamps[reg] = self.current;
    }
    fn extend(&mut self, regs: impl Iterator<Item = PhysReg>) {
        regs.for_each(|reg| self.insert(reg));
    }
    fn remove(&mut self, reg: PhysReg) {
        self.stamps[reg] = 0;
    }
    fn contains(&self, reg: PhysReg) -> bool {
        self.stamps[reg] == self.current
    }
}

/// The walk. Instructions have the numbers of the facts: within a block, the later one has the
/// greater number.
struct Walk<'a, 'f> {
    target: &'a TargetRegs,
    reserved: &'a BitSet,
    handles: Handles<'a, 'f>,
    num_supported: usize,
    /// First instruction of the block.
    start: InstrId,
    /// How many blocks have begun: the difference between an instruction's number and its entry.
    boundaries: u32,
    record: &'a mut Record,
}

impl<'f> Walk<'_, 'f> {
    fn block(&mut self, facts: &FunctionFacts, block: BlockId) {
        self.start = facts.instr_range(block).start;
        self.boundaries = block.raw() + 1;
        for i in facts.instrs(block) {
            self.instr(facts, i);
        }
        // A register that is not allocated may be live across blocks, after the elimination of
        // common subexpressions.
        self.record.live_outs.clear();
        for &succ in facts.shape.succs.row(block) {
            if self.handles.is_eh_pad(succ.index()) {
                continue;
            }
            for reg in self.handles.live_ins(succ.index()).into_iter().map(PhysReg::from_raw) {
                if !self.handles.in_allocatable_class(reg.register()) {
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
            operands = &operands[..1]; // the uses happen in other blocks
        }
        let reserved = self.reserved;
        let tracked = |op: &Operand| {
            op.is_reg() && op.reg().is_physical() && !reserved.contains(PhysReg::of(op.reg()).index())
        };
        let mi = self.mi(i);
        let (mut any, mut masks) = (false, false);
        for (index, op) in operands.iter().enumerate() {
            masks |= op.kind() == Kind::RegMask;
            if tracked(op) {
                any = true;
                // Nothing has changed this instruction yet, so the indices that were read are
                // right.
                if op.is_use() && op.is_kill() {
                    mi.set_kill(index, false);
                } else if op.is_def() && op.is_dead() {
                    mi.set_dead(index, false);
                }
            }
        }
        if any {
            for op in operands.iter().filter(|op| tracked(op) && op.is_use() && op.reads()) {
                self.used(PhysReg::of(op.reg()), i);
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
                self.defined(PhysReg::of(op.reg()), Some(i));
                self.record.pending.push(PhysReg::of(op.reg()));
            }
            while let Some(reg) = self.record.pending.pop() {
                for part in self.target.inclusive(reg) {
                    self.record.set_def(part, i);
                    self.record.used[part] = None;
                }
            }
        }
    }

    /// Handles a read of `reg` by `by`.
    fn used(&mut self, reg: PhysReg, by: InstrId) {
        match (self.record.def[reg], self.record.used[reg]) {
            (None, None) => {
                // Parts were defined one by one. If none was, the register is live into the block.
                if let Some(part_def) = self.last_part_def(reg) {
                    self.completed(reg, part_def);
                }
            }
            (Some(def), None) if !self.names_def(def, reg) => {
                // The def names only a whole that `reg` is a part of.
                self.mi(def).add_implicit_def(reg.register());
            }
            _ => {}
        }
        for part in self.target.inclusive(reg) {
            self.record.set_used(part, by);
        }
    }

    /// Returns the last instruction that defined a part of `reg`. `None` if that is the first one
    /// of the block.
    fn last_part_def(&self, reg: PhysReg) -> Option<InstrId> {
        let defs = self.target.parts(reg).iter().filter_map(|&part| self.record.def[part]);
        defs.max().filter(|&def| def > self.start)
    }

    /// Completes the def of `reg` at `def`, the last def of a part. Adds operands by which `def`
    /// defines `reg` and reads the other parts, as in
    ///
    /// ```text
    /// ah = ...
    /// al = ..., implicit-def ax, implicit ah
    ///    = ax
    /// ```
    fn completed(&mut self, reg: PhysReg, def: InstrId) {
        let mi = self.mi(def);
        let operands_before = VERSIONS
            .live_variables
            .last_part_reads_others
            .then(|| mi.read_operands(&mut self.record.operands));
        mi.add_implicit_def(reg.register());
        if operands_before.is_none() {
            return;
        }
        let (target, record) = (self.target, &mut *self.record);
        let parts = target.parts(reg);
        record.covered.clear();
        // The part that `def` was found by. It may have no operand of its own.
        if let Some(&part) = parts.iter().find(|&&part| record.def[part] == Some(def)) {
            record.covered.insert(part);
        }
        for op in record.operands.iter().filter(|op| op.is_def() && parts.contains(&PhysReg::of(op.reg()))) {
            record.covered.extend(target.inclusive(PhysReg::of(op.reg())));
        }
        record.set_def(reg, def);
        for &part in parts {
            if !record.covered.contains(part) {
                mi.add_implicit_use(part.register(), false);
                record.set_def(part, def);
                record.covered.extend(target.parts(part).iter().copied());
            }
        }
    }

    /// Handles a def of `reg` by `by`, or the end of the block: kills `reg` and its parts.
    fn defined(&mut self, reg: PhysReg, by: Option<InstrId>) {
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

    /// Handles the register mask at `index` of `mi`: kills the registers that it clobbers. Each is
    /// killed by the largest whole that is clobbered too.
    fn masked(&mut self, mi: MachineInstr<'f>, index: usize) {
        let mut from = 1;
        while let Some(reg) = self.next_present(&mut from) {
            if !mi.regmask_clobbers(index, reg.register()) {
                continue;
            }
            let whole = self.target.wholes(reg).iter().rfind(|&&whole| {
                whole.index() < self.num_supported
                    && self.record.has(whole)
                    && mi.regmask_clobbers(index, whole.register())
            });
            self.killed(*whole.unwrap_or(&reg), None);
        }
    }

    /// Flags the last reference of `reg`, which nothing reads from here on. `by` is the instruction
    /// that defines it next, or `None` at a mask and at the end of the block.
    fn killed(&mut self, reg: PhysReg, by: Option<InstrId>) {
        let (target, record) = (self.target, &mut *self.record);
        let (def, used) = (record.def[reg], record.used[reg]);
        let Some(mut last) = used.or(def) else { return };
        let mut last_part_def = self.start;
        record.part_uses.clear();
        for &part in target.parts(reg) {
            match (record.def[part], record.used[part]) {
                (Some(part_def), _) if Some(part_def) != def => last_part_def = last_part_def.max(part_def),
                (_, Some(part_used)) => {
                    record.part_uses.extend(target.inclusive(part));
                    last = last.max(part_used);
                }
                _ => {}
            }
        }
        match def {
            Some(def) if used.is_none() => self.dead_except_for_parts(reg, def, last),
            Some(def) if last == def && by != Some(def) => {
                if last_part_def > self.start {
                    self.mi(last_part_def).add_implicit_use(reg.register(), true);
                } else {
                    self.dead(reg, def);
                }
            }
            _ => self.mi(last).add_phys_reg_killed(reg.register()),
        }
    }

    /// Handles a whole, `reg`, of which only the parts `part_uses` are read; `last` reads the last
    /// one. Flags its def `def` as dead and lets it define these parts, as in
    ///
    /// ```text
    /// dead eax = ..., implicit-def al
    ///          = killed al
    /// ```
    fn dead_except_for_parts(&mut self, reg: PhysReg, def: InstrId, last: InstrId) {
        let target = self.target;
        let mi = self.mi(def);
        mi.add_phys_reg_dead(reg.register());
        for &part in target.parts(reg) {
            if !self.record.part_uses.contains(part) {
                continue;
            }
            if self.record.def[part] != Some(def) || !self.names_def(def, part) {
                mi.add_implicit_def(part.register());
            }
            match self.last_reference(part) {
                Some(part_last) => self.mi(part_last).add_phys_reg_killed(part.register()),
                None => {
                    self.mi(last).add_phys_reg_killed(part.register());
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

    /// Flags the def of `reg` at `def` as dead: it is the last reference.
    fn dead(&mut self, reg: PhysReg, def: InstrId) {
        let (target, mi) = (self.target, self.mi(def));
        let names = |op: &Operand| {
            let named = PhysReg::of(op.reg());
            named == reg || op.reg().is_physical() && target.parts(named).contains(&reg)
        };
        mi.read_operands(&mut self.record.operands);
        let op = self.record.operands.iter().find(|op| op.is_def() && names(op));
        // LLVM adds an operand for a part. It is early-clobber if that of the whole is.
        let early = op.is_some_and(|op| op.is_early_clobber() && PhysReg::of(op.reg()) != reg);
        mi.add_phys_reg_dead(reg.register());
        if early {
            if let Some(index) = self.find_def(def, reg) {
                mi.set_early_clobber(index);
            }
        }
    }

    /// Returns the last use of `reg`, or its def if there is none, or a later use of a part that
    /// has no newer def.
    fn last_reference(&self, reg: PhysReg) -> Option<InstrId> {
        let record = &*self.record;
        let def = record.def[reg];
        let last = record.used[reg].or(def)?;
        let of_def = |part: &&PhysReg| record.def[**part].is_none() || record.def[**part] == def;
        let uses = self.target.parts(reg).iter().filter(of_def).filter_map(|&part| record.used[part]);
        Some(uses.fold(last, InstrId::max))
    }

    /// Returns the next register on record, from `from` on, that the subtarget has.
    fn next_present(&self, from: &mut usize) -> Option<PhysReg> {
        let reg = self.record.present.first(*from).filter(|&reg| reg < self.num_supported)?;
        *from = reg + 1;
        Some(PhysReg::from_usize(reg))
    }

    fn mi(&self, instr: InstrId) -> MachineInstr<'f> {
        self.handles.instr(instr.raw() + self.boundaries)
    }

    /// Returns the operand by which `instr` defines `reg` itself.
    fn find_def(&mut self, instr: InstrId, reg: PhysReg) -> Option<usize> {
        self.mi(instr).read_operands(&mut self.record.operands);
        self.record.operands.iter().position(|op| op.is_def() && PhysReg::of(op.reg()) == reg)
    }

    fn names_def(&mut self, instr: InstrId, reg: PhysReg) -> bool {
        self.find_def(instr, reg).is_some()
    }
}
