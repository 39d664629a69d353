"""Curves over a logarithmic axis as a picture: an SVG of our own, without a library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

PANEL_W, PANEL_H = 300, 220
LEFT, TOP, GAP, BOTTOM = 52, 84, 40, 56
COLOURS = ("#2166ac", "#b2580a", "#5a5a5a")
"""Blue, brown and grey, which colour-blind people tell apart."""


class Curve(NamedTuple):
    """Points from left to right."""

    name: str
    points: Sequence[tuple[float, float]]


class Panel(NamedTuple):
    """Curves with a common height, which reaches from 0 to a round number, or over decades where it is `is_log`."""

    title: str
    curves: Sequence[Curve]
    is_log: bool = False


def svg(title: str, about: str, below: str, panels: Sequence[Panel]) -> str:
    """Draw panels beside each other; *below* names what grows to the right."""
    width = LEFT + len(panels) * (PANEL_W + GAP)
    height = TOP + PANEL_H + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="16" y="24" font-size="16" font-weight="600">{escape(title)}</text>',
        f'<text x="16" y="44" fill="#555">{escape(about)}</text>',
    ]
    for i, panel in enumerate(panels):
        parts += _panel(LEFT + i * (PANEL_W + GAP), panel, below)
    return "\n".join([*parts, "</svg>", ""])


def _panel(left: int, panel: Panel, below: str) -> list[str]:
    xs = sorted({x for curve in panel.curves for x, _ in curve.points})
    ticks = _ticks([y for curve in panel.curves for _, y in curve.points], is_log=panel.is_log)
    low, high = ticks[0], ticks[-1]

    def across(x: float) -> float:
        return left + 12 + (PANEL_W - 40) * (math.log(x / xs[0]) / math.log(xs[-1] / xs[0]) if len(xs) > 1 else 0.5)

    def down(y: float) -> float:
        share = math.log(y / low) / math.log(high / low) if panel.is_log else (y - low) / (high - low)
        return TOP + PANEL_H * (1 - share)

    parts = [f'<text x="{left}" y="{TOP - 14}" font-weight="600">{escape(panel.title)}</text>']
    for tick in ticks:
        y = down(tick)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + PANEL_W - 16}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{tick:,g}</text>')
    for x in xs:
        parts.append(f'<text x="{across(x):.1f}" y="{TOP + PANEL_H + 18}" text-anchor="middle" fill="#555">{x:,.0f}</text>')
    parts.append(f'<text x="{left + PANEL_W // 2}" y="{TOP + PANEL_H + 40}" text-anchor="middle" fill="#555">{escape(below)}</text>')
    # Names stand at the right: above where the curves end low, else below.
    is_low = all(down(curve.points[-1][1]) > TOP + PANEL_H / 2 for curve in panel.curves)
    for i, curve in enumerate(panel.curves):
        colour = COLOURS[i % len(COLOURS)]
        where = [(across(x), down(y)) for x, y in curve.points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in where)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in where]
        at = 16 + 16 * i if is_low else PANEL_H - 10 - 16 * (len(panel.curves) - 1 - i)
        parts.append(f'<text x="{left + PANEL_W - 22}" y="{TOP + at}" text-anchor="end" fill="{colour}">{escape(curve.name)}</text>')
    return parts


def _ticks(values: Sequence[float], *, is_log: bool) -> list[float]:
    """Choose round numbers around all values."""
    if is_log:
        first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return [10.0**exponent for exponent in range(first, max(last, first + 1) + 1)]
    step = 10 ** math.floor(math.log10(max(values)))
    step = next(step * part for part in (0.2, 0.5, 1, 2) if max(values) / (step * part) <= 6)
    return [step * i for i in range(math.ceil(max(values) / step) + 1)]
