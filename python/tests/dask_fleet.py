"""A scheduler of dask.distributed and its workers, in processes of their own. For test_fleet.py and tests/fleet_scaling.py."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

WAIT = 60
"""Seconds that something may take to happen."""


def until(happens: Callable[[], bool], what: str) -> None:
    """Waits for something."""
    end = time.monotonic() + WAIT
    while not happens():
        assert time.monotonic() < end, f"{what}: not within {WAIT} s"
        time.sleep(0.05)


class Fleet:
    """A scheduler, and workers that are started and killed. Leaving its context kills all."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """Starts the scheduler, whose messages and those of the workers go into files of the folder; variables of the environment are for both."""
        self._folder, self._variables = folder, variables
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
        try:
            until(lambda: file.exists() and '"address"' in file.read_text(), "the scheduler's file")
        except BaseException:
            self.__exit__()
            raise
        self.address: str = re.findall(r'"address": "(tcp://[^"]+)"', file.read_text())[0]

    def __enter__(self) -> Fleet:
        """Gives itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Kills all processes."""
        for process in self.processes:
            self.kill(process)

    def _start(self, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        program = Path(sys.executable).with_name("dask")
        environment = {**os.environ, **self._variables, **variables}
        with (self._folder / f"{len(self.processes)}.log").open("wb") as log:
            self.processes.append(subprocess.Popen([program, *words], stdout=log, stderr=log, env=environment, start_new_session=True))
        return self.processes[-1]

    def worker(self, threads: int = 1, **variables: str) -> subprocess.Popen[bytes]:
        """Starts a worker."""
        return self._start("worker", self.address, "--nthreads", str(threads), "--no-dashboard", "--host", "127.0.0.1", **variables)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kills it with all that it has started, as a machine that goes."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
