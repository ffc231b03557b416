"""The seeded bugs: changes of the passes' sources that the checker or LLVM's verifier must find (requirement K1).

    table.py ROOT COPY
    table.py --stage NAME

The first form writes to COPY the files of ROOT that cargo needs to build the plugin, with all bugs in them. A bug is off unless the
variable PTX_MUTATION names it (seeded.rs). The sources themselves do not know of it. The second form tells by its exit status whether
a stage has seeded bugs.

A missing feature is not a bug of this table: `-ptx-without=ROW` makes it, and tests/rows.py shows that lit tests find it.

A patch names a place by its code, not by its file: the tokens must occur exactly once in src/, whatever the white space and
comments between them. Code that moves, or is formatted anew, needs no change here. Whoever changes the code of a patch
changes the patch.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    """One changed place."""

    text: str
    """Code that occurs once. The part between « and » is replaced: an expression, or statements that end in a semicolon. If
    there is nothing between them, `mutant` is inserted there."""
    mutant: str
    """The code that takes its place."""
    where: str = ""
    """A folder below src/, if the code occurs once there but not in all of src/."""


@dataclass(frozen=True)
class Bug:
    """One seeded bug."""

    stage: str
    """The pass or stage that has the bug, as `-ptx-passes` names it, or an analysis."""
    title: str
    """What it does wrong."""
    finder: str
    """Who must find it: "checker" or "verifier"."""
    profile: str
    """The profile that it is looked for in: "cicc" or "upstream"."""
    patches: list[Patch]
    inputs: str
    """The set of inputs that it is run on; see run.py."""
    max_llvm: int = 99
    """The last LLVM that has the code."""
    min_llvm: int = 0
    """The first LLVM in which it does anything."""
    alone: str = ""
    """A source of tests/grid/adversarial on which the checker, `equal` and launches must find it, each alone (tests/grid/alone.py)."""

    @property
    def name(self) -> str:
        """How PTX_MUTATION names it."""
        return f"{self.stage}: {self.title}"


def first_register(space: str) -> str:
    """Code for an access of this kind that takes the first register that it reads for its address, as `address`: what was done before there
    was one function that knows the place. Where the address is a name, that register is a value."""
    return (
        "address_of(self_facts, self_machine, instr).map(|found| { let reads = self_facts.operands_of(instr);"
        " let first = reads.iter().position(|o| o.is_use() && o.reads_whole());"
        " let first = first.and_then(|position| Some((position, reads[position].vreg()?)));"
        " let is_constant = |index: &usize| reads.get(*index).is_some_and(|o| o.kind() == crate::mir::Kind::Imm);"
        f" first.filter(|_| found.place.space == SpaceSource::{space}).map_or(found, |(position, reg)| Address {{ position,"
        " base: crate::ssa::address::Base::Register(reg), offset: Some(position + 1).filter(is_constant), ..found }) })"
    )


BUGS = [
    # ---- the emitter's own rows, which only the default profile has
    Bug("emitter", "a result that is read is dead", "checker", "cicc", inputs="emitter", patches=[
        Patch("uses.filter(|&reg| «reg.is_virtual() && !function.is_read(reg)»)", "reg.is_virtual()"),
        Patch("if !self.operands.iter().all(|op| «!op.is_def() || is_unread_def(function, *op)») {", "true"),
    ]),
    Bug("emitter", "an operand of assembly is not renamed where it is read", "checker", "cicc", inputs="emitter", patches=[
        Patch("GroupKind::RegUse if «op.as_register().is_some_and(|reg| reg != register())» => {", "false"),
    ]),
    Bug("emitter", "a result of assembly is read where it was", "checker", "cicc", inputs="emitter", patches=[
        Patch("if src.is_virtual() { «self.buffers.asm.now(src)» }", "src"),
    ]),
    # ---- PHIs of halves, which only the default profile has
    Bug("wide-phis", "parts of two values are a group", "checker", "cicc", inputs="wide-phis", patches=[
        Patch("let is_next = «next.whole == joined.whole && next.offset == joined.offset + joined.bits»;", "true"),
    ]),
    Bug("wide-phis", "a part of a packed value is another one", "checker", "cicc", inputs="wide-phis", patches=[
        Patch("get(1 + «(part.offset / bits) as usize»)?", "0"),
    ]),
    Bug("wide-phis", "a reader of one half is overlooked", "checker", "cicc", inputs="wide-phis", patches=[
        Patch("can_be_wide &= «is_read_as_group»;", "true"),
    ]),
    Bug("wide-phis", "an edge gets the value of another one", "checker", "cicc", inputs="wide-phis", patches=[
        Patch("Source::Whole(reg) => «reg.into()»,",
              "found.groups().iter().flat_map(|g| found.sources(g))"
              ".find_map(|s| match *s { Source::Whole(first) => Some(first), _ => None }).unwrap_or(reg).into()"),
    ]),
    Bug("wide-phis", "an unpack that is read is erased", "checker", "cicc", inputs="wide-phis", patches=[
        Patch("if «defs.clone().all(|reg| reg.is_virtual() && mf.use_nodbg_empty(reg))» {\n            defs.for_each", "true"),
    ]),
    # ---- addresses of 32 bits, which only the default profile has
    Bug("short-addresses", "an address of global memory becomes narrow", "checker", "cicc", inputs="short-addresses", patches=[
        Patch("SpaceSource::LoadOrStore => space().is_some_and(|space| «SMALL_SPACES.contains(&space)»),",
              "SMALL_SPACES.contains(&space) || space == AddressSpace::Global"),
    ]),
    Bug("short-addresses", "a right shift is computed from the low half", "checker", "cicc", inputs="short-addresses", patches=[
        Patch("let mut narrowing = «Narrowing::of_opcode(name, move_, arithmetic)»;", 'Narrowing::from_name(&name.replace("SRL", "SHL"))'),
    ]),
    Bug("short-addresses", "a value that is stored becomes narrow", "checker", "cicc", inputs="short-addresses", patches=[
        Patch("«Some(index) != low» && operand.is_use()", "low.is_none()"),
    ]),
    Bug("short-addresses", "what a whole value is computed of becomes narrow", "checker", "cicc", inputs="short-addresses", patches=[
        Patch("«need(read, pending);»", "let _ = read;"),
    ]),
    Bug("short-addresses", "a constant loses more than its high half", "checker", "cicc", inputs="short-addresses", patches=[
        Patch("mi.set_immediate(index, i64::from(«mi.immediate(index) as i32»));", "i32::from(mi.immediate(index) as i8)"),
    ]),
    Bug("short-addresses", "the low half of another register is taken", "checker", "cicc", inputs="short-addresses", patches=[
        Patch("let result = «*self.low_halves.entry(of).or_insert(next)»;",
              "{ let first = self.low_halves.values().min().copied();"
              " first.unwrap_or_else(|| *self.low_halves.entry(of).or_insert(next)) }"),
    ]),
    Bug("short-addresses", "the value of an atomic operation is taken for an address", "checker", "cicc", inputs="short-addresses",
        min_llvm=21, alone="ir_named_variables", patches=[
        Patch("let address = «address_of(self.facts, self.machine, instr)»?;",
              first_register("Atomic").replace("self_", "self."), where="stages/short_addresses"),
    ]),
    Bug("short-addresses", "the source of a copy is taken for an address in shared memory", "checker", "cicc", inputs="short-addresses",
        min_llvm=21, alone="ir_named_variables", patches=[
        Patch("let address = «address_of(self.facts, self.machine, instr)»?;",
              first_register("Shared").replace("self_", "self."), where="stages/short_addresses"),
    ]),
    Bug("fold-addresses", "the offset of an address of 32 bits has the wrong sign", "checker", "cicc", inputs="short-addresses", patches=[
        Patch("let offset = «forms.distance(address.form, leader.form, address.bits)»;",
              "forms.distance(address.form, leader.form, address.bits) * if address.bits == 32 { -1 } else { 1 }"),
    ]),
    # ---- addresses that share a register, which only the default profile has
    Bug("fold-addresses", "an or is a sum whatever bits are set", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("Op::Or(a, b) | Op::Xor(a, b) => «are_disjoint(c, a, b, half)»,", "true"),
    ]),
    Bug("fold-addresses", "a sum that wraps around", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("Op::Add(a, b) => «c.of(a, half).wrapping_add(c.of(b, half)) <= max»,", "true"),
    ]),
    Bug("fold-addresses", "sign-extended as zero-extended", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("if «is_signed» {\n            &mut self.sign", "false"),
    ]),
    Bug("fold-addresses", "the offset has the wrong sign", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("draft.set_address(access.instr, access.operand, opcode, reg, «access.offset + fold.offset»);", "access.offset - fold.offset"),
    ]),
    Bug("fold-addresses", "an address that another branch computes", "verifier", "cicc", inputs="fold-addresses", patches=[
        Patch("if «dominates» && leader.bits == address.bits", "true"),
    ]),
    Bug("fold-addresses", "a def that is read is erased", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("let is_read = «self.num_reads(reg) != 0»;", "false"),
    ]),
    Bug("fold-addresses", "a counter is a multiple of its start, not of its step", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("Op::Counter(first, step) => from_lowest(«known.of(first, width) | known.constant(step)») & all,",
              "known.of(first, width)"),
    ]),
    Bug("fold-addresses", "numbers of threads are of fewer bits", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch(".checked_ilog2().map_or(0, |n| «n + 1»)", "n"),
    ]),
    Bug("fold-addresses", "sums of other terms are shared", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("if leader.block != sum.block || «forms.terms(leader.form) != forms.terms(sum.form)» {", "false"),
    ]),
    Bug("fold-addresses", "the constant of a shared sum has the wrong sign", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("NewOpcode::Created(op), leader.reg, «i64::from(sum.constant)»", "-i64::from(sum.constant)"),
    ]),
    Bug("fold-addresses", "a number with a sign is multiplied as one without", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("let wide = CreatedOp::MulWide(«extension»);", "Extension::Zero"),
        Patch("draft.set_operation(instr, CreatedOp::MulAddWide(«extension»),", "Extension::Zero"),
    ]),
    Bug("fold-addresses", "a number that may be negative is multiplied with its sign", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("extension == wanted || «!may_be_negative»", "true"),
    ]),
    Bug("fold-addresses", "a load that extends with zeros extends with the sign", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("may_be_negative: «is_signed || bits == 32»,", "is_signed"),
    ]),
    Bug("fold-addresses", "products with different shifts are shifted once", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch(".filter(|x| «x.by == by»)", "true"),
    ]),
    Bug("fold-addresses", "a sum that is read is shifted once", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("let has_one_reader = «draft.num_reads(reg) == 1»;", "draft.num_reads(reg) != 0"),
    ]),
    Bug("fold-addresses", "an index is multiplied by twice its factor", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("draft.set_with_constant(shift.instr, opcode, shift.from, «1 << shift.by»);", "2 << shift.by"),
    ]),
    Bug("fold-addresses", "an index extended with zeros is multiplied with its sign", "checker", "cicc", inputs="fold-addresses", patches=[
        Patch("«extension == Extension::Sign» && by <= MAX_SHIFT", "true"),
    ]),
    Bug("fold-addresses", "the value of an atomic operation is taken for an address", "checker", "cicc", inputs="fold-addresses",
        min_llvm=21, alone="ir_named_variables", patches=[
        Patch("let address = «address_of(facts, machine, instr)»?;",
              first_register("Atomic").replace("self_", ""), where="stages/fold_addresses"),
    ]),
    # ---- computations that move up, which only the default profile has
    Bug("hoist", "an instruction moves above the def of its operand", "checker", "cicc", inputs="hoist", patches=[
        Patch("let is_there_above = || home().is_some_and(|home| «facts.dominates(home, above)»);", "true"),
    ]),
    Bug("hoist", "an instruction moves up without its operand", "checker", "cicc", inputs="hoist", patches=[
        Patch("«self.add_edge(value.entry(), operand.entry(), UNLIMITED);»", ";"),
    ]),
    Bug("hoist", "loads go over stores", "checker", "cicc", inputs="hoist", patches=[
        Patch("let only_computes = «mi.only_computes()»;", "(mi.is_safe_to_move(None) || mi.properties().may_load())"),
    ]),
    Bug("hoist", "assembly with effects goes over others", "checker", "cicc", inputs="hoist", patches=[
        Patch("Computation::InlineAsm => «mi.is_computing_assembly()»", "true", where="stages/hoist"),
    ]),
    # ---- computations that move down, which only the default profile has
    Bug("sink", "a PHI reads in its own block", "verifier", "cicc", inputs="sink", patches=[
        Patch("reads.for_each(|(_, pred)| «visit(pred)»);", "{ let _ = pred; visit(self.block_of[reader]) }"),
    ]),
    Bug("sink", "an instruction moves after its readers", "verifier", "cicc", inputs="sink", patches=[
        Patch("instrs.instr(edit.instr).move_before(block, «block.skip_phis_and_labels(block.first())»);", "block.first_terminator()"),
    ]),
    Bug("sink", "assembly with effects goes over others", "checker", "cicc", inputs="sink", patches=[
        Patch("Computation::InlineAsm => «mi.is_computing_assembly()»", "true", where="stages/sink"),
    ]),
    # ---- bit fields, which only the default profile extracts by shifts
    Bug("bit-fields", "a field loses its last bit", "checker", "cicc", inputs="bit-fields", max_llvm=23, patches=[
        Patch("((BITS - position - width) as u32, «(BITS - width) as u32»)", "(BITS - width + 1) as u32"),
    ]),
    Bug("bit-fields", "a field begins one bit too high", "checker", "cicc", inputs="bit-fields", max_llvm=23, patches=[
        Patch("(«(BITS - position - width) as u32», (BITS - width) as u32)", "(BITS - position - width - 1) as u32"),
    ]),
    # ---- approximations that flush, which only the default profile has
    Bug("flush", "a product counts as a square", "checker", "cicc", inputs="flush", patches=[
        Patch("a.vreg().is_some() && «a.vreg() == b.vreg()» && a.reads_whole()", "b.vreg().is_some()", where="stages/flush"),
    ]),
    Bug("flush", "a positive bound counts as a normal one", "checker", "cicc", inputs="flush", patches=[
        Patch("|| «self.low >= normal» || self.high", "self.low > 0.0"),
    ]),
    Bug("flush", "the sign of an addend is overlooked", "checker", "cicc", inputs="flush", patches=[
        Patch("Subtract => input(1).plus(«input(2).negated()»),", "input(2).absolute()"),
    ]),
    Bug("flush", "the greater of two is at least each bound", "checker", "cicc", inputs="flush", patches=[
        Patch("[self, other].into_iter().filter(|range| «range.is_number»)", "range.low > 0.0 || range.is_number"),
    ]),
    Bug("flush", "the greater one or NaN counts as the greater one", "checker", "cicc", inputs="flush", patches=[
        Patch("MaximumOrNan => «input(1).maximum_or_nan(input(2))»,", "input(1).maximum(input(2))"),
    ]),
    Bug("flush", "a sum flushes that does not", "checker", "cicc", inputs="flush", patches=[
        Patch("«op.flushes» || has_flag && self.machine.immediate(instr, flag) != 0", "op.operation == Add"),
    ]),
    # ---- comparisons in another form, which only the default profile has
    Bug("ptxas-errata", "operands are exchanged, and the relation stays", "checker", "cicc", inputs="ptxas-errata", patches=[
        Patch("relation: «self.relation.exchanged()»,", "self.relation", where="stages/ptxas_errata"),
    ]),
    Bug("ptxas-errata", "only one of two operands is exchanged", "checker", "cicc", inputs="ptxas-errata", patches=[
        Patch("mi.set_reg(2, «first»);", "second", where="stages/ptxas_errata"),
    ]),
    Bug("ptxas-errata", "the constant next to it is not taken", "checker", "cicc", inputs="ptxas-errata", patches=[
        Patch("i32::try_from(i64::from(constant as i32) + «difference»)", "0 * difference"),
    ]),
    Bug("ptxas-errata", "the other sign is written", "checker", "cicc", inputs="ptxas-errata", min_llvm=21, patches=[
        Patch("mi.set_immediate(MODE, op.mode(form.relation, «is_signed»));", "!is_signed"),
    ]),
    Bug("ptxas-errata", "the constant keeps the half that is not read", "checker", "cicc", inputs="ptxas-errata", min_llvm=18, patches=[
        Patch("constant: «constant & mask» }", "constant", where="stages/ptxas_errata"),
    ]),
    Bug("ptxas-errata", "the other half of the constant is taken", "checker", "cicc", inputs="ptxas-errata", min_llvm=18, patches=[
        Patch("Some(LOW) => «0xffff»,", "0xffff_0000", where="stages/ptxas_errata"),
    ]),
    Bug("ptxas-errata", "a store of 32 bits reads one half", "checker", "cicc", inputs="ptxas-errata", min_llvm=18, patches=[
        Patch("machine.immediate(instr, before - 1) == «16»", "32", where="stages/ptxas_errata"),
    ]),
    Bug("ptxas-errata", "another sum reads the low half alone", "checker", "cicc", inputs="ptxas-errata", min_llvm=18, patches=[
        Patch("Some(PackedOp::Add) => «of_result(0)»,", "LOW", where="stages/ptxas_errata"),
    ]),
    # ---- sums that become induction variables, which only the default profile has
    Bug("induction", "a value that the loop computes is a distance", "checker", "cicc", inputs="induction", patches=[
        Patch("&& «is_invariant(sum.distance)»", "true"),
    ]),
    Bug("induction", "the step changes in every iteration", "checker", "cicc", inputs="induction", patches=[
        Patch("&& «step.vreg().is_none_or(is_invariant)»", "true"),
    ]),
    Bug("induction", "a sum after the step is one before it", "checker", "cicc", inputs="induction", patches=[
        Patch("if «sum.reads_next» { new_next } else { new }", "false"),
    ]),
    Bug("induction", "a new variable begins like the old one", "checker", "cicc", inputs="induction", patches=[
        Patch("mi.set_reg(index, «phi.operand(4 - at_next).reg()»);", "mi.operand(3 - index).reg()"),
    ]),
    Bug("induction", "the start value lacks its constant", "checker", "cicc", inputs="induction", patches=[
        Patch("let constant = «forms.distance(form, sum.form, wanted.bits)»;", "0"),
    ]),
    Bug("induction", "the start value lacks the step", "checker", "cicc", inputs="induction", patches=[
        Patch("Some(Offset { base, constant: 0 }) => «InitialValue::PlusStep»(base)", "InitialValue::Existing"),
    ]),
    Bug("induction", "the start value is computed on another path", "verifier", "cicc", inputs="induction", patches=[
        Patch("(fits && «facts.dominates(facts.block_of_instr(sum.instr), wanted.entry)»)", "true"),
    ]),
    Bug("induction", "masks of different bits are equal", "checker", "cicc", inputs="induction", patches=[
        Patch("let mask = «(c.constant(mask) & C::Number::low_bits(width)) >> by»;", "C::Number::of(1)"),
    ]),
    Bug("induction", "a variable that is read is erased", "checker", "cicc", inputs="induction", patches=[
        Patch("let is_erased = «num_readers(phi) + num_readers(increment) == sums.len() + 2»;", "true"),
    ]),
    Bug("induction", "variables that begin otherwise are equal", "checker", "cicc", inputs="induction", patches=[
        Patch("let initial = «value(target, initial)»;", "Value::Imm(0)"),
    ]),
    Bug("induction", "variables with another step are equal", "checker", "cicc", inputs="induction", patches=[
        Patch("(_, Some(step)) => «Value::Reg(step)»,", "Value::Imm(0)"),
    ]),
    Bug("induction", "the last of the equal variables is kept", "verifier", "cicc", inputs="induction", patches=[
        Patch("let is_later = |a: Variable, b: Variable| «comes_first(facts, b.increment, a.increment)»;",
              "!comes_first(facts, b.increment, a.increment)"),
    ]),
    # ---- rematerialised values, which only the default profile has
    Bug("remat", "every operand of a reader becomes the recomputed value", "checker", "cicc", inputs="remat", patches=[
        Patch("o.is_use() && o.is_virtual() && «o.reg() == result(recomputation)»", "true"),
    ]),
    Bug("remat", "recomputed before the last reader", "checker", "cicc", inputs="remat", patches=[
        Patch("(facts.block_of_instr(readers[0]), «readers[0]»)", "readers[readers.len() - 1]"),
    ]),
    Bug("remat", "a chain is recomputed in the wrong order", "verifier", "cicc", inputs="remat", patches=[
        Patch("(needs[need].before, «needs[need].step»)",
              "Step { height: 0, instr: InstrId::from_raw(u32::MAX - needs[need].step.instr.raw()) }"),
    ]),
    Bug("remat", "a def that is read is erased", "checker", "cicc", inputs="remat", patches=[
        Patch("let is_read = «!mf.use_nodbg_empty(reg)»;", "false"),
    ]),
    # ---- PHI elimination
    Bug("phi-elim", "PHIs share a register", "checker", "upstream", inputs="machine-code", patches=[
        Patch("match «may_share» {", "true"),
        Patch("«»let mut hasher = FxHasher::default();",
              "if let Some(phi) = self.phis.last() { return (phi.incoming, true); }"),
    ]),
    Bug("phi-elim", "an edge gets the value of another one", "checker", "upstream", inputs="machine-code", patches=[
        Patch("self.lower_source(target, phi, «read», uses, incoming);",
              "{ let mut read = read; read.source = uses.uses(index)[0].source; read }"),
    ]),
    Bug("phi-elim", "one copy for all PHIs of an edge", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «last != this» {", "last.is_none()"),
    ]),
    Bug("phi-elim", "the copy in another block", "checker", "upstream", inputs="machine-code", patches=[
        Patch("read.source.reg(), «self.pred(read.pred)»);", "super::walk::Pred::new(self.host, target.block)"),
    ]),
    Bug("phi-elim", "an IMPLICIT_DEF in a predecessor for a value", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «undefined» { self.counts.implicit_defs", "true"),
    ]),
    Bug("phi-elim", "a source that lives on is killed", "checker", "upstream", inputs="machine-code", patches=[
        Patch("let ends = !undefined && «!uses.is_read_again(read) && !uses.is_live_out(read)»;", "true"),
    ]),
    Bug("phi-elim", "the copy at the top of the predecessor", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«return from.first_terminator;»", "return host.skip_phis_and_labels(pred, pred.first());"),
    ]),
    Bug("phi-elim", "the copy after the branch", "verifier", "upstream", inputs="machine-code", patches=[
        Patch("«return from.first_terminator;»", "return None;"),
    ]),
    # ---- two-address
    Bug("two-address", "a use that has a value is undefined", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «use_op.is_undef()» && def_op.subreg() == 0 {", "true"),
    ]),
    Bug("two-address", "a copy of another operand", "checker", "upstream", inputs="machine-code", patches=[
        Patch(".insert_copy_before(mi, reg_a, «reg_b», subreg_b);",
              "self.b.tied.operands.iter().find(|o| o.is_use() && o.is_virtual() && ![reg_a, reg_b].contains(&o.reg())).map_or(reg_b, |o| o.reg())"),
    ]),
    Bug("two-address", "a copy of the result to itself", "checker", "upstream", inputs="machine-code", patches=[
        Patch(".insert_copy_before(mi, reg_a, «reg_b», subreg_b);", "reg_a"),
    ]),
    Bug("two-address", "the copy ahead of the def", "checker", "upstream", inputs="machine-code", patches=[
        Patch("let copy = self.host.insert_copy_before(«mi», reg_a,",
              "mi.prev().filter(|p| (0..p.num_operands()).any(|i| p.operand(i).is_def() && p.operand(i).reg() == reg_b)).unwrap_or(mi)"),
    ]),
    Bug("two-address", "the use is not rewritten", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«self.set_reg(mi, pair.src, reg_a);»", ""),
    ]),
    Bug("two-address", "a use reads an early-clobber result", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if op.subreg() == copies.subreg && «!copies.is_early_clobber» {", "true"),
    ]),
    Bug("two-address", "a source that lives on is killed", "checker", "upstream", inputs="machine-code", patches=[
        Patch("let source_ends = «copies.has_removed_kill && remaining_lanes == 0»;", "true"),
    ]),
    Bug("two-address", "all operands of a REG_SEQUENCE in one part", "checker", "upstream", inputs="machine-code", patches=[
        Patch("let subreg = mi.operand(«i + 1»).imm_low();", "2"),
    ]),
    Bug("two-address", "INSERT_SUBREG drops the other parts", "checker", "upstream", inputs="machine-code", patches=[
        Patch("let undef = «mi.operand(1).is_undef()»;", "true"),
    ]),
    Bug("two-address", "a REG_SEQUENCE kills what it reads again", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if let Some(j) = «again» {", "None"),
    ]),
    Bug("two-address", "moved below a reader", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «overlaps(host, &s.defs, r)» {", "false"),
    ]),
    Bug("two-address", "moved above a def", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «self.is_def_too_close(r, distance, mi)» {", "false"),
        Patch("for &r in &s.passed_defs { if «overlaps(host, &s.uses, r)» ||", "false"),
    ]),
    Bug("two-address", "the kill stays where it was", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«»if let Some(lis) = self.lis { lis.handle_move(moved);", "return;"),
    ]),
    # ---- LiveVariables and LiveIntervals
    Bug("livevars", "PHIs do not read their operands", "checker", "upstream", inputs="machine-code", patches=[
        Patch("for i in 0..«self.phi_uses_of(reg).len()» {", "0"),
    ]),
    Bug("liveness", "the dataflow stops at back edges", "checker", "upstream", inputs="machine-code", patches=[
        Patch("changed |= «p < from»;", "false"),
    ]),
    Bug("livevars", "killed where it is live out", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «sets.live_out[class] >> bit & 1 == 0» {", "true"),
    ]),
    Bug("livevars", "dead where it is killed", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«»match piece.reader { None => sink.edit",
              "if piece.reader.is_some() { return sink.edit(FlagEdit::Dead { entry: piece.start.entry(), reg }); }"),
    ]),
    Bug("liveintervals", "no value is live into a block", "checker", "upstream", inputs="machine-code", patches=[
        Patch("segments.extend(«range.with_live_in.iter()».filter_map(", "range.with_live_in[..0].iter()"),
    ]),
    Bug("liveintervals", "no PHI-def where values meet", "verifier", "upstream", inputs="machine-code", patches=[
        Patch("if «needs_phi_def(around, range, i.block, idom)» {",
              "needs_phi_def(around, range, i.block, idom) && !idom.is_some_and(|b| range.live_out(b).value().is_some())"),
    ]),
    # ---- the coalescer
    Bug("coalescer", "a copy of something else is copied back", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «!self.is_coalescable(pair, copy_a)» {", "false"),
    ]),
    Bug("coalescer", "a copy that is read is dead", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «self.code.all_defs_are_dead(copy)» {", "true"),
    ]),
    Bug("coalescer", "the wrong one of two registers is renamed", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«self.host.edit(Edit::Rename { src: pair.src, dst: pair.dst });»",
              "self.host.edit(Edit::Rename { src: pair.dst, dst: pair.src });"),
    ]),
    Bug("coalescer", "the joined register is not renamed", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«self.host.edit(Edit::Rename { src: pair.src, dst: pair.dst });»", ""),
    ]),
    Bug("coalescer", "another value is rematerialised", "checker", "upstream", inputs="machine-code", patches=[
        Patch("self.slots.def_instr(range.def(«value»)) else { return false }; if self.code.is_copy(def) ||",
              "crate::mir::ValueNo::from_usize((value.index() + 1) % range.values.len())"),
    ]),
    Bug("coalescer", "two results of an instruction are one", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «!is_phi && v.is_valid && other_val.is_valid» {", "false"),
    ]),
    Bug("coalescer", "interference is overlooked", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «other_val.is_valid» { Resolution::Impossible } else { Resolution::Replace }", "false"),
    ]),
    Bug("coalescer", "every def is an IMPLICIT_DEF", "checker", "upstream", inputs="machine-code", patches=[
        Patch("&& self.slots.instr_at(def).is_some_and(|i| «self.code.is_implicit_def(i)»)", "true"),
    ]),
    Bug("coalescer", "copies of different values are identical", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«origin == self.follow_copies(that.reg(), that_def)»", "true"),
    ]),
    Bug("coalescer", "the joined range is not extended", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «!ends.is_empty()» { let around", "false"),
    ]),
    Bug("coalescer", "a partly redundant copy moves with its operands exchanged", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«self.insert_copy(copy, pred, b, a);»", "self.insert_copy(copy, pred, a, b);"),
    ]),
    Bug("coalescer", "a partly redundant copy is dropped", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«self.insert_copy(copy, pred, b, a);»", ""),
    ]),
    Bug("coalescer", "a copy of another register is coalescable", "checker", "upstream", inputs="machine-code", patches=[
        Patch("«regs == (src, dst) || regs == (dst, src)»", "regs == (src, dst) || regs.0 == dst"),
    ]),
    Bug("coalescer", "a copy of a value is a copy of an undefined one", "checker", "upstream", inputs="machine-code", patches=[
        Patch("if «self.ranges.get(src).is_live_at(at)» {", "false"),
    ]),
    Bug("coalescer", "uses of a value are undefined", "checker", "upstream", inputs="machine-code", patches=[
        Patch("instr != copy && «!this.ranges.get(dst).is_live_at(this.code.slot(instr))»", "true"),
    ]),
    # ---- readers of a replaced IMPLICIT_DEF, which the coalescer flags undef in the default profile only
    Bug("coalescer", "a reader of a value is flagged undef", "checker", "cicc", inputs="implicit-defs", patches=[
        Patch("«join.is_undefined(at) && !this.ranges.get(pair.dst).is_live_at(at)»", "true"),
    ]),
    # ---- registers that PHIs share
    Bug("cssa", "classes that interfere are one", "checker", "cicc", inputs="cssa", patches=[
        Patch("if «self.interfere(graph, a, b)» {", "false"),
    ]),
    Bug("cssa", "the value that a copy overwrites is ignored", "checker", "cicc", inputs="cssa", patches=[
        Patch("let is_copy = «copied.is_some_and(|copied| [node, other].map(class_of).contains(&class_of(copied)))»;",
              "copied.is_some()"),
        Patch("!is_copy || «!nodes.have_same_value(node, other)»", "false"),
    ]),
    Bug("cssa", "PHIs end before all results are written", "checker", "cicc", inputs="cssa", patches=[
        Patch("SlotIndex(start.0 + «2»)", "1"),
    ]),
    Bug("cssa", "a result shares with another operand than its own", "checker", "cicc", inputs="cssa", patches=[
        Patch("if phi.is_none() { «target.tied_def(reg)» }", "TiedDef::None"),
    ]),
    Bug("cssa", "a tied source that is read twice shares", "checker", "cicc", inputs="cssa", patches=[
        Patch("if «reads.get(first + 1) != Some(&reg)» {", "true"),
    ]),
    Bug("cssa", "a shared register is live out of no block", "checker", "cicc", inputs="cssa", patches=[
        Patch("succs.iter().map(|succ| «live_in.binary_search(succ).is_ok()»)", "{ let _ = succ; false }"),
    ]),
    Bug("cssa", "the kill of a member is one of the class", "checker", "cicc", inputs="cssa", patches=[
        Patch("if «self.furthest[..before].last().is_some_and(|&last| last > end)» {", "false"),
    ]),
    # ---- the NVPTX coalescer
    Bug("nvptx-coalescer", "a move is dropped", "checker", "cicc", inputs="parallel", patches=[
        Patch("_ => «self.moves.push(Move { dst: reg, src: home })»,", "()"),
    ]),
    Bug("nvptx-coalescer", "a cycle without its temporary", "checker", "cicc", inputs="parallel", patches=[
        Patch("place.insert(m.dst, «temporary»);", "Location::Reg(m.dst)"),
    ]),
    Bug("nvptx-coalescer", "renamed where the other one has another value", "checker", "cicc", inputs="parallel", patches=[
        Patch("if «can_be_renamed(c, block, reg, holder)» =>", "true"),
    ]),
    Bug("nvptx-coalescer", "a value is taken from an overwritten register", "checker", "cicc", inputs="parallel", patches=[
        Patch("if «self.current[self.locals[home]] != value» {", "false"),
    ]),
    Bug("nvptx-coalescer", "a tied operand gets another register", "checker", "cicc", inputs="parallel", patches=[
        Patch("if to != from && «op.is_tied()» {", "false"),
    ]),
    Bug("nvptx-coalescer", "an operand with a fixed class changes it", "verifier", "cicc", inputs="conversions", max_llvm=20, patches=[
        Patch("else { return «false» }; let fit", "true"),
    ]),
    Bug("nvptx-coalescer", "other operands keep their class", "verifier", "cicc", inputs="conversions", max_llvm=20, patches=[
        Patch(".all(|index| «self.add_to_group(c, Place { instr, index }, change.from)»)", "true"),
    ]),
    Bug("nvptx-coalescer", "a load that extends is one of floats", "checker", "cicc", inputs="conversions", max_llvm=20, patches=[
        Patch("&& «width.imm_low() == bits»", "true"),
    ]),
    Bug("nvptx-coalescer", "an integer immediate is a float", "checker", "cicc", inputs="conversions", max_llvm=20, patches=[
        Patch("Immediates::AreValues => «c.code.operands(instr).all(|op| op.is_reg())»,", "true"),
    ]),
    Bug("nvptx-coalescer", "a half is taken for the whole", "checker", "cicc", inputs="moves", patches=[
        Patch("let of = «families.of(c.host, instr)»?;",
              "families.of(c.host, instr).map(|of| match of.family { Family::Half(_) => Move { family: Family::Register, ..of }, _ => of })"),
    ]),
    Bug("nvptx-coalescer", "the constant is that of another def", "checker", "cicc", inputs="constants", patches=[
        Patch("c.slots.def_instr(range.def(«range.query(at).value_in()?»))?; if !c.is_constant", "crate::mir::ValueNo::new(0)"),
    ]),
    Bug("nvptx-coalescer", "different constants are one value", "checker", "cicc", inputs="equal-constants", patches=[
        Patch("a == b || «self.host.computes_the_same(a, b)»", "true"),
    ]),
    Bug("nvptx-coalescer", "a pack of the other half is a copy", "checker", "cicc", inputs="pairs", patches=[
        Patch("|| «c.code.operand(place(index)).reg() != reg.into()»", "false"),
    ]),
    Bug("nvptx-coalescer", "a pack of a register that has changed is a copy", "checker", "cicc", inputs="pairs", patches=[
        Patch("if «c.ranges.get(wide).query(at).value_in() != Some(value)»", "false"),
    ]),
    Bug("nvptx-coalescer", "any two immediates are the same", "checker", "cicc", inputs="redundant", patches=[
        Patch("=> «c.host.computes_the_same(a, b)»,", "true"),
    ]),
    Bug("nvptx-coalescer", "a copied register has one value", "checker", "cicc", inputs="redundant", patches=[
        Patch("«(a, v) == (b, w)»", "a == b"),
        Patch("def < until { «return false;»", ""),
    ]),
    Bug("nvptx-coalescer", "only one of several paths is looked at", "checker", "cicc", inputs="redundant", patches=[
        Patch("self.stack.extend(«preds»);", "&preds[..1]"),
    ]),
    Bug("nvptx-coalescer", "a path without a value is accepted", "checker", "cicc", inputs="redundant", patches=[
        Patch("if «preds.is_empty()» || num_blocks", "false"),
    ]),
]

TOKEN = re.compile(r"\w+|[^\w\s]")
GAP = r"(?:\s|//[^\n]*\n)*"


@dataclass(frozen=True)
class Place:
    """Where a patch applies."""

    file: str
    start: int
    stop: int


def pattern(text: str) -> re.Pattern[str]:
    """Compiles code with « and » to a pattern that has the part between them as its group."""
    before, original, after = text.replace("»", "«").split("«")
    parts = [GAP.join(re.escape(token) for token in TOKEN.findall(part)) for part in (before, original, after)]
    opening = parts[0] + (GAP if parts[0] else "")
    closing = (GAP if parts[2] else "") + parts[2]
    return re.compile(f"{opening}({parts[1]}){closing}")


def find(patch: Patch, bug: Bug, sources: dict[str, str]) -> Place:
    """Finds the only place of a patch; ends with an error if there is none, or more than one."""
    wanted = pattern(patch.text)
    below = os.path.join("src", patch.where, "") if patch.where else os.path.join("src", "")
    places = [
        Place(file, *match.span(1))
        for file, source in sources.items()
        if file.startswith(below) or file == below.rstrip(os.sep)
        for match in wanted.finditer(source)
    ]
    if len(places) != 1:
        found = "".join(f"\n  {p.file}" for p in places)
        sys.exit(f"mutations: '{bug.name}': {len(places)} places below {below} for:\n{patch.text}{found}")
    return places[0]


def patched(sources: dict[str, str]) -> dict[str, str]:
    """Returns the sources with all bugs in them."""
    by_place: dict[Place, list[tuple[Bug, Patch]]] = {}
    for bug in BUGS:
        for patch in bug.patches:
            by_place.setdefault(find(patch, bug, sources), []).append((bug, patch))
    out = dict(sources)
    begun = {file: len(source) for file, source in sources.items()}
    for place, patches in sorted(by_place.items(), key=lambda item: (item[0].file, -item[0].start, -item[0].stop)):
        if place.stop > begun[place.file]:
            sys.exit(f"mutations: patches of {place.file} overlap: {patches[0][0].name}")
        original = sources[place.file][place.start : place.stop]
        chosen = "".join(f'if crate::mutations::seeded("{bug.name}") {{ {patch.mutant} }} else ' for bug, patch in patches)
        chosen += f"{{ {original} }}"
        is_statement = not original or original.endswith(";")
        source = out[place.file]
        out[place.file] = source[: place.start] + (chosen if is_statement else f"({chosen})") + source[place.stop :]
        begun[place.file] = place.start
    return out


def write(path: str, data: bytes) -> None:
    """Writes a file, unless it has this content already: cargo goes by times."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, "rb") as f:
            if f.read() == data:
                return
    with open(path, "wb") as f:
        f.write(data)


