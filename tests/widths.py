"""Does the check of widths agree with ptxas?

    python3 tests/widths.py [PTX...]

Each register of each instruction in widths.txt, and of each kind of instruction in the PTX files, is changed to every other width.
What ptxas takes must be right, except for what `is_exception` says, and what it refuses wrong. An instruction without a rule must be in UNCHECKED.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from checking import ROOT, check, outcome, run

PTXAS = ROOT / "build/cuda/bin/ptxas"
TOOL = ROOT / "scripts/ptx-compare"
TARGET = "sm_90a"
HEAD = f"""\
.version 8.7
.target {TARGET}
.address_size 64
.global .align 16 .b8 gsym[64];
.const .align 16 .b8 csym[64];
.visible .entry k(
.param .align 16 .b8 k_param_0[128]
)
{{
.reg .pred %p<300>;
.reg .b16 %rs<300>;
.reg .b32 %r<300>;
.reg .b64 %rd<300>;
.reg .b128 %rq<300>;
.shared .align 16 .b8 buf[1024];
.local .align 16 .b8 loc[64];
"""
# LLVM's names for registers, as those of the head.
CLASSES = {"f": "r", "hh": "r", "h": "rs", "fd": "rd", "SP": "rd", "SPL": "rd"}
WIDTHS = ("p", "rs", "r", "rd", "rq")
REGISTER = re.compile(r"%(SPL|SP|rd|rs|rq|r|fd|f|hh|h|p)(\d*)\b")
SYMBOLS = {"shared": "buf", "const": "csym", "local": "loc", "param": "k_param_0"}
# Instructions that have no rule: how one begins.
UNCHECKED = ("multimem.", "vadd.", "vabsdiff4.")
IN_BRACKETS = re.compile(r"\[[^][]*$")
IN_BRACES = re.compile(r"{[^{}]*$")


def mutants(line: str) -> Iterator[tuple[str, int, str]]:
    """The line with one register of another width: the line, where the register stands, and its class."""
    for register in REGISTER.finditer(line):
        own = CLASSES.get(register[1], register[1])
        for other in WIDTHS:
            if other != own:
                yield f"{line[: register.start()]}%{other}{register[2]}{line[register.end() :]}", register.start(), other


def canonical(line: str) -> str | None:
    """An instruction of a text with the names of the head, each register another one; `None` if that cannot be."""
    line = re.sub(r"^@!?%p\d+\s+", "", " ".join(line.split()))
    opcode, _, operands = line.partition(" ")
    if "." not in opcode or opcode.split(".")[0] in ("bra", "brx", "call") or opcode.startswith("st.param"):
        return None
    number = iter(range(1, 300))
    operands = REGISTER.sub(lambda register: f"%{CLASSES.get(register[1], register[1])}{next(number)}", operands)
    space = next((word for word in opcode.split(".") if word in SYMBOLS), "global")
    symbol = SYMBOLS.get(space, "gsym")
    operands = re.sub(r"\[\s*[A-Za-z_$][\w$.]*", f"[{symbol}", operands)
    names = set(re.findall(r"(?<![%\w.])[A-Za-z_$][\w$]*", operands)) - {*SYMBOLS.values(), "gsym"}
    return f"{opcode} {operands}" if all(re.match(r"0[fFdDxX]", name) for name in names) else None


def instructions(paths: list[Path]) -> list[str]:
    """One line for each kind of instruction: numbers make no difference."""
    text = Path(__file__).with_suffix(".txt").read_text().splitlines()
    kinds = {line: line for line in text if line and not line.startswith("#")}
    for path in paths:
        for line in path.read_text(errors="replace").splitlines():
            code = line.split("//")[0].strip()
            if code.endswith(";") and not code.startswith((".", "{", "}")) and (found := canonical(code[:-1])):
                kind = re.sub(r"(?<![%\w.])-?(0[fFdDxX])?[0-9A-Fa-f]+\b", "N", found)
                kinds.setdefault(kind, f"{found};")
    return list(kinds.values())


def errors(command: list[str | Path], text: str, pattern: str) -> dict[int, str]:
    """The numbers of the lines after the head that a program names, from 0 on, and its words."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        told = run(*command, file.name)
    words = told.stdout + told.stderr
    return {int(found[1]) - HEAD.count("\n") - 1: found[2] for found in re.finditer(pattern, words)}


def judge(lines: list[str]) -> tuple[dict[int, str], dict[int, str]]:
    """What ptxas refuses, and what the tool calls wrong."""
    text = HEAD + "\n".join(lines) + "\nret;\n}\n"
    refused = errors([PTXAS, f"-arch={TARGET}", "-o", "/dev/null"], text, r"line (\d+);\s*(?:error|fatal)\s*:\s*(.*)")
    wrong = errors([TOOL, "widths"], text, r": line (\d+), (.*)")
    return refused, wrong


def is_exception(line: str, at: int, other: str) -> bool:
    """Whether ptxas is known to take a wrong register there: a short address, a predicate in a vector or beside matrices, any handle."""
    before = line[:at]
    if other == "p" and (IN_BRACES.search(before) or line.startswith(("movmatrix.", "mma.sp", "wgmma.mma_async.sp"))):
        return True
    if IN_BRACKETS.search(before):
        return other in ("r", "rs") or ".tensor." in line or line.startswith("tex.")
    return other == "r" and line.startswith("isspacep.")


def unchecked(lines: list[str]) -> set[str]:
    """The opcodes that have no rule."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(HEAD + "\n".join(lines) + "\n}\n")
        file.flush()
        told = subprocess.run([TOOL, "widths", "-v", file.name], capture_output=True, text=True, check=False)
    return set(re.findall(r"^\| (\S+)\s+\|\s+\d+ \|$", told.stdout, re.MULTILINE))


def main() -> int:
    """Compares the verdicts."""
    lines = instructions([Path(path) for path in sys.argv[1:]])
    refused, wrong = judge(lines)
    if len(sys.argv) == 1:
        check("ptxas takes all instructions", not refused, "\n".join(f"{lines[at]} {why}" for at, why in refused.items()))
    lines = [line for at, line in enumerate(lines) if at not in refused or at in wrong]
    check("they are all right", not wrong, "\n".join(wrong.values()))
    without = unchecked(lines)
    unknown = {opcode for opcode in without if not opcode.startswith(UNCHECKED)}
    check("they all have rules, except those that are known to have none", not unknown, "\n".join(sorted(unknown)))

    changed = [mutant for line in lines if line.split(" ")[0].rstrip(";") not in without for mutant in mutants(line)]
    refused, wrong = judge([line for line, _, _ in changed])
    taken = [
        f"{line}: {wrong[number]}"
        for number, (line, at, other) in enumerate(changed)
        if number in wrong and number not in refused and not is_exception(line, at, other)
    ]
    missed = [f"{line}: {refused[number]}" for number, (line, _, _) in enumerate(changed) if number in refused and number not in wrong]
    check(f"what ptxas takes is right, of {len(changed)} changed lines", not taken, "\n".join(taken[:40]))
    check("what ptxas refuses is wrong", not missed, "\n".join(missed[:40]))
    check("both kinds are there", len(refused) > len(changed) / 2 and len(refused) < len(changed) - 500)
    return outcome()


if __name__ == "__main__":
    sys.exit(main())
