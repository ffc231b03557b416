"""Compares nvcc's code, ours and stock's of the projects of scripts/corpus: registers and predicted time for made-up launches.

    scripts/corpus make --clang 22 NAME... -o build/held
    python3 tests/corpus/against_nvcc.py 22 build/held [--gpu PROCESSOR] [--csv FILE]      22 is LLVM's version

It needs `scripts/setup 22 cuda toolkit`, `scripts/build 22`, target/release/ptx-compare, and the folder with its .cache.

Problem. Most rules were made with the kernels of tests/ in view. Whether nvcc is ahead can be judged only by others.

Method. nvcc (build/toolkit) compiles each source that scripts/corpus has made IR of, with the same headers and definitions; llc compiles that IR as stock does,
with LLVM's own -disable-lsr, and with the plugin. `ptx-compare time` makes up launches from stock's PTX and predicts the ratio of each other side to stock's.
A kernel counts if all sides are predicted. What nvcc does not compile is named.

Source. None. Deviation: none. Complexity: four compilations and three predictions of each source, two sources at once.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests" / "gpu")]

from as_module import load  # noqa: E402
from samples import geometric_mean  # noqa: E402

corpus = load("corpus")

SIDES = ("stock -disable-lsr", "ours", "nvcc")
MANY = 40
"""Registers from which on they decide how many threads run."""
PART = 0.01
"""How far from 1 a ratio counts as faster or slower."""

Figures = dict[str, tuple[float, int]]
"""By side, the predicted time as a part of stock's, and the registers."""


def nvcc_options(data: Any, cache: str, project: Any, file: Any, source: str) -> list[str]:
    """Gives nvcc the options that scripts/corpus gives clang."""
    name = file.prefix or project.prefix
    prefix = data.prefixes[name]
    headers, texts = corpus.OWN_HEADERS, os.path.join(cache, "texts", project.name)
    options = ["-std=c++17", *prefix.flags, *(f.replace("{src}", source) for f in project.flags if f.startswith(("-D", "-I", "-U")))]
    if prefix.stand_ins:
        options += ["-I", os.path.join(cache, "stand-ins", name)]
    for of in prefix.headers:
        folder = corpus.header_folder(of, data.headers[of], cache)
        options += ["-I", f"{folder}/include", "-I", f"{folder}/include/torch/csrc/api/include"]
    if prefix.header:
        options += ["-include", os.path.join(headers, "common.h"), "-include", os.path.join(headers, prefix.header)]
    # After the system's folders, as a project may have a memory.h.
    for folder in project.include:
        path = os.path.normpath(os.path.join(source, folder))
        options += ["-Xcompiler", f"-iquote,{path}", "-Xcompiler", f"-idirafter,{path}"]
    cuda = corpus.header_folder("cuda", data.headers["cuda"], cache)
    return [*options, "-Xcompiler", f"-idirafter,{texts}", "-DCCCL_DISABLE_CTK_COMPATIBILITY_CHECK", "-isystem", f"{cuda}/include"]


class Comparison:
    """Compiles and predicts the files of a folder that scripts/corpus has made."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.data = options, corpus.load()[0]
        self.made = Path(options.folder)
        self.cache = str(self.made / ".cache")
        self.out = self.made / f"nvcc-{options.gpu}"
        self.out.mkdir(exist_ok=True)
        self.llc = ROOT / "build" / f"llvm-{options.version}" / "bin" / "llc"
        self.plugin = options.plugin or str(ROOT / "build" / "lib" / f"libptxpasses-{options.version}.so")

    def run(self, command: Sequence[object]) -> str:
        """Runs a command; returns the first line that says what is wrong, or nothing."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        return corpus.first_error(done.stderr) if done.returncode else ""

    def compile(self, project: Any, file: Any) -> str:
        """Writes the PTX of all sides; returns the first error, or nothing."""
        base = self.out / file.ll
        source = corpus.source_folder(project, self.cache)
        path = corpus.source_path(project, file, source, self.cache)
        nvcc = [ROOT / "build" / "toolkit" / "bin" / "nvcc", "-ptx", "-x", "cu", f"-arch={self.options.gpu}", "-w"]
        nvcc += ["--expt-relaxed-constexpr", "--extended-lambda", *nvcc_options(self.data, self.cache, project, file, source)]
        if error := self.run([*nvcc, path, "-o", f"{base}.nvcc.ptx"]):
            return f"nvcc: {error}"
        llc = [self.llc, "-O3", f"-mcpu={self.options.gpu}", self.made / project.kind / f"{file.ll}.ll"]
        for side, flags in (("stock", []), ("stock -disable-lsr", ["-disable-lsr"]), ("ours", ["-load", self.plugin])):
            if error := self.run([*llc, *flags, "-o", f"{base}.{side}.ptx"]):
                return f"llc: {error}"
        return ""

    def figures(self, project: Any, file: Any) -> dict[str, Figures]:
        """Compiles a file; returns the figures of its kernels that all sides have."""
        if error := self.compile(project, file):
            print(f"left out: {file.ll}: {error}", flush=True)
            return {}
        kernels: dict[str, Figures] = {}
        base = self.out / file.ll
        for side in SIDES:
            said = base.with_name(f"{file.ll}.{side}.json")
            tool = [ROOT / "target" / "release" / "ptx-compare", "time", "--gpu", self.options.gpu, "--no-interval", "--outside"]
            tool += ["--cuda", ROOT / "build" / "cuda", "--json", said, f"{base}.stock.ptx", f"{base}.{side}.ptx"]
            said.unlink(missing_ok=True)
            self.run(tool)  # 1: not all kernels are predicted
            for row in json.loads(said.read_text(encoding="utf-8")) if said.exists() else []:
                if row.get("ratio") is not None:  # else: not predicted
                    stock, other = row["sides"]
                    kernels.setdefault(row["kernel"], {"stock": (1.0, stock["registers"])})[side] = (row["ratio"], other["registers"])
        print(f"{file.ll}: {len(kernels)} kernels", file=sys.stderr, flush=True)
        return {kernel: sides for kernel, sides in kernels.items() if len(sides) == 1 + len(SIDES)}


