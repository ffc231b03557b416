"""Builds the machine passes of examples/passes, which use the crate as a library, and runs them in a stock LLVM N.

    run.py N

Problem. The plugin ptxpasses tries the library with its own passes, on NVPTX. Passes that others write have their own options and
counts, run on other targets, stand beside ptxpasses, and use the library wrongly.

Method. Cargo builds the four examples and `misuse`, a plugin whose option -misuse-how names a way of being wrong, in
build/target/machine-pass-N. build/llvm-N's llc loads them, and clang, if there is one. Each pass must do what it says, and nothing else: its output
is compared with stock's. Each way of misuse must end the process with its message.

The last line counts the checks that failed. The exit status is 1 if there are any.

Source. None. Deviation: none. Complexity: one build, then an llc for each check.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checking import ROOT, check, outcome, run  # noqa: E402  (its folder is not a package)

REDUCE = ROOT / "examples/reduce.ll"
PAIRS = HERE / "pairs.ll"
BIAS = HERE / "bias.ll"
PTXAS = ROOT / "build/cuda/bin/ptxas"

LOOKUP = """\
define i32 @lookup(ptr %table, i64 %i, i64 %n) {
entry:
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %read, label %out
read:
  %place = getelementptr i32, ptr %table, i64 %i
  %value = load i32, ptr %place
  br label %out
out:
  %result = phi i32 [ %value, %read ], [ 0, %entry ]
  ret i32 %result
}
"""
"""A block with a load and one without, both after a conditional branch, for any target."""

C_SOURCE = "int twice(int *p, int n) { return n > 3 ? p[n] * 2 : 0; }\n"

BUILD = """\
set -euo pipefail
. scripts/lib.sh
# An author has nothing that names a libclang: the library's build finds one, also where this LLVM's own cannot be loaded here.
unset LIBCLANG_PATH
export "$(llvm_sys_variable "$1")"
share_crates "$CARGO_TARGET_DIR" debug build/target/machine-pass-*
cd "$2"
# Without debug information, which makes them 20 times as large.
export CARGO_PROFILE_DEV_DEBUG=none
exec cargo build --quiet --features "$(feature "$1")"
"""

Done = subprocess.CompletedProcess[str]


def said(done: Done) -> str:
    """What a process has said, for a check that fails."""
    return f"status {done.returncode}\n{done.stderr[-2000:]}\n{done.stdout[-500:]}"


def counts_in(text: str) -> dict[str, int]:
    """The counts of a table of statistics, by name."""
    return {name: int(count) for count, name in re.findall(r"^ *(\d+) (\S.*)$", text, re.MULTILINE)}


def instructions_in(text: str, name: str) -> int:
    """The instructions that the header of a pass's table counts; -1 if there is none."""
    found = re.search(rf"^{name}: \d+ functions, (\d+) instructions, ", text, re.MULTILINE)
    return int(found.group(1)) if found else -1


class Host:
    """An LLVM, the plugins that are built for it, and a folder for files."""

    def __init__(self, version: str, work: Path) -> None:
        self.version, self.work = version, work
        self.bin = ROOT / f"build/llvm-{version}/bin"
        self.target = ROOT / f"build/target/machine-pass-{version}"
        shown = run(self.bin / "llc", "--version").stdout + run(self.bin / "llc", "--help-hidden").stdout
        self.has_x86 = re.search(r"^ *x86-64 ", shown, re.MULTILINE) is not None
        self.has_new_pm = "enable-new-pm" in shown
        self.major = int(version.partition("-")[0])
        self.lookup = self.file("lookup.ll", LOOKUP)

    def file(self, name: str, text: str) -> Path:
        """Writes a file for llc."""
        path = self.work / name
        path.write_text(text)
        return path

    def plugin(self, name: str) -> Path:
        """The build of a plugin."""
        return self.target / f"debug/lib{name.replace('-', '_')}.so"

    def build(self, folder: str) -> bool:
        """Builds the plugins of a folder."""
        done = run("bash", "-c", BUILD, "bash", self.version, ROOT / folder, CARGO_TARGET_DIR=str(self.target))
        check(f"{folder} builds", done.returncode == 0, said(done))
        return done.returncode == 0

    def llc(self, plugin: str | Path | None, *arguments: str | Path, **environment: str) -> Done:
        """Runs llc with a plugin, by name or path, to stdout."""
        path = self.plugin(plugin) if isinstance(plugin, str) else plugin
        return run(self.bin / "llc", *(["-load", path] if path else []), "-o", "-", *arguments, **environment)

    def same_code(self, what: str, plugin: str, *arguments: str | Path) -> Done:
        """Checks that llc makes stock's code with a plugin."""
        stock, ours = self.llc(None, *stock_alone(arguments)), self.llc(plugin, *arguments)
        both_end_well = stock.returncode == ours.returncode == 0
        check(what, both_end_well and bool(stock.stdout) and stock.stdout == ours.stdout, said(stock) + said(ours))
        return ours


