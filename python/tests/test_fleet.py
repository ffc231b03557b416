"""`tune` on a fleet: a scheduler of dask.distributed and workers in processes of their own."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from dask_fleet import Fleet, until

from ptxpasses import _files

pytest.importorskip("distributed")
from ptxpasses import tune as fleet_tune  # noqa: E402
from ptxpasses._fleet import Failure, Mistake, Store, Task, is_kept, joined, measure, tools  # noqa: E402
from ptxpasses.tune import Progress, files_of, measured, task_of  # noqa: E402

CUDA = Path(__file__).resolve().parents[2] / "build/cuda"
needs_tools = pytest.mark.skipif("PTXPASSES_COMPARE" not in os.environ or not (CUDA / "bin/ptxas").exists(), reason="no ptx-compare or ptxas")
FILES = 6

@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    with Fleet(tmp_path, PTXPASSES_CUDA=str(CUDA), XDG_CACHE_HOME=str(tmp_path / "cache")) as made:
        yield made


@pytest.fixture
def kernels(tmp_path: Path, reduction: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a folder `in` of small modules; it is the current one."""
    folder = tmp_path / "work"
    (folder / "in/deep").mkdir(parents=True)
    for number in range(FILES):
        name = folder / "in" / ("deep" if number % 2 else "") / f"k{number}.ll"
        name.write_text(reduction.replace("@reduce", f"@reduce{number}"))
    monkeypatch.chdir(folder)
    return folder


RESULT = '{{"config": {{"files": ["{file}"]}}, "records": [{{"file": "{file}"}}]}}'
OPTIONS = ("--mcpu", "sm_80", "--cost=spills,occupancy,sass,registers")


