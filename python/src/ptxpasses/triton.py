"""Gives every kernel of Triton the plugin's code.

    import ptxpasses.triton
    ptxpasses.triton.install()

Triton makes PTX of LLVM IR by an LLVM inside of its own library, which takes no plugin. `install` has that one step done by an llc that
does: with the processor, the features, the flags and the fusion of floats that Triton asks for. What Triton does before it and after it
stays as it is. The key of its cache has the plugin, llc and the options in it, so code of one kind is never taken for the other.

Triton 3.7 and newer have a hook for this, `knobs.runtime.add_stages_inspection_hook`; in older ones the backend's method `add_stages` is wrapped.
"""

from __future__ import annotations

import atexit
import contextvars
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from ptxpasses import _files, _inductor, _kernels, _ptxas
from ptxpasses._llc import CompileError, Compiler, kernel_of

Stage = Callable[[Any, dict[str, Any]], Any]

#: How the PTX of the kernel is made that this thread compiles, if ours is to.
_active: contextvars.ContextVar[_Making | None] = contextvars.ContextVar("ptxpasses", default=None)
_installed: _Installation | None = None


def install(
    *,
    options: Sequence[str] = (),
    fallback: Literal["error", "warn"] = "error",
    tune: bool = False,
    log: bool = False,
    compare: bool = False,
    statistics: str | os.PathLike[str] | None = None,
    llc: str | None = None,
    plugin: str | None = None,
) -> None:
    """Compiles Triton's kernels with the plugin from now on, in this process. A second call replaces the first one.

    `options`: options of llc, `-ptx-profile=upstream` say. `fallback`: where our llc does not take the IR of a kernel, "error" raises
    `CompileError`, "warn" warns and takes Triton's own code. `tune`: compile each kernel under several settings and take the one with the
    least predicted time; slower, once a kernel. `llc`, `plugin`: others than those that are found.

    `log`, or `PTXPASSES_LOG=1` in the environment: a line on stderr for each kernel, with what ptxas makes of Triton's own code and of ours.
    `compare`: the same figures in the kernel's metadata, and their sum on stderr when the process ends. With either, Triton makes its own
    PTX as well, and ptxas runs twice more, once a kernel. `statistics`: a folder for the plugin's statistics and llc's remarks about each kernel
    that is compiled.
    """
    global _installed
    if fallback not in ("error", "warn"):
        raise ValueError(f"fallback is {fallback!r}; it may be 'error' or 'warn'")
    log = log or os.environ.get("PTXPASSES_LOG", "0") not in ("", "0")
    installation = _Installation(Compiler(llc, plugin, options, statistics).for_jit("Triton"), fallback, tune, log, compare)
    if tune or log or compare:
        # Otherwise the error would come only when the first kernel is compiled.
        _files.compare()
    _patch()
    _inductor.follow(lambda: _installed)
    if compare:
        # Once, however often it is installed.
        atexit.unregister(_kernels.say_summary)
        atexit.register(_kernels.say_summary)
    _installed = installation


def uninstall() -> None:
    """Gives Triton its own code generator back; kernels that are compiled already stay as they are."""
    global _installed
    _installed = None


def install_as(arguments: dict[str, Any] | None) -> _Installation | None:
    """Makes this process compile like another one, which has called `install` with these arguments, or not (None)."""
    if arguments is None:
        uninstall()
    elif _installed is None or _installed.arguments != arguments:
        install(**arguments)
    return _installed


def take(kernel: _kernels.Kernel) -> None:
    """Keeps a kernel that a worker or this process has compiled, and prints its line."""
    if _kernels.add(kernel) and _installed is not None and _installed.log:
        print(f"ptxpasses: {kernel.line()}", file=sys.stderr)


