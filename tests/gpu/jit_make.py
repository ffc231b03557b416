"""Makes kernels of Triton's kind with launches for the laboratory, without a GPU: those of jit_tutorials.py, and what torch.compile makes of the blocks of jit_blocks.py.

    build/torch/VERSION/bin/python tests/gpu/jit_make.py FOLDER [--only tutorials|blocks] [NAME...]     scripts/python-test --fetch torch=VERSION
    python3 tests/gpu/lab.py make 22 --more FOLDER/more.py

Problem. Most kernels that run on GPUs today are Triton's, and their launches are not ours to make up: the host program computes grid and sizes.

Method. Each kernel becomes a module of its own, FOLDER/modules/NAME.ll, as Triton gives it to LLVM: `ptx-compare` and the laboratory compile that. A
file of launches stands beside it (docs/comparing.md), and FOLDER/more.py has all launches as launches.py writes them. Triton has LLVM fuse products and
sums by an option; here each such operation gets the flag `contract`, which means the same and stays with the module. What LLVM 22 does not read
is mended (python/src/ptxpasses/_mend.py).

A kernel's parameters are those of its launch, and two pointers to memory that Triton gives to kernels that ask for it; these do not.

Source. None. Deviation: none. Complexity: that of the compilations.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
for folder in (ROOT / "tests" / "gpu", ROOT / "python" / "src", ROOT / "python" / "tests"):
    sys.path.append(str(folder))

import launches  # noqa: E402
from launches import Timed, launch_text  # noqa: E402

CAPABILITY, CPU = 90, "sm_90a"
"""The GPU that kernels are made for."""
KINDS = {"fp16": "e", "fp32": "f", "fp64": "d", "bf16": "bf16", "i1": "B", "i8": "b", "u8": "B", "i16": "h", "i32": "i", "u32": "I", "i64": "q", "u64": "Q"}
"""Triton's types, as launches.py names those of buffers."""
FUSED = re.compile(r" = (fadd|fsub|fmul) (?!.*\bcontract\b)")
DEFINED = re.compile(r"^define\b[^@]*@([\w$.]+)\((.*)\)[^()]*\{?$", re.M)


@dataclass
class Buffer:
    """What a pointer gets: elements of a type; whether the kernel reads and writes it; integers are less than `below`, or all are `only`."""

    kind: str
    count: int
    is_read: bool = True
    is_written: bool = False
    below: int = 2
    only: int | None = None

    def text(self) -> str:
        """Writes it as launches.py has it."""
        kind = KINDS[self.kind]
        if not self.is_read:
            return f"out({self.count * launches.width(kind)})"
        if self.only is not None:
            return f"these({kind!r}, lambda: [{self.only}] * {self.count})"
        made = f"integers({kind!r}, {self.count}, {self.below})" if self.kind[0] in "iu" else f"numbers({kind!r}, {self.count})"
        return f"changed({made})" if self.is_written else made


@dataclass
class Made:
    """A kernel: the name of its module, LLVM's text, and its launch."""

    stem: str
    ir: str
    grid: Sequence[int]
    num_warps: int
    shared: int
    arguments: Sequence[Buffer | tuple[str, int | float]]
    """Of the parameters that the compiled kernel has; numbers with their types in Triton."""

    def kernel(self) -> str:
        """Finds the kernel's name. A module has one."""
        names = [found[1] for found in DEFINED.finditer(self.ir) if "ptx_kernel" in found[0]]
        if len(names) != 1:
            raise ValueError(f"{self.stem}: {len(names)} kernels in the module")
        return names[0]

    def argument_texts(self) -> list[str]:
        """Writes the arguments, the two of Triton's own as well."""
        types = {"i1": "u8", "i8": "u8", "u8": "u8", "i16": "u16", "u16": "u16", "i32": "u32", "u32": "u32", "i64": "u64", "u64": "u64", "fp32": "f32", "fp64": "f64"}
        texts = []
        for argument in self.arguments:
            if isinstance(argument, Buffer):
                texts.append(argument.text())
                continue
            type_, value = types[argument[0]], argument[1]
            texts.append(repr((type_, float(value) if type_[0] == "f" else int(value) % (1 << int(type_[1:])))))
        return [*texts, "('u64', 0)", "('u64', 0)"]


