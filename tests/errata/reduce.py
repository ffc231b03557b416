"""Makes a PTX text small whose machine code leaves other memory than the PTX: what `hunt.py` has found.

    reduce.py FILE.ptx KERNEL --cuda DIR --gpu CPU [--right-at N] [-o OUT.ptx]

Problem. A kernel that the hunt finds has hundreds of lines, and the fault is in five.

Method. First all other functions go. Then groups of lines of the kernel are left out, first large ones and at last single lines, as long as
`ptx-compare sass` still finds a difference. Lines that wait stay, since without them what is left would be a race; whether it is one all the same, and
whether it reads registers that nothing writes, is for the reader to see. With
--right-at N the code must be right at that level of ptxas, 0 say: no emulator is at fault in a way that both levels show.

Source. Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input (2002). Deviation: groups are halved, and complements are not tried.
Complexity. The number of lines times its logarithm, and as much again for each line that goes in the last round, in runs of ptxas.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 120
WAITS = re.compile(r"\bbar\.|\bbarrier\.|wait|fence|membar")


def without_others(text: str, kernel: str) -> str:
    """The text with this kernel alone of its kernels."""
    parts = re.split(r"(?m)^(?=\.visible \.entry|\t// \.globl)", text)
    return "".join(part for part in parts if ".entry" not in part or re.search(rf"\.entry {re.escape(kernel)}\(", part))


def removable(lines: list[str]) -> list[int]:
    """The lines of a body that may go: not those of the head, nor of brackets."""
    start = next((number for number, line in enumerate(lines) if line.strip() == "{"), 0)
    body = (number for number in range(start + 1, len(lines)) if lines[number].strip() not in ("{", "}"))
    return [number for number in body if not WAITS.search(lines[number])]


def smaller(lines: list[str], is_still: Callable[[list[str]], bool]) -> list[str]:
    """The lines that are left when no single one may go."""
    size = max(len(lines) // 2, 1)
    while True:
        start, has_changed = 0, False
        while start < len(removable(lines)):
            group = set(removable(lines)[start : start + size])
            shorter = [line for number, line in enumerate(lines) if number not in group]
            if is_still(shorter):
                lines, has_changed = shorter, True
            else:
                start += size
        if size > 1:
            size //= 2
        elif not has_changed:
            return lines


def main() -> int:
    """Runs what the command line says."""
    parser = argparse.ArgumentParser(description="Makes a PTX text small that ptxas compiles wrongly.")
    parser.add_argument("ptx", type=Path)
    parser.add_argument("kernel")
    parser.add_argument("--cuda", type=Path, required=True)
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--right-at", metavar="N")
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "release" / "ptx-compare")
    parser.add_argument("-o", dest="out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "k.ptx"

        def num_different(level: str) -> int | None:
            command = [options.program, "sass", path, "--cuda", options.cuda, "--gpu", options.gpu, "--level", level, "--budget", "2000000"]
            try:
                done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=TIMEOUT, check=False)
            except subprocess.TimeoutExpired:
                return None
            found = re.search(r"(\d+) kernels? compared, .*; (\d+) different$", done.stdout)
            return int(found[2]) if found and int(found[1]) else None

        def is_still(lines: list[str]) -> bool:
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return bool(num_different("3")) and (options.right_at is None or num_different(options.right_at) == 0)

        lines = without_others(options.ptx.read_text(encoding="utf-8"), options.kernel).splitlines()
        if not is_still(lines):
            raise SystemExit(f"reduce.py: {options.kernel} is not compiled wrongly there, or not rightly at the other level")
        text = "\n".join(smaller(lines, is_still)) + "\n"
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
