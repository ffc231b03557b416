"""What PyTorch's Inductor (torch.compile) makes of common blocks of neural networks, forward and backward, with the launches that its own host code has.

Attention, layer norm, GELU, softmax with cross entropy, convolution, embedding, rotary positions, RMS norm, top-k and dropout, of the sizes of a model with
4,096 numbers a token, in bf16 and in fp32.

Problem. Inductor's kernels are made by the shapes of the whole block, and their grids by its host code, which needs a GPU to run.

Method. without_gpu.py has Inductor compile for a GPU that is not there. PyTorch's engine for gradients needs one as well. So a block is traced, split into
forward and backward, and decomposed as one for the CPU, and then its graphs are moved to the GPU, and Inductor makes its kernels. Each compiled graph is run
here on fake tensors, which have shapes and no numbers: its own example inputs go in, and what would launch a kernel writes the launch down. Library calls
(matrix products, convolutions) do nothing to fake tensors. The kernel is the first of those that Inductor would time on a GPU.

Indices are numbers below the table's length, other integers are small; what a kernel writes only gets no numbers.

Source. PyTorch's sources. Deviation: none. Complexity: that of the compilations.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import without_gpu
from jit_make import CAPABILITY, Buffer, Made
from torch import Tensor
from torch._dynamo.device_interface import get_interface_for_device
from torch._functorch import config as functorch_config
from torch._inductor import config as inductor_config
from torch._inductor.compile_fx import compile_fx, compile_fx_inner
from torch._inductor.output_code import CompiledFxGraph
from torch._inductor.runtime.triton_heuristics import CachingAutotuner, GridExpr, config_to_dict, get_constexprs
from torch._subclasses import FakeTensorMode
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch.nn import functional
from torch.nn.attention.flex_attention import flex_attention
from torch.utils._pytree import tree_map

TOKENS, WIDTH, HEADS, VOCABULARY = 4096, 4096, 32, 32000
SMS = 132
"""Multiprocessors of an H100, which decide how Inductor splits reductions."""
LEAST = 4096
"""Elements that a kernel's buffers have to have."""
TYPES = {torch.bfloat16: "bf16", torch.float32: "fp32"}


@dataclass
class Input:
    """A tensor that a block gets: integers are less than `below`."""

    shape: tuple[int, ...]
    below: int = 0

    def tensor(self, dtype: torch.dtype, device: str) -> Tensor:
        """Makes it, of a type if it is not of integers. On the CPU it gets a gradient."""
        if self.below:
            return torch.empty(self.shape, dtype=torch.int64, device=device)
        return torch.empty(self.shape, dtype=dtype, device=device, requires_grad=device == "cpu")


# ---- blocks


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    is_later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
    return torch.softmax(scores.masked_fill(is_later, float("-inf")), -1) @ v


