"""Runs kernels on a GPU: what they leave in memory has to be right, and their time is compared with that of stock's code.

    python3 tests/gpu/run.py VERSION [--folder DIR] [--settings NAME,...] [--levels 1,2,3] [--passes N] [--only right|time] [NAME...]
    python3 tests/gpu/run.py VERSION --make --gpu sm_90      compiles only; needs no GPU
    python3 tests/gpu/run.py VERSION --made                  runs what is in the folder; needs no LLVM, no ptxas, no plugin
    python3 tests/gpu/run.py VERSION --report                prints the results of the last run again
    --plan               times the settings of plan.py as well; give it to --make
    --no-report          leaves the tables to --report
    --time-limit N       begins no kernel after N seconds, and ends one that runs then; what was timed stays

Problem. tests/grid/run.py and tests/grid/known.py run kernels by interpretation, which may be wrong where the GPU is right, or the other way round.
And registers and instructions are not time.

Method. *Right*: the kernels, launches and expected bytes of those two programs, on the GPU. Where nothing is expected, as of the Fourier transform,
ours has to leave the bytes that stock's leaves. *Time*: the launches of launches.py with the settings of `VARIANTS`; machine code that is the same
is not timed twice. worker.py says how samples are taken. Several passes, each a process of its own that takes the kernels in another order.
With --plan one over stock's code and that of the plan follows each of these, so that a run that is cut has the variants first, and then some of both.
The ratio to stock is the median of those of the passes, in its interval of 95 % by rank (samples.py). How far stock's second cubin is off says
what is noise. A kernel counts as faster or slower if its interval does not reach 1 and it is further away than all but 5 % of those of stock's
second cubin.

The samples are in samples.csv of the folder (samples.py), a row for each pass, kernel and code, written when it is measured. table.py keeps them.

The clocks are left as they are. VERSION is that of the LLVM; the folder is build/gpu. A folder that was made on one machine can be run on another with
`--made --folder`. NAME selects sources. Exit status: 0; 1 without a GPU, or if a result is wrong that is right with stock's code (docs/measured.md says
which ones are wrong with both); 2 if something could not be compiled.

Source. samples.py and plan.py have it. Deviation: none.
Complexity. Compilations: sources times levels times settings; the kernels' time.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import importlib
import importlib.util
import json
import re
import shutil
import statistics
import struct
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from driver import CudaError, Driver, driver_version
from launches import ROOT, Timed, all_timed
from plan import STAGES, Setting, settings
from samples import Times, Writer, geometric_mean, noise_of

HERE = Path(__file__).resolve().parent
GRID = ROOT / "tests" / "grid"
STALLED = 40
"""Seconds without a line after which a worker is ended."""
VARIANTS: dict[str, Setting] = {
    "stock": Setting(False),
    "again": Setting(False),
    "ours": Setting(True),
    "stock-nolsr": Setting(False, ("-disable-lsr",)),
    "lsr": Setting(True, ("-ptx-lsr",)),
    "nolsr": Setting(True, ("-disable-lsr",)),
    "nounroll": Setting(True, ("-ptx-nounroll=all",)),
    "cold": Setting(True, ("-ptx-nounroll=cold",)),
}
"""The settings that are timed first. Without `stock-nolsr` and `lsr` one does not know whether a change comes of our stages or of LoopStrengthReduce."""
BLOCKS = 20
SHT_NOBITS = 8
"""The type of a section of an ELF file that has no bytes."""
SPILLS = re.compile(r"Function properties for (\S+)\s+\d+ bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
"""Lines of `ptxas -v`."""


def grid_module(name: str) -> ModuleType:
    """Loads a program of tests/grid."""
    spec = importlib.util.spec_from_file_location(f"grid_{name}", GRID / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    if str(GRID) not in sys.path:
        sys.path.append(str(GRID))  # last: both folders have a `run`
    spec.loader.exec_module(module)
    return module


# ---- making


@functools.cache
def release(tool: Path) -> str:
    """Finds the version of a tool of CUDA's."""
    found = re.search(r"V(\d[\d.]*)", subprocess.run([str(tool), "--version"], capture_output=True, text=True, check=True).stdout)
    assert found is not None
    return found[1]


