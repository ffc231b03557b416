"""Says how well predicted ratios of time agree with measured ones.

Problem. Which of two versions of a kernel is faster matters, and which kernels gain most; not microseconds. Some kernels have one version that was
measured, others have thirty.

Method. An item has a kernel, the logarithms of a measured and of a predicted ratio to stock's time, and a weight, so that each kernel can weigh the
same. Spearman: the correlation of weighted midranks. Kendall: tau-b, each pair of items with the product of their weights. Signs at a percentage: of
the items that are measured further away than that, how many are predicted to be so to the same side (right), to the other (wrong), or to none
(undecided); of those that are measured nearer, how many are predicted further away (alarms). Choosing: each kernel gets the version that is predicted
to be the fastest, if its prediction is below a limit, else stock's; where several are predicted alike, the mean of their logarithms counts.

Source. Kendall, "Rank Correlation Methods", chapters 1 to 3. Deviation: the weights. With equal ones it is the textbook's.
Complexity. n log n; Kendall n^2.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

SLOWER = 0.01
"""How much more time than stock's a chosen version takes that counts as slower."""


@dataclass(frozen=True)
class Item:
    """A version of a kernel: the logarithms of its measured and its predicted ratio to stock."""

    kernel: str
    measured: float
    predicted: float
    weight: float = 1.0


@dataclass(frozen=True)
class Signs:
    """How much weight is predicted to the right side, to the wrong one, to none, and to one although there is nothing to see."""

    right: float
    wrong: float
    undecided: float
    alarms: float


@dataclass(frozen=True)
class Choice:
    """What choosing gives: the geometric mean of the ratios to stock, and how many kernels are slower."""

    mean: float
    slower: int


def ranks(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Finds the rank of each value: the weight of all that are smaller, and half of that of its equals."""
    of: defaultdict[float, float] = defaultdict(float)
    for value, weight in zip(values, weights, strict=True):
        of[value] += weight
    rank: dict[float, float] = {}
    below = 0.0
    for value in sorted(of):
        rank[value] = below + of[value] / 2
        below += of[value]
    return [rank[value] for value in values]


def spearman(items: Sequence[Item]) -> float | None:
    """Computes the correlation of ranks; `None` if one side is all alike."""
    weights = [item.weight for item in items]
    total = sum(weights)
    sides = [ranks([item.measured for item in items], weights), ranks([item.predicted for item in items], weights)]
    # The mean of midranks is half of the weight.
    x, y = ([rank - total / 2 for rank in side] for side in sides)

    def product(a: list[float], b: list[float]) -> float:
        return sum(w * p * q for w, p, q in zip(weights, a, b, strict=True))

    spread = product(x, x) * product(y, y)
    return product(x, y) / math.sqrt(spread) if spread > 1e-18 * total**6 else None


def kendall(items: Sequence[Item]) -> float | None:
    """Computes tau-b; `None` if one side is all alike."""
    agree = by_measured = by_predicted = 0.0
    for number, one in enumerate(items):
        for other in items[:number]:
            weight = one.weight * other.weight
            measured, predicted = one.measured - other.measured, one.predicted - other.predicted
            if measured:
                by_measured += weight
            if predicted:
                by_predicted += weight
            if measured and predicted:
                agree += weight if (measured > 0) == (predicted > 0) else -weight
    spread = by_measured * by_predicted
    return agree / math.sqrt(spread) if spread else None


def side(logarithm: float, part: float) -> int:
    """Finds whether a ratio is further below 1 than a part of it (-1), further above (1), or near (0)."""
    limit = math.log1p(part)
    return (logarithm > limit) - (logarithm < -limit)


def signs(items: Sequence[Item], part: float) -> Signs:
    """Compares the sides of both ratios."""
    right = wrong = undecided = alarms = 0.0
    for item in items:
        measured, predicted = side(item.measured, part), side(item.predicted, part)
        if not measured:
            alarms += item.weight * abs(predicted)
        elif not predicted:
            undecided += item.weight
        elif measured == predicted:
            right += item.weight
        else:
            wrong += item.weight
    return Signs(right, wrong, undecided, alarms)


def by_kernel(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Groups items."""
    of: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        of[item.kernel].append(item)
    return of


def together(logarithms: Sequence[float]) -> Choice:
    """Sums up what the kernels got."""
    mean = math.exp(sum(logarithms) / len(logarithms)) if logarithms else math.nan
    return Choice(mean, sum(one > math.log1p(SLOWER) for one in logarithms))


def chosen(items: Sequence[Item], below: float) -> Choice:
    """Chooses by prediction."""
    got: list[float] = []
    for versions in by_kernel(items).values():
        best = min(item.predicted for item in versions)
        alike = [item.measured for item in versions if item.predicted == best]
        got.append(sum(alike) / len(alike) if best < math.log(below) else 0.0)
    return together(got)


def perfect(items: Sequence[Item]) -> Choice:
    """Chooses by what was measured."""
    return together([min(0.0, *(item.measured for item in versions)) for versions in by_kernel(items).values()])
