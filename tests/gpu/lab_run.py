"""Works the queue of an archive off, on the machine with the GPU, until it is empty or the time is over.

Problem. A kernel may fault, hang, or take longer than anybody thought; the machine may be taken away. None of that may cost what was measured, and
none may cost more than the time of that experiment.

Method. A worker process (worker.py) times one kernel after the other and says each block of samples as it comes. One that says nothing for as long as its
experiment allows, or that takes longer than its limit, is ended, and so is one that runs when the time is over. Its blocks are kept. If a variant
faults or hangs, that is said, and the experiment is made once more without it; if stock's does, the experiment has failed. ncu and whole programs are
processes of their own. The folder of results has, each row written when it is there:

    machine.json     the card, the driver, and what archive it was
    samples.csv      samples.py's rows
    counters.csv     by kernel, variant and name what ncu counted
    programs.csv     by program and build whether it ended well, seconds, milliseconds in kernels, a digest of what it printed
    queue.csv        the experiments that were begun or left out: how each ended, seconds, why

Ends: `done`; `cut`: the time was over, or the limit was reached, and what was measured till then is kept; `failed`, `hung`, with the reason; `skipped`: it needs
what is not there. A second run with the same folder goes on: experiments that are not in queue.csv, were cut or skipped.

Source. None. Deviation: none. Complexity: that of the experiments.
"""

from __future__ import annotations

import csv
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import lab_tools
from driver import CudaError, Driver, driver_version
from lab_queue import PARTS, Failure, minutes_and_seconds, read_made
from samples import Writer

QUEUE = ["number", "kind", "kernel", "part", "pass", "end", "seconds", "blocks", "left_out", "why"]
"""Columns of queue.csv: `left_out` names the variants that failed."""
AGAIN = ("cut", "skipped")
"""Ends after which the next run begins an experiment again: what was missing may be there by then."""
FAILED = ("failed", "hung", "skipped")
"""Ends after which those that come after it are left out."""


