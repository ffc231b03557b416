"""Shows that the plugin does what stock LLVM does.

    same.py LLC PLUGIN MAJOR [--levels=LIST] [--asm] [--any-target] [--native | --maybe]
                             [--profile=NAME] [--pass=NAME] [--no-verify]
                             [--no-check] -- ARGUMENTS OF LLC...

Runs LLC on the arguments once as it is and once with PLUGIN, for each level of
the list (default: O0,O2,O2-lis), and fails with a diff if their outputs differ:
the machine code after the pass (.mir), two-address or that of --pass, or, with --asm, the assembly
that comes out at the end. The machine verifier runs after every pass, and with
the plugin functions must have gone through Rust.

"O2-lis" is -O2 with -early-live-intervals, where the pass keeps LiveIntervals
exact rather than LiveVariables. LLVM 24 has no such option: there the level is left out.

Prints for each level what the pass counted, zeros left out:

    O2: copies inserted 2, two-address instructions 2

--any-target: -ptx-all-targets, for functions that are not NVPTX's.
--native: no function may go through Rust (the input is another target's).
--maybe: the pass may run or not (the pipeline stops ahead of it).
--pass: emitter, phi-elim or coalescer rather than two-address; levels for .mir files begin with "phi" and
"coalescer".
--profile: -ptx-profile; the default is upstream, which promises equality.
--no-verify: the input has faults that the verifier finds in stock's output too.
--no-check: the same for -ptx-verify, which is on otherwise; what that counts is not printed.
"""

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile

LEVELS = {
    "O0": ["-O0"],
    "O1": ["-O1"],
    "O2": ["-O2"],
    "O3": ["-O3"],
    "O0-lis": ["-O0", "-early-live-intervals"],
    "O2-lis": ["-O2", "-early-live-intervals"],
    # For a .mir file: the pass alone, with neither analysis, either, or both, with
    # optimisation or without.
    "alone": ["-run-pass=twoaddressinstruction"],
    "alone-O0": ["-run-pass=twoaddressinstruction", "-O0"],
    "lv": ["-run-pass=livevars,twoaddressinstruction"],
    "lis": ["-run-pass=liveintervals,twoaddressinstruction"],
    "both": ["-run-pass=livevars,liveintervals,twoaddressinstruction"],
    # The same for PHI elimination; with both analyses; and followed by passes that read
    # the analyses that it has updated.
    "phi": ["-run-pass=phi-node-elimination"],
    "phi-lv": ["-run-pass=livevars,phi-node-elimination"],
    "phi-lis": ["-run-pass=liveintervals,phi-node-elimination"],
    "phi-both": ["-run-pass=livevars,liveintervals,phi-node-elimination"],
    # With SlotIndexes alone, whose numbers the printed function has.
    "phi-slots": [
        "-run-pass=slotindexes,phi-node-elimination",
        "-print-after=phi-node-elimination",
    ],
    # Block frequencies are there, and block placement reads them after the pass.
    "phi-frequencies": [
        "-run-pass=livevars,machine-loops,machine-block-freq,phi-node-elimination,block-placement"
    ],
    "phi-lv-on": ["-run-pass=livevars,phi-node-elimination,twoaddressinstruction"],
    "phi-lis-on": [
        "-run-pass=liveintervals,phi-node-elimination,twoaddressinstruction,register-coalescer"
    ],
    # The coalescer, and followed by a pass that reads LiveIntervals.
    "coalescer": ["-run-pass=register-coalescer"],
    "coalescer-on": ["-run-pass=register-coalescer,machine-scheduler", "-enable-misched"],
}
STOCK_NAMES = {
    "two-address": "twoaddressinstruction",
    "phi-elim": "phi-node-elimination",
    "coalescer": "register-coalescer",
    "emitter": "finalize-isel",
}


# From LLVM 24 on two passes have other arguments, and LiveIntervals is never computed early.
RENAMED = {"twoaddressinstruction": "two-address-instruction", "slotindexes": "slot-indexes"}


def run(command):
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        # Without the backtrace, which differs from run to run.
        said = done.stderr.decode(errors="replace").partition("PLEASE submit")[0]
        sys.stderr.write(said)
        sys.exit("same: status %d of: %s" % (done.returncode, " ".join(command)))
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("llc")
    parser.add_argument("plugin")
    parser.add_argument("major", type=int, help="LLVM's major version")
    parser.add_argument("--levels", default="O0,O2,O2-lis")
    parser.add_argument("--asm", action="store_true")
    parser.add_argument("--any-target", action="store_true")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--maybe", action="store_true")
    parser.add_argument("--profile", default="upstream")
    parser.add_argument("--pass", dest="which", default="two-address")
    parser.add_argument("--no-verify", action="store_true")
    parser.add_argument("--no-check", action="store_true")
    o = parser.parse_args(sys.argv[1:split])
    arguments = sys.argv[split + 1 :] + ["-o", "-"]

    verify = [] if o.no_verify else ["-verify-machineinstrs"]
    for level in o.levels.split(","):
        # On both sides: the verifier keeps analyses alive that the pass then sees.
        options = LEVELS[level] + verify + arguments
        if not o.asm and "-run-pass" not in options[0]:
            options.append("-stop-after=" + STOCK_NAMES[o.which])
        if o.major >= 24:
            if "-early-live-intervals" in options:
                continue
            for old, new in RENAMED.items():
                options = [option.replace(old, new) for option in options]
        stock, stock_said = run([o.llc] + options)
        with tempfile.TemporaryDirectory() as folder:
            statistics = os.path.join(folder, "stats.json")
            ours, we_said = run(
                [o.llc, "-load", o.plugin, "-ptx-profile=" + o.profile]
                + ([] if o.no_check else ["-ptx-verify"])
                + ["-ptx-stats-json=" + statistics]
                + (["-ptx-all-targets"] if o.any_target else [])
                + options
            )
            # How -opt-bisect-limit and others list a pass that runs in Rust.
            we_said = we_said.replace("pass (ptxpasses)", "pass")
            records = []
            # There is none where no code for NVPTX is generated.
            if not o.native or os.path.exists(statistics):
                with open(statistics) as f:
                    records = [r for r in json.load(f) if r["pass"] == o.which]
        if stock != ours or stock_said != we_said:
            names = ("stock, " + level, "plugin, " + level)
            for a, b in [(stock, ours), (stock_said, we_said)]:
                lines = difflib.unified_diff(a.splitlines(), b.splitlines(), *names, n=8)
                print("\n".join(lines))
            sys.exit("same: different at " + level)
        if not o.maybe and o.native == bool(records):
            sys.exit("same: Rust ran on %d functions at %s" % (len(records), level))
        totals = {}
        for record in records:
            for name, count in record["counters"].items():
                if name.startswith(("verified ", "not checked: ")):
                    continue
                totals[name] = totals.get(name, 0) + count
        counts = ["%s %d" % t for t in sorted(totals.items()) if t[1]]
        print("%s: %s" % (level, ", ".join(counts) or "nothing"))


main()
