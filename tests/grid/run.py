"""Runs kernels whose results a host compiler has computed: stock's PTX and ours must give the same bytes.

    run.py VERSION [--plugin SO] [--settings NAME,...] [--levels 1,2,3] [--sass CPU,...] [--sanitize | --compile] [NAME...]

Problem. Comparing our PTX with stock's finds no fault that both have, and none in how they are compared. Here the expected bytes come
from another compiler.

Method. Each source of tests/grid/adversarial is compiled natively, by g++; that program runs its kernels on the host, and writes the launches with
the memory expected after them (grid.h). Then the device code is compiled by build/llvm-VERSION's clang at each level, and by llc with each
of SETTINGS. Device code is the same source (NAME.cu), or IR that no C++ gives, beside a host source (NAME.ll, NAME.cpp). Equal PTX
is run once, by `ptx-compare grid`; so is equal IR of several levels; ptxas must accept it, where there is one.

The last line counts the pairs of source and setting that passed and failed. The exit status is 1 if one failed, 2 if nothing could be run.

    --settings   only these; `list` prints all of them
    --sanitize   runs the native side alone, under UBSan
    --sass       runs each text as the machine code that ptxas makes of it, too; SASS_DIFFERS names what must differ
    --compile    compiles everything, and has ptxas read it, but runs nothing

Source. None. Deviation: none. Complexity: sources times levels times settings, less what is equal.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from ptx_text import code_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "grid"
ARCH = ["-march=nvptx64", "-mcpu=sm_80", "-mattr=+ptx70"]
CLANG = [
    *("-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "--cuda-feature=+ptx70"),
    *("-S", "-emit-llvm", "-std=c++17", "-ffp-contract=off", "-fno-strict-aliasing", "-Wall", "-Werror"),
]
NATIVE = ["g++", "-x", "c++", "-std=c++20", "-Wall", "-Werror", "-no-pie", "-fno-pie", "-ffp-contract=off", "-fno-strict-aliasing"]

TIMEOUT = 300
"""Seconds that a program may take."""

# The passes that are run alone, and the stages, each with the pass that it runs before.
ALONE = {
    **{name: name for name in ["emitter", "livevars", "phi-elim", "two-address", "liveintervals", "coalescer", "nvptx-coalescer", "equal-phis", "early-loads", "loop-branches"]},
    **{name: f"livevars,{name}" for name in ["short-addresses", "fold-addresses", "induction", "flush", "wide-phis", "hoist", "remat", "sink", "bit-fields"]},
    "cssa": "phi-elim,cssa",
}

# The options of llc by the name of the setting; those of stock have no plugin.
STOCK: dict[str, list[str]] = {
    "stock": [],
    "stock-nolsr": ["-disable-lsr"],
}
OURS: dict[str, list[str]] = {
    "default": [],
    "upstream": ["-ptx-profile=upstream"],
    **{name: [f"-ptx-passes={passes}"] for name, passes in ALONE.items()},
    "hoist-maxreg": ["-ptx-passes=livevars,hoist", "-maxreg=16"],
    "remat-maxreg": ["-ptx-passes=livevars,remat", "-maxreg=16"],
    "sink-maxreg": ["-ptx-passes=livevars,sink", "-maxreg=16"],
    "maxreg": ["-maxreg=16"],
    "nolsr": ["-disable-lsr"],
    "nolsr-maxreg": ["-disable-lsr", "-maxreg=16"],
    "dessa-0": ["-usedessa=0"],
    "dessa-1": ["-usedessa=1"],
    "dessa-2": ["-usedessa=2"],
    "pressure": ["-ptx-emit-order=pressure"],
    "nounroll": ["-ptx-nounroll=all"],
    "divisions": ["-ptx-divisions"],
    "fast": ["-ptx-fast-compile"],
}
SETTINGS = {**STOCK, **OURS}


SASS_DIFFERS = {
    "many_predicates": ("", "ptxas 13.0.88 takes an unsigned comparison for a signed one (docs/measured.md)"),
    "frozen": ("", "a `freeze` of `undef` is a register that nothing writes: ptxas lets each reader find something else (docs/measured.md)"),
    "lists": ("sm_80 sm_86 sm_89", "a list in shared memory begins at address 0, where it ends for the kernel"),
    "offsets_at_the_edge": ("sm_120", "ptxas 13.0.88 adds 2^31 to the lower word of a pair alone (docs/comparing.md)"),
}
"""Kernels whose machine code may leave other memory than their PTX: for which processors (all, if none is named), and why."""
SASS_BUDGET = 100_000_000
"""Instructions that the threads of a launch may run as machine code."""


@dataclass
class Text:
    """One PTX text of a source, and who gave it."""

    path: Path
    settings: list[str] = field(default_factory=list)


@dataclass
class Outcome:
    """How a source did."""

    name: str
    failed: dict[str, str] = field(default_factory=dict)
    """By setting, the first thing that went wrong."""
    num_texts: int = 0
    num_launches: int = 0
    sass: Counter[str] = field(default_factory=Counter)
    """How launches of machine code ended, by processor and reason."""
    changed: set[str] = field(default_factory=set)
    """The settings that give another PTX than stock, at some level."""


class Failure(Exception):
    """A program failed; says which and how."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.status = status
        """Its exit status; -1 if it took too long."""


