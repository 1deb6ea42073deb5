"""Explain to a player why an action is not legal: what is wrong, where, and what is possible instead.

An explanation uses only that player's View, so it cannot reveal anything hidden. Whether an action is legal
is decided by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from flagfall.board import CELLS, DIRECTION_NAMES, DIRECTIONS, cell_name, column_of, row_of
from flagfall.edition.combat import setting
from flagfall.edition.compile import RESCUES_PER_PLAYER
from flagfall.edition.options import Options, resolve
from flagfall.edition.schema import Game, Kind, Power
from flagfall.edition.texts import group_names
from flagfall.edition.verbs import ROW_PRIMITIVES, VERB_BY_CODE, VERBS, Verb, power_verb
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.languages import Phrase, listed, say
from flagfall.match.texts import verdict
from flagfall.view.view import Prompt, SeenPiece, View


@dataclass(frozen=True)
class _Attempt:
    """An action that is not legal, and what the player's View says about it."""

    game: Game
    options: Options
    view: View
    action: Action

    def is_square(self, cell: int) -> bool:
        """Return whether a cell is on the board, zones included."""
        return 0 <= cell < CELLS and cell in self.game.board

    def at(self, cell: int) -> SeenPiece | None:
        """Return the piece on a cell."""
        return self.view.at(cell_name(cell)) if self.is_square(cell) else None

    def is_own(self, cell: int) -> bool:
        """Return whether a piece of the mover stands on a cell."""
        piece = self.at(cell)
        return piece is not None and piece.side == self.view.to_move

    def is_enemy(self, cell: int) -> bool:
        """Return whether an enemy stands on a cell."""
        piece = self.at(cell)
        return piece is not None and piece.side != self.view.to_move

    def is_open(self, cell: int) -> bool:
        """Return whether a cell is an empty square that pieces may enter."""
        return self.is_square(cell) and cell not in self.game.board.zones and self.at(cell) is None

    def kind_at(self, cell: int) -> Kind:
        """Return the kind of the mover's piece on a cell."""
        piece = self.at(cell)
        assert piece is not None
        return self.game.kinds[self.game.kind_index(piece.kind)]

    def name_at(self, cell: int) -> str:
        """Return the name of the mover's piece on a cell."""
        return self.game.kind_name(self.game.kind_index(self.kind_at(cell).id), self.view.to_move)

    def yours(self, cell: int) -> Phrase:
        """Return the mover's piece on a cell for a sentence: ``your Scout``."""
        return Phrase("phrases.your", self.name_at(cell))

    def has_verb(self, cell: int, verb: str) -> bool:
        """Return whether the mover's piece on a cell has a power of that verb."""
        return any(power.verb == verb for power in self.game.abilities(self.kind_at(cell)))

    def instead(self, cell: int, who: Phrase | None = None) -> str:
        """Return the sentence for what the piece on a cell can do instead; by default the piece is “it”."""
        who = who or Phrase("phrases.it", self.name_at(cell))
        goes, strikes = (
            [cell_name(act.target) for act in self.view.legal if (act.verb, act.origin) == (verb, cell)]
            for verb in (A.MOVE, A.ATTACK)
        )
        if goes and strikes:
            return say("refusals.instead.go-or-attack", who=who, squares=_some(goes), targets=_some(strikes))
        if goes:
            return say("refusals.instead.go", who=who, squares=_some(goes))
        if strikes:
            return say("refusals.instead.attack", who=who, targets=_some(strikes))
        return say("refusals.instead.nothing", who=who)


def explain_illegal(game: Game, view: View, action: Action, options: Options | None = None) -> str:
    """Return why the owner of a View cannot play an action now, by default with the game's usual options."""
    attempt = _Attempt(game, options or resolve(game, {}), view, action)
    if view.result is not None:
        return say("refusals.over", verdict=verdict(view.result))
    if view.viewer != view.to_move:
        return say("refusals.not-your-turn", side=view.to_move.title)
    if action in view.legal:
        return say("refusals.possible")
    if view.prompt is not None:
        return _why_not_chosen(attempt, view.prompt)
    verb = VERB_BY_CODE.get(action.verb)
    has_origin = verb is None or not (verb.is_answer or verb.form == "advance")
    if has_origin and (wrong := _why_not_from(attempt, action.origin)):
        return wrong
    if verb is None:
        return say("refusals.no-such-action")
    return REASONS[verb.code](attempt)


