"""The matrix of a contest as a picture: an SVG of our own, without a library."""
from __future__ import annotations

from xml.sax.saxutils import escape

from kozyr.arena.external import label_of
from kozyr.arena.figures import Mean, mean_of
from kozyr.arena.runs import Contest, Results
from kozyr.core.options import format_options

CELL_W, CELL_H = 92, 44
TOP, MARGIN, LETTER = 96, 16, 8
WIN, LOSS = (33, 102, 172), (178, 88, 6)
"""Blue and brown, which colour-blind people tell apart."""


def svg(contest: Contest, results: Results) -> str:
    """Draw the score of each row against each column: a cell with the per cent and the 95 % error, the bluer the better."""
    names = [label_of(player) for player in contest.players]
    left = MARGIN + LETTER * max(map(len, names)) + 12
    width = max(left + CELL_W * len(names) + MARGIN, 560)
    height = TOP + CELL_H * len(names) + MARGIN
    about = f"{format_options(contest.rules.differences())}; up to {contest.deals} deals a pair with all seats rotated, seed {contest.seed}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="14">',
        f"<title>{escape(' '.join(names))}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{MARGIN}" y="26" font-size="16" font-weight="600">Score of the row against the column, %, ± 95 %</text>',
        f'<text x="{MARGIN}" y="48" fill="#555" font-size="12">{escape(about)}</text>',
    ]
    for i, name in enumerate(names):
        parts.append(f'<text x="{left + CELL_W * i + CELL_W // 2}" y="{TOP - 10}" text-anchor="middle">{escape(name)}</text>')
        parts.append(f'<text x="{left - 10}" y="{TOP + CELL_H * i + CELL_H // 2 + 5}" text-anchor="end">{escape(name)}</text>')
    for i, player in enumerate(contest.players):
        for j, other in enumerate(contest.players):
            parts += _cell(left + CELL_W * j, TOP + CELL_H * i, None if i == j else mean_of(results.of(player, other)))
    return "\n".join([*parts, "</svg>", ""])


def _cell(x: int, y: int, mean: Mean | None) -> list[str]:
    """Draw one score; None is a player against itself."""
    if mean is None or not mean.n:
        return [f'<rect x="{x}" y="{y}" width="{CELL_W}" height="{CELL_H}" fill="#eee" stroke="#fff"/>']
    colour = shade(mean.value)
    text = "#fff" if abs(mean.value - 0.5) > 0.3 else "#000"
    words = f"{100 * mean.value:.1f}" + (f" ± {100 * mean.error:.1f}" if mean.n > 1 else "")
    return [
        f'<rect x="{x}" y="{y}" width="{CELL_W}" height="{CELL_H}" fill="{colour}" stroke="#fff"/>',
        f'<text x="{x + CELL_W // 2}" y="{y + CELL_H // 2 + 5}" text-anchor="middle" fill="{text}">{words}</text>',
    ]


def shade(value: float) -> str:
    """Return the colour of a score: white for half, blue for one, brown for nought."""
    far = min(1.0, abs(value - 0.5) * 2)
    end = WIN if value >= 0.5 else LOSS
    return "#" + "".join(f"{round(255 + (part - 255) * far):02x}" for part in end)