PLUGIN_OPTION = re.compile(r"-(count-classes|redundant-cvt|register-pressure|branch-fences|misuse)-")


def stock_alone(arguments: tuple[str | Path, ...]) -> list[str | Path]:
    """The arguments that a stock llc knows."""
    return [argument for argument in arguments if not PLUGIN_OPTION.match(str(argument))]


X86 = "-mtriple=x86_64"


def count_classes(host: Host) -> None:
    """An analysis for any target."""
    sources: list[list[str | Path]] = [[REDUCE]]
    if host.has_x86:
        sources.append([X86, host.lookup])
    for source in sources:
        name = " ".join(Path(word).name for word in source)
        done = host.same_code(f"count-classes: the code of {name} is stock's", "count-classes", "-count-classes-stats", *source)
        counts, total = counts_in(done.stderr), instructions_in(done.stderr, "count-classes")
        check(f"count-classes: its counts add up for {name}", sum(counts.values()) == total > 0, said(done))
        done = host.llc("count-classes", "-count-classes-stats-json=-", "-o", host.work / "counted.s", *source)
        try:
            records = json.loads(done.stdout)
        except ValueError:
            records = []
        in_json: Counter[str] = Counter()
        for record in records:
            in_json.update(record["counters"])
        check(f"count-classes: JSON has the same counts for {name}", bool(counts) and +in_json == counts, said(done))
    zeros = counts_in(host.llc("count-classes", "-count-classes-stats=all", REDUCE).stderr)
    counts = counts_in(host.llc("count-classes", "-count-classes-stats", REDUCE).stderr)
    check("count-classes: -stats=all has what -stats has", bool(counts) and {**zeros, **counts} == zeros)


def redundant_cvt(host: Host) -> None:
    """A peephole whose values are checked."""
    stats, narrow, wide = "-redundant-cvt-stats", "cvt.u32.u64", "cvt.s64.s32"
    stock = host.llc(None, PAIRS).stdout
    check("redundant-cvt: stock's PTX converts there and back", wide in stock and narrow in stock, stock)
    done = host.llc("redundant-cvt", stats, "-redundant-cvt-verify", "-verify-machineinstrs", PAIRS)
    check("redundant-cvt: the checker accepts it", done.returncode == 0, said(done))
    check("redundant-cvt: the way back is gone", wide in done.stdout and narrow not in done.stdout, said(done))
    check("redundant-cvt: it is counted", counts_in(done.stderr).get("conversions removed") == 1, said(done))
    done = host.llc("redundant-cvt", "-pass-remarks=redundant-cvt", PAIRS)
    check("redundant-cvt: a remark says so", done.stderr.count("conversion removed") == 1, said(done))
    alone = host.work / "pairs.mir"
    made = host.llc(None, "-stop-after=peephole-opt", PAIRS)
    alone.write_text(made.stdout)
    check("redundant-cvt: machine code has the pair", "CVT_s64_s32" in made.stdout and "CVT_u32_u64" in made.stdout, said(made))
    done = host.llc("redundant-cvt", "-run-pass=redundant-cvt", stats, alone)
    gone = "CVT_s64_s32" in done.stdout and "CVT_u32_u64" not in done.stdout
    check("redundant-cvt: -run-pass does the same", done.returncode == 0 and gone, said(done))
    check("redundant-cvt: and counts it", counts_in(done.stderr).get("conversions removed") == 1, said(done))
    done = host.same_code("redundant-cvt: nothing is changed at -O0", "redundant-cvt", "-O0", stats, PAIRS)
    check("redundant-cvt: nor counted", not counts_in(done.stderr), said(done))
    text = PAIRS.read_text().replace(") {", ") noinline optnone {")
    skipped = host.file("optnone.ll", text)
    done = host.same_code("redundant-cvt: nor in a function that is optnone", "redundant-cvt", "-redundant-cvt-verify", skipped)
    check("redundant-cvt: which has the pair", narrow in done.stdout, said(done))
    done = host.same_code("redundant-cvt: nor past -opt-bisect-limit", "redundant-cvt", "-opt-bisect-limit=0", PAIRS)
    check("redundant-cvt: which counts it", re.search(r"NOT running pass \(\d+\) redundant-cvt ", done.stderr) is not None, said(done))