def fused(ir: str) -> str:
    """Lets LLVM fuse products and sums of each operation, as Triton's option lets it for all."""
    return FUSED.sub(r" = \1 contract ", ir)


def mended(ir: str) -> str:
    """Writes what is newer than LLVM 22 as that reads it."""
    from ptxpasses import _mend

    return _mend.mended(ir)


def write(folder: Path, made: Sequence[Made]) -> None:
    """Writes modules, launches beside them, and the table of all."""
    modules = folder / "modules"
    shutil.rmtree(modules, ignore_errors=True)
    modules.mkdir(parents=True)
    rows = []
    for one in made:
        path = (modules / f"{one.stem}.ll").resolve()
        path.write_text(mended(fused(one.ir)), encoding="utf-8")
        launch = f"Path({str(path)!r}), {one.kernel()!r}, {tuple(one.grid)!r}, ({32 * one.num_warps},)"
        rows.append(f"    Timed({launch}, [{', '.join(one.argument_texts())}], shared={one.shared}, cpu={CPU!r}, group='jit'),\n")
    head = '"""Launches that tests/gpu/jit_make.py has written."""\n\nfrom pathlib import Path\n\nfrom launches import Timed, changed, integers, numbers, out, these\n\n'
    (folder / "more.py").write_text(f"{head}TIMED = [\n{''.join(rows)}]\n", encoding="utf-8")
    for timed in table_of(folder / "more.py"):
        text = launch_text(timed, folder, lambda data: hashlib.sha256(data).hexdigest()[:16])
        timed.source.with_suffix(".launch").write_text(text, encoding="utf-8")


def table_of(path: Path) -> list[Timed]:
    """Reads a table of launches."""
    spec = importlib.util.spec_from_file_location("more", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    table: list[Timed] = module.TIMED
    return table


def all_made(only: str | None, names: set[str], left_out: list[str]) -> Iterator[Made]:
    """Makes all kernels that are asked for. What is missing, or is not compiled, is named in `left_out`."""
    if only in (None, "tutorials"):
        import jit_tutorials

        yield from jit_tutorials.made(names, left_out)
    if only in (None, "blocks"):
        if importlib.util.find_spec("torch") is None:
            left_out.append("blocks of torch.compile: this Python has no torch (scripts/python-test --fetch torch=VERSION)")
            return
        import jit_blocks

        yield from jit_blocks.made(names, left_out)


def main(arguments: Sequence[str]) -> int:
    """Does what the command line says; the exit status: 2 without Triton, or if nothing was made."""
    parser = argparse.ArgumentParser(prog="jit_make.py", description="Makes kernels of Triton and torch.compile with launches, without a GPU.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where modules, launches and more.py go")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these tutorials and blocks")
    parser.add_argument("--only", choices=("tutorials", "blocks"), help="only one of the two")
    options = parser.parse_intermixed_args(arguments)
    if importlib.util.find_spec("triton") is None:
        print("jit_make.py: this Python has no triton: scripts/python-test --fetch torch=VERSION, and build/torch/VERSION/bin/python", file=sys.stderr)
        return 2
    left_out: list[str] = []
    with tempfile.TemporaryDirectory() as caches:
        # Before torch and triton are imported: without lines of Python in the code, and nothing from an earlier run.
        settings = {"TRITON_DISABLE_LINE_INFO": "1", "TRITON_DEFAULT_FP_FUSION": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}
        os.environ.update({**settings, "TRITON_CACHE_DIR": f"{caches}/triton", "TORCHINDUCTOR_CACHE_DIR": f"{caches}/inductor"})
        made = []
        for one in all_made(options.only, set(options.names), left_out):
            made.append(one)
            print(f"{one.stem}: {one.kernel()}, grid {tuple(one.grid)}, {32 * one.num_warps} threads", flush=True)
    for why in dict.fromkeys(left_out):
        print(f"left out: {why}")
    if not made:
        print("jit_make.py: no kernels", file=sys.stderr)
        return 2
    write(options.folder, made)
    print(f"{options.folder}: {len(made)} kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
