"""Inputs that are broken, or large, or odd.

Broken ones: text, bitcode and machine code cut off or with bytes changed. What stock llc refuses must be refused with
stock's own message and status; what it accepts must come out the same. Large and odd ones must come out the same as
stock's, in a time that is limited and does not grow faster than the input, under -ptx-verify too. Inline assembly that
ptxas would refuse must be passed on. Prints a table; exit status 1 if any fails.
"""

import argparse
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
INPUTS = os.path.join(HERE, "lit", "Inputs")
TARGET = 'target triple = "nvptx64-nvidia-cuda"\n'
SECONDS = 120
# Times are processor times of single runs on a machine that may be busy. So a failure is only an exponent above STEEP
# of something that takes longer than LONG, in seconds.
STEEP, LONG = 1.6, 0.5


def limit_processor():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))


class Bad:
    def __init__(self, major, llc, plugin, folder, full):
        self.major, self.llc, self.plugin, self.folder = major, llc, plugin, folder
        self.scale = 1 if full else 10
        self.failed = []

    def run(self, arguments, plugin):
        command = [self.llc, "-march=nvptx64", "-mcpu=sm_80", "-o", "-"] + arguments
        if plugin:
            command[1:1] = ["-load", self.plugin, "-ptx-profile=upstream"] + plugin
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(command, capture_output=True, timeout=10 * SECONDS, stdin=subprocess.DEVNULL,
                                  preexec_fn=limit_processor)
            timed_out = done.returncode == -signal.SIGXCPU
        except subprocess.TimeoutExpired:
            timed_out = True
        if timed_out:
            return "over %d s" % SECONDS, b"", "", SECONDS
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        said = done.stderr.decode(errors="replace").partition("PLEASE submit")[0]
        return done.returncode, done.stdout, re.sub(r"0x[0-9a-f]+", "0x", said), seconds

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as f:
            f.write(data)
        return path

    # ---- broken

    def sources(self):
        """Name, data and arguments of whole inputs."""
        kernel = os.path.join(INPUTS, "kernel.ll")
        with open(kernel, "rb") as f:
            yield "text.ll", f.read(), []
        opt = os.path.join(os.path.dirname(self.llc), "opt")
        yield "bitcode.bc", subprocess.run([opt, kernel, "-o", "-"], capture_output=True, check=True).stdout, []
        mir = subprocess.run([sys.executable, os.path.join(INPUTS, "random-mir.py"), "22", "phis"],
                             capture_output=True, check=True).stdout
        mir = subprocess.run([sys.executable, os.path.join(INPUTS, "mir.py"), self.major], input=mir,
                             capture_output=True, check=True).stdout
        passes = "processimpdefs,livevars,phi-node-elimination,twoaddressinstruction,register-coalescer"
        yield "machine.mir", mir, ["-run-pass=" + passes]

    def broken(self):
        rng = random.Random(7)
        cases = 40 if self.scale == 1 else 12
        for name, data, arguments in self.sources():
            for what in ["cut off", "bytes changed"]:
                refused = accepted = died = 0
                for k in range(cases):
                    if what == "cut off":
                        broken = data[:len(data) * k // cases]
                    else:
                        broken = bytearray(data)
                        for _ in range(rng.choice([1, 1, 3, 20])):
                            broken[rng.randrange(len(broken))] = rng.choice([rng.randrange(256), 32, 48, 37, 10])
                    path = self.write(name, bytes(broken))
                    stock = self.run(arguments + [path], None)
                    ours = self.run(arguments + [path], ["-ptx-verify"])
                    # Where stock dies of a signal, ours may die in another way, or not at all: LLVM's LiveVariables
                    # crashes on a function without blocks, and ours does not.
                    stock_dies = stock[0] not in (0, 1) and isinstance(ours[0], int)
                    if stock[:3] != ours[:3] and not stock_dies:
                        kept = self.write("failed-%s-%s-%d-%s" % (self.major, what.split()[0], k, name), bytes(broken))
                        self.failed.append("%s, %s, case %d: status %s, stock %s: %s\n%s"
                                           % (name, what, k, ours[0], stock[0], ours[2][:400], kept))
                    refused += stock[0] == 1
                    accepted += stock[0] == 0
                    died += stock[0] not in (0, 1)
                print("%-34s %4d cases: stock refuses %d, accepts %d, dies of %d"
                      % (name + " " + what, cases, refused, accepted, died), flush=True)

    # ---- large and odd

    def large(self, wanted):
        for name, make, sizes, arguments, suffix in LARGE:
            if wanted and not any(w in name for w in wanted):
                continue
            small = None
            for size in sizes:
                n = max(1, size // self.scale) if len(sizes) > 1 else size
                text = make(self, n)
                path = self.write("large." + suffix, text.encode())
                title = "%s, %d" % (name, n) if len(sizes) > 1 else name
                stock = self.run(arguments + [path], None)
                if isinstance(stock[0], str):
                    # Nothing to compare with.
                    print("%-44s stock: %s" % (title, stock[0]), flush=True)
                    continue
                ours, checked, passes, checker = self.measure(path, arguments)
                for got, how in [(ours, ""), (checked, " with -ptx-verify")]:
                    if got[:3] != stock[:3]:
                        self.failed.append("%s%s: status %s, stock %s: %s" % (title, how, got[0], stock[0], got[2][:400]))
                growth = ""
                if small:
                    # Exponents: 1 is linear. Steep ones are measured again, as a busy machine can make one run slow.
                    for attempt in range(3):
                        growths = [growth_of(n / small[0], *pair) for pair in [(small[1], passes), (small[2], checker)]]
                        steep = any(g > STEEP and t > LONG for g, t in zip(growths, [passes, checker], strict=True))
                        if not steep or attempt == 2:
                            break
                        _, _, *again = self.measure(path, arguments)
                        passes, checker = min(passes, again[0]), min(checker, again[1])
                    growth = "%5.2f" % growths[0]
                    # The difference of two shorter times is noise.
                    if small[2] > 0.05 and checker > 0.05:
                        growth += " %5.2f" % growths[1]
                    for exponent, seconds, what in zip(growths, [passes, checker], ["passes", "checker"], strict=True):
                        if exponent > STEEP and seconds > LONG:
                            self.failed.append("%s: the %s grow with exponent %.2f" % (title, what, exponent))
                print("%-44s %8.2f %8.2f %8.2f %8.3f  %s"
                      % (title, stock[3], ours[3], checked[3], passes, growth), flush=True)
                small = (n, passes, checker)

    def measure(self, path, arguments):
        """What came of it without and with the checker, and the seconds of the passes and of the checker."""
        statistics = os.path.join(self.folder, "statistics.json")
        ours = self.run(arguments + [path], ["-ptx-stats-json=" + statistics])
        checked = self.run(arguments + [path], ["-ptx-verify"])
        passes = 0.0
        if ours[0] == 0:
            with open(statistics, encoding="utf-8") as f:
                passes = sum(r["nanoseconds"] for r in json.load(f)) / 1e9
        return ours, checked, passes, checked[3] - ours[3]


def growth_of(factor, before, after):
    """By which exponent of the input's growth something grows; nothing is faster than 0.1 ms."""
    return math.log(max(after, 1e-4) / max(before, 1e-4)) / math.log(factor)


def straight(_, n):
    """Blocks of 200 instructions."""
    out = ["define ptx_kernel void @k(ptr %p, i32 %a) {\nentry:\n  br label %b0"]
    blocks = max(1, n // 200)
    last = "%a"
    for b in range(blocks):
        out.append("b%d:" % b)
        for i in range(min(n, 199)):
            name = "%%v%d_%d" % (b, i)
            out.append("  %s = %s i32 %s, %s" % (name, ["add", "mul", "xor"][i % 3], last, "%a" if i % 7 else str(i)))
            last = name
        out.append("  br label %%%s" % ("b%d" % (b + 1) if b + 1 < blocks else "done"))
    out.append("done:\n  store i32 %s, ptr %%p\n  ret void\n}" % last)
    return TARGET + "\n".join(out) + "\n"


def switch(step):
    def make(_, n):
        """All paths meet again in one block, with three PHIs."""
        cases = "\n".join("    i32 %d, label %%c%d" % (i * step, i) for i in range(n))
        out = ["define ptx_kernel void @k(ptr %%p, i32 %%a) {\nentry:\n  switch i32 %%a, label %%done [\n%s\n  ]" % cases]
        pairs = [["[ %d, %%entry ]" % k] for k in range(3)]
        for i in range(n):
            out.append("c%d:\n  %%v%d = mul i32 %%a, %d\n  store volatile i32 %%v%d, ptr %%p\n  br label %%done"
                       % (i, i, i + 3, i))
            pairs[0].append("[ %%v%d, %%c%d ]" % (i, i))
            pairs[1].append("[ %d, %%c%d ]" % (i % 17, i))
            pairs[2].append("[ %%a, %%c%d ]" % i)
        out.append("done:")
        out += ["  %%x%d = phi i32 %s" % (k, ", ".join(p)) for k, p in enumerate(pairs)]
        out += ["  store volatile i32 %%x%d, ptr %%p" % k for k in range(3)]
        return TARGET + "\n".join(out) + "\n  ret void\n}\n"
    return make


def tied(_, n):
    n += n % 7 == 0  # its order needs that
    command = [sys.executable, os.path.join(INPUTS, "many-tied.py"), str(n)]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def machine(self, n):
    """One block of machine code, with a tied operand in every fourth instruction."""
    out = ["--- |\n  %s  define void @f() { ret void }\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:" % TARGET,
           "    %0:b32 = MOV_B32_i 1"]
    for i in range(1, n):
        if i % 4 == 0:
            out.append("    INLINEASM &a, 0, 10, def %%%d:b32, 2147483657, %%%d(tied-def 3)" % (i, i - 1))
        else:
            out.append("    %%%d:b32 = ADD32rr %%%d, %%%d" % (i, i - 1, i - i % 4 if i % 4 != 3 else i - 1))
    out.append("    INLINEASM &use, 1, 9, %%%d\n    Return\n..." % (n - 1))
    return subprocess.run([sys.executable, os.path.join(INPUTS, "mir.py"), self.major], input="\n".join(out) + "\n",
                          capture_output=True, check=True, text=True).stdout


def fixed(text):
    return lambda *_: TARGET + text


ODD = {
    "one instruction": "define ptx_kernel void @k() {\n  ret void\n}",
    "no function": "declare void @f()",
    "nothing at all": "",
    "a function that is only unreachable": "define void @f() {\n  unreachable\n}",
    "unreachable blocks, among them a loop":
        "define i32 @f(i32 %a) {\n  br label %end\nx:\n  %p = phi i32 [ %q, %y ], [ 1, %z ]\n  br label %y\ny:\n"
        "  %q = add i32 %p, %a\n  br i1 undef, label %x, label %end\nz:\n  br label %x\nend:\n"
        "  %r = phi i32 [ 0, %0 ], [ %q, %y ]\n  ret i32 %r\n}",
    "recursion":
        "define i32 @f(i32 %a) {\n  %z = icmp eq i32 %a, 0\n  br i1 %z, label %end, label %more\nmore:\n"
        "  %b = sub i32 %a, 1\n  %r = call i32 @f(i32 %b)\n  %s = mul i32 %r, %a\n  br label %end\nend:\n"
        "  %v = phi i32 [ 1, %0 ], [ %s, %more ]\n  ret i32 %v\n}",
    "mutual recursion": "define void @f() {\n  call void @g()\n  ret void\n}\ndefine void @g() {\n  call void @f()\n  ret void\n}",
    "noreturn":
        "declare void @exit(i32) noreturn\ndefine void @f(i32 %a) {\n  %z = icmp eq i32 %a, 0\n"
        "  br i1 %z, label %end, label %die\ndie:\n  call void @exit(i32 %a) noreturn\n  unreachable\nend:\n  ret void\n}",
    "a loop without an end": "define void @f() {\n  br label %l\nl:\n  br label %l\n}",
    "inline assembly that ptxas refuses":
        'define i32 @f(i32 %a) {\n  %r = call i32 asm sideeffect "no such thing $0, $1, {;", "=r,0"(i32 %a)\n  ret i32 %r\n}',
    "inline assembly with a register that does not exist":
        'define i32 @f(i32 %a) {\n  %r = call i32 asm "mov $0, $1;", "={nothing},r"(i32 %a)\n  ret i32 %r\n}',
    "inline assembly with an operand too many":
        'define i32 @f(i32 %a) {\n  %r = call i32 asm "mov $0, $9;", "=r,r"(i32 %a)\n  ret i32 %r\n}',
}
RUN = ["-run-pass=livevars,phi-node-elimination,twoaddressinstruction,register-coalescer"]
LARGE: list[tuple] = [(name, fixed(text + "\n"), [0], [], "ll") for name, text in ODD.items()] + [
    ("instructions", straight, [50000, 200000], ["-O1"], "ll"),
    ("instructions at -O0", straight, [50000, 200000], ["-O0"], "ll"),
    ("machine instructions in one block", machine, [50000, 200000], RUN, "mir"),
    ("ways of a dense switch", switch(1), [2500, 10000], ["-O1"], "ll"),
    ("ways of a sparse switch", switch(37), [2500, 10000], ["-O1"], "ll"),
    ("tied results", tied, [1250, 5000], ["-O1"], "ll"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ["major", "llc", "plugin"]:
        parser.add_argument(name)
    parser.add_argument("--full", action="store_true", help="200,000 instructions, 10,000 ways; otherwise a tenth")
    parser.add_argument("wanted", nargs="*", metavar="NAME", help="only rows with NAME in their title, or 'broken'")
    o = parser.parse_intermixed_args()
    wanted = o.wanted
    unknown = [w for w in wanted if w != "broken" and not any(w in name for name, *_ in LARGE)]
    if unknown:
        parser.error("no such input: " + ", ".join(unknown))
    with tempfile.TemporaryDirectory() as folder:
        bad = Bad(o.major, o.llc, o.plugin, folder, o.full)
        if not wanted or "broken" in wanted:
            bad.broken()
        print("%-44s %8s %8s %8s %8s  %s" % ("seconds", "stock", "ours", "checked", "passes", "growth: passes, checker"))
        bad.large(wanted)
        for why in bad.failed:
            print("FAILED: " + why)
        print("%d failures" % len(bad.failed))
        sys.exit(1 if bad.failed else 0)


main()
