"""Asks ptxas about PTX, by ptx-compare, and lets that find the best setting.

The results of ptxas are kept in the user's cache folder.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ptxpasses import _files
from ptxpasses._llc import CompileError, Compiler


def tools(cpu: str, scratch: Path, *, for_listing: bool = False) -> Path:
    """Returns a folder with the ptxas that Triton takes for a processor: the one that `PTXPASSES_CUDA` names, else one made in `scratch`.

    `for_listing`: nvdisasm is to tell the registers of code, which it does for a ptxas of its own major version of CUDA only. Where Triton's
    choice is of another one, it is Triton's other ptxas.
    """
    if os.environ.get("PTXPASSES_CUDA"):
        return _files.cuda()
    import triton

    ptxas = _chosen(cpu)
    own = Path(triton.__file__).parent / "backends/nvidia/bin"
    if for_listing:
        candidates = [ptxas, own / "ptxas-blackwell", own / "ptxas"]
        wanted = _major(own / "nvdisasm")
        ptxas = next((other for other in candidates if other.is_file() and _major(other) == wanted), ptxas)
    folder = scratch / "bin"
    folder.mkdir()
    for name, program in [("ptxas", ptxas), ("nvdisasm", own / "nvdisasm"), ("cuobjdump", own / "cuobjdump")]:
        (folder / name).symlink_to(program)
    return scratch


def _chosen(cpu: str) -> Path:
    """Returns the ptxas that Triton takes for a processor."""
    from triton.backends import backends

    # Triton's own choice: the processors for its newer ptxas, and the variables that name another one, differ between its versions.
    # Where the backend looks names up: up to Triton 3.3 no module of that name, as its file is loaded by path.
    get_ptxas = backends["nvidia"].compiler.make_ptx.__globals__["get_ptxas"]
    # Triton 3.4 and 3.5 have one ptxas for all processors.
    has_choice = bool(inspect.signature(get_ptxas).parameters)
    chosen = get_ptxas(int("".join(filter(str.isdigit, cpu)))) if has_choice else get_ptxas()
    return Path(chosen[0] if isinstance(chosen, tuple) else chosen.path)


@functools.cache
def _says(program: Path, pattern: str) -> str | None:
    """Returns the part of `--version`'s answer that the pattern's group matches. `None` if it does not match."""
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    match = re.search(pattern, answer.stdout)
    return match[1] if match else None


def _version(ptxas: Path) -> str | None:
    """Returns the version that a ptxas says, as 13.0.88."""
    return _says(ptxas, r"\bV(\d+\.\d+\.\d+)\b")


def following(compiler: Compiler, cpu: str) -> list[str]:
    """Returns the option that names the ptxas which Triton runs next. The list is empty where that ptxas says no version, or the user names one."""
    if any(re.match(r"--?ptx-ptxas-version\b", word) for word in compiler.in_effect()):
        return []
    version = _version(_chosen(cpu))
    return [f"-ptx-ptxas-version={version}"] if version else []


def _major(program: Path) -> str:
    """Returns the major version of a tool's CUDA; the empty text where it says none."""
    return _says(program, r"release (\d+)\.") or ""


def cache(scratch: Path) -> Path:
    """Returns the folder for ptxas' results: that of the user's cache, or, where that cannot be written, one in `scratch`."""
    try:
        folder = _files.cache() / "ptxas-results"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        # RuntimeError: there is no home.
        return scratch / "ptxas-results"
    return folder if os.access(folder, os.W_OK | os.X_OK) else scratch / "ptxas-results"


def compare(command: str, compiler: Compiler, cuda: Path, scratch: Path, arguments: Sequence[str | Path]) -> str:
    """Runs a command of ptx-compare; returns what it prints."""
    line = [_files.compare(), command, "--llc", compiler.llc, "--plugin", compiler.plugin, "--cuda", cuda, "--cache", cache(scratch), *arguments]
    answer = subprocess.run([str(word) for word in line], capture_output=True, text=True, check=False)
    if answer.returncode:
        raise CompileError(f"ptx-compare {command}: {answer.stderr.strip() or answer.stdout.strip()}")
    return answer.stdout


def measured(compiler: Compiler, cpu: str, texts: Mapping[str, str], block: int, shared: int, scratch: Path) -> dict[str, dict[str, int]]:
    """Returns what ptxas makes of the one kernel of each text: `registers`, `spills` (bytes), `sass` (instructions), `occupancy` (percent).

    `block`: threads of a block, where the kernel does not say it. `shared`: bytes of shared memory that it gets at launch.
    """
    files = [scratch / f"{name}.ptx" for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
    numbers = scratch / "numbers.json"
    line: list[str | Path] = ["--mcpu", cpu, "--block", str(block), "--shared", str(shared), "--baseline", numbers, "--save", *files]
    compare("gate", compiler, tools(cpu, scratch), scratch, line)
    found = {}
    for file, kernels in json.loads(numbers.read_text())["files"].items():
        [kernel] = kernels.values()
        found[Path(file).stem] = {
            "registers": kernel["registers"],
            "spills": kernel["spill_stores"] + kernel["spill_loads"],
            "sass": kernel["sass"],
            "occupancy": 100 * kernel["warps"] // max(kernel["max_warps"], 1),
        }
    return found


def tuned(compiler: Compiler, ir: str, cpu: str, features: str, flags: Sequence[str], scratch: Path) -> str:
    """Returns the best PTX of a module that `ptx-compare tune` finds."""
    file, out = scratch / "kernel.ll", scratch / "out"
    file.write_text(compiler.readable(ir), encoding="utf-8", errors="surrogateescape")
    line: list[str | Path] = ["--mcpu", cpu, extra(compiler, cpu, features, flags), f"--plugin-args={' '.join(compiler.options)}", "-o", out, file]
    compare("tune", compiler, tools(cpu, scratch), scratch, line)
    ptx = out / "kernel.ptx"
    if not ptx.is_file():
        raise CompileError("ptx-compare tune has written no PTX")
    return ptx.read_text(encoding="utf-8", errors="surrogateescape")


def extra(compiler: Compiler, cpu: str, features: str, flags: Sequence[str]) -> str:
    """Returns the argument of ptx-compare with these flags of llc."""
    return f"--extra={' '.join([*flags, f'-mattr={compiler.fitting(cpu, features)}'])}"
