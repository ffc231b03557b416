"""Scores what predicts time on what was measured: registers, occupancy, instructions, and `ptx-compare time`.

    python3 tests/gpu/score.py make VERSION [--plugin FILE]... [--more FILE]            cubins and launches: build/gpu/score; VERSION is LLVM's
    python3 tests/gpu/score.py run [--jobs N] [--worst N] [--format table|csv|json]     predicts, and prints the scores
    python3 tests/gpu/score.py run --tool none                                          without `ptx-compare time`
    python3 tests/gpu/score.py run --view ours --with=--no-interval                     the quickest with it
    python3 tests/gpu/score.py ceiling [--draws N]                                      what the best predictor would get (score_ceiling.py)

Problem. Whether one number tells time better than another is seen on many kernels only, and a simulator that is fitted to the kernels it is scored
on looks better than it is.

Method. A pair is a kernel's stock code and another code of it that was measured (tests/gpu/data). Its measured ratio is the geometric mean of the runs
that have both, its interval from the least to the greatest end of theirs. Left out are pairs whose interval is wider than --width and than the
ratio's own distance from 1, and codes that `make` did not find. Two views: *ours*, one pair for each kernel whose code the plugin changes; *all*,
each code against stock's, where each kernel weighs the same. Three sets: all kernels; `fitted`, two thirds, to which parameters may be fitted;
`unfitted`, the third that must not be looked at for that. A digest of the kernel's name and stock's code decides. score_rank.py has the statistics.

A predictor gives a ratio to stock: of registers; of warps that an SM does not hold (stock's occupancy by the version's); of instructions in the code (NOPs
aside); of instructions that the simulator has executed; of simulated time. A pair that one of them does not predict is scored for none, and counted
by reason. Predictions are kept in predictions.csv of the folder, by digests of cubins, launch and tool, so that only what is new is predicted again.

The tool is called as TOOL time --json - --launch FILE STOCK.cubin VERSION.cubin, and prints a list with an object for the kernel: `kernel`, and
`ratio`, `low`, `high`, `sides` (of both: `executed`), or `error`. Exit status: 0; 2 if something is not there.

Source. The limits of an SM: CUDA C++ Programming Guide, "Compute Capabilities". Deviation: none. Complexity: that of the predictions.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import hashlib
import json
import math
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import score_ceiling
import score_make
import score_rank
import table
from lab_queue import Failure
from launches import ROOT
from run import machine_code, sections_of
from samples import geometric_mean
from score_rank import Item

VIEWS = {"ours": "ours against stock", "all": "all versions against stock, each kernel weighs the same"}
SETS = ["all", "fitted", "unfitted"]
STATIC = ["registers", "occupancy", "instructions"]
SIMULATED = ["executed", "time"]
PARTS = {"1": 0.01, "2": 0.02}
"""How far from 1 a ratio has a sign."""
LIMITS = {"99": 0.99, "100": 1.00}
"""Below which prediction a version is chosen."""
COLUMNS = [
    *("view", "set", "predictor", "pairs", "kernels", "spearman", "kendall"),
    *(f"{what}_{part}" for part in PARTS for what in ("right", "wrong", "undecided", "alarms")),
    *(f"{what}_{limit}" for limit in LIMITS for what in ("mean", "slower")),
]
KEPT = ["key", "kernel", "stock", "code", "ratio", "low", "high", "executed_stock", "executed", "fault"]
"""Columns of predictions.csv."""
FLEETING = ("more than ", "ended by signal ")
"""How faults begin that may not come again."""
NOP = 0x918
"""The opcode of an instruction that does nothing: the low 12 bits of its 128."""


# ---- what was measured


@dataclass
class Pair:
    """A code of a kernel, against stock's."""

    kernel: str
    stock: str
    code: str
    variants: list[str]
    """The settings that gave it."""
    registers: tuple[int, int]
    """Stock's, and its own."""
    ratios: list[tuple[float, float, float]]
    """In each run: the ratio to stock, and its interval."""
    predicted: dict[str, float] = field(default_factory=dict)
    """By predictor the ratio to stock."""
    interval: tuple[float, float] | None = None
    """That of the predicted time."""

    @property
    def measured(self) -> float:
        """The ratio to stock of all runs."""
        return geometric_mean([ratio for ratio, _, _ in self.ratios])

    @property
    def low(self) -> float:
        """The least end of the runs' intervals."""
        return min(low for _, low, _ in self.ratios)

    @property
    def high(self) -> float:
        """The greatest end of the runs' intervals."""
        return max(high for _, _, high in self.ratios)

    @property
    def is_ours(self) -> bool:
        """Whether the plugin as it is gave it."""
        return "ours" in self.variants

    @property
    def set(self) -> str:
        """Whether it may be fitted."""
        digest = hashlib.sha256(f"{self.kernel} {self.stock}".encode()).hexdigest()
        return "unfitted" if int(digest, 16) % 3 == 0 else "fitted"

    def is_wide(self, width: float) -> bool:
        """Finds whether its interval is wider than that, and than the distance from 1."""
        return math.log(self.high / self.low) > max(math.log1p(width), abs(math.log(self.measured)))


