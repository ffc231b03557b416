//! Removes unneeded conversions between integer and floating-point registers.
//!
//! **Problem.** Up to LLVM 20, integers and floats are in registers of different classes, and
//! `mov.b32 %f1, %r1` takes bits from one class to the other. Often the instructions that make or
//! read the bits do not need that class: `shfl.sync.bfly.b32` moves bits, and exists for each
//! class.
//!
//! **Algorithm.** A conversion is a candidate of [`super::worklist`]. It asks first of its integer
//! register, then of its float register: can the register have the other class? It can if every
//! instruction that names it is a COPY, an IMPLICIT_DEF, a conversion, or has a [`Twin`] for the
//! other class. The other registers of COPYs and twins must change class as well, and so on. If all
//! of them can, they do. Twins replace instructions, and conversions become COPYs, which the
//! worklist then joins. At worst a COPY replaces a conversion.
//!
//! **Source.** None of the references: they say that moves between classes stay. Here they stay if
//! an instruction on either side needs its class.
//!
//! **Complexity.** A group of up to `MAX_REGS` registers is tried once for each class in each round
//! of the worklist. A twin is looked up once for each opcode.

use super::families::Families;
use crate::mir::{InstrId, Kind, RegClassId, VRegId};
use crate::nvptx::accesses::type_code;
use crate::nvptx::counterparts::ClassImmediates;
use crate::nvptx::moves::{Family, Move, TypeCode};
use crate::nvptx::OpcodeInfo;
use crate::passes::coalescer::code::Place;
use crate::passes::coalescer::host::{CoalescerHost, Edit, Twin};
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;

/// At most this many registers change class together.
const MAX_REGS: usize = 256;

/// The class that a group of registers has, and the one that it would get.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ClassChange {
    from: RegClassId,
    to: RegClassId,
}

/// The known twins of opcodes, and the group of registers that is tried.
#[derive(Default)]
pub struct Conversions {
    twins: FxHashMap<(u32, ClassChange), Option<(Twin, OpcodeInfo)>>,
    /// By register and target class: the last round in which the register was tried. It then
    /// changed, or cannot change in that round.
    settled: [IndexVec<VRegId, u32>; 2],
    round: u32,
    /// Whether the group would become floating-point, otherwise integer.
    becomes_float: bool,
    /// The group. All its registers have `bits` bits.
    regs: Vec<VRegId>,
    bits: u32,
    /// Instructions that their twins replace.
    retyped: Vec<(InstrId, Twin, OpcodeInfo)>,
    /// Conversions that become COPYs.
    converted: Vec<InstrId>,
}

impl Conversions {
    /// Begins with a function.
    pub fn begin(&mut self, num_regs: usize) {
        for settled in &mut self.settled {
            settled.clear();
            settled.resize(num_regs, 0);
        }
        self.round = 1;
    }
    /// Begins a round: registers that could not change class may be able to now.
    pub fn begin_round(&mut self) {
        self.round += 1;
    }
    /// Returns the conversions that became COPYs in the last attempt.
    pub fn made_copies(&self) -> &[InstrId] {
        &self.converted
    }

