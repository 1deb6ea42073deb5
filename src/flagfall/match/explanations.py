"""Explain to a player why an action is not legal: what is wrong, where, and what is possible instead.

An explanation uses only that player's View, so it cannot reveal anything hidden. Whether an action is legal
is decided by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flagfall.board import CELLS, DIRECTION_NAMES, DIRECTIONS, cell_name, column_of, row_of
from flagfall.edition.combat import setting
from flagfall.edition.compile import RESCUES_PER_PLAYER
from flagfall.edition.options import Options, resolve
from flagfall.edition.schema import Game, Kind, Power
from flagfall.edition.texts import group_names, listed
from flagfall.edition.verbs import ROW_PRIMITIVES, VERB_BY_CODE, VERBS, power_verb
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.match.texts import verdict
from flagfall.view.view import Prompt, SeenPiece, View

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


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

    def has_verb(self, cell: int, verb: str) -> bool:
        """Return whether the mover's piece on a cell has a power of that verb."""
        return any(power.verb == verb for power in self.game.abilities(self.kind_at(cell)))

    def instead(self, cell: int, who: str = "It") -> str:
        """Return the sentence for what the piece on a cell can do instead."""
        goes, strikes = (
            [cell_name(act.target) for act in self.view.legal if (act.verb, act.origin) == (verb, cell)]
            for verb in (A.MOVE, A.ATTACK)
        )
        ways = [f"go to {_some(goes)}"] if goes else []
        ways += [f"attack {_some(strikes)}"] if strikes else []
        if not ways:
            return f"{who} cannot move now. Choose another piece."
        return f"{who} can {' or '.join(ways)}."


def explain_illegal(game: Game, view: View, action: Action, options: Options | None = None) -> str:
    """Return why the owner of a View cannot play an action now, by default with the game's usual options."""
    attempt = _Attempt(game, options or resolve(game, {}), view, action)
    if view.result is not None:
        return f"The game is over: {verdict(view.result)}."
    if view.viewer != view.to_move:
        return f"It is {view.to_move.title}'s turn; wait until {view.to_move.title} has moved."
    if action in view.legal:
        return "That is possible; play it."
    if view.prompt is not None:
        return _why_not_chosen(attempt, view.prompt)
    verb = VERB_BY_CODE.get(action.verb)
    has_origin = verb is None or not (verb.is_answer or verb.form == "advance")
    if has_origin and (wrong := _why_not_from(attempt, action.origin)):
        return wrong
    if verb is None:
        return "There is no such action; move with e4-e5, for example, or attack with e4xe5."
    return REASONS[verb.code](attempt)


def _why_not_from(attempt: _Attempt, origin: int) -> str:
    """Return what is wrong with the starting square of an action; empty if nothing is."""
    if not attempt.is_square(origin):
        return _off_board(attempt)
    name, piece = cell_name(origin), attempt.at(origin)
    if piece is None:
        return f"No piece stands on {name}; name the square of one of your own pieces."
    if piece.side != attempt.view.to_move:
        return f"The piece on {name} is not yours; move one of your own."
    if not attempt.kind_at(origin).is_mobile:
        return f"Your {attempt.name_at(origin)} never moves. Choose another piece."
    return ""


