"""Unit tests of hunt.py and reduce.py: python3 tests/errata/test_hunt.py"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import hunt
import reduce


def job(name: str, version: str = "13.0.88") -> hunt.Job:
    """A job of a module that is never compiled."""
    return hunt.Job(hunt.Module(name, "1234", lambda folder: folder), "stock", version, "sm_80")


def record(key: str, **more: object) -> hunt.Record:
    """A result."""
    return {"key": key, "module": "random/1", "ptxas": "13.0.88", "processor": "sm_80", "side": "stock", "outcome": "same", "seconds": 1.0, **more}


class Resuming(unittest.TestCase):
    """A hunt that was ended goes on."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def results(self) -> hunt.Results:
        """The results of the folder, of a hunt that ended."""
        results = hunt.Results(self.folder)
        results.lock.close()
        return results

    def test_what_is_done_is_skipped(self) -> None:
        jobs = [job(f"random/{seed}") for seed in range(20)]
        order = hunt.in_order(jobs, {})
        results = self.results()
        for done in order[:7]:
            results.add(record(done.key))
        again = self.results()
        self.assertEqual(hunt.in_order(jobs, again.records), order[7:])
        self.assertEqual(again.seconds, 7)

    def test_another_order(self) -> None:
        jobs = [job(f"random/{seed}") for seed in range(20)]
        first, second = hunt.in_order(jobs, {}), hunt.in_order(jobs, {}, order="2")
        self.assertNotEqual(first[:5], second[:5])
        self.assertEqual({j.key for j in first}, {j.key for j in second})

    def test_seeds(self) -> None:
        self.assertEqual(hunt.seeds_of("3"), range(1, 4))
        self.assertEqual(hunt.seeds_of("201-203"), range(201, 204))
        for wrong in ("0", "5-4", "-3", "some"):
            with self.assertRaisesRegex(argparse.ArgumentTypeError, "names no seeds"):
                hunt.seeds_of(wrong)

    def test_a_changed_module_is_a_new_job(self) -> None:
        done = job("random/1")
        changed = hunt.Job(hunt.Module("random/1", "5678", lambda folder: folder), "stock", "13.0.88", "sm_80")
        self.assertEqual(hunt.in_order([changed, job("random/1", "13.5.37"), done], {done.key: record(done.key)}).count(done), 0)
        self.assertIn(changed, hunt.in_order([changed], {done.key: record(done.key)}))

    def test_a_line_that_is_not_whole_goes(self) -> None:
        results = self.results()
        results.add(record("a"))
        with results.path.open("ab") as file:
            file.write(b'{"key":"b","outc')
        self.assertEqual(list(self.results().records), ["a"])
        self.results().add(record("b"))
        self.assertEqual(list(self.results().records), ["a", "b"])

    def test_another_file_is_refused(self) -> None:
        (self.folder / "results.jsonl").write_text("no result\n", encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, "line 1: not a result"):
            self.results()

    def test_a_summary_changes_nothing(self) -> None:
        self.results().add(record("a"))
        path = self.folder / "results.jsonl"
        path.write_bytes(path.read_bytes() + b'{"key":"b","outc')
        before = path.read_bytes()
        self.assertEqual(list(hunt.Results(self.folder, writes=False).records), ["a"])
        self.assertEqual(path.read_bytes(), before)

    def test_one_hunt_at_a_time(self) -> None:
        first = hunt.Results(self.folder)
        with self.assertRaisesRegex(SystemExit, "another hunt writes to"):
            hunt.Results(self.folder)
        hunt.Results(self.folder, writes=False)
        first.lock.close()
        self.results()

    def test_a_result_has_all_fields(self) -> None:
        (self.folder / "results.jsonl").write_text('{"key":"a","seconds":1}\n', encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, "line 1: not a result"):
            self.results()

    def test_a_group_without_modules_is_refused(self) -> None:
        with mock.patch.object(hunt, "ROOT", self.folder), self.assertRaisesRegex(SystemExit, "no module of llvm-tests"):
            hunt.modules(["llvm-tests"], range(1, 2), "22")

    def test_again_does_what_the_machine_ended(self) -> None:
        jobs = [job(f"random/{seed}") for seed in range(5)]
        whys = ["llc: more than 300 seconds", "status -9", "llc: LLVM ERROR: IO failure on output stream: No space left on device", "ptx-compare: error: no"]
        records = {one.key: record(one.key, outcome="refused", why=why) for one, why in zip(jobs, whys, strict=False)}
        self.assertEqual(set(hunt.in_order(jobs, records, again=True)[:3]), set(jobs[:3]))
        self.assertEqual(hunt.in_order(jobs, records), [jobs[4]])

    def test_a_difference_stays_where_lint_fails(self) -> None:
        failures = [subprocess.CompletedProcess([], 101, "", "a panic"), subprocess.TimeoutExpired(["lint"], 300)]
        with mock.patch.object(subprocess, "run", side_effect=failures), mock.patch.object(sys, "stderr"):
            hunter = hunt.Hunt(mock.Mock(results=self.folder), {})
            for _ in failures:
                self.assertEqual(hunter.places(self.folder / "k.ptx", job("random/1")), {})

    def test_again_does_what_differs_first(self) -> None:
        jobs = [job(f"random/{seed}") for seed in range(5)]
        differs = hunt.in_order(jobs, {})[3]
        records = {differs.key: record(differs.key, outcome="different", differences=["k: launch 0: something"])}
        self.assertEqual(hunt.in_order(jobs, records, again=True)[0], differs)
        self.assertNotIn(differs, hunt.in_order(jobs, records))
        records[differs.key]["places"] = {"k": ["packed-half"]}
        self.assertNotIn(differs, hunt.in_order(jobs, records, again=True))


