"""Tests of score.py, on data, cubins and a tool that are made up."""

from __future__ import annotations

import argparse
import contextlib
import csv
import hashlib
import io
import json
import math
import random
import struct
import sys
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import plan
import score
import score_ceiling
import score_make
import score_rank
import table
from lab_queue import Failure
from launches import Argument, Memory, Timed, launch_text
from score_rank import Item

NOP = struct.pack("<QQ", 0x7918, 0)
ADD = struct.pack("<QQ", 0x7210, 0)
TOOL = """
import json, os, sys
assert sys.argv[1] == "time"
if "--help" in sys.argv:
    sys.exit(0)
log = sys.argv[0] + ".log"
open(log, "a").write(" ".join(sys.argv[1:]) + "\\n")
stock, other = (open(path, "rb").read() for path in sys.argv[-2:])
if b"fault" in other:
    sys.exit(f"error: {sys.argv[-1]}: FROB is not known")
if b"crash" in other:
    os.kill(os.getpid(), 9)
if b"error" in other:
    print(json.dumps([{"kernel": "k", "error": "it waits for ever"}]))
    sys.exit(0)
ratio = other.count(b"slow") + 1
row = {"kernel": "k", "ratio": ratio, "low": ratio * 0.99, "high": ratio * 1.01, "sides": [{"executed": 100.0}, {"executed": 80.0}]}
print(json.dumps([{**row, "kernel": "another", "ratio": 9}, row]))
"""
"""Stands for `ptx-compare time`: code with the word `slow` takes twice the time."""


def cubin(code: bytes, shared: int = 0) -> bytes:
    """Makes an ELF file with the sections of a kernel `k`."""
    sections = [("", 0, 0, b""), (".text.k", 1, len(code), code), (".nv.constant0.k", 1, 4, bytes(4)), (".nv.shared.k", 8, shared, b"")]
    names = b"".join(name.encode() + b"\0" for name, *_ in sections) + b".shstrtab\0"
    sections.append((".shstrtab", 3, len(names), names))
    data, headers, at = b"", b"", 64
    for name, kind, size, content in sections:
        headers += struct.pack("<IIQQQQ", names.index(name.encode() + b"\0"), kind, 0, 0, at + len(data), size).ljust(64, b"\0")
        data += content
    head = bytearray(64)
    struct.pack_into("<Q10xHHH", head, 40, at + len(data), 64, len(sections), len(sections) - 1)
    return bytes(head) + data + headers


def items(measured: Sequence[float], predicted: Sequence[float], weights: Sequence[float] | None = None) -> list[Item]:
    """Makes items of kernels of their own."""
    weights = weights or [1.0] * len(measured)
    return [Item(f"k{number}", *one) for number, one in enumerate(zip(measured, predicted, weights, strict=True))]


