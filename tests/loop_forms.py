"""Finds which forms of a loop ptxas unrolls, and fails if that is not what docs/stages/loop-branches.md says.

    python3 tests/loop_forms.py [PTXAS] [--gpu PROCESSOR]      ptxas of build/cuda

Problem. The stage `loop-branches` writes loops in the form that ptxas unrolls; no document of NVIDIA's says which that is.

Method. Each form is a kernel with one loop, which loads a number and adds it. ptxas compiles it, and the loads in the machine code are
counted: up to two mean that the loop was not unrolled (two: its first iteration was peeled off). nvdisasm is needed as well.

Source. None. Deviation: none. Complexity: one run of ptxas and of nvdisasm for each form.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PEELED = 2
"""The most loads of a loop that was not unrolled."""

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 o, .param .u32 n, .param .u64 m)
{
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .f32 %f<3>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [o];
  ld.param.u32 %r1, [n];
  ld.param.u64 %rd3, [m];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %r5, %ntid.x;
  mov.u32 %r9, %tid.x;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r2, 0;
  mov.u64 %rd4, 0;
  add.s64 %rd5, %rd1, %rd3;
"""
GUARD = """  setp.lt.s32 %p1, %r1, 1;
  @%p1 bra EXIT;
"""
GUARD_64 = """  setp.lt.s64 %p1, %rd3, 1;
  @%p1 bra EXIT;
"""
BODY = """LOOP:
  ld.global.f32 %f2, [%rd1];
  add.f32 %f1, %f1, %f2;
  add.s64 %rd1, %rd1, 4096;
"""
TAIL = """EXIT:
  st.global.f32 [%rd2], %f1;
  ret;
}
"""
UP = "  add.s32 %r2, %r2, 1;\n"
UP_64 = "  add.s64 %rd4, %rd4, 1;\n"
BACK = "  @%p2 bra LOOP;\n"
BACK_IF_NOT = "  @!%p2 bra LOOP;\n"
LEAVE = "  @%p2 bra EXIT;\n  bra.uni LOOP;\n"
LEAVE_IF_NOT = "  @!%p2 bra EXIT;\n  bra.uni LOOP;\n"
SMALL_IF = """  setp.lt.f32 %p3, %f1, 0f42000000;
  @%p3 bra SKIP;
  st.global.f32 [%rd2], %f1;
SKIP:
"""
LARGE_IF = SMALL_IF.replace("SKIP:", "".join(f"  st.global.f32 [%rd2+{4 * i}], %f1;\n" for i in range(1, 30)) + "SKIP:")


@dataclass(frozen=True)
class Form:
    """A loop, and whether ptxas unrolls it."""

    name: str
    end: str
    """What follows the body."""
    unrolled: bool
    guard: str = GUARD


PRE = "  setp.ne.s32 %p2, %r2, %r1;\n" + UP
STEP = "  add.s32 %r2, %r2, %r5;\n"
FLOAT = UP + "  setp.lt.f32 %p2, %f1, 0f42000000;\n"
TWO = UP + "  setp.lt.s32 %p2, %r2, %r1;\n  setp.lt.f32 %p3, %f1, 0f42000000;\n  and.pred %p2, %p2, %p3;\n"