def register_pressure(host: Host) -> None:
    """An analysis that needs one of LLVM's, with an option and remarks."""
    stats = "-register-pressure-stats"
    done = host.same_code("register-pressure: the PTX is stock's", "register-pressure", stats, REDUCE)
    maxima = counts_in(done.stderr)
    named = bool(maxima) and all(name.startswith("max live ") for name in maxima)
    check("register-pressure: the maxima are positive", named and all(value > 0 for value in maxima.values()), said(done))
    least = max(maxima.values(), default=0)
    done = host.llc("register-pressure", stats, f"-register-pressure-min={least}", REDUCE)
    wanted = {name: value for name, value in maxima.items() if value == least}
    check("register-pressure: a minimum leaves the greatest", counts_in(done.stderr) == wanted, said(done))
    done = host.llc("register-pressure", stats, "-register-pressure-min=1000", REDUCE)
    header = instructions_in(done.stderr, "register-pressure") > 0
    check("register-pressure: a minimum of 1000 leaves none", done.returncode == 0 and header and not counts_in(done.stderr), said(done))
    remarks = host.work / "remarks.yaml"
    done = host.llc("register-pressure", f"-pass-remarks-output={remarks}", REDUCE)
    text = remarks.read_text() if remarks.exists() else ""
    ours = [part for part in text.split("--- ") if re.search(r"^Pass: +register-pressure$", part, re.MULTILINE)]
    lines = [r"^!Analysis$", r"^Name: +RegisterPressure$", r"^Function: +reduce$", r"MaxLive: +'\d+'$"]
    complete = [all(re.search(line, part, re.MULTILINE) for line in lines) for part in ours]
    check("register-pressure: remarks name the function and the count", bool(complete) and all(complete), said(done) + text[:2000])
    check("register-pressure: one for each class", len(ours) == len(maxima) > 0, text[:2000])
    done = host.llc("register-pressure", "-pass-remarks-analysis=register-pressure", REDUCE)
    shown = done.stderr.count(" are live here")
    check("register-pressure: -pass-remarks-analysis shows them", done.returncode == 0 and shown == len(maxima), said(done))


def branch_fences(host: Host) -> None:
    """A pass that inserts instructions, for x86 alone."""
    host.same_code("branch-fences: NVPTX code is stock's", "branch-fences", "-branch-fences-all", REDUCE)
    if not host.has_x86:
        print("skipped branch-fences: llc has no x86")
        return
    verify = ["-branch-fences-verify", "-verify-machineinstrs"]
    for what, option, fences in [("a fence where there is a load", [], 1), ("fences in all blocks", ["-branch-fences-all"], 2)]:
        done = host.llc("branch-fences", "-branch-fences-stats", *option, *verify, X86, host.lookup)
        found = len(re.findall(r"^\s+lfence\b", done.stdout, re.MULTILINE))
        right = done.returncode == 0 and found == fences == counts_in(done.stderr).get("fences")
        check(f"branch-fences: {what}, and LLVM's verifier accepts it", right, said(done))
    check("branch-fences: stock has none", "lfence" not in host.llc(None, X86, host.lookup).stdout)


def refused(done: Done, begin: str, contains: str = "") -> bool:
    """Whether a process has ended with a refusal of one line, before it wrote anything."""
    lines = done.stderr.splitlines()
    return done.returncode == 1 and not done.stdout and len(lines) == 1 and lines[0].startswith(begin) and contains in lines[0]