class _Installation:
    """One `install`: how PTX is made."""

    def __init__(self, compiler: Compiler, fallback: str, tune: bool, log: bool, compare: bool) -> None:
        self.compiler, self.fallback, self.tune, self.log = compiler, fallback, tune, log
        self.measures = log or compare
        # Kernels that were not measured are compiled again if they are to be measured.
        self.key = f"ptxpasses {compiler.key()} {fallback} {tune} {self.measures}"
        #: Those of `install` that give the same in another process, whatever its environment is.
        self.arguments = {
            "options": compiler.options,
            "fallback": fallback,
            "tune": tune,
            "log": log,
            "compare": compare,
            "statistics": None if compiler.statistics is None else str(compiler.statistics),
            "llc": os.path.abspath(compiler.llc),
            "plugin": os.path.abspath(compiler.plugin),
        }
        #: Tells that a kernel has Triton's own code.
        self.warn: Callable[[str], None] = warnings.warn
        #: Gets each kernel that Triton has compiled, or found in its cache.
        self.take: Callable[[_kernels.Kernel], None] = take

    def ptx(self, making: _Making, ir: str, cpu: str, features: str, flags: Sequence[str], enable_fp_fusion: bool) -> str:
        # As Triton sets up its target machine. Unreachable code is a trap, so that ptxas sees where control ends.
        line = [f"-{flag}" for flag in flags] + ["-trap-unreachable", f"-fp-contract={'fast' if enable_fp_fusion else 'off'}"]
        making.said |= {**self.compiler.signature(), "cpu": cpu, "features": features, "flags": line}
        ir = self.compiler.inlined(ir)
        ptx = self.compiler.ptx(ir, cpu, features, [*line, *_ptxas.following(self.compiler, cpu)])
        if not self.tune:
            # The version of ptxas is one of the options.
            if head := re.match(r"// ptxpasses .*, options ([0-9a-f]{12})$", ptx, flags=re.M):
                making.said["options"] = head[1]
            return ptx
        making.said["tuned"] = True
        with tempfile.TemporaryDirectory(prefix="ptxpasses-") as folder:
            return self.compiler.signed(_ptxas.tuned(self.compiler, ir, cpu, features, line, Path(folder)), "tuned")

    def compared(self, own: str, ours: str, cpu: str, metadata: dict[str, Any]) -> dict[str, Any]:
        """Returns the figures of ptxas for Triton's own PTX of a kernel, and for ours."""
        block = min(int(metadata.get("num_warps", 4)) * 32, 1024)
        shared = int(metadata.get("shared") or 0)
        try:
            with tempfile.TemporaryDirectory(prefix="ptxpasses-") as folder:
                return _ptxas.measured(self.compiler, cpu, {"before": own, "after": ours}, block, shared, Path(folder))
        except CompileError as error:
            # If ptxas rejects it, Triton reports that.
            return {"not measured": str(error)}

    def saw(self, kernel: Any) -> None:
        """Called with each kernel that Triton has compiled or found in its cache."""
        if (made := getattr(kernel.metadata, "ptxpasses", None)) is None:
            return
        ir = kernel.asm.get("llir")
        compiler = self.compiler
        setup = (str(compiler.llc), str(compiler.plugin), tuple(compiler.options))
        self.take(_kernels.Kernel(kernel.hash, kernel.name, made, _kernels.compressed(ir), setup))


class _Making:
    """The making of one kernel's PTX."""

    def __init__(self, installation: _Installation) -> None:
        self.installation = installation
        #: What is to be in the kernel's metadata.
        self.said: dict[str, Any] = {}


class _Llvm:
    """Replaces the `llvm` that Triton's backend calls: the same, except for the code generator."""

    def __init__(self, own: Any) -> None:
        self._own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def translate_to_asm(
        self, ir: str, triple: str, cpu: str, features: str, flags: Sequence[str], enable_fp_fusion: bool, is_object: bool, *rest: Any, **more: Any
    ) -> Any:
        making = _active.get()
        if making is not None and not is_object and triple.startswith("nvptx"):
            installation = making.installation
            try:
                return installation.ptx(making, ir, cpu, features, flags, enable_fp_fusion)
            except CompileError as error:
                if installation.fallback == "error":
                    raise
                making.said = {"cpu": cpu, "fallback": str(error)}
                installation.warn(f"ptxpasses: Triton's own code for {kernel_of(ir)}: {error}")
        return self._own.translate_to_asm(ir, triple, cpu, features, flags, enable_fp_fusion, is_object, *rest, **more)


def _wrapped(ptx: Stage) -> Stage:
    """Returns Triton's stage `ptx` with our code generator inside."""

    def stage(source: Any, metadata: dict[str, Any]) -> Any:
        if (installation := _installed) is None:
            return ptx(source, metadata)
        making = _Making(installation)
        token = _active.set(making)
        try:
            ours = ptx(source, metadata)
        finally:
            _active.reset(token)
        if installation.measures and "version" in making.said:
            own = ptx(source, dict(metadata))
            making.said |= installation.compared(own, ours, making.said["cpu"], metadata)
        metadata["ptxpasses"] = making.said
        return ours

    return stage


def _patch() -> None:
    """Hooks into Triton, once per process."""
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
    _watch()
    names["llvm"] = _Llvm(names["llvm"])


def _watch() -> None:
    """Makes Triton report each kernel that it has compiled or found in its cache."""
    from triton.compiler.compiler import CompiledKernel

    own = CompiledKernel.__init__

    def init(self: Any, *arguments: Any, **named: Any) -> None:
        own(self, *arguments, **named)
        if _installed is not None:
            _installed.saw(self)

    CompiledKernel.__init__ = init


def _has_hook() -> bool:
    """Whether Triton asks the hook for its part of the cache's key; 3.6 has a hook, but does not."""
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
