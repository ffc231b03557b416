"""Tests of tests/gpu that need no GPU: the plan, how samples are written, kept and shown, from times that are made up."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import math
import random
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import plan
import run
import table
from samples import Ratio, Times, Writer, interval_by_rank

MACHINE = {"card": "a card", "driver": "1", "llvm": "22", "ptxas": "13 -O3", "version": "0"}
PLANNED = [plan.name(number) for number in range(len(plan.levels()))]
VARIANTS = ["stock", "again", "ours", "stock-nolsr", "lsr"]
EFFECTS = {"induction": 1.10, "lsr": 0.95, "nounroll": 1.5}
"""The time with a switch by that without it, of the kernels that are made up."""


def job(name: str, same: dict[str, str]) -> dict[str, Any]:
    """Makes what --make says of a kernel; `same` has the settings with the code of another one."""
    facts = {"spill_stores": 0, "spill_loads": 8, "code_bytes": 640, "code": "c0", "cubin": "c1"}
    timed = [variant for variant in (*VARIANTS, *PLANNED) if variant not in same]
    parts = [[variant for variant in timed if variant in VARIANTS], ["stock", *(variant for variant in timed if variant in PLANNED)]]
    return {"name": name, "group": "made up", "same": same, "parts": parts, "facts": dict.fromkeys(timed, facts)}


def milliseconds(variant: str) -> float:
    """Gives the time of a variant: `ours` is 10 % faster than stock, and `lsr` 20 % slower."""
    if variant in PLANNED:
        level = plan.levels()[PLANNED.index(variant)]
        return math.exp(sum(level[switch] / 2 * math.log(effect) for switch, effect in EFFECTS.items()))
    return {"ours": 0.9, "lsr": 1.2}.get(variant, 1.0)


def said(one: dict[str, Any], part: int, turn: int) -> dict[str, Any]:
    """Makes what the worker says of a kernel. All variants of a block are slowed down together, and each is off by up to 0.1 %."""
    rng = random.Random(f"{one['name']} {part} {turn}")
    variants = one["parts"][part]
    times: dict[str, list[list[float]]] = {variant: [] for variant in variants}
    for _ in range(20):
        slow = rng.uniform(1, 1.5)
        for variant in variants:
            times[variant].append([milliseconds(variant) * slow * rng.uniform(0.999, 1.001) for _ in range(2)])
    numbers = dict.fromkeys(variants, 30)
    facts = {"name": one["name"], "clock": 1980, "registers": numbers, "local": numbers, "launches": 1, "times": times}
    return facts | ({"differ": ["lsr"] if part == 0 else []} if turn == 0 else {})


JOBS = [job("a: one", {}), job("b: two", {"stock-nolsr": "stock"})]


class Plan(unittest.TestCase):
    """The plan of settings."""

    def test_the_plan_has_resolution_four_and_its_first_half_three(self) -> None:
        levels = plan.levels()
        self.assertEqual(len({tuple(level.values()) for level in levels}), 32)
        for one, other in itertools.combinations(plan.FACTORS, 2):
            self.assertEqual(sum(level[one] * level[other] for level in levels[:16]), 0, (one, other))
        for three in itertools.combinations(plan.FACTORS, 3):
            self.assertEqual(sum(math.prod(level[one] for one in three) for level in levels), 0, three)

    def test_a_setting_leaves_out_the_stages_and_gives_the_options_of_its_levels(self) -> None:
        passes = ["emitter", *plan.STAGES, "nounroll"]
        settings = plan.settings(passes)
        self.assertEqual(settings["plan-00"].options[0], "-ptx-passes=" + ",".join(passes))
        self.assertEqual(settings["plan-16"].options, ("-ptx-passes=emitter,nounroll", "-disable-lsr"))
        for level, setting in zip(plan.levels(), settings.values(), strict=True):
            chosen = setting.options[0].partition("=")[2].split(",")
            self.assertEqual([level[stage] == 1 for stage in plan.STAGES], [stage in chosen for stage in plan.STAGES])
            self.assertEqual(level["lsr"] == 1, "-ptx-lsr" in setting.options)
            self.assertNotEqual("-disable-lsr" in setting.options, "-ptx-lsr" in setting.options)
            self.assertEqual(level["pressure"] == 1, "-ptx-emit-order=pressure" in setting.options)
            self.assertEqual(level["nounroll"] == 1, "-ptx-nounroll=all" in setting.options)
            self.assertEqual(level["mad-wide"] == 1, "-nvptx-mad-wide-opt" in setting.options)


class Samples(unittest.TestCase):
    """The file of samples."""

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.path = self.folder / "samples.csv"

    def write(self, passes: int, parts: int) -> None:
        with Writer(self.path, MACHINE) as writer:
            for part, turn, one in itertools.product(range(parts), range(passes), JOBS):
                writer.add(one, part, turn, said(one, part, turn))
            writer.add(JOBS[0], 0, passes, {"fault": "CUDA_ERROR_ILLEGAL_ADDRESS"})

    def show(self, *arguments: str) -> str:
        out = io.StringIO()
        with mock.patch.object(sys, "argv", ["table.py", "--data", str(self.folder), *arguments]), contextlib.redirect_stdout(out):
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(table.main(), 0)
        return out.getvalue()

    def test_the_interval_by_rank_holds_the_median_with_95_percent(self) -> None:
        # Tables of the binomial distribution: 6 and 15 of 20; 2 and 8 of 9 have 96 %, 1 and 5 of 5 less than 95 %.
        self.assertEqual(interval_by_rank(range(1, 21)), (6, 15))
        self.assertEqual(interval_by_rank(range(9, 0, -1)), (2, 8))
        self.assertEqual(interval_by_rank(range(1, 6)), (1, 5))

    def test_kept_times_and_effects_are_those_that_were_made_up(self) -> None:
        self.write(3, 2)
        shown = self.show("--keep", str(self.path), "h")
        kept = table.Kept("h", self.folder)
        for kernel in ("a: one", "b: two"):
            ours, again = kept.ratio(kernel, "ours", "stock"), kept.ratio(kernel, "again", "stock")
            assert ours is not None and again is not None
            self.assertAlmostEqual(ours.median, 0.9, 2)
            self.assertTrue(ours.is_real(kept.noise) and not again.is_real(kept.noise))
            lsr = kept.ratio(kernel, "lsr", "ours")
            assert lsr is not None
            self.assertAlmostEqual(lsr.median, 1.2 / 0.9, 2)
            for switch in plan.FACTORS:
                effect = kept.effects[switch][kernel]
                self.assertAlmostEqual(effect.median, EFFECTS.get(switch, 1.0), 2, switch)
                self.assertTrue(effect.low <= effect.median <= effect.high)
        self.assertIsNone(kept.ratio("b: two", "stock-nolsr", "stock"))
        self.assertRegex(shown, r"\| `ours` \| 2 \| 2 \| 0\.(899|900)\d \| 2, 0 \|")
        self.assertRegex(shown, r"\| `stock-nolsr` \| 2 \| 1 \| (1\.000|0\.999)\d \| 0, 0 \|")
        self.assertIn("Other bytes than stock's: lsr of a: one, lsr of b: two.", shown)
        self.assertIn("not measured: a: one: CUDA_ERROR_ILLEGAL_ADDRESS", shown)
        row = kept.of["a: one"]["ours"]
        self.assertEqual((row["passes"], row["blocks"], row["spill_loads"], row["registers"]), ("3", "60", "8", "30"))
        self.assertEqual(row["card"], "a card")
        self.assertEqual(shown.replace("not measured: a: one: CUDA_ERROR_ILLEGAL_ADDRESS\n", ""), self.show())

    def test_the_base_alone_gives_effects_and_a_part_of_it_none(self) -> None:
        half = [plan.name(number) for number in range(plan.BASE)]
        for timed in (half, half[:-1]):
            one = job("a: one", {})
            one["parts"][1] = ["stock", *timed]
            with Writer(self.path, MACHINE) as writer:
                writer.add(one, 0, 0, said(one, 0, 0))
                writer.add(one, 1, 0, said(one, 1, 0))
            effects = Times(self.path).effects("a: one")
            self.assertEqual(len(effects), len(plan.FACTORS) if timed is half else 0)
            for switch, effect in effects.items():
                self.assertAlmostEqual(effect.median, EFFECTS.get(switch, 1.0), 2, switch)

    def test_what_goes_on_keeps_the_whole_rows_that_are_there(self) -> None:
        self.write(1, 1)
        whole = self.path.read_text(encoding="utf-8")
        self.path.write_text(whole + "a card,1,22", encoding="utf-8")
        with Writer(self.path, MACHINE, goes_on=True) as writer:
            writer.add(JOBS[1], 0, 5, said(JOBS[1], 0, 5))
        self.assertTrue(self.path.read_text(encoding="utf-8").startswith(whole))
        self.assertEqual(list(Times(self.path).of["b: two"]["ours"]), [(0, 0), (0, 5)])

    def test_a_single_pass_has_its_interval_from_its_blocks_and_several_from_their_medians(self) -> None:
        blocks = [float(one) for one in range(1, 21)]
        self.assertEqual(Ratio.of([blocks]), Ratio(10.5, 6, 15))
        # A pass of which all blocks are slow counts once.
        self.assertEqual(Ratio.of([[1.0, 1.0], [2.0, 2.0], [90.0] * 50]), Ratio(2, 1, 90))

    def test_bytes_that_stock_leaves_otherwise_each_time_say_nothing_of_ours(self) -> None:
        with Writer(self.path, MACHINE) as writer:
            for one in JOBS:
                differ = ["stock", "ours"] if one is JOBS[0] else ["ours"]
                writer.add(one, 0, 0, said(one, 0, 0) | {"differ": differ})
        shown = self.show("--keep", str(self.path), "h")
        self.assertIn("Other bytes than stock's: ours of b: two. Stock's differ from launch to launch: a: one.", shown)

    def test_the_page_has_the_tables_of_the_kept_runs(self) -> None:
        page = (table.DATA.parents[2] / "docs" / "measured.md").read_text(encoding="utf-8")
        tables = page.partition("<!-- python3 tests/gpu/table.py --page -->\n")[2].partition("<!-- end of the tables -->")[0]
        self.assertEqual(tables.strip(), table.page(table.DATA).strip())

    def test_a_run_that_was_cut_has_what_was_written(self) -> None:
        self.write(2, 2)
        text = self.path.read_text(encoding="utf-8")
        last_of_first_part = text.rindex(",made up,lsr,")
        self.path.write_text(text[: text.index("\n", last_of_first_part) + 200], encoding="utf-8")
        times = Times(self.path)
        self.assertEqual(list(times.of["b: two"]["lsr"]), [(0, 0), (0, 1)])
        self.assertEqual(times.effects("a: one"), {})
        self.assertNotIn("| switch", self.show("--keep", str(self.path), "h"))

    def test_the_variants_come_first_and_nothing_is_begun_when_the_time_is_over(self) -> None:
        (self.folder / "time.json").write_text(json.dumps({"tools": {"llvm": "22"}, "jobs": JOBS}), encoding="utf-8")
        now = [0.0]
        asked: list[tuple[object, ...]] = []

        def worker(_what: str, _folder: Path, first: int, turn: int, part: int, *left_out: str) -> Iterator[dict[str, Any]]:
            asked.append((part, turn, first, *left_out))
            for number in range(first, len(JOBS)):
                if JOBS[number]["name"] in left_out:
                    continue
                yield {"begin": JOBS[number]["name"], "number": number}
                if (part, turn, number) == (0, 1, 0):
                    yield {"fault": "CUDA_ERROR_ILLEGAL_ADDRESS"}
                    return
                now[0] += 10
                yield said(JOBS[number], part, turn)
            yield {"done": True}

        with mock.patch.object(run, "worker", worker), mock.patch("time.monotonic", lambda: now[0]):
            with contextlib.redirect_stdout(io.StringIO()):
                run.run_time(self.folder, 3, MACHINE, 65)
        # The kernel that failed is left out from then on; the next one is taken by another process.
        self.assertEqual(asked, [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1, "a: one"), (1, 1, 0, "a: one"), (0, 2, 0, "a: one")])
        times = Times(self.path)
        self.assertEqual(times.faults, ["a: one: CUDA_ERROR_ILLEGAL_ADDRESS"])
        self.assertEqual([len(times.of[one]["ours"]) for one in ("a: one", "b: two")], [1, 3])
        self.assertEqual([len(times.of[one]["plan-00"]) for one in ("a: one", "b: two")], [1, 2])


if __name__ == "__main__":
    unittest.main()
