"""Reports as single HTML files without scripts: pages, tables, and charts as inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from flagfall.sides import Side

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


def page(title: str, parts: Iterable[str], style: str = _STYLE) -> str:
    """Return a whole page; the parts are HTML."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>'
        f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; the cells are plain text."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{lines}</table>"


def figure(plot: str, caption: str) -> str:
    """Return a plot with its caption."""
    return f"<figure>{plot}<figcaption>{escape(caption)}</figcaption></figure>"


def svg(width: float, height: float, content: str, label: str) -> str:
    """Return a drawing with its text alternative."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">{content}</svg>'
    )


def shade(score: float) -> str:
    """Return a background for a score: red for 0, white for a half, green for 1.

    >>> shade(0.5), shade(1.0)
    ('rgb(255,255,255)', 'rgb(120,200,130)')
    """
    end = (120, 200, 130) if score >= 0.5 else (230, 120, 110)
    part = min(1.0, abs(score - 0.5) * 2)
    red, green, blue = (round(255 + (channel - 255) * part) for channel in end)
    return f"rgb({red},{green},{blue})"


# ---------------------------------------------------------------------- bars and histograms

_LABELS, _LONG_LABELS = 170, 300
_PLOT = 500
_ROW = 30
_BINS = 24


def bars(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Draw one bar per row, with its interval: name, value, low, high."""
    if not rows:
        return ""
    start = min(low for _, _, low, _ in rows) - 20.0
    scale = _PLOT / (max(high for _, _, _, high in rows) + 20.0 - start)
    drawn = []
    for number, (name, value, low, high) in enumerate(rows):
        x, left, right = (scale * (each - start) for each in (value, low, high))
        drawn.append(_bar(_LABELS, number, name[:24], max(x, 1), left, right))
        drawn.append(_bar_text(_LABELS + right + 8, number, f"{value:+.0f}"))
    return svg(_LABELS + _PLOT + 60, _ROW * len(rows) + 10, "".join(drawn), "ratings with intervals")


def signed_bars(rows: Sequence[tuple[str, float, float, float]], label: str) -> str:
    """Draw one bar per row, on its side of zero, with its interval: name, value, low, high."""
    if not rows:
        return ""
    lowest, highest = min(0.0, *(low for _, _, low, _ in rows)), max(0.0, *(high for _, _, _, high in rows))
    scale = _PLOT / max(highest - lowest, 1e-9)
    zero = _LABELS - scale * lowest
    drawn = [f'<path d="M{zero:.1f} 0V{_ROW * len(rows) + 8}" stroke="currentColor" stroke-width="0.7"/>']
    for number, (name, value, low, high) in enumerate(rows):
        left = zero + scale * min(value, 0.0)
        start, end = (zero + scale * bound - left for bound in (low, high))
        drawn.append(_bar(left, number, name, scale * abs(value), start, end, _LABELS))
        drawn.append(_bar_text(_LABELS + _PLOT + 8, number, f"{value:+.1f}"))
    return svg(_LABELS + _PLOT + 70, _ROW * len(rows) + 10, "".join(drawn), label)


Share = tuple[str, float, float, float, float | None, float | None]
"""name, share, its interval, and the bounds that are required"""


def shares(rows: Sequence[Share]) -> str:
    """Draw one bar per row from 0 to 100 %, with its interval and marks at the required bounds."""
    drawn = []
    for number, (name, value, low, high, *bounds) in enumerate(rows):
        drawn.append(_bar(_LONG_LABELS, number, name[:44], _PLOT * value, _PLOT * low, _PLOT * high))
        drawn += [
            f'<path d="M{_LONG_LABELS + _PLOT * bound:.1f} {_ROW * number + 5}v22" stroke="#d2691e" '
            f'stroke-width="3"/>'
            for bound in bounds
            if bound is not None
        ]
        drawn.append(_bar_text(_LONG_LABELS + _PLOT + 8, number, f"{100 * value:.1f} %"))
    return svg(_LONG_LABELS + _PLOT + 70, _ROW * len(rows) + 10, "".join(drawn), "shares of games won")


def _bar(
    x: float, number: int, name: str, width: float, low: float, high: float, label_x: float | None = None
) -> str:
    """Draw a name, a bar and its interval; widths count from ``x``."""
    y, left, right = _ROW * number + 5, x + low, x + high
    end = (x if label_x is None else label_x) - 8
    return (
        f'<text x="{end}" y="{y + 17}" text-anchor="end">{escape(name)}</text>'
        f'<rect x="{x}" y="{y + 2}" width="{width:.1f}" height="18" fill="#4a7ab5"/>'
        f'<path d="M{left:.1f} {y + 11}H{right:.1f}M{left:.1f} {y + 6}v10M{right:.1f} {y + 6}v10" '
        f'stroke="currentColor" stroke-width="1.5" fill="none"/>'
    )


def _bar_text(x: float, number: int, text: str) -> str:
    return f'<text x="{x:.1f}" y="{_ROW * number + 21}">{text}</text>'


def histogram(values: Sequence[int], unit: str) -> str:
    """Draw how often values of each size occur."""
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


# ---------------------------------------------------------------------- curves

Curve = Sequence[tuple[float, float]]
_COLOURS = ("#4a7ab5", "#c8663c", "#3f9467", "#8a5aa8", "#a8862b", "#5b8f99", "#b5527a", "#7a7a7a")
_LEFT, _TOP, _WIDE, _HIGH, _NAMES = 70, 10, 500, 150, 200


