"""What a power would do, before it is played: the ways pieces take, the squares it covers, who is hit.

A preview uses only the player's View, so it cannot reveal anything hidden: an enemy is hit where it stands,
and what becomes of it is told only if that is the same for every kind it can still be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from msgspec import Struct

from flagfall.board import CELLS, DIAGONALS, DIRECTION_NAMES, DIRECTIONS, cell_name, column_of, parse_cell
from flagfall.edition.combat import (
    ATTACKER_WINS,
    BEARER_ARRIVED,
    BEARER_LOST,
    BOTH_LOST,
    DEFENDER_WINS,
    START,
    Outcomes,
    setting,
)
from flagfall.edition.options import Options
from flagfall.edition.power_texts import reserved_square
from flagfall.edition.schema import Game, Kind, Power
from flagfall.edition.verbs import VERB_BY_CODE, Shape, Verb, power_verb
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.languages import Phrase, PhraseList, listed, say
from flagfall.notation.names import kind_word
from flagfall.view.view import SeenPiece, View

Fate = Literal["", "captured", "converted", "shown", "safe"]
"""what becomes of a piece that is hit; empty if it depends on what is hidden"""
LOSSES = (BOTH_LOST, DEFENDER_WINS)
"""outcomes that cost the piece that attacks"""
_PHASES = {"bearer lost": BEARER_LOST, "bearer arrived": BEARER_ARRIVED}


class Way(Struct, frozen=True, omit_defaults=True):
    """The way of one piece."""

    squares: tuple[str, ...]
    """from where it stands to where it ends; only the first one if it leaves the board"""
    is_lost: bool = False
    """the piece is lost at the end, over the edge or in a zone"""


class Hit(Struct, frozen=True, omit_defaults=True):
    """A piece that would be hit."""

    square: str
    is_own: bool = False
    """it belongs to the player"""
    fate: Fate = ""
    """what becomes of it, if that is certain"""


class Preview(Struct, frozen=True, omit_defaults=True):
    """What an action would do, as far as the player knows."""

    ways: tuple[Way, ...] = ()
    squares: tuple[str, ...] = ()
    """the squares that the power covers"""
    hits: tuple[Hit, ...] = ()
    then: tuple[str, ...] = ()
    """squares of pieces that can be chosen or attacked afterwards"""
    is_lost: bool = False
    """the piece that acts is certainly lost"""
    question: str = ""
    """what to ask before it is played, because the player's own pieces would be lost or shown"""


