"""Triton's kernels with our code, compiled ahead of time: no GPU is needed."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

triton = pytest.importorskip("triton")
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource, make_backend  # noqa: E402

import ptxpasses.triton  # noqa: E402
from ptxpasses import CompileError, Compiler  # noqa: E402


@triton.jit
def softmax(out, x, stride, n, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * stride + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def matmul(a, b, c, size, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):  # type: ignore[no-untyped-def]
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), tl.float32)
    for at in range(0, size, BK):
        left = tl.load(a + m[:, None] * size + (at + k)[None, :])
        sums = tl.dot(left, tl.load(b + (at + k)[:, None] * size + n[None, :]), sums)
    tl.store(c + m[:, None] * size + n[None, :], sums.to(tl.float16))


KERNELS: dict[str, tuple[Any, dict[str, str], dict[str, int]]] = {
    "softmax": (softmax, {"out": "*fp32", "x": "*fp32", "stride": "i32", "n": "i32"}, {"BLOCK": 1024}),
    "matmul": (matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp16", "size": "i32"}, {"BM": 64, "BN": 64, "BK": 32}),
}
OLDEST = (3, 3)
VERSION = tuple(int(part) for part in triton.__version__.split(".")[:2])


def compiled(name: str, capability: int = 80) -> Any:
    function, signature, constants = KERNELS[name]
    source = ASTSource(function, {**signature, **{key: "constexpr" for key in constants}}, constants)
    return triton.compile(source, target=GPUTarget("cuda", capability, 32))


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[None]:
    """Gives each test a cache of its own, and Triton its own code generator back."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    yield
    ptxpasses.triton.uninstall()


@pytest.mark.parametrize("capability", [80, 90, 100, 120] if VERSION >= (3, 4) else [80, 90])
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_have_our_code(name: str, capability: int) -> None:
    own = compiled(name, capability)
    ptxpasses.triton.install()
    ours = compiled(name, capability)
    assert ours.asm["ptx"] != own.asm["ptx"] and len(ours.asm["cubin"]) > 1000
    # Triton's lines around the code stay: the versions, the kernel's name, no debug information for ptxas.
    for head in (".version", ".target"):
        [line] = [line for line in own.asm["ptx"].splitlines() if line.startswith(head)]
        assert line in ours.asm["ptx"].splitlines()
    assert f".visible .entry {name}(" in ours.asm["ptx"]


def test_the_cache_tells_ours_from_triton_s_own() -> None:
    own = compiled("softmax").asm["ptx"]
    ptxpasses.triton.install()
    ours = compiled("softmax").asm["ptx"]
    ptxpasses.triton.install(options=["-ptx-passes=none"])
    stock = compiled("softmax").asm["ptx"]
    ptxpasses.triton.uninstall()
    # Stock's may be Triton's own, where the LLVMs are near each other.
    assert ours not in (own, stock) and compiled("softmax").asm["ptx"] == own
    ptxpasses.triton.install()
    assert compiled("softmax").asm["ptx"] == ours


def test_what_autotuning_chose_is_told_apart_as_well() -> None:
    """Triton and PyTorch keep it by the backend's hash."""
    backend = make_backend(GPUTarget("cuda", 80, 32))
    own = backend.hash()
    ptxpasses.triton.install()
    assert own != backend.hash() == backend.hash()
    ptxpasses.triton.uninstall()
    assert backend.hash() == own


def test_code_that_is_in_the_cache_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ptxpasses.triton.install()
    ours = compiled("softmax").asm["ptx"]

    def fails(*arguments: Any) -> str:
        raise AssertionError("compiled again")

    monkeypatch.setattr(Compiler, "ptx", fails)
    assert compiled("softmax").asm["ptx"] == ours


def test_what_llc_does_not_take_is_an_error_or_a_warning() -> None:
    own = compiled("softmax").asm["ptx"]
    refused = ["-ptx-profile=nonsense"]
    with pytest.raises(CompileError, match="nonsense"):
        ptxpasses.triton.install(options=refused)

    def broken(*arguments: Any) -> str:
        raise CompileError("broken for the test")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compiler, "ptx", broken)
        ptxpasses.triton.install()
        with pytest.raises(CompileError, match="broken for the test"):
            compiled("softmax")
        ptxpasses.triton.install(fallback="warn")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert compiled("softmax").asm["ptx"] == own
        assert any("Triton's own code for softmax: broken for the test" in str(warning.message) for warning in caught)


def test_an_unknown_fallback_names_those_that_are_known() -> None:
    with pytest.raises(ValueError, match="'none'; it may be 'error' or 'warn'"):
        ptxpasses.triton.install(fallback="none")  # type: ignore[arg-type]


@pytest.mark.skipif("PTXPASSES_COMPARE" not in os.environ, reason="no ptx-compare is built")
def test_tuned_kernels_are_verified_ptx() -> None:
    ptxpasses.triton.install(tune=True)
    assert ".visible .entry matmul(" in compiled("matmul").asm["ptx"]
