"""Compares stock's code, ours and nvcc's of the same CUDA sources: registers, instructions and predicted time.

    python3 tests/gpu/against_nvcc.py VERSION [--plugin FILE] [--gpu PROCESSOR] [--more FILE] [--csv FILE] [NAME]...      VERSION is LLVM's

Problem. What stock lacks against nvcc shows where the next gain is, and only the same sources and launches can be compared.

Method. Each kernel of launches.py and --more whose source is CUDA is compiled by clang and llc, as it is, with LLVM's own -disable-lsr, and with the plugin,
and by nvcc (build/toolkit); ptxas is that of build/cuda for the first three and nvcc's own for the last. `ptx-compare time` runs the launch of each and predicts
the ratio to stock's time. Instructions of a kernel are those of its code and of all functions that it may call. A kernel that one side cannot compile, or
whose launch is not predicted, is named and left out of the means.

Source. None. Deviation: none. Complexity: the compilations and predictions, two at once.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lab_make import Maker
from lab_queue import Failure
from launches import ROOT, Timed, all_timed, launch_text
from plan import Setting
from run import machine_code
from samples import geometric_mean
from score_make import Progress

SIDES = {"stock": Setting(False, ()), "stock -disable-lsr": Setting(False, ("-disable-lsr",)), "ours": Setting(True, ())}
BYTES = 16
"""The bytes of an instruction."""
MANY = 40
"""Registers from which on they decide how many threads run."""
PART = 0.01
"""How far from 1 a ratio counts as faster or slower."""


@dataclass
class Code:
    """The code of a kernel by one compiler."""

    registers: int
    instructions: int
    ratio: float = 1.0
    """Predicted time, as a part of stock's."""


@dataclass
class Kernel:
    """A kernel and its codes, by side."""

    timed: Timed
    cubins: dict[str, str]
    codes: dict[str, Code] = field(default_factory=dict)
    why: str = ""
    """Why it does not count."""


def registers_of(log: str, kernel: str) -> int:
    """Reads what ptxas -v says of a kernel."""
    found = re.search(rf"Function properties for {re.escape(kernel)}\b.*?Used (\d+) registers", log, re.DOTALL)
    if found is None:
        raise Failure(f"ptxas says nothing of {kernel}")
    return int(found[1])


