//! Runs the emitter on a host that records the instructions.

use super::host::EmitterHost;
use super::unsupported::Unsupported;
use super::{Counts, EmitOrder, Emitter, Settings};
use crate::adt::PackedOption;
use crate::mir::dag::debug::{DbgConstant, Expression, NewDbg};
use crate::mir::dag::description::{desc_flag, ClassFacts, DescFacts, DescOperand, TargetOpcodes};
use crate::mir::dag::ids::{ClassId, DbgValueId, IrBlockId, NodeHandle, NodeId};
use crate::mir::dag::ir::Ir;
use crate::mir::dag::new_instr::{new, reg_flag, NewInstr, NewOperand};
use crate::mir::dag::node::{isd, step};
use crate::mir::dag::operand::{kind, Operand};
use crate::mir::dag::schedule::flag;
use crate::mir::dag::testing::TestDag;
use crate::mir::Register;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// Classes: all registers, half of them, three of that half, and others.
const ALL: ClassId = ClassId::from_raw_unchecked(0);
const HALF: ClassId = ClassId::from_raw_unchecked(1);
const FEW: ClassId = ClassId::from_raw_unchecked(2);
const OTHERS: ClassId = ClassId::from_raw_unchecked(3);
const CLASSES: [(u32, u32, [u32; 1]); 4] =
    [(16, 1, [0b0111]), (8, 1, [0b0110]), (3, 1, [0b0100]), (8, 3, [0b1000])];

const COPY: u32 = 1;
const IMPLICIT_DEF: u32 = 2;
const STACKMAP: u32 = 3;
/// One result and one operand of class ALL.
const INC: u32 = 10;
/// The same, of HALF, FEW, OTHERS.
const INC_HALF: u32 = 11;
const INC_FEW: u32 = 12;
const INC_OTHERS: u32 = 13;
/// The operand is tied to the result.
const INC_TIED: u32 = 14;
/// No results; defines the physical registers 5 and 6.
const CALL: u32 = 15;
/// Reads physical register 6.
const READS_6: u32 = 16;
/// One result of no class: a token.
const ANCHOR: u32 = 17;
/// The same, of another token.
const LOOP: u32 = 18;
/// The type of tokens, which has no class.
const TOKEN_TYPE: u16 = 8;

#[derive(Default)]
struct Fake {
    /// By virtual register.
    classes: RefCell<Vec<Option<ClassId>>>,
    /// Users by node handle.
    users: Vec<(usize, Vec<usize>)>,
    made: RefCell<Vec<String>>,
    dead: RefCell<Vec<Vec<Register>>>,
    next: Cell<usize>,
    /// The opcode of a call sequence.
    call_sequence: Option<u32>,
}

impl Fake {
    fn with_regs(classes: &[ClassId]) -> Fake {
        Fake { classes: RefCell::new(classes.iter().copied().map(Some).collect()), ..Fake::default() }
    }
    fn emit_all(&self, dag: &TestDag) -> Counts {
        Emitter::default().block(self, dag.dag(), 1, Settings::default()).expect("the block is ours")
    }
    /// As the default profile does.
    fn emit_without_redundant_copies(&self, dag: &TestDag) -> Counts {
        Emitter::default()
            .block(self, dag.dag(), 1, Settings::improved(EmitOrder::Source))
            .expect("the block is ours")
    }
    fn made(&self) -> Vec<String> {
        self.made.borrow().clone()
    }
}

fn reg_text(reg: Register) -> String {
    if reg.is_virtual() {
        format!("%{}", reg.virt_index())
    } else {
        format!("${}", reg.0)
    }
}

fn operand_text(op: &NewOperand) -> String {
    if op.kind == new::IMM {
        return op.payload.to_string();
    }
    let flag = |bit, text| if op.flags & bit != 0 { text } else { "" };
    [
        flag(reg_flag::IMPLICIT, "implicit "),
        flag(reg_flag::DEFINE, "def "),
        flag(reg_flag::KILL, "killed "),
        &reg_text(op.reg),
    ]
    .concat()
}

