"""Makes an archive of the laboratory: compiles, chooses experiments, orders them by worth, packs them.

Problem. Time on a GPU is dear and time without one is not, so all that can be done before is done before. And the experiments
that are worth most come first, as the session may end at any time.

Method. run.py's compilation, for the launches of launches.py and of --more. Each kernel has variants; those of the same machine code are one. They are

    first     stock twice, ours, both with LoopStrengthReduce the other way round, nvcc where there is a CUDA source
    made-up   as first, for the kernels of --modules, whose launches made_up.py makes up
    order     stock's and ours with their stores in ascending order (ascending.py), where that changes something
    plan      the 16 settings of plan.py's base
    ptxas     stock's and ours by each further ptxas

A kernel of which all have the same code is not timed for that kind. Kernels that have other code than stock's come first. Then counters of ncu for stock
and ours, and whole programs (programs.py). All kinds once, then kernels again, in another order each time. The time of the experiments is not known
here; their limits are for those that do not end.

Source. None. Deviation: none. Complexity. Compilations: sources times settings.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import io
import json
import math
import random
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ascending
import made_up
import programs
import run as gpu_run
from lab_queue import CONTENT, FORMAT, PARTS, Failure, minutes_and_seconds
from launches import MADE_UP, ROOT, Timed, all_timed
from plan import BASE, Setting, settings

HERE = Path(__file__).resolve().parent
GRID_RUN = gpu_run.grid_module("run")
PACKED = ["lab.py", "lab_queue.py", "lab_run.py", "lab_tools.py", "worker.py", "driver.py", "launches.py", "samples.py", "plan.py"]
"""The programs that run on the machine with the GPU."""
MOST_BYTES = 60 << 20
FIRST = {name: gpu_run.VARIANTS[name] for name in ("stock", "again", "ours", "stock-nolsr", "lsr")}
COUNTED = 40
"""For how many kernels ncu counts."""
NVCC = ["-cubin", "-O3", "-std=c++17", "-fmad=false", "-Xptxas", "-v", "-D__CUDA__", "-include", str(HERE / "nvcc.h")]
SECONDS = {"first": (30, 12), "made-up": (12, 6), "order": (30, 12), "plan": (45, 12), "ptxas": (30, 12), "counters": (60, 60), "programs": (60, 60)}
"""By kind the seconds that an experiment may take, and those that it may say nothing."""
START = """import sys

import lab

arguments = sys.argv[1:]
command = arguments.pop(0) if arguments and arguments[0] in ("run", "list") else "run"
sys.exit(lab.main([command, sys.argv[0], *arguments]))
"""
"""The archive's __main__.py."""


def tell(text: str, is_last: bool = False) -> None:
    """Shows how far it is."""
    end = "\n" if is_last or not sys.stderr.isatty() else ""
    start = "\r\033[K" if sys.stderr.isatty() else ""
    print(f"{start}{text}", end=end, file=sys.stderr, flush=True)


def digest(data: bytes) -> str:
    """Names content as run.py does: the data of both are compared by the digests of code."""
    name: str = GRID_RUN.digest(data)
    return name


