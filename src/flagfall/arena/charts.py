"""Reports as single HTML files without scripts: pages, tables, and plots as inline SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --faint: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
td.cell { color: #111; }
svg { max-width: 100%; height: auto; }
svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
figure { margin: 1.5rem 0; } figcaption { color: #888; }
"""


def page(title: str, parts: Iterable[str]) -> str:
    """A whole page; the parts are HTML."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; the cells are plain text."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{lines}</table>"


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


Curve = Sequence[tuple[float, float]]
_COLOURS = ("#4a7ab5", "#c8663c", "#3f9467", "#8a5aa8", "#a8862b", "#5b8f99", "#b5527a", "#7a7a7a")
_LEFT, _TOP, _WIDE, _HIGH, _NAMES = 70, 10, 500, 150, 200


def lines(series: Sequence[tuple[str, Curve]], label: str, level: float | None = None) -> str:
    """Curves with their names, points from left to right; a ``level`` is drawn dashed."""
    points = [point for _, curve in series for point in curve]
    if not points:
        return "<p>Nothing yet.</p>"
    heights = [y for _, y in points] + ([] if level is None else [level])
    axes = _Axes(*_range_of([x for x, _ in points]), *_range_of(heights))
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


def _range_of(values: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest value, apart in any case."""
    low, high = min(values), max(values)
    if low == high:
        wider = max(abs(low) * 0.05, 1e-6)
        return low - wider, high + wider
    return low, high