impl EmitterHost for Fake {
    type Instr = usize;
    fn opcodes(&self) -> TargetOpcodes {
        let none = u32::MAX;
        TargetOpcodes {
            copy: COPY,
            implicit_def: IMPLICIT_DEF,
            stackmap: STACKMAP,
            extract_subreg: none,
            insert_subreg: none,
            subreg_to_reg: none,
            copy_to_regclass: none,
            reg_sequence: none,
            patchpoint: none,
            statepoint: none,
            convergencectrl_anchor: none,
            convergencectrl_entry: none,
            convergencectrl_loop: none,
            convergencectrl_glue: none,
            ..TargetOpcodes::default()
        }
    }
    fn num_classes(&self) -> u32 {
        CLASSES.len() as u32
    }
    fn class(&self, id: ClassId) -> ClassFacts<'_> {
        let (num_regs, flags, mask) = &CLASSES[id.index()];
        ClassFacts { num_regs: *num_regs, flags: *flags, sub_classes: mask, bits: 32, name: "B32".into() }
    }
    fn class_for_type(&self, ty: u16, _: bool) -> Option<ClassId> {
        (ty != TOKEN_TYPE).then_some(ALL)
    }
    fn class_for_any_type(&self, ty: u16, divergent: bool) -> Option<ClassId> {
        self.class_for_type(ty, divergent)
    }
    fn minimal_phys_class(&self, reg: Register, _: u16) -> ClassId {
        if reg.0 >= 100 {
            OTHERS // whose registers are hard to copy
        } else {
            FEW
        }
    }
    fn sub_class_with_subreg(&self, _: ClassId, _: u32) -> Option<ClassId> {
        None
    }
    fn matching_super_class(&self, _: ClassId, _: ClassId, _: u32) -> Option<ClassId> {
        None
    }
    fn subreg_of(&self, reg: Register, _: u32) -> Register {
        reg
    }
    fn is_subreg(&self, _: Register, _: Register) -> bool {
        false
    }
    fn regs_overlap(&self, a: Register, b: Register) -> bool {
        a == b
    }
    fn rounding_regs(&self) -> Vec<Register> {
        vec![]
    }
    fn desc(&self, opcode: u32, operands: &mut Vec<DescOperand>) -> DescFacts<'_> {
        let (num_defs, num_operands) = match opcode {
            INC..=INC_TIED | LOOP => (1, 2),
            ANCHOR => (1, 1),
            _ => (0, 0),
        };
        let class = match opcode {
            INC_HALF => HALF,
            INC_FEW => FEW,
            INC_OTHERS => OTHERS,
            _ => ALL,
        };
        operands.extend((0..num_operands).map(|index| match index {
            _ if opcode == ANCHOR || opcode == LOOP => DescOperand::plain(None),
            0 => DescOperand::plain(Some(ALL)), // results are of any class
            _ if opcode == INC_TIED => DescOperand::tied(Some(class)),
            _ => DescOperand::plain(Some(class)),
        }));
        let implicit_defs: &[u16] = if opcode == CALL { &[5, 6] } else { &[] };
        let implicit_uses: &[u16] = if opcode == READS_6 { &[6] } else { &[] };
        let flags = if opcode == CALL { desc_flag::CALL } else { 0 };
        DescFacts { num_defs, flags, implicit_defs, implicit_uses }
    }
    fn call_frame_opcodes(&self) -> [u32; 2] {
        [u32::MAX; 2]
    }
    fn opcode_name(&self, opcode: u32) -> Cow<'_, str> {
        if self.call_sequence == Some(opcode) { "Callseq_Start" } else { "INC" }.into()
    }
    fn users(&self, node: NodeHandle, out: &mut Vec<PackedOption<NodeId>>) {
        let users = self.users.iter().find(|(n, _)| *n == node.0);
        let users = users.into_iter().flat_map(|(_, users)| users);
        out.extend(users.map(|&user| PackedOption::from(NodeId::new(user))));
    }
    fn ir(&self) -> Ir<'_> {
        Ir::default()
    }
    fn ir_block(&self) -> Option<IrBlockId> {
        None
    }
    fn num_virt_regs(&self) -> usize {
        self.classes.borrow().len()
    }
    fn class_of(&self, reg: Register) -> Option<ClassId> {
        self.classes.borrow()[reg.virt_index()]
    }
    fn coalescable_ext(&self, _: Register) -> Option<(Register, u32)> {
        None
    }
    fn new_reg(&self, class: Option<ClassId>) -> Register {
        let mut classes = self.classes.borrow_mut();
        classes.push(class);
        Register::virt(classes.len() as u32 - 1)
    }
    fn set_class(&self, reg: Register, class: ClassId) {
        self.classes.borrow_mut()[reg.virt_index()] = Some(class);
    }
    fn clear_kills(&self, _: Register) {}
    fn emit(&self, instr: &NewInstr) -> usize {
        let operands: Vec<_> = instr.operands.iter().map(operand_text).collect();
        self.made.borrow_mut().push(format!("{}: {}", instr.opcode, operands.join(", ")));
        self.next.set(self.next.get() + 1);
        self.next.get()
    }
    fn emit_noop(&self) {
        self.made.borrow_mut().push("noop".into());
    }
    fn set_dead_except(&self, _: usize, used: &[Register]) {
        self.dead.borrow_mut().push(used.to_vec());
    }
    fn add_implicit_use(&self, _: usize, _: Register) {}
    fn post_isel_hook(&self, _: usize, first: usize, _: NodeHandle) -> usize {
        first
    }
    fn is_call_site(&self, _: usize) -> bool {
        false
    }
    fn add_call_site_info(&self, _: usize, _: NodeHandle) {}
    fn add_called_global(&self, _: usize, _: NodeHandle) {}
    fn set_no_merge(&self, _: usize) {}
    fn set_pc_sections(&self, _: usize, _: NodeHandle) {}
    fn set_mmra(&self, _: usize, _: NodeHandle) {}
    fn is_call(&self, _: usize) -> bool {
        false
    }
    fn set_heap_alloc(&self, _: usize, _: NodeHandle) {}
    fn dbg_constant(&self, _: u64) -> DbgConstant {
        DbgConstant::Other
    }
    fn dbg_fold_constant(&self, _: DbgValueId) -> (DbgConstant, Expression) {
        (DbgConstant::Other, Expression::OfValue)
    }
    fn only_def(&self, _: Register) -> Option<(usize, u32)> {
        None
    }
    fn is_copy(&self, _: usize) -> bool {
        false
    }
    fn debug_number(&self, _: usize) -> u32 {
        0
    }
    fn build_dbg(&self, _: &NewDbg) -> usize {
        0
    }
    fn build_dbg_label(&self, _: usize) -> usize {
        0
    }
    fn insert_before(&self, _: usize, _: usize) {}
    fn insert(&self, _: usize) {}
    fn append(&self, _: usize) {}
    fn first_non_phi(&self) -> Option<usize> {
        None
    }
    fn first_terminator(&self) -> Option<usize> {
        None
    }
    fn insert_point(&self) -> Option<usize> {
        None
    }
    fn next(&self, _: usize) -> Option<usize> {
        None
    }
    fn is_debug_value(&self, _: usize) -> bool {
        false
    }
    fn drop_location(&self, _: usize, _: usize) {}
}

