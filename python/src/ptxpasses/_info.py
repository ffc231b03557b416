"""Says what an installation has, and what it lacks and how to get it: the command `ptxpasses info`."""

from __future__ import annotations

import importlib.metadata
import subprocess
from collections.abc import Callable
from pathlib import Path

from ptxpasses import _files
from ptxpasses._llc import CompileError, Compiler
from ptxpasses._version import VERSION

#: Packages that have their kernels compiled by us where they are installed.
USERS = ("triton", "torch", "numba-cuda")


def table() -> tuple[str, bool]:
    """Returns it as a table, and whether PTX can be made."""
    rows, missing = [("ptxpasses", VERSION)], list[str]()

    def row(name: str, find: Callable[[], str]) -> None:
        try:
            rows.append((name, find()))
        except (_files.NotFound, CompileError) as error:
            rows.append((name, f"missing: {error}"))
            missing.append(name)

    row("plugin", lambda: str(_files.plugin()))
    row("builds", lambda: f"LLVM {', '.join(_files.builds())}")
    row("llc", _llc)
    row("opt", lambda: str(Compiler().beside("opt")))
    row("ptx-compare", lambda: str(_files.compare()))
    row("ptxas", _ptxas)
    rows += [(package, _version(package)) for package in USERS]
    rows.append(("cache", str(_files.cache())))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {text}" for name, text in rows), not {"plugin", "builds", "llc"} & set(missing)


def _llc() -> str:
    compiler = Compiler()
    return f"{compiler.llc} ({compiler.llvm}), which loads the plugin: {compiler.version}"


def _ptxas() -> str:
    program: Path = _files.cuda() / "bin/ptxas"
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    told = answer.stdout.strip().splitlines()
    return f"{program} ({told[-1] if told else 'it says no version'})"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
