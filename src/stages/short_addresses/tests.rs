//! Tests the algorithm on functions in memory.

use super::demand::Demand;
use super::edits::{Counts, Edit, Editor};
use super::roles::{Role, Roles};
use crate::mir::{AddressSpace, InstrId, VRegId};
use crate::ssa::testing::{imm, reg, TestFunction};

const SHARED: AddressSpace = AddressSpace::Shared;
const GLOBAL: AddressSpace = AddressSpace::Global;

/// A function under construction.
struct Builder {
    f: TestFunction,
    num_instrs: usize,
}

impl Builder {
    fn new(num_regs: usize, num_blocks: usize, narrow: &[u32]) -> Builder {
        let mut f = TestFunction::new(num_regs, num_blocks);
        f.machine.regs_of_32_bits = narrow.iter().map(|&r| VRegId::from_raw(r)).collect();
        Builder { f, num_instrs: 0 }
    }
    fn op(&mut self, name: &'static str, result: u32, inputs: &[crate::ssa::forms::Value]) {
        self.f.op(name, result, inputs);
        self.num_instrs += 1;
    }
    fn phi(&mut self, result: u32, incoming: &[(u32, u32)]) {
        self.f.phi(result, incoming);
        self.num_instrs += 1;
    }
    /// Appends a load of 32 bits from an address space.
    fn load(&mut self, result: u32, address: u32, space: AddressSpace) {
        let inputs =
            [imm(0), imm(0), imm(i64::from(space.number())), imm(3), imm(32), imm(-1), reg(address), imm(8)];
        let instr = self.f.instr("LD_i32", &[result], &inputs);
        self.f.machine.spaces.insert(instr, space);
        self.num_instrs += 1;
    }
    /// Appends a store of 64 bits to an address space.
    fn store(&mut self, value: u32, address: u32, space: AddressSpace) {
        let inputs =
            [reg(value), imm(0), imm(0), imm(i64::from(space.number())), imm(64), reg(address), imm(0)];
        let instr = self.f.instr("ST_i64", &[], &inputs);
        self.f.machine.spaces.insert(instr, space);
        self.num_instrs += 1;
    }
    /// Ends the only block and returns the edits.
    fn edits(mut self) -> (Vec<Edit>, Counts) {
        self.f.end_block(&[]);
        self.finish()
    }
    fn finish(self) -> (Vec<Edit>, Counts) {
        let (facts, machine) = self.f.finish();
        let (mut demand, mut edits) = (Demand::default(), Vec::new());
        demand.find(&facts, &machine);
        let counts = Editor::new(Roles { facts: &facts, machine: &machine }, &demand, &mut edits).run();
        (edits, counts)
    }
}

fn v(reg: u32) -> VRegId {
    VRegId::from_raw(reg)
}
fn i(instr: usize) -> InstrId {
    InstrId::from_usize(instr)
}
fn narrowed(edits: &[Edit]) -> Vec<u32> {
    let narrow = |edit: &Edit| if let Edit::Narrow(reg) = edit { Some(reg.raw()) } else { None };
    edits.iter().filter_map(narrow).collect()
}

#[test]
fn an_address_and_what_it_is_computed_of_become_narrow() {
    // 0: index, 1: parameter, 2: product, 3: sum, 4: loaded
    let mut b = Builder::new(5, 1, &[0, 4]);
    b.op("MUL_WIDEs32_ri", 2, &[reg(0), imm(12)]);
    b.op("ADD64rr", 3, &[reg(1), reg(2)]);
    b.load(4, 3, SHARED);
    let (edits, counts) = b.edits();
    assert_eq!(
        edits,
        [
            Edit::Narrow(v(2)),
            Edit::LowHalf(i(0)),
            Edit::Narrow(v(3)),
            Edit::Truncate { of: v(1), result: v(5) },
            Edit::SetRead { instr: i(1), operand: 1, reg: v(5) },
            Edit::LowHalf(i(1)),
            Edit::ShortAddress(i(2)),
        ]
    );
    assert_eq!(counts, Counts { addresses: 1, registers: 2, conversions: 0, truncations: 1 });
}

#[test]
fn an_address_of_global_memory_stays() {
    let mut b = Builder::new(5, 1, &[0, 4]);
    b.op("MUL_WIDEs32_ri", 2, &[reg(0), imm(12)]);
    b.op("ADD64rr", 3, &[reg(1), reg(2)]);
    b.load(4, 3, GLOBAL);
    assert_eq!(b.edits().0, []);
}

#[test]
fn a_register_that_is_read_whole_stays_and_is_truncated() {
    // Register 2 is the index of both a shared and a global address.
    let mut b = Builder::new(7, 1, &[0, 5, 6]);
    b.op("MUL_WIDEs32_ri", 2, &[reg(0), imm(4)]);
    b.op("ADD64rr", 3, &[reg(1), reg(2)]);
    b.op("ADD64ri", 4, &[reg(2), imm(0x1_0000_0010)]);
    b.load(5, 3, GLOBAL);
    b.load(6, 4, SHARED);
    let (edits, _) = b.edits();
    assert_eq!(narrowed(&edits), [4]);
    assert!(edits.contains(&Edit::Truncate { of: v(2), result: v(7) }));
}