fn copy_to_reg(dag: &mut TestDag, dst: Register, src: Operand) -> NodeId {
    dag.node(false, isd::COPY_TO_REG, &[TestDag::chain(), TestDag::reg(dst), src], 0, false)
}
fn copy_from_reg(dag: &mut TestDag, src: Register) -> NodeId {
    dag.node(false, isd::COPY_FROM_REG, &[TestDag::chain(), TestDag::reg(src)], 1, false)
}

#[test]
fn e2_tokens_emit_nothing() {
    let mut dag = TestDag::default();
    for kind in [isd::ENTRY_TOKEN, isd::MERGE_VALUES, isd::TOKEN_FACTOR] {
        dag.node(false, kind, &[], 0, false);
    }
    let host = Fake::default();
    assert_eq!(host.emit_all(&dag).nodes, 3);
    assert!(host.made().is_empty());
}

#[test]
fn e3_copy_to_reg() {
    let (a, b) = (Register::virt(0), Register::virt(1));
    let mut dag = TestDag::default();
    let from = copy_from_reg(&mut dag, a);
    let value = dag.value(from, 0);
    copy_to_reg(&mut dag, a, value); // nothing
    let undefined = dag.node(true, IMPLICIT_DEF, &[], 1, false);
    let value = dag.value(undefined, 0);
    copy_to_reg(&mut dag, b, value);
    let host = Fake::with_regs(&[ALL, ALL]);
    host.emit_all(&dag);
    assert_eq!(host.made(), ["2: def %1"]);
    // To another register it is a COPY without a kill: the source may have other uses.
    let mut dag = TestDag::default();
    let from = copy_from_reg(&mut dag, a);
    let value = dag.value(from, 0);
    copy_to_reg(&mut dag, b, value);
    let host = Fake::with_regs(&[ALL, ALL]);
    host.emit_all(&dag);
    assert_eq!(host.made(), ["1: def %1, %0"]);
}

