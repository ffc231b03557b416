"""Keeps what a run of the laboratory wrote as data, and says what is new.

Problem. Results are of one card, one day and one archive; they are worth something beside all others that were kept, and if nothing is lost of how
they came about.

Method. table.py makes NAME.times.csv and NAME.effects.csv of the samples, as of those of run.py. NAME.queue.csv says of each experiment how it
ended, and of which run it was. NAME.counters.csv and NAME.programs.csv are what there is of these, without faulty rows. A NAME that has data of
another run is refused; the same run, which may have gone on, replaces its own.

Source. None. Deviation: none. Complexity: that of table.py.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import table
from lab_queue import Failure
from lab_run import QUEUE
from lab_tools import COUNTERS, PROGRAMS
from samples import Times

COPIED = {"counters": COUNTERS, "programs": PROGRAMS}


def rows_of(path: Path) -> list[dict[str, str]]:
    """Reads whole rows of a table."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return list(csv.DictReader(text[: text.rfind("\n") + 1].splitlines()))


def codes(data: Path, card: str, without: str) -> set[tuple[str, str]]:
    """Finds the kernels and machine codes that other runs have timed on a card."""
    found: set[tuple[str, str]] = set()
    for path in data.glob("*.times.csv"):
        if path.name != f"{without}.times.csv":
            found |= {(row["kernel"], row["code"]) for row in rows_of(path) if row["card"] == card}
    return found


def merge(results: Path, name: str | None, data: Path) -> int:
    """Keeps results; the exit status."""
    path = results / "machine.json"
    if not path.exists():
        raise Failure(f"{results}: no machine.json in it; it has to be the folder that `run` wrote")
    about = json.loads(path.read_text(encoding="utf-8"))
    card: str = about["machine"]["card"]
    name = name or re.sub(r"[^a-z0-9]+", "-", f"{card} {about['begun'][:10]}".lower()).strip("-")
    run = f"{about['id']} {about['begun']}"
    before = rows_of(data / f"{name}.queue.csv")
    if (data / f"{name}.times.csv").exists() and (not before or before[0]["run"] != run):
        raise Failure(f"{data} has another run as {name}: give a --name")
    if not Times(results / "samples.csv").rows:
        raise Failure(f"{results}: nothing was timed")
    ends = {int(row["number"]): row for row in rows_of(results / "queue.csv")}
    data.mkdir(parents=True, exist_ok=True)
    table.keep(results / "samples.csv", name, data)
    kept: list[dict[str, object]] = [{**row, "run": run, "gpu": about["gpu"]} for _, row in sorted(ends.items())]
    table.write(data / f"{name}.queue.csv", ["run", "gpu", *QUEUE], kept)
    print(f"{card}, {about['gpu']}: kept as {name} in {data}")
    for what, columns in COPIED.items():
        rows = rows_of(results / f"{what}.csv")
        if rows:
            table.write(data / f"{name}.{what}.csv", columns, [dict(row) for row in rows])
            print(f"{len(rows)} rows of {what}")
    print(f"\n{'experiments':12} " + " ".join(f"{end:>8}" for end in ("done", "cut", "failed", "hung", "skipped")))
    for kind in dict.fromkeys(row["kind"] for row in ends.values()):
        counts = Counter(row["end"] for row in ends.values() if row["kind"] == kind)
        print(f"{kind:12} " + " ".join(f"{counts[end]:8}" for end in ("done", "cut", "failed", "hung", "skipped")))
    for row in ends.values():
        if row["end"] != "done" or row["why"] or row["left_out"]:
            print(f"{row['end']}: {row['kind']} of {row['kernel']}: {row['why']}{' without ' + row['left_out'] if row['left_out'] else ''}")
    known = codes(data, card, name)
    new = {(row["kernel"], row["code"]): row for row in rows_of(data / f"{name}.times.csv") if (row["kernel"], row["code"]) not in known}
    kernels = {kernel for kernel, _ in known}
    print(f"\nnew for this card: {len(new)} codes, {len({kernel for kernel, _ in new} - kernels)} kernels that had none")
    kept_run = table.Kept(name, data)
    print(f"stock's second cubin: median off by {kept_run.off:.4f}, 95 % within {kept_run.noise:.4f}")
    kept_run.show_variants("stock")
    return 0