def _why_not_to(attempt: _Attempt, target: int, *, reach: int = 0) -> str:
    """Return what is wrong with the way of a step, run or attack; empty if nothing is.

    ``reach`` is how far the piece may go; 0 means as far as its kind can.
    """
    origin = attempt.action.origin
    if not attempt.is_square(target):
        return _off_board(attempt)
    end, who = cell_name(target), attempt.name_at(origin)
    instead, named = attempt.instead(origin), attempt.instead(origin, f"Your {who}")
    if target == origin:
        return named
    if target in attempt.game.board.zones:
        zone = attempt.game.edition.words["zone"]
        return f"Nobody can enter a {zone}. {named}"
    columns, rows = column_of(target) - column_of(origin), row_of(target) - row_of(origin)
    if columns and rows:
        return f"Pieces move in straight lines. {named}"
    if attempt.is_own(target):
        return f"Your own {attempt.name_at(target)} stands on {end}. {instead}"
    length = abs(columns + rows)
    is_runner = attempt.has_verb(origin, "run")
    if length > (reach or (length if is_runner else 1)):
        return f"Your {who} moves one square at a time. {instead}"
    return _why_blocked(attempt, target, (target - origin) // length)


def _why_blocked(attempt: _Attempt, target: int, way: int) -> str:
    origin = attempt.action.origin
    start, end = cell_name(origin), cell_name(target)
    for cell in range(origin + way, target, way):
        if not attempt.is_open(cell):
            what = f"a {attempt.game.edition.words['zone']}"
            if attempt.at(cell):
                what = "your own piece" if attempt.is_own(cell) else "an enemy piece"
            blocked = f"The way from {start} to {end} is blocked on {cell_name(cell)} by {what}"
            return f"{blocked}. {attempt.instead(origin)}"
    if attempt.is_enemy(target) and target != origin + way and not _may_run_and_strike(attempt):
        return (
            f"Your {attempt.name_at(origin)} may not run and attack in one turn in this box; "
            f"move next to {end} first."
        )
    return ""


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
    start, end, instead = cell_name(attempt.action.origin), cell_name(target), "do something else this turn"
    if rule == "chase":
        return f"{start}-{end} repeats a position of this chase, which the chase rule forbids; {instead}."
    limit = attempt.options.number("two_square_limit")
    nth = f"A {_ORDINALS[limit]}" if limit else "Another"
    return f"{nth} move in a row between {start} and {end} breaks the two-square rule; {instead}."


def _why_no_move(attempt: _Attempt) -> str:
    """Return why a MOVE is not legal."""
    origin, target = attempt.action.origin, attempt.action.target
    if attempt.is_enemy(target) and not _why_not_to(attempt, target):
        start, end = cell_name(origin), cell_name(target)
        return f"An enemy stands on {end}; attack it with {start}x{end}."
    return _why_not_to(attempt, target) or _why_barred(attempt, target) or _otherwise(attempt)


def _why_no_attack(attempt: _Attempt) -> str:
    """Return why an ATTACK is not legal."""
    origin, target = attempt.action.origin, attempt.action.target
    wrong = _why_not_to(attempt, target)
    if not wrong and attempt.at(target) is None:
        start, end = cell_name(origin), cell_name(target)
        return f"Nothing stands on {end} to attack; move there with {start}-{end}."
    return wrong or _why_barred(attempt, target) or _otherwise(attempt)


def _off_board(attempt: _Attempt) -> str:
    """Return the sentence for a square that does not exist."""
    corner = cell_name(max(attempt.game.board.cells()))
    return f"That is not a square of this board; squares run from a1 to {corner}."


def _otherwise(attempt: _Attempt) -> str:
    """Return the sentence for all other cases."""
    origin = attempt.action.origin
    return f"Your {attempt.name_at(origin)} cannot do that now. {attempt.instead(origin)}"


def _may_run_and_strike(attempt: _Attempt) -> bool:
    powers = attempt.game.abilities(attempt.kind_at(attempt.action.origin))
    return any(power.verb == "run" and power.parameters.get("attack", True) for power in powers)


def _why_no_spot(attempt: _Attempt) -> str:
    """Return why a SPOT is not legal."""
    origin, stands, way = attempt.action.origin, attempt.action.target, attempt.action.choice
    powers = [power for power in attempt.game.powers() if power.verb == "spot"]
    if unable := _why_unable(attempt, powers, "spot"):
        return unable
    if stands != origin:
        if wrong := _why_not_to(attempt, stands, reach=1):
            return wrong
        if attempt.is_enemy(stands):
            return f"An enemy stands on {cell_name(stands)}; step to an empty square, or spot without a step."
        if barred := _why_barred(attempt, stands):
            return barred
    ahead = DIRECTIONS[2 * int(attempt.view.to_move)]
    if not 0 <= way < len(DIRECTIONS):
        return "Spotting goes to a square next to the piece; name that square."
    spotted = stands + DIRECTIONS[way]
    who = attempt.name_at(origin)
    if not attempt.options.is_on("spot_any_side") and DIRECTIONS[way] != ahead:
        has_front = attempt.is_square(stands + ahead)
        front = f"; from {cell_name(stands)} that is {cell_name(stands + ahead)}" if has_front else ""
        return f"Your {who} spots straight ahead only{front}."
    if not attempt.is_enemy(spotted):
        where = cell_name(spotted) if attempt.is_square(spotted) else "that side"
        return f"There is nothing to spot on {where}: no enemy stands there."
    return _otherwise(attempt)


def _why_no_rescue(attempt: _Attempt) -> str:
    """Return why a RESCUE is not legal."""
    origin, target = attempt.action.origin, attempt.action.target
    if not attempt.options.is_on("rescue"):
        return "There is no rescue in this game; leave out “rescue”."
    if wrong := _why_not_to(attempt, target) or _why_barred(attempt, target):
        return wrong
    row, who = attempt.game.board.back_row(attempt.view.to_move.other), attempt.name_at(origin)
    if row_of(target) != row:
        return f"A rescue happens on row {row}, and {cell_name(target)} is not there; leave out “rescue”."
    if attempt.has_verb(origin, "run"):
        return f"Your {who} cannot rescue, because runners never do; leave out “rescue”."
    if attempt.is_enemy(target) and not attempt.options.is_on("rescue_on_strike"):
        return "In this game a rescue follows a move, not a fight; leave out “rescue”."
    return _why_nobody_returns(attempt) or (
        f"Your {who} has already rescued a piece, and each may do so once; leave out “rescue”."
    )


def _why_no_two_step(attempt: _Attempt) -> str:
    """Return why a TWO_STEP is not legal."""
    origin, target, way = attempt.action.origin, attempt.action.target, attempt.action.choice
    steps_and_strikes = attempt.has_verb(origin, "spot") and attempt.options.is_on("spot_move_then_attack")
    if not steps_and_strikes and not attempt.has_verb(origin, "two-step"):
        who, instead = attempt.name_at(origin), attempt.instead(origin)
        return f"Your {who} does not take two steps in one turn. {instead}"
    middle = origin + (DIRECTIONS[way] if 0 <= way < len(DIRECTIONS) else 0)
    if not attempt.is_open(middle):
        where = f"{cell_name(middle)} between them" if attempt.is_square(middle) else "the first square"
        return f"The first step must go to an empty square, and {where} is none. {attempt.instead(origin)}"
    if target - middle not in DIRECTIONS:
        return f"The second step must start from {cell_name(middle)}; name a square next to it."
    if steps_and_strikes and not attempt.is_enemy(target):
        return f"After its step your {attempt.name_at(origin)} may only attack, and no enemy stands there."
    return _why_barred(attempt, target) or _otherwise(attempt)


def _why_nobody_returns(attempt: _Attempt) -> str:
    """Return why no piece can come back at all, as far as the View shows."""
    view, board = attempt.view, attempt.game.board
    if view.rescues[attempt.view.to_move] >= RESCUES_PER_PLAYER:
        return f"You have made {RESCUES_PER_PLAYER} rescues, and there are no more; leave out “rescue”."
    lost = [piece.kind for piece in view.tray if piece.side == view.to_move]
    bombs = {kind.id for kind in attempt.game.kinds if kind.role == "bomb"}
    if not any(kind not in bombs for kind in lost):
        return "You have lost no piece that could come back; leave out “rescue”."
    rows = board.rows // 2 if attempt.options.get("rescue_zone", "home_rows") == "half" else None
    if not any(attempt.is_open(cell) for cell in board.home(view.to_move, rows)):
        return "No square is free for a piece that comes back; leave out “rescue”."
    return ""


def _why_no_power(attempt: _Attempt) -> str:
    """Return why a power with a row in the Tables is not legal."""
    verb = VERB_BY_CODE[attempt.action.verb]
    powers = [
        power for power in attempt.game.powers() if power.verb == verb.primitive and power_verb(power) == verb
    ]
    if powers and verb.form == "advance":
        return _why_no_advance(attempt, powers[0])
    if unable := _why_unable(attempt, powers, verb.word or verb.token):
        return unable
    kind = attempt.kind_at(attempt.action.origin)
    power = next(power for power in attempt.game.abilities(kind) if power in powers)
    if not attempt.is_square(attempt.action.target):
        return f"That is off the board; {_offered(attempt, power)}."
    if verb.form == "after step":
        return _why_no_strike_around(attempt, power)
    return _why_no_flight(attempt, power) if verb.form == "path" else _why_no_aim(attempt, power)


def _why_unable(attempt: _Attempt, powers: Sequence[Power], word: str) -> str:
    """Return which pieces have one of these powers; empty if the mover's piece has one."""
    game, origin = attempt.game, attempt.action.origin
    able = [kind for kind in game.kinds if any(power in powers for power in game.abilities(kind))]
    if not able:
        return f"Nobody can {word} in this game; move or attack instead."
    if attempt.kind_at(origin) in able:
        return ""
    names = listed(group_names(game, kind) for kind in able)
    return f"Your {attempt.name_at(origin)} cannot {word}; only {names} can."


def _why_no_strike_around(attempt: _Attempt, power: Power) -> str:
    target = attempt.action.target
    if wrong := _why_not_to(attempt, target, reach=1) or _why_barred(attempt, target):
        return wrong
    if not attempt.is_open(target):
        return f"{power.name} begins with a step to an empty square; {_offered(attempt, power)}."
    return f"There is no piece around {cell_name(target)} to strike; {_offered(attempt, power)}."


def _why_no_flight(attempt: _Attempt, power: Power) -> str:
    origin, target = attempt.action.origin, attempt.action.target
    if barred := _why_barred(attempt, target):
        return barred
    if not attempt.is_open(target):
        return f"{cell_name(target)} is not an empty square; {_offered(attempt, power)}."
    if power.verb == "teleport":
        return f"{cell_name(target)} is out of reach; {_offered(attempt, power)}."
    if column_of(origin) != column_of(target) and row_of(origin) != row_of(target):
        return f"{power.name} goes in a straight line; {_offered(attempt, power)}."
    over = "pieces or zones" if setting(power, "over_zones", attempt.options) else "pieces"
    return (
        f"{power.name} goes over an unbroken row of {over} to the first empty square behind them; "
        f"{_offered(attempt, power)}."
    )


def _why_no_aim(attempt: _Attempt, power: Power) -> str:
    origin, target = attempt.action.origin, attempt.action.target
    name, piece = cell_name(target), attempt.at(target)
    if piece is None or piece.side == attempt.view.to_move:
        return f"No enemy stands on {name}; {_offered(attempt, power)}."
    across, along = abs(column_of(origin) - column_of(target)), abs(row_of(origin) - row_of(target))
    if max(across, along) > 2:
        return f"{name} is further away than two squares; {_offered(attempt, power)}."
    if power.verb == "convert" and piece.is_converted:
        return f"The piece on {name} has changed sides already and stays; {_offered(attempt, power)}."
    if power.verb == "convert" and _is_used_up(attempt, power):
        return f"You have used {power.name} as often as this game allows; move or attack instead."
    if setting(power, "reach", attempt.options) == "lines" and 0 not in (across, along) and across != along:
        return f"{name} does not lie on a straight line; {_offered(attempt, power)}."
    if power.verb == "strike" and power.parameters["blocked"]:
        return f"A piece stands in the way to {name}; {_offered(attempt, power)}."
    return f"You have seen the piece on {name} before; {_offered(attempt, power)}."


def _is_used_up(attempt: _Attempt, power: Power) -> bool:
    cap = setting(power, "cap", attempt.options)
    return isinstance(cap, int) and 0 < cap <= attempt.view.conversions[attempt.view.to_move]


def _why_no_advance(attempt: _Attempt, power: Power) -> str:
    ways = [DIRECTION_NAMES[act.choice] for act in attempt.view.legal if act.verb == A.ADVANCE]
    if not ways:
        return f"You have no piece left with {power.name}; move or attack instead."
    return f"The two-square rule forbids that way; advance {listed(ways, 'or')}."


def _offered(attempt: _Attempt, power: Power) -> str:
    """Return where the power can be used from that square."""
    act = attempt.action
    offers = [one for one in attempt.view.legal if (one.verb, one.origin) == (act.verb, act.origin)]
    if not offers:
        return f"{power.name} can be used nowhere from {cell_name(act.origin)} now"
    return f"choose {_some([cell_name(one.target) for one in offers])}"


def _why_not_chosen(attempt: _Attempt, prompt: Prompt) -> str:
    """Return why an answer does not fit what an open turn asks for."""
    action, asked = attempt.action, _asked(attempt, prompt)
    if action.verb == A.ATTACK and _barring_rule(attempt, action.target):
        return f"The two-square rule forbids the attack on {cell_name(action.target)} this turn; {asked}."
    if action.verb == A.DONE and prompt.ask == "attack after landing":
        return f"The two-square rule forbids the flight without an attack; {asked}."
    if action.verb == A.CHOOSE_KIND and 0 <= action.choice < len(attempt.game.kinds):
        kind = attempt.game.kinds[action.choice]
        name = next(iter(kind.names.values()), kind.id)
        if prompt.ask == "guess":
            return f"The enemy army has no {name}; {asked}."
        if prompt.ask == "rescue kind":
            return f"You have no lost {name} to bring back; {asked}."
    if action.verb == A.CHOOSE_CELL and attempt.is_square(action.target):
        return f"{cell_name(action.target)} cannot be chosen here; {asked}."
    return f"Your turn is not finished; {asked}."


def _why_nothing_to_choose(attempt: _Attempt) -> str:
    """Return the sentence for a choice at the beginning of a turn."""
    if attempt.action.verb == A.DONE:
        return "You cannot skip your turn; make a move such as e4-e5."
    return "There is nothing to choose now; begin your turn with a move such as e4-e5."


def _asked(attempt: _Attempt, prompt: Prompt) -> str:
    """Return what the open turn asks for."""
    legal = attempt.view.legal
    kinds = [attempt.game.kinds[act.choice] for act in legal if act.verb == A.CHOOSE_KIND]
    names = [next(iter(kind.names.values()), kind.id) for kind in kinds]
    squares = [cell_name(act.target) for act in legal if act.verb in (A.CHOOSE_CELL, A.ATTACK)]
    done = ", or say done" if any(act.verb == A.DONE for act in legal) else ""
    if prompt.ask == "guess":
        return f"say what stands on {prompt.cell}: {_some(names, 'others', 12)}"
    if prompt.ask == "rescue kind":
        return f"say which piece comes back: {_some(names, 'others', 12)}"
    if prompt.ask == "rescue square":
        return f"name an empty square for the piece that comes back: {_some(squares, 'others', 12)}"
    return f"choose {_some(squares, 'others', 12) or 'one of the actions offered'}{done}"


def _some(names: Sequence[str], rest: str = "other squares", limit: int = 5) -> str:
    """Return some of the names for a sentence: ``d4, d5 or 3 other squares``."""
    if len(names) <= limit:
        return listed(names, "or")
    return f"{', '.join(names[: limit - 1])} or {len(names) - limit + 1} {rest}"


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
