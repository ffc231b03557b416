"""Runs kernels whose answers the world knows: hashes, ciphers, sorts, sums, transforms, products, generators, floating point.

    known.py VERSION... [--plugin SO] [--levels 1,2,3] [--interpreter PTX_COMPARE] [--only NAME,...]

Problem. `ptx-compare grid` says that our PTX computes what stock's does, or what a host compiler's code does. That is worth as much as the
interpreter itself, so it must be shown to be right by something that has no part in it.

Method. Each source of tests/grid/known is compiled by build/llvm-VERSION's clang, and by llc without and with the plugin. The launches are made
here: what goes in is from a fixed seed, and what has to come out is from Python's own library (hashlib, zlib, sorted, itertools, fractions,
random), or from a standard's vectors. Buffers that a kernel has to fill begin with made-up bytes. `ptx-compare grid` runs each text and
compares bytes. The Fourier transform alone has a tolerance, so its buffer is read back and compared here. ptxas must accept each text, where
there is one.

The last line counts launches. The exit status is 1 if one failed, 2 if nothing could be run.

Source. FIPS 180-4 and 197, NIST SP 800-38A, RFC 1321 and 1952, IEEE 754-2019, PTX ISA section 9.7; the sources name theirs. Deviation: none.
Complexity. Versions times levels times two times launches, less the texts that are equal.
"""

from __future__ import annotations

