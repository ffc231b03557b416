"""Gives every kernel of Triton the plugin's code.

    import ptxpasses.triton
    ptxpasses.triton.install()

Triton makes PTX of LLVM IR by an LLVM inside of its own library, which takes no plugin. `install` has that one step done by an llc that
does: with the processor, the features, the flags and the fusion of floats that Triton asks for. What Triton does in front of it and behind it
stays as it is. The key of its cache has the plugin, llc and the options in it, so code of one kind is never taken for the other.

Triton 3.7 and newer have a hook for this, `knobs.runtime.add_stages_inspection_hook`; in older ones the backend's method `add_stages` is wrapped.
"""

from __future__ import annotations

import contextvars
import os
import re
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from ptxpasses import _files, _inductor
from ptxpasses._llc import CompileError, Compiler

Stage = Callable[[Any, dict[str, Any]], Any]

#: The compiler that makes the PTX of the kernel that this thread compiles, if ours is to.
_active: contextvars.ContextVar[_Installation | None] = contextvars.ContextVar("ptxpasses", default=None)
_installed: _Installation | None = None


def install(
    *,
    options: Sequence[str] = (),
    fallback: Literal["error", "warn"] = "error",
    tune: bool = False,
    llc: str | None = None,
    plugin: str | None = None,
) -> None:
    """Has Triton's kernels compiled with the plugin from now on, in this process. A second call replaces the first one.

    `options`: options of llc, `-ptx-profile=upstream` say. `fallback`: where our llc does not take the IR of a kernel, "error" raises
    `CompileError`, "warn" warns and takes Triton's own code. `tune`: compile each kernel under several settings and take the one that ptxas
    makes the best of; slower, once a kernel. `llc`, `plugin`: others than those that are found.
    """
    global _installed
    if fallback not in ("error", "warn"):
        raise ValueError(f"fallback is {fallback!r}; it may be 'error' or 'warn'")
    installation = _Installation(Compiler(llc, plugin, options), fallback, tune)
    if tune:
        # Else it would be missed only when the first kernel is compiled.
        _files.compare()
    _patch()
    _inductor.follow(lambda: _installed)
    _installed = installation


def uninstall() -> None:
    """Gives Triton its own code generator back; kernels that are compiled already stay as they are."""
    global _installed
    _installed = None


def install_as(arguments: dict[str, Any] | None) -> _Installation | None:
    """Has this process compile as another one does, which has called `install` with these arguments, or not (None)."""
    if arguments is None:
        uninstall()
    elif _installed is None or _installed.arguments != arguments:
        install(**arguments)
    return _installed


class _Installation:
    """One `install`: how PTX is made."""

    def __init__(self, compiler: Compiler, fallback: str, tune: bool) -> None:
        self.compiler, self.fallback, self.tune = compiler, fallback, tune
        self.key = f"ptxpasses {compiler.key()} {fallback} {tune}"
        #: Those of `install` that give the same in another process, whatever its environment is.
        self.arguments = {
            "options": compiler.options,
            "fallback": fallback,
            "tune": tune,
            "llc": os.path.abspath(compiler.llc),
            "plugin": os.path.abspath(compiler.plugin),
        }
        #: Tells that a kernel has Triton's own code.
        self.warn: Callable[[str], None] = warnings.warn

    def ptx(self, ir: str, cpu: str, features: str, flags: Sequence[str], enable_fp_fusion: bool) -> str:
        # As Triton sets its target machine up. Unreachable code is a trap, so that ptxas sees where control ends.
        line = [f"-{flag}" for flag in flags] + ["-trap-unreachable", f"-fp-contract={'fast' if enable_fp_fusion else 'off'}"]
        ir = self.compiler.inlined(ir)
        ptx = self.compiler.ptx(ir, cpu, features, line)
        return self._tuned(ir, ptx, cpu, features, line) if self.tune else ptx

    def _tuned(self, ir: str, ptx: str, cpu: str, features: str, line: Sequence[str]) -> str:
        """Returns the best PTX that `ptx-compare tune` finds."""
        compiler = self.compiler
        with tempfile.TemporaryDirectory(prefix="ptxpasses-") as folder:
            file, out = Path(folder, "kernel.ll"), Path(folder, "out")
            file.write_text(compiler.readable(ir))
            extra = " ".join([*line, f"-mattr={features}"])
            command = [_files.compare(), "tune", "--llc", compiler.llc, "--plugin", compiler.plugin, "--cuda", _cuda(cpu, Path(folder))]
            command += ["--mcpu", cpu, f"--extra={extra}", f"--plugin-args={' '.join(compiler.options)}", "-o", out, file]
            answer = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
            tuned = out / "kernel.ptx"
            if answer.returncode or not tuned.is_file():
                raise CompileError(f"ptx-compare tune: {answer.stderr.strip() or answer.stdout.strip()}")
            return tuned.read_text()


