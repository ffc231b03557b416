"""The spelling of newer LLVMs, in the older one."""

import struct

import pytest

from ptxpasses._mend import mended


def double(value: float) -> str:
    return "0x" + struct.pack(">d", value).hex().upper()


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("fadd float %a, f0x3F800000", f"fadd float %a, {double(1.0)}"),
        ("fadd half %a, f0x3C00", "fadd half %a, 0xH3C00"),
        ("fadd bfloat %a, f0x3F80", "fadd bfloat %a, 0xR3F80"),
        ("fadd double %a, f0x3FF0000000000000", f"fadd double %a, {double(1.0)}"),
        # 0.2 is not a float: the nearest one is meant.
        ("fmul float %x, 2.000000e-01", f"fmul float %x, {double(struct.unpack('<f', struct.pack('<f', 0.2))[0])}"),
        ("fmul half %x, 2.000000e-01", "fmul half %x, 0xH3266"),
        ("fmul bfloat %x, 2.000000e-01", "fmul bfloat %x, 0xR3E4D"),
        ("phi float [ -inf, %a ], [ %b, %c ]", f"phi float [ {double(float('-inf'))}, %a ], [ %b, %c ]"),
        ("select i1 %c, half +inf, half %a", "select i1 %c, half 0xH7C00, half %a"),
        ("store bfloat +qnan, ptr %p", "store bfloat 0xR7FC0, ptr %p"),
        ("store float -nan(0x1), ptr %p", "store float 0xFFF8000020000000, ptr %p"),
        ("store half +snan(0x1), ptr %p", "store half 0xH7C01, ptr %p"),
        ("store <2 x float> <float 1.5, float -inf>, ptr %p", f"store <2 x float> <float {double(1.5)}, float {double(float('-inf'))}>, ptr %p"),
        ("define nocreateundeforpoison float @f()", "define float @f()"),
    ],
)
def test_spelling(new: str, old: str) -> None:
    assert mended(new) == old


@pytest.mark.parametrize(
    "line",
    ['@s = constant [9 x i8] c"float 1.5"', "%.0.i = add i32 %1.5, 2", "br label %x, !dbg !1", 'call float asm "add.f32 $0, 0f00000000, 1.5;", "=f"()'],
)
def test_others_stay(line: str) -> None:
    assert mended(line) == line


def test_the_layout_is_left_to_llc() -> None:
    assert mended('target datalayout = "e-p3:32:32"\ntarget triple = "x"\n') == 'target triple = "x"\n'