class Maker:
    """Compiles what a GPU is to run."""

    def __init__(self, options: argparse.Namespace, gpu: str) -> None:
        self.options, self.gpu = options, gpu
        self.folder: Path = options.folder
        tools = ROOT / "build"
        self.llc, self.ptxas = tools / f"llvm-{options.version}" / "bin" / "llc", tools / "cuda" / "bin" / "ptxas"
        self.plugin: str = options.plugin
        self.run, self.known = grid_module("run"), grid_module("known")
        self.failed: list[str] = []
        self.lock = threading.Lock()

    def call(self, command: list[str]) -> str:
        """Runs a program; its output."""
        text: str = self.run.call(command)
        return text

    def ir(self, source: Path, level: str) -> Path:
        """Compiles a source to IR, one at a time, as many kernels are of one source."""
        with self.lock:
            made: Path = self.run.make_ir(source, self.options.version, level)
        return made

    def ptx(self, ir: Path, cpu: str, setting: Setting) -> str:
        """Compiles IR with a setting."""
        loading = ["-load", self.plugin] if setting.is_ours else []
        arch = ["-march=nvptx64", f"-mcpu={cpu}", "-mattr=+ptx80"]
        return self.call([str(self.llc), *loading, *setting.options, *arch, "-O2", str(ir), "-o", "-"])

    def cubin(self, ptx: str, gpu: str, other: Path | None = None) -> str:
        """Assembles PTX, by another ptxas if one is given; the cubin's name in the folder."""
        ptxas = other or self.ptxas
        key = self.run.digest(ptx, gpu, str(self.options.ptxas), *([release(ptxas)] if other else []))
        name = f"cubins/{key}.cubin"
        path = self.folder / name
        if not path.exists():
            # Two threads may make the same one.
            text = path.with_suffix(f".{threading.get_ident()}.ptx")
            text.write_text(ptx, encoding="utf-8")
            fresh = text.with_suffix(".fresh")
            command = [str(ptxas), "-v", "-arch", gpu, f"-O{self.options.ptxas}", str(text), "-o", str(fresh)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            text.unlink()
            if done.returncode:
                raise self.run.Failure(f"{' '.join(command)}: status {done.returncode}\n{done.stderr[-2000:]}", done.returncode)
            path.with_suffix(".log").write_text(done.stderr, encoding="utf-8")
            fresh.rename(path)
        return name

    def of_known(self, source: Path) -> list[Path]:
        """Writes the launches of a source of tests/grid/known; the files."""
        written: list[Path] = []
        for i, launch in enumerate(one for one in self.all_known if one.source == source.stem):
            place = self.folder / "launches" / f"{source.stem}.{i}"
            shutil.rmtree(place, ignore_errors=True)
            written.append(self.known.write(launch, place))
        return written

    def of_attack(self, source: Path) -> list[Path]:
        """Has the host compute the launches of a source of tests/grid/adversarial; the file."""
        made: Path = self.run.make_launches(source, False)
        place = self.folder / "launches" / made.parent.name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(made.parent, place)
        return [place / made.name]

    def right(self, source: Path, launches: list[Path]) -> list[dict[str, object]]:
        """Compiles a source with each setting at each level; what is to be run, each cubin once."""
        levels = self.options.levels if source.suffix == ".cu" else self.options.levels[:1]
        texts: dict[str, list[str]] = defaultdict(list)
        for level in levels:
            ir = self.ir(source, level)
            for setting in self.options.settings:
                options = self.run.SETTINGS[setting]
                loading = [] if setting in self.run.STOCK else ["-load", self.plugin]
                ptx = self.call([str(self.llc), *self.run.ARCH, *loading, *options, str(ir), "-o", "-"])
                texts[ptx].append(f"{setting} -O{level}")
        jobs: list[dict[str, object]] = []
        for ptx, names in texts.items():
            cubin = self.cubin(ptx, self.gpu)
            for launch in launches:
                count = sum(line.startswith("kernel ") for line in launch.read_text(encoding="utf-8").splitlines())
                place = str(launch.relative_to(self.folder))
                jobs.append({"source": source.stem, "settings": names, "launch": place, "cubin": cubin, "launches": count})
        return jobs

    def passes(self) -> list[str]:
        """Finds the names of all passes and stages of the plugin."""
        listed = subprocess.run([str(self.llc), "-load", self.plugin, "-ptx-passes=help"], capture_output=True, text=True, input="", check=False)
        return [line.split()[0] for line in (listed.stdout + listed.stderr).splitlines()[1:] if "Rust" in line]

    def variants(self) -> tuple[dict[str, Setting], dict[str, Setting]]:
        """Gives what is timed first, and the plan."""
        first = dict(VARIANTS)
        if self.options.stages:
            passes = self.passes()
            first |= {f"no {one}": Setting(True, ("-ptx-passes=" + ",".join(name for name in passes if name != one),)) for one in STAGES}
        return first, settings(self.passes()) if self.options.plan else {}

    def tools(self) -> dict[str, str]:
        """Finds the versions of what compiles; of the plugin also the commit that its sources have now."""
        version = re.search(r"LLVM version (\S+)", self.call([str(self.llc), "--version"]))
        ours = self.call([str(self.llc), "-load", self.plugin, "-ptx-version"]).split()
        sources = ["--", "src", "cpp-shim", "build.rs", "Cargo.lock"]
        commit = self.call(["git", "-C", str(ROOT), "log", "-1", "--format=%h", *sources]).strip()
        commit += "-dirty" if self.call(["git", "-C", str(ROOT), "status", "--porcelain", *sources]) else ""
        assert version is not None
        return {"llvm": version[1], "ptxas": f"{release(self.ptxas)} -O{self.options.ptxas}", "version": f"{ours[1]} {commit}"}

    def time(self, kernels: list[Timed]) -> list[dict[str, Any]]:
        """Compiles the source of some kernels with each setting; what is to be timed, and which settings have the code of another one."""
        ir = self.ir(kernels[0].source, "2")
        cpu = kernels[0].cpu
        gpu = self.gpu if cpu == "sm_80" else cpu
        first, planned = self.variants()
        built = {name: self.cubin(self.ptx(ir, cpu, setting), gpu) for name, setting in (first | planned).items()}
        return [self.job(timed, built, list(first), list(planned)) for timed in kernels]

    def job(self, timed: Timed, built: dict[str, str], first: list[str], planned: list[str]) -> dict[str, Any]:
        """Finds which cubins are to be timed for a kernel, in the first passes and in those of the plan."""
        cubins: dict[str, str] = {}
        same: dict[str, str] = {}
        codes: dict[bytes, str] = {}
        facts: dict[str, dict[str, object]] = {}
        for variant, cubin in built.items():
            data = (self.folder / cubin).read_bytes()
            code = machine_code(data, timed.kernel)
            if variant != "again" and code in codes:
                same[variant] = codes[code]
                continue
            codes.setdefault(code, variant)
            cubins[variant] = cubin
            log = (self.folder / cubin).with_suffix(".log").read_text(encoding="utf-8")
            spills = {name: (int(stores), int(loads)) for name, stores, loads in SPILLS.findall(log)}[timed.kernel]
            digests = {"code": self.run.digest(code), "cubin": self.run.digest(data)}
            facts[variant] = {"spill_stores": spills[0], "spill_loads": spills[1], "code_bytes": len(code), **digests}
        parts = [[name for name in cubins if name in first]]
        if planned:
            parts.append(list(dict.fromkeys(["stock", *(same.get(name, name) for name in planned)])))
        return {"name": timed.name, "group": timed.group, "cubins": cubins, "same": same, "parts": parts, "facts": facts, "blocks": BLOCKS}

    def make(self) -> int:
        """Makes all; the exit status."""
        for name in ("cubins", "launches"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        names = set(self.options.names)
        more = self.options.more
        if more is not None:
            shutil.copy(more, self.folder / "more.py")
        known = self.known
        makers = (
            *(known.hashes, known.ciphers, known.sorts, known.sums, known.reductions, known.transforms, known.products),
            *(known.generators, known.life, known.floats),
        )
        self.all_known = [launch for maker in makers for launch in maker()]

        def attack(source: Path) -> list[dict[str, object]]:
            return self.right(source, self.of_attack(source))

        def answer(source: Path) -> list[dict[str, object]]:
            return self.right(source, self.of_known(source))

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            is_right, is_time = (self.options.only in (None, what) for what in ("right", "time"))
            attacks = [pool.submit(attack, one) for one in self.run.sources([]) if is_right and (not names or one.stem in names)]
            answers = [pool.submit(answer, one) for one in sorted(GRID.glob("known/*.cu")) if is_right and (not names or one.stem in names)]
            kernels = [timed for timed in all_timed(self.folder) if is_time and (not names or timed.source.stem in names)]
            by_source: defaultdict[tuple[Path, str], list[Timed]] = defaultdict(list)
            for timed in kernels:
                by_source[timed.source, timed.cpu].append(timed)
            timings = [pool.submit(self.time, group) for group in by_source.values()]
            right: list[dict[str, object]] = []
            times: list[dict[str, Any]] = []
            for future in (*attacks, *answers):
                try:
                    right += future.result()
                except self.run.Failure as failure:
                    self.failed.append(str(failure))
            for number, one in enumerate(timings, 1):
                try:
                    times += one.result()
                    print(f"\r{number} of {len(timings)} sources", end="", file=sys.stderr, flush=True)
                except self.run.Failure as failure:
                    self.failed.append(str(failure))
        (self.folder / "right.json").write_text(json.dumps(right), encoding="utf-8")
        (self.folder / "time.json").write_text(json.dumps({"tools": self.tools(), "jobs": times}), encoding="utf-8")
        codes = sum(len(job["facts"]) for job in times)
        print(f"\n{len(right)} pairs of code and launch file, {len(times)} kernels of {codes} codes to time, {len(self.failed)} failures")
        for why in self.failed:
            print(f"FAILED {why}")
        return 2 if self.failed else 0


def sections_of(cubin: bytes) -> dict[str, tuple[int, int | None]]:
    """Reads the headers of a cubin: by section its size, and where its bytes are; `None` if it has none."""
    at, size, count, names = struct.unpack_from("<Q10xHHH", cubin, 40)
    headers = [struct.unpack_from("<IIQQQQ", cubin, at + i * size) for i in range(count)]
    text = headers[names][4]
    return {
        cubin[text + header[0] : cubin.index(b"\0", text + header[0])].decode(): (header[5], None if header[1] == SHT_NOBITS else header[4])
        for header in headers
    }


def machine_code(cubin: bytes, kernel: str) -> bytes:
    """Reads the instructions of a kernel, and of all functions that are not kernels: it may call them."""
    sections = sections_of(cubin)
    functions = [name.removeprefix(".text.") for name in sections if name.startswith(".text.")]
    if kernel not in functions:
        raise SystemExit(f"run.py: no kernel {kernel} in the cubin")
    # A kernel has a constant bank for its parameters.
    called = sorted(name for name in functions if f".nv.constant0.{name}" not in sections)
    places = [sections[f".text.{name}"] for name in [kernel, *called]]
    return b"".join(cubin[at : at + size] for size, at in places if at is not None)


# ---- running


def worker(*arguments: object) -> Iterator[dict[str, Any]]:
    """Runs worker.py; the lines that it prints, and one if it stalls."""
    command = [sys.executable, "-u", str(HERE / "worker.py"), *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        is_stalled = False

        def end() -> None:
            nonlocal is_stalled
            is_stalled = True
            process.kill()

        while True:
            timer = threading.Timer(STALLED, end)
            timer.start()
            line = process.stdout.readline()
            timer.cancel()
            if not line:
                break
            facts: dict[str, Any] = json.loads(line)
            try:
                yield facts
            except GeneratorExit:
                process.kill()
                raise
    if is_stalled:
        yield {"stalled": True}
    elif process.returncode not in (0, 3):
        yield {"died": process.returncode}


def run_right(folder: Path) -> None:
    """Runs all launches, and writes what is left."""
    total = sum(job["launches"] for job in json.loads((folder / "right.json").read_text(encoding="utf-8")))
    done = 0
    with (folder / "right.results").open("w", encoding="utf-8") as file:
        while done < total:
            first = done
            for facts in worker("right", folder, first):
                if "stalled" in facts or "died" in facts:
                    facts = {"number": done, "kernel": "", "wrong": f"the process ended: {facts}", "fault": True, "left": []}
                if "number" in facts:
                    file.write(json.dumps(facts) + "\n")
                    file.flush()
                    done += 1
            if done == first:
                raise SystemExit("run.py: the worker says nothing")


def run_time(folder: Path, passes: int, machine: dict[str, str], limit: float) -> None:
    """Makes the passes over the timed kernels, and writes the samples; nothing is begun `limit` seconds after now."""
    made = json.loads((folder / "time.json").read_text(encoding="utf-8"))
    jobs = {job["name"]: job for job in made["jobs"]}
    deadline = time.monotonic() + limit
    failed: list[str] = []
    with Writer(folder / "samples.csv", {**machine, **made["tools"]}) as writer:
        for turn in range(passes):
            for part in range(max(len(job["parts"]) for job in jobs.values())):
                if not run_pass(folder, jobs, part, turn, writer, deadline, failed):
                    print(f"part {part}, pass {turn}: the time is over")
                    return
                print(f"part {part}, pass {turn}: {limit - deadline + time.monotonic():.0f} s", flush=True)


def run_pass(folder: Path, jobs: dict[str, Any], part: int, turn: int, writer: Writer, deadline: float, failed: list[str]) -> bool:
    """Makes a pass, without the kernels that failed before; whether there was time for all of it."""
    first, name = 0, ""
    while first < len(jobs):
        begun = first
        for facts in worker("time", folder, first, turn, part, *failed):
            if "begin" in facts:
                first, name = facts["number"] + 1, facts["begin"]
            elif "done" in facts:
                first = len(jobs)
            else:
                writer.add(jobs[name], part, turn, facts)
                if "times" not in facts:
                    failed.append(name)
                    print(f"part {part}, pass {turn}, {name}: {facts}", flush=True)
            if time.monotonic() > deadline:
                return False
        if first == begun:
            raise SystemExit("run.py: the worker says nothing")
    return True


# ---- reporting


def report_right(folder: Path) -> int:
    """Prints what was right; how many launches were wrong with our code where some of stock's is right."""
    jobs = json.loads((folder / "right.json").read_text(encoding="utf-8"))
    results = [json.loads(line) for line in (folder / "right.results").read_text(encoding="utf-8").splitlines()]
    of_stock: dict[tuple[str, int], list[str]] = {}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    kernels: set[tuple[str, str]] = set()
    wrong: defaultdict[str, list[str]] = defaultdict(list)
    is_stock_right: set[tuple[str, int]] = set()
    wrong_ours: list[tuple[str, int]] = []
    number = 0
    for job in jobs:
        is_stock = any(name.startswith("stock") for name in job["settings"])
        of = "both" if is_stock and not all(name.startswith("stock") for name in job["settings"]) else "stock" if is_stock else "ours"
        for i in range(min(job["launches"], len(results) - number)):
            result = results[number]
            number += 1
            kernels.add((job["source"], result["kernel"]))
            key = (job["launch"], i)
            if is_stock and not result["wrong"]:
                of_stock.setdefault(key, result["left"])
            elif not is_stock and not result["wrong"] and result["left"] != of_stock.get(key, result["left"]):
                result["wrong"] = "leaves other bytes than stock's"
            if not result["wrong"] and result["left"]:
                result["wrong"] = tolerated(job["source"], result["kernel"], result["left"])
            kind = "fault" if result.get("fault") else "different" if result["wrong"] else "equal"
            counts[of][kind] += 1
            if is_stock and not result["wrong"]:
                is_stock_right.add(key)
            if of != "stock" and result["wrong"]:
                wrong_ours.append(key)
            if result["wrong"]:
                wrong[f"{job['source']}, {result['kernel']}: {result['wrong']}"].append(f"launch {i} of {', '.join(job['settings'])}")
    print(f"\n{len({job['source'] for job in jobs})} sources, {len(kernels)} kernels, {len({job['cubin'] for job in jobs})} cubins, {number} launches")
    print(f"{'code of':8} {'equal':>8} {'different':>10} {'fault':>8}")
    for of, count in sorted(counts.items()):
        print(f"{of:8} {count['equal']:8} {count['different']:10} {count['fault']:8}")
    for why, where in wrong.items():
        print(f"{why}\n    {len(where)} times: {'; '.join(where[:3])}")
    alone = sum(key in is_stock_right for key in wrong_ours)
    print(f"wrong with our code and right with stock's: {alone}")
    return alone


def tolerated(source: str, kernel: str, left: list[str]) -> str:
    """Finds what is wrong with results that have a tolerance (tests/grid/known.py); nothing, if there is none for them."""
    known = sys.modules.get("grid_known") or grid_module("known")
    for launch in known.transforms():
        if (launch.source, launch.kernel) == (source, kernel) and launch.check is not None:
            texts = iter(left)
            buffers = [parameter for parameter in launch.parameters if isinstance(parameter, known.Buffer)]
            wrong = launch.check([bytes.fromhex(next(texts)) if one.after is None else one.after for one in buffers])
            return wrong or ""
    return ""


def summary(times: Times, names: list[str], variant: str, to: str, noise: float) -> str:
    """Puts kernels together: how many there are, have other code, are faster and slower; the geometric mean of all; the extremes."""
    ratios = {name: ratio for name in names if (ratio := times.ratio(name, variant, to)) is not None}
    real = {name: ratio.median for name, ratio in ratios.items() if ratio.is_real(noise)}
    everything = [ratios[name].median if name in ratios else 1.0 for name in names]
    faster, slower = ([name for name, median in real.items() if (median < 1) == side] for side in (True, False))
    text = f"{len(names):7} {len(ratios):10} {geometric_mean(everything):8.4f} {len(faster):7} {len(slower):7}"
    if faster:
        best = min(faster, key=real.__getitem__)
        text += f"   {real[best]:.3f} {best}"
    if slower:
        worst = max(slower, key=real.__getitem__)
        text += f"   {real[worst]:.3f} {worst}"
    return text


def report_time(folder: Path) -> None:
    """Prints the ratios."""
    times = Times(folder / "samples.csv")
    names = list(times.of)
    off, noise = noise_of([ratio.median for name in names if (ratio := times.ratio(name, "again", "stock")) is not None])
    print(f"\n{len(names)} kernels timed; stock's second cubin: median off by {off:.4f}, 95 % within {noise:.4f}")
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[times.groups[name]].append(name)
    head = f"{'kernels':>7} {'other code':>10} {'mean':>8} {'faster':>7} {'slower':>7}   extremes"
    variants = list(dict.fromkeys(variant for name in names for variant in times.codes[name]))
    for variant in ("ours", "stock-nolsr", "lsr", "nolsr", "nounroll", "cold"):
        print(f"\n{variant + ' to stock':24} {head}")
        for group, members in (*sorted(groups.items()), ("all", names)):
            print(f"{group:24} {summary(times, members, variant, 'stock', noise)}")
    print(f"\n{'nounroll to ours':24} {head}")
    for group, members in (*sorted(groups.items()), ("all", names)):
        print(f"{group:24} {summary(times, members, 'nounroll', 'ours', noise)}")
    if stages := [variant for variant in variants if variant.startswith("no ")]:
        print(f"\n{'ours to ours without':24} {head}")
        for variant in stages:
            print(f"{variant.removeprefix('no '):24} {summary(times, names, 'ours', variant, noise)}")
    print(f"\n{'kernel':44} {'stock, us':>9} {'again':>7} {'ours':>24}  {'nounroll':>24}   registers, local bytes")
    order = {name: ratio.median if (ratio := times.ratio(name, "ours", "stock")) else 1.0 for name in names}
    for name in sorted(names, key=order.__getitem__):
        cells: list[str] = []
        for variant in ("ours", "nounroll"):
            found = times.ratio(name, variant, "stock")
            if found is None or times.code(name, variant) != variant:
                cells.append(f"{'as ' + times.code(name, variant):>24} ")
            else:
                cells.append(f"{found!s:>24}" + ("*" if found.is_real(noise) else " "))
        rows = times.rows[name]
        shown = [(v, rows[v]) for v in ("stock", "ours", "nounroll") if v in rows]
        numbers = ", ".join(f"{v} {row['registers']}/{row['local_bytes']}" for v, row in shown)
        wrong = [v for v, row in rows.items() if row["differs"] == "1"]
        differ = f"  OTHER BYTES: {wrong}" if wrong else ""
        again = times.ratio(name, "again", "stock")
        stock = statistics.median([x for one in times.of[name]["stock"].values() for x in one])
        print(f"{name:44} {stock:9.1f} {again.median if again else 1:7.4f} {' '.join(cells)}  {numbers}{differ}")


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Runs kernels on a GPU: what they leave has to be right; their time beside stock's.")
    parser.add_argument("version")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "gpu")
    parser.add_argument("--plugin", default=str(ROOT / "build" / "lib" / "libptxpasses.so"))
    parser.add_argument("--settings", type=lambda text: text.split(","), default=["stock", "default"])
    parser.add_argument("--levels", type=lambda text: text.split(","), default=["1", "2", "3"])
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--only", choices=["right", "time"])
    parser.add_argument("--ptxas", type=int, default=3, help="the level of optimization of ptxas (3)")
    parser.add_argument("--stages", action="store_true", help="times ours without each stage as well")
    parser.add_argument("--plan", action="store_true", help="times the settings of plan.py as well")
    parser.add_argument("--time-limit", type=float, default=float("inf"), metavar="SECONDS", help="how long kernels may be timed")
    parser.add_argument("--more", type=Path, help="a table of further launches (launches.py)")
    parser.add_argument("--gpu", help="the processor to assemble for; that of the GPU if left out")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--made", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--no-report", action="store_true", help="prints no times: the machine with the GPU is dear")
    options = parser.parse_intermixed_args()
    if options.make and options.gpu is None:
        parser.error("--make needs --gpu")
    if options.plan and int(options.version.partition("-")[0]) < 22:
        parser.error("--plan needs LLVM 22 or newer: one of its switches is -nvptx-mad-wide-opt")
    options.folder = options.folder.resolve()
    return options


def main() -> int:
    """Does what the command line says."""
    options = parse()
    machine: dict[str, str] = {}
    if not (options.make or options.report):
        try:
            driver = Driver()
        except CudaError as error:
            print(f"no GPU ({error})")
            return 1
        options.gpu = options.gpu or driver.architecture()
        machine = {"card": driver.name(), "driver": driver_version()}
        print(f"{driver.name()}, {driver.architecture()}, CUDA {driver.version()}, driver {driver_version()}", flush=True)
    if not (options.made or options.report):
        status = Maker(options, options.gpu).make()
        if status or options.make:
            return status
    num_wrong = 0
    if options.only != "time":
        if not options.report:
            run_right(options.folder)
        num_wrong = report_right(options.folder)
    if options.only != "right":
        if not options.report:
            run_time(options.folder, options.passes, machine, options.time_limit)
        if not options.no_report:
            report_time(options.folder)
    return 1 if num_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