def summary(kernels: Sequence[Figures], side: str, to: str) -> str:
    """A line of the table: one side as a part of another one."""
    times = [sides[side][0] / sides[to][0] for sides in kernels]
    many = [sides[side][1] / sides[to][1] for sides in kernels if sides["stock"][1] >= MANY]
    registers = geometric_mean([sides[side][1] / sides[to][1] for sides in kernels])
    counts = f"{sum(t < 1 - PART for t in times):9}{sum(t > 1 + PART for t in times):9}"
    return f"{f'{side} / {to}':28}{registers:10.3f}{geometric_mean(many) if many else math.nan:9.3f}{geometric_mean(times):11.3f}{counts}"


def main() -> int:
    """Compiles, predicts, prints."""
    parser = argparse.ArgumentParser(description="Compares nvcc's code, ours and stock's of the projects of scripts/corpus.")
    parser.add_argument("version", help="the LLVM: build/llvm-VERSION")
    parser.add_argument("folder", help="what scripts/corpus has made")
    parser.add_argument("--plugin", metavar="FILE", help="the build of the plugin (that of build/lib)")
    parser.add_argument("--gpu", default="sm_80", metavar="PROCESSOR", help="the processor to compile for (%(default)s)")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="where the figures of all kernels go")
    options = parser.parse_args()
    if not (Path(options.folder) / "manifest.json").exists():
        print(f"against_nvcc.py: {options.folder} has no manifest.json: scripts/corpus make -o {options.folder} makes it", file=sys.stderr)
        return 2
    comparison = Comparison(options)
    manifest = json.loads((comparison.made / "manifest.json").read_text(encoding="utf-8"))
    todo = [(p, f) for p in comparison.data.projects for f in p.files if not manifest.get(f.ll, {"error": "not made"})["error"]]
    todo = [(p, f) for p, f in todo if p.kind != "generated"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda one: comparison.figures(*one), todo))
    rows = [(f.ll, kernel, sides) for (_, f), kernels in zip(todo, done, strict=True) for kernel, sides in kernels.items()]
    if not rows:
        print("against_nvcc.py: nothing was compared", file=sys.stderr)
        return 1
    kernels = [sides for _, _, sides in rows]
    print(f"{f'{len(rows)} kernels, {options.gpu}':28}{'registers':>10}{f'{MANY}+':>9}{'predicted':>11}{'faster':>9}{'slower':>9}")
    for side, to in [("stock -disable-lsr", "stock"), ("ours", "stock"), ("nvcc", "stock"), ("ours", "nvcc")]:
        print(summary(kernels, side, to))
    if options.csv:
        fresh = options.csv.with_suffix(".fresh")
        with open(fresh, "w", encoding="utf-8", newline="") as to_file:
            table = csv.writer(to_file, lineterminator="\n")
            table.writerow(["file", "kernel", "side", "registers", "predicted"])
            for ll, kernel, sides in rows:
                table.writerows([ll, kernel, side, number, f"{time:.4f}"] for side, (time, number) in sides.items())
        fresh.rename(options.csv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