def call(command: list[str], **variables: str) -> str:
    """Runs a program; its output."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, env={**os.environ, **variables}, check=False)
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{' '.join(command)}: more than {TIMEOUT} seconds", -1) from error
    if done.returncode != 0:
        tail = (done.stderr.strip() or done.stdout.strip())[-2000:]
        raise Failure(f"{' '.join(command)}: status {done.returncode}\n{tail}", done.returncode)
    return done.stdout


def digest(*parts: str | bytes) -> str:
    """A name for content."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(part.encode() if isinstance(part, str) else part)
        hashed.update(b"\0")
    return hashed.hexdigest()[:16]


def host_source(source: Path) -> Path:
    """The source that computes the expected results."""
    return source.with_suffix(".cpp") if source.suffix == ".ll" else source


def make_launches(source: Path, sanitize: bool) -> Path:
    """Compiles the host's program and runs it, unless that was done; the launch file."""
    host = host_source(source)
    flags = [*NATIVE, *(["-O0", "-g", "-fsanitize=undefined", "-fno-sanitize-recover=all"] if sanitize else ["-O1", "-fwrapv"])]
    version = call(["g++", "--version"])
    key = digest(host.read_bytes(), (HERE / "grid.h").read_bytes(), version, *flags)
    folder = WORK / "launches" / f"{source.stem}-{key}"
    launch = folder / f"{host.stem}.launch"
    if not launch.exists():
        program = WORK / "native" / f"{source.stem}-{key}-{os.getpid()}"
        fresh = folder.with_name(f"{folder.name}.{os.getpid()}")
        for new in (program.parent, fresh):
            new.mkdir(parents=True, exist_ok=True)
        try:
            call([*flags, str(host), "-o", str(program)])
            call([str(program), str(fresh)])
        finally:
            program.unlink(missing_ok=True)
        fresh.rename(folder)
    return launch


def make_ir(source: Path, version: str, level: str) -> Path:
    """Compiles the device's code, unless that was done; the IR."""
    if source.suffix == ".ll":
        return source
    flags = [*CLANG, f"-O{level}"]
    key = digest(source.read_bytes(), (HERE / "grid.h").read_bytes(), *flags)
    ir = WORK / version / f"{source.stem}.O{level}.{key}.ll"
    if not ir.exists():
        ir.parent.mkdir(parents=True, exist_ok=True)
        fresh = ir.with_suffix(f".{os.getpid()}")
        call([str(ROOT / "build" / f"llvm-{version}" / "bin" / "clang"), *flags, str(source), "-o", str(fresh)])
        fresh.rename(ir)
    return ir