@dataclass(frozen=True)
class _Scene:
    """The position in which previews are made."""

    game: Game
    options: Options
    view: View

    @property
    def phase(self) -> int:
        """The phase that decides outcomes."""
        return _PHASES.get(self.view.regime, START)

    @cached_property
    def reserved(self) -> int | None:
        """The square that only the bearer may enter."""
        return reserved_square(self.game, self.options)

    def is_square(self, cell: int) -> bool:
        """Return whether a cell is on the board, zones included."""
        return 0 <= cell < CELLS and cell in self.game.board

    def at(self, cell: int) -> SeenPiece | None:
        """Return the piece on a cell."""
        return self.view.at(cell_name(cell)) if self.is_square(cell) else None

    def is_own(self, piece: SeenPiece) -> bool:
        """Return whether a piece belongs to the player."""
        return piece.side == self.view.to_move

    def kind(self, piece: SeenPiece) -> Kind:
        """Return the kind of one of the player's pieces."""
        return self.game.kinds[self.game.kind_index(piece.kind)]

    def kinds(self, piece: SeenPiece) -> tuple[str, ...]:
        """Return the kinds that a piece can be, as far as the player knows."""
        return (piece.kind,) if piece.kind else piece.possible

    def is_flag(self, piece: SeenPiece) -> bool:
        """Return whether a piece is certainly a flag."""
        kinds = self.kinds(piece)
        return bool(kinds) and all(self.game.kinds[self.game.kind_index(one)].role == "flag" for one in kinds)

    def power(self, piece: SeenPiece, primitive: str, verb: Verb | None = None) -> Power | None:
        """Return the piece's power of a primitive, if any, that is used by the verb."""
        for power in self.game.abilities(self.kind(piece)):
            if power.verb == primitive and (verb is None or power_verb(power) is verb):
                return power
        return None

    def says(self, power: Power, key: str) -> bool:
        """Return a parameter of a power that is on or off."""
        return bool(setting(power, key, self.options))

    def outcome(self, user: SeenPiece, target: SeenPiece, power: Power | None = None) -> int | None:
        """Return the outcome of an attack or a power; None if it is not certain."""
        return _certain_outcome(
            self.game, self.options, self.phase, user.kind, self.kinds(target), power.id if power else ""
        )

    def around(self, cell: int) -> Iterator[int]:
        """Yield the eight neighbours of a cell that are on the board."""
        return (cell + way for way in (*DIRECTIONS, *DIAGONALS) if self.is_square(cell + way))

    def enemies_next_to(self, cell: int) -> tuple[str, ...]:
        """Return the squares next to a cell, not diagonally, where enemies stand."""
        near = (self.at(cell + way) for way in DIRECTIONS)
        return tuple(piece.cell for piece in near if piece and not self.is_own(piece))

    def phrase(self, key: str, piece: SeenPiece, place: str = "first") -> Phrase:
        """Return a piece for a sentence, by its name if that is known: ``your Scout on d4``."""
        kinds = self.kinds(piece)
        word = kind_word(self.game, kinds[0], piece.side) if len(kinds) == 1 else say("phrases.piece")
        return Phrase(key, word, {"square": piece.cell, "place": place})

    def phrases(self, key: str, pieces: Iterable[SeenPiece]) -> PhraseList:
        """Return pieces for a sentence: ``your Scout on d4 and Spy on e4``."""
        return PhraseList(
            tuple(self.phrase(key, piece, "later" if at else "first") for at, piece in enumerate(pieces))
        )


@lru_cache(maxsize=4096)
def _certain_outcome(
    game: Game, options: Options, phase: int, user: str, targets: tuple[str, ...], power: str
) -> int | None:
    """Return the outcome that all possible targets have in common; None if there is no such outcome."""
    fights, kind = Outcomes(game, options), game.kinds[game.kind_index(user)]
    found = set()
    for name in targets:
        target = game.kinds[game.kind_index(name)]
        if power:
            found.add(fights.by_power(game.edition.powers[power], kind, target, phase))
        else:
            found.add(fights.in_attack(kind, target, phase))
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=64)
def _plain_verbs(game: Game) -> tuple[int, ...]:
    """Return the verbs that never have a preview in this game."""
    return (
        *((A.ATTACK,) if not game.has_verb("chain") else ()),
        *((A.MOVE,) if not game.has_verb("bearer") else ()),
    )


def previews(game: Game, view: View, options: Options) -> dict[Action, Preview]:
    """Return what the legal powers of a View's owner would do; plain moves and attacks have no preview."""
    scene, plain = _Scene(game, options, view), _plain_verbs(game)
    found = {}
    for action in view.legal:
        if action.verb in plain:
            continue
        preview = PREVIEWS[VERB_BY_CODE[action.verb].shape](scene, action)
        if preview is not None:
            found[action] = preview
    return found


def _fate(outcome: int | None, *, if_won: Fate = "captured") -> Fate:
    if outcome is None:
        return ""
    return if_won if outcome in (ATTACKER_WINS, BOTH_LOST) else "safe"


def _struck(scene: _Scene, user: SeenPiece, target: SeenPiece, power: Power | None = None) -> Hit:
    """Return the hit of an attack, or of a power that strikes."""
    return Hit(target.cell, scene.is_own(target), _fate(scene.outcome(user, target, power)))


def _preview_way(scene: _Scene, action: Action) -> Preview | None:
    """Return the way of a piece that moves, and what it attacks at the end."""
    user, target = scene.at(action.origin), scene.at(action.target)
    assert user is not None
    is_chain = action.verb == A.ATTACK and scene.power(user, "chain") is not None
    is_arrival = action.verb == A.MOVE and action.target == scene.reserved
    if action.verb in (A.MOVE, A.ATTACK) and not (is_chain or is_arrival):
        return None
    hits = tuple(_purged(scene, user)) if is_arrival else ()
    outcome = None
    if target is not None and target is not user:
        hits = (_struck(scene, user, target),)
        outcome = scene.outcome(user, target)
    then = scene.enemies_next_to(action.target) if _may_attack_on(scene, action, outcome) else ()
    is_lost = outcome in LOSSES
    worries = [_loss(scene, user, target)] if is_lost and target and action.verb != A.ATTACK else []
    ways = (Way(tuple(cell_name(cell) for cell in _cells(action))),)
    return Preview(ways, hits=hits, then=then, is_lost=is_lost, question=_question(scene, worries))