#[test]
fn e4_copy_from_a_physical_register() {
    let phys = Register(5);
    let mut dag = TestDag::default();
    let from = copy_from_reg(&mut dag, phys);
    let value = dag.value(from, 0);
    dag.node(true, INC_HALF, &[value], 1, false);
    let host = Fake { users: vec![(1, vec![1])], ..Fake::default() };
    host.emit_all(&dag);
    // It has the class that its user asks for, so that nothing has to be narrowed or copied
    // afterwards.
    assert_eq!(host.made(), ["1: def %0, $5", "11: def %1, %0"]);
    assert_eq!(host.class_of(Register::virt(0)), Some(HALF));
}

#[test]
fn e4_a_physical_register_that_is_hard_to_copy_is_read_itself() {
    let phys = Register(100);
    let mut dag = TestDag::default();
    let from = copy_from_reg(&mut dag, phys);
    let value = dag.value(from, 0);
    copy_to_reg(&mut dag, phys, value);
    let host = Fake { users: vec![(1, vec![1])], ..Fake::default() };
    host.emit_all(&dag);
    assert!(host.made().is_empty());
}

#[test]
fn e5_a_result_goes_to_the_register_of_its_copy_if_the_class_is_the_same() {
    for (class, expected) in [(ALL, vec!["10: def %0, 3"]), (HALF, vec!["10: def %1, 3", "1: def %0, %1"])] {
        let mut dag = TestDag::default();
        let inc = dag.node(true, INC, &[TestDag::imm(3)], 1, false);
        let value = dag.value(inc, 0);
        copy_to_reg(&mut dag, Register::virt(0), value);
        let host = Fake::with_regs(&[class]);
        let counts = host.emit_all(&dag);
        assert_eq!(host.made(), expected);
        assert_eq!(counts.reused, u64::from(class == ALL));
    }
}

/// Adds a node whose result is a token.
fn token(dag: &mut TestDag, opcode: u32, operands: &[Operand]) -> Operand {
    let node = dag.node(true, opcode, operands, 1, false);
    let made = dag.nodes[node].first_value;
    dag.values[made].ty = TOKEN_TYPE;
    dag.value(node, 0)
}

#[test]
fn e5_a_token_without_a_class_goes_to_the_register_in_which_other_blocks_read_it() {
    let mut dag = TestDag::default();
    let made = token(&mut dag, ANCHOR, &[]);
    copy_to_reg(&mut dag, Register::virt(0), made);
    let host = Fake { classes: RefCell::new(vec![None]), ..Fake::default() };
    let counts = host.emit_all(&dag);
    assert_eq!((host.made(), counts.reused), (vec!["17: def %0".to_owned()], 1));
}

#[test]
fn e5_a_token_that_its_own_block_reads_has_a_register_without_a_class() {
    let mut dag = TestDag::default();
    let made = token(&mut dag, ANCHOR, &[]);
    let passed_on = token(&mut dag, LOOP, &[made]);
    copy_to_reg(&mut dag, Register::virt(0), passed_on);
    // If the register that other blocks read has a class, the token is copied, as any other result.
    let host = Fake::with_regs(&[ALL]);
    host.emit_all(&dag);
    assert_eq!(host.made(), ["17: def %1", "18: def %2, killed %1", "1: def %0, %2"]);
    assert_eq!([1, 2].map(|reg| host.class_of(Register::virt(reg))), [None, None]);
}

#[test]
fn e6_a_register_without_a_class_is_copied_to_one_where_an_operand_has_one() {
    let mut dag = TestDag::default();
    let made = token(&mut dag, ANCHOR, &[]);
    dag.node(true, INC_HALF, &[made], 1, false);
    let host = Fake::default();
    host.emit_all(&dag);
    assert_eq!(host.made(), ["17: def %0", "1: def %2, %0", "11: def %1, killed %2"]);
}

