//! Tests of two-address on functions in memory.

use super::host::{InstrFacts, InstrProperties, TwoAddressHost};
use super::options::Options;
use super::{Counts, TwoAddress};
use crate::mir::{InstrKind, Kind, Operand, Register};
use crate::passes::function::in_memory::{Block, InMemory, Instr};
use crate::passes::function::{BlockHandle, FunctionHandle, InstrHandle, VariablesHandle};
use crate::versions::Versions;
use std::ops::Range;

/// ADD is commutable, INC has a three-address form ADD3, SLOW takes long, LOAD_ADD has a folded
/// load.
impl<'t> TwoAddressHost for &'t InMemory {
    fn number(self) -> u32 {
        7
    }
    fn set_tied_ops_rewritten(self) {}

    fn facts(self, mi: Instr<'t>) -> InstrFacts<Instr<'t>> {
        let any = |is_it: &dyn Fn(&Operand) -> bool| mi.with(|i| i.operands.iter().any(is_it));
        InstrFacts {
            next: mi.next(),
            num_operands: mi.num_operands(),
            opcode: u32::from(mi.opcode() == "STORE"),
            kind: mi.kind(),
            has_result: any(&|op| op.is_def()),
            has_several_results: mi.with(|i| i.operands.iter().filter(|op| op.is_def()).count() > 1),
            has_tied_use: any(&|op| op.is_use() && op.is_tied()),
            clobbers_physical: any(&|op| op.is_def() && op.reg().is_physical() || op.kind() == Kind::RegMask),
            reads_physical: any(&|op| op.is_use() && op.reg().is_physical()),
        }
    }
    fn properties(self, mi: Instr<'t>) -> InstrProperties {
        let opcode = mi.opcode();
        let is = |opcodes: &[&str]| opcodes.contains(&opcode.as_str());
        InstrProperties {
            is_debug_or_pseudo: is(&["DBG_VALUE"]),
            is_commutable: is(&["ADD"]),
            is_convertible_to_3addr: is(&["INC"]),
            is_convertible_to_3addr_in_bundle: is(&["INC"]),
            may_load: is(&["LOAD_ADD"]),
            is_barrier: is(&["CALL", "RET"]),
        }
    }
    fn reads_vector(self, mi: Instr<'t>) -> bool {
        mi.opcode() == "STORE"
    }
    fn is_safe_to_move(self, mi: Instr<'t>) -> bool {
        mi.opcode() != "STORE"
    }
    fn latency(self, mi: Instr<'t>) -> u32 {
        if mi.opcode() == "SLOW" {
            20
        } else {
            1
        }
    }
    fn copied_registers(self, mi: Instr<'t>) -> Option<(Register, Register)> {
        match mi.kind() {
            InstrKind::Copy => Some((mi.operand(0).reg(), mi.operand(1).reg())),
            InstrKind::InsertSubreg => Some((mi.operand(0).reg(), mi.operand(2).reg())),
            _ => None,
        }
    }
    fn kills_register(self, mi: Instr<'t>, reg: Register) -> bool {
        mi.with(|i| i.operands.iter().any(|op| op.is_kill() && op.reg() == reg))
    }
    fn def_is_dead(self, mi: Instr<'t>, reg: Register) -> bool {
        mi.with(|i| i.operands.iter().any(|op| op.is_dead() && op.reg() == reg))
    }
    fn num_described_operands(self, mi: Instr<'t>) -> usize {
        mi.num_operands()
    }
    fn num_described_defs(self, mi: Instr<'t>) -> usize {
        mi.with(|i| i.operands.iter().take_while(|op| op.is_def()).count())
    }
    fn tied_def(self, mi: Instr<'t>, index: usize) -> usize {
        mi.with(|i| i.ties.iter().find(|(src, _)| *src == index).expect("the use is tied").1)
    }
    fn inline_asm_first_operand(self) -> usize {
        unreachable!("no test has inline assembly")
    }
    fn regmask_clobbers(self, _: Instr<'t>, _: usize, _: Register) -> bool {
        true
    }

    fn set_kill(self, mi: Instr<'t>, index: usize, kill: bool) {
        mi.set_flag(index, Operand::DEAD_OR_KILL_SHIFT, kill);
    }
    fn set_undef(self, mi: Instr<'t>, index: usize, undef: bool) {
        mi.set_flag(index, Operand::UNDEF_SHIFT, undef);
    }
    fn set_dead(self, mi: Instr<'t>, index: usize, dead: bool) {
        mi.set_flag(index, Operand::DEAD_OR_KILL_SHIFT, dead);
    }
    fn add_register_killed(self, mi: Instr<'t>, reg: Register) {
        let index = mi.with(|i| i.operands.iter().position(|op| op.is_use() && op.reg() == reg));
        self.set_kill(mi, index.expect("the instruction reads the register"), true);
    }
    fn set_subreg(self, mi: Instr<'t>, index: usize, subreg: u32) {
        mi.change(|i| i.operands[index] = i.operands[index].test_subreg(subreg));
    }
    fn remove_operand(self, mi: Instr<'t>, index: usize) {
        mi.change(|i| {
            i.operands.remove(index);
            i.ties.retain(|&(src, dst)| src != index && dst != index);
            let moved = |at: usize| at - usize::from(at > index);
            i.ties.iter_mut().for_each(|tie| *tie = (moved(tie.0), moved(tie.1)));
        });
    }
    fn become_copy(self, mi: Instr<'t>) {
        mi.change(|i| i.opcode = "COPY".to_owned());
    }
    fn become_implicit_def(self, mi: Instr<'t>) {
        mi.change(|i| i.opcode = "IMPLICIT_DEF".to_owned());
    }
    fn replace_reg_in_bundle(self, _: Instr<'t>, _: Register, _: Register) {
        unreachable!("no test has bundles")
    }
    fn insert_copy_before(self, mi: Instr<'t>, dst: Register, src: Register, subreg: u32) -> Instr<'t> {
        let operands = [write(dst), Operand::test_reg(src, false, false).test_subreg(subreg)];
        self.insert(mi.block(), Some(mi), "COPY", &operands)
    }
    fn insert_copy_of_operand_before(
        self,
        mi: Instr<'t>,
        dst: Register,
        subreg: u32,
        index: usize,
    ) -> Instr<'t> {
        let operands = [write(dst).test_subreg(subreg), mi.operand(index)];
        self.insert(mi.block(), Some(mi), "COPY", &operands)
    }
    fn insert_before(self, before: Instr<'t>, mi: Instr<'t>) {
        self.move_before(before.block(), Some(before), mi);
    }
    fn splice(self, block: Block<'t>, before: Option<Instr<'t>>, first: Instr<'t>, last: Option<Instr<'t>>) {
        let moved: Vec<_> =
            std::iter::successors(Some(first), |mi| mi.next()).take_while(|&mi| Some(mi) != last).collect();
        for mi in moved.into_iter().filter(|&mi| Some(mi) != before) {
            mi.remove();
            self.move_before(block, before, mi);
        }
    }

    fn operands_commute(self, mi: Instr<'t>, a: usize, b: usize) -> bool {
        mi.opcode() == "ADD" && a != b && a > 0 && b > 0
    }
    fn commutes_with(self, mi: Instr<'t>, a: usize) -> Option<usize> {
        (mi.opcode() == "ADD").then_some(3 - a)
    }
    fn commute(self, mi: Instr<'t>, a: usize, b: usize) -> bool {
        mi.change(|i| {
            let (x, y) = (i.operands[a], i.operands[b]);
            i.operands[a] = x.renamed(y.reg()).with_kill(y.is_kill());
            i.operands[b] = y.renamed(x.reg()).with_kill(x.is_kill());
        });
        true
    }
    fn commute_preference(self, _: Instr<'t>) -> Option<bool> {
        None
    }
    fn convert_to_three_address(self, mi: Instr<'t>) -> Option<Instr<'t>> {
        let [dst, src] = [mi.operand(0), mi.operand(1)].map(Operand::reg);
        let read = Operand::test_reg(src, false, false);
        Some(self.insert(mi.block(), Some(mi), "ADD3", &[write(dst), read, Operand::test_imm(1)]))
    }
    fn substitute_debug_value(self, _: Instr<'t>, _: Instr<'t>) {}
    fn unfold_load(self, mi: Instr<'t>) -> Option<(Instr<'t>, Instr<'t>, Register)> {
        let reg = self.new_reg();
        let load = self.new_instr("LOAD", &[write(reg), mi.operand(2)]);
        let op = self.new_instr("ADD", &[mi.operand(0), mi.operand(1), Operand::test_reg(reg, false, false)]);
        op.change(|i| i.ties = vec![(1, 0)]);
        Some((load, op, reg))
    }

    fn regs_overlap(self, a: Register, b: Register) -> bool {
        a == b
    }
    fn lane_mask(self, subreg: u32) -> u64 {
        if subreg == 0 {
            u64::MAX
        } else {
            1 << subreg
        }
    }
    fn subreg_bits(self, subreg: u32) -> Option<Range<u32>> {
        Some(32 * (subreg - 1)..32 * subreg)
    }
    fn tracks_subreg_liveness(self, _: Register) -> bool {
        false
    }
    fn is_same_class(self, _: Register, _: Register) -> bool {
        true
    }
    fn constrain_class_like(self, _: Register, _: Register) -> bool {
        true
    }
    fn replace_reg(self, from: Register, to: Register) {
        for o in self.reg_operands(from) {
            o.instr.change(|i| i.operands[o.index] = o.operand.renamed(to));
        }
    }

    fn text(self, mi: Instr<'t>) -> String {
        mi.text()
    }
    fn reg_text(self, operand: Operand) -> String {
        format!("%{}", operand.reg().virt_index())
    }
    fn emit_missed(self, _: Instr<'t>, name: &str, parts: &[(&str, String)]) {
        let text: String = parts.iter().map(|(_, text)| text.as_str()).collect();
        self.remarks.borrow_mut().push(format!("{name}: {text}"));
    }
    fn name(self) -> String {
        "f".to_owned()
    }
}

fn write(reg: Register) -> Operand {
    Operand::test_reg(reg, true, false)
}

fn options() -> Options {
    Options {
        optimize: true,
        may_reschedule: true,
        dataflow_edge_limit: 3,
        follows_tied_operands: false,
        wants_remarks: false,
        copy_hints: false,
        neighbour_hints: false,
        is_default: false,
        differences: Versions::of(22).two_address,
    }
}

/// Runs the pass with buffers that another function has used. Afterwards LiveVariables, if it is
/// kept, is exact.
fn run_with(f: &InMemory, options: &Options) -> (Counts, TwoAddress) {
    let (mut pass, mut counts) = (TwoAddress::default(), Counts::default());
    let before = InMemory::parse("bb0:\n%1 = SUB %0(tied-def 0), %0\n$3 = COPY %1\n%2 = COPY $3");
    pass.run(&before, options, &mut counts);
    assert!(pass.run(f, options, &mut counts));
    if f.variables().is_some() {
        let again = InMemory::parse(&format!("bb0:\n{}", f.text_of(0))).with_variables();
        assert_eq!(f.kills_in(0), again.kills_in(0), "in {}", f.text_of(0));
        assert_eq!(f.text_of(0), again.text_of(0));
    }
    (counts, pass)
}

fn run(code: &str) -> (Counts, String) {
    run_as(code, &options())
}

fn run_as(code: &str, options: &Options) -> (Counts, String) {
    let f = InMemory::parse(&format!("bb0:\n{code}")).with_variables();
    let counts = run_with(&f, options).0;
    (counts, f.text_of(0))
}

#[test]
fn t1_a_tied_pair_gets_a_copy() {
    let (counts, code) = run("%0 = DEF\n%1 = DEF\n%2 = SUB %0(tied-def 0), %1\nRET %2, %0");
    assert_eq!(
        code,
        "%0 = DEF\n%1 = DEF\n%2 = COPY %0\n%2 = SUB %2(tied-def 0), killed %1\nRET killed %2, killed %0"
    );
    assert_eq!((counts.two_address, counts.copies), (1, 1));
}

#[test]
fn t3_the_copy_kills_what_the_instruction_has_killed() {
    let (_, code) = run("%0 = DEF\n%1 = DEF\n%2 = SUB %0(tied-def 0), %1\nRET %2");
    let sub = "%2 = COPY killed %0\n%2 = SUB %2(tied-def 0), killed %1";
    assert_eq!(code, format!("%0 = DEF\n%1 = DEF\n{sub}\nRET killed %2"));
}

#[test]
fn t1_a_satisfied_pair_stays() {
    let code = "%0 = DEF\n%0 = SUB %0(tied-def 0), 1\nRET killed %0";
    assert_eq!(run(code), (Counts { two_address: 1, ..Counts::default() }, code.to_owned()));
}

#[test]
fn t3_a_register_that_is_read_twice_becomes_the_result_in_both_operands() {
    let (counts, code) = run("%0 = DEF\n%1 = SUB %0(tied-def 0), %0\nRET %1");
    assert_eq!(code, "%0 = DEF\n%1 = COPY killed %0\n%1 = SUB %1(tied-def 0), %1\nRET killed %1");
    assert_eq!(counts.copies, 1);
}

#[test]
fn t3_a_result_that_is_written_early_is_not_read_by_other_operands() {
    let f =
        InMemory::parse("bb0:\n%0 = DEF\nearly-clobber %1 = SUB %0(tied-def 0), %0\nRET %1").with_variables();
    assert!(TwoAddress::default().run(&f, &options(), &mut Counts::default()));
    let sub = "%1 = COPY %0\nearly-clobber %1 = SUB %1(tied-def 0), %0";
    assert_eq!(f.text_of(0), format!("%0 = DEF\n{sub}\nRET killed %1"));
    assert_eq!(f.kills_in(0), ["%0@2", "%1@3"], "the source ends in the instruction as before");
}

#[test]
fn t3_one_source_of_two_results_is_copied_to_both() {
    let (counts, code) = run("%0 = DEF\n%1, %2 = DIV %0(tied-def 0), %0(tied-def 1)\nRET %1, %2");
    let div = "%1 = COPY %0\n%2 = COPY killed %0\n%1, %2 = DIV %1(tied-def 0), %2(tied-def 1)";
    assert_eq!(code, format!("%0 = DEF\n{div}\nRET killed %1, killed %2"));
    assert_eq!(counts.copies, 2);
}

#[test]
fn t1_an_undefined_source_becomes_the_result_without_a_copy() {
    let (counts, code) = run("%0 = DEF\n%2 = SUB undef %1(tied-def 0), %0\nRET %2");
    assert_eq!(code, "%0 = DEF\n%2 = SUB undef %2(tied-def 0), killed %0\nRET killed %2");
    assert_eq!((counts.undef, counts.copies), (1, 0));
}

/// %0 lives on, %1 does not.
const COMMUTABLE: &str = "%0 = DEF\n%1 = DEF\n%2 = ADD %0(tied-def 0), %1\nRET %2, %0";

#[test]
fn t2_commuting_ties_the_source_that_dies_so_that_its_copy_can_be_coalesced() {
    let (counts, code) = run(COMMUTABLE);
    let add = "%2 = COPY killed %1\n%2 = ADD %2(tied-def 0), %0";
    assert_eq!(code, format!("%0 = DEF\n%1 = DEF\n{add}\nRET killed %2, killed %0"));
    assert_eq!((counts.commuted, counts.commuted_aggressively), (1, 0));
}

#[test]
fn t6_without_optimisation_nothing_is_commuted() {
    let (counts, code) = run_as(COMMUTABLE, &Options { optimize: false, ..options() });
    let add = "%2 = COPY %0\n%2 = ADD %2(tied-def 0), killed %1";
    assert_eq!(code, format!("%0 = DEF\n%1 = DEF\n{add}\nRET killed %2, killed %0"));
    assert_eq!(counts.commuted, 0);
}

#[test]
fn t5_commuting_ties_the_source_that_came_from_the_register_that_the_result_goes_to() {
    let (counts, code) = run("%0 = COPY $4\n%1 = COPY $5\n%2 = ADD %0(tied-def 0), %1\n$5 = COPY %2\nRET $5");
    let add = "%2 = COPY killed %1\n%2 = ADD %2(tied-def 0), killed %0";
    assert_eq!(code, format!("%0 = COPY $4\n%1 = COPY $5\n{add}\n$5 = COPY killed %2\nRET $5"));
    assert_eq!(counts.commuted_aggressively, 1);
}

#[test]
fn t5_a_chain_of_tied_operands_is_followed_once() {
    let asked = |length: usize| {
        let chain: Vec<String> =
            (1..=length).map(|i| format!("%{i} = SUB killed %{}(tied-def 0), 1", i - 1)).collect();
        let code = format!("bb0:\n%0 = DEF\n{}\n$3 = COPY killed %{length}\nRET $3", chain.join("\n"));
        let f = InMemory::parse(&code);
        let (mut pass, mut counts) = (TwoAddress::default(), Counts::default());
        pass.run(&f, &Options { copy_hints: true, ..options() }, &mut counts);
        assert_eq!(counts.copies, length as u64);
        assert_eq!(
            pass.hints(7).expect("hints on this function").all().len(),
            length,
            "each link is entered"
        );
        f.lists_of_operands.get()
    };
    // Miri takes minutes for a hundred.
    let length = if cfg!(miri) { 15 } else { 100 };
    let (once, twice) = (asked(length), asked(2 * length));
    assert!(twice <= 2 * once, "{once}, {twice}");
}

#[test]
fn t2_an_instruction_moves_below_the_last_reader_of_its_source() {
    let (counts, code) = run("%0 = DEF\n%1 = SUB %0(tied-def 0), 1\n%2 = NEG %0\nRET %1, %2");
    assert_eq!(
        code,
        "%0 = DEF\n%2 = NEG %0\n%1 = COPY killed %0\n%1 = SUB %1(tied-def 0), 1\nRET killed %1, killed %2"
    );
    assert_eq!((counts.moved_down, counts.moved_up), (1, 0));
}

#[test]
fn t2_nothing_moves_below_a_reader_of_its_result_or_a_call() {
    for (between, reads) in [("%3 = NEG %1\n", ", %3"), ("CALL\n", "")] {
        let code = format!("%0 = DEF\n%1 = SUB %0(tied-def 0), 1\n{between}%2 = STORE %0\nRET %1, %2{reads}");
        let (counts, code) = run(&code);
        assert_eq!((counts.moved_down, counts.moved_up), (0, 0), "{between}");
        assert!(code.starts_with("%0 = DEF\n%1 = COPY %0\n%1 = SUB %1(tied-def 0), 1\n"), "{code}");
    }
}

#[test]
fn t2_an_instruction_moves_over_eleven_others_at_most_and_over_none_if_the_option_says_so() {
    // The last reader counts among the passed instructions.
    for (others, may_reschedule, moved) in [(10, true, 1), (11, true, 0), (10, false, 0)] {
        let between: String = (3..3 + others).map(|reg| format!("%{reg} = DEF\n")).collect();
        let reads: String = (3..3 + others).map(|reg| format!(", %{reg}")).collect();
        let code = format!("%0 = DEF\n%1 = SUB %0(tied-def 0), 1\n{between}%2 = STORE %0\nRET %1, %2{reads}");
        let (counts, _) = run_as(&code, &Options { may_reschedule, ..options() });
        assert_eq!(counts.moved_down, moved, "{others} others");
    }
}

#[test]
fn t2_the_last_reader_moves_above_an_instruction_that_takes_long() {
    let (counts, code) = run("%0 = DEF\n%1 = SLOW %0(tied-def 0), 1\n%2 = NEG %0\nRET %1, %2");
    assert_eq!(
        code,
        "%0 = DEF\n%2 = NEG %0\n%1 = COPY killed %0\n%1 = SLOW %1(tied-def 0), 1\nRET killed %1, killed %2"
    );
    assert_eq!((counts.moved_down, counts.moved_up), (0, 1));
}

#[test]
fn t2_a_three_address_form_needs_no_copy() {
    let f = InMemory::parse("bb0:\n%0 = DEF\n%1 = INC %0(tied-def 0)\nCALL\nRET %1, killed %0");
    let counts = run_with(&f, &options()).0;
    assert_eq!(f.text_of(0), "%0 = DEF\n%1 = ADD3 %0, 1\nCALL\nRET %1, killed %0");
    assert_eq!((counts.converted, counts.copies), (1, 0));
}

#[test]
fn t2_a_load_is_unfolded_if_the_operation_can_then_be_commuted() {
    let f = InMemory::parse("bb0:\n%0 = DEF\n%1 = LOAD_ADD %0(tied-def 0), $9\nCALL\nRET %1, killed %0");
    let counts = run_with(&f, &options()).0;
    assert_eq!(
        f.text_of(0),
        "%0 = DEF\n%2 = LOAD $9\n%1 = COPY %2\n%1 = ADD %1(tied-def 0), %0\nCALL\nRET %1, killed %0"
    );
    assert_eq!(counts.unfolded, 1);
}

#[test]
fn t4_a_reg_sequence_becomes_copies_to_the_parts() {
    let (counts, code) = run("%0 = DEF\n%1 = DEF\n%2 = REG_SEQUENCE %0, 1, %1, 2\nRET %2");
    let copies = "undef %2.1 = COPY killed %0\n%2.2 = COPY killed %1";
    assert_eq!(code, format!("%0 = DEF\n%1 = DEF\n{copies}\nRET killed %2"));
    assert_eq!(counts.reg_sequences, 1);
}

#[test]
fn t4_a_reg_sequence_ends_a_register_that_it_reads_twice_at_its_last_copy_only() {
    let (_, code) = run("%0 = DEF\n%2 = REG_SEQUENCE %0, 1, %0, 2\nRET %2");
    assert_eq!(code, "%0 = DEF\nundef %2.1 = COPY %0\n%2.2 = COPY killed %0\nRET killed %2");
}

#[test]
fn t4_undefined_parts_of_a_reg_sequence_get_no_copy() {
    let (_, code) = run("%0 = DEF\n%2 = REG_SEQUENCE undef %1, 1, %0, 2\nRET %2");
    assert_eq!(code, "%0 = DEF\nundef %2.2 = COPY killed %0\nRET killed %2");
    let (_, code) = run("%2 = REG_SEQUENCE undef %1, 1, undef %0, 2\nRET %2");
    assert_eq!(code, "%2 = IMPLICIT_DEF\nRET killed %2");
}

#[test]
fn t4_undefined_parts_of_a_reg_sequence_are_copied_where_they_are_read_since_llvm_23() {
    for (version, part) in
        [(22, "undef %2.2 = COPY killed %0"), (23, "undef %2.1 = COPY undef %1\n%2.2 = COPY killed %0")]
    {
        let options = Options { differences: Versions::of(version).two_address, ..options() };
        let (_, code) = run_as("%0 = DEF\n%2 = REG_SEQUENCE undef %1, 1, %0, 2\nRET %2.1", &options);
        assert_eq!(code, format!("%0 = DEF\n{part}\nRET killed %2.1"));
    }
}

#[test]
fn t2_a_reversed_copy_chain_goes_on_over_tied_operands_since_llvm_23() {
    // In a loop: the source %1 is a copy of %5, which was computed from the result %2 in the
    // previous iteration.
    let code = "%1 = COPY %5\n%0 = DEF\n%2 = ADD %0(tied-def 0), %1\n%4 = SUB %2(tied-def 0), 1\n%5 = COPY %4\nRET %5";
    for (follows_tied_operands, commuted) in [(false, 0), (true, 1)] {
        let (counts, _) = run_as(code, &Options { follows_tied_operands, ..options() });
        assert_eq!(counts.commuted_aggressively, commuted);
    }
}

#[test]
fn t4_an_insert_subreg_becomes_a_copy_to_a_part() {
    let f = InMemory::parse(
        "bb0:\n%0 = DEF\n%1 = DEF\n%2 = INSERT_SUBREG killed %0(tied-def 0), killed %1, 3\nRET %2",
    );
    let counts = run_with(&f, &options()).0;
    assert_eq!(f.text_of(0), "%0 = DEF\n%1 = DEF\n%2 = COPY %0\n%2.3 = COPY killed %1\nRET %2");
    assert_eq!(counts.insert_subregs, 1);
}

#[test]
fn t7_the_cicc_profile_says_which_parts_of_a_register_are_neighbours() {
    for is_default in [false, true] {
        let code = "bb0:\n%0 = DEF\n%3 = DEF\n%1 = REG_SEQUENCE killed %0, 1, killed %3, 2\nRET %1";
        let (counts, pass) =
            run_with(&InMemory::parse(code), &Options { neighbour_hints: is_default, ..options() });
        assert_eq!(counts.neighbour_hints, u64::from(is_default));
        assert_eq!(pass.hints(7).expect("hints on this function").all().len(), usize::from(is_default));
        assert!(pass.hints(8).is_none());
    }
}

#[test]
fn t4_the_cicc_profile_makes_copies_of_an_extract_subreg_of_pairs() {
    let code = "bb0:\n%0 = DEF\n%1 = EXTRACT_SUBREG killed %0.1\nRET killed %1";
    for (is_default, copies) in [(false, 0), (true, 1)] {
        let f = InMemory::parse(code);
        let (mut pass, mut counts) = (TwoAddress::default(), Counts::default());
        assert_eq!(pass.run(&f, &Options { is_default, ..options() }, &mut counts), is_default);
        assert_eq!((counts.extract_subregs, counts.copies), (copies, copies));
        assert_eq!(f.text_of(0).contains("%1 = COPY killed %0.1"), is_default);
    }
}

#[test]
fn a_statepoint_writes_its_source_if_that_ends_there() {
    let f = InMemory::parse("bb0:\n%0 = DEF\n%1 = STATEPOINT %0(tied-def 0)\nRET %1").with_variables();
    assert!(TwoAddress::default().run(&f, &options(), &mut Counts::default()));
    assert_eq!(f.text_of(0), "%0 = DEF\n%0 = STATEPOINT %0(tied-def 0)\nRET killed %0");
}

#[test]
fn t9_each_copy_is_remarked_upon_with_its_reason() {
    let f = InMemory::parse("bb0:\n%0 = DEF\n%1 = SUB %0(tied-def 0), 1\nCALL\nRET %1, %0").with_variables();
    run_with(&f, &Options { wants_remarks: true, ..options() });
    assert_eq!(
        *f.remarks.borrow(),
        ["TiedOperandCopy: Function: f: COPY of %0 to %1, as both are tied in '%1 = SUB %0(tied-def 0), 1': \
          the source is read again later"]
    );
}

#[test]
fn t9_copies_of_parts_are_remarked_upon() {
    let code = "bb0:\n%0 = DEF\n%1 = DEF\n%2 = REG_SEQUENCE %0, 1, %1, 2\nRET %2, %1";
    let f = InMemory::parse(code).with_variables();
    run_with(&f, &Options { wants_remarks: true, ..options() });
    let is_part = "SubRegisterCopy: Function: f: COPY of";
    let reasons = ["the source ends here, so coalescing may join both", "the source is read again later"];
    let remarks = f.remarks.borrow();
    assert_eq!(remarks.len(), 2);
    for ((remark, regs), reason) in remarks.iter().zip(["%0 to %2", "%1 to %2"]).zip(reasons) {
        assert!(remark.starts_with(&format!("{is_part} {regs}")), "{remark}");
        assert!(
            remark.contains("which is a part of '%2 = REG_SEQUENCE") && remark.ends_with(reason),
            "{remark}"
        );
    }
}

#[test]
fn t7_results_and_operands_of_one_value_are_neighbours() {
    let neighbours = |code: &str| {
        let (_, pass) = run_with(&InMemory::parse(code), &Options { neighbour_hints: true, ..options() });
        pass.hints(7)
            .expect("hints on this function")
            .text("f")
            .lines()
            .skip(1)
            .collect::<Vec<_>>()
            .join("; ")
    };
    // Results, tied or not, and the operands of the same instruction; not the operands of one with
    // one result.
    let code =
        "bb0:\n%0 = DEF\n%1 = DEF\n%2 = DEF\n%3, %4 = LOAD %0(tied-def 0), %1, %2\n%5 = ADD3 %3, %4\nRET %5";
    assert_eq!(neighbours(code), "%2 next to %1; %4 next to %3");
    // Operands of a store; another operand between two separates them.
    let code = "bb0:\n%0 = DEF\n%1 = DEF\n%3 = DEF\n%4 = SUB %0(tied-def 0), 1\nSTORE %4, %1, 7, %3\nRET %1";
    assert_eq!(neighbours(code), "%1 next to %4");
}

/// The entry of LiveVariables for a source after the pass: its kills in block 1, and the blocks
/// that it lives through.
#[test]
fn t8_a_source_that_ends_does_not_live_through_the_block() {
    let code = "bb0:\n%0 = DEF\nbb1:\n%1 = SUB %0(tied-def 0), 1\nRET %1";
    let f = InMemory::parse(code).with_variables();
    // As an earlier pass might have left it.
    f.variables().expect("LiveVariables is kept").set_alive(Register::virt(0), 1);
    assert!(TwoAddress::default().run(&f, &options(), &mut Counts::default()));
    assert_eq!(f.kills_in(1), ["%0@0", "%1@2"]);
    assert!(f.alive_in(0).is_empty());
}

#[test]
fn t8_a_kill_that_live_variables_does_not_know_stays_unknown() {
    // As in a block that control cannot reach: the flag is there, the kill is not.
    let f =
        InMemory::parse("bb0:\n%0 = DEF\n%1 = SUB killed %0(tied-def 0), 1\nRET killed %1").with_variables();
    let (lv, sub) =
        (f.variables().expect("LiveVariables is kept"), f.block(0).first().and_then(|mi| mi.next()));
    assert!(lv.remove_kill(Register::virt(0), sub.expect("there are three instructions")));
    assert!(TwoAddress::default().run(&f, &options(), &mut Counts::default()));
    assert_eq!(f.kills_in(0), ["%1@3"]);
}

#[test]
fn t8_a_dead_reg_sequence_dies_at_its_last_copy() {
    for (is_default, dead) in [(true, "dead "), (false, "")] {
        let f = InMemory::parse("bb0:\n%0 = DEF\n%1 = DEF\n%2 = REG_SEQUENCE %0, 1, %1, 2\nRET 0")
            .with_variables();
        assert!(TwoAddress::default().run(&f, &Options { is_default, ..options() }, &mut Counts::default()));
        let copies = format!("undef %2.1 = COPY killed %0\n{dead}%2.2 = COPY killed %1");
        assert_eq!(f.text_of(0), format!("%0 = DEF\n%1 = DEF\n{copies}\nRET 0"));
    }
}