def _may_attack_on(scene: _Scene, action: Action, outcome: int | None) -> bool:
    """Return whether a piece may be able to attack again after a way with this outcome."""
    user, target = scene.at(action.origin), scene.at(action.target)
    assert user is not None
    if action.verb == A.LEAP:
        flight = scene.power(user, "leap")
        return flight is not None and scene.says(flight, "attack_after")
    if action.verb != A.ATTACK or target is None or outcome not in (None, ATTACKER_WINS):
        return False
    is_end = scene.is_flag(target) or action.target == scene.reserved
    return not is_end and scene.power(user, "chain") is not None


def _loss(scene: _Scene, piece: SeenPiece, met: SeenPiece) -> str:
    """Return the sentence for one of the player's pieces that cannot win against another."""
    own, enemy = scene.phrase("phrases.your-on", piece), scene.phrase("phrases.the-on", met)
    return say("match.worry.beaten", who=own, enemy=enemy)


def _cells(action: Action) -> tuple[int, ...]:
    """Return the cells of a way, the first and the last included."""
    origin, target = action.origin, action.target
    if action.verb == A.TWO_STEP:
        return origin, origin + DIRECTIONS[action.choice], target
    if action.verb == A.LEAP:
        step = DIRECTIONS[0] if column_of(origin) == column_of(target) else DIRECTIONS[1]
        step = step if target > origin else -step
        return tuple(range(origin, target + step, step))
    return origin, target


def _purged(scene: _Scene, bearer: SeenPiece) -> Iterator[Hit]:
    """Yield the enemies that certainly leave the board when the bearer arrives."""
    power = scene.power(bearer, "bearer")
    purged = power.parameters["purges"] if power else ()
    assert isinstance(purged, tuple)
    for piece in scene.view.pieces:
        kinds = scene.kinds(piece)
        if not scene.is_own(piece) and kinds and set(kinds) <= set(purged):
            yield Hit(piece.cell, fate="captured")


def _preview_aim(scene: _Scene, action: Action) -> Preview:
    """Return the target of a power that acts from a distance."""
    user, target = scene.at(action.origin), scene.at(action.target)
    assert user is not None
    assert target is not None
    verb = VERB_BY_CODE[action.verb]
    if action.verb == A.DETECT:
        return Preview(hits=(Hit(target.cell, fate="" if target.kind else "shown"),))
    outcome = scene.outcome(user, target, scene.power(user, verb.primitive, verb))
    fate = _fate(outcome, if_won="converted" if action.verb == A.CONVERT else "captured")
    return Preview(hits=(Hit(target.cell, fate=fate),))


def _preview_spot(scene: _Scene, action: Action) -> Preview:
    """Return the step, if there is one, and the piece to name."""
    target = cell_name(action.target + DIRECTIONS[action.choice])
    ways = (Way((cell_name(action.origin), cell_name(action.target))),)
    return Preview(ways if action.origin != action.target else (), hits=(Hit(target),))


def _preview_area(scene: _Scene, action: Action) -> Preview:
    """Return the step, the squares around it, and the pieces there: all are hit, or some can be chosen."""
    user, verb = scene.at(action.origin), VERB_BY_CODE[action.verb]
    assert user is not None
    power = scene.power(user, verb.primitive, verb)
    assert power is not None
    struck = _pieces_around(scene, action.target, power, but=action.origin)
    ways = (Way((cell_name(action.origin), cell_name(action.target))),)
    squares = tuple(_covered(scene, action, power))
    if action.verb == A.SWING:
        return Preview(ways, squares, then=tuple(piece.cell for piece in struck))
    return _strike(scene, user, power, struck, ways, squares)


