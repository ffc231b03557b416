//! The stage on LLVM's function.

use super::products::{Live, Products};
use crate::llvm::{Handles, MachineFunction, MachineInstr};
use crate::mir::{InstrRun, Kind as OperandKind, Operand, Register};
use crate::nvptx::arithmetic::{self as opcodes, Arithmetic, Kind, Made, MadeOpcodes, Mode};
use crate::nvptx::moves::ByOpcode;
use crate::plugin::stats::Counters;
use crate::ssa::forms::{Defs, Forms, Op, Value};
use crate::ssa::snapshot::{address_kind, Instrs, Snapshot};
use crate::ssa::SsaFacts;
use std::cell::Cell;

/// What ptxas has room for in an instruction: 24 bits with a sign.
const MOST_OFFSET: i64 = (1 << 23) - 1;
/// Sums are gone over so often at most.
const MOST_ROUNDS: usize = 4;
/// No instruction, or no address.
const NONE: u32 = u32::MAX;
/// A register that cannot be an address.
const UNSUITED: u32 = NONE - 1;

/// A load or store.
#[derive(Clone, Copy)]
struct Access {
    instr: u32,
    /// Position of the register of the address.
    index: u32,
    mode: Mode,
    offset: i64,
    /// In `addresses`.
    address: u32,
}

/// A register that loads, stores or inline assembly take for an address.
#[derive(Clone, Copy)]
struct Address {
    reg: Register,
    form: u32,
    block: u32,
    def: u32,
    /// How many loads and stores it is the address of, and whether inline assembly reads it.
    accesses: u32,
    in_asm: bool,
    /// The offsets in these.
    offsets: (i64, i64),
    /// What it is replaced by, or with `stays` becomes the sum of: an address, and the offset on top.
    leader: Option<(u32, i64)>,
    stays: bool,
}

/// What the def of an address is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    /// Of what it would be replaced by and a constant: one instruction, which ptxas folds itself.
    OfLeader,
    /// Of two registers one of which is computed, often for such sums alone.
    OfRegisters,
    /// None of these.
    None,
}