class Maker:
    """Makes what is packed, in a folder that keeps cubins from one time to the next."""

    def __init__(self, options: argparse.Namespace) -> None:
        tools = ROOT / "build"
        self.gpu: str = options.gpu
        self.folder: Path = (options.folder or tools / "lab").resolve()
        self.blocks: int = options.blocks
        self.tool: Path = options.tool or ROOT / "target" / "release" / "ptx-compare"
        plugin = options.plugin or str(tools / "lib" / "libptxpasses.so")
        common = {"version": options.version, "folder": self.folder, "plugin": plugin, "ptxas": 3, "more": options.more}
        self.compiler = gpu_run.Maker(argparse.Namespace(**common), self.gpu)
        self.variants: dict[str, Setting] = {}
        self.minutes: float = options.minutes
        self.predicted: dict[str, float] = {}
        """By kernel whose launch is made up the predicted time of our code, stock's is 1."""
        self.failed: list[str] = []
        self.left_out: list[str] = []
        for tool in (self.compiler.llc, self.compiler.ptxas, Path(plugin), *([self.tool] if options.modules else [])):
            if not tool.exists():
                raise Failure(f"{tool} is not there: scripts/setup {options.version} cuda, scripts/build {options.version}; scripts/ptx-compare builds ptx-compare")
        if int(options.version.partition("-")[0]) < 22:
            raise Failure(f"LLVM {options.version}: 22 or newer is needed, as one of the plan's switches is -nvptx-mad-wide-opt")
        self.further = [self.usable(Path(one)) for one in options.ptxas or sorted(map(str, tools.glob("ptxas/*/nvidia/*/bin/ptxas")))]
        if not self.further:
            self.left_out.append("other versions of ptxas: none in build/ptxas (docs/lab.md)")
        nvcc = Path(options.nvcc or tools / "toolkit" / "bin" / "nvcc")
        self.nvcc = nvcc if options.nvcc != "none" and self.has_nvcc(nvcc) else None

    @staticmethod
    def usable(ptxas: Path) -> Path:
        """Gives a ptxas that runs."""
        if not ptxas.is_file():
            raise Failure(f"{ptxas} is not there")
        return ptxas

    def has_nvcc(self, nvcc: Path) -> bool:
        """Finds whether nvcc can compile; says what it lacks."""
        missing = [str(one) for one in (nvcc, nvcc.parent.parent / "nvvm" / "bin" / "cicc", nvcc.parent / "cudafe++") if not one.exists()]
        if missing:
            self.left_out.append(f"nvcc's code: {', '.join(missing)} not there (scripts/setup toolkit)")
        return not missing

    # ---- compiling

    def by_nvcc(self, source: Path) -> tuple[str, str] | None:
        """Compiles a CUDA source by nvcc; the cubin's name in the folder and what ptxas said. `None` if there is none, or it does not compile."""
        cuda = source.with_suffix(".cu")
        if self.nvcc is None or not cuda.exists():
            return None
        header = (HERE / "nvcc.h").read_bytes() + (ROOT / "tests" / "grid" / "grid.h").read_bytes()
        key = digest(cuda.read_bytes() + header + f"{self.gpu} {gpu_run.release(self.nvcc)} {NVCC[:5]}".encode())
        path = self.folder / "cubins" / f"{key}.cubin"
        log = path.with_suffix(".log")
        if not path.exists():
            fresh = path.with_suffix(".fresh")
            command = [str(self.nvcc), *NVCC, "-arch", self.gpu, str(cuda), "-o", str(fresh)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                lines = [line for line in (done.stdout + done.stderr).splitlines() if "error" in line]
                self.left_out.append(f"nvcc's code of {cuda.name}: {(lines or ['it ends with an error'])[0]}")
                return None
            log.write_text(done.stderr + done.stdout, encoding="utf-8")
            fresh.rename(path)
        return f"cubins/{path.name}", log.read_text(encoding="utf-8")

    def build(self, kernels: list[Timed]) -> list[dict[str, Any]]:
        """Compiles a source with all settings; what is to be timed of its kernels."""
        compiler = self.compiler
        source, cpu, is_made_up = kernels[0].source, kernels[0].cpu, kernels[0].is_made_up
        gpu = self.gpu if cpu == "sm_80" else cpu
        if gpu != self.gpu and gpu.rstrip("a") != self.gpu:
            self.left_out.append(f"{source.name}: it is for {cpu} only")
            return []
        ir = compiler.ir(source, "2")
        ptx = {name: compiler.ptx(ir, cpu, setting) for name, setting in (FIRST if is_made_up else self.variants).items()}
        built = {name: compiler.cubin(text, gpu) for name, text in ptx.items()}
        about: dict[str, dict[str, str]] = defaultdict(dict)
        for other in () if is_made_up else self.further:
            for name in ("stock", "ours"):
                version = gpu_run.release(other)
                built[f"{name}@{version}"] = compiler.cubin(ptx[name], gpu, other)
                about[f"{name}@{version}"] = {"ptxas": f"{version} -O3"}
        if gpu == self.gpu and not is_made_up and (found := self.by_nvcc(source)) is not None:
            assert self.nvcc is not None
            built["nvcc"] = found[0]
            about["nvcc"] = {"llvm": "none", "version": f"nvcc {gpu_run.release(self.nvcc)}", "ptxas": f"{gpu_run.release(self.nvcc)} -O3"}
        return [self.job(timed, built, about) for timed in kernels]

    def job(self, timed: Timed, built: dict[str, str], about: dict[str, dict[str, str]]) -> dict[str, Any]:
        """Finds the variants of a kernel that have code of their own, and their facts."""
        job: dict[str, Any] = {"name": timed.name, "group": timed.group, "is_made_up": timed.is_made_up, "cubins": {}, "same": {}, "facts": {}}
        codes: dict[bytes, str] = {}
        texts = {name: (self.folder / cubin).read_bytes() for name, cubin in built.items()}
        logs = {name: (self.folder / cubin).with_suffix(".log").read_text(encoding="utf-8") for name, cubin in built.items()}
        for name in () if timed.is_made_up else ("stock", "ours"):
            try:
                changed = ascending.ascending(texts[name], timed.kernel)
            except ascending.Refused as why:
                self.left_out.append(f"{timed.name}: stores of {name}'s code in order: {why}")
                continue
            if changed is not None:
                texts[f"{name}-ascending"], logs[f"{name}-ascending"] = changed, logs[name]
        for name, data in texts.items():
            try:
                code = gpu_run.machine_code(data, timed.kernel)
            except SystemExit:
                self.left_out.append(f"{timed.name}: no such kernel in the code of {name}")
                continue
            if name != "again" and code in codes:
                job["same"][name] = codes[code]
                continue
            codes.setdefault(code, name)
            spills = {kernel: (int(stores), int(loads)) for kernel, stores, loads in gpu_run.SPILLS.findall(logs[name])}[timed.kernel]
            job["cubins"][name] = f"cubins/{digest(data)}.cubin"
            numbers = {"spill_stores": spills[0], "spill_loads": spills[1], "code_bytes": len(code)}
            job["facts"][name] = {**numbers, "code": digest(code), "cubin": digest(data), **about.get(name, {})}
            job.setdefault("texts", {})[digest(data)] = data
        return job

    def made_up(self, modules: Sequence[Path], taken: set[str]) -> list[dict[str, Any]]:
        """Makes up launches for the kernels of modules, except for those whose names are taken; rows for launches.py."""
        sources = [source for path in modules for source in (sorted(path.glob("*.ll")) if path.is_dir() else [path])]
        if not sources:
            raise Failure(f"no modules (.ll) in {', '.join(map(str, modules))}")
        begun = time.monotonic()
        maker = made_up.Maker(self.tool, self.folder, digest, begun + 60 * self.minutes)
        fitting: dict[Path, list[made_up.Kernel]] = {}
        for source in sources:
            for kernel in made_up.kernels_of(source, self.compiler.ir(source, "2").read_text(encoding="utf-8")):
                if isinstance(kernel, made_up.Kernel) and f"{source.stem}: {kernel.name}" not in taken:
                    fitting.setdefault(source, []).append(kernel)
                else:
                    name, why = kernel if isinstance(kernel, tuple) else (kernel.name, "another launch has its name")
                    self.left_out.append(f"{source.stem}: {name}: {why}")
        # Time for a simulation grows with the module's size: those with many kernels in little text come first.
        ordered = sorted(fitting, key=lambda source: source.stat().st_size / len(fitting[source]))

        def of(source: Path) -> list[tuple[made_up.Kernel, dict[str, Any] | str]]:
            if time.monotonic() > maker.until:
                return [(kernel, made_up.NOT_REACHED) for kernel in fitting[source]]
            ir = self.compiler.ir(source, "2")
            cubins = [self.folder / self.compiler.cubin(self.compiler.ptx(ir, "sm_80", FIRST[one]), self.gpu) for one in ("stock", "ours")]
            return maker.launches(fitting[source], cubins)

        rows: list[dict[str, Any]] = []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for number, future in enumerate([pool.submit(of, source) for source in ordered], 1):
                try:
                    found = future.result()
                except self.compiler.run.Failure as failure:
                    self.failed.append(str(failure))
                    continue
                for kernel, row in found:
                    if isinstance(row, str):
                        self.left_out.append(f"{kernel.source.stem}: {kernel.name}: {row}")
                    else:
                        rows.append(row)
                        self.predicted[f"{kernel.source.stem}: {kernel.name}"] = row["predicted"]
                said = f"{number} of {len(ordered)} modules, {len(rows)} launches made up, {minutes_and_seconds(time.monotonic() - begun)}"
                tell(said, number == len(ordered))
        return rows

    def jobs(self, names: set[str], more: Path | None, modules: Sequence[Path]) -> list[dict[str, Any]]:
        """Compiles all."""
        (self.folder / "cubins").mkdir(parents=True, exist_ok=True)
        for old in (self.folder / "more.py", self.folder / MADE_UP):
            old.unlink(missing_ok=True)
        if more is not None:
            shutil.copy(more, self.folder / "more.py")
        if modules:
            made_up.write(self.folder, self.made_up(modules, {timed.name for timed in all_timed(self.folder)}))
        planned = dict(list(settings(self.compiler.passes()).items())[:BASE])
        self.variants = FIRST | planned
        by_source: defaultdict[tuple[Path, str], list[Timed]] = defaultdict(list)
        for timed in all_timed(self.folder):
            if not names or timed.source.stem in names or timed.is_made_up:
                by_source[timed.source, timed.cpu].append(timed)
        if not by_source:
            raise Failure(f"no launches of sources {', '.join(sorted(names))}")
        made: list[dict[str, Any]] = []
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for number, future in enumerate([pool.submit(self.build, group) for group in by_source.values()], 1):
                try:
                    made += future.result()
                except self.compiler.run.Failure as failure:
                    self.failed.append(str(failure))
                tell(f"{number} of {len(by_source)} sources, {minutes_and_seconds(time.monotonic() - begun)}", number == len(by_source))
        return made

    # ---- choosing

    def variants_of(self, job: dict[str, Any], kind: str) -> list[str]:
        """Finds the variants that are timed for a kind; an empty list if they are all stock's code, or ours."""
        same: dict[str, str] = job["same"]

        def timed(names: Sequence[str]) -> list[str]:
            return list(dict.fromkeys(same.get(name, name) for name in names if name in same or name in job["cubins"]))

        base = timed(["stock", "ours"])
        if kind == "first":
            return timed([*FIRST, "nvcc"])
        if kind == "made-up":
            return timed(list(FIRST))
        if kind == "plan":
            chosen = timed(["stock", *(name for name in self.variants if name.startswith("plan-"))])
            return chosen if len(chosen) > 1 else []
        chosen = timed([*base, *(name for name in (*job["cubins"], *same) if ("@" in name if kind == "ptxas" else name.endswith("-ascending")))])
        return chosen if len(chosen) > len(base) else []

    def queue(self, jobs: list[dict[str, Any]], packed: dict[str, Any], passes: int) -> list[dict[str, Any]]:
        """Puts the experiments in order."""
        made: list[dict[str, Any]] = []
        first: dict[str, int] = {}

        def add(kind: str, name: str, turn: int, variants: list[str]) -> None:
            limit, silence = SECONDS[kind]
            after = first.get(name)
            if kind in ("first", "made-up") and turn == 0:
                first[name] = len(made)
            made.append(
                {
                    **{"kind": kind, "name": name, "pass": turn, "variants": variants, "blocks": self.blocks},
                    **{"limit": limit, "silence": silence, "after": after},
                }
            )

        by_worth = sorted(jobs, key=lambda job: "ours" not in job["cubins"])
        ordered = [job for job in by_worth if not job["is_made_up"]]
        # Where ours is stock's code there is nothing to learn from such a launch. Where our time is predicted to differ most, there is most.
        further = [job for job in by_worth if job["is_made_up"] and "ours" in job["cubins"]]
        further.sort(key=lambda job: -abs(math.log(self.predicted[job["name"]])))
        for turn in range(passes):
            for kind in ("first", "order", "made-up", "plan", "counters", "programs", "ptxas"):
                if kind in PARTS:
                    for job in further if kind == "made-up" else ordered:
                        variants = self.variants_of(job, kind)
                        if variants:
                            add(kind, job["name"], turn, variants)
                elif turn == 0 and kind == "counters":
                    for job in ordered[:COUNTED]:
                        variants = self.variants_of(job, "first")
                        add(kind, job["name"], turn, [one for one in ("stock", "ours") if one in variants])
                elif turn == 0:
                    for name, program in packed.items():
                        add(kind, name, turn, list(program["builds"]))
            random.Random(turn).shuffle(ordered)
            random.Random(turn).shuffle(further)
        return made


# ---- packing


def pack(output: Path, made: dict[str, Any], cubins: dict[str, bytes], folders: dict[str, Path]) -> int:
    """Writes the archive, beside its place first; its bytes. `folders` are packed under their names."""
    tell(f"packing {len(cubins)} cubins")
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz") as archive:
        # In the order of the kernels: those of a source are nearly alike.
        for name, data in cubins.items():
            info = tarfile.TarInfo(f"cubins/{name}.cubin")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name, folder in folders.items():
            if folder.exists():
                archive.add(folder, name)
    made["id"] = digest(json.dumps(made, sort_keys=True).encode() + content.getvalue())
    output.parent.mkdir(parents=True, exist_ok=True)
    fresh = output.with_suffix(".fresh")
    with fresh.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive_of_all:
            archive_of_all.writestr("__main__.py", START)
            archive_of_all.writestr("lab.json", json.dumps(made))
            for program in PACKED:
                archive_of_all.writestr(program, (HERE / program).read_text(encoding="utf-8"))
            archive_of_all.writestr(CONTENT, content.getvalue(), zipfile.ZIP_STORED)
    size = fresh.stat().st_size
    if size > MOST_BYTES:
        fresh.unlink()
        of = {name: sum(one.stat().st_size for one in folder.rglob("*") if one.is_file()) for name, folder in folders.items()}
        parts = ", ".join(f"{name} {bytes_ >> 20} MB" for name, bytes_ in of.items())
        raise Failure(f"the archive would have {size >> 20} MB, {MOST_BYTES >> 20} at most (unpacked: {parts}): leave programs or kernels out")
    fresh.chmod(0o755)
    fresh.rename(output)
    return size


def make(options: argparse.Namespace) -> int:
    """Makes an archive; the exit status: 2 if something that was to be compiled could not be."""
    maker = Maker(options)
    jobs = maker.jobs(set(options.names), options.more, options.modules)
    cubins: dict[str, bytes] = {}
    for job in jobs:
        cubins |= job.pop("texts")
    packed: dict[str, Any] = {}
    place = maker.folder / "packed"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    if options.programs is not None:
        compiler = maker.compiler
        builder = programs.Builder(options.programs, place, ROOT / "build", options.version, compiler.plugin, maker.gpu, tell)
        packed = builder.build()
        maker.left_out += builder.left_out
    else:
        maker.left_out.append("whole programs: no --programs")
    made: dict[str, Any] = {
        **{"format": FORMAT, "gpu": maker.gpu, "cubins": len(cubins), "tools": maker.compiler.tools()},
        **{"jobs": {job["name"]: job for job in jobs}, "programs": packed, "queue": maker.queue(jobs, packed, options.passes)},
    }
    folders = {"programs": place / "programs", "lib": place / "lib"}
    if (maker.folder / "more.py").exists():
        folders["more.py"] = maker.folder / "more.py"
    if (maker.folder / MADE_UP).exists():
        folders[MADE_UP] = maker.folder / MADE_UP
    output = options.output or ROOT / "build" / "lab.pyz"
    size = pack(output, made, cubins, folders)
    tell(f"{output}: {size / (1 << 20):.1f} MB", True)
    print(f"{output}: {size / (1 << 20):.1f} MB, {len(jobs)} kernels, {len(cubins)} cubins, {len(packed)} programs, {len(made['queue'])} experiments")
    for why in dict.fromkeys(maker.left_out):
        print(f"left out: {why}")
    for why in maker.failed:
        print(f"FAILED {why}")
    return 2 if maker.failed else 0
