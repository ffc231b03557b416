"""Every seeded bug is found: run.py MAJOR LLC PLUGIN [NAME]...

The plugin is built from table.py's copy of the sources. For each bug of the table, or those whose names contain a
NAME, the inputs are compiled with the bug, under the symbolic checker and under LLVM's verifier, each alone. The
finder that the table names must say so; an assertion of the pass does not count. Without a bug nothing is said.
Bugs of what only the `cicc` profile does are looked for in that profile. Bugs of a stage in OWN run on a few inputs that
are made for it, and on no others: few of these meet them.
"""

import collections
import os
import subprocess
import sys
import tempfile

import table

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIT = os.path.join(ROOT, "tests", "lit")
INPUTS = os.path.join(LIT, "Inputs")
OWN = ["undefined", "cssa", "parallel", "conversions", "moves", "constants", "redundant"]
X86 = ["-mtriple=x86_64", "-ptx-all-targets"]
ARM = ["-mtriple=thumbv8.1m.main-none-eabi", "-mattr=+mve.fp", "-ptx-all-targets"]


def random_code(major, folder):
    """Random functions, as machine code; see random-mir.py."""
    out = []
    for seed, phis in [(1, []), (2, []), (3, []), (4, []), (21, ["phis"]), (22, ["phis"]), (23, ["phis"])]:
        text = subprocess.run(
            [sys.executable, os.path.join(INPUTS, "random-mir.py"), str(seed)] + phis,
            capture_output=True, check=True, text=True,
        ).stdout
        text = subprocess.run(
            [sys.executable, os.path.join(INPUTS, "mir.py"), major], input=text, capture_output=True, check=True, text=True
        ).stdout
        path = os.path.join(folder, "random%d.mir" % seed)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        out.append((path, bool(phis)))
    return out


def translated(major, folder, name):
    """A test's machine code in the names of this LLVM."""
    path = os.path.join(LIT, name)
    with open(path, encoding="utf-8") as f:
        text = subprocess.run(
            [sys.executable, os.path.join(INPUTS, "mir.py"), major], stdin=f, capture_output=True, check=True, text=True
        ).stdout
    out = os.path.join(folder, name.replace("/", "-"))
    with open(out, "w", encoding="utf-8") as f:
        f.write(text)
    return out


def inputs(major, folder):
    """Arguments of llc."""
    passes = "livevars,phi-node-elimination,twoaddressinstruction,liveintervals,register-coalescer"
    nvptx = ["-march=nvptx64", "-mcpu=sm_80"]
    for name in sorted(os.listdir(os.path.join(ROOT, "examples"))):
        if name.endswith(".ll"):
            yield nvptx + [os.path.join(ROOT, "examples", name)]
    for path, phis in random_code(major, folder):
        yield nvptx + ["-run-pass=" + passes, path]
        if not phis:
            yield nvptx + ["-run-pass=twoaddressinstruction", path]
            yield nvptx + ["-run-pass=liveintervals,twoaddressinstruction", path]
    for name in ["coalescer/values.mir", "coalescer/interference.mir", "coalescer/undef.mir"]:
        yield nvptx + ["-run-pass=register-coalescer", translated(major, folder, name)]
    for name in ["phi-elim/lowering.mir", "phi-elim/shared.mir"]:
        yield nvptx + ["-run-pass=" + passes, translated(major, folder, name)]
    for name in ["two-address/reschedule.mir", "two-address/groups.mir", "two-address/t8-live-variables.mir"]:
        yield nvptx + ["-run-pass=livevars,twoaddressinstruction", translated(major, folder, name)]
    for name in ["two-address/t4-subregs.mir", "two-address/t2-commute.mir"]:
        path = os.path.join(LIT, name)
        yield ["-ptx-all-targets", "-run-pass=livevars,twoaddressinstruction", path]
    for name in [
        "addresses/fold-addresses.ll",
        "addresses/sums.ll",
        "addresses/products.ll",
        "addresses/shifts.ll",
        "hoist/hoist.ll",
        "remat/remat.ll",
        "remat/conditions.ll",
        "wide-phis/c7-halves.ll",
        "emitter/e11-e14-copies.ll",
    ]:
        yield nvptx + [os.path.join(LIT, name)]
    yield nvptx + ["-disable-lsr", os.path.join(LIT, "induction/induction.ll")]
    yield X86 + [os.path.join(INPUTS, "host-ops.ll")]
    yield X86 + [os.path.join(INPUTS, "vector-ops.ll")]
    yield ARM + [os.path.join(INPUTS, "vector-ops.ll")]