def options(host: Host) -> None:
    """Options on the command line and in the environment."""
    name = "register-pressure"
    done = host.llc(name, "-register-pressure-min=x", REDUCE)
    right = done.returncode != 0 and not done.stdout and "-register-pressure-min" in done.stderr and "'x'" in done.stderr
    check("options: an error names the option and its value", right, said(done))
    stats = "-register-pressure-stats"
    done = host.llc(name, stats, REDUCE, REGISTER_PRESSURE_ARGS="-register-pressure-min=1000")
    header = instructions_in(done.stderr, name) > 0
    check("options: the environment has some", done.returncode == 0 and header and not counts_in(done.stderr), said(done))
    done = host.llc(name, stats, "-register-pressure-min=1", REDUCE, REGISTER_PRESSURE_ARGS="-register-pressure-min=1000")
    check("options: the command line goes over it", done.returncode == 0 and bool(counts_in(done.stderr)), said(done))
    for wrong in ["-register-pressure-mim=1", "word", "-register-pressure-min=x"]:
        done = host.llc(name, REDUCE, REGISTER_PRESSURE_ARGS=wrong)
        begin = "register-pressure: refusing to load: REGISTER_PRESSURE_ARGS:"
        check(f"options: '{wrong}' in the environment is refused", refused(done, begin, wrong.partition("=")[0]), said(done))
    done = host.llc(name, "--help")
    listed = [f"-{name}-{option}" in done.stdout for option in ("min=<n>", "stats", "stats-json=<file>", "verify", "new-pm")]
    check("options: --help lists them", done.returncode == 0 and all(listed), said(done))
    if host.major < 24:
        done = host.llc(name, "-register-pressure-new-pm", REDUCE)
        right = done.returncode != 0 and not done.stdout and "no pipeline for the new pass manager" in done.stderr
        check("options: -new-pm needs LLVM 24", right, said(done))
    if host.major >= 24:
        new_pass_manager(host)
    elif host.has_new_pm:
        done = host.llc(name, "-enable-new-pm", REDUCE)
        right = refused(done, "LLVM ERROR: register-pressure: ", "-enable-new-pm asks for")
        check("options: the new pass manager is refused", right, said(done))
        if host.has_x86:
            code = host.llc("branch-fences", "-enable-new-pm", X86, host.lookup)
            check("options: so it is for x86", refused(code, "LLVM ERROR: branch-fences: ", "-enable-new-pm asks for"), said(code))
            # Stock's pipeline for x86 is not whole: llc 19 writes nothing, llc 22 crashes.
            stock, code = (host.llc(plugin, "-enable-new-pm", X86, host.lookup) for plugin in (None, "redundant-cvt"))
            same = (code.returncode, code.stdout) == (stock.returncode, stock.stdout) and "no pass of ours" not in code.stderr
            check("options: a plugin that does not take the target leaves it alone", same, said(code))
    else:
        print("skipped options: llc has no -enable-new-pm")