class Runner:
    """Runs sources with one LLVM."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.version: str = arguments.version
        self.plugin: str = arguments.plugin
        self.settings: list[str] = arguments.settings
        self.levels: list[str] = arguments.levels
        self.is_compile_only: bool = arguments.compile
        self.llc = str(ROOT / "build" / f"llvm-{self.version}" / "bin" / "llc")
        self.ptxas = ROOT / "build" / "cuda" / "bin" / "ptxas"
        self.interpreter = arguments.interpreter
        self.sass: list[str] = arguments.sass

    def options(self, setting: str) -> list[str]:
        """The options of a setting."""
        loading = [] if setting in STOCK else ["-load", self.plugin]
        return [*ARCH, *loading, *SETTINGS[setting]]

    def compile(self, source: Path, outcome: Outcome) -> list[Text]:
        """Compiles a source with each setting at each level; the texts, each once."""
        texts: dict[str, Text] = {}
        levels = self.levels if source.suffix == ".cu" else self.levels[:1]
        done: set[str] = set()
        for level in levels:
            try:
                ir = make_ir(source, self.version, level)
            except Failure as failure:
                outcome.failed.update((setting, str(failure)) for setting in self.settings)
                continue
            if (content := digest(ir.read_bytes())) in done:
                continue
            done.add(content)
            of_setting: dict[str, str] = {}
            for setting in self.settings:
                try:
                    ptx = call([self.llc, *self.options(setting), str(ir), "-o", "-"])
                except Failure as failure:
                    outcome.failed.setdefault(setting, str(failure))
                    continue
                of_setting[setting] = code_of(ptx)
                key = digest(of_setting[setting])
                if key not in texts:
                    path = WORK / self.version / "ptx" / f"{source.stem}.O{level}.{setting}.{key}.ptx"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(ptx, encoding="utf-8")
                    texts[key] = Text(path)
                texts[key].settings.append(setting)
            stock = {"stock": of_setting.get("stock"), "nolsr": of_setting.get("stock-nolsr")}
            outcome.changed.update(
                setting for setting, ptx in of_setting.items() if ptx != stock["nolsr" if "nolsr" in setting else "stock"]
            )
        return list(texts.values())

    def run_text(self, text: Text, launch: Path) -> str | None:
        """Has ptxas read a text, and runs it; what went wrong."""
        try:
            if self.ptxas.exists():
                call([str(self.ptxas), "-arch", "sm_80", "-O0", str(text.path), "-o", "/dev/null"])
            if not self.is_compile_only:
                call([self.interpreter, "grid", str(text.path), "--launch", str(launch)])
        except Failure as failure:
            return str(failure)
        return None

    def run_sass(self, text: Text, launch: Path, processor: str, counts: Counter[str]) -> str | None:
        """Runs what ptxas makes of a text; what is different and should not be."""
        command = [self.interpreter, "sass", text.path, "--launch", launch, "--gpu", processor, "--cuda", self.ptxas.parent.parent]
        command = [*map(str, command), "--budget", str(SASS_BUDGET)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return f"{' '.join(command)}: more than {TIMEOUT} seconds"
        wrong = []
        for line in done.stdout.splitlines():
            if match := re.match(r"not compared: +(\d+)  (.*)", line):
                counts[f"{processor}: not compared: {match[2]}"] += int(match[1])
            elif match := re.match(r"DIFFERENT .*: (\w+): launch \d+: ", line):
                processors, why = SASS_DIFFERS.get(match[1], ("-", ""))
                if not processors or processor in processors.split():
                    counts[f"{processor}: different: {match[1]}: {why}"] += 1
                else:
                    wrong.append(line)
            elif match := re.search(r"; ([\d,]+) launch(?:es)?, .* (\d+) different$", line):
                counts[f"{processor}: the same"] += int(match[1].replace(",", "")) - int(match[2])
                return "\n".join(wrong[:5]) or None
        return f"{' '.join(command)}: status {done.returncode}\n{done.stderr[-2000:]}"

    def run(self, source: Path) -> Outcome:
        """Does all of a source."""
        outcome = Outcome(source.stem)
        try:
            launch = make_launches(source, False)
        except Failure as failure:
            outcome.failed.update((setting, str(failure)) for setting in self.settings)
            return outcome
        outcome.num_launches = sum(line.startswith("kernel ") for line in launch.read_text(encoding="utf-8").splitlines())
        texts = self.compile(source, outcome)
        outcome.num_texts = len(texts)
        for text in texts:
            wrong = self.run_text(text, launch)
            for processor in self.sass:
                wrong = self.run_sass(text, launch, processor, outcome.sass) or wrong
            if wrong is not None:
                for setting in text.settings:
                    outcome.failed.setdefault(setting, wrong)
        return outcome


def sources(names: list[str]) -> list[Path]:
    """All sources, or those with these names."""
    folder = HERE / "adversarial"
    found = sorted([*folder.glob("*.cu"), *folder.glob("*.ll")], key=lambda path: path.stem)
    if unknown := set(names) - {path.stem for path in found}:
        raise SystemExit(f"run.py: no source {', '.join(sorted(unknown))}")
    for path in found:
        if not host_source(path).exists():
            raise SystemExit(f"run.py: no {host_source(path)}")
    return [path for path in found if not names or path.stem in names]


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Runs kernels whose results a host compiler has computed.")
    parser.add_argument("version")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--plugin", default=str(ROOT / "build" / "lib" / "libptxpasses.so"))
    parser.add_argument("--settings", type=lambda text: text.split(","), default=list(SETTINGS))
    parser.add_argument("--levels", type=lambda text: text.split(","), default=["1", "2", "3"])
    parser.add_argument("--interpreter", default=str(ROOT / "target" / "release" / "ptx-compare"))
    parser.add_argument("--sass", type=lambda text: text.split(","), default=[])
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--compile", action="store_true")
    arguments = parser.parse_intermixed_args()
    if arguments.settings == ["list"]:
        for name, options in SETTINGS.items():
            print(f"{name:16} {' '.join(options)}")
        raise SystemExit(0)
    if unknown := set(arguments.settings) - set(SETTINGS):
        parser.error(f"no setting {', '.join(sorted(unknown))}")
    return arguments


def sanitize(paths: list[Path]) -> int:
    """Runs the host's programs under UBSan; the exit status."""
    num_failed = 0
    for path in paths:
        try:
            make_launches(path, True)
            print(f"ok     {path.stem}")
        except Failure as failure:
            num_failed += 1
            print(f"FAILED {path.stem}\n{failure}")
    print(f"{len(paths) - num_failed} passed, {num_failed} failed")
    return 1 if num_failed else 0


