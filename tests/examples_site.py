"""Checks the pages that scripts/examples-site makes, on kernels of this repository.

    python3 tests/examples_site.py HOST [FOLDER]

HOST is the LLVM that the plugin is built for. The pages are made in build/examples-site-test by the code that makes those of other projects. FOLDER is
checked instead, without those kernels: that of scripts/examples-site itself.

Problem. A page of a project's kernels must hold no line of its sources, each link must lead somewhere, and a figure must be that of its kernels.

Method. tests/report/lines.ll has debug information, so that a report has its source, lines.cu. All that the page packs is unpacked and searched for
the lines of that file; a page that is made with sources must have them, or the search could find nothing. Figures are computed of rows whose means are
known. Links of the index are followed in its folder and in docs/, and in the site, which has the page in its contents, and does not without the folder.

Source. None. Deviation: none. Complexity: linear in the pages.
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

from checking import ROOT, check, outcome

sys.path.insert(0, str(ROOT / "scripts"))

from as_module import load  # noqa: E402

LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
PACKED = re.compile(r'<script type="text/plain" id="([^"]+)">([^<]*)</script>')
HREF = re.compile(r'(?:href|src)="([^"]+)"')
SOURCE = ROOT / "tests" / "report" / "lines.cu"
TEST = ROOT / "build" / "examples-site-test"
examples_site: Any = load("examples-site")


def texts(page: Path) -> list[bytes]:
    """All that a page holds: itself, and each part that it packs."""
    html = page.read_text(encoding="utf-8")
    return [html.encode(), *(zlib.decompress(base64.b64decode(data)) for _, data in PACKED.findall(html))]


def telling(source: Path) -> list[bytes]:
    """The lines of a source that could stand nowhere else."""
    lines = [line.strip() for line in source.read_text(encoding="utf-8").splitlines()]
    return [line.encode() for line in lines if len(line) > 20]


def holds(page: Path, lines: list[bytes]) -> list[bytes]:
    """The lines that a page holds. The text of a source is packed as JSON, which escapes quotes."""
    parts = texts(page)
    return [line for line in lines if any(line in part or line.replace(b'"', b'\\"') in part for part in parts)]


def numbers(registers: int, sass: int, warps: int, spills: int = 0) -> dict[str, int]:
    """One side of a kernel."""
    return {"registers": registers, "sass": sass, "warps": warps, "spill_stores": spills, "spill_loads": 0}


def figures() -> None:
    """Means and counts of rows for which they are known."""
    rows = [
        {"stock": numbers(40, 100, 32), "ours": numbers(10, 400, 64), "time": 0.5},
        {"stock": numbers(16, 50, 64), "ours": numbers(16, 50, 48, spills=8), "time": 2.0},
        {"stock": numbers(0, 9, 64), "ours": numbers(0, 9, 64), "time": 0.995},
        {"stock": numbers(8, 9, 64, spills=4), "ours": numbers(8, 9, 64)},
    ]
    got = examples_site.figures(rows)
    check("four kernels, three of them with a time", (got.kernels, got.timed) == (4, 3), str(got))
    check("the mean of the times is geometric", abs(got.time - 0.995 ** (1 / 3)) < 1e-12, str(got))
    check("one is faster, one slower; half a percent is neither", (got.faster, got.slower) == (1, 1), str(got))
    check("registers: a kernel without any is in no mean", abs(got.registers - 0.25 ** (1 / 3)) < 1e-12, str(got))
    check("SASS", abs(got.sass - 4 ** (1 / 4)) < 1e-12, str(got))
    check("occupancy: one higher, one lower", got.occupancy == (1, 1), str(got))
    check("spills: in one fewer, in one more", got.spills == (1, 1), str(got))
    check("without a time there is none in the table", examples_site.cells(examples_site.figures(rows[3:]))[0] == "none")


def own() -> list[Any]:
    """Kernels of this repository, as if they were another project's."""
    modules = (ROOT / "tests/report/lines.ll", ROOT / "examples/saxpy.ll")
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    return [examples_site.Shown("own", "Our own", "https://example.org", "Apache-2.0", licence, "this checkout", ("lines.cu",), modules)]


def linked(folder: Path) -> list[str]:
    """The pages that the index of a folder links; each of its links is followed."""
    targets = LINK.findall((folder / "examples.md").read_text(encoding="utf-8"))
    lost = [target for target in targets if not (folder / target).is_file() and not (ROOT / "docs" / target).is_file()]
    check("each link of the index leads somewhere", bool(targets) and not lost, str(lost))
    made = {path.relative_to(folder).as_posix() for path in (folder / "examples").iterdir()}
    check("each page and each licence is linked", made == {target for target in targets if target.startswith("examples/")}, str(made))
    return sorted(name for name in made if name.endswith(".html"))