#[test]
fn e6_narrows_or_copies() {
    for (opcode, expected, class) in [
        (INC_HALF, vec!["10: def %0, 3", "11: def %1, killed %0"], HALF),
        // Results are numbered before the copies for the operands.
        (INC_FEW, vec!["10: def %0, 3", "1: def %2, %0", "12: def %1, killed %2"], ALL),
        (INC_OTHERS, vec!["10: def %0, 3", "1: def %2, %0", "13: def %1, killed %2"], ALL),
    ] {
        let mut dag = TestDag::default();
        let inc = dag.node(true, INC, &[TestDag::imm(3)], 1, false);
        let value = dag.value(inc, 0);
        dag.node(true, opcode, &[value], 1, false);
        let host = Fake::default();
        host.emit_all(&dag);
        assert_eq!(host.made(), expected);
        assert_eq!(host.class_of(Register::virt(0)), Some(class));
    }
}

#[test]
fn e6_an_undefined_value_fits_the_smallest_class() {
    let mut dag = TestDag::default();
    let undefined = dag.node(true, IMPLICIT_DEF, &[], 1, false);
    let value = dag.value(undefined, 0);
    dag.node(true, INC_FEW, &[value], 1, false);
    dag.node(true, INC_FEW, &[value], 1, false);
    let host = Fake::default();
    host.emit_all(&dag);
    // Each use has a register of its own, numbered after the result.
    assert_eq!(host.made(), ["2: def %1", "12: def %0, %1", "2: def %3", "12: def %2, %3"]);
    assert_eq!(host.class_of(Register::virt(1)), Some(FEW));
}

#[test]
fn e7_the_only_use_kills_unless_it_is_tied_or_cloned() {
    let schedule = |opcode| {
        let mut dag = TestDag::default();
        let inc = dag.node(true, INC, &[TestDag::imm(3)], 1, false);
        let value = dag.value(inc, 0);
        dag.node(true, opcode, &[value], 1, false);
        dag
    };
    let last = |dag: &TestDag| {
        let host = Fake::default();
        host.emit_all(dag);
        host.made().pop().unwrap()
    };
    assert_eq!(last(&schedule(INC)), "10: def %1, killed %0");
    assert_eq!(last(&schedule(INC_TIED)), "14: def %1, %0");
    let mut cloned = schedule(INC);
    cloned.steps[1].flags = step::CLONED;
    assert_eq!(last(&cloned), "10: def %1, %0");
}

#[test]
fn e7_defs_that_glued_nodes_read_are_alive() {
    let mut dag = TestDag::default();
    let call = dag.node(true, CALL, &[], 0, true);
    let glue = dag.value(call, 0);
    let from =
        dag.node(false, isd::COPY_FROM_REG, &[TestDag::chain(), TestDag::reg(Register(5)), glue], 1, true);
    let glue = dag.value(from, 1);
    dag.node(true, READS_6, &[glue], 0, false);
    let host = Fake::default();
    host.emit_all(&dag);
    assert_eq!(host.dead.borrow()[0], [Register(5), Register(6)]);
    // Without glue nothing reads them.
    let mut dag = TestDag::default();
    dag.node(true, CALL, &[], 0, false);
    let host = Fake::default();
    host.emit_all(&dag);
    assert_eq!(*host.dead.borrow(), [vec![]]);
}

#[test]
fn nothing_of_an_unsupported_block_is_emitted() {
    for (is_machine, opcode, reason) in
        [(true, STACKMAP, Unsupported::StackMap), (false, 0, Unsupported::UnknownNode)]
    {
        let mut dag = TestDag::default();
        dag.node(true, INC, &[TestDag::imm(3)], 1, false);
        dag.node(is_machine, opcode, &[], 0, false);
        let host = Fake::default();
        assert_eq!(Emitter::default().block(&host, dag.dag(), 1, Settings::default()), Err(reason));
        assert!(host.made().is_empty() && host.classes.borrow().is_empty());
    }
}

#[test]
fn buffers_are_fit_for_the_next_block() {
    let mut emitter = Emitter::default();
    let mut texts = vec![];
    for _ in 0..2 {
        let mut dag = TestDag::default();
        let inc = dag.node(true, INC, &[TestDag::imm(3)], 1, false);
        let value = dag.value(inc, 0);
        dag.node(true, INC_FEW, &[value, TestDag::chain()], 1, false);
        let host = Fake::default();
        emitter.block(&host, dag.dag(), 1, Settings::default()).unwrap();
        texts.push(host.made());
    }
    assert_eq!(texts[0], texts[1]);
}

