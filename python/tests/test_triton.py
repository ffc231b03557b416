"""Triton's kernels with our code, compiled ahead of time: no GPU is needed."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

triton = pytest.importorskip("triton")
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource, make_backend  # noqa: E402

import ptxpasses.triton  # noqa: E402
from ptxpasses import CompileError, Compiler, NotFound, _files, _kernels, _ptxas  # noqa: E402


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
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    # Nothing is to be written into the current folder.
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(_kernels, "_seen", {})
    yield
    assert not list((tmp_path / "here").iterdir())
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


with_tool = pytest.mark.skipif("PTXPASSES_COMPARE" not in os.environ, reason="no ptx-compare is built")
#: Processors that Triton has each of its ptxas for.
CAPABILITIES = [80, 90, 100, 120] if VERSION >= (3, 4) else [80, 90]


@with_tool
def test_tuned_kernels_are_verified_ptx(tmp_path: Any) -> None:
    """For a processor that newer versions of Triton have a newer ptxas for."""
    ptxpasses.triton.install(tune=True)
    kernel = compiled("matmul", 90)
    assert ".visible .entry matmul(" in kernel.asm["ptx"] and kernel.metadata.ptxpasses["tuned"]
    assert ", options none, tuned\n" in kernel.asm["ptx"]
    assert list((tmp_path / "user/ptxpasses/ptxas-results").iterdir())


@with_tool
def test_a_cache_that_cannot_be_written_does_not_stop_tune(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    ptxpasses.triton.install(tune=True)
    assert ".visible .entry softmax(" in compiled("softmax").asm["ptx"]


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_ptxas_is_the_one_that_triton_takes(capability: int, tmp_path: Any) -> None:
    """Triton's log of the command that has failed names it."""
    backend = make_backend(GPUTarget("cuda", capability, 32))
    with pytest.raises(Exception, match="Repro command: ") as error:
        backend.make_cubin(".version 1.0 nonsense", {"name": "none", "num_warps": 4}, backend.parse_options({}), capability)
    [theirs] = re.findall(r"Repro command: (\S+)", str(error.value))
    (tmp_path / "tools").mkdir()
    assert (_ptxas.tools(f"sm_{capability}a", tmp_path / "tools") / "bin/ptxas").resolve() == Path(theirs).resolve()