def names_of(row: Mapping[str, str]) -> list[str]:
    """Gives the settings of a row."""
    return [row["variant"], *filter(None, row["also"].split(";"))]


def runs_of(data: Path) -> list[list[dict[str, str]]]:
    """Reads the rows of each run."""
    paths = sorted(data.glob("*.times.csv"))
    if not paths:
        raise Failure(f"no runs in {data}")
    return [[row for row in table.read(path, table.TIMES) if row["variant"] != "again"] for path in paths]


def codes_of(runs: Sequence[Sequence[Mapping[str, str]]]) -> dict[str, dict[str, list[str]]]:
    """Finds by kernel and code the settings that gave it."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in (row for rows in runs for row in rows):
        names = found[row["kernel"]][row["code"]]
        names += [name for name in names_of(row) if name not in names]
    return {kernel: dict(codes) for kernel, codes in found.items()}


def pairs_of(runs: Sequence[Sequence[Mapping[str, str]]]) -> list[Pair]:
    """Pairs each code with stock's of the same run. Pairs of several runs are one if both codes are the same."""
    pairs: dict[tuple[str, str, str], Pair] = {}
    for rows in runs:
        stock = {row["kernel"]: row for row in rows if "stock" in names_of(row)}
        for row in rows:
            first = stock.get(row["kernel"])
            if first is None or first["code"] == row["code"] or not row["stock"]:
                continue
            key = (row["kernel"], first["code"], row["code"])
            pair = pairs.setdefault(key, Pair(*key, [], (int(first["registers"]), int(row["registers"])), []))
            pair.variants += [name for name in names_of(row) if name not in pair.variants]
            pair.ratios.append((float(row["stock"]), float(row["stock_low"]), float(row["stock_high"])))
    return list(pairs.values())


# ---- predictors