/// A call that defines the physical registers 5 and 6, and CopyFromRegs of 5 glued to it and to
/// each other.
fn call_and_copies(copies: u32) -> (TestDag, Vec<NodeId>) {
    let mut dag = TestDag::default();
    let mut last = dag.node(true, CALL, &[], 0, true);
    let ids = (0..copies).map(|i| {
        let glue = dag.value(last, usize::from(i > 0));
        let operands = [TestDag::chain(), TestDag::reg(Register(5)), glue];
        last = dag.node(false, isd::COPY_FROM_REG, &operands, 1, true);
        last
    });
    let ids = ids.collect();
    (dag, ids)
}

#[test]
fn e11_a_physical_register_that_nothing_reads_is_not_copied() {
    let (dag, _) = call_and_copies(1);
    let host = Fake::default();
    assert_eq!(host.emit_without_redundant_copies(&dag).unread_copies, 1);
    assert_eq!(host.made(), ["15: "]);
    let host = Fake::default();
    assert_eq!(host.emit_all(&dag).unread_copies, 0);
    assert_eq!(host.made(), ["15: ", "1: def %0, $5"]);
}

#[test]
fn e12_a_register_of_a_bundle_is_copied_once() {
    let (mut dag, ids) = call_and_copies(2);
    let values: Vec<_> = ids.iter().map(|&id| dag.value(id, 0)).collect();
    for &value in &values {
        dag.node(true, INC, &[value], 1, false);
    }
    let expected = ["15: ", "1: def %0, $5", "10: def %1, %0", "10: def %2, %0"];
    let host = Fake::default();
    assert_eq!(host.emit_without_redundant_copies(&dag).glue_consumers, 1);
    assert_eq!(host.made(), expected);
    // Stock makes two copies. Two are also right if another node comes between.
    let host = Fake::default();
    assert_eq!(host.emit_all(&dag).glue_consumers, 0);
    assert_eq!(host.made()[2], "1: def %1, $5");
    let mut dag = TestDag::default();
    for _ in 0..2 {
        let call = dag.node(true, CALL, &[], 0, true);
        let glue = dag.value(call, 0);
        let operands = [TestDag::chain(), TestDag::reg(Register(5)), glue];
        let from = dag.node(false, isd::COPY_FROM_REG, &operands, 1, false);
        let value = dag.value(from, 0);
        dag.node(true, INC, &[value], 1, false);
    }
    let host = Fake::default();
    assert_eq!(host.emit_without_redundant_copies(&dag).glue_consumers, 0);
    assert_eq!(host.made().iter().filter(|text| text.contains("$5")).count(), 2);
}

#[test]
fn e13_results_in_physical_registers_share_the_maps() {
    // A call whose results are in registers 5 and 6.
    let mut dag = TestDag::default();
    let call = dag.node(true, CALL, &[], 2, false);
    let values = [dag.value(call, 1), dag.value(call, 0)];
    for value in values {
        dag.node(true, INC, &[value], 1, false);
    }
    for improved in [false, true] {
        let host = Fake::default();
        let counts = if improved { host.emit_without_redundant_copies(&dag) } else { host.emit_all(&dag) };
        assert_eq!(
            host.made(),
            ["15: ", "1: def %0, $5", "1: def %1, $6", "10: def %2, killed %1", "10: def %3, killed %0"]
        );
        assert_eq!(counts.multi_result, 1);
        assert_eq!(host.dead.borrow()[0], [Register(5), Register(6)]);
    }
}

/// Inline assembly that reads register 2, a copy of register 0, and writes register 1. Its
/// result goes to register 3.
fn assembly(dag: &mut TestDag, kind: u32) {
    let flag_word = |kind: i64| TestDag::imm(kind | 1 << 3);
    let from = copy_from_reg(dag, Register::virt(0));
    let value = dag.value(from, 0);
    let operands = [TestDag::chain(), TestDag::reg(Register::virt(2)), value];
    let operand = dag.node(false, isd::COPY_TO_REG, &operands, 0, true);
    let (string, location) = (dag.leaf(kind::GLOBAL_ADDRESS), dag.leaf(kind::METADATA));
    let operands = [
        TestDag::chain(),
        string,
        location,
        TestDag::imm(0),
        flag_word(2),
        TestDag::reg(Register::virt(1)),
        flag_word(1),
        TestDag::reg(Register::virt(2)),
        dag.value(operand, 0),
    ];
    let asm = dag.node(false, kind, &operands, 0, true);
    let operands = [TestDag::chain(), TestDag::reg(Register::virt(1)), dag.value(asm, 0)];
    let result = dag.node(false, isd::COPY_FROM_REG, &operands, 1, true);
    let value = dag.value(result, 0);
    copy_to_reg(dag, Register::virt(3), value);
}

