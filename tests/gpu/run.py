"""Runs kernels on a GPU: what they leave in memory has to be right, and their time is compared with that of stock's code.

    python3 tests/gpu/run.py VERSION [--folder DIR] [--settings NAME,...] [--levels 1,2,3] [--passes N] [--only right|time] [NAME...]
    python3 tests/gpu/run.py VERSION --make --gpu sm_90      compiles only; needs no GPU
    python3 tests/gpu/run.py VERSION --made                  runs what is in the folder; needs no LLVM, no ptxas, no plugin
    python3 tests/gpu/run.py VERSION --report                prints the results of the last run again

Problem. tests/grid/run.py and tests/grid/known.py run kernels by interpretation, which may be wrong where the GPU is right, or the other way round.
And registers and instructions are no time.

Method. *Right*: the kernels, launches and expected bytes of those two programs, on the GPU. Where nothing is expected, as of the Fourier transform,
ours has to leave the bytes that stock's leaves. *Time*: the launches of launches.py with stock's code, with stock's once more, with ours, and with
ours where `ptxas` is not to unroll; machine code that is the same is not timed twice. worker.py says how samples are taken. Several passes, each a process
of its own that takes the kernels in another order. The ratio to stock is the median over all blocks of samples, in its interval of 95 % by
bootstrap: passes are drawn, and blocks of each. How far stock's second cubin is off says what is noise. A kernel counts as faster or slower if
its interval does not reach 1 and it is further away than all but 5 % of those of stock's second cubin.

The clocks are left as they are. VERSION is that of the LLVM; the folder is build/gpu. A folder that was made on one machine can be run on another with
`--made --folder`. NAME selects sources. Exit status: 0; 1 without a GPU, or if a result is wrong that is right with stock's code (docs/measured.md says
which ones are wrong with both); 2 if something could not be compiled.

Source. Efron and Tibshirani, "An Introduction to the Bootstrap", chapter 13. Deviation: none.
Complexity. Compilations: sources times levels times settings; the kernels' time.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import importlib
import importlib.util
import json
import math
import random
import shutil
import statistics
import struct
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from driver import CudaError, Driver
from launches import ROOT, Timed, all_timed, by_name

HERE = Path(__file__).resolve().parent
GRID = ROOT / "tests" / "grid"
STALLED = 40
"""Seconds without a line after which a worker is ended."""
VARIANTS: dict[str, list[str] | None] = {
    "stock": None,
    "again": None,
    "ours": [],
    "nounroll": ["-ptx-nounroll=all"],
    "cold": ["-ptx-nounroll=cold"],
}
"""What is timed: the plugin's options, or None without it."""
STAGES = ["short-addresses", "fold-addresses", "induction", "wide-phis", "hoist", "remat", "sink", "cssa", "nvptx-coalescer"]
"""What --stages leaves out, one by one."""
BLOCKS, RESAMPLES = 20, 2000


