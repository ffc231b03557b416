"""What a fleet takes: `ptxpasses tune --scheduler` of many small kernels, with one worker and with two, and without any measuring.

    fleet_scaling.py VERSION [--files N] [--workers N,...] [--idle] [-- OPTION OF tune...]

Problem. A fleet may be slower than the machines it has: the machine that asks, the scheduler and the store work for each file.

Method. N modules, all different, in a folder of their own. For each number of workers: a scheduler, the workers, and one run, whose store
is empty. The same run again measures nothing: what it takes is choosing, proving and writing, on the machine that asks. The control is
`ptx-compare tune` without a fleet, with as many jobs. `--idle` has the workers run a stand-in for `ptx-compare` that knows the result: what
remains is what the fleet itself takes for a file, which bounds how many workers can be kept busy.

The bytes that come out are compared with those of the control, except with `--idle`.

Complexity. N measurements for each number, and for each control.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python" / "tests"))

from dask_fleet import Fleet, until  # noqa: E402

KERNEL = """target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @scaled{number}(ptr %out, ptr %in) {{
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %thread
  %value = load i32, ptr %from
  %scaled = mul i32 %value, {factor}
  %sum = add i32 %scaled, {number}
  %to = getelementptr i32, ptr %out, i32 %thread
  store i32 %sum, ptr %to
  ret void
}}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
STAND_IN = """#!/bin/sh
[ "$1" = tune ] || exec {compare} "$@"
for word; do
  [ "$last" != -o ] || out=$word
  last=$word
done
mkdir "$out"
exec sed "s|@FILE@|$last|" {result} > "$out/shard-1-of-1.json"
"""


def modules(folder: Path, number: int) -> None:
    """Writes this many small modules, no two of which are equal."""
    folder.mkdir(parents=True)
    for i in range(number):
        (folder / f"k{i:05}.ll").write_text(KERNEL.format(number=i, factor=2 * i + 3))


class Tools:
    """The tools that all sides use."""

    def __init__(self, version: str, folder: Path) -> None:
        """Names them."""
        self.compare, self.cuda = ROOT / "target/release/ptx-compare", ROOT / "build/cuda"
        self.llc, self.plugin = ROOT / f"build/llvm-{version}/bin/llc", ROOT / "build/lib/libptxpasses.so"
        self.named: tuple[str | Path, ...] = ("--llc", self.llc, "--plugin", self.plugin, "--cuda", self.cuda)
        self.folder = folder

    def variables(self, cache: Path, compare: Path) -> dict[str, str]:
        """Returns the variables of the environment of a fleet's processes."""
        names = {"COMPARE": compare, "CUDA": self.cuda, "LLC": self.llc, "PLUGIN": self.plugin}
        return {**{f"PTXPASSES_{name}": str(path) for name, path in names.items()}, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT / "python" / "src")}

    def alone(self, jobs: int, out: Path, options: list[str]) -> float:
        """Tunes without a fleet; the seconds."""
        return seconds([self.compare, "tune", *self.named, "--cache", out.with_suffix(".cache"), "-j", str(jobs), "-o", out, *options, "in"], self.folder)

    def stand_in(self, options: list[str]) -> Path:
        """Makes the program that knows the result: that of the first module, with another name."""
        one = self.folder / "one"
        modules(one / "in", 1)
        seconds([self.compare, "tune", *self.named, "--shard", "1/1", "-o", "out", *options, "in/k00000.ll"], one)
        result = self.folder / "result.json"
        result.write_text((one / "out/shard-1-of-1.json").read_text().replace("in/k00000.ll", "@FILE@"))
        program = self.folder / "stand-in"
        program.write_text(STAND_IN.format(compare=self.compare, result=result))
        program.chmod(0o755)
        return program


def seconds(command: list[str | Path], folder: Path, **variables: str) -> float:
    """Runs a command; the seconds that it takes. Its messages are shown if it fails."""
    begin = time.monotonic()
    done = subprocess.run(command, cwd=folder, env={**os.environ, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"fleet_scaling.py: {command[0]} ends with status {done.returncode}: {done.stderr.strip()[-2000:]}")
    return time.monotonic() - begin


def processor(process: int) -> float:
    """Returns the processor seconds of a running process, without those of its children."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def equal(one: Path, other: Path) -> bool:
    """Compares two folders of results, byte for byte."""
    names = [sorted(path.name for path in folder.iterdir()) for folder in (one, other)]
    return names[0] == names[1] and not any(filecmp.cmpfiles(one, other, names[0], shallow=False)[1:])


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(usage="%(prog)s VERSION [--files N] [--workers N,...] [--idle] [-- OPTION of tune...]")
    parser.add_argument("version", help="of LLVM")
    parser.add_argument("--files", type=int, default=200, help="this many modules (default: %(default)s)")
    parser.add_argument("--workers", default="1,2", help="numbers of workers (default: %(default)s)")
    parser.add_argument("--idle", action="store_true", help="nothing is measured: what the fleet itself takes")
    words, rest = sys.argv[1:], []
    if "--" in words:
        words, rest = words[: words.index("--")], words[words.index("--") + 1 :]
    given = parser.parse_args(words)
    from distributed import Client

    options = ["--mcpu=sm_80", *rest]
    with tempfile.TemporaryDirectory(prefix="fleet-") as name:
        folder = Path(name)
        modules(folder / "in", given.files)
        tools = Tools(given.version, folder)
        compare = tools.stand_in(options) if given.idle else tools.compare
        print(f"| workers | seconds | choosing and writing | {'the fleet, files a second | scheduler, ms a file' if given.idle else 'without a fleet, as many jobs | the same bytes'} |")
        print("|---|---|---|---|---|", flush=True)
        for workers in [int(word) for word in given.workers.split(",")]:
            alone, out, own = folder / f"alone-{workers}", folder / f"out-{workers}", folder / f"fleet-{workers}"
            own.mkdir()
            variables = tools.variables(own / "cache", compare)
            with Fleet(own, **variables) as fleet:
                for _ in range(workers):
                    fleet.worker()
                with Client(fleet.address) as client:
                    until(lambda client=client, workers=workers: len(client.nthreads()) == workers, "the workers")
                command: list[str | Path] = [sys.executable, "-m", "ptxpasses.tune", "--scheduler", fleet.address, "--store", own / "store", "-o", out, *options, "in"]
                scheduler = fleet.processes[0].pid
                before = processor(scheduler)
                taken = seconds(command, folder, **variables)
                scheduled = processor(scheduler) - before
                again = seconds(command, folder, **variables)
            row = f"| {workers} | {taken:.1f} | {again:.1f} |"
            if given.idle:
                print(f"{row} {given.files / (taken - again):.0f} | {1000 * scheduled / given.files:.1f} |", flush=True)
                continue
            control, same = tools.alone(workers, alone, options), equal(alone, out)
            print(f"{row} {control:.1f} | {'yes' if same else 'no'} |", flush=True)
            if not same:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