FORMS = [
    Form("i != n: back", UP + "  setp.ne.s32 %p2, %r2, %r1;\n" + BACK, True),
    Form("i != n: back, else to the exit by a branch", UP + "  setp.ne.s32 %p2, %r2, %r1;\n" + BACK + "  bra.uni EXIT;\n", True),
    Form("i < n, signed: back", UP + "  setp.lt.s32 %p2, %r2, %r1;\n" + BACK, True),
    Form("i < n, unsigned: back", UP + "  setp.lt.u32 %p2, %r2, %r1;\n" + BACK, True),
    Form("count down to 0, !=: back", "  add.s32 %r1, %r1, -1;\n  setp.ne.s32 %p2, %r1, 0;\n" + BACK, True),
    Form("64 bits, i != n: back", UP_64 + "  setp.ne.b64 %p2, %rd4, %rd3;\n" + BACK, True, GUARD_64),
    Form("pointer != end: back", "  setp.ne.s64 %p2, %rd1, %rd5;\n" + BACK, True, GUARD_64),
    Form("16 iterations, i != 16: back", UP + "  setp.ne.s32 %p2, %r2, 16;\n" + BACK, True, ""),
    Form("i == n: to the exit, else back", UP + "  setp.eq.s32 %p2, %r2, %r1;\n" + LEAVE, False),
    Form("i == n: if not, back", UP + "  setp.eq.s32 %p2, %r2, %r1;\n" + BACK_IF_NOT, False),
    Form("i != n: if not, to the exit, else back", UP + "  setp.ne.s32 %p2, %r2, %r1;\n" + LEAVE_IF_NOT, False),
    Form("i >= n: to the exit, else back", UP + "  setp.ge.s32 %p2, %r2, %r1;\n" + LEAVE, False),
    Form("64 bits, i == n: to the exit, else back", UP_64 + "  setp.eq.s64 %p2, %rd4, %rd3;\n" + LEAVE, False, GUARD_64),
    Form("16 iterations, i == 16: to the exit, else back", UP + "  setp.eq.s32 %p2, %r2, 16;\n" + LEAVE, False, ""),
    Form("the test reads i before the increment: back", PRE + BACK, False),
    Form("the same: to the exit, else back", PRE.replace("ne", "eq") + LEAVE, False),
    Form("a step known at run time, i < n: back", STEP + "  setp.lt.s32 %p2, %r2, %r1;\n" + BACK, False),
    Form("the same, i >= n: to the exit, else back", STEP + "  setp.ge.s32 %p2, %r2, %r1;\n" + LEAVE, False),
    Form("a comparison of floats: back", FLOAT + BACK, False),
    Form("a comparison of floats: to the exit, else back", FLOAT + LEAVE, False),
    Form("two conditions: back", TWO + BACK, False),
    Form("two conditions: if not, to the exit, else back", TWO + LEAVE_IF_NOT, False),
    Form("a small `if` inside, i != n: back", SMALL_IF + UP + "  setp.ne.s32 %p2, %r2, %r1;\n" + BACK, True),
    Form("a small `if` inside, i == n: to the exit, else back", SMALL_IF + UP + "  setp.eq.s32 %p2, %r2, %r1;\n" + LEAVE, True),
    Form("a large `if` inside, i != n: back", LARGE_IF + UP + "  setp.ne.s32 %p2, %r2, %r1;\n" + BACK, False),
    Form("a large `if` inside, i == n: to the exit, else back", LARGE_IF + UP + "  setp.eq.s32 %p2, %r2, %r1;\n" + LEAVE, False),
]


def loads(form: Form, ptxas: Path, gpu: str, folder: Path) -> int:
    """Counts the loads of global memory in a form's machine code."""
    source, cubin = folder / "form.ptx", folder / "form.cubin"
    source.write_text(HEAD + form.guard + BODY + form.end + TAIL, encoding="utf-8")
    subprocess.run([ptxas, f"-arch={gpu}", "-O3", source, "-o", cubin], check=True)
    code = subprocess.run([ROOT / "build" / "cuda" / "bin" / "nvdisasm", cubin], check=True, capture_output=True, text=True).stdout
    return code.count(" LDG")


def main() -> int:
    """Prints a line for each form."""
    parser = argparse.ArgumentParser(description="Finds which forms of a loop ptxas unrolls.")
    parser.add_argument("ptxas", nargs="?", type=Path, default=ROOT / "build" / "cuda" / "bin" / "ptxas", help="(that of build/cuda)")
    parser.add_argument("--gpu", default="sm_80", metavar="PROCESSOR", help="the processor to assemble for (%(default)s)")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMS:
            number = loads(form, options.ptxas, options.gpu, Path(folder))
            is_right = (number > PEELED) == form.unrolled
            wrong += not is_right
            says = f"{number:2} load{'s' * (number > 1)}"
            print(f"{form.name:52} {says}{'' if is_right else '   FAILED: docs/stages/loop-branches.md says otherwise'}")
    print(f"{len(FORMS) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