def grid_module(name: str) -> ModuleType:
    """Loads a program of tests/grid."""
    spec = importlib.util.spec_from_file_location(f"grid_{name}", GRID / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


# ---- making


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

    def ptx(self, ir: Path, cpu: str, options: list[str] | None) -> str:
        """Compiles IR; stock's PTX if there are no options."""
        loading = [] if options is None else ["-load", self.plugin, *options]
        return self.call([str(self.llc), *loading, "-march=nvptx64", f"-mcpu={cpu}", "-mattr=+ptx80", "-O2", str(ir), "-o", "-"])

    def cubin(self, ptx: str, gpu: str) -> str:
        """Assembles PTX; the cubin's name in the folder."""
        key = self.run.digest(ptx, gpu, str(self.options.ptxas))
        name = f"cubins/{key}.cubin"
        path = self.folder / name
        if not path.exists():
            # Two threads may make the same one.
            text = path.with_suffix(f".{threading.get_ident()}.ptx")
            text.write_text(ptx, encoding="utf-8")
            fresh = text.with_suffix(".fresh")
            try:
                self.call([str(self.ptxas), "-arch", gpu, f"-O{self.options.ptxas}", str(text), "-o", str(fresh)])
            finally:
                text.unlink()
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

    def variants(self) -> dict[str, list[str] | None]:
        """Gives what is timed."""
        if not self.options.stages:
            return VARIANTS
        listed = subprocess.run([str(self.llc), "-load", self.plugin, "-ptx-passes=help"], capture_output=True, text=True, input="", check=False)
        passes = [line.split()[0] for line in (listed.stdout + listed.stderr).splitlines()[1:] if "Rust" in line]
        without = {f"no {stage}": ["-ptx-passes=" + ",".join(name for name in passes if name != stage)] for stage in STAGES}
        return {**VARIANTS, **without}

    def time(self, timed: Timed) -> dict[str, object]:
        """Compiles a kernel's source as each variant; what is to be timed, and which variants have the code of another one."""
        ir = self.ir(timed.source, "2")
        gpu = self.gpu if timed.cpu == "sm_80" else timed.cpu
        cubins: dict[str, str] = {}
        same: dict[str, str] = {}
        codes: dict[bytes, str] = {}
        for variant, options in self.variants().items():
            cubin = self.cubin(self.ptx(ir, timed.cpu, options), gpu)
            code = machine_code((self.folder / cubin).read_bytes(), timed.kernel)
            if variant != "again" and code in codes:
                same[variant] = codes[code]
            else:
                codes.setdefault(code, variant)
                cubins[variant] = cubin
        return {"name": timed.name, "cubins": cubins, "same": same, "blocks": BLOCKS}

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
            timings = [pool.submit(self.time, timed) for timed in kernels]
            right, time = [], []
            for future in (*attacks, *answers):
                try:
                    right += future.result()
                except self.run.Failure as failure:
                    self.failed.append(str(failure))
            for one in timings:
                try:
                    time.append(one.result())
                except self.run.Failure as failure:
                    self.failed.append(str(failure))
        (self.folder / "right.json").write_text(json.dumps(right), encoding="utf-8")
        (self.folder / "time.json").write_text(json.dumps(time), encoding="utf-8")
        print(f"{len(right)} pairs of code and launch file, {len(time)} kernels to time, {len(self.failed)} failures")
        for why in self.failed:
            print(f"FAILED {why}")
        return 2 if self.failed else 0


def machine_code(cubin: bytes, kernel: str) -> bytes:
    """Reads the instructions of a kernel, and of all functions that are no kernels: it may call them."""
    at, size, count, names = struct.unpack_from("<Q10xHHH", cubin, 40)
    headers = [struct.unpack_from("<IIQQQQ", cubin, at + i * size) for i in range(count)]
    text = headers[names][4]
    sections = {
        cubin[text + header[0] : cubin.index(b"\0", text + header[0])].decode(): cubin[header[4] : header[4] + header[5]]
        for header in headers
        if header[1] != 8  # SHT_NOBITS, which has no bytes
    }
    functions = [name.removeprefix(".text.") for name in sections if name.startswith(".text.")]
    if kernel not in functions:
        raise SystemExit(f"run.py: no kernel {kernel} in the cubin")
    # A kernel has a constant bank for its parameters.
    called = sorted(name for name in functions if f".nv.constant0.{name}" not in sections)
    return b"".join(sections[f".text.{name}"] for name in [kernel, *called])


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
            yield facts
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


def run_time(folder: Path, passes: int) -> None:
    """Makes the passes over the timed kernels, and writes the samples."""
    total = len(json.loads((folder / "time.json").read_text(encoding="utf-8")))
    with (folder / "time.results").open("w", encoding="utf-8") as file:
        for turn in range(passes):
            first, name = 0, ""
            while first < total:
                begun = first
                for facts in worker("time", folder, first, turn):
                    if "begin" in facts:
                        first, name = facts["number"] + 1, facts["begin"]
                    elif "done" not in facts:
                        file.write(json.dumps({"name": name, **facts}) + "\n")
                        file.flush()
                    if "times" not in facts and "begin" not in facts and "done" not in facts:
                        print(f"pass {turn}, {name}: {facts}", flush=True)
                if first == begun:
                    raise SystemExit("run.py: the worker says nothing")


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
            wrong = launch.check([bytes.fromhex(next(texts)) if one.behind is None else one.behind for one in buffers])
            return wrong or ""
    return ""


def interval(passes: list[list[float]], rng: random.Random) -> tuple[float, float]:
    """Finds the interval of 95 % of the median: passes are drawn, and blocks of each."""
    medians: list[float] = []
    for _ in range(RESAMPLES):
        drawn: list[float] = []
        for one in rng.choices(passes, k=len(passes)):
            drawn += rng.choices(one, k=len(one))
        medians.append(statistics.median(drawn))
    medians.sort()
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES)]


