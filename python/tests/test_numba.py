"""numba-cuda's kernels with our code, compiled ahead of time: no GPU is needed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("numba.cuda")
from numba import cuda, float32, int32, void

import ptxpasses.numba
from ptxpasses import CompileError


def waves(a: Any, x: Any, y: Any, n: Any) -> None:
    i = cuda.grid(1)
    if i < n:
        y[i] = math.sin(a * x[i]) / y[i]


def sums(a: Any, x: Any, y: Any, n: Any) -> None:
    mine = cuda.shared.array(128, float32)
    total = float32(0)
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        total += a * x[i]
    mine[cuda.threadIdx.x] = total
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        for i in range(128):
            cuda.atomic.add(y, 0, mine[i])


SIGNATURE = void(float32, float32[::1], float32[::1], int32)


def compiled(kernel: Any, **options: Any) -> str:
    return str(cuda.compile(kernel, SIGNATURE, device=False, cc=(8, 0), output="ptx", abi="numba", **options)[0])


@pytest.fixture(autouse=True)
def own_again() -> Iterator[None]:
    yield
    ptxpasses.numba.uninstall()


@pytest.mark.parametrize("kernel", [waves, sums])
def test_kernels_have_our_code(kernel: Any) -> None:
    own = compiled(kernel)
    ptxpasses.numba.install()
    ours = compiled(kernel)
    assert "NVIDIA NVVM Compiler" in own and "LLVM NVPTX Back-End" in ours
    assert "// ptxpasses " in ours and "// ptxpasses " not in own
    assert ours.count(".entry ") == own.count(".entry ") == 1 and ".target sm_80" in ours
    # libdevice is inlined, or dropped where nothing calls it.
    assert "call" not in ours and ".func" not in ours
    ptxpasses.numba.uninstall()
    assert "NVIDIA NVVM Compiler" in compiled(kernel)


def test_the_plugin_makes_it() -> None:
    ptxpasses.numba.install()
    ours = compiled(sums)
    ptxpasses.numba.install(options=["-ptx-passes=none"])
    assert compiled(sums) != ours


def test_fast_math_is_fast() -> None:
    ptxpasses.numba.install()
    assert "div.approx.ftz.f32" in compiled(waves, fastmath=True) and "div.approx" not in compiled(waves)


def test_code_for_lto_stays_numba_s() -> None:
    ptxpasses.numba.install()
    ir, _ = cuda.compile(waves, SIGNATURE, cc=(8, 0), output="ltoir")
    assert isinstance(ir, bytes) and b"LLVM NVPTX Back-End" not in ir


def test_an_llc_without_its_tools_is_an_error(tmp_path: Any) -> None:
    from ptxpasses import llc

    alone = tmp_path / "llc"
    alone.write_text(f'#!/bin/sh\nexec "{llc()}" "$@"\n')
    alone.chmod(0o755)
    with pytest.raises(CompileError, match="no .*llvm-link"):
        ptxpasses.numba.install(llc=str(alone))
