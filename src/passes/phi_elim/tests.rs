//! Tests of PHI elimination on functions in memory.

use super::host::{PhiElimHost, PhiId, SharedRegisters};
use super::options::Options;
use super::{Counts, PhiElim};
use crate::mir::{BlockNumber, Operand, Register, VRegId};
use crate::passes::function::in_memory::{Block, InMemory, Instr};
use crate::passes::function::{BlockHandle, FunctionHandle, InstrHandle};
use crate::versions::Versions;

const TERMINATORS: [&str; 3] = ["BR", "RET", "LOOP_END"];

fn write(reg: Register) -> Operand {
    Operand::test_reg(reg, true, false)
}

impl<'t> PhiElimHost for &'t InMemory {
    type Loop = usize;
    type EdgeSplitter = ();

    fn num_block_ids(self) -> usize {
        self.blocks().count()
    }
    fn block_numbered(self, number: BlockNumber) -> Block<'t> {
        self.block(number.raw())
    }
    fn phi_operands(self, block: Block<'t>, out: &mut Vec<Operand>) {
        out.clear();
        self.phis(block).for_each(|phi| phi.with(|i| out.extend(&i.operands)));
    }
    fn phis(self, block: Block<'t>) -> impl Iterator<Item = Instr<'t>> {
        let is_phi = |mi: &Instr| mi.opcode() == "PHI";
        std::iter::successors(block.first().filter(is_phi), move |mi| mi.next().filter(is_phi))
    }
    fn is_eh_pad(self, block: Block<'t>) -> bool {
        block
            .first()
            .is_some_and(|_| self.phis(block).last().and_then(|phi| phi.next()).is_some_and(is_landing))
    }
    fn is_asm_br_target(self, block: Block<'t>) -> bool {
        block.predecessors().any(|p| p.last().is_some_and(|mi| mi.opcode() == "INLINEASM_BR"))
    }
    fn first_terminator(self, block: Block<'t>) -> Option<Instr<'t>> {
        let mut instrs = std::iter::successors(block.first(), |mi| mi.next());
        instrs.find(|mi| TERMINATORS.contains(&mi.opcode().as_str()))
    }
    fn skip_phis_and_labels(self, _: Block<'t>, from: Option<Instr<'t>>) -> Option<Instr<'t>> {
        let skips = |mi: &Instr| ["PHI", "EH_LABEL"].contains(&mi.opcode().as_str());
        std::iter::successors(from, |mi| mi.next()).find(|mi| !skips(mi))
    }

    fn is_call(self, mi: Instr<'t>) -> bool {
        mi.opcode() == "CALL"
    }
    fn debug_number(self, _: Instr<'t>) -> Option<u32> {
        None
    }
    fn add_debug_phi(self, _: u32, _: Block<'t>, _: Register) {
        unreachable!("no instruction has a debug number");
    }

    fn new_reg_like(self, _: Register) -> Register {
        self.new_reg()
    }
    fn insert_implicit_def(
        self,
        block: Block<'t>,
        before: Option<Instr<'t>>,
        _: Instr<'t>,
        reg: Register,
    ) -> Instr<'t> {
        self.insert(block, before, "IMPLICIT_DEF", &[write(reg)])
    }
    fn insert_destination_copy(
        self,
        block: Block<'t>,
        before: Option<Instr<'t>>,
        _: Instr<'t>,
        src: Register,
        dst: Register,
    ) -> Instr<'t> {
        self.insert(block, before, "COPY", &[write(dst), Operand::test_reg(src, false, false)])
    }
    fn insert_source_copy(
        self,
        block: Block<'t>,
        before: Option<Instr<'t>>,
        src: Operand,
        dst: Register,
    ) -> Instr<'t> {
        let read = Operand::test_reg(src.reg(), false, false).test_subreg(src.subreg());
        self.insert(block, before, "COPY", &[write(dst), read])
    }
    fn remove_from_block(self, phi: Instr<'t>) {
        phi.remove();
    }
    fn set_def_dead(self, _: Instr<'t>) {
        unreachable!("unit tests run as the newest release, where LiveVariables flags it");
    }
    fn delete(self, _: Instr<'t>) {}
    fn insert_in_slots(self, _: Instr<'t>) {}
    fn remove_from_slots(self, _: Instr<'t>) {}
    fn set_no_phis(self) {}

    fn requires_structured_cfg(self) -> bool {
        self.is_structured
    }
    fn loop_of(self, block: Block<'t>) -> Option<usize> {
        self.loops.iter().position(|(_, blocks)| blocks.contains(&block.number().raw()))
    }
    fn is_header(self, of: usize, block: Block<'t>) -> bool {
        self.loops[of].0 == block.number().raw()
    }
    fn contains(self, outer: usize, inner: Option<usize>) -> bool {
        inner.is_some_and(|inner| self.loops[outer].1.contains(&self.loops[inner].0))
    }
    fn can_split_edge(self, _: Block<'t>, _: Block<'t>) -> bool {
        true
    }
    fn edge_splitter(self) {}
    fn split_edge(self, (): &mut (), pred: Block<'t>, succ: Block<'t>, live_in: Option<&[VRegId]>) -> bool {
        let new = self.put_block_on_edge(pred, succ);
        let variables = self.variables().expect("edges are split where liveness is known");
        for &reg in live_in.expect("as LiveVariables is kept") {
            variables.set_alive(reg.into(), new);
        }
        true
    }
    fn recalculate_dominators(self) {}
}

fn is_landing(mi: Instr) -> bool {
    mi.opcode() == "EH_LABEL"
}

fn options() -> Options {
    Options {
        split_edges: true,
        split_all_critical_edges: false,
        no_live_out_early_exit: false,
        is_default: false,
        differences: Versions::of(22).phi_elim,
    }
}

fn run_with(f: &InMemory, options: &Options, shared: &impl SharedRegisters) -> Counts {
    let (mut phi_elim, mut counts) = (PhiElim::default(), Counts::default());
    // An earlier function has left its traces in the buffers.
    let before =
        &InMemory::parse("bb0 -> bb1:\n%0 = DEF\nBR\nbb1:\n%1 = PHI %0, bb0\nRET %1").with_variables();
    let split = phi_elim.split_edges(before, options);
    phi_elim.eliminate(before, options, split, &(), &mut counts);

    let split = phi_elim.split_edges(f, options);
    assert!(phi_elim.eliminate(f, options, split, shared, &mut counts));
    assert!(f.blocks().all(|block| f.phis(block).next().is_none()), "no PHI is left");
    counts
}

fn run(f: &InMemory) -> Counts {
    run_with(f, &options(), &())
}

const DIAMOND: &str = "bb0 -> bb1 bb2:
    %0 = DEF
    %1 = DEF
    BR %1
    bb1 -> bb3:
    %2 = ADD %0, %1
    BR
    bb2 -> bb3:
    BR
    bb3:
    %3 = PHI %2, bb1, %0, bb2
    RET %3";

#[test]
fn a_phi_becomes_a_copy_in_each_predecessor_and_one_in_its_place() {
    let f = InMemory::parse(DIAMOND).with_variables();
    let counts = run(&f);
    assert_eq!(f.text_of(1), "%2 = ADD killed %0, killed %1\n%4 = COPY killed %2\nBR");
    assert_eq!(f.text_of(2), "%4 = COPY killed %0\nBR");
    assert_eq!(f.text_of(3), "%3 = COPY killed %4\nRET killed %3");
    assert_eq!((counts.phis, counts.copies), (1, 2));
    assert_eq!(f.kills_in(2), ["%0@0"]);
    assert!(f.alive_in(0).is_empty());
    assert!(!f.is_ssa.get());
}

#[test]
fn phis_that_swap_their_values_have_incoming_registers_of_their_own() {
    let f = InMemory::parse(
        "bb0 -> bb1:
        %0 = DEF
        %1 = DEF
        BR
        bb1 -> bb1 bb2:
        %2 = PHI %0, bb0, %3, bb1
        %3 = PHI %1, bb0, %2, bb1
        BR
        bb2:
        RET",
    )
    .with_variables();
    run(&f);
    assert_eq!(
        f.text_of(1),
        "%3 = COPY killed %5\n%2 = COPY killed %4\n%4 = COPY killed %3\n%5 = COPY killed %2\nBR"
    );
}

#[test]
fn a_source_ends_with_the_last_phi_that_reads_it_over_an_edge_unless_it_lives_on() {
    let mut f = InMemory::parse(
        "bb0 -> bb1 bb2:
        %0 = DEF
        %1 = DEF
        BR
        bb1:
        %2 = PHI %0, bb0
        %3 = PHI %0, bb0
        %4 = PHI %1, bb0
        RET %2, %3, %4
        bb2:
        RET %1",
    )
    .with_variables();
    f.is_structured = true;
    run(&f);
    assert_eq!(
        f.text_of(0),
        "%0 = DEF\n%1 = DEF\n%5 = COPY %0\n%6 = COPY killed %0\n%7 = COPY %1\nBR",
        "%0 is read by two PHIs, %1 in another block"
    );
}

#[test]
fn undefined_values_become_implicit_defs() {
    let f = InMemory::parse(
        "bb0 -> bb1 bb2:
        %0 = IMPLICIT_DEF
        %1 = DEF
        BR
        bb1 -> bb3:
        BR
        bb2 -> bb3:
        BR
        bb3:
        %2 = PHI %0, bb1, %1, bb2
        %3 = PHI undef %1, bb1, %0, bb2
        RET %2, %3",
    )
    .with_variables();
    let counts = run(&f);
    assert_eq!(f.text_of(0), "%1 = DEF\nBR", "only PHIs have read %0");
    assert_eq!(f.text_of(1), "%4 = IMPLICIT_DEF\nBR");
    assert_eq!(f.text_of(2), "%4 = COPY killed %1\nBR");
    assert_eq!(f.text_of(3), "%3 = IMPLICIT_DEF\n%2 = COPY killed %4\nRET killed %2, killed %3");
    assert_eq!((counts.undefined, counts.implicit_defs, counts.implicit_defs_removed), (1, 1, 1));
}

#[test]
fn phis_alike_in_blocks_with_critical_edges_alone_share_an_incoming_register() {
    let f = InMemory::parse(
        "bb0 -> bb2 bb3:
        %0 = DEF
        BR
        bb1 -> bb2 bb3:
        %1 = DEF
        BR
        bb2:
        %2 = PHI %0, bb0, %1, bb1
        RET %2
        bb3:
        %3 = PHI %0, bb0, %1, bb1
        RET %3",
    )
    .with_variables();
    assert_eq!(run(&f).reused, 1);
    assert_eq!(f.text_of(0), "%0 = DEF\n%4 = COPY killed %0\nBR");
    assert_eq!(f.text_of(3), "%3 = COPY killed %4\nRET killed %3");
}

#[test]
fn over_other_edges_phis_alike_share_one_up_to_llvm_18() {
    let text = DIAMOND.replace("RET", "%4 = PHI %2, bb1, %0, bb2\nRET %4,");
    for (llvm, reused) in [(18, 1), (19, 0)] {
        let f = InMemory::parse(&text).with_variables();
        let options = Options { differences: Versions::of(llvm).phi_elim, ..options() };
        assert_eq!(run_with(&f, &options, &()).reused, reused);
        let copies = if reused == 1 {
            "%4 = COPY %5\n%3 = COPY killed %5"
        } else {
            "%4 = COPY killed %6\n%3 = COPY killed %5"
        };
        assert_eq!(f.text_of(3), format!("{copies}\nRET killed %4, killed %3"));
    }
}

#[test]
fn the_copy_goes_before_a_call_that_may_leave_for_a_landing_pad() {
    let f = InMemory::parse(
        "bb0 -> bb1 bb2:
        %0 = DEF
        CALL
        %1 = DEF
        BR
        bb1:
        RET
        bb2:
        %2 = PHI %0, bb0
        EH_LABEL
        RET %2",
    )
    .with_variables();
    run(&f);
    assert_eq!(f.text_of(0), "%0 = DEF\n%3 = COPY killed %0\nCALL\ndead %1 = DEF\nBR");
    assert_eq!(f.text_of(2), "EH_LABEL\n%2 = COPY killed %3\nRET killed %2");
}

/// %0 lives on past bb0, but not into bb2.
const CRITICAL: &str = "bb0 -> bb1 bb2:
    %0 = DEF
    BR
    bb1 -> bb2:
    %1 = ADD %0
    BR
    bb2:
    %2 = PHI %0, bb0, %1, bb1
    RET %2";

#[test]
fn an_edge_is_split_where_the_source_lives_on_but_not_into_the_block() {
    let f = InMemory::parse(CRITICAL).with_variables();
    assert_eq!(run(&f).edges_split, 1);
    assert_eq!(f.text_of(0), "%0 = DEF\nBR");
    assert_eq!(f.text_of(3), "%3 = COPY killed %0\nBR");
    assert_eq!(f.kills_in(3), ["%0@0"]);
}

#[test]
fn no_edge_is_split_on_demand_or_where_control_flow_is_structured() {
    let f = InMemory::parse(CRITICAL).with_variables();
    let no_splits = Options { split_edges: false, ..options() };
    assert_eq!(run_with(&f, &no_splits, &()).edges_split, 0);
    assert_eq!(f.text_of(0), "%0 = DEF\n%3 = COPY %0\nBR");

    let mut f = InMemory::parse(CRITICAL).with_variables();
    f.is_structured = true;
    assert_eq!(run(&f).edges_split, 0);
}

#[test]
fn a_back_edge_is_not_split_unless_all_are() {
    for (split_all_critical_edges, edges) in [(false, 0), (true, 1)] {
        let mut f = InMemory::parse(
            "bb0 -> bb1:
            %0 = DEF
            BR
            bb1 -> bb1 bb2:
            %1 = PHI %0, bb0, %2, bb1
            %2 = ADD %1
            BR
            bb2:
            RET %2",
        )
        .with_variables();
        f.loops = vec![(1, vec![1])];
        let options = Options { split_all_critical_edges, ..options() };
        assert_eq!(run_with(&f, &options, &()).edges_split, edges);
    }
}

#[test]
fn an_edge_out_of_a_loop_is_split_though_the_copy_stays() {
    for (loops, edges) in [(vec![(1, vec![1])], 1), (vec![], 0)] {
        let mut f = InMemory::parse(
            "bb0 -> bb1:
            %0 = DEF
            BR
            bb1 -> bb1 bb2:
            %1 = PHI %0, bb0
            %2 = ADD %1
            BR
            bb2:
            %3 = PHI %2, bb1
            RET %3, %2",
        )
        .with_variables();
        f.loops = loops;
        assert_eq!(run(&f).edges_split, edges);
    }
}

/// Registers that a stage has shared: of PHI 0, register 9, live into block 3.
struct Shared;

impl SharedRegisters for Shared {
    fn incoming(&self, phi: PhiId) -> Option<Register> {
        (phi.index() == 0).then(|| Register::virt(9))
    }
    fn live_in(&self, reg: Register) -> Option<&[BlockNumber]> {
        const BLOCKS: [BlockNumber; 1] = [BlockNumber::from_raw_unchecked(3)];
        (reg == Register::virt(9)).then_some(&BLOCKS)
    }
}

#[test]
fn a_shared_register_needs_no_copy_of_what_has_that_name() {
    let text = DIAMOND.replace("%3", "%9").replace("PHI %2, bb1, %0, bb2", "PHI %9, bb1, %0, bb2");
    let text = text.replace("%2 = ADD", "%9 = ADD");
    let f = InMemory::parse(&text).with_variables();
    let counts = run_with(&f, &options(), &Shared);
    assert_eq!(f.text_of(1), "%9 = ADD killed %0, killed %1\nBR");
    assert_eq!(f.text_of(2), "%9 = COPY killed %0\nBR");
    assert_eq!(f.text_of(3), "RET killed %9");
    assert_eq!(counts.copies, 1);
}

/// An LLVM with assertions aborts on a query for the only def of a register that has two.
#[test]
fn c8_does_not_ask_for_the_only_def_of_a_shared_register() {
    let f = InMemory::parse(
        "bb0 -> bb1 bb2:
        %0 = DEF
        BR
        bb1 -> bb3:
        %9 = ADD %0
        BR
        bb2 -> bb3:
        %9 = ADD killed %0
        BR
        bb3 -> bb4:
        %9 = PHI %9, bb1, %9, bb2
        BR
        bb4:
        %5 = PHI %9, bb3
        RET killed %5",
    )
    .with_variables();
    let counts = run_with(&f, &options(), &Shared);
    assert_eq!(f.text_of(3), "%10 = COPY killed %9\nBR");
    assert_eq!(f.text_of(4), "%5 = COPY killed %10\nRET killed %5");
    assert_eq!((counts.phis, counts.copies, counts.undefined), (2, 1, 0));
}
