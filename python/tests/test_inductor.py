"""What ptxpasses changes in PyTorch's Inductor, on a small package in the place of PyTorch. test_torch.py has PyTorch itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: As PyTorch has them: the job that is sent to workers, and the details that the key of the cache is made of.
FILES = {
    "torch/__init__.py": "__version__ = '1.2.3'",
    "torch/_inductor/__init__.py": "",
    "torch/_inductor/tasks.py": """
def warn(text): raise NotImplementedError
def _worker_compile_triton(number, *, add):
    warn(f"about {number}")
    return number + add
""",
    "torch/_inductor/codecache.py": "class FxGraphHashDetails:\n    def __init__(self, graph): self.graph = graph",
    "torch/_inductor/async_compile.py": """
import functools, pickle
from torch._inductor.tasks import _worker_compile_triton
def submit(number): return pickle.dumps(functools.partial(_worker_compile_triton, number, add=1))
""",
}
PROGRAM = """
import importlib.util, pickle, sys, warnings
from types import SimpleNamespace
from ptxpasses import _inductor, triton

installed, asked = SimpleNamespace(arguments={"tune": True}, key="a key"), []
worker = SimpleNamespace(warn=lambda text: None)
triton.install_as = lambda arguments: asked.append(arguments) or (worker if arguments else None)
if "late" in sys.argv:
    import torch._inductor.async_compile
_inductor.follow(lambda: installed)
_inductor.follow(lambda: installed)
importlib.util.find_spec("torch._inductor.async_compile")
from torch._inductor import async_compile, codecache, tasks

tasks.warn = lambda text: worker.warn(text)
first, ours = pickle.loads(async_compile.submit(1)), vars(codecache.FxGraphHashDetails("graph"))
installed = None
second, own = pickle.loads(async_compile.submit(5)), vars(codecache.FxGraphHashDetails("graph"))
with warnings.catch_warnings(record=True) as caught:
    results = [pickle.loads(pickle.dumps(job())) for job in (first, second)]
print(results, [str(warning.message) for warning in caught], asked, ours, own)
"""


def run(folder: Path, files: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
    return subprocess.run([sys.executable, "-c", PROGRAM, *arguments], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("when", ["before", "late"])
def test_jobs_take_the_arguments_along_and_the_key_is_ours(tmp_path: Path, when: str) -> None:
    answer = run(tmp_path, FILES, when)
    results, asked, details = "[2, 6] ['about 1']", "[{'tune': True}, None]", "{'graph': 'graph', 'ptxpasses': 'a key'} {'graph': 'graph'}"
    assert answer.stdout == f"{results} {asked} {details}\n", answer.stderr


def test_a_pytorch_without_these_is_refused(tmp_path: Path) -> None:
    answer = run(tmp_path, {**FILES, "torch/_inductor/codecache.py": ""})
    assert answer.returncode == 1
    assert "does not know PyTorch 1.2.3: torch._inductor.codecache has no FxGraphHashDetails" in answer.stderr
