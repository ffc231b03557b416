"""Shows that every seeded bug is found (requirement K1).

    run.py MAJOR LLC PLUGIN [--first] [NAME]...

PLUGIN is built from table.py's copy of the sources. Each bug of the table, or each of a stage NAME or whose name contains NAME, is
run on its set of inputs (INPUTS), under the symbolic checker and under LLVM's verifier, each alone. The finder that the table names must
report it on one input at least; an assertion of the pass does not count. Without a bug nothing may be reported. With --first a bug runs
under its finder alone, and no longer than until that reports it: whether all are found is known in half of the time.
"""

from __future__ import annotations

import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import table

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIT = os.path.join(ROOT, "tests", "lit")
HELPERS = os.path.join(LIT, "Inputs")
NVPTX = ["-march=nvptx64", "-mcpu=sm_80"]
X86 = ["-mtriple=x86_64", "-ptx-all-targets"]
ARM = ["-mtriple=thumbv8.1m.main-none-eabi", "-mattr=+mve.fp", "-ptx-all-targets"]
ORACLE_OF = {"checker": "-ptx-verify", "verifier": "-verify-machineinstrs"}
"""The option of each finder that the table may name."""
ORACLES = list(ORACLE_OF.values())

Arguments = list[str]


class Inputs:
    """Makes llc's arguments for each set of inputs."""

    def __init__(self, major: str, folder: str) -> None:
        self.major = major
        self.folder = folder

    def script(self, name: str, *arguments: str, text: str | None = None) -> str:
        """Runs a script of tests/lit/Inputs and returns its output."""
        command = [sys.executable, os.path.join(HELPERS, name), *arguments]
        return subprocess.run(command, input=text, capture_output=True, check=True, text=True).stdout

    def translated(self, text: str, name: str) -> str:
        """Writes machine code in the opcode names of this LLVM; returns the file's path."""
        path = os.path.join(self.folder, name.replace("/", "-"))
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.script("mir.py", self.major, text=text))
        return path

    def mir(self, name: str) -> str:
        """A test's machine code; see translated()."""
        with open(os.path.join(LIT, name), encoding="utf-8") as f:
            return self.translated(f.read(), name)

    def random(self, seeds: list[int], *options: str) -> list[str]:
        """Random functions as machine code; see random-mir.py."""
        return [
            self.translated(self.script("random-mir.py", str(seed), *options), f"random{seed}.mir") for seed in seeds
        ]

    def tests(self, *names: str) -> Iterator[Arguments]:
        """Tests in LLVM's IR."""
        for name in names:
            yield [*NVPTX, os.path.join(LIT, name)]

    def examples(self) -> Iterator[Arguments]:
        """The examples in LLVM's IR."""
        folder = os.path.join(ROOT, "examples")
        for name in sorted(os.listdir(folder)):
            if name.endswith(".ll"):
                yield [*NVPTX, os.path.join(folder, name)]

    def machine_code(self) -> Iterator[Arguments]:
        """What the passes that LLVM has, too, are run on."""
        passes = "-run-pass=livevars,phi-node-elimination,twoaddressinstruction,liveintervals,register-coalescer"
        yield from self.examples()
        for path in self.random([1, 2, 3, 4]):
            for run in [passes, "-run-pass=twoaddressinstruction", "-run-pass=liveintervals,twoaddressinstruction"]:
                yield [*NVPTX, run, path]
        for path in self.random([21, 22, 23], "phis"):
            yield [*NVPTX, passes, path]
        for name in ["coalescer/values.mir", "coalescer/interference.mir", "coalescer/undef.mir"]:
            yield [*NVPTX, "-run-pass=register-coalescer", self.mir(name)]
        for name in ["phi-elim/lowering.mir", "phi-elim/shared.mir"]:
            yield [*NVPTX, passes, self.mir(name)]
        for name in ["two-address/reschedule.mir", "two-address/groups.mir", "two-address/t8-live-variables.mir"]:
            yield [*NVPTX, "-run-pass=livevars,twoaddressinstruction", self.mir(name)]
        for name in ["two-address/t4-subregs.mir", "two-address/t2-commute.mir"]:
            yield ["-ptx-all-targets", "-run-pass=livevars,twoaddressinstruction", os.path.join(LIT, name)]
        yield from self.other_targets()

    def other_targets(self) -> Iterator[Arguments]:
        """Code of other targets, which have physical registers before register allocation."""
        for target, names in [(X86, ["host-ops.ll", "vector-ops.ll"]), (ARM, ["vector-ops.ll"])]:
            for name in names:
                yield [*target, os.path.join(HELPERS, name)]

    def emitter(self) -> Iterator[Arguments]:
        """What the emitter does beyond LLVM's."""
        for row in ["e11-dead-results", "e12-asm-operands", "e13-asm-results", "e14-parameters"]:
            yield [*NVPTX, "-O0", os.path.join(LIT, "emitter", f"{row}.ll")]
        yield from self.tests("emitter/e11-copies.ll")
        yield from self.examples()
        yield from self.other_targets()

    def all_tests(self, name: str, *options: str) -> Iterator[Arguments]:
        """All tests of a stage."""
        for file in sorted(os.listdir(os.path.join(LIT, name))):
            path = os.path.join(LIT, name, file)
            if file.endswith(".ll") and self.suits(path):
                yield [*self.target(path), *options, path]

    def target(self, path: str) -> Arguments:
        """The processor and features that a test asks for where it asks for a processor newer than ours."""
        with open(path) as f:
            run = next((line for line in f if "RUN:" in line), "")
        if "-mcpu=sm_90" not in run:
            return NVPTX
        return [flag for flag in run.split() if flag.startswith(("-mcpu=", "-mattr="))] + ["-march=nvptx64"]

    def suits(self, path: str) -> bool:
        """Whether this LLVM is new enough for a test."""
        with open(path) as f:
            needed = re.findall(r"REQUIRES: llvm-(\d+)-up", f.read())
        return all(int(self.major) >= int(version) for version in needed)

    def cssa(self) -> Iterator[Arguments]:
        """The stage cssa, by both of its methods."""
        passes = "-run-pass=livevars,phi-node-elimination,twoaddressinstruction"
        code = [self.mir("cssa/c8-tied.mir"), self.mir("cssa/c8-kills.mir"), *self.random([21, 22, 23], "phis")]
        for method in ["-usedessa=1", "-usedessa=2"]:
            options = [*NVPTX, method]
            yield [*options, os.path.join(LIT, "cssa/c8-copies.ll")]
            for path in code:
                yield [*options, passes, path]

    def coalescer_mir(self, name: str) -> Callable[[], Iterator[Arguments]]:
        """Both coalescers on one test's machine code."""
        return lambda: iter([[*NVPTX, "-run-pass=register-coalescer,nvptx-coalescer", self.mir(name)]])

    def of(self, inputs: str) -> list[Arguments]:
        """The set of this name."""
        sets: dict[str, Callable[[], Iterator[Arguments]]] = {
            "machine-code": self.machine_code,
            "emitter": self.emitter,
            "short-addresses": lambda: self.all_tests("short-addresses"),
            "fold-addresses": lambda: self.all_tests("fold-addresses"),
            "flush": lambda: self.all_tests("flush"),
            "ptxas-errata": lambda: self.all_tests("ptxas-errata"),
            "wide-phis": lambda: self.all_tests("wide-phis"),
            "hoist": lambda: self.all_tests("hoist", "-maxreg=63"),
            "sink": lambda: self.all_tests("sink", "-disable-machine-sink", "-maxreg=63"),
            "bit-fields": lambda: self.all_tests("bit-fields"),
            "induction": lambda: self.all_tests("induction", "-disable-lsr"),
            "remat": lambda: self.all_tests("remat"),
            "cssa": self.cssa,
            "implicit-defs": self.coalescer_mir("coalescer/implicit-def-read.mir"),
            "parallel": lambda: self.tests("nvptx-coalescer/parallel-copies.ll"),
            "conversions": lambda: self.tests("nvptx-coalescer/c4-conversions.ll"),
            "moves": lambda: self.all_tests("wide-phis"),
            "constants": self.coalescer_mir("nvptx-coalescer/c9-constants.mir"),
            "equal-constants": self.coalescer_mir("nvptx-coalescer/c5-equal-constants.mir"),
            "pairs": self.coalescer_mir("nvptx-coalescer/c3-pairs.mir"),
            "redundant": self.coalescer_mir("nvptx-coalescer/c9-redundant.mir"),
        }
        return list(sets[inputs]())


