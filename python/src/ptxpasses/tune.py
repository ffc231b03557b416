"""Tunes many files on a fleet of machines: `python -m ptxpasses.tune --scheduler ADDRESS [OPTION]... FILE|FOLDER...`.

Each file is a task of dask.distributed: it goes to any worker that is there, and to another one if that worker goes. Workers may come at
any time (`dask worker ADDRESS`); they need this package with the same tools, and no files. Each result is kept in the store as soon as it
is there, by the digest of all that it depends on (`_fleet`), so a run that was ended goes on where it was. At last `ptx-compare merge`
chooses and writes here: the same bytes as `ptxpasses tune` of the same files on one machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ptxpasses import _files
from ptxpasses._fleet import Failure, Mistake, OtherTools, Store, Task, attempt, is_below, is_kept, joined, tools

PACKAGES = ("distributed",)
SUFFIXES = (".ll", ".mir", ".bc")
#: Options that `ptx-compare tune` takes to measure, and those that `merge` takes.
MEASURED = ("--mcpu", "-O", "--cost", "--effort", "--block", "--shared", "--maxrregcount", "--plugin-args", "--extra", "--timeout")
MERGED = ("--plugin-args", "--extra", "--timeout", "--json", "--csv", "--markdown", "-o")
#: Tasks that the scheduler has at a time, as their files are in its memory: this many, or two for each thread of the workers.
WINDOW, TASKS_OF_THREAD = 512, 2
#: How often a task goes to another worker after an error of the machine (no space, no memory).
RETRIES = 2
SECONDS = 2.0


class Once(argparse.Action):
    """An option that may be given once, as those of `ptx-compare`."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        """Takes the value."""
        if getattr(namespace, self.dest) != self.default:
            parser.error(f"{option} cannot be used several times")
        setattr(namespace, self.dest, values)


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="ptxpasses tune --scheduler",
        description="The best setting for each kernel of many files, measured by the workers of dask.distributed. "
        "`dask scheduler` starts a scheduler, `dask worker ADDRESS` a worker; both may run anywhere. "
        "The options below `measuring` are those of `ptxpasses tune --help`.",
        allow_abbrev=False,
    )
    parser.add_argument("--scheduler", required=True, metavar="ADDRESS", help="the scheduler's, as tcp://host:8786")
    parser.add_argument("--store", metavar="URL", help="where results are kept: a folder, or what fsspec knows, as s3://bucket/folder [default: fleet in ptxpasses' cache]")
    parser.add_argument("--launch", action="append", default=[], metavar="FILE", help="launches for the term time [default: FILE.launch beside the input, else made up]")
    parser.add_argument("-o", "--out", default="build/tune", metavar="DIR", help="where the PTX and choices.json go [default: build/tune]")
    for name in ("--json", "--csv", "--markdown"):
        parser.add_argument(name, metavar="FILE", help="as of `ptxpasses tune`")
    group = parser.add_argument_group("measuring")
    for name in MEASURED:
        group.add_argument(name, metavar="VALUE", action=Once)
    parser.add_argument("inputs", nargs="+", metavar="FILE|FOLDER", help=f"{', '.join(SUFFIXES)}: below the current folder, as workers have them by the same names")
    return parser.parse_args(arguments)


def given(options: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """Returns those of the named options that were given, as words."""
    values = ((name, getattr(options, {"-o": "out"}.get(name, name.lstrip("-").replace("-", "_")))) for name in names)
    return [word for name, value in values if value is not None for word in ([name, value] if name in ("-O", "-o") else [f"{name}={value}"])]


def files_of(inputs: Sequence[str]) -> list[str]:
    """Lists the files, sorted. A folder without any is an error."""
    found: dict[str, str] = {}
    for name in inputs:
        if not is_below(name):
            raise Failure(f"{name}: name files by a path below the current folder: workers have them by the same names")
        for file in [name] if os.path.isfile(name) else inside(name):
            if not file.endswith(SUFFIXES):
                raise Failure(f"{file}: a fleet takes {', '.join(SUFFIXES)}: make IR of it (clang -S -emit-llvm)")
            if file.startswith("-") or not file.isprintable():
                raise Failure(f"{file!r}: a fleet cannot pass this name on: begin it with ./ or give the file another name")
            found.setdefault(re.sub("/(\\./|/)+", "/", file), file)
    texts: dict[str, str] = {}
    for file in found.values():
        other = texts.setdefault(Path(file).stem, file)
        if other != file:
            raise Failure(f"{other} and {file} would both become {Path(file).stem}.ptx")
    return sorted(found.values(), key=lambda name: Path(name).parts)


def inside(folder: str) -> list[str]:
    """Lists the files in a folder that are inputs."""
    files: list[str] = []
    for place, _, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if any(os.path.realpath(above) == real for above in Path(place).parents if Path(folder) in (above, *above.parents)):
            raise Failure(f"{place}: a link leads to a folder that it is in")
        files += [os.path.join(place, name) for name in names if name.endswith(SUFFIXES)]
    if not files:
        raise Failure(f"no {', '.join(SUFFIXES)} file in {folder}" if os.path.isdir(folder) else f"{folder}: no such file or folder")
    return files


def with_buffers(launch: str) -> Iterator[tuple[str, bytes]]:
    """Reads a file of launches, and those that it names."""

    def read(file: str) -> bytes:
        if not is_below(file):
            raise Failure(f"{file}: name launches and buffers by a path below the current folder: workers have them by the same names")
        return Path(file).read_bytes()

    text = read(launch)
    yield launch, text
    for name in sorted(set(re.findall(rb"\b(?:in|out|repeat)=(\S+)", text))):
        file = str(Path(launch).parent / os.fsdecode(name))
        if not is_below(file) or os.path.isfile(file):
            yield file, read(file)


def task_of(name: str, launches: Sequence[str], options: Sequence[str]) -> Task:
    """Makes a file's task."""
    inputs = {name: Path(name).read_bytes()}
    own = Path(name).with_suffix(".launch")
    for launch in [*launches, *([str(own)] if own.is_file() and not launches else [])]:
        inputs.update(with_buffers(launch))
    words = [*options, *(f"--launch={launch}" for launch in launches)]
    return Task(name, tuple(inputs.items()), tuple(words), tools())


