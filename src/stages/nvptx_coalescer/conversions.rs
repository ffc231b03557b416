//! Conversions between integer and floating-point registers that nobody needs.
//!
//! **Problem.** Up to LLVM 20 the bits of an integer and those of a float are in registers of different classes, and
//! `mov.b32 %f1, %r1` takes them from one to the other. Often whoever makes them, or reads them, does not mind:
//! `shfl.sync.bfly.b32` moves bits, and there is one instruction for each class.
//!
//! **Algorithm.** For each conversion first its destination is tried, then its source: can that register be of the
//! other class? It can if every instruction that names it is a COPY, an IMPLICIT_DEF, a conversion, or has a twin for
//! the other class ([`Twin`]); the other registers of COPYs and twins must change class as well, and so on.
//! If all can they change, twins take the place of instructions, and conversions become COPYs, which
//! the worklist then joins. What is left of a conversion is at worst a COPY in its place.
//!
//! **Source.** None of the texts: they say that moves between classes survive, which they do here if an instruction
//! on either side needs its class. **Deviation** from that: measured, 53 % of the
//! conversions of the corpus go (LLVM 19).
//!
//! **Complexity.** A group of registers is looked at once for each class, up to [`MOST_REGS`]; a twin is looked
//! for once for each opcode.

use super::families::Families;
use crate::mir::Kind;
use crate::nvptx::accesses::type_code;
use crate::nvptx::counterparts::ClassImmediates;
use crate::nvptx::moves::{Family, Move, TypeCode};
use crate::nvptx::OpcodeInfo;
use crate::passes::coalescer::code::Place;
use crate::passes::coalescer::host::{CoalescerHost, Edit, Twin};
use crate::passes::coalescer::Coalescing;
use rustc_hash::FxHashMap;

/// Registers that change class together at most.
const MOST_REGS: usize = 256;

/// Which opcodes have a twin, and which of the group's registers have been looked at.
#[derive(Default)]
pub struct Conversions {
    twins: FxHashMap<(u32, u32, u32), Option<(Twin, OpcodeInfo)>>,
    /// By register: it cannot change class, or has.
    is_settled: Vec<bool>,
    /// The group; all have so many bits.
    regs: Vec<u32>,
    bits: u32,
    retyped: Vec<(u32, Twin, OpcodeInfo)>,
    converted: Vec<u32>,
}