    /// Makes a conversion a COPY if no instruction needs its classes, and others with it. Returns
    /// whether it is a COPY now.
    pub fn attempt<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        instr: InstrId,
        of: Move,
    ) -> bool {
        let (dst, src) = c.code.copy_vregs(instr).expect("a move of virtual registers");
        let (int, float) = if of.type_code == TypeCode::Int { (src, dst) } else { (dst, src) };
        self.bits = of.bits;
        for (this, other) in [(int, float), (float, int)] {
            self.becomes_float = this == int;
            let change = ClassChange { from: c.class(this), to: c.class(other) };
            if self.find_group(c, families, this, change) {
                self.change_group(c, change.to);
                return true;
            }
        }
        false
    }

    /// Notes that a register is tried. Returns whether it was tried in this round before.
    fn settle(&mut self, reg: VRegId) -> bool {
        let settled = &mut self.settled[usize::from(self.becomes_float)];
        if reg >= settled.len_idx() {
            settled.resize(reg.index() + 1, 0);
        }
        std::mem::replace(&mut settled[reg], self.round) == self.round
    }

    /// Finds the registers that must change class with `reg`. Returns whether all of them can.
    fn find_group<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        reg: VRegId,
        change: ClassChange,
    ) -> bool {
        self.regs.clear();
        self.retyped.clear();
        self.converted.clear();
        if self.settle(reg) {
            return false;
        }
        self.regs.push(reg);
        let mut next = 0;
        let mut places = Vec::new();
        while next < self.regs.len() {
            c.code.places(self.regs[next], &mut places);
            next += 1;
            for &place in &places {
                if !self.can_change(c, families, place, change) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether the instruction at `place` can have a register of the other class there.
    /// Adds the registers that must change with it to the group.
    fn can_change<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: Families,
        place: Place,
        change: ClassChange,
    ) -> bool {
        let instr = place.instr;
        if c.code.is_implicit_def(instr) {
            return true;
        }
        if c.code.is_copy(instr) {
            return self.add_to_group(c, Place { instr, index: 1 - place.index.min(1) }, change.from);
        }
        if families.of(c.host, instr).is_some_and(|e| e.family == Family::ClassCrossing) {
            self.converted.push(instr);
            let (dst, src) = c.code.copy_vregs(instr).expect("a move of virtual registers");
            return c.class(if place.index == 0 { src } else { dst }) == change.to;
        }
        let opcode = c.host.opcode(instr);
        let twin = *self.twins.entry((opcode, change)).or_insert_with(|| {
            let twin = c.host.twin(opcode, change.from, change.to)?;
            Some((twin, families.info(c.host, opcode)))
        });
        let Some((twin, info)) = twin else { return false };
        let fits = match info.class_immediates {
            ClassImmediates::Unrelated => true,
            ClassImmediates::NameType => type_operand(c, instr, info, self.bits).is_some(),
            ClassImmediates::AreValues => c.code.operands(instr).all(|op| op.is_reg()),
        };
        if twin.operands >> place.index & 1 == 0 || !fits || c.code.num_operands(instr) > u64::BITS {
            return false;
        }
        if !self.retyped.iter().any(|r| r.0 == instr) {
            self.retyped.push((instr, twin, info));
        }
        (0..c.code.num_operands(instr))
            .filter(|&index| twin.operands >> index & 1 != 0)
            .all(|index| self.add_to_group(c, Place { instr, index }, change.from))
    }

    /// Adds the register at `place` to the group unless it is in it. False if it cannot change
    /// class.
    fn add_to_group<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        place: Place,
        from: RegClassId,
    ) -> bool {
        let op = c.code.operand(place);
        let Some(reg) = Some(op).filter(|op| op.is_reg()).and_then(|op| op.reg().vreg()) else {
            return false;
        };
        if self.regs.contains(&reg) {
            return true;
        }
        let is_new = !self.settle(reg);
        self.regs.push(reg);
        is_new && c.class(reg) == from && self.regs.len() <= MAX_REGS
    }

    /// Gives the group its other class.
    fn change_group<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, to: RegClassId) {
        for &reg in &self.regs {
            c.set_class(reg, to);
        }
        for &(instr, twin, info) in &self.retyped {
            c.host.edit(Edit::SetOpcode(instr, twin.opcode));
            if info.class_immediates == ClassImmediates::NameType {
                let index = type_operand(c, instr, info, self.bits).expect("it was looked at before");
                let code = if self.becomes_float { type_code::FLOAT } else { type_code::UNSIGNED };
                c.host.edit(Edit::SetImm(Place { instr, index }, code));
            }
        }
        self.converted.sort_unstable();
        self.converted.dedup();
        for &instr in &self.converted {
            c.make_copy(instr);
        }
    }
}

/// Finds the type operand of a load or store, if that can be another type. It cannot where the
/// value in memory is smaller than the register: then it is extended or cut as an integer.
fn type_operand<H: CoalescerHost>(
    c: &Coalescing<'_, H>,
    instr: InstrId,
    info: OpcodeInfo,
    bits: u32,
) -> Option<u32> {
    let (first, _) = c.code.places_of(instr).find(|(_, op)| op.kind() == Kind::Imm)?;
    let index = first.index + info.immediates_before_type?;
    let mut operands = c.code.operands(instr).skip(index as usize);
    let (code, width) = (operands.next()?, operands.next()?);
    let is_imm = code.kind() == Kind::Imm && width.kind() == Kind::Imm;
    (is_imm && code.imm_low() != type_code::SIGNED && width.imm_low() == bits).then_some(index)
}
