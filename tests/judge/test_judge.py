"""Tests scripts/judge, without an LLVM, a ptxas, or Triton."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from as_module import load  # noqa: E402

judge = load("judge")

KERNEL = """define ptx_kernel void @{name}(ptr %p) #{attribute} {{
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %2 = zext i32 %1 to i64
  %3 = getelementptr i32, ptr %p, i64 %2
  %4 = load i32, ptr %3
  %5 = add i32 %4, {number}
  store i32 %5, ptr %3
  ret void
}}
"""


def module(*kernels: tuple[str, int]) -> str:
    """Writes a module with kernels that add a number."""
    small = "define ptx_kernel void @small(ptr %p) {\n  store i32 0, ptr %p\n  ret void\n}\n"
    return small + "".join(KERNEL.format(name=name, number=number, attribute=i) for i, (name, number) in enumerate(kernels))


def side(**numbers: int) -> dict[str, int]:
    """Makes what ptx-compare says of a kernel."""
    return {"registers": 40, "sass": 100, "warps": 48, "max_warps": 64, "spill_stores": 0, "spill_loads": 0, "stack": 0} | numbers


def row(stock: dict[str, int], ours: dict[str, int]) -> dict[str, Any]:
    return {"stock": stock, "ours": ours, "cpu": "sm_80", "file": "a.ll", "kernel": "k"}


class Halves(unittest.TestCase):
    def test_a_processor_does_not_count(self) -> None:
        for number in range(20):
            names = {judge.half_of(f"_ZN3cub17CUB_300001_SM_{cpu}06detail{number}scan") for cpu in (80, 90)}
            self.assertEqual(len(names), 1)

    def test_both_halves_have_some(self) -> None:
        products = judge.products()
        looked_at = sum(judge.half_of(product["name"]) == "look" for product in products)
        self.assertTrue(len(products) / 3 < looked_at < 2 * len(products) / 3, looked_at)

    def test_small_ones_and_repeated_ones_are_left_out(self) -> None:
        seen: set[str] = set()
        first = judge.halves(module(("kernel_a", 1), ("kernel_b", 1), ("kernel_c", 2)), seen)
        self.assertEqual(set.union(*first.values()), {"kernel_a", "kernel_c"})
        second = judge.halves(module(("kernel_d", 2), ("kernel_e", 3)), seen)
        self.assertEqual(set.union(*second.values()), {"kernel_e"})


    def test_names_of_shared_variables_do_not_count(self) -> None:
        text = module(("_Z6first_v", 1), ("_Z6other_v", 1))
        for name in ("6first_v", "6other_v"):
            text = text.replace(f"@_Z{name}(ptr %p)", f"@_Z{name}(ptr %q)").replace("load i32, ptr %3", f"load i32, ptr @_ZZ{name}E4temp", 1)
        self.assertEqual(sum(len(kept) for kept in judge.halves(text, set()).values()), 1)


class Products(unittest.TestCase):
    def test_names_tell_them_apart(self) -> None:
        products = judge.products()
        self.assertEqual(len({(product["name"], product["cpu"]) for product in products}), len(products))
        self.assertGreaterEqual(len(products), 72)

    def test_the_processor_is_written_once(self) -> None:
        text = judge.with_processor('attributes #0 = { nounwind "nvvm.reqntid"="128" }\n', "sm_90")
        self.assertEqual(text, 'attributes #0 = { nounwind "nvvm.reqntid"="128" "target-cpu"="sm_90a" }\n')
        with self.assertRaises(judge.JudgeError):
            judge.with_processor("", "sm_80")


class Comparing(unittest.TestCase):
    def test_the_summary(self) -> None:
        rows = [
            row(side(registers=32), side(registers=16, warps=64)),
            row(side(registers=40, spill_loads=8), side(registers=80, warps=24, sass=50)),
        ]
        self.assertEqual(judge.summary(rows), ["2", "1.0000", "2.0000 (1)", "0.7071", "1, 1", "1, 0"])

    def test_kernels_that_spill_much_count_as_spilling_alone(self) -> None:
        rows = [row(side(), side()), row(side(registers=255), side(registers=32, spill_loads=4000))]
        self.assertEqual(judge.summary(rows), ["2", "1.0000", "1.0000 (1)", "1.0000", "0, 0", "0, 1"])

    def test_no_kernel(self) -> None:
        self.assertEqual(judge.summary([]), ["0", "", " (0)", "", "0, 0", "0, 0"])

    def test_losses(self) -> None:
        self.assertEqual(judge.loss(row(side(), side(registers=48, stack=64))), "")
        lost = judge.loss(row(side(), side(registers=48, warps=40, spill_stores=4)))
        self.assertEqual(lost, "occupancy 75 > 62, spills 0 > 4; registers 40 > 48, stack 0 > 0, sass 100 > 100; sm_80, a.ll, k")


class Sources(unittest.TestCase):
    def test_each_has_a_first_line_that_says_what_it_is(self) -> None:
        for kind in ("cub", "thrust"):
            self.assertTrue(judge.sources(kind))
            for path in judge.sources(kind):
                self.assertTrue(judge.read(path).startswith("// "), path)

    def test_a_missing_folder_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(judge.JudgeError, "scripts/judge make cub"):
            judge.compared("cub", "look", "default", "22", folder)


if __name__ == "__main__":
    unittest.main()