class Rank(unittest.TestCase):
    """The statistics."""

    def test_correlations_are_those_of_a_textbook(self) -> None:
        # Of the ten boys of Kendall's first chapter, ranked in mathematics and music.
        mathematics = [7, 4, 3, 10, 6, 2, 9, 8, 1, 5]
        music = [5, 7, 3, 10, 1, 9, 6, 2, 8, 4]
        both = items(mathematics, music)
        squares = sum((a - b) ** 2 for a, b in zip(mathematics, music, strict=True))
        self.assertAlmostEqual(score_rank.spearman(both) or 0, 1 - 6 * squares / (10 * 99))
        agree = sum((a - c) * (b - d) > 0 for a, b in zip(mathematics, music, strict=True) for c, d in zip(mathematics, music, strict=True)) // 2
        self.assertAlmostEqual(score_rank.kendall(both) or 0, (2 * agree - 45) / 45)

    def test_equal_ranks_are_midranks(self) -> None:
        both = items([1, 2, 2, 3], [1, 2, 3, 3])
        # Ranks 1, 2.5, 2.5, 4 and 1, 2, 3.5, 3.5: both have a sum of squares of 4.5, their product one of 3.75.
        self.assertAlmostEqual(score_rank.spearman(both) or 0, 3.75 / 4.5)
        # Of six pairs four agree, and each side has one tie.
        self.assertAlmostEqual(score_rank.kendall(both) or 0, 4 / 5)

    def test_two_halves_weigh_as_much_as_a_whole(self) -> None:
        rng = random.Random(1)
        x, y = ([rng.random() for _ in range(20)] for _ in range(2))
        doubled = items([*x, x[3]], [*y, y[3]], [0.5 if number in (3, 20) else 1.0 for number in range(21)])
        for statistic in (score_rank.spearman, score_rank.kendall):
            self.assertAlmostEqual(statistic(doubled) or 0, statistic(items(x, y)) or 0)
        self.assertNotAlmostEqual(score_rank.spearman(items([*x, x[3]], [*y, y[3]])) or 0, score_rank.spearman(items(x, y)) or 0)

    def test_what_is_all_alike_has_no_correlation(self) -> None:
        for statistic in (score_rank.spearman, score_rank.kendall):
            self.assertIsNone(statistic(items([1, 2, 3], [5, 5, 5])))

    def test_signs(self) -> None:
        logs = [math.log(ratio) for ratio in (0.98, 0.98, 0.98, 1.02, 1.0, 1.005)]
        predicted = [math.log(ratio) for ratio in (0.9, 1.1, 1.0, 1.015, 1.03, 1.0)]
        self.assertEqual(score_rank.signs(items(logs, predicted), 0.01), score_rank.Signs(2, 1, 1, 1))
        self.assertEqual(score_rank.signs(items(logs, predicted, [1, 2, 3, 4, 5, 6]), 0.01), score_rank.Signs(5, 2, 3, 5))

    def test_the_version_that_is_predicted_fastest_is_chosen(self) -> None:
        def log(measured: float, predicted: float, kernel: str) -> Item:
            return Item(kernel, math.log(measured), math.log(predicted))

        versions = [log(0.9, 0.95, "a"), log(0.8, 0.97, "a"), log(1.1, 0.98, "b"), log(0.7, 0.995, "c"), log(0.5, 1.2, "d")]
        at_99, at_100 = (score_rank.chosen(versions, limit) for limit in (0.99, 1.0))
        self.assertAlmostEqual(at_99.mean, (0.9 * 1.1) ** 0.25)
        self.assertAlmostEqual(at_100.mean, (0.9 * 1.1 * 0.7) ** 0.25)
        self.assertEqual((at_99.slower, at_100.slower), (1, 1))
        self.assertAlmostEqual(score_rank.perfect(versions).mean, (0.8 * 0.7 * 0.5) ** 0.25)
        alike = [log(0.9, 0.95, "a"), log(1.0, 0.95, "a")]
        self.assertAlmostEqual(score_rank.chosen(alike, 1.0).mean, 0.9**0.5)


def row(kernel: str, variant: str, code: str, ratio: str = "", also: str = "", width: float = 0.002, registers: int = 32) -> dict[str, Any]:
    """Makes a row of what was measured."""
    made: dict[str, Any] = dict.fromkeys(table.TIMES, "")
    made |= {"kernel": kernel, "variant": variant, "code": code, "also": also, "stock": ratio, "registers": registers}
    if ratio:
        made |= {"stock_low": float(ratio) - width / 2, "stock_high": float(ratio) + width / 2}
    return made


