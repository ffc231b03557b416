//! Random functions for property tests.
//!
//! **Problem.** Liveness goes wrong where graphs are odd (irreducible loops, critical edges, blocks
//! out of order) and where one instruction does several things to one register. Kernels have little
//! of either, so this makes it.
//!
//! **Algorithm.** First a graph is made, then the sites of all defs, then uses wherever every path
//! from the entry has a def. Where that is so, a forward analysis finds out (*defined on all
//! paths*). So the result is legal by construction. It is in SSA form if every register has one
//! site, because its def then dominates its uses.
//!
//! **Not made**, so not tested here:
//!
//! * uses that some path reaches without a def. LLVM rejects them in an assertion build and is
//!   lenient otherwise; the parity tests show what the tested code does then;
//! * defs by debug operands, PHIs with flags on their defs, bundles that begin a block in the
//!   middle: no `MachineFunction` has them;
//! * a register that is flagged dead though it is read, or killed though read later in a way that
//!   matters: kill flags are random because LiveVariables removes them all, dead flags are set by
//!   its test;
//! * register units (`resolve_unit`), register masks, landing pads and LLVM's own slots: they need
//!   a host;
//! * several defs of one register by one instruction, bundles and unreachable blocks for
//!   LiveVariables: LLVM never has the first in SSA form, and the others are left to the stock pass
//!   (tested as such);
//! * functions of more than some thousand instructions; thousands of registers in one group's
//!   blocks.
//!
//! Source: none, made for this. Linear in blocks times registers.

use crate::fuzzing::FEW;
use crate::mir::{BlockId, BlockNumber, FunctionFacts, InstrFlags, Operand, Register};

/// xorshift64*; the same numbers on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        // Seeds are small numbers: spread them, and never start at 0.
        Rng(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    }
    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    /// A number from `low` up to `high`, inclusive.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The properties of the function to make.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Every register has one def.
    pub ssa: bool,
    /// Some blocks may not be reachable.
    pub unreachable: bool,
    pub bundles: bool,
    /// One instruction may define a register more than once.
    pub repeated_defs: bool,
}

/// A function, and what a host would know about it.
pub struct Sample {
    pub function: FunctionFacts,
    /// By virtual register.
    pub predicates: Vec<bool>,
}

#[derive(Default)]
struct Block {
    /// By PHI: the register that it defines.
    phis: Vec<usize>,
    entries: Vec<Vec<Def>>,
}

#[derive(Clone, Copy)]
struct Def {
    reg: usize,
    early_clobber: bool,
    part: bool,
}

/// Operands that stay in one instruction.
type Unit = Vec<Operand>;

struct Maker {
    rng: Rng,
    shape: Shape,
    succs: Vec<Vec<usize>>,
    preds: Vec<Vec<usize>>,
    reachable: Vec<bool>,
    num_regs: usize,
    /// Many registers, most of them live across blocks.
    wide: bool,
    blocks: Vec<Block>,
    numbers: Vec<u32>,
}

/// Returns the function of this seed and shape. Under Miri it is a different, small one.
pub fn sample(seed: u64, shape: Shape) -> Sample {
    let mut rng = Rng::new(seed);
    let wide = !FEW && rng.percent(5);
    let num_blocks = match rng.below(200) {
        _ if FEW => rng.between(2, 6),
        0 => rng.between(60, 200),
        1..=9 if !wide => 1,
        10..=99 => rng.between(2, 6),
        100..=169 => rng.between(7, 15),
        _ => rng.between(16, 30),
    };
    let num_regs = match rng.below(20) {
        _ if FEW => rng.between(1, 10),
        _ if wide => rng.between(131, 200), // more than one group of 64 in each class
        0..=3 => rng.between(40, 90),
        4..=9 => rng.between(10, 40),
        _ => rng.between(1, 10),
    };
    let succs = graph(&mut rng, num_blocks, shape.unreachable);
    let mut preds = vec![Vec::new(); num_blocks];
    for (block, succs) in succs.iter().enumerate() {
        succs.iter().for_each(|&s| preds[s].push(block));
    }
    let mut maker = Maker {
        reachable: reached(&succs),
        blocks: (0..num_blocks).map(|_| Block::default()).collect(),
        numbers: Vec::new(),
        rng,
        shape,
        succs,
        preds,
        num_regs,
        wide,
    };
    maker.place_defs();
    let share = [0, 10, 50, 100][maker.rng.below(4)];
    let predicates = (0..num_regs).map(|_| maker.rng.percent(share)).collect();
    Sample { function: maker.emit(), predicates }
}

