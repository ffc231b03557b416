"""Makes up launches for kernels of modules that come without launches, and keeps those that a simulation runs to their end.

Problem. Thousands of kernels can be had as sources, and none of them says how large its grid, its numbers and its buffers are. A launch that accesses
what is not there faults on a GPU, and one whose threads end at once times nothing.

Method. The kernel's IR says which parameters are pointers, what they point to, which axes of the grid it looks at, and how many threads a block may have. All
integers get one number, all floating-point numbers 0.5, and buffers get numbers of their type: small integers, as they may be indices, or numbers from -1 to 1.
`ptx-compare time` runs some blocks of stock's code and of ours, the first and the last one too. A buffer that is missed after its end grows, and the launch is tried
again; shared memory that is missed makes the block smaller. The first number, from large ones to small ones, for which the kernel ends within its buffers and does
enough is taken. Where none will do, one of several integers is large and the others are small, each in turn. Left out, each with its reason: kernels with structures
as parameters, with pointers in memory, and those for which no numbers will do.

What is found for a module is kept in the folder `made-up`, by a digest of its two codes and this program. Another tool tries those kernels again that have no launch.

`made_up.json` in the folder has a row for each launch (`rows`), which launches.py reads on the machine with the GPU.

Source. None. Deviation: an access that is far from all buffers is not seen. Complexity: simulations: kernels times numbers times the buffers that grow.
"""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from launches import MADE_UP, Timed, launch_text, made_up

NUMBERS = (1 << 20, 1 << 16, 4096, 1024, 256, 64, 16)
"""What integers are tried as."""
SEVERAL, MOST_OF_SEVERAL = 3, 4096
"""With this many integers some are multiplied, and larger numbers would need too much memory."""
MANY, SMALL = 6, (64, 16)
"""With more integers than this none is tried as large alone; what the others are then."""
LEAST = 14
"""Instructions that a warp has to execute in the mean, so that there is something to time. One that ends at once executes 5 to 11."""
LEAST_CYCLES = 8000
"""Predicted cycles of a multiprocessor that a launch has to take: some microseconds."""
BUDGET = 2_000_000
"""Instructions of warps that a simulation may take."""
FIRST_BYTES, MOST_BYTES = 4 << 20, 1 << 30
"""Bytes of a buffer at first; bytes of all buffers at most."""
DYNAMIC = 16 << 10
"""Bytes of shared memory for a kernel that takes as much as its launch says."""
SECONDS, MORE_SECONDS = 60, 10
"""Processor time that a simulation of one kernel may take, and how much more for each further one."""
WAITING = 10
"""How many times as long it may take by the clock: the machine may be busy."""
TOO_LONG = f"a simulation takes more than {SECONDS} seconds"
NOT_REACHED = "not reached within the time; the next run goes on"
MOST_SIMULATIONS = 40
"""How often a kernel is simulated at most."""
MODULE_SECONDS = 300
"""How long launches are looked for in one module: a slow one must not cost all others theirs."""
TOO_SLOW = f"the search for the launches of its module takes more than {MODULE_SECONDS // 60} minutes"
SHAPES = {1: ((2112,), (256,)), 2: ((66, 32), (16, 16)), 3: ((33, 8, 8), (8, 8, 4))}
"""Grid and block by the number of axes that a kernel looks at."""
LARGER = {1: ((16,), 16), 2: ((4, 4), 4), 3: ((2, 2, 4), 4)}
"""By the number of axes how many times the grid, and the numbers, are larger for kernels that take too little time."""
LEAST_THREADS = 32
"""Threads that a block has at least."""
KINDS = {"float": "f", "double": "d", "half": "e", "i8": "B", "i16": "H", "i32": "i", "i64": "q"}
"""Letters of module struct."""
INTEGERS = ("i8", "i16", "i32", "i64")
NUMBER_KINDS = {"i8": "u8", "i16": "u16", "i32": "u32", "i64": "u64", "float": "f32", "double": "f64"}
"""How launches name numbers."""