#[test]
fn e12_e13_assembly_reads_and_writes_the_registers_of_its_values() {
    let improved = Settings::improved(EmitOrder::Source);
    let (operand, result) = ("1: def %2, %0", "1: def %3, %1");
    for (settings, kind, expected) in [
        (Settings::default(), isd::INLINEASM, vec![operand, "0: $0, 0, 10, def %1, 9, %2", result]),
        (improved, isd::INLINEASM, vec!["0: $0, 0, 10, def %3, 9, %0"]),
        // LLVM looks for the copies of an asm goto's results.
        (improved, isd::INLINEASM_BR, vec!["0: $0, 0, 10, def %1, 9, %0", result]),
    ] {
        let mut dag = TestDag::default();
        assembly(&mut dag, kind);
        let host = Fake::with_regs(&[ALL; 4]);
        let counts = Emitter::default().block(&host, dag.dag(), 1, settings).unwrap();
        assert_eq!(host.made(), expected);
        assert_eq!(counts.glue_consumers, u64::from(settings.glue_consumers));
        assert_eq!(counts.direct_results, u64::from(expected.len() == 1));
    }
    // Registers of another class cannot stand in.
    let mut dag = TestDag::default();
    assembly(&mut dag, isd::INLINEASM);
    let host = Fake::with_regs(&[HALF, HALF, ALL, ALL]);
    host.emit_without_redundant_copies(&dag);
    assert_eq!(host.made(), [operand, "0: $0, 0, 10, def %1, 9, %2", result]);
}

#[test]
fn e12_a_shared_register_is_not_killed() {
    // A call whose result is in register 5, which a node glued to it reads as well.
    let mut dag = TestDag::default();
    let call = dag.node(true, CALL, &[], 1, true);
    let glue = dag.value(call, 1);
    let operands = [TestDag::chain(), TestDag::reg(Register(5)), glue];
    let from = dag.node(false, isd::COPY_FROM_REG, &operands, 1, false);
    for value in [dag.value(call, 0), dag.value(from, 0)] {
        dag.node(true, INC, &[value], 1, false);
    }
    let host = Fake::default();
    assert_eq!(host.emit_without_redundant_copies(&dag).glue_consumers, 1);
    assert_eq!(host.made(), ["15: ", "1: def %0, $5", "10: def %1, %0", "10: def %2, %0"]);
    // With a register for each, the first dies.
    let host = Fake::default();
    host.emit_all(&dag);
    assert_eq!(host.made()[3], "10: def %2, killed %0");
}

/// Rows E1 and E13: glued nodes stay together in another order.
#[test]
fn e1_e13_bundles_stay_contiguous_in_the_pressure_order() {
    let mut dag = TestDag { flags: flag::OPTIMISE, ..TestDag::default() };
    // Four values, then bundles of two nodes that add one each to a sum.
    let values: Vec<_> = (0..4).map(|_| dag.node(true, INC, &[TestDag::imm(3)], 1, false)).collect();
    let mut sum = dag.value(values[0], 0);
    for &id in &values[1..] {
        let value = dag.value(id, 0);
        let low = dag.node(true, INC, &[sum, value], 1, true);
        let (low_value, glue) = (dag.value(low, 0), dag.value(low, 1));
        let high = dag.node(true, INC_HALF, &[low_value, glue], 1, false);
        sum = dag.value(high, 0);
    }
    let settings = Settings::improved(EmitOrder::Pressure);
    let host = Fake::default();
    let counts = Emitter::default().block(&host, dag.dag(), 1, settings).unwrap();
    assert_eq!((counts.reordered, counts.peak_reduction, counts.bundles), (1, 2, 3));
    let opcodes: Vec<_> = host.made().iter().map(|t| t.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(opcodes, ["10", "10", "10", "11", "10", "10", "11", "10", "10", "11"]);
    // A call sequence keeps its order.
    let host = Fake { call_sequence: Some(INC_HALF), ..Fake::default() };
    let counts = Emitter::default().block(&host, dag.dag(), 1, settings).unwrap();
    assert_eq!((counts.reordered, counts.fixed), (0, 1));
    // At -O0 the order stays.
    dag.flags = 0;
    let counts = Emitter::default().block(&Fake::default(), dag.dag(), 1, settings).unwrap();
    assert_eq!(counts.reordered, 0);
}
