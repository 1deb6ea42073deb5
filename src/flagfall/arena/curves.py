"""Curves as inline SVG: numbers over iterations, chances against results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from flagfall.arena.plots import svg

Curve = Sequence[tuple[float, float]]
_COLOURS = ("#4a7ab5", "#c8663c", "#3f9467", "#8a5aa8", "#a8862b", "#5b8f99", "#b5527a", "#7a7a7a")
_LEFT, _TOP, _WIDE, _HIGH, _NAMES = 70, 10, 500, 150, 200


def lines(series: Sequence[tuple[str, Curve]], label: str, level: float | None = None) -> str:
    """Curves with their names, points from left to right; a ``level`` is drawn dashed."""
    points = [point for _, curve in series for point in curve]
    if not points:
        return "<p>Nothing yet.</p>"
    heights = [y for _, y in points] + ([] if level is None else [level])
    axes = _Axes(*_room([x for x, _ in points]), *_room(heights))
    drawn = [axes.drawn()]
    if level is not None:
        ends = f"M{axes.place(axes.left, level)}L{axes.place(axes.right, level)}"
        drawn.append(
            f'<path d="{ends}" stroke="currentColor" stroke-dasharray="4" fill="none" opacity=".5"/>'
        )
    has_names = len(series) > 1
    for at, (name, curve) in enumerate(series):
        colour = _COLOURS[at % len(_COLOURS)]
        drawn.append(_curve(axes, name, curve, colour))
        if has_names:
            where = f'x="{_LEFT + _WIDE + 10}" y="{_TOP + 14 + 17 * at}"'
            drawn.append(f'<text {where} style="fill:{colour}">{escape(name)}</text>')
    width = _LEFT + _WIDE + (_NAMES if has_names else 20)
    return svg(width, max(_TOP + _HIGH + 25, 30 + 17 * len(series)), "".join(drawn), label)


@dataclass(frozen=True)
class _Axes:
    left: float
    right: float
    low: float
    high: float

    def place(self, x: float, y: float) -> str:
        """A point of the drawing."""
        across, up = (x - self.left) / (self.right - self.left), (y - self.low) / (self.high - self.low)
        return f"{_LEFT + _WIDE * across:.1f},{_TOP + _HIGH * (1 - up):.1f}"

    def drawn(self) -> str:
        """Two lines and four numbers."""
        foot = _TOP + _HIGH
        return (
            f'<path d="M{_LEFT} {_TOP}v{_HIGH}h{_WIDE}" stroke="currentColor" fill="none"/>'
            f'<text x="{_LEFT - 6}" y="{_TOP + 10}" text-anchor="end">{self.high:.4g}</text>'
            f'<text x="{_LEFT - 6}" y="{foot}" text-anchor="end">{self.low:.4g}</text>'
            f'<text x="{_LEFT}" y="{foot + 18}">{self.left:.4g}</text>'
            f'<text x="{_LEFT + _WIDE}" y="{foot + 18}" text-anchor="end">{self.right:.4g}</text>'
        )


def _curve(axes: _Axes, name: str, curve: Curve, colour: str) -> str:
    title = f"<title>{escape(name)}</title>"
    places = [axes.place(x, y) for x, y in curve]
    if len(places) == 1:
        x, y = places[0].split(",")
        return f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}">{title}</circle>'
    path = " ".join(places)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6">{title}</polyline>'


def _room(values: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest value, apart in any case."""
    low, high = min(values), max(values)
    if low == high:
        wider = max(abs(low) * 0.05, 1e-6)
        return low - wider, high + wider
    return low, high
