"""Gives every kernel of numba-cuda the plugin's code.

    import ptxpasses.numba
    ptxpasses.numba.install()

numba-cuda makes PTX of LLVM IR by NVIDIA's libNVVM. After `install` llvm-link, opt and llc with the plugin do that step, with NVIDIA's
libdevice as before. Code for link-time optimisation and debug builds (`lto=True`, `debug=True`) stay libNVVM's: they are not PTX that is
judged by its registers, or need its debug information.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ptxpasses._llc import TRIPLE, Compiler

_installed: Compiler | None = None
_own: Callable[..., bytes] | None = None

#: What tells libdevice that small numbers are zero.
_FLUSH = '!llvm.module.flags = !{!0}\n!0 = !{i32 4, !"nvvm-reflect-ftz", i32 1}\n'


def install(*, options: Sequence[str] = (), llc: str | None = None, plugin: str | None = None) -> None:
    """Compiles numba-cuda's kernels with the plugin from now on, in this process. A second call replaces the first one.

    `options`: options of llc, `-ptx-profile=upstream` say. `llc`, `plugin`: others than those that are found; llvm-link and opt must be beside llc.
    """
    global _installed, _own
    from numba.cuda.cudadrv import nvvm

    compiler = Compiler(llc, plugin, options).for_jit("numba-cuda")
    for name in ("llvm-link", "opt"):
        compiler.beside(name)
    if _own is None:
        _own, nvvm.compile_ir = nvvm.compile_ir, _compile_ir
    _installed = compiler


def uninstall() -> None:
    """Gives numba-cuda libNVVM back; kernels that are compiled already stay as they are."""
    global _installed
    _installed = None


def _compile_ir(llvmir: str | Sequence[str], **options: Any) -> bytes:
    """Replaces numba's function of this name: PTX of modules that belong together."""
    assert _own is not None, "it stands for the function that it has replaced"
    if _installed is None or "gen_lto" in options or "gen-lto" in options or "g" in options:
        return _own(llvmir, **options)
    modules = [llvmir] if isinstance(llvmir, str) else list(llvmir)
    return _ptx(_installed, modules, options).encode()


def _ptx(compiler: Compiler, modules: list[str], options: dict[str, Any]) -> str:
    from numba.cuda.cudadrv import nvvm

    fast = bool(options.get("fastmath"))
    flush = bool(options.get("ftz", fast))
    cpu = str(options.get("arch", "compute_75")).replace("compute_", "sm_")
    level = int(options.get("opt", 3))
    flags = [f"-fp-contract={'fast' if options.get('fma', True) else 'off'}"]
    flags += ["-denormal-fp-math-f32=preserve-sign"] if flush else []
    flags += [f"-nvptx-prec-{what}f32=0" for what in ("div", "sqrt") if not options.get(f"prec_{what}", not fast)]
    with tempfile.TemporaryDirectory(prefix="ptxpasses-") as name:
        folder = Path(name)
        texts = [nvvm.llvm_replace(module) for module in modules] + ([_FLUSH] if flush else [])
        files = [folder / f"{number}.ll" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        libdevice, linked, better = folder / "libdevice.bc", folder / "linked.bc", folder / "better.ll"
        libdevice.write_bytes(nvvm.LibDevice().get())
        # Only the called part of libdevice, with no name left visible.
        compiler.run_beside("llvm-link", [*files, "--only-needed", "--internalize", libdevice, "-o", linked])
        compiler.run_beside("opt", [f"-mtriple={TRIPLE}", f"-mcpu={cpu}", f"-passes=default<O{level}>", *flags, "-S", linked, "-o", better])
        return compiler.ptx(better.read_text(), cpu, flags=flags, level=level)
