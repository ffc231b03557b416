"""The kinds of kernels that Triton's tutorials show, written anew, with launches of the size that such kernels have.

Vector addition, fused softmax, matrix product, dropout, layer norm, attention, a function of libdevice, a group of matrix products, a persistent
product; the gradients of the norm and of attention as well. Left out: products by TMA descriptors, whose values the emulator does not know, and products of
block-scaled numbers, which sm_90 does not have. The sizes of the group's products are in memory, and all are in one buffer, as no launch has
pointers in memory. The partial sums of the norm's gradients are one row for each program, without locks: a lock waits for one word of memory.

Source. The names of the topics are those of Triton's tutorials. Deviation: none. Complexity: that of the compilations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import triton
import triton.language as tl
from jit_make import CAPABILITY, Buffer, Made
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

M = 1 << 20


# ---- kernels


@triton.jit
def add(a, b, to, count, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < count
    tl.store(to + at, tl.load(a + at, inside) + tl.load(b + at, inside), inside)


@triton.jit
def softmax(to, source, to_stride, source_stride, rows, columns, WIDTH: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, WIDTH)
    inside = at < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        values = tl.load(source + row * source_stride + at, inside, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, 0))
        tl.store(to + row * to_stride + at, powers / tl.sum(powers, 0), inside)


@triton.jit
def place_of(tile, m, n, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    """Numbers tiles so that GROUP rows of them are done together, which share what is in L2."""
    down, across = tl.cdiv(m, BM), tl.cdiv(n, BN)
    band = tile // (GROUP * across)
    height = min(down - band * GROUP, GROUP)
    inside = tile % (GROUP * across)
    return band * GROUP + inside % height, inside // height


@triton.jit
def product_tile(a, b, m, n, k, row, column, am, ak, bk, bn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Sums one tile of a product; rows and columns outside repeat others."""
    rows = (row * BM + tl.arange(0, BM)) % m
    columns = (column * BN + tl.arange(0, BN)) % n
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * am + inner[None, :] * ak
    right = b + inner[:, None] * bk + columns[None, :] * bn
    sums = tl.zeros((BM, BN), tl.float32)
    for step in range(tl.cdiv(k, BK)):
        x = tl.load(left, inner[None, :] < k - step * BK, other=0.0)
        y = tl.load(right, inner[:, None] < k - step * BK, other=0.0)
        sums = tl.dot(x, y, sums)
        left += BK * ak
        right += BK * bk
    return sums


@triton.jit
def store_tile(c, sums, m, n, row, column, cm, cn, BM: tl.constexpr, BN: tl.constexpr):
    rows = row * BM + tl.arange(0, BM)
    columns = column * BN + tl.arange(0, BN)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * cm + columns[None, :] * cn, sums.to(c.dtype.element_ty), inside)


@triton.jit
def matmul(a, b, c, m, n, k, am, ak, bk, bn, cm, cn, LEAKY: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    row, column = place_of(tl.program_id(0), m, n, BM, BN, GROUP)
    sums = product_tile(a, b, m, n, k, row, column, am, ak, bk, bn, BM, BN, BK)
    if LEAKY:
        sums = tl.where(sums >= 0, sums, 0.01 * sums)
    store_tile(c, sums, m, n, row, column, cm, cn, BM, BN)


@triton.jit
def persistent_matmul(a, b, c, m, n, k, am, ak, bk, bn, cm, cn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0)):
        row, column = place_of(tile, m, n, BM, BN, GROUP)
        sums = product_tile(a, b, m, n, k, row, column, am, ak, bk, bn, BM, BN, BK)
        store_tile(c, sums, m, n, row, column, cm, cn, BM, BN)