def new_pass_manager(host: Host) -> None:
    """From LLVM 24 on passes run in a legacy pipeline within the pipeline of the new pass manager, or, as an option asks, in that one itself."""
    pipeline = "pipeline: legacy, within the new pass manager's"
    for name in ("count-classes", "redundant-cvt", "register-pressure"):
        stats = f"-{name}-stats"
        legacy, done = (host.llc(name, stats, *more, REDUCE) for more in ([], ["-enable-new-pm"]))
        same = legacy.returncode == done.returncode == 0 and legacy.stdout == done.stdout != ""
        check(f"new pass manager: {name} makes the code of the legacy one", same, said(done))
        counts = counts_in(legacy.stderr) == counts_in(done.stderr) and pipeline in done.stderr and pipeline not in legacy.stderr
        check(f"new pass manager: {name} counts the same, and says which pipeline has run", counts, said(done))
    stock = host.llc(None, "-enable-new-pm", REDUCE)
    for name in ("count-classes", "register-pressure"):
        done = host.llc(name, f"-{name}-new-pm", f"-{name}-stats", f"-{name}-verify", "-verify-machineinstrs", REDUCE)
        same = done.returncode == 0 and done.stdout == stock.stdout != ""
        check(f"new pass manager: {name} in its pipeline leaves stock's code of that", same, said(done))
        text = "pipeline: the new pass manager's, with our passes"
        check(f"new pass manager: {name} counts there", bool(counts_in(done.stderr)) and text in done.stderr, said(done))
    done = host.llc("redundant-cvt", "-redundant-cvt-new-pm", "-redundant-cvt-stats", "-redundant-cvt-verify", "-verify-machineinstrs", PAIRS)
    gone = done.returncode == 0 and "cvt.s64.s32" in done.stdout and "cvt.u32.u64" not in done.stdout
    check("new pass manager: redundant-cvt changes code in its pipeline", gone, said(done))
    for more in (["-opt-bisect-limit=0"], ["-O0"]):
        done = host.llc("redundant-cvt", "-redundant-cvt-new-pm", "-redundant-cvt-stats", *more, PAIRS)
        plain = host.llc(None, "-enable-new-pm", *more, PAIRS)
        kept = done.returncode == 0 and done.stdout == plain.stdout != "" and not counts_in(done.stderr)
        check(f"new pass manager: redundant-cvt changes nothing there with {more[0]}", kept, said(done))
    if host.has_x86:
        arguments: list[str | Path] = ["-branch-fences-new-pm", "-branch-fences-stats", "-branch-fences-verify", X86, host.lookup]
        done = host.llc("branch-fences", *arguments)
        right = done.returncode == 0 and len(re.findall(r"^\s+lfence\b", done.stdout, re.MULTILINE)) == 1
        check("new pass manager: branch-fences in that of x86", right, said(done))
    done = host.llc("count-classes", "-passes=phi-node-elimination", REDUCE)
    check("new pass manager: names of passes are refused", refused(done, "LLVM ERROR: count-classes: ", "-passes=phi-node-elimination asks for"), said(done))


def loader(host: Host) -> None:
    """A loader of each plugin's own; then ptxpasses beside one."""
    folder = host.work / "lib"
    folder.mkdir()
    made = run(ROOT / "scripts/ptxpasses-config", "--loader", "count_classes", folder)
    check("loader: scripts/ptxpasses-config makes one", made.returncode == 0, said(made))
    ours, ptxpasses = folder / "libcount_classes.so", ROOT / "build/lib/libptxpasses.so"
    done = host.llc(ours, REDUCE)
    right = refused(done, "count_classes: refusing to load:", str(folder / f"libcount_classes-{host.version}.so"))
    check("loader: it refuses without a build", right, said(done))
    shutil.copy(host.plugin("count-classes"), folder / f"libcount_classes-{host.version}.so")
    done = host.llc(ours, "-count-classes-stats", REDUCE)
    check("loader: it loads the build", done.returncode == 0 and "count-classes: 1 functions" in done.stderr, said(done))
    alone = host.llc(ptxpasses, "-ptx-stats", REDUCE)
    stock = host.llc(None, REDUCE)
    check("beside ptxpasses: its PTX is not stock's", alone.returncode == 0 and alone.stdout != stock.stdout, said(alone))
    for first, second in [(ours, ptxpasses), (ptxpasses, ours)]:
        # What setup makes of LLVM 24's llc preloads the libraries of one -load.
        both = [f"{first}:{second}"] if host.major >= 24 else [first, "-load", second]
        done = run(host.bin / "llc", "-load", *both, "-o", "-", "-ptx-stats", "-count-classes-stats", REDUCE)
        order = f"beside ptxpasses, {first.stem} first"
        check(f"{order}: the PTX is that of ptxpasses", done.returncode == 0 and done.stdout == alone.stdout, said(done))
        tables = re.findall(r"^===-- (\S+) statistics", done.stderr, re.MULTILINE)
        check(f"{order}: both count", sorted(tables) == ["count-classes", "ptxpasses"], said(done))