class Runner:
    """Runs llc with one bug, or none."""

    def __init__(self, llc: str, plugin: str) -> None:
        self.llc = llc
        self.plugin = plugin

    def run(self, profile: str, bug: str | None, oracle: str, arguments: Arguments) -> tuple[bool, str | None]:
        """Returns whether the bug was met, and who reported it."""
        environment = {name: value for name, value in os.environ.items() if name != "PTX_MUTATION"}
        if bug:
            environment["PTX_MUTATION"] = bug
        command = [self.llc, "-load", self.plugin, f"-ptx-profile={profile}", oracle, "-o", os.devnull, *arguments]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", env=environment, timeout=60, check=False
            )
        except subprocess.TimeoutExpired:
            return True, "does not end"
        met = "seeded bug met" in done.stderr
        if ": miscompiled: " in done.stderr:
            return met, "checker"
        if "Bad machine code" in done.stderr:
            return met, "verifier"
        if "internal error" in done.stderr:
            return met, "assertion"
        return met, "crash" if done.returncode else None

    def clean(self, profile: str, arguments: Arguments) -> tuple[list[str], str | None]:
        """Runs without a bug: returns the oracles that report nothing, and an error if the checker reports something.

        Some inputs have faults of their own that the verifier reports.
        """
        said = {oracle: self.run(profile, None, oracle, arguments) for oracle in ORACLES}
        error = None
        if said["-ptx-verify"] != (False, None):
            error = f"without a bug: {profile}, {' '.join(arguments)}: {said}"
        return [oracle for oracle in ORACLES if said[oracle][1] is None], error

    def hunt(
        self, bug: table.Bug, work: list[tuple[Arguments, list[str]]], is_first_enough: bool
    ) -> tuple[int, collections.Counter[str]]:
        """Runs a bug on its inputs: returns how often it was met, and how often each finder reported it.

        If the first report is enough, under its finder alone, and until that reports it.
        """
        met, found = 0, collections.Counter[str]()
        for arguments, oracles in work:
            for oracle in oracles:
                if is_first_enough and oracle != ORACLE_OF[bug.finder]:
                    continue
                was_met, said = self.run(bug.profile, bug.name, oracle, arguments)
                met += was_met
                if said:
                    found[said] += 1
                if is_first_enough and said == bug.finder:
                    return met, found
                if not was_met:
                    break
        return met, found



