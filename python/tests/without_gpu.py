"""Has PyTorch's Inductor compile for a GPU that is not there.

Graphs, kernels, their PTX and cubins, the workers and the caches are Inductor's and Triton's own; what asks the GPU for its properties gets
those of an A100 or H100, and what would load a cubin is left out.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
import triton
from torch._dynamo.device_interface import CudaInterface, register_interface_for_device
from torch._inductor.output_code import CompiledFxGraph
from torch._inductor.runtime.triton_heuristics import CachingAutotuner
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from triton.backends.compiler import GPUTarget


def pretend(capability: int) -> None:
    """Has PyTorch and Triton find a GPU of this compute capability, 80 or 90."""
    major, minor = divmod(capability, 10)
    properties = SimpleNamespace(name=f"sm_{capability}", major=major, minor=minor, multi_processor_count=108, warp_size=32)
    properties.regs_per_multiprocessor, properties.max_threads_per_multi_processor, properties.max_threads_per_block = 65536, 2048, 1024

    class Gpu(CudaInterface):
        is_available = staticmethod(lambda: True)
        device_count = staticmethod(lambda: 1)
        current_device = staticmethod(lambda: 0)  # type: ignore[assignment]
        get_device_properties = staticmethod(lambda device=None: properties)  # type: ignore[assignment]
        get_compute_capability = staticmethod(lambda device=None: capability)
        is_triton_capable = staticmethod(lambda device=None: True)
        raise_if_triton_unavailable = staticmethod(lambda device=None: None)

        class Worker(CudaInterface.Worker):
            current_device = staticmethod(lambda: 0)
            get_device_properties = staticmethod(lambda device=None: properties)

    class Driver:
        is_active = staticmethod(lambda: True)

        def get_current_target(self) -> GPUTarget:
            return GPUTarget("cuda", capability, 32)

    register_interface_for_device("cuda", Gpu)
    register_interface_for_device("cuda:0", Gpu)
    torch.cuda.current_device = lambda: 0
    torch.cuda.get_device_properties = lambda device=None: properties  # type: ignore[assignment]
    torch.cuda.get_device_capability = lambda device=None: (major, minor)
    backends = triton.backends.backends
    backends["nvidia"] = dataclasses.replace(backends["nvidia"], driver=Driver)

    def run(self: CompiledFxGraph, inputs: Any) -> Any:
        raise _Compiled

    CompiledFxGraph.__call__ = run  # type: ignore[method-assign]
    CachingAutotuner._make_launchers = CachingAutotuner._dynamic_scale_rblock = lambda self: None


class _Compiled(Exception):
    """Ends a call of a compiled function where its code would run."""


def compile(function: Callable[..., Any], *shapes: tuple[int, ...]) -> None:
    """Has torch.compile compile a function of tensors of these shapes."""
    with FakeTensorMode(shape_env=ShapeEnv()), contextlib.suppress(_Compiled):
        torch.compile(function, dynamic=False)(*(torch.empty(shape, device="cuda") for shape in shapes))