def pages(host: str) -> None:
    """The pages of our own kernels."""
    examples_site.make(own(), TEST, host)
    page, lines = TEST / "examples/own.html", telling(SOURCE)
    check("the page holds no line of the source", not holds(page, lines), str(holds(page, lines)))
    check("and has no part for one", not any(name.startswith("source-") for name, _ in PACKED.findall(page.read_text(encoding="utf-8"))))
    with_source = TEST.with_name("examples-site-test.html")
    examples_site.compare(host, "report", "--mcpu", "sm_80", ROOT / "tests/report/lines.ll", "-o", with_source)
    check("a page that has the source is found out", len(holds(with_source, lines)) == len(lines) > 0, str(len(lines)))
    text = (TEST / "examples.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    # Kernels that saxpy.ll and lines.ll define.
    defined = sum(len(re.findall(r"^define .*\bptx_kernel\b", module.read_text(encoding="utf-8"), re.MULTILINE)) for module in own()[0].modules)
    check("a row for the project, one for its control", len(rows) == 4 and "**ours**" in rows[2] and "| control |" in rows[3], text)
    check("with all kernels", f"| **ours** | {defined} |" in rows[2] and f"| control | {defined} |" in rows[3], f"{defined}: {rows[2:]}")
    check("ours and the control are not the same code", rows[2].split("|")[4:] != rows[3].split("|")[4:], str(rows))
    check("licence and package are named", "Licence: Apache-2.0" in text and "this checkout" in text)
    before = (TEST / "examples.md").stat().st_mtime_ns
    try:
        examples_site.make([*own(), examples_site.Shown("bad", "Bad", "", "MIT", "", "", (), (ROOT / "README.md",))], TEST, host)
        check("a file that is not a module is an error", False)
    except examples_site.ExamplesError as error:
        left = [path.name for path in TEST.parent.iterdir() if path.name.startswith("examples-site-test.") and path != with_source]
        check("a file that is not a module is an error, and the pages stay as they were", (TEST / "examples.md").stat().st_mtime_ns == before and not left, f"{error} {left}")


def site(folder: Path) -> None:
    """The site with the pages of a folder, and without any."""
    mkdocs = ROOT / "build/site-venv/bin/mkdocs"
    if not mkdocs.exists():
        print("skipped: the site; scripts/site --fetch gets what makes it")
        return
    for what, place, wanted in (("with the pages", folder, True), ("without them", folder / "none", False)):
        to = ROOT / "build/examples-site-test-site"
        environment = {**os.environ, "PTX_EXAMPLES_SITE": str(place), "NO_MKDOCS_2_WARNING": "1"}
        done = subprocess.run([mkdocs, "build", "--clean", "--site-dir", to], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        check(f"the site is made {what}", done.returncode == 0, done.stderr)
        if done.returncode:
            continue
        contents = 'href="examples.html"' in (to / "index.html").read_text(encoding="utf-8")
        check(f"its contents {'have' if wanted else 'do not have'} them", contents == wanted and (to / "examples.html").exists() == wanted)
        if wanted:
            found = HREF.findall((to / "examples.html").read_text(encoding="utf-8"))
            targets = {re.split("[#?]", target)[0] for target in found if not re.match(r"[a-z]+:|//|#", target)}
            lost = [target for target in targets if not (to / target).exists()]
            ours = {target for target in targets if target.startswith("examples/")}
            there = {path.relative_to(to).as_posix() for path in (to / "examples").iterdir()}
            check("each link of its page leads somewhere", not lost and ours == there, f"{lost} {ours} {there}")


def main() -> int:
    """Checks our own pages, or those of a folder."""
    if len(sys.argv) not in (2, 3):
        print(__doc__)
        return 2
    if len(sys.argv) == 3:
        folder = Path(sys.argv[2]).resolve()
        for name in linked(folder):
            parts = [part for part, _ in PACKED.findall((folder / name).read_text(encoding="utf-8"))]
            check(f"{name} has kernels and no source", "kernel-0" in parts and not any(part.startswith("source-") for part in parts), str(parts))
    else:
        folder = TEST
        figures()
        pages(sys.argv[1])
        linked(folder)
    site(folder)
    return outcome()


if __name__ == "__main__":
    sys.exit(main())