def main() -> int:
    major, llc, plugin, *wanted = sys.argv[1:]
    is_first_enough = "--first" in wanted
    wanted = [word for word in wanted if word != "--first"]
    stages = {bug.stage for bug in table.BUGS}
    chosen = [
        bug
        for bug in table.BUGS
        if bug.min_llvm <= int(major) <= bug.max_llvm
        and (not wanted or any(bug.stage == w if w in stages else w in bug.name for w in wanted))
    ]
    if not chosen:
        print(f"no seeded bug's name contains {' or '.join(wanted)}; tests/mutations/table.py has them all")
        return 1
    runner, failed = Runner(llc, plugin), []
    by_finder = collections.Counter[str]()
    threads = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)))
    with tempfile.TemporaryDirectory() as folder, threads as pool:
        inputs = Inputs(major, folder)
        work: dict[tuple[str, str], list[tuple[Arguments, list[str]]]] = {}
        for key in sorted({(bug.profile, bug.inputs) for bug in chosen}):
            arguments = inputs.of(key[1])
            results = list(pool.map(runner.clean, [key[0]] * len(arguments), arguments))
            failed += [error for _, error in results if error]
            work[key] = [(a, oracles) for a, (oracles, _) in zip(arguments, results, strict=True)]
        print(f"{'seeded bug':<70} {'met':>5}  {'checker':>7}  {'verifier':>8}  {'otherwise':>9}")
        hunts = pool.map(lambda bug: runner.hunt(bug, work[bug.profile, bug.inputs], is_first_enough), chosen)
        for bug, (met, found) in zip(chosen, hunts, strict=True):
            others = found["assertion"] + found["crash"] + found["does not end"]
            print(f"{bug.name:<70} {met:>5}  {found['checker']:>7}  {found['verifier']:>8}  {others:>9}", flush=True)
            by_finder["checker" if found["checker"] else "verifier" if found["verifier"] else "none"] += 1
            if not met:
                failed.append("never met: " + bug.name)
            elif not found[bug.finder]:
                failed.append(f"not found by the {bug.finder}: {bug.name}")
    print(
        f"{len(chosen)} seeded bugs: {by_finder['checker']} found by the checker, "
        f"{by_finder['verifier']} by the verifier{'' if is_first_enough else ' alone'}"
    )
    for why in failed:
        print("FAILED: " + why)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
