"""Has ncu count, and whole programs run, for an experiment of the laboratory.

Problem. What ncu and programs say has to become rows, and neither may run longer than it may.

Method. ncu is looked for where it is installed. It gets a process that launches each variant of a kernel once, so the rows of its table are those of the
variants in that order; sections are asked for, as their names, unlike those of counters, stay from one release to the next. A program's builds run by
turns, each in a fresh copy of its files. `libkernels.so` of the archive, loaded before it, sums the time in kernels (kernels.c).

Source. Nsight Compute CLI, "Command Line Options". Deviation: none. Complexity: that of the processes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SECTIONS = [
    *("SpeedOfLight", "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "MemoryWorkloadAnalysis_Tables", "SchedulerStats", "WarpStateStats"),
    *("InstructionStats", "LaunchStats", "Occupancy"),
]
COUNTERS = ["kernel", "variant", "name", "unit", "value"]
PROGRAMS = ["program", "build", "run", "status", "seconds", "kernel_ms", "kernels", "printed"]
RUNS = 3
"""How often each build of a program runs."""
PLACES = ["/usr/local/cuda*/bin/ncu", "/opt/nvidia/nsight-compute/*/ncu", "/usr/local/NVIDIA-Nsight-Compute*/ncu"]
NUMBER = re.compile(r"\d+(\.\d*)?([eE][-+]?\d+)?")

End = tuple[str, str]
"""How an experiment ended, and why."""


def process(command: list[str], seconds: float, folder: Path, variables: dict[str, str]) -> tuple[int | None, str]:
    """Runs a program and what it starts; its status, `None` if it was ended for taking too long, and what it printed."""
    with tempfile.TemporaryFile() as out:
        started = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
        status: int | None = None
        try:
            status = started.wait(max(seconds, 0.1))
        except subprocess.TimeoutExpired:
            pass
        finally:
            if status is None:
                os.killpg(started.pid, signal.SIGKILL)
                started.wait()
        out.seek(0)
        return status, out.read(4 << 20).decode(errors="replace")


def append(path: Path, columns: list[str], rows: list[dict[str, object]]) -> None:
    """Writes rows."""
    is_new = not path.exists() or not path.stat().st_size
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


# ---- counters


def find_ncu() -> str:
    """Finds ncu; empty if it is not there."""
    found = shutil.which("ncu")
    for place in PLACES if not found else []:
        first, _, pattern = place[1:].partition("/")
        there = sorted(Path("/" + first).glob(pattern))
        if there:
            return str(there[-1])
    return found or ""


def counted(text: str, variants: list[str], kernel: str) -> list[dict[str, object]]:
    """Reads the table of ncu's page `raw`: a row of units after the header, then one for each launch."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return []
    header, units, *launches = csv.reader(io.StringIO("\n".join(lines[start:])))
    rows: list[dict[str, object]] = []
    for variant, launch in zip(variants, launches, strict=False):
        for name, unit, value in zip(header, units, launch, strict=True):
            if "__" in name and value:
                rows.append({"kernel": kernel, "variant": variant, "name": name, "unit": unit, "value": value.replace(",", "")})
    return rows


def count(folder: Path, results: Path, number: int, experiment: dict[str, Any], seconds: float, tools: dict[str, str]) -> End:
    """Has ncu count for an experiment."""
    if "ncu" not in tools:
        tools["ncu"] = find_ncu()
    if not tools["ncu"]:
        return "skipped", "no ncu on this machine"
    if "no counters" in tools:
        return "skipped", tools["no counters"]
    sections = [word for one in SECTIONS for word in ("--section", one)]
    command = [tools["ncu"], "--csv", "--page", "raw", "--print-units", "base", *sections]
    command += [sys.executable, str(folder / "worker.py"), "once", str(folder), str(number)]
    status, text = process(command, seconds, folder, {})
    if status is None:
        return "hung", f"ncu: more than {seconds:.0f} s"
    if "ERR_NVGPUCTRPERM" in text:
        tools["no counters"] = "this user may not read the GPU's counters (ERR_NVGPUCTRPERM)"
        return "skipped", tools["no counters"]
    rows = counted(text, experiment["variants"], experiment["name"])
    if status or len({row["variant"] for row in rows}) != len(experiment["variants"]):
        return "failed", f"ncu: status {status}: {text.strip()[-300:]}"
    append(results / "counters.csv", COUNTERS, rows)
    return "done", ""


# ---- whole programs


def shape_of(text: str) -> str:
    """Gives a digest of what a program printed without its numbers, which may be times."""
    return hashlib.sha256(NUMBER.sub("#", text).encode()).hexdigest()[:16]


def programs(folder: Path, results: Path, program: dict[str, Any], experiment: dict[str, Any], seconds: float) -> End:
    """Runs the builds of a program by turns."""
    until = time.monotonic() + seconds
    name = experiment["name"]
    shown = results / "programs"
    shown.mkdir(exist_ok=True)
    wrong: list[str] = []
    for turn in range(RUNS):
        for build in experiment["variants"]:
            if build in wrong:
                continue
            left = until - time.monotonic()
            if left <= 0:
                return ("cut" if turn else "hung"), f"more than {seconds:.0f} s"
            with tempfile.TemporaryDirectory() as place:
                files = Path(place) / "files"
                if program["files"]:
                    shutil.copytree(folder / program["files"], files)
                else:
                    files.mkdir()
                summed = Path(place) / "kernels"
                libraries = os.pathsep.join(filter(None, [str(folder / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]))
                variables = {"LD_LIBRARY_PATH": libraries, "LAB_KERNELS": str(summed)}
                if (folder / "lib" / "libkernels.so").exists():
                    variables["LD_PRELOAD"] = str(folder / "lib" / "libkernels.so")
                begun = time.monotonic()
                command = [str(folder / program["builds"][build]), *program["arguments"]]
                status, text = process(command, left, files, variables)
                taken = time.monotonic() - begun
                kernels: dict[str, list[float]] = json.loads(summed.read_text(encoding="utf-8")) if summed.exists() else {}
            row: dict[str, object] = {"program": name, "build": build, "run": turn, "seconds": f"{taken:.3f}", "printed": shape_of(text)}
            row["status"] = "hung" if status is None else status
            if kernels:
                row["kernel_ms"] = f"{sum(one[1] for one in kernels.values()):.4f}"
                row["kernels"] = ";".join(f"{kernel} {count:.0f} {time:.4f}" for kernel, (count, time) in kernels.items())
            append(results / "programs.csv", PROGRAMS, [row])
            (shown / f"{name}.{build}.{turn}.txt").write_text(text[:20000], encoding="utf-8")
            if status != 0:
                wrong.append(build)
    if len(wrong) == len(experiment["variants"]):
        return "failed", "no build ends with status 0"
    return "done", f"status of {', '.join(wrong)} is not 0" if wrong else ""