/// A register of 32 bits that may be a sum.
#[derive(Clone, Copy)]
struct Sum32 {
    reg: Register,
    instr: u32,
    /// By `or`; a sum if no bit is set on both sides.
    is_or: bool,
    form: u32,
    /// In `sums`, the first one with the same terms in the block, or [`NONE`]; what is on top; whether it is made of that.
    leader: u32,
    more: i32,
    is_shared: bool,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct FoldAddresses {
    forms: Forms,
    /// By opcode without an offset or constant, the one with.
    twins: ByOpcode<u32>,
    made: MadeOpcodes,
    /// By virtual register: the instruction that defines it while it is there, and the number of its address.
    def: Vec<u32>,
    address_of: Vec<u32>,
    /// By virtual register: how many operands read it that nothing replaces, and how many of defs of addresses.
    reads: Vec<u32>,
    for_addresses: Vec<u32>,
    accesses: Vec<Access>,
    addresses: Vec<Address>,
    sums: Vec<Sum32>,
    products: Products,
    /// By virtual register: what defines it reads its operands no more.
    spent: Vec<bool>,
    /// How many threads a block has at most.
    threads: [u32; 3],
    order: Vec<u32>,
    leaders: Vec<u32>,
    dead: Vec<Register>,
}

/// Where the forms look up defs.
pub struct Code<'a, 'f> {
    facts: &'a SsaFacts,
    handles: Handles<'a, 'f>,
    kinds: &'a ByOpcode<Kind>,
    def: &'a [u32],
    /// How many threads a block has at most.
    threads: [u32; 3],
    values: Vec<Value>,
}

impl Defs for Code<'_, '_> {
    fn op(&mut self, reg: Register) -> Option<(Op, u32)> {
        let instr = self.def[reg.virt_index()];
        if instr == NONE {
            return None;
        }
        let operands = self.facts.operands(instr as usize);
        let flags = self.facts.instr_flags[instr as usize];
        if flags & InstrRun::IS_PHI != 0 {
            return self.counter(reg, operands);
        }
        let is_copy = flags & InstrRun::KIND == InstrRun::IS_COPY && operands.len() == 2;
        let mf = self.handles.function();
        let mi = self.handles.instr_of(&self.facts.block_of, instr);
        let (operation, bits) = match address_kind(self.kinds, mf, mi) {
            Some(Kind::Arithmetic(operation, bits)) => (operation, bits),
            _ if is_copy && mf.class_id(reg).is_some() => (Arithmetic::Is, mf.class_bits(reg)),
            _ => return None,
        };
        if !operands[0].is_virtual() || operands[0].subreg() != 0 || operands[0].reg() != reg {
            return None;
        }
        self.values.clear();
        for (index, &operand) in operands.iter().enumerate().skip(1) {
            self.values.push(match operand.kind() {
                OperandKind::Imm => Value::Imm(mi.immediate(index)),
                OperandKind::Reg if operand.reads_whole() => {
                    // A copy may be between classes.
                    if is_copy && mf.class_id(operand.reg()) != mf.class_id(reg) {
                        return None;
                    }
                    Value::Reg(operand.reg())
                }
                _ => return None,
            });
        }
        Some((opcodes::op(operation, bits, &self.values, self.threads)?, bits))
    }
}

impl<'a, 'f> Code<'a, 'f> {
    /// The code of a function that was read, with the instruction that defines each virtual register still, [`u32::MAX`] for none.
    pub fn new(facts: &'a SsaFacts, instrs: &Instrs<'a, 'f>, def: &'a [u32], threads: [u32; 3]) -> Self {
        let (handles, kinds) = (instrs.handles(), instrs.address_kinds());
        Code { facts, handles, kinds, def, threads, values: Vec::new() }
    }
    /// The function.
    pub fn function(&self) -> MachineFunction<'f> {
        self.handles.function()
    }
    /// The instruction of this number, and what it is.
    pub fn instr(&mut self, instr: u32) -> (MachineInstr<'f>, Option<Kind>) {
        let mi = self.handles.instr_of(&self.facts.block_of, instr);
        (mi, address_kind(self.kinds, self.handles.function(), mi))
    }
    /// The block of an instruction.
    pub fn block(&self, instr: u32) -> u32 {
        self.facts.block_of[instr as usize]
    }
    /// The block where a register is defined.
    pub fn block_of_def(&self, reg: Register) -> Option<u32> {
        let def = self.def[reg.virt_index()];
        (def != NONE).then(|| self.block(def))
    }
    /// Whether an instruction may go when nobody reads it.
    fn is_arithmetic(&mut self, instr: u32) -> bool {
        matches!(self.instr(instr).1, Some(Kind::Arithmetic(..)))
    }
    /// A PHI of two of which one is itself and a constant.
    fn counter(&mut self, phi: Register, operands: &[Operand]) -> Option<(Op, u32)> {
        let [_, a, _, b, _] = *operands else { return None };
        for (first, next) in [(a, b), (b, a)] {
            let def = if next.reads_whole() { self.def[next.reg().virt_index()] } else { NONE };
            if def == NONE
                || !first.reads_whole()
                || self.facts.instr_flags[def as usize] & InstrRun::IS_PHI != 0
            {
                continue;
            }
            if let Some((Op::Add(Value::Reg(reg), Value::Imm(step)), bits)) = self.op(next.reg()) {
                if reg == phi {
                    return Some((Op::Counter(Value::Reg(first.reg()), step), bits));
                }
            }
        }
        None
    }
}

/// The number of an address, a new one if need be; none of what has no def or not 64 bits.
fn number(
    addresses: &mut Vec<Address>,
    known: &mut u32,
    forms: &mut Forms,
    code: &mut Code,
    reg: Register,
) -> Option<u32> {
    let def = code.def[reg.virt_index()];
    let mf = code.handles.function();
    if *known == NONE && (def == NONE || mf.class_id(reg).is_none() || mf.class_bits(reg) != 64) {
        *known = UNSUITED;
    }
    if *known == NONE {
        *known = addresses.len() as u32;
        addresses.push(Address {
            reg,
            form: forms.of(code, reg, 64),
            block: code.block(def),
            def,
            accesses: 0,
            in_asm: false,
            offsets: (0, 0),
            leader: None,
            stays: false,
        });
    }
    (*known != UNSUITED).then_some(*known)
}