def clang(host: Host) -> None:
    """The same in clang."""
    program = host.bin / "clang"
    if not program.exists():
        print("skipped clang: there is none")
        return
    source = host.file("twice.c", C_SOURCE)
    plugin = host.plugin("count-classes")
    targets = ["nvptx64-nvidia-cuda", *(["x86_64-linux-gnu"] if host.has_x86 else [])]
    for target in targets:
        command = [program, f"--target={target}", "-O2", "-S", "-nostdinc", source, "-o", "-"]
        stock = run(*command)
        done = run(*command, f"-fplugin={plugin}", "-mllvm", "-count-classes-stats")
        counted = sum(counts_in(done.stderr).values()) == instructions_in(done.stderr, "count-classes") > 0
        check(f"clang for {target}: it counts", done.returncode == 0 and counted, said(done))
        check(f"clang for {target}: the code is stock's", bool(stock.stdout) and done.stdout == stock.stdout, said(stock))


def builds(host: Host) -> None:
    """A load of a global, with its memory operand, a sum, and a constant that are built: LLVM's verifier and ptxas accept them."""
    cpu = "-mcpu=sm_90"
    # What LLVM makes of a kernel that adds in its source.
    stored, loaded = "store i32 %value,", "%value = load i32, ptr addrspace(1) @table"
    text = BIAS.read_text()
    check("builds: the kernel is as expected", stored in text and loaded in text, text)
    added = f"{loaded}\n  %bias = load i32, ptr addrspace(1) @bias\n  %sum = add i32 %value, %bias"
    wanted = host.llc(None, cpu, host.file("wanted.ll", text.replace(loaded, added).replace(stored, "store i32 %sum,")))

    def accepted(what: str, done: Done) -> None:
        """Checks that ptxas takes the PTX, if there is one."""
        if not PTXAS.exists():
            print(f"skipped {what}: ptxas")
            return
        file = host.file("built.ptx", done.stdout)
        assembled = run(PTXAS, "-arch=sm_90", file, "-o", host.work / "built.cubin")
        check(f"{what}: ptxas accepts it", assembled.returncode == 0, said(assembled) + done.stdout)

    for how in ["bias", "bias by symbol"]:
        arguments = [f"-misuse-how={how}", "-misuse-verify", "-verify-machineinstrs", cpu]
        done = host.llc("misuse", *arguments, BIAS)
        same = done.returncode == wanted.returncode == 0 and "[bias]" in done.stdout and done.stdout == wanted.stdout
        check(f"builds: {how}: the PTX is that of a source that adds", same, said(done) + wanted.stdout)
        accepted(f"builds: {how}", done)
        code = host.llc("misuse", *arguments, "-stop-after=builds", BIAS)
        line = next((line for line in code.stdout.splitlines() if "bias" in line and "LD" in line), "")
        check(f"builds: {how}: with its memory operand", ":: (dereferenceable load (s32) from @bias" in line, said(code) + line)
    done = host.llc("misuse", "-misuse-how=float", "-misuse-verify", "-verify-machineinstrs", cpu, BIAS)
    check("builds: a constant of 32 bits", done.returncode == 0 and "0f3FC00000" in done.stdout, said(done) + done.stdout)
    accepted("builds: float", done)


AT = r"pass 'misuse', function 'reduce': "
ERASED = AT + r"an instruction that was erased, of which only `text` and `key` may be asked: .*\S.*"

