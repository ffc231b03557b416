"""Compares the registers that ptxas uses with those that the statistics count and predict.

    predicted.py N PLUGIN PATH...

N is an LLVM version, PLUGIN the folder of the plugin's builds, PATH a file of IR or a folder of such files. The architecture is that in the
name of a file (`_sm80`), else sm_90. It prints the correlation of each number with what ptxas uses, over all kernels that call nothing and need
no local memory and fewer than 250 registers, and how far the prediction is off.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_REGISTERS = 250
"""Kernels that need more are made to fit."""


@dataclass(frozen=True)
class Kernel:
    """A kernel and its registers."""

    used: int
    """By ptxas."""
    live: int
    """Live at once before coalescing, in registers of 32 bits."""
    predicted: int


def used_by_ptxas(ptx: Path, processor: str) -> dict[str, int]:
    """The registers of each kernel of a file that needs no local memory; empty if ptxas refuses the file."""
    ptxas = ROOT / "build/cuda/bin/ptxas"
    command = [str(ptxas), f"-arch={processor}", "-O3", "-v", str(ptx), "-o", "/dev/null"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    found: dict[str, int] = {}
    name, has_stack = "", False
    for line in result.stderr.splitlines():
        if match := re.search(r"Compiling entry function '(.*?)'", line):
            name, has_stack = match[1], False
        elif match := re.search(r"(\d+) bytes stack frame", line):
            has_stack = int(match[1]) > 0
        elif (match := re.search(r"Used (\d+) registers", line)) and name and not has_stack:
            found[name] = int(match[1])
    return found


def kernels_of(version: str, plugin: Path, ir: Path, folder: Path) -> list[Kernel]:
    """Compiles a file."""
    match = re.search(r"sm_?(\d+)", ir.stem)
    processor = f"sm_{match[1]}" if match else "sm_90"
    ptx, stats = folder / "out.ptx", folder / "stats.json"
    command = [str(ROOT / f"build/llvm-{version}/bin/llc"), "-load", str(plugin / "libptxpasses.so"), "-O3", "-march=nvptx64"]
    command += [f"-mcpu={processor}", "-mattr=+ptx80", f"-ptx-stats-json={stats}", str(ir), "-o", str(ptx)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return []
    text = ptx.read_text()
    bodies = [body.split("\n}")[0] for body in text.split(".entry ")[1:]]
    left_out = {body.split("(")[0] for body in bodies if re.search(r"__local_depot|\bcall\b", body)}
    used = used_by_ptxas(ptx, processor)
    counters: dict[str, dict[str, int]] = {}
    for row in json.loads(stats.read_text()):
        if row["pass"] in ("remat", "liveintervals"):
            counters.setdefault(row["function"], {}).update(row["counters"])
    found = []
    for name, registers in used.items():
        of = counters.get(name, {})
        live, predicted = of.get("max live 32-bit registers"), of.get("registers predicted")
        if live is not None and predicted is not None and name not in left_out and registers < MOST_REGISTERS:
            found.append(Kernel(registers, live, predicted))
    return found


def correlation(x: list[int], y: list[int]) -> float:
    """Pearson's."""
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    together = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return together / math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))


def main() -> int:
    """Prints what there is to say."""
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    version, plugin = sys.argv[1], Path(sys.argv[2])
    files: list[Path] = []
    for path in map(Path, sys.argv[3:]):
        files += sorted(path.rglob("*.ll")) if path.is_dir() else [path]
    with tempfile.TemporaryDirectory() as folder:
        kernels = [kernel for file in files for kernel in kernels_of(version, plugin, file, Path(folder))]
    if len(kernels) < 2:
        print("predicted.py: ptxas takes fewer than two kernels of these files", file=sys.stderr)
        return 1
    used = [kernel.used for kernel in kernels]
    print(f"{len(kernels)} kernels")
    print(f"live at once: correlation {correlation([kernel.live for kernel in kernels], used):.3f}")
    print(f"predicted:    correlation {correlation([kernel.predicted for kernel in kernels], used):.3f}")
    off = sorted(abs(kernel.predicted - kernel.used) for kernel in kernels)
    over = sorted(kernel.used - kernel.predicted for kernel in kernels)
    half, nine_tenths = len(off) // 2, len(off) * 9 // 10
    print(
        f"off by {off[half]} in half of them, by {off[nine_tenths]} in nine of ten; ptxas uses {over[nine_tenths]} more in one of ten"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
