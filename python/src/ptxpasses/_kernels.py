"""Keeps the kernels that were compiled in this process, and shows the gain: a line for each kernel, a summary, a page."""

from __future__ import annotations

import dataclasses
import math
import os
import shutil
import sys
import tempfile
import warnings
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ptxpasses import _files, _ptxas
from ptxpasses._llc import CompileError, Compiler

#: What is said of a kernel, its unit, and whether a higher number is better.
FIGURES = (("registers", "", False), ("spills", " bytes", False), ("SASS", "", False), ("occupancy", " %", True))


@dataclasses.dataclass(frozen=True)
class Kernel:
    """One kernel of Triton's, compiled in this process or taken from Triton's cache."""

    #: Triton's name for it in its cache.
    key: str
    name: str
    #: How its PTX was made: what is in the kernel's metadata under `ptxpasses`.
    made: dict[str, Any]
    #: Its IR, compressed; `None` if Triton keeps none.
    ir: bytes | None
    #: The arguments that the compiler was made with.
    compiler: tuple[str, str, tuple[str, ...]]

    def line(self) -> str:
        """Returns its line of the log."""
        title = f"{self.name} {self.made.get('cpu', '')}:"
        if why := self.made.get("fallback"):
            return f"{title} Triton's own code: {why}"
        if why := self.made.get("not measured"):
            return f"{title} not measured: {why}"
        before, after = self.made["before"], self.made["after"]
        said = [f"{what} {_change(before[what.lower()], after[what.lower()], unit)}" for what, unit, _ in FIGURES]
        return f"{title} {', '.join(said)}"


#: By `Kernel.key`, in the order in which they came.
_seen: dict[str, Kernel] = {}


def compressed(ir: str | None) -> bytes | None:
    """Returns IR as `Kernel` keeps it."""
    return None if ir is None else zlib.compress(ir.encode("utf-8", "surrogateescape"), 1)


def add(kernel: Kernel) -> bool:
    """Keeps a kernel; returns whether it is new."""
    is_new = kernel.key not in _seen
    _seen[kernel.key] = kernel
    return is_new


def summary() -> str | None:
    """Returns the gain over all measured kernels, in one line."""
    both = [(kernel.made["before"], kernel.made["after"]) for kernel in _seen.values() if "after" in kernel.made]
    if not both:
        return None
    said = []
    for what, unit, more_is_better in FIGURES:
        name = what.lower()
        pairs = [(before[name], after[name]) for before, after in both]
        better = sum((before < after) if more_is_better else (before > after) for before, after in pairs)
        worse = sum((before > after) if more_is_better else (before < after) for before, after in pairs)
        if name in ("registers", "sass"):
            ratio = math.exp(sum(math.log(after / before) for before, after in pairs) / len(pairs))
            said.append(f"{what} {ratio:.3f} of it, better in {better}, worse in {worse}")
        elif name == "spills":
            said.append(f"spills {_change(sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs), unit)}")
        else:
            said.append(f"{what} better in {better}, worse in {worse}")
    return f"{len(both)} kernel{'s'[: len(both) != 1]} against Triton's own code: {'; '.join(said)}"


def say_summary() -> None:
    """Prints that on stderr."""
    if said := summary():
        print(f"ptxpasses: {said}", file=sys.stderr)


def report(path: str | os.PathLike[str] = "ptxpasses.html") -> list[Path]:
    """Writes a page with all kernels that Triton has compiled in this process since `ptxpasses.triton.install`, or found in its cache.

    It shows both sides of each, of stock llc and of ptxpasses: PTX, SASS, registers, remarks. Kernels for different processors, or
    compiled with different options, are on pages of their own. Returns the files. It takes llc and ptxas a second or two a kernel. Shared
    memory that a kernel gets at launch is not counted in the page's occupancy.
    """
    if not _seen:
        raise _files.NotFound("no kernel of Triton has come by in this process since ptxpasses.triton.install()")
    with_ir = [kernel for kernel in _seen.values() if kernel.ir is not None and "flags" in kernel.made]
    without = f"{len(_seen) - len(with_ir)} of {len(_seen)} kernels are left out: they have Triton's own code, or TRITON_STORE_BINARY_ONLY has it keep no IR"
    if not with_ir:
        raise _files.NotFound(without)
    first, written = Path(path), list[Path]()
    if not first.absolute().parent.is_dir():
        raise _files.NotFound(f"no folder {first.absolute().parent}, which the page is to go into")
    groups: dict[Any, list[Kernel]] = {}
    for kernel in with_ir:
        made = kernel.made
        groups.setdefault((kernel.compiler, made["cpu"], made["features"], tuple(made["flags"])), []).append(kernel)
    if len(with_ir) < len(_seen):
        print(f"ptxpasses: {without}", file=sys.stderr)
    for (setup, cpu, features, flags), kernels in groups.items():
        page = first if len(groups) == 1 else first.with_stem(f"{first.stem}-{cpu}")
        number = 2
        while page in written:
            page, number = first.with_stem(f"{first.stem}-{cpu}-{number}"), number + 1
        print(f"ptxpasses: {page}: {len(kernels)} kernel{'s'[: len(kernels) != 1]} for {cpu}", file=sys.stderr)
        _page(page, Compiler(setup[0], setup[1], setup[2]), cpu, features, flags, kernels)
        written.append(page)
    return written


def _page(page: Path, compiler: Compiler, cpu: str, features: str, flags: Sequence[str], kernels: Sequence[Kernel]) -> None:
    with tempfile.TemporaryDirectory(prefix="ptxpasses-") as name:
        scratch = Path(name)
        source = scratch / "kernels"
        source.mkdir()
        for kernel in kernels:
            file, number = source / f"{kernel.name[:150]}.ll", 2
            while file.exists():
                file, number = source / f"{kernel.name[:150]}.{number}.ll", number + 1
            ir = zlib.decompress(kernel.ir or b"").decode("utf-8", "surrogateescape")
            file.write_text(compiler.readable(compiler.inlined(ir)), encoding="utf-8", errors="surrogateescape")
        line = ["--mcpu", cpu, _ptxas.extra(compiler, cpu, features, flags), f"--plugin-args={' '.join(compiler.options)}"]
        cuda = _ptxas.tools(cpu, scratch, for_listing=True)
        made = scratch / "page.html"
        try:
            _ptxas.compare("report", compiler, cuda, scratch, [*line, "-o", made, source])
        except CompileError as error:
            # If ptxas refuses a kernel, the page says so.
            if not made.is_file():
                raise
            warnings.warn(f"ptxpasses: {page}: {error}", stacklevel=3)
        shutil.copyfile(made, page)


def _change(before: int, after: int, unit: str) -> str:
    numbers = str(before) if before == after else f"{before} > {after}"
    return numbers + unit if numbers != "0" else numbers