WAYS = {
    "panic": AT + r"internal error: on purpose \(at src/lib\.rs:\d+:\d+\)",
    "operand": AT + r"operand 1000 of an instruction that has \d+: .+",
    "set operand": AT + r"operand 1000 of an instruction that has \d+: .+",
    "register": AT + r"virtual register 1048576 is not a virtual register: there are \d+ virtual ones, .+",
    "physical register": AT + r"physical register 1048576 is not a physical register: .+ physical ones below \d+",
    "class": AT + r"no register class 1048576: they are below \d+",
    "opcode": AT + r"no opcode 1048576: they are below \d+",
    "block": AT + r"no block 1048576: they are below \d+",
    "erased": ERASED,
    "erased twice": ERASED,
    "move erased": ERASED,
    "read erased": ERASED,
    "count of erased": ERASED,
    "kind of erased": ERASED,
    "change erased": ERASED,
    "delegates": AT + r"it has returned Outcome::Delegate, and no pass of LLVM's is there to take the function: .+",
    "stands in": r"pass 'stands-in', function 'reduce': it has edited the function, and returned Outcome::Delegate, by which .+",
    "two defs": AT + r"it leaves register %\d+:\S+, which has 2 definitions: in SSA form each has one \(-misuse-verify says where\)",
    "unverified": AT + r"it leaves register %\d+:\S+, which is read, and nothing defines it: in SSA form each has one .+",
    "few operands": AT + r"opcode \S+ has [1-9]\d* operands, and 0 were given",
    "new def": AT + r"an instruction that becomes another one keeps its results, and a def was given: .+",
    "no result": AT + r"opcode KILL has no result in a register",
    "no size": AT + r"a memory operand of 0 bytes at a multiple of 1: a size is 1 or more and below \d+, .+",
    "alignment": AT + r"a memory operand of 4 bytes at a multiple of 3: .+ an alignment is a power of two",
    "other space": AT + r"a memory operand of address space 3 at a global of address space 0",
    "offset": AT + r"an operand of NVPTX that is a global has no offset, and 4 was given: the operand after it is the offset",
    "not asked for": AT + r"internal error: the pass asks for no misuse::Absent: .+",
    "keeps": r"pass 'keeps-too-much', function 'reduce': it has erased instructions that are in SlotIndexes still .+",
}
"""The message that ends the process, by the way of misuse."""

CHECKED_WAYS = {
    "unnoted": AT + r"it has changed the function, and returned Outcome::Unchanged: there is '.+' where '%\d+.* = .*ADD.*' was",
    "wrong value": AT + r"miscompiled: '.+' reads, or has for its address, 0x\w+ instead of 0x\w+",
    "unverified": AT + r"miscompiled: .+ is read, and on some way there nothing defines it",
}
"""The same for wrong code, which -misuse-verify finds."""

UNCHANGED = AT + r"it has edited the function, and returned Outcome::Unchanged: .+"
"""The message of a pass that says that it has changed nothing."""

NAMES = {
    ("MISUSE_NAME", "tidy copies"): r'plugin: refusing to load: "tidy copies" is not a name of a plugin: .+',
    ("MISUSE_NAME", "Tidy"): r'plugin: refusing to load: "Tidy" is not a name of a plugin: .+',
    ("MISUSE_NAME", ""): r'plugin: refusing to load: "" is not a name of a plugin: .+',
    ("MISUSE_PASS", "Forward Copies!"): r'misuse: refusing to load: "Forward Copies!" is not a name of a pass: .+',
    ("MISUSE_PASS", "a,b"): r'misuse: refusing to load: "a,b" is not a name of a pass: .+',
    ("MISUSE_PASS", "peephole-opt"): r"misuse: refusing to load: there is a pass of this name already: peephole-opt .+",
    ("MISUSE_PASS", "keeps-too-much"): r"misuse: refusing to load: there is a pass of this name already: keeps-too-much .+",
    ("MISUSE_OPTION", "-limit"): r'misuse: refusing to load: "-limit" is not a name of an option: .+',
    ("MISUSE_OPTION", "misuse-how"): r"misuse: refusing to load: two options are called -misuse-how .+",
    ("MISUSE_OPTION", "misuse-stats"): r"misuse: refusing to load: two options are called -misuse-stats .+",
    ("MISUSE_OPTION", "mcpu"): r"misuse: refusing to load: there is an option of this name already: -mcpu .+",
    ("MISUSE_DESCRIPTION", "panic"): r"plugin: refusing to load: its description panics: no description, on purpose \(at src/lib\.rs:.+",
}
"""The one line of a plugin that refuses to load, by the variable that gives it a wrong name and the name."""

ANCHORS = {
    "nosuch": r"pass 'misuse' is to run at 'nosuch', and LLVM has registered no such pass by now \(.+\)",
    "greedy": r"pass 'misuse' is to run between a register allocator and virtregrewriter, where none can",
    "liveintervals": r"pass 'misuse' is to run at 'liveintervals', which is an analysis: .+",
    "machine-loops": r"pass 'misuse' is to run at 'machine-loops', which is an analysis: .+",
    "codegenprepare": r"pass 'misuse' is to run at 'codegenprepare', which does not run on machine functions",
}
"""The same by the name of the pass at which it is to run."""


