"""Checks that `scripts/release check` passes only where each of its parts has passed.

    python3 tests/release.py

Problem. In a shell function whose status is asked for, a command that fails does not end the function. So a check may be lost, and the release be called checked.

Method. A clone of the last commit, and a `cargo` that does nothing, and fails where it is told to. Each part in turn fails, and then LLVM 19 is missing;
each time the script must fail and must not say that anything was checked. With no fault it must pass, and name the commit that it has compared with.

Source. None. Deviation: the crates themselves are not packed here, as that takes minutes. Complexity: constant.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checking import ROOT, check, outcome

CARGO = """#!/usr/bin/env bash
case " $* " in
  *" $FAILING "*) [[ $* == *--version* ]] || exit 1 ;;
esac
"""


def release(clone: Path, tools: Path, failing: str) -> subprocess.CompletedProcess[str]:
    """Runs the check with a cargo that fails where its arguments have these words."""
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "FAILING": failing}
    command = ["scripts/release", "check", "--since", "HEAD"]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)


def main() -> int:
    """Runs the checks."""
    with tempfile.TemporaryDirectory() as folder:
        clone, tools = Path(folder, "clone"), Path(folder, "tools")
        subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(clone)], check=True)
        tools.mkdir()
        cargo = tools / "cargo"
        cargo.write_text(CARGO, encoding="utf-8")
        cargo.chmod(0o755)
        lost = release(clone, tools, "nothing")
        fine = lost.returncode and "checked" not in lost.stdout and "LLVM 19" in lost.stderr
        check("without LLVM 19 the promises are not checked", bool(fine), lost.stdout + lost.stderr)
        llvm = ROOT / "build" / "llvm-19"
        if llvm.exists():
            (clone / "build").mkdir(exist_ok=True)
            (clone / "build" / "llvm-19").symlink_to(llvm)
            for failing in ("publish", "--features plugin", "--features llvm19-1"):
                done = release(clone, tools, failing)
                check(f"{failing} fails", done.returncode != 0 and "checked" not in done.stdout, done.stdout + done.stderr)
            done = release(clone, tools, "nothing")
            check("nothing fails", done.returncode == 0 and "keeps the promises of HEAD" in done.stdout, done.stdout + done.stderr)
        else:
            print("skipped: the promises; scripts/setup 19 gets the LLVM that they need")
    return outcome()


if __name__ == "__main__":
    sys.exit(main())