def main() -> None:
    root, copy = sys.argv[1:]
    if root == "--stage":
        sys.exit(all(bug.stage != copy for bug in BUGS))
    files = ["Cargo.toml", "Cargo.lock", "build.rs", *glob.glob("tests/*.rs", root_dir=root)]
    for top in ["src", "cpp-shim", "crates", "tools"]:
        for folder, _, names in os.walk(os.path.join(root, top)):
            files += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    data: dict[str, bytes] = {}
    for name in files:
        with open(os.path.join(root, name), "rb") as f:
            data[name] = f.read()
    sources = {name: data[name].decode() for name in files if name.startswith("src" + os.sep) and name.endswith(".rs")}
    data.update((name, source.encode()) for name, source in patched(sources).items())
    library = os.path.join("src", "lib.rs")
    data[library] = b"#![allow(warnings)]\n" + data[library] + b"pub mod mutations;\n"
    for folder, _, names in os.walk(os.path.join(copy, "src")):
        for name in names:  # of an older state of the sources
            path = os.path.join(folder, name)
            if os.path.relpath(path, copy) not in data and name != "mutations.rs":
                os.remove(path)
    for name, content in data.items():
        write(os.path.join(copy, name), content)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "seeded.rs"), "rb") as f:
        write(os.path.join(copy, "src", "mutations.rs"), f.read())


if __name__ == "__main__":
    main()
