"""Does ptxas give an approximation the same unit with and without `.ftz`, and nothing more, where the operand is normal?

    flush.py

The stage `flush` relies on it. For each architecture and each approximation both codes are compiled. Without `.ftz` there must be a
comparison of the operand's magnitude with the least normal number; instructions that run only below it are left out, and so is the
comparison. What is left must be one instruction, that of the code with `.ftz`. Exit status 1 if it is not anywhere.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PTXAS = ROOT / "build/cuda/bin/ptxas"
NVDISASM = ROOT / "build/cuda/bin/nvdisasm"
ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120"]
OPERATIONS = ["rsqrt", "sqrt", "lg2"]
COMPARISON = re.compile(r"FSETP\.GEU\.AND (P\d), PT, \|R\d+\|, 1\.175494350822287508e-38, PT")
PTX = """.version 8.8
.target {arch}
.address_size 64
.visible .entry root(.param .u64 to, .param .f32 of) {{
  .reg .b64 %to;
  .reg .f32 %of, %root;
  ld.param.u64 %to, [to];
  ld.param.f32 %of, [of];
  cvta.to.global.u64 %to, %to;
  ld.global.f32 %of, [%to];
  {operation}.approx{ftz}.f32 %root, %of;
  st.global.f32 [%to], %root;
  ret;
}}
"""


def code(folder: Path, arch: str, operation: str, ftz: str) -> list[str]:
    """The instructions from the load of an operand to the store of its approximation."""
    source, cubin = folder / "root.ptx", folder / "root.cubin"
    source.write_text(PTX.format(arch=arch, operation=operation, ftz=ftz), encoding="utf-8")
    subprocess.run([PTXAS, "-arch=" + arch, source, "-o", cubin], check=True)
    text = subprocess.run([NVDISASM, "-c", cubin], check=True, capture_output=True, text=True).stdout
    instructions = [match[1].strip() for match in re.finditer(r"^\s*/\*[0-9a-f]+\*/\s+([^;]+);", text, re.MULTILINE)]
    [first] = [at for at, instruction in enumerate(instructions) if instruction.startswith("LDG")]
    [last] = [at for at, instruction in enumerate(instructions) if instruction.startswith("STG")]
    return [instruction.replace(".reuse", "") for instruction in instructions[first : last + 1]]


def for_normal_operands(instructions: list[str]) -> list[str]:
    """The instructions that run where the comparison holds."""
    compared = [match for match in map(COMPARISON.match, instructions) if match]
    if len(compared) != 1:
        raise ValueError("%d comparisons with the least normal number" % len(compared))
    below = "@!" + compared[0][1] + " "
    left = [
        instruction for instruction in instructions if not COMPARISON.match(instruction) and not instruction.startswith(below)
    ]
    if any(re.search(r"\bP[0-6]\b", instruction) for instruction in left):
        raise ValueError("the comparison decides something else, too")
    return left


def unit(instructions: list[str]) -> str:
    """The one instruction that makes what is stored of what is loaded."""
    if len(instructions) != 3:
        raise ValueError("%d instructions between load and store" % (len(instructions) - 2))
    load, made, store = instructions
    loaded, stored = load.split()[1].rstrip(","), store.split()[-1]
    name, to, of = made.replace(",", "").split()
    if (to, of) != (stored, loaded):
        raise ValueError("'%s' does not make what is stored of what is loaded" % made)
    return name


def main() -> int:
    """Compares all; returns the exit status."""
    if len(sys.argv) > 1:
        print(__doc__)
        return 0 if sys.argv[1] in ("-h", "--help") else 2
    num_failed = 0
    with tempfile.TemporaryDirectory() as name:
        for arch in ARCHITECTURES:
            for operation in OPERATIONS:
                plain, flushing = (code(Path(name), arch, operation, ftz) for ftz in ["", ".ftz"])
                try:
                    is_same = unit(for_normal_operands(plain)) == unit(flushing)
                    why = "" if is_same else "another unit"
                except ValueError as error:
                    why = str(error)
                if why:
                    num_failed += 1
                    print(
                        "%s %s: %s\n  %s\n  with .ftz:\n  %s" % (arch, operation, why, "\n  ".join(plain), "\n  ".join(flushing))
                    )
    num = len(ARCHITECTURES) * len(OPERATIONS)
    print("%d approximations without and with .ftz: %d are the same for normal operands" % (num, num - num_failed))
    return int(num_failed > 0)


if __name__ == "__main__":
    sys.exit(main())