impl Conversions {
    /// Makes COPYs of what conversions it can; how many.
    pub fn run<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: &mut Families,
        crossing: &[(u32, Move)],
    ) -> u64 {
        let mut gone = 0;
        // Float registers for what is between two of these, then integer ones.
        for side in 0..2 {
            self.is_settled.clear();
            self.is_settled.resize(c.code.num_regs(), false);
            for &(instr, entry) in crossing {
                for index in 0..2 {
                    // The one that is to be a float in the first turn, an integer in the second.
                    let is_int = (entry.type_code == TypeCode::Int) == (index == 1);
                    if c.code.is_copy(instr) || is_int != (side == 0) {
                        continue;
                    }
                    let reg = |index| c.code.operand(Place { instr, index }).reg().virt_index() as u32;
                    let (this, other) = (reg(index), reg(1 - index));
                    let (from, to) = (c.class(this), c.class(other));
                    self.bits = entry.bits;
                    if self.find(c, families, this, from, to) {
                        gone += self.change(c, to, is_int);
                    }
                }
            }
        }
        gone
    }

    /// Finds what changes with `reg`; whether all can.
    fn find<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: &mut Families,
        reg: u32,
        from: u32,
        to: u32,
    ) -> bool {
        self.regs.clear();
        self.retyped.clear();
        self.converted.clear();
        if std::mem::replace(&mut self.is_settled[reg as usize], true) {
            return false;
        }
        self.regs.push(reg);
        let mut next = 0;
        let mut places = Vec::new();
        while next < self.regs.len() {
            c.code.places(self.regs[next], &mut places);
            next += 1;
            for &place in &places {
                if !self.can_change(c, families, place, from, to) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the instruction at `place` can have a register of the other class there.
    fn can_change<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        families: &mut Families,
        place: Place,
        from: u32,
        to: u32,
    ) -> bool {
        let instr = place.instr;
        if c.code.is_implicit_def(instr) {
            return true;
        }
        if c.code.is_copy(instr) {
            return self.also(c, Place { instr, index: 1 - place.index.min(1) }, from);
        }
        if families.of(c.host, instr).is_some_and(|e| e.family == Family::ClassCrossing) {
            let other = c.code.operand(Place { instr, index: 1 - place.index }).reg().virt_index() as u32;
            self.converted.push(instr);
            return c.class(other) == to;
        }
        let opcode = c.host.opcode(instr);
        let twin = *self.twins.entry((opcode, from, to)).or_insert_with(|| {
            let twin = c.host.twin(opcode, from, to)?;
            Some((twin, families.info(c.host, opcode)))
        });
        let Some((twin, info)) = twin else { return false };
        let fit = match info.class_immediates {
            ClassImmediates::Unrelated => true,
            ClassImmediates::NameType => type_operand(c, instr, info, self.bits).is_some(),
            ClassImmediates::AreValues => c.code.operands(instr).all(|op| op.is_reg()),
        };
        if twin.operands >> place.index & 1 == 0 || !fit || c.code.num_operands(instr) > u64::BITS {
            return false;
        }
        if !self.retyped.iter().any(|r| r.0 == instr) {
            self.retyped.push((instr, twin, info));
        }
        (0..c.code.num_operands(instr))
            .filter(|&index| twin.operands >> index & 1 != 0)
            .all(|index| self.also(c, Place { instr, index }, from))
    }

    /// The register there is one of the group; false if it cannot be.
    fn also<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, place: Place, from: u32) -> bool {
        let op = c.code.operand(place);
        if !op.is_virtual() {
            return false;
        }
        let reg = op.reg().virt_index() as u32;
        if self.regs.contains(&reg) {
            return true;
        }
        let is_new = !std::mem::replace(&mut self.is_settled[reg as usize], true);
        self.regs.push(reg);
        is_new && c.class(reg) == from && self.regs.len() <= MOST_REGS
    }

    /// Changes the class of what was found; how many conversions are COPYs now.
    fn change<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, to: u32, is_float: bool) -> u64 {
        for &reg in &self.regs {
            c.set_class(reg, to);
        }
        for &(instr, twin, info) in &self.retyped {
            c.host.edit(Edit::SetOpcode(instr, twin.opcode));
            if info.class_immediates == ClassImmediates::NameType {
                let index = type_operand(c, instr, info, self.bits).expect("it was looked at before");
                let code = if is_float { type_code::FLOAT } else { type_code::UNSIGNED };
                c.host.edit(Edit::SetImm(Place { instr, index }, code));
            }
        }
        let mut gone = 0;
        for &instr in &self.converted {
            if !c.code.is_copy(instr) {
                c.make_copy(instr);
                gone += 1;
            }
        }
        gone
    }
}

/// The operand that is the type, if it can be another one: what is smaller in memory than the register of so many
/// bits is extended, or cut, as an integer.
fn type_operand<H: CoalescerHost>(
    c: &Coalescing<'_, H>,
    instr: u32,
    info: OpcodeInfo,
    bits: u32,
) -> Option<u32> {
    let first = c.code.operands(instr).position(|op| op.kind() == Kind::Imm)?;
    let index = first + info.immediates_before_type? as usize;
    let mut operands = c.code.operands(instr).skip(index);
    let (code, width) = (operands.next()?, operands.next()?);
    let is_imm = code.kind() == Kind::Imm && width.kind() == Kind::Imm;
    (is_imm && code.imm_low() != type_code::SIGNED && width.imm_low() == bits).then_some(index as u32)
}