impl FoldAddresses {
    /// Does it to a function in SSA form; whether that was changed.
    pub fn run(&mut self, mf: MachineFunction, snapshot: &mut Snapshot, counters: &mut Counters) -> bool {
        let Some((facts, instrs)) = snapshot.of(mf) else { return false };
        self.def.clone_from(&facts.def);
        self.addresses.clear();
        self.sums.clear();
        self.products.clear();
        self.threads = mf.max_threads();
        if !facts.instr_flags.iter().any(|f| f & InstrRun::IN_BUNDLE != 0) {
            self.find(facts, &instrs);
        }
        if self.addresses.len() > 1 {
            self.choose(facts, &instrs);
        }
        let folded = self.addresses.iter().filter(|a| a.leader.is_some()).count() as u64;
        self.dead.clear();
        if folded > 0 {
            self.replace(facts, &instrs);
        }
        let mut erased = self.erase_dead(facts, &instrs);
        let shared = self.share_sums(facts, &instrs);
        let [shifted, narrowed, multiplied] = self.change_products(facts, &instrs);
        erased += self.erase_dead(facts, &instrs);
        counters.extend([
            ("addresses of loads and stores", self.addresses.len() as u64),
            ("addresses folded", folded),
            ("sums of a common one and a constant", shared),
            ("sums shifted once", shifted),
            ("products of 32 bits", narrowed),
            ("shifts read in loops made products of 32 bits", multiplied),
            ("instructions erased", erased),
        ]);
        folded + shared + shifted + narrowed + multiplied > 0
    }