def lines(series: Sequence[tuple[str, Curve]], label: str, level: float | None = None) -> str:
    """Draw curves with their names, points from left to right; a ``level`` is dashed."""
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
        """Return a point of the drawing."""
        across, up = (x - self.left) / (self.right - self.left), (y - self.low) / (self.high - self.low)
        return f"{_LEFT + _WIDE * across:.1f},{_TOP + _HIGH * (1 - up):.1f}"

    def drawn(self) -> str:
        """Draw two axes with the numbers at their ends."""
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
    """Return the lowest and the highest value, kept apart if they are equal."""
    low, high = min(values), max(values)
    margin = max(abs(low) * 0.05, 1e-6) if low == high else 0.0
    return low - margin, high + margin


# ---------------------------------------------------------------------- charts over the turns of a game

_CHART_WIDE, _CHART_HIGH = 1000, 100
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
_MAX_TICKS = 7


@dataclass(frozen=True)
class Axis:
    """What a chart shows from bottom to top."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    """heights of grid lines, with their labels"""

    def height(self, value: float) -> float:
        """Return the distance of a value from the top, in hundredths of the chart."""
        part = (value - self.low) / (self.high - self.low)
        return _CHART_HIGH * (1.0 - min(max(part, 0.0), 1.0))


@dataclass(frozen=True)
class Mark:
    """A numbered point on a line, linked to another part of the page."""

    turn: int
    value: float
    side: Side
    text: str
    target: str
    title: str


Points = Sequence[tuple[int, float | None]]
"""turn and value; a line is broken where there is none"""


@dataclass(frozen=True)
class Chart:
    """Values of both sides over the turns of a game, at any width and without scripts.

    The lines are an SVG that is stretched; labels and marks are text above it.
    """

    label: str
    """text alternative"""
    turns: int
    axis: Axis
    lines: dict[Side, Points]
    marks: Sequence[Mark] = ()
    say: Callable[[Side, int, float], str] | None = None
    """the tooltip of a value"""
    is_small: bool = False

    def html(self) -> str:
        """Return the chart as a part of a page."""
        size = "chart small" if self.is_small else "chart"
        return (
            f'<div class="{size}"><div class="y" aria-hidden="true">{self._y_words()}</div>'
            f'<div class="plot">{self._svg()}{"".join(self._mark(mark) for mark in self.marks)}</div>'
            f'<div class="x" aria-hidden="true">{self._x_words()}</div></div>'
        )

    def _at(self, turn: int) -> float:
        return turn / max(self.turns - 1, 1)

    def _svg(self) -> str:
        grid = "".join(
            f'<path class="grid" d="M0 {self.axis.height(value):.1f}H{_CHART_WIDE}"/>'
            for value, _ in self.axis.ticks
        )
        lines = "".join(self._line(side, points) for side, points in self.lines.items())
        return (
            f'<svg role="img" aria-label="{escape(self.label)}" viewBox="0 0 {_CHART_WIDE} {_CHART_HIGH}" '
            f'preserveAspectRatio="none">{grid}{lines}{self._hits()}</svg>'
        )

    def _line(self, side: Side, points: Points) -> str:
        parts, is_drawing = [], False
        for turn, value in points:
            if value is not None:
                at = f"{_CHART_WIDE * self._at(turn):.1f} {self.axis.height(value):.1f}"
                parts.append(f"L{at}" if is_drawing else f"M{at}h0")
            is_drawing = value is not None
        return f'<path class="line {side}" d="{"".join(parts)}"/>' if parts else ""

    def _hits(self) -> str:
        """Draw invisible columns with tooltips, one per turn."""
        if self.say is None:
            return ""
        width = _CHART_WIDE / max(self.turns - 1, 1)
        size = f'width="{width:.2f}" height="{_CHART_HIGH}"'
        return "".join(
            f'<rect class="hit" x="{_CHART_WIDE * self._at(turn) - width / 2:.1f}" {size}>'
            f"<title>{escape(self.say(side, turn, value))}</title></rect>"
            for side, points in self.lines.items()
            for turn, value in points
            if value is not None
        )

    def _mark(self, mark: Mark) -> str:
        place = f"left:{100 * self._at(mark.turn):.2f}%;top:{self.axis.height(mark.value):.1f}%"
        return (
            f'<a class="mark {mark.side}" href="#{mark.target}" style="{place}" '
            f'aria-label="{escape(mark.title)}" title="{escape(mark.title)}">{escape(mark.text)}</a>'
        )

    def _y_words(self) -> str:
        return "".join(
            f'<span style="top:{self.axis.height(value):.1f}%">{escape(text)}</span>'
            for value, text in self.axis.ticks
        )

    def _x_words(self) -> str:
        """Return turn numbers as records count them, at round places."""
        rounds = (self.turns + 1) // 2
        step = next((step for step in _STEPS if rounds / step <= _MAX_TICKS), _STEPS[-1])
        wanted = [1, *range(step, rounds + 1, step)] if step > 1 else list(range(1, rounds + 1))
        return "".join(
            f'<span style="left:{100 * self._at(min(2 * (number - 1), self.turns - 1)):.1f}%">{number}</span>'
            for number in wanted
        )


def percent_axis(high: float = 1.0, step: float = 0.25) -> Axis:
    """Return an axis from 0 to 100 %, or to the next step above ``high``."""
    top = min(1.0, step * max(1, -(-high // step)))
    count = round(top / step)
    return Axis(0.0, top, tuple((step * at, f"{100 * step * at:.0f} %") for at in range(count + 1)))


def number_axis(low: float, high: float) -> Axis:
    """Return an axis with round numbers around the values."""
    step = next(
        step for step in (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0) if (high - low) / step <= 5 or step == 20
    )
    top = low + step * max(1, -(-(high - low) // step))
    count = round((top - low) / step)
    return Axis(low, top, tuple((low + step * at, f"{low + step * at:g}") for at in range(count + 1)))
