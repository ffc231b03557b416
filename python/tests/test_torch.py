"""torch.compile with our code: in this process, in Inductor's workers, and out of its cache. No GPU is needed.

Each test runs processes of its own, as Inductor starts its workers once a process, and has caches in memory.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

#: Compiles a softmax and a sum. It is told how as JSON, and says what Inductor's caches did.
PROGRAM = """
import json, sys
import ptxpasses.triton

plan = json.loads(sys.argv[1])
if plan["install"] is not None and not plan["late"]:
    ptxpasses.triton.install(**plan["install"])
import torch, without_gpu
from torch._inductor.async_compile import AsyncCompile

def both(x, w):
    y = torch.nn.functional.gelu(x) * w
    return torch.softmax(y, -1), y.sum(0)

without_gpu.pretend(plan["capability"])
if plan["workers"]:
    AsyncCompile.wait_pool_ready()
    assert AsyncCompile.use_process_pool()
    def here(*arguments): raise AssertionError("compiled in this process")
    ptxpasses.Compiler.ptx = here
if plan["install"] is not None and plan["late"]:
    ptxpasses.triton.install(**plan["install"])
without_gpu.compile(both, plan["shape"], plan["shape"][1:])
if plan["then"] is not None:
    ptxpasses.triton.uninstall()
    without_gpu.compile(both, plan["then"], plan["then"][1:])
counted = torch._dynamo.utils.counters
print(json.dumps({cache: [counted[part][f"{cache}_{what}"] for what in ("hit", "miss")]
                  for part, cache in (("inductor", "fxgraph_cache"), ("aot_autograd", "autograd_cache"))}))
"""
HIT, MISS = [1, 0], [0, 1]


def attempt(
    folder: Path,
    install: dict[str, Any] | None = None,
    *,
    late: bool = False,
    workers: str = "",
    capability: int = 80,
    shape: tuple[int, int] = (512, 1000),
    then: tuple[int, int] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Compiles with Inductor's caches in a folder.

    `install`: the arguments of ptxpasses.triton.install, which is called before PyTorch is imported, or, if `late`, when the workers are running.
    `workers`: how they are started. `then`: calls uninstall, and compiles for this shape.
    """
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(folder), "TORCHINDUCTOR_COMPILE_THREADS": "2" if workers else "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), environment.get("PYTHONPATH", "")])
    environment["TORCHINDUCTOR_WORKER_START"] = workers or "subprocess"
    environment.pop("TRITON_CACHE_DIR", None)
    plan = {"install": install, "late": late, "workers": bool(workers), "capability": capability, "shape": shape, "then": then}
    return subprocess.run([sys.executable, "-c", PROGRAM, json.dumps(plan)], env=environment, capture_output=True, text=True, check=False)


def run(folder: Path, install: dict[str, Any] | None = None, **named: Any) -> dict[str, list[int]]:
    """Compiles as `attempt` does; returns how often each cache hit and missed."""
    answer = attempt(folder, install, **named)
    assert answer.returncode == 0, answer.stderr
    counts: dict[str, list[int]] = json.loads(answer.stdout.splitlines()[-1])
    return counts