def tune(*words: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PTXPASSES_CUDA": str(CUDA)}
    return subprocess.run([sys.executable, "-m", "ptxpasses", "tune", *words], capture_output=True, text=True, env=environment, timeout=300, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@needs_tools
def test_a_fleet_writes_what_one_machine_writes_though_a_worker_is_killed(fleet: Fleet, kernels: Path) -> None:
    alone = tune(*OPTIONS, "-o", "alone", "in")
    assert alone.returncode == 0, alone.stderr
    first = fleet.worker()
    words = [sys.executable, "-m", "ptxpasses.tune", "--scheduler", fleet.address, "--store", "store", *OPTIONS, "-o", "fleet", "in"]
    running = subprocess.Popen(words, env={**os.environ, "PTXPASSES_CUDA": str(CUDA)}, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    until(lambda: any(Path("store").rglob("*.json")), "the first result")
    fleet.kill(first)
    assert len(list(Path("store").rglob("*.json"))) < FILES, "the first worker has done all: the test needs more files"
    fleet.worker()
    fleet.worker()
    _, told = running.communicate(timeout=300)
    assert running.returncode == 0, told
    assert contents(kernels / "fleet") == contents(kernels / "alone")
    assert f"{FILES} of {FILES} files" in told and "workers" in told


@needs_tools
def test_what_was_measured_is_not_measured_again(fleet: Fleet, kernels: Path) -> None:
    words = ("--scheduler", fleet.address, "--store", "store", *OPTIONS)
    worker = fleet.worker()
    assert tune(*words, "-o", "one", "in").returncode == 0
    fleet.kill(worker)
    # No worker is there, and none is needed.
    again = tune(*words, "-o", "two", "in")
    assert again.returncode == 0 and contents(kernels / "one") == contents(kernels / "two"), again.stderr
    # One file has changed, and only that is measured.
    changed = kernels / "in/k0.ll"
    changed.write_text(changed.read_text() + "\n; changed\n")
    fleet.worker()
    told = tune(*words, "-o", "three", "in").stderr
    assert f"{FILES - 1} of them known" in told and f"{FILES} of {FILES} files" in told, told


def test_a_fleet_with_more_threads_than_the_window_has_a_task_for_each(fleet: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each task ends only when as many run as there are threads."""
    threads, running = 4, tmp_path / "running"
    running.mkdir()

    def meet(task: Task) -> str | Failure:
        (running / task.name).touch()
        end = time.monotonic() + 10
        while len(list(running.iterdir())) < threads:
            if time.monotonic() > end:
                return Failure("too few tasks run")
            time.sleep(0.02)
        return RESULT.format(file=task.name)

    monkeypatch.setattr(fleet_tune, "WINDOW", 1)
    monkeypatch.setattr(fleet_tune, "attempt", meet)
    fleet.worker(threads)
    tasks = [Task(f"t{number}", (), (), ()) for number in range(threads)]
    results, failures = measured(fleet.address, {task.key(): partial(lambda one: one, task) for task in tasks}, Store(str(tmp_path / "store")), Progress(threads, 0))
    assert (len(results), failures) == (threads, [])


@needs_tools
def test_a_worker_with_other_tools_is_named(fleet: Fleet, kernels: Path, tmp_path: Path) -> None:
    other = tmp_path / "ptx-compare"
    shutil.copy(_files.compare(), other)
    with other.open("ab") as file:
        file.write(b"\n")
    fleet.worker(PTXPASSES_COMPARE=str(other))
    told = tune("--scheduler", fleet.address, "--store", "store", *OPTIONS, "-o", "out", "in")
    assert told.returncode == 2 and "a worker has other tools than the machine that asks: ptx-compare " in told.stderr, told.stderr
    assert not Path("out").exists() and not list(Path("store").rglob("*.json"))


@needs_tools
def test_a_worker_without_a_tool_is_named(fleet: Fleet, kernels: Path) -> None:
    fleet.worker(PTXPASSES_CUDA="nosuch")
    told = tune("--scheduler", fleet.address, "--store", "store", *OPTIONS, "-o", "out", "in")
    assert told.returncode == 2 and "a worker lacks a tool: PTXPASSES_CUDA names nosuch" in told.stderr, told.stderr


@needs_tools
def test_mistakes_end_it_with_one_message(fleet: Fleet, kernels: Path) -> None:
    fleet.worker()
    words = ("--scheduler", fleet.address, "--store", "store", "-o", "out")
    for given, wanted in (
        (("--effort", "none", "in"), "invalid value 'none' for '--effort"),
        (("--mcpu", "in=sm_80", "in"), "--mcpu: a fleet takes one processor for all files"),
        ((str(kernels / "in"),), "name files by a path below the current folder"),
        (("nosuch",), "nosuch: no such file or folder"),
        (("-O2", "-O3", "in"), "-O cannot be used several times"),
    ):
        told = tune(*words, *given)
        assert told.returncode == 2 and wanted in told.stderr and "Traceback" not in told.stderr, told.stderr
        assert not Path("out").exists()
    for address in ("tcp://127.0.0.1:1", "nosuch://host"):
        told = tune("--scheduler", address, "--store", "store", "in")
        assert told.returncode == 2 and address in told.stderr and "Traceback" not in told.stderr, told.stderr


def test_files_are_those_of_tune_in_its_order(kernels: Path) -> None:
    assert files_of(["in"]) == ["in/deep/k1.ll", "in/deep/k3.ll", "in/deep/k5.ll", "in/k0.ll", "in/k2.ll", "in/k4.ll"]
    assert files_of(["in/k0.ll", "in//k0.ll", "in/./k0.ll"]) == ["in/k0.ll"]
    for name, why in (("-d.ll", "begin it with ./"), ("in/k\udcff.ll", "another name"), ("in/again/k0.ll", "in/k0.ll and in/again/k0.ll would both become k0.ptx")):
        file = kernels / name
        file.parent.mkdir(exist_ok=True)
        file.touch()
        with pytest.raises(Failure, match=why):
            files_of(["in/k0.ll", name])
        file.unlink()
    (kernels / "in/loop").symlink_to(kernels / "in")
    with pytest.raises(Failure, match="in/loop: a link leads to a folder that it is in"):
        files_of(["in"])
    (kernels / "in/k.cu").touch()
    with pytest.raises(Failure, match="make IR of it"):
        files_of(["in/k.cu"])


@needs_tools
def test_a_task_has_the_launches_and_their_buffers(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTXPASSES_CUDA", str(CUDA))
    (kernels / "in/k0.launch").write_text("kernel reduce0\ngrid 1\nblock 32\nbuffer 4 in=b/k0.in\nbuffer 8 repeat=row\n")
    (kernels / "in/b").mkdir()
    (kernels / "in/b/k0.in").write_bytes(b"abcd")
    (kernels / "in/row").write_bytes(b"ab")
    without = task_of("in/k2.ll", [], ["-O3"])
    task = task_of("in/k0.ll", [], ["-O3"])
    assert [name for name, _ in task.inputs] == ["in/k0.ll", "in/k0.launch", "in/b/k0.in", "in/row"] and len(without.inputs) == 1
    key = task.key()
    (kernels / "in/b/k0.in").write_bytes(b"abce")
    assert task_of("in/k0.ll", [], ["-O3"]).key() != key, "the content of a buffer counts"
    assert task_of("in/k0.ll", [], ["-O2"]).key() != task_of("in/k0.ll", [], ["-O3"]).key(), "options count"


@needs_tools
@pytest.mark.parametrize("name", ["/etc/hostname", "../k.bin", "b/../../k.bin"])
def test_a_task_brings_no_file_from_elsewhere(kernels: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("PTXPASSES_CUDA", str(CUDA))
    with pytest.raises(Failure, match="below the current folder"):
        task_of("in/k0.ll", [name], [])
    (kernels / "k0.launch").write_text(f"kernel reduce0\ngrid 1\nblock 32\nbuffer 4 in={name}\n")
    with pytest.raises(Failure, match="below the current folder"):
        task_of("in/k0.ll", ["k0.launch"], [])
    # Nor does a worker take one.
    with pytest.raises(Mistake, match="only files below the current folder"):
        measure(Task("in/k0.ll", (("in/k0.ll", b""), (name, b"x")), (), tools()))


def test_a_broken_result_is_no_result(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    for broken in ("", "{", '{"a": 1}', '{"config": {"files": []}, "records": []}'):
        store.put("abcd", broken)
        assert store.get("abcd") is None, broken
    for url in ("nosuch://store", "s3://bucket/folder"):
        with pytest.raises(Failure, match=f"--store {url}: "):
            Store(url)


@pytest.mark.parametrize("url", ["store", "memory://store"])
def test_a_store_keeps_results(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store(url)
    assert store.get("abcd") is None
    store.put("abcd", RESULT.format(file="one"))
    store.put("abcd", RESULT.format(file="two"))
    assert Store(url).get("abcd") == RESULT.format(file="two")
    assert not list(tmp_path.rglob("*.part"))


def test_a_file_that_failed_is_tried_again() -> None:
    assert is_kept(RESULT.format(file="a"))
    assert not is_kept('{"config": {"files": ["a"]}, "records": [{"file": "a", "failed": "more than 300 seconds"}]}')


def test_results_of_other_runs_are_not_joined() -> None:
    def result(file: str, level: int) -> str:
        return f'{{"format": 1, "config": {{"level": {level}, "files": ["{file}"]}}, "records": [{{"file": "{file}"}}]}}'

    whole = joined([result("a", 3), result("b", 3)])
    assert whole["config"] == {"level": 3, "files": ["a", "b"]} and [record["file"] for record in whole["records"]] == ["a", "b"]
    with pytest.raises(Failure, match="of another run"):
        joined([result("a", 3), result("b", 2)])
