"""Runs kernels on the GPU: one process of what run.py or lab_run.py asks for.

    worker.py right FOLDER FIRST           launches of right.json from number FIRST on; a line of JSON for each
    worker.py time FOLDER FIRST PASS PART [NAME...]  kernels of time.json except those named, in the order of a pass, from number FIRST on; two lines for each
    worker.py lab FOLDER                   experiments of lab.json as standard input asks for them
    worker.py once FOLDER NUMBER           each variant of an experiment of lab.json once, for ncu

Problem. A kernel that accesses what it must not takes the process's context with it, so launches run in a process that may end.

Method, right. Each launch has a freshly loaded module. Its buffers lie in the middle of as much memory as there is, with guards between them
that must stay as they are: some kernels load from far outside of every buffer and mask what they get, which no fault must end. A buffer of
which nothing is said begins with 0xcd. What is left is compared with the bytes expected; where none are, or others, they are printed.

Method, time. Stock's cubin is loaded twice, so that what differs between these two is noise. A block of samples goes over the variants forth and
back, beginning at another one each time; a sample is the time between two events around one or several launches that take 0.2 ms or
more together. Nothing is waited for within a block, so the GPU does not idle. Before the samples each variant runs once on the same memory,
and what is left is compared with what stock's left.

Source. CUDA Driver API, "Event Management". Deviation: none. Complexity: that of the kernels.
"""

from __future__ import annotations

import ctypes
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from driver import LOCAL_BYTES, NUM_REGISTERS, Arguments, CudaError, Driver, clock, number_bytes
from launches import Memory, Timed, by_name

GUARD = 4096
POISON, AROUND = 0xCD, 0xA5
SAMPLE, MAX_COMPARED = 0.2, 16 << 20
"""The least milliseconds of a sample; how many bytes of a buffer are compared."""


def say(**facts: object) -> None:
    """Prints a line for run.py."""
    print(json.dumps(facts), flush=True)


# ---- right


class Launch:
    """A launch of a launch file (docs/comparing.md)."""

    def __init__(self, folder: Path, lines: list[str]) -> None:
        self.kernel = ""
        self.grid = self.block = (1,)
        self.shared = 0
        self.arguments: list[bytes | None] = []
        """None for a buffer."""
        self.buffers: list[tuple[int, bytes | None, bytes | None]] = []
        """Size, what is in it before, what has to be in it after."""
        for line in lines:
            word, *rest = line.split()
            if word == "kernel":
                self.kernel = rest[0]
            elif word in ("grid", "block"):
                setattr(self, word, tuple(map(int, rest)))
            elif word == "shared":
                self.shared = int(rest[0])
            elif word == "buffer":
                files = dict(part.split("=") for part in rest[1:])
                before, after = ((folder / files[name]).read_bytes() if name in files else None for name in ("in", "out"))
                self.buffers.append((int(rest[0]), before, after))
                self.arguments.append(None)
            elif word == "bytes":
                self.arguments.append(bytes.fromhex(rest[0]))
            else:
                self.arguments.append(number_bytes(word, int(rest[0], 0)))


def read_launches(path: Path) -> list[Launch]:
    """Reads a launch file."""
    parts: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("kernel "):
            parts.append([])
        if line.strip():
            parts[-1].append(line)
    return [Launch(path.parent, part) for part in parts]


