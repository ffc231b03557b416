"""Says how well a predictor of time could do at best on what was measured: `score.py ceiling`.

Problem. Measured ratios have noise, and half of them are nearer to 1 than 1 %. A low rank correlation may be the predictor's fault or the data's.

Method. Three kinds of predictors that know the measured ratios stand in for one that is made. *Measured again*: each run's ratio is drawn anew, from the normal
distribution of its interval, times the ratio of stock's second cubin to stock in that run, of a kernel drawn by chance: how far the same code is off in another place of
memory. *NAME by NAME*: the ratios of one run predict those of another. *Off by e*: the measured ratio times a normal error of that size, independent for each
code. Of what is drawn, the median of the draws and the ends of their 90 % are given.

Source. None. Deviation: what was measured has the noise already, so that *measured again* has it twice, and the true ceiling is a little higher.
Complexity: that of a score, times the draws.
"""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import score_rank
import table
from samples import geometric_mean
from score_rank import Item

if TYPE_CHECKING:
    from score import Pair

ERRORS = [0.0025, 0.005, 0.01, 0.02, 0.04]
"""Standard deviations of logarithms that predictors are off by."""
NORMAL = 2 * 1.96
"""The width of a normal distribution's interval of 95 %, in standard deviations."""
PART = 0.01
"""From where on a ratio has a sign."""


def placing(path: Path) -> list[float]:
    """Reads the ratios of stock's second cubin to stock in a run; 1 if there is none."""
    rows = [row for row in table.read(path, table.TIMES) if row["variant"] == "again" and row["stock"]]
    return [float(row["stock"]) for row in rows] or [1.0]


def drawn_again(pair: Pair, places: Sequence[Sequence[float]], rng: random.Random) -> float:
    """Draws the ratio that measuring it again would give."""
    found = []
    for number, (ratio, low, high) in enumerate(pair.ratios):
        normal = rng.gauss(0, math.log(high / low) / NORMAL)
        found.append(ratio * math.exp(normal) * rng.choice(places[number % len(places)]))
    return geometric_mean(found)


def key_of(pair: Pair) -> tuple[str, str, str]:
    """Names a pair."""
    return pair.kernel, pair.stock, pair.code


def items_of(pairs: Sequence[Pair], measured: Sequence[float], predicted: Sequence[float]) -> list[Item]:
    """Makes items of which each kernel weighs the same."""
    counts = Counter(pair.kernel for pair in pairs)
    both = zip(pairs, measured, predicted, strict=True)
    return [Item(pair.kernel, math.log(one), math.log(other), 1 / counts[pair.kernel]) for pair, one, other in both]


def row_of(name: str, pairs: Sequence[Pair], drawn: Sequence[Sequence[Item]]) -> dict[str, Any]:
    """Describes predictions of the same pairs, one for each draw."""
    found = sorted(one for items in drawn if (one := score_rank.spearman(items)) is not None) or [math.nan]
    signs = [score_rank.signs(items, PART) for items in drawn]
    choices = [math.log(score_rank.chosen(items, 1.0).mean) for items in drawn]
    edge = int(0.05 * len(found))
    return {
        **{"predictor": name, "pairs": len(pairs), "kernels": len({pair.kernel for pair in pairs})},
        **{"spearman": statistics.median(found), "low": found[edge], "high": found[-1 - edge]},
        **{"right": statistics.mean(one.right for one in signs), "wrong": statistics.mean(one.wrong for one in signs)},
        "mean": math.exp(statistics.mean(choices)),
    }


def ceilings(pairs: Sequence[Pair], runs: Sequence[tuple[str, Sequence[Pair], Sequence[float]]], draws: int) -> list[dict[str, Any]]:
    """Scores what knows the measured ratios. Each run has a name, its own pairs, and the ratios of stock's second cubin."""
    rng = random.Random(1)
    measured = [pair.measured for pair in pairs]
    places = [ratios for _, _, ratios in runs]
    again = [items_of(pairs, measured, [drawn_again(pair, places, rng) for pair in pairs]) for _ in range(draws)]
    rows = [row_of("measured again", pairs, again)]
    known = [(name, {key_of(pair): pair.measured for pair in own}) for name, own, _ in runs]
    for number, (name, own) in enumerate(known):
        for other, further in known[:number]:
            both = [pair for pair in pairs if key_of(pair) in own and key_of(pair) in further]
            if both:
                items = items_of(both, *([of[key_of(pair)] for pair in both] for of in (own, further)))
                rows.append(row_of(f"{name} by {other}", both, [items]))
    for error in ERRORS:
        off = [items_of(pairs, measured, [one * math.exp(rng.gauss(0, error)) for one in measured]) for _ in range(draws)]
        rows.append(row_of(f"off by {error:.2%}", pairs, off))
    return rows


def print_ceilings(rows: Sequence[dict[str, Any]]) -> None:
    """Prints a table for each set."""
    for name in dict.fromkeys(row["set"] for row in rows):
        of = [row for row in rows if row["set"] == name]
        print(f"\n{name}: {of[0]['pairs']} pairs of {of[0]['kernels']} kernels; {of[0]['near']:.0%} within 1 % of stock")
        print(f"{'predictor':24}{'pairs':>6}{'Spearman':>10}{'from':>7}{'to':>7}{'right':>7}{'wrong':>7}{'mean':>9}")
        for row in of:
            numbers = f"{row['spearman']:10.2f}{row['low']:7.2f}{row['high']:7.2f}{row['right']:7.1f}{row['wrong']:7.1f}{row['mean']:9.4f}"
            print(f"{row['predictor']:24}{row['pairs']:6}{numbers}")