/// Returns, by block, whether it is reachable from block 0.
pub fn reached(succs: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; succs.len()];
    let mut stack = vec![0];
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut reached[block], true) {
            stack.extend(&succs[block]);
        }
    }
    reached
}

/// Makes random edges: in some styles anywhere (irreducible almost surely), in others mostly down
/// the layout.
fn graph(rng: &mut Rng, n: usize, unreachable: bool) -> Vec<Vec<usize>> {
    let mut succs = vec![Vec::new(); n];
    let style = rng.below(4);
    // LLVM's entry has no predecessors as a rule; the algorithms do not rely on it.
    let first = usize::from(!rng.percent(10));
    let anywhere = |rng: &mut Rng| if n > first { Some(rng.between(first, n - 1)) } else { None };
    for (block, out) in succs.iter_mut().enumerate() {
        match style {
            0 => {
                for _ in 0..rng.below(4) {
                    out.extend(anywhere(rng));
                }
            }
            1 => {
                if block + 1 < n && rng.percent(85) {
                    out.push(block + 1);
                }
                if rng.percent(40) {
                    out.extend(anywhere(rng));
                }
            }
            2 => {
                // Loops: down by one, back by some, out by some.
                if block + 1 < n {
                    out.push(block + 1);
                }
                if rng.percent(35) && block >= first {
                    out.push(rng.between(first.max(block.saturating_sub(6)), block));
                }
                if rng.percent(25) && block + 2 < n {
                    out.push(rng.between(block + 2, n - 1));
                }
            }
            _ => {
                // Diamonds with critical edges.
                for _ in 0..2 {
                    if block + 1 < n {
                        out.push(rng.between(block + 1, (block + 4).min(n - 1)));
                    }
                }
                if rng.percent(20) {
                    out.extend(anywhere(rng));
                }
            }
        }
        if rng.percent(8) && !out.is_empty() {
            let again = out[rng.below(out.len())];
            out.push(again);
        }
        rng.shuffle(out);
    }
    for block in 1..n {
        let reached = reached(&succs);
        let stays = unreachable && rng.percent(60);
        if !reached[block] && !stays {
            let from: Vec<usize> = (0..n).filter(|&b| reached[b]).collect();
            let from = from[rng.below(from.len())];
            let at = rng.below(succs[from].len() + 1);
            succs[from].insert(at, block);
        }
    }
    succs
}

impl Maker {
    fn place_defs(&mut self) {
        let n = self.blocks.len();
        let most = if n > 40 { 3 } else { 6 };
        for block in &mut self.blocks {
            let entries = if self.rng.percent(15) { 0 } else { self.rng.between(1, most) };
            block.entries = vec![Vec::new(); entries];
        }
        let phis = match (self.shape.ssa, self.rng.below(10)) {
            (true, 0..=6) => 25,
            (false, 0) => 15,
            _ => 0,
        };
        let reach = self.rng.between(1, n);
        for reg in 0..self.num_regs {
            let sites = match self.rng.below(20) {
                0 => 0, // named by undef uses at most
                _ if self.shape.ssa => 1,
                1..=4 => 1,
                5..=14 => self.rng.between(2, 4),
                _ => self.rng.between(5, 12),
            };
            // Most registers that have several defs have one that reaches everything.
            let from_entry = !self.shape.ssa && sites > 0 && self.rng.percent(70);
            // Some stay in a part of the function.
            let around = self.rng.below(n);
            for site in 0..sites {
                let block = match self.rng.below(4) {
                    _ if from_entry && site == 0 => 0,
                    0 => (around + self.rng.below(reach)) % n,
                    1 => self.rng.below(n.div_ceil(3)),
                    2 | 3 if self.wide => self.rng.below(n.div_ceil(3)),
                    _ => self.rng.below(n),
                };
                if !self.preds[block].is_empty() && self.rng.percent(phis) {
                    self.blocks[block].phis.push(reg);
                    continue;
                }
                let def = Def { reg, early_clobber: self.rng.percent(12), part: self.rng.percent(15) };
                let entries = &mut self.blocks[block].entries;
                if entries.is_empty() || (from_entry && site == 0 && self.rng.percent(50)) {
                    entries.insert(0, Vec::new());
                }
                let at = if from_entry && site == 0 { 0 } else { self.rng.below(entries.len()) };
                let again = entries[at].iter().any(|d| d.reg == reg);
                if !again || self.shape.repeated_defs {
                    entries[at].push(def);
                }
                if self.shape.repeated_defs && self.rng.percent(5) {
                    entries[at].push(Def { early_clobber: self.rng.percent(30), ..def });
                }
            }
        }
    }

