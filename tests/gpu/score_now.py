"""Tells what the code that the plugin makes now takes on a GPU, where that very code was measured once.

    python3 tests/gpu/score_now.py VERSION [--plugin FILE] [--more FILE] [--option OPTION]...      VERSION is LLVM's

Problem. A rule changes which code a kernel gets. Often it is a code that another setting gave when times were taken, so its time is known, and no GPU
is needed to see what the rule gives. The control, stock's own -disable-lsr, stands beside it, on the same kernels.

Method. Each kernel of launches.py and --more is compiled, and its machine code looked for in tests/gpu/data by its digest: the ratio is the geometric mean
over the runs that have it, 1 for stock's code. A code that was never measured is counted and named, never guessed.

Source. None. Deviation: none. Complexity: the compilations.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import table
from lab_queue import Failure
from launches import ROOT, all_timed
from plan import Setting
from run import machine_code
from samples import geometric_mean
from score import pairs_of, runs_of
from score_make import Search

PART = 0.01
"""How far from 1 a ratio counts as faster or slower."""


def known_ratios(data: Path) -> dict[str, dict[str, float]]:
    """Gives by kernel and code the measured ratio to stock's time."""
    found: dict[str, dict[str, float]] = {}
    runs = runs_of(data)
    for pair in pairs_of(runs):
        of = found.setdefault(pair.kernel, {})
        of[pair.stock] = 1.0
        of[pair.code] = pair.measured
    for rows in runs:
        for row in rows:
            if row["variant"] == "stock":
                found.setdefault(row["kernel"], {}).setdefault(row["code"], 1.0)
    return found


def look_up(search: Search, known: dict[str, dict[str, float]], setting: Setting) -> tuple[dict[str, float], list[str]]:
    """Compiles the kernels that `known` names. Gives the ratio of each whose code was measured, and the names of the others."""
    ratios: dict[str, float] = {}
    unknown = []
    compiler = search.compiler
    for timed in all_timed(search.folder):
        if timed.name not in known:
            continue
        gpu = compiler.gpu if timed.cpu == "sm_80" else timed.cpu
        cubin = compiler.cubin(compiler.ptx(compiler.ir(timed.source, "2"), timed.cpu, setting), gpu)
        code = compiler.run.digest(machine_code((search.folder / cubin).read_bytes(), timed.kernel))
        if code in known[timed.name]:
            ratios[timed.name] = known[timed.name][code]
        else:
            unknown.append(timed.name)
    return ratios, unknown


def total(ratios: dict[str, float]) -> str:
    """The number of kernels, their mean, and how many are faster and slower."""
    faster, slower = (sum(ratio < 1 - PART for ratio in ratios.values()), sum(ratio > 1 + PART for ratio in ratios.values()))
    return f"{len(ratios)} kernels: {geometric_mean(list(ratios.values())):.4f}, {faster} faster by 1 %, {slower} slower"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compiles, looks up, prints."""
    parser = argparse.ArgumentParser(description="Tells what the code that the plugin makes now takes, where it was measured once.")
    parser.add_argument("version", help="the LLVM: build/llvm-VERSION")
    parser.add_argument("--plugin", type=Path, metavar="FILE", help="the build of the plugin (that of build/lib)")
    parser.add_argument("--more", type=Path, metavar="FILE", help="a table of further launches (launches.py)")
    parser.add_argument("--option", action="append", default=[], help="a further option of llc's; may be repeated")
    parser.add_argument("--gpu", default="sm_90", help="the processor to assemble for (%(default)s)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "gpu" / "now", help="where what is made is (build/gpu/now)")
    parser.add_argument("--data", type=Path, default=table.DATA, help="what was measured (tests/gpu/data)")
    options = parser.parse_args(arguments)
    folder = options.folder.resolve()
    (folder / "cubins").mkdir(parents=True, exist_ok=True)
    (folder / "more.py").unlink(missing_ok=True)
    if options.more is not None:
        shutil.copy(options.more, folder / "more.py")
    plugin = options.plugin or ROOT / "build" / "lib" / f"libptxpasses-{options.version}.so"
    try:
        search = Search(options, folder, plugin.resolve())
        known = known_ratios(options.data)
    except Failure as failure:
        print(f"score_now.py: {failure}", file=sys.stderr)
        return 2
    now, unknown = look_up(search, known, Setting(True, tuple(options.option)))
    control, _ = look_up(search, {name: known[name] for name in now}, Setting(False, ("-disable-lsr",)))
    for name, ratio in sorted(now.items(), key=lambda one: one[1]):
        if abs(ratio - 1) > PART:
            print(f"{ratio:7.3f}  {name}")
    print(f"{total(now)} of stock's time as measured")
    print(f"{len(unknown)} have a code that was never measured: {', '.join(unknown) or 'none'}")
    print(f"the control, stock with -disable-lsr, where its code was measured too: {total(control)}; these with the plugin: {total({name: now[name] for name in control})}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
