"""Small plots as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_LABELS = 170
_LONG_LABELS = 300
_PLOT = 500
_ROW = 30
_BINS = 24


def shade(score: float) -> str:
    """A background for a score: red for 0, white for a half, green for 1.

    >>> shade(0.5), shade(1.0)
    ('rgb(255,255,255)', 'rgb(120,200,130)')
    """
    end = (120, 200, 130) if score >= 0.5 else (230, 120, 110)
    part = min(1.0, abs(score - 0.5) * 2)
    red, green, blue = (round(255 + (channel - 255) * part) for channel in end)
    return f"rgb({red},{green},{blue})"


def bars(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """One bar a row, from the lowest bound on, with its interval: name, value, low, high."""
    if not rows:
        return ""
    least = min(low for _, _, low, _ in rows) - 20.0
    most = max(high for _, _, _, high in rows) + 20.0
    scale = _PLOT / (most - least)
    height = _ROW * len(rows) + 10
    drawn = []
    for at, (name, value, low, high) in enumerate(rows):
        y = _ROW * at + 5
        x, left, right = (_LABELS + scale * (each - least) for each in (value, low, high))
        drawn.append(
            f'<text x="{_LABELS - 8}" y="{y + 17}" text-anchor="end">{escape(name[:24])}</text>'
            f'<rect x="{_LABELS}" y="{y + 2}" width="{max(x - _LABELS, 1):.1f}" height="18" fill="#4a7ab5"/>'
            f'<path d="M{left:.1f} {y + 11}H{right:.1f}M{left:.1f} {y + 6}v10M{right:.1f} {y + 6}v10" '
            f'stroke="currentColor" stroke-width="1.5" fill="none"/>'
            f'<text x="{right + 8:.1f}" y="{y + 16}">{value:+.0f}</text>'
        )
    return svg(_LABELS + _PLOT + 60, height, "".join(drawn), "ratings with intervals")


Share = tuple[str, float, float, float, float | None, float | None]
"""name, share, its interval, and the bounds that are asked for"""


def shares(rows: Sequence[Share]) -> str:
    """One bar a row from nothing to everything, with its interval; marks show what is asked for."""
    drawn = []
    for at, (name, value, low, high, *asked) in enumerate(rows):
        y = _ROW * at + 5
        left, right = _LONG_LABELS + _PLOT * low, _LONG_LABELS + _PLOT * high
        marks = "".join(
            f'<path d="M{_LONG_LABELS + _PLOT * bound:.1f} {y}v22" stroke="#d2691e" stroke-width="3"/>'
            for bound in asked
            if bound is not None
        )
        drawn.append(
            f'<text x="{_LONG_LABELS - 8}" y="{y + 17}" text-anchor="end">{escape(name[:44])}</text>'
            f'<rect x="{_LONG_LABELS}" y="{y + 2}" width="{_PLOT * value:.1f}" height="18" fill="#4a7ab5"/>'
            f'<path d="M{left:.1f} {y + 11}H{right:.1f}M{left:.1f} {y + 6}v10M{right:.1f} {y + 6}v10" '
            f'stroke="currentColor" stroke-width="1.5" fill="none"/>{marks}'
            f'<text x="{_LONG_LABELS + _PLOT + 8}" y="{y + 16}">{100 * value:.1f} %</text>'
        )
    return svg(_LONG_LABELS + _PLOT + 70, _ROW * len(rows) + 10, "".join(drawn), "shares of games won")


def histogram(values: Sequence[int], unit: str) -> str:
    """How often values of each size occur."""
    if not values:
        return "<p>No games.</p>"
    step = max(1, -(-(max(values) + 1) // _BINS))
    counts = [0] * (max(values) // step + 1)
    for value in values:
        counts[value // step] += 1
    top, width = max(counts), _PLOT / len(counts)
    drawn = []
    for at, count in enumerate(counts):
        high = 140 * count / top
        title = f"{at * step}–{(at + 1) * step - 1} {unit}: {count}"
        drawn.append(
            f'<rect x="{40 + at * width:.1f}" y="{150 - high:.1f}" width="{max(width - 1, 1):.1f}" '
            f'height="{high:.1f}" fill="#4a7ab5"><title>{escape(title)}</title></rect>'
        )
    drawn.append(f'<path d="M40 150H{40 + _PLOT}" stroke="currentColor"/>')
    drawn.append(f'<text x="40" y="168">0</text><text x="32" y="20" text-anchor="end">{top}</text>')
    right = f"{len(counts) * step} {escape(unit)}"
    drawn.append(f'<text x="{40 + _PLOT}" y="168" text-anchor="end">{right}</text>')
    return svg(_PLOT + 60, 175, "".join(drawn), f"histogram of {unit}")


def svg(width: float, height: float, content: str, label: str) -> str:
    """A drawing with its label."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">{content}</svg>'
    )