def own_inputs(stage, major, folder):
    """Those of a stage of OWN."""
    nvptx = ["-march=nvptx64", "-mcpu=sm_80"]
    coalescer = nvptx + ["-run-pass=register-coalescer"]
    if stage == "undefined":
        yield coalescer + [translated(major, folder, "coalescer/implicit-def-read.mir")]
    if stage == "cssa":
        passes = "-run-pass=livevars,phi-node-elimination,twoaddressinstruction"
        code = [translated(major, folder, name) for name in ["cssa/c8-tied.mir", "cssa/c8-kills.mir"]]
        code += [path for path, phis in random_code(major, folder) if phis]
        for method in ["-usedessa=1", "-usedessa=2"]:
            cssa = nvptx + ["-cssa-coalesce", method]
            yield cssa + [os.path.join(LIT, "cssa/c8-copies.ll")]
            for path in code:
                yield cssa + [passes, path]
    if stage == "parallel":
        yield nvptx + [os.path.join(LIT, "nvptx-coalescer/c5-parallel.ll")]
    if stage == "conversions":
        yield nvptx + [os.path.join(LIT, "nvptx-coalescer/c4-conversions.ll")]
    if stage == "moves":
        yield nvptx + [os.path.join(LIT, "wide-phis/c7-halves.ll")]
    if stage == "constants":
        yield coalescer + [translated(major, folder, "nvptx-coalescer/c9-constants.mir")]
    if stage == "redundant":
        yield coalescer + [translated(major, folder, "nvptx-coalescer/c9-redundant.mir")]


def stage_of(bug):
    """The stage whose inputs it runs on; "": the inputs of all others."""
    stage = bug.partition(": ")[0]
    return stage if stage in OWN else ""


def profile_of(bug):
    is_cicc = stage_of(bug) or bug.startswith(("emitter: ", "fold-addresses: ", "wide-phis: ", "hoist: ", "induction: ", "remat: "))
    return "cicc" if is_cicc else "upstream"


def exists(bug, major):
    """LLVM 21 has one class for the bits of an integer and of a float: there is nothing to convert."""
    return stage_of(bug) != "conversions" or int(major) < 21


def run(llc, plugin, profile, bug, oracle, arguments):
    """Whether the bug was met, and what was said."""
    environment = dict(os.environ)
    environment.pop("PTX_MUTATION", None)
    if bug:
        environment["PTX_MUTATION"] = bug
    command = [llc, "-load", plugin, "-ptx-profile=" + profile, oracle, "-o", os.devnull] + arguments
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, timeout=60)
    except subprocess.TimeoutExpired:
        return True, "does not end"
    met = "seeded bug met" in done.stderr
    if ": miscompiled: " in done.stderr:
        return met, "checker"
    if "Bad machine code" in done.stderr:
        return met, "verifier"
    if "internal error" in done.stderr:
        return met, "assertion"
    if done.returncode:
        return met, "crash"
    return met, None


def main():
    major, llc, plugin, *wanted = sys.argv[1:]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        finders = table.bugs()
        chosen = [n for n in finders if exists(n, major) and (not wanted or any(w in n for w in wanted))]
        work = collections.defaultdict(list)
        for profile, stage in sorted({(profile_of(n), stage_of(n)) for n in chosen}):
            for arguments in own_inputs(stage, major, folder) if stage else inputs(major, folder):
                said = {oracle: run(llc, plugin, profile, None, oracle, arguments) for oracle in ORACLES}
                if said["-ptx-verify"] != (False, None):
                    failed.append("without a bug: %s, %s: %s" % (profile, " ".join(arguments), said))
                # Some inputs have faults that the verifier finds anyway.
                work[profile, stage].append((arguments, [o for o in ORACLES if said[o][1] is None]))
        by_pass = collections.Counter()
        print("%-70s %5s  %7s  %8s  %9s" % ("seeded bug", "met", "checker", "verifier", "otherwise"))
        for name in chosen:
            met, found = 0, collections.Counter()
            profile = profile_of(name)
            for arguments, oracles in work[profile, stage_of(name)]:
                for oracle in oracles:
                    was_met, said = run(llc, plugin, profile, name, oracle, arguments)
                    met += was_met
                    if said:
                        found[said] += 1
                    if not was_met:
                        break
            others = sum(found[o] for o in ["assertion", "crash", "does not end"])
            row = (name, met, found["checker"], found["verifier"], others)
            print("%-70s %5d  %7d  %8d  %9d" % row, flush=True)
            by_pass["checker" if found["checker"] else "verifier" if found["verifier"] else "none"] += 1
            if not met:
                failed.append("never met: " + name)
            elif not found[finders[name]]:
                failed.append("not found by the %s: %s" % (finders[name], name))
    print("%d seeded bugs: %d found by the checker, %d by the verifier alone"
          % (len(chosen), by_pass["checker"], by_pass["verifier"]))
    if not wanted and len(chosen) < 30:
        failed.append("there are %d bugs, not 30" % len(chosen))
    for why in failed:
        print("FAILED: " + why)
    sys.exit(1 if failed else 0)


ORACLES = ["-ptx-verify", "-verify-machineinstrs"]
main()