def _covered(scene: _Scene, action: Action, power: Power) -> Iterator[str]:
    """Yield the squares around the end of the step where a piece would be struck."""
    friends = scene.says(power, "friends")
    for cell in scene.around(action.target):
        piece = scene.at(cell)
        is_spared = piece is not None and scene.is_own(piece) and not friends
        if cell not in scene.game.board.zones and cell != action.origin and not is_spared:
            yield cell_name(cell)


def _pieces_around(scene: _Scene, cell: int, power: Power, but: int = 0) -> list[SeenPiece]:
    """Return the neighbours of a cell that an area strike can hit."""
    near = [scene.at(place) for place in scene.around(cell) if place != but]
    friends = scene.says(power, "friends")
    return [piece for piece in near if piece and (friends or not scene.is_own(piece))]


def _strike(
    scene: _Scene,
    user: SeenPiece,
    power: Power,
    struck: list[SeenPiece],
    ways: tuple[Way, ...] = (),
    squares: tuple[str, ...] = (),
) -> Preview:
    """Return what an area strike does to these pieces, and to the piece that strikes."""
    outcomes = [scene.outcome(user, piece, power) for piece in struck]
    is_beaten = any(outcome in LOSSES for outcome in outcomes)
    is_lost = is_beaten or scene.says(power, "removed_after")
    hits = tuple(
        Hit(piece.cell, scene.is_own(piece), _fate(outcome))
        for piece, outcome in zip(struck, outcomes, strict=True)
    )
    question = _strike_question(scene, hits, user if is_lost else None)
    return Preview(ways, squares, hits, is_lost=is_lost, question=question)


def _strike_question(scene: _Scene, hits: tuple[Hit, ...], lost: SeenPiece | None) -> str:
    """Return the question before an area strike that costs or shows the player's own pieces."""
    own = [(hit.fate, piece) for hit in hits if hit.is_own and (piece := scene.view.at(hit.square))]
    struck = [piece for fate, piece in own if fate == "captured"]
    shown = [piece for fate, piece in own if fate == "safe" and not piece.is_told]
    parts = []
    if struck:
        parts.append(say("match.worry.strike.hits", pieces=scene.phrases("phrases.your-own-on", struck)))
    if shown:
        parts.append(say("match.worry.strike.shows", pieces=scene.phrases("phrases.your-own-on", shown)))
    how = "also" if parts else "only"
    if lost:
        mine = Phrase("phrases.your", kind_word(scene.game, lost.kind, lost.side))
        parts.append(say("match.worry.strike.costs", piece=mine))
    return _question(scene, [say(f"match.worry.strike.{how}", parts=listed(parts))] if parts else [])


def _question(scene: _Scene, worries: list[str]) -> str:
    """Return the question before an action, unless there is nothing else to play."""
    if not worries or len(scene.view.legal) == 1:
        return ""
    return " ".join([*worries, say("match.worry.question")])


def _preview_march(scene: _Scene, action: Action) -> Preview:
    """Return where every piece of a group goes, and what it meets there."""
    way = DIRECTIONS[action.choice]
    group = {parse_cell(piece.cell): piece for piece in _group(scene)}
    ways, hits = [], []
    for cell, piece in sorted(group.items()):
        ways.append(_march(scene, cell, way))
        met = scene.at(cell + way)
        if met is not None and cell + way not in group:
            hits.append(_struck(scene, piece, met))
    power = next(power for piece in group.values() if (power := scene.power(piece, "advance")))
    is_free = scene.says(power, "subset")
    worries = [] if is_free else _march_worries(scene, {cell: cell + way for cell in group}, set(group))
    return Preview(tuple(ways), hits=tuple(hits), question=_question(scene, worries))


def _group(scene: _Scene) -> list[SeenPiece]:
    """Return the player's pieces that advance together."""
    return [piece for piece in scene.view.pieces if scene.is_own(piece) and scene.power(piece, "advance")]


def _march(scene: _Scene, cell: int, way: int) -> Way:
    target = cell + way
    if not scene.is_square(target):
        return Way((cell_name(cell),), is_lost=True)
    return Way((cell_name(cell), cell_name(target)), is_lost=target in scene.game.board.zones)