@triton.jit
def grouped_matmul(a, b, c, starts, sizes, count, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Products of several sizes: `sizes` has m, n, k of each, `starts` where its three matrices begin."""
    tile = tl.program_id(0)
    end = 0
    for problem in range(count):
        m, n, k = tl.load(sizes + 3 * problem), tl.load(sizes + 3 * problem + 1), tl.load(sizes + 3 * problem + 2)
        first = end
        across = tl.cdiv(n, BN)
        end = first + tl.cdiv(m, BM) * across
        own_a, own_b, own_c = a + tl.load(starts + 3 * problem), b + tl.load(starts + 3 * problem + 1), c + tl.load(starts + 3 * problem + 2)
        while tile >= first and tile < end:
            row, column = (tile - first) // across, (tile - first) % across
            sums = product_tile(own_a, own_b, m, n, k, row, column, k, 1, n, 1, BM, BN, BK)
            store_tile(own_c, sums, m, n, row, column, n, 1, BM, BN)
            tile += tl.num_programs(0)


@triton.jit
def dropout(source, to, count, share, seed, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < count
    values = tl.load(source + at, inside)
    is_kept = tl.rand(seed, at) > share
    tl.store(to + at, tl.where(is_kept, values / (1 - share), 0.0), inside)


@triton.jit
def arcsine(source, to, count, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < count
    tl.store(to + at, libdevice.asin(tl.load(source + at, inside)), inside)


@triton.jit
def layer_norm(source, to, weight, bias, mean_to, scale_to, stride, columns, epsilon, SIZE: tl.constexpr):
    row = tl.program_id(0)
    source += row * stride
    to += row * stride
    sums = tl.zeros((SIZE,), tl.float32)
    for first in range(0, columns, SIZE):
        at = first + tl.arange(0, SIZE)
        sums += tl.load(source + at, at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(sums, 0) / columns
    squares = tl.zeros((SIZE,), tl.float32)
    for first in range(0, columns, SIZE):
        at = first + tl.arange(0, SIZE)
        values = tl.load(source + at, at < columns, other=0.0).to(tl.float32)
        off = tl.where(at < columns, values - mean, 0.0)
        squares += off * off
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / columns + epsilon)
    tl.store(mean_to + row, mean)
    tl.store(scale_to + row, scale)
    for first in range(0, columns, SIZE):
        at = first + tl.arange(0, SIZE)
        inside = at < columns
        values = tl.load(source + at, inside, other=0.0).to(tl.float32)
        tl.store(to + at, (values - mean) * scale * tl.load(weight + at, inside) + tl.load(bias + at, inside), inside)


@triton.jit
def layer_norm_gradient(grad, source, weight, means, scales, to, weight_sums, bias_sums, stride, rows, columns, WIDTH: tl.constexpr):
    """The gradient of what was normalised, and of each program's rows the sums for weight and bias."""
    at = tl.arange(0, WIDTH)
    inside = at < columns
    factor = tl.load(weight + at, inside, other=0.0).to(tl.float32)
    of_weight = tl.zeros((WIDTH,), tl.float32)
    of_bias = tl.zeros((WIDTH,), tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        values = tl.load(source + row * stride + at, inside, other=0.0).to(tl.float32)
        up = tl.load(grad + row * stride + at, inside, other=0.0).to(tl.float32)
        scale = tl.load(scales + row)
        normal = tl.where(inside, (values - tl.load(means + row)) * scale, 0.0)
        scaled = up * factor
        along = tl.sum(normal * scaled, 0) / columns
        tl.store(to + row * stride + at, (scaled - normal * along - tl.sum(scaled, 0) / columns) * scale, inside)
        of_weight += up * normal
        of_bias += up
    tl.store(weight_sums + tl.program_id(0) * columns + at, of_weight, inside)
    tl.store(bias_sums + tl.program_id(0) * columns + at, of_bias, inside)


@triton.jit
def column_sums(weight_sums, bias_sums, weight_to, bias_to, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    across = tl.program_id(0) * BN + tl.arange(0, BN)
    of_weight = tl.zeros((BM, BN), tl.float32)
    of_bias = tl.zeros((BM, BN), tl.float32)
    for first in range(0, rows, BM):
        down = first + tl.arange(0, BM)
        inside = (down[:, None] < rows) & (across[None, :] < columns)
        at = down[:, None] * columns + across[None, :]
        of_weight += tl.load(weight_sums + at, inside, other=0.0)
        of_bias += tl.load(bias_sums + at, inside, other=0.0)
    tl.store(weight_to + across, tl.sum(of_weight, 0), across < columns)
    tl.store(bias_to + across, tl.sum(of_bias, 0), across < columns)


@triton.jit
def attention(q, k, v, to, logs, scale, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    """One tile of queries against all keys, with a running maximum; heads one after the other. `scale` has the logarithm of 2 in it."""
    head = tl.program_id(1).to(tl.int64) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    inner = tl.arange(0, D)
    queries = tl.load(q + head + rows[:, None] * D + inner[None, :])
    most = tl.full((BM,), -1.0e30, tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, D), tl.float32)
    end = length
    if CAUSAL:
        end = (tl.program_id(0) + 1) * BM
    for first in range(0, end, BN):
        columns = first + tl.arange(0, BN)
        keys = tl.load(k + head + columns[None, :] * D + inner[:, None])
        scores = tl.dot(queries, keys) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= columns[None, :], scores, -1.0e30)
        larger = tl.maximum(most, tl.max(scores, 1))
        powers = tl.exp2(scores - larger[:, None])
        shrink = tl.exp2(most - larger)
        total = total * shrink + tl.sum(powers, 1)
        values = tl.load(v + head + columns[:, None] * D + inner[None, :])
        sums = tl.dot(powers.to(values.dtype), values, sums * shrink[:, None])
        most = larger
    tl.store(logs + tl.program_id(1) * length + rows, most + tl.log2(total))
    tl.store(to + head + rows[:, None] * D + inner[None, :], (sums / total[:, None]).to(to.dtype.element_ty))


@triton.jit
def attention_deltas(out, grad, deltas, D: tl.constexpr, BM: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    at = rows[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(deltas + rows, tl.sum(tl.load(out + at).to(tl.float32) * tl.load(grad + at).to(tl.float32), 1))


@triton.jit
def attention_gradient_of_keys(q, k, v, grad, logs, deltas, keys_to, values_to, scale, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """The gradients of one tile of keys and values of causal attention, over the queries that see it."""
    head = tl.program_id(1).to(tl.int64) * length * D
    line = tl.program_id(1) * length
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.arange(0, D)
    own = head + columns[:, None] * D + inner[None, :]
    keys, values = tl.load(k + own), tl.load(v + own)
    of_keys = tl.zeros((BN, D), tl.float32)
    of_values = tl.zeros((BN, D), tl.float32)
    for first in range(tl.program_id(0) * BN // BM * BM, length, BM):
        rows = first + tl.arange(0, BM)
        at = head + rows[:, None] * D + inner[None, :]
        queries, up = tl.load(q + at), tl.load(grad + at)
        scores = tl.dot(keys, tl.trans(queries)) * scale
        powers = tl.exp2(scores - tl.load(logs + line + rows)[None, :])
        powers = tl.where(rows[None, :] >= columns[:, None], powers, 0.0)
        of_values = tl.dot(powers.to(up.dtype), up, of_values)
        change = powers * (tl.dot(values, tl.trans(up)) - tl.load(deltas + line + rows)[None, :])
        of_keys = tl.dot(change.to(queries.dtype), queries, of_keys)
    tl.store(keys_to + own, of_keys.to(keys_to.dtype.element_ty))
    tl.store(values_to + own, of_values.to(values_to.dtype.element_ty))


@triton.jit
def attention_gradient_of_queries(q, k, v, grad, logs, deltas, to, scale, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """The gradient of one tile of queries of causal attention, over the keys that it sees."""
    head = tl.program_id(1).to(tl.int64) * length * D
    line = tl.program_id(1) * length
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    inner = tl.arange(0, D)
    own = head + rows[:, None] * D + inner[None, :]
    queries, up = tl.load(q + own), tl.load(grad + own)
    log, delta = tl.load(logs + line + rows), tl.load(deltas + line + rows)
    sums = tl.zeros((BM, D), tl.float32)
    for first in range(0, (tl.program_id(0) + 1) * BM, BN):
        columns = first + tl.arange(0, BN)
        at = head + columns[:, None] * D + inner[None, :]
        keys, values = tl.load(k + at), tl.load(v + at)
        powers = tl.exp2(tl.dot(queries, tl.trans(keys)) * scale - log[:, None])
        powers = tl.where(rows[:, None] >= columns[None, :], powers, 0.0)
        change = powers * (tl.dot(up, tl.trans(values)) - delta[:, None])
        sums = tl.dot(change.to(keys.dtype), keys, sums)
    tl.store(to + own, sums.to(to.dtype.element_ty))


# ---- launches


def out(kind: str, count: int) -> Buffer:
    """A buffer that is written only."""
    return Buffer(kind, count, is_read=False, is_written=True)


def kernel(stem: str, function: Any, grid: Sequence[int], arguments: Sequence[Any], num_warps: int = 4, num_stages: int = 3) -> Made:
    """Compiles a kernel as a call with these arguments specialises it, in the order of its parameters."""
    values = dict(zip(function.arg_names, arguments, strict=True))
    constants = {name: values[name] for name in function.arg_names if name.isupper()}
    numbers = {name: value for name, value in values.items() if name not in constants}
    constants |= {name: 1 for name, value in numbers.items() if isinstance(value, int) and value == 1}
    signature = {}
    for name, value in values.items():
        if name in constants:
            signature[name] = "constexpr"
        elif isinstance(value, Buffer):
            signature[name] = f"*{value.kind}"
        else:
            signature[name] = "fp32" if isinstance(value, float) else "i32"
    aligned = [name for name, value in numbers.items() if name not in constants and (isinstance(value, Buffer) or (isinstance(value, int) and value % 16 == 0))]
    attributes = {(function.arg_names.index(name),): [["tt.divisibility", 16]] for name in aligned}
    source = ASTSource(function, signature, constants, attributes)
    options = {"num_warps": num_warps, "num_stages": num_stages}
    compiled = triton.compile(source, target=GPUTarget("cuda", CAPABILITY, 32), options=options)
    passed = [value if isinstance(value, Buffer) else (signature[name], value) for name, value in numbers.items() if name not in constants]
    return Made(stem, compiled.asm["llir"], grid, num_warps, compiled.metadata.shared, passed)


def matrices(kind: str, m: int, n: int, k: int) -> list[Any]:
    """The arguments of a product of matrices in rows."""
    return [Buffer(kind, m * k), Buffer(kind, k * n), out(kind, m * n), m, n, k, k, 1, n, 1, n, 1]


def additions() -> Iterator[Made]:
    count = 32 * M
    yield kernel("tutorial-add", add, (count // 1024,), [Buffer("fp32", count), Buffer("fp32", count), out("fp32", count), count, 1024])


def softmaxes() -> Iterator[Made]:
    for columns, warps in ((781, 8), (4096, 16)):
        width = triton.next_power_of_2(columns)
        arguments = [out("fp32", 8192 * columns), Buffer("fp32", 8192 * columns), columns, columns, 8192, columns, width, 4]
        yield kernel(f"tutorial-softmax-{columns}", softmax, (264,), arguments, warps)


def products() -> Iterator[Made]:
    tiles = ((128, 256, 64, 8, 3), (128, 128, 32, 4, 4), (64, 64, 32, 4, 4))
    for m, n, k, warps, stages in tiles:
        arguments = [*matrices("fp16", 2048, 2048, 2048), False, m, n, k, 8]
        yield kernel(f"tutorial-matmul-{m}x{n}x{k}", matmul, (2048 // m * 2048 // n,), arguments, warps, stages)
    yield kernel("tutorial-matmul-leaky", matmul, (1024,), [*matrices("fp16", 2048, 2048, 2048), True, 64, 64, 32, 8], 4, 4)
    yield kernel("tutorial-matmul-odd", matmul, (16 * 16,), [*matrices("fp16", 1999, 2001, 1003), False, 128, 128, 32, 8], 4, 4)
    yield kernel("tutorial-matmul-tf32", matmul, (1024,), [*matrices("fp32", 2048, 2048, 2048), False, 64, 64, 32, 8], 4, 4)
    yield kernel("tutorial-persistent", persistent_matmul, (132,), [*matrices("fp16", 2048, 2048, 2048), 128, 128, 64, 8], 8, 3)


def groups() -> Iterator[Made]:
    # Sizes and places are random numbers up to 1,024; the matrices overlap in their buffers.
    sizes, starts = Buffer("i32", 12, below=1025), Buffer("i64", 12, below=1025)
    arguments = [Buffer("fp16", 2 * M), Buffer("fp16", 2 * M), out("fp16", 2 * M), starts, sizes, 4, 128, 128, 32]
    yield kernel("tutorial-grouped", grouped_matmul, (84,), arguments)


def dropouts() -> Iterator[Made]:
    count = 32 * M
    yield kernel("tutorial-dropout", dropout, (count // 1024,), [Buffer("fp32", count), out("fp32", count), count, 0.5, 123, 1024])


def functions() -> Iterator[Made]:
    count = 32 * M
    yield kernel("tutorial-arcsine", arcsine, (count // 1024,), [Buffer("fp32", count), out("fp32", count), count, 1024])


def norms() -> Iterator[Made]:
    rows, columns, programs = 4096, 8192, 264
    whole = rows * columns
    line, means = Buffer("fp16", columns), Buffer("fp32", rows)
    arguments = [Buffer("fp16", whole), out("fp16", whole), line, line, out("fp32", rows), out("fp32", rows), columns, columns, 1e-5, 4096]
    yield kernel("tutorial-layer-norm", layer_norm, (rows,), arguments, 8)
    sums = out("fp32", programs * columns)
    inputs = [Buffer("fp16", whole), Buffer("fp16", whole), line, means, means]
    yield kernel("tutorial-layer-norm-gradient", layer_norm_gradient, (programs,), [*inputs, out("fp16", whole), sums, sums, columns, rows, columns, 8192], 8)
    partial = Buffer("fp32", programs * columns)
    arguments = [partial, partial, out("fp32", columns), out("fp32", columns), programs, columns, 32, 128]
    yield kernel("tutorial-layer-norm-sums", column_sums, (columns // 128,), arguments)


def attentions() -> Iterator[Made]:
    heads, length = 64, 2048
    for wide, is_causal, warps in ((64, False, 4), (64, True, 4), (128, True, 8)):
        whole = Buffer("fp16", heads * length * wide)
        to, logs = out("fp16", heads * length * wide), out("fp32", heads * length)
        arguments = [whole, whole, whole, to, logs, 0.18, length, wide, 128, 64, is_causal]
        yield kernel(f"tutorial-attention-{wide}{'-causal' if is_causal else ''}", attention, (length // 128, heads), arguments, warps)
    wide = 64
    whole, to, line = Buffer("fp16", heads * length * wide), out("fp16", heads * length * wide), Buffer("fp32", heads * length)
    yield kernel("tutorial-attention-deltas", attention_deltas, (heads * length // 128,), [whole, whole, out("fp32", heads * length), wide, 128])
    inputs = [whole, whole, whole, whole, line, line]
    yield kernel("tutorial-attention-keys", attention_gradient_of_keys, (length // 128, heads), [*inputs, to, to, 0.18, length, wide, 32, 128])
    yield kernel("tutorial-attention-queries", attention_gradient_of_queries, (length // 128, heads), [*inputs, to, 0.18, length, wide, 128, 32])


TUTORIALS: dict[str, Callable[[], Iterator[Made]]] = {
    **{"add": additions, "softmax": softmaxes, "matmul": products, "grouped": groups, "dropout": dropouts, "libdevice": functions},
    **{"layer-norm": norms, "attention": attentions},
}
"""By topic what makes its kernels."""


def made(names: set[str], left_out: list[str]) -> Iterator[Made]:
    """Makes the kernels of the topics that are asked for."""
    for name, of in TUTORIALS.items():
        if names and name not in names:
            continue
        try:
            yield from of()
        except Exception as error:  # Triton's compiler has errors of many kinds.
            left_out.append(f"tutorial {name}: {type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else 'no message'}")
