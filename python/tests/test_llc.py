"""PTX of one module."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from ptxpasses import CompileError, Compiler, NotFound, __version__
from ptxpasses._llc import loading

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


def test_the_head_says_what_the_ptx_is_made_by(reduction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def line(*options: str) -> str:
        [found] = [line for line in Compiler(options=options).ptx(reduction, "sm_80").splitlines() if line.startswith("// ptxpasses")]
        return found

    assert line() == f"// ptxpasses {__version__} for LLVM {line().split()[5].strip(',')}, profile cicc, options none"
    assert re.search(r", profile cicc, options [0-9a-f]{12}$", line("-maxreg=64")) and line("-maxreg=64") != line("-maxreg=65")
    by_option = line("-maxreg=64")
    monkeypatch.setenv("PTXPASSES_ARGS", "-maxreg=64")
    assert line() == by_option


def test_the_upstream_profile_stays_stock_s(reduction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    llc = [str(Compiler().llc), "-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_80", "-O3", "-", "-o", "-"]
    stock = subprocess.run(llc, input=reduction, capture_output=True, text=True, check=True).stdout
    for options in (["-ptx-profile=upstream"], ["--ptx-profile", "upstream"], ["-ptx-profile=cicc", "-ptx-profile=upstream"]):
        if options[:1] == ["-ptx-profile=cicc"]:
            monkeypatch.setenv("PTXPASSES_ARGS", options.pop(0))
        assert Compiler(options=options).ptx(reduction, "sm_80") == stock
        assert Compiler(options=options).signature()["profile"] == "upstream"


def test_the_head_is_the_plugin_s_own_and_can_be_left_out(reduction: str) -> None:
    compiler = Compiler()
    ptx = compiler.ptx(reduction, "sm_80")
    assert ptx.startswith("// ptxpasses ") and ptx.count("ptxpasses") == 1
    without = Compiler(options=["-ptx-header=false", "-ptx-profile=default"])
    text = without.ptx(reduction, "sm_80")
    assert text == ptx.split("\n", 1)[1] and without.signature() == compiler.signature()
    assert compiler.signed(text, "tuned").splitlines()[0] == ptx.splitlines()[0] + ", tuned"
    assert without.signed(text, "tuned") == text


def test_statistics_and_remarks_of_each_module(tmp_path: Path, reduction: str) -> None:
    folder = tmp_path / "new/statistics"
    compiler = Compiler(statistics=folder)
    for cpu in ("sm_80", "sm_90", "sm_90"):
        compiler.ptx(reduction, cpu)
    compiler.ptx(KERNEL.replace("ATTRIBUTE", ""), "sm_80")
    names = sorted(file.name for file in folder.iterdir())
    assert [re.sub("-[0-9a-f]{8}", "", name) for name in names] == ["k.json", "k.yaml", *(["reduce.json", "reduce.yaml"] * 2)]
    for file in folder.glob("*.json"):
        assert {record["function"] for record in json.loads(file.read_text())} >= {file.name.partition("-")[0]}
    assert all("--- !" in file.read_text() for file in folder.glob("*.yaml"))
    assert compiler.key() != Compiler().key()
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="^statistics='.*file/x': the folder cannot be made: Not a directory$"):
        Compiler(statistics=tmp_path / "file/x")


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


@pytest.fixture
def bitcode(reduction: str) -> bytes:
    """Returns the same kernel as bitcode of llc's LLVM."""
    source = Compiler()
    with_opt = source.llc.with_name(source.llc.name.replace("llc", "opt"))
    return subprocess.run([with_opt, "-o", "-"], input=reduction.encode(), capture_output=True, check=True).stdout


def test_bytes_of_text_are_text(reduction: str) -> None:
    assert Compiler().ptx(reduction.encode(), "sm_80") == Compiler().ptx(reduction, "sm_80")
    assert Compiler().ptx(bytearray(reduction.encode()), "sm_80") == Compiler().ptx(reduction, "sm_80")  # type: ignore[arg-type]


def test_bitcode_is_compiled(reduction: str, bitcode: bytes) -> None:
    compiler = Compiler()
    assert bitcode.startswith(b"BC") and compiler.ptx(bitcode, "sm_80") == compiler.ptx(reduction, "sm_80")
    assert compiler.readable(bitcode) == bitcode
    assert compiler.inlined(bitcode).startswith("; ModuleID")