def _march_worries(scene: _Scene, steps: Mapping[int, int], follow: set[int]) -> list[str]:
    """Return what these steps cost the player; a piece may follow one that stands on ``follow``."""
    fallen: dict[str, list[SeenPiece]] = {}
    friends, beaten = [], []
    for cell, target in sorted(steps.items()):
        piece, met = scene.at(cell), scene.at(target)
        assert piece is not None
        if not scene.is_square(target):
            fallen.setdefault("edge", []).append(piece)
        elif target in scene.game.board.zones:
            fallen.setdefault("zone", []).append(piece)
        elif met is None or target in follow:
            continue
        elif scene.is_own(met):
            friends.append(met)
        elif scene.outcome(piece, met) in LOSSES:
            beaten.append(_loss(scene, piece, met))
    zone = Phrase("phrases.the", scene.game.edition.words["zone"])
    lost = [
        say(
            f"match.worry.march.{place}",
            number=len(pieces),
            pieces=scene.phrases("phrases.your-on", pieces),
            zone=zone,
        )
        for place, pieces in fallen.items()
    ]
    if friends:
        end = "own-flag" if any(map(scene.is_flag, friends)) else "own"
        lost.append(say(f"match.worry.march.{end}", pieces=scene.phrases("phrases.your-own-on", friends)))
    return lost + beaten


def _preview_answer(scene: _Scene, action: Action) -> Preview | None:
    """Return what the answer to an open question adds to the turn."""
    prompt = scene.view.prompt
    if prompt is not None and prompt.ask == "target":
        return _preview_target(scene, action, parse_cell(prompt.cell))
    if prompt is not None and prompt.ask == "next" and action.verb == A.CHOOSE_CELL:
        return _preview_next(scene, action.target)
    return None


def _preview_target(scene: _Scene, action: Action, stands: int) -> Preview:
    """Return the targets chosen so far, with this one; the question is about this one only."""
    user, verb = scene.at(stands), VERB_BY_CODE[A.SWING]
    assert user is not None
    power = scene.power(user, verb.primitive, verb)
    assert power is not None
    left = {act.target for act in scene.view.legal if act.verb == A.CHOOSE_CELL}
    near = _pieces_around(scene, stands, power)
    chosen = [piece for piece in near if parse_cell(piece.cell) not in left]
    before = _strike(scene, user, power, chosen)
    added = scene.at(action.target) if action.verb == A.CHOOSE_CELL else None
    if added is None:
        return Preview(hits=before.hits, is_lost=before.is_lost)
    after = _strike(scene, user, power, [*chosen, added])
    is_new_loss = after.is_lost and not before.is_lost
    question = _strike_question(scene, after.hits[-1:], user if is_new_loss else None)
    return Preview(hits=after.hits, is_lost=after.is_lost, question=question)


def _preview_next(scene: _Scene, cell: int) -> Preview | None:
    """Return where the next piece of an advance goes; what its order had told already is not asked again."""
    direction = next(event.detail for event in reversed(scene.view.last_turn) if event.what == "advance")
    way = DIRECTIONS[DIRECTION_NAMES.index(direction)]
    piece, met = scene.at(cell), scene.at(cell + way)
    assert piece is not None
    power = scene.power(piece, "advance")
    assert power is not None
    is_fellow = met is not None and scene.is_own(met) and scene.power(met, "advance") is not None
    worries = _march_worries(scene, {cell: cell + way}, set())
    is_new = is_fellow or scene.says(power, "subset")
    hits = (_struck(scene, piece, met),) if met is not None else ()
    question = _question(scene, worries if is_new else [])
    march = _march(scene, cell, way)
    is_lost = march.is_lost or (met is not None and scene.outcome(piece, met) in LOSSES)
    return Preview((march,), hits=hits, is_lost=is_lost, question=question)


def _preview_nothing(scene: _Scene, action: Action) -> None:
    """Return nothing: a named kind is all there is to see."""


PREVIEWS: Mapping[Shape | Literal[""], Callable[[_Scene, Action], Preview | None]] = {
    "way": _preview_way,
    "aim": _preview_aim,
    "spot": _preview_spot,
    "area": _preview_area,
    "march": _preview_march,
    "answer": _preview_answer,
    "kind": _preview_nothing,
}
