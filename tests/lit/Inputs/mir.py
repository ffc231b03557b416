"""Machine code of NVPTX for any LLVM version: mir.py MAJOR <IN >OUT

The tests write it as LLVM 22 does. Earlier versions have other names for some
register classes and instructions. From 23 on a branch says whether its
condition is negated, and SUBREG_TO_REG has no immediate.
"""

import re
import sys

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
for line in sys.stdin:
    if not line.lstrip().startswith("#"):
        if major >= 23:
            line = re.sub(r"(CBranch [^,]+, %bb\.\d+)", r"\1, 0", line)
            line = line.replace("SUBREG_TO_REG 0, ", "SUBREG_TO_REG ")
        line = re.sub(r"\b\w+\b", lambda m: names.get(m.group(), m.group()), line)
    sys.stdout.write(line)