class Outcomes(unittest.TestCase):
    """What ptx-compare says, and what it is taken for."""

    def outcome(self, text: str, status: int = 0, stderr: str = "") -> hunt.Record:
        return hunt.outcome_of(subprocess.CompletedProcess([], status, text, stderr))

    def test_counts_and_differences(self) -> None:
        line = "2 kernels compared, 1 not; 1,020 launches, 146,060 bytes; 398,397 instructions of threads in PTX, 15,836 of warps in SASS; "
        same = self.outcome(f"not compared:    10  PTX: a trap\n{line}0 different\n")
        self.assertEqual((same["outcome"], same["launches"], same["left_out"], same["reasons"]), ("same", 1020, 1, {"PTX: a trap": 10}))
        different = self.outcome(f"DIFFERENT a.ptx: k: launch 3: byte 4 of buffer 0\n{line}1 different\n", 1)
        self.assertEqual((different["outcome"], different["differences"]), ("different", ["k: launch 3: byte 4 of buffer 0"]))
        self.assertEqual(self.outcome(f"{line}1 different\n", 1)["outcome"], "refused")
        self.assertEqual(self.outcome("", 2, "a note\nptx-compare: error: no\n"), {"outcome": "refused", "why": "ptx-compare: error: no"})

    def test_causes(self) -> None:
        found = record("random/1 1234 stock", places={"k": ["packed-half"]})
        self.assertEqual(hunt.cause(found, "k: launch 0: x"), "ptxas: packed-half, as lint says")
        self.assertIsNone(hunt.cause(found, "k2: launch 0: x"))
        with mock.patch.object(hunt, "EXPLAINED", [("^random/", "^k2: ", "a race")]):
            self.assertEqual(hunt.cause(found, "k2: launch 0: x"), "a race")
            self.assertTrue(hunt.is_new({**found, "differences": ["k3: launch 0: x"]}))


class Reducing(unittest.TestCase):
    """reduce.py leaves what is needed."""

    def test_the_lines_that_are_needed_stay(self) -> None:
        body = [f"\tadd.s32 %r{number}, %r1, 1;" for number in range(40)]
        lines = [".visible .entry k()", "{", *body, "\tbar.sync 0;", "}"]
        needed = {body[3], body[31]}
        left = reduce.smaller(lines, lambda shorter: needed <= set(shorter))
        self.assertEqual(left, [".visible .entry k()", "{", body[3], body[31], "\tbar.sync 0;", "}"])

    def test_other_kernels_go(self) -> None:
        text = ".version 7.0\n.visible .entry a(\n)\n{\n}\n.visible .entry b(\n)\n{\n}\n"
        self.assertEqual(reduce.without_others(text, "b"), ".version 7.0\n.visible .entry b(\n)\n{\n}\n")


if __name__ == "__main__":
    unittest.main()
