"""Random code through every pass, against six oracles (requirement K2).

    run.py MAJOR LLC PLUGIN FOLDER [--seconds N] [--modules N] [--seed N] [--jobs N] [--only KIND] [--oracles NAME,...] [--ptxas PTXAS]

Generates modules (tests/lit/Inputs/random-ir.py, random-walks.py, random-grid.py and random-mir.py say what is in them
and what is not) with seeds from N on, until the seconds or modules are over; without either it goes on. Of each module:

  checker   -ptx-verify says nothing, in both profiles; in `upstream`, except for what is wrong in stock's code as well;
  verifier  -verify-machineinstrs says nothing that it does not say of stock's code, in both profiles;
  parity    in `upstream` the output is stock's, byte for byte; what stock refuses is refused as well;
  ptxas     of IR, ptxas accepts the default profile's PTX if it accepts stock's; without PTXAS it is not asked;
  equal     of IR, the default profile's PTX computes what stock's does (ptx-compare equal runs both, one thread);
  grid      of IR whose threads do not race (`ir-grid`), instead, a grid of blocks leaves the same memory as with stock's PTX.

With --oracles only these are asked, which shows what each of them finds alone.

Every other module has options of ours as well: a random set of the passes, what is off by default in `cicc` and may
change nothing in `upstream`, or fast compilation, of which there is no parity.

First come the inputs that were found before and are kept in tests/fuzz/found. A module that fails is reduced, and
put into FOLDER under the name of its kind and seed, with the options in its first line: move it to tests/fuzz/found
when it is mended. Exit status 1 if any fails.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(os.path.dirname(HERE), "lit", "Inputs")
# Passes that run between instruction selection and ours in LLVM's pipeline.
BEFORE = "detect-dead-lanes,processimpdefs,unreachable-mbb-elimination,"
PIPELINES: dict[str, list[list[str]]] = {
    "ir": [[]],
    # LoopStrengthReduce replaces the induction variables: most runs are without it.
    "ir-walks": [[], ["-disable-lsr"], ["-disable-lsr"]],
    "ir-grid": [[], [], ["-disable-lsr"]],
    "mir": [
        ["-run-pass=" + BEFORE + "livevars,twoaddressinstruction,liveintervals,register-coalescer"],
        ["-run-pass=livevars,twoaddressinstruction,liveintervals,register-coalescer"],
        ["-run-pass=twoaddressinstruction"],
        ["-run-pass=liveintervals,twoaddressinstruction"],
    ],
    "mir-phis": [
        ["-run-pass=" + BEFORE + "livevars,phi-node-elimination,twoaddressinstruction,register-coalescer"],
        ["-run-pass=livevars,phi-node-elimination"],
        ["-run-pass=" + BEFORE + "liveintervals,phi-node-elimination,twoaddressinstruction,register-coalescer"],
    ],
}
PIPELINES["mir-mixed"] = [p for p in PIPELINES["mir-phis"] if BEFORE in p[0]]
KINDS = ["ir", "mir", "ir-grid", "ir", "mir-phis", "ir-walks", "ir-grid", "ir", "mir-mixed", "ir-walks"]
# Our own options: a module gets one or more of these sets. `-ptx-passes=` gets a set of names.
EXTRA = [
    ["-usedessa=1"],
    ["-usedessa=2"],
    ["-cssa-coalesce=false"],
    ["-ptx-emit-order=pressure"],
    ["-nvptx-copy-limit="],
    ["-nvptx-coalesce-limit="],
    ["-ptx-fast-compile"],
    ["-maxreg=16"],
    ["-ptx-divisions"],
    ["-ptx-passes="],
]
ORACLES = ["checker", "verifier", "parity", "ptxas", "equal", "grid"]
OURS = sorted({option.partition("=")[0] for options in EXTRA for option in options})
LIMITS = [0, 1, 2, 3, 5, 10]
FUNCTIONS = {"ir": 8, "ir-walks": 8, "ir-grid": 2, "mir": 6, "mir-phis": 6, "mir-mixed": 6}
SECONDS = 60  # for one llc
# What a reduction must leave where it is, or threads race and read memory that no thread has written.
ORDERS = re.compile(r"barrier|bar\.warp|store .*(addrspace\(3\)|ptr %local)")
# What older processors than sm_80 do not have.
NEW_PROCESSOR = re.compile(r"call .*(cp\.async|ldmatrix)")
COMPARE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "target", "release", "ptx-compare")

Result = collections.namedtuple("Result", "status out err")


class Fuzzer:
    def __init__(self, options):
        self.o = options
        self.major = options.major
        self.oracles = ORACLES if options.oracles is None else options.oracles.split(",")
        if unknown := set(self.oracles) - set(ORACLES):
            sys.exit("run.py: no oracle %s; there are %s" % (", ".join(sorted(unknown)), ", ".join(ORACLES)))
        # Read once here, as several threads use them.
        table = self.llc(["-load", options.plugin, "-ptx-passes=help"]).out.decode()
        self.passes = [line.split()[0] for line in table.splitlines()[1:]]
        assert "emitter" in self.passes, table

    def generate(self, kind, seed):
        def python(*arguments, **more):
            command = [sys.executable] + list(arguments)
            return subprocess.run(command, capture_output=True, check=True, text=True, **more).stdout

        if kind == "ir":
            return python(os.path.join(INPUTS, "random-ir.py"), str(seed))
        if kind == "ir-walks":
            return python(os.path.join(INPUTS, "random-walks.py"), str(seed))
        if kind == "ir-grid":
            return python(os.path.join(INPUTS, "random-grid.py"), str(seed))
        text = python(os.path.join(INPUTS, "random-mir.py"), str(seed), *kind.split("-")[1:])
        return python(os.path.join(INPUTS, "mir.py"), self.major, input=text)

    def options_of(self, kind, seed):
        rng = random.Random(seed * 7919)
        options = ["-mcpu=" + rng.choice(["sm_70", "sm_80", "sm_90"])] + rng.choice(PIPELINES[kind])
        if kind.startswith("ir"):
            options.append("-O%d" % rng.choice([0, 1, 2, 2, 3]))
            options += rng.choice([[], [], [], ["-early-live-intervals"], ["-disable-copyprop"]])
        options += self.extra_of(rng) if rng.random() < 0.5 else []
        # It has LiveIntervals computed where nothing else reads them, so not for all.
        return options + (["-verify-coalescing"] if seed % 4 == 0 else [])

    def extra_of(self, rng):
        """Options of ours, each at most once."""
        options = {}
        for chosen in rng.sample(EXTRA, rng.choice([1, 1, 2, 3])):
            for option in chosen:
                name, equals, value = option.partition("=")
                if name == "-ptx-passes":
                    value = ",".join(p for p in self.passes if rng.random() < 0.5) or "none"
                elif name.endswith("-limit"):
                    value = rng.choice(LIMITS)
                options[name] = "%s%s%s" % (name, equals, value)
        return list(options.values())

    def llc(self, arguments):
        command = [self.o.llc] + arguments + ["-march=nvptx64", "-o", "-"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return Result("does not end", b"", "")
        err = done.stderr.decode(errors="replace")
        # Leaves out what differs between two runs: the backtrace with its addresses, and our mark after a pass's name.
        err = err.partition("PLEASE submit")[0].replace(" (ptxpasses)", "")
        return Result(done.returncode, done.stdout, re.sub(r"0x[0-9a-f]+", "0x", err))

    def judge(self, path, options, cases, grid):
        """What is wrong, as (oracle, text); `None` if nothing is. Counts in `cases` what has been looked at. `grid`: the
        threads of the module's kernels do not race."""
        extra = [o for o in options if o.partition("=")[0] in OURS]
        options = [o for o in options if o not in extra]
        verify = ["-verify-machineinstrs"] if "verifier" in self.oracles else []
        check = ["-ptx-verify"] if "checker" in self.oracles else []
        # -verify-coalescing has the verifier look as well.
        options = [o for o in options if verify or o != "-verify-coalescing"]
        stock = self.llc(verify + options + [path])
        if "Bad machine code" in stock.err:
            # A known fault of stock's analyses: run both without the verifier.
            verify = []
            options = [o for o in options if o != "-verify-coalescing"]
            stock = self.llc(options + [path])
            if "Bad machine code" in stock.err:
                # The reader of machine code refuses the input: the reduction left out lines that it needs.
                cases["refused by stock"] += 1
                return None
        if stock.status == "does not end":
            return None
        # A signal is a fault of LLVM's. `upstream` has nothing to be compared with then; `cicc` must not fail.
        dies = stock.status < 0
        cases["stock dies"] += dies
        ours = ["-load", self.o.plugin] + extra
        parity = "-ptx-fast-compile" not in extra and "parity" in self.oracles
        for profile in ["cicc"] if dies else ["upstream", "cicc"]:
            got = self.llc(ours + check + ["-ptx-profile=" + profile] + verify + options + [path])
            if ": miscompiled: " in got.err:
                # With -ptx-fast-compile the code is not stock's, but the miscompile may be.
                as_stock = [option for option in ours if option != "-ptx-fast-compile"]
                plain = as_stock + ["-ptx-profile=upstream"] + verify + options + [path]
                if profile == "upstream" and self.llc(plain)[:2] == stock[:2]:
                    # Stock miscompiles it, too, and `upstream` does as stock does. `cicc` must not.
                    cases["stock's own miscompiles"] += 1
                    continue
                return "checker, " + profile, got.err
            if "Bad machine code" in got.err:
                return "verifier, " + profile, got.err
            if dies and got.status:
                # LLVM's own code may die in our process, too.
                return None
            if stock.status and not dies:
                # Stock refuses the input, so `upstream` must.
                if profile == "upstream" and got.status == 0:
                    return "accepted", "stock: status %s\n%s" % (stock.status, stock.err)
                cases["refused by stock"] += 1
                return None
            if got.status:
                return "status %s, %s" % (got.status, profile), got.err
            if profile == "upstream" and parity and (got.out, got.err) != (stock.out, stock.err):
                return "parity", "the output differs from stock's"
            cases["checker"] += bool(check)
            cases["verifier"] += bool(verify)
            cases["parity"] += profile == "upstream" and parity
        cases.update("with " + o.partition("=")[0] for o in extra)
        if not path.endswith(".ll") or dies:
            return None
        # One thread whose branches are forced meets them in the order of the text: a block that a stage empties, and LLVM then folds away, makes
        # another order. Grids go by their conditions.
        oracle = "grid" if grid else "equal"
        refused = self.refused(got.out, stock.out, options, cases)
        return refused or (self.computes_otherwise(oracle, path, options, extra, cases) if oracle in self.oracles else None)

    def refused(self, ours, stock, options, cases):
        """What ptxas has against our PTX and not against stock's."""
        if not self.o.ptxas or "ptxas" not in self.oracles:
            return None
        words = self.ptxas(ours, options)
        if words and not self.ptxas(stock, options):
            return "ptxas", words
        cases["ptxas"] += not words
        return None

    def ptxas(self, ptx, options):
        """What ptxas prints about a text that it refuses."""
        cpu = next(o.partition("=")[2] for o in options if o.startswith("-mcpu="))
        # ptxas reads older PTX, but does not compile for older processors.
        cpu = "sm_75" if cpu == "sm_70" else cpu
        with tempfile.NamedTemporaryFile(suffix=".ptx") as f:
            f.write(ptx)
            f.flush()
            command = [self.o.ptxas, "-arch=" + cpu, "-O0", "-c", f.name, "-o", os.devnull]
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
        return (done.stdout + done.stderr).decode(errors="replace").strip() if done.returncode else ""

    def computes_otherwise(self, oracle, path, options, extra, cases):
        """What `ptx-compare equal` says of the default profile with the plugin's options `extra`: it runs each function
        in one thread, or, for the oracle `grid`, each kernel in a grid of blocks."""
        level = next((o[2:] for o in options if o.startswith("-O")), "2")
        cpu = next(o.partition("=")[2] for o in options if o.startswith("-mcpu="))
        both = shlex.join(o for o in options if not o.startswith(("-O", "-mcpu=")))
        # One thread meets hashes where numbers are divided.
        extra = [o for o in extra if oracle == "grid" or o != "-ptx-divisions"]
        command = [COMPARE, "equal", "--llc", self.o.llc, "--plugin", self.o.plugin, "--plugin-args=" + shlex.join(extra),
                   "--extra=" + both, "--mcpu", cpu, "-O", level, "--timeout", str(SECONDS), path]
        command[2:2] = ["--grid"] if oracle == "grid" else []
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if done.returncode == 2 or "--- difference" in done.stdout:
            return oracle, done.stdout + done.stderr
        if oracle == "grid" and not self.says_all(done.stdout):
            return "grid, not compared", done.stdout + done.stderr
        cases[oracle] += done.returncode == 0
        return None

    @staticmethod
    def says_all(text):
        """Whether all launches were compared, and nothing of them was undefined: random-grid.py promises that. Some
        take too long."""
        _, _, reasons = text.partition("| not compared, as")
        rows = [line for line in reasons.splitlines()[2:] if line.startswith("|") and "budget" not in line]
        return not rows and " 0 of them undefined in stock" in text

    def one(self, kind, seed):
        """What failed, if anything, and what was looked at."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.ll" if kind.startswith("ir") else "a.mir")
            text = self.generate(kind, seed)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            options = self.options_of(kind, seed)
            if NEW_PROCESSOR.search(text):
                options = ["-mcpu=sm_80" if o == "-mcpu=sm_70" else o for o in options]
            if "!llvm.dbg.cu" in text and "-mcpu=sm_90" not in options:
                # ptxas reads debug information of PTX 7.5 and newer only; that of sm_90 is newer.
                options.append("-mattr=+ptx75")
            cases = collections.Counter()
            wrong = self.judge(path, options, cases, kind == "ir-grid")
            if not wrong:
                return None, cases
            text = self.reduce(text, path, options, wrong[0])
        return self.keep(kind, seed, options, text, wrong), cases

    def reduce(self, text, path, options, oracle):
        """Without the lines that the fault does not need: halves first, then less, for two minutes."""
        until = time.monotonic() + 120
        lines = text.splitlines(keepends=True)

        def fails(candidate):
            with open(path, "w", encoding="utf-8") as f:
                f.write("".join(candidate))
            wrong = self.judge(path, options, collections.Counter(), oracle == "grid")
            return wrong is not None and wrong[0] == oracle

        size = max(1, len(lines) // 2)
        while time.monotonic() < until:
            at, shorter = 0, False
            while at < len(lines) and time.monotonic() < until:
                kept = [line for line in lines[at:at + size] if oracle == "grid" and ORDERS.search(line)]
                candidate = lines[:at] + kept + lines[at + size:]
                if len(candidate) < len(lines) and fails(candidate):
                    lines, shorter, at = candidate, True, at + len(kept)
                else:
                    at += size
            if size > 1:
                size //= 2
            elif not shorter:
                break
        return "".join(lines)

    def keep(self, kind, seed, options, text, wrong):
        os.makedirs(self.o.folder, exist_ok=True)
        suffix, comment = ("ll", ";") if kind.startswith("ir") else ("mir", "#")
        path = os.path.join(self.o.folder, "%s-%d-llvm-%s.%s" % (kind, seed, self.major, suffix))
        with open(path, "w", encoding="utf-8") as f:
            f.write("%s %s\n%s" % (comment, shlex.join(options), text))
        with open(path + ".txt", "w", encoding="utf-8") as f:
            f.write("%s\n%s" % wrong)
        return "%s seed %d: %s: %s\n  kept as %s" % (kind, seed, wrong[0], wrong[1].strip()[:300], path)

    def found(self):
        """Those that were found before, with what is wrong now."""
        folder = os.path.join(HERE, "found")
        for name in sorted(os.listdir(folder)):
            if not name.endswith((".ll", ".mir")):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                options = shlex.split(f.readline()[1:])
            # Machine code is kept in LLVM 22's names, and translated.
            path = os.path.join(folder, name)
            with tempfile.TemporaryDirectory() as scratch:
                if name.endswith(".mir"):
                    with open(path, encoding="utf-8") as f:
                        text = subprocess.run([sys.executable, os.path.join(INPUTS, "mir.py"), self.major],
                                              stdin=f, capture_output=True, check=True, text=True).stdout
                    path = os.path.join(scratch, name)
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(text)
                yield name, self.judge(path, options, collections.Counter(), name.startswith("ir-grid"))


def main():
    parser = argparse.ArgumentParser()
    for name in ["major", "llc", "plugin", "folder"]:
        parser.add_argument(name)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--modules", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=sorted(PIPELINES))
    parser.add_argument("--oracles", help="ask only these: " + ", ".join(ORACLES))
    parser.add_argument("--ptxas")
    o = parser.parse_args()
    fuzzer = Fuzzer(o)
    failures, again = 0, 0
    cases = collections.Counter()
    for name, wrong in fuzzer.found():
        again += 1
        if wrong:
            failures += 1
            print("FAILED again: %s: %s: %s" % ((name,) + wrong), flush=True)
    start = said = time.monotonic()
    kinds = [o.only] if o.only else KINDS
    seed, done, functions = o.seed, 0, 0
    waiting = {}

    def more():
        over = o.seconds is not None and time.monotonic() - start > o.seconds
        return not over and (o.modules is None or seed - o.seed < o.modules)

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        try:
            while True:
                while more() and len(waiting) < 2 * o.jobs:
                    kind = kinds[seed % len(kinds)]
                    waiting[pool.submit(fuzzer.one, kind, seed)] = kind
                    seed += 1
                if not waiting:
                    break
                ready, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in ready:
                    done += 1
                    functions += FUNCTIONS[waiting.pop(future)]
                    failure, looked_at = future.result()
                    cases.update(looked_at)
                    if failure:
                        failures += 1
                        print("FAILED: " + failure, flush=True)
                if time.monotonic() - said > 30:
                    said = time.monotonic()
                    print("%d modules, %d functions, %d failures, %d s, at seed %d"
                          % (done, functions, failures, said - start, seed), flush=True)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    counts = ", ".join("%s %d" % c for c in sorted(cases.items()))
    print("LLVM %s: %d kept inputs, seeds %d to %d: %d modules, %d functions in %d s; modules by oracle: %s; %d failures"
          % (o.major, again, o.seed, seed - 1, done, functions, time.monotonic() - start, counts, failures))
    sys.exit(1 if failures else 0)


main()
