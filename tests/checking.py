"""What the programs that check scripts and packages share: they print each check, and end with how many failed."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
failures: list[str] = []


def check(what: str, holds: bool, detail: str = "") -> None:
    """Prints what was checked, and remembers it if it does not hold."""
    print(f"{'ok    ' if holds else 'FAILED'} {what}")
    if not holds:
        failures.append(what)
        print(detail)


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command, with these variables besides the environment's."""
    variables = {**os.environ, **environment}
    return subprocess.run([*map(str, command)], env=variables, capture_output=True, text=True, check=False)


def outcome() -> int:
    """Prints how many checks failed; the exit status."""
    print(f"{len(failures)} failed")
    return 1 if failures else 0
