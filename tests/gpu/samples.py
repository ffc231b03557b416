"""Writes and reads samples of time: a row of CSV for each pass, kernel and machine code, and what follows from them.

Problem. A run on a GPU is dear, and may end at any time. Its samples have to be there from the moment they are taken, and to say by themselves
of which code, card and compiler they are.

Method. A row has what `COLUMNS` names. `variant` is a setting with that machine code, `also` has the others with the same. `blocks` has the
microseconds of a launch in each block of samples; `median`, `low` and `high` are those of these blocks, the interval of 95 % being that between two
of them by rank. Blocks of the same pass and number were taken side by side, so ratios are of these. A ratio of several passes is the median of the medians
of the passes, with the interval by rank of these: blocks of a pass share the memory's place and the clock, passes are independent.

Source. The interval by rank: David and Nagaraja, "Order Statistics", section 7.1.
Deviation: none. Complexity: n log n in the samples.
"""

from __future__ import annotations

import csv
import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import plan

MACHINE = ["card", "driver", "llvm", "ptxas", "version"]
"""Columns that are the same in all rows of a run."""
FACTS = ["registers", "local_bytes", "spill_stores", "spill_loads", "code_bytes", "code", "cubin"]
"""Columns that a machine code has: bytes, and the digests of the kernel's instructions and of the whole cubin."""
COLUMNS = [
    *(*MACHINE, "kernel", "group", "variant", "also", "part", "pass", "launches", "clock", *FACTS, "differs", "fault"),
    *("median", "low", "high", "blocks"),
]
"""`part` is 0 for the variants and 1 for the plan; `launches` are those of a sample; `clock` is that of the multiprocessors in MHz after the samples,
empty if libnvidia-ml is not there; `differs` is 1 if the code left other bytes than stock's, and empty in passes that did not look."""


class Writer:
    """Writes samples.csv, a row as soon as it is there."""

    def __init__(self, path: Path, machine: dict[str, str], goes_on: bool = False) -> None:
        # A run that was ended may have left a part of a row.
        text = path.read_text(encoding="utf-8") if goes_on and path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            path.write_text(whole, encoding="utf-8")
        self.has_rows = bool(whole)
        self.file = path.open("a" if goes_on else "w", encoding="utf-8", newline="")
        self.rows = csv.DictWriter(self.file, COLUMNS, restval="", lineterminator="\n")
        self.machine = machine

    def __enter__(self) -> Writer:
        if not self.has_rows:
            self.rows.writeheader()
            self.file.flush()
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def add(self, job: dict[str, Any], part: int, turn: int, facts: dict[str, Any]) -> None:
        """Adds what the worker says of a kernel."""
        common = {**self.machine, "kernel": job["name"], "group": job["group"], "part": part, "pass": turn}
        if "times" not in facts:
            self.rows.writerow({**common, "fault": str(facts.get("fault", facts))})
        for variant, pairs in facts.get("times", {}).items():
            blocks = [1000 * sum(pair) / len(pair) for pair in pairs]
            low, high = interval_by_rank(blocks)
            self.rows.writerow(
                {
                    **common,
                    **job["facts"][variant],
                    "variant": variant,
                    "also": ";".join(name for name, code in job["same"].items() if code == variant),
                    "launches": facts["launches"],
                    "clock": facts["clock"] or "",
                    "registers": facts["registers"][variant],
                    "local_bytes": facts["local"][variant],
                    "differs": int(variant in facts["differ"]) if "differ" in facts else "",
                    "median": f"{statistics.median(blocks):.3f}",
                    "low": f"{low:.3f}",
                    "high": f"{high:.3f}",
                    "blocks": " ".join(f"{block:.3f}" for block in blocks),
                }
            )
        self.file.flush()


def interval_by_rank(samples: Sequence[float]) -> tuple[float, float]:
    """Finds two of the samples that have the median between them with 95 %; the extremes, if these are too few."""
    rank, below, count = 0, 1.0, len(samples)
    while 2 * (below + math.comb(count, rank + 1)) <= 0.05 * 2**count:
        rank += 1
        below += math.comb(count, rank)
    ordered = sorted(samples)
    return ordered[rank], ordered[count - 1 - rank]


def geometric_mean(values: list[float]) -> float:
    """Computes the geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def noise_of(ratios: list[float]) -> tuple[float, float]:
    """Finds how far ratios of stock's second cubin are off: the median, and within what 95 % of them are. Without any nothing is known to be real."""
    if not ratios:
        return math.nan, math.inf
    off = sorted(abs(ratio - 1) for ratio in ratios)
    return statistics.median(off), off[min(len(off) - 1, int(0.95 * len(off)))]