def misuse(host: Host) -> None:
    """Each wrong use of the library ends in its message, before any code is written."""

    def ends(what: str, done: Done, message: str) -> None:
        """Checks that a process has ended with LLVM's fatal error, in one line."""
        # Not by a signal. LLVM may ask for a bug report after the message.
        first = done.stderr.splitlines()[0] if done.stderr else ""
        right = re.fullmatch(f"LLVM ERROR: misuse: {message}", first) is not None
        check(f"misuse: {what}", done.returncode == 1 and right and not done.stdout, said(done))

    host.same_code("misuse: without a way it changes nothing", "misuse", "-misuse-verify", REDUCE)
    for way, message in WAYS.items():
        ends(way, host.llc("misuse", f"-misuse-how={way}", REDUCE), message)
    for way, message in CHECKED_WAYS.items():
        ends(f"{way}, with the checker", host.llc("misuse", f"-misuse-how={way}", "-misuse-verify", REDUCE), message)
    for (variable, name), message in NAMES.items():
        if host.major >= 24 and name == "mcpu":
            continue  # the plugin is preloaded, so that llc's options come later: LLVM ends the process
        done = host.llc("misuse", REDUCE, **{variable: name})
        right = refused(done, "") and re.fullmatch(message, done.stderr.rstrip("\n")) is not None
        check(f"misuse: {variable}={name!r} is refused in one line", right, said(done))
    done = host.llc("misuse", REDUCE, MISUSE_OPCODES="1")
    ends("an opcode that LLVM lacks", done, rf"pass 'misuse' needs an opcode 'FROBNICATE32', and LLVM {int(host.version)} has none of that name")
    methods = host.llc("misuse", "-misuse-how=methods", REDUCE).stderr.split()
    check("misuse: there are many methods that edit", len(methods) > 30, str(methods))
    for method in methods:
        if host.major >= 24 and method == "clear_kills":
            continue  # no operand kills
        for verify in [[], ["-misuse-verify"]]:
            done = host.llc("misuse", f"-misuse-how=unchanged: {method}", *verify, REDUCE)
            ends(" ".join(["Outcome::Unchanged after", method, *verify]), done, UNCHANGED)
    for verify in [[], ["-misuse-verify"]]:
        what = " ".join(["misuse: edits that change nothing do not count as a change", *verify])
        host.same_code(what, "misuse", "-misuse-how=nothing", *verify, REDUCE)
        done = host.llc("misuse", "-misuse-how=new register", *verify, REDUCE)
        check(" ".join(["misuse: a new register alone does not count as a change", *verify]), done.returncode == 0 and bool(done.stdout), said(done))
    done = host.llc("misuse", "-misuse-how=wrong value", REDUCE)
    differs = done.returncode == 0 and done.stdout != host.llc(None, REDUCE).stdout
    check("misuse: without the checker a wrong value is not found", bool(done.stdout) and differs, said(done))
    for anchor, message in ANCHORS.items():
        ends(f"the anchor {anchor}", host.llc("misuse", REDUCE, MISUSE_ANCHOR=anchor), message)
    # NVPTX constructs this pass past the registry: no pass can run before it, but one after it runs.
    direct = "nvptx-proxyreg-erasure"
    missed = f"pass 'keeps-too-much' is to run at '{direct}', which this pipeline constructs by itself: .+"
    ends("before a pass past the registry", host.llc("misuse", REDUCE, MISUSE_BEFORE=direct), missed)
    after = host.llc("misuse", "-misuse-how=panic", REDUCE, MISUSE_ANCHOR=direct)
    check("after a pass past the registry", after.returncode != 0 and "on purpose" in after.stderr, said(after))


def main(version: str) -> int:
    """Builds the plugins and tries them."""
    with tempfile.TemporaryDirectory() as folder:
        host = Host(version, Path(folder))
        if host.build("examples/passes") and host.build("tests/machine_pass/misuse"):
            for part in [count_classes, redundant_cvt, register_pressure, branch_fences, options, loader, clang, builds, misuse]:
                part(host)
    return outcome()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
