"""PTX of one module."""

import pytest

from ptxpasses import CompileError, Compiler

KERNEL = """
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %v = load float, ptr addrspace(1) %p
  %w = call float @twice(float %v)
  store float %w, ptr addrspace(1) %p
  ret void
}
define internal float @twice(float %x) ATTRIBUTE {
  %y = fadd float %x, %x
  ret float %y
}
"""


def test_options_reach_llc(reduction: str) -> None:
    ours = Compiler().ptx(reduction, "sm_80")
    stock = Compiler(options=["-ptx-passes=none"]).ptx(reduction, "sm_80")
    assert ".target sm_80" in ours and ours != stock


def test_the_key_has_the_options_in_it() -> None:
    assert Compiler().key() == Compiler().key() != Compiler(options=["-ptx-profile=upstream"]).key()


def test_newer_floats_are_mended() -> None:
    ir = KERNEL.replace("fadd float %x, %x", "fadd float %x, f0x40490FDB").replace("ATTRIBUTE", "")
    assert "0f40490FDB" in Compiler().ptx(ir, "sm_80")


def test_calls_are_inlined_unless_it_is_forbidden() -> None:
    compiler = Compiler()
    assert "call" not in compiler.ptx(compiler.inlined(KERNEL.replace("ATTRIBUTE", "")), "sm_80")
    kept = KERNEL.replace("ATTRIBUTE", "noinline")
    assert compiler.inlined(kept) == kept and "call" in compiler.ptx(kept, "sm_80")


@pytest.mark.parametrize(
    ("ir", "cpu", "features", "words"),
    [
        ("no IR", "sm_80", "", "does not compile the IR for sm_80: .*error: expected top-level entity"),
        ("", "sm_9999", "", "'sm_9999' is not a recognized processor"),
        ("", "sm_80", "+ptx999", "'.ptx999' is not a recognized feature"),
    ],
)
def test_bad_input_is_an_error(ir: str, cpu: str, features: str, words: str) -> None:
    with pytest.raises(CompileError, match=words):
        Compiler().ptx(ir, cpu, features)


def test_a_processor_gets_its_first_version_of_ptx() -> None:
    assert ".version 8.7" in Compiler().ptx(KERNEL.replace("ATTRIBUTE", ""), "sm_120a", "+ptx86")


def test_a_plugin_that_llc_does_not_load_is_an_error(tmp_path) -> None:  # type: ignore[no-untyped-def]
    bad = tmp_path / "libptxpasses.so"
    bad.write_text("no library")
    with pytest.raises(CompileError, match="does not load .*libptxpasses.so"):
        Compiler(plugin=bad)