class Worker:
    """A process of worker.py that waits for experiments."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-u", str(folder / "worker.py"), "lab", str(folder)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        """Reads what it says; an empty line is its end."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def ask(self, number: int, left_out: list[str]) -> None:
        """Has it begin an experiment."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"number": number, "left_out": left_out}) + "\n")
        self.process.stdin.flush()

    def said(self, seconds: float) -> dict[str, Any] | None:
        """Waits for what it says next; `None` if it says nothing for so long."""
        try:
            line = self.lines.get(timeout=max(seconds, 0))
        except queue.Empty:
            return None
        if line:
            facts: dict[str, Any] = json.loads(line)
            return facts
        return {"died": self.process.wait()}

    def end(self) -> None:
        """Ends it."""
        self.process.kill()
        self.process.wait()


@dataclass
class Outcome:
    """How an experiment ended."""

    end: str
    why: str = ""
    blocks: int = 0
    left_out: list[str] = field(default_factory=list)


@dataclass
class Run:
    """A run of a queue."""

    folder: Path
    results: Path
    deadline: float
    made: dict[str, Any]
    machine: dict[str, str]
    writer: Writer
    worker: Worker | None = None
    tools: dict[str, str] = field(default_factory=dict)
    """By tool what is known of it, once it was looked for."""
    is_stopped: bool = False
    """Whether a signal ended it."""

    def left(self) -> float:
        """Finds how many seconds there are yet."""
        return self.deadline - time.monotonic()

    def close(self) -> None:
        """Ends the worker."""
        if self.worker is not None:
            self.worker.end()
            self.worker = None

    # ---- kernels

    def time(self, number: int, experiment: dict[str, Any], left_out: list[str]) -> Outcome:
        """Has a kernel timed, again without a variant that fails; writes its rows."""
        while True:
            got: dict[str, Any] = {"times": {}, "launches": 0, "clock": None}
            try:
                outcome = self.sample(number, experiment, left_out, got)
            except KeyboardInterrupt:
                self.close()
                self.is_stopped = True
                outcome = Outcome("cut", "stopped")
            failed: str = got.get("variant", "")
            if outcome.end in ("failed", "hung") and failed and failed != "stock" and self.left() > 0:
                left_out = [*left_out, failed]
                self.add(experiment, {"fault": f"{failed}: {outcome.why}"})
                continue
            break
        outcome.blocks = len(next(iter(got["times"].values()), []))
        outcome.left_out = left_out
        if got["times"]:
            self.add(experiment, got)
        elif outcome.end in ("failed", "hung"):
            self.add(experiment, {"fault": outcome.why})
        return outcome

    def add(self, experiment: dict[str, Any], facts: dict[str, Any]) -> None:
        """Writes rows of samples."""
        self.writer.add(self.made["jobs"][experiment["name"]], PARTS[experiment["kind"]], experiment["pass"], facts)

    def sample(self, number: int, experiment: dict[str, Any], left_out: list[str], got: dict[str, Any]) -> Outcome:
        """Asks the worker once; `got` has what it said."""
        if self.worker is None:
            self.worker = Worker(self.folder)
            if self.worker.said(min(experiment["silence"] + 30, self.left())) != {"ready": True}:
                self.close()
                return Outcome("cut", "the time is over") if self.left() <= 0 else Outcome("failed", "the worker does not begin")
        worker, limit = self.worker, time.monotonic() + experiment["limit"]
        worker.ask(number, left_out)
        while True:
            until = min(limit, self.deadline)
            facts = worker.said(min(experiment["silence"], until - time.monotonic()))
            now = time.monotonic()
            if facts is None or (now > until and "done" not in facts):
                self.close()
                if now >= self.deadline:
                    return Outcome("cut", "the time is over")
                if now >= limit:
                    return Outcome("cut" if got["times"] else "hung", f"more than {experiment['limit']} s")
                return Outcome("hung", f"says nothing for {experiment['silence']} s")
            if "died" in facts or "fault" in facts:
                self.close()
                return Outcome("failed", str(facts.get("fault", f"the process ended with {facts.get('died')}")))
            for variant, pair in facts.pop("times", {}).items():
                got["times"].setdefault(variant, []).append(pair)
            is_done = facts.pop("done", False)
            got |= facts
            if is_done:
                return Outcome("done")

    # ---- all

    def perform(self, number: int, experiment: dict[str, Any], left_out: list[str]) -> Outcome:
        """Makes an experiment."""
        if experiment["kind"] in PARTS:
            return self.time(number, experiment, left_out)
        # What others measure must not wait for a context of ours.
        self.close()
        seconds = min(experiment["limit"], self.left())
        if experiment["kind"] == "counters":
            what = lab_tools.count(self.folder, self.results, number, experiment, seconds, self.tools)
        else:
            what = lab_tools.programs(self.folder, self.results, self.made["programs"][experiment["name"]], experiment, seconds)
        end, why = what
        if end == "hung" and self.left() <= 0:
            end, why = "cut", "the time is over"
        return Outcome(end, why)


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Has SIGTERM and SIGHUP do what Ctrl-C does."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for one in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, stop)
    yield


def fits(made_for: str, gpu: str) -> bool:
    """Finds whether cubins for a processor run on another one: on the same, and newer ones of its generation."""
    made, there = made_for.removeprefix("sm_").rstrip("af"), gpu.removeprefix("sm_")
    return made[:-1] == there[:-1] and made[-1] <= there[-1]


def begin(folder: Path, results: Path, made: dict[str, Any]) -> dict[str, str]:
    """Looks at the machine; the columns that are the same in all rows. Results of another card or archive are not mixed with these."""
    try:
        driver = Driver()
        gpu, machine = driver.architecture(), {"card": driver.name(), "driver": driver_version() or f"CUDA {driver.version()}"}
    except CudaError as error:
        raise Failure(f"no GPU here ({error})") from error
    if not fits(made["gpu"], gpu):
        raise Failure(f"this GPU is {gpu}, and the archive is for {made['gpu']}: lab.py make --gpu {gpu}")
    machine |= made["tools"]
    path = results / "machine.json"
    there = {"id": made["id"], "gpu": gpu, "machine": machine}
    if path.exists():
        before = json.loads(path.read_text(encoding="utf-8"))
        if {name: before[name] for name in there} != there:
            raise Failure(f"{results} has results of another archive or card ({before['machine']['card']}): give another folder by --results")
    else:
        results.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".fresh")
        fresh.write_text(json.dumps({**there, "begun": time.strftime("%Y-%m-%d %H:%M")}, indent=1), encoding="utf-8")
        fresh.rename(path)
    print(f"{machine['card']}, {gpu}, driver {machine['driver']}; {len(made['queue'])} experiments", flush=True)
    return machine


def ends_before(path: Path) -> dict[int, dict[str, str]]:
    """Reads how experiments ended in the runs before, the last end of each."""
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return {int(row["number"]): row for row in csv.DictReader(whole.splitlines())}


def run(folder: Path, results: Path, deadline: float, kinds: list[str]) -> int:
    """Works the queue off; the exit status: 0 if the queue is empty or the time over, 130 if it was stopped."""
    folder, results = folder.resolve(), results.resolve()
    made = read_made(folder)
    machine = begin(folder, results, made)
    path = results / "queue.csv"
    ends = ends_before(path)
    with Writer(results / "samples.csv", machine, goes_on=True) as writer, path.open("a", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, QUEUE, restval="", lineterminator="\n")
        if not ends:
            rows.writeheader()
            file.flush()
        state = Run(folder, results, deadline, made, machine, writer)
        with stopped_by_signals():
            for number, experiment in enumerate(made["queue"]):
                if experiment["kind"] not in kinds or (number in ends and ends[number]["end"] not in AGAIN):
                    continue
                if state.left() <= 0 or state.is_stopped:
                    break
                begun = time.monotonic()
                after = ends.get(experiment["after"], {}) if experiment["after"] is not None else {}
                left_out = [one for one in after.get("left_out", "").split(";") if one in experiment["variants"]]
                if after.get("end") in FAILED:
                    outcome = Outcome("skipped", f"experiment {experiment['after']} {after['end']}")
                else:
                    try:
                        outcome = state.perform(number, experiment, left_out)
                    except KeyboardInterrupt:
                        state.is_stopped = True
                        outcome = Outcome("cut", "stopped")
                seconds = time.monotonic() - begun
                row = {
                    **{"number": number, "kind": experiment["kind"], "kernel": experiment["name"], "pass": experiment["pass"]},
                    **{"part": PARTS.get(experiment["kind"], ""), "end": outcome.end, "seconds": f"{seconds:.2f}"},
                    **{"blocks": outcome.blocks or "", "left_out": ";".join(outcome.left_out), "why": " ".join(outcome.why.split())},
                }
                rows.writerow(row)
                file.flush()
                os.fsync(file.fileno())
                ends[number] = {name: str(value) for name, value in row.items()}
                left = minutes_and_seconds(max(state.left(), 0))
                note = f" ({outcome.why})" if outcome.why else ""
                note += f" without {', '.join(outcome.left_out)}" if outcome.left_out else ""
                at = f"{number + 1:5} of {len(made['queue'])}, {left} left: {experiment['kind']:8} {experiment['name']}"
                print(f"{at}: {outcome.end}{note}, {seconds:.1f} s", flush=True)
        state.close()
    counts: dict[str, int] = {}
    for one in ends.values():
        counts[one["end"]] = counts.get(one["end"], 0) + 1
    counts["not begun"] = sum(number not in ends and one["kind"] in kinds for number, one in enumerate(made["queue"]))
    print(f"\n{results}: {', '.join(f'{count} {end}' for end, count in counts.items() if count)}")
    print("A run with the same folder goes on. To keep them: tests/gpu/lab.py merge FOLDER")
    return 130 if state.is_stopped else 0