def _cuda(cpu: str, folder: Path) -> Path:
    """Returns a folder with the ptxas that Triton takes for a processor: the one that `PTXPASSES_CUDA` names, else one made in `folder`."""
    if os.environ.get("PTXPASSES_CUDA"):
        return _files.cuda()
    import triton

    own = Path(triton.__file__).parent / "backends/nvidia/bin"
    newer = own / "ptxas-blackwell"
    is_newer = int("".join(filter(str.isdigit, cpu))) >= 100 and newer.is_file()
    variable = "TRITON_PTXAS_BLACKWELL_PATH" if is_newer else "TRITON_PTXAS_PATH"
    ptxas = os.environ.get(variable) or (newer if is_newer else own / "ptxas")
    tools = folder / "bin"
    tools.mkdir()
    for name, program in [("ptxas", ptxas), ("nvdisasm", own / "nvdisasm"), ("cuobjdump", own / "cuobjdump")]:
        (tools / name).symlink_to(program)
    return folder


class _Llvm:
    """Stands for the `llvm` that Triton's backend calls: the same, but for the code generator."""

    def __init__(self, own: Any) -> None:
        self._own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def translate_to_asm(
        self, ir: str, triple: str, cpu: str, features: str, flags: Sequence[str], enable_fp_fusion: bool, is_object: bool, *rest: Any, **more: Any
    ) -> Any:
        installation = _active.get()
        if installation is not None and not is_object and triple.startswith("nvptx"):
            try:
                return installation.ptx(ir, cpu, features, flags, enable_fp_fusion)
            except CompileError as error:
                if installation.fallback == "error":
                    raise
                installation.warn(f"ptxpasses: Triton's own code for {_kernel(ir)}: {error}")
        return self._own.translate_to_asm(ir, triple, cpu, features, flags, enable_fp_fusion, is_object, *rest, **more)


def _kernel(ir: str) -> str:
    match = re.search(r"^define .*?@([\w$.]+)", ir, flags=re.M)
    return match[1] if match else "a kernel"


def _wrapped(ptx: Stage) -> Stage:
    """Returns Triton's stage `ptx` with our code generator inside."""

    def stage(source: Any, metadata: dict[str, Any]) -> Any:
        token = _active.set(_installed)
        try:
            return ptx(source, metadata)
        finally:
            _active.reset(token)

    return stage


def _patch() -> None:
    """Takes our place in Triton, once a process."""
    from triton.backends import backends

    if "nvidia" not in backends:
        raise RuntimeError(f"this Triton has no backend for NVIDIA's GPUs, only {', '.join(sorted(backends)) or 'none'}")
    backend = backends["nvidia"].compiler
    # Where the backend looks names up: up to Triton 3.3 no module of that name, as its file is loaded by path.
    names = backend.make_ptx.__globals__
    if isinstance(names["llvm"], _Llvm):
        return
    if _has_hook():
        _hook()
    else:
        _wrap(backend)
    _tell(backend)
    names["llvm"] = _Llvm(names["llvm"])


def _has_hook() -> bool:
    """Tells whether Triton asks the hook for its part of the cache's key; 3.6 has a hook, but does not."""
    import inspect

    from triton.compiler import compiler

    return "add_stages_inspection_hook" in inspect.getsource(compiler)


def _hook() -> None:
    from triton import knobs

    earlier = knobs.runtime.add_stages_inspection_hook

    def hook(*arguments: Any, **named: Any) -> Any:
        """Without arguments: the key and its hash. Otherwise (backend, stages, options, language, capability): changes the stages."""
        found = earlier(*arguments, **named) if earlier is not None else None
        if not arguments and not named:
            key, digest = found or ("", "")
            ours = _installed.key if _installed else ""
            return key + ours, f"{digest}{ours}"
        stages = arguments[1] if len(arguments) > 1 else named["stages"]
        if _installed and "ptx" in stages:
            stages["ptx"] = _wrapped(stages["ptx"])
        return found

    knobs.runtime.add_stages_inspection_hook = hook


def _wrap(backend: Any) -> None:
    add_stages = backend.add_stages

    def add_ours(self: Any, stages: dict[str, Stage], *rest: Any) -> Any:
        result = add_stages(self, stages, *rest)
        if _installed and "ptx" in stages:
            stages["ptx"] = _wrapped(stages["ptx"])
        return result

    backend.add_stages = add_ours


def _tell(backend: Any) -> None:
    """Has the backend's hash tell our code from Triton's own: of it the keys of caches are made, also of those of what autotuning has chosen."""
    own_hash = backend.hash

    def hash_of(self: Any) -> str:
        ours = f"-{_installed.key}" if _installed else ""
        return f"{own_hash(self)}{ours}"

    backend.hash = hash_of
