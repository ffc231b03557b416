"""Checks what the first screen of README shows: the code of one kernel, stock's beside ours, and what ptxas makes of both.

    readme.py VERSION [--write]

Problem. A page that shows generated code is wrong as soon as the code changes.

Method. build/llvm-VERSION's llc compiles tests/kernels/lists.ll without and with the plugin. The text from the first block that does work to the end of
the loop is put in two columns: `-` marks a line of stock's whose instruction ours has not, `+` one of ours. It must stand in README between its two
marks, as it is. The figures below it are those of `ptx-compare kernels`, where there is ptxas. --write puts it there.

Source. None. Deviation: none. Complexity: linear in the text.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KERNEL = "histogram"
SOURCE = "tests/kernels/lists.ll"
PROCESSOR = "sm_80"
MARKS = ("<!-- tests/readme.py -->", "<!-- end -->")
WIDTH = 46


def body(ptx: str) -> list[str]:
    """The lines of the kernel from its second block to the end of its loop, without comments and declarations."""
    kernel = ptx[re.search(rf"\.entry {KERNEL}\(", ptx).start() :]  # type: ignore[union-attr]
    lines = [re.sub(r"\s+", " ", line.split("//")[0]).strip() for line in kernel.splitlines()]
    lines = [line for line in lines if line]
    start = next(number for number, line in enumerate(lines) if line.startswith("@")) + 1
    end = next(number for number, line in enumerate(lines) if number > start and line.startswith("@")) + 1
    return lines[start:end]


def opcode(line: str) -> str:
    """The instruction of a line, without its registers, whose numbers differ in any case; the parameter or the label that it names."""
    return re.sub(r"%\w+", "%", line)


def blocks(lines: list[str]) -> list[list[str]]:
    """The lines, a list for each block. A block begins with its label."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line.endswith(":"):
            found.append([])
        found[-1].append(line)
    return found


def columns(stock: list[str], ours: list[str]) -> list[str]:
    """The two texts side by side. Only blocks of the same number are compared."""
    rows = [row for pair in zip(blocks(stock), blocks(ours), strict=True) for row in rows_of(*pair)]
    return [f"{left:{WIDTH}}{right}".rstrip() for left, right in rows]


def rows_of(stock: list[str], ours: list[str]) -> list[tuple[str, str]]:
    """The rows of one block."""
    rows: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(None, [opcode(line) for line in stock], [opcode(line) for line in ours], autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        marks = ("  ", "  ") if tag == "equal" else ("- ", "+ ")
        left, right = ([mark + line for line in lines] for mark, lines in zip(marks, (stock[first:last], ours[start:end]), strict=True))
        count = max(len(left), len(right))
        rows += zip(left + [""] * (count - len(left)), right + [""] * (count - len(right)), strict=True)
    return rows


def compiled(version: str, options: list[str]) -> str:
    """The PTX of the example."""
    llc = ROOT / "build" / f"llvm-{version}" / "bin" / "llc"
    command = [str(llc), *options, "-march=nvptx64", f"-mcpu={PROCESSOR}", "-O3", str(ROOT / SOURCE), "-o", "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def counted(version: str, setting: str) -> tuple[dict[str, int], dict[str, int]]:
    """What ptxas makes of stock's text and of that with a setting of ptx-compare's."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = Path(folder) / "numbers.json"
        command = [str(ROOT / "target" / "release" / "ptx-compare"), "kernels", "--llvm", version, "--cuda", str(ROOT / "build" / "cuda")]
        command += ["--llc", str(ROOT / "build" / f"llvm-{version}" / "bin" / "llc"), "--plugin", str(ROOT / "build" / "lib" / "libptxpasses.so")]
        command += ["--mcpu", PROCESSOR, "--setting", setting, "--json", str(numbers), str(ROOT / SOURCE)]
        subprocess.run(command, capture_output=True, check=True, timeout=300)
        kernels = json.loads(numbers.read_text(encoding="utf-8"))
    own = next(kernel for kernel in kernels if kernel["kernel"] == KERNEL)
    return own["stock"], own["ours"]


def figures(version: str) -> str | None:
    """What ptxas makes of the texts, and of the control's, as a sentence; `None` without ptxas."""
    if not (ROOT / "build" / "cuda" / "bin" / "ptxas").exists():
        return None
    stock, ours = counted(version, "default")
    _, control = counted(version, "stock-no-lsr")
    return (
        f"ours needs {ours['registers']} registers and {ours['sass']} instructions of machine code, "
        f"stock {stock['registers']} and {stock['sass']}, stock with `-disable-lsr` {control['registers']} and {control['sass']} "
        f"(`ptxas` 13.0, {PROCESSOR})"
    )


def main() -> int:
    """Runs what the command line says."""
    parser = argparse.ArgumentParser(description="Checks the first screen of README.")
    parser.add_argument("version")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    plugin = str(ROOT / "build" / "lib" / "libptxpasses.so")
    stock, ours = (body(compiled(options.version, loading)) for loading in ([], ["-load", plugin]))
    heads = [f"{'  stock llc ' + options.version:{WIDTH}}  with ptxpasses", ""]
    block = "\n".join("    " + line if line else "" for line in heads + columns(stock, ours))
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    first, last = (text.index(mark) for mark in MARKS)
    shown = text[first + len(MARKS[0]) : last]
    wanted = f"\n\n{block}\n\n"
    if options.write:
        readme.write_text(text[:first] + MARKS[0] + wanted + text[last:], encoding="utf-8")
    elif shown != wanted:
        print("README.md does not show the code that llc makes; tests/readme.py N --write puts it there:")
        print("\n".join(difflib.unified_diff(shown.splitlines(), wanted.splitlines(), "README.md", "llc", lineterm="")))
        return 1
    sentence = figures(options.version)
    if sentence is not None and sentence not in text:
        print(f"README.md does not say: {sentence}")
        return 1
    print(f"README.md shows the code of {KERNEL}" + ("" if sentence is None else ", and what ptxas makes of it"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