class Right:
    """Runs launches, and compares."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        size = min(driver.free_memory() - (3 << 30), 72 << 30)
        self.first = driver.allocate(size)
        self.middle = (self.first + size // 2) & ~0xFFFFF

    def run(self, launch: Launch, cubin: bytes) -> tuple[str, list[str]]:
        """Runs a launch: what is wrong, and what is in the buffers of which nothing or something else is expected."""
        driver = self.driver
        places: list[int] = []
        end = self.middle + GUARD
        for size, _, _ in launch.buffers:
            places.append(end)
            end = (end + size + GUARD + 255) & ~255
        driver.fill(self.middle, AROUND, end - self.middle)
        for place, (size, before, _) in zip(places, launch.buffers, strict=True):
            driver.write(place, bytes([POISON]) * size if before is None else before)
        addresses = iter(places)
        values = [next(addresses).to_bytes(8, "little") if value is None else value for value in launch.arguments]
        module = driver.load(cubin)
        function = driver.function(module, launch.kernel)
        driver.allow_shared(function, launch.shared)
        driver.launch(function, launch.grid, launch.block, launch.shared, Arguments.of(values))
        driver.wait()
        memory = driver.read(self.middle, end - self.middle)
        driver.unload(module)
        return self.compare(launch, memory, places)

    def compare(self, launch: Launch, memory: bytes, places: list[int]) -> tuple[str, list[str]]:
        """Compares what is left with what is expected, the guards too."""
        left: list[str] = []
        guards = bytearray(memory)
        wrong = ""
        for i, (place, (size, _, after)) in enumerate(zip(places, launch.buffers, strict=True)):
            at = place - self.middle
            there = memory[at : at + size]
            guards[at : at + size] = bytes([AROUND]) * size
            if after is None:
                left.append(there.hex())
            elif there != after and not wrong:
                k = next(k for k in range(size) if there[k] != after[k])
                count = sum(a != b for a, b in zip(there, after, strict=True))
                k &= ~7
                wrong = f"buffer {i}: {count} of {size} bytes differ, at {k} {there[k : k + 8].hex()} not {after[k : k + 8].hex()}"
                left.append(there.hex())
        if not wrong and guards.count(AROUND) != len(guards):
            wrong = "memory outside of the buffers was written"
        return wrong, left


def right(driver: Driver, folder: Path, first: int) -> None:
    """Runs the launches of right.json from a number on."""
    runner = Right(driver)
    number = 0
    for job in json.loads((folder / "right.json").read_text(encoding="utf-8")):
        if number + job["launches"] <= first:
            number += job["launches"]
            continue
        cubin = (folder / job["cubin"]).read_bytes()
        for launch in read_launches(folder / job["launch"]):
            if number >= first:
                try:
                    wrong, left = runner.run(launch, cubin)
                except CudaError as error:
                    say(number=number, kernel=launch.kernel, wrong=str(error), fault=True, left=[])
                    # The context is lost.
                    sys.exit(3)
                say(number=number, kernel=launch.kernel, wrong=wrong, left=left)
            number += 1
    say(done=True)


# ---- time


class Kernel:
    """A kernel with its memory, and its variants."""

    def __init__(self, driver: Driver, timed: Timed, folder: Path, cubins: dict[str, str]) -> None:
        self.driver, self.timed = driver, timed
        self.modules = {name: driver.load((folder / cubin).read_bytes()) for name, cubin in cubins.items()}
        self.functions = {name: driver.function(module, timed.kernel) for name, module in self.modules.items()}
        for function in self.functions.values():
            driver.allow_shared(function, timed.shared)
        self.allocated: list[int] = []
        self.memory: list[tuple[int, Memory, int | None]] = []
        """Where a buffer lies, what it is, where its content before the launch is kept."""
        values: list[bytes] = []
        for argument in timed.arguments:
            if isinstance(argument, Memory):
                address = self.allocate(argument)
                values.append(address.to_bytes(8, "little"))
            else:
                values.append(number_bytes(*argument))
        self.arguments = Arguments.of(values)

    def allocate(self, memory: Memory) -> int:
        """Allocates and fills a buffer."""
        driver = self.driver
        # Room after it, as a launch need not know to the byte what a kernel reads.
        address = driver.allocate(memory.size + (1 << 20))
        self.allocated.append(address)
        driver.fill(address, POISON, memory.size + (1 << 20))
        if memory.pattern is not None:
            data = memory.pattern()[: memory.size]
            driver.write(address, data)
            done = len(data)
            while done < memory.size:
                size = min(done, memory.size - done)
                driver.copy(address + done, address, size)
                done += size
        kept = None
        if memory.is_written:
            kept = driver.allocate(memory.size)
            self.allocated.append(kept)
            driver.copy(kept, address, memory.size)
        self.memory.append((address, memory, kept))
        return address

    def restore(self, is_all: bool) -> None:
        """Puts the content before the launch back; not that of what is only written, unless all is asked for."""
        for address, memory, kept in self.memory:
            if kept is not None and (is_all or memory.pattern is not None):
                self.driver.copy(address, kept, memory.size)

    def launch(self, variant: str) -> None:
        """Launches a variant."""
        timed = self.timed
        self.driver.launch(self.functions[variant], timed.grid, timed.block, timed.shared, self.arguments)

    def is_changed(self) -> bool:
        """Finds whether the launch reads what it changes, so that each needs the memory as it was."""
        return any(memory.is_written and memory.pattern is not None for _, memory, _ in self.memory)

    def left(self, variant: str) -> list[bytes]:
        """Runs a variant once; what it leaves."""
        self.restore(True)
        self.launch(variant)
        self.driver.wait()
        return [self.driver.read(address, min(memory.size, MAX_COMPARED)) for address, memory, _ in self.memory if memory.is_written]

    def sample(self, variant: str, first: ctypes.c_void_p, last: ctypes.c_void_p, count: int) -> None:
        """Has a sample taken."""
        if self.is_changed():
            self.restore(False)
        self.driver.record(first)
        for _ in range(count):
            self.launch(variant)
        self.driver.record(last)

    def blocks(self, num_blocks: int, seed: int) -> Iterator[tuple[int, dict[str, list[float]]]]:
        """Takes the samples, a block at a time: how many launches a sample has, and by variant the milliseconds of a launch, forth and back."""
        driver, variants = self.driver, list(self.functions)
        random.Random(seed).shuffle(variants)
        events = [(driver.event(), driver.event()) for _ in range(2 * len(variants))]
        for variant in variants:
            self.sample(variant, *events[0], 1)
        driver.wait()
        self.sample("stock", *events[0], 1)
        driver.wait()
        count = 1 if self.is_changed() else max(1, min(50, int(SAMPLE / max(driver.between(*events[0]), 1e-3)) + 1))
        for block in range(-2, num_blocks):
            turn = block % len(variants)
            order = variants[turn:] + variants[:turn]
            order += order[::-1]
            for variant, pair in zip(order, events, strict=True):
                self.sample(variant, *pair, count)
            driver.wait()
            if block < 0:
                continue
            found: dict[str, list[float]] = {name: [] for name in variants}
            for variant, pair in zip(order, events, strict=True):
                found[variant].append(round(driver.between(*pair) / count, 6))
            yield count, found

    def measure(self, num_blocks: int, seed: int) -> dict[str, object]:
        """Takes all samples; milliseconds of a launch."""
        launches = 0
        times: dict[str, list[list[float]]] = {name: [] for name in self.functions}
        for count, found in self.blocks(num_blocks, seed):
            launches = count
            for variant, pair_of_times in found.items():
                times[variant].append(pair_of_times)
        return {"launches": launches, "times": times}

    def facts(self) -> dict[str, dict[str, int]]:
        """Reads what the driver knows of each variant."""
        numbers = {"registers": NUM_REGISTERS, "local": LOCAL_BYTES}
        return {name: {v: self.driver.of_function(f, number) for v, f in self.functions.items()} for name, number in numbers.items()}

    def close(self) -> None:
        """Gives all up."""
        for address in self.allocated:
            self.driver.free(address)
        for module in self.modules.values():
            self.driver.unload(module)


def time(driver: Driver, folder: Path, first: int, turn: int, part: int, left_out: list[str]) -> None:
    """Makes a pass over the kernels of time.json with the variants of a part, in an order of its own, from a number on, without some kernels."""
    jobs = json.loads((folder / "time.json").read_text(encoding="utf-8"))["jobs"]
    random.Random(turn).shuffle(jobs)
    known = by_name(folder)
    for number, job in enumerate(jobs[first:], first):
        name = job["name"]
        if name in left_out:
            continue
        say(begin=name, number=number)
        try:
            kernel = Kernel(driver, known[name], folder, {variant: job["cubins"][variant] for variant in job["parts"][part]})
            facts: dict[str, object] = {**kernel.facts()}
            if turn == 0:
                stock = kernel.left("stock")
                facts["differ"] = [variant for variant in kernel.functions if kernel.left(variant) != stock]
            measured = kernel.measure(job["blocks"], turn)
            say(name=name, turn=turn, clock=clock(), **facts, **measured)
            kernel.close()
        except CudaError as error:
            say(name=name, turn=turn, fault=str(error))
            # The context may be lost: run.py goes on with the next kernel.
            sys.exit(3)
    say(done=True)


# ---- the laboratory


def lab(driver: Driver, folder: Path) -> None:
    """Times kernels of lab.json as standard input asks, a line of JSON each: the number of the experiment, and the variants to leave out.

    Before a variant runs for the first time its name is said, so that a fault, or a silence, is that variant's. Each block is said as it comes.
    """
    made = json.loads((folder / "lab.json").read_text(encoding="utf-8"))
    known = by_name(folder)
    say(ready=True)
    for line in sys.stdin:
        order = json.loads(line)
        experiment = made["queue"][order["number"]]
        job = made["jobs"][experiment["name"]]
        cubins = {v: job["cubins"][v] for v in experiment["variants"] if v not in order["left_out"]}
        try:
            kernel = Kernel(driver, known[experiment["name"]], folder, cubins)
            say(**kernel.facts())
            left: list[bytes] = []
            differ: list[str] = []
            for variant in kernel.functions:
                say(variant=variant)
                now = kernel.left(variant)
                left = left or now
                if now != left:
                    differ.append(variant)
            say(variant="", differ=differ)
            for launches, times in kernel.blocks(experiment["blocks"], experiment["pass"]):
                say(launches=launches, times=times)
            say(clock=clock(), done=True)
            kernel.close()
        except CudaError as error:
            say(fault=str(error))
            # The context may be lost: lab_run.py starts another process.
            sys.exit(3)


def once(driver: Driver, folder: Path, number: int) -> None:
    """Launches each variant of an experiment of lab.json once, for a program that looks at the launches."""
    made = json.loads((folder / "lab.json").read_text(encoding="utf-8"))
    experiment = made["queue"][number]
    cubins = {v: made["jobs"][experiment["name"]]["cubins"][v] for v in experiment["variants"]}
    kernel = Kernel(driver, by_name(folder)[experiment["name"]], folder, cubins)
    for variant in kernel.functions:
        kernel.left(variant)
    kernel.close()


def main() -> int:
    """Does what run.py, or lab_run.py, asks for."""
    what, folder = sys.argv[1], Path(sys.argv[2])
    driver = Driver()
    driver.open()
    if what == "right":
        right(driver, folder, int(sys.argv[3]))
    elif what == "lab":
        lab(driver, folder)
    elif what == "once":
        once(driver, folder, int(sys.argv[3]))
    else:
        time(driver, folder, int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), sys.argv[6:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