class Progress:
    """Says on stderr, every two seconds, how far it is."""

    def __init__(self, total: int, known: int) -> None:
        """Starts."""
        self._total, self._done, self._failed, self._begin, self._said = total, known, 0, time.monotonic(), 0.0
        self._known = known

    def step(self, *, failed: bool = False) -> None:
        """Counts a file."""
        self._done += 1
        self._failed += failed

    def is_due(self) -> bool:
        """Returns whether the last line is some time ago."""
        return time.monotonic() - self._said >= SECONDS

    def say(self, workers: int) -> None:
        """Prints a line."""
        self._said = time.monotonic()
        parts = [f"{self._done} of {self._total} files", f"{self._known} of them known" if self._known else "", f"{self._failed} failed" if self._failed else ""]
        parts.append(f"{workers} worker{'' if workers == 1 else 's'}{'' if workers else ': waiting; `dask worker ADDRESS` starts one'}")
        print(f"tune: {', '.join(filter(None, parts))}, {self._said - self._begin:.0f} s", file=sys.stderr, flush=True)


def measured(scheduler: str, unknown: dict[str, Callable[[], Task]], store: Store, progress: Progress) -> tuple[dict[str, str], list[str]]:
    """Has the workers measure the tasks of these keys, and keeps each result. Returns the results by key, and why some are missing."""
    from distributed import Client, as_completed

    # A file may be large.
    warnings.filterwarnings("ignore", message="Sending large graph")
    results: dict[str, str] = {}
    failures: list[str] = []
    waiting = deque(unknown.items())
    try:
        client = Client(scheduler, timeout="10s")
    except ValueError as error:
        raise Failure(f"--scheduler {scheduler}: {error}") from error

    def more(number: int) -> list[Any]:
        taken = []
        for key, make in [waiting.popleft() for _ in range(min(number, len(waiting)))]:
            task = make()
            if task.key() != key:
                raise Failure(f"{task.name} or its launches have changed since the run began")
            taken.append(client.submit(attempt, task, key=f"{task.name}-{key}", retries=RETRIES, pure=False))
        return taken

    with client:
        running, window = as_completed(), WINDOW
        while True:
            for new in more(window - running.count()):
                running.add(new)
            if running.is_empty():
                break
            if progress.is_due():
                threads = client.nthreads()
                window = max(WINDOW, TASKS_OF_THREAD * sum(threads.values()))
                progress.say(len(threads))
            if not running.has_ready():
                time.sleep(0.05)
                continue
            batch = running.next_batch(block=False)
            # Together, as one round trip for each would be most of what a short task takes. `None` where there is no result.
            fetched = client.gather({future.key: future for future in batch}, errors="skip")
            for future in batch:
                if future.status == "cancelled":
                    raise Failure(f"{scheduler}: the scheduler has gone; what was measured is kept, and the same command goes on")
                name, _, key = future.key.rpartition("-")
                result = future.exception() if future.status == "error" else fetched[future.key]
                if isinstance(result, (Mistake, OtherTools)):
                    raise result
                if isinstance(result, str):
                    results[key] = result
                    if is_kept(result):
                        store.put(key, result)
                else:
                    failures.append(str(result) if isinstance(result, Failure) else f"{name}: {type(result).__name__}: {result}")
                progress.step(failed=not isinstance(result, str))
        progress.say(len(client.nthreads()))
    return results, failures