class Folder(unittest.TestCase):
    """Tests that have a folder."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.data = self.folder / "data"
        self.data.mkdir()

    def measured(self, *runs: list[dict[str, Any]]) -> list[score.Pair]:
        """Writes runs, and reads them."""
        for number, rows in enumerate(runs):
            table.write(self.data / f"{number}.times.csv", table.TIMES, rows)
        return score.pairs_of(score.runs_of(self.data))


class Measured(Folder):
    """What was measured."""

    def test_runs_are_put_together_by_code(self) -> None:
        stock, again = row("a: k", "stock", "S", also="plan-01"), row("a: k", "again", "S", "1.0")
        pairs = self.measured(
            [stock, again, row("a: k", "ours", "A", "0.81", also="lsr"), row("a: k", "nolsr", "B", "1.1")],
            [stock, row("a: k", "lsr", "A", "0.64", also="cold"), row("b: k", "stock", "S", also="ours")],
        )
        self.assertEqual([(pair.kernel, pair.code, pair.variants) for pair in pairs], [("a: k", "A", ["ours", "lsr", "cold"]), ("a: k", "B", ["nolsr"])])
        self.assertAlmostEqual(pairs[0].measured, 0.72)
        self.assertAlmostEqual(pairs[0].low, 0.639)
        self.assertAlmostEqual(pairs[0].high, 0.811)
        self.assertEqual([pair.is_ours for pair in pairs], [True, False])

    def test_a_wide_interval_is_left_out_unless_the_side_is_clear(self) -> None:
        widths = {"0.5": 0.1, "1.005": 0.001, "1.01": 0.03, "0.97": 0.05}
        pairs = self.measured([row("a: k", "stock", "S"), *(row("a: k", ratio, ratio, ratio, width=width) for ratio, width in widths.items())])
        self.assertEqual([pair.code for pair in pairs if pair.is_wide(0.02)], ["1.01", "0.97"])

    def test_a_third_of_the_kernels_is_not_fitted(self) -> None:
        pairs = [score.Pair(f"a: {number}", "S", "A", [], (1, 1), []) for number in range(600)]
        count = sum(pair.set == "unfitted" for pair in pairs)
        self.assertTrue(170 < count < 230, count)
        other = [score.Pair(pair.kernel, "S", "B", [], (1, 1), []) for pair in pairs]
        self.assertEqual([pair.set for pair in pairs], [pair.set for pair in other], "all versions of a kernel are in one set")


class Ceiling(Folder):
    """What the best predictor would get."""

    RATIOS = [0.905 + 0.01 * number for number in range(20)]

    def ceilings(self, *runs: Sequence[float], width: float = 0.0002, again: str = "1.0") -> dict[str, dict[str, Any]]:
        """Measures codes of kernels of their own; by predictor the row."""
        tables = []
        for ratios in runs:
            named = [(f"a: {number}", str(ratio)) for number, ratio in enumerate(ratios)]
            rows = [one for name, ratio in named for one in (row(name, "stock", "S"), row(name, "ours", "A", ratio, width=width))]
            tables.append([*rows, row("a: 0", "again", "S", again)])
        pairs = self.measured(*tables)
        paths = sorted(self.data.glob("*.times.csv"))
        each = [(path.name[0], score.pairs_of([rows]), score_ceiling.placing(path)) for path, rows in zip(paths, score.runs_of(self.data), strict=True)]
        return {one["predictor"]: one for one in score_ceiling.ceilings(pairs, each, 20)}

    def test_without_noise_the_order_is_found(self) -> None:
        exact = self.ceilings(self.RATIOS)
        self.assertEqual((exact["measured again"]["spearman"], exact["measured again"]["wrong"]), (1.0, 0.0))
        self.assertEqual(exact["measured again"]["right"], 18, "0.995 and 1.005 have no sign")
        self.assertAlmostEqual(exact["measured again"]["mean"], math.exp(sum(math.log(one) for one in self.RATIOS[:10]) / 20))

    def test_noise_of_the_interval_and_of_the_place_costs(self) -> None:
        wide = self.ceilings(self.RATIOS, width=0.2)["measured again"]
        self.assertLess(wide["spearman"], 0.9)
        self.assertLess(wide["low"], wide["spearman"])
        self.assertEqual(self.ceilings(self.RATIOS)["measured again"]["mean"], self.ceilings(self.RATIOS, again="1.000")["measured again"]["mean"])
        # All codes are off by the same, so that the order stays and signs do not.
        self.assertLess(self.ceilings(self.RATIOS, again="1.05")["measured again"]["right"], 15)

    def test_a_larger_error_costs_more(self) -> None:
        rows = self.ceilings(self.RATIOS)
        by_error = [rows[f"off by {error:.2%}"]["spearman"] for error in score_ceiling.ERRORS]
        self.assertEqual(by_error, sorted(by_error, reverse=True))
        self.assertTrue(by_error[0] > 0.99 and by_error[-1] < 0.95, by_error)

    def test_runs_predict_each_other(self) -> None:
        self.assertEqual(self.ceilings(self.RATIOS, self.RATIOS[::-1])["1 by 0"]["spearman"], -1.0)
        same = self.ceilings(self.RATIOS, self.RATIOS[:5])["1 by 0"]
        self.assertEqual((same["pairs"], same["spearman"]), (5, 1.0))

    def test_the_command_prints_each_set(self) -> None:
        self.ceilings(self.RATIOS, self.RATIOS)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(score.main(["ceiling", "--data", str(self.data), "--draws", "5"]), 0)
        self.assertIn("all: 20 pairs of 20 kernels; 10% within 1 % of stock", out.getvalue())
        self.assertRegex(out.getvalue(), r"unfitted: \d+ pairs[^\n]*\n[^\n]*\nmeasured again +\d+ +1\.00 ")
        self.assertIn("1 by 0", out.getvalue())


class Static(unittest.TestCase):
    """What one sees in the code."""

    def test_warps_of_an_sm(self) -> None:
        self.assertEqual(score.warps_of_sm(32, 0, 256), 64)
        self.assertEqual(score.warps_of_sm(33, 0, 256), 48)
        self.assertEqual(score.warps_of_sm(255, 0, 128), 8)
        self.assertEqual(score.warps_of_sm(16, 0, 32), 32, "32 blocks")
        self.assertEqual(score.warps_of_sm(16, 100 << 10, 128), 8, "shared memory")
        self.assertEqual(score.warps_of_sm(16, 0, 768), 48, "whole blocks")

    def test_instructions_are_counted_without_those_that_fill(self) -> None:
        self.assertEqual(score.num_instructions(cubin(3 * ADD + 5 * NOP), "k"), 3)

    def test_ratios_are_to_stock(self) -> None:
        pair = score.Pair("a: k", "S", "A", [], (32, 64), [])
        found = score.static(pair, {"shared": 1000, "threads": 256}, (cubin(4 * ADD), cubin(5 * ADD, 112 << 10)))
        self.assertEqual(found, {"registers": 2.0, "occupancy": 64 / 16, "instructions": 1.25})


class Make(Folder):
    """Cubins and launches."""

    def test_a_launch_is_written(self) -> None:
        pattern = Memory(12, lambda: b"abcd")
        arguments: list[Argument] = [pattern, Memory(4, lambda: b"abcdef"), Memory(1 << 28, None, True), ("f32", 0.5), ("u64", 7), ("f64", -2.0)]
        timed = Timed(Path("a.ll"), "k", (3, 2), (64,), arguments, shared=48)
        text = launch_text(timed, self.folder, lambda data: hashlib.sha256(data).hexdigest()[:4])
        name = hashlib.sha256(b"abcd").hexdigest()[:4]
        wanted = ["kernel k", "grid 3 2", "block 64", "shared 48", f"buffer 12 repeat=../patterns/{name}.bin", f"buffer 4 in=../patterns/{name}.bin"]
        self.assertEqual(text.splitlines(), [*wanted, "buffer 268435456", "f32 0x3f000000", "u64 7", "f64 0xc000000000000000"])
        self.assertEqual((self.folder / "patterns" / f"{name}.bin").read_bytes(), b"abcd")

    def test_a_setting_of_the_plan_is_tried_as_the_first_plan_had_it(self) -> None:
        known = plan.settings(["emitter"])
        with_it = [name for name, setting in known.items() if "-nvptx-mad-wide-opt" in setting.options]
        self.assertEqual(len(with_it), 16)
        first, second = score_make.tries(with_it[0], known)
        self.assertEqual(second, known[with_it[0]])
        self.assertEqual([one for one in second.options if one not in first.options], ["-nvptx-mad-wide-opt"])
        self.assertEqual(len(list(score_make.tries("plan-01" if "plan-01" not in with_it else "plan-02", known))), 1)
        self.assertEqual(list(score_make.tries("nvcc", known)), [])

    def test_a_code_that_another_setting_gives_now_is_found_and_a_new_one_is_left_out(self) -> None:
        made: list[str] = []
        codes = {"one": b"A", "two": b"NEW", "three": b"B"}

        def ptx(_ir: Path, _cpu: str, setting: plan.Setting) -> str:
            made.append(setting.options[0])
            return setting.options[0]

        def assemble(ptx: str, _gpu: str) -> str:
            (self.folder / ptx).write_bytes(cubin(codes[ptx].ljust(16)))
            return ptx

        search = object.__new__(score_make.Search)
        digests = SimpleNamespace(digest=lambda code: code.decode().strip(), Failure=ValueError)
        compiler = SimpleNamespace(gpu="sm_90", ir=lambda source, _level: source, ptx=ptx, cubin=assemble, run=digests)
        search.compiler, search.folder, search.failed = compiler, self.folder, []  # type: ignore[assignment]
        search.settings = {name: plan.Setting(True, (name,)) for name in (*codes, "four")}
        timed = [Timed(Path("a.ll"), "k", (1,), (1,), [])]
        # `two` gave code B once, and does so no more; `three`, which also had it, still does. `four` is not needed.
        found = search.find(timed, {"a: k": {"A": ["one", "four"], "B": ["two", "three", "four"], "C": ["one"]}})
        self.assertEqual(found, {"a: k": {"A": "one", "B": "three"}})
        self.assertEqual(made, ["one", "two", "three"])


class Run(Folder):
    """The whole, with a tool that is made up."""

    def setUp(self) -> None:
        super().setUp()
        codes = {"S": 8 * ADD, "A": 7 * ADD + NOP, "B": 9 * ADD + b"slow".ljust(16), "C": ADD + b"fault".ljust(16), "F": ADD + b"error".ljust(16)}
        (self.folder / "cubins").mkdir()
        for name, code in codes.items():
            (self.folder / "cubins" / name).write_bytes(cubin(code))
        launch = {"launch": "k.launch", "digest": "d", "threads": 64, "shared": 0}
        kernels = {"a: k": {**launch, "cubins": {code: f"cubins/{code}" for code in codes}}}
        (self.folder / "made.json").write_text(json.dumps({"format": 1, "gpu": "sm_90", "kernels": kernels}), encoding="utf-8")
        self.tool = self.folder / "tool.py"
        self.tool.write_text(TOOL, encoding="utf-8")
        rows = [row("a: k", "stock", "S"), row("a: k", "ours", "A", "0.9"), row("a: k", "lsr", "B", "1.3"), row("a: k", "cold", "C", "1.2")]
        rows += [row("a: k", "no hoist", "F", "1.2"), row("a: k", "nolsr", "D", "1.2"), row("a: k", "nounroll", "E", "1.0", width=0.1)]
        self.measured([*rows, row("b: k", "stock", "S"), row("b: k", "ours", "A", "0.9")])

    def run_it(self, *more: str) -> tuple[int, str, str]:
        """Runs score.py; its status and what it says."""
        out, error = io.StringIO(), io.StringIO()
        arguments = ["run", "--folder", str(self.folder), "--data", str(self.data), "--tool", f"{sys.executable} {self.tool}", *more]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            status = score.main(arguments)
        return status, out.getvalue(), error.getvalue()

    def calls(self) -> int:
        """Counts how often the tool has predicted."""
        log = Path(f"{self.tool}.log")
        return len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0

    def test_pairs_are_scored_and_others_counted_by_their_reason(self) -> None:
        status, out, error = self.run_it("--format", "json", "--pairs", str(self.folder / "pairs.csv"))
        self.assertEqual(status, 0, error)
        self.assertIn("2 of 7 pairs are scored", error)
        for reason in ("wider than 2%", "no launch here", "not found again", "not predicted: error: .*FROB is not known", "not predicted: it waits for ever"):
            self.assertRegex(error, f"(?m)^ +1 not: .*{reason}")
        rows = json.loads(out)
        time = next(one for one in rows if (one["view"], one["set"], one["predictor"]) == ("all", "all", "time"))
        # A is predicted to take stock's time, B twice of it.
        self.assertEqual((time["pairs"], time["kernels"], time["spearman"], time["kendall"]), (2, 1, 1.0, 1.0))
        self.assertEqual((time["right_1"], time["undecided_1"], time["mean_100"]), (0.5, 0.5, 1.0))
        instructions = next(one for one in rows if (one["view"], one["set"], one["predictor"]) == ("ours", "all", "instructions"))
        self.assertEqual((instructions["pairs"], instructions["right_1"], instructions["mean_99"]), (1, 1.0, 0.9))
        always = next(one for one in rows if (one["view"], one["set"], one["predictor"]) == ("all", "all", "always ours"))
        self.assertEqual((always["mean_99"], always["slower_99"]), (0.9, 0))
        with (self.folder / "pairs.csv").open(encoding="utf-8", newline="") as file:
            pairs = list(csv.DictReader(file))
        self.assertEqual([(one["code"], one["executed"], one["time"]) for one in pairs], [("A", "0.8", "1.0"), ("B", "0.8", "2.0")])
        self.assertAlmostEqual(float(pairs[0]["error"]), math.log(1 / 0.9), 4)

    def test_a_prediction_is_made_once_for_a_tool(self) -> None:
        self.run_it()
        self.assertEqual(self.calls(), 4)
        path = self.folder / "predictions.csv"
        self.run_it()
        self.assertEqual(self.calls(), 4)
        # A row that was not written to its end does not count.
        path.write_text(path.read_text(encoding="utf-8")[:-5], encoding="utf-8")
        self.run_it()
        self.assertEqual(self.calls(), 5)
        self.tool.write_text(TOOL + "# another version\n", encoding="utf-8")
        self.run_it()
        self.assertEqual(self.calls(), 9)
        self.run_it("--with=--budget 7")
        self.assertEqual(self.calls(), 13)
        self.assertIn("--budget 7", Path(f"{self.tool}.log").read_text(encoding="utf-8").splitlines()[-1])

    def test_a_tool_that_was_ended_is_asked_again(self) -> None:
        (self.folder / "cubins" / "A").write_bytes(cubin(ADD + b"crash".ljust(16)))
        for count in (1, 2):
            status, _, error = self.run_it("--view", "ours")
            self.assertEqual((status, self.calls()), (2, count))
            self.assertIn("not predicted: ended by signal 9", error)
            self.assertIn("no pair is left", error)

    def test_tables_are_printed(self) -> None:
        status, out, _ = self.run_it("--worst", "1")
        self.assertEqual(status, 0)
        self.assertIn("all: 2 pairs of 1 kernels", out)
        self.assertRegex(out, r"time +1\.00 +1\.00 +0\.5 +0\.0 +0\.5 +0\.0 ")
        self.assertRegex(out.splitlines()[-1], r"^a: k +lsr +1\.300 \(1\.299, 1\.301\) .* 2\.000  32, 32$")

    def test_one_view_predicts_no_more_than_it_needs(self) -> None:
        _, out, error = self.run_it("--view", "ours", "--format", "csv")
        self.assertEqual({(one["view"], one["pairs"]) for one in csv.DictReader(io.StringIO(out)) if one["set"] == "all"}, {("ours", "1")})
        self.assertIn("1 of 2 pairs are scored", error)
        self.assertEqual(self.calls(), 1)

    def test_without_the_tool_the_rest_is_scored(self) -> None:
        status, out, error = self.run_it("--tool", "none", "--format", "csv")
        self.assertEqual(status, 0, error)
        self.assertEqual({one["predictor"] for one in csv.DictReader(io.StringIO(out))}, {*score.STATIC, "always ours", "perfect"})
        self.assertEqual(self.calls(), 0)

    def test_what_is_missing_is_one_line(self) -> None:
        for arguments, wanted in {
            ("--tool", "no-such-tool"): "no-such-tool: no such program",
            ("--tool", "false"): "false has no command `time`",
            ("--by", "luck"): "--by luck: there are registers",
            ("none.of.them",): "nothing was measured of none.of.them",
        }.items():
            status, _, error = self.run_it(*arguments)
            self.assertEqual(status, 2)
            self.assertIn(f"score.py: {wanted}", error)
        (self.folder / "made.json").unlink()
        self.assertIn("made.json is not there: score.py make", self.run_it()[2])
        with self.assertRaises(Failure):
            score.runs_of(self.folder)


class Parsed(unittest.TestCase):
    """The command line."""

    def test_make_has_one_plugin_or_several(self) -> None:
        options: argparse.Namespace = score.parse(["make", "22", "--plugin", "a.so", "--plugin", "b.so"])
        self.assertEqual(options.plugin, [Path("a.so"), Path("b.so")])


if __name__ == "__main__":
    unittest.main()
