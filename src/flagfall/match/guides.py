"""What the guide of a first game says now, chosen from nothing but the player's own View."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from flagfall.board import DIRECTIONS, cell_name, distance, parse_cell
from flagfall.edition.guides import PLACEHOLDER, Guide
from flagfall.edition.schema import Game, Kind
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine.action import ATTACK, MOVE, SPOT
from flagfall.languages import ENGLISH, listed, say, use_language
from flagfall.match.texts import ABORTED
from flagfall.notation.names import kind_word
from flagfall.setups.setup import SetupError, setup_from_squares
from flagfall.sides import Side
from flagfall.view.view import SeenPiece, View

FEW_PIECES = 4
MAX_FLAG_CANDIDATES = 2


@dataclass(frozen=True)
class GuideWords:
    """What a guide says of one event, and the squares it is about."""

    event: str
    words: str
    squares: tuple[str, ...]


@dataclass(frozen=True)
class Moment:
    """A position as one player sees it."""

    game: Game
    view: View
    side: Side

    @property
    def own(self) -> list[SeenPiece]:
        """The player's pieces."""
        return [piece for piece in self.view.pieces if piece.side == self.side]

    @property
    def enemies(self) -> list[SeenPiece]:
        """The enemy's pieces."""
        return [piece for piece in self.view.pieces if piece.side != self.side]

    def kind(self, name: str) -> Kind:
        """Return a kind by its id."""
        return self.game.kinds[self.game.kind_index(name)]

    def role(self, kind: str) -> str:
        """Return the role of a kind."""
        return self.kind(kind).role

    def neighbours(self, piece: SeenPiece) -> Iterable[SeenPiece]:
        """Return the enemy pieces next to one of the player's."""
        cell = parse_cell(piece.cell)
        return (enemy for enemy in self.enemies if parse_cell(enemy.cell) - cell in DIRECTIONS)


Found = list[SeenPiece] | None
"""the pieces that an event is about; None if it does not hold"""


def guide_words(guide: Guide, view: View) -> tuple[GuideWords, ...]:
    """Return what fits the position now, the most important first; nothing while the enemy moves.

    The same words come again as long as they fit; the client says each of them once.
    """
    side = view.own_side
    is_own_turn = side is not None and view.to_move == side and view.prompt is None
    if side is None or not (is_own_turn or view.result):
        return ()
    moment, said = Moment(guide.game, view, side), []
    for event, words in guide.words.items():
        if (event in _ENDINGS) == (view.result is not None) and (
            found := _CONDITIONS[event](moment)
        ) is not None:
            said.append(GuideWords(event, _filled(words, moment, found), tuple(one.cell for one in found)))
    return tuple(said)


def _filled(words: str, moment: Moment, found: list[SeenPiece]) -> str:
    if not found:
        return words
    first = found[0]
    values = {
        "piece": kind_word(moment.game, first.kind, first.side) if first.kind else say("phrases.piece"),
        "square": listed((piece.cell for piece in found), "or"),
    }
    return PLACEHOLDER.sub(lambda match: values[match[1]], words)


def _begin(moment: Moment) -> Found:
    return [] if moment.view.turn < len(Side) else None


def _run(moment: Moment) -> Found:
    """Find a piece that can run further than one square."""
    for action in moment.view.legal:
        if action.verb in (MOVE, ATTACK) and distance(action.origin, action.target) > 1:
            return _at(moment, action.origin)
    return None


def _contact(moment: Moment) -> Found:
    for piece in moment.own:
        if piece.kind and moment.role(piece.kind) == "soldier":
            for enemy in moment.neighbours(piece):
                if not enemy.kind:
                    return [enemy]
    return None


def _attacked(moment: Moment) -> Found:
    """Look for an attack by the enemy that was won by the higher rank."""
    events = moment.view.last_turn
    shown = [(one.piece, moment.kind(one.kind)) for one in events if one.what == "shown"]
    ranks = {piece: kind.rank for piece, kind in shown if kind.role == "soldier"}
    lost = [one.piece for one in events if one.what == "removed"]
    is_enemy = any(one.what == "attack" and one.side != moment.side for one in events)
    highest = max(ranks.values(), default=0)
    is_by_rank = any(ranks.get(piece, highest) < highest for piece in lost)
    return [] if is_enemy and is_by_rank else None


def _revealed(moment: Moment) -> Found:
    shown = [piece for piece in moment.enemies if piece.kind and moment.role(piece.kind) == "soldier"]
    return shown[:1] or None


def _known(moment: Moment) -> Found:
    return [one for one in moment.own if one.is_told and moment.role(one.kind) == "soldier"][:1] or None


def _bomb(moment: Moment) -> Found:
    bombs = [piece for piece in moment.enemies if piece.kind and moment.role(piece.kind) == "bomb"]
    takes = {name for piece in moment.own for name in moment.kind(piece.kind).takes}
    return bombs[:1] if any(bomb.kind in takes for bomb in bombs) else None


def _power(moment: Moment) -> Found:
    """Find a piece that can use a power; one that spots must not need a step first."""
    for action in moment.view.legal:
        is_power = action.origin and VERB_BY_CODE[action.verb].primitive not in ("", "run")
        if is_power and (action.verb != SPOT or action.origin == action.target):
            return _at(moment, action.origin)
    return None


def _back_and_forth(moment: Moment) -> Found:
    for barred in moment.view.barred:
        if barred.rule == "two-square" and (piece := moment.view.at(barred.origin)):
            return [piece]
    return None


def _danger(moment: Moment) -> Found:
    for piece in moment.own:
        if moment.role(piece.kind) == "flag":
            return list(moment.neighbours(piece))[:1] or None
    return None


def _few_left(moment: Moment) -> Found:
    return [] if len(moment.enemies) <= FEW_PIECES else None


def _flag(moment: Moment) -> Found:
    """Find the enemy pieces that can still be the Flag, if they are few."""
    flags = {kind.id for kind in moment.game.kinds if kind.role == "flag"}
    found = [piece for piece in moment.enemies if flags & {piece.kind, *piece.possible}]
    return found if 0 < len(found) <= MAX_FLAG_CANDIDATES else None


def _ending(moment: Moment, winner: Side | None) -> Found:
    result = moment.view.result
    is_so = result is not None and result.side is winner and result.reason != ABORTED
    return [] if is_so else None


def _at(moment: Moment, cell: int) -> Found:
    piece = moment.view.at(cell_name(cell))
    return [piece] if piece else None


_ENDINGS = frozenset({"won", "lost", "drawn"})
_CONDITIONS: Mapping[str, Callable[[Moment], Found]] = {
    "begin": _begin,
    "run": _run,
    "contact": _contact,
    "attacked": _attacked,
    "revealed": _revealed,
    "known": _known,
    "bomb": _bomb,
    "power": _power,
    "back-and-forth": _back_and_forth,
    "danger": _danger,
    "few-left": _few_left,
    "flag": _flag,
    "won": lambda moment: _ending(moment, moment.side),
    "lost": lambda moment: _ending(moment, moment.side.other),
    "drawn": lambda moment: _ending(moment, None),
}


@use_language(ENGLISH)
def check_guide(guide: Guide) -> None:
    """Refuse a guide whose setup is not one of its game; `EditionError` says what is wrong."""
    try:
        setup_from_squares(guide.game, guide.side, guide.setup)
    except SetupError as error:
        guide.table.fail(f"“setup” is not right: {error}")