@dataclass
class Ratio:
    """How long one variant takes of another one's time: the median, and its interval of 95 %."""

    median: float
    low: float
    high: float

    def is_real(self, noise: float) -> bool:
        """Finds whether it is another time, and not noise."""
        return (self.high < 1 or self.low > 1) and abs(self.median - 1) > noise

    @staticmethod
    def of(passes: Sequence[Sequence[float]]) -> Ratio:
        """Puts passes together, by their medians; a single one by its blocks."""
        values = [statistics.median(blocks) for blocks in passes] if len(passes) > 1 else passes[0]
        return Ratio(statistics.median(values), *interval_by_rank(values))

    def __str__(self) -> str:
        return f"{self.median:.4f} ({self.low:.4f}, {self.high:.4f})"


Pass = tuple[int, int]
"""A part and a pass of it."""


class Times:
    """The samples of a run."""

    def __init__(self, path: Path) -> None:
        self.of: defaultdict[str, defaultdict[str, dict[Pass, list[float]]]] = defaultdict(lambda: defaultdict(dict))
        """By kernel, variant and pass the microseconds of each block of samples."""
        self.codes: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """By kernel and setting the variant that was timed for it: that of the same code."""
        self.rows: defaultdict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        """By kernel and variant the first row."""
        self.groups: dict[str, str] = {}
        self.known: dict[tuple[str, str, str], Ratio | None] = {}
        self.faults: list[str] = []
        # The last row of a run that was ended may be cut.
        whole = path.read_text(encoding="utf-8").rpartition("\n")[0]
        rows = csv.DictReader(whole.splitlines())
        if rows.fieldnames != COLUMNS:
            raise SystemExit(f"{path}: other columns than those of tests/gpu/samples.py: {rows.fieldnames}")
        for row in rows:
            kernel, variant = row["kernel"], row["variant"]
            if row["fault"]:
                self.faults.append(f"{kernel}: {row['fault']}")
                continue
            self.groups[kernel] = row["group"]
            self.of[kernel][variant][int(row["part"]), int(row["pass"])] = [float(one) for one in row["blocks"].split()]
            first = self.rows[kernel].setdefault(variant, row)
            first["differs"] = max(first["differs"], row["differs"])
            for name in (variant, *filter(None, row["also"].split(";"))):
                self.codes[kernel][name] = variant

    def code(self, kernel: str, variant: str) -> str:
        """Finds the variant that was timed for one."""
        return self.codes[kernel].get(variant, variant)

    def combine(self, kernel: str, variants: Sequence[str], what: Callable[[Sequence[float]], float]) -> Ratio | None:
        """Computes a number from the times that variants had in the same block; `None` if no pass has them all."""
        timed = [self.of[kernel][variant] for variant in variants]
        common = [one for one in timed[0] if all(one in other for other in timed)]
        passes = [[what(block) for block in zip(*(one[number] for one in timed), strict=True)] for number in common]
        if not passes:
            return None
        return Ratio.of(passes)

    def time(self, kernel: str, variant: str) -> Ratio | None:
        """Computes the microseconds of a launch."""
        return self.combine(kernel, [self.code(kernel, variant)], lambda block: block[0])

    def ratio(self, kernel: str, variant: str, to: str) -> Ratio | None:
        """Computes a ratio; `None` if the code is the same, or one was not timed."""
        key = (kernel, self.code(kernel, variant), self.code(kernel, to))
        if key[1] == key[2]:
            return None
        if key not in self.known:
            self.known[key] = self.combine(kernel, key[1:], lambda block: block[0] / block[1])
        return self.known[key]

    def effects(self, kernel: str) -> dict[str, Ratio]:
        """Computes the time with each switch of the plan by that without it, of all settings or of the base; nothing, if neither was timed."""
        number_of = [int(name.removeprefix("plan-")) for name in self.codes[kernel] if name.startswith("plan-")]
        levels = plan.levels() if any(number >= plan.BASE for number in number_of) else plan.levels()[: plan.BASE]
        variants = [self.code(kernel, plan.name(number)) for number in range(len(levels))]
        # All variants of a pass are needed, each once.
        timed = list(dict.fromkeys(variants))
        places = [timed.index(variant) for variant in variants]
        found: dict[str, Ratio] = {}
        for factor in plan.FACTORS:
            weights = [0.0] * len(timed)
            for place, level in zip(places, levels, strict=True):
                weights[place] += 2 * level[factor] / len(levels)
            used = [place for place, weight in enumerate(weights) if weight]
            if not used:
                found[factor] = Ratio(1, 1, 1)
                continue
            chosen = [weights[place] for place in used]

            def effect(block: Sequence[float], chosen: list[float] = chosen) -> float:
                return math.exp(sum(weight * math.log(time) for weight, time in zip(chosen, block, strict=True)))

            ratio = self.combine(kernel, [timed[place] for place in used], effect)
            if ratio is None:
                return {}
            found[factor] = ratio
        return found