def _why_not_from(attempt: _Attempt, origin: int) -> str:
    """Return what is wrong with the starting square of an action; empty if nothing is."""
    if not attempt.is_square(origin):
        return _off_board(attempt)
    name, piece = cell_name(origin), attempt.at(origin)
    if piece is None:
        return say("refusals.from.empty", square=name)
    if piece.side != attempt.view.to_move:
        return say("refusals.from.enemy", square=name)
    if not attempt.kind_at(origin).is_mobile:
        return say("refusals.from.immobile", who=attempt.yours(origin))
    return ""


def _why_not_to(attempt: _Attempt, target: int, *, reach: int = 0) -> str:
    """Return what is wrong with the way of a step, run or attack; empty if nothing is.

    ``reach`` is how far the piece may go; 0 means as far as its kind can.
    """
    origin = attempt.action.origin
    if not attempt.is_square(target):
        return _off_board(attempt)
    end, who = cell_name(target), attempt.yours(origin)
    instead, named = attempt.instead(origin), attempt.instead(origin, who)
    if target == origin:
        return named
    if target in attempt.game.board.zones:
        return f"{say('refusals.to.zone', zone=_zone(attempt))} {named}"
    columns, rows = column_of(target) - column_of(origin), row_of(target) - row_of(origin)
    if columns and rows:
        return f"{say('refusals.to.not-straight')} {named}"
    if attempt.is_own(target):
        own = Phrase("phrases.your-own", attempt.name_at(target))
        return f"{say('refusals.to.own-piece', who=own, square=end)} {instead}"
    length = abs(columns + rows)
    is_runner = attempt.has_verb(origin, "run")
    if length > (reach or (length if is_runner else 1)):
        return f"{say('refusals.to.too-far', who=who)} {instead}"
    return _why_blocked(attempt, target, (target - origin) // length)


def _why_blocked(attempt: _Attempt, target: int, way: int) -> str:
    origin = attempt.action.origin
    start, end = cell_name(origin), cell_name(target)
    for cell in range(origin + way, target, way):
        if not attempt.is_open(cell):
            by = "zone" if not attempt.at(cell) else "own" if attempt.is_own(cell) else "enemy"
            blocked = say(
                f"refusals.blocked.{by}", start=start, end=end, square=cell_name(cell), zone=_zone(attempt)
            )
            return f"{blocked} {attempt.instead(origin)}"
    if attempt.is_enemy(target) and target != origin + way and not _may_run_and_strike(attempt):
        return say("refusals.to.run-and-attack", who=attempt.yours(origin), square=end)
    return ""


def _zone(attempt: _Attempt) -> Phrase:
    return Phrase("phrases.a", attempt.game.edition.words["zone"])


def _barring_rule(attempt: _Attempt, target: int) -> str:
    """Return which repetition rule forbids the piece to go to a cell; empty if none does."""
    origin = attempt.action.origin
    if not attempt.is_square(origin) or not attempt.is_square(target):
        return ""
    way = cell_name(origin), cell_name(target)
    return next((one.rule for one in attempt.view.barred if (one.origin, one.target) == way), "")


def _why_barred(attempt: _Attempt, target: int) -> str:
    """Return why a repetition rule forbids a move; empty if none does."""
    rule = _barring_rule(attempt, target)
    if not rule:
        return ""
    start, end = cell_name(attempt.action.origin), cell_name(target)
    if rule == "chase":
        return say("refusals.barred.chase", start=start, end=end)
    limit = attempt.options.number("two_square_limit")
    nth = str(limit + 1) if limit else "another"
    return say("refusals.barred.two-square", nth=say(f"refusals.nth.{nth}"), start=start, end=end)


def _why_no_move(attempt: _Attempt) -> str:
    """Return why a MOVE is not legal."""
    origin, target = attempt.action.origin, attempt.action.target
    if attempt.is_enemy(target) and not _why_not_to(attempt, target):
        return say("refusals.move.enemy", start=cell_name(origin), end=cell_name(target))
    return _why_not_to(attempt, target) or _why_barred(attempt, target) or _otherwise(attempt)


def _why_no_attack(attempt: _Attempt) -> str:
    """Return why an ATTACK is not legal."""
    origin, target = attempt.action.origin, attempt.action.target
    wrong = _why_not_to(attempt, target)
    if not wrong and attempt.at(target) is None:
        return say("refusals.attack.empty", start=cell_name(origin), end=cell_name(target))
    return wrong or _why_barred(attempt, target) or _otherwise(attempt)


def _off_board(attempt: _Attempt) -> str:
    """Return the sentence for a square that does not exist."""
    corner = cell_name(max(attempt.game.board.cells()))
    return say("refusals.off-board", corner=corner)


def _otherwise(attempt: _Attempt) -> str:
    """Return the sentence for all other cases."""
    origin = attempt.action.origin
    return f"{say('refusals.otherwise', who=attempt.yours(origin))} {attempt.instead(origin)}"


def _may_run_and_strike(attempt: _Attempt) -> bool:
    powers = attempt.game.abilities(attempt.kind_at(attempt.action.origin))
    return any(power.verb == "run" and power.parameters.get("attack", True) for power in powers)


def _why_no_spot(attempt: _Attempt) -> str:
    """Return why a SPOT is not legal."""
    origin, stands, way = attempt.action.origin, attempt.action.target, attempt.action.choice
    powers = [power for power in attempt.game.powers() if power.verb == "spot"]
    if unable := _why_unable(attempt, powers, VERB_BY_CODE[A.SPOT]):
        return unable
    if stands != origin:
        if wrong := _why_not_to(attempt, stands, reach=1):
            return wrong
        if attempt.is_enemy(stands):
            return say("refusals.spot.enemy", square=cell_name(stands))
        if barred := _why_barred(attempt, stands):
            return barred
    ahead = DIRECTIONS[2 * int(attempt.view.to_move)]
    if not 0 <= way < len(DIRECTIONS):
        return say("refusals.spot.not-next")
    spotted, who = stands + DIRECTIONS[way], attempt.yours(origin)
    if not attempt.options.is_on("spot_any_side") and DIRECTIONS[way] != ahead:
        if not attempt.is_square(stands + ahead):
            return say("refusals.spot.ahead", who=who)
        return say("refusals.spot.ahead-on", who=who, start=cell_name(stands), end=cell_name(stands + ahead))
    if not attempt.is_enemy(spotted):
        if not attempt.is_square(spotted):
            return say("refusals.spot.nothing-there")
        return say("refusals.spot.nothing", square=cell_name(spotted))
    return _otherwise(attempt)


def _why_no_rescue(attempt: _Attempt) -> str:
    """Return why a RESCUE is not legal."""
    origin, target = attempt.action.origin, attempt.action.target
    if not attempt.options.is_on("rescue"):
        return say("refusals.rescue.none")
    if wrong := _why_not_to(attempt, target) or _why_barred(attempt, target):
        return wrong
    row, who = attempt.game.board.back_row(attempt.view.to_move.other), attempt.yours(origin)
    if row_of(target) != row:
        return say("refusals.rescue.row", row=row, square=cell_name(target))
    if attempt.has_verb(origin, "run"):
        return say("refusals.rescue.runner", who=who)
    if attempt.is_enemy(target) and not attempt.options.is_on("rescue_on_strike"):
        return say("refusals.rescue.fight")
    return _why_nobody_returns(attempt) or say("refusals.rescue.once", who=who)


def _why_no_two_step(attempt: _Attempt) -> str:
    """Return why a TWO_STEP is not legal."""
    origin, target, way = attempt.action.origin, attempt.action.target, attempt.action.choice
    steps_and_strikes = attempt.has_verb(origin, "spot") and attempt.options.is_on("spot_move_then_attack")
    if not steps_and_strikes and not attempt.has_verb(origin, "two-step"):
        no_steps = say("refusals.two-step.unable", who=attempt.yours(origin))
        return f"{no_steps} {attempt.instead(origin)}"
    middle = origin + (DIRECTIONS[way] if 0 <= way < len(DIRECTIONS) else 0)
    if not attempt.is_open(middle):
        full = say("refusals.two-step.full")
        if attempt.is_square(middle):
            full = say("refusals.two-step.full-on", square=cell_name(middle))
        return f"{full} {attempt.instead(origin)}"
    if target - middle not in DIRECTIONS:
        return say("refusals.two-step.second", square=cell_name(middle))
    if steps_and_strikes and not attempt.is_enemy(target):
        return say("refusals.two-step.only-attack", who=attempt.yours(origin))
    return _why_barred(attempt, target) or _otherwise(attempt)


def _why_nobody_returns(attempt: _Attempt) -> str:
    """Return why no piece can come back at all, as far as the View shows."""
    view, board = attempt.view, attempt.game.board
    if view.rescues[attempt.view.to_move] >= RESCUES_PER_PLAYER:
        return say("refusals.rescue.used-up", number=RESCUES_PER_PLAYER)
    lost = [piece.kind for piece in view.tray if piece.side == view.to_move]
    bombs = {kind.id for kind in attempt.game.kinds if kind.role == "bomb"}
    if not any(kind not in bombs for kind in lost):
        return say("refusals.rescue.nobody")
    rows = board.rows // 2 if attempt.options.get("rescue_zone", "home_rows") == "half" else None
    if not any(attempt.is_open(cell) for cell in board.home(view.to_move, rows)):
        return say("refusals.rescue.no-square")
    return ""


def _why_no_power(attempt: _Attempt) -> str:
    """Return why a power with a row in the Tables is not legal."""
    verb = VERB_BY_CODE[attempt.action.verb]
    powers = [
        power for power in attempt.game.powers() if power.verb == verb.primitive and power_verb(power) == verb
    ]
    if powers and verb.form == "advance":
        return _why_no_advance(attempt, powers[0])
    if unable := _why_unable(attempt, powers, verb):
        return unable
    kind = attempt.kind_at(attempt.action.origin)
    power = next(power for power in attempt.game.abilities(kind) if power in powers)
    if not attempt.is_square(attempt.action.target):
        return say("refusals.power.off-board", advice=_offered(attempt, power))
    if verb.form == "after step":
        return _why_no_strike_around(attempt, power)
    return _why_no_flight(attempt, power) if verb.form == "path" else _why_no_aim(attempt, power)


def _why_unable(attempt: _Attempt, powers: Sequence[Power], verb: Verb) -> str:
    """Return which pieces have one of these powers; empty if the mover's piece has one."""
    game, origin = attempt.game, attempt.action.origin
    able = [kind for kind in game.kinds if any(power in powers for power in game.abilities(kind))]
    word = say(f"refusals.verb.{verb.name}")
    if not able:
        return say("refusals.power.nobody", verb=word)
    if attempt.kind_at(origin) in able:
        return ""
    names = listed(group_names(game, kind) for kind in able)
    return say("refusals.power.unable", who=attempt.yours(origin), verb=word, kinds=names)


def _why_no_strike_around(attempt: _Attempt, power: Power) -> str:
    target = attempt.action.target
    if wrong := _why_not_to(attempt, target, reach=1) or _why_barred(attempt, target):
        return wrong
    if not attempt.is_open(target):
        return say("refusals.power.step", power=power.name, advice=_offered(attempt, power))
    return say("refusals.power.nobody-around", square=cell_name(target), advice=_offered(attempt, power))


def _why_no_flight(attempt: _Attempt, power: Power) -> str:
    origin, target = attempt.action.origin, attempt.action.target
    if barred := _why_barred(attempt, target):
        return barred
    square, advice = cell_name(target), _offered(attempt, power)
    if not attempt.is_open(target):
        return say("refusals.power.not-empty", square=square, advice=advice)
    if power.verb == "teleport":
        return say("refusals.power.out-of-reach", square=square, advice=advice)
    if column_of(origin) != column_of(target) and row_of(origin) != row_of(target):
        return say("refusals.power.not-straight", power=power.name, advice=advice)
    if setting(power, "over_zones", attempt.options):
        return say("refusals.power.over-pieces-or-zones", power=power.name, advice=advice)
    return say("refusals.power.over-pieces", power=power.name, advice=advice)


def _why_no_aim(attempt: _Attempt, power: Power) -> str:
    origin, target = attempt.action.origin, attempt.action.target
    name, piece, advice = cell_name(target), attempt.at(target), _offered(attempt, power)
    if piece is None or piece.side == attempt.view.to_move:
        return say("refusals.power.no-enemy", square=name, advice=advice)
    across, along = abs(column_of(origin) - column_of(target)), abs(row_of(origin) - row_of(target))
    if max(across, along) > 2:
        return say("refusals.power.far", square=name, advice=advice)
    if power.verb == "convert" and piece.is_converted:
        return say("refusals.power.converted", square=name, advice=advice)
    if power.verb == "convert" and _is_used_up(attempt, power):
        return say("refusals.power.used-up", power=power.name)
    if setting(power, "reach", attempt.options) == "lines" and 0 not in (across, along) and across != along:
        return say("refusals.power.no-line", square=name, advice=advice)
    if power.verb == "strike" and power.parameters["blocked"]:
        return say("refusals.power.in-the-way", square=name, advice=advice)
    return say("refusals.power.seen", square=name, advice=advice)


def _is_used_up(attempt: _Attempt, power: Power) -> bool:
    cap = setting(power, "cap", attempt.options)
    return isinstance(cap, int) and 0 < cap <= attempt.view.conversions[attempt.view.to_move]


def _why_no_advance(attempt: _Attempt, power: Power) -> str:
    ways = [DIRECTION_NAMES[act.choice] for act in attempt.view.legal if act.verb == A.ADVANCE]
    if not ways:
        return say("refusals.advance.nobody", power=power.name)
    words = [say(f"refusals.advance.way.{way}") for way in ways]
    return say("refusals.advance.two-square", ways=listed(words, "or"))


def _offered(attempt: _Attempt, power: Power) -> str:
    """Return where the power can be used from that square."""
    act = attempt.action
    offers = [one for one in attempt.view.legal if (one.verb, one.origin) == (act.verb, act.origin)]
    if not offers:
        return say("refusals.advice.nowhere", power=power.name, square=cell_name(act.origin))
    return say("refusals.advice.choose", squares=_some([cell_name(one.target) for one in offers]))


def _why_not_chosen(attempt: _Attempt, prompt: Prompt) -> str:
    """Return why an answer does not fit what an open turn asks for."""
    action, asked = attempt.action, _asked(attempt, prompt)
    if action.verb == A.ATTACK and _barring_rule(attempt, action.target):
        return say("refusals.answer.barred-attack", square=cell_name(action.target), advice=asked)
    if action.verb == A.DONE and prompt.ask == "attack after landing":
        return say("refusals.answer.barred-flight", advice=asked)
    if action.verb == A.CHOOSE_KIND and 0 <= action.choice < len(attempt.game.kinds):
        kind = attempt.game.kinds[action.choice]
        name = next(iter(kind.names.values()), kind.id)
        if prompt.ask == "guess":
            return say("refusals.answer.no-such-enemy", kind=name, advice=asked)
        if prompt.ask == "rescue kind":
            return say("refusals.answer.not-lost", kind=name, advice=asked)
    if action.verb == A.CHOOSE_CELL and attempt.is_square(action.target):
        return say("refusals.answer.square", square=cell_name(action.target), advice=asked)
    return say("refusals.answer.open-turn", advice=asked)


def _why_nothing_to_choose(attempt: _Attempt) -> str:
    """Return the sentence for a choice at the beginning of a turn."""
    if attempt.action.verb == A.DONE:
        return say("refusals.skip")
    return say("refusals.nothing-to-choose")


def _asked(attempt: _Attempt, prompt: Prompt) -> str:
    """Return what the open turn asks for."""
    legal = attempt.view.legal
    kinds = [attempt.game.kinds[act.choice] for act in legal if act.verb == A.CHOOSE_KIND]
    names = [next(iter(kind.names.values()), kind.id) for kind in kinds]
    squares = [cell_name(act.target) for act in legal if act.verb in (A.CHOOSE_CELL, A.ATTACK)]
    done = "-or-done" if any(act.verb == A.DONE for act in legal) else ""
    if prompt.ask == "guess":
        return say("refusals.advice.guess", square=prompt.cell, kinds=_some(names, "others", 12))
    if prompt.ask == "rescue kind":
        return say("refusals.advice.rescue-kind", kinds=_some(names, "others", 12))
    if prompt.ask == "rescue square":
        return say("refusals.advice.rescue-square", squares=_some(squares, "others", 12))
    if squares:
        return say(f"refusals.advice.choose{done}", squares=_some(squares, "others", 12))
    return say(f"refusals.advice.choose-any{done}")


def _some(names: Sequence[str], rest: Literal["squares", "others"] = "squares", limit: int = 5) -> str:
    """Return some of the names for a sentence: ``d4, d5 or 3 other squares``."""
    if len(names) <= limit:
        return listed(names, "or")
    shown = ", ".join(names[: limit - 1])
    return say(f"refusals.some.{rest}", shown=shown, number=len(names) - limit + 1)


REASONS: Mapping[int, Callable[[_Attempt], str]] = {
    A.MOVE: _why_no_move,
    A.ATTACK: _why_no_attack,
    A.SPOT: _why_no_spot,
    A.RESCUE: _why_no_rescue,
    A.TWO_STEP: _why_no_two_step,
    **{verb.code: _why_nothing_to_choose for verb in VERBS if verb.is_answer},
    **{verb.code: _why_no_power for verb in VERBS if verb.primitive in ROW_PRIMITIVES},
}
"""the function that explains, for each verb, why it is not legal at the start of a turn"""