def warps_of_sm(registers: int, shared: int, threads: int) -> int:
    """Computes how many warps of a kernel an SM of compute capability 9.0 holds; at least those of one block."""
    warps = -(-threads // 32)
    # A warp's registers come in units of 256, and stay in one quarter of the SM, which has 16,384.
    by_registers = 4 * (16384 // (-(-registers * 32 // 256) * 256)) // warps
    # Each block takes 1 KiB more than it asks for, of 228.
    by_shared = (228 << 10) // (shared + (1 << 10))
    return warps * max(1, min(64 // warps, 32, by_registers, by_shared))


def num_instructions(cubin: bytes, kernel: str) -> int:
    """Counts the instructions of a kernel's code, those that only fill it aside."""
    code = machine_code(cubin, kernel)
    return sum(int.from_bytes(code[at : at + 2], "little") & 0xFFF != NOP for at in range(0, len(code), 16))


def static(pair: Pair, launch: Mapping[str, Any], cubins: tuple[bytes, bytes]) -> dict[str, float]:
    """Predicts by what one sees in the code."""
    kernel = pair.kernel.partition(": ")[2]
    shared = [sections_of(cubin).get(f".nv.shared.{kernel}", (0, None))[0] + launch["shared"] for cubin in cubins]
    warps = [warps_of_sm(registers, own, launch["threads"]) for registers, own in zip(pair.registers, shared, strict=True)]
    counts = [num_instructions(cubin, kernel) for cubin in cubins]
    return {"registers": pair.registers[1] / pair.registers[0], "occupancy": warps[0] / warps[1], "instructions": counts[1] / counts[0]}


class Tool:
    """What predicts time."""

    def __init__(self, command: str, further: str, seconds: float) -> None:
        self.words = shlex.split(command)
        path = shutil.which(self.words[0]) if self.words else None
        if path is None:
            raise Failure(f"{command}: no such program; scripts/ptx-compare builds ptx-compare, `--tool none` does without")
        self.options = shlex.split(further)
        self.seconds = seconds
        asked = subprocess.run([*self.words, "time", "--help"], capture_output=True, text=True, check=False)
        if asked.returncode:
            raise Failure(f"{command} has no command `time`: {(asked.stderr.strip().splitlines() or ['it fails'])[0]}")
        files = [Path(word).read_bytes() for word in (path, *self.words[1:]) if Path(word).is_file()]
        self.digest = digest(*files, *(word.encode() for word in (*self.words, *self.options)))

    def predict(self, kernel: str, launch: Path, cubins: tuple[Path, Path]) -> dict[str, str]:
        """Predicts a pair; columns of predictions.csv."""
        command = [*self.words, "time", "--json", "-", "--launch", str(launch), *self.options, *map(str, cubins)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self.seconds, check=False)
        except subprocess.TimeoutExpired:
            return {"fault": f"{FLEETING[0]}{self.seconds:g} seconds"}
        if done.returncode < 0:
            return {"fault": f"{FLEETING[1]}{-done.returncode}"}
        try:
            found = json.loads(done.stdout) if done.stdout.strip() else []
        except ValueError:
            return {"fault": f"no JSON: {done.stdout[:60]!r}"}
        one = next((one for one in found if one.get("kernel") == kernel), None)
        if one is None or one.get("ratio") is None:
            said = (one or {}).get("error") or (done.stderr.strip().splitlines() or [f"status {done.returncode}, and nothing of the kernel"])[-1]
            for path in (launch, *cubins):
                said = said.replace(str(path), path.suffix[1:])
            return {"fault": said}
        before, after = (side["executed"] for side in one["sides"])
        return {**{name: repr(float(one[name])) for name in ("ratio", "low", "high")}, "executed_stock": str(before), "executed": str(after)}


def digest(*parts: bytes) -> str:
    """Names content."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little") + part)
    return hashed.hexdigest()[:16]


class Kept:
    """The predictions that are known."""

    def __init__(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        # A run that was ended may have left a part of a row.
        whole = text[: text.rfind("\n") + 1]
        rows = csv.DictReader(whole.splitlines())
        if whole and rows.fieldnames != KEPT:
            raise Failure(f"{path}: other columns than those of tests/gpu/score.py; remove it")
        self.of = {row["key"]: row for row in rows}
        if whole != text:
            path.write_text(whole, encoding="utf-8")
        self.file = path.open("a", encoding="utf-8", newline="")
        self.rows = csv.DictWriter(self.file, KEPT, restval="", lineterminator="\n")
        if not whole:
            self.rows.writeheader()

    def add(self, row: dict[str, str]) -> None:
        """Keeps a prediction."""
        self.of[row["key"]] = {name: row.get(name, "") for name in KEPT}
        if not row.get("fault", "").startswith(FLEETING):
            self.rows.writerow(row)
            self.file.flush()


def simulate(pairs: Sequence[Pair], made: Mapping[str, Any], folder: Path, tool: Tool, jobs: int) -> dict[int, dict[str, str]]:
    """Predicts pairs that are not predicted yet, and keeps that; by the pair's identity the row."""
    kept = Kept(folder / "predictions.csv")
    digests: dict[str, bytes] = {}

    def of(cubin: str) -> bytes:
        if cubin not in digests:
            digests[cubin] = hashlib.sha256((folder / cubin).read_bytes()).digest()
        return digests[cubin]

    keys: dict[int, str] = {}
    with kept.file, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures: dict[concurrent.futures.Future[dict[str, str]], Pair] = {}
        # Ours first: a run that is ended has that view.
        for pair in sorted(pairs, key=lambda pair: not pair.is_ours):
            launch = made[pair.kernel]
            first, second = (launch["cubins"][code] for code in (pair.stock, pair.code))
            keys[id(pair)] = digest(of(first), of(second), launch["digest"].encode(), tool.digest.encode())
            if keys[id(pair)] not in kept.of:
                name = pair.kernel.partition(": ")[2]
                futures[pool.submit(tool.predict, name, folder / launch["launch"], (folder / first, folder / second))] = pair
        progress = score_make.Progress(len(futures), "predictions")
        try:
            for future in concurrent.futures.as_completed(futures):
                pair = futures[future]
                kept.add({"key": keys[id(pair)], "kernel": pair.kernel, "stock": pair.stock, "code": pair.code, **future.result()})
                progress.step()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return {number: kept.of[key] for number, key in keys.items()}


def predict(options: argparse.Namespace, pairs: Sequence[Pair], reasons: Counter[str]) -> list[Pair]:
    """Predicts; the pairs that all predictors have, and why others are left out."""
    folder: Path = options.folder
    path = folder / "made.json"
    if not path.exists():
        raise Failure(f"{path} is not there: score.py make")
    read = json.loads(path.read_text(encoding="utf-8"))
    if read.get("format") != score_make.FORMAT:
        raise Failure(f"{path} has format {read.get('format')}; this program reads {score_make.FORMAT}. Make it again.")
    made: dict[str, Any] = read["kernels"]
    usable: list[Pair] = []
    for pair in pairs:
        if pair.is_wide(options.width):
            reasons[f"the measured interval is wider than {options.width:.0%} and than the distance from 1"] += 1
        elif pair.kernel not in made:
            reasons["the kernel has no launch here (make --more)"] += 1
        elif not {pair.stock, pair.code} <= made[pair.kernel]["cubins"].keys():
            reasons["the code was not found again (make --plugin)"] += 1
        else:
            usable.append(pair)
    for pair in usable:
        launch = made[pair.kernel]
        first, second = ((folder / launch["cubins"][code]).read_bytes() for code in (pair.stock, pair.code))
        pair.predicted = static(pair, launch, (first, second))
    if options.tool == "none":
        return usable
    rows = simulate(usable, made, folder, Tool(options.tool, options.further, options.seconds), options.jobs)
    whole: list[Pair] = []
    for pair in usable:
        row = rows[id(pair)]
        if row["fault"]:
            reasons[f"not predicted: {row['fault']}"] += 1
            continue
        pair.predicted |= {"executed": float(row["executed"]) / float(row["executed_stock"]), "time": float(row["ratio"])}
        pair.interval = (float(row["low"]), float(row["high"]))
        whole.append(pair)
    return whole


# ---- scores


def rounded(value: float | None, digits: int) -> float | None:
    """Rounds a number; `None` for `None` and for NaN."""
    return None if value is None or math.isnan(value) else round(value, digits)


def items_of(pairs: Sequence[Pair], predictor: str) -> list[Item]:
    """Makes items of which each kernel weighs the same."""
    counts = Counter(pair.kernel for pair in pairs)
    return [Item(pair.kernel, math.log(pair.measured), math.log(pair.predicted[predictor]), 1 / counts[pair.kernel]) for pair in pairs]


def score(pairs: Sequence[Pair], ours: Mapping[str, float], predictors: Sequence[str]) -> list[dict[str, Any]]:
    """Scores each predictor on pairs, and what always ours and a perfect choice give. `ours` has by kernel the ratio of ours as it is."""
    rows: list[dict[str, Any]] = []
    kernels = list(dict.fromkeys(pair.kernel for pair in pairs))
    common = {"pairs": len(pairs), "kernels": len(kernels)}
    for predictor in predictors:
        items = items_of(pairs, predictor)
        row = {"predictor": predictor, **common}
        row |= {"spearman": rounded(score_rank.spearman(items), 3), "kendall": rounded(score_rank.kendall(items), 3)}
        for name, part in PARTS.items():
            row |= {f"{what}_{name}": rounded(value, 2) for what, value in vars(score_rank.signs(items, part)).items()}
        choices = {name: score_rank.chosen(items, limit) for name, limit in LIMITS.items()}
        rows.append(row | chosen_columns(choices))
    always = score_rank.together([math.log(ours.get(kernel, 1.0)) for kernel in kernels])
    perfect = score_rank.perfect(items_of(pairs, predictors[0]))
    for name, choice in (("always ours", always), ("perfect", perfect)):
        rows.append({"predictor": name, **common, **chosen_columns(dict.fromkeys(LIMITS, choice))})
    return rows


def chosen_columns(choices: Mapping[str, score_rank.Choice]) -> dict[str, Any]:
    """Gives the columns of what choosing gives."""
    return {
        key: value for name, choice in choices.items() for key, value in ((f"mean_{name}", rounded(choice.mean, 4)), (f"slower_{name}", choice.slower))
    }


def scores(pairs: Sequence[Pair], ours: Mapping[str, float], predictors: Sequence[str], views: Sequence[str]) -> list[dict[str, Any]]:
    """Scores views on all sets."""
    rows: list[dict[str, Any]] = []
    for view in views:
        shown = [pair for pair in pairs if view == "all" or pair.is_ours]
        for name in SETS:
            of = [pair for pair in shown if name in ("all", pair.set)]
            rows += [{"view": view, "set": name, **row} for row in score(of, ours, predictors)]
    return rows


def details(pair: Pair, by: str) -> dict[str, Any]:
    """Describes a pair."""
    return {
        **{"kernel": pair.kernel, "set": pair.set, "variants": ";".join(pair.variants), "stock": pair.stock, "code": pair.code},
        **{"measured": rounded(pair.measured, 5), "low": pair.low, "high": pair.high},
        **{name: rounded(value, 5) for name, value in pair.predicted.items()},
        "error": rounded(math.log(pair.predicted[by] / pair.measured), 5),
    }


# ---- showing


def cell(value: Any, digits: int = 0) -> str:
    """Writes a number of a table."""
    return "-" if value is None or value == "" else f"{value:.{digits}f}"


def print_scores(rows: Sequence[Mapping[str, Any]]) -> None:
    """Prints tables for a terminal."""
    for view in dict.fromkeys(row["view"] for row in rows):
        print(f"\n{VIEWS[view]}")
        for name in SETS:
            of = [row for row in rows if row["view"] == view and row["set"] == name]
            print(f"\n{name}: {of[0]['pairs']} pairs of {of[0]['kernels']} kernels")
            signs = f"{'right':>6}{'wrong':>6}{'open':>6}{'alarm':>6}"
            print(f"{'':14}{'':18}{'signs at 1 %':>27}{'signs at 2 %':>27}{'if < 0.99':>17}{'if < 1.00':>17}")
            print(f"{'predictor':14}{'Spearman':>9}{'Kendall':>9}   {signs}   {signs}   {'mean':>7}{'slower':>7}   {'mean':>7}{'slower':>7}")
            for row in of:
                text = f"{row['predictor']:14}{cell(row.get('spearman'), 2):>9}{cell(row.get('kendall'), 2):>9}"
                for part in PARTS:
                    digits = 1 if view == "all" else 0
                    text += "   " + "".join(f"{cell(row.get(f'{what}_{part}'), digits):>6}" for what in ("right", "wrong", "undecided", "alarms"))
                for limit in LIMITS:
                    text += f"   {cell(row[f'mean_{limit}'], 4):>7}{row[f'slower_{limit}']:7}"
                print(text)


def print_worst(pairs: Sequence[Pair], by: str, count: int) -> None:
    """Prints the pairs that are predicted worst."""
    ordered = sorted(pairs, key=lambda pair: -abs(math.log(pair.predicted[by] / pair.measured)))[:count]
    names = list(ordered[0].predicted) if ordered else []
    print(f"\nworst of the fitted by {by}\n{'kernel':40} {'variant':18} {'measured':>24} " + " ".join(f"{name:>12}" for name in names) + "  registers")
    for pair in ordered:
        measured = f"{pair.measured:.3f} ({pair.low:.3f}, {pair.high:.3f})"
        others = f" +{len(pair.variants) - 1}" if len(pair.variants) > 1 else ""
        first = "ours" if pair.is_ours else pair.variants[0]
        text = f"{pair.kernel:40} {first + others:18} {measured:>24} " + " ".join(f"{pair.predicted[name]:12.3f}" for name in names)
        print(f"{text}  {pair.registers[0]}, {pair.registers[1]}")


def run(options: argparse.Namespace) -> int:
    """Predicts, and prints the scores."""
    all_pairs = pairs_of(runs_of(options.data))
    ours = {pair.kernel: pair.measured for pair in all_pairs if pair.is_ours}
    chosen = [pair for pair in all_pairs if not options.names or any(name in pair.kernel for name in options.names)]
    if not chosen:
        raise Failure(f"nothing was measured of {', '.join(options.names)}")
    views = [options.view] if options.view else list(VIEWS)
    if options.view == "ours":
        chosen = [pair for pair in chosen if pair.is_ours]
    reasons: Counter[str] = Counter()
    pairs = predict(options, chosen, reasons)
    predictors = STATIC if options.tool == "none" else [*STATIC, *SIMULATED]
    by = options.by or predictors[-1]
    if by not in predictors:
        raise Failure(f"--by {by}: there are {', '.join(predictors)}")
    print(f"{len(pairs)} of {len(chosen)} pairs are scored", file=sys.stderr)
    for reason, count in reasons.most_common():
        print(f"{count:6} not: {reason}", file=sys.stderr)
    if not pairs:
        raise Failure("no pair is left")
    rows = scores(pairs, ours, predictors, views)
    if options.pairs is not None:
        described = [details(pair, by) for pair in pairs]
        table.write(options.pairs, list(described[0]), described)
    if options.format == "json":
        print(json.dumps(rows, indent=1))
    elif options.format == "csv":
        writer = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        print_scores(rows)
        if options.worst:
            print_worst([pair for pair in pairs if pair.set == "fitted"], by, options.worst)
    return 0


def ceiling(options: argparse.Namespace) -> int:
    """Prints what a predictor could get that knows what was measured."""
    paths = sorted(options.data.glob("*.times.csv"))
    runs = runs_of(options.data)
    each = [(path.name.removesuffix(".times.csv"), pairs_of([rows]), score_ceiling.placing(path)) for path, rows in zip(paths, runs, strict=True)]
    pairs = [pair for pair in pairs_of(runs) if not pair.is_wide(options.width)]
    rows: list[dict[str, Any]] = []
    for name in SETS:
        of = [pair for pair in pairs if name in ("all", pair.set)]
        if not of:
            continue
        counts = Counter(pair.kernel for pair in of)
        near = sum(1 / counts[pair.kernel] for pair in of if not score_rank.side(math.log(pair.measured), score_ceiling.PART)) / len(counts)
        rows += [{"set": name, "near": near, **row} for row in score_ceiling.ceilings(of, each, options.draws)]
    if not rows:
        raise Failure("no pair is left")
    if options.format == "json":
        print(json.dumps(rows, indent=1))
    else:
        score_ceiling.print_ceilings(rows)
    return 0


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Scores what predicts time on what was measured.")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="makes cubins and launches")
    make.add_argument("version", help="the LLVM: build/llvm-VERSION, 22 or newer; the data say which one they are of")
    make.add_argument("--plugin", type=Path, action="append", metavar="FILE", help="a build of the plugin; may be repeated (that of build/lib)")
    make.add_argument("--more", type=Path, metavar="FILE", help="a table of further launches (launches.py)")
    make.add_argument("--made-up", type=Path, metavar="FILE", help="made_up.json of the folder of `lab.py make --modules`")
    make.add_argument("--gpu", default="sm_90", help="the processor to assemble for (%(default)s)")
    run_ = commands.add_parser("run", help="predicts, and prints the scores")
    run_.add_argument("names", nargs="*", metavar="NAME", help="only kernels with this in their name")
    tool = str(ROOT / "target" / "release" / "ptx-compare")
    run_.add_argument("--tool", default=tool, metavar="COMMAND", help="what has the command `time` (target/release/ptx-compare), or `none`")
    run_.add_argument("--with", dest="further", default="", metavar="OPTIONS", help="further options of the command: --with='--budget 1000000'")
    run_.add_argument("--view", choices=list(VIEWS), help="only this view; `ours` needs few predictions")
    run_.add_argument("--seconds", type=float, default=300, help="how long a prediction may take (%(default)s)")
    run_.add_argument("--format", choices=["table", "csv", "json"], default="table")
    run_.add_argument("--worst", type=int, default=0, metavar="N", help="lists the N pairs of `fitted` that are predicted worst")
    run_.add_argument("--by", metavar="PREDICTOR", help="by which --worst and the column `error` of --pairs go (time)")
    run_.add_argument("--pairs", type=Path, metavar="FILE", help="writes each pair with its predictions as CSV")
    ceiling_ = commands.add_parser("ceiling", help="says what the best predictor would get")
    ceiling_.add_argument("--draws", type=int, default=200, metavar="N", help="how often noise is drawn (%(default)s)")
    ceiling_.add_argument("--format", choices=["table", "json"], default="table")
    for command in (run_, ceiling_):
        command.add_argument("--width", type=float, default=0.02, help="how wide a measured interval may be (%(default)s)")
    for command in (make, run_, ceiling_):
        command.add_argument("--data", type=Path, default=table.DATA, help="what was measured (tests/gpu/data)")
    for command in (make, run_):
        command.add_argument("--folder", type=Path, default=ROOT / "build" / "gpu" / "score", help="where what is made is (build/gpu/score)")
        command.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how much runs at once (%(default)s)")
    options = parser.parse_args(arguments)
    if options.command != "ceiling":
        options.folder = options.folder.resolve()
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line says."""
    options = parse(arguments)
    try:
        if options.command == "make":
            return score_make.make(options, options.folder, codes_of(runs_of(options.data)))
        return ceiling(options) if options.command == "ceiling" else run(options)
    except Failure as failure:
        print(f"score.py: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