def test_bitcode_that_is_cut_off_is_an_error_of_one_line(bitcode: bytes) -> None:
    with pytest.raises(CompileError, match="does not compile the IR for sm_80: .*") as error:
        Compiler().ptx(bitcode[: len(bitcode) // 2], "sm_80")
    assert "\n" not in str(error.value)


def test_names_that_are_not_utf8_reach_llc() -> None:
    ir = b'define ptx_kernel void @k() {\n  call void asm sideeffect "// \xff", ""()\n  ret void\n}\n'
    assert b"// \xff" in Compiler().ptx(ir, "sm_80").encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("ir", [None, 7, Path("k.ll")])
def test_what_is_not_ir_is_an_error(ir: object) -> None:
    compiler = Compiler()
    for call in (lambda: compiler.ptx(ir, "sm_80"), lambda: compiler.readable(ir), lambda: compiler.inlined(ir)):  # type: ignore[call-overload, arg-type]
        with pytest.raises(TypeError, match=f"^IR is a str with LLVM's text, or bytes .*, not a {type(ir).__name__}$"):
            call()


def test_an_llc_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    plain = tmp_path / "llc-plain"
    plain.write_text("no program")
    script = tmp_path / "llc-odd"
    script.write_text("no program")
    script.chmod(0o755)
    for llc, why in [
        (tmp_path / "nollc", "^llc='.*nollc' names no file$"),
        ("no-such-llc", "^llc='no-such-llc' names no file$"),
        ("", "^llc='' names no file$"),
        (tmp_path, "^llc='.*' names no file$"),
        (plain, "^llc='.*llc-plain' is not a program: it may not be executed$"),
    ]:
        with pytest.raises(NotFound, match=why):
            Compiler(llc=llc)
    with pytest.raises(CompileError, match="llc-odd cannot be run: Exec format error$"):
        Compiler(llc=script)
    with pytest.raises(CompileError, match="does not load"):
        Compiler(llc="/bin/true")


def test_a_plugin_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="^plugin='.*none.so' names no file$"):
        Compiler(plugin=tmp_path / "none.so")


def test_llc_24_has_no_option_that_triton_needs() -> None:
    compiler = Compiler()
    compiler.llvm = "LLVM version 24.0.0"
    with pytest.raises(CompileError, match="Triton needs -fp-contract, .* 17 to 23"):
        compiler.for_jit("Triton")
    compiler.llvm = "LLVM version 23.1.0"
    assert compiler.for_jit("Triton") is compiler


def test_an_llc_is_found_by_its_name_on_the_path(monkeypatch: pytest.MonkeyPatch, reduction: str) -> None:
    program = Compiler().llc
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    named = Compiler(llc=program.name)
    assert named.key() == Compiler().key() and ".target sm_80" in named.ptx(reduction, "sm_80")


@pytest.mark.parametrize(("options", "said"), [("-x=y", r"\['-x=y'\]"), (b"-x=y", r"\['-x=y'\]"), ("-a -b", r"\['-a', '-b'\]")])
def test_options_as_one_text_are_an_error(options: str, said: str, reduction: str) -> None:
    with pytest.raises(TypeError, match=f"^options is a list of options, not one text: say options={said}$"):
        Compiler(options=options)
    with pytest.raises(TypeError, match=f"^flags is a list of options, not one text: say flags={said}$"):
        Compiler().ptx(reduction, "sm_80", flags=options)


def test_an_option_that_is_not_text_is_an_error() -> None:
    with pytest.raises(TypeError, match="^options is a list of texts, and 3 is a int$"):
        Compiler(options=[3])  # type: ignore[list-item]


@pytest.mark.parametrize("option", ["-ptx-version", "--version", "-help", "-filetype=null"])
def test_options_that_have_llc_print_no_ptx_are_an_error(option: str) -> None:
    with pytest.raises(ValueError, match=f"^options: llc prints no PTX with {option}: leave out"):
        Compiler(options=[option])


def test_options_that_llc_does_not_know_are_an_error() -> None:
    with pytest.raises(CompileError, match="does not take -no-such-option: .*Unknown command line argument '-no-such-option'"):
        Compiler(options=["-no-such-option"])


def test_from_24_on_the_plugin_is_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """llc 24 has no -load: with a distribution's own nothing could be compiled."""
    llc, plugin = Path("llc"), Path("libptxpasses.so")
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    assert loading(llc, plugin, "LLVM version 23.1.4") == [llc, "-load", plugin]
    assert loading(llc, plugin, "Debian LLVM version 24.0.0") == ["/usr/bin/env", "LD_PRELOAD=libptxpasses.so", llc]
    monkeypatch.setenv("LD_PRELOAD", "other.so")
    assert loading(llc, plugin, "Debian LLVM version 24.0.0") == ["/usr/bin/env", "LD_PRELOAD=libptxpasses.so:other.so", llc]
