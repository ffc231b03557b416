"""Hunts for faults of ptxas: does its machine code leave the memory that the PTX leaves?

    hunt.py [--minutes N] [--from GROUP,...] [--seeds N | --seeds FIRST-LAST] [--order TEXT] [--ptxas VERSION,...] [--processors CPU,...]
            [--llvm N] [--results FOLDER] [--again]
    hunt.py --summary [--results FOLDER]

Problem. `ptx-compare sass` shows whether ptxas compiled one text rightly. Faults are rare: it takes many texts, by many versions
of ptxas, for hours; and a machine is free for an hour now and an hour then.

Method. A job is a module, the side whose llc compiles it (stock's or ours), a version of ptxas, and a processor. The results folder has one
line of JSON for each job that is done. What is done is skipped, so a hunt may be ended at any time (Ctrl-C) and goes on where it was. A
job's name has the digest of all that the module is made from, so a changed module is a new job. Another llc or plugin makes none: that needs another results folder. Jobs are done in the order of the digests of their
names, which is random: a hunt that ends early has seen a fair sample. --order gives another such order, so that a second hunt with an empty
folder does other jobs first.

A difference is explained by `ptx-compare lint` if that names a place in its kernel, else by EXPLAINED, which has what was found by hand. What is left is new: the last lines of the summary name it, with the command that shows it again. The exit status is 1 then.
After an emulator was mended, --again does those jobs first that differ without a known cause, and those that the machine ended: by time, by a
signal, or for want of space. One hunt at a time writes to a folder.

The groups: `corpus` (all that `scripts/corpus` and `scripts/examples-site` have made in build/corpus), `llvm-tests` (build/llvm-tests), `kernels` (tests/kernels), `examples`, `grid` (tests/grid/adversarial, by
their own launches), `known` (tests/grid/known, likewise), and `random` (tests/lit/Inputs/random-grid.py, the seeds that --seeds names). The versions of ptxas are
those in build/ptxas (`run.py --fetch`) and build/cuda.

Source. None. Deviation: none. Complexity: modules times 2 times versions times processors, less the texts that are the same on both sides.
"""

from __future__ import annotations

import argparse
import fcntl
import importlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "grid"))
known: Any = importlib.import_module("known")
adversarial: Any = importlib.import_module("run")
digest: Callable[..., str] = adversarial.digest

INPUTS = ROOT / "tests" / "lit" / "Inputs"
TIMEOUT = 300
"""Seconds that a program may take."""
KERNELS = 6
"""Kernels of a module of random code."""
VERSIONS = ["12.8.61", "12.9.86", "13.0.88", "13.5.37"]
PROCESSORS = ["sm_80", "sm_90", "sm_100", "sm_120"]
SIDES = ["stock", "ours"]
BUDGET = 8_000_000
"""Instructions that the threads of a launch may run."""

ENDED_BY_MACHINE = re.compile(r": more than \d+ seconds$|status -\d+$|No space left on device")
"""Why a job was refused, if it may not be the next time."""
FIELDS = ("key", "module", "side", "ptxas", "processor", "outcome")
"""What each result has, besides its seconds."""

EXPLAINED: list[tuple[str, str, str]] = [
    ("^examples/matmul_mma", "", "a matrix product: PTX does not say how its sums are rounded"),
    ("^corpus/cuda/gpunufft__", "^_Z13paddingKernel", "a division by zero, of constants that the host would fill: PTX does not define it"),
    ("^grid/named_variables.cu ", "^lists: ", "a list that ends with the address 0 of shared memory, which ptxas gives to a node for sm_80 to sm_89"),
    ("^random/139 c3541319373e04ed ", "^k4: ", "two copies to one place without a wait between, which have no order; the generator makes none now"),
]
"""What differences turned out to be: patterns of a job's key and of `KERNEL: launch N: WHY`, and the cause."""

Record = dict[str, Any]


class Failure(Exception):
    """A program failed; says which and how."""


def call(command: list[str | Path]) -> str:
    """Runs a program; its output."""
    try:
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{Path(command[0]).name}: more than {TIMEOUT} seconds") from error
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise Failure(f"{Path(command[0]).name}: {lines[0][:300]}")
    return done.stdout


@dataclass(frozen=True)
class Module:
    """A module of LLVM IR, and how it is launched."""

    name: str
    """Its group and its name there, as `random/17`."""
    content: str
    """The digest of what it is made from."""
    source: Callable[[Path], Path] = field(compare=False)
    """Makes the IR, in a folder; its path."""
    launches: Callable[[Path], list[Path]] | None = field(default=None, compare=False)
    """Makes the launches, in a folder; without it they are made up."""