    /// Returns, by block, the registers with a def on every path from the entry to its start. An
    /// unreachable block has none, so that it reads only what it has defined itself.
    fn defined_on_all_paths(&self) -> Vec<Vec<bool>> {
        let n = self.blocks.len();
        let mut defs = vec![vec![false; self.num_regs]; n];
        for (block, defs) in self.blocks.iter().zip(&mut defs) {
            block.phis.iter().for_each(|&reg| defs[reg] = true);
            block.entries.iter().flatten().for_each(|def| defs[def.reg] = true);
        }
        let mut start: Vec<Vec<bool>> =
            (0..n).map(|b| vec![b != 0 && self.reachable[b]; self.num_regs]).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for block in (1..n).filter(|&b| self.reachable[b]) {
                for &pred in self.preds[block].iter().filter(|&&p| self.reachable[p]) {
                    for reg in 0..self.num_regs {
                        if start[block][reg] && !start[pred][reg] && !defs[pred][reg] {
                            start[block][reg] = false;
                            changed = true;
                        }
                    }
                }
            }
        }
        start
    }

    fn pick(&mut self, defined: &[bool], recent: &[usize]) -> Option<usize> {
        if !recent.is_empty() && self.rng.percent(if self.wide { 10 } else { 40 }) {
            return Some(recent[self.rng.below(recent.len())]);
        }
        (0..4).map(|_| self.rng.below(self.num_regs)).find(|&reg| defined[reg])
    }

    fn emit(&mut self) -> FunctionFacts {
        let n = self.blocks.len();
        let ids = n + if self.rng.percent(30) { 0 } else { self.rng.below(n + 2) };
        let mut numbers: Vec<u32> = (0..ids as u32).collect();
        if ids > n || self.rng.percent(50) {
            self.rng.shuffle(&mut numbers);
        }
        numbers.truncate(n);
        self.numbers = numbers;
        let mut f = FunctionFacts::default();
        f.clear(self.num_regs, ids);
        for &number in &self.numbers {
            f.shape.push_block(BlockNumber::from_raw(number));
        }
        for succs in &self.succs {
            f.shape.succs.push_row(succs.iter().map(|&s| BlockId::from_usize(s)));
        }
        let start = self.defined_on_all_paths();
        let end: Vec<Vec<bool>> = (0..n)
            .map(|b| {
                let mut defined = start[b].clone();
                self.blocks[b].phis.iter().for_each(|&reg| defined[reg] = true);
                self.blocks[b].entries.iter().flatten().for_each(|d| defined[d.reg] = true);
                defined
            })
            .collect();
        for (block, start) in start.into_iter().enumerate() {
            let mut defined = start;
            let mut recent = Vec::new();
            for phi in std::mem::take(&mut self.blocks[block].phis) {
                let operands = self.phi(block, phi, &end);
                push_instr(&mut f, &operands, InstrFlags::PHI);
                defined[phi] = true;
                recent.push(phi);
            }
            for defs in std::mem::take(&mut self.blocks[block].entries) {
                let bundle = self.shape.bundles && self.rng.percent(12);
                let mut units = self.entry(&defs, &defined, &recent, bundle);
                self.rng.shuffle(&mut units);
                let parts = if bundle { self.rng.between(2, 3) } else { 1 };
                let size = units.len().div_ceil(parts).max(1);
                let mut chunks: Vec<&[Unit]> = units.chunks(size).collect();
                if chunks.is_empty() {
                    chunks.push(&[]);
                }
                for (i, units) in chunks.into_iter().enumerate() {
                    push_instr(
                        &mut f,
                        &units.concat(),
                        if i > 0 { InstrFlags::IN_BUNDLE } else { InstrFlags::NONE },
                    );
                }
                for def in defs {
                    defined[def.reg] = true;
                    recent.push(def.reg);
                }
            }
            f.end_block();
        }
        f
    }

    fn phi(&mut self, block: usize, reg: usize, end: &[Vec<bool>]) -> Vec<Operand> {
        let mut operands = vec![def_of(reg)];
        let mut preds = self.preds[block].clone();
        if self.rng.percent(90) {
            preds.dedup(); // a pair for every edge or for every predecessor
        }
        for pred in preds {
            let mut op = match self.pick(&end[pred], &[]) {
                Some(reg) => use_of(reg),
                None => use_of(self.rng.below(self.num_regs)).test_flag(Operand::UNDEF_SHIFT),
            };
            if self.rng.percent(10) {
                op = op.with_kill(true);
            }
            operands.extend([op, Operand::test_block(self.numbers[pred])]);
        }
        operands
    }

    /// Returns the operands of one entry, a bundle or an instruction.
    fn entry(&mut self, defs: &[Def], defined: &[bool], recent: &[usize], bundle: bool) -> Vec<Unit> {
        let mut units: Vec<Unit> = Vec::new();
        let early: Vec<usize> = defs.iter().filter(|d| d.early_clobber).map(|d| d.reg).collect();
        for d in defs {
            let mut op = def_of(d.reg);
            if d.early_clobber {
                op = op.test_flag(Operand::EARLY_CLOBBER_SHIFT);
            }
            if d.part {
                op = op.test_subreg(self.rng.between(1, 5) as u32);
                let reads = defined[d.reg] || !d.early_clobber && early.contains(&d.reg);
                if !reads || self.rng.percent(40) || self.shape.ssa {
                    op = op.test_flag(Operand::UNDEF_SHIFT);
                }
            }
            let tied = match self.rng.below(10) {
                0..=1 if defined[d.reg] && !self.shape.ssa => Some(d.reg),
                2 => self.pick(defined, recent),
                _ => None,
            };
            units.push(match tied {
                Some(reg) => {
                    let mut partner = use_of(reg).test_flag(Operand::TIED_SHIFT);
                    if d.early_clobber {
                        partner = partner.test_flag(Operand::EARLY_CLOBBER_SHIFT);
                    }
                    vec![op.test_flag(Operand::TIED_SHIFT), partner]
                }
                None => vec![op],
            });
            if bundle && self.rng.percent(40) {
                units.push(vec![use_of(d.reg).test_flag(Operand::INTERNAL_READ_SHIFT)]);
            }
        }
        for _ in 0..self.rng.below(if self.wide { 25 } else { 5 }) {
            let reg = match self.rng.below(20) {
                // After an early-clobber def, other uses of the instruction read its value.
                0..=2 if !early.is_empty() && !self.shape.ssa => Some(early[0]),
                _ => self.pick(defined, recent),
            };
            let Some(reg) = reg else { continue };
            let mut op = use_of(reg);
            if self.rng.percent(15) {
                op = op.test_subreg(self.rng.between(1, 5) as u32);
            }
            if self.rng.percent(15) {
                op = op.with_kill(true);
            }
            if self.rng.percent(10) {
                op = op.test_flag(Operand::IMPLICIT_SHIFT);
            }
            units.push(vec![op; if self.rng.percent(5) { 2 } else { 1 }]);
        }
        for _ in 0..self.rng.below(3) {
            let any = use_of(self.rng.below(self.num_regs));
            let physical = Register(self.rng.between(1, 40) as u32);
            units.push(vec![match self.rng.below(12) {
                0..=1 => any.test_flag(Operand::UNDEF_SHIFT),
                2 => any.test_flag(Operand::DEBUG_SHIFT),
                3..=4 => Operand::test_reg(physical, false, false),
                5 => Operand::test_reg(physical, true, false),
                6 => Operand::test_reg(physical, true, false).test_flag(Operand::EARLY_CLOBBER_SHIFT),
                7 => Operand::test_reg(Register::NONE, false, false),
                8 => Operand::test_reg_mask(),
                9 => Operand::test_block(self.numbers[0]),
                _ => Operand::test_imm(self.rng.below(1000) as u32),
            }]);
        }
        units
    }
}

fn def_of(reg: usize) -> Operand {
    Operand::test_reg(Register::virt(reg as u32), true, false)
}

fn use_of(reg: usize) -> Operand {
    Operand::test_reg(Register::virt(reg as u32), false, false)
}

fn push_instr(f: &mut FunctionFacts, operands: &[Operand], flags: InstrFlags) {
    f.operands.extend_from_slice(operands);
    f.first_operand.push(f.operands.len() as u32);
    f.num_operands.push(operands.len() as u32);
    let early = operands.iter().any(|op| op.is_def() && op.is_early_clobber());
    f.instr_flags.push(flags | if early { InstrFlags::EARLY_CLOBBER } else { InstrFlags::NONE });
}
