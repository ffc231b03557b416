"""Tests of jit_make.py: what it writes of a kernel, and, where build/torch or build/triton has what that needs, a tutorial and a block of torch.compile."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jit_make
import launches
from jit_make import Buffer, Made

ROOT = launches.ROOT
IR = """target datalayout = "e-p6:32:32"
define ptx_kernel void @scaled(ptr addrspace(1) %0, float %1, ptr addrspace(1) %2, ptr addrspace(1) %3) {
  %5 = fmul float %1, 2.001230e-01
  %6 = fadd nnan float %5, %1
  store float %6, ptr addrspace(1) %0, align 4
  ret void
}
"""
TOOL = ROOT / "target" / "release" / "ptx-compare"
TORCH = sorted(ROOT.glob("build/torch/*/bin/python"))
TRITON = sorted(ROOT.glob("build/triton/3.9.*"))


def command(folder: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """The command that makes kernels, by the Python that has Triton, and its environment."""
    environment = dict(os.environ)
    python = str(TORCH[-1]) if TORCH else sys.executable
    if not TORCH:
        environment["PYTHONPATH"] = str(TRITON[-1])
    return [python, str(ROOT / "tests" / "gpu" / "jit_make.py"), str(folder), *arguments], environment


class Jit(unittest.TestCase):
    """Runs in folders of their own."""

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)


class Written(Jit):
    """What needs no Triton."""

    def test_a_kernel_becomes_a_module_and_a_launch(self) -> None:
        buffer = Buffer("bf16", 4096, is_written=True)
        jit_make.write(self.folder, [Made("block-0", IR, (8, 2, 1), 4, 1024, [buffer, ("fp32", 0.5)])])
        (timed,) = jit_make.table_of(self.folder / "more.py")
        self.assertEqual((timed.name, timed.grid, timed.block, timed.shared, timed.cpu), ("block-0: scaled", (8, 2, 1), (128,), 1024, "sm_90a"))
        memory, *numbers = timed.arguments
        assert isinstance(memory, launches.Memory) and memory.pattern is not None
        self.assertEqual((memory.size, memory.is_written, numbers), (8192, True, [("f32", 0.5), ("u64", 0), ("u64", 0)]))
        text = timed.source.read_text(encoding="utf-8")
        self.assertIn("fmul contract float %1, 0x3FC99DA160000000", text)  # as LLVM 22 writes it
        self.assertIn("fadd contract nnan float", text)
        self.assertNotIn("datalayout", text)
        launch = timed.source.with_suffix(".launch").read_text(encoding="utf-8")
        self.assertIn("kernel scaled\ngrid 8 2 1\nblock 128\nshared 1024\nbuffer 8192 in=../patterns/", launch)
        self.assertIn("\nf32 0x3f000000\nu64 0\nu64 0\n", launch)

    def test_numbers_of_16_bits_are_the_upper_halves_of_others(self) -> None:
        wide, short = launches.numbers("f", 8), launches.numbers("bf16", 8)
        assert wide.pattern is not None and short.pattern is not None
        self.assertEqual((wide.size, short.size), (32, 16))
        (first,) = struct.unpack("<I", wide.pattern()[:4])
        self.assertEqual(struct.unpack("<H", short.pattern()[:2]), (first >> 16,))

    def test_integers_are_of_their_own_width(self) -> None:
        made = Made("m", IR, (1,), 4, 0, [("i32", -1), ("i64", -1), ("i1", 1), Buffer("i64", 4, below=9), Buffer("fp16", 4, is_read=False)])
        texts = made.argument_texts()
        self.assertEqual(texts[:3], ["('u32', 4294967295)", "('u64', 18446744073709551615)", "('u8', 1)"])
        self.assertEqual(texts[3:5], ["integers('q', 4, 9)", "out(8)"])

    def test_a_module_with_two_kernels_is_an_error(self) -> None:
        with self.assertRaisesRegex(ValueError, "m: 2 kernels"):
            Made("m", IR + IR.replace("@scaled", "@other"), (1,), 4, 0, []).kernel()

    def test_a_python_without_triton_says_where_one_is(self) -> None:
        if jit_make.importlib.util.find_spec("triton") is not None:
            self.skipTest("this Python has triton")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(jit_make.main([str(self.folder)]), 2)
        self.assertIn("this Python has no triton: scripts/python-test --fetch torch=VERSION", said.getvalue())


class Compiled(Jit):
    """What Triton and torch.compile make."""

    def make(self, *arguments: str) -> str:
        """Makes kernels; what was said."""
        line, environment = command(self.folder, *arguments)
        done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def predict(self, name: str) -> None:
        """Predicts a kernel with its launch, which must fit it."""
        llc, plugin = ROOT / "build" / "llvm-22" / "bin" / "llc", ROOT / "build" / "lib" / "libptxpasses.so"
        if not all(tool.exists() for tool in (TOOL, llc, plugin, ROOT / "build" / "cuda" / "bin" / "ptxas")):
            return
        tools = ["--llc", str(llc), "--llvm", "22", "--plugin", str(plugin), "--cuda", str(ROOT / "build" / "cuda")]
        line = [str(TOOL), "time", *tools, "--no-interval", "--mcpu", "sm_90a", str(self.folder / "modules" / f"{name}.ll")]
        done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 kernel: predicted", done.stdout)

    @unittest.skipUnless(TORCH or TRITON, "no build/triton/3.9.*, no build/torch: scripts/python-test --fetch triton=3.9.0 makes what this needs")
    def test_a_tutorial_has_the_grid_and_the_parameters_of_its_call(self) -> None:
        self.make("--only", "tutorials", "add", "grouped")
        by_name = {timed.name: timed for timed in jit_make.table_of(self.folder / "more.py")}
        timed = by_name["tutorial-add: add"]
        count = 32 << 20
        self.assertEqual((timed.grid, timed.block), ((count // 1024,), (128,)))
        self.assertEqual([one.size for one in timed.arguments if isinstance(one, launches.Memory)], [4 * count] * 3)
        self.assertEqual([one for one in timed.arguments if isinstance(one, tuple)], [("u32", count), ("u64", 0), ("u64", 0)])
        self.predict("tutorial-add")

    @unittest.skipUnless(TORCH, "no build/torch: scripts/python-test --fetch torch=VERSION makes what this needs")
    def test_a_block_has_the_kernels_that_inductor_launches_forward_and_backward(self) -> None:
        said = self.make("--only", "blocks", "gelu-tanh")
        self.assertNotIn("left out", said)
        table = jit_make.table_of(self.folder / "more.py")
        self.assertTrue(all(timed.kernel.startswith("triton_") for timed in table))
        self.assertGreaterEqual(len(table), 4)
        first = table[0]
        # Forward: x, bias, and what it writes; 1,024 elements for each block.
        self.assertEqual([one.size for one in first.arguments if isinstance(one, launches.Memory)], [32 << 20, 8192, 32 << 20])
        self.assertEqual((first.grid[0] * 1024, [one for one in first.arguments if isinstance(one, tuple)][0]), (16 << 20, ("u32", 16 << 20)))
        self.assertTrue(any("backward" in timed.kernel for timed in table))
        self.predict("gelu-tanh-bf16-0")


if __name__ == "__main__":
    unittest.main()