def kernels(folder: Path) -> dict[str, set[str]]:
    """Returns the PTX of each kernel in Triton's cache, without debug information and comments, which name the source's file."""
    found: dict[str, set[str]] = {}
    for file in folder.rglob("*.ptx"):
        assert file.with_suffix(".cubin").stat().st_size > 1000
        found.setdefault(file.stem, set()).add(re.sub("//.*", "", file.read_text().partition("\t.file")[0]))
    assert len(found) > 1
    return found


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Returns the kernels as they are with our code, compiled in one process."""
    folder = tmp_path_factory.mktemp("ours")
    run(folder, {})
    return kernels(folder)


@pytest.mark.parametrize("capability", [80, 90])
def test_kernels_have_our_code(tmp_path: Path, capability: int) -> None:
    run(tmp_path / "own", capability=capability)
    run(tmp_path / "ours", {}, capability=capability)
    own, ours = kernels(tmp_path / "own"), kernels(tmp_path / "ours")
    assert own.keys() == ours.keys() and not any(own[name] & ours[name] for name in own)


@pytest.mark.parametrize(("workers", "late"), [("subprocess", False), ("subprocess", True), ("fork", True), ("spawn", True), ("", True)])
def test_other_processes_and_orders_give_the_same_code(tmp_path: Path, ours: dict[str, set[str]], workers: str, late: bool) -> None:
    run(tmp_path, {}, workers=workers, late=late)
    assert kernels(tmp_path) == ours


def test_workers_have_the_arguments_and_forget_them(tmp_path: Path, ours: dict[str, set[str]]) -> None:
    upstream = {"options": ["-ptx-profile=upstream"]}
    run(tmp_path / "upstream", upstream)
    run(tmp_path / "workers", upstream, workers="subprocess")
    assert kernels(tmp_path / "workers") == kernels(tmp_path / "upstream") != ours
    run(tmp_path / "own", shape=(256, 1000))
    run(tmp_path / "both", {}, workers="subprocess", then=(256, 1000))
    own, both = kernels(tmp_path / "own"), kernels(tmp_path / "both")
    assert all(own[name] < both[name] for name in own)


@pytest.mark.parametrize("workers", ["", "subprocess", "fork"])
def test_what_llc_does_not_take_is_an_error_or_a_warning(tmp_path: Path, workers: str) -> None:
    own = Path(os.environ["PTXPASSES_LLC"])
    llc = tmp_path / "llc"
    llc.write_text(f'#!/bin/sh\ncase "$*" in *-mcpu=*) echo "error: refused for the test" >&2; exit 1;; esac\nexec {own} "$@"\n')
    llc.chmod(0o755)
    (tmp_path / "opt").symlink_to(own.with_name("opt"))
    refused = attempt(tmp_path / "error", {"llc": str(llc)}, workers=workers)
    assert refused.returncode == 1
    assert re.search("CompileError: llc .* does not compile the IR for sm_80: error: refused for the test", refused.stderr)
    warned = attempt(tmp_path / "warn", {"llc": str(llc), "fallback": "warn"}, workers=workers)
    assert warned.returncode == 0, warned.stderr
    assert re.search(r"UserWarning: ptxpasses: Triton's own code for triton_\w+: llc .* refused for the test", warned.stderr)


@pytest.mark.skipif("PTXPASSES_COMPARE" not in os.environ, reason="no ptx-compare is built")
@pytest.mark.parametrize("workers", ["", "subprocess"])
def test_the_log_has_kernels_of_workers_as_well(tmp_path: Path, workers: str) -> None:
    answer = attempt(tmp_path, {"log": True, "compare": True}, workers=workers)
    assert answer.returncode == 0, answer.stderr
    lines = [line for line in answer.stderr.splitlines() if line.startswith("ptxpasses: triton_")]
    named = re.compile(r"ptxpasses: (\w+) sm_80: registers \d+.*, occupancy .* %")
    assert {match[1] for line in lines if (match := named.fullmatch(line))} == set(kernels(tmp_path))
    assert f"ptxpasses: {len(lines)} kernels against Triton's own code: " in answer.stderr


def test_the_caches_tell_ours_from_triton_s_own(tmp_path: Path) -> None:
    assert run(tmp_path) == {"fxgraph_cache": MISS, "autograd_cache": MISS}
    assert run(tmp_path, {}) == {"fxgraph_cache": MISS, "autograd_cache": MISS}
    assert run(tmp_path, {}) == {"fxgraph_cache": HIT, "autograd_cache": HIT}
    assert run(tmp_path, {"options": ["-ptx-profile=upstream"]}) == {"fxgraph_cache": MISS, "autograd_cache": MISS}
    assert run(tmp_path) == {"fxgraph_cache": HIT, "autograd_cache": HIT}