class Comparison:
    """Compiles and predicts."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.maker = Maker(options)
        if self.maker.nvcc is None:
            raise Failure("; ".join(self.maker.left_out))
        self.folder = self.maker.folder
        for part in ("cubins", "launches"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        self.tool = ROOT / "target" / "release" / "ptx-compare"
        if not self.tool.exists():
            raise Failure(f"{self.tool} is not there: scripts/ptx-compare builds it")

    def kernels_of(self, source: Path, kernels: Sequence[Timed]) -> list[Kernel]:
        """Compiles a source by all."""
        compiler = self.maker.compiler
        try:
            ir = compiler.ir(source, "2")
            cubins = {name: compiler.cubin(compiler.ptx(ir, "sm_80", setting), self.maker.gpu) for name, setting in SIDES.items()}
        except compiler.run.Failure as failure:
            return [Kernel(timed, {}, why=str(failure).splitlines()[0]) for timed in kernels]
        by_nvcc = self.maker.by_nvcc(source)
        if by_nvcc is None:
            why = next((one for one in self.maker.left_out if source.with_suffix(".cu").name in one), "nvcc does not compile it")
            return [Kernel(timed, {}, why=why) for timed in kernels]
        return [Kernel(timed, {**cubins, "nvcc": by_nvcc[0]}) for timed in kernels]

    def measure(self, kernel: Kernel) -> None:
        """Counts the instructions of a kernel's codes, and predicts their time."""
        launch = self.folder / "launches" / f"{kernel.timed.source.stem}.{kernel.timed.kernel}.launch"
        launch.write_text(launch_text(kernel.timed, self.folder, self.maker.compiler.run.digest), encoding="utf-8")
        stock = self.folder / kernel.cubins["stock"]
        for side, name in kernel.cubins.items():
            cubin = self.folder / name
            log = cubin.with_suffix(".log").read_text(encoding="utf-8")
            size = len(machine_code(cubin.read_bytes(), kernel.timed.kernel))
            code = Code(registers_of(log, kernel.timed.kernel), size // BYTES)
            if cubin != stock:
                code.ratio = self.predict(launch, stock, cubin)
            kernel.codes[side] = code

    def predict(self, launch: Path, stock: Path, cubin: Path) -> float:
        """Asks the tool for a ratio."""
        options = ["--json", "-", "--no-interval", "--outside", "--cuda", str(ROOT / "build" / "cuda"), "--launch", str(launch)]
        command = [str(self.tool), "time", *options, str(stock), str(cubin)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure((done.stderr.strip().splitlines() or ["ptx-compare time ends with an error"])[-1])
        return float(json.loads(done.stdout)[0]["ratio"])


def rows(kernels: Sequence[Kernel]) -> Iterator[list[str]]:
    """The table: a head, and a line for each kernel and side."""
    yield ["source", "kernel", "side", "registers", "instructions", "predicted"]
    for kernel in kernels:
        for side, code in kernel.codes.items():
            name = kernel.timed.source.relative_to(ROOT) if kernel.timed.source.is_relative_to(ROOT) else kernel.timed.source.name
            yield [str(name), kernel.timed.kernel, side, str(code.registers), str(code.instructions), f"{code.ratio:.4f}"]


def means(kernels: Sequence[Kernel], side: str, to: str) -> str:
    """A line of the summary: one side as a part of another one."""

    def ratio(of: Sequence[Kernel], name: str) -> str:
        values = [getattr(kernel.codes[side], name) / getattr(kernel.codes[to], name) for kernel in of]
        return f"{geometric_mean(values):9.3f}" if values else f"{'-':>9}"

    many = [kernel for kernel in kernels if kernel.codes["stock"].registers >= MANY]
    changes = [kernel.codes[side].ratio / kernel.codes[to].ratio for kernel in kernels]
    faster, slower = sum(change < 1 - PART for change in changes), sum(change > 1 + PART for change in changes)
    numbers = [ratio(kernels, "registers"), ratio(many, "registers"), ratio(kernels, "instructions"), ratio(kernels, "ratio")]
    return f"{side + ' / ' + to:28}" + "".join(numbers) + f"{faster:9}{slower:9}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compiles, predicts, prints."""
    parser = argparse.ArgumentParser(description="Compares stock's code, ours and nvcc's of the same CUDA sources.")
    parser.add_argument("version", help="the LLVM: build/llvm-VERSION")
    parser.add_argument("names", nargs="*", metavar="NAME", help="sources whose names contain this (all)")
    parser.add_argument("--plugin", metavar="FILE", help="the build of the plugin (that of build/lib)")
    parser.add_argument("--gpu", default="sm_90", metavar="PROCESSOR", help="the processor to assemble for (%(default)s)")
    parser.add_argument("--more", type=Path, metavar="FILE", help="a table of further launches (launches.py)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "gpu" / "nvcc", help="where what is made is (build/gpu/nvcc)"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="where the figures of all kernels go")
    options = parser.parse_args(arguments)
    options.nvcc, options.ptxas, options.blocks, options.tool, options.modules, options.minutes = None, [], 0, None, [], 0.0
    options.plugin = options.plugin or str(ROOT / "build" / "lib" / f"libptxpasses-{options.version}.so")
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "more.py").unlink(missing_ok=True)
    if options.more is not None:
        shutil.copy(options.more, options.folder / "more.py")
    try:
        comparison = Comparison(options)
    except Failure as failure:
        print(f"against_nvcc.py: {failure}", file=sys.stderr)
        return 2
    by_source: dict[Path, list[Timed]] = {}
    for timed in all_timed(options.folder):
        is_wanted = not options.names or any(name in timed.source.name for name in options.names)
        if is_wanted and timed.cpu == "sm_80" and timed.source.with_suffix(".cu").exists():
            by_source.setdefault(timed.source, []).append(timed)
    if not by_source:
        print(f"against_nvcc.py: no CUDA source with a launch is named like {', '.join(options.names)}", file=sys.stderr)
        return 2
    kernels = []
    progress = Progress(len(by_source), "sources compiled")
    for source, timed_kernels in by_source.items():
        kernels += comparison.kernels_of(source, timed_kernels)
        progress.step()
    progress = Progress(len(kernels), "kernels predicted")

    def measure(kernel: Kernel) -> None:
        if not kernel.why:
            try:
                comparison.measure(kernel)
            except Failure as failure:
                kernel.why = str(failure)
        progress.step()

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(measure, kernels))
    counted = sorted(
        (kernel for kernel in kernels if not kernel.why),
        key=lambda kernel: kernel.codes["ours"].ratio / kernel.codes["nvcc"].ratio,
    )
    for kernel in kernels:
        if kernel.why:
            print(f"left out: {kernel.timed.name}: {kernel.why}")
    if not counted:
        print("against_nvcc.py: nothing was compared", file=sys.stderr)
        return 1
    print(f"{'kernel':32}{'registers: stock, ours, nvcc':>30}{'predicted: ours':>18}{'nvcc':>8}{'ours / nvcc':>13}")
    for kernel in counted:
        stock, ours, nvcc = (kernel.codes[side] for side in ("stock", "ours", "nvcc"))
        registers = f"{stock.registers:5}{ours.registers:5}{nvcc.registers:5}"
        print(f"{kernel.timed.name:32}{registers:>30}{ours.ratio:18.3f}{nvcc.ratio:8.3f}{ours.ratio / nvcc.ratio:13.3f}")
    head = "".join(f"{word:>9}" for word in ("registers", f"{MANY}+", "SASS", "predicted", "faster", "slower"))
    print(f"\n{f'{len(counted)} kernels, {comparison.maker.gpu}':28}{head}")
    for side, to in [("stock -disable-lsr", "stock"), ("ours", "stock"), ("nvcc", "stock"), ("ours", "nvcc")]:
        print(means(counted, side, to))
    if options.csv:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows(counted))
        fresh = options.csv.with_suffix(".fresh")
        fresh.write_text(text.getvalue(), encoding="utf-8")
        fresh.rename(options.csv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
