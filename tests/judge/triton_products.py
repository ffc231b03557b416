"""Makes the LLVM IR of Triton's matrix products, without a GPU: those that scripts/judge asks for on standard input.

Triton is what PYTHONPATH names. The product is the plain one of its tutorial: sums in f32, tiles in any order, nothing done by hand.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend


@triton.jit
def matmul(a, b, c, m, n, k, am, ak, bk, bn, cm, cn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * am + inner[None, :] * ak
    right = b + inner[:, None] * bk + columns[None, :] * bn
    sums = tl.zeros((BM, BN), tl.float32)
    for at in range(0, tl.cdiv(k, BK)):
        x = tl.load(left, mask=(rows[:, None] < m) & (inner[None, :] < k - at * BK), other=0.0)
        y = tl.load(right, mask=(inner[:, None] < k - at * BK) & (columns[None, :] < n), other=0.0)
        sums = tl.dot(x, y, sums)
        left += BK * ak
        right += BK * bk
    to = c + rows[:, None] * cm + columns[None, :] * cn
    tl.store(to, sums.to(c.dtype.element_ty), mask=(rows[:, None] < m) & (columns[None, :] < n))


POINTERS = ("a", "b", "c")
SIZES = ("m", "n", "k", "am", "ak", "bk", "bn", "cm", "cn")
INNER = ("ak", "bn", "cn")  # the strides that are 1 where strides are specialised


def source(product: dict[str, Any]) -> ASTSource:
    """Describes the kernel: as a call with rows that are multiples of 16 long specialises it, or with nothing known of sizes and strides."""
    constants = dict(zip(("BM", "BN", "BK"), product["tile"], strict=True))
    signature = {name: f"*{product['type']}" for name in POINTERS} | dict.fromkeys(SIZES, "i32")
    aligned = list(POINTERS)
    if product["specialised"]:
        constants |= dict.fromkeys(INNER, 1)
        aligned += [name for name in SIZES if name not in INNER]
    signature |= dict.fromkeys(constants, "constexpr")
    attributes = {(matmul.arg_names.index(name),): [["tt.divisibility", 16]] for name in aligned}
    return ASTSource(matmul, {name: signature[name] for name in matmul.arg_names}, constants, attributes)


def llvm_ir(product: dict[str, Any]) -> str:
    """Compiles a product as far as LLVM IR, as `triton.compile` does."""
    target = GPUTarget("cuda", product["capability"], 32)
    backend = make_backend(target)
    options = backend.parse_options({"num_warps": product["warps"], "num_stages": product["stages"]})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    asked = source(product)
    stages: dict[str, Any] = {}
    backend.add_stages(stages, options, asked.language)
    module: Any = asked.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    metadata = {"target": target, **options.__dict__}
    for name, compiled in stages.items():
        module = compiled(module, metadata)
        if name == "llir":
            break
    return str(module)


def main() -> None:
    """Writes each product to the path that stands beside it."""
    for product in json.load(sys.stdin):
        text = llvm_ir(product)
        with open(product["path"] + ".new", "w", encoding="utf-8") as f:
            f.write(text)
        os.replace(product["path"] + ".new", product["path"])
        print(product["path"], flush=True)


if __name__ == "__main__":
    main()
