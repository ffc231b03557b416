"""Plans which settings are timed to find what each stage, LoopStrengthReduce and three options do to time.

Problem. Leaving out one stage at a time says what it does where all others run. It says nothing of it without them, as two stages may do the same work.
All combinations of thirteen switches are 8,192.

Method. `FACTORS` are the switches, each with two levels, + and -. The plan has 32 settings: a fractional factorial plan 2^(13-9) of resolution III
and its foldover, in which every switch is the other way round. In the base A, B, C and D take all 16 combinations, and the others are products:

    E = ABC   F = ABD   G = ACD   H = BCD   J = ABCD   K = AB   L = AC   M = AD   N = BC

The effect of a switch is the mean of the logarithms of time over the 16 settings with +, less that over the 16 with -. With the foldover the plan has
resolution IV: no effect of one switch is mixed with that of two together, but with those of three. test_table.py proves it.
The first 16 alone are the base: where time is short they say which switches matter, but an effect is then mixed with those of some pairs.

Source. Box, Hunter and Hunter, "Statistics for Experimenters", second edition, chapter 6: the generators of 2^(13-9), foldover.
Deviation: none. Complexity: constant.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

STAGES = ["short-addresses", "fold-addresses", "induction", "wide-phis", "hoist", "remat", "sink", "cssa", "nvptx-coalescer"]
"""The stages that can be left out one by one: level - is without it. Stages that came after the plan (`unroll`, `flush`) always run."""
OPTIONS: dict[str, tuple[str | None, str | None]] = {
    "lsr": ("-ptx-lsr", "-disable-lsr"),
    "pressure": ("-ptx-emit-order=pressure", None),
    "nounroll": ("-ptx-nounroll=all", None),
    "mad-wide": ("-nvptx-mad-wide-opt", None),
}
"""The switches that are options, with what llc gets for + and for -. LoopStrengthReduce changes all loops or none: left to itself
the plugin chooses the loops, but only with `induction`, so that one switch would hang on another one. `mad-wide` is LLVM's own, from 22 on."""
FACTORS = [*STAGES, *OPTIONS]
GENERATORS = ["A", "B", "C", "D", "ABC", "ABD", "ACD", "BCD", "ABCD", "AB", "AC", "AD", "BC"]
"""By switch the columns of the base that are multiplied."""
BASE = 16
"""The settings of the base."""


@dataclass(frozen=True)
class Setting:
    """How llc is called: whether with the plugin, and its options."""

    is_ours: bool
    options: Sequence[str] = ()


def levels() -> list[dict[str, int]]:
    """Gives the settings of the plan: by switch 1 for +, -1 for -. The second half is the foldover of the first."""
    made: list[dict[str, int]] = []
    for side in (1, -1):
        for base in itertools.product((1, -1), repeat=4):
            column = dict(zip("ABCD", base, strict=True))
            values = [side * math.prod(column[letter] for letter in word) for word in GENERATORS]
            made.append(dict(zip(FACTORS, values, strict=True)))
    return made


def name(number: int) -> str:
    """Names a setting of the plan."""
    return f"plan-{number:02}"


def settings(passes: Sequence[str]) -> dict[str, Setting]:
    """Gives the settings by their names; `passes` are all passes and stages of the plugin."""
    made: dict[str, Setting] = {}
    for number, level in enumerate(levels()):
        chosen = [one for one in passes if level.get(one, 1) == 1 or one in OPTIONS]
        options = [sides[0 if level[factor] == 1 else 1] for factor, sides in OPTIONS.items()]
        made[name(number)] = Setting(True, ("-ptx-passes=" + ",".join(chosen), *[option for option in options if option is not None]))
    return made
