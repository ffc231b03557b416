"""Machine code of NVPTX for any LLVM version: mir.py MAJOR <IN >OUT

The tests write it as LLVM 22 does. Earlier versions have other names for some
register classes and instructions. From 23 on a branch says whether its
condition is negated, and SUBREG_TO_REG has no immediate. In 24 one opcode takes
registers and constants, and loads and stores have two more operands after the
address.
"""

import gzip
import re
import sys
from pathlib import Path

# (up to this version, name in LLVM 22, name there); the first that fits is taken.
NAMES = [
    (20, "b1", "int1regs"),
    (20, "b16", "int16regs"),
    (20, "b32", "int32regs"),
    (20, "b64", "int64regs"),
    (21, "ADD32rr", "ADDi32rr"),
    (21, "ADD32ri", "ADDi32ri"),
    (20, "MOV_B32_r", "IMOV32rr"),
    (21, "MOV_B32_r", "IMOV32r"),
    (17, "MOV_B32_i", "IMOV32ri"),
    (20, "MOV_B32_i", "IMOVB32ri"),
    (21, "MOV_B32_i", "IMOV32i"),
]

major = int(sys.argv[1])
names: dict[str, str] = {}
for last, name, other in NAMES:
    if major <= last:
        names.setdefault(name, other)
opcodes: set[str] = set()
if major >= 24:
    lists = Path(__file__).resolve().parents[2] / "opcodes"
    with gzip.open(lists / f"llvm-{major}.txt.gz", "rt", encoding="utf-8") as file:
        opcodes = set(file.read().split())


def name_there(name: str) -> str:
    """The name of an opcode without the kinds of its operands, where those are not part of it."""
    stem = re.sub(r"_?[ri]{2,4}$", "", name)
    return stem if name not in opcodes and stem in opcodes else names.get(name, name)


for line in sys.stdin:
    if not line.lstrip().startswith("#"):
        if major >= 23:
            line = re.sub(r"(CBranch [^,]+, %bb\.\d+)", r"\1, 0", line)
            line = line.replace("SUBREG_TO_REG 0, ", "SUBREG_TO_REG ")
        if major >= 24:
            line = re.sub(r"(\b(?:LDV?|STV?)_[fi]\d+\w* .*?)( ::|$)", r"\1, 0, $noreg\2", line)
        line = re.sub(r"\b\w+\b", lambda m: name_there(m.group()), line)
    sys.stdout.write(line)