def run(options: argparse.Namespace) -> int:
    """Tunes; the exit status."""
    words = given(options, MEASURED)
    if "=" in (options.mcpu or ""):
        raise Failure("--mcpu: a fleet takes one processor for all files")
    store = Store(options.store or str(_files.cache() / "fleet"))
    # The files' content is not kept: there may be thousands.
    makers = [partial(task_of, name, options.launch, words) for name in files_of(options.inputs)]
    tasks: dict[str, Callable[[], Task]] = {make().key(): make for make in makers}
    results = {key: result for key in tasks if (result := store.get(key)) is not None}
    unknown = {key: make for key, make in tasks.items() if key not in results}
    failures: list[str] = []
    if unknown:
        new, failures = measured(options.scheduler, unknown, store, Progress(len(tasks), len(results)))
        results |= new
    if failures:
        for why in failures[:20]:
            print(f"ptxpasses: error: {why}", file=sys.stderr)
        print(f"ptxpasses: {len(failures)} of {len(tasks)} files were not measured, so nothing is written; what was measured is kept", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="ptxpasses-") as folder:
        shard = Path(folder) / "shard-1-of-1.json"
        shard.write_text(json.dumps(joined([results[key] for key in tasks])))
        command: list[str | Path] = [_files.compare(), "merge", "--llc", _files.llc(), "--plugin", _files.plugin(), *given(options, MERGED), shard]
        return subprocess.run(command, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status. 2 for a mistake of the caller's, 130 after Ctrl-C."""
    options = options_of(arguments)
    try:
        return run(options)
    except ImportError:
        print(f"ptxpasses: a fleet needs dask.distributed: {_files.pip_install(PACKAGES)}", file=sys.stderr)
    except KeyboardInterrupt:
        print("ptxpasses: ended; what was measured is kept, and the same command goes on", file=sys.stderr)
        return 130
    except (_files.NotFound, Failure, Mistake, OtherTools, OSError) as error:
        print(f"ptxpasses: error: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
