"""Makes PyTorch's Inductor follow `ptxpasses.triton.install` beyond this process and this run.

Inductor compiles Triton's kernels in worker processes, where nothing is installed, and caches compiled graphs. The key of that cache does not
include how Triton makes PTX. So each job for a worker carries the arguments of `install`, and we add our own details to
the key.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Protocol

#: Where Inductor gives its workers their jobs. PyTorch imports it when something is compiled for the first time, or earlier.
_MODULE = "torch._inductor.async_compile"


class Installation(Protocol):
    """One `ptxpasses.triton.install`."""

    arguments: dict[str, Any]
    key: str


def follow(installed: Callable[[], Installation | None]) -> None:
    """Makes Inductor follow `installed` from now on, even if PyTorch is not imported yet; once per process."""
    if module := sys.modules.get(_MODULE):
        _change(module, installed)
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(installed))


class _Finder(MetaPathFinder):
    """Changes Inductor as soon as it is imported."""

    def __init__(self, installed: Callable[[], Installation | None]) -> None:
        self._installed = installed

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != _MODULE:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next((found for finder in others if (found := finder.find_spec(name, path, target))), None)
        if spec is None or spec.loader is None:
            return None
        own = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            own(module)
            _change(module, self._installed)
            # Not earlier: a caller that only asks for the spec must not import anything.
            sys.meta_path.remove(self)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _change(module: Any, installed: Callable[[], Installation | None]) -> None:
    """Takes our place in Inductor."""
    from torch._inductor import codecache

    for owner, name in ((module, "_worker_compile_triton"), (codecache, "FxGraphHashDetails")):
        if not hasattr(owner, name):
            import torch

            raise RuntimeError(f"ptxpasses.triton.install does not know PyTorch {torch.__version__}: {owner.__name__} has no {name}")
    if isinstance(module._worker_compile_triton, _Job):
        return
    module._worker_compile_triton = _Job(module._worker_compile_triton, installed)
    details = codecache.FxGraphHashDetails
    own = details.__init__

    def with_ours(self: Any, *arguments: Any, **named: Any) -> None:
        own(self, *arguments, **named)
        if found := installed():
            self.ptxpasses = found.key

    details.__init__ = with_ours


class _Job:
    """Replaces the function that Inductor sends to its workers: the same, after the `install` that is in force when it is sent."""

    def __init__(self, own: Callable[..., Any], installed: Callable[[], Installation | None]) -> None:
        self._own, self._installed = own, installed

    def __call__(self, *job: Any, **named: Any) -> Any:
        return self._own(*job, **named)

    def __reduce__(self) -> tuple[Any, ...]:
        found = self._installed()
        return functools.partial, (_run, self._own, found.arguments if found else None)


def _run(own: Callable[..., Any], arguments: dict[str, Any] | None, *job: Any, **named: Any) -> Any:
    """Runs a job in the worker."""
    from ptxpasses import triton

    found, told, kernels = triton.install_as(arguments), list[str](), list[Any]()
    if found:
        found.warn, found.take = told.append, kernels.append
    result = own(*job, **named)
    return _Result(result, told, kernels) if told or kernels else result


class _Result:
    """The result of a job, with warnings and the compiled kernels, as a worker's own warnings are not read."""

    def __init__(self, result: Any, told: list[str], kernels: list[Any]) -> None:
        self._parts = result, told, kernels

    def __reduce__(self) -> tuple[Any, ...]:
        return _tell, self._parts


def _tell(result: Any, told: list[str], kernels: list[Any]) -> Any:
    """Warns in the process that has sent the job, keeps the kernels there, and returns the job's result."""
    from ptxpasses import triton

    for text in told:
        warnings.warn(text, stacklevel=2)
    for kernel in kernels:
        triton.take(kernel)
    return result
