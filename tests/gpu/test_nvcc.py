"""Tests of against_nvcc.py: how it reads and sums up."""

from __future__ import annotations

import contextlib
import io
import unittest
from pathlib import Path

import against_nvcc
from against_nvcc import Code, Kernel
from lab_queue import Failure
from launches import Timed

LOG = """ptxas info    : Compiling entry function 'part' for 'sm_90'
ptxas info    : Function properties for part
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers
ptxas info    : Compiling entry function 'part_2' for 'sm_90'
ptxas info    : Function properties for part_2
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
"""


def kernel(stock: tuple[int, int], ours: tuple[int, int, float]) -> Kernel:
    """A kernel with these registers, instructions and predicted time."""
    timed = Timed(against_nvcc.ROOT / "tests" / "k.cu", "k", (1,), (32,), [])
    return Kernel(timed, {}, {"stock": Code(*stock), "ours": Code(*ours)})


class Reading(unittest.TestCase):
    """What ptxas says."""

    def test_registers_are_those_of_the_kernel(self) -> None:
        """Another name may begin with that of a kernel."""
        self.assertEqual([against_nvcc.registers_of(LOG, name) for name in ("part", "part_2")], [12, 40])
        with self.assertRaisesRegex(Failure, "nothing of other"):
            against_nvcc.registers_of(LOG, "other")

    def test_a_name_that_no_source_has_is_an_error(self) -> None:
        """Before anything is compiled, what is missing is said."""
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(against_nvcc.main(["22", "--plugin", "/not/there.so"]), 2)
        self.assertRegex(said.getvalue(), "not there")


class Means(unittest.TestCase):
    """The summary."""

    def test_means_are_geometric_and_of_ratios(self) -> None:
        """Kernels with many registers have a column of their own."""
        kernels = [kernel((20, 100), (10, 100, 0.5)), kernel((40, 100), (40, 200, 2.0))]
        line = against_nvcc.means(kernels, "ours", "stock").split()
        self.assertEqual(line, ["ours", "/", "stock", "0.707", "1.000", "1.414", "1.000", "1", "1"])
        few = against_nvcc.means(kernels[:1], "ours", "stock").split()
        self.assertEqual(few[3:], ["0.500", "-", "1.000", "0.500", "1", "0"])

    def test_the_table_has_a_line_for_each_side(self) -> None:
        """Sources are named from the project's folder on."""
        table = list(against_nvcc.rows([kernel((20, 100), (10, 90, 0.5))]))
        self.assertEqual(
            table[1:],
            [
                [str(Path("tests/k.cu")), "k", side, *rest]
                for side, *rest in [("stock", "20", "100", "1.0000"), ("ours", "10", "90", "0.5000")]
            ],
        )


if __name__ == "__main__":
    unittest.main()