def main() -> int:
    """Runs what the command line says."""
    arguments = parse()
    paths = sources(arguments.names)
    if arguments.sanitize:
        return sanitize(paths)
    runner = Runner(arguments)
    needed = [runner.llc] if arguments.compile else [runner.llc, runner.interpreter]
    for program in needed:
        if not Path(program).exists():
            print(f"run.py: no {program}", file=sys.stderr)
            return 2
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(runner.run, paths))
    print(f"{'source':24} {'launches':>8} {'texts':>6} {'failed':>6}")
    reasons: defaultdict[str, list[str]] = defaultdict(list)
    for outcome in outcomes:
        print(f"{outcome.name:24} {outcome.num_launches:8} {outcome.num_texts:6} {len(outcome.failed):6}")
        for setting, reason in outcome.failed.items():
            reasons[reason].append(f"{outcome.name} ({setting})")
    print("\nsetting          sources whose PTX it changes, sources that failed")
    for setting in arguments.settings:
        changed = sum(setting in outcome.changed for outcome in outcomes)
        failed = [outcome.name for outcome in outcomes if setting in outcome.failed]
        print(f"{setting:16} {changed:7}   {' '.join(failed) or '-'}")
    for reason, where in reasons.items():
        print(f"\n{', '.join(where)}:\n{reason}")
    if machine_code := sum((outcome.sass for outcome in outcomes), Counter[str]()):
        print("\nlaunches of machine code")
        for reason, count in sorted(machine_code.items()):
            print(f"{count:7}  {reason}")
    num_failed = sum(len(outcome.failed) for outcome in outcomes)
    print(f"\n{len(outcomes) * len(arguments.settings) - num_failed} passed, {num_failed} failed")
    return 1 if num_failed else 0


if __name__ == "__main__":
    sys.exit(main())
