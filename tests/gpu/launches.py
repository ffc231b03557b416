"""Gives the launches of kernels at a size that keeps a GPU busy, for timing.

Problem. The kernels of this repository are small, and their launches elsewhere are as small as an interpreter needs them.

Method. Each launch here fills the GPU for a tenth of a millisecond or more, and has memory that makes the kernel do its usual work: numbers
without infinities, sorted runs where those are merged, valid offsets. Large buffers repeat a pattern. Left out: `horner` of examples/saxpy.cl, which
reads constant memory that only a symbol can give; `by_swaps` and `tickets` of histogram.cu, which wait for one word of memory.

`more.py` in the folder of what was made, if there, is a table of the same kind for kernels of one's own: `TIMED`, a list of `Timed`. So is `made_up.json`, which made_up.py writes.

Source. The sources of the kernels. Deviation: none. Complexity: linear in the patterns.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import random
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PERIOD = 1 << 16
"""The elements of a pattern."""
MADE_UP = "made_up.json"
"""The file with launches that made_up.py has made up."""


@dataclass
class Memory:
    """A buffer: its size, the bytes that it repeats, whether the kernel writes it. Without a pattern its content is not read."""

    size: int
    pattern: Callable[[], bytes] | None = None
    is_written: bool = False


Argument = Memory | tuple[str, int | float]


@dataclass
class Timed:
    """A launch of a kernel of a source (.cu, .ll)."""

    source: Path
    kernel: str
    grid: Sequence[int]
    block: Sequence[int]
    arguments: Sequence[Argument]
    shared: int = 0
    cpu: str = "sm_80"
    """The processor that llc compiles for."""
    is_made_up: bool = False
    """Whether made_up.py made it."""
    group: str = ""
    """Under which heading it is counted; the source's folder, if left out."""

    def __post_init__(self) -> None:
        self.group = self.group or self.source.parent.name

    @property
    def name(self) -> str:
        """The source's name and the kernel's."""
        return f"{self.source.stem}: {self.kernel}"


def width(kind: str) -> int:
    """Gives the bytes of an element: of a letter of module struct, or `bf16`."""
    return 2 if kind == "bf16" else struct.calcsize(kind)


@functools.cache
def numbers_pattern(kind: str, low: float, high: float) -> bytes:
    """Makes the pattern of `numbers`, once."""
    rng = random.Random(1)
    packed = struct.pack(f"<{PERIOD}{'f' if kind == 'bf16' else kind}", *[rng.uniform(low, high) for _ in range(PERIOD)])
    return b"".join(packed[at + 2 : at + 4] for at in range(0, len(packed), 4)) if kind == "bf16" else packed


def numbers(kind: str, count: int, low: float = -1.0, high: float = 1.0) -> Memory:
    """Makes a buffer of floating-point numbers; `kind` is a letter of module struct, or `bf16`, the upper half of `f`."""
    return Memory(count * width(kind), lambda: numbers_pattern(kind, low, high))


@functools.cache
def integers_pattern(kind: str, below: int) -> bytes:
    """Makes the pattern of `integers`, once."""
    rng = random.Random(2)
    return struct.pack(f"<{PERIOD}{kind}", *[rng.randrange(below) for _ in range(PERIOD)])


def integers(kind: str, count: int, below: int) -> Memory:
    """Makes a buffer of integers from 0 on."""
    return Memory(count * struct.calcsize(kind), lambda: integers_pattern(kind, below))


def bits(size: int) -> Memory:
    """Makes a buffer of random bytes."""
    return Memory(size, lambda: random.Random(3).randbytes(4 * PERIOD))


def these(kind: str, values: Callable[[], Sequence[float]]) -> Memory:
    """Makes a buffer of just these numbers."""

    def pattern() -> bytes:
        made = values()
        return struct.pack(f"<{len(made)}{kind}", *made)

    return Memory(len(values()) * struct.calcsize(kind), pattern)


def out(size: int) -> Memory:
    """Makes a buffer that is written."""
    return Memory(size, None, True)


def changed(memory: Memory) -> Memory:
    """Makes a buffer that is read and written."""
    return Memory(memory.size, memory.pattern, True)


def zeros(size: int) -> Memory:
    """Makes a buffer of zeros that is read and written."""
    return Memory(size, lambda: bytes(min(size, PERIOD)), True)