def geometric_mean(values: list[float]) -> float:
    """Computes the geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


@dataclass
class Ratio:
    """How long one variant takes of another one's time: the median, and its interval of 95 %."""

    median: float
    low: float
    high: float

    def is_real(self, noise: float) -> bool:
        """Finds whether it is another time, and not noise."""
        return (self.high < 1 or self.low > 1) and abs(self.median - 1) > noise

    def __str__(self) -> str:
        return f"{self.median:.4f} ({self.low:.4f}, {self.high:.4f})"


class Times:
    """The samples of the last run."""

    def __init__(self, folder: Path) -> None:
        self.jobs = {job["name"]: job for job in json.loads((folder / "time.json").read_text(encoding="utf-8"))}
        self.of: defaultdict[str, defaultdict[str, list[list[float]]]] = defaultdict(lambda: defaultdict(list))
        """By kernel and variant the milliseconds of each block of samples, pass by pass."""
        self.facts: dict[str, dict[str, Any]] = {}
        for line in (folder / "time.results").read_text(encoding="utf-8").splitlines():
            facts = json.loads(line)
            if "times" in facts:
                for variant, pairs in facts["times"].items():
                    self.of[facts["name"]][variant].append([sum(pair) / 2 for pair in pairs])
                if facts["turn"] == 0:
                    self.facts[facts["name"]] = facts
        self.known: dict[tuple[str, str, str], Ratio] = {}
        self.rng = random.Random(0)

    def code(self, name: str, variant: str) -> str:
        """Finds the variant that was timed for one: that of the same code."""
        code: str = self.jobs[name]["same"].get(variant, variant)
        return code

    def ratio(self, name: str, variant: str, to: str) -> Ratio | None:
        """Computes a ratio; none, if the code is the same."""
        key = (name, self.code(name, variant), self.code(name, to))
        if key[1] == key[2]:
            return None
        if key not in self.known:
            passes = [
                [one / other for one, other in zip(ones, others, strict=True)]
                for ones, others in zip(self.of[name][key[1]], self.of[name][key[2]], strict=True)
            ]
            self.known[key] = Ratio(statistics.median([x for one in passes for x in one]), *interval(passes, self.rng))
        return self.known[key]


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
    times = Times(folder)
    names = list(times.of)
    off = sorted(abs(ratio.median - 1) for name in names if (ratio := times.ratio(name, "again", "stock")) is not None)
    noise = off[min(len(off) - 1, int(0.95 * len(off)))]
    print(f"\n{len(names)} kernels timed; stock's second cubin: median off by {statistics.median(off):.4f}, 95 % within {noise:.4f}")
    groups: defaultdict[str, list[str]] = defaultdict(list)
    known = by_name(folder)
    for name in names:
        groups[known[name].group].append(name)
    head = f"{'kernels':>7} {'other code':>10} {'mean':>8} {'faster':>7} {'slower':>7}   extremes"
    variants = list(dict.fromkeys(variant for name in names for variant in (*times.jobs[name]["cubins"], *times.jobs[name]["same"])))
    for variant in ("ours", "nounroll", "cold"):
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
        facts = times.facts.get(name, {"registers": {}})
        numbers = ", ".join(f"{v} {facts['registers'][v]}/{facts['local'][v]}" for v in ("stock", "ours", "nounroll") if v in facts["registers"])
        differ = f"  OTHER BYTES: {facts['differ']}" if facts.get("differ") else ""
        again = times.ratio(name, "again", "stock")
        stock = statistics.median([x for one in times.of[name]["stock"] for x in one])
        print(f"{name:44} {1000 * stock:9.1f} {again.median if again else 1:7.4f} {' '.join(cells)}  {numbers}{differ}")


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
    parser.add_argument("--more", type=Path, help="a table of further launches (launches.py)")
    parser.add_argument("--gpu", help="the processor to assemble for; that of the GPU if left out")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--made", action="store_true")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_intermixed_args()
    if options.make and options.gpu is None:
        parser.error("--make needs --gpu")
    options.folder = options.folder.resolve()
    return options


def main() -> int:
    """Does what the command line says."""
    options = parse()
    if not (options.make or options.report):
        try:
            driver = Driver()
        except CudaError as error:
            print(f"no GPU ({error})")
            return 1
        options.gpu = options.gpu or driver.architecture()
        print(f"{driver.name()}, {driver.architecture()}, CUDA {driver.version()}")
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
            run_time(options.folder, options.passes)
        report_time(options.folder)
    return 1 if num_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
