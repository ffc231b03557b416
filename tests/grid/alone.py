"""Shows that the checker, `equal` and grids each find a seeded bug alone.

    alone.py VERSION [NAME...]

Problem. A fault that the checker shares with the stages, or that one kind of run cannot show, is not found if there is one finder alone. A value
that was taken for an address was: three checks passed over it.

Method. `scripts/mutations VERSION` has built a plugin with all bugs of tests/mutations/table.py, each off unless PTX_MUTATION names it. Each bug with `alone`, or of
those the ones whose names contain NAME, is made in the source of tests/grid/adversarial that it names, and asked for three times:

  checker  llc -ptx-verify says that the code is miscompiled;
  equal    without the checker, `ptx-compare equal` finds that one thread computes something else than with stock's PTX;
  grid     without the checker, the PTX leaves other bytes than the host has computed (run.py).

Without a bug all three must be content. That llc fails, or that a text cannot be read, is not a finding. The exit status is 1 if a finder misses
a bug, or reports something without one.

Source. DeMillo, Lipton, Sayward, "Hints on Test Data Selection" (1978). Deviation: none. Complexity. Bugs times finders.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import run

sys.path.insert(0, str(run.ROOT / "tests" / "mutations"))
import table  # noqa: E402  (its folder is not a package)

PLUGIN = run.ROOT / "build" / "mutations" / "libptxpasses.so"
COMPARE = run.ROOT / "target" / "release" / "ptx-compare"
CPU, FEATURES = "sm_80", "-mattr=+ptx70"


class Finders:
    """Asks the finders about a source, with a bug or without."""

    def __init__(self, version: str) -> None:
        self.llc = str(run.ROOT / "build" / f"llvm-{version}" / "bin" / "llc")
        self.version = version

    def call(self, bug: str | None, *command: str) -> subprocess.CompletedProcess[str]:
        """Runs a program with a bug."""
        environment = {name: value for name, value in os.environ.items() if name != "PTX_MUTATION"}
        if bug:
            environment["PTX_MUTATION"] = bug
        return subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, timeout=run.TIMEOUT, check=False)

    def compile(self, bug: str | None, ir: Path, *options: str) -> subprocess.CompletedProcess[str]:
        """Compiles a source by the default profile."""
        return self.call(bug, self.llc, "-load", str(PLUGIN), "-march=nvptx64", f"-mcpu={CPU}", FEATURES, *options, str(ir), "-o", "-")

    def checker(self, bug: str | None, source: Path, ir: Path) -> str | None:
        """Returns what -ptx-verify says of a source."""
        done = self.compile(bug, ir, "-ptx-verify")
        if ": miscompiled: " in done.stderr:
            return done.stderr
        if done.returncode != 0:
            raise run.Failure(done.stderr[-2000:], done.returncode)
        return None

    def equal(self, bug: str | None, source: Path, ir: Path) -> str | None:
        """Returns what `equal` says of a source."""
        command = [str(COMPARE), "equal", "--llc", self.llc, "--plugin", str(PLUGIN), "--mcpu", CPU, f"--extra={FEATURES}", "-O", "2", str(ir)]
        done = self.call(bug, *command)
        if ": different ---" in done.stdout:
            return done.stdout
        if done.returncode != 0:
            raise run.Failure(done.stdout[-1000:] + done.stderr[-1000:], done.returncode)
        return None

    def grid(self, bug: str | None, source: Path, ir: Path) -> str | None:
        """Returns what a source's launches say."""
        launch = run.make_launches(source, False)
        done = self.compile(bug, ir)
        if done.returncode != 0:
            raise run.Failure(done.stderr[-2000:], done.returncode)
        with tempfile.TemporaryDirectory() as folder:
            ptx = Path(folder) / f"{source.stem}.ptx"
            ptx.write_text(done.stdout, encoding="utf-8")
            ran = self.call(None, str(COMPARE), "grid", str(ptx), "--launch", str(launch))
        if ran.returncode not in (0, 1):
            raise run.Failure(ran.stdout[-1000:] + ran.stderr[-1000:], ran.returncode)
        return ran.stdout if ran.returncode == 1 else None

    def all(self) -> dict[str, Callable[[str | None, Path, Path], str | None]]:
        """All of them by name."""
        return {"checker": self.checker, "equal": self.equal, "grid": self.grid}


def main() -> int:
    """Runs what the command line says."""
    parser = argparse.ArgumentParser(description="Shows that the checker, equal and grids each find a seeded bug alone.")
    parser.add_argument("version")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    major = int(arguments.version.partition("-")[0])
    bugs = [bug for bug in table.BUGS if bug.alone and bug.min_llvm <= major <= bug.max_llvm]
    bugs = [bug for bug in bugs if not arguments.names or any(name in bug.name for name in arguments.names)]
    if not bugs:
        print("alone.py: no such bug", file=sys.stderr)
        return 2
    finders = Finders(arguments.version)
    for needed in [Path(finders.llc), PLUGIN, PLUGIN.with_name(f"libptxpasses-{arguments.version}.so"), COMPARE]:
        if not needed.exists():
            print(f"alone.py: no {needed}", file=sys.stderr)
            return 2
    sources = {stem: run.sources([stem])[0] for stem in sorted({bug.alone for bug in bugs})}
    irs = {stem: run.make_ir(source, arguments.version, "2") for stem, source in sources.items()}
    failed = []
    print(f"{'seeded bug':<80} {'  '.join(finders.all())}")
    cases: list[tuple[str | None, str]] = [(None, stem) for stem in sources] + [(bug.name, bug.alone) for bug in bugs]
    for bug, stem in cases:
        answers = []
        for name, ask in finders.all().items():
            try:
                found = ask(bug, sources[stem], irs[stem]) is not None
                answers.append("found" if found else "-")
            except run.Failure as failure:
                found = not bug
                answers.append("failed")
                failed.append(f"{name} cannot tell, of {bug or stem}: {failure}")
            if found != (bug is not None):
                failed.append(f"{name} {'misses ' + bug if bug else 'reports something without a bug in ' + stem}")
        columns = "  ".join(f"{answer:<{len(name)}}" for answer, name in zip(answers, finders.all(), strict=True))
        print(f"{bug or 'none, in ' + stem:<80} {columns}", flush=True)
    for why in failed:
        print("FAILED: " + why)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
