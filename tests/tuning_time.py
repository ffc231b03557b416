"""Times `ptx-compare tune` at each effort against one llc and one ptxas of the same file.

    python3 tests/tuning_time.py N [WAY...]

A WAY is an effort (quick, more, all), with -untimed at its end where no time is predicted, and with -again after that where an earlier run has left its answers in the
cache; without any WAY it is all without -again. Otherwise both sides begin with an empty cache. It prints a table: user CPU in seconds, with that of the children, wall-clock time in seconds, and in parentheses the user CPU
as a multiple of that of the one llc and ptxas. The tool is target/release/ptx-compare; PTX_COMPARE names another one.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checking import ROOT

FILES = ("examples/reduce.ll", "examples/matmul_mma.ll", "tests/kernels/bits.ll", "tests/kernels/lists.ll", "tests/kernels/dense.ll")
WAYS = ("quick-untimed", "quick", "more-untimed", "more", "all-untimed", "all")
UNTIMED = ("--cost", "spills,occupancy,sass,registers")
CPU = "sm_90"


def timed(*commands: list[str | Path]) -> tuple[float, float]:
    """Runs commands, and returns the user CPU and the wall-clock time of all, in seconds."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.monotonic()
    for command in commands:
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, time.monotonic() - begin


def one(version: str, file: str, folder: Path) -> tuple[float, float]:
    """Times one llc with the plugin, and one ptxas."""
    llc, plugin = ROOT / f"build/llvm-{version}/bin/llc", ROOT / "build/lib/libptxpasses.so"
    ptx = folder / "one.ptx"
    return timed(
        [llc, "-load", plugin, "-O3", f"-mcpu={CPU}", file, "-o", ptx],
        [ROOT / "build/cuda/bin/ptxas", f"-arch={CPU}", ptx, "-o", folder / "one.cubin"],
    )


def tune(version: str, file: str, way: str, folder: Path) -> tuple[float, float]:
    """Times a tune."""
    tool = os.environ.get("PTX_COMPARE", ROOT / "target/release/ptx-compare")
    effort, *words = way.split("-")
    tools: list[str | Path] = [*(UNTIMED if "untimed" in words else ()), "--llc", ROOT / f"build/llvm-{version}/bin/llc", "--plugin", ROOT / "build/lib/libptxpasses.so", "--cuda", ROOT / "build/cuda"]
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        command = [tool, "tune", *tools, "--mcpu", CPU, "--effort", effort, "--cache", Path(fresh) / "cache", "-o", Path(fresh) / "out", file]
        if "again" in words:
            timed(command)
        return timed(command)


def main() -> int:
    """Prints the table."""
    version, *ways = sys.argv[1:] or [""]
    ways = ways or list(WAYS)
    if not version.isdigit() or not {way.removesuffix("-again") for way in ways} <= set(WAYS):
        print(__doc__)
        return 2
    print("| file | llc and ptxas | " + " | ".join(ways) + " |")
    print("|---|---|" + "---|" * len(ways))
    sums = [[0.0, 0.0] for _ in range(1 + len(ways))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in FILES:
            # The first one brings the programs into memory.
            one(version, file, folder)
            taken = [one(version, file, folder), *(tune(version, file, way, folder) for way in ways)]
            for total, (cpu, wall) in zip(sums, taken, strict=True):
                total[0] += cpu
                total[1] += wall
            print(line(Path(file).name, taken), flush=True)
    print(line("all five", [(cpu, wall) for cpu, wall in sums]))
    return 0


def line(name: str, times: list[tuple[float, float]]) -> str:
    """A line of the table."""
    (base_cpu, base_wall), *others = times
    cells = [f"{cpu:.2f}, {wall:.2f} ({cpu / base_cpu:.1f})" for cpu, wall in others]
    return f"| {name} | {base_cpu:.2f}, {base_wall:.2f} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    sys.exit(main())
