//! Halves of one value that PHIs carry side by side become one PHI of the whole (row C7, `cicc` profile).
//!
//! **Problem.** A packed value that crosses a block boundary is taken apart where it is computed and put together
//! where it is used, as SelectionDAG sees one block at a time: a software-pipelined loop on `<2 x half>` carries
//!
//! ```text
//! %lo = PHI %lo0, %entry, %lo1, %loop      ...   %lo1, %hi1 = I32toV2I16 %next
//! %hi = PHI %hi0, %entry, %hi1, %loop      ...   %lo2, %hi2 = V2I16toI32 ...
//! %v  = V2I16toI32 %lo, %hi
//! ```
//!
//! ptxas makes PRMT and MOV of that, and keeps two registers where one would do.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables. A pair of PHIs that some pack reads together is followed
//! through the PHIs that it reads, until pairs that one value was unpacked to. A pair can be replaced if everything
//! that reads a half is a pack of just this pair or the same operand of a pair that is replaced; as that goes both
//! ways, pairs that read one another stand or fall together ([`IntEqClasses`]).
//!
//! The PHI of the low half takes over the whole; the one of the high half, the packs, and unpacks that nobody
//! reads any more are erased.
//!
//! **Measured** (46 tensor-core kernels for sm_80 and sm_90, LLVM 22, ptxas 13.0): SASS instructions 0.982 of stock's,
//! down to 0.93 for one kernel; registers 0.996, no spills. Packing other values where a loop is entered, to widen
//! accumulators of half precision as well, was tried: registers 1.010, up to 1.36 for one kernel.
//!
//! **Source.** The problem is that of the wide pairs in register-coalescing.txt (row C7). **Deviation:** there pairs
//! are coalesced behind PHI elimination, where the copies of the halves are in the way. Debug values of a half are
//! lost, as there is no register of it.
//!
//! **Complexity.** O(PHIs + their readers + operands of the PHIs of pairs), nearly.

use crate::adt::IntEqClasses;
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::{InstrKind, Operand, Register};
use crate::nvptx::moves::ByOpcode;
use crate::passes::phi_elim::phis;
use crate::plugin::stats::Counters;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What the two values come over an edge as.
#[derive(Clone, Copy)]
enum Source {
    /// The halves of a register.
    Whole(Register),
    /// Another pair, by its number.
    Pair(u32),
}

/// An instruction between a value and its halves. The low half is the first operand of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Half {
    Pack,
    Unpack,
    UnpackLow,
    UnpackHigh,
}

impl Half {
    /// What an opcode of this name is, in LLVM 17 to 22.
    fn from_name(name: &str) -> Option<Half> {
        match name.trim_end_matches("_Sink") {
            "V2I16toI32" | "V2I32toI64" => Some(Half::Pack),
            "I32toV2I16" | "I64toV2I32" => Some(Half::Unpack),
            "I32toI16L" | "I64toI32L" => Some(Half::UnpackLow),
            "I32toI16H" | "I64toI32H" => Some(Half::UnpackHigh),
            _ => None,
        }
    }
}

