"""Measures one file for `tune`, on any machine of a fleet, and keeps results by content.

A task has all that its measurement depends on: the bytes of the file and of its launches, tune's options, and a description of the tools of
the machine that asks. So a result may come from any machine with the same tools, and its key is the digest of the task: what was measured
once is never measured again. The worker runs `ptx-compare tune --shard 1/1` in a folder of its own; the result is the text that it writes.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
import uuid
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from ptxpasses import _files
from ptxpasses._version import VERSION


class Failure(RuntimeError):
    """A file was not measured; says which and why."""


class Mistake(RuntimeError):
    """No file can be measured: tune does not take the options; says why."""


class OtherTools(RuntimeError):
    """A worker has other tools than the machine that asks; says which."""


@dataclass(frozen=True)
class Task:
    """One file to measure."""

    name: str
    """Its path below the current folder, which results name."""
    inputs: tuple[tuple[str, bytes], ...]
    """The file, launches and their buffers: path and content."""
    options: tuple[str, ...]
    """Those of `ptx-compare tune`."""
    tools: tuple[tuple[str, str], ...]
    """What `tools()` says where the task was made."""

    def key(self) -> str:
        """Returns the digest of all of it."""
        facts = asdict(self)
        facts["inputs"] = [[name, hashlib.sha256(content).hexdigest()] for name, content in self.inputs]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@cache
def tools() -> tuple[tuple[str, str], ...]:
    """Describes what a result depends on, of this machine: names and versions or digests."""
    plugin, compare = _files.plugin(), _files.compare()
    parts = [plugin, *sorted(plugin.parent.glob("libptxpasses-*.so"))]
    builds = hashlib.sha256(b"".join(hashlib.sha256(part.read_bytes()).digest() for part in parts))
    return (
        ("ptxpasses", VERSION),
        ("plugin", builds.hexdigest()[:16]),
        ("ptx-compare", hashlib.sha256(compare.read_bytes()).hexdigest()[:16]),
        ("llc", _says(_files.llc(), "LLVM version")),
        ("ptxas", _says(_files.cuda() / "bin/ptxas", "release")),
    )


def _says(program: Path, word: str) -> str:
    """Returns the line with this word of what `--version` prints."""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return next((line.strip() for line in told.splitlines() if word in line), told.strip())


def is_below(path: str) -> bool:
    """Returns whether a path is below the current folder, as it is written."""
    parts = PurePosixPath(path).parts
    return bool(parts) and parts[0] != "/" and ".." not in parts


def measure(task: Task) -> str:
    """Measures a file, on this machine. Raises `OtherTools`, `Mistake` or `Failure`."""
    own = dict(tools())
    if other := [f"{name} {own.get(name)}, not {wanted}" for name, wanted in task.tools if own.get(name) != wanted]:
        raise OtherTools(f"a worker has other tools than the machine that asks: {'; '.join(other)}")
    with tempfile.TemporaryDirectory(prefix="ptxpasses-") as name:
        folder = Path(name)
        for path, content in task.inputs:
            file = folder / "in" / path
            if not is_below(path):
                raise Mistake(f"{path}: a task brings only files below the current folder")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        named: list[str | Path] = ["--llc", _files.llc(), "--plugin", _files.plugin(), "--cuda", _files.cuda()]
        command = [_files.compare(), "tune", *named, "--shard", "1/1", "-j", "1", "-o", folder / "out", *task.options, task.name]
        done = subprocess.run(command, cwd=folder / "in", capture_output=True, text=True, errors="replace", check=False)
        if "try '--help'" in done.stderr:
            raise Mistake(done.stderr.removeprefix("error: ").strip())
        if done.returncode:
            raise Failure(f"{task.name}: {done.stderr.strip() or f'ptx-compare ends with status {done.returncode}'}")
        return (folder / "out/shard-1-of-1.json").read_text()


Refused = (Failure, Mistake, OtherTools)


def attempt(task: Task) -> str | Failure | Mistake | OtherTools:
    """Returns the result or why there is none, as the same would come of it elsewhere. What it raises may be tried again."""
    try:
        return measure(task)
    except Refused as why:
        return why
    except _files.NotFound as why:
        return OtherTools(f"a worker lacks a tool: {why}")


class Store:
    """Results by key: in a folder, or wherever fsspec can write (`s3://bucket/folder`)."""

    def __init__(self, url: str) -> None:
        """Opens it; a folder is made."""
        from fsspec.core import url_to_fs

        try:
            self._fs, root = url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise Failure(f"--store {url}: {error}") from error
        self._root = PurePosixPath(root)
        self._fs.makedirs(root, exist_ok=True)

    def _path(self, key: str) -> str:
        return str(self._root / key[:2] / f"{key}.json")

    def get(self, key: str) -> str | None:
        """Returns the result with this key. `None` unless there is one, and whole."""
        try:
            content: bytes = self._fs.cat_file(self._path(key))
            result = content.decode()
            return result if is_kept(result) else None
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, result: str) -> None:
        """Keeps a result. It is there as a whole or not at all."""
        path = self._path(key)
        self._fs.makedirs(str(PurePosixPath(path).parent), exist_ok=True)
        # Another run may put the same result.
        part = f"{path}.{uuid.uuid4().hex}.part"
        self._fs.pipe_file(part, result.encode())
        self._fs.mv(part, path)


def is_kept(result: str) -> bool:
    """Returns whether a result is the same on each machine. A file that could not be compiled may have run out of time."""
    found = json.loads(result)
    return bool(found["config"]["files"]) and not any(record.get("failed") for record in found["records"])


def joined(results: list[str]) -> dict[str, Any]:
    """Joins the results of single files, in this order, into that of a run over all of them."""
    whole: dict[str, Any] | None = None
    for text in results:
        one = json.loads(text)
        if whole is None:
            whole = one
            continue
        files = one["config"].pop("files")
        all_files = whole["config"].pop("files")
        if (one["format"], one["config"]) != (whole["format"], whole["config"]):
            raise Failure(f"{files[0]}: its result is of another run than that of {all_files[0]}: options or tools differ")
        whole["config"]["files"] = all_files + files
        whole["records"] += one["records"]
    if whole is None:
        raise Failure("nothing was measured")
    return whole
