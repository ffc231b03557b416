"""Draws predicted ratios of time over measured ones, as SVG.

    python3 tests/gpu/score_picture.py PAIRS.csv OUT.svg      PAIRS.csv is what `score.py run --pairs` writes

Problem. A correlation hides which kernels are told wrong, and by how much.

Method. A dot for each pair of --pairs. Both axes are logarithmic and alike, so that the diagonal is a perfect prediction; quarters where both go the
same way are white, the others grey. Dots of the third that nothing was fitted to are filled. The title of a dot names its kernel.

Source. None. Deviation: none. Complexity: linear.
"""

from __future__ import annotations

import csv
import html
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SIZE, EDGE = 560, 56
LOW, HIGH = 0.7, 1.3
TICKS = [0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3]


def place(ratio: float) -> float:
    """Gives the distance of a ratio along an axis; what lies outside is put at its end."""
    inside = min(max(ratio, LOW), HIGH)
    return EDGE + (SIZE - 2 * EDGE) * math.log(inside / LOW) / math.log(HIGH / LOW)


def picture(pairs: Sequence[Mapping[str, str]]) -> str:
    """Draws pairs."""
    one, far = place(1), SIZE - EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" font-family="sans-serif" font-size="12">',
        f'<rect width="{SIZE}" height="{SIZE}" fill="#fff"/>',
        # Predicted faster and measured slower, and the other way round.
        f'<rect x="{one}" y="{SIZE - one}" width="{far - one}" height="{one - EDGE}" fill="#f0f0f0"/>',
        f'<rect x="{EDGE}" y="{EDGE}" width="{one - EDGE}" height="{far - one}" fill="#f0f0f0"/>',
    ]
    for tick in TICKS:
        at = place(tick)
        parts.append(f'<path d="M{at} {EDGE}V{far}M{EDGE} {SIZE - at}H{far}" stroke="#ddd"/>')
        parts.append(f'<text x="{at}" y="{far + 18}" text-anchor="middle">{tick:.1f}</text>')
        parts.append(f'<text x="{EDGE - 8}" y="{SIZE - at + 4}" text-anchor="end">{tick:.1f}</text>')
    parts.append(f'<path d="M{EDGE} {far}L{far} {EDGE}" stroke="#888" stroke-dasharray="4 4"/>')
    for pair in pairs:
        x, y = place(float(pair["measured"])), SIZE - place(float(pair["time"]))
        fill = "#1f77b4" if pair["set"] == "unfitted" else "none"
        title = html.escape(f"{pair['kernel']}: measured {float(pair['measured']):.3f}, predicted {float(pair['time']):.3f}")
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="#1f77b4" stroke-width="1.5"><title>{title}</title></circle>')
    parts += [
        f'<text x="{SIZE / 2}" y="{SIZE - 12}" text-anchor="middle">measured on a GPU: time, stock is 1</text>',
        f'<text transform="translate(16 {SIZE / 2}) rotate(-90)" text-anchor="middle">predicted</text>',
        f'<circle cx="{EDGE + 12}" cy="{EDGE - 30}" r="4" fill="none" stroke="#1f77b4" stroke-width="1.5"/>',
        f'<text x="{EDGE + 22}" y="{EDGE - 26}">may be fitted to</text>',
        f'<circle cx="{EDGE + 150}" cy="{EDGE - 30}" r="4" fill="#1f77b4" stroke="#1f77b4"/>',
        f'<text x="{EDGE + 160}" y="{EDGE - 26}">was not fitted to</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Draws what a file has."""
    if len(arguments) != 2:
        print(__doc__)
        return 2
    source, target = map(Path, arguments)
    with source.open(encoding="utf-8", newline="") as file:
        pairs = list(csv.DictReader(file))
    target.write_text(picture(pairs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