/// Two PHIs of one block.
struct Pair<'f> {
    /// Those of the low and of the high half.
    phis: [MachineInstr<'f>; 2],
    /// In `sources`, one for each edge.
    sources: Range<usize>,
    /// A pack of this pair, or of one that reads it.
    pack: MachineInstr<'f>,
    is_possible: bool,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct WidePhis {
    halves: ByOpcode<Half>,
    operands: [Vec<Operand>; 2],
}

struct Walk<'a, 'f> {
    mf: MachineFunction<'f>,
    b: &'a mut WidePhis,
    /// By the register of a PHI, and which half it is.
    numbers: FxHashMap<(u32, usize), u32>,
    pairs: Vec<Pair<'f>>,
    sources: Vec<Source>,
    unpacks: Vec<MachineInstr<'f>>,
}

impl WidePhis {
    /// Does it to a function in SSA form; whether that was changed.
    pub fn run(&mut self, mf: MachineFunction, counters: &mut Counters) -> bool {
        if !mf.is_nvptx() || !mf.is_ssa() {
            return false;
        }
        let mut walk = Walk {
            mf,
            b: self,
            numbers: FxHashMap::default(),
            pairs: Vec::new(),
            sources: Vec::new(),
            unpacks: Vec::new(),
        };
        walk.find_packed_phis();
        walk.follow();
        let made = walk.choose();
        if made > 0 {
            walk.replace();
        }
        counters.push(("pairs of PHIs made wide", made));
        made > 0
    }

    fn half(&mut self, mf: MachineFunction, mi: MachineInstr) -> Option<Half> {
        let opcode = mi.opcode();
        self.halves.of(opcode, || Half::from_name(&mf.opcode_name(opcode)))
    }
}

impl<'f> Walk<'_, 'f> {
    /// The pairs of PHIs that a pack reads.
    fn find_packed_phis(&mut self) {
        for block in self.mf.blocks() {
            for low in phis(block) {
                let reg = low.operand(0).reg();
                let mut readers = self.mf.reg_operands(reg).filter(|o| o.operand.is_use()).map(|o| o.instr);
                if let Some((pack, high)) = readers.find_map(|r| Some((r, self.packed_with(reg, r)?))) {
                    self.pair([reg, high], pack);
                }
            }
        }
    }

    /// The high half, if `reader` packs `low`.
    fn packed_with(&mut self, low: Register, reader: MachineInstr<'f>) -> Option<Register> {
        if self.b.half(self.mf, reader) != Some(Half::Pack) {
            return None;
        }
        let operands = [0, 1, 2].map(|index| reader.operand(index));
        (operands[1].reg() == low && operands.into_iter().all(Operand::is_whole)).then(|| operands[2].reg())
    }

    /// The pair of two registers, if they are of PHIs of one block; a new one if need be. PHIs that are halves of
    /// several pairs are none.
    fn pair(&mut self, regs: [Register; 2], pack: MachineInstr<'f>) -> Option<u32> {
        let known = [0, 1].map(|which| self.numbers.get(&(regs[which].0, which)).copied());
        if known == [None, None] {
            let phi = |reg| self.mf.def(reg).filter(|d| d.kind == InstrKind::Phi).map(|d| d.instr);
            let phis = [phi(regs[0])?, phi(regs[1])?];
            if regs[0] == regs[1] || phis[0].block().number() != phis[1].block().number() {
                return None;
            }
            let number = self.pairs.len() as u32;
            self.pairs.push(Pair { phis, sources: 0..0, pack, is_possible: true });
            self.numbers.extend([((regs[0].0, 0), number), ((regs[1].0, 1), number)]);
            return Some(number);
        }
        if known[0] == known[1] {
            return known[0];
        }
        for number in known.into_iter().flatten() {
            self.pairs[number as usize].is_possible = false;
        }
        None
    }

    /// Finds what every pair reads, which may be more pairs.
    fn follow(&mut self) {
        let [mut low, mut high] = std::mem::take(&mut self.b.operands);
        for number in 0.. {
            let Some(Pair { phis, pack, .. }) = self.pairs.get(number) else { break };
            let pack = *pack;
            phis[0].read_operands(&mut low);
            phis[1].read_operands(&mut high);
            let first = self.sources.len();
            let mut is_possible = low.len() == high.len();
            for i in (1..low.len()).step_by(2) {
                // PHIs of one block have their edges in one order, unless a pass has left them otherwise.
                is_possible &= high[i + 1].block_number() == low[i + 1].block_number();
                let source = (is_possible && low[i].is_whole() && high[i].is_whole())
                    .then(|| self.source([low[i].reg(), high[i].reg()], pack));
                let Some(source) = source.flatten() else {
                    is_possible = false;
                    break;
                };
                self.sources.push(source);
            }
            let pair = &mut self.pairs[number];
            pair.sources = first..self.sources.len();
            pair.is_possible &= is_possible;
        }
        self.b.operands = [low, high];
    }

    /// What two values are, if they are halves of one.
    fn source(&mut self, regs: [Register; 2], pack: MachineInstr<'f>) -> Option<Source> {
        if let Some(pair) = self.pair(regs, pack) {
            return Some(Source::Pair(pair));
        }
        let class = self.mf.class_id(pack.operand(0).reg());
        self.unpacked(regs).filter(|&whole| self.mf.class_id(whole) == class).map(Source::Whole)
    }

    /// The register that both are unpacked from.
    fn unpacked(&mut self, [low, high]: [Register; 2]) -> Option<Register> {
        let (low_def, high_def) = (self.mf.def(low)?.instr, self.mf.def(high)?.instr);
        let whole = match (self.b.half(self.mf, low_def)?, self.b.half(self.mf, high_def)?) {
            (Half::Unpack, Half::Unpack)
                if low_def.operand(0).reg() == low && low_def.operand(1).reg() == high =>
            {
                low_def.operand(2)
            }
            (Half::UnpackLow, Half::UnpackHigh)
                if low_def.operand(1).is_reg() && low_def.operand(1) == high_def.operand(1) =>
            {
                low_def.operand(1)
            }
            _ => return None,
        };
        self.unpacks.extend([low_def, high_def]);
        whole.is_whole().then(|| whole.reg())
    }

    /// Leaves possible the pairs that can be replaced with all that they read and are read by; how many.
    fn choose(&mut self) -> u64 {
        let mut classes = IntEqClasses::default();
        classes.reset(self.pairs.len());
        for number in 0..self.pairs.len() {
            for source in &self.sources[self.pairs[number].sources.clone()] {
                if let Source::Pair(other) = *source {
                    classes.join(number as u32, other);
                }
            }
            let only_pairs = self.is_read_as_pair(number);
            self.pairs[number].is_possible &= only_pairs;
        }
        let mut is_possible = vec![true; self.pairs.len()];
        for (number, pair) in self.pairs.iter().enumerate() {
            let leader = classes.leader(number as u32) as usize;
            let class_of = |pair: &Pair| self.mf.class_id(pair.pack.operand(0).reg());
            is_possible[leader] &= pair.is_possible && class_of(pair) == class_of(&self.pairs[leader]);
        }
        let mut made = 0;
        for (number, pair) in self.pairs.iter_mut().enumerate() {
            pair.is_possible = is_possible[classes.leader(number as u32) as usize];
            made += u64::from(pair.is_possible);
        }
        made
    }

    /// Whether nothing reads a half but packs of the pair, and PHIs of a pair that reads this one.
    fn is_read_as_pair(&mut self, number: usize) -> bool {
        let pair = &self.pairs[number];
        let regs = pair.phis.map(|phi| phi.operand(0).reg());
        let class = self.mf.class_id(pair.pack.operand(0).reg());
        [0, 1].into_iter().all(|which| {
            self.mf.reg_operands(regs[which]).filter(|o| o.operand.is_use() && !o.operand.is_debug()).all(
                |o| {
                    if o.instr.kind() == InstrKind::Phi {
                        let reader = self.numbers.get(&(o.instr.operand(0).reg().0, which));
                        let source = reader.and_then(|&reader| {
                            self.sources[self.pairs[reader as usize].sources.clone()].get(o.index / 2)
                        });
                        return matches!(source, Some(&Source::Pair(read)) if read as usize == number);
                    }
                    o.index == which + 1
                        && self.packed_with(regs[0], o.instr) == Some(regs[1])
                        && self.mf.class_id(o.instr.operand(0).reg()) == class
                },
            )
        })
    }

    /// Replaces the pairs that are possible.
    fn replace(&mut self) {
        let mf = self.mf;
        let whole = |pair: &Pair| pair.is_possible.then(|| mf.new_reg_like(pair.pack.operand(0).reg()));
        let wholes: Vec<Option<Register>> = self.pairs.iter().map(whole).collect();
        let mut gone: Vec<MachineInstr> = Vec::new();
        let mut users = Vec::new();
        for (pair, whole) in self.pairs.iter().zip(&wholes) {
            let &Some(whole) = whole else { continue };
            let regs = pair.phis.map(|phi| phi.operand(0).reg());
            for reg in regs {
                users.clear();
                users.extend(mf.reg_operands(reg).filter(|o| o.operand.is_use()));
                for user in &users {
                    if user.operand.is_debug() {
                        user.instr.set_reg(user.index, Register::NONE);
                    } else if user.instr.kind() != InstrKind::Phi && reg == regs[0] {
                        mf.replace_reg(user.instr.operand(0).reg(), whole);
                        gone.push(user.instr);
                    }
                }
            }
            for (edge, source) in self.sources[pair.sources.clone()].iter().enumerate() {
                let index = 1 + 2 * edge;
                let value = match *source {
                    Source::Whole(reg) => reg,
                    Source::Pair(other) => wholes[other as usize].expect("what a pair reads is made with it"),
                };
                pair.phis[0].set_reg(index, value);
            }
            pair.phis[0].set_reg(0, whole);
            gone.push(pair.phis[1]);
        }
        gone.drain(..).for_each(MachineInstr::erase);
        self.erase_unread_unpacks();
    }

    fn erase_unread_unpacks(&mut self) {
        self.unpacks.sort_unstable_by_key(|mi| mi.key());
        self.unpacks.dedup_by_key(|mi| mi.key());
        for unpack in self.unpacks.drain(..) {
            let num_defs = unpack.num_described_defs();
            let defs = (0..num_defs).map(|index| unpack.operand(index).reg());
            if !defs.clone().all(|reg| self.mf.use_nodbg_empty(reg)) {
                continue;
            }
            defs.for_each(|reg| self.mf.forget_uses(reg));
            unpack.erase();
        }
    }
}