def flexible_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    def nearer(score: Tensor, batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return torch.where(query >= key, score + 0.1 * (key - query), -float("inf"))

    result: Tensor = flex_attention(q, k, v, score_mod=nearer)
    return result


def layer_norm(x: Tensor, residual: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    total = x + residual
    return functional.layer_norm(total, (total.shape[-1],), weight, bias), total


def gelu(x: Tensor, bias: Tensor, gate: Tensor) -> Tensor:
    return functional.gelu(x + bias) * gate


def gelu_tanh(x: Tensor, bias: Tensor) -> Tensor:
    return functional.gelu(x + bias, approximate="tanh")


def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    return functional.cross_entropy(logits.float(), target, label_smoothing=0.1)


def convolution(x: Tensor, weight: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    y = functional.conv2d(x, weight, padding=1)
    return functional.relu(functional.batch_norm(y, None, None, scale, shift, training=True))


def pooling(x: Tensor) -> Tensor:
    return functional.max_pool2d(x, 3, stride=2, padding=1)


def embedding(tokens: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return functional.embedding(tokens, table) + positions[: tokens.shape[-1]]


def rotary(q: Tensor, k: Tensor, angles: Tensor) -> tuple[Tensor, Tensor]:
    cosines, sines = angles.cos(), angles.sin()

    def turned(x: Tensor) -> Tensor:
        first, second = x.float().chunk(2, -1)
        return torch.cat([first * cosines - second * sines, second * cosines + first * sines], -1).to(x.dtype)

    return turned(q), turned(k)


def rms_norm(x: Tensor, residual: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    total = (x + residual).float()
    return (total * torch.rsqrt(total.square().mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * weight, total.to(x.dtype)


def top_k(logits: Tensor, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """A router of experts: the best eight of 64, their weights, and how often each is taken."""
    values, experts = torch.topk(torch.softmax(logits.float(), -1), 8)
    weights = values / values.sum(-1, keepdim=True)
    counts = torch.zeros(logits.shape[-1], device=x.device).scatter_add(0, experts.flatten(), torch.ones_like(weights).flatten())
    return x.unsqueeze(1) * weights.unsqueeze(-1).to(x.dtype), counts, experts


def dropout(x: Tensor, bias: Tensor, residual: Tensor) -> Tensor:
    return functional.dropout(x + bias, 0.1) + residual


BATCHED = (2, HEADS, 1024, 128)
BLOCKS: dict[str, tuple[Callable[..., Any], list[Input]]] = {
    "attention": (attention, [Input(BATCHED)] * 3),
    "flex-attention": (flexible_attention, [Input(BATCHED)] * 3),
    "layer-norm": (layer_norm, [Input((TOKENS, WIDTH)), Input((TOKENS, WIDTH)), Input((WIDTH,)), Input((WIDTH,))]),
    "gelu": (gelu, [Input((TOKENS, WIDTH)), Input((WIDTH,)), Input((TOKENS, WIDTH))]),
    "gelu-tanh": (gelu_tanh, [Input((TOKENS, WIDTH)), Input((WIDTH,))]),
    "cross-entropy": (cross_entropy, [Input((TOKENS, VOCABULARY)), Input((TOKENS,), VOCABULARY)]),
    "convolution": (convolution, [Input((32, 128, 56, 56)), Input((128, 128, 3, 3)), Input((128,)), Input((128,))]),
    "pooling": (pooling, [Input((32, 64, 112, 112))]),
    "embedding": (embedding, [Input((4, 1024), VOCABULARY), Input((VOCABULARY, WIDTH)), Input((2048, WIDTH))]),
    "rotary": (rotary, [Input(BATCHED), Input(BATCHED), Input((1024, 64))]),
    "rms-norm": (rms_norm, [Input((TOKENS, WIDTH)), Input((TOKENS, WIDTH)), Input((WIDTH,))]),
    "top-k": (top_k, [Input((TOKENS, 64)), Input((TOKENS, 1024))]),
    "dropout": (dropout, [Input((TOKENS, WIDTH)), Input((WIDTH,)), Input((TOKENS, WIDTH))]),
}
"""By name a block and what it gets."""
FORWARD_ONLY = {"flex-attention"}
"""Blocks that are traced on the GPU, as they are another algorithm on the CPU."""


# ---- graphs and their launches


@dataclass
class Launched:
    """A kernel that a graph launches, and with what."""

    kernel: CachingAutotuner
    arguments: tuple[Any, ...]


graphs: list[CompiledFxGraph] = []
"""The graphs that Inductor has compiled, in its order."""


def on_gpu(value: Any) -> Any:
    """Puts devices that a graph names on the GPU."""
    return torch.device("cuda:0") if isinstance(value, torch.device) else value


def inner(graph: torch.fx.GraphModule, inputs: Sequence[Any], **named: Any) -> Any:
    """Compiles a graph of forward or backward for the GPU."""
    mode = torch._guards.detect_fake_mode(inputs)
    assert mode is not None
    with mode:
        moved = [torch.empty_strided(one.shape, one.stride(), dtype=one.dtype, device="cuda") if isinstance(one, Tensor) else one for one in inputs]
    for node in graph.graph.nodes:
        node.args, node.kwargs = tree_map(on_gpu, node.args), tree_map(on_gpu, node.kwargs)
    graph.recompile()
    FakeTensorProp(graph, mode).propagate_dont_convert_inputs(*moved)
    graphs.append(compile_fx_inner(graph, moved, **named))

    def stop(*_: Any) -> Any:
        raise without_gpu._Compiled

    stop._boxed_call = True  # type: ignore[attr-defined]
    return stop


def backend(graph: torch.fx.GraphModule, inputs: Sequence[Any]) -> Any:
    """Inductor, with graphs that are moved to the GPU."""
    return compile_fx(graph, inputs, inner_compile=inner)


def prepare() -> None:
    """Has PyTorch find a GPU, and compile gradients as soon as a block is compiled."""
    without_gpu.pretend(CAPABILITY)
    torch.cuda.get_device_properties(0).multi_processor_count = SMS
    get_interface_for_device("cuda").is_bf16_supported = staticmethod(lambda *_, **named: True)  # type: ignore[method-assign]
    torch.cuda.set_device = lambda device: None
    torch.cuda._DeviceGuard = lambda index: contextlib.nullcontext()  # type: ignore[assignment,misc]
    # Otherwise a compiled kernel keeps its cubin only.
    inductor_config.use_static_triton_launcher = False
    functorch_config.force_non_lazy_backward_lowering = True


def launched(graph: CompiledFxGraph) -> tuple[list[Launched], list[str]]:
    """Runs a graph on fake tensors: what it launches, and the library calls that it makes."""
    names: dict[str, Any] = graph.current_callable.__globals__  # type: ignore[union-attr]
    found: list[Launched] = []
    libraries = sorted({word for word in calls_of(graph.source_code)})

    def run(self: CachingAutotuner, *arguments: Any, stream: int, **named: Any) -> None:
        found.append(Launched(self, arguments))

    def viewed(tensor: Tensor, shape: Any, strides: Any, offset: int) -> Tensor:
        return torch.as_strided(tensor, shape, strides, tensor.storage_offset() + offset)

    def empty(shape: Any, strides: Any, dtype: torch.dtype) -> Tensor:
        return torch.empty_strided(shape, strides, dtype=dtype, device="cuda")

    def made(shape: Any, strides: Any, device: Any = None, dtype: Any = None, **_: Any) -> Tensor:
        return torch.empty_strided(shape, strides, dtype=dtype, device=device)

    replaced = {"empty_strided_cuda": empty, "reinterpret_tensor": viewed, "get_raw_stream": lambda index: 0, "copy_if_misaligned": lambda tensor: tensor}
    replaced |= dict.fromkeys(("assert_size_stride", "assert_size_stride_grouped", "assert_alignment"), lambda *_: None)
    names.update(replaced)
    own_run, own_strided = CachingAutotuner.run, torch._dynamo.testing.rand_strided
    try:
        CachingAutotuner.run = run  # type: ignore[method-assign,assignment]
        torch._dynamo.testing.rand_strided = made
        with FakeTensorMode():
            names["call"](names["get_args"]())
    finally:
        CachingAutotuner.run, torch._dynamo.testing.rand_strided = own_run, own_strided  # type: ignore[method-assign]
    return found, libraries


def calls_of(code: str) -> Iterator[str]:
    """Finds the calls of libraries in a graph's code."""
    for line in code.splitlines():
        for start in ("extern_kernels.", "torch.ops.aten.", "aten."):
            text = line.strip().split(" = ")[-1]
            if text.startswith(start) and "(" in text:
                yield text.split("(")[0].removeprefix("torch.ops.").removeprefix("extern_kernels.")


def buffer(name: str, kind: str, tensor: Tensor, written: set[str], below: int) -> Buffer:
    """Describes what a pointer gets. The names are Inductor's: in_ptr0, out_ptr0, in_out_ptr0, and those that it says are changed."""
    size = tensor.untyped_storage().nbytes() - tensor.storage_offset() * tensor.element_size()
    is_out = name.startswith(("out_ptr", "arg_LSE", "arg_MAX")) and name not in written
    is_written = is_out or name in written or name.startswith(("in_out_ptr", "ws_ptr"))
    # Narrow integers are places in a window, and truth.
    most = below if kind in ("i32", "i64") else 2 if kind == "i1" else 8
    # Of flex_attention without a mask of blocks: how many blocks of keys there are, and which.
    only = {"arg_KV_NUM_BLKS": 1, "arg_KV_IDX": 0}.get(name)
    return Buffer(kind, max(size // tensor.element_size(), 1), not is_out, is_written, min(below, most), only)


def made_of(stem: str, one: Launched, below: int) -> Made:
    """Makes a kernel of a launch."""
    result = one.kernel.compile_results[0]
    compiled, function = result.kernel, one.kernel.fn
    _, names, _ = result._get_arg_lists(function.arg_names, get_constexprs(function))
    values = dict(zip(names, one.arguments, strict=False))
    signature = {name: kind for name, kind in compiled.src.signature.items() if kind != "constexpr"}
    written = set(one.kernel.inductor_meta.get("mutated_arg_names", []))
    arguments: list[Any] = []
    for name, kind in signature.items():
        value = values[name]
        arguments.append(buffer(name, kind[1:], value, written, below) if kind.startswith("*") else (kind, value))
    configuration = config_to_dict(result.config)
    numbers = {name: value for name, value in values.items() if isinstance(value, int)}
    grid = GridExpr.from_meta(one.kernel.inductor_meta, result.config).eval_slow({**configuration, **numbers})
    return Made(stem, compiled.asm["llir"], grid, compiled.metadata.num_warps, compiled.metadata.shared, arguments)


def block(name: str, dtype: torch.dtype, left_out: list[str]) -> Iterator[Made]:
    """Compiles a block, and gives what its graphs launch, each kernel once."""
    function, inputs = BLOCKS[name]
    below = max([one.below for one in inputs] + [8])
    graphs.clear()
    torch._dynamo.reset()
    device = "cuda" if name in FORWARD_ONLY else "cpu"
    # Constants are folded by computing them, on their device.
    with FakeTensorMode(), inductor_config.patch(joint_graph_constant_folding=device == "cpu"), contextlib.suppress(without_gpu._Compiled):
        torch.compile(function, dynamic=False, backend=backend)(*(one.tensor(dtype, device) for one in inputs))
    seen: set[str] = set()
    for graph in graphs:
        found, libraries = launched(graph)
        if libraries:
            left_out.append(f"{name}: what libraries do: {', '.join(libraries)}")
        for one in found:
            made = made_of(f"{name}-{TYPES[dtype]}-{len(seen)}", one, below)
            # Some set a single number.
            if made.ir not in seen and sum(argument.count for argument in made.arguments if isinstance(argument, Buffer)) >= LEAST:
                seen.add(made.ir)
                yield made


def made(names: set[str], left_out: list[str]) -> Iterator[Made]:
    """Makes the kernels of the blocks that are asked for."""
    prepare()
    for name in BLOCKS:
        for dtype, kind in TYPES.items():
            if names and name not in names:
                continue
            try:
                yield from block(name, dtype, left_out)
            except Exception as error:  # Each of PyTorch's layers has errors of its own.
                left_out.append(f"{name}, {kind}: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