DEFINE = re.compile(r"^define\b[^@]*@(\"[^\"]+\"|[\w.$]+)\((.*)\)[^()]*\{", re.M)
KERNEL = re.compile(r"!\{ptr @(\"[^\"]+\"|[\w.$]+), !\"kernel\", i32 1\}")
MISSED = re.compile(r"parameter (\d+) is a buffer of (\d+) bytes .* (?:reads|writes|changes) (\d+) bytes at \w+, (\d+) bytes after its start")


OUTSIDE_SHARED = "after the end of shared memory"
"""What the tool says of such an access."""


class Unusable(Exception):
    """A kernel's parameters allow no launch."""


@dataclass
class Pointer:
    """A parameter that is a pointer: the IR's type of what it points to, and whether the kernel writes there."""

    type: str
    is_written: bool


@dataclass
class Kernel:
    """A kernel of a module."""

    source: Path
    name: str
    parameters: list[str | Pointer] = field(default_factory=list)
    """Types of IR, or pointers."""
    axes: int = 1
    has_dynamic_shared: bool = False
    most_threads: int = 1024
    """Threads that a block may have."""
    block: tuple[int, ...] | None = None
    """The block, if the kernel is made for one alone."""


def split(text: str) -> Iterator[str]:
    """Splits parameters at commas outside of brackets."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


def scalar(type_: str) -> str:
    """Gives the type of an element of a vector, or the type itself."""
    found = re.fullmatch(r"<\d+ x (\w+)>", type_)
    return found[1] if found else type_


def pointed(body: str, name: str) -> tuple[str, bool]:
    """Finds what a pointer points to: the type that is loaded or stored most often, and whether anything is stored."""
    own = {name}
    counts: dict[str, int] = {}
    is_written = False
    value = r"(%[\w.]+)"
    # Twice, as a phi may name what comes after it.
    for turn in range(2):
        for line in body.splitlines():
            defined = re.match(rf"\s*{value} = (getelementptr|addrspacecast|bitcast|phi ptr|select i1)\b", line)
            if defined and own & set(re.findall(r"%[\w.]+", line.split("=", 1)[1])):
                if defined[2] != "select i1" or "ptr" in line:
                    own.add(defined[1])
                continue
            if not turn:
                continue
            loaded = re.search(rf"= load (?:atomic )?(?:volatile )?(<[^>]*>|[\w.%]+), ptr (?:addrspace\(\d\) )?{value}", line)
            stored = re.search(rf"store (?:atomic )?(?:volatile )?(<[^>]*>|[\w.%]+) [^,]+, ptr (?:addrspace\(\d\) )?{value}", line)
            changed = re.search(rf"(?:atomicrmw (?:volatile )?\w+|cmpxchg (?:volatile )?) ?ptr (?:addrspace\(\d\) )?{value}, (\w+)", line)
            if loaded and loaded[2] in own:
                counts[scalar(loaded[1])] = counts.get(scalar(loaded[1]), 0) + 1
            elif stored and stored[2] in own:
                is_written = True
                counts.setdefault(scalar(stored[1]), 0)
            elif changed and changed[1] in own:
                is_written = True
                counts[changed[2]] = counts.get(changed[2], 0) + 1
            elif "call" in line and own & set(re.findall(r"%[\w.]+", line)):
                is_written = True
    return max(counts, key=lambda one: counts[one], default="i32"), is_written


def bounds(text: str, name: str, attributes: str, kind: str) -> tuple[int, ...]:
    """Reads `maxntid` or `reqntid` of a kernel, from metadata or from the group of attributes that its head names; nothing if there is none."""
    quoted = name if re.fullmatch(r"[\w.$]+", name) else f'"{name}"'
    rows = [row for row in re.findall(r"^![0-9]+ = !\{(.*)\}", text, re.M) if row.startswith(f"ptr @{quoted}, ")]
    by_axis = {axis: int(number) for row in rows for axis, number in re.findall(rf'!"{kind}([xyz])", i32 (\d+)', row)}
    if by_axis:
        return tuple(by_axis.get(axis, 1) for axis in "xyz")
    group = re.search(r"#\d+", attributes)
    found = re.search(rf'^attributes {group[0]} = .*"nvvm\.{kind}"="([\d, ]+)"', text, re.M) if group else None
    return tuple(map(int, found[1].split(","))) if found else ()


def kernels_of(source: Path, text: str) -> Iterator[Kernel | tuple[str, str]]:
    """Reads the kernels of a module of IR; a name and a reason for each that gets no launch."""
    annotated = {name.strip('"') for name in KERNEL.findall(text)}
    for found in DEFINE.finditer(text):
        name, parameters = found[1].strip('"'), found[2]
        if name not in annotated and "ptx_kernel" not in found[0]:
            continue
        body = text[found.end() : text.find("\n}", found.end())]
        used = re.findall(r"llvm\.nvvm\.read\.ptx\.sreg\.(?:cta|t)id\.([xyz])", body)
        kernel = Kernel(source, name, axes=max(("xyz".index(axis) + 1 for axis in used), default=1))
        attributes = found[0][found[0].rindex(")") :]
        kernel.most_threads = min(1024, math.prod(bounds(text, name, attributes, "maxntid") or (1024,)))
        kernel.block = bounds(text, name, attributes, "reqntid") or None
        kernel.has_dynamic_shared = any(one in body for one in re.findall(r"^(@\S+) = external .*addrspace\(3\) global \[0 x", text, re.M))
        if re.search(r"= load (?:volatile )?ptr\b", body):
            yield name, "pointers in memory"
            continue
        try:
            for parameter in split(parameters):
                type_, *_, value = parameter.split()
                if "byval" in parameter or "byref" in parameter or (type_ != "ptr" and type_ not in NUMBER_KINDS):
                    raise Unusable("a structure as parameter")
                if type_ == "ptr":
                    to, is_written = pointed(body, value)
                    kernel.parameters.append(Pointer(to, is_written and "readonly" not in parameter))
                else:
                    kernel.parameters.append(type_)
        except Unusable as why:
            yield name, str(why)
            continue
        yield kernel


def shrunk(block: Sequence[int], threads: int) -> tuple[int, ...]:
    """Halves a block along its last axis that has more than one thread until it has no more threads than these."""
    made = list(block)
    while math.prod(made) > threads and max(made) > 1:
        last = max(axis for axis, size in enumerate(made) if size > 1)
        made[last] //= 2
    return tuple(made)


def choices(num: int, most: int) -> list[tuple[int, ...]]:
    """Lists what the integers of a kernel are tried as: all the same, from large to small; then one alone is large, each in turn."""
    if num == 0:
        return [()]
    of_all = min(most, MOST_OF_SEVERAL) if num >= SEVERAL else most
    found = [(number,) * num for number in NUMBERS if number <= of_all]
    if 2 <= num <= MANY:
        large = min(NUMBERS[0], most)
        found += [tuple(large if one == which else small for one in range(num)) for small in SMALL for which in range(num)]
    return found


class Maker:
    """Makes up launches, with a tool that simulates them: `ptx-compare`."""

    def __init__(self, tool: Path, folder: Path, digest: Callable[[bytes], str], until: float = math.inf) -> None:
        """`until`: after this time of the monotonic clock no simulation begins."""
        self.tool, self.folder, self.digest, self.until = tool, folder, digest, until
        (folder / "made-up").mkdir(parents=True, exist_ok=True)

    def row(self, kernel: Kernel, numbers: Sequence[int], sizes: Sequence[int], threads: int, is_larger: bool = False) -> dict[str, Any]:
        """Describes a launch as launches.py reads it; `numbers`: one for each integer, `threads`: of a block at most."""
        grid, block = SHAPES[kernel.axes]
        if is_larger:
            grid = tuple(blocks * times for blocks, times in zip(grid, LARGER[kernel.axes][0], strict=True))
        block = kernel.block or shrunk(block, threads)
        arguments: list[list[Any]] = []
        rest = iter(numbers)
        for parameter, size in zip(kernel.parameters, sizes, strict=True):
            if isinstance(parameter, Pointer):
                arguments.append(["buffer", size, KINDS.get(parameter.type, "i"), parameter.is_written])
            elif parameter in INTEGERS:
                arguments.append([NUMBER_KINDS[parameter], min(next(rest), 100) if parameter == "i8" else next(rest)])
            else:
                arguments.append([NUMBER_KINDS[parameter], 0.5])
        shared = DYNAMIC if kernel.has_dynamic_shared else 0
        return {"source": str(kernel.source), "kernel": kernel.name, "grid": grid, "block": block, "arguments": arguments, "shared": shared}

    def simulate(self, asked: Sequence[Timed], cubins: Sequence[Path]) -> dict[str, dict[str, Any]]:
        """Simulates launches of kernels of one module: by kernel what the tool says. The tool disassembles all of the module, so it runs once for all."""
        path = self.folder / "made-up" / f"{self.digest(' '.join([str(cubins), *(timed.name for timed in asked)]).encode())}.launch"
        path.write_text("\n".join(launch_text(timed, self.folder, self.digest) for timed in asked), encoding="utf-8")
        options = ["--no-interval", "--budget", str(BUDGET), "--launch", str(path)]
        seconds = SECONDS + MORE_SECONDS * (len(asked) - 1)
        found: dict[str, dict[str, Any]] = {}
        why = ""
        try:
            command = [str(self.tool), "time", "--json", "-", *options, *map(str, cubins)]
            limited = ["sh", "-c", 'ulimit -t "$0" && exec "$@"', str(seconds), *command]
            done = subprocess.run(limited, capture_output=True, text=True, timeout=WAITING * seconds, check=False)
            why = TOO_LONG if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
            found = {one.get("kernel"): one for one in json.loads(done.stdout or "[]")}
        except subprocess.TimeoutExpired:
            why = TOO_LONG
        except ValueError:
            pass
        finally:
            path.unlink()
        if len(asked) > 1 and any(timed.kernel not in found for timed in asked):
            # One that the tool rejects, or that takes too long, must not cost the others.
            return {kernel: said for timed in asked for kernel, said in self.simulate([timed], cubins).items()}
        own = {timed.kernel: found.get(timed.kernel, {}) for timed in asked}
        for said in own.values():
            if said.get("ratio") is None:
                said.setdefault("error", why)
        return own

    def launches(self, kernels: Sequence[Kernel], cubins: Sequence[Path]) -> list[tuple[Kernel, dict[str, Any] | str]]:
        """Makes up launches for the kernels of a module: with each its row, or why it gets none. What an earlier run has found is taken."""
        names = [kernel.name for kernel in kernels]
        parts = [*(path.read_bytes() for path in cubins), Path(__file__).read_bytes(), json.dumps(names).encode()]
        kept = self.folder / "made-up" / f"{self.digest(b''.join(self.digest(part).encode() for part in parts))}.json"
        tool = self.digest(self.tool.read_bytes())
        known: dict[str, dict[str, Any] | str] = {}
        if kept.exists():
            old = json.loads(kept.read_text(encoding="utf-8"))
            known = {name: found for name, found in old["found"].items() if old["tool"] == tool or not isinstance(found, str)}
        if missing := [kernel for kernel in kernels if kernel.name not in known]:
            known |= self.searched(missing, cubins)
            fresh = kept.with_suffix(".fresh")
            reached = {name: found for name, found in known.items() if found != NOT_REACHED}
            if reached:
                fresh.write_text(json.dumps({"tool": tool, "found": reached}), encoding="utf-8")
                fresh.rename(kept)
        # A module may lie elsewhere by now.
        return [(kernel, {**found, "source": str(kernel.source)} if isinstance(found := known[kernel.name], dict) else found) for kernel in kernels]

    def searched(self, kernels: Sequence[Kernel], cubins: Sequence[Path]) -> dict[str, dict[str, Any] | str]:
        """Searches for the launches of a module's kernels, of all at once."""
        going = [Search(self, kernel) for kernel in kernels]
        found: dict[str, dict[str, Any] | str] = {}
        begun = time.monotonic()
        while going:
            now = time.monotonic()
            if now > self.until or now > begun + MODULE_SECONDS:
                why = NOT_REACHED if now > self.until else TOO_SLOW
                return found | {one.kernel.name: why for one in going}
            asked = {one.kernel.name: one.row() for one in going}
            said = self.simulate([made_up(row) for row in asked.values()], cubins)
            for one in going:
                one.take(asked[one.kernel.name], said[one.kernel.name])
                if one.result is not None:
                    found[one.kernel.name] = one.result
            going = [one for one in going if one.result is None]
        return found


