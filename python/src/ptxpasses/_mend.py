"""Makes the text of a newer LLVM readable for an older one.

Triton's LLVM is newer than any release. What its text has that LLVM 22 does not know, where both mean the same:

* Floats are decimals that are rounded to their own type (`float 2.001230e-01`), their own bits (`f0x3E4CED68`), `+inf`, `-inf`, `+qnan`,
  `+nan(0x...)` and `+snan(0x...)`. Older ones read a decimal only where it is exact, and otherwise `0x` and the bits of the double of the same
  value, or `0xH` (half) and `0xR` (bfloat) and the own bits.
* The data layout has address spaces with a string of their own; llc computes the layout of its target where none is given.
* Attributes that only say what may be assumed are left out.
"""

from __future__ import annotations

import re
import struct

#: By type: the bits of the exponent and of the fraction.
_FORMATS = {"half": (5, 10), "bfloat": (8, 7), "float": (8, 23), "double": (11, 52)}
_TOKEN = re.compile(
    r"""(?P<string>"[^"]*")
      | \b(?P<kind>half|bfloat|float|double)\b
      | (?<![\w.%$@!#-]) (?: f0x(?P<bits>[0-9A-Fa-f]+)\b
                           | (?P<decimal>-?\d+\.\d+(?:e[-+]?\d+)?)(?![\w.])
                           | (?P<sign>[-+])(?: (?P<inf>inf)\b | (?P<qnan>qnan)\b | (?P<quiet>s?nan)\(0x(?P<payload>[0-9A-Fa-f]+)\) ) )""",
    re.X,
)
_ATTRIBUTES = re.compile(r"\bnocreateundeforpoison\s*")


def mended(ir: str) -> str:
    """Returns the text in the older spelling; unchanged if there is nothing to mend."""
    ir = re.sub(r"^target datalayout = .*\n", "", ir, flags=re.M)
    ir = _ATTRIBUTES.sub("", ir)
    return "\n".join(_floats(line) for line in ir.split("\n"))


def _floats(line: str) -> str:
    """Rewrites the floats of a line. The type of a float is the last one named before it."""
    kind = ""

    def rewrite(match: re.Match[str]) -> str:
        nonlocal kind
        kind = match["kind"] or kind
        if match["string"] or match["kind"] or kind not in _FORMATS:
            return match[0]
        return _older(kind, _bits(kind, match))

    return _TOKEN.sub(rewrite, line)


def _bits(kind: str, match: re.Match[str]) -> int:
    """Returns the bits of a float in its own type."""
    exponent, fraction = _FORMATS[kind]
    if match["bits"]:
        return int(match["bits"], 16)
    if match["decimal"]:
        return _rounded(kind, float(match["decimal"]))
    sign = (match["sign"] == "-") << (exponent + fraction)
    all_ones = ((1 << exponent) - 1) << fraction
    if match["inf"]:
        return sign | all_ones
    quiet = 0 if match["quiet"] == "snan" else 1 << (fraction - 1)
    return sign | all_ones | quiet | int(match["payload"] or "0", 16)


def _rounded(kind: str, value: float) -> int:
    """Returns the bits of the float nearest to a value. LLVM writes a decimal only where its digits name one float."""
    if kind == "bfloat":
        bits = _rounded("float", value)
        return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    code, size = {"half": ("<e", 2), "float": ("<f", 4), "double": ("<d", 8)}[kind]
    return int.from_bytes(struct.pack(code, value)[:size], "little")


def _older(kind: str, bits: int) -> str:
    if kind == "half":
        return f"0xH{bits:04X}"
    if kind == "bfloat":
        return f"0xR{bits:04X}"
    return f"0x{bits if kind == 'double' else _as_double(bits):016X}"


def _as_double(bits: int) -> int:
    """Returns the bits of the double of the same value as the float of these bits; of a NaN, its payload as well."""
    if bits & 0x7F800000 == 0x7F800000:
        return (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
    (value,) = struct.unpack("<f", struct.pack("<I", bits))
    (double,) = struct.unpack("<Q", struct.pack("<d", value))
    return int(double)