def u32(value: int) -> Argument:
    """Makes a number of 32 bits."""
    return ("u32", value)


def f32(value: float) -> Argument:
    """Makes a number of single precision."""
    return ("f32", float(value))


def f64(value: float) -> Argument:
    """Makes a number of double precision."""
    return ("f64", float(value))


def starts(count: int, low: int, high: int) -> Callable[[], list[int]]:
    """Makes the offsets of rows with a random number of elements; one more than there are rows."""

    def values() -> list[int]:
        rng = random.Random(4)
        found = [0]
        for _ in range(count):
            found.append(found[-1] + rng.randrange(low, high))
        return found

    return values


def sorted_runs(width: int) -> list[int]:
    """Makes two sorted runs."""
    rng = random.Random(5)
    return [value for _ in range(2) for value in sorted(rng.randrange(-(2**31), 2**31) for _ in range(width))]


M = 1 << 20


def examples() -> list[Timed]:
    """The launches of examples/."""
    folder = ROOT / "examples"
    return [
        Timed(folder / "saxpy.ll", "saxpy", (2112,), (256,), [u32(64 * M), f32(0.5), numbers("f", 64 * M), changed(numbers("f", 64 * M))]),
        Timed(folder / "rotate_hash.ll", "rotate_hash", (1056,), (256,), [bits(1056 * 256 * 64 * 4), out(1056 * 256 * 16), u32(64)]),
        Timed(folder / "reduce.ll", "reduce", (1056,), (256,), [numbers("f", 64 * M), out(1056 * 4), out(1056 * 4), u32(64 * M)]),
        Timed(
            *(folder / "matmul_mma.ll", "matmul_mma", (4224,), (32,)),
            [numbers("e", 4224 * 64 * 512), numbers("e", 4224 * 64 * 512), changed(numbers("f", 4224 * 1024)), u32(64)],
        ),
    ]


