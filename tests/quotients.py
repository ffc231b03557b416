"""Are the quotients of divisions that share a divisor right to the bit?

    quotients.py N
    quotients.py --ptxas

With LLVM N the stage `divisions` compiles kernels that divide two numbers by one, in single and in double precision, with and without `.ftz`.
The emulator of grids runs them on operands whose exponents lie at the ends of what the test of the stage allows, and on zeros, infinities
and numbers that are not normal. The expected quotients are rational numbers, rounded here. They stay right if the approximation that each
begins with is another one, one unit in the last place off. With a test that allows more they are wrong, so this would see a fault.

With --ptxas: for each architecture, ptxas' own code for `div.rn` and `rcp.rn` has the opcodes of the steps, in their order, before
it branches to the general division. Exit status 1 if something is not so.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from checking import ROOT, check, outcome, run

ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"]
THREADS = 128


@dataclass(frozen=True)
class Format:
    """A binary format of IEEE 754."""

    name: str
    bits: int
    fraction_bits: int
    least_dividend: int
    """The least exponent of a dividend that needs no general division. Half of all exponents begins there."""
    most_divisor: int
    """The greatest exponent of such a divisor; the least is its negative."""

    @property
    def bias(self) -> int:
        return (1 << self.bits - self.fraction_bits - 2) - 1

    @property
    def infinity(self) -> int:
        return (2 * self.bias + 1) << self.fraction_bits

    @property
    def sign(self) -> int:
        return 1 << self.bits - 1

    def of(self, sign: int, exponent: int, fraction: int) -> int:
        """The bits of a normal number."""
        return sign << self.bits - 1 | exponent + self.bias << self.fraction_bits | fraction

    def value(self, bits: int) -> Fraction:
        """The value of a finite number."""
        field = bits >> self.fraction_bits & 2 * self.bias + 1
        fraction = bits & (1 << self.fraction_bits) - 1
        if field:
            fraction |= 1 << self.fraction_bits
        size = Fraction(fraction) * Fraction(2) ** (max(field, 1) - self.bias - self.fraction_bits)
        return -size if bits & self.sign else size

    def round(self, value: Fraction, sign: int) -> int:
        """The bits of the number that is nearest, an even one of two."""
        if not value:
            return sign
        size = abs(value)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        exponent -= size < Fraction(2) ** exponent
        exponent = max(exponent, 1 - self.bias)
        # `round` takes the even one of two. A carry goes into the exponent.
        units = round(size / Fraction(2) ** (exponent - self.fraction_bits))
        return sign | min(self.infinity, units + (exponent + self.bias - 1 << self.fraction_bits))

    def divide(self, a: int, b: int) -> int:
        """The quotient, rounded to nearest; where there is none, ptxas' one NaN."""
        nan = self.sign - 1
        sign = (a ^ b) & self.sign
        [size_a, size_b] = [x & ~self.sign for x in (a, b)]
        if max(size_a, size_b) > self.infinity or (size_a == size_b and size_a in (0, self.infinity)):
            return nan
        if size_a == self.infinity or not size_b:
            return sign | self.infinity
        if not size_a or size_b == self.infinity:
            return sign
        return self.round(self.value(a) / self.value(b), sign)

    def flush(self, bits: int) -> int:
        """Zero instead of a subnormal number."""
        return bits if bits & self.infinity else bits & self.sign


SINGLE = Format("float", 32, 23, -63, 60)
DOUBLE = Format("double", 64, 52, -511, 508)