@dataclass(frozen=True)
class Job:
    """One text, compiled by one ptxas for one processor."""

    module: Module
    side: str
    version: str
    processor: str

    @property
    def key(self) -> str:
        """The name of the job in the results."""
        return f"{self.module.name} {self.module.content} {self.side} {self.version} {self.processor}"


class Results:
    """The jobs that are done: a file with a line of JSON for each. `writes`: for a hunt, which has the folder for itself until the program ends."""

    def __init__(self, folder: Path, writes: bool = True) -> None:
        self.path = folder / "results.jsonl"
        self.writes = writes
        self.records: dict[str, Record] = {}
        self.seconds = 0.0
        """The time of processors, of jobs that were done again as well."""
        if writes:
            folder.mkdir(parents=True, exist_ok=True)
            self.lock = (folder / "lock").open("w", encoding="utf-8")
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                self.lock.close()
                raise SystemExit(f"hunt.py: another hunt writes to {folder}") from error
        if self.path.exists():
            self._read()

    def _read(self) -> None:
        """Reads the file. A last line that is not whole was being written when the hunt ended, so it goes; or it is being written now."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if self.writes and len(whole) < len(content):
            os.truncate(self.path, len(whole))
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                record = json.loads(line)
                self._take(record)
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"hunt.py: {self.path}, line {number}: not a result of a hunt") from error

    def add(self, record: Record) -> None:
        """Writes a result."""
        with self.path.open("ab") as file:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        self._take(record)

    def _take(self, record: Record) -> None:
        for name in FIELDS:
            record[name]
        self.seconds += record["seconds"]
        self.records[record["key"]] = record


def itself(path: Path, _: Path) -> Path:
    """A file that is there."""
    return path


def files(group: str, folder: Path) -> Iterator[Module]:
    """The modules that are files of IR in a folder."""
    for path in sorted(folder.rglob("*.ll")):
        yield Module(f"{group}/{path.relative_to(folder)}", digest(path.read_bytes()), partial(itself, path))


def with_launches(llvm: str) -> Iterator[Module]:
    """The modules of tests/grid/adversarial."""

    def compiled(path: Path, _: Path) -> Path:
        ir: Path = adversarial.make_ir(path, llvm, "2")
        return ir

    def launched(path: Path, _: Path) -> list[Path]:
        return [adversarial.make_launches(path, False)]

    for path in adversarial.sources([]):
        parts = [path.read_bytes(), adversarial.host_source(path).read_bytes(), (adversarial.HERE / "grid.h").read_bytes()]
        yield Module(f"grid/{path.name}", digest(*parts), partial(compiled, path), partial(launched, path))


def with_answers(llvm: str) -> Iterator[Module]:
    """The modules of tests/grid/known."""
    makers = (
        *(known.hashes, known.ciphers, known.sorts, known.sums, known.reductions, known.transforms),
        *(known.products, known.generators, known.life, known.floats),
    )
    launches = cache(lambda: [launch for maker in makers for launch in maker()])

    def compiled(path: Path, folder: Path) -> Path:
        ir = folder / f"known.{path.stem}.ll"
        clang = ROOT / "build" / f"llvm-{llvm}" / "bin" / "clang"
        call([clang, *known.CLANG, "-O2", path, "-o", ir])
        return ir

    def written(path: Path, folder: Path) -> list[Path]:
        own = [launch for launch in launches() if launch.source == path.stem]
        shutil.rmtree(folder / f"known.{path.stem}", ignore_errors=True)
        return [known.write(launch, folder / f"known.{path.stem}" / str(number)) for number, launch in enumerate(own)]

    for path in sorted((known.HERE / "known").glob("*.cu")):
        content = digest(path.read_bytes(), (known.HERE / "known.py").read_bytes())
        yield Module(f"known/{path.name}", content, partial(compiled, path), partial(written, path))


def random_code(seeds: range) -> Iterator[Module]:
    """Modules of random kernels, which are defined and free of races."""
    generator = INPUTS / "random-grid.py"
    content = digest(generator.read_bytes(), (INPUTS / "random_names.py").read_bytes(), str(KERNELS))

    def made(seed: int, folder: Path) -> Path:
        path = folder / f"random.{seed}.ll"
        path.write_text(call([sys.executable, generator, str(seed), str(KERNELS)]), encoding="utf-8")
        return path

    for seed in seeds:
        yield Module(f"random/{seed}", content, partial(made, seed))


def modules(groups: list[str], seeds: range, llvm: str) -> list[Module]:
    """The modules of the groups."""
    known_groups: dict[str, Callable[[], Iterator[Module]]] = {
        "corpus": lambda: files("corpus", ROOT / "build" / "corpus"),
        "llvm-tests": lambda: files("llvm-tests", ROOT / "build" / "llvm-tests"),
        "kernels": lambda: files("kernels", ROOT / "tests" / "kernels"),
        "examples": lambda: files("examples", ROOT / "examples"),
        "grid": lambda: with_launches(llvm),
        "known": lambda: with_answers(llvm),
        "random": lambda: random_code(seeds),
    }
    if unknown := set(groups) - set(known_groups):
        raise SystemExit(f"hunt.py: no group {', '.join(sorted(unknown))}; there are {', '.join(known_groups)}")
    found = {name: list(make()) for name, make in known_groups.items() if name in groups or not groups}
    # A folder that is not there has no files.
    if empty := [name for name in groups if not found[name]]:
        raise SystemExit(f"hunt.py: no module of {', '.join(empty)} here")
    return [module for own in found.values() for module in own]


def in_order(jobs: list[Job], records: dict[str, Record], again: bool = False, order: str = "") -> list[Job]:
    """The jobs that are left, in the order in which they are done. `again`: first those that are done again. Each `order` is another one."""
    new = {key for key, record in records.items() if again and (is_new(record) or ENDED_BY_MACHINE.search(record.get("why", "")))}
    left = [job for job in jobs if job.key not in records or job.key in new]
    return sorted(left, key=lambda job: (job.key not in new, digest(job.key + order)))


def found_ptxas() -> dict[str, Path]:
    """The folders with ptxas, by version."""
    found = {}
    for folder in [*sorted((ROOT / "build" / "ptxas").glob("*")), ROOT / "build" / "cuda"]:
        if (folder / "bin" / "ptxas").exists():
            said = call([folder / "bin" / "ptxas", "--version"])
            found[re.findall(r"\bV(\d+\.\d+\.\d+)", said)[-1]] = folder
    return found


def number(text: str) -> int:
    """A number as ptx-compare writes it."""
    return int(text.replace(",", ""))


SUMMARY = re.compile(
    r"(?P<kernels>[\d,]+) kernels? compared, (?P<left_out>\d+) not; (?P<launches>[\d,]+) launch(?:es)?, (?P<bytes>[\d,]+) bytes;"
    r" (?P<ptx>[\d,]+) instructions of threads in PTX, (?P<sass>[\d,]+) of warps in SASS; (?P<different>\d+) different$",
    re.MULTILINE,
)


def outcome_of(done: subprocess.CompletedProcess[str]) -> Record:
    """What `ptx-compare sass` says, as a record."""
    summary = SUMMARY.search(done.stdout)
    if not summary:
        lines = [line for line in done.stderr.strip().splitlines() if line.strip()] or [f"status {done.returncode}"]
        return {"outcome": "refused", "why": lines[-1][:300]}
    counts = {name: number(text) for name, text in summary.groupdict().items()}
    differences = re.findall(r"^DIFFERENT .*?: (\S+: launch \d+: .*)$", done.stdout, re.MULTILINE)
    if len(differences) != counts.pop("different"):
        return {"outcome": "refused", "why": "the differences and their count do not agree"}
    reasons = {why: number(count) for count, why in re.findall(r"^not compared: +([\d,]+)  (.*)$", done.stdout, re.MULTILINE)}
    outcome = "different" if differences else "same" if counts["kernels"] else "not compared"
    return {"outcome": outcome, **counts, "differences": differences, "reasons": reasons}


class Hunt:
    """Does jobs."""

    def __init__(self, options: argparse.Namespace, ptxas: dict[str, Path]) -> None:
        self.llvm: str = options.llvm
        self.plugin: Path = options.plugin
        self.program: Path = options.program
        self.folder: Path = options.results / "texts"
        self.ptxas = ptxas
        self.made: dict[tuple[str, str], Path | list[Path]] = {}
        self.folder.mkdir(parents=True, exist_ok=True)

    def text(self, module: Module, side: str, processor: str) -> Path:
        """The PTX of a module. It stays, for whoever looks at a difference."""
        stem = f"{module.name.replace('/', '.')}.{module.content}"
        path = self.folder / f"{stem}.{side}.{processor}.ptx"
        if not path.exists():
            source = module.source(self.folder)
            loading: list[str | Path] = ["-load", self.plugin] if side == "ours" else []
            llc = ROOT / "build" / f"llvm-{self.llvm}" / "bin" / "llc"
            fresh = path.with_suffix(".new")
            call([llc, *loading, "-march=nvptx64", f"-mcpu={processor}", source, "-o", fresh])
            fresh.rename(path)
        return path

    def command(self, job: Job) -> list[str | Path]:
        """The command that does a job."""
        text = self.text(job.module, job.side, job.processor)
        launches = job.module.launches(self.folder) if job.module.launches else []
        named = [part for launch in launches for part in ("--launch", launch)]
        ptxas = self.ptxas[job.version]
        return [self.program, "sass", text, *named, "--cuda", ptxas, "--gpu", job.processor, "--budget", str(BUDGET)]

    def places(self, text: Path, job: Job) -> dict[str, list[str]]:
        """The faults that lint names, by function. Where it fails there are none, so that the difference has no known cause."""
        command: list[str | Path] = [self.program, "lint", "--json", "-", "--ptxas", job.version, "--gpu", job.processor, text]
        found: dict[str, list[str]] = {}
        try:
            said = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=TIMEOUT, check=False).stdout
            places = json.loads(said)["places"]
        except (subprocess.TimeoutExpired, ValueError) as error:
            print(f"hunt.py: lint of {text}: {error}", file=sys.stderr)
            return found
        for place in places:
            found.setdefault(place["function"], []).append(place["id"])
        return found

    def do(self, job: Job) -> Record:
        """Does a job; its result."""
        record: Record = {"key": job.key, "module": job.module.name, "side": job.side, "ptxas": job.version, "processor": job.processor}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            record.update(self.outcome(job))
        except subprocess.TimeoutExpired as expired:
            record.update({"outcome": "refused", "why": f"{Path(expired.cmd[0]).name}: more than {TIMEOUT} seconds"})
        except (Failure, known.Failure, adversarial.Failure) as failure:
            record.update({"outcome": "refused", "why": str(failure)[:300]})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        record["seconds"] = round(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, 3)
        return record

    def outcome(self, job: Job) -> Record:
        """Runs what a job says."""
        text = self.text(job.module, job.side, job.processor)
        if job.side == "ours" and text.read_bytes() == self.text(job.module, "stock", job.processor).read_bytes():
            return {"outcome": "as stock"}
        command = [*map(str, self.command(job))]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
        result = outcome_of(done)
        if result["outcome"] == "different":
            result["places"] = self.places(text, job)
            result["command"] = command
        return result


def cause(record: Record, difference: str) -> str | None:
    """Why a difference is there, if that is known."""
    kernel = difference.partition(":")[0]
    if faults := record.get("places", {}).get(kernel):
        return f"ptxas: {', '.join(sorted(set(faults)))}, as lint says"
    for module, pattern, why in EXPLAINED:
        if re.search(module, record["key"]) and re.search(pattern, difference):
            return why
    return None


def is_new(record: Record) -> bool:
    """Whether a launch of a job differs without a known cause."""
    return any(cause(record, difference) is None for difference in record.get("differences", []))


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    widths = [max(len(row[at]) for row in [heads, *rows]) for at in range(len(heads))]
    lines = [heads, ["-" * width for width in widths], *rows]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines)


def summarize(results: Results) -> tuple[str, int]:
    """What all jobs say: the text, and how many kernels differ without a known cause."""
    parts, records = [], list(results.records.values())
    for by in ("ptxas", "processor"):
        rows = []
        for name in sorted({record[by] for record in records}, key=lambda text: [int(part) for part in re.findall(r"\d+", text)]):
            own = [record for record in records if record[by] == name]
            rows.append([name, *counts_of(own)])
        heads = [by, "jobs", "refused", "same text", "kernels", "not compared", "launches", "different", "explained", "core minutes"]
        parts.append(table(heads, rows))
    groups = Counter(record["module"].partition("/")[0] for record in records)
    seeds = {record["module"] for record in records if record["module"].startswith("random/")}
    of_modules = {record["module"] for record in records}
    listed = ", ".join(f"{name} {count}" for name, count in sorted(groups.items()))
    parts.append(f"jobs by group: {listed}; {len(of_modules)} modules, {len(seeds)} of them random seeds")
    causes: Counter[str] = Counter()
    new: dict[tuple[str, str], list[tuple[Record, str]]] = {}
    for record in records:
        for difference in record.get("differences", []):
            if why := cause(record, difference):
                causes[why] += 1
            else:
                new.setdefault((record["module"], difference.partition(":")[0]), []).append((record, difference))
    parts += [f"{count:>6} launches differ: {why}" for why, count in causes.most_common()]
    for (module, kernel), seen in sorted(new.items()):
        record, difference = seen[0]
        which = sorted({f"{record['ptxas']} {record['processor']} {record['side']}" for record, _ in seen})
        parts.append(f"NEW {module}: {kernel}: {len(seen)} launches ({'; '.join(which)})\n  {difference}\n  {' '.join(record['command'])}")
    parts.append(f"{len(records)} jobs, {results.seconds / 3600:.2f} core hours; {len(new)} kernels differ without a known cause")
    return "\n\n".join(parts), len(new)


def counts_of(records: list[Record]) -> list[str]:
    """The cells of a row of the summary."""

    def total(name: str) -> int:
        return sum(record.get(name, 0) for record in records)

    outcomes = Counter(record["outcome"] for record in records)
    pairs = [(record, difference) for record in records for difference in record.get("differences", [])]
    explained = sum(cause(*pair) is not None for pair in pairs)
    numbers = [len(records), outcomes["refused"], outcomes["as stock"], total("kernels"), total("left_out"), total("launches")]
    return [f"{count:,}" for count in [*numbers, len(pairs), explained]] + [f"{sum(record['seconds'] for record in records) / 60:.1f}"]


def seeds_of(text: str) -> range:
    """The seeds that an option names: `200` are those from 1 to 200."""
    found = re.fullmatch(r"(?:(\d+)-)?(\d+)", text)
    seeds = range(int(found[1] or 1), int(found[2]) + 1) if found else range(0)
    if not seeds:
        raise argparse.ArgumentTypeError(f"'{text}' names no seeds: a number, or the first and the last one, as 201-400")
    return seeds


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Hunts for faults of ptxas.")

    def listed(text: str) -> list[str]:
        return text.split(",")

    parser.add_argument("--minutes", type=float, help="end after this time [default: when all is done]")
    parser.add_argument("--from", dest="groups", type=listed, default=[], metavar="GROUP,...", help="these groups alone")
    parser.add_argument("--seeds", type=seeds_of, default="200", metavar="N | FIRST-LAST", help="modules of random code")
    parser.add_argument("--order", default="", metavar="TEXT", help="do the jobs in another random order, one for each text")
    parser.add_argument("--ptxas", type=listed, default=VERSIONS, metavar="VERSION,...")
    parser.add_argument("--processors", type=listed, default=PROCESSORS, metavar="CPU,...")
    parser.add_argument("--llvm", default="22")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "hunt")
    parser.add_argument("--again", action="store_true", help="first do again what differs without a known cause, or was ended by the machine")
    parser.add_argument("--summary", action="store_true", help="print the summary of what is done, and do nothing")
    parser.add_argument("--plugin", type=Path, default=ROOT / "build" / "lib" / "libptxpasses.so")
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "release" / "ptx-compare")
    return parser.parse_args()


def main() -> int:
    """Runs what the command line says."""
    options = parse()
    results = Results(options.results, not options.summary)
    if not options.summary:
        ptxas = found_ptxas()
        if missing := set(options.ptxas) - set(ptxas):
            raise SystemExit(f"hunt.py: no ptxas {', '.join(sorted(missing))} in build/ptxas; tests/errata/run.py --fetch gets it")
        if not options.program.exists():
            raise SystemExit(f"hunt.py: no {options.program}")
        found = modules(options.groups, options.seeds, options.llvm)
        jobs = [Job(*parts) for parts in ((m, s, v, p) for m in found for s in SIDES for v in options.ptxas for p in options.processors)]
        left = in_order(jobs, results.records, options.again, options.order)
        hunt, start, num_different = Hunt(options, ptxas), time.monotonic(), 0
        try:
            for count, job in enumerate(left, 1):
                minutes = (time.monotonic() - start) / 60
                if options.minutes is not None and minutes >= options.minutes:
                    break
                print(f"{minutes:6.1f} min  {count}/{len(left)}  {num_different} different  {job.key}", file=sys.stderr, flush=True)
                record = hunt.do(job)
                results.add(record)
                num_different += record["outcome"] == "different"
        except KeyboardInterrupt:
            print("ended; the same command goes on", file=sys.stderr)
    text, num_new = summarize(results)
    print(text)
    return 1 if num_new else 0


if __name__ == "__main__":
    sys.exit(main())
