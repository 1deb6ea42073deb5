"""A small table with three viewers: say who stands where, play, look over anybody's shoulder.

The army is whatever stands on the table, so that every conclusion can be checked by eye::

    table = Table("onyx/classic", south="a1 flag, b2 captain", north="b3 sergeant, d4 flag")
    table.plays("b2xb3")
    table.piece("north", "b3").kind        # what North sees on b3
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from flagfall.board import DIRECTION_NAMES, Board, cell_name, parse_cell
from flagfall.edition import Game, load_game, resolve
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.notation import read_turn
from flagfall.view.view import VIEWERS, SeenEvent, SeenPiece, View, Viewer
from tests.laws.seen_game import SeenGame

POWER_WORDS = {"shoot", "detect", "enchant", "swing", "rampage", "advance", "done"}


class Table:
    """A game on four by four squares, before its viewers."""

    board: ClassVar[Board | None] = Board(4, 4, 1)

    def __init__(self, game_id: str, *, south: str, north: str, **options: str) -> None:
        game = load_game(game_id)
        setups = (_setup(game, south), _setup(game, north))
        rosters = tuple(
            tuple(list(setup.values()).count(kind) for kind in range(len(game.kinds))) for setup in setups
        )
        self.game: Game = replace(
            game,
            id=f"table/{game_id}",
            board=self.board or game.board,
            rosters=(rosters[0], rosters[1]),
            fills_home=False,
        )
        self.seen_game = SeenGame(self.game, resolve(self.game, options), *setups)
        self.seen: dict[Viewer, tuple[SeenEvent, ...]] = self.seen_game.greeting

    def plays(self, *actions: str) -> Table:
        """Play ``b1-b2``, ``b2xb3``, ``rescue b3-b4``, ``kind scout``, ``at b1``, ``spot b2-b3 north``.

        Powers as players write them: ``b1 enchant b3``, ``b1^b3``, ``advance north``, ``done`` …
        """
        for text in actions:
            packed = self.read(text).pack()
            assert packed in self.seen_game.legal(), f"“{text}” is not legal; legal: {self.choices()}"
            self.seen = self.seen_game.play(packed)
        return self

    def read(self, text: str) -> Action:
        """Return the action that a text means."""
        words = text.split()
        if words[0] == "kind":
            return Action(A.CHOOSE_KIND, choice=self.game.kind_index(words[1]))
        if words[0] == "at":
            return Action(A.CHOOSE_CELL, target=parse_cell(words[1]))
        is_two_step = len(words) == 1 and text.count("-") + text.count("x") == 2
        if POWER_WORDS & set(words) or "^" in text or "~" in text or is_two_step:
            (act,) = read_turn(self.game, text)
            return act
        way = next(word for word in words if "-" in word or "x" in word)
        origin, target = (parse_cell(cell) for cell in way.replace("x", "-").split("-"))
        if words[0] == "spot":
            return Action(A.SPOT, origin, target, DIRECTION_NAMES.index(words[2]))
        if words[0] == "rescue":
            return Action(A.RESCUE, origin, target)
        return Action(A.ATTACK if "x" in text else A.MOVE, origin, target)

    def choices(self) -> list[str]:
        """What is legal, roughly in words."""
        found = []
        for packed in self.seen_game.legal():
            act = Action.unpack(packed)
            cells = "-".join(cell_name(cell) for cell in (act.origin, act.target) if cell)
            found.append(f"{A.VERB_NAMES[act.verb]} {cells} {act.choice or ''}".strip())
        return found

    def view(self, viewer: Viewer) -> View:
        """What a viewer is sent."""
        return self.seen_game.observers.view(self.seen_game.state, viewer)

    def piece(self, viewer: Viewer, cell: str) -> SeenPiece:
        """The piece on a square, as that viewer sees it."""
        found = self.view(viewer).at(cell)
        assert found is not None, f"{viewer} sees nothing on {cell}"
        return found

    def kind(self, cell: str) -> dict[str, str]:
        """What each viewer sees on a square."""
        return {viewer: self.piece(viewer, cell).kind for viewer in VIEWERS}

    def tray(self, viewer: Viewer) -> list[str]:
        """Captured pieces as that viewer sees them: ``["north captain", "south ?"]``."""
        return [f"{piece.side} {piece.kind or '?'}" for piece in self.view(viewer).tray]

    def possible(self, viewer: Viewer, cell: str) -> set[str]:
        """Kinds the viewer must think possible there, whether the View shows them or not."""
        knowledge = self.seen_game.observers.knowledge[viewer]
        name = knowledge.on[cell]
        return self.thinks(viewer, name)

    def thinks(self, viewer: Viewer, name: str) -> set[str]:
        """The same by name, for pieces that are off the board."""
        knowledge = self.seen_game.observers.knowledge[viewer]
        return set(knowledge.facts.names(knowledge.possible(name)))

    def shown(self, viewer: Viewer) -> set[str]:
        """Kinds the last action told that viewer."""
        return {event.kind for event in self.seen[viewer] if event.what == "shown"}


class WideTable(Table):
    """The same on the game's own board, with its zones."""

    board = None


def _setup(game: Game, text: str) -> dict[int, int]:
    pairs = [one.split() for one in text.split(",")]
    return {parse_cell(cell): game.kind_index(kind) for cell, kind in pairs}