#[test]
fn a_stored_address_stays() {
    let mut b = Builder::new(4, 1, &[3]);
    b.op("ADD64ri", 1, &[reg(0), imm(4)]);
    b.load(3, 1, SHARED);
    b.store(1, 1, SHARED);
    assert_eq!(b.edits().0, []);
}

#[test]
fn a_right_shift_stays_and_a_left_shift_by_32() {
    for (name, by, expected) in [("SHL64_ri", 31, true), ("SHL64_ri", 32, false), ("SRL64_ri", 3, false)] {
        let mut b = Builder::new(4, 1, &[3]);
        b.op(name, 1, &[reg(0), imm(by)]);
        b.op("ADD64ri", 2, &[reg(1), imm(4)]);
        b.load(3, 2, SHARED);
        assert_eq!(narrowed(&b.edits().0), if expected { vec![1, 2] } else { vec![2] }, "{name} {by}");
    }
}

#[test]
fn extensions_and_truncations_go() {
    // 1: extension of 0, 2: its sum, 3: truncation of 2, 4: extension of 3
    let mut b = Builder::new(7, 1, &[0, 3, 5]);
    b.op("CVT_s64_s32", 1, &[reg(0), imm(0)]);
    b.op("ADD64ri", 2, &[reg(1), imm(4)]);
    b.load(5, 2, SHARED);
    b.op("CVT_u32_u64", 3, &[reg(2), imm(0)]);
    b.op("CVT_u64_u32", 4, &[reg(3), imm(0)]);
    b.op("SHL64_ri", 6, &[reg(4), imm(1)]);
    b.load(5, 6, SHARED);
    let (edits, counts) = b.edits();
    assert_eq!(narrowed(&edits), [2, 6]);
    assert!(edits.contains(&Edit::SetRead { instr: i(1), operand: 1, reg: v(0) }));
    assert!(edits.contains(&Edit::SetRead { instr: i(5), operand: 1, reg: v(2) }));
    let replaced: Vec<_> = edits.iter().filter(|e| matches!(e, Edit::Replace { .. })).collect();
    assert_eq!(
        replaced,
        [
            &Edit::Replace { reg: v(1), by: v(0) },
            &Edit::Replace { reg: v(3), by: v(2) },
            &Edit::Replace { reg: v(4), by: v(2) },
        ]
    );
    assert_eq!(counts.conversions, 3);
}

#[test]
fn a_conversion_with_a_mode_is_none() {
    let mut b = Builder::new(4, 1, &[0, 3]);
    b.op("CVT_s64_s32", 1, &[reg(0), imm(16)]);
    b.op("ADD64ri", 2, &[reg(1), imm(4)]);
    b.load(3, 2, SHARED);
    let (edits, _) = b.edits();
    assert!(edits.contains(&Edit::Truncate { of: v(1), result: v(4) }));
}

#[test]
fn a_pointer_that_walks_becomes_narrow_through_its_phi() {
    // 0: start, 1: pointer, 2: next, 3: loaded
    let mut b = Builder::new(4, 2, &[3]);
    b.op("MOV_B64_i", 0, &[imm(64)]);
    b.f.end_block(&[1]);
    b.phi(1, &[(0, 0), (2, 1)]);
    b.load(3, 1, SHARED);
    b.op("ADD64ri", 2, &[reg(1), imm(4)]);
    b.f.end_block(&[1]);
    assert_eq!(narrowed(&b.finish().0), [0, 1, 2]);
}

#[test]
fn a_pointer_that_is_compared_stays() {
    let mut b = Builder::new(5, 2, &[3]);
    b.op("MOV_B64_i", 0, &[imm(64)]);
    b.f.end_block(&[1]);
    b.phi(1, &[(0, 0), (2, 1)]);
    b.load(3, 1, SHARED);
    b.op("ADD64ri", 2, &[reg(1), imm(4)]);
    b.op("SETP_i64ri", 4, &[reg(2), imm(640), imm(0)]);
    b.f.end_block(&[1]);
    assert_eq!(narrowed(&b.finish().0), [] as [u32; 0]);
}

#[test]
fn values_that_no_address_needs_stay() {
    let mut b = Builder::new(5, 1, &[2, 4]);
    b.op("ADD64rr", 1, &[reg(0), reg(0)]);
    b.op("CVT_u32_u64", 2, &[reg(1), imm(0)]);
    b.op("ADD64ri", 3, &[reg(0), imm(4)]);
    b.load(4, 3, SHARED);
    assert_eq!(narrowed(&b.edits().0), [3]);
}

#[test]
fn atomic_operations_have_their_address_first() {
    let mut f = TestFunction::new(4, 1);
    f.machine.regs_of_32_bits = [v(2), v(3)].into();
    f.op("ADD64ri", 1, &[reg(0), imm(4)]);
    let atomic = f.op("INT_PTX_ATOM_ADD_32_Sr", 2, &[reg(1), imm(0), reg(3)]);
    f.machine.spaces.insert(atomic, SHARED);
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    assert_eq!(Roles { facts: &facts, machine: &machine }.role(atomic), Role::Accesses(1));
}
