"""The seeded bugs, as patches of the passes' sources (row K1).

    table.py ROOT COPY

writes to COPY what cargo needs of ROOT to build the plugin, with all bugs in it. A bug is
off unless the variable PTX_MUTATION names it (seeded.rs). The sources themselves know
nothing of it. A text that is not there exactly once is an error: whoever changes the code
says what the bug is now.
"""

import collections
import os
import sys

# NAME: what PTX_MUTATION says. FINDER: who must find it, "checker" or "verifier". FILE: the source below src.
# TEXT: a piece of it, once there; what is between « and » becomes MUTANT: an expression, or statements that end in
# a semicolon. Nothing between them: MUTANT is added there. A bug may need several patches.
Patch = collections.namedtuple("Patch", "name finder file text mutant")

PATCHES = [
    # ---- the emitter's dead copies, which only the `cicc` profile erases
    Patch("emitter: a copy that is read is dead", "checker", "passes/emitter/dead_copies.rs",
          "if «self.host.is_read(copy.dst)» {", "false"),
    Patch("emitter: a copy that another block reads is dead", "checker", "passes/emitter/dead_copies.rs",
          "if self.improves && «self.is_made_here(dst)» {", "dst.is_virtual()"),
    # ---- PHIs of halves, which only the `cicc` profile has
    Patch("wide-phis: halves of two values are a pair", "checker", "stages/wide_phis/mod.rs",
          "if «low_def.operand(1).is_reg() && low_def.operand(1) == high_def.operand(1)» =>",
          "low_def.operand(1).is_reg()"),
    Patch("wide-phis: halves of two values are a pair", "checker", "stages/wide_phis/mod.rs",
          "if «low_def.operand(0).reg() == low && low_def.operand(1).reg() == high» =>",
          "low_def.operand(0).reg() == low"),
    Patch("wide-phis: what reads a half alone is overlooked", "checker", "stages/wide_phis/mod.rs",
          "self.pairs[number].is_possible &= «only_pairs»;", "true"),
    Patch("wide-phis: the value of another edge", "checker", "stages/wide_phis/mod.rs",
          "Source::Whole(reg) => «reg»,",
          "self.sources.iter().find_map(|s| match *s { Source::Whole(first) => Some(first), _ => None }).unwrap_or(reg)"),
    Patch("wide-phis: an unpack that is read is erased", "checker", "stages/wide_phis/mod.rs",
          "if «!defs.clone().all(|reg| self.mf.use_nodbg_empty(reg))» {", "false"),
    # ---- addresses that share a register, which only the `cicc` profile has
    Patch("fold-addresses: or is a sum whatever the bits", "checker", "ssa/forms.rs",
          "Op::Or(a, b) | Op::Xor(a, b) => «bits(self, defs, a) & bits(self, defs, b) == 0»,", "true"),
    Patch("fold-addresses: a sum that wraps around", "checker", "ssa/forms.rs",
          "Op::Add(a, b) => «bits(self, defs, a) + bits(self, defs, b) <= most»,", "true"),
    Patch("fold-addresses: sign-extended as zero-extended", "checker", "ssa/forms.rs",
          "let known = «1 + usize::from(is_negative)»;", "1"),
    Patch("fold-addresses: the offset the other way", "checker", "stages/fold_addresses/pass.rs",
          "mi.set_address(opcode, access.index as usize, reg, «access.offset + more»);", "access.offset - more"),
    Patch("fold-addresses: an address that another branch computes", "verifier", "stages/fold_addresses/pass.rs",
          "if «dominates» && forms.terms", "true"),
    Patch("fold-addresses: a def that is read is erased", "checker", "stages/fold_addresses/pass.rs",
          "if *def == NONE || «!mf.use_nodbg_empty(reg)» {", "false"),
    Patch("fold-addresses: a counter is a multiple of what it begins with", "checker", "ssa/forms.rs",
          "Op::Counter(first, step) => from_lowest(«of(first, width) | step as u64») & all(width),", "of(first, width)"),
    Patch("fold-addresses: numbers of threads are of fewer bits", "checker", "nvptx/arithmetic.rs",
          ".checked_ilog2().map_or(0, |n| «n + 1»)", "n"),
    Patch("fold-addresses: sums of other terms are shared", "checker", "stages/fold_addresses/pass.rs",
          "if block(&leader) != block(&sum) || «forms.terms(leader.form) != forms.terms(sum.form)» {", "false"),
    Patch("fold-addresses: the constant of a shared sum the other way", "checker", "stages/fold_addresses/pass.rs",
          "mi.set_address(Some(opcode), 1, leader.reg, «i64::from(sum.more)»);", "-i64::from(sum.more)"),
    Patch("fold-addresses: a number with a sign is multiplied as one without", "checker", "stages/fold_addresses/products.rs",
          "true => «(Made::WideSigned, Made::WideSignedAdd)»,", "(Made::WideUnsigned, Made::WideUnsignedAdd)"),
    Patch("fold-addresses: a number that may be negative is multiplied with its sign", "checker", "stages/fold_addresses/products.rs",
          "extension == wanted || «!is_negative»", "true"),
    Patch("fold-addresses: loaded zeros are a sign", "checker", "stages/fold_addresses/products.rs",
          "(extension, «is_signed || bits == 32»)", "is_signed"),
    Patch("fold-addresses: what is shifted by different amounts is shifted once", "checker", "stages/fold_addresses/products.rs",
          ".filter(|&(_, other)| «other == by»)", "true"),
    Patch("fold-addresses: a sum that is read is shifted once", "checker", "stages/fold_addresses/products.rs",
          "match (reads.next(), «reads.next()») {", "reads.next().filter(|_| false)"),
    Patch("fold-addresses: what a loop reads is multiplied by twice as much", "checker", "stages/fold_addresses/products.rs",
          "mi.set_address(Some(wide), 1, shift.from, «1 << shift.by»);", "2 << shift.by"),
    Patch("fold-addresses: zeros are multiplied as a sign", "checker", "stages/fold_addresses/products.rs",
          "«extension == Extension::Sign» && by <= MOST_SHIFTED", "true"),
    # ---- computations that go up, which only the `cicc` profile has
    Patch("hoist: above what is read", "checker", "stages/hoist/mod.rs",
          "let is_there_above = || def != NONE && «is_above(self.block_of[def as usize])»;", "true"),
    Patch("hoist: from where it need not be computed after what it reads", "checker", "stages/hoist/cut.rs",
          "«self.edge(into, operand_into, ANY);»", ";"),
    Patch("hoist: loads go over stores", "checker", "ssa/snapshot.rs",
          "if !«mi.only_computes()» {", "(mi.is_safe_to_move(None) || mi.properties().may_load())"),
    Patch("hoist: assembly with effects goes over others", "checker", "stages/hoist/pass.rs",
          "Some(Kind::Assembly) => «mi.is_computing_assembly()»", "true"),
    # ---- sums that become induction variables, which only the `cicc` profile has
    Patch("induction: what every turn computes is a distance", "checker", "stages/induction/mod.rs",
          "&& «stays(sum.more)»", "true"),
    Patch("induction: the step is another one in every turn", "checker", "stages/induction/mod.rs",
          "&& («!by.is_reg()» || stays(by.reg().virt_index() as u32))", "true"),
    Patch("induction: behind the step as in front of it", "checker", "stages/induction/pass.rs",
          "if «sum.of_next» { new_next } else { new }", "false"),
    Patch("induction: begins as its variable", "checker", "stages/induction/begins.rs",
          "mi.set_reg(index, «phi.operand(4 - at_next).reg()»);", "mi.operand(3 - index).reg()"),
    Patch("induction: begins a constant from where it is to", "checker", "stages/induction/begins.rs",
          "let more = «forms.constant(form).wrapping_sub(forms.constant(of))» as i64;", "0"),
    Patch("induction: begins a step too early", "checker", "stages/induction/begins.rs",
          "(None, Some((reg, 0))) => «Begin::Stepped»(reg)", "Begin::Is"),
    Patch("induction: begins with what another way computes", "verifier", "stages/induction/begins.rs",
          "(fits && «facts.dominators.dominates(code.block(instr) as usize, entry as usize)»)", "true"),
    Patch("induction: any bits of a number are the same", "checker", "ssa/forms.rs",
          "(Part::Masked(width, atom, «(mask as u64 & all(width)) >> by»), by)", "1"),
    Patch("induction: a variable that is read goes", "checker", "stages/induction/mod.rs",
          "let goes = «reads(phi) + reads(step) == sums.len() + 2»;", "true"),
    # ---- what is computed again, which only the `cicc` profile has
    Patch("remat: all that a reader reads is computed again", "checker", "stages/remat/pass.rs",
          "o.is_use() && o.is_virtual() && «o.reg() == result(again)»", "true"),
    Patch("remat: in front of the last reader", "checker", "stages/remat/mod.rs",
          "(facts.block_of[readers[0] as usize], «readers[0]»)", "readers[readers.len() - 1]"),
    Patch("remat: what reads comes first", "verifier", "stages/remat/mod.rs",
          "(self.needs[n as usize].before, «self.needs[n as usize].step»)", "Step { height: 0, instr: u32::MAX - self.needs[n as usize].step.instr }"),
    Patch("remat: what is still read goes", "checker", "stages/remat/pass.rs",
          "let is_read = «!mf.use_nodbg_empty(reg)»;", "false"),
    # ---- PHI elimination
    Patch("phi-elim: PHIs share a register", "checker", "passes/phi_elim/lower.rs", "match «may_share» {", "true"),
    Patch("phi-elim: PHIs share a register", "checker", "passes/phi_elim/lowered.rs",
          "«»let mut hasher = FxHasher::default();",
          "if let Some(phi) = self.phis.last() { return (phi.incoming, true); }"),
    Patch("phi-elim: the value of another edge", "checker", "passes/phi_elim/lower.rs",
          "self.lower_source(target, phi, «read», uses, incoming);",
          "{ let mut read = read; read.source = uses.uses(index)[0].source; read }"),
    Patch("phi-elim: one copy for all PHIs of an edge", "checker", "passes/phi_elim/lower.rs",
          "if «old != self.counts.phis» {", "old == 0"),
    Patch("phi-elim: the copy in another block", "checker", "passes/phi_elim/lower.rs",
          "(read.source.reg(), «self.pred(read.pred)»);", "super::pass::Pred::new(target.block)"),
    Patch("phi-elim: an IMPLICIT_DEF in a predecessor for a value", "checker", "passes/phi_elim/lower.rs",
          "if «undefined» {\n                self.counts.implicit_defs", "true"),
    Patch("phi-elim: a source that lives on is killed", "checker", "passes/phi_elim/lower.rs",
          "let ends = !undefined && «!uses.is_read_again(read) && !uses.is_live_out(read)»;", "true"),
    Patch("phi-elim: the copy at the top of the predecessor", "checker", "passes/phi_elim/insert_point.rs",
          "«return from.first_terminator;»", "return pred.skip_phis_and_labels(pred.first());"),
    Patch("phi-elim: the copy behind the branch", "verifier", "passes/phi_elim/insert_point.rs",
          "«return from.first_terminator;»", "return None;"),
    # ---- two-address
    Patch("two-address: a use that has a value is undefined", "checker", "passes/two_address/tied.rs",
          "if «use_op.is_undef()» && def_op.subreg() == 0 {", "true"),
    Patch("two-address: a copy of another operand", "checker", "passes/two_address/tied.rs",
          ".insert_copy_before(reg_a, «reg_b», subreg_b);",
          "self.b.tied.operands.iter().find(|o| o.is_use() && o.is_virtual() && ![reg_a, reg_b].contains(&o.reg()))"
          ".map_or(reg_b, |o| o.reg())"),
    Patch("two-address: a copy of the result to itself", "checker", "passes/two_address/tied.rs",
          ".insert_copy_before(reg_a, «reg_b», subreg_b);", "reg_a"),
    Patch("two-address: the copy ahead of the def", "checker", "passes/two_address/tied.rs",
          "let copy = «mi».insert_copy_before(",
          "mi.prev().filter(|p| (0..p.num_operands()).any(|i| p.operand(i).is_def() && p.operand(i).reg() == reg_b))"
          ".unwrap_or(mi)"),
    Patch("two-address: the use is not rewritten", "checker", "passes/two_address/tied.rs",
          "«self.b.tied.set_reg(mi, src, reg_a);»", ""),
    Patch("two-address: a use of what is overwritten early", "checker", "passes/two_address/tied.rs",
          "if op.subreg() == subreg_b && «!early_clobber» {", "true"),
    Patch("two-address: a source that lives on is killed", "checker", "passes/two_address/tied.rs",
          "let source_ends = «removed_kill && remaining_lanes == 0»;", "true"),
    Patch("two-address: all operands of a REG_SEQUENCE in one part", "checker", "passes/two_address/subregs.rs",
          "let subreg = mi.operand(«i + 1»).imm_low();", "2"),
    Patch("two-address: INSERT_SUBREG drops the other parts", "checker", "passes/two_address/subregs.rs",
          "let undef = «mi.operand(1).is_undef()»;", "true"),
    Patch("two-address: a REG_SEQUENCE kills what it reads again", "checker", "passes/two_address/subregs.rs",
          "if let Some(j) = «again» {", "None"),
    Patch("two-address: moved below a reader", "checker", "passes/two_address/reschedule.rs",
          "if «overlaps(mf, &s.defs, r)» {", "false"),
    Patch("two-address: moved above a def", "checker", "passes/two_address/reschedule.rs",
          "if «self.is_def_too_close(r, distance, mi)» {", "false"),
    Patch("two-address: moved above a def", "checker", "passes/two_address/reschedule.rs",
          "for &r in &s.passed_defs {\n                if «overlaps(mf, &s.uses, r)» ||", "false"),
    Patch("two-address: the kill stays where it was", "checker", "passes/two_address/reschedule.rs",
          "«»if let Some(lis) = self.lis {\n            lis.handle_move(moved);", "return;"),
    # ---- LiveVariables and LiveIntervals
    Patch("livevars: a PHI reads nothing", "checker", "liveness/propagate.rs",
          "for i in 0..«self.phi_uses_of(reg).len()» {", "0"),
    Patch("liveness: nothing goes around a loop", "checker", "liveness/propagate.rs", "changed |= «p < from»;", "false"),
    Patch("livevars: killed where it is live out", "checker", "liveness/live_variables.rs",
          "if «sets.live_out[class] >> bit & 1 == 0» {", "true"),
    Patch("livevars: dead where it is killed", "checker", "liveness/live_variables.rs",
          "«»match piece.reader.operand() {\n        None => sink.edit",
          "if piece.reader.operand().is_some() { return sink.edit(FlagEdit::Dead(piece.start.entry(), reg)); }"),
    Patch("liveintervals: nothing is live into a block", "checker", "liveness/values.rs",
          "for &block in &range.with_live_in {\n            «»self.order.push", "continue;"),
    Patch("liveintervals: no PHI-def where values meet", "verifier", "liveness/live_range_calc.rs",
          "if «needs_phi» {", "needs_phi && !idom_value.is_some_and(|v| v != NONE)"),
    # ---- the coalescer
    Patch("coalescer: a copy of something else is copied back", "checker", "passes/coalescer/commute.rs",
          "if «!self.is_coalescable(pair, copy_a)» {", "false"),
    Patch("coalescer: a copy that is read is dead", "checker", "passes/coalescer/join.rs",
          "if «self.code.all_defs_are_dead(copy)» {", "true"),
    Patch("coalescer: renamed the wrong way", "checker", "passes/coalescer/join.rs",
          "«self.host.edit(Edit::Rename { src: pair.src, dst: pair.dst });»",
          "self.host.edit(Edit::Rename { src: pair.dst, dst: pair.src });"),
    Patch("coalescer: not renamed", "checker", "passes/coalescer/join.rs",
          "«self.host.edit(Edit::Rename { src: pair.src, dst: pair.dst });»", ""),
    Patch("coalescer: another value is computed again", "checker", "passes/coalescer/remat.rs",
          "let def_slot = range.values[«value as usize»];", "(value as usize + 1) % range.values.len()"),
    Patch("coalescer: two results of an instruction are one", "checker", "passes/coalescer/join_vals.rs",
          "if «!is_phi && v.is_valid && other_val.is_valid» {", "false"),
    Patch("coalescer: interference is overlooked", "checker", "passes/coalescer/join_vals.rs",
          "Some(if «other_val.is_valid» { Resolution::Impossible } else { Resolution::Replace })", "false"),
    Patch("coalescer: every def is an IMPLICIT_DEF", "checker", "passes/coalescer/join_vals.rs",
          "&& self.slots.instr_at(def).is_some_and(|i| «self.code.is_implicit_def(i)»)", "true"),
    Patch("coalescer: copies of different values are identical", "checker", "passes/coalescer/join_vals.rs",
          "«origin == self.follow_copies(that.reg, that_def)»", "true"),
    Patch("coalescer: the joined range is not extended", "checker", "passes/coalescer/join_vals.rs",
          "if «!ends.is_empty()» {\n            let around", "false"),
    Patch("coalescer: a partly redundant copy the wrong way", "checker", "passes/coalescer/partial_redundancy.rs",
          "«self.insert_copy(copy, left, b, a);»", "self.insert_copy(copy, left, a, b);"),
    Patch("coalescer: a partly redundant copy is dropped", "checker", "passes/coalescer/partial_redundancy.rs",
          "«self.insert_copy(copy, left, b, a);»", ""),
    Patch("coalescer: a copy of another register is coalescable", "checker", "passes/coalescer/pair.rs",
          "«regs == (src, dst) || regs == (dst, src)»", "regs == (src, dst) || regs.0 == dst"),
    Patch("coalescer: a copy of a value is one of nothing", "checker", "passes/coalescer/undef.rs",
          "if «self.ranges.get(src).is_live_at(at)» {", "false"),
    Patch("coalescer: uses of a value are undefined", "checker", "passes/coalescer/undef.rs",
          "if !is_def && «!self.ranges.get(dst).is_live_at(self.slot_of(place.instr))» {", "true"),
    # ---- what reads an IMPLICIT_DEF that is replaced, which the coalescer flags in the `cicc` profile alone
    Patch("undefined: what reads a value reads none", "checker", "passes/coalescer/join_vals.rs",
          "if reads && «join.is_undefined(at) && !self.ranges.get(pair.dst).is_live_at(at)» {", "true"),
    # ---- registers that PHIs share, with -cssa-coalesce
    Patch("cssa: classes that interfere are one", "checker", "stages/cssa/classes.rs", "|| «self.interfere(graph, a, b)» {",
          "false"),
    Patch("cssa: what a copy overwrites does not matter", "checker", "stages/cssa/classes.rs",
          "let is_copy = «copied != NONE && [node, other].map(class_of).contains(&class_of(copied))»;", "copied != NONE"),
    Patch("cssa: what a copy overwrites does not matter", "checker", "stages/cssa/classes.rs",
          "!is_copy || «!self.is_same_value(node, other)»", "false"),
    Patch("cssa: a PHI is gone when the first result is written", "checker", "stages/cssa/classes.rs",
          "SlotIndex(start.0 + «2»)", "1"),
    Patch("cssa: a result shares with another operand than its own", "checker", "stages/cssa/pass.rs",
          "if phi == NONE { «self.run.ties.partner(instr.instr, reg)» }", "None"),
    Patch("cssa: a tied source that is read twice shares", "checker", "stages/cssa/ties.rs",
          "if «reads.get(first + 1) != Some(&reg)» {", "true"),
    Patch("cssa: a shared register is live out of nothing", "checker", "stages/cssa/pass.rs",
          "succs.any(|s| «live_in.binary_search(&s.number()).is_ok()»)", "false"),
    Patch("cssa: the kill of a member is one of the class", "checker", "stages/cssa/variables.rs",
          "if «self.furthest[..before].last().is_some_and(|&last| last > end)» {", "false"),
    # ---- the NVPTX coalescer
    Patch("parallel: a move is dropped", "checker", "stages/nvptx_coalescer/parallel.rs",
          "«self.moves.push(Move { dst: reg, src: home });»", ""),
    Patch("parallel: a cycle without its temporary", "checker", "stages/nvptx_coalescer/parallel.rs",
          "place.insert(m.dst, «temporary»);", "m.dst"),
    Patch("parallel: renamed where the other one has another value", "checker", "stages/nvptx_coalescer/parallel.rs",
          "&& «can_be_renamed(c, block, reg, holder)» {", "true"),
    Patch("parallel: a home that was overwritten", "checker", "stages/nvptx_coalescer/parallel.rs",
          "if «self.current[self.index[home as usize] as usize] != value» {", "false"),
    Patch("parallel: a tied operand gets another register", "checker", "stages/nvptx_coalescer/parallel.rs",
          "if home != self.regs[k] && «op.is_tied()» {", "false"),
    Patch("conversions: what needs its class changes it", "verifier", "stages/nvptx_coalescer/conversions.rs",
          "else { return «false» };\n        let fit", "true"),
    Patch("conversions: other operands keep their class", "verifier", "stages/nvptx_coalescer/conversions.rs",
          ".all(|index| «self.also(c, Place { instr, index }, from)»)", "true"),
    Patch("conversions: what is extended as it is loaded is a float", "checker", "stages/nvptx_coalescer/conversions.rs",
          "&& «width.imm_low() == bits»", "true"),
    Patch("conversions: an integer immediate is a float", "checker", "stages/nvptx_coalescer/conversions.rs",
          "Immediates::AreValues => «c.code.operands(instr).all(|op| op.is_reg())»,", "true"),
    Patch("moves: a half for the whole", "checker", "stages/nvptx_coalescer/moves.rs",
          "let Some(of) = «families.of(c.host, instr)» else",
          "families.of(c.host, instr).map(|of| match of.family { Family::Half(_) => Entry { family: Family::Register, ..of }, "
          "_ => of })"),
    Patch("constants: the constant of another def", "checker", "stages/nvptx_coalescer/constants.rs",
          "let slot = range.values[«range.query(at).value_in()? as usize»];", "0"),
    Patch("redundant: any two immediates are the same", "checker", "stages/nvptx_coalescer/redundant.rs",
          "=> «c.host.computes_the_same(a, b)»,", "true"),
    Patch("redundant: a copied register has one value", "checker", "stages/nvptx_coalescer/redundant.rs",
          "«(a, v) == (b, w)»", "a == b"),
    Patch("redundant: a copied register has one value", "checker", "stages/nvptx_coalescer/redundant.rs",
          "«return false;» // another turn", ""),
    Patch("redundant: one way of several", "checker", "stages/nvptx_coalescer/redundant.rs",
          "self.stack.extend(«preds»);", "&preds[..1]"),
    Patch("redundant: no value is fine", "checker", "stages/nvptx_coalescer/redundant.rs",
          "if «preds.is_empty()» || num_blocks", "false"),
]