@pytest.mark.parametrize("options", [[], ["-ptx-ptxas-version=12.5.82"], ["-ptx-ptxas-version", "12.5.82"]])
def test_llc_knows_the_ptxas_that_triton_runs(options: list[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Compiler._run
    lines: list[list[str]] = []

    def run(self: Compiler, line: Any, ir: Any) -> Any:
        lines.append([str(word) for word in line])
        return own(self, line, ir)

    monkeypatch.setattr(Compiler, "_run", run)
    ptxpasses.triton.install(options=options)
    compiled("softmax")
    said = subprocess.run([_ptxas.tools("sm_80", tmp_path) / "bin/ptxas", "--version"], capture_output=True, text=True, check=True).stdout
    [version] = re.findall(r"\bV(\d+\.\d+\.\d+)", said)
    named = [word for line in lines for word in line if "ptxas-version" in word]
    assert named and set(named) == {options[0] if options else f"-ptx-ptxas-version={version}"}


def test_a_kernel_says_what_it_is_made_by() -> None:
    own = compiled("softmax")
    ptxpasses.triton.install(options=["-maxreg=64"])
    ours = compiled("softmax")
    made = ours.metadata.ptxpasses
    own_signature = Compiler(options=["-maxreg=64"]).signature()
    # The version of ptxas is one of the options as well.
    assert made["options"] != own_signature.pop("options") and made.items() >= own_signature.items() and made["cpu"] == "sm_80"
    assert f"// {made['version']}, profile cicc, options {made['options']}\n" in ours.asm["ptx"]
    assert not hasattr(own.metadata, "ptxpasses") and "ptxpasses" not in own.asm["ptx"]
    # Out of the cache, too.
    assert compiled("softmax").metadata.ptxpasses == made


@with_tool
def test_a_line_for_each_kernel_where_it_is_asked_for(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    capability = CAPABILITIES[-1]
    ptxpasses.triton.install()
    compiled("matmul", capability)
    assert "ptxpasses:" not in capfd.readouterr().err
    monkeypatch.setenv("PTXPASSES_LOG", "1")
    ptxpasses.triton.install()
    kernels = [compiled("matmul", capability), compiled("softmax", capability), compiled("matmul", capability)]
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("ptxpasses:")]
    assert len(lines) == 2
    change = r"\d+( > \d+)?"
    for line, name in zip(lines, ("matmul", "softmax"), strict=True):
        assert re.fullmatch(
            rf"ptxpasses: {name} sm_{capability}a?: registers {change}, spills (0|{change} bytes), SASS {change}, occupancy {change} %", line
        )
    # ptxas itself, asked by another path, says the same of ours.
    made = kernels[0].metadata.ptxpasses
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "k.ptx").write_text(kernels[0].asm["ptx"])
        cuda = _ptxas.tools(made["cpu"], Path(folder))
        said = subprocess.run(
            [cuda / "bin/ptxas", "-v", f"-arch={made['cpu']}", "k.ptx"], cwd=folder, capture_output=True, text=True, check=True
        )
    assert f"Used {made['after']['registers']} registers" in said.stderr


@with_tool
def test_figures_are_in_the_metadata_and_summed_at_the_end(capfd: Any) -> None:
    ptxpasses.triton.install(compare=True)
    for name in KERNELS:
        made = compiled(name).metadata.ptxpasses
        assert set(made["before"]) == set(made["after"]) == {"registers", "spills", "sass", "occupancy"}
    assert "ptxpasses:" not in capfd.readouterr().err
    _kernels.say_summary()
    assert re.search(r"^ptxpasses: 2 kernels against Triton's own code: registers \d\.\d{3} of it, better in \d, ", capfd.readouterr().err)


def test_the_log_names_kernels_that_have_triton_s_own_code(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any) -> str:
        raise CompileError("broken for the test")

    monkeypatch.setattr(Compiler, "ptx", broken)
    monkeypatch.setattr(_files, "compare", lambda: Path("/nowhere"))
    ptxpasses.triton.install(log=True, fallback="warn")
    with pytest.warns(UserWarning, match="broken for the test"):
        compiled("softmax")
    assert "ptxpasses: softmax sm_80: Triton's own code: broken for the test\n" in capfd.readouterr().err
    with pytest.raises(NotFound, match="1 of 1 kernels are left out: they have Triton's own code"):
        ptxpasses.report("page.html")


def test_statistics_of_each_kernel_go_into_a_folder(tmp_path: Any) -> None:
    for folder in ("one", "two"):
        ptxpasses.triton.install(statistics=tmp_path / folder)
        for name in KERNELS:
            compiled(name)
        kinds = sorted((file.name.split("-")[0], file.suffix) for file in (tmp_path / folder).iterdir())
        assert kinds == [("matmul", ".json"), ("matmul", ".yaml"), ("softmax", ".json"), ("softmax", ".yaml")]


@with_tool
def test_the_report_has_all_kernels_of_the_process(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    own = _ptxas.compare
    monkeypatch.setattr(_ptxas, "compare", lambda *arguments: told.append(own(*arguments)))
    with pytest.raises(NotFound, match="no kernel of Triton has come by"):
        ptxpasses.report(tmp_path / "none.html")
    ptxpasses.triton.install()
    for name in KERNELS:
        compiled(name)
    with pytest.raises(NotFound, match="^no folder /nowhere, "):
        ptxpasses.report("/nowhere/page.html")
    # Kernels for another processor have a page of their own.
    compiled("softmax", 86)
    pages = ptxpasses.report(tmp_path / "page.html")
    assert pages == [tmp_path / "page-sm_80.html", tmp_path / "page-sm_86.html"]
    assert [text.split(": ")[1].split(",")[0] for text in told] == ["2 kernels", "1 kernel"]
    assert all("<html" in page.read_text() for page in pages)


def test_options_as_one_text_are_an_error() -> None:
    with pytest.raises(TypeError, match=r"^options is a list of options, not one text: say options=\['-a', '-b'\]$"):
        ptxpasses.triton.install(options="-a -b")