import argparse
import cmath
import hashlib
import itertools
import math
import random
import shutil
import struct
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ptx_text import code_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "grid" / "known"
ARCH = ["-march=nvptx64", "-mcpu=sm_80", "-mattr=+ptx70"]
CLANG = [
    *("-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "--cuda-feature=+ptx70"),
    *("-S", "-emit-llvm", "-std=c++17", "-ffp-contract=off", "-fno-strict-aliasing", "-Wall", "-Werror"),
]
TIMEOUT = 600
"""Seconds that a program may take."""
MASK = 0xFFFFFFFF


@dataclass
class Parameter:
    """A parameter of a kernel."""


@dataclass
class Number(Parameter):
    """A parameter that is a number: the launch file's word for its type, and its text."""

    kind: str
    value: int


@dataclass
class Buffer(Parameter):
    """A parameter that points to memory: its size, what is in it before the launch, and what has to be in it after."""

    size: int
    before: bytes | None = None
    after: bytes | None = None


@dataclass
class Launch:
    """A launch of a kernel of tests/grid/known. `check` gets the buffers after the launch, and says what is wrong."""

    source: str
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    parameters: Sequence[Parameter]
    shared: int = 0
    check: Callable[[list[bytes]], str | None] | None = None


def u32(value: int) -> Number:
    """Makes a parameter of 32 bits."""
    return Number("u32", value)


def given(data: bytes) -> Buffer:
    """Makes a buffer that is only read: it has to stay as it is."""
    return Buffer(len(data), data, data)


def wanted(data: bytes) -> Buffer:
    """Makes a buffer that the kernel has to fill."""
    return Buffer(len(data), None, data)


def changed(before: bytes, after: bytes) -> Buffer:
    """Makes a buffer whose content the kernel reads and changes."""
    return Buffer(len(before), before, after)


def pack(kind: str, values: Sequence[float]) -> bytes:
    """Writes numbers as memory has them; `kind` is a letter of module struct."""
    return struct.pack(f"<{len(values)}{kind}", *values)


# ---- messages


def messages() -> tuple[list[bytes], bytes, bytes]:
    """Makes messages of many lengths, those at which padding needs a block more among them; with all text, and where each begins."""
    rng = random.Random(1)
    lengths = [0, 1, 3, 4, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 200, 256, 511]
    texts = [b"abc", b"message digest", b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", b"123456789"]
    texts += [rng.randbytes(length) for length in lengths]
    offsets = [0, *itertools.accumulate(len(text) for text in texts)]
    return texts, b"".join(texts), pack("I", offsets)


def hashes() -> Iterator[Launch]:
    """SHA-256, MD5 and CRC-32 of the messages."""
    texts, text, offsets = messages()
    count = u32(len(texts))
    sha256 = b"".join(hashlib.sha256(t).digest() for t in texts)
    yield Launch("sha256", "sha256", (1,), (32,), [given(text), given(offsets), wanted(sha256), count])
    yield Launch("sha256", "sha256", (6,), (4,), [given(text), given(offsets), wanted(sha256), count])
    md5 = b"".join(hashlib.md5(t, usedforsecurity=False).digest() for t in texts)
    sines = pack("I", [int(abs(math.sin(i + 1)) * 2**32) for i in range(64)])
    yield Launch("md5", "md5", (1,), (32,), [given(text), given(offsets), given(sines), wanted(md5), count])
    crc32 = pack("I", [zlib.crc32(t) for t in texts])
    yield Launch("crc32", "crc32", (3,), (8,), [given(text), given(offsets), wanted(crc32), count])


def ciphers() -> Iterator[Launch]:
    """AES-128: FIPS 197, appendices B and C.1; NIST SP 800-38A, section F.1.1."""
    key = "2b7e151628aed2a6abf7158809cf4f3c"
    vectors = [
        (key, "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"),
        ("000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (key, "6bc1bee22e409f96e93d7e117393172a", "3ad77bb40d7a3660a89ecaf32466ef97"),
        (key, "ae2d8a571e03ac9c9eb76fac45af8e51", "f5d3d58503b9699de785895a96fdbaaf"),
        (key, "30c81c46a35ce411e5fbc1191a0a52ef", "43b1cd7f598ece23881b00e3ed030688"),
        (key, "f69f2445df4f9b17ad2b417be66c3710", "7b0c785e27e8ad3f8223207104725dd4"),
    ]
    keys, plain, cipher = (bytes.fromhex("".join(vector[i] for vector in vectors)) for i in range(3))
    count = u32(len(vectors))
    yield Launch("aes128", "encrypt", (1,), (64,), [given(keys), given(plain), wanted(cipher), count])
    yield Launch("aes128", "decrypt", (1,), (64,), [given(keys), given(cipher), wanted(plain), count])


# ---- order and sums


def sorts() -> Iterator[Launch]:
    """Sorts signed, unsigned and long numbers, those with repetitions among them."""
    rng = random.Random(2)
    numbers = [rng.randrange(-(2**31), 2**31) for _ in range(512)]
    few = [rng.randrange(-3, 4) for _ in range(512)]
    for values in (numbers, few):
        yield Launch("sort", "bitonic", (1,), (256,), [given(pack("i", values)), wanted(pack("i", sorted(values)))])
        for width in (1, 64, 256):

            def runs(size: int, values: list[int] = values) -> bytes:
                return pack("i", [v for i in range(0, 512, size) for v in sorted(values[i : i + size])])

            parameters = [given(runs(width)), wanted(runs(2 * width)), u32(width), u32(512)]
            yield Launch("sort", "merge", (9,), (64,), parameters)
    for count in (1, 64, 200):
        keys = [rng.choice([rng.getrandbits(64), rng.getrandbits(3), 2**63]) for _ in range(count)]
        order = sorted(range(count), key=keys.__getitem__)
        inputs = [given(pack("Q", keys)), given(pack("H", range(count)))]
        outputs = [wanted(pack("Q", [keys[i] for i in order])), wanted(pack("H", order))]
        yield Launch("sort", "by_ranks", ((count + 63) // 64,), (64,), [*inputs, *outputs, u32(count)])
    words = [rng.choice([rng.getrandbits(32), rng.getrandbits(4)]) for _ in range(384)]
    ordered = [w for i in range(0, 384, 128) for w in sorted(words[i : i + 128])]
    yield Launch("sort", "radix", (3,), (128,), [given(pack("I", words)), wanted(pack("I", ordered))])


def exclusive(values: Sequence[int]) -> list[int]:
    """Gives for each element the sum of those before it."""
    return [s & MASK for s in itertools.accumulate(values[:-1], initial=0)]


def sums() -> Iterator[Launch]:
    """Exclusive sums, of blocks and over blocks, and what they are for."""
    rng = random.Random(3)
    values = [rng.getrandbits(32) for _ in range(512)]
    blocks = [values[i : i + 128] for i in range(0, 512, 128)]
    by_block = pack("I", [s for block in blocks for s in exclusive(block)])
    totals = pack("I", [sum(block) & MASK for block in blocks])
    yield Launch("scan", "scan_blocks", (4,), (128,), [given(pack("I", values)), wanted(by_block), wanted(totals)])
    for count, size in ((512, 128), (500, 64), (33, 32)):
        part = values[:count]
        parameters = [given(pack("I", part)), wanted(pack("I", exclusive(part))), u32(count)]
        yield Launch("scan", "scan_all", ((count + size - 1) // size,), (size,), parameters)
    sparse = [rng.choice([0, 0, rng.getrandbits(32)]) for _ in range(333)]
    kept = [v for v in sparse if v]
    yield Launch("scan", "compact", (1,), (64,), [given(pack("I", sparse)), wanted(pack("I", kept)), wanted(pack("I", [len(kept)])), u32(333)])


def signed(value: int) -> int:
    """Reads 32 bits as a signed number."""
    return value - 2**32 if value >= 2**31 else value


def reductions() -> Iterator[Launch]:
    """Reductions by one instruction, by shuffles and by atomics; votes; counts."""
    rng = random.Random(4)
    values = [rng.getrandbits(32) for _ in range(256)]

    def results(part: list[int]) -> list[int]:
        low, high = min(map(signed, part)) & MASK, max(map(signed, part)) & MASK
        bits: list[int] = [part[0]] * 3
        for value in part[1:]:
            bits = [bits[0] & value, bits[1] | value, bits[2] ^ value]
        return [sum(part) & MASK, low, high, min(part), max(part), *bits]

    warps = [values[i : i + 32] for i in range(0, 256, 32)]
    redux = pack("I", [r for warp in warps for r in results(warp)])
    yield Launch("reduce", "redux", (2,), (128,), [given(pack("I", values)), wanted(redux)])
    count = 250
    total = results(values[:count])
    before = pack("I", [0, 7, 7, MASK, 0, MASK, 0, 0])
    after = pack("I", [total[0], 7, 7, *total[3:]])
    yield Launch("reduce", "reduce_all", (2,), (64,), [given(pack("I", values)), changed(before, after), u32(count)])
    few = [rng.choice([1, 2, 3, 7, 2**31 + 1]) for _ in range(64)] + [5] * 32 + [4] * 32
    votes: list[int] = []
    part: list[int] = []
    match: list[int] = []
    for first in range(0, 128, 32):
        warp = few[first : first + 32]
        odd = sum((v & 1) << i for i, v in enumerate(warp))
        second = sum((v >> 1 & v & 1) << i for i, v in enumerate(warp))
        of_odd = sum(v for v in warp if v & 1) & MASK
        for value in warp:
            votes += [odd, odd == MASK, odd != 0]
            match.append(sum((v == value) << i for i, v in enumerate(warp)))
            part.append((of_odd ^ second) if value & 1 else 0)
    for kernel, results_of in (("votes", votes), ("match", match), ("part", part)):
        yield Launch("reduce", kernel, (2,), (64,), [given(pack("I", few)), wanted(pack("I", results_of))])

    text = bytes(rng.choice([rng.randrange(256), 65, 255]) for _ in range(1000))
    counts = pack("I", [Counter(text)[i] for i in range(256)])
    for kernel in ("by_shared", "by_global"):
        yield Launch("histogram", kernel, (3,), (64,), [given(text), changed(bytes(1024), counts), u32(1000)])
    both = pack("Q", [(300 << 32) + sum(text[:300])])
    yield Launch("histogram", "by_swaps", (2,), (64,), [given(text[:300]), changed(bytes(8), both), u32(300)])
    taken = changed(bytes(4 * 160), pack("I", [1] * 160))
    yield Launch("histogram", "tickets", (5,), (32,), [changed(bytes(4), pack("I", [160])), taken])


# ---- transforms and products


def transforms() -> Iterator[Launch]:
    """The Fourier transform of two signals, within 1e-4."""
    rng = random.Random(5)
    signals = [
        [complex(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(512)],
        [complex(math.cos(2 * math.pi * 37 * i / 512), 0) for i in range(512)],
    ]
    turns = [cmath.exp(-2j * math.pi * i / 512) for i in range(512)]

    def floats(numbers: Sequence[complex]) -> bytes:
        return pack("f", [part for n in numbers for part in (n.real, n.imag)])

    expected = [sum(x * turns[k * i % 512] for i, x in enumerate(signal)) for signal in signals for k in range(512)]

    def check(buffers: list[bytes]) -> str | None:
        values = struct.unpack("<2048f", buffers[2])
        found = [complex(re, im) for re, im in zip(values[::2], values[1::2], strict=True)]
        for i, (there, right) in enumerate(zip(found, expected, strict=True)):
            # Written so that NaN fails.
            if not abs(there - right) <= 1e-4:
                return f"element {i} is {there}, not {right}"
        return None

    parameters = [given(b"".join(map(floats, signals))), given(floats(turns[:256])), Buffer(2 * 512 * 8)]
    yield Launch("fft", "fft", (2,), (256,), parameters, check=check)


def product(a: list[int], b: list[int], rows: int, columns: int, inner: int) -> list[int]:
    """Multiplies two matrices, which are by rows."""
    return [
        sum(a[row * inner + i] * b[i * columns + column] for i in range(inner)) for row in range(rows) for column in range(columns)
    ]


def products() -> Iterator[Launch]:
    """Products of matrices of small integers, which are exact."""
    rng = random.Random(6)

    def small(count: int) -> list[int]:
        return [rng.randrange(-8, 9) for _ in range(count)]

    for rows, columns, inner in ((16, 16, 16), (13, 21, 17), (1, 1, 1)):
        a, b = small(rows * inner), small(inner * columns)
        c = product(a, b, rows, columns, inner)
        grid = ((columns + 7) // 8, (rows + 7) // 8)
        for kind, kernel in (("f", "matmul_f32"), ("d", "matmul_f64")):
            parameters = [given(pack(kind, a)), given(pack(kind, b)), wanted(pack(kind, c)), u32(rows), u32(columns), u32(inner)]
            yield Launch("matmul", kernel, grid, (8, 8), parameters)
    a, b = small(32 * 19), small(19 * 64)
    c = product(a, b, 32, 64, 19)
    parameters = [given(pack("f", a)), given(pack("f", b)), wanted(pack("f", c)), u32(64), u32(19)]
    yield Launch("matmul", "matmul_registers", (2, 2), (8, 4), parameters)
    for inner in (16, 48):
        before: list[int] = []
        after: list[int] = []
        left: list[int] = []
        right: list[int] = []
        for _ in range(2):
            a, b, c = small(16 * inner), small(inner * 16), small(256)
            before += c
            after += [x + y for x, y in zip(c, product(a, b, 16, 16, inner), strict=True)]
            left += a
            right += [b[i * 16 + column] for column in range(16) for i in range(inner)]
        for kernel in ("mma_f16", "wmma_f16"):
            buffers = [given(pack("e", left)), given(pack("e", right)), changed(pack("f", before), pack("f", after))]
            yield Launch("tensor", kernel, (2,), (32,), [*buffers, u32(inner)])


# ---- generators and life


def generators() -> Iterator[Launch]:
    """Random numbers: the authors' vectors of Philox, Python's Mersenne twister, xorshift64*."""
    # kat_vectors of Random123: counter, key, result.
    vectors = [
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([MASK] * 4, [MASK] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ]
    counters, keys, results = ([word for vector in vectors for word in vector[i]] for i in range(3))
    parameters = [given(pack("I", counters)), given(pack("I", keys)), wanted(pack("I", results)), u32(len(vectors))]
    yield Launch("generators", "philox", (1,), (32,), parameters)
    twister = random.Random(20240607)
    state = twister.getstate()[1]
    assert state[624] == 624, "the generator still has words of its state left"
    parameters = [given(pack("I", state[:624])), wanted(pack("I", [twister.getrandbits(32) for _ in range(3 * 624)])), u32(3)]
    yield Launch("generators", "twister", (1,), (256,), parameters)
    seeds = [twister.getrandbits(64) | 1 for _ in range(64)]
    numbers: list[int] = []
    for x in seeds:
        for _ in range(9):
            x ^= x >> 12
            x ^= x << 25 & 2**64 - 1
            x ^= x >> 27
            numbers.append(x * 0x2545F4914F6CDD1D % 2**64)
    yield Launch("generators", "xorshift", (2,), (32,), [given(pack("Q", seeds)), wanted(pack("Q", numbers)), u32(9)])


def generation(alive: set[tuple[int, int]], width: int, height: int, steps: int) -> set[tuple[int, int]]:
    """Plays the Game of Life on a torus; a cell is (row, column)."""
    around = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    for _ in range(steps):
        counts = Counter(((y + dy) % height, (x + dx) % width) for y, x in alive for dy, dx in around)
        alive = {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in alive)}
    return alive


def life() -> Iterator[Launch]:
    """Life: a glider that comes back after 128 steps, and a random field."""
    rng = random.Random(7)
    glider = {(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)}
    assert generation(glider, 32, 32, 128) == glider, "a glider moves by one cell in four steps"
    field = {(y, x) for y in range(32) for x in range(32) if rng.random() < 0.35}

    def cells(alive: set[tuple[int, int]], width: int, height: int) -> bytes:
        return bytes((y, x) in alive for y in range(height) for x in range(width))

    def words(alive: set[tuple[int, int]]) -> list[int]:
        return [sum(((y, x) in alive) << x for x in range(32)) for y in range(32)]

    wide = {(y, x) for y in range(24) for x in range(48) if rng.random() < 0.35}
    parameters = [given(cells(wide, 48, 24)), wanted(cells(generation(wide, 48, 24, 1), 48, 24)), u32(48), u32(24)]
    yield Launch("life", "step", (3, 3), (16, 8), parameters)
    both = [given(pack("I", words(glider) + words(field)))]
    for steps in (0, 1, 20):
        after = [generation(alive, 32, 32, steps) for alive in (glider, field)]
        yield Launch("life", "rows", (2,), (32,), [*both, wanted(pack("I", words(after[0]) + words(after[1]))), u32(steps)])
    parameters = [given(pack("I", words(glider))), wanted(pack("I", words(glider))), u32(128)]
    yield Launch("life", "rows", (1,), (32,), parameters)
    for steps in (0, 1, 2, 11):
        parameters = [given(cells(field, 32, 32)), wanted(cells(generation(field, 32, 32, steps), 32, 32)), u32(steps)]
        yield Launch("life", "halves", (1,), (32, 8), parameters, shared=2048)


# ---- floating point


@dataclass(frozen=True)
class Format:
    """A binary format of IEEE 754: how many bits the exponent and the fraction have."""

    exponent: int
    fraction: int

    @property
    def infinity(self) -> int:
        """The bits of infinity."""
        return (1 << self.exponent) - 1 << self.fraction

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << self.exponent + self.fraction

    @property
    def nan(self) -> int:
        """The NaN that PTX computes."""
        return self.sign - 1

    @property
    def bias(self) -> int:
        """The exponent of 1."""
        return (1 << self.exponent - 1) - 1

    def is_nan(self, bits: int) -> bool:
        """Finds whether the bits are a NaN."""
        return bits & ~self.sign > self.infinity

    def is_infinite(self, bits: int) -> bool:
        """Finds whether the bits are an infinity."""
        return bits & ~self.sign == self.infinity

    def value(self, bits: int) -> Fraction:
        """Gives the number that the bits mean; they are finite."""
        exponent = (bits & ~self.sign) >> self.fraction
        fraction = bits & (1 << self.fraction) - 1
        if exponent:
            fraction += 1 << self.fraction
        number = fraction * Fraction(2) ** (max(exponent, 1) - self.bias - self.fraction)
        return -number if bits & self.sign else number

    def rounded(self, number: Fraction, mode: str, is_negative_zero: bool) -> int:
        """Rounds a number once; a zero has its sign from the operation."""
        if number == 0:
            return self.sign if is_negative_zero else 0
        sign = self.sign if number < 0 else 0
        size = abs(number)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if Fraction(2) ** exponent > size:
            exponent -= 1
        exponent = max(exponent, 1 - self.bias)
        units = size / Fraction(2) ** (exponent - self.fraction)
        whole = math.floor(units)
        rest = units - whole
        away = {"rz": False, "rm": bool(sign) and rest > 0, "rp": not sign and rest > 0}
        away["rn"] = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1)
        # A fraction that becomes too large goes on in the exponent.
        bits = (exponent + self.bias - 1 << self.fraction) + whole + away[mode]
        if bits >= self.infinity:
            is_infinite = {"rn": True, "rz": False, "rm": bool(sign), "rp": not sign}[mode]
            bits = self.infinity if is_infinite else self.infinity - 1
        return sign | bits

    def fma(self, a: int, b: int, c: int, mode: str) -> int:
        """Computes a * b + c."""
        sign = (a ^ b) & self.sign
        if any(map(self.is_nan, (a, b, c))):
            return self.nan
        if self.is_infinite(a) or self.is_infinite(b):
            is_zero = not a & ~self.sign or not b & ~self.sign
            is_opposite = self.is_infinite(c) and (c & self.sign) != sign
            return self.nan if is_zero or is_opposite else sign | self.infinity
        if self.is_infinite(c):
            return c
        product = self.value(a) * self.value(b)
        negative = mode == "rm"
        if product == 0 and c & ~self.sign == 0 and sign == c & self.sign:
            negative = bool(sign)
        return self.rounded(product + self.value(c), mode, negative)

    def add(self, a: int, b: int, mode: str) -> int:
        """Computes a + b."""
        return self.fma(a, self.bias << self.fraction, b, mode)

    def mul(self, a: int, b: int, mode: str) -> int:
        """Computes a * b."""
        sign = (a ^ b) & self.sign
        # A zero of the product's sign changes nothing.
        return self.fma(a, b, sign, mode)

    def div(self, a: int, b: int, mode: str) -> int:
        """Computes a / b."""
        sign = (a ^ b) & self.sign
        is_zero = [not x & ~self.sign for x in (a, b)]
        is_infinite = [self.is_infinite(x) for x in (a, b)]
        if self.is_nan(a) or self.is_nan(b) or all(is_zero) or all(is_infinite):
            return self.nan
        if is_infinite[0] or is_zero[1]:
            return sign | self.infinity
        if is_zero[0] or is_infinite[1]:
            return sign
        return self.rounded(self.value(a) / self.value(b), mode, False)

    def sqrt(self, a: int, mode: str) -> int:
        """Computes the square root of a."""
        if self.is_nan(a) or (a & self.sign and a != self.sign):
            return self.nan
        if a & ~self.sign == 0 or self.is_infinite(a):
            return a
        # With many more digits than the format has; one more unit in the middle stands for all that follow.
        scale = 1 << 2 * (self.bias + self.fraction) + 200
        scaled = self.value(a) * scale * scale
        assert scaled.denominator == 1
        root = math.isqrt(scaled.numerator)
        exact = root * root == scaled.numerator
        return self.rounded(Fraction(2 * root + (not exact), 2 * scale), mode, False)

    def flushed(self, bits: int) -> int:
        """Gives a zero for a denormal."""
        return bits if bits & self.infinity else bits & self.sign


SINGLE, DOUBLE = Format(8, 23), Format(11, 52)
MODES = ("rn", "rz", "rm", "rp")


def corners(form: Format, seed: int) -> list[tuple[int, int, int]]:
    """Makes triples: zeros, denormals, the smallest and the largest ones, 1 and its neighbours, infinities, NaN, and any."""
    rng = random.Random(seed)
    one = form.bias << form.fraction
    least = 1 << form.fraction
    values = [0, 1, least - 1, least, least + 1, one - 1, one, one + 1, one + least // 2, form.infinity - 1, form.infinity]
    values += [form.infinity + 1, form.nan - 5, 3 * one // 4]
    values += [v | form.sign for v in values]
    triples = [(a, b, rng.choice(values)) for a in values for b in values]
    for _ in range(100):
        a, b = (rng.getrandbits(form.exponent + form.fraction + 1) for _ in range(2))
        # The sum nearly cancels what the product is.
        close = form.fma(a, b, 0, "rn") ^ form.sign
        triples.append((a, b, rng.choice([close, rng.getrandbits(form.exponent + form.fraction)])))
        triples.append((one + rng.getrandbits(form.fraction), one + rng.getrandbits(form.fraction), form.sign | one + least))
    return triples


def floats() -> Iterator[Launch]:
    """Arithmetic, comparisons and conversions at their corners."""
    for form, kind, kernel in ((SINGLE, "I", "corners_f32"), (DOUBLE, "Q", "corners_f64")):
        triples = corners(form, 8)
        results = [
            result
            for a, b, c in triples
            for m in MODES
            for result in (form.add(a, b, m), form.mul(a, b, m), form.fma(a, b, c, m), form.div(a, b, m), form.sqrt(a, m))
        ]
        given_bits = given(pack(kind, list(itertools.chain.from_iterable(triples))))
        parameters = [given_bits, wanted(pack(kind, results)), u32(len(triples))]
        yield Launch("floats", kernel, ((len(triples) + 127) // 128,), (128,), parameters)
    triples = corners(SINGLE, 9)
    flushed: list[int] = []
    kept: list[tuple[int, int, int]] = []
    least = 1 << SINGLE.fraction
    for triple in triples:
        a, b, c = map(SINGLE.flushed, triple)
        pairs = [
            (SINGLE.add(a, b, "rn"), SINGLE.add(a, b, "rz")),
            (SINGLE.mul(a, b, "rn"), SINGLE.mul(a, b, "rz")),
            (SINGLE.fma(a, b, c, "rn"), SINGLE.fma(a, b, c, "rz")),
            (SINGLE.div(a, b, "rn"), SINGLE.div(a, b, "rz")),
            (SINGLE.sqrt(a, "rn"), SINGLE.sqrt(a, "rz")),
        ]
        # PTX does not say whether a denormal that rounding makes a normal number is flushed.
        if any(near & ~SINGLE.sign == least and zero & ~SINGLE.sign < least for near, zero in pairs):
            continue
        kept.append(triple)
        flushed += [SINGLE.flushed(near) for near, _ in pairs]
    bits = given(pack("I", list(itertools.chain.from_iterable(kept))))
    yield Launch("floats", "flushed_f32", ((len(kept) + 63) // 64,), (64,), [bits, wanted(pack("I", flushed)), u32(len(kept))])
    yield comparisons(triples)
    yield conversions()


def comparisons(triples: list[tuple[int, int, int]]) -> Launch:
    """Comparisons, and extremes: NaN gives the other number, and -0 is less than +0."""
    results: list[int] = []
    extremes: list[int] = []
    for a, b, _ in triples:
        is_unordered = SINGLE.is_nan(a) or SINGLE.is_nan(b)

        def order(bits: int) -> Fraction:
            if SINGLE.is_infinite(bits):
                return Fraction(-(2**200) if bits & SINGLE.sign else 2**200)
            return SINGLE.value(bits)

        less = equal = greater = False
        if is_unordered:
            left = [bits for bits in (a, b) if not SINGLE.is_nan(bits)]
            extremes += [left[0] if left else SINGLE.nan] * 2
        else:
            less, equal, greater = order(a) < order(b), order(a) == order(b), order(a) > order(b)
            pair = sorted((a, b), key=lambda bits: (order(bits), not bits & SINGLE.sign))
            extremes += pair
        flags = [less, equal, greater, not equal, not less, not (greater or equal), less or equal, SINGLE.is_nan(a)]
        results.append(sum(flag << i for i, flag in enumerate(flags)))
    bits = given(pack("I", list(itertools.chain.from_iterable(triples))))
    parameters = [bits, wanted(pack("I", results)), wanted(pack("I", extremes)), u32(len(triples))]
    return Launch("floats", "compare_f32", ((len(triples) + 63) // 64,), (64,), parameters)


def integer_of(form: Format, bits: int, mode: str) -> int:
    """Converts to a signed integer of 32 bits, which saturates. PTX ISA, "cvt": NaN gives 0, or the least number if it is of f64."""
    if form.is_nan(bits):
        return 0 if form is SINGLE else -(2**31)
    if form.is_infinite(bits):
        return -(2**31) if bits & form.sign else 2**31 - 1
    number = form.value(bits)
    whole: dict[str, Callable[[Fraction], int]] = {"rn": round, "rz": math.trunc, "rm": math.floor, "rp": math.ceil}
    return max(-(2**31), min(2**31 - 1, whole[mode](number)))


def conversions() -> Launch:
    """Conversions between the formats and integers."""
    rng = random.Random(10)

    def bits_of(kind: str, value: float) -> int:
        return int.from_bytes(struct.pack("<" + kind, value), "little")

    halves = [0.5, 1.5, 2.5, -0.5, -1.5, 2147483647.5, 2147483648.0, -2147483648.0, -2147483649.5, 4294967296.0, 1e10, -1e10, 0.1, -0.0]
    singles = [bits_of("f", v) for v in halves] + [a for a, _, _ in corners(SINGLE, 11)[::28]]
    doubles = [bits_of("d", v) for v in halves] + [a for a, _, _ in corners(DOUBLE, 11)[::28]]
    # About the ends of f32: ties, overflow, denormals.
    top = 2.0**128
    doubles += [bits_of("d", v) for v in (top, top * (1 - 2.0**-25), top * (1 - 2.0**-24), 2.0**-126 * (1 - 2.0**-25), 2.0**-150)]
    doubles += [bits_of("d", v) for v in (1 + 2.0**-24, 1 + 3 * 2.0**-24, -1 - 2.0**-24, 2.0**-149 * 1.5, 2.0**-1074, 1 / 3)]
    count = max(len(singles), len(doubles))
    singles += [rng.getrandbits(32) for _ in range(count - len(singles))]
    doubles += [rng.getrandbits(64) for _ in range(count - len(doubles))]
    integers = [0, 1, -1, 2**63 - 1, -(2**63), 2**24 + 1, 2**53 + 1, -(2**53) - 3, 2**62 + 2**38]
    integers += [rng.getrandbits(rng.randrange(1, 64)) * rng.choice([1, -1]) for _ in range(count - len(integers))]
    to_single: list[int] = []
    to_double: list[int] = []
    to_s32: list[int] = []
    for single, double, integer in zip(singles, doubles, integers, strict=True):
        for mode in MODES:
            if DOUBLE.is_nan(double):
                to_single.append(SINGLE.nan)
            elif DOUBLE.is_infinite(double):
                to_single.append(SINGLE.infinity | (SINGLE.sign if double & DOUBLE.sign else 0))
            else:
                to_single.append(SINGLE.rounded(DOUBLE.value(double), mode, bool(double & DOUBLE.sign)))
        to_single += [SINGLE.rounded(Fraction(integer), mode, False) for mode in MODES]
        if SINGLE.is_nan(single):
            to_double.append(DOUBLE.nan)
        elif SINGLE.is_infinite(single):
            to_double.append(DOUBLE.infinity | (DOUBLE.sign if single & SINGLE.sign else 0))
        else:
            to_double.append(DOUBLE.rounded(SINGLE.value(single), "rn", bool(single & SINGLE.sign)))
        to_double.append(DOUBLE.rounded(Fraction(integer), "rn", False))
        to_s32 += [integer_of(SINGLE, single, mode) for mode in MODES] + [integer_of(DOUBLE, double, mode) for mode in MODES]
    inputs = [given(pack("I", singles)), given(pack("Q", doubles)), given(pack("q", integers))]
    outputs = [wanted(pack("I", to_single)), wanted(pack("Q", to_double)), wanted(pack("i", to_s32))]
    return Launch("floats", "convert", (2,), (64,), [*inputs, *outputs, u32(count)])


# ---- running


class Failure(Exception):
    """Says why a launch has no right answer."""


def call(command: Sequence[str | Path]) -> str:
    """Runs a program; its output. It must end with status 0."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))}\nstatus {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def write(launch: Launch, folder: Path) -> Path:
    """Writes a launch file and the files with its memory."""
    folder.mkdir(parents=True)
    lines = [f"kernel {launch.kernel}", "grid " + " ".join(map(str, launch.grid)), "block " + " ".join(map(str, launch.block))]
    if launch.shared:
        lines.append(f"shared {launch.shared}")
    for i, parameter in enumerate(launch.parameters):
        if isinstance(parameter, Number):
            lines.append(f"{parameter.kind} {parameter.value}")
            continue
        assert isinstance(parameter, Buffer)
        line = f"buffer {parameter.size}"
        for name, data in (("in", parameter.before), ("out", parameter.after)):
            if data is not None:
                (folder / f"{i}.{name}").write_bytes(data)
                line += f" {name}={i}.{name}"
        lines.append(line)
    path = folder / f"{launch.kernel}.launch"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def run(launch: Launch, path: Path, ptx: Path, interpreter: str) -> None:
    """Runs a launch, and compares what it leaves in memory."""
    command: list[str | Path] = [interpreter, "grid", ptx, "--launch", path]
    if launch.check is None:
        call(command)
        return
    dumped = path.parent / "after"
    shutil.rmtree(dumped, ignore_errors=True)
    dumped.mkdir()
    call([*command, "--dump", dumped])
    count = sum(isinstance(parameter, Buffer) for parameter in launch.parameters)
    wrong = launch.check([(dumped / f"buffer{i}.bin").read_bytes() for i in range(count)])
    if wrong:
        raise Failure(f"{ptx}, {path}: {wrong}")


def run_sass(paths: list[Path], ptx: Path, processor: str, interpreter: str) -> None:
    """Runs what ptxas makes of a text for a processor: all launches must leave the same memory as by the PTX."""
    launches = [part for path in paths for part in ("--launch", path)]
    call([interpreter, "sass", ptx, *launches, "--gpu", processor, "--cuda", ROOT / "build" / "cuda", "--budget", "400000000"])


def texts_of(source: str, version: str, levels: list[str], plugin: str) -> dict[str, tuple[Path, list[str]]]:
    """Compiles a source; the PTX texts, each once, with where each is from."""
    tools, folder = ROOT / "build" / f"llvm-{version}" / "bin", WORK / version
    folder.mkdir(parents=True, exist_ok=True)
    texts: dict[str, tuple[Path, list[str]]] = {}
    for level in levels:
        ir = folder / f"{source}.O{level}.ll"
        call([tools / "clang", *CLANG, f"-O{level}", HERE / "known" / f"{source}.cu", "-o", ir])
        for name, loading in (("stock", []), ("ours", ["-load", plugin])):
            ptx = folder / f"{source}.O{level}.{name}.ptx"
            call([tools / "llc", *loading, *ARCH, ir, "-o", ptx])
            code = code_of(ptx.read_text(encoding="utf-8"))
            if code not in texts:
                texts[code] = (ptx, [])
                ptxas = ROOT / "build" / "cuda" / "bin" / "ptxas"
                if ptxas.exists():
                    call([ptxas, "-arch", "sm_80", "-O0", ptx, "-o", "/dev/null"])
            texts[code][1].append(f"LLVM {version}, {name}, -O{level}")
    return texts


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Runs kernels whose answers the world knows.")
    parser.add_argument("versions", nargs="+")
    parser.add_argument("--plugin", default=str(ROOT / "build" / "lib" / "libptxpasses.so"))
    parser.add_argument("--levels", type=lambda text: text.split(","), default=["2", "3"])
    parser.add_argument("--interpreter", default=str(ROOT / "target" / "release" / "ptx-compare"))
    parser.add_argument("--sass", type=lambda text: text.split(","), default=[], help="processors whose machine code is run as well: sm_80,sm_90")
    parser.add_argument("--only", type=lambda text: text.split(","), help="the names of sources")
    return parser.parse_args()


def main() -> int:
    """Runs what the command line says."""
    options = parse()
    tools = [ROOT / "build" / f"llvm-{v}" / "bin" / "clang" for v in options.versions]
    for program in [Path(options.interpreter), Path(options.plugin), *tools]:
        if not program.exists():
            print(f"known.py: no {program}", file=sys.stderr)
            return 2
    makers = (hashes, ciphers, sorts, sums, reductions, transforms, products, generators, life, floats)
    launches = [launch for maker in makers for launch in maker()]
    sources = {path.stem for path in (HERE / "known").glob("*.cu")}
    if idle := sources - {launch.source for launch in launches}:
        raise SystemExit(f"known.py: no launch of {', '.join(sorted(idle))}")
    if unknown := set(options.only or []) - sources:
        raise SystemExit(f"known.py: no source {', '.join(sorted(unknown))}")
    shutil.rmtree(WORK, ignore_errors=True)
    num_passed = num_failed = 0
    for source in sorted(sources if options.only is None else options.only):
        own = [launch for launch in launches if launch.source == source]
        paths = [write(launch, WORK / "launches" / f"{source}.{i}") for i, launch in enumerate(own)]
        passed = failed = 0
        for version in options.versions:
            try:
                texts = texts_of(source, version, options.levels, options.plugin)
            except Failure as failure:
                failed += len(own)
                print(f"FAILED {source}, LLVM {version}: {failure}")
                continue
            for ptx, names in texts.values():
                for launch, path in zip(own, paths, strict=True):
                    try:
                        run(launch, path, ptx, options.interpreter)
                        passed += 1
                    except (Failure, subprocess.TimeoutExpired) as failure:
                        failed += 1
                        print(f"FAILED {source}, {launch.kernel} ({'; '.join(names)}): {failure}")
                for processor in options.sass:
                    try:
                        run_sass(paths, ptx, processor, options.interpreter)
                        passed += 1
                    except (Failure, subprocess.TimeoutExpired) as failure:
                        failed += 1
                        print(f"FAILED {source}, machine code for {processor} ({'; '.join(names)}): {failure}")
        print(f"{source:12} {len(own):3} launches: {passed} passed, {failed} failed", flush=True)
        num_passed += passed
        num_failed += failed
    print(f"{num_passed} passed, {num_failed} failed")
    return 1 if num_failed else 0


if __name__ == "__main__":
    sys.exit(main())