KERNEL = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @divide(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {{
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = mul i32 %block, {threads}
  %number = add i32 %before, %thread
  %at = mul i32 %number, 3
  %a.at = getelementptr {type}, ptr addrspace(1) %in, i32 %at
  %b.at = getelementptr {type}, ptr addrspace(1) %a.at, i32 1
  %d.at = getelementptr {type}, ptr addrspace(1) %a.at, i32 2
  %a = load {type}, ptr addrspace(1) %a.at
  %b = load {type}, ptr addrspace(1) %b.at
  %d = load {type}, ptr addrspace(1) %d.at
  %a.by.d = fdiv {type} %a, %d
  %b.by.d = fdiv {type} %b, %d
  %inverse = fdiv {type} 1.0, %d
  %first = getelementptr {type}, ptr addrspace(1) %out, i32 %at
  %second = getelementptr {type}, ptr addrspace(1) %first, i32 1
  %third = getelementptr {type}, ptr addrspace(1) %first, i32 2
  store {type} %a.by.d, ptr addrspace(1) %first
  store {type} %b.by.d, ptr addrspace(1) %second
  store {type} %inverse, ptr addrspace(1) %third
  ret void
}}
"""


def operands(form: Format, numbers: random.Random) -> list[tuple[int, int, int]]:
    """Triples of two numbers and what divides them."""
    ones = (1 << form.fraction_bits) - 1

    def fraction() -> int:
        return numbers.choice([0, 1, ones, ones - 1, *[numbers.getrandbits(form.fraction_bits)] * 4])

    def normal(exponent: int) -> int:
        exponent = min(max(exponent, 1 - form.bias), form.bias)
        return form.of(numbers.getrandbits(1), exponent, fraction())

    specials = [0, 1, ones, form.infinity, form.infinity | 1, form.of(0, 1 - form.bias, 0), form.of(0, form.bias, ones)]
    specials += [bits | form.sign for bits in specials]

    def near(ends: list[int]) -> int:
        return numbers.choice([*ends, numbers.randint(-form.bias, form.bias)]) + numbers.randint(-8, 8)

    triples = list(itertools.product(specials, specials, [*specials, form.of(0, 0, 0), form.of(1, 3, 1)]))
    divisors = [-form.most_divisor, form.most_divisor, 0]
    dividends = [1 - form.bias, form.least_dividend, form.least_dividend + form.bias, 0]
    for _ in range(8_000):
        pair = [normal(near(dividends)) for _ in range(2)]
        if not numbers.randrange(4):
            pair[numbers.randrange(2)] = numbers.choice([0, form.sign])
        triples.append((pair[0], pair[1], normal(near(divisors))))
    for _ in range(4_000):
        a, b, d = (numbers.getrandbits(form.bits) for _ in range(3))
        triples.append((a, b, d))
    return triples


def is_fast(form: Format, a: int, d: int) -> bool:
    """Whether a quotient needs no general division."""

    def lies(bits: int, least: int, most: int) -> bool:
        return least <= (bits >> form.fraction_bits & 2 * form.bias + 1) - form.bias <= most

    return lies(d, -form.most_divisor, form.most_divisor) and lies(a, form.least_dividend, form.least_dividend + form.bias)


def compiled(version: str, form: Format, *, flushes: bool, stage: bool) -> str:
    """The PTX of the kernel."""
    source = KERNEL.format(type=form.name, threads=THREADS)
    plugin = ROOT / f"build/lib/libptxpasses-{version}.so"
    llc = [ROOT / f"build/llvm-{version}/bin/llc", "-march=nvptx64", "-mcpu=sm_80", "-load", plugin]
    command = [*map(str, llc), f"-ptx-divisions={'true' if stage else 'false'}"]
    command += ["-denormal-fp-math-f32=preserve-sign"] if flushes else []
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def wrong(text: str, form: Format, triples: list[tuple[int, int, int]], flushes: bool) -> int:
    """How many results of the kernel are not as expected."""
    pad = -len(triples) % THREADS
    triples = [*triples, *triples[:pad]]

    def packed(rows: list[tuple[int, int, int]]) -> bytes:
        return b"".join(struct.pack("<3" + "IQ"[form.bits == 64], *row) for row in rows)

    def quotient(a: int, d: int) -> int:
        if not flushes:
            return form.divide(a, d)
        return form.flush(form.divide(form.flush(a), form.flush(d)))

    expected = [(quotient(a, d), quotient(b, d), quotient(form.of(0, 0, 0), d)) for a, b, d in triples]
    size = len(triples) * 3 * form.bits // 8
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "k.ptx").write_text(text, encoding="utf-8")
        (folder / "in.bin").write_bytes(packed(triples))
        launch = f"kernel divide\ngrid {len(triples) // THREADS}\nblock {THREADS}\nbuffer {size} in=in.bin\nbuffer {size}\n"
        (folder / "k.launch").write_text(launch, encoding="utf-8")
        tool = ROOT / "scripts/ptx-compare"
        run_of = run(tool, "grid", folder / "k.ptx", "--launch", folder / "k.launch", "--dump", folder)
        if run_of.returncode:
            raise SystemExit(run_of.stdout + run_of.stderr)
        left = (folder / "buffer1.bin").read_bytes()
    rows = struct.iter_unpack("<3" + "IQ"[form.bits == 64], left)
    return sum(sum(x != y for x, y in zip(row, right, strict=True)) for row, right in zip(rows, expected, strict=True))


def with_other_reciprocal(text: str, form: Format, units: int) -> str:
    """The kernel with approximations that are off by some units in the last place that they have."""
    other = {32: "add.s32 {0}, {0}, {1};", 64: "add.s64 {0}, {0}, {1};"}[form.bits]
    step = units if form.bits == 32 else units << 32
    return re.sub(r"(rcp\.approx\.ftz\.f\d\d)\s+(%\w+), (%\w+);", lambda m: f"{m[0]}\n" + other.format(m[2], step), text)


def with_other_tests(text: str, form: Format, changes: dict[int, int]) -> str:
    """The kernel with ranges that begin at other exponents: those of the keys become the values."""
    unit = 1 << (23 if form.bits == 32 else 20)
    for least, other in changes.items():
        assert f", {(1 - least) * unit};" in text, "the test is not in the text"
        text = text.replace(f", {(1 - least) * unit};", f", {(1 - other) * unit};")
    return text


def check_results(version: str) -> None:
    """Runs the kernels."""
    for form, flushes in [(SINGLE, False), (SINGLE, True), (DOUBLE, False)]:
        what = f"{form.name}{', flushed' if flushes else ''}"
        triples = operands(form, random.Random(7))
        fast = [is_fast(form, a, d) and is_fast(form, b, d) for a, b, d in triples]
        check(f"{what}: {sum(fast)} of {len(triples)} pairs of quotients need no division", 1_000 < sum(fast) < len(triples) - 1_000)
        text = compiled(version, form, flushes=flushes, stage=True)
        check(f"{what}: subnormal numbers are as wanted", ("fma.rn.ftz.f32" in text) == flushes, text)
        check(f"{what}: the divisions share a reciprocal", text.count("rcp.approx.ftz") == 2 and "setp.eq.f" in text, text)
        for units in (0, -1, 1):
            # ptxas relies on MUFU for divisors right below a power of two.
            some = [row for row in triples if not units or 1 < row[2] % (1 << form.fraction_bits) < (1 << form.fraction_bits) - 2]
            number = wrong(with_other_reciprocal(text, form, units) if units else text, form, some, flushes)
            check(f"{what}: {len(some)} right to the bit, approximation {units:+d}: {number} wrong", not number)
        plain = compiled(version, form, flushes=flushes, stage=False)
        check(f"{what}: without the stage as well", "approx" not in plain and not wrong(plain, form, triples, flushes))
        first, second = -form.most_divisor, form.most_divisor - form.bias
        wider = {
            "smaller divisors": {first: 1 - form.bias, second: 1 - form.bias},
            "larger divisors": {first: 0, second: 0},
            "smaller dividends": {form.least_dividend: 1 - form.bias},
        }
        for name, changes in wider.items():
            number = wrong(with_other_tests(text, form, changes), form, triples, flushes)
            check(f"{what}: {number} wrong if the test allows {name}", number > 0)
        number = wrong(re.sub(r"setp\.eq\.f", "setp.leu.f", text), form, triples, flushes)
        check(f"{what}: {number} wrong if numbers are taken for zeros", number > 0)


PTX = """.version 8.8
.target {arch}
.address_size 64
.visible .entry divide(.param .u64 at) {{
  .reg .b64 %at;
  .reg .f{bits} %a, %d, %q;
  ld.param.u64 %at, [at];
  cvta.to.global.u64 %at, %at;
  ld.global.f{bits} %a, [%at];
  ld.global.f{bits} %d, [%at+8];
  {operation};
  st.global.f{bits} [%at], %q;
  ret;
}}
"""
STEPS = {
    ("div", 32): ["MUFU.RCP", *["FFMA"] * 5],
    ("rcp", 32): ["MUFU.RCP", *["FFMA"] * 2],
    ("div", 64): ["MUFU.RCP64H", *["DFMA"] * 5, "DMUL", *["DFMA"] * 2],
    ("rcp", 64): ["MUFU.RCP64H", *["DFMA"] * 5],
}
"""The arithmetic of a division before it is known that it was right. A product is an `FFMA` with zero."""


def steps(folder: Path, arch: str, operation: str, bits: int) -> list[str]:
    """The steps of ptxas' code from the approximation to the result."""
    operands_of = {"div": "%q, %a, %d", "rcp": "%q, %d"}[operation]
    text = PTX.format(arch=arch, bits=bits, operation=f"{operation}.rn.f{bits} {operands_of}")
    (folder / "k.ptx").write_text(text, encoding="utf-8")
    cuda = ROOT / "build/cuda/bin"
    subprocess.run([cuda / "ptxas", f"-arch={arch}", folder / "k.ptx", "-o", folder / "k.cubin"], check=True)
    printed = subprocess.run([cuda / "nvdisasm", "-c", folder / "k.cubin"], check=True, capture_output=True, text=True).stdout
    # The general division is a function at the end.
    kernel = re.split(r"^\$__internal", printed[printed.index(".text.divide:") :], maxsplit=1, flags=re.MULTILINE)[0]
    code = [match[1].split()[0] for match in re.finditer(r"^\s*/\*[0-9a-f]+\*/\s+([^;]+);", kernel, re.MULTILINE)]
    code = code[next(at for at, opcode in enumerate(code) if opcode.startswith("MUFU")) :]
    arithmetic = [opcode for opcode in code if opcode.startswith(("MUFU", "FFMA", "FMUL", "DFMA", "DMUL", "DADD"))]
    # The upper halves of double operands are tested as numbers of their own.
    return [opcode for opcode in arithmetic if bits == 32 or opcode != "FFMA"]


def check_ptxas() -> None:
    """Looks at ptxas' code."""
    with tempfile.TemporaryDirectory() as name:
        for arch in ARCHITECTURES:
            for (operation, bits), expected in STEPS.items():
                found = steps(Path(name), arch, operation, bits)
                check(f"{arch}: the steps of {operation}.rn.f{bits}", found == expected, " ".join(found))


def main() -> int:
    parser = argparse.ArgumentParser(description="Are the quotients of divisions that share a divisor right to the bit?")
    parser.add_argument("version", nargs="?", metavar="N", help="an LLVM version")
    parser.add_argument("--ptxas", action="store_true", help="look at ptxas' code instead")
    arguments = parser.parse_args()
    if arguments.ptxas:
        check_ptxas()
    elif arguments.version:
        check_results(arguments.version)
    else:
        parser.error("a version or --ptxas is needed")
    return outcome()


if __name__ == "__main__":
    raise SystemExit(main())