def kernels() -> list[Timed]:
    """The launches of tests/kernels."""
    folder = ROOT / "tests" / "kernels"
    bit, dense, grid, lists = (folder / f"{name}.ll" for name in ("bits", "dense", "grid", "lists"))
    threads = 2112 * 256
    return [
        Timed(bit, "philox", (2112,), (256,), [out(16 * 16 * M), u32(7), u32(16 * M)]),
        Timed(bit, "xorshift", (2112,), (256,), [changed(bits(20 * threads)), out(4 * threads), u32(1000)]),
        Timed(bit, "fnv", (1056,), (256,), [bits(64 * M), these("i", starts(M, 16, 64)), out(8 * M), u32(M)]),
        Timed(bit, "xtea", (2112,), (256,), [changed(bits(8 * 16 * M)), bits(16), u32(16 * M)]),
        Timed(dense, "product", (4096,), (64,), [numbers("f", 4 * M), numbers("f", 4 * M), out(16 * M), u32(2048)]),
        Timed(dense, "transpose", (16384,), (256,), [numbers("d", 16 * M), out(128 * M), u32(4096), u32(4096)]),
        Timed(dense, "softmax", (512,), (128,), [numbers("f", 16 * M, -4, 4), out(64 * M), u32(65536), u32(256)]),
        Timed(grid, "heat", (1024,), (256,), [numbers("f", 64 * M), out(256 * M), u32(512), u32(512), u32(256), f32(0.1)]),
        Timed(grid, "bodies", (264,), (128,), [numbers("f", 4 * 33792), out(12 * 33792), u32(33792)]),
        Timed(grid, "mandelbrot", (2112,), (256,), [out(4 * 4096 * 2048), u32(4096), u32(2048), f64(0.0008)]),
        Timed(lists, "sort", (4224,), (256,), [changed(bits(4224 * 4096))]),
        Timed(lists, "prefix_sums", (8448,), (256,), [bits(8448 * 4096), out(8448 * 4096)]),
        Timed(lists, "histogram", (1056,), (256,), [bits(128 * M), out(1056 * 1024), u32(128 * M)]),
        Timed(
            *(lists, "sparse", (1056,), (256,)),
            [
                *(these("i", starts(M // 2, 1, 32)), integers("i", 16 * M, M), numbers("d", 16 * M), numbers("d", M)),
                *(out(4 * M), u32(M // 2)),
            ],
        ),
        Timed(
            *(lists, "search", (2112,), (256,)),
            [these("q", lambda: range(0, 2**33, 2**13)), u32(M), integers("q", 4 * M, 2**33), out(16 * M), u32(4 * M)],
        ),
    ]


def messages(count: int) -> tuple[Memory, Memory, Argument]:
    """Makes messages, where each begins, and how many there are."""
    return bits(132 * count), these("I", starts(count, 64, 200)), u32(count)


def known() -> list[Timed]:
    """The launches of tests/grid/known."""
    folder = ROOT / "tests" / "grid" / "known"
    made: list[Timed] = []

    def add(source: str, kernel: str, grid: Sequence[int], block: Sequence[int], *arguments: Argument, shared: int = 0) -> None:
        made.append(Timed(folder / f"{source}.cu", kernel, grid, block, arguments, shared))

    text, offsets, count = messages(M // 4)
    add("sha256", "sha256", (2048,), (128,), text, offsets, out(32 * M // 4), count)
    add("md5", "md5", (2048,), (128,), text, offsets, bits(256), out(16 * M // 4), count)
    add("crc32", "crc32", (2048,), (128,), text, offsets, out(M), count)
    add("aes128", "encrypt", (4224,), (64,), bits(16 * 270336), bits(16 * 270336), out(16 * 270336), u32(270336))
    add("aes128", "decrypt", (4224,), (64,), bits(16 * 270336), bits(16 * 270336), out(16 * 270336), u32(270336))
    add("sort", "bitonic", (8448,), (256,), bits(8448 * 2048), out(8448 * 2048))
    runs = Memory(32 * M, these("i", lambda: sorted_runs(2048)).pattern)
    add("sort", "merge", (32768,), (256,), runs, out(32 * M), u32(2048), u32(8 * M))
    # Repeated keys get different places by their number.
    add("sort", "by_ranks", (528,), (64,), bits(8 * 33792), bits(2 * 33792), out(8 * 33792), out(2 * 33792), u32(33792))
    add("sort", "radix", (8448,), (128,), bits(8448 * 512), out(8448 * 512))
    add("scan", "scan_blocks", (65536,), (256,), bits(64 * M), out(64 * M), out(4 * 65536))
    add("scan", "scan_all", (528,), (256,), bits(4 * 135168), out(4 * 135168), u32(135168))
    add("scan", "compact", (1,), (64,), integers("I", 65536, 3), out(4 * 65536), out(4), u32(65536))
    add("reduce", "redux", (32768,), (256,), bits(32 * M), out(8 * M))
    add("reduce", "reduce_all", (132,), (256,), bits(M), changed(these("I", lambda: [0, 7, 7, 2**32 - 1, 0, 2**32 - 1, 0, 0])), u32(M // 4))
    add("reduce", "votes", (65536,), (256,), bits(64 * M), out(3 * 64 * M))
    add("reduce", "match", (65536,), (256,), bits(64 * M), out(64 * M))
    add("reduce", "part", (65536,), (256,), bits(64 * M), out(64 * M))
    add("histogram", "by_shared", (1056,), (256,), bits(64 * M), zeros(1024), u32(64 * M))
    add("histogram", "by_global", (1056,), (256,), bits(4 * M), zeros(1024), u32(4 * M))
    add("fft", "fft", (8448,), (256,), numbers("f", 8448 * 1024), numbers("f", 512), out(8448 * 4096))
    sizes = (u32(1024), u32(1024), u32(1024))
    add("matmul", "matmul_f32", (128, 128), (8, 8), numbers("f", M), numbers("f", M), out(4 * M), *sizes)
    add("matmul", "matmul_f64", (128, 128), (8, 8), numbers("d", M), numbers("d", M), out(8 * M), *sizes)
    wide = (u32(2048), u32(2048))
    add("matmul", "matmul_registers", (64, 128), (8, 4), numbers("f", 4 * M), numbers("f", 4 * M), out(16 * M), *wide)
    for kernel in ("mma_f16", "wmma_f16"):
        halves = 8448 * 16 * 256
        add("tensor", kernel, (8448,), (32,), numbers("e", halves), numbers("e", halves), changed(numbers("f", 8448 * 256)), u32(256))
    add("generators", "philox", (32768,), (256,), bits(128 * M), bits(64 * M), out(128 * M), u32(8 * M))
    add("generators", "twister", (1,), (256,), bits(4 * 624), out(4 * 624 * 200), u32(200))
    add("generators", "xorshift", (1056,), (256,), bits(8 * 270336), out(8 * 270336 * 64), u32(64))
    add("life", "step", (256, 512), (16, 8), integers("B", 16 * M, 2), out(16 * M), u32(4096), u32(4096))
    add("life", "rows", (4224,), (32,), bits(4224 * 128), out(4224 * 128), u32(50))
    # All blocks play the same field, and write the same.
    add("life", "halves", (528,), (32, 8), integers("B", 1024, 2), out(1024), u32(100), shared=2048)
    add("floats", "corners_f32", (8192,), (128,), bits(12 * M), out(80 * M), u32(M))
    add("floats", "corners_f64", (8192,), (128,), bits(24 * M), out(160 * M), u32(M))
    add("floats", "flushed_f32", (16384,), (128,), bits(24 * M), out(40 * M), u32(2 * M))
    add("floats", "compare_f32", (65536,), (128,), bits(96 * M), out(32 * M), out(64 * M), u32(8 * M))
    outputs = (out(64 * M), out(32 * M), out(64 * M))
    add("floats", "convert", (16384,), (128,), bits(8 * M), bits(16 * M), bits(16 * M), *outputs, u32(2 * M))
    return made


def made_up(row: Mapping[str, Any]) -> Timed:
    """Reads a launch that made_up.py wrote."""
    arguments: list[Argument] = []
    for kind, *rest in row["arguments"]:
        if kind != "buffer":
            arguments.append((kind, rest[0]))
            continue
        size, letter, is_written = rest
        count = size // struct.calcsize(letter)
        # Integers may be indices.
        memory = numbers(letter, count) if letter in "efd" else integers(letter, count, 64)
        arguments.append(changed(memory) if is_written else memory)
    return Timed(Path(row["source"]), row["kernel"], row["grid"], row["block"], arguments, row["shared"], group="made-up", is_made_up=True)


def all_timed(folder: Path) -> list[Timed]:
    """Gives all launches, those of the folder's more.py and made_up.json too."""
    made = [*examples(), *kernels(), *known()]
    more = folder / "more.py"
    if more.exists():
        spec = importlib.util.spec_from_file_location("more", more)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        made += module.TIMED
    if (folder / MADE_UP).exists():
        made += map(made_up, json.loads((folder / MADE_UP).read_text(encoding="utf-8"))["rows"])
    return made


def by_name(folder: Path) -> dict[str, Timed]:
    """Gives all launches by their names."""
    return {timed.name: timed for timed in all_timed(folder)}


def number(kind: str, value: int | float) -> str:
    """Writes a number of a launch; those of floating point by their bits."""
    if kind == "f32":
        return f"f32 {struct.unpack('<I', struct.pack('<f', value))[0]:#010x}"
    if kind == "f64":
        return f"f64 {struct.unpack('<Q', struct.pack('<d', value))[0]:#018x}"
    return f"{kind} {value}"


def launch_text(timed: Timed, folder: Path, digest: Callable[[bytes], str]) -> str:
    """Writes a launch as a text; its patterns go to the folder `patterns`."""
    patterns = folder / "patterns"
    patterns.mkdir(parents=True, exist_ok=True)
    lines = [f"kernel {timed.kernel}", f"grid {' '.join(map(str, timed.grid))}", f"block {' '.join(map(str, timed.block))}"]
    if timed.shared:
        lines.append(f"shared {timed.shared}")
    for argument in timed.arguments:
        if not isinstance(argument, Memory):
            lines.append(number(*argument))
        elif argument.pattern is None:
            lines.append(f"buffer {argument.size}")
        else:
            data = argument.pattern()[: argument.size]
            path = patterns / f"{digest(data)}.bin"
            if not path.exists():
                # Another thread may be writing the same pattern.
                fresh = path.with_suffix(f".{threading.get_ident()}.fresh")
                fresh.write_bytes(data)
                fresh.rename(path)
            lines.append(f"buffer {argument.size} {'in' if len(data) == argument.size else 'repeat'}=../patterns/{path.name}")
    return "\n".join(lines) + "\n"