def bugs():
    """Name to finder, in the order of the table."""
    out = {}
    for p in PATCHES:
        assert out.setdefault(p.name, p.finder) == p.finder, "two finders: " + p.name
    return out


def patched(file, source):
    """The source with all bugs of this file."""
    places = collections.defaultdict(list)
    for p in PATCHES:
        if p.file != file:
            continue
        before, original, after = p.text.replace("»", "«").split("«")
        text = before + original + after
        if source.count(text) != 1:
            sys.exit("mutations: src/%s has this %d times, for '%s':\n%s" % (file, source.count(text), p.name, text))
        start = source.index(text) + len(before)
        places[start, start + len(original)].append(p)
    end = len(source)
    for (start, stop), patches in sorted(places.items(), reverse=True):
        if stop > end:
            sys.exit("mutations: patches of src/%s overlap: %s" % (file, patches[0].name))
        original = source[start:stop]
        chosen = "".join(
            'if crate::mutations::seeded("%s") { %s } else ' % (p.name, p.mutant) for p in patches
        )
        chosen += "{ %s }" % original
        is_statement = not original or original.endswith(";")
        source = source[:start] + (chosen if is_statement else "(%s)" % chosen) + source[stop:]
        end = start
    return source


def write(path, data):
    """Only if it is another one: cargo goes by times."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, "rb") as f:
            if f.read() == data:
                return
    with open(path, "wb") as f:
        f.write(data)


def main():
    root, copy = sys.argv[1:]
    files = ["Cargo.toml", "Cargo.lock", "build.rs", "tests/in_process.rs"]
    for top in ["src", "cpp-shim", "tools"]:
        for folder, _, names in os.walk(os.path.join(root, top)):
            files += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    known = {os.path.join("src", p.file) for p in PATCHES}
    if not known <= set(files):
        sys.exit("mutations: there is no %s" % ", ".join(sorted(known - set(files))))
    for name in files:
        with open(os.path.join(root, name), "rb") as f:
            data = f.read()
        if name in known:
            data = patched(os.path.relpath(name, "src"), data.decode()).encode()
        if name == os.path.join("src", "lib.rs"):
            data = b"#![allow(warnings)]\n" + data + b"pub mod mutations;\n"
        write(os.path.join(copy, name), data)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "seeded.rs"), "rb") as f:
        write(os.path.join(copy, "src", "mutations.rs"), f.read())


if __name__ == "__main__":
    main()
