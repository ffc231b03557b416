"""Tests of scripts/forms and scripts/llvm-tests that need no LLVM: how machine code, lists and RUN lines are read."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from as_module import load  # noqa: E402

forms = load("forms")
llvm_tests = load("llvm-tests")


class MachineCode(unittest.TestCase):
    """Lines of machine code."""

    def form(self, line: str, expected: tuple[str, str] | None) -> None:
        self.assertEqual(forms.form_of(line), expected, line)

    def test_kinds_of_operands(self) -> None:
        self.form("%2:b32 = ATOM_CAS @lock, 0, killed %1, 7 :: (load store (s32) on @lock, addrspace 3)", ("ATOM_CAS@3", "siri"))
        self.form("%2:b64 = LEA_ADDRi64 %stack.0, 8", ("LEA_ADDRi64", "fi"))
        self.form("%2:b64 = MOV_B64_sym @table + 16", ("MOV_B64_sym", "S"))
        self.form('%2:b64 = MOV_B64_sym @"a + b"', ("MOV_B64_sym", "s"))
        self.form("%2:b32 = FADD %1, float 0x3FF0000000000000", ("FADD", "rd"))
        self.form("STORE &param_0, $reg, undef %3:b32, -4", ("STORE", "xrri"))
        self.form("GOTO %bb.3", ("GOTO", "b"))
        self.form("Return", ("Return", ""))

    def test_flags_and_operands_that_are_not_explicit(self) -> None:
        self.form("%2:b32 = nnan contract FADD killed %0, %1, implicit $x, debug-location !12", ("FADD", "rr"))
        self.form("renamable %2:b32, dead %3:b32 = LOADV2 %1, 4 :: (load (s64) from %ir.p, addrspace 1)", ("LOADV2@1", "ri"))
        self.form("%3:b32 = PHI %1, %bb.0, %2, %bb.1, %2, %bb.2", ("PHI", "br"))

    def test_a_string_is_one_operand(self) -> None:
        line = 'INLINEASM &"add.s32 $0, $1 = x :: y;", 1 /* sideeffect attdialect, x */, 10 /* regdef */, def %2, 9, %1, !7'
        self.form(line, ("INLINEASM", "imrx"))

    def test_what_makes_no_code(self) -> None:
        self.form("DBG_VALUE %1, $noreg, !1, !DIExpression()", None)
        self.form("successors: %bb.1(0x40000000), %bb.2(0x40000000)", None)

    def test_functions_are_told_apart(self) -> None:
        text = "--- |\n  define void @f() {\n    ret void\n  }\n...\n---\nname:            f\nbody:             |\n  bb.0:\n    Return\n...\n"
        text += "---\nname:            'g$x'\nbody:             |\n  bb.0:\n    GOTO %bb.0\n\n...\n"
        self.assertEqual(forms.forms_of(text), {"f": {("Return", "")}, "g$x": {("GOTO", "b")}})


class Lists(unittest.TestCase):
    """What may be missing."""

    def judge(self, text: str, *missing: tuple[str, str]) -> int:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list.txt"
            path.write_text(text, encoding="utf-8")
            return int(forms.judge(missing, dict.fromkeys(missing, "a.ll, f"), path))

    def test_all_that_is_missing_is_listed_and_all_that_is_listed_is_missing(self) -> None:
        text = "[no such unit]\nTEX_* # all of them\nATOM ri*\n"
        self.assertEqual(self.judge(text, ("TEX_1D", "rr"), ("ATOM", "rir")), 0)

    def test_another_one_is_missing(self) -> None:
        self.assertEqual(self.judge("[no such unit]\nATOM ri*\n", ("ATOM", "rir"), ("ATOM", "sir")), 1)

    def test_one_of_the_list_is_not_missing(self) -> None:
        self.assertEqual(self.judge("[no such unit]\nATOM ri*\nTEX_*\n", ("ATOM", "rir")), 1)

    def test_each_has_a_reason(self) -> None:
        with self.assertRaisesRegex(forms.Fault, ":1: a reason"):
            self.judge("ATOM ri*\n", ("ATOM", "rir"))

    def test_the_files_that_add_most_come_first(self) -> None:
        files = {"a": {1, 2}, "b": {2, 3, 4}, "c": {4}, "d": {9}}
        self.assertEqual(list(forms.choose(files, {9}, 5)), ["b", "a"])
        self.assertEqual(list(forms.choose(files, {9}, 1)), ["b"])


class RunLines(unittest.TestCase):
    """RUN lines of programs that write tests."""

    def test_lines_that_go_on_and_those_for_ptxas(self) -> None:
        text = "# RUN: llc %t.ll \\\n# RUN:   -mcpu=sm_80\n# RUN: %if ptxas %{ \\\n# RUN: llc %t.ll \\\n# RUN: %}\n"
        self.assertEqual(llvm_tests.run_lines(text), ["llc %t.ll -mcpu=sm_80"])

    def test_a_program_gives_a_test_with_its_flags(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "made.py"
            run = "# RUN: %python %s --n=3 > %t-x.ll\n# RUN: llc < %t-x.ll -mcpu=sm_90 | FileCheck %t-x.ll\n"
            program.write_text(run + "import sys\nprint('; ' + sys.argv[1])\nprint('; RUN: nothing')\n", encoding="utf-8")
            llvm_tests.write_generated(program)
            made = (Path(folder) / "generated" / "made-x.ll").read_text(encoding="utf-8")
        self.assertEqual(made, "; RUN: llc < %s -mcpu=sm_90 | FileCheck %s\n; --n=3\n; was RUN nothing\n")


class Verdicts(unittest.TestCase):
    """What ptx-compare says of a run."""

    def test_all_but_the_same_on_both_sides_are_faults(self) -> None:
        text = (ROOT / "tools/ptx-compare/src/verdict.rs").read_text(encoding="utf-8")
        listed = text.partition("pub enum Verdict {")[2].partition("}")[0]
        names = [line.strip(" ,") for line in listed.splitlines() if line.strip().endswith(",")]
        verdicts = {"".join("-" * bool(i and c.isupper()) + c.lower() for i, c in enumerate(name)) for name in names}
        faults = {verdict for verdict in verdicts if llvm_tests.is_fault({"verdict": verdict})}
        self.assertEqual(verdicts - faults, {"identical", "both-reject", "both-crash"})
        self.assertEqual(faults, {"different", "only-stock-fails", "only-plugin-fails", "both-time-out"})


if __name__ == "__main__":
    unittest.main()
