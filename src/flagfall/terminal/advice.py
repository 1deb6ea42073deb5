"""`explain` in the terminal game: what a searching player thinks of the position.

The adviser gets the View and history of the person who asks, nothing else. Where a game is played from memory
there is no advice, since it would remember for the person.
"""

from __future__ import annotations

from random import Random

from flagfall.edition import Game
from flagfall.errors import UserError
from flagfall.languages import say
from flagfall.match import Match
from flagfall.notation.names import kind_word
from flagfall.players.budget import Budget
from flagfall.players.chances import percent
from flagfall.players.explain import Candidate, Explanation, HiddenPiece, explain
from flagfall.players.searcher import SearchingPlayer
from flagfall.sides import Side
from flagfall.terminal.commands import square
from flagfall.view.view import View

BUDGET = Budget(time_ms=1500, nodes=20_000)
_OTHERS = 3
_FLAGS = 4
_LIKELY = 0.05
"""kinds less likely than this are summed up as "others" """


class Adviser:
    """Answers both seats of a match, each from its own View."""

    def __init__(self, match: Match, budget: Budget = BUDGET) -> None:
        self.match, self.budget = match, budget
        self._players: dict[Side, SearchingPlayer] = {}
        self._last: tuple[int, Side] | None = None
        self._told: Explanation | None = None

    def answer(self, side: Side, rest: str) -> str:
        """Return the computer's opinion of this position; ``rest`` may be a square, or ``all``."""
        if self.match.options["memory"] != "assisted":
            raise UserError(say("terminal.explain.forbidden"))
        game, view = self.match.game, self.match.view(side)
        if not rest:
            return advice(game, self._asked(side))
        if rest.lower() == "all":
            said = [chances(game, piece, view, _LIKELY) for piece in self._asked(side).hidden]
            return "\n".join(said) or say("terminal.explain.nothing-hidden")
        cell = square(game, rest, "explain d6")
        piece = self._asked(side).at(cell)
        if piece is None:
            raise UserError(say("terminal.explain.not-hidden", square=cell))
        return chances(game, piece, view)

    def _asked(self, side: Side) -> Explanation:
        """Return the explanation of this position; the last one is kept."""
        if self._last != (self.match.number, side) or self._told is None:
            match = self.match
            if side not in self._players:
                self._players[side] = SearchingPlayer(match.game, match.options, Random(side), self.budget)
            view = match.view(side, forgets=False)
            self._told = explain(self._players[side], view, match.history(side))
            self._last = (match.number, side)
        return self._told


def advice(game: Game, told: Explanation) -> str:
    """Return win estimate, best line, other good actions and the likeliest squares of the flag."""
    looked = say(
        "terminal.explain.looked", turns=told.depth, worlds=str(told.worlds), positions=str(told.nodes)
    )
    first, *later = told.line
    lines = [
        say("terminal.explain.chance", chance=percent(told.estimate), looked=looked),
        say("terminal.explain.best", action=first.text, words=first.words),
    ]
    if later:
        lines.append(say("terminal.explain.then"))
        lines += [f"  {turn.text}  {turn.words}".rstrip() for turn in later]
    others = [candidate for candidate in told.candidates[1:] if candidate.is_deep][:_OTHERS]
    if others:
        rated = ", ".join(_rated(candidate) for candidate in others)
        lines.append(say("terminal.explain.also", actions=rated))
    if flags := _flags(game, told):
        lines.append(flags)
    if told.hidden:
        lines.append(say("terminal.explain.more", square=told.hidden[0].cell))
    return "\n".join(lines)


def _rated(candidate: Candidate) -> str:
    return f"{candidate.text} {percent(candidate.estimate)}"


def _flags(game: Game, told: Explanation) -> str:
    enemy = told.viewer.other
    parts = []
    for kind in game.kinds:
        if kind.role == "flag":
            likely = [(piece.chance(kind.id), piece.cell) for piece in told.hidden if piece.chance(kind.id)]
            places = [f"{cell} {percent(chance)}" for chance, cell in sorted(likely, reverse=True)[:_FLAGS]]
            if places:
                flag = kind_word(game, kind.id, enemy)
                parts.append(say("terminal.explain.flag", flag=flag, squares=", ".join(places)))
    return "\n".join(parts)


def chances(game: Game, piece: HiddenPiece, view: View, least: float = 0.0) -> str:
    """Return what a hidden piece may be, likeliest first; kinds below ``least`` are summed up."""
    enemy = Side(view.viewer).other
    said = [(kind, chance) for kind, chance in piece.kinds if chance >= least]
    texts = [f"{kind_word(game, kind, enemy)} {percent(chance)}" for kind, chance in said]
    if len(said) < len(piece.kinds):
        rest = 1.0 - sum(chance for _, chance in said)
        texts.append(say("terminal.explain.others", chance=percent(max(rest, 0.0))))
    return f"{piece.cell}: {', '.join(texts)}."