class Search:
    """Looks for the launch of a kernel: numbers from large ones to small ones, with buffers that grow."""

    def __init__(self, maker: Maker, kernel: Kernel) -> None:
        self.maker, self.kernel = maker, kernel
        integers = [one for one in kernel.parameters if one in INTEGERS]
        self.most = 0x7FFF if "i16" in integers else 1 << 30
        self.numbers = choices(len(integers), self.most)
        self.threads = kernel.most_threads
        self.sizes: list[int] = []
        self.is_larger = False
        self.simulations = 0
        self.result: dict[str, Any] | str | None = None
        """The row, or why there is none, once that is known."""
        self.start()

    def start(self) -> None:
        """Goes back to small buffers, for the next number."""
        self.sizes = [FIRST_BYTES if isinstance(parameter, Pointer) else 0 for parameter in self.kernel.parameters]

    def row(self) -> dict[str, Any]:
        """Describes the launch that is tried next."""
        return self.maker.row(self.kernel, self.numbers[0], self.sizes, self.threads, self.is_larger)

    def take(self, row: dict[str, Any], found: dict[str, Any]) -> None:
        """Learns from what a simulation of a row said."""
        self.simulations += 1
        error: str = found.get("error", "")
        missed = MISSED.search(error)
        if missed is not None:
            parameter, size, bytes_, at = map(int, missed.groups())
            # The GPU runs more blocks than were simulated: there is room for twice as much.
            wanted = 1 << (max(size, at + bytes_)).bit_length() + 1
            # Those of the same type and size are probably missed as well, which one simulation each would say.
            of = self.kernel.parameters[parameter - 1]
            alike = [wanted if other == of and size == old else old for other, old in zip(self.kernel.parameters, self.sizes, strict=True)]
            self.sizes = alike if sum(alike) <= MOST_BYTES else self.sizes
            self.sizes[parameter - 1] = wanted
            if sum(self.sizes) <= MOST_BYTES and self.simulations < MOST_SIMULATIONS:
                return
            error = "a buffer would have to be too large"
        threads = math.prod(row["block"])
        if OUTSIDE_SHARED in error and self.kernel.block is None and threads > LEAST_THREADS and self.simulations < MOST_SIMULATIONS:
            # It is made for smaller blocks.
            self.threads = threads // 2
            self.start()
            return
        if not error:
            stock = found["sides"][0]
            warps = -(-math.prod(row["block"]) // 32)
            blocks = -(-math.prod(row["grid"]) // 132)
            if stock["executed"] >= LEAST * warps and stock["cycles"] * blocks >= LEAST_CYCLES:
                self.result = {**row, "predicted": found["ratio"]}
                return
            if stock["executed"] >= LEAST * warps and not self.is_larger and self.simulations < MOST_SIMULATIONS:
                self.is_larger = True
                largest, times = max(self.numbers[0], default=0), LARGER[self.kernel.axes][1]
                self.numbers[0] = tuple(min(number * times, self.most) if number == largest else number for number in self.numbers[0])
                self.start()
                return
            error = f"it does too little: {stock['executed'] / warps:.0f} instructions of a warp"
        if len(self.numbers) == 1 or error == TOO_LONG or self.simulations >= MOST_SIMULATIONS:
            self.result = re.sub(r"0x[0-9a-f]+", "0x...", error)
            return
        del self.numbers[0]
        self.is_larger = False
        self.threads = self.kernel.most_threads
        self.start()


def write(folder: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Writes the launches for launches.py."""
    fresh = folder / "made_up.fresh"
    fresh.write_text(json.dumps({"rows": list(rows)}, indent=1), encoding="utf-8")
    fresh.rename(folder / MADE_UP)