    /// Finds loads and stores, and the forms of their addresses, and sums of two registers.
    fn find(&mut self, facts: &SsaFacts, instrs: &Instrs) {
        let num_regs = facts.shape.num_virt_regs;
        self.address_of.clear();
        self.address_of.resize(num_regs, NONE);
        self.accesses.clear();
        let mut code = Code::new(facts, instrs, &facts.def, self.threads);
        self.forms.clear(num_regs);
        for instr in 0..facts.num_instrs() as u32 {
            let operands = facts.operands(instr as usize);
            let explicit = operands.iter().position(|o| o.is_implicit()).unwrap_or(operands.len());
            let Some(&last) = operands[..explicit].last() else { continue };
            // Cheaper than to ask for the opcode: it ends with a register, or one and a constant.
            let is_offset =
                explicit > 1 && last.kind() == OperandKind::Imm && operands[explicit - 2].reads_whole();
            let may_be_asm = operands[0].kind() == OperandKind::Other && operands.len() > 2;
            if !last.reads_whole() && !is_offset && !may_be_asm {
                continue;
            }
            let (mi, kind) = code.instr(instr);
            match kind {
                Some(Kind::Access(mode)) if (mode == Mode::Offset) == is_offset => {
                    let index = explicit - 1 - usize::from(is_offset);
                    let offset = if is_offset { mi.immediate(explicit - 1) } else { 0 };
                    let reg = operands[index].reg();
                    let known = &mut self.address_of[reg.virt_index()];
                    let Some(number) = number(&mut self.addresses, known, &mut self.forms, &mut code, reg)
                    else {
                        continue;
                    };
                    let address = &mut self.addresses[number as usize];
                    let offsets = if address.accesses == 0 { (offset, offset) } else { address.offsets };
                    address.offsets = (offsets.0.min(offset), offsets.1.max(offset));
                    address.accesses += 1;
                    self.accesses.push(Access { instr, index: index as u32, mode, offset, address: number });
                }
                Some(Kind::Arithmetic(operation, 32))
                    if operation.is_sum() && operands.len() <= 3 && operands[0].is_virtual() =>
                {
                    let is_or = operation == Arithmetic::Or;
                    let reg = operands[0].reg();
                    self.sums.push(Sum32 {
                        reg,
                        instr,
                        is_or,
                        form: 0,
                        leader: NONE,
                        more: 0,
                        is_shared: false,
                    });
                }
                Some(Kind::Arithmetic(Arithmetic::Product | Arithmetic::ProductAdd, 64))
                    if facts.loops.innermost(code.block(instr)).is_some()
                        && operands[..explicit].iter().skip(1).all(|o| o.reads_whole()) =>
                {
                    let factors = [operands[1].reg(), operands[2].reg()];
                    self.products.add_product(&mut self.forms, &mut code, instr, factors);
                }
                Some(Kind::Arithmetic(Arithmetic::Add, 64)) => self.products.add_sum(instr),
                Some(Kind::Arithmetic(Arithmetic::Shl, 64)) if is_offset && explicit == 3 => {
                    let by = mi.immediate(2);
                    self.products.add_shift(&mut code, instr, operands[1].reg(), by);
                }
                Some(Kind::Asm) => {
                    for reg in operands.iter().filter(|o| o.reads_whole()).map(|o| o.reg()) {
                        let known = &mut self.address_of[reg.virt_index()];
                        if let Some(n) = number(&mut self.addresses, known, &mut self.forms, &mut code, reg) {
                            self.addresses[n as usize].in_asm = true;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Finds for every address that can be replaced what by.
    fn choose(&mut self, facts: &SsaFacts, instrs: &Instrs) {
        let mf = instrs.function();
        let FoldAddresses { forms, addresses, order, leaders, for_addresses, .. } = self;
        let (dominators, reads) = (&facts.dominators, &facts.num_reads);
        for_addresses.clear();
        for_addresses.resize(reads.len(), 0);
        for address in addresses.iter() {
            for operand in
                facts.operands(address.def as usize).iter().filter(|o| o.is_virtual() && o.is_use())
            {
                for_addresses[operand.reg().virt_index()] += 1;
            }
        }
        let (def_of, kinds) = (&facts.def, instrs.address_kinds());
        let arithmetic = |instr: u32| match address_kind(kinds, mf, instrs.instr(instr)) {
            Some(Kind::Arithmetic(operation, _)) => Some(operation),
            _ => None,
        };
        // Whether a def reads something that is computed for addresses alone, which may then go as well.
        let ends_chain = |def: u32| {
            let read = &facts.operands(def as usize)[1..];
            read.iter().filter(|o| o.is_virtual()).any(|o| {
                let reg = o.reg().virt_index();
                reads[reg] == for_addresses[reg]
            })
        };
        let sum = |def: u32, leader: Register| {
            let [_, a, b] = *facts.operands(def as usize) else { return Sum::None };
            if arithmetic(def) != Some(Arithmetic::Add) || !a.reads_whole() {
                return Sum::None;
            }
            if a.reg() == leader && b.kind() == OperandKind::Imm {
                return Sum::OfLeader;
            }
            let is_computed = |o: Operand| {
                let def = def_of[o.reg().virt_index()];
                def != NONE && arithmetic(def).is_some()
            };
            if b.reads_whole() && (is_computed(a) || is_computed(b)) {
                Sum::OfRegisters
            } else {
                Sum::None
            }
        };
        order.clear();
        order.extend(
            (0..addresses.len() as u32)
                .filter(|&a| dominators.reachable[addresses[a as usize].block as usize]),
        );
        order.sort_unstable_by(|&a, &b| {
            let [a, b] = [a, b].map(|n| &addresses[n as usize]);
            let key = |a: &Address| (dominators.preorder(a.block as usize), a.def);
            forms.terms(a.form).cmp(forms.terms(b.form)).then(key(a).cmp(&key(b)))
        });
        leaders.clear();
        for &number in order.iter() {
            let address = addresses[number as usize];
            let terms = forms.terms(address.form);
            // Once one does not dominate, it dominates nothing behind.
            while let Some(&top) = leaders.last() {
                let leader = &addresses[top as usize];
                let dominates = dominators.dominates(leader.block as usize, address.block as usize);
                if dominates && forms.terms(leader.form) == terms {
                    break;
                }
                leaders.pop();
            }
            let top = leaders.last().map(|&top| (top, sum(address.def, addresses[top as usize].reg)));
            if matches!(top, Some((_, Sum::OfLeader))) {
                continue;
            }
            let only_addresses = reads[address.reg.virt_index()] == address.accesses;
            let stays = !only_addresses;
            let leader = top.and_then(|(top, sum)| {
                let becomes_sum = address.in_asm && sum == Sum::OfRegisters;
                if !only_addresses && !becomes_sum {
                    return None;
                }
                // One addition is not worth a register that lives on from another block.
                if addresses[top as usize].block != address.block && !ends_chain(address.def) {
                    return None;
                }
                let leader = &addresses[top as usize];
                let more = forms.constant(address.form).wrapping_sub(forms.constant(leader.form)) as i64;
                let fits = |offset: i64| {
                    offset.checked_add(more).is_some_and(|sum| (-MOST_OFFSET..=MOST_OFFSET).contains(&sum))
                };
                let same_class = mf.class_id(leader.reg) == mf.class_id(address.reg);
                (same_class && fits(address.offsets.0) && fits(address.offsets.1)).then_some((top, more))
            });
            (addresses[number as usize].leader, addresses[number as usize].stays) = (leader, stays);
            if leader.is_none() {
                leaders.push(number);
            }
        }
    }

    /// Replaces them; what they read may be dead then.
    fn replace(&mut self, facts: &SsaFacts, instrs: &Instrs) {
        let mf = instrs.function();
        for access in &self.accesses {
            let address = self.addresses[access.address as usize];
            let Some((leader, more)) = address.leader.filter(|_| !address.stays) else { continue };
            let mi = instrs.instr(access.instr);
            let opcode = match access.mode {
                Mode::Offset => None,
                Mode::Register => {
                    let opcode = mi.opcode();
                    let name = || mf.opcode_named(&opcodes::with_offset(&mf.opcode_name(opcode)));
                    Some(
                        self.twins
                            .of(opcode, name)
                            .expect("every load and store has the mode with an offset"),
                    )
                }
            };
            let reg = self.addresses[leader as usize].reg;
            mi.set_address(opcode, access.index as usize, reg, access.offset + more);
        }
        for address in &self.addresses {
            let Some((leader, more)) = address.leader else { continue };
            if !address.stays {
                self.dead.push(address.reg);
                continue;
            }
            let mi = instrs.instr(address.def);
            let opcode = mi.opcode();
            let name = || mf.opcode_named(&opcodes::with_immediate(&mf.opcode_name(opcode)));
            let sum = self.twins.of(opcode, name).expect("every sum of registers has one with a constant");
            let read = &facts.operands(address.def as usize)[1..];
            self.dead.extend(read.iter().map(|o| o.reg()));
            mi.set_address(Some(sum), 1, self.addresses[leader as usize].reg, more);
        }
    }

    /// Of sums of 32 bits in one block that differ by a constant, all but the first become the sum of that and a constant, where
    /// a register of another block need not live on then, or what nobody else reads goes; how many do.
    fn share_sums(&mut self, facts: &SsaFacts, instrs: &Instrs) -> u64 {
        let mf = instrs.function();
        let FoldAddresses { forms, def, reads, sums, made, threads, spent, .. } = self;
        let block_of = &facts.block_of;
        reads.clone_from(&facts.num_reads);
        spent.clear();
        spent.resize(reads.len(), false);
        sums.retain(|s| def[s.reg.virt_index()] != NONE);
        let mut code = Code::new(facts, instrs, def, *threads);
        for sum in sums.iter_mut() {
            sum.form = forms.of(&mut code, sum.reg, 32);
        }
        // A term of its own has nothing in common with others.
        sums.retain(|s| forms.terms(s.form).iter().all(|t| t.reg != s.reg.virt_index() as u32));
        let block = |s: &Sum32| block_of[s.instr as usize];
        sums.sort_unstable_by(|a, b| {
            let terms = forms.terms(a.form).cmp(forms.terms(b.form));
            block(a).cmp(&block(b)).then(terms).then(a.instr.cmp(&b.instr))
        });
        let read = |s: &Sum32| {
            facts.operands(s.instr as usize)[1..].iter().filter(|o| o.is_virtual()).map(|o| o.reg())
        };
        let mut first = 0;
        for i in 1..sums.len() {
            let (leader, sum) = (sums[first], sums[i]);
            if block(&leader) != block(&sum) || forms.terms(leader.form) != forms.terms(sum.form) {
                first = i;
                continue;
            }
            let more = forms.constant(sum.form).wrapping_sub(forms.constant(leader.form)) as i32;
            let is_read = reads[sum.reg.virt_index()] != 0;
            if is_read && more != 0 && mf.class_id(leader.reg) == mf.class_id(sum.reg) {
                (sums[i].leader, sums[i].more) = (first as u32, more);
            }
        }
        // What one no longer reads, nobody else may read but another one.
        let mut shared = 0;
        for _ in 0..MOST_ROUNDS {
            let before = shared;
            for i in 0..sums.len() {
                let sum = sums[i];
                if sum.is_shared || sum.leader == NONE {
                    continue;
                }
                let leader = sums[sum.leader as usize];
                let is_spared = |r: Register| {
                    let from = code.def[r.virt_index()];
                    let is_far = from != NONE && block_of[from as usize] != block(&sum);
                    let of_leader = r == leader.reg || read(&leader).any(|other| other == r);
                    !of_leader && (is_far || reads[r.virt_index()] == 1)
                };
                if read(&sum).any(is_spared) {
                    sums[i].is_shared = true;
                    spent[sum.reg.virt_index()] = true;
                    shared += 1;
                    // What goes with it reads no more either.
                    self.dead.extend(read(&sum));
                    while let Some(r) = self.dead.pop() {
                        let r = r.virt_index();
                        reads[r] -= 1;
                        let from = code.def[r];
                        if reads[r] == 0 && !spent[r] && from != NONE && code.is_arithmetic(from) {
                            spent[r] = true;
                            let operands = facts.operands(from as usize)[1..].iter();
                            self.dead.extend(operands.filter(|o| o.is_virtual()).map(|o| o.reg()));
                        }
                    }
                }
            }
            if shared == before {
                break;
            }
        }
        // Where bits are clear `or` stays: ptxas makes one of several bitwise operations. What is asked of bits reads the code as
        // it was.
        for i in 0..sums.len() {
            let sum = sums[i];
            if sum.is_shared && sum.is_or {
                let leader = sums[sum.leader as usize].reg;
                let bits = forms.bits_of_register(&mut code, leader, 32);
                sums[i].is_or = bits & u64::from(sum.more as u32) == 0;
            }
        }
        for sum in sums.iter().filter(|s| s.is_shared) {
            let leader = sums[sum.leader as usize];
            self.dead.extend(read(sum));
            let addition = if sum.is_or { Made::Or32Constant } else { Made::Add32Constant };
            let opcode = made.of(addition, |name| mf.opcode_named(name));
            let mi = instrs.instr(sum.instr);
            mi.set_address(Some(opcode), 1, leader.reg, i64::from(sum.more));
        }
        shared
    }

    /// Has sums be shifted once, products multiply 32 bits, and shifts be such products; how many of each.
    fn change_products(&mut self, facts: &SsaFacts, instrs: &Instrs) -> [u64; 3] {
        let FoldAddresses { products, made, def, dead, .. } = self;
        let mut live = Live { mf: instrs.function(), kinds: instrs.address_kinds() };
        let def = Cell::from_mut(&mut def[..]).as_slice_of_cells();
        let instr = |instr: u32| {
            let is_there = def[facts.operands(instr as usize)[0].reg().virt_index()].get() == instr;
            is_there.then(|| instrs.instr(instr))
        };
        let erased = |reg: Register| {
            // New ones are behind those that the function had.
            if let Some(def) = def.get(reg.virt_index()) {
                def.set(NONE);
            }
        };
        let shifted = products.shift_sums(&mut live, made, instr, erased);
        let narrowed = products.narrow(live.mf, made, instr, dead);
        let block = |mi: MachineInstr| facts.shape.by_number[mi.block().number() as usize];
        let multiplied = products.multiply_shifts(live.mf, made, (&facts.loops, block), instr, dead);
        [shifted, narrowed, multiplied]
    }

    /// Erases what nothing reads any more, of `dead`; how many instructions that is.
    fn erase_dead(&mut self, facts: &SsaFacts, instrs: &Instrs) -> u64 {
        let mf = instrs.function();
        let mut erased = 0;
        while let Some(reg) = self.dead.pop() {
            let def = &mut self.def[reg.virt_index()];
            if *def == NONE || !mf.use_nodbg_empty(reg) {
                continue;
            }
            let mi = instrs.instr(*def);
            if !matches!(address_kind(instrs.address_kinds(), mf, mi), Some(Kind::Arithmetic(..))) {
                continue;
            }
            mf.forget_uses(reg);
            let operands = facts.operands(*def as usize);
            self.dead.extend(operands.iter().filter(|o| o.is_virtual() && o.is_use()).map(|o| o.reg()));
            *def = NONE;
            mi.erase();
            erased += 1;
        }
        erased
    }
}
