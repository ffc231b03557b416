"""Runs the lit tests of each row of docs/requirements.md with the row left out; each must fail.

    rows.py N PLUGIN [ROW]...

N is an LLVM version, PLUGIN the folder of the plugin's builds. The plugin lists the rows that it can leave out
(`-ptx-without=help`); without ROW it is all of them. The tests of a row are those whose names begin with it: e11-*.ll for E11,
c4-order*.ll for C4.order. A row without a test is an error unless the plugin's list has a reason why it changes no code. `-ptx-without=ROW`
is the seeded bug "the feature is not there"; this shows that a test finds it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = (".ll", ".mir", ".test", ".c", ".cl")


@dataclass(frozen=True)
class Row:
    """A row that can be left out."""

    name: str
    """As -ptx-without has it."""
    has_reason: bool
    """It is said why it changes no code."""

    @property
    def prefix(self) -> str:
        """What the names of its tests begin with."""
        return self.name.lower().replace(".", "-")


def rows(llc: Path, plugin: Path) -> list[Row]:
    """Those that have a switch, as the plugin lists them."""
    command: list[str | Path] = [llc, "-load", plugin / "libptxpasses.so", "-ptx-without=help"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [line.split(maxsplit=1) for line in text.splitlines()]
    return [Row(name, "; no code changes: " in rest) for name, rest in lines if not rest.startswith("no switch: ")]


def tests_by_row(all_rows: list[Row], tests: list[Path]) -> dict[Row, list[Path]]:
    """The tests of each row. One whose name fits two rows is of that with the longer name: c4-order.ll is of C4.order, not of C4."""
    found: dict[Row, list[Path]] = {row: [] for row in all_rows}
    for test in tests:
        fits = [row for row in all_rows if test.stem == row.prefix or test.stem.startswith(row.prefix + "-")]
        if fits:
            found[max(fits, key=lambda row: len(row.prefix))].append(test)
    return found


def complaints(row: Row, tests: list[Path], version: str, plugin: Path) -> tuple[list[str], int]:
    """What is wrong with the tests of a row, and how many failed as they should. Those that this LLVM version does not run are nothing."""
    if not tests:
        return ([] if row.has_reason else [f"{row.name}: no lit test is named {row.prefix}-*"]), 0
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        command: list[str | Path] = [ROOT / f"build/llvm-{version}/bin/lit", "-q", "-j1", "--ignore-fail", "-o", results]
        for param in [f"llvm={version}", f"lib={plugin}", f"without={row.name}"]:
            command += ["--param", param]
        run = subprocess.run([*command, *tests], capture_output=True, text=True)
        if run.returncode != 0 or not results.exists():
            return [f"{row.name}: lit fails: {run.stdout}{run.stderr}"], 0
        codes = {test["name"]: test["code"] for test in json.loads(results.read_text())["tests"]}
    if len(codes) != len(tests):
        return [f"{row.name}: {len(tests)} tests, but lit runs {len(codes)}"], 0
    wrong = [f"{row.name}: without it {name} gives {code}" for name, code in codes.items() if code not in ("FAIL", "UNSUPPORTED")]
    return wrong, sum(code == "FAIL" for code in codes.values())


def main() -> int:
    """Returns the exit status."""
    version, plugin, names = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3:]
    all_rows = rows(ROOT / f"build/llvm-{version}/bin/llc", plugin)
    if unknown := set(names) - {row.name for row in all_rows}:
        sys.exit(f"no row {', '.join(sorted(unknown))} with a switch; there are {', '.join(row.name for row in all_rows)}")
    tests = sorted(test for test in (ROOT / "tests/lit").rglob("*") if test.suffix in SUFFIXES and "Inputs" not in test.parts)
    by_row = {row: own for row, own in tests_by_row(all_rows, tests).items() if not names or row.name in names}
    with ThreadPoolExecutor(cpu_count()) as pool:
        outcomes = list(pool.map(lambda item: complaints(item[0], item[1], version, plugin), by_row.items()))
    wrong = [line for outcome in outcomes for line in outcome[0]]
    print("\n".join(wrong), end="\n" if wrong else "")
    # In the form of lit, for the counts of scripts/test.
    print(f"  Passed: {sum(outcome[1] for outcome in outcomes)}\n  Failed: {len(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
