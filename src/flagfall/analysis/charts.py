"""Line charts that fit any width: the lines are an SVG that is stretched, words and marks are text above it.

No scripts: a mark is a link, and a turn under the pointer says what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from flagfall.sides import Side

_WIDE = 1000
_HIGH = 100
_TICKS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
_MOST_TICKS = 7


@dataclass(frozen=True)
class Axis:
    """What a chart shows from bottom to top."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    """where a grid line is drawn, and its label"""

    def height(self, value: float) -> float:
        """How far from the top a value is drawn, in hundredths of the chart."""
        part = (value - self.low) / (self.high - self.low)
        return _HIGH * (1.0 - min(max(part, 0.0), 1.0))


@dataclass(frozen=True)
class Mark:
    """A numbered place on a line that leads to another part of the page."""

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
    """Values of both sides over the turns of a game."""

    label: str
    """text alternative"""
    turns: int
    axis: Axis
    lines: dict[Side, Points]
    marks: Sequence[Mark] = ()
    say: Callable[[Side, int, float], str] | None = None
    """what the pointer is told of a value"""
    is_small: bool = False

    def html(self) -> str:
        """The chart as a part of a page."""
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
            f'<path class="grid" d="M0 {self.axis.height(value):.1f}H{_WIDE}"/>'
            for value, _ in self.axis.ticks
        )
        lines = "".join(self._line(side, points) for side, points in self.lines.items())
        return (
            f'<svg role="img" aria-label="{escape(self.label)}" viewBox="0 0 {_WIDE} {_HIGH}" '
            f'preserveAspectRatio="none">{grid}{lines}{self._hits()}</svg>'
        )

    def _line(self, side: Side, points: Points) -> str:
        parts, is_drawing = [], False
        for turn, value in points:
            if value is not None:
                at = f"{_WIDE * self._at(turn):.1f} {self.axis.height(value):.1f}"
                parts.append(f"L{at}" if is_drawing else f"M{at}h0")
            is_drawing = value is not None
        return f'<path class="line {side}" d="{"".join(parts)}"/>' if parts else ""

    def _hits(self) -> str:
        """Invisible columns under the pointer, one a turn."""
        if self.say is None:
            return ""
        width = _WIDE / max(self.turns - 1, 1)
        size = f'width="{width:.2f}" height="{_HIGH}"'
        return "".join(
            f'<rect class="hit" x="{_WIDE * self._at(turn) - width / 2:.1f}" {size}>'
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
        """Turn numbers as records count them, at round places."""
        rounds = (self.turns + 1) // 2
        step = next((step for step in _TICKS if rounds / step <= _MOST_TICKS), _TICKS[-1])
        wanted = [1, *range(step, rounds + 1, step)] if step > 1 else list(range(1, rounds + 1))
        return "".join(
            f'<span style="left:{100 * self._at(min(2 * (number - 1), self.turns - 1)):.1f}%">{number}</span>'
            for number in wanted
        )


def percent_axis(high: float = 1.0, step: float = 0.25) -> Axis:
    """From 0 to 100 %, or to the next step above ``high``."""
    top = min(1.0, step * max(1, -(-high // step)))
    count = round(top / step)
    return Axis(0.0, top, tuple((step * at, f"{100 * step * at:.0f} %") for at in range(count + 1)))


def number_axis(low: float, high: float) -> Axis:
    """Round numbers around the values."""
    step = next(
        step for step in (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0) if (high - low) / step <= 5 or step == 20
    )
    top = low + step * max(1, -(-(high - low) // step))
    count = round((top - low) / step)
    return Axis(low, top, tuple((low + step * at, f"{low + step * at:g}") for at in range(count + 1)))
