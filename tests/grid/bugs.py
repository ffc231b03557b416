"""Lists which seeded bugs these kernels find by what they compute alone.

    bugs.py VERSION [NAME...]

Problem. The checker and LLVM's verifier find every seeded bug (tests/mutations). A bug of a rule that the checker shares with the pass would
escape both; only a wrong result shows it. So it matters which kinds of bugs the results show.

Method. `scripts/mutations VERSION` has built a plugin with all bugs of tests/mutations/table.py, each off unless PTX_MUTATION names it. Every
kernel is compiled with each bug of a stage or pass that rewrites code, or of those whose names contain NAME. Where the PTX is not that of
the plugin without a bug, it is run. A bug is found if a launch gives other bytes than the host's. Where llc fails, or the PTX cannot be
read, that counts for nothing.

The last line counts the bugs that were found. The exit status is 1 if a stage or pass has bugs, and none of them is found.

Source. DeMillo, Lipton, Sayward, "Hints on Test Data Selection" (1978). Deviation: none.
Complexity. Bugs times sources times settings, less what is equal.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import sys
from collections import defaultdict
from pathlib import Path

import run

sys.path.insert(0, str(run.ROOT / "tests" / "mutations"))
import table  # noqa: E402  (its folder is not a package)

REWRITING = [
    *("short-addresses", "fold-addresses", "induction", "flush", "wide-phis", "hoist", "remat", "sink", "bit-fields", "emitter"),
    *("cssa", "phi-elim", "two-address", "coalescer", "nvptx-coalescer"),
]
"""The stages and passes that change what is computed."""

SETTINGS = ["default", "maxreg"]
LEVEL = "2"
BUDGET = "20000000"
"""Instructions of a launch: many times what any of them needs, as a bug may make loops endless."""

MAX_SECONDS = 20
"""Seconds that llc may take: some bugs make it endless."""


class Texts:
    """Compiles sources with a bug."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.version: str = arguments.version
        self.interpreter: str = arguments.interpreter
        self.llc = str(run.ROOT / "build" / f"llvm-{self.version}" / "bin" / "llc")
        self.plugin = str(run.ROOT / "build" / "mutations" / "libptxpasses.so")
        self.sources = run.sources([])
        self.launches = {source: run.make_launches(source, False) for source in self.sources}
        self.irs = {source: run.make_ir(source, self.version, LEVEL) for source in self.sources}
        self.right = {(source, setting): self.compile(source, setting, None) for source in self.sources for setting in SETTINGS}

    def compile(self, source: Path, setting: str, bug: str | None) -> str:
        """The PTX of a source; raises run.Failure if llc fails."""
        options = [*run.ARCH, "-load", self.plugin, *run.SETTINGS[setting]]
        variables = {} if bug is None else {"PTX_MUTATION": bug}
        return run.call([self.llc, *options, str(self.irs[source]), "-o", "-"], **variables)

    def finder(self, bug: table.Bug) -> tuple[str | None, str]:
        """The source and setting that find a bug, and what else the bug does until then."""
        num_changed = num_failed = 0
        for source in self.sources:
            for setting in SETTINGS:
                try:
                    ptx = self.compile(source, setting, bug.name)
                except run.Failure:
                    num_failed += 1
                    continue
                if ptx == self.right[source, setting]:
                    continue
                num_changed += 1
                path = run.WORK / self.version / "bugs" / f"{source.stem}.{setting}.{run.digest(bug.name, ptx)}.ptx"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(ptx, encoding="utf-8")
                try:
                    run.call([self.interpreter, "grid", str(path), "--budget", BUDGET, "--launch", str(self.launches[source])])
                except run.Failure as failure:
                    if failure.status == 1:
                        return f"{source.stem} ({setting})", ""
                    num_failed += 1
                finally:
                    path.unlink()
        return None, f"{num_changed} texts changed, llc or the interpreter refused {num_failed}"


def main() -> int:
    """Runs what the command line says."""
    parser = argparse.ArgumentParser(description="Lists which seeded bugs the kernels find by their results.")
    parser.add_argument("version")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--interpreter", default=str(run.ROOT / "target" / "release" / "ptx-compare"))
    arguments = parser.parse_args()
    if "PTX_MUTATION" in os.environ:
        print("bugs.py: PTX_MUTATION is set", file=sys.stderr)
        return 2
    texts = Texts(arguments)
    run.TIMEOUT = MAX_SECONDS
    bugs = [bug for bug in table.BUGS if bug.stage in REWRITING and bug.min_llvm <= int(arguments.version) <= bug.max_llvm]
    bugs = [bug for bug in bugs if not arguments.names or any(name in bug.name for name in arguments.names)]
    if not bugs:
        print("bugs.py: no such bug", file=sys.stderr)
        return 2
    found: defaultdict[str, int] = defaultdict(int)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for bug, (where, otherwise) in zip(bugs, pool.map(texts.finder, bugs), strict=True):
            found[bug.stage] += where is not None
            print(f"{bug.name:76} {where or f'not found; {otherwise}'}", flush=True)
    for stage, num_found in found.items():
        print(f"{stage:16} {num_found} of {sum(bug.stage == stage for bug in bugs)}")
    print(f"{sum(found.values())} of {len(bugs)} seeded bugs found")
    return 1 if 0 in found.values() else 0


if __name__ == "__main__":
    sys.exit(main())
